"""A ruler of Kalevala who stays away, through Discord: protection, vacancy, and somebody who takes the realm over.

It costs some ten seconds, since ten windows of six rulers are played.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bot.play.eyes import plain_text
from tests.e2e.table import LiveGame, open_table
from tests.e2e.test_kalevala import RULERS, secrets_in_channel, seen
from tests.e2e.test_kalevala_battle import host

GONE, STAYING = RULERS[-1], RULERS[:-1]
NAME = GONE.capitalize()
MOST = 12
"""Windows: three missed ones, three great rounds of protection, and a little more."""


async def test_a_realm_whose_ruler_stays_away_falls_vacant_and_is_taken_over(tmp_path: Path) -> None:
    async with open_table(
        tmp_path, people=7, seed="vaka", system="kalevala", players="6", lengths="deeds=12h", wishes=RULERS
    ) as table:
        missed = 0
        while (await own(table)).get("kind") != "vacant":
            before = seen(table)
            await a_window_without_him(table)
            missed += 1
            assert missed <= MOST
            if missed == 3:
                asked = "\n".join(new_texts(table, table.world.people[0], before))
                assert f"No orders from {NAME}, 3 times in a row" in table.channel_text()
                assert "a game master who does not play may decide otherwise" in asked
                assert "You play in" in await table.slash(host(table), "gm set", change=f"absence {GONE} wait")
                assert (await own(table))["protected"] > 2
            for ruler in STAYING:
                assert "is vacant" not in "\n".join(new_texts(table, table.player(ruler), before))
        assert "Your realm is vacant now" in table.dm_text(GONE)
        assert "is vacant" not in table.channel_text()
        assert secrets_in_channel(table) == []
        await taking_over(table)
        assert table.complaints() == []


async def own(table: LiveGame) -> dict[str, Any]:
    document = (await table.standing()).game.document
    assert document is not None
    found: dict[str, Any] = document["state"]["rulers"][GONE]
    return found


async def a_window_without_him(table: LiveGame) -> None:
    for ruler in STAYING:
        await table.message(ruler, "PASS")
    await table.skip(hours=49)


def new_texts(table: LiveGame, person: Any, before: dict[int, set[str]]) -> list[str]:
    return [plain_text(each) for each in table.messages(person, known=before[person.number])]


async def taking_over(table: LiveGame) -> None:
    """The newcomer has all of it; the realm is one again when his first sheet counts, and it is not said who he is."""
    newcomer, former = table.world.people[-1], table.player(GONE)
    public = table.channel_text()
    joined = await table.world.slash(newcomer, table.world.channel.id, "game join", {"power": NAME})
    assert f"You now play **{NAME}**" in await table.said(newcomer, joined)
    await table.standing()
    assert table.player(GONE) is newcomer
    await a_window_without_him(table)
    assert (await own(table)).get("kind") == "vacant", "he has sent nothing yet"
    await table.message(GONE, "PASS")
    await a_window_without_him(table)
    after = await own(table)
    assert "kind" not in after
    assert after.get("nmr", 0) == 0
    for name in (newcomer.name, former.name):
        assert name not in table.channel_text()[len(public) :]
