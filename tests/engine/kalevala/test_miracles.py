"""What gods do on earth beside battles, in random windows, in the guide and on the page. Rules 24, ruling KA216"""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

from engine.core.doors import Page
from engine.core.ids import PowerId
from engine.core.orders import Menu
from engine.core.reading import read_orders
from engine.core.variant import load_phrases
from engine.core.viewer import Playing
from engine.kalevala.document import load
from engine.kalevala.gods.doors import GOD_DOOR
from engine.kalevala.info import SYSTEM
from engine.kalevala.model import ORDERS_PART, State
from engine.kalevala.system import KALEVALA as RULES
from engine.kalevala.writing import dump
from tests.engine.kalevala.test_secrets import assert_foreseen
from tests.engine.kalevala.worlds import a_world
from tests.random_kalevala import audit_sheets, wild_sheet

ANNA = PowerId("anna")
ALL = ("SEE", "SPEED", "CARRY", "PASS")


def knowing(state: State, *abilities: str, stay: int = 4) -> State:
    """The position with gods of that knowledge, and rounds to spend."""
    rulers = {
        ruler: replace(each, god={"oeh": 2500, "seat": seat, "at": seat, "abilities": [*abilities], "stay": stay})
        for seat, (ruler, each) in enumerate(state.rulers.items(), 1)
    }
    return load(dump(state.replace(rulers=rulers)))


@pytest.mark.parametrize("number", range(6))
def test_windows_of_miracles_balance_replay_and_foresee_what_is_refused(number: int) -> None:
    chance = random.Random(f"miracles {number}")
    state = knowing(a_world(chance, ORDERS_PART), *ALL)
    for _ in range(4):
        texts = {ruler: wild_sheet(state, ruler, chance) or "PASS" for ruler in RULES.play.status(state).to_act}
        sheets = {
            ruler: read_orders(RULES, RULES.sight.view(state, Playing(ruler)), text).values
            for ruler, text in texts.items()
        }
        assert audit_sheets(state, sheets) == []
        again = RULES.play.adjudicate(load(dump(state)), sheets, RULES.play.dice(state)).state
        state = assert_foreseen(state, texts)
        assert dump(again) == dump(state)


def a_realm(*abilities: str, stay: int = 2) -> State:
    """Anna's land on both sides of mountains, and bert's beyond."""
    document = {
        "system": "kalevala",
        "seed": "pass",
        "phase": {"gr": 1, "part": 1},
        "state": {
            "rulers": {"anna": {"capital": "2D+5"}, "bert": {}},
            "gf": {
                "2D+4": {"kf": "TTTT TTTTT TTTTTT BBBBBBB GGGGGGGG BBBBBBB TTTTTT TTTTT"},
                "2D+5": {"hz": {"type": "Std", "kf": 19}},
            },
            "owners": {"2D+4/1": "anna", "2D+4/2": "anna", "2D+5": "anna", "2D+6": "bert"},
            "stacks": {"anna": {"2D+4/1": "3L 1K", "2D+4/2": "1L", "2D+5": "5L"}, "bert": {"2D+6": "4L"}},
        },
    }
    return knowing(load(document), *abilities, stay=stay)


def test_the_guide_offers_what_he_knows_and_every_line_of_it_stands() -> None:
    view = RULES.sight.view(a_realm(*ALL), Playing(ANNA))
    menu = RULES.orders.menu(view, ("GOD",))
    assert isinstance(menu, Menu)
    offered = [choice.value for choice in menu.choices]
    assert RULES.orders.rehearse is not None
    for wanted in ("GOD SEE 2D+6", "GOD SPEED 2D+5", "GOD CARRY 1K AT 2D+4/1 TO 2D+5"):
        assert wanted in offered
    assert any(value.startswith("GOD PASS 2D+4") for value in offered)
    for value in offered:
        if value.split()[1] in ALL:
            found = RULES.orders.rehearse(view, RULES.orders.parse(value, view).orders)
            assert [line.code for line in found.lines] == ["ok"], value
    for state in (a_realm("SEE", stay=0), a_realm("STEER")):
        menu = RULES.orders.menu(RULES.sight.view(state, Playing(ANNA)), ("GOD",))
        assert isinstance(menu, Menu)
        assert not [choice.value for choice in menu.choices if choice.value.split()[1] in ALL]


def test_the_page_says_how_each_is_written() -> None:
    assert GOD_DOOR.page is not None
    page = GOD_DOOR.page(RULES.sight.view(a_realm("SEE", "PASS"), Playing(ANNA)), ())
    assert isinstance(page, Page)
    text = "\n".join(map(load_phrases(SYSTEM).render, page.lines))
    assert re.search(r"`GOD SEE 2[A-Z][+-]\d`", text)
    assert "`GOD PASS 2D+5 KF 12`" in text
    assert "`GOD SPEED" not in text
