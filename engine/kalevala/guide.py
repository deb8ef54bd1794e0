"""The guided flow: the common orders of a window step by step, without any that would be refused.

Each kind of order is a small tree of choices; its words are in the catalogue. What is offered is tried out with what
the ruler knows, so it reveals no more than a receipt does. Source: rules 32, 33
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import islice
from typing import TypeAlias

from engine.core.identity import ByIdentity
from engine.core.orders import Choice, Menu, Shortlist
from engine.core.phrases import phrase
from engine.core.shortlists import LONGEST, shortlist
from engine.kalevala import entering_guide, orders, realm_guide
from engine.kalevala.agents import guide as agent_guide
from engine.kalevala.agents.orders import OF_AGENTS
from engine.kalevala.arrivals.facts import has_no_realm, may_begin, ways_of
from engine.kalevala.arrivals.orders import Begin
from engine.kalevala.artefacts import guide as artefact_guide
from engine.kalevala.caravans import guide as caravan_guide
from engine.kalevala.counsel import Counsel
from engine.kalevala.culture import guide as culture_guide
from engine.kalevala.culture.orders import Name
from engine.kalevala.figures import format_figures
from engine.kalevala.gods import guide as god_guide
from engine.kalevala.kings import guide as king_guide
from engine.kalevala.model import ORDERS_PART, View
from engine.kalevala.modules import has_module
from engine.kalevala.orders import Line, Order, Whole
from engine.kalevala.planes import guide as plane_guide
from engine.kalevala.planes.facts import mystic_in
from engine.kalevala.priests import guide as priest_guide
from engine.kalevala.priests.orders import OF_TEMPLES, Gift, Oracle, Pray
from engine.kalevala.sea import guide as sea_guide
from engine.kalevala.tables import WORKS
from engine.kalevala.trade import guide as trade_guide
from engine.kalevala.war import guide as war_guide
from engine.kalevala.war.guide import PLAN

Offering: TypeAlias = Callable[[Counsel], Whole]
"""All orders of a kind that would stand, likeliest first."""
_PASS, BEGIN = "PASS", "BEGIN"
_NUMBERS = re.compile(r"\b\d+")


def menu(view: View, path: Sequence[str], *, orders: Sequence[Line] = ()) -> Menu:
    """The step after some choices. An unknown or outdated choice starts again."""
    guide = guide_of(view, orders)
    return (guide.step(tuple(path)) if path else None) or guide.kinds()


def shortlists(view: View, firsts: Collection[str], orders: Sequence[Line]) -> tuple[Shortlist, ...]:
    """Complete orders of each kind, likeliest first. There are others too, since any part of a stack may be named."""
    guide = guide_of(view, orders)
    return tuple(guide.shortlist(first) for first in guide.kinds().choices if first.value in firsts)


def common(view: View) -> Iterator[Order]:
    """Orders that the viewer could give now, each alone; of those that differ in a number or site, the likeliest."""
    guide = guide_of(view, ())
    for kind in guide.open_kinds:
        found: set[str] = set()
        for order, _ in guide.whole(kind):
            if isinstance(order, orders.Explore):
                yield from (replace(order, ee=ee) for ee in guide.free_units)
                continue
            if isinstance(order, orders.Build | orders.Repair):
                bare = order.work
            else:
                bare = _NUMBERS.sub("", str(order).replace(_subject(order), "", 1))
            if (key := f"{_subject(order)} {bare}") not in found:
                found.add(key)
                if not _is_by_case(order):
                    yield order


def guide_of(view: View, standing: Sequence[Line]) -> RulerGuide:
    """The guide of a view and the present lines; asked for many times while a receipt is made."""
    return _guide(ByIdentity(view), tuple(standing))


@lru_cache(maxsize=64)
def _guide(same: ByIdentity[View], standing: tuple[Line, ...]) -> RulerGuide:
    return RulerGuide(same.value, standing)


class RulerGuide(Counsel):
    """What one ruler may order in addition to the present lines, as a tree of choices."""

    @cached_property
    def _kinds(self) -> Mapping[str, Offering]:
        """The kinds of order of this window and the guide of each, in the order in which they are offered."""
        if self.me is None:
            return {}
        usual = self._orders if self.state.part == ORDERS_PART else self._deeds
        if not may_begin(self.state, self.ruler):
            return usual
        return {BEGIN: _begin_anew, **({} if self.is_expected else usual)}

    @property
    def _orders(self) -> Mapping[str, Offering]:
        is_date = self.state.gr % 2 == 0
        return {
            "EXPLORE": realm_guide.explore,
            **({"ARM": realm_guide.arm} if is_date else {}),
            "CONVERT": realm_guide.convert,
            "MOVE": realm_guide.move,
            **(_OF_THE_SEA if has_module(self.state, "sea") and sea_guide.harbours(self) else {}),
            "BUILD": realm_guide.build,
            "WORK": realm_guide.work_on_ways,
            "REPAIR": realm_guide.repair,
            "WATCH": realm_guide.watch,
            **({"AGENT": agent_guide.orders_of} if self._has_agents else {}),
            **({"GOD": god_guide.orders_of} if has_module(self.state, "gods") else {}),
            **({"KING": king_guide.orders_of} if has_module(self.state, "king") else {}),
            **({"CARAVAN": caravan_guide.orders_of} if self._has_caravans else {}),
            **({"PLANE": plane_guide.orders_of} if self._has_mystic else {}),
            **({"ARTEFACT": artefact_guide.orders_of} if self.state.modules.get("things") else {}),
            **({"TEMPLE": priest_guide.orders_of} if self._has_temples else {}),
            **({"SLAVES": realm_guide.enslave} if is_date and has_module(self.state, "slaves") else {}),
            "NAME": culture_guide.orders_of,
            "PERMIT": realm_guide.permit,
        }

    @property
    def _deeds(self) -> Mapping[str, Offering]:
        return {
            "ENTER": entering_guide.enter,
            "SETTLE": entering_guide.settle,
            **({"CARAVAN": caravan_guide.deeds_of} if self._has_caravans else {}),
            **(_OF_TRADE if has_module(self.state, "merchants") else {}),
            **({"AGENT": agent_guide.deeds_of} if self._has_agents else {}),
            **({"KING": king_guide.deeds_of} if self.state.modules.get("hostages") else {}),
            **({"GOD": god_guide.deeds_of} if has_module(self.state, "gods") else {}),
            **({"PLANE": plane_guide.deeds_of} if self._has_mystic else {}),
        }

    @property
    def _has_mystic(self) -> bool:
        """Whether there is a mystic to give orders to."""
        is_there = any(mystic_in(stack) for stack in self.state.stacks.get(self.ruler, {}).values())
        return has_module(self.state, "planes") and is_there

    @property
    def _has_caravans(self) -> bool:
        """Whether there are merchants, or own or foreign caravans, for which there are orders."""
        has_merchants = any(stack.get("K") for stack in self.state.stacks.get(self.ruler, {}).values())
        is_there = has_merchants or bool(self.state.modules.get("caravans"))
        return has_module(self.state, "merchants") and is_there

    @property
    def _has_agents(self) -> bool:
        """Whether there are agents to give orders to, or captives."""
        has_new = any(stack.get("Ag") for stack in self.state.stacks.get(self.ruler, {}).values())
        return has_module(self.state, "agents") and (has_new or bool(self.state.modules.get("agents")))

    @property
    def _has_temples(self) -> bool:
        """Whether there is a finished temple."""
        return has_module(self.state, "priests") and next(priest_guide.temples(self), None) is not None

    @cached_property
    def open_kinds(self) -> tuple[str, ...]:
        """The kinds of order that can be given now."""
        return tuple(kind for kind in self._kinds if next(self.whole(kind), None) is not None)

    def kinds(self) -> Menu:
        """The first step: what kind of order."""
        kinds = [Choice(kind, self.say(f"kind_{kind}"), on_request=kind in _GRANTS) for kind in self.open_kinds]
        nothing = [Choice(_PASS, self.say("kind_PASS"))] if self.me is not None else []
        plans = [Choice(PLAN, self.say("kind_PLAN"))] if self._can_plan() else []
        return Menu(phrase("menu.kind", units=len(self.free_units) if self.me else 0), (*kinds, *plans, *nothing))

    def _can_plan(self) -> bool:
        return self.me is not None and war_guide.is_offered(self.view, self.standing)

    def whole(self, kind: str) -> Whole:
        """Complete orders of a kind."""
        return self._kinds[kind](self)

    def whole_if_open(self, kind: str) -> Whole:
        """Complete orders of a kind, if there is such a kind in this window."""
        return self.whole(kind) if kind in self._kinds else iter(())

    def shortlist(self, first: Choice) -> Shortlist:
        """Complete orders of a kind, with what they do."""
        if first.value in (_PASS, PLAN):
            return Shortlist(first, (), is_all=False)
        found = ((str(order), label) for order, label in self.whole(first.value))
        return replace(shortlist(first, found), is_all=False)

    def step(self, path: tuple[str, ...]) -> Menu | None:
        """The step after a path; `None` if there is no such path."""
        if path == (_PASS,):
            return Menu(phrase("menu.done"), (), _PASS)
        kind, *chosen = path
        if kind == PLAN and self._can_plan():
            return war_guide.step(self.view, self.standing, chosen, self.say)
        if kind not in self.open_kinds:
            return None
        found = list(self.whole(kind))
        groups = {_subject(order): self._about(order) for order, _ in found}
        is_grouped = 1 < len(groups) < len(found)
        if is_grouped and not chosen:
            return Menu(phrase(f"menu.what_{kind}"), tuple(Choice(key, label) for key, label in groups.items()))
        if is_grouped and chosen[0] not in groups:
            return None
        texts = {str(order): label for order, label in found if not is_grouped or _subject(order) == chosen[0]}
        rest = chosen[1:] if is_grouped else chosen
        if not rest:
            choices = tuple(Choice(text, label) for text, label in texts.items() if len(text) <= LONGEST)
            return Menu(phrase(f"menu.which_{kind}"), choices)
        order = next((order for order, _ in found if str(order) == rest[0]), None)
        if order is None or rest[0] not in texts:
            return None
        variants = {
            str(each): label for each, label in entering_guide.variants_of(self, order) if len(str(each)) <= LONGEST
        }
        if len(variants) > 1 and not rest[1:]:
            prompt = "how_ENTER" if isinstance(order, orders.Enter) and order.kind == "B" else "how_ENTER_E"
            return Menu(phrase(f"menu.{prompt}"), tuple(Choice(text, label) for text, label in variants.items()))
        if rest[1:] and (rest[1] not in variants or rest[2:]):
            return None
        return Menu(phrase("menu.done"), (), rest[-1])

    def _about(self, order: Order) -> str:
        """What a group of orders is about: a place with what is there, or a ruler."""
        match order:
            case orders.WorkOn(at=at):
                return self.say("place", place=at, figures=format_figures(self.stack(at)))
            case orders.Move(path=(source, *_)) | orders.Sail(path=(source, *_)) | orders.Ferry(source=source):
                return self.say("place", place=source, figures=format_figures(self.stack(source)))
            case (
                orders.Convert(at=at)
                | orders.Build(at=at)
                | orders.Repair(at=at)
                | orders.Watch(at=at)
                | orders.Embark(at=at)
                | orders.Disembark(at=at)
                | orders.Arm(target=at)
            ):
                return self.say("place", place=at, figures=format_figures(self.stack(at)))
            case orders.Enter(source=source, target=target):
                return self.say("way", place=target, source=source)
            case orders.Allow(who=who) | orders.Handover(who=who):
                return self.say("ruler", ruler=who)
            case orders.Settle(at=at) | orders.Enfeoff(at=at):
                return self.say("bare_place", place=at)
            case Gift(at=at) | Pray(at=at) | Oracle(at=at):
                return self.say(f"temple_{type(order).__name__}", place=at)
        return self.say("bare_place", place=_subject(order))


_GRANTS = frozenset({"PERMIT", "HANDOVER", "FIEF"})
"""Kinds of orders that give others something: each has very many, and few are ever wanted."""


def _begin_anew(counsel: Counsel) -> Whole:
    """The ways in that are open to a ruler without a realm. Source: rules 4.3"""
    for way in ways_of(counsel.state, counsel.ruler):
        order = Begin(way)
        yield from counsel.tried(order, f"begins_{way}")


_OF_THE_SEA: Mapping[str, Offering] = {
    "BOARD": sea_guide.board, "SAIL": sea_guide.sail, "LAND": sea_guide.land, "FERRY": sea_guide.ferry,
}  # fmt: skip
_OF_TRADE: Mapping[str, Offering] = {
    "HANDOVER": trade_guide.deals, "FIEF": trade_guide.grants, "ACCEPT": trade_guide.consents,
}  # fmt: skip


def _is_by_case(order: Order) -> bool:
    """Whether the case of letters decides what is meant: `Bf` and `BF`, and names."""
    if isinstance(order, Name):
        return True
    return isinstance(order, orders.Build) and sum(code.casefold() == order.work.casefold() for code in WORKS) > 1


def _subject(order: Order) -> str:
    """What orders of a kind are grouped by."""
    match order:
        case orders.Move(path=(source, *_)) | orders.Sail(path=(source, *_)) | orders.Ferry(source=source):
            return source
        case orders.Embark(at=at) | orders.Disembark(at=at) | orders.WorkOn(at=at):
            return at
        case orders.Convert(at=at) | orders.Build(at=at) | orders.Repair(at=at) | orders.Watch(at=at):
            return at
        case orders.Settle(at=at) | orders.Arm(target=at) | orders.Enfeoff(at=at):
            return at
        case orders.Enter(source=source, target=target):
            return f"{source}>{target}"
        case orders.Allow(who=who) | orders.Handover(who=who):
            return who
    if isinstance(order, OF_TEMPLES):
        return f"{order.at} {type(order).__name__}"
    return agent_guide.number_of(order) if isinstance(order, OF_AGENTS) else str(order)


ASKED_FOR = _GRANTS | frozenset({"ACCEPT", "GOD", "KING", "CARAVAN", "SLAVES", "PLANE", "ARTEFACT", "NAME"})
"""Kinds of orders that are not proposed unasked: permissions, gifts, names, and what can wait (gods, kings)."""


def unasked(guide: RulerGuide) -> tuple[str, ...]:
    """The kinds of orders that are proposed unasked. Whoever has figures already is not asked to begin elsewhere."""
    begins = guide.me is not None and has_no_realm(guide.state, guide.ruler)
    return tuple(kind for kind in guide.open_kinds if kind not in ASKED_FOR and (kind != BEGIN or begins))


def together(view: View, standing: Sequence[Line]) -> tuple[Order, ...]:
    """Likely orders that can be combined with the present ones and with each other: one of each kind."""
    found: list[Order] = []
    for kind in unasked(guide_of(view, standing)):
        guide = guide_of(view, (*standing, *map(Line, found)))
        found += (order for order, _ in islice(guide.whole(kind), 1))
    return tuple(found)
