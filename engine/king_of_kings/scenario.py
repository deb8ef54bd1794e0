"""A game from a host's own scenario: a document that replaces the map, the tables, the options or the first units.

What a scenario leaves out is as in the Classic game; without a map of its own it gets a random one.
Source: rules 12; the format is described in docs/king_of_kings.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

from engine.core.documents import mapping_of, rows_of
from engine.core.errors import DocumentError
from engine.king_of_kings import document, generator, tables
from engine.king_of_kings.form import BEGINNING, MOST_NATIONS, check_form
from engine.king_of_kings.info import INFO
from engine.king_of_kings.model import State
from engine.king_of_kings.options import read_options
from engine.king_of_kings.soundness import check_sound, has_generals

_PLAYERS = 7
"""How many nations play if neither the scenario nor the game's creator says."""
_TURN = 1
_OWN_MAP = ("map", "provinces")


def start_from(scenario: Mapping[str, Any], *, players: int | None, options: Mapping[str, Any], seed: str) -> State:
    """A new game as a scenario sets it up. Options given here override the scenario's.

    Args:
        players: how many play; `None` leaves it to the scenario. If it has its own map, fewer may play than it has
            nations for; the server then runs the last of them. Source: ruling K-91

    Raises:
        DocumentError: where and what is wrong with the scenario, or it is for another number of players.
    """
    scenario = mapping_of(scenario, "scenario")
    check_form(scenario)
    chosen = {**mapping_of(scenario.get("options") or {}, "options"), **options}
    position = dict(mapping_of(scenario.get("state") or {}, "state"))
    made_by_lot = mapping_of(scenario.get("generator") or {}, "generator")
    count = players if players is not None else _players(scenario.get("players"))
    if not has_own_map(scenario):
        count = count or _PLAYERS
        wanted = read_options(chosen)
        make = document.LANDS[wanted.map]
        position |= _drawn(position, count, seed, side=wanted.map_side or None, given=made_by_lot, make=make)
    elif made_by_lot:
        raise DocumentError("generator", "the scenario has a map of its own")
    state = document.load(
        {
            "format": scenario.get("format", 1),
            "system": scenario.get("system", INFO.id),
            "seed": seed,
            "phase": {"turn": _TURN},
            "options": chosen,
            "state": position,
        },
    )
    seated = _seated(state, count)
    check_sound(state, position, chosen)
    if not has_generals(state) and "general_turns" not in chosen:
        seated = replace(seated, options=replace(seated.options, general_turns=()))
    return seated


def has_own_map(scenario: Mapping[str, Any]) -> bool:
    """Whether a scenario has its own board, so that the starting position doesn't depend on the seed."""
    position = scenario.get("state")
    return isinstance(position, Mapping) and any(position.get(key) is not None for key in _OWN_MAP)


def _players(given: Any) -> int | None:
    if given is None:
        return None
    if not isinstance(given, int) or isinstance(given, bool) or not INFO.seats[0] <= given <= MOST_NATIONS:
        raise DocumentError("players", f"{given!r} is not a number from {INFO.seats[0]} to {MOST_NATIONS}")
    return given


def _seated(state: State, players: int | None) -> State:
    """The game with this many played nations, the first of the list. Source: ruling K-91"""
    played = tuple(filter(state.is_played, state.nations))
    if len(played) < INFO.seats[0]:
        raise DocumentError("state.nations", f"{len(played)} can be played; it takes {INFO.seats[0]}")
    if players is None:
        return state
    if not INFO.seats[0] <= players <= len(played):
        seats = f"{len(played)}" if len(played) == INFO.seats[0] else f"{INFO.seats[0]} to {len(played)}"
        raise DocumentError("players", f"the scenario is for {seats}, not for {players}")
    left = played[players:]
    nations = {
        nation.id: replace(nation, is_monsters=True) if nation.id in left else nation
        for nation in state.nations.values()
    }
    return replace(state, nations=nations)


def _drawn(
    position: Mapping[str, Any],
    players: int,
    seed: str,
    *,
    side: int | None,
    given: Mapping[str, Any],
    make: Callable[..., generator.Land],
) -> dict[str, Any]:
    """A random map, whose nations have what the scenario says about the first, the second, …"""
    _check_own_troops(position, given)
    drawn = generator.classic(players, seed, side=side, given=given, make=make)
    nations = rows_of(position.get("nations") or (), "state.nations")
    if len(nations) > players:
        raise DocumentError("state.nations", f"it describes {len(nations)}, and {players} play")
    rows = [{**row, **new} for row, new in zip(drawn["nations"], nations, strict=False)]
    others = _called_otherwise(drawn["nations"][len(rows) :], {str(row["name"]).casefold() for row in rows})
    named = [*rows, *others]
    names = {row["name"]: new["name"] for row, new in zip(drawn["nations"], named, strict=True)}
    return {
        "map": drawn["map"],
        "nations": named,
        "provinces": [_renamed(row, names) for row in drawn["provinces"]],
    }


def _called_otherwise(drawn: Sequence[Mapping[str, Any]], taken: Set[str]) -> list[Mapping[str, Any]]:
    """The drawn nations, each player's with a name that the scenario has not given to another."""
    used = {row["name"] for row in drawn} | taken
    free = (row["id"] for row in tables.classic().tables["nations"] if row["id"] not in used)
    return [{**row, "name": next(free)} if row["name"] in taken - {generator.MONSTERS} else row for row in drawn]


def _check_own_troops(position: Mapping[str, Any], given: Mapping[str, Any]) -> None:
    """Check that a scenario says where its own troops begin, unless they have the letters of the usual first ones."""
    if position.get("troops") is None:
        return
    own = {str(row.get("symbol")).upper() for row in rows_of(position["troops"], "state.troops")}
    for key in BEGINNING:
        missing = set(tables.classic().settings["generator"][key]) - own
        if given.get(key) is None and missing:
            raise DocumentError(f"generator.{key}", f"has to name the scenario's own troops: {min(missing)} is none")


def _renamed(row: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """A province with the names that the scenario gives."""
    owners = {key: names.get(row[key], row[key]) for key in ("owner", "home_of") if key in row}
    units = {names.get(nation, nation): units for nation, units in row["units"].items()}
    return {**row, **owners, "units": units}
