"""What follows from a ruling: a word for every order, the board after it, retreats, centres, removals, the next phase.

Written from the rules, without looking at how the engine does it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from tests.oracle.board import province
from tests.oracle.movement import BOARD, Equations, Position, Ruling, Unit, chains


@dataclass(frozen=True)
class Retreating:
    """A dislodged unit, where its attacker came from (`None` bars nothing), where it may go, sorted."""

    unit: Unit
    came_from: str | None
    open_to: tuple[str, ...]


@dataclass(frozen=True)
class Aftermath:
    """The end of a movement phase: a word for each order by province, the units left, the dislodged."""

    outcomes: Mapping[str, str]
    units: frozenset[Unit]
    dislodged: tuple[Retreating, ...]


def aftermath(position: Position, ruling: Ruling) -> Aftermath:
    """What a ruling means for every order and unit."""
    equations = Equations(position, ruling.moved, ruling.held)
    dislodged = [at for at in position.units if equations.dislodged(at).value]
    after = frozenset(
        Unit(unit.power, unit.kind, position.orders[at].to) if ruling.moved.get(at) else unit
        for at, unit in position.units.items()
        if at not in dislodged
    )
    retreating = tuple(_retreating(position, equations, at, after) for at in dislodged)
    outcomes = {at: "dislodged" if at in dislodged else _outcome(position, equations, at) for at in position.units}
    return Aftermath(outcomes, after, retreating)


def _outcome(position: Position, equations: Equations, at: str) -> str:
    """The word for the order of a unit that is not dislodged."""
    verb = position.orders[at].verb
    if verb == "move":
        if equations.moved[at]:
            return "succeeds"
        if equations.path(at).value:
            return "bounces"
        ordered = chains(position.convoyers(at), at, position.orders[at].target)
        return "disrupted" if any(True for _ in ordered) else "no_convoy"
    if verb != "hold" and not position.fits(at):
        return "void"
    if verb == "support" and not equations.support(at).value:
        return "cut"
    if verb == "convoy" and at in equations.held:
        return "disrupted"
    return "succeeds"


def _retreating(position: Position, equations: Equations, at: str, after: Iterable[Unit]) -> Retreating:
    """A dislodged unit's ways out: to no unit, not to the attacker's origin, not where a standoff was."""
    unit = position.units[at]
    attacker = next(mover for mover in position.movers_into(at) if equations.moved[mover])
    crossed = equations.by_sea(attacker).value and position.choices.retreat_to_convoyed_origin
    came_from = None if crossed else attacker
    closed = {other.province for other in after} | contested(position, equations) | {came_from}
    ways = tuple(sorted(place for place in BOARD.reach(unit.kind, unit.at) if province(place) not in closed))
    return Retreating(unit, came_from, ways)


def contested(position: Position, equations: Equations) -> set[str]:
    """The provinces of standoffs: a move that failed there had the strength to prevent others."""
    return {
        position.orders[at].target
        for at in position.moves
        if not equations.moved[at] and equations.prevent(at).most > 0
    }


def retreat_results(wishes: Mapping[Retreating, str | None]) -> dict[Retreating, str]:
    """Whether each dislodged unit `retreats` or `disbands`, for where it wants to go (`None`: nowhere)."""
    wanted = Counter(province(place) for unit, place in wishes.items() if place in unit.open_to and place)
    return {
        unit: "retreats" if place and place in unit.open_to and wanted[province(place)] == 1 else "disbands"
        for unit, place in wishes.items()
    }


def owners_after_fall(owners: Mapping[str, str | None], units: Iterable[Unit]) -> dict[str, str | None]:
    """Who owns each centre once the units of a Fall have taken theirs."""
    standing = {unit.province: unit.power for unit in units}
    return {centre: standing.get(centre, owners.get(centre)) for centre in BOARD.homes}


def next_phase(season: str, year: int, retreating: Iterable[Retreating], owners: Mapping[str, str | None],
               units: Iterable[Unit]) -> str:  # fmt: skip
    """What comes after a movement phase, as `fall 1901 movement`; `owners` and `units` are those after it."""
    if any(unit.open_to for unit in retreating):
        return f"{season} {year} retreats"
    if season == "spring":
        return f"fall {year} movement"
    return f"winter {year} adjustments" if adjusts(owners, units) else f"spring {year + 1} movement"


def adjusts(owners: Mapping[str, str | None], units: Iterable[Unit]) -> bool:
    """Whether any power has something to remove, or something to build and a place for it."""
    standing = list(units)
    return any(
        balance < 0 or (balance > 0 and bool(free_homes(power, owners, standing)))
        for power, balance in balances(owners, standing).items()
    )


def balances(owners: Mapping[str, str | None], units: Iterable[Unit]) -> dict[str, int]:
    """Centres less units of every power that has any: what it may build, or must remove."""
    standing = Counter(unit.power for unit in units)
    owned = Counter(owner for owner in owners.values() if owner)
    return {power: owned[power] - standing[power] for power in sorted(owned | standing)}


def free_homes(power: str, owners: Mapping[str, str | None], units: Iterable[Unit]) -> list[str]:
    """The home centres that a power still owns and where nobody stands."""
    taken = {unit.province for unit in units}
    return [at for at, home in BOARD.homes.items() if home == power == owners.get(at) and at not in taken]


def removed_in_disorder(units: Iterable[Unit], owned: Iterable[str], number: int) -> list[Unit]:
    """The units that civil disorder removes: the farthest from an owned centre, fleets first, then by name.

    Source: DATC 3.0, 4.D.8. Steps are over land and sea alike.
    """
    distance = _distances(set(owned))
    far = sorted(
        units,
        key=lambda unit: (-distance[unit.province], unit.kind == "A", BOARD.names[unit.province]),
    )
    return far[:number]


def _distances(starts: set[str]) -> dict[str, int]:
    """Steps of every province from the nearest start, over all borders; all 0 without a start."""
    distance = dict.fromkeys(starts, 0)
    ring = starts
    while ring:
        ring = {
            there for here in ring for there in BOARD.terrain if there not in distance and there in _neighbours(here)
        }
        distance |= dict.fromkeys(ring, max(distance.values()) + 1)
    return {at: distance.get(at, 0) for at in BOARD.terrain}


@cache
def _neighbours(at: str) -> frozenset[str]:
    """Every province that borders on one, by land or by water."""
    places = [place for place in BOARD.fleets if province(place) == at]
    return BOARD.armies[at] | {province(there) for place in places for there in BOARD.fleets[place]}
