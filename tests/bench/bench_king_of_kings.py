"""How long a turn of King of Kings takes, and how that grows: `python -m tests.bench.bench_king_of_kings`.

Crowded positions: every province is somebody's, armies stand along all borders, fleets at sea, and every nation sends a
full sheet. Reading is what a player waits for; carrying out the turn is what everybody waits for at the deadline.
The goal is a turn of 14 nations on 40 x 40 provinces in less than 2 seconds of one core.
"""

from __future__ import annotations

import argparse
import gc
import random
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.core.ids import PowerId
from engine.core.reading import read_orders
from engine.core.viewer import EVERYBODY, Playing
from engine.king_of_kings.generator import position, rough_draft
from engine.king_of_kings.model import Line, State
from tests.random_king_of_kings import RULES, wild_orders

SIZES = ((2, 12), (4, 20), (7, 28), (14, 40), (28, 60), (50, 85), (100, 120))
"""Nations, and the side of the map."""
LINES = 50
GOAL_S = 2.0
GOAL_SIZE = (14, 40)
HEAD = ("nations", "map", "units", "lines", "read", "one check", "carry out", "report", "save", "turn", "per line")


@dataclass(frozen=True)
class Measured:
    """Seconds of one core for a turn's parts.

    Args:
        check: one sheet read and carried out dry, for the receipt.
        report: the public one.
        save: writing the document.
    """

    units: int
    lines: int
    read: float
    check: float
    carry_out: float
    report: float
    save: float

    @property
    def turn(self) -> float:
        """From the sheets as they were sent to the report and the document."""
        return self.read + self.carry_out + self.report + self.save


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="the best of so many is told")
    parser.add_argument("--up-to", type=int, default=100, help="nations of the largest game")
    given = parser.parse_args()
    print("seconds of one core; `one check` is what a player waits for, `turn` what all wait for at the deadline\n")
    print("".join(f"{name:>11}" for name in HEAD))
    for nations, side in SIZES:
        if nations > given.up_to:
            continue
        found = measure(crowded(nations, side), given.rounds)
        cells = (
            f"{nations}", f"{side}x{side}", f"{found.units}", f"{found.lines}", f"{found.read:.3f}",
            f"{found.check:.4f}", f"{found.carry_out:.3f}", f"{found.report:.3f}", f"{found.save:.3f}",
            f"{found.turn:.3f}", f"{found.turn / found.lines * 1e6:.0f} µs",
        )  # fmt: skip
        print("".join(f"{cell:>11}" for cell in cells))
        if (nations, side) == GOAL_SIZE:
            print(f"{'':>11}goal: less than {GOAL_S:.1f} s; {GOAL_S / found.turn:.1f} times as fast")


def measure(state: State, rounds: int) -> Measured:
    """The best of so many rounds, part by part; garbage collection is left to its own time."""
    texts = sheets_for(state)
    read, sheets = _best(rounds, lambda: _read(state, texts))
    check, _ = _best(rounds, lambda: _check(state, *next(iter(texts.items()))))
    carry_out, done = _best(rounds, lambda: RULES.play.adjudicate(state, sheets, RULES.play.dice(state)))
    public = RULES.sight.view(done.state, EVERYBODY)
    report, _ = _best(rounds, lambda: RULES.telling.report(public, done.results, done.events))
    save, _ = _best(rounds, lambda: RULES.play.dump(done.state))
    units = sum(sum(row.values()) for province in state.provinces for row in province.units.values())
    lines = sum(text.count("\n") + 1 for text in texts.values())
    return Measured(units, lines, read, check, carry_out, report, save)


def _best(rounds: int, work: Callable[[], Any]) -> tuple[float, Any]:
    best, result = float("inf"), None
    for _ in range(rounds):
        gc.collect()
        start = time.process_time()
        result = work()
        best = min(best, time.process_time() - start)
    return best, result


def _read(state: State, texts: Mapping[PowerId, str]) -> dict[PowerId, tuple[Line, ...]]:
    return {
        nation: read_orders(RULES, RULES.sight.view(state, Playing(nation)), text).values
        for nation, text in texts.items()
    }


def _check(state: State, nation: PowerId, text: str) -> object:
    view = RULES.sight.view(state, Playing(nation))
    assert RULES.orders.rehearse is not None
    return RULES.orders.rehearse(view, read_orders(RULES, view, text).orders)


def sheets_for(state: State) -> dict[PowerId, str]:
    """A full sheet of each player."""
    texts = {}
    for nation in RULES.play.status(state).to_act:
        chance = random.Random(f"sheet {nation}")
        lines: list[str] = []
        while len(lines) < LINES:
            lines += wild_orders(state, nation, chance)
        chance.shuffle(lines)
        texts[nation] = "\n".join(lines[:LINES])
    return texts


def crowded(nations: int, side: int) -> State:
    """All land shared out to the nearest homes, with armies everywhere and fleets off shore."""
    chance = random.Random(f"{nations} {side}")
    land = rough_draft(nations, "bench", side=side)
    row: dict[str, Any] = position(land)
    names = [nation["name"] for nation in row["nations"][:nations]]
    owners = {cell: name for name, home in zip(names, land.homes, strict=True) for cell in home}
    cities = [(divmod(home[0], side), name) for name, home in zip(names, land.homes, strict=True)]
    provinces = []
    for cell, letter in enumerate(land.terrain):
        y, x = divmod(cell, side)
        owner = owners.get(cell) or min(cities, key=lambda city: abs(city[0][0] - y) + abs(city[0][1] - x))[1]
        if letter != "~":
            units = Counter(chance.choices("FFFBBHHCG", k=chance.randint(0, 6)))
            units["C"], units["G"] = min(units["C"], 1), min(units["G"], 1)
            units["S"] = chance.choice((0, 0, 2))
        elif chance.random() < 0.15:
            units = Counter({"S": 4, "F": 2, "H": 1})
        else:
            continue
        here = {symbol: amount for symbol, amount in units.items() if amount}
        provinces.append({"x": x, "y": y, "owner": None if letter == "~" else owner, "units": {owner: here}})
    nations_row = [{**nation, "gold": 500, "wood": 200} for nation in row["nations"][:nations]]
    return RULES.play.load(
        {
            "seed": "bench",
            "options": {"storage_gold": None, "storage_wood": None, "storage_food": None},
            "state": {"map": row["map"], "nations": nations_row, "provinces": provinces},
        }
    )


if __name__ == "__main__":
    main()
