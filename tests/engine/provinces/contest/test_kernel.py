"""The kernel's equations over numbers: each test is a handful of units on numbered spaces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from engine.provinces.contest.components import Backup, Fallback, Ruling, resolve
from engine.provinces.contest.contest import NOBODY, Contest, Garrison, Route

RED, BLUE, GREEN = 0, 1, 2
STAY = NOBODY


def contest(*units: tuple[int, int, int], helps: dict[int, tuple[int, int]] | None = None, **more: Any) -> Contest:
    """Units as (side, where it stands, where it goes); `helps` by supporter: (whom, about which space)."""
    helps = helps or {}
    numbers = range(len(units))
    return Contest(
        at=[at for _, at, _ in units],
        side=[side for side, _, _ in units],
        to=[to for _, _, to in units],
        helps=[helps.get(number, (NOBODY, NOBODY))[0] for number in numbers],
        about=[helps.get(number, (NOBODY, NOBODY))[1] for number in numbers],
        **more,
    )


def moved(ruling: Ruling) -> list[int]:
    """The units that got where they went."""
    return [unit for unit, truth in enumerate(ruling.equations.moved) if truth]


def outcome(*units: tuple[int, int, int], **more: Any) -> list[int]:
    return moved(resolve(contest(*units, **more)))


def test_equal_strengths_keep_each_other_out() -> None:
    assert outcome((RED, 1, 3), (BLUE, 2, 3)) == []


@pytest.mark.parametrize(("attack", "hold", "gets_in"), [(4, 4, False), (5, 4, True), (2, 4, False), (1, 0, True)])
def test_strengths_are_numbers(attack: int, hold: int, gets_in: bool) -> None:
    ruling = resolve(contest((RED, 1, 2), (BLUE, 2, STAY), attacks=[attack, 9], holds=[9, hold]))
    assert moved(ruling) == [0] * gets_in
    assert ruling.equations.dislodged(1) is gets_in


def test_a_unit_without_strength_stands_nobody_off_and_enters_nowhere() -> None:
    assert outcome((RED, 1, 3), (BLUE, 2, 3), attacks=[0, 1]) == [1]
    assert outcome((RED, 1, 3), (BLUE, 2, 3), attacks=[0, 0]) == []


def test_a_support_is_worth_the_strength_of_the_supporter() -> None:
    units = ((RED, 1, 3), (RED, 2, STAY), (BLUE, 3, STAY))
    supported = {1: (0, 3)}
    assert outcome(*units, helps=supported, attacks=[4, 4, 4], holds=[4, 4, 7], supports=[1, 4, 1]) == [0]
    assert outcome(*units, helps=supported, attacks=[4, 4, 4], holds=[4, 4, 7], supports=[1, 3, 1]) == []


def test_the_strongest_of_three_gets_in_only_if_it_beats_each() -> None:
    assert outcome((RED, 1, 4), (BLUE, 2, 4), (GREEN, 3, 4), attacks=[3, 2, 2]) == [0]
    assert outcome((RED, 1, 4), (BLUE, 2, 4), (GREEN, 3, 4), attacks=[3, 3, 2]) == []


def test_a_unit_that_cannot_leave_defends_with_its_own_strength_alone() -> None:
    # Unit 1 is kept out by unit 2; the support for its move does not help it to stay.
    units = ((RED, 1, 2), (BLUE, 2, 4), (GREEN, 3, 4), (BLUE, 5, STAY))
    assert outcome(*units, helps={3: (1, 4)}, attacks=[2, 1, 2, 1]) == [0]


def test_head_to_head_the_support_of_the_other_move_counts_as_defence() -> None:
    units = ((RED, 1, 2), (BLUE, 2, 1), (BLUE, 3, STAY))
    assert outcome(*units, helps={2: (1, 1)}, attacks=[2, 1, 1], holds=[2, 1, 1]) == []
    assert outcome(*units, attacks=[2, 1, 1]) == [0]


def test_no_side_dislodges_its_own_or_helps_against_its_own() -> None:
    assert outcome((RED, 1, 2), (RED, 2, STAY), attacks=[9, 1]) == []
    assert outcome((RED, 1, 2), (BLUE, 2, STAY), (BLUE, 3, STAY), helps={2: (0, 2)}) == []


def test_a_support_is_cut_from_anywhere_but_where_it_is_aimed_at() -> None:
    base = ((RED, 1, 3), (RED, 2, STAY), (BLUE, 3, STAY))
    assert outcome(*base, (BLUE, 4, 2), helps={1: (0, 3)}) == []
    # The victim's own attack on the supporter does not cut.
    assert outcome((RED, 1, 3), (RED, 2, STAY), (BLUE, 3, 2), helps={1: (0, 3)}) == [0]
    # Neither does an attack of the supporter's own side.
    assert outcome(*base, (RED, 4, 2), helps={1: (0, 3)}) == [0]


@pytest.mark.parametrize(("cutters", "left"), [(0, 2), (1, 1), (2, 0), (3, 0)])
def test_a_fraying_support_loses_the_strength_of_each_attack(cutters: int, left: int) -> None:
    units = [(RED, 1, 3), (RED, 2, STAY), (GREEN, 3, STAY), *[(BLUE, 10 + number, 2) for number in range(cutters)]]
    ruling = resolve(
        contest(*units, helps={1: (0, 3)}, supports=[1, 2, 1, 1, 1, 1], holds=[9] * 6, frays=frozenset({1}))
    )
    assert ruling.equations.support(1) == (left, left)


def test_a_garrison_adds_to_who_stays_and_holds_alone_when_nobody_does() -> None:
    castle = {2: Garrison(beside=1, alone=2)}
    assert outcome((RED, 1, 2), (BLUE, 2, STAY), attacks=[2, 1], garrisons=castle) == []
    assert outcome((RED, 1, 2), (BLUE, 2, STAY), attacks=[3, 1], garrisons=castle) == [0]
    assert outcome((RED, 1, 2), (BLUE, 2, 4), attacks=[2, 1], garrisons=castle) == [1]
    assert outcome((RED, 1, 2), attacks=[3], garrisons=castle) == [0]


def test_a_garrison_spares_its_friends() -> None:
    castle = {2: Garrison(beside=1, alone=1, spares=frozenset({RED}))}
    assert outcome((RED, 1, 2), garrisons=castle) == [0]
    assert outcome((BLUE, 1, 2), garrisons=castle) == []


def test_a_garrison_defends_who_meets_its_attacker_head_on() -> None:
    castle = {2: Garrison(beside=1, alone=1)}
    assert outcome((RED, 1, 2), (BLUE, 2, 1), attacks=[2, 1], garrisons=castle) == []
    assert outcome((RED, 1, 2), (BLUE, 2, 1), attacks=[3, 1], garrisons=castle) == [0]


def test_a_circle_of_moves_succeeds_and_is_reported() -> None:
    ruling = resolve(contest((RED, 1, 2), (BLUE, 2, 3), (GREEN, 3, 1)))
    assert moved(ruling) == [0, 1, 2]
    assert ruling.fallbacks == ((Fallback.CIRCLE, (0, 1, 2)),)


def test_a_circle_with_one_contested_space_stands_still() -> None:
    ruling = resolve(contest((RED, 1, 2), (BLUE, 2, 3), (GREEN, 3, 1), (BLUE, 4, 1)))
    assert moved(ruling) == []
    assert ruling.fallbacks == ()


def route(carriers: Sequence[int], *, is_only_way: bool = True) -> Route:
    """Each carrier alone is enough."""
    mask = sum(1 << carrier for carrier in carriers)
    return Route(tuple(carriers), mask, mask, dict.fromkeys(carriers, 0), is_only_way)


def test_an_attack_is_carried_while_one_of_its_routes_holds() -> None:
    units = ((RED, 1, 5), (RED, 2, STAY), (RED, 3, STAY), (BLUE, 4, 2))
    more: dict[str, Any] = {"attacks": [1, 1, 1, 2]}
    assert outcome(*units, routes={0: route([1])}, **more) == [3]
    assert outcome(*units, routes={0: route([1, 2])}, **more) == [0, 3]


def test_a_carried_attack_passes_who_comes_the_other_way() -> None:
    units = ((RED, 1, 2), (BLUE, 2, 1), (RED, 3, STAY))
    assert outcome(*units, routes={0: route([2])}) == [0, 1]
    assert outcome(*units) == []


def test_an_attack_with_another_way_goes_directly_when_its_route_breaks() -> None:
    units = ((RED, 1, 2), (BLUE, 2, 1), (RED, 3, STAY), (BLUE, 4, 3))
    assert outcome(*units, attacks=[1, 1, 1, 2], routes={0: route([2], is_only_way=False)}) == [3]


def paradox() -> Contest:
    """A carried attack (0, by 1) on a supporter (3) of the attack (2) on its carrier."""
    return contest(
        (RED, 1, 4),
        (RED, 2, STAY),
        (BLUE, 3, 2),
        (BLUE, 4, STAY),
        helps={3: (2, 2)},
        routes={0: route([1])},
    )


def test_a_paradox_holds_the_carriers_and_leaves_the_rest_as_ordered() -> None:
    ruling = resolve(paradox())
    assert moved(ruling) == [2]
    assert ruling.equations.held == {1}
    assert [fallback for fallback, _ in ruling.fallbacks] == [Fallback.PARADOX]


def test_a_paradox_may_fail_every_attack_in_it() -> None:
    assert moved(resolve(paradox(), Backup.ATTACKS_FAIL)) == []


def test_no_paradox_is_found_where_one_answer_fits() -> None:
    # The support is given whatever the carried attack does: it comes from the space that the support is about.
    ruling = resolve(
        contest((RED, 2, 4), (RED, 5, STAY), (BLUE, 3, 2), (BLUE, 4, STAY), helps={3: (2, 2)}, routes={0: route([1])})
    )
    assert ruling.fallbacks == ()
    assert ruling.equations.held == set()


def test_what_stopped_an_attack_is_told_with_both_strengths() -> None:
    ruling = resolve(contest((RED, 1, 2), (BLUE, 2, STAY), attacks=[3, 1], holds=[1, 4]))
    assert ruling.equations.obstacle(0) == (3, 4, 1)
    assert resolve(contest((RED, 1, 2), garrisons={2: Garrison(0, 5)})).equations.obstacle(0) == (1, 5, NOBODY)


def test_who_lost_to_a_carried_attack_still_stands_off_others_where_it_came_from_unless_that_is_safe() -> None:
    # 0 is carried into the space of 1, which goes the other way; 2 wants to go there too.
    units = ((RED, 1, 2), (BLUE, 2, 1), (GREEN, 3, 1), (RED, 4, STAY))
    more: dict[str, Any] = {"attacks": [2, 1, 1, 1], "routes": {0: route([3])}}
    assert outcome(*units, **more) == [0]
    assert outcome(*units, **more, origin_is_safe=True) == [0, 2]
