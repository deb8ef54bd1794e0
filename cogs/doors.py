"""Slash commands, buttons and forms of games' doors: special ways to give orders, described by each game.

The commands are made from the descriptions when the bot starts. Every answer is for the player alone.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from discord import app_commands

from bot.client import SealedOrdersClient
from bot.model import GameId, UserId
from bot.services import doors
from bot.services.doors import AnyDoor, AnyOption
from bot.text.catalogue import Words, common_words
from bot.text.custom_ids import CustomId
from bot.text.doors import page_message
from bot.text.failure import failure_message
from cogs import _sheets
from cogs._reply import Interaction, answer, defer, telling_failures, written
from cogs._transformers import complete_game, completed, find_game, named_game, pressed_game
from engine.core.variant import load_phrases
from engine.registry import AnySystem

_SERVERS = app_commands.AppInstallationType(guild=True, user=False)
AnyCommand = app_commands.Command[Any, ..., None] | app_commands.Group


def commands_of(systems: Iterable[AnySystem]) -> tuple[AnyCommand, ...]:
    """The slash commands of all doors; each belongs to one game."""
    made: dict[str, AnyCommand] = {}
    for door, words in _declared(systems):
        name, _, within = door.command.partition(" ")
        if not within:
            made[name] = _command(name, door, words)
            continue
        about = words.plainly(f"door.{door.family}.about")
        group = made.setdefault(name, app_commands.Group(name=name, description=about, allowed_installs=_SERVERS))
        assert isinstance(group, app_commands.Group), f"/{name} is a command and a group"
        group.add_command(_command(within, door, words))
    return tuple(made.values())


def _declared(systems: Iterable[AnySystem]) -> Iterator[tuple[AnyDoor, Words]]:
    """Every door with the words of its game."""
    for system in systems:
        words = Words(load_phrases(system.info.id))
        yield from ((door, words) for door in system.doors)


def _command(name: str, door: AnyDoor, words: Words) -> app_commands.Command[Any, ..., None]:
    async def run(interaction: Interaction, game: str | None = None, **given: Any) -> None:
        async with telling_failures(interaction):
            await _go(interaction, door, game, {key: str(value) for key, value in given.items() if value is not None})

    run.__signature__ = _signature(door)  # type: ignore[attr-defined]
    texts = {option.name: words.plainly(f"door.{door.id}.{option.name}") for option in door.options}
    choices = {
        option.name: [
            app_commands.Choice(name=words.plainly(f"door.{door.id}.choice.{choice}"), value=choice)
            for choice in option.choices
        ]
        for option in door.options
        if option.choices
    }
    completions = {option.name: _completion(door, option) for option in door.options if option.complete}
    described = app_commands.describe(**texts, game=common_words().plainly("option.game"))(run)
    described = app_commands.choices(**choices)(described)
    described = app_commands.autocomplete(**completions, game=complete_game("seat"))(described)
    about = words.plainly(f"door.{door.id}.about")
    return app_commands.Command(name=name, description=about, callback=described, allowed_installs=_SERVERS)


def _signature(door: AnyDoor) -> inspect.Signature:
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


def _type_of(option: AnyOption) -> Any:
    kind: Any = str if option.least is None else app_commands.Range[int, option.least, option.most]
    return kind if option.is_required else kind | None


def _completion(door: AnyDoor, option: AnyOption) -> Any:
    async def complete(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await completed(interaction, lambda: _choices(interaction, door, option, typed))

    return complete


def _choices(interaction: Interaction, door: AnyDoor, option: AnyOption, typed: str) -> Sequence[tuple[str, str]]:
    game, context = named_game(interaction, "seat"), interaction.client.context
    found = doors.complete(context, game.id, _user(interaction), door.command, option.name, typed)
    return [(choice.label, choice.value) for choice in found]


async def _go(interaction: Interaction, door: AnyDoor, game: str | None, given: dict[str, str]) -> None:
    """Through a door by its command: what it shows or answers, its form, the guided flow, or the order itself."""
    client = interaction.client
    if door.answer is not None:
        await defer(interaction)
        found = await find_game(interaction, game, "seat")
        await _ask(interaction, door, found.id, given)
        return
    is_blank = (
        bool(door.options)
        and door.has_button
        and not door.is_at_once
        and not given.get(door.options[0].name, "").strip()
    )
    if is_blank and door.form is not None:
        # A form has to be the first answer, so nothing is deferred here.
        found = await find_game(interaction, game, "seat")
        await _open_form(interaction, found.token, door, found.phase_no, name=found.name)
        return
    await defer(interaction)
    found = await find_game(interaction, game, "seat")
    if door.page is not None:
        view = await client.call(doors.show, client.context, found.id, _user(interaction), door.command)
        await answer(interaction, await client.call(page_message, view))
    elif is_blank:
        await _begin_guide(interaction, found.id, door)
    else:
        receipt = await client.call(doors.order, client.context, found.id, _user(interaction), door.command, given)
        await _sheets.show_receipt(interaction, receipt)


async def _ask(interaction: Interaction, door: AnyDoor, game_id: GameId, given: dict[str, str]) -> None:
    """A door's answer to its options."""
    client = interaction.client
    view = await client.call(doors.ask, client.context, game_id, _user(interaction), door.command, given)
    await answer(interaction, await client.call(page_message, view))


async def press(interaction: Interaction, pressed: CustomId) -> None:
    """Through a door by its button, or with what was written in its form."""
    door = doors.named(interaction.client.context.systems.values(), pressed.action)
    if door is None or not (door.form or door.page or door.path or door.answer or door.is_at_once):
        await answer(interaction, (failure_message("unknown_button"),))
    elif door.answer is not None:
        await defer(interaction)
        await _ask(interaction, door, await pressed_game(interaction, pressed), {})
    elif door.form is not None and pressed.action == door.form.id:
        await _take_form(interaction, door, pressed)
    elif door.form is not None:
        await _open_form(interaction, pressed.game, door, pressed.phase_no)
    elif door.is_at_once:
        await _order_at_once(interaction, door, pressed)
    elif door.page is not None:
        await defer(interaction)
        game_id = await pressed_game(interaction, pressed)
        view = await interaction.client.call(
            doors.show, interaction.client.context, game_id, _user(interaction), door.command
        )
        await answer(interaction, await interaction.client.call(page_message, view))
    else:
        await defer(interaction)
        await _begin_guide(interaction, await pressed_game(interaction, pressed), door, phase_no=pressed.phase_no)


async def _order_at_once(interaction: Interaction, door: AnyDoor, pressed: CustomId) -> None:
    """The order that a door makes without options, in the phase that its button was for."""
    await defer(interaction)
    client, game_id = interaction.client, await pressed_game(interaction, pressed)
    receipt = await client.call(
        doors.order, client.context, game_id, _user(interaction), door.command, {}, phase_no=pressed.phase_no or None
    )
    await _sheets.show_receipt(interaction, receipt)


async def _open_form(
    interaction: Interaction, key: str, door: AnyDoor, phase_no: int, *, name: str | None = None
) -> None:
    assert door.form is not None, "only a door with a form opens one"
    kind = _sheets.FormKind(
        load=partial(doors.form, word=door.id),
        action=door.form.id,
        label=f"door.{door.id}.label",
        placeholder=f"door.{door.id}.placeholder",
    )
    await _sheets.open_form(interaction, key, name=name, phase_no=phase_no, kind=kind)


async def _take_form(interaction: Interaction, door: AnyDoor, pressed: CustomId) -> None:
    await defer(interaction)
    client = interaction.client
    receipt = await client.call(
        doors.submit_form,
        client.context,
        await pressed_game(interaction, pressed),
        _user(interaction),
        door.id,
        written(interaction),
        phase_no=pressed.phase_no or None,
    )
    await _sheets.show_receipt(interaction, receipt)


async def _begin_guide(
    interaction: Interaction, game_id: GameId, door: AnyDoor, *, phase_no: int | None = None
) -> None:
    client = interaction.client
    path = await client.call(doors.path, client.context, game_id, _user(interaction), door.id)
    await _sheets.begin_guide(interaction, game_id, phase_no=phase_no, path=path)


def _user(interaction: Interaction) -> UserId:
    return UserId(interaction.user.id)


async def setup(client: SealedOrdersClient) -> None:
    """Add the commands. Buttons and forms come by `cogs.presses`."""
    for command in commands_of(client.context.systems.values()):
        client.tree.add_command(command)
