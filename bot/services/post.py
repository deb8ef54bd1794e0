"""Queues messages, in the unit of work that makes them true. What they say is composed when they are sent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from bot.model import Game, Outgoing, Seat, Target, UserId
from bot.ports import UnitOfWork

UNNAMED = "_unnamed"
"""The end of the codes of notices that name no player, where players are unknown to each other."""
PARTS_SENT = "parts_sent"
"""In the payload of a long message: how many parts have gone out."""
UNTOLD = frozenset({"request", "channel_trouble", "stuck"})
"""Kinds of direct messages of which nobody is told that they could not be delivered. That a request came at all is a
secret: somebody has ordered something; whether its player can be reached is told of the next briefing or reminder."""


def to_channel(
    unit: UnitOfWork, game: Game, now: datetime, kind: str, payload: Mapping[str, Any] | None = None
) -> None:
    """Queue a message for the game's channel."""
    _queue(unit, game, now, Target.CHANNEL, game.channel_id, kind, payload or {})


def to_player(
    unit: UnitOfWork, game: Game, seat: Seat, now: datetime, kind: str, payload: Mapping[str, Any] | None = None
) -> None:
    """Queue a direct message for the player of a seat; a vacant seat gets none."""
    if seat.user_id is not None:
        _queue(unit, game, now, Target.USER, seat.user_id, kind, {"power": seat.power, **(payload or {})})


def to_masters(unit: UnitOfWork, game: Game, now: datetime, kind: str, payload: Mapping[str, Any]) -> None:
    """Queue a direct message for each of the game's masters."""
    for user_id in sorted(game.game_masters):
        _queue(unit, game, now, Target.USER, user_id, kind, payload)


def notice(unit: UnitOfWork, game: Game, now: datetime, code: str, /, **args: Any) -> None:
    """Queue one of the short announcements of the catalogue's `[notice]` for the game's channel."""
    to_channel(unit, game, now, "notice", _notice(code, args))


def deed(unit: UnitOfWork, game: Game, now: datetime, code: str, /, *, master: UserId, **args: Any) -> None:
    """Queue an announcement of what a game master did, by name; the report of the phase tells it again in its head.

    Source: King of Kings, rules 15
    """
    to_channel(unit, game, now, "notice", {**_notice(code, args), "is_deed": True, "master": master})


def cut_short(unit: UnitOfWork, game: Game, now: datetime, code: str, /, *, master: UserId) -> None:
    """Queue an announcement of who cut a phase short; that it was, its results tell."""
    to_channel(unit, game, now, "notice", {**_notice(code, {}), "master": master})


def notice_to(
    unit: UnitOfWork, game: Game, now: datetime, users: Iterable[UserId | None], code: str, /, **args: Any
) -> None:
    """Queue an announcement that some people are notified of."""
    mentions = sorted(user for user in users if user is not None)
    to_channel(unit, game, now, "notice", {**_notice(code, args), "mentions": mentions})


def call_masters(unit: UnitOfWork, game: Game, now: datetime, code: str, /, **args: Any) -> None:
    """Queue an announcement that the game's masters are notified of."""
    notice_to(unit, game, now, game.game_masters, code, **args)


def _notice(code: str, args: Mapping[str, Any]) -> dict[str, Any]:
    return {"code": f"notice.{code}", "args": args}


def _queue(
    unit: UnitOfWork,
    game: Game,
    now: datetime,
    target: Target,
    target_id: int,
    kind: str,
    payload: Mapping[str, Any],
) -> None:
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
        )
    )
