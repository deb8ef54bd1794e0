"""What gods do on earth apart from battles: they see far, speed up marches, carry figures, make passes.

Each costs one of the rounds that a god may spend among humans. Source: rules 24.1, 24.5, ruling KA216
"""

from __future__ import annotations

from dataclasses import replace

from engine.core.ids import PowerId
from engine.kalevala.coordinates import Province, coordinate_of, gf_of
from engine.kalevala.figures import kind_of
from engine.kalevala.gods.facts import God
from engine.kalevala.gods.orders import GodCarry, GodPass, GodSee, GodSpeed
from engine.kalevala.land import Land
from engine.kalevala.model import Work
from engine.kalevala.orders import Line, WorkOn
from engine.kalevala.steps import scouting, ways
from engine.kalevala.steps.archeron import god_of, keep
from engine.kalevala.tables import PASS, Group
from engine.kalevala.view import view_of
from engine.kalevala.window import Window

_MAGIC = frozenset({"Z", "My", "Pr", "KrKö", "AgKö", "PrKö"})
_CARRIED = (Group.HUMAN, Group.ANIMAL, Group.GEAR)


def see(window: Window, ruler: PowerId, line: Line, order: GodSee) -> None:
    """He looks at a great field; P2 reports what he sees."""
    god = _able(window, ruler, line, "SEE")
    if god is not None:
        _spend(window, ruler, line, god)


def hasten(window: Window, ruler: PowerId, line: Line, order: GodSpeed) -> None:
    """From now on figures march twice as far from a province in this window."""
    god = _able(window, ruler, line, "SPEED")
    if god is None:
        return
    place = window.own_place(ruler, order.at)
    if place is None or not window.stack(ruler, place):
        window.refuse(ruler, line, "V02", place=order.at)
        return
    _spend(window, ruler, line, god)
    window.gods_at_work.hastened.add((ruler, place))


def carry(window: Window, ruler: PowerId, line: Line, order: GodCarry) -> None:
    """One figure or thing goes to other land of the ruler's on the same plane, at once and over any distance."""
    god = _able(window, ruler, line, "CARRY")
    if god is None:
        return
    figures = dict(order.figures)
    start, end = window.own_place(ruler, order.at), window.find_own(ruler, order.to)
    if start is None or end is None or any(window.stack(ruler, start).get(item, 0) < 1 for item in figures):
        window.refuse(ruler, line, "V02", place=order.at if start is None else order.to)
    elif not is_carried(figures) or coordinate_of(start).plane != coordinate_of(end).plane or start == end:
        window.refuse(ruler, line, "V26", place=order.to)
    elif any(window.unmarked(ruler, start).get(item, 0) < 1 for item in figures):
        window.refuse(ruler, line, "V05", place=order.at)
    elif window.breaks_watch(ruler, start, figures):
        window.refuse(ruler, line, "V05", place=order.at, which="watch")
    else:
        _spend(window, ruler, line, god)
        window.shift(ruler, figures, start, end)


def is_carried(figures: dict[str, int]) -> bool:
    """Whether it is one figure or thing without magic, and no craft. Source: rules 24.1"""
    kinds = [kind_of(item) for item in figures]
    return sum(figures.values()) == 1 and all(kind.group in _CARRIED and kind.code not in _MAGIC for kind in kinds)


def make_pass(window: Window, ruler: PowerId, line: Line, order: GodPass) -> None:
    """A pass over mountains is there at once, until the end of the great round."""
    god = _able(window, ruler, line, "PASS")
    if god is None:
        return
    at = window.find_own(ruler, order.at)
    if at is None:
        window.refuse(ruler, line, "V02", place=order.at)
        return
    _, known = window.sight(ruler)
    code = flaw_of(known, set(window.owned(ruler)), at, order.cells)
    if code is not None:
        window.refuse(ruler, line, code, place=at)
        return
    _spend(window, ruler, line, god)
    new = (Work(PASS, cell, until=window.gr) for cell in order.cells)
    window.set_field(gf_of(at), works=(*window.land.field(at).works, *new))


def flaw_of(land: Land, own: set[Province], at: Province, cells: tuple[int, ...]) -> str | None:
    """Why a pass built there would be refused; V21 also if there is one already. Source: rules 13.2"""
    if any(each.type == PASS and each.cell in cells for each in land.field(at).works):
        return "V21"
    return ways.plan_flaw(land, own, at, WorkOn(at, PASS, cells, 0))


def _able(window: Window, ruler: PowerId, line: Line, ability: str) -> God | None:
    """The god, if he can do it now; otherwise the line is refused."""
    god = god_of(window, ruler)
    kind = type(line.order)
    code = None
    if god is None:
        code = "V02"
    elif ability not in god.abilities:
        code = "V28"
    elif any(name == ruler and type(each.order) is kind for name, each in window.gods_at_work.due):
        code = "V05"
    elif not god.stay or god.is_bound(window.gr):
        code = "V07"
    if code is not None:
        window.refuse(ruler, line, code)
        return None
    return god


def _spend(window: Window, ruler: PowerId, line: Line, god: God) -> None:
    keep(window, ruler, replace(god, stay=god.stay - 1))
    window.gods_at_work.due.append((ruler, line))


def tell(window: Window) -> None:
    """In P2, report what gods have seen: whose land it is, who stands there, what was built.

    Source: rules 12.4, R-080
    """
    for ruler, line in window.gods_at_work.due:
        if not isinstance(line.order, GodSee):
            continue
        gf = gf_of(line.order.at)
        places = window.land.provinces(gf) if window.land.exists(gf) else ()
        if not places:
            window.fail(ruler, line, "blocked")
        for place in places:
            window.known.setdefault(ruler, set()).add(place)
            window.seen.setdefault(ruler, {})[place] = window.gr
        seen = view_of(window.close(), ruler, window.land)
        for place in places:
            args, words = scouting.findings(window, seen, ruler, place)
            facts = {"ee": "god", "from": place, "to": place, **args}
            window.tell("explored", [ruler], facts, words="explored_by_god", target=place, found=words)


def end_round(window: Window) -> None:
    """Remove what gods made for one great round."""
    for gf, field in list(window.fields.items()):
        works = tuple(work for work in field.works if not 0 < work.until <= window.gr)
        if works != field.works:
            window.set_field(gf, works=works)
