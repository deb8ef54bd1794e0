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
from engine.kalevala.working import Round
from engine.kalevala.world.shards import shard_of

NO_ROOM = {LAND: "no_land", FLEET: "no_shore", HORDE: "no_rim"}
"""Why a way in is no longer open when its turn comes."""
GUEST_ROUNDS = 10
"""For how many great rounds a ruler with a role is let in where he begins; as long as any permit.

Source: rules R-110
"""


def ask(round_: Round, ruler: PowerId, line: Line, order: Begin) -> None:
    """BEGIN: a ruler without a realm chooses how to enter the game; it is settled when the window is over.

    Ruling KA225
    """
    if not may_begin(round_.state, ruler):
        round_.refuse(ruler, line, "V28")
    elif order.way not in ways_of(round_.state, ruler):
        round_.refuse(ruler, line, "V20", way=order.way)
    elif ruler in round_.beginning:
        round_.refuse(ruler, line, "V31")
    else:
        round_.beginning[ruler] = line


def begin(round_: Round) -> None:
    """The end of a window: newcomers are given land, or put at the edge of the map, one by one in seat order."""
    if round_.dice is None:
        return
    dice = arrival_dice(round_)
    for ruler, line in round_.beginning.items():
        order = line.order
        assert isinstance(order, Begin), "as it was asked"
        comes = _settle_by_lot if order.way == LAND else _invade_by_lot
        if not comes(round_, dice, ruler, order):
            round_.fail(ruler, line, NO_ROOM[order.way])


def _settle_by_lot(round_: Round, dice: Dice, ruler: PowerId, order: Begin) -> bool:
    home = find_home(_now(round_), dice, ruler)
    until = settle(round_, ruler, home[0]) if home else None
    if until is None:
        return False
    places = round_.owned(ruler)
    round_.tell("begun", [ruler], {"way": order.way, "gf": home[0], "until": until}, words="begun_LAND", places=places)
    return True


def settle(round_: Round, ruler: PowerId, capital: Province) -> int | None:
    """Allot the ruler a realm on natives' land, as large as it can be around its capital. Rules R-095, ruling KA226

    Returns: up to which great round the realm is protected; `None`: there can't be a capital there.
    """
    now, dice = _now(round_), arrival_dice(round_)
    home = home_around(now, capital)
    if not home:
        return None
    leave_all(round_, ruler)
    own, first = round_.rulers[ruler], _next_round(round_)
    given = allotted(now, dice, ruler, own, home)
    until = first - 1 + max(invaders.SHIELDED, int(round_.state.options.get("shield", 0)))
    round_.rulers[ruler] = replace(
        own, kind=REALM, capital=home[0], king=None, protected=until, nmr=0, wizard=own.wizard or Wizard()
    )
    for gf, field in given.fields.items():
        round_.set_field(gf, centre=field.centre, works=field.works)
    round_.owners |= dict.fromkeys(home, ruler)
    for place, figures in given.stacks.items():
        _set_down(round_, ruler, place, figures, "arrival")
    round_.known.setdefault(ruler, set()).difference_update(home)
    archeron.bring_god(round_, ruler)
    _find_portal(round_, ruler, dice)
    return until


def _find_portal(round_: Round, ruler: PowerId, dice: Dice) -> None:
    """In a world with other planes the new realm has a site for a portal, and a shard behind it. Ruling KA218"""
    if round_.state.variant != WORLD or not has_module(round_.state, "planes"):
        return
    now = _now(round_).replace(rulers=dict(round_.rulers))
    round_.fields |= shard_of(now, dice, ruler)
    round_.forget_land()


def _invade_by_lot(round_: Round, dice: Dice, ruler: PowerId, order: Begin) -> bool:
    way = order.way
    place = invaders.find_place(_now(round_), dice, ruler, at_sea=way == FLEET)
    if place is None:
        return False
    until = invade(round_, ruler, place, "arrival")
    round_.tell("begun", [ruler], {"way": way, "gf": place, "until": until}, words=f"begun_{way}")
    return True


def arrival_dice(round_: Round) -> Dice:
    """The dice of this window that decide where land is allotted."""
    return Dice(round_.state.seed).for_phase(f"arrivals/{round_.state.time}")


def _now(round_: Round) -> State:
    """The position as it is by now, as far as land and figures go."""
    return round_.state.replace(
        land=dict(round_.fields),
        owners=dict(round_.owners),
        stacks=round_.stacks,
        contested=round_.contested,
        explored={ruler: tuple(rows) for ruler, rows in round_.explored.items()},
    )


def invade(round_: Round, ruler: PowerId, place: Province, why: str = "decree") -> int:
    """The ruler comes with a fleet, or on land with a horde. Returns up to which great round they are protected."""
    leave_all(round_, ruler)
    is_sea = round_.land.is_sea(place)
    new = round_.rulers[ruler] = invaders.newcomer(round_.rulers[ruler], _next_round(round_))
    _set_down(round_, ruler, place, invaders.host(new.core, is_fleet=is_sea), why)
    if is_sea:
        remember_sea(round_, ruler, place)
    archeron.bring_god(round_, ruler)
    return new.protected


def take_role(round_: Round, ruler: PowerId, place: Province, figures: Figures) -> int:
    """The ruler gets figures as a guest of the place's owner, besides those of an earlier role. Returns until when."""
    own, host = round_.rulers[ruler], round_.owners[place]
    if not own.is_played:
        leave_all(round_, ruler)
        round_.rulers[ruler] = replace(own, kind=REALM, capital=None, king=None, protected=0, nmr=0)
        if own.kind == EXPECTED:
            archeron.bring_god(round_, ruler)
    _set_down(round_, ruler, place, figures)
    until = round_.gr + GUEST_ROUNDS
    others = [each for each in round_.permits if (each.giver, each.guest, each.where) != (host, ruler, place)]
    round_.permits = [*others, Permit(host, ruler, place, until)]
    return until


def leave_all(round_: Round, ruler: PowerId) -> None:
    """Nothing of an old realm stays: land falls to marauders; figures, king, agents, caravans and portal are gone."""
    for caravan in [each for each in round_.caravans.values() if each.ruler == ruler]:
        caravanning.unpack(round_, caravan)
    for agent in [each for each in round_.agents.values() if each.ruler == ruler]:
        spying.lose(round_, agent, "gone")
    dethroning.end_reign(round_, ruler)
    round_.portals.pop(ruler, None)
    if round_.owned(ruler):
        go_over(round_, ruler, round_.owned(ruler))
    for at, figures in list(round_.stacks[ruler].items()):
        for item, count in list(figures.items()):
            round_.book(ruler, at, item, -count, "decree")


def _set_down(round_: Round, ruler: PowerId, place: Province, figures: Figures, why: str = "decree") -> None:
    for item, count in figures.items():
        round_.book(ruler, place, item, count, why)
    round_.known.setdefault(ruler, set()).add(place)


def _next_round(round_: Round) -> int:
    return round_.gr if round_.state.part == ORDERS_PART else round_.gr + 1
