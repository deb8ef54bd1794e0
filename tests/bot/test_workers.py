"""Worker processes: what crosses to them, and what their deaths leave alone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import ParamSpec, TypeVar, cast

import pytest

from bot.faults import describe_fault
from bot.ports import Workers, WorkersStopped, WorkFailed
from bot.render import MapRenderer
from bot.services import gm, lobby
from bot.services.computer import computer_sheets
from bot.services.course import carry_on
from bot.services.errors import Refused
from bot.services.sheets import SubmitMode, look_at_sheet, write_draft
from bot.workers import MEGABYTE, Limits, WorkerProcesses, WorkerRenderer
from engine.computer.levels import Level
from engine.core.ids import PowerId, SystemId
from engine.core.phrases import phrase
from engine.core.viewer import EVERYBODY, Playing
from engine.registry import AnySystem, systems
from tests.bot import jobs
from tests.bot.services.world import ANN, CREATOR, World
from tests.processes import children, is_running

P = ParamSpec("P")
T = TypeVar("T")


@pytest.fixture(scope="module")
def workers() -> Iterator[WorkerProcesses]:
    workers = WorkerProcesses(2)
    yield workers
    workers.close()


@pytest.fixture
def one_worker() -> Iterator[Callable[[Limits], WorkerProcesses]]:
    """Makes a single worker with limits of its own."""
    made: list[WorkerProcesses] = []

    def make(limits: Limits) -> WorkerProcesses:
        made.append(WorkerProcesses(1, limits))
        return made[-1]

    yield make
    for workers in made:
        workers.close()


def until(condition: Callable[[], bool]) -> None:
    while not condition():
        time.sleep(jobs.LOOK_S)


def test_a_job_is_done_in_another_process(workers: WorkerProcesses) -> None:
    assert workers.run(jobs.add, 1, second=2) == 3
    assert workers.run(jobs.process_number) != os.getpid()


def test_rules_cross_as_themselves(workers: WorkerProcesses) -> None:
    assert [workers.run(jobs.name_of, rules) for rules in systems.values()] == [
        rules.info.name for rules in systems.values()
    ]


def test_a_worker_knows_no_database_and_no_discord(workers: WorkerProcesses) -> None:
    known = {name.partition(".")[0] for name in workers.run(jobs.modules)}
    assert known.isdisjoint({"discord", "sqlalchemy", "sqlmodel", "apscheduler"})


def test_a_worker_loads_the_rules_of_no_game_but_that_of_its_job(
    one_worker: Callable[[Limits], WorkerProcesses],
) -> None:
    workers = one_worker(Limits())
    rules = {f"engine.{system}" for system in systems}
    assert rules.isdisjoint(workers.run(jobs.modules))
    assert workers.run(jobs.name_of, systems[SystemId("kregen")]) == "Kregen"
    assert rules.intersection(workers.run(jobs.modules)) == {"engine.kregen"}


def test_a_fault_comes_back_with_the_place_where_it_happened(workers: WorkerProcesses) -> None:
    with pytest.raises(KeyError) as caught:
        workers.run(jobs.fail)
    assert "KeyError at tests/bot/jobs.py" in describe_fault(caught.value)
    assert "secret" not in describe_fault(caught.value)


def test_a_fault_that_can_not_cross_is_told_without_its_message(workers: WorkerProcesses) -> None:
    with pytest.raises(WorkFailed) as caught:
        workers.run(jobs.fail_oddly)
    assert "Unsendable at tests/bot/jobs.py" in describe_fault(caught.value)


def test_a_refusal_crosses_whole(workers: WorkerProcesses) -> None:
    with pytest.raises(Refused) as caught:
        workers.run(jobs.refuse)
    assert caught.value.what == phrase("refused.too_few_players", needed=2, have=1)
    assert caught.value.hint == phrase("refused.hint.clear")


@pytest.mark.parametrize("rules", systems.values(), ids=lambda rules: str(rules.info.id))
def test_what_a_game_needs_of_workers_crosses(workers: WorkerProcesses, rules: AnySystem) -> None:
    """A whole phase as the services have it done, in games of every system."""
    state = rules.play.start(variant=rules.info.variants[0], players=rules.info.seats[0], options={}, seed="seed")
    document, (power, *others) = rules.play.dump(state), rules.play.status(state).to_act
    view = rules.sight.view(state, Playing(power))
    text = "\n".join(rules.orders.format(orders[0]) for orders in rules.orders.legal(view).values() if orders)
    replaced = [kind for door in rules.doors for kind in (door.replaces, door.form and door.form.replaces) if kind]
    for instead_of in (None, *replaced):
        draft = partial(write_draft, rules, document, power, (), text, SubmitMode.REPLACE, instead_of)
        assert workers.run(draft) == draft()
    lines = draft().orders
    look = partial(look_at_sheet, rules, document, power, lines, is_asked=True, is_sent=False)
    assert workers.run(look) == look()
    course = partial(carry_on, rules, document, {power: lines}, {power, *others}, begins=False)
    assert workers.run(course) == course()
    think = partial(computer_sheets, rules, document, {power: Level.EASY})
    assert workers.run(think) == think()


def test_a_job_that_ends_its_worker_fails_alone(workers: WorkerProcesses, tmp_path: Path) -> None:
    gate, begun = tmp_path / "gate", tmp_path / "begun"
    with ThreadPoolExecutor(1) as threads:
        other: Future[str] = threads.submit(workers.run, jobs.wait_for, gate, begun)
        until(begun.exists)
        with pytest.raises(WorkFailed, match="its worker ended"):
            workers.run_first(jobs.die)
        assert workers.run_first(jobs.add, 1, 2) == 3
        gate.touch()
        assert other.result() == "through"


class Deadly:
    """Workers of which one dies of a power, and none can think for another one; all but thought is done here."""

    def __init__(self, workers: WorkerProcesses) -> None:
        self._workers = workers

    def run(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        if cast(object, work) is not computer_sheets:
            return work(*args, **kwargs)
        levels = cast(Mapping[PowerId, Level], args[2])
        if levels == {"france": Level.FAIR}:
            self._workers.run(jobs.die)
        if "turkey" in levels:
            self._workers.run(jobs.fail)
        return self._workers.run(work, *args, **kwargs)

    run_first = run_here = run


def test_a_phase_closes_though_workers_die_of_thinking(workers: WorkerProcesses) -> None:
    """What is thought by lot stands then, or nothing. Takes 2 s, for a worker is made anew."""
    world = World({SystemId("diplomacy"): systems[SystemId("diplomacy")]})
    world.context = replace(world.context, workers=cast(Workers, Deadly(workers)))
    game_id = world.create(system="diplomacy", players=7, computer=Level.EASY)
    lobby.join_game(world.context, game_id, ANN, power="england")
    lobby.start_game(world.context, game_id, CREATOR, is_manager=False)
    better = partial(gm.replace_player, world.context, game_id, CREATOR, is_manager=False, new_user_id=None)
    better(power="france", computer=Level.FAIR)
    before = world.game(game_id).phase_no
    assert world.ready(game_id, ANN) == [True]
    assert world.game(game_id).phase_no == before + 1
    sheets = world.records(game_id)[0].sheets
    assert {power for power in sheets if sheets[power].orders} == {"austria", "france", "germany", "italy", "russia"}


def test_a_worker_that_dies_while_it_rests_is_replaced(workers: WorkerProcesses) -> None:
    number = workers.run(jobs.process_number)
    os.kill(number, signal.SIGKILL)
    until(lambda: not is_running(number))
    assert workers.run(jobs.add, 1, 2) == 3


def test_a_job_is_not_lost_to_a_worker_that_is_killed_before_it_takes_it(
    one_worker: Callable[[Limits], WorkerProcesses],
) -> None:
    """As when memory runs out somewhere on the machine: what had not begun is no failure of the job's."""
    workers = one_worker(Limits())
    for _ in range(3):
        number = workers.run(os.getpid)
        os.kill(number, signal.SIGKILL)
        assert workers.run(os.getpid) != number


def test_nothing_is_started_before_there_is_work_and_nothing_stays_when_there_is_none(
    one_worker: Callable[[Limits], WorkerProcesses],
) -> None:
    before = set(children())
    workers = one_worker(Limits(rest_s=0.01))
    assert set(children()) == before
    first = workers.run(os.getpid)
    until(lambda: not is_running(first))
    assert workers.run(os.getpid) != first


def test_a_worker_lets_go_of_large_things_in_a_lull_and_not_before(
    one_worker: Callable[[Limits], WorkerProcesses],
) -> None:
    rules = systems[SystemId("diplomacy")]
    state = rules.play.start(variant=rules.info.variants[0], players=7, options={}, seed="seed")
    scene = rules.telling.scene(rules.sight.view(state, EVERYBODY))
    busy, resting = one_worker(Limits()), one_worker(Limits(lull_s=0))
    for workers in (busy, resting):
        WorkerRenderer(workers.run).draw(scene)
    assert busy.run(jobs.grounds) == 1
    until(lambda: resting.run(jobs.grounds) == 0)


def test_no_job_is_lost_to_a_worker_that_is_about_to_end(one_worker: Callable[[Limits], WorkerProcesses]) -> None:
    """It rests not at all: the next job comes while it ends, or just before."""
    workers = one_worker(Limits(rest_s=0))
    assert [workers.run(abs, -number) for number in range(3)] == [0, 1, 2]


def test_a_job_that_takes_too_much_memory_fails(one_worker: Callable[[Limits], WorkerProcesses]) -> None:
    workers = one_worker(Limits(memory=512 * MEGABYTE))
    number = workers.run(jobs.process_number)
    with pytest.raises(WorkFailed, match="memory"):
        workers.run(jobs.eat)
    assert workers.run(jobs.process_number) != number
    assert workers.run(jobs.add, 1, 2) == 3


def test_a_job_that_takes_too_much_of_the_processor_fails(one_worker: Callable[[Limits], WorkerProcesses]) -> None:
    workers = one_worker(Limits(cpu_s=1))
    with pytest.raises(WorkFailed, match="processor time"):
        workers.run(jobs.spin)
    assert workers.run(jobs.add, 1, 2) == 3


def test_a_job_that_does_not_end_fails(one_worker: Callable[[Limits], WorkerProcesses], tmp_path: Path) -> None:
    workers = one_worker(Limits(wall_s=0.5))
    with pytest.raises(WorkFailed, match="longer than"):
        workers.run(jobs.wait_for, tmp_path / "never", tmp_path / "begun")


@pytest.mark.parametrize("size", [1, 10 * MEGABYTE])
def test_a_worker_that_hangs_takes_no_thread_with_it(
    one_worker: Callable[[Limits], WorkerProcesses], size: int
) -> None:
    workers = one_worker(Limits(wall_s=3))
    number = workers.run(jobs.process_number)
    os.kill(number, signal.SIGSTOP)
    with pytest.raises(WorkFailed):
        workers.run(len, b"x" * size)
    assert workers.run(jobs.process_number) != number


def test_a_worker_that_can_not_be_started_says_why(
    one_worker: Callable[[Limits], WorkerProcesses], monkeypatch: pytest.MonkeyPatch
) -> None:
    workers = one_worker(Limits())
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", "/nowhere/python")
        with pytest.raises(WorkFailed, match="no worker could be started: No such file"):
            workers.run(jobs.add, 1, 2)
    assert workers.run(jobs.add, 1, 2) == 3


@pytest.mark.parametrize("limit", ["RLIMIT_AS, (900 << 20, 900 << 20)", "RLIMIT_CPU, (50, 50)"], ids=["memory", "time"])
def test_workers_make_do_with_what_the_bot_itself_is_limited_to(limit: str) -> None:
    script = f"""
import resource
from bot.workers import WorkerProcesses
from tests.bot import jobs
resource.setrlimit(resource.{limit})
workers = WorkerProcesses(1)
print(workers.run(jobs.add, 1, 2))
workers.close()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "3\n"


def test_one_worker_is_kept_for_whoever_waits(workers: WorkerProcesses, tmp_path: Path) -> None:
    gate, begun = tmp_path / "gate", tmp_path / "begun"
    with ThreadPoolExecutor(3) as threads:
        long: list[Future[str]] = [threads.submit(workers.run, jobs.wait_for, gate, begun) for _ in range(3)]
        until(begun.exists)
        assert workers.run_first(jobs.add, 1, 2) == 3
        gate.touch()
        assert [job.result() for job in long] == ["through"] * 3


def test_who_stops_the_bot_does_not_stop_what_is_under_way(workers: WorkerProcesses) -> None:
    number = workers.run(jobs.process_number)
    os.kill(number, signal.SIGTERM)
    os.kill(number, signal.SIGINT)
    assert workers.run(jobs.process_number) == number


def test_closed_nothing_is_left_and_jobs_under_way_fail(tmp_path: Path) -> None:
    others = set(children())
    workers = WorkerProcesses(1)
    with ThreadPoolExecutor(2) as threads:
        running = threads.submit(workers.run, jobs.wait_for, tmp_path / "never", tmp_path / "begun")
        waiting = threads.submit(workers.run, jobs.add, 1, 2)
        until((tmp_path / "begun").exists)
        assert set(children()) > others
        workers.close()
        # Of a job under way too nothing is known but that: a phase that was closing is not said to be stuck.
        assert isinstance(running.exception(), WorkersStopped)
        assert isinstance(waiting.exception(), WorkersStopped)
    with pytest.raises(WorkersStopped):
        workers.run(jobs.add, 1, 2)
    assert set(children()) <= others


BOT = """
import sys, threading
from functools import partial
from pathlib import Path
from bot.workers import WorkerProcesses
from tests.bot import jobs

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    workers = WorkerProcesses(2)
    numbers = [workers.run(jobs.process_number)]
    threading.Thread(target=workers.run, args=(jobs.wait_for, folder / "never", folder / "begun"), daemon=True).start()
    while not (folder / "begun").exists():
        pass
    numbers.append(workers.run_first(jobs.process_number))
    print(*numbers, flush=True)
    {end}
"""


@pytest.mark.parametrize("end", ["sys.stdin.read()", "sys.exit()"], ids=["killed", "ended"])
def test_workers_end_with_the_bot_however_it_ends(end: str, tmp_path: Path) -> None:
    script = tmp_path / "bot_like.py"
    script.write_text(BOT.replace("{end}", end))
    command = [sys.executable, str(script), str(tmp_path)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": "."}, text=True
    ) as bot:
        assert bot.stdout is not None
        numbers = {int(number) for number in bot.stdout.readline().split()}
        assert len(numbers) == 2
        if "stdin" in end:
            bot.kill()
    until(lambda: not any(map(is_running, numbers)))


@pytest.mark.parametrize("system", ["diplomacy", "king_of_kings"])
def test_a_map_drawn_by_a_worker_is_the_same(workers: WorkerProcesses, system: str) -> None:
    rules = systems[SystemId(system)]
    state = rules.play.start(variant=rules.info.variants[0], players=rules.info.seats[-1], options={}, seed="seed")
    scene = rules.telling.scene(rules.sight.view(state, EVERYBODY))
    assert WorkerRenderer(workers.run).draw(scene) == MapRenderer().draw(scene)


def test_many_threads_share_few_workers(workers: WorkerProcesses) -> None:
    together = threading.Barrier(16)

    def hand_in(number: int) -> int:
        together.wait()
        return workers.run(jobs.add, number, 1)

    with ThreadPoolExecutor(16) as threads:
        assert list(threads.map(hand_in, range(16))) == list(range(1, 17))
