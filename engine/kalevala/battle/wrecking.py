"""Destroying one's own gear so that no enemy gets it. Source: rules B21, ruling KA157"""

from __future__ import annotations

from collections.abc import Iterator

from engine.kalevala.battle import course
from engine.kalevala.battle.fight import Fight
from engine.kalevala.battle.fighters import Fighter
from engine.kalevala.battle.ground import Kf
from engine.kalevala.battle.sites import Army, Party
from engine.kalevala.war.plans import Wreck

DESTROYS = 10
_RANKS = "ABC"


def wreck(fight: Fight, party: Party) -> None:
    """Carry out DESTROY lines that are due: a free man in the field of a piece, or next to it, tries it as his
    action.
    """
    for army in (each for each in fight.site.armies if each.ruler == party.ruler):
        for line in army.plan.wrecks:
            if fight.round >= line.round:
                for item, count in line.figures:
                    _wreck(fight, army, line, item, count)


def _wreck(fight: Fight, army: Army, line: Wreck, item: str, count: int) -> None:
    key = id(line), item
    while fight.wrecked[key] < count:
        found = next(_chances(fight, army, item), None)
        if found is None:
            return
        man, piece = found
        man.free = False
        fight.note_done(army, line)
        total = fight.throw("destroy", man).total
        has_worked = total >= DESTROYS
        fight.record.tell(
            course.DESTROY,
            man,
            rolls=(total,),
            points=(DESTROYS,),
            fallen=(piece,) if has_worked and piece is not None else (),
            to=item,
            work=fight.record.building(man.kf if piece is None else piece.kf),
        )
        if not has_worked:
            continue
        fight.wrecked[key] += 1
        if piece is None:
            fight.stored[army.province, army.ruler][item] -= 1
            fight.losses.add(army.ruler, army.province, item)
        else:
            fight.fall(piece)
    fight.settle_triples()


def _chances(fight: Fight, army: Army, item: str) -> Iterator[tuple[Fighter, Fighter | None]]:
    """The men who could try, each with the piece; `None` means one in store, on the field of the trade centre."""
    men = sorted(
        (
            each
            for each in fight.living(army.ruler)
            if each.is_warrior and each.free and not (each.flees or each.is_held) and each.carrier is None
        ),
        key=lambda each: (_RANKS.index(each.rank), each.number),
    )
    pieces = [each for each in fight.living(army.ruler) if each.army is army and each.is_gear and each.item == item]
    for man in men:
        for piece in pieces:
            if piece.kf in fight.land.fightable(man.kf):
                yield man, piece
    store = _store(fight, army)
    if store is not None and fight.stored[army.province, army.ruler][item] > 0:
        for man in men:
            if store in fight.land.fightable(man.kf):
                yield man, None


def _store(fight: Fight, army: Army) -> Kf | None:
    """The field where unused gear lies: that of the trade centre, or else where the first of the army stood."""
    centre = fight.ground.centres.get(army.province)
    first = next((each.start for each in fight.fighters if each.army is army), None)
    return first if centre is None else centre
