"""The standard tables, read from CSV files. Source: rules 2.1, 2.2, 2.3, 2.5; rulings K-02, K-03, K-05."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from engine.core.variant import Variant, load_variant
from engine.king_of_kings.model import Flag, Improvement, Rulebook, Symbol, Tactic, Terrain, Troop

SYSTEM = "king_of_kings"
CLASSIC = "classic"
NUMBERS = (
    "hit_first", "hit_later", "armour", "land_move", "sea_move", "food", "gold", "wood",
    "casualty_sea", "casualty_land", "morale_bonus", "hit_bonus",
)  # fmt: skip
"""The twelve numbers of a troop type, by name. Source: rules 2.1."""


def classic() -> Variant:
    """The standard scenario's files."""
    return load_variant(SYSTEM, CLASSIC)


@cache
def standard() -> Rulebook:
    """The standard tables, read once."""
    tables = classic().tables
    troops = [_troop(row) for row in tables["troops"]]
    terrain = [_terrain(row) for row in tables["terrain"]]
    return Rulebook(
        troops={troop.symbol: troop for troop in troops},
        terrain={kind.name: kind for kind in terrain},
        tactics={
            (Tactic(row["attacker"]), Tactic(row["defender"])): (
                int(row["attacker_modifier"]),
                int(row["defender_modifier"]),
            )
            for row in tables["tactics"]
        },
        build={row["from"]: Improvement(int(row["percent"]), row["to"]) for row in tables["build"]},
    )


def _troop(row: Mapping[str, str]) -> Troop:
    numbers = {name: int(row[name]) for name in NUMBERS}
    flags = frozenset(map(Flag, row["flags"].split()))
    return Troop(name=row["name"], symbol=Symbol(row["symbol"]), flags=flags, **numbers)


def _terrain(row: Mapping[str, str]) -> Terrain:
    return Terrain(
        name=row["name"],
        letter=row["letter"],
        food=int(row["food"]),
        gold=int(row["gold"]),
        wood=int(row["wood"]),
        move=int(row["move"]),
        cap=int(row["cap"]) if row["cap"] else None,
        is_sea=row["sea"] == "yes",
    )
