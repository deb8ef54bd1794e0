"""What a single line of orders takes to read and check, accepted or refused: `python -m tests.bench.bench_lines`.

Lines of many positions, each read as a text of its own where nothing is remembered of any line: canonical ones and ones
with full names, the latter with a letter wrong in a name (refused, with near misses as hints), and canonical ones that
can't be carried out. How many times as long as an accepted one a refused one takes is told for the same spelling.
Positions are made, and one line is read, before the clock starts. Processor time, of each line the least of several
rounds.
"""

from __future__ import annotations

import argparse
import gc
import random
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from engine.core import words
from engine.core.gazetteer import gazetteer_of
from engine.core.ids import PowerId
from engine.core.reading import Reading, read_orders
from engine.core.viewer import Playing
from tests.bench.bench_resolver import KINDS, RULES, Phase, _far, _loosely, _variant, forget

ROUNDS = 5


class Line(NamedTuple):
    """A line that a power writes in a phase."""

    phase: Phase
    power: PowerId
    text: str


def main() -> None:
    """Print the microseconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=300)
    options = parser.parse_args()
    for kind in ("played", "dense"):
        chance = random.Random("lines")
        lines = [
            Line(phase, power, text)
            for phase in KINDS[kind](65)[5:]
            for power, sheet in phase.texts.items()
            for text in sheet.split("\n")
            if text
        ]
        some = sorted(chance.sample(lines, options.lines), key=lambda line: lines.index(line))
        accepted: dict[bool, float] = {}
        for name, rewrite in SORTS.items():
            wanted = "accepted" if name.startswith("accepted") else "refused"
            seconds = measure([line._replace(text=rewrite(line.text, chance)) for line in some], wanted)
            mean = sum(seconds) / len(seconds)
            like = accepted.setdefault("full name" in name, mean)
            print(f"{kind:<8}{name:<44}{len(seconds):>5} lines{mean * 1e6:>7.0f} µs, {mean / like:>4.1f} times")


def _misspelt(text: str, chance: random.Random) -> str:
    """With a letter wrong in the longest word."""
    parts = text.split(" ")
    which = max(range(len(parts)), key=lambda index: len(parts[index]))
    word, at = parts[which], chance.randrange(1, len(parts[which]))
    parts[which] = word[:at] + chance.choice("abcdefghijklmnopqrstuvwxyz") + word[at + chance.choice((0, 1)) :]
    return " ".join(parts)


SORTS: Mapping[str, Callable[[str, random.Random], str]] = {
    "accepted, canonical": lambda text, chance: text,
    "accepted, full names": lambda text, chance: _loosely(text),
    "refused: a full name misspelt, hints": lambda text, chance: _misspelt(_loosely(text), chance),
    "refused: a place that is too far": lambda text, chance: f"{text[:5]} - {_far(text)}",
    "refused: no unit there": lambda text, chance: "A SWI H",
}


def measure(lines: Sequence[Line], wanted: str) -> list[float]:
    """Seconds for each of the lines of which that becomes."""
    least: dict[int, float] = {}
    for _ in range(ROUNDS):
        gc.collect()
        gc.freeze()
        for number, line in enumerate(lines):
            view = RULES.sight.view(RULES.play.load(line.phase.document), Playing(line.power))
            read_orders(RULES, view, "A SWI H")
            forget_all()
            start = time.process_time()
            reading = read_orders(RULES, view, line.text)
            taken = time.process_time() - start
            if _fate(reading) == wanted:
                least[number] = min(taken, least.get(number, taken))
    return list(least.values())


def _fate(reading: Reading[Any]) -> str:
    return "refused" if reading.refused else "accepted"


def forget_all() -> None:
    """Empty what is remembered of lines, and of words that are no names."""
    forget()
    gazetteer = gazetteer_of(_variant())
    for remembered in (gazetteer._near, gazetteer._beginnings, words._tokens_of):
        remembered.cache_clear()


if __name__ == "__main__":
    main()
