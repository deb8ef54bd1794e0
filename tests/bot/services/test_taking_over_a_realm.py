"""Kalevala over Discord: a realm that was given up becomes vacant, and somebody new joins. Source: rulings KA7, KA53"""

from __future__ import annotations

from typing import Any

import pytest

from bot.model import UserId
from bot.services import lobby, overview
from bot.text.compose import compose
from engine.core.ids import PowerId, SystemId
from engine.kalevala import document
from engine.registry import systems
from tests.bot.services.refusals import refused_code
from tests.bot.services.world import World

KALEVALA = SystemId("kalevala")
FORMER, NEW = UserId(700_001), UserId(700_002)
"""Numbers that stand nowhere by chance."""


def test_somebody_new_takes_over_a_vacant_realm_and_nobody_learns_who_had_it() -> None:
    world = World({KALEVALA: systems[KALEVALA]})
    people = [FORMER, *map(UserId, range(2, 7))]
    game_id = world.start(
        wishes={user: "fina" if user == FORMER else "" for user in people}, system="kalevala", players=6
    )
    world.forget_mail()
    lobby.leave_game(world.context, game_id, FORMER)
    _make_vacant(world, game_id)
    told = _told(world, game_id)
    seat = lobby.join_game(world.context, game_id, NEW, power="Fina")
    assert seat.power == "fina"
    told += _told(world, game_id)
    world.submit(game_id, NEW, "EXPLORE 1 2C+8 > 2D+8")
    world.ready(game_id, NEW, *people[1:])
    own = _state(world, game_id)["rulers"]["fina"]
    assert "kind" not in own
    assert own.get("nmr", 0) == 0
    assert [record.code for record in world.records(game_id)] == ["2.1"]
    told += _told(world, game_id)
    assert told
    for target, text in told:
        assert str(FORMER) not in text
        assert target == NEW or str(NEW) not in text
    info = overview.game_info(world.context, game_id, NEW)
    assert not any(seat.player for seat in info.seats)


def test_no_world_is_made_before_its_game_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """A world of a hundred takes half a minute; options and wishes are checked without it."""

    def made(players: int, seed: str) -> dict[str, Any]:
        raise AssertionError(f"a world for {players}")

    monkeypatch.setattr(document, "start_of_world", made)
    world = World({KALEVALA: systems[KALEVALA]})
    game_id = world.create(system="kalevala", variant="world", players=100)
    assert lobby.join_game(world.context, game_id, NEW, power="Ahti").wish == "ahti"
    assert refused_code(lobby.join_game, world.context, game_id, FORMER, power="Atlantis") == "unknown_power"
    assert (
        refused_code(world.create, name="Other", system="kalevala", variant="world", players=101)
        == "player_count_in_variant"
    )
    assert refused_code(lobby.join_game, world.context, game_id, FORMER, power="ravens") == "power_not_played"


def _state(world: World, game_id: Any) -> dict[str, Any]:
    document = world.game(game_id).document
    assert document is not None
    return dict(document["state"])


def _make_vacant(world: World, game_id: Any) -> None:
    """What three missed windows and three great rounds of protection make of a realm."""
    rulers = _state(world, game_id)["rulers"]
    fina = {**rulers["fina"], "kind": "vacant", "protected": 4, "nmr": 3}
    world.set_state(game_id, phase={"gr": 2, "part": 1}, rulers={**rulers, "fina": fina})


def _told(world: World, game_id: Any) -> list[tuple[int, str]]:
    """To whom what is sent: all words of all messages since last asked."""
    found = [(row.target_id, repr(message)) for row in world.outbox(game_id) for message in compose(world.context, row)]
    world.forget_mail()
    return found


def test_vacant_is_a_realm_that_can_be_joined_and_marauders_are_not() -> None:
    rules = systems[KALEVALA]
    state = rules.play.load(
        {"system": "kalevala", "state": {"rulers": {"anna": {"kind": "vacant"}, "bert": {"kind": "marauder"}}}}
    )
    assert PowerId("anna") not in rules.play.status(state).out
    assert PowerId("bert") in rules.play.status(state).out
