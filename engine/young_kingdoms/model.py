"""Values of a game of the Young Kingdoms: a Diplomacy position, and what stands, lies and is known besides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.provinces.classic import model as classic
from engine.provinces.classic.model import Dislodged, Unit
from engine.provinces.orders import Kind

SORCERER: Kind = "S"
"""Letter of a sorcerer; the ordinary units are armies and fleets."""


@dataclass(frozen=True, slots=True)
class Fortress:
    """A standing army, and whose it is (`None`: it resists everybody). Strength 0: it was captured."""

    strength: int
    owner: PowerId | None = None


@dataclass(frozen=True, slots=True, order=True)
class Carried:
    """A card that a unit carries: the one in a province, or the one that was driven out of it.

    `card` is 0 where the viewer may know that there is one, but not which.
    """

    at: ProvinceId
    card: int
    is_dislodged: bool = False


@dataclass(frozen=True, slots=True, order=True)
class Bond:
    """Two powers whose units share a space; `powers` in seat order."""

    at: ProvinceId
    powers: tuple[PowerId, PowerId]


@dataclass(frozen=True, slots=True)
class State(classic.State):
    """A game between two phases. `units` and `dislodged` hold the ordinary units only, hordes among them.

    Args:
        sorcerers: in seat order of their powers; at most one a power.
        driven: the sorcerers that were displaced and have not retreated yet.
        hordes: provinces where the unit is a horde.
        driven_hordes: provinces where the dislodged unit is a horde.
        fortresses: in map order.
        hands: the cards of each power, ascending; only powers that hold any.
        hidden: the cards that lie in a province, ascending.
        carried: sorted.
        bonds: who shares a space with whom, sorted.
        strong: powers whose sorcerer had strength in this season and has not been driven out since.
        new_homes: centres that count as home centres since a sorcerer without any gained them.
        aside: cards that wait for the game master to hide them.
    """

    sorcerers: tuple[Unit, ...] = ()
    driven: tuple[Dislodged, ...] = ()
    hordes: frozenset[ProvinceId] = frozenset()
    driven_hordes: frozenset[ProvinceId] = frozenset()
    fortresses: Mapping[ProvinceId, Fortress] = field(default_factory=dict)
    hands: Mapping[PowerId, tuple[int, ...]] = field(default_factory=dict)
    hidden: Mapping[ProvinceId, tuple[int, ...]] = field(default_factory=dict)
    carried: tuple[Carried, ...] = ()
    bonds: tuple[Bond, ...] = ()
    strong: frozenset[PowerId] = frozenset()
    new_homes: Mapping[PowerId, tuple[ProvinceId, ...]] = field(default_factory=dict)
    aside: tuple[int, ...] = ()

    def sorcerer(self, power: PowerId | None) -> Unit | None:
        """A power's sorcerer on the board."""
        return next((unit for unit in self.sorcerers if unit.power == power), None)

    def has_sorcerer(self, power: PowerId) -> bool:
        """Whether a power's sorcerer lives, on the board or driven out."""
        return self.sorcerer(power) is not None or any(row.unit.power == power for row in self.driven)

    def hand(self, power: PowerId | None) -> tuple[int, ...]:
        """The cards that a power's sorcerer holds."""
        return () if power is None else self.hands.get(power, ())

    def feeds(self, power: PowerId) -> int:
        """How many units a power's centres feed: a centre where a horde stands feeds none. Source: ruling Y20."""
        return sum(owner == power and centre not in self.hordes for centre, owner in self.centres.items())

    def counted(self, power: PowerId) -> tuple[Unit, ...]:
        """A power's units that need a centre: all but sorcerers and hordes, in map order. Source: rules 3.8."""
        return tuple(unit for unit in self.units if unit.power == power and province_of(unit.at) not in self.hordes)


@dataclass(frozen=True, slots=True)
class View(classic.View):
    """What a viewer may know: a State without anybody else's cards, the hidden ones and the seed."""

    state: State


# Orders besides those of Diplomacy. A sorcerer holds, moves and retreats by Diplomacy's orders with the kind `S`.


@dataclass(frozen=True, slots=True)
class Ride:
    """`S MEL RIDES F MEL`: the sorcerer goes where the fleet in its space goes."""

    at: PlaceId


@dataclass(frozen=True, slots=True)
class CastAttack:
    """`CAST 4 FROM MEL - DRA`"""

    card: int
    at: PlaceId
    to: PlaceId


@dataclass(frozen=True, slots=True)
class CastSupport:
    """`CAST 1 S F MEL - SHA`, `CAST 3 S A KAR`: to move or, without `to`, to hold."""

    card: int
    of_kind: Kind
    of: PlaceId
    to: PlaceId | None = None


@dataclass(frozen=True, slots=True)
class CastSelf:
    """`CAST 2 S SELF - DRA`, `CAST 1 S SELF`: the sorcerer supports itself, to move or to hold."""

    card: int
    to: PlaceId | None = None


@dataclass(frozen=True, slots=True)
class CastHere:
    """`CAST 7`, `CAST 8`"""

    card: int


@dataclass(frozen=True, slots=True)
class CastOnUnit:
    """`CAST 9 ON A GRO`"""

    card: int
    of_kind: Kind
    of: PlaceId


@dataclass(frozen=True, slots=True)
class CastOnPlace:
    """`CAST 10 ON BAK`"""

    card: int
    to: PlaceId


@dataclass(frozen=True, slots=True)
class ShareOrder:
    """`SHARE MEL WITH ARGIMILIAR`"""

    at: ProvinceId
    power: PowerId


@dataclass(frozen=True, slots=True)
class Unshare:
    """`UNSHARE MEL`"""

    at: ProvinceId


@dataclass(frozen=True, slots=True)
class CardOrder:
    """`CARRY SPELL F BAK`, `DUMP SPELL F BAK`, `DESTROY SPELL F BAK`; `verb` is the first word in lower case."""

    verb: str
    kind: Kind
    at: PlaceId


@dataclass(frozen=True, slots=True)
class Give:
    """`GIVE SPELL F BAK TO JHARKOR A ILM`; to one's own unit without the power (`None`)."""

    kind: Kind
    at: PlaceId
    power: PowerId | None
    of_kind: Kind
    of: PlaceId


@dataclass(frozen=True, slots=True)
class Place:
    """`PLACE F DRA`: where a unit begins."""

    kind: Kind
    at: PlaceId


Cast = CastAttack | CastSupport | CastSelf | CastHere | CastOnUnit | CastOnPlace
CASTS = (CastAttack, CastSupport, CastSelf, CastHere, CastOnUnit, CastOnPlace)
Order = classic.Order | Cast | Ride | ShareOrder | Unshare | CardOrder | Give | Place
