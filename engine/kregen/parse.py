"""Reads order lines of Kregen: units with one step or two, heroes, duels, grants, set-up, retreats, builds, prophecies.

The first step of reading; whether an order may be given is for `check`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise

from engine.core.errors import OrderError
from engine.core.gazetteer import gazetteer_of
from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.core.orders import Parsed, ReadOrder
from engine.core.phrases import Phrase, phrase
from engine.core.words import LIST_MARKS, Token, lead_end, says_all_hold
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
    View,
    With,
    format_order,
    subject_of_unit,
)
from engine.kregen.prophecy import (
    BUILD,
    REMOVE,
)
from engine.kregen.prophecy_text import read_prophecy
from engine.kregen.reader import DISBAND, KINDS, MOST_HINTS, PAIR, Reader, UnreadableOrder
from engine.provinces.headings import Headings, names_of_powers
from engine.provinces.orders import Build, Disband, Kind, Remove, Retreat, Waive
from engine.provinces.phases import PhaseKind
from engine.provinces.variants import BoardVariant

KEYWORDS = (
    "army", "betray", "build", "capital", "capture", "convoy", "disband", "duel", "fleet", "hero", "hold", "kill",
    "remove", "retreat", "share", "spare", "support", "with",
)  # fmt: skip
_FIRST_WORD = re.compile(r"\W*(\w+)")
_COMMENT = re.compile(r"#|//\s")
_LONGEST = 400
_RULES = frozenset({"build", "capital", "duel", "let", "remove", "share", "spare", "waive"})
"""Words with which orders begin, and nothing else that may follow a comma."""
_LISTS = frozenset({"build", "disband", "remove", "retreat"})
"""Words that units follow with commas between them."""


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
            except UnreadableOrder as problem:
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
    return Headings(gazetteer_of(variant), names_of_powers(variant), KINDS)


@cache
def _beginnings(headings: Headings) -> frozenset[str]:
    """The words with which the name of a power begins."""
    return frozenset(name.split()[0] for name in headings.powers)


def _pieces(line: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for piece in re.finditer(r"[^;]+", line[start:end]):
        text = piece.group()
        if any(letter.isalnum() for letter in text):
            yield start + piece.start() + len(text) - len(text.lstrip()), start + piece.start() + len(text.rstrip())


def _error(number: int, written: str, span: tuple[int, int], problem: UnreadableOrder, line: _Line) -> OrderError:
    start, end = span
    if problem.token and problem.last:
        start, end = span[0] + problem.token.start, span[0] + problem.last.end
    elif problem.code in ("place_missing", "order_missing", "order_missing_now", "number_missing", "colon_missing"):
        start = end - 1
    hints = tuple(problem.hints)[:MOST_HINTS]
    return OrderError(number, start + 1, end + 1, written, problem.code, problem.args_of, hints, line.subject)


class _Line(Reader):
    """One order as written, of whatever sort."""

    def read(self) -> list[Order]:
        """The orders of the line: none where a line of a template was left blank."""
        if len(self.text) > _LONGEST:
            raise UnreadableOrder("too_long", most=_LONGEST)
        word = self.word()
        plain: dict[str, Callable[[], list[Order]]] = {
            "build": self._builds, "remove": self._removals, "capital": self._capital, "duel": self._duel,
            "share": self._share, "spare": self._spare, "let": self._let_pass, "retreat": self._retreat,
            "waive": lambda: [Waive()], "disband": self._disbandments,
        }  # fmt: skip
        if word == "if" or (word in ("retreat", BUILD, REMOVE) and self._is_prophetic()):
            orders: list[Order] = [read_prophecy(self)]
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
            raise UnreadableOrder("left_over", rest, self.tokens[-1], words=self.text[rest.start : self.tokens[-1].end])
        return orders

    def is_order(self) -> bool:
        """Whether it can be read as one order, or one list of them; nothing more can be read of it then."""
        try:
            self.read()
        except UnreadableOrder:
            return False
        return True

    def begins_unit(self, place: int) -> bool:
        """Whether a unit is named at that place, such as `A ZND`; an `H` alone is a hold."""
        return self.tokens[place].word in KINDS and bool(self.place_at(place + 1)[1])

    def _is_prophetic(self) -> bool:
        """Whether a rule's word with a colon is of a prophecy: a list of builds may be written so in its own phase."""
        if not any(token.word == ":" for token in self.tokens):
            return False
        return self.word() == "retreat" or self.state.phase.kind not in (PhaseKind.SETUP, PhaseKind.ADJUSTMENTS)

    # Lines without a unit before them

    def _builds(self) -> list[Order]:
        self.skip(":")
        start = self.position
        if self.kind() == HERO:
            at = self.place()
            if self.skip(",") and self.place_at(self.position)[1] and self.word() not in KINDS:
                return [BuildHero(at, self.sector())]
        self.position = start
        return [Build(kind, at) for kind, at in self.unit_list()]

    def _removals(self) -> list[Order]:
        self.skip(":")
        return [Remove(kind, self.standing(kind, at)) for kind, at in self.unit_list()]

    def _disbandments(self) -> list[Order]:
        given_up = Remove if self.state.phase.kind is PhaseKind.ADJUSTMENTS else Disband
        return [given_up(kind, self.standing(kind, at)) for kind, at in self.unit_list()]

    def _capital(self) -> list[Order]:
        return [Capital(self.sector())]

    def _duel(self) -> list[Order]:
        token, kind = self.token(), self.kind()
        if kind in (ARMY, FLEET):
            raise UnreadableOrder("heroes_duel", token)
        bare = self.token()
        if bare is not None and bare.word.isdecimal():
            raise UnreadableOrder("which_hero", bare, hints=self._duels_with(bare.word))
        at = self.sector()
        self.subject = f"DUEL {at}" if self.has_unit(HERO, at) else None
        of = self.power() if self.skip("of") else None
        number = self._duel_number(at, of)
        is_capture = self.skip("capture", "captures")
        if not is_capture:
            self.skip("kill", "kills")
        return [Duel(at, number, is_capture, of)]

    def _duels_with(self, written: str) -> list[str]:
        """The duels of each own hero with a number."""
        number, is_capture = min(int(written[:4]), 100), any(one.word.startswith("capture") for one in self.tokens)
        return [format_order(Duel(hero.sector, number, is_capture)) for hero in self.own_units() if hero.kind == HERO]

    def _duel_number(self, at: ProvinceId, of: PowerId | None) -> int:
        """A whole number from 0 to 100 as written: `-1` and `3.5` are none."""
        token = self.token()
        if token is None:
            raise UnreadableOrder("number_missing", hints=[format_order(Duel(at, 50, of=of))] if self.subject else [])
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
        raise UnreadableOrder("bad_number", span, hints=hints, number=written)

    def _share(self) -> list[Order]:
        self.skip("with")
        return [Grant(SHARE, self.power())]

    def _spare(self) -> list[Order]:
        return [Grant(SPARE, self.power())]

    def _let_pass(self) -> list[Order]:
        self.skip("pass")
        power = self.power()
        self.skip("pass")
        return [Grant(LET_PASS, power)]

    def _retreat(self) -> list[Order]:
        """`retreat A ZIM - SHP`"""
        is_pair = self.word() in PAIR
        kind, at = self.kind_and_place()
        self.skip("to", "-", "r")
        return [Retreat(kind, self.standing(kind, at), self.place())] * (2 if is_pair else 1)

    # Units

    def _unit_orders(self) -> list[Order]:
        is_pair = self.word() in PAIR
        kind = self.kind()
        is_told = kind is not None
        start = self.token()
        if kind is None and start is not None and not self.place_at(self.position)[1]:
            raise UnreadableOrder("no_order", start, self.tokens[-1], wants=self._wanted())
        at = self.place()
        if kind is None:
            kinds = {unit.kind for unit in self.own_units() if unit.sector == province_of(at)}
            kinds = kinds - {HERO} or kinds
            if len(kinds) != 1:
                raise UnreadableOrder("kind_missing", start)
            (kind,) = kinds
        self.subject = subject_of_unit(kind, at) if self.has_unit(kind, province_of(at)) else None
        if self.word() == "…":
            return []
        count = 2 if is_pair else 1
        if is_told and self.state.phase.kind is PhaseKind.SETUP and not self.word():
            return [Build(kind, at)] * count
        if self.skip(*DISBAND):
            # Armies and fleets disband at any time: rules 3.
            is_removal = self.state.phase.kind is PhaseKind.ADJUSTMENTS
            return [(Remove if is_removal else Disband)(kind, self.standing(kind, at))] * count
        if self.skip("r", "retreat", "retreats"):
            self.skip("to", "-")
            return [Retreat(kind, self.standing(kind, at), self.place())] * count
        if self.state.phase.kind is PhaseKind.RETREATS and self.skip("-"):
            return [Retreat(kind, self.standing(kind, at), self.place())] * count
        steps, is_late = self._steps(kind, province_of(at))
        return [Manoeuvre(kind, province_of(at), tuple(steps), is_late, is_pair)]

    def _steps(self, kind: Kind, at: ProvinceId) -> tuple[list[ActStep], bool]:
        steps: list[ActStep] = []
        is_late = False
        while self.position < len(self.tokens):
            if self.skip(",", "then"):
                continue
            if self.word() == "/" and self.word(1) == "2":
                self.position += 2
                is_late = True
                continue
            if self.word() == "/":
                raise self._unknown_mark()
            if steps and self.skip("via", "by"):
                self.skip("convoy", "sea")
                continue
            start = self.token()
            steps += self._step(kind)
            if len(steps) > 2:
                hint = format_order(Manoeuvre(kind, at, tuple(steps[:2])))
                raise UnreadableOrder("third_step", start, self.tokens[self.position - 1], [hint], unit=f"{kind} {at}")
        if not steps:
            wants = self._wanted()
            code = "order_missing" if self.state.phase.kind is PhaseKind.MOVEMENT else "order_missing_now"
            raise UnreadableOrder(code, unit=f"{kind} {at}", wants=wants)
        return steps, is_late

    def _wanted(self) -> Phrase:
        """What may be ordered in this phase."""
        return phrase(f"error.wants.{self.state.phase.kind}")

    def _unknown_mark(self) -> UnreadableOrder:
        """What follows a slash or an opening bracket and is neither (2) nor a coast, as it was written."""
        first, last = self.tokens[self.position], self.tokens[min(self.position + 1, len(self.tokens) - 1)]
        code = "unknown_impulse" if last.word.isdecimal() else "unknown_verb"
        end = last.end + (self.text[last.end : last.end + 1] in (")", "]"))
        return UnreadableOrder(code, first, last, words=self.text[first.start : end])

    def _step(self, kind: Kind) -> Sequence[ActStep]:
        self.skip("move", "moves", "go", "goes")
        if self.skip("-", "to"):
            goals = [self._goal(kind)]
            while kind == ARMY and self.skip("-"):
                goals.append(self._goal(kind))
            if len(goals) == 1:
                return [Go(goals[0])]
            return [Sail(tuple(map(province_of, goals[:-1])), province_of(goals[-1]))]
        if self.skip("s", "support", "supports"):
            return [self._support()]
        if self.skip("c", "convoy", "convoys"):
            return [self._convoy()]
        if self.skip("h", "hold", "holds"):
            return [Stay()]
        if self.skip("aid", "aids"):
            return [Aid()]
        if self.skip("betray", "betrays"):
            self.skip("to")
            return [Betray(self.power())]
        if self.skip("with"):
            return [self._with()]
        if kind == HERO and self.word() in ("duel", "duels"):
            number = next((one.word for one in self.tokens[self.position :] if one.word.isdecimal()), "50")
            raise UnreadableOrder("duel_first", self.token(), hints=self._duels_with(number))
        raise UnreadableOrder("unknown_verb", self.token(), words=self.word())

    def _goal(self, kind: Kind) -> PlaceId:
        """Where a unit goes: coasts matter to fleets alone."""
        place = self.place()
        return place if kind == FLEET else PlaceId(province_of(place))

    def _support(self) -> ActStep:
        of_kind = self.kind()
        of = province_of(self.place())
        if of_kind is None:
            kinds = {unit.kind for unit in self.state.units if unit.sector == of and unit.kind != HERO}
            of_kind = kinds.pop() if len(kinds) == 1 else ARMY
        if self.skip("-", "to"):
            return Support(of_kind, of, province_of(self.place()))
        self.skip("h", "hold", "holds")
        return Support(of_kind, of)

    def _convoy(self) -> ActStep:
        loads = []
        while self.token() is not None and self.word() != ",":
            self.kind()
            origin = self.sector()
            if not self.skip("-", "to"):
                raise UnreadableOrder("place_missing", self.token())
            loads.append((origin, self.sector()))
            if not self.skip("and"):
                break
        return Convoy(tuple(loads))

    def _with(self) -> ActStep:
        if self.word() not in KINDS:
            raise UnreadableOrder("kind_missing", self.token())
        kind = KINDS[self.word()]
        self.position += 1
        at = self.sector() if self.token() is not None and self.word() not in (",", "-") else None
        to = self._goal(HERO) if self.skip("-", "to") else None
        return With(kind, at, to)
