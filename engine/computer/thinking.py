"""The computer's picture of a phase: the position it imagines, and the orders that each power could give."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import Any, Generic

from engine.core.ids import PowerId
from engine.core.judgement import Chance, Intent, Judgement, Worth
from engine.core.orders import O
from engine.core.sight import S, V
from engine.core.system import GameSystem
from engine.core.viewer import Playing

_MOST_HELPERS = 2

OrderMap = dict[str, O]
"""A power's orders by their subject; a subject without one is left out."""


@dataclass(frozen=True)
class LegalOrders(Generic[O]):
    """What a power can order.

    Args:
        by_subject: every legal order that acts for itself or helps one of the power's own.
        intents: what they are about, of those that are units' intents.
        appeal: how much the power would like each order that acts for itself to work.
    """

    by_subject: Mapping[str, Sequence[O]]
    intents: Mapping[O, Intent] = field(default_factory=dict)
    appeal: Mapping[O, float] = field(default_factory=dict)

    @cached_property
    def helpers(self) -> Mapping[tuple[str, str], Sequence[tuple[str, O]]]:
        """The orders that help, with their subjects, by the origin and the goal of whom they help."""
        found: dict[tuple[str, str], list[tuple[str, O]]] = {}
        for subject, orders in self.by_subject.items():
            for order in orders:
                intent = self.intents.get(order)
                if intent is not None and intent.helps is not None:
                    found.setdefault(intent.helps, []).append((subject, order))
        return found

    @cached_property
    def changes(self) -> Sequence[Sequence[tuple[str, O]]]:
        """Other orders for one unit, or for one that acts together with one or two that help it; with their subjects.

        A search goes through them again and again, and Kregen has some ten thousand.
        """
        return tuple(self._find_changes())

    def _find_changes(self) -> Iterator[Sequence[tuple[str, O]]]:
        for subject, orders in self.by_subject.items():
            for order in orders:
                own = (subject, order)
                yield (own,)
                intent = self.intents.get(order)
                if intent is None or intent.helps is not None:
                    continue
                helpers = [row for row in self.helpers.get((intent.origin, intent.goal), ()) if row[0] != subject]
                for number in range(1, _MOST_HELPERS + 1):
                    for together in combinations(helpers, number):
                        if len({owner for owner, _ in together}) == number:
                            yield (own, *together)


@dataclass(frozen=True, slots=True)
class Guess(Generic[O]):
    """What may come of a phase besides the power's own orders.

    Args:
        sheets: what the other powers may order.
        luck: the seed of the dice; a guess of its own, for nobody knows how they will fall.
    """

    sheets: Mapping[PowerId, OrderMap[O]]
    luck: str


class _Last:
    """The position last thought about, with what was found of it: where several players of a game are the computer's
    and know the same, they need not list each other's orders again. Whatever is kept follows from the position alone.
    """

    def __init__(self) -> None:
        self._found: tuple[object, object, object, dict[PowerId, Any]] = (None, None, None, {})

    def options_in(self, rules: object, judgement: object, state: object) -> dict[PowerId, Any]:
        """Each power's options found so far; more are added later."""
        known, by_whom, position, options = self._found
        if known is not rules or by_whom is not judgement or position != state:
            options = {}
            self._found = rules, judgement, state, options
        return options


_LAST = _Last()


class Outlook(Generic[S, V, O]):
    """A phase as one power's player sees it.

    Args:
        view: what the power may know.
    """

    def __init__(self, rules: GameSystem[S, V, O], judgement: Judgement[S, V, O], view: V) -> None:
        self.rules = rules
        self.judgement = judgement
        self.state = judgement.imagine(view)
        self.to_act = rules.play.status(self.state).to_act
        self._dice = rules.play.dice(self.state)
        self._measure = judgement.measure(self.state)
        self._options: dict[PowerId, LegalOrders[O]] = _LAST.options_in(rules, judgement, self.state)

    def options(self, power: PowerId) -> LegalOrders[O]:
        """What a power can order here, found when first asked for."""
        found = self._options.get(power)
        if found is None:
            found = self._options[power] = self._find_options(power)
        return found

    def worth_after(self, power: PowerId, sheet: OrderMap[O], guess: Guess[O]) -> Worth:
        """How well each power would stand if a power sent this sheet and the guess came true."""
        orders = {other: tuple(orders.values()) for other, orders in guess.sheets.items()}
        orders[power] = tuple(sheet.values())
        dice = replace(self._dice, seed=guess.luck)
        return self._measure(self.rules.play.adjudicate(self.state, orders, dice).state)

    def _find_options(self, power: PowerId) -> LegalOrders[O]:
        listed = self.rules.orders.legal(self.rules.sight.view(self.state, Playing(power)))
        tried = {subject: tuple(filter(self.judgement.is_tried, orders)) for subject, orders in listed.items()}
        legal = {subject: orders for subject, orders in tried.items() if orders}
        judge, intent = self.judgement.appeal(self.state, power), self.judgement.intent
        intents = {order: done for orders in legal.values() for order in orders if (done := intent(order)) is not None}
        own = {done.origin for done in intents.values()}
        kept = {
            subject: tuple(order for order in orders if _is_ours(intents.get(order), own))
            for subject, orders in legal.items()
        }
        appeal = {
            order: judge(order)
            for orders in kept.values()
            for order in orders
            if order not in intents or intents[order].helps is None
        }
        wanted = {subject: tuple(o for o in orders if appeal.get(o, 0.0) >= 0) for subject, orders in kept.items()}
        return LegalOrders({subject: orders for subject, orders in wanted.items() if orders}, intents, appeal)


def _is_ours(intent: Intent | None, own: set[str]) -> bool:
    """Whether an order is for the good of one's own side; nobody negotiates here, so nobody helps others."""
    return intent is None or intent.helps is None or intent.helps[0] in own


def shuffled(chance: Chance, items: Sequence[O]) -> list[O]:
    """The items in an order by chance."""
    return sorted(items, key=lambda item: chance.random())
