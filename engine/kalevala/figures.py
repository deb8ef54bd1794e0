"""Texts of figures, such as `3AC 5L 4On 6Le Z/55`, and their meaning. Source: rules 9.2, 30.4

A stack is a mapping from items to numbers. An item is the canonical text of one of them: `LB`, `On`, `Z/55`,
`QuW(4)`, `LS[2LB 1On]`, `RE`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TypeAlias
from unicodedata import normalize

from engine.kalevala.tables import ALIASES, KINDS, NUMBERED, WEAPONS, Group, Kind

Figures: TypeAlias = Mapping[str, int]
"""How many there are of each item; items with 0 are left out."""
NONE: Figures = {}
Named: TypeAlias = tuple[tuple[str, int], ...]
"""Figures as an order names them, sorted."""
MONEY = "RE"
MOST = 1_000_000
"""The most of an item that a document may have; an order that names more names more than anybody has."""
_ITEM = re.compile(
    r"(?P<count>\d{1,18})?(?P<code>[A-Za-zÄÖÜäöü]{1,5})(?P<rest>(?:/\d{1,5}){0,2}|\(\d{1,3}\))(?:\[(?P<load>[^\[\]]*)\])?"
)
_WORD = re.compile(r"(?:[^\s,+\[]|\[[^\[\]]*\]|\[)+")
"""An item with its number: blanks, commas and `+` separate items, but not inside the brackets of a load."""
_CODES = {code.casefold(): code for code in KINDS} | dict(ALIASES)
_CODES |= {(weapon + "A").casefold(): weapon for weapon in WEAPONS}


def parse_figures(text: str, most: int | None = MOST) -> Figures | None:
    """The stack of a text: items separated by blanks, commas or `+`; an item twice adds up. `None` if it is none."""
    found: Counter[str] = Counter()
    for word in _WORD.findall(composed(text)):
        item = _parse_item(word)
        if item is None:
            return None
        name, count = item
        found[name] += count
        if most is not None and found[name] > most:
            return None
    return {name: count for name, count in found.items() if count}


def composed(text: str) -> str:
    """The text with its umlauts as single letters, however they were typed."""
    return text if text.isascii() else normalize("NFC", text)


@lru_cache(maxsize=20_000)
def _parse_item(word: str) -> tuple[str, int] | None:
    match = _ITEM.fullmatch(word)
    if match is None:
        return None
    code = _CODES.get(match["code"].casefold())
    if code is None:
        return None
    count = int(match["count"]) if match["count"] else 1
    rest, load = match["rest"], match["load"]
    if rest and code not in NUMBERED:
        return None
    if load is not None:
        if KINDS[code].group is not Group.SHIP:
            return None
        inside = parse_figures(load)
        if inside is None:
            return None
        return (f"{code}[{format_figures(inside)}]" if inside else code), count
    if rest.startswith("("):
        return (f"{code}({int(rest[1:-1])})", count) if code == "QuW" else None
    if code in ("Z", "Pr", "My"):
        return f"{code}/{'/'.join(str(int(part)) for part in rest.split('/')[1:]) or 0}", count
    return code + "".join(f"/{int(part)}" for part in rest.split("/")[1:]), count


def read_figures(given: object) -> Figures | None:
    """The stack of a text, or of an object of numbers by item. `None` if it is none."""
    if isinstance(given, str):
        return parse_figures(given)
    if not isinstance(given, Mapping):
        return None
    found: Counter[str] = Counter()
    for name, count in given.items():
        one = _parse_item(str(name))
        if one is None or not isinstance(count, int) or isinstance(count, bool) or not 0 <= count <= MOST:
            return None
        found[one[0]] += one[1] * count
    return {name: count for name, count in found.items() if count}


def format_figures(figures: Figures) -> str:
    """The canonical text: humans, animals, gear, ships with their load, money; inside by code."""
    return " ".join(_written(item, figures[item]) for item in sorted(figures, key=rank_of) if figures[item])


def _written(item: str, count: int) -> str:
    is_plain = not set(item) & set("/([")
    return f"{count}{item}" if is_plain or count > 1 else item


_GROUPS = tuple(Group)


@lru_cache(maxsize=20_000)
def rank_of(item: str) -> tuple[int, str]:
    """The key by which items are sorted in a text."""
    return _GROUPS.index(kind_of(item).group), item


@lru_cache(maxsize=20_000)
def kind_of(item: str) -> Kind:
    """The kind of an item."""
    return KINDS[_code_of(item)]


def _code_of(item: str) -> str:
    for end, letter in enumerate(item):
        if letter in "/([":
            return item[:end]
    return item


@lru_cache(maxsize=20_000)
def number_of(item: str) -> int:
    """The number in an item: the ZEH of `Z/55`, the animals of `QuW/3`; 0 if it has none."""
    match = re.match(r"[^/(\[]+[/(](\d+)", item)
    return int(match[1]) if match else 0


@lru_cache(maxsize=20_000)
def load_of(item: str) -> Figures:
    """What a ship carries."""
    _, bracket, rest = item.partition("[")
    return (parse_figures(rest.rstrip("]")) or NONE) if bracket else NONE


def without_numbers(item: str) -> str:
    """The item as others see it: `Z` for `Z/55`, aboard ships too; wagons keep their teams. Source: rules R-030"""
    if "[" in item:
        load: Counter[str] = Counter()
        for inside, count in load_of(item).items():
            load[without_numbers(inside)] += count
        return f"{_code_of(item)}[{format_figures(load)}]"
    return item if kind_of(item).code == "QuW" else item.partition("/")[0]


def team_of(item: str) -> Figures:
    """The draught animals of a wagon: `QuW/3` has light ones, `QuW(4)` heavy ones. Source: rules 25.5"""
    if kind_of(item).code != "QuW" or not number_of(item):
        return NONE
    return {"QsP" if "(" in item else "QIP": number_of(item)}


def price_of(item: str) -> int:
    """What one piece of an item is worth in RE, without its load; a figure without a price is worth nothing."""
    return kind_of(item).price or 0


def worth(figures: Figures) -> int:
    """What a stack is worth in RE, including money and the loads of ships."""
    return sum((price_of(item) + worth(load_of(item))) * count for item, count in figures.items())


def of_group(figures: Figures, group: Group) -> Figures:
    """The items of a group."""
    return {item: count for item, count in figures.items() if kind_of(item).group is group}


def warriors(figures: Figures) -> int:
    """How many warriors there are, including those aboard ships."""
    return sum(count for item, count in with_loads(figures).items() if kind_of(item).is_warrior)


def count_of(figures: Figures, code: str) -> int:
    """How many figures of a kind there are, whatever their numbers."""
    return sum(count for item, count in figures.items() if kind_of(item).code == code)


_SINGLE: Mapping[str, str] = {"Z": "wizard", "My": "mystic", "KrKö": "king", "AgKö": "king", "PrKö": "king"}


def one_too_many(stacks: Iterable[Figures]) -> str | None:
    """Of which of its wizard, king and mystic a realm with these stacks has more than one, aboard or not.

    Source: rules 14.3, 18.1, R-051
    """
    have: Counter[str] = Counter()
    for figures in stacks:
        for item, count in with_loads(figures).items():
            have[_SINGLE.get(kind_of(item).code, "")] += count
    return next((what for what in dict.fromkeys(_SINGLE.values()) if have[what] > 1), None)


def wizards_in(stacks: Iterable[Figures]) -> int:
    """How many wizards there are, aboard or not; a realm has one. Source: R-051"""
    return sum(count_of(with_loads(figures), "Z") for figures in stacks)


def with_loads(figures: Figures) -> Figures:
    """The stack with what its ships carry listed next to them."""
    if not any("[" in item for item in figures):
        return figures
    found: Counter[str] = Counter()
    for item, count in figures.items():
        found[item.partition("[")[0]] += count
        for inside, each in load_of(item).items():
            found[inside] += each * count
    return dict(found)


def has_people(figures: Figures) -> bool:
    """Whether there is anybody among the figures, aboard or not, who could see and resist an enemy."""
    return any(kind_of(item).group is Group.HUMAN for item in with_loads(figures))


_HOLD_NO_LAND = frozenset({"Z", "Sl"})


def holds_land(figures: Figures) -> bool:
    """Whether somebody is among the figures who can hold land or a contest for it: neither wizards nor slaves can.

    Source: rules 15.3, 23.2
    """
    return any(
        kind_of(item).group is Group.HUMAN and kind_of(item).code not in _HOLD_NO_LAND for item in with_loads(figures)
    )


def plus(one: Figures, other: Figures) -> Figures:
    """Both stacks together."""
    found = Counter(one)
    found.update(other)
    return dict(found)


def minus(one: Figures, other: Figures) -> Figures:
    """A stack without another that is part of it."""
    left = {item: count - other.get(item, 0) for item, count in one.items()}
    assert is_part(other, one), "not part of the stack"
    return {item: count for item, count in left.items() if count}


def is_part(part: Figures, whole: Figures) -> bool:
    """Whether a stack holds all of another."""
    return all(whole.get(item, 0) >= count for item, count in part.items())


def common(one: Figures, other: Figures) -> Figures:
    """What of a stack is in another one too."""
    return {item: min(count, other[item]) for item, count in one.items() if other.get(item)}


def total(stacks: Iterable[Figures]) -> Figures:
    """Stacks put together."""
    found: Counter[str] = Counter()
    for stack in stacks:
        found.update(stack)
    return dict(found)
