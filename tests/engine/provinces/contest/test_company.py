"""Several units in one space: what they hold it with, whom they let in, and whom an attacker spares."""

from __future__ import annotations

from typing import Any

from engine.provinces.contest.components import resolve
from engine.provinces.contest.contest import NOBODY, Contest, Garrison


def _moved(contest: Contest) -> list[bool | None]:
    return resolve(contest).equations.moved


def _contest(at: list[int], side: list[int], to: list[int], helps: list[int] | None = None, **more: Any) -> Contest:
    nobody = [NOBODY] * len(at)
    about = [to[one] if one != NOBODY else NOBODY for one in helps or nobody]
    return Contest(at, side, to, helps or nobody, about, **more)


def test_units_of_a_space_hold_it_with_the_sum_of_their_strengths() -> None:
    # Two stand in space 0; two against them are not enough, three are.
    stay = NOBODY
    assert _moved(_contest([0, 0, 1, 2], [0, 0, 1, 1], [stay, stay, 0, stay], [stay, stay, stay, 2]))[2] is False
    attack = _contest([0, 0, 1, 2, 3], [0, 0, 1, 1, 1], [stay, stay, 0, stay, stay], [stay, stay, stay, 2, 2])
    assert _moved(attack)[2] is True
    assert resolve(attack).equations.dislodged(0) is True
    assert resolve(attack).equations.dislodged(1) is True


def test_one_that_gets_away_no_longer_holds() -> None:
    assert _moved(_contest([0, 0, 1], [0, 0, 1], [NOBODY, 3, 0]))[2] is False
    assert _moved(_contest([0, 0, 1, 2], [0, 0, 1, 1], [NOBODY, 3, 0, NOBODY], [-1, -1, -1, 2]))[2] is True


def test_unit_lets_in_whom_it_admits_and_is_not_dislodged() -> None:
    contest = _contest([0, 1], [0, 0], [NOBODY, 0], admits=frozenset({(0, 1)}))
    ruling = resolve(contest)
    assert ruling.equations.moved[1] is True
    assert ruling.equations.dislodged(0) is False


def test_attacker_is_stopped_by_an_ally_that_stays_as_by_its_own() -> None:
    contest = _contest([0, 1, 2], [0, 1, 1], [NOBODY, 0, NOBODY], [-1, -1, 1], allies=frozenset({(1, 0)}))
    assert _moved(contest)[1] is False


def test_no_side_of_those_who_stay_helps_against_them() -> None:
    # Sides 0 and 2 stand together; the support of side 2 does not count against them.
    contest = _contest([0, 0, 1, 2, 3], [0, 2, 1, 2, 1], [-1, -1, 0, -1, -1], [-1, -1, -1, 2, 2])
    assert _moved(contest)[2] is False


def test_garrison_adds_to_a_company() -> None:
    attack: dict[str, Any] = {
        "at": [0, 0, 1, 2, 3],
        "side": [0, 0, 1, 1, 1],
        "to": [-1, -1, 0, -1, -1],
        "helps": [-1, -1, -1, 2, 2],
    }
    assert _moved(_contest(**attack))[2] is True
    assert _moved(_contest(**attack, garrisons={0: Garrison(1, 1)}))[2] is False
