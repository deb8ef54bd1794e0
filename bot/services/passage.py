"""A game's passage from one phase to the next that waits for somebody, and what everybody is told of it.

`turns` makes it and stores it; the messages are queued in the same transaction.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from bot.model import ClosedBecause, Delivery, Game, GameStatus, MessageKind, PhaseRecord, Seat, StoredSheet, UserId
from bot.ports import DamagedGame, UnitOfWork
from bot.services import post
from bot.services.course import Course
from bot.services.inbox import is_all_read
from bot.services.table import playing_seats
from engine.core.ids import PowerId

MISSES_TO_OPEN = 2
"""Phases missed in a row after which a player counts as silent: the seat may be taken over, and nothing goes on for
silent players alone."""
MISSES_TO_CALL = 3
"""Phases missed in a row after which the game masters are asked to find somebody."""
MOST_TOLD = 5
"""Of how many earlier phases at most a briefing tells whose player did not hear of them: `/history` has all."""


def is_silent(seat: Seat) -> bool:
    """Whether its player has missed so many phases in a row that the seat may be taken over."""
    return seat.missed >= MISSES_TO_OPEN


@dataclass(frozen=True, slots=True)
class Passage:
    """A game's passage through one phase, and through those in which nobody has a choice.

    Args:
        game: at the first of them, with its times.
        seats: as they are stored; `seats_after`: as they are to be.
        sheets: of the first phase; `because`: why it closes. The others close because nobody has a choice in them.
        from_phase_no: the phase that was open before; a rollback leads from it to another.
        out_before: powers that were out already; as long as they are, their players get no more messages.
        counts: whether silence in the first phase counts against its players.
    """

    game: Game
    seats: Sequence[Seat]
    seats_after: Sequence[Seat]
    course: Course
    sheets: Mapping[PowerId, StoredSheet]
    because: ClosedBecause
    from_phase_no: int
    out_before: Sequence[PowerId]
    counts: bool = False

    @property
    def silence(self) -> int:
        """How many phases in a row all players of powers still in the game have missed; 0 if there are none."""
        return min((seat.missed for seat in playing_seats(self.course.status, self.seats_after)), default=0)

    @property
    def newly_silent(self) -> Sequence[Seat]:
        """The seats that become open, or the computer's, because their players have been silent too long."""
        return [
            after
            for before, after in zip(self.seats, self.seats_after, strict=True)
            if is_silent(after) and not is_silent(before) and (after.is_open or after.computer is not None)
        ]

    @property
    def is_silent(self) -> bool:
        """Whether the phase waited in vain until its deadline, and no player is left who isn't silent: the game does
        not go on for nobody."""
        return self.counts and self.silence >= MISSES_TO_OPEN


def tell_of_phases(
    unit: UnitOfWork, game: Game, records: Sequence[PhaseRecord], passage: Passage, now: datetime, *, is_anonymous: bool
) -> None:
    """Queue what everybody is told of the phases that passed, and of the one that begins, or of the end."""
    eventful = [record for number, record in enumerate(records) if number == 0 or record.results or record.events]
    _tell_results(unit, game, eventful, passage, now)
    if game.status is GameStatus.OVER:
        post.to_channel(unit, game, now, MessageKind.GAME_OVER)
        status = passage.course.status
        out = {*passage.out_before, *status.out} - {*(status.winners or ())}
        tell_result(unit, game, passage.seats_after, out, now)
    else:
        if passage.is_silent and not passage.course.has_stopped:
            _tell_of_pause(unit, game, passage, now, is_anonymous=is_anonymous)
        else:
            _tell_of_silence(unit, game, passage, now, is_anonymous=is_anonymous)
        if passage.course.has_stopped:
            post.call_masters(unit, game, now, "nobody_plays")
        if records or game.phase_no > 1:
            # The message that opens a game covers its first phase.
            post.to_channel(unit, game, now, MessageKind.PHASE_OPENED)
        _brief_players(unit, game, [record.phase_no for record in eventful], passage, now)
    if records:
        # Last of all: what is news does not wait for it.
        post.change_status(unit, replace(game, phase_no=records[0].phase_no), now, is_over=True)


def _tell_results(
    unit: UnitOfWork, game: Game, eventful: Sequence[PhaseRecord], passage: Passage, now: datetime
) -> None:
    """To the channel what came of each phase, and to the game masters what was written to them."""
    for record in eventful:
        payload = {"phase_no": record.phase_no, **_read_in_time(unit, record, passage.game.failures)}
        post.to_channel(unit, game, now, MessageKind.PHASE_CLOSED, payload)
    for record in eventful:
        if any(event.is_for_masters for event in record.events):
            post.to_masters(unit, game, now, MessageKind.NOTES, {"closed_phase_nos": [record.phase_no]})


def _tell_of_silence(unit: UnitOfWork, game: Game, passage: Passage, now: datetime, *, is_anonymous: bool) -> None:
    """Which seats are open, or played by the computer, because their players have been silent; and call the masters if
    that goes on.
    """
    for after in passage.newly_silent:
        whom = [] if is_anonymous else [after.user_id]
        power, missed = after.power, after.missed
        if after.computer is None:
            post.notice_to(unit, game, now, whom, "seat_missed", power=power, missed=missed)
        else:
            level = str(after.computer)
            post.notice_to(unit, game, now, whom, "seat_stood_in", power=power, missed=missed, level=level)
    _tell_whose_seats_are_open(unit, game, passage, now)
    seats = zip(passage.seats, passage.seats_after, strict=True)
    long_gone = [after.power for before, after in seats if before.missed < after.missed == MISSES_TO_CALL]
    if long_gone:
        post.call_masters(unit, game, now, "often_missed", powers=long_gone, missed=MISSES_TO_CALL)


def _tell_of_pause(unit: UnitOfWork, game: Game, passage: Passage, now: datetime, *, is_anonymous: bool) -> None:
    """That the game pauses since all its players have been silent: one post, which says what becomes of the seats."""
    players = [] if is_anonymous else [seat.user_id for seat in passage.newly_silent]
    whom = {*game.game_masters, *players}
    if any(seat.is_open for seat in passage.seats_after):
        post.notice_to(unit, game, now, whom, "all_silent_open", missed=passage.silence)
    else:
        post.notice_to(unit, game, now, whom, "all_silent", missed=passage.silence)
    _tell_whose_seats_are_open(unit, game, passage, now)


def _tell_whose_seats_are_open(unit: UnitOfWork, game: Game, passage: Passage, now: datetime) -> None:
    for seat in passage.newly_silent:
        if seat.is_open:
            post.to_player(unit, game, seat, now, MessageKind.SEAT_OPENED, {"missed": seat.missed})


def _brief_players(unit: UnitOfWork, game: Game, numbers: Sequence[int], passage: Passage, now: datetime) -> None:
    """Tell each player what happened in the phases of these numbers, and what is asked of them now; not those who were
    out before.
    """
    told_already = {*passage.out_before} & {*passage.course.status.out}
    untold = _untold(unit, passage)
    for seat in passage.seats_after:
        if seat.power is not None and seat.power not in told_already:
            closed = [*untold.get((seat.power, seat.user_id), ())[-MOST_TOLD:], *numbers]
            post.to_player(unit, game, seat, now, MessageKind.BRIEFING, {"closed_phase_nos": closed})


def _untold(unit: UnitOfWork, passage: Passage) -> Mapping[tuple[PowerId, UserId | None], Sequence[int]]:
    """Of which phases players have not heard since Discord did not take their last briefing, by power and player."""
    game_id, phase_no = passage.game.id, passage.from_phase_no
    try:
        failed = unit.outbox.of_game(game_id, delivery=Delivery.FAILED, kind=MessageKind.BRIEFING)
    except DamagedGame:
        # The game goes on all the same.
        return {}
    last = [each for each in failed if each.phase_no == phase_no and post.OF_DISCORD.fullmatch(each.error)]
    # What was undone since is not told.
    standing = {number for number, _ in unit.phases.codes(game_id)} if last else set()
    return {
        (PowerId(briefing.payload["power"]), UserId(briefing.target_id)): [
            number for number in briefing.payload.get("closed_phase_nos", ()) if number in standing
        ]
        for briefing in last
    }


def _read_in_time(unit: UnitOfWork, record: PhaseRecord, failures: int) -> dict[str, Any]:
    """Whether all direct messages from before the deadline had been read when a phase was closed late.

    That goes without saying where the bot was there, and only could not close it.
    """
    if not record.late_s or record.deadline_at is None or failures:
        return {}
    return {"is_all_read": is_all_read(unit, record.opened_at, record.deadline_at)}


def tell_result(unit: UnitOfWork, game: Game, seats: Sequence[Seat], out: Collection[PowerId], now: datetime) -> None:
    """Tell those for whom the game was already over how it ended: they have heard nothing since."""
    for seat in seats:
        if seat.power in out:
            post.to_player(unit, game, seat, now, MessageKind.RESULT)
