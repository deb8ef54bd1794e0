"""Orders with full names and whole words, turned into canonical texts: `army Budapest to Serbia`.

It is used only where the whole of `parse` would read the same: a name is taken for a place if the language reads it as
that one and no other wherever in an order it stands, and all other words have one meaning there. All else, such as
`NOR` or a coast without its stroke, is left to that reader.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

from engine.core.ids import PlaceId, province_of
from engine.provinces.classic.language import KINDS
from engine.provinces.variants import BoardVariant

_KIND, _PLACE, _TO = r"(a|army|f|fleet)", r"([a-z. ]+?(?:/[nsew]c)?)", r"(?:-|to)"
_LINE = re.compile(
    rf"{_KIND} {_PLACE}(?: (?:h|holds?)| {_TO} {_PLACE}( via convoy)?"
    rf"| (s|supports?|c|convoys?) {_KIND} {_PLACE}(?: {_TO} {_PLACE})?)"
)


class Spelling:
    """Turns lines of orders into canonical texts on one map.

    Args:
        is_plain: whether the language takes a text for a province, and a coast of it (`SC`, or nothing), wherever in an
            order it stands.
    """

    def __init__(self, variant: BoardVariant, is_plain: Callable[[str, str, str], bool]) -> None:
        self._variant = variant
        self._is_plain = is_plain

    @cached_property
    def _places(self) -> Mapping[str, PlaceId]:
        """The names and codes that mean one place each, in lower case: found out when the first is looked up."""
        found: dict[str, PlaceId] = {}
        for text, place in _texts(self._variant):
            province, _, coast = place.partition("/")
            if self._is_plain(text, province, coast):
                found[text] = place
        return found

    def canonical(self, line: str) -> str | None:
        """The canonical text of a line; `None`: it has to be read word by word."""
        match = _LINE.fullmatch(line.lower()) if line.isascii() else None
        if match is None:
            return None
        kind, at, to, via, verb, of_kind, of, there = match.groups()
        unit = self._places.get(at)
        if unit is None:
            return None
        text = f"{KINDS[kind]} {unit}"
        if to is not None:
            goal = self._places.get(to)
            return goal and f"{text} - {goal}{' VIA CONVOY' if via else ''}"
        if verb is None:
            return f"{text} H"
        other = self._places.get(of)
        if other is None or (verb[0] == "c" and "/" in f"{at}{of}"):  # a `c` after a coast is a part of it
            return None
        text = f"{text} {verb[0].upper()} {KINDS[of_kind]} {other}"
        if there is None:
            return text
        goal = self._places.get(there)
        return goal and f"{text} - {goal}"


def _texts(variant: BoardVariant) -> Iterator[tuple[str, PlaceId]]:
    """What each place is called, in lower case: by its code and by its name, with the coast after a stroke."""
    for place in variant.board.places:
        name, coast = variant.board.provinces[province_of(place)].name, place.partition("/")[2]
        for text in (f"{name}/{coast}" if coast else name, place):
            yield text.lower(), place
