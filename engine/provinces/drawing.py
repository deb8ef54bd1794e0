"""What the pictures of games on a map of provinces have in common."""

from __future__ import annotations

from collections.abc import Iterable

from engine.core.outcome import Outcome
from engine.pictures.legend import ArrowStatus
from engine.pictures.scene import UnitMark
from engine.provinces.dislodged import Driven, Placed
from engine.provinces.orders import Retreat


def status_of(order: object, outcome: Outcome) -> ArrowStatus:
    """How an order is drawn: a retreat that ended in a disbanding has failed, other disbandings have not."""
    came_to_nothing = outcome is Outcome.DISBANDS and isinstance(order, Retreat)
    return ArrowStatus.FAILED if outcome.is_failure or came_to_nothing else ArrowStatus.SUCCEEDED


def unit_marks(standing: Iterable[Placed], driven: Iterable[Driven]) -> tuple[UnitMark, ...]:
    """The units on the map, then those that were driven out and have not retreated yet."""
    return (
        *(UnitMark(unit.power, unit.kind, unit.at) for unit in standing),
        *(UnitMark(row.unit.power, row.unit.kind, row.unit.at, is_dislodged=True) for row in driven),
    )
