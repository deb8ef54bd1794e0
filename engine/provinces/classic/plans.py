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
from engine.provinces.classic.model import Convoy, Order, State, SupportHold, SupportMove, Unit
from engine.provinces.classic.notation import format_order
from engine.provinces.classic.numbering import NumberedBoard, Post, numbered
from engine.provinces.classic.reach import ARMY
from engine.provinces.contest.contest import NOBODY
from engine.provinces.orders import Hold, Move, Waive

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
        post: where its unit stands, and of which kind that is; `of_post`: the same of another unit that it names.
        order: with the province alone where an army is told a coast.
        ending: what becomes of it if nothing stands in its way.
        among: the units among which the order is legal; `None`: it is wherever those are that it names.
        to: the space to which the unit moves; `NOBODY` if it stays. `goal` is the place.
        is_by_sea: whether the unit is an army that can only go by sea, or wishes to.
        of: the space of another unit that is supported or convoyed; `NOBODY` if there is none.
        of_place: where the order says that the other unit is.
        of_to: the space to which the other has to move; `NOBODY` if it has to stay. `of_goal` is the place.
        is_convoy: whether the other is convoyed.
    """

    post: Post
    of_post: Post | None
    order: Order
    text: str
    ending: Ending
    among: tuple[Unit, ...] | None = None
    to: int = NOBODY
    goal: PlaceId = _NOWHERE
    is_by_sea: bool = False
    of: int = NOBODY
    of_place: PlaceId = _NOWHERE
    of_to: int = NOBODY
    of_goal: PlaceId = _NOWHERE
    is_convoy: bool = False


@cache
def plans_by_borders(board: Board) -> Mapping[Order, Plan]:
    """The plans of the orders that are legal by the borders of a board alone if the units that they name are there.

    Each of these orders carries its plan. Who reads orders hands out these, so that nobody has to look theirs up.
    """
    numbers = numbered(board)
    plans = {order: plan_of(numbers, order) for order in by_borders(board)}
    for order, plan in plans.items():
        object.__setattr__(order, "plan", plan)
    return plans


def carry_plan(state: State, order: Order) -> None:
    """Have an order carry its plan, if it has none: it is legal with the units of a state."""
    if not hasattr(order, "plan"):
        plan = plan_of(numbered(state.variant.board), order)
        plan.among = state.units
        object.__setattr__(order, "plan", plan)


def plan_of(board: NumberedBoard, order: Order) -> Plan:
    """The plan of a movement order."""
    assert not isinstance(order, Waive)
    post = board.posts[order.kind][order.at]
    if isinstance(order, Hold):
        return Plan(post, None, order, format_order(order), HELD)
    if isinstance(order, Move):
        to = order.to
        if order.kind == ARMY and "/" in to:
            # An army that is told a coast goes to the province.
            to = PlaceId(province_of(to))
            order = replace(order, to=to)
        is_by_sea = order.kind == ARMY and (order.via_convoy or to not in post.goals)
        return Plan(post, None, order, format_order(order), MOVED, None, board.space_of[to], to, is_by_sea)
    assert isinstance(order, SupportHold | SupportMove | Convoy), order
    is_convoy = isinstance(order, Convoy)
    goal = _NOWHERE if isinstance(order, SupportHold) else order.to
    return Plan(
        post,
        board.posts.get(order.of_kind, {}).get(order.of),
        order,
        format_order(order),
        CONVOYED if is_convoy else SUPPORTED,
        of=board.space_of[order.of],
        of_place=order.of,
        of_to=board.space_of[goal] if goal else NOBODY,
        of_goal=goal,
        is_convoy=is_convoy,
    )
