"""A question in words to an oracle: game masters read it, one who does not play answers, the asker alone is told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.model import GameId
from bot.services import gm
from bot.text.compose import compose
from engine.core.ids import PowerId
from engine.core.viewer import Playing
from tests.bot.services.refusals import refused_code
from tests.bot.services.test_battles import ANNA, BERT, PLAYERS, world
from tests.bot.services.test_rulings import REFEREE, position_seen, rule, state, told
from tests.bot.services.world import World

__all__ = ["world"]
TEMPLE = "2E+8"
ASKED = 'ORACLE 2E+8 10 "Do wolves come?"'


@pytest.fixture
def asked(world: World) -> GameId:
    """Anna has asked; everybody's window of orders is over."""
    found = world.start(wishes=PLAYERS, system="kalevala", players=6)
    given = state(world, found)
    field = {**given["gf"][TEMPLE], "works": [{"type": "Tt", "kf": 19, "ts": 30}]}
    stacks = {**given["stacks"]["anna"], TEMPLE: f"{given['stacks']['anna'][TEMPLE]} Pr/0"}
    world.set_state(found, gf={**given["gf"], TEMPLE: field}, stacks={**given["stacks"], "anna": stacks})
    world.submit(found, ANNA, ASKED)
    world.forget_mail()
    world.ready(found, *PLAYERS)
    return found


def test_the_question_goes_to_the_masters_and_the_answer_to_the_asker_alone(world: World, asked: GameId) -> None:
    sent = [(each.target_id, repr(compose(world.context, each))) for each in world.outbox(asked)]
    assert {user for user, text in sent if "Do wolves come?" in text} == {ANNA, world.game(asked).creator_id}
    world.forget_mail()
    before = [position_seen(world, asked, Playing(PowerId(name))) for name in PLAYERS.values()]
    rule(world, asked, "oracle Anna 1 Beware of the  north")
    assert [position_seen(world, asked, Playing(PowerId(name))) for name in PLAYERS.values()] == before
    mail = told(world, asked)
    assert sorted(mail) == [ANNA]
    assert "It says: “Beware of the north”" in mail[ANNA]
    assert "No longer:" not in mail[ANNA]
    assert "oracle anna 1 …" in gm.edit_forms(world.context, asked, REFEREE)
    world.forget_mail()
    for text, code in (
        ("oracle anna 1 Beware of the north", "ruling_changes_nothing"),
        ("oracle anna 2 Beware", "edit_impossible"),
        ("oracle bert 1 Beware", "edit_impossible"),
        ("oracle anna 1", "edit_impossible"),
        ("oracle anna 1 …", "edit_impossible"),
        ("oracle", "edit_impossible"),
    ):
        assert refused_code(lambda text=text: rule(world, asked, text)) == code, text
    assert told(world, asked) == {}


def test_a_game_master_who_plays_does_not_learn_what_others_ask(world: World, asked: GameId) -> None:
    question = next(each for each in world.outbox(asked) if each.kind == "notes")
    masters = frozenset({ANNA, BERT, REFEREE})
    world.storage.tables.games[asked] = replace(world.game(asked), game_masters=masters)
    read = {user: repr(compose(world.context, replace(question, target_id=user))) for user in masters}
    assert {user for user, text in read.items() if "Do wolves come?" in text} == {ANNA, REFEREE}


def test_an_expedition_is_told_to_its_ruler_and_to_masters_who_do_not_play(world: World) -> None:
    found = world.start(wishes=PLAYERS, system="kalevala", players=6)
    given = state(world, found)
    stacks = {**given["stacks"]["anna"], TEMPLE: f"{given['stacks']['anna'][TEMPLE]} 1K"}
    world.set_state(found, stacks={**given["stacks"], "anna": stacks})
    world.submit(found, ANNA, f"CARAVAN 1 FORM {TEMPLE} 1K 2RE EX")
    world.forget_mail()
    world.ready(found, *PLAYERS)
    masters = frozenset({ANNA, BERT, REFEREE})
    world.storage.tables.games[found] = replace(world.game(found), game_masters=masters)
    note = next(each for each in world.outbox(found) if each.kind == "notes")
    read = {user: repr(compose(world.context, replace(note, target_id=user))) for user in masters}
    assert {user for user, text in read.items() if "sends out an expedition" in text} == {ANNA, REFEREE}
    briefings = {each.target_id: repr(compose(world.context, each)) for each in world.outbox(found) if each is not note}
    assert {user for user, text in briefings.items() if "sends out an expedition" in text} == {ANNA}
