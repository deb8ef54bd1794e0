"""A movement phase: the steps of a turn in their order, with their results and events.

adjudicate → turn → magic (a, b) → battle (c) → ways (d) → closing (e, f) → results
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from engine.core.events import Event
from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.core.outcome import OrderResult
from engine.core.phrases import phrase
from engine.provinces.classic.model import Dislodged, Unit
from engine.provinces.contest.contest import NOBODY
from engine.provinces.orders import Move
from engine.young_kingdoms.battle import SorcerersBattle, fight
from engine.young_kingdoms.cards import CARDS, Effect
from engine.young_kingdoms.document import bonds_of
from engine.young_kingdoms.magic import Sheets, Turn, begin, cast_spells, settle_agreements
from engine.young_kingdoms.model import (
    SORCERER,
    Carried,
    CastAttack,
    CastSelf,
    Fortress,
    Give,
    Order,
    Ride,
    State,
)
from engine.young_kingdoms.notation import format_order
from engine.young_kingdoms.results import Results
from engine.young_kingdoms.ways import Ways


@dataclass(frozen=True, slots=True)
class Moved:
    """The end of a movement phase; the state has the position, its phase is still the old one."""

    state: State
    results: tuple[OrderResult[Order], ...]
    events: tuple[Event, ...]
    rows: tuple[Dislodged, ...]


def adjudicate_turn(state: State, sheets: Sheets) -> Moved:
    """Carry out the orders of a movement phase. Source: rules 1.3; ruling Y3."""
    turn = begin(state, sheets)
    settle_agreements(turn)
    cast_spells(turn)
    battle = fight(turn)
    ways = Ways(turn, battle)
    return _Closing(turn, battle, ways).close()


class _Closing:
    """Steps (e) and the beginning of (f): what changes hands, and who has to retreat."""

    def __init__(self, turn: Turn, battle: SorcerersBattle, ways: Ways) -> None:
        self.turn = turn
        self.battle = battle
        self.ways = ways
        self.events: list[Event] = []
        self.standing = {at: unit for at, (_, unit) in ways.standing.items()}
        self.sorcerers = {
            power: Unit(power, SORCERER, PlaceId(ways.at[power]))
            for power in turn.sorcerers
            if power not in ways.displaced
        }
        self.given: dict[tuple[PowerId, ProvinceId], bool] = {}
        self.order = {province: index for index, province in enumerate(turn.state.variant.board.provinces)}

    def close(self) -> Moved:
        self._tell_spells()
        carried = self._carriers()
        self._lay_cards_of_the_destroyed(carried)
        self._capture_fortresses()
        self._give(carried)
        ordinary = self._ordinary_rows()
        driven = self._driven_rows(ordinary)
        ordinary = self._without_masterless_hordes(ordinary, carried)
        self._find_cards(carried)
        state = self._state(carried, ordinary, driven)
        left = (*self.standing.values(), *self.sorcerers.values())
        results = Results(self.turn, self.battle, self.ways, self.given, left).all()
        return Moved(state, results, tuple(self.events), (*ordinary, *driven))

    def _tell(self, code: str, *powers: PowerId, **args: object) -> None:
        self.events.append(Event(phrase(f"event.{code}", **args), frozenset(powers) if powers else None))

    # What the spells did

    def _tell_spells(self) -> None:
        turn = self.turn
        for power, cast in turn.casts.items():
            self._tell("cast", power=power, order=format_order(cast), card=CARDS[cast.card].name)
        for unit in turn.lost:
            self._tell("destroyed", power=unit.power, unit=f"{unit.kind} {unit.at}")
        for at in self._ordered(turn.barred):
            self._tell("barred", place=at)
        for power, cast in turn.casts.items():
            if CARDS[cast.card].effect is Effect.CREATION:
                at = province_of(turn.ground.sorcerer_of[power].at)
                self._tell("fortress_raised", place=at, strength=turn.fortresses[at].strength)
        if turn.fresh:
            power = turn.units[next(iter(turn.fresh))].power
            self._tell("hordes", power=power, places=self._ordered(turn.fresh))

    def _ordered(self, places: Iterable[ProvinceId]) -> tuple[ProvinceId, ...]:
        return tuple(sorted(places, key=self.order.__getitem__))

    # Cards

    def _carriers(self) -> dict[int, list[int]]:
        """Cards by the number of the unit that carries them."""
        return {self.battle.number_in(at): list(cards) for at, cards in self.turn.carried.items()}

    def _lay_cards_of_the_destroyed(self, carried: dict[int, list[int]]) -> None:
        for number in list(carried):
            if self.battle.is_destroyed(number):
                self.turn.lay(carried.pop(number), self._began(number))

    def _began(self, number: int) -> ProvinceId:
        return self.battle.board.provinces[self.battle.at[number]]

    def _give(self, carried: dict[int, list[int]]) -> None:
        """Cards pass between units that were to stay and did; all at once. Source: rules 4.9; ruling Y26."""
        handed: list[tuple[Give, PowerId, list[int]]] = []
        for power, orders in self.turn.sheets.items():
            for order in orders:
                if isinstance(order, Give):
                    receiver = order.power or power
                    number = self.battle.number_in(province_of(order.at))
                    stays = self._stays_put(power, order.kind, order.at)
                    done = stays and self._stays_put(receiver, order.of_kind, order.of) and number in carried
                    self.given[power, province_of(order.at)] = done
                    if done:
                        handed.append((order, receiver, carried.pop(number)))
        for order, receiver, cards in handed:
            if order.of_kind == SORCERER:
                self._to_hand(receiver, cards)
            else:
                carried.setdefault(self.battle.number_in(province_of(order.of)), []).extend(cards)
                unit, count = f"{order.of_kind} {order.of}", len(cards)
                self._tell("given" if count == 1 else "given_several", receiver, unit=unit, count=count)

    def _stays_put(self, power: PowerId, kind: str, at: PlaceId) -> bool:
        """Whether a unit was not ordered to move, and was neither driven out nor destroyed."""
        if kind == SORCERER:
            cast, way = self.turn.casts.get(power), self.turn.ways.get(power)
            goes = isinstance(cast, CastAttack) or (isinstance(cast, CastSelf) and cast.to is not None)
            return power in self.sorcerers and not goes and not isinstance(way, Move | Ride)
        number = self.battle.number_in(province_of(at))
        if number == NOBODY or number in self.battle.fallen or self.battle.units[number].power != power:
            return False
        return not any(isinstance(order, Move) and order.at == at for order in self.turn.ordinary[power])

    def _find_cards(self, carried: dict[int, list[int]]) -> None:
        """Who comes into a space where cards lie finds them, an ordinary unit before a sorcerer.

        Source: rules 4.9; ruling Y24.
        """
        for at in self._ordered(self.turn.hidden):
            cards = self.turn.hidden[at]
            number = self.ways.standing[at][0] if at in self.ways.standing else NOBODY
            if not cards or self.turn.barred & {at}:
                continue
            if number != NOBODY and self.battle.moved[number]:
                unit = self.standing[at]
                carried.setdefault(number, []).extend(cards)
                self._tell("found", unit.power, unit=f"{unit.kind} {at}", count=len(cards))
                self.turn.hidden[at] = []
                continue
            for power, sorcerer in self.sorcerers.items():
                if province_of(sorcerer.at) == at and province_of(self.turn.sorcerers[power].at) != at:
                    self._to_hand(power, cards)
                    self.turn.hidden[at] = []
                    break
        for number in list(carried):
            unit = self.battle.units[number]
            keeper = self.sorcerers.get(unit.power)
            if (
                number not in self.battle.fallen
                and keeper is not None
                and province_of(keeper.at) == self.battle.place_of(number)
            ):
                self._to_hand(unit.power, carried.pop(number))

    def _to_hand(self, power: PowerId, cards: Iterable[int]) -> None:
        for card in cards:
            self.turn.hands.setdefault(power, []).append(card)
            self._tell("to_hand", power, card=CARDS[card].name)

    # Fortresses

    def _capture_fortresses(self) -> None:
        """A fortress in which somebody foreign to its owner stands with strength is gone for good.

        Source: rules 2.4; ruling Y7.
        """
        for at, fortress in self.turn.fortresses.items():
            takers = [self.standing[at]] if at in self.standing else []
            takers += [
                unit
                for power, unit in self.sorcerers.items()
                if province_of(unit.at) == at and power in self.battle.number_of
            ]
            owner = fortress.owner
            foreign = [unit for unit in takers if owner is None or not self._are_together(at, owner, unit)]
            if fortress.strength and foreign:
                self.turn.fortresses[at] = Fortress(0)
                self._tell("fortress_taken", place=at, power=foreign[0].power)

    def _are_together(self, at: ProvinceId, owner: PowerId, unit: Unit) -> bool:
        """Whether a unit belongs to a fortress's owner, or shares the space with a unit of that power."""
        if unit.power == owner:
            return True
        here = [*([self.standing[at]] if at in self.standing else []), *self.sorcerers.values()]
        is_there = any(one.power == owner and province_of(one.at) == at for one in here)
        return is_there and self.turn.is_friendly(at, owner, unit.power)

    # Who retreats

    def _ordinary_rows(self) -> tuple[Dislodged, ...]:
        rows = []
        for number in sorted(self.battle.fallen):
            if self.battle.units[number].kind != SORCERER and not self.battle.is_destroyed(number):
                row = self.battle.driven_out(number)
                rows.append(replace(row, retreats=tuple(at for at in row.retreats if self._admits(at, row.unit.power))))
            elif self.battle.is_destroyed(number):
                unit = self.battle.units[number]
                self._tell("destroyed", power=unit.power, unit=f"{unit.kind} {unit.at}")
        return tuple(rows)

    def _admits(self, place: PlaceId, power: PowerId) -> bool:
        """Whether neither a foreign sorcerer nor a lone foreign standing army keeps an ordinary unit out.

        Source: ruling Y6.
        """
        at = province_of(place)
        if any(
            province_of(one.at) == at and not self.turn.is_friendly(at, power, one.power)
            for one in self.sorcerers.values()
        ):
            return False
        return not self._is_garrisoned(at, power)

    def _is_garrisoned(self, at: ProvinceId, power: PowerId) -> bool:
        fortress = self.turn.fortresses.get(at)
        is_foreign = fortress is not None and fortress.strength > 0 and fortress.owner != power
        return is_foreign and at not in self.standing

    def _driven_rows(self, ordinary: Iterable[Dislodged]) -> tuple[Dislodged, ...]:
        """The displaced sorcerers with where they may go; who has nowhere to go dies.

        Source: rules 3.4, 3.10; ruling Y13.
        """
        rows = []
        for power in self.turn.sorcerers:
            if power in self.ways.displaced:
                one = self.ways.displaced[power]
                unit = Unit(power, SORCERER, PlaceId(one.at))
                retreats = self._sorcerers_retreats(power, one.at, one.came_from, ordinary)
                if retreats:
                    rows.append(Dislodged(unit, one.came_from, retreats))
                else:
                    self._tell("sorcerer_dies", power=power, unit=f"{SORCERER} {one.at}")
                    self.turn.hands.pop(power, None)
                    self.turn.without_refuge.add(power)
        return tuple(rows)

    def _without_masterless_hordes(
        self, ordinary: tuple[Dislodged, ...], carried: dict[int, list[int]]
    ) -> tuple[Dislodged, ...]:
        """Hordes are destroyed where they were dislodged as their sorcerer dies. Source: ruling Y32."""
        left = []
        for row in ordinary:
            if self.battle.is_destroyed(self.battle.number_in(province_of(row.unit.at))):
                self._tell("destroyed", power=row.unit.power, unit=f"{row.unit.kind} {row.unit.at}")
            else:
                left.append(row)
        self._lay_cards_of_the_destroyed(carried)
        return tuple(left)

    def _sorcerers_retreats(
        self, power: PowerId, here: ProvinceId, came_from: ProvinceId | None, ordinary: Iterable[Dislodged]
    ) -> tuple[PlaceId, ...]:
        """Adjacent land, a sea with one's own fleet, or wherever a fleet of the same space goes; in map order."""
        is_sea = self.turn.ground.reach.is_sea
        found = set()
        for at in self.turn.ground.walks[here]:
            unit = self.standing.get(at)
            if is_sea(at) and (unit is None or unit.power != power):
                continue
            if self._is_refuge(at, power) and at != came_from and not self.battle.is_contested(at):
                found.add(at)
        for row in ordinary:
            is_fleet_from_here = province_of(row.unit.at) == here and row.unit.kind == "F"
            if is_fleet_from_here and self.turn.is_friendly(here, power, row.unit.power):
                found |= {province_of(place) for place in row.retreats}
        return tuple(PlaceId(at) for at in self._ordered(found))

    def _is_refuge(self, at: ProvinceId, power: PowerId) -> bool:
        if at in self.turn.barred or self._is_garrisoned(at, power):
            return False
        if at in self.standing and self.standing[at].power != power:
            return False
        return all(province_of(one.at) != at for other, one in self.sorcerers.items() if other != power)

    # The state

    def _state(
        self, carried: Mapping[int, list[int]], ordinary: tuple[Dislodged, ...], driven: tuple[Dislodged, ...]
    ) -> State:
        turn, battle = self.turn, self.battle
        units = tuple(self.standing[at] for at in self._ordered(self.standing))
        sorcerers = tuple(self.sorcerers.values())
        rows = [
            Carried(
                self._began(number) if number in battle.fallen else battle.place_of(number),
                card,
                number in battle.fallen,
            )
            for number, cards in carried.items()
            for card in cards
        ]
        hordes = {
            battle.place_of(number) for number, unit in enumerate(battle.units)
            if unit.kind != SORCERER and self._began(number) in turn.hordes and number not in battle.fallen
        }  # fmt: skip
        return replace(
            turn.state,
            units=units,
            dislodged=ordinary,
            sorcerers=sorcerers,
            driven=driven,
            hordes=frozenset(hordes),
            driven_hordes=frozenset(
                province_of(row.unit.at) for row in ordinary if province_of(row.unit.at) in turn.hordes
            ),
            fortresses={at: turn.fortresses[at] for at in self._ordered(turn.fortresses)},
            hands={
                power: tuple(sorted(turn.hands[power])) for power in turn.state.variant.powers if turn.hands.get(power)
            },
            hidden={at: tuple(sorted(turn.hidden[at])) for at in self._ordered(turn.hidden) if turn.hidden[at]},
            carried=tuple(sorted(rows)),
            bonds=bonds_of(turn.state.variant, units, sorcerers),
            strong=frozenset(power for power in battle.number_of if power in self.sorcerers),
        )
