"""Kings: what a document says of one, what he is worth in a fight, what his points of power bring.

What he does in a window stands in `steps.reigning`, what becomes of him in a battle in `battle.royalty`.

Source: rules 18, R-047 to R-050, R-131
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.kalevala.coordinates import Province
from engine.kalevala.figures import Figures, kind_of, load_of
from engine.kalevala.sea.craft import is_craft

WARRIOR, AGENT, PRIEST = "Kr", "Ag", "Pr"
KINDS_OF_KINGS = (WARRIOR, AGENT, PRIEST)
KINGS = ("KrKö", "AgKö", "PrKö")
SLEEP, WATER, HEIGHT, GREED, FEVER, PRIDE = "sleep", "water", "height", "greed", "fever", "pride"
WEAKNESSES = (SLEEP, WATER, HEIGHT, GREED, FEVER, PRIDE)
"""By the die that is thrown for them. Source: R-047, R-131"""
MOST_LIVES, STORE = 4, 100
STRENGTH = (0, 0, 3, 6, 9)
"""The GP of a king, by his lives. Source: rules 18.7"""
PRICES = (0, 2, 4, 7, 11)
"""What he counts in a battle, by his lives: as the warrior of that class. Ruling KA179"""
RANKS = "AABCD"
"""The class as which he fights, by his lives."""
PLAIN_STRENGTH = 6
"""His GP when he has no palace and no power for it: those of a C warrior. Source: rules 18.4"""
KILLS, SURVIVES = 10, 8
COURAGE = 2
"""The GP of warriors near him. Source: rules 18.7"""
PALACE, SHARE = 30, 45
"""What a palace costs: RE, or this percentage of what a realm arms on a date, if that is more. Source: rules 18.3"""
UPKEEP, UNPAID_DATES = 10, 2
"""RE or OEH on each arming date; after how many unpaid ones he has to go. Source: rules 18.3, R-048"""
WITHOUT_PALACE = 5
"""Points of power in each great round. Source: rules 18.4"""
STEP = 10
"""So many points of power are one GP, one EGP, one life. Source: rules 18.5, R-049"""
PER_STEP = 5
"""Per cent by which an agent king's people see better, for each step. Source: rules 18.5"""
CONVERTS_FROM = 50
"""The points of power from which a priest king turns goods into ZEH. Source: rules 18.5"""
VALUE_OF_ZEH = 2
SACK = 20
"""RE of a sacked palace. Source: rules 18.4"""
SLEEPS = 2
"""The rounds of a battle in which a sleepy king doesn't attack. Source: R-047"""
FEVERISH = 6
"""Below that the dice bring fever. Source: R-047"""
TITHE = 10
"""One warrior in this many rebels when he has to go. Source: rules 18.2"""


@dataclass(frozen=True, slots=True)
class King:
    """What is known about a king apart from his figure, which bears his kind, lives and power. Source: rules 18, 30.3

    Args:
        text: how he looks.
        weakness: empty: none, or none that the viewer knows.
        is_shown: it has acted.
        unpaid: arming dates in a row.
        ill: the great round in which fever holds him; 0: none.
        is_plain: without a palace, and without power for it, in this great round.
    """

    text: str = ""
    weakness: str = ""
    is_shown: bool = False
    unpaid: int = 0
    has_palace: bool = True
    ill: int = 0
    is_plain: bool = False


@dataclass(frozen=True, slots=True)
class Hostage:
    """A king, or the court of his palace, in somebody's hands. Rulings KA178, KA179

    Args:
        at: where they are held; of a court the palace.
        figure: of a king; empty: a court.
    """

    ruler: str
    captor: str
    at: Province
    figure: str = ""


def read_hostage(row: Mapping[str, Any]) -> Hostage:
    """The hostage of a row of a document."""
    return Hostage(str(row["ruler"]), str(row["captor"]), Province(str(row["at"])), str(row.get("king") or ""))


def hostage_row(hostage: Hostage) -> dict[str, Any]:
    """A hostage as a document has them."""
    row: dict[str, Any] = {"ruler": hostage.ruler, "captor": hostage.captor, "at": hostage.at}
    return {**row, "king": hostage.figure} if hostage.figure else row


def hostages_in(modules: Mapping[str, Any]) -> tuple[Hostage, ...]:
    """The hostages whom a document knows."""
    return tuple(read_hostage(row) for row in modules.get("hostages", ()))


def is_king(item: str) -> bool:
    """Whether an item is a king, whatever numbers he bears."""
    return kind_of(item).code in KINGS


def king_item(kind: str, lives: int = MOST_LIVES, power: int = 0) -> str:
    """The figure of a king: `KrKö/4/0`. Source: rules 18.6"""
    return f"{kind}Kö/{lives}/{power}"


def kind_of_king(item: str) -> str:
    """Kr, Ag or Pr."""
    return item[:2]


def lives_of(item: str) -> int:
    """How many lives a king has left; one without numbers has all."""
    parts = item.split("/")
    return int(parts[1]) if len(parts) > 1 else MOST_LIVES


def power_of(item: str) -> int:
    """His points of power."""
    parts = item.split("/")
    return int(parts[2]) if len(parts) > 2 else 0


def with_numbers(item: str) -> str:
    """A king with all his numbers, in their bounds."""
    return king_item(kind_of_king(item), min(max(1, lives_of(item)), MOST_LIVES), min(power_of(item), STORE))


def as_others_see(item: str) -> str:
    """A king as other rulers see him: without the power of an agent king. Source: rules 31"""
    return item if kind_of_king(item) != AGENT else f"{kind_of(item).code}/{lives_of(item)}"


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Where a king is: his figure, and the craft that he is aboard of, or nothing."""

    at: Province
    item: str
    craft: str = ""


def find_in(stacks: Mapping[Province, Figures]) -> Whereabouts | None:
    """The king among a ruler's stacks; `None`: there is none."""
    for at, stack in stacks.items():
        for item in stack:
            if is_king(item):
                return Whereabouts(at, item)
            if is_craft(item):
                for inside in load_of(item):
                    if is_king(inside):
                        return Whereabouts(at, inside, item)
    return None


def king_row(king: King, found: Whereabouts | None) -> dict[str, Any]:
    """A king as a document has him. Source: rules 30.3"""
    row: dict[str, Any] = {}
    if found is not None:
        item = found.item
        row = {"type": kind_of_king(item), "lives": lives_of(item), "power": power_of(item), "at": found.at}
    if king.text:
        row["text"] = king.text
    if king.weakness:
        row["weakness"] = king.weakness
    row |= {"shown": king.is_shown, "unpaid": king.unpaid, "palace": king.has_palace}
    if king.ill:
        row["ill"] = king.ill
    power = 0 if found is None else power_of(found.item)
    is_told = king.is_plain or is_plain_by(has_palace=king.has_palace, power=power)
    return {**row, "plain": king.is_plain} if is_told else row


def is_plain_by(*, has_palace: bool, power: int) -> bool:
    """Whether a king is a man like others if a document doesn't say it. Who lost his palace just now is none yet."""
    return not has_palace and power < WITHOUT_PALACE


def steps_of(stacks: Mapping[Province, Figures], king: King | None, gr: int, kind: str) -> int:
    """How many times ten points of power work for a ruler whose king is of a kind. Source: rules 18.5, ruling KA177"""
    if king is None or king.ill == gr or king.is_plain:
        return 0
    found = find_in(stacks)
    return power_of(found.item) // STEP if found is not None and kind_of_king(found.item) == kind else 0


def palace_price(arming: int) -> int:
    """RE, by what a realm arms on a date. Ruling KA175"""
    return max(PALACE, -(-arming * SHARE // 100))


def defence_of(item: str) -> int:
    """The GP of a king's figure."""
    return STRENGTH[min(lives_of(item), MOST_LIVES)]
