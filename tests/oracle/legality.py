"""Which orders a unit could be given, not knowing any other order. Source: DATC 3.0, 4.E.1."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations

from tests.oracle.board import province
from tests.oracle.movement import BOARD, Order, Unit, chains


def legal_orders(units: Iterable[Unit], at: str) -> set[Order]:
    """Every legal order of the unit in a province; supports name provinces only, and nothing says `via convoy`."""
    board = {unit.province: unit for unit in units}
    unit = board[at]
    seas = frozenset(other for other in board if BOARD.terrain[other] == "sea")
    reach = BOARD.provinces_in_reach(unit.kind, unit.at)
    orders = {Order()}
    orders |= {Order("move", to=place) for place in BOARD.reach(unit.kind, unit.at)}
    orders |= {Order("move", to=shore) for shore in _shores(board, seas, at)}
    orders |= {Order("support", of=other) for other in board if other in reach}
    for other, helped in board.items():
        if other == at:
            continue
        # Whoever supports can't carry.
        goals = {province(place) for place in BOARD.reach(helped.kind, helped.at)}
        goals |= _shores(board, seas - {at}, other)
        orders |= {Order("support", of=other, to=goal) for goal in goals & reach}
        if at in seas:
            shores = _shores(board, seas, other)
            orders |= {Order("convoy", of=other, to=to) for to in shores if _is_needed(at, seas, other, to)}
    return orders


def _shores(board: Mapping[str, Unit], seas: frozenset[str], at: str) -> set[str]:
    """Where the army of a province could be carried by fleets at sea; nowhere for a fleet, or inland."""
    if board[at].kind != "A":
        return set()
    coasts = [land for land, terrain in BOARD.terrain.items() if terrain == "coast" and land != at]
    return {land for land in coasts if next(chains(seas, at, land), None)}


def _is_needed(fleet: str, seas: frozenset[str], start: str, end: str) -> bool:
    """Whether a route exists of which the fleet is a part and every fleet is needed."""
    return any(fleet in chain and _is_minimal(chain, start, end) for chain in chains(seas, start, end))


def _is_minimal(chain: tuple[str, ...], start: str, end: str) -> bool:
    """Whether a chain of fleets breaks wherever one is taken out."""
    shorter = combinations(chain, len(chain) - 1)
    return not any(next(chains(fleets, start, end), None) for fleets in shorter)
