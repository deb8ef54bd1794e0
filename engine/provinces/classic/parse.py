"""Reads orders as people write them: from a text to orders and unreadable lines. The View says which units are where.

The second half of `parse`: the sentences of `language` meet the position, which says what `NOR` means here, of which
kind a unit is, and which coast a fleet can reach. What a unit is called (`A` for a fleet, a foreign nationality, a
coast that does not matter) is ignored if only one order can be meant. Source: DATC 4.B, 4.C, 4.E.2.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import chain
from typing import Any

from engine.core.errors import OrderError
from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.core.orders import Parsed, ReadOrder
from engine.core.phrases import phrase
from engine.core.words import lead_end, says_all_hold, spans_between
from engine.provinces.board import Terrain
from engine.provinces.classic.language import (
    Language,
    Name,
    Problem,
    Sentence,
    UnitWords,
    Verb,
    language_of,
)
from engine.provinces.classic.legality import find_flaw
from engine.provinces.classic.listing import list_orders
from engine.provinces.classic.model import Convoy, Order, SupportHold, SupportMove, Unit, View
from engine.provinces.classic.notation import format_order, subject
from engine.provinces.classic.plans import Plan, plans_by_borders
from engine.provinces.classic.reach import ARMY, FLEET, Position, position_of
from engine.provinces.classic.spelling import Spelling
from engine.provinces.orders import Build, Disband, Hold, Kind, Move, Remove, Retreat, Waive
from engine.provinces.phases import PhaseKind
from engine.provinces.variants import BoardVariant

__all__ = ["format_order", "parse", "read_piece", "sentences"]

KEYWORDS = (
    "army", "build", "convoy", "disband", "fleet", "hold", "move", "remove", "retreat", "support", "waive",
)  # fmt: skip
MOST_HINTED = 20
"""Only this many errors of a text get hints: nobody reads more, and finding them takes time."""
MOST_HINTS = 3
_MOST_QUOTED = 40
_MOST_SENTENCES = 8192
_BULLET = re.compile(r"\s*(?:(?:[>*+•·–—-]+|\(?\d{1,3}[.):])\s+|\d{1,3}[.)](?=\D))*")
_COMMENT = re.compile(r"#|//(?=\s)")
_UNIT, _PLACE = r"([AF]) ([A-Z]+(?:/[A-Z]+)?)", r"([A-Z]+(?:/[A-Z]+)?)"
_CANONICAL = re.compile(rf"{_UNIT} (?:H|- {_PLACE}( VIA CONVOY)?|([SC]) {_UNIT}(?: - {_PLACE})?)")


class Canonical:
    """Reads movement orders that are written as `format_order` writes them, with one regular expression.

    It answers only where the whole of `parse` would say the same: each place is one whose code the language reads as
    that place and no other, wherever in an order it stands, and the units are what they are called. All else, such as
    `NOR`, a coast left out or the wrong kind of a unit, is left to that reader.
    """

    def __init__(self, variant: BoardVariant) -> None:
        self._language = language_of(variant)
        self._board = variant.board
        self._is_plain: dict[str, bool] = {}
        self.spelling = Spelling(variant, self._is_unmistakable)

    @cached_property
    def _known(self) -> Mapping[str, Plan]:
        """The orders that the borders of the map alone allow, by their canonical texts."""
        plans = plans_by_borders(self._board)
        return {plan.text: plan for order, plan in plans.items() if self.is_plain(order)}

    def order(self, line: str, position: Position) -> Order | None:
        """The order that a line means in a position; `None`: it has to be read word by word."""
        known = self._known.get(line)
        if known is None:
            return self._order(line, position.kind_at, position.unit_at)
        holders = position.holders
        if known.post in holders and (known.of_post is None or known.of_post in holders):
            return known.order
        return self._order(line, position.kind_at, position.unit_at)

    def _order(
        self, line: str, kind_at: Mapping[PlaceId, Kind], taken: Container[ProvinceId] = frozenset()
    ) -> Order | None:
        """The same for any order, whether the borders allow it or not; `taken`: the provinces with units."""
        match = _CANONICAL.fullmatch(line)
        if match is None:
            return None
        words: Sequence[Any] = match.groups()
        kind, at, to, via, verb, of_kind, of, there = words
        if not self._reads(at):
            return None
        if kind_at.get(at) != kind and (province_of(at) in taken or ("/" in at and kind != FLEET)):
            return None
        if to is not None:
            return Move(kind, at, to, via_convoy=via is not None) if self._can_name(kind, to) else None
        if verb is None:
            return Hold(kind, at)
        if not self._reads(of) or (kind_at.get(of) != of_kind and (province_of(of) in taken or "/" in of)):
            return None
        if there is None:
            return SupportHold(kind, at, of_kind, of) if verb == "S" else None
        if verb == "C" and ("/" in at or "/" in of):
            return None
        if not self._can_name(ARMY if verb == "C" else of_kind, there):
            return None
        return Convoy(kind, at, of_kind, of, there) if verb == "C" else SupportMove(kind, at, of_kind, of, there)

    def spelt(self, line: str, position: Position) -> Order | Sentence | None:
        """The order that a line with full names or whole words means in a position, or what its words mean; a name may
        be unknown. `None`: it has to be read word by word."""
        match = self.spelling.match(line)
        if match is None:
            return None
        text = self.spelling.canonical(match)
        return (text and self.order(text, position)) or self.spelling.sentence(match)

    def is_plain(self, order: Order) -> bool:
        """Whether `order` would read the canonical text of an order as the order itself."""
        match order:
            case Hold(kind, at) | Move(kind, at):
                kind_at = {at: kind}
            case SupportHold(kind, at, of_kind, of) | SupportMove(kind, at, of_kind, of):
                kind_at = {at: kind, of: of_kind}
            case _:
                return False
        return self._order(format_order(order), kind_at) == order

    def _can_name(self, kind: Kind, to: str) -> bool:
        """Whether a unit's goal is named as exactly as its kind needs: a fleet's with its coast. Source: DATC 4.B"""
        if not self._reads(to):
            return False
        if "/" in to:
            return kind == FLEET
        return kind != FLEET or not self._board.provinces[ProvinceId(to)].coasts

    def _reads(self, place: str) -> bool:
        """Whether the language understands a code as this place and no other. Found out once for each place."""
        found = self._is_plain.get(place)
        if found is None:
            province, _, coast = place.partition("/")
            is_place = place in self._board.places
            found = self._is_plain[place] = is_place and self._is_unmistakable(place, province, coast)
        return found

    def _is_unmistakable(self, place: str, province: str, coast: str) -> bool:
        """Whether orders around a code or a name are read as meant: as the place of a unit and as a goal."""
        other = next(other for other in self._board.provinces if other != province)
        for pattern, verb in _SAMPLES.items():
            text = pattern.format(place, other)
            if coast and verb is Verb.CONVOY:
                continue  # `C` is read as "coast" there; no fleet on a coast convoys, no army is on one.
            sentence = self._language.read(text)
            if not isinstance(sentence, Sentence) or self._language.heading(text)[0] is not None:
                return False
            of, to, unit = sentence.of, sentence.to, sentence.unit
            names = [words.name for words in (unit, of) if words] + ([to] if to else [])
            kinds = "".join(words.kind or "" for words in (unit, of) if words)
            meant = re.findall(r"\{(.)\}", pattern)
            if sentence.verb is not verb or kinds != "".join(re.findall(r"\b[AF]\b", pattern)):
                return False
            if sentence.via is not pattern.endswith(" VIA CONVOY") or sentence.through:
                return False
            if len(names) != len(meant):
                return False
            for name, which in zip(names, meant, strict=True):
                if which == "0" and not _means(name, province, coast):
                    return False
        return True


_SAMPLES: Mapping[str, Verb] = {
    **dict.fromkeys(("A {0} H", "F {0} H"), Verb.HOLD),
    **dict.fromkeys(("A {0} - {1}", "F {0} - {1}", "A {1} - {0}", "F {1} - {0}"), Verb.MOVE),
    **dict.fromkeys(("A {0} - {1} VIA CONVOY", "A {1} - {0} VIA CONVOY"), Verb.MOVE),
    **dict.fromkeys(("A {0} S F {1}", "F {0} S A {1} - {1}", "A {1} S A {0}", "A {1} S F {0}"), Verb.SUPPORT),
    **dict.fromkeys(("F {1} S A {0} - {1}", "F {1} S F {0} - {1}", "A {1} S A {1} - {0}"), Verb.SUPPORT),
    **dict.fromkeys(("F {0} C A {1} - {1}", "F {1} C A {0} - {1}", "F {1} C A {1} - {0}"), Verb.CONVOY),
}
"""Canonical orders around a place `{0}`, and their verbs; any other place in them is a different one."""


def _means(name: Name, province: str, coast: str) -> bool:
    return name.provinces == (province,) and not name.others and (name.coast or "") == coast


@cache
def canonical_of(variant: BoardVariant) -> Canonical:
    """The reader of canonical orders on one map, made once."""
    return Canonical(variant)


def parse(text: str, view: View) -> Parsed[Order]:
    """Read the orders in a text, one a line; several on a line are separated by `;`, or by commas.

    Comments, blank lines, list marks, code fences, the sender's power as a heading, and template lines that were not
    filled in (`A BUD …`) are ignored. The same order twice counts once. `All hold` holds every unit that no other line
    of the text orders.
    """
    position = position_of(view.state)
    moves = view.state.phase.kind is PhaseKind.MOVEMENT
    canonical = canonical_of(view.state.variant) if moves else None
    orders: list[ReadOrder[Order]] = []
    reader: _TextReader | None = None
    is_canonical = True
    for number, line in enumerate(text.splitlines(), 1):
        if not line:
            continue
        found: Order | Sentence | None = None
        if canonical is not None:
            found = canonical.order(line, position)
        if found is None:
            is_canonical = False
            found = canonical.spelt(line, position) if canonical is not None else None
        if found is not None and not isinstance(found, Sentence):
            orders.append(ReadOrder(found, number, 1, len(line) + 1, line))
        else:
            reader = reader or _TextReader(view, position)
            orders.extend(reader.read_line(number, line, found))
    if reader is not None:
        orders += reader.holds(orders)
    if len(orders) > 1 and not (is_canonical and len({read.text for read in orders}) == len(orders)):
        orders = list(_without_repeats(orders))
    return Parsed(tuple(orders), tuple(reader.errors) if reader is not None else ())


def _without_repeats(orders: Iterable[ReadOrder[Order]]) -> Iterator[ReadOrder[Order]]:
    """The orders, each once. Source: DATC 4.D.3"""
    seen: set[Order] = set()
    for read in orders:
        if read.order not in seen:
            seen.add(read.order)
            yield read


def read_piece(text: str, view: View) -> Sentence | None:
    """The sentence of one order's text, to point at its parts."""
    sentence = _sentence(view.state.variant, text)
    return sentence if isinstance(sentence, Sentence) else None


class _TextReader:
    """Reads the lines of one text that are not canonical."""

    def __init__(self, view: View, position: Position) -> None:
        self.errors: list[OrderError] = []
        self._view = view
        self._variant = view.state.variant
        self._language = language_of(self._variant)
        self._has_moves = view.state.phase.kind is PhaseKind.MOVEMENT
        self._resolver = Resolver(position, view.viewer)
        self._waived = 0
        self._all_hold: tuple[int, int, int, str] | None = None

    def read_line(self, number: int, line: str, sentence: Sentence | None) -> Iterator[ReadOrder[Order]]:
        """The orders of a line, or the one that a sentence is; what could not be read goes to `errors`."""
        if sentence is not None:
            return self._read_sentence(number, line, 0, len(line), sentence)
        start, end = self._body(number, line)
        pieces = self._pieces(line, start, end)
        return (read for first, last in pieces for read in self._read(number, line, first, last))

    def holds(self, orders: Sequence[ReadOrder[Order]]) -> list[ReadOrder[Order]]:
        """After `all hold` an order for each of the viewer's units that has none among the orders."""
        if self._all_hold is None:
            return []
        ordered = {subject(read.order) for read in orders}
        return [
            ReadOrder(Hold(unit.kind, unit.at), *self._all_hold)
            for unit in self._resolver.position.units_of(self._view.viewer)
            if province_of(unit.at) not in ordered
        ]

    def _body(self, number: int, line: str) -> tuple[int, int]:
        """Where the orders of a line begin and end, without comment, list mark, code fence or heading."""
        comment = _COMMENT.search(line)
        end = comment.start() if comment else len(line)
        start = lead_end(_BULLET, line)
        if line.startswith("```", start):
            return end, end
        power, skipped = self._language.heading(line[start:end])
        if power is None:
            return start, end
        if power != self._view.viewer:
            args = {"power": power}
            self.errors.append(OrderError(number, start + 1, start + skipped + 1, line, "not_your_power", args))
            return end, end
        return start + skipped, end

    def _pieces(self, line: str, start: int, end: int) -> Iterator[tuple[int, int]]:
        for first, last in spans_between(line, start, end, ";"):
            parts = list(spans_between(line, first, last, ","))
            if len(parts) > 1 and not self._is_one(line[first:last]):
                yield from parts
            elif line[first:last].strip():
                yield first, last

    def _is_one(self, text: str) -> bool:
        return isinstance(_sentence(self._variant, text), Sentence)

    def _read(self, number: int, line: str, first: int, last: int) -> Iterator[ReadOrder[Order]]:
        while first < last and line[first].isspace():
            first += 1
        while last > first and line[last - 1].isspace():
            last -= 1
        piece = line[first:last]
        if not piece.strip(" .,;:!?-–—*_`~'\"()[]{}|=+"):
            return
        if self._has_moves and says_all_hold(piece):
            self._all_hold = number, first + 1, last + 1, line
            return
        yield from self._read_sentence(number, line, first, last, _sentence(self._variant, piece))

    def _read_sentence(
        self, number: int, line: str, first: int, last: int, sentence: Sentence | Problem
    ) -> Iterator[ReadOrder[Order]]:
        if isinstance(sentence, Sentence) and sentence.verb is Verb.WAIVE:
            yield from self._waive(number, line, first, last, sentence.number)
            return
        self._resolver.seeks_near_misses = len(self.errors) < MOST_HINTED
        found = self._resolver.resolve(sentence)
        if isinstance(found, Problem):
            self.errors.append(self._error(number, line, first, found, sentence))
        elif found is not None:
            yield ReadOrder(found, number, first + 1, last + 1, line)

    def _waive(self, number: int, line: str, first: int, last: int, count: int) -> Iterator[ReadOrder[Order]]:
        """Waived builds. A line that waives more than there are is a mistake, and replaces no builds that stand."""
        viewer, phase = self._view.viewer, self._view.state.phase.kind
        due = self._resolver.position.adjustment(viewer) if viewer and phase is PhaseKind.ADJUSTMENTS else 0
        if 0 < due < count:
            args = {"number": count, "count": due}
            self.errors.append(OrderError(number, first + 1, last + 1, line, "too_many_waived", args))
            return
        for _ in range(count if due > 0 else 1):
            self._waived += 1
            yield ReadOrder(Waive(self._waived), number, first + 1, last + 1, line)

    def _error(self, number: int, line: str, first: int, problem: Problem, sentence: Sentence | Problem) -> OrderError:
        subject = self._resolver.subject(problem.unit)
        hints: tuple[str, ...] = ()
        are_orders = False
        if len(self.errors) < MOST_HINTED:
            hints, are_orders = self._hints(line[first:], problem, sentence)
        start, end = first + problem.start + 1, first + max(problem.end, problem.start + 1) + 1
        args = dict(problem.args)
        if "words" in args:
            args["words"] = line[start - 1 : end - 1][:_MOST_QUOTED]
        are_sure = are_orders and self._has_moves and self._view.state.over is None
        return OrderError(number, start, end, line, problem.code, args, hints, subject, are_hints_sure=are_sure)

    def _hints(self, text: str, problem: Problem, sentence: Sentence | Problem) -> tuple[tuple[str, ...], bool]:
        """Up to three texts that may have been meant, and whether these are legal orders; otherwise they are names."""
        if problem.code == "left_over":
            sentence = _sentence(self._variant, text[: problem.start])
        orders = self._resolver.orders_meant(problem, sentence)
        return (self._resolver.names_near(problem), False) if orders is None else (orders, True)


class Resolver:
    """Tells what a sentence means in a position, for one power."""

    def __init__(self, position: Position, viewer: PowerId | None) -> None:
        self.position = position
        self._viewer = viewer
        self._reach = position.reach
        self._provinces = position.reach.board.provinces
        self._phase = position.state.phase.kind
        self.seeks_near_misses = True

    def resolve(self, sentence: Sentence | Problem) -> Order | Problem | None:
        """The order, or why it can't be read; nothing for a line left blank."""
        if isinstance(sentence, Problem):
            if sentence.code in ("no_verb", "unknown_verb") and sentence.unit and not sentence.unit.name.provinces:
                return self._unknown(sentence.unit.name).problem()
            if sentence.code == "no_verb" and self._phase is not PhaseKind.MOVEMENT:
                return sentence._replace(code="no_verb_now", args={"wants": phrase(f"error.wants.{self._phase}")})
            return sentence
        if sentence.verb is Verb.NOTHING or sentence.unit is None:
            return None
        try:
            return self._order(sentence, sentence.unit)
        except _Unclear as unclear:
            return unclear.problem(sentence.unit)

    def subject(self, words: UnitWords | None) -> str | None:
        """The province of the viewer's own unit that words name, if they do."""
        if words is None:
            return None
        for province in words.name.provinces:
            unit = self._unit_to_order(province)
            if unit is not None and unit.power == self._viewer:
                return province
        return None

    def orders_meant(self, problem: Problem, sentence: Sentence | Problem) -> tuple[str, ...] | None:
        """Up to three legal orders that may have been meant; `None`: with none of the names that may have been meant
        the words would be an order."""
        if problem.code == "left_over":
            found = self.resolve(sentence)
            return self.legal_texts([found]) if not isinstance(found, Problem) else ()
        if problem.code == "no_verb":
            return self.legal_texts(list_orders(self.position, self._viewer).get(self.subject(problem.unit) or "", ()))
        if problem.code == "no_verb_now":
            own = list_orders(self.position, self._viewer).get(self.subject(problem.unit) or "", ())
            return self.legal_texts([*_builds(problem.unit), *own])
        if problem.code == "kind_needed" and isinstance(sentence, Sentence) and sentence.unit is not None:
            place = PlaceId(sentence.unit.name.provinces[0])
            return self.legal_texts([Build(ARMY, place), Build(FLEET, place)])
        near = _near(problem)
        if not near or isinstance(sentence, Problem):
            return ()
        orders = self._meant(sentence, problem, near)
        first = next(orders, None)
        # Whole orders: one that the unit can't carry out is no help, and neither is the place that it names.
        return None if first is None else self.legal_texts(chain([first], orders))

    def names_near(self, problem: Problem) -> tuple[str, ...]:
        """Up to three names that may have been meant."""
        return tuple([self._provinces[province].name for province in _near(problem)[:MOST_HINTS]])

    def _meant(self, sentence: Sentence, problem: Problem, near: Iterable[ProvinceId]) -> Iterator[Order]:
        """The orders of a sentence if the name that the problem is about means one of some provinces."""
        for province in near:
            order = self.resolve(_with_meaning(sentence, problem.start, province))
            if order is not None and not isinstance(order, Problem):
                yield order

    def legal_texts(self, orders: Iterable[Order | None]) -> tuple[str, ...]:
        """The first of some orders that are legal, as texts."""
        if self._viewer is None:
            return ()
        viewer = self._viewer
        texts: dict[str, None] = {}
        for order in orders:
            if order is not None and find_flaw(self.position, viewer, order) is None:
                texts[format_order(order)] = None
                if len(texts) == MOST_HINTS:
                    break
        return tuple(texts)

    # Orders

    def _order(self, sentence: Sentence, words: UnitWords) -> Order:
        if sentence.verb is Verb.BUILD:
            return self._build(words)
        kind, at = self._ordered_unit(sentence, words)
        match sentence.verb:
            case Verb.HOLD:
                return Hold(kind, at)
            case Verb.DISBAND:
                return Remove(kind, at) if self._phase is PhaseKind.ADJUSTMENTS else Disband(kind, at)
            case Verb.SUPPORT | Verb.CONVOY:
                return self._help(sentence, kind, at)
        if sentence.to is None:
            return Hold(kind, at)
        if self._phase is PhaseKind.RETREATS or sentence.verb is Verb.RETREAT:
            return self._retreat(kind, at, sentence.to)
        return self._move(sentence, kind, at, sentence.to)

    def _move(self, sentence: Sentence, kind: Kind, at: PlaceId, name: Name) -> Order:
        for passed in sentence.through:
            if not passed.provinces:
                raise self._unknown(passed)
            if kind == FLEET or not any(self._reach.is_sea(province) for province in passed.provinces):
                raise _Unclear("not_a_route", passed, place=passed.provinces[0])
        there = self._target(name, kind, at)
        return Move(kind, at, self._place(kind, at, there, name.coast), via_convoy=sentence.via)

    def _retreat(self, kind: Kind, at: PlaceId, name: Name) -> Order:
        dislodged = self.position.dislodged_at.get(province_of(at))
        retreats = dislodged.retreats if dislodged else ()
        if not name.provinces:
            raise self._unknown(name, lambda: map(province_of, retreats))
        open_to = {province_of(place) for place in retreats}
        there = self._choose(name, open_to.__contains__, lambda p: p in self._reach.provinces(kind, at))
        coasts = tuple(place for place in retreats if province_of(place) == there)
        named = self._coast(there, name.coast)
        if kind == FLEET and named is None and len(coasts) == 1:
            return Retreat(kind, at, coasts[0])
        return Retreat(kind, at, named if kind == FLEET and named else PlaceId(there))

    def _help(self, sentence: Sentence, kind: Kind, at: PlaceId) -> Order:
        assert sentence.of is not None
        of = self._helped_unit(sentence, sentence.of, kind, at)
        if sentence.to is None:
            return SupportHold(kind, at, of.kind, of.at)
        if sentence.verb is Verb.CONVOY:
            there = self._target(sentence.to, of.kind, of.at)
            return Convoy(kind, at, of.kind, of.at, PlaceId(there))
        there = self._target(sentence.to, of.kind, of.at, self._reach.provinces(kind, at).__contains__)
        return SupportMove(kind, at, of.kind, of.at, self._place(of.kind, of.at, there, sentence.to.coast))

    def _build(self, words: UnitWords) -> Order:
        if not words.name.provinces:
            raise self._unknown(words.name, self._sites)
        there = self._choose(words.name, self._sites().__contains__)
        coast = self._coast(there, words.name.coast)
        terrain = self._provinces[there].terrain
        kind = words.kind
        if kind is None:
            # Source: DATC 4.C.3
            if coast is None and terrain is Terrain.COAST:
                raise _Unclear("kind_needed", words.name, place=there)
            kind = FLEET if terrain is not Terrain.LAND else ARMY
        return Build(kind, coast if kind == FLEET and coast else PlaceId(there))

    def _sites(self) -> tuple[ProvinceId, ...]:
        return self.position.building_sites(self._viewer) if self._viewer is not None else ()

    # Units

    def _unit_to_order(self, province: ProvinceId) -> Unit | None:
        """The unit in a province that this phase is about: a dislodged one in retreats."""
        if self._phase is PhaseKind.RETREATS:
            dislodged = self.position.dislodged_at.get(province)
            if dislodged is not None:
                return dislodged.unit
        return self.position.unit_at.get(province)

    def _ordered_unit(self, sentence: Sentence, words: UnitWords) -> tuple[Kind, PlaceId]:
        """Kind and place as they are, whatever was written. Source: DATC 4.B.5, 4.C.1, 4.C.2"""
        name = words.name
        if not name.provinces:
            raise self._unknown(name, self._own_provinces)
        there = name.certain or self._place_of_own(sentence, words)
        unit = self._unit_to_order(there)
        if unit is not None:
            return unit.kind, unit.at
        kind = words.kind or (FLEET if self._reach.is_sea(there) else ARMY)
        coast = self._coast(there, name.coast)
        return kind, coast if kind == FLEET and coast else PlaceId(there)

    def _place_of_own(self, sentence: Sentence, words: UnitWords) -> ProvinceId:
        """Which of several meanings the name of a unit that is ordered has."""

        def is_own(province: ProvinceId) -> bool:
            unit = self._unit_to_order(province)
            return unit is not None and unit.power == self._viewer

        def is_kind(province: ProvinceId) -> bool:
            unit = self._unit_to_order(province)
            return unit is not None and (words.kind is None or unit.kind == words.kind)

        def can_go(province: ProvinceId) -> bool:
            unit = self._unit_to_order(province)
            if unit is None or sentence.to is None or sentence.of is not None:
                return False
            return any(self.position.can_be_at(unit, to) for to in sentence.to.provinces)

        return self._choose(words.name, is_own, is_kind, can_go, fits=self._fits(words.kind))

    def _helped_unit(self, sentence: Sentence, words: UnitWords, kind: Kind, at: PlaceId) -> Unit:
        """The unit that is supported or convoyed, as it is; an imagined one if there is none."""
        unit_at = self.position.unit_at
        if not words.name.provinces:
            raise self._unknown(words.name, lambda: unit_at)
        there = words.name.certain or self._place_of_helped(sentence, words, kind, at)
        if there in unit_at:
            return unit_at[there]
        imagined = words.kind or (FLEET if self._reach.is_sea(there) else ARMY)
        return Unit(PowerId(""), imagined, PlaceId(there))

    def _place_of_helped(self, sentence: Sentence, words: UnitWords, kind: Kind, at: PlaceId) -> ProvinceId:
        """Which of several meanings the name of a unit that is helped has."""
        unit_at = self.position.unit_at
        goals = sentence.to.provinces if sentence.to is not None else ()

        def is_there(province: ProvinceId) -> bool:
            return province in unit_at and province != province_of(at)

        def is_kind(province: ProvinceId) -> bool:
            return province in unit_at and (words.kind is None or unit_at[province].kind == words.kind)

        def can_go(province: ProvinceId) -> bool:
            if not goals:
                return province in self._reach.provinces(kind, at)
            return province in unit_at and any(self.position.can_be_at(unit_at[province], to) for to in goals)

        return self._choose(words.name, is_there, is_kind, can_go, fits=self._fits(words.kind))

    def _fits(self, kind: Kind | None) -> Callable[[ProvinceId], bool]:
        """Whether a unit of a kind could stand somewhere at all."""
        if kind is None:
            return lambda province: True
        never = Terrain.LAND if kind == FLEET else Terrain.SEA
        return lambda province: self._provinces[province].terrain is not never

    # Places

    def _target(
        self, name: Name, kind: Kind, at: PlaceId, is_wanted: Callable[[ProvinceId], bool] = lambda province: True
    ) -> ProvinceId:
        near = self._reach.provinces(kind, at)
        if not name.provinces:
            raise self._unknown(name, lambda: near)
        if name.certain:
            return name.certain
        by_sea = self.position.routes(province_of(at)) if kind != FLEET else {}
        return self._choose(
            name, lambda p: p in near or p in by_sea, is_wanted, near.__contains__, fits=self._fits(kind)
        )

    def _choose(
        self,
        name: Name,
        *tests: Callable[[ProvinceId], bool],
        fits: Callable[[ProvinceId], bool] = lambda province: True,
    ) -> ProvinceId:
        """The one meaning of a name that passes most of the tests; earlier tests count for more.

        Raises:
            _Unclear: several pass equally, and at least the first test.
        """
        meanings = name.provinces
        if name.others and tests and not any(map(tests[0], meanings)):
            meanings = tuple(filter(tests[0], name.others)) or meanings
        left = [province for province in meanings if fits(province)] or list(meanings)
        passed = 0
        for test in tests:
            if len(left) == 1:
                return left[0]
            passing = [province for province in left if test(province)]
            if passing:
                left, passed = passing, passed + 1
        if len(left) > 1 and (passed or len(left) == len(meanings)):
            raise _Unclear("ambiguous_province", name, words=" ".join(name.words), meanings=tuple(left))
        return left[0]

    def _place(self, kind: Kind, at: PlaceId, there: ProvinceId, coast: str | None) -> PlaceId:
        """With its coast, if it matters: the named one, or the only one in reach.

        Source: Diplomacy, rules 3.3; DATC 4.B.1-3, 4.B.6.
        """
        if kind != FLEET or not self._provinces[there].coasts:
            return PlaceId(there)
        named = self._coast(there, coast)
        if named is not None:
            return named
        coasts = self._reach.coasts(at, there)
        return coasts[0] if len(coasts) == 1 else PlaceId(there)

    def _coast(self, province: ProvinceId, coast: str | None) -> PlaceId | None:
        place = PlaceId(f"{province}/{coast}")
        return place if place in self._provinces[province].coasts else None

    def _unknown(self, name: Name, among: Callable[[], Iterable[ProvinceId]] = tuple) -> _Unclear:
        """An unknown name, with similar ones; those that would be possible here come first."""
        gazetteer = language_of(self.position.state.variant).gazetteer
        near = gazetteer.near(name.words, limit=12) if self.seeks_near_misses else ()
        if len(near) > 1:
            likely = set(among())
            near = tuple(sorted(near, key=lambda province: province not in likely)[:5])
        return _Unclear("unknown_province", name, words=" ".join(name.words), near=near)

    def _own_provinces(self) -> Iterable[ProvinceId]:
        return (province_of(unit.at) for unit in self.position.units_of(self._viewer))


class _Unclear(Exception):
    def __init__(self, code: str, name: Name, **args: object) -> None:
        super().__init__(code)
        self._code, self._name, self._args = code, name, args

    def problem(self, unit: UnitWords | None = None) -> Problem:
        """The same as a value, with the unit that was to be ordered."""
        return Problem(self._code, self._name.start, self._name.end, self._args, unit)


def _builds(unit: UnitWords | None) -> list[Build]:
    """The builds of which the words before a verb could be the rest: `F BRE` in `BUILD A PAR, F BRE`."""
    if unit is None:
        return []
    coast = unit.name.coast
    kinds = (unit.kind,) if unit.kind else (FLEET,) if coast else (ARMY, FLEET)
    places = [PlaceId(f"{place}/{coast}" if coast else place) for place in unit.name.provinces]
    return [Build(kind, place) for place in places for kind in kinds]


def _near(problem: Problem) -> tuple[ProvinceId, ...]:
    """What a name that is unknown or not clear may have meant."""
    near: Any = problem.args.get("near") or problem.args.get("meanings") or ()
    return tuple(near)


def _with_meaning(sentence: Sentence, start: int, province: ProvinceId) -> Sentence:
    """The sentence if the name that begins in a column means a province."""

    def mean(name: Name) -> Name:
        return Name(name.start, name.end, name.words, (province,), name.coast, name.others)

    unit, of, to = sentence.unit, sentence.of, sentence.to
    if to is not None and to.start == start:
        return sentence._replace(to=mean(to))
    if of is not None and of.name.start == start:
        return sentence._replace(of=UnitWords(of.kind, mean(of.name), of.start))
    if unit is not None and unit.name.start == start:
        return sentence._replace(unit=UnitWords(unit.kind, mean(unit.name), unit.start))
    return sentence._replace(through=tuple(mean(name) if name.start == start else name for name in sentence.through))


sentences: dict[tuple[Language, str], Sentence | Problem] = {}


def _sentence(variant: BoardVariant, text: str) -> Sentence | Problem:
    language = language_of(variant)
    found = sentences.get((language, text))
    if found is None:
        if len(sentences) >= _MOST_SENTENCES:
            sentences.clear()
        spelling = canonical_of(variant).spelling
        match = spelling.match(text)
        found = sentences[language, text] = (match and spelling.sentence(match)) or language.read(text)
    return found
