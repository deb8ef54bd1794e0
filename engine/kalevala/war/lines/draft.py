"""A plan that is changed with menus: questions, possible answers, and the plan that all answers together make."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from engine.core.orders import Choice, Menu
from engine.core.phrases import phrase
from engine.kalevala.coordinates import Province, gf_of
from engine.kalevala.land import land_of
from engine.kalevala.model import View
from engine.kalevala.tables import TERRAIN, UNSEEN
from engine.kalevala.war.plans import Counter as Countering
from engine.kalevala.war.plans import Detail, Spot
from engine.kalevala.war.room import Camp

Say = Callable[..., str]
_COUNTERS = (1, 5, 15, 20, 30)
"""From how many ZEH on enemies' spells are broken, as the menus offer it; 10 is usual."""


@dataclass(frozen=True, slots=True)
class Option:
    """A possible answer; `then`: the next question, or the plan that the answers make."""

    value: str
    label: str
    then: Question | Callable[[], Question] | Sequence[Detail]


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its possible answers."""

    prompt: str
    options: tuple[Option, ...]

    @property
    def menu(self) -> Menu:
        """The menu that asks the question."""
        return Menu(phrase(f"menu.{self.prompt}"), tuple(Choice(option.value, option.label) for option in self.options))


Found: TypeAlias = Question | Sequence[Detail] | None


def walk(options: Iterable[Option], path: Sequence[str]) -> Found:
    """Where some answers lead; `None`: one of them was not offered."""
    first, *rest = path
    option = next((each for each in options if each.value == first), None)
    if option is None:
        return None
    then = option.then() if callable(option.then) else option.then
    if not rest:
        return then
    return walk(then.options, rest) if isinstance(then, Question) else None


@dataclass(frozen=True, slots=True)
class PlanDraft:
    """The plan of a camp as it stands, and what all its lines have in common."""

    view: View
    camp: Camp
    details: tuple[Detail, ...]
    say: Say

    def line(self, value: str, label: str, *added: Detail) -> Option:
        """A choice that adds these lines to the plan."""
        return Option(value, label, (*self.details, *added))

    def rounds(self, numbers: Iterable[int], then: Callable[[int], Question]) -> tuple[Option, ...]:
        """A choice of a round, and what is asked after it."""
        return tuple(Option(str(each), self.say("plan_round", round=each), partial(then, each)) for each in numbers)

    def fields(self, places: Iterable[Province]) -> Iterator[Spot]:
        """The small fields of some provinces where somebody can stand, as far as the viewer knows."""
        land = land_of(self.view.state)
        for place in places:
            field = land.field(place)
            for cell in sorted(land.cells(place)):
                letter = field.cells[cell - 1]
                if letter == UNSEEN or TERRAIN[letter].is_land:
                    yield Spot(cell, Province(gf_of(place)))

    def counters(self) -> tuple[Option, ...]:
        """From how many ZEH on enemies' spells are broken."""
        rest = [each for each in self.details if not isinstance(each, Countering)]
        return tuple(
            Option(str(least), self.say("plan_least", zeh=least), (*rest, Countering(least))) for least in _COUNTERS
        )
