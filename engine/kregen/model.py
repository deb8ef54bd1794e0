"""Values of a game of Kregen: units, position, orders with their steps. All is frozen.

Phases are Diplomacy's. Strengths and points are counted in whole numbers: strengths in quarters, points in halves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.core.play import Over
from engine.kregen.prophecy import Prophecy, format_prophecy
from engine.provinces.orders import Build, Disband, Kind, Remove, Retreat, Waive
from engine.provinces.phases import Phase
from engine.provinces.variants import BoardVariant

ARMY: Kind = "A"
FLEET: Kind = "F"
HERO: Kind = "H"
STRENGTHS: Mapping[Kind, int] = {ARMY: 4, FLEET: 2, HERO: 1}
"""In quarters of an army. Source: rules 3."""
COSTS: Mapping[Kind, int] = {ARMY: 2, FLEET: 1, HERO: 0}
"""Upkeep in half points."""
HERO_COST = 2
"""What a hero costs once, in half points."""
ROOM = 4
"""What a sector holds, in quarters."""

PIRATES = PowerId("renders")
PIRATE_FLEETS = 10
CLASSIC, BALANCED, HANDICAP = "classic", "balanced", "handicap"
"""Choices of the option `victory`."""
START_POINTS = 8
"""A nation's first points, in halves."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit or a hero.

    Args:
        of: the first owner of a captured hero.
        rests: for how many move seasons a wounded hero rests.
        sector: that it stands in; follows from `at`.
    """

    power: PowerId
    kind: Kind
    at: PlaceId
    of: PowerId | None = None
    rests: int = 0
    sector: ProvinceId = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "sector", province_of(self.at))

    @property
    def name(self) -> str:
        """As orders name it: `A ZIM`."""
        return f"{self.kind} {self.at}"


@dataclass(frozen=True, slots=True)
class Dislodged:
    """A unit or hero that was driven out and has not retreated yet; as in Diplomacy."""

    unit: Unit
    came_from: ProvinceId | None
    retreats: tuple[PlaceId, ...]


@dataclass(frozen=True, slots=True)
class State:
    """A game between two phases.

    Args:
        units: heroes too, in map order; within a sector in the document's order.
        dislodged: only in a retreats phase.
        owners: of cities and X that somebody owns, in map order.
        garrisons: strength of each independent garrison, in map order.
        plundered: in map order.
        capitals: by nation.
        had_hero: powers that ever built a hero, in seat order.
        prophecies: filed with the moves of the season that is not over yet, by power in seat order, each in the order
            of its lines. Secret.
        owners_before: owners when the season began; `None` where nothing is known of that: as they are now.
        driven: units and heroes that were dislodged in the season, in map order.
    """

    variant: BoardVariant
    options: Mapping[str, bool | int | str]
    seed: str
    phase: Phase
    units: tuple[Unit, ...]
    dislodged: tuple[Dislodged, ...]
    owners: Mapping[ProvinceId, PowerId]
    garrisons: Mapping[ProvinceId, int]
    plundered: tuple[ProvinceId, ...]
    capitals: Mapping[PowerId, ProvinceId]
    had_hero: tuple[PowerId, ...] = ()
    over: Over | None = None
    forced_dice: Mapping[str, int] = field(default_factory=dict)
    prophecies: Mapping[PowerId, tuple[Prophecy, ...]] = field(default_factory=dict)
    owners_before: Mapping[ProvinceId, PowerId] | None = None
    driven: tuple[Unit, ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """A State as a viewer may know it: without others' prophecies and the seed of the dice. See `view`."""

    state: State
    viewer: PowerId | None


# Steps of an order


@dataclass(frozen=True, slots=True)
class Stay:
    """`H`: nothing."""


@dataclass(frozen=True, slots=True)
class Go:
    """`- OVL`: to an adjacent sector, or over a strait."""

    to: PlaceId


@dataclass(frozen=True, slots=True)
class Sail:
    """`- SWD - JKA`: an army over the water sectors of a route."""

    route: tuple[ProvinceId, ...]
    to: ProvinceId


@dataclass(frozen=True, slots=True)
class Support:
    """`S A CHU - HIK`; without `to` for what stands there."""

    of_kind: Kind
    of: ProvinceId
    to: ProvinceId | None = None


@dataclass(frozen=True, slots=True)
class Convoy:
    """`C A ZIM - SZM`; `C` alone carries all armies of its own player."""

    loads: tuple[tuple[ProvinceId, ProvinceId], ...] = ()


@dataclass(frozen=True, slots=True)
class With:
    """`with A ZY`, `with F ZY - SWD`: a hero goes with a unit of its sector; `to` says which of two fleets."""

    kind: Kind
    at: ProvinceId | None = None
    to: PlaceId | None = None


@dataclass(frozen=True, slots=True)
class Aid:
    """`aid`: a hero helps whoever holds the city."""


@dataclass(frozen=True, slots=True)
class Betray:
    """`betray to magdag`: a hero opens a garrisoned city to a power."""

    to: PowerId


ActStep = Stay | Go | Sail | Support | Convoy | With | Aid | Betray


# Orders


@dataclass(frozen=True, slots=True)
class Manoeuvre:
    """What a unit or hero does in a move season: one step or two.

    Args:
        is_late: an army's `(2)`: its move or support is made in the second impulse alone.
        is_pair: `FF`: the order is for both fleets of the sector.
    """

    kind: Kind
    at: ProvinceId
    steps: tuple[ActStep, ...]
    is_late: bool = False
    is_pair: bool = False

    def in_impulse(self, impulse: int) -> ActStep:
        """The step that is tried in an impulse (0 or 1), if nothing before it failed. Source: the table of rules 5."""
        first = self.steps[0]
        if len(self.steps) > 1:
            return self.steps[impulse]
        if self.kind == HERO and isinstance(first, With) and first.to is None:
            return first
        match first:
            case Aid() | Betray() | Stay():
                return first
            case Convoy() | Sail():
                return first if impulse == 1 else Stay()
            case Support():
                return first if impulse == 1 or not self.is_late else Stay()
            case _:
                return first if impulse == int(self.is_late) else Stay()


@dataclass(frozen=True, slots=True)
class Duel:
    """`duel H ZY 40 kill`; `duel H ZY of magdag 40 kill` for that one of several there which Magdag built."""

    at: ProvinceId
    number: int
    is_capture: bool = False
    of: PowerId | None = None


@dataclass(frozen=True, slots=True)
class Grant:
    """`share with zair`, `spare renders`, `let pass akhram`."""

    deed: str
    power: PowerId


@dataclass(frozen=True, slots=True)
class Capital:
    """`capital BUR`"""

    at: ProvinceId


@dataclass(frozen=True, slots=True)
class BuildHero:
    """`BUILD H YOB, JOY`: the pirates' hero of the set-up, and the second X that he costs."""

    at: PlaceId
    besides: ProvinceId


Order = Manoeuvre | Duel | Grant | Capital | Disband | Retreat | Build | BuildHero | Remove | Waive | Prophecy

SHARE, SPARE, LET_PASS = "share with", "spare", "let pass"


def format_step(step: ActStep) -> str:
    """A step's canonical text, without its unit."""
    match step:
        case Stay():
            return "H"
        case Go(to):
            return f"- {to}"
        case Sail(route, to):
            return " ".join(f"- {sector}" for sector in (*route, to))
        case Support(kind, of, to):
            return f"S {kind} {of}" + (f" - {to}" if to else "")
        case Convoy(loads):
            return " ".join(("C", " and ".join(f"A {origin} - {goal}" for origin, goal in loads))).strip()
        case With(kind, at, to):
            return f"with {kind}" + (f" {at}" if at else "") + (f" - {to}" if to else "")
        case Aid():
            return "aid"
        case Betray(to):
            return f"betray to {to}"


def format_order(order: Order) -> str:
    """The order's canonical text."""
    match order:
        case Manoeuvre(kind, at, steps, is_late, is_pair):
            name = f"{kind * 2 if is_pair else kind} {at}"
            return f"{name} {', '.join(map(format_step, steps))}" + (" (2)" if is_late else "")
        case Duel(at, number, is_capture, of):
            whose = f" of {of}" if of else ""
            return f"duel H {at}{whose} {number} {'capture' if is_capture else 'kill'}"
        case Grant(deed, power):
            return f"{deed} {power}"
        case Capital(at):
            return f"capital {at}"
        case Disband(kind, at):
            return f"{kind} {at} D"
        case Retreat(kind, at, to):
            return f"{kind} {at} R {to}"
        case Build(kind, at):
            return f"BUILD {kind} {at}"
        case BuildHero(at, besides):
            return f"BUILD H {at}, {besides}"
        case Remove(kind, at):
            return f"REMOVE {kind} {at}"
        case Waive():
            return "WAIVE"
        case Prophecy():
            return format_prophecy(order)


def subject(order: Order) -> str:
    """What an order is for: `ZIM` for an army or fleet, `H ZIM` for a hero, `DUEL ZY`, `SPARE`, `BUILD ZIM`.

    Two fleets of a sector, or two heroes, have the same: each may get a line.
    """
    match order:
        case Manoeuvre(kind, at) | Disband(kind, at) | Retreat(kind, at, _):
            return subject_of_unit(kind, at)
        case Duel(at, _, _, of):
            return f"DUEL {at}" + (f" {of.upper()}" if of else "")
        case Grant(deed):
            return deed.upper()
        case Capital():
            return "CAPITAL"
        case Build(kind, at):
            return f"BUILD {subject_of_unit(kind, at)}"
        case BuildHero(at):
            return f"BUILD {subject_of_unit(HERO, at)}"
        case Remove():
            return "REMOVE"
        case Waive():
            return "WAIVE"
        case Prophecy():
            return "PROPHECY"


def subject_of_unit(kind: Kind, at: PlaceId | ProvinceId) -> str:
    """`ZIM` for an army or fleet, `H ZIM` for a hero."""
    sector = province_of(PlaceId(at))
    return f"H {sector}" if kind == HERO else str(sector)
