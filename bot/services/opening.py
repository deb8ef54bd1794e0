"""Sets a game up again, from what it was created with and its seed, and compares the position with the stored one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from bot.model import Game, PhaseRecord, Seat
from bot.services.acts import History, made_again
from bot.services.course import RULES_VERSION
from bot.services.errors import Refused
from bot.services.lobby import draw_powers
from bot.services.seeds import seed_of
from bot.services.setup import start_state
from engine.core.errors import DocumentError
from engine.registry import AnySystem


class Opening(StrEnum):
    """How the first position of a game compares with the one that can be made again."""

    SAME = "same"
    EDITED = "edited"
    """The same after the changes that a game master made, and that were announced, before the first phase closed."""
    LOST = "lost"
    """Its seed is not kept: the game went on with another one before its first phase was closed. Source: seeds.py"""
    OLDER = "older"
    """An earlier version of the rules set it up, and today's rules do it differently."""
    OTHER = "other"
    """It is another position."""
    DEALT = "dealt"
    """The position is the same, but the powers were assigned differently from what the seed gives."""


@dataclass(frozen=True, slots=True)
class _First:
    """The first position that is stored.

    Args:
        phase_no: 1, unless the game went on with another seed before its first phase was closed.
        version: of the rules that closed the first phase; `None` while it is open.
    """

    phase_no: int
    document: Mapping[str, Any]
    version: str | None


def compare_opening(
    rules: AnySystem, game: Game, seats: Sequence[Seat], records: Sequence[PhaseRecord], history: History
) -> Opening:
    """Set the game up again and check whether it begins as it did.

    In games from before there were acts, what a game master chose in secret is taken from the stored position.

    Args:
        game: one that has begun, with its document and its scenario.
        records: all its closed phases, in order.
        history: what was done to it between closings.
    """
    first = _first(game, records)
    if first.phase_no > 1:
        return Opening.LOST
    stored = rules.play.load(first.document)
    seed = seed_of(first.document)
    acts = history.of_phase(game, first.phase_no)
    try:
        begun = start_state(rules, game, seed=seed)
        again = made_again(rules, begun, acts)
        # Powers were drawn in the order of joining, whatever order seats are told in.
        places = rules.play.status(begun).places
        seats = sorted((seat for seat in seats if seat.power not in places), key=lambda seat: seat.number)
        dealt = draw_powers(rules, begun, seats, seed=seed)
    except (Refused, DocumentError):
        # Today's rules don't take what those of then took.
        return _otherwise(first)
    if rules.secret_choice and not game.has_acts:
        again = rules.secret_choice.as_in(again, stored)
    if as_json(rules.play.dump(again)) != as_json(rules.play.dump(stored)):
        return _otherwise(first)
    if [seat.power for seat in dealt] != [seat.power for seat in seats]:
        return Opening.DEALT
    return Opening.EDITED if any(act.kind.is_announced for act in acts) else Opening.SAME


def _first(game: Game, records: Sequence[PhaseRecord]) -> _First:
    if records:
        return _First(records[0].phase_no, records[0].start, records[0].rules_version)
    assert game.document is not None, "a game that has begun has a position"
    return _First(game.phase_no, game.document, None)


def _otherwise(first: _First) -> Opening:
    return Opening.OTHER if first.version in (None, RULES_VERSION) else Opening.OLDER


def as_json(value: Any) -> Any:
    """A value as it comes back from JSON, where tuples are lists: for comparing it with a stored one."""
    return json.loads(json.dumps(value))
