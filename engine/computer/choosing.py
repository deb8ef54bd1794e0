"""Chooses among whole sheets, in games that draft them by themselves: what does best against the others' drafts, some
turns later.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic

from engine.computer.search import gain
from engine.core.ids import PowerId
from engine.core.judgement import Chance, Judgement
from engine.core.orders import O
from engine.core.sight import S, V
from engine.core.system import GameSystem

Drafter = Callable[[S, PowerId, Chance, float], Sequence[O]]


@dataclass(frozen=True, slots=True)
class Drafting:
    """How sheets are drafted and compared.

    Args:
        wildness: of the first draft, and of those that others are thought to make; further ones grow wilder.
        drafts: how many own ones are compared; of one there is no choice.
        weighed: how many in games that weigh a sheet by itself, without playing it out.
        forgets: how large a part of the orders is left out by chance.
        turns: how many are played out for each comparison; after the first all powers send tame drafts.
        most: how many drafts all that may take; with many powers fewer sheets are tried.
    """

    wildness: float
    drafts: int = 1
    weighed: int = 10
    forgets: float = 0.0
    turns: int = 1
    most: int = 1000


def choose_draft(
    rules: GameSystem[S, V, O],
    judgement: Judgement[S, V, O],
    draft: Drafter[S, O],
    view: V,
    power: PowerId,
    drafting: Drafting,
    chance: Chance,
) -> Sequence[O]:
    """The best of some drafts of a power's sheet. The same view and chance give the same."""
    state = judgement.imagine(view)
    first = draft(state, power, chance, drafting.wildness)
    if drafting.drafts <= 1:
        return [order for order in first if chance.random() >= drafting.forgets]
    if judgement.weigh is not None:
        weigh = judgement.weigh(view, f"{chance.random()}")
        wild = (draft(state, power, chance, drafting.wildness * (1 + n / 2)) for n in range(1, drafting.weighed))
        return max([first, *wild], key=weigh)
    return _Contest(rules, judgement, draft, state, power, drafting, chance).best(first)


class _Contest(Generic[S, V, O]):
    """A comparison of sheets, each against the same guesses at what others send, with the same luck."""

    def __init__(
        self,
        rules: GameSystem[S, V, O],
        judgement: Judgement[S, V, O],
        draft: Drafter[S, O],
        state: S,
        power: PowerId,
        drafting: Drafting,
        chance: Chance,
    ) -> None:
        self._rules, self._draft, self._state, self._power = rules, draft, state, power
        self._drafting, self._chance = drafting, chance
        self._others = [other for other in rules.play.status(state).to_act if other != power]
        self._tell = judgement.measure(state)
        self._guesses: list[tuple[Mapping[PowerId, Sequence[O]], str]] = []
        powers = 1 + len(self._others)
        drafts_of_a_trial = 1 + (drafting.turns - 1) * powers
        # Where more than a few play the board is larger, and each draft takes longer.
        self._left = max(2, drafting.most * _FEW // (drafts_of_a_trial * max(_FEW, powers)))
        """Trials that may still be made."""

    def best(self, first: Sequence[O]) -> Sequence[O]:
        """The best of the first draft and some wilder ones, without orders that do it harm."""
        wildness, to_prune = self._drafting.wildness, self._left // 3
        drafts = min(self._drafting.drafts, self._left // _SAMPLES_AT_FIRST)
        wild = (self._draft(self._state, self._power, self._chance, wildness * (1 + n / 2)) for n in range(1, drafts))
        left: list[_Row[O]] = [_Row(sheet) for sheet in (first, *wild)]
        samples = _SAMPLES_AT_FIRST
        while True:
            for row in left:
                self._try(row, samples)
            left.sort(key=lambda row: -sum(row.values))
            left = left[: (len(left) + 1) // 2]
            if len(left) == 1 or self._left - len(left) * samples < to_prune:
                return self._pruned(left[0])
            samples *= 2

    def _pruned(self, row: _Row[O]) -> Sequence[O]:
        """A sheet without orders that do more harm than good: each is left out once, against the same guesses."""
        for order in reversed(row.sheet):
            if self._left < len(row.values) or len(row.sheet) == 1:
                break
            without = _Row([other for other in row.sheet if other is not order])
            self._try(without, len(row.values))
            if sum(without.values) > sum(row.values):
                row = without
        return row.sheet

    def _try(self, row: _Row[O], samples: int) -> None:
        """Play a sheet out against so many guesses, those aside against which it was tried before."""
        for number in range(len(row.values), samples):
            sheets, luck = self._guess(number)
            end = _played_out(
                self._rules, self._draft, self._state, {**sheets, self._power: row.sheet}, self._drafting.turns, luck,
                self._chance,
            )  # fmt: skip
            row.values.append(gain(self._tell(end), self._power))
            self._left -= 1

    def _guess(self, number: int) -> tuple[Mapping[PowerId, Sequence[O]], str]:
        """What the others may send, and luck of its own: with the same luck in all the lucky sheet would be chosen."""
        while len(self._guesses) <= number:
            sheets = {
                other: self._draft(self._state, other, self._chance, self._drafting.wildness) for other in self._others
            }
            self._guesses.append((sheets, f"{self._chance.random()}"))
        return self._guesses[number]


_FEW = 4
_SAMPLES_AT_FIRST = 2
"""Guesses against which every draft is tried; the better half goes on, against twice as many, and so on."""


@dataclass
class _Row(Generic[O]):
    """A sheet, and what it came to against each guess so far."""

    sheet: Sequence[O]
    values: list[float] = field(default_factory=list)


def _played_out(
    rules: GameSystem[S, V, O],
    draft: Drafter[S, O],
    state: S,
    sheets: Mapping[PowerId, Sequence[O]],
    turns: int,
    luck: str,
    chance: Chance,
) -> S:
    """The position after some turns that begin with these sheets; `luck` is the seed of all dice."""
    after = rules.play.adjudicate(state, sheets, replace(rules.play.dice(state), seed=luck)).state
    for turn in range(1, turns):
        status = rules.play.status(after)
        if status.winners is not None:
            break
        following = {power: draft(after, power, chance, 0.0) for power in status.to_act}
        after = rules.play.adjudicate(after, following, replace(rules.play.dice(after), seed=f"{luck}/{turn}")).state
    return after
