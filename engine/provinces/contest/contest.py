"""The kernel's input: all simultaneous orders, as plain numbers. Nothing here knows a game."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

Allegiance = Hashable
"""Whose a unit is: any value, the same for all of one side."""

NOBODY = -1
"""In place of a unit or a space: there is none."""


class Route(NamedTuple):
    """The units that offer to carry an attack, as a graph. Sets are bit masks over the units' numbers.

    Args:
        carriers: all of them.
        first: those that can take the attacker up.
        last: those that can land it.
        links: by carrier, the others that it can pass the attacker on to.
        is_only_way: whether the attack fails without a route; otherwise it then goes directly.
    """

    carriers: tuple[int, ...]
    first: int
    last: int
    links: Mapping[int, int]
    is_only_way: bool = True

    def leads_through(self, carriers: int) -> bool:
        """Whether these carriers are enough. Source: Diplomacy, rules 6.2; ruling D1."""
        if self.first & self.last & carriers:
            return True
        reached = new = self.first & carriers
        while new:
            if reached & self.last:
                return True
            onward = 0
            for carrier in self.carriers:
                if new >> carrier & 1:
                    onward |= self.links[carrier]
            new = onward & carriers & ~reached
            reached |= new
        return False

    @property
    def is_complete(self) -> bool:
        """Whether all carriers together would be enough."""
        return self.leads_through(sum(1 << carrier for carrier in self.carriers))


@dataclass(frozen=True, slots=True)
class Garrison:
    """Strength that belongs to a space, whichever units are there.

    Args:
        beside: what it adds to the unit that stays, and to one that defends in a head-to-head while it tries to leave.
        alone: the strength with which it holds the space when no unit stays.
        spares: sides that it never resists.
    """

    beside: int
    alone: int
    spares: frozenset[Allegiance] = frozenset()


@dataclass(slots=True)
class Contest:
    """All simultaneous orders. Lists are by unit; units are numbered from 0, as spaces are.

    Args:
        at: where each unit stands. Several in one space defend it together, whoever owns them.
        side: whose it is. No side dislodges its own units, cuts its own supports, or helps against its own units.
        to: the space that it attacks; `NOBODY` if it stays.
        helps: the unit whose order it supports; `NOBODY` if none. Only supports that match the order helped.
        about: the space that the supported order is about; an attack from there does not cut.
        attacks: strength of each in attack; all lists of strengths are 1 for every unit if they are left out.
        holds: strength in defence, also against a head-on attack.
        supports: strength as a supporter.
        frays: supporters whose support is reduced by the strength of the attacks on them, instead of cut completely.
        routes: for attackers that are carried.
        garrisons: by space.
        welcomes: attackers with what the attacked space adds to their attack once nobody stays in it.
        allies: attackers with units of other sides that they spare as if these were their own.
        admits: units with attackers of their space that they let in: neither resists nor dislodges the other.
        mates: attackers with others that they neither keep out of the same space nor are kept out by.
        origin_is_safe: whether a dislodged unit keeps nobody out of the space that its attacker came from, even when
            they did not meet head on. Source: DATC 4.A.7 a.
        unit_at: by space, the unit there, `NOBODY` if there is none; one longer than there are spaces, so that nowhere
            has nobody. May be given where no two units are in one space, and is worked out otherwise.
    """

    at: Sequence[int]
    side: Sequence[Allegiance]
    to: Sequence[int]
    helps: Sequence[int]
    about: Sequence[int]
    attacks: Sequence[int] | None = None
    holds: Sequence[int] | None = None
    supports: Sequence[int] | None = None
    frays: frozenset[int] = frozenset()
    routes: Mapping[int, Route] = field(default_factory=dict)
    garrisons: Mapping[int, Garrison] = field(default_factory=dict)
    welcomes: Mapping[int, int] = field(default_factory=dict)
    allies: frozenset[tuple[int, int]] = frozenset()
    admits: frozenset[tuple[int, int]] = frozenset()
    mates: frozenset[tuple[int, int]] = frozenset()
    origin_is_safe: bool = False
    unit_at: Sequence[int] | None = None
