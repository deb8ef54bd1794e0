"""Artefacts: the guide's example, battles, thieves, documents, who learns of them. Rulings KA230 to KA235"""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

from engine.computer.levels import CARE, Level, think
from engine.core.dice import Dice
from engine.core.errors import DocumentError
from engine.core.events import visible_events
from engine.core.ids import PowerId
from engine.core.variant import load_phrases
from engine.core.viewer import Playing
from engine.kalevala.artefacts.doors import ARTEFACT_DOOR
from engine.kalevala.artefacts.facts import artefacts_in
from engine.kalevala.battle import bearers
from engine.kalevala.battle.course import ARTEFACT, course_from_json, course_to_json
from engine.kalevala.battle.fight import Fight
from engine.kalevala.battle.melee import points
from engine.kalevala.battle.rounds import fight_out
from engine.kalevala.battle.sites import BattleSite, Borne
from engine.kalevala.coordinates import Province, gf_of
from engine.kalevala.document import load
from engine.kalevala.guide import guide_of
from engine.kalevala.info import SYSTEM
from engine.kalevala.model import State
from engine.kalevala.orders import Line
from engine.kalevala.system import KALEVALA as RULES
from engine.kalevala.telling.reading import account_of
from engine.kalevala.telling.tale import story
from engine.kalevala.writing import dump
from tests.engine.kalevala.hidden import variants
from tests.engine.kalevala.test_secrets import all_that_is_shown
from tests.engine.kalevala.test_wizards import GOAL, of, planned, ready
from tests.engine.kalevala.wars import a_war_for_artefacts, faults_of
from tests.measure_kalevala_battles import ANNA, BERT
from tests.random_kalevala import sheet

WORDS = load_phrases(SYSTEM)
CARL = PowerId("carl")
SAMPO = Borne("Ar/1", 3)


def bearing(site: BattleSite, ruler: PowerId, *borne: Borne) -> BattleSite:
    armies = tuple(replace(army, artefacts=borne) if army.ruler == ruler else army for army in site.armies)
    return replace(site, armies=armies)


def fight_of(anna: str, bert: str, *borne: Borne) -> Fight:
    """A fight in which Anna's army has artefacts."""
    fight = ready(bearing(planned(anna, bert), ANNA, *borne))
    bearers.hand_out(fight)
    return fight


@pytest.mark.parametrize(
    ("figures", "bearer", "code"),
    [
        ("3L 1LB 1BC", "", "BC"),
        ("3L 1LB 1BC", "LB", "LB"),
        ("3L 1KrKö/4", "", "KrKö"),
        ("3L 1Pr/5", "Pr", "Pr"),
        ("3L 1Z/30", "Z", "Z"),
        ("3L", "K", "L"),
    ],
)
def test_the_best_fighter_bears_it_unless_another_kind_is_named(figures: str, bearer: str, code: str) -> None:
    fight = fight_of(figures, "1L", replace(SAMPO, bearer=bearer))
    (relic,) = fight.relics
    assert relic.bearer is not None
    assert relic.bearer.code == code


def test_its_bearer_has_its_points_in_attack_and_defence_and_nobody_else_has() -> None:
    fight, bare = fight_of("2L", "1L", SAMPO), fight_of("2L", "1L")
    gained = []
    for is_attack in (True, False):
        for number in range(2):
            mine, plain = of(fight, ANNA, "L")[number], of(bare, ANNA, "L")[number]
            theirs, other = of(fight, BERT, "L")[0], of(bare, BERT, "L")[0]
            with_it = points(fight, mine, theirs, mine.kf, is_attack=is_attack)
            gained.append(with_it - points(bare, plain, other, plain.kf, is_attack=is_attack))
    assert gained == [3, 0, 3, 0]


def test_several_go_to_several_and_of_two_on_one_the_stronger_counts() -> None:
    fight = fight_of("2L", "1L", SAMPO, Borne("Ar/2", 1))
    assert sorted(each.relic_points for each in of(fight, ANNA, "L")) == [1, 3]
    (lone,) = of(fight_of("1L", "1L", Borne("Ar/2", 1), SAMPO), ANNA, "L")
    assert lone.relic_points == 3


def test_the_fallen_drop_it_and_whoever_is_alone_there_takes_it() -> None:
    fight = fight_of("2L", "1L", SAMPO)
    (relic,) = fight.relics
    bearer = relic.bearer
    assert bearer is not None
    for each in list(fight.at[bearer.kf]):
        if each is not bearer:
            fight.move(each, fight.ground.index[GOAL, 48])
    where = bearer.kf
    fight.fall(bearer)
    bearers.watch(fight)
    assert (relic.bearer, relic.kf) == (None, where)
    (foe,) = of(fight, BERT, "L")
    fight.move(foe, where)
    bearers.watch(fight)
    assert relic.bearer is foe
    assert foe.relic_points == 3
    (after,) = bearers.after(fight)
    assert (after.ruler, after.holder, after.at) == (ANNA, BERT, fight.ground.provinces[where])


def test_where_both_sides_stand_nobody_takes_it() -> None:
    fight = fight_of("3L", "1L", SAMPO)
    (relic,) = fight.relics
    assert relic.bearer is not None
    where = relic.bearer.kf
    fight.fall(relic.bearer)
    mine, theirs = next(fight.living(ANNA)), next(fight.living(BERT))
    fight.move(mine, where)
    fight.move(theirs, where)
    bearers.watch(fight)
    assert relic.bearer is None


def test_the_winner_of_a_duel_takes_it_on_twelve() -> None:
    site = bearing(planned("1L 1Z/50", "3L 1Z/50"), ANNA, replace(SAMPO, bearer="Z"))
    for total, winner_has_it in (([11], False), ([12], True)):
        fight = ready(site, rows={"battle/2c+5/1/artefact": total})
        bearers.hand_out(fight)
        (relic,) = fight.relics
        loser, winner = of(fight, ANNA, "Z")[0], of(fight, BERT, "Z")[0]
        bearers.win_from(fight, loser, winner)
        assert (relic.bearer is winner) is winner_has_it


def test_a_god_who_wins_a_duel_leaves_it_where_the_loser_is() -> None:
    site = bearing(planned("1L 1Z/50", "3L 1Z/50"), ANNA, replace(SAMPO, bearer="Z"))
    fight = ready(site, rows={"battle/2c+5/1/artefact": [12]})
    bearers.hand_out(fight)
    (relic,) = fight.relics
    loser = of(fight, ANNA, "Z")[0]
    bearers.win_from(fight, loser, None)
    assert (relic.bearer, relic.kf) == (None, loser.kf)


def test_what_becomes_of_one_in_battle_is_told() -> None:
    site = bearing(planned("20L", "40L"), ANNA, SAMPO)
    for seed in range(60):
        end = fight_out(site, Dice(f"artefact {seed}").streams())
        assert course_from_json(course_to_json(end.course)) == end.course
        kinds = [incident.kind for turns in end.course.rounds for turn in turns for incident in turn.incidents]
        if kinds.count(ARTEFACT) == 1 and end.artefacts[0].holder == BERT:
            told = "\n".join(WORDS.render(line) for line in story(account_of(end.course)))
            assert "Bert's people took an artefact of Anna's on" in told
            return
    raise AssertionError("nobody ever takes one")


def war(**changes: object) -> State:
    """Anna attacks Bert with the Sampo among her figures."""
    state = {
        "rulers": {"anna": {"capital": "2D+4"}, "bert": {}, "carl": {}},
        "owners": {"2D+4": "anna", "2D+5": "bert", "2K+4": "carl"},
        "stacks": {"anna": {"2D+4": "20L Ar/1"}, "bert": {"2D+5": "4L"}, "carl": {"2K+4": "5L"}},
        "explored": {"anna": [{"ee": 1, "from": "2D+4", "to": "2D+5"}]},
        "things": [{"name": "Sampo", "at": "2D+4", "holder": "anna", "gp": 3, "seen": ["anna"], "text": "A mill."}],
    }
    return load({"system": "kalevala", "phase": {"gr": 3, "part": 3}, "state": {**state, **changes}})


def orders(state: State, ruler: PowerId, text: str) -> dict[PowerId, tuple[Line, ...]]:
    """One ruler's sheet, and those of others who do nothing."""
    return {each: sheet(state, each, text if each == ruler else "PASS") for each in (ANNA, BERT, CARL)}


def test_it_goes_into_battle_and_stays_with_the_army_that_wins() -> None:
    state = war()
    done = RULES.play.adjudicate(state, orders(state, ANNA, "ENTER 2 2D+4 K 2D+5 15L Ar/1"), RULES.play.dice(state))
    after = done.state
    assert after.owners[Province("2D+5")] == ANNA
    assert after.stack(ANNA, Province("2D+5")).get("Ar/1") == 1
    (artefact,) = artefacts_in(after.modules)
    assert (artefact.at, artefact.holder) == ("2D+5", ANNA)


def test_whoever_beats_its_bearer_has_it_and_is_told_what_it_is() -> None:
    state = war(
        stacks={"anna": {"2D+4": "3L Ar/1"}, "bert": {"2D+5": "30LC"}, "carl": {"2K+4": "5L"}},
        explored={"bert": [{"ee": 1, "from": "2D+5", "to": "2D+4"}]},
    )
    done = RULES.play.adjudicate(state, orders(state, BERT, "ENTER 2 2D+5 K 2D+4 28LC"), RULES.play.dice(state))
    (artefact,) = artefacts_in(done.state.modules)
    assert (artefact.holder, artefact.at) == (BERT, "2D+4")
    told = [
        WORDS.render(event.what)
        for event in visible_events(done.events, Playing(BERT))
        if event.facts is not None and event.facts.code == "artefact"
    ]
    assert told == [
        "Sampo (Ar/1) is yours now, in 2D+4: an artefact that gives its bearer 3 GP in hand-to-hand combat. A mill."
    ]


@pytest.mark.parametrize("part", [1, 3])
def test_nothing_that_strangers_are_shown_tells_of_an_artefact(part: int) -> None:
    state = war(
        things=[
            {"name": "Sampo", "at": "2D+4", "holder": "anna"},
            {"name": "Horn", "at": "2D+5", "kf": 12},
            {"name": "Ring", "at": "2F+6", "kf": 12},
        ]
    ).replace(part=part)
    worlds = list(variants(state, Playing(CARL)))
    assert any({each.name for each in artefacts_in(other.modules)} == {"Hidden"} for other in worlds)
    lines = "ARTEFACT TAKE 2D+5\nARTEFACT TAKE 2F+6\nARTEFACT BEAR Ar/1 L"
    shown = all_that_is_shown(state, CARL, lines)
    for other in worlds:
        assert all_that_is_shown(other, CARL, lines) == shown


def test_those_who_see_figures_with_one_see_that_there_is_one_and_not_which() -> None:
    state = war(permits=[{"of": "anna", "to": "bert", "gf": "2D+4", "until": 9}])
    state = state.replace(stacks={**state.stacks, BERT: {**state.stacks[BERT], "2D+4": {"L": 1}}})
    seen = RULES.sight.view(state, Playing(BERT)).state
    assert seen.stacks[ANNA][Province("2D+4")] == {"L": 20, "Ar": 1}
    assert list(artefacts_in(seen.modules)) == []


def test_the_guided_flow_and_the_page_offer_what_can_be_done() -> None:
    state = war(
        things=[{"name": "Sampo", "at": "2D+4", "holder": "anna"}, {"name": "Horn", "at": "2D+4", "kf": 12}]
    ).replace(part=1)
    view = RULES.sight.view(state, Playing(ANNA))
    found = [str(order) for order, _ in guide_of(view, ()).whole("ARTEFACT")]
    assert found[:3] == ["ARTEFACT TAKE 2D+4", "ARTEFACT BEAR Ar/1 L", "ARTEFACT LAY Ar/1 2D+4 KF 20"]
    assert ARTEFACT_DOOR.page is not None
    page = ARTEFACT_DOOR.page(view, ())
    assert page is not None
    lines = [WORDS.render(line) for line in page.lines]
    assert lines[0].startswith("Ar/1: Sampo, in 2D+4. It gives its bearer 2 GP in hand-to-hand combat.")
    assert lines[1].startswith("Ar/2: Horn lies in 2D+4, KF 12.")
    assert not ARTEFACT_DOOR.is_open(RULES.sight.view(state, Playing(CARL)), ())


@pytest.mark.parametrize("example", ["MOVE", "ARTEFACT BEAR", "ARTEFACT LAY"])
def test_the_examples_of_the_page_are_of_an_artefact_that_the_reader_has(example: str) -> None:
    """The first artefact of this game is not anna's, and hers is not in her capital."""
    state = war(
        owners={"2D+4": "anna", "2C+4": "anna", "2D+5": "bert", "2K+4": "carl"},
        stacks={"anna": {"2D+4": "20L", "2C+4": "3SB"}, "bert": {"2D+5": "4L"}, "carl": {"2K+4": "5L"}},
        things=[{"name": "Horn", "at": "2K+4", "holder": "carl"}, {"name": "Sampo", "at": "2C+4", "holder": "anna"}],
    ).replace(part=1)
    view = RULES.sight.view(state, Playing(ANNA))
    page = ARTEFACT_DOOR.page(view, ())
    assert page is not None
    (line,) = re.findall(f"`({example} [^`]+)`", WORDS.render(page.lines[-1]))
    orders = RULES.orders.parse(line, view).orders
    assert [each.level for each in RULES.orders.rehearse(view, orders).lines] == ["ok"], line


def test_a_document_has_them_and_reads_them_again() -> None:
    state = war()
    assert load(dump(state)) == state
    missing = war(stacks={"anna": {"2D+4": "20L"}, "bert": {"2D+5": "4L"}, "carl": {"2K+4": "5L"}})
    assert missing.stack(ANNA, Province("2D+4"))["Ar/1"] == 1


@pytest.mark.parametrize(
    ("row", "where"),
    [
        ({"at": "2D+4"}, "state.things[0].name"),
        ({"name": "Sampo", "at": "9Z+99x"}, "state.things[0].at"),
        ({"name": "Sampo", "at": "2D+4", "gp": 6}, "state.things[0].gp"),
        ({"name": "Sampo", "at": "2D+4", "holder": "louhi"}, "state.things[0].holder"),
    ],
)
def test_a_document_with_a_wrong_one_is_refused_by_its_place(row: dict[str, object], where: str) -> None:
    with pytest.raises(DocumentError) as refused:
        war(things=[row], stacks={"anna": {"2D+4": "20L"}, "bert": {"2D+5": "4L"}, "carl": {"2K+4": "5L"}})
    assert refused.value.where == where


@pytest.mark.parametrize("number", range(12))
def test_in_wars_made_up_at_random_none_is_lost_or_doubled(number: int) -> None:
    chance = random.Random(f"artefacts/{number}")
    state = a_war_for_artefacts(chance)
    _, faults = faults_of(state, chance)
    assert faults == []


@pytest.mark.parametrize("variant", ["small", "world"])
def test_a_new_game_hides_as_many_as_its_option_says(variant: str) -> None:
    options = {"artefacts": 4}
    state = load({"system": "kalevala", "variant": variant, "seed": "lost", "options": options})
    found = list(artefacts_in(state.modules))
    assert len({each.at for each in found}) == 4
    for each in found:
        assert each.holder is None
        assert each.at not in state.owners
        assert gf_of(each.at) in state.land
    assert load({"system": "kalevala", "variant": variant, "seed": "lost", "options": options}) == state
    plain = load({"system": "kalevala", "variant": variant, "seed": "lost"})
    assert state.replace(modules=plain.modules, options=plain.options) == plain


def test_the_computer_picks_up_what_lies_in_its_land() -> None:
    state = war(things=[{"name": "Horn", "at": "2D+4", "kf": 12}], stacks={"anna": {"2D+4": "20L"}}).replace(part=1)
    assert RULES.judgement is not None
    view = RULES.sight.view(state, Playing(ANNA))
    lines = think(RULES, RULES.judgement, view, ANNA, CARE[Level.FAIR], random.Random("horn"))
    assert "ARTEFACT TAKE 2D+4" in lines
