"""Plays stored games again to find drift, and carries whole games from one database to another.

The exported document is described in docs/export.md. It holds every secret of the game.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import pairwise
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
from bot.ports import UnitOfWork
from bot.services import post
from bot.services.context import Context
from bot.services.deeds import Deed, deeds_of_game, keep_deed
from bot.services.errors import refused, refused_with
from bot.services.seeds import seed_of, seed_spans, with_seed
from bot.services.setup import opening_of
from bot.services.table import UNFINISHED, get_game, get_rules, get_table, without_secrets
from bot.services.turns import ENDED, VOTE, adjudicate_sheets, ring
from engine.core.dice import seal
from engine.core.errors import DocumentError
from engine.core.events import Event
from engine.core.ids import PowerId, SystemId
from engine.core.outcome import OrderResult
from engine.core.phrases import phrase
from engine.registry import AnySystem

EXPORT_KIND = "sealed-orders game"
EXPORT_VERSION = 1


@dataclass(frozen=True, slots=True)
class Drift:
    """Something that came out otherwise than it was stored.

    Args:
        what: `end`, `results` or `events`; `start` where a phase does not begin as the one before it ended.
    """

    phase_no: int
    code: str
    what: str
    stored: Any
    computed: Any


def replay(context: Context, game_id: GameId) -> tuple[Drift, ...]:
    """Carry out every closed phase of a game again from its start and its sheets.

    Returns: where the rules of today give something else; nothing if the game is bit by bit the same.

    Raises:
        Refused: there is no such game.
    """
    with context.unit_of_work() as unit:
        game = get_game(unit, game_id)
        records = tuple(unit.phases.of_game(game_id))
    rules = get_rules(context, game)
    drifts = [drift for record in records for drift in _drifts(rules, record)]
    seeds = {record.phase_no: span.seed for span in seed_spans(rules, game, records) for record in span.records}
    going = [record for record in records if not record.is_undone]
    for before, after in pairwise(going):
        seed = seeds[after.phase_no]
        expected = before.end if seed == seeds[before.phase_no] else with_seed(before.end, seed)
        drifts += _compare(after, "start", after.start, expected)
    return tuple(drifts)


@dataclass(frozen=True, slots=True)
class Seal:
    """A seed that a game's dice came from, as far as everybody may know it.

    Args:
        seal: its fingerprint, as it was announced when the game began, or when it first went on with this seed.
        seed: once it was told; `None` before.
        first_code: of the first phase that was played with it, or is to be.
    """

    seal: str
    seed: str | None
    first_code: str


@dataclass(frozen=True, slots=True)
class Verification:
    """Whether a game was run by its rules and its dice; nothing of it is secret.

    Args:
        seals: one after the other; the last is the present one.
        phases: how many closed phases were carried out again.
        drifted: codes of those that came out otherwise than they were posted, or with a seed other than their time's.
        altered: codes of those that did not begin as the one before had ended: a game master changed the position.
        is_exposed: dice are still to fall from a seed that was told, since the game was over for a time.
    """

    game: Game
    seals: tuple[Seal, ...]
    phases: int
    drifted: tuple[str, ...]
    altered: tuple[str, ...]
    is_exposed: bool

    @property
    def seal(self) -> str:
        """Of the seed that the game goes on with, or ended with."""
        return self.seals[-1].seal

    @property
    def seed(self) -> str | None:
        """The same seed, once it was told."""
        return self.seals[-1].seed


def verify(context: Context, game_id: GameId) -> Verification:
    """Carry out a game again from its seed and its orders, for anybody who asks.

    Raises:
        Refused: there is no such game, or it has not begun.
    """
    with context.unit_of_work() as unit:
        table = get_table(context, unit, game_id)
        records = unit.phases.of_game(game_id)
    spans = seed_spans(table.rules, table.game, records)
    drifts = replay(context, game_id)
    drifted = {drift.phase_no: drift.code for drift in drifts if drift.what != "start"}
    drifted |= {
        record.phase_no: record.code for span in spans for record in span.records if seed_of(record.start) != span.seed
    }
    return Verification(
        game=without_secrets(table.game),
        seals=tuple(Seal(span.seal, span.seed if span.is_told else None, span.first_code) for span in spans),
        phases=len(records),
        drifted=tuple(code for _, code in sorted(drifted.items())),
        altered=tuple(drift.code for drift in drifts if drift.what == "start"),
        is_exposed=table.rules.info.has_dice and table.game.status in UNFINISHED and spans[-1].is_told,
    )


def export_game(context: Context, game_id: GameId) -> dict[str, Any]:
    """The whole game as one JSON document, secrets and typed orders included.

    Raises:
        Refused: there is no such game.
    """
    with context.unit_of_work() as unit:
        game = get_game(unit, game_id)
        seats = unit.games.seats(game_id)
        records = unit.phases.of_game(game_id)
        sheets = unit.sheets.of_phase(game_id, game.phase_no)
        ballots = unit.ballots.of_phase(game_id, game.phase_no)
        deeds = deeds_of_game(unit, game_id)
    document = {
        "kind": EXPORT_KIND,
        "version": EXPORT_VERSION,
        "game": _game_to_json(game),
        "seats": [_seat_to_json(seat) for seat in seats],
        "phases": [_record_to_json(record) for record in records],
        "sheets": {power: _sheet_to_json(sheet) for power, sheet in sorted(sheets.items())},
        "ballots": [_ballot_to_json(ballot) for ballot in ballots],
        "deeds": [_deed_to_json(deed) for deed in deeds],
    }
    exported: dict[str, Any] = _plain(document)
    return exported


def import_game(
    context: Context, document: Mapping[str, Any], *, guild_id: int, channel_id: int, user_id: UserId
) -> Game:
    """Store an exported game as a new one, in another channel if need be; the one who imports is its game master.

    Seats keep their players. A game whose deadline has passed meanwhile comes paused. The copy of a game that is stored
    here goes on with dice of its own, whose seal is announced: the end of either game would tell the other's.

    Raises:
        Refused: the document is none of ours or is damaged, its rules are not played here, or its name is taken.
    """
    try:
        imported = _read_export(context, document, guild_id, channel_id, user_id)
        guilds = {guild_id, int(document["game"]["guild_id"])}
    except (KeyError, TypeError, ValueError, AttributeError, DocumentError) as error:
        raise refused("export_unreadable", problem=str(error)[:200]) from error
    with context.unit_of_work() as unit:
        _require_free_name(unit, imported.game)
        is_copy = _needs_own_seed(context, imported.game) and _has_seed_of_another(unit, imported.game, guilds)
        stored = _store(unit, _with_own_seed(imported, context.seeds()) if is_copy else imported)
        if is_copy:
            assert stored.document is not None, "the copy of a position is one"
            post.notice(unit, stored, context.clock.now(), "copied", seal=seal(seed_of(stored.document)))
        unit.commit()
    ring(context, stored)
    return replace(stored, document=None)


# Replaying


def _drifts(rules: AnySystem, record: PhaseRecord) -> list[Drift]:
    state = rules.load(record.start)
    if record.closed_because in (VOTE, ENDED):
        over = rules.status(rules.load(record.end))
        ended = rules.end(state, over.winners or (), over.why_over or phrase("agreed.game_master"))
        return _compare(record, "end", record.end, rules.dump(ended))
    resolution = adjudicate_sheets(rules, state, record.sheets)
    return [
        *_compare(record, "results", _results(record.results), _results(resolution.results)),
        *_compare(record, "events", _events(record.events), _events(resolution.events)),
        *_compare(record, "end", record.end, rules.dump(resolution.state)),
    ]


def _compare(record: PhaseRecord, what: str, stored: Any, computed: Any) -> list[Drift]:
    # What was stored went through JSON, where tuples are lists; so what is compared goes too.
    stored, computed = _plain(stored), _plain(computed)
    return [] if stored == computed else [Drift(record.phase_no, record.code, what, stored, computed)]


def _results(results: tuple[OrderResult, ...]) -> list[dict[str, Any]]:
    return [result.to_json() for result in results]


def _events(events: tuple[Event, ...]) -> list[dict[str, Any]]:
    return [event.to_json() for event in events]


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(value))


# Importing


@dataclass(frozen=True, slots=True)
class _Imported:
    game: Game
    seats: tuple[Seat, ...]
    records: tuple[PhaseRecord, ...]
    sheets: tuple[StoredSheet, ...]
    ballots: tuple[Ballot, ...]
    deeds: tuple[Deed, ...]


def _read_export(
    context: Context, document: Mapping[str, Any], guild_id: int, channel_id: int, user_id: UserId
) -> _Imported:
    if document.get("kind") != EXPORT_KIND or document.get("version") != EXPORT_VERSION:
        raise ValueError(f"not a {EXPORT_KIND} of version {EXPORT_VERSION}")
    now = context.clock.now()
    game = _game_from_json(document["game"])
    game = replace(
        game, guild_id=guild_id, channel_id=channel_id, creator_id=user_id, game_masters=frozenset({user_id})
    )
    if game.status is GameStatus.RUNNING and (game.deadline_at is None or game.deadline_at <= now):
        game = replace(game, status=GameStatus.PAUSED, deadline_at=None, remind_at=None, time_left_s=0)
    rules = get_rules(context, game)
    if game.document is not None:
        rules.load(game.document)
    elif game.scenario is not None:
        opening_of(rules, game)
    return _Imported(
        game=game,
        seats=tuple(_seat_from_json(row) for row in document["seats"]),
        records=tuple(_record_from_json(row) for row in document["phases"]),
        sheets=tuple(_sheet_from_json(row, PowerId(power)) for power, row in document["sheets"].items()),
        ballots=tuple(_ballot_from_json(row) for row in document["ballots"]),
        deeds=tuple(_deed_from_json(row) for row in document.get("deeds", ())),
    )


def _require_free_name(unit: UnitOfWork, game: Game) -> None:
    taken = {other.name.casefold() for other in unit.games.in_guild(game.guild_id) if other.status in UNFINISHED}
    if game.status in UNFINISHED and game.name.casefold() in taken:
        raise refused_with(phrase("refused.hint.end_other"), "name_taken", name=game.name)


def _needs_own_seed(context: Context, game: Game) -> bool:
    """Whether dice are still to be thrown. A game that is over goes on by a rollback, which draws a new seed anyway."""
    return game.document is not None and game.status in UNFINISHED and get_rules(context, game).info.has_dice


def _has_seed_of_another(unit: UnitOfWork, game: Game, guilds: Set[int]) -> bool:
    """Whether a game of these servers has or had the same seed."""
    assert game.document is not None, "asked of games that have begun"
    seed = seed_of(game.document)
    for other_id in {other.id for guild in sorted(guilds) for other in unit.games.in_guild(guild)}:
        other = unit.games.find(other_id)
        positions = [record.start for record in unit.phases.of_game(other_id)]
        positions += [other.document] if other is not None and other.document is not None else []
        if any(seed_of(position) == seed for position in positions):
            return True
    return False


def _with_own_seed(imported: _Imported, seed: str) -> _Imported:
    """The game under the next number: one is left out wherever a seed begins."""
    game = imported.game
    assert game.document is not None, "asked of games that have begun"
    number = game.phase_no + 1
    return replace(
        imported,
        game=replace(game, document=with_seed(game.document, seed), phase_no=number),
        sheets=tuple(replace(sheet, phase_no=number) for sheet in imported.sheets),
        ballots=tuple(replace(ballot, phase_no=number) for ballot in imported.ballots),
    )


def _store(unit: UnitOfWork, imported: _Imported) -> Game:
    game = unit.games.add(imported.game)
    for seat in imported.seats:
        unit.games.save_seat(replace(seat, game_id=game.id))
    for record in imported.records:
        sheets = {power: replace(sheet, game_id=game.id) for power, sheet in record.sheets.items()}
        unit.phases.add(replace(record, game_id=game.id, sheets=sheets))
    for sheet in imported.sheets:
        unit.sheets.save(replace(sheet, game_id=game.id))
    for ballot in imported.ballots:
        unit.ballots.cast(replace(ballot, game_id=game.id))
    for deed in imported.deeds:
        keep_deed(unit, game, deed)
    return game


# The document's parts. Times are ISO 8601 in UTC.

_NO_GAME = GameId(0)


def _game_to_json(game: Game) -> dict[str, Any]:
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


def _game_from_json(data: Mapping[str, Any]) -> Game:
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


def _seat_to_json(seat: Seat) -> dict[str, Any]:
    return {
        "number": seat.number,
        "power": seat.power,
        "user_id": seat.user_id,
        "wish": seat.wish,
        "is_ready": seat.is_ready,
        "missed": seat.missed,
        "is_open": seat.is_open,
    }


def _seat_from_json(data: Mapping[str, Any]) -> Seat:
    # Whether direct messages reach the player is found out anew.
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


def _sheet_to_json(sheet: StoredSheet) -> dict[str, Any]:
    return {
        "phase_no": sheet.phase_no,
        "typed": sheet.typed,
        "orders": sheet.orders,
        "version": sheet.version,
        "accepted_at": _time_to_json(sheet.accepted_at),
    }


def _sheet_from_json(data: Mapping[str, Any], power: PowerId) -> StoredSheet:
    return StoredSheet(
        game_id=_NO_GAME,
        phase_no=data["phase_no"],
        power=power,
        typed=tuple(data["typed"]),
        orders=tuple(data["orders"]),
        version=data["version"],
        accepted_at=_time(data["accepted_at"]),
    )


def _record_to_json(record: PhaseRecord) -> dict[str, Any]:
    return {
        "phase_no": record.phase_no,
        "code": record.code,
        "start": record.start,
        "end": record.end,
        "sheets": {power: _sheet_to_json(sheet) for power, sheet in sorted(record.sheets.items())},
        "results": _results(record.results),
        "events": _events(record.events),
        "rules_version": record.rules_version,
        "opened_at": _time_to_json(record.opened_at),
        "deadline_at": _time_to_json(record.deadline_at),
        "closed_at": _time_to_json(record.closed_at),
        "closed_because": record.closed_because,
        "late_s": record.late_s,
        "is_undone": record.is_undone,
    }


def _record_from_json(data: Mapping[str, Any]) -> PhaseRecord:
    return PhaseRecord(
        game_id=_NO_GAME,
        phase_no=data["phase_no"],
        code=data["code"],
        start=data["start"],
        end=data["end"],
        sheets={PowerId(power): _sheet_from_json(row, PowerId(power)) for power, row in data["sheets"].items()},
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


def _ballot_to_json(ballot: Ballot) -> dict[str, Any]:
    return {
        "phase_no": ballot.phase_no,
        "power": ballot.power,
        "kind": str(ballot.kind),
        "in_favour": ballot.in_favour,
        "winner": ballot.winner,
    }


def _ballot_from_json(data: Mapping[str, Any]) -> Ballot:
    return Ballot(
        game_id=_NO_GAME,
        phase_no=data["phase_no"],
        power=PowerId(data["power"]),
        kind=BallotKind(data["kind"]),
        in_favour=data["in_favour"],
        winner=data["winner"],
    )


def _deed_to_json(deed: Deed) -> dict[str, Any]:
    return {"phase_no": deed.phase_no, "at": _time_to_json(deed.at), "code": deed.code, "args": deed.args}


def _deed_from_json(data: Mapping[str, Any]) -> Deed:
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
