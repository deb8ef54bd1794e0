"""Attacks that are settled before the equations are used: they end, and for the same reasons, as the equations say."""

from __future__ import annotations

import random

import pytest

from engine.provinces.contest.components import Ruling, resolve
from engine.provinces.contest.contest import NOBODY, Contest, Route
from engine.provinces.contest.equations import Equations

SPACES = 9


def random_contest(seed: int) -> Contest:
    """Some units of three sides in each other's way; most have the strength 1."""
    chance = random.Random(seed)
    at = chance.sample(range(SPACES), chance.randint(2, 7))
    to = [chance.choice([NOBODY, *(space for space in range(SPACES) if space != here)]) for here in at]
    helps, about = [NOBODY] * len(at), [NOBODY] * len(at)
    for unit in range(len(at)):
        if to[unit] == NOBODY and chance.random() < 0.3:
            helped = helps[unit] = chance.choice([other for other in range(len(at)) if other != unit])
            about[unit] = at[helped] if to[helped] == NOBODY else to[helped]
    attacks, holds, supports = ([chance.choice((0, 1, 1, 1, 2)) for _ in at] for _ in range(3))
    routes = {unit: Route((), 0, 0, {}) for unit in range(len(at)) if to[unit] != NOBODY and chance.random() < 0.1}
    side = [chance.randrange(3) for _ in at]
    return Contest(at, side, to, helps, about, attacks=attacks, holds=holds, supports=supports, routes=routes)


def reasons(ruling: Ruling) -> list[object]:
    """What became of each attack, and why it failed."""
    equations = ruling.equations
    return [
        (unit, equations.moved[unit], None if equations.moved[unit] else equations.obstacle(unit))
        for unit in equations.attackers
    ]


@pytest.mark.parametrize("first", range(0, 4000, 1000))
def test_what_is_settled_beforehand_is_what_the_equations_say(first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    contests = [random_contest(seed) for seed in range(first, first + 1000)]
    undecided = [sum(truth is None for truth in Equations(contest).moved) for contest in contests]
    settled = [resolve(contest) for contest in contests]
    monkeypatch.setattr(Equations, "_settle_plain", lambda equations: list(equations.into))
    assert sum(undecided) < sum(sum(truth is None for truth in Equations(contest).moved) for contest in contests)
    for contest, ruling in zip(contests, settled, strict=True):
        plain = resolve(contest)
        assert reasons(ruling) == reasons(plain), contest
        assert ruling.fallbacks == plain.fallbacks


def test_a_given_table_of_units_is_what_would_be_worked_out() -> None:
    contest = random_contest(3)
    unit_at = [NOBODY] * (SPACES + 1)
    for unit, space in enumerate(contest.at):
        unit_at[space] = unit
    given = resolve(Contest(contest.at, contest.side, contest.to, contest.helps, contest.about, unit_at=unit_at))
    found = resolve(Contest(contest.at, contest.side, contest.to, contest.helps, contest.about))
    assert reasons(given) == reasons(found)
