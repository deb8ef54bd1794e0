"""The maps of the Classic scenario: what the rules promise of each, seen from the document alone."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import pytest

from engine.core.errors import DocumentError
from engine.king_of_kings.generator import classic

Place = tuple[int, int]
HOME_FOOD, HOME_GOLD, HOME_WOOD = 14, 22, 4
YIELDS = {"Y": (4, 15, 0), "C": (3, 3, 0), "P": (2, 2, 0), "G": (2, 1, 0), "F": (1, 0, 3), "H": (2, 1, 1)}


class Map:
    """A generated document, to be asked questions."""

    def __init__(self, nations: int, seed: str, side: int | None = None) -> None:
        self.state: dict[str, Any] = classic(nations, seed, side=side)
        rows = self.state["map"]
        self.terrain: dict[Place, str] = {(x, y): letter for y, row in enumerate(rows) for x, letter in enumerate(row)}
        self.soil = {place for place, letter in self.terrain.items() if letter != "~"}
        self.homes: dict[str, list[Place]] = {}
        for row in self.state["provinces"]:
            if row.get("home_of"):
                self.homes.setdefault(row["home_of"], []).append((row["x"], row["y"]))
        self.neutral = self.soil - {place for home in self.homes.values() for place in home}

    def beside(self, place: Place) -> set[Place]:
        x, y = place
        return {near for near in ((x, y - 1), (x, y + 1), (x + 1, y), (x - 1, y)) if near in self.terrain}

    def reach(self, start: Iterable[Place], ground: set[Place], steps: int) -> set[Place]:
        found = set(start)
        for _ in range(steps):
            found |= {near for place in found for near in self.beside(place) & ground}
        return found


SEEDS = [(nations, f"seed {number}") for nations in (2, 3, 5, 7, 9, 11, 14) for number in range(4)]


@pytest.fixture(scope="module", params=SEEDS, ids=lambda given: f"{given[0]} nations, {given[1]}")
def made(request: pytest.FixtureRequest) -> Map:
    return Map(*request.param)


def test_every_home_is_whole_alike_and_has_a_harbour(made: Map) -> None:
    """Source: rulings K-53, K-65."""
    for home in made.homes.values():
        yields = [YIELDS[made.terrain[place]] for place in home]
        assert tuple(map(sum, zip(*yields, strict=True))) == (HOME_FOOD, HOME_GOLD, HOME_WOOD)
        assert sorted(made.terrain[place] for place in home) == sorted(YIELDS)
        assert made.reach(home[:1], set(home), 6) == set(home)
        assert any(not made.beside(place) <= made.soil for place in home)


def test_cities_are_apart_and_near_the_sea(made: Map) -> None:
    cities = [place for home in made.homes.values() for place in home if made.terrain[place] == "Y"]
    for index, (x, y) in enumerate(cities):
        assert all(abs(x - ox) + abs(y - oy) >= 5 for ox, oy in cities[:index])
        assert min(abs(x - sx) + abs(y - sy) for sx, sy in set(made.terrain) - made.soil) <= 3


def test_everybody_has_as_much_neutral_land_around(made: Map) -> None:
    """Source: rulings K-53, K-64."""
    for ground in (made.soil, set(made.terrain)):
        counts = [len(made.reach(home, ground, 5) & made.neutral) for home in made.homes.values()]
        assert max(counts) <= 1.15 * min(counts)


def test_everybody_has_towns_and_good_land_around(made: Map) -> None:
    """Source: ruling K-66."""
    reaches = [made.reach(home, made.soil, 5) & made.neutral for home in made.homes.values()]
    towns = [sum(made.terrain[place] == "T" for place in reach) for reach in reaches]
    assert max(towns) - min(towns) <= 2
    worth = {"C": 9, "P": 6, "G": 4, "D": 0, "S": 1, "F": 2, "H": 4, "M": 1, "R": 4, "W": 1, "T": 0}
    sums = [sum(worth[made.terrain[place]] for place in reach) for reach in reaches]
    assert max(sums) <= 1.3 * min(sums)


def test_land_is_two_thirds_in_few_continents(made: Map) -> None:
    """Source: rulings K-53, K-65."""
    assert 0.57 <= len(made.soil) / len(made.terrain) <= 0.71
    left, continents = set(made.soil), 0
    while left:
        left -= made.reach([min(left)], left, len(left))
        continents += 1
    assert 1 <= continents <= 3


def test_nations_begin_alike_and_monsters_hold_the_towns(made: Map) -> None:
    """Source: rulings K-53, K-66."""
    *nations, monsters = made.state["nations"]
    assert monsters == {"name": "monsters", "controller": "monsters"}
    assert [(row["gold"], row["wood"]) for row in nations] == [(36, 20)] * len(made.homes)
    assert {row["name"] for row in nations} == set(made.homes)
    towns = [row for row in made.state["provinces"] if row["owner"] == "monsters"]
    assert len(towns) == len(made.neutral) // 12
    for row in made.state["provinces"]:
        garrison = {"F": 2, "B": 1} if row in towns else {"F": 1}
        assert row["units"] == {row["owner"]: garrison}
        assert (made.terrain[row["x"], row["y"]] == "T") is (row in towns)


def test_wild_land_has_the_shares_of_the_table() -> None:
    made = Map(14, "shares", side=40)
    weights = {"P": 20, "G": 22, "F": 16, "H": 12, "M": 8, "S": 8, "D": 4, "R": 5, "W": 3, "C": 2}
    wild = [made.terrain[place] for place in made.neutral if made.terrain[place] != "T"]
    for letter, weight in weights.items():
        assert abs(wild.count(letter) / len(wild) - weight / 100) < 0.01


def test_side_grows_with_the_nations() -> None:
    assert [len(classic(nations, "side")["map"]) for nations in (2, 4, 7, 14)] == [12, 12, 16, 23]


@pytest.mark.parametrize(
    ("nations", "side", "seed", "fingerprint"),
    [
        (2, None, "a", "5c4a6ab9fee1"),
        (5, None, "b", "4df23f7e8622"),
        (14, None, "c", "65e1bb7b49df"),
        (8, 40, "d", "5f13d24deb22"),
        (14, 60, "a2", "ce035b51fc09"),
    ],
)
def test_a_seed_makes_the_same_map_for_good(nations: int, side: int | None, seed: str, fingerprint: str) -> None:
    """Whoever verifies a game makes its map again, however long ago it began."""
    rows = "\n".join(classic(nations, seed, side=side)["map"])
    assert hashlib.sha256(rows.encode()).hexdigest().startswith(fingerprint)


def test_a_seed_makes_one_map_and_another_seed_another() -> None:
    assert classic(5, "a") == classic(5, "a") != classic(5, "b")


@pytest.mark.parametrize(("nations", "side"), [(0, None), (101, None), (14, 20)])
def test_what_can_not_be_made_is_refused(nations: int, side: int | None) -> None:
    with pytest.raises(DocumentError):
        classic(nations, "refused", side=side)
