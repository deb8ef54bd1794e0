"""What the phases without moves give back."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.events import Event
from engine.core.ids import PowerId
from engine.core.outcome import OrderResult, Outcome
from engine.core.phrases import phrase
from engine.kregen.model import Order, State, format_order, subject


@dataclass(frozen=True, slots=True)
class Settled:
    """The end of a phase without moves; the phase of the state is still the same."""

    state: State
    results: tuple[OrderResult, ...]
    events: tuple[Event, ...] = ()


def result_of(power: PowerId, order: Order, outcome: Outcome, reason: str = "reason.done") -> OrderResult:
    """The result of an order, told to everybody."""
    return OrderResult(power, format_order(order), subject(order), outcome, phrase(reason))
