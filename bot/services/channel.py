"""A game's channel: which messages don't arrive there or with players, and moving the game to another one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.model import Delivery, Game, GameId, GameStatus, MessageKind, Outgoing, Target, Trouble, UserId
from bot.ports import UnitOfWork
from bot.services import post
from bot.services.context import Context
from bot.services.errors import refused
from bot.services.table import get_game, get_rules, require_master, without_secrets
from engine.core.ids import PowerId

_SECRET = frozenset({MessageKind.REQUEST, MessageKind.RULING})
"""Kinds whose mere arrival would reveal that somebody has ordered something, or was active."""


@dataclass(frozen=True, slots=True)
class Failing:
    """Messages that don't arrive somewhere.

    Args:
        power: the power of the player whom they don't reach, if nothing else may be told.
        given_up: how many will not be tried again; `waiting`: how many are.
        error: why the last of them failed, as the outbox keeps it.
    """

    target: Target
    target_id: int
    given_up: int = 0
    waiting: int = 0
    error: str = ""
    power: PowerId | None = None

    @property
    def is_fault(self) -> bool:
        """Whether the bot itself could not make them."""
        return self.given_up > 0 and post.OF_DISCORD.fullmatch(self.error) is None


@dataclass(frozen=True, slots=True)
class Checked:
    """A game, and which of its messages don't arrive."""

    game: Game
    failing: tuple[Failing, ...]


@dataclass(frozen=True, slots=True)
class MovedGame:
    """A game in its new channel, and how many messages will appear there that could not be posted in the old one."""

    game: Game
    held_back: int


def check(context: Context, game_id: GameId, user_id: UserId, *, is_manager: bool) -> Checked:
    """Whose messages fail: the channel's, and those of players and masters whom nothing has reached since.

    Raises:
        Refused: the person is not a game master.
    """
    with context.reading() as unit:
        game = get_game(unit, game_id)
        require_master(game, user_id, is_manager=is_manager)
        seats = unit.games.seats(game_id)
        people = {seat.user_id for seat in seats} | game.game_masters
        messages = [
            message
            for message in unit.outbox.of_game(game_id)
            if message.target_id in (people if message.target is Target.USER else {game.channel_id})
            and not message.is_edit
        ]
    failing = _failing(messages)
    if get_rules(context, game).info.is_anonymous:
        powers = {seat.user_id: seat.power for seat in seats}
        unnamed = (_unnamed(found, powers.get(UserId(found.target_id))) for found in failing)
        # Their own order is that in which the players joined.
        failing = tuple(sorted(unnamed, key=lambda found: found.power or ""))
    return Checked(without_secrets(game), failing)


def _unnamed(failing: Failing, power: PowerId | None) -> Failing:
    """The same, naming the power instead of its player; masters who don't play are known.

    Nor is it told that the player is gone: who has left the server can be seen there.
    """
    if power is None or failing.target is not Target.USER:
        return failing
    error = post.CLOSED if failing.error.endswith(post.GONE) else failing.error
    return replace(failing, target_id=0, power=power, error=error)


def move(
    context: Context, game_id: GameId, user_id: UserId, *, is_manager: bool, guild_id: int, channel_id: int
) -> MovedGame:
    """Move a game to another channel of its server. What could not be posted in the old one is posted in the new one.

    In the channel that it already has, this only posts again what was given up there.

    Raises:
        Refused: the person is no game master, the game is of another server or cancelled, or there is nothing to do.
    """
    with context.unit_of_work() as unit:
        game = get_game(unit, game_id)
        require_master(game, user_id, is_manager=is_manager)
        if game.guild_id != guild_id:
            raise refused("other_server", game=game.name)
        if game.status is GameStatus.CANCELLED:
            raise refused("cancelled", game=game.name)
        moved = replace(game, channel_id=channel_id, trouble=Trouble.NONE)
        held_back = _held_back(unit, game)
        is_same = game.channel_id == channel_id
        if is_same:
            held_back = [message for message in held_back if message.delivery is Delivery.FAILED]
            if not held_back:
                raise refused("already_here", game=game.name)
        now = context.clock.now()
        for message in held_back:
            unit.outbox.update(_readdressed(replace(message, not_before=now), channel_id))
        unit.games.update(moved)
        if not is_same:
            if game.trouble not in (Trouble.PERMISSION, Trouble.GONE):
                post.notice(unit, game, now, "moved_away", channel=channel_id)
            post.notice(unit, moved, now, "moved_here")
        unit.commit()
    context.alarm.mail()
    return MovedGame(without_secrets(moved), sum(not message.is_edit for message in held_back))


def _failing(messages: Sequence[Outgoing]) -> tuple[Failing, ...]:
    places: dict[tuple[Target, int, bool], Failing] = {}
    for message in messages:
        is_fault = message.delivery is Delivery.FAILED and post.OF_DISCORD.fullmatch(message.error) is None
        key = (message.target, message.target_id, is_fault)
        failing = places.get(key, Failing(message.target, message.target_id))
        if message.delivery is Delivery.SENT:
            # A person's later messages make up for earlier ones; posts in a channel would stay missing.
            if message.target is Target.USER:
                places.pop(key, None)
        elif message.kind in _SECRET:
            continue
        elif message.delivery is Delivery.FAILED:
            places[key] = replace(failing, given_up=failing.given_up + 1, error=message.error)
        elif message.error:
            places[key] = replace(failing, waiting=failing.waiting + 1, error=message.error)
    return tuple(places.values())


def _held_back(unit: UnitOfWork, game: Game) -> list[Outgoing]:
    """What waits for the game's channel or was given up there, except what the bot itself could not make."""
    messages = [
        *unit.outbox.of_game(game.id, delivery=Delivery.PENDING),
        *unit.outbox.of_game(game.id, delivery=Delivery.FAILED),
    ]
    return [
        message
        for message in sorted(messages, key=lambda message: message.id)
        if (message.target, message.target_id) == (Target.CHANNEL, game.channel_id)
        and (message.delivery is Delivery.PENDING or not message.is_edit)
        and (message.delivery is Delivery.PENDING or post.OF_DISCORD.fullmatch(message.error))
    ]


def _readdressed(message: Outgoing, channel_id: int) -> Outgoing:
    """The message for another channel, where all of it is sent; in the old one, only what is left of it."""
    again = replace(message, target_id=channel_id, delivery=Delivery.PENDING, faults=0, error="")
    if channel_id == message.target_id:
        return again
    payload = {
        name: value for name, value in message.payload.items() if name not in (post.PARTS_SENT, post.SENT_WITHOUT)
    }
    return replace(again, payload=payload, message_id=None, tried_at=None, composed=None)
