"""How long a map of King of Kings takes to draw, and how that grows: `python -m tests.bench.bench_maps`.

The crowded positions of `bench_king_of_kings`, after a turn in which everybody sent a full sheet. Each is drawn in a
process of its own: `first` with nothing at hand but the program and its fonts, `again` with what the first picture left
behind. The goal is 14 nations on 40 x 40 provinces in less than a second of one core, the first time too; and no map
may be too large for a message.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from dataclasses import replace

from bot.render.encode import encoded
from bot.render.style import font, load_style
from engine.core.reading import read_orders
from engine.core.viewer import EVERYBODY, Playing
from engine.pictures.tiles import AnyScene, TileScene
from tests.bench.bench_king_of_kings import GOAL_SIZE, SIZES, crowded, sheets_for
from tests.random_king_of_kings import RULES

GOAL_S = 1.0
MOST_BYTES = 10_000_000
"""Of a file in a message."""
LETTERS_PX = range(6, 100)
HEAD = ("nations", "map", "first", "again", "pixels", "file", "memory")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--up-to", type=int, default=100, help="nations of the largest game")
    parser.add_argument("--one", type=int, nargs=2, metavar=("NATIONS", "SIDE"), help="this one alone, in this process")
    given = parser.parse_args()
    if given.one:
        print(row(*given.one))
        return
    print("seconds of one core, the file in MB, the process's memory at its largest in MB\n")
    print("".join(f"{name:>12}" for name in HEAD), flush=True)
    for nations, side in SIZES:
        if nations <= given.up_to:
            command = [sys.executable, "-m", "tests.bench.bench_maps", "--one", str(nations), str(side)]
            subprocess.run(command, check=True)


def row(nations: int, side: int) -> str:
    """A line of the table."""
    scene = battle_scene(nations, side)
    for file in load_style(scene.system, scene.variant).fonts.values():
        for size in LETTERS_PX:
            font(file, size)
    first, again = (_seconds(replace(scene)) for _ in range(2))
    picture = encoded(scene)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    cells = (
        f"{nations}", f"{side}x{side}", f"{first:.2f}", f"{again:.2f}", f"{picture.width_px}x{picture.height_px}",
        f"{len(picture.file) / 1e6:.1f}", f"{memory}",
    )  # fmt: skip
    line = "".join(f"{cell:>12}" for cell in cells)
    if (nations, side) == GOAL_SIZE:
        line += f"\n{'':>12}goal: less than {GOAL_S:.1f} s; {GOAL_S / first:.1f} times as fast"
    if len(picture.file) > MOST_BYTES:
        line += f"\n{'':>12}too large for a message"
    return line


def _seconds(scene: AnyScene) -> float:
    start = time.process_time()
    encoded(scene)
    return time.process_time() - start


def battle_scene(nations: int, side: int) -> AnyScene:
    """A crowded position with all that became of a turn."""
    state = crowded(nations, side)
    texts = sheets_for(state)
    sheets = {
        nation: read_orders(RULES, RULES.sight.view(state, Playing(nation)), text).values
        for nation, text in texts.items()
    }
    done = RULES.play.adjudicate(state, sheets, RULES.play.dice(state))
    scene = RULES.telling.scene(RULES.sight.view(state, EVERYBODY), results=done.results, events=done.events)
    assert isinstance(scene, TileScene)
    return scene


if __name__ == "__main__":
    main()
