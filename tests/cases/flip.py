"""Does every expectation of the cases hold something? Alters one at a time, and tells which case passes all the same.

    python -m tests.cases.flip                    # all games
    python -m tests.cases.flip kregen 9-          # those of a game whose ids begin so

Not a part of the tests, since it plays each case once for every word that it says: two minutes for all. Each outcome,
number, name and row that a turn expects is altered, and rows are left out too, but for `events`, which names those that
matter. `silent` is given the codes of all events that the game has: a turn that tells of any must fail then. One that
tells of none can't, and is listed without being counted: `test_silent.py` finds its code told in another case.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from copy import deepcopy
from importlib import import_module
from typing import Any

from engine.core.variant import load_phrases
from engine.registry import systems
from tests.cases import Case

_MODULES = {"king_of_kings": ("test_cases", "test_moves")}
_GIVEN = ("absent", "dice")
"""Keys of a turn that say what happens, not what comes of it."""
_IN_PART = ("events", "counted", "why")
"""Lists that need not name everything."""

Path = tuple[str | int, ...]


def flips(case: Case, system: str) -> Iterator[tuple[str, Case]]:
    """Every case that expects one thing otherwise, and what that is."""
    for number, turn in enumerate(case["turn"]):
        for key, wanted in turn.items():
            here: Path = ("turn", number, key)
            if key in _GIVEN:
                continue
            if key == "orders":
                for power, lines in wanted.items():
                    for line in range(len(lines)):
                        yield from _altered(case, (*here, power, line, 1))
            elif key == "silent":
                yield _with(case, here, [code.removeprefix("event.") for code in load_phrases(system).codes])
            else:
                yield from _altered(case, here, may_leave_out=key not in _IN_PART)


def _altered(case: Case, path: Path, *, may_leave_out: bool = False) -> Iterator[tuple[str, Case]]:
    """The case with each part of what stands at a path altered."""
    wanted = _at(case, path)
    match wanted:
        case bool():
            yield _with(case, path, not wanted)
        case int():
            yield _with(case, path, wanted + 1)
        case str():
            words = wanted.split(" ")
            for index, word in enumerate(words):
                yield _with(case, path, " ".join((*words[:index], f"{word}x", *words[index + 1 :])))
        case list():
            for index in range(len(wanted)):
                yield from _altered(case, (*path, index), may_leave_out=may_leave_out)
                if may_leave_out:
                    yield _with(case, path, [*wanted[:index], *wanted[index + 1 :]])
            if not wanted:
                yield _with(case, path, ["x"])
        case dict():
            for key in wanted:
                yield from _altered(case, (*path, key), may_leave_out=may_leave_out)


def _at(case: Case, path: Path) -> Any:
    found: Any = case
    for key in path:
        found = found[key]
    return found


def _with(case: Case, path: Path, value: object) -> tuple[str, Case]:
    changed = deepcopy(case)
    _at(changed, path[:-1])[path[-1]] = value
    return f"{'.'.join(map(str, path[1:]))} = {str(value)[:60]}", changed


def fails(play: Callable[[Case], None], case: Case) -> bool:
    """Whether a case fails, in whatever way."""
    try:
        play(case)
    except Exception:
        return True
    return False


def main(system: str = "", beginning: str = "") -> int:
    """The number of expectations that hold nothing."""
    tried, idle = 0, 0
    for name in [system] if system else list(systems):
        for module in _MODULES.get(name, ("test_cases",)):
            runner = import_module(f"tests.engine.{name}.{module}")
            for case in runner.CASES:
                if not case["id"].startswith(beginning):
                    continue
                for what, changed in flips(case, name):
                    tried += 1
                    if not fails(runner.test_case, changed):
                        idle += ".silent = " not in what
                        print(f"{name} {case['id']}: {what}", flush=True)
    print(f"{tried} expectations altered, {idle} of them unnoticed")
    return idle


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]) > 0)
