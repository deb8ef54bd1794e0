"""The simulated server: what people can do, what they can't, and that each sees their own things only."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot.play.script import Disappointed, parse_script
from bot.play.script_player import ScriptPlayer
from bot.play.watch import Watcher
from bot.play.world import PERMISSIONS, PlayError, SimulatedServer

ROOT = Path(__file__).parents[3]


async def test_a_direct_message_is_answered_to_its_sender_alone(world: SimulatedServer) -> None:
    ada, bruno, _ = world.people
    await world.say(ada, ada.dm_channel_id, "A PAR - BUR")
    await world.settled()
    (_, answer) = world.sight(ada).messages(ada.dm_channel_id)
    assert answer["text"] == "Read: **A PAR - BUR**"
    picture = int(answer["files"][0]["id"])
    others = world.sight(bruno)
    assert others.messages(ada.dm_channel_id) == []
    assert others.message(int(answer["id"])) is None
    assert others.file(picture) is None
    seen = world.sight(ada).file(picture)
    assert seen is not None
    assert seen[:2] == ("map.png", "image/png")


async def test_an_ephemeral_answer_is_seen_by_one(world: SimulatedServer) -> None:
    ada, bruno, _ = world.people
    answer = await world.slash(ada, world.channel.id, "orders enter", {"text": "A PAR - BUR"})
    assert world.sight(ada).message(answer.message_ids[0]) is not None
    assert world.sight(bruno).message(answer.message_ids[0]) is None
    assert "A PAR - BUR" not in str(world.sight(bruno).messages(world.channel.id))


async def test_the_bot_is_waited_for_as_long_as_it_works(world: SimulatedServer) -> None:
    ada = world.people[0]
    await world.say(ada, ada.dm_channel_id, "step by step")
    await world.settled()
    assert world.sight(ada).messages(ada.dm_channel_id)[-1]["text"] == "There you are."


async def test_an_answer_has_all_its_parts_once_the_bot_has_settled(world: SimulatedServer) -> None:
    ada = world.people[0]
    answer = await world.slash(ada, world.channel.id, "long", {})
    await world.settled()
    parts = [world.sight(ada).message(message_id) for message_id in answer.message_ids]
    assert [part and part["text"] for part in parts] == ["One.", "Two."]


async def test_a_late_answer_is_an_answer(world: SimulatedServer) -> None:
    ada = world.people[0]
    answer = await world.slash(ada, world.channel.id, "late", {})
    assert not answer.is_failed
    assert world.env.errors == []


async def test_what_comes_tomorrow_is_not_waited_for(world: SimulatedServer) -> None:
    ada = world.people[0]
    await world.say(ada, ada.dm_channel_id, "tomorrow")
    await world.settled(within_s=60)
    assert len(world.sight(ada).messages(ada.dm_channel_id)) == 1


async def test_a_bot_that_never_rests_is_told_of(world: SimulatedServer) -> None:
    ada = world.people[0]
    await world.say(ada, ada.dm_channel_id, "circles")
    with pytest.raises(PlayError, match="still at work"):
        await world.settled(within_s=0.2)


async def test_a_button_works_after_a_restart(world: SimulatedServer) -> None:
    ada = world.people[0]
    await world.say(ada, ada.dm_channel_id, "A PAR - BUR")
    await world.settled()
    message = world.sight(ada).messages(ada.dm_channel_id)[-1]
    button = message["rows"][0]["parts"][0]
    await world.restart()
    answer = await world.click(ada, int(message["id"]), button["custom_id"])
    (message_id,) = answer.message_ids
    seen = world.sight(ada).message(message_id)
    assert seen is not None
    assert seen["text"] == "Ready: Ada."


async def test_a_form_is_opened_filled_in_and_sent_once(world: SimulatedServer) -> None:
    ada, bruno, _ = world.people
    answer = await world.slash(ada, world.channel.id, "orders enter", {})
    assert answer.modal is not None
    assert answer.modal["fields"][0]["value"] == "A PAR H"
    number = int(answer.modal["id"])
    with pytest.raises(PlayError, match="That form is gone"):
        await world.submit(bruno, number, {"orders": "A PAR - GAS"})
    with pytest.raises(PlayError, match="max_length"):
        await world.submit(ada, number, {"orders": "x" * 4001})
    sent = await world.submit(ada, number, {"orders": "A PAR - BUR"})
    await world.settled()
    seen = world.sight(ada).message(sent.message_ids[0])
    assert seen is not None
    assert seen["text"] == "Noted `A PAR - BUR`."
    with pytest.raises(PlayError, match="That form is gone"):
        await world.submit(ada, number, {"orders": "A PAR - BUR"})


async def test_a_menu_is_chosen_from(world: SimulatedServer) -> None:
    ada = world.people[0]
    answer = await world.slash(ada, world.channel.id, "menu", {"count": "2"})
    with pytest.raises(PlayError, match="does not exist"):
        await world.select(ada, answer.message_ids[0], "unit", ["BUR"])
    await world.select(ada, answer.message_ids[0], "unit", ["MAR"])
    await world.settled()
    seen = world.sight(ada).message(answer.message_ids[0])
    assert seen is not None
    assert (seen["text"], seen["rows"]) == ("Chosen: MAR.", [])


async def test_completion_is_the_bot_s(world: SimulatedServer) -> None:
    ada = world.people[0]
    choices = await world.complete(ada, world.channel.id, "orders enter", "text", "bu", {"draft": "yes"})
    assert choices == [{"name": "A PAR - BUR", "value": "A PAR - BUR"}]


@pytest.mark.parametrize(
    ("command", "options", "why"),
    [
        ("orders burn", {}, "no command /orders burn"),
        ("orders enter", {"texts": "x"}, "no option texts"),
        ("menu", {}, "needs count"),
        ("menu", {"count": "many"}, "must be a number"),
        ("menu", {"count": "9"}, "must be ≤ 3"),
        ("orders enter", {"draft": "perhaps"}, "yes or no"),
    ],
)
async def test_what_discord_would_refuse_is_refused(
    world: SimulatedServer, command: str, options: dict[str, str], why: str
) -> None:
    with pytest.raises(PlayError, match=why):
        await world.slash(world.people[0], world.channel.id, command, options)


async def test_messages_keep_to_discord_s_limits(world: SimulatedServer) -> None:
    ada, bruno, _ = world.people
    with pytest.raises(PlayError, match="empty"):
        await world.say(ada, ada.dm_channel_id, " ")
    with pytest.raises(PlayError, match="2,000"):
        await world.say(ada, ada.dm_channel_id, "x" * 2001)
    with pytest.raises(PlayError, match="no such channel"):
        await world.say(ada, bruno.dm_channel_id, "hello")


async def test_a_bot_that_does_not_answer_is_told_of(world: SimulatedServer) -> None:
    answer = await world.slash(world.people[0], world.channel.id, "silent", {})
    assert answer.is_failed


async def test_the_bot_has_no_more_rights_than_its_invite_asks_for(world: SimulatedServer) -> None:
    member = world.guild.me
    assert member is not None
    roles = world.env.backend.guilds[world.guild.id].roles.values()
    (managed,) = [role for role in roles if role.managed]
    assert managed.permissions == PERMISSIONS.value
    for page in ("README.md", "docs/hosting.md"):
        asked = re.findall(r"permissions=(\d+)", (ROOT / page).read_text(encoding="utf-8"))
        assert asked == [str(PERMISSIONS.value)], page


async def test_a_script_is_played_and_stops_at_what_fails(
    world: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    watch = Watcher.__new__(Watcher)  # the little bot keeps no games: only names are asked of it
    watch.standing = None
    watch._world = world

    async def nothing() -> None:
        return None

    watch.now = nothing  # type: ignore[method-assign]
    watch.robots = frozenset()
    player = ScriptPlayer(world, watch, None, told.append)
    good = """
        ada: /orders enter
        fill ada "A PAR - GAS"
        expect ada answer contains A PAR - GAS
        bruno> A MAR H
        click bruno ready
        expect bruno answer contains Ready: Bruno
        chiara: /menu count:1
        select chiara "A MAR"
        expect channel contains Chosen: MAR
        expect channel lacks A PAR - GAS
        restart
    """
    await player.play(parse_script(good))
    assert "  [form] Your orders" in told
    monkeypatch.setattr("bot.play.script_player.EXPECT_WITHIN_S", 0.2)  # for what never comes
    with pytest.raises(Disappointed, match="line 1: 'x' is not there") as caught:
        await player.play(parse_script("expect ada dm contains x"))
    assert "nothing at all" in str(caught.value)
    with pytest.raises(Disappointed, match="nobody here is called 'hal'; there are Ada"):
        await player.play(parse_script("hal> Open the door"))


async def test_a_script_that_waits_in_vain_says_in_plain_text_what_is_to_be_done(
    world: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch = Watcher.__new__(Watcher)
    standing = SimpleNamespace(is_over=False, game=SimpleNamespace(phase_no=1))

    async def always() -> Any:
        return standing

    watch.now = always  # type: ignore[method-assign]
    watch.strip = lambda person: {"todo": "Press <b>Guide me</b> &amp; wait."}  # type: ignore[method-assign]
    monkeypatch.setattr("bot.play.script_player.PHASE_WITHIN_S", 0.0)
    told: list[str] = []
    player = ScriptPlayer(world, watch, None, told.append)
    with pytest.raises(Disappointed, match="nothing happened; Press Guide me & wait"):
        await player.play(parse_script("wait phase"))
