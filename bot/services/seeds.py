"""Where a game's dice came from: one secret seed, until a rollback or an import lets it go on with another.

A seed becomes public when the game is over; from then on nothing more may be drawn from it. A new one begins after a
number that no closed phase has: each rollback leaves one out.

Nobody chooses a game's first seed. It is made of three things, one after the other and separated by `|`: the bot's
secret, whose fingerprint is posted with the call for players, before any of the rest is there; the number of the
public message that says that the game begins, which Discord gives when all words are in; and the players' words.

Nor does anybody choose a later one. The bot's secrets are a chain, made at once when the game is created: each is the
fingerprint of the next. So the one fingerprint that was posted fixes all of them, and a published secret shows that
the next one is right. A later seed is the next secret and the number of the public message about the rollback.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from itertools import groupby, pairwise
from typing import Any

from bot.model import Game, GameStatus, PhaseRecord, Seat
from bot.services.errors import refused
from engine.core.dice import seal
from engine.core.words import number_of
from engine.registry import AnySystem


@dataclass(frozen=True, slots=True)
class SeedSpan:
    """Phases that followed one another, and the seed of their dice: secret as long as it has not been told.

    Args:
        first_code: of the first of the phases; it may be the present one.
        records: those of them that are closed, undone ones too.
        is_public: the game was over with these phases behind it, so everybody may know the seed.
    """

    seed: str
    first_code: str
    records: tuple[PhaseRecord, ...]
    is_public: bool

    @property
    def seal(self) -> str:
        """The fingerprint that was announced before the first of these phases could be closed."""
        return seal(self.seed)


PART = "|"
"""Between the parts of a seed."""
_UNKNOWN = "-"
LONGEST_WORD = 40
_MARKS = frozenset(" -.")


@dataclass(frozen=True, slots=True)
class SeedParts:
    """What a seed is made of.

    Args:
        secret: the bot's.
        message_id: of the public message with which the game began; `None`: it could not be posted.
        words: the players', in the order in which they joined.
    """

    secret: str
    message_id: int | None
    words: tuple[str, ...]

    @property
    def seal(self) -> str:
        """The fingerprint of the secret alone, which was posted with the call for players."""
        return seal(self.secret)

    def __str__(self) -> str:
        if self.message_id is None and not self.words:
            return self.secret
        number = _UNKNOWN if self.message_id is None else str(self.message_id)
        return PART.join((self.secret, number, *self.words))


LINKS = 500
"""Secrets in a chain: how often a game may get new dice before it needs another chain."""


@lru_cache(maxsize=64)
def chain_to(last_link: str) -> tuple[str, ...]:
    """The secrets of the chain that ends with this one, in the order of their use: each is the next one's seal."""
    links = [last_link]
    while len(links) < LINKS:
        links.append(seal(links[-1]))
    return tuple(reversed(links))


def with_chain(game: Game, last_link: str) -> Game:
    """A game that has not begun, with the secrets for its first seed and all later ones."""
    return replace(game, own_seed=chain_to(last_link)[0], last_link=last_link)


class Origin(StrEnum):
    """Where the secret in a seed came from."""

    FIRST = "first"
    """It is the game's first; the call for players published its seal, if it has parts."""
    NEXT = "next"
    """It is the next one of the chain: its seal is the secret before it."""
    NEW = "new"
    """It begins another chain; its seal was posted before the rest of the seed was there."""
    ALONE = "alone"
    """The bot drew it alone when it was needed, in games from before there were chains."""
    BROKEN = "broken"
    """It is not the one that the chain has: the record was changed."""


def origins(game: Game, seeds: Sequence[str]) -> tuple[Origin, ...]:
    """Where the secrets of a game's seeds came from, in order."""
    chain = chain_to(game.last_link) if game.last_link is not None else ()
    secrets = tuple(map(secret_of, seeds))
    found = [Origin.FIRST] * min(1, len(secrets))
    has_chain = secrets[:1] == chain[:1]
    for before, secret in pairwise(secrets):
        if seal(secret) == before:
            origin = Origin.NEXT
        elif secret in chain[:1]:
            origin = Origin.NEW
        else:
            origin = Origin.BROKEN if has_chain else Origin.ALONE
        has_chain = has_chain or origin is not Origin.ALONE
        found.append(origin)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class NextSecret:
    """The secret for the next seed of a game.

    Args:
        last_link: the end of its chain, to be kept with the game.
        is_fixed: it follows from a seal published before; else its own has to be published before the seed is made.
    """

    secret: str
    last_link: str
    is_fixed: bool


def next_secret(game: Game, seeds: Sequence[str], draw: Callable[[], str]) -> NextSecret:
    """The secret that follows those of a game's seeds; where no chain has any left, the first of a new one.

    Args:
        draw: a new secret; called if there is no chain.
    """
    used = set(map(secret_of, seeds))
    if game.last_link is not None:
        chain = chain_to(game.last_link)
        place = max((place for place, link in enumerate(chain) if link in used), default=-1) + 1
        if place < len(chain):
            return NextSecret(chain[place], game.last_link, is_fixed=place > 0)
    last = draw()
    return NextSecret(chain_to(last)[0], last, is_fixed=False)


def secret_of(seed: str) -> str:
    """The bot's part of a seed."""
    return seed.partition(PART)[0]


def later_seed(secret: str, message_id: int | None) -> str:
    """The seed made of a later secret and the number of the message that announced it, if that was posted.

    Never the bare secret: the fingerprint of a seed is told, and that of a secret is the one before it.
    """
    return PART.join((secret, _UNKNOWN if message_id is None else str(message_id)))


def parts_of(seed: str) -> SeedParts | None:
    """What a seed was made of; `None` for one that the bot drew alone.

    It did so in 0.1.0, for new dice before there were chains, for copies of games, and where no message could be posted
    and nobody gave a word.
    """
    secret, *rest = seed.split(PART)
    if not rest:
        return None
    number, *words = rest
    return SeedParts(secret, number_of(number, most=2**64), tuple(words))


def read_word(text: str) -> str:
    """A player's word for the seed, of letters, digits, blanks, `-` and `.`: so that everybody can type the seed again.

    Raises:
        Refused: nothing is left of it, or too much.
    """
    plain = "".join(sign if sign.isalnum() or sign in _MARKS else " " for sign in unicodedata.normalize("NFC", text))
    word = " ".join(plain.split())
    if not word:
        raise refused("word_missing")
    if len(word) > LONGEST_WORD:
        raise refused("word_too_long", most=LONGEST_WORD)
    return word


def words_of_seats(seats: Iterable[Seat]) -> tuple[str, ...]:
    """The words given for the seed, in the order of joining."""
    return tuple(seat.word for seat in sorted(seats, key=lambda seat: seat.number) if seat.word)


def seed_of(document: Mapping[str, Any]) -> str:
    """The seed in a position's document."""
    return str(document["seed"])


def with_seed(document: Mapping[str, Any], seed: str) -> dict[str, Any]:
    """The same position, with dice to come from another seed. What was drawn or dealt before stays."""
    return {**document, "seed": seed}


def seed_spans(rules: AnySystem, game: Game, records: Sequence[PhaseRecord]) -> tuple[SeedSpan, ...]:
    """A game's seeds in order; the last is the present one.

    The seed of a span is the one at its end: that one was told, or is still in use. A record in it that began with
    another is not as it was played.

    Args:
        game: one that has begun, with its document.
        records: all its closed phases, in order.
    """
    assert game.document is not None, "a game that has begun has a position"
    parts = _between_gaps(records, game.phase_no)
    seeds = [*(seed_of(part[-1].end) for part in parts[:-1]), seed_of(game.document)]
    ends = [rules.play.status(rules.play.load(part[-1].end)).winners is not None for part in parts[:-1]]
    ends.append(game.status is GameStatus.OVER)
    spans = []
    for seed, group in groupby(range(len(parts)), key=seeds.__getitem__):
        numbers = tuple(group)
        closed = tuple(record for number in numbers for record in parts[number])
        first_code = closed[0].code if closed else game.phase_code
        spans.append(SeedSpan(seed, first_code, closed, is_public=any(ends[numbers[0] :])))
    return tuple(spans)


def _between_gaps(records: Sequence[PhaseRecord], phase_no: int) -> list[list[PhaseRecord]]:
    """The records, divided where a number has none; last those that led to the present phase, which may be none."""
    parts: list[list[PhaseRecord]] = [[]]
    for record in records:
        if parts[-1] and record.phase_no != parts[-1][-1].phase_no + 1:
            parts.append([])
        parts[-1].append(record)
    if parts[-1] and phase_no != parts[-1][-1].phase_no + 1:
        parts.append([])
    return parts
