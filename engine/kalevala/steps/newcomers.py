"""Who begins again without a realm: as an invader, or with a role of his own in somebody else's land.

A game master decides it. Source: rules 4.3, 4.4, rulings KA214, KA217
"""

from __future__ import annotations

from dataclasses import replace

from engine.core.ids import PowerId
from engine.kalevala import invaders
from engine.kalevala.coordinates import Province
from engine.kalevala.figures import Figures
from engine.kalevala.model import ORDERS_PART, REALM, Permit
from engine.kalevala.steps import caravanning, reigning, spying
from engine.kalevala.steps.loyalty import go_over
from engine.kalevala.steps.sailing import remember_sea
from engine.kalevala.working import Round

GUEST_ROUNDS = 10
"""Great rounds for which whoever has a role is let in where he begins; as long as any permit. Source: rules R-110"""


def invade(round_: Round, ruler: PowerId, place: Province) -> int:
    """He comes again with a fleet, or on land with a horde. Up to which great round he is protected."""
    leave_all(round_, ruler)
    is_sea = round_.land.is_sea(place)
    new = round_.rulers[ruler] = invaders.newcomer(round_.rulers[ruler], _next_round(round_))
    _set_down(round_, ruler, place, invaders.host(new.core, is_fleet=is_sea))
    if is_sea:
        remember_sea(round_, ruler, place)
    return new.protected


def take_role(round_: Round, ruler: PowerId, place: Province, figures: Figures) -> int:
    """He has figures as a guest of whoever owns the place; what an earlier role left him stays. Until when."""
    own, host = round_.rulers[ruler], round_.owners[place]
    if not own.is_played:
        leave_all(round_, ruler)
        round_.rulers[ruler] = replace(own, kind=REALM, capital=None, king=None, protected=0, nmr=0)
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
    reigning.end_reign(round_, ruler)
    round_.portals.pop(ruler, None)
    if round_.owned(ruler):
        go_over(round_, ruler, round_.owned(ruler))
    for at, figures in list(round_.stacks[ruler].items()):
        for item, count in list(figures.items()):
            round_.book(ruler, at, item, -count, "decree")


def _set_down(round_: Round, ruler: PowerId, place: Province, figures: Figures) -> None:
    for item, count in figures.items():
        round_.book(ruler, place, item, count, "decree")
    round_.known.setdefault(ruler, set()).add(place)


def _next_round(round_: Round) -> int:
    return round_.gr if round_.state.part == ORDERS_PART else round_.gr + 1
