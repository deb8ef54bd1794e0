"""The order sheet to fill in: the present lines, and above them, as comments, what the ruler has and could order.

It can be sent back as it is. Source: rules 32
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine.core.ids import PowerId
from engine.core.phrases import phrase
from engine.core.variant import load_phrases
from engine.kalevala.coordinates import Province
from engine.kalevala.culture.facts import called
from engine.kalevala.describe import abroad
from engine.kalevala.figures import format_figures
from engine.kalevala.guide import together
from engine.kalevala.land import land_of
from engine.kalevala.model import View
from engine.kalevala.orders import Line
from engine.kalevala.sheet import is_asked

_PASS = "PASS"


def template(view: View, orders: Sequence[Line]) -> str:
    """A sheet with the present lines, or PASS, below notes."""
    lines = [line.canonical for line in orders] or [_PASS]
    if view.viewer is None:
        return "\n".join(lines)
    own = list(_belongings(view, view.viewer))
    notes = [_say("form.own"), *own] if own else []
    possible = [str(order) for order in together(view, orders)] if is_asked(view) else []
    if possible:
        notes += [_say("form.possible"), *possible]
    return "\n".join((*(f"# {note}" for note in notes), *lines))


def _say(code: str, **args: Any) -> str:
    return load_phrases("kalevala").render(phrase(code, **args))


def _belongings(view: View, ruler: PowerId) -> Iterator[str]:
    own, land = view.state.stacks.get(ruler, {}), land_of(view.state)
    places: list[Province] = list(dict.fromkeys((*view.state.owned(ruler), *own)))
    for province in places:
        name = called(land, province)
        yield " ".join(filter(None, (province, name and f"“{name}”", format_figures(own.get(province, {})))))
    for at, what in abroad(view.state, ruler):
        yield _say("form.sent", place=at, what=what)
