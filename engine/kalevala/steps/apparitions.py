"""Gods on earth: they are sent or called into battles, come home from them, and have weak spots.

What they do in a battle is in `battle.apparitions`. Source: rules 24.1, 24.5, R-077, rulings KA190, KA194, KA197
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from engine.core.ids import PowerId
from engine.kalevala.battle.apparitions import WORKING
from engine.kalevala.battle.ending import GodAfter
from engine.kalevala.battle.sites import Apparition, Calling
from engine.kalevala.coordinates import Province, gf_of
from engine.kalevala.gods.facts import ABILITIES, BASE, DUEL, TO_HIDE, God, level_of, next_step, read_god
from engine.kalevala.gods.orders import GodAppear, GodCall
from engine.kalevala.kings.facts import may_call
from engine.kalevala.orders import Line
from engine.kalevala.priests.facts import KINGS_CALL, callers, zeh_for_king, zeh_of_priests
from engine.kalevala.steps.archeron import all_gods, god_of, keep
from engine.kalevala.window import Window

# P3: lines


def appear(window: Window, ruler: PowerId, line: Line, order: GodAppear) -> None:
    """Come into a battle, for as many rounds as he has earned by victories on Archeron.

    Source: rules 24.5, ruling KA190
    """
    god = god_of(window, ruler)
    helped, against = PowerId(order.helped), PowerId(order.against)
    if not _knows(god, order.abilities):
        window.refuse(ruler, line, "V28")
    elif god is None or helped == against or not {helped, against} <= set(window.rulers):
        window.refuse(ruler, line, "V02")
    elif _is_repeated(order.abilities) or any(name == ruler for name, _, _ in window.gods_at_work.apparitions):
        window.refuse(ruler, line, "V05")
    elif not god.rounds or god.is_bound(window.gr):
        window.refuse(ruler, line, "V07")
    else:
        window.gods_at_work.apparitions.append((ruler, line, order.at))


def call(window: Window, ruler: PowerId, line: Line, order: GodCall) -> None:
    """Have priests, or a priest king, call the god into their battle. Source: rules 18.5, 20.5, rulings KA194, KA278"""
    god = god_of(window, ruler)
    stacks = window.stacks[ruler]
    zeh = zeh_of_priests(stacks.values())
    kings_zeh = zeh_for_king(stacks.values()) if may_call(stacks, window.rulers[ruler].king, window.gr) else 0
    if not _knows(god, order.abilities) or DUEL in order.abilities:
        window.refuse(ruler, line, "V28")
    elif god is None or not (zeh or kings_zeh):
        window.refuse(ruler, line, "V02")
    elif _is_repeated(order.abilities) or ruler in window.gods_at_work.callings:
        window.refuse(ruler, line, "V05")
    elif god.is_bound(window.gr):
        window.refuse(ruler, line, "V07")
    elif kings_zeh < KINGS_CALL and not callers(zeh, order.abilities[0], is_there=_is_sent(window, ruler, god)):
        window.refuse(ruler, line, "V29")
    else:
        window.gods_at_work.callings[ruler] = line


def _is_sent(window: Window, ruler: PowerId, god: God) -> bool:
    """Whether the god comes by himself, so that priests need only keep him there. Source: rules 20.5"""
    return god.rounds > 0 and any(isinstance(each.order, GodAppear) for each in window.lines(ruler))


def _knows(god: God | None, abilities: Iterable[str]) -> bool:
    """Whether a god knows all these abilities for a battle."""
    known = {BASE, DUEL, *(god.abilities if god is not None else ())} & WORKING
    return known.issuperset(abilities)


def _is_repeated(abilities: Iterable[str]) -> bool:
    """Whether an ability is named twice in a line; the base ability and duels may be. Source: rules 24.5"""
    often = [name for name in abilities if name not in (BASE, DUEL)]
    return len(set(often)) < len(often)


# P4


def comers(window: Window, provinces: Collection[Province], rulers: Collection[PowerId]) -> Iterator[Apparition]:
    """The gods who come into a battle: those whose side takes part. Source: rules 24.5"""
    for ruler, line, at in window.gods_at_work.apparitions:
        god = god_of(window, ruler)
        order = line.order
        assert isinstance(order, GodAppear), "nothing else is among them"
        if god is not None and order.helped in rulers and gf_of(at) in {gf_of(place) for place in provinces}:
            earned = read_god(window.state.rulers[ruler].god or {})  # what he wins in this P4 is for the next one
            rounds = earned.rounds * god.lasts
            helped, against = PowerId(order.helped), PowerId(order.against)
            yield Apparition(ruler, helped, against, order.abilities, rounds, god.oeh, god.level)


def called(window: Window, provinces: Collection[Province], rulers: Collection[PowerId]) -> Iterator[Calling]:
    """The gods whom priests call in a battle: each comes into one battle only, the one to which he was sent if he was.

    Ruling KA194
    """
    sent = {name: gf_of(at) for name, _, at in window.gods_at_work.apparitions}
    fields = {gf_of(place) for place in provinces}
    for ruler, line in window.gods_at_work.callings.items():
        god, order = god_of(window, ruler), line.order
        assert isinstance(order, GodCall), "nothing else is among them"
        is_elsewhere = ruler in window.gods_at_work.appeared or (ruler in sent and sent[ruler] not in fields)
        if god is not None and ruler in rulers and not is_elsewhere:
            yield Calling(ruler, order.abilities, god.oeh, god.level)


def come_home(window: Window, gods: Iterable[GodAfter]) -> None:
    """Book the rounds of their stay that gods spent in a battle, and the OEH that they won or lost.

    Source: rules 24.5
    """
    for each in gods:
        god = god_of(window, each.ruler)
        assert god is not None, "he came from somewhere"
        keep(
            window, each.ruler, replace(god, oeh=god.oeh + each.oeh, stay=max(0, god.stay - -(-each.used // god.lasts)))
        )
        window.gods_at_work.appeared.add(each.ruler)
        if each.oeh:
            window.tell("god", [each.ruler], {"oeh": god.oeh + each.oeh, "level": level_of(god.oeh + each.oeh)})


def miss(window: Window) -> None:
    """Gods stay at home if there was no battle for their side, or nobody called them. Rulings KA190, KA194"""
    for ruler, line in window.gods_at_work.callings.items():
        if ruler not in window.gods_at_work.heard:
            window.void(ruler, line, "V02", which="uncalled")
        elif not window.gods_at_work.heard[ruler]:
            window.fail(ruler, line, "dice")
    for ruler, line, at in window.gods_at_work.apparitions:
        if ruler not in window.gods_at_work.appeared:
            assert isinstance(line.order, GodAppear), "nothing else is among them"
            window.void(ruler, line, "V02", which="no_fight", place=at, helped=PowerId(line.order.helped))


# Weak spots


def spot_at(window: Window, place: Province, cell: int) -> PowerId | None:
    """The ruler whose god has a weak spot on a small field; `None`: nobody. Source: rules 24.1"""
    for ruler, god in all_gods(window).items():
        weak = god.weak
        if weak is not None and not weak.lost and weak.cell == cell and gf_of(weak.at) == gf_of(place):
            return ruler
    return None


def lose_spots(window: Window, taken: Mapping[PowerId, PowerId], *, is_known: bool = True) -> None:
    """Gods who have lost their weak spots lose half their OEH; the takers' gods rise a level. R-077, ruling KA197

    Args:
        is_known: whether their rulers learn who has it.
    """
    for owner, taker in taken.items():
        god = god_of(window, owner)
        assert god is not None, "the weak spot was his"
        assert god.weak is not None, "the weak spot was his"
        oeh = god.oeh - god.oeh // 2
        level = level_of(oeh)
        kept = tuple(name for name in god.abilities if ABILITIES[name] <= level)[:level]
        weak = replace(god.weak, lost=window.gr)
        keep(window, owner, replace(god, oeh=oeh, abilities=kept, weak=weak))
        args = {"oeh": oeh, "level": level}
        words = "god_robbed" if is_known else "god_robbed_unseen"
        window.tell("god", [owner], args, words=words, taker=taker, until=window.gr + TO_HIDE)
        victor = god_of(window, taker)
        if victor is not None:
            risen = replace(victor, oeh=next_step(victor.oeh))
            keep(window, taker, risen)
            args = {"oeh": risen.oeh, "level": risen.level}
            window.tell("god", [taker], args, words="god_rises", owner=owner)
