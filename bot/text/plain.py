"""Messages for channels in which the bot may not do everything: without files, without boxes, without either.

The words always arrive; what is missing is said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum

from bot.text.catalogue import common_words
from bot.text.discord_limits import CONTENT, fit
from bot.text.message import Embed, Message


class Lost(StrEnum):
    """The parts of a message that a channel may refuse."""

    FILES = "files"
    """Maps and other files: the permission Attach Files."""
    EMBEDS = "embeds"
    """Boxes: the permission Embed Links."""


NOTHING: frozenset[Lost] = frozenset()


def ways_to_post(message: Message) -> Mapping[frozenset[Lost], Sequence[Message]]:
    """The message whole, then with less and less, by what is lost; its words are in all of them."""
    ways: dict[frozenset[Lost], Sequence[Message]] = {NOTHING: (message,)}
    losses = can_be_lost(message)
    if Lost.FILES in losses:
        ways[frozenset({Lost.FILES})] = (without_files(message),)
    if Lost.EMBEDS in losses:
        ways[frozenset({Lost.EMBEDS})] = without_embeds(message)
    if losses == frozenset(Lost):
        ways[losses] = without_embeds(without_files(message))
    return ways


def can_be_lost(message: Message) -> frozenset[Lost]:
    """The parts of this message that a channel may refuse."""
    has = {Lost.FILES: bool(message.pictures or message.files), Lost.EMBEDS: bool(message.embeds)}
    return frozenset(lost for lost, is_there in has.items() if is_there)


def without_files(message: Message) -> Message:
    """The words of a message for a place where nothing may be attached, which say that something is missing."""
    note = common_words().say("message.without_files")
    content = f"{message.content}\n{note}" if message.content else note
    bare = replace(message, pictures=(), files=())
    return replace(bare, content=content) if len(content) <= CONTENT else bare


def without_embeds(message: Message) -> tuple[Message, ...]:
    """The message with the words of its boxes below its own: one message, or several if they are long."""
    texts = [message.content, *map(_words_of, message.embeds)]
    return fit(replace(message, content="\n".join(filter(None, texts)), embeds=()))


def _words_of(embed: Embed) -> str:
    lines = [f"**{embed.title}**" if embed.title else "", embed.description]
    for field in embed.fields:
        lines += [f"**{field.name}**" if field.name.strip("\u200b") else "", field.value]
    return "\n".join(filter(None, (*lines, embed.footer)))
