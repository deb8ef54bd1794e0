"""Gods on Archeron: who they are, what they learn, where they go, what they meet, and their fights.

Its fields have no fixed neighbours: a god who scouts may see any of them. How gods come into battles on earth is in
`apparitions`. Source: rules 24, R-078, R-079, rulings KA185 to KA189
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from engine.core.dice import Streams
from engine.core.ids import PowerId
from engine.kalevala.agents.facts import agents_in
from engine.kalevala.caravans.facts import caravans_in
from engine.kalevala.coordinates import Province
from engine.kalevala.figures import Figures, has_people
from engine.kalevala.gods.facts import (
    ABILITIES,
    FIELDS_PER_GOD,
    MOST_STAY,
    ON_AURA,
    ON_SEAT,
    UNITS,
    God,
    WeakSpot,
    aura_needs,
    auras,
    god_row,
    level_of,
    read_god,
)
from engine.kalevala.gods.orders import GodAura, GodCreate, GodEnter, GodLearn, GodMove, GodScout
from engine.kalevala.modules import has_module
from engine.kalevala.orders import Line
from engine.kalevala.window import Window, purpose


def god_of(window: Window, ruler: PowerId) -> God | None:
    """A ruler's god."""
    row = window.rulers[ruler].god
    return None if row is None else read_god(row)


def keep(window: Window, ruler: PowerId, god: God) -> None:
    """A ruler's god is now as given."""
    window.rulers[ruler] = replace(window.rulers[ruler], god=god_row(god))


def all_gods(window: Window) -> dict[PowerId, God]:
    """All gods, in seat order of their rulers."""
    found = ((ruler, god_of(window, ruler)) for ruler in window.rulers)
    return {ruler: god for ruler, god in found if god is not None}


def _set_aura(window: Window, field: int, ruler: PowerId | None) -> None:
    """Lay a ruler's aura on a field, or remove the one there."""
    found = {number: name for number, name in auras(window.modules).items() if number != field}
    if ruler is not None:
        found[field] = ruler
    archeron = {**window.modules.get("archeron", {}), "gf": {f"{number}": found[number] for number in sorted(found)}}
    window.modules = {**window.modules, "archeron": archeron}


# P1: orders


def create(window: Window, ruler: PowerId, line: Line, order: GodCreate) -> None:
    """Say who the god is and where his weak spot is; again within three great rounds of its loss. Rules 24.1"""
    god = god_of(window, ruler)
    is_again = god is not None and god.weak is not None and not god.weak.lost
    if is_again:
        window.refuse(ruler, line, "V05")
        return
    at = window.find_own(ruler, order.at)
    if at is None:
        window.refuse(ruler, line, "V02", place=order.at)
        return
    if order.cell not in window.land.cells(at):
        window.refuse(ruler, line, "V20", place=at)
        return
    god = god or _seated(window, ruler)
    keep(window, ruler, replace(god, text=order.text, weak=WeakSpot(at, order.cell)))


def bring_god(window: Window, ruler: PowerId) -> None:
    """A ruler who begins gets a god, with 150 OEH and a seat of his own. Source: rules R-095, R-096"""
    if has_module(window.state, "gods") and god_of(window, ruler) is None:
        keep(window, ruler, _seated(window, ruler))


def _seated(window: Window, ruler: PowerId) -> God:
    """A new god on the first field of Archeron that is no other god's seat."""
    seats = {other.seat for other in all_gods(window).values()}
    seat = min(number for number in range(1, len(window.rulers) + 1) if number not in seats)
    archeron = window.modules.get("archeron", {})
    rows = {**archeron.get("seats", {}), ruler: seat}
    window.modules = {**window.modules, "archeron": {**archeron, "seats": rows}}
    return God(seat=seat, at=seat)


def learn(window: Window, ruler: PowerId, line: Line, order: GodLearn) -> None:
    """Learn an ability; one for each step. Source: rules 24.1, R-127"""
    god = god_of(window, ruler)
    if order.ability not in ABILITIES:
        window.refuse(ruler, line, "V28", ability=order.ability)
    elif god is None:
        window.refuse(ruler, line, "V02")
    elif order.ability in god.abilities:
        window.refuse(ruler, line, "V05")
    elif order.ability not in god.may_learn:
        window.refuse(ruler, line, "V29", have=god.oeh)
    else:
        keep(window, ruler, replace(god, abilities=(*god.abilities, order.ability)))


def move(window: Window, ruler: PowerId, line: Line, order: GodMove) -> None:
    """Go to a field scouted in the round before; he goes in P2, if nobody is there.

    Source: rules 24.3, ruling KA186
    """
    god = god_of(window, ruler)
    if god is None:
        window.refuse(ruler, line, "V02")
    elif god.is_bound(window.gr):
        window.refuse(ruler, line, "V07")
    elif order.field not in god.earlier and order.field != god.seat:
        window.refuse(ruler, line, "V14")
    elif god.tired == window.gr or _moves(window, ruler):
        window.refuse(ruler, line, "V05")
    elif god.units >= UNITS:
        window.refuse(ruler, line, "V13")
    else:
        keep(window, ruler, replace(god, units=god.units + 1))
        window.gods_at_work.due.append((ruler, line))


def _moves(window: Window, ruler: PowerId) -> bool:
    return any(name == ruler and isinstance(line.order, GodMove) for name, line in window.gods_at_work.due)


def scout(window: Window, ruler: PowerId, line: Line, order: GodScout) -> None:
    """Look at randomly chosen fields. If he does it twice, he moves neither in this P3 nor in the next P1.

    Rules 24.3
    """
    god = god_of(window, ruler)
    if god is None:
        window.refuse(ruler, line, "V02")
    elif god.barred == window.gr:
        window.refuse(ruler, line, "V05")
    elif god.units + order.times > UNITS:
        window.refuse(ruler, line, "V13")
    else:
        is_twice = order.times + _scoutings(window, ruler) == UNITS
        tired = window.gr + 1 if is_twice else god.tired
        keep(window, ruler, replace(god, units=god.units + order.times, tired=tired))
        window.gods_at_work.due.append((ruler, line))


def _scoutings(window: Window, ruler: PowerId) -> int:
    return sum(
        line.order.times for name, line in window.gods_at_work.due if name == ruler and isinstance(line.order, GodScout)
    )


def try_aura(window: Window, ruler: PowerId, line: Line, order: GodAura) -> None:
    """An attempt to lay his aura on the field where he is, once a great round. Source: rules 24.2"""
    god = god_of(window, ruler)
    if god is None:
        window.refuse(ruler, line, "V02")
    elif _has_tried(window, ruler) or (auras(window.modules).get(god.at) == ruler and not _moves(window, ruler)):
        window.refuse(ruler, line, "V05")
    else:
        window.gods_at_work.due.append((ruler, line))


def _has_tried(window: Window, ruler: PowerId) -> bool:
    return any(name == ruler and isinstance(line.order, GodAura) for name, line in window.gods_at_work.due)


# P2: results


def go(window: Window) -> None:
    """Moves first, then attempts at auras, then what scouts see. Source: rules 24.2, 24.3, R-078"""
    for ruler, line in window.gods_at_work.due:
        if isinstance(line.order, GodMove):
            _go(window, ruler, line, line.order.field)
    for ruler, god in all_gods(window).items():
        if god.earlier:
            keep(window, ruler, replace(god, earlier=()))
    if window.dice is None:
        return
    for ruler, line in window.gods_at_work.due:
        if isinstance(line.order, GodAura):
            _lay_aura(window, window.dice, ruler, line)
    for ruler, line in window.gods_at_work.due:
        if isinstance(line.order, GodScout):
            for _ in range(line.order.times):
                _look(window, window.dice, ruler)


def _go(window: Window, ruler: PowerId, line: Line, field: int) -> None:
    god = god_of(window, ruler)
    assert god is not None, "he was there when the line was read"
    if field != god.seat and _holders(window, field, ruler):
        window.fail(ruler, line, "blocked")
        return
    keep(window, ruler, replace(god, at=field, tries=0 if field != god.at else god.tries))


def _holders(window: Window, field: int, but: PowerId) -> dict[str, PowerId]:
    """Which other god is on a field, whose aura is on it, and whose seat it is."""
    gods, found = all_gods(window), dict[str, PowerId]()
    for name, god in gods.items():
        if name != but and god.at == field:
            found.setdefault("god", name)
        if name != but and god.seat == field:
            found["seat"] = name
    aura = auras(window.modules).get(field)
    if aura in gods and aura != but:
        found["aura"] = aura
    return found


def _lay_aura(window: Window, dice: Streams, ruler: PowerId, line: Line) -> None:
    god = god_of(window, ruler)
    assert god is not None, "he was there when the line was read"
    needed = aura_needs(god.tries)
    thrown = dice.throw(f"god/{ruler}", purpose=purpose("aura", ruler=ruler, gf=god.at, needed=needed))
    is_done = thrown.total >= needed and not _holders(window, god.at, ruler)
    if is_done:
        _set_aura(window, god.at, ruler)
    else:
        window.fail(ruler, line, "dice")
    keep(window, ruler, replace(god, tries=0 if is_done else god.tries + 1))
    args = {"gf": god.at, "rolled": thrown.total, "needed": needed, "done": is_done}
    window.tell("aura", [ruler], args, words="" if is_done else "aura_failed")


def _look(window: Window, dice: Streams, ruler: PowerId) -> None:
    """One scouting: a field is drawn, and the god sees who is there."""
    gods = all_gods(window)
    god = gods[ruler]
    fields = FIELDS_PER_GOD * len(gods)
    rolled = dice.roll(f"god/{ruler}", sides=fields, purpose=purpose("archeron", ruler=ruler))
    field = rolled % fields + 1 if rolled == god.at else rolled
    if field not in god.explored:
        keep(window, ruler, replace(god, explored=(*god.explored, field)))
    found = _holders(window, field, ruler)
    args = {"gf": field, **{what: found.get(what) for what in ("god", "aura", "seat")}}
    whom = [(what, who) for what, who in found.items()]
    if not whom:
        window.tell("archeron", [ruler], args, words="archeron_free")
        return
    held = tuple(purpose(f"archeron_{what}", ruler=who) for what, who in whom)
    window.tell("archeron", [ruler], args, held=held)


# P3: an entry into a field where somebody may be


def enter(window: Window, ruler: PowerId, line: Line, order: GodEnter) -> None:
    """Go into a field that was scouted in this great round, and fight any god there. Source: rules 24.3"""
    god = god_of(window, ruler)
    if god is None:
        window.refuse(ruler, line, "V02")
    elif god.is_bound(window.gr):
        window.refuse(ruler, line, "V07")
    elif order.field not in god.explored:
        window.refuse(ruler, line, "V14")
    elif any(name == ruler for name, _ in window.gods_at_work.due) or god.tired > window.gr:
        window.refuse(ruler, line, "V05")
    elif god.units >= UNITS:
        window.refuse(ruler, line, "V13")
    else:
        keep(window, ruler, replace(god, units=god.units + 1))
        window.gods_at_work.due.append((ruler, line))


# P4: fights


@dataclass(frozen=True, slots=True)
class _Attack:
    """A god who goes into a field."""

    ruler: PowerId
    line: Line
    field: int


def fight(window: Window) -> None:
    """Entries into fields of Archeron, before anything on earth; a god who is attacked defends first.

    Source: rules 24.4
    """
    if window.dice is None:
        return
    levels = {ruler: god.level for ruler, god in all_gods(window).items()}
    attacks = [
        _Attack(ruler, line, line.order.field)
        for ruler, line in window.gods_at_work.due
        if isinstance(line.order, GodEnter)
    ]
    for attack in _in_order(window, attacks):
        _attack(window, window.dice, attack, levels)


def _in_order(window: Window, attacks: list[_Attack]) -> Iterator[_Attack]:
    """Attacks on a god are fought before his own; in a ring of attacks the first in seat order begins. Ruling KA187"""
    left = list(attacks)
    while left:
        targets = {attack.ruler: _defender(window, attack) for attack in left}
        attacked = set(targets.values())
        found = next((attack for attack in left if attack.ruler not in attacked), left[0])
        left.remove(found)
        yield found


def _defender(window: Window, attack: _Attack) -> PowerId | None:
    """The god who defends a field: one who is there, else one who is called by his aura or seat.

    No aura calls a god who can't leave his seat. Source: rules 24.2, rulings KA188, KA197
    """
    found, gods = _holders(window, attack.field, attack.ruler), all_gods(window)
    if "aura" in found and gods[found["aura"]].is_bound(window.gr):
        del found["aura"]
    return found.get("god") or found.get("aura") or found.get("seat")


def _attack(window: Window, dice: Streams, attack: _Attack, levels: dict[PowerId, int]) -> None:
    ruler, field = attack.ruler, attack.field
    defender = _defender(window, attack)
    god = god_of(window, ruler)
    assert god is not None, "he was there when the line was read"
    if defender is None:
        keep(window, ruler, replace(god, at=field, tries=0))
        return
    foe = god_of(window, defender)
    assert foe is not None, "only gods have auras and seats"
    is_aura, is_seat = auras(window.modules).get(field) == defender, foe.seat == field
    shield = foe.shield if (is_aura or is_seat) and foe.shield > god.breaks else 0
    bonus = ON_AURA * is_aura + ON_SEAT * is_seat + shield
    stream = f"archeron/{field}"
    ours = dice.throw(stream, purpose=purpose("god_attacks", ruler=ruler, gf=field)).total + levels[ruler]
    theirs = dice.throw(stream, purpose=purpose("god_defends", ruler=defender, gf=field)).total
    theirs += levels[defender] + bonus
    args = {"gf": field, "attacker": ruler, "defender": defender, "totals": [ours, theirs]}
    if ours == theirs:
        window.fail(ruler, attack.line, "undecided")
        window.tell(
            "archeron",
            [ruler, defender],
            {**args, "winner": None},
            words="archeron_undecided",
            ours=ours,
            theirs=theirs,
        )
        return
    winner, loser = (ruler, defender) if ours > theirs else (defender, ruler)
    if winner != ruler:
        window.fail(ruler, attack.line, "beaten")
    lost = _settle(window, winner, loser, abs(ours - theirs), field)
    stay = dice.roll(stream, sides=6, purpose=purpose("stay", ruler=winner))
    own = god_of(window, winner)
    assert own is not None, "he has just won"
    keep(window, winner, replace(own, stay=min(MOST_STAY, own.stay + stay)))
    window.tell(
        "archeron",
        [ruler, defender],
        {**args, "winner": winner, "lost": lost, "gained": lost // 2, "stay": stay},
        words="archeron_fight",
        ours=ours,
        theirs=theirs,
        loser=loser,
    )


def _settle(window: Window, winner: PowerId, loser: PowerId, percent: int, field: int) -> int:
    """The loser goes to his seat and loses OEH; the winner gets the field and its aura. Returns what was lost. R-079"""
    beaten, victor = god_of(window, loser), god_of(window, winner)
    assert beaten is not None, "he has fought"
    assert victor is not None, "he has fought"
    lost = beaten.oeh * percent // 100
    keep(window, loser, replace(beaten, oeh=beaten.oeh - lost, at=beaten.seat, tries=0, barred=window.gr + 1))
    if field not in (beaten.seat, victor.seat):
        had_aura = auras(window.modules).get(field) in (winner, loser)
        if had_aura:
            _set_aura(window, field, winner)
    is_conquered = field != beaten.seat
    at = field if is_conquered else victor.at
    keep(
        window, winner, replace(victor, oeh=victor.oeh + lost // 2, at=at, tries=0 if at != victor.at else victor.tries)
    )
    return lost


def end_round(window: Window) -> None:
    """Gods can move to what they scouted in this round in the next window of orders. R-078"""
    if not has_module(window.state, "gods"):
        return
    for ruler, god in all_gods(window).items():
        new = replace(
            god,
            earlier=god.explored,
            explored=(),
            units=0,
            tired=god.tired if god.tired > window.gr else 0,
            barred=god.barred if god.barred > window.gr else 0,
        )
        if god.is_bound(window.gr + 1):
            new = replace(new, at=god.seat)
        if new != god:
            keep(window, ruler, new)


def forget(window: Window) -> None:
    """Gods die whose rulers have lost their last land and people. Source: rules 24.6, ruling KA239"""
    if not has_module(window.state, "gods"):
        return
    before = window.state
    led = {each.ruler for each in caravans_in(before.modules)} | {each.ruler for each in agents_in(before.modules)}
    led_now = {ruler for ruler, _ in (*window.caravans, *window.agents)}
    for ruler in all_gods(window):
        had = ruler in led or _has_followers(before.owned(ruler), before.stacks.get(ruler, {}))
        if had and not (ruler in led_now or _has_followers(window.owned(ruler), window.stacks[ruler])):
            _die(window, ruler)


def _has_followers(owned: Collection[Province], stacks: Mapping[Province, Figures]) -> bool:
    """Whether there is land, or anybody in some stacks."""
    return bool(owned) or any(map(has_people, stacks.values()))


def _die(window: Window, ruler: PowerId) -> None:
    """A god is no more; his auras and his seat become nobody's. Ruling KA239"""
    window.rulers[ruler] = replace(window.rulers[ruler], god=None)
    archeron = window.modules.get("archeron", {})
    kept = {
        "gf": {number: name for number, name in archeron.get("gf", {}).items() if name != ruler},
        "seats": {name: seat for name, seat in archeron.get("seats", {}).items() if name != ruler},
    }
    window.modules = {**window.modules, "archeron": {key: rows for key, rows in kept.items() if rows}}
    window.tell("god_dead", [ruler], {})


def tell_offerings(window: Window) -> None:
    """In P2 each ruler learns how many OEH the god has, if that has changed. Source: rules 24.1"""
    for ruler, god in all_gods(window).items():
        before = window.state.rulers[ruler].god
        had = read_god(before).oeh if before is not None else None
        if had != god.oeh:
            args = {"oeh": god.oeh, "level": level_of(god.oeh)}
            window.tell("god", [ruler], args)
