"""P4: permitted entries, occupations, settled contests, walks into empty land.

Source: rules 5.2, 15.2 to 15.4, R-100
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from engine.core.ids import PowerId
from engine.kalevala.coordinates import Province, order_of
from engine.kalevala.figures import Figures, format_figures, is_part, kind_of, minus, warriors, worth
from engine.kalevala.model import Permit
from engine.kalevala.steps.entering import PERMITTED, cheapest, has_people
from engine.kalevala.tables import Group
from engine.kalevala.working import Entering, Round, in_seat_order


def sort_out(round_: Round) -> None:
    """All entries by EE number, then ruler: each goes to the step that its land asks for. Source: rules R-086, R-100"""
    if round_.dice is None:
        return
    queue = sorted(round_.entering, key=lambda each: (each.order.ee, each.ruler))
    owners = dict(round_.owners)
    contested = {place: set(names) for place, names in round_.contested.items()}
    peaceful, wars = [], []
    for entry in queue:
        host = owners.get(entry.target)
        if _is_open(round_, entry, host, contested.get(entry.target, ())):
            _walk_in(round_, entry, host)
        elif host is None and entry.target not in contested:
            peaceful.append(entry)
        else:
            wars.append(entry)
    _occupy(round_, peaceful)
    round_.wars = wars


def _is_open(round_: Round, entry: Entering, host: PowerId | None, contestants: Collection[PowerId]) -> bool:
    """Whether nobody bars the way: own land, a contest of one's own, or a permission that still holds."""
    if host == entry.ruler or entry.ruler in contestants:
        return True
    return entry.order.kind == PERMITTED and host is not None and _is_permitted(round_, entry, host)


def _is_permitted(round_: Round, entry: Entering, host: PowerId) -> bool:
    permits = replace(round_.state, permits=tuple(round_.permits))
    return permits.permits_entry(host, entry.ruler, entry.target, round_.gr)


def _is_ready(round_: Round, entry: Entering) -> bool:
    """Whether the figures are where the entry starts; else an earlier entry came to nothing."""
    if is_part(dict(entry.order.figures), round_.stack(entry.ruler, entry.source)):
        return True
    round_.void(entry.ruler, entry.line, "V02", place=entry.source)
    return False


def _walk_in(round_: Round, entry: Entering, host: PowerId | None) -> None:
    """Into own land, into a contest of one's own, or as a guest. Source: rules 15.2, R-111"""
    if host not in (None, entry.ruler) and _is_shielded(round_, host):
        round_.void(entry.ruler, entry.line, "V17", place=entry.target)
        return
    if not _is_ready(round_, entry):
        return
    figures = dict(entry.order.figures)
    round_.shift(entry.ruler, figures, entry.source, entry.target)
    hosts = [host] if host is not None else []
    args = {"gf": entry.target, "figures": format_figures(figures), "guest": entry.ruler, "host": host}
    round_.tell("entered", dict.fromkeys((entry.ruler, *hosts)), args)


def _is_shielded(round_: Round, host: PowerId | None) -> bool:
    """Whether a realm is under protection. Source: rules R-012, R-123"""
    if host is None:
        return False
    return round_.rulers[host].protected >= round_.gr or round_.gr <= int(round_.state.options.get("shield", 0))


# Occupation


def _occupy(round_: Round, entries: list[Entering]) -> None:
    """Into land that nobody owns: each ruler pays the losses once, several contest it. R-120"""
    due: dict[tuple[PowerId, Province], int] = {}
    arrived: dict[Province, list[Entering]] = {}
    paid: dict[tuple[PowerId, Province], list[Figures]] = {}
    for entry in entries:
        if not _is_ready(round_, entry):
            continue
        key = entry.ruler, entry.target
        if key not in due:
            due[key] = _losses(round_, entry.target)
        cost = _pay(round_, entry, due[key], _rest_can_pay(round_, entries, entry, due[key]))
        if cost is None:
            round_.void(entry.ruler, entry.line, "V18", place=entry.target)
            continue
        due[key] -= min(due[key], worth(cost))
        paid.setdefault(key, []).append(cost)
        left = minus(dict(entry.order.figures), cost)
        round_.shift(entry.ruler, left, entry.source, entry.target)
        arrived.setdefault(entry.target, []).append(entry)
    for province in sorted(arrived, key=order_of):
        _take(round_, province, arrived[province], paid)


def _losses(round_: Round, province: Province) -> int:
    centre = round_.land.centre(province)
    return 0 if centre is None else centre.centre.losses


def _rest_can_pay(round_: Round, entries: list[Entering], entry: Entering, due: int) -> bool:
    """Whether later entries of the ruler into the same land can pay what this one lacks. Source: rules R-120"""
    later = entries[entries.index(entry) + 1 :]
    rest = [each for each in later if (each.ruler, each.target) == (entry.ruler, entry.target)]
    able = sum(_most(dict(each.order.figures)) for each in rest)
    return able + _most(dict(entry.order.figures)) >= due


def _most(figures: Figures) -> int:
    """The most that figures can pay: all but the last warrior, the dearest of them."""
    payable = {item: n for item, n in figures.items() if kind_of(item).group is not Group.HUMAN}
    fighting = [item for item, count in figures.items() if kind_of(item).is_warrior for _ in range(count)]
    fighters = sorted(kind_of(item).price or 0 for item in fighting)
    return worth(payable) + sum(fighters[:-1])


def _pay(round_: Round, entry: Entering, due: int, others_can: bool) -> Figures | None:
    """Take what pays the losses; `None` if it can't be paid, and then nothing is lost. Source: rules R-040, R-111"""
    figures = dict(entry.order.figures)
    if due <= 0:
        return {}
    if entry.order.losses is not None:
        cost: Figures | None = dict(entry.order.losses)
        if cost is not None and worth(cost) < due and not others_can:
            return None
    else:
        cost = cheapest(figures, due)
        if cost is None:
            if not others_can:
                return None
            cost = cheapest(figures, _most(figures)) or {}
    assert cost is not None, "found above"
    for item, count in cost.items():
        round_.book(entry.ruler, entry.source, item, -count, "occupation")
    return cost


def _take(
    round_: Round,
    province: Province,
    entries: list[Entering],
    paid: dict[tuple[PowerId, Province], list[Figures]],
) -> None:
    """Who has come into natives' land owns it, if nobody else has. Source: rules 15.3, R-112"""
    rulers = list(in_seat_order(round_, (entry.ruler for entry in entries)))
    if len(rulers) > 1:
        round_.contested[province] = tuple(sorted(rulers))
        round_.tell("contested", rulers, {"gf": province, "rulers": sorted(rulers)}, names=sorted(rulers))
        return
    ruler = rulers[0]
    _own(round_, ruler, province, entries)
    cost = _together(paid[ruler, province])
    centre = round_.centre(province)
    hz = None if centre is None else {"type": centre.type, "kf": centre.cell, "name": centre.name or None}
    args = {"gf": province, "hz": hz, "losses": _losses(round_, province), "paid": format_figures(cost)}
    round_.tell("occupied", [ruler], args)


def _together(stacks: list[Figures]) -> Figures:
    found: dict[str, int] = {}
    for stack in stacks:
        for item, count in stack.items():
            found[item] = found.get(item, 0) + count
    return found


def _own(round_: Round, ruler: PowerId, province: Province, entries: list[Entering]) -> None:
    """Land that was natives' has a new owner: the centre is founded, field and name are given. Source: rules 15.3"""
    round_.owners[province] = ruler
    round_.newly.setdefault(ruler, {})[province] = round_.gr
    centre = round_.land.centre(province)
    if centre is None:
        return
    cell = centre.cell
    if cell is None:
        wanted = [entry.order.cell for entry in entries if entry.order.cell in round_.land.cells(province)]
        cell = wanted[0] if wanted else min(round_.land.cells(province))
    name = centre.name or next((entry.order.name for entry in entries if entry.order.name), "")
    round_.set_field(province, centre=replace(centre, cell=cell, name=name, is_founded=True))


# Contests


def settle(round_: Round) -> None:
    """Contested land goes to whom all contestants name; the others' figures are guests for a round. R-112"""
    if round_.dice is None:
        return
    for province, votes in sorted(round_.settling.items(), key=lambda item: order_of(item[0])):
        names = round_.contested.get(province, ())
        chosen = {who for _, who in votes.values()}
        if set(votes) != set(names) or len(chosen) != 1:
            for ruler, (line, _) in votes.items():
                round_.fail(ruler, line, "unmatched")
            continue
        owner = chosen.pop()
        del round_.contested[province]
        _own(round_, owner, province, [])
        guests = [name for name in names if name != owner]
        round_.permits += [Permit(owner, guest, province, round_.gr + 1) for guest in guests]
        figures = {name: format_figures(round_.stack(name, province)) for name in names if round_.stack(name, province)}
        round_.tell("settled", names, {"gf": province, "owner": owner, "figures": figures})


# Walks into empty land of others


def conquer(round_: Round) -> None:
    """War against land in which nobody stands: it changes hands at once. Source: rules R-113

    Where somebody stands it would come to a battle, which this game does not know yet: the figures stay.
    """
    if round_.dice is None:
        return
    for entry in round_.wars:
        owner = round_.owners.get(entry.target)
        if not _is_ready(round_, entry):
            continue
        if _is_shielded(round_, owner):
            round_.void(entry.ruler, entry.line, "V17", place=entry.target)
        elif owner == entry.ruler:
            _walk_in(round_, entry, owner)
        elif owner is None or _is_held(round_, entry):
            round_.void(entry.ruler, entry.line, "V30")
        else:
            _walk_over(round_, entry, owner)


def _is_held(round_: Round, entry: Entering) -> bool:
    return any(
        has_people(own.get(entry.target, {})) for name, own in round_.stacks.items() if name != entry.ruler
    ) or not warriors(dict(entry.order.figures))


def _walk_over(round_: Round, entry: Entering, owner: PowerId) -> None:
    ruler, province, figures = entry.ruler, entry.target, dict(entry.order.figures)
    round_.shift(ruler, figures, entry.source, province)
    for name in list(round_.stacks):
        if name != ruler:
            for item, count in list(round_.stack(name, province).items()):
                round_.book(name, province, item, -count, "booty")
                round_.book(ruler, province, item, count, "booty")
    round_.owners[province] = ruler
    round_.newly.get(owner, {}).pop(province, None)
    round_.known.setdefault(owner, set()).add(province)
    args = {"gf": [province], "from": owner, "to": ruler, "battle": province}
    round_.tell("conquered", [ruler, owner], args, place=province, loser=owner, winner=ruler)
    battle = {
        "id": province,
        "gf": [entry.source, province],
        "sides": [[ruler], [owner]],
        "kr": 0,
        "end": "empty",
        "winner": ruler,
        "losses": {},
    }
    round_.tell("battle", [ruler], battle, place=province)
