"""The first position of a game is made again from its seed when somebody verifies the game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from bot.model import GameId, UserId
from bot.services import gm, lobby, replay, rollback, transfer
from bot.services.opening import Opening
from bot.services.scenarios import ScenarioFile
from bot.services.seeds import with_seed
from bot.text.games import verification_message
from engine.core.ids import SystemId
from engine.registry import AnySystem, systems
from tests.bot.services.hidden_cards import hide
from tests.bot.services.test_requests import PLAYERS
from tests.bot.services.test_scenarios import NARROW_SEAS
from tests.bot.services.world import ANN, BOB, CHANNEL, CREATOR, CY, GUILD, World

MASTER: dict[str, Any] = {"is_manager": False}


def opening(world: World, game_id: GameId) -> Opening:
    return replay.verify(world.context, game_id).opening


def begin_otherwise(world: World, game_id: GameId, **state: Any) -> None:
    """Change where the stored first phase began, as nobody may."""
    record = world.records(game_id)[0]
    start = {**record.start, "state": {**record.start["state"], **state}}
    world.storage.tables.phases[game_id, record.phase_no] = replace(record, start=start)


def of_version(world: World, game_id: GameId, version: str) -> None:
    record = world.records(game_id)[0]
    world.storage.tables.phases[game_id, record.phase_no] = replace(record, rules_version=version)


def started(system_id: SystemId, rules: AnySystem) -> tuple[World, GameId]:
    world = World({system_id: rules})
    most = rules.info.seats[-1]
    return world, world.start(system=system_id, players=most, wishes={UserId(n): "" for n in range(1, most + 1)})


@pytest.mark.parametrize("system_id", systems)
def test_every_game_begins_as_its_seed_lets_it_begin(system_id: SystemId) -> None:
    world, game_id = started(system_id, systems[system_id])
    assert opening(world, game_id) is Opening.SAME
    world.pass_deadline(game_id)
    assert opening(world, game_id) is Opening.SAME


def test_game_from_a_scenario_with_its_options_begins_as_it_would_again() -> None:
    world = World(systems)
    game_id = world.start(
        system="king_of_kings",
        players=3,
        scenario=ScenarioFile("seas.json", NARROW_SEAS.read_text(encoding="utf-8")),
        options={"loyalty": "yes"},
        wishes={ANN: "athens", BOB: "", CY: ""},
    )
    assert opening(world, game_id) is Opening.SAME


def test_game_by_lot_with_another_seed_than_its_map_is_found(world: World, game_id: GameId) -> None:
    game = world.game(game_id)
    assert game.document is not None
    world.storage.tables.games[game_id] = replace(game, document=with_seed(game.document, "loaded"))
    assert opening(world, game_id) is Opening.OTHER


def test_changed_first_position_is_found(world: World, game_id: GameId) -> None:
    world.pass_deadline(game_id)
    assert opening(world, game_id) is Opening.SAME
    nations = [dict(nation) for nation in world.records(game_id)[0].start["state"]["nations"]]
    nations[0]["gold"] = 99
    begin_otherwise(world, game_id, nations=nations)
    assert opening(world, game_id) is Opening.OTHER


def test_position_of_earlier_rules_is_no_proof_of_anything(world: World, game_id: GameId) -> None:
    world.pass_deadline(game_id)
    of_version(world, game_id, "0.0.1")
    assert opening(world, game_id) is Opening.SAME
    begin_otherwise(world, game_id, map=["P" * 12] * 12)
    assert opening(world, game_id) is Opening.OLDER


def test_options_that_are_no_more_leave_nothing_to_compare(world: World, game_id: GameId) -> None:
    world.storage.tables.games[game_id] = replace(world.game(game_id), options={"wind": True})
    assert opening(world, game_id) is Opening.OTHER


def test_changes_of_a_game_master_before_the_first_phase_closed_are_made_again(world: World, game_id: GameId) -> None:
    nation = str(world.seats(game_id)[0].power)
    gm.edit(world.context, game_id, CREATOR, **MASTER, text=f"GOLD   {nation} 7")
    gm.edit(world.context, game_id, CREATOR, **MASTER, text="terrain 0/0 Plains")
    assert opening(world, game_id) is Opening.EDITED
    world.pass_deadline(game_id)
    gm.edit(world.context, game_id, CREATOR, **MASTER, text=f"gold {nation} 8")
    assert opening(world, game_id) is Opening.EDITED
    rollback.roll_back(world.context, game_id, CREATOR, **MASTER, phase="T1", keep_orders=True)
    assert opening(world, game_id) is Opening.EDITED


def test_announced_changes_between_phases_are_made_again_and_others_found(world: World, game_id: GameId) -> None:
    nation = str(world.seats(game_id)[0].power)
    world.pass_in_silence(game_id, 1)
    gm.edit(world.context, game_id, CREATOR, **MASTER, text=f"gold {nation} 7")
    gm.edit(world.context, game_id, CREATOR, **MASTER, text="terrain 0 0 plains")
    world.pass_in_silence(game_id, 1)
    gm.edit(world.context, game_id, CREATOR, **MASTER, text=f"gold {nation} 80")
    world.pass_in_silence(game_id, 1)
    rollback.roll_back(world.context, game_id, CREATOR, **MASTER, phase="T2", keep_orders=True)
    gm.edit(world.context, game_id, CREATOR, **MASTER, text=f"gold {nation} 8")
    world.pass_in_silence(game_id, 2)
    found = replay.verify(world.context, game_id)
    assert (found.changes, found.changed, found.altered, found.drifted) == (3, ("T2",), (), ())
    text = verification_message(found)[0].content
    assert "includes 3 changes to the position" in text
    for change in (f"gold {nation} 7", "terrain 0 0 plains", f"gold {nation} 8"):
        assert f"• before T2 closed: {change} (by <@{CREATOR}>)" in text
    assert f"gold {nation} 80" not in text
    # What was posted need not be kept.
    world.forget_mail()
    assert replay.verify(world.context, game_id) == found
    world.storage.tables.acts.clear()
    found = replay.verify(world.context, game_id)
    assert (found.changes, found.changed, found.altered) == (0, (), ("T2",))


def test_change_that_is_recorded_nowhere_is_found(world: World, game_id: GameId) -> None:
    gm.edit(world.context, game_id, CREATOR, **MASTER, text="terrain 0 0 plains")
    world.storage.tables.acts.clear()
    assert opening(world, game_id) is Opening.OTHER


def test_later_changes_are_none_of_the_first_position(world: World, game_id: GameId) -> None:
    world.pass_deadline(game_id)
    gm.edit(world.context, game_id, CREATOR, **MASTER, text="terrain 0 0 plains")
    assert opening(world, game_id) is Opening.SAME


def test_seed_that_was_replaced_before_the_first_phase_closed_is_lost(world: World, game_id: GameId) -> None:
    rollback.roll_back(world.context, game_id, CREATOR, **MASTER, phase="T1", keep_orders=True, new_dice=True)
    assert opening(world, game_id) is Opening.LOST
    world.pass_deadline(game_id)
    assert opening(world, game_id) is Opening.LOST


def test_new_seed_after_a_closed_phase_leaves_the_first_position_as_it_was(world: World, game_id: GameId) -> None:
    world.pass_deadline(game_id)
    rollback.roll_back(world.context, game_id, CREATOR, **MASTER, phase="T1", keep_orders=True, new_dice=True)
    assert opening(world, game_id) is Opening.SAME
    world.pass_deadline(game_id)
    lobby.end_game(world.context, game_id, CREATOR, **MASTER)
    rollback.roll_back(world.context, game_id, CREATOR, **MASTER, phase="T1", keep_orders=True)
    assert opening(world, game_id) is Opening.SAME


@pytest.mark.parametrize(("closed", "found"), [(0, Opening.LOST), (1, Opening.EDITED)])
def test_copy_knows_the_first_position_once_its_phase_was_closed(
    world: World, game_id: GameId, closed: int, found: Opening
) -> None:
    gm.edit(world.context, game_id, CREATOR, **MASTER, text="terrain 0 0 plains")
    for _ in range(closed):
        world.pass_deadline(game_id)
    document = transfer.export_game(world.context, game_id)
    copy = transfer.import_game(world.context, document, guild_id=GUILD + 1, channel_id=7, user_id=CREATOR)
    assert opening(world, copy.id) is found


def test_game_that_was_carried_elsewhere_is_verified_there(world: World, game_id: GameId) -> None:
    gm.edit(world.context, game_id, CREATOR, **MASTER, text="terrain 0 0 plains")
    document = transfer.export_game(world.context, game_id)
    other = World(systems)
    moved = transfer.import_game(other.context, document, guild_id=GUILD, channel_id=CHANNEL, user_id=CREATOR)
    assert opening(other, moved.id) is Opening.EDITED


def test_powers_that_were_not_drawn_are_found(world: World, game_id: GameId) -> None:
    one, two, _ = world.seats(game_id)
    swap_powers(world, game_id, {one.number: str(two.power), two.number: str(one.power)})
    assert opening(world, game_id) is Opening.DEALT


def swap_powers(world: World, game_id: GameId, powers: Mapping[int, str]) -> None:
    for number, power in powers.items():
        seat = world.storage.tables.seats[game_id, number]
        world.storage.tables.seats[game_id, number] = replace(seat, power=power)  # type: ignore[arg-type]


def test_seats_that_change_hands_were_drawn_all_the_same(world: World, game_id: GameId) -> None:
    lobby.leave_game(world.context, game_id, ANN)
    lobby.join_game(world.context, game_id, UserId(77), power="")
    assert opening(world, game_id) is Opening.SAME


def test_cards_that_were_hidden_in_secret_don_t_count() -> None:
    world = World(systems)
    options = {"umpire_places_spells": "true"}
    game_id = world.start(system="young_kingdoms", players=6, wishes=PLAYERS, options=options)
    for _ in range(2):
        assert opening(world, game_id) is Opening.SAME
        hide(world, game_id, place=hide(world, game_id).places[0])
    assert opening(world, game_id) is Opening.SAME
    world.pass_deadline(game_id)
    assert opening(world, game_id) is Opening.SAME
    hands = world.records(game_id)[0].start["state"]["hands"]
    begin_otherwise(world, game_id, hands=dict(zip(hands, reversed(hands.values()), strict=True)))
    assert opening(world, game_id) is Opening.OTHER
