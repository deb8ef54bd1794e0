"""An interaction without Discord: it remembers what was answered, to whom, and how."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

import discord

from bot.guides import Guides
from bot.inbox import Inbox
from bot.model import UserId
from bot.one_by_one import OneByOne
from bot.services.context import Context
from bot.shares import Shares
from bot.text.message import Message
from cogs._reply import Interaction
from tests.bot.services.world import CHANNEL, GUILD
from tests.fakes import FakeRenderer


@dataclass(frozen=True)
class Answer:
    """One answer: `ephemeral` is `None` where the message that was pressed was changed instead."""

    content: str
    ephemeral: bool | None
    kwargs: dict[str, Any]

    @property
    def text(self) -> str:
        """Everything to read in it."""
        embeds = self.kwargs.get("embeds", ())
        parts = [f"{embed.title}\n{embed.description}\n{[f.value for f in embed.fields]}" for embed in embeds]
        return "\n".join([self.content, *parts])

    @property
    def items(self) -> list[Any]:
        """Its buttons and menus."""
        view = self.kwargs.get("view")
        return list(view.children) if view is not None else []


BOT = UserId(555)


class StubClient:
    """What cogs use of the client; services run at once, on the same thread."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.renderer = FakeRenderer()
        self.guides = Guides()
        self.shares = Shares()
        self.arrivals = OneByOne()
        self.one_by_one = OneByOne()
        self.pondering = asyncio.Lock()
        self.user = SimpleNamespace(id=BOT)
        self.inbox = Inbox(self, context, self.arrivals)  # type: ignore[arg-type]
        self.posted: list[tuple[int, Message]] = []
        self.may_post = True
        self.tree = SimpleNamespace(walk_commands=lambda: iter(()))

    async def post(self, channel_id: int, message: Message) -> int | None:
        if not self.may_post:
            return None
        self.posted.append((channel_id, message))
        return 9000 + len(self.posted)

    async def reword(self, channel_id: int, message_id: int, message: Message) -> None:
        assert self.posted[message_id - 9001][0] == channel_id
        self.posted[message_id - 9001] = (channel_id, message)

    async def call(self, service: Any, /, *args: Any, **kwargs: Any) -> Any:
        return service(*args, **kwargs)

    def command_mention(self, name: str) -> str:
        return f"</{name}:1>"


@dataclass
class StubInteraction:
    """An interaction of a person; in a server unless `guild_id` is `None`."""

    client: StubClient
    user_id: UserId
    guild_id: int | None = GUILD
    channel_id: int = CHANNEL
    data: dict[str, Any] = field(default_factory=dict)
    type: discord.InteractionType = discord.InteractionType.application_command
    permissions: discord.Permissions = field(default_factory=discord.Permissions.none)
    app_permissions: discord.Permissions = field(default_factory=discord.Permissions.all)
    options: dict[str, Any] = field(default_factory=dict)
    deferred: bool | None = None
    modals: list[dict[str, Any]] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.user = SimpleNamespace(id=self.user_id)
        self.created_at = self.client.context.clock.now()
        self.namespace = SimpleNamespace(**self.options)
        self.command = None
        self.extras: dict[str, Any] = {}
        self.channel = None
        self.response = _Response(self)
        self.followup = SimpleNamespace(send=self._follow_up)

    async def _follow_up(self, *, content: str = "", ephemeral: bool, wait: bool, **kwargs: Any) -> None:
        assert self.response.is_done()
        assert wait
        if self.deferred is not None and not self.answers:
            # The first answer fills the place that was kept for it, and is as open as that.
            ephemeral = self.deferred
        self.answers.append(Answer(content, ephemeral, kwargs))

    async def edit_original_response(self, *, content: str | None, **kwargs: Any) -> None:
        self.answers.append(Answer(content or "", None, kwargs))

    @property
    def discord(self) -> Interaction:
        """Itself, as the cogs are typed."""
        return cast(Interaction, self)

    @property
    def last(self) -> Answer:
        """The last answer."""
        return self.answers[-1]

    @property
    def text(self) -> str:
        """All that was answered."""
        return "\n".join(answer.text for answer in self.answers)

    @property
    def public(self) -> str:
        """All that the channel could see."""
        return "\n".join(answer.text for answer in self.answers if answer.ephemeral is False)


class _Response:
    def __init__(self, interaction: StubInteraction) -> None:
        self._interaction = interaction
        self._is_done = False

    def is_done(self) -> bool:
        return self._is_done

    async def defer(self, *, ephemeral: bool = False, thinking: bool = False) -> None:
        assert not self._is_done
        self._is_done = True
        self._interaction.deferred = ephemeral if thinking else None

    async def send_message(self, *, content: str = "", ephemeral: bool, **kwargs: Any) -> None:
        assert not self._is_done
        self._is_done = True
        self._interaction.answers.append(Answer(content, ephemeral, kwargs))

    async def send_modal(self, modal: discord.ui.Modal) -> None:
        assert not self._is_done, "a form has to be the first answer"
        self._is_done = True
        self._interaction.modals.append(modal.to_dict())


@dataclass
class StubAttachment:
    """A file of a message."""

    filename: str
    content: bytes
    content_type: str | None = None

    @property
    def size(self) -> int:
        return len(self.content)

    async def read(self) -> bytes:
        return self.content
