"""Where an army or a fleet could go in the present position, for the guided flow. Nothing is carried out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.core.ids import PowerId
from engine.king_of_kings.model import MOST_STATUS, Units
from engine.king_of_kings.steps.land import PASSAGE
from engine.king_of_kings.working import Area, Turn
from engine.lattice.squares import Cell, Direction

_NEAR = 2
"""Within how many steps every sea area is offered; farther away only coasts and waters with ships."""


@dataclass(frozen=True, slots=True)
class Route:
    """The shortest way to a place; `is_attack`: another nation's units are there."""

    way: tuple[Direction, ...]
    end: Cell
    is_attack: bool = False


def routes_by_land(turn: Turn, nation: PowerId, start: Area, units: Units) -> Iterator[Route]:
    """Ways of these units over land, nearest ends first; from the sea one step ashore. Source: rules 5.1"""
    walkers = [turn.troop(symbol) for symbol in units]
    pick = max if any(troop.is_general for troop in walkers) else min
    points = 1 if start.is_sea else pick((troop.land_move for troop in walkers), default=0)
    most = {start.cell: points}
    seen = {start.cell}
    ways = [(start.cell, points, tuple[Direction, ...]())]
    for cell, left, way in ways:
        for direction in Direction:
            target = turn.grid.step(cell, direction)
            if left <= 0 or target is None or not _is_open(turn, nation, turn.areas[target]):
                continue
            area, route = turn.areas[target], (*way, direction)
            is_attack = area.owner != nation and bool(area.units) and not _is_ally(turn, nation, area)
            if target not in seen and _may_stay(turn, nation, area):
                seen.add(target)
                yield Route(route, target, is_attack)
            rest = 0 if is_attack else left - area.terrain.move
            if rest > most.get(target, 0):
                most[target] = rest
                ways.append((target, rest, route))


def _is_ally(turn: Turn, nation: PowerId, area: Area) -> bool:
    return area.owner is not None and turn.own_status(nation, area.owner) >= PASSAGE


def _is_open(turn: Turn, nation: PowerId, area: Area) -> bool:
    """Whether land can be entered: own land, an enemy's, nobody's, or that of an ally who lets units pass."""
    if area.is_sea or area.owner is None or area.owner == nation:
        return not area.is_sea
    return not _is_ally(turn, nation, area) or turn.mutual(nation, area.owner) >= PASSAGE


def _may_stay(turn: Turn, nation: PowerId, area: Area) -> bool:
    """Whether a march may end there: not on an ally's land, except the closest allies'. Source: ruling K-26"""
    if not _is_ally(turn, nation, area) or area.owner == nation:
        return True
    return area.owner is not None and turn.mutual(nation, area.owner) == MOST_STATUS


def routes_by_sea(turn: Turn, nation: PowerId, start: Area, units: Units) -> Iterator[Route]:
    """Ways of a fleet, nearest ends first: all waters nearby, farther away only useful ones."""
    speed = min((troop.sea_move for symbol in units if (troop := turn.troop(symbol)).sea_move), default=0)
    seen = {start.cell}
    ways = [(start.cell, tuple[Direction, ...]())]
    for cell, way in ways:
        for direction in Direction:
            target = turn.grid.step(cell, direction)
            if len(way) >= speed or target is None or target in seen or not turn.areas[target].is_sea:
                continue
            seen.add(target)
            route = (*way, direction)
            ways.append((target, route))
            others = any(other != nation for other in turn.areas[target].units)
            if len(route) <= _NEAR or _is_by_land(turn, target) or turn.areas[target].units:
                yield Route(route, target, others)


def _is_by_land(turn: Turn, cell: Cell) -> bool:
    return any(not area.is_sea for area in turn.beside(cell))
