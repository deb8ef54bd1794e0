"""The common orders that a nation may give now, and completions of what was typed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from engine.core.ids import PowerId
from engine.king_of_kings.memory import remembered
from engine.king_of_kings.model import (
    MOST_STATUS,
    Ally,
    Build,
    Cede,
    Defend,
    Donate,
    Line,
    March,
    Order,
    Place,
    Placing,
    Sail,
    Stance,
    State,
    Symbol,
    Tactic,
    Units,
    View,
)
from engine.king_of_kings.orders import line_of, subject
from engine.king_of_kings.steps.diplomacy import CESSION_STATUS, DONATION_STATUS
from engine.king_of_kings.steps.muster import can_stay_at_sea, is_cut_off, transports, without
from engine.king_of_kings.steps.opening import open_turn
from engine.king_of_kings.steps.spending import why_not_build, why_not_place
from engine.king_of_kings.working import Area, Turn, in_list_order
from engine.lattice.squares import Cell, Direction


def legal(view: View) -> dict[str, tuple[Line, ...]]:
    """Single placings, stances, improvements, steps of whole armies and fleets, changes of status and gifts.

    There are many more orders than these: any part of an army may go any way.
    """
    return dict(_legal(view.state, view.viewer))


@remembered
def _legal(state: State, nation: PowerId | None) -> Mapping[str, tuple[Line, ...]]:
    if nation is None or state.over is not None or not state.is_played(nation):
        return {}
    turn = Turn.open(state, {}, None)
    open_turn(turn)
    return _by_subject(turn, _orders(turn, nation))


def payable(turn: Turn, nation: PowerId) -> dict[str, tuple[Line, ...]]:
    """Placings, improvements and gifts that are possible at this point of a turn, by subject."""
    own = (area for area in turn.areas if area.owner == nation or area.of(nation))
    spendings = (order for area in own for order in _spendings(turn, nation, area))
    return _by_subject(turn, (*spendings, *_gifts(turn, nation)))


def _by_subject(turn: Turn, orders: Iterable[Order]) -> dict[str, tuple[Line, ...]]:
    found: dict[str, list[Line]] = {}
    for order in orders:
        found.setdefault(subject(order), []).append(line_of(turn.rules, order))
    return {key: tuple(lines) for key, lines in found.items()}


def suggest(view: View, typed: str, *, limit: int = 25) -> tuple[str, ...]:
    """Canonical orders that begin as typed; if nothing was typed, the first of each subject."""
    orders = legal(view)
    words = " ".join(typed.upper().split())
    if not words:
        return tuple(lines[0].canonical for lines in orders.values())[:limit]
    texts = [line.canonical for lines in orders.values() for line in lines]
    return tuple(text for text in texts if text.upper().startswith(words))[:limit]


def _orders(turn: Turn, nation: PowerId) -> Iterator[Order]:
    for area in turn.areas:
        x, y = turn.grid.xy(area.cell)
        if area.of(nation):
            yield from _marches(turn, nation, area, x, y)
            yield from _voyages(turn, nation, area, x, y)
        if area.owner == nation or area.of(nation):
            yield from _spendings(turn, nation, area)
        if area.owner == nation and not area.is_sea:
            yield from (Defend((Stance(x, y, tactic),)) for tactic in Tactic if tactic != area.tactic)
    yield from _dealings(turn, nation)


# Moves


def _marches(turn: Turn, nation: PowerId, area: Area, x: int, y: int) -> Iterator[Order]:
    """Orders to move the whole army one step; from the sea with its ships."""
    going, ships = army(turn, area, area.of(nation))
    if is_cut_off(turn, area, nation) or not may_march(turn, nation, area, going, ships):
        return
    for way in Direction:
        target = turn.grid.step(area.cell, way)
        if target is None or not _is_open(turn, nation, turn.areas[target]):
            continue
        if not _would_stay(turn, nation, going, turn.areas[target]):
            yield March(x, y, None, True, tuple(ships.items()), (way,))


def army(turn: Turn, area: Area, units: Units) -> tuple[Units, Units]:
    """The units in a place that can march, and the ships that would go ashore with them.

    If there are several kinds of transport, only one goes. Source: rules 2.1; ruling K-95
    """
    going = {symbol: amount for symbol, amount in units.items() if turn.troop(symbol).land_move}
    ships = {symbol: amount for symbol, amount in units.items() if area.is_sea and turn.troop(symbol).is_ship}
    kinds = {troop.symbol for troop in transports(turn, {**going, **ships})[1:]}
    return going, {symbol: amount for symbol, amount in ships.items() if symbol not in kinds}


def may_march(turn: Turn, nation: PowerId, area: Area, going: Units, ships: Units) -> bool:
    """Whether there are units to go, with at most one kind of transport, leaving room and crew for those that stay."""
    company = {**going, **ships}
    return bool(going) and len(transports(turn, company)) < 2 and not would_strand(turn, nation, area, company)


def _would_stay(turn: Turn, nation: PowerId, going: Units, target: Area) -> bool:
    """Whether a general marches alone to where a friend's general is: no army has two. Source: ruling K-28."""
    is_friend = target.owner == nation or turn.own_status(nation, target.owner) > 0
    is_alone = all(turn.troop(symbol).is_general for symbol in going)
    return is_friend and is_alone and turn.has_general(target.of(target.owner))


def _is_open(turn: Turn, nation: PowerId, target: Area) -> bool:
    """Whether units may end there: own land, an enemy's, nobody's, or that of an ally who lets them stay.

    Source: ruling K-26.
    """
    if target.is_sea or target.owner is None or target.owner == nation:
        return not target.is_sea
    status = turn.own_status(nation, target.owner)
    return not status or turn.mutual(nation, target.owner) == MOST_STATUS


def _voyages(turn: Turn, nation: PowerId, area: Area, x: int, y: int) -> Iterator[Order]:
    """Orders to move the fleet one step, with as many aboard as it holds."""
    company = tuple(fleet(turn, area.of(nation)).items())
    if not company or is_cut_off(turn, area, nation) or would_strand(turn, nation, area, dict(company)):
        return
    for way in Direction:
        target = turn.grid.step(area.cell, way)
        if target is not None and turn.areas[target].is_sea:
            yield Sail(x, y, False, company, (way,))


def fleet(turn: Turn, units: Units) -> Units:
    """Ships of one kind, as many as can be manned, with those aboard; empty if no ship can sail. Source: rules 5.2."""
    ship = next((symbol for symbol in units if turn.troop(symbol).is_ship), None)
    if ship is None:
        return {}
    ships = units[ship]
    aboard: dict[Symbol, int] = {}
    for symbol, amount in units.items():
        troop = turn.troop(symbol)
        if turn.troop(ship).is_transport and troop.is_crew and troop.land_move and not troop.sea_move:
            going = min(amount, ships - sum(aboard.values()))
            if going:
                aboard[symbol] = going
    if turn.options.crew:
        ships = min(ships, 2 * sum(aboard.values()))
    if not ships or sum(aboard.values()) > ships:
        return {}
    return in_list_order(turn.rules, {**aboard, ship: ships})


def would_strand(turn: Turn, nation: PowerId, area: Area, going: Units) -> bool:
    """Whether those left behind would be at sea without room or crew (E19). Source: rulings K-30, K-31"""
    return area.is_sea and not can_stay_at_sea(turn, without(area.of(nation), going))


# Spending


def _spendings(turn: Turn, nation: PowerId, area: Area) -> Iterator[Order]:
    x, y = turn.grid.xy(area.cell)
    for troop in turn.rules.troops.values():
        if why_not_place(turn, turn.realms[nation], area, troop) is None:
            yield Place((Placing(x, y, troop.symbol),))
    if why_not_build(turn, nation, area) is None:
        yield Build(x, y)


# Other nations


def _dealings(turn: Turn, nation: PowerId) -> Iterator[Order]:
    for other in turn.living():
        if other.id == nation:
            continue
        status, mutual = turn.own_status(nation, other.id), turn.mutual(nation, other.id)
        # The Monsters never raise their status: one toward them is only a hindrance.
        for wanted in (status - 1,) if other.is_monsters else (status + 1, status - 1):
            if 0 <= wanted <= MOST_STATUS:
                yield Ally(other.id, wanted)
        if mutual >= CESSION_STATUS:
            yield from (Cede(*turn.grid.xy(cell), other.id) for cell in ceded(turn, nation))
    yield from _gifts(turn, nation)


def _gifts(turn: Turn, nation: PowerId) -> Iterator[Order]:
    gold = turn.realms[nation].gold
    for other in turn.living():
        if other.id != nation and turn.mutual(nation, other.id) >= DONATION_STATUS:
            yield from (Donate(other.id, amount) for amount in sorted({gold, gold // 2, 1} - {0}) if amount <= gold)


def ceded(turn: Turn, nation: PowerId) -> Iterator[Cell]:
    """The provinces that a nation could give away, in map order."""
    return (area.cell for area in turn.areas if area.owner == nation and not area.is_isolated)
