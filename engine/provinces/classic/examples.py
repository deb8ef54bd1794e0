"""For newcomers to Diplomacy and the games that follow its rules: the goal, and orders to begin with."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from engine.core.ids import province_of
from engine.core.phrases import Phrase, phrase
from engine.provinces.classic.model import Convoy, State, SupportMove, View
from engine.provinces.classic.notation import format_order
from engine.provinces.classic.status import status
from engine.provinces.classic.suggest import legal
from engine.provinces.examples import common_examples
from engine.provinces.orders import Move

_HELP: tuple[tuple[type[SupportMove] | type[Convoy], str], ...] = (
    (SupportMove, "example.support"),
    (Convoy, "example.convoy"),
)


def goal(view: View) -> Phrase:
    """Enough centres; or most of them, where the game has a last year."""
    options, centres = view.state.options, view.state.variant.board.centres
    code = "about.goal_until" if options["last_year"] else "about.goal"
    return phrase(code, count=options["victory_centres"], all=len(centres), year=options["last_year"])


def examples(view: View) -> tuple[Phrase, ...]:
    """A move, if possible to a centre that nobody owns, a support and a convoy for it, a hold; retreats and builds."""
    if view.viewer not in status(view.state).to_act:
        return ()
    orders = [order for listed in legal(view).values() for order in listed]
    return tuple(examples_among(view.state, orders))


def examples_among(state: State, orders: Sequence[Any]) -> Iterator[Phrase]:
    """Examples among the legal orders of armies and fleets."""
    free = {place for place, owner in state.centres.items() if owner is None}
    common = tuple(common_examples(orders, format_order, free=free))
    yield from common
    yield from _helping(orders, {example.args["order"] for example in common})


def _helping(orders: Sequence[Any], shown: Collection[str]) -> Iterator[Phrase]:
    """Help for a move of the power's own, best for one that is shown already; a support for none by convoy."""
    moves = [order for order in orders if isinstance(order, Move)]
    for kind, code in _HELP:
        helped = {(move.kind, province_of(move.at), move.to) for move in moves if kind is Convoy or not move.via_convoy}
        own = [one for one in orders if isinstance(one, kind) and (one.of_kind, province_of(one.of), one.to) in helped]
        own.sort(key=lambda one: f"{one.of_kind} {one.of} - {one.to}" not in shown)
        for order in own[:1]:
            unit = f"{order.of_kind} {order.of}"
            yield phrase(code, order=format_order(order), unit=unit, place=province_of(order.to))
