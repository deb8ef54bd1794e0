"""Orders with full names and whole words, read by one regular expression: `army Budapest to Serbia`.

It is used only where the whole of `parse` would read the same: a name is taken for a place if the language reads it as
that one and no other wherever in an order it stands, for an unknown one if it is that everywhere, and all other words
have one meaning there. All else, such as `NOR` or a coast without its stroke, is left to that reader.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

from engine.core.ids import PlaceId, ProvinceId, province_of
from engine.provinces.classic.language import KINDS, Language, Name, language_of
from engine.provinces.variants import BoardVariant

_KIND, _PLACE, _TO = r"(a|army|f|fleet)", r"([a-z. ]+?(?:/[nsew]c)?)", r"(?:-|to)"
_LINE = re.compile(
    rf"{_KIND} {_PLACE}(?: (?:h|holds?)| {_TO} {_PLACE}( via convoy)?"
    rf"| (s|supports?|c|convoys?) {_KIND} {_PLACE}(?: {_TO} {_PLACE})?)"
)
_UNKNOWN = re.compile(r"([a-z]+(?: [a-z]+)*)(?:/([nsew]c))?")


class Spelling:
    """Turns lines of orders into canonical texts on one map, and finds the names in those that are none.

    Args:
        is_plain: whether the language takes a text for a province, and a coast of it (`SC`, or nothing), wherever in an
            order it stands.
    """

    def __init__(self, variant: BoardVariant, is_plain: Callable[[str, str, str], bool]) -> None:
        self._variant = variant
        self._language = language_of(variant)
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

    def match(self, line: str) -> re.Match[str] | None:
        """The words of a line, in the same groups as those of a canonical one; `None`: it is written otherwise."""
        return _LINE.fullmatch(line.lower()) if line.isascii() else None

    def name(self, text: str, start: int) -> Name | None:
        """The name of a place, or an unknown name, that begins in a column; `None`: it has to be read word by word."""
        end = start + len(text)
        place = self._places.get(text)
        if place is not None:
            province, _, coast = place.partition("/")
            words = text.partition("/")[0].replace(".", " ").split()
            return Name(start, end, tuple(words), (ProvinceId(province),), coast or None)
        return unknown_name(self._language, text, start)

    def canonical(self, line: str) -> str | None:
        """The canonical text of a line; `None`: it has to be read word by word."""
        match = self.match(line)
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


def unknown_name(language: Language, text: str, start: int) -> Name | None:
    """An unknown name, perhaps with a coast, in lower case; `None`: it has to be read word by word."""
    match = _UNKNOWN.fullmatch(text)
    if match is None:
        return None
    words, coast = match[1].split(" "), match[2]
    if not language.is_unknown(words):
        return None
    return Name(start, start + len(text), tuple(words), (), coast and coast.upper())


def _texts(variant: BoardVariant) -> Iterator[tuple[str, PlaceId]]:
    """What each place is called, in lower case: by its code and by its name, with the coast after a stroke."""
    for place in variant.board.places:
        name, coast = variant.board.provinces[province_of(place)].name, place.partition("/")[2]
        for text in (f"{name}/{coast}" if coast else name, place):
            yield text.lower(), place
