"""Kings: their secrets, books of windows full of them, what menus and pages offer."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from engine.core.doors import Doubt
from engine.core.errors import DocumentError
from engine.core.events import visible_events
from engine.core.ids import PowerId
from engine.core.orders import Menu
from engine.core.reading import read_orders
from engine.core.variant import load_phrases
from engine.core.viewer import Playing
from engine.kalevala.coordinates import Province
from engine.kalevala.document import load
from engine.kalevala.kings.doors import KING_DOORS
from engine.kalevala.kings.facts import WEAKNESSES
from engine.kalevala.model import State
from engine.kalevala.system import KALEVALA, seen_document
from engine.kalevala.view import view
from engine.kalevala.writing import dump
from tests.engine.kalevala.test_secrets import assert_nothing_leaks
from tests.random_kalevala import audit_sheets, wild_sheet

ANNA, BERT, CARL = PowerId("anna"), PowerId("bert"), PowerId("carl")


def a_game(gr: int = 2, part: int = 1) -> State:
    """Anna's warrior king, Bert's agent king next door, whose court Anna holds; Carl's, a priest, is her hostage."""
    palace = {"type": "Tu", "kf": 20, "gates": ["20/SE"], "palace": True}
    return load(
        {
            "system": "kalevala",
            "seed": "kings",
            "phase": {"gr": gr, "part": part},
            "state": {
                "rulers": {
                    "anna": {"king": {"lives": 2, "power": 30, "at": "2D+4", "weakness": "sleep"}, "god": {"oeh": 50}},
                    "bert": {"king": {"type": "Ag", "power": 40, "at": "2D+5", "weakness": "fever", "palace": False}},
                    "carl": {"king": {"type": "Pr", "weakness": "greed"}},
                },
                "gf": {
                    "2D+4": {"hz": {"type": "Std", "kf": 19}, "works": [palace]},
                    "2D+5": {"hz": {"type": "Std", "kf": 19}},
                },
                "owners": {"2D+4": "anna", "2C+4": "anna", "2D+5": "bert", "2D+6": "bert", "2D+7": "carl"},
                "stacks": {
                    "anna": {"2D+4": "9L 80RE", "2C+4": "4L"},
                    "bert": {"2D+5": "9L 2IP 60RE", "2D+6": "3L"},
                    "carl": {"2D+7": "3L 9RE"},
                },
                "explored": {"anna": [{"from": "2D+4", "to": "2D+5"}]},
                "hostages": [
                    {"ruler": "bert", "captor": "anna", "at": "2C+4"},
                    {"ruler": "carl", "captor": "anna", "at": "2D+4", "king": "PrKö/3/60"},
                ],
            },
        }
    )


def test_nobody_sees_a_weakness_or_an_agent_kings_power_and_hostages_are_two_rulers_business() -> None:
    state = a_game()
    rows = {ruler: seen_document(view(state, Playing(ruler)))["state"] for ruler in state.rulers}
    assert all("weakness" not in str(row) for row in rows.values())
    assert rows[ANNA]["rulers"]["anna"]["king"]["lives"] == 2
    assert rows[ANNA]["rulers"]["bert"] == {}
    assert rows[ANNA]["stacks"]["bert"] == {"2D+5": "AgKö/4 9L 2IP 60RE"}
    assert [len(rows[ruler].get("hostages", ())) for ruler in (ANNA, BERT, CARL)] == [2, 1, 1]
    assert "PrKö" not in str(rows[BERT])


@pytest.mark.parametrize("part", [1, 3])
def test_what_is_hidden_of_kings_changes_nothing_that_others_are_shown(part: int) -> None:
    state = a_game(part=part)
    for ruler in state.rulers:
        text = wild_sheet(state, ruler, random.Random(f"{ruler}{part}")) or "PASS"
        assert_nothing_leaks(state, ruler, text)


def test_of_a_creation_a_fever_and_a_death_only_the_ruler_is_told() -> None:
    document = dump(a_game(gr=3))
    document["state"]["rulers"]["anna"].pop("king")
    document["state"]["stacks"]["anna"]["2D+4"] = "9L 80RE"
    document["dice"] = {"fever/bert": [3]}
    state = load(document)
    sheets = {ANNA: read_orders(KALEVALA, view(state, Playing(ANNA)), 'KING CREATE Kr "A man" KF 21').values}
    done = KALEVALA.play.adjudicate(state, sheets, KALEVALA.play.dice(state))
    told = {
        ruler: [
            event.facts.args["what"]
            for event in visible_events(done.events, Playing(ruler))
            if event.facts is not None and event.facts.code == "king"
        ]
        for ruler in state.rulers
    }
    assert told == {ANNA: ["created"], BERT: ["weakness", "fever"], CARL: []}


def test_the_receipt_of_an_abdication_says_what_it_costs() -> None:
    """The province of the palace, if there is one. Source: rules 18.2, ruling KA176"""
    document = dump(a_game(gr=3))
    state = document["state"]
    palace = next(gf for gf, field in state["gf"].items() if any(work.get("palace") for work in field.get("works", ())))
    notes = []
    for has_palace in (True, False):
        if not has_palace:
            state["gf"][palace]["works"] = []
        seen = KALEVALA.sight.view(load(document), Playing(ANNA))
        assert KALEVALA.orders.rehearse is not None
        (found,) = KALEVALA.orders.rehearse(seen, read_orders(KALEVALA, seen, "KING ABDICATE").orders).lines
        notes += [load_phrases("kalevala").render(note) for note in found.notes]
    assert notes == [
        f"{palace}, where his palace stands, goes to marauders with all that is there, and at least a tenth of your "
        "warriors with it",
        "a tenth of your warriors leave for good",
    ]


def test_every_king_has_one_of_six_weaknesses_by_the_die() -> None:
    document = dump(a_game(gr=3))
    document["state"]["rulers"]["anna"].pop("king")
    document["state"]["stacks"]["anna"]["2D+4"] = "9L 80RE"
    found = []
    for die in range(1, 7):
        state = load({**document, "dice": {"weakness/anna": [die]}})
        sheets = {ANNA: read_orders(KALEVALA, view(state, Playing(ANNA)), 'KING CREATE Kr "A man" KF 21').values}
        after = KALEVALA.play.adjudicate(state, sheets, KALEVALA.play.dice(state)).state
        king = after.rulers[ANNA].king
        assert king is not None
        assert not king.is_shown
        found.append(king.weakness)
    assert tuple(found) == WEAKNESSES


def test_the_books_of_windows_full_of_kings_balance() -> None:
    chance = random.Random("crowns")
    told: set[str] = set()
    for game in range(3):
        state = a_game().replace(seed=f"{game}")
        for _ in range(6):
            sheets = {}
            for ruler in KALEVALA.play.status(state).to_act:
                text = wild_sheet(state, ruler, chance)
                if text is not None:
                    sheets[ruler] = read_orders(KALEVALA, KALEVALA.sight.view(state, Playing(ruler)), text).values
            assert audit_sheets(state, sheets) == []
            done = KALEVALA.play.adjudicate(state, sheets, KALEVALA.play.dice(state))
            told |= {
                event.facts.args["what"]
                for event in done.events
                if event.facts is not None and event.facts.code == "king"
            }
            state = done.state
            assert load(dump(state)) == state
    assert {"healed", "freed", "unpaid"} <= told


@pytest.mark.parametrize(
    ("ruler", "gr", "part", "wanted"),
    [
        ("anna", 2, 1, "KING PAY OEH"),
        ("anna", 3, 1, "KING HEAL"),
        ("bert", 3, 1, "KING PALACE KF 19"),
        ("bert", 3, 3, "KING RANSOM 40"),
        ("anna", 3, 3, "KING RELEASE carl FOR 40"),
    ],
)
def test_the_guide_offers_what_a_king_can_do(ruler: str, gr: int, part: int, wanted: str) -> None:
    found = KALEVALA.orders.menu(view(a_game(gr, part), Playing(PowerId(ruler))), ("KING",))
    assert isinstance(found, Menu)
    assert wanted in [choice.value for choice in found.choices]


def test_a_king_who_is_described_at_too_great_length_is_refused_with_the_length_that_is_possible() -> None:
    door = next(door for door in KING_DOORS if door.id == "crown")
    assert door.order is not None
    given = {"kind": "Kr", "field": "20"}
    assert door.order(view(a_game(), Playing(CARL)), (), {**given, "text": "x" * 300}) == (
        f'KING CREATE Kr "{"x" * 300}" KF 20'
    )
    doubt = door.order(view(a_game(), Playing(CARL)), (), {**given, "text": "x" * 301})
    assert isinstance(doubt, Doubt)
    words = load_phrases("kalevala").render(doubt.what)
    assert words == "Say how he looks, in 300 characters at most: you wrote 301."


def test_the_page_of_a_king_tells_what_his_ruler_knows() -> None:
    door = next(door for door in KING_DOORS if door.id == "court")
    assert door.page is not None
    found = {ruler: door.page(view(a_game(), Playing(ruler)), ()) for ruler in (ANNA, BERT, CARL)}
    codes = {
        ruler: [line.code.removeprefix("door.court.") for line in page.lines] for ruler, page in found.items() if page
    }
    assert codes[ANNA] == ["king_Kr", "weakness", "power_Kr", "how", "hold_court", "hold_king"]
    assert codes[BERT] == ["king_Ag", "lost_court", "weakness", "power_Ag", "homeless", "how"]
    assert codes[CARL] == ["lost_king", "weakness", "how"]


@pytest.mark.parametrize(
    ("king", "where"),
    [
        ({"type": "Xx", "at": "2D+4"}, "state.rulers.anna.king.type"),
        ({"lives": 5, "at": "2D+4"}, "state.rulers.anna.king.lives"),
        ({"power": 101, "at": "2D+4"}, "state.rulers.anna.king.power"),
        ({"weakness": "vanity", "at": "2D+4"}, "state.rulers.anna.king.weakness"),
        ({"at": "nowhere"}, "state.rulers.anna.king.at"),
    ],
)
def test_what_can_be_no_king_is_named_with_its_place(king: dict[str, object], where: str) -> None:
    position = {"rulers": {"anna": {"king": king}}, "owners": {"2D+4": "anna"}}
    with pytest.raises(DocumentError) as caught:
        load({"system": "kalevala", "state": position})
    assert str(caught.value).startswith(f"{where}: ")


def test_the_guides_worked_example_of_a_king() -> None:
    """The lines of docs/kalevala.md, on land as it tells of."""
    text = (Path(__file__).parents[3] / "docs/kalevala.md").read_text(encoding="utf-8")
    chapter = text[text.index("## A king") : text.index("## Being watched")]
    lines = ('KING CREATE Kr "A tall man in mail" KF 20', "KING PAY OEH", "KING HEAL")
    assert all(line in chapter for line in lines)
    document = {"system": "kalevala", "phase": {"gr": 1, "part": 1}, "dice": {"weakness/anna": [1]}}
    position = {
        "rulers": {"anna": {"god": {"oeh": 150}}},
        "gf": {"2D+4": {"hz": {"type": "Hstd", "kf": 19}}},
        "owners": {"2D+4": "anna"},
        "stacks": {"anna": {"2D+4": "10L 30RE"}},
    }
    state = load({**document, "state": position})
    for line in (lines[0], "PASS", lines[1], "PASS"):
        orders = read_orders(KALEVALA, view(state, Playing(ANNA)), line).values
        done = KALEVALA.play.adjudicate(state, {ANNA: orders}, KALEVALA.play.dice(state))
        assert not any(result.outcome.is_failure for result in done.results)
        state = done.state
    assert state.stacks[ANNA][Province("2D+4")].get("KrKö/4/5") == 1
    god = state.rulers[ANNA].god
    assert god is not None
    assert god["oeh"] == 140


def test_a_king_who_lost_his_palace_just_now_is_stored_as_what_he_is() -> None:
    rows = {"type": "Kr", "at": "2D+4", "palace": False, "plain": False}
    state = load(
        {
            "system": "kalevala",
            "phase": {"gr": 4, "part": 1},
            "state": {
                "rulers": {"anna": {"king": rows}},
                "owners": {"2D+4": "anna"},
                "stacks": {"anna": {"2D+4": "KrKö/4/0"}},
            },
        }
    )
    assert load(dump(state)) == state
