"""What people read of a game's dice: after a rollback, and when somebody verifies the game."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.model import GameId, UserId
from bot.services import inspect, lobby, replay, rollback
from bot.services.opening import Opening
from bot.text.compose import compose
from bot.text.games import verification_message
from bot.text.gm import master_message, new_dice_message
from bot.text.results import story_messages
from engine.core.dice import seal
from engine.core.viewer import EVERYBODY
from engine.registry import systems
from tests.bot.services.test_requests import PLAYERS
from tests.bot.services.world import CREATOR, World

POWERS = {
    UserId(number): power
    for number, power in enumerate(["austria", "england", "france", "germany", "italy", "russia", "turkey"], start=1)
}
AGAIN: dict[str, Any] = {"is_manager": False, "phase": "last", "keep_orders": True}


@pytest.fixture
def world() -> World:
    return World(systems)


@pytest.fixture
def game_id(world: World) -> GameId:
    """A game with hidden cards, one phase of which is closed."""
    game_id = world.start(system="young_kingdoms", players=6, wishes=PLAYERS)
    world.pass_deadline(game_id)
    world.forget_mail()
    return game_id


def told(world: World, game_id: GameId) -> str:
    """All that the channel reads in notices."""
    queued = [outgoing for outgoing in world.outbox(game_id) if outgoing.kind == "notice"]
    return "\n".join(message.content for outgoing in queued for message in compose(world.context, outgoing))


def test_players_and_game_master_learn_that_the_same_dice_fall_again(world: World, game_id: GameId) -> None:
    game = rollback.roll_back(world.context, game_id, CREATOR, **AGAIN)

    reply = master_message("rolled_back", game, has_dice_seen=rollback.has_dice_seen(world.context, game_id)).content

    assert "come out as before" in told(world, game_id)
    assert f"/gm rollback phase:{game.phase_code} new_dice:True" in reply


@pytest.mark.parametrize("new_dice", [False, True])
def test_whoever_reads_of_a_rollback_reads_the_phases_title_and_not_its_code(
    world: World, game_id: GameId, new_dice: bool
) -> None:
    dice = rollback.prepare(world.context, game_id, CREATOR, is_manager=False, phase="last", new_dice=new_dice)
    game = rollback.roll_back(world.context, game_id, CREATOR, **AGAIN, new_dice=new_dice)
    read = [told(world, game_id), master_message("rolled_back", game).content]
    read += [new_dice_message(dice).content] if dice else []

    for text in read:
        assert "Spring 1400, setup" in text
        assert "S1400" not in text


def test_the_report_of_a_phase_that_is_played_again_says_so_by_the_phases_title() -> None:
    world = World(systems)
    game_id = world.start(system="king_of_kings", players=2, wishes={UserId(1): "egyptians", UserId(2): "romans"})
    world.pass_deadline(game_id)
    game = rollback.roll_back(world.context, game_id, CREATOR, **AGAIN)
    world.pass_deadline(game_id)

    (story, *_) = story_messages(inspect.phase_view(world.context, game_id, game.phase_no, EVERYBODY))

    assert "went back to before Turn 1, with the same dice" in story.files[0].text


def test_after_the_end_all_read_of_new_dice_and_what_the_old_seed_gives_away(world: World, game_id: GameId) -> None:
    lobby.end_game(world.context, game_id, CREATOR, is_manager=False)
    old = world.seed(game_id)
    game = rollback.roll_back(world.context, game_id, CREATOR, **AGAIN)
    new = world.seed(game_id)

    reply = master_message("rolled_back", game, has_dice_seen=rollback.has_dice_seen(world.context, game_id)).content
    public, found = told(world, game_id), world.verified(game_id)

    assert "new seed" in reply
    assert seal(new) in public
    assert "can work it out" in public
    assert f"`{old}`" in found
    assert seal(new) in found
    assert f"From {game.phase_code} on" in found
    assert not any(f"`{new}`" in text for text in (reply, public, found))


@pytest.mark.parametrize(
    ("opening", "said"),
    [
        (Opening.SAME, "is the same, and so is who drew which power"),
        (Opening.EDITED, "the same after the changes of a game master"),
        (Opening.LOST, "the first seed is not kept"),
        (Opening.OLDER, "It was set up by an earlier version of the rules"),
        (Opening.OTHER, "Either the rules were corrected since or the record was changed"),
        (Opening.DEALT, "the powers would have been drawn differently"),
    ],
)
def test_who_verifies_learns_how_the_game_began(world: World, game_id: GameId, opening: Opening, said: str) -> None:
    found = replay.verify(world.context, game_id)
    assert found.opening is Opening.SAME
    assert said in verification_message(replace(found, opening=opening))[0].content


def test_who_verifies_learns_where_only_the_words_of_today_differ(world: World, game_id: GameId) -> None:
    world.pass_deadline(game_id)
    record = world.records(game_id)[-1]
    world.storage.tables.phases[game_id, record.phase_no] = replace(record, results=())

    found = world.verified(game_id)

    assert f"only the words of the report differ, as they may after an update of the bot: {record.code}." in found


def test_a_game_without_dice_is_not_said_to_have_a_fingerprint_in_its_first_post(world: World) -> None:
    game_id = world.start(system="diplomacy", players=7, wishes=POWERS)
    first = "\n".join(
        message.content for outgoing in world.outbox(game_id) for message in compose(world.context, outgoing)
    )
    drawn = replay.verify(world.context, game_id)

    assert drawn.seal not in first
    assert "first post" not in world.verified(game_id)
