"""A game from an attached scenario through Discord: own map, own terrain and own troops, from the call to the end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.play.eyes import Payload, plain_text
from engine.core.ids import SystemId
from engine.registry import systems
from tests.e2e.table import LiveGame, open_table
from tests.e2e.test_king_of_kings import REPORT_FILE, attachment, close, report, seen

RULES = systems[SystemId("king_of_kings")]
WELLS = Path(__file__).parents[2] / "assets" / "king_of_kings" / "scenarios" / "wells_of_saba.json"


async def test_a_scenario_is_played_from_the_call_to_the_end(tmp_path: Path) -> None:
    async with open_table(
        tmp_path,
        people=2,
        begins=False,
        seed="wells",
        system="king_of_kings",
        scenario=("wells of saba.json", WELLS.read_bytes()),
        options="end_turn=2",
    ) as table:
        await look_before_joining(table)
        await begin_with_wishes(table)
        since = seen(table)
        await order_own_troops(table)
        await table.world.restart()
        assert await table.orders("himyar") == ("NAME 7 5 Zafâr", "PLA 6 5 CA", "LAND 6 5 F AT CA 1 S")
        saba = table.player("saba")
        assert not any("Zafâr" in str(m) for m in table.messages(saba) if m["id"] not in since[saba.number])
        await close(table, "saba", "himyar")
        check_first_turn(table)
        await table.slash("saba", "gm set", change="terrain 3 0 oasis")
        await table.message("saba", "PASS")
        await table.message("himyar", "PASS")
        await table.world.restart()
        await close(table, "saba", "himyar")
        assert "Sunday Table is over" in table.channel_text()
        assert "came out just as they were posted" in await table.slash("saba", "game verify")
        assert table.complaints() == []


async def look_before_joining(table: LiveGame) -> None:
    """The call has the file and the map; `/map`, `/game info` and completion know the scenario."""
    host, guest = table.world.people
    (call,) = [message for message in table.messages(guest) if "sets up a game" in plain_text(message)]
    assert "The Wells of Saba" in plain_text(call)
    assert content(table, call, "wells_of_saba.json") == WELLS.read_bytes()
    assert pictures(call)
    channel = table.world.channel.id
    answer = await table.world.slash(guest, channel, "map", {})
    assert "Turn 1" in await table.said(guest, answer)
    answer = await table.world.slash(guest, channel, "map", {"text": "yes", "region": "Marib"})
    assert "Well of the Moon (4/3)" in await table.said(guest, answer)
    answer = await table.world.slash(guest, channel, "game info", {})
    assert "wells_of_saba.json" in await table.said(guest, answer)
    answer = await table.world.slash(guest, channel, "rules", {})
    assert "played from a scenario, The Wells of Saba" in await table.said(guest, answer)
    choices = await table.world.complete(guest, channel, "game join", "power", "", {})
    assert [choice["name"] for choice in choices] == ["Saba", "Himyar"]
    answer = await table.world.slash(host, channel, "game leave", {})
    await table.said(host, answer)


async def begin_with_wishes(table: LiveGame) -> None:
    host, _ = table.world.people
    channel = table.world.channel.id
    await table.world.restart()
    answer = await table.world.slash(host, channel, "game join", {"power": "Nomads"})
    assert "Nobody plays Nomads" in await table.said(host, answer)
    answer = await table.world.slash(host, channel, "game join", {"power": "saba"})
    assert "asked for Saba" in await table.said(host, answer)
    await table.said(host, await table.world.slash(host, channel, "game start", {}))
    await table.quiet()
    standing = await table.standing()
    assert standing.power(host) == "saba"


async def order_own_troops(table: LiveGame) -> None:
    """By message, and by the file of a command as an old Windows editor would write it."""
    assert "`PLA X Y MA`" in table.dm_text("saba") or "PLA X Y MA" in table.dm_text("saba")
    answer = await table.message("saba", "BEGIN\nPLA 2 1 ELEPHANTS\nPLA 1 1 HORSEMEN\nLAND 2 1 T AT N\nEND")
    assert "PLA 2 1 EL" in answer
    assert "costs 20 gold" in answer
    assert "HORSEMEN" in answer
    sheet = "NAME 7 5 Zafâr\r\nPLA 6 5 camels\r\nLAND 6 5 F AT CA 1 S\r\n".encode("cp1252")
    answer = await table.slash("himyar", "orders enter", file=("sheet.txt", sheet))
    assert "NAME 7 5 Zafâr" in answer
    assert "costs 12 gold" in answer


def check_first_turn(table: LiveGame) -> None:
    """The battle for the towns, and tables with the columns of these troops."""
    text = table.channel_text()
    assert "Battle of 2/0" in text
    assert "Battle of 6/6" in text
    told = report(table, 1)
    assert "Saba with 2S 2A 1C 1E" in told
    assert "Spea  Arch  Came  Elep  Towe  Mali" in told
    record = json.loads(attachment(table, 1, "turn.json"))
    assert {row["symbol"] for row in record["position"]["state"]["troops"]} == set("SACETM")
    assert "Saba" in attachment(table, 1, REPORT_FILE)


# What is wrong is told to whoever sent it, and nobody else


@pytest.mark.parametrize(
    ("filename", "data", "told"),
    [
        ("game.png", b"{}", "JSON file"),
        ("game.json", b"{" + b" " * 1_100_000, "at most 1024 kB"),
        ("game.json", b"\x00\x01\x02", "as text"),
        ("game.json", b"not JSON", "line 1, column 1"),
        ("game.json", '{"state": {"trops": []}}'.encode("utf-16"), "did you mean troops?"),
        ("game.json", b'{"state": {"map": ["PP"], "nations": [{"name": "<@1>"}, {"name": "b"}]}}', "is no name"),
    ],
)
async def test_a_file_that_is_no_scenario_is_refused(tmp_path: Path, filename: str, data: bytes, told: str) -> None:
    async with open_table(tmp_path, people=2, begins=False) as table:
        (host, guest), channel = table.world.people, table.world.channel.id
        before = len(table.messages(guest))
        options = {"system": "king_of_kings", "name": "Another", "scenario": (filename, data)}
        answer = await table.said(host, await table.world.slash(host, channel, "game create", options))
        assert told in answer
        assert len(table.messages(guest)) == before
        assert table.complaints() == []


def content(table: LiveGame, message: Payload, name: str) -> bytes:
    stored = table.world.env.backend.messages[table.world.channel.id][int(message["id"])]
    (url,) = [file["url"] for file in stored.attachments if file["filename"] == name]
    return table.world.env.backend.cdn.get(url) or b""


def pictures(message: Payload) -> list[Payload]:
    return [file for file in message["files"] if file["picture"]] or [e for e in message["embeds"] if e.get("image")]
