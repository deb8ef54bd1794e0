"""The end of P1 and of P4: slaves whom nobody guards. Source: R-073"""

from __future__ import annotations

from collections import defaultdict

from engine.core.ids import PowerId
from engine.kalevala.coordinates import GfId, Province, gf_of, order_of
from engine.kalevala.figures import warriors
from engine.kalevala.working import Round

SLAVES, GUARDED = "Sl", 6
"""How many slaves a warrior guards."""


def count_guards(round_: Round) -> None:
    """Slaves beyond six for each warrior of their ruler in the great field are free, and gone. Ruling KA66"""
    for ruler in round_.rulers:
        men: defaultdict[GfId, int] = defaultdict(int)
        for place, figures in round_.stacks.get(ruler, {}).items():
            men[gf_of(place)] += warriors(figures)
        slaves: defaultdict[GfId, int] = defaultdict(int)
        for place in sorted(round_.stacks.get(ruler, {}), key=order_of):
            gf, count = gf_of(place), round_.stack(ruler, place).get(SLAVES, 0)
            before = slaves[gf]
            slaves[gf] += count
            free = slaves[gf] - max(before, GUARDED * men[gf])
            if count and free > 0:
                _let_go(round_, ruler, place, free)


def _let_go(round_: Round, ruler: PowerId, place: Province, count: int) -> None:
    round_.book(ruler, place, SLAVES, -count, "slaves")
    round_.tell("slaves", [ruler], {"gf": place, "free": count}, words="slaves_free", place=place, count=count)
