"""When the game is won, and by whom: the options `victory` and `last_year`. Source: rules 11; rulings K27, K28."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.core.ids import PowerId
from engine.core.phrases import Phrase, phrase
from engine.core.play import Over
from engine.kregen.land import land_of
from engine.kregen.model import BALANCED, FLEET, HANDICAP, PIRATES, State
from engine.kregen.status import eliminated
from engine.kregen.supply import points
from engine.provinces.pars import above_or_below, most_above, read_par

_LEAST_OF_EACH = 5
"""Squares and circles that a nation needs to win by the text."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """What wins at once.

    Args:
        fleets: of the pirates.
        cities: of a nation.
        each: squares and circles among them at least.
    """

    fleets: int
    cities: int
    each: int


def numbers_of(state: State) -> Numbers:
    """What is needed in this game to win before the last year."""
    settings = state.variant.settings
    if state.options["victory"] == BALANCED:
        return Numbers(**settings[BALANCED])
    return Numbers(int(settings["victory_fleets"]), int(settings["victory_cities"]), _LEAST_OF_EACH)


def last_year(state: State) -> int:
    """The year after which the leaders win; 0 if the game has none. With `handicap` it always has one. Ruling K28."""
    chosen = int(state.options["last_year"])
    return chosen or (int(state.variant.settings[HANDICAP]["last_year"]) if has_par(state) else 0)


def has_par(state: State) -> bool:
    """Whether powers are compared by how far they are above a number of their own. Ruling K28."""
    return bool(state.options["victory"] == HANDICAP)


def par(state: State, power: PowerId) -> int:
    """What counts as an average game for a power, in halves of a nation's cities or the pirates' fleets. Ruling K28."""
    return read_par(state.variant.settings[HANDICAP], power)


def above_par(state: State, power: PowerId) -> int:
    """How far a power is above its par, in halves of cities or fleets; less than nothing if it is below."""
    return 2 * size(state, power) - par(state, power)


def size(state: State, power: PowerId) -> int:
    """What wins: the cities of a nation, plundered ones too; the fleets of the pirates."""
    if power == PIRATES:
        return sum(unit.power == power and unit.kind == FLEET for unit in state.units)
    city = land_of(state.variant).city
    return sum(owner == power and at in city for at, owner in state.owners.items())


def has_won(state: State, power: PowerId) -> bool:
    """Whether a power has what wins at once. Source: rules 11."""
    needed = numbers_of(state)
    if power == PIRATES:
        return size(state, power) >= needed.fleets
    city = land_of(state.variant).city
    shapes = [city[sector] for sector, owner in state.owners.items() if owner == power and sector in city]
    enough = all(shapes.count(shape) >= needed.each for shape in ("square", "circle"))
    return enough and len(shapes) >= needed.cities


def find_end(state: State, *, is_new_year: bool) -> Over | None:
    """An empire of cities on both shores, or of pirates at sea, of several the greatest; or the end of the last year.

    Args:
        is_new_year: whether the Winter of the present year is over.
    """
    winners = _greatest(state, [power for power in state.variant.powers if has_won(state, power)])
    if winners:
        return Over(winners, phrase("event.victory", powers=winners))
    if not is_new_year or not 0 < last_year(state) <= state.phase.year:
        return None
    leaders = leaders_of(state)
    return Over(leaders, _why_led(state, leaders)) if leaders else None


def _why_led(state: State, leaders: Sequence[PowerId]) -> Phrase:
    year = state.phase.year
    if not has_par(state):
        return phrase("event.last_year", powers=leaders, count=_held(state, leaders[0]), year=year)
    above = above_or_below(above_par(state, leaders[0]), par(state, leaders[0]), "report.par")
    return phrase("event.furthest", powers=leaders, above=above, year=year)


def leaders_of(state: State) -> tuple[PowerId, ...]:
    """Who wins if the game ends here without a victory, in seat order. Source: rules 11; ruling K28."""
    alive = [power for power in state.variant.powers if power not in eliminated(state)]
    if not has_par(state):
        return _greatest(state, alive)
    return most_above({power: above_par(state, power) for power in alive})


def _greatest(state: State, powers: Sequence[PowerId]) -> tuple[PowerId, ...]:
    """The power with the most supply centres, of equal ones with the most supply points; several if those are equal."""
    best = max(((_held(state, power), points(state, power)) for power in powers), default=None)
    return tuple(power for power in powers if (_held(state, power), points(state, power)) == best)


def _held(state: State, power: PowerId) -> int:
    """The supply centres of a power: cities, and for the pirates X."""
    city = land_of(state.variant).city
    return sum(owner == power and (at in city or power == PIRATES) for at, owner in state.owners.items())
