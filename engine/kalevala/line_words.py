"""The words of one line, read one by one. Source: rules 32"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from engine.kalevala.coordinates import Edge, Province, parse_edge, parse_province
from engine.kalevala.figures import Named, composed, kind_of, parse_figures, with_loads
from engine.kalevala.model import View
from engine.kalevala.orders import named

_TOKEN = re.compile(r'"[^"]*"|>|[^\s,>"\[\]]*\[[^\]]*\]|[^\s,>"]+')
_WHOLE = re.compile(r"\d{1,18}")
_UNUSUAL = re.compile(r"(\d{1,18})?(?P<code>RD|[ALSB]D)", re.IGNORECASE)
_EDGE = re.compile(r"(?i)\d/(?:E|SE|SW|W|NW|NE)$")
_SEPARATORS = re.compile(r"[\s,+]+")
_COUNTED = frozenset({"Z", "Pr", "My", "KrKö", "AgKö", "PrKö"})
"""Figures that are written with numbers of their own: points, or a king's lives and power."""
_AFTER_FIGURES = (
    "LOSS",
    "AT",
    "HZ",
    "NAME",
    "JOIN",
    "SIDE",
    "FREE",
    "SWIM",
    "G",
    "KF",
    "TIMES",
    "KR",
    ">",
    "EX",
    "AGENT",
)


class UnreadableLine(Exception):
    """The line doesn't have the form that its verb needs."""


class LineWords:
    """The words of a line, taken one by one."""

    def __init__(self, text: str, view: View) -> None:
        self._words: list[str] = _TOKEN.findall(text) if text.count('"') % 2 == 0 else []
        self._at = 0
        self.plane = view.state.usual_plane
        self.viewer = view.viewer
        self._own = {} if view.viewer is None else view.state.stacks.get(view.viewer, {})

    @property
    def is_done(self) -> bool:
        """Whether no word is left."""
        return self._at == len(self._words)

    # LineWords

    def peek(self) -> str:
        """The next word in capitals; empty at the end."""
        return self._words[self._at].upper() if self._at < len(self._words) else ""

    def word(self) -> str:
        """The next word."""
        if self._at >= len(self._words):
            raise UnreadableLine
        self._at += 1
        return self._words[self._at - 1]

    def take(self, *words: str) -> bool:
        """Whether these words come next; if so, they are skipped."""
        if [word.upper() for word in self._words[self._at : self._at + len(words)]] != list(words):
            return False
        self._at += len(words)
        return True

    def need(self, word: str) -> None:
        """Skip a word that has to be here."""
        if not self.take(word):
            raise UnreadableLine

    def number(self, *, least: int = 1) -> int:
        """A whole number."""
        word = self.word()
        if not _WHOLE.fullmatch(word) or int(word) < least:
            raise UnreadableLine
        return int(word)

    def place(self) -> Province:
        """A province."""
        found = parse_province(self.word(), self.plane)
        if found is None:
            raise UnreadableLine
        return found

    def find_place(self) -> Province | None:
        """A province, if one comes next."""
        found = parse_province(self.peek(), self.plane)
        if found is not None:
            self._at += 1
        return found

    def cell(self) -> int:
        """A small field."""
        number = self.number()
        if number > 48:
            raise UnreadableLine
        return number

    def edge(self) -> Edge:
        """A side of a small field."""
        found = parse_edge(self.word())
        if found is None:
            raise UnreadableLine
        return found

    def edges(self) -> Iterator[Edge]:
        """All the edges that come next."""
        while parse_edge(self.peek()) is not None:
            yield self.edge()

    def figures(self) -> Named:
        """All the figures that come next, at least one."""
        return self._read(self._figure_words())

    def own_figures(self) -> Named:
        """The same, of the viewer's own. A wizard, priest, mystic or king who is written without numbers is the one at
        the first place that the line names, or if there is none the one whom the viewer has.
        """
        return self._read(map(self._with_numbers, self._figure_words()))

    def _with_numbers(self, word: str) -> str:
        craft, bracket, load = word.partition("[")
        if bracket:
            return f"{craft}[{' '.join(map(self._with_numbers, _SEPARATORS.split(load.rstrip(']'))))}]"
        found = parse_figures(word, None) or {}
        code = next((kind_of(item).code for item in found), "")
        if code not in _COUNTED or "/" in word:
            return word
        first = next(filter(None, (parse_province(each, self.plane) for each in self._words)), None)
        here = [self._own[first]] if first is not None and first in self._own else []
        for stacks in (here, self._own.values()):
            own = {item for stack in stacks for item in with_loads(stack) if kind_of(item).code == code}
            if own:
                return f"{sum(found.values())}{own.pop()}" if len(own) == 1 else word
        return word

    def _figure_words(self) -> list[str]:
        items: list[str] = []
        while self.peek() and parse_province(self.peek(), self.plane) is None and self.peek() not in _AFTER_FIGURES:
            if items and _EDGE.search(self.peek()):
                break
            item = self.word()
            if item == "+":
                continue
            if parse_figures(item, None) is None:
                raise UnreadableLine
            items.append(item)
        return items

    def _read(self, items: Iterable[str]) -> Named:
        found = parse_figures(" ".join(items), None) or {}
        if not found:
            raise UnreadableLine
        return named(found)

    def find_priest(self) -> str | None:
        """A priest, if one comes next: `Pr/23`; empty: `Pr`, any one."""
        word = self._words[self._at] if self._at < len(self._words) else ""
        found = parse_figures(word, None) or {}
        if len(found) != 1 or next(iter(found)).partition("/")[0] != "Pr" or set(found.values()) != {1}:
            return None
        self._at += 1
        return next(iter(found)) if "/" in word else ""

    def unusual(self) -> Iterator[str]:
        """Take unusual figures out of those that come next: giants, class D."""
        left = self._words[self._at :]
        found = [(word, match) for word in left if (match := _UNUSUAL.fullmatch(word))]
        if found:
            self._words[self._at :] = [word for word in left if not _UNUSUAL.fullmatch(word)]
        return (word[: -len(match["code"])] + match["code"].upper() for word, match in found)

    def path(self) -> tuple[Province, ...]:
        """At least two provinces, separated by `>`."""
        found = [self.place()]
        while self.take(">"):
            found.append(self.place())
        if len(found) < 2:
            raise UnreadableLine
        return tuple(found)

    def name(self) -> str:
        """The name of a ruler, in small letters."""
        word = self.word()
        if word.startswith('"') or word == ">":
            raise UnreadableLine
        return composed(word).lower()

    def quoted(self) -> str:
        """A text in quotes that is not empty."""
        word = self.word()
        if not word.startswith('"') or not word.strip('"').strip():
            raise UnreadableLine
        return word[1:-1].strip()
