"""Abilities of gods in battles beside strokes and spells: what each does, for how long, and how it is told. Rules 24"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

from engine.core.dice import Dice
from engine.kalevala.battle import apparitions, magic
from engine.kalevala.battle.course import ONAGER, course_from_json, course_to_json, positions
from engine.kalevala.battle.ending import BattleEnd, course_of
from engine.kalevala.battle.fight import Fight
from engine.kalevala.battle.fighters import BARRIER, STEERED, WEAPON, Fighter
from engine.kalevala.battle.hazards import endure
from engine.kalevala.battle.melee import can_be_attacked, points
from engine.kalevala.battle.rounds import fight_out, take_turn
from engine.kalevala.battle.sites import Apparition
from engine.kalevala.battle.wonders import (
    ANIMALS,
    BARRIER_GF,
    DISPLACE,
    DUPLICATE,
    GEAR,
    MIRE,
    QUAKE,
    RIVER,
    STEER,
    SUMMON,
    WALLS,
    WONDERS,
)
from engine.kalevala.figures import without_numbers
from engine.kalevala.gods.facts import BASE, DUEL, God
from engine.kalevala.telling.reading import account_of
from engine.kalevala.telling.tale import rolls, round_lines
from tests.engine.kalevala.test_calls import WORDS
from tests.engine.kalevala.test_wizards import face_to_face, of, planned, ready
from tests.engine.kalevala.wars import a_war_of_gods, faults_of
from tests.measure_kalevala_battles import ANNA, BERT, site

HIGH = 12


def helped(attacker: str, defender: str, *abilities: str, **rolled: Sequence[int]) -> tuple[Fight, Fighter, Fighter]:
    """A fight in which a figure of each side stand beside each other, and anna's god is there."""
    coming = Apparition(ANNA, ANNA, BERT, abilities, len(abilities), 2500, HIGH)
    start = replace(planned(attacker, defender), gods=(coming,))
    fight = ready(start, {f"battle/2c+5/1/{kind}": list(throws) for kind, throws in rolled.items()})
    mine, theirs = face_to_face(fight)
    return fight, mine, theirs


def told(fight: Fight) -> list[str]:
    """The codes of what is told of a round."""
    fight.record.close_turn(ANNA)
    fight.record.close_round()
    account = account_of(course_from_json(course_to_json(course_of(fight, "twelve", None))))
    lines = [line for one in account.rounds for line in round_lines(account, one)]
    for line in (*lines, *rolls(account)):
        WORDS.render(line)
    return [line.code for line in lines]


def test_figures_in_contact_are_carried_as_far_away_as_can_be() -> None:
    fight, mine, theirs = helped("1L", "1L", DISPLACE)
    before = theirs.kf
    apparitions.act(fight, ANNA)
    assert 1 <= fight.ground.distance(before, theirs.kf) <= 6
    assert fight.ground.distance(mine.kf, theirs.kf) > 2
    assert "battle.god_DISPLACE" in told(fight)


@pytest.mark.parametrize(("total", "stays"), [(9, False), (10, True)])
def test_a_king_stays_with_ten(total: int, *, stays: bool) -> None:
    fight, _, theirs = helped("1L", "KrKö/4/0", DISPLACE, resist=[total])
    before = theirs.kf
    apparitions.act(fight, ANNA)
    assert (theirs.kf == before) is stays


def test_animals_run_with_their_riders_and_men_on_foot_stay() -> None:
    fight, _, theirs = helped("1L", "1L 1IP", ANIMALS)
    before = theirs.kf
    apparitions.act(fight, ANNA)
    assert theirs.kf != before
    assert "battle.god_ANIMALS" in told(fight)
    fight, _, theirs = helped("1L", "1L", ANIMALS)
    assert not apparitions.has_work(fight, ANNA, ANIMALS)
    apparitions.act(fight, ANNA)
    assert not fight.record.incidents


@pytest.mark.parametrize("ability", [BARRIER, BARRIER_GF])
def test_nobody_fights_those_behind_a_barrier_for_three_rounds(ability: str) -> None:
    fight, mine, _ = helped("1L", "1L", ability)
    apparitions.act(fight, ANNA)
    assert not can_be_attacked(mine)
    assert mine.is_safe
    assert f"battle.god_{ability}" in told(fight)
    for number, holds in ((2, True), (3, True), (4, False)):
        fight.round = number
        magic.fade(fight, ANNA)
        assert (BARRIER in mine.under) is holds


@pytest.mark.parametrize(("throws", "has_won"), [([10, 3, 14], True), ([18, 3], False)])
def test_a_god_duels_with_his_level_and_goes_home_if_he_loses(throws: list[int], *, has_won: bool) -> None:
    fight, _, _ = helped("1L", "1L Z/50", DUEL, duel=throws)
    (wizard,) = of(fight, BERT, "Z")
    apparitions.act(fight, ANNA)
    assert wizard.wizardry is not None
    assert wizard.wizardry.is_mortal is has_won
    assert fight.gods.present[0].is_gone is not has_won
    assert ("battle.god_DUEL" if has_won else "battle.god_DUEL_LOST") in told(fight)


def test_a_dragon_fights_for_two_rounds_and_belongs_to_nobody() -> None:
    fight, _, theirs = helped("1L", "4LC", SUMMON, melee=[18, 3, 18, 3, 18, 3, 18, 3])
    take_turn(fight, fight.site.parties[0])
    (dragon,) = of(fight, ANNA, "DD")
    assert len(list(fight.living(BERT))) < 4, "it strikes at once"
    fight.fall(dragon)
    assert not fight.losses.by_ruler[ANNA]["DD"]
    fight, _, theirs = helped("1L", "1LC", SUMMON, BASE)
    apparitions.act(fight, ANNA)
    (dragon,) = of(fight, ANNA, "DD")
    assert theirs.kf in fight.land.fightable(dragon.kf)
    assert "battle.god_SUMMON" in told(fight)
    assert dragon.number in positions(course_of(fight, "twelve", None), 1)
    for number, is_there in ((2, True), (3, False)):
        fight.round = number
        apparitions.act(fight, ANNA)
        assert dragon.is_alive is is_there
    assert "battle.being_gone" in told(fight)


def test_a_magic_weapon_is_worth_two_points_to_the_end_of_the_battle() -> None:
    fight, mine, theirs = helped("1L", "1L", WEAPON)
    before = points(fight, mine, theirs, mine.kf, is_attack=False)
    apparitions.act(fight, ANNA)
    fight.round = 12
    magic.fade(fight, ANNA)
    assert points(fight, mine, theirs, mine.kf, is_attack=False) == before + 2
    assert not apparitions.has_work(fight, ANNA, WEAPON), "one for each"
    assert "battle.god_WEAPON" in told(fight)


def test_enemies_sink_into_a_swamp_for_three_rounds() -> None:
    fight, mine, theirs = helped("1L", "1L", MIRE)
    endure(fight)
    assert not fight.record.incidents, "lowland harms nobody"
    apparitions.act(fight, ANNA)
    assert dict.fromkeys([theirs.kf], 3) == fight.land.mires
    assert mine.kf not in fight.land.mires
    assert "battle.god_TERRAIN" in told(fight)
    throws = {"battle/2c+5/3/hazard": [5], "battle/2c+5/3/survive": [9]}
    fight.dice = Dice("mire", rows=throws).streams()
    fight.round = 3
    endure(fight)
    assert not theirs.is_alive
    fight.round = 4
    fight.record.incidents.clear()
    fight.move(mine, theirs.kf)
    endure(fight)
    assert not fight.record.incidents


def test_harder_walls_need_two_more_of_an_onager_for_good() -> None:
    fight, _, _ = helped("1L", "1L", WALLS)
    assert not apparitions.has_work(fight, ANNA, WALLS), "there are none"
    coming = Apparition(BERT, BERT, ANNA, (WALLS,), 1, 2500, HIGH)
    start = replace(planned("12L 2On", "8L 4B Tu"), gods=(coming,))
    end = fight_out(start, Dice("walls").streams())
    assert [(cell, kind) for _, cell, kind in end.hardened] == [(19, "Tu")]
    usual = fight_out(replace(start, gods=()), Dice("walls").streams())
    assert max(needed_by_stones(end)) == max(needed_by_stones(usual)) + 2


def needed_by_stones(end: BattleEnd) -> list[int]:
    """What onagers needed with three dice to hit a building."""
    thrown = (
        incident
        for turns in end.course.rounds
        for turn in turns
        for incident in turn.incidents
        if incident.kind == ONAGER
    )
    return [incident.points[1] for incident in thrown if incident.work]


def test_an_earthquake_spares_no_friends_and_hits_works() -> None:
    fight, mine, theirs = helped("1L", "1L", QUAKE, survive=[9, 9])
    apparitions.act(fight, ANNA)
    assert not mine.is_alive
    assert not theirs.is_alive
    assert "battle.god_QUAKE" in told(fight)
    fight, mine, theirs = helped("1L", "1L", QUAKE, survive=[10, 10])
    apparitions.act(fight, ANNA)
    assert mine.is_alive
    assert "battle.god_QUAKE_none" in told(fight)


def test_an_army_that_is_led_astray_keeps_away_and_strikes_nobody() -> None:
    fight, mine, theirs = helped("1L", "3LC", STEER)
    apparitions.act(fight, ANNA)
    assert all(STEERED in each.under for each in fight.living(BERT))
    before = fight.ground.distance(mine.kf, theirs.kf)
    take_turn(fight, fight.site.parties[1])
    assert mine.is_alive
    assert fight.ground.distance(mine.kf, theirs.kf) >= before
    assert "battle.god_STEER" in told(fight)
    fight.round = 2
    magic.fade(fight, ANNA)
    assert not theirs.under


def test_gear_that_is_led_astray_throws_nothing() -> None:
    fight, _, _ = helped("6L", "4L 1On", GEAR)
    apparitions.act(fight, ANNA)
    (onager,) = of(fight, BERT, "On")
    assert STEERED in onager.under
    assert all(STEERED in each.under for each in onager.crew)
    take_turn(fight, fight.site.parties[1])
    assert not [incident for incident in fight.record.incidents if incident.kind == ONAGER]


def test_a_ditch_keeps_those_apart_who_stood_side_by_side() -> None:
    fight, mine, theirs = helped("1L", "1LC", RIVER)
    assert theirs.kf in fight.land.fightable(mine.kf)
    apparitions.act(fight, ANNA)
    assert theirs.kf not in fight.land.fightable(mine.kf)
    assert mine.kf not in fight.land.fightable(theirs.kf)
    assert "battle.god_RIVER" in told(fight)
    assert not apparitions.has_work(fight, ANNA, RIVER)


def test_doubled_warriors_fight_for_a_round_and_count_for_nothing() -> None:
    fight, mine, _ = helped("1LC 1IP", "1L", DUPLICATE, BASE)
    worth, people = fight.price(ANNA), fight.people(ANNA)
    apparitions.act(fight, ANNA)
    (copy,) = [each for each in fight.living(ANNA) if each.leaves_in]
    assert (copy.item, copy.mount) == (mine.item, mine.mount)
    assert (fight.price(ANNA), fight.people(ANNA)) == (worth, people)
    assert "battle.god_DUPLICATE" in told(fight)
    fight.lose_horse(copy)
    fight.round = 2
    apparitions.act(fight, ANNA)
    assert not copy.is_alive
    assert not fight.losses.by_stack
    assert not fight.gone.loose


def test_who_has_learned_to_stay_is_there_for_twice_as_long() -> None:
    assert [God(2500, 1, 1, abilities=names).lasts for names in ((), ("STAY",))] == [1, 2]


@pytest.mark.parametrize("number", range(20))
def test_wonders_lose_nobody_and_nothing(number: int) -> None:
    """Battles with gods of all abilities: whoever began lives, fled or fell, and what is told can be read back."""
    chance = random.Random(f"wonders/{number}")
    armies = [chance.choice(("9L 3B", "6LC 4IP Z/60", "9L 2El Z/40", "5LC 4B 1On", "8L KrKö/4/0")) for _ in range(2)]
    names = [chance.sample([*WONDERS, BASE, "PARALYSE"], 4) for _ in range(2)]
    gods = tuple(
        Apparition(ruler, ruler, foe, tuple(own), 6, 2500, HIGH)
        for ruler, foe, own in ((ANNA, BERT, names[0]), (BERT, ANNA, names[1]))
    )
    start = replace(site(*armies), gods=gods[: 1 + number % 2])
    end = fight_out(start, Dice(f"{number}").streams())
    began, after = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for army in start.armies:
        began.update({(army.ruler, without_numbers(item)): count for item, count in army.figures.items()})
    for (ruler, _, item), count in end.dead.items():
        after[ruler, without_numbers(item)] += count
    for each in end.living:
        after.update((each.ruler, without_numbers(item)) for item in (each.item, each.mount) if item)
    after.update((each.ruler, each.item) for each in end.loose)
    assert after == began
    account = account_of(course_from_json(course_to_json(end.course)))
    for line in (*(line for one in account.rounds for line in round_lines(account, one)), *rolls(account)):
        WORDS.render(line)


@pytest.mark.parametrize("number", range(4))
def test_wars_of_gods_have_no_faults(number: int) -> None:
    chance = random.Random(f"gods/{number}")
    _, faults = faults_of(a_war_of_gods(chance), chance)
    assert faults == []
