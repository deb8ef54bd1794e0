"""Phases that count as missed for nobody, by the rules as by the bot, and that can be played again exactly."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta

import pytest

from bot.model import GameId, UserId
from bot.services import gm, inbox, replay, transfer
from engine import systems
from tests.bot.services.world import CHANNEL, CREATOR, GUILD, World

HOUR = timedelta(hours=1)
Close = Callable[[World, GameId], object]


@pytest.fixture(params=["kalevala", "king_of_kings"])
def played(request: pytest.FixtureRequest) -> tuple[World, GameId]:
    """All players but one have just missed a phase."""
    found = World(systems)
    players = {"kalevala": 6, "king_of_kings": 3}[request.param]
    wishes = dict.fromkeys(map(UserId, range(1, players + 1)), "")
    game_id = found.start(system=request.param, players=players, wishes=wishes)
    missed_by_others(found, game_id, World.pass_deadline)
    return found, game_id


def missed_by_others(world: World, game_id: GameId, close: Close) -> Mapping[int, int]:
    """Close a phase for which only one player sends a sheet; tells the rules' counts."""
    world.submit(game_id, UserId(1), "PASS")
    close(world, game_id)
    return counts(world, game_id)


def counts(world: World, game_id: GameId) -> dict[int, int]:
    """How many phases each player has missed in a row, by the rules."""
    position = (world.game(game_id).document or {})["state"]
    if "rulers" in position:
        rows = {name: row.get("nmr", 0) for name, row in position["rulers"].items()}
    else:
        rows = {row["name"].casefold(): row.get("missed", 0) for row in position["nations"]}
    return {seat.user_id: rows[str(seat.power)] for seat in world.seats(game_id) if seat.user_id is not None}


def by_a_game_master(world: World, game_id: GameId) -> None:
    gm.adjudicate_now(world.context, game_id, CREATOR, is_manager=False)


def at_an_earlier_deadline(world: World, game_id: GameId) -> None:
    gm.set_deadline(world.context, game_id, CREATOR, is_manager=False, at="1h")
    world.pass_deadline(game_id)


def after_an_absence(world: World, game_id: GameId) -> None:
    begun = world.clock.moment
    inbox.note_read_until(world.context, begun + 6 * HOUR)
    inbox.note_read_until(world.context, begun + 20 * HOUR, was_away=True)
    world.pass_deadline(game_id)


@pytest.mark.parametrize("close", [by_a_game_master, at_an_earlier_deadline, after_an_absence])
def test_no_rule_counts_such_a_phase_and_it_is_played_again_exactly(played: tuple[World, GameId], close: Close) -> None:
    world, game_id = played
    before = counts(world, game_id)
    assert before == {user: int(user > 1) for user in before}
    assert missed_by_others(world, game_id, close) == before
    assert [record.is_excused for record in world.records(game_id)] == [False, True]
    assert replay.replay(world.context, game_id) == ()
    exported = transfer.export_game(world.context, game_id)
    other = World(systems)
    moved = transfer.import_game(other.context, exported, guild_id=GUILD, channel_id=CHANNEL, user_id=CREATOR)
    assert replay.replay(other.context, moved.id) == ()
    assert missed_by_others(world, game_id, World.pass_deadline) == {user: 2 * count for user, count in before.items()}
    assert replay.replay(world.context, game_id) == ()
