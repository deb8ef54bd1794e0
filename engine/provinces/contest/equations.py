"""Who gets where when all orders are carried out at once: the equations, given what is known.

`docs/kernel.md` describes how rules become the data of a contest, and `components` decides what the equations leave
open. Source: L. Kruijswijk, The Math of Adjudication; the names are the paper's.

Whether each attack succeeds is the only unknown; all else follows from it. A truth is `True`, `False` or `None` (open),
a strength is a pair: the least and the most that it can be while something is open.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from functools import cache
from typing import Literal, NamedTuple

from engine.provinces.contest.contest import NOBODY, Allegiance, Contest, Garrison, Route

Truth = bool | None
Strength = tuple[int, int]
FailedAttack = tuple[int, int, int]
"""Why an attack failed: its strength, the strength against it, and the unit with that (`NOBODY`: only a garrison)."""

NOTHING: Strength = (0, 0)


class Node(NamedTuple):
    """Something open: whether an attack succeeds, whether a carrier carries, what a fraying support counts."""

    kind: Literal["attack", "carrier", "support"]
    unit: int


@cache
def _attack(unit: int) -> Node:
    return Node("attack", unit)


class Equations:
    """The equations of a contest, given what is known: `moved[unit]` is open until something decides it."""

    def __init__(self, contest: Contest) -> None:
        ones = [1] * len(contest.at)
        self.contest = contest
        self.at = contest.at
        self.side = contest.side
        self.to = to = contest.to
        self.about = contest.about
        self.attacks = contest.attacks or ones
        self.holds = contest.holds or ones
        self.supports = contest.supports or ones
        self.routes = contest.routes
        self.garrisons = contest.garrisons
        self.held: set[int] = set()
        """Carriers that the backup rule made hold."""
        self.given: dict[int, Strength] = {}
        """Supports that are decided."""
        self.carried: dict[int, bool] = {}
        """Routes that are decided."""
        self.stopped: dict[int, FailedAttack] = {}
        """What kept attacks out, where that was seen on the way."""
        self.pending: set[int] = set()
        """Attacks that answer "open" for now instead of being worked out."""
        self.asked: list[Node] = []
        """The attacks that did so."""
        self.traces_routes = False
        self.weighed: set[int] = set()
        """Fraying supports that answer "open" for now instead of being worked out."""
        self._bounds: dict[int, tuple[Strength, Sequence[Node]]] = {}
        """What open fraying supports counted while one support was worked out, and what was looked up for that."""
        self._depth = 0
        """How many fraying supports are being worked out, each because of the one before."""
        self.unit_at = contest.unit_at or _find_units(contest)
        self.company: dict[int, tuple[int, ...]] = {}
        """All units of the spaces where a single unit does not determine who resists whom."""
        if not contest.unit_at or contest.allies or contest.admits:
            self.company = _companies(contest)
        self.supporters: dict[int, list[int]] = {}
        supporters = self.supporters
        for unit, helped in enumerate(contest.helps):
            if helped != NOBODY:
                if helped in supporters:
                    supporters[helped].append(unit)
                else:
                    supporters[helped] = [unit]
        self.attackers = attackers = [unit for unit, space in enumerate(to) if space != NOBODY]
        self.moved: list[Truth] = [False if space == NOBODY else None for space in to]
        self.into: dict[int, list[int]] = {}
        """Attackers by the space that they attack."""
        into = self.into
        for unit in attackers:
            space = to[unit]
            if space in into:
                into[space].append(unit)
            else:
                into[space] = [unit]
        self.facing: dict[int, int] = {}
        """Attackers with the unit that attacks their space from the space that they attack, however they go."""
        self.sure_prevent: dict[int, Strength] = {}
        """Prevent strength of attackers if it depends on nothing."""
        self.sure_attack: dict[int, Strength] = {}
        """Attack strength of attackers if it depends on nothing."""
        is_plain = not (self.company or self.garrisons or contest.welcomes or contest.mates)
        for space in self._settle_plain() if is_plain else into:
            self._prepare(space, into[space])

    def _settle_plain(self) -> list[int]:
        """Decide attacks on which nothing else has a bearing; returns the spaces whose attacks stay open.

        They are neither supported nor carried, and are alone against an empty space or a unit that isn't supported and
        doesn't come the other way, or equally strong against an empty space. Most attacks are of this kind. The
        equations would say the same about them, and why they fail.
        """
        to, unit_at, moved, attacks = self.to, self.unit_at, self.moved, self.attacks
        supporters, routes = self.supporters, self.routes
        still_open: list[int] = []
        followers: list[int] = []
        for space, rivals in self.into.items():
            unit, victim = rivals[0], unit_at[space]
            if victim == NOBODY:
                if len(rivals) > 1:
                    if self._are_even(rivals):
                        self._stop_each_other(rivals)
                        continue
                elif unit not in routes and attacks[unit]:
                    moved[unit] = True
                    continue
            elif len(rivals) == 1 and unit not in supporters and unit not in routes:
                if to[victim] == NOBODY:
                    if victim not in supporters:
                        self._meet(unit, victim)
                        continue
                elif to[victim] != self.at[unit]:
                    followers.append(unit)
                    continue
            still_open.append(space)
        return still_open + self._settle_followers(followers)

    def _settle_followers(self, followers: Iterable[int]) -> list[int]:
        """Decide attacks on units that leave elsewhere, where it is known whether they do; the spaces left open."""
        still_open = []
        for unit in followers:
            space = self.to[unit]
            victim = self.unit_at[space]
            left = self.moved[victim]
            if left is False:
                self._meet(unit, victim)
            elif left and self.attacks[unit]:
                self.moved[unit] = True
            else:
                still_open.append(space)
        return still_open

    def _meet(self, unit: int, victim: int) -> None:
        """Decide an attack on a unit that stays, where neither is supported."""
        own = 0 if self.side[victim] == self.side[unit] else self.attacks[unit]
        other = self.holds[victim]
        self.moved[unit] = own > other
        if own <= other:
            self.stopped[unit] = own, other, victim

    def _are_even(self, rivals: Sequence[int]) -> bool:
        """Whether attacks on one space are all worth the same, and neither supported nor carried."""
        attacks, supporters, routes = self.attacks, self.supporters, self.routes
        strength = attacks[rivals[0]]
        for unit in rivals:
            if unit in supporters or unit in routes or attacks[unit] != strength:
                return False
        return strength > 0

    def _stop_each_other(self, rivals: Sequence[int]) -> None:
        """Let equal attacks on an empty space fail: the first because of the second, all others because of it."""
        first, second = rivals[:2]
        strength = self.attacks[first]
        for unit in rivals:
            self.stopped[unit] = strength, strength, first if unit != first else second

    def _prepare(self, space: int, rivals: Sequence[int]) -> None:
        """Note for the open attacks on a space whom they meet, and how much of their strength is certain."""
        to, supporters, company = self.to, self.supporters, self.company
        routes, welcomes = self.routes, self.contest.welcomes
        victim = self.unit_at[space]
        for unit in rivals:
            if victim != NOBODY:
                other = self._find_facing(unit, space) if company else victim
                if other != NOBODY and to[other] == self.at[unit]:
                    self.facing[unit] = other
                    continue
            if unit not in supporters and unit not in routes and unit not in welcomes:
                strength = self.attacks[unit]
                self.sure_prevent[unit] = sure = (strength, strength)
                if space not in company and (victim == NOBODY or self.side[victim] != self.side[unit]):
                    self.sure_attack[unit] = sure

    def move(self, unit: int) -> Truth:
        """MOVE: the attack beats the unit that holds or defends, and all others that want to get in.

        move = attack > (defend of the opponent, head to head; else hold of the space) and attack > every prevent

        Source: Diplomacy, rules 4.3.
        """
        known = self.moved[unit]
        if known is not None:
            return known
        if unit in self.pending:
            self.asked.append(_attack(unit))
            return None
        self.pending.add(unit)
        answer = self.move_from_rest(unit)
        if answer is not None:
            self.moved[unit] = answer
            self.pending.discard(unit)
        return answer

    def move_from_rest(self, unit: int) -> Truth:
        """MOVE, worked out from all the rest, whatever is known about this one."""
        space = self.to[unit]
        if unit in self.sure_attack:
            least, most = self.sure_attack[unit]
            low, high = self.hold(space, self.side[unit])
        else:
            least, most = self.attack(unit)
            if unit in self.facing or space in self.company:
                low, high = self.resistance(unit)
            else:
                low, high = self.hold(space, self.side[unit])
        if most <= low:
            if least == most and low == high:
                self.stopped[unit] = (least, low, self.unit_at[space])
            return False
        is_sure = least > high
        mates = self.contest.mates
        for rival in self.into[space]:
            if rival != unit and not (mates and (unit, rival) in mates):
                low, high = self.sure_prevent[rival] if rival in self.sure_prevent else self.prevent(rival)
                if most <= low:
                    if least == most and low == high:
                        self.stopped[unit] = (least, low, rival)
                    return False
                is_sure = is_sure and least > high
        return True if is_sure else None

    def obstacle(self, unit: int) -> FailedAttack | None:
        """What kept an attack out, once everything is decided; `None` if only a backup rule did."""
        if unit not in self.stopped:
            self.move_from_rest(unit)
        return self.stopped.get(unit)

    def resistance(self, unit: int) -> Strength:
        """What an attack must beat in its space: DEFEND of the unit that it meets head on, else HOLD."""
        if self.to[unit] in self.company:
            return self._resistance_of_company(unit)
        head_on = self.meets_head_on(unit) if unit in self.facing else False
        if head_on is False:
            return self.hold(self.to[unit], self.side[unit])
        defend = self.defend(self.facing[unit], self.side[unit])
        if head_on:
            return defend
        hold = self.hold(self.to[unit], self.side[unit])
        return min(hold[0], defend[0]), max(hold[1], defend[1])

    def attack(self, unit: int) -> Strength:
        """ATTACK STRENGTH: the attacker and its supports, but none of the victim's side, and nothing against its own.

        attack = 0                       without a path, or if a unit of its own side stays
               = own + given supports    where nobody stays; the victim's side helps not where somebody does

        Source: Diplomacy, rules 4.1, 4.5.
        """
        path = True if unit not in self.routes else self.path(unit)
        if path is False:
            return NOTHING
        low = high = self.attacks[unit]
        space = self.to[unit]
        if space in self.company:
            return self._attack_on_company(unit, path)
        victim = self.unit_at[space]
        if victim == NOBODY:
            leaves: Truth = True
        else:
            if self.to[victim] == NOBODY:
                leaves = False
            elif unit not in self.facing:
                leaves = self.moved[victim]
                if leaves is None:
                    leaves = self.move(victim)
            else:
                leaves = self._leaves_before(unit, victim)
            if leaves is not True:
                high_without = high
                if self.side[victim] == self.side[unit]:
                    low = high_without = 0
                elif unit in self.supporters:
                    low, high_without = self._with_supports(low, unit, self.side[victim])
                if leaves is False:
                    return (low, high_without) if path else (0, high_without)
                # While that is open, the strength is at least what it is if the victim stays, at most if it leaves.
                high += self.contest.welcomes.get(unit, 0)
                return (low if path else 0), self._with_supports(high, unit, NOBODY)[1]
        if unit in self.contest.welcomes:
            low = high = low + self.contest.welcomes[unit]
        if unit in self.supporters:
            low, high = self._with_supports(low, unit, NOBODY)
        return (low, high) if path else (0, high)

    def _leaves_before(self, unit: int, victim: int) -> Truth:
        """Whether the unit that an attacker faces makes room for it: never head on."""
        head_on = self.meets_head_on(unit)
        if head_on:
            return False
        leaves = self.move(victim)
        return None if leaves and head_on is None else leaves

    def _find_facing(self, unit: int, space: int) -> int:
        """The unit of a space that attacks the space of its attacker, unless one of the two lets the other in."""
        admits = self.contest.admits
        for other in self.company.get(space) or (self.unit_at[space],):
            meets = self.to[other] == self.at[unit]
            if meets and (other, unit) not in admits and (unit, other) not in admits:
                return other
        return NOBODY

    def _attack_on_company(self, unit: int, path: Truth) -> Strength:
        """ATTACK STRENGTH if several may stay: none of their sides helps, and its own side is not attacked at all."""
        sure: set[Allegiance] = set()
        maybe: set[Allegiance] = set()
        for other in self.company[self.to[unit]]:
            if (other, unit) not in self.contest.admits:
                leaves = self._leaves_for(unit, other)
                if leaves is not True:
                    is_ally = (unit, other) in self.contest.allies
                    (maybe if leaves is None else sure).add(self.side[unit if is_ally else other])
        if self.side[unit] in sure:
            return NOTHING
        own = self.attacks[unit]
        low = self._with_supports_but(own, unit, sure | maybe)[0]
        high = self._with_supports_but(own, unit, sure)[1]
        return (0 if not path or self.side[unit] in maybe else low), high

    def _leaves_for(self, unit: int, other: int) -> Truth:
        """Whether one of several units makes room for an attacker."""
        if self.to[other] == NOBODY:
            return False
        if self.facing.get(unit) == other:
            return self._leaves_before(unit, other)
        return self.move(other)

    def _resistance_of_company(self, unit: int) -> Strength:
        """HOLD STRENGTH of several units: the sum of those that stay, with DEFEND for the one that is met head on."""
        low = high = 0
        stays: Truth = False
        for other in self.company[self.to[unit]]:
            if (other, unit) in self.contest.admits:
                continue
            leaves = self._leaves_for(unit, other)
            if leaves is True:
                continue
            least = most = self.holds[other]
            if self.to[other] == NOBODY or self.facing.get(unit) == other:
                least, most = self._with_supports(least, other, NOBODY)
            low, high = low + (0 if leaves is None else least), high + most
            stays = True if leaves is False else stays or None
        garrison = self.garrisons.get(self.to[unit])
        if garrison and self.side[unit] not in garrison.spares:
            low += min(garrison.alone, garrison.beside) if stays is None else self._part(garrison, stays)
            high += max(garrison.alone, garrison.beside) if stays is None else self._part(garrison, stays)
        return low, high

    @staticmethod
    def _part(garrison: Garrison, is_beside: bool) -> int:
        return garrison.beside if is_beside else garrison.alone

    def hold(self, space: int, against: Allegiance) -> Strength:
        """HOLD STRENGTH of a space against a side: the unit that stays in it, with its supports unless it was to leave.

        hold = garrison alone                          where no unit stays
             = own + garrison beside (+ given supports of a unit that was ordered to stay)

        Source: Diplomacy, rules 4.2.
        """
        beside = alone = 0
        if space in self.garrisons:
            garrison = self.garrisons[space]
            if against not in garrison.spares:
                beside, alone = garrison.beside, garrison.alone
        unit = self.unit_at[space]
        if unit == NOBODY:
            return alone, alone
        own = self.holds[unit] + beside
        if self.to[unit] == NOBODY:
            return self._with_supports(own, unit, NOBODY) if unit in self.supporters else (own, own)
        left = self.moved[unit]
        if left is None:
            left = self.move(unit)
        if left is None:
            return min(own, alone), max(own, alone)
        return (alone, alone) if left else (own, own)

    def defend(self, unit: int, against: Allegiance) -> Strength:
        """DEFEND STRENGTH of a unit that meets its attacker head on: the full strength of its own attack.

        Source: Diplomacy, rules 4.3.
        """
        own = self.holds[unit]
        garrison = self.garrisons.get(self.at[unit])
        if garrison and against not in garrison.spares:
            own += garrison.beside
        return self._with_supports(own, unit, NOBODY)

    def prevent(self, unit: int) -> Strength:
        """PREVENT STRENGTH: the strength of an attack against others that want to get into the same space.

        prevent = 0 without a path, and for the loser of a head-to-head; else own + given supports (+ welcome)
        """
        path = True if unit not in self.routes else self.path(unit)
        if path is False:
            return NOTHING
        lost = self.lost_head_on(unit) if unit in self.facing else False
        if lost:
            return NOTHING
        low = high = self.attacks[unit]
        if unit in self.supporters:
            low, high = self._with_supports(low, unit, NOBODY)
        if unit in self.contest.welcomes:
            low, high = self._welcome(unit, low, high)
        return (0, high) if path is None or lost is None else (low, high)

    def _welcome(self, unit: int, low: int, high: int) -> Strength:
        """A strength with what the space adds to it, if nobody stays there."""
        space, more = self.to[unit], self.contest.welcomes[unit]
        victim = self.unit_at[space]
        left = True if victim == NOBODY else self.left(victim)
        return low + (more if left else 0), high + (0 if left is False else more)

    def path(self, unit: int) -> Truth:
        """PATH: always there if the attacker isn't carried; otherwise it needs a route of carriers that all carry."""
        route = self.routes.get(unit)
        if route is None or not route.is_only_way:
            return True
        return self.is_carried(unit)

    def is_carried(self, unit: int) -> Truth:
        """Whether an attacker goes by a route. Source: Diplomacy, rules 6.2."""
        if unit in self.carried:
            return self.carried[unit]
        if unit not in self.routes:
            return False
        route, mark = self.routes[unit], len(self.asked)
        sure = maybe = 0
        for carrier in route.carriers:
            carries = self.carries(carrier)
            if carries is not False:
                maybe |= 1 << carrier
                if carries:
                    sure |= 1 << carrier
        del self.asked[mark:]
        if route.leads_through(sure):
            self.carried[unit] = True
            return True
        if maybe != sure and route.leads_through(maybe):
            if self.traces_routes:
                self.asked += [Node("carrier", carrier) for carrier in _doubtful(route, sure, maybe)]
            return None
        self.carried[unit] = False
        return False

    def carries(self, unit: int) -> Truth:
        """CONVOY: a carrier carries unless it is dislodged (or the backup rule made it hold)."""
        if unit in self.held:
            return False
        if self.at[unit] not in self.into:
            return True
        dislodged = self.dislodged(unit)
        return None if dislodged is None else not dislodged

    def support(self, unit: int) -> Strength:
        """SUPPORT GIVEN: cut by any attack of another side that arrives, except from the space that it is about.

        support = 0 when dislodged; = own when nothing cuts; a fraying one loses what the attacks are worth

        Source: Diplomacy, rules 5.3; ruling D4.
        """
        if unit in self.given:
            return self.given[unit]
        space = self.at[unit]
        if space not in self.into:
            answer = self.supports[unit], self.supports[unit]
        else:
            mark = len(self.asked)
            weigh = self._support_that_frays if unit in self.contest.frays else self._support_under_attack
            answer = weigh(unit, self.into[space])
            if answer[0] != answer[1]:
                return answer
            del self.asked[mark:]
        self.given[unit] = answer
        return answer

    def support_from_rest(self, unit: int) -> Strength:
        """SUPPORT GIVEN, worked out from all the rest, whatever is known of this one."""
        space = self.at[unit]
        if space not in self.into:
            return self.supports[unit], self.supports[unit]
        return self._support_under_attack(unit, self.into[space])

    def _support_that_frays(self, unit: int, attackers: Iterable[int]) -> Strength:
        """Fraying supports may reduce each other in a circle: one that is asked for while being worked out is open.

        Each is worked out once for the one that was asked for first, however many paths lead to it.
        """
        if unit in self.weighed:
            self.asked.append(Node("support", unit))
            return 0, self.supports[unit]
        if unit in self._bounds:
            answer, asked = self._bounds[unit]
            self.asked += asked
            return answer
        mark = len(self.asked)
        self.weighed.add(unit)
        self._depth += 1
        answer = self._support_under_attack(unit, attackers)
        self._depth -= 1
        self.weighed.discard(unit)
        self._bounds[unit] = answer, tuple(dict.fromkeys(self.asked[mark:]))
        if not self._depth:
            self._bounds.clear()
        return answer

    def _support_under_attack(self, unit: int, attackers: Iterable[int]) -> Strength:
        low = high = self.supports[unit]
        contest = self.contest
        side, about = self.side[unit], self.about[unit]
        for attacker in attackers:
            if self.side[attacker] == side or self.at[attacker] == about:
                continue
            if unit in contest.frays:
                least, most = self.prevent_without(attacker, side)
                low, high = max(0, low - most), max(0, high - least)
                continue
            path = True if attacker not in self.routes else self.path(attacker)
            if path:
                return NOTHING
            if path is None:
                low = 0
        if high:
            dislodged = self.dislodged(unit)
            if dislodged:
                return NOTHING
            if dislodged is None:
                low = 0
        return low, high

    def prevent_without(self, unit: int, side: Allegiance) -> Strength:
        """What an attack that arrives is worth, the supports of one side left out."""
        path = self.path(unit)
        if path is False:
            return NOTHING
        low, high = self._with_supports(self.attacks[unit], unit, side)
        return (low, high) if path else (0, high)

    def dislodged(self, unit: int) -> Truth:
        """DISLODGED: somebody gets in, and the unit does not get out."""
        space = self.at[unit]
        if space not in self.into:
            return False
        mark = len(self.asked)
        left, entered = self.left(unit), self._is_entered(space, unit)
        if left or entered is False:
            answer = False
        elif entered and left is False:
            answer = True
        else:
            return None
        del self.asked[mark:]
        return answer

    def _is_entered(self, space: int, against: int) -> Truth:
        answer: Truth = False
        for attacker in self.into[space]:
            if (against, attacker) in self.contest.admits:
                continue
            moved = self.move(attacker)
            if moved:
                return True
            if moved is None:
                answer = None
        return answer

    def left(self, unit: int) -> Truth:
        """Whether a unit gets away from where it stands."""
        return False if self.to[unit] == NOBODY else self.move(unit)

    def meets_head_on(self, unit: int) -> Truth:
        """HEAD TO HEAD: two units attack each other's space, and neither is carried."""
        if unit not in self.facing:
            return False
        answer: Truth = True
        for one in (unit, self.facing[unit]):
            route = self.routes.get(one)
            if route is not None:
                if route.is_only_way:
                    return False
                carried = self.is_carried(one)
                if carried:
                    return False
                if carried is None:
                    answer = None
        return answer

    def lost_head_on(self, unit: int) -> Truth:
        """Whether a unit lost to the one that came from where it wanted to go.

        Source: Diplomacy, rules 4.6; ruling D6.
        """
        if unit not in self.facing:
            return False
        other = self.facing[unit]
        head_on = self.meets_head_on(unit)
        if head_on is False and not self.contest.origin_is_safe:
            return False
        won = self.move(other)
        if head_on or won is False:
            return won
        # If one of the two is carried they can change places: only a unit that did not get away has lost.
        left = self.move(unit)
        if left:
            return False
        return won if left is False and self.contest.origin_is_safe else None

    def _with_supports(self, own: int, unit: int, without: Allegiance) -> Strength:
        """`own` and the supports given to a unit, except those of one side."""
        if unit not in self.supporters:
            return own, own
        low = high = own
        given = self.given
        for supporter in self.supporters[unit]:
            if self.side[supporter] != without:
                least, most = given.get(supporter) or self.support(supporter)
                low += least
                high += most
        return low, high

    def _with_supports_but(self, own: int, unit: int, sides: Set[Allegiance]) -> Strength:
        """`own` and the supports given to a unit, except those of some sides."""
        given = [self.support(one) for one in self.supporters.get(unit, ()) if self.side[one] not in sides]
        return own + sum(least for least, _ in given), own + sum(most for _, most in given)

    def decide(self, units: Sequence[int]) -> list[int]:
        """Decide all that follows from what is known; returns the attacks among `units` that stay open."""
        still_open = list(units)
        while True:
            # One that is asked for while being worked out, or was left open in this pass, answers "open": so a pass
            # looks at every attack once, and later passes see what earlier ones found.
            self.pending.clear()
            self.asked.clear()
            for unit in still_open:
                self.move(unit)
            left = [unit for unit in still_open if self.moved[unit] is None]
            if not left or len(left) == len(still_open):
                return left
            still_open = left


def _find_units(contest: Contest) -> Sequence[int]:
    """By space, the unit there, the last one of several; `NOBODY` if there is none, and at the end."""
    unit_at = [NOBODY] * (max((*contest.at, *contest.to), default=NOBODY) + 2)
    for unit, space in enumerate(contest.at):
        unit_at[space] = unit
    return unit_at


def _companies(contest: Contest) -> dict[int, tuple[int, ...]]:
    """The units of every space that has several, or one that lets attackers in or is spared by some."""
    units_at: dict[int, list[int]] = {}
    for unit, space in enumerate(contest.at):
        units_at.setdefault(space, []).append(unit)
    special = {contest.at[unit] for unit, _ in contest.admits} | {contest.at[unit] for _, unit in contest.allies}
    return {space: tuple(units) for space, units in units_at.items() if len(units) > 1 or space in special}


def _doubtful(route: Route, sure: int, maybe: int) -> Iterator[int]:
    """The carriers that could tip the balance: those without which some set of carriers is no route."""
    open_ones = [carrier for carrier in route.carriers if (maybe & ~sure) >> carrier & 1]
    for carrier in open_ones:
        others = [1 << other for other in open_ones if other != carrier]
        if len(others) > 8 or any(
            route.leads_through(some | 1 << carrier) and not route.leads_through(some) for some in _sums(others, sure)
        ):
            yield carrier


def _sums(bits: Sequence[int], start: int) -> Iterator[int]:
    """`start` with each selection of the bits."""
    for selection in range(1 << len(bits)):
        yield start | sum(bit for place, bit in enumerate(bits) if selection >> place & 1)
