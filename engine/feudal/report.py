"""A phase in words: what happened, what is asked, and the whole position for people who can't see the map."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from engine.core.events import Event
from engine.core.ids import PowerId
from engine.core.outcome import OrderResult, Outcome
from engine.core.phrases import Phrase, phrase
from engine.core.report import Report, Section
from engine.feudal import choosing
from engine.feudal.adjustments import quota_of
from engine.feudal.model import BARBARIANS, KING, NOMADS, WIZARD, State, Unit, View
from engine.feudal.status import status, title
from engine.provinces.phases import PhaseKind
from engine.provinces.telling import events_after

_MOST_NAMED = 8
"""Centres or units that a briefing names; of more it says how many there are."""


def report(view: View, results: Sequence[OrderResult[object]], events: Sequence[Event]) -> Report:
    """A closed phase: every power's orders with their outcomes, what else happened, and how the powers stand now."""
    orders = [
        Section(
            phrase("report.power", power=power),
            _result_lines([result for result in results if result.power == power]),
        )
        for power in view.state.powers
    ]
    happened = events_after(orders, _together([event.what for event in events]))
    return _report([*orders, happened, _standings(view.state)])


_ALIKE: Mapping[str, tuple[str, str | None]] = {
    "event.took": ("report.took", None),
    "event.barbarians_took": ("report.barbarians_took", None),
    "event.laid_waste": ("report.laid_waste", None),
    "event.barbarian_held": ("report.barbarians_held", None),
    "event.barbarian_rises": ("report.barbarians_rise", None),
    "event.barbarian_moved": ("report.barbarians_moved", "to"),
    "event.barbarian_went_home": ("report.barbarians_went_home", "home"),
}
"""What several events of a kind become together, and which argument says where each leads."""


def _together(events: Sequence[Phrase]) -> tuple[Phrase, ...]:
    """The events; those that say the same of several places share a line, where the first of them was."""
    alike: dict[tuple[str, object], list[Phrase]] = {}
    for event in events:
        which = event.args.get("power") if event.code in _ALIKE else len(alike)
        alike.setdefault((event.code, which), []).append(event)
    return tuple(group[0] if len(group) == 1 else _as_one(group) for group in alike.values())


def _as_one(group: Sequence[Phrase]) -> Phrase:
    code, to = _ALIKE[group[0].code]
    places = tuple(
        event.args["place"] if to is None else phrase("report.way", place=event.args["place"], to=event.args[to])
        for event in group
    )
    return phrase(code, **{**group[0].args, "places": places})


_PLAIN = frozenset(
    {"outcome.moved", "outcome.held", "outcome.supported", "outcome.built", "outcome.chosen", "outcome.castle"}
)
"""Why something worked, where the order says it all."""


_UNORDERED = "outcome.no_order"


_WORDS = {"outcome.clash": "clashed", "outcome.already_given": "gone"}
"""What became of an entry of a list, where the outcome's own word is one for units."""


_TOGETHER = {"outcome.not_needed": "report.not_needed", "outcome.too_near": "report.too_near"}
"""Entries of a list that were passed over share a line for each reason."""


def _result_lines(results: Sequence[OrderResult[object]]) -> tuple[Phrase, ...]:
    """A line each, and last those of entries that were passed over."""
    lines = [_result_line(result) for result in results if result.reason.code not in _TOGETHER]
    spare = {
        code: tuple(result.text for result in results if result.reason.code == why) for why, code in _TOGETHER.items()
    }
    return (*lines, *(phrase(code, orders=orders) for code, orders in spare.items() if orders))


def _result_line(result: OrderResult[object]) -> Phrase:
    if result.reason.code == _UNORDERED:
        return phrase("report.unordered", order=result.text)
    if not result.outcome.is_failure and result.outcome is not Outcome.DISBANDS:
        code = "report.worked" if result.reason.code in _PLAIN else "report.worked_so"
        return phrase(code, order=result.text, reason=result.reason)
    code = "report.failed" if result.outcome.is_failure else "report.disbanded"
    word = _WORDS.get(result.reason.code, str(result.outcome))
    return phrase(code, order=result.text, outcome=phrase(f"report.outcome.{word}"), reason=result.reason)


def _standings(state: State) -> Section:
    ranked = sorted(state.powers, key=lambda power: -len(state.owned(power)))
    return Section(phrase("report.standings"), tuple(_standing(state, power) for power in ranked))


def _standing(state: State, power: PowerId) -> Phrase:
    centres = len(state.owned(power))
    are_home = not any(unit.is_players for unit in state.units)
    code = "report.standing_home" if are_home else "report.standing"
    if power in state.out:
        code = "report.standing_out" if centres else "report.standing_gone"
    units = sum(unit.power == power for unit in state.units)
    castles = sum(owner == power for owner in state.castles.values())
    return phrase(code, power=power, centres=centres, units=units, castles=castles)


def briefing(view: View) -> Report:
    """What the viewer is to decide in this phase; for the public, what the phase is about and who has to decide."""
    state, viewer = view.state, view.viewer
    if state.over:
        return _report([Section(title(state), (state.over.why,))])
    facts = status(state)
    if viewer is None or viewer not in state.powers:
        waiting = (phrase("report.to_act", powers=facts.to_act),) if facts.to_act else ()
        return _report([Section(facts.title, (*_about(state), *waiting))])
    if viewer in state.out:
        return _report([Section(facts.title, (phrase("report.you_are_out"),))])
    lines = tuple(_asked(state, viewer)) if viewer in facts.to_act else (phrase("report.nothing_to_order"),)
    return _report([Section(facts.title, lines)])


def _about(state: State) -> Iterable[Phrase]:
    is_castles = state.phase.kind is PhaseKind.SETUP and choosing.is_castle_round(state)
    yield phrase("report.phase.castles" if is_castles else f"report.phase.{state.phase.kind}")
    if state.has_magic and state.phase.kind in _WITH_MAGIC and not is_castles:
        yield phrase(f"report.magic.{state.phase.kind}")


_WITH_MAGIC = (PhaseKind.SETUP, PhaseKind.MOVEMENT, PhaseKind.ADJUSTMENTS)
"""Phases in which wizards matter: as something to come, on the board, to be built."""


def _asked(state: State, viewer: PowerId) -> Iterable[Phrase]:
    match state.phase.kind:
        case PhaseKind.SETUP if choosing.is_castle_round(state):
            yield phrase("report.name_castle", places=state.owned(viewer))
        case PhaseKind.SETUP:
            yield from _choice(state, viewer)
        case PhaseKind.MOVEMENT:
            units = tuple(_names(state, viewer))
            code = "report.order_units" if len(units) <= _MOST_NAMED else "report.order_units_many"
            yield phrase(code, units=units, count=len(units))
            if state.has_magic and any(unit.kind == WIZARD and unit.power == viewer for unit in state.units):
                yield phrase("report.wizards")
            for spell in state.magic:
                if spell.at in {unit.at for unit in state.units if unit.power == viewer}:
                    if not spell.is_immobilizing:
                        yield phrase("report.no_distant_again", place=spell.at)
                    elif spell.target is not None:
                        yield phrase("report.no_immobilizing_again", place=spell.at, target=spell.target)
        case PhaseKind.RETREATS:
            for row in state.dislodged:
                if row.unit.power == viewer:
                    code = "report.king_may_retreat" if row.unit.kind == KING else "report.may_retreat"
                    yield phrase(code, unit=row.unit.name, places=row.retreats)
        case _:
            quota = quota_of(state, viewer)
            if quota.units == 1:
                yield phrase("report.may_build_king", places=state.owned(viewer))
                return
            yield phrase("report.may_build", count=quota.units, places=state.owned(viewer))
            counts = {"report.quota_knights": quota.knights, "report.quota_wizards": quota.wizards}
            kinds = tuple(phrase(code, count=count) for code, count in counts.items() if count)
            yield phrase("report.quota" if kinds else "report.no_quota", kinds=kinds)


def _choice(state: State, viewer: PowerId) -> Iterable[Phrase]:
    got = state.setup.got.get(viewer)
    if got is not None:
        yield phrase("report.may_list_again", place=got)
        yield phrase("otherwise.kept", place=got)
    most, least = choosing.list_length(state, viewer), choosing.least_distance(state, viewer)
    if choosing.is_quick(state):
        count = choosing.wanted(state, viewer)
        yield phrase("report.choose_all", most=most, count=count)
        if least > 1:
            yield phrase("report.apart", least=least)
    else:
        code = "report.choose" if choosing.standing_centres(state, viewer) and least > 1 else "report.choose_first"
        row = choosing.start_row(state)
        yield phrase(code, most=most, least=least, round=choosing.round_number(state), centres=row.centres)
        if code == "report.choose_first":
            yield phrase("report.list_again")
            if least > 1:
                yield phrase("report.later_apart", least=least)
    places = choosing.legal_centres(state, viewer)
    if len(places) > _MOST_NAMED:
        yield phrase("report.choosable_many", count=len(places), places=places[:3])
    else:
        yield phrase("report.choosable", places=places)


def text_board(view: View) -> Report:
    """Every unit, centre and castle, by power; barbarians and nomads; what nobody owns; who is dislodged."""
    state = view.state
    sections = [_power_board(state, power) for power in state.powers]
    for power in (BARBARIANS, NOMADS):
        lines = [phrase("report.units", units=units)] if (units := tuple(_names(state, power))) else []
        own = state.owned(power)
        lines += [phrase("report.centres", count=len(own), places=own)] if own else []
        sections.append(Section(phrase("report.power", power=power), tuple(lines)))
    unowned = tuple(place for place, owner in state.centres.items() if owner is None)
    if unowned:
        sections.append(Section(phrase("report.unowned"), (phrase("report.places", places=unowned),)))
    driven_out = tuple(
        phrase("report.dislodged", power=row.unit.power, unit=row.unit.name, places=row.retreats)
        for row in state.dislodged
    )
    return _report([*sections, Section(phrase("report.dislodged_units"), driven_out)])


def _power_board(state: State, power: PowerId) -> Section:
    units, own = tuple(_names(state, power)), state.owned(power)
    castles = tuple(place for place, owner in state.castles.items() if owner == power)
    lines = [
        phrase("report.units" if units else "report.no_units", units=units),
        phrase("report.centres" if own else "report.no_centres", count=len(own), places=own),
    ]
    lines += [phrase("report.castles", places=castles)] if castles else []
    lines += [phrase("report.out")] if power in state.out else []
    return Section(phrase("report.power", power=power), tuple(lines))


def _names(state: State, power: PowerId) -> Iterable[str]:
    return (_told(unit) for unit in state.units if unit.power == power)


def _told(unit: Unit) -> str:
    away = unit.home is not None and unit.home != unit.at
    return f"{unit.kind} {unit.at} (of {unit.home})" if away else f"{unit.kind} {unit.at}"


def _report(sections: Sequence[Section]) -> Report:
    return Report(tuple(section for section in sections if section.lines))
