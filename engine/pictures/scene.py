"""What a picture of a map of provinces shows.

A scene names places, powers and kinds; where they are and what they look like is in the assets.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from engine.core.depiction import Depiction
from engine.core.ids import PlaceId, PowerId, ProvinceId
from engine.pictures.legend import ArrowStatus, LegendRow


class ArrowKind(StrEnum):
    """What an arrow means. `STRIKE`: something done to a place from where the unit stands, or to its own place."""

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


@dataclass(frozen=True, slots=True)
class UnitMark:
    """A unit on the map. A dislodged one is drawn next to the one that took its place; of several units at one place
    the first is in the middle. `count`: how many equal ones, drawn as a stack; `label`: a character at its corner."""

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

    Sites are centres distinguished by shape: `square`, `circle`, `diamond`, `x`, each with its owner; to a site belong
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
            For a support to hold: where the supported unit stands. The unit's own place for holds, builds and removals.
        via: for a support to move and a convoy, where the helped unit stands. For a convoyed
            move: the places of the fleets, in order.
        unit_kind: the kind of the unit that has the order (for a build, of the unit that is built).
        manner: a way of doing it that the style draws differently (`magic`); empty: the plain one.
        is_onward: the unit goes on from where another of its arrows ends; `start` is that place.
        count: how many equal ones there are.
    """

    kind: ArrowKind
    power: PowerId
    start: PlaceId
    end: PlaceId
    via: tuple[PlaceId, ...] = ()
    status: ArrowStatus = ArrowStatus.PENDING
    unit_kind: str = ""
    label: str = ""
    manner: str = ""
    is_onward: bool = False
    count: int = 1


@dataclass(frozen=True, slots=True)
class Scene(Depiction):
    """Everything that one picture of a map of provinces shows.

    Args:
        fills: owner of each province that has one; others keep the colour of their terrain.
        focus: show only these provinces and what is around them; empty: the whole map.
        known: the provinces that the viewer knows of; all others are fog, without outline, name or terrain, and what
            the scene has there is not drawn. `None`: there is no fog.
        lit: the power whose realm it shows: others' units are dimmed, and those next to the focus are in sight.
        is_part: the focus is a part of what the scene could be about; of its seas only where units stand is in sight.
        at_large: what the players decide now may lie anywhere, so nobody's picture is narrowed to their own realm.
    """

    fills: Mapping[ProvinceId, PowerId] = field(default_factory=dict)
    units: tuple[UnitMark, ...] = ()
    marks: tuple[Mark, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    legend: tuple[LegendRow, ...] = ()
    focus: tuple[ProvinceId, ...] = ()
    known: frozenset[ProvinceId] | None = None
    lit: PowerId | None = None
    is_part: bool = False
    at_large: bool = False

    @property
    def is_close_up(self) -> bool:
        return bool(self.focus)
