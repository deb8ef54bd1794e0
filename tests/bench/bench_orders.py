"""How long reading, checking, listing and resolving take on random dense phases: `python -m tests.bench.bench_orders`.

Each figure is processor time, the best of several rounds over the same phases of 34 units. Other packages are in
`bench_resolver`.
"""

from __future__ import annotations

import argparse
import gc
import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine import systems
from engine.answers import answer_line
from engine.core.ids import PowerId, SystemId
from engine.core.reading import adjudicate_texts, read_orders
from engine.core.viewer import Playing
from tests.positions import RandomPhase, dense_phase

RULES = systems[SystemId("diplomacy")]
ROUNDS = 5


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--phases", type=int, default=200)
    options = parser.parse_args()
    phases = [dense_phase(seed) for seed in range(options.phases)]
    found = measure(phases)
    for name, seconds in found.items():
        print(f"{name:<44}{seconds * 1e6:>10.0f} µs a phase {1 / seconds:>10.0f} a second")


def measure(phases: Sequence[RandomPhase]) -> Mapping[str, float]:
    """Seconds a phase, by what is done."""
    documents = [phase.document() for phase in phases]
    states = [RULES.play.load(document) for document in documents]
    texts = [{PowerId(power): "\n".join(lines) for power, lines in phase.sheets.items()} for phase in phases]
    loose = [{power: text.lower().replace(" - ", "-") for power, text in sheets.items()} for sheets in texts]
    requests = [
        json.dumps({"game": document, "orders": phase.sheets}).encode()
        for document, phase in zip(documents, phases, strict=True)
    ]

    def read(state: Any, sheets: Mapping[PowerId, str]) -> None:
        for power, text in sheets.items():
            reading = read_orders(RULES, RULES.sight.view(state, Playing(power)), text)
            if reading.errors:
                raise AssertionError(reading.errors[0])

    def list_all(state: Any) -> None:
        for power in RULES.play.variant(state).powers:
            RULES.orders.legal(RULES.sight.view(state, Playing(power)))

    def fresh(index: int) -> Any:
        # A state that nobody has looked at yet: what is kept about a position must not count as free.
        return RULES.play.load(documents[index])

    return {
        "read and check canonical texts": _best(lambda i, state: read(state, texts[i]), len(phases), fresh),
        "read and check loosely written texts": _best(lambda i, state: read(state, loose[i]), len(phases), fresh),
        "list all legal orders of all powers": _best(lambda i, state: list_all(state), len(phases), fresh),
        "read, check and resolve texts": _best(
            lambda i, state: adjudicate_texts(RULES, state, texts[i]), len(phases), fresh
        ),
        "batch, JSON line to JSON line": _best(lambda i, _: answer_line(requests[i]), len(phases), states.__getitem__),
    }


def _best(work: Callable[[int, Any], object], count: int, prepare: Callable[[int], Any]) -> float:
    """Seconds for one of `count` pieces of work, preparation left out, in the best round."""
    rounds = []
    for _ in range(ROUNDS):
        prepared = [prepare(index) for index in range(count)]
        _settle()
        start = time.process_time()
        for index in range(count):
            work(index, prepared[index])
        rounds.append((time.process_time() - start) / count)
    return min(rounds)


def _settle() -> None:
    """Let the collector forget what was prepared: nobody has so many games in hand at a time."""
    gc.collect()
    gc.freeze()


if __name__ == "__main__":
    main()
