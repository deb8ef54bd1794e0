"""A game of Diplomacy among seven people, and interactions of theirs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from discord import app_commands
from discord.ext import commands

from bot.model import GameId, UserId
from cogs.doors import commands_of
from engine.core import variant
from engine.registry import systems
from tests.bot.services.world import World
from tests.cogs.stubs import StubClient, StubInteraction
from tests.foggy_system import FOG, WORDS
from tests.installed import installed

POWERS = ("austria", "england", "france", "germany", "italy", "russia", "turkey")
PLAYERS = {UserId(number): power for number, power in enumerate(POWERS, start=1)}

Interact = Callable[..., StubInteraction]
"""Makes an interaction of a person."""


async def through_door(asked: StubInteraction, name: str, **options: Any) -> StubInteraction:
    """Give the command of a door, of any game, as Discord does."""
    await door_command(name).callback(asked.discord, **options)  # type: ignore[call-arg]
    return asked


async def run(cog: commands.Cog, asked: StubInteraction, name: str, /, **options: Any) -> StubInteraction:
    """Give one of a cog's commands, as Discord does."""
    command = command_of(cog, name)
    bound = () if command.binding is None else (cog,)
    await command.callback(*bound, asked.discord, **options)
    return asked


async def offered(cog: commands.Cog, asked: StubInteraction, name: str, option: str, typed: str) -> list[str]:
    """What an option of one of a cog's commands completes to."""
    complete = command_of(cog, name)._params[option].autocomplete
    return [choice.value for choice in await complete(cog, asked.discord, typed)]


def command_of(cog: commands.Cog, name: str) -> Any:
    """One of a cog's commands, by the last word of its name.

    Untyped, since its functions take the cog as well, which discord.py's types don't tell.
    """
    return next(command for command in commands_of_cog(cog) if command.name == name)


def commands_of_cog(cog: commands.Cog) -> list[app_commands.Command[Any, ..., Any]]:
    """All commands of a cog, those too that games have declared."""
    found = cog.walk_app_commands() if cog.app_command is None else cog.app_command.walk_commands()
    return [command for command in found if isinstance(command, app_commands.Command)]


async def completed(asked: StubInteraction, name: str, option: str, typed: str) -> list[app_commands.Choice[Any]]:
    """What an option of a door's command completes to."""
    complete = door_command(name)._params[option].autocomplete
    assert callable(complete)
    return await complete(asked.discord, typed)  # type: ignore[no-any-return]


def door_command(name: str) -> app_commands.Command[Any, ..., Any]:
    """The command of a door: `duel`, `prophecy set`."""
    first, _, within = name.partition(" ")
    (top,) = (command for command in commands_of(systems.infos.values()) if command.name == first)
    found = top.get_command(within) if isinstance(top, app_commands.Group) else top
    assert isinstance(found, app_commands.Command)
    return found


@pytest.fixture
def world() -> World:
    return World(systems)


@pytest.fixture
def game_id(world: World) -> GameId:
    return world.start(wishes=PLAYERS, system="diplomacy", name="War", players=7)


@pytest.fixture
def client(world: World) -> StubClient:
    return StubClient(world.context)


@pytest.fixture
def interact(client: StubClient) -> Interact:
    def make(user_id: int, **changes: Any) -> StubInteraction:
        return StubInteraction(client, UserId(user_id), **changes)

    return make


@pytest.fixture
def _fog(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The game with fog among those that the bot has."""
    board = variant.ASSETS / "diplomacy" / "standard"
    with installed(FOG, WORDS, tmp_path, monkeypatch, board=board, topics="# Fog\n\n## All\nBid.\n"):
        yield
