"""Gods: their form in a document, levels and abilities. What they do on Archeron is in `steps.archeron`.

Source: rules 24, 30.3, R-076 to R-079, R-127
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.core.ids import PowerId
from engine.kalevala.coordinates import Province

FIRST_OEH = 150
UNITS = 2
"""Exploration units of a god in a great round, for scouting and moving together. Source: rules 24.3"""
FIELDS_PER_GOD = 12
AURA_NEEDS = 13
"""What the first attempt at an aura needs on three dice; each further one on the same field needs a point less.

Source: rules 24.2
"""
ON_AURA, ON_SEAT = 1, 2
"""The bonus (GP) of a defender there. Source: rules 24.4"""
MOST_STAY = 12
"""The most combat rounds (KR) that a god can earn by victories, in total. Source: R-079"""
MOST_ROUNDS = 6
"""The most combat rounds of one battle in which a god may take part. Source: rules 24.4"""
STEPS: tuple[int, ...] = (200, 350, 500, 650, 800, 1000, 1200, 1400, 1600, 1800, 2000, 2500)
"""OEH of each level that brings abilities; beyond them every 500 brings a level. Source: rules 24.1"""
_BEYOND = 500
TO_HIDE = 3
"""Within how many great rounds a new weak spot has to be hidden. Source: rules 24.1"""
BASE = "BASE"
ABILITIES: Mapping[str, int] = {
    name: step
    for step, names in enumerate(
        (
            "STRENGTHEN WEAKEN SHIELD1",
            "PARALYSE PETRIFY DISPLACE",
            "ANIMALS GEAR RIVER",
            "BASE3 UNSHIELD1 SHIELD2",
            "SPEED UNSHIELD2",
            "BARRIER COLLAPSE",
            "SHIELD3 CARRY",
            "SEE STAY TERRAIN",
            "PASS SUMMON WEAPON",
            "STEER DUPLICATE UNSHIELD3",
            "QUAKE APPEAR BARRIERGF",
            "WALLS BASE10",
        ),
        1,
    )
    for name in names.split()
}
"""The step at which each ability can be learned, by name. Source: R-127"""
DUEL = "DUEL"
"""What a god may do in place of an ability: challenge an enemy's wizard. Source: rules 24.5"""
STRIKES: Mapping[str, int] = {BASE: 1, "BASE3": 3, "BASE10": 10}
"""How many connected small fields the base ability strikes. Source: rules 24.1"""
_SHIELDS = ("SHIELD1", "SHIELD2", "SHIELD3")
_UNSHIELDS = ("UNSHIELD1", "UNSHIELD2", "UNSHIELD3")


@dataclass(frozen=True, slots=True)
class WeakSpot:
    """The magic thing on which a god depends. Source: rules 24.1

    Args:
        at: the province, and `cell`: the small field where it is.
        lost: the great round in which it was taken; 0: it is safe.
    """

    at: Province
    cell: int
    lost: int = 0


@dataclass(frozen=True, slots=True)
class God:
    """A ruler's god. Source: rules 24, 30.3

    Args:
        seat, at: fields of Archeron: his own, and where he is.
        tries: attempts at an aura on the present field.
        abilities: those learned, besides the base one.
        explored: fields scouted in this great round; `earlier`: in the last one.
        stay: KR that he may spend among humans.
        units: god-EE spent in this great round.
        barred: the great round in which he may not scout, after a fight that he lost.
        tired: the great round in whose window of orders he may not move, after scouting twice.
    """

    oeh: int = FIRST_OEH
    seat: int = 1
    at: int = 1
    tries: int = 0
    abilities: tuple[str, ...] = ()
    explored: tuple[int, ...] = ()
    earlier: tuple[int, ...] = ()
    stay: int = 0
    text: str = ""
    weak: WeakSpot | None = None
    units: int = 0
    barred: int = 0
    tired: int = 0

    @property
    def level(self) -> int:
        """How many steps he has reached. Source: rules 24.1, example E-9"""
        return level_of(self.oeh)

    @property
    def may_learn(self) -> tuple[str, ...]:
        """Abilities that he may learn now, in the order of the table; he learns one with each step."""
        if len(self.abilities) >= self.level:
            return ()
        return tuple(name for name, step in ABILITIES.items() if step <= self.level and name not in self.abilities)

    def is_bound(self, gr: int) -> bool:
        """Whether he can't leave his seat: he lost his weak spot, and had no new one in time. Source: R-077"""
        return self.weak is not None and 0 < self.weak.lost < gr - TO_HIDE

    @property
    def lasts(self) -> int:
        """How many rounds he can spend among humans for each that he has earned. Source: rules 24.1"""
        return 2 if "STAY" in self.abilities else 1

    @property
    def rounds(self) -> int:
        """How many rounds of a battle he may take part in; each uses up one of his stay.

        Source: rules 24.1, 24.4, KA216
        """
        return MOST_ROUNDS if "APPEAR" in self.abilities else min(MOST_ROUNDS, self.stay)

    @property
    def shield(self) -> int:
        """The degree of his shield, which protects him where he is at home."""
        return max((degree for degree, name in enumerate(_SHIELDS, 1) if name in self.abilities), default=0)

    @property
    def breaks(self) -> int:
        """The highest degree of shield that he can take away."""
        return max((degree for degree, name in enumerate(_UNSHIELDS, 1) if name in self.abilities), default=0)


def level_of(oeh: int) -> int:
    """The level that a god with this many OEH has.

    >>> [level_of(oeh) for oeh in (150, 200, 357, 2499, 2500, 2999, 3000)]
    [0, 1, 2, 11, 12, 12, 13]
    """
    return bisect_right(STEPS, oeh) + max(0, (oeh - STEPS[-1]) // _BEYOND)


def next_step(oeh: int) -> int:
    """The OEH of the next level."""
    level = level_of(oeh)
    return STEPS[level] if level < len(STEPS) else STEPS[-1] + _BEYOND * (level - len(STEPS) + 1)


def aura_needs(tries: int) -> int:
    """What an attempt needs on three dice after this many earlier ones on the same field."""
    return max(3, AURA_NEEDS - tries)


def read_god(row: Mapping[str, Any]) -> God:
    """The god of a ruler's row in a document."""
    weak = row.get("weak") or {}
    seat = int(row.get("seat") or 1)
    return God(
        oeh=int(row.get("oeh", FIRST_OEH)),
        seat=seat,
        at=int(row.get("at") or seat),
        tries=int(row.get("tries") or 0),
        abilities=tuple(name for each in row.get("abilities") or () if (name := str(each).upper()) in ABILITIES),
        explored=_numbers(row.get("explored")),
        earlier=_numbers(row.get("earlier")),
        stay=int(row.get("stay") or 0),
        text=str(row.get("text") or ""),
        weak=WeakSpot(Province(str(weak["gf"])), int(weak.get("kf") or 1), int(weak.get("lost_gr") or 0))
        if weak.get("gf")
        else None,
        units=int(row.get("units") or 0),
        barred=int(row.get("barred") or 0),
        tired=int(row.get("tired") or 0),
    )


def _numbers(rows: Iterable[Any] | None) -> tuple[int, ...]:
    return tuple(map(int, rows or ()))


def god_row(god: God) -> dict[str, Any]:
    """A god's row in a document, without values that are the default."""
    row: dict[str, Any] = {"oeh": god.oeh, "seat": god.seat, "at": god.at}
    for key in ("tries", "stay", "text", "units", "barred", "tired"):
        if getattr(god, key):
            row[key] = getattr(god, key)
    for key in ("abilities", "explored", "earlier"):
        if getattr(god, key):
            row[key] = list(getattr(god, key))
    if god.weak is not None:
        row["weak"] = {"gf": god.weak.at, "kf": god.weak.cell, "lost_gr": god.weak.lost}
    return row


def auras(modules: Mapping[str, Any]) -> dict[int, PowerId]:
    """Whose aura lies on which field of Archeron."""
    rows = modules.get("archeron", {}).get("gf", {})
    return {int(number): PowerId(str(name)) for number, name in rows.items()}
