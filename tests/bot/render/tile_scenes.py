"""Scenes of squares and of hexes for the tests: every terrain, owners, fleets, signs and marches."""

from __future__ import annotations

from dataclasses import replace

from engine.core.ids import PowerId, SystemId
from engine.core.phrases import phrase
from engine.core.variant import Power
from engine.lattice.hexes import Hexes, Top, disc, distance
from engine.lattice.squares import Squares
from engine.lattice.tiling import TileId
from engine.pictures.legend import ArrowStatus, LegendRow
from engine.pictures.tiles import Tile, TileScene, Trail, Troops

ROME, CARTHAGE = PowerId("rome"), PowerId("carthage")
LETTERS = {
    "C": "cultivated", "P": "plains", "G": "grassland", "D": "desert", "S": "steppes", "F": "forest", "H": "hills",
    "M": "mountains", "R": "marsh", "W": "swamps", "T": "town", "Y": "city", "O": "metropolis",
}  # fmt: skip
ROWS = ("~~~~~~~~~~~~", "~CPGDSF~~~~~", "~HMRWTYO~~~~", "~PPGGFFHHM~~", "~~~PGG~~HM~~", "~~~~~~~~~~~~", "~~~~~~~~~~~~")


def realm() -> TileScene:
    """Two nations at war over all terrains there are, with fleets between them."""
    squares: dict[TileId, Tile] = {}
    for y, row in enumerate(ROWS):
        for x, letter in enumerate(row):
            if letter != "~":
                squares[x, y] = Tile(LETTERS[letter], letter, owner=_owner(x, y))
    squares[2, 2] = Tile("mountains", "M", owner=ROME, home_of=ROME, troops=(Troops(ROME, "3F 2B C G"),), note="f")
    squares[5, 2] = Tile("town", "T", name="Cumae", owner=ROME, signs=("isolated", "disloyal"))
    squares[8, 3] = Tile("hills", "H", owner=CARTHAGE, troops=(Troops(CARTHAGE, "12F"),), note="t", signs=("battle",))
    squares[9, 5] = Tile("sea", "~", is_water=True, troops=(Troops(CARTHAGE, "4S 2F"), Troops(ROME, "S F")))
    squares[10, 1] = Tile("oasis", "A", name="Siwa")
    return TileScene(
        SystemId("king_of_kings"),
        "classic",
        phrase("message.caption", game="The Punic War"),
        Squares(12, 7),
        squares,
        (Power(ROME, "Rome", "R"), Power(CARTHAGE, "Carthage", "C")),
        marches=(
            Trail(ROME, ((2, 2), (3, 2), (4, 2), (4, 3))),
            Trail(CARTHAGE, ((8, 3), (7, 3), (6, 3)), status=ArrowStatus.FAILED),
        ),
        legend=(LegendRow(ROME, (("provinces", 12),)), LegendRow(CARTHAGE, (("provinces", 9),), is_out=True)),
        viewer=ROME,
    )


def _owner(x: int, y: int) -> PowerId | None:
    if y == 1:
        return None
    return ROME if x < 6 else CARTHAGE


ISLES = frozenset({(-3, 1), (-3, 2), (3, -3), (0, 3)})
FORTS: dict[TileId, Tile] = {
    (-1, -1): Tile("city", "Y", tag="4", owner=ROME, home_of=ROME, troops=(Troops(ROME, "3F 2B C"),), note="f"),
    (1, 0): Tile("town", "T", tag="17", name="Nora", owner=CARTHAGE, signs=("isolated",)),
    (2, -1): Tile("hills", "H", tag="11", owner=CARTHAGE, troops=(Troops(CARTHAGE, "12F"),), signs=("battle",)),
    (0, 2): Tile("sea", "~", is_water=True, tag="30", troops=(Troops(CARTHAGE, "4S"), Troops(ROME, "S F"))),
}


def hexes(top: Top) -> TileScene:
    """Two nations on a board of hexes, with a corner or a side on top."""
    board = Hexes(frozenset(disc((0, 0), 3)), top)
    land = [at for at in board.within(board.box) if distance(at, (0, 0)) < 3 and at not in FORTS] + sorted(ISLES)
    kinds = list(LETTERS.items())
    tiles = {
        at: Tile(kinds[number % len(kinds)][1], kinds[number % len(kinds)][0], tag=f"{number}", owner=_side(at))
        for number, at in enumerate(land)
    }
    marches = (
        Trail(ROME, ((-1, -1), (0, -1), (1, -1), (2, -1))),
        Trail(CARTHAGE, ((1, 0), (0, 1)), status=ArrowStatus.FAILED),
    )
    return replace(realm(), board=board, tiles={**tiles, **FORTS}, marches=marches)


def _side(at: TileId) -> PowerId | None:
    if at in ISLES:
        return None
    return ROME if at[0] < 1 else CARTHAGE
