"""Distances over the small fields of a site, told by bits: against the plainest way to find them."""

from __future__ import annotations

import random
from functools import partial

import pytest

from engine.kalevala.battle.boards import Nearness, Paths, Ways
from engine.kalevala.battle.ground import Battlefield, Kf, ground_of
from engine.kalevala.coordinates import Edge, GfId, Province
from engine.kalevala.land import Land
from engine.kalevala.model import PLAIN, GreatField
from engine.lattice.great_fields import Side

LANDS = tuple(map(Province, ("2D+4", "2D+5", "2E+4", "2G+1")))


def broken_ground(seed: str) -> Battlefield:
    chance = random.Random(seed)
    fields = {
        GfId(land): GreatField(
            cells="".join(chance.choices("TTTHBWG", k=48)),
            rivers=frozenset(Edge(chance.randint(1, 48), chance.choice(list(Side))) for _ in range(9)),
        )
        for land in LANDS
    }
    return ground_of(
        Land(fields, PLAIN), [each for land in LANDS for each in Land(fields, PLAIN).provinces(GfId(land))]
    )


def steps(ground: Battlefield, kf: Kf, *, is_gear: bool) -> list[Kf]:
    beside = [other for other in ground.around[kf] if other >= 0 and ground.provinces[other] is not None]
    if is_gear:
        rivers = ground.rivers
        return [each for each in beside if ground.levels[each] == ground.levels[kf] and (kf, each) not in rivers]
    return [each for each in beside if ground.is_climbable(kf, each)]


def plainly(ground: Battlefield, goals: set[Kf], closed: set[Kf], *, is_gear: bool) -> dict[Kf, int]:
    found = dict.fromkeys(goals, 0)
    frontier = list(goals)
    while frontier:
        beyond = []
        for kf in frontier:
            for other in steps(ground, kf, is_gear=is_gear):
                if other not in found and other not in closed:
                    found[other] = found[kf] + 1
                    beyond.append(other)
        frontier = beyond
    return found


@pytest.mark.parametrize("is_gear", [False, True])
def test_ways_lead_round_what_is_closed_and_over_what_can_be_climbed(is_gear: bool) -> None:
    for number in range(5):
        ground, chance = broken_ground(f"ways/{number}"), random.Random(number)
        every = range(len(ground.places))
        goals, closed = set(chance.sample(every, 3)), set(chance.sample(every, 30))
        board = ground.board
        paths = Paths(ground, partial(steps, ground, is_gear=is_gear))
        ways = Ways(board, board.of(goals), board.of(closed), paths)
        expected = plainly(ground, goals, closed, is_gear=is_gear)
        order = chance.sample(every, len(every))  # whoever asks first
        assert {kf: ways.steps(kf) for kf in order} == {kf: expected.get(kf) for kf in order}


def test_the_nearest_of_some_fields_straight_over_everything() -> None:
    ground, chance = broken_ground("nearness"), random.Random(1)
    others = chance.sample(range(len(ground.places)), 7)
    near = Nearness(ground, others)
    for kf in range(len(ground.places)):
        assert near.away(kf) == min(ground.distance(kf, other) for other in others)
        within = {other for other in range(len(ground.places)) if ground.distance(kf, other) <= 4}
        assert {other for other, _ in ground.board.within(kf, 4)} == within
        assert set(ground.board.members(ground.board.around(kf, 4))) == within
