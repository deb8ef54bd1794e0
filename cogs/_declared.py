"""Slash commands that games declare as facts (`engine.core.facts.DoorInfo`). They are made when the bot starts."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from discord import app_commands

from bot.services.which_game import Purpose
from bot.text.catalogue import Words, common_words
from cogs._reply import Interaction, telling_failures
from cogs._transformers import complete_game, completed
from engine.core.facts import DoorInfo, DoorOption
from engine.core.orders import Choice

SERVERS = app_commands.AppInstallationType(guild=True, user=False)
Run = Callable[[Interaction, DoorInfo, str | None, dict[str, str]], Coroutine[Any, Any, None]]
"""What a command does, given the game that was named and the options that were, as written."""
Complete = Callable[[Interaction, DoorInfo, DoorOption, str], Sequence[Choice]]
"""The values of an option for what was typed."""


def declared_command(
    door: DoorInfo, words: Words, run: Run, complete: Complete, *, purpose: Purpose
) -> app_commands.Command[Any, ..., None]:
    """A command that a game declares, by the last word of its name; it reports its own failures.

    Args:
        words: of that game.
        purpose: which games its option `game` completes to.
    """

    async def called(interaction: Interaction, game: str | None = None, **given: Any) -> None:
        async with telling_failures(interaction):
            await run(interaction, door, game, {key: str(value) for key, value in given.items() if value is not None})

    called.__signature__ = _signature(door)  # type: ignore[attr-defined]
    texts = {option.name: words.plainly(f"door.{door.id}.{option.name}") for option in door.options}
    choices = {
        option.name: [
            app_commands.Choice(name=words.plainly(f"door.{door.id}.choice.{choice}"), value=choice)
            for choice in option.choices
        ]
        for option in door.options
        if option.choices
    }
    completions = {option.name: _completion(door, option, complete) for option in door.options if option.is_completed}
    described = app_commands.describe(**texts, game=common_words().plainly("option.game"))(called)
    described = app_commands.choices(**choices)(described)
    described = app_commands.autocomplete(**completions, game=complete_game(purpose))(described)
    name, about = door.command.split()[-1], words.plainly(f"door.{door.id}.about")
    return app_commands.Command(name=name, description=about, callback=described, allowed_installs=SERVERS)


def _signature(door: DoorInfo) -> inspect.Signature:
    """The signature from which discord.py reads a command's options."""
    either = inspect.Parameter.POSITIONAL_OR_KEYWORD
    options = [
        inspect.Parameter(
            option.name,
            either,
            annotation=_type_of(option),
            default=inspect.Parameter.empty if option.is_required else None,
        )
        for option in door.options
    ]
    game = inspect.Parameter("game", either, annotation=str | None, default=None)
    return inspect.Signature([inspect.Parameter("interaction", either, annotation=Interaction), *options, game])


def _type_of(option: DoorOption) -> Any:
    kind: Any = str if option.least is None else app_commands.Range[int, option.least, option.most]
    return kind if option.is_required else kind | None


def _completion(door: DoorInfo, option: DoorOption, complete: Complete) -> Any:
    async def completing(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        def found() -> list[tuple[str, str]]:
            return [(choice.label, choice.value) for choice in complete(interaction, door, option, typed)]

        return await completed(interaction, found)

    return completing
