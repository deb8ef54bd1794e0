"""A ruler who has missed three windows: game masters are asked, one who does not play decides, else the rules do."""

from __future__ import annotations

import pytest

from bot.model import GameId
from bot.services import gm
from bot.text.compose import compose
from engine.core.ids import PowerId
from engine.core.viewer import Playing
from tests.bot.services.refusals import refused_code
from tests.bot.services.test_battles import ANNA, PLAYERS, world
from tests.bot.services.test_rulings import REFEREE, position_seen, rule, state
from tests.bot.services.world import World

__all__ = ["world"]
OTHERS = [user for user in PLAYERS if user != ANNA]


@pytest.fixture
def missed(world: World) -> GameId:
    """Anna's third window in a row has closed without a sheet of hers."""
    found = world.start(wishes=PLAYERS, system="kalevala", players=6)
    rulers = state(world, found)["rulers"]
    world.set_state(found, rulers={**rulers, "anna": {**rulers["anna"], "nmr": 2}})
    for user in OTHERS:
        world.submit(found, user, "PASS")
    world.forget_mail()
    world.pass_deadline(found)
    return found


def test_masters_are_asked_and_protection_begins_if_nobody_answers(world: World, missed: GameId) -> None:
    sent = {
        each.target_id
        for each in world.outbox(missed)
        if "absence anna protect 6" in repr(compose(world.context, each))
    }
    assert sent == {world.game(missed).creator_id}
    assert state(world, missed)["rulers"]["anna"]["protected"] == 4
    assert gm.edit_forms(world.context, missed, REFEREE) == ()


def test_a_master_protects_for_longer_or_not_at_all_and_nobody_else_is_shown_it(world: World, missed: GameId) -> None:
    strangers = [Playing(PowerId(name)) for user, name in PLAYERS.items() if user != ANNA]
    before = [position_seen(world, missed, each) for each in strangers]
    world.forget_mail()
    rule(world, missed, "absence Anna protect 6")
    assert state(world, missed)["rulers"]["anna"]["protected"] == 7
    rule(world, missed, "absence anna wait")
    assert "protected" not in state(world, missed)["rulers"]["anna"]
    assert "nmr" not in state(world, missed)["rulers"]["anna"]
    assert [position_seen(world, missed, each) for each in strangers] == before
    assert world.outbox(missed) == []
    assert {"absence anna protect 6", "absence anna wait"} <= set(gm.edit_forms(world.context, missed, REFEREE))


def test_what_makes_no_sense_is_refused(world: World, missed: GameId) -> None:
    rule(world, missed, "absence anna wait")
    for text, code in (
        ("absence anna wait", "ruling_changes_nothing"),
        ("absence anna protect 0", "edit_impossible"),
        ("absence anna protect 13", "edit_impossible"),
        ("absence anna protect", "edit_impossible"),
        ("absence bert wait", "edit_impossible"),
        ("absence", "edit_impossible"),
    ):
        assert refused_code(lambda text=text: rule(world, missed, text)) == code, text
