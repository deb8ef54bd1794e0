"""Gods whom priests call into battles: costs, dice, who comes, what is told and offered. Source: rules 20.5"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from engine.core.dice import Dice
from engine.core.events import visible_events
from engine.core.ids import PowerId
from engine.core.reading import read_orders
from engine.core.variant import load_phrases
from engine.core.viewer import Playing
from engine.kalevala.battle import apparitions, invocations
from engine.kalevala.battle.course import GOD, GOD_CALLED, GOD_LEAVES, course_from_json, course_to_json
from engine.kalevala.battle.fight import Fight
from engine.kalevala.battle.rounds import fight_out
from engine.kalevala.battle.sites import Apparition, Calling
from engine.kalevala.document import load
from engine.kalevala.gods.doors import GOD_DOOR
from engine.kalevala.info import SYSTEM
from engine.kalevala.kings.facts import King
from engine.kalevala.system import KALEVALA as RULES
from engine.kalevala.telling.reading import account_of
from engine.kalevala.telling.tale import rolls, story
from engine.kalevala.wizards.spells import PARALYSE
from engine.kalevala.writing import dump
from tests.engine.kalevala.test_priests import dice, gathered
from tests.engine.kalevala.test_wizards import of, planned, ready
from tests.engine.kalevala.wars import a_crusade, a_war_sheet, faults_of
from tests.games.record import FOLDER
from tests.measure_kalevala_battles import ANNA, BERT

CARL = PowerId("carl")
WORDS = load_phrases(SYSTEM)
HEARD, JUST, UNHEARD = [11], [10], [9]
DOCUMENT = {
    "system": "kalevala",
    "phase": {"gr": 2, "part": 3},
    "state": {
        "rulers": {
            "anna": {"god": {"oeh": 357, "seat": 1, "abilities": ["PARALYSE"]}},
            "bert": {"god": {"oeh": 150, "seat": 2}},
            "carl": {},
        },
        "gf": {"2D+5": {"hz": {"type": "Std", "kf": 19}}},
        "owners": {"2D+4": "anna", "2D+5": "bert", "2C+8": "carl"},
        "stacks": {"anna": {"2D+4": "25L Pr/22"}, "bert": {"2D+5": "20L"}, "carl": {"2C+8": "5L"}},
        "explored": {"anna": [{"from": "2D+4", "to": "2D+5"}]},
    },
}
ENTRY = "ENTER 2 2D+4 K 2D+5 24L Pr/22\nBATTLE 2D+4 VS 2D+5\nGROUP holy Pr/22\nAIM holy AVOID\nEND"


def calling(attacker: str, *abilities: str, gods: tuple[Apparition, ...] = (), **rolled: Sequence[int]) -> Fight:
    """A fight in its first round; anna's priests call her god, who has 200 OEH. Dice of all rounds are the same."""
    start = replace(planned(attacker, "1L"), callings=(Calling(ANNA, abilities, 200, 1),), gods=gods)
    rows = {f"battle/2c+5/{number}/{kind}": list(throws) for number in range(1, 7) for kind, throws in rolled.items()}
    return ready(start, rows)


def a_royal_fight(payers: str, rolled: int, **more: object) -> Fight:
    """A fight in its first round; anna's priest king with 100 points of power could call her god. Source: rules 18.5"""
    start = replace(planned(f"1L PrKö/4/100 {payers}", "1L"), callings=(Calling(ANNA, ("BASE", "BASE"), 200, 1),))
    parties = tuple(replace(each, king=King(**more)) if each.ruler == ANNA else each for each in start.parties)  # type: ignore[arg-type]
    rows = {f"battle/2c+5/{number}/priest": [rolled] for number in range(1, 7)}
    return ready(replace(start, parties=parties), rows)


@pytest.mark.parametrize(
    ("payers", "rolled", "left", "has_come"),
    [
        ("Z/15", 10, ["Z/0"], True),
        ("Z/15", 9, ["Z/8"], False),
        ("Z/20 Pr/30", 10, ["Z/20", "Pr/15"], True),
        ("Z/30 Pr/20", 10, ["Z/15", "Pr/20"], True),
        ("Z/14 Pr/14", 10, ["Z/14", "Pr/7"], False),
        ("Z/14 Pr/14", 11, ["Z/14", "Pr/4"], True),
    ],
    ids=["a wizard pays", "in vain", "a priest has more", "the wizard has more", "a priest calls", "and is heard"],
)
def test_what_the_call_of_a_priest_king_costs_and_needs(
    payers: str, rolled: int, left: list[str], *, has_come: bool
) -> None:
    fight = a_royal_fight(payers, rolled)
    invocations.call(fight, ANNA)
    assert [each.item_now for code in ("Z", "Pr") for each in of(fight, ANNA, code)] == left
    assert bool(fight.gods.present) is has_come


@pytest.mark.parametrize("more", [{"ill": 1}, {"is_plain": True}])
def test_a_priest_king_whose_power_does_not_work_calls_nobody(more: dict[str, object]) -> None:
    fight = a_royal_fight("Z/30", 18, **more)
    invocations.call(fight, ANNA)
    assert not fight.gods.present


def test_a_king_calls_and_priests_keep_the_god_for_longer() -> None:
    fight = a_royal_fight("Z/30 Pr/10", 11)
    for fight.round in (1, 2):
        invocations.call(fight, ANNA)
        fight.gods.present[0].done.append("BASE")
    assert [each.item_now for code in ("Z", "Pr") for each in of(fight, ANNA, code)] == ["Z/15", "Pr/7"]


def priests_now(fight: Fight) -> list[str]:
    return [priest.item_now for priest in of(fight, ANNA, "Pr")]


@pytest.mark.parametrize(
    ("priests", "rolled", "left", "has_come"),
    [
        ("Pr/10", 11, ["Pr/0"], True),
        ("Pr/10", 10, ["Pr/3"], False),
        ("Pr/8 Pr/7", 10, ["Pr/0", "Pr/0"], True),
        ("Pr/8 Pr/7", 9, ["Pr/2", "Pr/1"], False),
        ("Pr/6 Pr/30", 10, ["Pr/6", "Pr/23"], False),
        ("Pr/9 Pr/5", 18, ["Pr/9", "Pr/5"], False),
    ],
    ids=["one", "one in vain", "two", "two in vain", "one is too poor", "both are"],
)
def test_what_a_call_costs_and_needs(priests: str, rolled: int, left: list[str], *, has_come: bool) -> None:
    fight = calling(f"1L {priests}", "BASE", priest=[rolled])
    invocations.call(fight, ANNA)
    assert sorted(priests_now(fight)) == sorted(left)
    assert bool(fight.gods.present) is has_come


def test_a_called_god_uses_the_ability_for_which_he_was_paid() -> None:
    fight = calling("1L Pr/22", "PARALYSE", "BASE", priest=HEARD)
    invocations.call(fight, ANNA)
    assert (priests_now(fight), fight.gods.present) == (["Pr/22"], []), "nobody is in contact, so nobody calls"
    _, theirs, _ = gathered(fight)
    invocations.call(fight, ANNA)
    apparitions.act(fight, ANNA)
    assert PARALYSE in theirs.under
    assert priests_now(fight) == ["Pr/10"]


def test_who_has_prayed_in_a_round_does_not_call_and_the_other_way_round() -> None:
    fight = calling("1L Pr/30 Pr/20", "BASE", priest=HEARD)
    other, first = of(fight, ANNA, "Pr")
    assert first.devotion is not None
    first.devotion.prayed_in = 1
    invocations.call(fight, ANNA)
    assert (first.item_now, other.item_now) == ("Pr/30", "Pr/10")
    assert other.devotion is not None
    assert other.devotion.prayed_in == 1


def test_a_called_god_is_kept_for_two_rounds_more_and_then_goes() -> None:
    fight = calling("1L Pr/30", "BASE", "BASE", "BASE", "BASE", priest=HEARD)
    left = []
    for number in range(1, 5):
        fight.round = number
        invocations.call(fight, ANNA)
        fight.gods.present[0].done.append("BASE")
        left.append(priests_now(fight)[0])
    assert left == ["Pr/20", "Pr/17", "Pr/14", "Pr/14"]
    apparitions.act(fight, ANNA)
    assert fight.gods.present[0].is_gone


def test_a_regular_stay_is_not_called_into_and_ends_after_six_rounds_in_all() -> None:
    coming = Apparition(ANNA, ANNA, BERT, (), 5, 200, 1)
    fight = calling("1L Pr/30", "BASE", gods=(coming,))
    invocations.call(fight, ANNA)
    assert priests_now(fight) == ["Pr/30"]
    god = fight.gods.present[0]
    god.done += ["BASE"] * 5
    assert invocations._may_be_kept(god)
    god.called = 1
    god.done.append("BASE")
    assert not invocations._may_be_kept(god)


def test_a_called_god_meets_whoever_is_against_him() -> None:
    rival = Apparition(BERT, BERT, ANNA, (), 3, 300, 1)
    fight = calling("1L Pr/30", "BASE", gods=(rival,), priest=HEARD, god=[6, 15])
    invocations.call(fight, ANNA)
    assert [(god.is_gone, god.lost, god.won) for god in fight.gods.present] == [(False, 0, 9), (True, 18, 0)]
    fight.round = 2
    invocations.call(fight, ANNA)
    assert priests_now(fight) == ["Pr/20"], "who was beaten is not called again"


# Told and offered


def fought(lines: str, rows: dict[str, list[int]], **rulers: object) -> tuple[object, str]:
    """The great round's end of the document's battle, and its story."""
    state = load({**DOCUMENT, "dice": rows})
    view = RULES.sight.view(state, Playing(ANNA))
    sheet = read_orders(RULES, view, f"{ENTRY}\n{lines}")
    assert sheet.errors == ()
    done = RULES.play.adjudicate(state, {ANNA: sheet.values, BERT: (), CARL: ()}, RULES.play.dice(state))
    (battle,) = [event for event in done.events if event.facts and event.facts.code == "battle"]
    assert battle.facts is not None
    course = course_from_json(battle.facts.args["course"])
    assert course_from_json(course_to_json(course)) == course
    account = account_of(course)
    assert GOD_CALLED not in [
        event.facts.code for event in visible_events(done.events, Playing(CARL)) if event.facts is not None
    ]
    return done, "\n".join(WORDS.render(line) for line in (*story(account), *rolls(account)))


def test_the_example_of_the_guide_comes_out_as_it_is_told() -> None:
    text = (Path(__file__).parents[3] / "docs/kalevala.md").read_text(encoding="utf-8")
    chapter = text[text.index("## Gods") : text.index("## Priests and temples")]
    (line,) = re.findall(r"`(GOD CALL .*?)`", chapter)
    rows = {f"battle/2D+5/{number}/priest": [11] for number in range(1, 13)}
    done, told = fought(line, rows)
    assert "Anna's priests called their god, and he came (12 ZEH)." in told
    assert told.count("Anna's priests kept their god for another round (3 ZEH).") == 2
    assert "The god of Anna paralysed" in told
    assert "Anna's priests call their god: 11 (it works)" in told
    assert "Pr/4" in dump(done.state)["state"]["stacks"]["anna"]["2D+4"]  # type: ignore[attr-defined]


def test_a_god_who_is_called_in_vain_is_told_of() -> None:
    _, told = fought("GOD CALL BASE", {f"battle/2D+5/{number}/priest": [10] for number in range(1, 13)})
    assert told.count("Anna's priests called their god in vain (7 ZEH).") == 2, "then too few ZEH are left"
    assert "Anna's priests call their god: 10 (it fails)" in told
    rows = {"battle/2D+5/1/priest": [11], "battle/2D+5/2/priest": [10]}
    _, told = fought("GOD CALL BASE", rows)
    assert "Anna's priests could not keep their god." in told


@pytest.mark.parametrize(
    ("rolled", "story_says", "roll_says"),
    [
        (10, "Anna's king called the god, who came (15 ZEH).", "Anna's king calls the god: 10 (it works)"),
        (9, "Anna's king called the god in vain (7 ZEH).", "Anna's king calls the god: 9 (it fails)"),
    ],
)
def test_the_call_of_a_king_is_told_as_his(rolled: int, story_says: str, roll_says: str) -> None:
    start = replace(planned("9L PrKö/4/100 Z/30", "9L"), callings=(Calling(ANNA, ("BASE",), 200, 1),))
    account = account_of(fight_out(start, Dice("kings", rows=dice("priest", rolled)).streams()).course)
    assert story_says in "\n".join(WORDS.render(line) for line in story(account))
    assert f"KR 1: {roll_says}" in [WORDS.render(line) for line in rolls(account)]


def test_menus_and_the_page_offer_the_call_of_a_king() -> None:
    anna = {**DOCUMENT["state"]["rulers"]["anna"], "king": {"type": "Pr", "power": 100}}  # type: ignore[index]
    stacks = {"anna": {"2D+4": "25L Z/15 PrKö/4/100"}}
    row = {**DOCUMENT["state"], "rulers": {"anna": anna, "bert": {}}, "stacks": stacks}  # type: ignore[dict-item]
    view = RULES.sight.view(load({**DOCUMENT, "options": {"king": True}, "state": row}), Playing(ANNA))
    offered = {choice.value: choice.label for choice in RULES.orders.menu(view, ("GOD",), orders=()).choices}
    assert offered["GOD CALL PARALYSE"] == "be called by your king into a battle: PARALYSE (15 ZEH)"
    assert GOD_DOOR.page is not None
    page = GOD_DOOR.page(view, ())
    assert page is not None
    assert any("has your king call him" in WORDS.render(each) for each in page.lines)


def test_gods_who_fight_each_other_are_in_the_list_of_rolls() -> None:
    rival = Apparition(BERT, BERT, ANNA, (), 3, 300, 1)
    start = replace(planned("9L Pr/30", "9L"), callings=(Calling(ANNA, ("BASE",), 200, 1),), gods=(rival,))
    rows = {**dice("priest", 11), **dice("god", 6, 15)}
    end = fight_out(start, Dice("gods", rows=rows).streams())
    told = [WORDS.render(line) for line in rolls(account_of(end.course))]
    assert "KR 1: the gods of Anna and Bert fight: 7 : 16, levels included" in told


def test_menus_and_the_page_offer_a_call_with_its_price_if_priests_can_pay() -> None:
    state = load(DOCUMENT)
    view = RULES.sight.view(state, Playing(ANNA))
    offered = {choice.value: choice.label for choice in RULES.orders.menu(view, ("GOD",), orders=()).choices}
    assert offered["GOD CALL PARALYSE"] == "be called by your priests into a battle: PARALYSE (12 ZEH at first)"
    assert GOD_DOOR.page is not None
    page = GOD_DOOR.page(view, ())
    assert page is not None
    assert any("`GOD CALL PARALYSE`" in (line := WORDS.render(each)) and "12 ZEH" in line for each in page.lines)
    poor = load({**DOCUMENT, "state": {**DOCUMENT["state"], "stacks": {"anna": {"2D+4": "25L Pr/11"}}}})  # type: ignore[dict-item]
    view = RULES.sight.view(poor, Playing(ANNA))
    assert not [each for each in RULES.orders.menu(view, ("GOD",), orders=()).choices if "CALL" in each.value]


def test_a_war_in_which_gods_are_called_has_no_faults() -> None:
    chance = random.Random("calls 1")
    state = a_crusade(chance)
    _, faults = faults_of(state, chance)
    assert faults == []
    chance = random.Random("calls 1")
    a_crusade(chance)
    sheets = {}
    for ruler in RULES.play.status(state).to_act:
        view = RULES.sight.view(state, Playing(ruler))
        sheets[ruler] = read_orders(RULES, view, a_war_sheet(state, ruler, chance)).values
    events = RULES.play.adjudicate(state, sheets, RULES.play.dice(state)).events
    courses = [event.facts.args["course"] for event in events if event.facts and event.facts.args.get("course")]
    found = {deed["kind"] for course in courses for turns in course["rounds"] for _, done in turns for deed in done}
    assert {GOD, GOD_CALLED, GOD_LEAVES} <= found


_CALLED = {"god_called came", "god_called stays", "god_called goes", "god_leaves anna"}
_PRAYED = {"prayer BLESS", "prayer FEAR", "defied"}


@pytest.mark.parametrize(("game", "wanted"), [("god", _CALLED), ("temple", _PRAYED)])
def test_the_recorded_games_have_what_they_are_recorded_for(game: str, wanted: set[str]) -> None:
    phases = json.loads((FOLDER / f"kalevala-{game}.json").read_text(encoding="utf-8"))["phases"]
    facts = [event["facts"] for phase in phases for event in phase["events"] if event.get("facts")]
    courses = [each["args"]["course"] for each in facts if each["args"].get("course")]
    deeds = [deed for course in courses for turns in course["rounds"] for _, done in turns for deed in done]
    assert wanted <= {f"{deed['kind']} {deed.get('to', '')}".strip() for deed in deeds}
    asked = {each["args"]["question"] for each in facts if each["code"] == "oracle"}
    assert asked == ({"OWNER", "GARRISON", "RULER", "NEAR", "FREE"} if game == "temple" else set())
