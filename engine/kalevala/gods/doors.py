"""The player's own god as a page: his offerings, where he is, and what he may do now. Source: rules 24"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.core.doors import Door, Page
from engine.core.phrases import Phrase, phrase
from engine.kalevala import commands
from engine.kalevala.example_places import at_home, home
from engine.kalevala.gods.facts import BASE, TO_HIDE, UNITS, God, aura_needs, auras, next_step
from engine.kalevala.gods.guide import battle_abilities, call_zeh, god_in, king_calls
from engine.kalevala.model import ORDERS_PART, View
from engine.kalevala.modules import has_module
from engine.kalevala.orders import Line


def has_god(view: View, orders: Sequence[Line] = ()) -> bool:
    """Whether there is one to look at."""
    return view.viewer is not None and has_module(view.state, "gods") and god_in(view.state, view.viewer) is not None


def _show(view: View, orders: Sequence[Line]) -> Page | None:
    if not has_god(view) or view.viewer is None:
        return None
    god = god_in(view.state, view.viewer)
    assert god is not None, "has_god says so"
    return Page(lines=(*_standing(view, god), *_abilities(god), *_choices(view, god)))


def _standing(view: View, god: God) -> Iterator[Phrase]:
    if god.text:
        yield phrase("door.god.text", text=god.text)
    yield phrase("door.god.level", oeh=god.oeh, level=god.level, next=next_step(god.oeh))
    yield phrase("door.god.at_home" if god.at == god.seat else "door.god.at", field=god.at, seat=god.seat)
    own = tuple(f"{field}" for field in auras(view.state.modules))
    if own:
        yield phrase("door.god.auras", fields=own)
    if god.weak is not None and god.weak.lost:
        yield phrase("door.god.weak_lost", round=god.weak.lost, until=god.weak.lost + TO_HIDE, place=home(view))
    elif god.weak is not None:
        yield phrase("door.god.weak", place=god.weak.at, cell=god.weak.cell)
    else:
        yield phrase("door.god.no_weak", place=home(view))
    yield phrase("door.god.stay" if god.stay else "door.god.no_stay", count=god.stay)


def _abilities(god: God) -> Iterator[Phrase]:
    known = (BASE, *god.abilities)
    yield phrase("door.god.knows", abilities=tuple(phrase(f"ability.{name}") for name in known))
    if god.may_learn:
        yield phrase("door.god.may_learn", abilities=god.may_learn)


_MIRACLES = {
    "SEE": "GOD SEE 2D+5",
    "SPEED": "GOD SPEED 2D+4",
    "CARRY": "GOD CARRY 1K AT 2D+4 TO 2E+4",
    "PASS": "GOD PASS 2D+4 KF 12",
}
"""How what a god can do apart from battles is ordered."""


def _choices(view: View, god: God) -> Iterator[Phrase]:
    """What he may do in this window."""
    assert view.viewer is not None, "a god is somebody's"
    if view.state.part != ORDERS_PART:
        if god.rounds:
            order = at_home("GOD APPEAR 2D+5 FOR anna AGAINST bert", view)
            args = {"order": order, "abilities": ", ".join(battle_abilities(god))}
            yield phrase("door.god.may_appear", count=god.rounds, **args)
        zeh = call_zeh(view.state, view.viewer, battle_abilities(god)[0])
        if zeh:
            code = "door.god.may_call_king" if king_calls(view.state, view.viewer) else "door.god.may_call"
            yield phrase(code, abilities=",".join(battle_abilities(god)), zeh=zeh)
        if god.explored and god.units < UNITS and god.tired <= view.state.gr:
            yield phrase("door.god.may_enter", fields=tuple(map(str, god.explored)))
        return
    yield phrase("door.god.may_aura", field=god.at, needed=aura_needs(god.tries))
    if god.earlier and god.tired != view.state.gr:
        yield phrase("door.god.may_move", fields=tuple(map(str, god.earlier)))
    for name, form in _MIRACLES.items():
        if name in god.abilities and god.stay:
            yield phrase(f"door.god.may_{name}", order=at_home(form, view))
    yield phrase("door.god.barred" if god.barred == view.state.gr else "door.god.may_scout")


GOD_DOOR: Door[View, Line] = Door(
    info=commands.GOD,
    page=_show,
    is_open=has_god,
    brings_page=lambda view: False,
)
