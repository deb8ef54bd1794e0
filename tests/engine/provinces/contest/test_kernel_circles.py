"""What the kernel does about supports that fray each other, orders that void each other, and places that help."""

from __future__ import annotations

import random

import pytest

from engine.provinces.contest.components import Fallback, resolve
from engine.provinces.contest.contest import NOBODY, Contest, Garrison
from engine.provinces.contest.voiding import settle_voids

RED, BLUE, GREEN = 0, 1, 2
STAY = NOBODY


def fray_ring(number: int) -> Contest:
    """Knights in spaces 0, 1, …, each of which helps an army to attack the next one, by the army's own side."""
    knights, armies = range(number), range(number, 2 * number)
    return Contest(
        at=[*knights, *(100 + army for army in armies)],
        side=[*knights, *knights],
        to=[*[STAY] * number, *((knight + 1) % number for knight in knights)],
        helps=[*armies, *[STAY] * number],
        about=[*((knight + 1) % number for knight in knights), *[STAY] * number],
        attacks=[2] * number + [1] * number,
        holds=[9] * number + [1] * number,
        supports=[2] * number + [1] * number,
        frays=frozenset(knights),
    )


@pytest.mark.parametrize("number", [2, 3, 4, 5])
def test_supports_that_fray_each_other_in_a_circle_count_nothing_without_a_single_answer(number: int) -> None:
    ruling = resolve(fray_ring(number))
    assert [ruling.equations.support(knight) for knight in range(number)] == [(0, 0)] * number
    assert not any(ruling.equations.moved)
    assert ruling.fallbacks == ()


def test_a_circle_of_fraying_supports_with_a_single_answer_has_it() -> None:
    # The first knight is attacked by strength 2 whatever becomes of the second's support: nothing of its own is left.
    ring = fray_ring(2)
    attacks = [2, 2, 1, 2]
    ruling = resolve(Contest(ring.at, ring.side, ring.to, ring.helps, ring.about, attacks, ring.holds, ring.supports,
                             frays=ring.frays))  # fmt: skip
    assert [ruling.equations.support(knight) for knight in range(2)] == [(0, 0), (1, 1)]


def test_random_contests_with_every_extra_have_consistent_answers() -> None:
    chance = random.Random(5)
    for _ in range(1500):
        ruling = resolve(random_contest(chance))
        equations = ruling.equations
        assert None not in equations.moved
        if all(fallback is Fallback.CIRCLE for fallback, _ in ruling.fallbacks):
            for unit in equations.attackers:
                assert equations.move_from_rest(unit) == equations.moved[unit]
        for unit in equations.attackers:
            least, most = equations.attack(unit)
            assert least == most


def random_contest(chance: random.Random) -> Contest:
    """Up to nine units on ten spaces of which each borders all others."""
    at = chance.sample(range(10), chance.randint(4, 9))
    units = range(len(at))
    side = [chance.randrange(3) for _ in units]
    to = [chance.choice([space for space in range(10) if space != at[unit]]) for unit in units]
    stays = [chance.random() < 0.5 for _ in units]
    to = [STAY if stays[unit] else to[unit] for unit in units]
    helps = [chance.choice([u for u in units if u != unit]) if stays[unit] else STAY for unit in units]
    strength = [chance.choice((1, 1, 2)) for _ in units]
    castles = chance.sample(range(10), 2)
    return Contest(
        at=at,
        side=side,
        to=to,
        helps=helps,
        about=[STAY if helped == STAY else at[helped] if to[helped] == STAY else to[helped] for helped in helps],
        attacks=strength,
        holds=strength,
        supports=strength,
        frays=frozenset(unit for unit in units if strength[unit] == 2 and helps[unit] != STAY),
        garrisons={castle: Garrison(0, 1, frozenset({RED})) for castle in castles},
        welcomes={unit: 1 for unit in units if to[unit] in castles and side[unit] == RED},
    )


@pytest.mark.parametrize(("leaves_to", "gets_in"), [(STAY, False), (4, True), (5, False)])
def test_a_place_helps_whom_it_welcomes_only_once_it_is_left(leaves_to: int, gets_in: bool) -> None:
    # Space 2 welcomes unit 1, which has a rival; unit 0 in it may stay, leave for 4, or fail to leave for 5.
    contest = Contest(
        at=[2, 1, 3, 5],
        side=[RED, RED, BLUE, GREEN],
        to=[leaves_to, 2, 2, STAY],
        helps=[NOBODY] * 4,
        about=[NOBODY] * 4,
        welcomes={1: 1},
    )
    assert resolve(contest).equations.moved[1] is gets_in


# Orders that void others. Spaces have the numbers of the units that stand in them.


def settle(voids: dict[int, int], attacks: dict[int, int], side: list[int]) -> tuple[set[int], set[int], set[int]]:
    number = len(side)
    found = settle_voids(side, list(range(number)), [attacks.get(unit, STAY) for unit in range(number)], voids)
    return set(found.voided), set(found.failed), set(found.circles)


def test_an_order_voids_another_unless_its_unit_is_attacked() -> None:
    assert settle({0: 1}, {}, [RED, BLUE]) == ({1}, set(), set())
    assert settle({0: 1}, {2: 0}, [RED, BLUE, GREEN]) == (set(), {0}, set())
    assert settle({0: 1}, {2: 0}, [RED, BLUE, RED]) == ({1}, set(), set())


def test_an_attack_that_is_voided_stops_nothing() -> None:
    assert settle({0: 1, 3: 2}, {2: 0}, [RED, BLUE, GREEN, BLUE]) == ({1, 2}, set(), set())


def test_a_voided_order_voids_nothing() -> None:
    assert settle({0: 1, 1: 2}, {}, [RED, BLUE, GREEN]) == ({1}, {1}, set())


def test_a_circle_of_three_is_found_with_all_that_are_in_it() -> None:
    assert settle({0: 1, 1: 2}, {2: 0}, [RED, BLUE, GREEN]) == (set(), set(), {0, 1, 2})


def test_two_that_void_each_other_are_a_circle_unless_a_third_is_certain() -> None:
    assert settle({0: 1, 1: 0}, {}, [RED, BLUE]) == (set(), set(), {0, 1})
    assert settle({0: 1, 1: 0, 2: 0}, {}, [RED, BLUE, GREEN]) == ({0}, {0}, set())


def test_a_victim_that_attacks_its_own_author_is_a_circle() -> None:
    assert settle({0: 1}, {1: 0}, [RED, BLUE]) == (set(), set(), {0, 1})


def test_certain_answers_beside_a_circle_stand() -> None:
    assert settle({0: 1, 1: 0, 2: 3}, {}, [RED, BLUE, RED, BLUE]) == ({3}, set(), {0, 1})
