"""Values of a game of Feudal Europe: units, castles, position, orders, and the rules' tables. All is frozen.

Phase, moves, holds, retreats and builds are those of Diplomacy; what is more is here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

from engine.core.canonical import reader
from engine.core.ids import PlaceId, PowerId
from engine.core.play import Over
from engine.provinces.orders import Build, Disband, Hold, Kind, Move, Retreat, Waive
from engine.provinces.phases import Phase
from engine.provinces.variants import BoardVariant

ARMY: Kind = "A"
KNIGHT: Kind = "N"
KING: Kind = "K"
WIZARD: Kind = "W"
KINDS: Mapping[Kind, str] = {ARMY: "army", KNIGHT: "knight", KING: "king", WIZARD: "wizard"}
NOMAD: Kind = "NOMAD"
"""In place of a kind: a nomad, in a support."""
BARBARIAN: Kind = "BARBARIAN"
"""In place of a kind: a barbarian, in a support or a spell."""

NOMADS = PowerId("nomads")
BARBARIANS = PowerId("barbarians")

NOMAD_SPACES: tuple[PlaceId, ...] = tuple(map(PlaceId, ("LVN", "MOS", "STP", "SEV", "UKR", "WAR")))
"""By the die's number less one. Source: rule 11."""
NOMAD_ARMIES = 3


@dataclass(frozen=True, slots=True)
class StartRow:
    """A row of the table by which players choose their first centres. Source: rule 3, Start Table."""

    players: int
    centres: int
    distance: int
    length: int


START_TABLE = tuple(
    StartRow(*row)
    for row in (
        (2, 7, 2, 3), (3, 5, 3, 3), (3, 5, 2, 3), (4, 4, 3, 3), (5, 3, 3, 3), (6, 3, 3, 4),
        (7, 3, 2, 5), (7, 2, 2, 4), (8, 2, 2, 5), (9, 2, 2, 6),
    )
)  # fmt: skip
SEATS = (2, 3, 4, 5, 6, 7, 8, 9)
MOST_LISTS = 3
"""How many lists a round of the choice has before lots are drawn."""


def knight_quota(centres: int) -> int:
    """How many knights, the King among them, that many centres allow; beyond the table one more for each three.

    Source: rules 9; ruling F9.
    """
    return 1 + max(0, centres - 3) // 3


def wizard_quota(centres: int) -> int:
    """How many wizards that many centres allow; beyond the table one more for each four. Source: rules 9; ruling F9."""
    return (centres + 1) // 4


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit on the board; `home` is a barbarian's own centre."""

    power: PowerId
    kind: Kind
    at: PlaceId
    home: PlaceId | None = None

    @property
    def is_knight(self) -> bool:
        """Knights and Kings: strength 2, and they may retreat."""
        return self.kind in (KNIGHT, KING)

    @property
    def is_players(self) -> bool:
        """Neither a nomad nor a barbarian."""
        return self.power not in (NOMADS, BARBARIANS)

    @property
    def name(self) -> str:
        """As orders name it: `A PAR`, `BARBARIAN SWE`."""
        return f"{BARBARIAN if self.power == BARBARIANS else self.kind} {self.at}"


@dataclass(frozen=True, slots=True)
class Dislodged:
    """A knight that was driven out and has not retreated yet; as in Diplomacy."""

    unit: Unit
    came_from: PlaceId | None
    retreats: tuple[PlaceId, ...]


@dataclass(frozen=True, slots=True)
class Spell:
    """What a wizard did in the last move season, for what it may not do twice running.

    Args:
        at: where the wizard stands now.
        is_immobilizing: otherwise it was distant support.
        target: where the victim stands now; `None` if it is gone.
    """

    at: PlaceId
    is_immobilizing: bool
    target: PlaceId | None = None


@dataclass(frozen=True, slots=True)
class Setup:
    """How far a round of the choice of centres has got.

    Args:
        lists: how many lists of this round are used up.
        got: the centre that each got in this round so far.
    """

    lists: int = 0
    got: Mapping[PowerId, PlaceId] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class State:
    """A game between two phases.

    Args:
        variant: the map with this game's powers, in seat order.
        units: in map order; nomads too, as they stand since the last moves.
        dislodged: only in a retreats phase; in map order.
        centres: owner of every centre, in map order: a power, `barbarians`, or `None`.
        castles: by centre, with its owner, in map order.
        out: who is out of the game, in seat order.
        magic: what wizards did in the last move season, by where they stand.
        forced_dice: numbers by label; a barbarian's is the space it goes to.
    """

    variant: BoardVariant
    options: Mapping[str, bool | int | str]
    seed: str
    phase: Phase
    units: tuple[Unit, ...]
    dislodged: tuple[Dislodged, ...]
    centres: Mapping[PlaceId, PowerId | None]
    castles: Mapping[PlaceId, PowerId | None]
    out: tuple[PowerId, ...] = ()
    magic: tuple[Spell, ...] = ()
    setup: Setup = field(default_factory=Setup)
    over: Over | None = None
    forced_dice: Mapping[str, int | str] = field(default_factory=dict)

    @property
    def powers(self) -> tuple[PowerId, ...]:
        """The players' powers, in seat order."""
        return tuple(self.variant.powers)

    @property
    def in_game(self) -> tuple[PowerId, ...]:
        """Those that are not out."""
        return tuple(power for power in self.variant.powers if power not in self.out)

    @property
    def has_magic(self) -> bool:
        """Whether the fantasy version is played."""
        return bool(self.options["magic"])

    def owned(self, power: PowerId) -> tuple[PlaceId, ...]:
        """The centres of a power, by id."""
        return tuple(sorted(centre for centre, owner in self.centres.items() if owner == power))


@dataclass(frozen=True, slots=True)
class View:
    """What a viewer may know of a State: all but the seed and the future dice. `viewer` says whose orders are read."""

    state: State
    viewer: PowerId | None


@dataclass(frozen=True, slots=True)
class Support:
    """`A MUN S A BER - SIL`, `A MUN S A BER`, `N GAL S NOMAD - WAR`, `W PAR S2 A RUH - MUN`.

    Args:
        of_kind: of the unit helped, `BARBARIAN` or `NOMAD`.
        of: where it stands; `None` for nomads, who come from outside.
        to: where it goes; `None`: it is helped where it stands.
        is_distant: a wizard's magic.
    """

    kind: Kind
    at: PlaceId
    of_kind: Kind
    of: PlaceId | None
    to: PlaceId | None = None
    is_distant: bool = False

    @property
    def target(self) -> PlaceId:
        """The space that the support is about."""
        return self.to or self.of  # type: ignore[return-value]


@dataclass(frozen=True, slots=True)
class Immobilize:
    """`W BUL I A RUM`, `W KIE I BARBARIAN SWE`."""

    kind: Kind
    at: PlaceId
    of_kind: Kind
    of: PlaceId


@dataclass(frozen=True, slots=True)
class Choose:
    """`CHOOSE 1 PAR`: an entry of a list of centres; `rank` counts from 1."""

    rank: int
    centre: PlaceId


@dataclass(frozen=True, slots=True)
class Castle:
    """`CASTLE PAR`: where a player's castle stands, and his King begins."""

    centre: PlaceId


WAIVE = "WAIVE"
"""A build that is not wanted: the centres that no build names stay empty. Source: ruling F24"""
UnitOrder = Hold | Move | Support | Immobilize
Order = Hold | Move | Support | Immobilize | Retreat | Disband | Build | Waive | Choose | Castle


def format_order(order: Order) -> str:
    """The order's canonical text."""
    match order:
        case Hold(kind, at):
            return f"{kind} {at} H"
        case Move(kind, at, to):
            return f"{kind} {at} - {to}"
        case Support(kind, at, of_kind, of, to, is_distant):
            helped = of_kind if of is None else f"{of_kind} {of}"
            goal = f" - {to}" if to is not None else ""
            return f"{kind} {at} {'S2' if is_distant else 'S'} {helped}{goal}"
        case Immobilize(kind, at, of_kind, of):
            return f"{kind} {at} I {of_kind} {of}"
        case Retreat(kind, at, to):
            return f"{kind} {at} R {to}"
        case Disband(kind, at):
            return f"{kind} {at} D"
        case Build(kind, at):
            return f"BUILD {kind} {at}"
        case Waive():
            return WAIVE
        case Choose(rank, centre):
            return f"CHOOSE {rank} {centre}"
        case Castle(centre):
            return f"CASTLE {centre}"


read: Callable[[str], Order | None] = reader(
    ("{kind:ANKW} {at} H", Hold),
    ("{kind:ANKW} {at} - {to}", Move),
    ("{kind:ANKW} {at} S {of_kind}", partial(Support, of=None)),
    ("{kind:ANKW} {at} S {of_kind} - {to}", partial(Support, of=None)),
    ("{kind:ANKW} {at} S {of_kind} {of}", Support),
    ("{kind:ANKW} {at} S {of_kind} {of} - {to}", Support),
    ("{kind:ANKW} {at} S2 {of_kind}", partial(Support, of=None, is_distant=True)),
    ("{kind:ANKW} {at} S2 {of_kind} - {to}", partial(Support, of=None, is_distant=True)),
    ("{kind:ANKW} {at} S2 {of_kind} {of}", partial(Support, is_distant=True)),
    ("{kind:ANKW} {at} S2 {of_kind} {of} - {to}", partial(Support, is_distant=True)),
    ("{kind:ANKW} {at} I {of_kind} {of}", Immobilize),
    ("{kind:ANKW} {at} R {to}", Retreat),
    ("{kind:ANKW} {at} D", Disband),
    ("BUILD {kind:ANKW} {at}", Build),
    (WAIVE, Waive),
    ("CHOOSE {rank} {centre}", lambda rank, centre: Choose(int(rank), centre)),
    ("CASTLE {centre}", Castle),
)
"""The order of a canonical text; `None` for any other text."""


def subject(order: Order) -> str:
    """What an order is for: the place of the unit, an entry of the list, the castle."""
    match order:
        case Choose(rank, _):
            return f"CHOICE {rank}"
        case Castle():
            return "CASTLE"
        case Waive():
            return WAIVE
        case _:
            return order.at
