"""`python -m bot check`: looks at everything that the bot depends on, and says what to do about what is wrong."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import aiohttp
import discord

from bot.faults import describe_fault
from bot.model import Game, GameId, GameStatus
from bot.ports import DamagedGame, StorageUnavailable
from bot.schedule import SystemClock
from bot.settings import Settings, is_like_token
from bot.storage import BadDatabaseAddress, Database, DatabaseTooNew
from bot.storage.privacy import open_to_others
from engine.core.errors import DocumentError
from engine.registry import systems

OVERDUE = timedelta(minutes=5)
"""A deadline that passed longer ago than this means that no bot is running."""
NEEDED = {
    "view_channel": "View Channel",
    "send_messages": "Send Messages",
    "embed_links": "Embed Links",
    "attach_files": "Attach Files",
    "read_message_history": "Read Message History",
}
"""What the bot needs in a game's channel, as Discord's settings call it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at.

    Args:
        advice: what to do about it, or what will happen by itself.
    """

    subject: str
    what: str
    is_well: bool = True
    advice: str = ""


async def survey(settings: Settings) -> Sequence[Finding]:
    """Look at the database, the token, and the bot's permissions where games are played. Changes nothing."""
    findings, games = await asyncio.to_thread(_database, settings.database_url.get_secret_value())
    return [*findings, *await _discord(settings, games)]


# The database


def _database(address: str) -> tuple[list[Finding], Sequence[Game]]:
    try:
        database = Database(address)
    except BadDatabaseAddress as error:
        advice = "set DATABASE_URL, or leave it out to keep games in a file in ./data"
        return [Finding("DATABASE_URL", str(error), False, advice)], ()
    where = "SQLite" if database.is_sqlite else "PostgreSQL"
    path = Path(database.url.database or "")
    try:
        if database.is_sqlite and not path.exists():
            return [_new_file(path)], ()
        if database.is_sqlite and (barred := [part for part in (path, path.parent) if not os.access(part, os.W_OK)]):
            advice = "let the bot's user write there, or set DATABASE_URL"
            return [Finding("database", f"SQLite, {path}: {barred[0]} can't be written to", False, advice)], ()
        return _tables(database, where)
    except StorageUnavailable as error:
        password = database.url.password
        why = str(error).replace(password, "***") if password else str(error)
        return [Finding("database", f"{where} can't be used: {why}", False, _unreachable_advice(database))], ()
    finally:
        database.close()


def _new_file(path: Path) -> Finding:
    folder = next(parent for parent in path.absolute().parents if parent.exists())
    if os.access(folder, os.W_OK):
        return Finding("database", f"SQLite, {path}: not there yet", advice="it is made when the bot starts")
    advice = "make the folder writable for the bot, or set DATABASE_URL"
    return Finding("database", f"SQLite, {path}: the folder {folder} can't be written to", False, advice)


def _unreachable_advice(database: Database) -> str:
    if database.is_sqlite:
        return (
            "see that DATABASE_URL names the right file, that nothing else holds it, that the disk isn't full,"
            " and that the bot may write there"
        )
    return "see that the server runs, and that host, port, name, user and password in DATABASE_URL are right"


def _tables(database: Database, where: str) -> tuple[list[Finding], Sequence[Game]]:
    try:
        if database.pending_migrations():
            advice = "the bot makes them when it starts, and keeps what an earlier version stored"
            return [Finding("database", f"{where}: there are no tables of this version yet", advice=advice)], ()
    except DatabaseTooNew as error:
        advice = "update the bot, or restore the backup from before its last update (docs/storage.md)"
        return [Finding("database", f"{where}: {error}", False, advice)], ()
    drift = database.drift()
    if drift:
        advice = "restore a backup, or undo what was changed by hand (docs/storage.md)"
        return [Finding("database", f"{where}: its tables differ from what they should be", False, advice)], ()
    games = database.all_games()
    running = [game for game in games if game.status is GameStatus.RUNNING]
    found = [Finding("database", f"{where}: {_count(len(games), 'game')}, {len(running)} of them running")]
    if database.is_sqlite and (open_files := open_to_others(Path(database.url.database or ""))):
        names = ", ".join(file.name for file in open_files)
        advice = f"the bot takes that from them when it starts; at once: chmod 600 {open_files[0]}*"
        found.append(Finding("database", f"others on this machine can read {names}", False, advice))
    late = SystemClock().now() - OVERDUE
    overdue = [game for game in running if game.deadline_at is not None and game.deadline_at < late]
    if overdue:
        advice = "start the bot: it closes them at once, and says that they were late"
        are = "is" if len(overdue) == 1 else "are"
        found.append(Finding("deadlines", f"{_count(len(overdue), 'game')} {are} overdue", False, advice))
    advice = "look for the game's number in the bot's log; it tries again by itself"
    found += [
        Finding(
            f"game {game.id}", f"its present phase could not be closed, {_count(game.failures, 'time')}", False, advice
        )
        for game in running
        if game.failures
    ]
    found += [Finding(f"game {number}", what, False, _DAMAGED) for number, what in _damage(database)]
    return found, games


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _damage(database: Database) -> Iterator[tuple[GameId, str]]:
    """The games in which something can't be read, and what; never its content."""
    numbers = database.game_numbers()
    with database.unit_of_work(reading=True) as unit:
        for number in numbers:
            try:
                game = unit.games.find(number)
                if game is None:
                    continue
                unit.games.seats(number)
                unit.sheets.of_phase(number, game.phase_no)
                unit.phases.of_game(number)
                unit.outbox.of_game(number)
                unit.ballots.of_phase(number, game.phase_no)
                if game.document is not None and game.system in systems:
                    systems[game.system].play.load(game.document)
            except DamagedGame as error:
                yield number, f"what is stored of it can't be read: {describe_fault(error.__cause__ or error)}"
            except DocumentError as error:
                yield number, f"its position can't be used: {describe_fault(error)}"


_DAMAGED = "put back its rows from a backup, or remove it (docs/storage.md); the other games don't suffer from it"


# Discord


_NO_TOKEN_OF_DISCORD = Finding(
    "DISCORD_TOKEN",
    "it is not a token that Discord accepts",
    False,
    "copy it anew from https://discord.com/developers/applications",
)
_UNFINISHED = frozenset({GameStatus.LOBBY, GameStatus.RUNNING, GameStatus.PAUSED})


async def _discord(settings: Settings, games: Sequence[Game]) -> list[Finding]:
    token = settings.discord_token
    if token is None:
        advice = "put DISCORD_TOKEN=… into the environment or a file .env"
        return [Finding("DISCORD_TOKEN", "not set", False, advice)]
    if not is_like_token(token.get_secret_value().strip()):
        return [_NO_TOKEN_OF_DISCORD]
    client = discord.Client(intents=discord.Intents.none())
    places = sorted({(game.guild_id, game.channel_id) for game in games if game.status in _UNFINISHED})
    try:
        async with client:
            await client.login(token.get_secret_value().strip())
            name = "" if client.user is None else str(client.user)
            found = [Finding("DISCORD_TOKEN", f"Discord knows the bot as {name}")]
            return [*found, *[await _permissions(client, guild_id, channel_id) for guild_id, channel_id in places]]
    except discord.LoginFailure:
        return [_NO_TOKEN_OF_DISCORD]
    except (aiohttp.ClientError, discord.HTTPException, OSError) as error:
        return [Finding("Discord", f"can't be reached: {type(error).__name__}", False, "see to the network")]


async def _permissions(client: discord.Client, guild_id: int, channel_id: int) -> Finding:
    """Whether the bot may do in a game's channel what it has to."""
    subject = f"channel {channel_id}"
    try:
        guild = await client.fetch_guild(guild_id)
        channel = await guild.fetch_channel(channel_id)
        me = await guild.fetch_member(client.user.id if client.user else 0)
    except (discord.Forbidden, discord.NotFound):
        advice = "invite the bot again, or let it see the channel; or take the games there to another one (/game move)"
        return Finding(subject, "the bot can't see it", False, advice)
    allowed = channel.permissions_for(me)
    missing = [name for key, name in NEEDED.items() if not getattr(allowed, key)]
    if isinstance(channel, discord.Thread) and not allowed.send_messages_in_threads:
        missing.append("Send Messages in Threads")
    if missing:
        advice = f"give the bot's role there: {', '.join(missing)}"
        return Finding(f"#{channel.name}", "permissions are missing", False, advice)
    return Finding(f"#{channel.name}", "the bot may do all it needs to")
