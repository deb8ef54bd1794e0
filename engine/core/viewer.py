"""Somebody who looks at a game. A game's `sight` says what they may know of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from engine.core.ids import PowerId


@dataclass(frozen=True, slots=True)
class Playing:
    """The player of a power, who knows what it knows."""

    power: PowerId


@dataclass(frozen=True, slots=True)
class Everybody:
    """The public, and anybody who plays no power; knows what everybody may know."""

    @property
    def power(self) -> None:
        """None is theirs."""
        return None


@dataclass(frozen=True, slots=True)
class Master:
    """A game master who does not play and sees everything, if the rules have one; otherwise like `Everybody`."""

    @property
    def power(self) -> None:
        """None is theirs."""
        return None


Viewer: TypeAlias = Playing | Everybody | Master
"""Its `power` is the one that it plays, if any."""

EVERYBODY = Everybody()
MASTER = Master()


def viewer_of(power: PowerId | None) -> Viewer:
    """The player of a power; `None`: everybody."""
    return EVERYBODY if power is None else Playing(power)
