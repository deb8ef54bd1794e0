"""A game master's word on a battle of Kalevala, through Discord: told to those concerned, and to nobody else.

It costs some seconds, since two windows of six rulers are played.
"""

from __future__ import annotations

from pathlib import Path

from bot.play.eyes import plain_text
from bot.play.world import Person
from tests.e2e.table import LiveGame, open_table
from tests.e2e.test_kalevala import RULERS, ready, seen
from tests.e2e.test_kalevala_battle import HOME, MARKET, give_bert_the_market

CHANGE = f"battle {MARKET}"


async def test_a_game_master_replaces_the_result_of_a_battle_and_takes_that_back(tmp_path: Path) -> None:
    async with open_table(
        tmp_path, people=7, begins=False, seed="sampo", system="kalevala", players="6", wishes=RULERS
    ) as table:
        master = await beginning_without_a_seat(table)
        await give_bert_the_market(table)
        await table.message("anna", f"EXPLORE 1 {HOME} > {MARKET}")
        await ready(table, *RULERS)
        await table.message("anna", f"ENTER 2 {HOME} K {MARKET} 18LB 5BB")
        await ready(table, *RULERS)
        await refusing(table, master)
        await ruling(table, master)
        assert "came out just as they were posted" in await table.slash("carl", "game verify")
        assert table.complaints() == []


async def beginning_without_a_seat(table: LiveGame) -> Person:
    """Whoever made the game gives the seat to somebody else before it begins."""
    master, newcomer = table.world.people[0], table.world.people[-1]
    channel = table.world.channel.id
    await table.said(master, await table.world.slash(master, channel, "game leave", {}))
    joined = await table.world.slash(newcomer, channel, "game join", {"power": RULERS[0].capitalize()})
    await table.said(newcomer, joined)
    await table.said(master, await table.world.slash(master, channel, "game start", {}))
    await table.quiet()
    await table.standing()
    assert table.player(RULERS[0]) is newcomer
    return master


async def rule(table: LiveGame, master: Person, words: str) -> str:
    answer = await table.world.slash(master, table.world.channel.id, "gm set", {"change": f"{CHANGE} {words}"})
    return await table.said(master, answer)


async def refusing(table: LiveGame, master: Person) -> None:
    """What can't be is refused with its reason, and nobody hears of it."""
    before = seen(table)
    for words, reason in (
        ("lost anna 99LB", "can't lose 99"),
        ("lost dora 1L", "dora had nobody in the battle"),
        ("holds carl", "carl had nobody in the battle"),
        ("lost anna many", "“many” are no figures"),
        ("burn", "“lost”, “holds” or “again” comes after the place"),
        ("again", "would change nothing"),
    ):
        assert reason in await rule(table, master, words)
    assert "Only a game master" in await table.slash("bert", "gm set", change=f"{CHANGE} again")
    assert heard(table, before) == {}


async def ruling(table: LiveGame, master: Person) -> None:
    """All archers of Anna's have fallen, nobody else; then the dice count again. Those two alone hear of it."""
    public = table.channel_text()
    for words in ("lost anna 5BB", "again"):
        before = seen(table)
        assert await rule(table, master, words) != ""
        told = heard(table, before)
        assert set(told) == {"anna", "bert"}
        now, _, before_that = told["bert"].partition("No longer:")
        assert ("Anna lost 5BB and Bert lost" in now) is (words != "again")
        assert ("Anna lost 5BB and Bert lost" in before_that) is (words == "again")
    assert table.channel_text() == public


def heard(table: LiveGame, before: dict[int, set[str]]) -> dict[str, str]:
    """What each ruler has been sent since."""
    found = {}
    for ruler in RULERS:
        person = table.player(ruler)
        fresh = [message for message in table.messages(person) if message["id"] not in before[person.number]]
        text = "\n".join(plain_text(message) for message in fresh if not message["ephemeral"])
        if text:
            found[ruler] = text
    return found
