"""Weak spots of gods in battle: whom they help, who takes them, what is told of it. Source: rules 24.1, R-077"""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.core.dice import Dice
from engine.core.ids import PowerId
from engine.core.reading import read_orders
from engine.core.variant import load_phrases
from engine.core.viewer import Playing
from engine.kalevala.battle import weak_spots
from engine.kalevala.battle.course import WEAK_SPOT, course_from_json, course_to_json
from engine.kalevala.battle.fight import Fight
from engine.kalevala.battle.melee import points
from engine.kalevala.battle.rounds import fight_out
from engine.kalevala.coordinates import Province
from engine.kalevala.document import load
from engine.kalevala.gods.doors import GOD_DOOR
from engine.kalevala.info import SYSTEM
from engine.kalevala.system import KALEVALA as RULES
from engine.kalevala.telling.reading import account_of
from engine.kalevala.telling.tale import story
from tests.engine.kalevala.test_wizards import GOAL, of, planned, ready
from tests.measure_kalevala_battles import ANNA, BERT

WORDS = load_phrases(SYSTEM)
SPOT, BESIDE, NEAR, FAR = 26, 33, 34, 48
CARL = PowerId("carl")


def hidden(owner: PowerId) -> Fight:
    """A fight of one against one, with the weak spot of somebody's god on a field of it."""
    start = planned("1L", "1L")
    return ready(replace(start, weak_spots={owner: start.ground.index[GOAL, SPOT]}))


def put(fight: Fight, ruler: PowerId, cell: int) -> None:
    fight.move(of(fight, ruler, "L")[0], fight.ground.index[GOAL, cell])


def test_own_warriors_on_it_and_beside_it_have_two_points_more() -> None:
    found = []
    for owner in (BERT, CARL):
        fight = hidden(owner)
        put(fight, ANNA, BESIDE)
        theirs, mine = of(fight, BERT, "L")[0], of(fight, ANNA, "L")[0]
        for cell in (SPOT, NEAR, FAR):
            kf = fight.ground.index[GOAL, cell]
            found.append(points(fight, theirs, mine, kf, is_attack=False))
        put(fight, BERT, SPOT)
        assert points(fight, mine, theirs, mine.kf, is_attack=False) == found[-1]
    on_it, beside, far, *usual = found
    assert [on_it - usual[0], beside - usual[1], far - usual[2]] == [2, 2, 0]


@pytest.mark.parametrize(
    ("owner", "anna", "bert", "taker"),
    [
        (BERT, SPOT, FAR, ANNA),
        (BERT, BESIDE, FAR, None),
        (BERT, SPOT, SPOT, None),
        (BERT, FAR, SPOT, None),
        (CARL, SPOT, FAR, ANNA),
    ],
    ids=["alone on it", "beside it", "together", "the own ones", "of somebody who is away"],
)
def test_who_stands_alone_on_it_at_the_end_of_a_round_takes_it(
    owner: PowerId, anna: int, bert: int, taker: PowerId | None
) -> None:
    fight = hidden(owner)
    put(fight, ANNA, anna)
    put(fight, BERT, bert)
    weak_spots.watch(fight)
    assert fight.weak_spots.taken == ({} if taker is None else {owner: taker})
    assert (owner in fight.weak_spots.at) is (taker is None)


def test_a_weak_spot_that_was_taken_is_told_to_those_in_the_battle() -> None:
    start = planned("20L", "3L")
    before = fight_out(start, Dice("spot").streams())
    last = next(each for each in before.living if each.ruler == ANNA and each.at == Province(GOAL))
    spot = start.ground.index[GOAL, last.cell]
    end = fight_out(replace(start, weak_spots={CARL: spot}), Dice("spot").streams())
    assert end.spots_taken == {CARL: ANNA}
    assert course_from_json(course_to_json(end.course)) == end.course
    kinds = [incident.kind for turns in end.course.rounds for turn in turns for incident in turn.incidents]
    assert kinds.count(WEAK_SPOT) == 1
    told = "\n".join(WORDS.render(line) for line in story(account_of(end.course)))
    assert "Anna's warriors took the weak spot of Carl's god on" in told


def test_the_page_of_a_god_tells_how_long_he_may_be_without_one() -> None:
    god = {"oeh": 400, "seat": 1, "weak": {"gf": "2D+4", "kf": 19, "lost_gr": 2}}
    document = {
        "system": "kalevala",
        "phase": {"gr": 3, "part": 1},
        "state": {"rulers": {"anna": {"god": god}}, "owners": {"2D+4": "anna"}, "stacks": {"anna": {"2D+4": "5L"}}},
    }
    assert GOD_DOOR.page is not None
    page = GOD_DOOR.page(RULES.sight.view(load(document), Playing(PowerId("anna"))), ())
    assert page is not None
    told = "\n".join(WORDS.render(line) for line in page.lines)
    assert "His weak spot was taken in round 2." in told
    assert "unless he has one by the end of round 5, he can't leave his seat" in told
    assert '`GOD CREATE "who he is" WEAK 2D+4 KF 19` hides a new one' in told


def test_the_page_of_a_god_names_land_of_ones_own_in_its_examples() -> None:
    view = RULES.sight.view(load({"system": "kalevala", "seed": "x"}), Playing(PowerId("emil")))
    assert GOD_DOOR.page is not None
    page = GOD_DOOR.page(view, ())
    assert page is not None
    told = "\n".join(WORDS.render(line) for line in page.lines)
    line = 'GOD CREATE "who he is" WEAK 2B+5 KF 19'
    assert f"`{line}`" in told
    (forecast,) = RULES.orders.rehearse(view, read_orders(RULES, view, line).orders).lines
    assert forecast.level == "ok"
