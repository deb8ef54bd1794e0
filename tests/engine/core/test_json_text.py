"""Strangers' JSON: what is wrong is named with its place, and nothing hangs."""

from __future__ import annotations

import pytest

from engine.core.errors import DocumentError
from engine.core.json_text import read_json


def test_what_the_format_allows_is_read() -> None:
    assert read_json('{"a": [1, 2.5, null, true, "\\u00e4"], "b": {"c": -3}}') == {
        "a": [1, 2.5, None, True, "ä"],
        "b": {"c": -3},
    }


def test_characters_written_as_two_halves_are_whole() -> None:
    assert read_json(r'["\ud83d\ude00", "\\ud800"]') == ["\U0001f600", r"\ud800"]


@pytest.mark.parametrize(
    ("text", "where", "problem"),
    [
        ("", "line 1, column 1", "Expecting value"),
        ('{"a": 1,\n "b" 2}', "line 2, column 6", "delimiter"),
        ('{"a": NaN}', "NaN", "not a number"),
        ("[-Infinity]", "-Infinity", "not a number"),
        ('{"a": 1, "b": 2, "a": 3}', "a", "twice"),
        ("9" * 100_000, "9" * 18, "too long a number"),
        ("[" * 100_000, "", ""),
        ("[" * 100_000 + "]" * 100_000, "the file", "nested more than"),
        ("[" * 13 + "]" * 13, "the file", "nested more than"),
        ('{"a":' * 13 + "1" + "}" * 13, "the file", "nested more than"),
        ('"' + "\x00" + '"', "line 1, column 2", "control character"),
        (r'{"a": ["x\ud800"]}', "the file", "half a character"),
        (r'{"\udfff": 1}', "the file", "half a character"),
        (r'["\u0000"]', "the file", "NUL"),
        (r'{"\u0000": 1}', "the file", "NUL"),
    ],
    ids=[
        "empty",
        "comma",
        "nan",
        "infinity",
        "twice",
        "digits",
        "open",
        "deep",
        "13",
        "13 objects",
        "control",
        "half",
        "half key",
        "nul",
        "nul key",
    ],
)
def test_what_is_wrong_is_named_with_its_place(text: str, where: str, problem: str) -> None:
    with pytest.raises(DocumentError) as error:
        read_json(text)
    assert error.value.where.startswith(where)
    assert problem in error.value.problem
