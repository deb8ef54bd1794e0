"""Slash commands, buttons and forms of games' doors: special ways to give orders, described by each game.

The commands are made when the bot starts, from facts about the games; their rules are loaded when somebody uses one.
Every answer is for the player alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from discord import app_commands

from bot.client import SealedOrdersClient
from bot.model import GameId
from bot.services import doors
from bot.services.doors import AnyDoor
from bot.text.catalogue import Words
from bot.text.custom_ids import CustomId
from bot.text.doors import page_message
from bot.text.failure import failure_message
from cogs import _sheets
from cogs._declared import SERVERS, declared_command
from cogs._reply import Interaction, answer, defer_change, leave_line, user_of, written
from cogs._transformers import find_game, named_game, pressed_game
from engine.core.facts import DoorInfo, DoorOption, SystemInfo
from engine.core.orders import Choice
from engine.core.variant import load_phrases

AnyCommand = app_commands.Command[Any, ..., None] | app_commands.Group


def commands_of(infos: Iterable[SystemInfo]) -> tuple[AnyCommand, ...]:
    """The slash commands of all doors; each belongs to one game."""
    made: dict[str, AnyCommand] = {}
    for door, words in _declared(infos):
        name, _, within = door.command.partition(" ")
        if not within:
            made[name] = declared_command(door, words, _go, _choices, purpose="seat")
            continue
        about = words.plainly(f"door.{door.family}.about")
        group = made.setdefault(name, app_commands.Group(name=name, description=about, allowed_installs=SERVERS))
        assert isinstance(group, app_commands.Group), f"/{name} is a command and a group"
        group.add_command(declared_command(door, words, _go, _choices, purpose="seat"))
    return tuple(made.values())


def _declared(infos: Iterable[SystemInfo]) -> Iterator[tuple[DoorInfo, Words]]:
    """Every door with the words of its game."""
    for info in infos:
        words = Words(load_phrases(info.id))
        yield from ((door, words) for door in info.doors)


def _choices(interaction: Interaction, door: DoorInfo, option: DoorOption, typed: str) -> Sequence[Choice]:
    game, context = named_game(interaction, "seat"), interaction.client.context
    return doors.complete(context, game.id, user_of(interaction), door.command, option.name, typed)


async def _go(interaction: Interaction, info: DoorInfo, game: str | None, given: dict[str, str]) -> None:
    """Through a door by its command: what it shows or answers, its form, the guided flow, or the order itself."""
    client = interaction.client
    is_blank = bool(info.options) and not given.get(info.options[0].name, "").strip()
    if is_blank and info.form is not None:
        # A form has to be the first answer, so nothing is deferred here.
        found = await find_game(interaction, game, "seat")
        await _open_form(interaction, found.token, info, found.phase_no, name=found.name)
        return
    await defer_change(interaction)
    found = await find_game(interaction, game, "seat")
    door = await client.call(doors.door_of, client.context, found.id, info.command)
    if door.answer is not None:
        await _ask(interaction, door, found.id, given)
    elif door.page is not None:
        await _show(interaction, door, found.id)
    elif is_blank and door.path is not None:
        await _begin_guide(interaction, found.id, door)
    else:
        _sheets.require_present(interaction, found)
        receipt = await _sheets.change(interaction, doors.order, found.id, door.command, given, phase_no=found.phase_no)
        await _sheets.show_receipt(interaction, receipt)


async def _ask(interaction: Interaction, door: AnyDoor, game_id: GameId, given: dict[str, str]) -> None:
    """A door's answer to its options."""
    client = interaction.client
    leave_line(interaction)
    async with client.pondering:
        view = await client.call(doors.ask, client.context, game_id, user_of(interaction), door.command, given)
    await answer(interaction, await client.call(page_message, view))


async def _show(interaction: Interaction, door: AnyDoor, game_id: GameId) -> None:
    """A door's page."""
    client = interaction.client
    view = await client.call(doors.show, client.context, game_id, user_of(interaction), door.command)
    await answer(interaction, await client.call(page_message, view))


async def press(interaction: Interaction, pressed: CustomId) -> None:
    """Through a door by its button, or with what was written in its form."""
    client = interaction.client
    info = doors.named(client.context, pressed.action)
    if info is None:
        await answer(interaction, (failure_message("unknown_button"),))
    elif pressed.action == info.form:
        await _take_form(interaction, info, pressed)
    elif info.form is not None:
        await _open_form(interaction, pressed.game, info, pressed.phase_no)
    else:
        await defer_change(interaction)
        game_id = await pressed_game(interaction, pressed)
        door = await client.call(doors.door_of, client.context, game_id, info.id)
        if door.answer is not None:
            await _ask(interaction, door, game_id, {})
        elif door.is_at_once:
            await _order_at_once(interaction, door, game_id, pressed)
        elif door.page is not None:
            await _show(interaction, door, game_id)
        elif door.path is not None:
            await _begin_guide(interaction, game_id, door, phase_no=pressed.phase_no)
        else:
            await answer(interaction, (failure_message("unknown_button"),))


async def _order_at_once(interaction: Interaction, door: AnyDoor, game_id: GameId, pressed: CustomId) -> None:
    """The order that a door makes without options, in the phase that its button was for."""
    receipt = await _sheets.change(interaction, doors.order, game_id, door.command, {}, phase_no=pressed.phase_no)
    await _sheets.show_receipt(interaction, receipt)


async def _open_form(
    interaction: Interaction, key: str, info: DoorInfo, phase_no: int, *, name: str | None = None
) -> None:
    assert info.form is not None, "only a door with a form opens one"
    kind = _sheets.FormKind(
        load=partial(doors.form, word=info.id),
        action=info.form,
        label=f"door.{info.id}.label",
        placeholder=f"door.{info.id}.placeholder",
    )
    await _sheets.open_form(interaction, key, name=name, phase_no=phase_no, kind=kind)


async def _take_form(interaction: Interaction, info: DoorInfo, pressed: CustomId) -> None:
    await defer_change(interaction)
    game_id, text = await pressed_game(interaction, pressed), written(interaction)
    receipt = await _sheets.change(interaction, doors.submit_form, game_id, info.id, text, phase_no=pressed.phase_no)
    await _sheets.show_receipt(interaction, receipt)


async def _begin_guide(
    interaction: Interaction, game_id: GameId, door: AnyDoor, *, phase_no: int | None = None
) -> None:
    client = interaction.client
    path = await client.call(doors.path, client.context, game_id, user_of(interaction), door.id)
    await _sheets.begin_guide(interaction, game_id, phase_no=phase_no, path=path)


async def setup(client: SealedOrdersClient) -> None:
    """Add the commands. Buttons and forms come by `cogs.presses`."""
    for command in commands_of(client.context.systems.infos.values()):
        client.tree.add_command(command)
