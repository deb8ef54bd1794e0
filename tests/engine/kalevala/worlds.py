"""Worlds made up at random, with all that the map of a variant has too little of.

Stroms that divide own land, parts of several rulers, works on every edge and bank, craft, wagons, other planes, scouts'
rows of all sorts. Nothing of them is likely; all of it can be typed by hand.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from engine.kalevala.coordinates import Province, gf_of, neighbours_of
from engine.kalevala.document import load
from engine.kalevala.figures import parse_figures, warriors
from engine.kalevala.land import divided, land_of
from engine.kalevala.model import State
from engine.kalevala.tables import TERRAIN
from engine.lattice.great_fields import Side

RULERS = ("anna", "bert", "carl")
FIELDS = ("2D+4", "2D+5", "2E+4", "2E+5", "2C+5", "2C+6", "2D+6", "2E+3", "2D+3")
STROMS = (
    (2, 7, 13, 20, 27, 34, 40, 45),
    (23, 24, 25, 26, 27, 28, 29, 30),
    (4, 8, 13, 19, 26, 32, 38, 44),
    (19, 20, 26, 27, 28, 34, 33),
)
LETTERS = "TTTTTTtHhBSMD"
FIGURES = (
    "3L",
    "9L",
    "2LB",
    "1AC",
    "4B",
    "2IP",
    "4L 4IP",
    "1El",
    "2On",
    "2Le",
    "1Bt",
    "QuW/3",
    "1FS",
    "Z/30",
    "4RE",
    "30RE",
    "60RE",
    "1K",
)


def a_world(chance: random.Random, part: int) -> State:
    """A position of three rulers on nine great fields."""
    gf = {name: _field(chance) for name in FIELDS}
    provinces = [each for name in FIELDS for each in _provinces(name, gf[name]["kf"])]
    owners = {each: chance.choices(RULERS, (6, 2, 2))[0] for each in provinces if chance.random() < 0.7}
    stacks: dict[str, dict[str, str]] = {ruler: {} for ruler in RULERS}
    for province in provinces:
        if chance.random() < 0.75:
            ruler = owners.get(province, chance.choice(RULERS))
            ruler = ruler if chance.random() < 0.85 else chance.choice(RULERS)
            main = chance.choice(("2L 2IP", "4L 4IP 60RE", "6L 2IP 1El 60RE"))
            stacks[ruler][province] = " ".join((main, *chance.sample(FIGURES, chance.randint(1, 5)))).strip()
    if chance.random() < 0.3:
        _divide_by_a_strom(gf, owners, stacks)
        provinces = [each for name in FIELDS for each in _provinces(name, gf[name]["kf"])]
    document: dict[str, Any] = {
        # No piece is lost on the way, which no receipt could know.
        "dice": {f"cross/{ruler}": [18] * 200 for ruler in RULERS},
        "system": "kalevala",
        "seed": str(chance.random()),
        "phase": {"gr": chance.randint(1, 4), "part": part},
        "state": {
            "rulers": {ruler: {"goods": ["El", "On"]} for ruler in RULERS},
            "gf": gf,
            "owners": owners,
            "stacks": with_a_wizard_each(stacks),
            "known": {ruler: [each for each in provinces if chance.random() < 0.2] for ruler in RULERS},
            "permits": list(_permits(chance, owners)),
            "newly": {ruler: _newly(chance, owners, ruler) for ruler in RULERS},
        },
    }
    if part == 3:
        document["state"]["explored"] = {
            ruler: list(_rows(chance, load(document), ruler, stacks[ruler])) for ruler in RULERS
        }
        document["state"]["used"] = {ruler: [1] for ruler in RULERS}
    return load(document)


def with_a_wizard_each(stacks: dict[str, dict[str, str]]) -> dict[str, dict[str, str]]:
    """The stacks with only the first wizard of each ruler. Source: R-051"""
    for own in stacks.values():
        for place in [place for place, text in own.items() if "Z/" in text][1:]:
            own[place] = " ".join(item for item in own[place].split() if not item.startswith("Z/"))
    return stacks


def _divide_by_a_strom(gf: dict[str, Any], owners: dict[str, str], stacks: dict[str, dict[str, str]]) -> None:
    """Good land on this side of a strom, and bad land of another ruler beyond it; riders stand ready."""
    plain = {"kf": "T" * 48}
    gf |= {"2D+4": plain, "2D+5": plain, "2E+4": {"kf": "TWBBTTWBBTTTWBBTTTTWBBTBBBWBBBTTTWBBBTTWBBBTWBBB"}}
    for places in (owners, *stacks.values()):
        for place in [each for each in places if gf_of(Province(each)) in ("2D+4", "2D+5", "2E+4")]:
            del places[place]
    owners |= {"2D+4": "anna", "2D+5": "anna", "2E+4/1": "anna", "2E+4/2": "bert"}
    stacks["anna"]["2E+4/1"] = "4L 4IP"


def _field(chance: random.Random) -> dict[str, Any]:
    base = chance.choice(LETTERS)
    cells = [base if chance.random() < 0.8 else chance.choice(LETTERS) for _ in range(48)]
    if chance.random() < 0.6:
        barrier = chance.choice("WWWGQ")
        for cell in chance.choice(STROMS):
            cells[cell - 1] = barrier
        for part in divided("".join(cells), None).values():
            ground = chance.choice("TTB")
            for cell in part:
                cells[cell - 1] = ground if chance.random() < 0.8 else chance.choice(LETTERS)
    row: dict[str, Any] = {"kf": "".join(cells), "road": chance.random() < 0.2}
    row["river"] = [_edge(chance) for _ in range(chance.randint(0, 20))]
    row["ascent"] = [_edge(chance) for _ in range(chance.randint(0, 9))]
    if chance.random() < 0.7:
        row["hz"] = {"type": chance.choice(("F", "Mkt", "Std", "Phstd", "Hstd")), "kf": chance.choice((19, 22, 30))}
    row["works"] = [work for _ in range(chance.randint(0, 16)) for work in (_work(chance, cells),) if work]
    return row


def _edge(chance: random.Random) -> str:
    return f"{chance.randint(1, 48)}/{chance.choice(list(Side)).name}"


def _work(chance: random.Random, cells: list[str]) -> dict[str, Any]:
    kind = chance.choice(("Ma", "Ma", "Ma", "Br", "Tu", "BF", "Fu", "BR"))
    hits = chance.choice((0, 0, 1, 2, 3, 4))
    if kind in ("Ma", "Br"):
        return {"type": kind, "edge": _edge(chance)}
    cell = chance.randint(1, 48)
    if kind == "BR":
        waters = [each for each in range(2, 48) if cells[each - 1] in "WQ"]
        if not waters:
            return {}
        cell = chance.choice(waters)
        return {"type": "BR", "kf": cell, "banks": [cell - 1, cell + 1], "hits": hits}
    return {"type": kind, "kf": cell, "hits": hits, "damaged": 3 if hits else 0}


def _provinces(name: str, cells: str) -> list[str]:
    parts = divided(cells, None)
    has_land = any(TERRAIN[letter].is_land for letter in cells)
    return [f"{name}/{number}" for number in parts] if len(parts) > 1 and has_land else [name]


def _permits(chance: random.Random, owners: dict[str, str]) -> Iterator[dict[str, Any]]:
    for giver in RULERS:
        for guest in RULERS:
            own = [province for province, owner in owners.items() if owner == giver]
            if giver != guest and own and chance.random() < 0.5:
                yield {"of": giver, "to": guest, "gf": chance.choice((*own[:3], "ALL")), "until": 9}


def _newly(chance: random.Random, owners: dict[str, str], ruler: str) -> dict[str, int]:
    return {each: 1 for each, owner in owners.items() if owner == ruler and chance.random() < 0.1}


def _rows(chance: random.Random, state: State, ruler: str, stacks: dict[str, str]) -> Iterator[dict[str, Any]]:
    """Two to five explorations from where warriors stand, some of them into the same land, some chained."""
    land = land_of(state)
    sources = [each for each, text in stacks.items() if warriors(parse_figures(text) or {})]
    targets: list[str] = []
    for ee in range(2, chance.randint(3, 6)):
        start = chance.choice([*sources, *targets]) if sources else None
        around = [] if start is None else [*neighbours_of(gf_of(Province(start)))]
        near = [each for gf in around if land.exists(gf) for each in land.provinces(gf)]
        again = [each for each in near if each in targets]
        if near:
            target = chance.choice(again if again and chance.random() < 0.6 else near)
            targets.append(target)
            yield {"ee": ee, "from": start, "to": target, "result": chance.choice(("full", "full", "full", "none"))}


def a_sheet(state: State, ruler: str, chance: random.Random) -> str:
    """Lines that try everything near, whether or not it is the ruler's."""
    return "\n".join(_orders(state, ruler, chance) if state.part == 1 else _deeds(state, ruler, chance))


def _orders(state: State, ruler: str, chance: random.Random) -> Iterator[str]:
    land = land_of(state)
    everywhere = [each for gf in state.land for each in land.provinces(gf)]
    own = [each for each in everywhere if state.owners.get(each) == ruler] or everywhere
    here = list(state.stacks.get(ruler, {})) or own  # type: ignore[call-overload]
    held = [each for each in own if warriors(state.stack(ruler, each))] or own  # type: ignore[arg-type]
    for start in here:
        # Riders out of a divided field, who go far where the land is good.
        ways = [(a, b) for a in land.links(start) for b in land.links(a) if {a, b} <= {*own} and b != start]
        if "IP" in state.stack(ruler, start) and ways:  # type: ignore[arg-type]
            yield f"MOVE 1L 1IP {' > '.join((start, *chance.choice(ways)))}"
        if "El" in state.stack(ruler, start) and ways:  # type: ignore[arg-type]
            yield f"MOVE 1L 1El {start} > {chance.choice(ways)[0]}"
    for _ in range(25):
        at = chance.choice(held if chance.random() < 0.8 else own)
        near = [Province(gf) for gf in (gf_of(at), *neighbours_of(gf_of(at)))]
        parts = [each for gf in near if land.exists(gf_of(gf)) for each in land.provinces(gf_of(gf))]
        field = state.land[gf_of(at)]
        there = [*field.rivers, *field.ascents, *(work.edge for work in field.works if work.edge is not None)]
        edge = str(chance.choice(sorted(there))) if there and chance.random() < 0.6 else _edge(chance)
        cell = int(edge.partition("/")[0])
        match chance.randint(0, 9):
            case 0:
                yield f"BUILD {at} {chance.choice(('Ma', 'Br'))} EDGE {edge}"
            case 1:
                waters = [each for each in range(2, 48) if field.cells[each - 1] in "WQG"]
                cell = chance.choice(waters) if waters else cell
                yield f"BUILD {at} BR KF {cell} BANKS {max(1, cell - 1)},{min(48, cell + 1)}"
            case 2:
                yield f"{chance.choice(('TEAR', 'REPAIR'))} {at} {chance.choice(('Ma', 'Br'))} EDGE {edge}"
            case 3:
                yield f"BUILD {at} Tu KF {cell} GATE {cell}/{chance.choice(list(Side)).name}"
            case 4:
                yield f"CONVERT {at} {chance.choice(('1FS', '1FS', '1FS', '1L', '1AC', '1El', '1RD'))}"
            case 5 | 6:
                start = chance.choice(here)
                stack = state.stack(ruler, Province(start))  # type: ignore[arg-type]
                going = {item: chance.randint(1, count) for item, count in stack.items() if chance.random() < 0.6}
                going = {item: min(count, 10) for item, count in going.items() if "/" not in item and item != "FS"}
                text = " ".join(f"{count}{item}" for item, count in going.items()) or "1L"
                text = chance.choice((text, "1L 1IP"))
                way = [start]
                for _ in range(chance.randint(1, 3)):
                    likely = [each for each in land.links(Province(way[-1])) if each in own]
                    way.append(chance.choice(likely if likely and chance.random() < 0.7 else [*parts, *near]))
                yield f"MOVE {text} {' > '.join(way)}"
            case 7 | 8:
                source = chance.choice([*held, *held, *parts])
                near = [Province(gf) for gf in (gf_of(source), *neighbours_of(gf_of(source)))]
                parts = [each for gf in near if land.exists(gf_of(gf)) for each in land.provinces(gf_of(gf))]
                yield f"EXPLORE {chance.randint(1, 6)} {source} > {chance.choice([*parts, *near])}"
            case _:
                yield f"WATCH {at} {chance.randint(1, 4)}"


def _deeds(state: State, ruler: str, chance: random.Random) -> Iterator[str]:
    ees = [2, 3, 4, 5, 6]
    for row in state.explored.get(ruler, ()) * 2:  # type: ignore[call-overload]
        stack = dict(state.stack(ruler, row.source))  # type: ignore[arg-type]
        if not stack or chance.random() < 0.3:
            stack = dict(parse_figures(chance.choice(("1L", "2L", "3L 4RE", "5L"))) or {})
        going = {item: chance.randint(1, count) for item, count in stack.items() if "/" not in item}
        text = " ".join(f"{count}{item}" for item, count in going.items()) or "1L"
        losses = f" LOSS {chance.randint(1, 4)}RE" if "RE" in going and chance.random() < 0.3 else ""
        owner = state.owners.get(row.target)
        kind = "K" if row.result != "full" else "E" if owner == ruler else "B" if owner is None else chance.choice("EK")
        yield f"ENTER {chance.choice(ees)} {row.source} {kind} {row.target} {text}{losses}"
