"""The grammar of orders: from words to a `Sentence` that says which words mean what, before the position is looked at.

The first half of `parse`. A name may still mean several places, a unit may lack its kind; only the
position can decide that (`parse`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from engine.core.gazetteer import LEAST_LETTERS, gazetteer_of
from engine.core.ids import ProvinceId
from engine.core.words import Token, number_of, tokens_of
from engine.provinces.headings import Headings, names_of_powers
from engine.provinces.orders import Kind
from engine.provinces.variants import BoardVariant

KINDS: Mapping[str, Kind] = {"a": "A", "army": "A", "armies": "A", "f": "F", "fleet": "F", "fleets": "F"}
"""Words for the kinds of units."""


class Verb(StrEnum):
    """What a sentence says that a unit does."""

    HOLD = "hold"
    MOVE = "move"
    SUPPORT = "support"
    CONVOY = "convoy"
    RETREAT = "retreat"
    DISBAND = "disband"
    BUILD = "build"
    WAIVE = "waive"
    NOTHING = "nothing"
    """A unit is named, and what it does has been left blank (`A BUD …`)."""


VERBS: Mapping[str, Verb] = {
    **dict.fromkeys(("h", "hold", "holds", "holding", "stand", "stands", "stay", "stays"), Verb.HOLD),
    **dict.fromkeys(("m", "mv", "move", "moves", "moving", "go", "goes", "attack", "attacks", "to", "into"), Verb.MOVE),
    **dict.fromkeys(("s", "sup", "supp", "support", "supports", "supporting"), Verb.SUPPORT),
    **dict.fromkeys(("c", "conv", "convoy", "convoys", "convoying", "transports"), Verb.CONVOY),
    **dict.fromkeys(("r", "ret", "retreat", "retreats", "retreating"), Verb.RETREAT),
    **dict.fromkeys(("d", "dis", "disband", "disbands", "disbanded", "destroy", "remove", "removes"), Verb.DISBAND),
    **dict.fromkeys(("b", "build", "builds"), Verb.BUILD),
    **dict.fromkeys(("waive", "waives", "waived", "pass"), Verb.WAIVE),
}
_FIRST_VERBS = {**VERBS, "rm": Verb.DISBAND, "delete": Verb.DISBAND, "create": Verb.BUILD}
"""Words that may begin an order. One letter is taken for a verb only if a unit follows it."""
_FILLERS = frozenset({"the", "in", "at", "from", "of", "unit", "own", "my", "our", "its", "an", "new"})
_TO = frozenset({"-", "to", "into", "towards"})
_VIA = frozenset({"via", "by", "vc", "convoyed"})
_VIA_WORDS = frozenset({"convoy", "convoys", "c", "sea", "fleet", "a"})
_COASTS = {
    **dict.fromkeys(("nc", "north", "northern"), "NC"),
    **dict.fromkeys(("sc", "south", "southern"), "SC"),
    **dict.fromkeys(("ec", "east", "eastern"), "EC"),
    **dict.fromkeys(("wc", "west", "western"), "WC"),
}
_COAST_LETTERS = {"n": "NC", "s": "SC", "e": "EC", "w": "WC"}
_MOST_WAIVED = 99
_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_LONGEST_NAME = 5
LONGEST_TEXT = 240
WORDS_WITH_MEANINGS = frozenset({
    *_FIRST_VERBS, *KINDS, *_FILLERS, *_TO, *_VIA, *_VIA_WORDS, *_COASTS, *_COAST_LETTERS, "coast",
})  # fmt: skip


class Name(NamedTuple):
    """Words that name a place.

    Args:
        start, end: where they stand in the text, from 0, the end exclusive, coast included.
        words: as they were read.
        provinces: all that they could mean, in map order; empty: an unknown name.
        others: what they could also mean if none of these is possible: an alias may be the beginning of another name.
        coast: `NC`, if one is named.
    """

    start: int
    end: int
    words: tuple[str, ...]
    provinces: tuple[ProvinceId, ...]
    coast: str | None = None
    others: tuple[ProvinceId, ...] = ()

    @property
    def certain(self) -> ProvinceId | None:
        """The province if they can mean only one."""
        return self.provinces[0] if len(self.provinces) == 1 and not self.others else None


class UnitWords(NamedTuple):
    """Words that name a unit; `kind` is `None` where it was left out."""

    kind: Kind | None
    name: Name
    start: int


class Sentence(NamedTuple):
    """One order, as far as its words say.

    Args:
        unit: the unit that is ordered; none only for `WAIVE`.
        of: the unit that is supported or convoyed.
        to: where the unit, or the one that it helps, goes.
        through: provinces named on the way of a convoyed army.
        via: whether a convoy is asked for.
        number: how many builds are waived.
        verb_start, verb_end: where the verb stands.
    """

    verb: Verb
    unit: UnitWords | None = None
    of: UnitWords | None = None
    to: Name | None = None
    through: tuple[Name, ...] = ()
    via: bool = False
    number: int = 1
    verb_start: int = 0
    verb_end: int = 0


class Problem(NamedTuple):
    """Why words are not an order: the phrase `error.<code>` with `args`, the columns from 0, and the unit if known."""

    code: str
    start: int
    end: int
    args: Mapping[str, object]
    unit: UnitWords | None = None


class Language(Headings):
    """The order language on one map."""

    def read(self, text: str) -> Sentence | Problem:
        """The sentence of a text, or why there is none."""
        if len(text) > LONGEST_TEXT:
            return Problem("too_long", 0, len(text), {"most": LONGEST_TEXT})
        return _Reader(self, tokens_of(text), len(text)).sentence()

    def is_unknown(self, words: Sequence[str]) -> bool:
        """Whether words of plain letters are read as one name that is no place's, wherever in an order a name stands.

        That is so if none of them has a meaning of its own and no place's name begins like the first of them.
        """
        return (
            len(words[0]) >= LEAST_LETTERS
            and len(words) <= _LONGEST_NAME
            and WORDS_WITH_MEANINGS.isdisjoint(words)
            and not self.gazetteer.has_beginning(words[0])
        )


@cache
def language_of(variant: BoardVariant) -> Language:
    """The language of a variant, made once."""
    return Language(gazetteer_of(variant), names_of_powers(variant), KINDS)


class _Unreadable(Exception):
    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.code)
        self.problem = problem


class _Reader:
    """Reads one sentence from left to right."""

    def __init__(self, language: Language, tokens: Sequence[Token], length: int) -> None:
        self._language = language
        self._has_blank = any(token.word == "…" for token in tokens)
        self._tokens = [token for token in tokens if token.word not in ("…", ":")]
        self._words = [token.word for token in self._tokens]
        self._length = length
        self._at = 0
        self._unit: UnitWords | None = None

    def sentence(self) -> Sentence | Problem:
        try:
            return self._sentence()
        except _Unreadable as unreadable:
            return unreadable.problem

    def _sentence(self) -> Sentence:
        if not self._tokens and self._has_blank:
            return Sentence(Verb.NOTHING)
        if not self._tokens:
            raise self._problem("no_order", 0, self._length)
        first = self._verb_first()
        if first is not None:
            return first
        self._unit = self._read_unit()
        start = self._at
        word = self._peek()
        if word is None:
            if self._has_blank:
                return Sentence(Verb.NOTHING, self._unit)
            raise self._problem("no_verb", self._unit.start, self._end_of(self._at - 1))
        if word == "/":
            self._at += 1
            word = self._peek()
        if word in _TO and word is not None:
            return self._move(start)
        verb = VERBS.get(word or "")
        if verb is None:
            if word in _VIA or self._is_name():
                return self._move(start)
            raise self._problem("unknown_verb", *self._span(self._at, self._at + 1), words=self._original(self._at))
        self._at += 1
        return self._after_verb(verb, start)

    # What may begin a sentence

    def _verb_first(self) -> Sentence | None:
        """`BUILD F STP/NC`, `REMOVE A BER`, `WAIVE 2`, `move BUD to SER`; nothing where a unit comes first."""
        verb = _FIRST_VERBS.get(self._words[0])
        if verb is None or self._words[0] in _TO:
            return None
        if verb is Verb.WAIVE:
            return self._waive()
        is_letter = len(self._words[0]) == 1
        rest = self._words[1] if len(self._words) > 1 else ""
        if verb not in (Verb.BUILD, Verb.DISBAND, Verb.RETREAT, Verb.HOLD, Verb.MOVE):
            return None
        if is_letter and (rest not in KINDS and not self._is_name(1)):
            return None
        self._at = 1
        if verb is Verb.BUILD and self._peek() == "a" and self._peek(1) in KINDS:
            self._at += 1
        if self._peek() in (None, "-") and verb in (Verb.BUILD, Verb.DISBAND) and self._has_blank:
            return Sentence(Verb.NOTHING)
        self._unit = self._read_unit()
        if verb is Verb.MOVE or (verb is Verb.RETREAT and self._peek() is not None):
            sentence = self._destination(verb, 0, 1)
        else:
            # "R A BER": remove.
            verb = Verb.DISBAND if verb is Verb.RETREAT else verb
            sentence = Sentence(verb, self._unit, verb_start=self._tokens[0].start, verb_end=self._tokens[0].end)
        self._finish()
        return sentence

    def _waive(self) -> Sentence:
        self._at = 1
        if self._peek() in ("build", "builds", "a"):
            self._at += 1
        number = 1
        word = self._peek()
        written = _NUMBERS.get(word or "") or number_of(word, most=_MOST_WAIVED)
        if written is not None:
            number = written or 1
            self._at += 1
        while self._peek() in ("a", "build", "builds"):
            self._at += 1
        self._finish()
        return Sentence(Verb.WAIVE, number=number, verb_start=self._tokens[0].start, verb_end=self._tokens[0].end)

    # What a unit does

    def _after_verb(self, verb: Verb, start: int) -> Sentence:
        if verb is Verb.MOVE:
            self._at = start
            return self._move(start)
        if verb is Verb.RETREAT:
            sentence = self._destination(verb, start, start + 1)
        elif verb in (Verb.SUPPORT, Verb.CONVOY):
            sentence = self._help(verb, start)
        elif verb is Verb.WAIVE:
            raise self._problem("unknown_verb", *self._span(start, start + 1), words=self._original(start))
        else:
            sentence = self._plain(verb, start)
            while verb is Verb.HOLD and self._peek() in ("position", "ground", "still", "its"):
                self._at += 1
        self._finish()
        return sentence

    def _plain(self, verb: Verb, start: int) -> Sentence:
        first, last = self._span(start, self._at)
        return Sentence(verb, self._unit, verb_start=first, verb_end=last)

    def _move(self, start: int) -> Sentence:
        while self._peek() in VERBS and VERBS[self._words[self._at]] is Verb.MOVE:
            self._at += 1
        sentence = self._destination(Verb.MOVE, start, self._at)
        self._finish()
        return sentence

    def _destination(self, verb: Verb, start: int, end: int) -> Sentence:
        """Where to, with all places named on the way, and `via convoy` before or after."""
        via, passed = self._read_via()
        self._skip_to()
        names = [*passed]
        if self._peek() is not None or not names:
            names.append(self._read_name(self._unit))
        while self._peek() in _TO:
            self._skip_to()
            names.append(self._read_name(self._unit))
        later, more = self._read_via()
        first, last = self._span(start, max(end, start + 1))
        through = (*names[:-1], *more)
        return Sentence(
            verb,
            self._unit,
            to=names[-1],
            through=through,
            via=via or later or bool(through),
            verb_start=first,
            verb_end=last,
        )

    def _help(self, verb: Verb, start: int) -> Sentence:
        """A unit, and where it goes; or that it stays."""
        first, last = self._span(start, self._at)
        if (
            self._peek() in VERBS
            and VERBS[self._words[self._at]] in (Verb.MOVE, Verb.HOLD)
            and len(self._words[self._at]) > 1
        ):
            self._at += 1
        of = self._read_unit()
        to: Name | None = None
        if VERBS.get(self._peek() or "") is Verb.HOLD:
            self._at += 1
        elif self._peek() == "to" and VERBS.get(self._peek(1) or "") is Verb.HOLD:
            self._at += 2
        elif self._peek() is not None:
            self._read_via()
            while VERBS.get(self._peek() or "") is Verb.MOVE or self._peek() in _TO:
                self._at += 1
            to = self._read_name(self._unit)
            while self._peek() in _TO:
                self._skip_to()
                to = self._read_name(self._unit)
            self._read_via()
        elif verb is Verb.CONVOY:
            raise self._problem("no_destination", of.start, of.name.end)
        return Sentence(verb, self._unit, of, to, verb_start=first, verb_end=last)

    # Parts

    def _read_unit(self) -> UnitWords:
        """`A BUD`, `BUD`, `the Austrian army in Budapest`; a nationality is ignored (DATC 4.C.6)."""
        first = self._at
        self._skip(_FILLERS)
        self._skip_power()
        self._skip(_FILLERS)
        kind = KINDS.get(self._peek() or "")
        if kind is not None:
            self._at += 1
            self._skip(_FILLERS)
        place = self._read_name(None)
        return UnitWords(kind, place, self._tokens[min(first, len(self._tokens) - 1)].start)

    def _skip_power(self) -> None:
        """Skips `Austrian`, `Austria's`, `Austria`."""
        powers = self._language.powers
        for length in (3, 2, 1):
            words = self._words[self._at : self._at + length]
            name = " ".join(words)
            if self._language.is_place(words) and self._peek(length) not in KINDS:
                continue
            if name in powers or name.removesuffix("s") in powers:
                self._at += length
                return

    def _read_name(self, unit: UnitWords | None) -> Name:
        self._skip(_FILLERS)
        if unit is not None and self._peek() in KINDS and not self._is_exact(self._at):
            # "A BUD - A SER": the letter says nothing new.
            self._at += 1
        first = self._at
        if first >= len(self._tokens):
            raise self._problem("no_place", self._length, self._length)
        end, provinces, others = self._find_name(first)
        if end == first:
            raise self._problem("no_place", *self._span(first, first + 1))
        self._at = end
        words = tuple(self._words[first:end])
        coast = self._read_coast()
        start, stop = self._span(first, self._at)
        return Name(start, stop, words, provinces, coast, others)

    def _find_name(self, first: int) -> tuple[int, tuple[ProvinceId, ...], tuple[ProvinceId, ...]]:
        """The longest name, exact or by the beginnings of its words; otherwise all words up to one that ends a name."""
        gazetteer = self._language.gazetteer
        exact_end, exact = gazetteer.match(self._words, first)
        end = max(first, exact_end)
        while end < min(len(self._words), first + _LONGEST_NAME) and not self._is_stop(end, first):
            end += 1
        for stop in range(end, exact_end, -1):
            provinces = gazetteer.beginning(self._words[first:stop])
            if provinces:
                return stop, provinces, ()
        if not exact:
            return end, (), ()
        is_id = exact_end == first + 1 and self._words[first].upper() in exact
        others = () if is_id else gazetteer.beginning(self._words[first:exact_end])
        return exact_end, exact, tuple(province for province in others if province not in exact)

    def _read_coast(self) -> str | None:
        word = self._peek()
        if word == "/":
            inner = self._peek(1) or ""
            coast = _COASTS.get(inner) or _COAST_LETTERS.get(inner)
            if coast is None:
                return None
            self._at += 2
            if self._peek() in ("coast", "c"):
                self._at += 1
            return coast
        if word == "-" and self._peek(1) in ("nc", "sc", "ec", "wc"):
            self._at += 2
            return _COASTS[self._words[self._at - 1]]
        if word in ("nc", "sc", "ec", "wc"):
            self._at += 1
            return _COASTS[word]
        if word in _COASTS and self._peek(1) == "coast":
            self._at += 2
            return _COASTS[word]
        return None

    def _read_via(self) -> tuple[bool, list[Name]]:
        """`via convoy`, `by sea`, `via NTH`; also in brackets."""
        if self._peek() == "/":
            if self._peek(1) not in _VIA:
                return False, []
            self._at += 1
        if self._peek() not in _VIA:
            return False, []
        self._at += 1
        while self._peek() in _VIA_WORDS and not (self._peek() == "a" and self._is_name(self._at + 1)):
            self._at += 1
        names: list[Name] = []
        while self._peek() is not None and self._peek() not in _TO and self._is_name():
            names.append(self._read_name(None))
            if self._peek() in _TO:
                break
        return True, names

    def _finish(self) -> None:
        """Nothing may be left but an explanation in brackets that changes nothing."""
        if self._peek() == "/" and self._at == len(self._words) - 1:
            return
        if self._peek() is not None:
            start, end = self._span(self._at, len(self._words))
            raise self._problem("left_over", start, end, words=self._original(self._at, len(self._words)))

    # Words

    def _peek(self, ahead: int = 0) -> str | None:
        index = self._at + ahead
        return self._words[index] if index < len(self._words) else None

    def _skip(self, words: Collection[str]) -> None:
        while self._peek() in words and not self._is_exact(self._at):
            self._at += 1

    def _skip_to(self) -> None:
        while self._peek() in _TO:
            self._at += 1

    def _is_exact(self, index: int) -> bool:
        return index < len(self._words) and self._language.gazetteer.match(self._words, index)[0] > index

    def _is_name(self, index: int | None = None) -> bool:
        index = self._at if index is None else index
        return self._is_exact(index) or (
            index < len(self._words) and bool(self._language.gazetteer.beginning(self._words[index : index + 1]))
        )

    def _is_stop(self, index: int, first: int) -> bool:
        word = self._words[index]
        if word in ("-", "/") or word in _VIA:
            return True
        return index > first and (word in VERBS or word in KINDS or word in ("nc", "sc", "ec", "wc"))

    def _span(self, first: int, end: int) -> tuple[int, int]:
        if first >= len(self._tokens):
            return self._length, self._length
        return self._tokens[first].start, self._tokens[min(end, len(self._tokens)) - 1].end

    def _end_of(self, index: int) -> int:
        return self._tokens[index].end

    def _original(self, first: int, end: int | None = None) -> str:
        return " ".join(self._words[first : first + 1 if end is None else end])[:40]

    def _problem(self, code: str, start: int, end: int, **args: object) -> _Unreadable:
        return _Unreadable(Problem(code, start, end, args, self._unit))
