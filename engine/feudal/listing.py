"""Lists every legal order of a power, by subject. Suggestions and the guided menu choose from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.core.ids import PlaceId, PowerId
from engine.feudal import choosing
from engine.feudal.adjustments import quota_left
from engine.feudal.board import land_of
from engine.feudal.legality import find_flaw, units_by_place
from engine.feudal.model import (
    ARMY,
    BARBARIANS,
    KING,
    KNIGHT,
    NOMAD,
    NOMAD_SPACES,
    WIZARD,
    Castle,
    Choose,
    Immobilize,
    Order,
    State,
    Support,
    Unit,
    View,
    subject,
)
from engine.provinces.orders import Build, Disband, Hold, Move, Retreat, Waive
from engine.provinces.phases import PhaseKind


def legal(view: View) -> Mapping[str, tuple[Order, ...]]:
    """All orders that the viewer may give now, by subject: for units holds, moves, supports, magic."""
    state, viewer = view.state, view.viewer
    if viewer is None or state.over is not None or viewer not in state.in_game:
        return {}
    match state.phase.kind:
        case PhaseKind.SETUP:
            return _setup_orders(state, viewer)
        case PhaseKind.MOVEMENT:
            own = [unit for unit in state.units if unit.power == viewer]
            return {unit.at: tuple(_unit_orders(state, unit)) for unit in own}
        case PhaseKind.RETREATS:
            return {
                row.unit.at: (
                    *(Retreat(row.unit.kind, row.unit.at, place) for place in row.retreats),
                    Disband(row.unit.kind, row.unit.at),
                )
                for row in state.dislodged
                if row.unit.power == viewer
            }
        case _:
            builds: dict[str, tuple[Order, ...]] = {
                centre: tuple(_builds(state, viewer, centre)) for centre in state.owned(viewer)
            }
            return {**builds, subject(Waive()): (Waive(),)} if builds else {}


def _setup_orders(state: State, viewer: PowerId) -> Mapping[str, tuple[Order, ...]]:
    if choosing.is_castle_round(state):
        castles = tuple(map(Castle, state.owned(viewer)))
        return {subject(castles[0]): castles} if castles else {}
    centres = choosing.legal_centres(state, viewer)
    lists = (
        tuple(Choose(rank, centre) for centre in centres) for rank in range(1, choosing.list_length(state, viewer) + 1)
    )
    return {subject(entries[0]): entries for entries in lists}


def _builds(state: State, viewer: PowerId, centre: PlaceId) -> Iterator[Build]:
    """What may stand in a centre, if nothing else is built; a lone centre is the King's."""
    is_only = len(state.owned(viewer)) == 1
    for kind in (KING, KNIGHT, ARMY, WIZARD):
        if quota_left(state, viewer, kind, ()) > 0 and (kind == KING or not is_only):
            yield Build(kind, centre)


def _unit_orders(state: State, unit: Unit) -> Iterator[Order]:
    land, units = land_of(state.variant.board), units_by_place(state)
    yield Hold(unit.kind, unit.at)
    for to in land.near[unit.at]:
        yield Move(unit.kind, unit.at, to)
    others = sorted(units.values(), key=lambda other: other.power != unit.power)
    yield from _supports(state, unit, others, is_distant=False)
    if unit.kind == WIZARD and state.has_magic:
        magic: list[Order] = [Immobilize(unit.kind, unit.at, _helped_kind(other), other.at) for other in others]
        magic += _supports(state, unit, others, is_distant=True)
        yield from (order for order in magic if find_flaw(state, unit.power, order) is None)


def _supports(state: State, unit: Unit, others: list[Unit], *, is_distant: bool) -> Iterator[Support]:
    """Supports for others where they stand and for their moves, and for nomads, into what the unit can reach."""
    land = land_of(state.variant.board)
    distance = land.distance[unit.at]
    reached = 2 if is_distant else 1
    for other in others:
        if other.at == unit.at:
            continue
        if distance.get(other.at) == reached:
            yield Support(unit.kind, unit.at, _helped_kind(other), other.at, None, is_distant)
        for to in land.near[other.at]:
            if distance[to] == reached:
                yield Support(unit.kind, unit.at, _helped_kind(other), other.at, to, is_distant)
    for space in NOMAD_SPACES:
        if distance.get(space) == reached:
            yield Support(unit.kind, unit.at, NOMAD, None, space, is_distant)


def _helped_kind(other: Unit) -> str:
    return "BARBARIAN" if other.power == BARBARIANS else other.kind
