"""From texts to a closed phase: reading one power's text, and adjudicating everybody's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Generic

from engine.core.blocks import spans
from engine.core.errors import OrderError
from engine.core.ids import PowerId
from engine.core.orders import O, ReadOrder
from engine.core.outcome import OrderResult, Outcome
from engine.core.phrases import phrase
from engine.core.play import Resolution
from engine.core.sight import S, V
from engine.core.system import GameSystem
from engine.core.viewer import Playing


@dataclass(frozen=True, slots=True)
class RefusedLine(Generic[O]):
    """A line that was refused, and why; `order` is what it says, `None` if it could not be read."""

    error: OrderError
    order: O | None = None


@dataclass(frozen=True, slots=True)
class Reading(Generic[O]):
    """A text after `parse` and `check`: the orders accepted, and what is refused, in the order of the lines.

    Args:
        faults: exceptions raised while reading, which no text should cause. Each has cost one line or, in a text in
            which too much fails, all the rest of it; these lines are among the refused ones.
    """

    orders: tuple[ReadOrder[O], ...]
    refused: tuple[RefusedLine[O], ...]
    faults: tuple[Exception, ...] = ()

    @property
    def errors(self) -> tuple[OrderError, ...]:
        """Why lines are refused."""
        return tuple([each.error for each in self.refused])

    @property
    def values(self) -> tuple[O, ...]:
        """The orders alone."""
        return tuple([read.order for read in self.orders])


def example_of(rules: GameSystem[S, V, O], view: V) -> str:
    """An order that the viewer could give now, to show how orders are written; empty if there is none."""
    return next((str(each.args["order"]) for each in rules.telling.examples(view) if "order" in each.args), "")


def read_orders(rules: GameSystem[S, V, O], view: V, text: str) -> Reading[O]:
    """Read a power's text and refuse what may not be ordered; each refused line costs only itself.

    That includes our own faults: if the rules raise over a line it is refused, and the others are read. A caller
    that must not continue without that line checks the reading's `faults`.
    """
    try:
        return _read(rules, view, text)
    except Exception:
        return _read_around_faults(rules, view, text.splitlines() or [""])


def _read(rules: GameSystem[S, V, O], view: V, text: str) -> Reading[O]:
    parsed = rules.orders.parse(text, view)
    errors = rules.orders.check(view, parsed.orders)
    if not parsed.errors and not any(errors):
        return Reading(parsed.orders, ())
    refused: list[RefusedLine[O]] = [
        RefusedLine(_with_hints(rules, view, error, number)) for number, error in enumerate(parsed.errors)
    ]
    standing = parsed.orders
    if any(errors):
        example = example_of(rules, view) if any(map(_wants_example, filter(None, errors))) else ""
        verdicts = tuple(zip(parsed.orders, errors, strict=True))
        standing = tuple([read for read, error in verdicts if error is None])
        refused += [
            RefusedLine(_with_example(error, example), read.order) for read, error in verdicts if error is not None
        ]
    return Reading(standing, by_line(refused))


def _wants_example(error: OrderError) -> bool:
    """Whether an order is refused because it is one of another kind of phase."""
    return error.code == "wrong_phase" and error.args.get("wants") is not None


def _with_example(error: OrderError, example: str) -> OrderError:
    """Such an order is answered with what may be ordered now, and with an order of that kind if there is one."""
    if not example or not _wants_example(error):
        return error
    wants = phrase("error.for_example", what=error.args["wants"], order=example)
    return replace(error, args={**error.args, "wants": wants})


def by_line(refused: Iterable[RefusedLine[O]]) -> tuple[RefusedLine[O], ...]:
    """The refused lines, in their order."""
    return tuple(sorted(refused, key=lambda each: (each.error.line, each.error.column)))


def _with_hints(rules: GameSystem[S, V, O], view: V, error: OrderError, number: int) -> OrderError:
    """An unreadable line's error with what may have been meant; so many have been refused before."""
    is_late = number >= _MOST_RESPELT
    if error.hints or is_late:
        return _with_legal_hints(rules, view, error, is_late=is_late)
    hints = _respelt(rules, view, error.text)
    return replace(error, hints=hints) if hints else error


def _with_legal_hints(rules: GameSystem[S, V, O], view: V, error: OrderError, *, is_late: bool) -> OrderError:
    """The error with those of its hints that this seat could send, as whole orders.

    A name has many near misses, and a place where a unit can't go is no help. Sheets are left alone: there the
    lines before one make it legal, and its hints are single words.

    Args:
        is_late: so many lines have been refused before that nothing is suggested any more. Nor is it in a very long
            line, all of which has to be read once more for each hint.
    """
    if not error.hints or rules.info.has_sheets:
        return error
    if is_late or len(error.text) > _LONGEST_HINTED:
        return replace(error, hints=())
    if error.are_hints_sure:
        return error
    before, after = error.text[: error.column - 1], error.text[error.end - 1 :]
    legal = (
        next((text for text in (hint, f"{before}{hint}{after}".strip()) if _is_legal(rules, view, text)), None)
        for hint in error.hints
    )
    hints = tuple(dict.fromkeys(filter(None, legal)))
    return error if hints == error.hints else replace(error, hints=hints)


def _is_legal(rules: GameSystem[S, V, O], view: V, text: str) -> bool:
    return bool(_legal_orders(rules, view, text))


def _legal_orders(rules: GameSystem[S, V, O], view: V, text: str) -> tuple[O, ...]:
    """The orders of a text that could all be given now; none if anything in it is refused."""
    parsed = rules.orders.parse(text, view)
    if parsed.errors or any(rules.orders.check(view, parsed.orders)):
        return ()
    return tuple(read.order for read in parsed.orders)


def _respelt(rules: GameSystem[S, V, O], view: V, line: str) -> tuple[str, ...]:
    """The orders that an unreadable line would be if one word were a keyword that is spelled much like it."""
    if len(line) > _LONGEST_RESPELT:
        return ()
    found: dict[str, None] = {}
    for word in _WORD.finditer(line):
        for keyword in get_close_matches(word[0].lower(), rules.orders.keywords, cutoff=_LIKENESS):
            orders = _legal_orders(rules, view, f"{line[: word.start()]}{keyword}{line[word.end() :]}")
            if orders and keyword != word[0].lower():
                found["; ".join(map(rules.orders.format, orders))] = None
    return tuple(found)[:_MOST_HINTS]


_WORD = re.compile(r"[^\W\d_]{4,}")
_MOST_RESPELT, _LONGEST_RESPELT = 20, 120
"""How many lines of a text are looked at for misspelt keywords, and how long they may be."""
_LONGEST_HINTED = 300
"""How long a line may be in which a misspelt name is."""
_LIKENESS = 0.65
"""Of two words by `difflib`, from 0 to 1: `armee` and `army` have 0.67."""
_MOST_HINTS = 3


_LEAST_TRIES, _LINES_TRIED = 8, 20_000
"""How often a text is read in search of its faulty lines, and how many lines may be read in all if it is short."""


def _read_around_faults(rules: GameSystem[S, V, O], view: V, lines: Sequence[str]) -> Reading[O]:
    """The reading of all lines except those over which the rules raise, which are found by halving the text.

    A block is never split: it stands or falls as a whole.
    """
    units = spans(lines, rules.orders.opens_block)
    kept: set[int] = set()
    faults: dict[int, Exception] = {}
    last: Exception | None = None
    tries = _LEAST_TRIES + _LINES_TRIED // len(lines)
    to_try = [range(len(units))]
    while to_try:
        part = to_try.pop()
        tries -= 1
        numbers = [number for unit in part for number in units[unit]]
        if tries > 0:
            try:
                _read(rules, view, _only(lines, kept.union(numbers)))
            except Exception as fault:
                last = fault
            else:
                kept.update(numbers)
                continue
            if len(part) > 1:
                middle = len(part) // 2
                to_try += [part[middle:], part[:middle]]
                continue
        assert last is not None, "the whole text has failed"
        faults |= dict.fromkeys(numbers, last)
    reading = _read(rules, view, _only(lines, kept))
    refused: list[RefusedLine[O]] = [
        RefusedLine(OrderError(number + 1, 1, len(lines[number]) + 1, lines[number], "fault"))
        for number in faults
        if lines[number].strip()
    ]
    return Reading(reading.orders, by_line((*reading.refused, *refused)), tuple(dict.fromkeys(faults.values())))


def _only(lines: Sequence[str], numbers: Set[int]) -> str:
    """The text of some of the lines, each where it stood."""
    return "\n".join(line if number in numbers else "" for number, line in enumerate(lines))


def read_accepted(rules: GameSystem[S, V, O], view: V, lines: Sequence[str]) -> Reading[O]:
    """Read the lines of a stored sheet, which were accepted before: none of them may be skipped.

    Raises:
        Exception: the rules fail over one of them.
    """
    reading = read_orders(rules, view, "\n".join(lines))
    if reading.faults:
        raise reading.faults[0]
    return reading


def adjudicate_texts(
    rules: GameSystem[S, V, O], state: S, texts: Mapping[PowerId, str]
) -> tuple[Resolution[S, O], Mapping[PowerId, tuple[OrderError, ...]]]:
    """Adjudicate a phase from what the powers wrote.

    A subject whose only order was refused does the default; its result then shows the line as written, `invalid` (or
    what happened to the unit anyway, such as `dislodged`).

    Returns: the resolution with all its rolls, and the refused lines of each power that sent a text.
    """
    readings = {
        power: read_orders(rules, rules.sight.view(state, Playing(power)), text) for power, text in texts.items()
    }
    sheets = {power: reading.values for power, reading in readings.items()}
    dice = rules.play.dice(state).logged()
    resolution = rules.play.adjudicate(state, sheets, dice)
    resolution = replace(resolution, rolls=dice.rolls)
    errors = {power: reading.errors for power, reading in readings.items()}
    if not any(errors.values()):
        return resolution, errors
    ordered = {(power, rules.orders.subject(order)) for power, orders in sheets.items() for order in orders}
    refused = {
        (power, each.error.subject): each
        for power, reading in readings.items()
        for each in reading.refused
        if each.error.subject is not None and (power, each.error.subject) not in ordered
    }
    results = tuple(_with_refusal(result, refused.get((result.power, result.subject))) for result in resolution.results)
    return replace(resolution, results=results), errors


def _with_refusal(result: OrderResult[O], refused: RefusedLine[O] | None) -> OrderResult[O]:
    if refused is None:
        return result
    error = refused.error
    outcome = Outcome.INVALID if result.outcome is Outcome.SUCCEEDS else result.outcome
    reason = error.reason if outcome is Outcome.INVALID else result.reason
    codes = (error.code,) if outcome is Outcome.INVALID else result.codes
    text = error.order or error.text.strip()
    return OrderResult(result.power, refused.order, text, result.subject, outcome, reason, result.audience, codes)


def restored(rules: GameSystem[S, V, O], view: V, results: Iterable[OrderResult[object]]) -> tuple[OrderResult[O], ...]:
    """Results as they were before they were stored, each with its order again if its text is one."""
    read = rules.orders.read
    return tuple(result._replace(order=read(result.text, view)) for result in results)  # type: ignore[misc]


def canonical_lines(rules: GameSystem[S, V, O], orders: Sequence[O]) -> tuple[str, ...]:
    """The orders as canonical text, one a line."""
    return tuple(rules.orders.format(order) for order in orders)
