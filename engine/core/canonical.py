"""Reads canonical texts of orders back: the opposite of a game's `format`.

Canonical texts have a shape for each kind of order, so they can be read without a position and without a view.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

_FIELD = re.compile(r"\{(\w+)(?::(\w+))?(\+?)\}")


def reader(*shapes: tuple[str, Callable[..., T]]) -> Callable[[str], T | None]:
    """A function that reads texts of these shapes and returns `None` for any other text.

    A `{field}` is a word, a `{field+}` some words, a `{field:AF}` one of these letters (`{field:AF+}`: some).

    The makers get the fields by name. If several shapes match, the first is used.

    >>> read = reader(("{kind:AF} {at} H", lambda kind, at: (kind, at)), ("WAIVE", lambda: "waived"))
    >>> read("A BUD H"), read("WAIVE"), read("A BUD")
    (('A', 'BUD'), 'waived', None)
    """
    known = [(re.compile(_pattern(shape)), make) for shape, make in shapes]

    def read(text: str) -> T | None:
        for pattern, make in known:
            match = pattern.fullmatch(text)
            if match is not None:
                return make(**match.groupdict())
        return None

    return read


def without_view(read: Callable[[str], T | None]) -> Callable[[str, object], T | None]:
    """Makes `Orders.read` for a game whose canonical texts can be read without a view."""
    return lambda text, view: read(text)


def _pattern(shape: str) -> str:
    parts = []
    end = 0
    for field in _FIELD.finditer(shape):
        words = f"[{field[2]}]{field[3]}" if field[2] else r"\S+(?: \S+)*?" if field[3] else r"\S+"
        parts += [re.escape(shape[end : field.start()]), f"(?P<{field[1]}>{words})"]
        end = field.end()
    return "".join((*parts, re.escape(shape[end:])))
