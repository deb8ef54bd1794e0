"""A refused line is told the one reason why, with the place, the figures or the number that is wrong."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.ids import PowerId
from engine.core.outcome import Outcome
from engine.core.reading import adjudicate_texts, read_orders
from engine.core.variant import load_phrases
from engine.core.viewer import Playing
from engine.kalevala import check
from engine.kalevala.document import load
from engine.kalevala.system import KALEVALA
from tests.engine.kalevala.test_sea import NORTH, SEA, SOUTH, SPIT

PLAIN = "T" * 48


def why(text: str, part: int, **more: Any) -> str:
    """The reason for which the last line is refused, or an empty text."""
    document = {
        "system": "kalevala",
        "seed": "causes",
        "phase": {"gr": 3, "part": part},
        "state": {
            "rulers": {"anna": {"goods": ["LS", "On"]}, "bert": {}},
            "gf": {
                "2C+5": {"kf": PLAIN},
                "2D+4": {"kf": NORTH, "hz": {"type": "Std", "kf": 25}},
                "2D+5": {"kf": SPIT},
                "2D+6": {"kf": SEA},
                "2D+7": {"kf": SOUTH, "hz": {"type": "Mkt", "kf": 19}},
                "2D+8": {"kf": SOUTH},
            },
            "owners": {"2D+4": "anna", "2D+5": "anna", "2D+7": "bert"},
            "stacks": {
                "anna": {"2D+4": "9L 3B 2K 1LS LS[2L 1On] 10RE", "2D+5": "1L", "2D+6": "LS[5L]"},
                "bert": {"2D+7": "3L 2IP 9RE"},
            },
            "seas": {"anna": ["2D+6"]},
            "known": {"anna": ["2D+6"]},
            **more,
        },
    }
    view = KALEVALA.sight.view(load(document), Playing(PowerId("anna")))
    *_, last = check.rehearse(view, read_orders(KALEVALA, view, text).orders).lines
    return load_phrases("kalevala").render(last.what) if last.level == "error" else ""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("BOARD 20L 2D+4 LS", "you don't have these figures there. Free in 2D+4: 3B 2K 9L 1LS LS[2L 1On] 10RE"),
        ("BOARD 2L 2D+4 SS", "that craft of yours is not in 2D+4. Craft there: 1LS LS[2L 1On]; "),
        ("SAIL LS[3L] 2D+4 > 2D+6", "that craft of yours is not in 2D+4. Craft there: 1LS LS[2L 1On]; "),
        ("SAIL LS[5L] 2D+6 > 2D+5 > 2C+5", "2C+5 is neither yours, nor open to you, nor a sea that you have sailed"),
        ("FERRY 20L 2D+4 > 2D+5", "you don't have these figures there. Free in 2D+4: "),
        ("FERRY 2L 2D+4 > 2D+7", "2D+7 is not yours, and ferries go"),
        ("CARAVAN 1 FORM 2D+4 1K 20L", "you don't have these figures there. Free in 2D+4: "),
        ("CARAVAN 1 FORM 2D+7 1K", "2D+7 is not yours, and caravans are formed"),
        ("CARAVAN 1 FORM 2D+4 2L", "each caravan needs a merchant (K): `CONVERT 2D+4 1K`"),
        ("CARAVAN 3 FORM 2D+4 1K", "you may have two caravans, with the numbers 1 and 2"),
        ("CARAVAN 1 MOVE 2D+4 > 2D+5", "you have no caravan 1: `CARAVAN 1 FORM`"),
        ("CARAVAN 2 DISSOLVE", "you have no caravan 2: `CARAVAN 2 FORM`"),
        ("CARAVAN 1 FORM 2D+4 1K\nCARAVAN 1 MOVE 2D+5 > 2D+4", "your caravan 1 is in 2D+4"),
        ("CARAVAN 1 FORM 2D+4 1K\nCARAVAN 1 MOVE 2D+4 > 2C+5", "2C+5 is not yours, and in the window of orders"),
    ],
)
def test_orders_about_craft_and_caravans(text: str, told: str) -> None:
    assert why(text, 1).startswith(told)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("ENTER 2 2D+4 B 2C+5 2L", "your scouts have not been in 2C+5 in this great round"),
        ("ENTER 2 2D+6 B 2D+7 LS[5L]", "2D+7 belongs to Bert, as far as you know: K invades it"),
        ("ENTER 2 2D+6 K 2D+8 LS[5L]", "as far as you know nobody owns 2D+8: natives' land is entered with B"),
        (
            "ENTER 2 2D+6 K 2D+7 5L",
            "they are aboard: name their craft with all that is on it. You have in 2D+6: LS",
        ),
        (
            "ENTER 2 2D+4 B 2D+6 1LS",
            "every craft needs a warrior aboard, and is written with all that is aboard.",
        ),
        ("ENTER 2 2D+6 K 2D+7 9B", "you don't have these figures in 2D+6. You have there: LS[5L]"),
    ],
)
def test_entries(text: str, told: str) -> None:
    rows = [
        {"from": "2D+6", "to": "2D+7", "ee": 1},
        {"from": "2D+6", "to": "2D+8", "ee": 3},
        {"from": "2D+4", "to": "2D+6", "ee": 4},
    ]
    assert why(text, 3, explored={"anna": rows}).startswith(told)


def test_an_entry_where_scouts_saw_nothing() -> None:
    rows = [{"from": "2D+6", "to": "2D+7", "ee": 1, "result": "none"}]
    assert why("ENTER 2 2D+6 B 2D+7 LS[5L]", 3, explored={"anna": rows}).startswith("your scouts did not see who is in")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("AGENT 1 DO STEAL 3IP", "your agent has not seen such figures in 2D+7. He saw: 3L 2IP 9RE"),
        ("AGENT 1 DO STEAL 2L", "STEAL is for something else: STEAL takes animals, THEFT takes gear"),
        ("AGENT 1 DO MURDER 1IP", "MURDER is for something else: "),
        ("AGENT 2 DO LETTERS 2", "letters are read in the capital of another ruler only"),
    ],
)
def test_deeds_of_agents(text: str, told: str) -> None:
    agents = [
        {"ruler": "anna", "n": number, "at": at, "group": "", "re": 60, "scouted": True}
        for number, at in enumerate(("2D+7", "2D+8"), 1)
    ]
    assert why(text, 3, agents=agents).startswith(told)


def what_became_of(line: str, **bert: Any) -> str:
    """What the result says of a deed that could not be carried out."""
    god = {"oeh": 400, "seat": 1, "stay": 5}
    document = {
        "system": "kalevala",
        "phase": {"gr": 3, "part": 3},
        "options": {"gods": True, "priests": True, "agents": True},
        "dice": {"agent/anna/1": [100]},
        "state": {
            "rulers": {"anna": {"god": god}, "bert": {"god": {**god, "seat": 2}, **bert}},
            "gf": {
                "2D+4": {"kf": PLAIN},
                "2D+5": {"kf": PLAIN, "hz": {"type": "Std", "kf": 19}},
                "2D+6": {"kf": PLAIN, "hz": {"type": "Mkt", "kf": 19}},
            },
            "owners": {"2D+4": "anna", "2D+5": "bert", "2D+6": "bert"},
            "stacks": {"anna": {"2D+4": "9L 1Ag Pr/20"}, "bert": {}},
            "agents": [{"ruler": "anna", "n": 1, "at": "2D+6", "re": 50, "scouted": True}],
            "explored": {"anna": [{"ee": 1, "from": "2D+4", "to": "2D+5"}]},
        },
    }
    done, _ = adjudicate_texts(KALEVALA, load(document), {PowerId("anna"): line})
    (result,) = (each for each in done.results if each.power == "anna")
    assert result.outcome is Outcome.VOID
    return load_phrases("kalevala").render(result.reason)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("GOD APPEAR 2D+5 FOR anna AGAINST bert BASE", "Anna fought no battle in 2D+5, so your god stayed at home"),
        ("GOD CALL BASE", "nobody called your god: no priest or priest king of yours"),
        ("ENTER 2 2D+4 K 2D+5 1Ag", "nobody takes 2D+5 without a warrior"),
        ("AGENT 1 DO LETTERS 2", "2D+6 is not the capital of its ruler"),
    ],
)
def test_a_deed_that_came_to_nothing_is_not_said_to_be_written_wrongly(line: str, told: str) -> None:
    assert what_became_of(line).startswith(told)


def test_an_attack_that_a_protection_stopped_is_told_so() -> None:
    """Bert has missed too many windows, which anna could not know before."""
    assert what_became_of("ENTER 2 2D+4 K 2D+5 3L", protected=6).startswith("2D+5 belongs to a realm that is protected")
