"""A phase that can't be closed: what was said stands, the masters hear of it once, and it goes on by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any, ParamSpec, TypeVar

import pytest

from bot import survey
from bot.model import LONGEST_REST, ClosedBecause, GameId, UserId
from bot.ports import WorkersStopped, WorkFailed
from bot.services import channel, gm, lobby, orders, turns
from bot.services.course import carry_on
from bot.services.inline_workers import InlineWorkers
from bot.services.turns import FIRST_RETRY
from bot.settings import Settings
from bot.storage import Database
from bot.text.compose import compose
from bot.text.gm import check_messages
from engine.core.ids import SystemId
from engine.registry import systems
from tests.bot.services.refusals import refused_code
from tests.bot.services.world import ANN, BOB, CHANNEL, CREATOR, CY, RED, World
from tests.bot.text.test_compose import PLAYERS

P = ParamSpec("P")
T = TypeVar("T")

MINUTE = timedelta(minutes=1)


class Failing(InlineWorkers):
    """Workers who can't carry out a phase while there is an error."""

    def __init__(self) -> None:
        self.error: Exception | None = WorkFailed("a job took too much memory")
        self.tries = 0

    def run(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        if work is carry_on:
            self.tries += 1
            if self.error is not None:
                raise self.error
        return work(*args, **kwargs)

    run_here = run


def sick(systems_: Any = None) -> tuple[World, Failing]:
    """A world in which no phase can be closed, once its games have begun."""
    world, workers = World(systems_), Failing()
    world.context = replace(world.context, workers=workers)
    workers.error = None
    return world, workers


def failing(workers: Failing, error: Exception | None = None) -> None:
    workers.error = error or WorkFailed("a job took too much memory")
    workers.tries = 0


def told_masters(world: World, game_id: GameId) -> list[int]:
    return [message.target_id for message in world.outbox(game_id) if message.kind == "stuck"]


@pytest.fixture
def stuck() -> tuple[World, Failing, GameId]:
    """Everybody is ready, and the phase could not be closed."""
    world, workers = sick()
    game_id = world.start()
    world.submit(game_id, ANN, "BID 3")
    world.ready(game_id, ANN, BOB)
    world.forget_mail()
    failing(workers)
    receipt = orders.set_ready(world.context, game_id, CY, True)
    assert (receipt.is_ready, receipt.closed, receipt.is_stuck) == (True, False, True)
    return world, workers, game_id


@pytest.mark.parametrize("error", [WorkFailed("a job took too much memory"), KeyError("BID 3"), MemoryError()])
def test_the_last_word_is_kept_and_the_masters_are_told_once(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    world, workers = sick()
    game_id = world.start()
    world.submit(game_id, ANN, "BID 3")
    world.forget_mail()
    failing(workers, error)
    assert world.ready(game_id, ANN, BOB, CY) == [False] * 3
    assert all(seat.is_ready for seat in world.seats(game_id))
    assert world.game(game_id).phase_no == 1
    assert told_masters(world, game_id) == [CREATOR]
    assert [message for message in world.outbox(game_id) if message.target_id == CHANNEL] == []
    for _ in range(5):
        world.clock.advance(2 * LONGEST_REST)
        turns.sweep(world.context)
    assert told_masters(world, game_id) == [CREATOR]
    assert "could not be closed" in caplog.text
    assert "BID" not in caplog.text + repr(world.outbox(game_id))


def test_it_goes_on_by_itself_when_it_works_again(stuck: tuple[World, Failing, GameId]) -> None:
    world, workers, game_id = stuck
    workers.error = None
    turns.sweep(world.context)
    assert world.game(game_id).phase_no == 1
    world.clock.advance(FIRST_RETRY)
    assert turns.sweep(world.context) == (game_id,)
    game = world.game(game_id)
    assert (game.phase_no, game.failures, game.retry_at) == (2, 0, None)
    (record,) = world.records(game_id)
    assert (record.closed_because, record.sheets[RED].orders) == ("ready", ("BID 3",))


def test_it_is_tried_at_once_when_a_clock_that_ran_ahead_is_set_back(stuck: tuple[World, Failing, GameId]) -> None:
    world, workers, game_id = stuck
    world.clock.advance(timedelta(hours=5))
    turns.sweep(world.context)
    workers.error = None
    world.clock.advance(timedelta(hours=-5))
    assert turns.sweep(world.context) == (game_id,)


def test_tries_get_rarer_whoever_asks_and_survive_a_restart(stuck: tuple[World, Failing, GameId]) -> None:
    world, workers, game_id = stuck
    assert workers.tries == 1
    waits = []
    for _ in range(9):
        game = world.game(game_id)
        assert game.retry_at is not None
        waits.append(game.retry_at - world.clock.now())
        before = workers.tries
        # All that is known of it is in the database, so a new process does as this one does.
        for _ in range(3):
            turns.sweep(world.context)
            orders.set_ready(world.context, game_id, ANN, False)
            orders.set_ready(world.context, game_id, ANN, True)
            assert not turns.close_phase(world.context, game_id, 1, ClosedBecause.DEADLINE)
        assert workers.tries == before
        world.clock.moment = game.retry_at
        turns.sweep(world.context)
        assert workers.tries == before + 1
    assert waits == [min(LONGEST_REST, MINUTE * 2**number) for number in range(9)]


def test_a_deadline_that_can_not_be_kept_is_tried_again_too() -> None:
    world, workers = sick()
    game_id, other = world.start(), world.start(name="Vault two")
    failing(workers)
    world.pass_deadline(game_id)
    assert (world.game(game_id).phase_no, world.game(other).phase_no) == (1, 1)
    assert workers.tries == 2
    turns.sweep(world.context)
    assert workers.tries == 2
    workers.error = None
    world.clock.advance(FIRST_RETRY)
    assert set(turns.sweep(world.context)) == {game_id, other}
    (closed,) = [
        message for message in world.outbox(game_id) if message.kind == "phase_closed" and message.game_id == game_id
    ]
    # Nobody was away, so nothing is said of direct messages that may have been missed.
    assert "is_all_read" not in closed.payload


def test_whoever_takes_back_being_ready_is_waited_for_and_nothing_is_tried(
    stuck: tuple[World, Failing, GameId],
) -> None:
    world, workers, game_id = stuck
    orders.set_ready(world.context, game_id, ANN, False)
    world.clock.advance(FIRST_RETRY)
    turns.sweep(world.context)
    assert (workers.tries, world.game(game_id).retry_at) == (1, None)
    workers.error = None
    assert world.ready(game_id, ANN) == [True]


def test_leaving_and_resuming_are_not_refused_over_it(stuck: tuple[World, Failing, GameId]) -> None:
    world, workers, game_id = stuck
    world.clock.advance(FIRST_RETRY)
    gm.pause(world.context, game_id, CREATOR, is_manager=False)
    gm.resume(world.context, game_id, CREATOR, is_manager=False)
    assert workers.tries == 2
    world.clock.advance(2 * FIRST_RETRY)
    lobby.leave_game(world.context, game_id, BOB)
    assert workers.tries == 3
    assert [seat.user_id for seat in world.seats(game_id)] == [ANN, None, CY]
    assert told_masters(world, game_id) == [CREATOR]


def test_a_master_who_closes_it_is_told_and_nothing_is_changed(caplog: pytest.LogCaptureFixture) -> None:
    world, workers = sick()
    game_id = world.start()
    failing(workers)
    before = world.game(game_id)
    assert refused_code(gm.adjudicate_now, world.context, game_id, CREATOR, is_manager=False) == "not_closed"
    assert world.game(game_id) == before
    assert told_masters(world, game_id) == []
    assert "could not be closed" in caplog.text
    workers.error = None
    assert gm.adjudicate_now(world.context, game_id, CREATOR, is_manager=False).phase_no == 2


def test_a_bot_that_ends_has_not_failed() -> None:
    world, workers = sick()
    game_id = world.start()
    failing(workers, WorkersStopped("the workers have stopped"))
    world.pass_deadline(game_id)
    assert (world.game(game_id).failures, told_masters(world, game_id)) == (0, [])


@pytest.fixture
def diplomacy() -> tuple[World, Failing, GameId]:
    world, workers = sick({SystemId("diplomacy"): systems[SystemId("diplomacy")]})
    game_id = world.start(wishes=PLAYERS, system="diplomacy", name="War", players=7)
    world.submit(game_id, UserId(1), "A BUD - SER")
    world.forget_mail()
    failing(workers)
    world.ready(game_id, *PLAYERS)
    return world, workers, game_id


def test_masters_read_what_is_and_the_check_names_it(diplomacy: tuple[World, Failing, GameId]) -> None:
    world, workers, game_id = diplomacy
    (queued,) = [message for message in world.outbox(game_id) if message.kind == "stuck"]
    (message,) = compose(world.context, queued)
    assert "more time or memory" in message.content
    assert "Spring 1901" in message.content
    assert "SER" not in message.content

    def checked() -> str:
        found = channel.check(world.context, game_id, CREATOR, is_manager=False)
        return "\n".join(part.content for part in check_messages(found, (), is_here=True))

    assert "I can't close Spring 1901, movement of **War**: that failed once." in checked()
    assert "Everything is as it should be" not in checked()
    workers.error = None
    world.clock.advance(FIRST_RETRY)
    turns.sweep(world.context)
    assert "Everything is as it should be" in checked()
    # What was still to be sent has become pointless.
    assert compose(world.context, queued) == ()


def test_it_is_kept_in_a_database(any_url: str) -> None:
    database = Database(any_url)
    world, workers = sick()
    world.context = replace(world.context, unit_of_work=database.unit_of_work)
    game_id = world.start()
    failing(workers)
    for user_id in (ANN, BOB, CY):
        orders.set_ready(world.context, game_id, user_id, True)
    database.close()
    database = Database(any_url)
    world.context = replace(world.context, unit_of_work=database.unit_of_work)
    turns.sweep(world.context)
    assert workers.tries == 1

    def checked() -> dict[str, str]:
        settings: Any = {"database_url": any_url, "discord_token": None}
        found = asyncio.run(survey.survey(Settings(**settings)))
        return {finding.subject: finding.what for finding in found if not finding.is_well}

    assert checked()[f"game {game_id}"] == "its present phase could not be closed, 1 time"
    workers.error = None
    world.clock.advance(FIRST_RETRY)
    assert turns.sweep(world.context) == (game_id,)
    assert f"game {game_id}" not in checked()
    database.close()
