"""CULTURE and NAME: who a people are, and what their land is called. Source: rules 4.2, R-076, rulings KA237, KA238"""

from __future__ import annotations

from dataclasses import replace

from engine.core.ids import PowerId
from engine.kalevala.culture.facts import LEAST_LETTERS, LONGEST_NAME, TOWN, WORTH, can_have, name_of
from engine.kalevala.culture.orders import Describe, Name
from engine.kalevala.orders import Line
from engine.kalevala.steps.post import give_oeh
from engine.kalevala.working import Round


def describe(round_: Round, ruler: PowerId, line: Line, order: Describe) -> None:
    """Describe the people; the first text that is long enough earns their god OEH."""
    own = round_.rulers[ruler]
    is_first = len(order.text) >= LEAST_LETTERS > len(own.culture)
    round_.rulers[ruler] = replace(own, culture=order.text)
    if is_first and not own.is_described:
        round_.rulers[ruler] = replace(round_.rulers[ruler], is_described=True)
        give_oeh(round_, ruler, WORTH)


def name(round_: Round, ruler: PowerId, line: Line, order: Name) -> None:
    """Name something in the ruler's land that has no name yet."""
    place = round_.find_own(ruler, order.at)
    if place is None:
        round_.refuse(ruler, line, "V02", place=order.at)
        return
    if len(order.name) > LONGEST_NAME:
        round_.refuse(ruler, line, "V07", place=place)
        return
    field = round_.land.field(place)
    is_here = order.kind != TOWN or round_.centre(place) is not None
    if not is_here or not can_have(field, order.kind) or name_of(field, order.kind):
        round_.refuse(ruler, line, "V21", place=place)
    elif order.kind == TOWN:
        round_.set_centre(place, name=order.name)
    else:
        round_.set_field(place, names={**field.names, order.kind.casefold(): order.name})
