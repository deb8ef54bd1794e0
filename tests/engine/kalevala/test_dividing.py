"""A great field that is divided, and made one again: whatever stood there stands in one of the provinces there are."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.ids import PowerId
from engine.kalevala.coordinates import GfId, Province
from engine.kalevala.document import load
from engine.kalevala.model import State
from engine.kalevala.steps.closing import remember
from engine.kalevala.steps.dividing import divide
from engine.kalevala.working import Round
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
    round_ = Round(state, {}, None)
    cells = [cell for place in round_.land.provinces(FIELD) for cell in round_.land.cells(place)]
    parts = None
    if last is not None:
        parts = [frozenset(cell for cell in cells if (cell <= last) is is_first) for is_first in (True, False)]
    divide(round_, FIELD, parts)
    return round_.close()


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
    round_ = Round(a_game("agents"), {}, None)
    cells = round_.land.cells(PLACE)
    divide(round_, FIELD, [frozenset(cell for cell in cells if (cell <= 24) is is_first) for is_first in (True, False)])
    parts = round_.land.provinces(FIELD)
    round_.owners |= dict(zip(parts, (BERT, CARL), strict=True))
    round_.known[ANNA] = set(parts)
    remember(round_)
    assert round_.close().seen[ANNA] == dict.fromkeys(parts, 4)
