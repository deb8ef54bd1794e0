"""Battles: exact odds, the course and its replay, books, and that nobody else learns of them. Source: rules 16"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from engine.core.dice import Dice
from engine.core.events import visible_events
from engine.core.ids import PowerId
from engine.core.reading import read_orders
from engine.core.variant import load_phrases
from engine.core.viewer import Playing
from engine.kalevala.battle.course import (
    ASCENT,
    FORM,
    LADDER,
    MOVE,
    ONAGER,
    PITCH,
    RAM,
    course_from_json,
    course_to_json,
    positions,
)
from engine.kalevala.battle.deployment import deploy
from engine.kalevala.battle.fight import Fight
from engine.kalevala.battle.fighters import Fighter
from engine.kalevala.battle.ground import ground_of
from engine.kalevala.battle.kinds import CREWS
from engine.kalevala.battle.movement import Lookout, reach
from engine.kalevala.battle.odds import NATURAL, duel
from engine.kalevala.battle.rounds import fight_out
from engine.kalevala.battle.storming import GATE_BREAKS, make_room
from engine.kalevala.coordinates import Edge, gf_of
from engine.kalevala.document import load
from engine.kalevala.land import Land
from engine.kalevala.model import PLAIN, GreatField, Work
from engine.kalevala.steps.dividing import divide
from engine.kalevala.system import KALEVALA as RULES
from engine.kalevala.telling import tale
from engine.kalevala.telling.reading import account_of
from engine.kalevala.view import view
from engine.kalevala.war.plans import LAST_ROUND, Aim, Band, Phalanx, Placing, Plan, Spot
from engine.kalevala.window import Window
from engine.lattice.great_fields import Side
from tests.engine.kalevala.wars import a_siege, a_war, faults_of, shown_to
from tests.measure_kalevala_battles import ANNA, SOURCE, TARGET, measure, rows, site

ALL = 46656


@pytest.mark.parametrize(
    ("mine", "theirs", "kills", "dies"),
    [
        (2, 0, 16005, 9798),  # equal classes
        (2, 3, 11751, 14934),  # A on B
        (2, 6, 5817, 17147),  # A on C
        (5, 0, 17375, 4098),  # B on A
        (8, 0, 17496, 918),  # C on A
        (10, 6, 17147, 5817),  # two B supporting against C
    ],
)
def test_e_14_the_exact_odds_of_a_duel(mine: int, theirs: int, kills: int, dies: int) -> None:
    assert round(duel(NATURAL, mine - theirs) * ALL) == kills
    assert round(duel(NATURAL, theirs - mine) * ALL) == dies


def test_the_course_of_a_battle_reads_back_and_leads_to_its_end() -> None:
    for number, (attacker, defender) in enumerate((("20L 5B 6El", "13LB 4B"), ("8L 4IP 2On", "20L phalanxes"))):
        found = fight_out(site(attacker, defender), Dice(f"course/{number}").streams()).course
        assert course_from_json(course_to_json(found)) == found
        assert positions(found, found.length) == found.standing


@pytest.mark.parametrize("seed", [*(f"small/{number}" for number in range(6)), "head/32", "head/176"])
def test_random_wars_balance_replay_and_are_told_to_nobody_else(seed: str) -> None:
    """More of them: `python -m tests.engine.kalevala.wars`. In the last two nobody is left of
    who held the centre, and carl remembers land that is divided."""
    chance = random.Random(seed)
    _, faults = faults_of(a_war(chance), chance)
    assert not faults


@pytest.mark.parametrize("number", range(3))
def test_random_sieges_balance_replay_and_are_told_to_nobody_else(number: int) -> None:
    """More of them: `python -m tests.engine.kalevala.wars --sieges`."""
    chance = random.Random(f"castle/{number}")
    battles, faults = faults_of(a_siege(chance), chance)
    assert battles == 1
    assert not faults


def test_the_course_of_a_siege_reads_back_and_leads_to_its_end() -> None:
    found = fight_out(site("24L 2Le 1Wi 2On 2Se 1Bt", "8L 4B Tu"), Dice("siege").streams()).course
    assert {incident.kind for turns in found.rounds for turn in turns for incident in turn.incidents} >= {
        ONAGER,
        LADDER,
        PITCH,
    }
    assert course_from_json(course_to_json(found)) == found
    assert positions(found, found.length) == found.standing


def test_a_rider_and_his_elephant_take_three_of_the_room_of_a_field() -> None:
    """A second rider takes the fourth. Source: rules B2"""
    found = fight_out(site("3El 4L 3B", "1L"), Dice("room").streams()).course
    fields = Counter(each.at for each in found.start if each.item == "El")
    riders = Counter(each.carrier for each in found.start if each.carrier)
    assert sorted(fields.values()) == [1, 1, 1]
    assert sorted(riders.values()) == [2, 2, 2]
    assert all(
        each.at not in fields for each in found.start if each.ruler == ANNA and not each.carrier and each.item != "El"
    )


def test_an_elephant_rams_the_gate_that_it_comes_to_until_it_breaks() -> None:
    found = fight_out(site("1El 2L", "1L Tu"), Dice("elephants").streams()).course
    rams = [incident for turns in found.rounds for turn in turns for incident in turn.incidents if incident.kind == RAM]
    assert {incident.work for incident in rams} == {"2C+5:19/SW"}
    assert all(incident.rolls[0] < GATE_BREAKS for incident in rams[:-1])
    assert rams[-1].rolls[0] >= GATE_BREAKS or found.length == LAST_ROUND


def test_the_nearest_warriors_on_foot_serve_an_onager_in_an_empty_field_behind_the_line() -> None:
    """The best warrior rides an elephant; two of the eight on foot serve the onager."""
    start = fight_out(site("1LC 8L 1El 1On", "1L"), Dice("crew").streams()).course.start
    stands: dict[int, Counter[str]] = {}
    for each in start:
        if each.at.gf == gf_of(SOURCE):
            stands.setdefault(each.at.cell, Counter())[each.item] += 1
    (served,) = (cell for cell, there in stands.items() if there["On"])
    assert stands[served] == Counter({"L": 2, "On": 1})
    assert all(not there["On"] for cell, there in stands.items() if there["El"])
    assert sum(there["L"] for there in stands.values()) == 8
    assert served > max(cell for cell, there in stands.items() if there["L"] and cell != served)


def test_an_onager_with_a_target_in_range_throws_and_does_not_move() -> None:
    course = fight_out(site("20L 8On", "28L"), Dice("throws").streams()).course
    onagers = {each.number for each in course.start if each.item == "On"}
    moved = {
        (number, incident.who)
        for number, turns in enumerate(course.rounds, start=1)
        for turn in turns
        for incident in turn.incidents
        if incident.kind == MOVE and incident.who in onagers
    }
    thrown = [
        (number, incident.who)
        for number, turns in enumerate(course.rounds, start=1)
        for turn in turns
        for incident in turn.incidents
        if incident.kind == ONAGER
    ]
    assert len(thrown) > 40
    assert not moved & set(thrown)
    assert not {number for number, _ in moved if number == 1}


@pytest.mark.parametrize(
    ("known", "rolls", "searched", "is_up"),
    [([], [11, 4, 12], 3, True), ([], [11] * 12, 12, False), (None, [], 0, True)],
)
def test_gear_comes_up_a_step_by_an_ascent_that_is_known_or_found(
    known: list[Edge] | None, rolls: list[int], searched: int, is_up: bool
) -> None:
    """Bert stands beyond the reach of anna's onager, a level higher; who serves it looks for a way once a round."""
    battle = site("2L 1On", "1L")
    ascents = [Edge(cell, side) for cell in range(1, 49) for side in Side] if known is None else known
    target = GreatField(cells="H" * 48, ascents=frozenset(ascents))
    land = Land({gf_of(SOURCE): PLAIN, gf_of(TARGET): target}, PLAIN)
    pull = Plan(SOURCE, True, (Placing(Spot(2), (("L", 2), ("On", 1))),))
    stay = Plan(TARGET, True, (Placing(Spot(1), (("L", 1),)),), aims=(Aim("ALL", "HOLD"),))
    armies = tuple(replace(army, plan=plan) for army, plan in zip(battle.armies, (pull, stay), strict=True))
    moved = replace(battle, ground=ground_of(land, (SOURCE, TARGET)), armies=armies)
    dice = {f"battle/{TARGET}/{kr}/ascent": [roll] for kr, roll in enumerate(rolls, start=1)}
    rolled = Dice("step", rows={name.casefold(): row for name, row in dice.items()})
    course = fight_out(moved, rolled.streams()).course
    incidents = [incident for turns in course.rounds for turn in turns for incident in turn.incidents]
    assert course_from_json(course_to_json(course)) == course
    assert [incident.rolls[0] for incident in incidents if incident.kind == ASCENT] == rolls[:searched]
    assert any(incident.kind == MOVE and incident.at.gf == gf_of(TARGET) for incident in incidents) == is_up
    lines = [load_phrases("kalevala").render(line) for line in tale.rolls(account_of(course))]
    assert sum("looks for an ascent" in line for line in lines) == searched


def test_a_battle_that_divides_a_field_leaves_the_other_in_it_its_figures() -> None:
    """Two battles in parts of one great field that don't touch: the first one gives the parts other names."""
    chance = random.Random("final/484")
    battles, faults = faults_of(a_war(chance), chance)
    assert battles > 1
    assert not faults


def test_four_who_come_together_where_the_plan_says_form_a_phalanx_as_their_whole_move() -> None:
    """They start apart; when the fourth has come they form, and stand still in that round."""
    battle = site("4L", "1L")
    places = tuple(Placing(Spot(cell), (("L", 1),)) for cell in (32, 33, 34, 40))
    guard = Plan(SOURCE, True, places, aims=(Aim("ALL", "GUARD", Spot(26)),), phalanxes=(Phalanx(Spot(26), Side.NW),))
    hold = Plan(TARGET, is_own=True, aims=(Aim("ALL", "HOLD"),))
    armies = tuple(replace(army, plan=plan) for army, plan in zip(battle.armies, (guard, hold), strict=True))
    course = fight_out(replace(battle, armies=armies), Dice("form").streams()).course
    formed = [
        (number, str(incident.at), incident.to)
        for number, turns in enumerate(course.rounds, start=1)
        for turn in turns
        for incident in turn.incidents
        if incident.kind == FORM
    ]
    assert formed == [(2, f"{SOURCE}:26", "NW")]


def test_the_measured_rows_can_be_read_and_an_uneven_battle_ends_as_expected() -> None:
    """All rows: `python -m tests.measure_kalevala_battles`."""
    table = {(row.attacker, row.defender): row for row in rows()}
    assert len(table) == 53
    assert measure(table["40L", "20L"], 5).ends == (100, 0, 0)


def _neighbours_at_war(roll: int) -> dict[str, Any]:
    return {
        "system": "kalevala",
        "seed": "neighbours",
        "phase": {"gr": 2, "part": 3},
        "dice": {f"battle/2D+5/{kr}/melee": [roll, 21 - roll] * 60 for kr in range(1, 13)},
        "state": {
            "rulers": {"anna": {}, "bert": {}, "carl": {}},
            "owners": {"2D+4": "anna", "2D+5": "bert", "2E+5": "carl", "2E+4": "carl"},
            "stacks": {"anna": {"2D+4": "9L"}, "bert": {"2D+5": "8L"}, "carl": {"2E+5": "5L", "2E+4": "5L"}},
            "explored": {"anna": [{"from": "2D+4", "to": "2D+5"}]},
        },
    }


def test_neighbours_see_the_same_whoever_wins() -> None:
    shown, owners = [], []
    for roll in (18, 3):
        state = load(_neighbours_at_war(roll))
        anna, carl = PowerId("anna"), PowerId("carl")
        line = RULES.orders.read("ENTER 2 2D+4 K 2D+5 9L", RULES.sight.view(state, Playing(anna)))
        assert line is not None
        done = RULES.play.adjudicate(state, {anna: [line], carl: []}, RULES.play.dice(state))
        owners.append(done.state.owners.get("2D+5"))  # type: ignore[call-overload]
        shown.append(shown_to(done.state, done.events, carl))
        assert "battle" not in {event.facts.code for event in visible_events(done.events, Playing(carl)) if event.facts}
        assert view(done.state, Playing(anna)).state.stacks.keys() <= {"anna", "bert"}
    assert owners == ["anna", "bert"]
    assert shown[0] == shown[1]


def test_figures_of_a_field_that_is_divided_anew_have_moved_as_before() -> None:
    anna = PowerId("anna")
    opening = RULES.play.start(variant="small", players=6, options={}, seed="marks")
    window = Window(opening, {}, None)
    at = next(iter(window.stacks[anna]))
    item = next(iter(window.stacks[anna][at]))
    window.put(anna, at, item, 3, is_marked=True)
    whole = window.land.cells(at)
    half = frozenset(sorted(whole)[:10])
    names = divide(window, gf_of(at), [half, whole - half])
    assert names[at] != at
    assert window.unmarked(anna, names[at])[item] == window.stacks[anna][names[at]][item] - 3
    assert (anna, at) not in window.marks


@pytest.mark.parametrize(("is_riding", "is_free"), [(True, False), (False, True)])
def test_gear_changes_places_with_men_on_foot_alone(is_riding: bool, is_free: bool) -> None:
    """Ruling KA71; a rider who left an elephant in this way could fall after it, and the battle broke off."""
    land = Land({gf_of(SOURCE): PLAIN, gf_of(TARGET): PLAIN}, PLAIN)
    fight = Fight(replace(site("1L", "1L"), ground=ground_of(land, (SOURCE, TARGET))), Dice("room").streams())
    kf, other = (fight.ground.index[gf_of(TARGET), cell] for cell in (20, 21))
    party, army = fight.site.parties[0], fight.site.armies[0]
    elephant = Fighter(1, party, army, "El", kf)
    crowd = [Fighter(number, party, army, "L", kf) for number in range(2, 2 + fight.room(kf) - elephant.space)]
    for each in (elephant, *crowd):
        fight.put(each, kf)
        each.carrier = elephant if is_riding and each is not elephant else None
    ladder = Fighter(99, party, army, "Le", other)
    fight.put(ladder, other)
    assert fight.room(kf) < ladder.space
    assert make_room(fight, ladder, kf) == is_free


@pytest.mark.parametrize(
    ("hits", "borne"),
    [
        (1, "L IP sP El On Le Se Wi Sk Bt K"),
        (2, "L IP sP Le Se Wi"),
        (3, "L"),
        (4, ""),
    ],
)
def test_a_stream_bridge_bears_less_with_each_hit(hits: int, borne: str) -> None:
    """27.2: from the bank on KF 21 one steps onto it, or can't; a rider stands for the horse under him."""
    bridge = Work("BR", 20, banks=(19, 21), hits=hits)
    land = Land(
        {gf_of(SOURCE): PLAIN, gf_of(TARGET): GreatField(cells="T" * 19 + "W" + "T" * 28, works=(bridge,))}, PLAIN
    )
    fight = Fight(replace(site("1L", "1L"), ground=ground_of(land, (SOURCE, TARGET))), Dice("bridge").streams())
    index = fight.ground.index
    bank, over = index[gf_of(TARGET), 21], index[gf_of(TARGET), 20]
    found = []
    for number, item in enumerate(["L", "IP", "sP", "El", "On", "Le", "Se", "Wi", "Sk", "Bt", "K"], start=1):
        mount = item if item in ("IP", "sP") else ""
        one = Fighter(number, fight.site.parties[0], fight.site.armies[0], "L" if mount else item, bank, mount=mount)
        one.crew = [one] * CREWS.get(item, 0)
        look = Lookout(fight, one.party.ruler)
        if over in reach(look, one) and look.ways(look.board.bits[over], one).steps(bank) is not None:
            found.append(item)
    assert found == borne.split()


def test_lines_of_a_plan_are_for_those_who_attack_first_and_for_those_who_stay_once_they_are_used_up() -> None:
    """Some attack and some stay; both used to take what each line names, so that figures stood there twice.

    KA298
    """
    document = {
        "system": "kalevala",
        "phase": {"gr": 3, "part": 3},
        "state": {
            "rulers": {"anna": {}, "bert": {}},
            "owners": {"2D+4": "anna", "2D+5": "bert"},
            "stacks": {"anna": {"2D+4": "6L 2B 3On"}, "bert": {"2D+5": "1L"}},
            "explored": {"anna": [{"ee": 1, "from": "2D+4", "to": "2D+5"}]},
        },
    }
    state = load(document)
    lines = (
        "ENTER 2 2D+4 K 2D+5 3L 1B",
        "BATTLE 2D+4",
        *(f"PLACE {cell} {figures}" for cell, figures in ((1, "2L"), (2, "2L"), (3, "2L"), (4, "1B"), (5, "1B"))),
        "END",
    )
    orders = read_orders(RULES, view(state, Playing(ANNA)), "\n".join(lines)).values
    done = RULES.play.adjudicate(state, {ANNA: orders}, RULES.play.dice(state))
    assert {result.all_codes for result in done.results if "PLACE" in result.text} == {("ok",)}
    (course,) = (each.facts.args["course"] for each in done.events if each.facts and each.facts.code == "battle")
    start = Counter((row[4], row[2]) for row in course["start"] if row[1] == "anna" and row[2] != "On")
    assert start == {**{(f"2D+4:{cell}", "L"): 2 for cell in (1, 2, 3)}, ("2D+4:4", "B"): 1, ("2D+4:5", "B"): 1}


def test_a_group_takes_no_more_figures_than_its_line_names() -> None:
    battle = site("4L", "1L")
    plan = Plan(SOURCE, groups=(Band("left", (("L", 2),)),))
    going, staying = (
        replace(battle.armies[0], figures={"L": 2}, plan=plan, target=target) for target in (TARGET, None)
    )
    fight = Fight(replace(battle, armies=(going, staying, *battle.armies[1:])), Dice("groups").streams())
    deploy(fight)
    assert Counter(each.group for each in fight.living(ANNA)) == {"left": 2, "": 2}


@pytest.mark.parametrize(
    ("there", "result", "line", "code"),
    [
        ({}, "full", "AIM ALL KILL", "W5"),
        ({}, "full", "PLUNDER RE", None),
        ({}, "geography", "AIM ALL KILL", None),
        ({"2D+5": "1L"}, "full", "AIM ALL KILL", None),
    ],
)
def test_the_receipt_says_when_a_plan_is_of_use_only_if_others_come(
    there: dict[str, str], result: str, line: str, code: str | None
) -> None:
    """An attack where nobody was seen leads to no battle, and its block was void without a word beforehand."""
    rows = [{"ee": 1, "from": "2D+4", "to": "2D+5", "result": result}]
    state = {
        "rulers": {"anna": {}, "bert": {}},
        "owners": {"2D+4": "anna", "2D+5": "bert", "2D+6": "bert"},
        "stacks": {"anna": {"2D+4": "6L"}, "bert": {"2D+6": "1L", **there}},
        "explored": {"anna": rows},
    }
    seen = view(load({"system": "kalevala", "phase": {"gr": 3, "part": 3}, "state": state}), Playing(ANNA))
    lines = RULES.orders.parse(f"ENTER 2 2D+4 K 2D+5 5L\nBATTLE 2D+4\n{line}\nEND", seen).orders
    assert RULES.orders.rehearse is not None
    assert RULES.orders.rehearse(seen, lines).lines[1].code == (code or "ok")
