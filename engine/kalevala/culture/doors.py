"""The form for the culture text of one's people. Source: rules 4.2, ruling KA237"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.core.doors import Door, DoorForm, Doubt
from engine.core.phrases import Phrase, phrase
from engine.kalevala import commands
from engine.kalevala.culture.facts import LEAST_LETTERS, WORTH
from engine.kalevala.culture.orders import Describe
from engine.kalevala.model import View
from engine.kalevala.modules import has_module
from engine.kalevala.orders import Line
from engine.kalevala.sheet import is_asked
from engine.kalevala.telling.courier import PARAGRAPH

_FIRST_ROUNDS = 2
"""The number of great rounds in which a people should be described. Source: rules 4.2"""


def _described(view: View, orders: Sequence[Line], given: Mapping[str, str]) -> str | Doubt:
    text = " ".join(given.get("text", "").replace('"', "'").split())
    return f'CULTURE "{text}"' if text else Doubt(phrase("door.culture.empty"), "", ())


def _text(view: View, orders: Sequence[Line]) -> str:
    """The text of the sheet, or else the stored one, with a line for each paragraph."""
    written = [line.order.text for line in orders if isinstance(line.order, Describe)]
    own = view.state.rulers[view.viewer].culture if view.viewer is not None else ""
    return (written[-1] if written else own).replace(PARAGRAPH, "\n")


def _as_order(text: str) -> str:
    lines = (" ".join(line.replace('"', "'").split()) for line in text.splitlines())
    written = PARAGRAPH.join(filter(None, lines))
    return f'CULTURE "{written}"' if written else ""


def _is_description(line: Line) -> bool:
    return isinstance(line.order, Describe)


def _reminder(view: View) -> Phrase | None:
    """A reminder in the first rounds for rulers who have written none."""
    if not is_asked(view) or view.viewer is None or view.state.gr > _FIRST_ROUNDS:
        return None
    if view.state.rulers[view.viewer].culture:
        return None
    code = "door.culture.briefing" if has_module(view.state, "gods") else "door.culture.briefing_plain"
    return phrase(code, oeh=WORTH, letters=LEAST_LETTERS)


CULTURE_DOOR: Door[View, Line] = Door(
    info=commands.CULTURE,
    order=_described,
    is_open=lambda view, orders: is_asked(view),
    form=DoorForm(text=_text, read=_as_order, replaces=_is_description),
    briefing=_reminder,
)
