"""A great field that is divided, and made one again: whatever stood there stands in one of the provinces there are."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from engine.core.ids import PowerId
from engine.core.reading import read_orders
from engine.core.viewer import Playing
from engine.kalevala.coordinates import GfId, Province
from engine.kalevala.document import load
from engine.kalevala.figures import kind_of
from engine.kalevala.model import State
from engine.kalevala.steps.closing import remember
from engine.kalevala.steps.dividing import divide
from engine.kalevala.system import KALEVALA
from engine.kalevala.tables import Group
from engine.kalevala.window import Window
from engine.kalevala.writing import dump

ANNA, BERT, CARL = map(PowerId, ("anna", "bert", "carl"))
FIELD, PLACE = GfId("2D+4"), Province("2D+4")
ROWS: dict[str, dict[str, Any]] = {
    "agents": {"ruler": "bert", "n": 1, "at": PLACE, "re": 30},
    "caravans": {"ruler": "carl", "n": 1, "at": PLACE, "load": "1K 5RE", "bribed": PLACE},
    "hostages": {"ruler": "bert", "captor": "anna", "at": PLACE, "king": "KrKö/4/0"},
    "fiefs": {"gf": PLACE, "giver": "bert", "holder": "anna", "until": 9, "entered": True},
    "portals": {"ruler": "anna", "at": PLACE, "to": "1D+4"},
}


def a_game(key: str) -> State:
    """Something of each sort may be in anna's province."""
    return load(
        {
            "system": "kalevala",
            "seed": "divided",
            "phase": {"gr": 4, "part": 3},
            "options": {"planes": True},
            "state": {
                "rulers": {
                    "anna": {"god": {"oeh": 200, "seat": 1, "at": 1, "weak": {"gf": PLACE, "kf": 20}}},
                    "bert": {"king": {}},
                    "carl": {},
                },
                "gf": {FIELD: {"hz": {"type": "Std", "kf": 19}, "portal": "1D+4"}, "1D+4": {"portal": FIELD}},
                "owners": {PLACE: "anna", "2D+5": "bert", "2D+6": "carl"},
                "stacks": {"anna": {PLACE: "9L 9RE"}, "bert": {"2D+5": "9L"}, "carl": {"2D+6": "3L"}},
                "watch": {"anna": {PLACE: 1}},
                key: [ROWS[key]],
            },
        }
    )


def parted(state: State, last: int | None = None) -> State:
    """The field in two parts, up to this small field and beyond; without it as nature has it."""
    window = Window(state, {}, None)
    cells = [cell for place in window.land.provinces(FIELD) for cell in window.land.cells(place)]
    parts = None
    if last is not None:
        parts = [frozenset(cell for cell in cells if (cell <= last) is is_first) for is_first in (True, False)]
    divide(window, FIELD, parts)
    return window.close()


@pytest.mark.parametrize("key", ROWS)
@pytest.mark.parametrize("last", [8, 24, 40])
def test_whatever_was_there_can_be_read_back_after_a_division_and_after_its_end(key: str, last: int) -> None:
    state = parted(a_game(key), last)
    assert load(dump(state)) == state
    for place in ("2D+4/1", "2D+4/2"):
        document = dump(state)
        for row in document["state"][key]:
            row["gf" if key == "fiefs" else "at"] = place
        whole = parted(load(document))
        assert load(dump(whole)) == whole
        assert key in dump(whole)["state"]


def test_land_lost_in_the_round_in_which_it_was_divided_is_remembered_with_that_round() -> None:
    """Whoever has lost all of it knows its parts, and when they were seen last. Ruling KA60"""
    window = Window(a_game("agents"), {}, None)
    cells = window.land.cells(PLACE)
    divide(window, FIELD, [frozenset(cell for cell in cells if (cell <= 24) is is_first) for is_first in (True, False)])
    parts = window.land.provinces(FIELD)
    window.owners |= dict(zip(parts, (BERT, CARL), strict=True))
    window.known[ANNA] = set(parts)
    remember(window)
    assert window.close().seen[ANNA] == dict.fromkeys(parts, 4)


@pytest.mark.parametrize("number", [2, 12, 17, 35, 40, 42])
def test_people_and_what_they_bear_stay_their_rulers_when_land_is_divided(number: int) -> None:
    """Wizards, priests and kings who have other numbers after the battle are no goods that lie there. Ruling KA61"""
    chance = random.Random(number)
    stacks = {
        "anna": {"2D+4": f"{chance.randint(4, 9)}L 3B Z/60 Pr/50"},
        "bert": {"2D+5": f"{chance.randint(3, 9)}L {chance.randint(0, 4)}B Z/70 Pr/40 KrKö/4/0", "2D+6": "1L"},
    }
    document = {
        "system": "kalevala",
        "seed": f"{number}",
        "phase": {"gr": 3, "part": 3},
        "options": dict.fromkeys(("priests", "king"), True),
        "state": {
            "rulers": {"anna": {}, "bert": {"king": {"type": "Kr", "lives": 4, "at": "2D+5", "palace": True}}},
            "gf": {"2D+5": {"hz": {"type": "Std", "kf": chance.choice((20, 30, 40))}}},
            "owners": {"2D+4": "anna", "2D+5": "bert", "2D+6": "bert"},
            "stacks": stacks,
            "explored": {"anna": [{"from": "2D+4", "to": "2D+5"}]},
            "things": [{"name": "Sampo", "at": "2D+4", "holder": "anna", "gp": 2}],
        },
    }
    state = load(document)
    plans = {
        ruler: f"{head}\nAIM ALL {chance.choice(('GUARD', 'KILL', 'AVOID', 'SHOOT'))}\n"
        "CAST Stärken OWN BEST MAX 5 EACH\nPRAYER BLESS BEST MAX 4 EACH\nEND"
        for ruler, head in (("anna", "BATTLE 2D+4"), ("bert", "DEFEND 2D+5"))
    }
    plans["anna"] = f"ENTER 2 2D+4 K 2D+5 {stacks['anna']['2D+4']}\n{plans['anna']}"
    sheets = {
        PowerId(ruler): read_orders(KALEVALA, KALEVALA.sight.view(state, Playing(PowerId(ruler))), text).values
        for ruler, text in plans.items()
    }
    done = KALEVALA.play.adjudicate(state, sheets, KALEVALA.play.dice(state))
    (battle,) = (event.facts.args for event in done.events if event.facts and event.facts.code == "battle")
    assert battle["end"] == "twelve"
    course = battle["course"]
    for ruler in (ANNA, BERT):
        assert _people(done.state, ruler) + Counter(course["lost"].get(ruler, {})) == _people(state, ruler)
    deeds = [deed for turns in course["rounds"] for _, each in turns for deed in each if deed["kind"] == "artefact"]
    if deeds and str(deeds[-1]["who"]) in course["standing"]:  # whoever picked it up last has it still
        (bearer,) = (row[1] for row in course["start"] if row[0] == deeds[-1]["who"])
        assert [thing["holder"] for thing in done.state.modules["things"]] == [bearer]


@pytest.mark.parametrize(
    ("number", "anna", "bert", "keeper"), [(298, 4, 7, ANNA), (452, 5, 5, ANNA), (142, 7, 8, BERT)]
)
def test_an_artefact_of_the_fallen_goes_with_the_field_where_it_lies(
    number: int, anna: int, bert: int, keeper: PowerId
) -> None:
    """Bert has the trade centre each time; Anna's bearer fell on a field that is hers, or his, now. Ruling KA234"""
    document = {
        "system": "kalevala",
        "seed": f"{number}",
        "phase": {"gr": 3, "part": 3},
        "state": {
            "rulers": {"anna": {}, "bert": {}},
            "gf": {"2D+5": {"hz": {"type": "Std", "kf": 20}}},
            "owners": {"2D+4": "anna", "2D+5": "bert", "2D+6": "bert"},
            "stacks": {"anna": {"2D+4": f"{anna}L 2B Ar/1"}, "bert": {"2D+5": f"{bert}L 3B", "2D+6": "1L"}},
            "explored": {"anna": [{"from": "2D+4", "to": "2D+5"}]},
            "things": [{"name": "Sampo", "at": "2D+4", "holder": "anna", "gp": 2}],
        },
    }
    state = load(document)
    plans = {
        ANNA: f"ENTER 2 2D+4 K 2D+5 {anna}L 2B Ar/1\nBATTLE 2D+4\nAIM ALL SHOOT\nEND",
        BERT: "DEFEND 2D+5\nAIM ALL SHOOT\nEND",
    }
    sheets = {
        ruler: read_orders(KALEVALA, KALEVALA.sight.view(state, Playing(ruler)), text).values
        for ruler, text in plans.items()
    }
    after = KALEVALA.play.adjudicate(state, sheets, KALEVALA.play.dice(state)).state
    assert (after.owners[Province("2D+5/1")], after.owners[Province("2D+5/2")]) == (BERT, ANNA)
    (sampo,) = after.modules["things"]
    assert (sampo["holder"], after.owners[sampo["at"]]) == (keeper, keeper)


def _people(state: State, ruler: PowerId) -> Counter[str]:
    """By kinds alone, for those who cast and pray have other numbers afterwards."""
    found = Counter[str]()
    for stack in state.stacks[ruler].values():
        for item, count in stack.items():
            if kind_of(item).group is Group.HUMAN:
                found[kind_of(item).code] += count
    return found
