"""What people can send is read in time however it is drawn out: while one text is read nobody else is answered.

Before the patterns were mended each of these took a minute or more; the timeout is far from what they take now.
"""

from __future__ import annotations

import pytest

from bot.services.errors import Refused
from bot.services.orders import LONGEST_TEXT
from bot.text.markdown import escape
from cogs.direct_messages import is_greeting
from cogs.lobby import read_pairs
from engine.core.ids import SystemId
from engine.core.reading import read_orders
from engine.core.viewer import Playing
from engine.registry import systems
from tests.contract.games import random_game

pytestmark = pytest.mark.timeout(60)
LONGEST_OPTION = 6000
"""Characters of an option of a slash command."""


@pytest.mark.parametrize("system_id", systems)
@pytest.mark.parametrize("blank", [" ", "\t"])
def test_orders_with_wide_gaps_are_read_at_once(system_id: SystemId, blank: str) -> None:
    rules = systems[system_id]
    state = rules.play.start(variant=rules.info.variants[0], players=rules.info.seats[-1], options={}, seed="1")
    view = rules.sight.view(state, Playing(rules.play.status(state).to_act[0]))

    reading = read_orders(rules, view, f"A{blank * LONGEST_TEXT}B")

    assert [error.line for error in reading.errors] == [1]


def test_a_line_of_misspelt_orders_is_read_at_once() -> None:
    """Not all of it once more for each name that may have been meant."""
    kregen = SystemId("kregen")
    rules = systems[kregen]
    step = next(step for step in random_game(kregen, 1) if rules.play.status(step.state).kind == "movement")
    view = rules.sight.view(step.state, Playing(rules.play.status(step.state).to_act[0]))
    orders_in_line = 2000

    errors = read_orders(rules, view, "A ZIM - SHHP; " * orders_in_line).errors

    assert len(errors) == orders_in_line
    assert not any(error.hints for error in errors)


def test_gaps_in_what_is_told_are_shown_at_once() -> None:
    assert escape(f"A{' ' * LONGEST_TEXT}B\n \nC").endswith("B C")


def test_options_of_a_game_are_read_at_once() -> None:
    gap = " " * (LONGEST_OPTION // 2)
    assert read_pairs(f"{gap}a{gap}= b, c =d=e ") == {"a": "b", "c": "d=e"}
    with pytest.raises(Refused):
        read_pairs(f"{gap}a{gap}b")


@pytest.mark.parametrize("mark", [*"!.? \n", "?!"])
def test_that_a_message_is_no_greeting_is_seen_at_once(mark: str) -> None:
    """A file may be as long; this is decided where every other event waits for it."""
    assert not is_greeting(f"{mark * (LONGEST_TEXT // len(mark))}A PAR H")
    assert is_greeting(f" hello there{mark * 2}")
