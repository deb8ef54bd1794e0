"""King of Kings through Discord, from set-up to ranking: sheets by every way, treaties, a battle, an absence.

The real bot, with three people on a small map; a game master's edits bring two armies together in time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

from bot.play.eyes import Payload, parts, plain_text
from bot.play.world import Answer
from engine.core.dice import seal
from engine.core.ids import SystemId
from engine.registry import systems
from tests.e2e.table import LiveGame, leaks, open_table

RULES = systems[SystemId("king_of_kings")]
SHEET_FILE, REPORT_FILE, RECORD_FILE = "orders.txt", "report.txt", "turn.json"


async def test_three_nations_play_four_turns_to_the_ranking(tmp_path: Path) -> None:
    async with open_table(
        tmp_path, people=3, seed="nile", system="king_of_kings", players="3", options="end_turn=4"
    ) as table:
        one, two, three = await nations(table)
        await first_turn(table, one, two, three)
        await second_turn(table, one, two, three)
        await third_turn(table, one, two, three)
        await last_turn(table, one, two, three)

        text = table.channel_text()
        assert [text.count(f"Results: Turn {turn} ") for turn in (1, 2, 3, 4)] == [1, 1, 1, 1]
        assert "Sunday Table is over" in text
        assert "Ranking" in text
        told = re.search(r"The seed of the dice was `?([0-9a-z/|-]+)`?", text)
        assert told is not None
        own, *_ = told[1].split("|")
        assert f"(SHA-256 of my part of it: {seal(own)})" in text.replace("`", "")
        verified = await table.slash(one, "game verify")
        assert "all 4 closed phases came out just as they were posted" in verified
        assert "is the same, and so is who drew which power" in verified
        assert table.complaints() == []


async def first_turn(table: LiveGame, one: str, two: str, three: str) -> None:
    """Sheets by message, form and file; a treaty from both sides."""
    since = seen(table)
    places = await provinces(table, one)
    answer = await table.message(one, f"BEGIN\nPLA {places[0]} HO\nBUILD {places[1]}\nEND")
    assert "costs 12 gold; 24 gold and 20 wood are left" in answer
    assert f"ALL {two} 1" in await table.slash(one, "ally", nation=two.title(), status="1")
    assert await table.orders(one) == (f"PLA {places[0]} HO", f"BUILD {places[1]}", f"ALL {two} 1")

    places = await provinces(table, two)
    assert f"PLA {places[0]} BO" in await by_form(table, two, f"BEGIN\nPLA {places[0]} BO\nALL {one} 1\nEND")
    places = await provinces(table, three)
    sheet = f"DEF {places[0]} C\r\nPLA {places[1]} FO\r\n".encode("utf-16")
    assert f"DEF {places[0]} C" in await table.message(three, "", ((SHEET_FILE, sheet),))
    assert leaks(table, await table.standing(), since) == []
    await close(table, one, two, three)
    assert (await status(table, one, two), await status(table, two, one)) == (1, 1)


async def second_turn(table: LiveGame, one: str, two: str, three: str) -> None:
    """Gold changes hands, orders come by command and by menu, and the bot starts anew while they stand."""
    since = seen(table)
    await table.slash(one, "ally", nation=two, status="2")
    answer = await table.slash(one, "donate", nation=two, gold="10")
    assert "costs 10 gold" not in answer, "the other nation has not agreed yet"
    await table.world.restart()
    place, *_ = await provinces(table, two)
    answer = await table.slash(two, "orders enter", text=f"ALL {one} 2; DEF {place} F")
    assert "↳ ok" in answer
    noted = await guided(table, three, ">LAND", "LAND", "AT", "")
    assert "ends in" in noted
    standing = await table.standing()
    assert {power: len(sheet.orders) for power, sheet in standing.sheets.items()} == {one: 2, two: 2, three: 1}
    assert leaks(table, standing, since) == []
    await close(table, one, two, three)
    assert f"The {one.title()} gave the {two.title()} 10 gold; 9 arrived." in report(table, 2)


async def third_turn(table: LiveGame, one: str, two: str, three: str) -> None:
    """A battle; the third nation sends nothing and is played for. The deadline closes the turn, once."""
    target, *_ = await provinces(table, three, with_units=True)
    beside = await land_beside(table, target)
    await table.slash(one, "gm set", change=f"owner {beside[0]} {one}")
    await table.slash(one, "gm set", change=f"units {beside[0]} {one} FO 9 HO 6 GE 1")
    since = seen(table)
    await table.message(one, f"LAND {beside[0]} F AT {beside[1]}")
    assert "a battle will follow" in (await table.slash(one, "orders show"))
    await table.message(two, "PASS")
    assert leaks(table, await table.standing(), since) == []
    await table.skip(days=1, minutes=1)
    await table.world.restart()
    await table.skip(minutes=2)
    text = table.channel_text()
    assert f"Battle of {target.replace(' ', '/')}" in text
    assert f"The game master has changed: owner {beside[0]} {one}" in text
    assert "Round 1" in report(table, 3)
    record = json.loads(attachment(table, 3, RECORD_FILE))
    assert {row["nation"] for row in record["results"]} >= {one, three}, "the server played for who was absent"
    assert "seed" not in record["position"]


async def last_turn(table: LiveGame, one: str, two: str, three: str) -> None:
    """A name for a province, by the file of a command."""
    place, *_ = await provinces(table, two)
    answer = await table.message(two, "", (("SP2.R04", f"NAME {place} New Ur\nBUILD 99 99".encode()),))
    assert f"NAME {place} New Ur" in answer
    assert "99/99 is off the map" in answer
    assert "turn" not in answer.partition("Your orders")[0].lower().replace("**turn 4**", "")
    await table.message(one, "PASS")
    await table.message(three, "BEGIN\nEND")
    await close(table, one, two, three)


# --- What people do and see ---------------------------------------------------------------------------------


async def nations(table: LiveGame) -> tuple[str, str, str]:
    """Who plays what, by person."""
    standing = await table.standing()
    one, two, three = (str(standing.power(person)) for person in table.world.people)
    return one, two, three


async def provinces(table: LiveGame, power: str, *, with_units: bool = False) -> list[str]:
    """The places of a nation, as orders name them."""
    rows = (await position(table))["state"]["provinces"]
    own = [row for row in rows if row.get("owner") == power and (row.get("units") or not with_units)]
    return [f"{row['x']} {row['y']}" for row in own]


async def position(table: LiveGame) -> Mapping[str, Payload]:
    standing = await table.standing()
    assert standing.table is not None
    return RULES.play.dump(standing.table.state)


async def land_beside(table: LiveGame, place: str) -> tuple[str, str]:
    """A land square beside a place, and the direction from there to it."""
    rows: list[str] = (await position(table))["state"]["map"]
    x, y = map(int, place.split())
    for dx, dy, way in ((-1, 0, "E"), (1, 0, "W"), (0, -1, "S"), (0, 1, "N")):
        column, row = x + dx, y + dy
        if 0 <= row < len(rows) and 0 <= column < len(rows[row]) and rows[row][column] != "~":
            return f"{column} {row}", way
    raise AssertionError(f"{place} lies alone in the sea")


async def status(table: LiveGame, of: str, to: str) -> int:
    nation = await row_of(table, of)
    return int(nation.get("status", {}).get(to, 0))


async def row_of(table: LiveGame, nation: str) -> Payload:
    rows: list[Payload] = (await position(table))["state"]["nations"]
    return next(row for row in rows if row["name"] == nation)


def seen(table: LiveGame) -> dict[int, set[str]]:
    return {person.number: table.message_ids(person) for person in table.world.people}


async def by_form(table: LiveGame, power: str, text: str) -> str:
    opened = await table.click(power, "Write orders")
    assert opened.modal is not None
    (field,) = opened.modal["fields"]
    person = table.player(power)
    return await table.said(
        person, await table.world.submit(person, int(opened.modal["id"]), {field["custom_id"]: text})
    )


async def guided(table: LiveGame, power: str, *choices: str) -> str:
    """Choose in the guided flow by the beginnings of labels or values; what it says in the end."""
    answer = await table.click(power, "Guide me")
    await table.said(table.player(power), answer)
    said = ""
    for beginning in choices:
        message = answered(table, power, answer)
        menu, value = next(
            (menu, o["value"])
            for menu in reversed([part for part in parts(message) if part["kind"] == "select"])
            for o in menu["options"]
            if o["value"] == beginning
            or o["label"].startswith(beginning)
            or (beginning in o["value"] and not o["value"].startswith(">"))
        )
        await table.world.select(table.player(power), int(message["id"]), menu["custom_id"], [value])
        await table.quiet()
        said = plain_text(answered(table, power, answer))
    return said


def answered(table: LiveGame, power: str, answer: Answer) -> Payload:
    """What an answer says now."""
    message = table.world.sight(table.player(power)).message(answer.message_ids[-1])
    assert message is not None
    return message


async def close(table: LiveGame, *powers: str) -> None:
    """Everybody is ready: the turn closes."""
    for power in powers:
        await table.slash(power, "orders ready", sure=True)
    await table.quiet()


def report(table: LiveGame, turn: int) -> str:
    return attachment(table, turn, REPORT_FILE)


def attachment(table: LiveGame, turn: int, name: str) -> str:
    """A file of the results of a turn, as it was posted in the channel."""
    channel = table.world.env.backend.messages[table.world.channel.id]
    for message in channel.values():
        if f"Results: Turn {turn} " in (message.content or ""):
            for file in message.attachments:
                if file["filename"] == name:
                    return (table.world.env.backend.cdn.get(file["url"]) or b"").decode()
    raise AssertionError(f"no {name} of turn {turn}")
