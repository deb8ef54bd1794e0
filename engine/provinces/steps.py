"""The guided flow as steps: each legal order with the choices that lead to it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from engine.core.orders import Choice, Menu, Shortlist
from engine.core.phrases import Catalogue, Phrase, phrase
from engine.core.shortlists import joined, shortlist
from engine.core.variant import load_phrases

STAY = "stay"
"""The last choice of a support that helps a unit where it stands."""


@dataclass(frozen=True, slots=True)
class Step:
    """A choice on the way to an order: its value, its text, and the question that it answers."""

    value: str
    label: str
    prompt: Phrase


class Labels:
    """The texts of a game's choices. Each is put into words once: a map has only so many places and units."""

    def __init__(self, words: Catalogue) -> None:
        self._words = words
        self._known: dict[tuple[str, ...], str] = {}

    def __call__(self, code: str, /, **args: str) -> str:
        """The text of a phrase, its arguments by name."""
        key = (code, *args.values())
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._words.render(Phrase(code, args))
        return found


@cache
def labels_of(system: str) -> Labels:
    """The labels of a game, shared by all who choose in it."""
    return Labels(load_phrases(system))


GuidedOrder: TypeAlias = tuple[str, tuple[Step, ...]]
"""An order as it is written, and the steps that lead to it."""


def choose(left: Sequence[GuidedOrder], path: Sequence[str]) -> Menu:
    """The step after a path; each order's text has the steps that lead to it."""
    reached = [(order, steps) for order, steps in left if [step.value for step in steps[: len(path)]] == list(path)]
    if not reached:
        reached, path = list(left), ()
    if not left:
        return Menu(phrase("menu.nothing"), ())
    depth = len(path)
    order, steps = reached[0]
    if len(steps) == depth:
        return Menu(phrase("menu.done"), (), order)
    nexts = {steps[depth].value: steps[depth] for _, steps in reached}
    return Menu(steps[depth].prompt, tuple(map(_choice, nexts.values())))


def _choice(step: Step) -> Choice:
    return Choice(step.value, step.label[:100])


def shorten(ways: Sequence[GuidedOrder], firsts: Collection[str], standing: Collection[str]) -> tuple[Shortlist, ...]:
    """The shortlists of some first choices; under each of them the likeliest come first."""
    groups: dict[str, list[GuidedOrder]] = {}
    for order, steps in ways:
        if steps[0].value in firsts:
            groups.setdefault(steps[0].value, []).append((order, steps))
    return tuple(_shortened(group, standing) for group in groups.values())


def _shortened(group: Sequence[GuidedOrder], standing: Collection[str]) -> Shortlist:
    first = _choice(group[0][1][0])
    rows = ((order, joined([step.label for step in steps[1:]]) or first.label) for order, steps in group)
    return shortlist(first, rows, [order for order, _ in group if order in standing])
