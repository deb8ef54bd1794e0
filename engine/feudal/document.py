"""game.json of Feudal Europe: a new game, reading a document typed by hand, and writing one.

Whatever a document leaves out has its default; what can't be right raises `DocumentError` with the path of the part.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.core.documents import (
    check_players,
    checked_document,
    game_document,
    mapping_of,
    named_variant,
    options_of,
    rows_of,
    why_of,
)
from engine.core.errors import DocumentError
from engine.core.ids import PlaceId, PowerId
from engine.core.play import Over
from engine.core.variant import Power
from engine.feudal.barbarians import certain_captures
from engine.feudal.barbarians import options as barbarian_options
from engine.feudal.board import is_passable, land_of, variant_with
from engine.feudal.info import INFO
from engine.feudal.model import (
    ARMY,
    BARBARIANS,
    KINDS,
    KNIGHT,
    NOMAD_SPACES,
    NOMADS,
    SEATS,
    WIZARD,
    Dislodged,
    Setup,
    Spell,
    State,
    Unit,
)
from engine.provinces.phases import Phase, PhaseKind, Season, phase_of, phase_row
from engine.provinces.variants import BoardVariant, with_board

_STANDARD = "standard"
_NAME = re.compile(r"[^\W_][\w'’.-]*")
_DEFAULT_PLAYERS = 6
_MOVES = (Season.SPRING, Season.SUMMER, Season.FALL)
_SEASONS = {
    PhaseKind.SETUP: (Season.SPRING,),
    PhaseKind.MOVEMENT: _MOVES,
    PhaseKind.RETREATS: _MOVES,
    PhaseKind.ADJUSTMENTS: (Season.WINTER,),
}


def start(*, variant: str, players: int, options: Mapping[str, Any], seed: str) -> State:
    """A new game, before the first list of centres.

    Raises:
        DocumentError: an unknown variant, option or value, or a number of players that can't be seated.
    """
    check_players(INFO, players)
    base = with_board(named_variant(INFO, variant))
    powers = list(base.powers)[:players]
    return load({"variant": variant, "options": options, "seed": seed, "state": {"powers": powers}})


def load(document: Mapping[str, Any]) -> State:
    """The game of a document. Unknown keys are ignored.

    Raises:
        DocumentError: where and what is wrong with it.
    """
    document = checked_document(INFO, document)
    base = with_board(named_variant(INFO, document.get("variant", _STANDARD)))
    options = options_of(INFO, base, mapping_of(document.get("options", {}), "options"))
    position = mapping_of(document.get("state", {}), "state")
    variant = variant_with(base.id, _powers(base, position))
    reader = _Reader(variant)
    phase = _phase(base, document.get("phase"), has_units="units" in position)
    units = reader.units(position["units"]) if "units" in position else reader.first_barbarians()
    centres = reader.centres(position.get("centres"))
    castles = reader.castles(position.get("castles", {}))
    state = State(
        variant=variant,
        options=options,
        seed=str(document.get("seed", "")),
        phase=phase,
        units=units,
        dislodged=reader.dislodged(position.get("dislodged", ()), units, castles, phase),
        centres=centres,
        castles=castles,
        out=reader.power_list(position.get("out", ()), "state.out"),
        magic=reader.magic(position.get("magic", ()), units),
        setup=reader.setup(position.get("setup", {}), phase),
        over=reader.over(document.get("over")),
        forced_dice=_dice(document.get("dice", {})),
    )
    _check_barbarian_dice(state)
    return state


def dump(state: State) -> dict[str, Any]:
    """The document of a game; `load` reads it back to an equal state."""
    position: dict[str, Any] = {
        "powers": list(state.variant.powers),
        "units": [_unit_row(unit) for unit in state.units],
        "dislodged": [
            {**_unit_row(row.unit), "from": row.came_from, "retreats": list(row.retreats)} for row in state.dislodged
        ],
        "centres": dict(state.centres),
        "castles": dict(state.castles),
        "out": list(state.out),
        "magic": [_spell_row(spell) for spell in state.magic],
    }
    if state.phase.kind is PhaseKind.SETUP:
        position["setup"] = {"lists": state.setup.lists, "got": dict(state.setup.got)}
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


def _unit_row(unit: Unit) -> dict[str, Any]:
    row = {"power": unit.power, "kind": unit.kind, "at": unit.at}
    return row if unit.home is None else {**row, "home": unit.home}


def _spell_row(spell: Spell) -> dict[str, Any]:
    if not spell.is_immobilizing:
        return {"at": spell.at, "did": "distant_support"}
    row = {"at": spell.at, "did": "immobilize"}
    return row if spell.target is None else {**row, "target": spell.target}


def _phase(variant: BoardVariant, given: Any, *, has_units: bool) -> Phase:
    """The phase; a document that has units and names none is at the moves of the first Spring. Source: ruling F1."""
    first = dict(variant.settings["first_phase"])
    if has_units:
        first["kind"] = PhaseKind.MOVEMENT
    return phase_of(first, given, _SEASONS)


def _dice(given: Any) -> dict[str, int | str]:
    """Forced dice: numbers, and for barbarians where they go."""
    dice: dict[str, int | str] = {}
    for label, value in mapping_of(given, "dice").items():
        kind, _, place = str(label).partition("/")
        where = f"dice.{label}"
        if kind == "barbarian":
            dice[f"{kind}/{place.upper()}"] = str(value).strip().upper()
            continue
        if not isinstance(value, int) or isinstance(value, bool):
            raise DocumentError(where, f"{value!r} is not a whole number")
        if kind == "nomad" and not 1 <= value <= len(NOMAD_SPACES):
            raise DocumentError(where, f"{value} is not from 1 to {len(NOMAD_SPACES)}")
        dice[str(label)] = value
    return dice


def _check_barbarian_dice(state: State) -> None:
    """A barbarian's forced die has to be a move that it may draw; one for a space where none stands forces nothing."""
    barbarians = {f"barbarian/{unit.at}": unit for unit in state.units if unit.power == BARBARIANS}
    for label, value in state.forced_dice.items():
        if not label.startswith("barbarian/"):
            continue
        unit = barbarians.get(label)
        if unit is None:
            continue
        may = dict.fromkeys((*barbarian_options(land_of(state.variant.board), unit), *certain_captures(state, unit)))
        if value not in may:
            raise DocumentError(f"dice.{label}", f"{value!r} is none of {', '.join(may)}")


# Powers


def _powers(base: BoardVariant, position: Mapping[str, Any]) -> tuple[Power, ...]:
    """The powers that a document lists, or names anywhere; else the first of the variant."""
    where = "state.powers"
    given = position.get("powers")
    if given is None:
        given = list(_named(position)) or list(base.powers)[:_DEFAULT_PLAYERS]
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise DocumentError(where, "is not a list")
    names = [_power_id(name) for name in given]
    if len(set(names)) != len(names):
        raise DocumentError(where, "a name comes twice")
    if not 1 <= len(names) <= SEATS[-1]:
        raise DocumentError(where, f"{len(names)} can't play; up to {SEATS[-1]} can")
    found: list[Power] = []
    for index, name in enumerate(names):
        if name in (NOMADS, BARBARIANS) or not _NAME.fullmatch(name):
            raise DocumentError(f"{where}[{index}]", f"{given[index]!r} can't be the name of a power")
        found.append(base.powers.get(name) or Power(name, name.replace("_", " ").title(), _letter(name, found)))
    return tuple(found)


def _power_id(name: Any) -> PowerId:
    return PowerId(str(name).strip().lower().replace(" ", "_"))


def _named(position: Mapping[str, Any]) -> Iterable[PowerId]:
    """The players that a position names, in the order of naming."""
    rows = [
        *rows_of(position.get("units", ()), "state.units"),
        *rows_of(position.get("dislodged", ()), "state.dislodged"),
    ]
    names = [row.get("power") for row in rows]
    for key in ("centres", "castles"):
        names += list(mapping_of(position.get(key) or {}, f"state.{key}").values())
    out = position.get("out", ())
    names += list(out) if isinstance(out, Sequence) and not isinstance(out, str) else []
    found = dict.fromkeys(_power_id(name) for name in names if name is not None)
    return [name for name in found if name not in (NOMADS, BARBARIANS)]


def _letter(name: str, others: Sequence[Power]) -> str:
    """The first letter of a name that none before it has taken."""
    taken = {power.letter for power in others}
    return next((letter for letter in name.upper() if letter.isalpha() and letter not in taken), name[0].upper())


class _Reader:
    """Reads the position of a document; upper and lower case don't matter in names."""

    def __init__(self, variant: BoardVariant) -> None:
        self._variant = variant
        self._land = land_of(variant.board)

    def first_barbarians(self) -> tuple[Unit, ...]:
        """One barbarian in each of their centres."""
        return tuple(Unit(BARBARIANS, ARMY, PlaceId(home), home) for home in self._land.barbarian_homes)

    def units(self, given: Any) -> tuple[Unit, ...]:
        """The units, in map order."""
        units: dict[PlaceId, Unit] = {}
        for index, row in enumerate(rows_of(given, "state.units")):
            where = f"state.units[{index}]"
            unit = self._unit(row, where)
            other = units.setdefault(unit.at, unit)
            if other is not unit:
                raise DocumentError(f"{where}.at", f"{other.name} of {other.power} is there already")
        return tuple(sorted(units.values(), key=self._map_order))

    def _map_order(self, unit: Unit) -> int:
        return self._land.space_of[unit.at]

    def _unit(self, row: Mapping[str, Any], where: str) -> Unit:
        for key in ("power", "at"):
            if key not in row:
                raise DocumentError(where, f"{key} is missing")
        power = self._any_power(row["power"], f"{where}.power")
        kind = str(row.get("kind", ARMY)).upper()
        if kind not in KINDS:
            raise DocumentError(f"{where}.kind", f"{row['kind']!r} is none of {', '.join(KINDS)}")
        at = self._place(row["at"], f"{where}.at")
        if power in self._variant.powers:
            return Unit(power, kind, at)
        if kind != ARMY:
            raise DocumentError(f"{where}.kind", f"{power} have armies only")
        if power == NOMADS:
            return Unit(power, kind, at)
        home = PlaceId(self._place(row.get("home", at), f"{where}.home"))
        if home not in self._land.centres:
            raise DocumentError(f"{where}.home", f"{home} is not a supply centre")
        return Unit(power, kind, at, home)

    def _place(self, given: Any, where: str) -> PlaceId:
        place = PlaceId(str(given).strip().upper().partition("/")[0])
        if place not in self._land.space_of:
            raise DocumentError(where, f"there is no {given!r} on the board")
        if not is_passable(self._variant.board, place):
            raise DocumentError(where, f"no unit can be in {place}")
        return place

    def _power(self, given: Any, where: str) -> PowerId:
        power = _power_id(given)
        if power not in self._variant.powers:
            raise DocumentError(where, f"{given!r} is none of {', '.join(self._variant.powers)}")
        return power

    def _any_power(self, given: Any, where: str) -> PowerId:
        power = _power_id(given)
        return power if power in (NOMADS, BARBARIANS) else self._power(given, where)

    def power_list(self, given: Any, where: str) -> tuple[PowerId, ...]:
        """Powers in seat order."""
        if not isinstance(given, Sequence) or isinstance(given, str):
            raise DocumentError(where, "is not a list")
        named = {self._power(name, f"{where}[{index}]") for index, name in enumerate(given)}
        return tuple(power for power in self._variant.powers if power in named)

    def dislodged(
        self, given: Any, units: Sequence[Unit], castles: Mapping[PlaceId, PowerId | None], phase: Phase
    ) -> tuple[Dislodged, ...]:
        """The dislodged knights, in map order. Retreats that are left out are worked out, as far as possible."""
        rows = rows_of(given, "state.dislodged")
        if rows and phase.kind is not PhaseKind.RETREATS:
            raise DocumentError("state.dislodged", f"there are none in {phase.kind}")
        taken = {unit.at for unit in units}
        found: dict[PlaceId, Dislodged] = {}
        for index, row in enumerate(rows):
            where = f"state.dislodged[{index}]"
            unit = self._unit({"kind": KNIGHT, **row}, where)
            if not unit.is_knight:
                raise DocumentError(f"{where}.kind", "only knights and Kings retreat")
            origin = row.get("from")
            came_from = None if origin is None else PlaceId(self._place(origin, f"{where}.from"))
            near = self._land.near[unit.at]
            if row.get("retreats") is None:
                closed = {place for place, owner in castles.items() if owner != unit.power}
                retreats = {place for place in near if place not in taken | closed and place != came_from}
            else:
                retreats = {self._place(place, f"{where}.retreats") for place in row["retreats"]}
                if not retreats <= set(near):
                    raise DocumentError(f"{where}.retreats", f"{unit.name} can't go to all of them")
            if found.setdefault(unit.at, one := Dislodged(unit, came_from, tuple(sorted(retreats)))) is not one:
                raise DocumentError(f"{where}.at", "another unit was dislodged there already")
        return tuple(sorted(found.values(), key=lambda one: self._map_order(one.unit)))

    def centres(self, given: Any) -> dict[PlaceId, PowerId | None]:
        """The owner of every centre, in map order; as at the start if the document has none at all."""
        homes = self._land.barbarian_homes
        owners: dict[PlaceId, PowerId | None] = dict.fromkeys(self._land.centres)
        if given is None:
            owners |= dict.fromkeys(homes, BARBARIANS)
            return owners
        for name, owner in mapping_of(given, "state.centres").items():
            where = f"state.centres.{name}"
            owners[self._centre(name, where)] = None if owner is None else self._any_power(owner, where)
        return owners

    def _centre(self, name: Any, where: str) -> PlaceId:
        centre = PlaceId(self._place(name, where))
        if centre not in self._land.centres:
            raise DocumentError(where, f"{centre} is not a supply centre")
        return centre

    def castles(self, given: Any) -> dict[PlaceId, PowerId | None]:
        """The castles, in map order."""
        found: dict[PlaceId, PowerId | None] = {}
        for name, owner in mapping_of(given, "state.castles").items():
            where = f"state.castles.{name}"
            found[self._centre(name, where)] = None if owner is None else self._power(owner, where)
        return {centre: found[centre] for centre in self._land.centres if centre in found}

    def magic(self, given: Any, units: Sequence[Unit]) -> tuple[Spell, ...]:
        """What wizards did, by where they stand."""
        wizards = {unit.at for unit in units if unit.kind == WIZARD}
        found: dict[PlaceId, Spell] = {}
        for index, row in enumerate(rows_of(given, "state.magic")):
            where = f"state.magic[{index}]"
            at = self._place(row.get("at"), f"{where}.at")
            if at not in wizards:
                raise DocumentError(f"{where}.at", f"no wizard is in {at}")
            did = str(row.get("did")).lower()
            if did not in ("distant_support", "immobilize"):
                raise DocumentError(f"{where}.did", f"{row.get('did')!r} is neither distant_support nor immobilize")
            target = row.get("target")
            place = None if target is None else self._place(target, f"{where}.target")
            found[at] = Spell(at, did == "immobilize", place if did == "immobilize" else None)
        return tuple(found[at] for at in sorted(found))

    def setup(self, given: Any, phase: Phase) -> Setup:
        """How far the choice of centres has got in its round."""
        row = mapping_of(given, "state.setup")
        if phase.kind is not PhaseKind.SETUP:
            return Setup()
        lists = row.get("lists", 0)
        if not isinstance(lists, int) or isinstance(lists, bool) or not 0 <= lists <= 2:
            raise DocumentError("state.setup.lists", f"{lists!r} is not 0, 1 or 2")
        got = mapping_of(row.get("got", {}), "state.setup.got")
        found = {
            self._power(name, f"state.setup.got.{name}"): self._centre(centre, f"state.setup.got.{name}")
            for name, centre in got.items()
        }
        return Setup(lists, {power: found[power] for power in self._variant.powers if power in found})

    def over(self, given: Any) -> Over | None:
        """The end of the game, if it has ended."""
        if given is None:
            return None
        row = mapping_of(given, "over")
        return Over(self.power_list(row.get("winners", ()), "over.winners"), why_of(row, self._variant.system))
