"""The parts of an exported game as JSON, and back. Times are ISO 8601 in UTC, numbers of games are left out.

Reading raises `KeyError`, `TypeError`, `ValueError` or `AttributeError` for what is none of ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from bot.model import (
    Ballot,
    BallotKind,
    Game,
    GameId,
    GameStatus,
    Pace,
    PhaseRecord,
    Scenario,
    Seat,
    StoredSheet,
    UserId,
)
from bot.services.deeds import Deed
from engine.core.events import Event
from engine.core.ids import PowerId, SystemId
from engine.core.outcome import OrderResult

_NO_GAME = GameId(0)


def game_to_json(game: Game) -> dict[str, Any]:
    """A game with its present position and the scenario that it started from."""
    return {
        "name": game.name,
        "guild_id": game.guild_id,
        "channel_id": game.channel_id,
        "creator_id": game.creator_id,
        "game_masters": sorted(game.game_masters),
        "system": game.system,
        "variant": game.variant,
        "players": game.players,
        "options": game.options,
        "pace": {
            "default": game.pace.default,
            "by_kind": game.pace.by_kind,
            "close_early": game.pace.close_early,
        },
        "status": str(game.status),
        "created_at": _time_to_json(game.created_at),
        "document": game.document,
        "phase_no": game.phase_no,
        "phase_code": game.phase_code,
        "opened_at": _time_to_json(game.opened_at),
        "deadline_at": _time_to_json(game.deadline_at),
        "time_left_s": game.time_left_s,
        "remind_at": _time_to_json(game.remind_at),
        "scenario": None if game.scenario is None else _scenario_to_json(game.scenario),
    }


def _scenario_to_json(scenario: Scenario) -> dict[str, Any]:
    return {
        "name": scenario.name,
        "about": scenario.about,
        "filename": scenario.filename,
        "powers": scenario.powers,
        "text": scenario.text,
    }


def game_from_json(data: Mapping[str, Any]) -> Game:
    """The game of such a form; it has no number before it is stored."""
    pace = data["pace"]
    return Game(
        id=_NO_GAME,
        name=str(data["name"]),
        guild_id=data["guild_id"],
        channel_id=data["channel_id"],
        creator_id=UserId(data["creator_id"]),
        game_masters=frozenset(UserId(user_id) for user_id in data["game_masters"]),
        system=SystemId(data["system"]),
        variant=data["variant"],
        players=data["players"],
        options=dict(data["options"]),
        pace=Pace(pace["default"], dict(pace["by_kind"]), pace["close_early"]),
        status=GameStatus(data["status"]),
        created_at=_time(data["created_at"]),
        document=data["document"],
        phase_no=data["phase_no"],
        phase_code=data["phase_code"],
        opened_at=_find_time(data["opened_at"]),
        deadline_at=_find_time(data["deadline_at"]),
        time_left_s=data["time_left_s"],
        remind_at=_find_time(data["remind_at"]),
        scenario=_scenario_from_json(data.get("scenario")),
    )


def _scenario_from_json(data: Mapping[str, Any] | None) -> Scenario | None:
    if data is None:
        return None
    powers = {PowerId(power): str(name) for power, name in data["powers"].items()}
    return Scenario(str(data["name"]), str(data["about"]), str(data["filename"]), powers, str(data["text"]))


def seat_to_json(seat: Seat) -> dict[str, Any]:
    """A seat, but for whether direct messages reach its player."""
    return {
        "number": seat.number,
        "power": seat.power,
        "user_id": seat.user_id,
        "wish": seat.wish,
        "is_ready": seat.is_ready,
        "missed": seat.missed,
        "is_open": seat.is_open,
    }


def seat_from_json(data: Mapping[str, Any]) -> Seat:
    """The seat of such a form; whether direct messages reach the player is found out anew."""
    return Seat(
        game_id=_NO_GAME,
        number=data["number"],
        power=data["power"],
        user_id=data["user_id"],
        wish=data["wish"],
        is_ready=data["is_ready"],
        missed=data["missed"],
        is_open=data["is_open"],
    )


def sheet_to_json(sheet: StoredSheet) -> dict[str, Any]:
    """A sheet; whose it is says the key under which it stands."""
    return {
        "phase_no": sheet.phase_no,
        "typed": sheet.typed,
        "orders": sheet.orders,
        "version": sheet.version,
        "accepted_at": _time_to_json(sheet.accepted_at),
    }


def sheet_from_json(data: Mapping[str, Any], power: PowerId) -> StoredSheet:
    """The sheet of such a form."""
    return StoredSheet(
        game_id=_NO_GAME,
        phase_no=data["phase_no"],
        power=power,
        typed=tuple(data["typed"]),
        orders=tuple(data["orders"]),
        version=data["version"],
        accepted_at=_time(data["accepted_at"]),
    )


def record_to_json(record: PhaseRecord) -> dict[str, Any]:
    """A closed phase with its sheets."""
    return {
        "phase_no": record.phase_no,
        "code": record.code,
        "start": record.start,
        "end": record.end,
        "sheets": {power: sheet_to_json(sheet) for power, sheet in sorted(record.sheets.items())},
        "results": [result.to_json() for result in record.results],
        "events": [event.to_json() for event in record.events],
        "rules_version": record.rules_version,
        "opened_at": _time_to_json(record.opened_at),
        "deadline_at": _time_to_json(record.deadline_at),
        "closed_at": _time_to_json(record.closed_at),
        "closed_because": record.closed_because,
        "late_s": record.late_s,
        "is_undone": record.is_undone,
    }


def record_from_json(data: Mapping[str, Any]) -> PhaseRecord:
    """The closed phase of such a form."""
    return PhaseRecord(
        game_id=_NO_GAME,
        phase_no=data["phase_no"],
        code=data["code"],
        start=data["start"],
        end=data["end"],
        sheets={PowerId(power): sheet_from_json(row, PowerId(power)) for power, row in data["sheets"].items()},
        results=tuple(OrderResult.from_json(row) for row in data["results"]),
        events=tuple(Event.from_json(row) for row in data["events"]),
        rules_version=data["rules_version"],
        opened_at=_time(data["opened_at"]),
        deadline_at=_find_time(data["deadline_at"]),
        closed_at=_time(data["closed_at"]),
        closed_because=data["closed_because"],
        late_s=data["late_s"],
        is_undone=data["is_undone"],
    )


def ballot_to_json(ballot: Ballot) -> dict[str, Any]:
    """A vote."""
    return {
        "phase_no": ballot.phase_no,
        "power": ballot.power,
        "kind": str(ballot.kind),
        "in_favour": ballot.in_favour,
        "winner": ballot.winner,
    }


def ballot_from_json(data: Mapping[str, Any]) -> Ballot:
    """The vote of such a form."""
    return Ballot(
        game_id=_NO_GAME,
        phase_no=data["phase_no"],
        power=PowerId(data["power"]),
        kind=BallotKind(data["kind"]),
        in_favour=data["in_favour"],
        winner=data["winner"],
    )


def deed_to_json(deed: Deed) -> dict[str, Any]:
    """Something that a game master did."""
    return {"phase_no": deed.phase_no, "at": _time_to_json(deed.at), "code": deed.code, "args": deed.args}


def deed_from_json(data: Mapping[str, Any]) -> Deed:
    """The deed of such a form."""
    return Deed(int(data["phase_no"]), _time(data["at"]), str(data["code"]), dict(data["args"]))


def _time_to_json(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


def _find_time(text: str | None) -> datetime | None:
    return None if text is None else _time(text)


def _time(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    if moment.utcoffset() != timedelta():
        raise ValueError(f"{text} is not in UTC")
    return moment
