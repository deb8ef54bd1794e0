"""Orders that need another power's: it is asked, once, and learns of nothing else."""

from __future__ import annotations

from bot.model import GameId, Outgoing, UserId
from bot.services import gm
from engine.registry import systems
from tests.bot.services.world import CREATOR, World

POWERS = ("argimiliar", "lormyr", "jharkor", "ilmiora", "pan_tang", "melnibone")
PLAYERS = {UserId(number): power for number, power in enumerate(POWERS, start=1)}
LORMYR, MELNIBONE = UserId(2), UserId(6)
SHARE = "SHARE MEL WITH LORMYR"


def _requests(world: World, game_id: GameId) -> list[Outgoing]:
    return [message for message in world.outbox(game_id) if message.kind == "request"]


def _in_spring() -> tuple[World, GameId]:
    world = World(systems)
    game_id = world.start(system="young_kingdoms", players=6, wishes=PLAYERS)
    gm.adjudicate_now(world.context, game_id, CREATOR, is_manager=False)
    return world, game_id


def test_the_other_side_of_a_share_is_asked_once_and_told_how_to_agree() -> None:
    world, game_id = _in_spring()
    world.submit(game_id, MELNIBONE, f"{SHARE}\nF MEL - DRA")
    world.submit(game_id, MELNIBONE, SHARE)
    (asked,) = _requests(world, game_id)
    assert asked.target_id == LORMYR
    assert asked.payload["answer"] == "SHARE MEL WITH MELNIBONE"
    assert "DRA" not in str(asked.payload)


def test_who_has_agreed_already_is_not_asked() -> None:
    world, game_id = _in_spring()
    world.submit(game_id, LORMYR, "SHARE MEL WITH MELNIBONE")
    world.submit(game_id, MELNIBONE, SHARE)
    assert [message.target_id for message in _requests(world, game_id)] == [MELNIBONE]


def test_a_refused_share_asks_nobody() -> None:
    world, game_id = _in_spring()
    world.submit(game_id, MELNIBONE, "SHARE NOWHERE WITH LORMYR\nF MEL H")
    assert _requests(world, game_id) == []
