"""Prophecies are known to their author alone, and nobody knows from what the duels will be drawn."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.ids import PowerId
from engine.core.reading import read_orders
from engine.core.viewer import Playing, viewer_of
from engine.kregen.model import State
from engine.kregen.prophecy import Prophecy
from engine.kregen.system import KREGEN
from engine.provinces.phases import PhaseKind
from tests.examples import few

RULES = KREGEN
ZAIR, MAGDAG, RENDERS = map(PowerId, ("zair", "magdag", "renders"))
UNITS = ("zair A ZIM", "zair F SWD", "zair H ZY", "magdag A MAG", "magdag F OVL", "renders F YOB", "renders F GRO")
LINES = {
    ZAIR: ("build: A ZY", "if lost ZY: retreat A ZIM: SHP, disband", "remove: F SWD", "retreat H ZY: ZIM"),
    MAGDAG: ("build: A CHU, F CHU", "if took ZY: build: H MAG", "remove: F OVL", "retreat F OVL: RNS"),
    RENDERS: ("build: F YOB", "if hold >= 2: build: F YOB, F JOY", "retreat F GRO: SRZ, disband"),
}
TEXTS = ("A ZIM - SHP", "BUILD A ZY", "build: A ZY", "REMOVE F OVL", "A ZIM R SHP", "sing")


def _position(kind: PhaseKind) -> State:
    season = "summer" if kind is PhaseKind.ADJUSTMENTS else "spring"
    return RULES.play.load(
        {
            "phase": {"year": 1, "season": season, "kind": str(kind)},
            "state": {
                "units": [dict(zip(("power", "kind", "at"), unit.split(), strict=True)) for unit in UNITS],
                "dislodged": [{"power": "gashil", "kind": "A", "at": "RXT", "retreats": ["GAN", "BUR"]}]
                if kind is PhaseKind.RETREATS
                else [],
                "owners_before": {"ZY": "zair", "MAG": "magdag"},
            },
        }
    )


POSITIONS = {kind: _position(kind) for kind in (PhaseKind.RETREATS, PhaseKind.ADJUSTMENTS)}
MOVES = _position(PhaseKind.MOVEMENT)


def _prophecies(power: PowerId, texts: list[str]) -> tuple[Prophecy, ...]:
    view = RULES.sight.view(MOVES, Playing(power))
    return tuple(order for order in read_orders(RULES, view, "\n".join(texts)).values if isinstance(order, Prophecy))


@st.composite
def _foretold(draw: st.DrawFn, kind: PhaseKind, viewer: PowerId | None) -> State:
    """The same position, with other prophecies of others and another seed."""
    filed = {}
    for power, lines in LINES.items():
        texts = list(lines) if power == viewer else draw(st.lists(st.sampled_from(lines), unique=True))
        if texts:
            filed[power] = _prophecies(power, texts)
    return replace(POSITIONS[kind], prophecies=filed, seed=draw(st.text(max_size=3)))


def _shown(state: State, viewer: PowerId | None) -> list[Any]:
    """Everything that a viewer is shown of a position, but who has answered already, which is public."""
    view = RULES.sight.view(state, viewer_of(viewer))
    read = read_orders(RULES, view, "\n".join(TEXTS))
    orders, telling = RULES.orders, RULES.telling
    return [
        view, read, orders.legal(view), orders.suggest(view, ""), orders.suggest(view, "build"), orders.menu(view, []),
        orders.template(view, ()), orders.missing(view, ()), telling.briefing(view), telling.text_board(view),
        telling.scene(view), orders.advise(view, read.orders),
    ]  # fmt: skip


@pytest.mark.parametrize("kind", POSITIONS)
@pytest.mark.parametrize("viewer", [None, ZAIR, MAGDAG, PowerId("akhram")])
@settings(max_examples=few(5), deadline=None)
@given(data=st.data())
def test_nobody_is_shown_what_others_foretold(kind: PhaseKind, viewer: PowerId | None, data: st.DataObject) -> None:
    one, other = data.draw(_foretold(kind, viewer)), data.draw(_foretold(kind, viewer))
    assert _shown(one, viewer) == _shown(other, viewer)


def test_own_prophecies_are_shown() -> None:
    state = replace(POSITIONS[PhaseKind.ADJUSTMENTS], prophecies={ZAIR: _prophecies(ZAIR, list(LINES[ZAIR]))})
    assert RULES.sight.view(state, Playing(ZAIR)).state.prophecies == state.prophecies
    assert RULES.sight.view(state, Playing(MAGDAG)).state.prophecies == {}
    assert _shown(state, ZAIR) != _shown(replace(state, prophecies={}), ZAIR)


def test_prophecies_that_were_not_used_are_told_to_nobody() -> None:
    state = POSITIONS[PhaseKind.ADJUSTMENTS]
    filed = {power: _prophecies(power, ["if lost ZUL: build: A ZY"]) for power in (ZAIR,)}
    with_, without = (
        RULES.play.adjudicate(one, {}, RULES.play.dice(one)) for one in (replace(state, prophecies=filed), state)
    )
    assert (with_.results, with_.events, with_.state) == (without.results, without.events, without.state)


def test_the_board_does_not_tell_the_seed() -> None:
    state = replace(MOVES, seed="deep", forced_dice={"duel/ZY": 5})
    for viewer in (None, ZAIR, MAGDAG):
        seen = RULES.sight.view(state, viewer_of(viewer)).state
        assert (seen.seed, seen.forced_dice) == ("", {})
