"""Phase 2: orders for nations without a sheet and for Monsters. Source: rules 10; rulings K-47 to K-50, K-58.

All tests see the position before anybody has done anything; only spending is kept up to date.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.core.dice import Streams
from engine.core.ids import PowerId
from engine.core.phrases import phrase
from engine.king_of_kings.model import Defend, March, Order, Place, Placing, Stance, Symbol, Tactic
from engine.king_of_kings.orders import line_of
from engine.king_of_kings.steps.spending import why_not_place
from engine.king_of_kings.working import Area, Realm, Turn
from engine.lattice.squares import Cell, Direction

_TACTICS = tuple(Tactic)
_TRIES = 3
_SUPERIORITY = 2


def write_orders(turn: Turn) -> None:
    """Phase 2: the server writes sheets for Monsters, and for nations that sent none unless an option spares them."""
    dice = turn.dice
    if dice is None:
        return
    for realm in turn.living():
        if realm.is_monsters or (realm.id not in turn.sent and not _is_spared(turn, realm)):
            given = _orders(turn, realm, dice)
            turn.sheets[realm.id] = tuple(line_of(turn.rules, order, number) for number, order in enumerate(given, 1))


def _is_spared(turn: Turn, realm: Realm) -> bool:
    """Whether the option lets a player miss a first turn. Source: ruling K-50."""
    return turn.options.nmr == "hold" and realm.missed == 0


def _orders(turn: Turn, realm: Realm, dice: Streams) -> Iterator[Order]:
    """The server's orders for a nation, province by province around its capital."""
    capital = find_capital(turn, realm.id)
    if capital is None:
        return
    stream = f"nmr/{realm.id}"
    purse = replace(realm)
    for cell in turn.grid.spiral(capital):
        area = turn.areas[cell]
        if area.owner != realm.id or area.is_sea:
            continue
        way = _find_target(turn, realm.id, cell)
        if way is None:
            continue
        x, y = turn.grid.xy(cell)
        yield Defend((Stance(x, y, _draw_tactic(dice, stream)),))
        if not area.is_isolated:
            symbol = _draw_troop(turn, purse, area, dice, stream)
            if symbol is not None:
                _pay(turn, purse, symbol)
                yield Place((Placing(x, y, symbol),))
        if _should_attack(turn, realm.id, area, way):
            yield March(x, y, _draw_tactic(dice, stream), takes_all=True, troops=(), path=(way,))


def find_capital(turn: Turn, nation: PowerId) -> Cell | None:
    """A nation's land province that yields most gold, the first in map order if several do. Source: ruling K-47."""
    own = [area for area in turn.areas if area.owner == nation and not area.is_sea]
    return max(own, key=lambda area: area.terrain.gold).cell if own else None


def _find_target(turn: Turn, nation: PowerId, cell: Cell) -> Direction | None:
    """The first enemy province: land of another nation to which this nation's status is 0. Source: ruling K-49."""
    for way, near in turn.grid.steps[cell].items():
        if near is None:
            continue
        area = turn.areas[near]
        if area.owner not in (None, nation) and not area.is_sea and not turn.own_status(nation, area.owner):
            return way
    return None


def _draw_tactic(dice: Streams, stream: str) -> Tactic:
    return _TACTICS[dice.roll(stream, sides=len(_TACTICS), purpose=phrase("roll.tactic")) - 1]


def _draw_troop(turn: Turn, purse: Realm, area: Area, dice: Streams, stream: str) -> Symbol | None:
    """The first type drawn that could be placed here; `None` if none of three could."""
    troops = tuple(turn.rules.troops.values())
    for _ in range(_TRIES):
        troop = troops[dice.roll(stream, sides=len(troops), purpose=phrase("roll.troop")) - 1]
        if why_not_place(turn, purse, area, troop) is None:
            return troop.symbol
    return None


def _pay(turn: Turn, purse: Realm, symbol: Symbol) -> None:
    troop = turn.troop(symbol)
    purse.gold -= troop.gold
    purse.wood -= troop.wood
    purse.credits -= troop.is_general


def _should_attack(turn: Turn, nation: PowerId, area: Area, way: Direction) -> bool:
    """Whether the units here hit twice as well as those there, and are able and allowed to march.

    Source: ruling K-58.
    """
    goal = turn.grid.step(area.cell, way)
    here = area.of(nation)
    if goal is None or (area.is_isolated and not turn.has_general(here)):
        return False
    can_march = any(turn.troop(symbol).land_move for symbol in here)
    there = turn.areas[goal]
    return can_march and _hits(turn, area, nation) >= _SUPERIORITY * _hits(turn, there, there.owner)


def _hits(turn: Turn, area: Area, nation: PowerId | None) -> int:
    """The sum of the first-round To-Hit values of a nation's combat units in an area."""
    troops = ((turn.troop(symbol), amount) for symbol, amount in area.of(nation).items())
    return sum(troop.hit_first * amount for troop, amount in troops if troop.is_combat)
