"""The kernel on attackers that win a space side by side, and on units that let them in."""

from __future__ import annotations

from typing import Any

from engine.provinces.contest.components import Ruling, resolve
from engine.provinces.contest.contest import NOBODY, Contest

RED, BLUE = 0, 1
STAY = NOBODY


def ruling(*units: tuple[int, int, int], **more: Any) -> Ruling:
    """Units as (side, where it stands, where it goes); nobody helps."""
    nobody = [NOBODY] * len(units)
    return resolve(
        Contest(
            at=[at for _, at, _ in units],
            side=[side for side, _, _ in units],
            to=[to for _, _, to in units],
            helps=nobody,
            about=nobody,
            **more,
        )
    )


def test_mates_do_not_keep_each_other_out() -> None:
    pair = (RED, 1, 3), (RED, 2, 3)
    assert ruling(*pair, mates=frozenset({(0, 1), (1, 0)})).equations.moved == [True, True]
    assert ruling(*pair).equations.moved == [False, False]


def test_mates_do_not_add_up_against_another() -> None:
    found = ruling((RED, 1, 3), (RED, 2, 3), (BLUE, 3, STAY), mates=frozenset({(0, 1), (1, 0)}))
    assert found.equations.moved == [False, False, False]


def test_mates_still_meet_a_rival() -> None:
    found = ruling((RED, 1, 3), (RED, 2, 3), (BLUE, 4, 3), mates=frozenset({(0, 1), (1, 0)}))
    assert found.equations.moved == [False, False, False]


def test_who_lets_a_unit_in_is_not_dislodged_by_it() -> None:
    found = ruling((RED, 1, 2), (RED, 2, STAY), admits=frozenset({(1, 0)}))
    assert found.equations.moved == [True, False]
    assert found.equations.dislodged(1) is False
