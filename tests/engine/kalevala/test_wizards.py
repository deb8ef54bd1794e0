"""Wizards: what spells cost and do, counterspells, challenges, triples, and what is left of them. Source: rules 19.3"""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.core.dice import Dice
from engine.core.doors import Page
from engine.core.ids import PowerId
from engine.core.variant import load_phrases
from engine.core.viewer import Playing
from engine.kalevala.battle import magic
from engine.kalevala.battle.aims import field_of
from engine.kalevala.battle.course import (
    COUNTER,
    MELEE,
    SPELL,
    TRIPLE,
    WARDED,
    course_from_json,
    course_to_json,
)
from engine.kalevala.battle.deployment import deploy
from engine.kalevala.battle.ending import BattleEnd, course_of
from engine.kalevala.battle.fight import Fight
from engine.kalevala.battle.fighters import Fighter
from engine.kalevala.battle.melee import points, targets
from engine.kalevala.battle.movement import speed_of
from engine.kalevala.battle.rounds import fight_out, take_turn
from engine.kalevala.battle.sites import BattleSite
from engine.kalevala.coordinates import GfId, Province
from engine.kalevala.info import SYSTEM
from engine.kalevala.system import KALEVALA as RULES
from engine.kalevala.tables import DRAGON
from engine.kalevala.telling.reading import account_of
from engine.kalevala.telling.tale import round_lines, story
from engine.kalevala.war.plans import TO_MYSTIC, Cast, Challenge, Plan, Spot
from engine.kalevala.wizards.doors import WIZARD_DOOR, has_wizard
from engine.kalevala.wizards.spells import (
    BEINGS,
    DISPLACE,
    GATES,
    INVISIBLE,
    PARALYSE,
    PETRIFY,
    PROTECT,
    SPEED,
    STRENGTHEN,
    WEAKEN,
    factor_of,
    spell_named,
)
from engine.kalevala.wizards.spells import SPELL as ALL_SPELLS
from engine.lattice.great_fields import Side
from tests.engine.kalevala.battles import DOCUMENT, incidents
from tests.measure_kalevala_battles import ANNA, BERT, site

GOAL = GfId("2C+5")


def at(cell: int) -> Spot:
    return Spot(cell, Province("2C+5"))


def planned(attacker: str, defender: str, anna: Plan | None = None, bert: Plan | None = None) -> BattleSite:
    """A battle of the table's set-up in which both have a wizard's lines."""
    start = site(attacker, defender)
    plans = {ANNA: anna, BERT: bert}
    armies = tuple(
        replace(army, plan=found if (found := plans[army.ruler]) is not None else Plan(army.province))
        for army in start.armies
    )
    return replace(start, armies=armies)


def cast(spell: str, *, is_own: bool = False, **more: object) -> Plan:
    return Plan(Province("2D+4"), spells=(Cast(spell, is_own, is_each=True, **more),))  # type: ignore[arg-type]


def ready(start: BattleSite, rows: dict[str, list[int]] | None = None) -> Fight:
    """A fight in its first round, before anybody's turn."""
    fight = Fight(start, Dice("wizards", rows=rows or {}).streams())
    deploy(fight)
    magic.await_triples(fight)
    fight.round = 1
    return fight


def of(fight: Fight, ruler: PowerId, code: str) -> list[Fighter]:
    """The figures of a ruler's of one kind."""
    return [each for each in fight.fighters if each.party.ruler == ruler and each.code == code]


def face_to_face(fight: Fight) -> tuple[Fighter, Fighter]:
    """A figure of each side, set side by side."""
    mine = next(each for each in fight.fighters if each.party.ruler == ANNA and each.code != "Z")
    theirs = next(each for each in fight.fighters if each.party.ruler == BERT and each.code != "Z")
    beside = next(kf for kf in fight.land.beside(theirs.kf) if not fight.at[kf])
    fight.move(mine, beside)
    return mine, theirs


def test_e_15_the_cost_of_paralysing_a_field_is_its_base_times_all_factors() -> None:
    assert 4 * sum(map(factor_of, ("L", "S", "LC", "sP"))) == 28
    assert factor_of("L", in_phalanx=True) == 2


def test_spells_have_their_names_of_the_original_text_too() -> None:
    assert {spell_named(name) for name in ("lähmen", "Paralyse", "PARALYZE")} == {ALL_SPELLS[PARALYSE]}
    assert spell_named("abracadabra") is None


def test_a_paralysed_figure_neither_moves_nor_strikes_and_dies_of_twelve_alone() -> None:
    fight = ready(planned("1L Z/30", "1LC", cast(PARALYSE)), {"battle/2c+5/1/melee": [12, 18]})
    _, theirs = face_to_face(fight)
    magic.work(fight, ANNA)
    assert theirs.is_held
    assert speed_of(theirs) == 0
    take_turn(fight, fight.site.parties[0])
    assert not theirs.is_alive, "12 against 18 + 6"


def test_a_spell_lasts_until_the_next_turn_of_the_casters_side() -> None:
    fight = ready(planned("1L Z/30", "1L", cast(WEAKEN)))
    mine, theirs = face_to_face(fight)
    before = points(fight, theirs, mine, theirs.kf, is_attack=False)
    magic.work(fight, ANNA)
    assert points(fight, theirs, mine, theirs.kf, is_attack=False) == before - 3
    magic.fade(fight, BERT)
    fight.round = 2
    magic.fade(fight, None)
    assert WEAKEN in theirs.under
    magic.fade(fight, ANNA)
    assert WEAKEN not in theirs.under


def test_stone_can_be_hit_by_nobody_for_three_rounds() -> None:
    fight = ready(planned("1L Z/30", "1L", cast(PETRIFY)))
    mine, theirs = face_to_face(fight)
    magic.work(fight, ANNA)
    assert theirs not in targets(fight, mine, mine.kf)
    assert theirs.is_held
    assert theirs.is_safe
    for fight.round in (2, 3):
        magic.fade(fight, ANNA)
        assert theirs.is_held
    fight.round = 4
    magic.fade(fight, ANNA)
    assert not theirs.is_held


def test_who_is_invisible_strikes_first_and_harder_and_is_seen_then() -> None:
    fight = ready(planned("1L Z/30", "1L", cast(INVISIBLE, is_own=True)), {"battle/2c+5/1/melee": [3, 3]})
    mine, theirs = face_to_face(fight)
    usual = points(fight, mine, theirs, mine.kf, is_attack=True)
    magic.work(fight, ANNA)
    assert mine not in targets(fight, theirs, theirs.kf)
    assert points(fight, mine, theirs, mine.kf, is_attack=True) == usual + 2
    take_turn(fight, fight.site.parties[0])
    assert mine in targets(fight, theirs, theirs.kf)


def test_protection_saves_and_wards_hostile_spells_off() -> None:
    fight = ready(planned("1L Z/30", "1L Z/30", cast(PROTECT, is_own=True), cast(PARALYSE)))
    mine, _ = face_to_face(fight)
    magic.work(fight, ANNA)
    magic.work(fight, BERT)
    assert mine.is_safe
    assert not mine.is_held


def test_speed_doubles_for_one_round() -> None:
    fight = ready(planned("1L Z/30", "1L", cast(SPEED, is_own=True)))
    (mine,) = of(fight, ANNA, "L")
    magic.work(fight, ANNA)
    assert speed_of(mine) == 4
    fight.round = 2
    magic.fade(fight, None)
    assert speed_of(mine) == 2


def test_the_best_field_for_speed_is_one_that_has_not_reached_the_enemy() -> None:
    fight = ready(planned("8L Z/60", "4L", anna=cast(SPEED, is_own=True)))
    mine, _ = face_to_face(fight)
    magic.work(fight, ANNA)
    hasty = [each for each in of(fight, ANNA, "L") if SPEED in each.under]
    assert hasty
    assert mine not in hasty


def test_displaced_figures_stand_in_the_named_field_if_there_is_room() -> None:
    for goal, has_moved in ((30, True), (1, False)):
        line = cast(DISPLACE, fields=(at(19),), goal=at(goal))
        fight = ready(planned("4L Z/30", "2L", line))
        theirs = [each for each in fight.fighters if each.party.ruler == BERT]
        kf = fight.ground.index[GOAL, goal]
        fight.move(next(each for each in fight.fighters if each.code == "L"), fight.ground.index[GOAL, 1])
        for each in theirs:
            fight.move(each, fight.ground.index[GOAL, 19])
        magic.work(fight, ANNA)
        assert all((each.kf == kf) == has_moved for each in theirs), goal


@pytest.mark.parametrize(
    ("goal", "zeh", "left", "has_moved"),
    [(17, 60, 10, True), (17, 40, 40, False), (18, 30, 5, True), (1, 100, 100, False)],
)
def test_dragons_alone_are_moved_for_25_each_field(goal: int, zeh: int, left: int, *, has_moved: bool) -> None:
    """KF 17 is two fields away, KF 18 one; on KF 1 another dragon lies."""
    line = cast(BEINGS, fields=(at(19),), goal=at(goal))
    fight = ready(planned(f"1L 1DD Z/{zeh}", "2L 1DD", line))
    ours, theirs = (next(iter(of(fight, ruler, "DD"))) for ruler in (ANNA, BERT))
    men = of(fight, BERT, "L")
    start, kf = fight.ground.index[GOAL, 19], fight.ground.index[GOAL, goal]
    fight.move(ours, fight.ground.index[GOAL, 1])
    fight.move(theirs, start)
    fight.move(men[0], start)
    magic.work(fight, ANNA)
    assert (theirs.kf == kf) is has_moved
    assert men[0].kf == start
    (wizard,) = of(fight, ANNA, "Z")
    assert wizard.item_now == f"Z/{left}"


def test_a_towers_gate_opens_and_nobody_is_moved_in_as_long_as_another_wizard_is_there() -> None:
    line = Plan(Province("2D+4"), spells=(Cast(GATES, fields=(at(19),), side=Side.SW),))
    fight = ready(planned("24L Z/30", "8L 4B Tu", line))
    magic.work(fight, ANNA)
    wizard = next(each for each in fight.fighters if each.code == "Z")
    (gate,) = fight.works.castles[0].outer_gates
    assert gate.is_open
    assert wizard.item_now == "Z/20"
    platform = Spot(19, Province("2C+5"), "+1")
    for defender, has_moved in (("2L Tu", True), ("2L Tu Z/30", False)):
        line = Plan(Province("2D+4"), spells=(Cast(DISPLACE, True, (at(26),), platform),))
        fight = ready(planned("1L Z/30", defender, line))
        mine = next(each for each in fight.fighters if each.party.ruler == ANNA and each.code == "L")
        goal = field_of(fight, platform, Province("2C+5"))
        assert goal is not None
        for each in [each for each in fight.at[goal] if each.party.ruler == BERT]:
            fight.fall(each)
        fight.move(mine, fight.ground.index[GOAL, 26])
        magic.work(fight, ANNA)
        assert (mine.kf == goal) == has_moved


def test_a_line_that_cant_be_paid_is_passed_over_and_max_takes_as_many_fields_as_it_pays() -> None:
    both = (Spot(19, Province("2C+5")), Spot(20, Province("2C+5")))
    for most, cost in ((0, 0), (8, 8)):
        fight = ready(planned("1L Z/12", "4L", cast(PARALYSE, fields=both, most=most)))
        theirs = [each for each in fight.fighters if each.party.ruler == BERT]
        for number, each in enumerate(theirs):
            fight.move(each, fight.ground.index[GOAL, 19 + number // 2])
        magic.work(fight, ANNA)
        wizard = next(each for each in fight.fighters if each.code == "Z")
        assert wizard.item_now == f"Z/{12 - cost}"
        assert [each.is_held for each in theirs] == ([True, True, False, False] if cost else [False] * 4)


@pytest.mark.parametrize(("answer", "works"), [(9, False), (10, False), (11, False), (12, True), (8, True)])
def test_a_counterspell_needs_the_same_number_or_one_beside_it(answer: int, *, works: bool) -> None:
    start = planned("4L Z/30", "3LB Z/30", cast(PARALYSE))
    fight = ready(start, {"battle/2c+5/1/counter": [10, answer]})
    _, theirs = face_to_face(fight)
    for each in [each for each in fight.fighters if each.party.ruler == BERT and each.code != "Z"]:
        fight.move(each, theirs.kf)
    magic.work(fight, ANNA)
    assert theirs.is_held == works
    left = {each.party.ruler: each.item_now for each in fight.fighters if each.code == "Z"}
    assert left == {ANNA: "Z/6", BERT: "Z/27"}


def test_a_counterspell_costs_one_for_every_ten_begun_and_spells_below_the_plan_are_let_through() -> None:
    spent = {}
    for least in (10, 13):
        fight = ready(
            planned("4L Z/30", "3L Z/30", cast(PARALYSE), Plan(Province("2C+5"), counter=least)),
            {"battle/2c+5/1/counter": [10, 3]},
        )
        _, theirs = face_to_face(fight)
        for each in [each for each in fight.fighters if each.party.ruler == BERT and each.code != "Z"]:
            fight.move(each, theirs.kf)
        magic.work(fight, ANNA)
        spent[least] = {each.party.ruler: each.item_now for each in fight.fighters if each.code == "Z"}
    assert spent == {10: {ANNA: "Z/18", BERT: "Z/28"}, 13: {ANNA: "Z/18", BERT: "Z/30"}}


@pytest.mark.parametrize(
    ("rolls", "loser"), [([10, 9], ANNA), ([10, 11, 9], BERT), ([10, 10, 12, 4], ANNA), ([5, 5, 4], BERT)]
)
def test_in_a_challenge_whoever_rolls_less_is_mortal(rolls: list[int], loser: str) -> None:
    line = Plan(Province("2D+4"), spells=(Challenge(BERT),))
    fight = ready(planned("1L Z/30", "1L Z/30", line), {"battle/2c+5/1/duel": rolls})
    magic.work(fight, ANNA)
    beaten = [each for each in fight.fighters if each.code == "Z" and not each.floats]
    assert [each.party.ruler for each in beaten] == [loser]
    assert [each.space for each in beaten] == [1]


@pytest.mark.parametrize(("dice", "dies"), [(17, True), (16, False), (18, False)])
def test_a_mortal_wizard_dies_of_seventeen_alone(dice: int, *, dies: bool) -> None:
    fight = ready(planned("1L", "Z/30 1L"), {"battle/2c+5/1/melee": [dice, 3]})
    mine, theirs = face_to_face(fight)
    wizard = next(each for each in fight.fighters if each.code == "Z")
    fight.fall(theirs)
    fight.make_mortal(wizard)
    fight.move(mine, next(kf for kf in fight.land.beside(wizard.kf) if not fight.at[kf]))
    take_turn(fight, fight.site.parties[0])
    assert wizard.is_alive != dies


@pytest.mark.parametrize(("total", "is_spared"), [(9, False), (10, True)])
def test_a_mystic_wards_a_spell_off_himself_alone_with_ten(total: int, is_spared: bool) -> None:
    fight = ready(planned("1L Z/60", "2L My/20", cast(PARALYSE)), {"battle/2c+5/1/ward": [total]})
    face_to_face(fight)
    mystic = next(each for each in fight.fighters if each.code == "My")
    theirs = next(each for each in fight.fighters if each.party.ruler == BERT and each.code == "L")
    if mystic.kf != theirs.kf:
        fight.move(mystic, theirs.kf)
    magic.work(fight, ANNA)
    assert theirs.is_held
    assert mystic.is_held is not is_spared
    assert mystic.item_now == "My/20", "it costs him nothing"
    fight.record.close_turn(ANNA)
    fight.record.close_round()
    account = account_of(course_of(fight, "twelve", None))
    codes = [line.code for one in account.rounds for line in round_lines(account, one)]
    assert ("battle.warded_works" if is_spared else "battle.warded_vain") in codes


def test_no_mystic_wards_off_the_spells_of_his_own_side() -> None:
    fight = ready(planned("1L Z/60 My", "1L", cast(STRENGTHEN, is_own=True)))
    mine, _ = face_to_face(fight)
    mystic = next(each for each in fight.fighters if each.code == "My")
    fight.move(mystic, mine.kf)
    magic.work(fight, ANNA)
    assert STRENGTHEN in mystic.under
    assert not [incident for incident in fight.record.incidents if incident.kind == WARDED]


def test_a_mystic_who_is_held_wards_nothing_off() -> None:
    fight = ready(planned("1L Z/90", "1L My", cast(WEAKEN)), {"battle/2c+5/1/ward": [18]})
    _, theirs = face_to_face(fight)
    mystic = next(each for each in fight.fighters if each.code == "My")
    fight.move(mystic, theirs.kf)
    magic.enchant(fight, ANNA, PARALYSE, (mystic,))
    magic.work(fight, ANNA)
    assert WEAKEN in mystic.under
    assert not [incident for incident in fight.record.incidents if incident.kind == WARDED]


@pytest.mark.parametrize("attacker", ["1L Z/30 My/95", "1L My/95"])
def test_a_mystic_gets_what_triples_bring_if_his_plan_says_so(attacker: str) -> None:
    rows: dict[str, list[object]] = {"battle/2c+5/1/melee": [[2, 2, 2], 4]}
    for forced, wanted in ((TO_MYSTIC, "My/100"), ("", "My/95")):
        fight = triple(rows, attacker, Plan(Province("2D+4"), forced=forced))
        mystic = next(each for each in fight.fighters if each.code == "My")
        assert mystic.item_now == wanted
        assert STRENGTHEN not in fight.fighters[0].under or not forced
        assert not (forced and fight.absent_triples)


def triple(rows: dict[str, list[object]], attacker: str = "1L Z/30", anna: Plan | None = None) -> Fight:
    fight = ready(planned(attacker, "1L", anna), rows)  # type: ignore[arg-type]
    face_to_face(fight)
    take_turn(fight, fight.site.parties[0])
    return fight


def test_a_triple_feeds_the_wizard_and_is_spent_in_part_at_once() -> None:
    fight = triple({"battle/2c+5/1/melee": [[2, 2, 2], 4]})
    mine, wizard = (next(each for each in fight.fighters if each.code == code) for code in ("L", "Z"))
    assert wizard.item_now == "Z/50"
    assert STRENGTHEN in mine.under


def test_three_sixes_bring_nothing_and_a_wizard_elsewhere_gets_less() -> None:
    assert triple({"battle/2c+5/1/melee": [[6, 6, 6], 4]}).fighters[1].item_now == "Z/30"
    fight = triple({"battle/2c+5/1/melee": [[2, 2, 2], 4]}, "1L")
    assert dict(fight.absent_triples) == {ANNA: 1}
    assert (magic.zeh_for_triples(30, 2), magic.zeh_for_triples(95, 1), magic.zeh_for_triples(120, 1)) == (70, 100, 120)


def test_an_apprentice_learns_from_a_triple() -> None:
    fight = triple({"battle/2c+5/1/melee": [[2, 2, 2], 4]}, "1L Z/0/1")
    wizard = next(each for each in fight.fighters if each.code == "Z")
    assert wizard.item_now == "Z/19/2", "20 more, one of them spent at once on his new spell"


def test_gear_is_displaced_with_its_crew_who_are_paid_for() -> None:
    fight = ready(planned("2L 1On Z/90", "1L"))
    onager, wizard = of(fight, ANNA, "On")[0], of(fight, ANNA, "Z")[0]
    gf, cell = fight.ground.places[onager.kf]
    goal = next(kf for kf in fight.land.beside(onager.kf) if not fight.at[kf])
    spots = [Spot(number, Province(gf)) for number in (cell, fight.ground.places[goal][1])]
    line = Cast(DISPLACE, is_own=True, fields=(spots[0],), goal=spots[1])
    wizard.army = replace(wizard.army, plan=Plan(wizard.army.province, spells=(line,)))
    magic.work(fight, ANNA)
    assert wizard.item_now == "Z/74", "4 x (2 + 1 + 1)"
    assert {each.kf for each in (onager, *onager.crew)} == {goal}


def test_a_mortal_wizard_falls_with_his_side_in_the_report_as_well() -> None:
    start = planned("20LC", "1L Z/30")
    for is_mortal in (True, False):
        parties = tuple(replace(each, has_mortal_wizard=is_mortal and each.ruler == BERT) for each in start.parties)
        end = fight_out(replace(start, parties=parties), Dice("forsaken").streams())
        assert dict(end.course.lost[BERT]) == ({"L": 1, "Z": 1} if is_mortal else {"L": 1})
        text = " ".join(map(load_phrases(SYSTEM).render, story(account_of(end.course))))
        assert ("Bert's mortal wizard fell with the rest of his side." in text) == is_mortal
        assert ("left: 1 wizard" in text) != is_mortal


def test_an_apprentice_casts_once_a_round_even_if_a_triple_comes_first() -> None:
    start = planned("1L", "1L Z/0/1", None, cast(WEAKEN))
    fight = ready(start, {"battle/2c+5/1/melee": [4, [2, 2, 2]]})  # type: ignore[list-item]
    face_to_face(fight)
    for party in fight.site.parties:
        take_turn(fight, party)
    wizard = next(each for each in fight.fighters if each.code == "Z")
    assert wizard.item_now == "Z/19/2", "his warrior, who was attacked, is stronger, but nobody is weaker"


@pytest.mark.parametrize(("ruler", "turns"), [(ANNA, 1), (BERT, 0)])
def test_a_spell_of_a_triple_ends_in_the_next_turn_of_its_side(ruler: PowerId, turns: int) -> None:
    fight = ready(planned("1L Z/30", "1L Z/30"), {})
    fight.this_round.waiting = {BERT}
    mine = next(each for each in fight.fighters if each.party.ruler == ruler)
    magic.enchant(fight, ruler, STRENGTHEN, (mine,))
    magic.enchant(fight, ruler, PETRIFY, (mine,))
    fight.this_round.waiting = set()
    for turn in range(4):
        magic.fade(fight, ruler)
        assert (STRENGTHEN in mine.under) == (turn < turns)
        assert (PETRIFY in mine.under) == (turn < turns + 2)
        fight.round += 1


def test_the_page_of_a_wizard_says_what_he_can_do_and_what_it_costs() -> None:
    document = {
        **DOCUMENT,
        "state": {**DOCUMENT["state"], "stacks": {"anna": {"2D+4": "16LB Z/21/4"}, "bert": {"2D+5": "14L 2sP"}}},
    }
    view = RULES.sight.view(RULES.play.load(document), Playing(ANNA))
    assert WIZARD_DOOR.page is not None
    page = WIZARD_DOOR.page(view, ())
    assert isinstance(page, Page)
    text = "\n".join(map(load_phrases(SYSTEM).render, page.lines))
    assert "Spell points (ZEH): 21 of" in text
    assert "`PARALYSE` (Lähmen)" in text
    assert "Enough now for class A: 5." in text
    assert "PARALYSE 72" in text, "14 lancers and two heavy horses"
    assert "PETRIFY" not in text, "he has not learnt it"
    assert "`ENTER 2 2D+4 K 2D+5 15LB Z/21/4`" in text, "from where he is"
    other = RULES.sight.view(RULES.play.load(document), Playing(BERT))
    assert not has_wizard(other)


def whole(seed: str = "whole") -> BattleEnd:
    start = planned("12L 4B Z/60", "12L 4B Z/60", cast(PARALYSE), cast(STRENGTHEN, is_own=True))
    return fight_out(start, Dice(seed).streams())


def test_a_battle_of_wizards_replays_reads_back_and_can_be_told() -> None:
    end = whole()
    assert end == whole()
    assert end != whole("other")
    course = end.course
    assert course_from_json(course_to_json(course)) == course
    assert all(incidents(course, kind) for kind in (SPELL, COUNTER, TRIPLE))
    words = load_phrases(SYSTEM)
    text = " ".join(map(words.render, story(account_of(course))))
    assert "wizard paralysed" in text
    assert "wizard strengthened" in text
    assert "{" not in text


def test_dragons_fight_by_themselves_and_those_who_live_stay_with_their_ruler() -> None:
    end = fight_out(planned("4L 2DD", "3LC 1DD"), Dice("dragons").streams())
    dragons = {each.number for each in end.course.start if each.item == DRAGON}
    assert any(incident.who in dragons for incident in incidents(end.course, MELEE))
    for ruler, count in ((ANNA, 2), (BERT, 1)):
        living = sum((each.ruler, each.item) == (ruler, DRAGON) for each in end.living)
        dead = sum(number for (whose, _, item), number in end.dead.items() if (whose, item) == (ruler, DRAGON))
        assert living + dead == count
