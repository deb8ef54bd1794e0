"""Composed messages as JSON, stored until they are delivered: the text, not the pictures, which are drawn again.

Stored by the announcer, in the outbox.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bot.model import UserId
from bot.text.message import Button, ButtonStyle, Embed, Field, Message, Select, SelectChoice, TextFile


def words_to_json(message: Message) -> dict[str, Any]:
    """Everything of a message but its pictures."""
    words: dict[str, Any] = _plain(replace(message, pictures=()))
    return words


def _plain(value: Any) -> Any:
    """Dataclasses as dictionaries; `dataclasses.asdict` would also copy every text."""
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    fields = getattr(value, "__dataclass_fields__", None)
    return value if fields is None else {name: _plain(getattr(value, name)) for name in fields}


def message_from_json(data: Mapping[str, Any], drawn_with: Message | None = None) -> Message:
    """The message of these words, with the pictures of the one that is composed for the same place now."""
    return Message(
        content=data["content"],
        embeds=tuple(_embed(embed) for embed in data["embeds"]),
        pictures=() if drawn_with is None else drawn_with.pictures,
        files=tuple(TextFile(**file) for file in data["files"]),
        buttons=tuple(map(_button, data["buttons"])),
        shortcuts=tuple(map(_button, data.get("shortcuts", ()))),
        selects=tuple(_select(select) for select in data["selects"]),
        mentions=tuple(map(UserId, data["mentions"])),
    )


def messages_from_json(data: Sequence[Mapping[str, Any]], drawn_with: Sequence[Message]) -> tuple[Message, ...]:
    """The messages of these words, each with the pictures of its counterpart, if it has one."""
    counterparts = [*drawn_with, *[None] * len(data)]
    return tuple(message_from_json(words, other) for words, other in zip(data, counterparts, strict=False))


def _embed(data: Mapping[str, Any]) -> Embed:
    return Embed(**{**data, "fields": tuple(Field(**field) for field in data["fields"])})


def _button(data: Mapping[str, Any]) -> Button:
    return Button(**{**data, "style": ButtonStyle(data["style"])})


def _select(data: Mapping[str, Any]) -> Select:
    return Select(**{**data, "choices": tuple(SelectChoice(**choice) for choice in data["choices"])})
