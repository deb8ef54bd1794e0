"""The standard board as the oracle knows it: read from `board.txt` beside, not from the game's assets."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True)
class Board:
    """Provinces and borders.

    Args:
        terrain: `sea`, `coast` or `land` of every province.
        names: English names of the provinces.
        homes: every centre with the power whose home it is, or "" for a neutral one.
        armies: where armies go from a province.
        fleets: where fleets go from a place, coasts named.
    """

    terrain: dict[str, str]
    names: dict[str, str]
    homes: dict[str, str]
    armies: dict[str, frozenset[str]]
    fleets: dict[str, frozenset[str]]

    def reach(self, kind: str, at: str) -> frozenset[str]:
        """The places that a unit can go to by itself."""
        return self.fleets[at] if kind == "F" else self.armies[province(at)]

    def provinces_in_reach(self, kind: str, at: str) -> frozenset[str]:
        """The same, coasts left out: what a unit can support into."""
        return frozenset(province(place) for place in self.reach(kind, at))

    def touches(self, sea: str, land: str) -> bool:
        """Whether a fleet at sea lies on any coast of a province, or next to another sea."""
        return land in self.provinces_in_reach("F", sea)


def province(place: str) -> str:
    """`SPA` for `SPA/NC`."""
    return place.partition("/")[0]


@cache
def standard() -> Board:
    """The board of standard Diplomacy."""
    board = Board({}, {}, {}, {}, {})
    for line in Path(__file__).with_name("board.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        facts, armies, fleets = (part.strip() for part in line.split("|"))
        place, terrain, centre, name = facts.split(" ", 3)
        board.fleets[place] = frozenset(fleets.split())
        if "/" in place:
            continue
        board.terrain[place] = terrain
        board.names[place] = name
        board.armies[place] = frozenset(armies.split())
        if centre != ".":
            board.homes[place] = centre.strip("-")
    return board
