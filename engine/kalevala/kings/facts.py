"""Kings: their form in a document, their strength in a fight, and what their points of power are good for.

What a king does in a window is in `steps.reigning`, `captivity` and `dethroning`, what happens to him in a battle in
`battle.royalty`.

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
RE, OEH = "RE", "OEH"
"""What a king can be paid in."""
KINGS = ("KrKö", "AgKö", "PrKö")
SLEEP, WATER, HEIGHT, GREED, FEVER, PRIDE = "sleep", "water", "height", "greed", "fever", "pride"
WEAKNESSES = (SLEEP, WATER, HEIGHT, GREED, FEVER, PRIDE)
"""In the order of the numbers of the die. Source: R-047, R-131"""
MOST_LIVES, STORE = 4, 100
LONGEST_TEXT = 300
"""Letters of the text that says what a king looks like."""
STRENGTH = (0, 0, 3, 6, 9)
"""The GP of a king, by his lives. Source: rules 18.7"""
PRICES = (0, 2, 4, 7, 11)
"""His price in a battle, by his lives: that of a warrior of the class as which he fights. Ruling KA179"""
RANKS = "AABCD"
"""The class as which he fights, by his lives."""
PLAIN_STRENGTH = 6
"""His GP when he has neither a palace nor the power to do without one: those of a C warrior. Source: rules 18.4"""
KILLS, SURVIVES = 10, 8
COURAGE = 2
"""The bonus (GP) of warriors near him. Source: rules 18.7"""
PALACE, SHARE = 30, 45
"""What a palace costs in RE, or as a percentage of what a realm arms on an arming date, if that is more.

Source: rules 18.3
"""
UPKEEP, UNPAID_DATES = 10, 2
"""His pay in RE or OEH on each arming date, and the number of unpaid dates after which he has to go.

Source: rules 18.3, R-048
"""
WITHOUT_PALACE = 5
"""Points of power that he needs in each great round without a palace. Source: rules 18.4"""
STEP = 10
"""How many points of power are worth one GP, one EGP or one life. Source: rules 18.5, R-049"""
PER_STEP = 5
"""By how many percent an agent king raises the chance of detection, for each step. Source: rules 18.5"""
CONVERTS_FROM = 50
"""The points of power that a priest king needs to turn goods into ZEH. Source: rules 18.5"""
CALLS_FROM = 100
"""The points of power that a priest king needs to call his god. Source: rules 18.5"""
VALUE_OF_ZEH = 2
SACK = 20
"""The RE that sacking a palace brings. Source: rules 18.4"""
SLEEPS = 2
"""The rounds of a battle in which a sleepy king doesn't attack. Source: R-047"""
FEVERISH = 6
"""He has a fever if the dice show less than this. Source: R-047"""
TITHE = 10
"""One warrior in this many rebels when he has to go. Source: rules 18.2"""


@dataclass(frozen=True, slots=True)
class King:
    """What is known about a king apart from his figure, which shows his kind, lives and power. Source: rules 18, 30.3

    Args:
        text: what he looks like.
        weakness: empty if he has none, or none that the viewer knows.
        is_shown: the weakness has taken effect.
        unpaid: arming dates without pay, in a row.
        ill: the great round in which he has a fever; 0: none.
        is_plain: in this great round he has neither a palace nor the power to do without one.
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
    """A king, or the court of his palace, held by another ruler. Rulings KA178, KA179

    Args:
        at: where they are held; for a court, the palace.
        figure: the king's figure; empty for a court.
    """

    ruler: str
    captor: str
    at: Province
    figure: str = ""


def read_hostage(row: Mapping[str, Any]) -> Hostage:
    """The hostage of a row of a document."""
    return Hostage(str(row["ruler"]), str(row["captor"]), Province(str(row["at"])), str(row.get("king") or ""))


def hostage_row(hostage: Hostage) -> dict[str, Any]:
    """A hostage's row in a document."""
    row: dict[str, Any] = {"ruler": hostage.ruler, "captor": hostage.captor, "at": hostage.at}
    return {**row, "king": hostage.figure} if hostage.figure else row


def hostages_in(modules: Mapping[str, Any]) -> tuple[Hostage, ...]:
    """The hostages of a document."""
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
    """A king's row in a document. Source: rules 30.3"""
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
    """Whether a king is an ordinary man if the document doesn't say so.

    He isn't yet if he has only just lost his palace.
    """
    return not has_palace and power < WITHOUT_PALACE


def steps_of(stacks: Mapping[Province, Figures], king: King | None, gr: int, kind: str) -> int:
    """How many full tens of points of power work for a ruler whose king is of this kind.

    Source: rules 18.5, ruling KA177
    """
    if king is None or king.ill == gr or king.is_plain:
        return 0
    found = find_in(stacks)
    return power_of(found.item) // STEP if found is not None and kind_of_king(found.item) == kind else 0


def may_call(stacks: Mapping[Province, Figures], king: King | None, gr: int) -> bool:
    """Whether a ruler's king can call their god into a battle. Source: rules 18.5, ruling KA278"""
    return steps_of(stacks, king, gr, PRIEST) * STEP >= CALLS_FROM


def palace_price(arming: int) -> int:
    """The price in RE, given what the realm arms on an arming date. Ruling KA175"""
    return max(PALACE, -(-arming * SHARE // 100))


def defence_of(item: str) -> int:
    """The GP of a king's figure."""
    return STRENGTH[min(lives_of(item), MOST_LIVES)]
