"""Untrusted JSON: nothing but what the format allows, and never so much that it takes long to read.

Besides invalid JSON it refuses NaN and infinities, a key that occurs twice in one object (the first would be lost
without a word), numbers of more digits than anybody needs, brackets nested without end, and halves of characters (lone
surrogates) and NUL, which can't be written to a text, or which no database accepts.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any, NoReturn

from engine.core.errors import DocumentError
from engine.core.words import well_formed

LONGEST = 1024 * 1024
"""The most bytes of a scenario's file."""
MOST_DIGITS = 18
DEEPEST = 12
"""How deep lists and objects may be nested."""
_TEXT = "the file"
_HALF = re.compile(r"\\ud[89a-f]|\\u0000|[\ud800-\udfff]", re.IGNORECASE)


def read_json(text: str) -> Any:
    """The value that a text holds.

    Raises:
        DocumentError: where it stops being JSON (line and column), or what in it is refused.
    """
    try:
        value = json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_whole_number,
            parse_constant=_constant,
        )
    except json.JSONDecodeError as error:
        raise DocumentError(f"line {error.lineno}, column {error.colno}", f"is not JSON: {error.msg}") from None
    except RecursionError:
        raise DocumentError(_TEXT, f"lists and objects are nested more than {DEEPEST} deep") from None
    _require_shallow(value)
    if _HALF.search(text):
        _require_whole(value)
    return value


def is_text(value: str) -> bool:
    """Whether any file and any database can hold it: they can't hold halves of characters, and some can't hold NUL."""
    return "\0" not in value and well_formed(value) == value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise DocumentError(twice, "occurs twice in one object")
    return found


def _whole_number(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise DocumentError(f"{digits[:MOST_DIGITS]}…", "is too long a number")
    return int(digits)


def _constant(word: str) -> NoReturn:
    raise DocumentError(word, "is not a number in JSON")


def _require_shallow(value: Any) -> None:
    level = [value]
    for _ in range(DEEPEST):
        level = [inner for outer in level for inner in _inside(outer)]
    if level:
        raise DocumentError(_TEXT, f"lists and objects are nested more than {DEEPEST} deep")


def _require_whole(value: Any) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise DocumentError(_TEXT, "has half a character in it: \\ud… without its other half") from None

    level = [value]
    while level:
        keys = [key for outer in level if isinstance(outer, Mapping) for key in outer]
        if any(isinstance(text, str) and not is_text(text) for text in (*level, *keys)):
            raise DocumentError(_TEXT, "has the character NUL in it")
        level = [inner for outer in level for inner in _inside(outer)]


def _inside(value: Any) -> Any:
    if isinstance(value, Mapping):
        return value.values()
    return value if isinstance(value, list) else ()
