"""Kalevala through Discord: somebody comes to a game that runs, another leaves it, and nobody learns who or where."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

from bot.play.eyes import plain_text
from bot.play.world import Person
from bot.services.transfer import export_game
from engine.core.ids import PowerId
from engine.kalevala.model import State
from tests.e2e.table import LiveGame, open_table
from tests.e2e.test_kalevala import RULERS, guided, ready, secrets_in_channel, seen
from tests.engine.kalevala.test_first_rounds import OPENING


async def test_somebody_comes_to_a_game_and_somebody_leaves_it(tmp_path: Path) -> None:
    async with open_table(
        tmp_path,
        people=8,
        seed="come",
        system="kalevala",
        players="6",
        lengths="deeds=12h",
        options="places=2, invaders=yes",
        wishes=RULERS,
    ) as table:
        newcomer, late = table.world.people[6:8]
        assert "**Gerd**: a place for a new player; `/game join` takes it" in table.channel_text()
        refused = await as_person(table, newcomer, "game join")
        assert "Gerd and Hans, kept for new players" in refused
        before = seen(table)
        assert "You now play **Gerd**" in await as_person(table, newcomer, "game join", power="Gerd")
        assert "BEGIN LAND" in dm_since(table, newcomer, before)
        await table.watch.now()
        await choosing(table, newcomer)
        for ruler in RULERS:
            await table.message(ruler, OPENING[ruler] if ruler == "anna" else "PASS")
        before = seen(table)
        await ready(table, *RULERS)
        await as_person(table, newcomer, "orders ready", sure=True)
        await table.quiet()
        await arriving(table, newcomer, before)
        await leaving(table, late)
        assert secrets_in_channel(table) == []
        verified = await table.slash("anna", "game verify")
        assert "closed phases came out just as they were posted" in verified
        assert "is the same, and so is who drew which power" in verified
        exported = json.dumps(export_game(table.application.context, (await table.standing()).game.id))
        assert '"left fina"' in exported
        assert table.complaints() == []


async def choosing(table: LiveGame, newcomer: Person) -> None:
    """What can't be is refused with what can; the menu and the command make the same line."""
    said = await as_person(table, newcomer, "begin", way="fleet")
    assert "there is no room for that" in said
    assert "BEGIN HORDE" in await as_person(table, newcomer, "begin", way="horde")
    assert "BEGIN LAND" in await guided(table, "gerd", "On free land")
    assert await table.orders("gerd") == ("BEGIN LAND",)
    closed = await table.slash("anna", "begin", way="land")
    assert "there is nothing to begin" in closed


async def arriving(table: LiveGame, newcomer: Person, before: dict[int, set[str]]) -> None:
    """The newcomer gets a realm with map and sheet; nobody else reads of it."""
    text = dm_since(table, newcomer, before)
    assert "You are allotted" in text
    assert "map.png" in text
    standing = await table.standing()
    capital = str(cast(State, standing.table.state).rulers[PowerId("gerd")].capital)
    assert f"{capital} " in text
    assert capital not in table.channel_text()
    others = ("bert", "carl", "dora")
    assert not any("You are allotted" in dm_since(table, table.player(ruler), before) for ruler in others)
    board = await as_person(table, newcomer, "map", text=True)
    assert capital in board + dm_since(table, newcomer, before)


async def leaving(table: LiveGame, late: Person) -> None:
    """A player goes: the realm is vacant and protected when the window is over, and somebody else takes it over."""
    person = table.player("fina")
    public = table.channel_text()
    await table.slash("fina", "game leave", sure=True)
    assert "The player of Fina has left" in table.channel_text()
    for ruler in (*RULERS[1:], "gerd"):
        if ruler != "fina":
            await table.message(ruler, "PASS")
    await table.skip(hours=12, minutes=1)
    state = cast(State, (await table.standing()).table.state)
    own = state.rulers[PowerId("fina")]
    assert (own.kind, own.protected) == ("vacant", 4)
    assert "Fina has sent no sheet" not in table.channel_text()
    joined = await as_person(table, late, "game join", power="Fina")
    assert "You now play **Fina**" in joined
    assert late.name not in table.channel_text()
    assert person.name not in table.channel_text()[len(public) :]
    refused = await as_person(table, person, "game join", power="Hans")
    assert "can't take another" in refused


async def as_person(table: LiveGame, person: Person, command: str, **options: Any) -> str:
    answer = await table.world.slash(person, table.world.channel.id, command, options)
    return await table.said(person, answer)


def dm_since(table: LiveGame, person: Person, before: dict[int, set[str]]) -> str:
    fresh = [message for message in table.messages(person) if message["id"] not in before[person.number]]
    return "\n".join(map(plain_text, fresh))


async def test_a_game_master_is_asked_for_a_place_that_is_by_invitation(tmp_path: Path) -> None:
    async with open_table(
        tmp_path,
        people=8,
        seed="ask",
        system="kalevala",
        players="6",
        options="places=1, invitation=yes",
        wishes=RULERS,
    ) as table:
        newcomer, master = table.world.people[6], table.world.people[0]
        assert "`/game join` asks a game master for it" in table.channel_text()
        before, public = seen(table), table.channel_text()
        said = await as_person(table, newcomer, "game join")
        assert "have been told that you would like to play Gerd" in said
        assert "already" in await as_person(table, newcomer, "game join", power="Gerd")
        await table.quiet()
        assert "would like to play **Gerd**" in dm_since(table, master, before)
        assert table.channel_text() == public
        assert not any("would like" in dm_since(table, each, before) for each in table.world.people[1:6])
        await as_person(table, master, "gm replace", power="Gerd", player=newcomer.id)
        await table.quiet()
        assert "BEGIN LAND" in dm_since(table, newcomer, before)
        assert table.complaints() == []
