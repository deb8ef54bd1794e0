"""Phase 9: gold, wood and food of the provinces, and supply. Source: rules 7; rulings K-42, K-43, K-45.

The food of isolated provinces feeds only the units there; all other food is shared.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

from engine.core.ids import PowerId
from engine.king_of_kings.model import Symbol, Units
from engine.king_of_kings.narrative import place, show
from engine.king_of_kings.steps.isolation import find_isolated
from engine.king_of_kings.working import Area, Realm, Turn
from engine.lattice.squares import Cell

_Lost = defaultdict[Cell, Counter[Symbol]]
"""Units lost to hunger, by place."""


def harvest(turn: Turn) -> None:
    """Phase 9: land yields and units are fed. Isolation is tested again, since battles have been fought."""
    isolated = find_isolated(turn)
    bearing: defaultdict[PowerId, list[Area]] = defaultdict(list)
    supplied: defaultdict[PowerId, list[Area]] = defaultdict(list)
    for area in turn.areas:
        if area.owner is not None and _bears(turn, area):
            bearing[area.owner].append(area)
        if area.cell not in isolated:
            for nation in area.units:
                supplied[nation].append(area)
    for realm in turn.living():
        owned = bearing[realm.id]
        gold = sum(area.terrain.gold for area in owned)
        wood = sum(area.terrain.wood for area in owned)
        food = sum(area.terrain.food for area in owned)
        turn.book(realm.id, "gold", gold, "harvest")
        turn.book(realm.id, "wood", wood, "harvest")
        turn.book(realm.id, "food", food, "harvest")
        if gold or wood or food:
            turn.tell("harvest", nation=realm.name, gold=gold, wood=wood, food=food)
        for area in owned:
            if area.cell in isolated:
                _besiege(turn, realm, area)
        _supply(turn, realm, supplied[realm.id])
        _store(turn, realm)


def _bears(turn: Turn, area: Area) -> bool:
    """Whether a province yields anything to its owner: the sea does only if it can be owned. Source: rules 12."""
    return turn.options.sea_ownership or not area.is_sea


def _besiege(turn: Turn, realm: Realm, area: Area) -> None:
    """An isolated province lives on its own food; its surplus reaches nobody. Source: ruling K-45."""
    lost: _Lost = defaultdict(Counter)
    while need(turn, area.of(realm.id)) > area.terrain.food:
        _disband(turn, realm, area, lost)
    _tell(turn, realm, lost, "siege")
    eaten = need(turn, area.of(realm.id))
    turn.book(realm.id, "food", -eaten, "eaten")
    turn.book(realm.id, "food", eaten - area.terrain.food, "cut_off")


def _supply(turn: Turn, realm: Realm, areas: Sequence[Area]) -> None:
    """Disband units one by one where need most exceeds the local food, until the rest can be fed.

    Differences are worked out again each time; ties are settled by map order. Source: ruling K-42.
    """
    needs = {area.cell: need(turn, area.of(realm.id)) for area in areas}
    hungry = [area for area in areas if needs[area.cell]]
    total = sum(needs.values())
    lost: _Lost = defaultdict(Counter)
    while total > realm.food:
        worst = max(hungry, key=lambda area: needs[area.cell] - _rating(area))
        total -= needs[worst.cell]
        _disband(turn, realm, worst, lost)
        needs[worst.cell] = need(turn, worst.of(realm.id))
        total += needs[worst.cell]
        hungry = [area for area in hungry if needs[area.cell]]
    _tell(turn, realm, lost, "hunger")
    turn.book(realm.id, "food", -total, "eaten")


def _rating(area: Area) -> int:
    return 0 if area.is_sea else area.terrain.food


def need(turn: Turn, units: Units) -> int:
    """The food that units eat in a turn."""
    return sum(turn.troop(symbol).food * amount for symbol, amount in units.items())


def _disband(turn: Turn, realm: Realm, area: Area, lost: _Lost) -> None:
    """One of the units that eat is disbanded, the first in casualty order. Source: ruling K-42."""
    symbol = min((symbol for symbol in area.of(realm.id) if turn.troop(symbol).food), key=_casualty_order(turn))
    area.take(realm.id, symbol, 1)
    area.is_starved = area.is_starved or area.owner == realm.id
    lost[area.cell][symbol] += 1


def _tell(turn: Turn, realm: Realm, lost: _Lost, why: str) -> None:
    """Report units lost to hunger, place by place, in order."""
    for cell, units in lost.items():
        for symbol, amount in units.items():
            turn.note_units(realm.id, symbol, -amount, why)
        x, y = turn.grid.xy(cell)
        args = {"place": place(turn, cell), "units": show(turn, units), "amount": units.total()}
        turn.tell(f"starved_by_{why}", nation=realm.name, x=x, y=y, **args)


def _casualty_order(turn: Turn) -> Callable[[Symbol], tuple[int, int]]:
    """The order of disbanding; types that never fight come last, by the troop list. Source: ruling K-71."""
    symbols = list(turn.rules.troops)

    def turn_of(symbol: Symbol) -> tuple[int, int]:
        return turn.troop(symbol).casualty_land or len(symbols) + 1, symbols.index(symbol)

    return turn_of


def _store(turn: Turn, realm: Realm) -> None:
    """What is left goes to the store, up to its limit. Source: rules 7; ruling K-43."""
    limit = turn.options.storage_food
    spoiled = 0 if limit is None else max(0, realm.food - limit)
    turn.book(realm.id, "food", -spoiled, "spoiled")
