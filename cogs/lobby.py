"""`/game`: set up, join, leave, start, look at, end and vote."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import SealedOrdersClient
from bot.model import BallotKind, GameStatus, Pace
from bot.services import channel, lobby, overview, replay, votes
from bot.services.errors import Refused
from bot.text.catalogue import common_words
from bot.text.discord_limits import CHOICES
from bot.text.games import (
    end_message,
    games_message,
    info_message,
    lobby_message,
    start_message,
    verification_message,
    vote_message,
)
from bot.text.gm import moved_message, permissions_message
from cogs._commands import command
from cogs._files import read_scenario_file
from cogs._reply import Interaction, answer, defer, defer_change, user_of
from cogs._transformers import (
    call_as_master,
    call_as_player,
    complete_free_power,
    complete_game,
    complete_winner,
    completed,
    described,
    find_game,
    missing_permissions,
)
from cogs.presses import ask_whether_to_leave, begin, join, leave
from engine.computer.levels import Level
from engine.core.facts import OptionInfo, SystemInfo
from engine.core.ids import SystemId
from engine.core.phrases import phrase
from engine.registry import systems

_SYSTEMS = [app_commands.Choice(name=info.name, value=str(id_)) for id_, info in systems.infos.items()][:CHOICES]
_LENGTHS = ("12h", "1d", "2d", "3d")
"""The lengths that completion offers."""
LEVELS = [
    app_commands.Choice(name=common_words().plainly(f"choice.{level.name.lower()}"), value=str(level))
    for level in Level
]
"""How well the computer can play."""
_BETWEEN_PAIRS = re.compile(r",|(?<=\S)\s+(?=\w+\s*=)")
"""What stands between options: a comma, or blanks before the next name."""
_BALLOTS = [app_commands.Choice(name=common_words().plainly(f"choice.{kind}"), value=str(kind)) for kind in BallotKind]


@app_commands.guild_install()
class Lobby(commands.GroupCog, group_name="game", group_description=described("game")):
    """Games and seats."""

    def __init__(self) -> None:
        # Playing games again takes long: one at a time, or a few who ask would leave no thread for others' orders.
        self._verifying = asyncio.Lock()

    @app_commands.choices(system=_SYSTEMS, computer=LEVELS)
    @command("game_create")
    async def create(
        self,
        interaction: Interaction,
        system: str,
        name: app_commands.Range[str, 1, 60],
        variant: str | None = None,
        players: app_commands.Range[int, 1, 100] | None = None,
        phases: str = "2d",
        close_early: bool = True,
        options: str | None = None,
        scenario: discord.Attachment | None = None,
        lengths: str | None = None,
        computer: str | None = None,
        computers: app_commands.Range[str, 1, 200] | None = None,
    ) -> None:
        """Set up a game in this channel and call for players."""
        await defer(interaction)
        if interaction.guild_id is None or interaction.channel_id is None:
            raise Refused(phrase("failure.not_in_server"))
        client = interaction.client
        user_id = user_of(interaction)
        wanted = lobby.NewGame(
            system=system,
            name=name,
            variant=variant,
            players=players,
            options=read_pairs(options or ""),
            pace=Pace(default=phases, by_kind=read_lengths(lengths or ""), close_early=close_early),
            scenario=None if scenario is None else await read_scenario_file(scenario),
            computer=level_of(computer),
            computers=computers,
        )
        async with client.one_by_one.turn_of(user_id):
            game = await client.call(
                lobby.create_game,
                client.context,
                wanted,
                guild_id=interaction.guild_id,
                channel_id=interaction.channel_id,
                user_id=user_id,
                is_manager=interaction.permissions.manage_guild,
            )
        missing = missing_permissions(interaction)
        private = [lobby_message("created_private", game)]
        if missing:
            private.append(permissions_message(game.channel_id, missing))
        await answer(interaction, private)

    @create.autocomplete("variant")
    async def _complete_variant(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await completed(interaction, lambda: _variants(interaction, typed))

    @create.autocomplete("lengths")
    async def _complete_lengths(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await completed(interaction, lambda: _lengths(interaction, typed))

    @create.autocomplete("options")
    async def _complete_options(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await completed(interaction, lambda: _option_choices(interaction, typed))

    @command("game_join", complete={"game": complete_game("lobby"), "power": complete_free_power})
    async def join(
        self, interaction: Interaction, game: str | None = None, power: str | None = None, word: str | None = None
    ) -> None:
        """Take a seat, or give a word for the seed."""
        await defer(interaction)
        found = await find_game(interaction, game, "lobby")
        await join(interaction, found.id, power=power, word=word)

    @command("game_leave", texts={"sure": "sure_to_leave"}, complete={"game": complete_game("seat")})
    async def leave(self, interaction: Interaction, game: str | None = None, sure: bool = False) -> None:
        """Give up a seat."""
        await defer_change(interaction)
        found = await find_game(interaction, game, "seat")
        if found.status is GameStatus.LOBBY:
            await interaction.client.call(lobby.leave_game, interaction.client.context, found.id, user_of(interaction))
            await answer(interaction, (lobby_message("left_private", found),))
        elif sure:
            await answer(interaction, await leave(interaction, found.id))
        else:
            await ask_whether_to_leave(interaction, found.id)

    @command("game_start", texts={"sure": "sure_to_start"}, complete={"game": complete_game("lobby")})
    async def start(self, interaction: Interaction, game: str | None = None, sure: bool = False) -> None:
        """Begin a game."""
        await defer(interaction)
        await start(interaction, game, sure=sure)

    @command("game_move", complete={"game": complete_game("any")})
    async def move(self, interaction: Interaction, game: str | None = None) -> None:
        """Take a game to the channel in which this is used."""
        await defer(interaction)
        guild_id, channel_id = interaction.guild_id, interaction.channel_id
        if guild_id is None or channel_id is None:
            raise Refused(phrase("failure.not_in_server"))
        missing = missing_permissions(interaction)
        if missing:
            await answer(interaction, (permissions_message(channel_id, missing),))
            return
        _, moved = await call_as_master(interaction, game, channel.move, guild_id=guild_id, channel_id=channel_id)
        await answer(interaction, (moved_message(moved),))

    @command("game_list", name="list")
    async def list_(self, interaction: Interaction) -> None:
        """The games of this server, or one's own in direct messages."""
        await defer(interaction)
        client = interaction.client
        user_id = user_of(interaction)
        lines = await client.call(overview.games_of_user, client.context, user_id)
        if interaction.guild_id is not None:
            mine = {line.game.id: line for line in lines}
            here = await client.call(overview.games_in_guild, client.context, interaction.guild_id)
            lines = [mine.get(line.game.id, line) for line in here]
        names = {str(id_): known.name for id_, known in client.context.systems.infos.items()}
        await answer(interaction, games_message(lines, in_server=interaction.guild_id is not None, names=names))

    @command("game_info", complete={"game": complete_game("any")})
    async def info(self, interaction: Interaction, game: str | None = None) -> None:
        """Everything public about a game."""
        await defer(interaction)
        client = interaction.client
        found = await find_game(interaction, game, "any")
        info = await client.call(overview.game_info, client.context, found.id, user_of(interaction))
        await answer(interaction, info_message(info, client.context.systems.infos[found.system]))

    @command("game_verify", complete={"game": complete_game("any")})
    async def verify(self, interaction: Interaction, game: str | None = None) -> None:
        """Replay a game and say whether it was honest."""
        await defer(interaction)
        client = interaction.client
        found = await find_game(interaction, game, "any")
        async with self._verifying:
            verification = await client.call(replay.verify, client.context, found.id)
        await answer(interaction, verification_message(verification))

    @command("game_end", texts={"sure": "sure_to_end"}, complete={"game": complete_game("any")})
    async def end(self, interaction: Interaction, game: str | None = None, sure: bool = False) -> None:
        """End a game, with a winner only if its rules name one."""
        await defer(interaction)
        found, ending = await call_as_master(interaction, game, lobby.ending)
        if ending is not None and not sure:
            await answer(interaction, (end_message(ending),))
            return
        _, ended = await call_as_master(interaction, f"#{found.id}", lobby.end_game)
        await answer(interaction, (lobby_message("ended", ended),))

    @app_commands.choices(kind=_BALLOTS)
    @app_commands.rename(kind="vote")
    @command("game_vote", texts={"kind": "vote"}, complete={"game": complete_game("seat"), "winner": complete_winner})
    async def vote(
        self,
        interaction: Interaction,
        kind: str,
        winner: str | None = None,
        in_favour: bool = True,
        game: str | None = None,
    ) -> None:
        """Vote in secret."""
        receipt = await call_as_player(interaction, game, votes.vote, BallotKind(kind), in_favour, winner)
        await answer(interaction, (vote_message(receipt),))


def level_of(text: str | None) -> Level | None:
    """How well the computer is to play, as one of `LEVELS`."""
    return None if text is None else Level(text)


async def start(interaction: Interaction, game: str | None, computer: Level | None = None, *, sure: bool) -> None:
    """Begin a game, or ask first if seats are free; deferred already. `/gm start` does the same."""
    found, starting = await call_as_master(interaction, game, lobby.starting, purpose="lobby", computer=computer)
    if starting is not None and not sure:
        await answer(interaction, (start_message(starting),))
    else:
        await answer(interaction, (await begin(interaction, found, computer),))


def read_pairs(text: str) -> dict[str, str]:
    """The options written as `name=value, name=value`, with or without the commas.

    Raises:
        Refused: a part of it is not such a pair, or an option has two values.
    """
    pairs: dict[str, str] = {}
    for part in filter(str.strip, _BETWEEN_PAIRS.split(_without_advice(text))):
        name, equals, value = (text.strip() for text in part.partition("="))
        if not name or not equals:
            raise Refused(phrase("failure.option_pair", text=part.strip()[:60]))
        if pairs.setdefault(name, value) != value:
            raise Refused(phrase("failure.option_twice", name=name[:60], one=pairs[name][:60], other=value[:60]))
    return pairs


def read_lengths(text: str) -> dict[str, str]:
    """The lengths of kinds of phases, written as `kind=length, kind=length`; a length may have commas in it.

    Raises:
        Refused: a part of it is not such a pair.
    """
    lengths: dict[str, str] = {}
    kind = ""
    for part in filter(str.strip, text.split(",")):
        name, equals, length = (text.strip() for text in part.partition("="))
        if equals and name:
            kind, lengths[name] = name, length
        elif not equals and kind:
            lengths[kind] += f",{name}"
        else:
            raise Refused(phrase("failure.option_pair", text=part.strip()[:60]))
    return lengths


def _chosen_system(interaction: Interaction) -> SystemInfo | None:
    """The game chosen in the option `system`, which comes before those that depend on it."""
    return systems.infos.get(SystemId(str(getattr(interaction.namespace, "system", ""))))


def _lengths(interaction: Interaction, typed: str) -> Sequence[tuple[str, str]]:
    """The kinds of phases that the game has, each with a length, after the pairs that are written."""
    chosen = _chosen_system(interaction)
    before, comma, writing = typed.rpartition(",")
    start = f"{before}{comma} " if comma else ""
    name, equals, length = (text.strip() for text in writing.partition("="))
    if equals and length:
        return [(typed, typed)]
    kinds = [kind for kind in (chosen.kinds if chosen else ()) if kind.startswith(name.casefold())]
    pairs = [f"{start}{kind}={length}" for kind in kinds for length in _LENGTHS]
    return [(pair, pair) for pair in pairs]


def _variants(interaction: Interaction, typed: str) -> Sequence[tuple[str, str]]:
    chosen = _chosen_system(interaction)
    variants = chosen.variants if chosen else ()
    return [(variant, variant) for variant in variants if typed.strip().casefold() in variant.casefold()]


def _option_choices(interaction: Interaction, typed: str) -> Sequence[tuple[str, str]]:
    """The pair that is being written, after those that are: every value of every other option or, where that is too
    much for a list, one of each option until more is written."""
    chosen = _chosen_system(interaction)
    if chosen is None:
        return ()
    before, comma, writing = _without_advice(typed).rpartition(",")
    start = f"{before}{comma} " if comma else ""
    wanted = writing.replace(" ", "").casefold()
    written = {pair.partition("=")[0].strip() for pair in before.split(",")}
    left = [option for option in chosen.options if option.name not in written]
    pairs = [[f"{option.name}={value}" for value in _values(option)] for option in left]
    fitting = [found for some in pairs if (found := [pair for pair in some if pair.casefold().startswith(wanted)])]
    if sum(map(len, fitting)) > CHOICES:
        fitting = [found[:1] for found in fitting]
    even = {f"{option.name}={_written(option.even)}" for option in chosen.options if option.even is not None}
    choices = [f"{start}{pair}" for found in fitting for pair in found]
    return [(_recommended(choice) if choice.removeprefix(start) in even else choice, choice) for choice in choices]


def _recommended(choice: str) -> str:
    return common_words().plainly("choice.even", option=choice)


def _without_advice(text: str) -> str:
    """What was typed on after a choice, which Discord puts into the field as it was offered."""
    return text.replace(_recommended(""), "")


def _values(option: OptionInfo) -> Sequence[str]:
    if isinstance(option.default, bool):
        return (_written(True), _written(False))
    return option.choices or (_written(option.default),)


def _written(value: bool | int | str) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


async def setup(client: SealedOrdersClient) -> None:
    """Add the cog."""
    await client.add_cog(Lobby())
