"""Whether a scenario can be played: a scenario with the right form may still strand a player, a fleet or a rule.

A game.json may have any position that a game can reach; a scenario is a starting position. Source: ruling K-93
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.errors import DocumentError
from engine.core.ids import PowerId
from engine.king_of_kings.model import Flag, Nation, State, Units
from engine.king_of_kings.steps.muster import has_crew, passengers, room_left
from engine.king_of_kings.working import Area, Turn


def check_sound(state: State, position: Mapping[str, Any], options: Mapping[str, Any]) -> None:
    """Check that a scenario can be played.

    Args:
        state: as the scenario sets it up.
        position, options: as written, to locate errors.

    Raises:
        DocumentError: a transport that never sails or that nobody can man, a general promised that there is not, a
            player without a province, or units at sea that would need ships, or ships that would need hands.
    """
    _check_transports(state)
    _check_generals(state, position, options)
    turn = Turn.open(state, {}, None)
    owners = {area.owner for area in turn.areas}
    for nation in state.nations.values():
        if state.is_played(nation.id) and nation.id not in owners:
            raise DocumentError(_row_of(nation, position), f"{nation.name} has no province to begin with")
    for area in turn.areas:
        for owner in area.units if area.is_sea else ():
            problem = _trouble_at_sea(turn, area, owner)
            if problem is not None:
                raise DocumentError(_place(turn, area, position), problem)


def _check_transports(state: State) -> None:
    troops = list(state.rules.troops.values())
    for index, troop in enumerate(troops):
        if Flag.TRANSPORT in troop.flags and not troop.is_transport:
            raise DocumentError(f"state.troops[{index}].flags", f"{troop.name} carry at sea alone: sea_move is needed")
    ship = next((troop for troop in troops if troop.is_transport), None)
    if ship is not None and state.options.crew and not any(troop.is_crew for troop in troops):
        raise DocumentError("state.troops", f"nobody can man the {ship.name}: no type has the flag crew")


def _check_generals(state: State, position: Mapping[str, Any], options: Mapping[str, Any]) -> None:
    if has_generals(state):
        return
    if options.get("general_turns"):
        raise DocumentError("options.general_turns", "no type of the troops has the flag general")
    for nation in state.nations.values():
        if nation.credits:
            raise DocumentError(f"{_row_of(nation, position)}.credits", "no type of the troops has the flag general")


def has_generals(state: State) -> bool:
    """Whether there is a type that can be granted as a general."""
    return any(troop.is_general for troop in state.rules.troops.values())


def _trouble_at_sea(turn: Turn, area: Area, nation: PowerId) -> str | None:
    """What is wrong with a nation's units in a sea area; the server's ships may be there without crew."""
    units: Units = area.of(nation)
    name = turn.realms[nation].name
    for symbol in units:
        troop = turn.troop(symbol)
        if troop.is_static and troop.is_land_bound:
            return f"the {troop.name} of {name} can't stand at sea"
    helpless = next((troop for troop in passengers(turn, units) if not troop.is_crew), None)
    if helpless is not None:
        return f"the {helpless.name} of {name} can't be carried at sea: the type lacks the flag crew"
    if (room := room_left(turn, units)) < 0:
        return f"{-room} of the units of {name} are at sea without a ship to carry them"
    if turn.state.is_played(nation) and not has_crew(turn, units):
        return f"the ships of {name} are at sea without a hand for every two"
    return None


def _row_of(nation: Nation, position: Mapping[str, Any]) -> str:
    names = [str(row.get("name")).casefold() for row in position.get("nations") or ()]
    return f"state.nations[{names.index(nation.id)}]" if nation.id in names else "state.nations"


def _place(turn: Turn, area: Area, position: Mapping[str, Any]) -> str:
    """Where in the scenario the units of a place are listed."""
    at = turn.grid.xy(area.cell)
    rows = position.get("provinces") or ()
    found = next((index for index, row in enumerate(rows) if (row["x"], row["y"]) == at), None)
    return "state.provinces" if found is None else f"state.provinces[{found}].units"
