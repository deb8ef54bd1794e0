"""Chooses among whole sheets, in games that draft them by themselves: what does best against the others' drafts, some
turns later.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

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
        samples: against how many guesses at the others' sheets.
        forgets: how large a part of the orders is left out by chance.
        turns: how many are played out for each comparison; after the first all powers send tame drafts.
        most: how many drafts all that may take; with many powers fewer own drafts and samples are compared.
    """

    wildness: float
    drafts: int = 1
    samples: int = 1
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
        weigh = judgement.weigh
        wild = (draft(state, power, chance, drafting.wildness * (1 + n / 2)) for n in range(1, drafting.drafts))
        return max([first, *wild], key=lambda sheet: weigh(view, sheet, chance))
    others = [other for other in rules.play.status(state).to_act if other != power]
    comparisons = max(2, drafting.most // (1 + (drafting.turns - 1) * (1 + len(others))))
    drafts = min(drafting.drafts, comparisons)
    guesses = max(1, min(drafting.samples, comparisons // drafts))
    samples = [{other: draft(state, other, chance, drafting.wildness) for other in others} for _ in range(guesses)]
    own = [first, *(draft(state, power, chance, drafting.wildness * (1 + n / 2)) for n in range(1, drafts))]
    tell = judgement.measure(state)

    # Each guess has luck of its own, the same for all drafts: else the one would be chosen that is lucky everywhere.
    lucks = [f"{chance.random()}" for _ in samples]

    def value(sheet: Sequence[O]) -> float:
        sheets: list[Mapping[PowerId, Sequence[O]]] = [{**sample, power: sheet} for sample in samples]
        ends = (
            _played_out(rules, draft, state, each, drafting.turns, luck, chance)
            for each, luck in zip(sheets, lucks, strict=True)
        )
        return sum(gain(tell(end), power) for end in ends)

    return max(own, key=value)


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
