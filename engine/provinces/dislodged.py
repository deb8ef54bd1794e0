"""Units that were driven out, as documents and `adjudicate --json` have them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from engine.core.ids import PlaceId, PowerId


class Placed(Protocol):
    """A unit, in whatever form a game has it."""

    @property
    def power(self) -> PowerId:
        """Whose it is."""

    @property
    def kind(self) -> str:
        """Its letter."""

    @property
    def at(self) -> PlaceId:
        """Where it is, or was."""


class Driven(Protocol):
    """A unit that was driven out, where its attacker came from, and where it may retreat to."""

    @property
    def unit(self) -> Placed:
        """The unit."""

    @property
    def came_from(self) -> str | None:
        """Where it may not retreat to, if anywhere."""

    @property
    def retreats(self) -> Sequence[str]:
        """Where it may, sorted."""


def dislodged_row(row: Driven) -> dict[str, Any]:
    """A dislodged unit as a row of JSON; a game adds what else it knows of its units."""
    unit = row.unit
    return {
        "power": unit.power,
        "kind": unit.kind,
        "at": unit.at,
        "from": row.came_from,
        "retreats": list(row.retreats),
    }
