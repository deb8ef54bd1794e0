"""Values of a Diplomacy game: phase, units, position, orders. Everything is frozen; a new position is a new value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from engine.core.ids import PlaceId, PowerId, ProvinceId
from engine.core.phrases import Phrase
from engine.core.variant import Variant
from engine.provinces.classic.rulebook import Rulebook

Kind = str
"""`A` army, `F` fleet; variants add letters of their own."""


class Season(StrEnum):
    """Season of a phase; adjustments are in winter."""

    SPRING = "spring"
    SUMMER = "summer"
    FALL = "fall"
    WINTER = "winter"


class PhaseKind(StrEnum):
    """What is ordered in a phase."""

    SETUP = "setup"
    MOVEMENT = "movement"
    RETREATS = "retreats"
    ADJUSTMENTS = "adjustments"


@dataclass(frozen=True, slots=True, order=True)
class Phase:
    """A phase; a retreats phase has the season of its movement."""

    year: int
    season: Season
    kind: PhaseKind

    @property
    def code(self) -> str:
        """`S1901M`: season, year, kind."""
        return f"{self.season[0].upper()}{self.year}{self.kind[0].upper()}"


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
        came_from: the province of the attacker, which bars the retreat there; `None` where it bars nothing
            (a convoyed attacker).
        retreats: where it may retreat to, sorted.
    """

    unit: Unit
    came_from: ProvinceId | None
    retreats: tuple[PlaceId, ...]


@dataclass(frozen=True, slots=True)
class Over:
    """The end of a game."""

    winners: tuple[PowerId, ...]
    why: Phrase


@dataclass(frozen=True, slots=True)
class State:
    """A Diplomacy game between two phases.

    Args:
        units: in map order.
        dislodged: only in a retreats phase; in map order.
        centres: owner of every centre, in map order; `None` for nobody.
        forced_dice: by label, as the document gives them.
    """

    variant: Variant
    rulebook: Rulebook
    options: Mapping[str, bool | int | str]
    seed: str
    phase: Phase
    units: tuple[Unit, ...]
    dislodged: tuple[Dislodged, ...]
    centres: Mapping[ProvinceId, PowerId | None]
    over: Over | None = None
    forced_dice: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class View:
    """What a viewer may know of a State: in Diplomacy everything. `viewer` says whose orders are being read."""

    state: State
    viewer: PowerId | None


# Orders. `kind` and `at` name the unit that is ordered, `at` with its coast where it stands on one.


@dataclass(frozen=True, slots=True)
class Hold:
    """`A BUD H`"""

    kind: Kind
    at: PlaceId


@dataclass(frozen=True, slots=True)
class Move:
    """`A BUD - SER`, `A LON - BEL VIA CONVOY`"""

    kind: Kind
    at: PlaceId
    to: PlaceId
    via_convoy: bool = False


@dataclass(frozen=True, slots=True)
class SupportHold:
    """`A MUN S A BER`: helps a unit that does not move. `of` is where it stands."""

    kind: Kind
    at: PlaceId
    of_kind: Kind
    of: PlaceId


@dataclass(frozen=True, slots=True)
class SupportMove:
    """`A MUN S A BER - SIL`"""

    kind: Kind
    at: PlaceId
    of_kind: Kind
    of: PlaceId
    to: PlaceId


@dataclass(frozen=True, slots=True)
class Convoy:
    """`F NTH C A LON - BEL`"""

    kind: Kind
    at: PlaceId
    of_kind: Kind
    of: PlaceId
    to: PlaceId


@dataclass(frozen=True, slots=True)
class Retreat:
    """`A VIE R TYR`"""

    kind: Kind
    at: PlaceId
    to: PlaceId


@dataclass(frozen=True, slots=True)
class Disband:
    """`A VIE D`: a dislodged unit gives up."""

    kind: Kind
    at: PlaceId


@dataclass(frozen=True, slots=True)
class Build:
    """`BUILD F STP/NC`"""

    kind: Kind
    at: PlaceId


@dataclass(frozen=True, slots=True)
class Remove:
    """`REMOVE A BER`"""

    kind: Kind
    at: PlaceId


@dataclass(frozen=True, slots=True)
class Waive:
    """`WAIVE`: one build less. `number` tells several of a sheet apart, from 1."""

    number: int = 1


Order = Hold | Move | SupportHold | SupportMove | Convoy | Retreat | Disband | Build | Remove | Waive
