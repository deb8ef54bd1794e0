"""How long the windows of Kalevala take: `python -m tests.bench.bench_kalevala`.

The variant with its six rulers, and 60 rulers on 1,140 great fields, each of whom sends a sheet made up at random. The
goals: a window of six rulers and a receipt in less than 100 ms, one of 60 rulers in less than 2 seconds of one core.
Then a whole receipt of the bot: the sheet taken and stored, the answer with its menus put into words, its map drawn.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from typing import Any

from bot.model import UserId
from bot.render import render_scene
from bot.services import orders
from bot.services.sheets import SubmitMode
from bot.text.order_receipt import receipt_message
from engine.core.ids import PowerId, SystemId
from engine.core.reading import read_orders
from engine.core.viewer import Playing
from engine.kalevala.coordinates import Coordinate, format_gf
from engine.kalevala.document import load
from engine.kalevala.model import State
from engine.kalevala.system import KALEVALA
from engine.registry import systems
from tests.bot.services.world import World
from tests.random_kalevala import wild_sheet

RULERS, FIELDS_EACH, REALM = 60, 19, 7
WINDOWS = 4
CENTRES = ("Hstd", "Std", "Mkt", "Mkt", "F")
GROUNDS = "TTTTtHhBSD"
RECEIPTS, WARM_UP = 21, 3
SHEET = "EXPLORE 1 2E+8 > 2E+9\nEXPLORE 2 2E+7 > 2D+8\nCONVERT 2E+8 5L\nMOVE 3L 2E+8 > 2E+7"
GOALS_MS = {"six": (100, 100), "sixty": (2000, 100)}


@dataclass(frozen=True, slots=True)
class Measured:
    """The longest of some windows, in ms: carried out, and one ruler's receipt."""

    window: float
    receipt: float


def main() -> None:
    """Print the table."""
    argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None).parse_args()
    print(f"longest of {WINDOWS} windows, in ms of one core\n")
    print(f"{'rulers':>8} {'fields':>8} {'window':>8} {'goal':>6} {'receipt':>8} {'goal':>6}")
    for name, state in (("six", load({"system": "kalevala", "seed": "bench"})), ("sixty", sixty_rulers())):
        found = measure(state)
        window, receipt = GOALS_MS[name]
        rulers = len(KALEVALA.play.status(state).to_act)
        print(f"{rulers:>8} {len(state.land):>8} {found.window:>8.0f} {window:>6} {found.receipt:>8.0f} {receipt:>6}")
    taken, told, drawn = measure_receipts()
    print(f"\na receipt of the bot, median of {RECEIPTS}: {taken + told + drawn:.0f} ms, goal {GOALS_MS['six'][1]}")
    print(f"(taken and stored {taken:.0f}, put into words {told:.0f}, drawn {drawn:.0f})")


def measure(state: State) -> Measured:
    """Play some windows with sheets at random."""
    chance = random.Random("bench")
    longest, receipts = 0.0, 0.0
    for _ in range(WINDOWS):
        sheets: dict[PowerId, Any] = {}
        for ruler in KALEVALA.play.status(state).to_act:
            text = wild_sheet(state, ruler, chance)
            if text is None:
                continue
            start = time.process_time()
            view = KALEVALA.sight.view(state, Playing(ruler))
            reading = read_orders(KALEVALA, view, text)
            assert KALEVALA.orders.rehearse is not None
            KALEVALA.orders.rehearse(view, reading.orders)
            receipts = max(receipts, time.process_time() - start)
            sheets[ruler] = reading.values
        start = time.process_time()
        state = KALEVALA.play.adjudicate(state, sheets, KALEVALA.play.dice(state)).state
        longest = max(longest, time.process_time() - start)
    return Measured(longest * 1000, receipts * 1000)


def measure_receipts() -> tuple[float, float, float]:
    """The median of a receipt's parts, in ms: the sheet taken, the answer in words, its map."""
    system = SystemId("kalevala")
    world = World({system: systems[system]})
    players = {UserId(seat): "" for seat in range(1, 7)}
    game_id = world.start(wishes=players, system="kalevala", players=6, options={})
    who = next(seat.user_id for seat in world.seats(game_id) if seat.power == "anna")
    assert who is not None
    times: list[list[float]] = [[], [], []]
    for number in range(RECEIPTS + WARM_UP):
        start = time.process_time()
        text = f"{SHEET}\nWATCH 2E+7 {number % 5 + 1}"  # another one each time, so that nothing is drawn already
        receipt = orders.submit(world.context, game_id, who, text, mode=SubmitMode.AS_SENT)
        taken = time.process_time()
        receipt_message(receipt)
        told = time.process_time()
        render_scene(receipt.scene)
        if number >= WARM_UP:
            for row, spent in zip(times, (taken - start, told - taken, time.process_time() - told), strict=True):
                row.append(spent * 1000)
    taken, told, drawn = map(median, times)
    return taken, told, drawn


def sixty_rulers() -> State:
    """A world of 60 realms of seven great fields each, with natives' land between them."""
    chance = random.Random("sixty")
    gf: dict[str, Any] = {}
    owners: dict[str, str] = {}
    stacks: dict[str, dict[str, str]] = {}
    for number, realm in enumerate(_realms()):
        ruler = f"ruler{number}"
        stacks[ruler] = {}
        for place, name in enumerate(realm):
            gf[name] = {"kf": "".join(chance.choice(GROUNDS) for _ in range(48))}
            if place < REALM:
                owners[name] = ruler
                stacks[ruler][name] = f"{6 if place else 9}L 3B {'30RE Z/30' if not place else '2IP 4RE'}"
            if place < len(CENTRES) or chance.random() < 0.5:
                gf[name]["hz"] = {"type": CENTRES[place] if place < len(CENTRES) else "Mkt", "kf": 19}
    return load({"system": "kalevala", "seed": "sixty", "state": {"gf": gf, "owners": owners, "stacks": stacks}})


def _realms() -> Iterator[list[str]]:
    """For each ruler the names of his great fields: a block of the plane's letters and latitudes."""
    wide = 10
    for number in range(RULERS):
        column, row = number % wide, number // wide
        cells = [(u, v) for u in range(5) for v in range(4)][:FIELDS_EACH]
        yield [format_gf(Coordinate(2, 5 * column + u, 4 * row + v)) for u, v in cells]


if __name__ == "__main__":
    main()
