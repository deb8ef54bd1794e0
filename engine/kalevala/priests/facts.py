"""Priests and their temples: what prayers and questions cost. What prayers do in a battle is in `battle.prayers`.

Source: rules 20, R-058 to R-062
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from engine.core.ids import PowerId
from engine.kalevala.agents.facts import GARRISON, NEAR, OWNER, RULER, Agent
from engine.kalevala.caravans.facts import Caravan
from engine.kalevala.coordinates import Province
from engine.kalevala.figures import Figures, kind_of, number_of, with_loads
from engine.kalevala.gods.facts import ABILITIES
from engine.kalevala.model import Work
from engine.kalevala.wizards.spells import Meant, Spell, zeh_of

PRIEST, TEMPLE = "Pr", "Tt"
PAYERS = (PRIEST, "Z")
"""Who can pay for a king's call. Ruling KA278"""
BLESS, FEAR, BREAD = "BLESS", "FEAR", "BREAD"
STORE = 100
"""The most ZEH that a priest can have. Source: rules 20.2"""
RE_FOR_ZEH = 2
"""How many RE of a treasure one ZEH costs. Source: rules 20.1"""
NEEDED = 10
"""What a priest has to roll for a blessing or for fear. Source: rules 20.3"""
CALLING: Final[Mapping[int, int]] = {1: 7, 2: 12}
"""ZEH that one or two priests spend on calling a god, whether he comes or not. Source: R-063"""
CALL_NEEDS: Final[Mapping[int, int]] = {1: 11, 2: 10}
"""What one or two priests have to roll for it. Source: rules 20.5"""
KINGS_CALL, KINGS_CALL_NEEDS = 15, 10
"""What a priest king's call costs in ZEH if the god comes, whatever for, and what he has to roll. Source: rules 18.5"""
CALL_ROUND = 3
"""ZEH for each round of a called god, in addition to the step of the ability that he uses. Source: R-063"""
CALLED_ROUNDS, EXTENDED_ROUNDS = 3, 2
"""For how many rounds priests may call a god, and keep one who came by himself. Source: rules 20.5"""
PRAYER_POINTS = 2
"""How much higher all totals of a blessed figure are, and how much lower those of one in fear. Source: R-062"""
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
"""The price of a clear answer from the oracle; for less it gives a vague one. Source: R-059"""
FARTHEST_SIGN = 3
"""How many great fields from the temple a NEAR question can reach. Source: R-059"""


def prayer_named(word: str) -> Spell | None:
    """The prayer with this name, in English or in the original German."""
    return _BY_NAME.get(word.casefold())


def priest_item(zeh: int) -> str:
    """The figure of a priest with this many ZEH."""
    return f"{PRIEST}/{zeh}"


def is_priest(item: str) -> bool:
    """Whether an item of a stack is a priest."""
    return item.partition("/")[0] == PRIEST


def has_priest(
    ruler: PowerId, at: Province, stack: Figures, caravans: Iterable[Caravan], agents: Iterable[Agent]
) -> bool:
    """Whether a ruler has a priest in a province: in the stack there, aboard too, in a caravan or with an agent.

    Source: rules 20.1
    """
    led = (each.load for each in caravans if (each.ruler, each.at) == (ruler, at))
    hidden = (each.group for each in agents if (each.ruler, each.at) == (ruler, at))
    return any(is_priest(item) for figures in (with_loads(stack), *led, *hidden) for item in figures)


def priests_among(figures: Iterable[str]) -> list[str]:
    """The priests among some items, the one with the fewest ZEH first."""
    return sorted(filter(is_priest, figures), key=number_of)


def is_temple(work: Work) -> bool:
    """Whether a work is a finished temple. Source: rules R-126"""
    return work.type == TEMPLE and work.paid is None


def zeh_of_priests(stacks: Iterable[Mapping[str, int]]) -> list[int]:
    """The ZEH of each priest in some stacks, highest first."""
    found = ((number_of(item), count) for stack in stacks for item, count in stack.items() if is_priest(item))
    return sorted((zeh for zeh, count in found for _ in range(count)), reverse=True)


def zeh_for_king(stacks: Iterable[Mapping[str, int]]) -> int:
    """The most ZEH that a priest or wizard in some stacks could pay a king's call with. Ruling KA278"""
    return max((zeh_of(item) for stack in stacks for item in stack if kind_of(item).code in PAYERS), default=0)


def call_costs(ability: str, count: int, *, is_there: bool) -> int:
    """What a round of a god's help costs this many priests in ZEH; a god who is there need not be called. R-063

    >>> call_costs("BASE", 1, is_there=False), call_costs("PARALYSE", 2, is_there=False)
    (10, 17)
    >>> call_costs("PARALYSE", 1, is_there=True)
    5
    """
    return (0 if is_there else CALLING[count]) + CALL_ROUND + ABILITIES.get(ability, 0)


def shares_of(cost: int, count: int) -> list[int]:
    """What each of this many priests pays; the first pays the odd point.

    >>> shares_of(15, 2)
    [8, 7]
    """
    return [(cost + count - 1 - number) // count for number in range(count)]


def callers(zeh: Sequence[int], ability: str, *, is_there: bool) -> int:
    """How many priests call a god, given their ZEH, highest first: two if each can pay half, else one, or none.

    >>> callers([8, 7], "BASE", is_there=False), callers([10, 6], "BASE", is_there=False)
    (2, 1)
    >>> callers([9, 5], "BASE", is_there=False)
    0
    """
    for count in sorted(CALLING, reverse=True):
        shares = shares_of(call_costs(ability, count, is_there=is_there), count)
        if len(zeh) >= count and all(have >= share for have, share in zip(zeh, shares, strict=False)):
            return count
    return 0
