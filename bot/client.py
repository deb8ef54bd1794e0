"""The bot's connection to Discord: registers the commands, and has what the cogs need to call the services."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, ParamSpec, TypeVar

import aiohttp
import discord
from discord import app_commands
from discord.ext import commands

from bot.discord_messages import edit_kwargs, message_kwargs
from bot.guides import Guides
from bot.inbox import Inbox
from bot.one_by_one import OneByOne
from bot.ports import Renderer
from bot.services.context import Context
from bot.shares import Shares
from bot.text.failure import all_words
from bot.text.message import Message

COGS = (
    "cogs.lobby", "cogs.orders", "cogs.doors", "cogs.inspect",
    "cogs.gm", "cogs.help", "cogs.presses", "cogs.direct_messages",
)  # fmt: skip

P = ParamSpec("P")
T = TypeVar("T")

_log = logging.getLogger(__name__)


class CompletionFaults(logging.Filter):
    """Keeps failed completions from being logged with their tracebacks, and late ones from being logged at all.

    Completion is only a hint: if the player types on, Discord forgets the question before it is answered. And the text
    of an error may contain what was typed.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """A record of discord.py's command tree, without the exception that Discord's answer raised."""
        error = record.exc_info[1] if record.exc_info else None
        if not isinstance(error, discord.HTTPException):
            return True
        record.exc_info = record.exc_text = None
        record.msg, record.args = "a completion could not be answered: %d %d", (error.status, error.code)
        return error.code not in TOO_LATE


TOO_LATE = frozenset({
    10015,  # unknown webhook: the quarter of an hour for answers is over
    10062,  # unknown interaction
    40060,  # already acknowledged
})  # fmt: skip
"""Discord's codes for what can't be answered any more, or was delivered twice."""
_COMPLETION_FAULTS = CompletionFaults()


class SealedOrdersClient(commands.Bot):
    """The bot as Discord sees it.

    Args:
        context: for the services.
        on_setup: awaited once, when the cogs are loaded and Discord has accepted the token, before any event comes.
    """

    def __init__(self, context: Context, renderer: Renderer, on_setup: Callable[[], Awaitable[None]]) -> None:
        # It never joins a voice channel: the log needs no warning that it couldn't.
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=needed_intents(),
            allowed_mentions=discord.AllowedMentions.none(),
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=False),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
        )
        self.context = context
        self.renderer = renderer
        self.guides = Guides()
        self.shares = Shares()
        # Of all that changes orders, by commands, presses and messages, from when it comes.
        self.arrivals = OneByOne()
        self.inbox = Inbox(self, context, self.arrivals)
        # Held for a sheet or a new game: whoever sends many of them at once has them read one after the other.
        self.one_by_one = OneByOne()
        # Held for a question that a worker takes long to answer: one at a time, or a few who ask would leave no worker
        # for phases that are due.
        self.pondering = asyncio.Lock()
        logging.getLogger("discord.app_commands.tree").addFilter(_COMPLETION_FAULTS)
        self.command_ids: Mapping[str, int] = {}
        self._on_setup = on_setup

    async def setup_hook(self) -> None:
        """Load the cogs, register the commands if they changed, and let the application start."""
        # Read now, in a thread, what would otherwise be read when the first answer is needed.
        await asyncio.to_thread(all_words)
        for name in COGS:
            await self.load_extension(name)
        await self.register_commands()
        await self._on_setup()

    async def on_message(self, message: discord.Message, /) -> None:
        """There are no prefix commands; direct messages are read by their cog."""

    async def call(self, service: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a service, or anything else that blocks, off the event loop."""
        return await asyncio.to_thread(service, *args, **kwargs)

    async def post(self, channel_id: int, message: Message) -> int | None:
        """Post in a channel at once; returns the id of the message, or `None` if it can't be posted."""
        kwargs = await message_kwargs(message, self.renderer)
        try:
            return (await self.get_partial_messageable(channel_id).send(**kwargs)).id
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            _log.warning("nothing could be posted in a channel: %s", type(error).__name__)
            return None

    async def reword(self, channel_id: int, message_id: int, message: Message) -> None:
        """Put another message in the place of one that was posted, if that can be done."""
        kwargs = await edit_kwargs(message, self.renderer)
        try:
            await self.get_partial_messageable(channel_id).get_partial_message(message_id).edit(**kwargs)
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            _log.warning("a post could not be changed: %s", type(error).__name__)

    async def register_commands(self) -> None:
        """Send the commands to Discord if those that it has are different.

        Discord is asked which ones it has; they are not remembered here: so another token, a new database or a second
        process needs no special care, and a start uses up none of the day's registrations.
        """
        wanted = [command.to_dict(self.tree) for command in self.tree.get_commands()]
        try:
            assert self.application_id is not None, "set at login"
            present = await self.http.get_global_commands(self.application_id)
        except discord.HTTPException:
            _log.warning("Discord's list of commands could not be read; registering them anew")
            present = []
        if fingerprint(wanted) == fingerprint(present):
            self.command_ids = {str(command["name"]): int(command["id"]) for command in present}
            return
        registered = await self.tree.sync()
        self.command_ids = {command.name: command.id for command in registered}
        _log.info("registered %d commands", len(registered))

    def command_mention(self, name: str) -> str:
        """`/orders enter` as a link to the command if its id is known, otherwise as text."""
        number = self.command_ids.get(name.split(" ", 1)[0])
        return f"`/{name}`" if number is None else f"</{name}:{number}>"


def needed_intents() -> discord.Intents:
    """Servers and direct messages. The text of direct messages comes without the privileged intent for contents."""
    intents = discord.Intents.none()
    intents.guilds = True
    intents.dm_messages = True
    return intents


def fingerprint(payload: Sequence[Mapping[str, Any]]) -> str:
    """The commands as Discord sees them, in a form that can be compared: defaults and order don't matter."""
    return json.dumps(sorted((_command(entry) for entry in payload), key=lambda entry: str(entry["name"])))


def _command(entry: Mapping[str, Any]) -> dict[str, Any]:
    permissions = entry.get("default_member_permissions")
    return {
        "name": entry["name"],
        "description": entry.get("description", ""),
        "type": entry.get("type", 1),
        "permissions": None if permissions is None else str(permissions),
        "contexts": sorted(entry.get("contexts") or ()),
        "installs": sorted(entry.get("integration_types") or ()),
        "nsfw": bool(entry.get("nsfw", False)),
        "options": [_option(option) for option in entry.get("options") or ()],
    }


def _option(entry: Mapping[str, Any]) -> dict[str, Any]:
    """An option, a subcommand or a group of them; their order matters."""
    kept = {key: entry.get(key) for key in ("min_value", "max_value", "min_length", "max_length")}
    return kept | {
        "name": entry["name"],
        "description": entry.get("description", ""),
        "type": entry["type"],
        "required": bool(entry.get("required", False)),
        "autocomplete": bool(entry.get("autocomplete", False)),
        "choices": [(choice["name"], choice["value"]) for choice in entry.get("choices") or ()],
        "channel_types": sorted(entry.get("channel_types") or ()),
        "options": [_option(option) for option in entry.get("options") or ()],
    }
