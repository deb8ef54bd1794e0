"""The bot with worker processes, as it is run: what players get is the same, and nothing is left of it at the end."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.table import open_table
from tests.processes import children


async def test_a_phase_is_ordered_closed_and_shown_with_the_help_of_workers(tmp_path: Path) -> None:
    async with open_table(tmp_path, workers=2, people=2, players="2") as table:
        person = table.world.people[0]
        power = (await table.standing()).power(person)
        assert power is not None
        # One long enough to be read by a worker.
        chatter = "\n".join(f"# note {number}" for number in range(130))
        order = table.watch.standing.example(power)
        assert order in await table.message(power, f"{order}\n{chatter}")
        await table.skip(days=1, minutes=1)
        assert "## Results: Spring 1901" in table.channel_text()
        shown = table.world.sight(person).messages(table.world.channel.id)
        assert [file for message in shown for file in message["files"]]
        assert children()
        assert table.complaints() == []
    assert not children()
