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
from engine.provinces.classic.language import KINDS, LONGEST_TEXT, Name, Sentence, UnitWords, Verb, language_of
from engine.provinces.variants import BoardVariant

_KIND, _PLACE, _GOES = r"(a|army|f|fleet)", r"([a-z. ]+?(?:/[nsew]c)?)", r"(?:-|to)"
_LINE = re.compile(
    rf"{_KIND} {_PLACE}(?: (?:h|holds?)| {_GOES} {_PLACE}( via convoy)?"
    rf"| (s|supports?|c|convoys?) {_KIND} {_PLACE}(?: {_GOES} {_PLACE})?)"
)
_AT, _TO, _OF_KIND, _OF, _THERE = 2, 3, 6, 7, 8
"""Groups of `_LINE`."""
_HELPING = {"s": Verb.SUPPORT, "c": Verb.CONVOY}


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

    @cached_property
    def _names(self) -> Mapping[str, Name]:
        """The same as names, as if they stood at the beginning."""
        found: dict[str, Name] = {}
        for text, place in self._places.items():
            province, _, coast = place.partition("/")
            words = text.partition("/")[0].replace(".", " ").split()
            found[text] = Name(0, len(text), tuple(words), (ProvinceId(province),), coast or None)
        return found

    def match(self, line: str) -> re.Match[str] | None:
        """The words of a line; `None`: it is written otherwise."""
        return _LINE.fullmatch(line.lower()) if line.isascii() and len(line) <= LONGEST_TEXT else None

    def canonical(self, match: re.Match[str]) -> str | None:
        """The canonical text of a line; `None`: not all of its names are known."""
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

    def sentence(self, match: re.Match[str]) -> Sentence | None:
        """What a line says in any position; a name in it may be unknown. `None`: it has to be read word by word."""
        kind, at, to, via, verb, of_kind, of, there = match.groups()
        letter = verb[0] if verb else ""
        if letter == "c" and (there is None or "/" in at or "/" in of):  # a `c` after a coast is a part of it
            return None
        unit = self._name(at, match.start(_AT))
        other = self._name(of, match.start(_OF)) if of else None
        goal = self._name(to or there, match.start(_TO if to else _THERE)) if to or there else None
        if unit is None or (of and other is None) or ((to or there) and goal is None):
            return None
        start = match.end(_AT) + 1
        end = match.string.find(" ", start)
        return Sentence(
            _HELPING[letter] if letter else Verb.MOVE if to else Verb.HOLD,
            UnitWords(KINDS[kind], unit, 0),
            UnitWords(KINDS[of_kind], other, match.start(_OF_KIND)) if other else None,
            goal,
            via=via is not None,
            verb_start=start,
            verb_end=len(match.string) if end < 0 else end,
        )

    def _name(self, text: str, start: int) -> Name | None:
        """The name of a place, or an unknown name, that begins in a column; `None`: it has to be read word by word."""
        known = self._names.get(text)
        if known is not None:
            return Name(start, start + len(text), known.words, known.provinces, known.coast)
        name, _, coast = text.partition("/")
        words = name.split(" ")
        if "." in name or "" in words or not self._language.is_unknown(words):
            return None
        return Name(start, start + len(text), tuple(words), (), coast.upper() or None)


def _texts(variant: BoardVariant) -> Iterator[tuple[str, PlaceId]]:
    """What each place is called, in lower case: by its code and by its name, with the coast after a stroke."""
    for place in variant.board.places:
        name, coast = variant.board.provinces[province_of(place)].name, place.partition("/")[2]
        for text in (f"{name}/{coast}" if coast else name, place):
            yield text.lower(), place
