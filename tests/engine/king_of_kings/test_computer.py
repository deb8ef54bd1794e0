"""How the strong computer of King of Kings thinks its attacks through, and how good its forecasts of battles are."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from statistics import mean

import pytest

from engine.core.ids import PowerId
from engine.core.reading import read_orders
from engine.core.viewer import Playing
from engine.king_of_kings.combat import value
from engine.king_of_kings.computer.forecast import forecast
from engine.king_of_kings.judgement import draft_skilled
from engine.king_of_kings.model import March, Province, State, Symbol, Tactic, Units
from engine.king_of_kings.orders import line_of
from engine.king_of_kings.system import KING_OF_KINGS
from engine.lattice.squares import Cell, Direction
from tests.engine.king_of_kings.test_judgement import GAULS, ROMANS, position

FOOT, BOWS, HORSE = Symbol("F"), Symbol("B"), Symbol("H")


def attacks(state: State) -> list[March]:
    """The attacks of the Romans' sheet."""
    lines = draft_skilled(state, ROMANS, random.Random(1), 0.0)
    return [line.order for line in lines if isinstance(line.order, March) and line.order.tactic is not None]


def test_those_two_steps_away_come_too() -> None:
    (near, far) = sorted(attacks(position(["RRG"], {ROMANS: 3, GAULS: 3})), key=lambda march: len(march.path))
    assert (len(near.path), len(far.path)) == (1, 2)


def test_a_hopeless_attack_is_not_made_and_a_good_one_is() -> None:
    assert attacks(position(["RRG"], {ROMANS: 1, GAULS: 9})) == []
    assert attacks(position(["RRG"], {ROMANS: 9, GAULS: 1}))


def test_who_attacks_one_place_does_not_attack_another() -> None:
    marches = attacks(position(["GRG", "~R~"], {ROMANS: 9, GAULS: 1}))
    starts = [(march.x, march.y) for march in marches]
    assert starts
    assert len(starts) == len(set(starts))


def board(attackers: Units, defenders: Units, terrain: str, defence: Tactic) -> State:
    """The attackers west of the defenders, both with land behind them and enough to eat."""
    state = KING_OF_KINGS.play.start(variant="classic", players=2, options={}, seed="x")
    provinces = (
        Province("plains", owner=ROMANS),
        Province("plains", owner=ROMANS, units={ROMANS: attackers}),
        Province(terrain, owner=GAULS, units={GAULS: defenders}, tactic=defence),
        Province("plains", owner=GAULS),
    )
    nations = {name: replace(nation, food=99) for name, nation in state.nations.items()}
    return replace(state, width=4, provinces=provinces, nations=nations)


@pytest.mark.parametrize(
    ("attackers", "defenders", "terrain", "attack", "defence"),
    [
        ({FOOT: 6}, {FOOT: 2}, "plains", Tactic.FRONTAL, Tactic.STANDARD),
        ({FOOT: 2}, {FOOT: 6}, "plains", Tactic.FRONTAL, Tactic.COUNTER),
        ({BOWS: 6}, {FOOT: 3}, "plains", Tactic.STANDARD, Tactic.COUNTER),
        ({HORSE: 4}, {BOWS: 3}, "grassland", Tactic.PINCER, Tactic.STANDARD),
    ],
)  # fmt: skip
def test_forecasts_of_clear_battles_are_near_what_they_come_to(
    attackers: Units, defenders: Units, terrain: str, attack: Tactic, defence: Tactic
) -> None:
    state = board(attackers, defenders, terrain, defence)
    # The forecast has no room for those who flee in time: it kills some of them.
    dice = KING_OF_KINGS.play.dice(state)
    march = line_of(
        state.rules, March(*state.grid.xy(Cell(1)), attack, False, tuple(attackers.items()), (Direction.EAST,))
    )
    view = KING_OF_KINGS.sight.view(state, Playing(ROMANS))
    sheets = {ROMANS: [read.order for read in read_orders(KING_OF_KINGS, view, march.canonical).orders]}
    ends = [KING_OF_KINGS.play.adjudicate(state, sheets, replace(dice, seed=f"{n}")).state for n in range(200)]
    likely = forecast(
        state.rules, attackers, defenders, modifiers=state.rules.tactics[attack, defence],
        cap=state.rules.terrain[terrain].cap, luck=1.0,
    )  # fmt: skip
    won = mean(end.provinces[2].owner == ROMANS for end in ends)
    assert likely.is_won == (won > 0.5)
    for nation, before, lost in (
        (ROMANS, attackers, likely.attackers_lost),
        (GAULS, defenders, likely.defenders_lost),
    ):
        really = mean(value(state.rules, before) - value(state.rules, left(end, nation)) for end in ends)
        assert lost == pytest.approx(really, abs=value(state.rules, before) / 2)


def left(state: State, nation: PowerId) -> Counter[Symbol]:
    """All units of a nation."""
    return sum((Counter(province.units.get(nation, {})) for province in state.provinces), Counter())
