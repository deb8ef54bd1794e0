"""The announcer: what is queued arrives, in order, once, whatever Discord or the database do meanwhile."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Callable, Sequence, Set
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.announcing.announcer import Announcer
from bot.announcing.composing import TRIES_WITH_PICTURES
from bot.announcing.ledger import TRIES_TO_MAKE
from bot.announcing.postman import FIRST_WAIT, GIVE_UP_PERMISSION, LONGEST_WAIT, NONCE_MEMORY, PERMISSION_WAIT
from bot.announcing.sender import NotAllowed, TryLater, Undeliverable
from bot.lease import Lease, Timing
from bot.model import LONGEST_REST, Delivery, Game, GameId, Outgoing, Seat, Target, UserId
from bot.model import Trouble as Kept
from bot.services import post
from bot.services.context import Context
from bot.text.message import Embed, Message, ScenePicture
from engine.core.ids import PowerId, SystemId
from engine.core.phrases import phrase
from engine.pictures.scene import Scene
from engine.registry import systems
from tests.bot.test_ports import NOW, a_game, a_message
from tests.fakes import FakeAlarm, FakeClock, FakeStorage

PLAYER = UserId(7)
Trouble = Callable[[int, Message, str], Exception | None]


class MailRoom:
    """A storage with a game, an announcer, and a Discord that can be given troubles.

    Attributes:
        arrived: target id, content and nonce of what was sent.
        whole: the messages themselves.
        looks: nonces that were looked for.
        looks_from: since when.
        edited: ids and new contents of messages that were changed; `deleted`: ids of those that are gone.
        remembers: whether nonces are known again.
        trouble: what happens to a message instead of arriving: by target id, message and nonce.
    """

    def __init__(self) -> None:
        self.storage = FakeStorage()
        self.clock = FakeClock(NOW)
        self.context = Context(self.storage.unit_of_work, self.clock, FakeAlarm(), systems, lambda: "seed")
        self.arrived: list[tuple[int, str, str]] = []
        self.whole: list[Message] = []
        self.looks: list[str] = []
        self.looks_from: list[datetime] = []
        self.edited: list[tuple[int, str]] = []
        self.deleted: set[int] = set()
        self.remembers = True
        self.blind: Exception | None = None
        self.trouble: Trouble = lambda *_: None
        self.pictures: tuple[ScenePicture, ...] = ()
        self.embeds: tuple[Embed, ...] = ()
        self.announcer = Announcer(self.context, self.compose, self, tag="tag", lease=self.lease())
        with self.storage.unit_of_work() as unit:
            self.game = unit.games.add(a_game())
            unit.games.save_seat(Seat(self.game.id, 1, PowerId("austria"), PLAYER))
            unit.commit()

    def compose(self, context: Context, outgoing: Outgoing) -> Sequence[Message]:
        assert context.clock is self.clock
        return [
            Message(content=part, embeds=self.embeds, pictures=self.pictures)
            for part in outgoing.payload.get("parts", [outgoing.kind])
        ]

    async def send(self, target: Target, target_id: int, message: Message, *, nonce: str) -> int:
        error = self.trouble(target_id, message, nonce)
        await asyncio.sleep(0)
        if error is not None:
            raise error
        nonces = [known for _, _, known in self.arrived]
        if self.remembers and nonce in nonces:
            return 1001 + nonces.index(nonce)
        return self.arrive(target_id, message, nonce)

    def arrive(self, target_id: int, message: Message, nonce: str) -> int:
        self.arrived.append((target_id, message.content, nonce))
        self.whole.append(message)
        return 1000 + len(self.arrived)

    async def edit(self, target: Target, target_id: int, message_id: int, message: Message) -> bool:
        error = self.trouble(target_id, message, "edit")
        await asyncio.sleep(0)
        if error is not None:
            raise error
        if message_id in self.deleted:
            return False
        self.edited.append((message_id, message.content))
        return True

    async def find(
        self, target: Target, target_id: int, message: Message, *, nonce: str, since: datetime, known: Set[int]
    ) -> int | None:
        self.looks.append(nonce)
        self.looks_from.append(since)
        if self.blind is not None:
            raise self.blind
        for number, (to, content, _) in enumerate(self.arrived, start=1001):
            if to == target_id and content == message.content and number not in known:
                return number
        return None

    def restart(self) -> None:
        """The process died; another one begins."""
        self.announcer = Announcer(self.context, self.compose, self, tag="tag", lease=self.lease())

    def lease(self) -> Lease:
        return Lease(self.storage.unit_of_work, "announcer", timing=Timing(0.02, 1, 1), now_s=_readings())

    @property
    def readers(self) -> set[int]:
        return {to for to, _, _ in self.arrived}

    @property
    def shown_game(self) -> Game:
        return self.storage.tables.games[self.game.id]

    def queue(self, **changes: Any) -> Outgoing:
        with self.storage.unit_of_work() as unit:
            message = unit.outbox.add(a_message(self.game, **changes))
            unit.commit()
        return message

    def stored(self, message: Outgoing) -> Outgoing:
        return self.storage.tables.outbox[message.id]

    def pending_at(self, moment: datetime) -> Sequence[Outgoing]:
        with self.storage.unit_of_work() as unit:
            return unit.outbox.pending(moment)

    @property
    def seat(self) -> Seat:
        return self.storage.tables.seats[(self.game.id, 1)]

    @property
    def contents(self) -> list[str]:
        return [content for _, content, _ in self.arrived]


def _readings() -> Callable[[], float]:
    """A process's own clock that goes on by being read: a machine that stalls takes no lease from anybody."""
    counted = itertools.count()
    return lambda: next(counted) / 100


@pytest.fixture
def world() -> MailRoom:
    return MailRoom()


async def test_a_message_arrives_and_is_marked_with_its_id(world: MailRoom) -> None:
    message = world.queue()
    await world.announcer.drain()
    assert world.arrived == [(world.game.channel_id, "phase_closed", f"tag-{message.id}-0")]
    stored = world.stored(message)
    assert (stored.delivery, stored.message_id, stored.attempts) == (Delivery.SENT, 1001, 1)
    await world.announcer.drain()
    assert len(world.arrived) == 1


async def test_messages_to_one_target_arrive_in_the_order_queued(world: MailRoom) -> None:
    for number in range(8):
        world.queue(kind=f"{number}")
    await world.announcer.drain()
    assert world.contents == [f"{number}" for number in range(8)]


async def test_a_message_that_became_pointless_counts_as_sent(world: MailRoom) -> None:
    message = world.queue(payload={"parts": []})
    await world.announcer.drain()
    assert world.arrived == []
    assert world.stored(message).delivery is Delivery.SENT


async def test_the_parts_of_a_long_message_have_nonces_of_their_own(world: MailRoom) -> None:
    message = world.queue(payload={"parts": ["one", "two"]})
    await world.announcer.drain()
    assert [(content, nonce) for _, content, nonce in world.arrived] == [
        ("one", f"tag-{message.id}-0"),
        ("two", f"tag-{message.id}-1"),
    ]
    assert world.stored(message).message_id == 1001


async def test_parts_that_arrived_are_not_sent_again(world: MailRoom) -> None:
    message = world.queue(payload={"parts": ["one", "two"]})
    world.trouble = lambda _to, message, _nonce: TryLater("500") if message.content == "two" else None
    await world.announcer.drain()
    assert world.stored(message).delivery is Delivery.PENDING
    world.trouble = lambda *_: None
    world.clock.advance(FIRST_WAIT)
    await world.announcer.drain()
    assert world.contents == ["one", "two"]
    assert world.stored(message).message_id == 1001


async def test_a_message_is_tried_until_discord_is_back_and_holds_up_only_its_own_queue(world: MailRoom) -> None:
    first = world.queue(kind="first")
    world.queue(kind="second")
    world.queue(kind="elsewhere", target=Target.USER, target_id=PLAYER)
    world.trouble = lambda to, *_: TryLater("503") if to == world.game.channel_id else None
    await world.announcer.drain()
    assert world.contents == ["elsewhere"]
    for _ in range(30):
        world.clock.advance(LONGEST_WAIT)
        await world.announcer.drain()
    assert world.stored(first).attempts == 31
    world.trouble = lambda *_: None
    world.clock.advance(LONGEST_WAIT)
    await world.announcer.drain()
    assert world.contents == ["elsewhere", "first", "second"]


async def test_waits_grow_and_stay_bearable(world: MailRoom) -> None:
    message = world.queue()
    world.trouble = lambda *_: TryLater("503")
    waits = []
    for _ in range(9):
        await world.announcer.drain()
        waits.append(world.stored(message).not_before - world.clock.now())
        world.clock.moment = world.stored(message).not_before
    assert waits == sorted(waits)
    assert (waits[0], waits[1], waits[-1]) == (FIRST_WAIT, 2 * FIRST_WAIT, LONGEST_WAIT)


async def test_a_wait_that_discord_asked_for_is_kept(world: MailRoom) -> None:
    message = world.queue()
    world.trouble = lambda *_: TryLater("429", timedelta(hours=1))
    await world.announcer.drain()
    assert world.stored(message).not_before == NOW + timedelta(hours=1)


async def test_a_message_put_off_by_a_clock_that_ran_ahead_is_sent_when_that_is_set_back(world: MailRoom) -> None:
    world.clock.advance(timedelta(hours=5))
    world.queue()
    world.trouble = lambda *_: TryLater("429", timedelta(hours=3))
    await world.announcer.drain()
    world.trouble = lambda *_: None
    world.clock.moment = NOW
    await world.announcer.drain()
    assert len(world.contents) == 1


async def test_closed_direct_messages_are_told_in_the_channel_once_and_without_secrets(world: MailRoom) -> None:
    briefings = [world.queue(kind="briefing", target=Target.USER, target_id=PLAYER) for _ in range(2)]
    world.trouble = lambda to, *_: Undeliverable("403 50007") if to == PLAYER else None
    await world.announcer.drain()
    assert [world.stored(briefing).delivery for briefing in briefings] == [Delivery.FAILED] * 2
    assert world.seat.dms_closed
    assert world.contents == ["dms_closed"]
    notice = world.storage.tables.outbox[max(world.storage.tables.outbox)]
    assert notice.payload == {"user_id": PLAYER, "parts_sent": 1}


@pytest.mark.parametrize("answer", ["403 50278", "404 10013"])
async def test_a_player_who_has_left_the_server_is_told_of_as_gone(world: MailRoom, answer: str) -> None:
    world.queue(kind="briefing", target=Target.USER, target_id=PLAYER)
    world.trouble = lambda to, *_: Undeliverable(answer) if to == PLAYER else None
    await world.announcer.drain()
    notice = world.storage.tables.outbox[max(world.storage.tables.outbox)]
    assert notice.payload == {"user_id": PLAYER, "is_gone": True, "parts_sent": 1}


async def test_offer_that_can_not_be_delivered_is_not_betrayed_by_a_word_about_closed_messages(world: MailRoom) -> None:
    offer = world.queue(kind="request", target=Target.USER, target_id=PLAYER)
    world.trouble = lambda to, *_: Undeliverable("403 50007") if to == PLAYER else None
    await world.announcer.drain()
    assert world.stored(offer).delivery is Delivery.FAILED
    assert world.contents == []

    world.queue(kind="reminder", target=Target.USER, target_id=PLAYER)
    await world.announcer.drain()
    assert world.contents == ["dms_closed"]


async def test_direct_messages_that_arrive_again_clear_the_mark(world: MailRoom) -> None:
    with world.storage.unit_of_work() as unit:
        unit.games.save_seat(replace(world.seat, dms_closed=True))
        unit.commit()
    world.queue(kind="briefing", target=Target.USER, target_id=PLAYER)
    await world.announcer.drain()
    assert not world.seat.dms_closed


async def test_nothing_is_said_about_a_player_who_left(world: MailRoom) -> None:
    world.queue(kind="briefing", target=Target.USER, target_id=88)
    world.trouble = lambda *_: Undeliverable("403 50007")
    await world.announcer.drain()
    assert len(world.storage.tables.outbox) == 1


async def test_a_channel_that_is_gone_is_given_up_and_the_players_are_told_nothing(world: MailRoom) -> None:
    message = world.queue()
    world.trouble = lambda to, *_: Undeliverable("404 10003") if to == world.game.channel_id else None
    await world.announcer.drain()
    assert (world.stored(message).delivery, world.stored(message).error) == (Delivery.FAILED, "404 10003")
    assert PLAYER not in world.readers


async def test_a_missing_permission_is_waited_for_a_day(world: MailRoom) -> None:
    message = world.queue()
    world.trouble = lambda *_: NotAllowed("403 50013")
    await world.announcer.drain()
    assert world.stored(message).delivery is Delivery.PENDING
    world.clock.advance(GIVE_UP_PERMISSION)
    await world.announcer.drain()
    assert world.stored(message).delivery is Delivery.FAILED


async def test_a_message_that_can_not_be_made_is_given_up_and_lets_the_others_pass(
    world: MailRoom, caplog: pytest.LogCaptureFixture
) -> None:
    broken = world.queue(kind="broken")
    world.queue(kind="next")
    world.trouble = lambda _to, message, _nonce: KeyError("A PAR - BUR") if message.content == "broken" else None
    for _ in range(TRIES_TO_MAKE):
        await world.announcer.drain()
        world.clock.advance(LONGEST_WAIT)
    await world.announcer.drain()
    assert world.stored(broken).delivery is Delivery.FAILED
    assert world.contents == ["next"]
    assert "KeyError" in caplog.text
    assert f"message {broken.id}" in caplog.text
    assert "PAR" not in caplog.text + world.stored(broken).error


async def test_a_message_whose_picture_can_not_be_drawn_is_sent_without_it(world: MailRoom) -> None:
    world.pictures = (ScenePicture(Scene(SystemId("diplomacy"), "standard", phrase("x")), "map.png", "A map."),)
    message = world.queue()
    world.trouble = lambda _to, message, _nonce: OSError() if message.pictures else None
    for _ in range(TRIES_TO_MAKE):
        await world.announcer.drain()
        world.clock.advance(LONGEST_WAIT)
    assert world.contents == ["phase_closed"]
    assert world.stored(message).delivery is Delivery.SENT


async def test_an_outage_takes_no_picture_away_and_none_of_the_tries(world: MailRoom) -> None:
    message = world.queue()
    world.trouble = lambda *_: TryLater("503")
    for _ in range(3 * TRIES_TO_MAKE):
        await world.announcer.drain()
        world.clock.advance(LONGEST_WAIT)
    world.trouble = lambda *_: KeyError()
    await world.announcer.drain()
    assert world.stored(message).delivery is Delivery.PENDING


async def test_a_database_that_goes_away_after_sending_makes_nobody_hear_it_twice(world: MailRoom) -> None:
    message = world.queue()

    def go_away(*_: object) -> None:
        world.storage.is_away = True

    world.trouble = go_away
    world.announcer.wake()
    await _rest(world)
    assert world.contents == ["phase_closed"]
    assert world.stored(message).delivery is Delivery.PENDING
    world.storage.is_away = False
    world.announcer.wake()
    await _rest(world)
    assert world.contents == ["phase_closed"]
    assert world.stored(message).delivery is Delivery.SENT


async def test_it_rests_when_all_is_sent_and_looks_again_when_woken(world: MailRoom) -> None:
    world.announcer.wake()
    world.queue(kind="late")
    world.announcer.wake()
    await _rest(world)
    assert world.contents == ["late"]
    assert [task for task in asyncio.all_tasks() if task is not asyncio.current_task()] == []


async def test_after_a_stop_nothing_is_sent(world: MailRoom) -> None:
    world.queue()
    await world.announcer.stop()
    world.announcer.wake()
    await _rest(world)
    assert world.arrived == []


async def test_many_games_are_announced_though_one_channel_hangs(
    world: MailRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.announcing.postman.PATIENCE_S", 0.2)
    hanging = world.queue(target_id=1)
    for number in range(2, 12):
        world.queue(target_id=number)
    send = world.send

    async def hang(target: Target, target_id: int, message: Message, *, nonce: str) -> int:
        if target_id == 1:
            await asyncio.sleep(3600)
        return await send(target, target_id, message, nonce=nonce)

    monkeypatch.setattr(world, "send", hang)
    await world.announcer.drain()
    assert sorted(to for to, _, _ in world.arrived) == list(range(2, 12))
    assert world.stored(hanging).error == "timeout"


async def test_a_message_sent_meanwhile_by_another_process_is_left_as_it_is(world: MailRoom) -> None:
    message = world.queue()

    def sent_elsewhere(*_: object) -> Exception:
        with world.storage.unit_of_work() as unit:
            unit.outbox.update(replace(message, delivery=Delivery.SENT, message_id=5))
            unit.commit()
        return Undeliverable("404")

    world.trouble = sent_elsewhere
    await world.announcer.drain()
    assert world.stored(message) == replace(message, delivery=Delivery.SENT, message_id=5)


async def test_logs_name_ids_and_never_contents(world: MailRoom, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, logger="bot")
    world.queue(payload={"parts": ["A PAR - BUR"]}, game_id=GameId(1))
    world.trouble = lambda *_: Undeliverable("404 10003")
    await world.announcer.drain()
    assert "404 10003" in caplog.text
    assert "PAR" not in caplog.text


# Deaths


MAP = ScenePicture(Scene(SystemId("diplomacy"), "standard", phrase("x")), "map.png", "A map.")


class Death(BaseException):
    """The process ends here."""


async def die(world: MailRoom, when: Callable[[int, Message, str], bool], *, arrives: bool = False) -> None:
    """The bot works until it dies of a message, and another one takes its place."""

    def trouble(to: int, message: Message, nonce: str) -> None:
        if when(to, message, nonce):
            if arrives:
                world.arrive(to, message, nonce)
            raise Death

    world.trouble = trouble
    with pytest.raises(Death):
        await world.announcer.drain()
    world.trouble = lambda *_: None
    world.restart()


async def test_a_picture_that_kills_the_bot_is_left_out_after_some_deaths(world: MailRoom) -> None:
    world.pictures = (MAP,)
    message = world.queue()
    for _ in range(TRIES_WITH_PICTURES):
        await die(world, lambda _to, message, _nonce: bool(message.pictures))
        world.clock.advance(LONGEST_WAIT)
    world.trouble = lambda _to, message, _nonce: pytest.fail("drawn again") if message.pictures else None
    await world.announcer.drain()
    assert world.contents == ["phase_closed"]
    assert world.stored(message).delivery is Delivery.SENT


async def test_one_message_that_kills_the_bot_costs_no_other_its_picture(world: MailRoom) -> None:
    world.pictures = (MAP,)
    for number in range(4):
        world.queue(target_id=number)
    for _ in range(TRIES_WITH_PICTURES):
        await die(world, lambda to, *_: to == 2)
    await world.announcer.drain()
    drawn = {to: bool(message.pictures) for (to, _, _), message in zip(world.arrived, world.whole, strict=True)}
    assert drawn == {0: True, 1: True, 2: False, 3: True}


async def test_a_message_that_always_kills_the_bot_is_given_up_at_last(world: MailRoom) -> None:
    message = world.queue()
    for _ in range(TRIES_TO_MAKE):
        await die(world, lambda *_: True)
    await world.announcer.drain()
    assert world.arrived == []
    assert world.stored(message).delivery is Delivery.FAILED


async def test_what_is_sent_again_has_the_same_words(world: MailRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    message = world.queue()
    await die(world, lambda *_: True, arrives=True)
    monkeypatch.setattr(world, "compose", lambda *_: [Message("otherwise")])
    world.remembers = False
    world.restart()
    await world.announcer.drain()
    assert world.contents == ["phase_closed"] * 2
    assert world.stored(message).composed is None


async def test_after_a_longer_doubt_the_channel_is_looked_at_and_nothing_posted_twice(world: MailRoom) -> None:
    message = world.queue(payload={"parts": ["one", "two", "three"]})
    await die(world, lambda _to, message, _nonce: message.content == "two", arrives=True)
    world.remembers = False
    world.clock.advance(NONCE_MEMORY)
    await world.announcer.drain()
    # One by one, until one of them isn't there.
    assert world.looks == [f"tag-{message.id}-{part}" for part in range(3)]
    assert world.contents == ["one", "two", "three"]
    assert world.stored(message).message_id == 1001


async def test_what_was_tried_by_a_clock_that_ran_ahead_is_looked_for_when_that_is_set_back(world: MailRoom) -> None:
    world.queue()
    world.clock.advance(timedelta(hours=5))
    await die(world, lambda *_: True, arrives=True)
    world.remembers = False
    world.clock.moment = NOW + timedelta(minutes=10)
    world.restart()
    await world.announcer.drain()
    assert world.contents == ["phase_closed"]
    assert world.looks_from == [NOW + timedelta(minutes=10) - LONGEST_REST]


async def test_what_is_not_in_the_channel_is_posted_as_things_are_now(
    world: MailRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.queue()
    await die(world, lambda *_: True)
    world.clock.advance(NONCE_MEMORY)
    monkeypatch.setattr(world, "compose", lambda *_: [Message("later")])
    world.restart()
    await world.announcer.drain()
    assert world.looks
    assert world.contents == ["later"]


async def test_an_equal_message_that_came_before_is_not_taken_for_the_one_in_doubt(world: MailRoom) -> None:
    world.queue(kind="paused")
    await world.announcer.drain()
    world.queue(kind="paused")
    await die(world, lambda *_: True)
    world.clock.advance(NONCE_MEMORY)
    await world.announcer.drain()
    assert world.contents == ["paused", "paused"]


async def test_a_channel_that_can_not_be_read_gets_a_message_in_doubt_again(world: MailRoom) -> None:
    world.queue()
    await die(world, lambda *_: True)
    world.clock.advance(NONCE_MEMORY)
    world.blind = NotAllowed("403 50001")
    await world.announcer.drain()
    assert world.contents == ["phase_closed"]


async def test_a_connection_that_broke_leaves_a_doubt_and_a_refusal_none(world: MailRoom) -> None:
    broken, refused = world.queue(target_id=1), world.queue(target_id=2)
    world.trouble = lambda to, *_: TryLater("reset", may_have_arrived=to == 1)
    await world.announcer.drain()
    world.trouble = lambda *_: None
    world.clock.advance(LONGEST_WAIT)
    await world.announcer.drain()
    assert world.looks == [f"tag-{broken.id}-0"]
    assert world.stored(refused).delivery is Delivery.SENT


# One announcer at a time


async def test_two_processes_post_in_order_and_nothing_twice(world: MailRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(12):
        world.queue(kind=f"{number}")
    monkeypatch.setattr(world, "remembers", False)
    other = Announcer(world.context, world.compose, world, tag="tag", lease=world.lease())
    await asyncio.gather(world.announcer.drain(), other.drain())
    assert world.contents == [f"{number}" for number in range(12)]


async def test_who_has_lost_the_lease_sends_nothing_more(world: MailRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    """But what was begun together with the message of that moment, and that for no longer than between two beats."""
    monkeypatch.setattr("bot.announcing.queues.TOGETHER", 1)
    other = world.lease()

    def lose(*_: object) -> None:
        with world.storage.unit_of_work() as unit:
            assert unit.facts.swap("announcer", unit.facts.find("announcer"), "other:1")
            unit.commit()

    world.trouble = lose
    for number in range(8):
        world.queue(kind=f"{number}")
    draining = asyncio.create_task(world.announcer.drain())
    await asyncio.sleep(0.1)
    assert world.contents == ["0"]
    world.trouble = lambda *_: None
    await draining
    assert world.contents == [f"{number}" for number in range(8)]
    assert other.take()


# What game masters hear


async def test_where_no_files_may_be_attached_the_words_are_posted_and_the_masters_told_once(world: MailRoom) -> None:
    world.pictures = (MAP,)
    here = world.game.channel_id
    world.trouble = lambda to, message, _: NotAllowed("403 50013") if message.pictures and to == here else None
    for _ in range(3):
        world.queue()
    await world.announcer.drain()
    posts = [content for to, content, _ in world.arrived if to == here]
    assert [post.splitlines()[0] for post in posts] == ["phase_closed"] * 3
    assert "files are missing" in posts[0]
    assert sorted(to for to, content, _ in world.arrived if content == "channel_trouble") == sorted(
        world.game.game_masters
    )
    assert world.shown_game.trouble is Kept.FILES


async def test_a_word_without_files_does_not_tell_that_files_may_be_attached_again(world: MailRoom) -> None:
    world.pictures = (MAP,)
    world.trouble = lambda _to, message, _nonce: NotAllowed("403 50013") if message.pictures else None
    world.queue()
    await world.announcer.drain()
    world.pictures = ()
    world.queue(kind="notice")
    await world.announcer.drain()
    troubles = [world.shown_game.trouble]
    world.pictures, world.trouble = (MAP,), lambda *_: None
    world.queue()
    await world.announcer.drain()
    troubles.append(world.shown_game.trouble)
    assert troubles == [Kept.FILES, Kept.NONE]


def _refusing(world: MailRoom, *, files: bool, embeds: bool) -> Trouble:
    """A channel in which the bot lacks permissions."""

    def refuse(to: int, message: Message, _nonce: str) -> Exception | None:
        is_refused = (files and message.pictures) or (embeds and message.embeds)
        return NotAllowed("403 50013") if is_refused and to == world.game.channel_id else None

    return refuse


@pytest.mark.parametrize(
    ("files", "embeds", "trouble"),
    [(True, False, Kept.FILES), (False, True, Kept.EMBEDS), (True, True, Kept.WORDS)],
)
async def test_words_are_posted_whatever_else_a_channel_refuses_and_the_masters_told_once(
    world: MailRoom, files: bool, embeds: bool, trouble: Kept
) -> None:
    world.pictures, world.embeds = (MAP,), (Embed("What happened", "Vienna moved"),)
    world.trouble = _refusing(world, files=files, embeds=embeds)
    for _ in range(3):
        world.queue()
    await world.announcer.drain()
    pairs = zip(world.arrived, world.whole, strict=True)
    here = [message for (to, *_), message in pairs if to == world.game.channel_id]
    assert len(here) == 3
    for message in here:
        assert bool(message.pictures) is not files
        assert bool(message.embeds) is not embeds
        assert "Vienna moved" in str((message.content, message.embeds))
    assert world.contents.count("channel_trouble") == len(world.game.game_masters)
    assert world.shown_game.trouble is trouble
    assert not any(stored.error for stored in world.storage.tables.outbox.values())
    world.trouble = lambda *_: None
    world.queue()
    await world.announcer.drain()
    assert world.shown_game.trouble is Kept.NONE


async def test_a_box_longer_than_a_message_is_posted_in_several_once(world: MailRoom) -> None:
    world.embeds = (Embed("", "\n".join(f"order {number} succeeds" for number in range(300))),)
    world.trouble = _refusing(world, files=False, embeds=True)
    message = world.queue()
    await world.announcer.drain()
    posts = [content for to, content, _ in world.arrived if to == world.game.channel_id]
    assert len(posts) == 3
    assert "order 299 succeeds" in posts[-1]
    nonces = [nonce for to, _, nonce in world.arrived if to == world.game.channel_id]
    assert len(set(nonces)) == 3
    assert world.stored(message).message_id == 1001


async def test_a_box_that_was_posted_as_text_before_the_bot_died_is_not_posted_again(world: MailRoom) -> None:
    world.embeds = (Embed("", "Vienna moved"),)
    world.trouble = _refusing(world, files=False, embeds=True)
    message = world.queue()
    await world.announcer.drain()
    first = list(world.arrived)
    # As if the death had come before it was written down.
    sent = world.stored(message)
    world.storage.tables.outbox[message.id] = replace(sent, delivery=Delivery.PENDING, message_id=None, not_before=NOW)
    world.restart()
    await world.announcer.drain()
    assert [arrived for arrived in world.arrived if arrived[0] == world.game.channel_id] == [
        arrived for arrived in first if arrived[0] == world.game.channel_id
    ]


@pytest.mark.parametrize(
    ("error", "trouble"), [(NotAllowed("403 50001"), Kept.PERMISSION), (Undeliverable("404 10003"), Kept.GONE)]
)
async def test_masters_hear_once_of_a_channel_that_takes_no_posts(
    world: MailRoom, error: Exception, trouble: Kept
) -> None:
    world.trouble = lambda to, *_: error if to == world.game.channel_id else None
    for _ in range(3):
        world.queue()
        await world.announcer.drain()
        world.clock.advance(PERMISSION_WAIT)
    assert world.contents == ["channel_trouble"] * 2
    assert world.shown_game.trouble is trouble


async def test_a_permission_that_returns_is_noticed_within_a_minute(world: MailRoom) -> None:
    world.trouble = lambda to, *_: NotAllowed("403 50013") if to == world.game.channel_id else None
    message = world.queue()
    await world.announcer.drain()
    world.trouble = lambda *_: None
    world.clock.advance(timedelta(seconds=30))
    await world.announcer.drain()
    assert world.stored(message).delivery is Delivery.SENT
    assert world.shown_game.trouble is Kept.NONE


async def _rest(world: MailRoom) -> None:
    """Wait until the announcer has nothing more to do."""
    if world.announcer._round is not None:
        await asyncio.wait([world.announcer._round])


# Changes of earlier messages


def posted(world: MailRoom) -> Outgoing:
    return world.queue(kind="phase_opened", payload={"parts": ["as it was"]})


def changed(world: MailRoom, words: str, **payload: Any) -> Outgoing:
    return world.queue(kind="phase_opened", payload={"parts": [words], **payload}, is_edit=True)


async def test_a_change_edits_the_message_and_posts_nothing() -> None:
    world = MailRoom()
    posted(world)
    edit = changed(world, "as it is")
    await world.announcer.drain()
    assert [content for _, content, _ in world.arrived] == ["as it was"]
    assert world.edited == [(1001, "as it is")]
    assert (world.stored(edit).delivery, world.stored(edit).message_id) == (Delivery.SENT, 1001)


async def test_of_several_changes_that_wait_the_last_does() -> None:
    world = MailRoom()
    posted(world)
    edits = [changed(world, words) for words in ("one", "two", "three")]
    await world.announcer.drain()
    assert world.edited == [(1001, "three")]
    assert {world.stored(edit).delivery for edit in edits} == {Delivery.SENT}


async def test_a_deleted_message_is_replaced_by_a_new_one_that_is_changed_from_then_on() -> None:
    world = MailRoom()
    posted(world)
    await world.announcer.drain()
    world.deleted.add(1001)
    changed(world, "again")
    await world.announcer.drain()
    assert [content for _, content, _ in world.arrived] == ["as it was", "again"]
    changed(world, "later")
    await world.announcer.drain()
    assert world.edited == [(1002, "later")]
    assert len(world.arrived) == 2


async def test_what_is_over_is_not_posted_again() -> None:
    world = MailRoom()
    posted(world)
    await world.announcer.drain()
    world.deleted.add(1001)
    changed(world, "closed", **{post.ONLY_IF_THERE: True})
    await world.announcer.drain()
    assert len(world.arrived) == 1
    assert world.pending_at(NOW + timedelta(days=1)) == ()


async def test_a_change_of_what_was_never_posted_is_posted() -> None:
    """Such as the call for players of a game that an earlier version set up."""
    world = MailRoom()
    changed(world, "the call")
    await world.announcer.drain()
    assert [content for _, content, _ in world.arrived] == ["the call"]


async def test_a_change_under_way_when_the_process_dies_is_made_again() -> None:
    world = MailRoom()
    posted(world)
    edit = changed(world, "as it is")
    await world.announcer.drain()
    # The edit was made, and the process died before it could write that down.
    world.storage.tables.outbox[edit.id] = replace(edit, attempts=1, faults=1, tried_at=NOW)
    world.restart()
    await world.announcer.drain()
    assert world.edited == [(1001, "as it is")] * 2
    assert len(world.arrived) == 1
    assert world.looks == []


@pytest.mark.parametrize("error", [NotAllowed("403 50013"), Undeliverable("403 50001")])
async def test_a_change_that_is_not_allowed_holds_up_nothing_and_troubles_nobody(error: Exception) -> None:
    world = MailRoom()
    posted(world)
    await world.announcer.drain()
    world.trouble = lambda _, __, nonce: error if nonce == "edit" else None
    changed(world, "as it is")
    world.queue(kind="phase_closed", payload={"parts": ["results"]})
    await world.announcer.drain()
    assert [content for _, content, _ in world.arrived] == ["as it was", "results"]
    assert world.shown_game.trouble is Kept.NONE


async def test_a_change_waits_while_discord_is_away() -> None:
    world = MailRoom()
    posted(world)
    await world.announcer.drain()
    world.trouble = lambda _, __, nonce: TryLater("503 0") if nonce == "edit" else None
    changed(world, "as it is")
    await world.announcer.drain()
    assert world.edited == []
    world.trouble = lambda *_: None
    world.clock.advance(timedelta(hours=1))
    await world.announcer.drain()
    assert world.edited == [(1001, "as it is")]
