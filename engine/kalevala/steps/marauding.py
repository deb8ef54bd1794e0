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
from engine.kalevala.working import Entering, Round, purpose

RISES = 12
"""What a group has to roll to attack."""
LEAST_WARRIORS = 8
_NO_UNIT = 0
"""Marauders need no exploration unit; their entry comes before those of rulers. Source: R-011"""


def rise(round_: Round) -> None:
    """Roll once for each group; one that rises attacks with all but one man of its largest stack."""
    if round_.dice is None:
        return
    for ruler, own in round_.rulers.items():
        if own.kind != MARAUDER or not round_.stacks[ruler]:
            continue
        thrown = round_.dice.throw(f"marauder/{ruler}", purpose=purpose("marauder", ruler=ruler))
        raid = _raid(round_, ruler) if thrown.total >= RISES else None
        if raid is not None:
            round_.entering.append(Entering(ruler, Line(raid), raid, raid.source, raid.target))


def _raid(round_: Round, ruler: PowerId) -> Enter | None:
    """The attack of a group, if it is half as strong again as the weakest garrison next to it."""
    source = min(round_.stacks[ruler], key=lambda place: (-warriors(round_.stack(ruler, place)), order_of(place)))
    stack = round_.stack(ruler, source)
    target = _weakest(round_, ruler, source)
    if target is None or warriors(stack) < LEAST_WARRIORS:
        return None
    if 2 * _strength(stack) < 3 * _garrison(round_, ruler, target):
        return None
    stays = min((item for item in stack if kind_of(item).is_warrior), key=lambda item: (price_of(item), item))
    going = minus({item: count for item, count in stack.items() if _goes(item)}, {stays: 1})
    return Enter(_NO_UNIT, source, WAR, target, tuple(sorted(going.items())))


def _weakest(round_: Round, ruler: PowerId, source: Province) -> Province | None:
    """The adjacent province with the cheapest garrison that another ruler owns and that is not protected.

    R-012, R-124
    """
    found = [
        place
        for place in round_.land.links(source)
        if round_.owners.get(place) not in (None, ruler) and not is_shielded(round_, round_.owners[place])
    ]
    return min(found, key=lambda place: (_garrison(round_, ruler, place), order_of(place)), default=None)


def _garrison(round_: Round, ruler: PowerId, place: Province) -> int:
    """What the figures of all others in a province are worth."""
    return sum(_strength(round_.stack(name, place)) for name in round_.rulers if name != ruler)


def _strength(figures: Figures) -> int:
    """What figures are worth, without their money. Ruling KA70"""
    return worth({item: count for item, count in figures.items() if item != MONEY})


def _goes(item: str) -> bool:
    """People and their mounts; gear and money stay at home. Ruling KA70"""
    kind = kind_of(item)
    return (kind.group is Group.HUMAN and kind.code not in ("Sl", "Pr", "My", "K")) or kind.group is Group.ANIMAL
