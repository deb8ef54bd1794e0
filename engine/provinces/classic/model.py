"""Values of a game of armies and fleets: units, position, orders. All are frozen; a new position is a new value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from engine.core.ids import PlaceId, PowerId, ProvinceId
from engine.core.play import Over
from engine.provinces.classic.rulebook import Rulebook
from engine.provinces.orders import Build, Disband, Hold, Kind, Move, Planned, Remove, Retreat, Waive
from engine.provinces.phases import Phase
from engine.provinces.variants import BoardVariant


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit on the board."""

    power: PowerId
    kind: Kind
    at: PlaceId


@dataclass(frozen=True, slots=True)
class Dislodged:
    """A unit that was driven out and has not retreated yet.

    Args:
        came_from: the province of the attacker, to which it can't retreat; `None` if nothing is barred
            (a convoyed attacker).
        retreats: where it may retreat to, sorted.
    """

    unit: Unit
    came_from: ProvinceId | None
    retreats: tuple[PlaceId, ...]


@dataclass(frozen=True, slots=True)
class State:
    """A game between two phases.

    Args:
        units: in map order.
        dislodged: only in a retreats phase; in map order.
        centres: owner of every centre, in map order; `None` for nobody.
        forced_dice: by label, as the document gives them.
    """

    variant: BoardVariant
    rulebook: Rulebook
    options: Mapping[str, bool | int | str]
    seed: str
    phase: Phase
    units: tuple[Unit, ...]
    dislodged: tuple[Dislodged, ...]
    centres: Mapping[ProvinceId, PowerId | None]
    over: Over | None = None
    forced_dice: Mapping[str, int] = field(default_factory=dict)


AnyState = TypeVar("AnyState", bound=State)
"""The State of one of these games, which may hold more."""


@dataclass(frozen=True, slots=True)
class View:
    """What a viewer may know of a State: in Diplomacy all but the seed. `viewer` says whose orders are being read."""

    state: State
    viewer: PowerId | None


# Orders besides those of `engine.provinces.orders`, which say what `kind` and `at` are.


@dataclass(frozen=True, slots=True)
class SupportHold(Planned):
    """`A MUN S A BER`: helps a unit that does not move. `of` is where it stands."""

    kind: Kind
    at: PlaceId
    of_kind: Kind
    of: PlaceId


@dataclass(frozen=True, slots=True)
class SupportMove(Planned):
    """`A MUN S A BER - SIL`"""

    kind: Kind
    at: PlaceId
    of_kind: Kind
    of: PlaceId
    to: PlaceId


@dataclass(frozen=True, slots=True)
class Convoy(Planned):
    """`F NTH C A LON - BEL`"""

    kind: Kind
    at: PlaceId
    of_kind: Kind
    of: PlaceId
    to: PlaceId


Manoeuvre = Hold | Move | SupportHold | SupportMove | Convoy
"""An order of a movement phase."""
Order = Manoeuvre | Retreat | Disband | Build | Remove | Waive
