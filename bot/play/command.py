"""`python -m bot play`: reads its arguments, sets up a game in a simulated server, and has it played: a person
at the page, a script, or the computer alone.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import random
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from bot.app import build_application
from bot.play.eyes import plain_text
from bot.play.live import LiveClock
from bot.play.page import FIRST_PORT, LAST_PORT, PageServer
from bot.play.robots import Robots
from bot.play.script import Disappointed, ScriptLine, Unreadable, parse_script
from bot.play.script_player import ScriptPlayer
from bot.play.transcript import write_transcript
from bot.play.watch import GameNow, Watcher
from bot.play.world import Answer, Person, PlayError, SimulatedServer, WiredBot
from bot.settings import LogLevel, Settings, read_settings
from bot.storage import BadDatabaseAddress, Database
from engine.computer.levels import Level
from engine.core.facts import SystemInfo
from engine.core.ids import PowerId, SystemId
from engine.core.json_text import read_json
from engine.registry import AnySystem, State, systems

OK, FAILED, MISUSED = 0, 1, 2
GAME_NAME = "Sunday Table"
DEFAULT_YEARS = 5
MOST_PLAYERS = 8
"""How many sit at the table by default: a person plays all those whom the computer doesn't."""
ROBOTS_EVERY_S = 0.3
BY_LOT = "random"
"""In place of a level: random legal orders."""
YEAR_OPTION, TURN_OPTION = "last_year", "end_turn"
"""Options with which a game ends at a certain time, for games that have one."""


@dataclass(frozen=True, slots=True)
class PlayArguments:
    """What the command line asked for.

    Args:
        you: the power that the first person wishes for.
        script: what to play instead of a page.
        level: how well the computer plays; `None`: at random.
        scenario: the file to attach to `/game create`.
        variant: the map; `None`: the usual one.
    """

    system: SystemInfo
    players: int
    options: Mapping[str, str]
    pace: str
    you: str | None
    bots: bool
    seed: str
    database: str | None
    script: tuple[ScriptLine, ...] | None
    until_end: bool
    max_years: int | None
    out: Path | None
    port: int
    level: Level | None = Level.FAIR
    scenario: Path | None = None
    variant: str | None = None


def main(argv: Sequence[str]) -> int:
    """Play. The exit status: 0; 1 if something failed or was not as the script expects; 2 for a wrong command line."""
    try:
        plan = read_plan(argv)
        settings = read_settings()
    except SystemExit as stop:  # argparse has said why
        return int(stop.code or 0)
    except (Unreadable, ValueError, OSError) as error:
        return _complain(error, MISUSED)
    level = settings.log_level if "log_level" in settings.model_fields_set else LogLevel.WARNING
    logging.basicConfig(level=level.value, format="%(levelname)s %(name)s: %(message)s")
    # By default these two log about voice and rate limits, neither of which exists here.
    logging.getLogger("discord").setLevel(logging.ERROR)
    try:
        return asyncio.run(play(plan))
    except KeyboardInterrupt:
        return OK
    except (Disappointed, PlayError, OSError, TimeoutError) as error:
        return _complain(error, FAILED)


def _complain(error: Exception, status: int) -> int:
    print(f"play: {error}", file=sys.stderr)
    return status


# The command line


def read_plan(argv: Sequence[str]) -> PlayArguments:
    """The plan of a command line.

    Raises:
        SystemExit: the command line is wrong, or asks for help.
        ValueError: a value in it is.
        OSError: the script can't be read.
        Unreadable: a line of the script is no command.
    """
    arguments = make_parser().parse_args(argv)
    if arguments.system not in systems:
        raise ValueError(f"there is no game called {arguments.system!r}; there are {', '.join(systems)}")
    info = systems.infos[SystemId(arguments.system)]
    variant = None if arguments.variant is None else arguments.variant.lower()
    if variant is not None and variant not in info.variants:
        raise ValueError(f"{info.name} has no variant {arguments.variant!r}; it has {', '.join(info.variants)}")
    seats = info.seats_in(variant or info.variants[0])
    players = arguments.players
    if arguments.scenario is not None:
        players = _seats_of(info.id, arguments.scenario, players)
    elif players is None:
        players = max(number for number in seats if number <= MOST_PLAYERS)
    if arguments.scenario is None and players not in seats:
        raise ValueError(f"{info.name} is played by {_listed(seats)}, not by {players}")
    options = dict(_read_option(info, text) for text in arguments.option)
    if arguments.max_years is not None and arguments.max_years < 1:
        raise ValueError("--max-years needs a number from 1")
    if not 0 <= arguments.port <= LAST_PORT:
        raise ValueError(f"--port needs a number up to {LAST_PORT}")
    if arguments.database is not None:
        try:
            Database(arguments.database).close()
        except BadDatabaseAddress as error:
            raise ValueError(f"--database: {error}") from None
    return PlayArguments(
        system=info,
        players=players,
        options=options,
        pace=arguments.pace,
        you=arguments.power,
        bots=arguments.bots,
        seed=arguments.seed or f"{random.SystemRandom().randrange(10**9)}",
        database=arguments.database,
        script=None if arguments.script is None else parse_script(_read(arguments.script)),
        until_end=arguments.until_end,
        max_years=arguments.max_years,
        out=arguments.out,
        port=arguments.port,
        level=None if arguments.level == BY_LOT else Level(arguments.level),
        scenario=arguments.scenario,
        variant=variant,
    )


def _seats_of(system: SystemId, file: Path, players: int | None) -> int:
    """How many players a scenario has.

    Raises:
        ValueError: it can't be played, or not by this many.
        OSError: it can't be read.
    """
    rules = systems[system]
    if rules.scenarios is None:
        raise ValueError(f"--scenario: {rules.info.name} takes no scenarios")
    state = rules.scenarios.start(read_json(file.read_text(encoding="utf-8")), players=players, options={}, seed="")
    return len(rules.play.status(state).to_act)


def make_parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bot play",
        description="Play without a Discord account: the real bot in a simulated Discord, on a page in your browser.",
        epilog="See docs/playing.md for more, and for how to write a script.",
    )
    names = ", ".join(str(name) for name in systems)
    add = parser.add_argument
    add("system", nargs="?", default="diplomacy", metavar="SYSTEM", help=f"which game: {names} (default: diplomacy)")
    add("--bots", action="store_true", help="the computer plays the other seats")
    add(
        "--level",
        choices=(BY_LOT, *map(str, Level)),
        default=str(Level.FAIR),
        metavar="LEVEL",
        help=f"how well it plays: {BY_LOT}, {'; '.join(Level)} (default: {Level.FAIR})",
    )
    add("--power", metavar="POWER", help="the power you want to play (default: drawn at random)")
    add("--players", type=int, metavar="N", help=f"how many players (default: up to {MOST_PLAYERS})")
    add("--variant", metavar="NAME", help="which map, in games that have several")
    add("--scenario", type=Path, metavar="FILE", help="a scenario of your own (JSON), in games that take them")
    add("--option", action="append", default=[], metavar="K=V", help="an option of the rules; may be repeated")
    add("--pace", default="1d", metavar="TIME", help="how long a phase is, such as 3d, 12h, 5m (default: 1d)")
    add("--seed", metavar="TEXT", help="the computer plays each power the same way again; who plays which still varies")
    add("--database", metavar="URL", help="keep the game here, such as sqlite:///game.db (default: nowhere)")
    add("--port", type=int, default=FIRST_PORT, metavar="N", help="of the page; the next free one if it is taken")
    add("--script", metavar="FILE", help="play these commands and stop; - for standard input")
    add("--until-end", action="store_true", help="let the computer play to the end, without a page")
    add("--max-years", type=int, metavar="N", help=f"with --until-end: years or turns (default: {DEFAULT_YEARS})")
    add("--out", type=Path, metavar="DIR", help="write a transcript with all maps (--until-end: to transcript)")
    return parser


def _read(name: str) -> str:
    return sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")


def _read_option(info: SystemInfo, text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    known = [option.name for option in info.options]
    if not sign or name not in known:
        raise ValueError(f"--option {text}: write one of {', '.join(known) or 'none'}, an equals sign and a value")
    return name, value


def _listed(numbers: Sequence[int]) -> str:
    return f"{numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else str(numbers[0])


# Playing


async def play(plan: PlayArguments) -> int:
    """Carry out a plan."""
    async with table(plan) as (world, watch):
        people = world.people
        robots = Robots(
            world,
            watch,
            people if plan.until_end else [person for person in people if watch.is_robot(person)],
            seed=plan.seed,
            level=plan.level,
            votes_for_draw=_draw_after(plan) if plan.until_end else None,
        )
        try:
            status = await _occupy(plan, world, watch, robots)
        except (Disappointed, PlayError):
            # To find the reason, one needs to see what everybody saw until then.
            await _write_out(plan, world, watch)
            raise
        await _report_errors(world)
        await _write_out(plan, world, watch)
        return status


async def _write_out(plan: PlayArguments, world: SimulatedServer, watch: Watcher) -> None:
    """The transcript, if the plan asks for one."""
    if plan.out is not None or plan.until_end:
        out = plan.out or Path("transcript")
        page = await asyncio.to_thread(write_transcript, world, out, title=_title(watch), role=watch.role)
        print(f"The transcript is in {page}.")


async def _occupy(plan: PlayArguments, world: SimulatedServer, watch: Watcher, robots: Robots) -> int:
    if plan.script is not None:
        await ScriptPlayer(world, watch, robots if plan.bots else None, print).play(plan.script)
        return OK
    if plan.until_end:
        return await _play_to_the_end(world, watch, robots)
    await _serve(plan, world, watch, robots)
    return OK


@contextlib.asynccontextmanager
async def table(plan: PlayArguments) -> AsyncIterator[tuple[SimulatedServer, Watcher]]:
    """A world with the game set up and begun; in a database that is thrown away unless the plan names one."""
    with tempfile.TemporaryDirectory(prefix="sealed-orders-") as folder:
        url = plan.database or f"sqlite:///{folder}/game.db"
        async with SimulatedServer(builder(url), people=plan.players) as world:
            watch = Watcher(world, world.people[1:] if plan.bots else ())
            if await watch.now() is None:
                await set_up(world, plan)
            await watch.now()
            yield world, watch


async def set_up(world: SimulatedServer, plan: PlayArguments) -> None:
    """Make the game by the commands that a server would use: create, join, start.

    Raises:
        PlayError: the bot refused one of them.
    """
    host = world.people[0]
    channel_id = world.channel.id
    wanted = {
        "system": str(plan.system.id),
        "name": GAME_NAME,
        "players": str(plan.players),
        "phases": plan.pace,
        "options": ", ".join(f"{name}={value}" for name, value in _options(plan).items()),
        **({} if plan.variant is None else {"variant": plan.variant}),
        **({} if plan.scenario is None else {"scenario": (plan.scenario.name, plan.scenario.read_bytes())}),
    }
    await _expect_game(world, host, "game create", wanted, "lobby")
    # The call for players is posted once its map is drawn; nobody can take a seat before reading it.
    await world.settled()
    for person in world.people:
        wish = {"power": plan.you} if plan.you and person is host else {}
        answer = await world.slash(person, channel_id, "game join", wish)
        await world.settled()
        standing = await Watcher(world).now()
        if standing is None or standing.seat(person) is None:
            raise PlayError(f"/game join did not work: {_said(world, person, answer)}")
    await _expect_game(world, host, "game start", {}, "running")
    await world.settled()


def _options(plan: PlayArguments) -> dict[str, str]:
    """The options of the rules; a game that the computer plays to the end gets one that ends it."""
    options = dict(plan.options)
    known = {option.name for option in plan.system.options}
    if plan.until_end and YEAR_OPTION in known:
        options.setdefault(YEAR_OPTION, str(_last_year(plan)))
    if plan.until_end and TURN_OPTION in known:
        options.setdefault(TURN_OPTION, str(plan.max_years or DEFAULT_YEARS))
    return options


def _last_year(plan: PlayArguments) -> int:
    rules = systems[plan.system.id]
    # The year in which a game begins doesn't depend on the players: few are set up fastest.
    variant = plan.variant or plan.system.variants[0]
    start = rules.play.start(variant=variant, players=plan.system.seats_in(variant)[0], options={}, seed="")
    return _time_of(rules, start) + (plan.max_years or DEFAULT_YEARS) - 1


def _time_of(rules: AnySystem, state: State) -> int:
    """The year of a position, or the game's other measure of time."""
    return int(rules.play.dump(state)["phase"][rules.info.counts_by])


def _draw_after(plan: PlayArguments) -> Callable[[GameNow], bool]:
    """Everybody votes for a draw once the years are over, however many phases they had; some games need this to end."""
    last = _last_year(plan)

    def is_over(standing: GameNow) -> bool:
        return standing.table is not None and _time_of(standing.table.rules, standing.table.state) > last

    return is_over


async def _expect_game(
    world: SimulatedServer, host: Person, command: str, wanted: Mapping[str, Any], status: str
) -> None:
    channel_id = world.channel.id
    spec = next((entry for entry in world.sight(host).commands(channel_id) if entry["name"] == command), None)
    if spec is None:
        raise PlayError(f"the bot has no command /{command}")
    known = {option["name"] for option in spec["options"]}
    answer = await world.slash(host, channel_id, command, {k: v for k, v in wanted.items() if k in known and v})
    await world.settled()
    standing = await Watcher(world).now()
    if standing is None or str(standing.game.status) != status:
        raise PlayError(f"/{command} did not work: {_said(world, host, answer)}")


def _said(world: SimulatedServer, person: Person, answer: Answer) -> str:
    sight = world.sight(person)
    texts = [plain_text(message) for message_id in answer.message_ids if (message := sight.message(message_id))]
    return "\n".join(texts) or "the bot did not answer"


async def _play_to_the_end(world: SimulatedServer, watch: Watcher, robots: Robots) -> int:
    print(f"{len(world.people)} players begin; the computer plays all of them.")
    phase_no, stuck = 0, 0
    while (standing := await watch.now()) is not None and not standing.is_over:
        if standing.game.phase_no != phase_no:
            phase_no, stuck = standing.game.phase_no, 0
            print(f"  {standing.title}", flush=True)
        elif (stuck := stuck + 1) > 20:
            raise PlayError(f"the game does not go on: {watch.strip(world.people[0])['todo']}")
        await robots.play_phase()
        await world.settled()
    print(f"Over. {_result(standing)}")
    return OK


def _result(standing: GameNow | None) -> str:
    """Why the game is over, and who has won, if anybody has."""
    if standing is None or standing.table is None:
        return ""
    status = standing.table.status
    why = "" if status.why_over is None else standing.words.plain(status.why_over)
    left = {seat.power for seat in standing.table.seats if seat.power not in status.out}
    return f"{why} {_who_won(standing.words.listed(status.winners or ()), set(status.winners or ()), left)}"


def _who_won(named: str, winners: Set[PowerId], left: Set[PowerId | None]) -> str:
    if not winners:
        return "Nobody has won."
    if len(winners) > 1 and winners >= left:
        return "Nobody has won: all who were left end it together."
    return f"Winners: {named}."


async def _serve(plan: PlayArguments, world: SimulatedServer, watch: Watcher, robots: Robots) -> None:
    page = PageServer(world, watch)
    await page.start(plan.port)
    role = watch.role_in_sentence(world.people[0])
    print(f"{plan.system.name} is set up; you play {role or 'the first seat'}. Open this address in a browser:\n")
    print(f"    {page.address}\n\nCtrl+C ends it.", flush=True)
    ended = asyncio.Event()
    with contextlib.suppress(NotImplementedError):  # Windows has no signal handlers here; Ctrl+C works all the same
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, ended.set)
    playing = asyncio.create_task(_keep_playing(world, robots)) if robots.people else None
    try:
        await ended.wait()
    finally:
        if playing is not None:
            playing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await playing
        await page.close()
    print("\nThe game is closed.")


async def _keep_playing(world: SimulatedServer, robots: Robots) -> None:
    """Runs the computer players while a person plays; an error of one of them must not stop the others for good.

    They read the game only after something has happened, since doing so all the time would keep a core busy.
    """
    seen = -1
    while True:
        change = world.env.change
        if change != seen:
            try:
                await robots.play_phase()
                seen = change
            except Exception as error:
                logging.getLogger(__name__).warning("a computer's player could not act: %s", error, exc_info=True)
        await asyncio.sleep(ROBOTS_EVERY_S)


async def _report_errors(world: SimulatedServer) -> None:
    for error in world.env.errors:
        print(f"play: the bot had an error: {error!r}", file=sys.stderr)


def _title(watch: Watcher) -> str:
    standing = watch.standing
    return "A game" if standing is None else f"{standing.game.name} · {standing.title}"


def builder(database_url: str) -> Callable[[LiveClock], WiredBot]:
    """Makes the real bot, with a database and the world's clock."""

    def build(clock: LiveClock) -> WiredBot:
        application = build_application(Settings(database_url=SecretStr(database_url)), clock=clock)
        # So that nobody has to wait for the first map.
        application.warm_up()
        return application

    return build
