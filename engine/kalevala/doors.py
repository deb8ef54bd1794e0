"""Letters and permits as doors: to whom, what about, and the line that it comes to. Source: rules 2.1, R-110"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.core.doors import Door, Option
from engine.core.orders import Choice
from engine.kalevala import board
from engine.kalevala.board import variant_of
from engine.kalevala.coordinates import order_of
from engine.kalevala.model import View
from engine.kalevala.orders import Line
from engine.kalevala.sheet import is_asked

_MOST_ROUNDS = 10
_EVERYWHERE = "ALL"


def others(view: View, orders: Sequence[Line] = ()) -> tuple[Choice, ...]:
    """The other rulers, whose names everybody knows."""
    powers = variant_of(view.state).powers
    return tuple(Choice(ruler, powers[ruler].name) for ruler in board.others(view.state, view.viewer))


def own_places(view: View, orders: Sequence[Line] = ()) -> tuple[Choice, ...]:
    """All of the own land, then its provinces."""
    if view.viewer is None:
        return ()
    places = sorted(view.state.owned(view.viewer), key=order_of)
    return tuple(Choice(place, place) for place in (_EVERYWHERE, *places))


def _letter(view: View, orders: Sequence[Line], given: Mapping[str, str]) -> str:
    # A letter is a line between quotation marks: what would end it early is written otherwise.
    text = " ".join(given["text"].replace('"', "'").split())
    return f'LETTER {given["ruler"]} "{text}"'


def _permit(view: View, orders: Sequence[Line], given: Mapping[str, str]) -> str:
    return f"PERMIT {given['ruler']} {given['place']} {given['rounds']}"


_RULER: Option[View, Line] = Option(name="ruler", is_required=True, complete=others)

DOORS: tuple[Door[View, Line], ...] = (
    Door(
        id="letter",
        family="envoys",
        command="letter",
        options=(_RULER, Option(name="text", is_required=True)),
        order=_letter,
        is_open=lambda view, orders: is_asked(view),
    ),
    Door(
        id="permit",
        family="envoys",
        command="permit",
        options=(
            _RULER,
            Option(name="place", is_required=True, complete=own_places),
            Option(name="rounds", is_required=True, least=1, most=_MOST_ROUNDS),
        ),
        order=_permit,
        is_open=lambda view, orders: is_asked(view) and view.state.part == 1,
    ),
)
