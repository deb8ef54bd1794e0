"""The order sheet of a power: what new orders replace, what is still missing, and a template to fill in."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.ids import province_of
from engine.core.orders import Missing
from engine.core.phrases import Phrase, phrase
from engine.provinces.classic.adjustments import removed_in_disorder
from engine.provinces.classic.listing import list_orders
from engine.provinces.classic.model import Order, Unit, View
from engine.provinces.classic.notation import format_order, format_unit, subject
from engine.provinces.classic.reach import Position, position_of
from engine.provinces.orders import BLANK, Build, Disband, Remove, Retreat, Waive
from engine.provinces.phases import PhaseKind

__all__ = ["amend", "missing", "otherwise", "subject", "template"]


def amend(view: View, standing: Sequence[Order], new: Sequence[Order]) -> tuple[Order, ...]:
    """A sheet with new orders put in, in map order.

    A new order replaces the one for its subject. If there are then too many builds or removals, earlier ones go:
    waived builds first, then the oldest.
    """
    sheet = {subject(order): order for order in standing}
    fresh = {subject(order): order for order in new}
    for key in fresh:
        sheet.pop(key, None)
    if view.viewer is not None and view.state.phase.kind is PhaseKind.ADJUSTMENTS:
        room = abs(position_of(view.state).adjustment(view.viewer)) - len(fresh)
        leaving = sorted(sheet, key=lambda key: not isinstance(sheet[key], Waive))
        for key in leaving[: max(0, len(sheet) - max(0, room))]:
            del sheet[key]
    provinces: dict[str, int] = {province: index for index, province in enumerate(view.state.variant.board.provinces)}
    merged = {**sheet, **fresh}
    return tuple(merged[key] for key in sorted(merged, key=lambda key: (provinces.get(key, len(provinces)), key)))


def missing(view: View, orders: Sequence[Order]) -> tuple[Missing, ...]:
    """What the viewer could still give an order for: `A BUD`, `2 builds`, `1 removal`; in map order."""
    if view.viewer is None or view.state.over is not None:
        return ()
    position = position_of(view.state)
    if view.state.phase.kind is not PhaseKind.ADJUSTMENTS:
        ordered = {subject(order) for order in orders}
        left = (unit for unit in position.units_of(view.viewer) if province_of(unit.at) not in ordered)
        return tuple(Missing(format_unit(unit), (province_of(unit.at),)) for unit in left)
    given = len({subject(order) for order in orders})
    builds, removals = position.builds(view.viewer) - given, position.removals(view.viewer) - given
    if builds > 0:
        return (Missing(phrase("missing.builds", count=builds)),)
    if removals > 0:
        return (Missing(phrase("missing.removals", count=removals)),)
    return ()


def otherwise(view: View, orders: Sequence[Order]) -> tuple[Phrase, ...]:
    """Units hold or are disbanded, builds lapse, and civil disorder names the units to be removed."""
    if view.viewer is None or not missing(view, orders):
        return ()
    if view.state.phase.kind is not PhaseKind.ADJUSTMENTS:
        return (phrase(f"otherwise.{view.state.phase.kind}"),)
    removed = removed_in_disorder(view.state, view.viewer, orders)
    if removed:
        return (phrase("otherwise.removals", units=tuple(map(format_unit, removed))),)
    return (phrase("otherwise.builds"),)


def template(view: View, orders: Sequence[Order]) -> str:
    """A sheet to fill in, which may be sent back as it is: a line is an order, or ends in `…` and is ignored.

    After a unit without an order a comment says where it can go.
    """
    if view.viewer is None:
        return ""
    position = position_of(view.state)
    given = {subject(order): order for order in orders}
    if view.state.phase.kind is PhaseKind.ADJUSTMENTS:
        lines = _adjustment_lines(position, view, given)
    else:
        lines = [_unit_line(view, unit, given.get(province_of(unit.at))) for unit in position.units_of(view.viewer)]
    return "\n".join(lines)


def _unit_line(view: View, unit: Unit, order: Order | None) -> str:
    if order is not None:
        return format_order(order)
    position = position_of(view.state)
    if view.state.phase.kind is PhaseKind.RETREATS:
        listed = list_orders(position, view.viewer)[province_of(unit.at)]
        choices = [f"R {o.to}" if isinstance(o, Retreat) else "D" for o in listed if isinstance(o, Retreat | Disband)]
        return f"{format_unit(unit)} {BLANK}  # {', '.join(choices)}"
    places = sorted(position.reach.places(unit.kind, unit.at))
    return f"{format_unit(unit)} {BLANK}  # {' '.join(places)}"


def _adjustment_lines(position: Position, view: View, given: dict[str, Order]) -> list[str]:
    assert view.viewer is not None
    lines = [format_order(order) for order in given.values() if isinstance(order, Build | Remove | Waive)]
    builds, removals = position.builds(view.viewer), position.removals(view.viewer)
    if builds:
        sites = [site for site in position.building_sites(view.viewer) if site not in given]
        lines += [f"BUILD {BLANK}  # A or F: {' '.join(sites)}"] * (builds - len(lines))
    elif removals:
        units = [format_unit(unit) for unit in position.units_of(view.viewer) if province_of(unit.at) not in given]
        lines += [f"REMOVE {BLANK}  # {', '.join(units)}"] * (removals - len(lines))
    return lines
