"""ENTER and SETTLE: tested against what the ruler knows, then kept for P4.

Source: rules 15.1, 15.3, R-087, R-104, R-119
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from engine.core.ids import PowerId
from engine.core.phrases import phrase
from engine.kalevala.coordinates import Province, gf_of
from engine.kalevala.figures import MONEY, Figures, format_figures, is_part, kind_of, minus, plus, warriors, worth
from engine.kalevala.land import Land
from engine.kalevala.model import EXPLORATION_UNITS, FULL, INVADER, Explored
from engine.kalevala.modules import has_module
from engine.kalevala.orders import Enter, Line, Settle
from engine.kalevala.planes.facts import MYSTIC, RIFT_MONEY, RIFT_ZEH
from engine.kalevala.sea import waters
from engine.kalevala.sea.craft import craft_among, landed
from engine.kalevala.steps.changing import flaw, is_through, leads
from engine.kalevala.steps.marching import is_carried
from engine.kalevala.steps.realm import is_known_to_be_barred
from engine.kalevala.steps.sailing import brought, entry_flaw, goes_by_sea, swim_flaw, swims
from engine.kalevala.tables import Group
from engine.kalevala.window import Entering, Window

PERMITTED, OCCUPATION, WAR = "E", "B", "K"
FREE, JOIN, SIDED = "FREE", "JOIN", "SIDE "


def enter(window: Window, ruler: PowerId, line: Line, order: Enter) -> None:
    """Queue an entry."""
    figures = dict(order.figures)
    used = window.used.setdefault(ruler, set())
    source = _source(window, ruler, order)
    row = _find_row(window, ruler, order, source) or _found_here(window, ruler, order, source)
    code = (
        _figures_flaw(window, ruler, source, figures)
        or (None if _are_sides_known(window, ruler, order) else "V02")
        or ("V13" if not 1 <= order.ee <= EXPLORATION_UNITS or order.ee in used else None)
        or _exploration_flaw(window, ruler, order, row)
    )
    if code is None and row is not None:
        code = _kind_flaw(window, ruler, order, row) or _stack_flaw(window, ruler, order, row, figures)
        code = code or _losses_flaw(window, ruler, line, order, row)
    if code is not None or row is None:
        args = {"place": order.target, "source": order.source, "kind": order.kind, "number": order.ee}
        if not is_part(figures, whole := _all(window, ruler, source)):
            args["free"] = format_figures(whole) or phrase("figures.nothing")
            if code == "V02" and whole != window.stack(ruler, source):
                args["which"] = "enter_brought"
            elif code == "V02" and is_part(figures, landed(whole)):
                args["which"] = "enter_aboard"
        if code == "V16" and row is not None:
            args |= _why_not(window, ruler, order, row)
        if code == "V19" and goes_by_sea(figures):
            args |= {"which": "craft", "craft": format_figures(craft_among(_all(window, ruler, source)))}
        if code == "V17" and (until := window.rulers[ruler].protected) >= window.gr:
            args |= {"which": "protected", "until": until}
        if code == "V09":
            args |= {"cost": RIFT_MONEY, "have": window.free_money(ruler, source) - figures.get(MONEY, 0)}
        window.refuse(ruler, line, code or "V14", **args)
        return
    used.add(order.ee)
    window.entering.append(Entering(ruler, line, order, source, row.target))
    _set_aside(window, window.entering[-1], 1)
    if order.kind == PERMITTED:
        window.warn(ruler, line, "W5")
    if swims(order):
        window.warn(ruler, line, "W4")
    left = left_in(window, ruler, source)
    if window.owners.get(source) == ruler and warriors(window.stack(ruler, source)) and not warriors(left):
        window.warn(ruler, line, "W3", place=source)


def _set_aside(window: Window, entry: Entering, rifts: int) -> None:
    """Keep what an entry through a portal will cost, or with -1 set it free. Ruling KA202"""
    if is_through(entry.source, entry.target):
        window.mystics_at_work.money_due[entry.ruler, entry.source] += rifts * RIFT_MONEY
        window.mystics_at_work.zeh_due[entry.ruler] += rifts * RIFT_ZEH


def _source(window: Window, ruler: PowerId, order: Enter) -> Province:
    """The province where the figures are, or where an earlier entry brings them."""
    brought = (each.target for each in window.entering if each.ruler == ruler)
    named = next((place for place in brought if order.source in (place, gf_of(place))), None)
    return named or window.own_place(ruler, order.source) or order.source


def _all(window: Window, ruler: PowerId, place: Province) -> Figures:
    """What is in a province and what earlier entries bring there, less what the occupation is known to cost."""
    found = window.stack(ruler, place)
    _, known = window.sight(ruler)
    for each, paid in payments(window, ruler, place):
        found = plus(found, minus(brought(dict(each.order.figures), known, place), paid))
    return found


def payments(window: Window, ruler: PowerId, place: Province) -> Iterator[tuple[Entering, Figures]]:
    """The ruler's entries into a province, and what each is known to pay of the losses. Source: rules R-120"""
    due: int | None = None
    for each in sorted(window.entering, key=lambda each: each.order.ee):
        if each.ruler == ruler and each.target == place:
            due = known_losses(window, each) if due is None else due
            paid = payment(each.order, due)
            due = max(0, due - worth(paid))
            yield each, paid


def named_so_far(window: Window, ruler: PowerId, place: Province) -> Figures:
    """What earlier entries, trade, rifts and vortices take from a stack; what is in a caravan does not count."""
    due = window.mystics_at_work.money_due[ruler, place]
    found: Figures = {MONEY: due} if due else {}
    for offer in window.bargains.offers:
        if offer.ruler == ruler and offer.place == place and offer.caravan is None:
            found = plus(found, dict(offer.order.figures))
    for each in window.entering:
        if each.ruler == ruler and each.source == place:
            found = plus(found, dict(each.order.figures))
    return found


def left_in(window: Window, ruler: PowerId, place: Province) -> Figures:
    """What the ruler's lines so far leave in a province, with what earlier entries bring there."""
    return minus(_all(window, ruler, place), named_so_far(window, ruler, place))


def _figures_flaw(window: Window, ruler: PowerId, source: Province, figures: Figures) -> str | None:
    whole = _all(window, ruler, source)
    if not is_part(figures, whole):
        return "V02"
    return None if is_part(figures, left_in(window, ruler, source)) else "V31"


def _are_sides_known(window: Window, ruler: PowerId, order: Enter) -> bool:
    """Whether SIDE, if it is given, names another ruler."""
    sides = {PowerId(word.removeprefix(SIDED)) for word in order.rest if word.startswith(SIDED)}
    return sides <= window.rulers.keys() - {ruler}


def _find_row(window: Window, ruler: PowerId, order: Enter, source: Province) -> Explored | None:
    """The exploration of this round that the entry follows, from the same source if there is one."""
    rows = [row for row in window.state.explored.get(ruler, ()) if order.target in (row.target, gf_of(row.target))]
    from_here = [row for row in rows if row.source == source]
    return next(iter(sorted(from_here or rows, key=lambda row: (row.result != FULL, row.ee))), None)


def _found_here(window: Window, ruler: PowerId, order: Enter, source: Province) -> Explored | None:
    """Invaders can take natives' land where they are without exploring it again. Source: rules 4.4, KA212"""
    is_here = order.target in (source, gf_of(source)) and order.kind == OCCUPATION and not is_free(order)
    if not is_here or window.rulers[ruler].kind != INVADER or window.land.is_sea(source):
        return None
    return Explored(order.ee, source, source) if window.stack(ruler, source) else None


def _exploration_flaw(window: Window, ruler: PowerId, order: Enter, row: Explored | None) -> str | None:
    if row is None:
        return "V14"
    return None if row.source == _source(window, ruler, order) else "V15"


def _kind_flaw(window: Window, ruler: PowerId, order: Enter, row: Explored) -> str | None:
    """Whether the kind fits what was found: V16, and V17 without a permission. Source: rules R-104, R-123"""
    seen, known = window.sight(ruler)
    owner = seen.owners.get(row.target)
    if is_free(order) and (order.kind != OCCUPATION or window.rulers[ruler].kind != INVADER):
        return "V16"
    is_mine = owner == ruler or ruler in seen.contested.get(row.target, ())
    if is_mine:
        return None if order.kind == PERMITTED else "V16"
    if row.result != FULL:
        if order.kind != WAR:
            return "V16"
    elif owner is None:
        # Onto the high sea in peace, or against the fleets there. Ruling KA109
        if order.kind != OCCUPATION and not (order.kind == WAR and known.is_sea(row.target)):
            return "V16"
    elif order.kind == OCCUPATION:
        return "V16"
    if _is_barred(window, ruler, row, owner):
        return "V17"
    if order.kind == PERMITTED and owner is not None:
        return None if seen.permits_entry(owner, ruler, row.target, window.gr) else "V17"
    return None


def _why_not(window: Window, ruler: PowerId, order: Enter, row: Explored) -> dict[str, object]:
    """Why an entry is of the wrong kind, by what the ruler knows. Source: rules R-104"""
    seen, known = window.sight(ruler)
    owner = seen.owners.get(row.target)
    if owner == ruler or ruler in seen.contested.get(row.target, ()):
        return {"which": "own"}
    if row.result != FULL:
        return {"which": "unseen"}
    if owner is not None:
        return {"which": "owned", "owner": owner}
    return {} if is_free(order) or known.is_sea(row.target) else {"which": "natives"}


def _is_barred(window: Window, ruler: PowerId, row: Explored, owner: PowerId | None) -> bool:
    """Whether protection bars the way: the ruler's own always, that of new rulers into other realms.

    Source: rules R-123
    """
    if row.result == FULL and owner is None:
        return window.rulers[ruler].protected >= window.gr
    return is_known_to_be_barred(window, ruler, owner)


def _stack_flaw(window: Window, ruler: PowerId, order: Enter, row: Explored, figures: Figures) -> str | None:
    """Warriors, carriers and losses: V19, V06, V18. Source: rules R-087, R-104"""
    losses = None if order.losses is None else dict(order.losses)
    fighters = fighters_in(figures)
    if not fighters:
        return "V19"
    ashore = landed(figures)
    if losses is not None and is_part(losses, ashore) and not fighters_in(minus(ashore, losses)):
        return "V19"
    source = _source(window, ruler, order)
    _, known = window.sight(ruler)
    if stays_behind(window.entering, ruler, source, known) and not warriors(
        minus(left_in(window, ruler, source), figures)
    ):
        return "V19"
    if swims(order):
        return swim_flaw(figures, known, source, row.target)
    if goes_by_sea(figures) and has_module(window.state, "sea"):
        return entry_flaw(figures, known, source, row.target)
    if is_through(source, row.target):
        return _rift_flaw(window, ruler, order, source, figures)
    return None if is_carried(figures) and not is_overseas(known, source, row.target) else "V06"


def _rift_flaw(window: Window, ruler: PowerId, order: Enter, source: Province, figures: Figures) -> str | None:
    """What prevents an entry through a portal: it needs the mystic, who has to pay for all the ruler's entries.

    Ruling KA202
    """
    named = [*figures, *dict(order.losses or ())]
    if any(kind_of(item).code == MYSTIC for item in named):
        return "V02"
    if not leads(window, ruler, source, order.target):
        return "V03"
    due = named_so_far(window, ruler, source).get(MONEY, 0), window.mystics_at_work.zeh_due[ruler]
    return flaw(window, ruler, source, figures, due=due)


def stays_behind(entries: Iterable[Entering], ruler: PowerId, province: Province, land: Land) -> bool:
    """Whether entries of the ruler take a province, so that a warrior has to stay there. Source: rules R-119

    Nobody stays on the high sea, which nobody owns. Ruling KA105
    """
    return not land.is_sea(province) and any(
        each.ruler == ruler and each.target == province and each.order.kind in (OCCUPATION, WAR) for each in entries
    )


def is_overseas(land: Land, source: Province, target: Province) -> bool:
    """Whether only water joins two provinces, so that figures cross in craft. Source: rules 9.3"""
    return not land.may_be_linked(source, target) and waters.may_be_sailed(land, source, target)


def _losses_flaw(window: Window, ruler: PowerId, line: Line, order: Enter, row: Explored) -> str | None:
    """V18 if the ruler's entries into the same land together can't pay the losses. R-104, R-120"""
    if order.losses is not None and not is_part(dict(order.losses), landed(dict(order.figures))):
        return "V18"
    needed = 0 if is_free(order) else _known_price(window, ruler, order.kind, row)
    if not needed:
        return None
    able = most_payable(order)
    able += sum(most_payable(each.order) for each in window.entering if _is_with(each, ruler, row.target))
    if able < needed:
        able += sum(map(most_payable, _expected(window, ruler, line, order, row)))
    return None if able >= needed else "V18"


def is_free(order: Enter) -> bool:
    """Whether invaders enter natives' land without losses, and without taking it. Source: rules 4.4"""
    return FREE in order.rest


def _is_with(entry: Entering, ruler: PowerId, target: Province) -> bool:
    """Whether an entry shares the losses with other entries of the ruler into the same land."""
    is_payer = entry.order.kind == OCCUPATION and not is_free(entry.order)
    return entry.ruler == ruler and entry.target == target and is_payer


def _expected(window: Window, ruler: PowerId, line: Line, order: Enter, row: Explored) -> Iterator[Enter]:
    """Entries further down in the sheet into the same land that could share the losses: the next one of each EE."""
    left: dict[Province, Figures] = {}
    spent = {*window.used.get(ruler, ()), order.ee}
    for ee in range(1, EXPLORATION_UNITS + 1):
        if ee in spent:
            continue
        other = window.next_entry(ruler, ee, gf_of(row.target), line.number)
        if (
            other is None
            or other.kind != OCCUPATION
            or is_free(other)
            or other.target not in (row.target, gf_of(row.target))
        ):
            continue
        source = _source(window, ruler, other)
        rest = left.get(source)
        if rest is None:
            rest = left_in(window, ruler, source)
            if source == _source(window, ruler, order):
                rest = minus(rest, dict(order.figures))
        figures = dict(other.figures)
        if is_part(figures, rest) and fighters_in(figures) and (goes_by_sea(figures) or is_carried(figures)):
            left[source] = minus(rest, figures)
            yield other


def close_sheet(window: Window, ruler: PowerId) -> None:
    """Once all lines are read: refuse entries that relied on refused ones to share the losses, and so on.

    Source: rules R-104, R-120
    """
    own = [each for each in window.entering if _is_with(each, ruler, each.target)]
    for target in dict.fromkeys(each.target for each in own):
        group = [each for each in own if each.target == target]
        if sum(most_payable(each.order) for each in group) < known_losses(window, group[0]):
            for each in group:
                _take_back(window, each, "V18")
    is_settled = False
    while not is_settled:
        is_settled = True
        for each in [each for each in window.entering if each.ruler == ruler]:
            if not is_part(named_so_far(window, ruler, each.source), _all(window, ruler, each.source)):
                _take_back(window, each, "V02")
                is_settled = False


def _take_back(window: Window, entry: Entering, code: str) -> None:
    window.entering.remove(entry)
    order = entry.order
    window.used[entry.ruler].discard(order.ee)
    _set_aside(window, entry, -1)
    args = {"place": order.target, "source": order.source, "kind": order.kind, "number": order.ee}
    window.refuse(entry.ruler, entry.line, code, **args)


def fighters_in(figures: Figures) -> int:
    """How many warriors or agents there are; at least one is needed. Source: rules R-087"""
    return warriors(figures) + sum(count for item, count in figures.items() if kind_of(item).code == "Ag")


def known_losses(window: Window, entry: Entering) -> int:
    """What an entry costs as far as the ruler has seen."""
    row = _find_row(window, entry.ruler, entry.order, entry.source)
    return 0 if row is None or is_free(entry.order) else _known_price(window, entry.ruler, entry.order.kind, row)


def _known_price(window: Window, ruler: PowerId, kind: str, row: Explored) -> int:
    _, land = window.sight(ruler)
    centre = land.centre(row.target)
    return centre.centre.losses if kind == OCCUPATION and row.result == FULL and centre is not None else 0


def most_payable(order: Enter) -> int:
    """The most that an entry can pay: what LOSS names, else all except the most expensive warrior. R-111"""
    if order.losses is not None:
        return worth(dict(order.losses))
    figures = {item: count for item, count in landed(dict(order.figures)).items() if _is_payable(item)}
    dearest = max((kind_of(item).price or 0 for item in figures if kind_of(item).is_warrior), default=0)
    return worth(figures) - (dearest if warriors(dict(order.figures)) == warriors(figures) else 0)


def payment(order: Enter, due: int) -> Figures:
    """What an entry pays of losses: all of them, or as much as it can. Source: rules R-040, R-111, R-120"""
    if due <= 0:
        return {}
    if order.losses is not None:
        return dict(order.losses)
    figures = landed(dict(order.figures))
    return cheapest(figures, min(due, most_payable(order))) or {}


_FIRST = {Group.MONEY: 0, Group.GEAR: 1, Group.ANIMAL: 2}


def cheapest(figures: Figures, needed: int) -> Figures | None:
    """What pays losses if LOSS is not given: RE, gear, animals, warriors, the cheapest first, never the last warrior.

    `None` if that is not enough. Source: rules R-040, R-111
    """
    paid: Counter[str] = Counter()
    left = needed
    payable = [item for item in figures if _is_payable(item)]
    last = warriors(figures)
    for item in sorted(payable, key=_turn):
        price = kind_of(item).price or 0
        for _ in range(figures[item]):
            if left <= 0:
                return dict(paid)
            if kind_of(item).is_warrior:
                if last == 1:
                    break
                last -= 1
            paid[item] += 1
            left -= price
    return dict(paid) if left <= 0 else None


def _is_payable(item: str) -> bool:
    kind = kind_of(item)
    return bool(kind.price) and "[" not in item and (kind.is_warrior or kind.group in _FIRST)


def _turn(item: str) -> tuple[int, int, str]:
    kind = kind_of(item)
    return _FIRST.get(kind.group, 3), kind.price or 0, item


def settle(window: Window, ruler: PowerId, line: Line, order: Settle) -> None:
    """Name who should get contested land; that ruler gets it once all contestants name the same one.

    Source: rules R-041, R-112
    """
    seen, _ = window.sight(ruler)
    at = next((place for place in seen.contested if order.at in (place, gf_of(place))), None)
    if at is None or ruler not in seen.contested[at] or order.who not in seen.contested[at]:
        window.refuse(ruler, line, "V02", place=order.at)
        return
    window.settling.setdefault(at, {})[ruler] = (line, PowerId(order.who))
    window.warn(ruler, line, "W5")
