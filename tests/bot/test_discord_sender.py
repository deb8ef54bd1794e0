"""What Discord answers, sorted into: never, not now, not allowed, and our own fault."""

from __future__ import annotations

import threading
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from types import MappingProxyType, SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from bot.announcing.sender import NotAllowed, TryLater, Undeliverable
from bot.discord_sender import DiscordSender, RejectedMessage
from bot.model import Picture, Target
from bot.ports import WorkFailed
from bot.text.message import Button, Embed, Message, ScenePicture, TextFile
from bot.text.plain import without_embeds, without_files
from engine.core.depiction import Depiction
from engine.core.ids import SystemId
from engine.core.phrases import phrase
from engine.pictures.hand import Hand
from engine.pictures.scene import Scene
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

    user = SimpleNamespace(id=1)
    there: Sequence[Any] = ()
    asked: Mapping[str, Any] = MappingProxyType({})

    def _channel(self, kind: str, target_id: int) -> Any:
        async def history(**kwargs: Any) -> AsyncIterator[Any]:
            self.asked = kwargs
            if self.error is not None:
                raise self.error
            for message in self.there:
                yield message

        async def send(**kwargs: Any) -> Any:
            if self.error is not None:
                raise self.error
            self.sent.append((kind, target_id, kwargs))
            return SimpleNamespace(id=77)

        def partial(message_id: int) -> Any:
            async def edit(**kwargs: Any) -> None:
                if self.error is not None:
                    raise self.error
                self.sent.append((kind, message_id, kwargs))

            return SimpleNamespace(edit=edit)

        return SimpleNamespace(send=send, history=history, get_partial_message=partial)


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
        def draw(self, shown: Depiction, /, *, width_px: int | None = None, with_key: bool = False) -> Picture:
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
        (403, 0, NotAllowed),
        (403, 99999, NotAllowed),
        (404, 0, TryLater),
        (404, 10004, Undeliverable),
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


@pytest.mark.parametrize(("status", "code"), [(403, 0), (403, 99999), (404, 10004)])
async def test_a_direct_message_that_is_forbidden_for_whatever_reason_is_given_up(status: int, code: int) -> None:
    with pytest.raises(Undeliverable):
        await send(Wire(answer(status, code)), Target.USER)


async def test_an_answer_that_does_not_say_what_is_unknown_loses_no_direct_message() -> None:
    with pytest.raises(TryLater) as told:
        await send(Wire(answer(404, 0)), Target.USER)
    assert told.value.may_have_arrived


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
    picture = ScenePicture(Hand(SystemId("young_kingdoms"), "standard", phrase("x"), ()), "cards.png", "your cards")
    message = replace(MESSAGE, pictures=(picture,))
    await DiscordSender(wire, renderer).send(Target.CHANNEL, 5, message, nonce="tag-1-0")  # type: ignore[arg-type]
    (_, _, sent), *_ = wire.sent
    assert sent["content"] == MESSAGE.content
    assert "files" not in sent


@pytest.mark.parametrize(
    ("error", "may_have_arrived"),
    [
        (answer(500, 0), True),
        (answer(503, 0), True),
        (aiohttp.ClientOSError(), True),
        (answer(429, 0), False),
        (answer(401, 0), False),
        (discord.RateLimited(7.5), False),
    ],
)
async def test_a_broken_connection_leaves_open_whether_it_arrived(error: Exception, may_have_arrived: bool) -> None:
    with pytest.raises(TryLater) as told:
        await send(Wire(error))
    assert told.value.may_have_arrived is may_have_arrived


async def test_words_go_out_without_a_picture_that_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.discord_sender.DRAW_WITHIN_S", 0.05)

    class Renderer(FakeRenderer):
        def draw(self, shown: Depiction, /, *, width_px: int | None = None, with_key: bool = False) -> Picture:
            time.sleep(0.3)
            return super().draw(shown, width_px=width_px)

    wire: Any = Wire()
    picture = ScenePicture(Scene(SystemId("diplomacy"), "standard", phrase("x")), "map.png", "A map.")
    message = Message("Spring 1901", pictures=(picture,))
    await DiscordSender(wire, Renderer()).send(Target.CHANNEL, 5, message, nonce="1")
    ((_, _, sent),) = wire.sent
    assert sent["content"] == "Spring 1901"
    assert "files" not in sent


# Looking for what may have arrived


SINCE = datetime(2026, 11, 21, tzinfo=UTC)
OURS = Message(
    "Spring 1901", (Embed("Title", "Two  words"),), files=(TextFile("b.txt", "x"),), buttons=(Button("so:1", "Ready"),)
)


def there(ours: Message, *, id_: int = 8, author: int = 1, nonce: str | None = None) -> Any:
    """A message as Discord has it."""
    embeds = [SimpleNamespace(title=embed.title, description=embed.description.strip()) for embed in ours.embeds]
    row = SimpleNamespace(children=[SimpleNamespace(custom_id=button.custom_id) for button in ours.buttons])
    return SimpleNamespace(
        id=id_,
        author=SimpleNamespace(id=author),
        content=ours.content.strip(),
        embeds=embeds,
        components=[row],
        nonce=nonce,
    )


async def look(wire: Any, *, known: frozenset[int] = frozenset()) -> int | None:
    sender = DiscordSender(wire, FakeRenderer())
    return await sender.find(Target.CHANNEL, 5, OURS, nonce="tag-1-0", since=SINCE, known=known)


async def test_a_message_that_arrived_is_found_by_its_words() -> None:
    wire = Wire()
    wire.there = [there(Message("Fall 1901")), there(OURS, author=2, id_=6), there(OURS, id_=7), there(OURS)]
    assert await look(wire) == 7
    assert await look(wire, known=frozenset({7})) == 8
    assert wire.asked["after"] == SINCE
    assert wire.asked["limit"] <= 100


async def test_a_message_that_arrived_without_its_files_is_found() -> None:
    wire = Wire()
    wire.there = [there(without_files(OURS))]
    assert await look(wire) == 8


async def test_a_message_that_arrived_without_its_boxes_is_found() -> None:
    wire = Wire()
    wire.there = [there(first) for first, *_ in [without_embeds(OURS)]]
    assert await look(wire) == 8


async def test_a_message_that_discord_gives_with_its_nonce_is_found_by_that() -> None:
    wire = Wire()
    wire.there = [there(Message("?"), nonce="tag-1-0")]
    assert await look(wire) == 8


async def test_words_with_the_buttons_of_another_phase_are_another_message() -> None:
    wire = Wire()
    wire.there = [there(replace(OURS, buttons=(Button("so:2", "Ready"),)))]
    assert await look(wire) is None


async def test_a_history_that_can_not_be_read_is_told() -> None:
    with pytest.raises(NotAllowed):
        await look(Wire(answer(403, 50001)))


# Changes


async def edit(wire: Wire) -> bool:
    sender = DiscordSender(wire, FakeRenderer())  # type: ignore[arg-type]
    return await sender.edit(Target.CHANNEL, 5, 77, MESSAGE)


async def test_a_change_names_words_and_buttons_and_leaves_the_files_alone() -> None:
    wire = Wire()
    assert await edit(wire) is True
    ((kind, message_id, kwargs),) = wire.sent
    assert (kind, message_id) == ("channel", 77)
    assert {"content", "embeds", "view", "allowed_mentions"} == set(kwargs)


async def test_a_message_that_is_gone_can_not_be_changed() -> None:
    wire = Wire()
    wire.error = answer(404, 10008)
    assert await edit(wire) is False


@pytest.mark.parametrize(
    ("status", "code", "kind"), [(404, 10003, Undeliverable), (403, 50013, NotAllowed), (503, 0, TryLater)]
)
async def test_what_else_keeps_a_message_from_being_changed_is_told(
    status: int, code: int, kind: type[Exception]
) -> None:
    wire = Wire()
    wire.error = answer(status, code)
    with pytest.raises(kind):
        await edit(wire)
