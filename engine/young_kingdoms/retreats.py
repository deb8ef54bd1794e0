"""A retreats phase: armies and fleets first, by Diplomacy's rules; then the sorcerers, who always go if they can."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from engine.core.events import Event
from engine.core.ids import PowerId, ProvinceId, province_of
from engine.core.outcome import OrderResult, Outcome
from engine.core.phrases import phrase
from engine.provinces.classic.model import Dislodged, Unit
from engine.provinces.classic.retreats import adjudicate_retreats
from engine.provinces.orders import Disband, Hold, Retreat
from engine.young_kingdoms.battlefield import Battlefield, field_of
from engine.young_kingdoms.cards import CARDS
from engine.young_kingdoms.document import bonds_of
from engine.young_kingdoms.magic import Sheets, accept
from engine.young_kingdoms.model import SORCERER, Carried, Order, State
from engine.young_kingdoms.notation import format_order


@dataclass(frozen=True, slots=True)
class Retreated:
    """The end of a retreats phase."""

    state: State
    results: tuple[OrderResult[Order], ...]
    events: tuple[Event, ...]


def adjudicate_all_retreats(state: State, sheets: Sheets) -> Retreated:
    """Carry out the retreats; who finds no way is gone."""
    return _Retreats(state, sheets).carry_out()


class _Retreats:
    def __init__(self, state: State, sheets: Sheets) -> None:
        self.state = state
        self.field: Battlefield = field_of(state)
        self.sheets: Mapping[PowerId, Sequence[Order]] = {
            power: accept(self.field, power, sheets.get(power, ())) for power in state.variant.powers
        }
        ordinary = {
            power: [order for order in orders if isinstance(order, Retreat | Disband) and order.kind != SORCERER]
            for power, orders in self.sheets.items()
        }
        retreated = adjudicate_retreats(state, ordinary)
        self.units = {province_of(unit.at): unit for unit in retreated.units}
        self.results = [*retreated.results]
        self.went = {
            ProvinceId(result.subject): province_of(result.order.to)
            for result in retreated.results
            if result.outcome is Outcome.RETREATS and isinstance(result.order, Retreat)
        }
        """Where the ordinary units went, by where they were driven out."""
        self.sorcerers = {unit.power: unit for unit in state.sorcerers}
        self.arrived: dict[PowerId, ProvinceId] = {}
        self.hands = {power: list(cards) for power, cards in state.hands.items()}
        self.hidden = {at: list(cards) for at, cards in state.hidden.items()}
        self.events: list[Event] = []

    def carry_out(self) -> Retreated:
        for row in self.state.driven:
            self._retreat_sorcerer(row)
        carried = self._cards_of_the_driven_out()
        carried = self._found(carried)
        order = {province: index for index, province in enumerate(self.state.variant.board.provinces)}
        units = tuple(self.units[at] for at in sorted(self.units, key=order.__getitem__))
        sorcerers = tuple(self.sorcerers[power] for power in self.state.variant.powers if power in self.sorcerers)
        hordes = self.state.hordes | {self.went[at] for at in self.state.driven_hordes if at in self.went}
        state = replace(
            self.state,
            units=units,
            dislodged=(),
            sorcerers=sorcerers,
            driven=(),
            hordes=frozenset(hordes),
            driven_hordes=frozenset(),
            bonds=bonds_of(self.state.variant, units, sorcerers),
            hands={
                power: tuple(sorted(self.hands[power])) for power in self.state.variant.powers if self.hands.get(power)
            },
            hidden={at: tuple(sorted(self.hidden[at])) for at in order if self.hidden.get(at)},
            carried=tuple(sorted(Carried(at, card) for at, cards in carried.items() for card in cards)),
        )
        return Retreated(state, tuple(self.results), tuple(self.events))

    # Sorcerers

    def _retreat_sorcerer(self, row: Dislodged) -> None:
        """To the chosen space, or else to the first that is open. Source: rules 3.10; rulings Y13, Y14."""
        power = row.unit.power
        chosen = [order.to for order in self.sheets[power] if isinstance(order, Retreat) and order.kind == SORCERER]
        wishes = (*chosen[:1], *row.retreats)
        to = next((place for place in wishes if self._is_open(row, province_of(place))), None)
        order = Retreat(SORCERER, row.unit.at, wishes[0]) if wishes else Hold(SORCERER, row.unit.at)
        ordered = order, format_order(order)
        subject = f"{SORCERER} {row.unit.at}"
        if to is None:
            self.hands.pop(power, None)
            self._tell("sorcerer_dies", power=power, unit=f"{SORCERER} {row.unit.at}")
            reason = phrase("outcome.died")
            self.results.append(OrderResult(power, *ordered, subject, Outcome.DESTROYED, reason))
            return
        self.sorcerers[power] = Unit(power, SORCERER, to)
        self.arrived[power] = province_of(to)
        code = "outcome.retreated" if to == wishes[0] else "outcome.retreated_elsewhere"
        if not chosen:
            code = "outcome.retreated_by_default"
        self.results.append(OrderResult(power, *ordered, subject, Outcome.RETREATS, phrase(code, place=to)))
        if to != wishes[0]:
            self._tell("retreats_elsewhere", power=power, place=to)

    def _is_open(self, row: Dislodged, at: ProvinceId) -> bool:
        """Whether a sorcerer can still go to a space of its list."""
        power, here = row.unit.power, province_of(row.unit.at)
        fleet = next((one.unit for one in self.state.dislodged if province_of(one.unit.at) == here), None)
        goes_along = fleet is not None and fleet.kind == "F" and self.went.get(here) == at
        others = [unit for unit in self.sorcerers.values() if province_of(unit.at) == at and unit.power != power]
        if others:
            return False
        if goes_along:
            return True
        unit = self.units.get(at)
        if unit is not None and unit.power != power:
            return False
        if self.field.reach.is_sea(at):
            return unit is not None
        return at in self.field.walks[here]

    # Cards

    def _cards_of_the_driven_out(self) -> dict[ProvinceId, list[int]]:
        """Cards go along with who retreats; those of a disbanded unit lie where it was, for who took the place."""
        carried: dict[ProvinceId, list[int]] = {}
        for one in self.state.carried:
            if not one.is_dislodged:
                carried.setdefault(one.at, []).append(one.card)
            elif one.at in self.went:
                carried.setdefault(self.went[one.at], []).append(one.card)
            elif not self.field.reach.is_sea(one.at):
                self._fall(one, carried)
        return carried

    def _fall(self, one: Carried, carried: dict[ProvinceId, list[int]]) -> None:
        if one.at in self.units:
            carried.setdefault(one.at, []).append(one.card)
            unit = self.units[one.at]
            self._tell("found", unit.power, unit=f"{unit.kind} {unit.at}", count=1)
        else:
            taker = next((unit for unit in self.sorcerers.values() if province_of(unit.at) == one.at), None)
            if taker is not None:
                self._to_hand(taker.power, [one.card])
            else:
                self.hidden.setdefault(one.at, []).append(one.card)

    def _found(self, carried: dict[ProvinceId, list[int]]) -> dict[ProvinceId, list[int]]:
        """What lies where somebody retreats to is found; what is with its own sorcerer goes to the hand.

        Source: rules 4.9; ruling Y24.
        """
        for at in self.went.values():
            if self.hidden.get(at) and at in self.units:
                unit = self.units[at]
                self._tell("found", unit.power, unit=f"{unit.kind} {at}", count=len(self.hidden[at]))
                carried.setdefault(at, []).extend(self.hidden.pop(at))
        for power, at in self.arrived.items():
            self._to_hand(power, self.hidden.pop(at, []))
        for at in list(carried):
            keeper = self.sorcerers.get(self.units[at].power)
            if keeper is not None and province_of(keeper.at) == at:
                self._to_hand(keeper.power, carried.pop(at))
        return carried

    def _to_hand(self, power: PowerId, cards: Sequence[int]) -> None:
        for card in cards:
            self.hands.setdefault(power, []).append(card)
            self._tell("to_hand", power, card=CARDS[card].name)

    def _tell(self, code: str, *powers: PowerId, **args: object) -> None:
        self.events.append(Event(phrase(f"event.{code}", **args), frozenset(powers) if powers else None))
