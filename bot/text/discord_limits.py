"""The limits of messages, embeds and menus on Discord, and how longer things are cut: nothing fails by being too long.

`fit` is the last step of every composer: one message of any length in, messages that Discord accepts out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from bot.text.message import Button, Embed, Field, Form, Message, ScenePicture, Select, SelectChoice, TextFile

CONTENT = 2000
EMBED_TITLE = 256
EMBED_DESCRIPTION = 4096
EMBED_FOOTER = 2048
EMBED_FIELDS = 25
FIELD_NAME = 256
FIELD_VALUE = 1024
EMBEDS_TOTAL = 6000
"""Characters of all embeds of a message together."""
EMBEDS = 10
FILES = 10
BUTTON_LABEL = 80
BUTTONS_IN_ROW = 5
ROWS = 5
CHOICES = 25
CHOICE_LABEL = 100
CHOICE_VALUE = 100
CHOICE_DESCRIPTION = 100
PLACEHOLDER = 150
ALT = 1024
FORM_TITLE = 45
FORM_LABEL = 45
FORM_PLACEHOLDER = 100
FORM_TEXT = 4000
LONGEST_POST = 4
"""A text that takes more messages than these is sent as a file, with a short version in the message."""
BRIEF = 2 * EMBED_DESCRIPTION
"""Characters of that short version."""
FILE_BYTES = 10 * 1024 * 1024
"""Bytes of one attachment, in a server without boosts."""

_CUT = "[...]\n"
_BLANK = "\u200b"
"""An invisible character, for places where Discord insists on some text."""

_Part = Embed | ScenePicture | TextFile | Button | Select


def shorten(text: str, limit: int) -> str:
    """The text, or as much of its beginning as fits with an ellipsis.

    >>> shorten("Bohemia", 5)
    'Bohe…'
    """
    return text if len(text) <= limit else text[: limit - 1].rstrip("\\ ") + "…"


def split_text(text: str, limit: int) -> tuple[str, ...]:
    """The text in pieces of at most `limit` characters, cut between lines, or else words, or else anywhere."""
    pieces: list[str] = []
    piece = ""
    for line in text.split("\n"):
        for part in _cut(line, limit):
            if piece and len(piece) + 1 + len(part) > limit:
                pieces.append(piece)
                piece = part
            else:
                piece = f"{piece}\n{part}" if piece else part
    return tuple(part for part in (*pieces, piece) if part.strip())


def _cut(line: str, limit: int) -> Iterator[str]:
    while len(line) > limit:
        space = line.rfind(" ", 1, limit + 1)
        end = space if space > 0 else limit
        yield line[:end]
        line = line[end:].lstrip(" ")
    yield line


def fit(message: Message) -> tuple[Message, ...]:
    """The message as one or more that Discord accepts: pictures with the first, buttons and menus with the last."""
    contents = split_text(message.content, CONTENT)
    groups = _grouped([part for embed in message.embeds for part in _fitted_embeds(embed)])
    bodies: list[Message] = [Message(content=content) for content in contents]
    if groups:
        first = bodies.pop() if bodies else Message()
        bodies += [replace(first, embeds=groups[0]), *(Message(embeds=group) for group in groups[1:])]
    bodies = bodies or [Message()]
    bodies[0] = replace(bodies[0], pictures=message.pictures)
    bodies[-1] = replace(
        bodies[-1],
        files=tuple(_fitted_file(file) for file in message.files),
        buttons=tuple(map(_fitted_button, message.buttons)),
        shortcuts=tuple(map(_fitted_button, message.shortcuts)),
        selects=tuple(_fitted_select(select) for select in message.selects),
    )
    return tuple(replace(body, mentions=message.mentions) for body in bodies)


def fit_all(messages: Iterable[Message]) -> tuple[Message, ...]:
    """Every message fitted, in order."""
    return tuple(part for message in messages for part in fit(message))


def fit_form(form: Form) -> Form:
    """The form with its labels shortened. Its text must fit: half a sheet would be submitted as a whole one.

    Raises:
        ValueError: the text is longer than a form holds.
    """
    if len(form.text) > FORM_TEXT:
        raise ValueError(f"a form holds {FORM_TEXT} characters, not {len(form.text)}")
    return replace(
        form,
        title=shorten(form.title, FORM_TITLE),
        label=shorten(form.label, FORM_LABEL),
        placeholder=shorten(form.placeholder, FORM_PLACEHOLDER),
    )


def embed_length(embed: Embed) -> int:
    """How many of the 6,000 characters of a message's embeds it takes."""
    return (
        len(embed.title)
        + len(embed.description)
        + len(embed.footer)
        + sum(len(field.name) + len(field.value) for field in embed.fields)
    )


def _fitted_embeds(embed: Embed) -> Iterator[Embed]:
    """One embed as several: its title with the first, its fields after the text, its footer with the last."""
    title = shorten(embed.title, EMBED_TITLE)
    footer = shorten(embed.footer, EMBED_FOOTER)
    texts = split_text(embed.description, EMBED_DESCRIPTION)
    parts = [Embed(description=text, colour=embed.colour) for text in texts] or [Embed(colour=embed.colour)]
    for field in _fitted_fields(embed.fields):
        last = parts[-1]
        room = EMBEDS_TOTAL - len(title) - len(footer) - embed_length(last)
        if len(last.fields) < EMBED_FIELDS and len(field.name) + len(field.value) <= room:
            parts[-1] = replace(last, fields=(*last.fields, field))
        else:
            parts.append(Embed(fields=(field,), colour=embed.colour))
    parts[0] = replace(parts[0], title=title)
    parts[-1] = replace(parts[-1], footer=footer)
    return (part for part in parts if embed_length(part))


def _fitted_fields(fields: Sequence[Field]) -> Iterator[Field]:
    for field in fields:
        name = shorten(field.name, FIELD_NAME) or _BLANK
        for number, value in enumerate(split_text(field.value, FIELD_VALUE) or (_BLANK,)):
            yield Field(name if number == 0 else _BLANK, value, field.is_inline)


def _grouped(embeds: Sequence[Embed]) -> list[tuple[Embed, ...]]:
    groups: list[tuple[Embed, ...]] = []
    for embed in embeds:
        group = groups[-1] if groups else ()
        if groups and len(group) < EMBEDS and sum(map(embed_length, group)) + embed_length(embed) <= EMBEDS_TOTAL:
            groups[-1] = (*group, embed)
        else:
            groups.append((embed,))
    return groups


def _fitted_file(file: TextFile) -> TextFile:
    """The file, or as many whole lines of its beginning as an attachment holds."""
    if len(file.text) <= FILE_BYTES // 4 or len(data := file.text.encode(errors="replace")) <= FILE_BYTES:
        return file
    kept = data[: FILE_BYTES - len(_CUT)].decode(errors="ignore")
    return replace(file, text=kept[: kept.rfind("\n") + 1] + _CUT)


def rows_of(buttons: Sequence[Button]) -> int:
    """How many rows of a message buttons take."""
    return -(-len(buttons) // BUTTONS_IN_ROW)


def _fitted_button(button: Button) -> Button:
    return replace(button, label=shorten(button.label, BUTTON_LABEL))


def _fitted_select(select: Select) -> Select:
    choices = tuple(
        SelectChoice(choice.value, shorten(choice.label, CHOICE_LABEL), shorten(choice.description, CHOICE_DESCRIPTION))
        for choice in select.choices
    )
    return replace(select, placeholder=shorten(select.placeholder, PLACEHOLDER), choices=choices)


def breaches(message: Message) -> list[str]:
    """What Discord would refuse in the message; empty for what `fit` makes from sane pictures, buttons and menus."""
    found = [
        *_too_long("content", message.content, CONTENT),
        *_too_many("embeds", message.embeds, EMBEDS),
        *_too_many("files", (*message.pictures, *message.files), FILES),
    ]
    if sum(map(embed_length, message.embeds)) > EMBEDS_TOTAL:
        found.append("embeds hold too much text together")
    rows = rows_of(message.buttons) + rows_of(message.shortcuts) + len(message.selects)
    if rows > ROWS:
        found.append(f"{rows} rows of buttons and menus")
    pressed: list[Button | Select] = [*message.selects, *message.shortcuts, *message.buttons]
    ids = [each.custom_id for each in pressed]
    if len(set(ids)) < len(ids):
        found.append("two items have the same custom id")
    parts: list[_Part] = [*message.embeds, *message.pictures, *message.files, *pressed]
    for part in parts:
        found += _part_breaches(part)
    if not (message.content or message.embeds or message.pictures or message.files):
        found.append("the message is empty")
    return found


def _part_breaches(part: _Part) -> list[str]:
    match part:
        case Embed():
            found = [
                *_too_long("embed title", part.title, EMBED_TITLE),
                *_too_long("embed description", part.description, EMBED_DESCRIPTION),
                *_too_long("embed footer", part.footer, EMBED_FOOTER),
                *_too_many("fields", part.fields, EMBED_FIELDS),
            ]
            for field in part.fields:
                found += _too_long("field name", field.name, FIELD_NAME, least=1)
                found += _too_long("field value", field.value, FIELD_VALUE, least=1)
            return found
        case ScenePicture():
            return _too_long("alt text", part.alt, ALT, least=1)
        case TextFile():
            too_large = (
                []
                if len(part.text.encode(errors="replace")) <= FILE_BYTES
                else [f"file has more than {FILE_BYTES} bytes"]
            )
            return [*_too_long("file name", part.filename, 100, least=1), *too_large]
        case Button():
            return [
                *_too_long("custom id", part.custom_id, 100, least=1),
                *_too_long("label", part.label, BUTTON_LABEL, least=1),
            ]
        case Select():
            found = [
                *_too_long("custom id", part.custom_id, 100, least=1),
                *_too_long("placeholder", part.placeholder, PLACEHOLDER),
                *_too_many("choices", part.choices, CHOICES, least=1),
            ]
            for choice in part.choices:
                found += _too_long("choice label", choice.label, CHOICE_LABEL, least=1)
                found += _too_long("choice value", choice.value, CHOICE_VALUE, least=1)
                found += _too_long("choice description", choice.description, CHOICE_DESCRIPTION)
            if len({choice.value for choice in part.choices}) < len(part.choices):
                found.append("two choices have the same value")
            return found


def _too_long(what: str, text: str, limit: int, *, least: int = 0) -> list[str]:
    return [] if least <= len(text) <= limit else [f"{what} has {len(text)} characters"]


def _too_many(what: str, items: Sequence[object], limit: int, *, least: int = 0) -> list[str]:
    return [] if least <= len(items) <= limit else [f"{len(items)} {what}"]
