"""What a line that can't be read may mean: the orders that a refusal proposes. Source: rules 32"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from engine.kalevala.coordinates import parse_province
from engine.kalevala.everyday_words import in_codes, without_small_words
from engine.kalevala.forms import FORMS, MORE_FORMS
from engine.kalevala.model import EXPLORATION_UNITS, View
from engine.kalevala.orders import Order
from engine.kalevala.tables import WORKS

_ARROWS = re.compile(r"\s*(?:->|=>|→)\s*|\s(?:-|–|to)\s", re.IGNORECASE)
_UNPOINTED = re.compile(r"([+-]\d+(?:/\d+)?)\s+(?=\d[A-Za-z][+-]\d)")
"""A province of a way that is written without an arrow to the next one."""
_GAPS = re.compile(r"(?<!\S)(\d+)\s+(?=[A-Za-z]{1,3}(?![^\s,]))")
"""A number of figures that stands apart from their code: `5 LB`."""
_COLONS = re.compile(r"([+-]\d+(?:/\d+)?):\s+")
"""A province with a colon after it: `2E+4: 5LB`."""
_BEFORE_TEXT: Mapping[str, int] = {"LETTER": 2, "EXPRESS": 2, "COURIER": 1, "NOTE": 1}
"""How many words stand before the text of an order that has one."""
_LONGEST_MEANT = 200
"""The most letters of such a text for which an order is proposed."""
_MOST_WORDS = 16
"""In lines with more words no name is looked for that could be quoted."""
_WITHOUT_KIND = re.compile(
    r"\w+\s+(?P<rest>(?:\d\s+)?\d\S*[+-]\d\S*)\s+(?:(?:->|=>|→|>|-|to)\s*)?(?P<target>\d[^\s>]*[+-]\d+(?:/\d+)?)",
    re.IGNORECASE,
)
"""An entry whose source and target have no kind between them."""
_OF_WORKS = ("BUILD", "TEAR", "REPAIR")


@dataclass(frozen=True, slots=True)
class Guesses:
    """Finds the orders that lines of a sheet may mean.

    Args:
        read: reads a line; `None`: it can't be read.
        units: the exploration units that the sheet, or an earlier guess, has used.
    """

    view: View
    read: Callable[[str], Order | None]
    units: set[int]

    def of(self, line: str, text: str, verb: str) -> tuple[str, ...]:
        """What is likeliest.

        Args:
            line: the whole line; `text`: without a comment, and with an order's own word for an everyday one.
            verb: the first word of the text, in capitals.
        """
        return (
            self.by_case(text)
            or self.by_signs(text, verb)
            or self.by_quotes(line, verb)
            or self.by_number(text, verb)
            or self.by_kind(text, verb)
            or self.by_name(text, verb)
            or self.misspelt(text, verb)
        )[:3]

    def by_case(self, text: str) -> tuple[str, ...]:
        """The orders that a line may mean whose work has the wrong case: `Bf` or `BF` for `bf`."""
        words = text.split()
        if len(words) < 3 or words[0].upper() not in _OF_WORKS:
            return ()
        codes = [code for code in WORKS if code.casefold() == words[2].casefold()]
        found = (self.read(" ".join((*words[:2], code, *words[3:]))) for code in codes)
        return tuple(str(order) for order in found if order is not None)

    def by_signs(self, text: str, verb: str) -> tuple[str, ...]:
        """The order that a line may mean whose way is written with `-`, `to`, an arrow or nothing for `>`, whose
        figures are written in words, or apart from their numbers, or in which a colon stands after a province, or small
        words.
        """
        if verb not in FORMS or '"' in text:
            return ()
        plain = in_codes(_COLONS.sub(r"\1 ", text), self.view)
        tried = [text]
        for words in (plain, without_small_words(plain)):
            pointed = _UNPOINTED.sub(r"\1 > ", _ARROWS.sub(" > ", words)) if ">" in FORMS[verb] else words
            tried.append(" ".join(_GAPS.sub(r"\1", pointed).split()))
        found = (self.read(each) for each in tried)
        return tuple(str(order) for order in found if order is not None)[:1]

    def by_quotes(self, text: str, verb: str) -> tuple[str, ...]:
        """The order that a line may mean whose text, if it isn't long, stands without quotation marks. Without them `;`
        begins a comment, which is part of the text too.
        """
        count = _BEFORE_TEXT.get(verb, 0)
        *head, said = text.split(maxsplit=count)
        if len(head) != count or not count or '"' in text or len(said) > _LONGEST_MEANT:
            return ()
        order = self.read(f'{" ".join(head).rstrip(":")} "{said}"')
        return () if order is None else (str(order),)

    def by_number(self, text: str, verb: str) -> tuple[str, ...]:
        """The order that a line may mean that leaves out the number of its EE: with the first one that is free, which
        is taken from now on.
        """
        free = min(set(range(1, EXPLORATION_UNITS + 1)) - self.units, default=None)
        if verb not in ("EXPLORE", "ENTER") or free is None:
            return ()
        found = self.by_signs(f"{verb} {free}{text[len(verb) :]}", verb)
        self.units.update({free} if found else ())
        return found

    def by_kind(self, text: str, verb: str) -> tuple[str, ...]:
        """The entry that a line may mean that leaves out its kind, perhaps for an arrow as in EXPLORE: of the kind that
        fits the owner of the land, as far as the viewer knows.
        """
        head = _WITHOUT_KIND.match(text) if verb == "ENTER" else None
        target = parse_province(head["target"], self.view.state.usual_plane) if head is not None else None
        if head is None or target is None:
            return ()
        owner = self.view.state.owners.get(target)
        kind = "B" if owner is None else "E" if owner == self.view.viewer else "K"
        line = f"{verb} {head['rest']} {kind} {text[head.start('target') :]}"
        order = self.read(line)
        return self.by_signs(line, verb) or self.by_number(line, verb) if order is None else (str(order),)

    def by_name(self, text: str, verb: str) -> tuple[str, ...]:
        """The order that a line may mean in which a name, or whatever else is quoted, stands without quotation marks:
        the one with the shortest text that can be meant.
        """
        words = text.split()
        is_quoting = verb not in _BEFORE_TEXT and any(
            '"' in form for form in (FORMS.get(verb, ""), *MORE_FORMS.get(verb, ()))
        )
        if not is_quoting or '"' in text or len(words) > _MOST_WORDS:
            return ()
        spans = ((first, first + size) for size in range(1, len(words)) for first in range(1, len(words) - size + 1))
        lines = (" ".join((*words[:first], f'"{" ".join(words[first:last])}"', *words[last:])) for first, last in spans)
        found = (self.read(line) for line in lines)
        return tuple(str(order) for order in found if order is not None)[:1]

    def misspelt(self, text: str, verb: str) -> tuple[str, ...]:
        """The orders that a line would be if it began with a word that is one: `EXPLOR` for `EXPLORE`. What names
        somebody who is no ruler is none.
        """
        if verb in FORMS:
            return ()
        near = (self.read(f"{word} {text[len(verb) :]}") for word in get_close_matches(verb[:20], FORMS, 3))
        known = (None, *self.view.state.rulers)
        return tuple(str(order) for order in near if order is not None and getattr(order, "who", None) in known)
