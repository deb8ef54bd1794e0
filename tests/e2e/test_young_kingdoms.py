"""A short whole game of the Young Kingdoms among six random players: hands stay with their holders, spells are cast."""

from __future__ import annotations

from pathlib import Path

from engine.core.ids import SystemId
from engine.core.viewer import Playing
from engine.registry import systems
from tests.e2e.table import LiveGame, leaks, open_table

SYSTEM = "young_kingdoms"
POWERS = ("argimiliar", "lormyr", "jharkor", "ilmiora", "pan_tang", "melnibone")
CARDS_FILE = "cards.png"


async def test_six_random_players_play_two_years_with_their_cards(tmp_path: Path) -> None:
    async with open_table(
        tmp_path,
        people=6,
        seed="stormbringer",
        wishes=POWERS,
        system=SYSTEM,
        players="6",
        options="last_year=1401",
    ) as table:
        for _ in range(20):
            await table.quiet()
            if (await table.standing()).is_over:
                break
            await _play_phase(table)
        assert (await table.standing()).is_over
        assert "sorcerer casts" in table.channel_text()
        assert {power for power in POWERS if _sees_cards(table, power)} == {"pan_tang", "melnibone"}
        assert table.complaints() == []


async def _play_phase(table: LiveGame) -> None:
    """Let each do its part, and look over everybody's shoulder after each."""
    phase_no = (await table.standing()).game.phase_no
    since = {person.number: table.message_ids(person) for person in table.world.people}
    for person in table.world.people:
        await table.robots.play_person(person, phase_no)
        standing = await table.standing()
        if standing.is_over or standing.game.phase_no != phase_no:
            return
        # Two powers that share a space with a third write the same line.
        assert [leak for leak in leaks(table, standing, since) if "SHARE" not in leak] == []


def _sees_cards(table: LiveGame, power: str) -> bool:
    return any(CARDS_FILE in str(message["files"]) for message in table.messages(table.player(power)))


async def test_spells_are_cast_by_command_menu_and_message(tmp_path: Path) -> None:
    async with open_table(tmp_path, people=6, system=SYSTEM, players="6") as table:
        await table.slash("melnibone", "orders ready", sure=True)
        rules = systems[SystemId(SYSTEM)]
        standing = await table.standing()
        assert standing.table is not None
        view = rules.sight.view(standing.table.state, Playing(standing.power(table.player("pan_tang"))))
        casts = [
            text
            for texts in rules.orders.legal(view).values()
            for text in map(rules.orders.format, texts)
            if "CAST" in text
        ]

        assert "cards of Pan Tang" in await table.slash("pan_tang", "spells show")
        assert casts[0] in await table.slash("pan_tang", "spells cast", spell=casts[0].removeprefix("CAST "))
        assert casts[-1] in await table.message("pan_tang", casts[-1])
        assert casts[-1] in await table.orders("pan_tang")
        assert "no card that you could cast" in await table.slash("lormyr", "spells cast")
        answer = await table.click("pan_tang", "Cast a card")
        assert "Which card?" in await table.said(table.player("pan_tang"), answer)
        assert table.complaints() == []
