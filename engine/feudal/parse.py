"""Reads orders as people write them: a text to orders and unreadable lines. The View says what stands where.

The grammar is small, so words become orders in one go. What a unit is called (`A` for a knight, `A Swe` for a
barbarian) is passed over: where it stands says what it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

from engine.core.errors import OrderError
from engine.core.gazetteer import Gazetteer, gazetteer_of
from engine.core.ids import PlaceId, PowerId
from engine.core.orders import Parsed, ReadOrder
from engine.core.phrases import phrase
from engine.core.words import Token, lead_end, number_of, plain_words, says_all_hold, spans_between, tokens_of
from engine.feudal import choosing
from engine.feudal.board import land_of
from engine.feudal.legality import unit_at, units_by_place, wanted_orders, wanted_word
from engine.feudal.model import (
    ARMY,
    BARBARIAN,
    BARBARIANS,
    KING,
    KNIGHT,
    NOMAD,
    WIZARD,
    Castle,
    Choose,
    Immobilize,
    Order,
    Support,
    View,
    subject,
)
from engine.provinces.orders import Build, Disband, Hold, Kind, Move, Retreat, Waive
from engine.provinces.phases import PhaseKind
from engine.provinces.variants import BoardVariant

KIND_WORDS: Mapping[str, Kind] = {
    **dict.fromkeys(("a", "army", "armies"), ARMY),
    **dict.fromkeys(("n", "knight", "knights"), KNIGHT),
    **dict.fromkeys(("k", "king"), KING),
    **dict.fromkeys(("w", "wizard", "wizards"), WIZARD),
    **dict.fromkeys(("nomad", "nomads"), NOMAD),
    **dict.fromkeys(("barbarian", "barbarians", "barb"), BARBARIAN),
}
KEYWORDS = (
    "army", "build", "castle", "choose", "disband", "fleet", "hold", "immobilize", "king", "knight", "move", "retreat",
    "support", "waive", "wizard",
)  # fmt: skip
_FLEETS = frozenset({"f", "fleet", "fleets"})
_HOLD = frozenset({"h", "hold", "holds", "stand", "stands", "stay", "stays"})
_TO = frozenset({"-", "to", "m", "move", "moves", "go", "goes", "into", "attacks"})
_SUPPORT = frozenset({"s", "sup", "support", "supports"})
_DISTANT = frozenset({"s2", "distant"})
_IMMOBILIZE = frozenset({"i", "immobilize", "immobilizes", "immobilise", "immobilises", "freeze", "freezes"})
_RETREAT = frozenset({"r", "retreat", "retreats"})
_DISBAND = frozenset({"d", "disband", "disbands"})
_BUILD = frozenset({"b", "build", "builds"})
_CHOOSE = frozenset({"choose", "choice", "chooses", "list"})
_CASTLE = frozenset({"castle", "castles"})
_VIA, _CONVOY = frozenset({"via", "by"}), frozenset({"c", "convoy", "convoys", "sea"})
_WAIVE = frozenset({"waive", "waives"})
_FILLERS = frozenset({"the", "in", "at", "from", "of", "my", "our", "its", "an"})
_LEADS = frozenset(KIND_WORDS) | _FLEETS | _BUILD | _CHOOSE | _CASTLE | _WAIVE
_VERBS = _HOLD | _TO | _SUPPORT | _DISTANT | _IMMOBILIZE | _RETREAT | _DISBAND
_MOST_HINTS = 3
_MOST_HINTED = 20
_LONGEST_TEXT = 400
_LONGEST_NAME = 4
_HIGHEST_RANK = 999
_BULLET = re.compile(r"\s*(?:(?:[>*+•·–—-]+|\(?\d{1,3}[.):])\s+)*")
_COMMENT = re.compile(r"#|//(?=\s)")


@cache
def power_names(variant: BoardVariant) -> Mapping[str, PowerId]:
    """What powers are called, as plain words."""
    return {
        " ".join(plain_words(name)): power.id for power in variant.powers.values() for name in (power.id, power.name)
    }


def parse(text: str, view: View) -> Parsed[Order]:
    """Read the orders in a text, a line each; several on a line are separated by `;`, or in lists by commas.

    Comments, blank lines, list marks, the player's own power's name as a heading and template lines that were not
    filled in (`A PAR …`) are ignored. The same order twice is one, but in a list of centres. `All hold` holds every
    unit that no other line of the text orders.
    """
    reader = _TextReader(view)
    orders: dict[Order, ReadOrder[Order]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        for read in reader.read_line(number, line):
            orders.setdefault(read.order, read)
    ordered = {subject(order) for order in orders}
    orders |= {read.order: read for read in reader.holds() if subject(read.order) not in ordered}
    return Parsed(tuple(orders.values()), tuple(reader.errors))


class _Unreadable(Exception):
    def __init__(self, code: str, start: int, end: int, **args: object) -> None:
        super().__init__(code)
        self.code, self.start, self.end, self.args_ = code, start, end, args


class _TextReader:
    """Reads the lines of one text."""

    def __init__(self, view: View) -> None:
        self.errors: list[OrderError] = []
        self._view = view
        self._names = power_names(view.state.variant)
        self._wanted = wanted_orders(view.state)
        self._rank = 0
        """Of the last entry of a list read."""
        self._free = choosing.legal_centres(view.state, view.viewer) if view.viewer is not None else ()
        self._listed: set[PlaceId] = set()
        self._all_hold: tuple[int, int, int, str] | None = None

    def holds(self) -> Iterator[ReadOrder[Order]]:
        """A hold for each of the own units, if the text had all hold."""
        if self._all_hold is not None:
            for place, unit in units_by_place(self._view.state).items():
                if unit.power == self._view.viewer:
                    yield ReadOrder(Hold(unit.kind, place), *self._all_hold)

    def read_line(self, number: int, line: str) -> Iterator[ReadOrder[Order]]:
        """The orders of a line; what could not be read goes to `errors`."""
        comment = _COMMENT.search(line)
        end = comment.start() if comment else len(line)
        start = lead_end(_BULLET, line)
        if line.startswith("```", start):
            return
        power, skipped = self._heading(line[start:end])
        if power is not None and power != self._view.viewer:
            args = {"power": power}
            self.errors.append(OrderError(number, start + 1, start + skipped + 1, line, "not_your_power", args))
            return
        for first, last in spans_between(line, start + skipped, end, ";"):
            yield from self._read_sentence(number, line, first, last)

    def _heading(self, text: str) -> tuple[PowerId | None, int]:
        tokens = tokens_of(text[:80])
        index = 1 if tokens and tokens[0].word == "/" else 0
        for length in (3, 2, 1):
            power = self._names.get(" ".join(token.word for token in tokens[index : index + length]))
            if power is None:
                continue
            after = index + length
            is_marked = index == 1 or (after < len(tokens) and tokens[after].word == ":")
            if not is_marked and self._begins_an_order(tokens[0].word):
                continue
            if after < len(tokens) and tokens[after].word == ":":
                after += 1
            return power, tokens[after].start if after < len(tokens) else len(text)
        return None, 0

    def _begins_an_order(self, word: str) -> bool:
        """Whether an order may begin with a word: powers may be called like a place, or `A` and `B`."""
        return word in _LEADS or gazetteer_of(self._view.state.variant).match([word], 0)[0] > 0

    def _read_sentence(self, number: int, line: str, first: int, last: int) -> Iterator[ReadOrder[Order]]:
        """One order, or several separated by commas that share their first word (`choose`, `build`)."""
        tokens = [token for token in tokens_of(line[first:last]) if token.word != ":"]
        lead = tokens[0].word if tokens else ""
        is_letter = len(lead) == 1
        rest = tokens[1].word if len(tokens) > 1 else ""
        if lead in _CHOOSE or (lead in _BUILD and not (is_letter and rest in _VERBS)):
            begin = first + tokens[0].end
            for start, end in spans_between(line, begin, last, ","):
                for entry in self._entries(line, start, end) if lead in _CHOOSE else ((start, end),):
                    yield from self._read(number, line, *entry, lead)
            if not rest:
                self._refuse(number, line, first, _Unreadable("no_place", tokens[0].start, tokens[0].end))
            return
        is_list = Choose in self._wanted
        for start, end in spans_between(line, first, last, ","):
            for entry in self._entries(line, start, end) if is_list else ((start, end),):
                yield from self._read(number, line, *entry, "")

    def _entries(self, line: str, first: int, last: int) -> Sequence[tuple[int, int]]:
        """The entries of a list whose commas were forgotten, if it is nothing but places: `PAR MAR BRE`."""
        tokens = [token for token in tokens_of(line[first:last]) if token.word != ":"]
        words = [token.word for token in tokens]
        spans = []
        at = 0
        while at < len(tokens):
            after, places = gazetteer_of(self._view.state.variant).match(words, at)
            if not places:
                return ((first, last),)
            spans.append((first + tokens[at].start, first + tokens[after - 1].end))
            at = after
        return spans or ((first, last),)

    def _read(self, number: int, line: str, first: int, last: int, lead: str) -> Iterator[ReadOrder[Order]]:
        while first < last and line[first] in " \t:":
            first += 1
        while last > first and line[last - 1].isspace():
            last -= 1
        text = line[first:last]
        if not any(letter.isalnum() for letter in text):
            return
        if not lead and self._view.state.phase.kind is PhaseKind.MOVEMENT and says_all_hold(text):
            self._all_hold = number, first + 1, last + 1, line
            return
        sentence = _Sentence(self._view, text, self._wanted)
        try:
            if lead in _CHOOSE or (not lead and sentence.is_entry()):
                order = self._list_entry(sentence)
            else:
                order = sentence.order(is_build=lead in _BUILD)
        except _Unreadable as unreadable:
            self._refuse(number, line, first, unreadable, sentence.unit_at)
            return
        if order is not None:
            yield ReadOrder(order, number, first + 1, last + 1, line)

    def _list_entry(self, sentence: _Sentence) -> Order | None:
        """`2 PAR`, or `PAR` for the next of the list; nothing where it was left blank."""
        rank, centre = sentence.entry()
        if centre is None:
            return None
        place = rank or self._rank + 1
        # An entry that will be refused takes no place from those after it.
        if rank or (centre in self._free and centre not in self._listed):
            self._rank = place
        self._listed.add(centre)
        return Choose(place, centre)

    def _refuse(self, number: int, line: str, first: int, problem: _Unreadable, unit: PlaceId | None = None) -> None:
        hints: tuple[str, ...] = ()
        if len(self.errors) < _MOST_HINTED:
            hints = tuple(map(str, problem.args_.pop("hints", ())))[:_MOST_HINTS]  # type: ignore[call-overload]
        problem.args_.pop("hints", None)
        start = first + problem.start + 1
        end = max(start + 1, first + problem.end + 1)
        self.errors.append(OrderError(number, start, end, line, problem.code, problem.args_, hints, unit))


class _Sentence:
    """Reads one order from left to right.

    Args:
        wanted: the sorts of orders that the phase takes; to find out takes longer than to read an order.
    """

    def __init__(self, view: View, text: str, wanted: tuple[type, ...]) -> None:
        self._wanted = wanted
        self._state = view.state
        self._viewer = view.viewer
        self._land = land_of(view.state.variant.board)
        self._gazetteer: Gazetteer = gazetteer_of(view.state.variant)
        self._text = text
        tokens = tokens_of(text[:_LONGEST_TEXT])
        self._has_blank = any(token.word == "…" for token in tokens)
        self._tokens: list[Token] = [token for token in tokens if token.word not in ("…", ":")]
        self._words = [token.word for token in self._tokens]
        self._at = 0
        self.unit_at: PlaceId | None = None
        """Where the ordered unit stands, once that is read and it is the viewer's."""

    def is_entry(self) -> bool:
        """Whether it is nothing but a place, where lists of places are asked for."""
        return Choose in self._wanted and 0 < self._gazetteer.match(self._words, 0)[0] == len(self._words)

    def entry(self) -> tuple[int, PlaceId | None]:
        """A rank, 0 if there is none, and a centre, if it was not left blank."""
        rank = 0
        self._skip(_CHOOSE)
        written = number_of(self._peek(), most=_HIGHEST_RANK)
        if written is not None:
            rank, self._at = written, 1
        if self._peek() is None and self._has_blank:
            return rank, None
        place = self._place(self._choosable)
        self._finish()
        return rank, place

    def order(self, *, is_build: bool) -> Order | None:
        """The order; nothing where it was left blank."""
        if len(self._text) > _LONGEST_TEXT:
            raise _Unreadable("too_long", 0, len(self._text), most=_LONGEST_TEXT)
        word = self._peek()
        if word is None or (word in _CASTLE and self._has_blank):
            return None
        if word in _CASTLE:
            self._at += 1
            place = self._place(lambda: self._state.owned(self._viewer or PowerId("")))
            self._finish()
            return Castle(place)
        if word in _WAIVE:
            return self._waive()
        if is_build or (self._state.phase.kind is PhaseKind.ADJUSTMENTS and not self._acts()):
            return self._build()
        if Castle in self._wanted and len(self._words) == 1:
            return Castle(self._place(lambda: self._state.owned(self._viewer or PowerId(""))))
        return self._unit_order()

    def _acts(self) -> bool:
        """Whether the unit does something, as none can in winter: a verb follows its place."""
        return any(word in _VERBS for word in self._words[self._at + 2 :])

    def _waive(self) -> Order:
        """`WAIVE`, `waive 2`: how many does not matter."""
        self._at += 1
        if number_of(self._peek(), most=1) is not None:
            self._at += 1
        self._finish()
        return Waive()

    def _build(self) -> Order | None:
        self._skip(_BUILD - {"b"})
        kind = self._kind() or ARMY
        if self._has_blank:
            return None
        place = self._place(lambda: self._state.owned(self._viewer or PowerId("")))
        self.unit_at = place
        self._finish()
        return Build(kind, place)

    def _unit_order(self) -> Order | None:
        named = self._kind()
        at = self._place(self._orderable)
        kind = self._kind_at(at) or named or ARMY
        start = self._at
        word = self._peek()
        if word is None:
            if self._has_blank:
                return None
            raise self._puzzled("no_verb", 0, len(self._text))
        self._at += 1
        if word in _HOLD:
            order: Order = Hold(kind, at)
        elif word in _DISBAND:
            order = Disband(kind, at)
        elif word in _RETREAT or (word in _TO and self._state.phase.kind is PhaseKind.RETREATS):
            order = Retreat(kind, at, self._goal(at))
        elif word in _TO:
            order = Move(kind, at, self._goal(at))
        elif word in _DISTANT or (word in _SUPPORT and self._peek() == "2"):
            self._skip({"2", "support", "supports"})
            order = self._support(kind, at, is_distant=True)
        elif word in _SUPPORT:
            order = self._support(kind, at, is_distant=False)
        elif word in _IMMOBILIZE:
            if KIND_WORDS.get(self._peek() or "") == NOMAD:
                raise _Unreadable("immobilize_nomads", *self._span(self._at, self._at + 1))
            order = Immobilize(kind, at, *self._helped())
        elif word in _CONVOY:
            raise _Unreadable("no_convoys", *self._span(start, start + 1))
        else:
            raise self._puzzled("unknown_verb", *self._span(start, start + 1), words=self._original(start, start + 1))
        self._finish()
        return order

    def _support(self, kind: Kind, at: PlaceId, *, is_distant: bool) -> Order:
        self._skip_fillers()
        if KIND_WORDS.get(self._peek() or "") == NOMAD:
            self._at += 1
            if self._peek() not in _TO:
                raise _Unreadable("nomads_hold", *self._span(self._at - 1, self._at))
            self._skip(_TO)
            return Support(kind, at, NOMAD, None, self._place(), is_distant)
        of_kind, of = self._helped()
        to = None
        if self._peek() in _HOLD:
            self._at += 1
        elif self._peek() is not None:
            self._skip(_TO)
            to = self._goal(of)
        return Support(kind, at, of_kind, of, to, is_distant)

    def _helped(self) -> tuple[Kind, PlaceId]:
        """The unit that is helped or immobilized, as it is; an imagined one where none stands."""
        named = self._kind()
        at = self._place(lambda: tuple(units_by_place(self._state)))
        unit = unit_at(self._state, at)
        if unit is not None and unit.power == BARBARIANS:
            return BARBARIAN, at
        return (unit.kind if unit is not None else named or ARMY), at

    # Parts

    def _kind(self) -> Kind | None:
        self._skip_fillers()
        word = self._peek() or ""
        if word in _FLEETS and len(self._words) > self._at + 1:
            raise _Unreadable("no_fleets", *self._span(self._at, self._at + 1))
        kind = KIND_WORDS.get(word)
        if kind is not None and (len(self._words) > self._at + 1 or self._has_blank):
            self._at += 1
            self._skip_fillers()
        return kind

    def _kind_at(self, at: PlaceId) -> Kind | None:
        """The kind of the unit to be ordered: a dislodged one in retreats."""
        if self._state.phase.kind is PhaseKind.RETREATS:
            for row in self._state.dislodged:
                if row.unit.at == at:
                    self.unit_at = at if row.unit.power == self._viewer else None
                    return row.unit.kind
        unit = unit_at(self._state, at)
        if unit is None:
            return None
        self.unit_at = at if unit.power == self._viewer else None
        return unit.kind

    def _orderable(self) -> Sequence[PlaceId]:
        if self._state.phase.kind is PhaseKind.RETREATS:
            return tuple(row.unit.at for row in self._state.dislodged if row.unit.power == self._viewer)
        return tuple(unit.at for unit in self._state.units if unit.power == self._viewer)

    def _choosable(self) -> Sequence[PlaceId]:
        if self._viewer is None or self._state.phase.kind is not PhaseKind.SETUP:
            return ()
        return choosing.legal_centres(self._state, self._viewer)

    def _goal(self, at: PlaceId) -> PlaceId:
        return self._place(lambda: self._land.near[at])

    def _place(self, likely: Callable[[], Sequence[PlaceId]] = tuple) -> PlaceId:
        """The place that the next words name; of several that they could mean, the likely one.

        Raises:
            _Unreadable: there is no such place, or several are as likely.
        """
        self._skip_fillers()
        first = self._at
        if first >= len(self._words):
            raise _Unreadable("no_place", len(self._text), len(self._text))
        end, found = self._gazetteer.match(self._words, first)
        stop = max(end, first + 1)
        while stop < min(len(self._words), first + _LONGEST_NAME) and not self._is_stop(stop):
            stop += 1
        longer = self._gazetteer.beginning(self._words[first:stop]) if stop > end else ()
        if longer or not found:
            end, found = stop, longer
        span = self._span(first, end)
        words = self._original(first, end)
        if not found:
            near = self._gazetteer.near(self._words[first:end])
            names = tuple(self._state.variant.board.provinces[place].name for place in near)
            raise _Unreadable("unknown_province", *span, words=words, hints=names)
        if len(found) > 1:
            wanted = likely()
            found = tuple(place for place in found if PlaceId(place) in wanted) or found
        if len(found) > 1:
            raise _Unreadable("ambiguous_province", *span, words=words, meanings=found)
        self._at = end
        if self._peek() == "/" and self._peek(1) in ("nc", "sc", "ec", "n", "s", "e"):
            self._at += 2  # A coast, which does not matter.
        return PlaceId(found[0])

    def _is_stop(self, index: int) -> bool:
        word = self._words[index]
        return word in ("-", "/") or word in _VERBS

    def _puzzled(self, code: str, start: int, end: int, **args: object) -> _Unreadable:
        """A unit without a verb that is known; outside of movement phases told with what the phase is for."""
        if self._state.phase.kind is PhaseKind.MOVEMENT:
            return _Unreadable(code, start, end, **args)
        wants = phrase(f"error.wants.{wanted_word(self._state)}")
        return _Unreadable(f"{code}_now", start, end, wants=wants, **args)

    def _finish(self) -> None:
        if self._peek() is not None:
            start, end = self._span(self._at, len(self._words))
            if self._peek() in _VIA and self._peek(1) in _CONVOY:
                raise _Unreadable("no_convoys", start, end)
            raise _Unreadable("left_over", start, end, words=self._original(self._at, len(self._words)))

    # Words

    def _peek(self, ahead: int = 0) -> str | None:
        index = self._at + ahead
        return self._words[index] if index < len(self._words) else None

    def _skip(self, words: frozenset[str] | set[str]) -> None:
        while self._peek() in words:
            self._at += 1

    def _skip_fillers(self) -> None:
        while self._peek() in _FILLERS and self._gazetteer.match(self._words, self._at)[0] == self._at:
            self._at += 1

    def _span(self, first: int, end: int) -> tuple[int, int]:
        return self._tokens[first].start, self._tokens[max(first, min(end, len(self._tokens)) - 1)].end

    def _original(self, first: int, end: int) -> str:
        start, stop = self._span(first, end)
        return self._text[start:stop][:40]
