"""Direct messages that came while the bot was away: read by their own time, each counted and answered once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.model import GameId, UserId
from bot.ports import StorageUnavailable
from bot.services import gm, inbox, turns
from bot.text.compose import compose
from bot.text.message import Message
from cogs.direct_messages import DirectMessages
from cogs.gm import GameMaster
from cogs.orders import OrderCommands
from engine.computer.levels import Level
from engine.core.ids import PowerId
from tests.bot.services.world import CREATOR, DAY, HOUR, World
from tests.cogs.conftest import PLAYERS, run
from tests.cogs.stubs import BOT, StubAttachment, StubClient, StubInteraction
from tests.cogs.test_presses import press

AUSTRIA, ENGLAND = UserId(1), UserId(2)
MINUTE = timedelta(minutes=1)


@dataclass
class Written:
    """A message that somebody wrote to the bot."""

    channel: Conversation
    content: str
    created_at: datetime
    id: int
    author_id: int
    attachments: tuple[Any, ...] = ()
    guild: None = None
    type: discord.MessageType = discord.MessageType.default
    edited_at: datetime | None = None

    def __post_init__(self) -> None:
        self.author = SimpleNamespace(id=self.author_id, bot=self.author_id == BOT)


@dataclass
class Conversation:
    """The direct messages with a player, as Discord keeps them."""

    id: int
    written: list[Written] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    trouble: Exception | None = None
    hangs: bool = False
    opens: asyncio.Event | None = None
    is_asked_for: asyncio.Event = field(default_factory=asyncio.Event)
    reads: int = 0

    def write(self, content: str, at: datetime, *, by: int) -> Written:
        id_ = discord.utils.time_snowflake(at) + len(self.written)
        self.written.append(Written(self, content, at, id_, by))
        return self.written[-1]

    async def send(self, *, content: str = "", embeds: Sequence[discord.Embed] = (), **_: Any) -> None:
        self.answers.append("\n".join([content, *[embed.description or "" for embed in embeds]]))

    async def history(
        self, *, limit: int, after: discord.Object, before: Written | None, oldest_first: bool
    ) -> AsyncIterator[Written]:
        self.reads += 1
        self.is_asked_for.set()
        if self.trouble is not None:
            raise self.trouble
        if self.hangs:
            await asyncio.sleep(3600)
        if self.opens is not None:
            await self.opens.wait()
        found = [one for one in self.written if one.id > after.id and (before is None or one.id < before.id)]
        for message in sorted(found, key=lambda message: message.id, reverse=not oldest_first)[:limit]:
            yield message


class Discord:
    """What a client can ask of Discord, and players' ways to write to the bot."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.conversations = {user_id: Conversation(1000 + user_id) for user_id in map(UserId, range(1, 8))}
        self.start()

    def start(self) -> None:
        """The bot starts anew: nothing of what it kept in memory is left."""
        client = StubClient(self.world.context)
        client.create_dm = self.create_dm  # type: ignore[attr-defined]
        client.get_partial_messageable = self.get_partial_messageable  # type: ignore[attr-defined]
        self.client = client
        self.inbox = client.inbox
        self.cog = DirectMessages(client)  # type: ignore[arg-type]

    async def create_dm(self, user: discord.Object) -> Conversation:
        return self.conversations[UserId(user.id)]

    def get_partial_messageable(self, channel_id: int, *, type: discord.ChannelType) -> Conversation:
        assert type is discord.ChannelType.private
        return self.conversations[UserId(channel_id - 1000)]

    def missed(self, user_id: UserId, text: str, *, ago: timedelta = timedelta()) -> Written:
        """Somebody writes, and nobody is there."""
        return self.conversations[user_id].write(text, self.world.clock.now() - ago, by=user_id)

    async def live(self, user_id: UserId, text: str) -> Written:
        """Somebody writes, and Discord tells the bot."""
        message = self.missed(user_id, text)
        await self.cog.on_message(message)  # type: ignore[arg-type]
        return message

    def asked(self, user_id: UserId) -> StubInteraction:
        """Somebody presses something, or gives a command."""
        return StubInteraction(self.client, user_id)

    def answers(self, user_id: UserId) -> list[str]:
        return self.conversations[user_id].answers


@pytest.fixture
async def discord_(world: World, game_id: GameId) -> Discord:
    """A bot that has been there for ten minutes, and is away from now on."""
    made = Discord(world)
    await made.cog.on_ready()
    world.clock.advance(10 * MINUTE)
    inbox.note_read_until(world.context, world.clock.now())
    made.start()
    world.clock.advance(HOUR)
    return made


async def test_what_was_missed_is_read_though_a_clock_that_ran_ahead_says_that_it_was(
    discord_: Discord, world: World
) -> None:
    await discord_.live(AUSTRIA, "A BUD - SER")
    inbox.note_read_until(world.context, world.clock.now() + 5 * HOUR)
    discord_.start()
    world.clock.advance(HOUR)
    discord_.missed(AUSTRIA, "A VIE - TRI")

    await discord_.inbox.read_first()

    assert len(discord_.answers(AUSTRIA)) == 2
    assert "A VIE - TRI" in discord_.answers(AUSTRIA)[1]
    with world.context.reading() as unit:
        assert inbox.read_until(unit) == world.clock.now()


async def test_orders_sent_in_time_while_the_bot_was_away_count_for_the_phase_that_fell_due_since(
    discord_: Discord, world: World, game_id: GameId
) -> None:
    sent = discord_.missed(AUSTRIA, "A BUD - SER")
    phase_no = world.game(game_id).phase_no
    world.clock.advance(2 * DAY)

    await discord_.inbox.read_first()
    turns.sweep(world.context)

    (record,) = world.records(game_id)
    sheet = record.sheets["austria"]  # type: ignore[index]
    assert (sheet.phase_no, sheet.orders, sheet.accepted_at) == (phase_no, ("A BUD - SER",), sent.created_at)
    (answer,) = discord_.answers(AUSTRIA)
    assert answer.startswith("I was away when you sent me this")
    assert "1. `A BUD - SER`" in answer
    assert "had been sent to it in time were read first" in closing(world, game_id)


async def test_orders_sent_after_the_deadline_are_refused_by_their_own_time_and_answered(
    discord_: Discord, world: World, game_id: GameId
) -> None:
    world.clock.advance(DAY)
    discord_.missed(AUSTRIA, "A BUD - SER")

    await discord_.inbox.read_first()
    turns.sweep(world.context)

    assert "austria" not in world.records(game_id)[0].sheets
    (answer,) = discord_.answers(AUSTRIA)
    assert "A BUD" not in answer
    assert "I was away" in answer


@pytest.mark.parametrize(("after", "counts"), [(HOUR, True), (2 * DAY, False)])
async def test_a_missed_message_that_was_changed_after_the_deadline_does_not_count(
    discord_: Discord, world: World, game_id: GameId, after: timedelta, counts: bool
) -> None:
    sent = discord_.missed(AUSTRIA, "A BUD - SER")
    sent.content, sent.edited_at = "A BUD - RUM", sent.created_at + after
    world.clock.advance(3 * DAY)

    await discord_.inbox.read_first()
    turns.sweep(world.context)

    sheets = world.records(game_id)[0].sheets
    assert [sheet.orders for sheet in sheets.values()] == [("A BUD - RUM",)] * counts
    (answer,) = discord_.answers(AUSTRIA)
    assert ("You changed this message after the deadline" in answer) != counts


async def test_missed_messages_are_taken_in_the_order_in_which_they_were_sent(
    discord_: Discord, world: World, game_id: GameId
) -> None:
    discord_.missed(AUSTRIA, "A BUD - SER", ago=20 * MINUTE)
    discord_.missed(AUSTRIA, "A BUD - RUM\nA VIE - GAL", ago=10 * MINUTE)
    discord_.missed(AUSTRIA, "A VIE - BOH", ago=5 * MINUTE)

    await discord_.inbox.read_first()

    assert set(orders(world, game_id)) == {"A BUD - RUM", "A VIE - BOH"}
    assert len(discord_.answers(AUSTRIA)) == 3


def other_game(world: World, power: str) -> GameId:
    """A second game in which the same person plays this power."""
    return world.start(
        wishes={AUSTRIA: power, ENGLAND: "italy" if power == "austria" else "austria"},
        system="diplomacy",
        name="Peace",
        players=7,
        computer=Level.EASY,
    )


async def test_a_missed_message_goes_to_the_only_game_in_which_it_can_be_read(
    discord_: Discord, world: World, game_id: GameId
) -> None:
    other = other_game(world, "russia")
    world.clock.advance(MINUTE)
    discord_.missed(AUSTRIA, "A BUD - SER\nHi there")
    discord_.missed(AUSTRIA, "F SEV - BLA", ago=-MINUTE)
    world.clock.advance(2 * DAY)

    await discord_.inbox.read_first()

    assert orders(world, game_id) == ("A BUD - SER",)
    sheet = world.sheet(other, "russia")  # type: ignore[arg-type]
    assert sheet is not None
    assert sheet.orders == ("F SEV - BLA",)


async def test_whoever_is_asked_about_a_missed_message_hears_that_the_phase_closes(
    discord_: Discord, world: World, game_id: GameId
) -> None:
    other = other_game(world, "austria")
    world.clock.advance(MINUTE)
    discord_.missed(AUSTRIA, "A BUD - SER")
    world.clock.advance(2 * DAY)

    await discord_.inbox.read_first()

    (answer,) = discord_.answers(AUSTRIA)
    assert "Which of them are these orders for?" in answer
    assert "choose at once" in answer
    assert world.sheet(game_id, "austria") is world.sheet(other, "austria") is None  # type: ignore[arg-type]


async def test_what_was_an_order_in_a_phase_that_is_over_is_not_taken_for_one_of_another_game(
    discord_: Discord, world: World, game_id: GameId
) -> None:
    discord_.missed(AUSTRIA, "A BUD - SER")
    world.clock.advance(MINUTE)
    other_game(world, "russia")

    await discord_.inbox.read_first()

    (answer,) = discord_.answers(AUSTRIA)
    assert "Which of them are these orders for?" in answer
    assert "at once" not in answer


class BrokenFile(StubAttachment):
    """A file that comes only when it has been asked for a few times."""

    def __init__(self, *errors: Exception) -> None:
        super().__init__("orders.txt", b"A BUD - SER")
        self.errors = list(errors)

    async def read(self) -> bytes:
        if self.errors:
            raise self.errors.pop(0)
        return self.content


def from_discord(status: int) -> discord.HTTPException:
    return discord.HTTPException(SimpleNamespace(status=status, reason=""), "no file")


async def test_a_file_that_does_not_come_at_first_is_asked_for_again(
    discord_: Discord, world: World, game_id: GameId, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cogs._files.FETCH_AGAIN_AFTER_S", (0.0, 0.0))
    discord_.missed(AUSTRIA, "").attachments = (BrokenFile(from_discord(503), ConnectionResetError()),)
    gone = BrokenFile(from_discord(404))
    discord_.missed(ENGLAND, "").attachments = (gone,)

    await discord_.inbox.read_first()

    assert orders(world, game_id) == ("A BUD - SER",)
    assert "went wrong" in discord_.answers(ENGLAND)[0]
    assert not gone.errors


async def test_orders_sent_since_a_backup_count_again_when_it_is_restored(
    discord_: Discord, world: World, game_id: GameId
) -> None:
    """docs/storage.md, Backup."""
    backup = deepcopy(world.storage.tables)
    await discord_.inbox.find_again()
    await discord_.live(AUSTRIA, "A BUD - SER")
    inbox.note_read_until(world.context, world.clock.now())

    world.storage.tables = backup
    discord_.start()
    assert world.sheet(game_id, "austria") is None  # type: ignore[arg-type]
    world.clock.advance(2 * HOUR)
    await discord_.inbox.read_first()

    assert orders(world, game_id) == ("A BUD - SER",)
    assert len(discord_.answers(AUSTRIA)) == 2


async def test_what_was_read_once_is_neither_taken_nor_answered_again(
    discord_: Discord, world: World, game_id: GameId
) -> None:
    discord_.missed(AUSTRIA, "A BUD - SER")
    await discord_.inbox.read_first()
    world.submit(game_id, AUSTRIA, "A BUD - RUM")
    for _ in range(3):
        discord_.start()
        world.clock.advance(MINUTE)
        await discord_.inbox.read_first()
        await discord_.cog.on_ready()

    assert orders(world, game_id) == ("A BUD - RUM",)
    assert len(discord_.answers(AUSTRIA)) == 1


async def test_a_death_between_taking_and_answering_loses_no_order_and_takes_none_again(
    discord_: Discord, world: World, game_id: GameId, monkeypatch: pytest.MonkeyPatch
) -> None:
    discord_.missed(AUSTRIA, "A BUD - SER")
    with monkeypatch.context() as patch:

        async def die(*_: object, **__: object) -> None:
            raise OSError

        patch.setattr(Conversation, "send", die)
        await discord_.inbox.read_first()
    version = sheet_version(world, game_id)
    discord_.start()
    await discord_.inbox.read_first()

    assert orders(world, game_id) == ("A BUD - SER",)
    assert sheet_version(world, game_id) == version
    (answer,) = discord_.answers(AUSTRIA)
    assert "I took the orders" in answer


async def test_of_two_processes_that_get_the_same_messages_one_takes_and_answers_each(
    discord_: Discord, world: World, game_id: GameId
) -> None:
    """Such as an old one that is being replaced: the later to read an earlier message would undo what came after it."""
    await discord_.cog.on_ready()
    slow = Discord(world)
    slow.conversations = discord_.conversations
    await slow.cog.on_ready()
    has_come, goes_on = asyncio.Event(), asyncio.Event()
    replies = slow.cog._replies

    async def reply_late(*args: Any, **kwargs: Any) -> Sequence[Message]:
        has_come.set()
        await goes_on.wait()
        return await replies(*args, **kwargs)

    slow.cog._replies = reply_late  # type: ignore[method-assign]
    earlier = discord_.missed(AUSTRIA, "A BUD - SER", ago=MINUTE)
    overtaken = asyncio.ensure_future(slow.cog.on_message(earlier))  # type: ignore[arg-type]
    await has_come.wait()
    await discord_.cog.on_message(earlier)  # type: ignore[arg-type]
    await discord_.live(AUSTRIA, "A BUD - RUM")
    goes_on.set()
    await overtaken

    assert orders(world, game_id) == ("A BUD - RUM",)
    assert len(discord_.answers(AUSTRIA)) == 2


async def test_an_earlier_message_does_not_undo_orders_that_were_given_since(
    discord_: Discord, world: World, game_id: GameId
) -> None:
    discord_.missed(AUSTRIA, "A BUD - SER", ago=10 * MINUTE)
    world.submit(game_id, AUSTRIA, "A BUD - RUM")

    await discord_.inbox.read_first()

    assert orders(world, game_id) == ("A BUD - RUM",)
    assert "other orders" in discord_.answers(AUSTRIA)[0]


async def test_what_was_missed_is_seen_to_before_what_the_same_person_writes_now(
    discord_: Discord, world: World, game_id: GameId
) -> None:
    discord_.missed(AUSTRIA, "A BUD - SER", ago=10 * MINUTE)

    await discord_.live(AUSTRIA, "A BUD - RUM")
    await discord_.cog.on_ready()

    assert orders(world, game_id) == ("A BUD - RUM",)
    assert ["away" in answer for answer in discord_.answers(AUSTRIA)] == [True, False]


async def test_after_a_broken_connection_what_was_missed_in_it_is_read(
    discord_: Discord, world: World, game_id: GameId
) -> None:
    await discord_.cog.on_ready()
    await discord_.live(AUSTRIA, "A BUD - SER")
    await discord_.cog.on_disconnect()
    world.clock.advance(HOUR)
    discord_.missed(AUSTRIA, "A BUD - RUM")
    world.clock.advance(MINUTE)
    await discord_.cog.on_resumed()

    assert orders(world, game_id) == ("A BUD - RUM",)


async def test_a_phase_that_falls_due_while_the_connection_is_broken_waits_for_what_was_sent(
    discord_: Discord, world: World, game_id: GameId
) -> None:
    await discord_.cog.on_ready()
    await discord_.cog.on_disconnect()
    discord_.missed(AUSTRIA, "A BUD - SER")
    world.clock.advance(DAY)

    await discord_.inbox.read_first()

    assert orders(world, game_id) == ("A BUD - SER",)


async def test_ready_that_comes_before_missed_messages_are_read_closes_no_phase_without_them(
    discord_: Discord, world: World, game_id: GameId
) -> None:
    """Whoever sends new orders is no longer ready, so there is somebody to wait for."""
    world.ready(game_id, *(user_id for user_id in PLAYERS if user_id != ENGLAND))
    discord_.missed(AUSTRIA, "A BUD - SER")

    await press(discord_.asked(ENGLAND), "so:ready:game1:1:sure")

    assert world.game(game_id).phase_no == 1
    assert orders(world, game_id) == ("A BUD - SER",)
    assert world.seat(game_id, PowerId("england")).is_ready


async def test_a_game_master_closes_no_phase_without_the_messages_that_are_still_to_be_read(
    discord_: Discord, world: World, game_id: GameId
) -> None:
    discord_.missed(AUSTRIA, "A BUD - SER")

    await run(GameMaster(), discord_.asked(CREATOR), "adjudicate")

    (record,) = world.records(game_id)
    assert record.sheets[PowerId("austria")].orders == ("A BUD - SER",)


async def test_what_a_player_enters_does_not_overtake_what_was_missed_of_theirs(
    discord_: Discord, world: World, game_id: GameId
) -> None:
    discord_.missed(AUSTRIA, "A BUD - SER")

    await run(OrderCommands(), discord_.asked(AUSTRIA), "enter", text="A VIE - GAL")

    assert set(orders(world, game_id)) == {"A BUD - SER", "A VIE - GAL"}


async def test_ready_what_its_player_wrote_before_and_what_was_missed_of_theirs_do_not_wait_for_each_other(
    discord_: Discord, world: World, game_id: GameId
) -> None:
    discord_.missed(AUSTRIA, "A BUD - SER", ago=MINUTE)

    async with asyncio.timeout(10):
        await asyncio.gather(
            discord_.cog.on_ready(),
            discord_.live(AUSTRIA, "A VIE - GAL"),
            press(discord_.asked(AUSTRIA), "so:ready:game1:1:sure"),
            discord_.live(AUSTRIA, "hello"),
        )

    assert set(orders(world, game_id)) == {"A BUD - SER", "A VIE - GAL"}
    assert world.seat(game_id, PowerId("austria")).is_ready


async def test_what_is_written_while_a_command_waits_for_what_was_missed_comes_after_it(
    discord_: Discord, world: World, game_id: GameId
) -> None:
    conversation = discord_.conversations[AUSTRIA]
    conversation.opens = asyncio.Event()
    discord_.missed(AUSTRIA, "A VIE - GAL", ago=MINUTE)
    entering = asyncio.create_task(run(OrderCommands(), discord_.asked(AUSTRIA), "enter", text="A BUD - SER"))
    await conversation.is_asked_for.wait()
    world.clock.advance(timedelta(seconds=1))
    writing = asyncio.create_task(discord_.live(AUSTRIA, "A BUD - RUM"))
    await asyncio.sleep(0)
    conversation.opens.set()
    await asyncio.gather(entering, writing)

    assert set(orders(world, game_id)) == {"A VIE - GAL", "A BUD - RUM"}
    assert ["away" in answer for answer in discord_.answers(AUSTRIA)] == [True, False]


async def test_ready_does_not_wait_for_ever_for_a_discord_that_does_not_answer(
    discord_: Discord, world: World, game_id: GameId, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cogs._sheets.READ_WITHIN_S", 0.05)
    discord_.conversations[AUSTRIA].hangs = True
    world.ready(game_id, *(user_id for user_id in PLAYERS if user_id != ENGLAND))

    async with asyncio.timeout(10):
        await press(discord_.asked(ENGLAND), "so:ready:game1:1:sure")

    assert world.game(game_id).phase_no == 2
    await discord_.inbox.stop()


async def test_what_is_heard_for_one_is_not_read_again_for_all(
    discord_: Discord, world: World, game_id: GameId
) -> None:
    reading = asyncio.create_task(discord_.cog.on_ready())
    await asyncio.sleep(0)
    await discord_.inbox.hear((AUSTRIA,))
    await reading

    assert discord_.conversations[AUSTRIA].reads == 1


async def test_however_many_wait_for_a_conversation_it_is_read_once(
    discord_: Discord, world: World, game_id: GameId, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cogs._sheets.READ_WITHIN_S", 0.01)
    conversation = discord_.conversations[AUSTRIA]
    conversation.hangs = True
    before = len(asyncio.all_tasks())
    for _ in range(20):
        await run(OrderCommands(), discord_.asked(ENGLAND), "ready", sure=True)

    assert conversation.reads == 1
    assert len(asyncio.all_tasks()) <= before + 1
    await discord_.inbox.stop()


async def test_nobody_has_conversations_of_others_read_who_may_close_no_phase(
    discord_: Discord, world: World, game_id: GameId
) -> None:
    stranger = UserId(77)
    discord_.conversations[stranger] = Conversation(1000 + stranger)
    told = [await run(GameMaster(), discord_.asked(stranger), name) for name in ("adjudicate", "resume", "rollback")]
    told += [await run(GameMaster(), discord_.asked(stranger), "replace", power="austria")]
    told += [await run(OrderCommands(), discord_.asked(stranger), "ready", sure=True, game=f"#{game_id}")]
    told += [await press(discord_.asked(stranger), "so:ready:game1:1:sure")]

    assert all(asked.text for asked in told)
    assert [user_id for user_id, each in discord_.conversations.items() if each.reads] in ([], [stranger])


async def test_while_the_bot_is_there_nothing_is_read(discord_: Discord, world: World, game_id: GameId) -> None:
    await discord_.cog.on_ready()
    reads = discord_.conversations[AUSTRIA].reads
    await discord_.live(AUSTRIA, "A BUD - SER")
    await discord_.inbox.read_first()

    assert discord_.conversations[AUSTRIA].reads == reads


async def test_a_machine_that_slept_is_read_what_it_missed_before_anything_else(
    discord_: Discord, world: World, game_id: GameId
) -> None:
    await discord_.cog.on_ready()
    await discord_.inbox.read_first()
    left = world.clock.now()
    discord_.missed(AUSTRIA, "A VIE - TRI")
    world.clock.advance(23 * HOUR)

    await discord_.inbox.read_first()

    assert orders(world, game_id) == ("A VIE - TRI",)
    now = world.clock.now()
    with world.context.reading() as unit:
        assert inbox.read_until(unit) == now
        assert inbox.time_away(unit, left, now, now) == 23 * HOUR
    reads = discord_.conversations[AUSTRIA].reads
    world.clock.advance(MINUTE)
    await discord_.inbox.read_first()
    assert discord_.conversations[AUSTRIA].reads == reads


async def test_what_comes_while_earlier_messages_can_not_be_read_counts_and_they_are_seen_to_later(
    discord_: Discord, world: World, game_id: GameId
) -> None:
    discord_.missed(AUSTRIA, "A BUD - SER", ago=10 * MINUTE)
    response: Any = SimpleNamespace(status=500, reason="")
    discord_.conversations[AUSTRIA].trouble = discord.DiscordServerError(response, "")
    await discord_.cog.on_ready()
    await discord_.live(AUSTRIA, "A VIE - GAL")
    assert orders(world, game_id) == ("A VIE - GAL",)

    discord_.conversations[AUSTRIA].trouble = None
    world.clock.advance(MINUTE)
    await discord_.inbox.read_first()
    discord_.start()
    await discord_.cog.on_ready()

    assert orders(world, game_id) == ("A VIE - GAL",)
    first, second = discord_.answers(AUSTRIA)
    assert "1. `A VIE - GAL`" in first
    assert "I was away" in second
    assert "other orders" in second


async def test_a_missed_message_that_the_database_could_not_take_is_read_again(
    discord_: Discord, world: World, game_id: GameId, monkeypatch: pytest.MonkeyPatch
) -> None:
    discord_.missed(AUSTRIA, "A BUD - SER")
    with monkeypatch.context() as patch:
        patch.setattr("bot.services.orders.submit", is_locked)
        await discord_.cog.on_ready()
    assert discord_.answers(AUSTRIA) == []
    world.clock.advance(MINUTE)
    await discord_.inbox.read_first()

    assert orders(world, game_id) == ("A BUD - SER",)
    assert len(discord_.answers(AUSTRIA)) == 1


@pytest.mark.parametrize("service", ["inbox.find_mailbox", "orders.submit"])
async def test_whoever_writes_while_the_database_is_locked_hears_that_nothing_was_done(
    discord_: Discord, world: World, game_id: GameId, monkeypatch: pytest.MonkeyPatch, service: str
) -> None:
    await discord_.cog.on_ready()
    monkeypatch.setattr(f"bot.services.{service}", is_locked)
    await discord_.live(AUSTRIA, "A BUD - SER")

    (answer,) = discord_.answers(AUSTRIA)
    assert "try again" in answer


async def test_whose_orders_were_taken_does_not_hear_that_nothing_was_done(
    discord_: Discord, world: World, game_id: GameId, monkeypatch: pytest.MonkeyPatch
) -> None:
    await discord_.cog.on_ready()
    monkeypatch.setattr("bot.services.inbox.note_answered", is_locked)
    await discord_.live(AUSTRIA, "A BUD - SER")

    (answer,) = discord_.answers(AUSTRIA)
    assert "1. `A BUD - SER`" in answer


def is_locked(*_: object, **__: object) -> None:
    raise StorageUnavailable("database is locked")


async def test_nothing_is_claimed_where_a_conversation_could_not_be_read(
    discord_: Discord, world: World, game_id: GameId
) -> None:
    response: Any = SimpleNamespace(status=500, reason="")
    discord_.conversations[ENGLAND].trouble = discord.DiscordServerError(response, "")
    discord_.missed(AUSTRIA, "A BUD - SER")
    world.clock.advance(2 * DAY)

    await discord_.inbox.read_first()
    turns.sweep(world.context)

    assert world.records(game_id)[0].sheets["austria"].orders == ("A BUD - SER",)  # type: ignore[index]
    assert "may have missed direct messages" in closing(world, game_id)

    discord_.conversations[ENGLAND].trouble = None
    await discord_.cog.on_ready()
    world.clock.advance(2 * DAY)
    await discord_.inbox.read_first()
    turns.sweep(world.context)
    assert "were read first" in closing(world, game_id)


async def test_a_player_whom_discord_no_longer_knows_has_written_nothing(
    discord_: Discord, world: World, game_id: GameId
) -> None:
    response: Any = SimpleNamespace(status=403, reason="")
    discord_.conversations[ENGLAND].trouble = discord.Forbidden(response, {"code": 50278, "message": ""})
    world.clock.advance(2 * DAY)
    await discord_.inbox.read_first()
    turns.sweep(world.context)

    assert "were read first" in closing(world, game_id)


async def test_games_do_not_wait_for_ever_for_a_discord_that_does_not_answer(
    discord_: Discord, world: World, game_id: GameId, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.inbox.READ_WITHIN_S", 0.05)
    discord_.conversations[ENGLAND].hangs = True
    world.clock.advance(2 * DAY)

    await asyncio.wait_for(discord_.inbox.read_first(), 10)
    turns.sweep(world.context)

    assert "may have missed" in closing(world, game_id)
    await discord_.inbox.stop()


async def test_one_flood_is_not_read_to_its_end_and_then_nothing_is_claimed(
    discord_: Discord, world: World, game_id: GameId, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.inbox.MOST_MESSAGES", 3)
    for _ in range(5):
        discord_.missed(AUSTRIA, "hello")
    world.clock.advance(2 * DAY)
    await discord_.inbox.read_first()
    turns.sweep(world.context)

    assert len([answer for answer in discord_.answers(AUSTRIA) if "away" in answer]) == 3
    assert "may have missed" in closing(world, game_id)


async def test_the_first_start_that_keeps_all_this_reads_nothing_and_claims_nothing(
    world: World, game_id: GameId
) -> None:
    made = Discord(world)
    made.missed(AUSTRIA, "A BUD - SER", ago=HOUR)
    world.clock.advance(2 * DAY)
    await made.inbox.read_first()
    turns.sweep(world.context)

    assert made.answers(AUSTRIA) == []
    assert "may have missed" in closing(world, game_id)


async def test_of_a_phase_that_began_before_all_this_was_kept_nothing_is_claimed_later_either(
    world: World, game_id: GameId
) -> None:
    made = Discord(world)
    made.missed(AUSTRIA, "A BUD - SER", ago=HOUR)
    world.clock.advance(2 * DAY)
    await made.cog.on_ready()
    turns.sweep(world.context)
    assert "may have missed" in closing(world, game_id)

    world.clock.advance(2 * DAY)
    await made.cog.on_ready()
    turns.sweep(world.context)
    assert "were read first" in closing(world, game_id)


async def test_what_the_bot_itself_wrote_is_passed_over(discord_: Discord, world: World, game_id: GameId) -> None:
    discord_.conversations[AUSTRIA].write("A BUD - SER", world.clock.now(), by=BOT)
    await discord_.inbox.read_first()

    assert discord_.answers(AUSTRIA) == []
    assert world.sheet(game_id, "austria") is None  # type: ignore[arg-type]


async def test_players_of_paused_games_are_read_too_and_those_of_ended_ones_are_not(
    discord_: Discord, world: World, game_id: GameId
) -> None:
    gm.pause(world.context, game_id, CREATOR, is_manager=False)
    discord_.missed(AUSTRIA, "A BUD - SER")
    await discord_.inbox.read_first()
    assert orders(world, game_id) == ("A BUD - SER",)


def orders(world: World, game_id: GameId) -> tuple[str, ...]:
    sheet = world.sheet(game_id, "austria")  # type: ignore[arg-type]
    assert sheet is not None
    return sheet.orders


def sheet_version(world: World, game_id: GameId) -> int:
    sheet = world.sheet(game_id, "austria")  # type: ignore[arg-type]
    assert sheet is not None
    return sheet.version


def closing(world: World, game_id: GameId) -> str:
    """What the channel reads of the last phase that closed."""
    answer = [entry for entry in world.outbox(game_id) if entry.kind == "phase_closed"]
    return compose(world.context, answer[-1])[0].content


async def test_only_conversations_that_could_not_be_read_are_read_again(
    discord_: Discord, world: World, game_id: GameId
) -> None:
    response: Any = SimpleNamespace(status=500, reason="")
    discord_.conversations[ENGLAND].trouble = discord.DiscordServerError(response, "")
    await discord_.cog.on_ready()
    reads = discord_.conversations[AUSTRIA].reads
    for _ in range(3):
        await discord_.inbox.read_first()
    assert discord_.conversations[AUSTRIA].reads == reads
    assert discord_.conversations[ENGLAND].reads == 4
