"""Numbers for duels and orders in advance, as doors. Source: rules 8 and 9; what they mean is said in `check`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.core.doors import Door, DoorForm, Doubt, Page
from engine.core.ids import PowerId
from engine.core.orders import Choice
from engine.core.phrases import Phrase, phrase
from engine.kregen import commands
from engine.kregen.legality import heroes_of_duel
from engine.kregen.listing import duel_name, duel_of, heroes_of, prophecies, rivals
from engine.kregen.model import Duel, Order, Unit, View, format_order
from engine.kregen.sheet import filed, is_prophecy
from engine.provinces.phases import PhaseKind

_VERB = "duel"


def _heroes(view: View) -> tuple[Unit, ...]:
    """The viewer's heroes for whom numbers may be sent: only in a move season. Source: rules 8.8"""
    state, viewer = view.state, view.viewer
    if viewer is None or state.over or state.phase.kind is not PhaseKind.MOVEMENT:
        return ()
    return heroes_of(state, viewer)


def _names(view: View, orders: Sequence[Order]) -> tuple[Choice, ...]:
    names = [duel_name(view.state, hero) for hero in _heroes(view)]
    return tuple(Choice(name, name) for name in names)


def _number(view: View, orders: Sequence[Order], given: Mapping[str, str]) -> str | Doubt:
    """The order that sends a number; the hero may be left out where there is only one, or named by its sector alone."""
    names, written = [duel_name(view.state, hero) for hero in _heroes(view)], given.get("hero", "")
    wanted = set(written.casefold().split())
    chosen = [name for name in names if wanted <= set(name.casefold().split())]
    if len(chosen) != 1:
        return Doubt(phrase("door.duel.which"), written, tuple(names))
    return f"{_VERB} {chosen[0]} {given['number']} {given.get('loser', commands.KILL)}"


def _numbers(view: View, orders: Sequence[Order]) -> str:
    """A line for each hero: what was sent, or the beginning of an order to be filled in."""
    state = view.state
    sent = {
        hero: format_order(duel_of(state, hero, duel.number, duel.is_capture))
        # A number for all of a sector gives way to one that names its hero.
        for duel in sorted((order for order in orders if isinstance(order, Duel)), key=lambda duel: duel.of is not None)
        for hero in heroes_of_duel(state, view.viewer or PowerId(""), duel)
    }
    return "\n".join(sent.get(hero, f"{_VERB} {duel_name(state, hero)} …") for hero in _heroes(view))


def _as_orders(text: str) -> str:
    """What was written in the form: `H ZY 40 kill` is enough for one."""
    return "\n".join(_as_order(line) for line in text.splitlines())


def _as_order(line: str) -> str:
    is_whole = not line.strip() or line.lstrip().startswith("#") or line.split()[0].casefold() == _VERB
    return line if is_whole else f"{_VERB} {line.strip()}"


def _could_meet(view: View) -> Phrase | None:
    """Which of the viewer's heroes could come to a duel in this phase."""
    heroes = tuple(duel_name(view.state, hero) for hero in _heroes(view) if rivals(view.state, hero))
    return phrase("door.duel.briefing", heroes=heroes) if heroes else None


def _texts(orders: Sequence[Order]) -> tuple[str, ...]:
    return tuple(format_order(order) for order in orders if is_prophecy(order))


def _foretold(view: View, orders: Sequence[Order]) -> Page:
    """What stands in the sheet, and what was filed in an earlier phase and is in force."""
    listed = ((phrase("door.prophecies.lines"), _texts(orders)), (phrase("door.prophecies.filed"), filed(view)))
    return Page(listed=listed)


def _offered(view: View, orders: Sequence[Order]) -> tuple[Choice, ...]:
    return tuple(Choice(text, text) for text in prophecies(view))


def _can_foretell(view: View, orders: Sequence[Order]) -> bool:
    return bool(prophecies(view))


DOORS: tuple[Door[View, Order], ...] = (
    Door(
        info=commands.DUEL,
        completions={"hero": _names},
        order=_number,
        is_open=lambda view, orders: bool(_heroes(view)),
        form=DoorForm(text=_numbers, read=_as_orders),
        briefing=_could_meet,
    ),
    Door(info=commands.PROPHECY_SHOW, page=_foretold),
    Door(
        info=commands.PROPHECY_SET,
        completions={"text": _offered},
        is_open=_can_foretell,
        form=DoorForm(text=lambda view, orders: "\n".join(_texts(orders)), replaces=is_prophecy),
    ),
    Door(
        info=commands.PROPHECY_CLEAR,
        order=lambda view, orders, given: "",
        replaces=is_prophecy,
        is_open=_can_foretell,
    ),
)
"""`/duel` and `/prophecy`."""
