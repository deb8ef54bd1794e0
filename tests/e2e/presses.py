"""How many presses and keys orders take, by each door: counted in the simulated Discord, for `docs/presses.md`.

    python -m tests.e2e.presses          prints the tables

A press is a click or tap: a button, opening a menu, choosing in it, opening a field, sending a form. A key is a letter
that is typed, and the Enter that sends it. Completion is not used, so that nothing depends on luck.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.play.eyes import Payload, parts
from bot.play.world import Answer
from tests.e2e.table import LiveGame, open_table

MOVE, SUPPORT = ("A BUD - SER",), ("A VIE S A BUD - GAL",)
SPRING, FALL = ("A BUD - SER", "F TRI - ALB", "A VIE - GAL"), ("A SER H", "F ALB - GRE", "A GAL - UKR")
TASKS: Mapping[str, tuple[Sequence[str], ...]] = {
    "a move": (MOVE,),
    "a support": (SUPPORT,),
    "all moves of 1901": (SPRING, FALL),
}
"""Austria's orders, phase by phase."""


@dataclass(frozen=True)
class Place:
    """Who plays what, and how many phases have passed before the orders are given."""

    power: str
    system: str = "diplomacy"
    players: int | None = None
    passed: int = 0
    button: str = ""
    """Of the unit, where its menu is not in sight."""


AUSTRIA = Place("austria")
OTHERS: Mapping[str, tuple[Place, Sequence[str]]] = {
    "Young Kingdoms, a move": (Place("jharkor", "young_kingdoms", 6, passed=1), ("A SEQ - NJH",)),
    "Young Kingdoms, a support": (Place("jharkor", "young_kingdoms", 6, passed=1), ("F DHA S A SEQ - ESH",)),
    "Feudal, a list": (Place("lion", "feudal", 4), ("CHOOSE 1 PAR", "CHOOSE 2 MUN", "CHOOSE 3 VEN")),
    "Kregen, a move": (Place("renders", "kregen", 8, passed=1), ("F MIN - HOK",)),
    "Kregen, two steps": (Place("renders", "kregen", 8, passed=1), ("F MIN - HOK, - NOO",)),
    "Kregen, a tenth unit": (
        Place("renders", "kregen", 8, passed=1, button="Fleet Reed Island"),
        ("F REE H",),
    ),
    "Kregen, one of 23 places to begin in": (
        Place("renders", "kregen", 8, button="Build in Sorzart II, Sorzart III, Tiknak"),
        ("BUILD F TKN",),
    ),
    "Kregen, a support": (Place("renders", "kregen", 8, passed=1), ("F MIN S F CIG - NOO",)),
    "King of Kings, a march": (Place("persians", "king_of_kings", 3), ("LAND …",)),
    "King of Kings, new units": (Place("persians", "king_of_kings", 3), ("PLA …",)),
}
"""The commonest orders of the other games; `LAND …` is the first in a menu, on a map that is another each time."""


GUIDE_BEFORE: Mapping[str, str] = {
    "Young Kingdoms, a move": "5 + 0",
    "Young Kingdoms, a support": "10 + 0",
    "Feudal, a list": "7 + 0",
    "Kregen, a move": "7 + 0",
    "Kregen, two steps": "9 + 0",
    "Kregen, a support": "9 + 0",
    "King of Kings, a march": "9 + 0",
    "King of Kings, new units": "7 + 0",
}
"""What the guide took in version 0.2.0, counted from its steps."""


@dataclass
class Count:
    """What a hand has done: presses and keys."""

    presses: int = 0
    keys: int = 0

    def __str__(self) -> str:
        return f"{self.presses} + {self.keys}"


class Hand:
    """A player, who counts what it does."""

    def __init__(self, table: LiveGame, power: str = "austria", button: str = "") -> None:
        self.table, self.power, self.count, self.button = table, power, Count(), button
        self.person = table.player(power)

    async def by_command(self, orders: Sequence[str]) -> None:
        """`/orders enter text:`: the name of the command, one press for its option, the orders, Enter."""
        text = "; ".join(orders)
        self.count.keys += len("/orders enter") + len(text) + 1
        self.count.presses += 1
        await self.table.slash(self.power, "orders enter", text=text)

    async def by_message(self, orders: Sequence[str]) -> None:
        """A direct message."""
        text = "\n".join(orders)
        self.count.keys += len(text) + 1
        await self.table.message(self.power, text)

    async def by_form(self, orders: Sequence[str]) -> None:
        """The form: opened, written over as a whole, sent."""
        opened = await self._press("Write orders")
        assert opened.modal is not None
        text = "\n".join(orders)
        self.count.keys += len(text)
        self.count.presses += 1
        field = next(field for field in opened.modal["fields"] if field["kind"] == "text")
        answer = await self.table.world.submit(self.person, int(opened.modal["id"]), {field["custom_id"]: text})
        await self.table.said(self.person, answer)

    async def by_first_message(self, orders: Sequence[str]) -> None:
        """The phase's message to the player, and the receipt that it brings: a menu for each order."""
        below = [message for message in self.table.messages(self.person) if any(map(_is_menu, parts(message)))]
        number = int(below[-1]["id"])
        for order in orders:
            number = await self._choose(number, order)

    async def by_guide(self, orders: Sequence[str]) -> None:
        """The guide: its button, then a menu for each order."""
        answer = await self._press("Guide me")
        await self.table.said(self.person, answer)
        for order in orders:
            await self._choose(answer.message_ids[-1], order)

    async def by_receipt(self, orders: Sequence[str]) -> None:
        """The receipt that is in sight: a menu for each order."""
        answer = await self.table.world.slash(self.person, self.table.world.channel.id, "orders show", {})
        await self.table.said(self.person, answer)
        for order in orders:
            await self._choose(answer.message_ids[-1], order)

    async def _press(self, label: str) -> Answer:
        self.count.presses += 1
        return await self.table.click(self.power, label)

    async def _choose(self, number: int, order: str) -> int:
        """Open the menu that has an order, and choose it. Returns: the message that brought, or changed."""
        message = self.table.world.sight(self.person).message(number)
        assert message is not None
        if not any(_offers(part, order) for part in parts(message)):
            self.count.presses += 1
            opened = next(part for part in parts(message) if part.get("label") == self.button)
            answer = await self.table.world.click(self.person, number, opened["custom_id"])
            await self.table.said(self.person, answer)
            if answer.message_ids:
                number = answer.message_ids[-1]
            message = self.table.world.sight(self.person).message(number)
            assert message is not None
        menu = next(part for part in parts(message) if _offers(part, order))
        self.count.presses += 2
        answer = await self.table.world.select(self.person, number, menu["custom_id"], [order])
        await self.table.said(self.person, answer)
        return answer.message_ids[-1] if answer.message_ids else number


def _is_menu(part: Payload) -> bool:
    return bool(part["kind"] == "select")


def _offers(part: Payload, order: str) -> bool:
    return _is_menu(part) and order in [option["value"] for option in part["options"]]


DOORS: Mapping[str, Callable[[Hand, Sequence[str]], Awaitable[None]]] = {
    "`/orders enter`": Hand.by_command,
    "form": Hand.by_form,
    "direct message": Hand.by_message,
    "first message": Hand.by_first_message,
    "guide": Hand.by_guide,
    "receipt": Hand.by_receipt,
}
BEFORE = {
    "`/orders enter`": ("1 + 25", "1 + 33", "2 + 98"),
    "form": ("2 + 11", "2 + 19", "4 + 66"),
    "direct message": ("0 + 12", "0 + 20", "0 + 68"),
    "first message": ("–", "–", "–"),
    "guide": ("5 + 0", "10 + 0", "24 + 0"),
    "receipt": ("–", "–", "–"),
}
"""The same in version 0.2.0, in the order of `TASKS`."""


async def count(door: str, phases: tuple[Sequence[str], ...], folder: Path) -> Count:
    """What orders take by a door, in a game of their own; whether they stand is looked at after each phase."""
    async with open_table(folder, seed="1901", wishes=["austria"]) as table:
        hand = Hand(table)
        for number, orders in enumerate(phases):
            await DOORS[door](hand, orders)
            stored = await table.orders("austria")
            assert set(stored) == set(orders), (door, stored)
            if number + 1 < len(phases):
                await table.skip(days=1, minutes=1)
        return hand.count


async def count_elsewhere(door: str, place: Place, orders: Sequence[str], folder: Path) -> Count:
    """What orders take in another game."""
    players = None if place.players is None else str(place.players)
    async with open_table(
        folder, people=place.players or 7, seed="1901", system=place.system, players=players, wishes=[place.power]
    ) as table:
        for _ in range(place.passed):
            await table.skip(days=1, minutes=1)
        orders = [_whole(table, place.power, order) for order in orders]
        hand = Hand(table, place.power, place.button)
        await DOORS[door](hand, orders)
        stored = await table.orders(place.power)
        assert set(orders) <= set(stored), (door, stored)
        return hand.count


def _whole(table: LiveGame, power: str, order: str) -> str:
    """The order; where its end is left open, the first that a menu offers and that begins so."""
    if "…" not in order:
        return order
    menus = [part for message in table.messages(table.player(power)) for part in parts(message) if _is_menu(part)]
    offered = (str(option["value"]) for menu in menus for option in menu["options"])
    return next(each for each in offered if each.startswith(order.removesuffix("…")))


async def rows_elsewhere() -> Sequence[str]:
    """The lines of the table of the other games."""
    *doors, guide = sorted(DOORS, key=lambda door: door == "guide")
    columns = ["order", *doors, "guide: 0.2.0", "guide: now"]
    found = [f"| {' | '.join(columns)} |", f"|{' --- |' * len(columns)}"]
    for task, (place, orders) in OTHERS.items():
        cells = []
        for door in (*doors, guide):
            cells += [GUIDE_BEFORE.get(task, "–")] if door == guide else []
            with tempfile.TemporaryDirectory() as folder:
                cells.append(str(await count_elsewhere(door, place, orders, Path(folder))))
        found.append(f"| {task}: `{'`, `'.join(orders)}` | {' | '.join(cells)} |")
    return found


async def rows() -> Sequence[str]:
    """The lines of the table."""
    found = [
        f"| way | {' | '.join(f'{task}: 0.2.0 | now' for task in TASKS)} |",
        f"| --- |{' --- | --- |' * len(TASKS)}",
    ]
    for door in DOORS:
        cells = []
        for task, before in zip(TASKS.values(), BEFORE[door], strict=True):
            with tempfile.TemporaryDirectory() as folder:
                cells += [before, str(await count(door, task, Path(folder)))]
        found.append(f"| {door} | {' | '.join(cells)} |")
    return found


if __name__ == "__main__":
    sys.stdout.write("\n".join([*asyncio.run(rows()), "", *asyncio.run(rows_elsewhere())]) + "\n")
