"""In a game with fog nobody is told of a place that they have not seen: by no completion, hint, refusal or map."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest

from bot.model import UserId
from bot.services import films, inspect, region
from bot.services.errors import Refused
from engine.core.ids import PowerId, SystemId
from engine.core.system import GameSystem
from engine.registry import AnySystem
from tests.bot.services.shown import everything_shown, seen
from tests.bot.services.world import ANN, BOB, CY, DAN, World
from tests.foggy_system import EVERYWHERE, FOG, SEEN, atlas_of
from tests.toy_system import BLUE, GREEN, RED

NEARLY = ("Vien", "parris", "Moskow", "VI", "PAR", "BID MOS", "STP", "Bohem")


def _world(rules: GameSystem[Any, Any, Any] = FOG) -> World:
    return World({SystemId("toy"): cast(AnySystem, rules)})


def _told(rules: GameSystem[Any, Any, Any], user_id: UserId) -> str:
    """All that somebody is told who tries everything, the close-ups of their maps included."""
    world = _world(rules)
    game_id = world.start()
    world.submit(game_id, ANN, "BID 2\nPEEK green")
    world.pass_deadline(game_id)
    told = everything_shown(world, game_id, user_id, NEARLY)
    board = seen(lambda: inspect.board(world.context, game_id, user_id))
    if isinstance(board, inspect.BoardView):
        told += [
            seen(lambda text=text: region.focus(world.context, game_id, user_id, board.scene, text))  # type: ignore[misc]
            for text in NEARLY
        ]
    return repr(told)


@pytest.mark.parametrize(("user_id", "own"), [(ANN, RED), (BOB, GREEN), (CY, BLUE), (DAN, None)])
def test_nothing_tells_of_a_place_that_one_has_not_seen(user_id: UserId, own: PowerId | None) -> None:
    told = _told(FOG, user_id)
    for space in EVERYWHERE.values():
        is_known = own is not None and space.id in SEEN[own]
        assert (f"'{space.name}'" in told) == is_known
        assert is_known or space.id in NEARLY or f"'{space.id}'" not in told


def test_an_atlas_that_shows_too_much_would_be_found_out() -> None:
    leaking = replace(FOG, sight=replace(FOG.sight, atlas=lambda view: atlas_of(tuple(EVERYWHERE))))
    assert all(space.name in _told(leaking, DAN) for space in EVERYWHERE.values())


def test_what_is_shared_shows_no_more_than_everybody_knows() -> None:
    world = _world()
    game_id = world.start()
    assert region.suggest_regions_of(world.context, game_id, ANN, "vi") == ["Vienna"]
    assert region.suggest_regions_of(world.context, game_id, None, "vi") == []


def test_nothing_is_completed_before_there_is_anything_to_see() -> None:
    world = _world()
    assert region.suggest_regions_of(world.context, world.create(), ANN, "") == ()


def test_a_board_that_is_not_public_is_shown_to_players_alone() -> None:
    world = _world()
    game_id = world.start()
    assert inspect.board(world.context, game_id, ANN).scene
    for user_id in (DAN, None):
        with pytest.raises(Refused) as refusal:
            inspect.board(world.context, game_id, user_id)
        assert refusal.value.what.code == "refused.no_public_board"
    world.pass_deadline(game_id)
    assert not inspect.history(world.context, game_id, None, None).has_board
    assert inspect.history(world.context, game_id, ANN, None).has_board
    with pytest.raises(Refused):
        films.replay_film(world.context, game_id, None)
