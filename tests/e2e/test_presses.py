"""Tests of `tests.e2e.presses`: the table in the docs is what is counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.presses import OTHERS, TASKS, count, count_elsewhere

DOC = Path(__file__).parents[2] / "docs" / "presses.md"


@pytest.mark.parametrize(
    ("door", "task"), [("guide", "all moves of 1901"), ("first message", "a support"), ("receipt", "a move")]
)
async def test_the_table_is_what_is_counted(door: str, task: str, tmp_path: Path) -> None:
    counted = await count(door, TASKS[task], tmp_path)
    row = next(line for line in DOC.read_text(encoding="utf-8").splitlines() if line.startswith(f"| {door} |"))
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells[2 + 2 * list(TASKS).index(task)] == str(counted)
    assert counted.keys == 0
    if task != "all moves of 1901":
        assert counted.presses <= 3


@pytest.mark.parametrize(
    ("door", "task"), [("guide", "Kregen, a support"), ("first message", "Kregen, one of 23 places to begin in")]
)
async def test_the_table_of_the_other_games_is_what_is_counted(door: str, task: str, tmp_path: Path) -> None:
    counted = await count_elsewhere(door, *OTHERS[task], tmp_path)
    rows = [line.strip("|").split("|") for line in DOC.read_text(encoding="utf-8").splitlines()]
    (row,) = (row for row in rows if row[0].strip().startswith(f"{task}: "))
    columns = next(row for row in rows if row[0].strip() == "order")
    place = next(n for n, column in enumerate(columns) if column.strip().removesuffix(": now") == door)
    assert row[place].strip() == str(counted)
    assert counted.presses <= 3
