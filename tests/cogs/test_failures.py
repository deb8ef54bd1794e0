"""What is said when something goes wrong, by kind of failure."""

from __future__ import annotations

import logging

import discord
import pytest
from discord import app_commands

from bot.model import GameId
from bot.ports import StorageUnavailable
from bot.services.errors import Refused
from cogs._reply import failure_text, telling_failures
from cogs.presses import Presses
from engine.core.phrases import phrase
from tests.bot.services.world import World
from tests.cogs.conftest import Interact


class _Command:
    name = "map"
    qualified_name = "map"


def wrapped(error: Exception) -> app_commands.CommandInvokeError:
    return app_commands.CommandInvokeError(_Command(), error)  # type: ignore[arg-type]


def say(error: Exception) -> str:
    return failure_text(error, where="a test").content


def test_a_refusal_is_told_with_its_hint() -> None:
    refusal = Refused(phrase("refused.unknown_game", name="*War*"), phrase("refused.hint.other_name"))

    assert say(wrapped(refusal)) == "No game here is called “\\*War\\*”.\nChoose another name."


def test_a_power_is_called_by_its_name_whatever_the_game() -> None:
    refusal = Refused(phrase("refused.power_is_out", power="austria", game="War"))
    assert say(refusal) == "“War” is over for Austria."


def test_a_database_that_is_away() -> None:
    assert "Nothing was changed" in say(wrapped(StorageUnavailable("locked: SELECT …")))
    assert "SELECT" not in say(StorageUnavailable("locked: SELECT …"))


def test_commands_of_an_older_version() -> None:
    assert "reload Discord" in say(app_commands.CommandNotFound("orders", []))


def test_a_fault_gives_a_reference_that_is_in_the_log_with_the_game(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        text = failure_text(RuntimeError("A BUD - SER"), where="/orders enter", game="7").content

    assert text.split("`")[1] in caplog.text
    assert "game 7" in caplog.text
    assert "/orders enter" in caplog.text
    assert "BUD" not in caplog.text + text


async def test_an_answer_that_can_not_be_sent_ends_quietly(interact: Interact) -> None:
    interaction = interact(1)

    async def gone(**_: object) -> None:
        raise discord.NotFound(type("R", (), {"status": 404, "reason": ""})(), "Unknown interaction")

    interaction.response.send_message = gone  # type: ignore[method-assign]

    async with telling_failures(interaction.discord):
        raise Refused(phrase("refused.no_game"))

    assert interaction.answers == []


@pytest.mark.parametrize("code", [10015, 10062, 40060])
async def test_what_came_too_late_or_twice_is_a_line_of_the_log_and_changes_nothing(
    interact: Interact, world: World, game_id: GameId, caplog: pytest.LogCaptureFixture, code: int
) -> None:
    interaction = interact(1)
    interaction.type, interaction.data = discord.InteractionType.component, {"custom_id": f"so:ready:game{game_id}:1"}

    async def gone(**_: object) -> None:
        response = type("R", (), {"status": 404, "reason": ""})()
        raise discord.NotFound(response, {"code": code, "message": "A BUD - SER"})

    interaction.response.defer = interaction.response.send_message = gone  # type: ignore[method-assign]

    await Presses().on_interaction(interaction.discord)

    assert interaction.answers == []
    assert not world.seats(game_id)[0].is_ready
    (line,) = caplog.messages
    assert line == f"Discord did not take an answer in so:ready:game{game_id}:1: 404 {code}"


async def test_an_answer_that_can_not_be_sent_puts_nothing_typed_into_the_log(
    interact: Interact, caplog: pytest.LogCaptureFixture
) -> None:
    interaction = interact(1)

    async def gone(**_: object) -> None:
        raise discord.NotFound(type("R", (), {"status": 404, "reason": ""})(), "Unknown interaction")

    interaction.response.send_message = gone  # type: ignore[method-assign]

    async with telling_failures(interaction.discord):
        raise KeyError("A BUD - SER")

    assert "could not be sent" in caplog.text
    assert "BUD" not in caplog.text
