"""The position of a game.json with armies and fleets: reading a document typed by hand, and writing one.

Whatever a document leaves out has its default; what can't be right raises `DocumentError` with the path of the part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from sys import intern
from typing import Any

from engine.core.documents import (
    checked_document,
    game_document,
    mapping_of,
    named_variant,
    options_of,
    rows_of,
    why_of,
)
from engine.core.errors import DocumentError
from engine.core.facts import SystemInfo
from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.core.play import Over
from engine.provinces.board import Board, Terrain
from engine.provinces.classic.model import Dislodged, State, Unit
from engine.provinces.classic.numbering import numbered
from engine.provinces.classic.rulebook import rulebook_of
from engine.provinces.dislodged import dislodged_row
from engine.provinces.phases import Phase, PhaseKind, Season, phase_of, phase_row
from engine.provinces.variants import BoardVariant, with_board

_STANDARD = "standard"
_SEASONS = {
    PhaseKind.MOVEMENT: (Season.SPRING, Season.FALL),
    PhaseKind.RETREATS: (Season.SPRING, Season.FALL),
    PhaseKind.ADJUSTMENTS: (Season.WINTER,),
}


def check_last_year(year: int, begun: Phase) -> None:
    """A last year that a game can begin with; 0: none.

    Raises:
        DocumentError: the game would be over after its first year.
    """
    if 0 < year < begun.year:
        raise DocumentError("options.last_year", f"{year} is before the first year, {begun.year}; 0 means no last year")


def load(document: Mapping[str, Any], info: SystemInfo) -> State:
    """The game of a document of a system that follows these rules. Unknown keys are ignored.

    Raises:
        DocumentError: where and what is wrong with it.
    """
    document = checked_document(info, document)
    variant = with_board(named_variant(info, document.get("variant", _STANDARD)))
    options = options_of(info, variant, mapping_of(document.get("options", {}), "options"))
    reader = _Reader(variant)
    phase = phase_of(variant.settings["first_phase"], document.get("phase"), _SEASONS)
    position = mapping_of(document.get("state", {}), "state")
    units = reader.units(position.get("units", ()) if position else variant.settings["units"])
    return State(
        variant=variant,
        rulebook=rulebook_of(options),
        options=options,
        seed=str(document.get("seed", "")),
        phase=phase,
        units=units,
        dislodged=reader.dislodged(position.get("dislodged", ()), units, phase),
        centres=reader.centres(position.get("centres")),
        over=reader.over(document.get("over")),
        forced_dice=_dice(document.get("dice", {})),
    )


def dump(state: State, info: SystemInfo) -> dict[str, Any]:
    """The document of a game; `load` reads it back to an equal state."""
    position: dict[str, Any] = {
        "units": [_unit_row(unit) for unit in state.units],
        "dislodged": [dislodged_row(row) for row in state.dislodged],
        "centres": dict(state.centres),
    }
    return game_document(
        info,
        state.variant,
        options=state.options,
        seed=state.seed,
        phase=phase_row(state.phase),
        state=position,
        dice=state.forced_dice,
        over=state.over,
    )


def _unit_row(unit: Unit) -> dict[str, Any]:
    return {"power": unit.power, "kind": unit.kind, "at": unit.at}


# What comes with the position


def _dice(given: Any) -> dict[str, int]:
    dice = mapping_of(given, "dice")
    for label, number in dice.items():
        if not isinstance(number, int) or isinstance(number, bool):
            raise DocumentError(f"dice.{label}", f"{number!r} is not a whole number")
    return dict(dice)


class _Reader:
    """Reads the position of a document; upper and lower case don't matter in names."""

    def __init__(self, variant: BoardVariant) -> None:
        self._system = variant.system
        self._powers = variant.powers
        self._board: Board = variant.board
        self._numbers = numbered(variant.board)

    def units(self, given: Any) -> tuple[Unit, ...]:
        """The units, in map order. Source: Diplomacy, rules 1.2."""
        units: dict[ProvinceId, Unit] = {}
        for index, row in enumerate(rows_of(given, "state.units")):
            where = f"state.units[{index}]"
            unit = self._unit(row, where)
            other = units.setdefault(province_of(unit.at), unit)
            if other is not unit:
                raise DocumentError(f"{where}.at", f"{other.kind} {other.at} of {other.power} is there already")
        return tuple(sorted(units.values(), key=self._map_order))

    def _map_order(self, unit: Unit) -> int:
        return self._numbers.space_of[unit.at]

    def _unit(self, row: Mapping[str, Any], where: str) -> Unit:
        """A unit, where one of its kind can stand. Source: Diplomacy, rules 1.2."""
        for key in ("power", "kind", "at"):
            if key not in row:
                raise DocumentError(where, f"{key} is missing")
        kind = intern(str(row["kind"]).upper())
        if kind not in self._numbers.reach:
            raise DocumentError(f"{where}.kind", f"{row['kind']!r} is none of {', '.join(self._numbers.reach)}")
        at = self._place(row["at"], f"{where}.at")
        province = self._board.provinces[province_of(at)]
        if province.terrain is Terrain.IMPASSABLE:
            raise DocumentError(f"{where}.at", f"no unit can be in {province.id}")
        if kind == "A":
            if province.terrain is Terrain.SEA:
                raise DocumentError(f"{where}.at", f"an army can't be at sea, in {province.id}")
            if "/" in at:
                raise DocumentError(f"{where}.at", f"an army is at {province.id}, on no coast")
        elif province.terrain is Terrain.LAND:
            raise DocumentError(f"{where}.at", f"a fleet can't be inland, in {province.id}")
        elif province.coasts and at not in province.coasts:
            raise DocumentError(f"{where}.at", f"a fleet is on one of the coasts {', '.join(province.coasts)}")
        return Unit(self._power(row["power"], f"{where}.power"), kind, at)

    def _place(self, given: Any, where: str) -> PlaceId:
        place = PlaceId(intern(str(given).strip().upper()))
        if place not in self._numbers.space_of:
            raise DocumentError(where, f"there is no {given!r} on the board")
        return place

    def _province(self, given: Any, where: str) -> ProvinceId:
        return province_of(self._place(given, where))

    def _power(self, given: Any, where: str) -> PowerId:
        power = PowerId(intern(str(given).strip().lower().replace(" ", "_")))
        if power not in self._powers:
            raise DocumentError(where, f"{given!r} is none of {', '.join(self._powers)}")
        return power

    def dislodged(self, given: Any, units: Sequence[Unit], phase: Phase) -> tuple[Dislodged, ...]:
        """The dislodged units, in map order. Retreats that are left out are worked out as far as possible."""
        rows = rows_of(given, "state.dislodged")
        if rows and phase.kind is not PhaseKind.RETREATS:
            raise DocumentError("state.dislodged", f"there are none in {phase.kind}")
        taken = {province_of(unit.at): unit for unit in units}
        found: dict[ProvinceId, Dislodged] = {}
        for index, row in enumerate(rows):
            where = f"state.dislodged[{index}]"
            one = self._dislodged(row, where, taken)
            if found.setdefault(province_of(one.unit.at), one) is not one:
                raise DocumentError(f"{where}.at", "another unit was dislodged there already")
            victor = taken.get(province_of(one.unit.at))
            if victor and victor.power == one.unit.power:
                raise DocumentError(f"{where}.at", f"{victor.kind} {victor.at} of the same power is there")
        return tuple(sorted(found.values(), key=lambda one: self._map_order(one.unit)))

    def _dislodged(self, row: Mapping[str, Any], where: str, taken: Mapping[ProvinceId, Unit]) -> Dislodged:
        unit = self._unit(row, where)
        origin = row.get("from")
        came_from = None if origin is None else self._province(origin, f"{where}.from")
        reach = self._numbers.reach[unit.kind][unit.at]
        if row.get("retreats") is None:
            open_to = {place for place in reach if province_of(place) not in taken and province_of(place) != came_from}
            return Dislodged(unit, came_from, tuple(sorted(open_to)))
        given = row["retreats"]
        if not isinstance(given, Sequence) or isinstance(given, str):
            raise DocumentError(f"{where}.retreats", "is not a list")
        retreats = set()
        for number, place in enumerate(given):
            here = f"{where}.retreats[{number}]"
            retreats.add(self._place(place, here))
            if self._place(place, here) not in reach:
                raise DocumentError(here, f"{unit.kind} {unit.at} can't go to {place}")
        return Dislodged(unit, came_from, tuple(sorted(retreats)))

    def centres(self, given: Any) -> dict[ProvinceId, PowerId | None]:
        """The owner of every centre, in map order; as at the start if the document has none at all."""
        if given is None:
            return {centre: self._board.provinces[centre].home for centre in self._board.centres}
        owners: dict[ProvinceId, PowerId | None] = dict.fromkeys(self._board.centres)
        for name, owner in mapping_of(given, "state.centres").items():
            where = f"state.centres.{name}"
            centre = self._province(name, where)
            if centre not in owners:
                raise DocumentError(where, f"{centre} is not a supply centre")
            owners[centre] = None if owner is None else self._power(owner, where)
        return owners

    def over(self, given: Any) -> Over | None:
        """The end of the game, if it has ended."""
        if given is None:
            return None
        row = mapping_of(given, "over")
        names = row.get("winners", ())
        if not isinstance(names, Sequence) or isinstance(names, str):
            raise DocumentError("over.winners", "is not a list")
        winners = {self._power(name, f"over.winners[{index}]") for index, name in enumerate(names)}
        return Over.of(self._powers, winners, why_of(row, self._system))
