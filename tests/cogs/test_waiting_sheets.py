"""What one person asks for is done in its order, and counts from when it was asked for, however long it waits."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from typing import Any

import pytest

from bot.model import ClosedBecause, GameId, GameStatus, UserId
from bot.one_by_one import OneByOne
from bot.services import gm, turns
from cogs.direct_messages import DirectMessages
from cogs.gm import GameMaster
from cogs.orders import OrderCommands
from engine.core.ids import PowerId
from tests.bot.services.world import CREATOR, DAY, HOUR, World
from tests.cogs.conftest import PLAYERS, Interact, run
from tests.cogs.stubs import StubAttachment, StubClient, StubInteraction
from tests.cogs.test_direct_messages import StubMessage, send
from tests.cogs.test_presses import press, send_form

AUSTRIA = UserId(1)
POWER = PowerId("austria")
MOVE = "A BUD - SER"

Ask = Callable[[StubInteraction], Awaitable[Any]]


def by_command(asked: StubInteraction) -> Awaitable[Any]:
    return run(OrderCommands(), asked, "enter", text=MOVE)


def by_form(asked: StubInteraction) -> Awaitable[Any]:
    return send_form(asked, "so:sheet:game1:1", MOVE)


def by_menu(asked: StubInteraction) -> Awaitable[Any]:
    return press(asked, "so:choose:game1:1:r-0", values=[MOVE])


def by_message(asked: StubInteraction) -> Awaitable[Any]:
    return send(asked.client, StubMessage(MOVE, created_at=asked.created_at))


async def while_waiting(client: StubClient, asked: Awaitable[Any], meanwhile: Callable[[], object]) -> None:
    """What was asked for waits for an earlier sheet of the same person; meanwhile something happens."""
    async with client.arrivals.turn_of(AUSTRIA):
        waiting = asyncio.ensure_future(asked)
        await asyncio.sleep(0.01)
        meanwhile()
    await waiting


@pytest.mark.parametrize("ask", [by_command, by_form, by_menu, by_message])
async def test_a_sheet_that_waits_for_an_earlier_one_counts_from_when_it_came(
    world: World, client: StubClient, interact: Interact, game_id: GameId, ask: Ask
) -> None:
    world.clock.advance(DAY - HOUR)
    asked = interact(AUSTRIA)

    await while_waiting(client, ask(asked), lambda: world.clock.advance(2 * HOUR))

    sheet = world.sheet(game_id, POWER)
    assert sheet is not None
    assert (sheet.orders, sheet.accepted_at) == ((MOVE,), asked.created_at)


@pytest.mark.parametrize("ask", [by_command, by_form, by_menu, by_message])
async def test_what_comes_after_the_deadline_is_refused(
    world: World, interact: Interact, game_id: GameId, ask: Ask
) -> None:
    world.clock.advance(DAY)

    await ask(interact(AUSTRIA))

    assert world.sheet(game_id, POWER) is None


@pytest.mark.parametrize("custom_id", ["so:ready:game1:1:sure", "so:clear:game1:1"], ids=["ready", "clear"])
async def test_a_press_that_waits_counts_from_when_it_came(
    world: World, client: StubClient, interact: Interact, game_id: GameId, custom_id: str
) -> None:
    world.submit(game_id, AUSTRIA, MOVE)
    world.clock.advance(DAY - HOUR)
    asked = interact(AUSTRIA)

    await while_waiting(client, press(asked, custom_id), lambda: world.clock.advance(2 * HOUR))

    sheet = world.sheet(game_id, POWER)
    assert sheet is not None
    assert bool(sheet.orders) == ("clear" not in custom_id)
    assert world.seat(game_id, POWER).is_ready == (":ready" in custom_id)


async def test_ready_does_not_overtake_a_sheet_that_waits(
    world: World, client: StubClient, interact: Interact, game_id: GameId
) -> None:
    async def both() -> None:
        await asyncio.gather(by_command(interact(AUSTRIA)), press(interact(AUSTRIA), "so:ready:game1:1:sure"))

    await while_waiting(client, both(), lambda: None)

    sheet = world.sheet(game_id, POWER)
    assert sheet is not None
    assert sheet.orders == (MOVE,)
    assert world.seat(game_id, POWER).is_ready


async def test_whether_ready_is_meant_is_asked_of_the_sheet_that_waits(
    world: World, client: StubClient, interact: Interact, game_id: GameId
) -> None:
    async def both() -> None:
        whole = run(OrderCommands(), interact(AUSTRIA), "enter", text="A BUD - SER; A VIE - GAL; F TRI H")
        await asyncio.gather(whole, press(interact(AUSTRIA), "so:ready:game1:1"))

    await while_waiting(client, both(), lambda: None)

    assert world.seat(game_id, POWER).is_ready


async def test_ready_does_not_overtake_a_message_that_waits_until_an_earlier_one_is_answered(
    world: World, client: StubClient, interact: Interact, game_id: GameId
) -> None:
    is_answered = asyncio.Event()
    first, second = (StubMessage(text, created_at=interact(AUSTRIA).created_at) for text in ("A VIE - GAL", MOVE))

    async def answer(**_: object) -> None:
        await is_answered.wait()

    first.channel.send = answer
    cog = DirectMessages(client)  # type: ignore[arg-type]
    sending = [asyncio.ensure_future(cog.on_message(message)) for message in (first, second)]  # type: ignore[arg-type]
    await asyncio.sleep(0)
    pressing = asyncio.ensure_future(press(interact(AUSTRIA), "so:ready:game1:1:sure"))
    await asyncio.sleep(0.02)
    is_answered.set()
    await asyncio.gather(pressing, *sending)

    sheet = world.sheet(game_id, POWER)
    assert sheet is not None
    assert set(sheet.orders) == {MOVE, "A VIE - GAL"}
    assert world.seat(game_id, POWER).is_ready


@pytest.mark.parametrize("ask", [by_command, by_form, by_menu])
async def test_ready_does_not_overtake_a_sheet_that_is_slow_to_be_deferred(
    world: World, interact: Interact, game_id: GameId, ask: Ask
) -> None:
    asked = interact(AUSTRIA)
    deferring = slow_to_defer(asked)
    sending = asyncio.ensure_future(ask(asked))
    pressing = asyncio.ensure_future(press(interact(AUSTRIA), "so:ready:game1:1:sure"))
    await asyncio.sleep(0.01)
    assert not world.seat(game_id, POWER).is_ready
    deferring.set()
    await asyncio.gather(sending, pressing)

    sheet = world.sheet(game_id, POWER)
    assert sheet is not None
    assert sheet.orders
    assert world.seat(game_id, POWER).is_ready


async def test_a_message_does_not_overtake_a_press_that_is_slow_to_be_deferred(
    world: World, client: StubClient, interact: Interact, game_id: GameId
) -> None:
    world.submit(game_id, AUSTRIA, "A VIE - GAL")
    asked = interact(AUSTRIA)
    deferring = slow_to_defer(asked)
    clearing = asyncio.ensure_future(press(asked, "so:clear:game1:1"))
    sending = asyncio.ensure_future(send(client, StubMessage(MOVE, created_at=asked.created_at)))
    await asyncio.sleep(0.01)
    deferring.set()
    await asyncio.gather(clearing, sending)

    sheet = world.sheet(game_id, POWER)
    assert sheet is not None
    assert sheet.orders == (MOVE,)


async def test_what_discord_does_not_let_us_defer_keeps_nothing_waiting(
    world: World, interact: Interact, game_id: GameId, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cogs._reply.DEFER_WITHIN_S", 0.01)
    asked = interact(AUSTRIA)
    slow_to_defer(asked)
    sending = asyncio.ensure_future(by_command(asked))
    async with asyncio.timeout(5):
        await press(interact(AUSTRIA), "so:ready:game1:1:sure")

    assert world.seat(game_id, POWER).is_ready
    assert world.sheet(game_id, POWER) is None
    await sending


def slow_to_defer(asked: StubInteraction) -> asyncio.Event:
    """What is asked for is deferred only when this event is set."""
    is_deferred, defer = asyncio.Event(), asked.response.defer

    async def slow(**how: bool) -> None:
        await is_deferred.wait()
        await defer(**how)

    asked.response.defer = slow  # type: ignore[method-assign]
    return is_deferred


def by_ready(asked: StubInteraction) -> Awaitable[Any]:
    return press(asked, "so:ready:game1:1:sure")


def by_leaving(asked: StubInteraction) -> Awaitable[Any]:
    return press(asked, "so:leave:game1:1:sure")


@pytest.mark.parametrize("close", [by_ready, by_leaving])
async def test_a_phase_that_closes_early_has_what_others_had_sent_before(
    world: World, interact: Interact, game_id: GameId, close: Ask
) -> None:
    first, last = AUSTRIA, UserId(7)
    world.submit(game_id, AUSTRIA, "A VIE - GAL")
    world.ready(game_id, *(user_id for user_id in PLAYERS if user_id != last))
    asked = interact(first)
    deferring = slow_to_defer(asked)
    sending = asyncio.ensure_future(by_command(asked))
    closing = asyncio.ensure_future(close(interact(last)))
    await asyncio.sleep(0.01)
    deferring.set()
    await asyncio.gather(sending, closing)

    assert world.game(game_id).phase_no == 1
    sheet = world.sheet(game_id, POWER)
    assert sheet is not None
    assert MOVE in sheet.orders
    assert not world.seat(game_id, POWER).is_ready


def by_adjudicating(asked: StubInteraction) -> Awaitable[Any]:
    return run(GameMaster(), asked, "adjudicate")


def by_resuming(asked: StubInteraction) -> Awaitable[Any]:
    return run(GameMaster(), asked, "resume")


def by_removing(asked: StubInteraction) -> Awaitable[Any]:
    return run(GameMaster(), asked, "replace", power="turkey")


def by_going_back(asked: StubInteraction) -> Awaitable[Any]:
    return run(GameMaster(), asked, "rollback")


async def asked_while_a_sheet_is_under_way(interact: Interact, close: Ask, then: Callable[[], object]) -> None:
    """A game master does what may close the phase while a sheet that came before is still to be read."""
    asked = interact(AUSTRIA)
    deferring = slow_to_defer(asked)
    sending = asyncio.ensure_future(by_command(asked))
    closing = asyncio.ensure_future(close(interact(CREATOR)))
    await asyncio.sleep(0.02)
    then()
    deferring.set()
    await asyncio.gather(sending, closing)


async def test_a_phase_that_a_game_master_closes_has_what_players_had_sent_before(
    world: World, interact: Interact, game_id: GameId
) -> None:
    await asked_while_a_sheet_is_under_way(interact, by_adjudicating, lambda: None)

    assert world.game(game_id).phase_no == 2
    assert world.records(game_id)[0].sheets[POWER].orders == (MOVE,)


@pytest.mark.parametrize("close", [by_adjudicating, by_resuming, by_removing, by_going_back])
async def test_whoever_may_not_close_a_phase_keeps_nothing_waiting(
    client: StubClient, interact: Interact, game_id: GameId, close: Ask
) -> None:
    await close(interact(AUSTRIA))

    async with asyncio.timeout(5):
        await client.arrivals.wait(60)


async def test_a_game_master_who_waits_for_sheets_does_not_close_the_next_phase(
    world: World, interact: Interact, game_id: GameId
) -> None:
    def close() -> None:
        turns.close_phase(world.context, game_id, 1, ClosedBecause.GAME_MASTER)

    await asked_while_a_sheet_is_under_way(interact, by_adjudicating, close)

    assert world.game(game_id).phase_no == 2


@pytest.mark.parametrize("close", [by_resuming, by_removing])
async def test_orders_that_were_sent_before_keep_a_game_master_from_closing_the_phase_of_a_player_who_was_ready(
    world: World, interact: Interact, game_id: GameId, close: Ask
) -> None:
    world.submit(game_id, AUSTRIA, "A VIE - GAL")
    if close is by_resuming:
        gm.pause(world.context, game_id, CREATOR, is_manager=False)
    world.ready(game_id, *(user_id for user_id in PLAYERS if close is by_resuming or user_id != UserId(7)))

    await asked_while_a_sheet_is_under_way(interact, close, lambda: None)

    assert world.game(game_id).phase_no == 1
    assert world.game(game_id).status is GameStatus.RUNNING
    sheet = world.sheet(game_id, POWER)
    assert sheet is not None
    assert MOVE in sheet.orders


async def test_whoever_had_sent_orders_before_a_game_master_went_back_hears_that_they_were_taken(
    world: World, interact: Interact, game_id: GameId
) -> None:
    turns.close_phase(world.context, game_id, 1, ClosedBecause.GAME_MASTER)

    await asked_while_a_sheet_is_under_way(interact, by_going_back, lambda: None)

    assert world.game(game_id).phase_no == 3
    assert world.storage.tables.sheets[game_id, 2, POWER].orders == (MOVE,)
    assert (game_id, 3, POWER) not in world.storage.tables.sheets


async def test_what_a_player_presses_while_ready_hears_the_others_is_done_after_it(
    world: World, client: StubClient, interact: Interact, game_id: GameId, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cogs._sheets.LONGEST_WAIT_S", 0.01)
    is_heard = asyncio.Event()

    async def hear(people: Collection[UserId], within_s: float) -> None:
        if len(people) > 1:
            await is_heard.wait()

    monkeypatch.setattr(client.inbox, "hear", hear)
    pressing = asyncio.ensure_future(press(interact(AUSTRIA), "so:ready:game1:1:sure"))
    await asyncio.sleep(0)
    taking_back = asyncio.ensure_future(press(interact(AUSTRIA), "so:unready:game1:1"))
    await asyncio.sleep(0.05)
    is_heard.set()
    await asyncio.gather(pressing, taking_back)

    assert not world.seat(game_id, POWER).is_ready


async def test_ready_does_not_wait_for_people_who_do_not_play(
    world: World, client: StubClient, interact: Interact, game_id: GameId
) -> None:
    async with asyncio.timeout(5), client.arrivals.turn_of(UserId(99)):
        await press(interact(AUSTRIA), "so:ready:game1:1:sure")
    assert world.seat(game_id, POWER).is_ready


async def test_two_who_are_ready_at_once_do_not_wait_for_each_other(
    world: World, interact: Interact, game_id: GameId
) -> None:
    async with asyncio.timeout(5):
        await asyncio.gather(*(press(interact(user_id), "so:ready:game1:1:sure") for user_id in PLAYERS))
    assert world.game(game_id).phase_no == 2


class SlowFile(StubAttachment):
    """A file that takes a while to fetch."""

    def __init__(self) -> None:
        super().__init__("orders.txt", MOVE.encode())
        self.is_fetched = asyncio.Event()

    async def read(self) -> bytes:
        self.is_fetched.set()
        await asyncio.sleep(0.05)
        return self.content


def by_file(asked: StubInteraction, file: SlowFile) -> Awaitable[Any]:
    return run(OrderCommands(), asked, "enter", file=file)


def by_message_with_file(asked: StubInteraction, file: SlowFile) -> Awaitable[Any]:
    return send(asked.client, StubMessage("", attachments=[file], created_at=asked.created_at))


SendFile = Callable[[StubInteraction, SlowFile], Awaitable[Any]]


@pytest.mark.parametrize("ask", [by_file, by_message_with_file])
async def test_ready_does_not_overtake_a_sheet_whose_file_is_fetched(
    world: World, client: StubClient, interact: Interact, game_id: GameId, ask: SendFile
) -> None:
    file = SlowFile()
    sending = asyncio.ensure_future(ask(interact(AUSTRIA), file))
    await file.is_fetched.wait()
    await press(interact(AUSTRIA), "so:ready:game1:1:sure")

    sheet = world.sheet(game_id, POWER)
    assert sheet is not None
    assert sheet.orders == (MOVE,)
    assert world.seat(game_id, POWER).is_ready
    await sending


async def test_a_file_that_does_not_come_keeps_its_sender_waiting_for_a_while_only(
    world: World, interact: Interact, game_id: GameId, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cogs._files.FETCH_WITHIN_S", 0.01)
    asked = await by_file(interact(AUSTRIA), SlowFile())

    assert "went wrong" in asked.text
    assert world.sheet(game_id, POWER) is None


@pytest.mark.parametrize("ask", [by_file, by_message_with_file])
async def test_a_phase_that_is_due_waits_for_a_file_that_is_fetched(
    world: World, client: StubClient, interact: Interact, game_id: GameId, ask: SendFile
) -> None:
    file = SlowFile()
    sending = asyncio.ensure_future(ask(interact(AUSTRIA), file))
    await file.is_fetched.wait()
    await client.arrivals.wait(60)

    assert world.sheet(game_id, POWER) is not None
    await sending


async def test_a_command_by_a_fast_clock_of_discord_counts_as_just_now(
    world: World, interact: Interact, game_id: GameId
) -> None:
    asked = interact(AUSTRIA)
    asked.created_at += DAY

    await by_command(asked)

    sheet = world.sheet(game_id, POWER)
    assert sheet is not None
    assert sheet.accepted_at == world.clock.now()


async def test_what_is_under_way_is_waited_for_and_what_comes_later_is_not() -> None:
    turns = OneByOne()
    done: list[str] = []

    async def ask(name: str) -> None:
        async with turns.turn_of(AUSTRIA):
            await asyncio.sleep(0.01)
            done.append(name)

    asked = [asyncio.create_task(ask(name)) for name in ("first", "second")]
    await asyncio.sleep(0)
    waiting = asyncio.create_task(turns.wait(60))
    await asyncio.sleep(0)
    asked.append(asyncio.create_task(ask("third")))
    await waiting
    assert done == ["first", "second"]
    await asyncio.gather(*asked)


async def test_nobody_is_waited_for_longer_than_allowed() -> None:
    turns = OneByOne()
    async with asyncio.timeout(10), turns.turn_of(AUSTRIA):
        await turns.wait(0.01)
