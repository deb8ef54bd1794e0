"""Sea battles: rounds of simultaneous fire until one side has no ship left.

Source: rules 6.1
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto

from engine.core.dice import Streams
from engine.core.ids import PowerId
from engine.core.phrases import phrase
from engine.king_of_kings.combat import Shot, first_casualties, in_line, losses, sea_chances, value, volley
from engine.king_of_kings.model import Symbol, Units
from engine.king_of_kings.narrative import place, score, tell, tell_volley
from engine.king_of_kings.steps.muster import without
from engine.king_of_kings.working import Area, Turn

MOST_ROUNDS = 100


class SeaBattleEnd(Enum):
    """The outcome for the fleet that moved."""

    LIVES = auto()
    SUNK = auto()
    TURNS_BACK = auto()


def has_fleet(turn: Turn, units: Units) -> bool:
    """Whether there are ships among the units, or others that fight at sea."""
    return any((troop := turn.troop(symbol)).is_ship or troop.casualty_sea for symbol in units)


def fight_at_sea(turn: Turn, dice: Streams, area: Area, mover: PowerId, enemy: PowerId) -> SeaBattleEnd:
    """Fight it out between everything that two nations have in a sea area, and remove the losses.

    Passengers share their ships' fate: a side with no ship left loses everything.
    Source: rules 6.1; rulings K-33, K-34, K-61, K-62.
    """
    moving, other = fleets = _Fleet(turn, area, mover), _Fleet(turn, area, enemy)
    if not moving.ships and not other.ships:
        return SeaBattleEnd.LIVES
    stream, purpose = f"sea/{turn.grid.name(area.cell)}", phrase("roll.shot", place=place(turn, area.cell))

    def d100() -> int:
        return dice.d100(stream, purpose)

    tell(turn, "sea", area.cell, attacker=mover, attackers=moving.units, defender=enemy, defenders=other.units)
    round_no = 0
    while moving.ships and other.ships and round_no < MOST_ROUNDS:
        round_no += 1
        volleys = [own.fire(at, round_no, d100) for own, at in ((moving, other), (other, moving))]
        for fleet, shots in zip(fleets, volleys, strict=True):
            tell_volley(turn, area.cell, round_no, fleet.nation, shots)
        for fleet, shots in zip(reversed(fleets), volleys, strict=True):
            fleet.ships = without(fleet.ships, losses(shots))
    for fleet in fleets:
        fleet.lose()
    for own, at in ((moving, other), (other, moving)):
        score(turn, area.cell, own.nation, value(turn.rules, at.lost) - value(turn.rules, own.lost))
    if not moving.ships:
        return SeaBattleEnd.SUNK
    if other.ships:
        tell(turn, "turned_back", area.cell, nation=mover)
        return SeaBattleEnd.TURNS_BACK
    return SeaBattleEnd.LIVES


class _Fleet:
    """Everything that a nation has in a sea area; `ships` are those afloat that fight."""

    lost: dict[Symbol, int]

    def __init__(self, turn: Turn, area: Area, nation: PowerId) -> None:
        self.turn, self.area, self.nation = turn, area, nation
        self.units = dict(area.of(nation))
        self.ships = {symbol: n for symbol, n in self.units.items() if turn.troop(symbol).casualty_sea}
        self.at_start = dict(self.ships)

    def fire(self, enemy: _Fleet, round_no: int, d100: Callable[[], int]) -> tuple[Shot, ...]:
        """One roll for each ship at the first enemy not hit in this round."""
        order = self.turn.rules.sea_order()
        chances = sea_chances(self.turn.rules, self.ships, enemy.ships, round_no=round_no)
        return volley(in_line(order, self.ships), in_line(order, enemy.ships), chances, d100)

    def lose(self) -> None:
        """Remove the ships sunk and those who drowned with them."""
        self.lost = self.units if not self.ships else self._sunk() | self._drowned()
        for symbol, number in self.lost.items():
            self.area.take(self.nation, symbol, number)
            self.turn.note_units(self.nation, symbol, -number, "sea_battle")
        if self.lost:
            tell(self.turn, "sunk", self.area.cell, nation=self.nation, units=self.lost)

    def _sunk(self) -> dict[Symbol, int]:
        return without(self.at_start, self.ships)

    def _drowned(self) -> dict[Symbol, int]:
        """The same share of the passengers as of the ships, with half a unit rounded up. Source: ruling K-34"""
        carried = {
            symbol: number
            for symbol, number in self.units.items()
            if symbol not in self.at_start and not ((troop := self.turn.troop(symbol)).is_ship or troop.is_static)
        }
        ships, sunk = sum(self.at_start.values()), sum(self._sunk().values())
        drowned = (2 * sum(carried.values()) * sunk + ships) // (2 * ships)
        return first_casualties(self.turn.rules, carried, drowned)
