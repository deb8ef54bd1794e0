"""Whatever is typed in whichever game: nothing raises, and a fault of ours costs the line that it is in."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.core.errors import OrderError
from engine.core.ids import SystemId
from engine.core.orders import Parsed, ReadOrder
from engine.core.reading import Reading, read_orders
from engine.core.viewer import Playing, viewer_of
from engine.core.words import number_of, well_formed
from engine.registry import AnySystem, View
from tests.contract.games import ALL, random_game
from tests.examples import few
from tests.odd import odd_sheets, odd_texts
from tests.toy_system import RED, TOY, ToyOrder, ToyView

each_system = pytest.mark.parametrize("system", ALL)
FOUND = (
    "waive ²",
    "waive " + "9" * 5000,
    "pla 1 1 fo " + "9" * 5000,
    "choose ² Paris",
    "choose ⑤",
    "barb RUM",
    "nomad PAR",
    "- - - -",
    "= → - spells . NJH",
    "if hold - : retreat A ZIM:",
    "duel H ZY ²",
    "cast ² on A AAA",
)
"""Lines that have raised, or nearly, each in one game: every game reads all."""


@cache
def _views(system: SystemId) -> Sequence[View]:
    """What each player sees in each kind of phase, and what everybody may know."""
    rules = ALL[system]
    by_kind: dict[str, View] = {}
    for step in (*random_game(system, 1), *random_game(system, 2)):
        status = rules.play.status(step.state)
        for viewer in (*status.to_act[:2], None):
            by_kind.setdefault(f"{status.kind} {viewer}", rules.sight.view(step.state, viewer_of(viewer)))
    return tuple(by_kind.values())


@cache
def _words(system: SystemId) -> Sequence[str]:
    """The words of legal orders."""
    rules, chance = ALL[system], random.Random(1)
    orders = [
        order for view in _views(system) for subject in rules.orders.legal(view).values() for order in subject[:20]
    ]
    texts = [rules.orders.format(order) for order in chance.sample(orders, min(len(orders), 300))]
    return sorted({word for text in texts for word in (text, *text.split())} | {"all", "if", "not", "build", "GAME 7"})


def _read_every_way(rules: AnySystem, view: View, text: str) -> None:
    parsed = rules.orders.parse(text, view)
    rules.orders.check(view, parsed.orders)
    reading = read_orders(rules, view, text)
    assert reading.faults == ()
    lines = text.splitlines()
    for error in reading.errors:
        assert 1 <= error.line <= max(1, len(lines))
        assert 1 <= error.column <= error.end <= len(error.text) + 2
    rules.orders.amend(view, (), reading.values)
    rules.orders.missing(view, reading.values)
    rules.orders.template(view, reading.values)
    if rules.orders.rehearse is not None:
        rules.orders.rehearse(view, reading.orders)
    else:
        rules.orders.advise(view, reading.orders)
    for door in rules.doors:
        if door.order is not None:
            door.order(view, reading.values, {option.name: text for option in door.options})
        if door.form is not None:
            rules.orders.parse(door.form.read(text), view)
    for line in lines[:1]:
        rules.orders.suggest(view, line)
        rules.orders.menu(view, line.split(), orders=reading.values)


@each_system
def test_lines_that_raised_once_are_read_in_every_game_and_phase(system: SystemId) -> None:
    for view in _views(system):
        for text in (*FOUND, "\n".join(FOUND)):
            _read_every_way(ALL[system], view, text)


@each_system
@settings(max_examples=few(30), deadline=None)
@given(data=st.data())
def test_nothing_that_can_be_typed_raises(system: SystemId, data: st.DataObject) -> None:
    view = data.draw(st.sampled_from(_views(system)))
    _read_every_way(ALL[system], view, data.draw(odd_sheets(_words(system))))


# Faults of ours


def _parse(text: str, view: ToyView) -> Parsed[ToyOrder]:
    if "crash" in text:
        raise KeyError(text)
    return TOY.orders.parse(text, view)


def _check(view: ToyView, orders: Sequence[ReadOrder[ToyOrder]]) -> tuple[OrderError | None, ...]:
    if {"DIG", "PEEK"} <= {read.order.verb for read in orders}:
        raise IndexError(orders)
    return TOY.orders.check(view, orders)


FAULTY = replace(TOY, orders=replace(TOY.orders, parse=_parse, check=_check))
"""A game whose rules raise over a line that says `crash`, and over `DIG` and `PEEK` together."""


def _read_by_faulty_rules(text: str) -> Reading[ToyOrder]:
    state = FAULTY.play.start(variant="standard", players=3, options={}, seed="s")
    return read_orders(FAULTY, FAULTY.sight.view(state, Playing(RED)), text)


@pytest.mark.parametrize(
    ("text", "standing", "refused"),
    [
        ("crash", "", [(1, "fault")]),
        ("BID 3\ncrash\nDIG", "BID 3\nDIG", [(2, "fault")]),
        ("crash\n\ncrash now\nBID 3\nBID x", "BID 3", [(1, "fault"), (3, "fault"), (5, "bad_argument")]),
        ("BID 3\nDIG\n# nothing\nPEEK green", "BID 3\nDIG", [(4, "fault")]),
        (
            "\n".join(["crash"] * 3 + ["BID 2"] + ["crash"] * 60),
            "BID 2",
            [(n, "fault") for n in range(1, 65) if n != 4],
        ),
    ],
)
def test_a_fault_of_ours_costs_its_own_line_alone(text: str, standing: str, refused: list[tuple[int, str]]) -> None:
    reading = _read_by_faulty_rules(text)
    assert "\n".join(map(TOY.orders.format, reading.values)) == standing
    assert [(error.line, error.code) for error in reading.errors] == refused
    assert reading.faults


def test_the_search_for_faulty_lines_comes_to_an_end() -> None:
    """What is left of a text that is all faults is refused untried."""
    reading = _read_by_faulty_rules("crash\n" * 20_000)
    assert len(reading.errors) == 20_000


# Numbers and characters


@given(text=odd_texts(), most=st.integers(0, 10**20))
@example(text="²", most=5)
@example(text="9" * 5000, most=5)
@example(text="0" * 5000, most=5)
def test_a_number_is_what_python_can_count_with(text: str, most: int) -> None:
    number = number_of(text, most=most)
    assert number is None or 0 <= number <= most
    assert (number is not None) == text.isdecimal()


def test_halves_of_characters_are_replaced_and_whole_ones_joined() -> None:
    assert well_formed("A \ud800B\udc00") == "A \ufffdB\ufffd"
    assert well_formed("\ud83d\ude00") == "\U0001f600"
    assert well_formed("plain ²\0 text") == "plain ²\0 text"
