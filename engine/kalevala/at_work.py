"""What a window has to do, by subject: orders that wait for their step, and what came of them.

A `Window` (`engine.kalevala.window`) has one of each of these; they are gone when the window is over.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TypeAlias

from engine.core.ids import PowerId
from engine.kalevala.coordinates import Province
from engine.kalevala.figures import Figures
from engine.kalevala.orders import AcceptFief, Enfeoff, Handover, Line
from engine.kalevala.war.plans import Detail, Plan

Numbered: TypeAlias = tuple[PowerId, int]
"""A ruler's agent, caravan, exploration unit or line, by its number."""


@dataclass
class AgentsAtWork:
    """What agents are ordered to do in a window, and what came of it.

    Args:
        given: RE that they were given in this window.
        due: RE of the misdeeds ordered so far.
        risks: in per cent, of what they have done in this P4.
        back: lines of those who go home before the battles.
        stances: what they do in battles, by the word of the order.
        told: what became of each stance.
        ransoms, releases: lines of captives' rulers, and of those who hold captives.
        opened_gates: as battles name them, `2D+5:19/SE`.
    """

    moving: dict[Numbered, Line] = field(default_factory=dict)
    scouting: dict[Numbered, Line] = field(default_factory=dict)
    misdeeds: list[tuple[PowerId, Line]] = field(default_factory=list)
    given: Counter[Numbered] = field(default_factory=Counter)
    due: Counter[Numbered] = field(default_factory=Counter)
    risks: dict[Numbered, int] = field(default_factory=dict)
    back: list[tuple[PowerId, Line]] = field(default_factory=list)
    stances: dict[Numbered, dict[str, Line]] = field(default_factory=dict)
    told: dict[tuple[Numbered, str], str] = field(default_factory=dict)
    ransoms: dict[Numbered, Line] = field(default_factory=dict)
    releases: list[tuple[PowerId, Line]] = field(default_factory=list)
    opened_gates: set[str] = field(default_factory=set)


@dataclass
class CaravansAtWork:
    """What caravans are ordered to do in a window, and what is ordered about those of others.

    Args:
        bound: where the lines of moving ones lead.
        formed: those that were formed in this window.
        closed: provinces that foreign caravans may not enter.
        raids: attacks on others' caravans as they are ordered, and where. They take what EE the entries leave.
        seizures: those for which an EE was left, and attacks on agents who were found.
    """

    moving: dict[Numbered, Line] = field(default_factory=dict)
    bound: dict[Numbered, Province] = field(default_factory=dict)
    formed: set[Numbered] = field(default_factory=set)
    closed: set[Province] = field(default_factory=set)
    raids: list[tuple[PowerId, Line, Province]] = field(default_factory=list)
    seizures: list[tuple[PowerId, Line]] = field(default_factory=list)


@dataclass
class GodsAtWork:
    """What gods are ordered to do in a window, and what came of it.

    Args:
        due: all orders for gods that wait for P2 or P4, other than to come into battles.
        hastened: from where a god lets a ruler's figures march twice as far.
        apparitions: gods who come into battles, and where.
        appeared: rulers whose gods were in a battle.
        callings: rulers whose priests call their god.
        heard: rulers whose priests called their god in a battle, and whether he came.
    """

    due: list[tuple[PowerId, Line]] = field(default_factory=list)
    hastened: set[tuple[PowerId, Province]] = field(default_factory=set)
    apparitions: list[tuple[PowerId, Line, Province]] = field(default_factory=list)
    appeared: set[PowerId] = field(default_factory=set)
    callings: dict[PowerId, Line] = field(default_factory=dict)
    heard: dict[PowerId, bool] = field(default_factory=dict)


@dataclass
class KingsAtWork:
    """What is ordered about kings in a window.

    Args:
        crowned: rulers whose king came in this P1.
        pay: what each is paid with, as the order says it.
        abdicating: rulers whose king was told to go.
        ransoms, releases: lines of captives' rulers, and of those who hold captives.
    """

    crowned: set[PowerId] = field(default_factory=set)
    pay: dict[PowerId, str] = field(default_factory=dict)
    abdicating: set[PowerId] = field(default_factory=set)
    ransoms: dict[PowerId, Line] = field(default_factory=dict)
    releases: list[tuple[PowerId, Line]] = field(default_factory=list)


@dataclass
class MysticsAtWork:
    """What mystics are ordered to do at portals in a window.

    Args:
        vortices: their lines, and whom they may still pull.
        money_due: RE for entries through portals, and for vortices, by ruler and place.
        zeh_due: of mystics, for the same.
    """

    vortices: dict[PowerId, tuple[Line, Figures]] = field(default_factory=dict)
    money_due: Counter[tuple[PowerId, Province]] = field(default_factory=Counter)
    zeh_due: Counter[PowerId] = field(default_factory=Counter)


@dataclass
class TemplesAtWork:
    """What is ordered at temples in a window.

    Args:
        waiting: lines for the end of P1.
        questions: how many oracles were asked in words, by ruler.
    """

    waiting: list[tuple[PowerId, Line]] = field(default_factory=list)
    questions: Counter[PowerId] = field(default_factory=Counter)


@dataclass
class BattlesAtWork:
    """Plans for battles in a window, and where there were any.

    Args:
        plans: by ruler and province.
        planned: the lines that they are made of.
        fought: where there were battles.
        carried_out: lines of plans, by their `at`.
        numbers: how many battles, by the lowest province attacked.
        sailed_from: where the fleets that fought came from.
        sacked_from: where those came from who plundered land without a fight.
    """

    plans: dict[PowerId, dict[Province, Plan]] = field(default_factory=dict)
    planned: dict[PowerId, dict[Province, list[Line]]] = field(default_factory=dict)
    fought: set[Province] = field(default_factory=set)
    carried_out: set[tuple[PowerId, Province, Detail]] = field(default_factory=set)
    numbers: Counter[Province] = field(default_factory=Counter)
    sailed_from: set[Province] = field(default_factory=set)
    sacked_from: set[Province] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class TradeOffer:
    """One side of a deed of trade that waits for P4, and the province where its goods and people are."""

    ruler: PowerId
    line: Line
    order: Handover
    place: Province
    caravan: int | None = None
    """The number of the ruler's caravan that they are in; `None`: they are in a stack."""


@dataclass(frozen=True, slots=True)
class FiefOffer:
    """One side of a fief that waits for P4, and the province that it is about."""

    ruler: PowerId
    line: Line
    order: Enfeoff | AcceptFief
    place: Province


@dataclass
class Bargains:
    """What rulers offer each other in a window; it comes about if both sides ordered it."""

    offers: list[TradeOffer] = field(default_factory=list)
    fief_offers: list[FiefOffer] = field(default_factory=list)
    fief_consents: list[FiefOffer] = field(default_factory=list)
