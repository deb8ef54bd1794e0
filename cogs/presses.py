"""Buttons, menus and forms: each press is an interaction that says in its custom id what it wants.

None of them is kept in memory by discord.py, so those from before a restart work like the others.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import SealedOrdersClient
from bot.discord_messages import modal
from bot.model import Game, GameId, GameStatus
from bot.ports import WorkFailed
from bot.services import asking, complaints, inspect, lobby, orders, overview, secret_choice
from bot.services.chronicle import chronicle
from bot.services.errors import Refused, refused
from bot.services.receipts import Receipt
from bot.services.region import close_up
from bot.services.sheets import SubmitMode
from bot.text.chronicle import chronicle_messages
from bot.text.complaints import report_form, sent_message
from bot.text.custom_ids import NO_GAME, ON_RECEIPT, SURE, Action, CustomId, is_ours, parse_custom_id
from bot.text.failure import failure_message
from bot.text.games import (
    asked_message,
    draw_message,
    end_message,
    leave_message,
    left_message,
    lobby_message,
    seat_message,
    start_message,
)
from bot.text.looking import board_messages, key_messages, phase_key_messages, phase_map_messages, whole_map_messages
from bot.text.message import Message
from bot.text.results import close_up_messages
from bot.text.rules import rules_message, topic_of
from cogs import _sheets, doors
from cogs._reply import (
    Interaction,
    answer,
    custom_id_of,
    data_of,
    defer,
    defer_change,
    posted_before,
    replace_message,
    tell_failure,
    telling_failures,
    user_of,
    written,
)
from cogs._transformers import call_for_master, pressed_game, visible_game
from cogs.direct_messages import take_for_game
from engine.computer.levels import Level
from engine.core.viewer import EVERYBODY, Playing

_CHOSEN_GAME = re.compile(r"[a-z0-9]{1,32}(:[0-9]{1,9})?")
"""Which game a message is for, and the phase in which it came."""
_PART = re.compile(r"[0-9]")
_MESSAGE_ID = re.compile(r"[0-9]{1,20}")
_PRESSES = (discord.InteractionType.component, discord.InteractionType.modal_submit)


class Presses(commands.Cog):
    """Receives every press and passes it to what it asks for."""

    @commands.Cog.listener()
    async def on_interaction(self, interaction: Interaction) -> None:
        """Do what a button, menu or form of ours says; others are none of our business."""
        custom_id = custom_id_of(interaction)
        if interaction.type not in _PRESSES or not is_ours(custom_id):
            return
        pressed = parse_custom_id(custom_id)
        async with telling_failures(interaction, game=pressed.game if pressed else None):
            if pressed is None:
                await answer(interaction, (failure_message("unknown_button"),))
            else:
                await _HANDLERS.get(pressed.action, doors.press)(interaction, pressed)


async def _tell(interaction: Interaction, error: app_commands.AppCommandError) -> None:
    await tell_failure(interaction, error)


async def _ready(interaction: Interaction, pressed: CustomId) -> None:
    """Ready or not; whoever leaves something without an order or to fail is asked once whether that is meant."""
    is_in_place = await _defer_change(interaction, pressed)
    game_id, is_ready = await pressed_game(interaction, pressed), pressed.action is Action.READY
    is_asked = is_ready and pressed.token != SURE
    if is_asked and await _sheets.ask_whether_ready(interaction, game_id, phase_no=pressed.phase_no):
        return
    receipt = await _sheets.set_ready(interaction, game_id, is_ready, phase_no=pressed.phase_no)
    await _sheets.show_receipt(interaction, receipt, in_place=is_in_place)


async def _clear(interaction: Interaction, pressed: CustomId) -> None:
    await _change(interaction, pressed, orders.clear, in_place=await _defer_change(interaction, pressed))


async def _undo(interaction: Interaction, pressed: CustomId) -> None:
    await defer_change(interaction, in_place=True)
    await _change(interaction, pressed, orders.undo_clear, pressed.token, in_place=True)


async def _hint(interaction: Interaction, pressed: CustomId) -> None:
    await defer_change(interaction, in_place=True)
    await _change(interaction, pressed, orders.take_hint, pressed.token, in_place=True)


async def _default(interaction: Interaction, pressed: CustomId) -> None:
    await _change(interaction, pressed, orders.submit_default, in_place=await _defer_change(interaction, pressed))


async def _defer_change(interaction: Interaction, pressed: CustomId) -> bool:
    """Gain time; whether the message that was pressed is a receipt, or a question, that becomes the new receipt."""
    is_in_place = pressed.token in (ON_RECEIPT, SURE)
    await defer_change(interaction, in_place=is_in_place)
    return is_in_place


async def _change(
    interaction: Interaction, pressed: CustomId, service: Callable[..., Receipt], *args: object, in_place: bool
) -> None:
    """Do what changes a sheet. The receipt that was pressed becomes the new one; other messages stay as they are."""
    game_id = await pressed_game(interaction, pressed)
    receipt = await _sheets.change(interaction, service, game_id, *args, phase_no=pressed.phase_no)
    await _sheets.show_receipt(interaction, receipt, in_place=in_place)


async def _edit(interaction: Interaction, pressed: CustomId) -> None:
    await _sheets.open_form(interaction, pressed.game, phase_no=pressed.phase_no)


async def _guide(interaction: Interaction, pressed: CustomId) -> None:
    await defer(interaction)
    await _sheets.begin_guide(interaction, await pressed_game(interaction, pressed), phase_no=pressed.phase_no)


async def _guide_step(interaction: Interaction, pressed: CustomId) -> None:
    values = data_of(interaction).get("values") or [None]
    await _sheets.go_on(interaction, pressed, values[0])


async def _give(interaction: Interaction, pressed: CustomId) -> None:
    values = data_of(interaction).get("values") or [""]
    await _sheets.give(interaction, pressed, values[0])


async def _unit(interaction: Interaction, pressed: CustomId) -> None:
    await _sheets.show_unit(interaction, pressed)


async def _orders(interaction: Interaction, pressed: CustomId) -> None:
    await defer(interaction)
    client = interaction.client
    game_id = await pressed_game(interaction, pressed)
    receipt = await client.call(orders.show, client.context, game_id, user_of(interaction))
    await _sheets.show_receipt(interaction, receipt)


async def _board(interaction: Interaction, pressed: CustomId) -> None:
    await defer(interaction)
    client = interaction.client
    game_id = await pressed_game(interaction, pressed)
    await _require_seen(interaction, game_id)
    view = inspect.at_hand(await client.call(inspect.board, client.context, game_id, user_of(interaction)))
    await answer(interaction, await client.call(board_messages, view, as_text=pressed.action is Action.BOARD))


async def _whole(interaction: Interaction, pressed: CustomId) -> None:
    await defer(interaction)
    client = interaction.client
    game_id, user_id = await pressed_game(interaction, pressed), user_of(interaction)
    await _require_seen(interaction, game_id)
    view = await client.call(inspect.board, client.context, game_id, user_id)
    if 0 < pressed.phase_no < view.game.phase_no:
        closed = await client.call(inspect.phase_view, client.context, game_id, pressed.phase_no, view.viewer)
        await answer(interaction, await client.call(phase_map_messages, closed))
    elif isinstance(view.viewer, Playing) and view.game.status is not GameStatus.OVER:
        receipt = await client.call(orders.show, client.context, game_id, user_id)
        await answer(interaction, await client.call(whole_map_messages, receipt))
    else:
        await answer(interaction, await client.call(board_messages, view, as_text=False))


async def _close_up(interaction: Interaction, pressed: CustomId) -> None:
    """Everybody's view decides what the parts are, and is what is shown: the button stands in public."""
    await defer(interaction)
    client = interaction.client
    game_id = await pressed_game(interaction, pressed)
    await _require_seen(interaction, game_id)
    if not _PART.fullmatch(pressed.token):
        await answer(interaction, (failure_message("unknown_button"),))
        return
    closed = await client.call(inspect.phase_view, client.context, game_id, pressed.phase_no, EVERYBODY)
    if not closed.has_board:
        raise refused("no_public_board", game=closed.game.name)
    await answer(interaction, await client.call(close_up_messages, closed, int(pressed.token)))


async def _key(interaction: Interaction, pressed: CustomId) -> None:
    await defer(interaction)
    client = interaction.client
    game_id = await pressed_game(interaction, pressed)
    await _require_seen(interaction, game_id)
    view = await client.call(inspect.board, client.context, game_id, user_of(interaction))
    if not 0 < pressed.phase_no < view.game.phase_no:
        if pressed.token:
            view = replace(view, scene=close_up(None, view.scene, pressed.token))
        await answer(interaction, await client.call(key_messages, view))
        return
    closed = await client.call(inspect.phase_view, client.context, game_id, pressed.phase_no, view.viewer)
    await answer(interaction, await client.call(phase_key_messages, closed))


async def _rules(interaction: Interaction, pressed: CustomId) -> None:
    await defer(interaction)
    client = interaction.client
    found = topic_of(pressed.token)
    if found is None:
        await answer(interaction, (failure_message("unknown_button"),))
        return
    game = None
    if pressed.game != NO_GAME:
        game_id, user_id = await pressed_game(interaction, pressed), user_of(interaction)
        game = await client.call(visible_game, client.context, game_id, user_id, interaction.guild_id)
    await answer(interaction, await client.call(rules_message, *found, game))


async def _join(interaction: Interaction, pressed: CustomId) -> None:
    await defer(interaction)
    game_id = await pressed_game(interaction, pressed)
    await _require_seen(interaction, game_id)
    await join(interaction, game_id, power=None)


async def _require_seen(interaction: Interaction, game_id: GameId) -> Game:
    """Check that the person could name the game in a command here: ids of buttons can be forged."""
    client = interaction.client
    user_id = user_of(interaction)
    game = await client.call(visible_game, client.context, game_id, user_id, interaction.guild_id)
    if game is None:
        raise refused("no_such_game")
    return game


async def join(interaction: Interaction, game_id: GameId, *, power: str | None, word: str | None = None) -> None:
    """Take a seat, and show the player which; the call for players informs the channel. Deferred already.

    Args:
        word: for the seed; whoever has a seat already may give one, too.
    """
    client = interaction.client
    user_id = user_of(interaction)
    asked = await client.call(asking.ask, client.context, game_id, user_id, power=power)
    if asked is not None:
        await answer(interaction, (asked_message(asked),))
        return
    seat = await client.call(lobby.join_game, client.context, game_id, user_id, power=power, word=word)
    info = await client.call(overview.game_info, client.context, game_id, user_id)
    command = client.context.systems.infos[info.game.system].secret_choice
    if command is not None and not await client.call(secret_choice.is_given_up, client.context, info.game, seat):
        command = None
    await answer(interaction, (seat_message(info.game, seat, gives_up=command),))


async def _leave(interaction: Interaction, pressed: CustomId) -> None:
    """Leave if the question was asked in this phase; else it is asked again."""
    await defer_change(interaction, in_place=True)
    client = interaction.client
    game_id = await pressed_game(interaction, pressed)
    leaving = await client.call(lobby.leaving, client.context, game_id, user_of(interaction))
    if pressed.token == SURE and pressed.phase_no == leaving.game.phase_no:
        await replace_message(interaction, await leave(interaction, game_id))
    else:
        await ask_whether_to_leave(interaction, game_id)


async def _start(interaction: Interaction, pressed: CustomId) -> None:
    """Start a game if the question was asked with as many players; else it is asked again."""
    await interaction.response.defer()
    game = await _require_seen(interaction, await pressed_game(interaction, pressed))
    starting = await call_for_master(interaction, game, lobby.starting)
    if starting is not None and pressed.token != str(starting.taken):
        await answer(interaction, (start_message(starting),))
        return
    await replace_message(interaction, (await begin(interaction, game),))


async def begin(interaction: Interaction, game: Game, computer: Level | None = None) -> Message:
    """Start a game; deferred already.

    What the seed is made of is posted first: the number that Discord gives to this message is the last part of it.
    """
    draw = await call_for_master(interaction, game, lobby.prepare_start, computer=computer)
    undone = lobby_message("draw_undone", game)
    async with posted_before(interaction, game.channel_id, draw_message(draw), unless_done=undone) as number:
        started = await call_for_master(
            interaction, game, lobby.start_game, message_id=number, words=draw.words, computer=computer
        )
    return lobby_message("started", started)


async def _end(interaction: Interaction, pressed: CustomId) -> None:
    """End a game if the question was asked in this phase; else it is asked again."""
    await interaction.response.defer()
    game = await _require_seen(interaction, await pressed_game(interaction, pressed))
    ending = await call_for_master(interaction, game, lobby.ending)
    if ending is not None and (pressed.token, pressed.phase_no) != (SURE, ending.game.phase_no):
        await answer(interaction, (end_message(ending),))
        return
    phase_no = None if ending is None else ending.game.phase_no
    ended = await call_for_master(interaction, game, lobby.end_game, phase_no=phase_no)
    await replace_message(interaction, (lobby_message("ended", ended),))


async def ask_whether_to_leave(interaction: Interaction, game_id: GameId) -> None:
    """Ask whoever wants to give up a seat in a running game whether that is meant. Deferred already.

    Raises:
        Refused: the asker has no seat, or the game is over.
    """
    client = interaction.client
    leaving = await client.call(lobby.leaving, client.context, game_id, user_of(interaction))
    await answer(interaction, (leave_message(leaving),))


async def leave(interaction: Interaction, game_id: GameId) -> Sequence[Message]:
    """Give up a seat in a running game; the answer has what its player has lived through."""
    client = interaction.client
    user_id = user_of(interaction)
    leaving = await client.call(lobby.leaving, client.context, game_id, user_id)
    lived = await _what_was_lived(interaction, game_id)
    await _sheets.hear_players(interaction, game_id)
    await client.call(lobby.leave_game, client.context, game_id, user_id)
    kept = (lobby_message("left_chronicle", leaving.game), *lived) if lived else ()
    return (left_message(leaving), *kept)


async def _what_was_lived(interaction: Interaction, game_id: GameId) -> tuple[Message, ...]:
    """The chronicle of the asker's power, for somebody who leaves and can't look at it any more; nothing before a phase
    has closed, nor where it can't be made."""
    client = interaction.client
    try:
        told = await client.call(chronicle, client.context, game_id, user_of(interaction))
        return await client.call(chronicle_messages, told)
    except (Refused, WorkFailed):
        return ()


async def _form(interaction: Interaction, pressed: CustomId) -> None:
    await defer_change(interaction)
    mode = SubmitMode.REPLACE if pressed.action is Action.SHEET else SubmitMode.MERGE
    game_id = await pressed_game(interaction, pressed)
    await _sheets.submit(interaction, game_id, written(interaction), mode, phase_no=pressed.phase_no)


async def _report(interaction: Interaction, pressed: CustomId) -> None:
    """Ask what is wrong, then tell the game masters."""
    if interaction.type is discord.InteractionType.component:
        await interaction.response.send_modal(modal(report_form(pressed)))
        return
    await defer(interaction)
    client = interaction.client
    game_id, user_id = await pressed_game(interaction, pressed), user_of(interaction)
    text = written(interaction)
    sent = await client.call(complaints.send, client.context, game_id, user_id, pressed.phase_no, text)
    await answer(interaction, sent_message(sent))


async def _which(interaction: Interaction, pressed: CustomId) -> None:
    await defer_change(interaction)
    values = data_of(interaction).get("values") or [""]
    chosen = _CHOSEN_GAME.fullmatch(values[0])
    if chosen is None or not _MESSAGE_ID.fullmatch(pressed.token):
        await answer(interaction, (failure_message("unknown_button"),))
        return
    await take_for_game(interaction, values[0], message_id=int(pressed.token))


_HANDLERS: Mapping[str, Callable[[Interaction, CustomId], Awaitable[None]]] = {
    Action.READY: _ready,
    Action.UNREADY: _ready,
    Action.EDIT: _edit,
    Action.CLEAR: _clear,
    Action.UNDO: _undo,
    Action.HINT: _hint,
    Action.DEFAULT: _default,
    Action.GUIDE: _guide,
    Action.ORDERS: _orders,
    Action.MAP: _board,
    Action.WHOLE: _whole,
    Action.CLOSE_UP: _close_up,
    Action.BOARD: _board,
    Action.KEY: _key,
    Action.RULES: _rules,
    Action.JOIN: _join,
    Action.START: _start,
    Action.LEAVE: _leave,
    Action.END: _end,
    Action.SHEET: _form,
    Action.LINES: _form,
    Action.CHOOSE: _give,
    Action.UNIT: _unit,
    Action.PICK: _guide_step,
    Action.PAGE: _guide_step,
    Action.BACK: _guide_step,
    Action.DONE: _guide_step,
    Action.WHICH: _which,
    Action.REPORT: _report,
}


async def setup(client: SealedOrdersClient) -> None:
    """Add the cog, and catch what goes wrong before a command is reached, such as an option that can't be read."""
    client.tree.error(_tell)
    await client.add_cog(Presses())
