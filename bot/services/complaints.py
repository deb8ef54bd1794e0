"""Players report to the game masters what other players have written to them, or for everybody."""

from __future__ import annotations

from dataclasses import dataclass

from bot.model import Game, GameId, MessageKind, PhaseRecord, UserId
from bot.services import post
from bot.services.context import Context
from bot.services.errors import refused
from bot.services.table import get_game, get_rules, get_seat, without_secrets
from engine.core.events import Event, visible_events
from engine.core.ids import PowerId
from engine.core.phrases import Phrase
from engine.core.viewer import Playing

LONGEST = 1_500
"""The most letters of the comment on it."""


@dataclass(frozen=True, slots=True)
class Reported:
    """A report that has been sent.

    Args:
        title: of the phase.
    """

    game: Game
    title: Phrase


def written_to(record: PhaseRecord, power: PowerId) -> tuple[Event, ...]:
    """What players have written in a closed phase that a power could read."""
    return tuple(event for event in visible_events(record.events, Playing(power)) if event.is_written)


def send(context: Context, game_id: GameId, user_id: UserId, phase_no: int, text: str) -> Reported:
    """Send the game masters what was written to a player in a closed phase, with the player's comment.

    Nobody else learns of it. One report of a phase is enough.

    Raises:
        Refused: the person does not play, nobody wrote anything then, there is no comment, or it was reported before.
    """
    said = text.strip()[:LONGEST]
    with context.unit_of_work() as unit:
        game = get_game(unit, game_id)
        seat = get_seat(game, unit.games.seats(game_id), user_id)
        record = unit.phases.find(game_id, phase_no)
        if seat.power is None or record is None or not written_to(record, seat.power):
            raise refused("nothing_to_report")
        if not said:
            raise refused("empty_report")
        about = {"power": seat.power, "closed_phase_nos": [phase_no]}
        before = (each.payload for each in unit.outbox.of_game(game_id, kind=MessageKind.COMPLAINT))
        if any({**payload, **about} == payload for payload in before):
            raise refused("already_reported", game=game.name)
        post.to_masters(unit, game, context.clock.now(), MessageKind.COMPLAINT, {**about, "text": said})
        unit.commit()
    context.alarm.mail()
    rules = get_rules(context, game)
    return Reported(without_secrets(game), rules.play.status(rules.play.load(record.start)).title)
