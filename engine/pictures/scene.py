"""What a picture shows, as plain data: a system makes it from what its viewer may know, a renderer draws it.

A scene names places, powers and kinds; where they are and how they look is the business of the assets.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from engine.core.ids import PlaceId, PowerId, ProvinceId, SystemId
from engine.core.phrases import Phrase


class ArrowKind(StrEnum):
    """What an arrow stands for. `STRIKE`: something done to a place from where the unit stands, or to its own place."""

    MOVE = "move"
    SUPPORT_MOVE = "support_move"
    SUPPORT_HOLD = "support_hold"
    CONVOY = "convoy"
    RETREAT = "retreat"
    HOLD = "hold"
    BUILD = "build"
    REMOVE = "remove"
    DISBAND = "disband"
    STRIKE = "strike"


class Status(StrEnum):
    """How what an arrow stands for went. `PENDING`: not adjudicated yet."""

    PENDING = "pending"
    SUCCEEDED = "succeeded"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class UnitMark:
    """A unit on the map. A dislodged one is drawn beside the one that took its place; of several units at one place
    the first stands in the middle. `count`: so many alike, drawn as a stack; `label`: a character at its corner."""

    power: PowerId
    kind: str
    place: PlaceId
    is_dislodged: bool = False
    count: int = 1
    label: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """Anything else at a place: `centre` (with its owner), `fortress` (with its strength as label), `barred`, `horde`
    (about the unit there), `contested`, …

    Sites are centres told apart by shape: `square`, `circle`, `diamond`, `x`, each with its owner; to one belong
    `capital`, `garrison` (its strength as label) and `plundered`. `swords`, crossed: a fight of two.
    """

    kind: str
    place: PlaceId
    power: PowerId | None = None
    label: str = ""


@dataclass(frozen=True, slots=True)
class Arrow:
    """An order as drawn.

    Args:
        power: whose order.
        start: where the unit that has the order stands.
        end: a move's destination. For a support to move and for a convoy: the destination of the move it helps.
            For a support to hold: where the supported unit stands. The own place for holds, builds and removals.
        via: for a support to move and a convoy, where the helped unit stands. For a convoyed
            move: the places of the fleets, in order.
        unit_kind: of the unit that has the order (a build's kind is what is built).
        manner: a way of doing it that the style draws differently (`magic`); empty: the plain one.
        is_onward: the unit goes on from where another arrow of it ends; `start` is that place.
        count: so many alike.
    """

    kind: ArrowKind
    power: PowerId
    start: PlaceId
    end: PlaceId
    via: tuple[PlaceId, ...] = ()
    status: Status = Status.PENDING
    unit_kind: str = ""
    label: str = ""
    manner: str = ""
    is_onward: bool = False
    count: int = 1


@dataclass(frozen=True, slots=True)
class LegendRow:
    """One power in the legend; `figures` are named counts such as `("centres", 5)`, in the order to show them.

    Those whose names begin with `half_` are counted in halves: `("half_points", 9)` is 4½. What has no sign of its own
    is told by the phrase `legend.<name>` with its `count`.
    """

    power: PowerId
    figures: tuple[tuple[str, int], ...]
    is_out: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that one picture shows.

    Args:
        system, variant: which assets to draw with.
        title: what it is a picture of (the phase); `caption` a second, smaller line (the game, the deadline).
        fills: owner of each province that has one; others keep the colour of their terrain.
        focus: show only these provinces and what is around them; empty: the whole map.
        viewer: whose picture it is; their power is marked in the legend. `None`: the public's.
    """

    system: SystemId
    variant: str
    title: Phrase
    caption: Phrase | None = None
    fills: Mapping[ProvinceId, PowerId] = field(default_factory=dict)
    units: tuple[UnitMark, ...] = ()
    marks: tuple[Mark, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    legend: tuple[LegendRow, ...] = ()
    focus: tuple[ProvinceId, ...] = ()
    viewer: PowerId | None = None


@dataclass(frozen=True, slots=True)
class CardFace:
    """A card as its holder sees it.

    Args:
        emblem: its drawing, by name.
        is_used: it was played and is shown as spent.
    """

    number: int
    name: Phrase
    text: Phrase
    emblem: str
    is_used: bool = False


@dataclass(frozen=True, slots=True)
class Hand:
    """Cards side by side, as a picture shows them; for their holder alone."""

    system: SystemId
    variant: str
    title: Phrase
    cards: tuple[CardFace, ...]
    caption: Phrase | None = None
    viewer: PowerId | None = None
