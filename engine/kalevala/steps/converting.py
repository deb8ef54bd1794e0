"""CONVERT: RE become warriors, other people, animals and gear. Source: rules 11.4, 17.2, R-022, R-025, R-099, R-104"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engine.core.ids import PowerId
from engine.kalevala import books, realms
from engine.kalevala.coordinates import Province
from engine.kalevala.figures import MONEY, Figures, kind_of, number_of, price_of, with_loads
from engine.kalevala.model import INVADER
from engine.kalevala.modules import has_figure
from engine.kalevala.orders import Convert, Line
from engine.kalevala.steps.sailing import find_room, take_aboard
from engine.kalevala.tables import (
    FOR_EVERYBODY,
    MOST_HUMANS,
    MOST_MERCHANTS,
    TERRAIN,
    UNUSUAL,
    Group,
    most_core,
)
from engine.kalevala.window import Window
from engine.lattice.great_fields import inner_neighbours

HUMANS, GOODS = "humans", "goods"
"""The two groups for which a province has separate limits."""


def convert(window: Window, ruler: PowerId, line: Line, order: Convert) -> None:
    """Turn RE of a province into figures there."""
    figures = dict(order.figures)
    at = realms.find_in_realm(window, ruler, order.at)
    if not all(has_figure(window.state, kind_of(item).code) for item in figures):
        window.refuse(ruler, line, "V30")
        return
    if at is None:
        window.refuse_land(ruler, line, order.at)
        return
    humans, goods = _price(figures, Group.HUMAN), _price(figures)
    goods -= humans
    code = _flaw(window, ruler, at, figures, humans, goods, has_barred=bool(order.barred))
    if code is not None:
        window.refuse(ruler, line, code, place=at, cost=humans + goods, have=window.money(ruler, at))
        return
    window.paid_for[ruler, at, HUMANS] += humans
    window.paid_for[ruler, at, GOODS] += goods
    new = list(_each(figures))
    craft = find_room(window, ruler, at, new) if window.land.is_sea(at) else None
    for place, item in enumerate(new):
        is_marked = pay(window, ruler, at, price_of(item), "convert")
        window.book(ruler, at, item, 1, "convert", is_marked=is_marked)
        if craft is not None:
            take_aboard(window, ruler, at, item, craft[place])


def _each(figures: Figures) -> Iterator[str]:
    return (item for item, count in sorted(figures.items()) for _ in range(count))


def _price(figures: Figures, group: Group | None = None) -> int:
    return sum(price_of(item) * n for item, n in figures.items() if group in (None, kind_of(item).group))


def _flaw(
    window: Window, ruler: PowerId, at: Province, figures: Figures, humans: int, goods: int, *, has_barred: bool
) -> str | None:
    """The first test that fails. Source: rules R-104"""
    own = window.rulers[ruler]
    if window.centre(at) is None and own.kind != INVADER:
        return "V08"
    if has_barred or not all(_is_armed(item, own.goods) for item in figures):
        return "V10"
    counts = _counts(window, ruler, figures)
    if _breaks_auxiliaries(*counts):
        return "V11"
    if _is_too_many(window, ruler, figures, counts):
        return "V12"
    if any(kind_of(item).code == "Ag" for item in figures) and not any(
        work.is_headquarters for work in window.land.works(at)
    ):
        return "V21"
    if any(kind_of(item).group is Group.SHIP for item in figures) and not _has_shore(window, at):
        return "V20"
    if window.land.is_sea(at) and find_room(window, ruler, at, _each(figures)) is None:
        return "V20"
    if humans and window.paid_for[ruler, at, HUMANS] + humans > MOST_HUMANS:
        return "V07"
    if goods and window.paid_for[ruler, at, GOODS] + goods > window.most_goods(ruler, at):
        return "V07"
    return "V09" if humans + goods > window.money(ruler, at) else None


def _is_armed(item: str, goods: tuple[str, ...]) -> bool:
    """Whether a realm can make such figures: people, what everybody can make, its culture goods."""
    kind = kind_of(item)
    if kind.price is None or kind.code in UNUSUAL or kind.code == MONEY or "[" in item or number_of(item):
        return False
    return kind.group is Group.HUMAN or kind.code in FOR_EVERYBODY or kind.code in goods


def _counts(window: Window, ruler: PowerId, more: Figures) -> tuple[int, int, int, int]:
    """The numbers of core troops and auxiliaries, now and with the new figures."""
    own = window.rulers[ruler]
    costs = books.account(window, ruler)
    core, auxiliaries = costs.core, sum(costs.auxiliaries.values())
    new = {item: count for item, count in more.items() if kind_of(item).is_warrior}
    new_core = sum(count for item, count in new.items() if own.is_core(item))
    return core, new_core, auxiliaries, sum(new.values()) - new_core


def _breaks_auxiliaries(core: int, new_core: int, auxiliaries: int, new: int) -> bool:
    """Whether auxiliaries would be added beyond a quarter of the core troops. Source: rules R-044"""
    return new > 0 and auxiliaries + new > (core + new_core) // 4


def _is_too_many(window: Window, ruler: PowerId, figures: Figures, counts: tuple[int, int, int, int]) -> bool:
    """Whether there would be more core troops than the table of pay has, a 21st merchant or a second mystic."""
    core, new_core, _, _ = counts
    have: Counter[str] = Counter()
    led = [each.load for each in window.caravans.values() if each.ruler == ruler]
    led += [each.group for each in window.agents.values() if each.ruler == ruler]
    for stack in (*window.stacks[ruler].values(), *led):
        for item, count in with_loads(stack).items():
            have[kind_of(item).code] += count
    new = Counter({kind_of(item).code: count for item, count in figures.items()})
    return (
        (new_core > 0 and core + new_core > most_core(window.rulers[ruler].rank))
        or (new["K"] > 0 and have["K"] + new["K"] > MOST_MERCHANTS)
        or (new["My"] > 0 and have["My"] + new["My"] > 1)
    )


def _has_shore(window: Window, at: Province) -> bool:
    """Whether a water cell lies next to a land cell of the province."""
    letters = window.land.field(at).cells
    return any(
        TERRAIN[letters[other - 1]].is_water
        for cell in window.land.cells(at)
        for other in inner_neighbours(cell)
        if letters[other - 1] in TERRAIN
    )


def pay(window: Window, ruler: PowerId, at: Province, price: int, why: str) -> bool:
    """Pay from the old RE of a province, then from what was armed there, then from marked RE. Source: rules R-099

    Returns: whether other than old RE were used, so that what was bought has to stay where it is.
    """
    marks = window.marks.setdefault((ruler, at), Counter())
    key = ruler, at
    old = window.money(ruler, at) - marks[MONEY] - window.armed[key]
    new = max(0, price - old)
    from_armed = min(new, window.armed[key])
    armed_left = window.armed[key] - from_armed
    marks_left = marks[MONEY] - (new - from_armed)
    window.book(ruler, at, MONEY, -price, why)
    marks[MONEY] = marks_left
    window.armed[key] = armed_left
    window.spent[ruler] += price
    return new > 0
