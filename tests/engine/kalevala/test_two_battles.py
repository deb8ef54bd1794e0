"""Two battles about the same place in one P4: a quarrel, then an attack. Source: docs/rulings.md KA275, KA295, KA312"""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.dice import Dice
from engine.core.errors import DocumentError
from engine.core.events import Event, visible_events
from engine.core.ids import PowerId
from engine.core.reading import read_orders
from engine.core.viewer import Playing
from engine.kalevala.masters import rulings
from engine.kalevala.model import State
from engine.kalevala.report import report
from engine.kalevala.system import KALEVALA

ANNA, BERT, CARL = map(PowerId, ("anna", "bert", "carl"))
DOCUMENT: dict[str, Any] = {
    "system": "kalevala",
    "phase": {"gr": 3, "part": 3},
    "state": {
        "rulers": {"anna": {}, "bert": {}, "carl": {}},
        "gf": {"2D+5": {"hz": {"type": "Std", "kf": 19}}},
        "owners": {"2D+5": "anna", "2H+4": "bert", "2D+6": "carl"},
        "stacks": {"anna": {"2D+5": "20L"}, "bert": {"2D+5": "2L 4RE"}, "carl": {"2D+6": "40L"}},
        "explored": {"carl": [{"ee": 1, "from": "2D+6", "to": "2D+5"}]},
    },
}
SHEETS = {ANNA: "WAR bert", CARL: "ENTER 2 2D+6 K 2D+5 40L"}
START = KALEVALA.play.load(DOCUMENT)


def close(start: State) -> tuple[State, tuple[Event, ...]]:
    """Bert's men in anna's land fight her, then carl attacks it."""
    readings = {
        ruler: read_orders(KALEVALA, KALEVALA.sight.view(START, Playing(ruler)), text) for ruler, text in SHEETS.items()
    }
    sheets = {ruler: [each.order for each in reading.orders] for ruler, reading in readings.items()}
    found = KALEVALA.play.adjudicate(start, sheets, Dice("two"))
    return found.state, tuple(found.events)


def lost(events: tuple[Event, ...]) -> list[Any]:
    return [event.facts.args["losses"] for event in events if event.facts and event.facts.code == "battle"]


def test_a_ruling_applies_to_the_battle_that_it_names() -> None:
    _, events = close(START)
    before = lost(events)
    assert len(before) == 2
    _, ruled = close(rulings.begin(START, ["battle 2D+5 lost anna 3L"], events))
    assert [each["anna"] for each in lost(ruled)] == ["3L", "17L 4RE"]
    _, ruled = close(rulings.begin(START, ["battle 2D+5(2) lost anna 5L"], events))
    assert lost(ruled)[0] == before[0]
    assert lost(ruled)[1]["carl"] == before[1]["carl"]
    assert {"battle 2D+5 holds bert", "battle 2D+5(2) holds carl"} <= {*rulings.forms(START, events)}
    with pytest.raises(DocumentError, match="carl had nobody"):
        rulings.begin(START, ["battle 2D+5 holds carl"], events)


@pytest.mark.parametrize(
    ("ruler", "titles"),
    [(ANNA, ["2D+5", "2D+5(2)"]), (BERT, ["2D+5"]), (CARL, ["2D+5"])],
)
def test_only_who_was_in_both_is_told_that_there_were_two(ruler: PowerId, titles: list[str]) -> None:
    state, events = close(START)
    seen = visible_events(events, Playing(ruler))
    told = report(KALEVALA.sight.view(state, Playing(ruler)), (), seen)
    found = [each.title.args["place"] for each in told.sections if each.title.code == "battle.title"]
    assert found == titles
    assert ruler == ANNA or "(2)" not in str([event.to_json() for event in seen])
