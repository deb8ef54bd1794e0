"""Close-ups of boards of squares and of hexes: which tiles a text names."""

from __future__ import annotations

import pytest

from bot.services.errors import Refused
from bot.services.region import close_up
from engine.lattice.hexes import Top
from engine.lattice.tiling import TileId
from engine.pictures.tiles import TileScene
from tests.bot.render.tile_scenes import CARTHAGE, hexes, realm


def seen(text: str) -> set[TileId]:
    shown = close_up(None, realm(), text)
    assert isinstance(shown, TileScene)
    return set(shown.focus)


@pytest.mark.parametrize("text", ["3 2", "3/2", " 3  2 "])
def test_a_column_and_a_row_name_a_square(text: str) -> None:
    assert seen(text) == {(3, 2)}


def test_a_span_of_both_names_a_block_and_ends_at_the_rim() -> None:
    assert seen("10-99 5-6") == {(10, 5), (11, 5), (10, 6), (11, 6)}


def test_a_nation_means_its_land_and_its_fleets() -> None:
    theirs = {cell for cell, square in realm().tiles.items() if square.owner == CARTHAGE}
    assert seen("carthage") == theirs | {(9, 5)}


def test_names_of_provinces_are_parted_by_commas() -> None:
    assert seen("siwa, Cumae") == {(10, 1), (5, 2)}


@pytest.mark.parametrize("text", ["Atlantis", "99 99", "3", "3 2 1", "-1 4"])
def test_what_is_not_there_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        close_up(None, realm(), text)


def test_hexes_are_meant_by_what_is_written_on_them() -> None:
    shown = close_up(None, hexes(Top.FLAT), "17, Nora")
    assert isinstance(shown, TileScene)
    assert set(shown.focus) == {at for at, tile in shown.tiles.items() if tile.tag == "17"}
    with pytest.raises(Refused) as refused:
        close_up(None, hexes(Top.FLAT), "3 4")
    assert refused.value.hint is None
