"""How fair King of Kings' maps by lot are: `python -m tests.fair_maps --maps 200 --nations 4 8 14`.

Prints, for each generator, how many times as much nearest land and gold the richest seat has as the poorest: the
median, what nine in ten maps do not exceed, the most. With `--games N` it has `fair` players play N games on maps of
`--map`, and shows how often seats won, as multiples of a share: by pairs with most nearest land first, then by pairs
that are farthest from the middle, then by pairs whose two nearest rivals are farthest away, then by pairs with most
land within five steps of the city.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping, Sequence
from statistics import mean, median

from engine import systems
from engine.core.ids import SystemId
from engine.king_of_kings import even_ground
from engine.king_of_kings.document import LANDS
from engine.king_of_kings.generator import Land, distances, steps_between
from engine.king_of_kings.shores import land_around
from engine.lattice.squares import grid_of
from tests.tournament import GameSetup, play

CLASS = 2
"""Seats of a class."""


def measure_maps(nations: int, maps: int) -> None:
    """The table of one number of nations."""
    for name, make in LANDS.items():
        started = time.process_time()
        rows = []
        for number in range(maps):
            land = make(nations, f"seed {number}")
            rows.append(even_ground.unevenness(grid_of(land.side, land.side), land))
        seconds = (time.process_time() - started) / maps
        told = (_spread([row[column] for row in rows]) for column in (0, 1))
        print(
            f"{nations} nations, {name}, {maps} maps: land {next(told)}, gold {next(told)}; {seconds:.2f} s a map",
            flush=True,
        )


def _spread(values: Sequence[float]) -> str:
    ranked = sorted(values)
    return f"{median(ranked):.2f} / {ranked[len(ranked) * 9 // 10]:.2f} / {ranked[-1]:.2f}"


def measure_seats(nations: int, games: int, kind: str, first: int) -> None:
    """Who wins, by classes of seats."""
    table = GameSetup(systems[SystemId("king_of_kings")], nations, 30, {"map": kind})
    classes: dict[str, list[list[float]]] = {what: [[] for _ in range(nations // CLASS)] for what in MEASURES}
    for number in range(first, first + games):
        seed = f"seats/{number}"
        land = LANDS[kind](nations, seed)
        ended = play(table, {}, "fair", seed=seed)
        shares = [ended.shares.get(power, 0.0) for power in ended.figures]
        for what, measure in MEASURES.items():
            measured = measure(land)
            ranked = sorted(range(nations), key=lambda seat: -measured[seat])
            for place, seats in enumerate(classes[what]):
                seats += [shares[seat] for seat in ranked[place * CLASS : (place + 1) * CLASS]]
    for what, pairs in classes.items():
        told = ", ".join(f"{mean(seats) * nations:.2f}" for seats in pairs)
        print(f"{nations} nations, {kind}, {games} games: times its share, {what}: {told}", flush=True)


def _land(land: Land) -> Mapping[int, float]:
    grid = grid_of(land.side, land.side)
    return dict(enumerate(float(len(region)) for region in even_ground.nearest_land(grid, land.soil, land.homes)))


def _edge(land: Land) -> Mapping[int, float]:
    grid = grid_of(land.side, land.side)
    middle = grid.find(land.side // 2, land.side // 2)
    assert middle is not None
    return {seat: float(steps_between(grid, home[0], middle)) for seat, home in enumerate(land.homes)}


def _room(land: Land) -> Mapping[int, float]:
    """The steps over land to the two nearest rivals' cities, added up."""
    grid = grid_of(land.side, land.side)
    cities = [home[0] for home in land.homes]
    away = [distances(grid, [city], land.soil) for city in cities]
    return {
        seat: float(sum(sorted(steps.get(other, len(grid)) for other in cities)[1:3]))
        for seat, steps in enumerate(away)
    }


def _around(land: Land) -> Mapping[int, float]:
    grid = grid_of(land.side, land.side)
    return {seat: float(land_around(grid, land.soil, home[0])) for seat, home in enumerate(land.homes)}


MEASURES: Mapping[str, Callable[[Land], Mapping[int, float]]] = {
    "most nearest land first": _land,
    "farthest from the middle first": _edge,
    "nearest rivals farthest away first": _room,
    "most land around the city first": _around,
}
"""What seats are ranked by."""


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nations", type=int, nargs="+", default=[4, 8, 14])
    parser.add_argument("--maps", type=int, default=20)
    parser.add_argument("--games", type=int, default=0)
    parser.add_argument("--first", type=int, default=1, help="the number of the first game, which is its seed")
    parser.add_argument("--map", default="balanced", choices=list(LANDS))
    given = parser.parse_args()
    for nations in given.nations:
        if given.games:
            measure_seats(nations, given.games, given.map, given.first)
        else:
            measure_maps(nations, given.maps)


if __name__ == "__main__":
    main()
