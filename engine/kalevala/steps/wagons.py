"""Wagons and their teams: an order hitches or unhitches them by the way it names them.

Source: rules 25.3, 26.4, ruling KA170
"""

from __future__ import annotations

from collections import Counter

from engine.core.ids import PowerId
from engine.core.outcome import Outcome
from engine.kalevala.coordinates import Province
from engine.kalevala.figures import Figures, Named, is_part, kind_of, team_of
from engine.kalevala.orders import Embark, Enter, Line, Move, Order
from engine.kalevala.steps.entering import named_so_far
from engine.kalevala.tables import MOST_IN_TEAM
from engine.kalevala.window import Window

WAGON = "QuW"
DRAUGHT = ("QIP", "QsP")


def is_hitched(item: str) -> bool:
    """Whether an item is a wagon with a team."""
    return kind_of(item).code == WAGON and bool(team_of(item))


def prepare(window: Window, ruler: PowerId, order: Order) -> tuple[Province, Figures] | None:
    """Hitch or unhitch what a stack has, so that it has the figures that an order names.

    Returns where, and what changed; `None`: nothing had to be done, or it would not help. What has moved in this window
    stays as it is.
    """
    match order:
        case Move(figures=figures, path=(at, *_)) | Enter(figures=figures, source=at) | Embark(figures=figures, at=at):
            return _prepare(window, ruler, at, figures)
    return None


def _prepare(window: Window, ruler: PowerId, named_at: Province, figures: Named) -> tuple[Province, Figures] | None:
    wanted = dict(figures)
    if not any(kind_of(item).code in (WAGON, *DRAUGHT) for item in wanted):
        return None
    place = window.own_place(ruler, named_at)
    if place is None or is_part(wanted, window.stack(ruler, place)):
        return None
    taken = named_so_far(window, ruler, place)
    free = {item: count - taken.get(item, 0) for item, count in window.unmarked(ruler, place).items()}
    change = _change({item: count for item, count in free.items() if count > 0}, wanted)
    if not change:
        return None
    apply(window, ruler, place, change)
    return place, change


def apply(window: Window, ruler: PowerId, place: Province, change: Figures) -> None:
    """Hitch or unhitch teams; nothing is gained or lost in the books."""
    for item, count in sorted(change.items(), key=lambda each: each[1]):
        window.book(ruler, place, item, count, "harnessed")


def undo(window: Window, ruler: PowerId, done: tuple[Province, Figures]) -> None:
    """Restore what was there before an order that is refused."""
    place, change = done
    apply(window, ruler, place, {item: -count for item, count in change.items()})


def _change(stack: Figures, wanted: Figures) -> Figures:
    """What a stack gains and loses, by item, to have everything that is wanted; nothing if it can't."""
    change: Counter[str] = Counter()

    def lacking(item: str) -> int:
        return wanted.get(item, 0) - stack.get(item, 0) - change[item]

    for item in sorted(wanted):
        team = team_of(item)
        if team and sum(team.values()) <= MOST_IN_TEAM and (missing := max(0, lacking(item))):
            change[item] += missing
            change[WAGON] -= missing
            for animal, each in team.items():
                change[animal] -= each * missing
    for item in sorted(stack):
        spare = stack[item] + change[item] - wanted.get(item, 0) if is_hitched(item) else 0
        while spare > 0 and any(lacking(each) > 0 for each in (WAGON, *team_of(item))):
            spare -= 1
            change[item] -= 1
            change[WAGON] += 1
            change.update(team_of(item))
    after = Counter(stack)
    after.update(change)
    is_enough = is_part(wanted, after) and min(after.values(), default=0) >= 0
    return {item: count for item, count in change.items() if count} if is_enough else {}


def put_back(window: Window, ruler: PowerId, line: Line, done: tuple[Province, Figures] | None) -> None:
    """Undo hitching for an order that did nothing after all."""
    if done is not None and window.verdict(ruler, line).outcome in (Outcome.INVALID, Outcome.VOID):
        undo(window, ruler, done)
