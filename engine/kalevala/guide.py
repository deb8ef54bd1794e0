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
from typing import Any

from engine.core.ids import PowerId
from engine.core.orders import Choice, Menu, Shortlist
from engine.core.phrases import Catalogue, phrase
from engine.core.same import Same
from engine.core.shortlists import LONGEST, shortlist
from engine.core.variant import load_phrases
from engine.kalevala import books, orders
from engine.kalevala.agents import guide as agent_guide
from engine.kalevala.agents.orders import OF_AGENTS
from engine.kalevala.arrivals.facts import may_begin, ways_of
from engine.kalevala.arrivals.orders import Begin
from engine.kalevala.artefacts import guide as artefact_guide
from engine.kalevala.board import others, variant_of
from engine.kalevala.caravans import guide as caravan_guide
from engine.kalevala.coordinates import Edge, GfId, Province, direction_between, gf_of, neighbours_of, order_of
from engine.kalevala.counsel import Counsel
from engine.kalevala.culture import guide as culture_guide
from engine.kalevala.culture.orders import Name
from engine.kalevala.figures import MONEY, Figures, format_figures, kind_of, price_of, warriors
from engine.kalevala.gods import guide as god_guide
from engine.kalevala.kings import guide as king_guide
from engine.kalevala.land import Land, land_of
from engine.kalevala.model import EXPECTED, EXPLORATION_UNITS, FULL, INVADER, ORDERS_PART, View
from engine.kalevala.modules import has_module
from engine.kalevala.orders import PEOPLE, Line, Order, Whole, named
from engine.kalevala.planes import guide as plane_guide
from engine.kalevala.planes.facts import mystic_in
from engine.kalevala.priests import guide as priest_guide
from engine.kalevala.priests.orders import OF_TEMPLES, Gift, Oracle, Pray
from engine.kalevala.rounds import attempt, is_allowed_below, rehearse
from engine.kalevala.sea import guide as sea_guide
from engine.kalevala.sea.craft import landed, on_land
from engine.kalevala.sheet import amend, is_asked, subject
from engine.kalevala.steps import ways
from engine.kalevala.tables import CLASS_PRICE, MOST_HUMANS, MOST_IN_TEAM, MOST_SET_UP, WORKS, Group
from engine.kalevala.trade import guide as trade_guide
from engine.kalevala.war import guide as war_guide
from engine.kalevala.war.guide import PLAN
from engine.kalevala.working import Round
from engine.lattice.great_fields import Side, inner_neighbours, side_between

_PASS, BEGIN = "PASS", "BEGIN"
_WATCHERS, _MOST_ROUNDS = 5, 10
_NUMBERS = re.compile(r"\b\d+")


def menu(view: View, path: Sequence[str], *, orders: Sequence[Line] = ()) -> Menu:
    """The step after some choices. An unknown or outdated choice starts again."""
    desk = desk_of(view, orders)
    return (desk.step(tuple(path)) if path else None) or desk.kinds()


def shortlists(view: View, firsts: Collection[str], orders: Sequence[Line]) -> tuple[Shortlist, ...]:
    """Complete orders of each kind, likeliest first. There are others too, since any part of a stack may be named."""
    desk = desk_of(view, orders)
    return tuple(desk.shortlist(first) for first in desk.kinds().choices if first.value in firsts)


def common(view: View) -> Iterator[Order]:
    """Orders that the viewer could give now, each alone; of those that differ in a number or site, the likeliest."""
    desk = desk_of(view, ())
    for kind in desk.open_kinds:
        found: set[str] = set()
        for order, _ in desk.whole(kind):
            if isinstance(order, orders.Explore):
                yield from (replace(order, ee=ee) for ee in desk.free_units)
                continue
            if isinstance(order, orders.Build | orders.Repair):
                bare = order.work
            else:
                bare = _NUMBERS.sub("", str(order).replace(_subject(order), "", 1))
            if (key := f"{_subject(order)} {bare}") not in found:
                found.add(key)
                if not _is_by_case(order):
                    yield order


def desk_of(view: View, standing: Sequence[Line]) -> Desk:
    """The desk of a view and the present lines; asked for many times while a receipt is made."""
    return _desk(Same(view), tuple(standing))


@lru_cache(maxsize=64)
def _desk(same: Same[View], standing: tuple[Line, ...]) -> Desk:
    return Desk(same.value, standing)


class Desk:
    """What one ruler may order in addition to the present lines."""

    def __init__(self, view: View, standing: Sequence[Line]) -> None:
        self.view = view
        self.state = view.state
        self.standing = tuple(standing)
        self.me = view.viewer if is_asked(view) else None
        self._tried: dict[str, bool] = {}

    # What there is

    @property
    def ruler(self) -> PowerId:
        """Whose desk it is."""
        assert self.me is not None, "somebody is asked"
        return self.me

    @cached_property
    def land(self) -> Land:
        """The land as far as it is known."""
        return land_of(self.state)

    @cached_property
    def trial(self) -> Round:
        """The window rehearsed with the present lines."""
        return rehearse(self.state, self.ruler, _in_order(self.standing))

    @cached_property
    def words(self) -> Catalogue:
        """The game's phrases, with the names of its rulers."""
        names = {str(power.id): power.name for power in variant_of(self.state).powers.values()}
        return load_phrases("kalevala").with_catalogue(Catalogue({}, names))

    def say(self, code: str, **args: Any) -> str:
        """A label."""
        return self.words.render(phrase(f"menu.{code}", **args))[:LONGEST]

    @cached_property
    def own(self) -> tuple[Province, ...]:
        """The ruler's provinces."""
        return self.state.owned(self.ruler)

    @property
    def is_invader(self) -> bool:
        """Whether the ruler's realm is more than the land that the ruler owns. Source: rules 4.4"""
        return self.state.rulers[self.ruler].kind == INVADER

    @property
    def is_expected(self) -> bool:
        """Whether the ruler has not entered the game yet."""
        return self.state.rulers[self.ruler].kind == EXPECTED

    @cached_property
    def free_units(self) -> list[int]:
        """The exploration units that are neither spent nor planned."""
        spent = set(self.state.used.get(self.ruler, ()))
        spent |= {line.order.ee for line in self.standing if isinstance(line.order, orders.Explore | orders.Enter)}
        return [ee for ee in range(1, EXPLORATION_UNITS + 1) if ee not in spent]

    def may(self, order: Order) -> bool:
        """Whether the order would be accepted in addition to the present ones."""
        text = str(order)
        if text not in self._tried:
            self._tried[text] = self._is_allowed(order)
        return self._tried[text]

    def _is_allowed(self, order: Order) -> bool:
        """ARM lines are carried out before the others, entries are judged together; any other line comes last."""
        if self._begun is not None and not isinstance(order, orders.Arm) and subject(order) not in self._subjects:
            return is_allowed_below(self._begun, self.ruler, Line(order))
        lines = _in_order(amend(self.view, self.standing, (Line(order),)))
        new = next(line for line in reversed(lines) if line.order == order)
        return not attempt(self.state, self.ruler, lines).is_refused(self.ruler, new)

    @cached_property
    def _begun(self) -> Round | None:
        """The window of orders after the present lines, to try others below them."""
        if self.state.part != ORDERS_PART:
            return None
        return attempt(self.state, self.ruler, _in_order(self.standing))

    @cached_property
    def _subjects(self) -> frozenset[str]:
        return frozenset(subject(line.order) for line in self.standing)

    # The steps

    @cached_property
    def _kinds(self) -> Mapping[str, Callable[[], Whole]]:
        if self.me is None:
            return {}
        if not may_begin(self.state, self.ruler):
            return self._usual_kinds
        return {BEGIN: self._begin_anew, **({} if self.is_expected else self._usual_kinds)}

    @property
    def _usual_kinds(self) -> Mapping[str, Callable[[], Whole]]:
        if self.state.part == ORDERS_PART:
            is_date = self.state.gr % 2 == 0
            arming = {"ARM": self._arm} if is_date else {}
            return {
                "EXPLORE": self._explore,
                **arming,
                "CONVERT": self._convert,
                "MOVE": self._move,
                **(self._of_the_sea if has_module(self.state, "sea") and self._harbour.places else {}),
                "BUILD": self._build,
                "WORK": self._ways,
                "REPAIR": self._mend,
                "WATCH": self._watch,
                **({"AGENT": lambda: agent_guide.orders_of(self._cabinet)} if self._has_agents else {}),
                **({"GOD": lambda: self._of_god(god_guide.orders_of)} if has_module(self.state, "gods") else {}),
                **({"KING": lambda: king_guide.orders_of(self._throne)} if has_module(self.state, "king") else {}),
                **({"CARAVAN": lambda: caravan_guide.orders_of(self._inn)} if self._has_caravans else {}),
                **({"PLANE": lambda: plane_guide.orders_of(self._counsel)} if self._has_mystic else {}),
                **({"ARTEFACT": lambda: artefact_guide.orders_of(self._counsel)} if self._has_artefacts else {}),
                **({"TEMPLE": lambda: priest_guide.orders_of(self._temples)} if self._has_temples else {}),
                **({"SLAVES": self._enslave} if is_date and has_module(self.state, "slaves") else {}),
                "NAME": lambda: culture_guide.orders_of(self._counsel),
                "PERMIT": self._permit,
            }
        deeds = {"AGENT": lambda: agent_guide.deeds_of(self._cabinet)} if self._has_agents else {}
        trade = self._of_trade if has_module(self.state, "merchants") else {}
        gods = {"GOD": lambda: self._of_god(god_guide.deeds_of)} if has_module(self.state, "gods") else {}
        has_hostages = bool(self.state.modules.get("hostages"))
        kings = {"KING": lambda: king_guide.deeds_of(self._throne)} if has_hostages else {}
        led = {"CARAVAN": lambda: caravan_guide.deeds_of(self._inn)} if self._has_caravans else {}
        planes = {"PLANE": lambda: plane_guide.deeds_of(self._counsel)} if self._has_mystic else {}
        return {"ENTER": self._enter, "SETTLE": self._settle, **led, **trade, **deeds, **kings, **gods, **planes}

    @property
    def _has_mystic(self) -> bool:
        """Whether there is a mystic to give orders to."""
        is_there = any(mystic_in(stack) for stack in self.state.stacks.get(self.ruler, {}).values())
        return has_module(self.state, "planes") and is_there

    @property
    def _has_artefacts(self) -> bool:
        """Whether the ruler has an artefact, or sees one."""
        return bool(self.state.modules.get("things"))

    @cached_property
    def _counsel(self) -> Counsel:
        return Counsel(self.state, self.land, self.ruler, self.trial, self.may, self.say)

    @property
    def _has_caravans(self) -> bool:
        """Whether there are merchants, or own or foreign caravans, for which there are orders."""
        has_merchants = any(stack.get("K") for stack in self.state.stacks.get(self.ruler, {}).values())
        is_there = has_merchants or bool(self.state.modules.get("caravans"))
        return has_module(self.state, "merchants") and is_there

    @cached_property
    def _inn(self) -> caravan_guide.Caravanserai:
        return caravan_guide.Caravanserai(self.state, self.land, self.ruler, self.trial, self.may, self.say)

    @property
    def _of_trade(self) -> Mapping[str, Callable[[], Whole]]:
        return {
            "HANDOVER": lambda: trade_guide.deals(self._market),
            "FIEF": lambda: trade_guide.grants(self._market),
            "ACCEPT": lambda: trade_guide.consents(self._market),
        }

    @cached_property
    def _market(self) -> trade_guide.Market:
        return trade_guide.Market(self.state, self.land, self.ruler, self.trial, self.may, self.say)

    def _of_god(self, whole: Callable[..., Whole]) -> Whole:
        return whole(self.state, self.land, self.ruler, self.may, self.say)

    @property
    def _has_agents(self) -> bool:
        """Whether there are agents to give orders to, or captives."""
        has_new = any(stack.get("Ag") for stack in self.state.stacks.get(self.ruler, {}).values())
        return has_module(self.state, "agents") and (has_new or bool(self.state.modules.get("agents")))

    @cached_property
    def _temples(self) -> priest_guide.Sanctuary:
        return priest_guide.Sanctuary(self.state, self.land, self.ruler, self.trial, self.may, self.say)

    @property
    def _has_temples(self) -> bool:
        return has_module(self.state, "priests") and next(self._temples.places, None) is not None

    @cached_property
    def _cabinet(self) -> agent_guide.Cabinet:
        return agent_guide.Cabinet(self.state, self.land, self.ruler, self.trial, self.may, self.say)

    @cached_property
    def _throne(self) -> king_guide.Throne:
        return king_guide.Throne(self._cabinet)

    @cached_property
    def open_kinds(self) -> tuple[str, ...]:
        """The kinds of order that can be given now."""
        return tuple(kind for kind, whole in self._kinds.items() if next(whole(), None) is not None)

    def kinds(self) -> Menu:
        """The first step: what kind of order."""
        kinds = [Choice(kind, self.say(f"kind_{kind}")) for kind in self.open_kinds]
        nothing = [Choice(_PASS, self.say("kind_PASS"))] if self.me is not None else []
        plans = [Choice(PLAN, self.say("kind_PLAN"))] if self._can_plan() else []
        return Menu(phrase("menu.kind", units=len(self.free_units) if self.me else 0), (*kinds, *plans, *nothing))

    def _can_plan(self) -> bool:
        return self.me is not None and war_guide.is_offered(self.view, self.standing)

    def whole(self, kind: str) -> Whole:
        """Complete orders of a kind."""
        return self._kinds[kind]()

    def whole_if_open(self, kind: str) -> Whole:
        """Complete orders of a kind, if there is such a kind in this window."""
        return self._kinds.get(kind, lambda: iter(()))()

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
        variants = {str(each): label for each, label in self._variants(order) if len(str(each)) <= LONGEST}
        if len(variants) > 1 and not rest[1:]:
            prompt = "how_ENTER" if isinstance(order, orders.Enter) and order.kind == "B" else "how_ENTER_E"
            return Menu(phrase(f"menu.{prompt}"), tuple(Choice(text, label) for text, label in variants.items()))
        if rest[1:] and (rest[1] not in variants or rest[2:]):
            return None
        return Menu(phrase("menu.done"), (), rest[-1])

    def _variants(self, order: Order) -> Whole:
        """The same entry with options: what pays for it, and what its trade centre is called."""
        if isinstance(order, orders.Enter) and order.kind == "E":
            yield from self._battles_beside(order)
        if not isinstance(order, orders.Enter) or order.kind != "B":
            return
        losses, names = self._losses(order.target), self._town_names(order.target)
        going = landed(dict(order.figures))
        payers: list[Figures | None] = [None]
        for item in going:
            count = -(-losses // price_of(item)) if losses and price_of(item) else 0
            if 0 < count <= going[item]:
                payers.append({item: count})
        for pays in payers:
            for name in ("", *names):
                found = replace(order, losses=None if pays is None else named(pays), name=name)
                if self.may(found):
                    paid = (
                        self.say("paid_by", figures=format_figures(pays))
                        if pays is not None
                        else self.say("paid_anyhow")
                    )
                    yield found, f"{paid}{self.say('called', name=name) if name else ''}"

    def _battles_beside(self, order: orders.Enter) -> Whole:
        """Whether figures that enter own land join a battle next to it, and for whom guests fight.

        Source: rules 15.2
        """
        host = self.state.owners.get(order.target)
        if host in (None, self.ruler):
            yield order, self.say("joins_nothing")
            yield replace(order, rest=("JOIN",)), self.say("joins")
            return
        yield order, self.say("fights_for", ruler=host)
        for other in others(self.state, self.ruler):
            if other != host:
                yield replace(order, rest=(f"SIDE {other}",)), self.say("fights_for", ruler=other)

    def _losses(self, target: Province) -> int:
        """What the occupation of natives' land costs, as far as it is known."""
        centre = self.land.centre(target)
        return 0 if centre is None else centre.centre.losses

    def _town_names(self, target: Province) -> list[str]:
        """A few names for a trade centre that are not in use yet."""
        if self.land.centre(target) is None:
            return []
        taken = {field.centre.name for field in self.state.land.values() if field.centre is not None}
        names = [name for name in self.words.render(phrase("menu.towns")).split() if name not in taken]
        start = sum(map(ord, target))
        return [names[(start + step) % len(names)] for step in range(_NAMES)]

    def _about(self, order: Order) -> str:
        """What a group of orders is about: a place with what is there, or a ruler."""
        match order:
            case orders.WorkOn(at=at):
                return self.say("place", place=at, figures=format_figures(self.trial.stack(self.ruler, at)))
            case orders.Move(path=(source, *_)) | orders.Sail(path=(source, *_)) | orders.Ferry(source=source):
                return self.say("place", place=source, figures=format_figures(self.trial.stack(self.ruler, source)))
            case (
                orders.Convert(at=at)
                | orders.Build(at=at)
                | orders.Repair(at=at)
                | orders.Watch(at=at)
                | orders.Embark(at=at)
                | orders.Disembark(at=at)
                | orders.Arm(target=at)
            ):
                return self.say("place", place=at, figures=format_figures(self.trial.stack(self.ruler, at)))
            case orders.Enter(source=source, target=target):
                return self.say("way", place=target, source=source)
            case orders.Allow(who=who) | orders.Handover(who=who):
                return self.say("ruler", ruler=who)
            case orders.Settle(at=at) | orders.Enfeoff(at=at):
                return self.say("bare_place", place=at)
            case Gift(at=at) | Pray(at=at) | Oracle(at=at):
                return self.say(f"temple_{type(order).__name__}", place=at)
        return self.say("bare_place", place=_subject(order))

    def _begin_anew(self) -> Whole:
        """The ways in that are open to a ruler without a realm. Source: rules 4.3"""
        for way in ways_of(self.state, self.ruler):
            order = Begin(way)
            if self.may(order):
                yield order, self.say(f"begins_{way}")

    # The window of orders

    def _explore(self) -> Whole:
        if not self.free_units:
            return
        ee = self.free_units[0]
        before = {
            (line.order.source, line.order.target) for line in self.standing if isinstance(line.order, orders.Explore)
        }
        armed = [place for place, stack in self.state.stacks.get(self.ruler, {}).items() if warriors(stack)]
        beyond = [target for _, target in before if target not in armed]
        seen: set[Province] = {target for _, target in before}
        for source in (*sorted(armed, key=order_of), *beyond):
            for target in self.around(source):
                order = orders.Explore(ee, source, target)
                is_vain = self.state.rulers[self.ruler].remembers_bar(source, target, self.state.gr)
                if target in seen or is_vain or not self.may(order):
                    continue
                code = "explored_beyond" if source in beyond else "explored"
                way = phrase(f"direction.{direction_between(source, target)}")
                yield order, self.say(code, place=target, source=source, way=way)

    def around(self, source: Province) -> Iterator[Province]:
        """The provinces next to one that are not the ruler's; where land is unknown, the great field."""
        here = gf_of(source)
        for gf in (here, *neighbours_of(here)):
            is_known = self.land.is_divided(GfId(gf))
            places = self.land.provinces(GfId(gf)) if is_known else (Province(gf),)
            yield from (place for place in places if place not in self.own and place != source)

    def _arm(self) -> Whole:
        """Everything in the realm gathered in one place, or what is in a place and next to it.

        Source: rules 11.2, 11.3
        """
        before = Round(self.state, {}, None)
        core = before.core_realm(self.ruler)
        if self.is_invader:
            yield from self._arm_invaders(before, core)
            return
        people = books.peoples_arming(before, self.ruler)
        for at in books.best_centres(before, self.ruler):
            near = [place for place in self.own if place in self.land.links(at) and place in core]
            zones = (
                tuple(place for place in self.own if place in core and place != at) if at in core else (),
                tuple(near),
                (),
            )
            offered = set()
            for zone in zones:
                for helpers in ((PEOPLE,), ()) if people and at in core else ((),):
                    yielded = sum(books.yields(before, place) for place in (at, *zone)) + people * len(helpers)
                    order = orders.Arm(at, min(yielded, MOST_SET_UP), (at, *zone, *helpers))
                    people_too = (phrase("menu.people"),) if helpers else ()
                    if order.amount and str(order) not in offered and self.may(order):
                        offered.add(str(order))
                        yield (
                            order,
                            self.say("armed", amount=order.amount, place=at, sources=(at, *zone, *people_too)),
                        )

    def _arm_invaders(self, before: Round, core: set[Province]) -> Whole:
        """What invaders arm without trade centres, all or half of it, in any place of their core realm.

        Source: rules 4.4
        """
        whole = books.peoples_arming(before, self.ruler) + books.additional_arming(before, self.ruler)
        for at in sorted(core, key=order_of):
            for amount in dict.fromkeys((min(whole, MOST_SET_UP), MOST_SET_UP // 2)):
                order = orders.Arm(at, amount, (at, PEOPLE))
                if self.may(order):
                    yield order, self.say("armed", amount=amount, place=at, sources=(at, phrase("menu.people")))

    def _convert(self) -> Whole:
        own = self.state.rulers[self.ruler]
        rank = "" if own.rank == "A" else own.rank
        items = dict.fromkeys((own.core, f"B{rank}", *own.goods, "Se", "Pr/0", "K", "Ag"))
        for item in items:
            for at in self.trial.realm(self.ruler):
                most = self._most(at, item)
                for count in dict.fromkeys((most, most // 2, *range(most, 0, -1))):
                    if count:
                        order = orders.Convert(at, named({item: count}))
                        cost = count * price_of(item)
                        yield (
                            order,
                            self.say("converted", place=at, count=count, what=self._kind(item, count), cost=cost),
                        )

    def _enslave(self) -> Whole:
        """Slaves from the ruler's own people, where RE were armed on this date."""
        price = CLASS_PRICE[self.state.rulers[self.ruler].rank]
        for at in self.own:
            most = self.trial.armed[self.ruler, at] // price
            for count in dict.fromkeys((most, most // 2, 1)):
                order = orders.EnslavePeople(at, count)
                if count and self.may(order):
                    yield order, self.say("enslaved", place=at, count=count, cost=count * price)

    def _most(self, at: Province, item: str) -> int:
        """How many of an item can be made in a place."""
        price = price_of(item)
        limit = MOST_HUMANS if kind_of(item).group is Group.HUMAN else self.trial.most_goods(self.ruler, at)
        if self.trial.centre(at) is None and not self.is_invader:
            return 0
        count = min(limit, self.trial.money(self.ruler, at)) // max(price, 1)
        while count and not self.may(orders.Convert(at, named({item: count}))):
            count //= 2
        return count

    def _kind(self, item: str, count: int) -> str:
        return self.words.render(phrase(f"figure.{kind_of(item).code}", count=count))

    def _move(self) -> Whole:
        mine, stacks = set(self.own), self.state.stacks.get(self.ruler, {})
        # If there are several, somebody stays behind.
        for source, stack in sorted(stacks.items(), key=lambda each: warriors(each[1]) < 2):
            for target in self.land.links(source):
                if target not in mine:
                    continue
                for going in _parts(stack, keeps=1):
                    order = orders.Move(named(going), (source, target))
                    if self.may(order):
                        yield order, self.say("moved", source=source, place=target, figures=format_figures(going))
        for source, stack in self.state.stacks.get(self.ruler, {}).items():
            near = [each for each in self.land.links(source) if each in mine]
            farther = {beyond: via for via in near for beyond in self.land.links(via) if beyond in mine}
            for target, via in farther.items():
                if target == source or target in near:
                    continue
                for going in _parts(stack, keeps=1):
                    order = orders.Move(named(going), (source, via, target))
                    if self.may(order):
                        yield (
                            order,
                            self.say("moved_by", source=source, place=target, via=via, figures=format_figures(going)),
                        )

    @cached_property
    def _harbour(self) -> sea_guide.Harbour:
        return sea_guide.Harbour(
            self.state,
            self.land,
            self.ruler,
            lambda at: self.trial.stack(self.ruler, at),
            self.may,
            self.say,
        )

    @property
    def _of_the_sea(self) -> Mapping[str, Callable[[], Whole]]:
        return {
            "BOARD": lambda: sea_guide.board(self._harbour),
            "SAIL": lambda: sea_guide.sail(self._harbour),
            "LAND": lambda: sea_guide.land(self._harbour),
            "FERRY": lambda: sea_guide.ferry(self._harbour, lambda stack: _parts(stack, keeps=1)),
        }

    def _build(self) -> Whole:
        for work in ("Tu", "Bf", "BF"):
            for at in self.own:
                centre = self.land.centre(at)
                cell = centre.cell if centre is not None and centre.cell else 19
                order = orders.Build(at, work, cell)
                is_payable = self.trial.money(self.ruler, at) >= WORKS[work].step
                if is_payable and self.trial.has_warrior(self.ruler, at) and self.may(order):
                    yield order, self.say("built", place=at, work=self._work(work), cell=cell)
        for at in self.own:
            for order in self._other_works(at):
                if self.trial.money(self.ruler, at) >= WORKS[order.work].step and self.may(order):
                    where = order.edge if order.edge is not None else order.cell
                    yield order, self.say("built_at", work=self._work(order.work), where=f"{where}")

    def _other_works(self, at: Province) -> Iterator[orders.Build]:
        """Bridges where a river or a strom runs, temple towers, and walls around the trade centre."""
        field, cells, centre = self.land.field(at), self.land.cells(at), self.land.centre(at)
        for edge in sorted(field.rivers):
            if edge.cell in cells:
                yield orders.Build(at, "Br", edge=edge)
        for cell in self.land.beside(at):
            sides = {side_between(cell, other): other for other in inner_neighbours(cell)}
            for side, other in sides.items():
                across = sides.get(side.opposite) if side is not None else None
                if across is not None and other < across and not cells.isdisjoint((other, across)):
                    yield orders.Build(at, "BR", cell, banks=(other, across))
        for work in field.works:
            is_grown = work.type == "Tu" or (work.type == "Tt" and work.paid is not None)
            if work.cell is not None and is_grown and has_module(self.state, "priests"):
                yield orders.Build(at, "Tt", work.cell)
        if centre is not None and centre.cell in cells:
            for side in Side:
                for has_gate in (True, False):
                    yield orders.Build(at, "Ma", edge=Edge(centre.cell, side), has_gate=has_gate)

    def _ways(self) -> Whole:
        """Canals of a few small fields between waters, passes over a ridge, and more RE for those that were begun."""
        for at in self.own:
            most = min(self.trial.most_goods(self.ruler, at), self.trial.money(self.ruler, at))
            if most <= 0 or not self.trial.has_warrior(self.ruler, at):
                continue
            for what, cells in ways.likely(self.land, self.own, at):
                due = ways.left_to_pay(self.land, at, what, cells)
                order = orders.WorkOn(at, what, cells, min(most, due))
                if due and self.may(order):
                    where = ", ".join(map(str, cells))
                    yield order, self.say("worked", work=self._work(what), where=where, cost=order.amount, due=due)

    def _mend(self) -> Whole:
        """Works that were hit and can be repaired."""
        for at in self.own:
            for work in self.land.works(at):
                order = orders.Repair(at, work.type, None if work.edge is not None else work.cell, work.edge)
                if not work.is_whole and self.may(order):
                    where = work.edge if work.edge is not None else work.cell
                    yield order, self.say("built_at", work=self._work(work.type), where=f"{where}")

    def _work(self, code: str) -> str:
        return self.words.render(phrase(f"work.{code}"))

    def _watch(self) -> Whole:
        for at in self.own:
            most = min(_WATCHERS, warriors(self.state.stack(self.ruler, at)))
            for count in range(1, most + 1):
                order = orders.Watch(at, count)
                if self.may(order):
                    yield order, self.say("watched", place=at, count=count)

    def _permit(self) -> Whole:
        for who in others(self.state, self.ruler):
            for at in (None, *self.own):
                for rounds in (1, 3, _MOST_ROUNDS):
                    order = orders.Allow(who, at, rounds)
                    code = "permitted" if at else "permitted_all"
                    yield order, self.say(code, ruler=who, place=at, count=rounds)

    # The window of deeds

    def _enter(self) -> Whole:
        if not self.free_units:
            return
        ee = self.free_units[0]
        for row in self.state.explored.get(self.ruler, ()):
            stack = self.state.stack(self.ruler, row.source)
            for kind in self._kinds_of_entry(row.target, row.result):
                losses = self._losses(row.target) if kind == "B" else None
                for going in (*_parts(stack, keeps=1, load=losses), *sea_guide.parties(stack)):
                    order = orders.Enter(ee, row.source, kind, row.target, named(going))
                    if self.may(order):
                        yield order, self.say(f"entered_{kind}", place=row.target, figures=format_figures(going))
                    passing = replace(order, rest=("FREE",))
                    if self.is_invader and kind == "B" and self.may(passing):
                        yield passing, self.say("entered_free", place=row.target, figures=format_figures(going))
        yield from self._take_here(ee)

    def _take_here(self, ee: int) -> Whole:
        """Invaders take natives' land where they already are. Source: rules 4.4, ruling KA212"""
        for at, stack in self.state.stacks.get(self.ruler, {}).items() if self.is_invader else ():
            ashore = on_land(stack)
            for going in (ashore, {item: count for item, count in ashore.items() if item != MONEY}):
                order = orders.Enter(ee, at, "B", at, named(going))
                if self.may(order):
                    yield order, self.say("taken_here", place=at, figures=format_figures(going))
                    break

    def _kinds_of_entry(self, target: Province, result: str) -> tuple[str, ...]:
        """Source: rules 15, R-104"""
        owner = self.state.owners.get(target)
        if result != FULL:
            return ("K",)
        if owner is None:
            return ("B",)
        if owner == self.ruler:
            return ("E",)
        may_enter = self.state.permits_entry(owner, self.ruler, target, self.state.gr)
        return ("E", "K") if may_enter else ("K",)

    def _settle(self) -> Whole:
        for at, names in self.state.contested.items():
            for who in names:
                order = orders.Settle(at, who)
                if self.may(order):
                    yield order, self.say("settled", place=at, ruler=who)


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


def _in_order(lines: Sequence[Line]) -> tuple[Line, ...]:
    """The lines of a sheet, numbered by their places."""
    return tuple(replace(line, number=number) for number, line in enumerate(lines, 1))


def _parts(stack: Figures, *, keeps: int, load: int | None = None) -> Iterator[Figures]:
    """Parts of a stack that could go: about half of its warriors, as many as can, one; with money and without;
    then only one kind, half of each kind, riders with their animals, and everything.

    Args:
        load: RE to take along, if not as many as the warriors carry; then few warriors are likelier than many.
    """
    fighting = {item: count for item, count in stack.items() if kind_of(item).is_warrior}
    money, many = stack.get(MONEY, 0), warriors(fighting)
    counts = (many // 2, many - keeps, many // 4, 1, many)
    if load is not None:
        fewest = -(-max(0, load - money) // 2) + _GUARD
        counts = (min(fewest, max(many - keeps, 1)), many // 2, many - keeps, 1, many)
    some = [_some(fighting, count) for count in dict.fromkeys(counts) if 0 < count <= many]
    offered: list[Figures] = []
    for going in (*some, *_mixed(stack, fighting, keeps)):
        carried = min(money, 10 * warriors(going), money if load is None else load)
        for taken in dict.fromkeys((carried, 0)):
            found = {**going, MONEY: taken} if taken else going
            if found not in offered:
                offered.append(found)
                yield found


_GUARD = 3
"""How many warriors stay alive in the smallest party that is offered for an occupation."""
_NAMES = 3
"""How many names are offered for a trade centre; the line can have any other."""


def _mixed(stack: Figures, fighting: Figures, keeps: int) -> Iterator[Figures]:
    """Only one kind of warriors, half of each kind, riders with their animals, and everything that can go."""
    if len(fighting) > 1:
        yield from ({item: count} for item, count in fighting.items())
        if half := {item: count // 2 for item, count in fighting.items() if count > 1}:
            yield half
    mounts = {item: count for item, count in stack.items() if kind_of(item).seats}
    for item, count in mounts.items():
        riders = min(warriors(fighting), count * kind_of(item).seats)
        if riders:
            yield {**_some(fighting, riders), item: -(-riders // kind_of(item).seats)}
    for item in _teams(stack):
        if drivers := _some(fighting, min(warriors(fighting), kind_of(item).seats)):
            yield {**drivers, item: 1}
    others = {item: count for item, count in stack.items() if item not in fighting and item != MONEY}
    if others:
        for left in (keeps, 0):
            staying = warriors(fighting) - left
            yield {**(_some(fighting, staying) if staying > 0 else {}), **others}


def _teams(stack: Figures) -> Iterator[str]:
    """Wagons with the teams that the draught animals of a stack could form. Ruling KA170"""
    if stack.get("QuW"):
        yield from (f"QuW/{min(stack['QIP'], MOST_IN_TEAM)}",) if stack.get("QIP") else ()
        yield from (f"QuW({min(stack['QsP'], MOST_IN_TEAM)})",) if stack.get("QsP") else ()


def _some(fighting: Figures, count: int) -> Figures:
    """This many warriors of a stack, in the order in which it is written."""
    found: dict[str, int] = {}
    for item, _ in named(fighting):
        taken = min(fighting[item], count - sum(found.values()))
        if taken:
            found[item] = taken
    return found


ASKED_FOR = frozenset(
    {"PERMIT", "HANDOVER", "FIEF", "ACCEPT", "GOD", "KING", "CARAVAN", "SLAVES", "PLANE", "ARTEFACT", "NAME"}
)
"""Kinds of orders that are not proposed unasked: permissions, gifts, names, and what can wait (gods, kings)."""


def unasked(desk: Desk) -> tuple[str, ...]:
    """The kinds of orders that are proposed unasked. Whoever has figures already is not asked to begin elsewhere."""
    return tuple(kind for kind in desk.open_kinds if kind not in ASKED_FOR and (kind != BEGIN or desk.is_expected))


def together(view: View, standing: Sequence[Line]) -> tuple[Order, ...]:
    """Likely orders that can be combined with the present ones and with each other: one of each kind."""
    found: list[Order] = []
    for kind in unasked(desk_of(view, standing)):
        desk = desk_of(view, (*standing, *map(Line, found)))
        found += (order for order, _ in islice(desk.whole(kind), 1))
    return tuple(found)
