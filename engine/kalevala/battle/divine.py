"""What gods see of a battle: the field that is worth most to them, and how their deeds are reported. Source: 24.5,
KA191
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from engine.core.ids import PowerId
from engine.kalevala.battle import course
from engine.kalevala.battle.fight import Fight
from engine.kalevala.battle.fighters import Fighter
from engine.kalevala.battle.gods import GodInBattle
from engine.kalevala.battle.ground import NOWHERE, Kf
from engine.kalevala.battle.works import Stronghold


def hold_at(fight: Fight, kf: Kf) -> Stronghold | None:
    """The building that still stands on a field."""
    hold = fight.works.at.get(kf)
    return None if hold is None or hold.is_ruined else hold


def worth(fight: Fight, ruler: PowerId, kf: Kf) -> int:
    """What enemies in a field are worth, less what friends there are worth."""
    hold = hold_at(fight, kf)
    floors = (kf,) if hold is None else hold.building.floors
    hostile = sum(each.price for floor in floors for each in fight.foes_at(ruler, floor) if not each.floats)
    return hostile - sum(each.price for floor in floors for each in fight.at[floor] if each.party.ruler == ruler)


def best(fight: Fight, ruler: PowerId) -> Kf | None:
    """The field whose enemies are worth most; of equals the lowest."""
    fields = {ground_of(fight, each.kf) for foe in fight.foes[ruler] for each in fight.living(foe) if not each.floats}
    first = min(((-worth(fight, ruler, kf), kf) for kf in fields), default=None)
    return first[1] if first is not None and first[0] < 0 else None


def ground_of(fight: Fight, kf: Kf) -> Kf:
    """The field on which a storey stands."""
    hold = hold_at(fight, kf)
    return kf if hold is None else hold.kf


def connected(fight: Fight, ruler: PowerId, first: Kf, count: int) -> Iterator[Kf]:
    """The field, and then the best of those that touch what was chosen so far, if enemies stand there."""
    chosen = [first]
    while True:
        yield chosen[-1]
        if len(chosen) == count:
            return
        beside = {kf for one in chosen for kf in fight.ground.around[one] if kf != NOWHERE} - set(chosen)
        following = min(((-worth(fight, ruler, kf), kf) for kf in beside), default=(0, NOWHERE))
        if following[0] >= 0:
            return
        chosen.append(following[1])


def tell(
    fight: Fight,
    by: Fighter,
    god: GodInBattle,
    ability: str,
    fields: Iterable[Kf],
    whom: Iterable[Fighter],
    fallen: Sequence[Fighter] = (),
    rolls: tuple[int, ...] = (),
) -> None:
    """Record what a god does: where, to whom, and who dies."""
    fight.record.tell(
        course.GOD,
        by,
        path=tuple(map(fight.record.spotted, fields)),
        helpers=tuple(each.number for each in whom),
        fallen=fallen,
        rolls=rolls,
        to=f"{ability} {god.coming.ruler}",
    )
