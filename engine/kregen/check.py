"""Which lines of a sheet a power may not give, and why: each by itself, and those that exclude each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engine.core.errors import OrderError
from engine.core.ids import province_of
from engine.core.system import ReadOrder
from engine.diplomacy.model import Disband, Retreat
from engine.kregen.legality import Flaw, find_flaw
from engine.kregen.model import ROOM, STRENGTHS, Act, Duel, Go, Order, View, format_order


def check(view: View, orders: Sequence[ReadOrder[Order]]) -> tuple[OrderError, ...]:
    """The refused lines; of two that exclude each other, the later."""
    if view.viewer is None:
        return tuple(_error(read, Flaw("not_seated")) for read in orders)
    here = [*view.state.units, *(row.unit for row in view.state.dislodged)]
    left = Counter((unit.kind, unit.sector) for unit in here if unit.power == view.viewer)
    duels: set[str] = set()
    going: Counter[tuple[str, str]] = Counter()
    errors = []
    for read in orders:
        order = read.order
        flaw = find_flaw(view.state, view.viewer, order)
        if flaw is None and isinstance(order, Act | Disband | Retreat):
            key = order.kind, province_of(order.at)  # type: ignore[arg-type]
            left[key] -= 1
            if left[key] < 0:
                flaw = Flaw("ordered_twice", {"unit": f"{order.kind} {order.at}"})
        if flaw is None and isinstance(order, Duel):
            if order.at in duels:
                flaw = Flaw("ordered_twice", {"unit": f"H {order.at}"})
            duels.add(order.at)
        if flaw is None and isinstance(order, Act) and isinstance(order.steps[0], Go):
            way = order.at, province_of(order.steps[0].to)
            going[way] += STRENGTHS[order.kind] if order.kind != "H" else 0
            if going[way] > ROOM:
                flaw = Flaw("no_room", {"place": way[1]})
        if flaw:
            errors.append(_error(read, flaw))
    return tuple(errors)


def _error(read: ReadOrder[Order], flaw: Flaw) -> OrderError:
    return OrderError(
        read.line, read.column, read.end, read.text, flaw.code, dict(flaw.args), order=format_order(read.order)
    )
