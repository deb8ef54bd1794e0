"""Close-ups of maps of provinces: which part of a map a text names, and what is suggested."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.services import inspect
from bot.services.errors import Refused
from bot.services.region import close_up, focus, suggest_regions, suggest_regions_of
from engine.core.ids import PowerId, ProvinceId, SystemId
from engine.core.variant import load_variant
from engine.pictures.realm import own_part
from engine.pictures.scene import Scene
from engine.pictures.tiles import TileScene
from engine.provinces.variants import with_board
from engine.registry import systems
from tests.bot.render.kregen import position
from tests.bot.services.world import ANN, BOB, World

MAP = with_board(load_variant("kregen", "standard"))


def seen(text: str) -> set[str]:
    shown = close_up(MAP, position(), text)
    assert isinstance(shown, Scene)
    return set(shown.focus)


@pytest.mark.parametrize(
    ("text", "provinces"),
    [
        ("Sea of Swords", {"SWD"}),
        ("sea of swords, zim", {"SWD", "ZIM"}),
        ("Vosk (River)", {"RVO"}),
        ("Vosk", {"VSK"}),
        ("O.I.", {"OI"}),
        ("RVO", {"RVO"}),
    ],
)
def test_seas_lands_and_rivers_are_found_by_name_and_id(text: str, provinces: set[str]) -> None:
    assert seen(text) == provinces


def test_a_power_means_its_homes_what_it_owns_and_where_its_units_stand() -> None:
    assert seen("Zair") == {"ZY", "ZUL", "ZIM", "LIZ", "SWD"}


def test_all_is_the_whole_map() -> None:
    near = close_up(MAP, position(), "Zair")
    assert close_up(MAP, near, "All") == position()


def test_a_part_that_is_named_is_shown_alone_and_not_with_the_viewers_own_realm() -> None:
    """A player who asked for the part around an enemy saw the whole board: their own units had to be in sight too."""
    own = own_part(position(), PowerId("renders"))
    assert isinstance(own, Scene)
    assert own.is_part
    assert close_up(MAP, own, "Sea of Swords") == replace(position(), focus=(ProvinceId("SWD"),))
    assert close_up(MAP, own, "all") == replace(position(), lit=PowerId("renders"))


def test_every_place_is_suggested_once_and_found_again() -> None:
    board = MAP.board
    suggested = suggest_regions(MAP, "")
    assert len(set(suggested)) == len(suggested)
    assert {province.name for province in board.provinces.values()} <= set(suggested)
    for text in suggested:
        assert seen(text) or text == "all"


def test_a_part_of_a_name_is_completed_after_a_comma() -> None:
    assert suggest_regions(MAP, "Zy, swo") == ["Zy, Sea of Swords"]


def test_what_is_not_there_is_refused_with_what_is_near() -> None:
    with pytest.raises(Refused) as caught:
        seen("Sea of Sword5")
    assert caught.value.hint is not None
    assert "Sea of Swords" in caught.value.hint.args["words"]


def test_a_power_that_has_nothing_on_the_map_is_known_all_the_same() -> None:
    """Before centres are chosen nobody has any; "did you mean" would name what was written."""
    world = World({SystemId("feudal"): systems[SystemId("feudal")]})
    game_id = world.start(system="feudal", players=2, wishes={ANN: "", BOB: ""})
    view = inspect.board(world.context, game_id, ANN)
    with pytest.raises(Refused) as caught:
        focus(world.context, game_id, ANN, view.scene, "lion")
    assert (caught.value.what.code, caught.value.what.args, caught.value.hint) == (
        "refused.nothing_on_map", {"name": "Lion"}, None,
    )  # fmt: skip


@pytest.mark.parametrize("text", ["99 99", "0-5 40-50"])
def test_who_names_no_square_is_told_how_they_are_written(text: str) -> None:
    world = World({SystemId("king_of_kings"): systems[SystemId("king_of_kings")]})
    game_id = world.start(system="king_of_kings", variant="classic", players=2, wishes={ANN: "", BOB: ""})
    view = inspect.board(world.context, game_id, None)
    with pytest.raises(Refused) as caught:
        close_up(None, view.scene, text)
    hint = caught.value.hint
    assert hint is not None
    assert isinstance(view.scene, TileScene)
    columns, rows = len(view.scene.board.columns), len(view.scene.board.rows)
    assert (hint.code, hint.args) == ("refused.hint.squares", {"column": columns - 1, "row": rows - 1})


def test_on_a_map_made_for_the_game_its_nations_and_places_are_suggested() -> None:
    world = World({SystemId("king_of_kings"): systems[SystemId("king_of_kings")]})
    game_id = world.start(system="king_of_kings", variant="classic", players=2, wishes={ANN: "", BOB: ""})
    names = suggest_regions_of(world.context, game_id, None, "")
    assert names[:3] == ["all", "Egyptians", "Romans"]
    assert "3/4" in suggest_regions_of(world.context, game_id, None, "3/")
