"""What a viewer does not know of a map is fog on their picture: nothing of it can be made out."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from shutil import copytree

import pytest
from PIL import Image, ImageChops

from bot.render import basemap, render_scene
from bot.render.basemap import FOG, load_basemap
from bot.render.style import ASSETS
from engine.core.ids import PlaceId, PowerId, ProvinceId
from engine.pictures.scene import Arrow, ArrowKind, Mark, Scene, UnitMark
from tests.bot.render.scenes import start

KNOWN = frozenset(map(ProvinceId, ("VIE", "BUD", "TRI", "GAL", "ADR", "ALB", "BOH", "TYR")))


@pytest.fixture(autouse=True)
def _fresh_maps() -> Iterator[None]:
    _forget()
    yield
    _forget()


def _forget() -> None:
    basemap._load_basemap.cache_clear()
    basemap._load_foggy.cache_clear()


def _with_other_lands(folder: Path) -> None:
    """Change everything about a map of which nothing is known: shapes, terrain, names, waters, ornaments."""
    with (folder / "provinces.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    known = {number for number, row in enumerate(rows, start=1) if row["id"] in KNOWN}
    with Image.open(folder / "regions.png") as picture:
        palette = picture.getpalette()
        regions = Image.frombytes("L", picture.size, picture.tobytes())
    others = [number for number in range(len(rows) + 1) if number not in known] + [255]
    turned = dict(zip(others, others[1:] + others[:1], strict=True))
    flipped = regions.point([turned.get(number, number) for number in range(256)])
    shifted = ImageChops.offset(flipped, 37, 61)
    is_known = regions.point([255 if number in known else 0 for number in range(256)])
    strayed = shifted.point([number if number not in known else 0 for number in range(256)])
    changed = Image.composite(regions, strayed, is_known)
    changed = Image.frombytes("P", changed.size, changed.tobytes())
    if palette:
        changed.putpalette(palette)
    changed.save(folder / "regions.png")
    with Image.open(folder / "waters.png") as waters:
        Image.composite(waters.convert("L"), ImageChops.invert(waters.convert("L")), is_known).save(
            folder / "waters.png"
        )
    for row in rows:
        if row["id"] not in KNOWN:
            row["name"], row["kind"] = f"Not {row['name']}", "sea" if row["kind"] == "land" else "land"
    with (folder / "provinces.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)


@pytest.mark.parametrize("focus", [(), (ProvinceId("TRI"),), (ProvinceId("GAL"), ProvinceId("TYR"))])
def test_nothing_of_the_unknown_can_be_made_out(
    focus: tuple[ProvinceId, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    foggy = replace(start(), known=KNOWN, focus=focus)
    before, open_before = render_scene(foggy, width_px=400), render_scene(replace(foggy, known=None), width_px=400)
    copytree(ASSETS / "diplomacy", tmp_path / "assets" / "diplomacy")
    _with_other_lands(tmp_path / "assets" / "diplomacy" / "standard")
    monkeypatch.setattr(basemap, "ASSETS", tmp_path / "assets")
    _forget()
    assert render_scene(foggy, width_px=400) == before
    assert render_scene(replace(foggy, known=None), width_px=400) != open_before


def test_what_a_scene_has_in_the_fog_is_not_drawn() -> None:
    plain = replace(start(), known=KNOWN, units=(), marks=(), arrows=(), fills={})
    paris, burgundy, france = PlaceId("PAR"), PlaceId("BUR"), PowerId("france")
    crowded = replace(
        plain,
        fills={ProvinceId("PAR"): france},
        units=(UnitMark(france, "A", paris),),
        marks=(Mark("centre", paris, france), Mark("barred", burgundy)),
        arrows=(Arrow(ArrowKind.MOVE, france, paris, burgundy, unit_kind="A"),),
    )
    assert render_scene(crowded, width_px=400) == render_scene(plain, width_px=400)


def test_a_map_of_which_nothing_is_known_is_fog() -> None:
    nothing: Scene = replace(start(), known=frozenset())
    assert render_scene(nothing, width_px=200)[:4] == b"\x89PNG"
    base = load_basemap("diplomacy", "standard", frozenset())
    assert base.regions.getcolors() == [(base.size[0] * base.size[1], FOG)]
    assert base.ink.getbbox() is None
    assert (base.provinces, base.anchors) == ({}, {})
