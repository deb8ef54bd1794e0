"""Orders by plain direct message."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from discord import app_commands

from bot.model import GameId, UserId
from bot.services import lobby, orders
from bot.services.orders import LONGEST_TEXT
from cogs.direct_messages import DirectMessages
from cogs.doors import commands_of
from cogs.gm import GameMaster
from cogs.inspect import Inspect
from cogs.lobby import Lobby
from cogs.orders import OrderCommands
from cogs.presses import Presses
from engine.core.ids import PowerId
from tests.bot.services.world import CREATOR, HOUR, NOON, World
from tests.cogs.conftest import PLAYERS, Interact, commands_of_cog
from tests.cogs.stubs import Answer, StubAttachment, StubClient

AUSTRIA = UserId(1)
LATER = datetime(9999, 1, 1, tzinfo=UTC)
"""By a clock that is fast: it counts as just now."""


@dataclass
class StubMessage:
    """A message to the bot, and what is said after it in the same place."""

    content: str
    user_id: int = AUSTRIA
    attachments: list[StubAttachment] = field(default_factory=list)
    guild: object | None = None
    is_bot: bool = False
    type: discord.MessageType = discord.MessageType.default
    id: int = field(default_factory=count(777).__next__)
    edited_at: datetime | None = None
    created_at: datetime = LATER
    answers: list[Answer] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.author = SimpleNamespace(id=self.user_id, bot=self.is_bot)
        self.channel = SimpleNamespace(send=self._send, id=1000 + self.user_id)

    async def _send(self, *, content: str = "", **kwargs: Any) -> None:
        self.answers.append(Answer(content, None, kwargs))

    @property
    def text(self) -> str:
        return "\n".join(answer.text for answer in self.answers)


async def send(client: StubClient, message: StubMessage) -> StubMessage:
    await DirectMessages(client).on_message(message)  # type: ignore[arg-type]
    return message


async def test_lines_are_orders(client: StubClient, game_id: GameId) -> None:
    done = await send(client, StubMessage("A BUD - SER\nA VIE - GAL"))

    assert "1. `A BUD - SER`\n2. `A VIE - GAL`" in done.text


async def test_a_message_that_was_long_under_way_is_not_for_a_phase_that_opened_since(
    client: StubClient, world: World, game_id: GameId
) -> None:
    """As after a broken connection, when Discord hands over what the bot has missed."""
    world.clock.advance(HOUR)
    before = world.clock.now() - 2 * HOUR
    late = await send(client, StubMessage("A BUD - SER", created_at=before))
    assert "that is over" in late.text
    assert world.sheet(game_id, PowerId("austria")) is None

    in_time = await send(client, StubMessage("A BUD - SER", created_at=world.clock.now() - HOUR / 2))
    assert "1. `A BUD - SER`" in in_time.text


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("ready", "orders ready"),
        ("/Ready", "orders ready"),
        ("orders  clear", "orders clear"),
        ("map", "map"),
        ("/orders enter", "orders enter"),
        ("/map region: Serbia", "map"),
    ],
)
async def test_a_command_that_is_written_as_a_message_is_named(
    client: StubClient, world: World, game_id: GameId, text: str, meant: str
) -> None:
    _register_commands(client)
    done = await send(client, StubMessage(text))
    assert f"</{meant}:1>" in done.text
    sheet = world.sheet(game_id, PowerId("austria"))
    assert sheet is not None
    assert sheet.orders == ()


@pytest.mark.parametrize(
    "text", ["/orders enter A BUD - SER", "/Orders enter text: A BUD - SER", "`/orders enter A BUD - SER`"]
)
async def test_orders_after_a_command_that_discord_did_not_take_count(
    client: StubClient, world: World, game_id: GameId, text: str
) -> None:
    done = await send(client, StubMessage(text))
    assert "1. `A BUD - SER`" in done.text


async def test_a_line_after_a_typed_command_is_put_in_as_by_the_command(client: StubClient, world: World) -> None:
    wishes = {AUSTRIA: "", UserId(2): "", UserId(3): ""}
    kings = world.start(wishes=wishes, system="king_of_kings", players=3)
    power = world.seats(kings)[0].power
    assert power is not None
    first, second, third, *_ = orders.suggest(world.context, kings, AUSTRIA, "PLA ")
    world.submit(kings, AUSTRIA, first)

    await send(client, StubMessage(f"/orders enter text: {second}; {third}"))
    sheet = world.sheet(kings, power)
    assert sheet is not None
    assert sheet.orders == (first, second, third)

    await send(client, StubMessage(f"/orders enter\n{third}\n; {second}"))
    sheet = world.sheet(kings, power)
    assert sheet is not None
    assert sheet.orders == (third,)


@pytest.mark.parametrize("text", ["duel", "/prophecy show", "show me", "pause", "end"])
async def test_a_message_names_no_command_of_another_game_or_of_masters(
    client: StubClient, game_id: GameId, text: str
) -> None:
    _register_commands(client)
    done = await send(client, StubMessage(text))
    assert "I read everything you write here as orders" in done.text
    assert "Did you mean the command" not in done.text


def _register_commands(client: StubClient) -> None:
    cogs = (OrderCommands(), Inspect(), GameMaster(), Lobby())
    own = [command for cog in cogs for command in commands_of_cog(cog)]
    doors = commands_of(client.context.systems.infos.values())
    within = [command for door in doors if isinstance(door, app_commands.Group) for command in door.walk_commands()]
    client.tree.walk_commands = lambda: iter([*own, *doors, *within])


@pytest.mark.parametrize(
    "text", ["```\nA BUD - SER\n```", "```text\nA BUD - SER\n```", "```A BUD - SER```", "`A BUD - SER`"]
)
async def test_code_fences_are_no_part_of_orders(client: StubClient, game_id: GameId, text: str) -> None:
    done = await send(client, StubMessage(text))

    assert "1. `A BUD - SER`" in done.text
    assert "Not understood" not in done.text


async def test_a_text_file_is_read_as_orders(client: StubClient, game_id: GameId) -> None:
    file = StubAttachment("orders.txt", "\ufeffA BUD - SER\r\nA VIE - GAL".encode())

    done = await send(client, StubMessage("", attachments=[file]))

    assert "2. `A VIE - GAL`" in done.text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
async def test_files_are_read_as_editors_write_them_and_one_bad_line_costs_no_other(
    client: StubClient, game_id: GameId, encoding: str
) -> None:
    file = StubAttachment("orders.txt", "A BUD - SER\r\nA VIE - Zürich\r\n".encode(encoding))

    done = await send(client, StubMessage("", attachments=[file]))

    assert "1. `A BUD - SER`" in done.text
    assert "Zürich" in done.text


async def test_a_message_and_its_files_together_may_be_too_long(
    client: StubClient, world: World, game_id: GameId
) -> None:
    files = [StubAttachment("orders.txt", b"x" * LONGEST_TEXT, "text/plain")] * 2

    done = await send(client, StubMessage("", attachments=files))

    assert "too long" in done.text
    assert world.sheet(game_id, "austria") is None  # type: ignore[arg-type]


async def test_ten_thousand_lines_are_answered_within_what_discord_takes(client: StubClient, game_id: GameId) -> None:
    file = StubAttachment("orders.txt", b"A BUD - SER\n" + b"A BU - X\n" * 10_000, "text/plain")

    done = await send(client, StubMessage("", attachments=[file]))

    assert "1. `A BUD - SER`" in done.text
    assert len(done.answers) < 6


@pytest.mark.parametrize(
    ("file", "why"),
    [
        (StubAttachment("map.png", b"\x89PNG", "image/png"), "text file"),
        (StubAttachment("orders.txt", b"\x00\x01\x02", "text/plain"), "read that file as text"),
        (StubAttachment("orders.txt", b"x" * (LONGEST_TEXT + 1), "text/plain"), "too long"),
    ],
)
async def test_other_files_are_refused_kindly_and_change_nothing(
    client: StubClient, world: World, game_id: GameId, file: StubAttachment, why: str
) -> None:
    done = await send(client, StubMessage("", attachments=[file]))

    assert why in done.text
    assert world.sheet(game_id, "austria") is None  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["hi", "Hello bot!", "help", "HELP!", "", "??", "thank you"])
async def test_talk_is_answered_with_help_and_is_no_submission(
    client: StubClient, world: World, game_id: GameId, text: str
) -> None:
    done = await send(client, StubMessage(text))

    assert "Hello! Send me your orders here, one per line, such as `A BUD - RUM`." in done.text
    assert "</orders enter:1>" in done.text
    assert world.sheet(game_id, "austria") is None  # type: ignore[arg-type]


async def test_a_question_is_answered_with_how_to_get_help(client: StubClient, game_id: GameId) -> None:
    question = await send(client, StubMessage("what am I to do now?"))
    mistake = await send(client, StubMessage("A BUD - Moon"))

    assert "Write `help`" in question.text
    assert "such as `A BUD - RUM`" in question.text
    assert "Write `help`" not in mistake.text


async def test_examples_come_from_the_game_that_is_played(world: World) -> None:
    powers = ("argimiliar", "lormyr", "jharkor", "ilmiora", "pan_tang", "melnibone")
    wishes = {UserId(number): power for number, power in enumerate(powers, start=60)}
    world.start(system="young_kingdoms", name="Sorcery", players=6, wishes=wishes)

    talk = await send(StubClient(world.context), StubMessage("hi", user_id=65))
    question = await send(StubClient(world.context), StubMessage("what am I to do now?", user_id=65))

    assert "such as `PLACE " in talk.text
    assert "such as `PLACE " in question.text
    assert "/spells" in talk.text
    assert "/spells" not in (await send(StubClient(world.context), StubMessage("help", user_id=60))).text, "no cards"


async def test_orders_that_stood_before_are_orders_all_the_same(client: StubClient, game_id: GameId) -> None:
    await send(client, StubMessage("A BUD - SER"))
    again = await send(client, StubMessage("A BUD - SER\nwell?"))

    assert "1. `A BUD - SER`" in again.text
    assert "Write `help`" not in again.text


async def test_whoever_plays_nothing_is_told_how_to_begin(client: StubClient, game_id: GameId) -> None:
    refused = await send(client, StubMessage("A BUD - SER", user_id=99))
    greeted = await send(client, StubMessage("hi", user_id=99))

    assert "You are not playing" in refused.text
    assert "not in a running game" in greeted.text


async def test_a_player_of_a_lobby_is_told_that_it_has_not_begun(client: StubClient, world: World) -> None:
    lobby_id = world.create(system="diplomacy", name="New", players=7)
    from bot.services import lobby

    lobby.join_game(world.context, lobby_id, AUSTRIA, power=None)

    assert "has not begun" in (await send(client, StubMessage("A BUD - SER"))).text


@pytest.mark.parametrize(
    "message",
    [
        StubMessage("A BUD - SER", guild=object()),
        StubMessage("A BUD - SER", is_bot=True),
        StubMessage("A BUD - SER", type=discord.MessageType.pins_add),
    ],
)
async def test_what_is_not_written_to_the_bot_is_passed_over(
    client: StubClient, world: World, game_id: GameId, message: StubMessage
) -> None:
    await send(client, message)

    assert message.answers == []
    assert world.sheet(game_id, "austria") is None  # type: ignore[arg-type]


async def test_with_several_games_it_asks_which_and_keeps_nothing(
    client: StubClient, world: World, interact: Interact, game_id: GameId
) -> None:
    other = world.start(wishes=PLAYERS, system="diplomacy", name="Peace", players=7)
    message = await send(client, StubMessage("A BUD - SER"))
    (menu,) = message.answers[0].items

    assert menu.custom_id == f"so:which:0:0:{message.id}"
    assert {(option.label, option.description) for option in menu.options} == {
        ("War", "Spring 1901, movement"),
        ("Peace", "Spring 1901, movement"),
    }
    assert "```\nA BUD - SER\n```" in message.answers[0].text
    assert "BUD" not in str(menu.to_component_dict())
    assert "begin with its name" in message.answers[0].text

    pressed = interact(AUSTRIA, guild_id=None)
    pressed.type = discord.InteractionType.component
    value = next(option.value for option in menu.options if option.label == "Peace")
    pressed.data = {"custom_id": menu.custom_id, "values": [value]}
    pressed.user.dm_channel = _channel_with(message)
    await Presses().on_interaction(pressed.discord)

    assert "1. `A BUD - SER`" in pressed.text
    assert world.sheet(other, "austria") is not None  # type: ignore[arg-type]
    assert world.sheet(game_id, "austria") is None  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        "Peace: A BUD - SER",
        "peace:A BUD - SER",
        "Peace\nA BUD - SER",
        "**Peace** :\n```\nA BUD - SER\n```",
        "“Peace”: A BUD - SER",
    ],
)
async def test_a_message_that_begins_with_the_name_of_a_game_is_for_that_game(
    client: StubClient, world: World, game_id: GameId, text: str
) -> None:
    other = world.start(wishes=PLAYERS, system="diplomacy", name="Peace", players=7)
    message = await send(client, StubMessage(text))

    assert "1. `A BUD - SER`" in message.answers[0].text
    assert "**Peace**" in message.answers[0].text
    assert world.sheet(other, "austria") is not None  # type: ignore[arg-type]
    assert world.sheet(game_id, "austria") is None  # type: ignore[arg-type]


async def test_whoever_greets_with_the_name_of_a_game_is_told_of_that_game(
    client: StubClient, world: World, game_id: GameId
) -> None:
    world.start(wishes=PLAYERS, system="diplomacy", name="Peace", players=7)
    for name in ("War", "Peace"):
        message = await send(client, StubMessage(f"{name}: help"))
        assert f"You play **Austria** in **{name}**" in "\n".join(answer.text for answer in message.answers)


async def test_the_name_of_the_only_game_may_come_before_the_orders_too(client: StubClient, game_id: GameId) -> None:
    message = await send(client, StubMessage("War: A BUD - SER"))
    assert "1. `A BUD - SER`" in message.answers[0].text


async def test_of_two_games_of_one_name_the_bot_asks_which_is_meant(
    client: StubClient, world: World, interact: Interact, game_id: GameId
) -> None:
    other = world.start(wishes=PLAYERS, system="diplomacy", name="War", players=7, guild_id=99, channel_id=990)
    world.start(wishes=PLAYERS, system="diplomacy", name="War: the rematch", players=7)
    message = await send(client, StubMessage("War: A BUD - SER"))
    (menu,) = message.answers[0].items
    assert {option.label for option in menu.options} == {"War"}
    assert "begin with its name" not in message.answers[0].text

    pressed = interact(AUSTRIA, guild_id=None)
    pressed.type = discord.InteractionType.component
    value = next(option.value for option in menu.options if option.value.startswith(f"{world.game(other).token}:"))
    pressed.data = {"custom_id": menu.custom_id, "values": [value]}
    pressed.user.dm_channel = _channel_with(message)
    await Presses().on_interaction(pressed.discord)

    assert "1. `A BUD - SER`" in pressed.text
    assert world.sheet(other, "austria") is not None  # type: ignore[arg-type]

    longer = await send(client, StubMessage("War: the rematch: A BUD - SER"))
    assert "**War: the rematch**" in longer.answers[0].text


@pytest.mark.parametrize("text", ["Peace\nA BUD - SER", "Peace:\nA BUD - SER", "Peace: A BUD - SER"])
async def test_orders_for_a_game_that_is_over_are_given_in_no_other(
    client: StubClient, world: World, game_id: GameId, text: str
) -> None:
    over = world.start(wishes=PLAYERS, system="diplomacy", name="Peace", players=7)
    lobby.end_game(world.context, over, CREATOR, is_manager=False)
    message = await send(client, StubMessage(text))

    assert "“Peace” is over" in message.answers[0].text
    assert world.sheet(game_id, PowerId("austria")) is None


async def test_orders_for_a_game_that_has_not_begun_are_given_in_no_other(
    client: StubClient, world: World, game_id: GameId
) -> None:
    lobby.join_game(world.context, world.create(system="diplomacy", name="Peace", players=7), AUSTRIA, power=None)
    message = await send(client, StubMessage("Peace\nA BUD - SER"))

    assert "“Peace” has not begun yet" in message.answers[0].text
    assert world.sheet(game_id, PowerId("austria")) is None


async def test_a_game_of_the_same_name_that_is_over_is_not_meant(
    client: StubClient, world: World, game_id: GameId
) -> None:
    over = world.start(wishes=PLAYERS, system="diplomacy", name="Peace", players=7)
    lobby.end_game(world.context, over, CREATOR, is_manager=False)
    again = world.start(wishes=PLAYERS, system="diplomacy", name="Peace", players=7)
    await send(client, StubMessage("Peace: A BUD - SER"))

    assert world.sheet(again, PowerId("austria")) is not None


@pytest.mark.parametrize("name", ["A Bud - Ser", "A BUD H"])
async def test_orders_that_are_also_the_name_of_a_game_are_orders(
    client: StubClient, world: World, interact: Interact, game_id: GameId, name: str
) -> None:
    other = world.start(wishes=PLAYERS, system="diplomacy", name=name, players=7)
    message = await send(client, StubMessage(f"{name}\nA VIE - GAL"))
    (menu,) = message.answers[0].items
    assert {option.label for option in menu.options} == {"War", name}

    pressed = interact(AUSTRIA, guild_id=None)
    pressed.type = discord.InteractionType.component
    value = next(option.value for option in menu.options if option.label == name)
    pressed.data = {"custom_id": menu.custom_id, "values": [value]}
    pressed.user.dm_channel = _channel_with(message)
    await Presses().on_interaction(pressed.discord)

    sheet = world.sheet(other, PowerId("austria"))
    assert sheet is not None
    assert {order.casefold() for order in sheet.orders} == {name.casefold(), "a vie - gal"}


async def test_a_long_text_and_a_name_of_signs_keep_the_bot_from_nothing(
    client: StubClient, world: World, game_id: GameId
) -> None:
    """All ways to divide the asterisks between the name and what surrounds it were some 10^10."""
    world.start(wishes=PLAYERS, system="diplomacy", name="*", players=7)
    sheet = "*" * 90_000
    message = StubMessage("", attachments=[StubAttachment("orders.txt", sheet.encode())])
    async with asyncio.timeout(60):
        await send(client, message)
    assert message.answers


async def test_orders_of_an_earlier_phase_are_not_taken_for_the_present_one(
    client: StubClient, world: World, interact: Interact, game_id: GameId
) -> None:
    world.start(wishes=PLAYERS, system="diplomacy", name="Peace", players=7)
    message = await send(client, StubMessage("A BUD - SER"))
    (menu,) = message.answers[0].items
    value = next(option.value for option in menu.options if option.label == "War")
    world.ready(game_id, *PLAYERS)

    pressed = interact(AUSTRIA, guild_id=None)
    pressed.type = discord.InteractionType.component
    pressed.data = {"custom_id": menu.custom_id, "values": [value]}
    pressed.user.dm_channel = _channel_with(message)
    await Presses().on_interaction(pressed.discord)

    assert "is over" in pressed.text
    assert world.sheet(game_id, "austria") is None  # type: ignore[arg-type]


async def test_receipt_goes_without_its_map_or_not_at_all_and_the_log_tells_no_order(
    client: StubClient, game_id: GameId, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise KeyError("A BUD - SER")

    monkeypatch.setattr(client.renderer, "draw", fail)
    message = await send(client, StubMessage("A BUD - SER"))
    assert "1. `A BUD - SER`" in message.text
    assert "files" not in message.answers[0].kwargs

    unreachable = StubMessage("A BUD - SER")
    unreachable.channel.send = fail
    await send(client, unreachable)
    assert "could not be answered" in caplog.text
    assert "BUD" not in caplog.text


@dataclass
class StubChange:
    """A message that was changed."""

    message: StubMessage
    cached_message: StubMessage | None = None


async def test_changed_message_changes_no_orders_and_its_writer_is_told(
    client: StubClient, world: World, game_id: GameId
) -> None:
    before = await send(client, StubMessage("A BUD - SER"))
    after = StubMessage("A BUD - RUM", edited_at=NOON)

    await DirectMessages(client).on_raw_message_edit(StubChange(after, before))  # type: ignore[arg-type]

    assert "new message" in after.text
    assert world.sheet(game_id, "austria").orders == ("A BUD - SER",)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("after", "before"),
    [
        (StubMessage("A BUD - SER", is_bot=True, edited_at=NOON), None),
        (StubMessage("A BUD - SER", guild=object(), edited_at=NOON), None),
        (StubMessage("A BUD - SER"), None),
        (StubMessage("A BUD - SER", edited_at=NOON), StubMessage("A BUD - SER")),
    ],
)
async def test_changes_that_no_player_made_are_passed_over(
    client: StubClient, after: StubMessage, before: StubMessage | None
) -> None:
    await DirectMessages(client).on_raw_message_edit(StubChange(after, before))  # type: ignore[arg-type]

    assert after.answers == []


@pytest.mark.parametrize("author", [CREATOR, None])
async def test_a_message_that_is_gone_or_anothers_is_not_taken(
    client: StubClient, world: World, interact: Interact, game_id: GameId, author: int | None
) -> None:
    message = StubMessage("A BUD - SER", user_id=author) if author else None
    pressed = interact(AUSTRIA, guild_id=None)
    pressed.type = discord.InteractionType.component
    pressed.data = {"custom_id": "so:which:0:0:777", "values": [f"game{game_id}"]}
    pressed.user.dm_channel = _channel_with(message)

    await Presses().on_interaction(pressed.discord)

    assert "send it again" in pressed.text
    assert world.sheet(game_id, "austria") is None  # type: ignore[arg-type]


def _channel_with(message: StubMessage | None) -> SimpleNamespace:
    async def fetch_message(_: int) -> StubMessage:
        if message is None:
            raise discord.NotFound(SimpleNamespace(status=404, reason=""), "")
        return message

    return SimpleNamespace(fetch_message=fetch_message)
