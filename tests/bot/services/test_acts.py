"""What changes a position between closings is kept with who did it, and made again when somebody verifies the game."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from bot.model import Act, ActKind, GameId
from bot.services import gm, lobby, replay, rollback, transfer
from bot.services.acts import carry_out
from bot.services.errors import Refused
from bot.services.opening import Opening
from bot.services.table import read_table
from bot.text.catalogue import common_words
from engine.core.ids import ProvinceId, SystemId
from engine.registry import systems
from tests.bot.services import hidden_cards
from tests.bot.services.refusals import refused_code
from tests.bot.services.test_requests import PLAYERS
from tests.bot.services.world import ANN, BOB, CHANNEL, CREATOR, CY, GUILD, World

MASTER: dict[str, Any] = {"is_manager": False}
AGAIN: dict[str, Any] = {"keep_orders": True, **MASTER}


@pytest.fixture
def kings() -> tuple[World, GameId]:
    """A game whose positions its master may change."""
    world = World(systems)
    return world, world.start(system="king_of_kings", players=3, wishes={ANN: "", BOB: "", CY: ""})


@pytest.fixture
def kingdoms() -> tuple[World, GameId]:
    """A game whose master hides cards."""
    world = World(systems)
    options = {"umpire_places_spells": "true"}
    return world, world.start(system="young_kingdoms", players=6, wishes=PLAYERS, options=options)


def edit(world: World, game_id: GameId, text: str) -> None:
    gm.edit(world.context, game_id, CREATOR, **MASTER, text=text)


def hide(world: World, game_id: GameId, number: int = 0) -> tuple[int, str]:
    """Hide the first card that waits."""
    seen = hidden_cards.hide(world, game_id, place=hidden_cards.hide(world, game_id).places[number])
    assert seen.hidden is not None
    return seen.hidden


def acts(world: World, game_id: GameId) -> list[Act]:
    return [act for key, act in sorted(world.storage.tables.acts.items()) if key[0] == game_id]


def is_exact(world: World, game_id: GameId) -> bool:
    found = replay.verify(world.context, game_id)
    assert replay.replay(world.context, game_id) == ()
    return found.altered == found.drifted == () and found.opening in (Opening.SAME, Opening.EDITED, Opening.LOST)


def test_an_act_is_kept_with_its_actor_its_phase_and_its_place(kings: tuple[World, GameId]) -> None:
    world, game_id = kings
    edit(world, game_id, "TERRAIN 0 0   plains")
    world.pass_deadline(game_id)
    edit(world, game_id, "terrain 0 0 hills")
    edit(world, game_id, "terrain 0 1 hills")
    kept = [(act.phase_no, act.number, act.actor, act.kind, act.text) for act in acts(world, game_id)]
    assert kept == [
        (1, 1, CREATOR, ActKind.EDIT, "terrain 0 0 plains"),
        (2, 1, CREATOR, ActKind.EDIT, "terrain 0 0 hills"),
        (2, 2, CREATOR, ActKind.EDIT, "terrain 0 1 hills"),
    ]


def test_a_refused_change_is_answered_in_a_sentence(kings: tuple[World, GameId]) -> None:
    """It was answered with "Reds: is none of red, …"."""
    world, game_id = kings
    for text, said in (
        ("gold Reds 5", "That can't be done: “Reds” is none of these: "),
        ("gold red", "That can't be done: “gold red”: write, for example, “gold egyptians 12”."),
        ("gold", "That can't be done: “gold”: write, for example, “gold egyptians 12”."),
        ("tactic 0 0 X", "That can't be done: “tactic 0 0 X”: 'X' is none of "),
    ):
        with pytest.raises(Refused) as caught:
            gm.edit(world.context, game_id, CREATOR, text=text, **MASTER)
        assert common_words().plain(caught.value.what).startswith(said), text


def test_what_is_refused_is_no_act(kings: tuple[World, GameId]) -> None:
    world, game_id = kings
    before = world.game(game_id)
    refused = {"text": "terrain 99 99 plains", **MASTER}
    assert refused_code(gm.edit, world.context, game_id, CREATOR, **refused) == "edit_impossible"
    assert (acts(world, game_id), world.game(game_id)) == ([], before)


def test_a_phase_that_somebody_closed_meanwhile_is_not_changed(kings: tuple[World, GameId]) -> None:
    world, game_id = kings
    with world.context.reading() as unit:
        table = read_table(world.context, world.game(game_id), unit.games.seats(game_id))
    world.pass_deadline(game_id)
    after = world.game(game_id)
    with world.context.unit_of_work() as unit, pytest.raises(Refused) as refusal:
        carry_out(world.context, unit, table, CREATOR, ActKind.EDIT, "terrain 0 0 plains")
    assert refusal.value.what.code == "refused.phase_over"
    assert (acts(world, game_id), world.game(game_id)) == ([], after)


def test_act_and_position_are_stored_at_once_or_not_at_all(kings: tuple[World, GameId]) -> None:
    world, game_id = kings
    before, first = world.game(game_id), world.storage.statements
    edit(world, game_id, "terrain 0 0 plains")
    needed = world.storage.statements - first
    for crash in range(1, needed + 1):
        other = World(systems)
        same = other.start(system="king_of_kings", players=3, wishes={ANN: "", BOB: "", CY: ""})
        other.storage.crash_before = other.storage.statements + crash
        with pytest.raises(BaseException, match="at statement"):
            edit(other, same, "terrain 0 0 plains")
        other.storage.crash_before = None
        assert (
            bool(acts(other, same))
            == (other.game(same).document != before.document)
            == bool([message for message in other.outbox(same) if message.kind == "notice"])
        )


@pytest.mark.parametrize("new_dice", [False, True])
@pytest.mark.parametrize("phase", ["T1", "T2", "T3"])
def test_phases_that_are_played_again_begin_with_their_acts(
    kings: tuple[World, GameId], phase: str, new_dice: bool
) -> None:
    world, game_id = kings
    nation = str(world.seats(game_id)[0].power)
    for gold in (7, 8):
        edit(world, game_id, f"gold {nation} {gold}")
        edit(world, game_id, "terrain 0 0 plains")
        world.pass_in_silence(game_id, 1)
    edit(world, game_id, f"gold {nation} 9")
    if phase == "T3" and not new_dice:
        world.pass_in_silence(game_id, 1)
    for gold in (70, 71):
        rollback.roll_back(world.context, game_id, CREATOR, **AGAIN, phase=phase, new_dice=new_dice)
        edit(world, game_id, f"gold {nation} {gold}")
        world.pass_in_silence(game_id, 2)
        assert is_exact(world, game_id)
    lobby.end_game(world.context, game_id, CREATOR, **MASTER)
    assert is_exact(world, game_id)


def test_a_first_phase_that_is_played_again_from_elsewhere_is_found(kings: tuple[World, GameId]) -> None:
    world, game_id = kings
    world.pass_deadline(game_id)
    rollback.roll_back(world.context, game_id, CREATOR, **AGAIN, phase="T1")
    edit(world, game_id, "terrain 0 0 plains")
    world.pass_deadline(game_id)
    assert is_exact(world, game_id)
    record = world.records(game_id)[-1]
    nations = [{**nation, "gold": 99} for nation in record.start["state"]["nations"]]
    start = {**record.start, "state": {**record.start["state"], "nations": nations}}
    world.storage.tables.phases[game_id, record.phase_no] = replace(record, start=start)
    assert replay.verify(world.context, game_id).altered == (record.code,)


def test_hidden_cards_are_made_again_and_told_when_the_game_is_over(kingdoms: tuple[World, GameId]) -> None:
    world, game_id = kingdoms
    card, place = hide(world, game_id, 3)
    hide(world, game_id, 1)
    assert replay.verify(world.context, game_id).opening is Opening.SAME
    world.pass_deadline(game_id)
    found = replay.verify(world.context, game_id)
    assert (found.opening, found.acts, found.altered) == (Opening.SAME, (), ())
    rules = systems[SystemId("young_kingdoms")]
    name = rules.play.variant(rules.play.load(world.game(game_id).document)).spaces[ProvinceId(place)].name
    before = world.verified(game_id)
    assert "hidden" not in before
    assert name not in before
    lobby.end_game(world.context, game_id, CREATOR, **MASTER)
    assert f"card {card} was hidden in {name} (by <@{CREATOR}>)" in world.verified(game_id)
    assert is_exact(world, game_id)


def test_a_card_that_lies_elsewhere_than_it_was_hidden_is_found(kingdoms: tuple[World, GameId]) -> None:
    world, game_id = kingdoms
    hide(world, game_id)
    world.storage.tables.acts.clear()
    assert replay.verify(world.context, game_id).opening is Opening.OTHER


def test_games_from_before_there_were_acts_are_verified_by_what_was_announced(
    kings: tuple[World, GameId], kingdoms: tuple[World, GameId]
) -> None:
    for world, game_id in (kings, kingdoms):
        world.storage.tables.games[game_id] = replace(world.game(game_id), has_acts=False)
    world, game_id = kings
    edit(world, game_id, "terrain 0 0 plains")
    world.pass_deadline(game_id)
    edit(world, game_id, "terrain 0 1 plains")
    world.pass_deadline(game_id)
    world.storage.tables.acts.clear()
    assert is_exact(world, game_id)
    assert "• before T2 closed: terrain 0 1 plains\n" in world.verified(game_id) + "\n"
    world.forget_mail()
    assert replay.verify(world.context, game_id).altered == ("T2",)
    world, game_id = kingdoms
    hide(world, game_id)
    world.storage.tables.acts.clear()
    world.pass_deadline(game_id)
    assert is_exact(world, game_id)


def test_exports_carry_acts_along_and_old_ones_have_none(kings: tuple[World, GameId]) -> None:
    world, game_id = kings
    edit(world, game_id, "terrain 0 0 plains")
    world.pass_deadline(game_id)
    edit(world, game_id, "terrain 0 1 plains")
    document = json.loads(json.dumps(transfer.export_game(world.context, game_id)))
    place: Any = {"guild_id": 1, "channel_id": CHANNEL, "user_id": CREATOR}
    other = World(systems)
    moved = transfer.import_game(other.context, document, **place)
    other.pass_deadline(moved.id)
    assert is_exact(other, moved.id)
    assert transfer.export_game(other.context, moved.id)["acts"] == document["acts"]

    old = {name: value for name, value in document.items() if name != "acts"}
    old["game"] = {name: value for name, value in document["game"].items() if name != "has_acts"}
    other = World(systems)
    moved = transfer.import_game(other.context, old, **place)
    other.pass_deadline(moved.id)
    assert is_exact(other, moved.id)


def test_a_copy_goes_on_with_the_acts_of_its_present_phase(kings: tuple[World, GameId]) -> None:
    world, game_id = kings
    world.pass_deadline(game_id)
    edit(world, game_id, "terrain 0 0 plains")
    document = json.loads(json.dumps(transfer.export_game(world.context, game_id)))
    document["game"]["name"] = "Copy"
    copy = transfer.import_game(world.context, document, guild_id=GUILD, channel_id=2, user_id=CREATOR)
    assert copy.phase_no == world.game(game_id).phase_no + 1
    world.pass_deadline(copy.id)
    assert is_exact(world, copy.id)
    assert "terrain 0 0 plains" in world.verified(copy.id)


@pytest.mark.parametrize(
    "change",
    [{"phase_no": 0}, {"phase_no": 99}, {"number": 2, "twice": True}, {"kind": "letter"}, {"actor": "me"}],
)
def test_acts_that_can_not_be_are_no_export(kings: tuple[World, GameId], change: dict[str, Any]) -> None:
    world, game_id = kings
    edit(world, game_id, "terrain 0 0 plains")
    edit(world, game_id, "terrain 0 1 plains")
    document = json.loads(json.dumps(transfer.export_game(world.context, game_id)))
    document["acts"][0].update({name: value for name, value in change.items() if name != "twice"})
    place: Any = {"guild_id": 1, "channel_id": CHANNEL, "user_id": CREATOR}
    assert refused_code(transfer.import_game, World(systems).context, document, **place) == "export_unreadable"
