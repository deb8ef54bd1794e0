"""A game master's word on a battle: an act, told to those concerned alone, made again to verify."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bot.model import ActKind, GameId, UserId
from bot.services import gm, lobby, replay, rulings, transfer
from bot.services.acts import closed_again, phase_before
from bot.text.compose import compose
from engine.core.events import visible_events
from engine.core.ids import PowerId
from engine.core.viewer import EVERYBODY, Playing, Viewer
from tests.bot.services.refusals import refusal, refused_code
from tests.bot.services.test_battles import ANNA, ATTACK, BERT, KALEVALA, PLAN, PLAYERS, game_id, world
from tests.bot.services.world import CREATOR, World

__all__ = ["game_id", "world"]
REFEREE = UserId(77)
MASTER: dict[str, Any] = {"is_manager": True}
BATTLE = "2G+6"


@pytest.fixture
def fought(world: World, game_id: GameId) -> GameId:
    """Anna has beaten Bert in the open, and has his market."""
    world.submit(game_id, ANNA, f"{ATTACK}\n{PLAN}")
    world.ready(game_id, *PLAYERS)
    assert state(world, game_id)["owners"][BATTLE] == "anna"
    world.forget_mail()
    return game_id


def state(world: World, game_id: GameId) -> Any:
    document = world.game(game_id).document
    assert document is not None
    return document["state"]


def rule(world: World, game_id: GameId, text: str, master: UserId = REFEREE) -> None:
    gm.edit(world.context, game_id, master, **MASTER, text=text)


def told(world: World, game_id: GameId) -> dict[int, str]:
    """What came by direct message or in the channel, by whom it came to."""
    found: dict[int, str] = {}
    for outgoing in world.outbox(game_id):
        text = "\n".join(message.content for message in compose(world.context, outgoing))
        found[outgoing.target_id] = found.get(outgoing.target_id, "") + text
    return found


def position_seen(world: World, game_id: GameId, viewer: Viewer) -> Any:
    document = world.game(game_id).document
    assert document is not None
    return KALEVALA.sight.document(KALEVALA.sight.view(KALEVALA.play.load(document), viewer))


def test_a_battle_whose_field_another_holds_comes_out_so_with_all_that_follows(world: World, fought: GameId) -> None:
    neutrals: list[Viewer] = [
        EVERYBODY,
        *(Playing(PowerId(name)) for name in PLAYERS.values() if name not in ("anna", "bert")),
    ]
    before = [position_seen(world, fought, viewer) for viewer in neutrals]
    rule(world, fought, f"battle {BATTLE} lost bert 1LB")
    rule(world, fought, f"BATTLE {BATTLE.lower()}  holds  Bert")
    after = state(world, fought)
    assert after["owners"][BATTLE] == "bert"
    assert after["stacks"]["bert"][BATTLE] == "2BB 5LB"
    assert [position_seen(world, fought, viewer) for viewer in neutrals] == before, "neutrals see what they saw"
    mail = told(world, fought)
    assert sorted(mail) == [ANNA, BERT], "nobody else is told, and the channel neither"
    assert "A game master has ruled on the battle of 2G+6" in mail[BERT]
    assert "No longer:" in mail[ANNA]
    with world.context.reading() as unit:
        acts = [(act.actor, act.kind, act.text) for act in unit.acts.of_game(fought)]
    assert acts == [
        (REFEREE, ActKind.RULING, f"battle {BATTLE} lost bert 1LB"),
        (REFEREE, ActKind.RULING, f"BATTLE {BATTLE.lower()} holds Bert"),
    ]


def test_run_again_from_the_stored_dice_it_comes_out_as_the_dice_had_it(world: World, fought: GameId) -> None:
    as_fallen = state(world, fought)
    rule(world, fought, f"battle {BATTLE} lost anna 20LB")
    assert state(world, fought) != as_fallen
    rule(world, fought, f"battle {BATTLE} again")
    assert state(world, fought) == as_fallen


def test_verify_makes_rulings_again_and_tells_of_them_when_the_game_is_over(world: World, fought: GameId) -> None:
    rule(world, fought, f"battle {BATTLE} lost anna 4LB")
    rule(world, fought, f"battle {BATTLE} lost anna 3LB 2BB")
    world.ready(fought, *PLAYERS)
    found = replay.verify(world.context, fought)
    assert (found.drifted, found.altered, found.acts) == ((), (), ())
    document = json.loads(json.dumps(transfer.export_game(world.context, fought)))
    assert [act["text"] for act in document["acts"]] == [
        f"battle {BATTLE} lost anna 4LB",
        f"battle {BATTLE} lost anna 3LB 2BB",
    ]
    with world.context.unit_of_work() as unit:  # somebody writes another ruling into the record
        record = phase_before(unit, world.game(fought))
        assert record is not None
        act = next(iter(unit.acts.of_game(fought)))
    forged = closed_again(KALEVALA, record_of(world, fought, 0), (act.text,)).end
    assert forged != record.start


def record_of(world: World, game_id: GameId, place: int) -> Any:
    with world.context.reading() as unit:
        return unit.phases.of_game(game_id)[place]


def test_what_makes_no_sense_is_refused_and_changes_nothing(world: World, fought: GameId) -> None:
    before = state(world, fought)
    for text, code in (
        ("battle 2B+2 holds anna", "edit_impossible"),
        (f"battle {BATTLE} holds carl", "edit_impossible"),
        (f"battle {BATTLE} lost anna 99LB", "edit_impossible"),
        (f"battle {BATTLE} lost anna 1El", "edit_impossible"),
        (f"battle {BATTLE} lost anna many", "edit_impossible"),
        (f"battle {BATTLE} holds bert", "edit_impossible"),  # nobody of his is left
        (f"battle {BATTLE} explodes", "edit_impossible"),
        (f"battle {BATTLE}", "edit_impossible"),
        (f"battle {BATTLE} holds", "edit_impossible"),
        (f"battle {BATTLE} holds anna bert", "edit_impossible"),
        (f"battle {BATTLE} lost", "edit_impossible"),
        (f"battle {BATTLE} lost anna", "edit_impossible"),
        (f"battle {BATTLE} lost carl 1LB", "edit_impossible"),
        (f"battle {BATTLE} lost anna -1LB", "edit_impossible"),
        (f"battle {BATTLE} again anna", "edit_impossible"),
        ("battle", "edit_impossible"),
        ("gold anna 12", "edit_impossible"),
        ("", "edit_impossible"),
        (f"battle {BATTLE} again", "ruling_changes_nothing"),
    ):
        assert refused_code(lambda text=text: rule(world, fought, text)) == code, text
    assert refused_code(lambda: rule(world, fought, f"battle {BATTLE} again", ANNA)) == "ruler_plays"
    assert (state(world, fought), told(world, fought)) == (before, {})


def test_what_is_wrong_with_a_ruling_is_told_without_terms_of_the_program(world: World, fought: GameId) -> None:
    error = refusal(lambda: rule(world, fought, "god nobody +5"))
    assert error.what.args["problem"] == "there is no ruler nobody in this game"


def test_who_may_rule_takes_no_seat_afterwards(world: World, fought: GameId) -> None:
    """Else a game master could look, and then play; or leave, look, and come back."""
    stranger = UserId(78)
    rule(world, fought, f"battle {BATTLE} lost anna 4LB")
    lobby.leave_game(world.context, fought, BERT)
    for knowing in (CREATOR, REFEREE):
        assert refused_code(lobby.join_game, world.context, fought, knowing, power="bert") == "master_rules"
        given = {**MASTER, "power": "carl", "new_user_id": knowing}
        assert refused_code(gm.replace_player, world.context, fought, CREATOR, **given) == "master_rules"
    assert lobby.join_game(world.context, fought, stranger, power="bert").user_id == stranger


def test_how_rulings_are_written_is_told_to_masters_who_do_not_play(world: World, fought: GameId) -> None:
    assert rulings.forms(world.context, fought, REFEREE) == ()
    assert gm.edit_forms(world.context, fought, ANNA) == ()
    assert refused_code(lambda: rule(world, fought, "battle 2B+2 again")) == "edit_impossible"
    rule(world, fought, f"battle {BATTLE} lost anna 4LB")
    assert f"battle {BATTLE} holds bert" in gm.edit_forms(world.context, fought, REFEREE)
    events = record_of(world, fought, -1).events
    assert visible_events(events, Playing(PowerId("carl"))) != events


def test_a_ruling_on_a_phase_is_not_made_on_the_next(
    world: World, fought: GameId, monkeypatch: pytest.MonkeyPatch
) -> None:
    become_master = rulings._become_master

    def late(*args: Any, **kwargs: Any) -> None:
        become_master(*args, **kwargs)
        world.pass_deadline(fought)

    monkeypatch.setattr(rulings, "_become_master", late)
    assert refused_code(rule, world, fought, f"battle {BATTLE} again") == "phase_over"
