"""Moves cities of a random map until all are about as far away from the nearest others.

Source: ruling K-98
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from engine.core.dice import Dice
from engine.king_of_kings.generator import Plan, distances, steps_between
from engine.lattice.squares import Grid

_REACH = 2
"""How many steps a city is moved at most at a time."""
_NEAREST, _OUTER = 0.5, 0.25
"""The weights of differences in the steps to the nearest rival and to the four nearest, against those to the two."""
_KICKS, _KICKED = 20, 2
"""How often so many cities are moved at random when no move helps."""
_ENOUGH = 1.5
"""The inequality below which nothing is moved any more."""
RIVALS = 4
"""How many of the nearest rivals count."""


def evenly_spaced(plan: Plan, dice: Dice, sites: Set[int], cities: Sequence[int]) -> tuple[int, ...]:
    """The cities moved one by one, to sites, for as long as that makes their distances more equal.

    Where no move helps, some cities are moved at random, which is taken back unless it leads to something better.
    """
    best = _improved(plan, sites, cities)
    least = inequality(plan.grid, best)
    for number in range(_KICKS):
        if least < _ENOUGH:
            break
        tried = _improved(plan, sites, _kicked(plan, dice.for_phase(f"kick/{number}"), sites, best))
        value = inequality(plan.grid, tried)
        if value < least:
            best, least = tried, value
    return tuple(best)


def inequality(grid: Grid, cities: Sequence[int]) -> float:
    """How much the distances to the nearest rivals differ, as the crow flies, as a sum of squares."""
    near = [sorted(steps_between(grid, city, other) for other in cities)[1 : RIVALS + 1] for city in cities]
    return _weighed([row[0] for row in near], [row[0] + row[1] for row in near], [sum(row) for row in near])


def steps_apart(grid: Grid, soil: Set[int], cities: Sequence[int]) -> Sequence[Sequence[int]]:
    """For each city the steps over land to all of them, itself included, nearest first."""
    found = (distances(grid, [city], soil) for city in cities)
    return [sorted(away.get(city, len(grid)) for city in cities) for away in found]


def scatter(values: Sequence[int]) -> float:
    """The sum of the squares of what is missing to the mean, or beyond it."""
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values)


def _weighed(one: Sequence[int], two: Sequence[int], four: Sequence[int]) -> float:
    return _NEAREST * scatter(one) + scatter(two) + _OUTER * scatter(four)


def _kicked(plan: Plan, dice: Dice, sites: Set[int], cities: Sequence[int]) -> list[int]:
    moved = list(cities)
    for number in range(_KICKED):
        place = dice.pick(f"city/{number}", range(len(moved)))
        free = list(_free(plan, sites, moved[place], [*moved[:place], *moved[place + 1 :]]))
        if free:
            moved[place] = dice.pick(f"to/{number}", free)
    return moved


def _improved(plan: Plan, sites: Set[int], cities: Sequence[int]) -> list[int]:
    grid, cities = plan.grid, list(cities)
    steps = [[steps_between(grid, city, other) for other in cities] for city in cities]
    best, is_better = inequality(grid, cities), True
    while is_better:
        is_better = False
        for place in range(len(cities)):
            others = [*cities[:place], *cities[place + 1 :]]
            near = [
                sorted((*row[:place], *row[place + 1 :]))[1 : RIVALS + 1]
                for other, row in enumerate(steps)
                if other != place
            ]
            moved = None
            for cell in _free(plan, sites, cities[place], others):
                away = [steps_between(grid, cell, other) for other in others]
                value = _inequality_with(near, away)
                if value < best - 1e-9:
                    best, moved = value, cell
            if moved is not None:
                is_better, cities[place] = True, moved
                steps[place] = [steps_between(grid, moved, other) for other in cities]
                for row, away_from_it in zip(steps, steps[place], strict=True):
                    row[place] = away_from_it
    return cities


def _inequality_with(near: Sequence[Sequence[int]], steps: Sequence[int]) -> float:
    """The inequality with one more city.

    Args:
        near: for each of the others, the steps to the nearest of the others.
        steps: from the city to each of the others.
    """
    own = sorted(steps)
    one, two, four = [own[0]], [own[0] + own[1]], [sum(own[:RIVALS])]
    for (first, second, third, fourth), away in zip(near, steps, strict=True):
        one.append(min(away, first))
        two.append(first + min(away, second))
        four.append(first + second + third + min(away, fourth))
    return _weighed(one, two, four)


def _free(plan: Plan, sites: Set[int], city: int, others: Sequence[int]) -> Iterator[int]:
    """The sites to which a city may be moved."""
    grid, gap = plan.grid, int(plan.rules["home_distance"])
    x, y = city % grid.width, city // grid.width
    for dy in range(-_REACH, _REACH + 1):
        for dx in range(-_REACH, _REACH + 1):
            cell = grid.find(x + dx, y + dy) if 0 < abs(dx) + abs(dy) <= _REACH else None
            if cell is not None and cell in sites and all(steps_between(grid, cell, other) >= gap for other in others):
                yield cell
