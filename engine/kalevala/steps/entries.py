"""P4: permitted entries, occupations, settled contests, entries into empty land.

Source: rules 5.2, 15.2 to 15.4, R-100
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from engine.core.ids import PowerId
from engine.kalevala.coordinates import GfId, Province, gf_of, order_of
from engine.kalevala.culture.facts import LAND, LONGEST_NAME, called
from engine.kalevala.figures import (
    MONEY,
    Figures,
    format_figures,
    has_people,
    holds_land,
    is_part,
    minus,
    warriors,
    with_loads,
    worth,
)
from engine.kalevala.kings.facts import is_king
from engine.kalevala.model import INVADER, Permit
from engine.kalevala.orders import named
from engine.kalevala.planes.facts import RIFT_MONEY
from engine.kalevala.sea import waters
from engine.kalevala.sea.craft import landed
from engine.kalevala.steps import captivity, plunder, seizing
from engine.kalevala.steps.changing import flaw, is_through, leads, pay
from engine.kalevala.steps.entering import (
    PERMITTED,
    WAR,
    fighters_in,
    is_free,
    is_overseas,
    most_payable,
    payment,
    stays_behind,
)
from engine.kalevala.steps.mustering import plan_of_attack
from engine.kalevala.steps.realm import are_allied, are_at_war, is_permitted, is_shielded
from engine.kalevala.steps.sailing import brought, goes_by_sea, leave_craft, put_ashore, remember_sea, swim_over, swims
from engine.kalevala.window import Entering, Step, Window, in_seat_order
from engine.kalevala.wizards.spells import is_wizard


def walk_in(window: Window) -> None:
    """Entries that nobody bars: into own land, land that the ruler contests, or with a permission.

    Source: rules 15.2
    """
    owners, contested = dict(window.owners), dict(window.contested)
    for entry in _by_turns(window):
        host = owners.get(entry.target)
        if _is_open(window, entry, host, contested.get(entry.target, ())):
            _walk_in(window, entry, host)


def march_on(window: Window, *more: Step) -> None:
    """Entries of figures that other entries of this P4 brought to where they start: the same steps again.

    Ruling KA19
    """
    while any(_is_pending(window, entry) for entry in window.entering):
        done = len(window.entered)
        for step in (walk_in, occupy, conquer, *more):
            step(window)
        if len(window.entered) == done:
            for entry in _in_turn(window):
                window.entered.add((entry.ruler, entry.order.ee))
                window.void(entry.ruler, entry.line, "V02", place=entry.source)


def _in_turn(window: Window) -> list[Entering]:
    """Entries not yet carried out, by EE number, then ruler; there are none in a rehearsal. Source: rules R-100"""
    if window.dice is None:
        return []
    return sorted(
        (entry for entry in window.entering if _is_pending(window, entry)),
        key=lambda entry: (entry.order.ee, entry.ruler),
    )


def _is_pending(window: Window, entry: Entering) -> bool:
    return window.dice is not None and (entry.ruler, entry.order.ee) not in window.entered


def _by_turns(window: Window) -> Iterator[Entering]:
    """Entries whose figures are there, in their turn; again as long as some bring figures for others."""
    done = -1
    while done < len(window.entered):
        done = len(window.entered)
        for entry in _in_turn(window):
            if not _waits(window, entry):
                yield entry


def _waits(window: Window, entry: Entering) -> bool:
    """Whether another entry has yet to bring its figures, or the one that stays in land taken on the way."""
    figures, stack = dict(entry.order.figures), window.stack(entry.ruler, entry.source)
    coming = [
        other
        for other in window.entering
        if other is not entry
        and (other.ruler, other.target) == (entry.ruler, entry.source)
        and _is_pending(window, other)
    ]
    if not is_part(figures, stack):
        return bool(coming)
    return stays_behind(coming, entry.ruler, entry.source, window.land) and not warriors(minus(stack, figures))


def _is_open(window: Window, entry: Entering, host: PowerId | None, contestants: Collection[PowerId]) -> bool:
    """Whether nobody bars the way: own land, land that the ruler contests, a permission, an ally who was there first.

    Permissions count while they are valid.
    """
    if host == entry.ruler or entry.ruler in contestants:
        return True
    if host is None:
        return False
    is_guest = entry.order.kind == PERMITTED and is_permitted(window, host, entry.ruler, entry.target)
    return is_guest or _took_it_for_both(window, entry, host)


def _took_it_for_both(window: Window, entry: Entering, host: PowerId) -> bool:
    """Whether an ally took the land of an entry from others in this P4: the two don't fight over it. B1, KA292"""
    is_won = window.state.owners.get(entry.target) not in (host, entry.ruler)
    return is_won and are_allied(window, entry.ruler, host)


def _ready(window: Window, entry: Entering) -> Entering | None:
    """The entry, if its figures are where it starts and can go. Source: rules R-087, R-119

    Of swimmers only the survivors go.
    """
    window.entered.add((entry.ruler, entry.order.ee))
    figures, stack = dict(entry.order.figures), window.stack(entry.ruler, entry.source)
    earlier = (other for other in window.entering if not _is_pending(window, other) and other is not entry)
    code = None
    if not is_part(figures, stack):
        code = "V02"
    elif stays_behind(earlier, entry.ruler, entry.source, window.land) and not warriors(minus(stack, figures)):
        code = "V19"
    elif swims(entry.order):
        code = None if waters.banks(window.land, entry.source, entry.target) else "V03"
    elif goes_by_sea(figures):
        code = None if waters.is_sailed(window.land, entry.source, entry.target) else "V03"
    elif is_through(entry.source, entry.target):
        code = _rift_flaw(window, entry)
    elif is_overseas(window.land, entry.source, entry.target):
        code = "V06"
    if code is not None:
        window.void(entry.ruler, entry.line, code, place=entry.source, **_price(window, entry))
        return None
    return swim_over(window, entry) if swims(entry.order) else entry


def _price(window: Window, entry: Entering) -> dict[str, int]:
    """What a rift costs, and what is there to pay for it."""
    have = window.money(entry.ruler, entry.source) - dict(entry.order.figures).get(MONEY, 0)
    return {"cost": RIFT_MONEY, "have": have} if is_through(entry.source, entry.target) else {}


def _rift_flaw(window: Window, entry: Entering) -> str | None:
    """Why an entry can't go through a portal now: no mystic, not enough to pay with, an owner who lets nobody in.

    KA202
    """
    host, contestants = window.owners.get(entry.target), window.contested.get(entry.target, ())
    is_held = host is not None or bool(contestants)
    if entry.order.kind != WAR and is_held and not _is_open(window, entry, host, contestants):
        return "V17"
    if not leads(window, entry.ruler, entry.source, entry.target):
        return "V03"
    return flaw(window, entry.ruler, entry.source, dict(entry.order.figures))


def _walk_in(window: Window, entry: Entering, host: PowerId | None) -> None:
    """Enter own land, land that the ruler contests, or another's as a guest. Source: rules 15.2, R-111"""
    if host not in (None, entry.ruler) and is_shielded(window, host):
        window.entered.add((entry.ruler, entry.order.ee))
        window.void(entry.ruler, entry.line, "V17", which="shielded", place=entry.target)
        return
    ready = _ready(window, entry)
    if ready is None:
        return
    entry = ready
    figures = _arrive(window, entry)
    window.shift(entry.ruler, figures, entry.source, entry.target)
    window.walked.append(entry)
    if host not in (None, entry.ruler) and not is_permitted(window, host, entry.ruler, entry.target):
        window.permits.append(Permit(host, entry.ruler, entry.target, window.gr + 1))  # for a round, as in R-112
    hosts = [host] if host is not None else []  # invaders pass through natives' land too
    args = {"gf": entry.target, "figures": format_figures(figures), "guest": entry.ruler, "host": host}
    window.tell("entered", dict.fromkeys((entry.ruler, *hosts)), args)


def _arrive(window: Window, entry: Entering) -> Figures:
    """What comes to the target, ready to be put there: those who came by sea to land have gone ashore. Ruling KA104"""
    figures = dict(entry.order.figures)
    if is_through(entry.source, entry.target):
        return pay(window, entry.ruler, entry.source, figures)
    if goes_by_sea(figures) and not window.land.is_sea(entry.target):
        put_ashore(window, entry.ruler, entry.source, figures)
    return brought(figures, window.land, entry.target)


def _sail_in(window: Window, entry: Entering) -> None:
    """Sail onto the high sea, which becomes a known way but belongs to nobody. Source: rules 8.1, 9.3"""
    if _ready(window, entry) is None:
        return
    figures = dict(entry.order.figures)
    window.shift(entry.ruler, figures, entry.source, entry.target)
    words = "sailed" if remember_sea(window, entry.ruler, entry.target) else "sailed_again"
    args = {"gf": entry.target, "figures": format_figures(figures)}
    window.tell("sailed", [entry.ruler], args, words=words)
    seizing.raid(window, entry.ruler, entry.target, {name for name in window.rulers if _is_foe(window, entry, name)})


# Occupation


def occupy(window: Window) -> None:
    """Occupy land that nobody owns: each ruler pays the losses once; if there are several, they contest it.

    Source: rules 15.3, R-086, R-120
    """
    free = {entry.target for entry in _in_turn(window)} - window.owners.keys() - window.contested.keys()
    due: dict[tuple[PowerId, Province], int] = {}
    arrived: dict[Province, list[Entering]] = {}
    paid: dict[tuple[PowerId, Province], list[Figures]] = {}
    for entry in _by_turns(window):
        if entry.target not in free:
            continue
        if window.land.is_sea(entry.target) and is_held(window, entry):
            continue
        if window.land.is_sea(entry.target):
            _sail_in(window, entry)
            continue
        if is_free(entry.order):
            _walk_in(window, entry, None)
            continue
        key = entry.ruler, entry.target
        if key not in due:
            due[key] = _losses(window, entry.target)
        rest = _others_pay(window, entry)
        ready = _ready(window, entry)
        if ready is None:
            continue
        entry = ready
        if most_payable(entry.order) + rest < due[key]:
            window.void(entry.ruler, entry.line, "V18", place=entry.target)
            continue
        cost = payment(entry.order, due[key])
        ashore = landed(dict(entry.order.figures))
        if not is_part(cost, ashore) or not fighters_in(minus(ashore, cost)):
            # A battle or the water took some of those whom LOSS names.
            window.void(entry.ruler, entry.line, "V19" if is_part(cost, ashore) else "V18", place=entry.target)
            continue
        arriving = _arrive(window, entry)
        for item, count in cost.items():
            window.book(entry.ruler, entry.source, item, -count, "occupation")
        due[key] = max(0, due[key] - worth(cost))
        paid.setdefault(key, []).append(cost)
        left = minus(arriving, cost)
        window.shift(entry.ruler, left, entry.source, entry.target)
        arrived.setdefault(entry.target, []).append(entry)
    for province in sorted(arrived, key=order_of):
        _take(window, province, arrived[province], paid)


def _losses(window: Window, province: Province) -> int:
    centre = window.land.centre(province)
    return 0 if centre is None else centre.centre.losses


def _others_pay(window: Window, entry: Entering) -> int:
    """What the ruler's later entries into the same land can pay. Source: rules R-120"""
    return sum(
        most_payable(other.order)
        for other in _in_turn(window)
        if other is not entry
        and (other.ruler, other.target) == (entry.ruler, entry.target)
        and not is_free(other.order)
        and (is_part(dict(other.order.figures), window.stack(other.ruler, other.source)) or _waits(window, other))
    )


def _take(
    window: Window,
    province: Province,
    entries: list[Entering],
    paid: dict[tuple[PowerId, Province], list[Figures]],
) -> None:
    """A ruler who has come into natives' land owns it, if nobody else has come.

    Source: rules 15.3, R-112, ruling KA13
    """
    rulers = list(in_seat_order(window, (*(entry.ruler for entry in entries), *_hordes(window, province))))
    if len(rulers) > 1:
        window.contested[province] = tuple(sorted(rulers))
        window.tell("contested", rulers, {"gf": province, "rulers": sorted(rulers)}, names=sorted(rulers))
        for each in rulers:
            if cost := _together(paid.get((each, province), [])):
                args = {"gf": province, "losses": _losses(window, province), "paid": format_figures(cost)}
                window.tell("contest_paid", [each], args)
        return
    ruler = rulers[0]
    _own(window, ruler, province, entries)
    cost = _together(paid[ruler, province])
    centre = window.centre(province)
    hz = None if centre is None else {"type": centre.type, "kf": centre.cell, "name": centre.name or None}
    args = {"gf": province, "hz": hz, "losses": _losses(window, province), "paid": format_figures(cost)}
    name = called(window.land, province)
    words = ("occupied_named" if cost else "occupied_named_free") if name else "" if cost else "occupied_free"
    window.tell("occupied", [ruler], args, words=words, name=name)


def _hordes(window: Window, province: Province) -> Iterator[PowerId]:
    """Invaders whose people are in natives' land, who contest it with anybody who occupies it. Ruling KA213"""
    for name, own in window.rulers.items():
        if own.kind == INVADER and has_people(window.stack(name, province)):
            yield name


def _together(stacks: list[Figures]) -> Figures:
    found: dict[str, int] = {}
    for stack in stacks:
        for item, count in stack.items():
            found[item] = found.get(item, 0) + count
    return found


def _own(window: Window, ruler: PowerId, province: Province, entries: list[Entering]) -> None:
    """Natives' land gets an owner: the centre is founded, its field and name are given. Source: rules 15.3"""
    window.owners[province] = ruler
    take_what_lies(window, ruler, province)
    window.newly.setdefault(ruler, {})[province] = window.gr
    centre, name = window.land.centre(province), next(filter(None, map(_name_in, entries)), "")
    if centre is None:
        if name and window.land.field(province).centre is None and not called(window.land, province):
            _name_land(window, gf_of(province), name)
        return
    cell = centre.cell
    if cell is None:
        wanted = [entry.order.cell for entry in entries if entry.order.cell in window.land.cells(province)]
        cell = wanted[0] if wanted else min(window.land.cells(province))
    window.set_field(province, centre=replace(centre, cell=cell, name=centre.name or name, is_founded=True))


def _name_in(entry: Entering) -> str:
    """The name that an ENTER line gives, no longer than a name may be. Ruling KA238"""
    return " ".join(entry.order.name.split())[:LONGEST_NAME]


def rename(window: Window, entry: Entering) -> None:
    """Conquered land gets the name of the ENTER line: its trade centre if that was taken, else the land. Rules 15.4"""
    gf, name = gf_of(entry.target), _name_in(entry)
    field = window.land.field(gf)
    at = entry.target if field.centre is None else window.land.at(gf, field.centre.cell or 0)
    is_meant = at == entry.target or not window.land.has(entry.target)
    if not name or not is_meant or at is None or window.owners.get(at) != entry.ruler:
        return
    if field.centre is not None:
        window.set_field(gf, centre=replace(field.centre, name=name))
    else:
        _name_land(window, gf, name)


def _name_land(window: Window, gf: GfId, name: str) -> None:
    names = window.land.field(gf).names
    window.set_field(gf, names={**names, LAND.casefold(): name})


# Contests


def settle(window: Window) -> None:
    """Contested land goes to the ruler whom all contestants name; the others' figures are guests for a round. R-112"""
    if window.dice is None:
        return
    for province, votes in sorted(window.settling.items(), key=lambda item: order_of(item[0])):
        names = window.contested.get(province, ())
        chosen = {who for _, who in votes.values()}
        if set(votes) != set(names) or len(chosen) != 1:
            for ruler, (line, _) in votes.items():
                window.fail(ruler, line, "unmatched")
            continue
        owner = chosen.pop()
        del window.contested[province]
        _own(window, owner, province, [])
        guests = [name for name in names if name != owner]
        window.permits += [Permit(owner, guest, province, window.gr + 1) for guest in guests]
        figures = {name: format_figures(window.stack(name, province)) for name in names if window.stack(name, province)}
        window.tell("settled", names, {"gf": province, "owner": owner, "figures": figures})


# Entries into empty land of others


def conquer(window: Window) -> None:
    """War against land in which nobody stands: it changes hands at once. Source: rules B26, R-086, R-113

    Where somebody stands there is a battle (`assaults`). Figures without a warrior take no land. Ruling KA3
    """
    for entry in _by_turns(window):
        owner = window.owners.get(entry.target)
        contestants = window.contested.get(entry.target, ())
        if owner is not None and _took_it_for_both(window, entry, owner):
            _walk_in(window, entry, owner)
            continue
        if (owner is None and not contestants) or _is_open(window, entry, owner, contestants):
            continue
        has_warriors = bool(warriors(dict(entry.order.figures)))
        if has_warriors and is_held(window, entry) and not is_shielded(window, owner):
            continue
        ready = _ready(window, entry)
        if ready is None:
            continue
        entry = ready
        if is_shielded(window, owner):
            window.void(entry.ruler, entry.line, "V17", which="shielded", place=entry.target)
        elif owner is None or not has_warriors:
            which = "contested" if owner is None else "no_warrior"
            window.void(entry.ruler, entry.line, "V30", which=which, place=entry.target)
        else:
            _walk_over(window, entry, owner)


def assaults(window: Window) -> list[Entering]:
    """Attacks that can be carried out now and that meet somebody: they lead to battles. Source: rules 15.4"""
    found: list[Entering] = []
    left: dict[tuple[PowerId, Province], Figures] = {}
    # Waiting is tested first: an assault whose turn has come no longer waits, but its figures are not there yet.
    for entry in [entry for entry in _in_turn(window) if not _waits(window, entry) and is_held(window, entry)]:
        key = entry.ruler, entry.source
        rest = left.setdefault(key, window.stack(*key))
        ready = _ready(window, entry)
        if ready is None:
            continue
        if not is_part(dict(ready.order.figures), rest):
            window.void(entry.ruler, entry.line, "V02", place=entry.source)
            continue
        if is_through(entry.source, entry.target):
            ready = _go_through(window, ready)
            rest = window.stack(*key)
        left[key] = minus(rest, dict(ready.order.figures))
        found.append(ready)
    return found


def _go_through(window: Window, entry: Entering) -> Entering:
    """Attackers through a portal pay for the rift before the battle. Ruling KA206"""
    going = named(pay(window, entry.ruler, entry.source, dict(entry.order.figures)))
    found = replace(entry, order=replace(entry.order, figures=going))
    window.entering[window.entering.index(entry)] = found
    return found


def is_held(window: Window, entry: Entering) -> bool:
    """Whether others stand in the target of an entry that has no permission."""
    owner = window.owners.get(entry.target)
    contestants = window.contested.get(entry.target, ())
    if window.land.is_sea(entry.target):
        return any(_is_met(window, entry, name) for name in window.stacks)
    if (owner is None and not contestants) or _is_open(window, entry, owner, contestants):
        return False
    return any(has_people(own.get(entry.target, {})) for name, own in window.stacks.items() if name != entry.ruler)


def _is_met(window: Window, entry: Entering, name: PowerId) -> bool:
    """Whether there is a fleet on the high sea, and it is attacked."""
    return has_people(window.stack(name, entry.target)) and _is_foe(window, entry, name)


def _is_foe(window: Window, entry: Entering, name: PowerId) -> bool:
    """Whether an entry onto the high sea attacks a ruler's ships: with K, or if one of the two is at war. KA109"""
    if name == entry.ruler or is_shielded(window, name) or are_allied(window, entry.ruler, name):
        return False
    return entry.order.kind == WAR or are_at_war(window, entry.ruler, name)


def take_booty(window: Window, loser: PowerId, winner: PowerId, province: Province) -> Figures:
    """Everything that lies unguarded in a province falls to another ruler, but no wizard does. Returns what it is,
    apart from kings. Source: rules R-113
    """
    wizards = {item: n for item, n in with_loads(window.stack(loser, province)).items() if is_wizard(item)}
    leave_craft(window, loser, province, wizards)
    taken = minus(window.stack(loser, province), wizards)
    for item, count in taken.items():
        if is_king(item):
            captivity.carry_off(window, loser, winner, province)
            continue
        window.book(loser, province, item, -count, "booty")
        window.book(winner, province, item, count, "booty")
    return {item: count for item, count in taken.items() if not is_king(item)}


def take_unguarded(window: Window, loser: PowerId, winner: PowerId, province: Province) -> Figures:
    """What a ruler left unguarded falls to another, and both are told of it. Returns what it is.

    Source: R-113, rulings KA296, KA308
    """
    taken = take_booty(window, loser, winner, province)
    if taken:
        args = {"gf": province, "figures": format_figures(taken)}
        window.tell("forfeited", [loser], args)
        window.tell("forfeited", [winner], {**args, "of": loser}, words="forfeited_to")
    return taken


def take_what_lies(window: Window, ruler: PowerId, province: Province) -> None:
    """What others have left in natives' land, with nobody but slaves or a wizard, falls to its first owner. KA296"""
    for name, own in list(window.stacks.items()):
        if name != ruler and not holds_land(own.get(province, {})):
            take_unguarded(window, name, ruler, province)


def _walk_over(window: Window, entry: Entering, owner: PowerId) -> None:
    ruler, province, figures = entry.ruler, entry.target, _arrive(window, entry)
    window.shift(ruler, figures, entry.source, province)
    others = [name for name in window.stacks if name != ruler]
    lost = {name: taken for name in others if (taken := take_unguarded(window, name, ruler, province))}
    window.owners[province] = ruler
    window.newly.get(owner, {}).pop(province, None)
    window.known.setdefault(owner, set()).add(province)
    rename(window, entry)
    args = {"gf": [province], "from": owner, "to": ruler, "battle": province}
    window.tell("conquered", [ruler, owner], args, place=province, loser=owner, winner=ruler)
    battle = {
        "id": province,
        "gf": [entry.source, province],
        "sides": [[ruler], [owner]],
        "kr": 0,
        "end": "empty",
        "winner": ruler,
        "losses": {name: format_figures(taken) for name, taken in lost.items()},
    }
    window.tell("battle", [ruler], battle, place=province)
    plan = plan_of_attack(window, entry)
    if plan.takes_more_than_land:
        window.battles_at_work.sacked_from.add(entry.source)
        plunder.sack_undefended(window, province, ruler, owner, plan)
