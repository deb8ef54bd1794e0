"""Letters and the courier: what they earn, and how much an issue holds. Source: docs/rules/kalevala.md, chapter 2"""

from __future__ import annotations

from typing import Any

from engine.core.ids import PowerId
from engine.core.reading import adjudicate_texts
from engine.kalevala.document import load
from engine.kalevala.model import State
from engine.kalevala.system import KALEVALA

RULERS = ("anna", "bert", "carl", "dora", "emil", "fina", "gerd", "hans")
PAGE = 1_800


def realms(**more: Any) -> State:
    """Eight rulers, each with a god."""
    rulers = {name: {"god": {"oeh": 150}} for name in RULERS}
    return load({"system": "kalevala", "phase": {"gr": 3, "part": 1}, "state": {"rulers": rulers, **more}})


def sent(state: State, **lines: list[str]) -> State:
    """The position after a window in which the others do nothing."""
    texts = {PowerId(name): "\n".join(lines.get(name, ["PASS"])) for name in RULERS}
    return adjudicate_texts(KALEVALA, state, texts)[0].state


def oeh(state: State, name: str = "anna") -> int:
    god = state.rulers[PowerId(name)].god
    assert god is not None
    return int(god["oeh"]) - 150


def piece(letters: int, mark: str = "x") -> str:
    return f'COURIER "{mark * letters}"'


def test_a_full_page_of_the_courier_is_worth_5_oeh_and_a_great_round_20_at_most() -> None:
    assert [oeh(sent(realms(), anna=[piece(letters)])) for letters in (PAGE - 1, PAGE, 2 * PAGE)] == [0, 5, 10]
    assert oeh(sent(realms(), anna=[piece(3 * PAGE), piece(2 * PAGE)])) == 20


def test_an_issue_has_64_pages_with_pieces_of_more_than_four_last() -> None:
    """A longer one than four pages comes last even if it came first; what doesn't fit waits for the next issue."""
    lines = {
        "anna": [piece(4 * PAGE + 1, "l"), piece(4 * PAGE, "a")],
        "bert": [piece(3 * PAGE, mark) for mark in "bcdefghijk"],
        "carl": [piece(4 * PAGE, mark) for mark in "mnopq"],
        "dora": [piece(4 * PAGE, "r"), piece(PAGE + 1, "s")],
    }
    texts = {PowerId(name): "\n".join(lines.get(name, ["PASS"])) for name in RULERS}
    done, _ = adjudicate_texts(KALEVALA, realms(), texts)
    printed = [event.facts.args["text"][0] for event in done.events if event.facts and event.facts.code == "courier"]
    assert "".join(printed) == "abcdefghijkmnopqrs"
    assert [waiting.text[0] for waiting in done.state.courier] == ["l"]


def test_a_letter_of_300_characters_is_worth_1_oeh_once_for_each_ruler_and_five_times_a_great_round() -> None:
    def letter(to: str, letters: int = 300) -> str:
        return f'LETTER {to} "{"y" * letters}"'

    assert oeh(sent(realms(), anna=[letter("bert", 299), letter("carl")])) == 1
    assert oeh(sent(realms(), anna=[letter("bert"), letter("bert"), letter("carl")])) == 2
    assert oeh(sent(realms(), anna=[letter(name) for name in RULERS[1:]])) == 5
