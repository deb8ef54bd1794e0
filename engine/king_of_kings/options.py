"""The options of a game of King of Kings. Source: rules 12."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from engine.core.documents import mapping_of, option_of
from engine.core.errors import DocumentError
from engine.core.facts import OptionInfo
from engine.core.phrases import phrase
from engine.king_of_kings.generator import MOST_SIDE
from engine.king_of_kings.model import Options

NONE = "none"
"""The word for no limit in texts; `null` in documents."""
_LIMITS = ("storage_gold", "storage_wood", "storage_food", "fame_limit")
_CHOICES = {
    "interleave": ("round_robin", "by_nation"),
    "nmr": ("classic", "hold"),
    "map": ("classic", "balanced", "ring"),
}
_RANGES = {"max_orders": (0, 10_000), "max_generals": (0, 1000), "end_turn": (1, 9999), "map_side": (0, MOST_SIDE)}
_MOST = 1_000_000_000


def _info(name: str, default: Any) -> OptionInfo:
    """How an option is offered; limits, which may be `none`, and lists of turns are offered as texts."""
    words = phrase(f"option.{name}")
    if name in _LIMITS:
        return OptionInfo(name, NONE if default is None else str(default), words)
    if name == "general_turns":
        return OptionInfo(name, " ".join(map(str, default)), words)
    least, most = _RANGES.get(name, (None, None))
    return OptionInfo(name, default, words, choices=_CHOICES.get(name, ()), least=least, most=most)


OPTIONS = tuple(_info(each.name, each.default) for each in fields(Options))
_BY_NAME = {option.name: option for option in OPTIONS}


def read_options(given: Any) -> Options:
    """The options of a document; what is left out, or is `null` where that is not a value, has its default.

    Raises:
        DocumentError: an unknown option, or a value that it can't have.
    """
    found: dict[str, Any] = {}
    for name, value in mapping_of(given, "options").items():
        if name not in _BY_NAME:
            raise DocumentError(f"options.{name}", f"there is no such option; there are {', '.join(_BY_NAME)}")
        if value is not None or name in _LIMITS:
            found[name] = _value(name, value)
    return Options(**found)


def _value(name: str, value: Any) -> Any:
    if name in _LIMITS:
        return _limit(f"options.{name}", value)
    if name == "general_turns":
        return _turns(f"options.{name}", value)
    return option_of(_BY_NAME[name], value)


def _limit(where: str, value: Any) -> int | None:
    if value is None or (isinstance(value, str) and value.strip().lower() in (NONE, "null", "")):
        return None
    number = _number(value)
    if number is None or not 0 <= number <= _MOST:
        raise DocumentError(where, f"{value!r} is neither a number from 0 nor {NONE}")
    return number


def _turns(where: str, value: Any) -> tuple[int, ...]:
    items = value.replace(",", " ").strip("[] ").split() if isinstance(value, str) else value
    if _number(items) is not None:
        items = [items]
    if not isinstance(items, list | tuple):
        raise DocumentError(where, f"{value!r} is not a list of turns")
    numbers = [_number(item) for item in items]
    if any(number is None or not 0 <= number <= _MOST for number in numbers):
        raise DocumentError(where, f"{value!r} is not a list of turns")
    return tuple(number for number in numbers if number is not None)


def _number(value: Any) -> int | None:
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdecimal() and len(value) < 12:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def options_row(options: Options) -> dict[str, Any]:
    """The options as a document has them.

    All are written, except `map` if it has the value of the time before it existed.
    """
    row: Mapping[str, Any] = {each.name: getattr(options, each.name) for each in fields(Options)}
    known = {name: list(value) if isinstance(value, tuple) else value for name, value in row.items()}
    return {name: value for name, value in known.items() if (name, value) != _OLDEST_MAP}


_OLDEST_MAP = ("map", "classic")


def changed_options(before: Options, after: Options) -> dict[str, Any]:
    """The options, as documents have them, that differ; with their later values."""
    old = options_row(before)
    return {name: value for name, value in options_row(after).items() if value != old.get(name)}
