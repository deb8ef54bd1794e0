"""A move season: orders, dice and spells become a contest of the kernel, and its ruling becomes results and events.

    adjudicate → movement → kernel

Which orders fit together, what a castle or a knight is worth, and who was driven out is here. Source: rules 6 to 12.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.core.dice import Dice
from engine.core.events import Event
from engine.core.ids import PlaceId, PowerId
from engine.core.outcome import OrderResult, Outcome
from engine.core.phrases import Phrase, phrase
from engine.feudal.barbarians import draw_barbarians, draw_nomads, nomad_strengths
from engine.feudal.board import land_of
from engine.feudal.legality import find_flaw
from engine.feudal.model import (
    ARMY,
    BARBARIANS,
    NOMADS,
    WIZARD,
    Dislodged,
    Immobilize,
    Order,
    Spell,
    State,
    Support,
    Unit,
    UnitOrder,
    format_order,
)
from engine.provinces.contest.components import Fallback, resolve
from engine.provinces.contest.contest import NOBODY, Contest, Garrison
from engine.provinces.contest.voiding import settle_voids
from engine.provinces.orders import Hold, Move

_Ending = tuple[Outcome, Phrase]


@dataclass(frozen=True, slots=True)
class Moved:
    """The end of a move season.

    Args:
        state: with everybody where he got to, centres and castles taken, and the knights that may retreat; the phase
            is still the same.
        dislodged: all that were driven out, with where they may retreat to, in map order.
    """

    state: State
    dislodged: tuple[Dislodged, ...]
    results: tuple[OrderResult[Order], ...]
    events: tuple[Event, ...]


def adjudicate_movement(state: State, sheets: Mapping[PowerId, Sequence[Order]], dice: Dice) -> Moved:
    """Carry out a move season; a unit without a possible order holds."""
    battle = _Battle(state, sheets, dice)
    battle.cast()
    battle.resolve()
    standing = battle.units_after()
    taken, captures = capture(state, standing)
    fallen = battle.dislodged(standing)
    after = replace(
        taken,
        units=in_map_order(taken, standing),
        dislodged=tuple(row for row in fallen if row.retreats),
        magic=battle.memory(),
    )
    after, deaths = bury_kings(after, [row.unit for row in fallen if not row.retreats])
    rows = tuple(row if row in after.dislodged else replace(row, retreats=()) for row in fallen)
    # The battle has reported barbarians that were driven out.
    disbanded = (Event(_driven_out(row)) for row in fallen if row.unit.is_players and not row.retreats)
    events = (*battle.events(), *disbanded, *captures, *deaths)
    return Moved(after, rows, battle.results(), events)


def _driven_out(row: Dislodged) -> Phrase:
    return phrase("event.disbanded", power=row.unit.power, unit=row.unit.name)


def in_map_order(state: State, standing: Mapping[PlaceId, Unit]) -> tuple[Unit, ...]:
    """The units that stand somewhere, in map order."""
    space_of = land_of(state.variant.board).space_of
    return tuple(standing[place] for place in sorted(standing, key=space_of.__getitem__))


def capture(state: State, standing: Mapping[PlaceId, Unit]) -> tuple[State, tuple[Event, ...]]:
    """Centres and castles change hands at once where somebody stands. Source: rules 4, 7 C, 11, 12 F; ruling F16."""
    centres, castles, events = dict(state.centres), dict(state.castles), []
    for place in sorted(standing, key=land_of(state.variant.board).space_of.__getitem__):
        centre, power = place, standing[place].power
        if centre not in centres:
            continue
        owner = None if power == NOMADS else power
        if centres[centre] != owner:
            centres[centre] = owner
            code = {NOMADS: "event.laid_waste", BARBARIANS: "event.barbarians_took"}.get(power, "event.took")
            events.append(Event(phrase(code, power=power, place=centre)))
        if centre in castles and castles[centre] != power:
            if power in (NOMADS, BARBARIANS):
                del castles[centre]
                events.append(Event(phrase("event.castle_destroyed", power=power, place=centre)))
            else:
                castles[centre] = power
                events.append(Event(phrase("event.castle_taken", power=power, place=centre)))
    return replace(state, centres=centres, castles=castles), tuple(events)


def bury_kings(state: State, lost: Sequence[Unit]) -> tuple[State, tuple[Event, ...]]:
    """Players whose King is among the lost are out; their dislodged knights are disbanded.

    Source: rule 10; ruling F15.
    """
    dead = {unit.power for unit in lost if unit.kind == "K" and unit.power not in state.out}
    if not dead:
        return state, ()
    out = tuple(power for power in state.powers if power in dead or power in state.out)
    left = tuple(row for row in state.dislodged if row.unit.power not in dead)
    gone = tuple(row for row in state.dislodged if row.unit.power in dead)
    events = [Event(phrase("event.disbanded", power=row.unit.power, unit=row.unit.name)) for row in gone]
    events += [Event(phrase("event.king_dead", power=power)) for power in state.powers if power in dead]
    return replace(state, out=out, dislodged=left), tuple(events)


def _by_place(sheet: Sequence[Order]) -> Mapping[PlaceId, Sequence[UnitOrder]]:
    """The orders of a sheet that are for a unit, by where it stands."""
    found: dict[PlaceId, list[UnitOrder]] = {}
    for order in sheet:
        if isinstance(order, Hold | Move | Support | Immobilize):
            found.setdefault(order.at, []).append(order)
    return found


class _Battle:
    """The orders of a season over numbers: units are numbered in map order, nomads last."""

    def __init__(self, state: State, sheets: Mapping[PowerId, Sequence[Order]], dice: Dice) -> None:
        self.state = state
        self.land = land_of(state.variant.board)
        self.rolls = draw_nomads(dice)
        coming = nomad_strengths(self.rolls)
        self.drawn = draw_barbarians(state, dice)
        settled = [unit for unit in state.units if unit.power != NOMADS]
        self.units = [*settled, *(Unit(NOMADS, ARMY, place) for place in coming)]
        """A nomad's place is where it goes; it comes from a space of its own that is on no map."""
        self.first_nomad = len(settled)
        self.number_at = {unit.at: number for number, unit in enumerate(settled)}
        self.space_of = self.land.space_of
        outside = len(self.land.provinces)
        self.at = [self.space_of[unit.at] for unit in settled] + [outside + index for index in range(len(coming))]
        sides = {power: side for side, power in enumerate((*state.powers, BARBARIANS, NOMADS))}
        self.side = [sides[unit.power] for unit in self.units]
        self.strengths = [2 if unit.is_knight else 1 for unit in settled] + list(coming.values())
        ordered = {power: _by_place(sheet) for power, sheet in sheets.items()}
        self.given: list[UnitOrder | None] = [self._given(unit, ordered) for unit in self.units]
        """What each was ordered, or drew; `None`: nothing."""
        self.orders = list(self.given)
        """What counts of that after the spells."""

    def _given(self, unit: Unit, ordered: Mapping[PowerId, Mapping[PlaceId, Sequence[UnitOrder]]]) -> UnitOrder | None:
        """A player's first order for the unit that may be given, or what the dice had it do. Source: rules 10."""
        if unit.power == NOMADS:
            return Move(ARMY, unit.at, unit.at)
        if unit.power == BARBARIANS:
            goal = self.drawn[unit.at]
            return Hold(ARMY, unit.at) if goal == unit.at else Move(ARMY, unit.at, goal)
        if unit.power in self.state.out:
            return None
        for order in ordered.get(unit.power, {}).get(unit.at, ()):
            as_it_is = order if order.kind == unit.kind else replace(order, kind=unit.kind)
            if find_flaw(self.state, unit.power, as_it_is) is None:
                return as_it_is
        return None

    # Spells

    def cast(self) -> None:
        """Settle the spells: whoever is immobilized, or in a circle of spells, merely holds.

        Source: rules 14.3, 14.4; ruling F22.
        """
        voids = {
            number: self.number_at[order.of] for number, order in enumerate(self.given) if isinstance(order, Immobilize)
        }
        self.voiding = settle_voids(self.side, self.at, self._goals(), voids)
        for number in (*self.voiding.voided, *self.voiding.circles):
            self.orders[number] = None

    def _goals(self) -> list[int]:
        return [self.space_of[order.to] if isinstance(order, Move) else NOBODY for order in self.orders]

    def memory(self) -> tuple[Spell, ...]:
        """What the wizards that still stand did, and where their victims stand now.

        Source: rules 14.2, 14.3; ruling F23.
        """
        found = []
        for number, order in enumerate(self.given):
            if self.units[number].kind != WIZARD or number in self.fallen:
                continue
            if isinstance(order, Support) and order.is_distant:
                found.append(Spell(order.at, is_immobilizing=False))
            elif isinstance(order, Immobilize):
                found.append(Spell(order.at, True, self._place_after(self.number_at[order.of])))
        return tuple(sorted(found, key=lambda spell: spell.at))

    def _place_after(self, number: int) -> PlaceId | None:
        if number in self.fallen:
            return None
        return self.land.provinces[self.to[number]] if self.moved[number] else self.units[number].at

    # The contest

    def resolve(self) -> None:
        """Let the kernel decide; a knight's support is worth 2, and attacks take from it what they are worth.

        Source: rules 8, 12 E; rulings F12, F13.
        """
        self.to = self._goals()
        self.helps = [self._helped(order) for order in self.orders]
        targets = [self.space_of[order.target] if isinstance(order, Support) else NOBODY for order in self.orders]
        garrisons, welcomes = self._castles()
        ruling = resolve(
            Contest(
                at=self.at,
                side=self.side,
                to=self.to,
                helps=self.helps,
                about=targets,
                attacks=self.strengths,
                holds=self.strengths,
                supports=self.strengths,
                frays=frozenset(
                    number for number, unit in enumerate(self.units) if unit.is_knight and self.helps[number] != NOBODY
                ),
                garrisons=garrisons,
                welcomes=welcomes,
            )
        )
        self.fallbacks, self.equations = ruling.fallbacks, ruling.equations
        self.moved = self.equations.moved
        self.taker = {self.to[number]: number for number in self.equations.attackers if self.moved[number]}
        """Who got in, by space."""
        self.fallen = {number for number, space in enumerate(self.at) if space in self.taker and not self.moved[number]}
        """Those who were driven out."""

    def _helped(self, order: UnitOrder | None) -> int:
        """The unit that a support helps, if it does what the support says. Source: rules 12 E."""
        if not isinstance(order, Support):
            return NOBODY
        if order.of is None:
            return next((n for n in range(self.first_nomad, len(self.units)) if self.units[n].at == order.to), NOBODY)
        helped = self.number_at.get(order.of, NOBODY)
        goal = NOBODY if order.to is None else self.space_of[order.to]
        return helped if helped != NOBODY and self.to[helped] == goal else NOBODY

    def _castles(self) -> tuple[dict[int, Garrison], dict[int, int]]:
        """What castles add to the unit that stays in, or to one of the owner's that comes in, or hold alone.

        Source: rules 7 A, 7 B; rulings F10, F11.
        """
        garrisons, welcomes = {}, {}
        for centre, owner in self.state.castles.items():
            space = self.space_of[centre]
            inside = self.number_at.get(centre, NOBODY)
            if inside != NOBODY and self.to[inside] == NOBODY:
                garrisons[space] = Garrison(beside=1, alone=0)
                continue
            owners = frozenset(side for side, power in enumerate(self.state.powers) if power == owner)
            garrisons[space] = Garrison(beside=0, alone=1, spares=owners)
            coming = [n for n, goal in enumerate(self.to) if goal == space and self.side[n] in owners]
            if len(coming) == 1:
                welcomes[coming[0]] = 1
        return garrisons, welcomes

    # From numbers to results and events

    def units_after(self) -> dict[PlaceId, Unit]:
        """Who stands where after the moves; homes of barbarians as they were, unless they took a centre."""
        standing: dict[PlaceId, Unit] = {}
        for number, unit in enumerate(self.units):
            if self.moved[number]:
                place = self.land.provinces[self.to[number]]
                standing[place] = self._at_home(replace(unit, at=place))
            elif number < self.first_nomad and number not in self.fallen:
                standing[unit.at] = self._at_home(unit)
        return standing

    def _at_home(self, unit: Unit) -> Unit:
        """A barbarian that has captured a centre is at home there. Source: rule 12 F."""
        centre = unit.at
        if unit.power == BARBARIANS and self.state.centres.get(centre, BARBARIANS) != BARBARIANS:
            return replace(unit, home=centre)
        return unit

    def dislodged(self, standing: Mapping[PlaceId, Unit]) -> tuple[Dislodged, ...]:
        """Those who were driven out, and where they may go: knights only, and not in civil disorder. Source: rule 6."""
        return tuple(self._dislodged(number, standing) for number in sorted(self.fallen))

    def _dislodged(self, number: int, standing: Mapping[PlaceId, Unit]) -> Dislodged:
        """Who was driven out; where a knight may go: not to another's castle, nor where any attack was made.

        Source: rules 6, 12 D; ruling F14.
        """
        unit, attacker = self.units[number], self.taker[self.at[number]]
        origin = None if attacker >= self.first_nomad else PlaceId(self.units[attacker].at)
        if not unit.is_knight or unit.power in self.state.out:
            return Dislodged(unit, origin, ())
        castles = self.state.castles
        retreats = (
            place
            for place in self.land.near[unit.at]
            if place != origin
            and place not in standing
            and castles.get(place, unit.power) == unit.power
            and not any(self.equations.prevent(rival)[0] for rival in self._rivals(place))
        )
        return Dislodged(unit, origin, tuple(sorted(retreats)))

    def _rivals(self, place: PlaceId) -> Sequence[int]:
        return self.equations.into.get(self.space_of[place], ())

    def results(self) -> tuple[OrderResult[Order], ...]:
        """One result for each player's unit, in map order."""
        ordered = ((number, unit, self.given[number] or Hold(unit.kind, unit.at)) for number, unit in self._players())
        return tuple(
            OrderResult(unit.power, order, format_order(order), unit.at, *self._ending(number))
            for number, unit, order in ordered
        )

    def _players(self) -> Iterator[tuple[int, Unit]]:
        return ((number, unit) for number, unit in enumerate(self.units) if unit.is_players)

    def _ending(self, number: int) -> _Ending:
        order = self.given[number]
        if number in self.fallen:
            return self._fall(number)
        if number in self.voiding.circles:
            return Outcome.VOID, phrase("outcome.spell_circle")
        if number in self.voiding.voided:
            wizard = self.units[self.voiding.voided[number]]
            outcome = Outcome.SUCCEEDS if order is None or isinstance(order, Hold) else Outcome.VOID
            return outcome, phrase("outcome.immobilized", unit=wizard.name)
        match order:
            case Move():
                return (Outcome.SUCCEEDS, phrase("outcome.moved")) if self.moved[number] else self._bounce(number)
            case Support():
                return self._support_ending(number, order)
            case Immobilize():
                return self._spell_ending(number, order)
            case Hold():
                return Outcome.SUCCEEDS, phrase("outcome.held")
            case _:
                is_out = self.units[number].power in self.state.out
                return Outcome.SUCCEEDS, phrase("outcome.civil_disorder" if is_out else "outcome.no_order")

    def _fall(self, number: int) -> _Ending:
        attacker, equations = self.taker[self.at[number]], self.equations
        own, other = equations.resistance(attacker)[0], equations.attack(attacker)[0]
        return Outcome.DISLODGED, phrase("outcome.dislodged", unit=self._name(attacker), own=own, other=other)

    def _bounce(self, number: int) -> _Ending:
        place = self.land.provinces[self.to[number]]
        obstacle = self.equations.obstacle(number)
        if obstacle is None:
            return Outcome.BOUNCES, phrase("outcome.unforeseen")
        own, other, blocker = obstacle
        if blocker == NOBODY:
            return Outcome.BOUNCES, phrase("outcome.castle_alone", place=place, own=own, other=other)
        name = self._name(blocker)
        code = "outcome.bounced" if blocker < self.first_nomad else "outcome.bounced_by_nomads"
        if self.at[blocker] == self.to[number]:
            if self.moved[blocker]:
                return Outcome.BOUNCES, phrase("outcome.castle_alone", place=place, own=own, other=other)
            if own == 0 and self.side[blocker] == self.side[number]:
                return Outcome.BOUNCES, phrase("outcome.own_unit", unit=name, place=place)
            code = "outcome.bounced_off"
            if self.equations.meets_head_on(number):
                code = "outcome.lost_head_on"
        return Outcome.BOUNCES, phrase(code, unit=name, place=place, own=own, other=other)

    def _support_ending(self, number: int, order: Support) -> _Ending:
        if self.helps[number] == NOBODY:
            return Outcome.VOID, self._mismatch(order)
        counted, full = self.equations.support(number)[0], self.strengths[number]
        if counted == full:
            return Outcome.SUCCEEDS, phrase("outcome.supported")
        cutters = tuple(
            self._name(attacker)
            for attacker in self.equations.into.get(self.at[number], ())
            if self.side[attacker] != self.side[number] and self.at[attacker] != self.space_of[order.target]
        )
        if counted:
            return Outcome.SUCCEEDS, phrase("outcome.frayed", units=cutters, count=counted, full=full)
        return Outcome.CUT, phrase("outcome.cut", units=cutters)

    def _mismatch(self, order: Support) -> Phrase:
        """What the unit did that should have been helped."""
        if order.of is None:
            return phrase("outcome.void_no_nomads", place=order.to)
        helped = self.number_at[order.of]
        done, name = self.orders[helped], self.units[helped].name
        if isinstance(done, Move):
            return phrase("outcome.void_moved", unit=name, to=done.to)
        if helped in self.voiding.voided or helped in self.voiding.circles:
            return phrase("outcome.void_immobilized", unit=name)
        return phrase("outcome.void_stayed", unit=name)

    def _spell_ending(self, number: int, order: Immobilize) -> _Ending:
        if number not in self.voiding.failed:
            return Outcome.SUCCEEDS, phrase("outcome.immobilizes", unit=self.units[self.number_at[order.of]].name)
        attackers = tuple(
            self._name(attacker)
            for attacker in self.equations.into.get(self.at[number], ())
            if self.side[attacker] != self.side[number]
        )
        return Outcome.DISRUPTED, phrase("outcome.spell_broken", units=attackers)

    def _name(self, number: int) -> str:
        unit = self.units[number]
        return f"{unit.power} - {unit.at}" if unit.power == NOMADS else unit.name

    def events(self) -> tuple[Event, ...]:
        """What the nomads and barbarians did, with their dice; what no rule could decide."""
        events = [Event(phrase("event.nomad_dice", dice=tuple(map(str, self.rolls))))]
        for number in range(self.first_nomad, len(self.units)):
            code = "event.nomads_came" if self.moved[number] else "event.nomads_kept_out"
            args = {"place": self.units[number].at, "count": self.strengths[number]}
            events.append(Event(phrase(code, **args)))
        events += [Event(self._barbarian(number)) for number, unit in enumerate(self.units) if unit.power == BARBARIANS]
        events += [
            Event(phrase("event.unforeseen", units=tuple(map(self._name, numbers))))
            for fallback, numbers in self.fallbacks
            if fallback is Fallback.UNFORESEEN
        ]
        return tuple(events)

    def _barbarian(self, number: int) -> Phrase:
        unit, order = self.units[number], self.given[number]
        outcome, why = self._ending(number)
        args = {"unit": unit.name, "place": unit.at, "to": order.to if isinstance(order, Move) else unit.at}
        if outcome is Outcome.DISLODGED:
            return phrase("event.barbarian_dislodged", **args, why=why)
        if number in self.voiding.voided or number in self.voiding.circles:
            return phrase("event.barbarian_immobilized", **args, why=why)
        if isinstance(order, Move):
            code = "event.barbarian_moved" if self.moved[number] else "event.barbarian_bounced"
            return phrase(code, **args, why=why)
        return phrase("event.barbarian_held", **args)
