"""Custom ids say what to do and nothing else, and whatever Discord hands back is read without trust."""

from __future__ import annotations

import pytest

from bot.storage.repository import new_token
from bot.text.custom_ids import Action, CustomId, parse_custom_id


@pytest.mark.parametrize("action", list(Action))
@pytest.mark.parametrize("token", ["", "aZ09_-aZ09_-"])
@pytest.mark.parametrize("game", ["123456", "g0123456789abcdef"])
def test_every_id_is_read_back(action: Action, game: str, token: str) -> None:
    made = CustomId(action, game, 42, token)

    assert parse_custom_id(str(made)) == made


def test_the_longest_id_fits_discord() -> None:
    longest = max(Action, key=len)

    assert len(str(CustomId(longest, "g" * 32, 10**9 - 1, "t" * 40))) <= 100


def test_the_form_that_buttons_have_had_from_the_start() -> None:
    assert str(CustomId(Action.READY, "7", 3)) == "so:ready:7:3"


def test_a_new_token_names_a_game_in_an_id() -> None:
    made = CustomId(Action.READY, new_token(), 3)
    assert parse_custom_id(str(made)) == made


def test_a_word_that_is_no_action_may_be_a_door_of_a_game() -> None:
    assert parse_custom_id("so:numbers:7:3") == CustomId("numbers", "7", 3)


@pytest.mark.parametrize(
    "custom_id",
    [
        "",
        "ready:7:3",
        "so:ready:7",
        "so:ready:x:3",
        "so:ready:-7:3",
        "so:ready:7:3:",
        "so:ready:7:3:ä",
        "so:ready:7g:3",
    ],
)
def test_what_is_not_ours_is_not_read(custom_id: str) -> None:
    assert parse_custom_id(custom_id) is None
