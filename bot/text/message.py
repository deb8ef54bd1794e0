"""A message before it is Discord's: plain data that any surface can show and a test can read.

Composers make it; `discord_limits` splits what is too long; `bot.discord_messages` draws its pictures and sends it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from bot.model import UserId
from engine.core.depiction import Depiction


@dataclass(frozen=True, slots=True)
class ScenePicture:
    """A picture still to be drawn.

    Args:
        filename: neutral; anybody to whom the file is forwarded may see it.
        alt: what it shows, for those who can't see it; at most 1,024 characters.
        with_key: of a map, whether it is framed by a legend and a key.
    """

    scene: Depiction
    filename: str
    alt: str
    with_key: bool = False


@dataclass(frozen=True, slots=True)
class TextFile:
    """A text sent as a file, for what is too long to read in a chat."""

    filename: str
    text: str


@dataclass(frozen=True, slots=True)
class Field:
    """A short heading with a short text; several inline ones stand side by side."""

    name: str
    value: str
    is_inline: bool = False


@dataclass(frozen=True, slots=True)
class Embed:
    """A box below the text. `colour` is 0xRRGGBB and never the only sign of anything."""

    title: str = ""
    description: str = ""
    fields: tuple[Field, ...] = ()
    footer: str = ""
    colour: int | None = None


class ButtonStyle(StrEnum):
    """How prominent a button is."""

    PRIMARY = "primary"
    SECONDARY = "secondary"
    SUCCESS = "success"
    DANGER = "danger"


@dataclass(frozen=True, slots=True)
class Button:
    """A button; what it does is in its custom id (`bot.text.custom_ids`), so it works after a restart."""

    custom_id: str
    label: str
    style: ButtonStyle = ButtonStyle.SECONDARY
    is_disabled: bool = False


@dataclass(frozen=True, slots=True)
class SelectChoice:
    """One line of a select menu."""

    value: str
    label: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class Select:
    """A menu of which one line is chosen."""

    custom_id: str
    placeholder: str
    choices: tuple[SelectChoice, ...]


@dataclass(frozen=True, slots=True)
class Message:
    """Everything of one post.

    Args:
        shortcuts: buttons in rows of their own, between the menus and the others.
        mentions: the only users whom the mentions in `content` may notify.
    """

    content: str = ""
    embeds: tuple[Embed, ...] = ()
    pictures: tuple[ScenePicture, ...] = ()
    files: tuple[TextFile, ...] = ()
    buttons: tuple[Button, ...] = ()
    selects: tuple[Select, ...] = ()
    shortcuts: tuple[Button, ...] = ()
    mentions: tuple[UserId, ...] = ()


@dataclass(frozen=True, slots=True)
class Form:
    """A modal with one text to write.

    Args:
        text: what it contains when it opens.
    """

    custom_id: str
    title: str
    label: str
    text: str
    placeholder: str = ""
