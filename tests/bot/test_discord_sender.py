"""What Discord answers, sorted into: never, not now, not allowed, and our own fault."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from bot.announce import NotAllowed, TryLater, Undeliverable
from bot.discord_sender import DiscordSender, RejectedMessage
from bot.model import Picture, Target
from bot.ports import WorkFailed
from bot.text.message import Message, ScenePicture
from engine.core.ids import SystemId
from engine.core.phrases import phrase
from engine.core.scene import Hand, Scene
from tests.fakes import FakeRenderer

MESSAGE = Message(content="Spring 1901")


class Wire:
    """A client of discord.py as far as the sender uses it."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error
        self.sent: list[tuple[str, int, Mapping[str, Any]]] = []

    async def create_dm(self, user: discord.abc.Snowflake) -> Any:
        return self._channel("user", user.id)

    def get_partial_messageable(self, channel_id: int) -> Any:
        return self._channel("channel", channel_id)

    def _channel(self, kind: str, target_id: int) -> Any:
        async def send(**kwargs: Any) -> Any:
            if self.error is not None:
                raise self.error
            self.sent.append((kind, target_id, kwargs))
            return SimpleNamespace(id=77)

        return SimpleNamespace(send=send)


async def send(wire: Wire, target: Target = Target.CHANNEL) -> int:
    sender = DiscordSender(wire, FakeRenderer())  # type: ignore[arg-type]
    return await sender.send(target, 5, MESSAGE, nonce="tag-1-0")


def answer(status: int, code: int) -> discord.HTTPException:
    kinds: dict[int, type[discord.HTTPException]] = {403: discord.Forbidden, 404: discord.NotFound}
    kind = kinds.get(status, discord.DiscordServerError if status >= 500 else discord.HTTPException)
    response: Any = SimpleNamespace(status=status, reason="")
    return kind(response, {"code": code, "message": "A PAR - BUR"})


@pytest.mark.parametrize("target", [Target.CHANNEL, Target.USER])
async def test_a_message_is_sent_with_its_nonce_to_its_target(target: Target) -> None:
    wire = Wire()
    assert await send(wire, target) == 77
    [(kind, target_id, kwargs)] = wire.sent
    assert (kind, target_id) == (str(target), 5)
    assert kwargs["nonce"] == "tag-1-0"
    assert kwargs["content"] == "Spring 1901"


async def test_pictures_are_drawn_off_the_event_loop() -> None:
    threads: list[int] = []

    class Renderer(FakeRenderer):
        def draw(self, shown: Scene | Hand, /, *, width_px: int | None = None, with_key: bool = False) -> Picture:
            threads.append(threading.get_ident())
            return super().draw(shown, width_px=width_px)

    wire: Any = Wire()
    picture = ScenePicture(Scene(SystemId("diplomacy"), "standard", phrase("x")), "map.png", "A map.")
    sender = DiscordSender(wire, Renderer())
    await sender.send(Target.CHANNEL, 5, Message(pictures=(picture,)), nonce="1")
    assert len(threads) == 1
    assert threading.get_ident() not in threads


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (403, 50007, Undeliverable),
        (403, 50278, Undeliverable),
        (404, 10003, Undeliverable),
        (404, 10013, Undeliverable),
        (403, 0, Undeliverable),
        (403, 50001, NotAllowed),
        (403, 50013, NotAllowed),
        (400, 50083, NotAllowed),
        (400, 40003, TryLater),
        (429, 0, TryLater),
        (500, 0, TryLater),
        (503, 0, TryLater),
        (401, 0, TryLater),
        (400, 50035, RejectedMessage),
        (413, 40005, RejectedMessage),
    ],
)
async def test_an_answer_is_sorted_by_what_can_be_done(status: int, code: int, kind: type[Exception]) -> None:
    with pytest.raises(kind) as told:
        await send(Wire(answer(status, code)))
    assert str(told.value) == f"{status} {code}"


@pytest.mark.parametrize(("status", "kind"), [(403, discord.Forbidden), (404, discord.NotFound)])
async def test_page_of_a_gateway_before_discord_loses_no_message(
    status: int, kind: type[discord.HTTPException]
) -> None:
    response: Any = SimpleNamespace(status=status, reason="")
    with pytest.raises(TryLater):
        await send(Wire(kind(response, "<html>Sorry, you have been blocked</html>")))


@pytest.mark.parametrize("error", [aiohttp.ClientOSError(), OSError(), discord.RateLimited(7.5)])
async def test_a_lost_connection_is_tried_again(error: Exception) -> None:
    with pytest.raises(TryLater):
        await send(Wire(error))


async def test_a_rate_limit_says_how_long_it_lasts() -> None:
    with pytest.raises(TryLater) as told:
        await send(Wire(discord.RateLimited(7.5)))
    assert told.value.wait.total_seconds() == 7.5


async def test_words_go_out_at_once_when_their_picture_takes_too_much() -> None:
    def fail(*_: object, **__: object) -> Picture:
        raise WorkFailed("a job took too much memory")

    wire, renderer = Wire(), FakeRenderer()
    renderer.draw = fail  # type: ignore[method-assign]
    picture = ScenePicture(Hand(SystemId("young_kingdoms"), "standard", (), ()), "cards.png", "your cards")
    message = replace(MESSAGE, pictures=(picture,))
    await DiscordSender(wire, renderer).send(Target.CHANNEL, 5, message, nonce="tag-1-0")  # type: ignore[arg-type]
    (_, _, sent), *_ = wire.sent
    assert sent["content"] == MESSAGE.content
    assert "files" not in sent
