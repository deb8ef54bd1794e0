"""A phase in words: what happened, what is asked, and the whole position for those who can't see the map."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from engine.core.events import Event
from engine.core.ids import PowerId
from engine.core.outcome import OrderResult, Outcome
from engine.core.phrases import Phrase, phrase
from engine.core.report import Report, Section
from engine.provinces.classic.adjustments import balance, open_homes
from engine.provinces.classic.model import State, Unit, View
from engine.provinces.classic.status import status
from engine.provinces.phases import PhaseKind
from engine.provinces.telling import events_after


def report(
    view: View,
    results: Sequence[OrderResult[object]],
    events: Sequence[Event],
    standings: Section | None = None,
) -> Report:
    """A closed phase: every power's orders with their outcomes, what else happened, and how the powers stand now.

    Args:
        standings: how they stand, where it isn't by centres alone.
    """
    powers = view.state.variant.powers
    orders = [
        Section(
            phrase("report.power", power=power),
            tuple(_result_line(result) for result in results if result.power == power),
        )
        for power in powers
    ]
    happened = events_after(orders, tuple(event.what for event in events))
    return _report([*orders, happened, standings or _standings(view.state)])


UNORDERED = "outcome.no_order"
"""The reason of a unit that held because no order was given to it."""
_AS_ORDERED = frozenset({"outcome.disbanded", "outcome.removed"})


def _result_line(result: OrderResult[object]) -> Phrase:
    # An order that simply worked needs no reason.
    if result.reason.code == UNORDERED:
        return phrase("report.unordered", order=result.text)
    if result.outcome in (Outcome.SUCCEEDS, Outcome.RETREATS, Outcome.BUILDS) or result.reason.code in _AS_ORDERED:
        return phrase("report.worked", order=result.text)
    # A removal is not a failure, and a unit that disbands has a reason worth telling.
    code = "report.failed" if result.outcome.is_failure else "report.disbanded"
    return phrase(code, order=result.text, outcome=phrase(f"report.outcome.{result.outcome}"), reason=result.reason)


def _standings(state: State) -> Section:
    return Section(phrase("report.standings"), tuple(standing(state, power) for power in _by_centres(state)))


def _by_centres(state: State) -> list[PowerId]:
    held = Counter(owner for owner in state.centres.values() if owner)
    return sorted(state.variant.powers, key=lambda power: -held[power])


def standing(state: State, power: PowerId) -> Phrase:
    """The centres and units of a power."""
    return phrase(
        "report.standing",
        power=power,
        centres=sum(owner == power for owner in state.centres.values()),
        units=sum(unit.power == power for unit in (*state.units, *(row.unit for row in state.dislodged))),
    )


def briefing(view: View) -> Report:
    """What the viewer is to decide in this phase; for the public, what the phase is about and who has to decide."""
    state, viewer = view.state, view.viewer
    facts = status(state)
    if facts.winners is not None:
        return _report([Section(facts.title, tuple(filter(None, [facts.why_over])))])
    if viewer is None:
        lines: list[Phrase] = [phrase(f"report.phase.{state.phase.kind}"), phrase("report.to_act", powers=facts.to_act)]
    elif viewer not in facts.to_act:
        lines = [phrase("report.nothing_to_do")]
    elif state.phase.kind is PhaseKind.MOVEMENT:
        lines = [phrase("report.order_units", units=tuple(_unit(unit) for unit in _own(state, viewer)))]
    elif state.phase.kind is PhaseKind.RETREATS:
        lines = list(_retreats(state, viewer))
    else:
        lines = list(_adjustments(state, viewer))
    return _report([Section(facts.title, tuple(lines))])


def _retreats(state: State, viewer: PowerId) -> Iterable[Phrase]:
    for dislodged in state.dislodged:
        if dislodged.unit.power == viewer:
            code = "report.may_retreat" if dislodged.retreats else "report.must_disband"
            yield phrase(code, unit=_unit(dislodged.unit), places=dislodged.retreats)


def _adjustments(state: State, viewer: PowerId) -> Iterable[Phrase]:
    free = balance(state, viewer)
    if free > 0:
        yield phrase("report.may_build", count=free, places=open_homes(state, viewer))
    else:
        yield phrase("report.must_remove", count=-free, units=tuple(_unit(unit) for unit in _own(state, viewer)))


def text_board(view: View) -> Report:
    """Every unit and every centre, by power; what nobody owns; who is dislodged."""
    state = view.state
    sections = [_power_board(state, power) for power in state.variant.powers]
    unowned = tuple(province for province, owner in state.centres.items() if owner is None)
    if unowned:
        sections.append(Section(phrase("report.unowned"), (phrase("report.places", places=unowned),)))
    driven_out = tuple(
        phrase("report.dislodged", power=row.unit.power, unit=_unit(row.unit), places=row.retreats)
        for row in state.dislodged
    )
    return _report([*sections, Section(phrase("report.dislodged_units"), driven_out)])


def _power_board(state: State, power: PowerId) -> Section:
    units = tuple(_unit(unit) for unit in _own(state, power))
    centres = tuple(province for province, owner in state.centres.items() if owner == power)
    lines = (
        phrase("report.units" if units else "report.no_units", count=len(units), units=units),
        phrase("report.centres" if centres else "report.no_centres", count=len(centres), places=centres),
    )
    return Section(phrase("report.power", power=power), lines)


def _own(state: State, power: PowerId) -> tuple[Unit, ...]:
    return tuple(unit for unit in state.units if unit.power == power)


def _unit(unit: Unit) -> str:
    return f"{unit.kind} {unit.at}"


def _report(sections: Sequence[Section]) -> Report:
    return Report(tuple(section for section in sections if section.lines))
