"""Lives of a bot that end by SIGKILL. Run as a program of its own: it forks, and pytest's threads must not be forked.

    python -m tests.crash.lives '{"address": …, "scenario": "deadline", "most": 3, "folder": …}'

A *step* is each statement and each commit that the database is about to get, and the moments before and after a
message reaches Discord. A first life runs through without harm and notes the steps. Then, for some of them, a first
life in a copy of the database dies there and a second one starts up and goes on. What Discord has, what the players
were told and what the database holds at the end is printed as JSON, one line a death.

Between two things that last (a commit, a message, an answer to a player) a death leaves the same, wherever it comes.
So the bot dies at the last step of such a *stretch*, when most was done that is lost, and all locks are held. "most"
says in how many stretches that end alike (in a commit, in a message, …), evenly spread; 0 stands for every step.

In the tale of `doubt` the second life begins when Discord has forgotten every nonce.
"""

from __future__ import annotations

import asyncio
import fcntl
import gc
import hashlib
import json
import os
import shutil
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import event

from bot.announcing.announcer import Announcer
from bot.announcing.sender import Undeliverable
from bot.lease import Lease, Timing
from bot.model import ClosedBecause, Delivery, GameId, Pace, Target, UserId
from bot.services import lobby, orders, positions, replay, turns
from bot.services.arrivals import Arrival
from bot.services.context import Context
from bot.services.errors import Refused
from bot.services.sheets import SubmitMode
from bot.storage import Database
from bot.storage.tables import Row
from bot.text.compose import compose
from bot.text.message import Message
from engine.registry import systems
from tests.fakes import FakeAlarm, FakeClock

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
POWERS = ("austria", "england", "france", "germany", "italy", "russia", "turkey")
USERS = {power: UserId(number) for number, power in enumerate(POWERS, start=1)}
FRANCE = USERS["france"]
DEAF = USERS["turkey"]
"""Has closed direct messages."""
GAME = GameId(1)
HOST = UserId(99)
NEVER = 10**9
AFTER_DEADLINE = NOON + timedelta(days=1, seconds=3)


@dataclass(frozen=True)
class Place:
    """Where a life happens.

    Args:
        folder: for what outlives it: the posts that Discord has, and what the players were told.
    """

    address: str
    folder: Path
    scenario: str

    @property
    def posts(self) -> Path:
        return self.folder / "posts.jsonl"

    @property
    def edits(self) -> Path:
        return self.folder / "edits.jsonl"

    @property
    def answers(self) -> Path:
        return self.folder / "answers.txt"


class Life:
    """One process of the bot, from its start to its end or its death."""

    def __init__(self, place: Place, *, die_at: int = NEVER, moment: datetime = NOON, is_race: bool = False) -> None:
        self.place = place
        self.first_id = 1000
        self.steps = 0
        self.kinds: list[str] = []
        """What each step was."""
        self.steps_to_close = 0
        self._die_at = die_at
        self._lock = threading.Lock()
        self.clock = FakeClock(moment)
        self.database = Database(place.address)
        event.listen(self.database.engine, "before_cursor_execute", lambda _, __, statement, *___: self.step(statement))
        event.listen(self.database.engine, "commit", lambda *_: self.step("commit"))
        unit_of_work = self.database.unit_of_work
        self.context = Context(unit_of_work, self.clock, FakeAlarm(), systems, lambda: "seed")
        # A later life knows that the earlier one is dead; those that race know nothing of each other.
        timing = Timing(renew_s=0.05, hold_s=10, take_s=20) if is_race else Timing(renew_s=60, hold_s=600, take_s=0)
        lease = Lease(unit_of_work, "announcer", timing=timing)
        self.announcer = Announcer(self.context, compose, self, tag="tag", lease=lease)

    def step(self, kind: str) -> None:
        """One more; the last one of this life ends it without a word."""
        with self._lock:
            self.steps += 1
            self.kinds.append(kind)
            if self.steps == self._die_at:
                os.kill(os.getpid(), signal.SIGKILL)

    async def send(self, target: Target, target_id: int, message: Message, *, nonce: str) -> int:
        """A Discord that remembers nonces, and outlives the bot."""
        self.step("to be sent")
        if target is Target.USER and target_id == DEAF:
            raise Undeliverable("403 50007")
        forgets = self.place.scenario == "doubt"
        number = _post(self.place.posts, nonce, [str(target), target_id], message, forgets=forgets)
        self.step("sent")
        return self.first_id + number

    async def edit(self, target: Target, target_id: int, message_id: int, message: Message) -> bool:
        """Change what is there; doing so again changes nothing."""
        self.step("to be edited")
        _append(self.place.edits, json.dumps([message_id, _hash(message)]))
        self.step("edited")
        return True

    async def find(
        self, target: Target, target_id: int, message: Message, *, nonce: str, since: datetime, known: Set[int]
    ) -> int | None:
        """Look through what Discord has."""
        for number, line in enumerate(_lines(self.place.posts), start=self.first_id):
            post = json.loads(line)
            is_like_it = post["to"] == [str(target), target_id] and post["said"] == _hash(message)
            if is_like_it and number not in known:
                return number
        return None

    def tell(self, answer: str) -> None:
        """A player is told that something was done."""
        self.step("to be told")
        _append(self.place.answers, answer)

    def was_told(self, answer: str) -> bool:
        """Whether a player was, in this life or an earlier one."""
        return answer in _lines(self.place.answers)

    # What happens

    def prepare(self) -> None:
        """A game in its first phase, everything announced; all have ordered but France."""
        self.first_id = 1
        lobby.create_game(
            self.context,
            lobby.NewGame(system="diplomacy", name="Crash", players=7, pace=Pace("1d")),
            guild_id=100,
            channel_id=200,
            user_id=HOST,
        )
        for power, user_id in USERS.items():
            lobby.join_game(self.context, GAME, user_id, power=power)
        lobby.start_game(self.context, GAME, HOST, is_manager=False)
        asyncio.run(self.announcer.drain())
        for user_id in USERS.values():
            if user_id != FRANCE:
                text = "\n".join(orders.suggest(self.context, GAME, user_id, ""))
                orders.submit(self.context, GAME, user_id, text, mode=SubmitMode.REPLACE, arrival=Arrival(phase_no=1))
                orders.set_ready(self.context, GAME, user_id, True)

    def play(self) -> None:
        """France orders, the phase closes, and everybody is told. A later life does what an earlier one left."""
        if not self.was_told("ordered") and self.clock.now() == NOON:
            self.order()
        if self.place.scenario == "ready":
            self.close_by_ready()
        else:
            self.clock.moment = AFTER_DEADLINE
            turns.close_phase(self.context, GAME, 1, ClosedBecause.DEADLINE)
        self.steps_to_close = self.steps
        asyncio.run(self.announcer.drain())

    def order(self) -> None:
        """France's orders are accepted, and France is told so."""
        text = "A PAR - BUR\nA MAR S A PAR - BUR\nF BRE - MAO"
        try:
            orders.submit(self.context, GAME, FRANCE, text, mode=SubmitMode.REPLACE, arrival=Arrival(phase_no=1))
        except Refused:
            return
        self.tell("ordered")

    def close_by_ready(self) -> None:
        """France, the last one, is ready: the phase closes."""
        if self.was_told("ready"):
            return
        try:
            orders.set_ready(self.context, GAME, FRANCE, True, arrival=Arrival(phase_no=1))
        except Refused:
            return
        self.tell("ready")

    def start_again(self) -> None:
        """What every start of the bot does; in the tale of `ready`, France tries again what was not answered."""
        if self.place.scenario == "ready":
            self.play()
        turns.sweep(self.context)
        if self.place.scenario == "doubt":
            self.clock.advance(timedelta(minutes=10))
        asyncio.run(self.announcer.drain())

    def account(self) -> dict[str, Any]:
        """What there is in the end."""
        drifts = replay.replay(self.context, GAME)
        with self.context.unit_of_work() as unit:
            game = unit.games.find(GAME)
            records = unit.phases.of_game(GAME)
            messages = unit.outbox.of_game(GAME)
            seats = unit.games.seats(GAME)
        assert game is not None
        posts = [json.loads(post) for post in _lines(self.place.posts)]
        return {
            "phase_no": game.phase_no,
            "phases": [[record.phase_no, record.code, record.closed_because] for record in records],
            "france": [list(record.sheets["france"].orders) for record in records if "france" in record.sheets],  # type: ignore[index]
            "drifts": len(drifts),
            "told": sorted(set(_lines(self.place.answers))),
            "pending": sum(message.delivery is Delivery.PENDING for message in messages),
            "failed": [message.kind for message in messages if message.delivery is Delivery.FAILED],
            "deaf": [seat.power for seat in seats if seat.dms_closed],
            "posts": sorted([*post["to"], post["words"]] for post in posts),
            "nonces": len({post["nonce"] for post in posts}) == len(posts),
            "in_order": all(_is_in_order(posts, to) for to in {tuple(post["to"]) for post in posts}),
        }


def deaths(place: Place, *, most: int) -> None:
    """Print the accounts of lives: undisturbed, one without France (who may be too late), and one for each death.

    Args:
        most: in how many stretches of a kind to die, before the phase is closed and after that; 0: at every step.
    """
    template = _prepared(place)
    undisturbed = _copy_of(template, "undisturbed")
    _print(_account_of(undisturbed, _life))
    _print(_account_of(_copy_of(template, "silent"), _late_life))
    steps_to_close, kinds = json.loads((undisturbed.folder / "steps").read_text())
    steps = len(kinds)
    # Announcing is the same whatever closed the phase.
    closing = _moments(kinds[:steps_to_close], most)
    announcing = [steps_to_close + step for step in _moments(kinds[steps_to_close:], most)]
    tales = {"deadline": [*closing, *announcing], "ready": closing, "doubt": announcing}
    for step in tales[place.scenario]:
        copy = _copy_of(template, f"died{step}")
        status = _in_child(partial(_short_life, copy, step))
        # How often a life looks for more to announce depends on which message is done first: it may have fewer steps.
        has_lived = status == 0 and step > steps_to_close
        assert status == signal.SIGKILL or has_lived, f"step {step} of {steps}: status {status}"
        _print(_account_of(copy, _late_life))
        shutil.rmtree(copy.folder)


def _moments(kinds: Sequence[str], most: int) -> list[int]:
    """Numbers of steps, from 1 on, to die at."""
    if not most:
        return list(range(1, len(kinds) + 1))
    ends: dict[str, list[int]] = {}
    for step, kind in enumerate(kinds, start=1):
        if kind == "commit" or kind.startswith("to be "):
            ends.setdefault(kind, []).append(step)
    return sorted(step for steps in ends.values() for step in _spread(steps, most))


def _spread(steps: Sequence[int], most: int) -> Sequence[int]:
    """So many of them, from the first to the last."""
    if len(steps) <= most or most < 2:
        return steps[:most]
    return [steps[place] for place in sorted({number * (len(steps) - 1) // (most - 1) for number in range(most)})]


def races(place: Place, *, processes: int, rounds: int) -> None:
    """Print, for each round, the account after processes that tried to close the same phase at the same time."""
    template = _prepared(place)
    for number in range(rounds):
        copy = _copy_of(template, f"race{number}")
        children = [_fork(partial(_race, copy)) for _ in range(processes)]
        (copy.folder / "go").touch()
        assert [_status(child) for child in children] == [0] * processes
        _print(_account_of(copy, _late_life))
        shutil.rmtree(copy.folder)


def _prepared(place: Place) -> Place:
    template = Place(place.address, place.folder / "template", place.scenario)
    template.folder.mkdir(parents=True)
    life = Life(template)
    life.prepare()
    life.database.close()
    template.posts.unlink()
    if not place.address.startswith("sqlite"):
        _keep(place.address)
    _warm_up(_copy_of(template, "warm"))
    return template


def _warm_up(place: Place) -> None:
    """Load what every life would load again, by one that is lived here; leave it to the children uncopied.

    What it read of its game is forgotten: words, maps and ways to read orders are all that they know beforehand.
    """
    life = Life(place)
    life.play()
    life.account()
    life.database.close()
    positions.forget()
    gc.collect()
    gc.freeze()
    gc.disable()


def _life(place: Place) -> Life:
    life = Life(place)
    life.play()
    (place.folder / "steps").write_text(json.dumps([life.steps_to_close, life.kinds]))
    return life


def _short_life(place: Place, die_at: int) -> None:
    Life(place, die_at=die_at).play()


def _late_life(place: Place) -> Life:
    life = Life(place, moment=NOON if place.scenario == "ready" else AFTER_DEADLINE)
    life.start_again()
    return life


def _race(place: Place) -> None:
    life = Life(place, moment=AFTER_DEADLINE, is_race=True)
    with life.context.unit_of_work() as unit:
        unit.games.due(AFTER_DEADLINE)
    while not (place.folder / "go").exists():
        time.sleep(0.001)
    if turns.close_phase(life.context, GAME, 1, ClosedBecause.DEADLINE):
        _append(place.answers, f"closed by {os.getpid()}")
    asyncio.run(life.announcer.drain())


def _account_of(place: Place, live: Callable[[Place], Life]) -> str:
    """What there is after a life, which is lived in a process of its own."""
    written = place.folder / "account"
    assert _in_child(lambda: _write(written, live(place))) == 0
    return written.read_text()


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def _write(path: Path, life: Life) -> None:
    path.write_text(json.dumps(life.account()))


# Processes


def _in_child(work: Callable[[], None]) -> int:
    return _status(_fork(work))


def _fork(work: Callable[[], None]) -> int:
    sys.stdout.flush()
    child = os.fork()
    if child:
        return child
    try:
        work()
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def _status(child: int) -> int:
    """The exit status, or the number of the signal that ended it."""
    _, status = os.waitpid(child, 0)
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


# Copies of databases


def _copy_of(template: Place, name: str) -> Place:
    """The place as it was prepared. On PostgreSQL there is one database, which is set back: that is much faster."""
    folder = template.folder.parent / name
    shutil.copytree(template.folder, folder)
    if not template.address.startswith("sqlite"):
        _set_back(template.address)
        return Place(template.address, folder, template.scenario)
    path = Path(template.address.removeprefix("sqlite:///"))
    for part in path.parent.glob(f"{path.name}*"):
        shutil.copyfile(part, folder / f"games.sqlite{part.name.removeprefix(path.name)}")
    return Place(f"sqlite:///{folder / 'games.sqlite'}", folder, template.scenario)


TABLES = [table.name for table in Row.metadata.sorted_tables]


def _keep(address: str) -> None:
    """Copy all tables of a PostgreSQL database to where `_set_back` finds them."""
    copies = [f"CREATE TABLE kept.{table} AS TABLE {table}" for table in TABLES]
    _on_server(address, "CREATE SCHEMA kept", *copies)


def _set_back(address: str) -> None:
    # The server may not have noticed yet that a client is dead.
    others = "datname = current_database() AND pid <> pg_backend_pid()"
    _on_server(
        address,
        f"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE {others}",
        f"TRUNCATE {', '.join(TABLES)}",
        *(f"INSERT INTO {table} SELECT * FROM kept.{table}" for table in TABLES),
        *(
            f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), (SELECT max(id) FROM {table}))"
            for table in ("games", "outbox")
        ),
    )


def _on_server(address: str, *statements: str) -> None:
    with psycopg.connect(address, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement.encode())


def _post(path: Path, nonce: str, to: list[object], message: Message, *, forgets: bool) -> int:
    """Keep a message unless its nonce is known; which one it is either way.

    Args:
        forgets: nonces of earlier processes are known no more.
    """
    with path.open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        posts = [json.loads(line) for line in _lines(path)]
        for number, post in enumerate(posts):
            if post["nonce"] == nonce and not (forgets and post["by"] != os.getpid()):
                return number
        words = hashlib.sha256(repr(message).encode()).hexdigest()
        post = {"nonce": nonce, "to": to, "words": words, "said": _hash(message), "by": os.getpid()}
        os.write(file.fileno(), f"{json.dumps(post)}\n".encode())
        return len(posts)


def _is_in_order(posts: Sequence[dict[str, Any]], to: tuple[str, int]) -> bool:
    """Whether the messages to somebody came as they were queued, part by part."""
    numbers = [[int(number) for number in post["nonce"].split("-")[1:]] for post in posts if tuple(post["to"]) == to]
    return numbers == sorted(numbers)


def _hash(message: Message) -> str:
    """Tells messages apart by everything but their pictures."""
    return hashlib.sha256(repr(replace(message, pictures=())).encode()).hexdigest()


def _append(path: Path, line: str) -> None:
    """Add a line at once, so that a death leaves all of it or nothing."""
    with path.open("ab") as file:
        os.write(file.fileno(), f"{line}\n".encode())


def _lines(path: Path) -> Sequence[str]:
    return path.read_text().splitlines() if path.exists() else ()


if __name__ == "__main__":
    asked = json.loads(sys.argv[1])
    place = Place(asked["address"], Path(asked["folder"]), asked["scenario"])
    if asked["scenario"] == "race":
        races(place, processes=asked["processes"], rounds=asked["rounds"])
    else:
        deaths(place, most=asked["most"])
