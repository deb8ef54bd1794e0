"""Decrees: what a game master does to a realm or the world outside the rules, at the end of the window that closed.

god anna +5              her god gets 5 OEH more; -5 takes them away
give anna 2D+4 5RE 3LB   she gets RE and figures where she has land or figures; `take` takes what she has there
item anna 2D+4 +2 Sampo  an artefact that gives its bearer 2 GP is hers there; `item nobody 2D+6 +2 Sampo: a mill`:
                         it lies there, and whoever sees it learns of it. `take anna 2D+4 Ar/1`: it is gone
land anna 2D+5           the province is hers; `land nobody 2D+5`: the natives'. Nobody else may stand there
marauders 2D+5 20L       marauders stand on land that nobody holds
protect anna 3           for three great rounds nobody may attack her; 0 ends protection
invader anna 2A+9        a ruler without a realm returns as an invader: a fleet on the sea, a horde on empty land
realm anna 2D+5          a ruler without a realm is allotted natives' land: a capital there, and what is free next to it
role anna 2D+5 5L 1K     a ruler without a realm gets figures, as a guest in another ruler's land
hide anna 2D+5           she forgets the land there; she still sees what she owns and where her people are
reveal anna 2D+5         she knows the land there
weakness anna fever      the weakness of her king; she doesn't learn of it
tell anna words          words from the game master, to her alone: a quest, a legend, what an expedition found
silence anna 3           her letters and pieces for the courier are refused for three great rounds; 0 ends that
forbid anna 2            line 2 of her sheet did not count
set rulers.anna.nmr 0    one value of the position's document, for any other correction; `-` removes it

How they are carried out is in `steps.decreeing`. Source: rules part J, rulings KA195, KA214, KA217, KA226
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engine.core.errors import DocumentError
from engine.core.ids import PowerId
from engine.kalevala.artefacts.facts import LONGEST_NAME, MOST_POINTS
from engine.kalevala.coordinates import parse_province
from engine.kalevala.figures import parse_figures
from engine.kalevala.kings.facts import WEAKNESSES
from engine.kalevala.model import Decree, State

GOD, GIVE, TAKE, LAND, MARAUDERS, PROTECT = "god", "give", "take", "land", "marauders", "protect"
HIDE, REVEAL, WEAKNESS, TELL, SILENCE, FORBID, SET = "hide", "reveal", "weakness", "tell", "silence", "forbid", "set"
NEWCOMER, ROLE, ALLOT, ITEM = "invader", "role", "realm", "item"
NOBODY, REMOVED = "nobody", "-"
MOST_ROUNDS = 12
_EXAMPLES: Mapping[str, str] = {
    GOD: "god {ruler} +5",
    GIVE: "give {ruler} {place} 5RE",
    TAKE: "take {ruler} {place} 1L",
    ITEM: "item {ruler} {place} +2 Sampo",
    LAND: "land {ruler} {place}",
    MARAUDERS: "marauders {place} 20L",
    PROTECT: "protect {ruler} 3",
    NEWCOMER: "invader {ruler} {place}",
    ALLOT: "realm {ruler} {place}",
    ROLE: "role {ruler} {place} 5L 1K 20RE",
    REVEAL: "reveal {ruler} {place}",
    HIDE: "hide {ruler} {place}",
    WEAKNESS: "weakness {ruler} fever",
    TELL: "tell {ruler} …",
    SILENCE: "silence {ruler} 3",
    FORBID: "forbid {ruler} 1",
    SET: "set rulers.{ruler}.nmr 0",
}
KINDS = tuple(_EXAMPLES)


def forms(ruler: PowerId, place: str) -> Iterator[str]:
    """How decrees are written, with a ruler and a place as examples."""
    return (example.format(ruler=ruler, place=place) for example in _EXAMPLES.values())


def read(written: str, state: State) -> Decree:
    """A decree in a game.

    Raises:
        DocumentError: it is not a decree, or names nobody in the game.
    """
    kind, *words = written.split(maxsplit=1)
    kind, rest = kind.casefold(), "".join(words).strip()
    if kind == SET:
        return _set(rest)
    if kind == MARAUDERS:
        place, *figures = [*rest.split(), ""]
        return Decree(kind, None, (_place(place), _figures(figures)))
    who, given = [*rest.split(maxsplit=1), "", ""][:2]
    ruler = _ruler(state, who) if not (kind in (LAND, ITEM) and who.casefold() == NOBODY) else None
    return Decree(kind, ruler, _READERS[kind](given))


def _ruler(state: State, written: str) -> PowerId:
    found = next((name for name in state.rulers if name.casefold() == written.casefold()), None)
    if found is None:
        raise DocumentError("ruling", f"there is no ruler {written or 'without a name'} in this game")
    return found


def _place(written: str) -> str:
    place = parse_province(written.upper())
    if place is None:
        raise DocumentError("ruling", f"{written or 'that'} is no province, such as 2D+4")
    return place


def _figures(words: list[str]) -> str:
    figures = " ".join(filter(None, words))
    if not figures or parse_figures(figures) is None:
        raise DocumentError("ruling", f"“{figures}” are no figures, such as 3LB 1L")
    return figures


def _amount(written: str) -> tuple[str, ...]:
    if not written.lstrip("+-").isdecimal() or len(written) > 5 or not int(written):
        raise DocumentError("ruling", "an amount of OEH comes after the ruler, such as +5 or -5")
    return (str(int(written)),)


def _rounds(written: str) -> tuple[str, ...]:
    if not written.isdecimal() or int(written) > MOST_ROUNDS:
        raise DocumentError("ruling", f"a number of great rounds comes after the ruler, 0 to {MOST_ROUNDS}")
    return (written,)


def _at(written: str) -> tuple[str, ...]:
    return (_place(written),)


def _goods(written: str) -> tuple[str, ...]:
    place, *figures = [*written.split(), ""]
    return _place(place), _figures(figures)


def _artefact(written: str) -> tuple[str, ...]:
    """Where it is, its GP and name, and its description after a colon."""
    place, points, said = [*written.split(maxsplit=2), "", "", ""][:3]
    name, _, text = (each.strip() for each in said.partition(":"))
    if not points.lstrip("+").isdecimal() or int(points) > MOST_POINTS or not name or len(name) > LONGEST_NAME:
        raise DocumentError(
            "ruling", f"a place, GP up to +{MOST_POINTS} and a name come after the ruler, such as 2D+4 +2 Sampo: a mill"
        )
    return _place(place), str(int(points)), name, text


def _weakness(written: str) -> tuple[str, ...]:
    if written.casefold() not in WEAKNESSES:
        raise DocumentError("ruling", f"a king's weakness is one of {', '.join(WEAKNESSES)}")
    return (written.casefold(),)


def _words(written: str) -> tuple[str, ...]:
    if not written.strip("…"):
        raise DocumentError("ruling", "the words come after the ruler")
    return (written,)


def _line(written: str) -> tuple[str, ...]:
    if not written.isdecimal() or len(written) > 4:
        raise DocumentError("ruling", "the number of a line of the sheet comes after the ruler")
    return (written,)


_READERS: Mapping[str, Callable[[str], tuple[str, ...]]] = {
    GOD: _amount,
    GIVE: _goods,
    TAKE: _goods,
    ITEM: _artefact,
    LAND: _at,
    PROTECT: _rounds,
    NEWCOMER: _at,
    ALLOT: _at,
    ROLE: _goods,
    REVEAL: _at,
    HIDE: _at,
    WEAKNESS: _weakness,
    TELL: _words,
    SILENCE: _rounds,
    FORBID: _line,
}


# One value of the document


def _set(written: str) -> Decree:
    path, value = [*written.split(maxsplit=1), "", ""][:2]
    if not value:
        raise DocumentError("ruling", "a path into the position and a value come after “set”: rulers.anna.nmr 0")
    return Decree(SET, None, (path, value))


def corrected(document: Mapping[str, Any], decree: Decree) -> dict[str, Any]:
    """A document with one value of its `state` changed.

    Raises:
        DocumentError: the path leads nowhere.
    """
    path, written = decree.words
    *way, last = path.split(".")
    found: dict[str, Any] = json.loads(json.dumps(document))
    at: Any = found["state"]
    for key in way:
        at = at.setdefault(key, {}) if isinstance(at, dict) else _item(at, key, path)
    if isinstance(at, list):
        at[_index(at, last, path)] = _value(written)
    elif not isinstance(at, dict):
        raise DocumentError("ruling", f"there is nothing at {path}")
    elif written == REMOVED:
        at.pop(last, None)
    else:
        at[last] = _value(written)
    return found


def _item(at: Any, key: str, path: str) -> Any:
    if not isinstance(at, list):
        raise DocumentError("ruling", f"there is nothing at {path}")
    return at[_index(at, key, path)]


def _index(at: list[Any], key: str, path: str) -> int:
    if not key.isdecimal() or int(key) >= len(at):
        raise DocumentError("ruling", f"there is nothing at {path}")
    return int(key)


def _value(written: str) -> Any:
    """Numbers, words in quotation marks, lists and objects as JSON has them; anything else is a word."""
    try:
        return json.loads(written)
    except ValueError:
        return written
