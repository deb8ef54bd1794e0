"""Why an order can't be given: the one form of all reasons that `legality`, `omens` and `check` find."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from engine.core.ids import PlaceId, PowerId, province_of
from engine.kregen.land import land_of
from engine.kregen.model import ARMY, HERO, PIRATES, State
from engine.provinces.orders import Kind
from engine.provinces.phases import PhaseKind


class Objection(NamedTuple):
    """Why an order can't be given: the code of an `OrderError`, and its arguments.

    `at` is the name in the line that it is about, to point at: a sector, a power, or a word.
    """

    code: str
    args: Mapping[str, Any] = {}
    at: str | None = None


def objection_to_site(state: State, power: PowerId, kind: Kind, at: PlaceId) -> Objection | None:
    """Whether a power could ever build such a unit there, were the place its own, and were there points and room."""
    land, sector = land_of(state.variant), province_of(at)
    if power == PIRATES and kind == ARMY:
        return Objection("pirates_build_fleets", at=sector)
    sites = land.pirate_centres if power == PIRATES else land.starting_cities(power)
    if sector not in sites:
        code = "no_pirate_centre" if power == PIRATES else "not_home"
        return Objection(code, {"place": sector} if power == PIRATES else {"place": sector, "sites": sites}, sector)
    if kind != HERO and not land.can_stand(kind, at):
        return Objection("cannot_stand", {"kind": kind, "place": at}, sector)
    return None


def objection_to_build(state: State, power: PowerId, kind: Kind, at: PlaceId) -> Objection | None:
    """Whether a power could build such a unit there now, were there points and room."""
    if kind == HERO and power in state.had_hero:
        return Objection("second_hero", at=province_of(at))
    objection = objection_to_site(state, power, kind, at)
    if objection is None and state.phase.kind is PhaseKind.ADJUSTMENTS and state.owners.get(province_of(at)) != power:
        return Objection("not_held", {"place": province_of(at)}, province_of(at))
    return objection
