"""The year's end, and the building of a whole new set of units. Source: rules 2, 4, 9, 12."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from engine.core.events import Event
from engine.core.ids import PlaceId, PowerId
from engine.core.outcome import OrderResult, Outcome
from engine.core.phrases import phrase
from engine.feudal.board import land_of
from engine.feudal.legality import find_flaw, quota_code
from engine.feudal.model import (
    ARMY,
    BARBARIANS,
    KING,
    KNIGHT,
    WIZARD,
    Order,
    State,
    Unit,
    format_order,
    knight_quota,
    subject,
    wizard_quota,
)
from engine.provinces.flaws import Flaw, OrderPart
from engine.provinces.orders import Build, Waive


def end_year(state: State) -> tuple[State, tuple[Event, ...]]:
    """Everybody goes into winter quarters: barbarians home, the others from the board.

    Source: rules 2, 12 A; ruling F18.
    """
    land, centres, events = land_of(state.variant.board), dict(state.centres), []
    quartered: dict[PlaceId, Unit] = {}
    barbarians = [unit for unit in state.units if unit.power == BARBARIANS]
    for unit in sorted(barbarians, key=lambda unit: (unit.at != unit.home, unit.at)):
        home = unit.home or unit.at
        if centres.get(home) != BARBARIANS or home in quartered:
            events.append(Event(phrase("event.barbarian_disbanded", place=unit.at, home=home)))
        else:
            quartered[home] = Unit(BARBARIANS, ARMY, home, home)
            if unit.at != home:
                events.append(Event(phrase("event.barbarian_went_home", place=unit.at, home=home)))
    players = {unit.at for unit in state.units if unit.is_players}
    for home in land.barbarian_homes:
        if home not in quartered and home not in players:
            quartered[home] = Unit(BARBARIANS, ARMY, home, home)
            events.append(Event(phrase("event.barbarian_rises", place=home)))
            if centres[home] != BARBARIANS:
                centres[home] = BARBARIANS
                events.append(Event(phrase("event.barbarians_took", power=BARBARIANS, place=home)))
    castles = {centre: owner for centre, owner in state.castles.items() if centres[centre] != BARBARIANS}
    units = tuple(sorted(quartered.values(), key=lambda unit: land.space_of[unit.at]))
    return replace(state, units=units, centres=centres, castles=castles, magic=()), tuple(events)


@dataclass(frozen=True, slots=True)
class Quota:
    """How many units of each kind a power may build, the King included among the knights' places.

    Args:
        units: at most one for each centre.
        knights: `N` alone.
    """

    units: int
    knights: int
    wizards: int


def quota_of(state: State, power: PowerId) -> Quota:
    """What a power may build this winter."""
    centres = len(state.owned(power))
    return Quota(centres, knight_quota(centres) - 1 if centres else 0, wizard_quota(centres) if state.has_magic else 0)


def quota_left(state: State, power: PowerId, kind: str, builds: Sequence[Build]) -> int:
    """How many units of a kind may still be added to some builds."""
    quota, built = quota_of(state, power), sum(build.kind == kind for build in builds)
    most = {KING: min(1, quota.units), KNIGHT: quota.knights, WIZARD: quota.wizards, ARMY: quota.units}[kind]
    return most - built


def default_builds(state: State, power: PowerId) -> tuple[Build, ...]:
    """The King in the first castle, then knights, then armies, in the first centres; no wizards.

    Source: rules 5; ruling F7.
    """
    own = state.owned(power)
    if not own:
        return ()
    seat = next((centre for centre in own if state.castles.get(centre) == power), own[0])
    others = [centre for centre in own if centre != seat]
    knights = quota_of(state, power).knights
    kinds = [KNIGHT if index < knights else ARMY for index in range(len(others))]
    return (Build(KING, seat), *(Build(kind, at) for kind, at in zip(kinds, others, strict=True)))


def build_flaw(state: State, power: PowerId, order: Build, before: Sequence[Build]) -> Flaw | None:
    """Why a build can't be added to those before it: its centre is used, its kind is used up, or the King has no place.

    The King must be among them: who has only one centre left for him can build nothing else there. Source: rules 5, 9.
    """
    flaw = find_flaw(state, power, order)
    if flaw is not None:
        return flaw
    earlier = next((build for build in before if build.at == order.at), None)
    if earlier is not None:
        return Flaw("second_unit", OrderPart.UNIT, {"place": order.at, "order": format_order(earlier)})
    if quota_left(state, power, order.kind, before) < 1:
        count = sum(build.kind == order.kind for build in before)
        return Flaw(quota_code(order.kind), OrderPart.UNIT, {"centres": len(state.owned(power)), "count": count})
    if order.kind != KING and len(before) + 1 == len(state.owned(power)) and all(b.kind != KING for b in before):
        return Flaw("no_king", OrderPart.UNIT, {"place": order.at})
    return None


def accepted_builds(state: State, power: PowerId, sheet: Sequence[Order]) -> tuple[Build, ...]:
    """The builds of a sheet that stand, first come first served."""
    builds: list[Build] = []
    for order in sheet:
        if isinstance(order, Build) and build_flaw(state, power, order, builds) is None:
            builds.append(order)
    return tuple(builds)


def with_king(state: State, power: PowerId, builds: Sequence[Build]) -> tuple[Build, ...]:
    """The builds with the King among them: else he comes up in a centre left empty, a castle first.

    Source: rules 5; ruling F6.
    """
    if any(build.kind == KING for build in builds):
        return tuple(builds)
    used = {build.at for build in builds}
    empty = [centre for centre in state.owned(power) if centre not in used]
    castles = [centre for centre in empty if state.castles.get(centre) == power]
    return (*builds, Build(KING, (castles or empty)[0]))


def empty_centres(state: State, power: PowerId, builds: Sequence[Build]) -> tuple[PlaceId, ...]:
    """The own centres where no unit will stand after some builds, in map order."""
    used = {build.at for build in with_king(state, power, builds)}
    return tuple(centre for centre in state.owned(power) if centre not in used)


@dataclass(frozen=True, slots=True)
class Adjusted:
    """The end of adjustments: everybody's units, in map order, and what became of the orders."""

    units: tuple[Unit, ...]
    results: tuple[OrderResult[Order], ...]
    events: tuple[Event, ...]


def adjudicate_adjustments(state: State, sheets: Mapping[PowerId, Sequence[Order]]) -> Adjusted:
    """Build everybody's new units next to the barbarians. Source: rules 5; ruling F24."""
    units, events = list(state.units), []
    results: list[OrderResult[Order]] = []
    for power in state.in_game:
        if not state.owned(power):
            continue
        sheet = sheets.get(power, ())
        ordered = accepted_builds(state, power, sheet)
        waived = [order for order in sheet if isinstance(order, Waive)][:1]
        is_default = not ordered and not waived
        builds = default_builds(state, power) if is_default else with_king(state, power, ordered)
        if is_default:
            events.append(Event(phrase("event.built_by_default", power=power)))
        for build in sorted(builds, key=lambda build: build.at):
            code = "outcome.built" if is_default or build in ordered else "outcome.king_placed"
            results.append(OrderResult(power, build, format_order(build), build.at, Outcome.BUILDS, phrase(code)))
            units.append(Unit(power, build.kind, build.at))
        for waive in waived:
            why = phrase("outcome.waived")
            results.append(OrderResult(power, waive, format_order(waive), subject(waive), Outcome.SUCCEEDS, why))
    land = land_of(state.variant.board)
    units.sort(key=lambda unit: land.space_of[unit.at])
    return Adjusted(tuple(units), tuple(results), tuple(events))
