"""Upkeep at the end of P1, and what leaves if it can't be paid.

Source: rules 17.6, 20.2, 25.5, R-045, R-046, R-108
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from engine.core.ids import PowerId
from engine.kalevala import books
from engine.kalevala.caravans.facts import unhitched, unpaid_of
from engine.kalevala.coordinates import Province, order_of
from engine.kalevala.figures import (
    MONEY,
    Figures,
    format_figures,
    kind_of,
    load_of,
    minus,
    team_of,
    warriors,
    with_loads,
)
from engine.kalevala.model import MARAUDER
from engine.kalevala.priests.facts import is_priest
from engine.kalevala.sea.craft import found_aboard
from engine.kalevala.steps import spying
from engine.kalevala.steps.sailing import empty, leave_craft
from engine.kalevala.steps.temples import take, treasure_at
from engine.kalevala.tables import CLASSES, PAY_GROUPS, PAY_UNIT, Kind
from engine.kalevala.window import Window


def pay(window: Window) -> None:
    """Everybody but marauders pays, colonies first."""
    for ruler, own in window.rulers.items():
        if own.kind != MARAUDER:
            _Payment(window, ruler).pay()


class _Payment:
    """The upkeep of one ruler."""

    def __init__(self, window: Window, ruler: PowerId) -> None:
        self.window = window
        self.ruler = ruler
        self.left: Counter[str] = Counter()
        self.watchers = 0
        self.unit = PAY_UNIT[window.rulers[ruler].rank]

    def pay(self) -> None:
        """Pay priests, colonies and the core realm; what can't be paid leaves for good."""
        booked = self.window.accounts[self.ruler]
        first = books.account(self.window, self.ruler)
        booked["upkeep"], booked["due"], booked["group"] = first.rows(), first.due, first.group
        self._pay_priests()
        priests = Counter(self.left)
        paid = self._pay_colonies() + self._pay_home()
        booked["paid"] = paid
        booked["left"], booked["unwatched"] = format_figures(self.left - priests), self.watchers
        if self.left or self.watchers:
            args = {"left": format_figures(self.left), "watchers": self.watchers}
            self.window.tell("unpaid", [self.ruler], args, words=self._words)

    @property
    def _words(self) -> str:
        """Which phrase says who could not be paid: figures, watchers, or both."""
        if not self.watchers:
            return "unpaid"
        return "unpaid_both" if self.left else "unpaid_watch"

    def _pay_priests(self) -> None:
        """Priests get 1 RE each from a temple's treasure; those who aren't paid leave, those in caravans and with
        agents, too. Source: rules 20.2, R-060, ruling KA303
        """
        for province in self._places(self.window.stacks[self.ruler]):
            for item, count in self._unpaid_priests(with_loads(self.window.stack(self.ruler, province))).items():
                leave_craft(self.window, self.ruler, province, {item: count})
                self._leave(province, item, count)
        for key, caravan in list(self.window.caravans.items()):
            if caravan.ruler == self.ruler:
                left = self._unpaid_priests(caravan.load)
                self.window.caravans[key] = replace(caravan, load=minus(caravan.load, left))
                self.left.update(left)
        for agent in list(spying.in_turn(self.window)):
            if agent.ruler == self.ruler and agent.captor is None:
                left = self._unpaid_priests(agent.group)
                self.window.agents[agent.ruler, agent.number] = replace(agent, group=minus(agent.group, left))
                self.left.update(left)

    def _unpaid_priests(self, figures: Figures) -> Figures:
        """The priests among figures for whom no treasure has anything left."""
        priests = [item for item in sorted(figures) if is_priest(item) for _ in range(figures[item])]
        left = Counter(item for item in priests if not self._take_from_treasure())
        if left:
            booked = self.window.accounts[self.ruler]
            booked["priests"] = booked.get("priests", 0) + left.total()
        return left

    def _take_from_treasure(self) -> bool:
        for province in self.window.owned(self.ruler):
            if treasure_at(self.window, province):
                take(self.window, province, 1, "upkeep")
                return True
        return False

    def _pay_colonies(self) -> int:
        """Core troops in colonies, and all in fleets far from home, are paid there; or they leave, by units of pay.

        Source: rules 8.3, 17.6, R-046, ruling KA284
        """
        done: set[tuple[Province, ...]] = set()
        paid = 0
        while True:
            costs = books.account(self.window, self.ruler)
            due = costs.on_the_spot
            area = next((each for each in due if each not in done), None)
            if area is None:
                return paid
            have = sum(self._money(province) for province in area)
            if due[area] > have:
                if not self._drop_from_fleet(area, costs.fleets.get(area)):
                    self._drop_unit(area, self._is_core)
                continue
            done.add(area)
            paid += self._take(area, due[area])

    def _drop_from_fleet(self, area: Collection[Province], aboard: books.Aboard | None) -> bool:
        """A pay unit of animals, else of auxiliaries, leaves a fleet far from home. Returns whether there was one."""
        if aboard is None:
            return False
        return any(self._drop_animals(rank, aboard.animals.get(rank, 0), area) for rank in CLASSES) or any(
            self._drop_auxiliaries(rank, area) for rank in CLASSES
        )

    def _pay_home(self) -> int:
        """Pay from the core realm's stores, as far as they go once all that can't be paid has left."""
        first = books.account(self.window, self.ruler)
        while True:
            costs = replace(books.account(self.window, self.ruler), colonies=first.colonies, fleets=first.fleets)
            due, have = costs.home_due, books.store(self.window, self.ruler)
            if due <= have or not self._drop_next(costs):
                return self._take(books.home_stores(self.window, self.ruler), min(due, have))

    def _drop_next(self, costs: books.Account) -> bool:
        """Let go what leaves next. Returns whether there was anything. Source: rules R-108"""
        watched = self.window.watch.get(self.ruler, {})
        if watched:
            first = min(watched, key=order_of)
            self.watchers += 1
            watched[first] -= 1
            if not watched[first]:
                del watched[first]
            return True
        stacks = self.window.stacks[self.ruler]
        paid_afar = {place for seas in costs.fleets for place in seas}
        near = [place for place in stacks if place not in paid_afar]
        paid = costs.home_animals
        if any(self._drop_animals(rank, paid[rank], near) for rank in CLASSES):
            return True
        if any(self._drop_auxiliaries(rank, near) for rank in CLASSES):
            return True
        if self._drop_core(costs) or self._drop_unit(stacks, lambda kind: kind.code in ("My", "Ag"), unit=1):
            return True
        return self._drop_agent()

    def _drop_agent(self) -> bool:
        """From an agent at home first goes what costs nothing, and his RE, into the province's stores; then those with
        him leave, then he. Rulings KA10, KA122
        """
        agents = self.window.agents.items()
        mine = [key for key, each in agents if each.ruler == self.ruler and books.is_at_home(self.window, each)]
        if not mine:
            return False
        key = max(mine)
        agent = self.window.agents[key]
        paid = unpaid_of(agent.group)
        kept = {**minus(unhitched(agent.group), paid), **({MONEY: agent.money} if agent.money else {})}
        if kept:
            for item, count in kept.items():
                self.window.book(self.ruler, agent.at, item, count, "group")
            self.window.spent[self.ruler] -= agent.money
            self.window.agents[key] = replace(agent, group=paid, money=0)
        elif paid:
            self.left.update(paid)
            self.window.agents[key] = replace(agent, group={})
        else:
            spying.let_go(self.window, agent, "unpaid")
        return True

    def _drop_animals(self, rank: str, paid: int, places: Collection[Province]) -> bool:
        """A pay unit of animals leaves; teams last, a wagon's at a time. Source: rules 25.5, R-108, ruling KA23"""
        if not paid:
            return False
        number = paid % PAY_UNIT[rank] or PAY_UNIT[rank]
        if self._drop(places, lambda kind: kind.upkeep == rank, number):
            return True
        for province in self._places(places) if rank == "A" else ():
            for item in sorted(self.window.stack(self.ruler, province)):
                if "[" not in item and team_of(item):
                    self.window.book(self.ruler, province, item, -1, "unpaid")
                    self.window.book(self.ruler, province, "QuW", 1, "unharnessed")
                    self.left.update(team_of(item))
                    return True
        return False

    def _drop_auxiliaries(self, rank: str, places: Collection[Province]) -> bool:
        """A pay unit of auxiliaries of a class leaves. Returns whether there was one."""
        return self._drop_unit(places, lambda kind: self._is_auxiliary(kind, rank), unit=PAY_UNIT[rank])

    def _drop_core(self, costs: books.Account) -> bool:
        """Core troops leave down to the next group, those of colonies last. Source: rules R-046"""
        if not costs.core_cost:
            return False
        limit = PAY_GROUPS[costs.group - 1].most[self.window.rulers[self.ruler].rank]
        abroad = {province for area in costs.colonies for province in area}
        stacks = self.window.stacks[self.ruler]
        number = costs.core - limit
        number -= self._drop([place for place in stacks if place not in abroad], self._is_core, number)
        self._drop(list(stacks), self._is_core, number)
        return True

    def _is_core(self, kind: Kind) -> bool:
        return kind.is_warrior and self.window.rulers[self.ruler].is_core(kind.code)

    def _is_auxiliary(self, kind: Kind, rank: str) -> bool:
        return kind.is_warrior and kind.rank == rank and not self._is_core(kind)

    def _drop_unit(self, places: Collection[Province], belongs: Callable[[Kind], bool], unit: int = 0) -> bool:
        """One pay unit of a kind leaves, an incomplete one first. Returns whether there was one."""
        unit = unit or self.unit
        stacks = (self.window.stack(self.ruler, province) for province in places)
        count = sum(number for stack in stacks for item, number in with_loads(stack).items() if belongs(kind_of(item)))
        if count:
            self._drop(places, belongs, count % unit or unit)
        return count > 0

    def _drop(self, places: Collection[Province], belongs: Callable[[Kind], bool], number: int) -> int:
        """This many leave: from the lowest coordinate, the capital last, archers before melee. Returns how many did."""
        gone = 0
        for province, item, count in list(self._holding(places, belongs)):
            leaving = min(count, number - gone)
            if leaving > 0:
                self._leave(province, item, leaving)
                gone += leaving
        return gone + self._drop_aboard(places, belongs, number - gone)

    def _drop_aboard(self, places: Collection[Province], belongs: Callable[[Kind], bool], number: int) -> int:
        """Those aboard leave after those ashore; the craft stay. Returns how many did. Ruling KA102"""
        gone = 0
        for province in self._places(places):
            for craft in [item for item in sorted(self.window.stack(self.ruler, province)) if "[" in item]:
                for _ in range(self.window.stack(self.ruler, province)[craft]):
                    leaving: dict[str, int] = {}
                    for item, count in load_of(craft).items():
                        left = number - gone - sum(leaving.values())
                        if belongs(kind_of(item)) and left > 0:
                            leaving[item] = min(count, left)
                    if leaving:
                        empty(self.window, self.ruler, province, craft, leaving)
                        for item, count in leaving.items():
                            self.window.put(self.ruler, province, item, count)
                            self._leave(province, item, count)
                        gone += sum(leaving.values())
        return gone

    def _holding(
        self, places: Collection[Province], belongs: Callable[[Kind], bool]
    ) -> Iterator[tuple[Province, str, int]]:
        for province in self._places(places):
            stack = self.window.stack(self.ruler, province)
            for item in sorted(stack, key=lambda each: (not each.startswith("B"), each)):
                if "[" not in item and belongs(kind_of(item)):
                    yield province, item, stack[item]

    def _places(self, places: Collection[Province]) -> list[Province]:
        capital = self.window.capital_of(self.ruler)
        return sorted(places, key=lambda province: (province == capital, order_of(province)))

    def _leave(self, province: Province, item: str, count: int) -> None:
        self.window.book(self.ruler, province, item, -count, "unpaid")
        self.left[item] += count
        # Those who have left keep no watch.
        watched = self.window.watch.get(self.ruler, {})
        here = warriors(self.window.stack(self.ruler, province))
        if watched.get(province, 0) > here:
            self.watchers += watched[province] - here
            watched[province] = here
            if not here:
                del watched[province]

    def _money(self, province: Province) -> int:
        """The RE that can be paid out in a province: in its stores, or on the high sea aboard. Ruling KA284"""
        stack = self.window.stack(self.ruler, province)
        return (with_loads(stack) if self.window.land.is_sea(province) else stack).get(MONEY, 0)

    def _take(self, places: Sequence[Province], amount: int) -> int:
        """Take RE from stores, one after the other. Returns how much there was."""
        taken = 0
        for province in places:
            part = min(amount - taken, self._money(province))
            aboard = max(0, part - self.window.money(self.ruler, province))
            for craft, money in found_aboard(self.window.stack(self.ruler, province), {MONEY: aboard}) or ():
                empty(self.window, self.ruler, province, craft, money)
                self.window.put(self.ruler, province, MONEY, money[MONEY])
            self.window.book(self.ruler, province, MONEY, -part, "upkeep")
            taken += part
        return taken
