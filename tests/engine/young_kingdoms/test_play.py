"""Random players cast, share and carry; their games run without an error and replay to the same states."""

from __future__ import annotations

from engine import systems
from engine.core.ids import SystemId
from tests.play_random import play


def test_random_games_run_and_replay() -> None:
    rules = systems[SystemId("young_kingdoms")]
    sorts: set[str] = set()
    for number in (1, 2, 3):
        sorts |= {name.rpartition(" ")[0] for name in play(rules, f"test {number}", years=8).outcomes}
    assert {"CAST 1", "CAST 4", "CAST 9", "SHARE", "PLACE", "S -", "S RIDES"} <= sorts
