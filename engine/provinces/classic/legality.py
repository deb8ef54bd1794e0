"""What may be ordered, and why not: an order is legal if it could be valid with the units where they stand.

    Flaw
    ├── of the unit:    no_unit_there not_your_unit not_dislodged
    ├── of a move:      move_to_itself army_to_sea fleet_inland not_adjacent no_neighbours impassable not_along_coast
    │                   coast_needed coast_unreachable no_convoy_route no_way_by_sea convoy_of_fleet
    ├── of a support:   supports_itself no_unit_to_help no_support_there supports_nobody support_at_home
    │                   impossible_to_support support_or_convoy
    ├── of a convoy:    convoy_by_army convoy_at_coast convoy_of_fleet no_convoy_route convoy_not_needed
    ├── of a retreat:   not_adjacent nowhere_to_retreat retreat_occupied retreat_to_attacker retreat_to_standoff
    ├── of a build:     no_build_there no_room_to_build fleet_inland coast_needed
    └── of the moment:  wrong_phase

Each is the code of an `OrderError`. Orders that exclude each other are left to `check`.
Source: DATC 3.0, 4.E.1, 6.A to 6.D, 6.H, 6.I.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.core.phrases import phrase
from engine.provinces.board import Board, Terrain
from engine.provinces.classic.model import Convoy, Dislodged, Order, SupportHold, SupportMove, Unit
from engine.provinces.classic.notation import format_unit
from engine.provinces.classic.reach import ARMY, FLEET, Position, reach_of
from engine.provinces.flaws import Flaw, OrderPart
from engine.provinces.orders import Build, Disband, Hold, Kind, Move, Remove, Retreat, Waive
from engine.provinces.phases import PhaseKind


def find_flaw(position: Position, viewer: PowerId, order: Order) -> Flaw | None:
    """Why a power may not give an order now, other orders aside; `None` if it may.

    Source: Diplomacy, rules 3.1, 3.2; ruling D8.
    """
    kind = position.state.phase.kind
    if type(order) not in _ORDERS_OF[kind]:
        return Flaw("wrong_phase", OrderPart.VERB, {"wants": phrase(f"error.wants.{kind}")})
    match order:
        case Hold() | Remove():
            return _unit_flaw(position, viewer, order.kind, order.at)
        case Move():
            return _unit_flaw(position, viewer, order.kind, order.at) or move_flaw(position, order)
        case SupportHold() | SupportMove():
            return _unit_flaw(position, viewer, order.kind, order.at) or _support_flaw(position, order)
        case Convoy():
            return _unit_flaw(position, viewer, order.kind, order.at) or _convoy_flaw(position, order)
        case Retreat() | Disband():
            return _retreat_flaw(position, viewer, order)
        case Build():
            return _build_flaw(position, viewer, order)
        case Waive():
            return None


_ORDERS_OF: Mapping[PhaseKind, frozenset[type]] = {
    PhaseKind.SETUP: frozenset(),
    PhaseKind.MOVEMENT: frozenset({Hold, Move, SupportHold, SupportMove, Convoy}),
    PhaseKind.RETREATS: frozenset({Retreat, Disband}),
    PhaseKind.ADJUSTMENTS: frozenset({Build, Remove, Waive}),
}


_MOST_BY_BORDERS = 20_000


def by_borders(board: Board) -> Collection[Order]:
    """The orders that are legal by the borders of a board alone if the units that they name are there: holds, moves and
    supports that need no convoy. None for a board on which there are very many."""
    reach = reach_of(board)
    armies = [(ARMY, PlaceId(province)) for province, goals in reach.army.items() if goals]
    posts = [*armies, *((FLEET, place) for place, goals in reach.fleet.items() if goals)]
    near = {post: reach.provinces(*post) for post in posts}
    found: list[Order] = []
    for kind, at in posts:
        here = province_of(at)
        found.append(Hold(kind, at))
        found += [Move(kind, at, to) for to in reach.places(kind, at)]
        reached = near[kind, at] - {here}
        for of_kind, of in posts:
            there = province_of(of)
            if there == here or not (there in reached or reached & near[of_kind, of]):
                continue
            if there in reached:
                found.append(SupportHold(kind, at, of_kind, of))
            goals = [to for to in reach.places(of_kind, of) if province_of(to) in reached]
            found += [SupportMove(kind, at, of_kind, of, to) for to in goals]
        if len(found) > _MOST_BY_BORDERS:
            return ()
    return found


def _unit_flaw(position: Position, viewer: PowerId, kind: Kind, at: PlaceId) -> Flaw | None:
    unit = position.unit_at.get(province_of(at))
    if unit is None or unit.at != at or unit.kind != kind:
        own = tuple(format_unit(unit) for unit in position.units_of(viewer))
        return Flaw("no_unit_there", OrderPart.UNIT, {"place": province_of(at), "units": own})
    if unit.power != viewer:
        return Flaw("not_your_unit", OrderPart.UNIT, {"unit": format_unit(unit), "power": unit.power})
    return None


def move_flaw(position: Position, order: Move) -> Flaw | None:
    """Why a unit can't go somewhere. Source: DATC 6.A.1-5, 6.B.1-3, 6.D.32."""
    here, there = province_of(order.at), province_of(order.to)
    if here == there:
        return Flaw("move_to_itself", OrderPart.TO, {"unit": f"{order.kind} {order.at}"})
    if order.kind == FLEET:
        return _fleet_move_flaw(position, order)
    if position.reach.is_sea(there):
        return Flaw("army_to_sea", OrderPart.TO, {"unit": f"{order.kind} {order.at}", "place": there})
    if not order.via_convoy and there in position.reach.army[here]:
        return None
    if position.way(here, there):
        return None
    if there in position.reach.routes(-1, here):
        return Flaw("no_convoy_route", OrderPart.TO, {"unit": f"{order.kind} {order.at}", "place": there})
    if there in position.reach.army[here]:
        return Flaw("no_way_by_sea", OrderPart.TO, {"unit": f"{order.kind} {order.at}", "place": there})
    return _not_adjacent(position, order)


def _fleet_move_flaw(position: Position, order: Move) -> Flaw | None:
    """Why a fleet can't go somewhere: it has to name a coast if it could reach several.

    Source: Diplomacy, rules 3.3.
    """
    reach, there, unit = position.reach, province_of(order.to), f"{order.kind} {order.at}"
    if order.via_convoy:
        return Flaw("convoy_of_fleet", OrderPart.VERB, {"unit": unit})
    if order.to in reach.fleet[order.at]:
        return None
    coasts = reach.coasts(order.at, there)
    if coasts:
        code = "coast_unreachable" if "/" in order.to else "coast_needed"
        return Flaw(code, OrderPart.TO, {"unit": unit, "place": order.to, "coasts": coasts})
    if reach.board.provinces[there].terrain is Terrain.LAND:
        return Flaw("fleet_inland", OrderPart.TO, {"unit": unit, "place": there})
    if there in reach.army[province_of(order.at)]:
        return Flaw("not_along_coast", OrderPart.TO, {"unit": unit, "place": there, "near": _near(position, order)})
    return _not_adjacent(position, order)


def _not_adjacent(position: Position, order: Move | Retreat) -> Flaw:
    near, args = _near(position, order), {"unit": f"{order.kind} {order.at}", "place": province_of(order.to)}
    if position.reach.board.provinces[province_of(order.to)].terrain is Terrain.IMPASSABLE:
        return Flaw("impassable", OrderPart.TO, args)
    if not near:
        return Flaw("no_neighbours", OrderPart.TO, args)
    return Flaw("not_adjacent", OrderPart.TO, {**args, "near": near})


def no_support_there(unit: str, place: ProvinceId, near: Sequence[ProvinceId], part: OrderPart) -> Flaw:
    """A support where its unit could not go; `near`: where it could go, which is nowhere on an island."""
    if not near:
        return Flaw("supports_nobody", part, {"unit": unit, "place": place})
    return Flaw("no_support_there", part, {"unit": unit, "place": place, "near": near})


def _near(position: Position, order: Move | Retreat | SupportHold | SupportMove) -> tuple[ProvinceId, ...]:
    return tuple(sorted(position.reach.provinces(order.kind, order.at)))


def _support_flaw(position: Position, order: SupportHold | SupportMove) -> Flaw | None:
    """Why a unit can't give a support: it could not go there itself. Source: Diplomacy, rules 5.1."""
    unit, of = f"{order.kind} {order.at}", province_of(order.of)
    if of == province_of(order.at):
        return Flaw("supports_itself", OrderPart.OF, {"unit": unit})
    helped = position.unit_at.get(of)
    if helped is None:
        return Flaw("no_unit_to_help", OrderPart.OF, {"place": of})
    target = province_of(order.to) if isinstance(order, SupportMove) else of
    part = OrderPart.TO if isinstance(order, SupportMove) else OrderPart.OF
    if target == province_of(order.at):
        # Source: DATC 6.D.34
        return Flaw("support_at_home", part, {"unit": unit})
    if target not in position.reach.provinces(order.kind, order.at):
        return no_support_there(unit, target, _near(position, order), part)
    if isinstance(order, SupportMove):
        return _helped_move_flaw(position, order, helped)
    return None


def _helped_move_flaw(position: Position, order: SupportMove, helped: Unit) -> Flaw | None:
    """Whether the supported unit can go there at all. Source: DATC 6.D.22-24, 6.D.31; 4.B.4 for the missing coast."""
    flaw = move_flaw(position, Move(helped.kind, helped.at, order.to))
    if flaw is not None:
        if flaw.code == "coast_needed":
            return None
        args = {"unit": format_unit(helped), "place": order.to, "why": phrase(f"error.{flaw.code}", **flaw.args)}
        return Flaw("impossible_to_support", flaw.part, args)
    here, there = province_of(order.at), province_of(order.to)
    if helped.kind == FLEET or there in position.reach.army[province_of(helped.at)]:
        return None
    routes = position.way(province_of(helped.at), there)
    if order.kind == FLEET and routes and position.reach.is_among(here, routes.all):
        args = {"unit": f"{order.kind} {order.at}", "army": format_unit(helped), "place": there}
        return Flaw("support_or_convoy", OrderPart.VERB, args)
    return None


def _convoy_flaw(position: Position, order: Convoy) -> Flaw | None:
    """Source: Diplomacy, rules 6.1; DATC 6.A.7, 6.F.1, 6.F.12, 6.G.19."""
    here, origin, there = province_of(order.at), province_of(order.of), province_of(order.to)
    unit = f"{order.kind} {order.at}"
    if order.kind != FLEET:
        return Flaw("convoy_by_army", OrderPart.VERB, {"unit": unit})
    if not position.reach.is_sea(here):
        return Flaw("convoy_at_coast", OrderPart.VERB, {"unit": unit})
    helped = position.unit_at.get(origin)
    if helped is None:
        return Flaw("no_unit_to_help", OrderPart.OF, {"place": origin})
    if helped.kind == FLEET:
        return Flaw("convoy_of_fleet", OrderPart.OF, {"unit": format_unit(helped)})
    if origin == there:
        return Flaw("move_to_itself", OrderPart.TO, {"unit": format_unit(helped)})
    if position.reach.is_sea(there):
        return Flaw("army_to_sea", OrderPart.TO, {"unit": format_unit(helped), "place": there})
    routes = position.way(origin, there)
    if routes is None:
        return Flaw("no_convoy_route", OrderPart.TO, {"unit": format_unit(helped), "place": there})
    if not position.reach.is_among(here, routes.some):
        return Flaw("convoy_not_needed", OrderPart.VERB, {"unit": unit, "army": format_unit(helped), "place": there})
    return None


def _retreat_flaw(position: Position, viewer: PowerId, order: Retreat | Disband) -> Flaw | None:
    dislodged = position.dislodged_at.get(province_of(order.at))
    if dislodged is None or dislodged.unit.power != viewer:
        unit = position.unit_at.get(province_of(order.at))
        own = tuple(format_unit(unit) for unit in position.units_of(viewer))
        if dislodged is not None:
            args = {"unit": format_unit(dislodged.unit), "power": dislodged.unit.power}
            return Flaw("not_your_unit", OrderPart.UNIT, args)
        if unit is not None and unit.power == viewer:
            return Flaw("not_dislodged", OrderPart.UNIT, {"unit": format_unit(unit), "units": own})
        return Flaw("no_unit_there", OrderPart.UNIT, {"place": province_of(order.at), "units": own})
    return _retreat_place_flaw(position, order, dislodged) if isinstance(order, Retreat) else None


def _retreat_place_flaw(position: Position, order: Retreat, dislodged: Dislodged) -> Flaw | None:
    """Source: Diplomacy, rules 7.1; DATC 6.H.1-16."""
    if order.to in dislodged.retreats:
        return None
    there = province_of(order.to)
    args = {"unit": format_unit(dislodged.unit), "place": there, "retreats": dislodged.retreats}
    if not dislodged.retreats:
        return Flaw("nowhere_to_retreat", OrderPart.TO, args)
    coasts = tuple(place for place in dislodged.retreats if province_of(place) == there)
    if coasts:
        code = "coast_unreachable" if "/" in order.to else "coast_needed"
        return Flaw(code, OrderPart.TO, {**args, "place": order.to, "coasts": coasts})
    if there not in position.reach.provinces(order.kind, order.at):
        return _not_adjacent(position, order)
    if there in position.unit_at:
        return Flaw("retreat_occupied", OrderPart.TO, args)
    if there == dislodged.came_from:
        return Flaw("retreat_to_attacker", OrderPart.TO, args)
    return Flaw("retreat_to_standoff", OrderPart.TO, args)


def _build_flaw(position: Position, viewer: PowerId, order: Build) -> Flaw | None:
    """Source: Diplomacy, rules 7.4; DATC 6.I.1-7."""
    board, there = position.reach.board, province_of(order.at)
    sites = position.building_sites(viewer)
    why = None
    if there not in position.homes(viewer):
        why = "not_home"
    elif position.state.centres.get(there) != viewer:
        why = "not_owned"
    elif there in position.unit_at:
        why = "occupied"
    if why is not None:
        reason = phrase(f"error.site.{why}", place=there)
        code = "no_build_there" if sites else "no_room_to_build"
        return Flaw(code, OrderPart.UNIT, {"place": there, "why": reason, "sites": sites})
    if order.kind != FLEET:
        return None
    if board.provinces[there].terrain is Terrain.LAND:
        return Flaw("fleet_inland", OrderPart.UNIT, {"unit": f"{order.kind} {there}", "place": there})
    coasts = board.provinces[there].coasts
    if coasts and order.at not in coasts:
        return Flaw("coast_needed", OrderPart.UNIT, {"unit": f"{order.kind} {there}", "place": there, "coasts": coasts})
    return None
