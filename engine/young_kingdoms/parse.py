"""Reads orders as people write them: the lines of sorcerers, spells, shares and cards here, all others by Diplomacy.

A line that is read here is blanked out, and what is left goes to `classic.parse`, so that both count alike.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from engine.core.errors import OrderError
from engine.core.ids import PlaceId, PowerId, ProvinceId
from engine.core.orders import Parsed, ReadOrder
from engine.core.phrases import phrase
from engine.core.words import LIST_MARKS, Token, lead_end, spans_between, tokens_of
from engine.provinces.classic import parse as classic
from engine.provinces.classic.language import KINDS, VERBS, Verb, language_of
from engine.provinces.classic.model import Convoy, SupportHold, SupportMove
from engine.provinces.orders import Build, Disband, Hold, Move, Remove, Retreat
from engine.provinces.phases import PhaseKind
from engine.young_kingdoms.battlefield import Battlefield, field_of
from engine.young_kingdoms.model import (
    SORCERER,
    CardOrder,
    CastAttack,
    CastHere,
    CastOnPlace,
    CastOnUnit,
    CastSelf,
    CastSupport,
    Give,
    Order,
    Place,
    Ride,
    ShareOrder,
    Unshare,
    View,
)
from engine.young_kingdoms.notation import SPELL

_SORCERERS = frozenset({"s", "sorcerer", "sorceror", "wizard", "elric", "jagreen", "lern"})
_ALL_KINDS: Mapping[str, str] = {**KINDS, **dict.fromkeys(_SORCERERS, SORCERER)}
KEYWORDS = (
    "army", "build", "carry", "cast", "convoy", "disband", "dump", "fleet", "give", "hold", "move", "place", "remove",
    "retreat", "share", "sorcerer", "spell", "support", "waive",
)  # fmt: skip
_CARD_WORDS = frozenset({"spell", "spells", "card", "cards"})
_CARD_VERBS = {"carry": "carry", "carries": "carry", "dump": "dump", "dumps": "dump", "destroy": "destroy"}
_SELF = frozenset({"self", "itself", "himself"})
_TO = frozenset(
    {"-", "to", "into", "onto", "against", "moves", "move", "attacks", "embarks", "transfers", "disembarks", "embark"}
)
_AT = frozenset({"at", "against", "in", "upon"})
_WITHOUT_ORIGIN = (9, 10)
"""Cards that are cast on something, and from nowhere."""
_ON = frozenset({"on", "upon"})
_FILLERS = frozenset({"the", "in", "at", "of", "a", "an", "from"})
_VERBS_BEFORE = frozenset({Verb.HOLD, Verb.MOVE, Verb.RETREAT, Verb.DISBAND, Verb.BUILD})
"""What may be said before a sorcerer is named."""
_NUMBER = re.compile(r"\d{1,3}")
_LONGEST = 240


class _Unclear(Exception):
    """Words that are no order: why, and which tokens."""

    def __init__(self, code: str, first: int, last: int, subject: str | None = None, **args: object) -> None:
        super().__init__(code)
        self.code, self.first, self.last, self.subject, self.args_ = code, first, last, subject, args


def parse(text: str, view: View) -> Parsed[Order]:
    """Read the orders in a text, a line each; several on a line are separated by `;` or, as in Diplomacy, by commas."""
    lines = text.splitlines()
    orders: list[ReadOrder[Order]] = []
    errors: list[OrderError] = []
    plain = []
    for number, line in enumerate(lines, 1):
        left = line
        for start, end in _pieces(view, line):
            read = _Reader(view, line[start:end]).read()
            if read is None:
                continue
            left = left[:start] + " " * (end - start) + left[end:]
            if isinstance(read, _Unclear):
                errors.append(_error(number, line, start, end, read))
            elif read is not _NOTHING:
                orders.append(ReadOrder(read, number, start + 1, end + 1, line))  # type: ignore[arg-type]
        plain.append(left)
    rest = classic.parse("\n".join(plain), view)
    orders += [ReadOrder(read.order, read.line, read.column, read.end, lines[read.line - 1]) for read in rest.orders]
    errors += [_on_line(error, lines[error.line - 1]) for error in rest.errors]
    orders.sort(key=lambda read: (read.line, read.column))
    errors.sort(key=lambda error: (error.line, error.column))
    return Parsed(tuple(_without_repeats(orders)), tuple(errors))


def _without_repeats(orders: Sequence[ReadOrder[Order]]) -> list[ReadOrder[Order]]:
    first: dict[Order, ReadOrder[Order]] = {}
    for read in orders:
        first.setdefault(read.order, read)
    return list(first.values())


def _on_line(error: OrderError, line: str) -> OrderError:
    return OrderError(
        error.line, error.column, error.end, line, error.code, error.args, error.hints, error.subject, error.order
    )


def _pieces(view: View, line: str) -> list[tuple[int, int]]:
    """The spans of the orders in a line: no comment, no list mark, not the player's own power's name before it."""
    end = len(line)
    for mark in ("#", "// "):
        found = line.find(mark)
        end = found if 0 <= found < end else end
    start = lead_end(LIST_MARKS, line)
    power, skipped = language_of(view.state.variant).heading(line[start:end])
    if power is not None and power == view.viewer:
        start += skipped
    spans: list[tuple[int, int]] = []
    for first, last in spans_between(line, start, end, ";"):
        parts = list(spans_between(line, first, last, ","))
        spans += parts if len(parts) > 1 and not _is_one(view, line[first:last]) else [(first, last)]
    return [_without_space(line, *span) for span in spans]


def _is_one(view: View, text: str) -> bool:
    """Whether a text with commas is a single order all the same."""
    read = _Reader(view, text).read()
    if read is None:
        return classic.read_piece(text, view) is not None
    return read is not _NOTHING and not isinstance(read, _Unclear)


def _without_space(line: str, first: int, last: int) -> tuple[int, int]:
    while line[first].isspace():
        first += 1
    while line[last - 1].isspace():
        last -= 1
    return first, last


def _error(number: int, line: str, start: int, end: int, unclear: _Unclear) -> OrderError:
    tokens = tokens_of(line[start:end])
    column, after = start, end
    if unclear.first < len(tokens):
        column = start + tokens[unclear.first].start
        after = start + tokens[min(max(unclear.last, unclear.first + 1), len(tokens)) - 1].end
    else:
        column = end - 1
    return OrderError(
        number, column + 1, max(after, column + 1) + 1, line, unclear.code, unclear.args_, (), unclear.subject
    )


_NOTHING = object()
"""What a line says that is one of ours and has been left blank."""


class _Reader:
    """Reads one order."""

    def __init__(self, view: View, text: str) -> None:
        self.view = view
        self.field: Battlefield = field_of(view.state)
        self.language = language_of(view.state.variant)
        tokens: list[Token] = tokens_of(text) if len(text) <= _LONGEST else []
        self.is_blank = any(token.word == "…" for token in tokens)
        self.words = [token.word for token in tokens]
        self.at = 0

    def read(self) -> Order | _Unclear | object | None:
        """The order, why it is none, `_NOTHING` for one left blank; `None`: it is for Diplomacy to read."""
        try:
            return self._read()
        except _Unclear as unclear:
            return _NOTHING if self.is_blank else unclear

    def _read(self) -> Order | object | None:
        words = self.words
        if not words:
            return None
        first, second = words[0], words[1] if len(words) > 1 else ""
        self.at = 1
        if first in ("cast", "casts", "spell"):
            return self._cast()
        if first == "place":
            return self._place()
        if first in ("share", "shares"):
            return self._share()
        if first in ("unshare", "unshares"):
            return self._finish(Unshare(self._province()))
        if first in _CARD_VERBS and second in _CARD_WORDS:
            self.at = 2
            kind, at = self._unit()
            return self._finish(CardOrder(_CARD_VERBS[first], kind, at))
        if first in ("give", "gives"):
            return self._give()
        if first in _SORCERERS:
            return self._sorcerer()
        if VERBS.get(first) in _VERBS_BEFORE:
            self._skip(_FILLERS)
            if self._peek() in _SORCERERS:
                self.at += 1
                return self._verb_before(VERBS[first])
        return self._helper()

    # Lines of the set-up, of shares and of cards

    def _place(self) -> Order:
        kind, at = self._unit()
        return self._finish(Place(kind, at))

    def _share(self) -> Order:
        at = self._province()
        self._expect("with", "and")
        return self._finish(ShareOrder(at, self._power()))

    def _give(self) -> Order:
        self._skip(_CARD_WORDS)
        kind, at = self._unit()
        self._expect("to")
        start = self.at
        power = self._maybe_power()
        if power is not None and self.at >= len(self.words):
            self.at, power = start, None
        of_kind, of = self._unit(power)
        return self._finish(Give(kind, at, None if power == self.view.viewer else power, of_kind, of))

    # Sorcerers and those who help them

    def _sorcerer(self) -> Order | object:
        at = self._where_it_is()
        subject = self._own_sorcerer(at)
        word = self._peek()
        if word is None:
            if self.is_blank:
                return _NOTHING
            phase = self.view.state.phase.kind
            if phase is not PhaseKind.MOVEMENT:
                raise _Unclear("no_verb_now", 0, self.at, subject, wants=phrase(f"error.wants.{phase}"))
            raise _Unclear("no_verb_sorcerer", 0, self.at, subject)
        if word in ("rides", "ride"):
            self.at += 1
            if self._peek() in KINDS:
                self.at += 1
            if self._peek() is not None:
                fleet = self._province()
                if PlaceId(fleet) != at:
                    raise _Unclear("no_fleet_to_ride", 0, len(self.words), subject, unit=f"S {at}", place=fleet)
            return self._finish(Ride(at))
        verb = VERBS.get(word)
        if verb is Verb.HOLD:
            self.at += 1
            return self._finish(Hold(SORCERER, at))
        if verb is Verb.DISBAND:
            self.at += 1
            return self._finish(Disband(SORCERER, at))
        if verb is Verb.BUILD:
            self.at += 1
            return self._finish(Build(SORCERER, at))
        if verb in (Verb.SUPPORT, Verb.CONVOY):
            raise _Unclear("sorcerer_supports_by_spell", self.at, self.at + 1, subject, unit=f"S {at}")
        if verb is Verb.RETREAT or word in _TO or word == "via":
            self.at += verb is Verb.RETREAT
            return self._way(at, is_retreat=verb is Verb.RETREAT)
        raise _Unclear("unknown_verb_sorcerer", self.at, self.at + 1, subject, words=word[:40])

    def _where_it_is(self) -> PlaceId:
        """The sorcerer's space: a player has one sorcerer, so that `Elric to DRA` says which is meant."""
        self._skip(_SORCERERS)
        own = self.field.sorcerer_of.get(self.view.viewer) if self.view.viewer else None
        word = self._peek() or ""
        if own is not None and (word in VERBS or word in _TO or word in ("rides", "ride", "via")):
            return PlaceId(own.at)
        return PlaceId(self._province())

    def _verb_before(self, verb: Verb) -> Order:
        """`MOVE S MEL - DRA`: as for armies, the verb may come first. That none is built or removed, `check` says."""
        at = PlaceId(self._province())
        if verb is Verb.HOLD:
            return self._finish(Hold(SORCERER, at))
        if verb is Verb.BUILD:
            return self._finish(Build(SORCERER, at))
        if verb is Verb.DISBAND:
            has_removals = self.view.state.phase.kind is PhaseKind.ADJUSTMENTS
            return self._finish((Remove if has_removals else Disband)(SORCERER, at))
        return self._way(at, is_retreat=verb is Verb.RETREAT)

    def _way(self, at: PlaceId, *, is_retreat: bool) -> Order:
        via = self._via()
        while self._peek() in _TO:
            self.at += 1
        if self._peek() in KINDS and not self._is_place(self.at):
            self.at += 1
        to = PlaceId(self._province())
        via = self._via() or via
        if is_retreat or self.view.state.phase.kind is PhaseKind.RETREATS:
            return self._finish(Retreat(SORCERER, at, to))
        return self._finish(Move(SORCERER, at, to, via_convoy=via))

    def _via(self) -> bool:
        if self._peek() not in ("via", "by"):
            return False
        self.at += 1
        self._skip({"a", "convoy", "c", "sea"})
        return True

    def _helper(self) -> Order | None:
        """A unit that supports or convoys a sorcerer; `None` if the line is another."""
        self.at = 0
        try:
            self._maybe_power()
            kind, at = self._unit()
        except _Unclear:
            return None
        verb = VERBS.get(self._peek() or "")
        if verb not in (Verb.SUPPORT, Verb.CONVOY):
            return None
        self.at += 1
        self._skip(_FILLERS - {"a"})
        if self._peek() not in _SORCERERS:
            return None
        self.at += 1
        of = PlaceId(self._province())
        if self._peek() is None or VERBS.get(self._peek() or "") is Verb.HOLD:
            return SupportHold(kind, at, SORCERER, of)
        while self._peek() in _TO:
            self.at += 1
        to = PlaceId(self._province())
        self._via()
        make = SupportMove if verb is Verb.SUPPORT else Convoy
        return self._finish(make(kind, at, SORCERER, of, to))

    def _own_sorcerer(self, at: PlaceId) -> str | None:
        own = self.field.sorcerer_of.get(self.view.viewer) if self.view.viewer else None
        return f"{SORCERER} {at}" if own is not None and own.at == at else None

    # Spells

    def _cast(self) -> Order | object:
        self._skip(_CARD_WORDS | {"number"})
        word = self._peek() or ""
        if not _NUMBER.fullmatch(word):
            raise _Unclear("card_number", self.at, self.at + 1, SPELL)
        card = int(word)
        self.at += 1
        word = self._peek() or ""
        if word == "/":
            self.at = len(self.words)
        if self._peek() is None:
            return _NOTHING if self.is_blank else CastHere(card)
        if word in _ON or card in _WITHOUT_ORIGIN:
            self._skip(_ON | _AT | _TO if card in _WITHOUT_ORIGIN else _ON)
            return self._cast_on(card)
        if VERBS.get(word) is Verb.SUPPORT:
            self.at += 1
            return self._cast_support(card)
        return self._cast_attack(card)

    def _cast_on(self, card: int) -> Order:
        """A unit that is destroyed, a space that is barred, or one that is attacked."""
        start = self.at
        self._maybe_power()
        is_unit = self._peek() in _ALL_KINDS and not self._is_place(self.at)
        if is_unit or card == 9:
            kind, of = self._unit()
            return self._finish(CastOnUnit(card, kind, of))
        self.at = start
        place = PlaceId(self._province())
        own = self.view.state.sorcerer(self.view.viewer)
        if card in (4, 5, 6) and own is not None:
            return self._finish(CastAttack(card, own.at, place))
        return self._finish(CastOnPlace(card, place))

    def _cast_support(self, card: int) -> Order:
        own = self.view.state.sorcerer(self.view.viewer)
        if self._peek() in _SELF:
            self.at += 1
            return self._finish(CastSelf(card, self._destination()))
        power = self._maybe_power()
        kind, of = self._unit(power)
        to = self._destination()
        if kind == SORCERER and own is not None and own.at == of and power in (None, own.power):
            others = [unit for unit in self.view.state.sorcerers if unit.at == of and unit.power != own.power]
            if not others or power is not None:
                return self._finish(CastSelf(card, to))
        return self._finish(CastSupport(card, kind, of, to))

    def _destination(self) -> PlaceId | None:
        if VERBS.get(self._peek() or "") is Verb.HOLD:
            self.at += 1
        if self._peek() is None:
            return None
        while self._peek() in _TO:
            self.at += 1
        return PlaceId(self._province())

    def _cast_attack(self, card: int) -> Order:
        own = self.view.state.sorcerer(self.view.viewer)
        at = None if own is None else own.at
        says_from = self._peek() == "from"
        if says_from:
            self.at += 1
        if self._peek() not in _TO:
            place = PlaceId(self._province())
            if self._peek() is None and not says_from:
                # Only where it goes: a sorcerer casts from where it stands.
                return CastAttack(card, at or place, place)
            at = place
        while self._peek() in _TO | _ON:
            self.at += 1
        to = PlaceId(self._province())
        return self._finish(CastAttack(card, at or to, to))

    # Parts

    def _unit(self, power: PowerId | None = None) -> tuple[str, PlaceId]:
        """A unit's kind and place; a kind that was left out, or an army's letter for a fleet, is put right."""
        self._skip(_FILLERS - {"a"})
        kind = None
        if self._peek() in _ALL_KINDS and not (self._is_place(self.at) and self._peek(1) in (None, "-", "to")):
            kind = _ALL_KINDS[self.words[self.at]]
            self.at += 1
        self._skip(_FILLERS - {"a"})
        at = PlaceId(self._province())
        if kind is None or (kind != SORCERER and self.field.find_unit(kind, at) is None):
            present = [unit for unit in self.field.units_in(ProvinceId(at)) if power in (None, unit.power)]
            ordinary = [unit for unit in present if unit.kind != SORCERER] or (present if kind is None else [])
            kind = ordinary[0].kind if ordinary and self.view.state.phase.kind is not PhaseKind.SETUP else kind
        return kind or ("F" if self.field.reach.is_sea(ProvinceId(at)) else "A"), at

    def _province(self) -> ProvinceId:
        self._skip(_FILLERS)
        gazetteer, start = self.language.gazetteer, self.at
        if start >= len(self.words):
            raise _Unclear("no_place", start, start)
        end, found = gazetteer.match(self.words, start)
        if end == start:
            for stop in range(min(len(self.words), start + 4), start, -1):
                found = gazetteer.beginning(self.words[start:stop])
                if found:
                    end = stop
                    break
        if end == start:
            near = gazetteer.near(self.words[start : start + 1])
            raise _Unclear("unknown_province", start, start + 1, words=self.words[start][:40], near=near)
        exact = [province for province in found if province.lower() == " ".join(self.words[start:end])]
        if len(found) > 1 and not exact:
            raise _Unclear(
                "ambiguous_province", start, end, words=" ".join(self.words[start:end])[:40], meanings=tuple(found)
            )
        self.at = end
        return (exact or list(found))[0]

    def _is_place(self, index: int) -> bool:
        return self.language.gazetteer.match(self.words, index)[0] > index

    def _power(self) -> PowerId:
        start, power = self.at, self._named_power()
        if power is None:
            raise _Unclear("unknown_power", start, start + 1, words=(self._peek() or "")[:40])
        return power

    def _maybe_power(self) -> PowerId | None:
        """The power whose unit is named; not a place that has a power's name, such as Argimiliar."""
        start, power = self.at, self._named_power()
        if power is not None and self.language.is_place(self.words[start : self.at]) and self._peek() not in _ALL_KINDS:
            self.at, power = start, None
        return power

    def _named_power(self) -> PowerId | None:
        for length in (3, 2, 1):
            name = " ".join(self.words[self.at : self.at + length])
            power = self.language.powers.get(name) or self.language.powers.get(name.removesuffix("s"))
            if power is not None and self.at + length <= len(self.words):
                self.at += length
                return power
        return None

    def _expect(self, *words: str) -> None:
        if self._peek() not in words:
            raise _Unclear("word_expected", self.at, self.at + 1, words=words[0])
        self.at += 1

    def _finish(self, order: Order) -> Order:
        if self._peek() is not None and self._peek() not in ("/", "…"):
            left = " ".join(self.words[self.at :])[:40]
            raise _Unclear("left_over", self.at, len(self.words), words=left)
        return order

    def _skip(self, words: frozenset[str] | set[str]) -> None:
        while self._peek() in words and not self._is_place(self.at):
            self.at += 1

    def _peek(self, ahead: int = 0) -> str | None:
        index = self.at + ahead
        return self.words[index] if index < len(self.words) else None
