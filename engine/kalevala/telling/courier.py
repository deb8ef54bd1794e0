"""The courier as everybody reads it: what rulers have written, and public news. Source: rules 2.2"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.events import Event
from engine.core.phrases import phrase
from engine.core.telling import Contribution, Newspaper
from engine.kalevala.model import View

PARAGRAPH = " ¶ "
"""Begins a new paragraph in a contribution, which is written on one line."""
COURIER = "courier"
"""The code of an event that prints what a ruler has written."""


def newspaper(view: View, events: Sequence[Event], earlier: Sequence[Event]) -> Newspaper | None:
    """The issue of a great round, with the news since the last one was due; `None` if nobody has written for it."""
    printed = [event.facts.args for event in events if event.facts is not None and event.facts.code == COURIER]
    if not printed:
        return None
    return Newspaper(
        title=phrase("newspaper.title", gr=view.state.gr),
        news=tuple(event.what for event in (*earlier, *events) if event.facts is None or event.facts.code != COURIER),
        contributions=tuple(
            Contribution(
                phrase("newspaper.author", sender=args["from"], time=args["time"]),
                args["text"].replace(PARAGRAPH, "\n\n"),
            )
            for args in printed
        ),
    )
