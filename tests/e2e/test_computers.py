"""One person among the computer's players: begun by a command, played, taken over by somebody else, drawn."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.table import open_table


async def test_one_person_plays_among_computers_and_another_takes_over_from_one(tmp_path: Path) -> None:
    async with open_table(tmp_path, people=2, seed="lone", wishes=("france",), computer="fair", begins=False) as table:
        person, stranger = table.world.people
        channel = table.world.channel.id
        await table.said(stranger, await table.world.slash(stranger, channel, "game leave", {}))
        await table.said(person, await table.world.slash(person, channel, "game start", {}))
        await table.watch.now()
        told = table.channel_text()
        assert told.count("the computer, fair; `/game join` takes it over") == 6
        assert "The computer plays" in told

        await table.message("france", "A PAR - BUR")
        await table.slash("france", "orders ready", sure=True)
        assert "Closed early: everyone was ready." in table.channel_text()
        with table.application.context.reading() as unit:
            (record, *_) = unit.phases.of_game((await table.standing()).game.id)
        assert len(record.sheets) == 7
        assert sum(" - " in line for sheet in record.sheets.values() for line in sheet.orders) > 10
        assert "came out just as it was posted" in await table.slash("france", "game verify")

        said = await table.slash("france", "game vote", vote="draw")
        assert "agrees to a draw by itself" in said, "Russia has four centres, and is ahead"
        joined = await table.world.slash(stranger, channel, "game join", {"power": "Russia"})
        assert "You now play **Russia**" in await table.said(stranger, joined)
        info = await table.slash("france", "game info")
        assert info.count("the computer, fair") == 5
        await table.said(stranger, await table.world.slash(stranger, channel, "game vote", {"vote": "draw"}))
        assert "All have agreed to a draw" in table.channel_text()
        assert table.complaints() == []
