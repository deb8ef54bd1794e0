"""Agents: the risk that they are found, what strangers see of them, and windows of random games full of them."""

from __future__ import annotations

import random

import pytest

from engine.core.events import visible_events
from engine.core.ids import PowerId
from engine.core.orders import Menu
from engine.core.phrases import phrase
from engine.core.play import Resolution
from engine.core.reading import read_orders
from engine.core.variant import load_phrases
from engine.core.viewer import Playing
from engine.kalevala.agents.doors import AGENT_DOORS
from engine.kalevala.agents.facts import ABROAD, AT_HOME, agents_in, risk_of
from engine.kalevala.battle.course import CONQUEST, BattleCourse, course_from_json, positions
from engine.kalevala.coordinates import Province
from engine.kalevala.document import load
from engine.kalevala.model import State
from engine.kalevala.orders import Line
from engine.kalevala.system import KALEVALA, seen_document
from engine.kalevala.telling.reading import accounts_of
from engine.kalevala.telling.tale import round_lines
from engine.kalevala.view import view
from engine.kalevala.writing import dump
from tests.engine.kalevala.test_secrets import assert_nothing_leaks
from tests.engine.kalevala.wars import a_war_of_spies, faults_of
from tests.random_kalevala import audit_sheets, wild_sheet


@pytest.mark.parametrize(
    ("risk", "wanted"),
    [
        (risk_of(ABROAD, 40, 3), 35),
        (risk_of(ABROAD, 40, 10), 5),
        (risk_of(ABROAD, 40, 3, watchers=1), 70),
        (risk_of(ABROAD, 40, 3, is_empty=True), 18),
        (risk_of(ABROAD, 90, 0, watchers=3), 95),
        (risk_of(AT_HOME, 0, 8), 5),
    ],
)
def test_the_risk_of_an_agent_is_that_of_example_e_7(risk: int, wanted: int) -> None:
    assert risk == wanted


def a_game(gr: int = 3, part: int = 1) -> State:
    """Anna's agents at home, abroad and held; one of Bert's who was found."""
    tower = {"type": "Tu", "kf": 19, "ghz": True, "gates": ["19/SE"]}
    return load(
        {
            "system": "kalevala",
            "seed": "agents",
            "phase": {"gr": gr, "part": part},
            "state": {
                "rulers": {"anna": {}, "bert": {}, "carl": {}},
                "gf": {
                    "2D+4": {"hz": {"type": "Std", "kf": 19}, "works": [tower]},
                    "2D+5": {"hz": {"type": "Std", "kf": 19}, "works": [tower]},
                },
                "owners": {"2D+4": "anna", "2C+4": "anna", "2D+5": "bert", "2D+6": "bert", "2D+7": "carl"},
                "stacks": {
                    "anna": {"2D+4": "9L 1Ag 80RE", "2C+4": "4L"},
                    "bert": {"2D+5": "9L 2IP 60RE", "2D+6": "3L"},
                    "carl": {"2D+7": "3L 9RE"},
                },
                "agents": [
                    {"ruler": "anna", "n": 1, "at": "2D+5", "group": "1L", "re": 60, "scouted": part == 3},
                    {"ruler": "anna", "n": 2, "at": "2D+7", "re": 10, "captive": "carl", "exposed": True},
                    {"ruler": "bert", "n": 1, "at": "2C+4", "re": 30, "exposed": True},
                    {"ruler": "carl", "n": 4, "at": "2D+4", "group": "2L", "re": 30},
                ],
            },
        }
    )


@pytest.mark.parametrize("part", [1, 3])
def test_strangers_see_captives_and_those_who_were_found_and_no_more(part: int) -> None:
    state = a_game(part=part)
    rows = {ruler: seen_document(view(state, Playing(ruler)))["state"].get("agents") for ruler in state.rulers}
    assert rows[PowerId("bert")] == [row for row in dump(state)["state"]["agents"] if row["ruler"] == "bert"]
    assert rows[PowerId("carl")][0] == {"at": "2D+7", "of": "anna"}
    assert [row["at"] for row in rows[PowerId("anna")]] == ["2D+5", "2D+7", "2C+4"]
    assert rows[PowerId("anna")][2] == {"at": "2C+4", "of": "bert", "exposed": True}


@pytest.mark.parametrize("part", [1, 3])
def test_hidden_agents_change_nothing_that_others_are_shown(part: int) -> None:
    state = a_game(part=part)
    for ruler in state.rulers:
        text = wild_sheet(state, ruler, random.Random(f"{ruler}{part}")) or "PASS"
        assert_nothing_leaks(state, ruler, text)


def test_the_books_of_windows_full_of_agents_balance() -> None:
    chance = random.Random("spies")
    told: set[str] = set()
    for game in range(8):
        state = a_game().replace(seed=f"{game}")
        for _ in range(6):
            sheets = {}
            for ruler in KALEVALA.play.status(state).to_act:
                text = wild_sheet(state, ruler, chance)
                if text is not None:
                    sheets[ruler] = read_orders(KALEVALA, KALEVALA.sight.view(state, Playing(ruler)), text).values
            assert audit_sheets(state, sheets) == []
            done = KALEVALA.play.adjudicate(state, sheets, KALEVALA.play.dice(state))
            told |= {event.facts.code for event in done.events if event.facts is not None}
            state = done.state
            assert load(dump(state)) == state
    assert {"agent_moved", "agent_found", "deed", "misdeed", "answer"} <= told


def test_the_guide_offers_what_agents_can_do() -> None:
    for part, wanted in ((1, "AGENT 1 SCOUT"), (3, "AGENT 1 DO MURDER 1L")):
        found = KALEVALA.orders.menu(view(a_game(part=part), Playing(PowerId("anna"))), ("AGENT", "Ag1"))
        assert isinstance(found, Menu)
        assert wanted in [choice.value for choice in found.choices]
        assert not [choice.label for choice in found.choices if choice.label != choice.label.strip()]


def an_ambush(garrison: str, seed: str, **agent: object) -> State:
    """Anna may attack Bert's land, where an agent of hers hides with archers."""
    row = {"ruler": "anna", "n": 1, "at": "2D+5", "group": "2BC 1LC", "re": 30, "scouted": True}
    return load(
        {
            "system": "kalevala",
            "seed": seed,
            "phase": {"gr": 2, "part": 3},
            "state": {
                "rulers": {"anna": {}, "bert": {}, "carl": {}},
                "gf": {"2D+5": {"hz": {"type": "Std", "kf": 19}, "works": [{"type": "Tu", "kf": 25}]}},
                "owners": {"2D+4": "anna", "2D+5": "bert", "2D+6": "bert", "2D+7": "carl"},
                "explored": {"anna": [{"from": "2D+4", "to": "2D+5"}]},
                "stacks": {"anna": {"2D+4": "14L"}, "bert": {"2D+5": garrison, "2D+6": "3L"}, "carl": {"2D+7": "3L"}},
                "agents": [{**row, **agent}],
            },
        }
    )


def fought(state: State, *lines: str) -> Resolution[State, Line]:
    """The window, with Anna's attack and what her agent does."""
    anna = PowerId("anna")
    text = "\n".join(("ENTER 2 2D+4 K 2D+5 13L", *lines))
    sheet = {anna: read_orders(KALEVALA, KALEVALA.sight.view(state, Playing(anna)), text).values}
    assert audit_sheets(state, sheet) == []
    return KALEVALA.play.adjudicate(state, sheet, KALEVALA.play.dice(state))


def course_of(done: Resolution[State, Line]) -> BattleCourse:
    """That of the battle."""
    rows = [event.facts.args["course"] for event in done.events if event.facts and "course" in event.facts.args]
    return course_from_json(rows[0])


def told_of(done: Resolution[State, Line]) -> list[tuple[int, str]]:
    """The round and code of each sentence on who came out of hiding, and who hid."""
    return [
        (one.number, line.code)
        for account in accounts_of(done.events)
        for one in account.rounds
        for line in round_lines(account, one)
        if line.code in ("battle.emerged", "battle.hid")
    ]


def test_an_agent_comes_out_of_hiding_behind_the_lines_and_hides_again() -> None:
    for number in range(20):
        done = fought(an_ambush("6L", f"{number}"), "AGENT 1 SHOW KR 2", "AGENT 1 HIDE KR 3")
        course = course_of(done)
        if course.length < 3:
            continue
        told = told_of(done)
        assert told[0] == (2, "battle.emerged")
        assert sorted(each.item for each in course.emerged) == ["Ag", "BC", "BC", "LC"]
        assert {each.at.gf for each in course.emerged} == {"2D+5"}
        assert {each.number for each in course.emerged}.isdisjoint(positions(course, 1))
        shown = visible_events(done.events, Playing(PowerId("carl")))
        assert not [event for event in shown if event.facts and event.facts.code == "battle"]
        if (3, "battle.hid") in told and course.end == CONQUEST:
            return
    pytest.fail("nobody has hidden again in twenty battles")


def test_who_leads_a_beaten_ambush_is_lost_and_his_companions_fall_to_the_winner() -> None:
    ends = set()
    for number in range(12):
        done = fought(an_ambush("30L", f"{number}"), "AGENT 1 SHOW KR 1")
        agents = {agent.number: agent for agent in agents_in(done.state.modules)}
        lost = [event.facts.args["why"] for event in done.events if event.facts and event.facts.code == "agent_lost"]
        assert lost == ([] if agents else ["fallen"])
        if not agents:
            assert "B" not in {item[0] for item in done.state.stack(PowerId("anna"), Province("2D+5"))}
        ends |= {bool(agents)}
    assert False in ends


def test_an_agent_who_fought_without_having_scouted_is_exposed() -> None:
    for has_scouted in (True, False):
        state = an_ambush("40LC", "undecided", scouted=has_scouted, at="2D+5", group="")
        done = fought(state, "AGENT 1 SHOW KR 11", "AGENT 1 HIDE KR 12")
        for agent in agents_in(done.state.modules):
            assert agent.is_exposed is (not has_scouted) or told_of(done) == [(11, "battle.emerged")]


def test_an_agent_in_a_building_comes_out_inside_it() -> None:
    state = an_ambush("6L", "inside", **{"in": 25})
    done = fought(state, "AGENT 1 SHOW KR 1")
    course = course_of(done)
    assert {str(each.at) for each in course.emerged} == {"2D+5:25+0"}


def test_the_guide_offers_what_agents_do_in_battles() -> None:
    found = KALEVALA.orders.menu(view(an_ambush("6L", "menu"), Playing(PowerId("anna"))), ("AGENT",))
    assert isinstance(found, Menu)
    values = [choice.value for choice in found.choices]
    assert {"AGENT 1 SHOW KR 1", "AGENT 1 HIDE KR 6", "AGENT 1 LEAVE KR 6"} <= set(values)


@pytest.mark.parametrize("number", range(6))
def test_wars_full_of_agents_keep_their_books_and_secrets(number: int) -> None:
    chance = random.Random(f"spies/{number}")
    state = a_war_of_spies(chance)
    _, faults = faults_of(state, chance)
    assert faults == []


@pytest.mark.parametrize(
    ("written", "form"),
    [
        ("AGENT 1 SHOW KR 13", "AGENT 1 SHOW KR 3"),
        ("AGENT 1 DO THEFT", "AGENT 1 DO THEFT 20RE"),
        ("AGENT MOVE 2D+4", "AGENT 1 MOVE 2C+4 > 2B+5"),
        ("AGENT", "AGENT 1 DO MURDER 2BB"),
        ("CARAVAN 1 MOVE", "CARAVAN 1 MOVE 2C+4 > 2B+5"),
        ("GOD APPEAR 2D+5", "GOD APPEAR 2B+5 FOR anna AGAINST bert PARALYSE"),
        ("KING RANSOM", "KING RANSOM 30"),
    ],
)
def test_who_writes_an_order_wrong_is_shown_how_that_very_order_is_written(written: str, form: str) -> None:
    seen = KALEVALA.sight.view(a_game(part=3), Playing(PowerId("anna")))
    (error,) = read_orders(KALEVALA, seen, written).errors
    assert error.args["form"] == phrase("form.written", form=form)
    assert not read_orders(KALEVALA, seen, form).errors, "what is shown can be written"


def test_the_page_writes_orders_to_an_agent_who_can_be_given_any_and_says_how_the_others_are_named() -> None:
    def told(*agents: dict[str, object], new: int = 0) -> str:
        game = dump(a_game())
        game["state"]["agents"] = list(agents)
        game["state"]["stacks"]["anna"] = {"2D+4": f"9L {new}Ag"} if new else {"2D+4": "9L"}
        page = AGENT_DOORS[0].page
        assert page is not None
        shown = page(KALEVALA.sight.view(load(game), Playing(PowerId("anna"))), ())
        assert shown is not None
        return "\n".join(map(load_phrases("kalevala").render, shown.lines))

    captive = {"ruler": "anna", "n": 1, "at": "2D+7", "re": 20, "captive": "carl"}
    second = {"ruler": "anna", "n": 2, "at": "2D+5", "re": 60}
    assert "AGENT" not in told(captive)
    alone = told(captive, second)
    assert "`AGENT 2 MOVE 2D+5 > " in alone
    assert "AGENT 1" not in alone
    assert "The number after AGENT says" not in alone
    third = {"ruler": "anna", "n": 3, "at": "2D+5", "re": 60}
    assert "The number after AGENT says which of your agents is meant: 2 or 3." in told(captive, second, third)
    assert "New in 2D+4: 2 agents." in told(new=2)
    assert "`AGENT 3 GROUP 60RE`" in told(captive, second, new=1)


def test_an_agent_without_money_is_told_from_where_he_has_it() -> None:
    for part, line in ((1, "AGENT 5 SCOUT"), (3, "AGENT 1 DO MURDER 9L TIMES 9")):
        view = KALEVALA.sight.view(a_game(part=part), Playing(PowerId("anna")))
        assert KALEVALA.orders.rehearse is not None
        (found,) = KALEVALA.orders.rehearse(view, KALEVALA.orders.parse(line, view).orders).lines
        assert found.code == "V09", line
        assert "`AGENT … GROUP 60RE`, in the window of orders" in load_phrases("kalevala").render(found.what)


def test_the_receipt_says_which_agent_can_not_live_on_what_is_left() -> None:
    state = load(
        {
            "system": "kalevala",
            "phase": {"gr": 3, "part": 1},
            "options": {"agents": True},
            "state": {
                "owners": {"2D+4": "anna", "2D+5": "bert"},
                "stacks": {"anna": {"2D+4": "5L"}, "bert": {"2D+5": "3L"}},
                "agents": [
                    {"ruler": "anna", "n": 1, "at": "2D+5", "re": 11},
                    {"ruler": "anna", "n": 2, "at": "2D+5", "re": 12, "group": "1L"},
                ],
            },
        }
    )
    view = KALEVALA.sight.view(state, Playing(PowerId("anna")))
    assert KALEVALA.orders.rehearse is not None
    render = load_phrases("kalevala").render
    found = KALEVALA.orders.rehearse(view, KALEVALA.orders.parse("AGENT 1 SCOUT\nAGENT 2 SCOUT", view).orders)
    assert [line.code for line in found.lines] == ["V09", "ok"]
    assert [render(each) for each in found.left][-2:] == [
        "Ag1 can't be paid and will be lost",
        "Ag2 can't pay those with him: 1L will leave",
    ]
