"""A game from somebody's own scenario: a document that replaces the map, the tables, the options or the first units.

What a scenario leaves out is as in the Classic game; without a map of its own it gets one made by lot.
Source: section 12 of the rule page; the format is told in docs/king_of_kings.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.documents import mapping_of, rows_of
from engine.core.errors import DocumentError
from engine.core.system import SystemInfo
from engine.king_of_kings import document, generator
from engine.king_of_kings.model import State
from engine.king_of_kings.options import read_options

_PLAYERS = 7
"""How many nations play where neither the scenario nor the maker of the game says."""
_TURN = 1
_OWN_MAP = ("map", "provinces")


def start_from(
    info: SystemInfo, scenario: Mapping[str, Any], *, players: int | None, options: Mapping[str, Any], seed: str
) -> State:
    """A new game as a scenario sets it up. Options given besides win over the scenario's.

    Args:
        players: how many play; `None` leaves it to the scenario, and only that fits one with a map of its own.

    Raises:
        DocumentError: where and what is wrong with the scenario, or it is for another number of players.
    """
    scenario = mapping_of(scenario, "scenario")
    chosen = {**mapping_of(scenario.get("options") or {}, "options"), **options}
    position = dict(mapping_of(scenario.get("state") or {}, "state"))
    made_by_lot = mapping_of(scenario.get("generator") or {}, "generator")
    if not any(position.get(key) is not None for key in _OWN_MAP):
        count = players or scenario.get("players") or _PLAYERS
        side = read_options(chosen).map_side or None
        position |= _drawn(position, count, seed, side=side, given=made_by_lot)
    elif made_by_lot:
        raise DocumentError("generator", "the scenario has a map of its own")
    state = document.load(
        info,
        {
            "format": scenario.get("format", 1),
            "system": scenario.get("system", info.id),
            "seed": seed,
            "phase": {"turn": _TURN},
            "options": chosen,
            "state": position,
        },
    )
    seats = sum(not nation.is_monsters for nation in state.nations.values())
    if players is not None and players != seats:
        raise DocumentError("players", f"the scenario is for {seats}")
    return state


def _drawn(
    position: Mapping[str, Any], players: Any, seed: str, *, side: int | None, given: Mapping[str, Any]
) -> dict[str, Any]:
    """A map made by lot, its nations with what the scenario says of the first, the second, …"""
    if not isinstance(players, int) or isinstance(players, bool):
        raise DocumentError("players", f"{players!r} is not a number")
    drawn = generator.classic(players, seed, side=side, given=given)
    told = rows_of(position.get("nations") or (), "state.nations")
    if len(told) > players:
        raise DocumentError("state.nations", f"{len(told)} are told of, {players} play")
    rows = [{**row, **new} for row, new in zip(drawn["nations"], told, strict=False)]
    names = {row["name"]: new["name"] for row, new in zip(drawn["nations"], rows, strict=False)}
    return {
        "map": drawn["map"],
        "nations": [*rows, *drawn["nations"][len(rows) :]],
        "provinces": [_renamed(row, names) for row in drawn["provinces"]],
    }


def _renamed(row: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """A province with the names that the scenario gives."""
    owners = {key: names.get(row[key], row[key]) for key in ("owner", "home_of") if key in row}
    units = {names.get(nation, nation): units for nation, units in row["units"].items()}
    return {**row, **owners, "units": units}
