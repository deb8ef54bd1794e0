"""How battles in Kalevala end, row by row, against the table of expectations: 300 battles a row.

    nice -n 15 python -m tests.measure_kalevala_battles
    nice -n 15 python -m tests.measure_kalevala_battles --battles 50 --row "20L / 20B"
    python -m tests.measure_kalevala_battles --time "100L 50B / 100L 50B"

The set-up: two great fields of lowland, the attack goes north, the defender's trade centre on KF 19, everything by
default, no flight; wizards paralyse the best field in each round. A row is right when each share (attacker conquers, or
holds the centre at the end; defender holds it; attacker destroyed) is within 10 points of the expectation.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from time import process_time
from typing import NamedTuple

from engine.core.dice import Dice
from engine.core.ids import PowerId
from engine.kalevala.battle.course import TWELVE
from engine.kalevala.battle.ending import BattleEnd
from engine.kalevala.battle.ground import ground_of
from engine.kalevala.battle.rounds import fight_out
from engine.kalevala.battle.sites import Army, BattleSite, Party, Role
from engine.kalevala.coordinates import Edge, GfId, Province
from engine.kalevala.figures import Figures, parse_figures, price_of, total
from engine.kalevala.land import Land
from engine.kalevala.model import PLAIN, GreatField, TradeCentre, Work
from engine.kalevala.war.plans import Cast, Phalanx, Plan, Spot
from engine.kalevala.wizards.spells import PARALYSE
from engine.lattice.great_fields import Side

SOURCE, TARGET = Province("2D+4"), Province("2C+5")
"""The target lies north of the source."""
ANNA, BERT = PowerId("anna"), PowerId("bert")
TOLERANCE = 10


class Expected(NamedTuple):
    """A row of the table: percent of battles by end, mean rounds, losses of both in percent of their price."""

    attacker: str
    defender: str
    ends: tuple[int, int, int]
    rounds: float
    losses: tuple[int, int]


_TABLE = """
20L / 20L                     59/0/41   6.3  83/90
30L / 20L                     97/0/2    5.2  57/100
40L / 20L                     100/0/0   4.6  43/100
20LB / 10LB                   99/0/1    3.8  40/100
30L / 20LB                    37/2/60   8.6  90/82
40L / 20LB                    81/2/17   7.9  72/96
20LB / 40L                    41/9/51   9.6  88/86
40L / 11LC                    77/4/20   7.7  70/93
11LC / 40L                    28/32/40  10.6 83/82
20LB / 11LC                   87/0/13   6.1  57/96
11LC / 20LB                   36/3/61   7.8  87/75
60L / 30LC                    1/9/89    9.5  99/54
30LC / 60L                    100/0/0   8.6  41/100
20A / 20L                     81/0/19   6.0  71/96
20B / 20L                     57/5/38   8.1  68/86
20L / 20B                     53/3/44   7.7  82/83
10L 10B / 20L                 64/4/32   7.7  70/90
20L / 10L 10B                 63/2/35   7.4  79/89
20BB / 20LB                   39/5/56   7.9  78/76
20LB / 20BB                   73/2/25   7.5  70/91
11LC / 11BC                   84/0/16   5.8  54/93
13L 13IP / 20L                34/0/66   5.0  91/78
20L 20IP / 20L                89/0/11   4.7  67/98
20L / 20L 20IP                20/0/80   6.8  96/75
20L 20sP / 20L                98/0/1    4.7  49/100
20L phalanxes / 20L phalanxes 53/13/34  10.4 81/88
30L / 20L phalanxes           94/0/6    5.8  59/99
13L 13IP / 20B                34/4/62   6.9  87/70
20L phalanxes / 20L           77/4/20   9.2  71/95
20L / 20L phalanxes           51/0/48   7.1  84/86
13L 13IP / 20L phalanxes      21/0/79   5.0  94/66
20B / 20L phalanxes           37/62/0   11.7 32/82
6El 6L / 21L                  59/0/41   3.2  75/85
6El 6L / 6LC                  45/0/55   2.3  80/75
6El 6L / 21L phalanxes        41/0/59   3.2  83/76
20L 8On / 28L                 1/78/21   11.2 35/67
20L phalanxes / 20B           2/89/9    11.9 62/60
24L / 8L 4B                   100/0/0   4.0  38/100
24L / 13L 4B                  94/0/6    5.4  57/99
16L / 9L 4B                   88/0/12   5.4  60/97
20L Z/30 / 20L                91/0/8    6.3  61/98
20L / 20L Z/30                29/0/71   7.2  92/76
20L Z/30 / 20L Z/30           66/2/31   7.5  75/91
20L Z/30 / 30L                32/5/63   7.9  91/81
20L Z/100 / 40L               5/13/82   8.8  98/65
24L / 8L 4B Tu                59/41/0   11.7 50/95
24L 4Le / 8L 4B Tu            93/5/2    8.7  63/99
24L 2Wi / 8L 4B Tu            66/7/26   10.2 85/92
24L 4Le 2Wi / 8L 4B Tu        91/1/8    7.9  64/97
24L 5On / 8L 4B Tu            88/12/0   9.5  27/98
16L / 4L 4B Tu                58/42/0   11.7 33/94
16L 4Le / 4L 4B Tu            84/13/3   9.4  57/96
24L 4Le Z/60 / 8L 4B Tu       96/4/0    8.5  55/100
"""


def rows() -> tuple[Expected, ...]:
    """The expectations for the open field."""
    found = []
    for line in _TABLE.strip().splitlines():
        text, ends, rounds, losses = line.rsplit(maxsplit=3)
        attacker, defender = text.split(" / ")
        one, two, three = map(int, ends.split("/"))
        lost = tuple(map(int, losses.split("/")))
        found.append(Expected(attacker, defender, (one, two, three), float(rounds), (lost[0], lost[1])))
    return tuple(found)


LAND = Land({GfId(str(TARGET)): GreatField(centre=TradeCentre("Std"))}, PLAIN)
GROUND = ground_of(LAND, (SOURCE, TARGET))
TOWER = Work("Tu", 19, gates=(Edge(19, Side.SW),))
FORTIFIED = ground_of(
    Land({GfId(str(TARGET)): GreatField(centre=TradeCentre("Std"), works=(TOWER,))}, PLAIN), (SOURCE, TARGET)
)
"""The same with a tower on the trade centre, its gate on the south-western side."""


def site(attacker: str, defender: str) -> BattleSite:
    """The battle of a row."""
    armies = (_army(ANNA, SOURCE, attacker, TARGET), _army(BERT, TARGET, defender, None))
    parties = (Party(ANNA, Role.ATTACKER, has_plan=True), Party(BERT, Role.DEFENDER))
    foes = frozenset(((ANNA, BERT), (BERT, ANNA)))
    ground = FORTIFIED if " Tu" in defender else GROUND
    return BattleSite(TARGET, (TARGET, SOURCE), ground, parties, armies, foes)


def _army(ruler: PowerId, at: Province, text: str, target: Province | None) -> Army:
    figures = parse_figures(text.replace("phalanxes", "").replace("Tu", ""))
    assert figures is not None, text
    plan = Plan(at)
    if "phalanxes" in text:
        side = Side.NW if target is not None else Side.SE
        plan = Plan(at, phalanxes=tuple(Phalanx(Spot(cell), side) for cell in range(1, 49)))
    if "Z/" in text:
        plan = Plan(at, spells=(Cast(PARALYSE, is_each=True),))
    return Army(ruler, at, figures, plan, target)


def end_of(battle: BattleEnd) -> int:
    """0: the attacker has it; 1: the defender holds it; 2: the attacker is destroyed."""
    if battle.course.end != TWELVE:
        return 0 if battle.course.winner == ANNA else 2
    centre = GROUND.places[GROUND.centres[TARGET]][1]
    is_held = any((each.ruler, each.at, each.cell) == (ANNA, TARGET, centre) for each in battle.living)
    return 0 if is_held else 1


def worth_of(figures: Figures) -> int:
    """Their price."""
    return sum(price_of(item) * count for item, count in figures.items())


class Measured(NamedTuple):
    """What battles of a row came to."""

    ends: tuple[int, int, int]
    rounds: float
    losses: tuple[int, int]


def measure(row: Expected, battles: int, seed: str = "battles") -> Measured:
    """Fight a row's battle so many times."""
    start = site(row.attacker, row.defender)
    ends: Counter[int] = Counter()
    rounds = 0
    lost = [0, 0]
    for number in range(battles):
        battle = fight_out(start, Dice(f"{seed}/{row.attacker}/{row.defender}/{number}").streams())
        ends[end_of(battle)] += 1
        rounds += battle.course.length
        for place, ruler in enumerate((ANNA, BERT)):
            lost[place] += worth_of(dict(battle.course.lost.get(ruler, {})))
    prices = [worth_of(total(army.figures for army in start.armies if army.ruler == ruler)) for ruler in (ANNA, BERT)]
    shares = [round(100 * ends[place] / battles) for place in range(3)]
    losses = [round(100 * lost[place] / battles / prices[place]) for place in range(2)]
    return Measured((shares[0], shares[1], shares[2]), rounds / battles, (losses[0], losses[1]))


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """Print the table."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--battles", type=int, default=300)
    reader.add_argument("--row", help="a row alone, such as '20L / 20B'")
    reader.add_argument("--time", help="one battle of any figures, and the CPU seconds that it takes")
    given = reader.parse_args()
    if given.time is not None:
        start, began = site(*given.time.split(" / ")), process_time()
        battle = fight_out(start, Dice("time").logged().streams())
        _say(f"{given.time}: {battle.course.length} rounds, {process_time() - began:.2f} CPU seconds")
        return
    off = 0
    _say(f"{'attacker / defender':<32}{'expected':>12}{'measured':>12}{'KR':>12}{'losses':>18}")
    for row in rows():
        name = f"{row.attacker} / {row.defender}"
        if given.row not in (None, name):
            continue
        found = measure(row, given.battles)
        gap = max(abs(one - other) for one, other in zip(row.ends, found.ends, strict=True))
        off += gap > TOLERANCE
        _say(
            f"{name:<32}{'/'.join(map(str, row.ends)):>12}{'/'.join(map(str, found.ends)):>12}"
            f"{row.rounds:>6.1f}{found.rounds:>6.1f}{'/'.join(map(str, row.losses)):>9}"
            f"{'/'.join(map(str, found.losses)):>9}{'' if gap <= TOLERANCE else f'   off by {gap}'}",
        )
    _say(f"{off} rows are off by more than {TOLERANCE} points")


if __name__ == "__main__":
    main()
