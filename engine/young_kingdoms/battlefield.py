"""Diplomacy's position with what the Young Kingdoms add: sorcerers, hordes, who feeds whom, where one builds."""

from __future__ import annotations

from typing import cast

from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.provinces.classic import model as classic
from engine.provinces.classic.model import Dislodged, Unit
from engine.provinces.classic.reach import Position, make_position, position_of
from engine.provinces.phases import PhaseKind
from engine.young_kingdoms.model import SORCERER, State
from engine.young_kingdoms.numbering import neighbours_of, walks_of


class Battlefield(Position):
    """Who stands where, sorcerers included."""

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.game = state
        board = state.variant.board
        self.neighbours = neighbours_of(board)
        self.walks = walks_of(board)
        self.sorcerer_of = {unit.power: unit for unit in state.sorcerers}
        self.sorcerers_at: dict[ProvinceId, tuple[Unit, ...]] = {}
        for unit in state.sorcerers:
            here = province_of(unit.at)
            self.sorcerers_at[here] = (*self.sorcerers_at.get(here, ()), unit)
        self.driven_of: dict[PowerId, Dislodged] = {row.unit.power: row for row in state.driven}

    def find_unit(self, kind: str, at: PlaceId, power: PowerId | None = None) -> Unit | None:
        """The unit of a kind in a space: of a power, if one is named; of two sorcerers the first."""
        here = province_of(at)
        if kind == SORCERER:
            found = self.sorcerers_at.get(here, ())
        else:
            found = (self.unit_at[here],) if here in self.unit_at else ()
        return next((unit for unit in found if unit.kind == kind and power in (None, unit.power)), None)

    def units_in(self, at: ProvinceId) -> tuple[Unit, ...]:
        """Everyone in a space, the ordinary unit first."""
        first = (self.unit_at[at],) if at in self.unit_at else ()
        return (*first, *self.sorcerers_at.get(at, ()))

    def near(self, at: PlaceId) -> tuple[ProvinceId, ...]:
        """The spaces that border on one by land or water, in map order."""
        return self.neighbours[province_of(at)]

    def adjustment(self, power: PowerId) -> int:
        return self.game.feeds(power) - len(self.game.counted(power))

    def removable(self, power: PowerId) -> tuple[Unit, ...]:
        return self.game.counted(power)

    def homes(self, power: PowerId) -> tuple[ProvinceId, ...]:
        """The home centres of the map, and those that a sorcerer gained for a power that had none.

        Source: rules 3.9.
        """
        homes = {*self.reach.board.homes(power), *self.game.new_homes.get(power, ())}
        return tuple(province for province in self.reach.board.provinces if province in homes)

    def building_sites(self, power: PowerId) -> tuple[ProvinceId, ...]:
        """The home centres where a power can build: no foreign sorcerer stands there. Source: ruling Y15."""
        return tuple(
            site
            for site in super().building_sites(power)
            if all(unit.power == power for unit in self.sorcerers_at.get(site, ()))
        )

    def units_of(self, power: PowerId | None) -> tuple[Unit, ...]:
        if power is not None and self.game.phase.kind is PhaseKind.ADJUSTMENTS:
            return self.removable(power)
        return super().units_of(power)


@make_position.register
def _(state: State) -> Battlefield:
    return Battlefield(state)


def field_of(state: State) -> Battlefield:
    """The field of a State; made once while the State is in use."""
    return cast(Battlefield, position_of(cast(classic.State, state)))
