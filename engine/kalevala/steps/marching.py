"""MOVE: figures go as one stack through own land, guests between permitted provinces.

Source: rules 9.3, R-106, R-107
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.core.ids import PowerId
from engine.core.phrases import Phrase, phrase
from engine.kalevala.artefacts.facts import ARTEFACT, is_artefact
from engine.kalevala.coordinates import Province, gf_of, neighbours_of, part_of
from engine.kalevala.figures import (
    MONEY,
    Figures,
    count_of,
    format_figures,
    kind_of,
    minus,
    number_of,
    team_of,
)
from engine.kalevala.land import Land
from engine.kalevala.orders import Line, Move
from engine.kalevala.planes.facts import is_free, mystic_in
from engine.kalevala.tables import BANNED, BORNE, FOOT, MOUNTED, WIZARD_SPEED, Group
from engine.kalevala.window import Window, purpose

_SURVIVES = 10
_DRAUGHT = ("QIP", "QsP")


@dataclass(frozen=True, slots=True)
class Stride:
    """How a stack moves. Source: rules R-106

    Args:
        speed: great fields a round.
        is_slowed: it has animals or wagons, which go only one field through rough land.
        has_wagons: it has wagons, which go only one field where they are unhitched.
    """

    speed: int
    is_slowed: bool
    has_wagons: bool = False


def stride(figures: Figures, *, leads: bool = False) -> Stride:
    """How fast figures move together: as fast as the slowest kind."""
    people = humans(figures)
    animals = [item for item in figures if kind_of(item).group is Group.ANIMAL]
    wagons = count_of(figures, "QuW")
    if not people:
        return Stride(WIZARD_SPEED if count_of(figures, "Z") else 0, False)
    seats = sum(_seats(item) * count for item, count in figures.items())
    is_mounted = not leads and seats >= people
    if is_mounted:
        speeds = [MOUNTED]
    else:
        speeds = [kind_of(item).speed for item in figures if kind_of(item).group is Group.HUMAN] or [FOOT]
    speed = min(speeds)
    if any(_is_burden(item) for item in figures):
        speed = max(1, speed - 1)
    return Stride(speed, bool(animals) or wagons > 0, wagons > 0)


def _seats(item: str) -> int:
    """How many riders an animal, or a wagon with a team, has room for. Source: rules 26.4, R-106"""
    kind = kind_of(item)
    return 0 if kind.code == "QuW" and not number_of(item) else kind.seats


def _is_burden(item: str) -> bool:
    """Whether it is gear that slows down its carriers; so does a wagon without a team. Rules 9.3, ruling KA170"""
    kind = kind_of(item)
    return kind.group is Group.GEAR and (kind.weight > 0 or (kind.code == "QuW" and not number_of(item)))


def humans(figures: Figures) -> int:
    """How many can ride, lead and drive: all except wizards."""
    return sum(
        count for item, count in figures.items() if kind_of(item).group is Group.HUMAN and kind_of(item).code != "Z"
    )


def is_carried(figures: Figures) -> bool:
    """Whether there are enough carriers and leaders for money, gear and animals. Source: rules R-019, R-020, R-106"""
    carried = sum(kind_of(item).carries * count for item, count in figures.items())
    effort = sum(kind_of(item).effort * count for item, count in figures.items())
    weight = sum(kind_of(item).weight * count for item, count in figures.items())
    people = humans(figures)
    animals = sum(count for item, count in figures.items() if kind_of(item).group is Group.ANIMAL)
    wagons = count_of(figures, "QuW")
    has_teams = figures.get("QuW", 0) <= sum(count_of(figures, animal) for animal in _DRAUGHT)
    return (
        figures.get(MONEY, 0) <= carried
        and weight <= effort
        and animals + wagons <= people
        and has_teams
        and not any(kind_of(item).group is Group.SHIP for item in figures)
        and (not any(map(is_artefact, figures)) or any(kind_of(item).group is Group.HUMAN for item in figures))
    )


def move(window: Window, ruler: PowerId, line: Line, order: Move) -> None:
    """Move figures along a way."""
    figures = dict(order.figures)
    way = _way(window, ruler, order.path, may_pass=_may_pass(figures))
    if way is None:
        closed = _closed(window, ruler, order.path, may_pass=_may_pass(figures))
        window.refuse(ruler, line, "V02", place=closed, which="nobody" if closed == order.path[0] else "")
        return
    code = _flaw(window, ruler, figures, way, leads=order.leads)
    if code is not None:
        window.refuse(ruler, line, code, place=way[0], free=free_in(window, ruler, way[0]))
        return
    _, known = window.sight(ruler)
    if any(any(_banned(known, figures, province)) for province in way[1:]):
        window.warn(ruler, line, "W4")
    flies_home = _is_wizard(figures) and window.owners.get(way[-1]) == ruler
    if window.dice is not None and not flies_home:
        named, way = way, _true_way(window, ruler, way, may_pass=_may_pass(figures))
        code = _obstacle(window, ruler, figures, named, way, leads=order.leads)
        if code is not None:
            window.void(ruler, line, code, place=named[0], which="halted" if code == "V02" else "")
            return
    lost = _cross(window, ruler, figures, way)
    for item, count in lost.items():
        window.book(ruler, way[0], item, -count, "crossing")
    if lost:
        window.tell("lost", [ruler], {"gf": way[-1], "figures": format_figures(lost)})
    left = {item: count - lost.get(item, 0) for item, count in figures.items() if count > lost.get(item, 0)}
    left = _with_teams(window, ruler, left, lost, way)
    window.shift(ruler, left, way[0], way[-1])
    if window.owners.get(way[0]) == ruler and not window.has_warrior(ruler, way[0]):
        window.warn(ruler, line, "W3", place=way[0])


def free_in(window: Window, ruler: PowerId, place: Province) -> str | Phrase:
    """The figures of a province that may still move, as a refusal names them."""
    free = {item: count for item, count in window.unmarked(ruler, place).items() if count}
    return format_figures(free) or phrase("figures.nothing")


def _with_teams(
    window: Window, ruler: PowerId, left: Figures, lost: Figures, way: Sequence[Province]
) -> dict[str, int]:
    """What continues: also the teams of lost wagons, and teams next to their wagons where they are led. Ruling KA170"""
    found = Counter(left)
    for item, count in lost.items():
        for animal, each in team_of(item).items():
            window.book(ruler, way[0], animal, each * count, "unharnessed")
            found[animal] += each * count
    if window.land.commonest(way[-1]) in BANNED["QuW"]:
        for item in [item for item in found if team_of(item)]:
            count = found.pop(item)
            window.book(ruler, way[0], item, -count, "unharnessed")
            for piece, number in {"QuW": 1, **team_of(item)}.items():
                window.book(ruler, way[0], piece, number * count, "unharnessed")
                found[piece] += number * count
    return dict(found)


def _way(
    window: Window, ruler: PowerId, path: Sequence[Province], *, may_pass: bool = False
) -> tuple[Province, ...] | None:
    """The provinces on the way; `None` where one of them isn't open to the ruler, by what the ruler knows. R-115

    Args:
        may_pass: a wizard or mystic goes alone, who passes through any land on his way. Rulings KA9, KA279
    """
    start = window.own_place(ruler, path[0])
    if start is None or not window.stack(ruler, start):
        return None
    found = [start]
    is_guest = window.owners.get(start) != ruler
    _, land = window.sight(ruler)
    for place, named in enumerate(path[1:], 2):
        province = _open_province(window, ruler, named, found[-1], is_guest=is_guest)
        if province is None and may_pass and place < len(path) and land.exists(gf_of(named)):
            province = named
        if province is None:
            return None
        found.append(province)
        is_guest = is_guest and window.owners.get(province) != ruler
    return tuple(found)


def _closed(window: Window, ruler: PowerId, path: Sequence[Province], *, may_pass: bool) -> Province:
    """The first place of a way that is not open: its start if nobody of the ruler's is there, by what they know."""
    if may_pass and _way(window, ruler, path[:1]) is not None:
        return path[-1]
    return next((path[end] for end in range(len(path)) if _way(window, ruler, path[: end + 1]) is None), path[-1])


def _open_province(
    window: Window, ruler: PowerId, named: Province, before: Province, *, is_guest: bool
) -> Province | None:
    seen, land = window.sight(ruler)
    own = {province for province, owner in window.owners.items() if owner == ruler}
    mine = (
        [province for province in window.land.provinces(gf_of(named)) if province in own]
        if _is_seen(window, ruler, named)
        else []
    )
    if mine:
        found = window.land.meant(named, near=(before,), own=own)
        return found if found in own else next((each for each in mine if named in (each, gf_of(each))), None)
    if not is_guest:
        return None
    if not land.exists(gf_of(named)):
        return None
    # A part that is not seen has the name by which the ruler knows it.
    found = land.meant(named, near=(before,)) or named
    host = seen.owners.get(found)
    is_strange = host is None and not seen.stack(ruler, found)
    is_open = any(
        permit.guest == ruler
        and permit.until >= window.gr
        and (
            (permit.where is not None and gf_of(permit.where) == gf_of(found) and _may_be(permit.where, found))
            or (permit.where is None and (is_strange or permit.giver == host))
        )
        for permit in seen.permits
    )
    return found if is_open else None


def _may_be(one: Province, other: Province) -> bool:
    """Whether two names can mean the same province, if one of them leaves the part open."""
    return one == other or part_of(one) is None or part_of(other) is None


def _true_way(
    window: Window, ruler: PowerId, way: Sequence[Province], *, may_pass: bool = False
) -> tuple[Province, ...]:
    """The provinces through which a known way leads; it ends where no host has opened the next one. Ruling KA12"""
    found = [way[0]]
    for place, named in enumerate(way[1:], 2):
        parts = [each for each in window.land.provinces(gf_of(named)) if named in (each, gf_of(each))]
        is_passed = may_pass and place < len(way)
        open_ = [each for each in parts if is_passed or _is_host(window, ruler, each)]
        if not open_:
            break
        found.append(next((each for each in open_ if window.land.is_linked(found[-1], each)), open_[0]))
    return tuple(found)


def _is_host(window: Window, ruler: PowerId, province: Province) -> bool:
    owner = window.owners.get(province)
    return owner == ruler or (owner is not None and window.state.permits_entry(owner, ruler, province, window.gr))


def _is_seen(window: Window, ruler: PowerId, named: Province) -> bool:
    return any(gf_of(province) == gf_of(named) for province, owner in window.owners.items() if owner == ruler)


def _flaw(window: Window, ruler: PowerId, figures: Figures, way: Sequence[Province], *, leads: bool) -> str | None:
    """The first test that fails. Source: rules R-104"""
    here = window.stack(ruler, way[0])
    if any(here.get(item, 0) < count for item, count in figures.items()):
        return "V02"
    if not all(_is_way(window, ruler, figures, one, other) for one, other in pairwise(way)):
        return "V03"
    _, known = window.sight(ruler)
    if len(way) - 1 > _reach(known, figures, way, leads=leads) * _haste(window, ruler, way):
        return "V04"
    unmarked = window.unmarked(ruler, way[0])
    if any(unmarked.get(item, 0) < count for item, count in figures.items()):
        return "V05"
    if window.breaks_watch(ruler, way[0], figures):
        return "V05"
    return None if is_carried(figures) else "V06"


def _obstacle(
    window: Window, ruler: PowerId, figures: Figures, named: Sequence[Province], way: Sequence[Province], *, leads: bool
) -> str | None:
    """What bars the way without a guest knowing: whose land it is, obstacles, land where mounts are led."""
    if len(way) < len(named):
        return "V02"
    steps = () if _is_wizard(figures) else pairwise(way)
    if not all(_is_crossed(window.land, figures, one, other) for one, other in steps):
        return "V03"
    reach = _reach(window.land, figures, way, leads=leads) * _haste(window, ruler, way)
    return "V04" if len(way) - 1 > reach else None


def _is_wizard(figures: Figures) -> bool:
    """Whether only a wizard goes, with the RE and artefacts that he carries. Source: rules 19.2"""
    return all(kind_of(item).code in ("Z", ARTEFACT, MONEY) for item in figures)


def _may_pass(figures: Figures) -> bool:
    """Whether a wizard goes alone, or a mystic with a mount at most: they pass through any land.

    Source: rules 14.3, 19.2, rulings KA9, KA279
    """
    mounts = {item: count for item, count in figures.items() if kind_of(item).group is Group.ANIMAL}
    rider = minus(figures, mounts)
    is_mystic = mystic_in(rider) is not None and is_free(rider) and sum(mounts.values()) <= 1
    return is_mystic or _is_wizard(figures)


def _haste(window: Window, ruler: PowerId, way: Sequence[Province]) -> int:
    """By what factor a god lets figures go farther. Source: rules 24.1, ruling KA216"""
    return 2 if (ruler, way[0]) in window.gods_at_work.hastened else 1


def _is_crossed(land: Land, figures: Figures, one: Province, other: Province) -> bool:
    """Whether a link can bear the figures: a bridge that was hit does not bear everything. Source: rules 27.2"""
    if not land.is_linked(one, other):
        return False
    bridge = land.bridge_between(one, other)
    if bridge is None or bridge.hits not in BORNE:
        return True
    return all(kind_of(item).is_warrior or kind_of(item).code in BORNE[bridge.hits] for item in figures)


def _is_way(window: Window, ruler: PowerId, figures: Figures, one: Province, other: Province) -> bool:
    """Whether figures can step from one to the other; abroad, as far as their ruler knows."""
    if _is_wizard(figures):
        return gf_of(other) in neighbours_of(gf_of(one))
    if window.owners.get(one) == window.owners.get(other) == ruler:
        return _is_crossed(window.land, figures, one, other)
    _, land = window.sight(ruler)
    return land.may_be_linked(one, other)


def _reach(land: Land, figures: Figures, way: Sequence[Province], *, leads: bool) -> int:
    """How many fields the stack goes on this way: one through rough land, one more on roads. R-017, R-035

    Figures without a leader can't move, but that is tested elsewhere. Source: ruling KA172.
    """
    how = stride(figures, leads=leads)
    if not how.speed:
        return len(way)
    is_rough = how.is_slowed and any(land.is_rough(province) for province in way)
    is_barred = how.has_wagons and any(land.commonest(province) in BANNED["QuW"] for province in way)
    has_roads = all(land.field(province).has_road for province in way)
    return (1 if is_rough or is_barred else how.speed) + has_roads


def _banned(land: Land, figures: Figures, province: Province) -> Iterator[str]:
    """The pieces that may not stay on most of a province's land. Source: rules R-018"""
    letter = land.commonest(province)
    return (item for item in sorted(figures) if letter in BANNED.get(kind_of(item).code, ()))


def _cross(window: Window, ruler: PowerId, figures: Figures, way: Sequence[Province]) -> Figures:
    """What is lost on the way: a piece that may not stay on that land arrives on 10 or more. Source: rules R-018"""
    lost: Counter[str] = Counter()
    if window.dice is None:
        return lost
    for province in way[1:]:
        for item in list(_banned(window.land, figures, province)):
            for _ in range(figures[item] - lost[item]):
                thrown = window.dice.throw(f"cross/{ruler}", purpose=purpose("cross", item=item, place=province))
                if thrown.total < _SURVIVES:
                    lost[item] += 1
    return dict(lost)
