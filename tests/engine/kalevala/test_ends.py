"""The end of a game and its score, and realms that somebody takes over. Source: rules R-093, 31, rulings KA53, KA54"""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.events import Event, Facts
from engine.core.ids import PowerId
from engine.core.play import Resolution
from engine.core.reading import read_orders
from engine.core.viewer import EVERYBODY, Playing
from engine.kalevala.document import load
from engine.kalevala.model import MARAUDER, REALM, VACANT, State
from engine.kalevala.system import KALEVALA, start
from engine.kalevala.writing import dump

ANNA, BERT = PowerId("anna"), PowerId("bert")


def document(**more: Any) -> dict[str, Any]:
    """Two realms; anna's is worth 10 x 6 city units + 2 x 2 provinces + (30 RE + 40 RE of army) / 10 + 150 / 25."""
    state = {
        "rulers": {"anna": {"god": {"oeh": 150}}, "bert": {}},
        "gf": {"2D+4": {"hz": {"type": "Hstd"}}, "2D+5": {"hz": {"type": "Phstd"}}, "2H+4": {"hz": {"type": "Mkt"}}},
        "owners": {"2D+4": "anna", "2D+5": "anna", "2H+4": "bert"},
        "stacks": {"anna": {"2D+4": "10LB 30RE"}, "bert": {"2H+4": "4L"}},
    }
    return {"system": "kalevala", "phase": {"gr": 1, "part": 3}, "state": state, **more}


def closed(state: State, **sheets: str) -> Resolution[State, Any]:
    """A window in which these send these sheets."""
    orders = {
        PowerId(ruler): read_orders(KALEVALA, KALEVALA.sight.view(state, Playing(PowerId(ruler))), text).values
        for ruler, text in sheets.items()
    }
    return KALEVALA.play.adjudicate(state, orders, KALEVALA.play.dice(state))


def facts_of(event: Event) -> Facts:
    assert event.facts is not None
    return event.facts


def test_a_great_round_scores_by_the_page() -> None:
    state = closed(load(document(options={"score": True})), anna="PASS", bert="PASS").state
    assert state.rulers[ANNA].scores == (60 + 4 + 7 + 6,)
    assert state.rulers[BERT].scores == (5 + 2 + 0.8,)
    assert load(dump(state)) == state


def test_no_score_is_kept_where_nobody_asks_for_one() -> None:
    assert closed(load(document()), anna="PASS").state.rulers[ANNA].scores == ()


def test_nobody_knows_another_rulers_score() -> None:
    state = closed(load(document(options={"score": True})), anna="PASS", bert="PASS").state
    seen = KALEVALA.sight.view(state, Playing(BERT)).state
    assert seen.rulers[BERT].scores
    assert seen.rulers[ANNA].scores == ()
    assert all(not own.scores for own in KALEVALA.sight.view(state, EVERYBODY).state.rulers.values())


def test_the_table_is_told_to_all_at_the_end_of_an_epoch() -> None:
    given = document(options={"score": True}, phase={"gr": 12, "part": 3})
    given["state"]["rulers"]["anna"]["score"] = [1, 70, 77]
    (told,) = (
        event for event in closed(load(given), anna="PASS", bert="PASS").events if facts_of(event).code == "score"
    )
    assert told.audience is None
    assert facts_of(told).args["table"] == [{"ruler": "anna", "score": 74.67}, {"ruler": "bert", "score": 7.8}]


def test_a_score_stands_in_the_chart_once_it_was_told_and_not_before() -> None:
    def charted(state: State) -> tuple[int, dict[PowerId, float]]:
        standings = KALEVALA.telling.standings
        assert standings is not None
        found = standings(KALEVALA.sight.view(state, EVERYBODY))
        return found.time, dict(found.figures)

    given = document(options={"score": True}, phase={"gr": 12, "part": 3})
    given["state"]["rulers"]["anna"]["score"] = [1, 70, 77]
    before = load(given)
    assert charted(before) == (1, {})
    after = closed(before, anna="PASS", bert="PASS").state
    assert charted(after) == (2, {"anna": 74.67, "bert": 7.8})
    later = closed(closed(after, anna="PASS", bert="PASS").state, anna="PASS", bert="PASS").state
    assert charted(later) == (2, {"anna": 74.67, "bert": 7.8})
    assert load(dump(later)) == later


@pytest.mark.parametrize("options", [{"rounds": 2}, {"epochs": 1, "rounds": 2}])
def test_a_game_ends_with_its_last_round_and_the_highest_mean_wins(options: dict[str, int]) -> None:
    given = document(options=options, phase={"gr": 2, "part": 3})
    given["state"]["rulers"]["bert"]["score"] = [400]
    resolution = closed(load(given), anna="PASS", bert="PASS")
    status = KALEVALA.play.status(resolution.state)
    assert status.winners == (BERT,)
    assert status.to_act == ()
    assert [facts_of(event).code for event in resolution.events][-1] == "score"
    assert KALEVALA.play.load(KALEVALA.play.dump(resolution.state)) == resolution.state


def test_a_game_goes_on_before_its_last_round() -> None:
    state = closed(load(document(options={"rounds": 3}, phase={"gr": 2, "part": 3})), anna="PASS", bert="PASS").state
    assert KALEVALA.play.status(state).winners is None
    assert not any(facts_of(event).code == "score" for event in closed(state, anna="PASS", bert="PASS").events)


def test_the_goal_says_when_the_game_ends() -> None:
    state = start(variant="small", players=6, options={"epochs": 2}, seed="")
    assert KALEVALA.telling.goal(KALEVALA.sight.view(state, EVERYBODY)).args["last"] == 24


# Realms that nobody plays


def vacant(part: int, **more: Any) -> State:
    given = document(phase={"gr": 4, "part": part}, **more)
    given["state"]["rulers"]["anna"] = {"kind": "vacant", "protected": 6, "nmr": 3}
    return load(given)


def test_a_vacant_realm_waits_for_a_ruler_and_marauders_for_nobody() -> None:
    assert KALEVALA.play.status(vacant(1)).to_act == (ANNA, BERT)
    given = document()
    given["state"]["rulers"]["anna"] = {"kind": "marauder"}
    status = KALEVALA.play.status(load(given))
    assert (status.to_act, status.out) == ((BERT,), (ANNA,))


def test_whoever_sends_a_sheet_for_a_vacant_realm_is_its_ruler_and_protected_no_longer() -> None:
    """Nothing else of it changes: the books, the army and the land are those that were left."""
    state = vacant(1)
    after = closed(state, anna="WATCH 2D+4 1", bert="PASS")
    own = after.state.rulers[ANNA]
    assert (own.kind, own.nmr, own.protected) == (REALM, 0, 3)
    assert [row.outcome.value for row in after.results if row.power == ANNA] == ["succeeds"]
    assert after.state.owned(ANNA) == state.owned(ANNA)


def test_a_realm_taken_over_among_deeds_is_protected_until_its_first_window_of_orders_is_over() -> None:
    after = closed(vacant(3), anna="PASS", bert="PASS").state
    assert (after.rulers[ANNA].kind, after.rulers[ANNA].protected) == (REALM, 4)


def test_new_rulers_are_shielded_as_long_as_the_option_says() -> None:
    after = closed(vacant(1, options={"shield": 2}), anna="PASS", bert="PASS").state
    assert after.rulers[ANNA].protected == 5


@pytest.mark.parametrize(("until", "kept"), [(3, 1), (4, 3)])
def test_a_realm_may_be_loyal_up_to_a_great_round(until: int, kept: int) -> None:
    """That great round included, although all dice are against it. Ruling KA76"""
    given = dump(load({"system": "kalevala", "dice": {"loyal/bert": [3, 3]}}))
    given |= {"phase": {"gr": 4, "part": 3}}
    given["state"]["rulers"]["bert"] |= {"nmr": 8, "protected": 4, "loyal_until": until}
    state = load(given)
    sheets = {ruler: "PASS" for ruler in KALEVALA.play.status(state).to_act if ruler != BERT}
    after = closed(state, **sheets).state
    assert (after.rulers[BERT].kind, len(after.owned(BERT))) == (VACANT, kept)


def test_a_vacant_realm_without_a_sheet_stays_vacant() -> None:
    assert closed(vacant(1), bert="PASS").state.rulers[ANNA].kind == VACANT


def test_nobody_takes_over_marauders() -> None:
    given = document()
    given["state"]["rulers"]["anna"] = {"kind": "marauder"}
    after = closed(load(given), anna="PASS", bert="PASS").state
    assert after.rulers[ANNA].kind == MARAUDER


@pytest.mark.parametrize(("is_excused", "kind", "until"), [(False, VACANT, 5), (True, REALM, 3)])
def test_protection_does_not_end_with_a_window_that_counts_for_nobody(is_excused: bool, kind: str, until: int) -> None:
    """Ruling KA291: in a window of which its ruler could make no full use, no realm falls vacant."""
    given = document()
    given["phase"]["gr"] = 2
    given["state"]["rulers"]["bert"] |= {"nmr": 3, "protected": 2}
    state = load(given)
    found = closed(KALEVALA.play.excused(state) if is_excused else state, anna="PASS")
    own = found.state.rulers[BERT]
    assert (own.kind, own.protected, own.nmr) == (kind, until, 3 if is_excused else 4)
    told = {event.facts.code: event.audience for event in found.events if event.facts}
    assert ("excused" in told, "nmr" in told, "vacant" in told) == (is_excused, not is_excused, not is_excused)
    if is_excused:
        assert told["excused"] == {BERT}, "nobody else"
