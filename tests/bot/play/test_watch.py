"""What the page says beside the messages: who is played, what to do next, and nothing about others' orders."""

from __future__ import annotations

from pathlib import Path

from bot.play.watch import Watcher
from tests.e2e.table import LiveGame, open_table


async def strip(table: LiveGame, power: str) -> dict[str, object]:
    await table.watch.now()
    return table.watch.strip(table.player(power))


async def test_the_strip_leads_through_a_phase(tmp_path: Path) -> None:
    async with open_table(tmp_path) as table:
        first = await strip(table, "france")
        assert "play France" in str(first["who"])
        assert "Spring 1901" in str(first["phase"])
        assert "F BRE - " in str(first["todo"])
        assert first["open"] == "dm"
        await table.message("france", "A PAR - BUR")
        second = await strip(table, "france")
        assert "Your orders are in. Still without an order: F BRE, A MAR." in str(second["todo"])
        await table.click("france", "I'm ready")
        await table.click("france", "Ready all the same")
        third = await strip(table, "france")
        assert "You are ready. Waiting for" in str(third["todo"])
        assert third["next"] is not None
        assert "A PAR" not in str(await strip(table, "germany"))


async def test_the_computer_s_players_are_not_played_next(tmp_path: Path) -> None:
    async with open_table(tmp_path) as table:
        france = table.player("france")
        table.watch.robots = frozenset(person.number for person in table.world.people if person is not france)
        await table.slash("france", "orders ready", sure=True)
        ready = await strip(table, "france")
        assert ready["next"] is None
        assert "Waiting for" in str(ready["todo"])


async def test_people_are_found_by_name_number_and_power(tmp_path: Path) -> None:
    async with open_table(tmp_path) as table:
        ada = table.world.people[0]
        role = table.watch.role(ada)
        assert {table.watch.find_person(name) for name in ("ada", "1", "Ada", role, role.upper())} == {ada}
        assert table.watch.find_person("narnia") is None


async def test_before_and_after_a_game(tmp_path: Path) -> None:
    async with open_table(tmp_path, begins=False) as table:
        ada = table.world.people[0]
        assert "/game start" in table.watch.strip(ada)["todo"]
        assert "/game create" in Watcher(table.world).strip(ada)["todo"]
        await table.said(ada, await table.world.slash(ada, table.world.channel.id, "game start", {}))
        await table.said(ada, await table.world.slash(ada, table.world.channel.id, "game end", {"sure": True}))
        await table.watch.now()
        assert "The game is over" in table.watch.strip(ada)["todo"]


async def test_a_second_game_that_was_given_up_leaves_the_first_one_in_sight(tmp_path: Path) -> None:
    async with open_table(tmp_path) as table:
        ada, channel = table.world.people[0], table.world.channel.id
        first = (await table.standing()).game
        await table.said(
            ada, await table.world.slash(ada, channel, "game create", {"name": "Another", "system": "diplomacy"})
        )
        assert (await table.standing()).game.id == first.id
        numbers = {game["value"] for game in await table.world.complete(ada, channel, "game end", "game", "", {})}
        second = next(number for number in numbers if number not in (str(first.id), first.name))
        await table.said(ada, await table.world.slash(ada, channel, "game end", {"game": second}))
        await table.watch.now()
        assert (await table.standing()).game.id == first.id
        assert "The game is over" not in table.watch.strip(ada)["todo"]
        assert table.watch.role(ada)
