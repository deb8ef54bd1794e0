"""What the guided flow works with: what a ruler knows, and whether an order would stand. Source: rules 32"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import Any

from engine.core.ids import PowerId
from engine.core.phrases import Catalogue, phrase
from engine.core.shortlists import LONGEST
from engine.core.variant import phrases_of
from engine.kalevala import orders
from engine.kalevala.board import variant_of
from engine.kalevala.coordinates import GfId, Province, gf_of, neighbours_of
from engine.kalevala.figures import Figures
from engine.kalevala.land import Land, land_of
from engine.kalevala.model import EXPECTED, EXPLORATION_UNITS, INVADER, ORDERS_PART, View
from engine.kalevala.orders import Line, Order, Whole
from engine.kalevala.rounds import attempt, is_allowed_below, rehearse
from engine.kalevala.sheet import amend, is_asked, subject
from engine.kalevala.window import Window


class Counsel:
    """What advice to a ruler is based on: only what the ruler knows, and the lines that stand.

    Args:
        standing: the present lines, in written order.
    """

    def __init__(self, view: View, standing: Sequence[Line]) -> None:
        self.view = view
        self.state = view.state
        self.standing = tuple(standing)
        self.me = view.viewer if is_asked(view) else None
        self._tried: dict[str, bool] = {}
        self._kinds_tried: type[object] = object

    @property
    def ruler(self) -> PowerId:
        """Who is advised."""
        assert self.me is not None, "somebody is asked"
        return self.me

    @cached_property
    def land(self) -> Land:
        """The land as far as it is known."""
        return land_of(self.state)

    @cached_property
    def trial(self) -> Window:
        """The window rehearsed with the present lines."""
        return rehearse(self.state, self.ruler, _in_order(self.standing))

    @cached_property
    def words(self) -> Catalogue:
        """The game's phrases, with the names of its rulers."""
        return phrases_of(variant_of(self.state))

    def say(self, code: str, **args: Any) -> str:
        """A label."""
        return self.words.render(phrase(f"menu.{code}", **args))[:LONGEST]

    @cached_property
    def own(self) -> tuple[Province, ...]:
        """The ruler's provinces."""
        return self.state.owned(self.ruler)

    @property
    def is_invader(self) -> bool:
        """Whether the ruler's realm is more than the land that the ruler owns. Source: rules 4.4"""
        return self.state.rulers[self.ruler].kind == INVADER

    @property
    def is_expected(self) -> bool:
        """Whether the ruler has not entered the game yet."""
        return self.state.rulers[self.ruler].kind == EXPECTED

    @cached_property
    def free_units(self) -> list[int]:
        """The exploration units that are neither spent nor planned."""
        spent = set(self.state.used.get(self.ruler, ()))
        spent |= {line.order.ee for line in self.standing if isinstance(line.order, orders.Explore | orders.Enter)}
        return [ee for ee in range(1, EXPLORATION_UNITS + 1) if ee not in spent]

    def around(self, source: Province) -> Iterator[Province]:
        """The provinces next to one that are not the ruler's; where land is unknown, the great field."""
        here = gf_of(source)
        for gf in (here, *neighbours_of(here)):
            is_known = self.land.is_divided(GfId(gf))
            places = self.land.provinces(GfId(gf)) if is_known else (Province(gf),)
            yield from (place for place in places if place not in self.own and place != source)

    def stack(self, place: Province) -> Figures:
        """What the ruler has in a province once the present lines are carried out."""
        return self.trial.stack(self.ruler, place)

    def losses(self, target: Province) -> int:
        """What the occupation of natives' land costs, as far as it is known."""
        centre = self.land.centre(target)
        return 0 if centre is None else centre.centre.losses

    def only(self, kind: type[Order]) -> Counsel:
        """The same for whoever asks for orders of one kind: no other one is tried out, and none would stand."""
        found = copy(self)
        found._kinds_tried = kind
        return found

    def may(self, order: Order) -> bool:
        """Whether the order would be accepted in addition to the present ones."""
        if not isinstance(order, self._kinds_tried):
            return False
        text = str(order)
        if text not in self._tried:
            self._tried[text] = self._is_allowed(order)
        return self._tried[text]

    def tried(self, order: Order, code: str, **args: Any) -> Whole:
        """The order with its label, if it would not be refused."""
        if self.may(order):
            yield order, self.say(code, **args).rstrip()  # an order without a target ends in a blank

    def _is_allowed(self, order: Order) -> bool:
        """ARM lines are carried out before the others, entries are judged together; any other line comes last."""
        if self._begun is not None and not isinstance(order, orders.Arm) and subject(order) not in self._subjects:
            return is_allowed_below(self._begun, self.ruler, Line(order))
        lines = _in_order(amend(self.view, self.standing, (Line(order),)))
        new = next(line for line in reversed(lines) if line.order == order)
        return not attempt(self.state, self.ruler, lines).is_refused(self.ruler, new)

    @cached_property
    def _begun(self) -> Window | None:
        """The window of orders after the present lines, to try others below them."""
        if self.state.part != ORDERS_PART:
            return None
        return attempt(self.state, self.ruler, _in_order(self.standing))

    @cached_property
    def _subjects(self) -> frozenset[str]:
        return frozenset(subject(line.order) for line in self.standing)


def _in_order(lines: Sequence[Line]) -> tuple[Line, ...]:
    """The lines of a sheet, numbered by their places."""
    return tuple(replace(line, number=number) for number, line in enumerate(lines, 1))
