"""Secrets for new dice: all fixed by the one fingerprint that was posted before a game began, so nobody chooses any."""

from __future__ import annotations

import hashlib
import itertools
import json
from dataclasses import replace
from typing import Any

import pytest

from bot.model import GameId
from bot.services import lobby, replay, rollback, seeds, transfer
from bot.services.seeds import LINKS, Origin, chain_to
from bot.text import games
from bot.text.catalogue import common_words
from engine.core.phrases import phrase
from tests.bot.services.refusals import refused_code
from tests.bot.services.world import ANN, CREATOR, DAN, GUILD, World

MASTER: dict[str, Any] = {"is_manager": False}
AGAIN: dict[str, Any] = {"phase": "last", "keep_orders": True, **MASTER}


@pytest.fixture(autouse=True)
def _words(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy game has no phrases of its own on disk; what is said here needs none."""
    monkeypatch.setattr(games, "words_of", lambda _game: common_words())


def sha256(text: str) -> str:
    """As `printf %s 'text' | sha256sum` gives it."""
    return hashlib.sha256(text.encode()).hexdigest()


def secret(world: World, game_id: GameId) -> str:
    return world.seed(game_id).partition("|")[0]


def begun(world: World) -> GameId:
    """A game of which one phase is closed."""
    game_id = world.start()
    world.pass_deadline(game_id)
    return game_id


def new_dice(world: World, game_id: GameId, *, message_id: int | None = 888) -> None:
    """As the command does it: first the post, then the rollback."""
    assert rollback.prepare(world.context, game_id, CREATOR, phase="last", new_dice=True, **MASTER) is not None
    rollback.roll_back(world.context, game_id, CREATOR, **AGAIN, new_dice=True, message_id=message_id)
    world.pass_deadline(game_id)


def origins(world: World, game_id: GameId) -> list[Origin]:
    return [sealed.origin for sealed in replay.verify(world.context, game_id).seals]


def test_each_secret_is_the_fingerprint_of_the_next_and_the_first_is_the_one_of_the_call() -> None:
    world = World()
    game_id = world.create()
    told = world.secret_seal(game_id)
    chain = chain_to(str(world.game(game_id).last_link))
    assert len(set(chain)) == LINKS
    assert sha256(chain[0]) == told
    assert all(sha256(after) == before for before, after in itertools.pairwise(chain))


def test_new_dice_come_from_the_next_secret_and_the_number_of_the_message() -> None:
    world = World()
    game_id = begun(world)
    first = secret(world, game_id)
    told = rollback.prepare(world.context, game_id, CREATOR, phase="last", new_dice=True, **MASTER)
    assert told is not None
    assert (told.title, told.seal) == (phrase("toy.title", round=1, kind="bid"), None)
    for number, message_id in enumerate((888, 999), start=1):
        before = secret(world, game_id)
        new_dice(world, game_id, message_id=message_id)
        assert world.seed(game_id).endswith(f"|{message_id}")
        assert sha256(secret(world, game_id)) == before
        assert origins(world, game_id) == [Origin.FIRST, *[Origin.NEXT] * number]
    assert sha256(sha256(secret(world, game_id))) == first


def test_the_bot_draws_nothing_when_dice_are_new() -> None:
    world = World()
    game_id = begun(world)

    def draw() -> str:
        raise AssertionError("nothing is left to draw")

    world.context = replace(world.context, seeds=draw)
    new_dice(world, game_id)


def test_nothing_of_a_chain_is_told_before_the_end() -> None:
    """The fingerprint of a later secret is the one before it, of which hidden cards may have come."""
    world = World()
    game_id = begun(world)
    chain = chain_to(str(world.game(game_id).last_link))
    for message_id in (888, None):
        new_dice(world, game_id, message_id=message_id)
        game = replace(world.game(game_id), document=None)
        shown = [world.verified(game_id), repr(game), repr(world.outbox(game_id))]
        for text in shown:
            assert not any(link in text for link in chain)
    lobby.end_game(world.context, game_id, CREATOR, **MASTER)
    text = world.verified(game_id)
    assert all(link in text for link in chain[:3])
    assert not any(link in text for link in chain[3:])
    assert "the secret before it, as it must be" in text
    assert "the number of the message that said that the game goes back (`888`)" in text


def test_a_secret_that_is_not_the_next_one_is_named() -> None:
    world = World()
    game_id = begun(world)
    new_dice(world, game_id)
    chosen = "another secret|888"
    game = world.game(game_id)
    world.storage.tables.games[game_id] = replace(game, document={**(game.document or {}), "seed": chosen})
    for number, record in world.storage.tables.phases.items():
        if record.phase_no > 2:
            start, end = {**record.start, "seed": chosen}, {**record.end, "seed": chosen}
            world.storage.tables.phases[number] = replace(record, start=start, end=end)
    assert origins(world, game_id) == [Origin.FIRST, Origin.BROKEN]
    assert "the record was changed" in world.verified(game_id)
    skipped = chain_to(str(game.last_link))[2]
    assert seeds.origins(game, [game.own_seed or "", f"{skipped}|888"])[1] is Origin.BROKEN


def test_a_game_from_before_there_were_chains_gets_one_whose_beginning_is_posted() -> None:
    world = World()
    game_id = begun(world)
    world.storage.tables.games[game_id] = replace(world.game(game_id), own_seed=None, last_link=None)
    told = rollback.prepare(world.context, game_id, CREATOR, phase="last", new_dice=True, **MASTER)
    again = rollback.prepare(world.context, game_id, CREATOR, phase="last", new_dice=True, **MASTER)
    assert told == again
    new_dice(world, game_id)
    assert told is not None
    assert told.seal == sha256(secret(world, game_id))
    assert origins(world, game_id) == [Origin.FIRST, Origin.NEW]
    assert f"as posted before the game went back: `{told.seal}`" in world.verified(game_id)
    new_dice(world, game_id)
    assert origins(world, game_id) == [Origin.FIRST, Origin.NEW, Origin.NEXT]


def test_dice_that_an_earlier_version_drew_are_said_to_have_been_drawn_alone() -> None:
    world = World()
    game_id = begun(world)
    rollback.roll_back(world.context, game_id, CREATOR, **AGAIN, new_dice=True)
    drawn = "drawn by 0.2.0"
    game = replace(world.game(game_id), last_link=None)
    world.storage.tables.games[game_id] = replace(game, document={**(game.document or {}), "seed": drawn})
    assert origins(world, game_id) == [Origin.FIRST, Origin.ALONE]
    assert "I drew it alone" in world.verified(game_id)


def test_a_chain_that_is_used_up_is_followed_by_another(monkeypatch: pytest.MonkeyPatch) -> None:
    chain_to.cache_clear()
    monkeypatch.setattr(seeds, "LINKS", 2)
    world = World()
    game_id = begun(world)
    for _ in range(3):
        new_dice(world, game_id)
    assert origins(world, game_id) == [Origin.FIRST, Origin.NEXT, Origin.NEW, Origin.NEXT]
    chain_to.cache_clear()


def test_dice_that_stay_need_no_message() -> None:
    world = World()
    game_id = begun(world)
    assert rollback.prepare(world.context, game_id, CREATOR, phase="last", **MASTER) is None
    lobby.end_game(world.context, game_id, CREATOR, **MASTER)
    assert rollback.prepare(world.context, game_id, CREATOR, phase="last", **MASTER) is not None
    assert refused_code(rollback.prepare, world.context, game_id, ANN, phase="last", **MASTER) == "not_a_game_master"
    assert refused_code(rollback.prepare, world.context, game_id, CREATOR, phase="9Z", **MASTER) == "unknown_phase"


@pytest.mark.parametrize("ends_first", [False, True])
def test_a_copy_has_a_chain_of_its_own(ends_first: bool) -> None:
    """Else the end of either would tell the secrets of the other."""
    world = World()
    game_id = begun(world)
    if ends_first:
        lobby.end_game(world.context, game_id, CREATOR, **MASTER)
    exported = json.loads(json.dumps(transfer.export_game(world.context, game_id)))
    exported["game"]["name"] = "Copy"
    copy = transfer.import_game(world.context, exported, guild_id=GUILD, channel_id=2, user_id=CREATOR)
    assert copy.last_link is None
    assert world.game(copy.id).last_link not in (None, world.game(game_id).last_link)
    new_dice(world, copy.id)
    assert Origin.BROKEN not in origins(world, copy.id)
    assert secret(world, copy.id) not in chain_to(str(world.game(game_id).last_link))


def test_a_game_that_moves_takes_its_chain_along_and_an_old_export_has_none() -> None:
    world, other = World(), World()
    game_id = begun(world)
    exported = json.loads(json.dumps(transfer.export_game(world.context, game_id)))
    moved = transfer.import_game(other.context, exported, guild_id=1, channel_id=2, user_id=DAN)
    assert other.game(moved.id).last_link == world.game(game_id).last_link
    exported["game"].pop("last_link")
    exported["game"]["name"] = "Old"
    old = transfer.import_game(World().context, exported, guild_id=1, channel_id=2, user_id=DAN)
    assert old.last_link is None
