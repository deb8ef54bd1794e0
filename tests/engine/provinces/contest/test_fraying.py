"""Supports that lessen each other: the same as trying all strengths tells, at a cost that does not explode."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from engine.provinces.contest import components
from engine.provinces.contest.components import Ruling, resolve
from engine.provinces.contest.contest import NOBODY, Contest
from engine.provinces.contest.equations import Equations
from tests.engine.provinces.contest.test_kernel_circles import fray_ring, random_contest
from tests.oracle.fraying import ring_answers, try_all_strengths

STAY = NOBODY


def ring_of(supports: Sequence[int], attacks: Sequence[int]) -> Contest:
    """The ring of `fray_ring` with these strengths; the attack on each knight is by the army of the one before."""
    ring, number = fray_ring(len(supports)), len(supports)
    armies = [attacks[(knight + 1) % number] for knight in range(number)]
    return Contest(ring.at, ring.side, ring.to, ring.helps, ring.about, [2] * number + armies,
                   [99] * number + [1] * number, [*supports, *[1] * number], frays=ring.frays)  # fmt: skip


@pytest.mark.parametrize("number", range(2, 10))
def test_a_ring_counts_its_single_answer_or_nothing(number: int) -> None:
    chance = random.Random(number)
    for _ in range(4 if number > 7 else 25):
        supports = [chance.choice((1, 2, 2, 2, 3)) for _ in range(number)]
        attacks = [chance.choice((0, 1, 1, 1, 2)) for _ in range(number)]
        answers = ring_answers(supports, attacks)
        expected = answers[0] if len(answers) == 1 else (0,) * number
        equations = resolve(ring_of(supports, attacks)).equations
        assert [equations.support(knight) for knight in range(number)] == [(own, own) for own in expected]


def battle(
    chance: random.Random, knights: int, *, supports: int = 2, holds: int = 2, in_a_space: int = 1, order: float = 0.9
) -> Contest:
    """Knights that all support, and armies that all attack, mostly a knight: in rings, with tails, or without.

    Args:
        supports: what a knight supports with.
        holds: what it holds with.
        in_a_space: how many knights share one, all lessened by the same attacks.
        order: how much of it is a few large rings; the rest is as it falls.
    """
    spaces = (knights + in_a_space - 1) // in_a_space
    armies = range(knights, 2 * knights + chance.choice((0, 0, 1, 3)))
    units = range(armies.stop)
    at = [unit // in_a_space if unit < knights else 1000 + unit for unit in units]
    ring = chance.sample(range(spaces), spaces)
    next_to = dict(zip(ring, ring[1:] + ring[:1], strict=True))
    to, helps, about = [STAY] * len(units), [STAY] * len(units), [STAY] * len(units)
    for army in armies:
        in_order = army < 2 * knights and chance.random() < order
        goals = at[:knights] * 3 + [at[other] for other in armies if other != army]
        to[army] = next_to[at[army - knights]] if in_order else chance.choice(goals)
    for knight in range(knights):
        others = [army for army in armies if to[army] != at[knight]] or list(armies)
        in_order = chance.random() < order
        helps[knight] = knight + knights if in_order else chance.choice([*others, (knight + 1) % knights])
        about[knight] = at[helps[knight]] if to[helps[knight]] == STAY else to[helps[knight]]
    sides = chance.choice((9, 1000, 1000))
    return Contest(
        at,
        [chance.randrange(sides) for _ in units],
        to,
        helps,
        about,
        attacks=[2] * knights + [chance.choice((0, *[1] * 8, 2)) for _ in armies],
        holds=[holds] * knights + [1] * len(armies),
        supports=[supports + (chance.random() < 0.2) for _ in range(knights)] + [1] * len(armies),
        frays=frozenset(range(knights)),
    )


def told(ruling: Ruling) -> list[Any]:
    """All that a ruling says."""
    equations = ruling.equations
    supports = [equations.support(unit) for unit, helped in enumerate(equations.contest.helps) if helped != NOBODY]
    return [equations.moved, supports, ruling.fallbacks]


CONTESTS: dict[str, Callable[[random.Random], Contest]] = {
    "every extra": random_contest,
    "few knights": lambda chance: battle(chance, chance.randint(3, 9)),
    "all in rings": lambda chance: battle(chance, chance.randint(3, 8), order=1),
    "as it falls": lambda chance: battle(chance, chance.randint(3, 12), order=0),
    "supports stronger than who gives them": lambda chance: battle(chance, chance.randint(3, 6), supports=3, holds=1),
    "several in a space": lambda chance: battle(chance, chance.randint(3, 7), in_a_space=2),
    "two rings": lambda chance: two_rings(chance.randint(2, 4), chance.randint(2, 4)),
}


def two_rings(one: int, other: int) -> Contest:
    """Two rings of knights, and a lone army that attacks one of the second ring."""
    first, second = fray_ring(one), fray_ring(other)
    units, spaces = 2 * one, 1000

    def further(values: Sequence[int], by: int) -> list[int]:
        return [value if value == STAY else value + by for value in values]

    to = [*first.to, *further(second.to, spaces), spaces]
    return Contest(
        at=[*first.at, *further(second.at, spaces), 500],
        side=[*first.side, *(100 + knight for knight in range(other)), *(100 + knight for knight in range(other)), 200],
        to=to,
        helps=[*first.helps, *further(second.helps, units), STAY],
        about=[*first.about, *further(second.about, spaces), STAY],
        holds=[9] * (len(to)),
        supports=[2] * len(to),
        frays=frozenset({*first.frays, *further(sorted(second.frays), units)}),
    )


@pytest.mark.parametrize("make", CONTESTS.values(), ids=list(CONTESTS))
def test_random_battles_end_as_when_all_strengths_are_tried(
    make: Callable[[random.Random], Contest], monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(13)
    contests = [make(chance) for _ in range(300)]
    found = [told(resolve(contest)) for contest in contests]
    monkeypatch.setattr(components, "_find_answers", try_all_strengths)
    for contest, answer in zip(contests, found, strict=True):
        assert answer == told(resolve(contest))


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Filled with the unit of each support and attack that is worked out."""
    done: list[int] = []
    for name in ("_support_under_attack", "move_from_rest"):
        worker = getattr(Equations, name)

        def counting(self: Equations, unit: int, *more: Any, worker: Callable[..., Any] = worker) -> Any:
            done.append(unit)
            return worker(self, unit, *more)

        monkeypatch.setattr(Equations, name, counting)
    return done


def work_of(contest: Contest, done: list[int]) -> int:
    done.clear()
    resolve(contest)
    return len(done)


@pytest.mark.parametrize("one", [1, 2])
def test_rings_of_thirty_cost_little_more_than_their_square(one: int, work: list[int]) -> None:
    # Doubling the ring may at most multiply the work by four, and a bit.
    small, large = (ring_of([2] * number, [one] * number) for number in (14, 28))
    assert work_of(large, work) <= 5 * work_of(small, work)
    assert work_of(ring_of([2] * 30, [one] * 30), work) < 10_000


def test_many_knights_in_any_shape_cost_little(work: list[int]) -> None:
    chance = random.Random(27)
    battles = [battle(chance, 30, order=order) for order in (0, 0.5, 0.9, 1) for _ in range(15)]
    assert max(work_of(contest, work) for contest in battles) < 10_000


def test_a_ring_is_settled_by_the_guesses_of_one_support(asked: list[int]) -> None:
    resolve(ring_of([2] * 30, [1] * 30))
    assert len(asked) <= 1 + 3


def test_a_component_that_takes_too_many_guesses_counts_as_one_without_a_single_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    supports, attacks = [3, 3, 3], [1, 1, 1]
    assert ring_answers(supports, attacks) == [(1, 1, 1)]
    ring = ring_of(supports, attacks)
    assert [resolve(ring).equations.support(knight) for knight in range(3)] == [(1, 1)] * 3
    monkeypatch.setattr(components, "MOST_GUESSES", 1)
    assert [resolve(ring).equations.support(knight) for knight in range(3)] == [(0, 0)] * 3


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Filled with one for each position of a search for answers."""
    positions: list[int] = []
    next_guesses = components._next_guesses

    def noted(*args: Any) -> Any:
        positions.append(1)
        return next_guesses(*args)

    monkeypatch.setattr(components, "_next_guesses", noted)
    return positions


def test_a_second_answer_ends_the_search(asked: list[int]) -> None:
    supports, attacks = [3] * 4, [0] * 4
    assert len(ring_answers(supports, attacks)) == 4
    resolve(ring_of(supports, attacks))
    assert len(asked) == 1 + 2


def test_a_search_ends_when_its_guesses_are_used_up(asked: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    ring = ring_of([3] * 3, [0] * 3)
    resolve(ring)
    assert len(asked) == 1 + 4
    asked.clear()
    monkeypatch.setattr(components, "MOST_GUESSES", 1)
    resolve(ring)
    assert len(asked) == 1 + 1
