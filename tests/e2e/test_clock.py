"""Deadlines, reminders, outages and refusals of the world around the bot, as players meet them."""

from __future__ import annotations

import sqlite3
from functools import partial
from pathlib import Path

import pytest

from bot.storage import database
from tests.e2e.table import LiveGame, open_table

STANDING = "A PAR - PIC"


async def test_missing_orders_hold_and_two_misses_open_the_seat(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_table(tmp_path, people=8, players="7") as table:
        for text in ("A PAR - BUR", "A BUR - RUH"):
            await table.message("france", text)
            await table.skip(days=1, minutes=1)
        standing = await table.standing()
        seats = {seat.power: seat for seat in standing.seats}
        assert [seats[power].missed for power in seats if power == "france"] == [0]
        assert seats[standing.power(table.player("germany"))].is_open
        hanna, channel_id = table.world.people[7], table.world.channel.id
        options = {"power": "Germany"}
        await table.said(hanna, await table.world.slash(hanna, channel_id, "game join", options))
        await table.watch.now()
        assert table.player("germany") is hanna
        answer = await table.slash("germany", "orders enter", text="A BER H")
        assert "A BER H" in answer
        assert table.complaints() == []
        assert "the clock" not in caplog.text


async def test_a_phase_with_reminders_closes_when_all_are_ready_and_its_buttons_say_that_it_is_over(
    tmp_path: Path,
) -> None:
    async with open_table(tmp_path) as table:
        await table.message("france", "A PAR - BUR")
        person = table.player("france")
        message, part = table.button(person, "I'm ready")
        before = {power: table.dm_text(power) for power in ("france", "italy")}
        await table.skip(hours=23)
        assert table.dm_text("france") == before["france"]
        assert "still missing" in table.dm_text("italy").removeprefix(before["italy"])

        for everybody in table.world.people:
            await table.world.slash(everybody, table.world.channel.id, "orders ready", {"sure": True})
        await table.quiet()
        assert "Closed early: everyone was ready." in table.channel_text()
        assert "Fall 1901" in (await table.standing()).title

        await table.world.restart()
        answer = await table.said(person, await table.world.click(person, int(message["id"]), part["custom_id"]))
        assert "is over" in answer
        assert "Fall 1901" in answer
        await table.watch.now()
        assert not (await table.standing()).is_ready(person)
        assert table.complaints() == []


async def test_a_phase_that_fell_due_while_the_bot_was_away_is_closed_and_said_to_be_late(tmp_path: Path) -> None:
    async with open_table(tmp_path) as table:
        await table.message("france", "A PAR - BUR")
        await table.world.restart()
        table.world.clock.skip(3 * 86400)
        await table.world.restart()
        await table.quiet()
        text = table.channel_text()
        assert "because the bot was away" in text
        assert "A PAR - BUR" in text
        assert text.count("## Results: Spring 1901") == 1
        assert table.complaints() == []


async def test_orders_sent_by_direct_message_while_the_bot_was_away_count_by_their_own_time(tmp_path: Path) -> None:
    async with open_table(tmp_path) as table:
        await table.skip(hours=2)
        missed(table, "france", "A PAR - BUR\nF BRE - MAO")
        table.world.clock.skip(86400)
        missed(table, "italy", "A VEN - TYR")
        table.world.clock.skip(86400)
        await table.world.restart()
        await table.quiet()

        results = table.channel_text().split("## Results: Spring 1901")[1]
        assert "A PAR - BUR" in results
        assert "A VEN - TYR" not in results
        assert "were read first" in results
        for power, word in (("france", "A PAR - BUR"), ("italy", "The deadline of Spring 1901")):
            answer = table.dm_text(power).split("I was away when you sent me this")[1]
            assert word in answer

        missed(table, "france", "F MAO - POR")
        table.world.clock.skip(600)
        await table.world.restart()
        await table.quiet()
        assert "F MAO - POR" in await table.orders("france")
        assert table.complaints() == []


def missed(table: LiveGame, power: str, text: str) -> None:
    """A player writes to the bot, which isn't told: as while it is away."""
    person = table.player(power)
    table.world.env.backend.create_message(person.dm_channel_id, person.id, text, broadcast=False)


async def test_closed_direct_messages_are_said_in_the_channel_and_nothing_else_is(tmp_path: Path) -> None:
    async with open_table(tmp_path, begins=False) as table:
        host = table.world.people[0]
        path = f"/channels/{host.dm_channel_id}/messages"
        await table.world.refuse("POST", path, status=403, code=50007, message="Cannot send", times=None)
        answer = await table.world.slash(host, table.world.channel.id, "game start", {})
        await table.said(host, answer)
        await table.skip(minutes=5)
        standing = await table.standing()
        text = table.channel_text()
        assert "can't send you direct messages" in text
        assert "@Ada" in text.split("can't send you direct messages")[0].rsplit("\n", 1)[-1]
        power = standing.power(host)
        unit = standing.missing(power)[0] if power else ""
        said = await table.said(
            host, await table.world.slash(host, table.world.channel.id, "orders enter", {"text": f"{unit} H"})
        )
        assert f"{unit} H" in said
        assert f"{unit} H" not in table.channel_text()


async def test_a_post_that_discord_refuses_for_a_while_comes_later_and_once(tmp_path: Path) -> None:
    async with open_table(tmp_path) as table:
        path = f"/channels/{table.world.channel.id}/messages"
        await table.world.refuse("POST", path, status=500, times=3)
        await table.skip(days=1, minutes=1)
        for _ in range(8):
            await table.skip(minutes=2)
        assert table.channel_text().count("## Results: Spring 1901") == 1


async def test_an_order_after_the_deadline_is_told_so_and_nothing_changes(tmp_path: Path) -> None:
    async with open_table(tmp_path) as late:
        await late.message("france", STANDING)
        late.world.clock.skip(25 * 3600)
        # The alarm has not rung yet.
        answer = await late.slash("france", "orders enter", text="A PAR - BUR")
        await late.quiet()
        standing = await late.standing()
        if standing.game.phase_no == 1:
            assert "deadline" in answer.casefold() or "over" in answer
            assert await late.orders("france") == (STANDING,)
        await late.skip(minutes=1)
        results = late.channel_text().split("## Results", 1)[1]
        assert "A PAR - PIC" in results
        assert "A PAR - BUR" not in results.split("Fall 1901", 1)[0]
        assert late.complaints() == []


async def test_a_locked_database_is_told_and_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # It is tried as often as ever, each time for a tenth of the time.
    monkeypatch.setattr(database, "Patience", partial(database.Patience, busy_s=0.2))
    async with open_table(tmp_path) as locked:
        await locked.message("france", STANDING)
        other = sqlite3.connect(tmp_path / "games.sqlite", isolation_level=None)
        try:
            other.execute("BEGIN IMMEDIATE")
            person = locked.player("france")
            answer = await locked.world.slash(person, locked.world.channel.id, "orders enter", {"text": "A MAR - SPA"})
            await locked.world.settled()
        finally:
            other.execute("ROLLBACK")
            other.close()
        seen = locked.world.sight(person).message(answer.message_ids[0])
        assert seen is not None
        assert "A MAR - SPA" not in seen["text"]
        assert "again" in seen["text"]
        assert await locked.orders("france") == (STANDING,)
        await locked.slash("france", "orders enter", text="A MAR - SPA")
        assert set(await locked.orders("france")) == {STANDING, "A MAR - SPA"}
        assert locked.complaints() == []


async def test_an_outage_is_held_against_nobody_and_silence_after_it_is(tmp_path: Path) -> None:
    async with open_table(tmp_path) as table:
        table.world.clock.skip(3 * 86400)
        await table.world.restart()
        await table.quiet()
        standing = await table.standing()
        assert standing.game.phase_no == 2
        assert standing.table is not None
        assert {seat.missed for seat in standing.table.seats} == {0}
        await table.skip(days=2, minutes=1)
        standing = await table.standing()
        assert standing.table is not None
        assert {seat.missed for seat in standing.table.seats} == {1}
