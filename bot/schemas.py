"""The values of `bot.model` as plain data, and back: one definition for the database and for exports.

Fields are written and checked by their types, through pydantic. What comes from the rules (results, events, phrases)
has forms of its own, which the rules define.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, fields
from typing import Any, Generic, TypeVar

from pydantic import TypeAdapter, ValidationError

from bot.model import Act, Ballot, Game, Mailbox, Outgoing, PhaseRecord, Proposal, Seat, StoredSheet
from engine.core.events import Event
from engine.core.outcome import OrderResult
from engine.core.phrases import phrase_from_json, phrase_to_json

T = TypeVar("T")

Plain = dict[str, Any]
"""A JSON object, by the names of fields."""


@dataclass(frozen=True, slots=True)
class Own:
    """How a field with a form of its own is written and read."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


class Schema(Generic[T]):
    """How values of one class look as plain data.

    Args:
        kind: a dataclass.
        own: its fields that have forms of their own.
    """

    def __init__(self, kind: type[T], **own: Own) -> None:
        self._adapter = TypeAdapter(kind)
        self._own = own
        self.names = frozenset(field.name for field in fields(kind))  # type: ignore[arg-type]

    def write(self, value: T, *, but: Collection[str] = ()) -> Plain:
        """All fields but these; times are ISO 8601."""
        skipped = set(but)
        written: Plain = self._adapter.dump_python(value, mode="json", exclude=skipped | self._own.keys())
        own = {name: way.write(getattr(value, name)) for name, way in self._own.items() if name not in skipped}
        return written | own

    def read(self, data: Mapping[str, Any]) -> T:
        """The value that was written; fields that it does not have are ignored.

        Raises:
            ValueError: a field is not what it should be; it is named, but its contents are not. For fields with
                forms of their own `KeyError`, `TypeError` or `AttributeError` too.
        """
        own = {name: way.read(data[name]) for name, way in self._own.items() if name in data}
        try:
            return self._adapter.validate_python({**data, **own})
        except ValidationError as error:
            first, *_ = error.errors(include_url=False, include_input=False)
            # Without its cause: pydantic's own text repeats what was written, which may be an order.
            raise ValueError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None


def _list_of(own: Own) -> Own:
    return Own(lambda values: [own.write(value) for value in values], lambda rows: tuple(map(own.read, rows)))


_TITLE = Own(
    lambda title: None if title is None else phrase_to_json(title),
    lambda data: None if data is None else phrase_from_json(data),
)

GAMES = Schema(Game, game_masters=Own(sorted, lambda users: users), phase_title=_TITLE)
SEATS = Schema(Seat)
SHEETS = Schema(StoredSheet)
RECORDS = Schema(
    PhaseRecord,
    results=_list_of(Own(OrderResult.to_json, OrderResult.from_json)),
    events=_list_of(Own(Event.to_json, Event.from_json)),
)
MESSAGES = Schema(Outgoing)
MAILBOXES = Schema(Mailbox)
BALLOTS = Schema(Ballot)
PROPOSALS = Schema(Proposal)
ACTS = Schema(Act)
