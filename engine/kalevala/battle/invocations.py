"""Priests, or a priest king, call their ruler's god into a battle; priests keep him there.

They call in the turn of their side, before the god acts, and each time for one round.

Source: rules 18.5, 20.5, R-063, rulings KA193, KA194, KA278
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.ids import PowerId
from engine.kalevala.battle import apparitions, course
from engine.kalevala.battle.fight import Fight
from engine.kalevala.battle.fighters import Devotion, Fighter, Wizardry
from engine.kalevala.battle.gods import GodInBattle
from engine.kalevala.battle.prayers import priests
from engine.kalevala.battle.royalty import inspires
from engine.kalevala.battle.sites import Apparition, Calling
from engine.kalevala.gods.facts import BASE, MOST_ROUNDS
from engine.kalevala.kings.facts import CALLS_FROM, kind_of_king
from engine.kalevala.kings.facts import PRIEST as PRIEST_KING
from engine.kalevala.priests.facts import (
    CALL_NEEDS,
    CALLED_ROUNDS,
    CALLING,
    EXTENDED_ROUNDS,
    KINGS_CALL,
    KINGS_CALL_NEEDS,
    call_costs,
    callers,
    shares_of,
)

_ANYBODY = PowerId("")


def call(fight: Fight, ruler: PowerId) -> None:
    """Make at most one call in a round, once the god could do something and if the priests can pay for it. Ruling
    KA193
    """
    calling = fight.gods.callings.get(ruler)
    god = next((each for each in fight.gods.present if each.coming.ruler == ruler), None)
    if calling is None or not (god is None or _may_be_kept(god)):
        return
    ability = _ability_of(calling, god)
    if not apparitions.has_work(fight, ruler, ability):
        return
    king = _king(fight, ruler) if god is None else None
    payer = _payer(fight, ruler) if king is not None else None
    if king is not None and payer is not None:
        _call_by_king(fight, calling, ability, king, payer)
        return
    praying = _praying(fight, ruler, ability, is_there=god is not None)
    if praying:
        _call(fight, calling, god, ability, praying)


def _may_be_kept(god: GodInBattle) -> bool:
    """Whether his time is over and priests may keep him for another round."""
    most = EXTENDED_ROUNDS if god.coming.rounds else CALLED_ROUNDS
    is_own = god.coming.helped == god.coming.ruler
    return is_own and not god.is_gone and god.is_over and god.called < most and god.used < MOST_ROUNDS


def _ability_of(calling: Calling, god: GodInBattle | None) -> str:
    """The next ability of the line, or the base one after the last and instead of one that he has used. Source: rules
    24.5
    """
    called, done = (0, []) if god is None else (god.called, god.done)
    ability = calling.abilities[called] if called < len(calling.abilities) else BASE
    return BASE if ability in done else ability


def _praying(fight: Fight, ruler: PowerId, ability: str, *, is_there: bool) -> Sequence[tuple[Fighter, Devotion]]:
    """The priests who call: two who have not prayed in this round and can each pay half, or one; those with most
    ZEH.
    """
    free = [each for each in priests(fight, (ruler,)) if each[1].prayed_in != fight.round]
    free.sort(key=lambda each: (-each[1].zeh, each[0].number))
    return free[: callers([devotion.zeh for _, devotion in free], ability, is_there=is_there)]


def _call(
    fight: Fight, calling: Calling, god: GodInBattle | None, ability: str, praying: Sequence[tuple[Fighter, Devotion]]
) -> None:
    """Roll, and pay: a call in vain costs only the calling. Source: R-063"""
    first, count = praying[0][0], len(praying)
    thrown = fight.throw("priest", first)
    is_heard = thrown.total >= CALL_NEEDS[count]
    vain = CALLING[count] if god is None else 0
    cost = call_costs(ability, count, is_there=god is not None) if is_heard else vain
    _pay(fight, praying, cost)
    to = (course.CAME if is_heard else course.IN_VAIN) if god is None else course.STAYS if is_heard else course.GOES
    fight.record.tell(
        course.GOD_CALLED,
        first,
        helpers=tuple(priest.number for priest, _ in praying),
        rolls=(thrown.total,),
        points=(cost,),
        to=to,
    )
    _heed(fight, calling, god, ability, first, is_heard=is_heard)


def _heed(
    fight: Fight, calling: Calling, god: GodInBattle | None, ability: str, caller: Fighter, *, is_heard: bool
) -> None:
    """The god comes, or stays, for one more round if he was called with success."""
    ruler = calling.ruler
    fight.gods.heard[ruler] = is_heard or fight.gods.heard.get(ruler, False)
    if not is_heard:
        return
    if god is None:
        god = GodInBattle(Apparition(ruler, ruler, _ANYBODY, (), 0, calling.oeh, calling.level))
        fight.gods.present.append(god)
        apparitions.meet(fight, caller, god)
    god.called += 1
    god.called_for = ability


# A priest king


def _king(fight: Fight, ruler: PowerId) -> Fighter | None:
    """The ruler's priest king if he is there with enough power to call the god. Source: rules 18.5"""
    return next((each for each in fight.kings if each.party.ruler == ruler and _has_power(fight, each)), None)


def _has_power(fight: Fight, king: Fighter) -> bool:
    crown = king.crown
    is_able = king.is_alive and not king.is_held and kind_of_king(king.item) == PRIEST_KING
    return is_able and crown is not None and crown.power >= CALLS_FROM and inspires(fight, king, crown)


def _payer(fight: Fight, ruler: PowerId) -> Devotion | Wizardry | None:
    """The ZEH of the priest or wizard who pays: whoever has most there, of equals the lowest number. Ruling KA278"""
    living = (each for each in fight.living(ruler) if not each.is_held)
    found = [store for each in living if (store := each.devotion or each.wizardry) is not None]
    first = max(found, key=lambda each: each.zeh, default=None)
    return first if first is not None and first.zeh >= KINGS_CALL else None


def _call_by_king(fight: Fight, calling: Calling, ability: str, king: Fighter, payer: Devotion | Wizardry) -> None:
    """The king's call: in vain it costs only what one priest's calling does. Source: rules 18.5, ruling KA278"""
    thrown = fight.throw("priest", king)
    is_heard = thrown.total >= KINGS_CALL_NEEDS
    cost = KINGS_CALL if is_heard else CALLING[1]
    payer.zeh -= cost
    to = course.KINGS_CAME if is_heard else course.KINGS_IN_VAIN
    fight.record.tell(course.GOD_CALLED, king, rolls=(thrown.total,), points=(cost,), to=to)
    _heed(fight, calling, None, ability, king, is_heard=is_heard)


def _pay(fight: Fight, praying: Sequence[tuple[Fighter, Devotion]], cost: int) -> None:
    for (_, devotion), share in zip(praying, shares_of(cost, len(praying)), strict=True):
        devotion.zeh -= share
        devotion.prayed_in = fight.round
