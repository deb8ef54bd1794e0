"""PLUNDER, RAZE and SLAVES: what winners take besides land. Source: rules B23, R-073"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engine.core.ids import PowerId
from engine.kalevala.battle.course import TWELVE
from engine.kalevala.coordinates import Province, gf_of, order_of
from engine.kalevala.figures import format_figures, kind_of, warriors
from engine.kalevala.model import Work
from engine.kalevala.priests.facts import is_temple
from engine.kalevala.steps import captivity, temples
from engine.kalevala.steps.aftermath import FoughtBattle
from engine.kalevala.tables import KINDS
from engine.kalevala.war.plans import LAST_ROUND, SACK, SLAVE, Detail, PalaceTaking, Plan, Plunder, Raze
from engine.kalevala.window import Window, purpose

_MOST_RAZING = 4


def sack(
    battle: FoughtBattle, place: Province, ruler: PowerId, owner: PowerId | None, was: Province | None = None
) -> None:
    """PLUNDER and RAZE, if enough rounds are left. Source: rules B23, ruling KA48

    Args:
        was: the province of which the battle has made a part; `None`: it is as it was.
    """
    before = was or place
    held = battle.end.held.get(before, 0) if battle.end.holders.get(before) == ruler else 0
    left = LAST_ROUND - battle.end.course.length if battle.end.course.end != TWELVE else 0
    _sack(battle.window, place, ruler, owner, battle.plans.get(ruler, ()), left=left, held=held)


def sack_undefended(window: Window, place: Province, ruler: PowerId, owner: PowerId, plan: Plan) -> None:
    """The same in land where nobody stood, and the palace there: nobody disturbs the winners. Ruling KA294"""
    _sack(window, place, ruler, owner, (plan,), left=LAST_ROUND, held=0)
    if plan.sacks_palace:
        sack_palace(window, place, ruler, owner, (plan,))


def sack_palace(window: Window, place: Province, ruler: PowerId, owner: PowerId | None, plans: Sequence[Plan]) -> None:
    """PALACE SACK, if there is a palace in land just won. Source: rules 18.4"""
    if captivity.sack_palace(window, place, ruler, owner):
        _note(window, ruler, plans, PalaceTaking(SACK))


def _sack(
    window: Window,
    place: Province,
    ruler: PowerId,
    owner: PowerId | None,
    plans: Sequence[Plan],
    *,
    left: int,
    held: int,
) -> None:
    """What a ruler's plans say of land just won.

    Args:
        left: the rounds that are left after the victory.
        held: the rounds for which the field of the trade centre was held before.
    """
    centre = window.centre(place)
    men = warriors(window.stack(ruler, place))
    if not men:
        return
    loot = next((plan.plunders for plan in plans if plan.plunders), "")
    for temple in temples.treasuries(window, place) if loot and left else ():
        _note(window, ruler, plans, Plunder(loot))
        _rob(window, place, temple, ruler, owner)
    if centre is None:
        return
    line = Plunder(loot)
    loot = SLAVE if loot and any(plan.enslaves for plan in plans) else loot
    if loot and left + held >= 1 and centre.plundered != window.gr:
        _note(window, ruler, plans, line)
        _plunder(window, place, ruler, owner, loot, centre.centre.arming)
    if any(plan.razes for plan in plans) and left + held >= max(1, _MOST_RAZING - men // 4):
        _note(window, ruler, plans, Raze())
        window.set_centre(place, is_founded=False)
        window.tell("razed", _concerned(window, owner, ruler), {"gf": place}, place=place, ruler=ruler)


def _note(window: Window, ruler: PowerId, plans: Sequence[Plan], line: Detail) -> None:
    """Note that a line of a ruler's plans was carried out. Ruling KA314"""
    window.battles_at_work.carried_out.update((ruler, plan.at, line) for plan in plans)


def _plunder(window: Window, place: Province, ruler: PowerId, owner: PowerId | None, loot: str, value: int) -> None:
    goods = window.rulers[owner].goods if owner is not None else ()
    item = next((each for each in goods if KINDS[each].price), "RE") if loot == "GOODS" else "RE"
    item = SLAVE if loot == SLAVE else item  # Source: rules B23
    count = value // (KINDS[item].price or 1)
    window.set_centre(place, plundered=window.gr)
    if count:
        window.book(ruler, place, item, count, "plunder")
    args = {"gf": place, "loot": format_figures({item: count})}
    window.tell("plundered", _concerned(window, owner, ruler), args, place=place, ruler=ruler)


def desecrate(battle: FoughtBattle) -> None:
    """A ruler alone in a temple at the end plunders it if the plan says so. KA183"""
    window = battle.window
    for gf in dict.fromkeys(map(gf_of, battle.site.provinces)):
        for work in window.land.field(gf).works:
            place = window.land.at(gf, work.cell) if is_temple(work) and work.cell is not None else None
            owner = window.owners.get(place) if place is not None else None
            within = [each for each in battle.end.living if gf_of(each.at) == gf and each.cell == work.cell]
            men = [each.ruler for each in within if kind_of(each.item).is_warrior]
            if place is None or not men or any(owner == each.ruler for each in within):
                continue
            is_wanted = any(plan.plunders for plan in battle.plans.get(men[0], ()))
            if is_wanted and owner is not None and battle.are_foes(men[0], owner):
                plans = battle.plans[men[0]]
                for plan in plans:
                    _note(window, men[0], plans, Plunder(plan.plunders))
                _rob(window, place, work, men[0], owner)


def _rob(window: Window, place: Province, temple: Work, ruler: PowerId, owner: PowerId | None) -> None:
    temples.desecrate(window, ruler, place, temple, "plunder")
    args = {"gf": place, "kf": temple.cell, "re": temple.treasure, "by": ruler}
    window.tell("temple", _concerned(window, owner, ruler), args, words="temple_plundered")


def _concerned(window: Window, owner: PowerId | None, ruler: PowerId) -> list[PowerId]:
    return [name for name in window.rulers if name in (owner, ruler)]


def enslave(battle: FoughtBattle) -> None:
    """SLAVES: some of the beaten survive as slaves of the side that is left. Source: R-073, ruling KA316"""
    window = battle.window
    dice = window.dice
    assert dice is not None, "no battle on trial"
    takers = [party.ruler for party in battle.site.parties if party.enslaves and party.ruler in battle.left]
    beaten = _shared(battle, takers)
    rolls: dict[PowerId, int] = {}
    for ruler in takers:
        side = next((each for each in rolls if not battle.are_foes(each, ruler)), ruler)
        if side not in rolls:
            stream = f"battle/{battle.site.id}/{battle.end.course.length}/slave"
            said = purpose("battle_slave", ruler=ruler, place=battle.site.place)
            rolls[side] = dice.roll(stream, sides=6, purpose=said)
        slaves = beaten[ruler] * (10 - rolls[side]) // 10
        where = _camp(battle, ruler)
        if slaves and where is not None:
            window.book(ruler, where, SLAVE, slaves, "slaves")
            window.tell("slaves", [ruler], {"gf": where, "count": slaves}, place=where)


def _shared(battle: FoughtBattle, takers: Sequence[PowerId]) -> Counter[PowerId]:
    """How many of the beaten warriors each ruler may enslave: their foes with SLAVES share them, the first has the odd
    ones. KA316
    """
    dead = Counter[PowerId]()
    for (ruler, _, item), count in battle.end.dead.items():
        dead[ruler] += count * kind_of(item).is_warrior
    found = Counter[PowerId]()
    for beaten, count in dead.items():
        foes = [ruler for ruler in takers if battle.are_foes(ruler, beaten)]
        for place, ruler in enumerate(foes):
            found[ruler] += (count + len(foes) - 1 - place) // len(foes)
    return found


def _camp(battle: FoughtBattle, ruler: PowerId) -> Province | None:
    """Where on the site most of a ruler's warriors are."""
    window = battle.window
    fields = set(map(gf_of, battle.site.provinces))
    places = sorted((place for place in window.stacks[ruler] if gf_of(place) in fields), key=order_of)
    return max(places, key=lambda place: warriors(window.stack(ruler, place)), default=None)
