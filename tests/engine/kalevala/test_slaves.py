"""Slaves: the guide's example, what the menu offers, how a rising is told and who hears of it. Rules 23"""

from __future__ import annotations

from pathlib import Path

from engine.core.ids import PowerId
from engine.core.variant import load_phrases
from engine.core.viewer import Playing
from engine.kalevala.document import load
from engine.kalevala.info import SYSTEM
from engine.kalevala.model import State
from engine.kalevala.system import KALEVALA as RULES
from engine.kalevala.telling.reading import accounts_of
from engine.kalevala.telling.tale import rolls, story
from tests.random_kalevala import audit_sheets, sheet

ANNA, BERT = PowerId("anna"), PowerId("bert")
WORDS = load_phrases(SYSTEM)
GUIDE = (Path(__file__).parents[3] / "docs/kalevala.md").read_text(encoding="utf-8")


def on_arming_date(**options: bool) -> State:
    state = {
        "rulers": {"anna": {}},
        "gf": {"2D+4": {"hz": {"type": "Hstd", "kf": 19}}},
        "owners": {"2D+4": "anna"},
        "stacks": {"anna": {"2D+4": "5L 9RE"}},
    }
    return load({"system": "kalevala", "options": options, "phase": {"gr": 2, "part": 1}, "state": state})


def offered(state: State) -> set[str]:
    legal = RULES.orders.legal(RULES.sight.view(state, Playing(ANNA)))
    return {str(line.order) for lines in legal.values() for line in lines if str(line.order).startswith("SLAVES")}


def test_the_guides_worked_example() -> None:
    chapter = GUIDE[GUIDE.index("## Slaves") : GUIDE.index("## A king")]
    (line,) = [line.strip() for line in chapter.splitlines() if line.startswith("    ")]
    state = on_arming_date()
    done = RULES.play.adjudicate(state, {ANNA: sheet(state, ANNA, line)}, RULES.play.dice(state))
    assert done.state.stack(ANNA, done.state.owned(ANNA)[0]).get("Sl") == 6
    (ledger,) = [event.facts.args for event in done.events if event.facts is not None and event.facts.code == "ledger"]
    assert (ledger["arming"], ledger["spent"]) == (16, 12)


def test_the_menu_offers_them_on_arming_dates_where_slaves_are_part_of_the_game() -> None:
    assert "SLAVES 2D+4 1" in offered(on_arming_date())
    assert not offered(on_arming_date(slaves=False))


def a_rising() -> State:
    """Bert's six slaves and their only guard, whom Anna's axemen attack; Carl lives beside them."""
    state = {
        "rulers": {"anna": {}, "bert": {"defend": {"2D+5": "PLACE 19 1L\nAIM ALL HOLD"}}, "carl": {}},
        "gf": {"2D+5": {"hz": {"type": "Std", "kf": 19}}},
        "owners": {"2D+4": "anna", "2D+5": "bert", "2D+6": "carl"},
        "stacks": {"anna": {"2D+4": "8AC"}, "bert": {"2D+5": "1L 6Sl"}, "carl": {"2D+6": "3L"}},
        "explored": {"anna": [{"from": "2D+4", "to": "2D+5"}]},
    }
    return load({"system": "kalevala", "seed": "rising", "phase": {"gr": 3, "part": 3}, "state": state})


def test_a_rising_is_told_to_those_who_fought_with_all_its_rolls() -> None:
    state = a_rising()
    sheets = {ANNA: sheet(state, ANNA, "ENTER 2 2D+4 K 2D+5 8AC\nBATTLE 2D+4\nAIM ALL KILL\nEND")}
    assert audit_sheets(state, sheets) == []
    done = RULES.play.adjudicate(state, sheets, RULES.play.dice(state))
    assert not [each.reason for each in done.results if each.outcome.is_failure]
    told = [event for event in done.events if event.facts is not None and event.facts.code == "battle"]
    assert [event.audience for event in told] == [frozenset({ANNA, BERT})]
    (account,) = accounts_of(told)
    freed = [each for one in account.rounds for each in one.freed]
    assert {each.how for each in freed} == {"joined", "ran"}, freed
    joined = sum(each.count for each in freed if each.how == "joined")
    ran = sum(each.count for each in freed if each.how == "ran")
    tale = [WORDS.render(line) for line in story(account)]
    assert any(f"{joined} slave" in line and "took up arms for Anna" in line for line in tale), tale
    assert sum("Sl" in WORDS.render(line) for line in rolls(account)) >= joined + ran
    (place,) = [place for place in done.state.owned(ANNA) if str(place) == "2D+5"]
    assert done.state.stack(ANNA, place).get("A") == joined
