"""What the attacks of a sheet are likely to bring: they are rehearsed with imagined dice.

Source: docs/kalevala.md, "Rulers that the computer plays"
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.core.dice import Dice
from engine.kalevala import orders
from engine.kalevala.battle.rounds import fight_out
from engine.kalevala.battle.sites import BattleSite
from engine.kalevala.coordinates import Province
from engine.kalevala.figures import price_of
from engine.kalevala.land import land_of
from engine.kalevala.model import ORDERS_PART, State, View
from engine.kalevala.orders import Line
from engine.kalevala.steps import scoring
from engine.kalevala.steps.entering import OCCUPATION, WAR
from engine.kalevala.war import room as war_room

_REHEARSALS = 6
"""How often an attack is tried out before it is ordered."""
_AHEAD = 6
"""Great rounds, at most, in which troops are thought to be of use yet."""
_LAND = 2.0
"""What land is worth, against what it counts in the score."""
_HARM = 0.3
"""What a loss of somebody else's is worth, against one's own."""


def weigh(view: View, luck: str) -> Callable[[Sequence[Line]], float]:
    """Tells what the entries of a sheet are likely to bring, in points of the chronicle's score; attacks are rehearsed.

    With the same luck for all sheets it isn't the lucky one that is sent, and an attack in several of them is
    rehearsed once.
    """
    known: list[tuple[BattleSite, float]] = []

    def rehearsed(site: BattleSite, target: Province) -> float:
        # A site bears the name of the land that is attacked, so attacks on two provinces are never the same.
        for other, value in known:
            if other == site:
                return value
        known.append((site, _expected(view, site, target, luck)))
        return known[-1][1]

    def tell(sheet: Sequence[Line]) -> float:
        if view.state.part == ORDERS_PART:
            return 0.0
        entries = [line.order for line in sheet if isinstance(line.order, orders.Enter)]
        found = sum(_prize(view, order.target) for order in entries if order.kind == OCCUPATION)
        for target in dict.fromkeys(order.target for order in entries if order.kind == WAR):
            site = war_room.site_at(view, sheet, target, None)
            if site is not None:
                found += rehearsed(site, target)
            elif not _is_held(view, target):
                found += _prize(view, target)
        return found

    return tell


def _is_held(view: View, place: Province) -> bool:
    """Whether somebody else's people were seen in a province."""
    return any(stacks.get(place) for ruler, stacks in view.state.stacks.items() if ruler != view.viewer)


def _prize(view: View, place: Province) -> float:
    """What a province is worth: more than it counts, since it also arms, and another ruler lacks it. Source: R-093"""
    centre = land_of(view.state).centre(place)
    return _LAND * (2 + (0.0 if centre is None else 10 * float(centre.centre.city_units)))


def _expected(view: View, site: BattleSite, target: Province, luck: str) -> float:
    """What an attack brings on average: the land as often as it is won, the enemies' losses, less its own."""
    assert view.viewer is not None, "a ruler attacks"
    found, worth = 0.0, _worth_of_troops(view.state)
    for number in range(_REHEARSALS):
        course = fight_out(site, Dice(f"{luck}/{number}").streams()).course
        lost = {
            ruler: sum(price_of(item) * count for item, count in dead.items()) for ruler, dead in course.lost.items()
        }
        own = lost.pop(view.viewer, 0)
        found += _prize(view, target) if course.winner == view.viewer else 0
        found += (sum(lost.values()) * _HARM - own) * worth
    return found / _REHEARSALS


def _worth_of_troops(state: State) -> float:
    """What an RE of troops is worth in points: a tenth in the score, and as much for each great round in which they may
    conquer yet. Source: rules R-093
    """
    last = scoring.last_round(state.options)
    left = _AHEAD if last is None else max(0, min(_AHEAD, last - state.gr))
    return (1 + left) / 10
