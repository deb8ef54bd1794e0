"""From a text to lines. Whether an order is allowed is tested when it is carried out. Source: rules 32, R-103"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from engine.core.errors import OrderError
from engine.core.orders import Parsed, ReadOrder
from engine.core.phrases import Phrase, phrase
from engine.core.words import without_list_marks
from engine.kalevala.agents import parse as parse_agents
from engine.kalevala.arrivals import parse as parse_arrivals
from engine.kalevala.artefacts import parse as parse_artefacts
from engine.kalevala.caravans import parse as parse_caravans
from engine.kalevala.coordinates import Edge, Province
from engine.kalevala.culture import parse as parse_culture
from engine.kalevala.everyday_words import head_for
from engine.kalevala.example_places import at_home
from engine.kalevala.forms import FORMS, MORE_FORMS
from engine.kalevala.gods import parse as parse_gods
from engine.kalevala.guide import guide_of
from engine.kalevala.kings import parse as parse_kings
from engine.kalevala.line_words import LineWords, UnreadableLine
from engine.kalevala.meant import Guesses
from engine.kalevala.model import View
from engine.kalevala.orders import (
    PEOPLE,
    Abandon,
    Absent,
    AcceptFief,
    Allow,
    Arm,
    Build,
    Capital,
    Contribute,
    Convert,
    Disembark,
    Embark,
    Enfeoff,
    EnslavePeople,
    Enter,
    Explore,
    Ferry,
    Handover,
    Headquarters,
    Leave,
    Line,
    Move,
    Note,
    Order,
    Pass,
    People,
    Repair,
    Revoke,
    Sail,
    Settle,
    Spread,
    Stance,
    Tear,
    Watch,
    WorkOn,
    Write,
)
from engine.kalevala.planes import parse as parse_planes
from engine.kalevala.priests import parse as parse_priests
from engine.kalevala.sea.craft import is_craft
from engine.kalevala.tables import WAYS, WORKS
from engine.kalevala.war.parse import PLAN_FORMS, opens_block, read_detail, read_head, split_head
from engine.kalevala.war.plans import BLOCKS, Block, BlockOpening, Planned
from engine.lattice.great_fields import CELLS

SYNTAX = "V01"
MOST_LINES = 1_000
"""How many lines a sheet may have. Source: docs/rulings.md, KA289"""
_HEADING = re.compile(r"\[(?P<name>[^\[\]]*)\]")
_TYPOGRAPHIC = "“”„‟«»"
_OF_OTHER_MODULES: frozenset[str] = frozenset()
"""Verbs of modules that don't exist yet. Source: rules R-103"""


def parse(text: str, view: View) -> Parsed[Line]:
    """Read orders, one a line. `#` or `;` starts a comment; blank lines, list marks, the ruler's own headings and END
    are ignored.

    A block continues until END, the next order that doesn't belong in a block, or the end of the sheet. Lines beyond
    `MOST_LINES` that could be read are refused unread. Source: rules 32.1, 32.2
    """
    orders: list[ReadOrder[Line]] = []
    errors: list[OrderError] = []
    block: Block | None = None
    is_in_block = False
    units = set(view.state.used.get(view.viewer, ())) if view.viewer is not None else set()
    guesses = Guesses(view, lambda text: _order(text, view), units)
    for number, raw in enumerate(text.splitlines(), 1):
        line = _with_straight_quotes(raw)
        content = without_list_marks(_without_comment(line))
        bare = content.strip()
        if not bare:
            continue
        column = len(content) - len(content.lstrip()) + 1
        end = len(content.rstrip()) + 1
        verb = bare.split()[0].upper()
        heading = _HEADING.fullmatch(bare)
        if (verb == "END" and len(bare.split()) == 1) or (heading is not None and _is_own(heading["name"], view)):
            is_in_block, block = False, None
            continue
        if len(orders) == MOST_LINES:
            errors.append(OrderError(number, column, end, raw, "too_many_lines", {"most": MOST_LINES}))
            continue
        if is_in_block and _stands_in_block(bare, verb):
            found = _planned(block, bare, view)
        else:
            found = _order(bare, view)
            is_in_block = opens_block(bare)
            block = found.block if is_in_block and isinstance(found, BlockOpening) else None
        if found is None:
            by_case = guesses.by_case(bare)
            called = "" if is_in_block or verb in (*FORMS, *BLOCKS) else head_for(bare, view)
            if called:
                bare, verb = f"{called}{bare[len(verb) :]}", called.split()[0]
            meant = guesses.of(line.strip(), bare, verb)
            is_astray = not is_in_block and verb in PLAN_FORMS and verb not in (*FORMS, *BLOCKS)
            why = (
                phrase("form.told_by_case")
                if by_case
                else _to_oneself(bare, view) or _written(bare, verb, view, is_astray)
            )
            if called:
                why = phrase("form.called", verb=called, why=why)
            args = {"verb": verb[:20], "form": why}
            errors.append(OrderError(number, column, end, raw, SYNTAX, args, meant))
        else:
            orders.append(ReadOrder(Line(found, number, raw.strip()), number, column, end, raw))
            units |= {found.ee} if isinstance(found, Explore | Enter) else set()
    return Parsed(tuple(orders), tuple(errors))


def _to_oneself(text: str, view: View) -> Phrase | None:
    """What is wrong with a letter to its writer. Source: rules R-118"""
    verb, *rest = text.upper().split(maxsplit=2)
    is_own = verb in ("LETTER", "EXPRESS") and bool(rest) and rest[0].lower() == view.viewer
    return phrase("form.to_oneself") if is_own else None


def _written(text: str, verb: str, view: View, is_astray: bool) -> Phrase | str:
    """How an order like this is written, and where if it stands astray."""
    form = _form_like(text, verb, view)
    if not form:
        return ""
    return (
        phrase("form.in_a_plan", form=form, place=at_home("2D+4", view))
        if is_astray
        else phrase("form.written", form=form)
    )


def _form_like(text: str, verb: str, view: View) -> str:
    """How an order that begins like this is written: one that the viewer could give now, unless it lacks a keyword of
    this line; otherwise, of several forms, the one with most of its keywords, then of its words, in the viewer's own
    land; empty: none.
    """
    first = {**PLAN_FORMS, **FORMS}.get(verb)
    words = set(text.upper().split())
    forms = () if first is None else (first, *MORE_FORMS.get(verb, ()))
    form = max(
        forms, key=lambda form: (len(words & _keywords(form)), len(words & set(form.upper().split()))), default=""
    )
    own = _own_form(verb, view) if len(forms) == 1 else ""
    return own if own and not words & (_keywords(form) - _keywords(own)) else at_home(form, view)


def _own_form(verb: str, view: View) -> str:
    """An order with this verb that the viewer could give now; empty: none."""
    return next((str(order) for order, _ in guide_of(view, ()).whole_if_open(verb)), "")


def _keywords(form: str) -> set[str]:
    """The words of a form that are always written so, apart from kinds of entries: rulers' names are in lower case."""
    return {word for word in form.split() if len(word) > 1 and word.isalpha() and word.isupper()}


def read(text: str, view: View) -> Line | None:
    """The line that a canonical text means; `None` for any other text. The viewer makes no difference."""
    found = _order(text, view)
    return None if found is None else Line(found, text=text)


def _order(text: str, view: View) -> Order | None:
    """The order of a line outside blocks; `None` if it can't be read."""
    split = split_head(text)
    if split is not None:
        block = read_head(split[0], view)
        if block is None or block.is_void:
            return None
        return _planned(block, split[1], view) if split[1] else BlockOpening(block)
    words = LineWords(text, view)
    try:
        verb = words.word().upper()
        if verb in BLOCKS:
            block = read_head(text, view)
            return None if block is None else BlockOpening(block)
        read = _READERS.get(verb)
        if read is None:
            return Absent(" ".join(text.split())) if verb in _OF_OTHER_MODULES else None
        order = read(words)
    except UnreadableLine:
        return None
    return order if words.is_done else None


def _planned(block: Block | None, text: str, view: View) -> Order | None:
    """A line in a block; `None` if it, or the opening of its block, can't be read."""
    detail = None if block is None else read_detail(text, view)
    return None if block is None or detail is None else Planned(block, detail)


def _stands_in_block(text: str, verb: str) -> bool:
    """Whether a line below the opening of a block belongs to it; any other order ends the block."""
    if split_head(text) is not None:
        return False
    is_order = verb in FORMS or verb in BLOCKS or verb in _OF_OTHER_MODULES
    return not is_order or text.upper() in PLAN_FORMS


def _is_own(name: str, view: View) -> bool:
    return view.viewer is not None and "_".join(name.lower().split()) == view.viewer


def _with_straight_quotes(line: str) -> str:
    """The line with `"` for the first and the last of the typographic quotation marks that phones write instead."""
    marks = [index for index, letter in enumerate(line) if letter in _TYPOGRAPHIC]
    if '"' in line or len(marks) < 2:
        return line
    first, last = marks[0], marks[-1]
    return f'{line[:first]}"{line[first + 1 : last]}"{line[last + 1 :]}'


def _without_comment(line: str) -> str:
    is_quoted = False
    for index, letter in enumerate(line):
        if letter == '"':
            is_quoted = not is_quoted
        elif letter in "#;" and not is_quoted:
            return line[:index]
    return line


def _arm(words: LineWords) -> Order:
    target, amount = words.place(), words.number()
    words.need("FROM")
    sources: list[str] = []
    while words.peek():
        sources.append(PEOPLE if words.take(PEOPLE) else words.place())
    if not sources or len(set(sources)) < len(sources):
        raise UnreadableLine
    return Arm(target, amount, tuple(sources))


def _convert(words: LineWords) -> Order:
    """A conversion; figures that no realm can make are read too, so that they can be refused.

    Source: rules R-014, R-104
    """
    at, barred = words.place(), list(words.unusual())
    return Convert(at, words.figures() if words.peek() or not barred else (), tuple(barred))


def _work_code(words: LineWords) -> str:
    """The code of a work. `Br` and `BR` differ only in case, but one is on an edge, the other on a KF;
    `Bf` and `BF` have to be written exactly."""
    word = words.word()
    alike = [code for code in WORKS if code.casefold() == word.casefold()]
    if "BR" in alike:
        return "Br" if words.peek() == "EDGE" else "BR"
    if word in WORKS:
        return word
    if len(alike) != 1:
        raise UnreadableLine
    return alike[0]


def _build(words: LineWords) -> Order:
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
            raise UnreadableLine
    return Build(at, work, cell, gates=gates, has_headquarters=words.take("GHZ"))


def _on_work(words: LineWords) -> tuple[Province, str, int | None, Edge | None]:
    at, work = words.place(), _work_code(words)
    if words.take("KF"):
        return at, work, words.cell(), None
    words.need("EDGE")
    return at, work, None, words.edge()


def _headquarters(words: LineWords) -> Order:
    at = words.place()
    words.need("KF")
    return Headquarters(at, words.cell())


def _work_on(words: LineWords) -> Order:
    """The small fields, then the RE."""
    at, what = words.place(), words.word().lower()
    if what not in WAYS:
        raise UnreadableLine
    numbers = [words.number()]
    while words.peek():
        numbers.append(words.number())
    *cells, amount = numbers
    if not cells or max(cells) > CELLS:
        raise UnreadableLine
    return WorkOn(at, what, tuple(cells), amount)


def _move(words: LineWords) -> Order:
    return Move(words.own_figures(), words.path(), words.take("LEAD"))


def _board(words: LineWords) -> Order:
    """One craft, written as in the stack: `LS`, or `LS[2LB]` with somebody already aboard."""
    figures, at, craft = words.own_figures(), words.place(), words.own_figures()
    if len(craft) != 1 or craft[0][1] != 1 or not is_craft(craft[0][0]):
        raise UnreadableLine
    return Embark(figures, at, craft[0][0])


def _ferry(words: LineWords) -> Order:
    figures, path = words.own_figures(), words.path()
    if len(path) != 2:
        raise UnreadableLine
    return Ferry(figures, *path)


def _explore(words: LineWords) -> Order:
    ee = words.number(least=0)
    path = words.path()
    if len(path) != 2:
        raise UnreadableLine
    return Explore(ee, *path)


def _permit(words: LineWords) -> Order:
    who = words.name()
    at = None if words.take("ALL") else words.place()
    return Allow(who, at, words.number())


def _revoke(words: LineWords) -> Order:
    who = words.name()
    words.take("ALL")
    return Revoke(who, words.find_place())


def _enter(words: LineWords) -> Order:
    ee, source, kind = words.number(least=0), words.place(), words.word().upper()
    if kind not in ("E", "B", "K"):
        raise UnreadableLine
    target, figures = words.place(), words.own_figures()
    losses = words.figures() if words.take("LOSS") else None
    cell, name, rest = None, "", []
    while words.peek():
        if words.take("HZ", "KF"):
            cell = words.cell()
        elif words.take("NAME"):
            name = words.quoted()
        elif words.take("SIDE"):
            rest.append(f"SIDE {words.name()}")
        elif words.peek() in ("JOIN", "FREE", "SWIM"):
            rest.append(words.word().upper())
        else:
            raise UnreadableLine
    may_stay = kind == "B" and not rest  # invaders take the natives' land where they are. Ruling KA212
    if source == target and not may_stay:
        raise UnreadableLine
    return Enter(ee, source, kind, target, figures, losses, cell, name, tuple(rest))


def _settle(words: LineWords) -> Order:
    at = words.place()
    words.need("TO")
    return Settle(at, words.name())


def _handover(words: LineWords) -> Order:
    """What is given, where, to whom, and for what; one of the two may be nothing, but not both; which agent gets it.
    Source: rules 21.3
    """
    given = () if words.take("NOTHING") else words.figures()
    words.need("AT")
    at = words.place()
    words.need("TO")
    who = words.name()
    wanted = words.figures() if words.take("FOR") else ()
    if not (given or wanted):
        raise UnreadableLine
    return Handover(given, at, who, wanted, words.number() if words.take("AGENT") else 0)


def _enfeoff(words: LineWords) -> Order:
    """A province, to whom, and for how long."""
    at = words.place()
    words.need("TO")
    return Enfeoff(at, words.name(), words.number())


def _accept(words: LineWords) -> Order:
    at = words.place()
    words.need("OF")
    return AcceptFief(at, words.name())


def _spread(words: LineWords) -> Order:
    figures, path = words.own_figures(), words.path()
    if len(path) != 2:
        raise UnreadableLine
    return Spread(figures, *path)


def _stance(verb: str) -> Callable[[LineWords], Order]:
    return lambda words: Stance(verb, words.name())


def _letter(words: LineWords, *, is_express: bool = False) -> Order:
    """A letter; nobody can write to themselves. Source: rules R-118"""
    who, text = words.name(), words.quoted()
    if who == words.viewer:
        raise UnreadableLine
    if is_express:
        return Write(who, text, is_express=True)
    return Write(who, text, words.name() if words.take("AS") else "")


_READERS: Mapping[str, Callable[[LineWords], Order]] = {
    "ARM": _arm,
    "CONVERT": _convert,
    "SLAVES": lambda words: EnslavePeople(words.place(), words.number()),
    "BUILD": _build,
    "TEAR": lambda words: Tear(*_on_work(words)),
    "REPAIR": lambda words: Repair(*_on_work(words)),
    "GHZ": _headquarters,
    "WORK": _work_on,
    "MOVE": _move,
    "BOARD": _board,
    "SAIL": lambda words: Sail(words.own_figures(), words.path()),
    "LAND": lambda words: Disembark(words.own_figures(), words.place()),
    "FERRY": _ferry,
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
    "HANDOVER": _handover,
    "FIEF": _enfeoff,
    "ACCEPT": _accept,
    "SPREAD": _spread,
    **parse_arrivals.READERS,
    **parse_agents.READERS,
    **parse_caravans.READERS,
    **parse_kings.READERS,
    **parse_gods.READERS,
    **parse_planes.READERS,
    **parse_artefacts.READERS,
    **parse_culture.READERS,
    **parse_priests.READERS,
    **{verb: _stance(verb) for verb in ("WAR", "PEACE", "ALLY", "UNALLY")},
    "LETTER": _letter,
    "EXPRESS": lambda words: _letter(words, is_express=True),
    "COURIER": lambda words: Contribute(words.quoted()),
    "NOTE": lambda words: Note(words.quoted()),
    "PASS": lambda words: Pass(),
}
