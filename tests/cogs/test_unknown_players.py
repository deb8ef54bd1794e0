"""Where players are unknown to each other, nothing that anybody else reads says who plays, or which power.

The same is done in worlds in which Ann, Bob and Cy have changed places. What the channel, strangers and masters
who don't play are shown must not differ, and names none of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.announcing.trouble import tell_closed_dms
from bot.model import BallotKind, Delivery, GameId, Seat, Target, UserId
from bot.services import channel, gm, lobby, votes
from bot.services.errors import Refused
from bot.text.compose import compose
from bot.text.failure import refused_message
from bot.text.gm import check_messages, replaced_message
from cogs.inspect import Inspect
from cogs.lobby import Lobby
from engine.core import variant
from engine.core.ids import PowerId
from engine.pictures.scene import Scene
from engine.registry import systems
from tests.bot.services.world import ANN, BOB, CREATOR, CY, DAN, World
from tests.cogs.conftest import run
from tests.cogs.stubs import StubClient, StubInteraction
from tests.foggy_system import FOG, WORDS
from tests.installed import installed
from tests.toy_system import BLUE, GREEN, RED

EVE, FAY = UserId(6), UserId(7)
TURNS = ({ANN: RED, BOB: GREEN, CY: BLUE}, {ANN: GREEN, CY: RED, BOB: BLUE}, {CY: BLUE, BOB: GREEN, ANN: RED})
"""Who plays what, in the order of joining."""
POWERS = (RED, GREEN, BLUE)
Cast = Mapping[UserId, PowerId]


class Tale:
    """A game in which everything happens that is told of seats, and all that others than the players are told."""

    def __init__(self, players: Cast) -> None:
        self.world = World(systems)
        self.client = StubClient(self.world.context)
        self.players = players
        self.shown: list[str] = []

    def of(self, power: PowerId) -> UserId:
        """Who plays a power."""
        return next(user for user, own in self.players.items() if own == power)

    def as_stranger(self, user_id: UserId = DAN) -> StubInteraction:
        return StubInteraction(self.client, user_id)

    async def command(self, cog: Any, name: str, user_id: UserId = DAN, **options: Any) -> StubInteraction:
        return await run(cog, self.as_stranger(user_id), name, **options)

    async def look(self, game_id: GameId) -> None:
        """Everything that strangers can ask, and all posts to the channel so far."""
        looks: tuple[tuple[Any, str, dict[str, Any]], ...] = (
            (Lobby(), "info", {}),
            (Lobby(), "list", {}),
            (Inspect(), "map", {}),
            (Inspect(), "map", {"text": True, "share": True}),
            (Inspect(), "history", {}),
            (Inspect(), "history", {"share": True}),
            (Lobby(), "verify", {}),
        )
        for cog, name, options in looks:
            if name != "list":
                options = {**options, "game": "Vault one"}
            self.shown.append((await self.command(cog, name, **options)).text)
            assert "went wrong" not in self.shown[-1]
        checked = channel.check(self.world.context, game_id, CREATOR, is_manager=False)
        self.shown += [message.content for message in check_messages(checked, (), is_here=True)]
        for message in self.world.outbox(game_id):
            if message.target is Target.CHANNEL:
                for told in compose(self.world.context, message):
                    assert set(told.mentions) <= self.world.game(game_id).game_masters
                    assert not any(isinstance(picture.scene, Scene) for picture in told.pictures)
                    assert not any(file.filename == "board.txt" for file in told.files)
                    self.shown.append(repr(told))
        for _, told in self.client.posted:
            self.shown.append(repr(told))

    def refusal(self, call: Any) -> None:
        with pytest.raises(Refused) as refused:
            call()
        self.shown.append(refused_message(refused.value).content)

    async def tell(self) -> list[str]:
        world, context = self.world, self.world.context
        game_id = world.create()
        for user_id, power in self.players.items():
            asked = await self.command(Lobby(), "join", user_id, game="Vault one", power=power, word=None)
            assert asked.public == ""
        # Everybody has a power that they wished for, so that the worlds differ in nothing else.
        last = list(self.players)[-1]
        await self.command(Lobby(), "leave", last, game="Vault one")
        await self.command(Lobby(), "join", last, game="Vault one", power=self.players[last], word="pebble")
        await self.look(game_id)
        lobby.start_game(context, game_id, CREATOR, is_manager=False)
        await self.look(game_id)

        # Orders, reminders, a phase in which nothing is public, closed direct messages, silence.
        world.submit(game_id, self.of(RED), "BID 2\nPEEK green")
        game = world.game(game_id)
        assert game.remind_at is not None
        world.clock.moment = game.remind_at
        from bot.services.reminders import remind

        while (at := world.game(game_id).remind_at) is not None:
            world.clock.moment = at
            remind(context, game_id, world.game(game_id).phase_no)
        with context.unit_of_work() as unit:
            for power, error in ((GREEN, "403 50007"), (BLUE, "403 50278")):
                letter = next(m for m in unit.outbox.of_game(game_id) if m.target_id == self.of(power))
                tell_closed_dms(unit, letter, error, world.clock.now())
                unit.outbox.update(replace(letter, delivery=Delivery.FAILED, attempts=1, error=error))
            unit.commit()
        await self.look(game_id)
        world.pass_in_silence(game_id, 4)
        await self.look(game_id)
        gm.resume(context, game_id, CREATOR, is_manager=False)

        # Seats change hands in every way.
        lobby.leave_game(context, game_id, self.of(RED))
        lobby.join_game(context, game_id, EVE, power="red")
        self.refusal(
            lambda: gm.replace_player(
                context, game_id, CREATOR, is_manager=False, power="green", new_user_id=self.of(RED)
            )
        )
        assert not re.search(r"\b(red|green|blue)\b", self.shown[-1], re.IGNORECASE)
        seat: Seat = gm.replace_player(context, game_id, CREATOR, is_manager=False, power="green", new_user_id=None)
        self.shown.append(replaced_message(world.game(game_id), seat).content)
        gm.replace_player(context, game_id, CREATOR, is_manager=False, power="green", new_user_id=FAY)
        await self.look(game_id)

        # A game master who plays does what masters do.
        game = world.game(game_id)
        world.storage.tables.games[game_id] = replace(game, game_masters=frozenset({CREATOR, DAN, EVE, FAY}))
        for power, master in ((RED, EVE), (GREEN, FAY)):
            assert world.seat(game_id, power).user_id == master
        gm.pause(context, game_id, EVE, is_manager=False)
        gm.resume(context, game_id, EVE, is_manager=False)
        gm.adjudicate_now(context, game_id, EVE, is_manager=False)
        votes.vote(context, game_id, FAY, BallotKind.DRAW, True, None)
        await self.look(game_id)
        lobby.end_game(context, game_id, FAY, is_manager=False)
        await self.look(game_id)
        return self.shown


@pytest.mark.usefixtures("_fog")
async def test_who_plays_what_changes_nothing_that_others_are_shown() -> None:
    one, *others = [await Tale(turn).tell() for turn in TURNS]
    assert len(one) > 60
    for other in others:
        assert one == other


@pytest.mark.usefixtures("_fog")
async def test_nobody_is_named() -> None:
    # Dan and the creator don't play; Eve and Fay do what masters do, by name, but not as players.
    told = "\n".join(await Tale(TURNS[0]).tell())
    assert "There is a new player for" in told
    assert "Whoever plays **Green**" in told
    # That somebody has left the server, and when, can be seen there.
    assert "Whoever plays **Blue**" not in told
    assert "no longer share" not in told
    assert "Somebody" in told
    assert not re.search(r"<@!?[123]>|UserId\([123]\)", told)
    for line in told.split("\n"):
        assert not (re.search(r"<@!?[67]>", line) and re.search(r"\b(Red|Green|Blue)\b", line.split("(By")[-1])), line


@pytest.mark.usefixtures("_fog")
async def test_what_a_game_master_does_tells_nobody_whether_they_play() -> None:
    told = []
    for master in (DAN, ANN):
        world = World(systems)
        game_id = world.start()
        world.storage.tables.games[game_id] = replace(world.game(game_id), game_masters=frozenset({ANN, DAN}))
        gm.pause(world.context, game_id, master, is_manager=False)
        gm.resume(world.context, game_id, master, is_manager=False)
        gm.adjudicate_now(world.context, game_id, master, is_manager=False)
        lobby.end_game(world.context, game_id, master, is_manager=False)
        posts = [compose(world.context, post) for post in world.outbox(game_id) if post.target is Target.CHANNEL]
        told.append(repr(posts).replace(f"<@{master}>", "<@master>"))
    assert told[0] == told[1]
    assert told[0].count("(By <@master>.)") == 4


async def test_in_other_games_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison is not blind."""
    named = replace(FOG, info=replace(FOG.info, is_anonymous=False))
    board = variant.ASSETS / "diplomacy" / "standard"
    with installed(named, WORDS, tmp_path, monkeypatch, board=board):
        world = World(systems)
        game_id = world.start()
        opening = next(message for message in world.outbox(game_id) if message.kind == "opening")
        (told,) = compose(world.context, opening)
        assert told.mentions == (ANN, BOB, CY)
        assert "**Red**: <@1>" in told.content


@pytest.mark.usefixtures("_fog")
async def test_each_player_gets_a_map_of_their_own_and_the_channel_none() -> None:
    world = World(systems)
    game_id = world.start()
    world.pass_deadline(game_id)
    for message in world.outbox(game_id):
        told = compose(world.context, message)
        scenes: list[Any] = [picture.scene for each in told for picture in each.pictures]
        if message.kind == "briefing":
            assert [scene.viewer for scene in scenes] == [message.payload["power"]]
            assert all(len(scene.known) == 3 for scene in scenes)
        else:
            assert not any(isinstance(scene, Scene) for scene in scenes)
