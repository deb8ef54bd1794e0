"""Who stands where in the course of a season: units and heroes, the forces they form, and what they meet.

season → impulse, which moves them
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.core.outcome import Outcome
from engine.core.phrases import Phrase, phrase
from engine.kregen.land import Land
from engine.kregen.model import ARMY, HERO, LET_PASS, SHARE, STRENGTHS, ActStep, Manoeuvre, Stay, Unit


@dataclass(slots=True, eq=False)
class Body:
    """A unit or hero in the course of a season.

    Args:
        at: where it is now; `go` changes it.
        sector: the sector of that place.
        is_out: dislodged, or gone: it takes no further part.
        is_gone: removed from the board.
        came_from: where what dislodged it began (`None`: over the sea); of two own forces the first in map order.
        victors: every such sector. Ruling K23.
        has_failed: a step did not work, so that none follows.
        has_helped: a support of its found what it was for, cut or not.
        impulse: the current one, 1 or 2; every failure names it.
        began: the sector in which it was when that began: by this it is named.
        companion: of a hero, the unit with which it goes or last went.
    """

    unit: Unit
    power: PowerId
    at: PlaceId
    order: Manoeuvre | None = None
    is_out: bool = False
    is_gone: bool = False
    is_captive: bool = False
    rests: int = 0
    has_failed: bool = False
    has_helped: bool = False
    came_from: ProvinceId | None = None
    victors: frozenset[ProvinceId] = frozenset()
    impulse: int = 1
    outcome: Outcome = Outcome.SUCCEEDS
    reason: Phrase = field(default_factory=lambda: phrase("reason.done"))
    companion: Body | None = None

    sector: ProvinceId = field(init=False)
    began: ProvinceId = field(init=False)

    def __post_init__(self) -> None:
        self.sector = self.began = province_of(self.at)

    def go(self, place: PlaceId) -> None:
        """Put it in another place, from this step on."""
        self.at, self.sector = place, province_of(place)

    @property
    def is_hero(self) -> bool:
        """Whether it is no unit."""
        return self.unit.kind == HERO

    def step(self, impulse: int) -> ActStep:
        """What it tries in an impulse."""
        if self.order is None or self.has_failed or self.is_captive or self.rests:
            return Stay()
        return self.order.in_impulse(impulse)

    def begin(self, impulse: int) -> None:
        """Make ready for an impulse (0 or 1). The result of an order is that of the last step that is tried.

        Holding is no such step: the result of `S A SHP, H` is that of its support.
        """
        self.impulse, self.began = impulse + 1, self.sector
        has_second = self.order is not None and not isinstance(self.order.steps[-1], Stay) and len(self.order.steps) > 1
        if impulse and has_second and not (self.has_failed or self.is_out):
            self.outcome, self.reason = Outcome.SUCCEEDS, phrase("reason.done")

    def drive_out(self, origins: Sequence[ProvinceId | None]) -> None:
        """Dislodge it.

        Source: rules 5.3.

        Args:
            origins: where the forces began that did it; `None`: over the sea.
        """
        self.is_out = True
        self.came_from = next(iter(origins), None)
        self.victors = frozenset(origin for origin in origins if origin)

    def fail(self, outcome: Outcome, reason: Phrase) -> None:
        """Record that its step of this impulse did not work, so that no other follows. Source: rules 5.1."""
        self.has_failed = True
        self.tell(outcome, reason)

    def tell(self, outcome: Outcome, reason: Phrase) -> None:
        """Record what became of its step of this impulse."""
        self.outcome, self.reason = outcome, phrase(reason.code, **reason.args, impulse=self.impulse)


@dataclass(slots=True)
class Holdings:
    """What bodies meet on: who grants what, garrisons, owners; changes in the course of a season.

    Args:
        grants: deeds with who grants them to whom: `(SHARE, "zair", "renders")`.
        stand_offs: sectors in which a stand-off was.
    """

    land: Land
    holy_war: bool
    bodies: list[Body]
    grants: frozenset[tuple[str, PowerId, PowerId]]
    garrisons: dict[ProvinceId, int]
    owners: dict[ProvinceId, PowerId]
    stand_offs: set[ProvinceId] = field(default_factory=set)
    entered: dict[ProvinceId, list[ProvinceId | None]] = field(default_factory=dict)
    """Sectors entered in this impulse, with where each force came from (`None`: over the sea)."""

    def shares(self, one: PowerId, other: PowerId) -> bool:
        """Whether two powers are one, or both order to share with the other. Source: rules 8.5"""
        return one == other or {(SHARE, one, other), (SHARE, other, one)} <= self.grants

    def may_help(self, one: PowerId, other: PowerId) -> bool:
        """Whether the holy war lets one power help the other."""
        return not self.holy_war or self.land.may_help(one, other)

    def units_in(self, sector: ProvinceId) -> list[Body]:
        """Armies and fleets that stand in a sector; those that wait there to retreat don't. Ruling K15."""
        return [body for body in self.bodies if body.sector == sector and not body.is_out and not body.is_hero]

    def heroes_in(self, sector: ProvinceId) -> list[Body]:
        """Heroes in a sector that are not dislodged."""
        return [body for body in self.bodies if body.sector == sector and not body.is_out and body.is_hero]

    def strait_is_open(self, power: PowerId, here: ProvinceId, there: ProvinceId) -> bool:
        """Whether an army may cross: by land always, over a strait while no foreign fleet is in its water."""
        return not self.closing_strait(power, here, there)

    def closing_strait(self, power: PowerId, here: ProvinceId, there: ProvinceId) -> list[Body]:
        """The fleets that close a strait to a power's armies; none where the way is by land. Source: rules 7.1"""
        waters = self.land.straits.get((here, there), ())
        if there in self.land.variant.board.army_moves[here]:
            return []
        return [body for water in waters for body in self.units_in(water) if body.power != power]

    def barring_armies(self, power: PowerId, sector: ProvinceId) -> list[Body]:
        """The armies on the banks of a river sector that bar a power's fleets from it. Source: rules 7.3"""
        return [
            body
            for bank in self.land.rivers.get(sector, ())
            for body in self.units_in(bank)
            if body.unit.kind == ARMY and body.power != power and (LET_PASS, body.power, power) not in self.grants
        ]


@dataclass(slots=True, eq=False)
class Force:
    """A number of the contest: units that go one way together, or one that stays; without bodies a garrison."""

    bodies: list[Body]
    at: ProvinceId
    to: ProvinceId | None = None
    heroes: list[Body] = field(default_factory=list)
    route: tuple[ProvinceId, ...] = ()

    @property
    def strength(self) -> int:
        """The sum of its units' strengths; 0 for a garrison."""
        return sum(STRENGTHS[body.unit.kind] for body in self.bodies)
