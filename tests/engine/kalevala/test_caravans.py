"""Caravans: the guide's example, random ones balance, what they carry stays secret, page and menus. Source: rules 21"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from engine.answers import answer_line
from engine.core.doors import Page
from engine.core.errors import DocumentError
from engine.core.ids import PowerId
from engine.core.reading import read_orders
from engine.core.variant import load_phrases
from engine.core.viewer import Playing
from engine.kalevala.agents.doors import AGENT_DOORS
from engine.kalevala.caravans.doors import CARAVAN_DOOR
from engine.kalevala.caravans.facts import MERCHANT, caravans_in, goes_by_sea, is_within_limits, speed_of
from engine.kalevala.document import load
from engine.kalevala.figures import format_figures
from engine.kalevala.info import SYSTEM
from engine.kalevala.model import DEEDS_PART, State
from engine.kalevala.system import KALEVALA as RULES
from engine.kalevala.system import seen_document
from engine.kalevala.writing import dump
from tests.engine.kalevala.wars import a_sea_war
from tests.engine.kalevala.worlds import a_world
from tests.random_kalevala import audit_sheets, sheet

ANNA, BERT = PowerId("anna"), PowerId("bert")
WORDS = load_phrases(SYSTEM)
GUIDE = (Path(__file__).parents[3] / "docs/kalevala.md").read_text(encoding="utf-8")


def lands(part: int = 1, **changes: object) -> State:
    """Anna's merchant beside Bert's land, Carl's beyond it."""
    state = {
        "rulers": {"anna": {"capital": "2D+4"}, "bert": {}, "carl": {}},
        "gf": {"2D+4": {"hz": {"type": "Hstd", "kf": 19}}},
        "owners": {"2D+4": "anna", "2D+5": "bert", "2D+6": "carl"},
        "stacks": {
            "anna": {"2D+4": "6L 1K 4On 30RE"},
            "bert": {"2D+5": "3L 1K 2Sk"},
            "carl": {"2D+6": "2L"},
        },
    }
    return load({"system": "kalevala", "phase": {"gr": 3, "part": part}, "state": {**state, **changes}})


def offered(state: State) -> set[str]:
    """What *Guide me* offers Anna's caravans, and those whom she bribes."""
    legal = RULES.orders.legal(RULES.sight.view(state, Playing(ANNA)))
    return {
        str(line.order)
        for lines in legal.values()
        for line in lines
        if {"CARAVAN", "BRIBE"} & {*str(line.order).split()}
    }


def closed(state: State, **texts: str) -> State:
    """The position after a window in which everybody else sends nothing to do."""
    sheets = {ruler: sheet(state, ruler, texts.get(ruler, "PASS")) for ruler in RULES.play.status(state).to_act}
    assert audit_sheets(state, sheets) == []
    done = RULES.play.adjudicate(state, sheets, RULES.play.dice(state))
    assert not any(result.outcome.is_failure for result in done.results), done.results
    return done.state


def test_the_guides_worked_example() -> None:
    chapter = GUIDE[GUIDE.index("### Caravans") : GUIDE.index("### Fiefs")]
    formed, *deeds = [line.strip() for line in chapter.splitlines() if line.startswith("    ")]
    answer = "HANDOVER 2Sk AT 2D+5 TO anna FOR 4On"
    assert answer in chapter
    state = closed(closed(lands(), anna=formed), anna="\n".join(deeds), bert=answer)
    (caravan,) = caravans_in(state.modules)
    assert (caravan.at, format_figures(caravan.load)) == ("2D+5", "1K 2L 2Sk 9RE")


@pytest.mark.parametrize(
    ("figures", "is_one", "speed"),
    [
        ({"K": 1}, True, 2),
        ({"K": 1, "IP": 1}, True, 3),
        ({"K": 1, "IP": 1, "On": 1}, True, 2),
        ({"K": 1, "L": 24}, True, 2),
        ({"K": 4, "L": 25}, False, 2),
        ({"K": 1, "Sk": 6, "IP": 24}, True, 2),
        ({"K": 1, "Sk": 7}, False, 2),
        ({"L": 5, "RE": 20}, False, 2),
        ({"K": 1, "Z/30": 1}, False, 2),
        ({"K": 1, "LS": 1}, True, 5),
        ({"K": 1, "LS": 1, "On": 6}, False, 5),
        ({"K": 1, "L": 1, "LS": 1, "SS": 1, "On": 6, "Sk": 6}, True, 4),
        ({"K": 1, "LS": 1, "Sk": 1}, False, 5),
        ({"K": 1, "LS": 2}, False, 5),
        ({"K": 4, "FS": 8, "IP": 28}, True, 3),
        ({"K": 5, "FS": 9}, False, 3),
        ({"K": 1, "LS[1L]": 1}, False, 5),
        ({"K": 1, "RE": 9999}, True, 2),
    ],
)
def test_what_goes_into_a_caravan_and_how_fast(figures: dict[str, int], is_one: bool, speed: int) -> None:
    assert is_within_limits(figures) is is_one
    assert speed_of(figures) == speed or not is_one


def with_other_loads(state: State) -> State:
    """Foreign caravans with as many other things in them."""
    rows = [row if row["ruler"] == ANNA else {**row, "load": "2K 7LB 3On 88RE"} for row in state.modules["caravans"]]
    return state.replace(modules={**state.modules, "caravans": rows})


CARAVANS = [
    {"ruler": "anna", "n": 1, "at": "2D+5", "load": "1K 2L 9RE"},
    {"ruler": "bert", "n": 1, "at": "2D+4", "load": "1K 2Sk 20RE"},
    {"ruler": "carl", "n": 1, "at": "2D+6", "load": "1K"},
]


@pytest.mark.parametrize("part", [1, 3])
def test_nobody_knows_what_others_carry_nor_that_they_do_elsewhere(part: int) -> None:
    state = lands(part, caravans=CARAVANS)
    seen = [seen_document(RULES.sight.view(each, Playing(ANNA))) for each in (state, with_other_loads(state))]
    assert seen[0] == seen[1]
    assert seen[0]["state"]["caravans"] == [
        {"ruler": "anna", "n": 1, "kind": "KW", "at": "2D+5", "load": "1K 2L 9RE"},
        {"at": "2D+4", "load": "28 REH"},
    ]
    pages = []
    for each in (state, with_other_loads(state)):
        view = RULES.sight.view(each, Playing(ANNA))
        page = CARAVAN_DOOR.page(view, ()) if CARAVAN_DOOR.page is not None else None
        assert page is not None
        pages.append([WORDS.render(line) for line in page.lines])
        legal = RULES.orders.legal(view)
        pages[-1] += [str(order) for orders in legal.values() for order in orders]
    assert pages[0] == pages[1]
    assert any("A foreign caravan is in 2D+4: 28 REH" in line for line in pages[0])
    assert not any("2D+6" in line and "foreign" in line for line in pages[0])


def test_the_examples_of_the_page_go_through_the_readers_own_land() -> None:
    """The caravan abroad can move only in the window of deeds."""
    state = lands(1, caravans=CARAVANS, owners={"2D+4": "anna", "2C+4": "anna", "2D+5": "bert"})
    view = RULES.sight.view(state, Playing(ANNA))
    assert CARAVAN_DOOR.page is not None
    page = CARAVAN_DOOR.page(view, ())
    assert isinstance(page, Page)
    example = re.search(r"`CARAVAN 2 MOVE (\S+) > (\S+)`", WORDS.render(page.lines[-1]))
    assert example is not None
    assert example.groups() == ("2D+4", "2C+4")


@pytest.mark.parametrize(
    ("numbers", "part", "lines"),
    [
        ([], 1, ["CARAVAN 1 FORM 2D+4 1K 1On 10RE", "CARAVAN 1 MOVE 2D+4 > 2C+4"]),
        ([1], 1, ["CARAVAN 2 FORM 2D+4 1K 1On 10RE", "CARAVAN 1 MOVE 2C+4 > 2D+4"]),
        ([1, 2], 1, ["CARAVAN 1 MOVE 2C+4 > 2D+4"]),
        ([2], 3, ["CARAVAN 1 FORM 2D+4 1K 1On 10RE", "CARAVAN 2 MOVE 2C+4 > 2B+5"]),
    ],
)
def test_the_examples_of_the_page_are_possible_with_the_caravans_that_there_are(
    numbers: list[int], part: int, lines: list[str]
) -> None:
    state = lands(
        part,
        owners={"2D+4": "anna", "2C+4": "anna", "2D+5": "bert"},
        stacks={"anna": {"2D+4": "9L 3K 4On 30RE", "2C+4": "3L"}, "bert": {"2D+5": "9L"}},
        caravans=[{"ruler": "anna", "n": number, "at": "2C+4", "load": "1K 5RE"} for number in numbers],
    )
    view = RULES.sight.view(state, Playing(ANNA))
    page = CARAVAN_DOOR.page(view, ())
    assert page is not None
    examples = re.findall("`(CARAVAN . (?:FORM|MOVE) [^`]+)`", WORDS.render(page.lines[-1]))
    assert examples == lines
    for line in examples:
        orders = RULES.orders.parse(line, view).orders
        (answer,) = RULES.orders.rehearse(view, orders).lines
        is_later = part == DEEDS_PART and "FORM" in line
        is_new = "MOVE" in line and not numbers  # it moves once it has been formed
        assert (answer.level == "error") is (is_later or is_new), line


def test_a_caravan_that_ends_at_home_brings_its_re() -> None:
    state = lands(1, owners={"2D+4": "anna"}, caravans=[{"ruler": "anna", "n": 1, "at": "2D+4", "load": "1K 10RE"}])
    view = RULES.sight.view(state, Playing(ANNA))
    (line,) = RULES.orders.rehearse(view, RULES.orders.parse("CARAVAN 1 DISSOLVE", view).orders).lines
    assert [WORDS.render(note) for note in line.notes] == ["brings 10 RE into your stores"]


def test_a_fleet_sees_a_caravan_at_sea_and_can_attack_it() -> None:
    """Ruling KA282"""
    state = lands(
        3,
        gf={"2D+5": {"kf": "W" * 48}},
        owners={"2D+4": "anna"},
        stacks={"anna": {"2D+5": "LS[2L]"}},
        caravans=[{"ruler": "carl", "n": 1, "at": "2D+5", "load": "1K 1LS 4On 20RE"}],
    )
    view = RULES.sight.view(state, Playing(ANNA))
    assert view.state.modules["caravans"] == [{"at": "2D+5", "load": "28 REH"}]
    page = CARAVAN_DOOR.page(view, ()) if CARAVAN_DOOR.page is not None else None
    assert page is not None
    assert any("with your fleet" in WORDS.render(line) for line in page.lines)
    assert "SEIZE 2D+5" in {str(line.order) for lines in RULES.orders.legal(view).values() for line in lines}


def test_scouts_report_what_it_carries() -> None:
    state = lands(1, caravans=[{"ruler": "carl", "n": 1, "at": "2D+5", "load": "1K 4On 20RE"}])
    sheets = {ruler: sheet(state, ruler, "PASS") for ruler in RULES.play.status(state).to_act}
    sheets[ANNA] = sheet(state, ANNA, "EXPLORE 1 2D+4 > 2D+5")
    told = RULES.play.adjudicate(state, sheets, RULES.play.dice(state)).events
    (event,) = [each for each in told if each.what.code == "event.caravan_spied"]
    assert (event.audience, event.what.args["load"]) == (frozenset({ANNA}), "K On RE")


def test_scouts_see_what_is_in_it_without_numbers() -> None:
    explored = {"anna": [{"from": "2D+4", "to": "2D+5"}]}
    state = lands(3, caravans=[{"ruler": "carl", "n": 1, "at": "2D+5", "load": "1K 4On 20RE"}], explored=explored)
    seen = seen_document(RULES.sight.view(state, Playing(ANNA)))["state"]
    assert seen["caravans"] == [{"at": "2D+5", "load": "K On RE"}]


def test_menus_form_lead_and_end_caravans() -> None:
    assert "CARAVAN 1 FORM 2D+4 1K 2L 4On 15RE" in offered(lands())
    found = offered(lands(3, caravans=CARAVANS[:1]))
    assert {"CARAVAN 1 MOVE 2D+5 > 2D+4", "CARAVAN 1 MOVE 2D+5 > 2D+6"} <= found
    assert "CARAVAN 1 DISSOLVE" in offered(lands(1, caravans=[{**CARAVANS[0], "at": "2D+4"}]))


def test_caravans_at_random_balance_and_replay() -> None:
    chance = random.Random("caravans")
    worked: Counter[str] = Counter()
    for number in range(8):
        state = a_world(chance, 1) if number % 4 else a_sea_war(chance)
        stacks = {
            ruler: {place: {**stack, MERCHANT: 2, "RE": stack.get("RE", 0) + 9} for place, stack in own.items()}
            for ruler, own in state.stacks.items()
        }
        state = load(dump(state.replace(stacks=stacks)))
        for _ in range(4):
            sheets = {}
            for ruler in RULES.play.status(state).to_act:
                legal = RULES.orders.legal(RULES.sight.view(state, Playing(ruler)))
                offers = [str(line.order) for lines in legal.values() for line in lines]
                mine = [text for text in offers if text.startswith(("CARAVAN", "CLOSE", "SEIZE"))]
                chosen = chance.sample(mine, min(3, len(mine)))
                sheets[ruler] = sheet(state, ruler, "\n".join(chosen) or "PASS")
            assert audit_sheets(state, sheets) == []
            done = RULES.play.adjudicate(state, sheets, RULES.play.dice(state))
            again = RULES.play.adjudicate(load(dump(state)), sheets, RULES.play.dice(state))
            assert dump(again.state) == dump(done.state)
            assert load(dump(done.state)) == done.state
            for result in done.results:
                if result.order is not None and not result.outcome.is_failure:
                    worked[type(result.order.order).__name__] += 1
            worked["sea"] += any(goes_by_sea(each.load) and each.has_moved for each in caravans_in(done.state.modules))
            state = done.state
    assert worked["sea"] >= 1, worked
    assert min(worked["CaravanForm"], worked["CaravanMove"], worked["CaravanDissolve"], worked["CloseLand"]) >= 2, (
        worked
    )


def test_the_menu_leads_ships_over_known_water_and_nothing_else() -> None:
    gf = {"2D+4": {"kf": "W" * 16 + "T" * 32}, "2D+5": {"kf": "W" * 48}, "2D+3": {"kf": "T" * 48}}
    stacks = {"anna": {"2D+4": "6L 1K 4On 1LS 30RE", "2D+3": "1L"}}
    coast: dict[str, Any] = {
        "gf": gf,
        "owners": {"2D+4": "anna", "2D+3": "anna"},
        "stacks": stacks,
        "seas": {"anna": ["2D+5"]},
    }
    assert "CARAVAN 1 FORM 2D+4 1K 1L 4On 1LS" in offered(lands(**coast))
    state = lands(**coast, caravans=[{"ruler": "anna", "n": 1, "at": "2D+4", "load": "1K 1L 4On 1LS"}])
    assert {line for line in offered(state) if "MOVE" in line} == {"CARAVAN 1 MOVE 2D+4 > 2D+5"}
    after = closed(state, anna="CARAVAN 1 MOVE 2D+4 > 2D+5")
    assert [each.at for each in caravans_in(after.modules)] == ["2D+5"]
    assert all(len(each.load) == 4 for each in caravans_in(after.modules)), "whom nobody pays stays aboard at sea"


def test_who_of_two_equals_falls_does_not_hang_on_how_a_stack_is_written() -> None:
    after = []
    for garrison in ("6L 2B", "2B 6L"):
        stacks = {"anna": {"2D+4": "6L"}, "bert": {"2D+5": garrison}, "carl": {"2D+6": "2L"}}
        caravans = [{"ruler": "anna", "n": 1, "at": "2D+5", "load": "1K 1L"}]
        rolls = load({**dump(lands(3)), "dice": {"caravan/anna/1": [3, 18, 18, 3]}}).dice
        state = lands(3, stacks=stacks, caravans=caravans).replace(dice=rolls)
        after.append(dump(closed(state, bert="SEIZE 2D+5"))["state"]["stacks"]["bert"]["2D+5"])
    assert after == ["2B 5L", "2B 5L"]


def test_an_agent_who_has_scouted_sees_all_of_a_caravan_and_bribes_its_leader_unseen() -> None:
    def known(position: State, ruler: PowerId) -> dict[str, object]:
        found: dict[str, object] = seen_document(RULES.sight.view(position, Playing(ruler)))["state"]
        return found

    caravan = {"ruler": "bert", "n": 1, "at": "2D+5", "load": "1K 2L 4On"}
    spy = {"ruler": "anna", "n": 1, "at": "2D+5", "re": 60, "scouted": True}
    state = lands(3, caravans=[caravan], agents=[spy])
    assert known(state, ANNA)["caravans"] == [{"at": "2D+5", "load": "1K 2L 4On"}]
    blind = lands(3, caravans=[caravan], agents=[{**spy, "scouted": False}])
    assert "caravans" not in known(blind, ANNA)
    assert {"AGENT 1 DO BRIBE", "AGENT 1 DO BRIBE 2D+4", "AGENT 1 DO SNEAK CARAVAN"} <= offered(state)
    assert not any("BRIBE" in line for line in offered(blind))
    menu = RULES.orders.menu(RULES.sight.view(state, Playing(ANNA)), ("AGENT",))
    labels = {choice.label.strip() for choice in menu.choices if {"CARAVAN", "BRIBE"} & {*choice.value.split()}}
    assert labels == {
        "Ag1: bribe the leader of the caravan to stay where he is",
        "Ag1: bribe the leader of the caravan to go to 2D+4",
        "Ag1: slip into the foreign caravan",
    }
    bribed = lands(1, caravans=[{**caravan, "bribed": "2D+4"}])
    loyal = lands(1, caravans=[caravan])
    for ruler in (ANNA, BERT):
        assert known(bribed, ruler) == known(loyal, ruler)


def test_the_dossier_says_in_whose_caravan_an_agent_is_and_nobody_else_knows() -> None:
    caravan = {"ruler": "bert", "n": 1, "at": "2D+5", "load": "1K 2L 4On"}
    spy = {"ruler": "anna", "n": 1, "at": "2D+5", "re": 60, "er": 10, "with": ["bert", 1]}
    state = lands(1, caravans=[caravan], agents=[spy])
    show = AGENT_DOORS[0].page
    assert show is not None
    page = show(RULES.sight.view(state, Playing(ANNA)), ())
    assert page is not None
    told = [line.args for line in page.lines if line.code == "door.dossier.stowed"]
    assert told == [{"ruler": BERT, "risk": 15, "busy": 30}]
    for ruler in (BERT, PowerId("carl")):
        assert "agents" not in seen_document(RULES.sight.view(state, Playing(ruler)))["state"]
    for wrong in (["bert"], ["nobody", 1], ["bert", -1]):
        with pytest.raises(DocumentError, match="with"):
            lands(1, caravans=[caravan], agents=[{**spy, "with": wrong}])


def test_a_seizure_without_an_exploration_unit_says_so() -> None:
    caravan = {"ruler": "bert", "n": 1, "at": "2D+4", "kind": "KW", "load": "1K 2On"}
    state = lands(part=3, caravans=[caravan], used={"anna": [1, 2, 3, 4, 5, 6]})
    view = RULES.sight.view(state, Playing(ANNA))
    reading = read_orders(RULES, view, "SEIZE 2D+4")
    told = WORDS.render(RULES.orders.rehearse(view, reading.orders).lines[0].what)
    assert "takes an exploration unit" in told


def test_a_receipt_says_which_caravan_can_not_be_paid() -> None:
    """Ruling KA162"""
    for money, is_paid in ((1, True), (0, False)):
        position = {
            "rulers": {"anna": {}},
            "owners": {"2D+4": "anna"},
            "stacks": {"anna": {"2D+4": f"5L 1K {money}RE"}},
        }
        game = {"system": "kalevala", "phase": {"gr": 3, "part": 1}, "state": position}
        request = {"game": game, "check": "anna", "orders": {"anna": ["CARAVAN 1 FORM 2D+4 1K 3L"]}}
        left = answer_line(json.dumps(request).encode())["left"]
        assert ("Caravan KW1 can't be paid: 3L will leave" in left) is not is_paid
