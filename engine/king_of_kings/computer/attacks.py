"""The sheet of a nation that thinks its attacks through: who can get there, with which tactic, and what that brings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from engine.king_of_kings.computer.forecast import forecast
from engine.king_of_kings.computer.sheet import USUAL_ODDS, ComputerSheet
from engine.king_of_kings.model import March, Symbol, Tactic
from engine.king_of_kings.reach import routes_by_land
from engine.king_of_kings.working import Area
from engine.lattice.squares import Cell, Direction

_LOSS = 0.8
"""What it costs to lose troops worth one victory point, if an enemy's loss of them is worth 1."""
_TIME = 0.5
"""The worth of what each attacking unit could do elsewhere."""
_LUCK = (0.75, 1.0, 1.25)
"""The attackers' luck in each of the forecasts that are weighed."""
_FEW = 0.6
"""The share of the defence's strength from which an attack without the other stacks in reach is considered."""
_DEFENCE = Tactic.COUNTER
"""The tactic that a threatened nation often orders; its last one is taken to be equally likely."""


@dataclass(frozen=True, slots=True)
class _Stack:
    """Units in a place that could go to a battle."""

    cell: Cell
    way: Sequence[Direction]
    units: Counter[Symbol]


@dataclass(frozen=True, slots=True)
class _Attack:
    area: Area
    stacks: Sequence[_Stack]
    tactic: Tactic
    gain: float


class SkilledSheet(ComputerSheet):
    """A sheet that is being written, by a nation that thinks its attacks through."""

    crowding: ClassVar[float] = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self._worked_out: dict[tuple[Cell, tuple[tuple[Symbol, int], ...], Tactic], float] = {}

    def _attacks(self) -> Iterator[March]:
        """The best attack, then the best by the remaining units, as long as one brings more than it costs."""
        while (attack := max(self._possible_attacks(), key=lambda each: each.gain, default=None)) is not None:
            if attack.gain <= 0:
                return
            self.claimed.add(attack.area.cell)
            for stack in attack.stacks:
                self.free[stack.cell] -= stack.units
                yield self.march(stack.cell, stack.units, stack.way, attack.tactic)

    def _possible_attacks(self) -> Iterator[_Attack]:
        """Attacks on each place in reach, by the nearest stack, the nearest two and so on, with each tactic."""
        for target, stacks in self._stacks_by_target().items():
            area = self.turn.areas[target]
            needed = _FEW * self.strength(self._defenders(area), area)
            force: Counter[Symbol] = Counter()
            for number, stack in enumerate(stacks, start=1):
                force = force + stack.units
                if number == len(stacks) or self.strength(force, area, attacks=True) >= needed:
                    for tactic in self._tactics(force):
                        gain = self._expected(area, force, tactic) * self.whim() - _TIME * force.total()
                        yield _Attack(area, stacks[:number], tactic, gain)

    def _stacks_by_target(self) -> Mapping[Cell, Sequence[_Stack]]:
        """For each enemy place in reach, the stacks that can get there: the nearest first, then the strongest."""
        found: dict[Cell, list[_Stack]] = {}
        for cell in sorted(self.free):
            units = self.movers(cell)
            routes = routes_by_land(self.turn, self.nation, self.turn.areas[cell], units) if units else ()
            for route in routes:
                is_wanted = route.end in self.prizes and route.end not in self.claimed
                if route.is_attack and is_wanted and self._defenders(self.turn.areas[route.end]):
                    found.setdefault(route.end, []).append(_Stack(cell, route.way, units))
        for target, stacks in found.items():
            area = self.turn.areas[target]
            stacks.sort(key=lambda stack: (len(stack.way), -self.strength(stack.units, area, attacks=True)))
        return found

    def _defenders(self, area: Area) -> Mapping[Symbol, int]:
        """The units that would defend a place."""
        units = area.of(area.owner)
        return {symbol: amount for symbol, amount in units.items() if self.turn.troop(symbol).is_combat}

    def _tactics(self, units: Mapping[Symbol, int]) -> Iterator[Tactic]:
        yield from (Tactic.FRONTAL, Tactic.STANDARD, Tactic.COUNTER)
        if self.has_pincer(units):
            yield Tactic.PINCER

    def _expected(self, area: Area, units: Mapping[Symbol, int], tactic: Tactic) -> float:
        """What an attack brings on average, worked out once for each sheet."""
        key = area.cell, tuple(sorted(units.items())), tactic
        if key not in self._worked_out:
            self._worked_out[key] = self._work_out(area, units, tactic)
        return self._worked_out[key]

    def _work_out(self, area: Area, units: Mapping[Symbol, int], tactic: Tactic) -> float:
        """The place as often as it is won, and the losses of both sides."""
        defenders, loss = self._defenders(area), _LOSS * self.approach.odds / USUAL_ODDS
        total = 0.0
        for defence in (area.tactic, _DEFENCE):
            if defence is Tactic.PINCER and not self.has_pincer(defenders):
                defence = Tactic.STANDARD
            for luck in _LUCK:
                likely = forecast(
                    self.turn.rules, units, defenders, modifiers=self.turn.rules.tactics[tactic, defence],
                    cap=area.terrain.cap, luck=luck,
                )  # fmt: skip
                total += likely.defenders_lost - loss * likely.attackers_lost
                total += self.prizes[area.cell] if likely.is_won else 0.0
        return total / (2 * len(_LUCK))
