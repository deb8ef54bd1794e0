"""The spells of wizards: names, costs and targets. What they do in a battle is in `battle.magic`.

Source: rules 19.3, R-052, R-053
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from engine.kalevala.figures import kind_of, number_of

WEAKEN, STRENGTHEN, INVISIBLE, PARALYSE, PETRIFY = "WEAKEN", "STRENGTHEN", "INVISIBLE", "PARALYSE", "PETRIFY"
DISPLACE, ANIMALS, BEINGS, SPEED, WIND = "DISPLACE", "ANIMALS", "BEINGS", "SPEED", "WIND"
DRY, FLOOD, GATES, PROTECT = "DRY", "FLOOD", "GATES", "PROTECT"
START, STORE = 30, 100
"""ZEH at the start of a game, and the most that a wizard can have. Source: rules 19.1"""
FORCED = 10
"""The part of a triple's ZEH in a battle that has to be spent at once."""


class Meant(StrEnum):
    """Whom or what a spell is cast on."""

    OWN = "own figures"
    FOE = "enemies"
    MOVED = "figures that are moved to another field"
    RIVER = "a river"
    GATE = "a gate"
    CASTLE = "a castle"
    SHIP = "own sailing ships"


@dataclass(frozen=True, slots=True)
class Spell:
    """A spell.

    Args:
        base: ZEH for a figure of factor 1, for a river or a ship, for the gate of a wall, or for a dragon and each
            field that it goes.
        german: as the original text calls it.
    """

    name: str
    base: int
    meant: Meant
    german: str


SPELLS: Final[tuple[Spell, ...]] = (
    Spell(WEAKEN, 1, Meant.FOE, "Schwächen"),
    Spell(STRENGTHEN, 1, Meant.OWN, "Stärken"),
    Spell(INVISIBLE, 3, Meant.OWN, "Unsichtbar"),
    Spell(PARALYSE, 4, Meant.FOE, "Lähmen"),
    Spell(PETRIFY, 4, Meant.FOE, "Versteinern"),
    Spell(DISPLACE, 4, Meant.MOVED, "Versetzen"),
    Spell(ANIMALS, 8, Meant.MOVED, "Tiere"),
    Spell(BEINGS, 25, Meant.MOVED, "Fabelwesen"),
    Spell(SPEED, 1, Meant.OWN, "Geschwindigkeit"),
    Spell(WIND, 5, Meant.SHIP, "Wind"),
    Spell(DRY, 5, Meant.RIVER, "Austrocknen"),
    Spell(FLOOD, 5, Meant.RIVER, "Überschwemmen"),
    Spell(GATES, 5, Meant.GATE, "Tore"),
    Spell(PROTECT, 2, Meant.OWN, "Schutzzauber"),
)
"""All spells, in the order in which an apprentice learns them."""
SPELL: Final[Mapping[str, Spell]] = {spell.name: spell for spell in SPELLS}
_WITHOUT_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_BY_NAME = {
    name.casefold().translate(_WITHOUT_UMLAUTS): spell for spell in SPELLS for name in (spell.name, spell.german)
} | {
    "paralyze": SPELL[PARALYSE],
    "schutz": SPELL[PROTECT],
}
_FACTORS = {
    **dict.fromkeys(("IP", "QIP", "Le", "Se", "Sl"), 1),
    **dict.fromkeys(("sP", "QsP", "QuW", "Wi", "On", "FS", "Pr"), 2),
    **dict.fromkeys(("El", "Mm", "Sk", "Bt", "K", "Ag", "Z"), 3),
    **dict.fromkeys(("LS", "SS", "KrKö", "AgKö", "PrKö", "My", "DD"), 4),
}
_OF_CLASS = {"A": 1, "B": 2, "C": 3, "D": 4}
PHALANX_FACTOR = 2


def spell_named(word: str) -> Spell | None:
    """The spell with this name, in English or in the original German, with ä or with ae."""
    return _BY_NAME.get(word.casefold().translate(_WITHOUT_UMLAUTS))


def factor_of(item: str, *, in_phalanx: bool = False) -> int:
    """The factor by which a spell's base is multiplied for a figure; a rider's mount counts separately.

    Source: R-052
    """
    kind = kind_of(item)
    if kind.is_warrior:
        return max(_OF_CLASS[kind.rank], PHALANX_FACTOR if in_phalanx else 0)
    return _FACTORS.get(kind.code, 1)


# The figure of a wizard: `Z/55` has 55 ZEH; `Z/20/3`, an apprentice, knows three spells


def is_wizard(item: str) -> bool:
    """Whether an item of a stack is a wizard."""
    return kind_of(item).code == "Z"


def known_of(item: str) -> int:
    """How many spells a wizard knows."""
    _, _, learnt = item.partition("/")[2].partition("/")
    return int(learnt) if learnt else len(SPELLS)


def wizard_item(zeh: int, known: int) -> str:
    """The figure of a wizard; one who knows all spells is no longer an apprentice."""
    return f"Z/{zeh}" if known >= len(SPELLS) else f"Z/{zeh}/{known}"


def is_apprentice(item: str) -> bool:
    """Whether a wizard is still learning."""
    return known_of(item) < len(SPELLS)


def zeh_of(item: str) -> int:
    """The ZEH that a wizard has."""
    return number_of(item)
