"""Random players for King of Kings, whose sheets do everything the rules know, and an auditor of a turn's books."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from engine.core.ids import PowerId
from engine.king_of_kings.model import Line, Province, State, Tactic, Units
from engine.king_of_kings.system import KING_OF_KINGS
from engine.king_of_kings.turn import run
from engine.king_of_kings.working import Turn
from engine.lattice.squares import Cell

RULES = KING_OF_KINGS
JUNK = (
    "MARCH ON ROME",
    "LAND",
    "LAND 0 0 AT",
    "PLA 999 999 FO",
    "PLA 1 FO",
    "SEA 0 0 SH 1 X",
    "DEF 0 0 Q",
    "DON nobody 5",
    "DONATE 1 -4",
    "ALL 99 1",
    "ALL 1 9",
    "CEDE 0 0",
    "NAME 0 0",
    "BUILD a b",
    "LAND 0 0 F F F",
    "\u2014\u00e9\ufffd",
    "BEGIN?",
    "",
    "; a comment",
    "# another",
)
ABSENT, JUNKY = 0.04, 0.1
"""How often a player sends nothing, and how often a line is followed by one that makes no sense."""


def wild_sheet(state: State, nation: PowerId, chance: random.Random, *, lines: int = 50) -> str | None:
    """A sheet of at most so many orders that make some sense, in a wild order; `None` for a player who sends none."""
    if chance.random() < ABSENT:
        return None
    orders = wild_orders(state, nation, chance)
    chance.shuffle(orders)
    written = []
    for order in orders[:lines]:
        written.append(order)
        if chance.random() < JUNKY:
            written.append(chance.choice(JUNK))
    if chance.random() < 0.5:
        written = ["BEGIN", *written, "END"]
    return "\n".join(written)


def wild_orders(state: State, nation: PowerId, chance: random.Random) -> list[str]:
    """Orders of all kinds that make some sense."""
    return [*_dealings(state, nation, chance), *_spending(state, nation, chance), *_moves(state, nation, chance)]


def are_friends(one: int, other: int) -> bool:
    """Whether two nations, by number, seek each other's friendship."""
    return (one + other) % 3 == 0


def _dealings(state: State, nation: PowerId, chance: random.Random) -> Iterator[str]:
    me = state.nations[nation]
    for other in state.nations.values():
        if other.id == nation:
            continue
        status = me.status.get(other.id, 0)
        wanted = status + 1 if are_friends(me.number, other.number) and chance.random() < 0.97 else status - 1
        if wanted != status and 0 <= wanted <= 5 and not other.is_monsters:
            yield f"ALL {chance.choice((other.name, other.number))} {wanted}"
        if status >= 2 and me.gold and chance.random() < 0.3:
            yield f"DON {other.name} {chance.randint(1, me.gold)}"
        if status == 5 and chance.random() < 0.3:
            own = list(state.owned(nation))
            if own:
                x, y = state.grid.xy(chance.choice(own))
                yield f"CEDE {x} {y} {other.number}"


def _spending(state: State, nation: PowerId, chance: random.Random) -> Iterator[str]:
    own = list(state.owned(nation))
    if not own:
        return
    keywords = [troop.keyword for troop in state.rules.troops.values()]
    for _ in range(chance.randint(1, 5)):
        parts = []
        for cell in chance.choices(own, k=chance.randint(1, 3)):
            x, y = state.grid.xy(cell)
            parts.append(f"{x} {y} {chance.choice(keywords)}")
        yield f"PLA {' '.join(parts)}"
    x, y = state.grid.xy(chance.choice(own))
    if chance.random() < 0.3:
        yield f"BUILD {x} {y}"
    if chance.random() < 0.1:
        yield f"NAME {x} {y} Place {chance.randint(1, 50)}"
    for cell in chance.sample(own, min(3, len(own))):
        x, y = state.grid.xy(cell)
        yield f"DEF {x} {y} {chance.choice(list(Tactic))}"


def _moves(state: State, nation: PowerId, chance: random.Random) -> Iterator[str]:
    for index, province in enumerate(state.provinces):
        units = province.units.get(nation)
        if not units or chance.random() < 0.25:
            continue
        cell = Cell(index)
        x, y = state.grid.xy(cell)
        is_sea = state.rules.terrain[province.terrain].is_sea
        has_ships = any(state.rules.troops[symbol].is_ship for symbol in units)
        if has_ships and chance.random() < (0.5 if is_sea else 0.7):
            path = _path(state, nation, cell, chance, by_sea=True)
            if path:
                yield f"SEA {x} {y} {_company(state, units, chance, ships=True)} {path}"
        path = _path(state, nation, cell, chance, by_sea=False)
        if path:
            tactic = chance.choice(("", *Tactic))
            company = _company(state, units, chance, ships=is_sea and chance.random() < 0.7)
            yield f"LAND {x} {y} {tactic} {company} {path}"


def _company(state: State, units: Units, chance: random.Random, *, ships: bool) -> str:
    """Who goes: all, or some of each."""
    words = ["AT"] if chance.random() < 0.4 else []
    for symbol, amount in units.items():
        troop = state.rules.troops[symbol]
        if troop.is_ship:
            if ships or chance.random() < 0.02:
                words.append(f"{troop.keyword} {chance.randint(1, amount)}")
        elif not words or words[0] != "AT" or chance.random() < 0.2:
            words.append(f"{troop.keyword} {chance.randint(1, amount + (chance.random() < 0.05))}")
    return " ".join(words or ["AT"])


def _path(state: State, nation: PowerId, cell: Cell, chance: random.Random, *, by_sea: bool) -> str:
    """Some steps, mostly over ground that can be entered and rather towards others' land than through one's own."""
    steps = []
    for _ in range(chance.choice((1, 1, 2, 3, 6)) if by_sea else chance.choice((1, 1, 1, 2, 2, 3))):
        ways = [(way, near) for way, near in state.grid.steps[cell].items() if near is not None]
        ways = [(w, c) for w, c in ways if _is_sea(state, state.provinces[c]) is by_sea] or ways
        foreign = [(w, c) for w, c in ways if state.provinces[c].owner != nation]
        way, cell = chance.choice(foreign if foreign and chance.random() < 0.8 else ways)
        steps.append(way.value if chance.random() < 0.9 else way.name.lower())
    return " ".join(steps)


def _is_sea(state: State, province: Province) -> bool:
    return state.rules.terrain[province.terrain].is_sea


# The books

STOCKS = ("gold", "wood", "food", "fame")
INCOME = frozenset({"harvest"})
TRANSFERS = (frozenset({"cede"}), frozenset({"given"}))
"""Reasons whose entries cancel out over all nations."""


def audit_sheets(before: State, sheets: Mapping[PowerId, Sequence[Line]]) -> list[str]:
    """What does not balance in the books of the turn that these sheets make; nothing if all does."""
    done = run(before, sheets, RULES.play.dice(before).streams())
    return audit(before, done, done.close())


def audit(before: State, turn: Turn, after: State) -> list[str]:
    """What does not balance in a turn's books; nothing if all does.

    What every nation has afterwards, of gold, wood, food and fame and of each type of troops, is what it had and what
    the ledger says; nothing is ever spent that is not there; what is given arrives, less the fee; the harvest is what
    the provinces bear; and what is told as harvested, starved or given is what was booked.
    """
    return [
        *_balances(before, turn, after),
        *_transfers(turn),
        *_harvest(turn, after),
        *_told(turn),
        *_places(after),
    ]


def _balances(before: State, turn: Turn, after: State) -> Iterator[str]:
    running: dict[tuple[PowerId, str], int] = dict(_holdings(before))
    for entry in turn.ledger:
        key = (entry.nation, entry.what)
        running[key] = running.get(key, 0) + entry.amount
        if running[key] < 0:
            yield f"{entry.nation} has {running[key]} {entry.what} after {entry.why}"
    held = _holdings(after)
    for key in sorted({*running, *held}):
        if running.get(key, 0) != held.get(key, 0):
            yield f"{key[0]} has {held.get(key, 0)} {key[1]}, the books say {running.get(key, 0)}"


def _holdings(state: State) -> Mapping[tuple[PowerId, str], int]:
    found: Counter[tuple[PowerId, str]] = Counter()
    for nation in state.nations.values():
        for what in STOCKS:
            found[nation.id, what] = getattr(nation, what)
    for province in state.provinces:
        for owner, units in province.units.items():
            for symbol, amount in units.items():
                found[owner, symbol] += amount
    return found


def _transfers(turn: Turn) -> Iterator[str]:
    sums: defaultdict[tuple[str, str], int] = defaultdict(int)
    for entry in turn.ledger:
        sums[entry.why, entry.what] += entry.amount
    for (why, what), amount in sums.items():
        if any(why in reasons for reasons in TRANSFERS) and amount:
            yield f"{amount} {what} came from nowhere by {why}"
        if why in INCOME and amount < 0:
            yield f"the harvest took {amount} {what}"
    fees = sum(-(entry.amount // 10) for entry in turn.ledger if entry.why == "donate")
    given, arrived = -sums["donate", "gold"], sums["donation", "gold"]
    if given - arrived != fees:
        yield f"{given} gold given, {arrived} arrived, {fees} in fees"


def _harvest(turn: Turn, after: State) -> Iterator[str]:
    """The yields again, from the provinces as they were when they were harvested: before loyalty moved any."""
    moved = {event.what.code for event in turn.events} & {"event.fell_back", "event.fell_to_nobody"}
    if moved:
        return
    booked: Counter[tuple[PowerId, str]] = Counter()
    for entry in turn.ledger:
        if entry.why == "harvest":
            booked[entry.nation, entry.what] += entry.amount
    borne: Counter[tuple[PowerId, str]] = Counter()
    for province in after.provinces:
        kind = after.rules.terrain[province.terrain]
        if province.owner is not None and (after.options.sea_ownership or not kind.is_sea):
            for what in ("gold", "wood", "food"):
                borne[province.owner, what] += getattr(kind, what)
    if +booked != +borne:
        yield f"harvested {+booked}, the land bears {+borne}"


def _told(turn: Turn) -> Iterator[str]:
    """Amounts that were told against those that were booked."""
    told: Counter[str] = Counter()
    for event in turn.events:
        args = event.what.args
        match event.what.code:
            case "event.harvest":
                told["harvest"] += args["gold"] + args["wood"] + args["food"]
            case "event.starved_by_hunger" | "event.starved_by_siege":
                told["starved"] += args["amount"]
            case "event.donated":
                told["donate"] += args["gold"]
            case "event.fame":
                told["battle fame"] += args["points"]
    booked: Counter[str] = Counter()
    for entry in turn.ledger:
        if entry.why == "harvest":
            booked["harvest"] += entry.amount
        elif entry.why in ("hunger", "siege"):
            booked["starved"] -= entry.amount
        elif entry.why == "donate":
            booked["donate"] -= entry.amount
        elif entry.what == "fame":
            booked["battle fame"] += entry.amount
    if told != booked:
        yield f"told {told}, booked {booked}"


def _places(after: State) -> Iterator[str]:
    """Land holds units of its owner only, nobody stands at sea without a ship, and no store overflows its limit."""
    for index, province in enumerate(after.provinces):
        place = after.grid.name(Cell(index))
        if not _is_sea(after, province) and set(province.units) - {province.owner}:
            yield f"strangers stand in {place}"
        for nation, units in province.units.items() if _is_sea(after, province) else ():
            if not any(after.rules.troops[symbol].sea_move for symbol in units):
                yield f"{nation} swims in {place}"
    limit = after.options.storage_food
    for realm in after.nations.values():
        if limit is not None and realm.food > limit:
            yield f"{realm.id} stores {realm.food} food"
    for one in after.nations.values():
        for other, status in one.status.items():
            if after.nations[other].status.get(one.id, 0) != status:
                yield f"{one.id} and {other} are not level"
