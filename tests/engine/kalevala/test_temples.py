"""Temples: random realms balance, nobody learns of others' temples, doors, menus, the page. Source: rules 20"""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

from engine.core.doors import Doubt
from engine.core.events import visible_events
from engine.core.ids import PowerId
from engine.core.reading import read_orders
from engine.core.variant import load_phrases
from engine.core.viewer import Playing
from engine.kalevala.battle.course import PRAYER
from engine.kalevala.coordinates import Province
from engine.kalevala.document import load
from engine.kalevala.info import SYSTEM
from engine.kalevala.model import State, View
from engine.kalevala.priests.doors import PRIEST_DOORS
from engine.kalevala.rounds import rehearse
from engine.kalevala.system import KALEVALA as RULES
from engine.kalevala.system import seen_document
from engine.kalevala.writing import dump
from tests.engine.kalevala.hidden import with_other_treasures
from tests.engine.kalevala.test_secrets import all_that_is_shown, assert_foreseen
from tests.engine.kalevala.wars import a_crusade, a_war_sheet, faults_of, shown_to
from tests.engine.kalevala.worlds import a_world
from tests.pictured import as_board
from tests.random_kalevala import audit_sheets, consecrated, temple_lines, wild_sheet

ANNA, BERT = PowerId("anna"), PowerId("bert")
WORDS = load_phrases(SYSTEM)
PAGE, GIFT, PRAY, ASK = PRIEST_DOORS
DOCUMENT = {
    "system": "kalevala",
    "phase": {"gr": 3, "part": 1},
    "state": {
        "rulers": {"anna": {}, "bert": {}, "carl": {}},
        "gf": {
            "2D+4": {"hz": {"type": "Std", "kf": 19}, "works": [{"type": "Tt", "kf": 19, "ts": 40}]},
            "2C+4": {"works": [{"type": "Tt", "kf": 7, "paid": 20}]},
            "2D+5": {"hz": {"type": "Std", "kf": 19}, "works": [{"type": "Tt", "kf": 19, "ts": 12}]},
        },
        "owners": {"2D+4": "anna", "2C+4": "anna", "2D+5": "bert"},
        "stacks": {
            "anna": {"2D+4": "5L 30RE Pr/12", "2C+4": "2L 12RE"},
            "bert": {"2D+5": "7L Pr/8 Z/30"},
        },
    },
}


def a_view(**changes: object) -> View:
    return RULES.sight.view(load({**DOCUMENT, **changes}), Playing(ANNA))


# Random realms


@pytest.mark.parametrize("seed", ["ukko", "tapio"])
def test_realms_with_temples_balance_replay_and_foresee_what_is_refused(seed: str) -> None:
    chance = random.Random(seed)
    state = consecrated(load({"system": "kalevala", "seed": seed}), chance)
    for _ in range(5):
        texts = {ruler: wild_sheet(state, ruler, chance) or "PASS" for ruler in RULES.play.status(state).to_act}
        sheets = {
            ruler: read_orders(RULES, RULES.sight.view(state, Playing(ruler)), text).values
            for ruler, text in texts.items()
        }
        assert audit_sheets(state, sheets) == []
        again = RULES.play.adjudicate(load(dump(state)), sheets, RULES.play.dice(state)).state
        state = assert_foreseen(state, texts)
        assert dump(again) == dump(state)


def test_a_war_of_random_prayers_has_no_faults() -> None:
    chance = random.Random("crusade 210")
    state = a_crusade(chance)
    _, faults = faults_of(state, chance)
    assert faults == []
    assert sum(deed["kind"] == PRAYER for deed in _deeds(state)) == 3


def _deeds(state: State) -> list[Any]:
    """What is done in the battles of the same war."""
    chance = random.Random("crusade 210")
    a_crusade(chance)
    sheets = {}
    for ruler in RULES.play.status(state).to_act:
        view = RULES.sight.view(state, Playing(ruler))
        sheets[ruler] = read_orders(RULES, view, a_war_sheet(state, ruler, chance)).values
    events = RULES.play.adjudicate(state, sheets, RULES.play.dice(state)).events
    courses = [event.facts.args["course"] for event in events if event.facts and event.facts.args.get("course")]
    return [deed for course in courses for turns in course["rounds"] for _, deeds in turns for deed in deeds]


# Secrets


@pytest.mark.parametrize("number", [0, 1, 42])  # in the last anna has men beside another's temple, who see its treasure
def test_what_others_have_in_their_temples_changes_nothing_that_is_shown(number: int) -> None:
    chance = random.Random(f"hidden {number}")
    state = consecrated(a_world(chance, 1), chance)
    text = "\n".join(temple_lines(RULES.sight.view(state, Playing(ANNA)).state, ANNA, chance))
    other = with_other_treasures(state, ANNA)
    assert dump(other) != dump(state)
    assert all_that_is_shown(other, ANNA, text) == all_that_is_shown(state, ANNA, text)


@pytest.mark.parametrize("number", range(3))
def test_nobody_else_learns_that_a_ruler_gave_prayed_or_asked(number: int) -> None:
    chance = random.Random(f"quiet {number}")
    state = consecrated(a_world(chance, 1), chance)
    view = RULES.sight.view(state, Playing(ANNA))
    asked = read_orders(RULES, view, "\n".join(temple_lines(view.state, ANNA, chance))).values
    done, quiet = (
        RULES.play.adjudicate(state, {ANNA: lines, BERT: ()}, RULES.play.dice(state)) for lines in (asked, ())
    )
    assert "oracle" in {event.facts.code for event in visible_events(done.events, Playing(ANNA)) if event.facts}
    for other in (BERT, PowerId("carl")):
        assert shown_to(done.state, done.events, other) == shown_to(quiet.state, quiet.events, other)


KEYS = {
    "OWNER": ({"owners", "hz"}, {"owned"}),
    "GARRISON": ({"figures"}, {"held"}),
    "RULER": ({"hz", "class", "group"}, {"many"}),
    "NEAR": ({"found"}, set()),
}
"""What an answer, and a vague one, tells besides what was asked."""


@pytest.mark.parametrize("question", KEYS)
@pytest.mark.parametrize("is_vague", [False, True])
def test_an_answer_says_no_more_than_its_kind(question: str, is_vague: bool) -> None:
    state = load(DOCUMENT)
    about = "bert" if question == "RULER" else "2D+5"
    text = f"ORACLE 2D+4 {1 if is_vague else 20} {question} {about}"
    lines = read_orders(RULES, RULES.sight.view(state, Playing(ANNA)), text).values
    events = RULES.play.adjudicate(state, {ANNA: lines}, RULES.play.dice(state)).events
    (event,) = [event for event in events if event.facts and event.facts.code == "oracle"]
    assert event.audience == {ANNA}
    assert event.facts is not None
    subject = "ruler" if question == "RULER" else "gf"
    told = set(event.facts.args) - {"gf", "temple", "question", "re", "vague"} - {subject}
    assert told == KEYS[question][is_vague]
    words = WORDS.render(event.what)
    for secret in ("TS", "12", "Pr/8", "Z/30", "temple on"):
        assert secret not in words


def test_a_rehearsal_answers_nothing() -> None:
    view = a_view()
    orders = RULES.orders.parse("ORACLE 2D+4 5 OWNER 2D+5", view).orders
    assert RULES.orders.rehearse is not None
    (line,) = RULES.orders.rehearse(view, orders).lines
    assert (line.code, line.notes) == ("ok", ())


def test_a_receipt_says_which_priests_will_leave_for_want_of_pay_and_to_what_an_amount_was_reduced() -> None:
    def said(sheet: str) -> str:
        view = a_view()
        found = RULES.orders.rehearse(view, RULES.orders.parse(sheet, view).orders)
        return "\n".join(map(WORDS.render, (*(line.what for line in found.lines), *found.left)))

    assert "priest" not in said("PRAY 2D+4 Pr/12 38")
    text = said("PRAY 2D+4 Pr/12 99")
    assert "the amount was reduced to 40: there is no more, or no more can be used" in text
    assert "The treasures of your temples can't pay 1 priest (1 RE each), who will leave" in text


def test_strangers_see_a_temple_without_its_treasure_and_priests_without_their_points() -> None:
    explored = {"anna": [{"from": "2D+4", "to": "2D+5"}]}
    state = load({**DOCUMENT, "phase": {"gr": 3, "part": 3}, "state": {**DOCUMENT["state"], "explored": explored}})  # type: ignore[dict-item]
    seen = seen_document(RULES.sight.view(state, Playing(ANNA)))["state"]
    assert [(work["type"], "ts" in work) for work in seen["gf"]["2D+5"]["works"]] == [("Tt", False)]
    assert seen["stacks"]["bert"]["2D+5"] == "7L 1Pr 1Z"


# The page, doors, menus, maps


def test_the_page_tells_of_treasures_priests_and_prices() -> None:
    page = PAGE.page(a_view(), ())
    assert page is not None
    told = [WORDS.render(line) for line in page.lines]
    assert "The temple in 2D+4 on KF 19 has 40 RE in its treasure." in told
    assert "The temple in 2C+4 on KF 7 is not finished: 20 RE are paid. Its last step takes a priest there." in told
    assert "A priest in 2D+4 has 12 of 100 ZEH: enough for 6 blessings of a class A figure." in told
    assert any("OWNER 5, GARRISON 10, RULER 15 and NEAR 20" in line for line in told)
    nobody = RULES.sight.view(load(DOCUMENT), Playing(PowerId("carl")))
    assert PAGE.page(nobody, ()) is None


def test_the_page_counts_what_fear_of_all_who_were_seen_costs() -> None:
    state = {**DOCUMENT["state"], "explored": {"anna": [{"from": "2D+4", "to": "2D+5"}]}}  # type: ignore[dict-item]
    page = PAGE.page(a_view(phase={"gr": 3, "part": 3}, state=state), ())
    assert page is not None
    # Seven of class A, and a priest, whose factor is 2.
    assert any("Putting fear into all of them costs 18 ZEH" in WORDS.render(line) for line in page.lines)


def test_doors_write_lines_that_stand() -> None:
    view = a_view()
    lines = [
        GIFT.order(view, (), {"place": "2D+4", "amount": "10"}),
        PRAY.order(view, (), {"place": "2D+4", "amount": "10"}),
        PRAY.order(view, (), {"place": "2D+4", "amount": "4", "priest": "Pr/17"}),
        ASK.order(view, (), {"place": "2D+4", "question": "RULER", "subject": "bert"}),
        ASK.order(view, (), {"place": "2D+4", "question": "OWNER", "subject": "2d5", "amount": "2"}),
        ASK.order(view, (), {"place": "2D+4", "subject": 'Who is "carl"?'}),
    ]
    assert lines == [
        "GIFT 2D+4 10",
        "PRAY 2D+4 Pr 10",
        "PRAY 2D+4 Pr/17 4",
        "ORACLE 2D+4 15 RULER bert",
        "ORACLE 2D+4 2 OWNER 2d5",
        "ORACLE 2D+4 1 \"Who is 'carl'?\"",
    ]
    assert RULES.orders.rehearse is not None
    orders = RULES.orders.parse("\n".join(map(str, lines)), view).orders
    assert [line.level for line in RULES.orders.rehearse(view, orders).lines] == ["ok"] * 6
    assert GIFT.is_open is not None
    assert GIFT.is_open(view, ())
    assert not GIFT.is_open(a_view(phase={"gr": 3, "part": 3}), ())
    assert not GIFT.is_open(a_view(options={"priests": False}), ())


@pytest.mark.parametrize(
    ("given", "answer"),
    [
        ({"subject": "  "}, "Say what you ask about: a great field, a ruler, or a question in words."),
        (
            {"question": "NEAR", "subject": "the hill"},
            "“the hill” is not a great field: write a coordinate, as in `subject:2D+4`.",
        ),
        ({"question": "RULER", "subject": "2D+5"}, "“2D+5” is no other ruler's name."),
        ({"subject": "2D+5"}, "What do you want to know about 2D+5? Choose OWNER, GARRISON or NEAR"),
        ({"subject": "Bert"}, "What do you want to know about Bert? Choose RULER"),
    ],
)
def test_a_question_to_the_oracle_that_asks_nothing_is_answered_with_what_is_missing(
    given: dict[str, str], answer: str
) -> None:
    doubt = ASK.order(a_view(), (), {"place": "2D+4", **given})
    assert isinstance(doubt, Doubt)
    assert WORDS.render(doubt.what).startswith(answer)


def test_the_examples_of_the_page_are_for_a_temple_with_a_priest() -> None:
    """Anna's capital is elsewhere, and so is another temple of hers."""
    state = DOCUMENT["state"]
    view = a_view(
        state={
            **state,  # type: ignore[dict-item]
            "rulers": {**state["rulers"], "anna": {"capital": "2C+4"}},  # type: ignore[index]
        }
    )
    page = PAGE.page(view, ())
    assert page is not None
    examples = re.findall("`((?:GIFT|PRAY|ORACLE) [^`]+)`", WORDS.render(page.lines[-1]))
    assert RULES.orders.rehearse is not None
    orders = RULES.orders.parse("\n".join(examples), view).orders
    assert [line.level for line in RULES.orders.rehearse(view, orders).lines] == ["ok"] * 3


def test_every_order_of_the_menu_stands() -> None:
    view = a_view()
    kinds = [choice.value for choice in RULES.orders.menu(view, (), orders=()).choices]
    assert "TEMPLE" in kinds
    asked = set()
    for choice in RULES.orders.menu(view, ("TEMPLE",), orders=()).choices:
        for order in RULES.orders.menu(view, ("TEMPLE", choice.value), orders=()).choices:
            found = RULES.orders.menu(view, ("TEMPLE", choice.value, order.value), orders=()).order
            assert found == order.value
            orders = RULES.orders.parse(found, view).orders
            assert RULES.orders.rehearse is not None
            assert [line.code for line in RULES.orders.rehearse(view, orders).lines] == ["ok"], found
            asked.add(" ".join(found.split()[:1] + found.split()[3:4]))
    assert {each for each in asked if not each.startswith("PRAY")} == {"GIFT", *(f"ORACLE {kind}" for kind in KEYS)}


def test_the_trial_of_a_sheet_builds_and_forsakes_temples() -> None:
    view = a_view()
    text = "MOVE Pr/12 2D+4 > 2C+4\nBUILD 2C+4 Tt KF 7"
    lines = read_orders(RULES, view, text).values
    trial = rehearse(view.state, ANNA, lines)
    works = {place: [(work.type, work.paid) for work in trial.land.works(place)] for place in trial.owned(ANNA)}
    assert works == {"2C+4": [("Tt", None)], "2D+4": [("Tu", None)]}
    assert trial.money(ANNA, Province("2D+4")) == 30 + 40


@pytest.mark.parametrize(("treasure", "end"), [(5, "; its treasure, 5 RE, went to your stores."), (0, ".")])
def test_a_forsaken_temple_speaks_of_its_treasure_only_if_it_had_any(treasure: int, end: str) -> None:
    temple = {"works": [{"type": "Tt", "kf": 19, "ts": treasure}]}
    state = load({**DOCUMENT, "state": {"gf": {"2D+4": temple}, "owners": {"2D+4": "anna"}}})
    done = RULES.play.adjudicate(state, {}, RULES.play.dice(state))
    told = [WORDS.render(event.what) for event in done.events if event.facts and event.facts.code == "temple"]
    assert told == [f"The temple in 2D+4 on KF 19 has no priest and is a tower from now on{end}"]


def test_temples_stand_on_the_map() -> None:
    scene = as_board(RULES.telling.scene(a_view()))
    drawn = [sign for tile in scene.tiles.values() if tile.cells for sign in tile.cells.signs]
    assert [sign.kind for sign in drawn].count("temple") == 2
    assert [tile.tag for tile in scene.tiles.values() if "temple" in tile.signs] == ["2D+4"], "one is not finished"


def test_the_example_of_the_guide_comes_out_as_it_is_told() -> None:
    text = (Path(__file__).parents[3] / "docs/kalevala.md").read_text(encoding="utf-8")
    chapter = text[text.index("## Priests and temples") : text.index("## Being watched")]
    (lines,) = re.findall(r"```\n(.*?)```", chapter, re.S)
    temple = {"works": [{"type": "Tt", "kf": 19, "ts": 30}]}
    stacks = {"anna": {"2D+4": "5L 20RE Pr/12"}, "bert": {"2D+5": "7L", "2E+4": "1L"}}
    owners = {"2D+4": "anna", "2D+5": "bert", "2E+4": "bert"}
    state = load({**DOCUMENT, "state": {"gf": {"2D+4": temple}, "owners": owners, "stacks": stacks}})
    sheet = read_orders(RULES, RULES.sight.view(state, Playing(ANNA)), lines)
    assert (sheet.errors, len(sheet.values)) == ((), 4)
    done = RULES.play.adjudicate(state, {ANNA: sheet.values, BERT: ()}, RULES.play.dice(state))
    after = dump(done.state)["state"]
    assert after["stacks"]["anna"]["2D+4"] == "5L Pr/22 5RE"
    assert after["gf"]["2D+4"]["works"][0]["ts"] == 10
    told = [WORDS.render(event.what) for event in done.events if event.facts and event.facts.code == "oracle"]
    assert told == [
        "The oracle in 2D+4 says, for 10 RE: figures in 2D+5: 7L.",
        "For 4 RE the oracle in 2D+4 only murmurs: somebody rules in 2E+4, but smoke hides who.",
    ]
