"""Kings in a battle: how they fight, what they give those near them, who dies for them, when a weakness takes effect.

Source: rules 18.4, 18.7, R-047, R-050, ruling KA179
"""

from __future__ import annotations

from engine.kalevala.battle import course
from engine.kalevala.battle.fight import Fight
from engine.kalevala.battle.fighters import Crown, Fighter
from engine.kalevala.battle.ground import NOWHERE, Kf
from engine.kalevala.battle.odds import NATURAL
from engine.kalevala.kings.facts import (
    COURAGE,
    HEIGHT,
    KILLS,
    PLAIN_STRENGTH,
    PRIDE,
    RANKS,
    SLEEP,
    SLEEPS,
    STEP,
    STRENGTH,
    SURVIVES,
    WARRIOR,
    WATER,
    kind_of_king,
)

_WATER = "W"
LOWLAND = 1
"""The level above which a king who fears heights is of no use."""


def strength(fight: Fight, king: Fighter, crown: Crown) -> int:
    """The king's GP, by his lives and, for a warrior king, by his power. Source: rules 18.5, 18.7"""
    if crown.is_plain:
        return PLAIN_STRENGTH
    is_strong = kind_of_king(king.item) == WARRIOR and inspires(fight, king, crown)
    return STRENGTH[crown.lives] + (crown.power // STEP if is_strong else 0)


def needed(crown: Crown) -> int:
    """The unmodified roll with which the king kills."""
    return NATURAL if crown.is_plain else KILLS


def survives_on(crown: Crown, usual: int) -> int:
    """What the king has to roll to survive."""
    return usual if crown.is_plain else SURVIVES


def inspires(fight: Fight, king: Fighter, crown: Crown) -> bool:
    """Whether the king inspires those near him and can use his power. Source: R-047"""
    if crown.is_plain or crown.is_ill:
        return False
    return not _is_afraid(fight, king, crown)


def _is_afraid(fight: Fight, king: Fighter, crown: Crown) -> bool:
    ground = fight.ground
    if crown.weakness == HEIGHT:
        return ground.levels[king.kf] > LOWLAND
    if crown.weakness == WATER:
        return any(ground.letters[kf] == _WATER for kf in (king.kf, *ground.around[king.kf]) if kf != NOWHERE)
    return False


def courage(fight: Fight, warrior: Fighter, at: Kf) -> int:
    """The GP that a king gives a warrior of his who fights on the king's field or next to it. Source: rules 18.7"""
    for king in fight.kings:
        crown = king.crown
        is_near = king.is_alive and king.party is warrior.party and fight.ground.distance(at, king.kf) <= 1
        if is_near and crown is not None and inspires(fight, king, crown):
            return COURAGE
    return 0


def watch(fight: Fight) -> None:
    """Note, at the end of a round, the kings whose fear has cost their men their courage. Source: R-047"""
    for king in fight.kings:
        crown = king.crown
        if king.is_alive and crown is not None and not crown.is_plain and _is_afraid(fight, king, crown):
            beside = (king.kf, *fight.ground.around[king.kf])
            crown.has_shown |= any(
                each.is_warrior and each.party is king.party for kf in beside if kf != NOWHERE for each in fight.at[kf]
            )


def sleeps(fight: Fight, king: Fighter) -> bool:
    """Whether the king still sleeps; this becomes known once there is somebody to attack. Source: R-047"""
    crown = king.crown
    if crown is None or crown.weakness != SLEEP or fight.round > SLEEPS:
        return False
    crown.has_shown |= fight.in_contact(king.kf, king.party.ruler)
    return True


def struck(fight: Fight, fighter: Fighter, *, is_attacked: bool, is_duel: bool = False) -> Fighter | None:
    """The figure that falls when one is struck down: for a king under attack, the strongest friend on his field.

    Without such a friend the king loses a life; `None` if he has another one left. Source: rules 18.7, R-050
    """
    crown = fighter.crown
    if crown is None:
        return fighter
    friend = _friend(fight, fighter) if is_attacked and not crown.is_plain else None
    if friend is not None and is_duel and crown.weakness == PRIDE:
        crown.has_shown, friend = True, None
    return friend or (fighter if wound(fight, fighter, crown) else None)


def _friend(fight: Fight, king: Fighter) -> Fighter | None:
    hostile = fight.foes[king.party.ruler]
    friends = [
        each
        for each in fight.at[king.kf]
        if each is not king
        and each.is_human
        and each.crown is None
        and each.party.ruler not in hostile
        and not each.floats
        and not each.is_safe
        and each.carrier is None
    ]
    return max(friends, key=lambda each: (RANKS.index(each.rank, 1), each.price, -each.number), default=None)


def wound(fight: Fight, king: Fighter, crown: Crown) -> bool:
    """Take one of the king's lives; returns whether it was the last. Source: R-050"""
    crown.lives -= 1
    fight.changes += 1
    if crown.lives:
        fight.record.note(course.WOUND, king, points=(crown.lives,))
    return not crown.lives
