"""Deeds of trade: the books, and what others learn of them. Source: docs/rules/kalevala.md, chapter 21"""

from __future__ import annotations

from typing import Any

from engine.core.ids import PowerId
from engine.core.reading import read_orders
from engine.core.viewer import Playing
from engine.kalevala.document import load
from engine.kalevala.model import State
from engine.kalevala.system import KALEVALA
from tests.rulers import audit_sheets

ANNA, BERT, CARL = map(PowerId, ("anna", "bert", "carl"))
OFFER, ANSWER = "HANDOVER 4On 3RE AT 2D+4 TO bert FOR 2Sk", "HANDOVER 2Sk AT 2D+4 TO anna FOR 4On 3RE"


def market() -> State:
    """Anna and bert at a border, carl beside both."""
    state = {
        "rulers": {"anna": {}, "bert": {}, "carl": {}},
        "gf": {"2D+4": {}, "2D+5": {}, "2E+4": {}},
        "owners": {"2D+4": "anna", "2D+5": "bert", "2E+4": "carl"},
        "stacks": {"anna": {"2D+4": "2L 2K 4On 12RE"}, "bert": {"2D+5": "3A 1K 2Sk"}, "carl": {"2E+4": "1L 1K"}},
    }
    return load({"system": "kalevala", "phase": {"gr": 2, "part": 3}, "state": state})


def sheets(state: State, **texts: str) -> dict[PowerId, Any]:
    return {
        PowerId(ruler): read_orders(KALEVALA, KALEVALA.sight.view(state, Playing(PowerId(ruler))), text).values
        for ruler, text in texts.items()
    }


def test_the_books_hold_what_changed_hands() -> None:
    state = market()
    assert audit_sheets(state, sheets(state, anna=OFFER, bert=ANSWER, carl="PASS")) == []


def test_a_stranger_beside_both_learns_nothing_of_a_deed() -> None:
    state = market()
    found = []
    for anna, bert in (("PASS", "PASS"), (OFFER, ANSWER), (OFFER, "PASS")):
        given = sheets(state, anna=anna, bert=bert, carl="PASS")
        done = KALEVALA.play.adjudicate(state, given, KALEVALA.play.dice(state))
        told = [event for event in done.events if event.audience is None or CARL in event.audience]
        answers = [result for result in done.results if result.audience is None or CARL in result.audience]
        found.append((told, answers, KALEVALA.sight.view(done.state, Playing(CARL)).state))
    assert found[0] == found[1] == found[2]


def test_who_offers_learns_the_same_whatever_the_other_did() -> None:
    state = market()
    told = []
    for bert in ("PASS", "HANDOVER 1Sk AT 2D+4 TO anna FOR 4On 3RE", "HANDOVER 2Sk AT 2D+5 TO anna FOR 4On 3RE"):
        given = sheets(state, anna=OFFER, bert=bert)
        done = KALEVALA.play.adjudicate(state, given, KALEVALA.play.dice(state))
        told.append([result for result in done.results if result.power == ANNA])
    assert told[0] == told[1] == told[2]
    assert told[0][0].codes == ("unmatched",)


def test_goods_that_are_handed_over_do_not_march() -> None:
    """An entry below the deed can't name them, and the other way round."""
    state = market()
    explored = KALEVALA.play.dump(state)
    explored["state"]["explored"] = {"anna": [{"ee": 1, "from": "2D+4", "to": "2D+5", "result": "full"}]}
    state = load(explored)
    enter = "ENTER 2 2D+4 K 2D+5 1L 10RE"
    for text in (f"{OFFER}\n{enter}", f"{enter}\n{OFFER}"):
        done = KALEVALA.play.adjudicate(state, sheets(state, anna=text), KALEVALA.play.dice(state))
        _, second = (result.codes for result in done.results if result.power == ANNA)
        assert second == ("V31",)


def test_the_command_writes_one_side_of_a_deed() -> None:
    (door,) = (door for door in KALEVALA.doors if door.id == "handover")
    assert door.order is not None
    seen = KALEVALA.sight.view(market(), Playing(ANNA))
    given = {"ruler": "bert", "place": "2D+4"}
    assert door.order(seen, (), {**given, "give": "4On 3RE", "want": "2Sk"}) == OFFER
    assert door.order(seen, (), {**given, "want": "2Sk"}) == "HANDOVER NOTHING AT 2D+4 TO bert FOR 2Sk"
    assert not isinstance(door.order(seen, (), given), str)
    assert door.is_open is not None
    assert door.is_open(seen, ())
