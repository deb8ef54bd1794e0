"""A phase in words: what happened, what is asked, and the whole position for people who can't see the map."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from engine.core.events import Event
from engine.core.ids import PowerId, ProvinceId
from engine.core.outcome import OrderResult, Outcome
from engine.core.phrases import Phrase, phrase
from engine.core.report import Report, Section
from engine.kregen.foresight import samples
from engine.kregen.land import land_of
from engine.kregen.listing import (
    asked_heroes,
    builds,
    capitals,
    duel_name,
    removals,
    rivals,
    sparable_rivals,
)
from engine.kregen.model import FLEET, HERO, PIRATES, SPARE, Grant, State, Unit, View, format_order
from engine.kregen.prophecy import BUILD, Plan, Refuge, format_points, format_prophecy
from engine.kregen.sheet import crowded, setup_left
from engine.kregen.status import status
from engine.kregen.supply import balance, points
from engine.kregen.victory import above_par, has_par, numbers_of, par
from engine.provinces.pars import above_or_below
from engine.provinces.phases import PhaseKind
from engine.provinces.telling import events_after

_DUELS = "event.duel_"
_PLAIN = frozenset({"reason.done", "reason.disbanded"})
"""Reasons that the order itself says."""
_FELL = frozenset({"reason.captured", "reason.killed", "reason.wounded"})
"""What becomes of heroes in duels: no order of theirs failed."""


def report(view: View, results: Sequence[OrderResult[object]], events: Sequence[Event]) -> Report:
    """A closed phase: duels, every power's orders with their outcomes, what else happened, how the powers stand now."""
    orders = [
        Section(
            phrase("report.power", power=power), tuple(_line(result) for result in results if result.power == power)
        )
        for power in view.state.variant.powers
    ]
    duels = tuple(event.what for event in events if event.what.code.startswith(_DUELS))
    others = tuple(event.what for event in events if not event.what.code.startswith(_DUELS))
    told = [Section(phrase("report.duels"), duels), *orders]
    return _report([*told, events_after(told, others), _standings(view.state)])


def _line(result: OrderResult[object]) -> Phrase:
    if result.reason.code == "reason.no_order":
        return phrase("report.unordered", order=result.text)
    if result.outcome in (Outcome.SUCCEEDS, Outcome.BUILDS):
        return phrase("report.worked", order=result.text)
    if result.outcome in (Outcome.DISBANDS, Outcome.RETREATS) and result.reason.code in _PLAIN:
        return phrase("report.worked", order=result.text)
    args = {"order": result.text, "outcome": phrase(f"report.outcome.{result.outcome}"), "reason": result.reason}
    if not result.outcome.is_failure:
        return phrase("report.disbanded", **args)
    impulse = result.reason.args.get("impulse")
    if impulse is None:
        return phrase("report.failed", **args)
    if result.reason.code in _FELL:
        return phrase("report.fell", **args, impulse=phrase(f"report.impulse.{impulse}"))
    return phrase("report.failed_in", **args, impulse=phrase(f"report.impulse.{impulse}"))


def _standings(state: State) -> Section:
    ranked = sorted(state.variant.powers, key=lambda power: -len(_centres(state, power)))
    if not has_par(state):
        return Section(phrase("report.standings"), tuple(_standing(state, power) for power in ranked))
    ranked.sort(key=lambda power: -above_par(state, power))
    lines = tuple(
        phrase(
            "report.with_par",
            line=_standing(state, power),
            above=above_or_below(above_par(state, power), par(state, power), "report.own_par"),
        )
        for power in ranked
    )
    return Section(phrase("report.standings"), lines)


def _standing(state: State, power: PowerId) -> Phrase:
    city = land_of(state.variant).city
    held = _centres(state, power)
    if power == PIRATES:
        fleets = sum(unit.power == power and unit.kind == FLEET for unit in state.units)
        goal = numbers_of(state).fleets
        return phrase("report.standing_pirates", power=power, centres=len(held), fleets=fleets, goal=goal,
                      points=format_points(points(state, power)))  # fmt: skip
    shapes = [city[at] for at in held]
    squares, circles = shapes.count("square"), shapes.count("circle")
    neither = len(held) - squares - circles
    code = "report.standing_neither" if neither else "report.standing"
    return phrase(code, power=power, cities=len(held), squares=squares, circles=circles, neither=neither,
                  points=format_points(points(state, power)))  # fmt: skip


def _centres(state: State, power: PowerId) -> tuple[ProvinceId, ...]:
    """What counts for the end of the game: cities, and for the pirates X."""
    city = land_of(state.variant).city
    return tuple(at for at, owner in state.owners.items() if owner == power and (at in city or power == PIRATES))


# What is asked


def briefing(view: View) -> Report:
    """What the viewer is to decide in this phase; for the public, what the phase is about and who has to decide."""
    state, viewer = view.state, view.viewer
    facts = status(state)
    if facts.winners is not None:
        return _report([Section(facts.title, tuple(filter(None, [facts.why_over])))])
    if viewer is None:
        # Whose prophecies settle the phase is not asked; the public view has nobody's.
        may_be_foretold = state.options["prophetic"] and state.phase.kind in (PhaseKind.RETREATS, PhaseKind.ADJUSTMENTS)
        due = phrase("report.to_act_unless_foretold" if may_be_foretold else "report.to_act", powers=facts.to_act)
        lines = [phrase(f"report.phase.{state.phase.kind}"), due]
        return _report([Section(facts.title, tuple(lines))])
    asked = tuple(_asked(state, viewer)) if viewer in facts.to_act else (phrase("report.nothing_to_do"),)
    filed = tuple(phrase("report.prophecy", line=format_prophecy(line)) for line in state.prophecies.get(viewer, ()))
    return _report([Section(facts.title, asked), Section(phrase("report.prophecies"), filed)])


def _asked(state: State, viewer: PowerId) -> Iterator[Phrase]:
    match state.phase.kind:
        case PhaseKind.SETUP:
            yield from _asked_at_setup(state, viewer)
        case PhaseKind.MOVEMENT:
            units = [unit for unit in state.units if unit.power == viewer]
            yield phrase("report.order_units", units=tuple(unit.name for unit in units if not unit.rests))
            yield from crowded(state, viewer)
            for hero in units:
                if hero.rests:
                    yield phrase("report.rests", unit=hero.name, seasons=hero.rests)
            for hero in asked_heroes(state, viewer):
                yield phrase("report.duel_asked", unit=duel_name(state, hero), powers=rivals(state, hero))
                for power in sparable_rivals(state, hero):
                    order = format_order(Grant(SPARE, power))
                    yield phrase("report.may_spare", unit=hero.name, power=power, order=order)
            if state.options["prophetic"]:
                yield _may_foretell(state, viewer)
        case PhaseKind.RETREATS:
            for row in state.dislodged:
                if row.unit.power == viewer:
                    code = "report.hero_retreats" if row.unit.kind == HERO else "report.may_retreat"
                    yield phrase(code, unit=row.unit.name, places=row.retreats)
        case _:
            free = balance(state, viewer)
            if free < 0:
                units_ = tuple(f"{order.kind} {order.at}" for order in removals(state, viewer))
                code = "report.must_remove" if len(units_) > 1 else "report.must_remove_all"
                yield phrase(code, points=format_points(-free), units=units_)
            else:
                sites = tuple(dict.fromkeys(order.at for order in builds(state, viewer)))
                yield phrase("report.may_build", points=format_points(free), places=sites)


def _may_foretell(state: State, viewer: PowerId) -> Phrase:
    """That prophecies may be filed, with a retreat and a build of the viewer's own to show how."""
    could = tuple(samples(state, viewer))
    shown = [
        next((one for one in could if isinstance(one.rule, Refuge)), None),
        next((one for one in could if isinstance(one.rule, Plan) and one.rule.deed == BUILD and one.conditions), None),
    ]
    lines = tuple(phrase("report.such_as", line=format_prophecy(one)) for one in shown if one is not None)
    return phrase("report.may_foretell_as", lines=lines) if lines else phrase("report.may_foretell")


def _asked_at_setup(state: State, viewer: PowerId) -> Iterator[Phrase]:
    left = setup_left(viewer, ())
    if viewer == PIRATES:
        rules = state.variant.settings["pirate_start"]
        yield phrase("report.place_fleets", count=left, all=tuple(rules["all"]), one=tuple(rules["one"]),
                     anywhere=int(rules["anywhere"]))  # fmt: skip
        return
    cities = tuple(city.at for city in capitals(state, viewer))
    if cities:
        yield phrase("report.choose_capital", places=cities, first=cities[0])
    yield phrase(
        "report.first_builds", points=format_points(left), places=land_of(state.variant).starting_cities(viewer)
    )
    yield phrase("report.capital_empties")


# The board in words


def text_board(view: View) -> Report:
    """Every unit and every city and X, by power; garrisons, what was plundered, what nobody owns, who is dislodged."""
    state = view.state
    city = land_of(state.variant).city
    free = [at for at in state.variant.board.centres if at not in state.owners and at not in state.garrisons]
    rows = tuple(
        phrase("report.dislodged", power=row.unit.power, unit=row.unit.name, places=row.retreats)
        for row in state.dislodged
    )
    return _report([
        *(_power_board(state, power) for power in state.variant.powers),
        _places("report.garrisons", state.garrisons),
        _places("report.plundered", state.plundered),
        _places("report.unowned_cities", (at for at in free if at in city)),
        _places("report.unowned_centres", (at for at in free if at not in city)),
        Section(phrase("report.dislodged_units"), rows),
    ])  # fmt: skip


def _places(heading: str, places: Iterable[ProvinceId]) -> Section:
    found = tuple(places)
    return Section(phrase(heading), (phrase("report.places", places=found),) if found else ())


def _power_board(state: State, power: PowerId) -> Section:
    land = land_of(state.variant)
    own = [unit for unit in state.units if unit.power == power]
    troops = tuple(unit.name for unit in own if unit.kind != HERO)
    cities = tuple(at for at, owner in state.owners.items() if owner == power and at in land.city)
    lairs = tuple(at for at, owner in state.owners.items() if owner == power and at not in land.city)
    lines = [phrase("report.units" if troops else "report.no_units", count=len(troops), units=troops)]
    lines += [_hero_line(unit) for unit in own if unit.kind == HERO]
    lines += [phrase("report.cities", count=len(cities), places=cities)] if cities else []
    lines += [phrase("report.lairs", count=len(lairs), places=lairs)] if lairs and power == PIRATES else []
    if power in state.capitals:
        lines.append(phrase("report.capital", place=state.capitals[power]))
    lines.append(phrase("report.points", points=format_points(points(state, power))))
    return Section(phrase("report.power", power=power), tuple(lines))


def _hero_line(hero: Unit) -> Phrase:
    if hero.rests:
        return phrase("report.resting_hero", place=hero.at, seasons=hero.rests)
    if hero.of:
        return phrase("report.captured_hero", place=hero.at, power=hero.of)
    return phrase("report.hero", place=hero.at)


def _report(sections: Sequence[Section]) -> Report:
    return Report(tuple(section for section in sections if section.lines))
