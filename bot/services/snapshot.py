"""A context in which everything is read at one moment, each thing once: for whoever asks the same again and again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import TracebackType
from typing import Any, Self

from bot.ports import UnitOfWork
from bot.services.context import Context


@contextmanager
def snapshot(context: Context) -> Iterator[Context]:
    """Inside, the context shows the database as it is now. It changes nothing, and is for this thread alone."""
    with context.reading() as unit:
        yield replace(context, unit_of_work=_Snapshot(unit))


class _Snapshot:
    """A unit of work that was begun, as a factory of units of work; what it has read it knows."""

    def __init__(self, unit: UnitOfWork) -> None:
        self.games: Any = _Remembering(unit.games)
        self.sheets: Any = _Remembering(unit.sheets)
        self.phases: Any = _Remembering(unit.phases)
        self.acts: Any = _Remembering(unit.acts)
        self.outbox: Any = _Remembering(unit.outbox)
        self.ballots: Any = _Remembering(unit.ballots)
        self.facts: Any = _Remembering(unit.facts)
        self.mailboxes: Any = _Remembering(unit.mailboxes)
        self.notices: Any = _Remembering(unit.notices)

    def __call__(self, *, reading: bool = False) -> Self:
        assert reading, "a snapshot is only read"
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """It ends with the block of `snapshot`."""

    def commit(self) -> None:
        """There is nothing to commit."""


class _Remembering:
    """A repository that is asked everything once."""

    def __init__(self, repository: object) -> None:
        self._repository = repository
        self._known: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Callable[..., Any]:
        ask = getattr(self._repository, name)

        def answer(*args: Any, **kwargs: Any) -> Any:
            question = repr((name, args, sorted(kwargs.items())))
            if question not in self._known:
                self._known[question] = ask(*args, **kwargs)
            return self._known[question]

        return answer
