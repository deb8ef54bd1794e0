"""Agents: what a document says about one, and what misdeeds cost and risk. `steps.spying` carries their orders out.

Source: rules 22, 30.1, R-070, R-116
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any

from engine.core.ids import PowerId
from engine.kalevala.caravans.facts import upkeep_of as upkeep_of_load
from engine.kalevala.coordinates import Province
from engine.kalevala.figures import MONEY, NONE, Figures, format_figures, kind_of, parse_figures, with_loads
from engine.kalevala.tables import SPACE, Group

OWNER, GARRISON, RULER, NEAR = "OWNER", "GARRISON", "RULER", "NEAR"
"""The questions that agents ask, and that oracles answer. Source: R-059, R-071"""
KING = "KrKö"
KINGS = ("KrKö", "AgKö", "PrKö")
CARAVAN, SHIP = "CARAVAN", "SHIP"
STOWS = (CARAVAN, SHIP)
"""What an agent can slip into besides buildings. Source: rules 22.3, rulings KA138, KA198"""
CRAFT = 0
"""Stands for a ruler's craft, instead of the number of a caravan."""
GROUP_ROOM = 4
"""The most REH of a group, including the agent. Source: rules 22.3"""
MOST_RE, SPEED = 100, 2
SCOUTING_PRICE, SCOUTING_RISK = 10, 10
UPKEEP = 2
ABROAD, AT_HOME = 10, 5
"""An agent's risk in a great round before surcharges, in per cent."""
LEAST, MOST = 5, 95


@dataclass(frozen=True, slots=True)
class Misdeed:
    """A kind of misdeed: what it costs and brings. The rules call it a deed; here deeds are the orders of P3.

    Args:
        price: in RE; prices that depend on the victim are in `PRICES`.
        needed: with `dice` dice; 0: it always succeeds.
        risk: what it adds to the risk of the following great round.
        experience: what an agent gains by succeeding undetected.
    """

    name: str
    price: int
    needed: int
    risk: int
    experience: float
    dice: int = 3


MISDEEDS: Mapping[str, Misdeed] = {
    misdeed.name: misdeed
    for misdeed in (
        Misdeed("ASK", 5, 0, 5, 0),
        Misdeed("STEAL", 0, 0, 0, 0),
        Misdeed("SABOTAGE", 0, 10, 5, 0.5),
        Misdeed("MURDER", 0, 0, 0, 0),
        Misdeed("KIDNAP", 0, 0, 0, 0),
        Misdeed("LETTERS", 2, 0, 15, 1.0),
        Misdeed("SNEAK", 1, 6, 10, 1.0),
        Misdeed("GATE", 1, 8, 15, 1.0),
        Misdeed("BRIBE", 10, 0, 15, 1.5, dice=1),
        Misdeed("GUIDE", 2, 0, 30, 0.5),
        Misdeed("THEFT", 10, 0, 20, 1.5, dice=1),
        Misdeed("REVOLT", 0, 0, 40, 2.0),
    )
}
SPECIAL = "special"
PRICES: Mapping[str, Mapping[str, tuple[int, int, float]]] = {
    "MURDER": {"A": (1, 5, 0.5), "B": (2, 10, 0.5), "C": (4, 15, 0.5), "D": (7, 20, 1.0), SPECIAL: (11, 25, 1.5)},
    "KIDNAP": {"A": (1, 5, 0.5), "B": (2, 10, 1.0), "C": (4, 20, 1.5), "D": (8, 35, 2.0), SPECIAL: (11, 55, 2.5)},
    "STEAL": {"A": (1, 5, 0.5), "B": (3, 10, 0.5), "C": (5, 15, 1.0)},
}
"""By class: the price in RE, the addition to the risk, the experience."""
STEAL_NEEDS: Mapping[str, int] = {"A": 10, "B": 12, "C": 14}
REVOLT: Mapping[str, tuple[int, int]] = {"A": (1, 9), "B": (2, 11), "C": (4, 13), "D": (8, 15)}
"""For each warrior, by class: the price in RE, and the addition to the risk."""


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent with his group, who is in no stack. Source: rules 22.3, 30.1, ruling KA120

    Args:
        number: the one by which his ruler names him.
        group: who and what is with him, without him and his RE.
        surcharge: what earlier misdeeds add to the risk of this great round, in per cent.
        experience: EGP.
        has_scouted: in this great round, so that he may do misdeeds.
        is_exposed: the owner of the land knows that he is there.
        captor: who holds him.
        inside: the field of the building into which he slipped.
        is_cut_off: the headquarters has fallen; without a new one he is lost.
        hidden_in: whose caravan he travels in unseen, and its number; `CRAFT`: their craft.
    """

    ruler: PowerId
    number: int
    at: Province
    group: Figures
    money: int = 0
    surcharge: int = 0
    experience: float = 0
    has_scouted: bool = False
    is_exposed: bool = False
    captor: PowerId | None = None
    inside: int | None = None
    is_cut_off: bool = False
    hidden_in: tuple[PowerId, int] | None = None

    @property
    def is_stowaway(self) -> bool:
        """Whether he is hidden among another ruler's people."""
        return self.hidden_in is not None and self.hidden_in[0] != self.ruler

    @property
    def name(self) -> str:
        """`Ag1`: his name in texts for players."""
        return f"Ag{self.number}"


def read_agent(row: Mapping[str, Any]) -> Agent | None:
    """Read an agent from a document's row; `None` for a row that says less, such as the one about a captive for his
    captor.
    """
    if row.get("ruler") is None or not row.get("at"):
        return None
    inside = row.get("in")
    captor, caravan = row.get("captive"), row.get("with")
    return Agent(
        ruler=PowerId(str(row["ruler"])),
        number=int(row.get("n") or 1),
        at=Province(str(row["at"])),
        group=parse_figures(str(row.get("group") or "")) or NONE,
        money=int(row.get("re") or 0),
        surcharge=int(row.get("er") or 0),
        experience=float(row.get("egp") or 0),
        has_scouted=bool(row.get("scouted")),
        is_exposed=bool(row.get("exposed")),
        captor=None if captor is None else PowerId(str(captor)),
        inside=None if inside is None else int(inside),
        is_cut_off=bool(row.get("cut_off")),
        hidden_in=None if caravan is None else (PowerId(str(caravan[0])), int(caravan[1])),
    )


def agent_row(agent: Agent) -> dict[str, Any]:
    """Write an agent as a row of a document."""
    row: dict[str, Any] = {
        "ruler": agent.ruler,
        "n": agent.number,
        "at": agent.at,
        "group": format_figures(agent.group),
        "re": agent.money,
        "er": agent.surcharge,
        "egp": int(agent.experience) if agent.experience == int(agent.experience) else agent.experience,
        "scouted": agent.has_scouted,
        "exposed": agent.is_exposed,
        "captive": agent.captor,
        "in": agent.inside,
    }
    row |= {"cut_off": True} if agent.is_cut_off else {}
    return row if agent.hidden_in is None else {**row, "with": list(agent.hidden_in)}


def agents_in(modules: Mapping[str, Any]) -> tuple[Agent, ...]:
    """The agents that a document describes completely."""
    found = (read_agent(row) for row in modules.get("agents", ()))
    return tuple(agent for agent in found if agent is not None)


def risk_of(base: int, surcharge: int, experience: float, *, is_empty: bool = False, watchers: int = 0) -> int:
    """The chance that an agent is detected, in per cent. Source: R-070, example E-7"""
    risk = min(MOST, max(LEAST, base + surcharge - 5 * experience))
    risk = risk / 2 if is_empty and not watchers else risk * 2**watchers
    return min(MOST, max(LEAST, ceil(risk)))


def room_of(figures: Figures) -> int:
    """The room that an agent's companions take, in REH."""
    return sum(SPACE.get(kind_of(item).code, 1) * count for item, count in figures.items() if item != MONEY)


def purse_of(figures: Figures) -> int:
    """How many RE an agent and his companions carry."""
    return MOST_RE + sum(kind_of(item).carries * count for item, count in with_loads(figures).items())


def upkeep_of(agent: Agent) -> int:
    """What an agent and his companions cost in a great round: these are paid as in a caravan. Source: rules 22.3, 25.5,
    ruling KA122
    """
    return UPKEEP + upkeep_of_load(agent.group)


def class_of(item: str) -> str:
    """The class by which a misdeed against a person or an animal is priced. Ruling KA126"""
    kind = kind_of(item)
    if kind.is_warrior:
        return kind.rank
    if kind.group is Group.ANIMAL:
        return kind.upkeep
    return {"K": "C", "Pr": "C", "Sl": "A"}.get(kind.code, SPECIAL)


def victims(figures: Iterable[tuple[str, int]]) -> Iterator[str]:
    """The victims named in figures, one by one."""
    return (item for item, count in figures for _ in range(count))
