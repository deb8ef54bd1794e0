"""Reads a sheet: a text to lines and what could not be read. Source: rules 4, 4.1.

The only lines refused here are those that could not be orders in any position: unknown keywords (E01), lines that don't
fit their format (E02) and lines beyond the limit (E05). Everything else is tested when the order is carried out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from engine.core.errors import OrderError
from engine.core.orders import Parsed, ReadOrder
from engine.core.phrases import Phrase, phrase
from engine.core.words import without_list_marks
from engine.king_of_kings.document import is_place_name
from engine.king_of_kings.listing import legal
from engine.king_of_kings.model import (
    MOST_STATUS,
    Ally,
    Build,
    Cede,
    Defend,
    Donate,
    Line,
    March,
    Name,
    Order,
    Pass,
    Place,
    Placing,
    Rulebook,
    Sail,
    Stance,
    Symbol,
    Tactic,
    View,
)
from engine.king_of_kings.orders import line_of
from engine.lattice.squares import Direction

FORMATS: Mapping[str, str] = {
    "PLA": "PLA X Y TYPE",
    "BUILD": "BUILD X Y",
    "DONATE": "DONATE PLAYER GOLD",
    "CEDE": "CEDE X Y PLAYER",
    "ALL": "ALL PLAYER STATUS",
    "NAME": "NAME X Y WORDS",
    "DEF": "DEF X Y TACTIC",
    "SEA": "SEA X Y AT TYPE AMOUNT DIRECTION",
    "LAND": "LAND X Y TACTIC AT TYPE AMOUNT DIRECTION",
}
"""How each order is written, by its keyword. The words are in the phrases."""
_SYNONYMS = {"PLACE": "PLA", "DON": "DONATE"}
_MEANT = {
    "LAND": ("MARCH", "MOVE", "MOV", "GO", "ATTACK", "ATT"),
    "SEA": ("SAIL", "SHIP"),
    "PLA": ("PUT", "RAISE", "RECRUIT", "TRAIN"),
    "DEF": ("DEFEND", "HOLD"),
    "DONATE": ("GIVE", "PAY", "SEND"),
    "ALL": ("ALLY", "ALLIANCE"),
}
"""Keywords of other games, by the keyword meant."""
_IN_SENTENCES = frozenset({"TO", "WITH", "THE", "GOLD"})
"""Words that sentences have and orders have not."""
_MOST_MEANT = 10
"""The most units of one kind in a line that is offered instead."""
_DIRECTIONS = {way.name: way for way in Direction} | {way.value: way for way in Direction}
_ALL_TROOPS = "AT"
_NUMBER = re.compile(r"[+-]?[0-9]+\Z")
_DIGIT = re.compile(r"[0-9]")
_TOKEN = re.compile(r"\S+")
# Reports write a place 7/18. Source: ruling K-10.
_PLACE = re.compile(r"([+-]?[0-9]+)[/,]([+-]?[0-9]+)\Z")
_ORDER_WORDS = (*FORMATS, *_SYNONYMS, "PASS", "GAME")
_LIKE = 0.66
"""How similar to a keyword a word must be to be taken for it: two of three letters."""
_SHORTEST_GAME = 3
"""The fewest letters of a game's name in a heading: fewer are a slip."""
_HEADING = re.compile(r"\[(.*)\]\Z")
_OF_TURN = re.compile(r"GAME\s+([0-9]{1,9})", re.IGNORECASE)
# The subject of a letter with orders: the game's name, and the turn.
_SUBJECT = re.compile(r"([^\W\d_][\w'-]*)\s+([0-9]{1,9})")
# Source: ruling K-72.
_COMMENT = re.compile(r"\s#|(?<!\s)\s*;")
_MANY = 1_000_000_000
_LONGEST_PLAYER = 60
_BEGIN = "BEGIN"
# Characters that look like blanks or are invisible, and those that a chat adds to a text, become blanks.
_BLANKS = dict.fromkeys(
    map(ord, "\u00a0\u00ad\u180e\u200b\u200c\u200d\u200e\u200f\u202f\u205f\u2060\u3000\ufeff\0`"), " "
)


class _Unreadable(Exception):
    """Why a line is not an order; caught in this module."""

    def __init__(self, problem: str, token: _Token | None = None, **args: str) -> None:
        super().__init__(problem)
        self.what: Phrase = phrase(f"problem.{problem}", **({"word": token.text[:40]} if token else {}), **args)
        self.token = token


@dataclass(frozen=True, slots=True)
class _Token:
    """A word and its place in the line, from 0."""

    text: str
    start: int

    @property
    def word(self) -> str:
        """The word in upper case."""
        return self.text.upper()


def parse(text: str, view: View) -> Parsed[Line]:
    """Read the lines of a sheet. Lines outside BEGIN and END, comments and blank lines are ignored, and so is `GAME`
    with the number of this turn, or, above all orders, the game's name with it: `Terrania 23`.

    E05 comes before the other errors. BEGIN and END with nothing between them are a PASS. Sheets for nations that the
    server runs, and for the fallen, are not read. Source: rules 4.1; rulings K-12, K-73.
    """
    if view.viewer is not None and not view.state.is_played(view.viewer):
        return Parsed((), ())
    reader = _Reader(view)
    most = view.state.options.max_orders
    orders: list[ReadOrder[Line]] = []
    lines = text.splitlines()
    turns = _turns_named(lines, view)
    others = ((number, said) for number, said in turns.items() if said != view.state.turn)
    errors = [_of_another_turn(number, lines[number - 1], said, view.state.turn) for number, said in others]
    counted = 0
    for number, written in _between(lines):
        bare = without_list_marks(written.translate(_BLANKS).rstrip())
        if _is_nothing(bare) or number in turns:
            continue
        heading = _HEADING.match(bare.strip())
        if heading:
            errors += reader.heading(number, written, heading[1])
            continue
        counted += not _is_pass(bare)
        if counted > most and not _is_pass(bare):
            errors.append(_error(number, written, bare, "E05", most=most))
            continue
        try:
            order = reader.order(bare)
        except _Unreadable as problem:
            errors.append(reader.refusal(number, written, bare, problem))
            continue
        line = line_of(view.state.rules, order, number, written.strip())
        start = len(bare) - len(bare.lstrip())
        orders.append(ReadOrder(line, number, start + 1, len(bare) + 1, written))
    if not orders and not errors and _BEGIN in map(_bare_word, lines):
        orders.append(ReadOrder(line_of(view.state.rules, Pass()), 1, 1, 1, lines[0]))
    return Parsed(tuple(orders), tuple(sorted(errors, key=lambda error: error.line)))


def read(text: str, view: View) -> Line | None:
    """The line that a canonical text means; `None` for any other text. The viewer makes no difference."""
    if _is_nothing(text):
        return None
    try:
        return line_of(view.state.rules, _Reader(view).order(text))
    except _Unreadable:
        return None


def _turns_named(lines: Sequence[str], view: View) -> dict[int, int]:
    """The turns that a sheet says it is for, by the numbers of the lines with them.

    `GAME 22` may be anywhere; the subject of a letter, `Terrania 22`, has to come first. Source: rules 4.1
    """
    found = {}
    is_top = True
    for number, written in enumerate(lines, start=1):
        bare = written.translate(_BLANKS).strip()
        match = _OF_TURN.fullmatch(bare)
        if match:
            found[number] = int(match[1])
        elif is_top and (match := _SUBJECT.fullmatch(bare)) and _may_be_a_game(match[1], view):
            found[number] = int(match[2])
        is_top = is_top and _is_nothing(bare)
    return found


def _may_be_a_game(name: str, view: View) -> bool:
    """Whether a word is neither a keyword, even misspelt, nor a nation's name. Source: ruling K-79"""
    word = name.upper()
    if len(word) < _SHORTEST_GAME or _meant_by(word) != word or view.state.find_nation(name) is not None:
        return False
    return not get_close_matches(word[:20], _ORDER_WORDS, 1, _LIKE)


def _of_another_turn(number: int, written: str, said: int, turn: int) -> OrderError:
    """The remark about a sheet that names another turn; its orders are read. Source: rules 4.1; ruling K-79."""
    problem = phrase("problem.other_turn", given=said, turn=turn)
    error = _error(number, written, written.translate(_BLANKS).rstrip(), "E02", problem=problem)
    return replace(error, hints=(f"GAME {turn}",))


def _between(lines: Sequence[str]) -> list[tuple[int, str]]:
    """The lines to be read, with their numbers: those from BEGIN to END, either of which may be missing."""
    words = [_bare_word(line) for line in lines]
    begin = words.index(_BEGIN) + 1 if _BEGIN in words else 0
    rest = words[begin:]
    end = begin + rest.index("END") if "END" in rest else len(lines)
    return [(number, lines[number - 1]) for number in range(begin + 1, end + 1)]


def _is_nothing(bare: str) -> bool:
    return not bare.strip() or bare.lstrip()[0] in ";#"


def _is_pass(bare: str) -> bool:
    return _bare_word(bare) == "PASS"


def _bare_word(line: str) -> str:
    """The line without a comment, in upper case."""
    return _COMMENT.split(line.translate(_BLANKS).strip(), maxsplit=1)[0].strip().upper()


def _error(number: int, written: str, bare: str, code: str, **args: object) -> OrderError:
    column = min(len(bare) - len(bare.lstrip()) + 1, len(written) + 1)
    return OrderError(number, column, max(column, len(written.rstrip()) + 1), written, code, args)


class _Reader:
    """Reads single lines with the tables and the nations of one game."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._rules: Rulebook = view.state.rules
        self._kinds: Mapping[str, Callable[[list[_Token]], Order]] = {
            "PLA": self._place,
            "BUILD": self._build,
            "DONATE": self._donate,
            "CEDE": self._cede,
            "ALL": self._ally,
            "DEF": self._defend,
            "SEA": self._sail,
            "LAND": self._march,
        }

    def heading(self, number: int, written: str, name: str) -> list[OrderError]:
        """A heading may name the nation that sends the sheet; another nation's name is refused. Source: ruling K-74"""
        nation = self._view.state.find_nation("_".join(name.split()))
        if nation is None or self._view.viewer is None or nation.id == self._view.viewer:
            return []
        problem = phrase("problem.heading", nation=nation.name)
        return [_error(number, written, written, "E02", problem=problem)]

    def refusal(self, number: int, written: str, bare: str, problem: _Unreadable) -> OrderError:
        """The error of a line that could not be read, at the word that is wrong."""
        keyword = bare.split()[0].upper()
        kind = _SYNONYMS.get(keyword, keyword)
        known, meant = kind in FORMATS, _meant_by(kind)
        near = (meant,) if meant in FORMATS else get_close_matches(keyword[:20], FORMATS, 3, _LIKE)
        hints = tuple(line for word in near for line in self._meant(bare, word))
        example = self._example(near[0]) if near and not hints else None
        if near and not hints and example is None:
            hints = (FORMATS[near[0]],)
        what = problem.what if known else phrase("problem.keyword", word=keyword[:40])
        if keyword == "PASS":
            what = phrase("problem.pass_and_more")
        args = {"problem": phrase("problem.for_example", what=what, order=example) if example else what}
        code = "E02" if known else "E01"
        if problem.token is None or not known:
            error = _error(number, written, bare, code, **args)
            return OrderError(number, error.column, error.end, written, code, args, hints)
        start = problem.token.start
        return OrderError(number, start + 1, start + 1 + len(problem.token.text), written, code, args, hints)

    def _example(self, keyword: str) -> str | None:
        """An order with this keyword that the viewer could give now."""
        lines = (line.canonical for lines in legal(self._view).values() for line in lines)
        return next((line for line in lines if line.startswith(f"{keyword} ")), None)

    def _meant(self, bare: str, kind: str) -> tuple[str, ...]:
        """The order that a line seems to mean, if it can be read once the rules' own words are put in place."""
        meant = kind if kind in FORMATS else _meant_by(kind)
        tokens = _tokens(_COMMENT.split(bare, maxsplit=1)[0])[1:]
        line = " ".join([meant, *self._as_ordered(meant, [token.text for token in tokens])])
        try:
            self.order(line)
        except _Unreadable:
            return ()
        return (line,)

    def _as_ordered(self, keyword: str, words: list[str]) -> list[str]:
        """What follows a keyword, in the form of the rules: units are placed one by one, on land one a turn; marching
        units are named, or all if none are. A status that is not named, or a step up such as `+1`, is the next higher
        one. Dealings with a nation may be put in a sentence: `give 5 gold to Rome`.
        """
        if keyword in ("ALL", "DONATE"):
            words = [word for word in words if word.upper() not in _IN_SENTENCES]
        if keyword == "DONATE" and len(words) == 2 and _NUMBER.match(words[0]):
            return [words[1], words[0]]
        if keyword == "ALL" and words and all(word.startswith("+") for word in words[1:]):
            return [words[0], *self._next_status(words[0])]
        if keyword == "PLA" and len(words) == 4:
            amounts = [int(word[:12]) for word in words[2:] if _NUMBER.match(word)]
            kinds = [troop for troop in map(self._rules.keyword, words[2:]) if troop is not None]
            if len(amounts) == len(kinds) == 1:
                count = max(1, min(amounts[0], _MOST_MEANT)) if kinds[0].is_ship else 1
                return [*words[:2], kinds[0].keyword] * count
        if keyword in ("LAND", "SEA") and all(word.upper() in _DIRECTIONS for word in words[2:]):
            return [*words[:2], _ALL_TROOPS, *words[2:]]
        return words

    def _next_status(self, name: str) -> tuple[str, ...]:
        """One step up from the viewer's status towards a nation."""
        state, viewer = self._view.state, self._view.viewer
        other = state.find_nation(name)
        if other is None or viewer is None or viewer not in state.nations:
            return ()
        return (str(min(state.nations[viewer].status.get(other.id, 0) + 1, MOST_STATUS)),)

    def order(self, bare: str) -> Order:
        """The order of a line.

        Raises: _Unreadable: it is not an order.
        """
        tokens = _tokens(bare)
        keyword = _keyword(tokens[0])
        if keyword == "NAME":
            return self._name(bare, tokens[1:])
        comment = _COMMENT.search(bare, tokens[0].start)
        if comment:
            tokens = _tokens(bare[: comment.start()])
            keyword = _keyword(tokens[0])
        if keyword == "PASS" and len(tokens) == 1:
            return Pass()
        if keyword not in self._kinds:
            raise _Unreadable("keyword", tokens[0])
        return self._kinds[keyword](tokens[1:])

    # Each order

    def _place(self, tokens: list[_Token]) -> Order:
        parts = [Placing(*self._xy(part), self._troop(part[2])) for part in _threes(tokens)]
        return Place(tuple(parts))

    def _defend(self, tokens: list[_Token]) -> Order:
        return Defend(tuple(Stance(*self._xy(part), _tactic(part[2])) for part in _threes(tokens)))

    def _build(self, tokens: list[_Token]) -> Order:
        _expect(tokens, 2)
        return Build(*self._xy(tokens))

    def _donate(self, tokens: list[_Token]) -> Order:
        _expect(tokens, 2)
        return Donate(self._player(tokens[0]), _amount(tokens[1]))

    def _cede(self, tokens: list[_Token]) -> Order:
        _expect(tokens, 3)
        return Cede(*self._xy(tokens), self._player(tokens[2]))

    def _ally(self, tokens: list[_Token]) -> Order:
        _expect(tokens, 2)
        if tokens[1].text.startswith("+"):
            raise _Unreadable("status_by_step", tokens[1])
        return Ally(self._player(tokens[0]), _number(tokens[1]))

    def _name(self, bare: str, tokens: list[_Token]) -> Order:
        x, y = self._xy(tokens)
        name = bare[tokens[2].start :].strip() if len(tokens) > 2 else ""
        if not is_place_name(name):
            raise _Unreadable("name", tokens[2] if name else None)
        return Name(x, y, name)

    def _sail(self, tokens: list[_Token]) -> Order:
        x, y = self._xy(tokens)
        return Sail(x, y, *self._company(tokens[2:]))

    def _march(self, tokens: list[_Token]) -> Order:
        x, y = self._xy(tokens)
        tactic = None
        if len(tokens) > 2 and tokens[2].word in list(Tactic):
            if len(tokens) > 3 and _NUMBER.match(tokens[3].text):
                self._refuse_letter(tokens[2])
            tactic, tokens = Tactic(tokens[2].word), [*tokens[:2], *tokens[3:]]
        return March(x, y, tactic, *self._company(tokens[2:]))

    def _company(self, tokens: list[_Token]) -> tuple[bool, tuple[tuple[Symbol, int], ...], tuple[Direction, ...]]:
        """Who goes and where: AT, types with amounts, then only directions."""
        takes_all, amounts, path = False, dict[Symbol, int](), list[Direction]()
        index = 0
        while index < len(tokens):
            token = tokens[index]
            index += 1
            way = _DIRECTIONS.get(token.word)
            if way is not None:
                path.append(way)
            elif path:
                if _NUMBER.match(token.text):
                    self._refuse_letter(tokens[index - 2])
                raise _Unreadable("after_directions", token)
            elif token.word == _ALL_TROOPS:
                takes_all = True
            else:
                symbol, amount = self._troop(token, "troop_or_way"), 1
                if index < len(tokens) and _NUMBER.match(tokens[index].text):
                    amount = _amount(tokens[index])
                    index += 1
                amounts[symbol] = amounts.get(symbol, 0) + amount
        if not takes_all and not amounts:
            raise _Unreadable("nobody_named")
        if not path:
            raise _Unreadable("no_direction")
        return (
            takes_all,
            tuple((symbol, amounts[symbol]) for symbol in self._rules.troops if symbol in amounts),
            tuple(path),
        )

    # Words

    def _xy(self, tokens: Sequence[_Token]) -> tuple[int, int]:
        if len(tokens) < 2:
            raise _Unreadable("coordinates")
        x, y = (_number(token, "coordinate") for token in tokens[:2])
        return x, y

    def _troop(self, token: _Token, problem: str = "troop") -> Symbol:
        """Two or more letters name a type; `FO3` does not, since it asks for more than one. Source: ruling K-10."""
        self._refuse_letter(token)
        if _NUMBER.match(token.text):
            raise _Unreadable("amount_first", token)
        troop = self._rules.keyword(token.text) if len(token.text) > 1 else None
        if troop is None or (_DIGIT.search(token.text) and not troop.name.upper().startswith(token.word)):
            known = ", ".join(each.keyword for each in self._rules.troops.values())
            raise _Unreadable(problem, token, known=known)
        return troop.symbol

    def _refuse_letter(self, token: _Token) -> None:
        """Refuse a type's sign on the map in place of its keyword: orders use two letters."""
        troop = self._rules.troops.get(Symbol(token.word))
        if troop is not None:
            raise _Unreadable("one_letter", token, keyword=troop.keyword)

    def _player(self, token: _Token) -> str:
        """A nation's id for its name or number; an unknown name is left as it is, so that the order fails for it."""
        nation = self._view.state.find_nation(token.text)
        return nation.id if nation is not None else token.text.casefold()[:_LONGEST_PLAYER]


def _tokens(bare: str) -> list[_Token]:
    """The words of a line; a place written as one word, `7/18`, becomes two."""
    found: list[_Token] = []
    for match in _TOKEN.finditer(bare):
        place = _PLACE.match(match.group())
        if place is None:
            found.append(_Token(match.group(), match.start()))
        else:
            found += (_Token(place[axis], match.start() + place.start(axis)) for axis in (1, 2))
    return found


def _meant_by(word: str) -> str:
    """The keyword that another game's word stands for; the word itself if it isn't one."""
    return next((keyword for keyword, words in _MEANT.items() if word in words), word)


def _keyword(token: _Token) -> str:
    return _SYNONYMS.get(token.word, token.word)


def _threes(tokens: list[_Token]) -> list[list[_Token]]:
    if not tokens or len(tokens) % 3:
        raise _Unreadable("threes")
    return [tokens[start : start + 3] for start in range(0, len(tokens), 3)]


def _expect(tokens: list[_Token], count: int) -> None:
    if len(tokens) < count:
        raise _Unreadable("too_few")
    if len(tokens) > count:
        raise _Unreadable("too_many", tokens[count])


def _number(token: _Token, problem: str = "number") -> int:
    """A whole number; all numbers above a billion are treated alike."""
    if not _NUMBER.match(token.text):
        raise _Unreadable(problem, token)
    return max(-_MANY, min(_MANY, int(token.text[:12])))


def _amount(token: _Token) -> int:
    amount = _number(token)
    if amount < 1:
        raise _Unreadable("amount", token)
    return amount


def _tactic(token: _Token) -> Tactic:
    if token.word not in list(Tactic):
        raise _Unreadable("tactic", token)
    return Tactic(token.word)
