"""What is let go in a lull: memory, and nothing that the next picture shows."""

from __future__ import annotations

import gc
import mmap
import weakref
from dataclasses import replace
from pathlib import Path

import pytest

from bot.render import MapRenderer, basemap, glyphs, lull, map_ground
from engine.core.ids import ProvinceId
from engine.pictures.scene import Scene
from engine.pictures.tiles import TileScene
from tests.bot.render.scenes import crowded, start
from tests.bot.render.tile_scenes import realm

KNOWN = frozenset(map(ProvinceId, ("BEL", "BUR", "ENG", "NTH", "PIC", "RUH")))


@pytest.mark.parametrize("scene", [crowded(), replace(start(), known=KNOWN), realm()], ids=["map", "fog", "tiles"])
def test_after_a_lull_the_next_picture_is_the_same(scene: Scene | TileScene) -> None:
    before = MapRenderer().draw(scene)
    lull.let_go()
    assert MapRenderer().draw(scene) == before


def test_nothing_as_large_as_a_map_is_held_after_a_lull() -> None:
    scene = replace(start(), known=KNOWN)
    MapRenderer().draw(scene)
    foggy = weakref.ref(basemap.load_basemap(scene.system, scene.variant, KNOWN).ink)
    assert foggy() is not None
    lull.let_go()
    gc.collect()
    assert foggy() is None
    assert not map_ground._latest_ground


@pytest.mark.skipif(
    not (hasattr(mmap, "MADV_DONTNEED") and Path("/proc/self/smaps").exists()), reason="only Linux tells what is held"
)
def test_in_a_pause_nothing_of_a_maps_file_is_held_and_the_ground_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CACHE_DIRECTORY", str(tmp_path))
    scene = crowded()
    basemap._load_basemap.cache_clear()
    basemap.load_basemap(scene.system, scene.variant)  # makes the file
    basemap._load_basemap.cache_clear()
    before = MapRenderer().draw(scene)
    assert _held_kb(tmp_path) > 4_000
    lull.pause()
    assert _held_kb(tmp_path) == 0
    assert len(map_ground._latest_ground) == 1
    assert MapRenderer().draw(scene) == before
    basemap._load_basemap.cache_clear()


def _held_kb(folder: Path) -> int:
    """How much of the files of a folder this process has mapped and looked at."""
    found, is_theirs = 0, False
    for row in Path("/proc/self/smaps").read_text().splitlines():
        if row.startswith("Rss:"):
            found += int(row.split()[1]) * is_theirs
        elif "-" in row.split()[0]:
            is_theirs = str(folder) in row
    return found


@pytest.mark.parametrize("name", ["rising", "dots", "ermine"])
def test_a_hatching_goes_on_from_one_mask_to_the_next(name: str) -> None:
    sheet = glyphs.hatching(name, (100, 90))
    for box in ((0, 0, 50, 40), (7, 21, 60, 90), (16, 33, 17, 34)):
        size = box[2] - box[0], box[3] - box[1]
        assert glyphs.hatching(name, size, start=box[:2]).tobytes() == sheet.crop(box).tobytes()
