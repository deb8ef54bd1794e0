"""Seeds of the dice: secret until the end, told then, and never used again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.model import BallotKind, GameId, GameStatus, UserId
from bot.services import lobby, replay, rollback, transfer, votes
from bot.services.seeds import with_seed
from engine.core.dice import seal
from engine.core.ids import SystemId
from engine.registry import AnySystem, systems
from tests.bot.services.refusals import refused_code
from tests.bot.services.world import ANN, BOB, CHANNEL, CREATOR, CY, DAN, GREEN, GUILD, World

MASTER: dict[str, Any] = {"is_manager": False}
AGAIN: dict[str, Any] = {"is_manager": False, "phase": "last", "keep_orders": True}


def notices(world: World, game_id: GameId, code: str) -> list[dict[str, Any]]:
    """The arguments of every such notice."""
    payloads = [message.payload for message in world.outbox(game_id) if message.kind == "notice"]
    return [dict(payload["args"]) for payload in payloads if payload["code"] == f"notice.{code}"]


def by_vote(world: World, game_id: GameId) -> None:
    for user_id in (ANN, BOB, CY):
        votes.vote(world.context, game_id, user_id, BallotKind.DRAW, True, None)


def by_master(world: World, game_id: GameId) -> None:
    lobby.end_game(world.context, game_id, CREATOR, **MASTER)


def by_winning(world: World, game_id: GameId) -> None:
    world.set_state(game_id, gold={"red": 99, "green": 5, "blue": 5})
    world.submit(game_id, ANN, "BID 1")
    world.pass_deadline(game_id)


ENDS = (by_vote, by_master, by_winning)


def over(world: World, end: Any = by_master) -> GameId:
    """A game that has ended after a phase or two."""
    game_id = world.start(name=f"ended {end.__name__}")
    world.pass_deadline(game_id)
    end(world, game_id)
    assert world.game(game_id).status is GameStatus.OVER
    return game_id


@pytest.mark.parametrize("end", ENDS)
def test_game_that_was_over_goes_on_with_a_seed_that_nobody_knows(end: Any) -> None:
    world = World()
    game_id = over(world, end)
    told = world.seed(game_id)

    rollback.roll_back(world.context, game_id, CREATOR, **AGAIN)

    drawn = world.seed(game_id)
    assert drawn != told
    (notice,) = notices(world, game_id, "rolled_back_after_end")
    assert notice["seal"] == seal(drawn)
    assert not any(drawn in str(message.payload) for message in world.outbox(game_id))


def test_verifying_tells_each_seed_apart() -> None:
    world = World()
    game_id = over(world)
    told = world.seed(game_id)
    rollback.roll_back(world.context, game_id, CREATOR, **AGAIN)
    world.pass_deadline(game_id)
    drawn = world.seed(game_id)

    going = replay.verify(world.context, game_id)
    by_master(world, game_id)
    ended = replay.verify(world.context, game_id)

    assert [(part.seal, part.seed) for part in going.seals] == [(seal(told), told), (seal(drawn), None)]
    assert [part.seed for part in ended.seals] == [told, drawn]
    assert [part.first_code for part in going.seals] == ["1B", "2B"]
    assert (going.drifted, going.altered, going.is_exposed) == ((), (), False)
    assert (ended.drifted, ended.altered) == ((), ())
    assert replay.replay(world.context, game_id) == ()


def test_seed_is_new_each_time_that_the_game_was_over() -> None:
    world = World()
    game_id = over(world)
    for _ in range(3):
        rollback.roll_back(world.context, game_id, CREATOR, **AGAIN)
        by_master(world, game_id)

    found = replay.verify(world.context, game_id)

    assert len({part.seed for part in found.seals}) == 4
    assert (found.drifted, found.altered) == ((), ())


def test_going_back_behind_a_new_seed_does_not_bring_the_old_one_back() -> None:
    world = World()
    game_id = over(world)
    told = world.seed(game_id)
    rollback.roll_back(world.context, game_id, CREATOR, **AGAIN)
    drawn = world.seed(game_id)
    world.pass_deadline(game_id)

    rollback.roll_back(world.context, game_id, CREATOR, **MASTER, phase="1B", keep_orders=False)
    world.pass_deadline(game_id)

    assert world.seed(game_id) == drawn != told
    found = replay.verify(world.context, game_id)
    assert (found.drifted, found.altered) == ((), ())


def test_secret_seed_stays_in_use_so_that_nobody_can_go_back_until_the_dice_please() -> None:
    world = World()
    game_id = world.start()
    world.pass_deadline(game_id)
    before, records = world.seed(game_id), world.records(game_id)

    rollback.roll_back(world.context, game_id, CREATOR, **AGAIN)
    world.pass_deadline(game_id)

    assert world.seed(game_id) == before
    assert world.records(game_id)[-1].end == records[0].end
    assert rollback.has_dice_seen(world.context, game_id) is True
    assert len(replay.verify(world.context, game_id).seals) == 1


def test_new_dice_may_be_asked_for_and_the_old_seed_stays_secret_until_the_end() -> None:
    world = World()
    game_id = world.start()
    world.pass_deadline(game_id)
    before = world.seed(game_id)

    rollback.roll_back(world.context, game_id, CREATOR, **AGAIN, new_dice=True)

    drawn = world.seed(game_id)
    assert drawn != before
    assert [notice["seal"] for notice in notices(world, game_id, "rolled_back_new_dice")] == [seal(drawn)]
    assert rollback.has_dice_seen(world.context, game_id) is False
    # Cards that it dealt may still be hidden.
    assert [part.seed for part in replay.verify(world.context, game_id).seals] == [None, None]
    by_master(world, game_id)
    assert [part.seed for part in replay.verify(world.context, game_id).seals] == [before, drawn]


def test_present_phase_begins_again_where_new_dice_are_asked_for() -> None:
    world = World()
    game_id = world.start()
    world.pass_deadline(game_id)
    rollback.roll_back(world.context, game_id, CREATOR, **AGAIN)
    world.submit(game_id, ANN, "BID 2")
    before, number = world.seed(game_id), world.game(game_id).phase_no

    rollback.roll_back(world.context, game_id, CREATOR, **MASTER, phase="1b", keep_orders=True, new_dice=True)

    assert (world.game(game_id).phase_code, world.game(game_id).phase_no) == ("1B", number + 1)
    assert world.seed(game_id) != before
    (sheet,) = [sheet for sheet in world.storage.tables.sheets.values() if sheet.phase_no == number + 1]
    assert sheet.orders == ("BID 2",)
    world.pass_deadline(game_id)
    found = replay.verify(world.context, game_id)
    assert (found.drifted, found.altered, len(found.seals)) == ((), (), 2)


def test_game_that_went_on_with_a_told_seed_is_called_exposed_until_it_has_another() -> None:
    world = World()
    game_id = over(world)
    told = world.seed(game_id)
    rollback.roll_back(world.context, game_id, CREATOR, **AGAIN)
    game = world.game(game_id)
    assert game.document is not None
    world.storage.tables.games[game_id] = replace(game, document=with_seed(game.document, told))
    assert replay.verify(world.context, game_id).is_exposed

    rollback.roll_back(world.context, game_id, CREATOR, **MASTER, phase="1B", keep_orders=True)

    assert world.seed(game_id) != told
    assert not replay.verify(world.context, game_id).is_exposed


@pytest.mark.parametrize("number", [0, 1])
def test_loaded_seed_in_a_record_is_found_on_both_sides_of_a_new_one(number: int) -> None:
    world = World()
    game_id = world.start()
    for _ in range(2):
        world.pass_deadline(game_id)
    by_master(world, game_id)
    rollback.roll_back(world.context, game_id, CREATOR, **AGAIN)
    for _ in range(2):
        world.pass_deadline(game_id)
    records = world.records(game_id)
    record = records[0] if number == 0 else records[-2]
    loaded = replace(record, start=with_seed(record.start, "loaded"))
    world.storage.tables.phases[game_id, record.phase_no] = loaded

    found = replay.verify(world.context, game_id)

    assert record.code in found.drifted
    assert "loaded" not in {part.seed for part in found.seals}


def test_imported_game_that_was_over_goes_on_with_a_new_seed_too() -> None:
    world = World()
    game_id = over(world)
    document = transfer.export_game(world.context, game_id)
    other = World()
    other.context.seeds()  # its own first game would have had this one
    game = transfer.import_game(other.context, document, guild_id=GUILD, channel_id=CHANNEL, user_id=CREATOR)
    assert other.seed(game.id) == world.seed(game_id)

    rollback.roll_back(other.context, game.id, CREATOR, **AGAIN)

    assert other.seed(game.id) != world.seed(game_id)
    found = replay.verify(other.context, game.id)
    assert (len(found.seals), found.drifted, found.altered) == (2, (), ())


@pytest.mark.parametrize("ends_meanwhile", [False, True])
def test_copy_of_a_game_that_is_stored_here_has_dice_of_its_own(ends_meanwhile: bool) -> None:
    world = World()
    game_id = world.start()
    world.pass_deadline(game_id)
    world.submit(game_id, BOB, "BID 1")
    document = transfer.export_game(world.context, game_id)
    if ends_meanwhile:
        by_master(world, game_id)
        rollback.roll_back(world.context, game_id, CREATOR, **AGAIN)

    copy = transfer.import_game(world.context, document, guild_id=GUILD + 1, channel_id=7, user_id=DAN)

    assert world.seed(copy.id) not in (document["game"]["document"]["seed"], world.seed(game_id))
    assert [notice["seal"] for notice in notices(world, copy.id, "copied")] == [seal(world.seed(copy.id))]
    sheet = world.sheet(copy.id, GREEN)
    assert sheet is not None
    assert sheet.orders == ("BID 1",)
    world.pass_deadline(copy.id)
    found = replay.verify(world.context, copy.id)
    assert (found.drifted, found.altered, len(found.seals)) == ((), (), 2)
    assert found.seals[0].seed is None


@pytest.mark.parametrize("system_id", [id_ for id_, rules in systems.items() if rules.info.has_dice])
def test_unchanged_phase_comes_out_the_same_when_it_is_played_again(system_id: SystemId) -> None:
    """Source: King of Kings, rules 15, which holds for all games."""
    world = World({system_id: systems[system_id]})
    people = {UserId(number): name for number, name in enumerate(_powers(systems[system_id]), start=1)}
    game_id = world.start(system=system_id, players=len(people), wishes=people)
    world.pass_in_silence(game_id, 3)
    before = next(record for record in reversed(world.records(game_id)) if record.closed_because != "no_choice")

    rollback.roll_back(world.context, game_id, CREATOR, **MASTER, phase=before.code, keep_orders=True)
    world.pass_in_silence(game_id, 1)

    after = next(record for record in world.records(game_id) if record.phase_no > before.phase_no + 1)
    assert (after.code, after.start, after.end) == (before.code, before.start, before.end)
    assert (after.results, after.events) == (before.results, before.events)


def test_game_without_dice_has_no_new_ones() -> None:
    system_id = next(id_ for id_, rules in systems.items() if not rules.info.has_dice)
    world = World({system_id: systems[system_id]})
    people = {UserId(number): name for number, name in enumerate(_powers(systems[system_id]), start=1)}
    game_id = world.start(system=system_id, players=len(people), wishes=people)
    world.pass_deadline(game_id)

    code = refused_code(rollback.roll_back, world.context, game_id, CREATOR, **AGAIN, new_dice=True)
    by_master(world, game_id)
    rollback.roll_back(world.context, game_id, CREATOR, **AGAIN)

    assert code == "no_dice"
    assert notices(world, game_id, "rolled_back_without_dice")
    assert rollback.has_dice_seen(world.context, game_id) is None
    assert not replay.verify(world.context, game_id).is_exposed


def _powers(rules: AnySystem) -> list[str]:
    state = rules.play.start(variant=rules.info.variants[0], players=rules.info.seats[-1], options={}, seed="1")
    return [str(power) for power in rules.play.variant(state).powers if power not in rules.play.status(state).out]


@pytest.mark.parametrize("rules", systems.values(), ids=list(systems))
def test_another_seed_changes_nothing_of_a_position(rules: AnySystem) -> None:
    state = rules.play.start(variant=rules.info.variants[0], players=rules.info.seats[-1], options={}, seed="first")
    document = rules.play.dump(state)

    other = rules.play.load(with_seed(document, "second"))

    assert rules.play.dump(other) == {**document, "seed": "second"}
    assert rules.play.dice(other).seed != rules.play.dice(state).seed
