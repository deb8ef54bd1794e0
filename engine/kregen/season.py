"""A move season: two impulses, the duels at the end of each, and who owns and who must retreat after both.

adjudicate → season → impulse → kernel
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from engine.core.dice import Dice
from engine.core.events import Event
from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.core.outcome import OrderResult, Outcome
from engine.core.phrases import phrase
from engine.kregen.bodies import Body, Holdings
from engine.kregen.document import in_map_order
from engine.kregen.impulse import Impulse
from engine.kregen.land import land_of
from engine.kregen.legality import find_objection, heroes_of_duel
from engine.kregen.model import (
    HERO,
    PIRATES,
    ROOM,
    SPARE,
    STRENGTHS,
    Aid,
    Dislodged,
    Duel,
    Grant,
    Manoeuvre,
    Order,
    State,
    Stay,
    Unit,
)
from engine.kregen.reasons import who
from engine.kregen.settled import in_order_of_units, result_of
from engine.provinces.orders import Disband, Kind

_DUEL_REST = 3
"""The season of the wound and the next two."""


@dataclass(frozen=True, slots=True)
class Moved:
    """The end of a move season; `dislodged` are all that were driven out, also those that can't retreat."""

    state: State
    dislodged: tuple[Dislodged, ...]
    results: tuple[OrderResult[Order], ...]
    events: tuple[Event, ...]


def adjudicate_movement(state: State, sheets: Mapping[PowerId, Sequence[Order]], dice: Dice) -> Moved:
    """Carry out a move season; a unit without a possible order holds."""
    return _Season(state, sheets, dice).carry_out()


class _Season:
    def __init__(self, state: State, sheets: Mapping[PowerId, Sequence[Order]], dice: Dice) -> None:
        self.state, self.dice = state, dice
        self.land = land_of(state.variant)
        self.events: list[Event] = []
        self.disbanded: list[tuple[Unit, OrderResult[Order]]] = []
        duels: list[tuple[PowerId, Duel]] = []
        self.fought: dict[ProvinceId, int] = {}
        grants = set()
        lines: dict[tuple[PowerId, Kind, ProvinceId], list[Manoeuvre | Disband]] = {}
        for power in state.variant.powers:
            for order in sheets.get(power, ()):
                if isinstance(order, Manoeuvre | Disband):
                    lines.setdefault((power, order.kind, province_of(PlaceId(order.at))), []).append(order)
                elif isinstance(order, Grant) and self._is_possible(power, order):
                    grants.add((order.deed, power, order.power))
                elif isinstance(order, Duel) and self._is_possible(power, order):
                    duels.append((power, order))
        # A number for all heroes in a sector is for those that are sent none of their own.
        duels.sort(key=lambda sent: sent[1].of is None)
        self.duels: dict[Unit, Duel] = {}
        for power, duel in duels:
            for hero in heroes_of_duel(state, power, duel):
                self.duels.setdefault(hero, duel)
        bodies = self._bodies(lines)
        self.ground = Holdings(
            land=self.land,
            holy_war=bool(state.options["holy_war"]),
            bodies=bodies,
            grants=frozenset(grants),
            garrisons=dict(state.garrisons),
            owners=dict(state.owners),
        )

    def _is_possible(self, power: PowerId, order: Order) -> bool:
        return find_objection(self.state, power, order) is None

    def _bodies(self, lines: Mapping[tuple[PowerId, Kind, ProvinceId], Sequence[Manoeuvre | Disband]]) -> list[Body]:
        """Everything on the board with its order: the n-th line for a sector goes to the n-th such unit there.

        `FF` goes to two. Ruling K14.
        """
        left = {key: self._for_each_unit(key[0], orders) for key, orders in lines.items()}
        bodies = []
        for unit in self.state.units:
            line = next(left.get((unit.power, unit.kind, unit.sector), iter(())), None)
            if isinstance(line, Disband):
                self.disbanded.append((unit, result_of(unit.power, line, Outcome.DISBANDS, phrase("reason.disbanded"))))
            else:
                act = replace(line, is_pair=False) if line else None
                bodies.append(Body(unit, unit.power, unit.at, act, rests=unit.rests))
        return bodies

    def _for_each_unit(self, power: PowerId, orders: Sequence[Manoeuvre | Disband]) -> Iterator[Manoeuvre | Disband]:
        """The lines that can be given, one for each unit that they order."""
        for order in orders:
            if self._is_possible(power, order):
                yield from [order] * (2 if isinstance(order, Manoeuvre) and order.is_pair else 1)

    def carry_out(self) -> Moved:
        """Both impulses, and what follows them."""
        for number in (0, 1):
            impulse = Impulse(self.ground, number)
            impulse.carry_out()
            self._duel()
            self._oust_heroes()
        self._disband_excess()
        return self._close()

    # Duels

    def _duel(self) -> None:
        """Hostile heroes in one sector duel, sectors and heroes in their order. Source: rules 8.8"""
        powers = list(self.state.variant.powers)
        for sector in sorted({body.sector for body in self.ground.bodies if body.is_hero}, key=self.land.order.get):  # type: ignore[arg-type]
            heroes = [hero for hero in self.ground.heroes_in(sector) if not hero.rests]
            heroes.sort(key=lambda hero: powers.index(hero.power))
            tired: set[Body] = set()
            for one, other in combinations(heroes, 2):
                if not tired & {one, other} and self._are_hostile(one.power, other.power):
                    tired |= self._fight(sector, one, other)

    def _are_hostile(self, one: PowerId, other: PowerId) -> bool:
        """Whether heroes of two powers duel: green and red always do. Source: rules 8.8"""
        if one == other:
            return False
        if self.ground.holy_war and not self.land.may_help(one, other):
            return True
        is_spared = {(SPARE, one, other), (SPARE, other, one)} <= self.ground.grants
        return not is_spared and not self.ground.shares(one, other)

    def _number_of(self, hero: Body) -> Duel:
        """What was sent for a hero; nothing for one captured in the season. Ruling K13."""
        default = Duel(hero.unit.sector, 0)
        return default if hero.is_captive else self.duels.get(hero.unit, default)

    def _fight(self, sector: ProvinceId, one: Body, other: Body) -> set[Body]:
        """A duel; who fights no more in this impulse. Source: rules 8.7 to 8.9"""
        count = self.fought[sector] = self.fought.get(sector, 0) + 1
        stream = f"duel/{sector}" if count == 1 else f"duel/{sector}/{count}"
        purpose = phrase("roll.duel", place=sector, one=one.power, other=other.power)
        drawn = self.dice.roll(stream, sides=101, least=0, purpose=purpose)
        numbers = self._number_of(one), self._number_of(other)
        far = [abs(duel.number - drawn) for duel in numbers]
        args = {
            "place": sector, "one": one.power, "other": other.power,
            "number_one": numbers[0].number, "number_other": numbers[1].number, "drawn": drawn,
        }  # fmt: skip
        if far[0] == far[1]:
            self.events.append(Event(phrase("event.duel_tie", **args)))
            for hero, foe in ((one, other), (other, one)):
                self._wound(hero, foe, sector)
            return {one, other}
        winner, loser, duel = (one, other, numbers[0]) if far[0] < far[1] else (other, one, numbers[1])
        code = "event.duel_capture" if duel.is_capture else "event.duel_kill"
        self.events.append(Event(phrase(code, winner=winner.power, loser=loser.power, **args)))
        if duel.is_capture:
            loser.power, loser.is_captive = winner.power, True
            loser.fail(Outcome.DISLODGED, phrase("reason.captured", power=winner.power, place=sector))
        else:
            loser.is_out = loser.is_gone = True
            loser.fail(Outcome.DESTROYED, phrase("reason.killed", power=winner.power, place=sector))
        return {loser}

    def _wound(self, hero: Body, foe: Body, sector: ProvinceId) -> None:
        """Carried to his capital, or the next best place, to rest; lost if there is none. Source: rules 8.9"""
        hero.fail(Outcome.DISRUPTED, phrase("reason.wounded", power=foe.power, place=sector))
        hero.rests = _DUEL_REST
        refuge = self._refuge(hero.power)
        if refuge is None:
            hero.is_out = hero.is_gone = True
            self.events.append(Event(phrase("event.hero_lost", power=hero.power, unit=f"{HERO} {sector}")))
        else:
            hero.go(PlaceId(refuge))

    def _refuge(self, power: PowerId) -> ProvinceId | None:
        capital = self.state.capitals.get(power)
        own = [sector for sector, owner in self.ground.owners.items() if owner == power]
        own = [at for at in own if (at in self.land.pirate_centres) == (power == PIRATES)]
        own.sort(key=lambda at: (at != capital, self.land.order[at]))
        free = [at for at in own if all(body.power == power for body in self.ground.units_in(at))]
        return free[0] if free else None

    def _oust_heroes(self) -> None:
        """Heroes among other players' units are dislodged, unless they share. Source: rules 8.6"""
        for hero in self.ground.bodies:
            if not hero.is_hero or hero.is_out:
                continue
            others = [b for b in self.ground.units_in(hero.sector) if not self.ground.shares(hero.power, b.power)]
            if others:
                hero.drive_out(self.ground.entered.get(hero.sector, ()))
                hero.fail(Outcome.DISLODGED, phrase("reason.ousted", place=hero.sector, who=who(others)))

    # After both impulses

    def _disband_excess(self) -> None:
        """A sector holds one point of troops; what comes later in the list goes. Source: rules 3.1."""
        held: dict[ProvinceId, int] = {}
        for body in self.ground.bodies:
            if body.is_hero or body.is_out:
                continue
            held[body.sector] = held.get(body.sector, 0) + STRENGTHS[body.unit.kind]
            if held[body.sector] > ROOM:
                body.is_out = body.is_gone = True
                held[body.sector] -= STRENGTHS[body.unit.kind]
                name = f"{body.unit.kind} {body.at}"
                self.events.append(Event(phrase("event.excess", power=body.power, unit=name)))

    def _close(self) -> Moved:
        ground = self.ground
        before = self.state
        rows = [row for body in ground.bodies if body.is_out and not body.is_gone for row in [self._row(body)]]
        rows.sort(key=lambda row: self.land.order[row.unit.sector])
        standing = in_map_order(self.land, [self._unit(body) for body in ground.bodies if not body.is_out])
        takers = {
            (body.power, body.sector)
            for body in ground.bodies
            if body.is_hero and not body.is_out and self._takes(body)
        }
        after = replace(before, units=standing, garrisons=dict(ground.garrisons), dislodged=())
        after, taken = take(after, takers)
        for row in rows:
            if not row.retreats:
                code = "event.hero_lost" if row.unit.kind == HERO else "event.disbanded"
                self.events.append(Event(phrase(code, power=row.unit.power, unit=row.unit.name)))
        after = replace(after, dislodged=tuple(row for row in rows if row.retreats))
        return Moved(after, tuple(rows), self._results(), (*self.events, *taken))

    @staticmethod
    def _takes(hero: Body) -> bool:
        """Whether a hero may take its sector. For who captured it a former owner's `aid` no longer counts."""
        aids = hero.order is not None and isinstance(hero.order.steps[-1], Aid) and not hero.is_captive
        return not hero.rests and not aids

    @staticmethod
    def _unit(body: Body) -> Unit:
        first = body.unit.of or body.unit.power
        return Unit(body.power, body.unit.kind, body.at, first if first != body.power else None, body.rests)

    def _row(self, body: Body) -> Dislodged:
        return Dislodged(self._unit(body), body.came_from, self._retreats(body))

    def _retreats(self, body: Body) -> tuple[PlaceId, ...]:
        """Where a dislodged unit or hero may go. Source: rules 5.4, 8.6"""
        ground = self.ground
        reach: Iterable[PlaceId]
        reach = map(PlaceId, self.land.walks[body.sector]) if body.is_hero else self.land.reach(body.unit.kind, body.at)
        return tuple(sorted(place for place in reach if self._is_open(ground, body, place)))

    def _is_open(self, ground: Holdings, body: Body, place: PlaceId) -> bool:
        sector = province_of(place)
        units = ground.units_in(sector)
        if sector in body.victors or any(hero.power != body.power for hero in ground.heroes_in(sector)):
            return False
        if sector in ground.stand_offs and not units:
            return False
        if body.is_hero:
            return all(unit.power == body.power for unit in units)
        return not (
            units
            or sector in ground.garrisons
            or (ground.barring_armies(body.power, sector) and body.unit.kind == "F")
            or (body.unit.kind == "A" and not ground.strait_is_open(body.power, body.sector, sector))
        )

    def _results(self) -> tuple[OrderResult[Order], ...]:
        """In map order of where the season began."""
        rows = list(self.disbanded)
        for body in self.ground.bodies:
            order = body.order or Manoeuvre(body.unit.kind, body.unit.sector, (Stay(),))
            is_idle = body.order is None and body.outcome is Outcome.SUCCEEDS and not body.unit.rests
            reason = phrase("reason.no_order") if is_idle else body.reason
            result = result_of(body.unit.power, order, body.outcome, reason)
            rows.append((body.unit, result))
        return in_order_of_units(self.state, rows)


def take(state: State, active: set[tuple[PowerId, ProvinceId]]) -> tuple[State, tuple[Event, ...]]:
    """Cities and X go to whoever stands there: units, or lone heroes of one power. Pirates plunder.

    Source: rules 2.3, 8.1.

    Args:
        active: owners and sectors of heroes that may take something.
    """
    land = land_of(state.variant)
    owners, plundered, events = dict(state.owners), set(state.plundered), []
    for sector in state.variant.board.centres:
        here = [unit for unit in state.units if unit.sector == sector]
        takers = {unit.power for unit in here if unit.kind != HERO}
        if not takers and sector not in state.garrisons:
            heroes = {unit.power for unit in here}
            takers = heroes & {power for power, at in active if at == sector} if len(heroes) == 1 else set()
        for power in takers:
            if owners.get(sector) == power:
                continue
            owners[sector] = power
            events.append(Event(phrase("event.took", power=power, place=sector)))
            if power == PIRATES and sector in land.city and sector not in plundered:
                plundered.add(sector)
                events.append(Event(phrase("event.plundered", place=sector)))
    ordered = {sector: owners[sector] for sector in sorted(owners, key=land.order.__getitem__)}
    return replace(state, owners=ordered, plundered=tuple(sorted(plundered, key=land.order.__getitem__))), tuple(events)
