"""What a ruler could enter, and how, as complete orders for the guided flow, likeliest first. Source: rules 15, 32"""

from __future__ import annotations

from dataclasses import replace

from engine.core.phrases import phrase
from engine.kalevala import orders
from engine.kalevala.board import others
from engine.kalevala.coordinates import Province
from engine.kalevala.counsel import Counsel
from engine.kalevala.figures import MONEY, Figures, format_figures, price_of
from engine.kalevala.model import FULL
from engine.kalevala.orders import Order, Whole, named
from engine.kalevala.parties import parts_of
from engine.kalevala.sea import guide as sea_guide
from engine.kalevala.sea.craft import landed, on_land

_NAMES = 3
"""How many names are offered for a trade centre; the line can have any other."""


def enter(counsel: Counsel) -> Whole:
    """Parts of the stacks next to explored land into it, with the first free unit; land without a ruler comes first.

    Invaders may also take land where they are.
    """
    if not counsel.free_units:
        return
    ee = counsel.free_units[0]
    explored = counsel.state.explored.get(counsel.ruler, ())
    for row in sorted(explored, key=lambda row: counsel.state.owners.get(row.target) is not None):
        stack = counsel.state.stack(counsel.ruler, row.source)
        sparing = tuple(sea_guide.sparing_parties(stack)) if counsel.land.is_sea(row.source) else ()
        for kind in _kinds_of_entry(counsel, row.target, row.result):
            onto_sea = kind == "B" and counsel.land.is_sea(row.target)
            losses = counsel.losses(row.target) if kind == "B" else None
            for going in (*sparing, *parts_of(stack, keeps=1, load=losses), *sea_guide.parties(stack)):
                order = orders.Enter(ee, row.source, kind, row.target, named(going))
                code = "entered_sea" if onto_sea else f"entered_{kind}"
                yield from counsel.tried(order, code, place=row.target, figures=format_figures(going))
                passing = replace(order, rest=("FREE",))
                if counsel.is_invader and kind == "B" and not onto_sea and counsel.may(passing):
                    yield passing, counsel.say("entered_free", place=row.target, figures=format_figures(going))
    yield from _take_here(counsel, ee)


def _take_here(counsel: Counsel, ee: int) -> Whole:
    """Invaders take natives' land where they already are. Source: rules 4.4, ruling KA212"""
    for at, stack in counsel.state.stacks.get(counsel.ruler, {}).items() if counsel.is_invader else ():
        ashore = on_land(stack)
        for going in (ashore, {item: count for item, count in ashore.items() if item != MONEY}):
            order = orders.Enter(ee, at, "B", at, named(going))
            if counsel.may(order):
                yield order, counsel.say("taken_here", place=at, figures=format_figures(going))
                break


def _kinds_of_entry(counsel: Counsel, target: Province, result: str) -> tuple[str, ...]:
    """Source: rules 15, R-104"""
    owner = counsel.state.owners.get(target)
    if result != FULL:
        return ("K",)
    if owner is None:
        return ("B",)
    if owner == counsel.ruler:
        return ("E",)
    may_enter = counsel.state.permits_entry(owner, counsel.ruler, target, counsel.state.gr)
    return ("E", "K") if may_enter else ("K",)


def settle(counsel: Counsel) -> Whole:
    """Contested land, for each of its contestants. Source: rules R-112"""
    for at, names in counsel.state.contested.items():
        for who in names:
            order = orders.Settle(at, who)
            yield from counsel.tried(order, "settled", place=at, ruler=who)


def variants_of(counsel: Counsel, order: Order) -> Whole:
    """The same entry with options: what pays for it, and what its trade centre is called."""
    if isinstance(order, orders.Enter) and order.kind == "E":
        yield from _battles_beside(counsel, order)
    if not isinstance(order, orders.Enter) or order.kind != "B":
        return
    losses, names = counsel.losses(order.target), _town_names(counsel, order.target)
    going = landed(dict(order.figures))
    payers: list[Figures | None] = [None]
    for item in going:
        count = -(-losses // price_of(item)) if losses and price_of(item) else 0
        if 0 < count <= going[item]:
            payers.append({item: count})
    for pays in payers:
        for name in ("", *names):
            found = replace(order, losses=None if pays is None else named(pays), name=name)
            if counsel.may(found):
                paid = (
                    counsel.say("paid_by", figures=format_figures(pays))
                    if pays is not None
                    else counsel.say("paid_anyhow")
                )
                yield found, f"{paid}{counsel.say('called', name=name) if name else ''}"


def _battles_beside(counsel: Counsel, order: orders.Enter) -> Whole:
    """Whether figures that enter own land join a battle next to it, and for whom guests fight.

    Source: rules 15.2
    """
    host = counsel.state.owners.get(order.target)
    if host in (None, counsel.ruler):
        yield order, counsel.say("joins_nothing")
        yield replace(order, rest=("JOIN",)), counsel.say("joins")
        return
    yield order, counsel.say("fights_for", ruler=host)
    for other in others(counsel.state, counsel.ruler):
        if other != host:
            yield replace(order, rest=(f"SIDE {other}",)), counsel.say("fights_for", ruler=other)


def _town_names(counsel: Counsel, target: Province) -> list[str]:
    """A few names for a trade centre that are not in use yet."""
    if counsel.land.centre(target) is None:
        return []
    taken = {field.centre.name for field in counsel.state.land.values() if field.centre is not None}
    names = [name for name in counsel.words.render(phrase("menu.towns")).split() if name not in taken]
    start = sum(map(ord, target))
    return [names[(start + step) % len(names)] for step in range(_NAMES)]
