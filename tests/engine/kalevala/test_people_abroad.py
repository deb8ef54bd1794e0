"""Where a ruler's caravans, agents and fleets are, on the sheet and in words, and when they saw land last."""

from __future__ import annotations

from typing import Any

from engine.core.ids import PowerId
from engine.core.reading import adjudicate_texts
from engine.core.variant import load_phrases
from engine.core.viewer import Playing
from engine.kalevala.describe import known_fields
from engine.kalevala.document import load
from engine.kalevala.examples import examples, in_words
from engine.kalevala.guide import guide_of
from engine.kalevala.model import State, View
from engine.kalevala.system import KALEVALA
from tests.engine.kalevala.test_sea import ANNA, coast

WORDS = load_phrases("kalevala")
PLAIN = {"kf": "T" * 48}


def traders(**more: Any) -> State:
    return load(
        {
            "system": "kalevala",
            "phase": {"gr": 4, "part": 1},
            "state": {
                "rulers": {"anna": {}, "bert": {}},
                "gf": {"2D+4": PLAIN, "2D+5": PLAIN, "2D+6": PLAIN, "2D+7": PLAIN},
                "owners": {"2D+4": "anna", "2D+5": "bert", "2D+6": "bert"},
                "stacks": {"anna": {"2D+4": "5L 2RE"}, "bert": {"2D+5": "3L", "2D+6": "7L"}},
                "known": {"anna": ["2D+5", "2D+6", "2D+7"]},
                "seen": {"anna": {"2D+5": 2, "2D+6": 2, "2D+7": 2}},
                "caravans": [{"ruler": "anna", "n": 1, "at": "2D+5", "load": "1K 4On 9RE"}],
                "agents": [
                    {"ruler": "anna", "n": 1, "at": "2D+7", "group": "1L", "re": 30},
                    {"ruler": "anna", "n": 2, "at": "2D+6", "captive": "bert", "re": 2},
                    {"ruler": "bert", "n": 1, "at": "2D+7", "group": "", "re": 30},
                ],
                **more,
            },
        }
    )


def view_of(state: State, ruler: str = "anna") -> View:
    return KALEVALA.sight.view(state, Playing(PowerId(ruler)))


def fields(state: State) -> dict[str, str]:
    told = map(WORDS.render, known_fields(view_of(state).state, ANNA))
    return dict(line.split(": ", 1) for line in told)


def test_a_sheet_lists_what_is_abroad() -> None:
    notes = KALEVALA.orders.template(view_of(traders()), ()).splitlines()
    assert notes[:5] == [
        "# Your provinces, and what is there:",
        "# 2D+4 5L 2RE",
        "# 2D+5: your KW1 with 1K 4On 9RE",
        "# 2D+7: your Ag1 with 1L 30RE",
        "# 2D+6: your Ag2, a captive",
    ]
    assert "KW1" not in KALEVALA.orders.template(view_of(traders(), "bert"), ())


def test_the_position_in_words_has_it_too_and_land_where_a_caravan_is_counts_as_seen() -> None:
    told = fields(traders())
    assert told["2D+5"] == "lowland; Bert's, with 3L and your KW1 with 1K 4On 9RE"
    assert "your Ag1 with 1L 30RE" in told["2D+7"]
    assert "last seen in round 2" in told["2D+6"]


def test_land_that_a_caravan_or_a_fleet_has_left_was_last_seen_while_it_was_there() -> None:
    """Ruling KA323."""
    state = adjudicate_texts(
        KALEVALA,
        traders().replace(part=3),
        {ANNA: "CARAVAN 1 MOVE 2D+5 > 2D+4", PowerId("bert"): "PASS"},
    )[0].state
    assert "last seen in round 4" in fields(state)["2D+5"]
    assert "last seen in round 2" in fields(state)["2D+6"]
    ships = {"anna": {"2D+4": "9L", "2D+5": "1L 1FS FS[2L]"}, "bert": {"2D+7": "2L"}, "carl": {"2H+9": "1L"}}
    start = coast(stacks=ships, seas={}, known={}).replace(gr=2)
    sailing, back = "ENTER 2 2D+5 B 2D+6 FS[2L]", "SAIL FS[2L] 2D+6 > 2D+5"
    idle = {PowerId("bert"): "PASS", PowerId("carl"): "PASS"}
    at_sea = adjudicate_texts(KALEVALA, start, {ANNA: "EXPLORE 1 2D+5 > 2D+6", **idle})[0]
    there = adjudicate_texts(KALEVALA, at_sea.state, {ANNA: sailing, **idle})[0].state
    assert fields(there)["2D+6"] == "water; Anna with FS[2L]"
    waiting = there
    for _ in range(2):
        waiting = adjudicate_texts(KALEVALA, waiting, {ANNA: "PASS", **idle})[0].state
    home = adjudicate_texts(KALEVALA, waiting, {ANNA: back, **idle})[0].state
    assert home.gr == 4
    assert "last seen in round 3" in fields(home)["2D+6"]


def test_newcomers_are_told_what_an_order_to_an_agent_means() -> None:
    told = list(map(WORDS.render, examples(view_of(traders()))))
    assert "`AGENT 1 SCOUT` means “Ag1: scout where he will be (10 RE of what he carries)”." in told


def test_the_points_of_priests_and_mystics_are_told_in_words() -> None:
    told = [WORDS.render(part) for part in in_words({"Pr/14": 1, "My/0": 2, "L": 3})]
    assert told == ["3 lancers", "2 mystics with 0 spell points (ZEH)", "1 priest with 14 spell points (ZEH)"]


def test_a_captive_in_unknown_land_is_told_without_a_word_about_the_land() -> None:
    state = traders(known={}, seen={})
    assert fields(state)["2D+6"] == "your Ag2, a captive"


def test_a_fleet_at_sea_is_the_first_to_be_offered_scouts() -> None:
    state = coast(stacks={"anna": {"2D+4": "9L", "2D+5": "1L", "2D+6": "LS[5LB]"}, "bert": {"2D+7": "2L"}})
    (first, *_) = (str(order) for order, _ in guide_of(view_of(state), ()).whole("EXPLORE"))
    assert first.startswith("EXPLORE 1 2D+6 > ")


def test_whoever_has_a_caravan_ready_is_told_how_it_goes_on() -> None:
    told = list(map(WORDS.render, examples(view_of(traders(agents=[]).replace(part=3)))))
    assert any(line.startswith("`CARAVAN 1 MOVE 2D+5 > ") and "means “KW1 to " in line for line in told)
    assert not any("PASS" in line for line in told)
