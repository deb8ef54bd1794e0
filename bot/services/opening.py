"""Sets a game up again, from what it was created with and its seed, and compares the position with the stored one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from bot.model import Game, PhaseRecord, Seat
from bot.services.deeds import EDITED, Deed, changed_state
from bot.services.errors import Refused
from bot.services.lobby import draw_powers
from bot.services.seeds import seed_of
from bot.services.setup import start_state
from bot.services.turns import RULES_VERSION
from engine.core.errors import DocumentError
from engine.registry import AnySystem


class Opening(StrEnum):
    """How the first position of a game compares with the one that can be made again."""

    SAME = "same"
    EDITED = "edited"
    """The same after the changes that a game master made, and everybody was told of, before the first phase closed."""
    LOST = "lost"
    """Its seed is not kept: the game went on with another one before its first phase was closed. Source: seeds.py"""
    OLDER = "older"
    """An earlier version of the rules set it up, and today's do so otherwise."""
    OTHER = "other"
    """It is another position."""
    DEALT = "dealt"
    """The position is the same, but the powers were dealt otherwise than the seed deals them."""


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
    rules: AnySystem, game: Game, seats: Sequence[Seat], records: Sequence[PhaseRecord], deeds: Sequence[Deed]
) -> Opening:
    """Set the game up again and see whether it begins as it began.

    Cards that a game master hid in secret are taken from the stored position: where they lie is nobody's lot.

    Args:
        game: one that has begun, with its document and its scenario.
        records: all its closed phases, in order.
        deeds: all that its game masters did, in order.
    """
    first = _first(game, records)
    if first.phase_no > 1:
        return Opening.LOST
    stored = rules.play.load(first.document)
    seed = seed_of(first.document)
    edits = tuple(deed for deed in deeds if deed.code == EDITED and deed.phase_no == first.phase_no)
    try:
        begun = start_state(rules, game, seed=seed)
        again = changed_state(rules, begun, edits)
        dealt = draw_powers(rules, begun, seats, seed=seed)
    except (Refused, DocumentError):
        # Today's rules don't take what those of then took.
        return _otherwise(first)
    if rules.hiding:
        again = rules.hiding.hide_as(again, stored)
    if _plain(rules.play.dump(again)) != _plain(rules.play.dump(stored)):
        return _otherwise(first)
    if [seat.power for seat in dealt] != [seat.power for seat in seats]:
        return Opening.DEALT
    return Opening.EDITED if edits else Opening.SAME


def _first(game: Game, records: Sequence[PhaseRecord]) -> _First:
    if records:
        return _First(records[0].phase_no, records[0].start, records[0].rules_version)
    assert game.document is not None, "a game that has begun has a position"
    return _First(game.phase_no, game.document, None)


def _otherwise(first: _First) -> Opening:
    return Opening.OTHER if first.version in (None, RULES_VERSION) else Opening.OLDER


def _plain(document: Mapping[str, Any]) -> Any:
    """As JSON has it: there tuples are lists."""
    return json.loads(json.dumps(document))
