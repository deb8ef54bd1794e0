"""Gods who come into a battle: they fight each other first, then help one side with an ability a round. Rules 24.5

A god stands nowhere and nobody can hurt him. He acts at the beginning of the turn of the ruler whom he helps.
Source: R-075, R-080, rulings KA190 to KA192
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from engine.core.ids import PowerId
from engine.core.phrases import phrase
from engine.kalevala.battle import course, divine, magic, wonders
from engine.kalevala.battle.fight import Fight
from engine.kalevala.battle.fighters import Fighter
from engine.kalevala.battle.gods import GodInBattle
from engine.kalevala.battle.ground import Kf
from engine.kalevala.battle.hazards import strike_field, survives
from engine.kalevala.battle.sites import Apparition
from engine.kalevala.battle.storming import hit, strike_wall
from engine.kalevala.battle.works import Barrier, Stronghold
from engine.kalevala.gods.facts import STRIKES
from engine.kalevala.wizards.spells import PARALYSE, PETRIFY, SPELL, STRENGTHEN, WEAKEN, Meant

_SPELLS = (STRENGTHEN, WEAKEN, PARALYSE, PETRIFY)
COLLAPSE = "COLLAPSE"
WORKING = frozenset({*STRIKES, *_SPELLS, COLLAPSE, *wonders.WONDERS})
"""The abilities that gods can use in battles."""


def act(fight: Fight, ruler: PowerId) -> None:
    """Let each god who helps a ruler use one ability; one who isn't needed, or whose time is over, leaves."""
    wonders.dismiss(fight, ruler)
    for god in fight.gods.present:
        if god.is_gone or god.coming.helped != ruler:
            continue
        by = next(fight.living(ruler), None)
        if by is None or god.is_over or not (_has_enemy(fight, god.coming) or _has_rival(fight, god)):
            god.is_gone = True
            if by is not None:
                fight.record.tell(course.GOD_LEAVES, by, to=god.coming.ruler)
            continue
        ability = god.due
        god.done.append(ability)
        god.called_for = ""
        if ability in wonders.WONDERS:
            wonders.work(fight, by, god, ability)
        else:
            _DEEDS.get(ability, _cast)(fight, by, god, ability)


def _has_enemy(fight: Fight, coming: Apparition) -> bool:
    """Whether the enemy named for the god, or any enemy if none was named, is there with figures or works. Source:
    rules 24.5
    """
    foes = fight.foes[coming.helped]
    named = foes & {coming.against} if coming.against else foes
    if not named:
        return False
    if any(next(fight.living(foe), None) for foe in named):
        return True
    return any(fight.works.foes_in(fight, coming.helped, hold) for hold in fight.works.holds if not hold.is_ruined)


def _has_rival(fight: Fight, god: GodInBattle) -> bool:
    return bool(_rivals(fight, god))


def _rivals(fight: Fight, god: GodInBattle) -> list[GodInBattle]:
    return [each for each in fight.gods.present if not each.is_gone and _are_rivals(fight, god, each)]


def _are_rivals(fight: Fight, one: GodInBattle, other: GodInBattle) -> bool:
    return other.coming.helped in fight.foes[one.coming.helped]


# Gods against gods


def clash(fight: Fight) -> None:
    """Let gods on opposite sides fight in the first round, paired at random; the loser goes home. Source: rules 24.5,
    R-079"""
    left = list(fight.gods.present)
    while left:
        god = left.pop(0)
        rivals = [each for each in left if _are_rivals(fight, god, each)]
        by = next(fight.living(god.coming.helped), None)
        if not rivals or by is None:
            continue
        rival = _drawn(fight, rivals)
        left.remove(rival)
        _fight(fight, by, god, rival)


def meet(fight: Fight, by: Fighter, god: GodInBattle) -> None:
    """Let a god who comes later first fight one of those on the other side. Source: rules 24.5, ruling KA194"""
    rivals = _rivals(fight, god)
    if rivals:
        _fight(fight, by, god, _drawn(fight, rivals))


def _drawn(fight: Fight, rivals: Sequence[GodInBattle]) -> GodInBattle:
    return rivals[0] if len(rivals) == 1 else rivals[_lot(fight, len(rivals))]


def _lot(fight: Fight, count: int) -> int:
    stream = f"battle/{fight.site.id}/{fight.round}/god"
    return fight.dice.roll(stream, sides=count, purpose=phrase("roll.battle_god_lot", kr=fight.round)) - 1


def _fight(fight: Fight, by: Fighter, god: GodInBattle, rival: GodInBattle) -> None:
    first = fight.throw("god", by).total + god.coming.level
    second = fight.throw("god", by).total + rival.coming.level
    names = f"{god.coming.ruler} {rival.coming.ruler}"
    fight.record.tell(course.GODS_FIGHT, by, rolls=(first, second), to=names)
    if first == second:
        return
    winner, loser = (god, rival) if first > second else (rival, god)
    loser.is_gone = True
    loser.lost = loser.coming.oeh * abs(first - second) // 100
    winner.won = loser.lost // 2


# Abilities


def _strike(fight: Fight, by: Fighter, god: GodInBattle, ability: str) -> None:
    """Strike like a stone that always hits: all in the fields roll for their lives, gear is lost, works take a point.
    R-075
    """
    first = divine.best(fight, by.party.ruler)
    if first is None:
        return
    for kf in divine.connected(fight, by.party.ruler, first, STRIKES[ability]):
        _strike_one(fight, by, god, ability, kf)
    fight.settle_triples()


def _strike_one(fight: Fight, by: Fighter, god: GodInBattle, ability: str, kf: Kf) -> None:
    hold = divine.hold_at(fight, kf)
    floors = (kf,) if hold is None else hold.building.floors
    there = [each for floor in floors for each in sorted(fight.at[floor], key=lambda each: each.number)]
    if hold is None:
        fallen = strike_field(fight, kf)
    else:
        fallen = [each for each in there if each.is_human and not each.floats and not survives(fight, each)]
    divine.tell(fight, by, god, ability, (kf,), there, fallen)
    for each in fallen:
        if each.is_alive:
            fight.fall(each)
    if hold is not None:
        hit(fight, by, hold)


def _collapse(fight: Fight, by: Fighter, god: GodInBattle, ability: str) -> None:
    """Let all walls of a small field fall. Source: rules 24.1"""
    doomed = _doomed(fight, by.party.ruler)
    if isinstance(doomed, Stronghold):
        divine.tell(fight, by, god, ability, (doomed.kf,), ())
        while not doomed.is_ruined:
            hit(fight, by, doomed)
    elif doomed is not None:
        divine.tell(fight, by, god, ability, (doomed.inner,), ())
        while not doomed.is_breached:
            strike_wall(fight, by, doomed)


def _doomed(fight: Fight, ruler: PowerId) -> Stronghold | Barrier | None:
    """The enemies' best building that is no temple (of equals the lowest), or else a wall next to them."""
    held = [hold for hold in fight.works.holds if not hold.is_ruined and fight.works.foes_in(fight, ruler, hold)]
    held = [hold for hold in held if hold.building.type != "Tt"]
    if held:
        return min(held, key=lambda each: (-divine.worth(fight, ruler, each.kf), each.kf))
    walls = [wall for wall in dict.fromkeys(fight.works.barriers.values()) if wall.wall and not wall.is_breached]
    return next((wall for wall in walls if any(fight.foes_at(ruler, kf) for kf in (wall.inner, wall.outer))), None)


def _cast(fight: Fight, by: Fighter, god: GodInBattle, ability: str) -> None:
    """Work the spell of that name on one small field, free of charge and unbreakable. Source: R-080"""
    ruler = by.party.ruler
    found = _enchantable(fight, ruler, ability)
    if found:
        _, kf, targets = min(found, key=lambda row: row[:2])
        divine.tell(fight, by, god, ability, (kf,), targets)
        magic.enchant(fight, ruler, ability, targets)


def _enchantable(fight: Fight, ruler: PowerId, ability: str) -> list[tuple[int, Kf, list[Fighter]]]:
    """The fields in contact on which somebody could be enchanted, with their worth."""
    spell = SPELL[ability]
    is_own = spell.meant is Meant.OWN
    return [
        (-sum(each.price for each in targets), kf, targets)
        for kf in magic.contacts(fight, ruler, is_own=is_own)
        if (targets := magic.targets_in(fight, ruler, spell, kf, is_own=is_own))
    ]


def has_work(fight: Fight, ruler: PowerId, ability: str) -> bool:
    """Whether an ability would have any effect now for a god who helps this ruler."""
    if ability in STRIKES:
        return divine.best(fight, ruler) is not None
    if ability == COLLAPSE:
        return _doomed(fight, ruler) is not None
    if ability in wonders.WONDERS:
        return wonders.has_work(fight, ruler, ability)
    return bool(_enchantable(fight, ruler, ability))


_DEEDS: Mapping[str, Callable[[Fight, Fighter, GodInBattle, str], None]] = {
    **dict.fromkeys(STRIKES, _strike),
    COLLAPSE: _collapse,
}
