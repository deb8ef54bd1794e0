"""Temples and priests as a page, and the commands for gifts, prayers for ZEH, and questions. Source: rules 20"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.core.doors import Door, Doubt, Page
from engine.core.ids import PowerId
from engine.core.orders import Choice
from engine.core.phrases import Phrase, phrase
from engine.kalevala import board, commands
from engine.kalevala.agents.facts import RULER, agents_in
from engine.kalevala.caravans.facts import caravans_in
from engine.kalevala.coordinates import Province, order_of, parse_province
from engine.kalevala.example_places import beside, home
from engine.kalevala.figures import MONEY, composed, count_of, format_figures, number_of, with_loads
from engine.kalevala.land import land_of
from engine.kalevala.model import DEEDS_PART, ORDERS_PART, View, Work
from engine.kalevala.modules import has_module
from engine.kalevala.orders import Line
from engine.kalevala.priests.facts import (
    BREAD,
    FEAR,
    ORACLE_PRICES,
    PRAYER,
    PRAYERS,
    PRIEST,
    STORE,
    TEMPLE,
    has_priest,
    is_priest,
    is_temple,
    priests_among,
)
from engine.kalevala.sheet import is_asked
from engine.kalevala.wizards.doors import cost_on
from engine.kalevala.wizards.spells import factor_of

_CLASSES = ("L", "LB", "LC")


def temples_of(view: View) -> list[tuple[Province, Work]]:
    """The viewer's temples, unfinished ones too, with their provinces."""
    if view.viewer is None:
        return []
    land = land_of(view.state)
    return [(at, work) for at in view.state.owned(view.viewer) for work in land.works(at) if work.type == TEMPLE]


def priests_of(view: View) -> list[tuple[Province, str]]:
    """The viewer's priests, one by one, and where they are."""
    stacks = view.state.stacks.get(view.viewer, {}) if view.viewer is not None else {}
    items = ((at, item) for at in sorted(stacks, key=order_of) for item in priests_among(with_loads(stacks[at])))
    return [(at, item) for at, item in items for _ in range(with_loads(stacks[at])[item])]


def _travellers(view: View) -> int:
    """How many priests are in the viewer's caravans and with agents of theirs. Ruling KA303"""
    led = [each.load for each in caravans_in(view.state.modules) if each.ruler == view.viewer]
    hidden = [each.group for each in agents_in(view.state.modules) if each.ruler == view.viewer and each.captor is None]
    return sum(count for figures in (*led, *hidden) for item, count in figures.items() if is_priest(item))


def has_priests(view: View, orders: Sequence[Line] = ()) -> bool:
    """Whether there are temples or priests to look at."""
    return has_module(view.state, "priests") and bool(temples_of(view) or priests_of(view) or _travellers(view))


def _show(view: View, orders: Sequence[Line]) -> Page | None:
    if not has_priests(view):
        return None
    priests = priests_of(view)
    lines = [*_temples(view), phrase("door.priests.upkeep", count=len(priests) + _travellers(view))]
    for at, item in priests:
        zeh = number_of(item)
        lines.append(phrase("door.priests.stands", place=at, zeh=zeh, most=STORE, count=zeh // PRAYERS[0].base))
    lines += [*_prayers(), *_seen(view)]
    prices = tuple(f"{question} {price}" for question, price in ORACLE_PRICES.items())
    place = _example_place(view)
    lines += [
        phrase("door.priests.oracle", prices=prices),
        phrase("door.priests.how", place=place, beside=beside(view, place)),
    ]
    return Page(lines=tuple(lines))


def _example_place(view: View) -> str:
    """A finished temple, if possible one with a priest; without any the place where one could be."""
    temples = [choice.value for choice in _finished(view)]
    manned = [at for at, _ in priests_of(view) if at in temples]
    return next(iter((*manned, *temples)), home(view))


def _temples(view: View) -> Iterator[Phrase]:
    ruler, modules = view.viewer or PowerId(""), view.state.modules
    for at, work in temples_of(view):
        if is_temple(work):
            is_served = has_priest(ruler, at, view.state.stack(ruler, at), caravans_in(modules), agents_in(modules))
            code = "temple" if is_served else "forsaken"
            yield phrase(f"door.priests.{code}", place=at, cell=work.cell, money=work.treasure)
        else:
            yield phrase("door.priests.half", place=at, cell=work.cell, paid=work.paid)


def _prayers() -> Iterator[Phrase]:
    """What each prayer does and costs."""
    for prayer in PRAYERS:
        what = phrase(f"door.priests.does_{prayer.name}")
        costs = [prayer.base * factor_of(item) for item in _CLASSES]
        code = "bread" if prayer.name == BREAD else "prayer"
        args = {"prayer": prayer.name, "german": prayer.german, "what": what, "zeh": prayer.base}
        yield phrase(f"door.priests.{code}", low=costs[0], middle=costs[1], high=costs[2], **args)


def _seen(view: View) -> Iterator[Phrase]:
    """What it would cost to put fear into everybody whom the viewer's scouts saw in this round."""
    assert view.viewer is not None, "a player's page"
    for row in view.state.explored.get(view.viewer, ()) if view.state.part == DEEDS_PART else ():
        for ruler in view.state.present(row.target):
            figures = view.state.stack(ruler, row.target)
            people = {item: count for item, count in figures.items() if item != MONEY and not count_of({item: 1}, "Z")}
            if ruler != view.viewer and people:
                text, zeh = format_figures(people), cost_on(PRAYER[FEAR], people)
                yield phrase("door.priests.on_seen", place=row.target, ruler=ruler, figures=text, zeh=zeh)


# Doors


def _is_window(view: View) -> bool:
    return is_asked(view) and view.state.part == ORDERS_PART and has_module(view.state, "priests")


def _finished(view: View, orders: Sequence[Line] = ()) -> tuple[Choice, ...]:
    """Where finished temples are, with what is in their treasures."""
    found: dict[Province, int] = {}
    for at, work in temples_of(view):
        if is_temple(work):
            found[at] = found.get(at, 0) + work.treasure
    return tuple(Choice(at, f"{at} TS({money})") for at, money in found.items())


def _is_open(view: View, orders: Sequence[Line]) -> bool:
    return _is_window(view) and bool(_finished(view))


def _may_pray(view: View, orders: Sequence[Line]) -> bool:
    return _is_open(view, orders) and bool(_ordained(view))


def _ordained(view: View, orders: Sequence[Line] = ()) -> tuple[Choice, ...]:
    """The priests of temples, with the ZEH that they have."""
    places = {choice.value for choice in _finished(view)}
    items = dict.fromkeys(item for at, item in priests_of(view) if at in places)
    return tuple(Choice(item, item) for item in sorted(items, key=number_of))


def _gift(view: View, orders: Sequence[Line], given: Mapping[str, str]) -> str:
    return f"GIFT {given['place']} {given['amount']}"


def _pray(view: View, orders: Sequence[Line], given: Mapping[str, str]) -> str:
    return f"PRAY {given['place']} {given.get('priest', PRIEST)} {given['amount']}"


def _ask(view: View, orders: Sequence[Line], given: Mapping[str, str]) -> str | Doubt:
    """A question of a kind about a place or a ruler; without a kind it is in words."""
    about, kind = " ".join(given.get("subject", "").replace('"', "'").split()), given.get("question", "")
    rulers, name = board.others(view.state, view.viewer), composed(about).lower().replace(" ", "_")
    is_place, is_ruler = parse_province(about, view.state.usual_plane) is not None, name in rulers
    if not about:
        return Doubt(phrase("door.oracle.empty"), "", ())
    if not kind and (is_place or is_ruler):
        return Doubt(phrase(f"door.oracle.what_of_{'place' if is_place else 'ruler'}", subject=about), "", ())
    if not kind:
        what = f'"{about}"'
    elif kind == RULER and not is_ruler:
        return Doubt(phrase("door.oracle.stranger", subject=about), about, rulers)
    elif kind == RULER:
        what = f"{kind} {name}"
    elif not is_place:
        return Doubt(phrase("door.oracle.nowhere", subject=about, place=given["place"]), "", ())
    else:
        what = f"{kind} {about}"
    price = ORACLE_PRICES.get(kind, 1)
    return f"ORACLE {given['place']} {given.get('amount', price)} {what}"


PRIEST_DOORS: tuple[Door[View, Line], ...] = (
    Door(
        info=commands.TEMPLE_PRIESTS,
        page=_show,
        is_open=has_priests,
        brings_page=lambda view: False,
    ),
    Door(
        info=commands.TEMPLE_GIFT,
        completions={"place": _finished},
        order=_gift,
        is_open=_is_open,
    ),
    Door(
        info=commands.TEMPLE_PRAY,
        completions={"place": _finished, "priest": _ordained},
        order=_pray,
        is_open=_may_pray,
    ),
    Door(
        info=commands.TEMPLE_ASK,
        completions={"place": _finished},
        order=_ask,
        is_open=_is_open,
    ),
)
