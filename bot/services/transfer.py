"""Carries whole games from one database to another, in the document of docs/export.md, which holds every secret."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from bot.model import (
    Act,
    Ballot,
    Game,
    GameId,
    GameStatus,
    MessageKind,
    PhaseRecord,
    Proposal,
    Seat,
    StoredSheet,
    UserId,
)
from bot.ports import UnitOfWork
from bot.services import post
from bot.services.calendar import parse_pace
from bot.services.context import Context
from bot.services.errors import LONGEST_PROBLEM, refused, shortened
from bot.services.inbox import note_moved, read_until
from bot.services.interventions import Intervention, interventions_of_game, keep_intervention, what_was_done
from bot.services.seeds import chain_to, seed_of, with_chain, with_seed
from bot.services.setup import opening_of, read_name
from bot.services.table import (
    UNFINISHED,
    get_game,
    get_rules,
    playing_seats,
    read_table,
    require_free_name,
    without_secrets,
)
from bot.services.transfer_json import (
    act_from_json,
    act_to_json,
    ballot_from_json,
    ballot_to_json,
    game_from_json,
    game_to_json,
    intervention_from_json,
    intervention_to_json,
    proposal_from_json,
    proposal_to_json,
    record_from_json,
    record_to_json,
    seat_from_json,
    seat_to_json,
    sheet_from_json,
    sheet_to_json,
)
from bot.services.turns import ring
from engine.core.dice import seal
from engine.core.errors import DocumentError
from engine.core.ids import PowerId
from engine.core.phrases import Catalogue, Phrase, phrase
from engine.core.reading import read_orders, restored
from engine.core.variant import load_phrases
from engine.core.viewer import EVERYBODY, Playing
from engine.registry import AnySystem, State

_T = TypeVar("_T")

EXPORT_KIND = "sealed-orders game"
EXPORT_VERSION = 1


def export_game(context: Context, game_id: GameId) -> dict[str, Any]:
    """The whole game as one JSON document, secrets and typed orders included.

    Raises:
        Refused: there is no such game.
    """
    with context.reading() as unit:
        game = get_game(unit, game_id)
        seats = unit.games.seats(game_id)
        records = unit.phases.of_game(game_id)
        sheets = unit.sheets.of_phase(game_id, game.phase_no)
        ballots = unit.ballots.of_phase(game_id, game.phase_no)
        proposals = unit.ballots.proposals(game_id, game.phase_no)
        interventions = interventions_of_game(unit, game_id)
        acts = unit.acts.of_game(game_id)
        messages_read_until = read_until(unit)
    document = {
        "kind": EXPORT_KIND,
        "version": EXPORT_VERSION,
        "game": game_to_json(game),
        "seats": [seat_to_json(seat) for seat in seats],
        "phases": [record_to_json(record) for record in records],
        "sheets": {power: sheet_to_json(sheet) for power, sheet in sorted(sheets.items())},
        "ballots": [ballot_to_json(ballot) for ballot in ballots],
        "proposals": [proposal_to_json(proposal) for proposal in proposals],
        "deeds": [intervention_to_json(each) for each in interventions],
        "acts": [act_to_json(act) for act in acts],
        "messages_read_until": None if messages_read_until is None else messages_read_until.isoformat(),
    }
    exported: dict[str, Any] = json.loads(json.dumps(document))
    return exported


def import_game(
    context: Context,
    document: Mapping[str, Any],
    *,
    guild_id: int,
    channel_id: int,
    user_id: UserId,
    note: Callable[[Phrase], None] = lambda _: None,
) -> Game:
    """Store an exported game as a new one, in another channel if need be.

    The one who imports is its game master in place of the one who created it. It is announced in its channel, and its
    players get a briefing. Seats keep their players. Buttons under older posts go on working, unless the game is stored
    here already: then they are the other's.

    A game whose deadline has passed meanwhile comes paused. The copy of a game that is stored here goes on with dice of
    its own, whose seal is announced: the end of either game would reveal the other's.

    Args:
        note: receives what of the document is skipped.

    Raises:
        Refused: the document is none of ours or is damaged, its rules are not played here, or its name is taken.
    """
    try:
        imported, passed_over = _read_export(context, document, guild_id, channel_id, user_id)
        guilds = {guild_id, int(document["game"]["guild_id"])}
    except (KeyError, TypeError, ValueError, AttributeError, DocumentError) as error:
        raise refused("export_unreadable", problem=shortened(str(error), LONGEST_PROBLEM)) from error
    with context.unit_of_work() as unit:
        if imported.game.status in UNFINISHED:
            require_free_name(unit, guild_id, imported.game.name, hint=phrase("refused.hint.end_other"))
        is_copy = _needs_own_seed(context, imported.game) and _has_seed_of_another(unit, imported.game, guilds)
        imported = _with_own_secret(unit, _with_free_token(unit, imported), guilds, context.seeds)
        imported = _with_own_chain(unit, imported, guilds, context.seeds)
        stored = _store(unit, _with_own_seed(imported, context.seeds()) if is_copy else imported)
        if is_copy:
            assert stored.document is not None, "the copy of a position is one"
            post.notice(unit, stored, context.clock.now(), "copied", seal=seal(seed_of(stored.document)))
        _announce(context, unit, stored, imported.seats)
        if imported.messages_read_until is not None:
            note_moved(unit, imported.messages_read_until, context.clock.now())
        unit.commit()
    ring(context, stored)
    for what in passed_over:
        note(what)
    return without_secrets(stored)


# Importing


@dataclass(frozen=True, slots=True)
class _Imported:
    game: Game
    seats: tuple[Seat, ...]
    records: tuple[PhaseRecord, ...]
    sheets: tuple[StoredSheet, ...]
    ballots: tuple[Ballot, ...]
    proposals: tuple[Proposal, ...]
    interventions: tuple[Intervention, ...]
    acts: tuple[Act, ...]
    messages_read_until: datetime | None


def _read_export(
    context: Context, document: Mapping[str, Any], guild_id: int, channel_id: int, user_id: UserId
) -> tuple[_Imported, Sequence[Phrase]]:
    """The useful part of the document, and what is skipped."""
    if document.get("kind") != EXPORT_KIND or document.get("version") != EXPORT_VERSION:
        raise ValueError(f"not a {EXPORT_KIND} of version {EXPORT_VERSION}")
    now = context.clock.now()
    game = game_from_json(document["game"])
    game = replace(game, name=read_name(game.name))
    if game.status in UNFINISHED:
        for length in (game.pace.default, *game.pace.by_kind.values()):
            parse_pace(length)
    # Those who became game masters by what they looked at stay so: they take no seat here either.
    masters = game.game_masters - {game.creator_id} | {user_id}
    game = replace(game, guild_id=guild_id, channel_id=channel_id, creator_id=user_id, game_masters=masters)
    for name in ("document", "opened_at") if game.status in _BEGUN else ():
        if getattr(game, name) is None:
            raise ValueError(f"{name}: a game that has begun has one")
    if game.status is GameStatus.RUNNING and (game.deadline_at is None or game.deadline_at <= now):
        game = replace(game, status=GameStatus.PAUSED, deadline_at=None, remind_at=None, time_left_s=0)
    records = tuple(record_from_json(row) for row in document["phases"])
    # A position that anybody writes may go without a seed; one that was played had one.
    for position in (game.document, *(place for record in records for place in (record.start, record.end))):
        if position is not None and "seed" not in position:
            raise ValueError("seed: a position has none")
    imported = _Imported(
        game=game,
        seats=tuple(seat_from_json(row) for row in document["seats"]),
        records=records,
        sheets=tuple(sheet_from_json(row, PowerId(power)) for power, row in document["sheets"].items()),
        ballots=tuple(ballot_from_json(row) for row in document["ballots"]),
        proposals=tuple(proposal_from_json(row) for row in document.get("proposals", ())),
        interventions=tuple(intervention_from_json(row) for row in document.get("deeds", ())),
        acts=tuple(act_from_json(row) for row in document.get("acts", ())),
        messages_read_until=_moment(document.get("messages_read_until")),
    )
    _check_seats(imported.seats)
    _check_acts(game, imported.acts)
    unknown = sorted(document.keys() - _PARTS)
    passed_over = [phrase("imported.unknown_part", parts=tuple(unknown))] if unknown else []
    rules = get_rules(context, game)
    if game.variant not in rules.info.variants:
        raise ValueError(f"variant: there is no {game.variant[:40]!r}; there is {', '.join(rules.info.variants)}")
    words = load_phrases(rules.info.id)
    _check_phases(rules, words, game, records)
    _check_interventions(words, imported.interventions)
    if game.document is None:
        if game.scenario is not None or game.status is GameStatus.LOBBY:
            opening_of(rules, game)
        return replace(imported, sheets=(), ballots=(), proposals=()), passed_over
    sifted, useless = _sifted(rules, rules.play.load(game.document), imported)
    return sifted, [*passed_over, *useless]


_BEGUN = frozenset({GameStatus.RUNNING, GameStatus.PAUSED})
_PARTS = frozenset(
    {
        "kind", "version", "game", "seats", "phases", "sheets", "ballots", "proposals", "deeds", "acts",
        "messages_read_until",
    }
)  # fmt: skip


def _moment(text: str | None) -> datetime | None:
    moment = None if text is None else datetime.fromisoformat(text)
    if moment is not None and moment.utcoffset() != timedelta():
        raise ValueError(f"messages_read_until: {moment} is not in UTC")
    return moment


def _check_phases(rules: AnySystem, words: Catalogue, game: Game, records: Sequence[PhaseRecord]) -> None:
    """Check that closed phases can be looked at, come before the present one, and have different numbers.

    Raises:
        DocumentError: one begins or ends with what is no position, or what happened in it can't be put into words.
        ValueError: a number is another's, or of a phase that is not closed.
    """
    numbers = {record.phase_no for record in records}
    if len(numbers) < len(records) or any(not 0 < number < game.phase_no for number in numbers):
        raise ValueError("phases: two have the same phase_no, or one is not over")
    for number, record in enumerate(records):
        try:
            before, after = (_load(rules, name, getattr(record, name)) for name in ("start", "end"))
            _check_words(rules, words, record, before, after)
        except DocumentError as error:
            raise DocumentError(f"phases[{number}].{error.where}", error.problem) from error


def _load(rules: AnySystem, name: str, position: Mapping[str, Any]) -> State:
    try:
        return rules.play.load(position)
    except DocumentError as error:
        raise DocumentError(f"{name}.{error.where}", error.problem) from error


def _check_words(rules: AnySystem, words: Catalogue, record: PhaseRecord, before: State, after: State) -> None:
    """Check that there are words for all that happened in a phase, both for each event and in the report.

    Raises:
        DocumentError: there are no words for something, or they lack something.
    """

    def told() -> Iterator[tuple[str, Phrase]]:
        yield from ((f"results[{at}].reason", result.reason) for at, result in enumerate(record.results))
        yield from ((f"events[{at}]", event.what) for at, event in enumerate(record.events))
        results = restored(rules, rules.sight.view(before, EVERYBODY), record.results)
        report = rules.telling.report(rules.sight.view(after, EVERYBODY), results, record.events)
        yield from (("results", line) for section in report.sections for line in (section.title, *section.lines))

    where = "results"
    try:
        for place, what in told():
            where = place
            words.render(what)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise DocumentError(where, str(error)) from error


def _check_interventions(words: Catalogue, interventions: Sequence[Intervention]) -> None:
    """Check that there are words for what game masters did.

    Raises:
        DocumentError: there are no words for it, or they lack something.
    """
    for number, intervention in enumerate(interventions):
        try:
            if "deadline" in intervention.args:
                datetime.fromtimestamp(intervention.args["deadline"], UTC)
            words.render(what_was_done(intervention))
        except (ArithmeticError, AttributeError, LookupError, OSError, TypeError, ValueError) as error:
            raise DocumentError(f"deeds[{number}]", str(error)) from error


def _check_acts(game: Game, acts: Sequence[Act]) -> None:
    """Check that acts belong to phases that took place, and that no two have the same place.

    Raises:
        ValueError: they do not.
    """
    places = {(act.phase_no, act.number) for act in acts}
    if len(places) < len(acts) or any(not 0 < act.phase_no <= game.phase_no for act in acts):
        raise ValueError("acts: two have the same place, or one is of a phase that never was")


def _check_seats(seats: Sequence[Seat]) -> None:
    """Check that no two seats have the same number, power or player.

    Raises:
        ValueError: two have.
    """
    for name in ("number", "power", "user_id"):
        values = [value for seat in seats if (value := getattr(seat, name)) is not None]
        if len(set(values)) < len(values):
            raise ValueError(f"seats: two have the same {name}")


def _sifted(rules: AnySystem, state: State, imported: _Imported) -> tuple[_Imported, Sequence[Phrase]]:
    """The game without what nothing in it would ever read, and what that is.

    Raises:
        ValueError: a seat has a power that the game does not know.
    """
    game, status, known = imported.game, rules.play.status(state), rules.play.variant(state).powers
    powers = {seat.power for seat in imported.seats}
    if not powers <= known.keys():
        raise ValueError("seats: one has a power that this game does not know")
    useless = []
    if game.phase_code != status.code:
        useless.append(phrase("imported.phase_code", written=game.phase_code[:40], code=status.code))
    sheets, others = _parted(imported.sheets, lambda sheet: sheet.power in powers and sheet.phase_no == game.phase_no)
    useless += [phrase("imported.sheet", power=sheet.power[:40], phase_no=sheet.phase_no) for sheet in others]
    useless += [
        phrase("imported.order", power=known[sheet.power].name, order=error.text.strip()[:80])
        for sheet in sheets
        for error in read_orders(rules, rules.sight.view(state, Playing(sheet.power)), "\n".join(sheet.orders)).errors
    ]
    ballots, lost = _parted(
        imported.ballots, lambda ballot: ballot.power in powers and ballot.phase_no == game.phase_no
    )
    useless += [phrase("imported.ballot", power=ballot.power[:40], phase_no=ballot.phase_no) for ballot in lost]
    proposals, _ = _parted(imported.proposals, lambda proposal: proposal.phase_no == game.phase_no)
    right = replace(game, phase_code=status.code, phase_title=status.title)
    return replace(imported, game=right, sheets=sheets, ballots=ballots, proposals=proposals), useless


def _parted(items: Iterable[_T], is_useful: Callable[[_T], bool]) -> tuple[tuple[_T, ...], tuple[_T, ...]]:
    """Those that are, and the others."""
    all_of_them = tuple(items)
    return tuple(filter(is_useful, all_of_them)), tuple(item for item in all_of_them if not is_useful(item))


def _with_free_token(unit: UnitOfWork, imported: _Imported) -> _Imported:
    """The game under the name that its older buttons know, if no game here has that already."""
    token = imported.game.token
    is_usable = _TOKEN.fullmatch(token) is not None and unit.games.find_by_token(token) is None
    return imported if is_usable else replace(imported, game=replace(imported.game, token=""))


_TOKEN = re.compile(r"[a-z][a-z0-9]{1,31}", re.ASCII)


def _with_own_secret(unit: UnitOfWork, imported: _Imported, guilds: Set[int], seeds: Callable[[], str]) -> _Imported:
    """An unbegun game with a secret that no game of these servers has: the end of either would reveal both."""
    game = imported.game
    if game.document is not None or game.own_seed is None:
        return imported
    if game.own_seed not in {other.own_seed for other in _games_of(unit, guilds)}:
        return imported
    return replace(imported, game=with_chain(game, seeds()))


def _with_own_chain(unit: UnitOfWork, imported: _Imported, guilds: Set[int], seeds: Callable[[], str]) -> _Imported:
    """A game that has begun with a chain of secrets that no game of these servers has, for the dice to come."""
    game = imported.game
    if game.document is None or game.last_link is None:
        return imported
    if game.last_link not in {other.last_link for other in _games_of(unit, guilds)}:
        return imported
    return replace(imported, game=replace(game, last_link=seeds()))


def _games_of(unit: UnitOfWork, guilds: Set[int]) -> Iterator[Game]:
    """The games of servers, read whole."""
    for other_id in {other.id for guild in sorted(guilds) for other in unit.games.in_guild(guild)}:
        other = unit.games.find(other_id)
        if other is not None:
            yield other


def _announce(context: Context, unit: UnitOfWork, game: Game, seats: Sequence[Seat]) -> None:
    """Tell everybody that the game goes on here, and its players what is asked of them, with buttons that work."""
    now = context.clock.now()
    match game.status:
        case GameStatus.LOBBY:
            post.to_channel(unit, game, now, MessageKind.CALL)
        case GameStatus.OVER:
            post.notice(unit, game, now, "imported_over")
        case GameStatus.RUNNING | GameStatus.PAUSED:
            post.notice(unit, game, now, "imported" if game.status is GameStatus.RUNNING else "imported_paused")
            post.to_channel(unit, game, now, MessageKind.PHASE_OPENED)
            table = read_table(context, game, seats)
            for seat in playing_seats(table.status, seats):
                post.to_player(unit, game, seat, now, MessageKind.BRIEFING, {"closed_phase_nos": []})


def _needs_own_seed(context: Context, game: Game) -> bool:
    """Whether dice are still to be thrown. A game that is over goes on by a rollback, which draws a new seed anyway."""
    return game.document is not None and game.status in UNFINISHED and get_rules(context, game).info.has_dice


def _has_seed_of_another(unit: UnitOfWork, game: Game, guilds: Set[int]) -> bool:
    """Whether a game of these servers has or had the same seed."""
    assert game.document is not None, "asked of games that have begun"
    seed = seed_of(game.document)
    for other in _games_of(unit, guilds):
        positions = [record.start for record in unit.phases.of_game(other.id)]
        positions += [] if other.document is None else [other.document]
        if any(seed_of(position) == seed for position in positions):
            return True
    return False


def _with_own_seed(imported: _Imported, last_link: str) -> _Imported:
    """The game under the next number, with the first secret of a chain: one is left out wherever a seed begins."""
    game = imported.game
    assert game.document is not None, "asked of games that have begun"
    number = game.phase_no + 1
    present = [act for act in imported.acts if act.phase_no == game.phase_no]
    document = with_seed(game.document, chain_to(last_link)[0])
    return replace(
        imported,
        game=replace(game, document=document, phase_no=number, last_link=last_link),
        sheets=tuple(replace(sheet, phase_no=number) for sheet in imported.sheets),
        ballots=tuple(replace(ballot, phase_no=number) for ballot in imported.ballots),
        proposals=tuple(replace(proposal, phase_no=number) for proposal in imported.proposals),
        acts=(*imported.acts, *(replace(act, phase_no=number) for act in present)),
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
    for proposal in imported.proposals:
        unit.ballots.propose(replace(proposal, game_id=game.id))
    for act in imported.acts:
        unit.acts.add(replace(act, game_id=game.id))
    for intervention in imported.interventions:
        keep_intervention(unit, game, intervention)
    return game
