"""Records that can't be read: one game's damage is its own."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import text

from bot import survey
from bot.model import Game, GameId, UserId
from bot.ports import DamagedGame
from bot.services import orders, overview, turns, which_game
from bot.services.errors import Refused
from bot.settings import Settings
from bot.storage import Database, damage
from cogs._reply import failure_text
from tests.bot.services.world import ANN, CHANNEL, DAY, GUILD, World

DAMAGE = {
    "deadline": "UPDATE games SET deadline_at = '2026-13-45 soon' WHERE id = :id",
    "opened": "UPDATE games SET opened_at = 'once' WHERE id = :id",
    "no pace": "UPDATE games SET pace = '{}' WHERE id = :id",
    "odd pace": 'UPDATE games SET pace = \'{"default": 7, "by_kind": {}, "close_early": true}\' WHERE id = :id',
    "options": "UPDATE games SET options = '{\"end' WHERE id = :id",
    "odd options": "UPDATE games SET options = '[1]' WHERE id = :id",
    "masters": "UPDATE games SET game_masters = '7' WHERE id = :id",
    "scenario": "UPDATE games SET scenario = '{}' WHERE id = :id",
    "time left": "UPDATE games SET time_left_s = 'an hour' WHERE id = :id",
    "too much time": "UPDATE games SET time_left_s = 2000000000 WHERE id = :id",
    "negative time": "UPDATE games SET time_left_s = -1 WHERE id = :id",
    "status": "UPDATE games SET status = 'asleep' WHERE id = :id",
}
WITHIN_POSTGRESQL = {
    "no pace", "odd pace", "odd options", "masters", "scenario", "status", "too much time", "negative time",
}  # fmt: skip
"""What its types let pass."""


@pytest.fixture(autouse=True)
def _forget_what_was_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(damage, "_logged", set())


@pytest.fixture
def database(any_url: str) -> Iterator[Database]:
    database = Database(any_url)
    yield database
    database.close()


@pytest.fixture
def world(database: Database) -> World:
    world = World()
    world.context = replace(world.context, unit_of_work=database.unit_of_work)
    return world


def harm(database: Database, statement: str, game_id: GameId) -> None:
    with database.engine.begin() as connection:
        connection.execute(text(statement), {"id": game_id})


def names(lines: Any) -> list[str]:
    return [line.game.name for line in lines]


@pytest.mark.parametrize("kind", DAMAGE)
def test_the_others_are_listed_swept_and_closed(
    kind: str, database: Database, world: World, caplog: pytest.LogCaptureFixture
) -> None:
    if not database.is_sqlite and kind not in WITHIN_POSTGRESQL:
        pytest.skip("the server's own types refuse it")
    sound, damaged = world.start(name="Sound"), world.start(name="Damaged")
    harm(database, DAMAGE[kind], damaged)
    assert names(overview.games_in_guild(world.context, GUILD)) == ["Sound"]
    assert names(overview.games_of_user(world.context, ANN)) == ["Sound"]
    assert [game.id for game in database.all_games()] == [sound]
    world.clock.advance(DAY)
    assert turns.sweep(world.context) == (sound,)
    with pytest.raises(DamagedGame):
        orders.show(world.context, damaged, ANN)
    assert f"a record can't be read: games {damaged}: " in caplog.text
    assert "soon" not in caplog.text


def test_the_damage_is_logged_once(database: Database, world: World, caplog: pytest.LogCaptureFixture) -> None:
    damaged = world.start(name="Damaged")
    harm(database, DAMAGE["status"], damaged)
    for _ in range(3):
        overview.games_in_guild(world.context, GUILD)
    assert [record.levelno for record in caplog.records] == [logging.ERROR]


def resolve(world: World, name: str | None, channel_id: int | None = CHANNEL) -> Any:
    return which_game.resolve_game(
        world.context, user_id=ANN, guild_id=GUILD, channel_id=channel_id, name=name, purpose="seat"
    )


def test_who_means_the_damaged_game_is_told_so(database: Database, world: World) -> None:
    damaged = world.start(name="Damaged")
    harm(database, DAMAGE["status"], damaged)
    elsewhere = world.start(name="Sound", channel_id=CHANNEL + 1)
    for name in ("damaged", None):
        with pytest.raises(Refused) as refusal:
            resolve(world, name)
        assert refusal.value.what.code == "refused.game_damaged"
        assert refusal.value.what.args["game"] == "Damaged"
    assert resolve(world, None, CHANNEL + 1).id == elsewhere
    with pytest.raises(DamagedGame) as told:
        orders.show(world.context, damaged, ANN)
    assert "damaged" in failure_text(told.value, where="a test").content


def test_a_position_that_is_none_is_damage(database: Database, world: World) -> None:
    game_id = world.start()
    harm(database, "UPDATE games SET document = '{}' WHERE id = :id", game_id)
    with pytest.raises(DamagedGame):
        orders.show(world.context, game_id, ANN)
    with pytest.raises(DamagedGame):
        world.submit(game_id, ANN, "BID 3")


def test_a_message_that_can_not_be_read_holds_up_no_other_game(database: Database, world: World) -> None:
    damaged, sound = world.start(name="Damaged"), world.start(name="Sound")
    harm(database, "UPDATE outbox SET target = 'nowhere' WHERE game_id = :id", damaged)
    with world.context.reading() as unit:
        assert {message.game_id for message in unit.outbox.pending(world.clock.now())} == {sound}


def test_a_sheet_that_can_not_be_read_is_damage(database: Database, world: World) -> None:
    damaged, sound = world.start(name="Damaged"), world.start(name="Sound")
    for game_id in (damaged, sound):
        world.submit(game_id, ANN, "BID 3")
    harm(database, "UPDATE sheets SET orders = '7' WHERE game_id = :id", damaged)
    world.clock.advance(DAY)
    assert turns.sweep(world.context) == (sound,)


def test_check_names_what_is_damaged(database: Database, world: World, any_url: str) -> None:
    world.start(name="Sound")
    by_row, by_position = world.start(name="Damaged"), world.start(name="Lost")
    harm(database, DAMAGE["status"], by_row)
    harm(database, """UPDATE games SET document = '{"state": 7}', system = 'diplomacy' WHERE id = :id""", by_position)
    settings: Any = {"database_url": any_url, "discord_token": None}
    findings = asyncio.run(survey.survey(Settings(**settings)))
    wrong = {finding.subject: finding.what for finding in findings if not finding.is_well}
    assert f"game {by_row}" in wrong
    assert f"game {by_position}" in wrong
    assert "game 1" not in wrong
    assert "asleep" not in wrong[f"game {by_row}"]


def test_games_that_are_over_do_not_hide_damage_in_direct_messages(database: Database, world: World) -> None:
    damaged = world.start(name="Damaged")
    harm(database, DAMAGE["no pace"], damaged)
    with pytest.raises(Refused) as refusal:
        which_game.resolve_game(
            world.context, user_id=UserId(ANN), guild_id=None, channel_id=None, name=None, purpose="seat"
        )
    assert refusal.value.what.code == "refused.game_damaged"


def test_orders_for_a_game_that_can_not_be_read_are_given_in_no_other(database: Database, world: World) -> None:
    sound, damaged = world.start(name="Sound"), world.start(name="Damaged")
    harm(database, "UPDATE games SET pace = '{}' WHERE id = :id", damaged)
    with pytest.raises(Refused, match="game_damaged"):
        which_game.named_before(world.context, ANN, "Damaged\nhide 1")
    named, text = which_game.named_before(world.context, ANN, "Sound: hide 1")
    assert isinstance(named, Game)
    assert (named.id, text) == (sound, " hide 1")
