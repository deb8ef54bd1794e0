"""Rulers who begin without a realm: on free land, as invaders, or with a role in another ruler's land.

The line BEGIN asks for one of the first two; a game master decrees the others. Source: rules 4.3, 4.4, rulings KA214,
KA217, KA225
"""

from __future__ import annotations

from dataclasses import replace

from engine.core.dice import Dice
from engine.core.ids import PowerId
from engine.kalevala import invaders
from engine.kalevala.arrivals.allotment import allotted, find_home, home_around
from engine.kalevala.arrivals.facts import may_begin, ways_of
from engine.kalevala.arrivals.orders import FLEET, HORDE, LAND, Begin
from engine.kalevala.coordinates import Province
from engine.kalevala.figures import Figures
from engine.kalevala.info import WORLD
from engine.kalevala.model import EXPECTED, ORDERS_PART, REALM, Permit, State, Wizard
from engine.kalevala.modules import has_module
from engine.kalevala.orders import Line
from engine.kalevala.steps import archeron, caravanning, dethroning, spying
from engine.kalevala.steps.loyalty import go_over
from engine.kalevala.steps.sailing import remember_sea
from engine.kalevala.window import Window
from engine.kalevala.world.shards import shard_of

NO_ROOM = {LAND: "no_land", FLEET: "no_shore", HORDE: "no_rim"}
"""Why a way in is no longer open when its turn comes."""
GUEST_ROUNDS = 10
"""For how many great rounds a ruler with a role is let in where he begins; as long as any permit.

Source: rules R-110
"""


def ask(window: Window, ruler: PowerId, line: Line, order: Begin) -> None:
    """BEGIN: a ruler without a realm chooses how to enter the game; it is settled when the window is over.

    Ruling KA225
    """
    if not may_begin(window.state, ruler):
        window.refuse(ruler, line, "V28")
    elif order.way not in ways_of(window.state, ruler):
        window.refuse(ruler, line, "V20", way=order.way)
    elif ruler in window.beginning:
        window.refuse(ruler, line, "V31")
    else:
        window.beginning[ruler] = line


def begin(window: Window) -> None:
    """The end of a window: newcomers are given land, or put at the edge of the map, one by one in seat order."""
    if window.dice is None:
        return
    dice = arrival_dice(window)
    for ruler, line in window.beginning.items():
        order = line.order
        assert isinstance(order, Begin), "as it was asked"
        comes = _settle_by_lot if order.way == LAND else _invade_by_lot
        if not comes(window, dice, ruler, order):
            window.fail(ruler, line, NO_ROOM[order.way])


def _settle_by_lot(window: Window, dice: Dice, ruler: PowerId, order: Begin) -> bool:
    home = find_home(_now(window), dice, ruler)
    until = settle(window, ruler, home[0]) if home else None
    if until is None:
        return False
    places = window.owned(ruler)
    window.tell("begun", [ruler], {"way": order.way, "gf": home[0], "until": until}, words="begun_LAND", places=places)
    return True


def settle(window: Window, ruler: PowerId, capital: Province) -> int | None:
    """Allot the ruler a realm on natives' land, as large as it can be around its capital. Rules R-095, ruling KA226

    Returns: up to which great round the realm is protected; `None`: there can't be a capital there.
    """
    now, dice = _now(window), arrival_dice(window)
    home = home_around(now, capital)
    if not home:
        return None
    leave_all(window, ruler)
    own, first = window.rulers[ruler], _next_round(window)
    given = allotted(now, dice, ruler, own, home)
    until = first - 1 + max(invaders.SHIELDED, int(window.state.options.get("shield", 0)))
    window.rulers[ruler] = replace(
        own, kind=REALM, capital=home[0], king=None, protected=until, nmr=0, wizard=own.wizard or Wizard()
    )
    for gf, field in given.fields.items():
        window.set_field(gf, centre=field.centre, works=field.works)
    window.owners |= dict.fromkeys(home, ruler)
    for place, figures in given.stacks.items():
        _set_down(window, ruler, place, figures, "arrival")
    window.known.setdefault(ruler, set()).difference_update(home)
    archeron.bring_god(window, ruler)
    _find_portal(window, ruler, dice)
    return until


def _find_portal(window: Window, ruler: PowerId, dice: Dice) -> None:
    """In a world with other planes the new realm has a site for a portal, and a shard behind it. Ruling KA218"""
    if window.state.variant != WORLD or not has_module(window.state, "planes"):
        return
    now = _now(window).replace(rulers=dict(window.rulers))
    window.fields |= shard_of(now, dice, ruler)
    window.forget_land()


def _invade_by_lot(window: Window, dice: Dice, ruler: PowerId, order: Begin) -> bool:
    way = order.way
    place = invaders.find_place(_now(window), dice, ruler, at_sea=way == FLEET)
    if place is None:
        return False
    until = invade(window, ruler, place, "arrival")
    window.tell("begun", [ruler], {"way": way, "gf": place, "until": until}, words=f"begun_{way}")
    return True


def arrival_dice(window: Window) -> Dice:
    """The dice of this window that decide where land is allotted."""
    return Dice(window.state.seed).for_phase(f"arrivals/{window.state.time}")


def _now(window: Window) -> State:
    """The position as it is by now, as far as land and figures go."""
    return window.state.replace(
        land=dict(window.fields),
        owners=dict(window.owners),
        stacks=window.stacks,
        contested=window.contested,
        explored={ruler: tuple(rows) for ruler, rows in window.explored.items()},
    )


def invade(window: Window, ruler: PowerId, place: Province, why: str = "decree") -> int:
    """The ruler comes with a fleet, or on land with a horde. Returns up to which great round they are protected."""
    leave_all(window, ruler)
    is_sea = window.land.is_sea(place)
    new = window.rulers[ruler] = invaders.newcomer(window.rulers[ruler], _next_round(window))
    _set_down(window, ruler, place, invaders.host(new.core, is_fleet=is_sea), why)
    if is_sea:
        remember_sea(window, ruler, place)
    archeron.bring_god(window, ruler)
    return new.protected


def take_role(window: Window, ruler: PowerId, place: Province, figures: Figures) -> int:
    """The ruler gets figures as a guest of the place's owner, besides those of an earlier role. Returns until when."""
    own, host = window.rulers[ruler], window.owners[place]
    if not own.is_played:
        leave_all(window, ruler)
        window.rulers[ruler] = replace(own, kind=REALM, capital=None, king=None, protected=0, nmr=0)
        if own.kind == EXPECTED:
            archeron.bring_god(window, ruler)
    _set_down(window, ruler, place, figures)
    until = window.gr + GUEST_ROUNDS
    others = [each for each in window.permits if (each.giver, each.guest, each.where) != (host, ruler, place)]
    window.permits = [*others, Permit(host, ruler, place, until)]
    return until


def leave_all(window: Window, ruler: PowerId) -> None:
    """Nothing of an old realm stays: land falls to marauders; figures, king, agents, caravans and portal are gone."""
    for caravan in [each for each in window.caravans.values() if each.ruler == ruler]:
        caravanning.unpack(window, caravan)
    for agent in [each for each in window.agents.values() if each.ruler == ruler]:
        spying.lose(window, agent, "gone")
    dethroning.end_reign(window, ruler)
    window.portals.pop(ruler, None)
    if window.owned(ruler):
        go_over(window, ruler, window.owned(ruler))
    for at, figures in list(window.stacks[ruler].items()):
        for item, count in list(figures.items()):
            window.book(ruler, at, item, -count, "decree")


def _set_down(window: Window, ruler: PowerId, place: Province, figures: Figures, why: str = "decree") -> None:
    for item, count in figures.items():
        window.book(ruler, place, item, count, why)
    window.known.setdefault(ruler, set()).add(place)


def _next_round(window: Window) -> int:
    return window.gr if window.state.part == ORDERS_PART else window.gr + 1
