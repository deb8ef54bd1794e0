"""How long Kalevala's battles take, in CPU seconds: `nice -n 15 python -m tests.bench.bench_kalevala_battles`.

Battles of 300 and of 2,000 figures in positions meant to be slow: spread over up to 100 great fields, crowded onto two
small ones, everybody with an aim of his own at the far end of the site, aims that contradict each other, a ruler for
each great field, broken ground. The goals: 300 figures in less than 2 seconds, 2,000 in less than 20.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterator, Mapping
from itertools import cycle
from math import isqrt
from time import process_time
from typing import Any

from engine.core.dice import Dice
from engine.core.ids import PowerId
from engine.core.reading import read_orders
from engine.core.viewer import Playing
from engine.kalevala.battle.ground import ground_of
from engine.kalevala.battle.rounds import fight_out
from engine.kalevala.battle.sites import Army, BattleSite, Party, Role
from engine.kalevala.coordinates import Coordinate, GfId, Province, format_gf
from engine.kalevala.document import load
from engine.kalevala.figures import parse_figures
from engine.kalevala.land import Land
from engine.kalevala.model import PLAIN, GreatField
from engine.kalevala.system import KALEVALA
from engine.kalevala.war.plans import Aim, Band, Placing, Plan, Spot
from tests.measure_kalevala_battles import ANNA, BERT, site

GOALS = {300: 2, 2000: 20}
"""CPU seconds by figures."""
_BROKEN = "TTTtHhBSD"
_CROWDED = "T" + "W" * 46 + "T"


def grid(count: int) -> list[Province]:
    """So many great fields in a block."""
    wide = isqrt(count - 1) + 1
    return [Province(format_gf(Coordinate(2, place % wide + 2, place // wide + 2))) for place in range(count)]


def row(count: int) -> list[Province]:
    """So many one behind the other."""
    return [Province(format_gf(Coordinate(2, place + 2, 60 - place))) for place in range(count)]


def spread(
    lands: list[Province],
    figures: str,
    plan: Callable[[Province], Plan] = Plan,
    *,
    letters: str = "T",
    rulers: int = 2,
    cells: str = "",
) -> BattleSite:
    """Some figures in each great field, of the rulers by turns, who are all each other's enemies."""
    chance = random.Random("ground")
    fields = {GfId(land): GreatField(cells=cells or "".join(chance.choices(letters, k=48))) for land in lands}
    land = Land(fields, PLAIN)
    names = [ANNA, BERT] if rulers == 2 else [PowerId(f"ruler{number}") for number in range(rulers)]
    armies = []
    for place, ruler in zip(lands, cycle(names), strict=False):
        found = parse_figures(figures)
        assert found is not None, figures
        targets = [other for other in land.links(place) if other in lands] if ruler != BERT else []
        armies.append(Army(ruler, place, found, plan(place), targets[0] if targets else None))
    armies.sort(key=lambda army: army.target is None)
    parties = tuple(Party(ruler, Role.DEFENDER if ruler == BERT else Role.ATTACKER, has_plan=True) for ruler in names)
    foes = frozenset((one, other) for one in names for other in names if one != other)
    return BattleSite(lands[0], tuple(lands), ground_of(land, lands), parties, tuple(armies), foes)


def all_do(*aims: str) -> Callable[[Province], Plan]:
    """A plan with these aims for everybody, in turn by rounds."""
    step = 12 // len(aims)
    lines = tuple(Aim("ALL", what, first=1 + step * place) for place, what in enumerate(aims))
    return lambda place: Plan(place, is_own=True, aims=lines)


def each_elsewhere(item: str, count: int, lands: list[Province]) -> Callable[[Province], Plan]:
    """Everybody is a group of his own, with a small field to take that nobody else has, far away."""
    ends = [Spot(cell, land) for land in reversed(lands) for cell in range(1, 49)]
    taken = iter(cycle(ends))

    def plan(place: Province) -> Plan:
        names = [f"g{number}" for number in range(count)]
        aims = [Aim(name, "TAKE", next(taken)) for name in names]
        groups = tuple(Band(name, ((item, 1),)) for name in names)
        return Plan(place, is_own=True, groups=groups, aims=tuple(aims), names=frozenset(names))

    return plan


def placed(place: Province) -> Plan:
    """All figures placed one by one, guarding one small field."""
    places = tuple(Placing(Spot(cell), (("L", 1),)) for cell in range(1, 49))
    return Plan(place, is_own=True, places=places, aims=(Aim("ALL", "GUARD", Spot(48)),))


def positions(figures: int) -> Iterator[tuple[str, Callable[[], BattleSite]]]:
    """The battles, each made when it is asked for."""
    each = figures // 100  # on a hundred great fields
    tenth = figures // 10
    far, wide = grid(30), grid(100)
    lands = grid(figures // 20)
    half = f"{tenth // 2}L {tenth // 2}B"
    yield "two great fields", lambda: site(*[f"{figures // 4}L {figures // 4}B"] * 2)
    yield "two, elephants", lambda: site(*[f"{figures // 4}L {figures // 8}El {figures // 8}B"] * 2)
    yield "two, onagers", lambda: site(*[f"{3 * figures // 8}L {figures // 8}On"] * 2)
    yield "two, of two small fields each", lambda: spread(grid(2), f"{figures // 4}L {figures // 4}B", cells=_CROWDED)
    yield (
        "two, crowded, KILL",
        lambda: spread(grid(2), f"{figures // 4}L {figures // 4}LC", all_do("KILL"), cells=_CROWDED),
    )
    yield "ten", lambda: spread(grid(10), half)
    yield "ten, elephants", lambda: spread(grid(10), f"{tenth // 2}L {tenth // 4}El {tenth // 4}B")
    yield "ten, horses, broken ground", lambda: spread(grid(10), f"{half} {tenth}IP", letters=_BROKEN)
    yield (
        "thirty, each man elsewhere",
        lambda: spread(far, f"{figures // 30}L", each_elsewhere("L", figures // 30, far)),
    )
    yield (
        "thirty, the same, broken ground",
        lambda: spread(far, f"{figures // 30}L", each_elsewhere("L", figures // 30, far), letters=_BROKEN),
    )
    yield "a row of thirty", lambda: spread(row(30), f"{figures // 60}L {figures // 60}B")
    yield "a hundred", lambda: spread(wide, f"{each - each // 2}L {each // 2}B")
    yield "a row of a hundred", lambda: spread(row(100), f"{each}B")
    yield "a hundred, horses, SHOOT", lambda: spread(wide, f"{each}B {each}IP", all_do("SHOOT"))
    yield "a hundred, AVOID", lambda: spread(wide, f"{each}L", all_do("AVOID"))
    yield "a hundred, GUARD", lambda: spread(wide, f"{each}L", placed)
    yield "a hundred, now this, now that", lambda: spread(wide, f"{each}B", all_do("KILL", "AVOID", "SHOOT", "GUARD"))
    yield "a hundred, each man elsewhere", lambda: spread(wide, f"{each}L", each_elsewhere("L", each, wide))
    yield "a hundred, elephants", lambda: spread(wide, f"{each - each // 3}L {each // 3}El")
    yield "a hundred of thirty rulers", lambda: spread(wide, f"{each - each // 2}L {each // 2}B", rulers=30)
    yield "a hundred of a hundred rulers", lambda: spread(wide, f"{each}L", rulers=100)
    yield (
        f"{len(lands)} of {len(lands)} rulers, broken",
        lambda: spread(lands, "10L 10B 5IP", rulers=len(lands), letters=_BROKEN),
    )


def whole_window(rulers: int, figures: int) -> Mapping[str, Any]:
    """The document and sheets of a window in which everybody attacks the next one: one battle of them all."""
    lands = grid(3 * rulers)
    owners = {place: f"ruler{number % rulers}" for number, place in enumerate(lands)}
    stacks: dict[str, dict[str, str]] = {}
    each = figures // len(lands)
    for place, ruler in owners.items():
        stacks.setdefault(ruler, {})[place] = f"{each - each // 2}L {each // 2}B"
    land = Land({}, PLAIN)
    explored: dict[str, list[dict[str, str]]] = {}
    orders: dict[str, list[str]] = {}
    for place, ruler in owners.items():
        target = next((other for other in land.links(place) if owners.get(other, ruler) != ruler), None)
        rows = explored.setdefault(ruler, [])
        if target is not None and len(rows) < 3:
            rows.append({"from": place, "to": target})
            line = f"ENTER {len(rows) + 3} {place} K {target} {stacks[ruler][place]}"
            orders.setdefault(ruler, []).append(line)
    state = {"rulers": {ruler: {} for ruler in stacks}, "owners": owners, "stacks": stacks, "explored": explored}
    document = {"system": "kalevala", "seed": "window", "phase": {"gr": 2, "part": 3}, "state": state}
    return {"document": document, "orders": orders}


def time_window(rulers: int, figures: int) -> tuple[float, int]:
    """The CPU seconds of such a window, sheets read before, and how many battles came of it."""
    given = whole_window(rulers, figures)
    state = load(dict(given["document"]))
    sheets = {
        PowerId(ruler): read_orders(
            KALEVALA, KALEVALA.sight.view(state, Playing(PowerId(ruler))), "\n".join(lines)
        ).values
        for ruler, lines in given["orders"].items()
    }
    start = process_time()
    done = KALEVALA.play.adjudicate(state, sheets, KALEVALA.play.dice(state))
    spent = process_time() - start
    return spent, len({event.facts.args["id"] for event in done.events if event.facts and event.facts.code == "battle"})


def main() -> None:
    """Print the table."""
    reader = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    reader.add_argument("--only", default="", help="positions whose names hold these words")
    reader.add_argument("--figures", type=int, choices=sorted(GOALS), help="of so many alone")
    given = reader.parse_args()
    slowest = 0.0
    for figures, goal in GOALS.items():
        if given.figures not in (None, figures):
            continue
        _say(f"{figures} figures, goal {goal} CPU seconds")
        for name, make in positions(figures):
            if given.only in name:
                start = process_time()
                battle = fight_out(make(), Dice("bench").logged().streams())
                spent = process_time() - start
                slowest = max(slowest, spent / goal)
                _say(
                    f"  {name:<36}{battle.course.length:>3} rounds {spent:>7.2f}{'' if spent < goal else '   too long'}"
                )
        for rulers in (17, 33):
            name = f"a window of {rulers} rulers"
            if given.only in name:
                spent, battles = time_window(rulers, figures)
                slowest = max(slowest, spent / goal)
                _say(f"  {name:<36}{battles:>3} battles{spent:>7.2f}{'' if spent < goal else '   too long'}")
    _say(f"the slowest takes {slowest:.2f} of its goal")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
