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
from engine.kalevala.wizards.spells import is_wizard
from engine.kalevala.working import Entering, Round, Step, in_seat_order


def walk_in(round_: Round) -> None:
    """Entries that nobody bars: into own land, land that the ruler contests, or with a permission.

    Source: rules 15.2
    """
    owners, contested = dict(round_.owners), dict(round_.contested)
    for entry in _by_turns(round_):
        host = owners.get(entry.target)
        if _is_open(round_, entry, host, contested.get(entry.target, ())):
            _walk_in(round_, entry, host)


def march_on(round_: Round, *more: Step) -> None:
    """Entries of figures that other entries of this P4 brought to where they start: the same steps again.

    Ruling KA19
    """
    while any(_is_pending(round_, entry) for entry in round_.entering):
        done = len(round_.entered)
        for step in (walk_in, occupy, conquer, *more):
            step(round_)
        if len(round_.entered) == done:
            for entry in _in_turn(round_):
                round_.entered.add((entry.ruler, entry.order.ee))
                round_.void(entry.ruler, entry.line, "V02", place=entry.source)


def _in_turn(round_: Round) -> list[Entering]:
    """Entries not yet carried out, by EE number, then ruler; there are none in a rehearsal. Source: rules R-100"""
    if round_.dice is None:
        return []
    return sorted(
        (entry for entry in round_.entering if _is_pending(round_, entry)),
        key=lambda entry: (entry.order.ee, entry.ruler),
    )


def _is_pending(round_: Round, entry: Entering) -> bool:
    return round_.dice is not None and (entry.ruler, entry.order.ee) not in round_.entered


def _by_turns(round_: Round) -> Iterator[Entering]:
    """Entries whose figures are there, in their turn; again as long as some bring figures for others."""
    done = -1
    while done < len(round_.entered):
        done = len(round_.entered)
        for entry in _in_turn(round_):
            if not _waits(round_, entry):
                yield entry


def _waits(round_: Round, entry: Entering) -> bool:
    """Whether another entry has yet to bring its figures, or the one that stays in land taken on the way."""
    figures, stack = dict(entry.order.figures), round_.stack(entry.ruler, entry.source)
    coming = [
        other
        for other in round_.entering
        if other is not entry
        and (other.ruler, other.target) == (entry.ruler, entry.source)
        and _is_pending(round_, other)
    ]
    if not is_part(figures, stack):
        return bool(coming)
    return stays_behind(coming, entry.ruler, entry.source, round_.land) and not warriors(minus(stack, figures))


def _is_open(round_: Round, entry: Entering, host: PowerId | None, contestants: Collection[PowerId]) -> bool:
    """Whether nobody bars the way: own land, land that the ruler contests, a permission, an ally who was there first.

    Permissions count while they are valid.
    """
    if host == entry.ruler or entry.ruler in contestants:
        return True
    if host is None:
        return False
    is_guest = entry.order.kind == PERMITTED and is_permitted(round_, host, entry.ruler, entry.target)
    return is_guest or _took_it_for_both(round_, entry, host)


def _took_it_for_both(round_: Round, entry: Entering, host: PowerId) -> bool:
    """Whether an ally took the land of an entry from others in this P4: the two don't fight over it. B1, KA292"""
    is_won = round_.state.owners.get(entry.target) not in (host, entry.ruler)
    return is_won and are_allied(round_, entry.ruler, host)


def _ready(round_: Round, entry: Entering) -> Entering | None:
    """The entry, if its figures are where it starts and can go. Source: rules R-087, R-119

    Of swimmers only the survivors go.
    """
    round_.entered.add((entry.ruler, entry.order.ee))
    figures, stack = dict(entry.order.figures), round_.stack(entry.ruler, entry.source)
    earlier = (other for other in round_.entering if not _is_pending(round_, other) and other is not entry)
    code = None
    if not is_part(figures, stack):
        code = "V02"
    elif stays_behind(earlier, entry.ruler, entry.source, round_.land) and not warriors(minus(stack, figures)):
        code = "V19"
    elif swims(entry.order):
        code = None if waters.banks(round_.land, entry.source, entry.target) else "V03"
    elif goes_by_sea(figures):
        code = None if waters.is_sailed(round_.land, entry.source, entry.target) else "V03"
    elif is_through(entry.source, entry.target):
        code = _rift_flaw(round_, entry)
    elif is_overseas(round_.land, entry.source, entry.target):
        code = "V06"
    if code is not None:
        round_.void(entry.ruler, entry.line, code, place=entry.source, **_price(round_, entry))
        return None
    return swim_over(round_, entry) if swims(entry.order) else entry


def _price(round_: Round, entry: Entering) -> dict[str, int]:
    """What a rift costs, and what is there to pay for it."""
    have = round_.money(entry.ruler, entry.source) - dict(entry.order.figures).get(MONEY, 0)
    return {"cost": RIFT_MONEY, "have": have} if is_through(entry.source, entry.target) else {}


def _rift_flaw(round_: Round, entry: Entering) -> str | None:
    """Why an entry can't go through a portal now: no mystic, not enough to pay with, an owner who lets nobody in.

    KA202
    """
    host, contestants = round_.owners.get(entry.target), round_.contested.get(entry.target, ())
    is_held = host is not None or bool(contestants)
    if entry.order.kind != WAR and is_held and not _is_open(round_, entry, host, contestants):
        return "V17"
    if not leads(round_, entry.ruler, entry.source, entry.target):
        return "V03"
    return flaw(round_, entry.ruler, entry.source, dict(entry.order.figures))


def _walk_in(round_: Round, entry: Entering, host: PowerId | None) -> None:
    """Enter own land, land that the ruler contests, or another's as a guest. Source: rules 15.2, R-111"""
    if host not in (None, entry.ruler) and is_shielded(round_, host):
        round_.entered.add((entry.ruler, entry.order.ee))
        round_.void(entry.ruler, entry.line, "V17", which="shielded", place=entry.target)
        return
    ready = _ready(round_, entry)
    if ready is None:
        return
    entry = ready
    figures = _arrive(round_, entry)
    round_.shift(entry.ruler, figures, entry.source, entry.target)
    round_.walked.append(entry)
    if host not in (None, entry.ruler) and not is_permitted(round_, host, entry.ruler, entry.target):
        round_.permits.append(Permit(host, entry.ruler, entry.target, round_.gr + 1))  # for a round, as in R-112
    hosts = [host] if host is not None else []  # invaders pass through natives' land too
    args = {"gf": entry.target, "figures": format_figures(figures), "guest": entry.ruler, "host": host}
    round_.tell("entered", dict.fromkeys((entry.ruler, *hosts)), args)


def _arrive(round_: Round, entry: Entering) -> Figures:
    """What comes to the target, ready to be put there: those who came by sea to land have gone ashore. Ruling KA104"""
    figures = dict(entry.order.figures)
    if is_through(entry.source, entry.target):
        return pay(round_, entry.ruler, entry.source, figures)
    if goes_by_sea(figures) and not round_.land.is_sea(entry.target):
        put_ashore(round_, entry.ruler, entry.source, figures)
    return brought(figures, round_.land, entry.target)


def _sail_in(round_: Round, entry: Entering) -> None:
    """Sail onto the high sea, which becomes a known way but belongs to nobody. Source: rules 8.1, 9.3"""
    if _ready(round_, entry) is None:
        return
    figures = dict(entry.order.figures)
    round_.shift(entry.ruler, figures, entry.source, entry.target)
    words = "sailed" if remember_sea(round_, entry.ruler, entry.target) else "sailed_again"
    args = {"gf": entry.target, "figures": format_figures(figures)}
    round_.tell("sailed", [entry.ruler], args, words=words)
    seizing.raid(round_, entry.ruler, entry.target, {name for name in round_.rulers if _is_foe(round_, entry, name)})


# Occupation


def occupy(round_: Round) -> None:
    """Occupy land that nobody owns: each ruler pays the losses once; if there are several, they contest it.

    Source: rules 15.3, R-086, R-120
    """
    free = {entry.target for entry in _in_turn(round_)} - round_.owners.keys() - round_.contested.keys()
    due: dict[tuple[PowerId, Province], int] = {}
    arrived: dict[Province, list[Entering]] = {}
    paid: dict[tuple[PowerId, Province], list[Figures]] = {}
    for entry in _by_turns(round_):
        if entry.target not in free:
            continue
        if round_.land.is_sea(entry.target) and is_held(round_, entry):
            continue
        if round_.land.is_sea(entry.target):
            _sail_in(round_, entry)
            continue
        if is_free(entry.order):
            _walk_in(round_, entry, None)
            continue
        key = entry.ruler, entry.target
        if key not in due:
            due[key] = _losses(round_, entry.target)
        rest = _others_pay(round_, entry)
        ready = _ready(round_, entry)
        if ready is None:
            continue
        entry = ready
        if most_payable(entry.order) + rest < due[key]:
            round_.void(entry.ruler, entry.line, "V18", place=entry.target)
            continue
        cost = payment(entry.order, due[key])
        ashore = landed(dict(entry.order.figures))
        if not is_part(cost, ashore) or not fighters_in(minus(ashore, cost)):
            # A battle or the water took some of those whom LOSS names.
            round_.void(entry.ruler, entry.line, "V19" if is_part(cost, ashore) else "V18", place=entry.target)
            continue
        arriving = _arrive(round_, entry)
        for item, count in cost.items():
            round_.book(entry.ruler, entry.source, item, -count, "occupation")
        due[key] = max(0, due[key] - worth(cost))
        paid.setdefault(key, []).append(cost)
        left = minus(arriving, cost)
        round_.shift(entry.ruler, left, entry.source, entry.target)
        arrived.setdefault(entry.target, []).append(entry)
    for province in sorted(arrived, key=order_of):
        _take(round_, province, arrived[province], paid)


def _losses(round_: Round, province: Province) -> int:
    centre = round_.land.centre(province)
    return 0 if centre is None else centre.centre.losses


def _others_pay(round_: Round, entry: Entering) -> int:
    """What the ruler's later entries into the same land can pay. Source: rules R-120"""
    return sum(
        most_payable(other.order)
        for other in _in_turn(round_)
        if other is not entry
        and (other.ruler, other.target) == (entry.ruler, entry.target)
        and not is_free(other.order)
        and (is_part(dict(other.order.figures), round_.stack(other.ruler, other.source)) or _waits(round_, other))
    )


def _take(
    round_: Round,
    province: Province,
    entries: list[Entering],
    paid: dict[tuple[PowerId, Province], list[Figures]],
) -> None:
    """A ruler who has come into natives' land owns it, if nobody else has come.

    Source: rules 15.3, R-112, ruling KA13
    """
    rulers = list(in_seat_order(round_, (*(entry.ruler for entry in entries), *_hordes(round_, province))))
    if len(rulers) > 1:
        round_.contested[province] = tuple(sorted(rulers))
        round_.tell("contested", rulers, {"gf": province, "rulers": sorted(rulers)}, names=sorted(rulers))
        for each in rulers:
            if cost := _together(paid.get((each, province), [])):
                args = {"gf": province, "losses": _losses(round_, province), "paid": format_figures(cost)}
                round_.tell("contest_paid", [each], args)
        return
    ruler = rulers[0]
    _own(round_, ruler, province, entries)
    cost = _together(paid[ruler, province])
    centre = round_.centre(province)
    hz = None if centre is None else {"type": centre.type, "kf": centre.cell, "name": centre.name or None}
    args = {"gf": province, "hz": hz, "losses": _losses(round_, province), "paid": format_figures(cost)}
    name = called(round_.land, province)
    words = ("occupied_named" if cost else "occupied_named_free") if name else "" if cost else "occupied_free"
    round_.tell("occupied", [ruler], args, words=words, name=name)


def _hordes(round_: Round, province: Province) -> Iterator[PowerId]:
    """Invaders whose people are in natives' land, who contest it with anybody who occupies it. Ruling KA213"""
    for name, own in round_.rulers.items():
        if own.kind == INVADER and has_people(round_.stack(name, province)):
            yield name


def _together(stacks: list[Figures]) -> Figures:
    found: dict[str, int] = {}
    for stack in stacks:
        for item, count in stack.items():
            found[item] = found.get(item, 0) + count
    return found


def _own(round_: Round, ruler: PowerId, province: Province, entries: list[Entering]) -> None:
    """Natives' land gets an owner: the centre is founded, its field and name are given. Source: rules 15.3"""
    round_.owners[province] = ruler
    take_what_lies(round_, ruler, province)
    round_.newly.setdefault(ruler, {})[province] = round_.gr
    centre, name = round_.land.centre(province), next(filter(None, map(_name_in, entries)), "")
    if centre is None:
        if name and round_.land.field(province).centre is None and not called(round_.land, province):
            _name_land(round_, gf_of(province), name)
        return
    cell = centre.cell
    if cell is None:
        wanted = [entry.order.cell for entry in entries if entry.order.cell in round_.land.cells(province)]
        cell = wanted[0] if wanted else min(round_.land.cells(province))
    round_.set_field(province, centre=replace(centre, cell=cell, name=centre.name or name, is_founded=True))


def _name_in(entry: Entering) -> str:
    """The name that an ENTER line gives, no longer than a name may be. Ruling KA238"""
    return " ".join(entry.order.name.split())[:LONGEST_NAME]


def rename(round_: Round, entry: Entering) -> None:
    """Conquered land gets the name of the ENTER line: its trade centre if that was taken, else the land. Rules 15.4"""
    gf, name = gf_of(entry.target), _name_in(entry)
    field = round_.land.field(gf)
    at = entry.target if field.centre is None else round_.land.at(gf, field.centre.cell or 0)
    is_meant = at == entry.target or not round_.land.has(entry.target)
    if not name or not is_meant or at is None or round_.owners.get(at) != entry.ruler:
        return
    if field.centre is not None:
        round_.set_field(gf, centre=replace(field.centre, name=name))
    else:
        _name_land(round_, gf, name)


def _name_land(round_: Round, gf: GfId, name: str) -> None:
    names = round_.land.field(gf).names
    round_.set_field(gf, names={**names, LAND.casefold(): name})


# Contests


def settle(round_: Round) -> None:
    """Contested land goes to the ruler whom all contestants name; the others' figures are guests for a round. R-112"""
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


# Entries into empty land of others


def conquer(round_: Round) -> None:
    """War against land in which nobody stands: it changes hands at once. Source: rules B26, R-086, R-113

    Where somebody stands there is a battle (`assaults`). Figures without a warrior take no land. Ruling KA3
    """
    for entry in _by_turns(round_):
        owner = round_.owners.get(entry.target)
        contestants = round_.contested.get(entry.target, ())
        if owner is not None and _took_it_for_both(round_, entry, owner):
            _walk_in(round_, entry, owner)
            continue
        if (owner is None and not contestants) or _is_open(round_, entry, owner, contestants):
            continue
        has_warriors = bool(warriors(dict(entry.order.figures)))
        if has_warriors and is_held(round_, entry) and not is_shielded(round_, owner):
            continue
        ready = _ready(round_, entry)
        if ready is None:
            continue
        entry = ready
        if is_shielded(round_, owner):
            round_.void(entry.ruler, entry.line, "V17", which="shielded", place=entry.target)
        elif owner is None or not has_warriors:
            which = "contested" if owner is None else "no_warrior"
            round_.void(entry.ruler, entry.line, "V30", which=which, place=entry.target)
        else:
            _walk_over(round_, entry, owner)


def assaults(round_: Round) -> list[Entering]:
    """Attacks that can be carried out now and that meet somebody: they lead to battles. Source: rules 15.4"""
    found: list[Entering] = []
    left: dict[tuple[PowerId, Province], Figures] = {}
    # Waiting is tested first: an assault whose turn has come no longer waits, but its figures are not there yet.
    for entry in [entry for entry in _in_turn(round_) if not _waits(round_, entry) and is_held(round_, entry)]:
        key = entry.ruler, entry.source
        rest = left.setdefault(key, round_.stack(*key))
        ready = _ready(round_, entry)
        if ready is None:
            continue
        if not is_part(dict(ready.order.figures), rest):
            round_.void(entry.ruler, entry.line, "V02", place=entry.source)
            continue
        if is_through(entry.source, entry.target):
            ready = _go_through(round_, ready)
            rest = round_.stack(*key)
        left[key] = minus(rest, dict(ready.order.figures))
        found.append(ready)
    return found


def _go_through(round_: Round, entry: Entering) -> Entering:
    """Attackers through a portal pay for the rift before the battle. Ruling KA206"""
    going = named(pay(round_, entry.ruler, entry.source, dict(entry.order.figures)))
    found = replace(entry, order=replace(entry.order, figures=going))
    round_.entering[round_.entering.index(entry)] = found
    return found


def is_held(round_: Round, entry: Entering) -> bool:
    """Whether others stand in the target of an entry that has no permission."""
    owner = round_.owners.get(entry.target)
    contestants = round_.contested.get(entry.target, ())
    if round_.land.is_sea(entry.target):
        return any(_is_met(round_, entry, name) for name in round_.stacks)
    if (owner is None and not contestants) or _is_open(round_, entry, owner, contestants):
        return False
    return any(has_people(own.get(entry.target, {})) for name, own in round_.stacks.items() if name != entry.ruler)


def _is_met(round_: Round, entry: Entering, name: PowerId) -> bool:
    """Whether there is a fleet on the high sea, and it is attacked."""
    return has_people(round_.stack(name, entry.target)) and _is_foe(round_, entry, name)


def _is_foe(round_: Round, entry: Entering, name: PowerId) -> bool:
    """Whether an entry onto the high sea attacks a ruler's ships: with K, or if one of the two is at war. KA109"""
    if name == entry.ruler or is_shielded(round_, name) or are_allied(round_, entry.ruler, name):
        return False
    return entry.order.kind == WAR or are_at_war(round_, entry.ruler, name)


def take_booty(round_: Round, loser: PowerId, winner: PowerId, province: Province) -> Figures:
    """Everything that lies unguarded in a province falls to another ruler, but no wizard does. Returns what it is,
    apart from kings. Source: rules R-113
    """
    wizards = {item: n for item, n in with_loads(round_.stack(loser, province)).items() if is_wizard(item)}
    leave_craft(round_, loser, province, wizards)
    taken = minus(round_.stack(loser, province), wizards)
    for item, count in taken.items():
        if is_king(item):
            captivity.carry_off(round_, loser, winner, province)
            continue
        round_.book(loser, province, item, -count, "booty")
        round_.book(winner, province, item, count, "booty")
    return {item: count for item, count in taken.items() if not is_king(item)}


def take_unguarded(round_: Round, loser: PowerId, winner: PowerId, province: Province) -> Figures:
    """What a ruler left unguarded falls to another, and both are told of it. Returns what it is.

    Source: R-113, rulings KA296, KA308
    """
    taken = take_booty(round_, loser, winner, province)
    if taken:
        args = {"gf": province, "figures": format_figures(taken)}
        round_.tell("forfeited", [loser], args)
        round_.tell("forfeited", [winner], {**args, "of": loser}, words="forfeited_to")
    return taken


def take_what_lies(round_: Round, ruler: PowerId, province: Province) -> None:
    """What others have left in natives' land, with nobody but slaves or a wizard, falls to its first owner. KA296"""
    for name, own in list(round_.stacks.items()):
        if name != ruler and not holds_land(own.get(province, {})):
            take_unguarded(round_, name, ruler, province)


def _walk_over(round_: Round, entry: Entering, owner: PowerId) -> None:
    ruler, province, figures = entry.ruler, entry.target, _arrive(round_, entry)
    round_.shift(ruler, figures, entry.source, province)
    others = [name for name in round_.stacks if name != ruler]
    lost = {name: taken for name in others if (taken := take_unguarded(round_, name, ruler, province))}
    round_.owners[province] = ruler
    round_.newly.get(owner, {}).pop(province, None)
    round_.known.setdefault(owner, set()).add(province)
    rename(round_, entry)
    args = {"gf": [province], "from": owner, "to": ruler, "battle": province}
    round_.tell("conquered", [ruler, owner], args, place=province, loser=owner, winner=ruler)
    battle = {
        "id": province,
        "gf": [entry.source, province],
        "sides": [[ruler], [owner]],
        "kr": 0,
        "end": "empty",
        "winner": ruler,
        "losses": {name: format_figures(taken) for name, taken in lost.items()},
    }
    round_.tell("battle", [ruler], battle, place=province)
    plan = plan_of_attack(round_, entry)
    if plan.takes_more_than_land:
        round_.battles_at_work.sacked_from.add(entry.source)
        plunder.sack_undefended(round_, province, ruler, owner, plan)
