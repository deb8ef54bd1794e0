"""What barbarians and nomads do in a move season: drawn from the dice when the orders are in.

Source: rules 11 and 12.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from engine.core.dice import Dice
from engine.core.ids import PlaceId
from engine.core.phrases import phrase
from engine.feudal.board import Land, land_of
from engine.feudal.model import BARBARIANS, NOMAD_ARMIES, NOMAD_SPACES, NOMADS, State, Unit


def options(land: Land, unit: Unit) -> tuple[PlaceId, ...]:
    """Where a barbarian may go, its own space (to hold) first: next to it, and its home or next to its home.

    Source: rules 12 B.
    """
    home = unit.home or unit.at
    return (unit.at, *(there for there in land.near[unit.at] if there == home or there in land.near[home]))


def certain_captures(state: State, unit: Unit) -> tuple[PlaceId, ...]:
    """Centres that a barbarian takes for certain, sorted; supports and spells are not considered.

    Source: rule 12 C; ruling F17.
    """
    land = land_of(state.variant.board)
    standing = {other.at for other in state.units if other.power != NOMADS}

    def is_certain(there: PlaceId) -> bool:
        centre = there
        if centre not in state.centres or state.centres[centre] == BARBARIANS or centre in state.castles:
            return False
        if there in standing or centre in NOMAD_SPACES:
            return False
        return not any(near in standing and near != unit.at for near in land.near[there])

    return tuple(filter(is_certain, land.near[unit.at]))


def draw_barbarians(state: State, dice: Dice) -> Mapping[PlaceId, PlaceId]:
    """Where each barbarian goes, by where it stands; its own space: it holds. The dice are `barbarian/SWE`."""
    land = land_of(state.variant.board)
    drawn: dict[PlaceId, PlaceId] = {}
    for unit in state.units:
        if unit.power == BARBARIANS:
            may = certain_captures(state, unit) or options(land, unit)
            drawn[unit.at] = may[_draw(state, dice, unit, may) - 1]
    return drawn


def _draw(state: State, dice: Dice, unit: Unit, may: Sequence[PlaceId]) -> int:
    if len(may) == 1:
        return 1
    forced = state.forced_dice.get(f"barbarian/{unit.at}")
    if forced in may:
        return may.index(PlaceId(str(forced))) + 1
    return dice.roll(f"barbarian/{unit.at}", sides=len(may), purpose=phrase("roll.barbarian", place=unit.at))


def draw_nomads(dice: Dice) -> tuple[int, ...]:
    """What the nomads' dice show, `nomad/1` first. Source: rules 11."""
    return tuple(
        dice.roll(f"nomad/{number}", sides=len(NOMAD_SPACES), purpose=phrase("roll.nomad", number=number))
        for number in range(1, NOMAD_ARMIES + 1)
    )


def nomad_strengths(rolls: Sequence[int]) -> Mapping[PlaceId, int]:
    """How many nomads come to each space, in the order of the spaces. Source: rules 11."""
    counts = Counter(rolls)
    return {PlaceId(NOMAD_SPACES[number - 1]): counts[number] for number in sorted(counts)}
