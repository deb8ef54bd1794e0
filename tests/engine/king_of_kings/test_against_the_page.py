"""A turn without orders, worked out a second time from documents alone, as the rules tell it, on random positions.

Storage, isolation, harvest, supply, alliances, loyalty and the fallen; rules 7, 9, 13, rulings K-42 to K-46.
"""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

from engine.core.dice import Dice, Streams
from engine.core.ids import PowerId
from engine.core.phrases import Phrase
from engine.king_of_kings.model import Line
from engine.king_of_kings.steps.absent import write_orders
from engine.king_of_kings.steps.opening import open_turn
from engine.king_of_kings.tables import standard
from engine.king_of_kings.working import Turn
from tests.random_king_of_kings import RULES

WIDTH, HEIGHT = 6, 4
NATIONS = ("red", "blue", "green")
DEAD = "grey"
LETTERS = "CPGDSFHMRWTYO~~~~"
YIELDS = {kind.letter: (kind.food, kind.gold, kind.wood) for kind in standard().terrain.values()}
EATERS = "BFH"
"""Those who eat, in casualty order."""

Document = dict[str, Any]
Place = tuple[int, int]


@pytest.mark.parametrize("number", range(80))
def test_quiet_turn_is_as_the_page_says(number: int) -> None:
    chance = random.Random(f"quiet {number}")
    document = position(chance)
    state = RULES.play.load(document)
    sheets: dict[PowerId, tuple[Line, ...]] = dict.fromkeys(state.nations, ())
    after = RULES.play.dump(RULES.play.adjudicate(state, sheets, RULES.play.dice(state)).state)["state"]
    expected = work_out(copy.deepcopy(document))
    nations = {row["name"]: row for row in after["nations"]}
    for name, wanted in expected["nations"].items():
        assert {key: nations[name][key] for key in wanted} == wanted, name
    found = {(row["x"], row["y"]): row for row in after["provinces"]}
    for place, wanted in expected["provinces"].items():
        row = found.get(place, {"owner": None, "loyal_to": None, "units": {}})
        assert {key: row[key] for key in wanted} == wanted, place


def position(chance: random.Random) -> Document:
    """Some nations' lands and fleets, in any state of friendship and hunger."""
    rows = ["".join(chance.choice(LETTERS) for _ in range(WIDTH)) for _ in range(HEIGHT)]
    provinces = []
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            if chance.random() < 0.25:
                continue
            owner = chance.choice(NATIONS)
            entry: dict[str, Any] = {"x": x, "y": y, "units": {}}
            if letter == "~":
                entry["owner"] = chance.choice((None, owner))
                for nation in chance.sample(NATIONS, chance.choice((0, 1, 1, 2))):
                    entry["units"][nation] = {"S": 2, **_some(chance, "FBH", 2)}
            else:
                entry["owner"] = owner
                units = _some(chance, "FFBHCGS", 3)
                entry["units"] = {owner: units} if units else {}
            if entry["owner"] is not None:
                entry["loyal_to"] = chance.choice((owner, owner, *NATIONS, DEAD))
            provinces.append(entry)
    status = {name: {other: chance.choice((0, 0, 1, 2, 5)) for other in NATIONS if other != name} for name in NATIONS}
    nations: list[dict[str, Any]] = [
        {
            "name": name,
            "gold": chance.randint(0, 9),
            "wood": chance.randint(0, 30),
            "food": chance.randint(0, 6),
            "status": status[name],
        }
        for name in NATIONS
    ]
    nations.append({"name": DEAD, "eliminated": 2})
    streams = {f"loyalty/{x},{y}": [chance.choice((20, 21))] for x in range(WIDTH) for y in range(HEIGHT)}
    return {
        "seed": "page",
        "phase": {"turn": 4},
        "options": {
            "loyalty": chance.random() < 0.6,
            "capture": chance.random() < 0.5,
            "sea_ownership": chance.random() < 0.4,
            "storage_food": chance.choice((0, 3, None)),
        },
        "dice": streams,
        "state": {"map": rows, "nations": nations, "provinces": provinces},
    }


def _some(chance: random.Random, kinds: str, most: int) -> dict[str, int]:
    units = {kind: chance.randint(0, most) for kind in kinds if chance.random() < 0.6}
    return {kind: 1 if kind in "CG" else amount for kind, amount in units.items() if amount}


# The page again


def work_out(document: Document) -> dict[str, Any]:
    """What the document has after a turn without orders."""
    options, state = document["options"], document["state"]
    cells = {(row["x"], row["y"]): row for row in state["provinces"]}
    nations = {row["name"]: row for row in state["nations"]}
    terrain = {(x, y): letter for y, row in enumerate(state["map"]) for x, letter in enumerate(row)}
    for row in nations.values():
        row["gold"] = min(row.get("gold", 0), 5)
        row["wood"] = min(row.get("wood", 0), 20)
    starved: set[Place] = set()
    cut_off = {place for place in cells if _is_isolated(place, cells, terrain, nations, options)}
    for name in NATIONS:
        starved |= _harvest(name, cells, terrain, nations, options, cut_off)
    statuses = {
        one: {
            other: min(nations[one]["status"][other], nations[other]["status"][one])
            for other in NATIONS
            if other != one
        }
        for one in NATIONS
    }
    if options["loyalty"]:
        _loyalty(cells, terrain, options, starved, document["dice"])
    else:
        for row in cells.values():
            row["loyal_to"] = row["owner"]
    present = {row["owner"] for row in cells.values()} | {nation for row in cells.values() for nation in row["units"]}
    return {
        "nations": {
            name: {
                "gold": nations[name]["gold"],
                "wood": nations[name]["wood"],
                "food": nations[name]["food"],
                "status": {**statuses[name], DEAD: 0},
                "eliminated": None if name in present else 4,
                "fame": 0,
            }
            for name in NATIONS
        },
        "provinces": {
            place: {"owner": row["owner"], "loyal_to": row.get("loyal_to"), "units": row["units"]}
            for place, row in cells.items()
        },
    }


def _mutual(nations: Any, one: str, other: str) -> int:
    if DEAD in (one, other):
        return 0
    return int(min(nations[one]["status"][other], nations[other]["status"][one]))


def _beside(place: Place) -> list[Place]:
    x, y = place
    return [(x, y - 1), (x, y + 1), (x + 1, y), (x - 1, y)]


def _is_isolated(place: Place, cells: Any, terrain: Any, nations: Any, options: Any) -> bool:
    """Section 8."""
    owner = cells[place]["owner"]
    if owner is None or terrain[place] == "~":
        return False

    def allied(other: str) -> bool:
        return _mutual(nations, owner, other) >= 1

    for near in _beside(place):
        row = cells.get(near, {"owner": None, "units": {}})
        is_sea = terrain.get(near) == "~"
        counts = near in terrain and (not is_sea or options["sea_ownership"]) and row["owner"] is not None
        if counts and (row["owner"] == owner or allied(row["owner"])):
            return False
        if is_sea and cells[place]["units"].get(owner, {}).get("S"):
            hostile = [n for n, units in row["units"].items() if n != owner and not allied(n) and units.get("S")]
            if not hostile:
                return False
    return True


def _harvest(name: str, cells: Any, terrain: Any, nations: Any, options: Any, cut_off: set[Place]) -> set[Place]:
    """Section 7; the own places where units starved."""
    purse, starved = nations[name], set()
    food = purse["food"]
    for place, row in cells.items():
        if row["owner"] == name and (terrain[place] != "~" or options["sea_ownership"]):
            bears = YIELDS[terrain[place]]
            purse["gold"] += bears[1]
            purse["wood"] += bears[2]
            food += 0 if place in cut_off else bears[0]
    for place in cut_off:
        while cells[place]["owner"] == name and _need(cells[place], name) > YIELDS[terrain[place]][0]:
            _disband(cells[place], name)
            starved.add(place)
    places = sorted((place for place in cells if place not in cut_off), key=lambda place: (place[1], place[0]))
    while sum(_need(cells[place], name) for place in places) > food:
        hungry = [place for place in places if _need(cells[place], name)]
        food_there = [YIELDS[terrain[place]][0] if terrain[place] != "~" else 0 for place in hungry]
        gaps = [_need(cells[place], name) - here for place, here in zip(hungry, food_there, strict=True)]
        worst = hungry[gaps.index(max(gaps))]
        _disband(cells[worst], name)
        starved.add(worst)
    left = food - sum(_need(cells[place], name) for place in places)
    purse["food"] = left if options["storage_food"] is None else min(left, options["storage_food"])
    return {place for place in starved if cells[place]["owner"] == name}


def _need(row: Any, name: str) -> int:
    return sum(row["units"].get(name, {}).get(kind, 0) for kind in EATERS)


def _disband(row: Any, name: str) -> None:
    units = row["units"][name]
    kind = next(kind for kind in EATERS if units.get(kind))
    units[kind] -= 1
    if not units[kind]:
        del units[kind]
    if not units:
        del row["units"][name]


def _loyalty(cells: Any, terrain: Any, options: Any, starved: set[Place], dice: Any) -> None:
    """Section 9; rulings K-46, K-70."""
    for place, row in cells.items():
        owner, heir = row["owner"], row.get("loyal_to")
        if owner is None or owner == heir:
            continue
        held = any(row["units"].get(owner, {}).get(kind) for kind in ("S" if terrain[place] == "~" else "FBHCG"))
        held = held or (terrain[place] == "~" and bool(row["units"].get(owner)))
        if not held and place not in starved:
            units = row["units"].pop(owner, {})
            row["owner"] = row["loyal_to"] = None if heir == DEAD else heir
            if options["capture"] and heir != DEAD and units:
                mine = row["units"].setdefault(heir, {})
                for kind, amount in units.items():
                    mine[kind] = mine.get(kind, 0) + amount
    for (x, y), row in cells.items():
        if row["owner"] is not None and row["owner"] != row.get("loyal_to") and dice[f"loyalty/{x},{y}"][0] <= 20:
            row["loyal_to"] = row["owner"]


# Orders for the absent: rules 10, rulings K-47 to K-50, K-58

HITS = {"F": 35, "B": 45, "H": 50, "C": 45, "G": 50}
PRICES = {"F": (6, 0), "B": (6, 0), "H": (12, 0), "C": (12, 0), "G": (0, 0), "S": (0, 10)}
LIST = "FBHCGS"
KEYWORDS = {"F": "FO", "B": "BO", "H": "HO", "C": "CA", "G": "GE", "S": "SH"}
TURNED = [(1, 0), (0, -1), (-1, 0), (0, 1)]


class Given(Streams):
    """Streams of given numbers, each taken round dice of whatever sides."""

    def __init__(self, rows: dict[str, list[int]]) -> None:
        super().__init__(Dice("given"))
        self.rows = rows

    def roll(self, stream: str, *, sides: int, purpose: Phrase | None = None) -> int:
        return (self.rows[stream].pop(0) - 1) % sides + 1


@pytest.mark.parametrize("number", range(80))
def test_server_writes_what_the_page_says(number: int) -> None:
    chance = random.Random(f"absent {number}")
    document = position(chance)
    for row in document["state"]["nations"]:
        row |= {"gold": chance.choice((0, 6, 12, 30)), "wood": chance.choice((0, 10)), "credits": chance.choice((0, 1))}
    rolls = {name: [chance.randint(1, 30) for _ in range(200)] for name in NATIONS}
    state = RULES.play.load(document)
    turn = Turn.open(state, {}, Given({f"nmr/{name}": list(row) for name, row in rolls.items()}))
    open_turn(turn)
    write_orders(turn)
    for name in NATIONS:
        written = [line.canonical for line in turn.sheets[PowerId(name)]]
        assert written == _absent(document, name, rolls[name]), name


def _absent(document: Document, name: str, rolls: list[int]) -> list[str]:
    """The lines for a nation."""
    options, state = document["options"], document["state"]
    cells = {(row["x"], row["y"]): row for row in state["provinces"]}
    nations = {row["name"]: row for row in state["nations"]}
    terrain = {(x, y): letter for y, row in enumerate(state["map"]) for x, letter in enumerate(row)}
    purse = dict(nations[name])
    left = iter(rolls)
    own = [place for place, row in cells.items() if row["owner"] == name and terrain[place] != "~"]
    own.sort(key=lambda place: (-YIELDS[terrain[place]][1], place[1], place[0]))
    lines: list[str] = []
    for place in _spiral(own[0]) if own else ():
        if place not in own:
            continue
        enemies = [
            (way, near)
            for way, near in zip("NSEW", _beside(place), strict=True)
            if near in cells
            and terrain[near] != "~"
            and cells[near]["owner"] not in (None, name)
            and not nations[name]["status"].get(cells[near]["owner"], 0)
        ]
        if not enemies:
            continue
        way, target = enemies[0]
        x, y = place
        units = cells[place]["units"].get(name, {})
        is_isolated = _is_isolated(place, cells, terrain, nations, options)
        lines.append(f"DEF {x} {y} {_tactic(left)}")
        if not is_isolated:
            is_coast = any(terrain.get(near) == "~" for near in _beside(place))
            is_loyal = not options["loyalty"] or cells[place].get("loyal_to") == name
            for _ in range(3):
                kind = LIST[(next(left) - 1) % 6]
                gold, wood = PRICES[kind]
                fits = (kind != "S" or is_coast) and not (kind in "CG" and units.get(kind))
                pays = purse["gold"] >= gold and purse["wood"] >= wood and (kind != "G" or purse["credits"])
                if is_loyal and fits and pays:
                    purse["gold"] -= gold
                    purse["wood"] -= wood
                    purse["credits"] -= kind == "G"
                    lines.append(f"PLA {x} {y} {KEYWORDS[kind]}")
                    break
        if is_isolated and not units.get("G"):
            continue
        there = cells[target]["units"].get(cells[target]["owner"], {})
        if any(units.get(kind) for kind in "FBHG") and _hits(units) >= 2 * _hits(there):
            lines.append(f"LAND {x} {y} {_tactic(left)} AT {way}")
    return lines


def _tactic(left: Any) -> str:
    return "FPTUC"[(next(left) - 1) % 5]


def _hits(units: dict[str, int]) -> int:
    return sum(HITS.get(kind, 0) * amount for kind, amount in units.items())


def _spiral(start: Place) -> list[Place]:
    """E, N, W, W, S, S, E, E, E, N …"""
    x, y = start
    found, length, turn = [start], 1, 0
    while length < 2 * (WIDTH + HEIGHT):
        for _ in range(2):
            for _ in range(length):
                x, y = x + TURNED[turn % 4][0], y + TURNED[turn % 4][1]
                found.append((x, y))
            turn += 1
        length += 1
    return found
