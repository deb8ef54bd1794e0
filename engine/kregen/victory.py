"""What is needed to win: the text's numbers, or those of the option `victory`. Source: rules 11; ruling K27."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.ids import PowerId
from engine.kregen.eye import eye_of
from engine.kregen.model import BALANCED, FLEET, PIRATES, State

_LEAST_OF_EACH = 5
"""Squares and circles that a nation needs to win by the text."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """What wins.

    Args:
        fleets: of the pirates.
        cities: of a nation.
        each: squares and circles among them at least.
    """

    fleets: int
    cities: int
    each: int


def numbers_of(state: State) -> Numbers:
    """What is needed in this game."""
    settings = state.variant.settings
    if state.options["victory"] == BALANCED:
        return Numbers(**settings[BALANCED])
    return Numbers(int(settings["victory_fleets"]), int(settings["victory_cities"]), _LEAST_OF_EACH)


def has_won(state: State, power: PowerId) -> bool:
    """Whether a power has what it needs."""
    needed = numbers_of(state)
    if power == PIRATES:
        fleets = sum(unit.power == power and unit.kind == FLEET for unit in state.units)
        return fleets >= needed.fleets
    city = eye_of(state.variant).city
    shapes = [city[sector] for sector, owner in state.owners.items() if owner == power and sector in city]
    enough = all(shapes.count(shape) >= needed.each for shape in ("square", "circle"))
    return enough and len(shapes) >= needed.cities
