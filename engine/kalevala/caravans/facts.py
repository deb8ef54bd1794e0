"""Caravans and expeditions: what a document says about one, what it may carry, how fast it goes. What it does in a
window is in `steps.caravanning`.

Source: rules 21, 30.1, R-065, R-069, R-091, rulings KA160 to KA167
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.core.ids import PowerId
from engine.kalevala.coordinates import Province
from engine.kalevala.figures import MONEY, Figures, count_of, format_figures, kind_of, minus, parse_figures, team_of
from engine.kalevala.sea.craft import BULKY, CARRIER_OF_BULK, HOLDS, craft_among, space_of
from engine.kalevala.sea.craft import speed_of as speed_of_craft
from engine.kalevala.tables import FULL_ROOM, PAY_UNIT, SPACE, Group

TRADING, EXPLORING = "KW", "EX"
"""A caravan, and an expedition."""
MERCHANT = "K"
BRIBED = "bribed"
"""The key of what is hidden from everybody, even from the caravan's ruler."""
MOST = 2
"""How many a ruler may have. Source: rules 21"""
ROOM, ESCORT_ROOM = 24, 4
"""REH for goods, and additional ones for merchants and their mounts. Source: rules 21"""
BIG = frozenset({"Bt", "Sk", "QuW"})
MOST_BIG = 6
"""Pieces of gear that fill a small field, and how many of them a caravan takes. Source: R-091"""
MOST_SHIPS, RAFT = 4, "FS"
"""How many ships a caravan has at most; two rafts count as one. Source: rules 21"""
SPEED, MOUNTED_SPEED = 2, 3
WHOLE = ROOM + ESCORT_ROOM
"""The REH of a caravan of which the owner of the land learns, and for which the land needs room. Source: rules 21.6"""
MOST_IN_LAND = 2
"""The most foreign caravans in one great field. Source: rules 21.6"""


@dataclass(frozen=True, slots=True)
class Caravan:
    """Merchants with what they take along.

    Args:
        load: all its figures, goods and RE, including merchants and escort.
        has_moved: in this great round.
        bribed_to: where its leader, whom an agent has bribed, will go next; where it is: he will stay there.
    """

    ruler: PowerId
    number: int
    at: Province
    load: Figures
    kind: str = TRADING
    has_moved: bool = False
    bribed_to: Province | None = None

    @property
    def name(self) -> str:
        """`KW1`."""
        return f"{self.kind}{self.number}"


def read_caravan(row: Mapping[str, Any]) -> Caravan | None:
    """Read a caravan from a document's row; `None` for a foreign one of which only the size is known."""
    if row.get("ruler") is None:
        return None
    bribed_to = row.get("bribed")
    return Caravan(
        ruler=PowerId(row["ruler"]),
        number=int(row["n"]),
        at=Province(str(row["at"])),
        load=parse_figures(str(row.get("load") or "")) or {},
        kind=str(row.get("kind", TRADING)),
        has_moved=bool(row.get("moved")),
        bribed_to=None if bribed_to is None else Province(str(bribed_to)),
    )


def caravan_row(caravan: Caravan) -> dict[str, Any]:
    """Write a caravan as a row of a document."""
    row: dict[str, Any] = {"ruler": caravan.ruler, "n": caravan.number, "kind": caravan.kind, "at": caravan.at}
    row["load"] = format_figures(caravan.load)
    row |= {"moved": True} if caravan.has_moved else {}
    return row | ({} if caravan.bribed_to is None else {BRIBED: caravan.bribed_to})


def caravans_in(modules: Mapping[str, Any]) -> Iterator[Caravan]:
    """All caravans of which more is known than their presence."""
    return filter(None, map(read_caravan, modules.get("caravans", ())))


def strange_ones(modules: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """What a viewer knows of others' caravans: `at`, and the kinds of `load`, or its size."""
    return (row for row in modules.get("caravans", ()) if row.get("ruler") is None)


def has_merchant(load: Figures) -> bool:
    """Whether a merchant leads the caravan."""
    return bool(count_of(load, MERCHANT))


def is_within_limits(load: Figures) -> bool:
    """Whether a caravan can take this load of merchants, men, animals, gear and RE. Source: rules 21, R-091

    With craft it goes by sea, and its load is aboard. Ruling KA167
    """
    if goes_by_sea(load):
        return _fits_aboard(load)
    room = big = people = 0
    for item, count in load.items():
        kind = kind_of(item)
        if kind.group not in _TAKEN or kind.code in _STAY:
            return False
        if kind.code in BIG:
            big += count
        elif item != MONEY:
            room += SPACE.get(kind.code, 1) * count
            people += count if kind.group is Group.HUMAN else 0
    return has_merchant(load) and big <= MOST_BIG and room <= ROOM + min(ESCORT_ROOM, people)


def goes_by_sea(load: Figures) -> bool:
    """Whether a caravan goes by sea. Its load then names the craft and what is aboard. Ruling KA167"""
    return bool(craft_among(load))


def _fits_aboard(load: Figures) -> bool:
    """Whether this load fits into this many ships, each with somebody to steer it. Rules 21, 26.1, ruling KA167"""
    ships = craft_among(load)
    aboard = {item: count for item, count in minus(load, ships).items() if item != MONEY}
    if any(item not in HOLDS for item in ships) or not has_merchant(load):
        return False
    if any(kind_of(item).group not in _TAKEN or kind_of(item).code in _STAY for item in aboard):
        return False
    count = sum(ships.values()) - ships.get(RAFT, 0) // 2
    bulky = {item: number for item, number in aboard.items() if kind_of(item).code in BULKY}
    crew = sum(number for item, number in aboard.items() if kind_of(item).is_warrior or kind_of(item).code == MERCHANT)
    return (
        count <= min(MOST_SHIPS, crew)
        and sum(bulky.values()) <= MOST_BIG
        and space_of(bulky) <= HOLDS[CARRIER_OF_BULK] * ships.get(CARRIER_OF_BULK, 0)
        and space_of(aboard) <= sum(HOLDS[hull] * number for hull, number in ships.items())
    )


_TAKEN = (Group.HUMAN, Group.ANIMAL, Group.GEAR, Group.ARTEFACT, Group.MONEY)
_STAY = frozenset({"Z", "KrKö", "AgKö", "PrKö", "Ag", "My"})
"""Figures that can't join a caravan: wizards, kings, agents and mystics."""


def speed_of(load: Figures) -> int:
    """Great fields a round: the slowest craft's at sea; on land faster where all ride, with nothing but animals and
    wagons with teams. Source: rules 21.6
    """
    if goes_by_sea(load):
        return speed_of_craft(load)
    people = sum(count for item, count in load.items() if kind_of(item).group is Group.HUMAN)
    seats = sum(kind_of(item).seats * count for item, count in load.items() if kind_of(item).group is Group.ANIMAL)
    gear = [item for item in load if kind_of(item).group is Group.GEAR]
    is_fast = people <= seats and all(team_of(item) for item in gear)
    return MOUNTED_SPEED if is_fast else SPEED


def upkeep_of(load: Figures) -> int:
    """RE a round for its warriors and animals, by classes as auxiliaries and animals are paid. Source: rules 25.5,
    ruling KA162
    """
    counts: Counter[tuple[bool, str]] = Counter()
    for item, count in load.items():
        kind = kind_of(item)
        if kind.is_warrior or kind.upkeep:
            counts[kind.is_warrior, kind.rank if kind.is_warrior else kind.upkeep] += count
        for animal, each in team_of(item).items():
            counts[False, kind_of(animal).upkeep] += each * count
    return sum(-(-count // PAY_UNIT[rank]) for (_, rank), count in counts.items())


def unpaid_of(load: Figures) -> Figures:
    """Who leaves if nobody is paid: men and animals, teams of wagons too. Ruling KA23"""
    return {item: count for item, count in unhitched(load).items() if upkeep_of({item: count})}


def unhitched(load: Figures) -> Figures:
    """The same load with the teams of wagons apart from them."""
    loose: Counter[str] = Counter()
    for item, count in load.items():
        team = team_of(item)
        loose.update({(kind_of(item).code if team else item): count})
        loose.update({animal: each * count for animal, each in team.items()})
    return loose


def fields_of(load: Figures) -> int:
    """The number of small fields that it fills: one for each 4 REH, for a big piece, and at sea for a ship. Ruling
    KA136
    """
    if goes_by_sea(load):
        return sum(craft_among(load).values())
    room = big = 0
    for item, count in load.items():
        if kind_of(item).code in BIG:
            big += count
        elif item != MONEY:
            room += SPACE.get(kind_of(item).code, 1) * count
    return big + -(-room // FULL_ROOM)
