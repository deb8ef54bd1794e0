"""A game in words: what happened, and the present position. Source: rules 10.1, 31, 34"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from itertools import islice

from engine.core.events import Event
from engine.core.ids import PowerId
from engine.core.outcome import OrderResult, Outcome
from engine.core.phrases import Phrase, phrase
from engine.core.report import Report, Section, SectionKind
from engine.kalevala import books, realms
from engine.kalevala.arrivals.facts import has_no_realm, is_fallen, may_begin, ways_of
from engine.kalevala.coordinates import order_of
from engine.kalevala.describe import known_fields
from engine.kalevala.figures import has_people
from engine.kalevala.land import land_of
from engine.kalevala.model import EXPECTED, EXPLORATION_UNITS, INVADER, ORDERS_PART, State, View
from engine.kalevala.orders import Enter, Line, named
from engine.kalevala.results import OK
from engine.kalevala.sea.craft import on_land
from engine.kalevala.sheet import is_asked
from engine.kalevala.steps.scoring import EPOCH, last_round
from engine.kalevala.tables import ADDITIONAL_ARMING
from engine.kalevala.telling import tale
from engine.kalevala.telling.courier import COURIER
from engine.kalevala.telling.reading import accounts_of
from engine.kalevala.trade.fiefs import fiefs_in
from engine.kalevala.war.plans import Planned
from engine.kalevala.window import Window

SHORT_PIECE = 280
"""The most characters of an article that a report repeats; the rest can be read in the courier."""


def report(view: View, results: Sequence[OrderResult[object]], events: Sequence[Event]) -> Report:
    """A closed window: what happened as far as the viewer may know, then the results of the viewer's own lines."""
    happened = tuple(map(_words_of, events))
    own = [result for result in results if view.viewer is not None and result.power == view.viewer]
    lines = tuple(_line(result) for result in own if result.text != "PASS" and not _is_plain_detail(result))
    sections = [Section(phrase("report.happened"), happened)] if happened else []
    for account in accounts_of(events):
        sections.append(
            Section(phrase("battle.title", place=account.id), tuple(tale.story(account)), SectionKind.DETAIL)
        )
        sections.append(
            Section(phrase("battle.rolls", place=account.id), tuple(tale.rolls(account)), SectionKind.DETAIL)
        )
    if lines:
        sections.append(Section(phrase("report.lines"), lines))
    return Report(tuple(sections))


def _words_of(event: Event) -> Phrase:
    """An event in words; of long articles in the courier only the beginning, since everybody gets the whole issue."""
    text = event.what.args.get("text", "")
    if event.facts is None or event.facts.code != COURIER or len(text) <= SHORT_PIECE:
        return event.what
    return phrase(
        "event.courier_begins",
        sender=event.what.args["sender"],
        text=textwrap.shorten(text, SHORT_PIECE, placeholder=" …"),
    )


def _is_plain_detail(result: OrderResult[object]) -> bool:
    """Whether this is a line in a block that needs no remark, since the block's opening is reported as accepted."""
    line = result.order
    is_in_block = isinstance(line, Line) and isinstance(line.order, Planned)
    return is_in_block and result.outcome is Outcome.SUCCEEDS and result.all_codes[0] == OK


def _line(result: OrderResult[object]) -> Phrase:
    is_done = result.outcome is Outcome.SUCCEEDS
    why = phrase("result.ok") if is_done and result.all_codes[0] in (OK, "W5") else result.reason
    order = result.text.removesuffix(":")  # the opening of a block
    # A warning is no reason by itself: the order was carried out.
    return phrase("report.done" if is_done and why is result.reason else "report.line", order=order, why=why)


def briefing(view: View) -> Report:
    """What the viewer, or all rulers, should do in this window."""
    lines = [phrase(f"briefing.{'part' if is_asked(view) else 'all_part'}_{view.state.part}")]
    if is_asked(view) and view.viewer is not None and has_no_realm(view.state, view.viewer):
        lines = list(_beginning(view.state, view.viewer))
    elif is_asked(view):
        lines.append(phrase("briefing.sheet"))
        if view.state.part == ORDERS_PART and view.state.gr % 2 == 0:
            lines.append(phrase("briefing.gathered"))
        lines += _beginning(view.state, view.viewer)
        lines += _invasion(view.state, view.viewer)
        lines += _fiefs(view)
    return Report((Section(phrase("briefing.title", time=view.state.time), tuple(lines)),))


def _beginning(state: State, ruler: PowerId | None) -> Iterator[Phrase]:
    """How a ruler who has no realm yet, or may still choose, can begin. Rulings KA225, KA227"""
    if ruler is None:
        return
    ways = [phrase(f"briefing.begin_{way}") for way in ways_of(state, ruler)]
    if is_fallen(state, ruler):
        yield phrase("briefing.fallen")
        yield phrase("briefing.begin_again", ways=tuple(ways)) if ways else phrase("briefing.fallen_for_now")
    elif not may_begin(state, ruler):
        return
    elif ways:
        kind = "begin" if state.rulers[ruler].kind != INVADER else "begin_otherwise"
        yield phrase(f"briefing.{kind}", ways=tuple(ways))
    elif state.rulers[ruler].kind == EXPECTED:
        yield phrase("briefing.begin_nowhere")


def _invasion(state: State, ruler: PowerId | None) -> Iterator[Phrase]:
    """What an invader may do, for invaders."""
    if ruler is None or state.rulers[ruler].kind != INVADER:
        return
    until = state.rulers[ruler].protected
    if state.part == ORDERS_PART:
        settles = books.settles_down(Window(state, {}, None), ruler)
        yield phrase("briefing.invader_settles", re=ADDITIONAL_ARMING) if settles else phrase("briefing.invader")
    elif until < state.gr:
        yield phrase("briefing.invader_deeds")
        yield from _takeable(state, ruler)
    if until >= state.gr:
        yield phrase("briefing.invader_protected", until=until)


def _takeable(state: State, ruler: PowerId) -> Iterator[Phrase]:
    """An order that takes natives' land in which the ruler's people stand. Source: ruling KA212"""
    land, stacks = land_of(state), state.stacks.get(ruler, {})
    free = [ee for ee in range(1, EXPLORATION_UNITS + 1) if ee not in state.used.get(ruler, ())]
    here = (at for at, stack in stacks.items() if has_people(stack) and at not in state.owners and not land.is_sea(at))
    for ee, at in islice(zip(free, here, strict=False), 1):
        yield phrase("briefing.invader_here", order=str(Enter(ee, at, "B", at, named(on_land(stacks[at])))))


def _fiefs(view: View) -> Iterator[Phrase]:
    """The fiefs that the viewer has given and holds, until when, and which can be claimed."""
    for fief in fiefs_in(view.state.modules):
        if fief.holder == view.viewer:
            yield phrase("briefing.fief_held", gf=fief.gf, ruler=fief.giver, until=fief.until)
        else:
            code = "fief_open" if fief.is_open else "fief_given"
            yield phrase(f"briefing.{code}", gf=fief.gf, ruler=fief.holder, until=fief.until)


def text_board(view: View) -> Report:
    """The viewer's realm, and what else is known, field by field."""
    lines = () if view.viewer is None else tuple(known_fields(view.state, view.viewer))
    return Report((Section(phrase("board.title", time=view.state.time), lines),)) if lines else Report(())


def ledger(view: View) -> Report:
    """The ledger of the present position. Source: rules 10.1"""
    if view.viewer is None:
        return Report(())
    rows = books.ledger(Window(view.state, {}, None), view.viewer)
    lines = [phrase(f"ledger.{name}", count=value) for name, value in rows.items() if name in _LEDGER]
    upkeep = [phrase("ledger.of", what=phrase(f"ledger.upkeep.{name}"), count=cost) for name, cost in
              rows["upkeep"].items() if cost]  # fmt: skip
    lines += _of_invaders(view.state, view.viewer)
    sections = [Section(phrase("ledger.title", time=view.state.time), tuple(lines), SectionKind.TABLE)]
    if upkeep:
        sections.append(Section(phrase("ledger.upkeep_title"), tuple(upkeep), SectionKind.TABLE))
    return Report(tuple(sections))


def _of_invaders(state: State, ruler: PowerId) -> Iterator[Phrase]:
    """What invaders arm on each date without trade centres, and where. Source: rules 4.4, R-128, ruling KA209"""
    now = Window(state, {}, None)
    if state.rulers[ruler].kind == INVADER and not books.settles_down(now, ruler):
        count = books.peoples_arming(now, ruler) + books.additional_arming(now, ruler)
        yield phrase("ledger.landless", count=count)
        core = sorted(realms.core_realm(now, ruler), key=order_of)
        beyond = [place for place in realms.realm_of(now, ruler) if place not in core]
        yield phrase("ledger.landless_core", places=core)
        if beyond:
            yield phrase("ledger.landless_beyond", places=beyond)


def measures(view: View) -> tuple[tuple[Phrase, float], ...]:
    """How large and strong the realm is. Source: rules 10.1"""
    if view.viewer is None:
        return ()
    rows = books.ledger(Window(view.state, {}, None), view.viewer)
    counted = {"provinces": len(view.state.owned(view.viewer)), **{name: rows[name] for name in _MEASURES}}
    return tuple((phrase(f"measure.{name}"), count) for name, count in counted.items())


def era(view: View) -> Phrase:
    """The epoch of twelve great rounds. Source: rules 5.1"""
    return phrase("measure.era", number=(view.state.gr - 1) // EPOCH + 1)


_MEASURES = ("city_units", "re_before", "core", "aux")
_LEDGER = ("city_units", "re_before", "due", "core", "aux")
"""What tells something of the present position: nothing of the next upkeep has been paid."""


def goal(view: View) -> Phrase:
    """Kalevala has no end and no victory, unless the game was created with one. Source: rules R-093"""
    last = last_round(view.state.options)
    return phrase("goal") if last is None else phrase("goal_of_rounds", last=last)
