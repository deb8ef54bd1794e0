"""Sheets of orders: what a text makes of one, and what is to be said of it. Every receipt is made of it.

Each function depends on its arguments alone, so that workers can run what takes long; nothing is stored here. What is
asked is answered from the view of the sheet's own power, so no answer can reveal another's orders.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice

from bot.faults import describe_fault
from bot.model import StoredSheet
from bot.ports import Json
from bot.services.positions import position_of
from engine.core.depiction import Depiction
from engine.core.errors import OrderError
from engine.core.ids import PowerId
from engine.core.orders import Advice, Choice, Forecast, Missing, ReadOrder, Rehearsal, Request, Shortlist
from engine.core.phrases import Phrase
from engine.core.reading import Reading, RefusedLine, by_line, canonical_lines, read_accepted, read_orders
from engine.core.viewer import Playing
from engine.pictures.realm import own_part, with_failing
from engine.registry import AnySystem, Order, View


class SubmitMode(StrEnum):
    """What becomes of the orders that stand already. Source: King of Kings, rules 4.1; ruling K-09."""

    MERGE = "merge"
    """New orders are put in, except impossible ones, and the rest stands."""
    REPLACE = "replace"
    """The text is the whole sheet."""
    AS_SENT = "as_sent"
    """What a text sent by itself means in the game: the whole sheet in games with sheets, else to be put in."""


MENUS = 4
"""Menus of whole orders that a message has room for, above its buttons."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What can be ordered by a choice or two.

    Args:
        firsts: the guided flow's first choices.
        shortlists: whole orders: of each of these if they are few, else of the first that have no order yet.
        asked: the first choices that were asked for, one or a few; their shortlists come first.
    """

    firsts: tuple[Choice, ...] = ()
    shortlists: tuple[Shortlist, ...] = ()
    asked: tuple[Choice, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether there is nothing to order besides."""
        return len(self.shortlists) == len(self.firsts)

    @property
    def leads_on(self) -> Choice | None:
        """The one choice that was asked for, if it has no whole orders: one goes on choice by choice."""
        listed = any(short.first in self.asked for short in self.shortlists)
        return self.asked[0] if len(self.asked) == 1 and not listed else None


@dataclass(frozen=True, slots=True)
class Hint:
    """An order that may be meant instead of a line.

    Args:
        token: where it was offered, for `take_hint`; reveals nothing about the order.
    """

    token: str
    order: str


@dataclass(frozen=True, slots=True)
class Draft:
    """The sheet as a text would make it.

    Args:
        orders: canonical lines of what stands then; the same as before if nothing was taken.
        errors: the refused lines.
        differs: other orders stand then than before.
        is_empty: the text holds no orders at all, and there is nothing that it could take back.
        is_taken: any of it was taken, even if it stood before.
        requests: what the new orders ask of others.
        faults: over what the rules failed, and where; not a word of the lines.
        hints: what may have been meant by refused lines.
    """

    orders: tuple[str, ...]
    errors: tuple[OrderError, ...] = ()
    differs: bool = False
    is_empty: bool = False
    is_taken: bool = True
    requests: tuple[Request, ...] = ()
    faults: tuple[str, ...] = ()
    hints: tuple[Hint, ...] = ()


def write_draft(
    rules: AnySystem,
    document: Json,
    power: PowerId,
    lines: Sequence[str],
    text: str,
    mode: SubmitMode,
    instead_of: Callable[[Order], bool] | None = None,
) -> Draft:
    """Read a text and put it into a sheet.

    Args:
        lines: what stands in the sheet.
        instead_of: as for `submit`.
    """
    view = rules.sight.view(position_of(rules, document), Playing(power))
    before = read_accepted(rules, view, lines).values
    reading = read_orders(rules, view, text)
    faults = tuple(map(describe_fault, reading.faults))
    if mode is SubmitMode.MERGE:
        reading = _without_impossible(rules, view, reading)
    takes_back = instead_of is not None and not reading.errors
    hints = _hints(rules, view, reading.errors)
    if not reading.orders and not takes_back:
        is_empty = not reading.errors
        return Draft(tuple(lines), reading.errors, is_empty=is_empty, is_taken=False, faults=faults, hints=hints)
    kept = [order for order in before if instead_of is None or not instead_of(order)]
    put_in = _put_in(rules, view, kept, reading, mode)
    after = put_in.values
    new = tuple(order for order in after if order not in before)
    return Draft(
        orders=canonical_lines(rules, after),
        errors=(*reading.errors, *put_in.errors),
        differs=_differ(rules, before, after),
        requests=rules.orders.requests(view, new) if new else (),
        faults=faults,
        hints=hints,
    )


def _put_in(
    rules: AnySystem, view: View, kept: Sequence[Order], reading: Reading[Order], mode: SubmitMode
) -> Reading[Order]:
    """The sheet with the new orders in it, and those of its lines that are too many for it."""
    is_whole = mode is SubmitMode.REPLACE or (mode is SubmitMode.AS_SENT and rules.info.has_sheets)
    standing = () if is_whole else kept
    amended = rules.orders.amend(view, standing, reading.values)
    # What is stored is what would be read back at the closing, no line more.
    return read_orders(rules, view, "\n".join(canonical_lines(rules, amended)))


def _without_impossible(rules: AnySystem, view: View, reading: Reading[Order]) -> Reading[Order]:
    """Single orders that name what does not exist are refused at once, in games that would keep them in a sheet.

    What would fail as things stand now may come right, and stays.
    """
    rehearse = rules.orders.rehearse
    if rehearse is None:
        return reading
    impossible = _whole_lines(each for each in rehearse(view, reading.orders).lines if each.is_impossible)
    refused_now = (
        RefusedLine(impossible[read.line].as_error(read), read.order)
        for read in reading.orders
        if read.line in impossible
    )
    standing = tuple(read for read in reading.orders if read.line not in impossible)
    return Reading(standing, by_line((*reading.refused, *refused_now)), reading.faults)


def _differ(rules: AnySystem, before: Sequence[Order], after: Sequence[Order]) -> bool:
    """Whether other orders stand; in a sheet the order of the lines counts too."""
    return tuple(before) != tuple(after) if rules.info.has_sheets else set(before) != set(after)


def hints_of_text(
    rules: AnySystem, document: Json, power: PowerId, lines: Sequence[str], text: str
) -> tuple[Hint, ...]:
    """What may have been meant by the lines of a text that are refused, or would be as single orders."""
    view = rules.sight.view(position_of(rules, document), Playing(power))
    return _hints(rules, view, _without_impossible(rules, view, read_orders(rules, view, text)).errors)


def hints_of_sheet(rules: AnySystem, document: Json, power: PowerId, lines: Sequence[str]) -> tuple[Hint, ...]:
    """What may be meant by lines of a sheet that stand and would fail."""
    view = rules.sight.view(position_of(rules, document), Playing(power))
    standing = read_accepted(rules, view, lines).orders
    return _hints_of(rules, view, standing, rules.orders.rehearse(view, standing) if rules.orders.rehearse else None)


def _hints_of(
    rules: AnySystem, view: View, standing: Sequence[ReadOrder[Order]], rehearsal: Rehearsal | None
) -> tuple[Hint, ...]:
    reads = {read.line: read for read in standing}
    failing = [each for each in (rehearsal.lines if rehearsal else ()) if each.hints and each.line in reads]
    return _hints(rules, view, [each.as_error(reads[each.line]) for each in failing])


_MOST_HINTED = 8
"""Lines whose hints can be taken: each has to be read."""


def _hints(rules: AnySystem, view: View, errors: Sequence[OrderError]) -> tuple[Hint, ...]:
    """The hints that are orders as they are, by line, column and their number there.

    Several errors may begin at one place: a list of builds is refused order by order.
    """
    places: defaultdict[tuple[int, int], list[str]] = defaultdict(list)
    for error in [error for error in errors if error.hints][:_MOST_HINTED]:
        there = places[error.line, error.column]
        there += [hint for hint in error.hints if hint not in there]
    return tuple(
        Hint(f"{line}-{column}-{number}", hint)
        for (line, column), there in places.items()
        for number, hint in enumerate(there)
        if _is_order(rules, view, hint)
    )


def _is_order(rules: AnySystem, view: View, text: str) -> bool:
    reading = _without_impossible(rules, view, read_orders(rules, view, text))
    return len(reading.orders) == 1 and not reading.errors


@dataclass(frozen=True, slots=True)
class Look:
    """A sheet as its player should look at it: the fields of a receipt."""

    orders: tuple[str, ...]
    advice: tuple[Advice, ...]
    missing: tuple[Missing, ...]
    otherwise: tuple[Phrase, ...]
    scene: Depiction
    has_default: bool
    rehearsal: Rehearsal | None
    offer: Offer
    hints: tuple[Hint, ...]


def look_at_sheet(
    rules: AnySystem,
    document: Json,
    power: PowerId,
    lines: Sequence[str],
    *,
    is_asked: bool,
    is_sent: bool,
    asked: Sequence[int] = (),
) -> Look:
    """What is to be said of a sheet.

    Args:
        lines: what stands in it.
        is_asked: the power has something to decide in this phase.
        is_sent: an empty sheet counts as sent.
        asked: the places of first choices whose whole orders are asked for.
    """
    view = rules.sight.view(position_of(rules, document), Playing(power))
    standing = read_accepted(rules, view, lines)
    rehearse = rules.orders.rehearse
    rehearsal = rehearse(view, standing.orders) if rehearse else None
    advice = tuple(rules.orders.advise(view, standing.orders)) if rehearsal is None else ()
    scene = rules.telling.scene(view, orders=standing.values)
    if failing := failing_lines(advice, rehearsal):
        lost = tuple(order for line, order in enumerate(standing.values, start=1) if line in failing)
        scene = with_failing(scene, rules.telling.scene(view, orders=lost))
    is_open = is_asked and not is_sent
    missing = tuple(rules.orders.missing(view, standing.values)) if is_open else ()
    return Look(
        orders=canonical_lines(rules, standing.values),
        advice=advice,
        missing=missing,
        otherwise=tuple(rules.orders.otherwise(view, standing.values)) if is_open else (),
        scene=own_part(scene, power),
        has_default=is_asked and bool(rules.orders.default(view)),
        rehearsal=rehearsal,
        offer=find_offer(rules, view, standing.values, missing, asked) if is_asked else Offer(),
        hints=_hints_of(rules, view, standing.orders, rehearsal),
    )


def failing_lines(
    advice: Sequence[Advice], rehearsal: Rehearsal | None, *, counts_likely: bool = False
) -> frozenset[int]:
    """The lines that will fail as the sheet stands: whole ones alone.

    Args:
        counts_likely: also those that others could still save; else they fail whatever others do.
    """
    forecasts = rehearsal.lines if rehearsal else ()
    failing = _whole_lines(
        each for each in forecasts if each.level == "error" and (counts_likely or not each.is_likely)
    )
    return frozenset(failing.keys()).union(*(each.failing for each in advice))


def _whole_lines(forecasts: Iterable[Forecast]) -> dict[int, Forecast]:
    """The lines that these forecasts are about with all their parts, and the first forecast of each."""
    found: defaultdict[int, list[Forecast]] = defaultdict(list)
    for forecast in forecasts:
        found[forecast.line].append(forecast)
    return {line: each[0] for line, each in found.items() if _is_whole(each)}


def _is_whole(forecasts: Sequence[Forecast]) -> bool:
    """Whether an order fails as a whole: of one of several parts the others may be carried out."""
    parts = {each.part for each in forecasts}
    return forecasts[0].parts == 1 or None in parts or len(parts) == forecasts[0].parts


def find_offer(
    rules: AnySystem, view: View, orders: Sequence[Order], missing: Sequence[Missing], places: Sequence[int] = ()
) -> Offer:
    """What the viewer could order by a choice or two; `places`: of the first choices that are asked for."""
    firsts = rules.orders.menu(view, (), orders=orders).choices
    asked = tuple(firsts[place] for place in places if place < len(firsts))
    unasked = tuple(first for first in firsts if first in asked or not first.on_request)
    if len(firsts) <= MENUS:
        wanted = unasked
    elif missing or rules.info.has_sheets:
        leading = {each.path[0] for each in missing if each.path}
        left = [first for first in firsts if first.value in leading]
        wanted = tuple(left or unasked)[: 2 * MENUS]
    else:
        wanted = ()
    if len(firsts) <= MENUS:
        found = rules.orders.shortlists(view, {first.value for first in wanted}, orders)
        few = sorted((short for short in found if short.orders), key=lambda short: short.first not in asked)
        return Offer(firsts, tuple(few), asked)
    # One that is asked for comes before those without an order; a few have the message to themselves.
    wanted = asked if len(asked) > 1 else (*asked, *(first for first in wanted if first not in asked))
    # Some of the message's room is left to what leads to all others; those without room are not asked for.
    each = (short for first in wanted for short in rules.orders.shortlists(view, {first.value}, orders))
    open_ones = (short for short in each if short.orders and (not short.stands or short.first in asked))
    return Offer(firsts, tuple(islice(open_ones, MENUS - 1)), asked)


def is_sent_sheet(rules: AnySystem, sheet: StoredSheet | None) -> bool:
    """Whether a sheet counts as sent in a game of sheets: also one that was emptied, but not talk without any order."""
    return rules.info.has_sheets and sheet is not None and sheet.version > 0
