"""A phase in one line: who won, who is out, and who took what. It uses public facts only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.core.ids import PowerId
from engine.core.phrases import Phrase, phrase

_NAMED = 3
"""How many places that one power took are named; if there are more, only their number is given."""


def headline(
    *,
    winners: Sequence[PowerId] = (),
    fallen: Sequence[PowerId] = (),
    took: Mapping[PowerId, Sequence[str]] | None = None,
    otherwise: Phrase | None = None,
) -> tuple[Phrase, ...]:
    """The parts of a headline, the most important news first.

    Args:
        took: the names of what each power gained.
        otherwise: when it was, if it is worth saying that nothing changed hands.
    """
    found = tuple(_news(winners, fallen, took or {}))
    return found or (() if otherwise is None else (phrase("headline.nothing", when=otherwise),))


def _news(
    winners: Sequence[PowerId], fallen: Sequence[PowerId], took: Mapping[PowerId, Sequence[str]]
) -> Iterator[Phrase]:
    if winners:
        yield phrase("headline.won" if len(winners) == 1 else "headline.shared", powers=tuple(winners))
    if fallen:
        yield phrase("headline.fell" if len(fallen) == 1 else "headline.fell_together", powers=tuple(fallen))
    for power, places in sorted(took.items(), key=lambda item: -len(item[1])):
        named, others = tuple(places[:_NAMED]), len(places) - _NAMED
        more = (phrase("headline.more", count=others),) if others > 0 else ()
        if named:
            yield phrase("headline.took", power=power, places=(*named, *more))
