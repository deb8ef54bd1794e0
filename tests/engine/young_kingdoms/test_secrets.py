"""Whatever a seat can't see may change, and everything that it is shown stays equal."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.events import visible_events
from engine.core.ids import PowerId, ProvinceId
from engine.core.outcome import may_know
from engine.core.reading import read_orders
from engine.core.viewer import EVERYBODY, Playing, viewer_of
from engine.young_kingdoms.cards import CARDS
from engine.young_kingdoms.model import Carried, State
from engine.young_kingdoms.system import YOUNG_KINGDOMS
from tests.examples import few

RULES = YOUNG_KINGDOMS
START = replace(
    RULES.play.load(
        {
            "phase": {"year": 1401, "season": "spring", "kind": "movement"},
            "state": {
                "hands": {"pan_tang": [1, 4], "melnibone": [5, 9]},
                "hidden": {"JAD": 7},
                "carried": [{"at": "BAK", "card": 3}, {"at": "DHA", "card": 6}],
            },
        }
    )
)
TEXTS = (
    "cast 4 from Mel - DRA",
    "cast 5 from Mel - DRA",
    "dump spell F Bak",
    "give spell F Dha to A Seq",
    "F Mel - DRA",
)
PLACES = tuple(ProvinceId(at) for at in ("JAD", "TAR", "SIS", "ELW"))


@st.composite
def _dealt(draw: st.DrawFn, viewer: PowerId | None) -> State:
    """The same position with the cards that the viewer can't see laid out otherwise."""
    own = START.hand(viewer)
    mine = {one.at for one in START.carried if viewer and _owner(one.at) == viewer}
    cards = draw(st.permutations([card for card in CARDS if card not in own]))
    carried = [Carried(at, cards[index]) for index, at in enumerate(sorted(mine))]
    left = cards[len(mine) :]
    hands: dict[PowerId, tuple[int, ...]] = {viewer: own} if viewer and own else {}
    for power in ("pan_tang", "melnibone"):
        if power != viewer:
            number = draw(st.integers(0, 3))
            hands[PowerId(power)] = tuple(sorted(left[:number]))
            left = left[number:]
    others = [at for at in ("BAK", "DHA") if at not in mine and draw(st.booleans())]
    carried += [Carried(ProvinceId(at), left[index]) for index, at in enumerate(others)]
    left = left[len(others) :]
    hidden = {draw(st.sampled_from(PLACES)): (card,) for card in left[:1]}
    return replace(START, seed=draw(st.text(max_size=3)), hands=hands, hidden=hidden, carried=tuple(sorted(carried)))


def _owner(at: str) -> str:
    return {"BAK": "ilmiora", "DHA": "jharkor"}[at]


def _shown(state: State, viewer: PowerId | None) -> list[Any]:
    """Everything that a viewer is shown of a position."""
    view = RULES.sight.view(state, viewer_of(viewer))
    read = read_orders(RULES, view, "\n".join(TEXTS))
    orders, telling = RULES.orders, RULES.telling
    return [
        view, read, RULES.play.status(state), orders.legal(view), orders.suggest(view, ""),
        orders.suggest(view, "cast"), orders.menu(view, []), orders.template(view, ()), orders.missing(view, ()),
        telling.briefing(view), telling.text_board(view), telling.scene(view), orders.advise(view, read.orders),
    ]  # fmt: skip


@pytest.mark.parametrize("viewer", [None, "melnibone", "pan_tang", "ilmiora", "lormyr"])
@settings(max_examples=few(8), deadline=None)
@given(data=st.data())
def test_nobody_is_shown_what_others_hold(viewer: str | None, data: st.DataObject) -> None:
    power = None if viewer is None else PowerId(viewer)
    one, other = data.draw(_dealt(power)), data.draw(_dealt(power))
    assert _shown(one, power) == _shown(other, power)


def test_only_those_concerned_hear_of_cards() -> None:
    orders = {
        "ilmiora": ["give spell F Bak to A Kar", "F Bak H"],
        "jharkor": ["dump spell F Dha", "F Dha H"],
        "melnibone": ["cast 5 from Mel - DRA"],
    }
    sheets = {
        PowerId(power): read_orders(RULES, RULES.sight.view(START, Playing(PowerId(power))), "\n".join(texts)).values
        for power, texts in orders.items()
    }
    resolution = RULES.play.adjudicate(START, sheets, RULES.play.dice(START))
    public = [result.text for result in resolution.results if may_know(EVERYBODY, result.audience)]
    assert "CAST 5 FROM MEL - DRA" in public
    assert not [order for order in public if "SPELL" in order]
    heard = [result.text for result in resolution.results if may_know(Playing(PowerId("jharkor")), result.audience)]
    assert [order for order in heard if "SPELL" in order] == ["DUMP SPELL F DHA"]


def test_finder_learns_that_it_was_a_spell_but_not_which() -> None:
    state = RULES.play.load(
        {
            "phase": {"year": 1401, "season": "spring", "kind": "movement"},
            "state": {"units": [{"power": "jharkor", "kind": "A", "at": "MID"}], "hands": {}, "hidden": {"JAD": 7}},
        }
    )
    sheet = read_orders(RULES, RULES.sight.view(state, Playing(PowerId("jharkor"))), "A Mid - Jad").values
    resolution = RULES.play.adjudicate(state, {PowerId("jharkor"): sheet}, RULES.play.dice(state))
    assert [event.what.code for event in visible_events(resolution.events, Playing(PowerId("jharkor")))] == [
        "event.found"
    ]
    assert not visible_events(resolution.events, EVERYBODY)
    assert resolution.state.carried == (Carried(ProvinceId("JAD"), 7),)
    assert RULES.sight.view(resolution.state, Playing(PowerId("jharkor"))).state.carried == (
        Carried(ProvinceId("JAD"), 0),
    )
    assert RULES.sight.view(resolution.state, Playing(PowerId("lormyr"))).state.carried == ()
