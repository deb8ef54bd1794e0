"""What happened in a phase besides the orders' own results. Each event carries who may know it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from engine.core.outcome import Audience, audience_from_json, audience_to_json, may_know
from engine.core.phrases import Phrase, phrase_from_json, phrase_to_json
from engine.core.viewer import Viewer


@dataclass(frozen=True, slots=True)
class Event:
    """A thing that happened, as a phrase, and who may know it (`None`: everybody)."""

    what: Phrase
    audience: Audience = None

    def to_json(self) -> dict[str, Any]:
        """The form that is stored; `from_json` reads it back."""
        return {**phrase_to_json(self.what), "audience": audience_to_json(self.audience)}

    @staticmethod
    def from_json(data: dict[str, Any]) -> Event:
        """The event that `to_json` wrote."""
        return Event(phrase_from_json(data), audience_from_json(data["audience"]))


def visible_events(events: Iterable[Event], viewer: Viewer) -> tuple[Event, ...]:
    """The events that a viewer may know, in their order."""
    return tuple(event for event in events if may_know(viewer, event.audience))
