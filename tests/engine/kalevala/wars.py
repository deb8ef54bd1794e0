"""Battles made up at random: worlds of three rulers, wars against all, plans of any kind.

    nice -n 15 python -m tests.engine.kalevala.wars --worlds 200
    nice -n 15 python -m tests.engine.kalevala.wars --sieges --worlds 200
    nice -n 15 python -m tests.engine.kalevala.wars --fleets --worlds 200
    nice -n 15 python -m tests.engine.kalevala.wars --priests --worlds 200
    nice -n 15 python -m tests.engine.kalevala.wars --artefacts --worlds 200
    nice -n 15 python -m tests.engine.kalevala.wars --tangles --worlds 200
    nice -n 15 python -m tests.engine.kalevala.wars --medleys --worlds 50
    nice -n 15 python -m tests.engine.kalevala.wars --harbours --worlds 50

plays windows of deeds (medleys and harbours: five windows, of orders too), and says what went wrong: nothing may raise,
books balance, receipts and results refuse the same lines, the same sheets come to the same end when they are read back,
and who was on no site is shown nothing of it: neither the battle, nor, where the dice of battles fall otherwise,
anything else.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.core.dice import Dice
from engine.core.events import visible_events
from engine.core.ids import PowerId
from engine.core.outcome import Outcome
from engine.core.play import Resolution
from engine.core.reading import read_orders
from engine.core.viewer import Playing
from engine.kalevala import rounds
from engine.kalevala.agents.facts import agents_in
from engine.kalevala.battle.kinds import CREWS
from engine.kalevala.battle.wonders import WONDERS
from engine.kalevala.caravans.facts import caravans_in
from engine.kalevala.coordinates import GfId, Province, gf_of
from engine.kalevala.document import load
from engine.kalevala.figures import format_figures, plus
from engine.kalevala.gods.facts import ABILITIES
from engine.kalevala.land import land_of
from engine.kalevala.model import DEEDS_PART, FULL, ORDERS_PART, Explored, Permit, State
from engine.kalevala.orders import Line
from engine.kalevala.sea import waters
from engine.kalevala.system import KALEVALA as RULES
from engine.kalevala.system import seen_document
from engine.kalevala.tables import BUILDINGS, DRAGON
from engine.kalevala.view import view
from engine.kalevala.wizards.spells import SPELLS, Meant
from engine.kalevala.writing import dump
from tests.engine.kalevala.worlds import a_world, with_a_wizard_each
from tests.random_kalevala import audit_sheets, consecrated, prayer_lines, wild_sheet

_AIMS = (
    "KILL",
    "TAKE HZ",
    "TAKE KF 20",
    "HOLD",
    "GUARD",
    "GUARD 19",
    "SHOOT",
    "STORM",
    "SIEGE",
    "RESERVE 3",
    "AVOID",
    "RAM",
)


WINDOWS = 5
"""How many windows of medleys are played in each world."""
_WONDERS = sorted(WONDERS.keys() & ABILITIES.keys())


def a_war(chance: random.Random, *, has_priests: bool = False) -> State:
    """A window of deeds in which everybody has explored neighbours, and some are let in."""
    state = a_world(chance, DEEDS_PART)
    if has_priests:
        state = consecrated(state, random.Random(state.seed))
    land = land_of(state)
    explored: dict[PowerId, tuple[Explored, ...]] = {}
    permits = []
    for ruler in state.rulers:
        rows = []
        for source in state.stacks.get(ruler, {}):
            others = [other for other in land.links(source) if state.owners.get(other) not in (None, ruler)]
            rows += [Explored(1, source, target, FULL) for target in others]
        chosen = chance.sample(rows, min(3, len(rows)))
        explored[ruler] = tuple(replace(row, ee=number) for number, row in enumerate(chosen, 1))
        rivals = [other for other in state.rulers if other != ruler]
        if chance.random() < 0.4:
            permits.append(Permit(ruler, chance.choice(rivals), None, state.gr + 2))
    return load(dump(state.replace(explored=explored, used={}, permits=tuple(permits))))


def a_crusade(chance: random.Random) -> State:
    """A war with priests and temples everywhere, and gods to be called."""
    state = a_war(chance, has_priests=True)
    gods = {
        ruler: {
            "oeh": 100 + 150 * seat,
            "seat": seat,
            "at": seat,
            "abilities": ["STRENGTHEN"] if seat > 1 else [],
            "weak": {"gf": next(iter(state.owned(ruler)), "2D+4"), "kf": 10 + seat},
        }
        for seat, ruler in enumerate(state.rulers, 1)
    }
    rulers = {ruler: replace(each, god=gods[ruler]) for ruler, each in state.rulers.items()}
    return load(dump(state.replace(rulers=rulers)))


def a_war_of_spies(chance: random.Random) -> State:
    """A war in which everybody has agents with companions where he fights."""
    state = a_war(chance)
    agents = []
    for ruler in state.rulers:
        places = [row.target for row in state.explored.get(ruler, ())] + list(state.stacks.get(ruler, {}))
        for number, place in enumerate(chance.sample(places, min(3, len(places))), 1):
            group = chance.choice(("", "2L 1B", "1LC 1IP", "3B", "1L"))
            row = {"ruler": ruler, "n": number, "at": place, "group": group, "re": 20}
            agents.append({**row, "scouted": chance.random() < 0.7, "exposed": chance.random() < 0.2})
    return load(dump(state.replace(modules={**state.modules, "agents": agents})))


def a_war_for_artefacts(chance: random.Random) -> State:
    """A war in which everybody has two artefacts, wizards bear some, and one lies in somebody's land."""
    state = a_war(chance)
    rows: list[dict[str, Any]] = []
    for ruler in state.rulers:
        places = [*state.stacks.get(ruler, {})]
        for place in chance.choices(places, k=2) if places else ():
            name, bearer = f"Thing {len(rows)}", chance.choice(("", "Z", "L"))
            rows.append({"name": name, "at": place, "holder": ruler, "gp": chance.randint(1, 5), "bearer": bearer})
    rows.append({"name": "Lost", "at": chance.choice([*state.owners] or ["2D+4"]), "kf": chance.randint(1, 48)})
    return load(dump(state.replace(modules={**state.modules, "things": rows})))


def a_tangle(chance: random.Random) -> State:
    """A war at a portal, with merchants everywhere, caravans, agents and kings: all who take from the same stacks."""
    document = dump(a_war_of_spies(chance))
    state = document["state"]
    state["gf"]["2D+4"]["portal"], state["gf"]["1D+4"] = "1D+4", {"portal": "2D+4"}
    site = load(document)
    document["options"] = dict.fromkeys(("agents", "merchants", "planes", "king", "sea"), True)
    state["portals"] = [{"ruler": "anna", "at": land_of(site).provinces(GfId("2D+4"))[0], "to": "1D+4", "whole": True}]
    state["caravans"] = []
    for ruler in site.rulers:
        stacks, gate = state["stacks"].setdefault(ruler, {}), state["portals"][0]["at"]
        stacks[gate] = f"{stacks.get(gate, '')} 3L 1On 1K 30RE{' My/90' if ruler == 'anna' else ''}"
        for place in stacks:
            if chance.random() < 0.5:
                stacks[place] += chance.choice((" 2K 3On", " 1K 20RE", " 1LS[2L 1K 5RE]", " 1Ag", " 4Sl 1Le"))
        if chance.random() < 0.7:
            at, load_ = chance.choice([*stacks]), chance.choice(("1K 3On 20RE", "1K 2L 5IP", "2K 1Sk 1L 9RE"))
            state["caravans"].append({"ruler": ruler, "n": 1, "at": at, "kind": "KW", "load": load_})
        if chance.random() < 0.5:
            kind, seat = chance.choice(("Kr", "Ag", "Pr")), chance.choice([*stacks])
            lives = chance.randint(2, 4)
            stacks[seat] += f" 1{kind}Kö/{lives}/60"
            king = {"type": kind, "lives": lives, "power": 60, "at": seat, "weakness": "greed"}
            state["rulers"][ruler]["king"] = king
    state["rulers"]["wolves"] = {"kind": "marauder"}  # as in every game: nobody else is told of new ones
    rows = state.setdefault("explored", {}).setdefault("anna", [])
    rows.append({"ee": 3, "from": state["portals"][0]["at"], "to": "1D+4"})
    return load(document)


def a_tangled_sheet(state: State, ruler: PowerId, chance: random.Random) -> str:
    """Trade, attacks, letters, a vortex and deeds of agents that all want the same figures and RE, in any order."""
    seen, others = view(state, Playing(ruler)).state, [other for other in state.rulers if other != ruler]
    lines = (wild_sheet(state, ruler, chance) or "PASS").split("\n")
    lines += [line for who, line in _trades(state) if who == ruler]
    for row in seen.explored.get(ruler, ()):
        going = {item: count for item, count in seen.stack(ruler, row.source).items() if item not in ("FS", "My/90")}
        whole = format_figures(going)
        lines.append(f"ENTER {chance.randint(1, 6)} {row.source} {chance.choice('EBKK')} {row.target} {whole}")
    lines += [f'EXPRESS {chance.choice(others)} "Hail!"' for _ in range(chance.randint(0, 3))]
    lines += [f"VORTEX {chance.choice(others)} 2D+4 > 1D+4 {chance.choice(('2L', '1On', '1L 1IP', '1On 1LB'))}"]
    lines += [f"SEIZE {place}" for place in chance.sample([*state.owners], min(3, len(state.owners)))]
    lines += [f"{chance.choice(('WAR', 'ALLY'))} {other}" for other in others]
    chance.shuffle(lines)
    attacked = {row.source: [row.target] for row in seen.explored.get(ruler, ())}
    for place in seen.stacks.get(ruler, {}):
        if chance.random() < 0.5:
            lines += _a_plan(seen, ruler, place, attacked.get(place, []), chance)
    return "\n".join(lines)


def _trades(state: State) -> Iterator[tuple[PowerId, str]]:
    """Both sides of deeds in which everything that can be traded goes, the same whichever ruler's sheet asks."""
    chance = random.Random(f"trades of {state.seed}")
    for giver in state.rulers:
        for taker in state.rulers:
            both = [at for at in state.stacks.get(giver, {}) if at in state.stacks.get(taker, {})]
            if giver == taker or not both:
                continue
            at, sides = chance.choice(both), []
            for ruler in (giver, taker):
                goods = {item: min(n, 30) for item, n in state.stack(ruler, at).items() if item in ("On", "IP", "RE")}
                sides.append(format_figures({item: n for item, n in goods.items() if chance.random() < 0.7}))
            given, paid = sides
            if given or paid:
                price, gift = (f" FOR {text}" if text else "" for text in (paid, given))
                yield giver, f"HANDOVER {given or 'NOTHING'} AT {at} TO {taker}{price}"
                yield taker, f"HANDOVER {paid or 'NOTHING'} AT {at} TO {giver}{gift}"


def a_harbour(chance: random.Random) -> State:
    """A war at sea with merchants, priests, slaves and wizards aboard, caravans ashore and afloat, and agents."""
    document = dump(a_sea_war(chance))
    state = document["state"]
    land, stacks = land_of(load(document)), state["stacks"]
    document["options"] = dict.fromkeys(("agents", "merchants", "slaves", "priests", "king", "sea"), True)
    state["caravans"], state["agents"], state["seas"], state["permits"] = [], [], {}, []
    for ruler in state["rulers"]:
        state["rulers"][ruler]["goods"] = ["IP", "On"]
        own, others = stacks.setdefault(ruler, {}), [other for other in state["rulers"] if other != ruler]
        for place in own:
            is_sea = land.is_sea(Province(place))
            if chance.random() < 0.5:
                own[place] += chance.choice(
                    (" LS[1L 1K 5RE]", " SS[2L 1Sk]", " 2FS[1L 1Sl]", " LS[1K]", " LS[1L 1Pr/20]")
                )
            if not is_sea and chance.random() < 0.7:
                own[place] += chance.choice((" 2K 3On 20RE", " 1K 20RE 2IP", " 1Ag 9RE", " 6Sl 2L", " FS", " SS 2K"))
            number = 1 + sum(row["ruler"] == ruler for row in state["caravans"])
            if chance.random() < 0.3 and number <= 2:
                afloat, ashore = ("1K 1L 2LS 9RE 3On", "1K 1SS 1Sk 2L", "1K 1FS 2IP"), ("1K 3On 20RE", "1K 2L 5IP")
                row = {"ruler": ruler, "n": number, "at": place, "kind": "KW"}
                state["caravans"].append({**row, "load": chance.choice(afloat if is_sea else afloat + ashore)})
        seen = [place for other in others for place in stacks.get(other, {})]
        coasts = [place for place in seen if not land.is_sea(Province(place))]
        for number, place in enumerate(chance.sample(coasts, min(2, len(coasts))), 1):
            row = {"ruler": ruler, "n": number, "at": place, "group": chance.choice(("", "1L", "1K")), "re": 25}
            state["agents"].append({**row, "scouted": chance.random() < 0.7})
        state["seas"][ruler] = [place for place in seen if place not in coasts and chance.random() < 0.6]
        state["permits"].append({"of": ruler, "to": chance.choice(others), "gf": "ALL", "until": 9})
    state["stacks"] = with_a_wizard_each(stacks)
    state["rulers"]["wolves"] = {"kind": "marauder"}
    return load(document)


def a_medley(state: State, ruler: PowerId, chance: random.Random) -> str:
    """All that can be ordered in either window, bargains, letters, oaths and attacks, in any order, with plans."""
    seen, others = view(state, Playing(ruler)).state, [other for other in state.rulers if other != ruler]
    lines = (wild_sheet(state, ruler, chance) or "PASS").split("\n")
    lines += _offered(state, ruler, chance)
    lines += [line for who, line in _trades(state) if who == ruler]
    lines += [f'EXPRESS {chance.choice(others)} "Hail!"' for _ in range(chance.randint(0, 3))]
    if state.part == ORDERS_PART:
        chance.shuffle(lines)
        return "\n".join(lines)
    lines += [f"{chance.choice(('WAR', 'ALLY', 'PEACE'))} {other}" for other in others]
    places = [*seen.stacks.get(ruler, {})]
    lines += [f"SEIZE {place}" for place in chance.sample(places, min(2, len(places)))]
    attacked: dict[Province, list[Province]] = {}
    for row in seen.explored.get(ruler, ()):
        stack = seen.stack(ruler, row.source)
        fleet = {item: count for item, count in stack.items() if "[" in item or (item[0] == "Z" and len(stack) > 1)}
        going = format_figures(chance.choice((fleet, stack)) or stack)
        lines.append(f"ENTER {chance.randint(1, 6)} {row.source} {chance.choice('EBKK')} {row.target} {going}")
        attacked.setdefault(row.source, []).append(row.target)
    chance.shuffle(lines)
    for place in places:
        if chance.random() < 0.3:
            lines += _a_plan(seen, ruler, place, attacked.get(place, []), chance)
    return "\n".join(lines)


def _offered(state: State, ruler: PowerId, chance: random.Random) -> list[str]:
    """A few lines of each sort of those that the menus offer."""
    sorts: dict[str, list[str]] = defaultdict(list)
    for offers in RULES.orders.legal(RULES.sight.view(state, Playing(ruler))).values():
        for line in offers:
            words = str(line.order).split()
            sorts[" ".join(words[:3:2] if words[0] in ("CARAVAN", "AGENT") else words[:1])].append(str(line.order))
    return [text for texts in sorts.values() for text in chance.sample(texts, min(len(texts), chance.randint(0, 3)))]


def a_war_of_gods(chance: random.Random) -> State:
    """A crusade in which gods come who know much, with dragons here and there."""
    state = a_crusade(chance)
    able = sorted(WONDERS.keys() & ABILITIES.keys())
    rulers = {
        ruler: replace(each, god={**(each.god or {}), "abilities": chance.sample(able, 3), "stay": 5, "oeh": 2500})
        for ruler, each in state.rulers.items()
    }
    stacks = {
        ruler: {
            place: plus(figures, {DRAGON: 1}) if chance.random() < 0.3 else figures for place, figures in rows.items()
        }
        for ruler, rows in state.stacks.items()
    }
    return load(dump(state.replace(rulers=rulers, stacks=stacks)))


def a_siege(chance: random.Random) -> State:
    """Bert's castle, with walls about it, attacked by anna with gear of all kinds; carl looks on from next door."""
    land = "".join(chance.choice("TTTTTTTTtHhS") for _ in range(48))
    centre = chance.randint(6, 43)
    cells = [centre, *chance.sample(range(1, 49), 2), centre + 1]
    works: list[dict[str, Any]] = [
        {"type": kind, "kf": cell, "hits": chance.choice((0, 0, 4, 9))}
        for cell, kind in zip(dict.fromkeys(cells), chance.choices(("Tu", "Tu", "Bf", "BF", "Tt"), k=4), strict=False)
        if cell == centre or chance.random() < 0.5
    ]
    for side in chance.sample(("E", "SE", "SW", "W", "NW", "NE"), 3):
        row = {"type": "Ma", "edge": f"{chance.randint(1, 48)}/{side}", "gate": chance.random() < 0.5}
        works.append(row)
    gear = " ".join(
        f"{chance.randint(1, 3)}{code}" for code in ("Le", "Se", "Wi", "Bt", "Sk", "On") if chance.random() < 0.5
    )
    beasts = chance.choice(("", "3IP", "2El", "4sP", "1QuW/3", "2QuW(2)", "1QuW/1 1QuW(4)"))
    attack = f"{chance.randint(4, 30)}{chance.choice(('L', 'LB', 'AC'))} {chance.randint(0, 8)}B {beasts} {gear} 5RE"
    document = {
        "system": "kalevala",
        "seed": f"{chance.random()}",
        "phase": {"gr": 2, "part": 3},
        "state": {
            "rulers": {"anna": {}, "bert": {}, "carl": {}},
            "gf": {"2D+5": {"kf": land, "hz": {"type": "Std", "kf": centre}, "works": works}},
            "owners": {"2D+4": "anna", "2D+5": "bert", "2E+5": "carl", "2C+6": "bert"},
            "stacks": {
                "anna": {"2D+4": attack},
                "bert": {"2D+5": f"{chance.randint(1, 12)}L {chance.randint(0, 8)}BB 1On 3RE", "2C+6": "3L"},
                "carl": {"2E+5": "3L"},
            },
            "explored": {"anna": [{"from": "2D+4", "to": "2D+5"}]},
        },
    }
    return load(document)


_COASTS = (
    "WWWW WWWWW WWWWWW WTTTTTT TTTTTTTT TTTTTTT TTTTTT TTTTT",
    "TTTT TTTTT TTTTTT TTTTTTT TTTTTTTT WWWWWWW WWWWWW WWWWW",
    "WWTT WWTTT WWTTTT WWTTTTW WWHHHTWW WWHHTTW WWTTTW WWTTW",
    "WWWW WWWWW WWWWWW WWWWWWW WWWWWWWW WWWWWWW WWWWWW WWWWW",
    "WTTW WTTTW WTTTTW WWTTTWW WWTTTTWW WWTTTTW WWWWWW WWWWW",
)


def _a_ship(chance: random.Random) -> str:
    hull, crew = chance.choice(("LS", "SS", "FS")), chance.choice(("L", "LB", "B", "AC"))
    return f"{hull}[{chance.randint(1, 3)}{crew}{chance.choice(('', '', ' 2RE', ' 1On', ' 1IP'))}]"


def a_sea_war(chance: random.Random) -> State:
    """Shores, islands and seas of three rulers with fleets, all of whom have looked across the water."""
    fields = ("2D+4", "2D+5", "2D+6", "2E+4", "2E+5", "2C+5", "2C+6")
    gf: dict[str, Any] = {name: {"kf": chance.choice(_COASTS)} for name in fields}
    rulers = ("anna", "bert", "carl")
    owners: dict[str, str] = {}
    stacks: dict[str, dict[str, str]] = {ruler: {} for ruler in rulers}
    land = land_of(load({"system": "kalevala", "state": {"gf": gf, "owners": {"2H+1": "anna"}}}))
    for name in fields:
        for place in land.provinces(GfId(name)):
            ruler = chance.choice(rulers)
            is_sea = land.is_sea(place)
            if not is_sea and chance.random() < 0.8:
                owners[place] = ruler
            ships = [_a_ship(chance) for _ in range(chance.randint(0, 3))]
            ashore = (
                ""
                if is_sea
                else f"{chance.randint(1, 9)}L {chance.randint(0, 4)}B 3RE {chance.choice(('', '1LS', 'Z/30'))}"
            )
            if ships or ashore:
                stacks[ruler][place] = f"{ashore} {' '.join(ships)}".strip()
    with_a_wizard_each(stacks)
    explored: dict[str, list[dict[str, Any]]] = {}
    for ruler in rulers:
        rows = [
            {"from": source, "to": target}
            for source in stacks[ruler]
            for name in fields
            for target in land.provinces(GfId(name))
            if target != source and owners.get(target) != ruler and waters.is_sailed(land, Province(source), target)
        ]
        explored[ruler] = [
            {"ee": number, **row} for number, row in enumerate(chance.sample(rows, min(3, len(rows))), 1)
        ]
    document = {
        "system": "kalevala",
        "seed": f"{chance.random()}",
        "phase": {"gr": 2, "part": 3},
        "state": {
            "rulers": {ruler: {} for ruler in rulers},
            "gf": gf,
            "owners": owners,
            "stacks": stacks,
            "explored": explored,
            "wars": [[chance.choice(rulers), chance.choice(rulers)]],
        },
    }
    return load(document)


def a_war_sheet(state: State, ruler: PowerId, chance: random.Random) -> str:
    """Attacks and plans."""
    seen = view(state, Playing(ruler)).state
    lines = []
    attacked: dict[Province, list[Province]] = {}
    for number, row in enumerate(seen.explored.get(ruler, ()), 4):
        stack = dict(seen.stack(ruler, row.source))
        going = {item: count if chance.random() < 0.6 else (count + 1) // 2 for item, count in stack.items()}
        fleet = {item: count for item, count in stack.items() if "[" in item}
        going = fleet if fleet and chance.random() < 0.9 else going
        going = {item: count for item, count in going.items() if count and item not in ("FS", "LS", "SS")}
        if going and chance.random() < 0.8:
            kind = chance.choice("KKKB" if fleet else "KKKE")
            side = chance.choice(list(state.rulers))
            rest = chance.choice(("", "", " JOIN", f" SIDE {side}" if side != ruler else ""))
            lines.append(f"ENTER {number} {row.source} {kind} {row.target} {format_figures(going)}{rest}")
            attacked.setdefault(row.source, []).append(row.target)
    for place in (*seen.stacks.get(ruler, {}),):
        if chance.random() < 0.6:
            lines += _a_plan(seen, ruler, place, attacked.get(place, []), chance)
    others = [other for other in state.rulers if other != ruler]
    lines += [f"ALLY {other}" for other in others if chance.random() < 0.4]
    for agent in agents_in(seen.modules):
        for what, most in (("SHOW", 3), ("HIDE", 8), ("LEAVE", 8)):
            if agent.ruler == ruler and chance.random() < (0.8 if what == "SHOW" else 0.3):
                lines.append(f"AGENT {agent.number} {what} KR {chance.randint(1, most)}")
    if seen.rulers[ruler].god is not None:
        able = (*seen.rulers[ruler].god.get("abilities", ()), "BASE")
        foes = [seen.owners[at] for at in (at for own in attacked.values() for at in own) if at in seen.owners]
        if foes and seen.rulers[ruler].god.get("stay"):
            at = next(iter(attacked.values()))[0]
            lines.append(f"GOD APPEAR {at} FOR {ruler} AGAINST {foes[0]} {','.join(('DUEL', *able))}")
        else:
            lines.append(f"GOD CALL {','.join(able)}")
    return "\n".join(lines) or "PASS"


def _a_plan(
    seen: State, ruler: PowerId, place: Province, attacked: list[Province], chance: random.Random
) -> Iterator[str]:
    yield f"BATTLE {place}" if attacked and chance.random() < 0.8 else f"DEFEND {place}"
    names = ["ALL"]
    for item, count in seen.stack(ruler, place).items():
        if chance.random() < 0.5:
            name = chance.choice(("left", "mid", "right"))
            names.append(name)
            yield f"PLACE {chance.randint(1, 48)} {min(count, chance.randint(1, 4))}{item.split('/')[0]} G {name}"
    works = seen.land[gf_of(place)].works if gf_of(place) in seen.land else ()
    buildings = [work for work in works if work.cell is not None and work.type in BUILDINGS]
    for work in buildings[:2]:
        yield f"PLACE {work.cell}{chance.choice(('', '+0', '+1'))} 1{chance.choice(['L', 'B', 'A'])}"
        for gate in work.gates[:1]:
            yield f"GATE {gate} {chance.choice(('OPEN', 'SHUT'))} KR {chance.randint(1, 12)}"
    if "On" in seen.stack(ruler, place) and chance.random() < 0.5:
        yield f"FIRE 1On KF {chance.randint(1, 48)}"
    for name in names:
        if chance.random() < 0.7:
            yield f"AIM {name} {chance.choice(_AIMS)}{chance.choice(('', ' UNTIL 4', ' FROM 2'))}"
    yield from (line for line in ("FLEE", "SLAVES", "PLUNDER GOODS", "RAZE", "PHALANX 19") if chance.random() < 0.3)
    if any(item.startswith("Z") for item in seen.stack(ruler, place)):
        own = random.Random(f"{ruler}/{place}/{sorted(seen.stack(ruler, place).items())}")
        yield from _spells(list(seen.rulers), own)
    own = random.Random(f"gear/{ruler}/{place}/{sorted(seen.stack(ruler, place).items())}")
    for code in sorted(CREWS.keys() & seen.stack(ruler, place).keys()):
        if own.random() < 0.2:
            yield f"DESTROY 1{code} KR {own.randint(1, 6)}"
    if any(item.startswith("Pr") for item in seen.stack(ruler, place)):
        yield from prayer_lines(random.Random(f"{ruler}/{place}/{seen.seed}"))
    if chance.random() < 0.2:
        yield f"SIDE {chance.choice(list(seen.rulers))}"
    yield "END"


def _spells(rulers: list[PowerId], chance: random.Random) -> Iterator[str]:
    for spell in chance.sample(SPELLS, 3):
        cells = ",".join(str(cell) for cell in chance.choice(((19,), (19, 20), (1, 2, 5))))
        where = chance.choice(("BEST", f"KF {cells}"))
        if spell.meant is Meant.MOVED:
            where = f"KF 19 > KF {chance.randint(1, 48)}"
        elif spell.meant is Meant.RIVER:
            where = f"KF {cells}"
        side = chance.choice((" OWN", " FOE", ""))
        yield f"CAST {spell.name}{side} {where}{chance.choice((' MAX 12', ''))}{chance.choice((' EACH', ' KR 2', ''))}"
    yield from (
        line
        for line in (f"CHALLENGE {chance.choice(rulers)}", "COUNTER 4", f"TRIPLE {chance.choice(SPELLS).name}")
        if chance.random() < 0.4
    )


Writer = Callable[[State, PowerId, random.Random], str]


@dataclass(frozen=True, slots=True)
class Window:
    """A window that was played: how many battles there were, what was wrong with it, and the position after it."""

    battles: int
    faults: list[str]
    after: State


def faults_of(state: State, chance: random.Random, write: Writer = a_war_sheet) -> tuple[int, list[str]]:
    """How many battles a window of wars has, and what is wrong with it."""
    window = play(state, chance, write)
    return window.battles, window.faults


def faults_of_many(state: State, chance: random.Random, windows: int) -> tuple[int, list[str]]:
    """The same for several windows of medleys, one after the other, up to the first with a fault."""
    battles = 0
    for _ in range(windows):
        window = play(state, chance, a_medley)
        battles += window.battles
        if window.faults:
            return battles, [f"{state.time}: {fault}" for fault in window.faults]
        state = window.after
    return battles, []


def play(state: State, chance: random.Random, write: Writer) -> Window:
    """Play a window of sheets that are made up, and look for faults."""
    sheets, texts = {}, {}
    for ruler in RULES.play.status(state).to_act:
        texts[ruler] = write(state, ruler, chance)
        sheets[ruler] = read_orders(RULES, RULES.sight.view(state, Playing(ruler)), texts[ruler]).values
    done = RULES.play.adjudicate(state, sheets, RULES.play.dice(state))
    told = [event.facts.args for event in done.events if event.facts and event.facts.code == "battle"]
    battles = [args for args in told if args["kr"]]
    faults = [*audit_sheets(state, sheets), *_misjudged(state, sheets, done)]
    again = load(dump(state))
    read = {
        ruler: [RULES.orders.read(line.canonical, RULES.sight.view(again, Playing(ruler))) for line in lines]
        for ruler, lines in sheets.items()
    }
    other = RULES.play.adjudicate(again, read, RULES.play.dice(again))
    if dump(other.state) != dump(done.state):
        faults.append("another end when it is played again")
    if dump(load(dump(done.state))) != dump(done.state):
        faults.append("the position does not read back")
    for battle in battles:
        for ruler in state.rulers:
            is_owner = any(state.owners.get(Province(place)) == ruler for place in battle["gf"])
            if not is_owner and not any(ruler in camp for camp in battle["sides"]):
                faults += _leaks(done.events, ruler, battle)
    if battles:
        others = RULES.play.adjudicate(state, sheets, _OtherBattles(RULES.play.dice(state).seed))
        strangers = [ruler for ruler, text in texts.items() if "ENTER" not in text]
        for ruler in strangers:
            is_there = any(_is_concerned(ruler, state, each.events) for each in (done, others))
            if not is_there and shown_to(done.state, done.events, ruler) != shown_to(
                others.state, others.events, ruler
            ):
                faults.append(f"{ruler} sees how the dice of others' battles fell")
    return Window(len(battles), faults, done.state)


def _misjudged(state: State, sheets: Mapping[PowerId, Sequence[Line]], done: Resolution[State, Line]) -> Iterator[str]:
    """Lines that receipts refused and results did not, or the other way round, or by another code.

    Below a march or a caravan that came to a halt, which nobody could foresee, other lines may fail, and so may works
    that belong to others' land, too.
    """
    for ruler, lines in sheets.items():
        trial = rounds.rehearse(RULES.sight.view(state, Playing(ruler)).state, ruler, lines)
        halted = 10_000
        results = {int(each.subject): each for each in done.results if each.power == ruler}
        for line in trial.lines(ruler):
            result = results[line.number]
            is_void = result.outcome is Outcome.VOID or result.codes == ("blocked",)
            if state.part == ORDERS_PART and is_void and result.text.startswith(("MOVE", "CARAVAN")):
                halted = min(halted, line.number)
            foreseen = trial.verdict(ruler, line).codes[0] if trial.is_refused(ruler, line) else None
            told = result.codes[0] if result.outcome is Outcome.INVALID else None
            is_of_works = result.text.startswith(("BUILD", "TEAR", "REPAIR", "GHZ", "CONVERT"))
            if foreseen != told and line.number < halted and not is_of_works:
                yield f"{ruler}, line {line.number}: the receipt says {foreseen}, the result {told}: {result.text}"


class _OtherBattles(Dice):
    """Dice that fall otherwise in battles, and nowhere else."""

    def _below(self, label: str, limit: int) -> int:
        return super()._below(f"otherwise {label}" if label.startswith("battle/") else label, limit)


def _is_concerned(ruler: PowerId, before: State, events: Any) -> bool:
    """Whether a ruler was on the site of any battle, or owned land of it, which he sees without a man of his own.

    Agents see how long a battle lasts in which they hide; prisoners are led to where their captor's people stand, which
    may be the land of somebody else, who sees them come; and fugitives come home to where guests see them.
    """
    told = [event.facts.args for event in events if event.facts and event.facts.code == "battle"]
    owners = {before.owners.get(Province(place)) for battle in told for place in battle["gf"]}
    spied = {agent.at for agent in agents_in(before.modules) if agent.ruler == ruler}
    is_watched = any(place in spied for battle in told for place in battle["gf"])
    fighters = {fighter for battle in told for camp in battle["sides"] for fighter in camp}
    is_host = any(before.owners.get(at) == ruler for fighter in fighters for at in before.stacks.get(fighter, {}))
    homes = {at for at, owner in before.owners.items() if owner in fighters}
    led = {caravan.at for caravan in caravans_in(before.modules) if caravan.ruler == ruler}
    is_guest = bool(homes & {*led, *before.stacks.get(ruler, {})})
    return is_watched or is_host or is_guest or ruler in owners | fighters


def _leaks(events: Any, ruler: PowerId, battle: Mapping[str, Any]) -> list[str]:
    """Whether somebody else is told of a battle; a quarrel and an attack on the same land are two (ruling KA295)."""
    told = [event for event in visible_events(events, Playing(ruler)) if event.facts and event.facts.code == "battle"]
    same = [event for event in told if all(event.facts.args[key] == battle[key] for key in ("id", "sides"))]
    return [f"{ruler} is told of {battle['id']}" for _ in same]


def shown_to(state: State, events: Any, ruler: PowerId) -> tuple[object, ...]:
    """All that a ruler is shown after a window."""
    seen = view(state, Playing(ruler))
    return seen_document(seen), [event.to_json() for event in visible_events(events, Playing(ruler))]


def main() -> None:
    """Play and tell."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--worlds", type=int, default=200)
    reader.add_argument("--seed", default="wars")
    reader.add_argument("--fleets", action="store_true", help="landings and fights on the sea")
    reader.add_argument("--priests", action="store_true", help="with temples and prayers")
    reader.add_argument("--gods", action="store_true", help="who come into the battles")
    reader.add_argument("--spies", action="store_true", help="with agents who come out of hiding")
    reader.add_argument("--artefacts", action="store_true", help="that are borne, dropped and won")
    reader.add_argument("--tangles", action="store_true", help="where trade, portals and agents want the same")
    reader.add_argument("--medleys", action="store_true", help="the same in five windows, with all that can be ordered")
    reader.add_argument("--harbours", action="store_true", help="the same with fleets and caravans at sea")
    reader.add_argument("--sieges", action="store_true", help="of castles, one a window")
    given = reader.parse_args()
    battles, faults = 0, 0
    makers = (
        (given.sieges, a_siege),
        (given.fleets, a_sea_war),
        (given.priests, a_crusade),
        (given.artefacts, a_war_for_artefacts),
        (given.tangles or given.medleys, a_tangle),
        (given.harbours, a_harbour),
        (given.spies, a_war_of_spies),
        (given.gods, a_war_of_gods),
        (True, a_war),
    )
    make = next(maker for is_wanted, maker in makers if is_wanted)
    for number in range(given.worlds):
        chance = random.Random(f"{given.seed}/{number}")
        if given.medleys or given.harbours:
            fought, found = faults_of_many(make(chance), chance, WINDOWS)
        else:
            fought, found = faults_of(make(chance), chance, a_tangled_sheet if given.tangles else a_war_sheet)
        battles += fought
        faults += len(found)
        for fault in found:
            sys.stdout.write(f"{given.seed}/{number}: {fault}\n")
    sys.stdout.write(f"{battles} battles in {given.worlds} worlds, {faults} faults\n")


if __name__ == "__main__":
    main()
