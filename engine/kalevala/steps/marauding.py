"""P4: marauders whose dice allow it attack the weakest land next to them. Source: rules 8.4, R-011, R-124"""

from __future__ import annotations

from engine.core.ids import PowerId
from engine.kalevala.coordinates import Province, order_of
from engine.kalevala.figures import MONEY, Figures, kind_of, minus, price_of, warriors, worth
from engine.kalevala.model import MARAUDER
from engine.kalevala.orders import Enter, Line
from engine.kalevala.steps.entering import WAR
from engine.kalevala.steps.realm import is_shielded
from engine.kalevala.tables import Group
from engine.kalevala.window import Entering, Window, purpose

RISES = 12
"""What a group has to roll to attack."""
LEAST_WARRIORS = 8
_NO_UNIT = 0
"""Marauders need no exploration unit; their entry comes before those of rulers. Source: R-011"""


def rise(window: Window) -> None:
    """Roll once for each group; one that rises attacks with all but one man of its largest stack."""
    if window.dice is None:
        return
    for ruler, own in window.rulers.items():
        if own.kind != MARAUDER or not window.stacks[ruler]:
            continue
        thrown = window.dice.throw(f"marauder/{ruler}", purpose=purpose("marauder", ruler=ruler))
        raid = _raid(window, ruler) if thrown.total >= RISES else None
        if raid is not None:
            window.entering.append(Entering(ruler, Line(raid), raid, raid.source, raid.target))


def _raid(window: Window, ruler: PowerId) -> Enter | None:
    """The attack of a group, if it is half as strong again as the weakest garrison next to it."""
    source = min(window.stacks[ruler], key=lambda place: (-warriors(window.stack(ruler, place)), order_of(place)))
    stack = window.stack(ruler, source)
    target = _weakest(window, ruler, source)
    if target is None or warriors(stack) < LEAST_WARRIORS:
        return None
    if 2 * _strength(stack) < 3 * _garrison(window, ruler, target):
        return None
    stays = min((item for item in stack if kind_of(item).is_warrior), key=lambda item: (price_of(item), item))
    going = minus({item: count for item, count in stack.items() if _goes(item)}, {stays: 1})
    return Enter(_NO_UNIT, source, WAR, target, tuple(sorted(going.items())))


def _weakest(window: Window, ruler: PowerId, source: Province) -> Province | None:
    """The adjacent province with the cheapest garrison that another ruler owns and that is not protected.

    R-012, R-124
    """
    found = [
        place
        for place in window.land.links(source)
        if window.owners.get(place) not in (None, ruler) and not is_shielded(window, window.owners[place])
    ]
    return min(found, key=lambda place: (_garrison(window, ruler, place), order_of(place)), default=None)


def _garrison(window: Window, ruler: PowerId, place: Province) -> int:
    """What the figures of all others in a province are worth."""
    return sum(_strength(window.stack(name, place)) for name in window.rulers if name != ruler)


def _strength(figures: Figures) -> int:
    """What figures are worth, without their money. Ruling KA70"""
    return worth({item: count for item, count in figures.items() if item != MONEY})


def _goes(item: str) -> bool:
    """People and their mounts; gear and money stay at home. Ruling KA70"""
    kind = kind_of(item)
    return (kind.group is Group.HUMAN and kind.code not in ("Sl", "Pr", "My", "K")) or kind.group is Group.ANIMAL
