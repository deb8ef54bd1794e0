"""Lines about a people and its land. Source: rules 4.2, rulings KA237, KA238"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from engine.kalevala.culture.facts import KINDS, TOWN
from engine.kalevala.culture.orders import Describe, Name
from engine.kalevala.line_words import LineWords

CultureOrder: TypeAlias = Describe | Name


def _name(words: LineWords) -> Name:
    at = words.place()
    kind = next((each for each in KINDS if words.take(each)), TOWN)
    return Name(at, " ".join(words.quoted().split()), kind)


FORMS: Mapping[str, str] = {"CULTURE": 'CULTURE "Who we are"', "NAME": 'NAME 2D+4 "Borgund"'}
MORE_FORMS: Mapping[str, tuple[str, ...]] = {"NAME": ('NAME 2D+4 RIVER "Vuoksi"',)}
READERS: Mapping[str, Callable[[LineWords], CultureOrder]] = {
    "CULTURE": lambda words: Describe(words.quoted()),
    "NAME": _name,
}
