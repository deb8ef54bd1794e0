"""Words, numbers and coordinates of a document; each reader says where one can't be right.

Source: rules 30
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from engine.core.documents import integer_of, list_of
from engine.core.errors import DocumentError
from engine.core.ids import PowerId
from engine.kalevala.coordinates import Edge, GfId, parse_edge, parse_gf
from engine.kalevala.figures import composed
from engine.lattice.great_fields import CELLS, Side

_LONGEST_NAME = 40
count_of = partial(integer_of, most=1_000_000)
"""A whole number from 0 to a million, or between the limits given."""


def given_or(value: Any, default: Any) -> Any:
    """What is given; `null` counts as left out."""
    return default if value is None else value


def decimal_of(value: Any, where: str) -> float:
    """A number that may have a fraction."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise DocumentError(where, f"{value!r} is not a number")
    return value


def word_of(value: Any, words: tuple[str, ...], where: str) -> str:
    """One of a few words, in any case."""
    word = str(value).lower()
    if word not in words:
        raise DocumentError(where, f"{value!r} is none of {', '.join(words)}")
    return word


def name_of(value: Any, where: str) -> PowerId:
    """The id of a ruler, from a name in any case."""
    name = "_".join(composed(value).lower().split()) if isinstance(value, str) else ""
    if not name or len(name) > _LONGEST_NAME or not name.isprintable() or set(name) & set('[]"#;,'):
        raise DocumentError(where, f"{value!r} is no name of a ruler")
    return PowerId(name)


def cell_of(value: Any, where: str) -> int:
    """The number of a small field, also written as text."""
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= CELLS:
        raise DocumentError(where, f"{value!r} is no small field from 1 to {CELLS}")
    return value


def edges_of(value: Any, where: str) -> Iterator[Edge]:
    """A list of edges of small fields."""
    for index, each in enumerate(list_of(given_or(value, ()), where)):
        yield edge_of(each, f"{where}[{index}]")


def edge_of(value: Any, where: str) -> Edge:
    """An edge such as `12/NE`."""
    edge = parse_edge(str(value))
    if edge is None:
        raise DocumentError(where, f"{value!r} is no edge such as 12/NE")
    return edge


def side_of(value: Any, where: str) -> str:
    """The name of a side, in any case."""
    side = str(value).upper()
    if side not in Side.__members__:
        raise DocumentError(where, f"{value!r} is none of {', '.join(Side.__members__)}")
    return side


def coordinate_of(value: Any, where: str, plane: int | None) -> GfId:
    """A great field; `plane` is meant where it names none."""
    gf = parse_gf(str(value), plane)
    if gf is None:
        raise DocumentError(where, f"{value!r} is no coordinate")
    return gf
