"""An epoch of Kalevala played by the computer alone, with every part of the game that is an option.

    nice -n 15 python -m tests.measure_kalevala_epoch --rulers 24 --rounds 12

draws a world by lot and plays it, and prints for each great round: seconds of the processor for carrying it out and for
thinking, the provinces held, battles, the memory of the process, and what a host's database keeps of it. It checks that
the books of every window balance and that every window, read back from its document, comes to the same end.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import sys
import time
from collections import Counter
from collections.abc import Mapping
from typing import Any

from engine.computer.levels import CARE, Level, think
from engine.core.ids import PowerId
from engine.core.outcome import Outcome
from engine.core.reading import read_orders
from engine.core.viewer import Playing
from engine.kalevala.document import load
from engine.kalevala.info import MODULES
from engine.kalevala.model import State
from engine.kalevala.orders import Line
from engine.kalevala.system import KALEVALA as RULES
from engine.kalevala.system import start
from engine.kalevala.writing import dump
from tests.random_kalevala import audit_sheets


def main() -> None:
    """Play and print; ends with 1 if anything was wrong."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--rulers", type=int, default=24)
    reader.add_argument("--rounds", type=int, default=12)
    reader.add_argument("--seed", default="epoch")
    reader.add_argument("--level", type=Level, default=Level.FAIR, choices=list(Level))
    given = reader.parse_args()
    options = {**dict.fromkeys(MODULES, True), "rounds": given.rounds, "score": True, "artefacts": 6}
    began = time.process_time()
    state = start(variant="world", players=given.rulers, options=options, seed=given.seed)
    print(f"a world of {given.rulers} rulers and {len(state.land)} great fields: {time.process_time() - began:.1f} s")
    print("round  closing s  thinking s  provinces  battles  memory MB  database KB")
    faults = 0
    orders: Counter[str] = Counter()
    while RULES.play.status(state).winners is None and state.gr <= given.rounds:
        state, row, found = play_round(state, given.level, orders)
        faults += len(found)
        print(row)
        for fault in found:
            print(f"    {fault}")
    print(f"orders that worked: {', '.join(f'{count} {kind}' for kind, count in orders.most_common())}")
    print(f"{faults} faults")
    sys.exit(bool(faults))


def play_round(state: State, level: Level, orders: Counter[str]) -> tuple[State, str, list[str]]:
    """Both windows of a great round: the position after them, a line of the table, and what was wrong."""
    closing = thinking = 0.0
    kept = battles = 0
    faults: list[str] = []
    gr = state.gr
    while state.gr == gr and RULES.play.status(state).winners is None:
        began = time.process_time()
        sheets = {ruler: _sheet(state, ruler, level) for ruler in RULES.play.status(state).to_act}
        thinking += time.process_time() - began
        began = time.process_time()
        done = RULES.play.adjudicate(state, sheets, RULES.play.dice(state))
        closing += time.process_time() - began
        before, after = dump(state), dump(done.state)
        faults += audit_sheets(state, sheets)
        if dump(RULES.play.adjudicate(load(before), sheets, RULES.play.dice(state)).state) != after:
            faults.append(f"round {gr}, window {state.part}: another end when it is played again")
        kept += _size(before) + _size(after) + sum(_size(event.to_json()) for event in done.events)
        kept += sum(len(line.canonical) for lines in sheets.values() for line in lines)
        battles += sum(event.facts is not None and event.facts.code == "battle" for event in done.events)
        orders.update(
            type(result.order.order).__name__
            for result in done.results
            if result.order is not None and result.outcome is Outcome.SUCCEEDS
        )
        state = done.state
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    row = f"{gr:5} {closing:10.2f} {thinking:11.1f} {len(state.owners):10} {battles:8} {memory:10} {kept // 1024:12}"
    return state, row, faults


def _sheet(state: State, ruler: PowerId, level: Level) -> tuple[Line, ...]:
    assert RULES.judgement is not None, "it has one"
    view = RULES.sight.view(state, Playing(ruler))
    chance = random.Random(f"{RULES.play.dice(state).seed}/computer/{ruler}")
    lines = think(RULES, RULES.judgement, view, ruler, CARE[level], chance)
    return tuple(read_orders(RULES, view, "\n".join(lines)).values)


def _size(document: Mapping[str, Any]) -> int:
    """Bytes of its text, as a database keeps it."""
    return len(json.dumps(document, separators=(",", ":")))


if __name__ == "__main__":
    main()
