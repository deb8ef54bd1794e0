"""What bad input gets: a clear, kind error that costs only itself. The real bot, in one game that all tests share."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from bot.play.eyes import plain_text
from tests.e2e.table import LiveGame, open_table

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def table(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[LiveGame]:
    """A game in its first phase, and Hanna, who has no seat in it."""
    folder = tmp_path_factory.mktemp("bad_input")
    async with open_table(folder, people=8, players="7") as table:
        await table.message("france", "A PAR - PIC")
        yield table
        assert table.complaints() == []


STANDING = "A PAR - PIC"

REFUSED = [
    ("A MAR - BURGUNDI", ['no place called "BURGUNDI"', "Did you mean A MAR - BUR"]),
    ("A BER - MUN", ["A BER is not yours", "Germany"]),
    ("A GAS - BUR", ["no unit of yours in Gascony", "F BRE, A MAR and A PAR"]),
    ("A PAR - LON", ["A PAR does not border London", "It borders"]),
    ("A MAR - LON", ["No fleets at sea could convoy A MAR"]),
    ("F BRE - PAR", ["is a fleet, and Paris is inland"]),
    ("BUILD A MAR", ["can't be ordered now", "moves"]),
    ("A MAR S F BRE - PAR", ["PAR"]),
    ("x" * 300, ["too long for one order"]),
]


@pytest.mark.parametrize(("status", "code", "lines"), [(404, 10062, 0), (500, 0, 1)])
async def test_a_completion_that_comes_too_late_writes_no_traceback(
    table: LiveGame, caplog: pytest.LogCaptureFixture, status: int, code: int, lines: int
) -> None:
    path = "/interactions/*/callback"
    await table.world.refuse("POST", path, status=status, code=code, message="A PAR - BUR", times=5)
    person = table.player("france")
    await table.world.complete(person, table.world.channel.id, "orders enter", "text", "A PAR", {})
    await table.quiet()
    table.world.env.backend.faults.clear()

    logged = [record for record in caplog.records if record.name.startswith("discord.app_commands")]
    assert len(logged) == lines
    assert all(record.exc_info is None and "PAR" not in record.getMessage() for record in logged)
    table.world.env.errors.clear()


@pytest.mark.parametrize(("status", "code"), [(404, 10062), (503, 0)])
async def test_an_answer_that_discord_does_not_take_is_logged_as_that_and_not_as_a_fault(
    table: LiveGame, caplog: pytest.LogCaptureFixture, status: int, code: int
) -> None:
    await table.world.refuse("POST", "/interactions/*/callback", status=status, code=code, message="A PAR", times=9)
    person = table.player("france")
    await table.world.slash(person, table.world.channel.id, "orders enter", {"text": "A PAR - BUR"})
    await table.quiet()
    table.world.env.backend.faults.clear()

    logged = [record for record in caplog.records if record.name == "cogs._reply"]
    assert {record.levelname for record in logged} == {"WARNING"}
    assert f"Discord did not take an answer in /orders enter: {status} {code}" in caplog.text
    assert "PAR" not in " ".join(record.getMessage() for record in logged)
    table.world.env.errors.clear()


@pytest.mark.parametrize(("line", "told"), REFUSED, ids=lambda value: value[:20] if isinstance(value, str) else "")
async def test_a_refused_line_is_explained_and_changes_nothing(table: LiveGame, line: str, told: list[str]) -> None:
    by_message = await table.message("france", line)
    by_command = await table.slash("france", "orders enter", text=line)
    for answer in (by_message, by_command):
        assert [words for words in told if words not in answer] == []
        assert "^" in answer
    assert STANDING in await table.orders("france")
    assert not any(order.startswith(("A MAR", "F BRE")) for order in await table.orders("france"))


async def test_a_refused_line_does_not_stop_the_others(table: LiveGame) -> None:
    answer = await table.message("italy", "A ROM - APU\nA VEN - XXX\n\nF NAP - ION")
    assert "Line 2" in answer
    assert set(await table.orders("italy")) == {"A ROM - APU", "F NAP - ION"}
    assert "A VEN" in answer.split("Still without an order", 1)[1]


async def test_small_talk_is_no_order(table: LiveGame) -> None:
    answer = await table.message("france", "hello, how are you?")
    assert "no order in this" in answer
    assert STANDING in await table.orders("france")


async def test_a_text_file_is_read_and_a_picture_is_not(table: LiveGame) -> None:
    await table.message("turkey", "", (("orders.txt", b"A CON - BUL\nA SMY - CON"),))
    assert set(await table.orders("turkey")) == {"A CON - BUL", "A SMY - CON"}
    answer = await table.message("turkey", "", (("orders.png", b"\x89PNG\r\n\x1a\n" + bytes(100)),))
    assert "Nothing was changed" in answer
    answer = await table.message("turkey", "", (("orders.txt", b"A CON H\n" * 200_000),))
    assert "too long" in answer
    assert set(await table.orders("turkey")) == {"A CON - BUL", "A SMY - CON"}


async def test_a_form_of_four_thousand_characters_is_read(table: LiveGame) -> None:
    opened = await table.click("russia", "Write orders")
    assert opened.modal is not None
    (field,) = opened.modal["fields"]
    text = ("A MOS - LVN\n" * 400)[:3996]
    person = table.player("russia")
    answer = await table.world.submit(person, int(opened.modal["id"]), {field["custom_id"]: text})
    assert "A MOS - LVN" in await table.said(person, answer)
    assert await table.orders("russia") == ("A MOS - LVN",)


async def test_a_form_of_nonsense_changes_nothing(table: LiveGame) -> None:
    opened = await table.click("russia", "Write orders")
    assert opened.modal is not None
    (field,) = opened.modal["fields"]
    before = await table.orders("russia")
    person = table.player("russia")
    nonsense = ("`@everyone` <@1> **x** " * 200)[:4000]
    answer = await table.said(
        person, await table.world.submit(person, int(opened.modal["id"]), {field["custom_id"]: nonsense})
    )
    assert "Nothing was changed" in answer
    assert await table.orders("russia") == before


async def test_whoever_has_no_seat_is_told_so(table: LiveGame) -> None:
    hanna = table.world.people[7]
    channel_id = table.world.channel.id
    answer = await table.world.slash(hanna, channel_id, "orders enter", {"text": "A PAR H"})
    assert "not playing" in await table.said(hanna, answer)
    await table.world.say(hanna, hanna.dm_channel_id, "A PAR H")
    await table.quiet()
    assert "not playing" in plain_text(table.messages(hanna)[-1])
    public = table.world.sight(hanna).messages(channel_id)
    pressed = [
        await table.world.click(hanna, int(message["id"]), part["custom_id"])
        for message in public
        for row in message["rows"]
        for part in row["parts"]
        if part.get("label") in ("My orders", "Guide me", "Write orders")
    ]
    assert len(pressed) >= 3
    for answer in pressed:
        assert answer.modal is None
        said = await table.said(hanna, answer)
        assert "no seat" in said or "not playing" in said
        assert "A PAR" not in said


async def test_a_button_that_nobody_made_is_told_so(table: LiveGame) -> None:
    """Whoever wants to can send any custom id; here an own message of the bot is given a forged one."""
    person = table.player("germany")
    message, part = table.button(person, "I'm ready")
    record = table.world.sight(person).find(int(message["id"]))
    assert record is not None
    forged = ["so:ready:999999:1", "so:nonsense:1:1", "so:ready:1:1:" + "x" * 60, "so:pick:1:1:none"]
    for custom_id in forged:
        for row in record.components:
            for button in row["components"]:
                if button.get("custom_id") == part["custom_id"]:
                    button["custom_id"] = part["custom_id"] = custom_id
        answer = await table.world.click(person, int(message["id"]), custom_id)
        assert await table.said(person, answer)
    assert not (await table.standing()).is_ready(person)
