"""Chooses among whole sheets, in games that draft them by themselves: what does best against the others' drafts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

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
    """

    wildness: float
    drafts: int = 1
    samples: int = 1
    forgets: float = 0.0


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
    others = [other for other in rules.play.status(state).to_act if other != power]
    samples = [
        {other: draft(state, other, chance, drafting.wildness) for other in others} for _ in range(drafting.samples)
    ]
    own = [first, *(draft(state, power, chance, drafting.wildness * (1 + n / 2)) for n in range(1, drafting.drafts))]
    dice, tell = rules.play.dice(state), judgement.measure(state)

    def value(sheet: Sequence[O]) -> float:
        sheets: list[Mapping[PowerId, Sequence[O]]] = [{**sample, power: sheet} for sample in samples]
        ends = (rules.play.adjudicate(state, sheets_of_all, dice).state for sheets_of_all in sheets)
        return sum(gain(tell(end), power) for end in ends)

    return max(own, key=value)
