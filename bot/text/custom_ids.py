"""The ids of buttons, menus and forms: `so:<action>:<game>:<phase>`, nothing else, so that they outlive a restart.

A word that is not an action is that of a door, a special way to give orders that a game describes
(`engine.core.doors`).

A game is named by its token, which it keeps when it is moved to another database. Version 0.1.0 named it by its number:
such ids are still read, but another database has that number for another game (`bot.services.buttons`).

They can be read by all who see the message and forged by anybody: they contain no secrets, and the code that handles
one checks who pressed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum


class Action(StrEnum):
    """What pressing, choosing or submitting does."""

    READY = "ready"
    UNREADY = "unready"
    EDIT = "edit"
    """Open the form with the present sheet."""
    CLEAR = "clear"
    UNDO = "undo"
    """Put back what was cleared; `token`: the version of the empty sheet."""
    HINT = "hint"
    """Take an order that may have been meant; `token` says where it was offered."""
    DEFAULT = "default"
    """Take the orders that the system offers."""
    GUIDE = "guide"
    ORDERS = "orders"
    MAP = "map"
    WHOLE = "whole"
    """The whole map: with one's own orders of the open phase, or with the results of a closed one."""
    CLOSE_UP = "closeup"
    """Where something happened in a closed phase, on a board too large to be read as a whole; `token` says which part.
    """
    BOARD = "board"
    """The position in words."""
    KEY = "key"
    """A map with its legend and what its signs mean; of a closed phase, or of the present position."""
    RULES = "rules"
    """A topic of the rules; `token` names the system and the topic's number, from 0."""
    JOIN = "join"
    START = "start"
    """Start a game with fewer players than planned, after a question; `token`: how many there were."""
    LEAVE = "leave"
    """Give up a seat of a running game, after a question."""
    END = "end"
    """End a game that others are still playing, after a question."""
    REPORT = "report"
    """Report to the game masters what other players have written in a closed phase; its form has the same id."""
    SHEET = "sheet"
    """A submitted form that held the whole sheet: it replaces what stands."""
    LINES = "lines"
    """A submitted form that began empty: its lines are added to what stands."""
    CHOOSE = "choose"
    """A whole order, or what to order, chosen on a receipt or in the guide: `token` names that, and the menu's row.

    The choice itself is in the value: an order, `FURTHER` and a first choice of the guided flow, or `UNIT` and a place.
    """
    UNIT = "unit"
    """Show the whole orders of a unit, or of what else is ordered: `token` names the message, and which of them."""
    PICK = "pick"
    """A choice in the guided flow; `token` names the flow."""
    PAGE = "page"
    """Another page of the guided flow's choices; `token` names the flow."""
    BACK = "back"
    """One step back in the guided flow; `token` names the flow."""
    DONE = "done"
    """Leave the guided flow and show the receipt."""
    WHICH = "which"
    """The game chosen for orders from a direct message; `token` is that message's id, the game is in the choice."""


@dataclass(frozen=True, slots=True)
class CustomId:
    """What a custom id says: an `Action`, or the word of a door.

    Args:
        game: the game's token, or its number in an id of 0.1.0; `NO_GAME` where none is meant.
        phase_no: 0 where no phase is meant.
    """

    action: str
    game: str
    phase_no: int = 0
    token: str = ""

    def __str__(self) -> str:
        parts = ["so", str(self.action), self.game, str(self.phase_no)]
        return ":".join([*parts, self.token] if self.token else parts)


ON_RECEIPT = "receipt"
"""The token of buttons below a receipt that is one message: it is replaced by the receipt that comes of the press."""
BELOW = "below"
"""The token of what stands below a receipt of several messages, which stay as they are."""
FURTHER = ">"
"""Begins the value of a choice that is not yet a whole order."""
UNIT = "@"
"""Begins the value of a choice that does what the button of a unit does: which of them it is follows."""
SURE = "sure"
"""The token of the button below a question: its message is replaced by what comes of the press."""
NO_GAME = "0"
"""Stands for the game where none is meant yet."""
_PATTERN = re.compile(
    r"so:(?P<action>[a-z]{1,12}):(?P<game>\d{1,18}|[a-z][a-z0-9]{1,31}):(?P<phase>\d{1,9})(?::(?P<token>[\w-]{1,40}))?",
    re.ASCII,
)


def is_ours(custom_id: str) -> bool:
    """Whether the id was made by this bot in any version."""
    return custom_id.startswith("so:")


def parse_custom_id(custom_id: str) -> CustomId | None:
    """What the id says; `None` for one that is not ours. Whether there is a door of that word, the games know."""
    match = _PATTERN.fullmatch(custom_id)
    if match is None:
        return None
    word = match["action"]
    action = Action(word) if word in set(Action) else word
    return CustomId(action, match["game"], int(match["phase"]), match["token"] or "")
