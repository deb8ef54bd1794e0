"""How fair Kalevala's worlds are: `nice -n 15 python -m tests.fair_worlds --worlds 200 --rulers 6 12 30`.

Prints how many times as much the best placed realm has nearest to it as the worst placed one, of land, of what trade
centres and their sites arm, and of what occupying natives' land costs: the median, what nine in ten worlds do not
exceed, the most. Then the steps over land from a capital to the nearest other one, least and most, and how many rulers
reach nobody without craft. What as many steps lead to from several realms is shared among them.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from statistics import median

from engine.kalevala.document import load
from engine.kalevala.world.promise import promise_of


def measure(rulers: int, worlds: int) -> None:
    """The row of one number of rulers."""
    started = time.process_time()
    rows: list[tuple[float, float, float]] = []
    steps: list[int] = []
    cut_off = 0
    for number in range(worlds):
        state = load({"system": "kalevala", "variant": "world", "seed": f"seed {number}"}, players=rulers)
        promise = promise_of(state)
        rows.append(promise.unevenness)
        steps += [each for each in promise.neighbour if each is not None]
        cut_off += promise.cut_off
    seconds = (time.process_time() - started) / worlds
    land, centres, natives = (spread([row[column] for row in rows]) for column in range(3))
    print(
        f"{rulers} rulers, {worlds} worlds: land {land}, centres {centres}, natives {natives}; nearest capital "
        f"{min(steps)} to {max(steps)} steps (mean {sum(steps) / len(steps):.1f}), {cut_off} cut off; "
        f"{seconds:.1f} s a world",
        flush=True,
    )


def spread(values: Sequence[float]) -> str:
    """The median, the value that nine in ten do not exceed, the most."""
    ranked = sorted(values)
    return f"{median(ranked):.2f} / {ranked[len(ranked) * 9 // 10]:.2f} / {ranked[-1]:.2f}"


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rulers", type=int, nargs="+", default=[6, 12, 30])
    parser.add_argument("--worlds", type=int, default=20)
    given = parser.parse_args()
    for rulers in given.rulers:
        measure(rulers, given.worlds)


if __name__ == "__main__":
    main()
