"""Priests and their temples: what prayers and questions cost. What prayers do in a battle stands in `battle.prayers`.

Source: rules 20, R-058 to R-062
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from engine.kalevala.agents import GARRISON, NEAR, OWNER, RULER
from engine.kalevala.figures import number_of
from engine.kalevala.model import Work
from engine.kalevala.spells import Meant, Spell

PRIEST, TEMPLE = "Pr", "Tt"
BLESS, FEAR, BREAD = "BLESS", "FEAR", "BREAD"
STORE = 100
"""The most ZEH that a priest keeps. Source: rules 20.2"""
RE_FOR_ZEH = 2
"""RE of a treasure for a ZEH. Source: rules 20.1"""
NEEDED = 10
"""What a priest has to roll for a blessing or for fear. Source: rules 20.3"""
PRAYER_POINTS = 2
"""By how much all totals of a blessed figure are higher, and those of one in fear lower. Source: R-062"""
PRAYERS: Final[tuple[Spell, ...]] = (
    Spell(BLESS, 2, Meant.OWN, "Segnen"),
    Spell(FEAR, 2, Meant.FOE, "Furcht"),
    Spell(BREAD, 5, Meant.CASTLE, "Brot"),
)
PRAYER: Final[Mapping[str, Spell]] = {prayer.name: prayer for prayer in PRAYERS}
_BY_NAME = {name.casefold(): prayer for prayer in PRAYERS for name in (prayer.name, prayer.german)}
FREE = "FREE"
"""A question in words, which the game master answers."""
ORACLE_PRICES: Final[Mapping[str, int]] = {OWNER: 5, GARRISON: 10, RULER: 15, NEAR: 20}
"""What the oracle asks for a true answer; for less it gives a vague one. Source: R-059"""
FARTHEST_SIGN = 3
"""So many great fields from the temple NEAR may be asked about. Source: R-059"""


def prayer_named(word: str) -> Spell | None:
    """The prayer of a name, in English or as the original text has it."""
    return _BY_NAME.get(word.casefold())


def priest_item(zeh: int) -> str:
    """The figure of a priest with so many ZEH."""
    return f"{PRIEST}/{zeh}"


def is_priest(item: str) -> bool:
    """Whether an item of a stack is a priest."""
    return item.partition("/")[0] == PRIEST


def priests_among(figures: Iterable[str]) -> list[str]:
    """The priests among some items, the one with the fewest ZEH first."""
    return sorted(filter(is_priest, figures), key=number_of)


def is_temple(work: Work) -> bool:
    """Whether a work is a temple that is finished. Source: rules R-126"""
    return work.type == TEMPLE and work.paid is None
