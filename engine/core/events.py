"""What happened in a phase besides the results of orders. Each event says who may know of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.core.outcome import Audience, audience_from_json, audience_to_json, may_know
from engine.core.phrases import Phrase, phrase_from_json, phrase_to_json
from engine.core.viewer import Viewer

TO_ALL = "all"
"""Marks a row that everybody may know."""


@dataclass(frozen=True, slots=True)
class Facts:
    """An event for programs: a code, and arguments that are JSON."""

    code: str
    args: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, as a phrase, and who may know it (`None`: everybody).

    Args:
        facts: the same for programs, if the game tells them more than people, or something else; they are for the
            same audience. `None`: the phrase.
        is_for_masters: game masters read it even if they are not in the audience: somebody has written to them.
        is_written: it contains words that a player has written, about which its readers can complain.
    """

    what: Phrase
    audience: Audience = None
    facts: Facts | None = None
    is_for_masters: bool = False
    is_written: bool = False

    def to_json(self) -> dict[str, Any]:
        """The form that is stored; `from_json` reads it back."""
        row = {**phrase_to_json(self.what), "audience": audience_to_json(self.audience)}
        if self.facts is not None:
            row["facts"] = {"code": self.facts.code, "args": dict(self.facts.args)}
        if self.is_for_masters:
            row["is_for_masters"] = True
        if self.is_written:
            row["is_written"] = True
        return row

    def to_row(self, text: str) -> dict[str, Any]:
        """The row that `adjudicate --json` prints, with the event in words."""
        facts = phrase_to_json(self.what) if self.facts is None else {"code": self.facts.code, "args": self.facts.args}
        to = audience_to_json(self.audience)
        return {"code": facts["code"], "to": TO_ALL if to is None else to, "args": facts["args"], "text": text}

    @staticmethod
    def from_json(data: dict[str, Any]) -> Event:
        """The event that `to_json` wrote."""
        facts = data.get("facts")
        return Event(
            phrase_from_json(data),
            audience_from_json(data["audience"]),
            None if facts is None else Facts(facts["code"], facts["args"]),
            bool(data.get("is_for_masters", False)),
            bool(data.get("is_written", False)),
        )


def visible_events(events: Iterable[Event], viewer: Viewer) -> tuple[Event, ...]:
    """The events that a viewer may know, in their order."""
    return tuple(event for event in events if may_know(viewer, event.audience))
