"""How the computer plays King of Kings: what it tells other nations follows a rule, and its troops go for land."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from engine.core.ids import PowerId
from engine.king_of_kings.judgement import draft
from engine.king_of_kings.model import Ally, Build, Cede, Donate, Line, March, Place, Province, State, Symbol
from engine.king_of_kings.system import KING_OF_KINGS
from engine.lattice.squares import Cell, Direction

ROMANS, GAULS = PowerId("romans"), PowerId("egyptians")
FOOT = Symbol("F")


def position(rows: Sequence[str], units: Mapping[PowerId, int]) -> State:
    """A map of plains, `R` Roman, `G` of the other nation, `.` nobody's, `~` sea; each of a nation's has its foot."""
    state = KING_OF_KINGS.play.start(variant="classic", players=2, options={}, seed="x")
    owners = {"R": ROMANS, "G": GAULS}
    provinces = []
    for sign in "".join(rows):
        owner = owners.get(sign)
        army = {owner: {FOOT: units[owner]}} if owner is not None and units[owner] else {}
        provinces.append(Province("sea" if sign == "~" else "plains", owner=owner, units=army))
    return replace(state, width=len(rows[0]), provinces=tuple(provinces))


def sheet(state: State, power: PowerId = ROMANS, *, caution: float = 1.0) -> list[object]:
    return [line.order for line in draft(state, power, random.Random(1), 0.0, caution=caution)]


def entered(state: State, orders: Sequence[object]) -> set[Cell]:
    """Where marches lead."""
    found = set()
    for order in orders:
        if isinstance(order, March):
            cell = state.grid.find(order.x, order.y)
            for way in order.path:
                assert cell is not None
                cell = state.grid.step(cell, Direction(way))
                assert cell is not None
                found.add(cell)
    return found


def test_peace_is_offered_to_a_larger_neighbour_who_is_not_attacked() -> None:
    state = position(["RGGG", "~~~~"], {ROMANS: 9, GAULS: 1})
    orders = sheet(state)
    assert [order for order in orders if isinstance(order, Ally)] == [Ally(GAULS, 1)]
    assert entered(state, orders) == set()


@pytest.mark.parametrize(("defenders", "attacking"), [(2, {0.4, 1.0}), (3, {0.4}), (9, set())])
def test_bold_nations_attack_where_others_want_better_odds(defenders: int, attacking: set[float]) -> None:
    state = position(["RRRG"], {ROMANS: 3, GAULS: defenders})
    orders = {caution: sheet(state, caution=caution) for caution in (0.4, 1.0, 2.5)}
    assert {caution for caution in orders if Cell(3) in entered(state, orders[caution])} == attacking


def test_a_smaller_neighbour_is_offered_nothing_and_attacked_where_that_looks_well() -> None:
    state = position(["RRRG"], {ROMANS: 4, GAULS: 1})
    orders = sheet(state)
    assert not any(isinstance(order, Ally) for order in orders)
    assert Cell(3) in entered(state, orders)
    assert Cell(3) not in entered(
        position(["RRRG"], {ROMANS: 1, GAULS: 9}), sheet(position(["RRRG"], {ROMANS: 1, GAULS: 9}))
    )


def test_peace_that_was_made_is_kept_and_nothing_is_ever_given_away() -> None:
    state = position(["RRRG"], {ROMANS: 9, GAULS: 1})
    friends = {
        name: replace(nation, status={other: 5 for other in state.nations if other != name})
        for name, nation in state.nations.items()
    }
    orders = sheet(replace(state, nations=friends))
    assert not any(isinstance(order, Ally | Donate | Cede) for order in orders)
    assert Cell(3) not in entered(state, orders)


def test_troops_that_are_bought_go_for_land_that_is_nobodys() -> None:
    state = position(["RR...", "....."], {ROMANS: 0, GAULS: 0})
    orders = sheet(state)
    assert any(isinstance(order, Place) for order in orders)
    assert entered(state, orders)


@pytest.mark.parametrize("wildness", [0.0, 4.0])
def test_a_nation_without_anything_passes(wildness: float) -> None:
    state = position(["G..."], {ROMANS: 0, GAULS: 1})
    assert [line.canonical for line in draft(state, ROMANS, random.Random(1), wildness)] == ["PASS"]


def test_whoever_is_not_answered_fights_back_in_the_turns_between_two_offers() -> None:
    state = position(["RRGGG"], {ROMANS: 9, GAULS: 1})
    assert Cell(2) not in entered(state, sheet(state))
    later = replace(state, turn=2)
    assert not any(isinstance(order, Ally) for order in sheet(later))
    assert Cell(2) in entered(later, sheet(later))


def test_wild_drafts_try_other_plans_such_as_keeping_the_gold() -> None:
    state = position(["RRRG"], {ROMANS: 4, GAULS: 1})
    tame = [draft(state, ROMANS, random.Random(seed), 0.3) for seed in range(20)]
    wild = [draft(state, ROMANS, random.Random(seed), 0.5) for seed in range(20)]

    def spends(lines: Sequence[Line]) -> bool:
        return any(isinstance(line.order, Place | Build) for line in lines)

    assert all(map(spends, tame))
    assert {spends(lines) for lines in wild} == {True, False}
