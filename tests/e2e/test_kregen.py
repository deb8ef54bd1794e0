"""Kregen through Discord: the guided set-up, two-step orders, a duel with secret numbers, prophecies, a restart."""

from __future__ import annotations

from pathlib import Path

from bot.play.eyes import Payload, parts
from bot.play.world import Answer
from tests.e2e.table import LiveGame, leaks, open_table

SYSTEM = "kregen"
POWERS = ("akhram", "magdag", "gashil", "zair", "zandikar", "sanurkazz", "proconia", "renders")


async def test_eight_players_set_up_duel_and_foretell(tmp_path: Path) -> None:
    async with open_table(tmp_path, people=8, system=SYSTEM, players="8") as table:
        await _set_up(table)
        since = {person.number: table.message_ids(person) for person in table.world.people}

        assert "could have to fight a duel" in table.dm_text("zandikar")
        assert "could have to fight a duel" not in table.dm_text("akhram")
        opened = await table.click("zandikar", "Number for a duel")
        assert opened.modal is not None
        field = next(field for field in opened.modal["fields"] if field["kind"] == "text")
        number = {field["custom_id"]: "H ZZR 40 kill"}
        zandikar = table.player("zandikar")
        sent = await table.world.submit(zandikar, int(opened.modal["id"]), number)
        assert "duel H ZZR 40 kill" in await table.said(zandikar, sent)
        assert "duel H ONK 90 capture" in await table.slash("renders", "duel", number="90", loser="capture")
        assert "H ZZR - SOZ, - ONK" in await table.message("zandikar", "H ZZR - SOZ - ONK")

        answer = await table.click("renders", "Guide me")
        await _choose(table, "renders", answer, "F MIN - NOO, - SOO")
        assert "F MIN - NOO, - SOO" in await table.orders("renders")
        assert "build: F ONK" in await table.slash("renders", "prophecy set", text="build: F ONK")

        await table.world.restart()
        assert "build: F ONK" in await table.slash("renders", "prophecy show")
        assert "build: F ONK" not in await table.slash("renders", "prophecy clear")
        assert "F MIN - NOO, - SOO" in await table.orders("renders")
        assert leaks(table, await table.standing(), since) == []
        assert "Duel in" not in table.channel_text()

        await _all_ready(table)
        told = table.channel_text()
        assert "Duel in Onker Island: Zandikar 40, Renders 90" in told
        assert table.complaints() == []


async def _set_up(table: LiveGame) -> None:
    """Zandikar's hero is within two steps of the pirates' one; the others take what comes."""
    answer = await table.click("zandikar", "Guide me")
    await _choose(table, "zandikar", answer, "capital ZAM", "BUILD H ZZR")
    await table.message("zandikar", "BUILD A ZAN\nBUILD A ZAM\nBUILD A ZZR")
    assert await table.orders("zandikar") == (
        "capital ZAM", "BUILD A ZAN", "BUILD A ZAM", "BUILD A ZZR", "BUILD H ZZR",
    )  # fmt: skip
    await table.message("renders", "BUILD H ONK, RAS; BUILD F MIN")
    await table.click("akhram", "Take the default")
    assert len(await table.orders("akhram")) == 4
    await _all_ready(table)


async def _all_ready(table: LiveGame) -> None:
    standing = await table.standing()
    for power in POWERS:
        if standing.has_to_act(table.player(power)):
            await table.slash(power, "orders ready", sure=True)
    await table.quiet()


async def _choose(table: LiveGame, power: str, answer: Answer, *values: str) -> None:
    """Choose in the guided flow that an answer has begun, step by step, leafing where there are many choices."""
    person, number = table.player(power), answer.message_ids[0]
    for value in values:
        while (menu := _menu(table, power, number, value)) is None:
            _, more = table.button(person, "More choices")
            await table.world.click(person, number, more["custom_id"])
            await table.quiet()
        await table.world.select(person, number, menu["custom_id"], [value])
        await table.quiet()


def _menu(table: LiveGame, power: str, number: int, value: str) -> Payload | None:
    """The menu of a message that holds a choice."""
    message = table.world.sight(table.player(power)).message(number)
    assert message is not None
    menus = [part for part in parts(message) if part["kind"] == "select"]
    return next((menu for menu in menus if value in [option["value"] for option in menu["options"]]), None)
