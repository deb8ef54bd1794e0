"""Artefacts in a battle: who bears them, who picks them up, and which the winner of a duel takes.

Source: rules B7, 16.2, 19.6, rulings KA231, KA234
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.ids import PowerId
from engine.kalevala.artefacts.facts import PRIZE_NEEDS
from engine.kalevala.battle import course
from engine.kalevala.battle.fight import Fight
from engine.kalevala.battle.fighters import Fighter, Relic
from engine.kalevala.battle.sites import Borne
from engine.kalevala.coordinates import Province


@dataclass(frozen=True, slots=True)
class RelicAfter:
    """Where an artefact is when a battle is over.

    Args:
        ruler, home: whose stack has it in the books.
        holder: who has it now, or had it last if it lies somewhere.
        at: where it is.
        cell: on which small field of that land, if somebody bears it or it lies there.
        is_borne: whether somebody bears it.
    """

    item: str
    ruler: PowerId
    home: Province
    holder: PowerId
    at: Province
    cell: int
    is_borne: bool


def hand_out(fight: Fight) -> None:
    """Give each artefact, before the first round, to the figure named for it, or to the best fighter without one.
    Ruling KA231
    """
    for army in fight.site.armies:
        for borne in army.artefacts:
            bearer = _bearer(fight, borne, [each for each in fight.fighters if each.army is army])
            if bearer is not None:
                relic = Relic(borne, army.ruler, army, None, bearer.kf)
                fight.relics.append(relic)
                _give(fight, relic, bearer)


def _bearer(fight: Fight, borne: Borne, army: list[Fighter]) -> Fighter | None:
    able = [each for each in army if each.is_human and each.is_alive]
    named = [each for each in able if each.code == borne.bearer]
    laden = {relic.bearer for relic in fight.relics}
    return max(named or able, key=lambda each: (each not in laden, *_skill(each), -each.number), default=None)


def _skill(fighter: Fighter) -> tuple[bool, int]:
    """The order of bearers: kings, then warriors by price (mounted ones first), and last those who don't fight."""
    fights = fighter.is_warrior or fighter.crown is not None
    return fights, fighter.price if fights else 0


def _give(fight: Fight, relic: Relic, bearer: Fighter) -> None:
    relic.bearer, relic.ruler, relic.army = bearer, bearer.party.ruler, bearer.army
    bearer.relic_points = max(bearer.relic_points, relic.borne.points)
    fight.has_enchanted()


def _put_down(fight: Fight, relic: Relic) -> None:
    bearer = relic.bearer
    assert bearer is not None, "somebody bears it"
    relic.bearer, relic.kf = None, bearer.kf
    points = (other.borne.points for other in fight.relics if other.bearer is bearer)
    bearer.relic_points = max(points, default=0)
    fight.has_enchanted()


def watch(fight: Fight) -> None:
    """At the end of a round, artefacts of the fallen lie where they fell, and whoever is alone there takes them.
    KA234
    """
    for relic in fight.relics:
        if relic.bearer in fight.gone.dead:
            _put_down(fight, relic)
        if relic.bearer is None:
            finder = _finder(fight, relic)
            if finder is not None:
                last = relic.ruler
                _give(fight, relic, finder)
                fight.record.tell(course.ARTEFACT, finder, to=last)


def _finder(fight: Fight, relic: Relic) -> Fighter | None:
    """The best fighter on a field on which only one ruler's people stand."""
    there = [each for each in fight.everybody_at(relic.kf) if each.is_human and not each.floats]
    if len({each.party.ruler for each in there}) != 1:
        return None
    return max(there, key=lambda each: (*_skill(each), -each.number))


def win_from(fight: Fight, loser: Fighter, winner: Fighter | None) -> None:
    """Roll for each artefact of a wizard who lost a duel: on 12 the winner gets it; what a god wins is left lying
    there. Rules 19.6
    """
    for relic in fight.relics:
        if relic.bearer is loser and fight.throw("artefact", winner or loser).total >= PRIZE_NEEDS:
            last = relic.ruler
            _put_down(fight, relic)
            if winner is not None:
                _give(fight, relic, winner)
                fight.record.tell(course.ARTEFACT, winner, to=last)


def after(fight: Fight) -> list[RelicAfter]:
    """Where all artefacts are now: one that nobody bears lies where it fell, and goes with the land. Ruling KA234"""
    homes = {each.item: army for army in fight.site.armies for each in army.artefacts}
    return [
        RelicAfter(
            item,
            homes[item].ruler,
            homes[item].province,
            relic.ruler,
            _place_of(fight, relic),
            fight.ground.places[relic.kf if relic.bearer is None else relic.bearer.kf][1],
            is_borne=relic.bearer is not None,
        )
        for relic in fight.relics
        for item in (relic.borne.item,)
    ]


def _place_of(fight: Fight, relic: Relic) -> Province:
    """The province of an artefact: of its bearer, even in flight; on the water, that from which the army came."""
    bearer = relic.bearer
    beyond = next((each.party.exits[kf] for each, kf in fight.gone.fled if each is bearer), None)
    if beyond is not None:
        return beyond
    kf = relic.kf if bearer is None else bearer.kf
    is_ashore = bearer not in fight.gone.hid and kf not in fight.ground.waters
    return (fight.ground.provinces[kf] if is_ashore else None) or relic.army.province
