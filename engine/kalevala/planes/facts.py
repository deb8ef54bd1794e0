"""Portals: their form in a document, where they lead, what a rift costs. The rest is in `steps.changing`.

Source: rules 14, R-036, R-037, rulings KA200 to KA205
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.core.ids import PowerId
from engine.kalevala.artefacts.facts import ARTEFACT
from engine.kalevala.coordinates import GfId, Province, gf_of
from engine.kalevala.figures import MONEY, Figures, kind_of
from engine.kalevala.tables import Group
from engine.kalevala.wizards.spells import factor_of

MYSTIC = "My"
STORE = 100
"""The most ZEH that a mystic can have. Source: R-037"""
HOME_SIDE, FAR_SIDE = 20, 10
"""What the sides of a portal cost in ZEH. Source: rules 14.2"""
RIFT_ZEH, RIFT_MONEY = 10, 10
"""What a change of plane costs in RE and ZEH. Source: rules 14.1"""
MOST_PEOPLE, MOST_GOODS = 28, 12
"""How many RE of humans, and of animals and gear, can go through one rift. Source: rules 14.1"""
TOLL = 10
"""A wizard loses one in this many of his ZEH in a rift, rounded up. Source: rules 14.1, ruling KA203"""


@dataclass(frozen=True, slots=True)
class Portal:
    """A portal that a mystic has made.

    Args:
        at, to: the home side, and the great field on the other side.
        is_whole: the other side has been made too, so that there is a way back.
    """

    ruler: PowerId
    at: Province
    to: GfId
    is_whole: bool = False

    def leads(self, source: Province | GfId, target: Province | GfId) -> bool:
        """Whether figures can go through it from one great field to the other."""
        ends = gf_of(self.at), self.to
        way = gf_of(source), gf_of(target)
        return way == ends or (self.is_whole and way == ends[::-1])


def portals_in(modules: Mapping[str, Any]) -> Iterator[Portal]:
    """All portals of a document."""
    for row in modules.get("portals", ()):
        at, to = Province(str(row["at"])), GfId(str(row["to"]))
        yield Portal(PowerId(row["ruler"]), at, to, bool(row.get("whole")))


def portal_row(portal: Portal) -> dict[str, Any]:
    """A portal's row in a document."""
    row = {"ruler": portal.ruler, "at": portal.at, "to": portal.to}
    return row | ({"whole": True} if portal.is_whole else {})


def mystic_in(stack: Figures) -> str | None:
    """The mystic of a stack, as written there."""
    return next((item for item in stack if kind_of(item).code == MYSTIC), None)


def mystic_item(zeh: int) -> str:
    """How a mystic with this many ZEH is written in a stack."""
    return f"{MYSTIC}/{zeh}"


def price_of_vortex(figures: Figures) -> int:
    """What it costs in ZEH to pull figures through: the sum of their spell factors. Source: rules 14.1, 19.3"""
    return sum(factor_of(item) * count for item, count in figures.items())


def is_free(load: Figures) -> bool:
    """Whether only the mystic goes, with the RE and artefacts that he carries. Source: rules 14.1"""
    return all(kind_of(item).code in (MYSTIC, ARTEFACT, MONEY) for item in load)


def is_within_limits(load: Figures) -> bool:
    """Whether these figures fit through one rift; mystics and RE don't count. Source: rules 14.1"""
    people = goods = 0
    for item, count in load.items():
        kind = kind_of(item)
        if item == MONEY or kind.code == MYSTIC:
            continue
        if kind.group is Group.HUMAN:
            people += (kind.price or 0) * count
        else:
            goods += (kind.price or 0) * count
    return people <= MOST_PEOPLE and goods <= MOST_GOODS
