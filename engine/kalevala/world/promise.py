"""What a world guarantees its rulers, measured on the position itself. Source: rules R-094, ruling KA51

Land that belongs to nobody counts for the realm from which it is the fewest steps over land; if it is equally near to
several, they share it; what only craft can reach counts for the realm nearest as the crow flies.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.core.ids import PowerId
from engine.kalevala.coordinates import GfId, Province, coordinate_of
from engine.kalevala.land import Land, land_of
from engine.kalevala.model import State
from engine.kalevala.tables import CENTRES

MOST_UNEVEN = 1.3
"""How many times as much as the poorest the richest may have nearest to the realm: the limit for the median world."""


@dataclass(frozen=True, slots=True)
class Promise:
    """What each ruler has nearest to their realm, in seat order.

    Args:
        land: small fields of land.
        centres: RE that trade centres and their sites arm on an arming date.
        natives: RE that occupying all of the natives' land costs.
        neighbour: steps over land from the capital to the nearest other capital; `None`: there is no way.
    """

    land: tuple[float, ...]
    centres: tuple[float, ...]
    natives: tuple[float, ...]
    neighbour: tuple[int | None, ...]

    @property
    def unevenness(self) -> tuple[float, float, float]:
        """How many times as much land, trade centres and natives as the poorest the richest has."""
        return ratio(self.land), ratio(self.centres), ratio(self.natives)

    @property
    def cut_off(self) -> int:
        """How many rulers can reach nobody without craft."""
        return sum(steps is None for steps in self.neighbour)


def ratio(values: Sequence[float]) -> float:
    """The ratio of the greatest to the least."""
    return max(values) / max(1e-9, min(values))


def promise_of(state: State) -> Promise:
    """What a position offers each of its rulers."""
    played = [ruler for ruler, own in state.rulers.items() if own.is_played]
    homes = [[_capital(state, ruler), *state.owned(ruler)] for ruler in played]
    held = {province for province, owner in state.owners.items() if owner not in played}
    return measured(land_of(state), state.land, homes, held)


def measured(
    land: Land, fields: Iterable[GfId], homes: Sequence[Sequence[Province]], held: Collection[Province]
) -> Promise:
    """What the land offers each home.

    Args:
        homes: the provinces of each, the capital first.
        held: the marauders' great fields.
    """
    near = shares_of(land, [province for gf in fields for province in land.provinces(gf)], homes)
    ground, centres, natives = ([0.0] * len(homes) for _ in range(3))
    for province, shares in near.items():
        cells = len(land.cells(province))
        centre = land.centre(province)
        for place, share in shares.items():
            ground[place] += share * cells
            if centre is not None:
                centres[place] += share * CENTRES[centre.type].arming
                natives[place] += share * CENTRES[centre.type].losses * (province not in held)
    return Promise(tuple(ground), tuple(centres), tuple(natives), neighbours(land, [home[0] for home in homes]))


def _capital(state: State, ruler: PowerId) -> Province:
    capital = state.rulers[ruler].capital
    return capital if capital is not None else state.owned(ruler)[0]


def shares_of(
    land: Land, provinces: Collection[Province], homes: Sequence[Iterable[Province]]
) -> Mapping[Province, Mapping[int, float]]:
    """For each province of land, which homes are nearest, with their shares; the homes' own are left out."""
    ground = [each for each in provinces if _is_dry(land, each)]
    nearest: dict[Province, int] = {}
    edge: dict[Province, int] = {}
    for place, home in enumerate(homes):
        for province in home:
            edge[province] = edge.get(province, 0) | 1 << place
    settled = set(edge)
    while edge:
        nearest |= edge
        beyond: dict[Province, int] = {}
        for province, bits in edge.items():
            for other in land.links(province):
                if other not in nearest:
                    beyond[other] = beyond.get(other, 0) | bits
        edge = beyond
    seats = [[coordinate_of(each).field for each in home] for home in homes]
    found = {}
    for province in ground:
        if province in settled:
            continue
        bits = nearest.get(province, 0)
        if not bits:
            at = coordinate_of(province).field
            gaps = [min(at.distance(field) for field in home) for home in seats]
            bits = sum(1 << place for place, gap in enumerate(gaps) if gap == min(gaps))
        places = [place for place in range(len(homes)) if bits >> place & 1]
        found[province] = {place: 1 / len(places) for place in places}
    return found


def _is_dry(land: Land, province: Province) -> bool:
    letters = land.field(province).cells
    return any(letters[cell - 1] not in "WGQ" for cell in land.cells(province))


def steps_over(land: Land, start: Iterable[Province]) -> dict[Province, int]:
    """The steps over land to every province that can be reached from the nearest of these."""
    found = dict.fromkeys(start, 0)
    edge = list(found)
    while edge:
        beyond = []
        for province in edge:
            for other in land.links(province):
                if other not in found:
                    found[other] = found[province] + 1
                    beyond.append(other)
        edge = beyond
    return found


def neighbours(land: Land, capitals: Sequence[Province]) -> tuple[int | None, ...]:
    """For each capital, the steps over land to the nearest other one."""
    whose = {capital: place for place, capital in enumerate(capitals)}
    steps = dict.fromkeys(capitals, 0)
    edge = list(capitals)
    while edge:
        beyond = []
        for province in edge:
            for other in land.links(province):
                if other not in steps:
                    steps[other] = steps[province] + 1
                    whose[other] = whose[province]
                    beyond.append(other)
        edge = beyond
    found: list[int | None] = [None] * len(capitals)
    for province, own in whose.items():
        for other in land.links(province):
            if whose[other] != own:
                way = steps[province] + 1 + steps[other]
                before = found[own]
                found[own] = way if before is None else min(before, way)
    return tuple(found)
