"""Scenes of squares for the tests: every terrain, owners, fleets, signs and marches."""

from __future__ import annotations

from engine.core.ids import PowerId, SystemId
from engine.core.phrases import phrase
from engine.core.variant import Power
from engine.pictures.grid_scene import Cell, GridScene, March, Square, Troops
from engine.pictures.legend import ArrowStatus, LegendRow

ROME, CARTHAGE = PowerId("rome"), PowerId("carthage")
LETTERS = {
    "C": "cultivated", "P": "plains", "G": "grassland", "D": "desert", "S": "steppes", "F": "forest", "H": "hills",
    "M": "mountains", "R": "marsh", "W": "swamps", "T": "town", "Y": "city", "O": "metropolis",
}  # fmt: skip
ROWS = ("~~~~~~~~~~~~", "~CPGDSF~~~~~", "~HMRWTYO~~~~", "~PPGGFFHHM~~", "~~~PGG~~HM~~", "~~~~~~~~~~~~", "~~~~~~~~~~~~")


def realm() -> GridScene:
    """Two nations at war over all terrains there are, with fleets between them."""
    squares: dict[Cell, Square] = {}
    for y, row in enumerate(ROWS):
        for x, letter in enumerate(row):
            if letter != "~":
                squares[x, y] = Square(LETTERS[letter], letter, owner=_owner(x, y))
    squares[2, 2] = Square("mountains", "M", owner=ROME, home_of=ROME, troops=(Troops(ROME, "3F 2B C G"),), note="f")
    squares[5, 2] = Square("town", "T", name="Cumae", owner=ROME, signs=("isolated", "disloyal"))
    squares[8, 3] = Square("hills", "H", owner=CARTHAGE, troops=(Troops(CARTHAGE, "12F"),), note="t", signs=("battle",))
    squares[9, 5] = Square("sea", "~", is_water=True, troops=(Troops(CARTHAGE, "4S 2F"), Troops(ROME, "S F")))
    squares[10, 1] = Square("oasis", "A", name="Siwa")
    return GridScene(
        SystemId("king_of_kings"),
        "classic",
        phrase("message.caption", game="The Punic War"),
        (12, 7),
        squares,
        (Power(ROME, "Rome", "R"), Power(CARTHAGE, "Carthage", "C")),
        marches=(
            March(ROME, ((2, 2), (3, 2), (4, 2), (4, 3))),
            March(CARTHAGE, ((8, 3), (7, 3), (6, 3)), status=ArrowStatus.FAILED),
        ),
        legend=(LegendRow(ROME, (("provinces", 12),)), LegendRow(CARTHAGE, (("provinces", 9),), is_out=True)),
        viewer=ROME,
    )


def _owner(x: int, y: int) -> PowerId | None:
    if y == 1:
        return None
    return ROME if x < 6 else CARTHAGE
