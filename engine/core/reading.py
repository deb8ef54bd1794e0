"""From texts to a closed phase: reading one power's text, and adjudicating everybody's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic

from engine.core.errors import OrderError
from engine.core.ids import PowerId
from engine.core.orders import O, ReadOrder
from engine.core.outcome import OrderResult, Outcome
from engine.core.play import Resolution
from engine.core.sight import S, V
from engine.core.system import GameSystem


@dataclass(frozen=True, slots=True)
class Reading(Generic[O]):
    """A text after `parse` and `check`: the orders that stand, and every refused line, in the order of the lines."""

    orders: tuple[ReadOrder[O], ...]
    errors: tuple[OrderError, ...]

    @property
    def values(self) -> tuple[O, ...]:
        """The orders alone."""
        return tuple(read.order for read in self.orders)


def read_orders(rules: GameSystem[S, V, O], view: V, text: str) -> Reading[O]:
    """Read a power's text and refuse what may not be ordered; each refused line costs only itself."""
    parsed = rules.orders.parse(text, view)
    illegal = rules.orders.check(view, parsed.orders)
    unreadable = tuple(_with_legal_hints(rules, view, error) for error in parsed.errors)
    if not illegal:
        return Reading(parsed.orders, unreadable)
    # Of equal orders on one line it is the later ones that are refused.
    refused = Counter((error.line, error.order) for error in illegal)
    standing = []
    for read in reversed(parsed.orders):
        key = read.line, rules.orders.format(read.order)
        if refused[key]:
            refused[key] -= 1
        else:
            standing.append(read)
    standing.reverse()
    errors = sorted((*unreadable, *illegal), key=lambda error: (error.line, error.column))
    return Reading(tuple(standing), tuple(errors))


def _with_legal_hints(rules: GameSystem[S, V, O], view: V, error: OrderError) -> OrderError:
    """The error with those of its hints that this seat could send, as whole orders.

    Near misses of a name are many, and where a unit can't go is nothing to offer. Sheets are left alone: there the
    lines before one make it legal, and its hints are words.
    """
    if not error.hints or rules.info.has_sheets:
        return error
    before, after = error.text[: error.column - 1], error.text[error.end - 1 :]
    legal = (
        next((text for text in (hint, f"{before}{hint}{after}".strip()) if _is_legal(rules, view, text)), None)
        for hint in error.hints
    )
    return replace(error, hints=tuple(dict.fromkeys(text for text in legal if text is not None)))


def _is_legal(rules: GameSystem[S, V, O], view: V, text: str) -> bool:
    parsed = rules.orders.parse(text, view)
    return bool(parsed.orders) and not parsed.errors and not rules.orders.check(view, parsed.orders)


def adjudicate_texts(
    rules: GameSystem[S, V, O], state: S, texts: Mapping[PowerId, str]
) -> tuple[Resolution[S], Mapping[PowerId, tuple[OrderError, ...]]]:
    """Adjudicate a phase from what the powers wrote.

    A subject whose only order was refused does the default; its result then shows the line as written, `invalid` (or
    what befell the unit all the same, such as `dislodged`).

    Returns: the resolution, and the refused lines of each power that sent a text.
    """
    readings = {power: read_orders(rules, rules.sight.view(state, power), text) for power, text in texts.items()}
    sheets = {power: reading.values for power, reading in readings.items()}
    resolution = rules.play.adjudicate(state, sheets, rules.play.dice(state))
    errors = {power: reading.errors for power, reading in readings.items()}
    if not any(errors.values()):
        return resolution, errors
    ordered = {(power, rules.orders.subject(order)) for power, orders in sheets.items() for order in orders}
    refused = {
        (power, error.subject): error
        for power, lines in errors.items()
        for error in lines
        if error.subject is not None and (power, error.subject) not in ordered
    }
    results = tuple(_with_refusal(result, refused.get((result.power, result.subject))) for result in resolution.results)
    return replace(resolution, results=results), errors


def _with_refusal(result: OrderResult, error: OrderError | None) -> OrderResult:
    if error is None:
        return result
    outcome = Outcome.INVALID if result.outcome is Outcome.SUCCEEDS else result.outcome
    reason = error.reason if outcome is Outcome.INVALID else result.reason
    return result._replace(order=error.order or error.text.strip(), outcome=outcome, reason=reason)


def canonical_lines(rules: GameSystem[S, V, O], orders: Sequence[O]) -> tuple[str, ...]:
    """The orders as canonical text, one a line."""
    return tuple(rules.orders.format(order) for order in orders)
