"""Refuses orders that a power may not give, pointing at the words that are wrong, and warns of likely mistakes.

Comes after `parse` and before the order sheet. What makes a single order illegal is in `legality`; here are the
orders that exclude each other, the words to point at, and the orders to offer instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.core.errors import OrderError
from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.core.orders import Advice, ReadOrder
from engine.core.phrases import Phrase, phrase
from engine.provinces.classic.language import Name, Sentence, UnitWords
from engine.provinces.classic.legality import find_flaw
from engine.provinces.classic.listing import list_about
from engine.provinces.classic.model import Convoy, Order, SupportHold, SupportMove, Unit, View
from engine.provinces.classic.notation import format_order, format_unit, subject
from engine.provinces.classic.parse import MOST_HINTED, MOST_HINTS, read_piece
from engine.provinces.classic.plans import carry_plan, plans_by_borders
from engine.provinces.classic.reach import FLEET, Position, position_of
from engine.provinces.flaws import Flaw, OrderPart
from engine.provinces.orders import Build, Disband, Hold, Move, Planned, Remove, Retreat, Waive
from engine.provinces.phases import PhaseKind


def check(view: View, orders: Sequence[ReadOrder[Order]]) -> tuple[OrderError | None, ...]:
    """A verdict on each order; if two legal ones exclude each other, the later is refused.

    An illegal order does not stand in the way of a later one for the same unit. Source: DATC 4.D.3-6, 4.E.1.
    """
    if not orders:
        return ()
    checker = _Checker(view)
    verdicts: list[OrderError | None] = []
    refused = 0
    for read in orders:
        flaw = checker.flaw(read)
        verdicts.append(None if flaw is None else checker.error(read, flaw, is_hinted=refused < MOST_HINTED))
        refused += flaw is not None
    return tuple(verdicts)


class _Checker:
    """Checks the orders of one sheet from first to last."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._position = position_of(view.state)
        self._kind = view.state.phase.kind
        self._by_borders = plans_by_borders(view.state.variant.board) if self._kind is PhaseKind.MOVEMENT else {}
        self._given: dict[str, Order] = {}
        self._barred = self._bar()

    def flaw(self, read: ReadOrder[Order]) -> Flaw | None:
        """Why an order is refused; an accepted one is remembered."""
        order, viewer = read.order, self._view.viewer
        if self._barred is not None or viewer is None:
            return self._barred
        if self._kind is PhaseKind.MOVEMENT:
            return self._movement_flaw(order, viewer)
        due = self._due_flaw(order, viewer) if self._kind is PhaseKind.ADJUSTMENTS else None
        return due or find_flaw(self._position, viewer, order) or self._accept(order, viewer)

    def _movement_flaw(self, order: Order, viewer: PowerId) -> Flaw | None:
        """The same for a movement order. What the borders allow units in their places is in a table."""
        plan, holders = getattr(order, "plan", None) or self._by_borders.get(order), self._position.holders
        if (
            plan is not None
            and plan.among is None
            and holders.get(plan.post) == viewer
            and (plan.of_post is None or plan.of_post in holders)
        ):
            return self._remember(order, plan.post.province)
        flaw = find_flaw(self._position, viewer, order)
        if flaw is not None:
            return flaw
        carry_plan(self._view.state, order)
        return self._remember(order, subject(order))

    def error(self, read: ReadOrder[Order], flaw: Flaw, *, is_hinted: bool) -> OrderError:
        """The flaw as an error that points at the words it is about."""
        piece, text = read.text[read.column - 1 : read.end - 1], format_order(read.order)
        span = _canonical_span(read.order, flaw.part, len(text)) if piece == text else None
        start, end = span or _span(read_piece(piece, self._view), flaw.part, len(piece))
        return OrderError(
            line=read.line,
            column=read.column + start,
            end=read.column + max(end, start + 1),
            text=read.text,
            code=flaw.code,
            args=flaw.args,
            hints=self._hints(read.order, flaw) if is_hinted else (),
            subject=self._subject(read.order),
            order=text,
        )

    def _bar(self) -> Flaw | None:
        """Why this viewer may order nothing at all."""
        state, viewer = self._view.state, self._view.viewer
        if state.over is not None:
            return Flaw("game_over", OrderPart.VERB, {})
        if viewer is None or viewer not in state.variant.powers:
            return Flaw("no_power", OrderPart.VERB, {})
        if self._kind is PhaseKind.MOVEMENT and viewer in self._position.holders.values():
            return None
        owns = any(unit.power == viewer for unit in state.units) or viewer in state.centres.values()
        if not owns and not any(dislodged.unit.power == viewer for dislodged in state.dislodged):
            return Flaw("power_out", OrderPart.VERB, {"power": viewer})
        if self._kind is PhaseKind.ADJUSTMENTS:
            return None if self._position.adjustment(viewer) else Flaw("nothing_to_order", OrderPart.VERB, {})
        if not self._position.units_of(viewer):
            code = "nothing_dislodged" if self._kind is PhaseKind.RETREATS else "no_units"
            return Flaw(code, OrderPart.VERB, {})
        return None

    def _accept(self, order: Order, viewer: PowerId) -> Flaw | None:
        """Remember the order, unless it is one too many or excludes one that came before."""
        if self._kind is PhaseKind.ADJUSTMENTS:
            flaw = self._count_flaw(order, viewer)
            if flaw is not None:
                return flaw
        return self._remember(order, subject(order))

    def _remember(self, order: Order, key: str) -> Flaw | None:
        earlier = self._given.setdefault(key, order)
        if earlier is order or earlier == order:
            return None
        return Flaw("duplicate", OrderPart.UNIT, {"order": format_order(earlier), "subject": key})

    def _is_undue(self, order: Order, viewer: PowerId) -> bool:
        return self._kind is PhaseKind.ADJUSTMENTS and self._due_flaw(order, viewer) is not None

    def _due_flaw(self, order: Order, viewer: PowerId) -> Flaw | None:
        """A build when units have to be removed, or the other way round."""
        due = self._position.adjustment(viewer)
        if isinstance(order, Remove) and due > 0:
            return Flaw("no_removal_due", OrderPart.VERB, {"count": due})
        if isinstance(order, Build | Waive) and due < 0:
            return Flaw("no_build_due", OrderPart.VERB, {"count": -due})
        return None

    def _count_flaw(self, order: Order, viewer: PowerId) -> Flaw | None:
        """More builds or removals than are due: the first legal ones count. Source: DATC 4.D.4-6"""
        due = self._position.adjustment(viewer)
        if subject(order) in self._given or len(self._given) < abs(due):
            return None
        return Flaw("too_many_builds" if due > 0 else "too_many_removals", OrderPart.VERB, {"count": abs(due)})

    def _subject(self, order: Order) -> str | None:
        """The province that the order is for, if the viewer's own unit stands there (or is to be built there)."""
        if isinstance(order, Waive):
            return None
        province = province_of(order.at)
        if isinstance(order, Build):
            return province
        if self._kind is PhaseKind.MOVEMENT:
            unit = self._position.unit_at.get(province)
            return province if unit is not None and unit.power == self._view.viewer else None
        own = {province_of(unit.at) for unit in self._position.units_of(self._view.viewer)}
        return province if province in own else None

    # What could have been meant

    def _hints(self, order: Order, flaw: Flaw) -> tuple[str, ...]:
        viewer = self._view.viewer
        if viewer is None or self._barred is not None or flaw.code in _PLAIN:
            return ()
        right = [
            other
            for other in self._alternatives(order, flaw)
            if find_flaw(self._position, viewer, other) is None and not self._is_undue(other, viewer)
        ]
        # What is listed is legal.
        found = right or next(filter(None, self._similar(order, viewer)), [])
        return tuple(dict.fromkeys(map(format_order, found)))[:MOST_HINTS]

    def _alternatives(self, order: Order, flaw: Flaw) -> Iterator[Order]:
        """The same order put right, if it is one of these mistakes; not all results are legal."""
        coasts: tuple[PlaceId, ...] = flaw.args.get("coasts", ())
        match order:
            case Move(kind, at, to, via_convoy):
                yield from (Move(kind, at, coast) for coast in coasts)
                if self._kind is PhaseKind.RETREATS:
                    yield Retreat(kind, at, to)
                if via_convoy:
                    yield Move(kind, at, to)
            case Retreat(kind, at, to):
                yield from (Retreat(kind, at, coast) for coast in coasts)
                yield Move(kind, at, to)
            case Hold(kind, at) if self._kind is not PhaseKind.MOVEMENT:
                # Whoever wants it to stay gives it up last.
                driven = self._position.dislodged_at.get(province_of(at))
                yield from (Retreat(kind, at, place) for place in (driven.retreats if driven else ()))
                yield from (Disband(kind, at), Remove(kind, at))
            case Build(_, at):
                yield from (Build(FLEET, coast) for coast in coasts)
                yield Remove(order.kind, at)
            case SupportMove(kind, at, of_kind, of, to):
                yield from (SupportMove(kind, at, of_kind, of, place) for place in self._places(to))

    def _places(self, to: PlaceId) -> tuple[PlaceId, ...]:
        province = province_of(to)
        return (PlaceId(province), *self._position.reach.board.provinces[province].coasts)

    def _similar(self, order: Order, viewer: PowerId) -> Iterator[list[Order]]:
        """Legal orders that share something with it: of the same unit, then of others."""
        goal, helped = _goal(order), _helped(order)
        most = (goal is not None) + (helped is not None)
        if not most:
            return
        sort = type(order)
        sorts = (sort, *_KIN.get(sort, ()))
        alike = [
            other
            for other in list_about(self._position, viewer, sorts, goal, helped, subject(order))
            if _likeness(other, goal, helped) == most or (type(other) is sort and _likeness(other, goal, helped))
        ]
        yield sorted(alike, key=lambda other: -_likeness(other, goal, helped))
        others = list_about(self._position, viewer, (sort,), goal, helped)
        yield [other for other in others if _likeness(other, goal, helped) == most]


_PLAIN = frozenset({"duplicate", "nothing_to_order", "too_many_builds", "too_many_removals"})
"""Errors that need no suggestion: no other order would have been meant."""

_KIN: dict[type, tuple[type, ...]] = {
    Move: (Move,),
    SupportHold: (SupportHold, SupportMove),
    SupportMove: (SupportMove, SupportHold),
    Convoy: (Convoy, SupportMove),
    Retreat: (Retreat,),
    Build: (Build,),
    Remove: (Remove,),
}
"""Which orders may have been meant by an order of each kind."""


def _goal(order: Order) -> ProvinceId | None:
    to: PlaceId | None = getattr(order, "to", None)
    return None if to is None else province_of(to)


def _helped(order: Order) -> ProvinceId | None:
    of: PlaceId | None = getattr(order, "of", None)
    return None if of is None else province_of(of)


def _likeness(order: Order, goal: ProvinceId | None, helped: ProvinceId | None) -> int:
    return (goal is not None and _goal(order) == goal) + (helped is not None and _helped(order) == helped)


def _canonical_span(order: Order, part: OrderPart, length: int) -> tuple[int, int] | None:
    """Where a part of a movement order stands in its canonical text; `None`: it has no words of its own."""
    if not isinstance(order, Planned):
        return None
    verb = 3 + len(order.at)
    match part, order:
        case OrderPart.UNIT, _:
            return 0, verb - 1
        case OrderPart.VERB, _:
            return verb, verb + 1
        case OrderPart.OF, SupportHold() | SupportMove() | Convoy():
            return verb + 2, verb + 4 + len(order.of)
        case OrderPart.TO, Move():
            return verb + 2, verb + 2 + len(order.to)
        case OrderPart.TO, SupportMove() | Convoy():
            return length - len(order.to), length
    return None


def _span(sentence: Sentence | None, part: OrderPart, length: int) -> tuple[int, int]:
    """Where a part of an order stands in its text; the whole text if it has no words of its own."""
    if sentence is None:
        return 0, length
    words: UnitWords | Name | None = None
    match part:
        case OrderPart.TO:
            words = sentence.to or sentence.of
        case OrderPart.OF:
            words = sentence.of
        case OrderPart.UNIT:
            words = sentence.unit
        case OrderPart.VERB:
            return sentence.verb_start, sentence.verb_end
    if isinstance(words, UnitWords):
        return words.start, words.name.end
    return (words.start, words.end) if words is not None else (0, length)


# Warnings


def advise(view: View, orders: Sequence[ReadOrder[Order]]) -> tuple[Advice, ...]:
    """Legal orders that are probably mistakes, judging by the viewer's own orders alone, in the order of the lines."""
    viewer = view.viewer
    if viewer is None:
        return ()
    position = position_of(view.state)
    if view.state.phase.kind is PhaseKind.ADJUSTMENTS:
        return ()
    adviser = _Adviser(position, viewer, orders)
    found = []
    for read in orders:
        if (what := adviser.mismatch(read.order)) is not None:
            # A support against one's own unit may still keep others out.
            failing = () if what.code == "advice.against_own" else (read.line,)
            found.append(Advice(read.line, what, failing))
        if (collision := adviser.collision(read)) is not None:
            found.append(collision)
    return tuple(found)


class _Adviser:
    """What the rest of the viewer's sheet says about each order in it."""

    def __init__(self, position: Position, viewer: PowerId, orders: Sequence[ReadOrder[Order]]) -> None:
        self._position = position
        self._viewer = viewer
        self._reads = orders
        self._orders: dict[ProvinceId, Order] = {
            province_of(read.order.at): read.order for read in orders if not isinstance(read.order, Waive)
        }

    def mismatch(self, order: Order) -> Phrase | None:
        """A support or convoy for one's own unit that does something else; a convoyed move that nobody can carry."""
        match order:
            case SupportHold(_, _, of_kind, of):
                return self._held_otherwise(order, f"{of_kind} {of}", self._own(of))
            case SupportMove(_, _, of_kind, of, to) | Convoy(_, _, of_kind, of, to):
                return self._moved_otherwise(order, f"{of_kind} {of}", self._own(of), to) or self._attacks_own(order)
            case Move(kind, at, to):
                return self._uncarried(kind, at, to, order.via_convoy)
            case _:
                return None

    def collision(self, read: ReadOrder[Order]) -> Advice | None:
        """Two of one's own units that go to the same place: both will stay, or both be disbanded."""
        order = read.order
        if not isinstance(order, Move | Retreat):
            return None
        for other in self._reads:
            if other is read:
                return None
            if type(other.order) is type(order) and _goal(other.order) == _goal(order):
                code = "advice.same_retreat" if isinstance(order, Retreat) else "advice.same_goal"
                if not self._is_supported(order) and not self._is_supported(other.order):
                    what = phrase(code, order=format_order(order), other=format_order(other.order))
                    return Advice(read.line, what, (other.line, read.line))
        return None

    def _own(self, at: PlaceId) -> Unit | None:
        unit = self._position.unit_at.get(province_of(at))
        return unit if unit is not None and unit.power == self._viewer else None

    def _is_supported(self, order: Order) -> bool:
        return any(
            isinstance(other, SupportMove) and isinstance(order, Move) and other.of == order.at and other.to == order.to
            for other in self._orders.values()
        )

    def _held_otherwise(self, order: Order, unit: str, own: Unit | None) -> Phrase | None:
        done = self._orders.get(province_of(own.at)) if own is not None else None
        if isinstance(done, Move):
            args = {"order": format_order(order), "unit": unit, "done": format_order(done)}
            return phrase("advice.held_but_moves", **args)
        return None

    def _moved_otherwise(self, order: Order, unit: str, own: Unit | None, to: PlaceId) -> Phrase | None:
        if own is None:
            return None
        done = self._orders.get(province_of(own.at))
        # A support may leave the coast out, and a convoy never names one.
        if isinstance(done, Move) and to in (done.to, province_of(done.to)):
            return None
        if done is None:
            return phrase("advice.helps_unordered", order=format_order(order), unit=unit, place=to)
        return phrase("advice.helps_otherwise", order=format_order(order), unit=unit, done=format_order(done))

    def _attacks_own(self, order: SupportMove | Convoy) -> Phrase | None:
        """A support against one's own unit that stays does nothing. Source: DATC 6.D.12"""
        if isinstance(order, Convoy):
            return None
        target = self._own(order.to)
        if target is None or self._own(order.of) is not None:
            return None
        if isinstance(self._orders.get(province_of(target.at)), Move):
            return None
        return phrase("advice.against_own", order=format_order(order), unit=format_unit(target))

    def _uncarried(self, kind: str, at: PlaceId, to: PlaceId, via_convoy: bool) -> Phrase | None:
        here, there = province_of(at), province_of(to)
        if kind == FLEET or (there in self._position.reach.army[here] and not via_convoy):
            return None
        busy = frozenset(
            province
            for province, other in self._orders.items()
            if self._position.reach.is_sea(province)
            and not (isinstance(other, Convoy) and province_of(other.of) == here and province_of(other.to) == there)
        )
        if there in self._position.routes_without(here, busy):
            return None
        return phrase("advice.not_carried", unit=f"{kind} {at}", place=there)
