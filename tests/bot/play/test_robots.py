"""The computer's players of `make play`, without a bot."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.play.robots import Robots

GORAN = cast(Any, SimpleNamespace(id=7, dm_channel_id=70))


class _World:
    """Notes the commands that are used."""

    def __init__(self) -> None:
        self.channel = SimpleNamespace(id=1)
        self.used: list[str] = []

    async def slash(self, person: object, channel_id: int, command: str, options: object) -> None:
        self.used.append(command)

    async def settled(self) -> None:
        """Nothing is going on."""


class _Presser(Robots):
    async def press(self, person: Any, action: str) -> Any:
        return "pressed"


@pytest.mark.parametrize(("phase_no", "used"), [(3, ["orders ready"]), (4, [])])
async def test_who_closes_a_phase_by_a_press_is_not_ready_for_the_next(phase_no: int, used: list[str]) -> None:
    """Else it would do nothing in that phase. A press that did not count is made up for by the command."""
    world = _World()
    standing = SimpleNamespace(
        game=SimpleNamespace(phase_no=phase_no), is_ready=lambda person: False, has_to_act=lambda person: True
    )

    async def now() -> Any:
        return standing

    robots = _Presser(cast(Any, world), cast(Any, SimpleNamespace(now=now)), [GORAN], seed="a")
    pressing = next(number for number in range(99) if random.Random(number).random() < 0.5)
    await robots._say_ready(GORAN, random.Random(pressing), 3)
    assert world.used == used
