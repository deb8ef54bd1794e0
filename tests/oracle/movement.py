"""The equations of a movement phase, and what they allow. Source: L. Kruijswijk, The Math of Adjudication; DATC 3.0, 5.

A result is a set of moves that succeed; everything else (paths, supports, dislodgements, strengths) follows
from it. A result is consistent if each equation, fed with the result, gives the result again. `solutions`
lists all of them. `judge` finds the one that the rules want: where the equations leave a component with several or
none, the backup rules decide.

The same equations serve for guesses and for partial knowledge, so truths can be open and strengths can be
ranges.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from tests.oracle.board import province, standard

BOARD = standard()


@dataclass(frozen=True)
class Unit:
    """A unit on the board; a fleet's place names its coast."""

    power: str
    kind: str
    at: str

    @property
    def province(self) -> str:
        """Where it stands, whatever the coast."""
        return province(self.at)

    def __str__(self) -> str:
        return f"{self.kind} {self.at}"


@dataclass(frozen=True)
class Order:
    """What a unit is told: hold, move, support or convoy. `of` is the province of the unit it helps."""

    verb: str = "hold"
    of: str = ""
    to: str = ""
    via: bool = False

    @property
    def target(self) -> str:
        """The province that the action is about: where a move goes, what a support helps to take or keep."""
        return province(self.to or self.of)


_ORDER = re.compile(
    r"(?:[AF] )?(?P<at>[A-Z/]+) (?:(?P<hold>H)|- (?P<to>[A-Z/]+)(?P<via> VIA CONVOY)?"
    r"|(?P<help>[SC]) (?:[AF] )?(?P<of>[A-Z/]+)(?: - (?P<into>[A-Z/]+))?)"
)


def read_order(text: str) -> tuple[str, Order]:
    """The province of the unit that a canonical order is for, and the order."""
    found = _ORDER.fullmatch(text)
    if not found:
        raise ValueError(text)
    at = province(found["at"])
    if found["hold"]:
        return at, Order()
    if found["help"]:
        verb = "support" if found["help"] == "S" else "convoy"
        return at, Order(verb, of=province(found["of"]), to=found["into"] or "")
    return at, Order("move", to=found["to"], via=bool(found["via"]))


@dataclass(frozen=True)
class Choices:
    """The rule choices that matter for movement, by the names of a game's options. Source: DATC 3.0, 4.A.3, 5 and 7."""

    adjacent_convoy: str = "intent"
    retreat_to_convoyed_origin: bool = True
    dislodged_affects_convoyed_origin: bool = True


DEFAULT = Choices()


class Position:
    """Units and their orders, made precise: every unit has one, coasts are known, all are legal."""

    def __init__(self, units: Iterable[Unit], orders: Mapping[str, Order], choices: Choices = DEFAULT) -> None:
        self.choices = choices
        self.units = {unit.province: unit for unit in sorted(units, key=lambda unit: unit.at)}
        self.orders = {at: self._precise(unit, orders.get(at, Order())) for at, unit in self.units.items()}
        self.moves = [at for at, order in self.orders.items() if order.verb == "move"]

    @staticmethod
    def _precise(unit: Unit, order: Order) -> Order:
        if order.verb != "move":
            return order
        if unit.kind == "A":
            return Order("move", to=province(order.to), via=order.via)
        coasts = [place for place in BOARD.reach("F", unit.at) if province(place) == order.to]
        return Order("move", to=coasts[0]) if len(coasts) == 1 else order

    def movers_into(self, target: str) -> list[str]:
        """The units that are ordered to move into a province."""
        return [at for at in self.moves if self.orders[at].target == target]

    def fits(self, at: str) -> bool:
        """Whether a support or convoy fits what the unit it is for is ordered to do."""
        order = self.orders[at]
        helped = self.orders.get(order.of)
        if helped is None:
            return False
        if not order.to:
            return helped.verb != "move"
        same_place = order.to == helped.to or ("/" not in order.to and order.to == province(helped.to))
        return helped.verb == "move" and (
            same_place or (self.units[order.of].kind == "A" and order.target == helped.target)
        )

    def supporters(self, at: str) -> list[str]:
        """The units whose support fits the order of a unit."""
        return [
            helper
            for helper, order in self.orders.items()
            if order.verb == "support" and order.of == at and self.fits(helper)
        ]

    def convoyers(self, at: str) -> list[str]:
        """The fleets at sea whose convoy fits the move of an army."""
        return [
            fleet
            for fleet, order in self.orders.items()
            if order.verb == "convoy" and order.of == at and self.fits(fleet) and BOARD.terrain[fleet] == "sea"
        ]

    def wants_sea(self, at: str) -> bool:
        """Whether an army means to go by convoy: it must, says so, or an own fleet convoys it. Source: DATC 4.A.3."""
        unit, order = self.units[at], self.orders[at]
        if unit.kind != "A":
            return False
        by_own_fleet = any(self.units[fleet].power == unit.power for fleet in self.convoyers(at))
        if self.choices.adjacent_convoy == "via_only":
            by_own_fleet = False
        return order.via or by_own_fleet or not self.can_walk(at)

    def can_walk(self, at: str) -> bool:
        """Whether a move needs no convoy."""
        unit = self.units[at]
        return self.orders[at].to in BOARD.reach(unit.kind, unit.at)

    def falls_back(self, at: str) -> bool:
        """Whether an army that means to go by convoy walks if that fails."""
        return self.choices.adjacent_convoy == "intent_or_land" and self.can_walk(at)

    def opposite(self, at: str) -> str | None:
        """The unit that moves the opposite way, if there is one."""
        other = self.orders[at].target
        meets = other in self.units and self.orders[other].verb == "move" and self.orders[other].target == at
        return other if meets else None


def chains(fleets: Iterable[str], start: str, end: str) -> Iterator[tuple[str, ...]]:
    """The chains of fleets that join two coasts, each next to the one before, none twice."""
    available = frozenset(fleets)

    def longer(chain: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        if BOARD.touches(chain[-1], end):
            yield chain
            return
        for fleet in sorted(available - set(chain)):
            if BOARD.touches(chain[-1], fleet):
                yield from longer((*chain, fleet))

    for fleet in sorted(available):
        if BOARD.touches(fleet, start):
            yield from longer((fleet,))


Decision = tuple[str, str]
"""Something open that an equation depends on: ("move", province) or ("convoy", province)."""


@dataclass(frozen=True)
class Truth:
    """Yes, no, or open (`None`), and if open, what it depends on."""

    value: bool | None
    depends_on: frozenset[Decision] = frozenset()


YES, NO = Truth(True), Truth(False)


def any_of(truths: Iterable[Truth]) -> Truth:
    """Yes if any is, no if none is."""
    seen = list(truths)
    if any(truth.value for truth in seen):
        return YES
    depends_on = frozenset[Decision]().union(*(truth.depends_on for truth in seen))
    return Truth(None, depends_on) if depends_on else NO


def not_(truth: Truth) -> Truth:
    """Yes for no, no for yes."""
    return truth if truth.value is None else Truth(not truth.value)


def all_of(truths: Iterable[Truth]) -> Truth:
    """Yes if all are, no if any is not."""
    return not_(any_of(not_(truth) for truth in truths))


@dataclass(frozen=True)
class Strength:
    """A strength between two bounds, which are the same when nothing it depends on is open."""

    least: int
    most: int
    depends_on: frozenset[Decision] = frozenset()

    @staticmethod
    def one_and(supports: Iterable[Truth]) -> Strength:
        """One for the unit itself and one for every support that is given."""
        seen = list(supports)
        return Strength(
            1 + sum(truth.value is True for truth in seen),
            1 + sum(truth.value is not False for truth in seen),
            frozenset[Decision]().union(*(truth.depends_on for truth in seen)),
        )

    def if_(self, condition: Truth, otherwise: Strength) -> Strength:
        """This one where the condition holds, else the other."""
        if condition.value is not None:
            return self if condition.value else otherwise
        return Strength(
            min(self.least, otherwise.least),
            max(self.most, otherwise.most),
            self.depends_on | otherwise.depends_on | condition.depends_on,
        )

    def beats(self, other: Strength) -> Truth:
        """Whether this one is the greater."""
        if self.least > other.most:
            return YES
        return NO if self.most <= other.least else Truth(None, self.depends_on | other.depends_on)


NOTHING = Strength(0, 0)


class Equations:
    """The equations under what is known: `moved` says of moves whether they succeed; those left out are open.

    Args:
        held: fleets whose convoy the paradox rule turned into a hold. Source: DATC 4.A.2, Szykman.
    """

    def __init__(self, position: Position, moved: Mapping[str, bool], held: frozenset[str] = frozenset()) -> None:
        self.position = position
        self.moved = moved
        self.held = held

    def move(self, at: str) -> Truth:
        """MOVE: the attack beats the one who defends, and everyone else who wants to go there."""
        position = self.position
        attack, target, opposite = self.attack(at), position.orders[at].target, position.opposite(at)
        defence = self.hold(target)
        if opposite:
            defence = self.defend(opposite).if_(self.head_to_head(at), defence)
        rivals = [rival for rival in position.movers_into(target) if rival != at]
        return all_of(
            [
                attack.beats(defence),
                *(attack.beats(self.prevent(rival)) for rival in rivals),
            ]
        )

    def attack(self, at: str) -> Strength:
        """ATTACK STRENGTH: without the supports of the victim's power; nothing against one's own."""
        position = self.position
        unit, target = position.units[at], position.orders[at].target
        supporters = position.supporters(at)
        strength = Strength.one_and(map(self.support, supporters))
        victim = position.units.get(target)
        if victim:
            against = NOTHING
            if victim.power != unit.power:
                loyal = [helper for helper in supporters if position.units[helper].power != victim.power]
                against = Strength.one_and(map(self.support, loyal))
            leaves = all_of([not_(self.head_to_head(at)), self.left(target)])
            strength = strength.if_(leaves, against)
        return strength.if_(self.path(at), NOTHING)

    def hold(self, at: str) -> Strength:
        """HOLD STRENGTH: of a province, nothing once its unit has left, one if it could not leave."""
        position = self.position
        if at not in position.units:
            return NOTHING
        if position.orders[at].verb == "move":
            return NOTHING.if_(self.left(at), Strength(1, 1))
        return Strength.one_and(map(self.support, position.supporters(at)))

    def prevent(self, at: str) -> Strength:
        """PREVENT STRENGTH: nothing without a path, nor for a unit that is dislodged head to head."""
        position = self.position
        opposite = position.opposite(at)
        lost = NO
        if opposite:
            lost = all_of([self.head_to_head(at), self.left(opposite)])
            if not position.choices.dislodged_affects_convoyed_origin:
                lost = all_of([self.left(opposite), not_(self.left(at))])
        strength = Strength.one_and(map(self.support, position.supporters(at)))
        return strength.if_(all_of([self.path(at), not_(lost)]), NOTHING)

    def defend(self, at: str) -> Strength:
        """DEFEND STRENGTH: of a unit in a head-to-head, all its supports."""
        return Strength.one_and(map(self.support, self.position.supporters(at)))

    def head_to_head(self, at: str) -> Truth:
        """Whether a move meets one the opposite way, neither by sea."""
        opposite = self.position.opposite(at)
        return all_of([not_(self.by_sea(at)), not_(self.by_sea(opposite))]) if opposite else NO

    def by_sea(self, at: str) -> Truth:
        """Whether a move goes by convoy."""
        if not self.position.wants_sea(at):
            return NO
        return self.route(at) if self.position.falls_back(at) else YES

    def path(self, at: str) -> Truth:
        """PATH: by land always; by sea if there is a route."""
        by_land = not self.position.wants_sea(at) or self.position.falls_back(at)
        return YES if by_land else self.route(at)

    def route(self, at: str) -> Truth:
        """Whether every fleet of some chain convoys an army and is not dislodged."""
        position = self.position
        works = {fleet: self.convoy(fleet) for fleet in position.convoyers(at)}
        usable = [fleet for fleet, truth in works.items() if truth.value is not False]
        doubts = {
            frozenset(fleet for fleet in chain if works[fleet].value is None)
            for chain in chains(usable, at, position.orders[at].target)
        }
        if frozenset() in doubts:
            return YES
        needed = [doubt for doubt in doubts if not any(other < doubt for other in doubts)]
        fleets = frozenset[str]().union(*needed)
        return Truth(None, frozenset(("convoy", fleet) for fleet in fleets)) if fleets else NO

    def convoy(self, at: str) -> Truth:
        """CONVOY: the fleet is not dislodged, and the paradox rule does not make it hold."""
        return NO if at in self.held else not_(self.dislodged(at))

    def support(self, at: str) -> Truth:
        """SUPPORT given: no foreign attack but from where it is aimed at, and nothing dislodges it."""
        position = self.position
        power, target = position.units[at].power, position.orders[at].target
        attackers = position.movers_into(at)
        cutters = [one for one in attackers if position.units[one].power != power and one != target]
        return not_(any_of([*map(self.path, cutters), *map(self.left, attackers)]))

    def dislodged(self, at: str) -> Truth:
        """DISLODGED: somebody moves in and the unit does not move out."""
        stays = not_(self.left(at)) if self.position.orders[at].verb == "move" else YES
        return all_of([stays, any_of(map(self.left, self.position.movers_into(at)))])

    def left(self, at: str) -> Truth:
        """Whether the unit of a province moves away, as far as that is known."""
        if self.position.orders[at].verb != "move":
            return NO
        return Truth(self.moved[at]) if at in self.moved else Truth(None, frozenset({("move", at)}))


@dataclass(frozen=True)
class Ruling:
    """What the rules make of a position: which moves succeed, and which convoys the paradox rule held."""

    moved: Mapping[str, bool]
    held: frozenset[str]
    fallbacks: tuple[str, ...] = ()
    """`circle` or `paradox` for every component that a backup rule decided."""


def is_consistent(position: Position, moved: Mapping[str, bool], held: frozenset[str] = frozenset()) -> bool:
    """Whether every equation, fed with a result, gives the result again."""
    equations = Equations(position, moved, held)
    return all(equations.move(at).value == moved[at] for at in position.moves)


def solutions(position: Position) -> list[dict[str, bool]]:
    """All consistent results, by trying every one. For small positions."""
    guesses = product((False, True), repeat=len(position.moves))
    results = (dict(zip(position.moves, guess, strict=True)) for guess in guesses)
    return [result for result in results if is_consistent(position, result)]


def judge(position: Position) -> Ruling:
    """The result that the rules want.

    Whatever follows is decided first. What is left falls into strongly connected components; one that depends on no
    other is decided by itself. If it has one consistent result, that is it. Otherwise it is a convoy paradox if
    convoys are part of it, and their fleets hold instead; else a circular movement, in which all move.
    Source: DATC 3.0, 5.B.9.

    Raises:
        AssertionError: a component without convoys in which not all can move; theory says that there is none.
    """
    moved: dict[str, bool] = {}
    held: frozenset[str] = frozenset()
    cut: list[str] = []
    while True:
        moved = _consequences(position, moved, held, position.moves)
        if len(moved) == len(position.moves):
            return Ruling(moved, held, tuple(cut))
        component = _component(Equations(position, moved, held))
        moves = sorted(at for what, at in component if what == "move")
        results = list(_component_results(position, moved, held, moves))
        convoys = frozenset(at for what, at in component if what == "convoy")
        if len(results) == 1:
            moved = moved | results[0]
        elif convoys:
            held |= convoys
            cut.append("paradox")
        else:
            everyone = dict.fromkeys(moves, True)
            assert everyone in results, f"an unforeseen component: {moves}"
            moved = moved | everyone
            cut.append("circle")


def _consequences(
    position: Position, moved: Mapping[str, bool], held: frozenset[str], among: Iterable[str]
) -> dict[str, bool]:
    """What is known, and all that follows from it."""
    known = dict(moved)
    news = True
    while news:
        news = False
        for at in among:
            if at not in known:
                value = Equations(position, known, held).move(at).value
                if value is not None:
                    known[at] = value
                    news = True
    return known


def _component(equations: Equations) -> frozenset[Decision]:
    """Open decisions that all depend on each other and on nothing else that is open."""
    depends_on: dict[Decision, frozenset[Decision]] = {}
    waiting: list[Decision] = [("move", at) for at in equations.position.moves if at not in equations.moved]
    while waiting:
        decision = waiting.pop()
        if decision in depends_on:
            continue
        what, at = decision
        depends_on[decision] = (equations.move(at) if what == "move" else equations.dislodged(at)).depends_on
        waiting += depends_on[decision]
    reachable = {decision: _reachable(decision, depends_on) for decision in depends_on}
    smallest = min(reachable, key=lambda decision: (len(reachable[decision]), decision))
    return reachable[smallest]


def _reachable(start: Decision, depends_on: Mapping[Decision, frozenset[Decision]]) -> frozenset[Decision]:
    found: set[Decision] = set()
    waiting = [start]
    while waiting:
        for decision in depends_on[waiting.pop()] - found:
            found.add(decision)
            waiting.append(decision)
    return frozenset(found)


def _component_results(
    position: Position, moved: Mapping[str, bool], held: frozenset[str], moves: list[str]
) -> Iterator[dict[str, bool]]:
    """The results of a component's moves that are consistent with each other, given what is known outside."""
    known = _consequences(position, moved, held, moves)
    open_moves = [at for at in moves if at not in known]
    if open_moves:
        for guess in (False, True):
            yield from _component_results(position, known | {open_moves[0]: guess}, held, moves)
        return
    equations = Equations(position, known, held)
    if all(equations.move(at).value == known[at] for at in moves):
        yield {at: known[at] for at in moves}
