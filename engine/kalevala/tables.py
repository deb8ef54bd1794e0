"""The tables: trade centres, figures, works, terrain, upkeep. Source: rules 9.2, 9.3, 12.1, 17.6, 25.5"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Centre:
    """A kind of trade centre. Source: rules 9.2

    Args:
        arming: RE that it yields on an arming date.
        losses: RE that occupying it costs.
    """

    code: str
    arming: int
    losses: int

    @property
    def city_units(self) -> Fraction:
        """Its value in city units."""
        return Fraction(self.arming, 4)


CENTRES: Mapping[str, Centre] = {
    centre.code: centre
    for centre in (
        Centre("F", 0, 2),
        Centre("Mkt", 2, 4),
        Centre("Std", 4, 6),
        Centre("Phstd", 8, 8),
        Centre("Hstd", 16, 10),
    )
}


class Group(StrEnum):
    """What a figure is, in the order in which stacks are written."""

    HUMAN = "human"
    ANIMAL = "animal"
    GEAR = "gear"
    SHIP = "ship"
    ARTEFACT = "artefact"
    MONEY = "money"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of figure. Source: rules 9.2, R-016, R-019, R-020

    Args:
        code: how it is written: `LB`, `IP`, `Pr`.
        price: in RE; `None`: it can't be armed.
        carries: RE that one takes along.
        effort: TEH that one gives to the transport of gear.
        weight: TEH that a piece of gear needs.
        seats: for riders.
        speed: great fields a round, moving by itself; 0: it moves only with others.
        upkeep: for animals, the class by which they are paid.
    """

    code: str
    group: Group
    price: int | None = None
    carries: int = 0
    effort: int = 0
    weight: int = 0
    seats: int = 0
    speed: int = 0
    upkeep: str = ""

    @property
    def is_warrior(self) -> bool:
        """Whether it is a warrior: A, L, S or B with a class."""
        return self.group is Group.HUMAN and self.code in WARRIORS

    @property
    def weapon(self) -> str:
        """A warrior's weapon: A, L, S or B."""
        return self.code[0]

    @property
    def rank(self) -> str:
        """A warrior's class: A, B or C."""
        return self.code[1:] or "A"


WEAPONS = "ALSB"
CLASSES = "ABC"
WARRIORS = frozenset(weapon + (rank if rank != "A" else "") for weapon in WEAPONS for rank in CLASSES)
CLASS_PRICE = {"A": 2, "B": 4, "C": 7}
FOOT, MOUNTED, WIZARD_SPEED = 2, 3, 4


def _warriors() -> list[Kind]:
    return [
        Kind(code, Group.HUMAN, CLASS_PRICE[code[1:] or "A"], carries=10, effort=1, speed=FOOT)
        for code in sorted(WARRIORS)
    ]


KINDS: Mapping[str, Kind] = {
    kind.code: kind
    for kind in (
        *_warriors(),
        Kind("Ag", Group.HUMAN, 10, carries=100, speed=2),
        Kind("K", Group.HUMAN, 5, carries=100, speed=2),
        Kind("Pr", Group.HUMAN, 5, carries=10, speed=1),
        Kind("My", Group.HUMAN, 10, carries=10, speed=1),
        Kind("Z", Group.HUMAN, carries=10, speed=WIZARD_SPEED),
        Kind("Sl", Group.HUMAN, speed=2),
        Kind("KrKö", Group.HUMAN, carries=10, effort=1, speed=FOOT),
        Kind("AgKö", Group.HUMAN, carries=100, speed=2),
        Kind("PrKö", Group.HUMAN, carries=10, speed=FOOT),
        Kind("El", Group.ANIMAL, 5, effort=2, seats=2, upkeep="B"),
        Kind("Mm", Group.ANIMAL, 5, effort=2, seats=2, upkeep="B"),
        Kind("DD", Group.ANIMAL, 11, upkeep="C"),
        Kind("IP", Group.ANIMAL, 1, effort=1, seats=1, upkeep="A"),
        Kind("sP", Group.ANIMAL, 2, effort=1, seats=1, upkeep="A"),
        Kind("QIP", Group.ANIMAL, 1, upkeep="A"),
        Kind("QsP", Group.ANIMAL, 2, upkeep="A"),
        Kind("Bt", Group.GEAR, 4, weight=3),
        Kind("Le", Group.GEAR, 1, weight=2),
        Kind("On", Group.GEAR, 2, weight=2),
        Kind("QuW", Group.GEAR, 3, seats=3),
        Kind("Se", Group.GEAR, 1, weight=1),
        Kind("Sk", Group.GEAR, 4, weight=3),
        Kind("Wi", Group.GEAR, 2, weight=2),
        Kind("FS", Group.SHIP, 3, speed=3),
        Kind("SS", Group.SHIP, 6, speed=4),
        Kind("LS", Group.SHIP, 6, speed=5),
        Kind("Ar", Group.ARTEFACT),
        Kind("RE", Group.MONEY, 1),
    )
}
NUMBERED = frozenset({"Z", "Pr", "My", "KrKö", "AgKö", "PrKö", "QuW", "Ar"})
"""Kinds whose items have numbers."""
ALIASES: Mapping[str, str] = {
    "lt": "Le", "si": "Sl", "ka": "IP", "bü": "sP", "bue": "sP", "lv": "sP",
    "krkoe": "KrKö", "agkoe": "AgKö", "prkoe": "PrKö",
}  # fmt: skip
"""Other spellings. Source: rules 9.2, 17.4"""
FOR_EVERYBODY = frozenset({"Se", "FS"})
"""What every culture can make. Source: rules 11.1"""
DRAGON = "DD"
"""The one fabulous being that the rules describe. Source: rules 25.5, R-080"""
UNUSUAL = frozenset({DRAGON})
"""What normal realms can't make. Source: rules R-014"""
MOST_MERCHANTS = 20


# Terrain


@dataclass(frozen=True, slots=True)
class Terrain:
    """What a small field is made of. Source: rules 12.1, R-032"""

    letter: str
    name: str
    level: int
    room: int

    @property
    def is_water(self) -> bool:
        """Whether it is water, for ships only."""
        return self.letter == "W"

    @property
    def is_land(self) -> bool:
        """Whether it is neither water nor mountains nor gorge. Source: rules R-009"""
        return self.letter not in _BARRIERS


_BARRIERS = "WGQ"
TERRAIN: Mapping[str, Terrain] = {
    terrain.letter: terrain
    for terrain in (
        Terrain("W", "water", 0, 4),
        Terrain("T", "lowland", 1, 4),
        Terrain("t", "lowland_forest", 1, 3),
        Terrain("D", "lowland_desert", 1, 4),
        Terrain("S", "swamp", 1, 2),
        Terrain("M", "mangrove", 1, 2),
        Terrain("H", "highland", 2, 4),
        Terrain("h", "highland_forest", 2, 3),
        Terrain("E", "highland_desert", 2, 4),
        Terrain("B", "mountain_land", 3, 3),
        Terrain("b", "mountain_forest", 3, 2),
        Terrain("C", "mountain_desert", 3, 3),
        Terrain("G", "mountains", 4, 0),
        Terrain("I", "ice", 1, 4),
        Terrain("J", "highland_ice", 2, 4),
        Terrain("K", "mountain_ice", 3, 3),
        Terrain("U", "highland_swamp", 2, 2),
        Terrain("V", "highland_mangrove", 2, 2),
        Terrain("Q", "gorge", 0, 0),
    )
}
UNSEEN = "?"
"""The letter of a small field that a viewer has not seen."""
FULL_ROOM = 4
SPACE: Mapping[str, int] = {"El": 2, "Mm": 2, "DD": 4, "Z": 0, "Ar": 0, "RE": 0, "Se": 0}
"""How many REH a figure takes on a small field; all others take 1. Source: rules B2"""
ROUGH = frozenset("BbCKSMUV")
"""Terrain over which mounts, wagons and elephants are led. Source: rules R-017"""
BANNED: Mapping[str, frozenset[str]] = {
    "El": frozenset("BbCKSMUVIJ"),
    "Mm": frozenset("BbCKSMUVDE"),
    "Bt": frozenset("BbCKSMUVth"),
    "Sk": frozenset("BbCKSMUVth"),
    "QuW": frozenset("BbCKSMUVth"),
}
"""The terrain on which a piece may not stay. Source: rules R-018"""


MOST_IN_TEAM = 4
"""The most draught animals that draw a wagon. Source: rules 26.4"""


# Works


@dataclass(frozen=True, slots=True)
class WorkKind:
    """A kind of work. Source: rules 9.2, 11.4, 27

    Args:
        price: that of the whole work.
        step: the price of building it on the work from which it grows.
        grows_from: the work that has to be there first.
        storeys: how many it has above the ground; 0: it takes no field.
    """

    code: str
    price: int
    step: int
    grows_from: str | None = None
    storeys: int = 0


WORKS: Mapping[str, WorkKind] = {
    work.code: work
    for work in (
        WorkKind("Fu", 2, 2),
        WorkKind("Ma", 1, 1),
        WorkKind("Br", 4, 4),
        WorkKind("BR", 10, 10),
        WorkKind("Tu", 10, 10, storeys=1),
        WorkKind("Bf", 20, 10, "Tu", storeys=2),
        WorkKind("BF", 30, 10, "Bf", storeys=3),
        WorkKind("Tt", 30, 10, "Tu", storeys=1),
    )
}
CANAL, PASS = "canal", "pass"
WAYS = (CANAL, PASS)
"""Works that may be paid for little by little. Source: rules R-034"""
BUILDINGS = frozenset({"Tu", "Bf", "BF", "Tt"})
HALF_TEMPLE = 20
"""What an unfinished temple has cost. Source: rules R-024, R-126"""
WATER_TEMPLE = 40
"""What a temple in the water costs, in steps of 10. Source: R-058"""
HEADQUARTERS = 10
PASS_PRICE = 20
CANAL_PRICES: Mapping[str, int] = {
    "T": 2, "t": 3, "S": 4, "D": 5, "M": 5, "H": 6, "h": 9, "I": 12, "U": 12, "E": 15, "V": 15,
}  # fmt: skip
"""RE for each small field of a canal; other terrain can't be dug. Source: rules 13.1"""
AT_THE_SHORE = 4
"""RE for a small field of lowland that touches water."""
RIVER_SIDES = 2
"""The number of sides on a river that makes a small field 1 RE cheaper."""
MOUNTAIN_LAND = frozenset("BbCK")
"""The terrain that a pass joins. Source: rules 13.2"""
IMPASSABLE = 4
"""The number of hits after which nobody can cross a stream bridge. Source: rules 27.2"""
BORNE: Mapping[int, frozenset[str]] = {2: frozenset({"Le", "Se", "Wi", "IP", "sP", "RE"}), 3: frozenset({"RE"})}
"""What a bridge bears after this many hits, besides warriors. Source: rules 27.2"""


# Upkeep


@dataclass(frozen=True, slots=True)
class PayGroup:
    """A row of the table of core troops: up to how many of each class, and what they cost. Source: rules 17.6"""

    most: Mapping[str, int]
    cost: int


PAY_GROUPS: tuple[PayGroup, ...] = tuple(
    PayGroup({"A": a, "B": b, "C": c, "D": d}, cost)
    for a, b, c, d, cost in (
        (60, 45, 30, 15, 0),
        (80, 60, 40, 20, 8),
        (100, 75, 50, 25, 18),
        (120, 90, 60, 30, 34),
        (140, 105, 70, 35, 61),
        (160, 120, 80, 40, 108),
        (180, 135, 90, 44, 140),
    )
)
PAY_UNIT = {"A": 8, "B": 4, "C": 2}
"""For how many auxiliaries or animals of a class one RE pays. Source: rules 17.6, 25.5"""
FREE_ANIMALS = {"A": 120, "B": 90, "C": 60}
"""How many animals invaders keep free of charge. Source: rules 25.5, R-090"""
PEOPLES_ARMING = 16
ADDITIONAL_ARMING = 64
"""What invaders arm in addition, less what their trade centres arm. Source: rules R-128"""
MOST_SET_UP = 40
MOST_HUMANS = 28
MOST_GOODS = 12


def pay_group(rank: str, count: int) -> int:
    """The group of this many core troops of a class. Beyond the table it is the last one."""
    return next((n for n, group in enumerate(PAY_GROUPS) if count <= group.most[rank]), len(PAY_GROUPS) - 1)


def most_core(rank: str) -> int:
    """How many core troops of a class there may be. Source: rules 17.6"""
    return PAY_GROUPS[-1].most[rank]
