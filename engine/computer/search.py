"""Betters a sheet by trials: changes of one order, or of an order with its helpers, are kept if they do good on average
against samples of what the others may do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.computer.thinking import Guess, OrderMap, Outlook, shuffled
from engine.core.ids import PowerId
from engine.core.judgement import Chance, Worth
from engine.core.orders import O
from engine.core.sight import S, V

_ENVY = 0.3
"""The weight of the others' average worth against one's own."""


@dataclass
class Budget:
    """How many more positions may be tried: a number of trials, not of seconds, so that a game can be played again."""

    trials: int

    def spend(self) -> bool:
        """Takes one trial; whether there was one left."""
        self.trials -= 1
        return self.trials >= 0


def gain(worth: Worth, power: PowerId) -> float:
    """A position's value to a power: its own worth, less a share of the others'."""
    others = [value for other, value in worth.items() if other != power]
    return worth.get(power, 0.0) - (_ENVY * sum(others) / len(others) if others else 0.0)


def climb(
    outlook: Outlook[S, V, O],
    power: PowerId,
    start: OrderMap[O],
    samples: Sequence[Guess[O]],
    *,
    chance: Chance,
    budget: Budget,
) -> tuple[float, OrderMap[O]]:
    """The best sheet found from a start, and its average gain; the start itself if the budget is used up.

    Args:
        samples: what the other powers may order and how the dice may fall; at least one.
    """
    options = outlook.options(power)
    sheet, best = dict(start), _average(outlook, power, start, samples, budget)
    is_better = True
    while is_better and budget.trials > 0:
        is_better = False
        for change in shuffled(chance, options.changes):
            if all(sheet.get(subject) == order for subject, order in change):
                continue
            tried = {**sheet, **dict(change)}
            value = _average(outlook, power, tried, samples, budget, needed=best)
            if value > best + 1e-9:
                sheet, best, is_better = tried, value, True
            if budget.trials <= 0:
                break
    return best, sheet


def _average(
    outlook: Outlook[S, V, O],
    power: PowerId,
    sheet: OrderMap[O],
    samples: Sequence[Guess[O]],
    budget: Budget,
    *,
    needed: float | None = None,
) -> float:
    """A sheet's average gain over the samples; a hopeless one (far below what is needed after some) is left early."""
    total = 0.0
    for number, guess in enumerate(samples, start=1):
        if not budget.spend():
            return float("-inf") if needed is not None else total / max(1, number - 1)
        total += gain(outlook.worth_after(power, sheet, guess), power)
        if needed is not None and number in _CHECKED and total / number < needed - _HOPELESS / number:
            return float("-inf")
    return total / len(samples)


_CHECKED = (1, 2, 4)
_HOPELESS = 6.0
"""How far a first sample may lie below the best average before the change is given up; half of that after two."""
