"""How every cog answers: deferred first, ephemeral in servers where only the asker may see it, faults explained kindly.

An answer sets its own ephemeral flag each time; Discord does not carry it over from the first one.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias, TypeVar, cast

import aiohttp
import discord
from discord import app_commands

from bot.client import TOO_LATE, SealedOrdersClient
from bot.discord_messages import edit_kwargs, message_kwargs
from bot.faults import describe_fault
from bot.model import UserId
from bot.one_by_one import PlaceInLine
from bot.ports import DamagedGame, Renderer, StorageUnavailable
from bot.services.arrivals import Arrival
from bot.services.errors import Refused
from bot.text.catalogue import common_words
from bot.text.failure import failure_message, refused_message, storage_message, unexpected_message
from bot.text.message import Message

Interaction: TypeAlias = discord.Interaction[SealedOrdersClient]

DEFER_WITHIN_S = 10.0
_PLACE = "place"

T = TypeVar("T")

_log = logging.getLogger(__name__)


def must_hide(interaction: Interaction) -> bool:
    """Whether a private answer has to be ephemeral: in servers. In direct messages it may stay to be read again."""
    return interaction.guild_id is not None


def user_of(interaction: Interaction) -> UserId:
    """Who asks."""
    return UserId(interaction.user.id)


def channel_of(interaction: Interaction) -> int | None:
    """The channel in which somebody asks; `None` in direct messages."""
    return interaction.channel_id if interaction.guild_id is not None else None


def arrival_of(interaction: Interaction, phase_no: int | None) -> Arrival:
    """When somebody asked, by Discord's time stamp, which nobody can set, and for which phase.

    Args:
        phase_no: `None`, or 0 as in old buttons: the present one.
    """
    return Arrival(min(interaction.created_at, interaction.client.context.clock.now()), phase_no or None)


async def defer(interaction: Interaction) -> None:
    """Gain fifteen minutes for a private answer."""
    await interaction.response.defer(ephemeral=must_hide(interaction), thinking=True)


async def defer_change(interaction: Interaction, *, in_place: bool = False) -> None:
    """The same for what may change orders: its place among all that the asker sends is taken before anything else.

    Args:
        in_place: the answer takes the place of the message that was pressed.
    """
    place_of(interaction)
    await in_time(interaction.response.defer() if in_place else defer(interaction), DEFER_WITHIN_S)


async def in_time(request: Awaitable[T], within_s: float) -> T:
    """Wait for something of Discord, but no longer than that: all else that its sender asks for waits, too.

    Raises:
        ConnectionError: it did not come, as if Discord had broken the connection off.
    """
    try:
        async with asyncio.timeout(within_s):
            return await request
    except TimeoutError:
        raise ConnectionError from None


def place_of(interaction: Interaction) -> PlaceInLine:
    """The asker's place in the line of all that they send, drawn now if there is none. It is left before the answer."""
    place: PlaceInLine | None = interaction.extras.get(_PLACE)
    if place is None or place.left.done():
        place = interaction.extras[_PLACE] = interaction.client.arrivals.turn_of(user_of(interaction))
    return place


def leave_line(interaction: Interaction) -> None:
    """What the asker wanted changes nothing any more."""
    if _PLACE in interaction.extras:
        interaction.extras.pop(_PLACE).leave()


async def answer(interaction: Interaction, messages: Sequence[Message]) -> None:
    """Answer the asker alone; the first message fills the deferred answer if there is one."""
    await _send(interaction, messages, ephemeral=must_hide(interaction))


async def announce(interaction: Interaction, messages: Sequence[Message]) -> None:
    """Say something to the whole channel, after a private answer.

    A deferred answer keeps the ephemeral flag of the deferral, so the first message must be a private one.
    """
    assert interaction.response.is_done(), "answer first"
    await _send(interaction, messages, ephemeral=False)


async def show_all(interaction: Interaction, messages: Sequence[Message]) -> None:
    """Show the whole channel what was asked for. Never for anything that only one seat may know.

    Deferred privately before, so that only the asker sees what goes wrong.
    """
    await answer(interaction, (Message(common_words().say("inspect.shared")),))
    await announce(interaction, messages)


@contextlib.asynccontextmanager
async def posted_before(
    interaction: Interaction, channel_id: int, message: Message, *, unless_done: Message
) -> AsyncIterator[int | None]:
    """Post in a channel what is about to be done; gives the number of the post, or `None` if it can't be posted.

    Args:
        unless_done: takes its place if it was not done.
    """
    client = interaction.client
    message_id = await client.post(channel_id, message)
    try:
        yield message_id
    except Exception:
        if message_id is not None:
            await client.reword(channel_id, message_id, unless_done)
        raise


async def _send(interaction: Interaction, messages: Sequence[Message], *, ephemeral: bool) -> None:
    leave_line(interaction)
    for message in messages:
        kwargs = await drawn(message_kwargs, message, interaction.client.renderer)
        if interaction.response.is_done():
            await interaction.followup.send(**kwargs, ephemeral=ephemeral, wait=True)
        else:
            await interaction.response.send_message(**kwargs, ephemeral=ephemeral)


async def replace_message(interaction: Interaction, messages: Sequence[Message]) -> None:
    """Put the first message in the place of the one that was pressed; the rest follow."""
    leave_line(interaction)
    kwargs = await drawn(edit_kwargs, messages[0], interaction.client.renderer)
    await interaction.edit_original_response(**kwargs)
    await answer(interaction, messages[1:])


async def drawn(
    arguments: Callable[[Message, Renderer], Awaitable[dict[str, Any]]], message: Message, renderer: Renderer
) -> dict[str, Any]:
    """The arguments with which to send a message.

    A map that can't be drawn is left out: orders that stand must not look refused.
    """
    try:
        return await arguments(message, renderer)
    except Exception as fault:
        _log.error("a map could not be drawn: %s", describe_fault(fault))
        return await arguments(replace(message, pictures=()), renderer)


@contextlib.asynccontextmanager
async def telling_failures(interaction: Interaction, *, game: str | None = None) -> AsyncIterator[None]:
    """Whatever goes wrong inside is reported to the asker and ends there."""
    try:
        yield
    except Exception as error:
        await tell_failure(interaction, error, game=game)
    finally:
        leave_line(interaction)


Callback = TypeVar("Callback", bound=Callable[..., Awaitable[None]])


def answered(command: Callback) -> Callback:
    """A command of a cog that reports its own failures, so that nothing is left for discord.py to log."""

    @functools.wraps(command)
    async def answering(self: object, interaction: Interaction, *args: Any, **kwargs: Any) -> None:
        async with telling_failures(interaction):
            await command(self, interaction, *args, **kwargs)

    return cast(Callback, answering)


async def tell_failure(interaction: Interaction, error: Exception, *, game: str | None = None) -> None:
    """Tell the asker what went wrong; faults of ours are logged with a reference, never with what was typed.

    What Discord no longer lets us answer is no fault of ours, and nobody can be told.
    """
    cause = _cause(error)
    if isinstance(cause, discord.HTTPException) and cause.code in TOO_LATE:
        _log.warning("Discord did not take an answer in %s: %d %d", _where(interaction), cause.status, cause.code)
        return
    message = failure_text(error, where=_where(interaction), game=game)
    try:
        await answer(interaction, (message,))
    except Exception as fault:
        # Left to discord.py it would be logged with its traceback, and that with the text of the failure itself.
        _log.warning("an answer about a failure could not be sent: %s", describe_fault(fault))


def failure_text(error: Exception, *, where: str, game: str | None = None) -> Message:
    """What to say about a failure."""
    cause = _cause(error)
    match cause:
        case Refused():
            return refused_message(cause)
        case StorageUnavailable():
            _log.warning("storage unavailable in %s", where)
            return storage_message()
        case DamagedGame():
            _log.error("%s can't be read, in %s: python -m bot check says more", cause, where)
            return failure_message("damaged")
        case app_commands.CommandNotFound() | app_commands.CommandSignatureMismatch():
            return failure_message("outdated_command")
        case app_commands.CheckFailure():
            return failure_message("manager_only")
    reference = secrets.token_hex(4)
    if (answered := _answer_of_discord(cause)) is not None:
        _log.warning("%s: Discord did not take an answer in %s: %s", reference, where, answered)
        return unexpected_message(reference)
    # Only the kind of the exception and where it was raised: its text may hold what a player typed.
    _log.error("%s: %s in %s (game %s)\n%s", reference, type(cause).__name__, where, game, _places(cause))
    return unexpected_message(reference)


def _answer_of_discord(cause: Exception) -> str | None:
    """What Discord said to a request, or how it was lost, if nobody here is to blame; nothing of its text."""
    match cause:
        case discord.HTTPException(status=status, code=code) if status >= 500 or status == 429 or code in _GIVEN_UP:
            return f"{status} {code}"
        case discord.RateLimited() | aiohttp.ClientError() | ConnectionError():
            return type(cause).__name__
    return None


_GIVEN_UP = TOO_LATE | {
    10008,  # unknown message: it was deleted meanwhile
    50027,  # invalid webhook token: fifteen minutes have passed, or the channel is gone
}


def _cause(error: Exception) -> Exception:
    while isinstance(error, app_commands.CommandInvokeError | app_commands.TransformerError):
        inner = error.original if isinstance(error, app_commands.CommandInvokeError) else error.__cause__
        if not isinstance(inner, Exception):
            return error
        error = inner
    return error


def _places(error: BaseException) -> str:
    """The stack without the source lines' values: files, lines and functions."""
    places = []
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        places.append(f"  {code.co_filename}:{trace.tb_lineno} {code.co_name}")
        trace = trace.tb_next
    return "\n".join(places)


def _where(interaction: Interaction) -> str:
    if interaction.command is not None:
        return f"/{interaction.command.qualified_name}"
    return custom_id_of(interaction) or interaction.type.name


def custom_id_of(interaction: Interaction) -> str:
    """The id of the button, menu or form; empty for commands."""
    return str(data_of(interaction).get("custom_id", ""))


def data_of(interaction: Interaction) -> Mapping[str, Any]:
    """The data of a press or a form."""
    data: Mapping[str, Any] = interaction.data or {}
    return data


def written(interaction: Interaction) -> str:
    """The text of a submitted form's only field, however Discord wraps it."""
    return _text_in(data_of(interaction).get("components", ()))


def _text_in(components: Any) -> str:
    for component in components:
        if "value" in component:
            return str(component["value"])
        inner = [component["component"]] if "component" in component else component.get("components", ())
        if text := _text_in(inner):
            return text
    return ""
