"""Whatever moment the bot dies at: each phase is adjudicated once, all is told once, no accepted order is lost.

The bot dies once before each thing that lasts, or before some of them (`tests/crash/lives.py`). To have it die at every
step, which takes some 20 minutes: make test ARGS="--hypothesis-profile=search tests/crash".
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.examples import is_search

ROOT = Path(__file__).parents[2]

Account = dict[str, Any]


def most_deaths(few: int) -> int:
    """In how many stretches of a kind to die; 0: at every step."""
    return 0 if is_search() else few


def accounts(address: str, folder: Path, scenario: str, **more: int) -> list[Account]:
    """What was there in the end, of each life: undisturbed, without France, then one for each death or race."""
    asked = {"address": address, "folder": str(folder / "lives"), "scenario": scenario, **more}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.crash.lives", json.dumps(asked)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_no_death_on_the_way_through_a_deadline_loses_or_repeats_anything(any_url: str, tmp_path: Path) -> None:
    # What PostgreSQL does otherwise concerns commits; messages are told apart by what is committed.
    most = most_deaths(50 if any_url.startswith("sqlite") else 6)
    with_france, without_france, *after_deaths = accounts(any_url, tmp_path, "deadline", most=most)
    assert with_france["france"] == [["F BRE - MAO", "A MAR S A PAR - BUR", "A PAR - BUR"]]
    assert without_france["france"] == []
    assert with_france["posts"] != without_france["posts"]
    assert with_france["failed"] == ["briefing", "briefing"]
    assert len(after_deaths) > (20 if any_url.startswith("sqlite") else 12)
    told = 0
    for account in after_deaths:
        # France was told that the orders are accepted, or may not have been heard; never told and lost.
        if account["told"]:
            told += 1
            assert account == with_france
        else:
            assert account in ({**with_france, "told": []}, without_france)
    assert told > len(after_deaths) / 2


def test_what_is_in_doubt_after_a_death_is_looked_for_when_discord_has_forgotten_it(
    sqlite_url: str, tmp_path: Path
) -> None:
    undisturbed, _, *after_deaths = accounts(sqlite_url, tmp_path, "doubt", most=most_deaths(8))
    assert len(after_deaths) > 10
    assert after_deaths == [undisturbed] * len(after_deaths)


def test_no_death_on_the_way_through_an_early_close_loses_or_repeats_anything(any_url: str, tmp_path: Path) -> None:
    undisturbed, _, *after_deaths = accounts(any_url, tmp_path, "ready", most=most_deaths(50))
    assert undisturbed["phases"] == [[1, "S1901M", "ready"]]
    assert len(after_deaths) > 3
    for account in after_deaths:
        assert {**account, "told": undisturbed["told"]} == undisturbed


def test_of_processes_that_close_a_phase_at_once_exactly_one_does(any_url: str, tmp_path: Path) -> None:
    rounds = accounts(any_url, tmp_path, "race", processes=4, rounds=3)
    assert len(rounds) == 3
    assert [account["phases"] for account in rounds] == [[[1, "S1901M", "deadline"]]] * 3
    assert [len(account["told"]) for account in rounds] == [1] * 3
    assert all(account["pending"] == 0 and account["drifts"] == 0 for account in rounds)
    # All four announce, too, one at a time.
    assert all(account["posts"] == rounds[0]["posts"] and account["in_order"] for account in rounds)
