"""How even Kregen is: `python -m tests.fair_kregen --games 12 --years 8`.

The computer's players play on whoever would have won, and fleets and cities are counted after each season; so the same
games tell who would have won first by either set of numbers, and who is furthest above its par after the last year of
`handicap`. With `--victory balanced` an X feeds nations too; with `--keep FILE` games are added to a file.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from engine import systems
from engine.core.ids import PowerId, SystemId
from engine.kregen.land import land_of
from engine.kregen.model import BALANCED, CLASSIC, FLEET, HANDICAP, PIRATES, State
from engine.kregen.system import KREGEN
from engine.kregen.victory import Numbers, last_year, numbers_of, par
from engine.provinces.phases import PhaseKind
from tests.tournament import orders_of, wilson

_NEVER = 999


def play(number: int, level: str, years: int, victory: str) -> dict[str, Any]:
    """A game's row: what each power has after each phase that isn't a retreat."""
    rules: Any = systems[SystemId("kregen")]
    state: Any = rules.play.start(variant="standard", players=8, options={"victory": victory}, seed=f"kregen/{number}")
    never = {"fleets": _NEVER, "cities": _NEVER, "each": 0}
    settings = {**state.variant.settings, "victory_fleets": _NEVER, "victory_cities": _NEVER, BALANCED: never}
    state = replace(state, variant=replace(state.variant, settings=settings))
    counts = []
    while state.phase.year <= years:
        status, sheets = rules.play.status(state), {}
        for power in status.to_act:
            chance = random.Random(f"{number}/{status.code}/{power}")
            sheets[power] = orders_of(rules, state, power, level, chance)
        state = rules.play.adjudicate(state, sheets, rules.play.dice(state)).state
        if state.phase.kind is PhaseKind.MOVEMENT:
            counts.append([state.phase.year, *_count(state)])
    return {"number": number, "level": level, "years": years, "victory": victory, "counts": counts}


def _count(state: State) -> tuple[int, dict[PowerId, list[int]]]:
    """The pirates' fleets, and the squares, circles and diamonds of each nation."""
    fleets = sum(unit.power == PIRATES and unit.kind == FLEET for unit in state.units)
    city = land_of(state.variant).city
    shapes = {
        power: [
            sum(owner == power and city.get(at) == shape for at, owner in state.owners.items())
            for shape in ("square", "circle", "diamond")
        ]
        for power in state.variant.powers
        if power != PIRATES
    }
    return fleets, shapes


def _sets() -> Mapping[str, Numbers]:
    """The numbers of each choice of `victory`."""
    start = partial(KREGEN.play.start, variant="standard", players=8, seed="")
    return {name: numbers_of(start(options={"victory": name})) for name in (CLASSIC, BALANCED)}


def furthest(row: Mapping[str, Any]) -> Mapping[PowerId, float]:
    """The shares of the victory with `handicap`; empty if the game was left before its last year ended."""
    start: State = KREGEN.play.start(variant="standard", players=8, options={"victory": HANDICAP}, seed="")
    found = next((count for count in row["counts"] if count[0] > last_year(start)), None)
    if found is None:
        return {}
    _, fleets, shapes = found
    sizes = {PIRATES: fleets, **{PowerId(power): sum(counts) for power, counts in shapes.items()}}
    above = {power: 2 * size - par(start, power) for power, size in sizes.items() if size}
    best = [power for power, number in above.items() if number == max(above.values())]
    return {power: 1 / len(best) for power in best}


def winner(row: Mapping[str, Any], needed: Numbers) -> str | None:
    """Who would have won first by these numbers; of several the one with most cities."""
    for _, fleets, shapes in row["counts"]:
        if fleets >= needed.fleets:
            return PIRATES
        sizes = {power: sum(counts) for power, counts in shapes.items() if min(counts[:2]) >= needed.each}
        able = {power: size for power, size in sizes.items() if size >= needed.cities}
        if able:
            return str(max(able, key=lambda power: able[power]))
    return None


def table_of(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """What the games come to, in lines."""
    told = [f"{len(rows)} games of {rows[0]['years']} years by the rules of {rows[0]['victory']}, {rows[0]['level']}"]
    for name, numbers in _sets().items():
        won = Counter(winner(row, numbers) or "nobody" for row in rows)
        low, high = wilson(won[PIRATES], len(rows))
        told.append(f"  by the numbers of {name}: pirates {won[PIRATES]} ({low:.2f} to {high:.2f}), {dict(won)}")
    shares = [share for share in map(furthest, rows) if share]
    for power in KREGEN.play.start(variant="standard", players=8, options={}, seed="").variant.powers if shares else ():
        part = sum(share.get(power, 0.0) for share in shares)
        low, high = (bound * 8 for bound in wilson(part, len(shares)))
        told.append(f"  by {HANDICAP}, {power}: {part / len(shares) * 8:.2f} times its share ({low:.2f} to {high:.2f})")
    for year in range(2, rows[0]["years"] + 2):
        last = [next((count for count in row["counts"] if count[0] == year), None) for row in rows]
        found = [count for count in last if count is not None]
        if found:
            fleets = sum(count[1] for count in found) / len(found)
            best = sum(max(map(sum, count[2].values())) for count in found) / len(found)
            told.append(f"  after year {year - 1}: {fleets:.1f} fleets, {best:.1f} cities of the largest nation")
    return told


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=12)
    parser.add_argument("--years", type=int, default=8)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--level", default="fair")
    parser.add_argument("--victory", default=CLASSIC, choices=(CLASSIC, BALANCED))
    parser.add_argument("--keep", type=Path, help="a file of games by the same choices")
    given = parser.parse_args()
    kept = given.keep.read_text().splitlines() if given.keep and given.keep.exists() else []
    rows = {row["number"]: row for row in map(json.loads, kept)}
    for number in range(given.first, given.first + given.games):
        if number not in rows:
            rows[number] = play(number, given.level, given.years, given.victory)
            if given.keep:
                with given.keep.open("a") as file:
                    file.write(json.dumps(rows[number]) + "\n")
    print("\n".join(table_of(list(rows.values()))))


if __name__ == "__main__":
    main()
