"""What a map looks like before anything happens on it, kept on disk: drawing it takes a second, reading it a fortieth.

Files are mapped into memory, so that all workers share one copy. A file is valid only for the code and assets from
which it was made, and a damaged one is made anew. Where nothing can be written, nothing is kept. The files have what a
variant's map shows to everybody, never anything about a game.
"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import tempfile
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import cast
from weakref import WeakSet

import PIL
from PIL import Image

from bot.render.lull import in_a_pause

PixelBox = tuple[int, int, int, int]

_ROOT = Path(__file__).resolve().parents[2]
_HEAD = 8192
"""How many bytes come before the first layer: JSON, padded with blanks."""


@dataclass(frozen=True, slots=True, eq=False)
class Layers:
    """The layers of a map; never change their images.

    Args:
        regions: palette indices, mode L.
        wash: mode L. ink: mode RGBA. As in `bot.render.basemap.Basemap`.
        boxes: the box around each number in the regions.
    """

    regions: Image.Image
    wash: Image.Image
    ink: Image.Image
    boxes: Mapping[int, PixelBox]


def cache_folder() -> Path | None:
    """Where such files are kept: systemd's cache directory, the bot's data, or the user's cache; `None`: nowhere."""
    if set_aside := os.environ.get("CACHE_DIRECTORY"):
        return Path(set_aside.partition(":")[0]) / "maps"
    if (data := _ROOT / "data").is_dir():
        return data / "maps"
    with contextlib.suppress(RuntimeError):
        users = os.environ.get("XDG_CACHE_HOME")
        return (Path(users) if users else Path.home() / ".cache") / "sealed-orders" / "maps"
    return None


def fingerprint(assets: Iterable[Path]) -> str:
    """A hash of what the layers depend on: these files, the code that draws, and Pillow.

    Raises:
        OSError: a file can't be read.
    """
    found = blake2b(PIL.__version__.encode(), digest_size=16)
    for path in [*sorted(Path(__file__).parent.glob("*.py")), *sorted(assets)]:
        content = path.read_bytes()
        found.update(f"{path.name}:{len(content)}:".encode())
        found.update(content)
    return found.hexdigest()


def find_layers(name: str, key: str) -> Layers | None:
    """The layers kept for a map under this fingerprint, if they are there and undamaged."""
    folder = cache_folder()
    if folder is None:
        return None
    try:
        with (folder / _file_name(name, key)).open("rb") as file:
            content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        return _opened(content)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def keep_layers(name: str, key: str, layers: Layers) -> None:
    """Keep the layers of a map in place of earlier ones, if there is anywhere to."""
    folder = cache_folder()
    if folder is None:
        return
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _write(folder / _file_name(name, key), _packed(layers))
        for earlier in folder.glob(_file_name(name, "*")):
            if earlier.name != _file_name(name, key):
                earlier.unlink()


def _file_name(name: str, key: str) -> str:
    return f"{name}.{key}.layers"


def _write(path: Path, parts: Iterable[bytes]) -> None:
    """Write a file atomically, whoever reads or writes it at the same time."""
    number, unfinished = tempfile.mkstemp(dir=path.parent, prefix="unfinished-")
    try:
        with os.fdopen(number, "wb") as file:
            file.writelines(parts)
        os.replace(unfinished, path)
    except BaseException:
        Path(unfinished).unlink(missing_ok=True)
        raise


def _packed(layers: Layers) -> list[bytes]:
    parts = [picture.tobytes() for picture in (layers.regions, layers.wash, layers.ink)]
    head = {"size": layers.regions.size, "boxes": dict(layers.boxes), "check": _check(parts)}
    return [json.dumps(head).encode().ljust(_HEAD), *parts]


def _check(parts: Iterable[bytes | memoryview]) -> int:
    found = 0
    for part in parts:
        found = zlib.crc32(part, found)
    return found


def _opened(content: mmap.mmap) -> Layers | None:
    head = json.loads(content[:_HEAD])
    width, height = head["size"]
    layer, whole = width * height, memoryview(content)
    parts = [whole[_HEAD + start * layer : _HEAD + end * layer] for start, end in ((0, 1), (1, 2), (2, 6))]
    if len(content) != _HEAD + 6 * layer or _check(parts) != head["check"]:
        return None
    regions, wash, ink = (
        Image.frombuffer(mode, (width, height), cast("bytes", part), "raw", mode, 0, 1)  # any buffer will do
        for mode, part in zip(("L", "L", "RGBA"), parts, strict=True)
    )
    boxes = {int(number): (left, top, right, bottom) for number, (left, top, right, bottom) in head["boxes"].items()}
    _mapped.add(content)
    return Layers(regions, wash, ink, boxes)


_mapped = WeakSet[mmap.mmap]()


@in_a_pause
def _leave_to_the_system() -> None:
    """Keep no part of the files in memory until they are used again. The system caches them while it has room.

    A ground that was drawn needs most of them no more: a map's file is larger than anything else that a worker holds.
    """
    for content in tuple(_mapped):
        if hasattr(mmap, "MADV_DONTNEED"):
            content.madvise(mmap.MADV_DONTNEED)
