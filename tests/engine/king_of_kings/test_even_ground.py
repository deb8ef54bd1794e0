"""Maps by lot with `map=balanced` and `ring`: what decides a game is shared evenly, and whoever has one keeps it."""

from __future__ import annotations

import hashlib

import pytest

from engine.king_of_kings.document import LANDS
from engine.king_of_kings.even_ground import MOST_UNEVEN, steps_to_all, unevenness
from engine.king_of_kings.generator import Land, distances, parts, steps_between
from engine.king_of_kings.system import KING_OF_KINGS
from engine.lattice.squares import Grid, grid_of

SEEDS = [*((nations, f"seed {number}") for nations in (2, 4, 8) for number in range(2)), (14, "seed 0")]


@pytest.fixture(
    scope="module",
    params=[(kind, *seed) for kind in ("balanced", "ring") for seed in SEEDS],
    ids=lambda given: f"{given[0]}, {given[1]} nations, {given[2]}",
)
def made(request: pytest.FixtureRequest) -> tuple[Grid, Land]:
    kind, nations, seed = request.param
    land = LANDS[kind](nations, seed)
    return grid_of(land.side, land.side), land


@pytest.mark.parametrize(("nations", "seed"), SEEDS)
def test_on_a_ring_the_land_lies_around_a_sea_and_all_harbours_are_at_the_other(nations: int, seed: str) -> None:
    """Source: ruling K-98"""
    land = LANDS["ring"](nations, seed)
    grid, middle = grid_of(land.side, land.side), (land.side - 1) / 2
    waters = parts(grid, set(grid.cells) - land.soil)
    inland = next(sea for sea in waters if all(len(grid.neighbours[cell]) == 4 for cell in sea))
    assert len(inland) >= len(grid) / 25
    for along in zip(*(divmod(cell, land.side) for cell in inland), strict=True):
        assert abs(sum(along) / len(inland) - middle) < land.side / 6
    for home in land.homes:
        assert {sea for cell in home for sea in grid.neighbours[cell]} - land.soil - inland, "no harbour at the ocean"
    cities = [home[0] for home in land.homes]
    for rivals, most in ({2: 1.2} if nations <= 8 else {2: 1.1, 4: 1.15}).items():
        room = []
        for city in cities:
            steps = distances(grid, [city], land.soil)
            room.append(sum(sorted(steps[other] for other in cities if other != city)[:rivals]))
        assert max(room) <= most * min(room)


def test_with_many_nations_on_a_ring_everybody_has_about_as_much_land_around_the_city() -> None:
    """Else those with most are attacked from all sides; the first draft of this map had 44 provinces and 28.

    Source: ruling K-98
    """
    land = LANDS["ring"](14, "seed 0")
    around = [len(distances(grid_of(land.side, land.side), [home[0]], land.soil, 5)) for home in land.homes]
    assert max(around) <= 1.4 * min(around)


def test_nearest_land_and_its_gold_are_shared_evenly(made: tuple[Grid, Land]) -> None:
    """Counted here in another way than the generator does: for each province, from each home. Source: ruling K-97"""
    grid, land = made
    gold = {"C": 3, "P": 2, "G": 1, "H": 1, "R": 1, "T": 10}
    steps = [distances(grid, home, land.soil) for home in land.homes]
    counts, riches = [0] * len(land.homes), [0] * len(land.homes)
    for cell in land.soil.difference(*land.homes):
        far = [reach.get(cell, 10**6) for reach in steps]
        if min(far) < 10**6 and far.count(min(far)) == 1:
            counts[far.index(min(far))] += 1
            riches[far.index(min(far))] += gold.get(land.terrain[cell], 0)
    assert max(counts) <= MOST_UNEVEN * min(counts)
    assert max(riches) <= MOST_UNEVEN * min(riches)
    assert unevenness(grid, land) == (max(counts) / min(counts), max(riches) / min(riches))


def test_all_homes_stand_on_one_continent_apart_and_by_the_sea(made: tuple[Grid, Land]) -> None:
    grid, land = made
    continent = parts(grid, land.soil)[0]
    assert all(continent.issuperset(home) for home in land.homes)
    cities = [home[0] for home in land.homes]
    for place, city in enumerate(cities):
        assert all(steps_between(grid, city, other) >= 5 for other in cities[:place])
    for home in land.homes:
        assert sorted(land.terrain[cell] for cell in home) == sorted("YCPGFH")
        assert len(parts(grid, home)) == 1
        assert not all(set(grid.neighbours[cell]) <= land.soil for cell in home), "a harbour"


def test_everybody_has_as_many_towns(made: tuple[Grid, Land]) -> None:
    _, land = made
    assert len(land.towns) % len(land.homes) == 0
    assert all(land.terrain[town] == "T" for town in land.towns)


@pytest.mark.parametrize(
    ("kind", "nations", "seed", "fingerprint"),
    [
        ("balanced", 4, "a", "6b5d815d10cf"),
        ("balanced", 8, "b", "d63fe27eb72f"),
        ("ring", 4, "a", "a129e590c4a3"),
        ("ring", 8, "b", "1461b40a982c"),
        ("ring", 10, "c", "73cd22c7c9c5"),
    ],
)
def test_a_seed_makes_the_same_map_for_good(kind: str, nations: int, seed: str, fingerprint: str) -> None:
    """Whoever verifies a game makes its map again, however long ago it began."""
    assert hashlib.sha256(LANDS[kind](nations, seed).terrain.encode()).hexdigest().startswith(fingerprint)


def test_the_option_chooses_the_generator_and_is_kept_with_the_game() -> None:
    play = KING_OF_KINGS.play
    classic = play.start(variant="classic", players=3, options={}, seed="x")
    balanced = play.start(variant="classic", players=3, options={"map": "balanced"}, seed="x")
    assert play.dump(balanced)["options"]["map"] == "balanced"
    assert "map" not in play.dump(classic)["options"], "documents from before stay what they were"
    assert play.load(play.dump(balanced)) == balanced
    assert play.dump(balanced)["state"]["map"] != play.dump(classic)["state"]["map"]


def test_steps_to_all_cells_are_counted_by_columns_and_rows() -> None:
    grid = grid_of(9, 7)
    cells = [cell for cell in grid.cells if cell % 4 and cell % 5]
    counted = {cell: sum(steps_between(grid, cell, other) for other in cells) for cell in cells}
    assert steps_to_all(grid, cells) == counted
