"""Discord's markdown: players' texts are shown as they wrote them, whatever characters they contain; ours is `Markup`.

`escape` is applied to every string that goes into a phrase, unless it is `Markup` already.
"""

from __future__ import annotations

import re
from datetime import datetime

from bot.model import UserId
from engine.core.words import without_turns

_SIGNS = re.compile(r"([\\*_~|`<\[\]])")
_WORD = re.compile(r"[A-Za-z0-9]+(?:_[A-Za-z0-9]+)*")
_LINE_START = re.compile(r"^(\s*)([>#-])")
_ADDRESS = re.compile(r"(?<=[A-Za-z])://")
"""In the address of a page: a link would be shown with a preview, as if the bot recommended it."""
_INVITATION = re.compile(r"(\bdiscord(?:app)?\.(?:gg|com|gift|new))/", re.IGNORECASE)
"""An invitation to a server is shown as a card even without a protocol before it."""
_ESCAPED = re.compile(r"\\([\\*_~|`<\[\]>#:/-])")
_CODE = re.compile(r"(?<![\\`])`((?:\\.|[^`\\\n])+)`(?!`)")
_LINE_BREAKS = re.compile(r"(?<!\s)\s*[\r\n\u2028\u2029]+\s*")
_LOOKALIKE = "ˋ"
"""For a backtick where a real one would end the code."""


class Markup(str):
    """Text that is meant as markdown: it is not escaped again."""

    __slots__ = ()


def escape(text: str) -> Markup:
    """The text, on one line, so that Discord shows just these characters.

    Ids such as `pan_tang` stay as they are: an underscore inside a word means nothing to Discord, and names are looked
    up by them.

    >>> str(escape("**bold** <@1>"))
    '\\\\*\\\\*bold\\\\*\\\\* \\\\<@1>'
    """
    if isinstance(text, Markup):
        return text
    line = without_turns(_LINE_BREAKS.sub(" ", text))
    if _WORD.fullmatch(line):
        return Markup(line)
    shown = _LINE_START.sub(r"\1\\\2", _SIGNS.sub(r"\\\1", line))
    return Markup(_INVITATION.sub(r"\1\\/", _ADDRESS.sub(r"\\://", shown)))


def literal_code(text: str) -> str:
    r"""The text with what stands in `code` letter for letter, as Discord shows it: nothing is escaped there.

    >>> literal_code(r"**Noted**: `NAME 7 18 New\_Rome`")
    '**Noted**: `NAME 7 18 New_Rome`'
    """
    return _CODE.sub(lambda code: f"`{_ESCAPED.sub(_bare, code[1])}`", text)


def _bare(sign: re.Match[str]) -> str:
    return _LOOKALIKE if sign[1] == "`" else sign[1]


def code_block(text: str) -> Markup:
    """The text in a box, letter for letter; backticks, which would end the box, become a look-alike."""
    return Markup(f"```\n{without_turns(text).replace('`', _LOOKALIKE)}\n```")


def code_span(text: str) -> Markup:
    """The same within a line."""
    return Markup(f"`{without_turns(text).replace('`', _LOOKALIKE)}`")


def full_time(at: datetime) -> Markup:
    """The moment with date and clock, in the reader's own time zone: `<t:1795284000:F>`."""
    return Markup(f"<t:{int(at.timestamp())}:F>")


def relative_time(at: datetime) -> Markup:
    """How far away the moment is, kept up to date by Discord: `<t:1795284000:R>`."""
    return Markup(f"<t:{int(at.timestamp())}:R>")


def channel_mention(channel_id: int) -> Markup:
    """The channel's name as a link."""
    return Markup(f"<#{channel_id}>")


def mention(user_id: UserId) -> Markup:
    """The user's name as a mention; whether it notifies is decided by the message's `mentions`."""
    return Markup(f"<@{user_id}>")
