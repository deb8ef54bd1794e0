"""Plays random legal games of a system and replays each: `python -m tests.play_random SYSTEM --games N`.

Every power sends random orders of its legal ones, or what a writer of the system's own makes up: moves of several
steps, junk, nothing at all. A game must not raise, must come to equal states when it is replayed from its documents
and its orders' texts, must satisfy the system's auditor if it has one, and ends by victory or after so many years.
Prints who won, and how long the games were.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from engine import systems
from engine.core.ids import PowerId, SystemId
from engine.core.reading import read_orders
from engine.core.viewer import EVERYBODY, Playing
from engine.pictures.scene import Scene
from engine.pictures.tiles import TileScene
from engine.registry import AnySystem, State, in_the_making
from tests import random_kalevala, random_king_of_kings

WRITERS: Mapping[str, Callable[[Any, PowerId, random.Random], str | None]] = {
    "kalevala": random_kalevala.wild_sheet,
    "king_of_kings": random_king_of_kings.wild_sheet,
}
"""Who makes up whole sheets, by system; they may hold lines that are refused, and `None` stands for nothing sent."""
AUDITORS: Mapping[str, Callable[[Any, Mapping[PowerId, Sequence[Any]]], list[str]]] = {
    "kalevala": random_kalevala.audit_sheets,
    "king_of_kings": random_king_of_kings.audit_sheets,
}
"""What tells what is wrong with a phase, by system."""


@dataclass(frozen=True, slots=True)
class Played:
    """A game that was played: how many phases, who won, how often each sort of order was sent and worked, and what each
    power had in the end, as the legend of the map counts it."""

    phases: int
    winners: tuple[PowerId, ...]
    outcomes: Counter[str]
    figures: Mapping[PowerId, Mapping[str, float]]


def play(
    rules: AnySystem,
    seed: str,
    *,
    years: int,
    players: int | None = None,
    options: Mapping[str, str] | None = None,
    scenario: Mapping[str, Any] | None = None,
) -> Played:
    """One game, each phase also replayed from texts; as many players as can be, unless told otherwise."""
    chance = random.Random(seed)
    if scenario is None:
        players = players or max(rules.info.seats)
        state = rules.play.start(variant=rules.info.variants[0], players=players, options=options or {}, seed=seed)
    else:
        state = start_from(rules, scenario, players=players, options=options or {}, seed=seed)
    first = year_of(rules, state)
    outcomes: Counter[str] = Counter()
    phases = 0
    while rules.play.status(state).winners is None and year_of(rules, state) < first + years:
        texts = random_texts(rules, state, chance)
        after, results = close(rules, state, texts)
        again, _ = close(rules, rules.play.load(rules.play.dump(state)), dict(reversed(texts.items())))
        if after != again:
            raise AssertionError(f"{seed}: {rules.play.status(state).code} does not replay")
        outcomes.update(results)
        state, phases = after, phases + 1
    scene = rules.telling.scene(rules.sight.view(state, EVERYBODY))
    assert isinstance(scene, Scene | TileScene)
    figures = {row.power: {name: float(count) for name, count in row.figures} for row in scene.legend}
    return Played(phases, rules.play.status(state).winners or (), outcomes, figures)


def start_from(rules: AnySystem, scenario: Mapping[str, Any], **given: Any) -> State:
    """A game as a scenario sets it up."""
    if rules.scenarios is None:
        raise SystemExit("the system takes no scenarios")
    return rules.scenarios.start(scenario, **given)


def seats_of(rules: AnySystem, scenario: Mapping[str, Any] | None) -> Sequence[int]:
    """By how many a game can be played."""
    if scenario is None:
        return rules.info.seats
    whole = start_from(rules, scenario, players=None, options={}, seed="seats")
    return [count for count in rules.info.seats if count <= len(rules.play.status(whole).to_act)]


def random_texts(rules: AnySystem, state: State, chance: random.Random) -> dict[PowerId, str]:
    """What everyone who has to act sends."""
    texts = {}
    writer = WRITERS.get(rules.info.id)
    if writer is not None:
        sheets = {power: writer(state, power, chance) for power in rules.play.status(state).to_act}
        return {power: sheet for power, sheet in sheets.items() if sheet is not None}
    for power in rules.play.status(state).to_act:
        view = rules.sight.view(state, Playing(power))
        picked = [
            chance.choice(orders) for orders in rules.orders.legal(view).values() if orders and chance.random() < 0.95
        ]
        chance.shuffle(picked)
        reading = read_orders(rules, view, "\n".join(map(rules.orders.format, picked)))
        texts[power] = "\n".join(map(rules.orders.format, reading.values))
    return texts


def close(rules: AnySystem, state: State, texts: Mapping[PowerId, str]) -> tuple[State, list[str]]:
    """The phase closed, and each order's sort with what became of it."""
    sheets = {}
    for power, text in texts.items():
        reading = read_orders(rules, rules.sight.view(state, Playing(power)), text)
        if reading.errors and rules.info.id not in WRITERS:
            raise AssertionError(f"{rules.play.status(state).code}: refused {reading.errors[0]}")
        sheets[power] = reading.values
    resolution = rules.play.adjudicate(state, sheets, rules.play.dice(state))
    wrong = AUDITORS[rules.info.id](state, sheets) if rules.info.id in AUDITORS else ()
    if wrong:
        raise AssertionError(f"{rules.play.status(state).code}: {'; '.join(wrong)}")
    return resolution.state, [f"{sort_of(result.text)} {result.outcome}" for result in resolution.results]


def sort_of(order: str) -> str:
    """The words of an order that say what is done, without who and where."""
    words = order.split() or ["-"]
    if words[0].isalpha() and len(words[0]) > 1:
        return " ".join(words[:2]) if words[0] == "CAST" else words[0]
    return " ".join((words[0], *(word for word in words[2:] if word in ("-", "S", "C", "H", "R", "D", "RIDES"))))[:12]


def year_of(rules: AnySystem, state: State) -> int:
    """The year of the present phase, or its number where a system knows no years."""
    return int("".join(filter(str.isdigit, rules.play.status(state).code.partition(".")[0])) or 0)


def main(arguments: list[str]) -> int:
    """Play, and print the table."""
    parser = argparse.ArgumentParser(prog="tests.play_random")
    parser.add_argument("system")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--until-year", type=int, default=20)
    parser.add_argument("--first", type=int, default=1, help="number of the first game")
    parser.add_argument("--orders", action="store_true", help="print what became of each sort of order")
    parser.add_argument("--sizes", action="store_true", help="print how large each power was in the end")
    parser.add_argument("--players", type=int, help="how many play; as many as can be if left out")
    parser.add_argument("--any-players", action="store_true", help="as many in each game as it happens")
    parser.add_argument("--scenario", type=Path, help="a file that the games start from")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    given = parser.parse_args(arguments)
    options = dict(option.split("=", 1) for option in given.option)
    rules = {**systems, **in_the_making}[SystemId(given.system)]
    scenario = None if given.scenario is None else json.loads(given.scenario.read_text(encoding="utf-8"))
    seats = seats_of(rules, scenario)
    games = []
    for number in range(given.first, given.first + given.games):
        seed = f"random {number}"
        players = random.Random(seed).choice(seats) if given.any_players else given.players
        games.append(play(rules, seed, years=given.until_year, players=players, options=options, scenario=scenario))
    winners = Counter(power for game in games for power in game.winners)
    phases = [game.phases for game in games]
    lines = [f"{len(games)} games, {sum(phases)} phases ({min(phases)} to {max(phases)} a game)"]
    lines += [f"  {power}: {count} won" for power, count in winners.most_common()]
    if given.orders:
        outcomes = sum((game.outcomes for game in games), Counter[str]())
        lines += [f"  {count:7} {name}" for name, count in sorted(outcomes.items())]
    if given.sizes:
        lines += sizes(games)
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


def sizes(games: Sequence[Played]) -> list[str]:
    """For each power what it had in the end, in the mean of all games, and at most."""
    lines = []
    for power in dict.fromkeys(power for game in games for power in game.figures):
        rows = [game.figures[power] for game in games if power in game.figures]
        names = dict.fromkeys(name for row in rows for name in row)
        found = {name: [row.get(name, 0.0) for row in rows] for name in names}
        told = [f"{name} {mean(counts):.2f} (most {max(counts):g})" for name, counts in found.items()]
        lines.append(f"  {power}: {', '.join(told)}")
    return lines


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
