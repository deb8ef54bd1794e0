"""What `python -m bot` does besides playing: runs the bot, checks its environment, exports and imports games."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import mkstemp
from typing import Any

import aiohttp
import discord

from bot.app import Application, build_application, new_seed
from bot.model import Game, GameId, UserId
from bot.ports import DamagedGame, StorageUnavailable
from bot.render import MapRenderer
from bot.schedule import SystemClock
from bot.services import transfer
from bot.services.context import Context
from bot.services.errors import Refused, shortened
from bot.services.setup import LONGEST_NAME
from bot.services.table import read_power
from bot.settings import Settings, is_like_token, silence_libraries
from bot.storage import BadDatabaseAddress, Database, DatabaseTooNew, Patience
from bot.survey import Finding, survey
from bot.text.board import report_plain
from bot.text.catalogue import Words, words_naming
from bot.text.failure import all_words
from bot.version import describe_version
from engine.core.errors import DocumentError
from engine.core.events import Event, visible_events
from engine.core.ids import PowerId, SystemId
from engine.core.outcome import OrderResult, may_know
from engine.core.reading import read_orders, restored
from engine.core.report import Report
from engine.core.viewer import Playing, viewer_of
from engine.pictures.realm import own_realm
from engine.pictures.tiles import with_orders
from engine.registry import AnySystem, Order, State, systems

OK, FAILED, MISUSED = 0, 1, 2
STANDARD_OUTPUT = Path("-")
NO_TOKEN = (
    "DISCORD_TOKEN is not set: put the bot's token into the environment or a file .env as DISCORD_TOKEN=…"
    " (python -m bot --help; to play without Discord: python -m bot play)"
)
BAD_TOKEN = (
    "DISCORD_TOKEN is not a token that Discord accepts: copy it anew from https://discord.com/developers/applications"
)

logger = logging.getLogger(__name__)


AT_START = Patience(attempts=14, first_wait_s=1.0, longest_wait_s=15.0)
"""For a database that starts after the bot: two and a half minutes of waiting, plus the time that the tries take."""


class Unusable(Exception):
    """An argument of a command can't be used; the message is for the person at the shell."""


class Unreachable(Exception):
    """Something that a command needs is unavailable for now; the message is for the person at the shell."""


# Running


def run(settings: Settings) -> int:
    """Run the bot until it is told to stop."""
    if settings.discord_token is None:
        raise Unusable(NO_TOKEN)
    token = settings.discord_token.get_secret_value().strip()
    if not is_like_token(token):
        raise Unusable(BAD_TOKEN)
    logger.info("%s", describe_version())
    application = _application(settings)
    try:
        asyncio.run(_run(application, token))
    except discord.LoginFailure:
        raise Unusable(BAD_TOKEN) from None
    except (aiohttp.ClientError, discord.HTTPException, OSError) as error:
        print(f"Discord can't be reached: {type(error).__name__}", file=sys.stderr)
        return FAILED
    except StorageUnavailable as error:
        print(f"DATABASE_URL: {_without_password(settings, error)}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        return OK
    return OK


async def _run(application: Application, token: str) -> None:
    application.warm_up()
    running = asyncio.create_task(application.client.start(token))
    with suppress(NotImplementedError):  # Windows has no signal handlers here; Ctrl+C works anyway
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, running.cancel)
    try:
        with suppress(asyncio.CancelledError):
            await running
    finally:
        await application.close()


def _application(settings: Settings) -> Application:
    try:
        return build_application(settings, patience=AT_START)
    except (BadDatabaseAddress, DatabaseTooNew, StorageUnavailable) as error:
        raise _no_database(settings, error) from None


def _no_database(settings: Settings, error: Exception) -> Unusable | Unreachable:
    """What to say about a database that can't be used; one that is only away may be tried again."""
    message = f"DATABASE_URL: {_without_password(settings, error)}"
    return Unreachable(message) if isinstance(error, StorageUnavailable) else Unusable(message)


def _without_password(settings: Settings, error: Exception) -> str:
    _, _, rest = settings.database_url.get_secret_value().partition("://")
    password = rest.rpartition("@")[0].partition(":")[2]
    return str(error).replace(password, "***") if password else str(error)


# Checking


def check(settings: Settings) -> int:
    """Print what is in order and what is not."""
    silence_libraries()
    findings = asyncio.run(survey(settings))
    for finding in findings:
        print(_finding_line(finding))
    return OK if all(finding.is_well for finding in findings) else FAILED


def _finding_line(finding: Finding) -> str:
    mark = "ok   " if finding.is_well else "WRONG"
    advice = f"\n        → {finding.advice}" if finding.advice else ""
    return f"{mark}  {finding.subject}: {finding.what}{advice}"


# Games in a list, out and in


def list_games(settings: Settings) -> int:
    """Print all games, those that close next first. Changes nothing."""
    database, _ = _storage(settings, reading=True)
    try:
        games = database.all_games()
    finally:
        database.close()
    never = datetime.max.replace(tzinfo=UTC)
    for game in sorted(games, key=lambda each: (each.deadline_at or never, each.id)):
        print(_game_line(game))
    if not games:
        print("There are no games.")
    return OK


def _game_line(game: Game) -> str:
    until = "" if game.deadline_at is None else f"until {game.deadline_at:%Y-%m-%d %H:%M} UTC"
    what = " ".join(part for part in (game.system, game.phase_code) if part)
    where = f"server {game.guild_id}, channel {game.channel_id}"
    return f"{game.id:>5}  {game.status:<9}  {until:<26}  {game.name} ({what}; {where})"


def export_game(settings: Settings, game: str, output: Path | None) -> int:
    """Write a game as one document."""
    database, context = _storage(settings, reading=True)
    try:
        document = transfer.export_game(context, _find_game(database, game).id)
    except DamagedGame as error:
        raise Unusable(f"the record of {error} is damaged: python -m bot check says more") from None
    finally:
        database.close()
    _write(json.dumps(document, ensure_ascii=False, indent=1) + "\n", output)
    return OK


def import_game(settings: Settings, file: str, guild: int | None, channel: int | None, user: int | None) -> int:
    """Store an exported game as a new one."""
    document = _read_json(file)
    exported = document.get("game")
    known: Mapping[str, Any] = exported if isinstance(exported, dict) else {}
    database, context = _storage(settings)
    try:
        game = transfer.import_game(
            context,
            document,
            guild_id=guild or _known_id(known, "guild_id"),
            channel_id=channel or _known_id(known, "channel_id"),
            user_id=UserId(user or _known_id(known, "creator_id")),
            note=lambda what: print(f"Passed over: {all_words().plain(what)}", file=sys.stderr),
        )
    except Refused as refusal:
        raise Unusable(f"{file}: {_refusal(refusal)}") from None
    finally:
        database.close()
    print(f"Stored as game {game.id}, {game.name!r}.")
    return OK


def _known_id(game: Mapping[str, Any], key: str) -> int:
    """An id in an exported game; 0 for anything else, which is then reported with the other errors."""
    value = game.get(key)
    return value if isinstance(value, int) else 0


def _storage(settings: Settings, *, reading: bool = False) -> tuple[Database, Context]:
    """The database, and the services' world without Discord.

    Args:
        reading: it has to be there already, with the tables of this version; else they are made or brought up to date.
    """
    try:
        database = Database(settings.database_url.get_secret_value())
        path = Path(database.url.database or "")
        if reading and database.is_sqlite and not path.exists():
            raise Unusable(f"DATABASE_URL: there is no file {path}: use the bot's folder, and the setting that it has")
        if not reading:
            database.migrate()
        elif database.pending_migrations():
            raise Unusable(
                "DATABASE_URL: there are no tables of this version yet: start the bot once, which makes them"
            )
    except (BadDatabaseAddress, DatabaseTooNew, StorageUnavailable) as error:
        raise _no_database(settings, error) from None
    return database, Context(database.unit_of_work, SystemClock(), _Silence(), systems, new_seed)


class _Silence:
    """An alarm that never rings: the bot finds out what is due when it runs."""

    def set(self, game_id: GameId, phase_no: int, at: object) -> None: ...

    def cancel(self, game_id: GameId) -> None: ...

    def mail(self) -> None: ...


def _find_game(database: Database, game: str) -> Game:
    """A game by its number or its name."""
    games = database.all_games()
    wanted = game.strip().casefold()
    found = [each for each in games if wanted in {str(each.id), each.name.casefold()}]
    if len(found) == 1:
        return found[0]
    if found:
        numbers = ", ".join(str(each.id) for each in found)
        raise Unusable(f"several games are called {game!r}: give one of the numbers {numbers}")
    listed = "; ".join(f"{each.id} {each.name}" for each in games[:20]) or "none"
    raise Unusable(f"there is no game {game!r}; there are: {listed}")


def _refusal(refusal: Refused) -> str:
    words = all_words()
    hint = "" if refusal.hint is None else f" {words.plain(refusal.hint)}"
    return words.plain(refusal.what) + hint


# Documents


@dataclass(frozen=True, slots=True)
class Looks:
    """How a map is drawn.

    Args:
        with_key: with a legend of the powers and a key to the signs around it.
        of_realm: the viewer's own part close up.
    """

    with_key: bool = False
    of_realm: bool = False


def render(file: str, viewer: str | None, orders: str | None, output: Path, looks: Looks = Looks()) -> int:
    """Draw the map of a game.json, with orders if they are given: everybody's, or the viewer's alone."""
    if looks.of_realm and viewer is None:
        raise Unusable("--realm: whose? Name the power with --viewer")
    system, state = _load(file, _position(_read_json(file)))
    power = _power(system, state, viewer)
    scene = system.telling.scene(system.sight.view(state, viewer_of(power)))
    if orders is not None:
        pending = _read_orders(system, state, orders)
        shown = {whose: sheet for whose, sheet in pending.items() if power is None or whose == power}
        draw, view = system.telling.scene, system.sight.view
        scene = with_orders(scene, [draw(view(state, Playing(whose)), orders=sheet) for whose, sheet in shown.items()])
    if looks.of_realm and power is not None:
        scene = own_realm(scene, power)
    png = MapRenderer().draw(scene, with_key=looks.with_key).file
    if output == STANDARD_OUTPUT:
        sys.stdout.buffer.write(png)
        return OK
    try:
        output.write_bytes(png)
    except OSError as error:
        raise Unusable(f"{output}: {error.strerror}") from None
    return OK


def report(file: str, viewer: str | None) -> int:
    """Print the last phase of a document in words; for a plain game.json, which has no past, the position."""
    document = _read_json(file)
    last = _last_phase(document)
    system, state = _load(file, _position(document) if last is None else last["end"])
    power = _power(system, state, viewer)
    view = system.sight.view(state, viewer_of(power))
    words = _words(system, state)
    if last is not None:
        results, events = _what_happened(file, last)
        print("\n".join(_heading(file, document, last, system, words)), end="\n\n")
        known = restored(system, view, (result for result in results if may_know(viewer_of(power), result.audience)))
        reports = [system.telling.report(view, known, visible_events(events, viewer_of(power)))]
    else:
        print("\n".join(_told_lines(file, document, system, words)), end="")
        print(words.plain(system.play.status(state).title), end="\n\n")
        reports = [_joined(system.telling.text_board(view), system.telling.briefing(view))]
    print("\n".join(report_plain(words, each) for each in reports if each.sections), end="")
    return OK


def _heading(
    file: str, document: Mapping[str, Any], phase: Mapping[str, Any], system: AnySystem, words: Words
) -> Sequence[str]:
    """Which game and which of its phases is reported, and why that phase closed."""
    try:
        title = system.play.status(system.play.load(phase["start"])).title
        game = shortened(str(document["game"]["name"]), LONGEST_NAME)
    except (KeyError, TypeError, DocumentError):
        raise Unusable(f"{file}: its last phase is not as export writes it") from None
    closed = f"message.closed_because.{phase.get('closed_because')}"
    why = [words.plainly(closed)] if closed in words.catalogue.codes else []
    return [words.plainly("message.board_heading", game=game, title=title), *why]


def _joined(board: Report, asked: Report) -> Report:
    """Both reports in one: what the second has under a heading of the first is added there."""
    sections = list(board.sections)
    for more in asked.sections:
        place = next((place for place, section in enumerate(sections) if section.title == more.title), None)
        if place is None:
            sections.append(more)
        else:
            known = sections[place]
            new = tuple(line for line in more.lines if line not in known.lines)
            sections[place] = replace(known, lines=(*known.lines, *new))
    return Report(tuple(sections))


def _told_lines(file: str, document: Mapping[str, Any], system: AnySystem, words: Words) -> list[str]:
    """The phase that `adjudicate --json` has described, with its powers by name."""
    if "results" not in document:
        return []
    rows = system.telling.rows
    tell = (rows and rows.told) or _told_order
    try:
        orders = [tell(row, words.name) for row in document["results"]]
        return [*orders, *(str(event["text"]) for event in document.get("events", ())), "", ""]
    except (KeyError, TypeError, AttributeError):
        raise Unusable(f"{file}: its results and events are not as adjudicate --json writes them") from None


def _told_order(row: Mapping[str, Any], name: Callable[[str], str]) -> str:
    why = f" ({row['why']})" if row["why"] else ""
    return f"{name(row['power'])}: {row['order']}: {row['outcome']}{why}"


def _position(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """The game.json in a document: itself, the next one that `adjudicate --json` gave, or an exported game's."""
    inner = document.get("game")
    if not isinstance(inner, dict):
        return document
    position = inner.get("document", inner)
    return position if isinstance(position, dict) else document


def _last_phase(document: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The last closed phase of an exported game that has not been undone."""
    phases = document.get("phases")
    closed = [phase for phase in phases if not phase.get("is_undone")] if isinstance(phases, list) else []
    return closed[-1] if closed else None


def _what_happened(file: str, phase: Mapping[str, Any]) -> tuple[Sequence[OrderResult[Order]], Sequence[Event]]:
    try:
        results = [OrderResult.from_json(row) for row in phase["results"]]
        return results, [Event.from_json(row) for row in phase["events"]]
    except (KeyError, TypeError, ValueError, AttributeError):
        raise Unusable(f"{file}: its last phase is not as export writes it") from None


def _load(file: str, document: Mapping[str, Any]) -> tuple[AnySystem, State]:
    name = document.get("system")
    system = systems.get(SystemId(str(name).lower()))
    if system is None:
        raise Unusable(f"{file}: system: {name!r} is none of {', '.join(systems)}")
    try:
        return system, system.play.load(document)
    except DocumentError as error:
        raise Unusable(f"{file}: {error}") from None


def _power(system: AnySystem, state: State, name: str | None) -> PowerId | None:
    """A power by id or name, in upper or lower case."""
    if name is None:
        return None
    variant = system.play.variant(state)
    try:
        return read_power(variant, name)
    except Refused:
        raise Unusable(f"--viewer: {name!r} is none of {', '.join(variant.powers)}") from None


def _read_orders(system: AnySystem, state: State, file: str) -> dict[PowerId, list[Any]]:
    """Everybody's orders from a file; refused lines are reported and left out."""
    try:
        texts = read_sheets(_read_text(file))
    except ValueError as error:
        raise Unusable(f"{file}: {error}") from None
    words = _words(system, state)
    orders: dict[PowerId, list[Any]] = {}
    for name, text in texts.items():
        power = _power(system, state, name)
        assert power is not None, "it was named"
        reading = read_orders(system, system.sight.view(state, Playing(power)), text)
        orders.setdefault(power, []).extend(reading.values)
        for refused in reading.errors:
            print(f"{name}: {refused.text.strip()}: {words.plain(refused.reason)}", file=sys.stderr)
    return orders


def read_sheets(text: str) -> dict[str, str]:
    """Everybody's orders by power: JSON, or a heading `[power]` before each power's lines.

    Raises:
        ValueError: it is neither.
    """
    if text.lstrip().startswith("{"):
        sheets = json.loads(text)
        if not all(isinstance(lines, list | str) for lines in sheets.values()):
            raise ValueError("each power needs a list of orders")
        return {
            power: lines if isinstance(lines, str) else "\n".join(map(str, lines)) for power, lines in sheets.items()
        }
    sheets = {}
    power = None
    for line in text.splitlines():
        heading = re.fullmatch(r"\s*\[([^\]]+)\]\s*(#.*)?", line)
        if heading:
            power = heading[1].strip()
        elif power is not None:
            sheets[power] = f"{sheets.get(power, '')}{line}\n"
        elif line.partition("#")[0].strip():
            raise ValueError("orders need a heading with their power: [austria]")
    return sheets


def _words(system: AnySystem, state: State) -> Words:
    variant = system.play.variant(state)
    return words_naming(system.info.id, variant.id, tuple((power.id, power.name) for power in variant.powers.values()))


def _read_json(file: str) -> dict[str, Any]:
    try:
        document = json.loads(_read_text(file))
    except (ValueError, RecursionError) as error:
        raise Unusable(f"{file}: this is no JSON: {error}") from None
    if not isinstance(document, dict):
        raise Unusable(f"{file}: a JSON object is needed")
    return document


def _read_text(file: str) -> str:
    try:
        return sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise Unusable(f"{file}: this is no text") from None
    except OSError as error:
        raise Unusable(f"{file}: {error.strerror}") from None


def _write(text: str, output: Path | None) -> None:
    """Write something secret: a file that nobody else on this machine may read. If that fails, the old one stays."""
    if output is None or output == STANDARD_OUTPUT:
        sys.stdout.write(text)
        return
    try:
        if output.exists() and not output.is_file():  # a pipe, say
            output.write_text(text, encoding="utf-8")
            return
        target = output.resolve()
        descriptor, name = mkstemp(dir=target.parent, prefix=f".{target.name[:40]}-")  # for the owner alone
        try:
            with open(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
            os.replace(name, target)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise Unusable(f"{output}: {error.strerror}") from None
