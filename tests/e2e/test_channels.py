"""A game's channel that takes no maps, no posts, or is gone, as players and game masters meet it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from discord.http import HTTPClient, MultipartParameters

from bot.play.eyes import plain_text
from bot.play.world import PERMISSIONS
from bot.services.errors import refused
from tests.e2e.table import LiveGame, open_table


async def test_without_the_permission_to_attach_files_the_words_are_posted_and_the_master_hears_it_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_table(tmp_path) as table:
        refuse_files(table, monkeypatch)
        await table.skip(days=1, minutes=1)
        await table.message("france", "A PAR - BUR")
        await table.skip(days=1, minutes=1)
        text = table.channel_text()
        assert text.count("## Results: ") == 2
        assert text.count("may not attach files in this channel") == 4
        assert master_text(table).count("no longer allowed to attach files") == 1

        monkeypatch.undo()
        await table.skip(days=1, minutes=1)
        text = table.channel_text()
        assert text.count("## Results: ") == 3
        assert text.count("may not attach files in this channel") == 4
        assert "as it should be" in await check(table)


async def test_what_was_posted_of_a_start_that_is_refused_after_all_is_reworded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise refused("words_changed", game="Sunday Table")

    async with open_table(tmp_path, begins=False) as table:
        monkeypatch.setattr("bot.services.lobby.start_game", refuse)
        host = table.world.people[0]
        answer = await table.said(host, await table.world.slash(host, table.world.channel.id, "game start", {}))
        assert "Start it again" in answer
        text = table.channel_text()
        assert text.count("This attempt to start **Sunday Table** came to nothing.") == 1
        assert "begins" not in text.splitlines()[-1]
        assert table.complaints() == []


async def test_a_permission_that_is_given_back_is_noticed_and_everything_posted(tmp_path: Path) -> None:
    async with open_table(tmp_path) as table:
        allow(table, send_messages=False)
        await table.skip(days=1, minutes=1)
        assert "## Results: " not in table.channel_text()
        assert "no longer allowed to post" in master_text(table)
        assert "I lack a permission there" in await check(table)

        allow(table)
        await table.skip(minutes=1)
        assert table.channel_text().count("## Results: ") == 1


async def test_a_game_whose_channel_is_gone_goes_on_in_another_one_with_all_its_posts(tmp_path: Path) -> None:
    async with open_table(tmp_path) as table:
        table.world.env.backend.delete_channel(table.world.channel.id)
        await table.skip(days=1, minutes=1)
        await table.skip(days=1, minutes=1)
        assert master_text(table).count("I can no longer find its channel") == 1

        table.world.channel = await table.world.open_channel("elsewhere")
        host, options = table.world.people[0], {"game": "Sunday Table"}
        said = await table.said(host, await table.world.slash(host, table.world.channel.id, "game move", options))
        assert "is played here from now on" in said
        text = table.channel_text()
        assert text.count("## Results: ") == 2
        assert text.index("Spring 1901") < text.index("Fall 1901")
        assert "this game is played in this channel" in text


def refuse_files(table: LiveGame, monkeypatch: pytest.MonkeyPatch) -> None:
    """As Discord does where the bot lacks the permission; simcord does not look at it."""
    send = HTTPClient.send_message

    async def refuse(http: HTTPClient, channel_id: int, *, params: MultipartParameters) -> Any:
        if params.files and channel_id == table.world.channel.id:
            response: Any = SimpleNamespace(status=403, reason="Forbidden")
            raise discord.Forbidden(response, {"code": 50013, "message": "Missing Permissions"})
        return await send(http, channel_id, params=params)

    monkeypatch.setattr(HTTPClient, "send_message", refuse)


def allow(table: LiveGame, **changes: bool) -> None:
    """Give everybody in the server the usual permissions, but for these."""
    for role in table.world.env.backend.guilds[table.world.guild.id].roles.values():
        permissions = discord.Permissions(PERMISSIONS.value)
        permissions.update(use_application_commands=True, **changes)
        role.permissions = permissions.value


def master_text(table: LiveGame) -> str:
    """What the game's creator was told by direct message."""
    host = table.world.people[0]
    return "\n".join(plain_text(message) for message in table.world.sight(host).messages(host.dm_channel_id))


async def check(table: LiveGame) -> str:
    host = table.world.people[0]
    return await table.said(host, await table.world.slash(host, table.world.channel.id, "gm check", {}))


async def test_a_seat_is_given_up_after_a_question_that_nobody_else_sees(tmp_path: Path) -> None:
    async with open_table(tmp_path) as table:
        await table.skip(days=1, minutes=1)
        person, before = table.player("france"), table.channel_text()
        asked = await table.slash("france", "game leave")
        assert "Do you want to give up France" in asked
        assert "the story of your power so far" in asked
        assert table.channel_text() == before
        await table.click("france", "Give up my seat")
        await table.quiet()
        shown = "\n".join(plain_text(message) for message in table.messages(person))
        assert "You have left" in shown
        assert "Do you want to give up France" not in shown
        assert "This is the story of your power" in shown
        assert "no longer plays France" in table.channel_text()
