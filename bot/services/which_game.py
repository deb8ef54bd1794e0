"""Which game somebody means, by its name, the channel, or the games that he or she plays."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from bot.model import Game, GameId, GameStatus, UserId
from bot.ports import LeftOut
from bot.services.context import Context
from bot.services.errors import Refused, did_you_mean, refused, refused_with
from bot.services.orders import can_be_read
from bot.services.setup import LONGEST_NAME
from bot.services.sheets import SubmitMode
from bot.services.table import UNFINISHED, find_seat, require_unfinished, without_secrets
from engine.core.phrases import phrase

_QUOTES = '*_"“”„«»'
"""What may surround a name: the bot's own messages show names in bold and in quotation marks."""
_LONGEST_WRITTEN = 4 * LONGEST_NAME
"""Characters of a name as somebody writes it, with what surrounds it."""

Purpose = Literal["seat", "any", "lobby"]


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Several games could be meant; by deadline."""

    games: tuple[Game, ...]


def games_to_name(context: Context, user_id: UserId, guild_id: int | None) -> Sequence[Game]:
    """The games that a person could mean: their own, then those of a server that are not over."""
    with context.reading() as unit:
        guild = () if guild_id is None else unit.games.in_guild(guild_id)
        games = (*unit.games.of_user(user_id), *(game for game in guild if game.status in UNFINISHED))
    return tuple({game.id: game for game in games}.values())


def resolve_game(
    context: Context,
    *,
    user_id: UserId,
    guild_id: int | None,
    channel_id: int | None,
    name: str | None,
    purpose: Purpose,
) -> Game | Ambiguous:
    """Which game a person means: the one named; otherwise the channel's; otherwise the only one that is theirs.

    Args:
        guild_id, channel_id: where they speak; `None` in direct messages.
        purpose: `seat` for what only a player of the game can do; `lobby` for joining and starting; `any` for looking.

    Raises:
        Refused: there is none, or none of that name; near misses are named.
    """
    with context.reading() as unit:
        mine = tuple(unit.games.of_user(user_id))
        here = tuple(unit.games.in_channel(channel_id)) if channel_id is not None else ()
        guild = tuple(unit.games.in_guild(guild_id)) if guild_id is not None else ()
        played_here = [game for game in here if find_seat(unit.games.seats(game.id), user_id)]
        played = tuple(unit.games.finished_of_user(user_id)) if channel_id is None else ()
        damaged = unit.games.left_out()
    if name is not None and name.strip():
        return _named(name, guild, mine, damaged, is_direct=guild_id is None)
    # A command in a channel isn't meant for a game elsewhere just because the one here can't be read.
    for game in damaged:
        if game.channel_id == channel_id and not here:
            raise refused("game_damaged", game=game.name)
    for games in _candidates(purpose, mine, here, guild, guild_id):
        if len(games) == 1:
            return without_secrets(games[0])
        if games:
            return Ambiguous(tuple(without_secrets(game) for game in games))
    if purpose == "seat":
        for ended in (*played_here, *played):
            require_unfinished(ended)
    for game in damaged:
        raise refused("game_damaged", game=game.name)
    is_direct = guild_id is None
    # In direct messages there is no server whose games could be listed.
    hint = phrase("refused.hint.create_or_join_elsewhere" if is_direct else "refused.hint.create_or_join")
    raise refused_with(hint, "no_seat" if purpose == "seat" or is_direct else "no_game")


def named_before(context: Context, user_id: UserId, text: str) -> tuple[Game | Ambiguous | None, str]:
    """The game that a message names before its orders, and the orders: `Beta: A PAR - BUR`, or the name on a line of
    its own. The colon may be left out only there.

    Returns: `None` and the whole text if it names none of the person's games; several if they have the same name.

    Raises:
        Refused: the game that it names is over, or can't be read: the orders are for no other one.
    """
    with context.reading() as unit:
        games = (*unit.games.of_user(user_id), *unit.games.finished_of_user(user_id))
        damaged = unit.games.left_out()
    known: tuple[Game | LeftOut, ...] = (*games, *damaged)
    found = [(game, rest) for game in known if (rest := _after_name(game.name, text)) is not None]
    if not found:
        return None, text
    # Of “Beta” and “Beta: the rematch” the longer is named.
    rest = min((rest for _, rest in found), key=len)
    named = [game for game, after in found if after == rest]
    going = tuple(game for game in named if isinstance(game, Game) and game.status in UNFINISHED and game.phase_no)
    if any(_is_order(context, game.id, user_id, text, rest) for game in going):
        return None, text
    for game in () if going else named:
        if isinstance(game, LeftOut):
            raise refused("game_damaged", game=game.name)
        require_unfinished(game)
    meant = tuple(without_secrets(game) for game in going or named if isinstance(game, Game))
    return meant[0] if len(meant) == 1 else Ambiguous(meant), rest


def without_name(context: Context, game_id: GameId, user_id: UserId, text: str) -> str:
    """The orders of a message that may name this game before them."""
    with context.reading() as unit:
        game = unit.games.find(game_id)
    rest = None if game is None else _after_name(game.name, text)
    return text if rest is None or _is_order(context, game_id, user_id, text, rest) else rest


def _is_order(context: Context, game_id: GameId, user_id: UserId, text: str, rest: str) -> bool:
    """Whether the line that begins with a game's name is an order there: a game may be called `A PAR H`."""
    begin = text[: len(text) - len(rest)]
    line = begin.strip() + rest.partition("\n")[0]
    try:
        return can_be_read(context, game_id, user_id, line, SubmitMode.MERGE)
    except Refused:
        return False


def _after_name(name: str, text: str) -> str | None:
    """What follows a game's name at the beginning of a text, from the end of its line or from the colon on.

    The line stays there, empty, so that faults are reported at the lines that the player counts.
    """
    begin = len(text) - len(text.lstrip())
    written = r"\s+".join(map(re.escape, name.split()))
    pattern = rf"[{_QUOTES}]*{written}[{_QUOTES}]*[^\S\n]*(?::[{_QUOTES}]*|(?=\n))"
    # A text may be long, and names may begin with what may surround them: to try all ways to divide it takes minutes.
    match = re.match(pattern, text[begin : begin + _LONGEST_WRITTEN], re.IGNORECASE)
    rest = text[begin + match.end() :] if match else ""
    return rest if rest.strip() else None


def _named(
    name: str, guild: Sequence[Game], mine: Sequence[Game], damaged: Sequence[LeftOut], *, is_direct: bool
) -> Game:
    wanted = " ".join(name.split()).casefold()
    known = {game.id: game for game in (*mine, *guild)}.values()
    matches = [game for game in known if game.name.casefold() == wanted]
    if not matches:
        for left_out in damaged:
            if left_out.name.casefold() == wanted:
                raise refused("game_damaged", game=left_out.name)
        elsewhere = phrase("refused.hint.games_of_servers") if is_direct else None
        hint = did_you_mean(name, [game.name for game in known]) or elsewhere
        raise refused_with(hint, "unknown_game", name=name.strip()[:LONGEST_NAME])
    # A finished game keeps its name, so a newer one may have the same.
    return without_secrets(max(matches, key=lambda game: (game.status in UNFINISHED, game.created_at, game.id)))


def _candidates(
    purpose: Purpose,
    mine: Sequence[Game],
    here: Sequence[Game],
    guild: Sequence[Game],
    guild_id: int | None,
) -> Sequence[Sequence[Game]]:
    """Lists of games to look into, one after the other; the first that has any is used."""
    my_ids = {game.id for game in mine}
    mine_here = [game for game in here if game.id in my_ids]
    mine_in_guild = [game for game in mine if game.guild_id == guild_id]
    if purpose == "seat":
        # Orders are for games that have begun; a lobby is meant only where there is nothing else.
        return tuple(
            games for place in (mine_here, mine_in_guild, mine) for games in ([g for g in place if g.phase_no], place)
        )
    going_here = [game for game in here if game.status in UNFINISHED]
    going = [game for game in guild if game.status in UNFINISHED]
    if purpose == "lobby":
        lobby_here = [game for game in going_here if game.status is GameStatus.LOBBY]
        return (lobby_here, going_here, [game for game in going if game.status is GameStatus.LOBBY], going, mine)
    finished_here = [game for game in here if game.status is GameStatus.OVER]
    return (mine_here, going_here, finished_here[:1], mine_in_guild, going, mine)
