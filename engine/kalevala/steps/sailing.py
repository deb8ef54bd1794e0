"""SAIL, BOARD, LAND and FERRY: voyages between own shores and over known seas, in P1.

Source: rules 8.1, 9.3, R-104, R-107, rulings KA100 to KA103
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from engine.core.ids import PowerId
from engine.core.phrases import phrase
from engine.kalevala.coordinates import Province, gf_of, neighbours_of
from engine.kalevala.figures import Figures, common, format_figures, is_part, kind_of, minus, warriors
from engine.kalevala.land import Land
from engine.kalevala.orders import Disembark, Embark, Enter, Ferry, Line, Sail, named
from engine.kalevala.sea import waters
from engine.kalevala.sea.craft import (
    BULKY,
    CARRIER_OF_BULK,
    carries_its_money,
    craft_among,
    found_aboard,
    holds,
    hull_of,
    is_craft,
    laden,
    landed,
    lightened,
    on_land,
    speed_of,
    voyage_flaw,
)
from engine.kalevala.steps.marching import free_in, is_carried
from engine.kalevala.tables import Group
from engine.kalevala.window import Entering, Window, purpose

SWIM = "SWIM"
SURVIVES = 10
"""What a swimmer needs on three dice to survive. Source: rules B10"""


def seas_of(window: Window, ruler: PowerId) -> frozenset[Province]:
    """The seas that a ruler's craft have sailed, and know for ever. Source: rules 8.1"""
    return frozenset(map(Province, window.modules.get("seas", {}).get(ruler, ())))


def remember_sea(window: Window, ruler: PowerId, sea: Province) -> bool:
    """A sea becomes a known way, and stays known. Returns whether it is new."""
    window.known.setdefault(ruler, set()).add(sea)
    known = seas_of(window, ruler)
    if sea in known:
        return False
    rows = {**window.modules.get("seas", {}), ruler: sorted({*known, sea})}
    window.modules = {**window.modules, "seas": rows}
    return True


# SAIL


def sail(window: Window, ruler: PowerId, line: Line, order: Sail) -> None:
    """Craft go with their loads through own provinces and known seas."""
    figures = dict(order.figures)
    way = _way(window, ruler, order.path)
    here = {} if way is None else window.stack(ruler, way[0])
    if way is None or not all(map(is_craft, figures)) or not is_part(figures, here):
        start = window.own_place(ruler, order.path[0])
        is_there = start is not None and is_part(figures, window.stack(ruler, start)) and all(map(is_craft, figures))
        if is_there:
            window.refuse(ruler, line, "V02", place=_closed(window, ruler, order.path), which="voyage")
        else:
            _refuse_craft(window, ruler, line, order.path[0], start)
        return
    code = _voyage_flaw(window, ruler, figures, way)
    if code is not None:
        window.refuse(ruler, line, code, place=way[0], which=_which(window, code, ruler, way[0], figures))
        return
    if window.dice is not None and not waters.is_voyage(window.land, way):
        window.void(ruler, line, "V03", place=way[0])
        return
    window.shift(ruler, figures, way[0], way[-1])
    _warn_if_left(window, ruler, line, way[0])


def _voyage_flaw(window: Window, ruler: PowerId, figures: Figures, way: Sequence[Province]) -> str | None:
    """The first test that fails. Source: rules R-103, R-104"""
    _, known = window.sight(ruler)
    at_sea = voyage_flaw(figures)
    if at_sea == "V20":
        return at_sea
    if not all(waters.may_be_sailed(known, one, other) for one, other in pairwise(way)):
        return "V03"
    if all(waters.is_sailed(known, one, other) for one, other in pairwise(way)) and not waters.is_voyage(known, way):
        return "V03"
    if len(way) - 1 > speed_of(figures):
        return "V04"
    if not _is_free(window, ruler, way[0], figures):
        return "V05"
    return at_sea


def _way(window: Window, ruler: PowerId, path: Sequence[Province]) -> tuple[Province, ...] | None:
    """The provinces on the way: the ruler's, hosts', and known seas; `None` if one is none of these."""
    start = window.own_place(ruler, path[0])
    if start is None or not window.stack(ruler, start):
        return None
    found = [start]
    open_ = set(window.owned(ruler)) | seas_of(window, ruler) | _hosts(window, ruler)
    for step in path[1:]:
        meant = [place for place in sorted(open_) if step in (place, gf_of(place))]
        if not meant:
            return None
        _, known = window.sight(ruler)
        found.append(next((place for place in meant if waters.is_sailed(known, found[-1], place)), meant[0]))
    return tuple(found)


def _closed(window: Window, ruler: PowerId, path: Sequence[Province]) -> Province:
    """The first place of a way that isn't open to craft."""
    return next((path[end] for end in range(1, len(path)) if _way(window, ruler, path[: end + 1]) is None), path[-1])


def _refuse_craft(window: Window, ruler: PowerId, line: Line, named: Province, at: Province | None) -> None:
    """Craft that a line names don't lie there: say which do."""
    there = format_figures({} if at is None else craft_among(window.stack(ruler, at)))
    window.refuse(ruler, line, "V02", place=at or named, which="craft", craft=there or phrase("figures.nothing"))


def _hosts(window: Window, ruler: PowerId) -> set[Province]:
    """The provinces of others that a ruler knows are open to him. Source: rules 9.3"""
    seen, _ = window.sight(ruler)
    return {
        place
        for place, owner in seen.owners.items()
        if owner != ruler and seen.permits_entry(owner, ruler, place, window.gr)
    }


def _is_free(window: Window, ruler: PowerId, at: Province, figures: Figures) -> bool:
    """Whether figures have not moved in this window, and are not on watch. Source: rules R-107, ruling KA21"""
    unmarked = window.unmarked(ruler, at)
    if any(unmarked.get(item, 0) < count for item, count in figures.items()):
        return False
    return not window.breaks_watch(ruler, at, figures)


def _which(window: Window, code: str, ruler: PowerId, at: Province, figures: Figures) -> str:
    """Whether it is the watch that keeps figures from going."""
    return "watch" if code == "V05" and window.breaks_watch(ruler, at, figures) else ""


def _warn_if_left(window: Window, ruler: PowerId, line: Line, at: Province) -> None:
    if window.owners.get(at) == ruler and not window.has_warrior(ruler, at):
        window.warn(ruler, line, "W3", place=at)


# BOARD and LAND


def board(window: Window, ruler: PowerId, line: Line, order: Embark) -> None:
    """Figures go aboard one craft, which is a whole move for them and for the craft. Source: rules R-107"""
    figures = dict(order.figures)
    at = window.own_place(ruler, order.at)
    here = {} if at is None else window.stack(ruler, at)
    if at is None or not here.get(order.craft):
        _refuse_craft(window, ruler, line, order.at, at)
        return
    if not is_part(figures, here):
        window.refuse(ruler, line, "V02", place=at, which="few", free=free_in(window, ruler, at))
        return
    after = order.craft if any(map(is_craft, figures)) else laden(order.craft, figures)
    code = None
    if any(map(is_craft, figures)) or not holds(after):
        code = "V20"
    elif not _is_free(window, ruler, at, {**figures, order.craft: 1}):
        code = "V05"
    elif not carries_its_money(after):
        code = "V06"
    if code is not None:
        window.refuse(ruler, line, code, place=at, which=_which(window, code, ruler, at, figures))
        return
    for item, count in {**figures, order.craft: 1}.items():
        window.put(ruler, at, item, -count)
    window.put(ruler, at, after, 1, is_marked=True)


def disembark(window: Window, ruler: PowerId, line: Line, order: Disembark) -> None:
    """Figures go ashore from the craft in a province. Source: rules R-107"""
    figures = dict(order.figures)
    at = window.own_place(ruler, order.at)
    here = {} if at is None else window.stack(ruler, at)
    if at is None or found_aboard(here, figures) is None:
        window.refuse(ruler, line, "V02", place=order.at)
        return
    unmarked = window.unmarked(ruler, at)
    leaving = found_aboard({item: count for item, count in unmarked.items() if count > 0}, figures)
    code = None
    if window.land.is_sea(at):
        code = "V20"
    elif leaving is None:
        code = "V05"
    if code is not None or leaving is None:
        window.refuse(ruler, line, code or "V05", place=at)
        return
    for craft, taken in leaving:
        empty(window, ruler, at, craft, taken)
        for item, count in taken.items():
            window.put(ruler, at, item, count, is_marked=True)


def find_room(window: Window, ruler: PowerId, at: Province, more: Iterable[str]) -> list[str] | None:
    """Which craft new figures go aboard, in turn, first those that stay anyway; `None`: there isn't room for all."""
    unmarked = window.unmarked(ruler, at)
    fleet = [
        (place < unmarked.get(item, 0), item)
        for item, count in craft_among(window.stack(ruler, at)).items()
        for place in range(count)
    ]
    found = []
    for each in more:
        ship = next((ship for ship in sorted(fleet) if holds(laden(ship[1], {each: 1}))), None)
        if ship is None:
            return None
        fleet[fleet.index(ship)] = False, laden(ship[1], {each: 1})
        found.append(ship[1])
    return found


def take_aboard(window: Window, ruler: PowerId, at: Province, item: str, craft: str) -> None:
    """A new figure on the high sea is aboard, since nobody can stand there; the craft doesn't sail in this window.

    KA211
    """
    for each in (item, craft):
        window.put(ruler, at, each, -1)
    window.put(ruler, at, laden(craft, {item: 1}), 1, is_marked=True)


def empty(window: Window, ruler: PowerId, at: Province, craft: str, taken: Figures) -> None:
    """Take these figures out of one craft, without putting them anywhere yet. What moved stays marked as moved."""
    is_marked = window.unmarked(ruler, at).get(craft, 0) <= 0
    window.put(ruler, at, craft, -1)
    window.put(ruler, at, lightened(craft, taken), 1, is_marked=is_marked)


def leave_craft(window: Window, ruler: PowerId, at: Province, figures: Figures) -> None:
    """Those of the figures who are not ashore in a province step off their craft."""
    there = window.stack(ruler, at)
    for craft, taken in found_aboard(there, minus(figures, common(figures, there))) or ():
        empty(window, ruler, at, craft, taken)
        for item, count in taken.items():
            window.put(ruler, at, item, count)


def put_ashore(window: Window, ruler: PowerId, at: Province, figures: Figures) -> None:
    """Everybody leaves these craft of a province."""
    for item, count in craft_among(figures).items():
        window.put(ruler, at, item, -count)
    for item, count in landed(craft_among(figures)).items():
        window.put(ruler, at, item, count)


# FERRY


def ferry(window: Window, ruler: PowerId, line: Line, order: Ferry) -> None:
    """Craft at either of two own shores take figures across, however many there are. Source: rules 9.3"""
    figures = dict(order.figures)
    source = window.find_own(ruler, order.source)
    target = None if source is None else _other_shore(window, ruler, source, order.target)
    if source is None or target is None:
        window.refuse(ruler, line, "V02", place=order.source if source is None else order.target)
        return
    if not is_part(figures, window.stack(ruler, source)):
        window.refuse(ruler, line, "V02", place=source, which="few", free=free_in(window, ruler, source))
        return
    code = _ferry_flaw(window, ruler, figures, source, target)
    if code is not None:
        window.refuse(ruler, line, code, place=source, which=_which(window, code, ruler, source, figures))
        return
    if window.dice is not None and not waters.is_sailed(window.land, source, target):
        window.void(ruler, line, "V03", place=source)
        return
    window.shift(ruler, figures, source, target)
    _warn_if_left(window, ruler, line, source)


def _other_shore(window: Window, ruler: PowerId, source: Province, named: Province) -> Province | None:
    own = [place for place in window.owned(ruler) if named in (place, gf_of(place)) and place != source]
    _, known = window.sight(ruler)
    return next((place for place in own if waters.is_sailed(known, source, place)), next(iter(own), None))


def _ferry_flaw(window: Window, ruler: PowerId, figures: Figures, source: Province, target: Province) -> str | None:
    _, known = window.sight(ruler)
    if any(map(is_craft, figures)) or window.land.is_sea(source) or window.land.is_sea(target):
        return "V20"
    if not waters.may_be_sailed(known, source, target):
        return "V03"
    if gf_of(target) != gf_of(source) and gf_of(target) not in neighbours_of(gf_of(source)):
        return "V04"
    if not _is_free(window, ruler, source, figures):
        return "V05"
    ferries = {hull_of(item) for at in (source, target) for item in _idle_craft(window, ruler, at)}
    is_bulky = any(kind_of(item).code in BULKY for item in figures)
    if not ferries or (is_bulky and CARRIER_OF_BULK not in ferries):
        return "V06"
    has_crew = any(kind_of(item).group is Group.HUMAN for item in figures)
    return None if has_crew and is_carried(on_land(figures)) else "V06"


def _idle_craft(window: Window, ruler: PowerId, at: Province) -> Iterable[str]:
    return (item for item, count in craft_among(window.unmarked(ruler, at)).items() if count > 0)


# Entries by sea, in P3


def goes_by_sea(figures: Figures) -> bool:
    """Whether an entry is a voyage: there are craft among its figures."""
    return any(map(is_craft, figures))


def swims(order: Enter) -> bool:
    """Whether the figures of an entry swim a strom. Source: rules 9.3"""
    return SWIM in order.rest


def crosses_water(order: Enter) -> bool:
    """Whether an entry comes over water, so that its source is no part of a battle's site. KA106, KA112"""
    return goes_by_sea(dict(order.figures)) or swims(order)


def swim_flaw(figures: Figures, land: Land, source: Province, target: Province) -> str | None:
    """Why figures can't swim across: V03 without a strom one small field wide, V06 for all but warriors.

    Ruling KA112
    """
    if not waters.banks(land, source, target):
        return "V03"
    return None if all(kind_of(item).is_warrior or kind_of(item).code == "Z" for item in figures) else "V06"


def swim_over(window: Window, entry: Entering) -> Entering | None:
    """Each warrior who swims needs 10 or more, or drowns. Returns those of the entry who are left.

    Source: rules 9.3, ruling KA112
    """
    assert window.dice is not None, "nobody swims on trial"
    left = dict(entry.order.figures)
    drowned: dict[str, int] = {}
    for item, count in entry.order.figures:
        for _ in range(count if kind_of(item).is_warrior else 0):
            said = purpose("cross", item=item, place=entry.target)
            if window.dice.throw(f"cross/{entry.ruler}", purpose=said).total < SURVIVES:
                drowned[item] = drowned.get(item, 0) + 1
    for item, count in drowned.items():
        left[item] -= count
        window.book(entry.ruler, entry.source, item, -count, "drowned")
    if drowned:
        args = {"gf": entry.target, "figures": format_figures(drowned)}
        window.tell("drowned", [entry.ruler], args, words="drowned_swimming")
    figures = named({item: count for item, count in left.items() if count})
    found = replace(entry, order=replace(entry.order, figures=figures))
    place = window.entering.index(entry)
    window.entering[place] = found
    if warriors(dict(figures)):
        return found
    window.fail(entry.ruler, entry.line, "drowned", place=entry.target)
    return None


def entry_flaw(figures: Figures, land: Land, source: Province, target: Province) -> str | None:
    """Why figures can't enter by sea: all but wizards have to be aboard, and water has to lead there. Ruling KA104"""
    at_sea = voyage_flaw(figures)
    if at_sea == "V20":
        return at_sea
    if not waters.may_be_sailed(land, source, target):
        return "V03"
    others = (item for item in on_land(figures) if kind_of(item).code != "Z")
    return at_sea or ("V06" if next(others, None) is not None else None)


def brought(figures: Figures, land: Land, target: Province) -> Figures:
    """What arrives in the target: on the high sea everybody stays aboard, elsewhere everybody goes ashore.

    Ruling KA104
    """
    return figures if land.is_sea(target) else landed(figures)
