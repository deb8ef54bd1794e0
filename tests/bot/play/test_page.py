"""The page's server: who may ask, and that each person's answers hold what that person sees."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from bot.play.page import PageServer
from bot.play.world import SimulatedServer


@pytest.fixture
async def http(page: PageServer) -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(page.address) as session:
        yield session


async def ask(http: aiohttp.ClientSession, path: str, **query: str) -> Any:
    async with http.get(path, params=query) as answer:
        assert answer.status == 200, await answer.text()
        return await answer.json()


async def do(http: aiohttp.ClientSession, path: str, **body: Any) -> Any:
    async with http.post(path, json=body) as answer:
        assert answer.status == 200, await answer.text()
        return await answer.json()


async def test_nothing_comes_from_elsewhere(http: aiohttp.ClientSession) -> None:
    for path in ("/", "/page.css", "/page.js"):
        async with http.get(path) as answer:
            text = await answer.text()
            assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        assert "https://" not in text
        assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "evil.example:18765"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
    ],
)
async def test_other_sites_are_turned_away(http: aiohttp.ClientSession, headers: dict[str, str]) -> None:
    for path in ("/", "/api/state"):
        async with http.get(path, headers=headers) as answer:
            assert answer.status == 403
    async with http.post("/api/say", json={}, headers=headers) as answer:
        assert answer.status == 403


async def test_a_form_of_another_site_can_t_post(http: aiohttp.ClientSession) -> None:
    async with http.post("/api/say", data="{}", headers={"Content-Type": "text/plain"}) as answer:
        assert answer.status == 415


async def test_what_makes_no_sense_is_refused(http: aiohttp.ClientSession) -> None:
    bodies: tuple[Any, ...] = ([], {}, {"as": "1"}, {"as": "1", "channel": None, "text": {}, "files": 3}, "x")
    for body in bodies:
        async with http.post("/api/slash", json=body) as answer:
            assert answer.status == 400
    async with http.get("/api/state", params={"as": "nobody"}) as answer:
        assert answer.status == 404


async def test_the_state_names_people_and_channels(http: aiohttp.ClientSession, world: SimulatedServer) -> None:
    state = await ask(http, "/api/state", **{"as": "2"})
    assert [person["name"] for person in state["people"]] == ["Ada", "Bruno", "Chiara"]
    assert [person["robot"] for person in state["people"]] == [False, False, True]
    assert [channel["kind"] for channel in state["channels"]] == ["channel", "dm"]
    assert state["guide"]["who"] == "You are Bruno and play England."


async def test_one_s_messages_and_files_are_nobody_else_s(http: aiohttp.ClientSession, world: SimulatedServer) -> None:
    dm = str(world.people[0].dm_channel_id)
    await do(http, "/api/say", **{"as": "1", "channel": dm, "text": "A PAR - BUR"})
    await world.settled()
    mine = await ask(http, "/api/messages", **{"as": "1", "channel": dm})
    assert [message["text"] for message in mine] == ["A PAR - BUR", "Read: **A PAR - BUR**"]
    assert await ask(http, "/api/messages", **{"as": "2", "channel": dm}) == []
    number = mine[1]["files"][0]["id"]
    async with http.get(f"/file/1/{number}") as answer:
        assert answer.content_type == "image/png"
    async with http.get(f"/file/2/{number}") as answer:
        assert answer.status == 404
    assert "A PAR" not in str(await ask(http, "/api/state", **{"as": "2"}))
    refused = await do(http, "/api/click", **{"as": "2", "message": mine[1]["id"], "custom_id": "ready:1"})
    assert refused == {"error": "That message is gone."}


async def test_commands_forms_and_menus_go_through(http: aiohttp.ClientSession, world: SimulatedServer) -> None:
    channel = str(world.channel.id)
    names = [command["name"] for command in await ask(http, "/api/commands", **{"as": "1", "channel": channel})]
    assert names == ["late", "long", "menu", "orders enter", "silent"]
    command = {"as": "1", "channel": channel, "command": "orders enter"}
    offered = await do(http, "/api/complete", **command, option="text", typed="ga", filled={})
    assert offered["choices"][0]["name"] == "A PAR - GAS"
    opened = await do(http, "/api/slash", **command, options={})
    sent = await do(http, "/api/modal", **{"as": "1", "modal": opened["modal"]["id"], "values": {"orders": "A PAR H"}})
    assert len(sent["messages"]) == 1
    wrong = await do(http, "/api/slash", **{**command, "command": "menu"}, options={"count": "4"})
    assert "must be ≤ 3" in wrong["error"]


async def test_changes_are_pushed(http: aiohttp.ClientSession, world: SimulatedServer) -> None:
    async with http.get("/api/events") as stream:
        first = await stream.content.readline()
        await world.say(world.people[1], world.channel.id, "Hello")
        await stream.content.readline()
        second = await stream.content.readline()
    assert int(second.split()[1]) > int(first.split()[1])


async def test_a_taken_port_gives_way_to_the_next(page: PageServer, world: SimulatedServer) -> None:
    from tests.bot.play.little_bot import LittleGuide

    other = PageServer(world, LittleGuide())
    await other.start(page.port)
    try:
        assert other.port > page.port
    finally:
        await other.close()
