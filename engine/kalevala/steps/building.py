"""BUILD, TEAR, REPAIR, GHZ. Source: rules 11.4, 11.5, 27.1, R-024 to R-027, R-092, R-104"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.core.ids import PowerId
from engine.kalevala.coordinates import Edge, GfId, Province, coordinate_of, field_at, gf_of
from engine.kalevala.land import Land, land_of, usual_gate
from engine.kalevala.model import Work
from engine.kalevala.modules import has_module
from engine.kalevala.orders import Build, Headquarters, Line, Repair, Tear
from engine.kalevala.priests.facts import is_temple
from engine.kalevala.sea.waters import waters_at
from engine.kalevala.steps.converting import GOODS, pay
from engine.kalevala.steps.temples import emptied
from engine.kalevala.tables import (
    BUILDINGS,
    CANAL,
    FULL_ROOM,
    HALF_TEMPLE,
    HEADQUARTERS,
    TERRAIN,
    WATER_TEMPLE,
    WORKS,
)
from engine.kalevala.window import Window
from engine.lattice.great_fields import FieldId, Side, distance, side_between

_HIGHEST = 4
_WATER = "W"
_FARTHEST_FROM_SHORE = 3
"""How many KF from land a temple in the water may be. Source: rules 20.1"""
_CHANGED = ("taken", "nothing", "whole")
"""Flaws for which another ruler, who did something to the same work just before, may be the reason."""
_HOME = FieldId(0, 0)
"""Stands for any field, where all are alike."""


def build(window: Window, ruler: PowerId, line: Line, order: Build) -> None:
    """Build a work, or the next step of one."""
    if order.work == "Tt" and not has_module(window.state, "priests"):
        window.refuse(ruler, line, "V30")
        return
    at = window.find_own(ruler, order.at)
    if at is None:
        window.refuse_land(ruler, line, order.at)
        return
    price = WORKS[order.work].step + (HEADQUARTERS if order.has_headquarters else 0)
    flaw = _guard_flaw(window, ruler, at) or _site_flaw(window, ruler, at, order)
    flaw = flaw or _money_flaw(window, ruler, at, price - (HEADQUARTERS if order.has_headquarters else 0), price)
    if flaw is not None:
        _refuse(window, ruler, line, flaw, at, price)
        return
    _pay_for(window, ruler, at, price, counted=WORKS[order.work].step)
    _raise(window, at, order)
    window.works_changed[_site(order)] = ruler


def tear(window: Window, ruler: PowerId, line: Line, order: Tear) -> None:
    """Tear a work down for half its price. Source: rules 11.4, R-104"""
    _on_work(window, ruler, line, order, is_repair=False)


def repair(window: Window, ruler: PowerId, line: Line, order: Repair) -> None:
    """Repair a work that was hit, for half its price, or only its gates. Source: rules R-026, ruling KA156"""
    _on_work(window, ruler, line, order, is_repair=True)


def _on_work(window: Window, ruler: PowerId, line: Line, order: Tear | Repair, *, is_repair: bool) -> None:
    at = window.find_own(ruler, order.at)
    if at is None:
        window.refuse_land(ruler, line, order.at)
        return
    work = _find(window, at, order.work, order.cell, order.edge)
    price = 0 if work is None else _to_mend(window, at, work) if is_repair else -(-_value(window, at, work) // 2)
    flaw = _guard_flaw(window, ruler, at)
    if flaw is None and (work is None or (is_repair and work.is_whole)):
        flaw = "V21 nothing" if work is None else "V21 whole"
    if flaw is None and work is not None and work.type == "Fu" and not is_repair:
        is_used = any(each.cell == work.cell and each.type in BUILDINGS for each in window.land.works(at))
        flaw = "V21 borne" if is_used else None
    # Repairs above the limit of a province are possible if nothing else is bought there. Ruling KA26
    flaw = flaw or _money_flaw(window, ruler, at, min(price, window.most_goods(ruler, at)), price)
    if flaw is not None or work is None:
        _refuse(window, ruler, line, flaw or "V21 nothing", at, price)
        return
    _pay_for(window, ruler, at, price, counted=min(price, window.most_goods(ruler, at)))
    if not is_repair:
        work = emptied(window, ruler, at, work)
    works = list(window.land.field(at).works)
    if is_repair:
        works[works.index(work)] = replace(work, hits=0, damaged=0, broken=())
    else:
        works.remove(work)
    window.set_field(at, works=tuple(works))
    window.works_changed[_site(order)] = ruler


def make_headquarters(window: Window, ruler: PowerId, line: Line, order: Headquarters) -> None:
    """Set up the headquarters of the secret service in a tower or keep. Source: rules 22.1, ruling KA14"""
    if not has_module(window.state, "agents"):
        window.refuse(ruler, line, "V30")
        return
    at = window.find_own(ruler, order.at)
    if at is None:
        window.refuse_land(ruler, line, order.at)
        return
    work = _building_at(window, at, order.cell)
    flaw = _guard_flaw(window, ruler, at)
    if flaw is None and (work is None or work.is_headquarters or work.type == "Tt"):
        flaw = "V21 secret"
    flaw = flaw or ("V09" if window.money(ruler, at) < HEADQUARTERS else None)
    if flaw is not None or work is None:
        _refuse(window, ruler, line, flaw or "V21 secret", at, HEADQUARTERS)
        return
    _pay_for(window, ruler, at, HEADQUARTERS, counted=0)
    works = list(window.land.field(at).works)
    works[works.index(work)] = replace(work, is_headquarters=True)
    window.set_field(at, works=tuple(works))


def palace_flaw(window: Window, ruler: PowerId, at: Province, cell: int) -> str | None:
    """What prevents a palace: it is a tower, a new one or one that stands there undamaged. Ruling KA175"""
    standing = _building_at(window, at, cell)
    is_fit = standing is not None and standing.type == "Tu" and standing.is_whole and not standing.is_palace
    flaw = None if is_fit else _site_flaw(window, ruler, at, Build(at, "Tu", cell))
    return _guard_flaw(window, ruler, at) or (flaw.partition(" ")[0] if flaw is not None else None)


def raise_palace(window: Window, at: Province, cell: int) -> None:
    """An existing tower, or a new one, becomes a palace; the province has no other one."""
    if _building_at(window, at, cell) is None:
        _raise(window, at, Build(at, "Tu", cell))
    works = tuple(
        replace(work, is_palace=work.cell == cell and work.type == "Tu") for work in window.land.field(at).works
    )
    window.set_field(at, works=works)


# Tests: a flaw is a code, and for V21 a word for which of its many reasons it was


def _refuse(window: Window, ruler: PowerId, line: Line, flaw: str, at: Province, price: int) -> None:
    """Refuse a line; it is void if it failed only through what another ruler did to the same work in this window."""
    code, _, which = flaw.partition(" ")
    is_late = which in _CHANGED and _is_changed_by_others(window, ruler, at, line.order)
    judge = window.void if is_late else window.refuse
    judge(ruler, line, code, place=at, cost=price, have=window.money(ruler, at), which=which)


def _is_changed_by_others(window: Window, ruler: PowerId, at: Province, order: object) -> bool:
    """Whether another ruler has changed a work between two parts of a great field before, so that a line comes late."""
    if not isinstance(order, Build | Tear | Repair) or window.works_changed.get(_site(order), ruler) == ruler:
        return False
    before = _work_in(land_of(window.state), at, order.work, order.cell, order.edge)
    if isinstance(order, Build):
        return before is None
    return before is not None and not (isinstance(order, Repair) and before.is_whole)


def _site(order: Build | Tear | Repair) -> tuple[GfId, object]:
    """What tells a work from others: its field, or both names of its edge."""
    edge = order.edge
    return gf_of(order.at), order.cell if edge is None else frozenset((edge, edge.other))


def _guard_flaw(window: Window, ruler: PowerId, at: Province) -> str | None:
    return None if window.has_warrior(ruler, at) else "V19"


def _money_flaw(window: Window, ruler: PowerId, at: Province, counted: int, price: int) -> str | None:
    if window.paid_for[ruler, at, GOODS] + counted > window.most_goods(ruler, at):
        return "V07"
    return "V09" if window.money(ruler, at) < price else None


def _site_flaw(window: Window, ruler: PowerId, at: Province, order: Build) -> str | None:
    """What is wrong with the site: V21 for the rules of building, then V20 for the ground."""
    if order.work in ("Ma", "Br"):
        return _edge_flaw(window, ruler, at, order)
    assert order.cell is not None, "all works without an edge have a cell"
    if order.work == "Tt" and window.land.field(at).cells[order.cell - 1] == _WATER:
        return _water_flaw(window, ruler, at, order)
    near = window.land.cells(at) | (window.land.beside(at) if order.work == "BR" else frozenset())
    if window.land.is_divided(gf_of(at)) and order.cell not in near:
        return "V20"  # whatever stands there in another ruler's part
    letters = window.land.field(at).cells
    ground = TERRAIN.get(letters[order.cell - 1])
    if order.work == "BR":
        return _bridge_flaw(window, ruler, at, order.cell, order.banks)
    is_land = ground is not None and ground.is_land and order.cell in window.land.cells(at)
    standing = _building_at(window, at, order.cell)
    if _find(window, at, CANAL, order.cell, None) is not None:
        return "V21 taken"  # craft pass there. Ruling KA111
    if order.work == "Fu":
        if _find(window, at, "Fu", order.cell, None) is not None or standing is not None:
            return "V21 taken"
        return None if is_land else "V20"
    if (gf_of(at), order.cell) in window.raised:
        return "V21 grown"
    misfit = _misfit(window, ruler, at, order, standing)
    if misfit is not None:
        return misfit
    if not is_land or ground is None:
        return "V20"
    if ground.level + WORKS[order.work].storeys > _HIGHEST:
        return "V21 tall"
    return None if _is_firm(window, at, order.cell, ground.room) else "V21 soft"


def _misfit(window: Window, ruler: PowerId, at: Province, order: Build, standing: Work | None) -> str | None:
    """V21 and why: a building doesn't suit what stands there or who is there, or its gates or headquarters don't.

    Source: rulings KA20, KA293.
    """
    assert order.cell is not None, "a building has a cell"
    before = WORKS[order.work].grows_from
    if before is None and standing is not None:
        return "V21 taken"
    if before is not None and not _is_grown(standing, order.work, before):
        return "V21 taken" if standing is not None and standing.type == order.work else "V21 step"
    if standing is not None and not standing.is_whole:
        return "V21 damaged"
    if order.work == "Tt" and standing is not None and standing.type == "Tt" and not _has_priest(window, ruler, at):
        return "V21 priest"
    has_own_gates = all(edge.cell == order.cell for edge in order.gates)
    if not has_own_gates or (order.gates and not _opens_ascents(window, at, order)):
        return "V21 gate"
    if _is_sealed(window, ruler, at, order.cell, _gates_of(window, at, order, standing)):
        return "V21 outer"
    if order.has_headquarters and (order.work == "Tt" or (standing is not None and standing.is_headquarters)):
        return "V21 secret"
    return None


def _gates_of(window: Window, at: Province, order: Build, standing: Work | None) -> tuple[Edge, ...]:
    """The gates of a building when it is raised: those ordered, or those it has, and one at each ascent; else the usual
    one. Source: rules 11.5, R-027, ruling KA20
    """
    assert order.cell is not None, "a building has a cell"
    gates = order.gates or (standing.gates if standing is not None else ())
    missing = (edge for edge in _ascents(window, at, order.cell) if not any(edge.is_same(gate) for gate in gates))
    return (*gates, *missing) or (usual_gate(order.cell, window.land.centre(at)),)


def _is_sealed(window: Window, ruler: PowerId, at: Province, cell: int, gates: Iterable[Edge]) -> bool:
    """Whether a castle would have no gate that leads outside. Source: rules 11.5"""
    found, frontier = {(gf_of(at), cell): tuple(gates)}, [(gf_of(at), cell)]
    while frontier:
        gf, here = frontier.pop()
        for side in Side:
            there = _beyond(gf, Edge(here, side))
            if there is None or there in found or not window.land.exists(there[0]):
                continue
            place = window.land.at(*there)
            if place is None or window.owners.get(place) != ruler:
                continue
            work = _building_at(window, place, there[1])
            if work is not None:
                found[there] = work.gates or (usual_gate(there[1], window.land.centre(place)),)
                frontier.append(there)
    return all(_beyond(gf, gate) in found for (gf, _), own in found.items() for gate in own)


def _beyond(gf: GfId, edge: Edge) -> tuple[GfId, int] | None:
    """The small field on the other side of an edge; `None` off the map."""
    here, beyond = coordinate_of(gf), edge.beyond
    other = field_at(here.plane, FieldId(here.u + beyond.field.u, here.v + beyond.field.v))
    return None if other is None else (other, beyond.cell)


def _opens_ascents(window: Window, at: Province, order: Build) -> bool:
    """Whether there is a gate at each ascent to the building."""
    assert order.cell is not None, "a building has a cell"
    return all(any(edge.is_same(gate) for gate in order.gates) for edge in _ascents(window, at, order.cell))


def _is_grown(standing: Work | None, work: str, before: str) -> bool:
    """Whether the step before has been built: for a temple a tower, or its own first half. Source: rules R-024"""
    if standing is None:
        return False
    if work == "Tt" and standing.type == "Tt":
        return standing.paid is not None
    return standing.type == before


def _water_flaw(window: Window, ruler: PowerId, at: Province, order: Build) -> str | None:
    """V21 and V20 for a temple in the water, which has to be near the shore of only one province. Rules 20.1, R-058"""
    assert order.cell is not None, "a temple has a cell"
    standing, land, gf = _building_at(window, at, order.cell), window.land, gf_of(at)
    is_last = _paid_after(standing, is_water=True) is None
    if (gf, order.cell) in window.raised:
        return "V21 grown"
    if standing is not None and (is_temple(standing) or not standing.is_whole):
        return "V21 taken" if is_temple(standing) else "V21 damaged"
    if order.has_headquarters or not all(edge.cell == order.cell for edge in order.gates):
        return "V21 secret" if order.has_headquarters else "V21 gate"
    if is_last and not _has_priest(window, ruler, at):
        return "V21 priest"
    owners = [place for place in land.provinces(gf) if land.belongs(place, Work("Tt", order.cell))]
    is_near = any(distance(order.cell, cell) <= _FARTHEST_FROM_SHORE for cell in land.cells(at) - waters_at(land, at))
    return None if owners == [at] and is_near else "V20"


def _paid_after(standing: Work | None, *, is_water: bool) -> int | None:
    """How much of a temple is paid for after the next step; `None`: all of it. Source: R-024, R-058

    A tower counts as 10 RE paid; in the water, where it can only be what is left of a temple, as 20.
    """
    price = WATER_TEMPLE if is_water else WORKS["Tt"].price
    if standing is None:
        paid = WORKS["Tt"].step
    elif standing.type == "Tt":
        paid = (standing.paid or 0) + WORKS["Tt"].step
    else:
        paid = HALF_TEMPLE + is_water * WORKS["Tt"].step
    return None if paid >= price else paid


def _has_priest(window: Window, ruler: PowerId, at: Province) -> bool:
    return any(item.startswith("Pr/") for item in window.stack(ruler, at))


def _is_firm(window: Window, at: Province, cell: int, room: int) -> bool:
    """Whether the ground can bear a building: full room, the field of the centre, or a foundation.

    Source: rules 27.1
    """
    centre = window.land.centre(at)
    is_centre = centre is not None and centre.cell == cell
    return room >= FULL_ROOM or is_centre or _find(window, at, "Fu", cell, None) is not None


def _edge_flaw(window: Window, ruler: PowerId, at: Province, order: Build) -> str | None:
    """What prevents a wall or a river bridge (V20). Works in another ruler's part make no difference.

    Source: rules 11.5
    """
    edge, land = order.edge, window.land
    assert edge is not None, "walls and river bridges stand on edges"
    if land.is_divided(gf_of(at)) and not edge.touches(land.cells(at)):
        return "V20"
    if any(edge.is_same(work.edge) for work in land.field(at).works) or _is_taken_beyond(window, ruler, at, edge):
        return "V21 taken"
    if order.opens is not None and order.opens not in (edge.cell, edge.beyond.cell):
        return "V21 opens"
    if order.work == "Br" and not any(edge.is_same(river) for river in land.field(at).rivers):
        return "V21 river"
    return None if edge.cell in land.cells(at) else "V20"


def _is_taken_beyond(window: Window, ruler: PowerId, at: Province, edge: Edge) -> bool:
    """Whether the ruler's own next great field has a work on the edge, by its name there. Ruling KA18"""
    there = _beyond(gf_of(at), edge)
    if edge.beyond.field == _HOME or there is None or not window.land.exists(there[0]):
        return False
    gf = there[0]
    beyond = window.land.at(*there)
    its_name = Edge(edge.beyond.cell, edge.side.opposite)
    return (
        beyond is not None
        and window.owners.get(beyond) == ruler
        and any(work.edge == its_name for work in window.land.field(gf).works)
    )


def _bridge_flaw(window: Window, ruler: PowerId, at: Province, cell: int, banks: tuple[int, ...]) -> str | None:
    """What is wrong with a bridge over a strom or gorge: its banks have to be opposite, level and owned.

    Source: rules 11.5
    """
    gf, field = gf_of(at), window.land.field(at)
    if _find(window, at, "BR", cell, None) is not None:
        return "V21 taken"
    if len(set(banks)) != 2:
        return "V21 banks"
    sides = [side_between(cell, bank) for bank in banks]
    if None in sides or sides[0] != sides[1].opposite:  # type: ignore[union-attr]
        return "V21 banks"
    grounds = [TERRAIN.get(field.cells[bank - 1]) for bank in banks]
    if any(ground is None or not ground.is_land for ground in grounds):
        return "V21 banks"
    if len({ground.level for ground in grounds if ground is not None}) != 1:
        return "V21 banks"
    parts = [window.land.at(gf, bank) for bank in banks]
    if any(part is None or window.owners.get(part) != ruler for part in parts):
        return "V21 banks"
    return None if field.cells[cell - 1] in "WQ" else "V20"


# Works


def _find(window: Window, at: Province, work: str, cell: int | None, edge: Edge | None) -> Work | None:
    return _work_in(window.land, at, work, cell, edge)


def _work_in(land: Land, at: Province, work: str, cell: int | None, edge: Edge | None) -> Work | None:
    return next(
        (
            each
            for each in land.works(at)
            if each.type == work
            and each.cell == cell
            and (each.edge == edge or (edge is not None and edge.is_same(each.edge)))
        ),
        None,
    )


def _building_at(window: Window, at: Province, cell: int) -> Work | None:
    return next((work for work in window.land.works(at) if work.cell == cell and work.type in BUILDINGS), None)


def _value(window: Window, at: Province, work: Work) -> int:
    """What a work, or the part of it that is built, is worth."""
    price = WORKS[work.type].price if work.type in WORKS else 0
    if is_temple(work) and window.land.field(at).cells[(work.cell or 1) - 1] == _WATER:
        price = WATER_TEMPLE
    return (work.paid if work.paid is not None else price) + (HEADQUARTERS if work.is_headquarters else 0)


def _to_mend(window: Window, at: Province, work: Work) -> int:
    """The price of a repair: half that of a work that was hit; if only gates are broken, that of a wall for each.

    Ruling KA156
    """
    half = -(-_value(window, at, work) // 2)
    return half if work.hits or work.damaged else min(half, len(work.broken) * WORKS["Ma"].price)


def _pay_for(window: Window, ruler: PowerId, at: Province, price: int, *, counted: int) -> None:
    window.paid_for[ruler, at, GOODS] += counted
    pay(window, ruler, at, price, "build")


def _raise(window: Window, at: Province, order: Build) -> None:
    field = window.land.field(at)
    works = list(field.works)
    if order.cell is not None and order.work in BUILDINGS:
        standing = _building_at(window, at, order.cell)
        built = replace(
            standing or Work(order.work, order.cell),
            type=order.work,
            gates=_gates_of(window, at, order, standing),
            is_headquarters=order.has_headquarters or (standing is not None and standing.is_headquarters),
            paid=_paid_after(standing, is_water=field.cells[order.cell - 1] == _WATER) if order.work == "Tt" else None,
        )
        if standing is not None:
            works[works.index(standing)] = built
        else:
            works.append(built)
        window.raised.add((gf_of(at), order.cell))
    else:
        works.append(
            Work(
                order.work,
                order.cell,
                order.edge,
                has_gate=order.has_gate,
                opens=order.opens,
                banks=tuple(sorted(order.banks)),
            )
        )
    window.set_field(at, works=tuple(works))


def _ascents(window: Window, at: Province, cell: int) -> tuple[Edge, ...]:
    """The edges of a cell at which an ascent needs a gate toward it, by their names there. Source: rules 11.5"""
    ascents = window.land.field(at).ascents
    return tuple(edge for side in Side for edge in (Edge(cell, side),) if edge in ascents or edge.other in ascents)
