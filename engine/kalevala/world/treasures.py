"""Artefacts for a new game: each is on natives' land, far from everybody. Option `artefacts`, ruling KA235"""

from __future__ import annotations

from engine.core.dice import Dice
from engine.kalevala.artefacts.facts import Artefact, artefact_row
from engine.kalevala.coordinates import Province, coordinate_of, order_of
from engine.kalevala.land import land_of
from engine.kalevala.model import State

_NAMES: tuple[tuple[str, int], ...] = (
    ("Sampo", 3),
    ("Louhi's Cloak", 1),
    ("Ukko's Hammer", 3),
    ("Kyllikki's Ring", 1),
    ("Ilmarinen's Sword", 2),
    ("Tapio's Horn", 1),
    ("Lemminkäinen's Shirt", 2),
    ("Ahti's Spear", 2),
    ("Väinämöinen's Kantele", 2),
    ("Tuoni's Scythe", 3),
    ("Aino's Comb", 1),
    ("Kullervo's Axe", 2),
)
"""Names from the epic, each with the GP for its bearer."""


def with_artefacts(start: State, count: int) -> State:
    """A starting position with this many artefacts on natives' land, each in the farther half of what is left."""
    land, dice = land_of(start), Dice(start.seed).for_phase("artefacts")
    owned = [coordinate_of(place) for place in start.owners]
    free = [
        place
        for gf in sorted(start.land, key=order_of)
        for place in land.provinces(gf)
        if place not in start.owners and land.cells(place) and not land.is_sea(place)
    ]

    def distance(place: Province) -> int:
        here = coordinate_of(place)
        near = (here.field.distance(each.field) for each in owned if each.plane == here.plane)
        return min(near, default=0)

    found: list[Artefact] = []
    for number, (name, points) in enumerate(_NAMES[:count], 1):
        taken = {each.at for each in found}
        far = sorted((place for place in free if place not in taken), key=distance, reverse=True)
        if not far:
            break
        at = dice.pick(f"place/{number}", far[: max(1, len(far) // 2)])
        cell = dice.pick(f"cell/{number}", sorted(land.cells(at)))
        found.append(Artefact(number, name, at, None, cell, points))
    return start.replace(modules={**start.modules, "things": [artefact_row(each) for each in found]})
