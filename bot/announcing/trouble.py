"""Notices to those who run a game: a channel in trouble, and players whose direct messages are closed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime

from bot.announcing.attempt import Posted
from bot.announcing.sender import Undeliverable
from bot.model import Game, MessageKind, Outgoing, Seat, Trouble
from bot.ports import DamagedGame, UnitOfWork
from bot.services import post
from bot.text.plain import NOTHING, Lost

_LOST = {
    Trouble.FILES: frozenset({Lost.FILES}),
    Trouble.EMBEDS: frozenset({Lost.EMBEDS}),
    Trouble.WORDS: frozenset(Lost),
}


def trouble_of(error: Exception) -> Trouble:
    """What an error says about the channel: it is gone, or something is not permitted there."""
    return Trouble.GONE if isinstance(error, Undeliverable) else Trouble.PERMISSION


def note_posted(unit: UnitOfWork, game: Game, message: Outgoing, posted: Posted, now: datetime) -> Game:
    """Record what a post has shown about its channel; about things that the post did not have it has shown nothing."""
    lost = posted.lost | (_LOST.get(game.trouble, NOTHING) - posted.had)
    trouble = next((trouble for trouble, without in _LOST.items() if without == lost), Trouble.NONE)
    return _with_trouble(unit, game, message, trouble, now)


def note_trouble(unit: UnitOfWork, message: Outgoing, trouble: Trouble, now: datetime) -> None:
    """Record trouble with a message's channel."""
    game = unit.games.find(message.game_id)
    if game is not None:
        _with_trouble(unit, game, message, trouble, now)


def _with_trouble(unit: UnitOfWork, game: Game, message: Outgoing, trouble: Trouble, now: datetime) -> Game:
    """Tell the game's masters when there is trouble with its channel: once, however many posts are affected."""
    if game.channel_id != message.target_id or game.trouble is trouble:
        return game
    game = replace(game, trouble=trouble)
    unit.games.update(game)
    if trouble is not Trouble.NONE:
        post.to_masters(unit, game, now, MessageKind.CHANNEL_TROUBLE, {"trouble": str(trouble)})
    return game


def game_of(unit: UnitOfWork, message: Outgoing) -> Game | None:
    """The game of a message, its row locked; `None`: nothing can be recorded with it."""
    try:
        return unit.games.find(message.game_id)
    except DamagedGame:
        return None


def note_open_dms(unit: UnitOfWork, game: Game, reached: Collection[int]) -> None:
    """Direct messages have reached these people again."""
    for seat in unit.games.seats(game.id):
        if seat.dms_closed and seat.user_id in reached:
            unit.games.save_seat(replace(seat, dms_closed=False))


def tell_closed_dms(unit: UnitOfWork, message: Outgoing, why: str, now: datetime) -> None:
    """The channel asks the player, once, to open direct messages, or its game masters, if the player is gone; what was
    in the message stays secret.
    """
    seat = _seat_of(unit, message)
    game = None if seat is None else unit.games.find(message.game_id)
    if seat is None or game is None or seat.dms_closed:
        return
    unit.games.save_seat(replace(seat, dms_closed=True))
    gone = {post.IS_GONE: True} if why.endswith(post.GONE) else {}
    post.to_channel(unit, game, now, MessageKind.DMS_CLOSED, {"user_id": message.target_id, **gone})


def _seat_of(unit: UnitOfWork, message: Outgoing) -> Seat | None:
    """The seat of the player for whom a direct message is, its game's row locked; `None` if the player has left."""
    if game_of(unit, message) is None:
        return None
    return next((seat for seat in unit.games.seats(message.game_id) if seat.user_id == message.target_id), None)
