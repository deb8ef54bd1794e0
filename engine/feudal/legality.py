"""What may be ordered, and why not, judging by the position alone, without other orders.

    Flaw
    ├── of the moment:  wrong_phase
    ├── of the unit:    no_unit_there not_your_unit not_dislodged
    ├── of a move:      move_to_itself not_adjacent impassable
    ├── of a support:   supports_itself no_unit_to_help no_support_there support_at_home impossible_to_support
    │                   no_nomads_there nomads_hold nomads_leave
    ├── of magic:       no_magic no_wizard distant_not_two distant_twice
    │                   immobilize_itself immobilize_own immobilize_knight immobilize_far immobilize_twice
    ├── of a retreat:   retreat_impossible
    ├── of a build:     no_build_there no_wizards knight_quota wizard_quota
    └── of the set-up:  not_a_centre centre_owned centre_barbarian centre_too_near not_free_then centres_complete
                    not_your_centre

Each is the code of an `OrderError`. Orders that exclude each other are the business of `check`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.ids import PlaceId, PowerId
from engine.core.phrases import phrase
from engine.feudal import choosing
from engine.feudal.board import Land, land_of
from engine.feudal.model import (
    BARBARIAN,
    BARBARIANS,
    KING,
    KNIGHT,
    NOMAD,
    NOMAD_SPACES,
    NOMADS,
    WIZARD,
    Castle,
    Choose,
    Immobilize,
    Order,
    State,
    Support,
    Unit,
    knight_quota,
    wizard_quota,
)
from engine.provinces.flaws import Flaw, OrderPart
from engine.provinces.orders import Build, Disband, Hold, Move, Retreat, Waive
from engine.provinces.phases import PhaseKind

_ORDERS_OF: Mapping[PhaseKind, tuple[type, ...]] = {
    PhaseKind.SETUP: (Choose, Castle),
    PhaseKind.MOVEMENT: (Hold, Move, Support, Immobilize),
    PhaseKind.RETREATS: (Retreat, Disband),
    PhaseKind.ADJUSTMENTS: (Build, Waive),
}


def units_by_place(state: State) -> dict[PlaceId, Unit]:
    """The units that orders can be about: nomads leave before anything moves."""
    return {unit.at: unit for unit in state.units if unit.power != NOMADS}


def unit_at(state: State, place: PlaceId) -> Unit | None:
    """The unit in a space that orders can be about; `None`: nobody, or nomads."""
    return next((unit for unit in state.units if unit.at == place and unit.power != NOMADS), None)


def find_flaw(state: State, viewer: PowerId, order: Order) -> Flaw | None:
    """Why a power may not give an order now; `None` if it may."""
    if type(order) not in wanted_orders(state):
        return Flaw("wrong_phase", OrderPart.VERB, {"wants": phrase(f"error.wants.{wanted_word(state)}")})
    match order:
        case Choose():
            return _choice_flaw(state, viewer, order)
        case Castle(centre):
            own = state.owned(viewer)
            return None if centre in own else Flaw("not_your_centre", OrderPart.TO, {"place": centre, "centres": own})
        case Build():
            return _build_flaw(state, viewer, order)
        case Waive():
            return None
        case Retreat() | Disband():
            return _retreat_flaw(state, viewer, order)
    flaw = _unit_flaw(state, viewer, order.at)
    if flaw is not None:
        return flaw
    match order:
        case Move():
            return _move_flaw(land_of(state.variant.board), order)
        case Support():
            return _support_flaw(state, order)
        case Immobilize():
            return _immobilize_flaw(state, viewer, order)
    return None


def wanted_orders(state: State) -> tuple[type, ...]:
    """The sorts of orders that this phase takes."""
    if state.phase.kind is PhaseKind.SETUP:
        return (Castle,) if choosing.is_castle_round(state) else (Choose,)
    return _ORDERS_OF[state.phase.kind]


def wanted_word(state: State) -> str:
    """The word for what this phase takes."""
    if state.phase.kind is PhaseKind.SETUP:
        return "castle" if choosing.is_castle_round(state) else "setup"
    return str(state.phase.kind)


def _unit_flaw(state: State, viewer: PowerId, at: PlaceId) -> Flaw | None:
    unit = unit_at(state, at)
    if unit is None:
        own = tuple(unit.name for unit in state.units if unit.power == viewer)
        return Flaw("no_unit_there", OrderPart.UNIT, {"place": at, "units": own})
    if unit.power != viewer:
        return Flaw("not_your_unit", OrderPart.UNIT, {"unit": unit.name, "power": unit.power})
    return None


def _move_flaw(land: Land, order: Move) -> Flaw | None:
    if order.to == order.at:
        return Flaw("move_to_itself", OrderPart.TO, {"unit": f"{order.kind} {order.at}"})
    if order.to not in land.near[order.at]:
        return _not_adjacent(land, f"{order.kind} {order.at}", order.at, order.to)
    return None


def _not_adjacent(land: Land, unit: str, at: PlaceId, to: PlaceId) -> Flaw:
    if not land.near[to]:
        return Flaw("impassable", OrderPart.TO, {"unit": unit, "place": to})
    return Flaw("not_adjacent", OrderPart.TO, {"unit": unit, "place": to, "near": land.near[at]})


def _support_flaw(state: State, order: Support) -> Flaw | None:
    """Why a unit can't support: it could not go there itself, or is no wizard exactly two moves away.

    Source: rules 14.1, 14.2; ruling F21.
    """
    land, name = land_of(state.variant.board), f"{order.kind} {order.at}"
    if order.of == order.at:
        return Flaw("supports_itself", OrderPart.OF, {"unit": name})
    flaw = _helped_flaw(state, land, order)
    if flaw is not None:
        return flaw
    part = OrderPart.OF if order.to is None else OrderPart.TO
    target, distance = order.target, land.distance[order.at]
    if order.is_distant:
        if not state.has_magic or order.kind != WIZARD:
            return Flaw("no_wizard" if state.has_magic else "no_magic", OrderPart.VERB, {"unit": name})
        if distance.get(target) != 2:
            return Flaw("distant_not_two", part, {"unit": name, "place": target, "moves": distance.get(target, 0)})
        if any(spell.at == order.at and not spell.is_immobilizing for spell in state.magic):
            return Flaw("distant_twice", OrderPart.VERB, {"unit": name})
        return None
    if target == order.at:
        return Flaw("support_at_home", part, {"unit": name})
    if target not in land.near[order.at]:
        return Flaw("no_support_there", part, {"unit": name, "place": target, "near": land.near[order.at]})
    return None


def _nobody_there(state: State, place: PlaceId) -> Flaw:
    """Nomads that still stand on the map will have left when anything happens. Source: rule 11."""
    were_nomads = any(unit.at == place and unit.power == NOMADS for unit in state.units)
    return Flaw("nomads_leave" if were_nomads else "no_unit_to_help", OrderPart.OF, {"place": place})


def _helped_flaw(state: State, land: Land, order: Support) -> Flaw | None:
    """Whether the unit is there, and could go where the support says."""
    if order.of is None:
        if order.to is None:
            return Flaw("nomads_hold", OrderPart.OF, {})
        spaces = NOMAD_SPACES
        return (
            None if order.to in spaces else Flaw("no_nomads_there", OrderPart.TO, {"place": order.to, "spaces": spaces})
        )
    helped = unit_at(state, order.of)
    if helped is None:
        return _nobody_there(state, order.of)
    if order.to is None:
        return None
    flaw = _move_flaw(land, Move(helped.kind, helped.at, order.to))
    if flaw is not None:
        args = {"unit": helped.name, "place": order.to, "why": phrase(f"error.{flaw.code}", **flaw.args)}
        return Flaw("impossible_to_support", OrderPart.TO, args)
    return None


def _immobilize_flaw(state: State, viewer: PowerId, order: Immobilize) -> Flaw | None:
    """Why a wizard can't keep a unit where it is. Source: rules 14.1, 14.3."""
    name = f"{order.kind} {order.at}"
    if not state.has_magic or order.kind != WIZARD:
        return Flaw("no_wizard" if state.has_magic else "no_magic", OrderPart.VERB, {"unit": name})
    if order.of == order.at:
        return Flaw("immobilize_itself", OrderPart.OF, {"unit": name})
    victim = unit_at(state, order.of)
    if victim is None:
        return _nobody_there(state, order.of)
    if victim.power == viewer:
        return Flaw("immobilize_own", OrderPart.OF, {"unit": victim.name})
    if victim.is_knight:
        return Flaw("immobilize_knight", OrderPart.OF, {"unit": victim.name})
    moves = land_of(state.variant.board).distance[order.at].get(order.of, 0)
    if not 1 <= moves <= 2:
        return Flaw("immobilize_far", OrderPart.OF, {"unit": name, "place": order.of, "moves": moves})
    if any(spell.at == order.at and spell.target == order.of for spell in state.magic):
        return Flaw("immobilize_twice", OrderPart.OF, {"unit": name, "victim": victim.name})
    return None


def _retreat_flaw(state: State, viewer: PowerId, order: Retreat | Disband) -> Flaw | None:
    rows = {row.unit.at: row for row in state.dislodged}
    row = rows.get(order.at)
    if row is None or row.unit.power != viewer:
        own = tuple(other.unit.name for other in state.dislodged if other.unit.power == viewer)
        if row is not None:
            return Flaw("not_your_unit", OrderPart.UNIT, {"unit": row.unit.name, "power": row.unit.power})
        return Flaw("not_dislodged", OrderPart.UNIT, {"place": order.at, "units": own})
    if isinstance(order, Retreat) and order.to not in row.retreats:
        args = {"unit": row.unit.name, "place": order.to, "retreats": row.retreats}
        return Flaw("retreat_impossible", OrderPart.TO, args)
    return None


def _build_flaw(state: State, viewer: PowerId, order: Build) -> Flaw | None:
    own = state.owned(viewer)
    if order.at not in own:
        code = "not_owned" if order.at in state.centres else "not_a_centre"
        args: dict[str, Any] = {"place": order.at, "why": phrase(f"error.site.{code}"), "sites": own}
        return Flaw("no_build_there", OrderPart.UNIT, args)
    if order.kind in (NOMAD, BARBARIAN):
        return Flaw("never_built", OrderPart.UNIT, {})
    quota = {KNIGHT: knight_quota(len(own)) - 1, WIZARD: wizard_quota(len(own)), KING: 1}
    if order.kind == WIZARD and not state.has_magic:
        return Flaw("no_wizards", OrderPart.UNIT, {})
    if quota.get(order.kind, 1) < 1:
        return Flaw(quota_code(order.kind), OrderPart.UNIT, {"centres": len(own), "count": 0})
    return None


def quota_code(kind: str) -> str:
    """The code for too many units of a kind."""
    return {KNIGHT: "knight_quota", KING: "second_king", WIZARD: "wizard_quota"}[kind]


def _choice_flaw(state: State, viewer: PowerId, order: Choose) -> Flaw | None:
    centre = order.centre
    if choosing.is_quick(state) and not choosing.wanted(state, viewer):
        return Flaw("centres_complete", OrderPart.VERB, {"centres": state.owned(viewer)})
    if centre not in state.centres:
        return Flaw("not_a_centre", OrderPart.TO, {"place": order.centre})
    owner = state.centres[centre]
    if owner == BARBARIANS or centre in land_of(state.variant.board).barbarian_homes:
        return Flaw("centre_barbarian", OrderPart.TO, {"place": centre})
    if owner is not None:
        code = "not_free_then" if centre in state.setup.got.values() else "centre_owned"
        return Flaw(code, OrderPart.TO, {"place": centre, "power": owner})
    if centre not in choosing.legal_centres(state, viewer):
        nearest, moves = choosing.nearest_own(state, viewer, centre)
        least = choosing.least_distance(state, viewer)
        return Flaw("centre_too_near", OrderPart.TO, {"place": centre, "own": nearest, "moves": moves, "least": least})
    return None
