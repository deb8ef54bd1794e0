"""Arming: ARM lines draw from their zones; what is not drawn arms in place.

Source: rules 11.1, 11.2, 11.3, R-023, R-099
"""

from __future__ import annotations

from engine.core.ids import PowerId
from engine.kalevala import books, realms
from engine.kalevala.coordinates import Province, order_of
from engine.kalevala.figures import MONEY, warriors
from engine.kalevala.model import INVADER, MARAUDER
from engine.kalevala.orders import PEOPLE, Arm, Line
from engine.kalevala.sea.craft import craft_among
from engine.kalevala.tables import MOST_SET_UP
from engine.kalevala.window import Window


def arm(window: Window) -> None:
    """Everything that is armed on this date, ARM lines first, wherever they are in the sheet."""
    is_date = window.gr % 2 == 0
    for ruler in window.rulers:
        arming = _Arming(window, ruler) if is_date else None
        for line in window.lines(ruler):
            if isinstance(line.order, Arm):
                if arming is None:
                    window.refuse(ruler, line, "V23")
                else:
                    arming.carry_out(line, line.order)
        if arming is not None and window.rulers[ruler].kind != MARAUDER:
            arming.arm_in_place()


def has_room(window: Window, ruler: PowerId, place: Province) -> bool:
    """Whether something can be set up in a place: on the high sea the ruler needs a craft there. Ruling KA211"""
    return not window.land.is_sea(place) or bool(craft_among(window.stack(ruler, place)))


class _Arming:
    """The arming of one ruler."""

    def __init__(self, window: Window, ruler: PowerId) -> None:
        self.window = window
        self.ruler = ruler
        self.left = {province: books.yields(window, province) for province in realms.realm_of(window, ruler)}
        self.is_invader = window.rulers[ruler].kind == INVADER
        people, additional = books.peoples_arming(window, ruler), books.additional_arming(window, ruler)
        self.people = people + additional
        self.core = realms.core_realm(window, ruler)
        self.taken: set[str] = set()
        self.set_up: dict[Province, int] = {}
        booked = window.accounts[ruler]
        booked["arming"] = sum(self.left.values())
        booked["people"] = people
        if additional:
            booked["additional"] = additional

    def carry_out(self, line: Line, order: Arm) -> None:
        """An ARM line: tested, then drawn from the target first, then from the sources in written order."""
        places = self._places(order)
        target = realms.find_in_realm(self.window, self.ruler, order.target)
        if target is None or places is None:
            self.window.refuse_land(self.ruler, line, order.target, *order.sources)
            return
        code = self._flaw(order, target, places)
        if code is not None:
            self.window.refuse(self.ruler, line, code, place=target, amount=order.amount, most=MOST_SET_UP)
            return
        zone = dict.fromkeys((target, *places))
        has_people = PEOPLE in order.sources
        self.taken |= {*zone, *([PEOPLE] if has_people and not self.is_invader else [])}
        whole = sum(self.left[province] for province in zone) + (self.people if has_people else 0)
        amount = min(order.amount, whole)
        if amount < order.amount:
            self.window.warn(self.ruler, line, "W1", amount=amount, asked=order.amount)
        for source in (target, *order.sources):
            drawn = self._draw(source, target, amount)
            amount -= drawn

    def _places(self, order: Arm) -> list[Province] | None:
        """The provinces among the sources; `None` if one of them isn't the ruler's own."""
        found = [
            realms.find_in_realm(self.window, self.ruler, Province(name)) for name in order.sources if name != PEOPLE
        ]
        return None if None in found else [place for place in found if place is not None]

    def _flaw(self, order: Arm, target: Province, places: list[Province]) -> str | None:
        """The first test that fails. Source: rules R-104"""
        zone = {target, *places}
        if self._is_of_a_colony(order, target, places):
            return "V24"
        if self._is_newly(target) and order.amount > books.yields(self.window, target):
            return "V25"
        if self.window.centre(target) is None and not self.is_invader:
            return "V08"
        if not self._is_connected(zone, target):
            return "V03"
        if self.is_invader and not has_room(self.window, self.ruler, target):
            return "V20"
        if PEOPLE in order.sources and not realms.is_peoples_plane(self.window, self.ruler, target):
            return "V03"
        if self.taken & {*zone, *order.sources}:
            return "V05"
        return "V07" if order.amount > MOST_SET_UP else None

    def _is_newly(self, province: Province) -> bool:
        """Whether a province sets up no more than it yields, since it was occupied in the last great round. Rules 11.2

        Invaders' land has no such limit (ruling KA210).
        """
        return not self.is_invader and self.window.newly.get(self.ruler, {}).get(province) == self.window.gr - 1

    def _is_of_a_colony(self, order: Arm, target: Province, places: list[Province]) -> bool:
        """Whether a colony, or invaders' land, would arm more than it yields, or for others. Source: rules 4.4, 8.3"""
        if self.is_invader:
            return target not in self.core and PEOPLE in order.sources
        is_yield = order.amount == self.left[target] and PEOPLE not in order.sources
        is_within = all(place == target or place in self.core for place in places)
        return not is_within or (target not in self.core and not is_yield)

    def _is_connected(self, zone: set[Province], target: Province) -> bool:
        if self.is_invader:
            return realms.connected_by_water(self.window, target, zone) == zone
        return self.window.land.connected((target,), zone) == zone

    def _draw(self, source: str, target: Province, wanted: int) -> int:
        """Draw RE from a source to the target; those raised in other provinces have to stay at the target.

        Source: rules R-023
        """
        if source == PEOPLE:
            drawn = min(wanted, self.people)
            self.people -= drawn
            self._set_up(target, drawn)
            return drawn
        named = realms.find_in_realm(self.window, self.ruler, Province(source))
        if named is None or (named == target and self.left[named] == 0):
            return 0
        drawn = min(wanted, self.left[named])
        self.left[named] -= drawn
        self._set_up(target, drawn, is_gathered=named != target)
        return drawn

    def _set_up(self, province: Province, amount: int, *, is_gathered: bool = False) -> None:
        if amount <= 0:
            return
        self.window.book(self.ruler, province, MONEY, amount, "arming", is_marked=is_gathered)
        if not is_gathered:
            self.window.armed[self.ruler, province] += amount
        self.set_up[province] = self.set_up.get(province, 0) + amount

    def arm_in_place(self) -> None:
        """Set up what no line has drawn: each centre's RE where it is, the people's in the capital.

        Source: rules R-023
        """
        for province, amount in self.left.items():
            self._set_up(province, amount)
        self.left = dict.fromkeys(self.left, 0)
        capital = realms.peoples_capital(self.window, self.ruler)
        best = self._peoples_places()
        for province in dict.fromkeys((*([capital] if capital is not None else []), *best)):
            most = books.yields(self.window, province) if self._is_newly(province) else MOST_SET_UP
            amount = max(0, min(self.people, most - self.set_up.get(province, 0)))
            self._set_up(province, amount)
            self.people -= amount
        rest = capital or next(iter(best), None)
        if self.people and rest is not None:
            # There is no room left within the limit; nothing of the people's arming is lost.
            self._set_up(rest, self.people)
            self.people = 0
        if self.people:  # invaders without a place of their own: there is nobody to arm
            self.window.accounts[self.ruler] |= {"people": 0, "additional": 0}

    def _peoples_places(self) -> list[Province]:
        """Where the people's arming goes after the capital: to trade centres; for invaders, where most warriors are.

        Source: rules R-010, R-104, R-128
        """
        if self.is_invader:
            stacks = self.window.stacks[self.ruler]
            places = [place for place in self.core if has_room(self.window, self.ruler, place)]
            return sorted(places, key=lambda place: (-warriors(stacks.get(place, {})), order_of(place)))
        best = [place for place in books.best_centres(self.window, self.ruler) if place in self.core]
        return [place for place in best if realms.is_peoples_plane(self.window, self.ruler, place)]
