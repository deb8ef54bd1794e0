"""Deeds of trade: the books, and what others learn of them. Source: docs/rules/kalevala.md, chapter 21"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.core.doors import Doubt
from engine.core.ids import PowerId
from engine.core.reading import read_orders
from engine.core.variant import load_phrases
from engine.core.viewer import Playing
from engine.kalevala.coordinates import Province
from engine.kalevala.document import load
from engine.kalevala.guide import RulerGuide
from engine.kalevala.model import State
from engine.kalevala.rounds import rehearse
from engine.kalevala.system import KALEVALA
from tests.engine.kalevala.wars import a_harbour, a_tangle, a_tangled_sheet, faults_of, faults_of_many
from tests.random_kalevala import audit_sheets, wild_sheet

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


GIVE, TAKE = "FIEF 2D+6 TO anna 5", "ACCEPT 2D+6 OF bert"


def lands() -> State:
    """Anna, bert with two provinces, one of which nobody guards, and carl beside them."""
    state = {
        "rulers": {"anna": {}, "bert": {}, "carl": {}},
        "owners": {"2D+4": "anna", "2D+5": "bert", "2D+6": "bert", "2E+4": "carl"},
        "stacks": {"anna": {"2D+4": "2L"}, "bert": {"2D+5": "3A", "2D+6": "2RE"}, "carl": {"2E+4": "1L"}},
        "known": {"carl": ["2D+6"]},
    }
    return load({"system": "kalevala", "phase": {"gr": 2, "part": 3}, "state": state})


def test_a_stranger_learns_nothing_of_a_fief_and_of_an_offer_nobody_does() -> None:
    state = lands()
    strangers, offers, consents = [], [], []
    for anna, bert in (("PASS", "PASS"), (TAKE, GIVE), (TAKE, "PASS"), ("PASS", GIVE)):
        done = KALEVALA.play.adjudicate(
            state, sheets(state, anna=anna, bert=bert, carl="PASS"), KALEVALA.play.dice(state)
        )

        def shown(power: PowerId, done: Any = done) -> tuple[Any, ...]:
            told = [event for event in done.events if event.audience is None or power in event.audience]
            answers = [each for each in done.results if each.power == power and each.text != "PASS"]
            return told, answers, KALEVALA.sight.view(done.state, Playing(power)).state

        strangers.append(shown(CARL))
        is_made = (anna, bert) == (TAKE, GIVE)
        if not is_made:
            offers.append((anna, shown(ANNA)))
            consents.append((bert, shown(BERT)))
    assert strangers[0] == strangers[1] == strangers[2] == strangers[3]
    assert offers[0] == offers[2], "anna learns nothing of an offer that she did not accept"
    assert consents[0] == consents[1], "nor bert that anybody would have accepted one"


def test_only_the_giver_sees_that_a_fief_may_be_claimed() -> None:
    document = KALEVALA.play.dump(lands())
    row = {"gf": "2D+4", "giver": "bert", "holder": "anna", "until": 9}
    document["state"]["fiefs"] = [{**row, "open": True}]
    state = load(document)
    views = {ruler: KALEVALA.sight.view(state, Playing(ruler)) for ruler in (ANNA, BERT, CARL)}
    found = {ruler: view.state.modules.get("fiefs") for ruler, view in views.items()}
    assert found == {ANNA: [row], BERT: [{**row, "open": True}], CARL: None}
    briefings = {
        ruler: [line.code for section in KALEVALA.telling.briefing(view).sections for line in section.lines]
        for ruler, view in views.items()
    }
    assert "briefing.fief_held" in briefings[ANNA]
    assert "briefing.fief_open" in briefings[BERT]
    assert not any("fief" in code for code in briefings[CARL])


def test_the_commands_write_both_lines_of_a_fief() -> None:
    doors = {door.id: door for door in KALEVALA.doors}
    seen = KALEVALA.sight.view(lands(), Playing(BERT))
    offer, consent = doors["fiefoffer"].order, doors["fiefaccept"].order
    assert offer is not None
    assert consent is not None
    assert offer(seen, (), {"ruler": "anna", "place": "2D+6", "rounds": "5"}) == GIVE
    seen = KALEVALA.sight.view(lands(), Playing(ANNA))
    assert consent(seen, (), {"ruler": "bert", "place": "2D+6"}) == TAKE


@pytest.mark.parametrize("command", ["permit", "handover", "fief offer", "fief accept"])
@pytest.mark.parametrize("name", ["anna", "Zeus"])
def test_commands_to_nobody_else_say_whose_names_there_are(command: str, name: str) -> None:
    """One's own name can't be read in a line, and the form of the line doesn't say why."""
    door = next(door for door in KALEVALA.doors if door.info.command == command)
    assert door.order is not None
    view = KALEVALA.sight.view(market(), Playing(ANNA))
    given = {"ruler": name, "place": "2D+4", "rounds": "2", "give": "4On"}
    doubt = door.order(view, (), given)
    assert isinstance(doubt, Doubt)
    assert load_phrases("kalevala").render(doubt.what) == f"“{name}” is no other ruler's name."
    assert "bert" in doubt.known
    assert isinstance(door.order(view, (), {**given, "ruler": "Bert"}), str)


def test_the_guide_offers_trade_and_fiefs_that_would_stand() -> None:
    for state, ruler, kinds in ((market(), ANNA, {"HANDOVER"}), (lands(), BERT, {"FIEF"}), (lands(), ANNA, set[str]())):
        view = KALEVALA.sight.view(state, Playing(ruler))
        guide = RulerGuide(view, ())
        assert kinds <= set(guide.open_kinds)
        for kind in kinds:
            for order, _ in guide.whole(kind):
                (line,) = read_orders(KALEVALA, view, str(order)).values
                assert not rehearse(view.state, ruler, (line,)).is_refused(ruler, line), order
    assert "HANDOVER" not in RulerGuide(KALEVALA.sight.view(lands(), Playing(ANNA)), ()).open_kinds, (
        "without a merchant"
    )
    deals = [str(order) for order, _ in RulerGuide(KALEVALA.sight.view(market(), Playing(ANNA)), ()).whole("HANDOVER")]
    assert "HANDOVER 4On AT 2D+4 TO bert FOR 8RE" in deals
    assert "HANDOVER 8RE AT 2D+4 TO bert FOR 4On" in deals


def test_a_claim_and_a_renewal_are_offered_to_whom_they_concern() -> None:
    document = KALEVALA.play.dump(lands())
    document["state"]["fiefs"] = [{"gf": "2D+4", "giver": "bert", "holder": "anna", "until": 9}]
    state = load(document)
    for ruler, kind, wanted in (
        (BERT, "ACCEPT", "ACCEPT 2D+4 OF anna"),
        (ANNA, "ACCEPT", "ACCEPT 2D+4 OF bert"),
        (BERT, "FIEF", "FIEF 2D+4 TO anna 10"),
        (ANNA, "FIEF", "FIEF 2D+4 TO bert 1"),
    ):
        guide = RulerGuide(KALEVALA.sight.view(state, Playing(ruler)), ())
        assert wanted in [str(order) for order, _ in guide.whole(kind)]


def test_random_sheets_trade_and_lend_and_the_books_balance() -> None:
    chance = random.Random("trade")
    found: Counter[str] = Counter()
    for number in range(12):
        document = KALEVALA.play.dump(market())
        document["seed"] = f"trade {number}"
        state = load(document)
        for _ in range(3):
            texts = {ruler: wild_sheet(state, ruler, chance) or "PASS" for ruler in state.rulers}
            given = sheets(state, **texts)
            assert audit_sheets(state, given) == []
            done = KALEVALA.play.adjudicate(state, given, KALEVALA.play.dice(state))
            found.update(event.facts.code for event in done.events if event.facts is not None)
            assert load(KALEVALA.play.dump(done.state)) == done.state
            state = done.state
    assert min(found["handover"], found["fief"]) >= 3, found


def test_the_guides_worked_example_of_a_fief() -> None:
    """The lines of docs/kalevala.md, on land as it tells of."""
    text = (Path(__file__).parents[3] / "docs/kalevala.md").read_text(encoding="utf-8")
    chapter = text[text.index("### Fiefs") : text.index("## If you are away")]
    for line in (GIVE.replace(" 5", " 10"), TAKE, "MOVE 1L 2D+4 > 2D+6", "FIEF 2D+6 TO bert 1", "ACCEPT 2D+6 OF anna"):
        assert line in chapter
    document = KALEVALA.play.dump(lands())
    document["state"]["gf"] = {"2D+6": {"hz": {"type": "Mkt", "kf": 19}}}
    document["state"]["owners"] = {"2D+4": "anna", "2D+5": "anna", "2D+6": "bert"}
    state = load(document)
    for anna, bert in (
        (TAKE, GIVE.replace(" 5", " 10")),
        ("MOVE 1L 2D+4 > 2D+5 > 2D+6", "PASS"),
        ("FIEF 2D+6 TO bert 1", "ACCEPT 2D+6 OF anna"),
    ):
        done = KALEVALA.play.adjudicate(state, sheets(state, anna=anna, bert=bert), KALEVALA.play.dice(state))
        assert not any(result.outcome.is_failure for result in done.results), (anna, bert)
        state = done.state
    assert state.owners[Province("2D+6")] == BERT


@pytest.mark.parametrize("number", [0, 1, 2, 11, 13, 26])
def test_wars_in_which_all_want_the_same_keep_their_books_and_secrets(number: int) -> None:
    """Trade, letters, a vortex, entries, caravans and agents take from the same stacks, in any order."""
    chance = random.Random(f"wars/{number}")
    state = a_tangle(chance)
    _, faults = faults_of(state, chance, a_tangled_sheet)
    assert faults == []


@pytest.mark.parametrize(("make", "number"), [(a_harbour, 21), (a_harbour, 2), (a_tangle, 4)])
def test_windows_with_all_that_can_be_ordered_keep_their_books_and_receipts(
    make: Callable[[random.Random], State], number: int
) -> None:
    """Many more of them: `python -m tests.engine.kalevala.wars --harbours`, and `--medleys`."""
    chance = random.Random(f"wars/{number}")
    _, faults = faults_of_many(make(chance), chance, 3)
    assert faults == []
