"""What commands take: which game is meant, with completion, and the other options that complete themselves.

Completion is only a hint, and differs from person to person: whatever comes in is looked up again.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from typing import Any, Concatenate, ParamSpec, TypeVar

import discord
from discord import app_commands

from bot.model import Game, GameId, UserId
from bot.ports import DamagedGame, StorageUnavailable
from bot.services import inspect, votes, which_game
from bot.services.buttons import game_of_button
from bot.services.context import Context
from bot.services.errors import Refused
from bot.services.region import suggest_regions_of
from bot.services.seats import joinable
from bot.services.table import powers_of, without_secrets
from bot.services.which_game import Purpose
from bot.text.catalogue import common_words, words_of
from bot.text.custom_ids import CustomId
from bot.text.discord_limits import CHOICE_LABEL, CHOICE_VALUE, CHOICES, shorten
from cogs._reply import Interaction, channel_of, defer, user_of
from engine.core.phrases import Phrase
from engine.core.variant import Power

P = ParamSpec("P")
T = TypeVar("T")
_NEEDED = ("view_channel", "embed_links", "attach_files")
_NUMBER = re.compile(r"#?(\d{1,18})")

_log = logging.getLogger(__name__)


async def find_game(interaction: Interaction, text: str | None, purpose: Purpose) -> Game:
    """The game that is meant.

    Raises:
        Refused: there is none, or several could be meant.
    """
    return await interaction.client.call(
        find_game_now,
        interaction.client.context,
        user_id=user_of(interaction),
        guild_id=interaction.guild_id,
        channel_id=channel_of(interaction),
        text=text,
        purpose=purpose,
    )


def find_game_now(
    context: Context,
    *,
    user_id: UserId,
    guild_id: int | None,
    channel_id: int | None,
    text: str | None,
    purpose: Purpose,
) -> Game:
    """The same, on the calling thread."""
    if text is not None and text.startswith("#") and (numbered := _numbered(context, text, user_id, guild_id)):
        return numbered
    try:
        found = which_game.resolve_game(
            context, user_id=user_id, guild_id=guild_id, channel_id=channel_id, name=text, purpose=purpose
        )
    except Refused:
        numbered = _numbered(context, text or "", user_id, guild_id)
        if numbered is None:
            raise
        return numbered
    if isinstance(found, which_game.Ambiguous):
        names = tuple(game.name for game in found.games)
        raise Refused(Phrase("choose.which_named", {"games": names}))
    return found


def _numbered(context: Context, text: str, user_id: UserId, guild_id: int | None) -> Game | None:
    """A game by its number, as completion writes it where names would be ambiguous."""
    match = _NUMBER.fullmatch(text.strip())
    return None if match is None else visible_game(context, GameId(int(match[1])), user_id, guild_id)


def visible_game(context: Context, game_id: GameId, user_id: UserId, guild_id: int | None) -> Game | None:
    """A game of this server or of this person; `None` for any other, which a forged number might name."""
    with context.reading() as unit:
        game = unit.games.find(game_id)
        if game is None:
            return None
        is_mine = any(seat.user_id == user_id for seat in unit.games.seats(game.id))
    return without_secrets(game) if is_mine or game.guild_id == guild_id else None


async def pressed_game(interaction: Interaction, pressed: CustomId) -> GameId:
    """The game that a button is about; looked up after the answer was deferred, for that may not wait.

    Raises:
        Refused: it is about no game that is kept here.
    """
    client = interaction.client
    return await client.call(game_of_button, client.context, pressed.game, interaction.guild_id)


def complete_game(purpose: Purpose) -> Callable[..., Any]:
    """Completion of the option `game`: the player's own games and, unless a seat is needed, the server's."""

    async def complete(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await completed(interaction, lambda: _games(interaction, typed, purpose))

    return complete


def _games(interaction: Interaction, typed: str, purpose: Purpose) -> Sequence[tuple[str, str]]:
    context = interaction.client.context
    guild_id = interaction.guild_id if purpose != "seat" else None
    games = which_game.games_to_name(context, user_of(interaction), guild_id)
    names = [game.name.casefold() for game in games]
    return [
        (game.name, game.name if names.count(game.name.casefold()) == 1 else f"#{game.id}")
        for game in games
        if typed.strip().casefold() in game.name.casefold()
    ]


async def completed(
    interaction: Interaction, choices: Callable[[], Sequence[tuple[str, str]]]
) -> list[app_commands.Choice[str]]:
    """Completion's choices within Discord's limits; empty if they can't be had."""
    try:
        found = await interaction.client.call(choices)
    except (Refused, StorageUnavailable, DamagedGame):
        return []
    except Exception as error:
        # Its text may hold what was typed.
        _log.error("completion failed: %s", type(error).__name__)
        return []
    usable = [(label, value) for label, value in found if 0 < len(value) <= CHOICE_VALUE and label]
    return [app_commands.Choice(name=shorten(label, CHOICE_LABEL), value=value) for label, value in usable[:CHOICES]]


async def complete_phase(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """The closed phases of the game that is meant, the last first."""

    def choices() -> Sequence[tuple[str, str]]:
        game = named_game(interaction, "any")
        labels = {code: f"{title} ({code})" for code, title in _titled(interaction, game)}
        codes = [code for _, code in reversed(inspect.phase_codes(interaction.client.context, game.id))]
        # Those that are too old to be offered by their titles can still be found by their codes.
        named = [(labels.get(code, code), code) for code in codes]
        return [(label, code) for label, code in named if typed.strip().casefold() in label.casefold()]

    return await completed(interaction, choices)


async def phase_meant(interaction: Interaction, game: Game, typed: str) -> str:
    """The code of the closed phase with this title; anything else stays as it was typed.

    "Spring 1901" alone is the first phase of that season.
    """
    wanted = typed.strip().casefold()
    codes = await interaction.client.call(inspect.phase_codes, interaction.client.context, game.id)
    if wanted in ("", "last", *(code.casefold() for _, code in codes)):
        return typed
    titled = await interaction.client.call(_titled, interaction, game)
    named = [code for code, title in titled if wanted in (title.casefold(), title.casefold().partition(",")[0])]
    return named[-1] if named else typed


def _titled(interaction: Interaction, game: Game) -> Sequence[tuple[str, str]]:
    """Codes and titles of a game's closed phases, the last first; on the calling thread."""
    words = words_of(game)
    titles = inspect.phase_titles(interaction.client.context, game.id)
    return [(code, words.plain(title)) for code, title in titles]


async def complete_region(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Powers and places of the game that is meant, to look at closely."""

    def choices() -> Sequence[tuple[str, str]]:
        game = named_game(interaction, "any")
        return [(text, text) for text in suggest_regions_of(*_looking(interaction, game), typed)]

    return await completed(interaction, choices)


async def complete_power(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """The powers of the game that is meant."""

    def choices() -> Sequence[tuple[str, str]]:
        return _named_like(typed, powers_of(*_looking(interaction, named_game(interaction, "any"))))

    return await completed(interaction, choices)


async def complete_free_power(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """The powers of the game that is meant that somebody could join as."""

    def choices() -> Sequence[tuple[str, str]]:
        return _named_like(typed, joinable(*_looking(interaction, named_game(interaction, "lobby"))))

    return await completed(interaction, choices)


def _named_like(typed: str, powers: Sequence[Power]) -> Sequence[tuple[str, str]]:
    """The powers whose names contain what was typed, as choices."""
    return [(power.name, power.id) for power in powers if typed.strip().casefold() in power.name.casefold()]


def _looking(interaction: Interaction, game: Game) -> tuple[Context, GameId, UserId]:
    """Who asks about which game: completion offers only what they may know."""
    return interaction.client.context, game.id, user_of(interaction)


async def complete_winner(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """The powers to which the game that is meant can be conceded."""

    def choices() -> Sequence[tuple[str, str]]:
        game = named_game(interaction, "seat")
        return _named_like(typed, votes.possible_winners(interaction.client.context, game.id))

    return await completed(interaction, choices)


def is_manager(interaction: Interaction, game: Game) -> bool:
    """Whether the person manages the server of the game; in another place nobody does."""
    return interaction.guild_id == game.guild_id and interaction.permissions.manage_guild


async def call_as_player(
    interaction: Interaction,
    game: str | None,
    service: Callable[Concatenate[Context, GameId, UserId, P], T],
    /,
    *args: P.args,
    **kwargs: P.kwargs,
) -> T:
    """Call a service on behalf of a player of the game that is meant, after gaining time for a private answer.

    Args:
        game: as named in the command.
        service: takes the context, the game's id and the person's, and these arguments.

    Raises:
        Refused: no game of theirs is meant, or several could be, or the service refuses.
    """
    await defer(interaction)
    client = interaction.client
    found = await find_game(interaction, game, "seat")
    user_id = user_of(interaction)
    return await client.call(service, client.context, found.id, user_id, *args, **kwargs)


async def call_as_master(
    interaction: Interaction, game: str | None, service: Callable[..., T], /, *, purpose: Purpose = "any", **args: Any
) -> tuple[Game, T]:
    """Call a service for game masters on behalf of the person; it checks that they are one.

    Args:
        game: as named in the command.
        service: takes the context, the game's id and the person's, `is_manager`, and these arguments.

    Returns: the game as it was before, and what the service gives.

    Raises:
        Refused: no game is meant, or several could be, or the service refuses.
    """
    found = await find_game(interaction, game, purpose)
    return found, await call_for_master(interaction, found, service, **args)


async def call_for_master(interaction: Interaction, game: Game, service: Callable[..., T], /, **args: Any) -> T:
    """The same for a game that has been found.

    Raises:
        Refused: the service refuses.
    """
    client, may_manage = interaction.client, is_manager(interaction, game)
    return await client.call(service, client.context, game.id, user_of(interaction), is_manager=may_manage, **args)


def missing_permissions(interaction: Interaction) -> tuple[str, ...]:
    """What the bot needs to post results and may not do in this channel."""
    have = interaction.app_permissions
    speak = "send_messages_in_threads" if isinstance(interaction.channel, discord.Thread) else "send_messages"
    return tuple(name.replace("_", " ").capitalize() for name in (speak, *_NEEDED) if not getattr(have, name))


def named_game(interaction: Interaction, purpose: Purpose) -> Game:
    """The game that the options filled in so far mean; on the calling thread."""
    return find_game_now(
        interaction.client.context,
        user_id=user_of(interaction),
        guild_id=interaction.guild_id,
        channel_id=channel_of(interaction),
        text=getattr(interaction.namespace, "game", None),
        purpose=purpose,
    )


def described(name: str) -> str:
    """A command's description from the catalogue."""
    return common_words().plainly(f"command.{name}")
