"""WORK: canals and passes, paid for little by little. Source: rules 13.1, 13.2, R-033, R-034, rulings KA110, KA111"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import islice

from engine.core.ids import PowerId
from engine.kalevala.coordinates import GfId, Province, gf_of
from engine.kalevala.land import Land, way_price
from engine.kalevala.model import Work
from engine.kalevala.orders import Line, WorkOn
from engine.kalevala.sea.waters import waters_at, waters_of
from engine.kalevala.steps.converting import GOODS, pay
from engine.kalevala.tables import BUILDINGS, CANAL, MOUNTAIN_LAND, PASS
from engine.kalevala.window import Window
from engine.lattice.great_fields import CELLS, inner_neighbours


def work(window: Window, ruler: PowerId, line: Line, order: WorkOn) -> None:
    """Pay for the small fields of a canal or a pass, one after the other."""
    at = window.find_own(ruler, order.at)
    if at is None:
        window.refuse_land(ruler, line, order.at)
        return
    _, known = window.sight(ruler)
    own = set(window.owned(ruler))
    code = None if window.has_warrior(ruler, at) else "V19"
    code = code or plan_flaw(known, own, at, order) or _money_flaw(window, ruler, at, order.amount)
    if code is not None:
        window.refuse(ruler, line, code, place=at, cost=order.amount, have=window.money(ruler, at))
        return
    window.paid_for[ruler, at, GOODS] += order.amount
    pay(window, ruler, at, order.amount, "build")
    _spread(window, at, order)


def _money_flaw(window: Window, ruler: PowerId, at: Province, amount: int) -> str | None:
    if window.paid_for[ruler, at, GOODS] + amount > window.most_goods(ruler, at):
        return "V07"
    return "V09" if window.money(ruler, at) < amount else None


def plan_flaw(land: Land, own: Collection[Province], at: Province, order: WorkOn) -> str | None:
    """V21 for the plan, then V20 for the ground. Source: rules R-033, ruling KA111"""
    if len(set(order.cells)) < len(order.cells) or order.amount > left_to_pay(land, at, order.what, order.cells):
        return "V21"
    if any(_is_taken(land, at, cell) for cell in order.cells):
        return "V21"
    if not all(is_ground(land, at, order.what, cell) for cell in order.cells):
        return "V20"
    return None if is_chain(land, own, at, order.what, order.cells) else "V21"


def _is_taken(land: Land, at: Province, cell: int) -> bool:
    """Whether a trade centre or a building is in the way."""
    centre = land.centre(at)
    is_town = centre is not None and centre.cell == cell
    return is_town or any(work.cell == cell and work.type in BUILDINGS for work in land.works(at))


def is_ground(land: Land, at: Province, what: str, cell: int) -> bool:
    """Whether a small field can be dug, or crossed by a pass. Source: rules 13.1, 13.2"""
    price = way_price(land.field(at), what, cell)
    if price is None:
        return False
    return cell in land.cells(at) if what == CANAL else True


def left_to_pay(land: Land, at: Province, what: str, cells: Collection[int]) -> int:
    """What the small fields of a canal or pass still cost."""
    field = land.field(at)
    paid = {each.cell: each.paid for each in field.works if each.type == what}
    due = 0
    for cell in cells:
        price = way_price(field, what, cell) or 0
        if cell not in paid:
            due += price
        else:
            done = paid[cell]
            due += 0 if done is None else max(0, price - done)
    return due


def is_chain(land: Land, own: Collection[Province], at: Province, what: str, cells: Collection[int]) -> bool:
    """Whether the fields, with those of the same canal or pass there, are connected and join two places.

    R-033, ruling KA111
    """
    gf = gf_of(at)
    standing = {each.cell for each in land.field(gf).works if each.type == what and each.cell is not None}
    chain = {min(cells)} if cells else set()
    frontier = list(chain)
    while frontier:
        for other in inner_neighbours(frontier.pop()):
            if other in standing | set(cells) and other not in chain:
                chain.add(other)
                frontier.append(other)
    if not set(cells) <= chain:
        return False
    return len(set(_ends(land, own, gf, what, chain))) > 1


def _ends(land: Land, own: Collection[Province], gf: GfId, what: str, chain: Collection[int]) -> Iterator[object]:
    """What a canal or pass joins: waters, or mountain land of the ruler's; or its continuation in the next field."""
    for cell in chain:
        for other_gf, other in land.beside_cell(gf, cell):
            if other_gf == gf and other in chain:
                continue
            letter = land.field(other_gf).cells[other - 1]
            province = land.at(other_gf, other)
            is_joined = {CANAL: letter == "W", PASS: letter in MOUNTAIN_LAND and province in own}[what]
            goes_on = other_gf != gf and any(
                each.type == what and each.cell == other for each in land.field(other_gf).works
            )
            if is_joined or goes_on:
                yield other_gf, other


def likely(land: Land, own: Collection[Province], at: Province) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Likely works: those begun there, short canals from water to water, passes of one small field."""
    field = land.field(at)
    for what in (CANAL, PASS):
        begun = sorted(each.cell for each in land.works(at) if each.type == what and each.cell is not None)
        unpaid = tuple(cell for cell in begun if left_to_pay(land, at, what, (cell,)))
        if unpaid:
            yield what, unpaid
    begun_cells = {each.cell for each in field.works}
    canals = _short_canals(land, at, waters_at(land, at))
    yield from ((CANAL, path) for path in canals if not begun_cells & set(path))
    mountains = (cell for cell in range(1, CELLS + 1) if way_price(field, PASS, cell) is not None)
    free = (cell for cell in mountains if cell not in begun_cells and is_chain(land, own, at, PASS, (cell,)))
    yield from ((PASS, (cell,)) for cell in islice(free, _MOST_PASSES))


_SHORTEST, _MOST_PASSES = 3, 3


def _short_canals(land: Land, at: Province, waters: Collection[int]) -> Iterator[tuple[int, ...]]:
    """Chains of at most this many small fields between two waters that are not connected in this great field."""
    cells = {cell for cell in land.cells(at) if is_ground(land, at, CANAL, cell) and not _is_taken(land, at, cell)}
    areas = [area for area in waters_of(land.field(at).cells) if area & set(waters)]
    for number, area in enumerate(areas):
        others = set().union(*areas[number + 1 :])
        paths: list[tuple[int, ...]] = [(cell,) for cell in sorted(cells) if area & set(inner_neighbours(cell))]
        for _ in range(_SHORTEST):
            found = next((path for path in paths if others & set(inner_neighbours(path[-1]))), None)
            if found is not None:
                yield found
                break
            paths = [
                (*path, other)
                for path in paths
                for other in inner_neighbours(path[-1])
                if other in cells and other not in path
            ]


def _spread(window: Window, at: Province, order: WorkOn) -> None:
    """The RE go to the fields in written order, each up to its price."""
    field = window.land.field(at)
    works, left = list(field.works), order.amount
    for cell in order.cells:
        price = way_price(field, order.what, cell) or 0
        old = next((each for each in works if (each.type, each.cell) == (order.what, cell)), None)
        done = 0 if old is None else price if old.paid is None else old.paid
        added = min(left, max(0, price - done))
        if not added:
            continue
        left -= added
        if old is None:
            works.append(Work(order.what, cell, paid=added))
        else:
            works[works.index(old)] = replace(old, paid=done + added)
    window.set_field(at, works=tuple(works))
