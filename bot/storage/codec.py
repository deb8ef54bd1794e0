"""Domain values to column values, and rows back to domain values. Between the repositories and the tables.

`bot.schemas` knows how values are written. Here is what the tables store differently: moments in columns of their own
kind, long texts and documents apart, and names that differ.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, TypeVar

from bot.model import Act, Ballot, Game, Mailbox, Outgoing, PhaseRecord, Proposal, Seat, StoredSheet
from bot.schemas import ACTS, BALLOTS, GAMES, MAILBOXES, MESSAGES, PROPOSALS, RECORDS, SEATS, SHEETS, Schema
from bot.storage.tables import (
    ActRow,
    BallotRow,
    GameRow,
    MailboxRow,
    OutboxRow,
    PhaseRow,
    ProposalRow,
    Row,
    SeatRow,
    SheetRow,
)

T = TypeVar("T")

Columns = dict[str, Any]
"""Column values by name."""

_OF_PHASE = frozenset(
    {"document", "phase_no", "phase_code", "phase_title", "opened_at", "deadline_at", "remind_at", "time_left_s"}
)
_OF_TOKEN = frozenset({"token", "has_numbered_buttons"})
_OF_SHEET_IN_RECORD = frozenset({"typed", "orders", "version", "accepted_at"})


def game_columns(game: Game) -> Columns:
    """What a game is, apart from what names it, its scenario and its present phase."""
    return _columns(GAMES, game, but={"id", "scenario", *_OF_PHASE, *_OF_TOKEN})


def phase_columns(game: Game) -> Columns:
    """The present phase of a game: the columns that only `advance` writes."""
    return _columns(GAMES, game, but=GAMES.names - _OF_PHASE)


def token_columns(game: Game) -> Columns:
    """What names a game in buttons: columns that only `add` writes."""
    return _columns(GAMES, game, but=GAMES.names - _OF_TOKEN)


def scenario_columns(game: Game) -> Columns:
    """What a game starts from: the columns that only `add` writes. The long text has one of its own."""
    facts = _columns(GAMES, game, but=GAMES.names - {"scenario"})["scenario"]
    return {"scenario": facts, "scenario_text": None if facts is None else facts.pop("text")}


def game_from(row: GameRow, *, document: Mapping[str, Any] | None, scenario_text: str | None) -> Game:
    """The game of a row, with the document and the scenario's text that the caller wants it to have."""
    scenario = None if row.scenario is None else {**row.scenario, "text": scenario_text}
    return GAMES.read({**_values(GAMES, row, but={"document"}), "document": document, "scenario": scenario})


def seat_columns(seat: Seat) -> Columns:
    """All columns of a seat."""
    return _columns(SEATS, seat)


def seat_from(row: SeatRow) -> Seat:
    """The seat of a row."""
    return SEATS.read(_values(SEATS, row))


def sheet_columns(sheet: StoredSheet) -> Columns:
    """All columns of a sheet."""
    return _columns(SHEETS, sheet)


def sheet_from(row: SheetRow) -> StoredSheet:
    """The sheet of a row."""
    return SHEETS.read(_values(SHEETS, row))


def record_columns(record: PhaseRecord) -> Columns:
    """All columns of a closed phase; its sheets go with it, so that it is whole by itself."""
    return _columns(RECORDS, record, but={"start", "end", "sheets"}) | {
        "start_document": record.start,
        "end_document": record.end,
        "sheets": {
            power: SHEETS.write(sheet, but=SHEETS.names - _OF_SHEET_IN_RECORD) for power, sheet in record.sheets.items()
        },
    }


def record_from(row: PhaseRow) -> PhaseRecord:
    """The closed phase of a row."""
    place = {"game_id": row.game_id, "phase_no": row.phase_no}
    sheets = {power: {**data, **place, "power": power} for power, data in row.sheets.items()}
    documents = {"start": row.start_document, "end": row.end_document}
    return RECORDS.read({**_values(RECORDS, row, but={*documents, "sheets"}), **documents, "sheets": sheets})


def act_columns(act: Act) -> Columns:
    """All columns of an act."""
    return _columns(ACTS, act)


def act_from(row: ActRow) -> Act:
    """The act of a row."""
    return ACTS.read(_values(ACTS, row))


def outgoing_columns(message: Outgoing) -> Columns:
    """All columns of a message but its id."""
    return _columns(MESSAGES, message, but={"id"})


def outgoing_from(row: OutboxRow) -> Outgoing:
    """The message of a row."""
    return MESSAGES.read(_values(MESSAGES, row))


def mailbox_columns(mailbox: Mailbox) -> Columns:
    """All columns of a mailbox."""
    return _columns(MAILBOXES, mailbox)


def mailbox_from(row: MailboxRow) -> Mailbox:
    """The mailbox of a row."""
    return MAILBOXES.read(_values(MAILBOXES, row))


def ballot_columns(ballot: Ballot) -> Columns:
    """All columns of a vote."""
    return _columns(BALLOTS, ballot)


def ballot_from(row: BallotRow) -> Ballot:
    """The vote of a row."""
    return BALLOTS.read(_values(BALLOTS, row))


def proposal_columns(proposal: Proposal) -> Columns:
    """All columns of a proposal; nobody is the empty text, for a key has no empty column."""
    return _columns(PROPOSALS, proposal) | {"winner": proposal.winner or ""}


def proposal_from(row: ProposalRow) -> Proposal:
    """The proposal of a row."""
    return PROPOSALS.read(_values(PROPOSALS, row) | {"winner": row.winner or None})


def _columns(schema: Schema[T], value: T, *, but: Collection[str] = ()) -> Columns:
    """What a value's columns hold: what JSON would, except moments, for which there is a kind of column."""
    written = schema.write(value, but=but)
    moments = {name: at for name in written if isinstance(at := getattr(value, name), datetime)}
    return written | moments


def _values(schema: Schema[Any], row: Row, *, but: Collection[str] = ()) -> Columns:
    """The columns of a row that are fields of its value."""
    return {name: getattr(row, name) for name in schema.names.difference(but)}
