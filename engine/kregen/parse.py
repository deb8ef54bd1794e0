"""Reads order lines of Kregen: units with one step or two, heroes, duels, grants, set-up, retreats, builds, prophecies.

The first step of reading; whether an order may be given is for `check`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from functools import cache
from itertools import pairwise

from engine.core.errors import OrderError
from engine.core.gazetteer import gazetteer_of
from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.core.orders import Parsed, ReadOrder
from engine.core.phrases import phrase
from engine.core.words import LIST_MARKS, Token, lead_end, plain_words, says_all_hold, tokens_of
from engine.kregen.eye import eye_of
from engine.kregen.model import (
    ARMY,
    FLEET,
    HERO,
    LET_PASS,
    SHARE,
    SPARE,
    ActStep,
    Aid,
    Betray,
    BuildHero,
    Capital,
    Convoy,
    Duel,
    Go,
    Grant,
    Manoeuvre,
    Order,
    Sail,
    Stay,
    Support,
    Unit,
    View,
    With,
    format_order,
    subject_of_unit,
)
from engine.kregen.prophecy import (
    BUILD,
    HOLD,
    LOST,
    REMOVE,
    TOOK,
    Condition,
    DrivenOut,
    Fact,
    Owned,
    Plan,
    Points,
    Prophecy,
    Refuge,
    format_condition,
)
from engine.provinces.headings import Headings, names_of_powers
from engine.provinces.orders import Build, Disband, Kind, Remove, Retreat, Waive
from engine.provinces.phases import PhaseKind
from engine.provinces.variants import BoardVariant

KEYWORDS = (
    "army", "betray", "build", "capital", "capture", "convoy", "disband", "duel", "fleet", "hero", "hold", "kill",
    "remove", "retreat", "share", "spare", "support", "with",
)  # fmt: skip
MOST_HINTS = 3
_KINDS = {
    "a": ARMY, "army": ARMY, "f": FLEET, "fleet": FLEET, "ff": FLEET, "fleets": FLEET, "h": HERO, "hero": HERO,
}  # fmt: skip
_PAIR = frozenset({"ff", "fleets"})
_STEP_WORDS = frozenset({"-", ",", "/", ":", "s", "c", "h", "with", "aid", "and", "…"})
_DEEDS = {
    **dict.fromkeys(("hold", "holds", "held", "own", "owns"), HOLD),
    **dict.fromkeys(("lost", "lose"), LOST),
    **dict.fromkeys(("took", "take", "taken"), TOOK),
}
_DISBAND = ("d", "disband", "disbands")
_FIRST_WORD = re.compile(r"\W*(\w+)")
_COMMENT = re.compile(r"#|//\s")
_POINTS = re.compile(r"(\d{1,4})(?:(½)|\.(5)(?!\d)|\s+(1/2))?(?![\w.]*\d)")
_AT_LEAST = ("", ">=", "=>", "≥", "⩾", ">")
_AT_MOST = ("<=", "=<", "≤", "⩽")
_LESS = ("<", "=<", "≤", "⩽")
_LONGEST = 400
_RULES = frozenset({"build", "capital", "duel", "let", "remove", "share", "spare", "waive"})
"""Words with which orders begin, and nothing else that may follow a comma."""
_LISTS = frozenset({"build", "disband", "remove", "retreat"})
"""Words that units follow with commas between them."""


class _Unreadable(Exception):
    """A line is no order: the code, and the tokens that it is about."""

    def __init__(
        self,
        code: str,
        token: Token | None = None,
        last: Token | None = None,
        hints: Sequence[str] = (),
        **args: object,
    ) -> None:
        super().__init__(code)
        self.code, self.token, self.last, self.hints, self.args_of = code, token, last or token, hints, args


def parse(text: str, view: View) -> Parsed[Order]:
    """Read orders, one a line, or several separated by `;`; `#` starts a comment. Never raises.

    Commas separate orders, too, where a line makes no sense as one order. `All hold` holds every unit and hero that no
    other line of the text orders.
    """
    orders: list[ReadOrder[Order]] = []
    errors: list[OrderError] = []
    all_hold: tuple[int, int, int, str] | None = None
    for number, written in enumerate(text.splitlines(), 1):
        body = _body(number, written, view, errors)
        for start, end in _orders_in(written, body, view):
            if view.state.phase.kind is PhaseKind.MOVEMENT and says_all_hold(written[start:end]):
                all_hold = number, start + 1, end + 1, written
                continue
            line = _Line(written[start:end], view)
            try:
                found = line.read()
            except _Unreadable as problem:
                errors.append(_error(number, written, (start, end), problem, line))
                continue
            orders += [ReadOrder(order, number, start + 1, end + 1, written) for order in found]
    if all_hold:
        orders += [ReadOrder(hold, *all_hold) for hold in _holds(view, [read.order for read in orders])]
    return Parsed(tuple(orders), tuple(errors))


def _orders_in(line: str, body: tuple[int, int], view: View) -> Iterator[tuple[int, int]]:
    """Where the orders of a line are: between `;`, and between commas where it makes no sense as one order."""
    for start, end in _pieces(line, *body):
        first = start
        for comma, after in _beginnings_after_commas(line[start:end], view):
            yield first, start + len(line[start : start + comma.start].rstrip())
            first = start + after.start
        yield first, end


def _beginnings_after_commas(text: str, view: View) -> list[tuple[Token, Token]]:
    """The commas behind which another order begins, and its first word; in a list of builds units belong to the list.

    None where the text is one order, as most with commas are, or a prophecy.
    """
    line = _Line(text, view)
    if "," not in text or line.word() == "if" or line.is_order():
        return []
    found, is_list = [], line.word() in _LISTS
    for place, (comma, after) in enumerate(pairwise(line.tokens), start=1):
        if comma.word == "," and (after.word in _RULES or (not is_list and line.begins_unit(place))):
            found.append((comma, after))
            is_list = after.word in _LISTS
    return found


def _holds(view: View, orders: Sequence[Order]) -> Iterator[Manoeuvre]:
    """A hold for each of the viewer's units and heroes that has no order."""
    ordered = Counter[tuple[Kind, ProvinceId]]()
    for order in orders:
        if isinstance(order, Manoeuvre | Disband):
            many = 2 if isinstance(order, Manoeuvre) and order.is_pair else 1
            ordered[order.kind, province_of(PlaceId(order.at))] += many
    for unit in view.state.units:
        if unit.power == view.viewer and not unit.rests:
            ordered[unit.kind, unit.sector] -= 1
            if ordered[unit.kind, unit.sector] < 0:
                yield Manoeuvre(unit.kind, unit.sector, (Stay(),))


def _body(number: int, line: str, view: View, errors: list[OrderError]) -> tuple[int, int]:
    """Where the orders of a line begin and end: no comment, no list mark, not the player's own power's name before
    it."""
    comment = _COMMENT.search(line)
    end = comment.start() if comment else len(line)
    start = lead_end(LIST_MARKS, line)
    if line.startswith("```", start):
        return end, end
    headings = _headings_of(view.state.variant)
    first = _FIRST_WORD.match(line, start)
    if first is None or first[1].casefold() not in _beginnings(headings):
        return start, end
    power, skipped = headings.heading(line[start:end])
    if power is None:
        return start, end
    if power != view.viewer:
        args = {"power": power}
        errors.append(OrderError(number, start + 1, start + skipped + 1, line, "not_your_power", args))
        return end, end
    return start + skipped, end


@cache
def _headings_of(variant: BoardVariant) -> Headings:
    return Headings(gazetteer_of(variant), names_of_powers(variant), _KINDS)


@cache
def _beginnings(headings: Headings) -> frozenset[str]:
    """The words with which the name of a power begins."""
    return frozenset(name.split()[0] for name in headings.powers)


def _pieces(line: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for piece in re.finditer(r"[^;]+", line[start:end]):
        text = piece.group()
        if any(letter.isalnum() for letter in text):
            yield start + piece.start() + len(text) - len(text.lstrip()), start + piece.start() + len(text.rstrip())


def _error(number: int, written: str, span: tuple[int, int], problem: _Unreadable, line: _Line) -> OrderError:
    start, end = span
    if problem.token and problem.last:
        start, end = span[0] + problem.token.start, span[0] + problem.last.end
    elif problem.code in ("place_missing", "order_missing", "order_missing_now", "number_missing", "colon_missing"):
        start = end - 1
    hints = tuple(problem.hints)[:MOST_HINTS]
    return OrderError(number, start + 1, end + 1, written, problem.code, problem.args_of, hints, line.subject)


class _Line:
    """One order as written, cut into its tokens; `comma` stands between the segments.

    Attributes:
        subject: what it is for, once that was read, if it is the viewer's own.
    """

    def __init__(self, text: str, view: View) -> None:
        self.text = text
        self.view, self.state = view, view.state
        self.board = self.state.variant.board
        self.gazetteer = gazetteer_of(self.state.variant)
        self.tokens = _tokens(text)
        self.position = 0
        self.subject: str | None = None

    def read(self) -> list[Order]:
        """The orders of the line: none where a line of a template was left blank."""
        if len(self.text) > _LONGEST:
            raise _Unreadable("too_long", most=_LONGEST)
        word = self.word()
        plain: dict[str, Callable[[], list[Order]]] = {
            "build": self._builds, "remove": self._removals, "capital": self._capital, "duel": self._duel,
            "share": self._share, "spare": self._spare, "let": self._let_pass, "retreat": self._retreat,
            "waive": lambda: [Waive()], "disband": self._disbandments,
        }  # fmt: skip
        if word == "if" or (word in ("retreat", BUILD, REMOVE) and self._is_prophetic()):
            orders: list[Order] = [self._prophecy()]
        elif word in plain:
            if self.tokens[-1].word == "…":
                return []
            self.position += 1
            orders = plain[word]()
        else:
            orders = self._unit_orders()
        if self.word() == "…":
            return []
        if self.position < len(self.tokens):
            rest = self.tokens[self.position]
            raise _Unreadable("left_over", rest, self.tokens[-1], words=self.text[rest.start : self.tokens[-1].end])
        return orders

    def is_order(self) -> bool:
        """Whether it can be read as one order, or one list of them; nothing more can be read of it then."""
        try:
            self.read()
        except _Unreadable:
            return False
        return True

    def begins_unit(self, place: int) -> bool:
        """Whether a unit is named at that place, such as `A ZND`; an `H` alone is a hold."""
        return self.tokens[place].word in _KINDS and bool(self._place_at(place + 1)[1])

    def _is_prophetic(self) -> bool:
        """Whether a rule's word with a colon is of a prophecy: a list of builds may be written so in its own phase."""
        if not any(token.word == ":" for token in self.tokens):
            return False
        return self.word() == "retreat" or self.state.phase.kind not in (PhaseKind.SETUP, PhaseKind.ADJUSTMENTS)

    # Words

    def word(self, ahead: int = 0) -> str:
        """The word that comes next; empty at the end."""
        index = self.position + ahead
        return self.tokens[index].word if index < len(self.tokens) else ""

    def token(self) -> Token | None:
        """The token that comes next."""
        return self.tokens[self.position] if self.position < len(self.tokens) else None

    def _skip(self, *words: str) -> bool:
        if self.word() in words:
            self.position += 1
            return True
        return False

    def _kind(self) -> Kind | None:
        # A single letter may also be a name; it is a kind if a name follows it.
        if self.word() in _KINDS and (len(self.word()) > 2 or self._place_at(self.position + 1)[1] or self._is_lone()):
            self.position += 1
            return _KINDS[self.tokens[self.position - 1].word]
        return None

    def _is_lone(self) -> bool:
        """Whether the letter here is no name, and a word that is none either follows it."""
        return not self.gazetteer.match([self.word()], 0)[1] and self.word(1) not in ("", *_STEP_WORDS)

    def _place_at(self, start: int) -> tuple[int, tuple[ProvinceId, ...]]:
        words = [token.word for token in self.tokens]
        if start >= len(words):
            return start, ()
        end, found = self.gazetteer.match(words, start)
        if found and not (end == start + 1 and len(words[start]) == 1 and words[start] in _KINDS):
            return end, found
        stop = start
        while stop < len(words) and words[stop] not in _STEP_WORDS:
            stop += 1
        for last in range(stop, start, -1):
            found = self.gazetteer.beginning(words[start:last])
            if len(found) == 1:
                return last, found
        return start, ()

    def sector(self) -> ProvinceId:
        """The sector that is named next."""
        token = self.token()
        if token is None or token.word in ("-", ",", ":"):
            raise _Unreadable("place_missing", token)
        end, found = self._place_at(self.position)
        if not found:
            near = self.gazetteer.near([token.word])[:MOST_HINTS]
            before, after = self.text[: token.start], self.text[token.end :]
            hints = [f"{before}{place}{after}".strip() for place in near]
            raise _Unreadable("unknown_province", token, hints=hints, words=self.text[token.start : token.end])
        if len(found) > 1:
            raise _Unreadable("ambiguous_province", token, words=token.word, meanings=found)
        self.position = end
        return found[0]

    def place(self) -> PlaceId:
        """The sector that is named next, with its coast if one is named."""
        sector = self.sector()
        if self.word() == "/" and f"{sector}/{self.word(1).upper()}" in self.board.provinces[sector].coasts:
            place = PlaceId(f"{sector}/{self.word(1).upper()}")
            self.position += 2
            return place
        return PlaceId(sector)

    def power(self) -> PowerId:
        """The power that is named next."""
        token = self.token()
        words = [t.word for t in self.tokens[self.position :]]
        for power in self.state.variant.powers.values():
            for name in map(plain_words, (power.name, power.id, *power.aliases)):
                if words[: len(name)] == list(name):
                    self.position += len(name)
                    return power.id
        allies = self._allies()
        if token is None:
            hints = [f"{self.text.rstrip()} {power}" for power in allies[:MOST_HINTS]]
            raise _Unreadable("power_missing", hints=hints)
        near = get_close_matches(token.word, allies, MOST_HINTS) or allies[:MOST_HINTS]
        hints = [f"{self.text[: token.start]}{power}{self.text[token.end :]}" for power in near]
        raise _Unreadable("unknown_power", token, hints=hints, words=token.word)

    def _allies(self) -> list[PowerId]:
        """The other powers that this one may help."""
        viewer, is_holy = self.view.viewer, self.state.options["holy_war"]
        powers = [power for power in self.state.variant.powers if power != viewer]
        return [p for p in powers if viewer is None or not is_holy or eye_of(self.state.variant).may_help(viewer, p)]

    # Lines without a unit before them

    def _kind_and_place(self, before: Kind | None = None) -> tuple[Kind, PlaceId]:
        kind = self._kind() or before
        if kind is None:
            raise _Unreadable("kind_missing", self.token())
        return kind, self.place()

    def _list(self) -> list[tuple[Kind, PlaceId]]:
        """`A ZIM, FF ZY, F ZUL`; a kind holds for what follows it."""
        found: list[tuple[Kind, PlaceId]] = []
        while True:
            count = 2 if self.word() in _PAIR else 1
            found += [self._kind_and_place(found[-1][0] if found else None)] * count
            if not self._skip(",", "and"):
                return found

    def _builds(self) -> list[Order]:
        self._skip(":")
        start = self.position
        if self._kind() == HERO:
            at = self.place()
            if self._skip(",") and self._place_at(self.position)[1] and self.word() not in _KINDS:
                return [BuildHero(at, self.sector())]
        self.position = start
        return [Build(kind, at) for kind, at in self._list()]

    def _removals(self) -> list[Order]:
        self._skip(":")
        return [Remove(kind, self._standing(kind, at)) for kind, at in self._list()]

    def _disbandments(self) -> list[Order]:
        given_up = Remove if self.state.phase.kind is PhaseKind.ADJUSTMENTS else Disband
        return [given_up(kind, self._standing(kind, at)) for kind, at in self._list()]

    def _capital(self) -> list[Order]:
        return [Capital(self.sector())]

    def _duel(self) -> list[Order]:
        token, kind = self.token(), self._kind()
        if kind in (ARMY, FLEET):
            raise _Unreadable("heroes_duel", token)
        bare = self.token()
        if bare is not None and bare.word.isdecimal():
            raise _Unreadable("which_hero", bare, hints=self._duels_with(bare.word))
        at = self.sector()
        self.subject = f"DUEL {at}" if self._has(HERO, at) else None
        of = self.power() if self._skip("of") else None
        number = self._duel_number(at, of)
        is_capture = self._skip("capture", "captures")
        if not is_capture:
            self._skip("kill", "kills")
        return [Duel(at, number, is_capture, of)]

    def _duels_with(self, written: str) -> list[str]:
        """The duels of each own hero with a number."""
        number, is_capture = min(int(written[:4]), 100), any(one.word.startswith("capture") for one in self.tokens)
        return [format_order(Duel(hero.sector, number, is_capture)) for hero in self._own() if hero.kind == HERO]

    def _duel_number(self, at: ProvinceId, of: PowerId | None) -> int:
        """A whole number from 0 to 100 as written: `-1` and `3.5` are none."""
        token = self.token()
        if token is None:
            raise _Unreadable("number_missing", hints=[format_order(Duel(at, 50, of=of))] if self.subject else [])
        match = re.match(r"[^\s,]+", self.text[token.start :])
        written = match.group() if match else token.word
        if re.fullmatch(r"\d{1,3}", written) and int(written) <= 100:
            self.position += 1
            return int(written)
        span = Token(written, token.start, token.start + len(written))
        digits = re.search(r"\d+", written)
        nearest = 50 if digits is None else 0 if written[0] == "-" else min(int(digits.group()[:4]), 100)
        is_capture = any(one.word.startswith("capture") for one in self.tokens)
        hints = [format_order(Duel(at, nearest, is_capture, of))] if self.subject else []
        raise _Unreadable("bad_number", span, hints=hints, number=written)

    def _share(self) -> list[Order]:
        self._skip("with")
        return [Grant(SHARE, self.power())]

    def _spare(self) -> list[Order]:
        return [Grant(SPARE, self.power())]

    def _let_pass(self) -> list[Order]:
        self._skip("pass")
        power = self.power()
        self._skip("pass")
        return [Grant(LET_PASS, power)]

    def _retreat(self) -> list[Order]:
        """`retreat A ZIM - SHP`"""
        is_pair = self.word() in _PAIR
        kind, at = self._kind_and_place()
        self._skip("to", "-", "r")
        return [Retreat(kind, self._standing(kind, at), self.place())] * (2 if is_pair else 1)

    # Prophecies

    def _prophecy(self) -> Prophecy:
        conditions = []
        if self._skip("if"):
            while True:
                conditions.append(self._condition())
                if self._skip(":"):
                    break
                if not self._skip("and", ","):
                    raise _Unreadable("colon_missing", self.token())
        return Prophecy(self._rule(), tuple(conditions))

    def _condition(self) -> Condition:
        is_denied = self._skip("not")
        return Condition(self._fact(is_denied=is_denied), is_denied)

    def _fact(self, *, is_denied: bool) -> Fact:
        token = self.token()
        if self._skip("dislodged"):
            kind, at = self._kind_and_place()
            return DrivenOut(kind, province_of(at))
        if token is None or token.word not in _DEEDS:
            raise _Unreadable("unknown_condition", token, word=token.word if token else "")
        self.position += 1
        deed = _DEEDS[token.word]
        if deed == HOLD and (self.word() == "-" or self.word()[:1].isdecimal()):
            return self._least(token, is_denied=is_denied)
        return Owned(deed, self.sector())

    def _least(self, hold: Token, *, is_denied: bool) -> Points:
        """`>= 3` or just `3`; `> 3` is half a point more. What is less than a number is not read as the opposite."""
        self._skip("-")
        number = self.token()
        sign = self.text[hold.end : number.start].replace(" ", "") if number else ""
        least = self._points() + (sign == ">")
        if number is None or sign in _AT_LEAST:
            return Points(least)
        last = self.tokens[self.position - 1]
        least += sign in _AT_MOST
        is_less = sign.startswith(_LESS)
        fact = format_condition(Condition(Points(least), is_denied != is_less))
        start = self.text[: hold.start].rstrip()
        before = start.removesuffix("not").rstrip() if is_denied else start
        hints = [f"{before} {fact}{self.text[last.end :]}"]
        raise _Unreadable("bad_comparison", hold, last, hints, sign=sign)

    def _points(self) -> int:
        """Supply points in halves: `3`, `3.5`, `3½`, `3 1/2`."""
        token = self.token()
        match = _POINTS.match(self.text, token.start) if token else None
        if token is None or match is None:
            raise _Unreadable("bad_points", token, word=token.word if token else "")
        while self.position < len(self.tokens) and self.tokens[self.position].start < match.end():
            self.position += 1
        return 2 * int(match[1]) + any(match.group(2, 3, 4))

    def _rule(self) -> Refuge | Plan:
        token = self.token()
        if self._skip("retreat"):
            return self._refuge()
        if self._skip(BUILD, "builds"):
            return Plan(BUILD, self._planned())
        if self._skip(REMOVE, "removes"):
            return Plan(REMOVE, self._planned())
        raise _Unreadable("unknown_rule", token, word=token.word if token else "")

    def _planned(self) -> tuple[tuple[Kind, PlaceId], ...]:
        self._skip(":")
        return tuple(self._list())

    def _refuge(self) -> Refuge:
        kind, at = self._kind_and_place()
        if not self._skip(":"):
            raise _Unreadable("colon_missing", self.token())
        places: list[PlaceId] = []
        while True:
            if self._skip(*_DISBAND):
                return Refuge(kind, province_of(at), tuple(places), disbands=True)
            places.append(self.place())
            if not self._skip(",", "and", "then"):
                return Refuge(kind, province_of(at), tuple(places))

    # Units

    def _unit_orders(self) -> list[Order]:
        is_pair = self.word() in _PAIR
        kind = self._kind()
        is_told = kind is not None
        start = self.token()
        if kind is None and start is not None and not self._place_at(self.position)[1]:
            raise _Unreadable("no_order", start, self.tokens[-1])
        at = self.place()
        if kind is None:
            kinds = {unit.kind for unit in self._own() if unit.sector == province_of(at)}
            kinds = kinds - {HERO} or kinds
            if len(kinds) != 1:
                raise _Unreadable("kind_missing", start)
            (kind,) = kinds
        self.subject = subject_of_unit(kind, at) if self._has(kind, province_of(at)) else None
        if self.word() == "…":
            return []
        count = 2 if is_pair else 1
        if is_told and self.state.phase.kind is PhaseKind.SETUP and not self.word():
            return [Build(kind, at)] * count
        if self._skip(*_DISBAND):
            # Armies and fleets disband at any time: rules 3.
            is_removal = self.state.phase.kind is PhaseKind.ADJUSTMENTS
            return [(Remove if is_removal else Disband)(kind, self._standing(kind, at))] * count
        if self._skip("r", "retreat", "retreats"):
            self._skip("to", "-")
            return [Retreat(kind, self._standing(kind, at), self.place())] * count
        if self.state.phase.kind is PhaseKind.RETREATS and self._skip("-"):
            return [Retreat(kind, self._standing(kind, at), self.place())] * count
        steps, is_late = self._steps(kind, province_of(at))
        return [Manoeuvre(kind, province_of(at), tuple(steps), is_late, is_pair)]

    def _own(self) -> list[Unit]:
        """The viewer's units, of the dislodged if retreats are to be ordered."""
        rows = [row.unit for row in self.state.dislodged]
        units = rows if self.state.phase.kind is PhaseKind.RETREATS else [*self.state.units, *rows]
        return [unit for unit in units if self.view.viewer in (unit.power, None)]

    def _has(self, kind: Kind, at: ProvinceId) -> bool:
        return any((unit.kind, unit.sector) == (kind, at) for unit in self._own())

    def _standing(self, kind: Kind, at: PlaceId) -> PlaceId:
        """The place with its coast, if such a unit is there."""
        return next((u.at for u in self._own() if u.kind == kind and u.sector == province_of(at)), at)

    def _steps(self, kind: Kind, at: ProvinceId) -> tuple[list[ActStep], bool]:
        steps: list[ActStep] = []
        is_late = False
        while self.position < len(self.tokens):
            if self._skip(",", "then"):
                continue
            if self.word() == "/" and self.word(1) == "2":
                self.position += 2
                is_late = True
                continue
            if self.word() == "/":
                raise self._unknown_mark()
            if steps and self._skip("via", "by"):
                self._skip("convoy", "sea")
                continue
            start = self.token()
            steps += self._step(kind)
            if len(steps) > 2:
                hint = format_order(Manoeuvre(kind, at, tuple(steps[:2])))
                raise _Unreadable("third_step", start, self.tokens[self.position - 1], [hint], unit=f"{kind} {at}")
        if not steps:
            wants = phrase(f"error.wants.{self.state.phase.kind}")
            code = "order_missing" if self.state.phase.kind is PhaseKind.MOVEMENT else "order_missing_now"
            raise _Unreadable(code, unit=f"{kind} {at}", wants=wants)
        return steps, is_late

    def _unknown_mark(self) -> _Unreadable:
        """What follows a slash or an opening bracket and is neither (2) nor a coast, as it was written."""
        first, last = self.tokens[self.position], self.tokens[min(self.position + 1, len(self.tokens) - 1)]
        code = "unknown_impulse" if last.word.isdecimal() else "unknown_verb"
        end = last.end + (self.text[last.end : last.end + 1] in (")", "]"))
        return _Unreadable(code, first, last, words=self.text[first.start : end])

    def _step(self, kind: Kind) -> Sequence[ActStep]:
        self._skip("move", "moves", "go", "goes")
        if self._skip("-", "to"):
            goals = [self._goal(kind)]
            while kind == ARMY and self._skip("-"):
                goals.append(self._goal(kind))
            if len(goals) == 1:
                return [Go(goals[0])]
            return [Sail(tuple(map(province_of, goals[:-1])), province_of(goals[-1]))]
        if self._skip("s", "support", "supports"):
            return [self._support()]
        if self._skip("c", "convoy", "convoys"):
            return [self._convoy()]
        if self._skip("h", "hold", "holds"):
            return [Stay()]
        if self._skip("aid", "aids"):
            return [Aid()]
        if self._skip("betray", "betrays"):
            self._skip("to")
            return [Betray(self.power())]
        if self._skip("with"):
            return [self._with()]
        raise _Unreadable("unknown_verb", self.token(), words=self.word())

    def _goal(self, kind: Kind) -> PlaceId:
        """Where a unit goes: coasts matter to fleets alone."""
        place = self.place()
        return place if kind == FLEET else PlaceId(province_of(place))

    def _support(self) -> ActStep:
        of_kind = self._kind()
        of = province_of(self.place())
        if of_kind is None:
            kinds = {unit.kind for unit in self.state.units if unit.sector == of and unit.kind != HERO}
            of_kind = kinds.pop() if len(kinds) == 1 else ARMY
        if self._skip("-", "to"):
            return Support(of_kind, of, province_of(self.place()))
        self._skip("h", "hold", "holds")
        return Support(of_kind, of)

    def _convoy(self) -> ActStep:
        loads = []
        while self.token() is not None and self.word() != ",":
            self._kind()
            origin = self.sector()
            if not self._skip("-", "to"):
                raise _Unreadable("place_missing", self.token())
            loads.append((origin, self.sector()))
            if not self._skip("and"):
                break
        return Convoy(tuple(loads))

    def _with(self) -> ActStep:
        if self.word() not in _KINDS:
            raise _Unreadable("kind_missing", self.token())
        kind = _KINDS[self.word()]
        self.position += 1
        at = self.sector() if self.token() is not None and self.word() not in (",", "-") else None
        to = self._goal(HERO) if self._skip("-", "to") else None
        return With(kind, at, to)


def _tokens(line: str) -> list[Token]:
    """The tokens of a line with its commas; the bracket of `(River)` is passed over."""
    found = tokens_of(line)
    if "," in line:
        commas = [Token(",", at, at + 1) for at, letter in enumerate(line) if letter == ","]
        found = sorted([*found, *commas], key=lambda token: token.start)
    return [
        token
        for index, token in enumerate(found)
        if token.word != "/" or index + 1 == len(found) or found[index + 1].word != "river"
    ]
