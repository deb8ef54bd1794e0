"""Ways to order that only some games have, with commands and buttons of their own. All of them end as orders."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic

from engine.core.ids import PowerId
from engine.core.orders import Choice, O
from engine.core.scene import Hand
from engine.core.sight import V


@dataclass(frozen=True, slots=True)
class Duellist:
    """Somebody of a player's for whom a number may be sent in secret, in case of a duel.

    Args:
        name: as orders name it (`H ZY`).
        rivals: whose it could meet in this phase; nobody's: a number may be sent all the same.
        order: the canonical order that says its number; empty while none was sent.
        blank: the beginning of such an order, to be filled in.
    """

    name: str
    rivals: tuple[PowerId, ...]
    order: str
    blank: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Prophecies(Generic[V, O]):
    """With the orders of a phase others may be filed for the phases after it."""

    is_prophecy: Callable[[O], bool]
    """Whether an order is for a later phase."""

    filed: Callable[[V], tuple[str, ...]]
    """The canonical texts of what the viewer filed in an earlier phase and is still in force."""

    suggest: Callable[[V], tuple[str, ...]]
    """Canonical texts of prophecies that the viewer could file now, to choose from; none where it can't be done."""


class CardDeed(StrEnum):
    """What is done with cards: played from the hand, or what their carriers do with them."""

    CAST = "cast"
    GIVE = "give"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cards(Generic[V]):
    """Secret cards in the players' hands."""

    hand: Callable[[V], Hand | None]
    """The viewer's cards; `None` for whoever can't hold any."""

    orders: Callable[[V, CardDeed], tuple[str, ...]]
    """The canonical texts of the legal orders for cards."""

    path: Callable[[V, CardDeed], tuple[str, ...]]
    """The choices of the guided flow that lead to these orders; empty where there are none."""


class Treaty(StrEnum):
    """A dealing with another power."""

    ALLY = "ally"
    DONATE = "donate"
    CEDE = "cede"


@dataclass(frozen=True, slots=True, kw_only=True)
class Treaties(Generic[V]):
    """Dealings with other powers are orders, and have commands of their own."""

    order: Callable[[V, Treaty, str, str], str]
    """The text of the order.

    The first text is the power that it is made with, by name, id or number, as it was written; the second how close an
    alliance is, how much is given, or which place is ceded.
    """

    partners: Callable[[V], tuple[Choice, ...]]
    """The powers that the viewer may deal with, in seat order; each `value` can stand for the power in `order`."""

    places_to_cede: Callable[[V], tuple[Choice, ...]]
    """The places that the viewer could cede, in map order; each `value` can stand for the place in `order`."""
