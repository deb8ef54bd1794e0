"""A sheet that the computer writes for a ruler, line by line, each beside those that stand.

So it never asks for what the books don't hold. Source: docs/kalevala.md, "Rulers that the computer plays"
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from math import sqrt

from engine.core.judgement import Chance
from engine.kalevala import books, orders, parse, realms
from engine.kalevala.artefacts.orders import TakeArtefact
from engine.kalevala.coordinates import Province
from engine.kalevala.figures import MONEY, Figures, kind_of, price_of, warriors
from engine.kalevala.gods import guide as god_guide
from engine.kalevala.gods.orders import GodAppear, GodAura, GodCreate, GodEnter, GodLearn, GodScout
from engine.kalevala.guide import guide_of
from engine.kalevala.land import Land, land_of
from engine.kalevala.model import FULL, INVADER, ORDERS_PART, TradeCentre, View
from engine.kalevala.modules import has_module
from engine.kalevala.orders import Line, Order, named
from engine.kalevala.sea.craft import craft_among
from engine.kalevala.steps.realm import is_known_to_be_barred
from engine.kalevala.tables import MOST_HUMANS
from engine.kalevala.war import room as war_room
from engine.kalevala.war.plans import Block, BlockOpening, Planned
from engine.kalevala.window import Window

_SCOUTS = 4
"""Exploration units that scout; the others are for the entries that follow. Some scouts find only water."""
_PARTY = 4
"""Warriors who are spared for an entry: who pays for it, and who stays."""
_UNKNOWN, _FREE, _HELD = 1.5, 1.0, 0.3
"""What unknown land counts, nobody's land, and land that others hold; its centre counts on top."""
_GUARD = 3
"""One man in this many stays in the capital; twice as many when foreigners were seen next to it."""
_MEN_A_PROVINCE = 3
_RESERVE = 14
"""RE that are kept for occupations."""
_FRONT = 16
"""RE of warriors who are gathered against an enemy at least: fewer stay where they are."""


class ComputerSheet:
    """A sheet that is being written.

    Args:
        wildness: how far its likings are left to chance.
        odds: how many times as much as the defenders an attack has to be worth.
        caution: how much dangers count, as a multiple of what they usually do.
    """

    def __init__(self, view: View, chance: Chance, wildness: float, odds: float = 2.0, *, caution: float = 1.0) -> None:
        assert view.viewer is not None, "a ruler writes it"
        self.view, self.state = view, view.state
        self.me = view.viewer
        self.lines: list[Line] = []
        self._chance, self._wildness, self._odds = chance, wildness, odds * sqrt(caution)
        self._caution = caution

    # What there is

    @cached_property
    def land(self) -> Land:
        """As far as it is known."""
        return land_of(self.state)

    @cached_property
    def own(self) -> frozenset[Province]:
        """The ruler's provinces; of invaders also where else their warriors are. Source: rules 4.4"""
        found = set(self.state.owned(self.me))
        if self._is_invader:
            found |= {place for place, stack in self.state.stacks.get(self.me, {}).items() if warriors(stack)}
        return frozenset(found)

    @property
    def _is_invader(self) -> bool:
        return self.state.rulers[self.me].kind == INVADER

    @cached_property
    def beyond(self) -> Mapping[Province, tuple[Province, ...]]:
        """By own province, the adjacent land that may be had."""
        around = guide_of(self.view, ()).around
        return {place: tuple(filter(self._may_be_had, around(place))) for place in sorted(self.own)}

    def _may_be_had(self, place: Province) -> bool:
        """Whether it isn't known to be water."""
        letters = self.land.field(place).cells
        return any(letters[cell - 1] not in "WGQ" for cell in self.land.cells(place))

    @cached_property
    def inland(self) -> Mapping[Province, int]:
        """By own province, the steps to one from which others can be entered."""
        found = {place: 0 for place, others in self.beyond.items() if others}
        edge = list(found)
        while edge:
            following = []
            for place in edge:
                for other in self.land.links(place):
                    if other in self.own and other not in found:
                        found[other] = found[place] + 1
                        following.append(other)
            edge = following
        return found

    @property
    def trial(self) -> Window:
        """The window with the lines that stand."""
        return guide_of(self.view, self.lines).trial

    @cached_property
    def front(self) -> tuple[Province, Province] | None:
        """From where to attack what others seem to hold: the best prize for those who can be gathered.

        Only scouting shows whose land it is; known land that is not its own is most likely somebody's.
        """
        found: dict[tuple[Province, Province], float] = {}
        known = self.state.known.get(self.me, ())
        for source, others in self.beyond.items():
            power = sum(self._spare(place) for place in (source, *self._behind(source)))
            for target in others:
                if target in known and power >= _FRONT and self._may_attack(target):
                    found[source, target] = (1 + self._arming(target)) * power * self._whim()
        return max(found, key=lambda way: (found[way], way), default=None)

    def _may_attack(self, place: Province) -> bool:
        """Whether there can be war for a province in this great round, as far as its owner is known.

        Source: rules R-012, R-123, ruling KA288
        """
        owner = self.state.owners.get(place)
        if owner is None:
            return self.state.rulers[self.me].protected < self.state.gr
        return not is_known_to_be_barred(self.trial, self.me, owner)

    def _behind(self, place: Province) -> list[Province]:
        """Own land from which men come to a place in one march."""
        return [each for each in self.land.links(place) if each in self.own]

    def _spare(self, place: Province) -> int:
        """What the men are worth who need not stay, in RE."""
        stack = self.state.stack(self.me, place)
        return worth_of(self._party(stack, warriors(stack) - self._garrison(place)))

    def threat(self, place: Province) -> int:
        """What foreigners who were seen next to a place are worth in RE."""
        near = (place, *self.land.links(place))
        return sum(
            worth_of(stacks[at])
            for who, stacks in self.state.stacks.items()
            if who != self.me
            for at in near
            if at in stacks
        )

    def wish(self, place: Province) -> float:
        """How much land is worth having: what it arms, and whose it is."""
        owner = self.state.owners.get(place)
        if owner is None and place not in self.state.known.get(self.me, ()) and not self._is_explored(place):
            # By chance, for nobody remembers where a scout came to water.
            return _UNKNOWN * (0.5 + self._chance.random())
        arming = self._arming(place)
        return (_FREE + arming if owner is None else _HELD * (1 + arming)) * self._whim()

    def _arming(self, place: Province) -> int:
        """What a province's trade centre arms, as far as it is known."""
        centre = self._centre(place)
        return 0 if centre is None else centre.centre.arming

    def _centre(self, place: Province) -> TradeCentre | None:
        """The trade centre of a province that is seen now."""
        return self.land.centre(place)

    def _is_explored(self, place: Province) -> bool:
        return any(row.target == place for row in self.state.explored.get(self.me, ()))

    def _whim(self) -> float:
        return max(0.05, 1 + self._wildness * (self._chance.random() - 0.5))

    def _add(self, order: Order) -> bool:
        """Put an order on the sheet if it would not be refused."""
        if not guide_of(self.view, self.lines).may(order):
            return False
        self.lines.append(Line(order))
        return True

    # The window of orders

    def write_orders(self) -> None:
        """Income, troops, marches, scouts."""
        if self.state.gr % 2 == 0:
            self._arm()
        self._convert()
        self._gather()
        self._march()
        self._scout()
        self._serve_god(GodCreate, GodLearn, GodAura, GodScout)
        self._pick_up()

    def _arm(self) -> None:
        """Arm all that can be armed, where most land can be gained."""
        offers: dict[Province, orders.Arm] = {}
        for order, _ in guide_of(self.view, ()).whole("ARM"):
            if isinstance(order, orders.Arm):
                offers.setdefault(order.target, order)
        if offers:
            wishes = {place: sum(map(self.wish, self.beyond.get(place, ()))) for place in offers}
            threats = {place: self.threat(place) for place in offers}
            worth = {place: order.amount * (1 + wishes[place] + threats[place]) for place, order in offers.items()}
            self._add(offers[max(offers, key=lambda place: worth[place])])

    def _convert(self) -> None:
        """Core troops for what is left over: as many as the realm needs, more where foreigners were seen."""
        trial = self.trial
        own = self.state.rulers[self.me]
        due = books.account(trial, self.me).due
        left = books.store(trial, self.me) - due - _RESERVE
        men = sum(warriors(stack) for stack in trial.stacks[self.me].values())
        danger = max(map(self.threat, self.own), default=0)
        item = f"{own.weapon}{own.rank}" if own.rank != "A" else own.weapon
        price = price_of(item)
        wanted = max(0, _MEN_A_PROVINCE * len(self.own) - men) + danger // price
        if self.front is not None:
            wanted = max(wanted, left // price)
        places = realms.realm_of(trial, self.me) if self._is_invader else books.best_centres(trial, self.me)
        for place in sorted(places, key=lambda each: -trial.money(self.me, each)):
            count = min(wanted, left // price, trial.money(self.me, place) // price, MOST_HUMANS // price)
            while count > 0 and not self._add(orders.Convert(place, named(self._troops(count)))):
                count //= 2
            wanted, left = wanted - max(0, count), left - max(0, count) * price

    def _troops(self, count: int) -> dict[str, int]:
        """So many core troops."""
        own = self.state.rulers[self.me]
        return {own.weapon + (own.rank if own.rank != "A" else ""): count}

    def _march(self) -> None:
        """Move men and money from inland to the border, where most can be gained and fewest men are."""
        manned = {place: warriors(self.state.stack(self.me, place)) for place in self.own}
        for source in sorted(self.own, key=lambda place: (-self.inland.get(place, 0), place)):
            if not self.inland.get(source, 0):
                continue
            near = [place for place in self.land.links(source) if place in self.own]
            near = [place for place in near if self.inland.get(place, 99) < self.inland[source]]
            for _ in range(2):
                stack, spare = self._free_to_go(source)
                if not near or spare < 1:
                    break
                target = max(near, key=lambda place: (sum(map(self.wish, self.beyond[place])) - manned[place], place))
                going = self._party(stack, spare if spare <= 2 * _PARTY else -(-spare // 2))
                if not self._add(orders.Move(named(going), (source, target))):
                    break
                manned[target] += warriors(going)

    def _gather(self) -> None:
        """Men from all around to where somebody else's land could be conquered."""
        if self.front is None:
            return
        goal, _ = self.front
        for source in self._behind(goal):
            stack, spare = self._free_to_go(source)
            going = self._party(stack, spare)
            if warriors(going):
                self._add(orders.Move(named({**going, **self._company(stack)}), (source, goal)))

    def _free_to_go(self, place: Province) -> tuple[Figures, int]:
        """What may still march from a place, and how many warriors of it: others may have been raised just now.

        Source: rules R-099, R-107
        """
        free = {item: count for item, count in self.trial.unmarked(self.me, place).items() if count}
        staying = self._garrison(place) - (warriors(self.trial.stack(self.me, place)) - warriors(free))
        return free, warriors(free) - max(0, staying)

    def _company(self, stack: Figures) -> Figures:
        """Who of a stack goes to war with its warriors."""
        return {}

    def _garrison(self, place: Province) -> int:
        """How many men stay."""
        men = warriors(self.state.stack(self.me, place))
        if place != self.state.rulers[self.me].capital:
            return 1
        return max(1, min(men, int(self._caution * men * (2 if self.threat(place) else 1) / _GUARD)))

    def _party(self, stack: Figures, count: int) -> dict[str, int]:
        """So many warriors of a stack, the cheapest first, with what money they carry."""
        found: dict[str, int] = {}
        fighting = [item for item, _ in named(stack) if kind_of(item).is_warrior]
        for item in sorted(fighting, key=price_of):
            taken = min(stack[item], count - sum(found.values()))
            if taken > 0:
                found[item] = taken
        money = min(stack.get(MONEY, 0), 10 * warriors(found))
        return {**found, MONEY: money} if money else found

    def _scout(self) -> None:
        """Look at the land that is most worth having, next to those who could enter it."""
        spare = {place: warriors(self.trial.stack(self.me, place)) - 1 for place in self.own}
        wishes = {target: self.wish(target) for others in self.beyond.values() for target in others}
        if self.front is not None:
            wishes[self.front[1]] = 2 * max(wishes.values())
        units = guide_of(self.view, ()).free_units
        own, gr = self.view.state.rulers[self.me], self.view.state.gr
        ways = [(place, target) for place, others in self.beyond.items() for target in others]
        ways = [way for way in ways if not own.remembers_bar(*way, gr)]
        scouted: list[Province] = []
        while ways and self._scouts_on(scouted, len(units)):
            source, target = max(ways, key=lambda way: (wishes[way[1]] * min(_PARTY, max(0, spare[way[0]])), way))
            ways.remove((source, target))
            explores = target not in scouted and spare[source] > 0
            if explores and self._add(orders.Explore(units[len(scouted)], source, target)):
                scouted.append(target)
                spare[source] -= _PARTY

    def _scouts_on(self, scouted: Sequence[Province], units: int) -> bool:
        """Whether one more of the exploration units scouts; those that are left pay for entries."""
        return len(scouted) < min(units, _SCOUTS)

    # The window of deeds

    def write_deeds(self) -> None:
        """Contested land, entries, plans for the attacks among them, a standing defence of the capital."""
        self._settle()
        units = list(guide_of(self.view, ()).free_units)
        for order in self._entries():
            if not units:
                break
            if self._add(orders.Enter(units[0], *order)):
                units.pop(0)
        self._plan()
        self._serve_god(GodEnter, GodAppear)

    def _settle(self) -> None:
        """Contested land goes to whoever has most there, so that two of the computer's agree. Source: rules R-112"""
        for place, names in self.state.contested.items():
            strength = {who: worth_of(self.state.stack(who, place)) for who in names}
            self._add(orders.Settle(place, max(names, key=lambda who: strength[who])))

    def _serve_god(self, *kinds: type[Order]) -> None:
        """Of each kind the first thing that the god can do, if there are gods."""
        for kind in kinds if has_module(self.state, "gods") else ():
            deed = next(self._divine(kind), None)
            if deed is not None:
                self._add(deed)

    def _divine(self, kind: type[Order]) -> Iterator[Order]:
        """What the god can do of one kind; nothing else that he could do is tried."""
        offered = god_guide.orders_of if self.state.part == ORDERS_PART else god_guide.deeds_of
        return (order for order, _ in offered(guide_of(self.view, self.lines).only(kind)))

    def _pick_up(self) -> None:
        """Whatever artefacts lie where its people are."""
        if self.state.modules.get("things"):
            for order, _ in guide_of(self.view, self.lines).whole("ARTEFACT"):
                if isinstance(order, TakeArtefact):
                    self._add(order)

    def _entries(self) -> Iterator[tuple[Province, str, Province, tuple[tuple[str, int], ...]]]:
        """What could be entered, the best first, each as the stacks are then."""
        rows = [row for row in self.state.explored.get(self.me, ()) if row.result == FULL]
        wishes = {row.target: self.wish(row.target) for row in rows}
        left = {place: dict(stack) for place, stack in self.state.stacks.get(self.me, {}).items()}
        done: set[Province] = set()
        for row in sorted(rows, key=lambda row: (-wishes[row.target], row.target, row.source)):
            if row.target in done or row.target in self.own:
                continue
            stack = left.get(row.source, {})
            owner = self.state.owners.get(row.target)
            spare = warriors(stack) - self._garrison(row.source)
            if self.land.is_sea(row.source):
                going = self._crews(stack) if owner is None else None
            elif owner is None:
                going = self._settlers(stack, row.target, spare)
            else:
                open_to_it = {other.target for other in rows if other.source == row.source} - self.own - done
                going = self._host(stack, row.target, spare, is_only=open_to_it <= {row.target})
            if going is None:
                continue
            done.add(row.target)
            for item, count in going.items():
                stack[item] -= count
            yield row.source, "B" if owner is None else "K", row.target, named(going)

    def _crews(self, stack: Figures) -> Figures | None:
        """Who lands on natives' shores: half of the craft that have somebody aboard."""
        manned = sorted(item for item, count in craft_among(stack).items() for _ in range(count) if warriors({item: 1}))
        return Counter(manned[: -(-len(manned) // 2)]) or None

    def _settlers(self, stack: Figures, target: Province, spare: int) -> Figures | None:
        """Who occupies natives' land: those who pay for it, and two who stay."""
        centre = self.land.centre(target)
        losses = 0 if centre is None else centre.centre.losses
        party = self._party(stack, min(spare, 2))
        money = min(losses, party.get(MONEY, 0))
        if money < losses:
            party = self._party(stack, min(spare, 2 + losses - money))
            money = min(losses, party.get(MONEY, 0))
            worth = worth_of(party)
            if money + worth < losses + 1:
                return None
        found = {item: count for item, count in party.items() if item != MONEY}
        if not found:
            return None
        return {**found, MONEY: money} if money else found

    def _host(self, stack: Figures, target: Province, spare: int, *, is_only: bool) -> Figures | None:
        """Who attacks: all that can be spared, if that looks like enough.

        Args:
            is_only: nothing else that was explored could be entered from there.
        """
        host = self._fighters(stack, spare)
        if not host or worth_of(host) < self._odds * self._whim() * self._defenders_of(target) + 1:
            return None
        return host

    def _fighters(self, stack: Figures, count: int) -> Figures:
        """So many warriors of a stack, without money."""
        return {item: number for item, number in self._party(stack, count).items() if item != MONEY}

    def _defenders_of(self, target: Province) -> int:
        """What the foreigners who were seen in a province are worth in RE."""
        return sum(worth_of(stacks.get(target, {})) for who, stacks in self.state.stacks.items() if who != self.me)

    def _plan(self) -> None:
        """Plans for the attacks, and the standing defence of the capital if it isn't the one that stands."""
        capital = self.state.rulers[self.me].capital
        self._write(war_room.sensible(self.view, self.lines), lambda block: block.kind == "BATTLE")
        if capital is not None:
            self._write(war_room.sensible(self.view, ()), lambda block: block.kind == "DEFEND" and block.at == capital)

    def _write(self, lines: Iterable[str], is_wanted: Callable[[Block], bool]) -> None:
        for read in parse.parse("\n".join(lines), self.view).orders:
            order = read.order.order
            if isinstance(order, BlockOpening | Planned) and is_wanted(order.block):
                self._add(order)


def worth_of(figures: Figures) -> int:
    """What the warriors among figures cost."""
    return sum(count * price_of(item) for item, count in figures.items() if kind_of(item).is_warrior)
