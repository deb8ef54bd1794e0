"""game.json of Kregen: a new game, reading a document typed by hand, and writing one.

Whatever a document leaves out has its default; what can't be right raises `DocumentError` with the path of the part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

from engine.core.documents import (
    check_players,
    checked_document,
    game_document,
    list_of,
    mapping_of,
    named_variant,
    options_of,
    rows_of,
    why_of,
)
from engine.core.errors import DocumentError
from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.core.play import Over
from engine.kregen.info import INFO
from engine.kregen.land import Land, land_of
from engine.kregen.model import HERO, STRENGTHS, Dislodged, State, Unit, View, format_order
from engine.kregen.parse import parse
from engine.kregen.prophecy import Prophecy
from engine.provinces.phases import Phase, PhaseKind, Season, phase_of, phase_row
from engine.provinces.variants import with_board

_MOVES = (Season.SPRING, Season.FALL)
_SEASONS = {
    PhaseKind.SETUP: (Season.SPRING,),
    PhaseKind.MOVEMENT: _MOVES,
    PhaseKind.RETREATS: _MOVES,
    PhaseKind.ADJUSTMENTS: (Season.SUMMER, Season.WINTER),
}
_DUEL = "duel/"


def start(*, variant: str, players: int, options: Mapping[str, Any], seed: str) -> State:
    """A new game, before its set-up. Powers that nobody plays do nothing. Ruling K10.

    Raises:
        DocumentError: an unknown variant, option or value, or a number of players that can't be seated.
    """
    check_players(INFO, players)
    return load({"variant": variant, "options": options, "seed": seed})


def load(document: Mapping[str, Any]) -> State:
    """The game of a document. Unknown keys are ignored.

    Raises:
        DocumentError: where and what is wrong with it.
    """
    document = checked_document(INFO, document)
    variant = with_board(named_variant(INFO, document.get("variant", "standard")))
    position = mapping_of(document.get("state", {}), "state")
    first = dict(variant.settings["first_phase"])
    if "units" in position:
        first["kind"] = PhaseKind.MOVEMENT
    phase = phase_of(first, document.get("phase"), _SEASONS)
    reader = _Reader(land_of(variant))
    before = position.get("owners_before")
    units = reader.resting(position.get("resting", ()), reader.units(position.get("units", ()), "state.units"))
    garrisons = reader.garrisons(position.get("garrisons"), units)
    dislodged = reader.dislodged(position.get("dislodged", ()), phase, units, garrisons)
    state = State(
        variant=variant,
        options=options_of(INFO, variant, mapping_of(document.get("options", {}), "options")),
        seed=str(document.get("seed", "")),
        phase=phase,
        units=units,
        dislodged=dislodged,
        owners=reader.owners(position.get("owners")),
        garrisons=garrisons,
        plundered=reader.plundered(position.get("plundered", ())),
        capitals=reader.capitals(position.get("capitals"), is_setup=phase.kind is PhaseKind.SETUP),
        had_hero=reader.had_hero(position.get("had_hero"), (*units, *(row.unit for row in dislodged))),
        over=reader.over(document.get("over")),
        forced_dice=_dice(document.get("dice", {})),
        owners_before=None if before is None else reader.owners(before),
        driven=reader.driven(position.get("driven", ())),
    )
    return replace(state, prophecies=reader.prophecies(position.get("prophecies", {}), state))


def dump(state: State) -> dict[str, Any]:
    """The document of a game; `load` reads it back to an equal state."""
    position: dict[str, Any] = {
        "units": [_unit_row(unit) for unit in state.units],
        "dislodged": [
            {**_unit_row(row.unit), **_rest(row.unit), "from": row.came_from, "retreats": list(row.retreats)}
            for row in state.dislodged
        ],
        "owners": dict(state.owners),
        "garrisons": dict(state.garrisons),
        "plundered": list(state.plundered),
        "capitals": dict(state.capitals),
        "resting": [{"power": unit.power, "seasons": unit.rests, "at": unit.at} for unit in state.units if unit.rests],
        "had_hero": list(state.had_hero),
    }
    if state.prophecies:
        position["prophecies"] = {power: list(map(format_order, lines)) for power, lines in state.prophecies.items()}
    if state.owners_before is not None:
        position["owners_before"] = dict(state.owners_before)
    if state.driven:
        position["driven"] = [_unit_row(unit) for unit in state.driven]
    return game_document(
        INFO,
        state.variant,
        options=state.options,
        seed=state.seed,
        phase=phase_row(state.phase),
        state=position,
        dice=state.forced_dice,
        over=state.over,
    )


def in_map_order(land: Land, units: Sequence[Unit]) -> tuple[Unit, ...]:
    """Units by sector; within one they keep their order."""
    return tuple(sorted(units, key=lambda unit: land.order[unit.sector]))


def _unit_row(unit: Unit) -> dict[str, Any]:
    row = {"power": unit.power, "kind": unit.kind, "at": unit.at}
    return {**row, "of": unit.of} if unit.of else row


def _rest(unit: Unit) -> dict[str, Any]:
    return {"rests": unit.rests} if unit.rests else {}


def _seasons(given: Any, where: str) -> int:
    if not isinstance(given, int) or isinstance(given, bool) or not 0 <= given <= 9:
        raise DocumentError(where, f"{given!r} is not a number of seasons")
    return given


def _dice(given: Any) -> dict[str, int]:
    dice: dict[str, int] = {}
    for label, value in mapping_of(given, "dice").items():
        where = f"dice.{label}"
        if not isinstance(value, int) or isinstance(value, bool):
            raise DocumentError(where, f"{value!r} is not a whole number")
        name = str(label).lower()
        if name.startswith(_DUEL):
            if not 0 <= value <= 100:
                raise DocumentError(where, f"{value} is not from 0 to 100")
            name = _DUEL + name.removeprefix(_DUEL).upper()
        dice[name] = value
    return dice


class _Reader:
    """Reads the position of a document; upper and lower case don't matter in names."""

    def __init__(self, land: Land) -> None:
        self._land = land
        self._powers = land.variant.powers

    def _power(self, given: Any, where: str) -> PowerId:
        name = str(given).strip().lower().replace(" ", "_")
        for power in self._powers.values():
            if name in (power.id, *power.aliases):
                return power.id
        raise DocumentError(where, f"{given!r} is none of {', '.join(self._powers)}")

    def _sector(self, given: Any, where: str) -> ProvinceId:
        sector = ProvinceId(str(given).strip().upper())
        if sector not in self._land.order:
            raise DocumentError(where, f"there is no {given!r} on the board")
        return sector

    def _centre(self, given: Any, where: str) -> ProvinceId:
        sector = self._sector(given, where)
        if not self._land.variant.board.provinces[sector].is_centre:
            raise DocumentError(where, f"{sector} is neither a city nor a pirate centre")
        return sector

    def _unit(self, row: Mapping[str, Any], where: str) -> Unit:
        for key in ("power", "kind", "at"):
            if key not in row:
                raise DocumentError(where, f"{key} is missing")
        kind = str(row["kind"]).upper()
        if kind not in STRENGTHS:
            raise DocumentError(f"{where}.kind", f"{row['kind']!r} is none of {', '.join(STRENGTHS)}")
        at = PlaceId(str(row["at"]).strip().upper())
        self._sector(province_of(at), f"{where}.at")
        if not self._land.can_stand(kind, at):
            raise DocumentError(f"{where}.at", f"no {kind} can be at {row['at']}")
        first = row.get("of")
        of = None if first is None else self._power(first, f"{where}.of")
        if of is not None and kind != HERO:
            raise DocumentError(f"{where}.of", "only heroes are captured")
        power = self._power(row["power"], f"{where}.power")
        return Unit(power, kind, at, of if of != power else None)

    def units(self, given: Any, where: str) -> tuple[Unit, ...]:
        """The units in map order; a sector holds one army, or two fleets of one player, a capital twice that."""
        found = [self._unit(row, f"{where}[{index}]") for index, row in enumerate(rows_of(given, where))]
        troops: dict[ProvinceId, list[Unit]] = {}
        for index, unit in enumerate(found):
            if unit.kind == HERO:
                continue
            there = troops.setdefault(unit.sector, [])
            there.append(unit)
            if len({(other.power, other.kind) for other in there}) > 1:
                raise DocumentError(f"{where}[{index}].at", f"{there[0].name} of {there[0].power} is there already")
            most = 8 if unit.sector in self._land.city else 4
            if sum(STRENGTHS[other.kind] for other in there) > most:
                raise DocumentError(f"{where}[{index}].at", f"{unit.sector} has no room")
        return in_map_order(self._land, found)

    def dislodged(
        self, given: Any, phase: Phase, units: Sequence[Unit], garrisons: Mapping[ProvinceId, int]
    ) -> tuple[Dislodged, ...]:
        """The dislodged units, in map order."""
        rows = rows_of(given, "state.dislodged")
        if rows and phase.kind is not PhaseKind.RETREATS:
            raise DocumentError("state.dislodged", f"there are none in {phase.kind}")
        found = []
        for index, row in enumerate(rows):
            where = f"state.dislodged[{index}]"
            unit = replace(self._unit(row, where), rests=_seasons(row.get("rests", 0), f"{where}.rests"))
            origin = row.get("from")
            came_from = None if origin is None else self._sector(origin, f"{where}.from")
            closed = {one.sector for one in units if one.power != unit.power or HERO not in (unit.kind, one.kind)}
            closed |= set() if unit.kind == HERO else set(garrisons)
            closed |= {came_from} if came_from else set()
            places = self._refuges(unit, row.get("retreats"), closed, where)
            found.append(Dislodged(unit, came_from, tuple(sorted(places))))
        return tuple(sorted(found, key=lambda row: self._land.order[row.unit.sector]))

    def _refuges(self, unit: Unit, given: Any, closed: Set[ProvinceId], where: str) -> tuple[PlaceId, ...]:
        """The places listed; without the key all that it borders but those closed."""
        if given is None:
            reach = self._land.walks[unit.sector] if unit.kind == HERO else self._land.reach(unit.kind, unit.at)
            return tuple(place for place in map(PlaceId, reach) if province_of(place) not in closed)
        places = tuple(PlaceId(str(place).upper()) for place in given)
        for place in places:
            self._sector(province_of(place), f"{where}.retreats")
        return places

    def owners(self, given: Any) -> dict[ProvinceId, PowerId]:
        """Owners in map order; without the key each nation has its starting cities."""
        if given is None:
            homes = {home: power for power, cities in self._land.homes.items() for home in cities}
            return self._by_sector(homes)
        found = {}
        for name, power in mapping_of(given, "state.owners").items():
            where = f"state.owners.{name}"
            sector = self._centre(name, where)
            if power is not None:
                found[sector] = self._power(power, where)
        return self._by_sector(found)

    def _by_sector(self, found: Mapping[ProvinceId, PowerId]) -> dict[ProvinceId, PowerId]:
        return {sector: found[sector] for sector in sorted(found, key=self._land.order.__getitem__)}

    def garrisons(self, given: Any, units: Sequence[Unit]) -> dict[ProvinceId, int]:
        """The garrisons in map order; without the key those of the start, but where units stand."""
        taken = {unit.sector for unit in units if unit.kind != HERO}
        if given is None:
            return {at: strength for at, strength in self._land.garrisons.items() if at not in taken}
        found = {}
        for name, strength in mapping_of(given, "state.garrisons").items():
            where = f"state.garrisons.{name}"
            sector = self._centre(name, where)
            if not isinstance(strength, int) or isinstance(strength, bool) or not 0 <= strength <= 9:
                raise DocumentError(where, f"{strength!r} is not a strength")
            if strength and sector in taken:
                raise DocumentError(where, "a unit stands there")
            if strength:
                found[sector] = strength
        return {sector: found[sector] for sector in self._land.order if sector in found}

    def plundered(self, given: Any) -> tuple[ProvinceId, ...]:
        """The plundered cities, in map order."""
        names = list_of(given, "state.plundered")
        found = {self._centre(name, f"state.plundered[{index}]") for index, name in enumerate(names)}
        return tuple(sorted(found, key=self._land.order.__getitem__))

    def capitals(self, given: Any, *, is_setup: bool) -> dict[PowerId, ProvinceId]:
        """The capitals of the nations that have one; without the key, and of those left out of it during set-up, each
        nation's fixed or first city.
        """
        found = {}
        if given is None or is_setup:
            found = {power: self._default_capital(cities) for power, cities in self._land.homes.items()}
        for name, city in mapping_of({} if given is None else given, "state.capitals").items():
            where = f"state.capitals.{name}"
            power = self._power(name, where)
            found[power] = self._centre(city, where)
            if found[power] not in self._land.starting_cities(power):
                raise DocumentError(where, f"{found[power]} is no starting city of {power}")
        return {power: found[power] for power in self._powers if power in found}

    def _default_capital(self, cities: Sequence[ProvinceId]) -> ProvinceId:
        return next((city for city in cities if city in self._land.fixed_capitals), cities[0])

    def resting(self, given: Any, units: Sequence[Unit]) -> tuple[Unit, ...]:
        """The units with the rest of wounded heroes: of a power's heroes the one that is `at` a place, or the first."""
        found = list(units)
        for index, row in enumerate(rows_of(given, "state.resting")):
            where = f"state.resting[{index}]"
            seasons = _seasons(row.get("seasons", 2), f"{where}.seasons")
            power = self._power(row.get("power"), f"{where}.power")
            at = None if row.get("at") is None else self._sector(row["at"], f"{where}.at")
            for number, unit in enumerate(found):
                if unit.kind == HERO and unit.power == power and not unit.rests and at in (None, unit.sector):
                    found[number] = replace(unit, rests=seasons)
                    break
            else:
                raise DocumentError(where, f"{power} has no hero there that could rest")
        return tuple(found)

    def had_hero(self, given: Any, units: Sequence[Unit]) -> tuple[PowerId, ...]:
        """Who has had a hero: who is listed, and whoever's hero is on the board."""
        listed = list_of(() if given is None else given, "state.had_hero")
        found = {self._power(name, f"state.had_hero[{index}]") for index, name in enumerate(listed)}
        found |= {unit.of or unit.power for unit in units if unit.kind == HERO}
        return tuple(power for power in self._powers if power in found)

    def driven(self, given: Any) -> tuple[Unit, ...]:
        """What was dislodged in the season, in map order."""
        rows = rows_of(given, "state.driven")
        return in_map_order(self._land, [self._unit(row, f"state.driven[{n}]") for n, row in enumerate(rows)])

    def prophecies(self, given: Any, state: State) -> dict[PowerId, tuple[Prophecy, ...]]:
        """The prophecies of each power, in seat order."""
        found: dict[PowerId, tuple[Prophecy, ...]] = {}
        # They were written with the moves, whatever the phase is by now.
        moving = replace(state, phase=replace(state.phase, kind=PhaseKind.MOVEMENT))
        for name, lines in mapping_of(given, "state.prophecies").items():
            where = f"state.prophecies.{name}"
            power = self._power(name, where)
            parsed = [parse(str(line), View(moving, power)) for line in list_of(lines, where)]
            for number, one in enumerate(parsed):
                if one.errors or any(not isinstance(read.order, Prophecy) for read in one.orders):
                    raise DocumentError(f"{where}[{number}]", f"{lines[number]!r} is no prophecy")
            found[power] = tuple(r.order for one in parsed for r in one.orders if isinstance(r.order, Prophecy))
        return {power: found[power] for power in self._powers if found.get(power)}

    def over(self, given: Any) -> Over | None:
        """The end of the game, if it has ended."""
        if given is None:
            return None
        row = mapping_of(given, "over")
        names = list_of(row.get("winners") or (), "over.winners")
        winners = [self._power(name, f"over.winners[{index}]") for index, name in enumerate(names)]
        return Over(tuple(winners), why_of(row, self._land.variant.system))
