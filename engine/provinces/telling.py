"""What the reports of all these games have in common."""

from __future__ import annotations

from collections.abc import Iterable

from engine.core.phrases import Phrase, phrase
from engine.core.report import Section


def events_after(told: Iterable[Section], events: tuple[Phrase, ...]) -> Section:
    """What happened besides the orders that a report has told of; where it has told of nothing, what happened."""
    return Section(phrase("report.events" if any(section.lines for section in told) else "report.only_events"), events)
