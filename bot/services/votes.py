"""Ending a game by agreement: draws, concessions, and ends by consent. Who voted how is told to nobody.

That something was proposed is announced, never by whom. A vote is carried when every player still in the game is in
favour, or for an end by consent as many as the rules want; seats without a player, and those open because theirs has
gone silent, hold nothing up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.model import Ballot, BallotKind, Game, GameId, GameStatus, Seat, UserId
from bot.ports import UnitOfWork
from bot.services import post
from bot.services.context import Context
from bot.services.errors import refused, refused_with
from bot.services.table import (
    Table,
    get_seat,
    get_table,
    playing_seats,
    read_power,
    require_unfinished,
    without_secrets,
)
from bot.services.turns import VOTE, end_within, ring
from engine.core.ids import PowerId
from engine.core.phrases import phrase


@dataclass(frozen=True, slots=True)
class VoteReceipt:
    """What a voter is told: their own vote, and whether it carried."""

    game: Game
    kind: BallotKind
    in_favour: bool
    winner: PowerId | None
    carried: bool


def vote(
    context: Context, game_id: GameId, user_id: UserId, kind: BallotKind, in_favour: bool, winner: str | None
) -> VoteReceipt:
    """Vote for a draw among all powers still in the game, for conceding it to one, or for its end; or take that back.

    A vote holds until the phase ends. Saying nothing is a vote against.

    Args:
        winner: for a concession, to whom.

    Raises:
        Refused: the person has no power in the game, the game does not run, the winner is none, or the rules know
            no end by consent.
    """
    with context.unit_of_work() as unit:
        table = get_table(context, unit, game_id)
        power = _voting_power(table, user_id)
        if kind is BallotKind.END and table.rules.play.consent_needed is None:
            raise refused("no_end_by_consent", game=table.game.name)
        to_whom = _read_winner(table, kind, winner) if in_favour else None
        ballots = unit.ballots.of_phase(game_id, table.game.phase_no)
        ended = None
        if in_favour or any(ballot.power == power and ballot.kind is kind for ballot in ballots):
            if in_favour and not any(ballot.kind is kind and ballot.winner == to_whom for ballot in ballots):
                _announce(context, unit, table, kind, to_whom)
            unit.ballots.cast(Ballot(game_id, table.game.phase_no, power, kind, in_favour, to_whom))
            ended = end_if_carried(context, unit, table)
        unit.commit()
    if ended is not None:
        ring(context, ended)
    context.alarm.mail()
    return VoteReceipt(without_secrets(ended or table.game), kind, in_favour, to_whom, ended is not None)


def end_if_carried(context: Context, unit: UnitOfWork, table: Table) -> Game | None:
    """End the game, in the caller's unit of work, if all who are still in it agree on how.

    Returns: the ended game, or `None`.
    """
    voters = _voters(table)
    ballots = [ballot for ballot in unit.ballots.of_phase(table.game.id, table.game.phase_no) if ballot.in_favour]
    for proposal in sorted({(ballot.kind, ballot.winner or "") for ballot in ballots}):
        kind, winner = proposal
        in_favour = {ballot.power for ballot in ballots if (ballot.kind, ballot.winner or "") == proposal}
        if voters and len(voters & in_favour) >= _needed(table, kind, len(voters)):
            return _end(context, unit, table, kind, PowerId(winner) if winner else None)
    return None


def _needed(table: Table, kind: BallotKind, voters: int) -> int:
    """How many votes carry it: all, but for an end by consent as many as the rules want."""
    if kind is BallotKind.END and table.rules.play.consent_needed:
        return min(voters, table.rules.play.consent_needed(table.state))
    return voters


def survivors(table: Table) -> tuple[PowerId, ...]:
    """The powers that share a draw: those with a seat that are not out, in seat order."""
    seated = {seat.power for seat in table.seats}
    powers = table.rules.play.variant(table.state).powers
    return tuple(power for power in powers if power in seated and power not in table.status.out)


def _voting_power(table: Table, user_id: UserId) -> PowerId:
    game = table.game
    seat = get_seat(game, table.seats, user_id)
    require_unfinished(game)
    if game.status is not GameStatus.RUNNING:
        raise refused("paused", game=game.name)
    if seat.power is None or seat.power in table.status.out:
        raise refused("power_is_out", power=seat.power)
    return seat.power


def _read_winner(table: Table, kind: BallotKind, text: str | None) -> PowerId | None:
    if kind is not BallotKind.CONCESSION:
        return None
    in_game = survivors(table)
    hint = phrase("refused.hint.powers", powers=in_game)
    if text is None or not text.strip():
        raise refused_with(hint, "winner_missing")
    winner = read_power(table.rules.play.variant(table.state), text)
    if winner not in in_game:
        raise refused_with(hint, "winner_is_out", power=winner)
    return winner


def _announce(context: Context, unit: UnitOfWork, table: Table, kind: BallotKind, winner: PowerId | None) -> None:
    now = context.clock.now()
    if kind is BallotKind.END:
        post.notice(unit, table.game, now, "end_proposed")
    elif winner is None:
        post.notice(unit, table.game, now, "draw_proposed")
    else:
        post.notice(unit, table.game, now, "concession_proposed", power=winner)


def _voters(table: Table) -> set[PowerId]:
    seats: Sequence[Seat] = playing_seats(table.status, table.seats)
    return {seat.power for seat in seats if seat.power is not None and not seat.is_open}


def _end(context: Context, unit: UnitOfWork, table: Table, kind: BallotKind, winner: PowerId | None) -> Game | None:
    now = context.clock.now()
    if kind is BallotKind.DRAW:
        winners = survivors(table)
        why = phrase("agreed.draw", powers=winners)
        post.notice(unit, table.game, now, "draw_carried", powers=list(winners))
    elif kind is BallotKind.END:
        winners = table.rules.play.leaders(table.state)
        why = phrase("agreed.end", powers=winners)
        post.notice(unit, table.game, now, "end_carried", powers=list(winners))
    else:
        assert winner is not None, "a concession names a winner"
        winners = (winner,)
        why = phrase("agreed.concession", power=winner)
        post.notice(unit, table.game, now, "concession_carried", power=winner)
    return end_within(context, unit, table, table.rules.play.end(table.state, winners, why), VOTE)
