"""A phase in words: what happened, what is asked, the cards in hand, and the whole position."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.core.events import Event
from engine.core.ids import PowerId, province_of
from engine.core.outcome import OrderResult, Outcome
from engine.core.phrases import Phrase, phrase
from engine.core.report import Report, Section
from engine.provinces.classic import report as classic
from engine.provinces.orders import Hold
from engine.provinces.pars import above_or_below
from engine.provinces.phases import PhaseKind
from engine.young_kingdoms.battlefield import field_of
from engine.young_kingdoms.cards import hand
from engine.young_kingdoms.legality import placed_units, places_for
from engine.young_kingdoms.model import CASTS, SORCERER, State, View
from engine.young_kingdoms.status import status
from engine.young_kingdoms.victory import above_par, has_par, par


def report(view: View, results: Sequence[OrderResult[object]], events: Sequence[Event]) -> Report:
    """A closed phase: every power's orders with their outcomes, what else happened, and how the powers stand now.

    A sorcerer who casts a spell stays for it, and is not told of as one without an order.
    One whom a fleet does not take aboard has met nobody's strength: that is not called a bounce.
    """
    casters = {result.power for result in results if isinstance(result.order, CASTS)}
    told = [
        result._replace(outcome=Outcome.DISRUPTED) if result.reason.code in _LEFT_BEHIND else result
        for result in results
        if not (result.power in casters and _is_idle(result))
    ]
    return classic.report(view, told, events, _against_par(view.state) if has_par(view.state) else None)


def _against_par(state: State) -> Section:
    """The powers by how far they are above their pars."""
    above = {power: above_par(state, power) for power in state.variant.powers}
    lines = [
        phrase(
            "report.with_par",
            line=classic.standing(state, power),
            above=above_or_below(above[power], par(state, power), "report.own_par"),
        )
        for power in sorted(above, key=lambda power: -above[power])
    ]
    return Section(phrase("report.standings"), tuple(lines))


_LEFT_BEHIND = frozenset({"outcome.fleet_not_friendly", "outcome.fleet_moves", "outcome.fleet_dislodged"})


def _is_idle(result: OrderResult[object]) -> bool:
    """Whether it is that of a sorcerer to whom no order was given."""
    return result.reason.code == classic.UNORDERED and isinstance(result.order, Hold) and result.order.kind == SORCERER


def briefing(view: View) -> Report:
    """What the viewer is to decide in this phase, and its cards; for the public, what the phase is about."""
    state, viewer = view.state, view.viewer
    facts = status(state)
    if facts.winners is not None:
        return Report((Section(facts.title, tuple(filter(None, [facts.why_over]))),))
    if viewer is None:
        lines = [phrase(f"report.phase.{state.phase.kind}"), phrase("report.to_act", powers=facts.to_act)]
        return Report((Section(facts.title, tuple(lines)),))
    asked = tuple(_asked(view, viewer)) if viewer in facts.to_act else (phrase("report.nothing_to_do"),)
    # Who is asked for orders gets a picture of the hand, or a button; who only waits for the set-up gets neither.
    has_picture = viewer in facts.to_act or state.phase.kind is not PhaseKind.SETUP
    code = "report.card_in_short" if has_picture else "report.card"
    cards = tuple(phrase(code, number=card.number, name=card.name, words=card.words) for card in hand(view))
    sections = (Section(facts.title, asked), Section(phrase("report.hand"), cards))
    return Report(tuple(section for section in sections if section.lines))


def _asked(view: View, viewer: PowerId) -> Iterable[Phrase]:
    state, field = view.state, field_of(view.state)
    match state.phase.kind:
        case PhaseKind.SETUP:
            units = tuple(f"{unit.kind} {unit.at}" for unit in placed_units(field, viewer))
            yield phrase("report.may_place", units=units, places=places_for(field, viewer))
        case PhaseKind.MOVEMENT:
            sorcerer = field.sorcerer_of.get(viewer)
            units = tuple(f"{unit.kind} {unit.at}" for unit in field.units_of(viewer))
            yield phrase("report.order_units", units=(*units, *((f"{SORCERER} {sorcerer.at}",) if sorcerer else ())))
            for unit in field.units_of(viewer):
                if any(one.at == province_of(unit.at) for one in state.carried):
                    yield phrase("report.carries", unit=f"{unit.kind} {unit.at}")
        case PhaseKind.RETREATS:
            for row in (*state.dislodged, *state.driven):
                if row.unit.power == viewer:
                    is_sorcerer = row.unit.kind == SORCERER
                    code = "sorcerer_retreats" if is_sorcerer else "may_retreat" if row.retreats else "must_disband"
                    yield phrase(f"report.{code}", unit=f"{row.unit.kind} {row.unit.at}", places=row.retreats)
        case _:
            free = field.adjustment(viewer)
            if free > 0:
                yield phrase("report.may_build", count=free, places=field.building_sites(viewer))
            else:
                units = tuple(f"{unit.kind} {unit.at}" for unit in field.removable(viewer))
                yield phrase("report.must_remove", count=-free, units=units)


def text_board(view: View) -> Report:
    """Every unit and every centre, by power, then sorcerers, hordes, fortresses and shared spaces."""
    state = view.state
    lines = []
    for unit in state.sorcerers:
        lines.append(phrase("report.sorcerer", power=unit.power, place=unit.at))
    for row in state.driven:
        lines.append(phrase("report.dislodged", power=row.unit.power, unit=f"S {row.unit.at}", places=row.retreats))
    for unit in state.units:
        if province_of(unit.at) in state.hordes:
            lines.append(phrase("report.horde", power=unit.power, place=unit.at))
    standing = []
    for at, fortress in state.fortresses.items():
        if fortress.strength:
            code = "report.fortress" if fortress.owner else "report.free_fortress"
            standing.append(phrase(code, place=at, strength=fortress.strength, power=fortress.owner or ""))
    shares = tuple(phrase("report.share", place=bond.at, powers=bond.powers) for bond in state.bonds)
    more = (
        Section(phrase("report.sorcerers"), tuple(lines)),
        Section(phrase("report.fortresses"), tuple(standing)),
        Section(phrase("report.shares"), shares),
    )
    return Report((*classic.text_board(view).sections, *(section for section in more if section.lines)))
