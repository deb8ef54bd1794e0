"""Refuses orders that a power may not give, with the reason, and warns of likely mistakes.

What makes a single order illegal is in `engine.feudal.legality`; here are the orders that exclude each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.core.errors import OrderError
from engine.core.ids import PlaceId, PowerId
from engine.core.orders import Advice, ReadOrder
from engine.core.phrases import Phrase, phrase
from engine.feudal import choosing
from engine.feudal.adjustments import build_flaw, empty_centres, with_king
from engine.feudal.legality import find_flaw
from engine.feudal.listing import legal
from engine.feudal.model import (
    KING,
    Castle,
    Choose,
    Immobilize,
    Order,
    State,
    Support,
    View,
    format_order,
    subject,
)
from engine.provinces.flaws import Flaw, OrderPart
from engine.provinces.orders import Build, Disband, Move, Retreat, Waive
from engine.provinces.phases import PhaseKind

_MOST_HINTED = 20
_MOST_HINTS = 3


def check(view: View, orders: Sequence[ReadOrder[Order]]) -> tuple[OrderError | None, ...]:
    """A verdict on each order; an illegal one does not stand in the way of a later one.

    The entries of a list of centres are looked at by rank, builds from first to last.
    """
    barred = _bar(view)
    given: list[Order] = []
    refused: dict[int, OrderError] = {}
    for index, read in sorted(enumerate(orders), key=lambda item: _rank(item[1].order)):
        flaw = barred or _flaw(view.state, view.viewer or PowerId(""), read.order, given)
        if flaw is None:
            given.append(read.order)
        else:
            is_hinted = barred is None and len(refused) < _MOST_HINTED
            refused[index] = _error(view, read, flaw, is_hinted=is_hinted)
    return tuple(map(refused.get, range(len(orders))))


def _rank(order: Order) -> int:
    return order.rank if isinstance(order, Choose) else 0


def _bar(view: View) -> Flaw | None:
    """Why this viewer may give no orders at all."""
    state, viewer = view.state, view.viewer
    if state.over is not None:
        return Flaw("game_over", OrderPart.VERB, {})
    if viewer is None or viewer not in state.variant.powers:
        return Flaw("no_power", OrderPart.VERB, {})
    if viewer in state.out:
        return Flaw("power_out", OrderPart.VERB, {"power": viewer})
    if state.phase.kind is PhaseKind.RETREATS and all(row.unit.power != viewer for row in state.dislodged):
        return Flaw("nothing_dislodged", OrderPart.VERB, {})
    return None


def _flaw(state: State, viewer: PowerId, order: Order, given: Sequence[Order]) -> Flaw | None:
    if isinstance(order, Build):
        return build_flaw(state, viewer, order, [other for other in given if isinstance(other, Build)])
    flaw = find_flaw(state, viewer, order)
    if flaw is not None:
        return flaw
    if isinstance(order, Choose):
        return _list_flaw(state, viewer, order, given)
    earlier = next((other for other in given if subject(other) == subject(order)), None)
    if earlier is None:
        return None
    if isinstance(order, Castle):
        return Flaw("second_castle", OrderPart.TO, {"place": earlier.centre if isinstance(earlier, Castle) else ""})
    code = "second_magic" if _is_magic(order) and _is_magic(earlier) else "duplicate"
    return Flaw(code, OrderPart.UNIT, {"order": format_order(earlier)})


def _list_flaw(state: State, viewer: PowerId, order: Choose, given: Sequence[Order]) -> Flaw | None:
    entries = [other for other in given if isinstance(other, Choose)]
    if any(entry.centre == order.centre for entry in entries):
        return Flaw("choice_repeated", OrderPart.TO, {"place": order.centre})
    for entry in entries:
        if entry.rank == order.rank:
            return Flaw("duplicate", OrderPart.UNIT, {"order": format_order(entry)})
    most = choosing.list_length(state, viewer)
    return None if len(entries) < most else Flaw("list_too_long", OrderPart.TO, {"most": most})


def _is_magic(order: Order) -> bool:
    return isinstance(order, Immobilize) or (isinstance(order, Support) and order.is_distant)


def _error(view: View, read: ReadOrder[Order], flaw: Flaw, *, is_hinted: bool) -> OrderError:
    return OrderError(
        line=read.line,
        column=read.column,
        end=read.end,
        text=read.text,
        code=flaw.code,
        args=flaw.args,
        hints=_hints(view, read.order) if is_hinted and flaw.code in _HINTED else (),
        subject=_subject(view, read.order),
        order=format_order(read.order),
    )


_HINTED = frozenset({
    "not_adjacent", "impassable", "no_support_there", "impossible_to_support", "no_unit_to_help",
    "retreat_impossible", "distant_not_two", "immobilize_far",
})  # fmt: skip


def _hints(view: View, order: Order) -> tuple[str, ...]:
    """Legal orders of the same unit that share a place with it."""
    wanted = _places(order)
    alike = [
        other
        for other in legal(view).get(subject(order), ())
        if wanted & _places(other) and isinstance(other, Support) == isinstance(order, Support)
    ]
    alike.sort(key=lambda other: (type(other) is not type(order), -len(wanted & _places(other))))
    return tuple(map(format_order, alike[:_MOST_HINTS]))


def _places(order: Order) -> set[PlaceId]:
    match order:
        case Move() | Retreat():
            return {order.to}
        case Support():
            return {place for place in (order.of, order.to) if place is not None}
        case Immobilize():
            return {order.of}
    return set()


def _subject(view: View, order: Order) -> str | None:
    """The place of the viewer's unit that the order is for; builds and choices have results of their own."""
    if isinstance(order, Build | Waive | Choose | Castle):
        return None
    rows = [row.unit for row in view.state.dislodged]
    own = {unit.at for unit in (*view.state.units, *rows) if unit.power == view.viewer}
    return order.at if order.at in own else None


# Warnings


def advise(view: View, orders: Sequence[ReadOrder[Order]]) -> tuple[Advice, ...]:
    """Legal orders that are probably mistakes, judging by the viewer's own orders alone, in the order of the lines."""
    state, viewer = view.state, view.viewer
    if viewer is None or not orders:
        return ()
    if state.phase.kind is PhaseKind.ADJUSTMENTS:
        return tuple(Advice(orders[-1].line, what) for what in _winter_advice(state, viewer, orders))
    if state.phase.kind is PhaseKind.SETUP:
        return tuple(Advice(orders[-1].line, what) for what in _list_advice(state, viewer, orders))
    given = {subject(read.order): read.order for read in orders}
    own = {unit.at for unit in state.units if unit.power == viewer}
    found = []
    for read in orders:
        if isinstance(read.order, Disband) and read.order.kind == KING:
            found.append(Advice(read.line, phrase("advice.king_disbanded", order=format_order(read.order))))
        if (what := _mismatch(read.order, given, own)) is not None:
            found.append(Advice(read.line, what, (read.line,)))
        if (other := _collision(read.order, given)) is not None:
            code = "advice.same_retreat" if isinstance(other, Retreat) else "advice.same_goal"
            what = phrase(code, order=format_order(read.order), other=format_order(other))
            lines = tuple(each.line for each in orders if each.order is other)
            found.append(Advice(read.line, what, (*lines, read.line)))
    return tuple(found)


def _list_advice(state: State, viewer: PowerId, orders: Sequence[ReadOrder[Order]]) -> Iterator[Phrase]:
    """A list for several centres that leaves little choice where others name the same."""
    count = sum(isinstance(read.order, Choose) for read in orders)
    if choosing.is_quick(state) and 0 < count < choosing.enough_entries(state, viewer):
        wanted, most = choosing.wanted(state, viewer), choosing.list_length(state, viewer)
        yield phrase("advice.short_list", count=count, wanted=wanted, most=most)


def _winter_advice(state: State, viewer: PowerId, orders: Sequence[ReadOrder[Order]]) -> Iterator[Phrase]:
    """Where the King comes up who was not built, and which centres would stay empty though nobody said so."""
    builds = [read.order for read in orders if isinstance(read.order, Build)]
    if not state.owned(viewer):
        return
    king = next(build for build in with_king(state, viewer, builds) if build.kind == KING)
    if king not in builds:
        yield phrase("advice.king_missing", place=king.at)
    empty = empty_centres(state, viewer, builds)
    if empty and all(not isinstance(read.order, Waive) for read in orders):
        yield phrase("advice.centres_empty", places=empty)


def _mismatch(order: Order, given: dict[str, Order], own: set[PlaceId]) -> Phrase | None:
    """A support for one's own unit that does something else."""
    if not isinstance(order, Support) or order.of not in own:
        return None
    done, unit = given.get(order.of), f"{order.of_kind} {order.of}"
    args = {"order": format_order(order), "unit": unit}
    if order.to is None:
        return phrase("advice.held_but_moves", **args, done=format_order(done)) if isinstance(done, Move) else None
    if isinstance(done, Move) and done.to == order.to:
        return None
    if done is None:
        return phrase("advice.helps_unordered", **args, place=order.to)
    return phrase("advice.helps_otherwise", **args, done=format_order(done))


def _collision(order: Order, given: dict[str, Order]) -> Order | None:
    """The order of another of one's own units that goes to the same place, if neither has help."""
    if not isinstance(order, Move | Retreat):
        return None
    for other in given.values():
        if other is order:
            return None
        if type(other) is type(order) and isinstance(other, Move | Retreat) and other.to == order.to:
            if isinstance(order, Move) and any(
                isinstance(help_, Support) and help_.to == order.to for help_ in given.values()
            ):
                return None
            return other
    return None
