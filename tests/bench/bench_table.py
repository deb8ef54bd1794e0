"""What people wait for and hosts pay, now against 0.1.0: `python -m tests.bench.bench_table`, part of `make bench`.

Times are of the processor, the best of several; no workers, so that all of it is counted. The figures of 0.1.0 were
taken on another machine: docs/performance.md says which of them were taken again beside today's.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence

from pydantic import SecretStr

from bot.app import Application, build_application
from bot.discord_messages import message_kwargs
from bot.model import GameId, Outgoing, Pace, Target, UserId
from bot.services import gm, lobby, orders
from bot.services.arrivals import Arrival
from bot.services.sheets import SubmitMode
from bot.services.snapshot import snapshot
from bot.settings import Settings
from bot.text.compose import compose
from bot.text.message import Message
from bot.text.order_receipt import receipt_message
from engine.registry import systems
from tests.bench.bench_scale import ManyGames

HOST = UserId(99)
PHASES = 4
"""After more of them in silence people are told less."""
RECEIPTS = 4
START = """
import sys, time
from pydantic import SecretStr
from bot.app import build_application
from bot.settings import Settings
application = build_application(Settings(database_url=SecretStr(sys.argv[1])))
application.warm_up()
print(time.process_time())
"""


def main() -> None:
    """Print the table."""
    print(f"{'what':<66}{'0.1.0':>12}{'to reach':>10}{'now':>12}")
    with tempfile.TemporaryDirectory() as folder:
        address = f"sqlite:///{folder}/games.sqlite"
        table = ManyGames(address)
        announced = table.announced(1)
        table.close()
        tell("announcing one phase: statements", "118", "30", f"{announced.statements}")
        tell(
            "  transactions, four of them shared by all that is announced at once",
            "34",
            "4",
            f"{announced.transactions}",
        )
        tell("  positions loaded", "50", "2", f"{announced.loads}")
        tell("start to ready, without drawing: CPU s", "8-9", "2.5", f"{best(lambda: _start_s(address)):.1f}")
        application = build_application(Settings(database_url=SecretStr(address), workers=0))
        for name, system_id, players, then, aim in (
            ("Diplomacy", "diplomacy", 7, "480", "-"),
            ("King of Kings of 14", "king_of_kings", 14, "3350", "900"),
        ):
            whole, public = closed(application, system_id, players)
            tell(f"closing a phase of {name}, every message and picture: CPU ms", then, aim, f"{whole * 1000:.0f}")
            if system_id == "diplomacy":
                tell("  its two public pictures", "350", "120", f"{public * 1000:.0f}")
        for system in systems.values():
            tell(
                f"a receipt with its picture, {system.info.name}: CPU ms",
                "-",
                "250",
                receipt(application, system.info.id),
            )
        asyncio.run(application.close())
    print("Memory: bench_memory. The resolver and texts: bench_resolver. First pictures of large maps: bench_maps.")


def tell(what: str, then: str, aim: str, now: str) -> None:
    """One row."""
    print(f"{what:<66}{then:>12}{aim:>10}{now:>12}", flush=True)


def best(measure: Callable[[], float]) -> float:
    """The least of three."""
    return min(measure() for _ in range(3))


def _start_s(address: str) -> float:
    done = subprocess.run([sys.executable, "-c", START, address], check=True, capture_output=True, text=True)
    return float(done.stdout)


def begun(application: Application, system: str, players: int) -> GameId:
    """A game of these people."""
    context = application.context
    game = lobby.create_game(
        context,
        lobby.NewGame(system=system, name=f"{system} {time.monotonic_ns()}", players=players, pace=Pace("1d")),
        guild_id=1,
        channel_id=2,
        user_id=HOST,
    )
    for number in range(players):
        lobby.join_game(context, game.id, UserId(100 + number), power=None)
    lobby.start_game(context, game.id, HOST, is_manager=False)
    return game.id


def closed(application: Application, system: str, players: int) -> tuple[float, float]:
    """Seconds for closing a phase of silence and making all that is posted; of these for what is drawn in public."""
    game_id, found, seen = begun(application, system, players), [], 0
    for _ in range(PHASES):
        began = time.process_time()
        gm.adjudicate_now(application.context, game_id, HOST, is_manager=False)
        with application.context.reading() as unit:
            queued = [message for message in unit.outbox.of_game(game_id) if message.id > seen]
        seen = queued[-1].id
        public = asyncio.run(_make(application, queued))
        found.append((time.process_time() - began, public))
    # The first also loads maps and words, and tells of the opening.
    return min(found[1:])


async def _make(application: Application, queued: Sequence[Outgoing]) -> float:
    public = 0.0
    with snapshot(application.context) as context:
        made = [(outgoing, compose(context, outgoing)) for outgoing in queued]
    for outgoing, messages in made:
        # What a changed message has beside its words stays, so nothing is drawn.
        for message in () if outgoing.is_edit else messages:
            began = time.process_time()
            await message_kwargs(message, application.client.renderer)
            if outgoing.target is Target.CHANNEL:
                public += time.process_time() - began
    return public


def receipt(application: Application, system: str) -> str:
    """Milliseconds from a line to its receipt with the picture, the least of several players' in the first phase."""
    context, players = application.context, systems[system].info.seats[-1]  # type: ignore[index]
    game_id = begun(application, system, players)
    found: list[float] = []
    with context.reading() as unit:
        game = unit.games.find(game_id)
    assert game is not None, "it was begun"
    for number in range(players):
        user_id = UserId(100 + number)
        lines = orders.suggest(context, game_id, user_id, "")
        if not lines or len(found) == RECEIPTS:
            continue  # of the Young Kingdoms only one power has anything to order then
        began = time.process_time()
        told = orders.submit(
            context, game_id, user_id, lines[0], mode=SubmitMode.MERGE, arrival=Arrival(phase_no=game.phase_no)
        )
        asyncio.run(_draw(application, receipt_message(told)))
        found.append(time.process_time() - began)
    return f"{min(found) * 1000:.0f}" if found else "-"


async def _draw(application: Application, messages: Sequence[Message]) -> None:
    for message in messages:
        await message_kwargs(message, application.client.renderer)


if __name__ == "__main__":
    main()
