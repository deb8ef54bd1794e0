"""Use cases whose work takes long: they read, compute outside any transaction, and write if nothing has changed.

A use case is written as if everything happened in one transaction. Long work is requested from
`context.workers`. The first time the answer isn't there: the transaction is abandoned with nothing done, the
work is done with the database free for others, and the use case begins anew. If it then asks the same, with equal
arguments, it gets the answer at once; if what it read has changed meanwhile, it asks for other work.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, ParamSpec, TypeVar

from bot.ports import ReadsOnly, UnitOfWork, Workers
from bot.services.context import Context
from bot.services.inline_workers import InlineWorkers

P = ParamSpec("P")
T = TypeVar("T")

TRIES = 20
"""How often a use case may ask for work that is not done yet, or is out of date. After that the work is done with the
database held, so that it comes to an end. Phases that only the computer decides ask most often: for two jobs each.
"""


def transact(context: Context, use_case: Callable[[Context, UnitOfWork], T]) -> T:
    """Carry out a use case in one transaction that is committed; what takes long in it is done beforehand.

    It is begun as one that only reads, which waits for nobody; as soon as it changes something, as one that writes.

    Args:
        use_case: gets the context to work with. It may be called several times, and does nothing lasting except in
            its unit of work.

    Raises:
        Refused, WorkFailed: as the use case and its work do; then nothing was changed.
    """
    prepared, seeds = _Prepared(context.workers), _Seeds(context.seeds)
    inside = replace(context, workers=prepared, seeds=seeds.draw)
    is_reading = True
    for _ in range(TRIES):
        seeds.begin()
        try:
            return _carried_out(context.unit_of_work(reading=is_reading), partial(use_case, inside))
        except _NotYet as wanted:
            prepared.do(wanted)
        except ReadsOnly:
            pass
        is_reading = False
    return _carried_out(context.unit_of_work(), partial(use_case, context))


def _carried_out(unit: UnitOfWork, use_case: Callable[[UnitOfWork], T]) -> T:
    with unit:
        result = use_case(unit)
        unit.commit()
    return result


class _NotYet(BaseException):
    """Work that is needed, and not done: no fault, so nothing that takes faults may take it.

    Args:
        run: how it is to be done.
        call: the function and its arguments.
    """

    def __init__(self, run: Callable[..., Any], call: tuple[Any, ...]) -> None:
        super().__init__()
        self.run = run
        self.call = call


class _Prepared:
    """The workers inside a transaction: they know what was done before."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._done: list[tuple[tuple[Any, ...], Any, Exception | None]] = []

    def do(self, wanted: _NotYet) -> None:
        """Do what is needed. If that fails, the use case learns of it when it asks again, and may do without."""
        work, args, kwargs = wanted.call
        try:
            self._done.append((wanted.call, wanted.run(work, *args, **kwargs), None))
        except Exception as error:
            self._done.append((wanted.call, None, error))

    def run(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """See `bot.ports.Workers`."""
        return self._answer(self._workers.run, (work, args, kwargs))  # type: ignore[no-any-return]

    def run_here(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """See `bot.ports.Workers`."""
        return self._answer(self._workers.run_here, (work, args, kwargs))  # type: ignore[no-any-return]

    def _answer(self, run: Callable[..., Any], call: tuple[Any, ...]) -> Any:
        for done, answer, error in self._done:
            if done == call:
                if error is not None:
                    raise error
                return answer
        raise _NotYet(run, call)


class _Seeds:
    """Seeds for a use case, the same each time that it begins anew."""

    def __init__(self, draw: Callable[[], str]) -> None:
        self._draw = draw
        self._drawn: list[str] = []
        self._given = 0

    def begin(self) -> None:
        """The next one to be given is the first."""
        self._given = 0

    def draw(self) -> str:
        """The next one."""
        if self._given == len(self._drawn):
            self._drawn.append(self._draw())
        self._given += 1
        return self._drawn[self._given - 1]


def _fulfils() -> tuple[Workers, Workers]:
    """For the type checker."""
    return InlineWorkers(), _Prepared(InlineWorkers())
