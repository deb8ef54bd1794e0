"""Random positions of standard Diplomacy in which much happens: for the fuzz against the oracle and for the benches.

Everything follows from a seed. All orders are legal and canonical, so nothing is refused and every unit has
one.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tests.oracle.board import province
from tests.oracle.movement import BOARD, Order, Unit

POWERS = ("austria", "england", "france", "germany", "italy", "russia", "turkey")


@dataclass(frozen=True)
class RandomPhase:
    """A movement phase with all its orders, by power and by the province of the unit."""

    seed: int
    units: tuple[Unit, ...]
    texts: dict[str, str]

    @property
    def sheets(self) -> dict[str, list[str]]:
        """The orders as each power would send them."""
        sheets: dict[str, list[str]] = {}
        for unit in self.units:
            sheets.setdefault(unit.power, []).append(self.texts[unit.province])
        return sheets

    def document(self, *, season: str = "spring") -> dict[str, Any]:
        """The game.json of the position."""
        return {
            "format": 1,
            "system": "diplomacy",
            "variant": "standard",
            "seed": str(self.seed),
            "phase": {"year": 1901, "season": season, "kind": "movement"},
            "state": {"units": [{"power": unit.power, "kind": unit.kind, "at": unit.at} for unit in self.units]},
        }


def dense_phase(seed: int, *, units: int = 34) -> RandomPhase:
    """A board with many units of all seven powers, most of them in each other's way."""
    chance = random.Random(f"dense {seed}")
    return _phase(seed, chance, _crowd(chance, units, spread=4), POWERS)


def small_phase(seed: int) -> RandomPhase:
    """Four to eight units of two to four powers in a corner of the board; every other one around the sea."""
    chance = random.Random(f"small {seed}")
    powers = chance.sample(POWERS, chance.choice((2, 2, 3, 3, 4)))
    places = _crowd(chance, chance.randint(4, 8), spread=1, naval=seed % 2 == 0)
    return _phase(seed, chance, places, powers)


def _phase(seed: int, chance: random.Random, places: Iterable[str], powers: Sequence[str]) -> RandomPhase:
    units = {at: _unit(chance, at, powers) for at in places}
    orders = _Writer(chance, units).orders()
    texts = {at: order_text(units.values(), at, order) for at, order in orders.items()}
    return RandomPhase(seed, tuple(units.values()), texts)


def _crowd(chance: random.Random, number: int, *, spread: int, naval: bool = False) -> list[str]:
    """Provinces close together: grown from a few starts, so that few neighbours of a unit are empty."""
    provinces = sorted(at for at, terrain in BOARD.terrain.items() if not naval or terrain != "land")
    taken = {chance.choice(provinces) for _ in range(spread)}
    while len(taken) < number:
        edge = sorted({there for at in sorted(taken) for there in _around(at)}.intersection(provinces) - taken)
        # Where it is about convoys, the sea comes first.
        seas = [at for at in edge if BOARD.terrain[at] == "sea"]
        near = seas if naval and seas and chance.random() < 0.3 else edge
        taken.add(chance.choice(near or provinces))
    return sorted(taken)


def _around(at: str) -> set[str]:
    fleets = {province(there) for place in BOARD.fleets if province(place) == at for there in BOARD.fleets[place]}
    return fleets | BOARD.armies[at]


def _unit(chance: random.Random, at: str, powers: Sequence[str]) -> Unit:
    terrain = BOARD.terrain[at]
    kind = {"sea": "F", "land": "A"}.get(terrain) or chance.choice("AAAF")
    coasts = sorted(place for place in BOARD.fleets if place.startswith(f"{at}/"))
    return Unit(chance.choice(powers), kind, chance.choice(coasts) if kind == "F" and coasts else at)


def order_text(units: Iterable[Unit], at: str, order: Order) -> str:
    """An order of the unit in a province as canonical text."""
    board = {unit.province: unit for unit in units}
    if order.verb == "hold":
        return f"{board[at]} H"
    if order.verb == "move":
        return f"{board[at]} - {order.to}" + " VIA CONVOY" * order.via
    goal = f" - {order.to}" if order.to else ""
    return f"{board[at]} {order.verb[0].upper()} {board[order.of]}{goal}"


class _Writer:
    """Writes orders that meddle with each other: first moves and their convoys, then what helps them."""

    def __init__(self, chance: random.Random, units: dict[str, Unit]) -> None:
        self.chance = chance
        self.units = units
        self.seas = [at for at in units if BOARD.terrain[at] == "sea"]
        self.written: dict[str, Order] = {}

    def orders(self) -> dict[str, Order]:
        """An order for every unit."""
        waiting = list(self.units)
        self.chance.shuffle(waiting)
        for at in waiting:
            if at not in self.written and self.units[at].kind == "A" and self.chance.random() < 0.55:
                self._cross(at)
        for at in waiting:
            if at not in self.written and self.chance.random() < 0.15:
                self._turn(at)
        for at in waiting:
            if at not in self.written and self.chance.random() < 0.4:
                self._move(at)
        for at in waiting:
            if at not in self.written:
                self._help(at)
        return {at: self.written[at] for at in self.units}

    def _cross(self, at: str) -> None:
        """A move by sea, with most of the convoys that it needs, perhaps over two routes."""
        free = [sea for sea in self.seas if sea not in self.written]
        shores = sorted(self._shores(at, free))
        if not shores:
            return
        crowded = [shore for shore in shores if shore in self.units]
        to = self.chance.choice(crowded if crowded and self.chance.random() < 0.8 else shores)
        route = self._route(free, at, to)
        near = to in BOARD.armies[at]
        self.written[at] = Order("move", to=to, via=self.chance.random() < (0.5 if near else 0.15))
        fleets = list(route)
        if self.chance.random() < 0.3:
            fleets += self._route([sea for sea in free if sea != self.chance.choice(route)], at, to)
        for sea in fleets:
            if self.chance.random() < 0.93:
                self.written[sea] = Order("convoy", of=at, to=to)
        if to in self.units and to not in self.written and self.chance.random() < 0.8:
            self._entangle(to, self.chance.choice(fleets))

    def _entangle(self, at: str, sea: str) -> None:
        """Where an army lands, a support for or against a fleet that carries it: the stuff of paradoxes."""
        unit = self.units[at]
        if sea not in BOARD.provinces_in_reach(unit.kind, unit.at):
            return
        attackers = [
            other
            for other, one in self.units.items()
            if other not in self.written and other != at and sea in BOARD.reach(one.kind, one.at)
        ]
        if not attackers:
            return
        attacker, *others = self.chance.sample(attackers, len(attackers))
        self.written[attacker] = Order("move", to=sea)
        if self.chance.random() < 0.6:
            self.written[at] = Order("support", of=attacker, to=sea)
        else:
            self.written[at] = Order("support", of=sea)
            if others:
                self.written[others[0]] = Order("support", of=attacker, to=sea)

    def _turn(self, at: str) -> None:
        """Three or four units that follow each other round."""
        circle = [at]
        while len(circle) < 4:
            unit = self.units[circle[-1]]
            places = {province(place): place for place in sorted(BOARD.reach(unit.kind, unit.at))}
            if len(circle) > 2 and at in places:
                break
            nexts = [there for there in places if there in self.units and there not in {*circle, *self.written}]
            if not nexts:
                return
            circle.append(self.chance.choice(nexts))
        for here, there in zip(circle, [*circle[1:], at], strict=True):
            unit = self.units[here]
            goals = [place for place in sorted(BOARD.reach(unit.kind, unit.at)) if province(place) == there]
            if goals and here not in self.written:
                self.written[here] = Order("move", to=self.chance.choice(goals))

    def _move(self, at: str) -> None:
        """A move by itself, mostly to where others are, go, or come from."""
        unit = self.units[at]
        reach = sorted(BOARD.reach(unit.kind, unit.at))
        if not reach:
            self.written[at] = Order()
            return
        wanted = {order.target for order in self.written.values() if order.verb == "move"}
        busy = [place for place in reach if province(place) in wanted or province(place) in self.units]
        self.written[at] = Order("move", to=self.chance.choice(busy if busy and self.chance.random() < 0.85 else reach))

    def _help(self, at: str) -> None:
        """A support that fits, one that does not, a stray convoy, or just holding."""
        unit, roll = self.units[at], self.chance.random()
        reach = BOARD.provinces_in_reach(unit.kind, unit.at)
        fitting = [
            Order("support", of=other, to=order.to if order.verb == "move" else "")
            for other, order in self.written.items()
            if other != at and self._can_support(at, reach, other, order)
        ]
        if fitting and roll < 0.85:
            # Supports of moves against somebody matter most, and several for the same one.
            helped = {order.of for order in self.written.values() if order.verb == "support"}
            attacks = [order for order in fitting if order.to and order.target in self.units]
            second = [order for order in attacks if order.of in helped]
            best = second if second and self.chance.random() < 0.5 else attacks
            self.written[at] = self.chance.choice(best if best and self.chance.random() < 0.8 else fitting)
        elif roll < 0.93:
            self.written[at] = self._stray(at, reach)
        else:
            self.written[at] = Order()

    def _can_support(self, at: str, reach: frozenset[str], other: str, order: Order) -> bool:
        if order.verb != "move":
            return other in reach
        if order.target not in reach:
            return False
        mover = self.units[other]
        # A fleet that alone could carry an army may not support it.
        return order.to in BOARD.reach(mover.kind, mover.at) or bool(
            self._route([sea for sea in self.seas if sea != at], other, order.to)
        )

    def _stray(self, at: str, reach: frozenset[str]) -> Order:
        """A legal order that hardly fits anything."""
        armies = [other for other, unit in self.units.items() if unit.kind == "A" and BOARD.terrain[other] == "coast"]
        self.chance.shuffle(armies)
        if at in self.seas and self.chance.random() < 0.5:
            for army in armies:
                shores = sorted(self._shores(army, [at]))
                if shores:
                    return Order("convoy", of=army, to=self.chance.choice(shores))
        others = [other for other in self.units if other in reach]
        if not others:
            return Order()
        other = self.chance.choice(others)
        unit = self.units[other]
        goals = [place for place in sorted(BOARD.reach(unit.kind, unit.at)) if province(place) in reach]
        return Order("support", of=other, to=self.chance.choice([*goals, ""]))

    def _shores(self, at: str, seas: Sequence[str]) -> set[str]:
        """Where an army could be carried by some of the fleets."""
        reached = [sea for sea in seas if BOARD.touches(sea, at)]
        for sea in reached:
            reached += [other for other in seas if other not in reached and BOARD.touches(sea, other)]
        coasts = {land for sea in reached for land in BOARD.provinces_in_reach("F", sea)}
        return {land for land in coasts if BOARD.terrain[land] == "coast"} - {at}

    def _route(self, seas: Sequence[str], start: str, end: str) -> tuple[str, ...]:
        """A shortest chain of fleets, so every fleet of it is needed; empty if there is none."""
        chains: list[tuple[str, ...]] = [(sea,) for sea in seas if BOARD.touches(sea, start)]
        self.chance.shuffle(chains)
        seen = {chain[-1] for chain in chains}
        for chain in chains:
            if BOARD.touches(chain[-1], end):
                return chain
            for sea in seas:
                if sea not in seen and BOARD.touches(chain[-1], sea):
                    seen.add(sea)
                    chains.append((*chain, sea))
        return ()
