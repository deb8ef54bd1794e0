"""Domain values to column values, and rows back to domain values. Between the repositories and the tables."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypeVar

from bot.model import (
    Ballot,
    BallotKind,
    Delivery,
    Game,
    GameId,
    GameStatus,
    Mailbox,
    Outgoing,
    Pace,
    PhaseRecord,
    Proposal,
    Scenario,
    Seat,
    StoredSheet,
    Target,
    Trouble,
    UserId,
)
from bot.storage.tables import BallotRow, GameRow, MailboxRow, OutboxRow, PhaseRow, ProposalRow, SeatRow, SheetRow
from engine.core.events import Event
from engine.core.ids import PowerId, SystemId
from engine.core.outcome import OrderResult
from engine.core.phrases import phrase_from_json, phrase_to_json

T = TypeVar("T")

Columns = dict[str, Any]
"""Column values by name."""


def game_columns(game: Game) -> Columns:
    """What a game is, apart from what names it, its scenario and its present phase."""
    return {
        "name": game.name,
        "guild_id": game.guild_id,
        "channel_id": game.channel_id,
        "creator_id": game.creator_id,
        "game_masters": sorted(game.game_masters),
        "system": game.system,
        "variant": game.variant,
        "players": game.players,
        "options": dict(game.options),
        "pace": {
            "default": game.pace.default,
            "by_kind": dict(game.pace.by_kind),
            "close_early": game.pace.close_early,
        },
        "status": str(game.status),
        "created_at": game.created_at,
        "trouble": str(game.trouble),
        "own_seed": game.own_seed,
    }


def phase_columns(game: Game) -> Columns:
    """Where a game stands: the columns that only `advance` writes."""
    return {
        "document": game.document,
        "phase_no": game.phase_no,
        "phase_code": game.phase_code,
        "phase_title": None if game.phase_title is None else phrase_to_json(game.phase_title),
        "opened_at": game.opened_at,
        "deadline_at": game.deadline_at,
        "remind_at": game.remind_at,
        "time_left_s": game.time_left_s,
    }


def token_columns(game: Game) -> Columns:
    """What names a game in buttons: columns that only `add` writes."""
    return {"token": game.token, "has_numbered_buttons": game.has_numbered_buttons}


def scenario_columns(scenario: Scenario | None) -> Columns:
    """What a game starts from: the columns that only `add` writes. The long text has one of its own."""
    if scenario is None:
        return {"scenario": None, "scenario_text": None}
    facts = {
        "name": scenario.name,
        "about": scenario.about,
        "filename": scenario.filename,
        "powers": dict(scenario.powers),
    }
    return {"scenario": facts, "scenario_text": scenario.text}


def scenario_from(facts: Mapping[str, Any] | None, text: str | None) -> Scenario | None:
    """The scenario of a row, with the text that the caller wants it to have."""
    if facts is None:
        return None
    powers = {PowerId(power): name for power, name in facts["powers"].items()}
    return Scenario(facts["name"], facts["about"], facts["filename"], powers, text)


def game_from(row: GameRow, *, document: Mapping[str, Any] | None, scenario_text: str | None) -> Game:
    """The game of a row, with the document and the scenario's text that the caller wants it to have."""
    return Game(
        id=GameId(row.id),
        name=_checked(str, row.name),
        guild_id=_checked(int, row.guild_id),
        channel_id=_checked(int, row.channel_id),
        creator_id=UserId(row.creator_id),
        game_masters=frozenset(UserId(user) for user in row.game_masters),
        system=SystemId(row.system),
        variant=row.variant,
        players=_checked(int, row.players),
        options=_checked(dict, row.options),
        pace=_pace_from(row.pace),
        status=GameStatus(row.status),
        created_at=row.created_at,
        document=None if document is None else _checked(dict, document),
        phase_no=_checked(int, row.phase_no),
        phase_code=_checked(str, row.phase_code),
        opened_at=row.opened_at,
        deadline_at=row.deadline_at,
        remind_at=row.remind_at,
        time_left_s=row.time_left_s,
        scenario=scenario_from(row.scenario, scenario_text),
        trouble=Trouble(row.trouble),
        token=row.token,
        has_numbered_buttons=row.has_numbered_buttons,
        phase_title=None if row.phase_title is None else phrase_from_json(row.phase_title),
        own_seed=row.own_seed,
    )


def _pace_from(data: Mapping[str, Any]) -> Pace:
    by_kind = {kind: _checked(str, text) for kind, text in data["by_kind"].items()}
    return Pace(_checked(str, data["default"]), by_kind, _checked(bool, data["close_early"]))


def _checked(kind: type[T], value: Any) -> T:
    """A value that is of its kind: SQLite and JSON hold whatever was written there.

    Raises:
        TypeError: it isn't.
    """
    if not isinstance(value, kind):
        raise TypeError(f"{type(value).__name__} is no {kind.__name__}")
    return value


def seat_columns(seat: Seat) -> Columns:
    """All columns of a seat."""
    return {
        "game_id": seat.game_id,
        "number": seat.number,
        "power": seat.power,
        "user_id": seat.user_id,
        "wish": seat.wish,
        "is_ready": seat.is_ready,
        "missed": seat.missed,
        "is_open": seat.is_open,
        "dms_closed": seat.dms_closed,
        "former": list(seat.former),
        "is_removed": seat.is_removed,
        "word": seat.word,
    }


def seat_from(row: SeatRow) -> Seat:
    """The seat of a row."""
    return Seat(
        game_id=GameId(row.game_id),
        number=row.number,
        power=None if row.power is None else PowerId(row.power),
        user_id=None if row.user_id is None else UserId(row.user_id),
        wish=None if row.wish is None else PowerId(row.wish),
        is_ready=row.is_ready,
        missed=row.missed,
        is_open=row.is_open,
        dms_closed=row.dms_closed,
        former=tuple(UserId(user) for user in row.former),
        is_removed=row.is_removed,
        word=row.word,
    )


def sheet_columns(sheet: StoredSheet) -> Columns:
    """All columns of a sheet."""
    return {
        "game_id": sheet.game_id,
        "phase_no": sheet.phase_no,
        "power": sheet.power,
        "typed": list(sheet.typed),
        "orders": list(sheet.orders),
        "version": sheet.version,
        "accepted_at": sheet.accepted_at,
    }


def sheet_from(row: SheetRow) -> StoredSheet:
    """The sheet of a row."""
    return StoredSheet(
        game_id=GameId(row.game_id),
        phase_no=row.phase_no,
        power=PowerId(row.power),
        typed=tuple(row.typed),
        orders=tuple(row.orders),
        version=row.version,
        accepted_at=row.accepted_at,
    )


def record_columns(record: PhaseRecord) -> Columns:
    """All columns of a closed phase; its sheets go with it, so that it is whole by itself."""
    return {
        "game_id": record.game_id,
        "phase_no": record.phase_no,
        "code": record.code,
        "start_document": record.start,
        "end_document": record.end,
        "sheets": {power: _sheet_to_json(sheet) for power, sheet in record.sheets.items()},
        "results": [result.to_json() for result in record.results],
        "events": [event.to_json() for event in record.events],
        "rules_version": record.rules_version,
        "opened_at": record.opened_at,
        "deadline_at": record.deadline_at,
        "closed_at": record.closed_at,
        "closed_because": record.closed_because,
        "late_s": record.late_s,
        "is_undone": record.is_undone,
    }


def record_from(row: PhaseRow) -> PhaseRecord:
    """The closed phase of a row."""
    game_id = GameId(row.game_id)
    return PhaseRecord(
        game_id=game_id,
        phase_no=row.phase_no,
        code=row.code,
        start=row.start_document,
        end=row.end_document,
        sheets={
            PowerId(power): _sheet_from_json(data, game_id, row.phase_no, PowerId(power))
            for power, data in row.sheets.items()
        },
        results=tuple(OrderResult.from_json(data) for data in row.results),
        events=tuple(Event.from_json(data) for data in row.events),
        rules_version=row.rules_version,
        opened_at=row.opened_at,
        deadline_at=row.deadline_at,
        closed_at=row.closed_at,
        closed_because=row.closed_because,
        late_s=row.late_s,
        is_undone=row.is_undone,
    )


def _sheet_to_json(sheet: StoredSheet) -> dict[str, Any]:
    return {
        "typed": list(sheet.typed),
        "orders": list(sheet.orders),
        "version": sheet.version,
        "accepted_at": sheet.accepted_at.isoformat(),
    }


def _sheet_from_json(data: Mapping[str, Any], game_id: GameId, phase_no: int, power: PowerId) -> StoredSheet:
    return StoredSheet(
        game_id=game_id,
        phase_no=phase_no,
        power=power,
        typed=tuple(data["typed"]),
        orders=tuple(data["orders"]),
        version=data["version"],
        accepted_at=datetime.fromisoformat(data["accepted_at"]),
    )


def outgoing_columns(message: Outgoing) -> Columns:
    """All columns of a message but its id."""
    return {
        "game_id": message.game_id,
        "phase_no": message.phase_no,
        "target": str(message.target),
        "target_id": message.target_id,
        "kind": message.kind,
        "payload": dict(message.payload),
        "created_at": message.created_at,
        "not_before": message.not_before,
        "delivery": str(message.delivery),
        "attempts": message.attempts,
        "faults": message.faults,
        "tried_at": message.tried_at,
        "composed": None if message.composed is None else list(message.composed),
        "message_id": message.message_id,
        "error": message.error,
    }


def outgoing_from(row: OutboxRow) -> Outgoing:
    """The message of a row."""
    return Outgoing(
        id=row.id,
        game_id=GameId(row.game_id),
        phase_no=row.phase_no,
        target=Target(row.target),
        target_id=row.target_id,
        kind=row.kind,
        payload=row.payload,
        created_at=row.created_at,
        not_before=row.not_before,
        delivery=Delivery(row.delivery),
        attempts=row.attempts,
        faults=row.faults,
        tried_at=row.tried_at,
        composed=row.composed,
        message_id=row.message_id,
        error=row.error,
    )


def mailbox_columns(mailbox: Mailbox) -> Columns:
    """All columns of a mailbox."""
    return {
        "user_id": mailbox.user_id,
        "channel_id": mailbox.channel_id,
        "taken_id": mailbox.taken_id,
        "answered_id": mailbox.answered_id,
    }


def mailbox_from(row: MailboxRow) -> Mailbox:
    """The mailbox of a row."""
    return Mailbox(UserId(row.user_id), row.channel_id, row.taken_id, row.answered_id)


def ballot_columns(ballot: Ballot) -> Columns:
    """All columns of a vote."""
    return {
        "game_id": ballot.game_id,
        "phase_no": ballot.phase_no,
        "power": ballot.power,
        "kind": str(ballot.kind),
        "in_favour": ballot.in_favour,
        "winner": ballot.winner,
    }


def ballot_from(row: BallotRow) -> Ballot:
    """The vote of a row."""
    return Ballot(
        game_id=GameId(row.game_id),
        phase_no=row.phase_no,
        power=PowerId(row.power),
        kind=BallotKind(row.kind),
        in_favour=row.in_favour,
        winner=None if row.winner is None else PowerId(row.winner),
    )


def proposal_columns(proposal: Proposal) -> Columns:
    """All columns of a proposal."""
    return {
        "game_id": proposal.game_id,
        "phase_no": proposal.phase_no,
        "kind": str(proposal.kind),
        "winner": proposal.winner or "",
        "voters": dict(proposal.voters),
    }


def proposal_from(row: ProposalRow) -> Proposal:
    """The proposal of a row."""
    return Proposal(
        game_id=GameId(row.game_id),
        phase_no=row.phase_no,
        kind=BallotKind(row.kind),
        winner=PowerId(row.winner) if row.winner else None,
        voters={PowerId(power): None if user is None else UserId(user) for power, user in row.voters.items()},
    )
