"""Use cases whose work takes long: the database is free meanwhile, and what came in meanwhile is not lost."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any, ParamSpec, TypeVar

import pytest

from bot.model import ClosedBecause, Game, GameId, PhaseRecord
from bot.ports import UnitOfWork, WorkFailed
from bot.services import gm, lobby, orders, overview, rollback, turns
from bot.services.arrivals import Arrival
from bot.services.context import Context
from bot.services.course import carry_on
from bot.services.errors import Refused
from bot.services.inline_workers import InlineWorkers
from bot.services.sheets import SubmitMode, write_draft
from bot.services.work import TRIES, transact
from bot.storage import Database
from tests.bot.services.world import ANN, BLUE, BOB, CREATOR, CY, DAY, GREEN, RED, World

P = ParamSpec("P")
T = TypeVar("T")

PATIENCE_S = 60.0
"""Only a test that fails waits so long."""


class Gated(InlineWorkers):
    """Workers for whom a job takes until the test lets it end."""

    def __init__(self, slow: Callable[..., Any], times: int = 1) -> None:
        self._slow = slow
        self._times = times
        self.begun = threading.Event()
        self.gate = threading.Event()
        self.done: list[str] = []

    def run(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        self.done.append(work.__name__)
        if work is self._slow and self._times:
            self._times -= 1
            self.begun.set()
            assert self.gate.wait(PATIENCE_S)
        return work(*args, **kwargs)

    run_here = run


@pytest.fixture
def world(any_url: str) -> Iterator[World]:
    """A world on a real database."""
    database = Database(any_url)
    world = World()
    world.context = replace(world.context, unit_of_work=database.unit_of_work, workers=InlineWorkers())
    yield world
    database.close()


@pytest.fixture
def aside() -> Iterator[ThreadPoolExecutor]:
    """Somebody else's thread."""
    with ThreadPoolExecutor(1) as threads:
        yield threads


def slowed(world: World, slow: Callable[..., Any], times: int = 1) -> tuple[Gated, Context]:
    workers = Gated(slow, times)
    return workers, replace(world.context, workers=workers)


def record_of(world: World, game_id: GameId, phase_no: int) -> PhaseRecord:
    with world.context.reading() as unit:
        record = unit.phases.find(game_id, phase_no)
    assert record is not None
    return record


def test_others_order_and_complete_while_a_phase_is_carried_out(world: World, aside: ThreadPoolExecutor) -> None:
    slow_game, other_game = world.start(), world.start(name="Vault two")
    workers, slow = slowed(world, carry_on)
    closing = aside.submit(gm.adjudicate_now, slow, slow_game, CREATOR, is_manager=False)
    assert workers.begun.wait(PATIENCE_S)
    assert orders.suggest(world.context, other_game, ANN, "")
    assert world.submit(other_game, ANN, "BID 3").is_taken
    assert turns.close_phase(world.context, other_game, 1, ClosedBecause.GAME_MASTER)
    assert not closing.done()
    workers.gate.set()
    assert closing.result().phase_no == 2


def test_others_order_while_a_long_text_is_read(world: World, aside: ThreadPoolExecutor) -> None:
    slow_game, other_game = world.start(), world.start(name="Vault two")
    workers, slow = slowed(world, write_draft)
    reading = aside.submit(orders.submit, slow, slow_game, ANN, "BID 3\n" * 300, mode=SubmitMode.MERGE)
    assert workers.begun.wait(PATIENCE_S)
    assert world.submit(other_game, ANN, "BID 2").is_taken
    # Of the same game, too.
    assert world.submit(slow_game, BOB, "BID 1").is_taken
    workers.gate.set()
    assert reading.result().orders == ("BID 3",)


def test_an_order_that_comes_while_the_orders_are_carried_out_counts(world: World, aside: ThreadPoolExecutor) -> None:
    game_id = world.start()
    world.submit(game_id, ANN, "BID 1")
    workers, slow = slowed(world, carry_on)
    closing = aside.submit(gm.adjudicate_now, slow, game_id, CREATOR, is_manager=False)
    assert workers.begun.wait(PATIENCE_S)
    assert world.submit(game_id, ANN, "BID 3", mode=SubmitMode.REPLACE).is_taken
    assert world.submit(game_id, BOB, "BID 2").is_taken
    workers.gate.set()
    closing.result()
    record = record_of(world, game_id, 1)
    assert {power: sheet.orders for power, sheet in record.sheets.items()} == {RED: ("BID 3",), GREEN: ("BID 2",)}
    assert {str(result.text) for result in record.results} >= {"BID 3", "BID 2"}
    assert workers.done.count("carry_on") == 2


def test_who_takes_back_being_ready_while_the_phase_closes_is_heard(world: World, aside: ThreadPoolExecutor) -> None:
    game_id = world.start()
    for user_id in (ANN, BOB):
        orders.set_ready(world.context, game_id, user_id, True)
    workers, slow = slowed(world, carry_on)
    closing = aside.submit(orders.set_ready, slow, game_id, CY, True)
    assert workers.begun.wait(PATIENCE_S)
    orders.set_ready(world.context, game_id, BOB, False)
    workers.gate.set()
    assert not closing.result().closed
    info = overview.game_info(world.context, game_id, None)
    assert (info.game.phase_no, info.ready) == (1, 2)


def test_a_seat_that_is_left_while_the_phase_closes_stays_empty(world: World, aside: ThreadPoolExecutor) -> None:
    game_id = world.start()
    workers, slow = slowed(world, carry_on)
    closing = aside.submit(gm.adjudicate_now, slow, game_id, CREATOR, is_manager=False)
    assert workers.begun.wait(PATIENCE_S)
    lobby.leave_game(world.context, game_id, CY)
    workers.gate.set()
    assert closing.result().phase_no == 2
    seats = overview.game_info(world.context, game_id, None).seats
    assert [seat.power for seat in seats if not seat.is_taken] == [BLUE]


def test_orders_that_were_read_when_the_phase_had_closed_are_refused(world: World, aside: ThreadPoolExecutor) -> None:
    game_id = world.start()
    workers, slow = slowed(world, write_draft)
    sending = aside.submit(
        orders.submit, slow, game_id, ANN, "BID 3", mode=SubmitMode.MERGE, arrival=Arrival(phase_no=1)
    )
    assert workers.begun.wait(PATIENCE_S)
    assert turns.close_phase(world.context, game_id, 1, ClosedBecause.GAME_MASTER)
    workers.gate.set()
    with pytest.raises(Refused) as refusal:
        sending.result()
    assert refusal.value.what.code == "refused.phase_over"
    assert RED not in record_of(world, game_id, 1).sheets


def test_orders_that_came_in_time_count_though_they_were_read_after_the_deadline(
    world: World, aside: ThreadPoolExecutor
) -> None:
    game_id = world.start()
    writing, slow_reader = slowed(world, write_draft)
    sending = aside.submit(
        orders.submit, slow_reader, game_id, ANN, "BID 3", mode=SubmitMode.MERGE, arrival=Arrival(phase_no=1)
    )
    assert writing.begun.wait(PATIENCE_S)
    world.clock.advance(DAY + timedelta(seconds=1))
    # The closing is under way, too, when they are accepted.
    closing, slow_closer = slowed(world, carry_on)
    with ThreadPoolExecutor(1) as third:
        closed = third.submit(turns.close_phase, slow_closer, game_id, 1, ClosedBecause.DEADLINE)
        assert closing.begun.wait(PATIENCE_S)
        writing.gate.set()
        assert sending.result().is_taken
        with pytest.raises(Refused, match="deadline_passed"):
            world.submit(game_id, BOB, "BID 2")
        closing.gate.set()
        assert closed.result()
    assert {power: sheet.orders for power, sheet in record_of(world, game_id, 1).sheets.items()} == {RED: ("BID 3",)}


def test_two_submissions_of_one_player_are_both_put_in(world: World, aside: ThreadPoolExecutor) -> None:
    game_id = world.start()
    workers, slow = slowed(world, write_draft)
    sending = aside.submit(
        orders.submit, slow, game_id, ANN, "PEEK green", mode=SubmitMode.MERGE, arrival=Arrival(phase_no=1)
    )
    assert workers.begun.wait(PATIENCE_S)
    world.submit(game_id, ANN, "BID 3")
    workers.gate.set()
    assert set(sending.result().orders) == {"BID 3", "PEEK green"}


def test_work_that_is_always_out_of_date_is_done_in_the_end(world: World) -> None:
    game_id = world.start()
    peeks = ("", f"\nPEEK {GREEN}", f"\nPEEK {BLUE}")
    texts = (f"BID {number}{peek}" for number in range(8) for peek in peeks)

    class Disturbed(InlineWorkers):
        """Whenever orders are carried out, others are sent."""

        def run(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
            found = work(*args, **kwargs)
            # The last time the transaction is open already, and nobody else gets in.
            if len(tries) < TRIES:
                world.submit(game_id, ANN, next(texts), mode=SubmitMode.REPLACE)
            tries.append(work.__name__)
            return found

        run_here = run

    tries: list[str] = []
    disturbed = replace(world.context, workers=Disturbed())
    assert turns.close_phase(disturbed, game_id, 1, ClosedBecause.GAME_MASTER)
    assert len(tries) == TRIES + 1
    assert [result.text for result in record_of(world, game_id, 1).results if result.power == RED]


def test_a_job_that_fails_changes_nothing(world: World) -> None:
    game_id = world.start()

    class Failing(InlineWorkers):
        def run(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
            raise WorkFailed("a job took too much memory")

        run_here = run

    failing = replace(world.context, workers=Failing())
    assert not turns.close_phase(failing, game_id, 1, ClosedBecause.GAME_MASTER)
    with pytest.raises(WorkFailed):
        orders.submit(failing, game_id, ANN, "BID 3", mode=SubmitMode.MERGE)
    assert overview.game_info(world.context, game_id, None).game.phase_no == 1
    assert orders.show(world.context, game_id, ANN).orders == ()
    assert turns.close_phase(world.context, game_id, 1, ClosedBecause.GAME_MASTER)


def test_a_use_case_that_begins_anew_draws_the_same_seeds() -> None:
    world = World()
    drawn: list[tuple[str, str, int]] = []

    def add(a: int, b: int) -> int:
        return a + b

    def draw(context: Context, _unit: UnitOfWork) -> None:
        first, second = context.seeds(), context.seeds()
        drawn.append((first, second, len(drawn)))
        context.workers.run(add, 1, 2)

    transact(world.context, draw)
    assert drawn == [("seed 1", "seed 2", 0), ("seed 1", "seed 2", 1)]


@pytest.mark.parametrize("command", [gm.adjudicate_now, partial(rollback.roll_back, phase="last", keep_orders=True)])
def test_what_a_game_master_says_of_a_phase_is_not_done_to_the_next(
    world: World, aside: ThreadPoolExecutor, command: Callable[..., Game]
) -> None:
    """Two game masters at once, or one when the deadline comes, would lose the players a phase."""
    game_id = world.start()
    for phase_no in (1, 2):
        assert turns.close_phase(world.context, game_id, phase_no, ClosedBecause.GAME_MASTER)
    workers, slow = slowed(world, carry_on)
    late = aside.submit(command, slow, game_id, CREATOR, is_manager=False)
    assert workers.begun.wait(PATIENCE_S)
    command(world.context, game_id, CREATOR, is_manager=False)
    before = overview.game_info(world.context, game_id, None).game
    workers.gate.set()
    with pytest.raises(Refused, match="phase_over"):
        late.result()
    assert overview.game_info(world.context, game_id, None).game == before
