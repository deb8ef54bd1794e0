"""Reads order lines of Kregen: units with one step or two, heroes, duels, grants, set-up, retreats and builds.

The first step of reading; whether an order may be given is for `check`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.core.errors import OrderError
from engine.core.gazetteer import gazetteer_of
from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.core.system import Parsed, ReadOrder
from engine.core.words import Token, plain_words, tokens_of
from engine.diplomacy.model import Build, Disband, Kind, PhaseKind, Remove, Retreat
from engine.kregen.model import (
    ARMY,
    FLEET,
    HERO,
    LET_PASS,
    PIRATES,
    SHARE,
    SPARE,
    Act,
    Aid,
    Betray,
    Capital,
    Convoy,
    Duel,
    Go,
    Grant,
    Order,
    Sail,
    State,
    Stay,
    Step,
    Support,
    View,
    With,
)

_KINDS = {"a": ARMY, "army": ARMY, "f": FLEET, "ff": FLEET, "fleet": FLEET, "fleets": FLEET, "h": HERO, "hero": HERO}


class _Unreadable(Exception):
    """A line is no order: the code, and the token that it is about."""

    def __init__(self, code: str, token: Token | None = None, **args: object) -> None:
        super().__init__(code)
        self.code, self.token, self.args_of = code, token, args


def parse(text: str, view: View) -> Parsed[Order]:
    """Read orders, one a line; `#` starts a comment. Never raises."""
    orders: list[ReadOrder[Order]] = []
    errors: list[OrderError] = []
    for number, written in enumerate(text.splitlines(), 1):
        line = written.partition("#")[0]
        if not line.strip():
            continue
        column = len(line) - len(line.lstrip()) + 1
        end = len(line.rstrip()) + 1
        try:
            found = _Line(line, view.state).read()
        except _Unreadable as problem:
            token = problem.token
            start, stop = (token.start + 1, token.end + 1) if token else (column, end)
            errors.append(OrderError(number, start, stop, written, problem.code, problem.args_of))
            continue
        orders += [ReadOrder(order, number, column, end, written.strip()) for order in found]
    return Parsed(tuple(orders), tuple(errors))


class _Line:
    """One line, cut into its tokens; `comma` stands between the segments."""

    def __init__(self, line: str, state: State) -> None:
        self.state = state
        self.board = state.variant.board
        self.gazetteer = gazetteer_of(self.board)
        self.tokens = _tokens(line)
        self.position = 0

    def read(self) -> list[Order]:
        word = self.word()
        plain: dict[str, Callable[[], Order]] = {
            "build": self._build, "remove": self._remove, "capital": self._capital, "duel": self._duel,
            "share": self._share, "spare": self._spare, "let": self._let_pass,
        }  # fmt: skip
        if word in plain:
            self.position += 1
            orders = [plain[word]()]
        else:
            orders = self._unit_orders()
        if self.position < len(self.tokens):
            raise _Unreadable("too_much", self.tokens[self.position])
        return orders

    def word(self, ahead: int = 0) -> str:
        index = self.position + ahead
        return self.tokens[index].word if index < len(self.tokens) else ""

    def token(self) -> Token | None:
        return self.tokens[self.position] if self.position < len(self.tokens) else None

    def _skip(self, *words: str) -> bool:
        if self.word() in words:
            self.position += 1
            return True
        return False

    def _kind(self) -> Kind | None:
        # A single letter may also be a name; it is a kind if a name follows it.
        if self.word() in _KINDS and self._place_at(self.position + 1)[1]:
            self.position += 1
            return _KINDS[self.tokens[self.position - 1].word]
        return None

    def _place_at(self, start: int) -> tuple[int, tuple[ProvinceId, ...]]:
        words = [token.word for token in self.tokens]
        end, found = self.gazetteer.match(words, start)
        if found and not (end == start + 1 and len(words[start]) == 1 and words[start] in _KINDS):
            return end, found
        stop = start
        while stop < len(words) and words[stop] not in ("-", ",", "/", "s", "c", "h", "with", "aid", "and"):
            stop += 1
        for last in range(stop, start, -1):
            found = self.gazetteer.beginning(words[start:last])
            if len(found) == 1:
                return last, found
        return start, ()

    def sector(self) -> ProvinceId:
        token = self.token()
        if token is None:
            raise _Unreadable("place_missing")
        end, found = self._place_at(self.position)
        if not found:
            near = self.gazetteer.near([token.word])
            raise _Unreadable("unknown_place", token, word=token.word, near=list(near))
        if len(found) > 1:
            raise _Unreadable("ambiguous_place", token, places=list(found))
        self.position = end
        return found[0]

    def place(self) -> PlaceId:
        sector = self.sector()
        if self.word() == "/" and f"{sector}/{self.word(1).upper()}" in self.board.provinces[sector].coasts:
            place = PlaceId(f"{sector}/{self.word(1).upper()}")
            self.position += 2
            return place
        return PlaceId(sector)

    def power(self) -> PowerId:
        token = self.token()
        words = [t.word for t in self.tokens[self.position :]]
        for power in self.state.variant.powers.values():
            for name in (plain_words(power.name), plain_words(power.id)):
                if words[: len(name)] == list(name):
                    self.position += len(name)
                    return power.id
        if self._skip("pirates"):
            return PIRATES
        raise _Unreadable("unknown_power", token, word=token.word if token else "")

    # Lines without a unit before them

    def _kind_and_place(self) -> tuple[Kind, PlaceId]:
        kind = self._kind()
        if kind is None:
            raise _Unreadable("kind_missing", self.token())
        return kind, self.place()

    def _build(self) -> Order:
        return Build(*self._kind_and_place())

    def _remove(self) -> Order:
        return Remove(*self._kind_and_place())

    def _capital(self) -> Order:
        return Capital(self.sector())

    def _duel(self) -> Order:
        self._kind()
        at = self.sector()
        token = self.token()
        if token is None or not token.word.isdecimal() or self.word(1) == "." or int(token.word[:9]) > 100:
            raise _Unreadable("bad_number", token)
        self.position += 1
        is_capture = self._skip("capture")
        if not is_capture:
            self._skip("kill")
        return Duel(at, int(token.word), is_capture)

    def _share(self) -> Order:
        self._skip("with")
        return Grant(SHARE, self.power())

    def _spare(self) -> Order:
        return Grant(SPARE, self.power())

    def _let_pass(self) -> Order:
        self._skip("pass")
        return Grant(LET_PASS, self.power())

    # Units

    def _unit_orders(self) -> list[Order]:
        is_pair = self.word() == "ff"
        kind = self._kind()
        start = self.token()
        at = self.place()
        if kind is None:
            kinds = {unit.kind for unit in self.state.units if unit.sector == province_of(at) and unit.kind != HERO}
            if len(kinds) != 1:
                raise _Unreadable("kind_missing", start)
            (kind,) = kinds
        if self._skip("d", "disband", "disbands"):
            return [Disband(kind, self._standing(kind, at))] * (2 if is_pair else 1)
        if self._skip("r", "retreat", "retreats"):
            self._skip("to", "-")
            return [Retreat(kind, self._standing(kind, at), self.place())] * (2 if is_pair else 1)
        if self.state.phase.kind is PhaseKind.RETREATS and self._skip("-"):
            return [Retreat(kind, self._standing(kind, at), self.place())] * (2 if is_pair else 1)
        steps, is_late = self._steps(kind)
        order = Act(kind, province_of(at), tuple(steps), is_late)
        return [order, order] if is_pair else [order]

    def _standing(self, kind: Kind, at: PlaceId) -> PlaceId:
        """The place with its coast, if such a unit is there."""
        units = (*self.state.units, *(row.unit for row in self.state.dislodged))
        return next((u.at for u in units if u.kind == kind and u.sector == province_of(at)), at)

    def _steps(self, kind: Kind) -> tuple[list[Step], bool]:
        steps: list[Step] = []
        is_late = False
        while self.position < len(self.tokens):
            if self._skip(",", "then"):
                continue
            if self.word() == "/" and self.word(1) == "2":
                self.position += 2
                is_late = True
                continue
            if self._skip("via"):
                self._skip("convoy")
                continue
            steps += self._step(kind)
        if not steps:
            raise _Unreadable("order_missing")
        if len(steps) > 2:
            raise _Unreadable("third_step")
        return steps, is_late

    def _step(self, kind: Kind) -> Sequence[Step]:
        if self._skip("-", "to"):
            goals = [self.place()]
            while kind == ARMY and self._skip("-"):
                goals.append(self.place())
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
        raise _Unreadable("unknown_order", self.token(), word=self.word())

    def _support(self) -> Step:
        of_kind = self._kind()
        of = self.sector()
        if of_kind is None:
            kinds = {unit.kind for unit in self.state.units if unit.sector == of and unit.kind != HERO}
            of_kind = kinds.pop() if len(kinds) == 1 else ARMY
        to = self.sector() if self._skip("-") else None
        return Support(of_kind, of, to)

    def _convoy(self) -> Step:
        loads = []
        while self.token() is not None and self.word() != ",":
            self._kind()
            origin = self.sector()
            if not self._skip("-"):
                raise _Unreadable("place_missing", self.token())
            loads.append((origin, self.sector()))
            if not self._skip("and"):
                break
        return Convoy(tuple(loads))

    def _with(self) -> Step:
        if self.word() not in _KINDS:
            raise _Unreadable("kind_missing", self.token())
        kind = _KINDS[self.word()]
        self.position += 1
        at = self.sector() if self.token() is not None and self.word() not in (",", "-") else None
        to = self.place() if self._skip("-") else None
        return With(kind, at, to)


def _tokens(line: str) -> list[Token]:
    """The tokens of a line with its commas; the bracket of `(River)` is passed over."""
    found: list[Token] = []
    offset = 0
    for part in line.split(","):
        if offset:
            found.append(Token(",", offset - 1, offset))
        found += [Token(t.word, t.start + offset, t.end + offset) for t in tokens_of(part)]
        offset += len(part) + 1
    return [
        token
        for index, token in enumerate(found)
        if not (token.word == "/" and index + 1 < len(found) and found[index + 1].word == "river")
    ]
