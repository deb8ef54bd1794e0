"""From a text to lines. Whether a line may be ordered is found out when it is carried out. Source: rules 32, R-103"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from engine.core.errors import OrderError
from engine.core.orders import Parsed, ReadOrder
from engine.core.phrases import phrase
from engine.kalevala.coordinates import Edge, Province, gf_of, parse_edge, parse_province
from engine.kalevala.figures import composed, parse_figures
from engine.kalevala.model import View
from engine.kalevala.orders import (
    PEOPLE,
    Abandon,
    Absent,
    Allow,
    Arm,
    Build,
    Capital,
    Contribute,
    Convert,
    Enter,
    Explore,
    Headquarters,
    Leave,
    Line,
    Move,
    Named,
    Note,
    Order,
    Pass,
    People,
    Repair,
    Revoke,
    Settle,
    Tear,
    Watch,
    Write,
    named,
)
from engine.kalevala.tables import WORKS

SYNTAX = "V01"
_TOKEN = re.compile(r'"[^"]*"|>|[^\s,>"\[\]]*\[[^\]]*\]|[^\s,>"]+')
_HEADING = re.compile(r"\[(?P<name>[^\[\]]*)\]")
_WHOLE = re.compile(r"\d{1,18}")
_OF_WORKS = ("BUILD", "TEAR", "REPAIR")
_UNUSUAL = re.compile(r"(\d{1,18})?(?P<code>RD|[ALSB]D)", re.IGNORECASE)
_BLOCKS = ("BATTLE", "DEFEND")
_OF_OTHER_MODULES = frozenset({
    "WORK", "SPREAD", "BOARD", "LAND", "SAIL", "FERRY", "CARAVAN", "AGENT", "KING", "GIFT", "PRAY", "ORACLE",
    "TRANSFER",     "PORTAL", "RIFT", "GOD", "SLAVES",
    "BATTLE", "DEFEND", "WAR", "PEACE", "ALLY", "UNALLY", "CLOSE", "HANDOVER", "FIEF",
    "ACCEPT",
})  # fmt: skip
"""Verbs of modules that are not there yet. Source: rules R-103"""
FORMS: Mapping[str, str] = {
    "ARM": "ARM 2D+4 40 FROM 2D+4,2E+4,PEOPLE",
    "CONVERT": "CONVERT 2D+4 6LB 2On",
    "BUILD": "BUILD 2D+4 Tu KF 19 GATE 19/SE",
    "TEAR": "TEAR 2D+4 Tu KF 19",
    "REPAIR": "REPAIR 2D+4 Tu KF 19",
    "GHZ": "GHZ 2D+4 KF 19",
    "MOVE": "MOVE 5LB 5IP 10RE 2D+4 > 2E+4 > 2F+4",
    "EXPLORE": "EXPLORE 1 2D+4 > 2D+5",
    "WATCH": "WATCH 2D+4 1",
    "PERMIT": "PERMIT bert 2D+4 3",
    "REVOKE": "REVOKE bert 2D+4",
    "ABANDON": "ABANDON 2D+4",
    "CAPITAL": "CAPITAL 2D+4",
    "PEOPLE": "PEOPLE 1",
    "LEAVE": "LEAVE 2",
    "ENTER": 'ENTER 6 2D+4 B 2C+4 3LB 8RE LOSS 6RE HZ KF 32 NAME "Wurezburg"',
    "SETTLE": "SETTLE 2C+4 TO bert",
    "LETTER": 'LETTER bert "text" AS sham',
    "EXPRESS": 'EXPRESS bert "text"',
    "COURIER": 'COURIER "text"',
    "NOTE": 'NOTE "text"',
    "PASS": "PASS",
}
"""How each order is written."""


def parse(text: str, view: View) -> Parsed[Line]:
    """Read orders, one a line. `#` or `;` starts a comment; blank lines, own headings and END are nothing."""
    orders: list[ReadOrder[Line]] = []
    errors: list[OrderError] = []
    is_in_block = False
    for number, raw in enumerate(text.splitlines(), 1):
        content = _without_comment(raw)
        bare = content.strip()
        if not bare:
            continue
        column = len(content) - len(content.lstrip()) + 1
        end = len(content.rstrip()) + 1
        verb = bare.split()[0].upper()
        if verb == "END" and len(bare.split()) == 1:
            is_in_block = False
            continue
        heading = _HEADING.fullmatch(bare)
        if heading is not None and _is_own(heading["name"], view):
            is_in_block = False
            continue
        if is_in_block and verb not in FORMS and verb not in _OF_OTHER_MODULES:
            found: Order | None = Absent(bare)
        else:
            is_in_block = verb in _BLOCKS and bare.split()[-1].upper() != "NONE"
            found = _Words(bare, view).order()
        if found is None:
            form = phrase("form.written", form=FORMS[verb]) if verb in FORMS else ""
            args = {"verb": verb[:20], "form": form}
            errors.append(OrderError(number, column, end, raw, SYNTAX, args, tuple(_meant(bare, view)[:3])))
        else:
            orders.append(ReadOrder(Line(found, number, raw.strip()), number, column, end, raw))
    return Parsed(tuple(orders), tuple(errors))


def _meant(text: str, view: View) -> list[str]:
    """The orders that a line may mean in which a work is not told by small and capital letters: `bf` for `Bf`, `BF`."""
    words = text.split()
    if len(words) < 3 or words[0].upper() not in _OF_WORKS:
        return []
    codes = [code for code in WORKS if code.casefold() == words[2].casefold()]
    found = (_Words(" ".join((*words[:2], code, *words[3:])), view).order() for code in codes)
    return [str(order) for order in found if order is not None]


def read(text: str, view: View) -> Line | None:
    """The line of a canonical text; `None` for any other text. Whose view it is makes no difference."""
    found = _Words(text, view).order()
    return None if found is None else Line(found, text=text)


def _is_own(name: str, view: View) -> bool:
    return view.viewer is not None and "_".join(name.lower().split()) == view.viewer


def _without_comment(line: str) -> str:
    is_quoted = False
    for index, letter in enumerate(line):
        if letter == '"':
            is_quoted = not is_quoted
        elif letter in "#;" and not is_quoted:
            return line[:index]
    return line


class _Unreadable(Exception):
    """The line doesn't read as its verb wants it."""


class _Words:
    """The words of a line, taken one by one."""

    def __init__(self, text: str, view: View) -> None:
        self._text = text
        self._words: list[str] = _TOKEN.findall(text) if text.count('"') % 2 == 0 else []
        self._at = 0
        self._plane = view.state.usual_plane
        self.viewer = view.viewer

    def order(self) -> Order | None:
        """What the line orders; `None` if it doesn't read."""
        try:
            verb = self.word().upper()
            read = _READERS.get(verb)
            if read is None:
                return Absent(" ".join(self._words)) if verb in _OF_OTHER_MODULES else None
            order = read(self)
            return order if self._at == len(self._words) else None
        except _Unreadable:
            return None

    # Words

    def peek(self) -> str:
        """The next word in capitals; empty at the end."""
        return self._words[self._at].upper() if self._at < len(self._words) else ""

    def word(self) -> str:
        """The next word."""
        if self._at >= len(self._words):
            raise _Unreadable
        self._at += 1
        return self._words[self._at - 1]

    def take(self, *words: str) -> bool:
        """Whether these words come next; then they are passed over."""
        if [word.upper() for word in self._words[self._at : self._at + len(words)]] != list(words):
            return False
        self._at += len(words)
        return True

    def need(self, word: str) -> None:
        """A word that has to stand here."""
        if not self.take(word):
            raise _Unreadable

    def number(self, *, least: int = 1) -> int:
        """A whole number."""
        word = self.word()
        if not _WHOLE.fullmatch(word) or int(word) < least:
            raise _Unreadable
        return int(word)

    def place(self) -> Province:
        """A province."""
        found = parse_province(self.word(), self._plane)
        if found is None:
            raise _Unreadable
        return found

    def find_place(self) -> Province | None:
        """A province, if one comes next."""
        found = parse_province(self.peek(), self._plane)
        if found is not None:
            self._at += 1
        return found

    def cell(self) -> int:
        """A small field."""
        number = self.number()
        if number > 48:
            raise _Unreadable
        return number

    def edge(self) -> Edge:
        """A side of a small field."""
        found = parse_edge(self.word())
        if found is None:
            raise _Unreadable
        return found

    def edges(self) -> Iterator[Edge]:
        """All the edges that come next."""
        while parse_edge(self.peek()) is not None:
            yield self.edge()

    def figures(self) -> Named:
        """All the figures that come next, at least one."""
        items = []
        while self.peek() and parse_province(self.peek(), self._plane) is None and self.peek() not in _AFTER_FIGURES:
            item = self.word()
            if item == "+":
                continue
            if parse_figures(item, None) is None:
                raise _Unreadable
            items.append(item)
        found = parse_figures(" ".join(items), None) or {}
        if not found:
            raise _Unreadable
        return named(found)

    def unusual(self) -> Iterator[str]:
        """Takes what no document knows out of the figures that come next: giants, class D."""
        left = self._words[self._at :]
        found = [(word, match) for word in left if (match := _UNUSUAL.fullmatch(word))]
        if found:
            self._words[self._at :] = [word for word in left if not _UNUSUAL.fullmatch(word)]
        return (word[: -len(match["code"])] + match["code"].upper() for word, match in found)

    def path(self) -> tuple[Province, ...]:
        """Provinces with `>` between, at least two."""
        found = [self.place()]
        while self.take(">"):
            found.append(self.place())
        if len(found) < 2:
            raise _Unreadable
        return tuple(found)

    def name(self) -> str:
        """The name of a ruler, in small letters."""
        word = self.word()
        if word.startswith('"') or word == ">":
            raise _Unreadable
        return composed(word).lower()

    def quoted(self) -> str:
        """A text in quotes that is not empty."""
        word = self.word()
        if not word.startswith('"') or not word.strip('"').strip():
            raise _Unreadable
        return word[1:-1].strip()


_AFTER_FIGURES = ("LOSS", "HZ", "NAME", "JOIN", "SIDE", "FREE", ">")


def _arm(words: _Words) -> Order:
    target, amount = words.place(), words.number()
    words.need("FROM")
    sources: list[str] = []
    while words.peek():
        sources.append(PEOPLE if words.take(PEOPLE) else words.place())
    if not sources or len(set(sources)) < len(sources):
        raise _Unreadable
    return Arm(target, amount, tuple(sources))


def _convert(words: _Words) -> Order:
    """A conversion; what no realm can make is read too, to be refused for that. Source: rules R-014, R-104"""
    at, barred = words.place(), list(words.unusual())
    return Convert(at, words.figures() if words.peek() or not barred else (), tuple(barred))


def _work_code(words: _Words) -> str:
    """The code of a work. `Br` and `BR` differ by their case alone, but the one stands on an edge, the other on a KF;
    `Bf` and `BF` have to be told apart."""
    word = words.word()
    alike = [code for code in WORKS if code.casefold() == word.casefold()]
    if "BR" in alike:
        return "Br" if words.peek() == "EDGE" else "BR"
    if word in WORKS:
        return word
    if len(alike) != 1:
        raise _Unreadable
    return alike[0]


def _build(words: _Words) -> Order:
    at, work = words.place(), _work_code(words)
    if work in ("Ma", "Br"):
        words.need("EDGE")
        edge = words.edge()
        has_gate = words.take("GATE")
        opens = words.cell() if words.take("OPENS") else None
        return Build(at, work, edge=edge, has_gate=has_gate, opens=opens)
    words.need("KF")
    cell = words.cell()
    if work == "BR":
        words.need("BANKS")
        return Build(at, work, cell, banks=(words.cell(), words.cell()))
    if work == "Fu":
        return Build(at, work, cell)
    gates: tuple[Edge, ...] = ()
    if words.take("GATE"):
        gates = tuple(words.edges())
        if not gates:
            raise _Unreadable
    return Build(at, work, cell, gates=gates, has_headquarters=words.take("GHZ"))


def _on_work(words: _Words) -> tuple[Province, str, int | None, Edge | None]:
    at, work = words.place(), _work_code(words)
    if words.take("KF"):
        return at, work, words.cell(), None
    words.need("EDGE")
    return at, work, None, words.edge()


def _headquarters(words: _Words) -> Order:
    at = words.place()
    words.need("KF")
    return Headquarters(at, words.cell())


def _move(words: _Words) -> Order:
    return Move(words.figures(), words.path(), words.take("LEAD"))


def _explore(words: _Words) -> Order:
    ee = words.number(least=0)
    path = words.path()
    if len(path) != 2:
        raise _Unreadable
    return Explore(ee, *path)


def _permit(words: _Words) -> Order:
    who = words.name()
    at = None if words.take("ALL") else words.place()
    return Allow(who, at, words.number())


def _revoke(words: _Words) -> Order:
    who = words.name()
    words.take("ALL")
    return Revoke(who, words.find_place())


def _enter(words: _Words) -> Order:
    ee, source, kind = words.number(least=0), words.place(), words.word().upper()
    if kind not in ("E", "B", "K"):
        raise _Unreadable
    target, figures = words.place(), words.figures()
    losses = words.figures() if words.take("LOSS") else None
    cell, name, rest = None, "", []
    while words.peek():
        if words.take("HZ", "KF"):
            cell = words.cell()
        elif words.take("NAME"):
            name = words.quoted()
        elif words.take("SIDE"):
            rest.append(f"SIDE {words.name()}")
        elif words.peek() in ("JOIN", "FREE"):
            rest.append(words.word().upper())
        else:
            raise _Unreadable
    if gf_of(source) == gf_of(target) and source == target:
        raise _Unreadable
    return Enter(ee, source, kind, target, figures, losses, cell, name, tuple(rest))


def _settle(words: _Words) -> Order:
    at = words.place()
    words.need("TO")
    return Settle(at, words.name())


def _letter(words: _Words, *, is_express: bool = False) -> Order:
    """A letter; nobody writes to himself. Source: rules R-118"""
    who, text = words.name(), words.quoted()
    if who == words.viewer:
        raise _Unreadable
    if is_express:
        return Write(who, text, is_express=True)
    return Write(who, text, words.name() if words.take("AS") else "")


_READERS: Mapping[str, Callable[[_Words], Order]] = {
    "ARM": _arm,
    "CONVERT": _convert,
    "BUILD": _build,
    "TEAR": lambda words: Tear(*_on_work(words)),
    "REPAIR": lambda words: Repair(*_on_work(words)),
    "GHZ": _headquarters,
    "MOVE": _move,
    "EXPLORE": _explore,
    "WATCH": lambda words: Watch(words.place(), words.number()),
    "PERMIT": _permit,
    "REVOKE": _revoke,
    "ABANDON": lambda words: Abandon(words.place()),
    "CAPITAL": lambda words: Capital(words.place()),
    "PEOPLE": lambda words: People(words.number()),
    "LEAVE": lambda words: Leave(words.number()),
    "ENTER": _enter,
    "SETTLE": _settle,
    "LETTER": _letter,
    "EXPRESS": lambda words: _letter(words, is_express=True),
    "COURIER": lambda words: Contribute(words.quoted()),
    "NOTE": lambda words: Note(words.quoted()),
    "PASS": lambda words: Pass(),
}
