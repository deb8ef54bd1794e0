"""Maps that are kept on disk: the same as drawn ones, and no harm where they are damaged or can't be written."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import pytest
from PIL import ImageChops

from bot.render import basemap, kept
from bot.render.basemap import Basemap, load_basemap
from bot.render.style import ASSETS

PARTS = ("regions", "wash", "ink")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("CACHE_DIRECTORY", str(tmp_path / "cache"))
    basemap._load_basemap.cache_clear()
    yield tmp_path / "cache" / "maps"
    basemap._load_basemap.cache_clear()


@pytest.fixture(scope="module")
def drawn_once(tmp_path_factory: pytest.TempPathFactory) -> tuple[Basemap, str, bytes]:
    """A map, and the name and content of the file in which it is kept."""
    folder = tmp_path_factory.mktemp("drawn")
    with pytest.MonkeyPatch.context() as changed:
        changed.setenv("CACHE_DIRECTORY", str(folder))
        drawn = _loaded()
    (path,) = (folder / "maps").iterdir()
    return drawn, path.name, path.read_bytes()


def _loaded() -> Basemap:
    basemap._load_basemap.cache_clear()
    return load_basemap("diplomacy", "standard")


def _drawn(monkeypatch: pytest.MonkeyPatch) -> Basemap:
    with monkeypatch.context() as changed:
        changed.setattr(kept, "cache_folder", lambda: None)
        return _loaded()


def _assert_same(one: Basemap, other: Basemap) -> None:
    for part in PARTS:
        first, second = getattr(one, part), getattr(other, part)
        assert (first.mode, first.size) == (second.mode, second.size)
        assert ImageChops.difference(first, second).getbbox(alpha_only=False) is None, part
    assert (one.provinces, one.anchors, one.borders) == (other.provinces, other.anchors, other.borders)
    assert one.style is other.style


def _not_to_be_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    def made(*_: object) -> Basemap:
        raise AssertionError("it was drawn")

    monkeypatch.setattr(basemap, "_made", made)


def test_a_kept_map_is_the_drawn_one(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = _drawn(monkeypatch)
    assert not folder.exists()
    _assert_same(_loaded(), drawn)
    assert [path.name.partition(".")[0] for path in folder.iterdir()] == ["diplomacy-standard"]
    _not_to_be_drawn(monkeypatch)
    _assert_same(_loaded(), drawn)


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty", "no head", "other size"])
def test_a_damaged_file_is_made_anew(
    damage: str, drawn_once: tuple[Basemap, str, bytes], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn, name, content = drawn_once
    path = folder / name
    folder.mkdir(parents=True)
    changed = {
        "cut": content[:-100_000],
        "flipped": content[:9_000_000] + bytes([content[9_000_000] ^ 255]) + content[9_000_001:],
        "empty": b"",
        "no head": b"\0" * kept._HEAD + content[kept._HEAD :],
        "other size": content.replace(b'"size": [1800', b'"size": [1808', 1),
    }[damage]
    assert changed != content
    path.write_bytes(changed)
    _assert_same(_loaded(), drawn)
    assert path.read_bytes() == content
    _not_to_be_drawn(monkeypatch)
    _loaded()


def test_where_nothing_can_be_written_the_map_is_drawn(
    drawn_once: tuple[Basemap, str, bytes], folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "cache").write_text("a file where the folder would be", encoding="utf-8")
    _assert_same(_loaded(), drawn_once[0])


def test_a_full_disk_leaves_nothing_behind(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    _loaded()
    assert list(folder.iterdir()) == []


def test_changed_sources_make_the_map_anew_and_the_earlier_file_goes(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = _loaded()
    (earlier,) = folder.iterdir()
    copytree(ASSETS / "diplomacy", tmp_path / "assets" / "diplomacy")
    waters = tmp_path / "assets" / "diplomacy" / "standard" / "waters.png"
    waters.unlink()
    monkeypatch.setattr(basemap, "ASSETS", tmp_path / "assets")
    after = _loaded()
    assert ImageChops.difference(before.ink, after.ink).getbbox() is not None
    (later,) = folder.iterdir()
    assert later != earlier


def test_the_fingerprint_is_of_what_files_hold_and_what_they_are_called(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_bytes(b"ab")
    other.write_bytes(b"c")
    found = {kept.fingerprint([one, other]), kept.fingerprint([one])}
    one.write_bytes(b"ac")
    found.add(kept.fingerprint([one, other]))
    one.write_bytes(b"a")
    other.write_bytes(b"bc")
    found.add(kept.fingerprint([one, other]))
    assert len(found) == 4


def test_where_maps_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CACHE_DIRECTORY", "/var/cache/bot:/var/cache/other")
    assert kept.cache_folder() == Path("/var/cache/bot/maps")
    monkeypatch.delenv("CACHE_DIRECTORY")
    monkeypatch.setattr(kept, "_ROOT", tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "users"))
    assert kept.cache_folder() == tmp_path / "users" / "sealed-orders" / "maps"
    (tmp_path / "data").mkdir()
    assert kept.cache_folder() == tmp_path / "data" / "maps"
