"""The parts of an exported game as JSON, and back. Times are ISO 8601 in UTC, numbers of games are left out.

`bot.schemas` knows how values are written; here is what exports leave out, and what is checked of what strangers write.
Reading raises `ValueError`, which names the field, for what is none of ours; for results and events `KeyError`,
`TypeError` or `AttributeError` too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime, timedelta
from typing import Any, TypeVar

from bot.model import Act, Ballot, Game, PhaseRecord, Proposal, Scenario, Seat, StoredSheet, Trouble
from bot.schemas import ACTS, BALLOTS, GAMES, PROPOSALS, RECORDS, SEATS, SHEETS, Schema
from bot.services.interventions import Intervention
from engine.core.ids import PowerId
from engine.core.json_text import is_text

_T = TypeVar("_T")

_INTERVENTIONS = Schema(Intervention)

_LARGEST_ID, _LARGEST_NUMBER = 2**63 - 1, 2**31 - 1
_NO_GAME = {"game_id": 0}
_OF_DATABASE = {
    "id": 0,
    "has_numbered_buttons": False,
    "phase_title": None,
    "trouble": Trouble.NONE,
    "failures": 0,
    "retry_at": None,
}
"""The fields of a game that each database keeps for itself."""


def game_to_json(game: Game) -> dict[str, Any]:
    """A game with its present position and the scenario that it started from, except how posting goes."""
    return GAMES.write(game, but=_OF_DATABASE)


def game_from_json(data: Mapping[str, Any]) -> Game:
    """The game of such a form; it has no number before it is stored."""
    return _read(GAMES, data, _OF_DATABASE)


def seat_to_json(seat: Seat) -> dict[str, Any]:
    """A seat, except whether direct messages reach its player."""
    return SEATS.write(seat, but={"game_id", "dms_closed"})


def seat_from_json(data: Mapping[str, Any]) -> Seat:
    """The seat of such a form; whether direct messages reach the player is found out anew."""
    return _read(SEATS, data, {**_NO_GAME, "dms_closed": False})


def sheet_to_json(sheet: StoredSheet) -> dict[str, Any]:
    """A sheet; the key under which it is written says whose it is."""
    return SHEETS.write(sheet, but={"game_id", "power"})


def sheet_from_json(data: Mapping[str, Any], power: PowerId) -> StoredSheet:
    """The sheet of such a form."""
    return _read(SHEETS, data, {**_NO_GAME, "power": power})


def record_to_json(record: PhaseRecord) -> dict[str, Any]:
    """A closed phase with its sheets."""
    sheets = {power: sheet_to_json(sheet) for power, sheet in sorted(record.sheets.items())}
    return RECORDS.write(record, but={"game_id", "sheets"}) | {"sheets": sheets}


def record_from_json(data: Mapping[str, Any]) -> PhaseRecord:
    """The closed phase of such a form."""
    sheets = {power: sheet_from_json(row, PowerId(power)) for power, row in data["sheets"].items()}
    return _read(RECORDS, data, {**_NO_GAME, "sheets": sheets})


def ballot_to_json(ballot: Ballot) -> dict[str, Any]:
    """A vote, without the game that it belongs to."""
    return BALLOTS.write(ballot, but={"game_id"})


def ballot_from_json(data: Mapping[str, Any]) -> Ballot:
    """The vote of such a form."""
    return _read(BALLOTS, data, _NO_GAME)


def proposal_to_json(proposal: Proposal) -> dict[str, Any]:
    """What is voted on."""
    return PROPOSALS.write(proposal, but={"game_id"})


def proposal_from_json(data: Mapping[str, Any]) -> Proposal:
    """The proposal of such a form."""
    return _read(PROPOSALS, data, _NO_GAME)


def act_to_json(act: Act) -> dict[str, Any]:
    """What changed a position between closings."""
    return ACTS.write(act, but={"game_id"})


def act_from_json(data: Mapping[str, Any]) -> Act:
    """The act of such a form."""
    return _read(ACTS, data, _NO_GAME)


def intervention_to_json(intervention: Intervention) -> dict[str, Any]:
    """Something that a game master did."""
    return _INTERVENTIONS.write(intervention)


def intervention_from_json(data: Mapping[str, Any]) -> Intervention:
    """The intervention of such a form."""
    return _read(_INTERVENTIONS, data)


def _read(schema: Schema[_T], data: Mapping[str, Any], more: Mapping[str, Any] | None = None) -> _T:
    value = schema.read({**data, **(more or {})})
    for field in fields(value):  # type: ignore[arg-type]
        _require_storable(field.name, getattr(value, field.name))
    return value


def _require_storable(name: str, value: object) -> None:
    """Check that a column of any database can hold the value. JSON has columns of its own, which hold anything."""
    match value:
        case datetime() if value.utcoffset() != timedelta():
            raise ValueError(f"{name}: {value} is not in UTC")
        case int() if not 0 <= value <= (_LARGEST_ID if name.endswith("_id") else _LARGEST_NUMBER):
            raise ValueError(f"{name}: {str(value)[:40]} is no number that it can be")
        case str() if not is_text(value):
            raise ValueError(f"{name}: holds what is no character")
        case Scenario():
            for field in fields(value):
                _require_storable(f"{name}.{field.name}", getattr(value, field.name))
