"""A sheet that the computer writes for a nation: land to gain, troops that it can feed, promising battles."""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from math import sqrt
from typing import ClassVar, TypeVar

from engine.core.ids import PowerId
from engine.core.judgement import Chance
from engine.king_of_kings.listing import army, may_march
from engine.king_of_kings.model import (
    BUILD_COST,
    Ally,
    Build,
    Defend,
    March,
    Order,
    Place,
    Placing,
    Stance,
    Symbol,
    Tactic,
    Terrain,
    Troop,
)
from engine.king_of_kings.orders import MOST_PARTS
from engine.king_of_kings.reach import Route, routes_by_land
from engine.king_of_kings.steps.spending import why_not_build, why_not_place
from engine.king_of_kings.working import Area, Turn
from engine.lattice.squares import Cell, Direction

_FADE = 0.7
"""The factor for land one step farther away."""
_FOOD, _WOOD, _GROUND = 0.6, 0.15, 0.8
"""What these are worth in gold; ground is what any province is worth."""
USUAL_ODDS = 1.4
"""How much stronger than the defence an attack has to look."""
_THREAT = 0.8
"""The share of a province's worth that staying there has when an enemy is next to it."""
_PEACE, _PEACE_EVERY = 1, 4
"""The status that is offered, and the interval in turns. In those turns it does not fight back."""

P = TypeVar("P")


def worth_of_land(terrain: Terrain) -> float:
    """What a province yields each turn, in gold."""
    return terrain.gold + _FOOD * terrain.food + _WOOD * terrain.wood + _GROUND


class Spending(Enum):
    """What gold is spent on."""

    TROOPS = auto()
    """The best troops for each place, and buildings."""
    NUMBERS = auto()
    """As many units as possible, and buildings."""
    NOTHING = auto()
    """Gold is kept."""


@dataclass(frozen=True, slots=True)
class Approach:
    """What a sheet is after. The usual plan is good while a lot of land is free; near the end of a game, when fame,
    gold and numbers are ranked, others may be better, which only trials can show.

    Args:
        odds: how much stronger an attack has to look than the defence.
        caution: a factor for the worth of staying next to an enemy.
    """

    spending: Spending = Spending.TROOPS
    odds: float = USUAL_ODDS
    caution: float = 1.0

    def in_character(self, caution: float) -> Approach:
        """The same for a nation to which dangers count so many times as much as usual."""
        return replace(self, odds=self.odds * sqrt(caution), caution=self.caution * caution)


def any_approach(chance: Chance) -> Approach:
    """A plan chosen at random."""

    def one_of(items: Sequence[P]) -> P:
        return items[int(chance.random() * len(items))]

    return Approach(one_of(tuple(Spending)), one_of((1.0, USUAL_ODDS, 2.0)), one_of((0.3, 1.0, 2.0)))


@dataclass
class ComputerSheet:
    """A sheet that is being written.

    Args:
        claimed: what an order of this sheet takes already.
    """

    crowding: ClassVar[float] = 0.5
    """How good it is to end a march where others of the sheet will be, against a place that nobody goes to."""

    turn: Turn
    nation: PowerId
    chance: Chance
    wildness: float
    approach: Approach
    claimed: set[Cell] = field(default_factory=set)
    free: dict[Cell, Counter[Symbol]] = field(default_factory=dict)
    """Units without an order yet, by place, including those that this sheet places."""

    def __post_init__(self) -> None:
        self.peace = set(self._offered())
        self.prizes = {area.cell: self._prize(area) for area in self.turn.areas if self._is_wanted(area)}
        self.pull = self._find_pull()
        for area in self.turn.areas:
            units = area.of(self.nation)
            if units and not area.is_sea:
                self.free[area.cell] = Counter(units)

    def orders(self) -> Iterator[Order]:
        """All orders, in the order in which they are best read."""
        yield from (Ally(other, _PEACE) for other in sorted(self.peace))
        yield from self._spending()
        yield from self._stances()
        yield from self._attacks()
        yield from self._marches()

    # Others

    def _offered(self) -> Iterator[PowerId]:
        """The nations to which peace is offered: neighbours that own more, by rank, except those already at peace."""
        turn, nation = self.turn, self.nation
        if turn.state.turn % _PEACE_EVERY != 1:
            return
        owned = Counter(area.owner for area in turn.areas if not area.is_sea)
        beside = {
            other.owner
            for area in turn.areas
            if area.owner == nation
            for other in turn.beside(area.cell)
            if other.owner not in (None, nation)
        }
        for other in turn.living():
            is_larger = not other.is_monsters and owned[other.id] > owned[nation]
            if other.id in beside and is_larger and turn.own_status(nation, other.id) < _PEACE:
                yield other.id

    def _is_enemy(self, owner: PowerId | None) -> bool:
        return owner not in (None, self.nation) and owner not in self.peace and self._is_hostile(owner)

    def _is_hostile(self, owner: PowerId | None) -> bool:
        return owner is not None and owner != self.nation and not self.turn.own_status(self.nation, owner)

    # What is worth having

    def _is_wanted(self, area: Area) -> bool:
        return not area.is_sea and (area.owner is None or self._is_enemy(area.owner))

    def _prize(self, area: Area) -> float:
        return worth_of_land(area.terrain) * (1 if area.owner is None else 1.3) * self.whim()

    def whim(self) -> float:
        """A random factor, farther from 1 for wilder sheets."""
        return max(0.05, 1 + self.wildness * (self.chance.random() - 0.5))

    def _find_pull(self) -> Mapping[Cell, float]:
        """For every cell of land, how good it is to be there, near what is worth taking."""
        pull: dict[Cell, float] = {}
        queue = [(-prize, cell) for cell, prize in self.prizes.items()]
        heapq.heapify(queue)
        while queue:
            value, cell = heapq.heappop(queue)
            if cell in pull:
                continue
            pull[cell] = -value
            for near in self.turn.grid.neighbours[cell]:
                if near not in pull and not self.turn.areas[near].is_sea:
                    heapq.heappush(queue, (value * _FADE, near))
        return pull

    def _threat(self, cell: Cell) -> int:
        """How many enemy units are next to a place."""
        return sum(
            sum(amount for symbol, amount in area.of(area.owner).items() if self.turn.troop(symbol).land_move)
            for area in self.turn.beside(cell)
            if not area.is_sea and self._is_hostile(area.owner)
        )

    # Spending

    def _spending(self) -> Iterator[Order]:
        if self.approach.spending is Spending.NOTHING:
            return
        turn, realm = self.turn, self.turn.realms[self.nation]
        own = [area for area in turn.areas if area.owner == self.nation and not area.is_sea]
        food = sum(area.terrain.food for area in own) + realm.food
        mouths = sum(self.turn.troop(s).food * n for area in turn.areas for s, n in area.of(self.nation).items())
        room = food + sum(1 for cell in self.prizes if self.pull[cell] > 0)
        sites = sorted(own, key=lambda area: -(self.pull.get(area.cell, 0) + self._threat(area.cell)) * self.whim())
        placed: list[Placing] = []
        for area in sites:
            troop = self._wanted_troop(area, room - mouths)
            if troop is None:
                continue
            x, y = turn.grid.xy(area.cell)
            placed.append(Placing(x, y, troop.symbol))
            realm.gold -= troop.gold
            realm.wood -= troop.wood
            realm.credits -= troop.is_general
            mouths += troop.food
            if turn.options.place_and_move:
                self.free.setdefault(area.cell, Counter())[troop.symbol] += 1
        yield from (Place(parts) for parts in _in_threes(placed))
        for area in sorted(own, key=self._gain, reverse=True):
            if realm.gold < BUILD_COST or self._gain(area) <= 0 or self._threat(area.cell):
                break
            if why_not_build(turn, self.nation, area) is None:
                realm.gold -= BUILD_COST
                yield Build(*turn.grid.xy(area.cell))

    def _wanted_troop(self, area: Area, room: int) -> Troop | None:
        """What to place in a province: a general if one waits; else what can be fed and paid, the best near enemies."""
        realm = self.turn.realms[self.nation]
        can = [
            troop
            for troop in self.turn.rules.troops.values()
            if troop.is_combat and why_not_place(self.turn, realm, area, troop) is None
        ]
        general = next((troop for troop in can if troop.is_general), None)
        if general is not None:
            return general
        movable = [troop for troop in can if troop.food <= room and not troop.is_static]
        if not movable:
            return None
        if self.approach.spending is Spending.NUMBERS:
            return min(movable, key=lambda troop: (troop.gold, -troop.hit_first))
        if self._threat(area.cell) or not any(self.turn.areas[cell].owner is None for cell in self.prizes):
            return max(movable, key=lambda troop: (troop.hit_first + troop.armour) / max(1, troop.gold) * self.whim())
        return max(movable, key=lambda troop: troop.land_move / max(1, troop.gold) * self.whim())

    def _gain(self, area: Area) -> float:
        """What a turn's building is likely to yield, each turn from then on."""
        improvement = self.turn.rules.build.get(area.terrain.name)
        if improvement is None or improvement.to not in self.turn.rules.terrain:
            return 0.0
        to, now = self.turn.rules.terrain[improvement.to], area.terrain
        return improvement.percent / 100 * (to.gold - now.gold + _FOOD * (to.food - now.food))

    def _stances(self) -> Iterator[Order]:
        """Next to an enemy, counter-attack; a castle is held frontally."""
        parts = []
        for area in self.turn.areas:
            if area.owner == self.nation and area.of(self.nation) and not area.is_sea and self._threat(area.cell):
                has_castle = any(self.turn.troop(symbol).is_static for symbol in area.of(self.nation))
                tactic = Tactic.FRONTAL if has_castle else Tactic.COUNTER
                if area.tactic is not tactic:
                    parts.append(Stance(*self.turn.grid.xy(area.cell), tactic))
        yield from (Defend(some) for some in _in_threes(parts))

    # Marching

    def movers(self, cell: Cell) -> Counter[Symbol]:
        """Units in a place that have no order yet and can march."""
        area = self.turn.areas[cell]
        if area.is_isolated and not self.turn.has_general(area.of(self.nation)):
            return Counter()
        going, _ = army(self.turn, area, +self.free.get(cell, Counter()))
        return Counter(going) if may_march(self.turn, self.nation, area, going, {}) else Counter()

    def _attacks(self) -> Iterator[Order]:
        """Promising battles: the richest first, with all units next to it."""
        turn = self.turn
        held = [
            area
            for area in turn.areas
            if area.cell in self.prizes and area.owner is not None and self.strength(area.of(area.owner), area) > 0
        ]
        for area in sorted(held, key=lambda area: -self.prizes[area.cell]):
            sent = [
                (near, way, units)
                for way in Direction
                if (near := turn.grid.step(area.cell, way.opposite)) is not None and (units := self.movers(near))
            ]
            force = sum(self.strength(units, area, attacks=True) for _, _, units in sent)
            if not sent or force < self.approach.odds * self.strength(area.of(area.owner), area) * self.whim():
                continue
            self.claimed.add(area.cell)
            for near, way, units in sent:
                self.free[near] -= units
                tactic = Tactic.PINCER if self.has_pincer(units) else Tactic.FRONTAL
                yield self.march(near, units, (way,), tactic)

    def strength(self, units: Mapping[Symbol, int], area: Area, *, attacks: bool = False) -> float:
        """The hits that units are likely to make in a round, times what they can take."""
        troops = [(self.turn.troop(symbol), amount) for symbol, amount in units.items()]
        troops = [(troop, amount) for troop, amount in troops if troop.is_combat]
        number = sum(amount for _, amount in troops)
        bonus = sum(troop.hit_bonus for troop, _ in troops)
        cap = area.terrain.cap if attacks else None
        hits = sum(min(troop.hit_first, cap or 100) * amount + bonus * amount for troop, amount in troops)
        toughness = 1 + sum(troop.armour * amount for troop, amount in troops) / 50 / max(1, number)
        return hits / 100 * toughness * math.sqrt(number)

    def _marches(self) -> Iterator[Order]:
        """Each remaining unit goes where there is most to gain, one by one; those that go the same way go together."""
        turn = self.turn
        for cell in sorted(self.free):
            area, threat = turn.areas[cell], self._threat(cell)
            groups: dict[tuple[Direction, ...], Counter[Symbol]] = {}
            movers = self.movers(cell)
            stay = 0
            for symbol in sorted(movers.elements(), key=lambda s: -turn.troop(s).land_move):
                routes = [
                    route for route in routes_by_land(turn, self.nation, area, {symbol: 1}) if not route.is_attack
                ]
                best = max(routes, key=lambda route: self._value(cell, route), default=None)
                guarding = self.approach.caution * _THREAT * self._worth_of(area) if stay < threat else 0.0
                here = self.pull.get(cell, 0.0) * _FADE + guarding
                if best is None or self._value(cell, best) <= here:
                    stay += 1
                    continue
                self.claimed.update(self._passed(cell, best))
                groups.setdefault(best.way, Counter())[symbol] += 1
            for way, units in groups.items():
                yield self.march(cell, units, way)

    def _worth_of(self, area: Area) -> float:
        return area.terrain.gold + _FOOD * area.terrain.food + _GROUND

    def _value(self, cell: Cell, route: Route) -> float:
        """The worth of what a march takes, and of where it ends."""
        taken = sum(self.prizes.get(passed, 0.0) for passed in self._passed(cell, route) if passed not in self.claimed)
        crowd = self.crowding if route.end in self.claimed else 1.0
        return 2 * taken + crowd * self.pull.get(route.end, 0.0) * _FADE

    def _passed(self, cell: Cell, route: Route) -> Iterator[Cell]:
        for way in route.way:
            following = self.turn.grid.step(cell, way)
            assert following is not None, "a route stays on the map"
            cell = following
            yield cell

    def has_pincer(self, units: Mapping[Symbol, int]) -> bool:
        """Whether some of these units can attempt a pincer attack. Source: ruling K-35"""
        return any(self.turn.troop(symbol).is_pincer for symbol in units)

    def march(
        self, cell: Cell, units: Mapping[Symbol, int], way: Sequence[Direction], tactic: Tactic | None = None
    ) -> March:
        """The order for units to go that way; an attack names its tactic."""
        x, y = self.turn.grid.xy(cell)
        amounts = tuple((symbol, units[symbol]) for symbol in self.turn.rules.troops if units.get(symbol))
        return March(x, y, tactic, False, amounts, tuple(way))


def _in_threes(parts: Sequence[P]) -> Iterator[tuple[P, ...]]:
    """Groups of as many parts as a line may have."""
    for first in range(0, len(parts), MOST_PARTS):
        yield tuple(parts[first : first + MOST_PARTS])
