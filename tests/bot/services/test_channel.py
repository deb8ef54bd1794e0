"""Messages that don't arrive, and taking a game to another channel."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.model import Delivery, GameId, MessageKind, Outgoing, Target, Trouble, UserId
from bot.services import channel, gm, lobby, post, transfer
from bot.services.channel import Failing, MovedGame
from bot.services.errors import Refused
from tests.bot.services.world import ANN, BOB, CHANNEL, CREATOR, GUILD, RED, World

ELSEWHERE = 201


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def game_id(world: World) -> GameId:
    game_id = world.start()
    for message in world.outbox(game_id):
        stand(world, message, delivery=Delivery.SENT)
    return game_id


def stand(world: World, message: Outgoing, **changes: Any) -> None:
    world.storage.tables.outbox[message.id] = replace(message, **changes)


def queue(world: World, game_id: GameId, *, user_id: UserId | None = None, **changes: Any) -> Outgoing:
    """A message of which this is known."""
    with world.context.unit_of_work() as unit:
        game = world.game(game_id)
        if user_id is None:
            post.to_channel(unit, game, world.clock.now(), MessageKind.PHASE_OPENED)
        else:
            seat = replace(world.seat(game_id, RED), user_id=user_id)
            post.to_player(unit, game, seat, world.clock.now(), MessageKind.BRIEFING)
        unit.commit()
    message = world.outbox(game_id)[-1]
    stand(world, message, **changes)
    return message


def failing(world: World, game_id: GameId) -> tuple[Failing, ...]:
    return channel.check(world.context, game_id, CREATOR, is_manager=False).failing


def move(world: World, game_id: GameId, to: int = ELSEWHERE, **changes: Any) -> MovedGame:
    arguments: dict[str, Any] = {"is_manager": False, "guild_id": GUILD, "channel_id": to} | changes
    return channel.move(world.context, game_id, CREATOR, **arguments)


def test_nothing_fails_where_all_was_delivered(world: World, game_id: GameId) -> None:
    queue(world, game_id)
    assert failing(world, game_id) == ()


def test_failing_messages_are_counted_for_each_of_those_whom_they_do_not_reach(world: World, game_id: GameId) -> None:
    queue(world, game_id, delivery=Delivery.FAILED, error="404 10003")
    queue(world, game_id, error="403 50013")
    queue(world, game_id, user_id=ANN, delivery=Delivery.FAILED, error="403 50007")
    queue(world, game_id, user_id=BOB, delivery=Delivery.FAILED, error="403 50007")
    queue(world, game_id, user_id=BOB, delivery=Delivery.SENT)
    assert failing(world, game_id) == (
        Failing(Target.CHANNEL, CHANNEL, given_up=1, waiting=1, error="403 50013"),
        Failing(Target.USER, ANN, given_up=1, error="403 50007"),
    )


def test_what_the_bot_could_not_make_is_no_fault_of_the_channel(world: World, game_id: GameId) -> None:
    queue(world, game_id, delivery=Delivery.FAILED, error="KeyError at bot/text/compose.py:1")
    queue(world, game_id, delivery=Delivery.SENT)
    (found,) = failing(world, game_id)
    assert found.is_fault


def test_that_a_request_came_is_not_told(world: World, game_id: GameId) -> None:
    queue(world, game_id, user_id=ANN, kind="request", delivery=Delivery.FAILED, error="403 50007")
    assert failing(world, game_id) == ()


def test_whom_a_message_of_the_past_did_not_reach_is_not_named_after_leaving(world: World, game_id: GameId) -> None:
    queue(world, game_id, user_id=UserId(77), delivery=Delivery.FAILED, error="403 50007")
    assert failing(world, game_id) == ()


def test_a_moved_game_posts_in_its_new_channel_and_says_so_in_both(world: World, game_id: GameId) -> None:
    assert move(world, game_id).held_back == 0
    told = [(message.target_id, message.payload["code"]) for message in world.outbox(game_id)[-2:]]
    assert told == [(CHANNEL, "notice.moved_away"), (ELSEWHERE, "notice.moved_here")]
    assert world.game(game_id).channel_id == ELSEWHERE
    gm.pause(world.context, game_id, CREATOR, is_manager=False)
    assert world.outbox(game_id)[-1].target_id == ELSEWHERE


def test_what_could_not_be_posted_comes_to_the_new_channel_whole_and_in_order(world: World, game_id: GameId) -> None:
    first = queue(world, game_id, delivery=Delivery.FAILED, error="404 10003")
    broken = queue(world, game_id, delivery=Delivery.FAILED, error="KeyError")
    second = queue(
        world, game_id, payload={post.PARTS_SENT: 1}, message_id=5, composed=[{}], tried_at=world.clock.now()
    )
    private = queue(world, game_id, user_id=ANN)
    world.storage.tables.games[game_id] = replace(world.game(game_id), trouble=Trouble.GONE)

    assert move(world, game_id).held_back == 2

    tables = world.storage.tables
    for message in (first, second):
        again = tables.outbox[message.id]
        assert (again.target_id, again.delivery, again.payload) == (ELSEWHERE, Delivery.PENDING, {})
        assert (again.message_id, again.composed, again.tried_at) == (None, None, None)
    assert tables.outbox[broken.id].delivery is Delivery.FAILED
    assert tables.outbox[private.id] == private
    assert world.game(game_id).trouble is Trouble.NONE
    assert [message.target_id for message in world.outbox(game_id)[-1:]] == [ELSEWHERE]
    assert "notice.moved_away" not in [message.payload.get("code") for message in world.outbox(game_id)]


def test_in_its_own_channel_what_was_given_up_is_posted_again(world: World, game_id: GameId) -> None:
    given_up = queue(world, game_id, delivery=Delivery.FAILED, error="403 50013")
    assert move(world, game_id, CHANNEL).held_back == 1
    assert world.storage.tables.outbox[given_up.id].delivery is Delivery.PENDING
    with pytest.raises(Refused, match="already_here"):
        move(world, game_id, CHANNEL)


def test_a_lobby_and_an_ended_game_can_be_moved_but_no_cancelled_one(world: World) -> None:
    game_id = world.create(name="Vault two")
    move(world, game_id)
    assert world.game(game_id).channel_id == ELSEWHERE
    lobby.end_game(world.context, game_id, CREATOR, is_manager=False)
    with pytest.raises(Refused, match="cancelled"):
        move(world, game_id, CHANNEL)


def test_only_game_masters_move_a_game_and_only_within_its_server(world: World, game_id: GameId) -> None:
    with pytest.raises(Refused, match="other_server"):
        move(world, game_id, guild_id=GUILD + 1)
    with pytest.raises(Refused):
        channel.move(world.context, game_id, ANN, is_manager=False, guild_id=GUILD, channel_id=ELSEWHERE)
    assert world.game(game_id).channel_id == CHANNEL


def test_how_posting_goes_is_no_part_of_an_exported_game(world: World, game_id: GameId) -> None:
    world.storage.tables.games[game_id] = replace(world.game(game_id), trouble=Trouble.GONE)
    document = transfer.export_game(world.context, game_id)
    assert "trouble" not in document["game"]
    document["game"]["name"] = "Vault three"
    copied = transfer.import_game(world.context, document, guild_id=GUILD, channel_id=ELSEWHERE, user_id=CREATOR)
    assert copied.trouble is Trouble.NONE
