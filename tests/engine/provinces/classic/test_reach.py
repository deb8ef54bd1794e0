"""Ways by sea: what is found of one goal by itself is what is found of all goals together."""

from __future__ import annotations

import random

from engine.provinces.classic.reach import position_of
from tests.engine.diplomacy.table import RULES
from tests.positions import dense_phase


def test_ways_to_one_province_are_those_among_the_ways_to_all() -> None:
    reach = position_of(RULES.play.load(dense_phase(1).document())).reach
    chance, provinces = random.Random("fleets"), tuple(reach.board.provinces)
    found = several = 0
    for _ in range(60):
        fleets = sum(bit for bit in reach.sea_bit.values() if chance.random() < 0.4)
        for origin in chance.sample(provinces, 12):
            routes = reach.routes(fleets, origin)
            for there in provinces:
                way = reach.way(fleets, origin, there)
                assert way == routes.get(there), (fleets, origin, there)
                found += way is not None
                several += way is not None and way.some != way.all
    assert found > 1000
    assert several > 50
