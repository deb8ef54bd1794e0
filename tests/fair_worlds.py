"""How fair Kalevala's worlds are: `nice -n 15 python -m tests.fair_worlds --worlds 200 --rulers 6 12 30`.

Prints how many times as much the best placed realm has nearest to it as the worst placed one, of land, of what trade
centres and their sites arm, and of what occupying natives' land costs: the median, what nine in ten worlds do not
exceed, the most. Then the steps over land from a capital to the nearest other one, least and most, and how many rulers
reach nobody without craft. What as many steps lead to from several realms is shared among them.

With `--keep FILE` each world is written to a file as it is measured; the same command goes on from there. `--each N`
prints a row after every N worlds too.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from engine.kalevala.document import load
from engine.kalevala.world.promise import promise_of
from engine.kalevala.world.start import VERSION

Row = Mapping[str, Any]


def measure(rulers: int, number: int) -> Row:
    """One world."""
    started = time.process_time()
    promise = promise_of(load({"system": "kalevala", "variant": "world", "seed": f"seed {number}"}, players=rulers))
    return {
        "version": VERSION,
        "rulers": rulers,
        "number": number,
        "unevenness": promise.unevenness,
        "steps": promise.neighbour,
        "seconds": time.process_time() - started,
    }


def told(rulers: int, rows: Sequence[Row]) -> str:
    """The row of one number of rulers."""
    steps = [each for row in rows for each in row["steps"]]
    ways = [each for each in steps if each is not None]
    land, centres, natives = (spread([row["unevenness"][column] for row in rows]) for column in range(3))
    seconds = sum(row["seconds"] for row in rows) / len(rows)
    return (
        f"{rulers} rulers, {len(rows)} worlds: land {land}, centres {centres}, natives {natives}; nearest capital "
        f"{min(ways)} to {max(ways)} steps (mean {sum(ways) / len(ways):.1f}), {len(steps) - len(ways)} cut off; "
        f"{seconds:.1f} s a world"
    )


def spread(values: Sequence[float]) -> str:
    """The median, the value that nine in ten do not exceed, the most."""
    ranked = sorted(values)
    return f"{median(ranked):.2f} / {ranked[(len(ranked) * 9 - 1) // 10]:.2f} / {ranked[-1]:.2f}"


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rulers", type=int, nargs="+", default=[6, 12, 30])
    parser.add_argument("--worlds", type=int, default=20)
    parser.add_argument("--each", type=int, default=0)
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    kept = given.keep.read_text(encoding="utf-8").splitlines() if given.keep and given.keep.exists() else ()
    known = [row for row in map(json.loads, kept) if row["version"] == VERSION]
    for rulers in given.rulers:
        rows = [row for row in known if row["rulers"] == rulers and row["number"] < given.worlds]
        for number in sorted(set(range(given.worlds)) - {row["number"] for row in rows}):
            rows.append(measure(rulers, number))
            if given.keep:
                with given.keep.open("a", encoding="utf-8") as file:
                    print(json.dumps(rows[-1]), file=file)
            if given.each and len(rows) % given.each == 0 and len(rows) < given.worlds:
                print(told(rulers, rows), flush=True)
        print(told(rulers, rows), flush=True)


if __name__ == "__main__":
    main()
