"""Refuses orders that a power may not give, with the reason, and warns of likely mistakes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.core.errors import OrderError
from engine.core.ids import PowerId, province_of
from engine.core.orders import Advice, ReadOrder
from engine.core.phrases import phrase
from engine.provinces.classic import check as classic
from engine.provinces.classic.model import Convoy, SupportHold, SupportMove
from engine.provinces.classic.reach import FLEET
from engine.provinces.flaws import Flaw, OrderPart
from engine.provinces.orders import Build, Hold, Move, Remove, Waive
from engine.provinces.phases import PhaseKind
from engine.young_kingdoms.battlefield import Battlefield, field_of
from engine.young_kingdoms.legality import find_flaw
from engine.young_kingdoms.listing import list_orders
from engine.young_kingdoms.model import (
    CASTS,
    SORCERER,
    CardOrder,
    CastOnPlace,
    CastOnUnit,
    CastSupport,
    Give,
    Order,
    Place,
    Ride,
    ShareOrder,
    Unshare,
    View,
)
from engine.young_kingdoms.notation import excludes, format_order, subject

_OURS = (*CASTS, Ride, ShareOrder, Unshare, CardOrder, Give, Place)
_PLAIN = frozenset({"duplicate", "excluded", "nothing_to_order", "too_many_builds", "too_many_removals"})
"""Errors that need no suggestion: the order is possible, but not beside the others."""
_MOST_HINTED = 10
_MOST_HINTS = 3


def check(view: View, orders: Sequence[ReadOrder[Order]]) -> tuple[OrderError | None, ...]:
    """A verdict on each order; of two legal ones that exclude each other the later is refused."""
    given: list[Order] = []
    verdicts: list[OrderError | None] = []
    refused = 0
    for read in orders:
        flaw = _bar(view) or _undue(view, given, read.order)
        if flaw is None and view.viewer is not None:
            flaw = find_flaw(field_of(view.state), view.viewer, read.order)
        if flaw is None:
            earlier = next((one for one in given if excludes(read.order, one)), None)
            if earlier is None:
                given.append(read.order)
                verdicts.append(None)
                continue
            args = {"order": format_order(earlier), "subject": subject(earlier)}
            same = subject(earlier) == subject(read.order)
            flaw = Flaw("duplicate" if same else "excluded", OrderPart.UNIT, args)
        verdicts.append(_error(view, read, flaw, is_hinted=refused < _MOST_HINTED))
        refused += 1
    return tuple(verdicts)


def _bar(view: View) -> Flaw | None:
    """Why this viewer may give no orders at all."""
    state, viewer = view.state, view.viewer
    if state.over is not None:
        return Flaw("game_over", OrderPart.VERB, {})
    if viewer is None or viewer not in state.variant.powers:
        return Flaw("no_power", OrderPart.VERB, {})
    return None


def _undue(view: View, given: Sequence[Order], order: Order) -> Flaw | None:
    """A build where units are to be removed, the other way round, or more of either than is due."""
    if view.viewer is None or view.state.phase.kind is not PhaseKind.ADJUSTMENTS:
        return None
    due = field_of(view.state).adjustment(view.viewer)
    if not isinstance(order, Build | Remove | Waive):
        return None
    if due == 0:
        return Flaw("nothing_to_order", OrderPart.VERB, {})
    if isinstance(order, Remove) and due > 0:
        return Flaw("no_removal_due", OrderPart.VERB, {"count": due})
    if isinstance(order, Build | Waive) and due < 0:
        return Flaw("no_build_due", OrderPart.VERB, {"count": -due})
    if len(given) >= abs(due) and all(subject(one) != subject(order) for one in given):
        return Flaw("too_many_builds" if due > 0 else "too_many_removals", OrderPart.VERB, {"count": abs(due)})
    return None


def _error(view: View, read: ReadOrder[Order], flaw: Flaw, *, is_hinted: bool) -> OrderError:
    return OrderError(
        line=read.line,
        column=read.column,
        end=max(read.end, read.column + 1),
        text=read.text,
        code=flaw.code,
        args=flaw.args,
        hints=_hints(view, read.order) if is_hinted and flaw.code not in _PLAIN else (),
        subject=_subject(view, read.order),
        order=format_order(read.order),
    )


def _subject(view: View, order: Order) -> str | None:
    """What the order is for, where that is the viewer's own."""
    if isinstance(order, _OURS) or getattr(order, "kind", None) == "S":
        return subject(order)
    if isinstance(order, Waive):
        return None
    field = field_of(view.state)
    own = {province_of(unit.at) for unit in field.units_of(view.viewer)}
    province = province_of(order.at)
    return province if province in own or isinstance(order, Build) else None


def _hints(view: View, order: Order) -> tuple[str, ...]:
    """Legal orders of the same sort for the same unit, or of the same card."""
    if view.viewer is None:
        return ()
    listed = list_orders(field_of(view.state), view.viewer)
    same, card = listed.get(subject(order), ()), getattr(order, "card", None)
    if isinstance(order, Build | Remove) and order.kind == SORCERER:
        others = (one for orders in listed.values() for one in orders)
        same = tuple(sorted(others, key=lambda one: getattr(one, "at", None) != order.at))
    if card is None:
        chosen = [one for one in same if type(one) is type(order)]
    else:
        # Each card has a form of its own, which may not be the one that was written.
        chosen = [one for one in same if getattr(one, "card", None) == card]
        chosen.sort(key=lambda one: type(one) is not type(order))
    target = getattr(order, "to", None) or getattr(order, "of", None)
    chosen.sort(key=lambda one: target not in (getattr(one, "to", None), getattr(one, "of", None)))
    return tuple(format_order(one) for one in chosen[:_MOST_HINTS])


def advise(view: View, orders: Sequence[ReadOrder[Order]]) -> tuple[Advice, ...]:
    """Diplomacy's warnings for armies and fleets, and spells that help one's own unit that does something else."""
    plain = [read for read in orders if not isinstance(read.order, _OURS) and _is_ordinary(read.order)]
    found = list(classic.advise(view, plain))  # type: ignore[arg-type]
    for read in orders:
        if isinstance(read.order, CastSupport) and view.viewer is not None:
            found += _spell_advice(view, view.viewer, read, orders)
        if isinstance(read.order, Move) and read.order.kind == SORCERER:
            found += _uncarried(field_of(view.state), read.order, read.line, orders)
        if isinstance(read.order, CastOnPlace):
            found += _barred(read.order, read.line, orders)
        if isinstance(read.order, CastOnUnit) and view.viewer is not None:
            spell = read.order
            if field_of(view.state).find_unit(spell.of_kind, spell.of, view.viewer) is not None:
                unit = f"{spell.of_kind} {spell.of}"
                found.append(Advice(read.line, phrase("advice.destroys_own", order=format_order(spell), unit=unit)))
    return tuple(sorted(found, key=lambda advice: advice.line))


def _uncarried(field: Battlefield, way: Move, line: int, orders: Sequence[ReadOrder[Order]]) -> Iterator[Advice]:
    """A sorcerer's way by sea for which the other orders leave no fleets, as Diplomacy warns of armies."""
    here, there = province_of(way.at), province_of(way.to)
    if there in field.walks[here] and not way.via_convoy:
        return
    moved = [read.order for read in orders if isinstance(read.order, Hold | Move | SupportHold | SupportMove | Convoy)]
    busy = frozenset(
        province_of(order.at)
        for order in moved
        if order.kind == FLEET
        and not (isinstance(order, Convoy) and (province_of(order.of), province_of(order.to)) == (here, there))
    )
    if there not in field.routes_without(here, busy):
        yield Advice(line, phrase("advice.not_carried", unit=f"{SORCERER} {way.at}", place=there), (line,))


def _barred(spell: CastOnPlace, line: int, orders: Sequence[ReadOrder[Order]]) -> Iterator[Advice]:
    """Own orders that go into or out of a space that a spell closes, or convoy there, and come to nothing."""
    closed = province_of(spell.to)
    for read in orders:
        match read.order:
            case Move(_, at, to) if closed in (province_of(at), province_of(to)):
                pass
            case Convoy(_, at, _, of, to) if closed in map(province_of, (at, of, to)):
                pass
            case _:
                continue
        args = {"order": format_order(spell), "place": closed, "other": format_order(read.order)}
        yield Advice(line, phrase("advice.barred", **args), (read.line,))


def _is_ordinary(order: Order) -> bool:
    return "S" not in (getattr(order, "kind", None), getattr(order, "of_kind", None))


def _spell_advice(
    view: View, viewer: PowerId, read: ReadOrder[Order], orders: Sequence[ReadOrder[Order]]
) -> list[Advice]:
    spell = read.order
    assert isinstance(spell, CastSupport)
    unit = field_of(view.state).find_unit(spell.of_kind, spell.of, viewer)
    if unit is None:
        return []
    for other in orders:
        if subject(other.order) == province_of(unit.at) and not isinstance(other.order, CardOrder | Give):
            goal = getattr(other.order, "to", None) if isinstance(other.order, Move) else None
            if goal != spell.to:
                args = {
                    "order": format_order(spell),
                    "unit": f"{unit.kind} {unit.at}",
                    "done": format_order(other.order),
                }
                return [Advice(read.line, phrase("advice.helps_otherwise", **args), (read.line,))]
    return []
