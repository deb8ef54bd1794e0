"""What the pictures of games on a map of provinces have in common."""

from __future__ import annotations

from engine.core.outcome import Outcome
from engine.pictures.legend import ArrowStatus
from engine.provinces.orders import Retreat


def status_of(order: object, outcome: Outcome) -> ArrowStatus:
    """How an order is drawn: a retreat that ended in a disbanding has failed, other disbandings have not."""
    came_to_nothing = outcome is Outcome.DISBANDS and isinstance(order, Retreat)
    return ArrowStatus.FAILED if outcome.is_failure or came_to_nothing else ArrowStatus.SUCCEEDED
