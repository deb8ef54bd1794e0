"""Worker processes: drawing, closing and anything else that takes long is done there, so that it delays no answers.

A worker has one pipe to the bot and does one job at a time. It knows no database and no Discord: what a job needs is
sent with it, and its result is sent back. A job that takes too much time or memory ends with its worker, and with
nothing else; the next job gets a new one.
"""

from __future__ import annotations

import atexit
import contextlib
import copyreg
import ctypes
import io
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from multiprocessing import connection
from typing import ParamSpec, TypeVar

from bot.faults import describe_fault
from bot.model import Picture
from bot.ports import Workers, WorkersStopped, WorkFailed
from engine.core.depiction import Depiction
from engine.core.ids import SystemId
from engine.core.system import GameSystem
from engine.pictures.film import Film
from engine.registry import AnySystem, systems

P = ParamSpec("P")
T = TypeVar("T")

NICENESS = 10
"""Workers give way to the process that answers people."""
MEGABYTE = 1024 * 1024
PAUSE_S = 0.1
"""After this long without a job a worker gives back the memory that only its last job needed."""
LULL_S = 15.0
"""After this long without a job a worker releases what is worth its memory only while pictures follow one another."""
REST_S = 600.0
"""How long a worker waits for its next job; then it ends, and its memory is free for others."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a job.

    Args:
        cpu_s: of processor time.
        wall_s: of time, however little of the processor it gets.
        memory: bytes of address space of its worker, where the system can hold it to that. The largest map takes about
            a third of this: docs/hosting.md.
        rest_s: how long a worker waits for a job before it ends.
        lull_s: how long it waits before it releases what it can do without.
    """

    cpu_s: int = 60
    wall_s: float = 300.0
    memory: int = 1024 * MEGABYTE
    rest_s: float = REST_S
    lull_s: float = LULL_S


class WorkerProcesses:
    """Several workers, each started when there is work for it, and ended after a long time without any.

    Any thread may hand in jobs. Fulfils `bot.ports.Workers`.

    If there are several, one worker is reserved for jobs that somebody is waiting for at the screen.
    """

    def __init__(self, count: int, limits: Limits | None = None) -> None:
        assert count > 0, "without workers there is bot.services.inline_workers.InlineWorkers"
        limits = limits or Limits()
        self._all = [_Worker(limits) for _ in range(count)]
        self._free = list(self._all)
        self._kept = min(1, count - 1)
        self._is_closed = False
        self._change = threading.Condition()
        atexit.register(self.close)

    def run(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Do a job that can wait for others. Blocks; see `bot.ports.Workers`."""
        return self._run(partial(work, *args, **kwargs), self._spare)

    def run_here(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Do a job that isn't worth the way to a worker; see `bot.ports.Workers`."""
        return work(*args, **kwargs)

    def run_first(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Do a short job that somebody waits for, if need be in the worker that is kept for such jobs."""
        return self._run(partial(work, *args, **kwargs), self._any)

    def close(self) -> None:
        """End all workers. Jobs under way fail."""
        atexit.unregister(self.close)
        with self._change:
            self._is_closed = True
            self._change.notify_all()
        for worker in self._all:
            worker.close()

    def _run(self, work: Callable[[], T], find: Callable[[], _Worker | None]) -> T:
        job = _packed(work)
        with self._worker(find) as worker:
            found, fault = pickle.loads(worker.do(job))
            if isinstance(fault, WorkFailed):
                # Whatever it was, it is not to be in the way of the next job.
                worker.stop()
        if fault is not None:
            raise fault
        result: T = found
        return result

    @contextlib.contextmanager
    def _worker(self, find: Callable[[], _Worker | None]) -> Iterator[_Worker]:
        """The worker that is found among the free ones, for as long as it is needed; waits until there is one."""
        with self._change:
            worker = self._change.wait_for(lambda: self._is_closed or find())
            if self._is_closed:
                raise WorkersStopped("the workers have stopped")
            assert isinstance(worker, _Worker), "waited for"
            self._free.remove(worker)
        try:
            yield worker
        finally:
            with self._change:
                # The last is the first to be asked: a worker that has done something has something loaded.
                self._free.append(worker)
                self._change.notify_all()

    def _any(self) -> _Worker | None:
        return self._free[-1] if self._free else None

    def _spare(self) -> _Worker | None:
        return self._free[-1] if len(self._free) > self._kept else None


class WorkerRenderer:
    """Draws in a worker. Fulfils `bot.ports.Renderer`.

    Args:
        run: `WorkerProcesses.run`, or `run_first` for pictures that somebody waits for.
        run_long: for films, which take long whoever waits for them; as a rule `WorkerProcesses.run`.
    """

    def __init__(self, run: Callable[..., Picture], run_long: Callable[..., Picture] | None = None) -> None:
        self._run = run
        self._run_long = run_long or run

    def draw(self, shown: Depiction, /, *, width_px: int | None = None, with_key: bool = False) -> Picture:
        """The picture of whatever is to be shown.

        Raises:
            WorkFailed: it takes too much time or memory.
        """
        run = self._run_long if isinstance(shown, Film) else self._run
        return run(_draw, shown, width_px, with_key=with_key)


def _draw(shown: Depiction, width_px: int | None, *, with_key: bool = False) -> Picture:
    from bot.render import MapRenderer

    return MapRenderer().draw(shown, width_px=width_px, with_key=with_key)


class _Worker:
    """One worker as the bot sees it: used by one thread at a time, but stopped by any."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._process: subprocess.Popen[bytes] | None = None
        self._pipe: connection.Connection | None = None
        self._is_closed = False
        self._starting = threading.Lock()

    def do(self, job: bytes) -> bytes:
        """Have a packed job done.

        Raises:
            WorkFailed: the worker came to its end over it.
            WorkersStopped: it was ended with all others; nothing is known against the job.
        """
        try:
            return self._answer(self._given(job))
        except (EOFError, OSError):
            raise self._ending() from None
        except BaseException:
            # What it may still send is for nobody.
            self.stop()
            raise

    def stop(self) -> None:
        """End the process, whatever it is doing."""
        process, self._process = self._process, None
        if process is not None:
            with process:
                process.kill()

    def close(self) -> None:
        """End the process, and start no other."""
        with self._starting:
            self._is_closed = True
            self.stop()

    def _given(self, job: bytes) -> connection.Connection:
        """The pipe of a worker that has taken the job. One that has just ended takes none, and the job gets another."""
        pipe = self._started()
        try:
            self._hand_over(pipe, job)
        except (EOFError, OSError):
            if not self._has_ended():
                raise
            pipe = self._started()
            self._hand_over(pipe, job)
        return pipe

    def _hand_over(self, pipe: connection.Connection, job: bytes) -> None:
        # A job that is larger than the pipe waits until the worker reads it, which one that hangs never does.
        overdue = threading.Timer(self._limits.wall_s, self.stop)
        overdue.start()
        try:
            pipe.send_bytes(job)
        finally:
            overdue.cancel()
        self._answer(pipe)

    def _has_ended(self) -> bool:
        """Whether the process has come to its end without us: since no job came for long, or the system killed it."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._process is not None and self._process.wait(_ENDING_S) is not None
        return False

    def _answer(self, pipe: connection.Connection) -> bytes:
        if not pipe.poll(self._limits.wall_s):
            raise WorkFailed(f"a job took longer than {self._limits.wall_s:.0f} s")
        return pipe.recv_bytes()

    def _started(self) -> connection.Connection:
        with self._starting:
            if self._is_closed:
                raise WorkersStopped("the workers have stopped")
            if self._process is None or self._pipe is None or self._process.poll() is not None:
                try:
                    self._start()
                except OSError as error:
                    raise WorkFailed(f"no worker could be started: {error.strerror}") from error
            assert self._pipe is not None, "just made"
            return self._pipe

    def _start(self) -> None:
        self.stop()
        if self._pipe is not None:
            self._pipe.close()
        self._pipe, its_end = connection.Pipe()
        with its_end:
            number = its_end.fileno()
            # Nothing is ever written to its standard input: that ends with the bot, however the bot ends.
            self._process = subprocess.Popen(
                [sys.executable, "-c", f"from bot.workers import Limits, serve; serve({number}, {self._limits})"],
                stdin=subprocess.PIPE,
                pass_fds=[number],
                env={**os.environ, "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)},
            )

    def _ending(self) -> WorkFailed:
        process = self._process
        self.stop()
        if self._is_closed:
            return WorkersStopped("the workers have stopped")
        if process is None:
            return WorkFailed("its worker was stopped")
        if sys.platform != "win32" and process.returncode == -signal.SIGXCPU:
            return WorkFailed(f"a job took more than {self._limits.cpu_s} s of processor time")
        return WorkFailed(f"its worker ended ({process.returncode})")


# What crosses: a job as a call without arguments, and what came of it with what went wrong


def _packed(value: object) -> bytes:
    """A value as bytes. Rules of games go as their names."""
    buffer = io.BytesIO()
    pickler = pickle.Pickler(buffer, pickle.HIGHEST_PROTOCOL)
    pickler.dispatch_table = _BY_NAME
    pickler.dump(value)
    return buffer.getvalue()


def _system(system_id: SystemId) -> AnySystem:
    return systems[system_id]


_BY_NAME = copyreg.dispatch_table.copy()
_BY_NAME[GameSystem] = lambda system: (_system, (system.info.id,))


# In the worker


def serve(pipe_number: int, limits: Limits) -> None:
    """Do jobs until there are none any more, or the bot is gone: this is what a worker process runs.

    Args:
        pipe_number: the file descriptor of the pipe to the bot.
    """
    pipe = connection.Connection(pipe_number)
    _settle(limits)
    while True:
        try:
            if not _is_there_work(pipe, limits):
                return
            job = pipe.recv_bytes()
            pipe.send_bytes(_TAKEN)
        except (EOFError, OSError):
            return
        _grant_time(limits)
        pipe.send_bytes(_done(job))
        del job


def _is_there_work(pipe: connection.Connection, limits: Limits) -> bool:
    """Whether a job has come before the worker has waited long enough."""
    lull_s = min(limits.lull_s, limits.rest_s)
    pause_s = min(PAUSE_S, lull_s)
    # Not after each job: to get the memory back costs the next one up to a fifth of its time.
    for wait_s, how in ((pause_s, "pause"), (lull_s - pause_s, "let_go")):
        if pipe.poll(wait_s):
            return True
        _let_go(how)
    return pipe.poll(limits.rest_s - lull_s)


_TAKEN = b"taken"
"""What a worker answers at once when it gets a job: without that it has not begun."""
_ENDING_S = 10.0
"""For so long a worker that has taken no job may take to end."""


def _let_go(how: str) -> None:
    """Have pictures hold less (`bot.render.lull` tells how), and give that back, which the C library would keep."""
    if "bot.render.lull" in sys.modules:  # it has drawn
        getattr(sys.modules["bot.render.lull"], how)()
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def _done(job: bytes) -> bytes:
    try:
        return _packed((pickle.loads(job)(), None))
    except MemoryError:
        return _packed((None, WorkFailed("a job took too much memory")))
    except Exception as error:
        return _packed((None, _as_sent(error)))


def _as_sent(error: Exception) -> Exception:
    """The exception as the bot can raise it again; where it came from would be lost on the way, and is noted."""
    fault = describe_fault(error)
    try:
        sent: Exception = pickle.loads(_packed(error))
    except Exception:
        return WorkFailed(fault)
    sent.__dict__["fault"] = fault
    return sent


def _settle(limits: Limits) -> None:
    # Stopping the bot (Ctrl+C, a supervisor) signals all its processes; it needs them to finish what is under way.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    threading.Thread(target=_die_with_the_bot, daemon=True).start()
    if sys.platform != "win32":
        import resource

        os.nice(NICENESS)
        memory = _allowed(resource.RLIMIT_AS, limits.memory)
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # Where memory runs out, Linux is to take a worker rather than the bot.
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("500")


def _die_with_the_bot() -> None:
    os.read(sys.stdin.fileno(), 1)
    os._exit(1)


def _grant_time(limits: Limits) -> None:
    """Let the next job have its time; the system ends the worker when that is over, even inside of a library."""
    if sys.platform != "win32":
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        until = int(used.ru_utime + used.ru_stime) + 1 + limits.cpu_s
        _, most = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (_allowed(resource.RLIMIT_CPU, until), most))


def _allowed(what: int, wanted: int) -> int:
    """As much of something as a job may have: whoever started the bot may have limited it more narrowly."""
    import resource

    _, most = resource.getrlimit(what)
    return wanted if most == resource.RLIM_INFINITY else min(wanted, most)


def _fulfils(processes: WorkerProcesses) -> Workers:
    """For the type checker."""
    return processes
