"""Reading and writing a game.json: what the documents of all systems have in common."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, TypeVar

from engine.core.dice import ForcedRoll
from engine.core.errors import DocumentError
from engine.core.facts import OptionInfo, SystemInfo
from engine.core.ids import PowerId
from engine.core.phrases import Phrase, phrase, phrase_from_json, phrase_to_json
from engine.core.play import Over
from engine.core.variant import Variant, load_phrases, load_variant, phrases_of

_W = TypeVar("_W", bound=StrEnum)

_DIGITS = re.compile(r"[0-9]{1,18}")
_CHANCE = frozenset({"seed", "dice"})
FORMAT = 1
"""The `format` of every document."""
MOST = 10**9
"""The largest number in a position, unless a game says otherwise."""


def check_players(info: SystemInfo, players: int, variant: str | None = None) -> None:
    """A number of players that a game can begin with.

    Args:
        variant: the one that is played; `None`: all have the same numbers.

    Raises:
        DocumentError: the system can't seat so many.
    """
    numbers = info.seats if variant is None else info.seats_in(variant)
    if players not in numbers:
        first, last = numbers[0], numbers[-1]
        seats = f"{first}" if first == last else f"{first} to {last}"
        raise DocumentError("players", f"{players} can't play; {seats} can")


def checked_document(info: SystemInfo, document: Any) -> Mapping[str, Any]:
    """The document, checked to be one of this system and of the only format there is.

    Raises:
        DocumentError: it is not a document, or is a document of something else.
    """
    game = mapping_of(document, "game")
    if game.get("format", FORMAT) != FORMAT:
        raise DocumentError("format", f"{game['format']!r} is not {FORMAT}")
    if str(game.get("system", info.id)).lower() != info.id:
        raise DocumentError("system", f"{game['system']!r} is not {info.id}")
    return game


def game_document(
    info: SystemInfo,
    variant: Variant,
    *,
    options: Mapping[str, Any],
    seed: str,
    phase: Mapping[str, Any],
    state: Mapping[str, Any],
    dice: Mapping[str, Any],
    over: Over | None,
) -> dict[str, Any]:
    """The game.json of a game.

    Args:
        phase, state: where the game stands, and its position, each in the game's own form.
        dice: the forced rolls, in the form in which they are written.
    """
    document: dict[str, Any] = {
        "format": FORMAT,
        "system": str(info.id),
        "variant": variant.id,
        "options": dict(options),
        "seed": seed,
        "phase": dict(phase),
        "state": dict(state),
    }
    if dice:
        document["dice"] = dict(dice)
    if over is not None:
        document["over"] = over_row(variant, over.winners, over.why)
    return document


def named_variant(info: SystemInfo, name: Any) -> Variant:
    """The variant with this name, in upper or lower case.

    Raises:
        DocumentError: the system has no such variant.
    """
    identifier = str(name).lower()
    if identifier not in info.variants:
        raise DocumentError("variant", f"there is no {name!r}; there is {', '.join(info.variants)}")
    return load_variant(info.id, identifier)


def options_of(info: SystemInfo, variant: Variant, given: Mapping[str, Any]) -> dict[str, bool | int | str]:
    """Every option with its value; one that is not given has the variant's value, otherwise its own default."""
    known = {option.name: option for option in info.options}
    for name in given:
        if name not in known:
            raise DocumentError(f"options.{name}", f"there is no such option; there are {', '.join(known)}")
    return {
        name: option_of(option, given.get(name, variant.settings.get(name, option.default)))
        for name, option in known.items()
    }


def option_of(option: OptionInfo, value: Any) -> bool | int | str:
    """The value of an option, as its default's type.

    Raises:
        DocumentError: it can't have that value.
    """
    where = f"options.{option.name}"
    if isinstance(option.default, bool):
        word = str(value).strip().lower()
        if word not in ("true", "false"):
            raise DocumentError(where, f"{value!r} is neither true nor false")
        return word == "true"
    if isinstance(option.default, int):
        if isinstance(value, str) and _DIGITS.fullmatch(value.strip()):
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            raise DocumentError(where, f"{value!r} is not a whole number")
        least, most = option.least, option.most
        if (least is not None and value < least) or (most is not None and value > most):
            raise DocumentError(where, f"{value} is not from {least} to {most}")
        return value
    if not option.choices:
        return str(value).strip()
    word = str(value).strip().lower()
    if word not in option.choices:
        raise DocumentError(where, f"{value!r} is none of {', '.join(option.choices)}")
    return word


def word_of(words: type[_W], given: Any, where: str) -> _W:
    """The member of an enum of lower-case words that is meant, in upper or lower case.

    Raises:
        DocumentError: it is none of them.
    """
    try:
        return words(str(given).lower())
    except ValueError:
        raise DocumentError(where, f"{given!r} is none of {', '.join(words)}") from None


def mapping_of(value: Any, where: str) -> Mapping[str, Any]:
    """The value, if it is an object.

    Raises:
        DocumentError: it is something else.
    """
    if not isinstance(value, Mapping):
        raise DocumentError(where, "is not an object")
    return value


def list_of(value: Any, where: str) -> Sequence[Any]:
    """The value, if it is a list.

    Raises:
        DocumentError: it is something else.
    """
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise DocumentError(where, "is not a list")
    return value


def rows_of(value: Any, where: str) -> Sequence[Mapping[str, Any]]:
    """The value, if it is a list of objects.

    Raises:
        DocumentError: it, or one of them, is something else.
    """
    return [mapping_of(row, f"{where}[{index}]") for index, row in enumerate(list_of(value, where))]


def integer_of(value: Any, where: str, *, least: int = 0, most: int = MOST) -> int:
    """The value, if it is a whole number from `least` to `most`.

    Raises:
        DocumentError: it is something else.
    """
    if not isinstance(value, int) or isinstance(value, bool):
        raise DocumentError(where, f"{value!r} is not a whole number")
    if not least <= value <= most:
        raise DocumentError(where, f"{value} is not from {least} to {most}")
    return value


def boolean_of(value: Any, where: str) -> bool:
    """The value, if it is true or false.

    Raises:
        DocumentError: it is something else.
    """
    if not isinstance(value, bool):
        raise DocumentError(where, f"{value!r} is neither true nor false")
    return value


def streams_of(value: Any, *, sides: int) -> dict[str, tuple[ForcedRoll, ...]]:
    """The rolls that a document forces: for each stream, in lower case, numbers and lists of dice thrown at once.

    Whether a roll can have that result is known only when it is rolled; here none may be more than the largest die.

    Args:
        sides: of the largest die, or the largest sum.

    Raises:
        DocumentError: there is something else; it names the place.
    """
    return {
        str(stream).casefold(): tuple(
            _entry_of(entry, f"dice.{stream}[{index}]", sides)
            for index, entry in enumerate(list_of(rolls, f"dice.{stream}"))
        )
        for stream, rolls in mapping_of(value, "dice").items()
    }


def _entry_of(value: Any, where: str, sides: int) -> ForcedRoll:
    if isinstance(value, Sequence) and not isinstance(value, str):
        if not value:
            raise DocumentError(where, "is an empty list")
        return tuple(integer_of(die, f"{where}[{place}]", least=1, most=sides) for place, die in enumerate(value))
    return integer_of(value, where, least=1, most=sides)


def streams_to_json(streams: Mapping[str, Sequence[ForcedRoll]]) -> dict[str, list[Any]]:
    """The form that `streams_of` reads."""
    return {
        stream: [list(entry) if isinstance(entry, tuple) else entry for entry in entries]
        for stream, entries in streams.items()
    }


def seen_document(document: Mapping[str, Any]) -> dict[str, Any]:
    """The document without the seed and the dice, which nobody may see while a game goes on."""
    return {key: value for key, value in document.items() if key not in _CHANCE}


def over_row(variant: Variant, winners: Sequence[PowerId], why: Phrase) -> dict[str, Any]:
    """The `over` of a document: who won, and why, in words and as the phrase that `why_of` reads.

    Args:
        variant: the game's own, whose powers may have names that the system does not know.
    """
    return {"winners": list(winners), "why": phrases_of(variant).render(why), "phrase": phrase_to_json(why)}


def why_of(row: Mapping[str, Any], system: str) -> Phrase:
    """Why a game is over, from the `over` of its document: as a phrase, otherwise as the words given there.

    Raises:
        DocumentError: the phrase is not one of the system's.
    """
    reason = row.get("phrase")
    if reason is None:
        return phrase("event.over", why=str(row.get("why", "")))
    try:
        why = phrase_from_json(mapping_of(reason, "over.phrase"))
        load_phrases(system).render(why)
    except (KeyError, IndexError, AttributeError, TypeError, ValueError):
        raise DocumentError("over.phrase", "is not a phrase of this game") from None
    return why
