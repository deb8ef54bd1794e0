"""Events reported at length, with pictures: battles, then deeds of trade and fiefs."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.events import Event
from engine.core.telling import Album
from engine.kalevala.model import View
from engine.kalevala.telling import charters, pictures


def albums(view: View, events: Sequence[Event]) -> tuple[Album, ...]:
    """The albums for those who may know of the events."""
    return (*pictures.albums(view, events), *charters.albums(view, events))
