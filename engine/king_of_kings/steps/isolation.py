"""Which provinces are isolated. Source: rules 8; rulings K-44, K-45."""

from __future__ import annotations

from engine.core.identity import cached_by_identity
from engine.core.ids import PowerId
from engine.king_of_kings.model import State
from engine.king_of_kings.working import Area, Turn
from engine.lattice.squares import Cell


@cached_by_identity
def isolated_in(state: State) -> frozenset[Cell]:
    """The owned land provinces that are cut off as a turn begins."""
    return find_isolated(Turn.open(state, {}, None))


def find_isolated(turn: Turn) -> frozenset[Cell]:
    """The owned land provinces that are cut off at present."""
    return frozenset(
        area.cell
        for area in turn.areas
        if area.owner is not None
        and not area.is_sea
        and not any(_joins(turn, area, area.owner, near) for near in turn.beside(area.cell))
    )


def _joins(turn: Turn, area: Area, owner: PowerId, near: Area) -> bool:
    """Whether an adjacent province keeps it connected: an own or ally's one, or the open sea for ships in port."""
    counts = turn.options.sea_ownership or not near.is_sea
    if counts and near.owner is not None and (near.owner == owner or turn.mutual(owner, near.owner)):
        return True
    return near.is_sea and has_ships(turn, area, owner) and not _is_watched(turn, near, owner)


def _is_watched(turn: Turn, sea: Area, nation: PowerId) -> bool:
    """Whether there are hostile ships."""
    return any(turn.is_hostile(nation, other) and has_ships(turn, sea, other) for other in sea.units)


def has_ships(turn: Turn, area: Area, nation: PowerId) -> bool:
    """Whether a nation has ships in an area, in port or at sea."""
    return any(turn.troop(symbol).is_ship for symbol in area.of(nation))
