"""What game masters do is told again in the head of the phase's report. Source: King of Kings, rules 15"""

from __future__ import annotations

from typing import Any

import pytest

from bot.model import ClosedBecause, Game, GameId, GameStatus
from bot.services import gm, inspect, lobby, rollback, table, transfer, turns
from bot.services.errors import Refused
from bot.text.board import plain_time
from bot.text.results import results_messages
from engine.king_of_kings.system import KING_OF_KINGS
from engine.registry import systems
from tests.bot.services.world import ANN, CREATOR, DAN, GUILD, World

RULES = KING_OF_KINGS
MASTER: dict[str, Any] = {"is_manager": False}


def report_file(world: World, game_id: GameId, phase: str | None = None) -> str:
    """The whole report of a phase, as everybody gets it."""
    view = inspect.history(world.context, game_id, None, phase)
    (report,) = [f.text for m in results_messages(view) for f in m.files if f.filename == "report.txt"]
    return report


def interventions(world: World, game_id: GameId, phase: str | None = None) -> list[str]:
    """What the head of a phase's report says that game masters did."""
    start = f"Game master, {plain_time(world.clock.now())}: "
    head = report_file(world, game_id, phase).partition("\n\n")[0].splitlines()
    return [line.removeprefix(start) for line in head if line.startswith("Game master")]


def power(world: World, game_id: GameId, number: int) -> str:
    return str(world.seats(game_id)[number].power)


def name_of(world: World, game_id: GameId, number: int) -> str:
    powers = table.powers_of(world.context, game_id, None)
    return next(each.in_sentence for each in powers if each.id == power(world, game_id, number))


def due(game: Game) -> str:
    assert game.deadline_at is not None
    return plain_time(game.deadline_at)


def test_every_intervention_is_told_in_the_head_of_the_report(world: World, game_id: GameId) -> None:
    first = gm.extend(world.context, game_id, CREATOR, **MASTER, by="12h")
    gm.pause(world.context, game_id, CREATOR, **MASTER)
    gm.extend(world.context, game_id, CREATOR, **MASTER, by="1h")
    resumed = gm.resume(world.context, game_id, CREATOR, **MASTER)
    set_ = gm.set_deadline(world.context, game_id, CREATOR, **MASTER, at="in 6h")
    gm.replace_player(world.context, game_id, CREATOR, **MASTER, power=power(world, game_id, 0), new_user_id=None)
    gm.replace_player(world.context, game_id, CREATOR, **MASTER, power=power(world, game_id, 0), new_user_id=DAN)
    gm.adjudicate_now(world.context, game_id, CREATOR, **MASTER)
    name = name_of(world, game_id, 0)
    assert interventions(world, game_id) == [
        f"gave 12h more time; orders were due {due(first)}.",
        "paused the game.",
        "gave 1h more time, for when the game would go on.",
        f"let the game go on; orders were due {due(resumed)}.",
        f"set the deadline to {due(set_)}.",
        f"took {name} from its player and opened the seat.",
        f"gave {name} a new player.",
        "closed the phase.",
    ]


def test_changes_of_the_position_are_told_once_and_by_the_game_itself(world: World, game_id: GameId) -> None:
    nation = power(world, game_id, 1)
    for change in ("AWARD {} 5", "kill {}", "revive   {}", "gold {} 3", "gold {} 4"):
        gm.edit(world.context, game_id, CREATOR, **MASTER, text=change.format(nation))
    gm.adjudicate_now(world.context, game_id, CREATOR, **MASTER)
    report = report_file(world, game_id)
    for change in ("award {} 5", "kill {}", "revive {}", "gold {} 3", "gold {} 4"):
        assert report.casefold().count(change.format(nation)) == 1
        assert f"The game master has changed: {change.format(nation)}." in report
    assert interventions(world, game_id) == ["closed the phase."]


def test_a_change_that_dice_are_thrown_anew_after_is_told_once(world: World, game_id: GameId) -> None:
    nation = power(world, game_id, 1)
    gm.edit(world.context, game_id, CREATOR, **MASTER, text=f"gold {nation} 3")
    rollback.roll_back(world.context, game_id, CREATOR, **MASTER, phase="T1", keep_orders=True, new_dice=True)
    gm.adjudicate_now(world.context, game_id, CREATOR, **MASTER)
    assert report_file(world, game_id).count(f"gold {nation} 3") == 1


def test_a_change_in_a_phase_that_is_cut_short_is_told_in_the_head(world: World, game_id: GameId) -> None:
    nation = power(world, game_id, 1)
    gm.edit(world.context, game_id, CREATOR, **MASTER, text=f"gold {nation} 3")
    lobby.end_game(world.context, game_id, CREATOR, **MASTER)
    assert interventions(world, game_id) == [f"changed the position: gold {nation} 3.", "ended the game."]


def test_a_change_is_announced_whole_or_refused(world: World, game_id: GameId) -> None:
    with pytest.raises(Refused) as refusal:
        gm.edit(world.context, game_id, CREATOR, **MASTER, text="units " + "x" * 500)
    assert refusal.value.what.code == "refused.edit_too_long"


def test_an_intervention_is_told_once(world: World, game_id: GameId) -> None:
    gm.extend(world.context, game_id, CREATOR, **MASTER, by="12h")
    world.pass_deadline(game_id)
    world.pass_deadline(game_id)
    assert interventions(world, game_id) == []
    assert len(interventions(world, game_id, "T1")) == 1


def test_what_players_do_themselves_is_no_intervention(world: World, game_id: GameId) -> None:
    lobby.leave_game(world.context, game_id, ANN)
    lobby.join_game(world.context, game_id, DAN, power="")
    assert world.kinds(game_id)[-3:-1] == ["notice.seat_left", "notice.seat_taken"]
    world.pass_deadline(game_id)
    assert interventions(world, game_id) == []


def test_a_rollback_is_told_by_the_phase_that_is_played_again(world: World, game_id: GameId) -> None:
    """With what was done in the phase that was given up for it, which has no report of its own."""
    world.pass_deadline(game_id)
    nation = power(world, game_id, 1)
    gm.edit(world.context, game_id, CREATOR, **MASTER, text=f"gold {nation} 7")
    rollback.roll_back(world.context, game_id, CREATOR, **MASTER, phase="T1", keep_orders=True)
    gm.adjudicate_now(world.context, game_id, CREATOR, **MASTER)
    assert interventions(world, game_id) == [
        f"changed the position: gold {nation} 7.",
        "went back to before Turn 1, with the same dice.",
        "closed the phase.",
    ]


def test_a_phase_played_again_gives_the_same_report_but_for_its_head(world: World, game_id: GameId) -> None:
    world.pass_deadline(game_id)
    before = inspect.history(world.context, game_id, None, None)
    rollback.roll_back(world.context, game_id, CREATOR, **MASTER, phase="T1", keep_orders=True)
    turns.close_phase(world.context, game_id, world.game(game_id).phase_no, ClosedBecause.READY)
    after = inspect.history(world.context, game_id, None, None)
    assert after.interventions
    assert (after.report, after.text, after.results, after.events) == (
        before.report, before.text, before.results, before.events
    )  # fmt: skip


def test_an_exported_game_takes_its_interventions_along_and_announces_none_again(world: World, game_id: GameId) -> None:
    gm.extend(world.context, game_id, CREATOR, **MASTER, by="12h")
    world.pass_deadline(game_id)
    gm.pause(world.context, game_id, CREATOR, **MASTER)
    document = transfer.export_game(world.context, game_id)
    other = World(systems)
    other.clock.moment = world.clock.moment
    copy = transfer.import_game(other.context, document, guild_id=GUILD, channel_id=7, user_id=CREATOR).id
    with other.context.unit_of_work() as unit:
        assert not [message for message in unit.outbox.pending(other.clock.now()) if message.payload.get("is_deed")]
    assert transfer.export_game(other.context, copy)["deeds"] == document["deeds"]
    assert interventions(other, copy) == interventions(world, game_id) != []
    gm.resume(other.context, copy, CREATOR, **MASTER)
    gm.adjudicate_now(other.context, copy, CREATOR, **MASTER)
    assert [line.split(" ", 1)[0] for line in interventions(other, copy)] == ["paused", "let", "closed"]


def test_an_export_of_old_has_no_interventions(world: World, game_id: GameId) -> None:
    document = transfer.export_game(world.context, game_id)
    del document["deeds"]
    copy = transfer.import_game(world.context, document, guild_id=GUILD + 1, channel_id=7, user_id=CREATOR)
    assert copy.status is GameStatus.RUNNING
