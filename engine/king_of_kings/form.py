"""The form of a scenario: its keys, the names that it may use, and how much of everything it may have.

A game.json may have unknown keys; in a scenario, which people write by hand, such a key is a slip, and an unnoticed
slip would spoil the author's game. The limits keep every turn, picture and message of the game in bounds.
Source: rules 12; ruling K-90.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from engine.core.documents import mapping_of, rows_of
from engine.core.errors import DocumentError
from engine.king_of_kings.tables import NUMBERS

MOST_NATIONS = 100
MOST_SIDE = 250
MOST_SQUARES = 14_400
"""120 by 120: the whole map then shows squares of 20 pixels, and is drawn in a second."""
MOST_TROOPS = 26
MOST_TERRAINS = 40
MOST_OF_A_TYPE = 999
"""The most units of one type in a province."""
MOST_UNITS = 20_000
"""The most units on the whole board."""
MOST_STEPS = 50
MOST_TURNS = 100
"""The most entries of `general_turns`."""
LONGEST_TITLE, LONGEST_ABOUT, LONGEST_NAME = 60, 600, 24

BEGINNING = ("start_units", "garrison")
"""The keys with which a scenario places troops in the provinces of a random map."""
_TOP = ("format", "system", "name", "about", "players", "options", "generator", "state")
_STATE = ("map", "nations", "provinces", "troops", "terrain", "tactics", "build")
_NATION = ("name", "number", "controller", "gold", "wood", "food", "fame", "credits", "status", "article")
_PROVINCE = ("x", "y", "terrain", "name", "owner", "loyal_to", "home_of", "tactic", "units")
_TROOP = ("name", "symbol", *NUMBERS, "flags")
_TERRAIN = ("letter", "food", "gold", "wood", "move", "cap", "sea")
KEYS = (_TOP, _STATE, _NATION, _PROVINCE, _TROOP, _TERRAIN)
"""All keys of a scenario and of its parts."""
_OF_A_GAME: Mapping[str, tuple[Any, ...]] = {
    "variant": (), "seed": (), "dice": (), "over": (), "phase": ({"turn": 1},), "result": (None,), "notes": ([],),
    "next_options": ({},), "missed": (0,), "eliminated": (None,),
}  # fmt: skip
"""Keys of a running game, with values that mean nothing, so that a position can be copied from a game.json."""
_NATION_NAME = re.compile(r"[^\W\d_][\w'-]*")
_SERVERS = frozenset({"monsters", "server"})
_MEANT = {
    "none": "nobody in changes of a position",
    "nobody": "that a province has no owner",
    "all": "the whole map in /map",
    "everybody": "all players",
    "begin": "the beginning of a sheet",
    "end": "the end of a sheet",
    "pass": "a sheet without orders",
    **dict.fromkeys(_SERVERS, "the server's own nation (controller monsters)"),
}
_WORD = re.compile(r"[^\W\d_]+(?:[ '-][^\W\d_]+)*")
_ALL_TROOPS = "AT"
_LETTER = re.compile(r"[!-_a-z{-~]")
"""The letter of a terrain: a sign that every keyboard has."""


def check_form(scenario: Mapping[str, Any]) -> None:
    """Check the form of a scenario; `document.load` checks the values.

    Raises:
        DocumentError: an unknown key (near misses are suggested), an impossible name, or too much of something.
    """
    _check_keys(scenario, _TOP, "")
    _check_texts(scenario)
    position = mapping_of(_or_empty(scenario.get("state")), "state")
    _check_keys(position, _STATE, "state")
    _check_map(position.get("map"))
    _check_nations(position.get("nations"))
    _check_troops(position.get("troops"))
    _check_terrain(position.get("terrain"))
    _check_provinces(position.get("provinces"))
    _check_size(position)
    _check_beginning(_or_empty(scenario.get("generator")))
    for table in ("terrain", "tactics", "build"):
        _check_once(position.get(table), f"state.{table}")
    turns = mapping_of(_or_empty(scenario.get("options")), "options").get("general_turns")
    if isinstance(turns, Sequence):
        _check_count(turns, MOST_TURNS, "options.general_turns", "turns")


def _or_empty(value: Any) -> Any:
    return {} if value is None else value


def _check_keys(row: Mapping[str, Any], known: Sequence[str], where: str) -> None:
    for key, value in row.items():
        path = f"{where}.{key}" if where else str(key) or repr(key)
        if key in known or any(value == empty and type(value) is type(empty) for empty in _OF_A_GAME.get(key, ())):
            continue
        if key in _OF_A_GAME:
            raise DocumentError(path, "belongs to a game that goes on, not to a scenario")
        near = get_close_matches(str(key)[:LONGEST_NAME].lower(), known, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
        raise DocumentError(path, f"there is no such key; {hint}")


def _check_once(row: Any, where: str) -> None:
    """Check that nothing is named twice, whatever its case: the first of two would be lost without notice."""
    keys = [key.casefold() for key in row] if isinstance(row, Mapping) else []
    if len(set(keys)) < len(keys):
        twice, _ = Counter(keys).most_common(1)[0]
        raise DocumentError(where, f"{_short(twice)} stands in it twice")


def _check_texts(scenario: Mapping[str, Any]) -> None:
    for key, longest in (("name", LONGEST_TITLE), ("about", LONGEST_ABOUT)):
        text = scenario.get(key)
        if text is None:
            continue
        if not isinstance(text, str) or not all(line.isprintable() for line in text.split("\n")):
            raise DocumentError(key, "is not a text of printable characters")
        if not text.strip() or len(text) > longest:
            raise DocumentError(key, f"is empty or longer than {longest} characters")


def _check_count(found: Sequence[Any] | Mapping[str, Any], most: int, where: str, what: str) -> None:
    if len(found) > most:
        raise DocumentError(where, f"has {len(found)} {what}; {most} are the most")


def _check_map(rows: Any) -> None:
    if isinstance(rows, list) and rows:
        _check_count(rows, MOST_SIDE, "state.map", "rows")
        for y, row in enumerate(rows):
            if isinstance(row, str):
                _check_count(row, MOST_SIDE, f"state.map[{y}]", "cells")


def _check_size(position: Mapping[str, Any]) -> None:
    """Check that the board can be drawn and sent; without a map it reaches as far as the provinces listed."""
    rows = position.get("map")
    if isinstance(rows, list) and rows:
        where, wide, high = "state.map", max((len(row) for row in rows if isinstance(row, str)), default=0), len(rows)
    else:
        where = "state.provinces"
        wide, high = (_extent(position.get("provinces") or (), axis) for axis in ("x", "y"))
    if wide * high > MOST_SQUARES:
        raise DocumentError(where, f"{wide} by {high} are {wide * high} squares; {MOST_SQUARES} are the most")


def _extent(rows: Iterable[Mapping[str, Any]], axis: str) -> int:
    """How many squares the provinces cover; `document.load` refuses places that are not numbers."""
    return 1 + max((at for row in rows if isinstance(at := row.get(axis), int)), default=-1)


def _check_nations(given: Any) -> None:
    for where, row in _rows(given, "state.nations", MOST_NATIONS, "nations"):
        _check_keys(row, _NATION, where)
        _check_once(row.get("status"), f"{where}.status")
        _check_name(row.get("name"), _NATION_NAME, f"{where}.name", "a letter, then letters, digits, - and ' alone")
        _check_meaning(row, where)


def _check_meaning(row: Mapping[str, Any], where: str) -> None:
    """Refuse names that a command or a report would misread. Source: ruling K-92"""
    name = str(row.get("name"))
    is_servers = str(row.get("controller")).lower() == "monsters"
    if (meaning := _MEANT.get(name.casefold())) and not (is_servers and name.casefold() in _SERVERS):
        raise DocumentError(f"{where}.name", f"{name!r} means {meaning}; take another name")


def _check_troops(given: Any) -> None:
    for where, row in _rows(given, "state.troops", MOST_TROOPS, "types"):
        _check_keys(row, _TROOP, where)
        _check_name(row.get("name"), _WORD, f"{where}.name", "letters, with a blank or - between words")
        if str(row.get("name"))[:2].upper() == _ALL_TROOPS:
            raise DocumentError(f"{where}.name", f"begins with {_ALL_TROOPS}, which means everybody in orders")
        for key in ("land_move", "sea_move"):
            steps = row.get(key, 0)
            if isinstance(steps, int) and steps > MOST_STEPS:
                raise DocumentError(f"{where}.{key}", f"{steps} is not from 0 to {MOST_STEPS}")


def _check_terrain(given: Any) -> None:
    kinds = mapping_of(_or_empty(given), "state.terrain")
    _check_count(kinds, MOST_TERRAINS, "state.terrain", "kinds")
    for name, row in kinds.items():
        where = f"state.terrain.{name[:LONGEST_NAME]}"
        _check_name(name, _WORD, where, "letters, with a blank or - between words")
        _check_keys(mapping_of(row, where), _TERRAIN, where)
        letter = row.get("letter")
        if letter is not None and (not isinstance(letter, str) or _LETTER.fullmatch(letter) is None):
            raise DocumentError(f"{where}.letter", f"{_short(letter)} is not one sign of a plain keyboard")


def _check_provinces(given: Any) -> None:
    units = 0
    for where, row in _rows(given, "state.provinces", MOST_SIDE * MOST_SIDE, "rows"):
        _check_keys(row, _PROVINCE, where)
        for axis in ("x", "y"):
            place = row.get(axis)
            if isinstance(place, int) and place >= MOST_SIDE:
                raise DocumentError(f"{where}.{axis}", f"{place} is not from 0 to {MOST_SIDE - 1}")
        units_there = row.get("units")
        _check_once(units_there, f"{where}.units")
        for nation, counts in units_there.items() if isinstance(units_there, Mapping) else ():
            _check_once(counts, f"{where}.units.{nation[:LONGEST_NAME]}")
        for amount in _amounts(units_there):
            _check_amount(amount, f"{where}.units")
            units += amount
    if units > MOST_UNITS:
        raise DocumentError("state.provinces", f"hold {units} units; {MOST_UNITS} are the most")


def _check_beginning(generator: Any) -> None:
    """Check what stands in the provinces of a random map: `{symbol: number}`."""
    for key in BEGINNING:
        units = mapping_of(_or_empty(mapping_of(generator, "generator").get(key)), f"generator.{key}")
        _check_once(units, f"generator.{key}")
        for amount in _amounts({key: units}):
            _check_amount(amount, f"generator.{key}")


def _check_amount(amount: int, where: str) -> None:
    if amount > MOST_OF_A_TYPE:
        raise DocumentError(where, f"{amount} of a type; {MOST_OF_A_TYPE} are the most")


def _rows(given: Any, where: str, most: int, what: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    rows = rows_of(() if given is None else given, where)
    _check_count(rows, most, where, what)
    return ((f"{where}[{index}]", row) for index, row in enumerate(rows))


def _amounts(units: Any) -> Iterable[int]:
    """The numbers in `{nation: {symbol: number}}`; `document.load` refuses other values."""
    by_nation = units.values() if isinstance(units, Mapping) else ()
    counts = (count for row in by_nation if isinstance(row, Mapping) for count in row.values())
    return [count for count in counts if isinstance(count, int)]


def _check_name(name: Any, pattern: re.Pattern[str], where: str, wanted: str) -> None:
    if not isinstance(name, str) or len(name) > LONGEST_NAME or pattern.fullmatch(name) is None:
        raise DocumentError(where, f"{_short(name)} is no name: at most {LONGEST_NAME} characters, {wanted}")


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 2 * LONGEST_NAME else f"{text[: 2 * LONGEST_NAME]}…"
