"""What a game master may change in a position between two turns. Source: rules 15.

A change is made in the game's document, which is then read again, so it can't create an impossible position.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.core.errors import DocumentError
from engine.core.events import Event
from engine.core.ids import PowerId
from engine.core.phrases import Phrase, phrase
from engine.king_of_kings import document
from engine.king_of_kings.model import Province, State
from engine.king_of_kings.steps.muster import is_adrift

_TROOPS = "TROOPS"
_FORMS = (
    "owner X Y NATION", "owner X Y none", f"units X Y NATION {_TROOPS}", "units X Y NATION none",
    "gold NATION 12", "wood NATION 12", "food NATION 12", "fame NATION 12", "credits NATION 1", "award NATION 5",
    "status NATION NATION 3", "terrain X Y plains", "tactic X Y C", "name X Y none", "kill NATION", "revive NATION",
    "option NAME VALUE",
)  # fmt: skip
TOLD = "event.game_master"
"""The phrase with which a report mentions a change."""
NOBODY = "none"
MOST_UNITS = 9999
"""The most units of a type in one place: each of them rolls, and eats."""

_Document = dict[str, Any]
_PLACE = re.compile(r"(?<!\S)([0-9]+)[/,]([0-9]+)(?!\S)")
"""A place as reports write it, `7/18`; orders may also write it as one word (ruling K-10)."""


def edit(state: State, text: str) -> State:
    """The game with a change by its game master, which the next report mentions.

    Raises:
        DocumentError: the text is not a change, or would make an impossible position.
    """
    word, *rest = canonical(text).split() or [""]
    change = _CHANGES.get(word)
    if change is None:
        raise DocumentError(word or "change", f"is none of these: {', '.join(sorted(_CHANGES))}")
    changed = document.dump(state)
    try:
        change(_Draft(state, changed), word, rest)
    except _WordsMissing:
        raise DocumentError(canonical(text), f"write, for example, “{_example_of(state, word)}”") from None
    try:
        after = document.load(changed)
    except DocumentError as error:
        # Where that is in the document says nothing to whoever wrote the change.
        raise DocumentError(canonical(text), error.problem) from None
    return replace(after, notes=(*state.notes, canonical(text)))


def canonical(text: str) -> str:
    """A change as reports write it: `owner 7 18 red`."""
    word, *rest = _PLACE.sub(r"\1 \2", text).split() or [""]
    return " ".join((word.lower(), *rest))


def reported(events: Sequence[Event]) -> tuple[str, ...]:
    """The changes that the report of a turn with these events mentions."""
    return tuple(str(event.what.args["what"]) for event in events if event.what.code == TOLD)


def forms(state: State) -> tuple[str, ...]:
    """How each change is written, with troops that exist in this game."""
    return tuple(form.replace(_TROOPS, _example(state, 2, 1)) for form in _FORMS)


def _example(state: State, *amounts: int) -> str:
    """As many of the types that march, in the order of the troop list: `FO 2 BO 1`."""
    troops = state.rules.troops.values()
    marching = [troop for troop in troops if troop.land_move and not troop.is_general] or list(troops)
    return " ".join(f"{troop.keyword} {amount}" for troop, amount in zip(marching, amounts, strict=False))


def _example_of(state: State, word: str) -> str:
    """A change of a kind with nations and a place of this game; it tells nothing of the position."""
    form = next(form for form in forms(state) if form.split()[0] == word)
    one, other = [nation.name for nation in state.nations.values()][:2]
    lands = (number for number, each in enumerate(state.provinces) if not state.rules.terrain[each.terrain].is_sea)
    y, x = divmod(next(lands, 0), state.width)
    form = form.replace("NATION NATION", f"{one} {other}").replace("NATION", one).replace("X Y", f"{x} {y}")
    return form.replace("NAME VALUE", "last_man_standing yes")


def advice(before: State, after: State) -> Phrase | None:
    """A warning that a nation which a change has revived, or left with nothing, falls unless it is given something."""
    lost = tuple(nation for nation in _living(after) if _has_nothing(after, nation))
    found = next((nation for nation in lost if nation not in _living(before) or not _has_nothing(before, nation)), None)
    if found is None:
        return None
    return phrase("edit.nothing_left", nation=found, name=after.nations[found].name, units=_example(after, 2))


def _living(state: State) -> tuple[PowerId, ...]:
    return tuple(nation.id for nation in state.nations.values() if nation.eliminated is None)


def _has_nothing(state: State, nation: PowerId) -> bool:
    """Whether a nation will fall when the turn closes. Source: rules 13; ruling K-96"""
    if any(province.owner == nation for province in state.provinces):
        return False
    left = {symbol for province in state.provinces for symbol in province.units.get(nation, {})}
    return not left or (state.is_played(nation) and is_adrift(state.rules, state.options, left))


class _Draft:
    """A document that is being changed, with ways to find its parts."""

    def __init__(self, state: State, changed: _Document) -> None:
        self.state = state
        self.changed = changed
        self.position: _Document = changed["state"]

    def nation(self, token: str) -> _Document:
        """The row of a nation of this name or number."""
        found = self.state.find_nation(token)
        if found is None:
            names = ", ".join(nation.name for nation in self.state.nations.values())
            raise DocumentError(token, f"is none of these: {names}")
        return next(row for row in self.position["nations"] if row["name"] == found.name)

    def province(self, x: str, y: str) -> _Document:
        """The row of a province; one that was not listed is added."""
        column, row = _number(x), _number(y)
        height = len(self.state.provinces) // self.state.width
        if column >= self.state.width or row >= height:
            raise DocumentError(f"{x} {y}", f"is not on the map of {self.state.width} by {height}")
        rows: list[_Document] = self.position["provinces"]
        for listed in rows:
            if (listed["x"], listed["y"]) == (column, row):
                return listed
        blank: Province = self.state.at(column, row)
        rows.append({"x": column, "y": row, "terrain": blank.terrain, "units": {}})
        return rows[-1]

    def is_land(self, province: _Document) -> bool:
        """Whether it is land, not sea."""
        return not self.state.rules.terrain[province["terrain"]].is_sea

    def want_land(self, province: _Document) -> None:
        """Refuse a change that the sea can't have."""
        if not self.is_land(province):
            raise DocumentError(f"{province['x']} {province['y']}", "is sea")

    def garrison(self, province: _Document) -> list[tuple[str, dict[str, int]]]:
        """The units there, and their owner."""
        return [(nation, units) for nation, units in province["units"].items() if units]


class _WordsMissing(Exception):
    """A change has fewer words than it needs, or more."""


def _number(token: str) -> int:
    if not (token.isascii() and token.isdecimal() and len(token) < 10):
        raise DocumentError(token, "is not a whole number from 0")
    return int(token)


def _want(rest: Sequence[str], count: int) -> Sequence[str]:
    if len(rest) != count:
        raise _WordsMissing
    return rest


def _owner(draft: _Draft, _: str, rest: Sequence[str]) -> None:
    """Land goes with the units on it, as by a cession (K-18); land that belongs to nobody is empty."""
    x, y, token = _want(rest, 3)
    owner = None if token.lower() == NOBODY else draft.nation(token)["name"]
    province = draft.province(x, y)
    if owner is not None and not draft.state.options.sea_ownership:
        draft.want_land(province)
    if draft.is_land(province):
        for before, units in draft.garrison(province):
            if owner is None:
                raise DocumentError(f"{x} {y}", f"has units of {before}; first: units {x} {y} {before} none")
            province["units"] = {owner: units}
    province.update(owner=owner, loyal_to=owner)


def _units(draft: _Draft, _: str, rest: Sequence[str]) -> None:
    if len(rest) < 4:
        raise _WordsMissing
    x, y, token, *words = rest
    province, nation = draft.province(x, y), draft.nation(token)["name"]
    units = {} if [word.lower() for word in words] == [NOBODY] else _counts(draft, words)
    if units and draft.is_land(province):
        owner = province.get("owner")
        if owner not in (None, nation):
            raise DocumentError(f"{x} {y}", f"belongs to {owner}; first: owner {x} {y} {nation}")
        if owner is None:
            province.update(owner=nation, loyal_to=nation)
    province["units"] = {**province["units"], nation: units}


def _counts(draft: _Draft, words: Sequence[str]) -> dict[str, int]:
    if len(words) % 2:
        raise DocumentError(" ".join(words), "needs a number behind each type")
    found: dict[str, int] = {}
    for word, amount in zip(words[::2], words[1::2], strict=True):
        troop = draft.state.rules.keyword(word)
        if troop is None or len(word) < 2:
            known = ", ".join(kind.keyword for kind in draft.state.rules.troops.values())
            raise DocumentError(word, f"is none of these: {known}")
        if (number := _number(amount)) > MOST_UNITS:
            raise DocumentError(amount, f"is more than {MOST_UNITS}")
        found[troop.symbol] = number
    return found


def _figure(draft: _Draft, what: str, rest: Sequence[str]) -> None:
    nation, amount = _want(rest, 2)
    draft.nation(nation)[what] = _number(amount)


def _award(draft: _Draft, _: str, rest: Sequence[str]) -> None:
    nation, amount = _want(rest, 2)
    draft.nation(nation)["fame"] += _number(amount)


def _status(draft: _Draft, _: str, rest: Sequence[str]) -> None:
    one, other, status = _want(rest, 3)
    own, others = draft.nation(one), draft.nation(other)
    if own is others:
        raise DocumentError(other, "is the same nation")
    own["status"] = {**own["status"], others["name"]: _number(status)}


def _terrain(draft: _Draft, _: str, rest: Sequence[str]) -> None:
    # A scenario's own terrain may have a name of several words.
    x, y, terrain = _want((*rest[:2], " ".join(rest[2:])) if len(rest) > 2 else rest, 3)
    kind = draft.state.rules.terrain.get(terrain.lower())
    if kind is None:
        raise DocumentError(terrain, f"is none of these: {', '.join(draft.state.rules.terrain)}")
    province = draft.province(x, y)
    province["terrain"] = kind.name
    row = draft.position["map"][province["y"]]
    draft.position["map"][province["y"]] = row[: province["x"]] + kind.letter + row[province["x"] + 1 :]


def _tactic(draft: _Draft, _: str, rest: Sequence[str]) -> None:
    x, y, tactic = _want(rest, 3)
    province = draft.province(x, y)
    draft.want_land(province)
    province["tactic"] = tactic.upper()


def _name(draft: _Draft, _: str, rest: Sequence[str]) -> None:
    x, y, word = _want(rest, 3)
    if word.lower() not in (NOBODY, "clear"):
        raise DocumentError(word, f"is not {NOBODY}: players name their provinces")
    draft.province(x, y)["name"] = None


def _kill(draft: _Draft, _: str, rest: Sequence[str]) -> None:
    (token,) = _want(rest, 1)
    nation = draft.nation(token)
    nation.update(eliminated=draft.state.turn, credits=0)
    for province in draft.position["provinces"]:
        province["units"] = {name: units for name, units in province["units"].items() if name != nation["name"]}
        for key in ("owner", "loyal_to"):
            if province.get(key) == nation["name"]:
                province[key] = None


def _revive(draft: _Draft, _: str, rest: Sequence[str]) -> None:
    """Fallen nations live again; those that became Monsters by missing turns are played again. Real Monsters stay."""
    (token,) = _want(rest, 1)
    nation = draft.nation(token)
    nation["eliminated"] = None
    if nation["missed"]:
        nation["missed"] = 0
        nation.pop("controller", None)  # left out it is a player


def _option(draft: _Draft, _: str, rest: Sequence[str]) -> None:
    """Options take effect in the next turn: orders for the present one were written under the old options."""
    if len(rest) < 2:
        raise _WordsMissing
    name, *words = rest
    if name.lower() not in draft.changed["options"]:
        raise DocumentError(name, f"is none of these: {', '.join(draft.changed['options'])}")
    coming = draft.position.get("next_options", {})
    draft.position["next_options"] = {**coming, name.lower(): _option_value(" ".join(words))}


def _option_value(text: str) -> str | int | bool:
    words = {"yes": True, "true": True, "no": False, "false": False}
    if text.lower() in words:
        return words[text.lower()]
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else text


_CHANGES: Mapping[str, Callable[[_Draft, str, Sequence[str]], None]] = {
    "owner": _owner,
    "units": _units,
    "gold": _figure,
    "wood": _figure,
    "food": _figure,
    "fame": _figure,
    "credits": _figure,
    "award": _award,
    "status": _status,
    "terrain": _terrain,
    "tactic": _tactic,
    "name": _name,
    "kill": _kill,
    "revive": _revive,
    "option": _option,
}
