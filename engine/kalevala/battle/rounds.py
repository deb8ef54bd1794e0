"""A battle, round by round: the list of its steps. Source: rules B3, B22, B25"""

from __future__ import annotations

from engine.core.dice import Streams
from engine.kalevala.battle import (
    afloat,
    aims,
    apparitions,
    bearers,
    centres,
    flight,
    freeing,
    guarding,
    hazards,
    hiding,
    invocations,
    magic,
    melee,
    prayers,
    royalty,
    shooting,
    starving,
    stones,
    storming,
    weak_spots,
    wrecking,
)
from engine.kalevala.battle.course import CONQUEST, FLIGHT, TWELVE
from engine.kalevala.battle.deployment import deploy
from engine.kalevala.battle.ending import BattleEnd, result_of
from engine.kalevala.battle.fight import Fight, ThisRound
from engine.kalevala.battle.fighters import STEERED
from engine.kalevala.battle.sites import BattleSite, Party
from engine.kalevala.war.plans import LAST_ROUND


def fight_out(site: BattleSite, dice: Streams) -> BattleEnd:
    """Fight a battle to its end: at most twelve rounds."""
    fight = Fight(site, dice)
    deploy(fight)
    guarding.open_secretly(fight)
    magic.await_triples(fight)
    bearers.hand_out(fight)
    end = TWELVE
    while fight.round < LAST_ROUND:
        fight.round += 1
        _begin(fight)
        for party in site.parties:
            take_turn(fight, party)
        _end(fight)
        if not _are_any_foes_left(fight):
            end = FLIGHT if _has_fled(fight) else CONQUEST
            break
    return result_of(fight, end)


def take_turn(fight: Fight, party: Party) -> None:
    """Take the turn of one side: prayers, spells, flight, moves; then onagers, rams, climbers, pitch, bows, melee.
    B4
    """
    fight.this_round.waiting.discard(party.ruler)
    magic.fade(fight, party.ruler)
    hiding.change(fight, party)
    if not any(fight.living(party.ruler)):
        return
    invocations.call(fight, party.ruler)
    apparitions.act(fight, party.ruler)
    prayers.pray(fight, party.ruler)
    magic.work(fight, party.ruler)
    flight.run(fight, party)
    intents = aims.move_all(fight, party)
    wrecking.wreck(fight, party)
    own = [each for each in fight.living(party.ruler) if STEERED not in each.under]
    stones.throw_all(fight, party.ruler, own)
    if fight.works:
        storming.act(fight, party, intents)
        guarding.defend(fight, party)
    shooting.shoot_all(fight, party.ruler, [each for each in own if each.is_alive], intents)
    melee.attack_all(fight, [each for each in own if each.is_alive], intents)
    fight.record.close_turn(party.ruler)


def _begin(fight: Fight) -> None:
    """Carry out what happens to all before anybody moves."""
    everybody = {party.ruler for party in fight.site.parties}
    fight.this_round = ThisRound(waiting=everybody, shot_before=fight.this_round.shot_at)
    for each in fight.living():
        each.free = True
        if each.formation is not None:
            each.formation.has_moved = False
    magic.fade(fight, None)
    storming.leave_turtles(fight)
    afloat.blow(fight)
    _sally(fight)
    if fight.round == 1:
        apparitions.clash(fight)
    hazards.endure(fight)
    starving.starve(fight, prayers.feed)
    fight.record.close_turn(None)


def _sally(fight: Fight) -> None:
    """Let a side without a plan that lost somebody to shots and is not the weaker one come out for the rest. Source:
    rules B27
    """
    for party in fight.site.parties:
        ruler = party.ruler
        if party.has_plan or ruler not in fight.this_round.shot_before:
            continue
        if fight.price(ruler) >= sum(fight.price(foe) for foe in fight.foes[ruler]):
            fight.sallies.add(ruler)


def _end(fight: Fight) -> None:
    """Find at the end of a round who holds trade centres and who flees."""
    afloat.tell_prizes(fight)
    magic.forsake(fight)
    royalty.watch(fight)
    weak_spots.watch(fight)
    bearers.watch(fight)
    freeing.watch(fight)
    centres.watch(fight)
    flight.decide(fight)
    fight.record.close_round()


def _are_any_foes_left(fight: Fight) -> bool:
    left = {ruler for ruler in fight.foes if fight.people(ruler)}
    return any(other in left for ruler in left for other in fight.foes[ruler])


def _has_fled(fight: Fight) -> bool:
    """Whether any of the beaten have fled."""
    left = {ruler for ruler in fight.foes if fight.people(ruler)}
    return any(fighter.party.ruler not in left for fighter, _ in fight.gone.fled)
