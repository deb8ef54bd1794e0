"""The most important news of a turn."""

from __future__ import annotations

from collections import Counter

from engine.core import headline as core
from engine.core.phrases import Phrase, phrase
from engine.king_of_kings.model import View

_LEADING = 3
"""How many nations' conquests a headline mentions."""


def headline(before: View, after: View) -> tuple[Phrase, ...]:
    """Which nations took most provinces, which fell, who won; or that nothing changed hands."""
    was, now = before.state, after.state
    took = Counter(
        new.owner
        for old, new in zip(was.provinces, now.provinces, strict=True)
        if new.owner is not None and new.owner != old.owner and now.is_played(new.owner)
    )
    fallen = [
        id_
        for id_, nation in now.nations.items()
        if nation.eliminated is not None and was.nations[id_].eliminated is None
    ]
    gained = [phrase("headline.gained", power=power, count=count) for power, count in took.most_common(_LEADING)]
    news = core.headline(
        winners=now.over.winners if now.over is not None and was.over is None else (),
        fallen=fallen,
        otherwise=None if gained else phrase("headline.turn", turn=was.turn),
    )
    return (*news, *gained)
