"""Priests in battle: what prayers cost and do, how they are broken, what ZEH are left. Source: rules 20.2"""

from __future__ import annotations

from dataclasses import replace

from engine.core.dice import Dice
from engine.core.variant import load_phrases
from engine.kalevala.battle import magic, prayers
from engine.kalevala.battle.course import (
    DEFIED,
    HUNGER,
    PRAYER,
    course_from_json,
    course_to_json,
)
from engine.kalevala.battle.ending import BattleEnd
from engine.kalevala.battle.fight import Fight
from engine.kalevala.battle.fighters import Enchantment, Fighter
from engine.kalevala.battle.ground import Kf
from engine.kalevala.battle.melee import points
from engine.kalevala.battle.rounds import fight_out
from engine.kalevala.battle.starving import starve
from engine.kalevala.coordinates import Province
from engine.kalevala.figures import number_of
from engine.kalevala.info import SYSTEM
from engine.kalevala.priests.facts import BLESS, BREAD, FEAR
from engine.kalevala.telling.reading import account_of
from engine.kalevala.telling.tale import rolls, story
from engine.kalevala.war.plans import Cast, Plan, Prayer, Spot
from engine.kalevala.wizards.spells import PARALYSE, WEAKEN
from tests.engine.kalevala.battles import incidents
from tests.engine.kalevala.test_wizards import GOAL, of, planned, ready
from tests.measure_kalevala_battles import ANNA, BERT

HOME = Province("2D+4")
PASSED, FAILED = [10], [9]


def praying(*lines: Prayer, counter: int = 10) -> Plan:
    return Plan(HOME, prayers=lines, counter=counter)


def each(prayer: str, **more: object) -> Prayer:
    return Prayer(prayer, is_each=True, **more)  # type: ignore[arg-type]


def dice(kind: str, *rolled: int) -> dict[str, list[int]]:
    return {f"battle/2c+5/1/{kind}": list(rolled)}


def gathered(fight: Fight, *, is_close: bool = False) -> tuple[Fighter, Fighter, Fighter]:
    """A warrior of anna's, one of bert's beside him, and anna's priest behind the first, or beside both."""
    mine, theirs, priest = of(fight, ANNA, "L")[0], of(fight, BERT, "L")[0], of(fight, ANNA, "Pr")[0]
    goal = fight.ground.index[GOAL, 26]
    fight.move(theirs, goal)
    fight.move(mine, fight.ground.index[GOAL, 33])
    fight.move(priest, fight.ground.index[GOAL, 34 if is_close else 39])
    return mine, theirs, priest


def test_a_blessing_adds_two_to_every_total_until_the_next_own_turn() -> None:
    fight = ready(planned("1L Pr/10", "1L", praying(each(BLESS))), dice("priest", *PASSED))
    mine, theirs, priest = gathered(fight)
    usual = points(fight, mine, theirs, mine.kf, is_attack=True), points(fight, mine, theirs, mine.kf, is_attack=False)
    prayers.pray(fight, ANNA)
    blessed = [points(fight, mine, theirs, mine.kf, is_attack=is_attack) for is_attack in (True, False)]
    assert blessed == [each + 2 for each in usual]
    assert priest.item_now == "Pr/8"
    fight.round = 2
    magic.fade(fight, BERT)
    assert BLESS in mine.under
    magic.fade(fight, ANNA)
    assert BLESS not in mine.under


def test_fear_takes_two_and_a_failed_prayer_is_paid_for() -> None:
    for rolled, zeh, lost in ((PASSED, "Pr/8", 2), (FAILED, "Pr/8", 0)):
        fight = ready(planned("1L Pr/10", "1L", praying(each(FEAR))), dice("priest", *rolled))
        mine, theirs, priest = gathered(fight, is_close=True)
        usual = points(fight, theirs, mine, theirs.kf, is_attack=True)
        prayers.pray(fight, ANNA)
        assert points(fight, theirs, mine, theirs.kf, is_attack=True) == usual - lost
        assert priest.item_now == zeh


def test_triples_of_priests_bring_nothing() -> None:
    fight = ready(planned("1L Pr/10 Z/0", "1L", praying(each(BLESS))))
    fight.dice = Dice("triple", rows={"battle/2c+5/1/priest": [[5, 5, 5]]}).streams()  # type: ignore[list-item]
    gathered(fight)
    prayers.pray(fight, ANNA)
    fight.settle_triples()
    assert of(fight, ANNA, "Z")[0].item_now == "Z/0"


def test_he_reaches_his_own_field_and_those_beside_it_alone() -> None:
    fight = ready(planned("1L Pr/10", "1L", praying(each(BLESS))))
    mine, _, priest = gathered(fight)
    far = max(range(len(fight.at)), key=lambda kf: fight.ground.distance(kf, mine.kf))
    fight.move(priest, far)
    prayers.pray(fight, ANNA)
    assert BLESS not in mine.under
    assert priest.item_now == "Pr/10"


def test_the_cost_is_two_for_each_figure_times_its_factor_and_max_takes_as_many_as_it_pays() -> None:
    for most, zeh, blessed in ((0, "Pr/10", 0), (4, "Pr/6", 2), (7, "Pr/4", 3)):
        fight = ready(planned("4L 1LC Pr/10", "1L", praying(each(BLESS, most=most))), dice("priest", *PASSED))
        mine, _, priest = gathered(fight)
        for other in (*of(fight, ANNA, "L")[1:], *of(fight, ANNA, "LC")):
            fight.move(other, mine.kf if fight.room(mine.kf) else priest.kf)
        prayers.pray(fight, ANNA)
        # Four lancers cost 8; all five 14, more than he has. Without MAX it is all or nothing in a field.
        expected = ("Pr/2", 4) if not most else (zeh, blessed)
        assert (priest.item_now, sum(BLESS in each.under for each in fight.fighters)) == expected


def test_a_field_of_a_line_is_meant_and_a_line_without_each_is_prayed_once() -> None:
    line = Prayer(BLESS, fields=(Spot(19, Province("2C+5")),))
    fight = ready(planned("2L Pr/10", "1L", praying(line)), dice("priest", *PASSED))
    mine, _, priest = gathered(fight)
    other = of(fight, ANNA, "L")[1]
    kf = fight.ground.index[GOAL, 19]
    if mine.kf == kf:
        mine, other = other, mine
    for enemy in list(fight.at[kf]):
        fight.move(enemy, fight.ground.index[GOAL, 1])
    fight.move(other, kf)
    fight.move(priest, next(each for each in fight.land.beside(kf) if not fight.at[each]))
    prayers.pray(fight, ANNA)
    assert BLESS in other.under
    other.under.clear()
    fight.round = 2
    prayers.pray(fight, ANNA)
    assert priest.item_now == "Pr/8"


def test_a_line_may_name_its_priest() -> None:
    fight = ready(planned("1L Pr/10 Pr/30", "1L", praying(each(BLESS, priest="Pr/30"))), dice("priest", *PASSED))
    mine, _, _ = gathered(fight)
    for priest in of(fight, ANNA, "Pr"):
        fight.move(priest, mine.kf)
    prayers.pray(fight, ANNA)
    assert {each.item: each.item_now for each in of(fight, ANNA, "Pr")} == {"Pr/10": "Pr/10", "Pr/30": "Pr/20"}


def test_a_priest_breaks_another_ones_prayer_and_no_wizard_does() -> None:
    rows = dice("priest", *PASSED) | dice("counter", 11, 12)
    fight = ready(planned("1L Pr/10", "1L Pr/5 Z/30", praying(each(BLESS)), praying(counter=2)), rows)
    mine, theirs, _ = gathered(fight)
    rival = of(fight, BERT, "Pr")[0]
    fight.move(rival, theirs.kf)
    prayers.pray(fight, ANNA)
    assert BLESS not in mine.under
    assert (rival.item_now, of(fight, BERT, "Z")[0].item_now) == ("Pr/4", "Z/30")


def test_a_priest_out_of_reach_breaks_nothing() -> None:
    fight = ready(planned("1L Pr/10", "1L Pr/5", praying(each(BLESS)), praying(counter=2)), dice("priest", *PASSED))
    mine, _, _ = gathered(fight)
    rival = of(fight, BERT, "Pr")[0]
    fight.move(rival, max(range(len(fight.at)), key=lambda kf: fight.ground.distance(kf, mine.kf)))
    prayers.pray(fight, ANNA)
    assert BLESS in mine.under


def test_a_wizards_spell_is_countered_by_a_priest_for_himself_alone() -> None:
    spell = Plan(HOME, spells=(Cast(WEAKEN, is_each=True),))
    fight = ready(planned("1L Z/30", "1L Pr/5", spell, praying(counter=1)), dice("counter", 11, 12))
    mine, theirs, priest = of(fight, ANNA, "L")[0], of(fight, BERT, "L")[0], of(fight, BERT, "Pr")[0]
    fight.move(priest, theirs.kf)
    fight.move(mine, next(kf for kf in fight.land.beside(theirs.kf) if not fight.at[kf]))
    magic.work(fight, ANNA)
    assert WEAKEN in theirs.under
    assert WEAKEN not in priest.under
    assert priest.item_now == "Pr/4"


def test_a_paralysed_priest_does_not_pray() -> None:
    fight = ready(planned("1L Pr/10", "1L", praying(each(BLESS))))
    mine, _, priest = gathered(fight)
    priest.under[PARALYSE] = Enchantment(BERT, 9)
    prayers.pray(fight, ANNA)
    assert BLESS not in mine.under


# Bread and water


def besieged(line: Prayer) -> tuple[Fight, Fighter, Kf]:
    """Bert's tower with two men and a priest, about which anna stands."""
    fight = ready(planned("24L", "2L Pr/40 Tu", None, praying(line)))
    hold = fight.works.castles[0].holds[0]
    for man in (*of(fight, BERT, "L"), *of(fight, BERT, "Pr")):
        fight.move(man, hold.kf)
    gate = next(iter(fight.works.castles[0].outer_gates)).outer
    for number, man in enumerate(of(fight, ANNA, "L")):
        if number == 0:
            fight.move(man, gate)
    return fight, of(fight, BERT, "Pr")[0], hold.kf


def hungry(fight: Fight, rounds: int) -> list[list[int]]:
    """What was needed in each of so many rounds; empty where nobody starved."""
    found = []
    for fight.round in range(1, rounds + 1):
        fight.record.incidents = []
        starve(fight, prayers.feed)
        found.append([incident.points[0] for incident in fight.record.incidents if incident.kind == HUNGER])
    return found


def test_bread_before_hunger_is_one_more_free_round_and_later_it_makes_hunger_milder() -> None:
    fight, _, _ = besieged(each(FEAR))
    plain = hungry(fight, 6)
    assert plain[:5] == [[], [], [], [], [6]]
    fight, priest, _ = besieged(each(BREAD))
    assert hungry(fight, 6) == [[]] * 6
    assert priest.item_now == "Pr/30", "5 ZEH for its one field, in rounds 5 and 6"
    fight, priest, _ = besieged(Prayer(BREAD, round=6))
    assert hungry(fight, 6)[4:] == [[6], [6]], "7 less 1"
    assert priest.item_now == "Pr/35"


# Whole battles


def fought(attacker: str, defender: str, anna: Plan, bert: Plan, seed: str = "priests") -> BattleEnd:
    return fight_out(planned(attacker, defender, anna, bert), Dice(seed).streams())


def test_a_battle_with_prayers_is_told_and_reads_back() -> None:
    lines = (each(BLESS, most=8), each(FEAR, most=8))
    end = fought("20L Pr/60 Pr/40", "20L Pr/50", praying(*lines), praying(*lines, counter=2))
    assert incidents(end.course, PRAYER)
    assert course_from_json(course_to_json(end.course)) == end.course
    account = account_of(end.course)
    words = load_phrases(SYSTEM)
    told = "\n".join(words.render(line) for line in (*story(account), *rolls(account)))
    assert "priest blessed" in told
    assert "prayed in vain" in told
    assert incidents(end.course, DEFIED)
    assert "priest prays" in told


def test_what_priests_have_left_is_told_of_the_living_and_the_dead() -> None:
    lines = praying(each(FEAR, most=4))
    end = fought("20L Pr/60", "20L Pr/50", lines, lines, "3")
    spent = {(each.ruler, each.before): number_of(each.before) - number_of(each.after) for each in end.priests}
    prayed = {incident.who: 0 for incident in incidents(end.course, PRAYER)}
    for incident in incidents(end.course, PRAYER):
        prayed[incident.who] += incident.points[0]
    assert sorted(spent.values()) == sorted(prayed.values())
    fallen = {item for ruler, _, item in end.dead if item.startswith("Pr")}
    assert fallen == {"Pr/50", "Pr/46"}


def test_battles_without_prayers_are_as_they_were() -> None:
    start = planned("20L", "12L Pr/30")
    quiet = fight_out(start, Dice("same").streams())
    armies = tuple(replace(army, plan=replace(army.plan, counter=1)) for army in start.armies)
    assert fight_out(replace(start, armies=armies), Dice("same").streams()).course == quiet.course
    assert not quiet.priests
