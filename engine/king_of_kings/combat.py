"""The mathematics of battles: targets, chances, losses and courage.

Pure numbers: nothing here knows a province or a nation. `steps.sea_battle` and `steps.battles` fight with it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from engine.king_of_kings.model import Rulebook, Symbol, Troop, Units

DESPERATE, FIERCE = -10, 10
"""The courage at which a side leaves after a round in any case, and that at which it never leaves. Source: rules 2.4"""

Chances = Mapping[tuple[Symbol, Symbol], int]
"""The chance of each shooting type to hit each target type, in percent."""


class Shot(NamedTuple):
    """One roll of a unit against an enemy unit; it hits if the roll is not above the chance."""

    shooter: Symbol
    target: Symbol
    chance: int
    roll: int

    @property
    def is_hit(self) -> bool:
        """Whether the shot hits, so that the target is lost at the end of the round."""
        return self.roll <= self.chance


def in_line(order: Iterable[Troop], units: Units) -> list[Symbol]:
    """The units one by one, in an order of troop types; types that are not in the order are left out."""
    return [troop.symbol for troop in order for _ in range(units.get(troop.symbol, 0))]


def first_casualties(rules: Rulebook, units: Units, number: int) -> dict[Symbol, int]:
    """The first units in land casualty order, this many; types that never fight come last. Source: ruling K-34"""
    order = sorted(rules.troops.values(), key=lambda troop: troop.casualty_land or math.inf)
    return dict(Counter(in_line(order, units)[:number]))


def volley(
    shooters: Sequence[Symbol], targets: Sequence[Symbol], chances: Chances, d100: Callable[[], int]
) -> tuple[Shot, ...]:
    """Each unit in turn shoots at the first enemy not hit yet; a unit without a target does not roll.

    Source: rules 6.2
    """
    shots: list[Shot] = []
    hits = 0
    for shooter in shooters:
        if hits == len(targets):
            break
        target = targets[hits]
        shots.append(Shot(shooter, target, chances[shooter, target], d100()))
        hits += shots[-1].is_hit
    return tuple(shots)


def losses(shots: Iterable[Shot]) -> dict[Symbol, int]:
    """The losses of the side that was shot at."""
    return dict(Counter(shot.target for shot in shots if shot.is_hit))


def sea_chances(rules: Rulebook, own: Units, enemy: Units, *, round_no: int) -> Chances:
    """To Hit less armour, and nothing else at sea. Source: rules 2.1, 6.1; ruling K-33"""
    troops = rules.troops
    return {
        (shooter, target): _percent(_to_hit(troops[shooter], round_no) - troops[target].armour)
        for shooter in own
        for target in enemy
    }


def land_chances(
    rules: Rulebook, own: Units, enemy: Units, *, round_no: int, modifier: int, cap: int | None
) -> Chances:
    """To Hit with the castle's help less armour, at most the terrain's cap; then the general and the tactics.

    The terrain limits attackers alone: `cap` is `None` for a defender. Source: rules 2.2, 6.2; ruling K-36
    """
    present = [rules.troops[symbol] for symbol in own]
    by_troops = sum(troop.hit_bonus for troop in present if not troop.is_general)
    by_general = sum(troop.hit_bonus for troop in present if troop.is_general)
    chances = {}
    for shooter in present:
        for target in enemy:
            chance = _to_hit(shooter, round_no) + by_troops - rules.troops[target].armour
            if cap is not None:
                chance = min(chance, cap)
            chances[shooter.symbol, target] = _percent(chance + by_general + modifier)
    return chances


def _to_hit(troop: Troop, round_no: int) -> int:
    return troop.hit_first if round_no == 1 else troop.hit_later


def _percent(chance: int) -> int:
    return max(0, min(100, chance))


def courage(rules: Rulebook, units: Units, modifier: int) -> int:
    """The tactic's modifier and the morale of the types still present, in steps of 5. Source: rules 2.4; ruling K-04"""
    morale = sum(rules.troops[symbol].morale_bonus for symbol in units)
    return int(max(DESPERATE, min(FIERCE, modifier + morale)) / 5) * 5


def fights_on(courage: int, own: int, enemy: int) -> bool:
    """Whether a side with this courage stays for another round, given the numbers of combat units. Source: rules 2.4

    >>> fights_on(0, 2, 2), fights_on(-5, 2, 2), fights_on(5, 1, 2), fights_on(5, 1, 3)
    (True, False, True, False)
    """
    match courage:
        case -10:
            return False
        case -5:
            return own > enemy
        case 0:
            return own >= enemy
        case 5:
            return 2 * own >= enemy
    return True


def value(rules: Rulebook, units: Units) -> int:
    """The victory points that these units are worth. Source: rules 6.2; ruling K-41"""
    return sum(number * rules.troops[symbol].value for symbol, number in units.items())
