"""What comes next in an order of Kregen as it was written: words, kinds of units, sectors, powers, lists of units."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from engine.core.gazetteer import gazetteer_of
from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.core.words import Token, plain_words, tokens_of
from engine.kregen.land import land_of
from engine.kregen.model import ARMY, FLEET, HERO, Unit, View
from engine.provinces.orders import Kind
from engine.provinces.phases import PhaseKind

MOST_HINTS = 3
KINDS = {
    "a": ARMY, "army": ARMY, "f": FLEET, "fleet": FLEET, "ff": FLEET, "fleets": FLEET, "h": HERO, "hero": HERO,
}  # fmt: skip
PAIR = frozenset({"ff", "fleets"})
_STEP_WORDS = frozenset({"-", ",", "/", ":", "s", "c", "h", "with", "aid", "and", "…"})
DISBAND = ("d", "disband", "disbands")


_FILLERS = frozenset({"the", "in", "at", "from"})
"""Words that people write between a unit and its place: `army in Zulfiria`."""


class UnreadableOrder(Exception):
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


class Reader:
    """An order as written, cut into its tokens; `comma` stands between the segments.

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

    def word(self, ahead: int = 0) -> str:
        """The word that comes next; empty at the end."""
        index = self.position + ahead
        return self.tokens[index].word if index < len(self.tokens) else ""

    def token(self) -> Token | None:
        """The token that comes next."""
        return self.tokens[self.position] if self.position < len(self.tokens) else None

    def skip(self, *words: str) -> bool:
        """Pass over the next word if it is one of these; returns whether it was."""
        if self.word() in words:
            self.position += 1
            return True
        return False

    def kind(self) -> Kind | None:
        """The kind of unit that is named next; `None`, and nothing is passed over, if none is."""
        # A single letter may also be a name; it is a kind if a name follows it.
        if self.word() in KINDS and (len(self.word()) > 2 or self.place_at(self.position + 1)[1] or self._is_lone()):
            self.position += 1
            kind = KINDS[self.tokens[self.position - 1].word]
            while self.word() in _FILLERS and not self.place_at(self.position)[1]:
                self.position += 1
            return kind
        return None

    def _is_lone(self) -> bool:
        """Whether the letter here is no name, and a word that is none either follows it."""
        return not self.gazetteer.match([self.word()], 0)[1] and self.word(1) not in ("", *_STEP_WORDS)

    def place_at(self, start: int) -> tuple[int, tuple[ProvinceId, ...]]:
        """Where the name that begins at a token ends, and the sectors that it may mean; none: there is no name."""
        words = [token.word for token in self.tokens]
        if start >= len(words):
            return start, ()
        end, found = self.gazetteer.match(words, start)
        if found and not (end == start + 1 and len(words[start]) == 1 and words[start] in KINDS):
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
        """The sector that is named next.

        Raises:
            UnreadableOrder: none is, or several could be meant.
        """
        token = self.token()
        if token is None or token.word in ("-", ",", ":"):
            raise UnreadableOrder("place_missing", token)
        end, found = self.place_at(self.position)
        if not found:
            near = self.gazetteer.near([token.word])[:MOST_HINTS]
            before, after = self.text[: token.start], self.text[token.end :]
            hints = [f"{before}{place}{after}".strip() for place in near]
            raise UnreadableOrder("unknown_province", token, hints=hints, words=self.text[token.start : token.end])
        if len(found) > 1:
            raise UnreadableOrder("ambiguous_province", token, words=token.word, meanings=found)
        self.position = end
        return found[0]

    def place(self) -> PlaceId:
        """The same with its coast, if one is named."""
        sector = self.sector()
        if self.word() == "/" and f"{sector}/{self.word(1).upper()}" in self.board.provinces[sector].coasts:
            place = PlaceId(f"{sector}/{self.word(1).upper()}")
            self.position += 2
            return place
        return PlaceId(sector)

    def power(self) -> PowerId:
        """The power that is named next.

        Raises:
            UnreadableOrder: none is.
        """
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
            raise UnreadableOrder("power_missing", hints=hints)
        near = get_close_matches(token.word, allies, MOST_HINTS) or allies[:MOST_HINTS]
        hints = [f"{self.text[: token.start]}{power}{self.text[token.end :]}" for power in near]
        raise UnreadableOrder("unknown_power", token, hints=hints, words=token.word)

    def _allies(self) -> list[PowerId]:
        """The other powers that this one may help."""
        viewer, is_holy = self.view.viewer, self.state.options["holy_war"]
        powers = [power for power in self.state.variant.powers if power != viewer]
        return [p for p in powers if viewer is None or not is_holy or land_of(self.state.variant).may_help(viewer, p)]

    def kind_and_place(self, before: Kind | None = None) -> tuple[Kind, PlaceId]:
        """The unit that is named next; one without a kind is of the kind `before`.

        Raises:
            UnreadableOrder: no kind or no place is named.
        """
        kind = self.kind() or before
        if kind is None:
            raise UnreadableOrder("kind_missing", self.token())
        return kind, self.place()

    def unit_list(self) -> list[tuple[Kind, PlaceId]]:
        """`A ZIM, FF ZY, F ZUL`; a kind holds for what follows it."""
        found: list[tuple[Kind, PlaceId]] = []
        while True:
            count = 2 if self.word() in PAIR else 1
            found += [self.kind_and_place(found[-1][0] if found else None)] * count
            if not self.skip(",", "and"):
                return found

    def own_units(self) -> list[Unit]:
        """The viewer's units, of the dislodged if retreats are to be ordered."""
        rows = [row.unit for row in self.state.dislodged]
        units = rows if self.state.phase.kind is PhaseKind.RETREATS else [*self.state.units, *rows]
        return [unit for unit in units if self.view.viewer in (unit.power, None)]

    def has_unit(self, kind: Kind, at: ProvinceId) -> bool:
        """Whether such a unit is one of these."""
        return any((unit.kind, unit.sector) == (kind, at) for unit in self.own_units())

    def standing(self, kind: Kind, at: PlaceId) -> PlaceId:
        """The place with its coast, if such a unit is there."""
        return next((u.at for u in self.own_units() if u.kind == kind and u.sector == province_of(at)), at)


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
