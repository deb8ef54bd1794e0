"""CULTURE and NAME: who a people are, and what their land is called. Source: rules 4.2, R-076, rulings KA237, KA238"""

from __future__ import annotations

from dataclasses import replace

from engine.core.ids import PowerId
from engine.kalevala.culture.facts import LEAST_LETTERS, LONGEST_NAME, TOWN, WORTH, can_have, name_of
from engine.kalevala.culture.orders import Describe, Name
from engine.kalevala.orders import Line
from engine.kalevala.steps.post import give_oeh
from engine.kalevala.window import Window


def describe(window: Window, ruler: PowerId, line: Line, order: Describe) -> None:
    """Describe the people; the first text that is long enough earns their god OEH."""
    own = window.rulers[ruler]
    is_first = len(order.text) >= LEAST_LETTERS > len(own.culture)
    window.rulers[ruler] = replace(own, culture=order.text)
    if is_first and not own.is_described:
        window.rulers[ruler] = replace(window.rulers[ruler], is_described=True)
        give_oeh(window, ruler, WORTH)


def name(window: Window, ruler: PowerId, line: Line, order: Name) -> None:
    """Name something in the ruler's land that has no name yet."""
    place = window.find_own(ruler, order.at)
    if place is None:
        window.refuse(ruler, line, "V02", place=order.at)
        return
    if len(order.name) > LONGEST_NAME:
        window.refuse(ruler, line, "V07", place=place)
        return
    field = window.land.field(place)
    is_here = order.kind != TOWN or window.centre(place) is not None
    if not is_here or not can_have(field, order.kind) or name_of(field, order.kind):
        window.refuse(ruler, line, "V21", place=place)
    elif order.kind == TOWN:
        window.set_centre(place, name=order.name)
    else:
        window.set_field(place, names={**field.names, order.kind.casefold(): order.name})
