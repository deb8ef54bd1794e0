"""Battles before they are fought: who would stand where, how it would go, a plan to begin with."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace

import pytest

from engine.core.doors import Doubt, Page
from engine.core.reading import read_orders
from engine.core.variant import load_phrases
from engine.core.viewer import Playing
from engine.kalevala import commands
from engine.kalevala.coordinates import Province
from engine.kalevala.info import SYSTEM
from engine.kalevala.model import View
from engine.kalevala.system import KALEVALA
from engine.kalevala.war import doors as war_doors
from engine.kalevala.war import room as war_room
from engine.pictures.site import SiteScene
from tests.engine.kalevala.battles import ANNA, BERT, DOCUMENT, orders, seen, view_for
from tests.engine.kalevala.hidden import variants
from tests.engine.kalevala.wars import a_war, a_war_sheet

ATTACK = "ENTER 2 2D+4 K 2D+5 16LB 6BB"
HIDDEN = {"2D+5": "9L", "2D+6": "30L"}


@pytest.fixture(autouse=True)
def few_battles(monkeypatch: pytest.MonkeyPatch) -> None:
    """A trial takes ten seconds; what it comes to is clear here after some battles."""
    monkeypatch.setattr(war_room, "MOST_BATTLES", 6)
    monkeypatch.setattr(war_room, "LEAST_BATTLES", 3)


def told(page: Page | Doubt) -> str:
    words = load_phrases(SYSTEM)
    lines = (page.what,) if isinstance(page, Doubt) else page.lines
    return "\n".join(map(words.render, lines))


def answer(door: str, text: str, view: View | None = None, **given: str) -> Page | Doubt:
    shown = view or view_for()
    (found,) = (each for each in war_doors.WAR_DOORS if each.id == door)
    assert found.answer is not None
    return found.answer(shown, orders(text, shown), given)


def test_the_plan_shows_who_would_stand_where_by_default_and_as_placed() -> None:
    page = answer("warplan", ATTACK)
    assert isinstance(page, Page)
    assert isinstance(page.picture, SiteScene)
    assert {token.power for token in page.picture.tokens} == {ANNA, BERT}
    assert page.picture.sides[0].powers == (ANNA,)
    assert "Your sheet has no plan for this" in told(page)
    placed = answer("warplan", f"{ATTACK}\nBATTLE 2D+4\nPLACE 30 4LB\nEND")
    assert "4LB (2D+4:30)" in told(placed)
    assert isinstance(placed, Page)
    assert placed.listed[0][1] == ("BATTLE 2D+4", "  PLACE 30 4LB", "END")


@pytest.mark.parametrize("door", ["warplan", "wartrial"])
def test_an_enemy_of_whom_nothing_is_known_is_said_to_have_only_a_borrowed_name(door: str) -> None:
    """Else whoever tries a defence out would take it for news that this ruler is coming."""
    assert "here it goes by the name of Bert" in told(answer(door, "PASS", place="2D+4", enemy="4L"))
    assert "goes by the name" not in told(answer(door, ATTACK, enemy="4L")), "Bert's land"
    assert "goes by the name" not in told(answer(door, ATTACK))


INTRUDERS = {
    "system": "kalevala",
    "phase": {"gr": 3, "part": 3},
    "state": {
        "rulers": {"anna": {}, "bert": {}, "carl": {}},
        "gf": {"2D+5": {"hz": {"type": "Std", "kf": 19}}},
        "owners": {"2D+4": "anna", "2D+5": "anna", "2H+4": "bert"},
        "permits": [{"of": "anna", "to": "carl", "gf": "2D+5", "until": 5}],
        "stacks": {"anna": {"2D+4": "9L", "2D+5": "20L"}, "bert": {"2D+5": "2L"}, "carl": {"2D+5": "8A"}},
    },
}


def test_a_war_with_those_who_stand_on_the_same_land_can_be_tried_too() -> None:
    """Rulings KA275, KA295: only owner and intruders fight, once one of them has declared war."""
    state = KALEVALA.play.load(INTRUDERS)
    mine = KALEVALA.sight.view(state, Playing(ANNA))
    assert "There is nobody to fight" in told(answer("wartrial", "PASS", mine, place="2D+5"))
    page = told(answer("wartrial", "WAR bert", mine))
    assert page.startswith("Fought 6 times: you win 100%")
    assert "Bert attacked with 2 lancers" in page
    assert "Carl" not in page
    theirs = KALEVALA.sight.view(state, Playing(BERT))
    assert told(answer("wartrial", "WAR anna", theirs)).startswith("Fought 6 times: you win 0%")
    assert "There is nobody to fight" in told(answer("wartrial", "WAR carl", theirs, place="2D+5"))


def test_a_trial_tells_chances_losses_and_the_commonest_course() -> None:
    page = told(answer("wartrial", ATTACK, enemy="2L"))
    assert page.startswith("Fought 6 times: you win 100%, you are beaten 0%")
    assert "How it usually goes:" in page
    assert "Anna attacked with 6 archers and 16 lancers" in page
    assert "the field is Anna's" in page
    assert page == told(answer("wartrial", ATTACK, enemy="2L")), "the same dice each time"


def going_on(garrison: str) -> View:
    """Anna's scouts were in bert's land, and in what lies behind it."""
    return seen(
        owners={"2D+4": "anna", "2D+5": "bert", "2D+6": "bert"},
        stacks={"anna": {"2D+4": "30LB"}, "bert": {"2D+5": "2L", "2D+6": garrison}},
        explored={"anna": [{"from": "2D+4", "to": "2D+5"}, {"from": "2D+5", "to": "2D+6"}]},
    )


ON = "ENTER 3 2D+4 K 2D+5 20LB\nENTER 4 2D+5 K 2D+6 19LB"


@pytest.mark.parametrize(("garrison", "chances"), [("2L", "you win 100%"), ("40LC", "you win 0%")])
def test_a_battle_after_another_one_is_tried_as_if_that_had_cost_nothing(garrison: str, chances: str) -> None:
    page = told(answer("wartrial", ON, going_on(garrison), place="2D+6"))
    assert chances in page
    assert "It takes place only if you win 2D+5 first" in page
    assert "only if you win" not in told(answer("wartrial", ON, going_on(garrison), place="2D+5"))


def test_a_host_through_whose_land_guests_attack_stays_there_in_a_trial() -> None:
    view = seen(
        owners={"2D+4": "anna", "2D+5": "carl", "2D+6": "bert"},
        stacks={"anna": {"2D+4": "30LB"}, "carl": {"2D+5": "5L"}, "bert": {"2D+6": "2L"}},
        permits=[{"of": "carl", "to": "anna", "gf": "ALL", "until": 9}],
        explored={"anna": [{"from": "2D+4", "to": "2D+5"}, {"from": "2D+5", "to": "2D+6"}]},
    )
    sheet = orders("ENTER 3 2D+4 E 2D+5 20LB\nENTER 4 2D+5 K 2D+6 19LB", view)
    site = war_room.site_at(view, sheet, Province("2D+6"), None)
    assert site is not None
    assert "carl" in {army.ruler for army in site.armies}
    assert war_room.earlier_battles(sheet, Province("2D+6")) == ()


def test_a_battle_after_another_one_has_a_plan_of_its_own() -> None:
    view = going_on("2L")
    blocks = "\n".join(war_room.sensible(view, orders(ON, view)))
    assert "BATTLE 2D+5 VS 2D+6" in blocks
    assert told(answer("warplan", f"{ON}\n{blocks}", view, place="2D+6")).count("2D+5:") > 0
    reading = KALEVALA.orders.parse(f"{ON}\nBATTLE 2D+5 VS 2D+6\nPLACE 30 21LB\nEND", view)
    assert KALEVALA.orders.rehearse is not None
    codes = [forecast.code for forecast in KALEVALA.orders.rehearse(view, reading.orders).lines]
    assert codes == ["ok", "ok", "ok", "V02"], "only 19 of them attack from there"


def test_whoever_attacks_against_odds_is_told_so() -> None:
    page = told(answer("wartrial", "ENTER 2 2D+4 K 2D+5 2LB", seen(stacks={"anna": {"2D+4": "2LB"}}), enemy="20L"))
    assert "you win 0%, you are beaten 100%" in page


def test_own_land_is_tried_against_whoever_is_written_down() -> None:
    page = told(answer("wartrial", "PASS", place="2D+4", enemy="4L"))
    assert "attacked with 4 lancers and Anna stood there with" in page


def test_a_trial_knows_works_gear_and_spells() -> None:
    """The tower that scouts saw, a garrison that is written down; onagers, ladders and the wizard are used."""
    works = [{"type": "Tu", "kf": 19, "gates": ["19/SW"]}]
    gf = {**DOCUMENT["state"]["gf"], "2D+5": {**DOCUMENT["state"]["gf"]["2D+5"], "works": works}}
    view = seen(gf=gf, stacks={"anna": {"2D+4": "20L 2On 4Le Z/60"}})
    plan = "BATTLE 2D+4 VS 2D+5\nFIRE 2On KF 19\nCAST PARALYSE FOE BEST EACH\nAIM ALL STORM\nEND"
    page = told(answer("wartrial", f"ENTER 2 2D+4 K 2D+5 18L 2On 4Le Z/60\n{plan}", view, enemy="4L 4B"))
    assert "at the tower on 2D+5 KF 19" in page
    assert "against the tower on 2D+5 KF 19" in page
    assert "Anna's wizard paralysed" in page


def test_what_scouts_have_not_seen_makes_no_difference_to_a_trial() -> None:
    """Bert's figures where Anna's scouts saw nobody, and those behind: the same site, the same answer."""
    unseen: Mapping[str, object] = {"explored": {"anna": [{"from": "2D+4", "to": "2D+5", "result": "geography"}]}}
    found = set()
    for stacks in ({"2D+5": "14L"}, HIDDEN):
        view = seen(**unseen, stacks={"anna": {"2D+4": "16LB 6BB"}, "bert": stacks})
        found.add(told(answer("wartrial", ATTACK, view, enemy="3L")))
        assert "nobody to fight, as far as you know" in told(answer("wartrial", ATTACK, view))
    assert len(found) == 1


def test_land_of_which_little_is_known_is_no_reason_to_stumble() -> None:
    """Random wars of three rulers over divided fields: each place of theirs is planned and tried, or refused."""
    chance = random.Random(3)
    answers = 0
    for _ in range(2):
        state = a_war(chance)
        for ruler in state.rulers:
            view = KALEVALA.sight.view(state, Playing(ruler))
            if not war_doors.is_open(view):
                continue
            lines = read_orders(KALEVALA, view, a_war_sheet(state, ruler, chance)).values
            for place in war_room.own_battles(view, lines):
                for enemy in ({}, {"enemy": "3L 2B"}):
                    page = war_doors._show(view, lines, {"place": place, **enemy})
                    answers += isinstance(page, Page)
                    assert told(page)
    assert answers > 5


def test_what_a_ruler_may_not_know_changes_no_plan() -> None:
    """Each thing that is hidden from a viewer is changed in turn: who would stand where is the same."""
    state = a_war(random.Random(5))
    compared = 0
    for ruler in state.rulers:
        view = KALEVALA.sight.view(state, Playing(ruler))
        places = war_room.own_battles(view, ())[:2] if war_doors.is_open(view) else ()
        before = [war_doors._show(view, (), {"place": place}) for place in places]
        for changed in variants(state, Playing(ruler)):
            other = KALEVALA.sight.view(changed, Playing(ruler))
            compared += len(before)
            assert [war_doors._show(other, (), {"place": place}) for place in places] == before
    assert compared > 4


def test_doubts_are_told_kindly() -> None:
    assert "and no line of yours attacks it" in told(answer("wartrial", ATTACK, place="2Z+9"))
    assert "can't be read as figures" in told(answer("wartrial", ATTACK, enemy="many"))
    assert "can't be read as figures" in told(answer("wartrial", ATTACK, enemy="5RE"))
    assert "can't be tried out often enough" in told(answer("wartrial", ATTACK, enemy="9000L"))
    assert "nobody to fight" in told(answer("warplan", "PASS", seen(stacks={"anna": {"2D+4": "2LB"}})))


def test_a_plan_to_begin_with_reads_and_stands() -> None:
    """An attack gets groups and aims; who attacks nothing a standing defence; what stands comes first."""
    view = view_for()
    plan = war_doors._lines(view, orders("ENTER 2 2D+4 K 2D+5 12LB 6BB"))
    assert plan.splitlines() == [
        "BATTLE 2D+4 VS 2D+5", "GROUP bows 6BB", "GROUP line 12LB", "AIM line TAKE HZ", "AIM bows SHOOT",
        "AIM bows TAKE HZ FROM 10", "END",
    ]  # fmt: skip
    forecast = KALEVALA.orders.rehearse
    assert forecast is not None
    read = read_orders(KALEVALA, view, f"ENTER 2 2D+4 K 2D+5 12LB 6BB\n{plan}")
    judged = forecast(view, read.orders).lines
    assert {line.level for line in judged} <= {"ok", "warning"}
    assert "W6" not in {line.code for line in judged}, "the archers shoot before"
    assert war_doors._lines(view, orders("BATTLE 2D+4\nFLEE\nEND")) == "BATTLE 2D+4\n  FLEE\nEND"


def test_the_standing_defence_to_begin_with_keeps_men_on_the_trade_centre() -> None:
    view = KALEVALA.sight.view(KALEVALA.play.load(DOCUMENT), Playing(BERT))
    plan = war_doors._lines(view, ())
    assert "DEFEND 2D+5" in plan
    assert "PLACE 19 4L G guard" in plan
    assert read_orders(KALEVALA, view, plan).errors == ()


def test_nobody_plans_battles_in_the_window_of_orders_and_the_public_never() -> None:
    view = view_for()
    assert war_doors.is_open(view)
    assert not war_doors.is_open(replace(view, state=view.state.replace(part=1)))
    assert war_room.own_battles(view, orders(ATTACK))[0] == Province("2D+5")
    assert war_room.own_battles(KALEVALA.sight.view(KALEVALA.play.load(DOCUMENT), Playing(BERT)), ()) == ("2D+5",)


def test_the_form_begins_with_the_standing_defences() -> None:
    """Whoever wants to change one has it before them; a plan for an attack in the sheet comes with it."""
    form = next(each.form for each in war_doors.WAR_DOORS if each.id == commands.WAR_WRITE.id)
    assert form is not None
    state = KALEVALA.play.load(DOCUMENT)
    held = replace(state.rulers[ANNA], defend={Province("2D+4"): "AIM ALL HOLD\nFLEE", Province("2H+1"): "FLEE"})
    mine = KALEVALA.sight.view(state.replace(rulers={**state.rulers, ANNA: held}), Playing(ANNA))
    kept = "DEFEND 2D+4\nAIM ALL HOLD\nFLEE\nEND"
    assert form.text(mine, ()) == kept
    assert form.text(mine, orders(ATTACK, mine)).startswith(f"{kept}\nBATTLE 2D+4 VS 2D+5\n")
    assert form.text(mine, orders("DEFEND 2D+4\nAIM ALL GUARD", mine)) == "DEFEND 2D+4\n  AIM ALL GUARD\nEND"
