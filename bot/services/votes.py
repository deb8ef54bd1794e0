"""Ending a game by agreement: draws, concessions, and ends by consent. Nobody learns who voted how.

That something was proposed is announced, never by whom. Who has to agree is fixed then: everybody who
plays a power still in the game, except those who have gone silent. It is carried when all of them are in favour, or
for an end by consent as many as the rules require. A player who gives up a seat after that, or loses it, has not
agreed, and nobody agrees in their place; nor for a seat that a game master has emptied. The computer agrees to a draw
for its powers, as long as none of them is ahead of all others by itself, and is not asked whether to concede, or to end
the game as it stands.
Source: docs/running-a-game.md, "Ending by agreement"
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from bot.model import Ballot, BallotKind, ClosedBecause, Game, GameId, GameStatus, Proposal, UserId
from bot.ports import UnitOfWork
from bot.services import post
from bot.services.context import Context
from bot.services.errors import refused, refused_with
from bot.services.seats import come_back
from bot.services.table import (
    Table,
    computer_seats,
    get_seat,
    get_table,
    playing_seats,
    read_power,
    require_unfinished,
    seat_of_power,
    without_secrets,
)
from bot.services.turns import end_within, ring
from engine.core.ids import PowerId
from engine.core.phrases import phrase
from engine.core.variant import Power
from engine.core.viewer import EVERYBODY, Playing

LEAST_VOTERS = 2
"""An agreement needs at least this many people."""


@dataclass(frozen=True, slots=True)
class VoteReceipt:
    """The answer to a voter: their own vote, and whether the proposal carried.

    Args:
        blocked: powers that have to agree, with nobody left who could do so in this phase.
        computers: powers for which the computer answers.
        had_none: there was no vote of theirs to withdraw.
    """

    game: Game
    kind: BallotKind
    in_favour: bool
    winner: PowerId | None
    carried: bool
    blocked: tuple[PowerId, ...] = ()
    computers: tuple[PowerId, ...] = ()
    had_none: bool = False


def vote(
    context: Context, game_id: GameId, user_id: UserId, kind: BallotKind, in_favour: bool, winner: str | None
) -> VoteReceipt:
    """Vote for a draw among all powers still in the game, for conceding it to one, or for its end; or withdraw a vote.

    A vote holds until the phase ends. Saying nothing is a vote against.

    Args:
        winner: for a concession, to whom.

    Raises:
        Refused: the person has no power in the game, the game is not running, the winner is not valid, the rules have
            no end by consent, or nobody else plays who could agree.
    """
    with context.unit_of_work() as unit:
        table = get_table(context, unit, game_id)
        power = _voting_power(table, user_id)
        if kind is BallotKind.END and table.rules.play.consent_needed is None:
            raise refused("no_end_by_consent", game=table.game.name)
        to_whom = _read_winner(table, kind, winner) if in_favour else None
        ballots = unit.ballots.of_phase(game_id, table.game.phase_no)
        has_voted = any(ballot.power == power and ballot.kind is kind and ballot.in_favour for ballot in ballots)
        ended: Game | None = None
        blocked: tuple[PowerId, ...] = ()
        if in_favour:
            table = _with_player_back(context, unit, table, user_id)
            earlier = next((ballot for ballot in ballots if (ballot.power, ballot.kind) == (power, kind)), None)
            proposal = _proposal(context, unit, table, kind, to_whom, earlier)
            blocked = _blocked(table, proposal)
            unit.ballots.cast(Ballot(game_id, table.game.phase_no, power, kind, True, to_whom))
            ended = _end_if_carried(context, unit, table, proposal)
        elif has_voted:
            unit.ballots.cast(Ballot(game_id, table.game.phase_no, power, kind, False))
        unit.commit()
    if ended is not None:
        ring(context, ended)
    context.alarm.mail()
    game, computers = without_secrets(ended or table.game), _asked_computers(table, kind)
    had_none = not in_favour and not has_voted
    return VoteReceipt(game, kind, in_favour, to_whom, ended is not None, blocked, computers, had_none)


def _proposal(
    context: Context, unit: UnitOfWork, table: Table, kind: BallotKind, winner: PowerId | None, earlier: Ballot | None
) -> Proposal:
    """What is voted on, as it was proposed; if it wasn't yet, it is proposed now, and announced.

    Args:
        earlier: the voter's vote of this kind in this phase, even if it was withdrawn. Whoever has one proposes nothing
            new: each proposal is a post in the channel, and there could be one for every power.
    """
    game = table.game
    proposals = [each for each in unit.ballots.proposals(game.id, game.phase_no) if each.kind is kind]
    for proposal in proposals:
        if proposal.winner == winner:
            return proposal
    proposed = tuple(each.winner for each in proposals if each.winner is not None)
    if earlier is not None and proposed:
        raise refused_with(phrase("refused.hint.proposed", powers=proposed), "one_concession", game=game.name)
    proposal = Proposal(game.id, game.phase_no, kind, winner, _voters(table))
    if len(proposal.voters) + len(_asked_computers(table, kind)) < LEAST_VOTERS:
        raise refused("nobody_to_agree", game=game.name)
    unit.ballots.propose(proposal)
    _announce(context, unit, table, kind, winner)
    return proposal


def _with_player_back(context: Context, unit: UnitOfWork, table: Table, user_id: UserId) -> Table:
    """Count the voter as active again."""
    seat = get_seat(table.game, table.seats, user_id)
    kept = come_back(context, unit, table.game, seat)
    if kept == seat:
        return table
    unit.games.save_seat(kept)
    return replace(table, seats=tuple(kept if other == seat else other for other in table.seats))


def _blocked(table: Table, proposal: Proposal) -> tuple[PowerId, ...]:
    """The powers that have to agree and whose player at that time has left."""
    players = {seat.power: seat.user_id for seat in table.seats}
    return tuple(
        power for power, user_id in proposal.voters.items() if user_id is None or players.get(power) != user_id
    )


def _voters(table: Table) -> Mapping[PowerId, UserId | None]:
    """Who has to agree: everybody who plays, and nobody for a seat from which a game master removed the player."""
    seats = [seat for seat in table.seats if seat.power is not None and seat.power not in table.status.out]
    return {
        seat.power: seat.user_id
        for seat in seats
        if seat.power is not None and (seat.is_removed or (seat.user_id is not None and not seat.is_open))
    }


def _end_if_carried(context: Context, unit: UnitOfWork, table: Table, proposal: Proposal) -> Game | None:
    """End the game, in the caller's unit of work, if those who have to agree do.

    Returns: the ended game, or `None`.
    """
    agreed = {
        ballot.power
        for ballot in unit.ballots.of_phase(table.game.id, table.game.phase_no)
        if ballot.in_favour and (ballot.kind, ballot.winner) == (proposal.kind, proposal.winner)
    }
    if not all(_agrees(table, power) for power in _asked_computers(table, proposal.kind)):
        return None
    consenting = agreed & (proposal.voters.keys() - set(_blocked(table, proposal)))
    if len(consenting) < _needed(table, proposal):
        return None
    return _end(context, unit, table, proposal.kind, proposal.winner)


def _asked_computers(table: Table, kind: BallotKind) -> tuple[PowerId, ...]:
    """The powers for which the computer is asked: for a draw all that it plays.

    Nobody can answer for those whose player was removed by a game master.
    """
    if kind is not BallotKind.DRAW:
        return ()
    seats = computer_seats(table.status, table.seats)
    return tuple(seat.power for seat in seats if seat.power is not None and not seat.is_removed)


def _agrees(table: Table, power: PowerId) -> bool:
    """Whether the computer agrees to a draw for a power: unless that is ahead of all others, as far as it knows."""
    count = table.rules.telling.standings
    if count is None:
        return True
    figures = count(table.rules.sight.view(table.state, Playing(power))).figures
    others = [figure for other, figure in figures.items() if other != power]
    return not others or figures.get(power, 0) <= max(others)


def _needed(table: Table, proposal: Proposal) -> int:
    """How many votes carry it: all; for an end by consent, as many as the rules require."""
    voters, consent_needed = len(proposal.voters), table.rules.play.consent_needed
    if proposal.kind is BallotKind.END and consent_needed is not None:
        return min(voters, consent_needed(table.state))
    return voters


def survivors(table: Table) -> tuple[PowerId, ...]:
    """The powers that share a draw, and can be conceded to: those that somebody plays, or the computer, and that are
    not out."""
    seats = (*playing_seats(table.status, table.seats), *computer_seats(table.status, table.seats))
    played = {seat.power for seat in seats}
    return tuple(power for power in table.atlas(EVERYBODY).powers if power in played)


def possible_winners(context: Context, game_id: GameId) -> tuple[Power, ...]:
    """The powers to which a game can be conceded, in seat order.

    Raises:
        Refused: there is no such game, or it has not begun.
    """
    with context.reading() as unit:
        table = get_table(context, unit, game_id)
    powers = table.atlas(EVERYBODY).powers
    return tuple(powers[power] for power in survivors(table))


def _voting_power(table: Table, user_id: UserId) -> PowerId:
    game = table.game
    seat = get_seat(game, table.seats, user_id)
    require_unfinished(game)
    if game.status is not GameStatus.RUNNING:
        raise refused("paused", game=game.name)
    if seat.power is None or seat.power in table.status.out:
        raise refused("power_is_out", power=seat.power, game=game.name)
    return seat.power


def _read_winner(table: Table, kind: BallotKind, text: str | None) -> PowerId | None:
    if kind is not BallotKind.CONCESSION:
        return None
    in_game = survivors(table)
    hint = phrase("refused.hint.powers", powers=in_game)
    if text is None or not text.strip():
        raise refused_with(hint, "winner_missing")
    winner = read_power(table.atlas(EVERYBODY), text)
    if winner not in in_game:
        seat = seat_of_power(table.seats, winner)
        is_out = seat is not None and winner in table.status.out
        raise refused_with(hint, "winner_is_out" if is_out else "power_not_played", power=winner)
    return winner


def _announce(context: Context, unit: UnitOfWork, table: Table, kind: BallotKind, winner: PowerId | None) -> None:
    now = context.clock.now()
    if kind is BallotKind.END:
        post.notice(unit, table.game, now, "end_proposed")
    elif winner is None:
        post.notice(unit, table.game, now, "draw_proposed")
    else:
        post.notice(unit, table.game, now, "concession_proposed", power=winner)


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
    return end_within(context, unit, table, table.rules.play.end(table.state, winners, why), ClosedBecause.VOTE)
