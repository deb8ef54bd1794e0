"""Who flees, and where to. Source: rules B24"""

from __future__ import annotations

from engine.kalevala.battle import course
from engine.kalevala.battle.fight import Fight
from engine.kalevala.battle.fighters import Fighter
from engine.kalevala.battle.kinds import ELEPHANTS, WAGON
from engine.kalevala.battle.movement import Lookout, ends, march, path_to, reach, speed_of
from engine.kalevala.battle.sites import Party
from engine.kalevala.tables import KINDS, Group

ROUNDS_FOUGHT = 10


def decide(fight: Fight) -> None:
    """Decide at the end of a round who flees: those with a FLEE order, or taken unawares and weaker than their enemies,
    who have lost half of their price or fought ten rounds. Ruling KA328
    """
    for party in fight.site.parties:
        price = fight.price(party.ruler)
        is_afraid = not party.has_plan and price < sum(fight.price(foe) for foe in fight.foes[party.ruler])
        if not party.exits or not (party.flees or is_afraid):
            continue
        is_broken = 2 * price <= fight.price_at_start[party.ruler]
        if is_broken or fight.round >= ROUNDS_FOUGHT:
            for each in fight.living(party.ruler):
                each.flees = KINDS[each.code].group is Group.HUMAN or each.code in ELEPHANTS


def _leave_wagons(fight: Fight, party: Party) -> None:
    """Make those who flee get down from their wagon, which is left to whoever comes. Source: rules 16.2"""
    for each in list(fight.living(party.ruler)):
        wagon = each.carrier
        if each.flees and not each.is_held and wagon is not None and wagon.code == WAGON:
            fight.lift(each)
            each.carrier = None
            fight.put(each, each.kf)
            if not fight.riders(wagon):
                fight.record.tell(course.ABANDONED, wagon, work=str(fight.record.spotted(wagon.kf)))
                fight.run_loose(wagon)


def run(fight: Fight, party: Party) -> None:
    """Move those who flee toward the nearest way out, and off the site with one more step."""
    _leave_wagons(fight, party)
    runners = [each for each in fight.living(party.ruler) if each.flees and each.carrier is None and not each.is_held]
    if not runners:
        return
    for each in runners:
        if each.formation is not None:
            fight.dissolve(each.formation)
        if each.serves is not None:
            each.serves.crew.remove(each)
            each.serves = None
    look = Lookout(fight, party.ruler)
    ways = look.ways(look.board.of(party.exits))
    far = len(fight.ground.places)

    def turn(runner: Fighter) -> tuple[int, int, int]:
        away = ways.steps(runner.kf)
        return far if away is None else away, runner.kf, runner.number

    for each in sorted(runners, key=turn):
        reached = reach(look, each)
        away = {kf: ways.steps(kf) for kf in ends(fight, each, reached)}
        stops = [(steps, reached[kf][0], kf) for kf, steps in away.items() if steps is not None]
        kf = min(stops)[2] if stops else each.kf
        steps = reached[kf][0]
        speed = max(1, speed_of(each) // 2) if look.is_threatened(each.kf) else speed_of(each)
        is_stopped = steps > 0 and look.is_threatened(kf)
        if kf != each.kf:
            march(fight, each, path_to(reached, kf))
        if kf in party.exits and steps < speed and not is_stopped:
            riders = [other for other in fight.at[kf] if other.carrier is each]
            for one in (each, *riders):
                fight.record.tell(course.FLED, one, to=party.exits[kf])
                fight.leave(one)
