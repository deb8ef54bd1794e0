"""What game masters did to a game, as it was announced. Reports repeat it, and exports include it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.model import Delivery, Game, GameId, MessageKind, Outgoing, PhaseRecord, Target
from bot.ports import UnitOfWork
from bot.services.post import UNNAMED
from engine.core.phrases import Phrase, phrase_from_json

EDITED = "notice.edited"
"""A change of the position; `text` is the change."""


@dataclass(frozen=True, slots=True)
class Intervention:
    """Something that a game master did and that was announced.

    Args:
        phase_no: the phase that it was done in.
        code, args: of the phrase that announced it.
    """

    phase_no: int
    at: datetime
    code: str
    args: Mapping[str, Any]


def what_was_done(intervention: Intervention) -> Phrase:
    """The phrase with which reports repeat it. They name nobody."""
    code = intervention.code.replace("notice.", "intervention.", 1).removesuffix(UNNAMED)
    return phrase_from_json({"code": code, "args": intervention.args})


def interventions_of_game(unit: UnitOfWork, game_id: GameId) -> tuple[Intervention, ...]:
    """All that was done to a game, oldest first."""
    return tuple(
        Intervention(message.phase_no, message.created_at, str(message.payload["code"]), message.payload["args"])
        for message in unit.outbox.of_game(game_id, kind=MessageKind.NOTICE)
        if message.payload.get("is_deed")
    )


def interventions_of_phase(unit: UnitOfWork, record: PhaseRecord) -> tuple[Intervention, ...]:
    """What was done between a closed phase and the one that was played before it, undone phases included."""
    before = unit.phases.number_before(record.game_id, record.phase_no)
    return tuple(
        each for each in interventions_of_game(unit, record.game_id) if before < each.phase_no <= record.phase_no
    )


def changes_before(
    interventions: Sequence[Intervention], records: Sequence[PhaseRecord], before: PhaseRecord, after: PhaseRecord
) -> tuple[Intervention, ...]:
    """The changes of the position with which a phase that followed another one was played, oldest first.

    A phase that is played again begins with what was changed in it before; what was changed in those that came after it
    and were undone is gone.
    """
    played = {
        record.phase_no
        for record in records
        if before.phase_no < record.phase_no <= after.phase_no and record.code == after.code
    }
    return tuple(each for each in interventions if each.code == EDITED and each.phase_no in played)


def keep_intervention(unit: UnitOfWork, game: Game, intervention: Intervention) -> None:
    """Store what was done to a game elsewhere; it is not announced again."""
    unit.outbox.add(
        Outgoing(
            id=0,
            game_id=game.id,
            phase_no=intervention.phase_no,
            target=Target.CHANNEL,
            target_id=game.channel_id,
            kind=MessageKind.NOTICE,
            payload={"code": intervention.code, "args": intervention.args, "is_deed": True},
            created_at=intervention.at,
            not_before=intervention.at,
            delivery=Delivery.SENT,
        )
    )
