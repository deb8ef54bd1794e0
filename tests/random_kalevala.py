"""Random rulers for Kalevala, whose sheets do everything the rules know, and an auditor of a window's books."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from engine.core.ids import PowerId
from engine.core.reading import read_orders
from engine.core.viewer import Playing
from engine.kalevala.agents.facts import agents_in, room_of
from engine.kalevala.artefacts.facts import artefacts_in, artefacts_of
from engine.kalevala.battle.apparitions import WORKING
from engine.kalevala.caravans.facts import caravans_in, is_within_limits, strange_ones
from engine.kalevala.coordinates import Province, gf_of, neighbours_of
from engine.kalevala.document import load
from engine.kalevala.figures import Figures, format_figures, load_of, plus, with_loads
from engine.kalevala.kings.facts import find_in, hostages_in
from engine.kalevala.land import land_of
from engine.kalevala.model import FULL, ORDERS_PART, State, Work
from engine.kalevala.orders import Line
from engine.kalevala.realms import realm_of
from engine.kalevala.rounds import run
from engine.kalevala.sea import waters
from engine.kalevala.sea.craft import craft_among, is_steered
from engine.kalevala.steps.temples import TREASURE
from engine.kalevala.system import KALEVALA
from engine.kalevala.view import view
from engine.kalevala.window import Window
from engine.kalevala.writing import dump

RULES = KALEVALA
ABSENT, JUNKY = 0.03, 0.1
JUNK = (
    "MARCH ON POHJOLA",
    "MOVE",
    "MOVE 5L 2E+8",
    "ARM 2E+8 99999999 FROM 2E+8",
    "CONVERT 2E+8 7KÖ",
    "EXPLORE 9 2E+5 > 2E+6",
    "ENTER 1 2E+5 X 2E+6 1L",
    "BUILD 2E+8 Tu KF 99",
    'LETTER nobody "?"',
    "SAIL LS 2A+8 > 2A+7",
    'KING CREATE Kr "me" KF 1',
    "\u2014\u00e9\ufffd",
    "END",
    "# a comment",
    "",
)


def wild_sheet(state: State, ruler: PowerId, chance: random.Random) -> str | None:
    """A sheet of orders that make some sense, now and then in a wild order; `None` for a ruler who sends none."""
    if chance.random() < ABSENT:
        return None
    seen = view(state, Playing(ruler)).state
    lines = list(_orders(seen, ruler, chance) if state.part == ORDERS_PART else _deeds(seen, ruler, chance))
    lines += [line for who, line in bargains(state) if who == ruler]
    lines += merchant_lines(seen, ruler, random.Random(f"merchants of {ruler} in {seen.time}"))
    lines += god_lines(seen, ruler, random.Random(f"the god of {ruler} in {seen.time}"))
    if chance.random() < 0.2:
        chance.shuffle(lines)
    written = []
    for line in lines:
        written.append(line)
        if chance.random() < JUNKY:
            written.append(chance.choice(JUNK))
    return "\n".join(written)


def _some(chance: random.Random, figures: Figures, share: float = 0.5) -> Figures:
    found = {item: chance.randint(0, count) for item, count in figures.items() if chance.random() < share}
    return {item: count for item, count in found.items() if count}


def _orders(seen: State, ruler: PowerId, chance: random.Random) -> Iterator[str]:
    own, land = seen.owned(ruler), land_of(seen)
    me = seen.rulers[ruler]
    if seen.gr % 2 == 0 and chance.random() < 0.5 and own:
        sources = chance.sample(own, chance.randint(1, min(3, len(own))))
        people = ",PEOPLE" if chance.random() < 0.3 else ""
        yield f"ARM {chance.choice(sources)} {chance.randint(1, 41)} FROM {','.join(sources)}{people}"
    for province in own:
        money = seen.stack(ruler, province).get("RE", 0)
        if money and chance.random() < 0.7:
            bow = "B" + me.core[1:]
            what = chance.choice((me.core, bow, "3AC", "1K", me.goods[0], me.goods[1], "Se", "1Pr"))
            yield f"CONVERT {province} {chance.randint(1, 8)}{what.lstrip('0123456789')}"
        if money > 8 and chance.random() < 0.3:
            work, cell = chance.choice(("Tu", "Bf", "Fu", "BF", "Tt")), chance.randint(1, 48)
            yield f"BUILD {province} {work} KF {chance.choice((19, cell))}"
        if chance.random() < 0.1:
            yield f"BUILD {province} Ma EDGE {chance.randint(1, 48)}/E"
        if chance.random() < 0.1:
            yield f"TEAR {province} {chance.choice(('Tu KF 19', 'Ma EDGE 19/E'))}"
        if chance.random() < 0.1:
            yield f"WATCH {province} {chance.randint(1, 3)}"
        if chance.random() < 0.05:
            yield f"ABANDON {province}"
    for province, stack in seen.stacks.get(ruler, {}).items():
        going = _some(chance, stack)
        if going and chance.random() < 0.4 and land.links(province):
            way = [province]
            for _ in range(chance.randint(1, 3)):
                way.append(chance.choice(land.links(way[-1]) or (way[-1],)))
            yield f"MOVE {format_figures(going)} {' > '.join(way)}"
    yield from _voyages(seen, ruler, chance)
    places = list(seen.stacks.get(ruler, {}))
    for ee in range(1, 7):
        if places and chance.random() < 0.6:
            source = chance.choice(places)
            yield f"EXPLORE {ee} {source} > {chance.choice(neighbours_of(gf_of(source)))}"
            if chance.random() < 0.3:
                places.append(Province(chance.choice(neighbours_of(gf_of(source)))))
    others = [other for other in seen.rulers if other != ruler]
    if own and others and chance.random() < 0.4:
        yield f"PERMIT {chance.choice(others)} {chance.choice((*own, 'ALL'))} {chance.randint(1, 4)}"
    if others and chance.random() < 0.1:
        yield f"REVOKE {chance.choice(others)}"
    yield from _agents(seen, ruler, chance)
    if me.king is not None:
        yield from _king(seen, ruler, chance)
    if chance.random() < 0.02:
        yield f"LEAVE {chance.randint(1, 2)}"
    yield from _letters(others, chance)
    yield from temple_lines(seen, ruler, random.Random(f"temples of {ruler} in {seen.gr}"))


def _king(seen: State, ruler: PowerId, chance: random.Random) -> Iterator[str]:
    """A king is paid, heals, turns goods into ZEH, builds; now and then he goes, or another one would come."""
    yield f"KING PAY {chance.choice(('RE', 'OEH'))}"
    if chance.random() < 0.3:
        yield "KING HEAL"
    found = find_in(seen.stacks.get(ruler, {}))
    goods = _some(chance, seen.stack(ruler, found.at)) if found is not None else {}
    if goods and chance.random() < 0.5:
        yield f"KING POWER {chance.randint(1, 12)} ZEH {format_figures(goods)}"
    if chance.random() < 0.1:
        yield f"KING PALACE KF {chance.randint(1, 48)}"
    if chance.random() < 0.05:
        yield chance.choice(("KING ABDICATE", f'KING CREATE Kr "A man" KF {chance.randint(1, 48)}'))


def _hostages(seen: State, ruler: PowerId, chance: random.Random) -> Iterator[str]:
    """For hostages something is offered and asked."""
    for hostage in hostages_in(seen.modules):
        price = chance.choice((0, 1, 5, 20))
        if hostage.captor == ruler:
            yield f"KING RELEASE {hostage.ruler}" + (f" FOR {price}" if price else "")
        else:
            yield f"KING RANSOM {chance.choice((1, 5, 20))}"


def _voyages(seen: State, ruler: PowerId, chance: random.Random) -> Iterator[str]:
    """Rafts are built where there is water; who is near goes aboard, sails and goes ashore."""
    own, land = seen.owned(ruler), land_of(seen)
    shores = [place for place in own if "W" in land.field(place).cells]
    seas = [*own, *seen.modules.get("seas", {}).get(ruler, ())]
    for place in shores:
        if seen.stack(ruler, place).get("RE", 0) > 3 and chance.random() < 0.5:
            yield f"CONVERT {place} {chance.randint(1, 2)}FS"
    for place, stack in seen.stacks.get(ruler, {}).items():
        for craft in craft_among(stack):
            near = [each for each in seas if waters.is_sailed(land, place, Province(each))] or [place]
            going = _some(chance, {item: min(count, 3) for item, count in stack.items() if "[" not in item})
            if going and chance.random() < 0.5:
                yield f"BOARD {format_figures(going)} {place} {craft}"
            if is_steered(craft) and chance.random() < 0.6:
                yield f"SAIL {craft} {place} > {chance.choice(near)}"
            if load_of(craft) and chance.random() < 0.4:
                yield f"LAND {format_figures(_some(chance, load_of(craft)) or load_of(craft))} {place}"
            if going and chance.random() < 0.3:
                yield f"FERRY {format_figures(going)} {place} > {chance.choice(near)}"


def _letters(others: Sequence[PowerId], chance: random.Random) -> Iterator[str]:
    if not others:
        return
    if chance.random() < 0.3:
        yield f'LETTER {chance.choice(others)} "{"Hail! " * chance.choice((1, 60))}"'
    if chance.random() < 0.1:
        yield f'EXPRESS {chance.choice(others)} "Help!"'
    if chance.random() < 0.1:
        yield f'COURIER "{"Long ago. " * chance.choice((1, 400))}"'


def _deeds(seen: State, ruler: PowerId, chance: random.Random) -> Iterator[str]:
    free = [ee for ee in range(1, 7) if ee not in seen.used.get(ruler, ())]
    for row in seen.explored.get(ruler, ()):
        stack = seen.stack(ruler, row.source)
        going = _some(chance, stack, 0.9)
        fleet = {item: count for item, count in craft_among(stack).items() if is_steered(item)}
        if fleet and chance.random() < 0.6:
            going = fleet
        if not free or not going or chance.random() < 0.2:
            continue
        owner = seen.owners.get(row.target)
        kind = "K" if row.result != FULL else "E" if owner == ruler else "B" if owner is None else chance.choice("EK")
        losses = f" LOSS {format_figures(_some(chance, going) or going)}" if chance.random() < 0.2 else ""
        yield f"ENTER {free.pop(0)} {row.source} {kind} {row.target} {format_figures(going)}{losses}"
    for province, names in seen.contested.items():
        yield f"SETTLE {province} TO {names[0] if chance.random() < 0.7 else chance.choice(names)}"
    yield from _letters([other for other in seen.rulers if other != ruler], chance)
    yield from _misdeeds(seen, ruler, chance)
    yield from _hostages(seen, ruler, chance)


def _agents(seen: State, ruler: PowerId, chance: random.Random) -> Iterator[str]:
    """Headquarters, agents, their groups and ways."""
    land = land_of(seen)
    for province in seen.owned(ruler):
        towers = [work for work in land.works(province) if work.type in ("Tu", "Bf", "BF") and work.cell]
        if towers and chance.random() < 0.5:
            yield f"GHZ {province} KF {towers[0].cell}"
            yield f"CONVERT {province} 1Ag"
        stack = seen.stack(ruler, province)
        if stack.get("Ag"):
            companions = format_figures(_some(chance, {item: min(2, n) for item, n in stack.items() if item != "RE"}))
            yield f"AGENT {chance.randint(1, 3)} GROUP {min(60, stack.get('RE', 0))}RE {companions}"
    for agent in agents_in(seen.modules):
        if chance.random() < 0.7 and land.links(agent.at):
            way = [agent.at, chance.choice(land.links(agent.at))]
            yield f"AGENT {agent.number} MOVE {' > '.join(way)}"
        if chance.random() < 0.7:
            yield f"AGENT {agent.number} SCOUT"
        if chance.random() < 0.2:
            yield f"AGENT {agent.number} GROUP 1L 20RE"
        for caravan in caravans_in(seen.modules):
            if caravan.ruler == ruler and caravan.at == agent.at:
                yield f"AGENT {agent.number} RIDE {caravan.number}"
    for row in strange_ones(seen.modules):
        if seen.owners.get(row["at"]) == ruler:
            yield f"EXPLORE 6 {row['at']} > {row['at']}"


def temple_lines(seen: State, ruler: PowerId, chance: random.Random) -> Iterator[str]:
    """Gifts, prayers for ZEH and questions of all kinds, mostly where a temple is; its last step."""
    land, others = land_of(seen), [other for other in seen.rulers if other != ruler]
    for place in seen.owned(ruler):
        temples = [work for work in land.works(place) if work.type == "Tt"]
        if not temples and chance.random() < 0.9:
            continue
        yield from (f"BUILD {place} Tt KF {work.cell}" for work in temples if work.paid is not None)
        yield f"GIFT {place} {chance.randint(1, 12)}"
        priests = [item for item in seen.stack(ruler, place) if item.startswith("Pr")]
        yield f"PRAY {place} {chance.choice(('Pr', *priests))} {chance.randint(1, 12)}"
        near = (gf_of(place), *neighbours_of(gf_of(place)), "2D+9")
        for question in ("OWNER", "GARRISON", "NEAR"):
            yield f"ORACLE {place} {chance.choice((1, 5, 10, 20))} {question} {chance.choice(near)}"
        if others:
            yield f"ORACLE {place} {chance.choice((9, 15))} RULER {chance.choice(others)}"
        yield f'ORACLE {place} 1 "What will be?"'
        if chance.random() < 0.1:
            yield f"TEAR {place} Tt KF {temples[0].cell if temples else 19}"


def consecrated(state: State, chance: random.Random) -> State:
    """The same with temples here and there, most of them with priests and RE, some unfinished."""
    land, stacks = dict(state.land), {ruler: dict(own) for ruler, own in state.stacks.items()}
    for place, ruler in state.owners.items():
        field, cells = land_of(state).field(place), sorted(land_of(state).cells(place))
        built = {work.cell for work in field.works}
        free = [cell for cell in cells if cell not in built]
        if not free or chance.random() < 0.4:
            continue
        paid = 20 if chance.random() < 0.2 else None
        temple = Work("Tt", chance.choice(free), treasure=0 if paid else chance.choice((0, 3, 40)), paid=paid)
        land[gf_of(place)] = replace(land[gf_of(place)], works=(*land[gf_of(place)].works, temple))
        if chance.random() < 0.8:
            own = stacks.setdefault(ruler, {})
            own[place] = plus(own.get(place, {}), {f"Pr/{chance.choice((0, 17, 60, 100))}": chance.randint(1, 2)})
    return load(dump(state.replace(land=land, stacks=stacks)))


def prayer_lines(chance: random.Random) -> Iterator[str]:
    """Prayers of all kinds for a plan."""
    for prayer in ("BLESS", "FEAR", "BREAD"):
        cells = ",".join(str(cell) for cell in chance.choice(((19,), (19, 20), (1, 2, 5))))
        when = chance.choice((" EACH", " KR 2", "", " EACH"))
        yield f"PRAYER {prayer} {chance.choice(('BEST', f'KF {cells}'))}{chance.choice((' MAX 12', ''))}{when}"
    yield f"COUNTER {chance.choice((1, 4, 10))}"


def merchant_lines(seen: State, ruler: PowerId, chance: random.Random) -> Iterator[str]:
    """Caravans that form, go and end; borders that close to others', and warriors who take them on. Slaves, too."""
    land, mine = land_of(seen), [each for each in caravans_in(seen.modules) if each.ruler == ruler]
    for caravan in mine:
        way = [caravan.at]
        for _ in range(chance.randint(1, 2)):
            way.append(chance.choice(land.links(way[-1]) or (Province(chance.choice(neighbours_of(gf_of(way[-1])))),)))
        yield f"CARAVAN {caravan.number} MOVE {' > '.join(way)}"
        if chance.random() < 0.1:
            yield f"CARAVAN {caravan.number} DISSOLVE"
    if seen.part != ORDERS_PART:
        yield from (f"SEIZE {row['at']}" for row in strange_ones(seen.modules) if chance.random() < 0.5)
        yield from (f"CLOSE {place}" for place in seen.owned(ruler) if chance.random() < 0.1)
        return
    for place in seen.owned(ruler):
        stack = seen.stack(ruler, place)
        if stack.get("K") and chance.random() < 0.4:
            kinds = ("LB", "L", "A", "On", "IP", "El", "RE")
            load = _some(chance, {item: min(9, count) for item, count in stack.items() if item in kinds})
            ship = " 1FS" if stack.get("FS") and chance.random() < 0.5 else ""
            expedition = " EX" if chance.random() < 0.1 else ""
            yield f"CARAVAN {chance.randint(1, 3)} FORM {place} 1K{ship} {format_figures(load)}{expedition}"
        if chance.random() < 0.2:
            yield f"SLAVES {place} {chance.randint(1, 4)}"


def god_lines(seen: State, ruler: PowerId, chance: random.Random) -> Iterator[str]:
    """What a god may do on Archeron, and where he would help."""
    if chance.random() < 0.5:
        return
    if seen.part == ORDERS_PART:
        yield f"GOD MOVE {chance.randint(1, 12)}"
        yield chance.choice(("GOD SCOUT", "GOD AURA", "GOD LEARN PARALYSE", "GOD LEARN WEAKEN"))
        yield from _miracles(seen, ruler, chance)
    elif seen.explored.get(ruler):
        target = seen.explored[ruler][0].target
        others = [other for other in seen.rulers if other != ruler]
        god = seen.rulers[ruler].god or {}
        able = (*god.get("abilities", ()), "DUEL", "BASE")
        ability = chance.choice([name for name in able if name in WORKING])
        yield f"GOD APPEAR {target} FOR {ruler} AGAINST {chance.choice(others)} {ability}"


def _miracles(seen: State, ruler: PowerId, chance: random.Random) -> Iterator[str]:
    """What a god may do on earth beside battles, if he knows how."""
    abilities = (seen.rulers[ruler].god or {}).get("abilities", ())
    own = seen.owned(ruler)
    if "SEE" in abilities:
        yield f"GOD SEE {chance.choice([*neighbours_of(gf_of(chance.choice(own))), '2A+0'] if own else ['2A+0'])}"
    for place in chance.sample(own, min(2, len(own))):
        if "SPEED" in abilities:
            yield f"GOD SPEED {place}"
        if "CARRY" in abilities and seen.stack(ruler, place):
            yield f"GOD CARRY 1{chance.choice(list(seen.stack(ruler, place)))} AT {place} TO {chance.choice(own)}"
        if "PASS" in abilities:
            yield f"GOD PASS {place} KF {chance.randint(1, 48)}"


def _misdeeds(seen: State, ruler: PowerId, chance: random.Random) -> Iterator[str]:
    """Deeds of agents, ransoms, releases."""
    for agent in agents_in(seen.modules):
        there = [item for other in seen.rulers for item in seen.stack(other, agent.at) if other != ruler]
        for item in there:
            deed = chance.choice(
                ("STEAL", "SABOTAGE", "MURDER", "KIDNAP", "THEFT", "REVOLT", "LETTERS 2", "SNEAK KF 19")
            )
            target = f" 1{item}" if deed in ("STEAL", "SABOTAGE", "MURDER", "KIDNAP", "THEFT") else ""
            yield f"AGENT {agent.number} DO {deed}{target}"
        yield f"AGENT {agent.number} DO ASK GARRISON {agent.at}"
        if any(row.get("at") == agent.at for row in strange_ones(seen.modules)):
            yield f"AGENT {agent.number} DO BRIBE {chance.choice((agent.at, ''))}".strip()
            yield f"AGENT {agent.number} DO SNEAK CARAVAN"
        if any("[" in item for item in there):
            yield f"AGENT {agent.number} DO SNEAK SHIP"
        yield f"HANDOVER 3RE AT {agent.at} TO {agent.ruler} AGENT {agent.number}"
        if agent.captor is not None:
            yield f"RANSOM {agent.number} {chance.randint(1, 20)}"
        if chance.random() < 0.2:
            yield f"AGENT {agent.number} BACK"
        for what in chance.sample(("SHOW", "HIDE", "LEAVE"), chance.randint(0, 2)):
            yield f"AGENT {agent.number} {what} KR {chance.randint(1, 6)}"
    for row in seen.modules.get("agents", ()):
        if row.get("of"):
            yield f"SEIZE {row['at']}" if row.get("exposed") else f"RELEASE {row['of']} AT {row['at']} FOR 5"


# What two rulers agree on

_MERCHANTS = frozenset({"K", "Ag"})


def bargains(state: State) -> Iterator[tuple[PowerId, str]]:
    """Both sides of a few deeds of trade and fiefs, the same whichever ruler's sheet asks; some lack their fellow."""
    if state.part == ORDERS_PART:
        return
    chance = random.Random(f"{state.seed} {state.time}")
    lords = [ruler for ruler, own in state.rulers.items() if own.is_played and state.owned(ruler)]
    for giver in lords if len(lords) > 1 else []:
        taker = chance.choice([other for other in lords if other != giver])
        place = chance.choice(state.owned(giver))
        if chance.random() < 0.3:
            yield giver, f"FIEF {place} TO {taker} {chance.randint(1, 11)}"
            if chance.random() < 0.8:
                yield taker, f"ACCEPT {chance.choice((place, gf_of(place)))} OF {giver}"
        places = [
            at for at in state.stacks.get(giver, {}) if any(state.stack(giver, at).get(each) for each in _MERCHANTS)
        ]
        for at in places[:2]:
            goods = _some(
                chance, {item: min(count, 4) for item, count in state.stack(giver, at).items() if item != "K"}
            )
            price = f" FOR {chance.randint(1, 3)}RE" if chance.random() < 0.3 else ""
            near = [other for other in lords if other != giver and _is_beside(state, other, at)]
            if goods and near:
                buyer, given = chance.choice(near), format_figures(goods)
                yield giver, f"HANDOVER {given} AT {at} TO {buyer}{price}"
                if chance.random() < 0.9:
                    yield buyer, f"HANDOVER {price[5:] or 'NOTHING'} AT {at} TO {giver} FOR {given}"
    for row in state.modules.get("fiefs", ()):
        verb = chance.randint(1, 4)
        if verb == 1:
            yield row["giver"], f"FIEF {row['gf']} TO {row['holder']} {chance.randint(1, 10)}"
            yield row["holder"], f"ACCEPT {row['gf']} OF {row['giver']}"
        elif verb == 2:
            yield row["holder"], f"FIEF {row['gf']} TO {row['giver']} 1"
        if verb < 4:
            yield row["giver"], f"ACCEPT {row['gf']} OF {row['holder']}"


def _is_beside(state: State, ruler: PowerId, at: Province) -> bool:
    near = {gf_of(at), *neighbours_of(gf_of(at))}
    return any(gf_of(place) in near for place in state.stacks.get(ruler, {}))


def sheet(state: State, ruler: PowerId, text: str) -> tuple[Line, ...]:
    """The orders in a text that are accepted."""
    return tuple(read_orders(RULES, RULES.sight.view(state, Playing(ruler)), text).values)


# The books


def audit_sheets(before: State, sheets: Mapping[PowerId, Sequence[Line]]) -> list[str]:
    """What does not balance in the books of the window that these sheets make; nothing if all does."""
    done = run(before, sheets, RULES.play.dice(before).streams())
    return audit(before, done, done.close())


def audit(before: State, done: Window, after: State) -> list[str]:
    """What every ruler has of each figure, animal, piece and RE is what he had and what the books say.

    Nothing is ever spent that is not there, marks never exceed what stands there, limits hold, and the ledger's sum is
    right.
    """
    return [*_balances(before, done, after), *_places(after), *_ledgers(done), *_limits(done)]


def _holdings(state: State) -> Counter[tuple[PowerId, str]]:
    found: Counter[tuple[PowerId, str]] = Counter()
    for ruler, own in state.stacks.items():
        for stack in own.values():
            for item, count in with_loads(stack).items():
                found[ruler, item] += count
    # Treasures go with the land, so what is in all of them is counted.
    found[PowerId(""), TREASURE] = sum(work.treasure for field in state.land.values() for work in field.works)
    return found


def _balances(before: State, done: Window, after: State) -> Iterator[str]:
    running = _holdings(before)
    for booking in done.bookings:
        if booking.item == TREASURE:
            running[PowerId(""), TREASURE] += booking.amount
            continue
        for item, count in with_loads({booking.item: 1}).items():
            running[booking.ruler, item] += booking.amount * count
            if running[booking.ruler, item] < 0:
                yield f"{booking.ruler} has less than nothing of {item} after {booking.why}"
    held = _holdings(after)
    for key in sorted({*running, *held}):
        if running[key] != held[key]:
            yield f"{key[0]} has {held[key]} {key[1]}, the books say {running[key]}"


def _places(after: State) -> Iterator[str]:
    for agent in agents_in(after.modules):
        if agent.money < 0 or room_of(agent.group) > 3 or any(count <= 0 for count in agent.group.values()):
            yield f"{agent.ruler} has an agent with {agent.group} and {agent.money} RE"
    for caravan in caravans_in(after.modules):
        if not is_within_limits(caravan.load) or any(count <= 0 for count in caravan.load.values()):
            yield f"{caravan.ruler} has a caravan with {caravan.load}"
    yield from _artefacts(after)
    for province in after.contested:
        if province in after.owners:
            yield f"{province} is contested and owned"
    for ruler, own in after.stacks.items():
        for province, stack in own.items():
            if not stack or any(count <= 0 for count in stack.values()):
                yield f"{ruler} has {stack} in {province}"
    for province, owner in after.owners.items():
        if owner not in after.rulers:
            yield f"{province} is owned by nobody who plays"


def _artefacts(after: State) -> Iterator[str]:
    """Each is once in the world: with its holder, or nowhere in anybody's hands."""
    held: defaultdict[int, list[tuple[PowerId, Province]]] = defaultdict(list)
    for ruler, own in after.stacks.items():
        for place, stack in own.items():
            for number in artefacts_of(stack):
                held[number].append((ruler, place))
    for caravan in caravans_in(after.modules):
        for number in artefacts_of(caravan.load):
            held[number].append((caravan.ruler, caravan.at))
    for agent in agents_in(after.modules):
        for number in artefacts_of(agent.group):
            held[number].append((agent.ruler, agent.at))
    known = {each.number: each for each in artefacts_in(after.modules)}
    yield from (f"nobody knows of artefact {number}" for number in held.keys() - known.keys())
    for number, artefact in known.items():
        wanted = [] if artefact.holder is None else [(artefact.holder, artefact.at)]
        if held[number] != wanted:
            yield f"{artefact.name} is with {held[number]}, the world says {wanted}"


def _ledgers(done: Window) -> Iterator[str]:
    for event in done.events:
        if event.facts is not None and event.facts.code == "ledger":
            row = event.facts.args
            ruler = next(iter(event.audience or ()))
            moved = _other_money(done, ruler)
            booked = (
                row["re_before"]
                + row["arming"]
                + row["people"]
                + row["additional"]
                + row["slaves"]
                - row["spent"]
                - row["paid"]
                + moved
            )
            if booked != row["re_after"]:
                yield f"{ruler}: the ledger comes to {booked}, not {row['re_after']}"


def _other_money(done: Window, ruler: PowerId) -> int:
    """RE that came home or went abroad, were lost on the way, fell out of a treasure, or lie in land that fell away."""
    realm = realm_of(done, ruler) or done.stacks[ruler]  # who owns nothing pays from what is carried: ruling KA217
    home = sum(row.get("RE", 0) for place, row in done.stacks[ruler].items() if place in realm)
    whole = sum(with_loads(row).get("RE", 0) for row in done.stacks[ruler].values())
    was_home = done.accounts[ruler]["re_before"]
    was_whole = sum(with_loads(row).get("RE", 0) for row in done.state.stacks.get(ruler, {}).values())
    lost = sum(
        booking.amount * with_loads({booking.item: 1}).get("RE", 0)
        for booking in done.bookings
        if booking.ruler == ruler and booking.why in ("crossing", "treasure", "loyalty", "caravan_abroad")
    )
    return int((home - whole) - (was_home - was_whole) + lost)


def _limits(done: Window) -> Iterator[str]:
    for (ruler, province, what), spent in done.paid_for.items():
        if spent > {"humans": 28, "goods": done.most_goods(ruler, province)}[what]:
            yield f"{ruler} spent {spent} on {what} in {province}"
    for (ruler, province), marks in done.marks.items():
        stack = done.stacks[ruler].get(province, {})
        if any(count > stack.get(item, 0) for item, count in marks.items()):
            yield f"{ruler} has more marks than figures in {province}"
