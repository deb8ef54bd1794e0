"""Movement orders in numbers, as `movement` reads them; those that the borders of a map allow are in a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from engine.core.ids import PlaceId, province_of
from engine.core.outcome import Outcome
from engine.core.phrases import Phrase, phrase
from engine.provinces.board import Board
from engine.provinces.classic.legality import by_borders
from engine.provinces.classic.model import Convoy, Order, SupportHold, SupportMove
from engine.provinces.classic.notation import format_order
from engine.provinces.classic.numbering import NumberedBoard, Post, numbered
from engine.provinces.classic.reach import ARMY
from engine.provinces.contest.contest import NOBODY
from engine.provinces.orders import Hold, Move

Ending = tuple[Outcome, Phrase]
"""What became of an order, and why."""

HELD: Ending = (Outcome.SUCCEEDS, phrase("outcome.held"))
MOVED: Ending = (Outcome.SUCCEEDS, phrase("outcome.moved"))
SUPPORTED: Ending = (Outcome.SUCCEEDS, phrase("outcome.supported"))
CONVOYED: Ending = (Outcome.SUCCEEDS, phrase("outcome.convoyed"))

_NOWHERE = PlaceId("")


@dataclass(slots=True, eq=False)
class Plan:
    """What a movement order says, in numbers. Never changed; not frozen, which would take most of the time to make it.

    Args:
        order: with the province alone where an army is told a coast.
        ending: what becomes of it if nothing stands in its way.
        post: where its unit stands, and of which kind that is.
        to: the space to which the unit moves; `NOBODY` if it stays. `goal` is the place.
        is_by_sea: whether the unit is an army that can only go by sea, or wishes to.
        of: the space of another unit that is supported or convoyed; `NOBODY` if there is none.
        of_place: where the order says that the other unit is; `of_post` also has the kind that the order calls it.
        of_to: the space to which the other has to move; `NOBODY` if it has to stay. `of_goal` is the place.
        about: the space to which the other unit moves, or in which it stays.
        is_convoy: whether the other is convoyed.
    """

    order: Order
    text: str
    ending: Ending
    post: Post
    to: int = NOBODY
    goal: PlaceId = _NOWHERE
    is_by_sea: bool = False
    of: int = NOBODY
    of_place: PlaceId = _NOWHERE
    of_post: Post | None = None
    of_to: int = NOBODY
    of_goal: PlaceId = _NOWHERE
    about: int = NOBODY
    is_convoy: bool = False


@cache
def plans_by_borders(board: Board) -> Mapping[Order, Plan]:
    """The plans of the orders that are legal by the borders of a board alone if the units that they name are there."""
    numbers = numbered(board)
    return {order: plan_of(numbers, order) for order in by_borders(board)}


def plan_of(board: NumberedBoard, order: Order) -> Plan:
    """The plan of a movement order."""
    match order:
        case Hold(kind, at):
            return Plan(order, format_order(order), HELD, board.posts[kind][at])
        case Move(kind, at, to, via_convoy):
            post = board.posts[kind][at]
            if kind == ARMY and "/" in to:
                # An army that is told a coast goes to the province.
                to = PlaceId(province_of(to))
                order = replace(order, to=to)
            is_by_sea = kind == ARMY and (via_convoy or to not in post.goals)
            return Plan(order, format_order(order), MOVED, post, board.space_of[to], to, is_by_sea)
        case SupportHold(_, _, _, of):
            return _plan_of_help(board, order, board.space_of[of])
        case SupportMove(_, _, _, _, to) | Convoy(_, _, _, _, to):
            return _plan_of_help(board, order, board.space_of[to], to)
    raise AssertionError(order)


def _plan_of_help(
    board: NumberedBoard, order: SupportHold | SupportMove | Convoy, about: int, goal: PlaceId = _NOWHERE
) -> Plan:
    is_convoy = isinstance(order, Convoy)
    return Plan(
        order,
        format_order(order),
        CONVOYED if is_convoy else SUPPORTED,
        board.posts[order.kind][order.at],
        of=board.space_of[order.of],
        of_place=order.of,
        of_post=board.posts.get(order.of_kind, {}).get(order.of),
        of_to=about if goal else NOBODY,
        of_goal=goal,
        about=about,
        is_convoy=is_convoy,
    )
