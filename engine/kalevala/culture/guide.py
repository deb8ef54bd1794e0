"""What could be named, as whole orders for the guided flow, likeliest first. Ruling KA238"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, islice

from engine.core.phrases import phrase
from engine.kalevala.counsel import Counsel
from engine.kalevala.culture.facts import KINDS, can_have, name_of
from engine.kalevala.culture.orders import Name
from engine.kalevala.orders import Whole

_OFFERED = 3
"""How many names are offered for each; the line can have any other."""


def orders_of(counsel: Counsel) -> Whole:
    """Orders that name what has no name yet in the ruler's land, trade centres first."""
    for kind in KINDS:
        for place in counsel.trial.owned(counsel.ruler):
            field = counsel.land.field(place)
            if not can_have(field, kind) or name_of(field, kind):
                continue
            for name in _names(counsel, place):
                what = phrase(f"named.{kind}")
                yield from counsel.tried(Name(place, name, kind), "named", place=place, what=what, name=name)


def _names(counsel: Counsel, place: str) -> Iterator[str]:
    """A few names of the list, different ones for each place."""
    names = counsel.say("towns").split()
    start = sum(map(ord, place)) * _OFFERED % len(names)
    yield from islice(cycle(names), start, start + _OFFERED)
