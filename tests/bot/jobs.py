"""Jobs for worker processes, which import them by name: `test_workers.py` and others hand them in."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

from bot.services.errors import refused_with
from engine.core.phrases import phrase
from engine.registry import AnySystem

LOOK_S = 0.01


def add(first: int, second: int) -> int:
    return first + second


def name_of(rules: AnySystem) -> str:
    return rules.info.name


def process_number() -> int:
    return os.getpid()


def modules() -> list[str]:
    return list(sys.modules)


def grounds() -> int:
    """How many coloured maps are kept for the next picture."""
    from bot.render import map_ground

    return len(map_ground._latest_ground)


def fail() -> None:
    raise KeyError("a secret")


class Unsendable(Exception):
    """One that can't be made again from what it says."""

    def __init__(self, one: int, *, two: int) -> None:
        super().__init__(one + two)


def fail_oddly() -> None:
    raise Unsendable(1, two=2)


def refuse() -> None:
    raise refused_with(phrase("refused.hint.clear"), "too_few_players", needed=2, have=1)


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def eat() -> int:
    return len(bytearray(4 * 1024**3))


def spin() -> None:
    while True:
        pass


def wait_for(gate: Path, begun: Path) -> str:
    """Say that the job has begun, and go on when the gate is there."""
    begun.touch()
    while not gate.exists():
        time.sleep(LOOK_S)
    return "through"
