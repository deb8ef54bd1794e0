"""What is wrong with an order as written: a value, never an exception.

    OrderError
    ├── unreadable: the line is not an order, or names something that doesn't exist    (from `parse`)
    └── illegal:    a readable order that this seat may not give now      (from `check`)

An order that is legal but does not work is neither: it has an `Outcome`. A document that can't be used raises
`DocumentError`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.core.phrases import Phrase


@dataclass(frozen=True, slots=True)
class OrderError:
    """One line refused, and why.

    Args:
        line: number of the line in the player's text, from 1.
        column: of the first character that is wrong, from 1; `end` is the column after the last.
        text: the line as written.
        code: the reason; its words are the phrase `error.<code>` with `args`.
        hints: up to three texts that would have been understood, best first.
        subject: what the line was for (`BUD`), if that much could be read and it belongs to this seat.
        order: canonical text of an order that was read but is illegal.
        why: the reason in closer words than the phrase of the code; `None`: there are none.
        are_hints_sure: whether the hints are known to be whole orders that this seat may give.
    """

    line: int
    column: int
    end: int
    text: str
    code: str
    args: Mapping[str, Any] = field(default_factory=dict)
    hints: tuple[str, ...] = ()
    subject: str | None = None
    order: str | None = None
    why: Phrase | None = None
    are_hints_sure: bool = field(default=False, compare=False)

    @property
    def reason(self) -> Phrase:
        """Why, for the player."""
        return Phrase(f"error.{self.code}", self.args) if self.why is None else self.why


class DocumentError(ValueError):
    """A game.json that can't be used: `where` is the path of the part that is wrong, such as `state.units[3].at`."""

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(f"{where}: {problem}")
        self.where = where
        self.problem = problem

    def __reduce__(self) -> tuple[type[DocumentError], tuple[str, str]]:
        # When it is passed to another process it is made from its parts, not from its message.
        return DocumentError, (self.where, self.problem)
