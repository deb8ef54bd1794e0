"""How much memory the bot takes, with its workers: `python -m tests.bench.bench_memory`, which is part of `make bench`.

The bot is put together as it is at a start, with its words and commands, but without Discord. Then games are played in
it, one after the other: every message of their first phases is composed, and its maps are drawn. What they take is told
at once (half a second later), and after a lull, in which the worker lets go of what it can do without. Memory is what
the kernel counts as each process's own, with its share of what several have in common (PSS), so the processes can be
added up; Linux alone tells it.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pydantic import SecretStr

from bot.app import Application, build_application
from bot.client import COGS
from bot.discord_messages import message_kwargs
from bot.model import GameId, Pace, UserId
from bot.services import gm, lobby
from bot.settings import Settings
from bot.text.compose import compose
from bot.text.failure import all_words
from bot.workers import LULL_S
from tests.processes import children

PHASES = 4
TRIMMED_AFTER_S = 0.5
"""After its last answer a worker still gives back what only that job needed; to measure meanwhile would be chance."""
GAMES = (("Diplomacy", "diplomacy", 7), ("King of Kings of 14", "king_of_kings", 14))
HOST = UserId(1)


def main() -> None:
    """Print a row for each step."""
    with tempfile.TemporaryDirectory() as folder:
        address = f"sqlite:///{folder}/games.sqlite"
        # What migrates a database is loaded where there is something to migrate: at the first start of all.
        program = f"from bot.storage import Database; Database({address!r}).migrate()"
        subprocess.run([sys.executable, "-c", program], check=True)
        application = build_application(Settings(database_url=SecretStr(address)))
        tell("put together")
        application.warm_up()
        asyncio.run(load_commands(application))
        tell("warmed up, without a game")
        for number, (name, system, players) in enumerate(GAMES):
            play(application, f"game {number}", system, players)
            time.sleep(TRIMMED_AFTER_S)
            tell(f"after {PHASES} phases of a game of {name}, at once")
            time.sleep(LULL_S + 2)
            tell("  after a lull")
        asyncio.run(application.close())


async def load_commands(application: Application) -> None:
    """What the client loads once Discord has let it in."""
    all_words()
    for name in COGS:
        await application.client.load_extension(name)


def play(application: Application, name: str, system: str, players: int) -> None:
    """Begin a game and close its first phases by the game master's word; all that is posted is made."""
    context = application.context
    game = lobby.create_game(
        context,
        lobby.NewGame(system=system, name=name, players=players, pace=Pace("1d")),
        guild_id=1,
        channel_id=2,
        user_id=HOST,
    )
    for number in range(players):
        lobby.join_game(context, game.id, UserId(100 + number), power=None)
    lobby.start_game(context, game.id, HOST, is_manager=False)
    for _ in range(PHASES):
        gm.adjudicate_now(context, game.id, HOST, is_manager=False)
    asyncio.run(_make_all(application, game.id))


async def _make_all(application: Application, game_id: GameId) -> None:
    with application.context.unit_of_work() as unit:
        messages = list(unit.outbox.of_game(game_id))
    for outgoing in messages:
        for message in compose(application.context, outgoing):
            await message_kwargs(message, application.client.renderer)


def tell(what: str) -> None:
    """Print what the bot takes now: together, and each process for itself."""
    sizes = [_megabytes(process) for process in (os.getpid(), *children())]
    each = " + ".join(f"{size:.0f}" for size in sizes)
    print(f"{what:<60}{sum(sizes):>6.0f} MB  ({each})", flush=True)


def _megabytes(process: int) -> float:
    try:
        rows = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(row.split()[1]) for row in rows if row.startswith("Pss:")) / 1024


if __name__ == "__main__":
    main()
