"""The chronicle's score after each great round, announced at the end of an epoch and of the game.

Source: rules R-093, ruling KA54
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.core.ids import PowerId
from engine.core.phrases import phrase
from engine.core.play import Over
from engine.kalevala import books
from engine.kalevala.figures import MONEY, kind_of, team_of, with_loads
from engine.kalevala.model import EXPECTED, MARAUDER
from engine.kalevala.window import Window

EPOCH = 12
"""How many great rounds an epoch has."""
COUNTED = 3
"""How many of the last great rounds the deciding mean covers. Source: rules R-093"""


def last_round(options: Mapping[str, bool | int | str]) -> int | None:
    """The great round with which a game ends; `None`: it has no end."""
    ends = (int(options.get("epochs", 0)) * EPOCH, int(options.get("rounds", 0)))
    return min((end for end in ends if end), default=None)


def is_counted(options: Mapping[str, bool | int | str]) -> bool:
    """Whether scores are kept in a game."""
    return bool(options.get("score")) or last_round(options) is not None


def count(window: Window) -> None:
    """Note everybody's score now; newcomers are counted from when they begin. Ruling KA229"""
    if not is_counted(window.state.options):
        return
    for ruler, own in list(window.rulers.items()):
        if own.kind not in (MARAUDER, EXPECTED):
            scores = (*own.scores, score(window, ruler))[-EPOCH:]
            window.rulers[ruler] = replace(own, scores=scores)


def score(window: Window, ruler: PowerId) -> float:
    """10 for each city unit, 2 for each province, a tenth of RE and army, a 25th of the god's offerings."""
    hundredths = 1000 * books.city_units(window, ruler) + 200 * len(list(window.owned(ruler)))
    hundredths += 10 * (books.owned_money(window, ruler) + _army(window, ruler))
    god = window.rulers[ruler].god
    hundredths += 4 * int((god or {}).get("oeh", 0))
    return float(hundredths) / 100


def _army(window: Window, ruler: PowerId) -> int:
    """What a ruler's figures cost, with all that ships and wagons carry."""
    found = 0
    for stack in window.stacks[ruler].values():
        for item, number in with_loads(stack).items():
            if item == MONEY:
                continue
            found += number * (kind_of(item).price or 0)
            found += number * sum((kind_of(animal).price or 0) * each for animal, each in team_of(item).items())
    return found


def mean(scores: Sequence[float]) -> float:
    """The mean of the last great rounds, or of as many as there are."""
    last = scores[-COUNTED:]
    return round(sum(last) / max(1, len(last)), 2)


def tell(window: Window) -> None:
    """Show everybody the table when an epoch ends, if scores are public, and when the game ends."""
    options = window.state.options
    last = last_round(options)
    is_end = last is not None and window.gr >= last
    if not is_end and not (options.get("score") and window.gr % EPOCH == 0):
        return
    means = {ruler: mean(own.scores) for ruler, own in window.rulers.items() if own.scores and own.kind != MARAUDER}
    ranked = sorted(means, key=lambda ruler: -means[ruler])
    for ruler in ranked:
        window.rulers[ruler] = replace(window.rulers[ruler], told=means[ruler])
    rows = [phrase("score_row", ruler=ruler, score=_written(means[ruler])) for ruler in ranked]
    table = [{"ruler": ruler, "score": means[ruler]} for ruler in ranked]
    window.tell("score", None, {"gr": window.gr, "table": table}, rows=rows)
    if is_end:
        best = max((means[ruler] for ruler in ranked if window.rulers[ruler].is_played), default=None)
        winners = [ruler for ruler in ranked if window.rulers[ruler].is_played and means[ruler] == best]
        window.over = Over(
            tuple(ruler for ruler in window.rulers if ruler in winners), phrase("over_rounds", gr=window.gr)
        )


def _written(value: float) -> str:
    """A score without needless zeros."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
