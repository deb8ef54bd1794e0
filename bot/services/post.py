"""Queues messages, in the unit of work that makes them true. What they say is composed when they are sent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from bot.model import Game, MessageKind, Outgoing, Seat, Target, UserId
from bot.ports import UnitOfWork
from engine.core.phrases import phrase, phrase_to_json

OF_DISCORD = re.compile(r"\d{3} \d+")
"""An error from Discord, as the outbox stores it: any other is a fault of ours."""
UNNAMED = "_unnamed"
"""The end of the codes of notices that name no player, where players are unknown to each other."""
PARTS_SENT = "parts_sent"
"""In the payload of a long message: how many parts have gone out."""
GONE = (
    " 10013",  # unknown user: the account is deleted
    " 50278",  # no server in common
)
"""Ends of such errors where a person is no longer in the game's server."""
CLOSED = "403 50007"
"""Such an error where a person takes no direct messages."""
IS_GONE = "is_gone"
"""In the payload of a post about a player whom no direct message reaches: they have left the server."""
SENT_WITHOUT = "sent_without"
"""In the payload of a message: what its channel did not take."""
UNTOLD = frozenset(
    {
        MessageKind.REQUEST,
        MessageKind.RULING,
        MessageKind.CHANNEL_TROUBLE,
        MessageKind.STUCK,
        MessageKind.NOTES,
        MessageKind.COMPLAINT,
        MessageKind.ASKED,
    }
)
"""Kinds of direct messages whose failure is reported to nobody. That a request or a ruling came at all is a secret:
somebody has ordered something, or was there; the next briefing or reminder shows whether its player can be reached."""

NOTICES: Mapping[str, str] = {
    MessageKind.REMINDER: "reminders",
    MessageKind.LAST_ONE: "last",
    MessageKind.BRIEFING: "phases",
}
"""Which notice, of those that players can turn off, a direct message of a kind is."""


def to_channel(
    unit: UnitOfWork, game: Game, now: datetime, kind: MessageKind, payload: Mapping[str, Any] | None = None
) -> None:
    """Queue a message for the game's channel."""
    _queue(unit, game, now, Target.CHANNEL, game.channel_id, kind, payload or {})


def to_player(
    unit: UnitOfWork, game: Game, seat: Seat, now: datetime, kind: MessageKind, payload: Mapping[str, Any] | None = None
) -> None:
    """Queue a direct message for the player of a seat; a vacant seat gets none."""
    if seat.user_id is not None:
        _queue(unit, game, now, Target.USER, seat.user_id, kind, {"power": seat.power, **(payload or {})})


def to_masters(unit: UnitOfWork, game: Game, now: datetime, kind: MessageKind, payload: Mapping[str, Any]) -> None:
    """Queue a direct message for each of the game's masters."""
    for user_id in sorted(game.game_masters):
        _queue(unit, game, now, Target.USER, user_id, kind, payload)


def change(
    unit: UnitOfWork, game: Game, now: datetime, kind: MessageKind, payload: Mapping[str, Any] | None = None
) -> None:
    """Queue a change of the last message of this kind in the game's present phase: it is composed again as things are
    then. If it is gone, a new one takes its place."""
    _queue(unit, game, now, Target.CHANNEL, game.channel_id, kind, payload or {}, is_edit=True)


STATUS = frozenset({MessageKind.OPENING, MessageKind.PHASE_OPENED})
"""Kinds of the post that opens a phase, and is kept up to date while it is open."""
ONLY_IF_THERE = "only_if_there"
"""In the payload of a change: if the message is gone, nothing is posted in its place."""


def change_status(unit: UnitOfWork, game: Game, now: datetime, *, is_over: bool = False) -> None:
    """Queue an update of the post about the game's present phase.

    Args:
        is_over: the phase has closed, so a post that is gone is not missed.
    """
    status = unit.outbox.last_of_phase(game.id, game.phase_no, STATUS)
    if status is not None:
        change(unit, game, now, MessageKind(status.kind), {ONLY_IF_THERE: True} if is_over else {})


def notice(unit: UnitOfWork, game: Game, now: datetime, code: str, /, **args: Any) -> None:
    """Queue one of the short announcements of the catalogue's `[notice]` for the game's channel."""
    to_channel(unit, game, now, MessageKind.NOTICE, _notice(code, args))


def intervention(unit: UnitOfWork, game: Game, now: datetime, code: str, /, *, master: UserId, **args: Any) -> None:
    """Queue an announcement of what a game master did, by name; the report of the phase repeats it at its top."""
    to_channel(unit, game, now, MessageKind.NOTICE, {**_notice(code, args), "is_deed": True, "master": master})


def cut_short(unit: UnitOfWork, game: Game, now: datetime, code: str, /, *, master: UserId) -> None:
    """Queue an announcement of who cut a phase short; the results say that it was."""
    to_channel(unit, game, now, MessageKind.NOTICE, {**_notice(code, {}), "master": master})


def notice_to(
    unit: UnitOfWork, game: Game, now: datetime, users: Iterable[UserId | None], code: str, /, **args: Any
) -> None:
    """Queue an announcement that some people are notified of."""
    mentions = sorted(user for user in users if user is not None)
    to_channel(unit, game, now, MessageKind.NOTICE, {**_notice(code, args), "mentions": mentions})


def call_masters(unit: UnitOfWork, game: Game, now: datetime, code: str, /, **args: Any) -> None:
    """Queue an announcement that the game's masters are notified of."""
    notice_to(unit, game, now, game.game_masters, code, **args)


def _notice(code: str, args: Mapping[str, Any]) -> dict[str, Any]:
    return phrase_to_json(phrase(f"notice.{code}", **args))


def _queue(
    unit: UnitOfWork,
    game: Game,
    now: datetime,
    target: Target,
    target_id: int,
    kind: MessageKind,
    payload: Mapping[str, Any],
    *,
    is_edit: bool = False,
) -> None:
    if target is Target.USER and _is_unwanted(unit, UserId(target_id), kind, payload):
        return
    unit.outbox.add(
        Outgoing(
            id=0,
            game_id=game.id,
            phase_no=game.phase_no,
            target=target,
            target_id=target_id,
            kind=kind,
            payload=payload,
            created_at=now,
            not_before=now,
            is_edit=is_edit,
        )
    )


def _is_unwanted(unit: UnitOfWork, user_id: UserId, kind: MessageKind, payload: Mapping[str, Any]) -> bool:
    """Whether a person has turned this off. The message from which they learn that they play always comes."""
    notice = NOTICES.get(kind)
    is_first = kind == MessageKind.BRIEFING and not payload.get("closed_phase_nos")
    return notice is not None and not is_first and notice in unit.notices.off(user_id)
