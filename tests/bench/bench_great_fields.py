"""How long pictures of Kalevala take: `python -m tests.bench.bench_great_fields`.

CPU seconds of one core, the packing among them: `first` with the program, fonts and what every such picture has in
common at hand, but nothing of this land; `again` with the land as it was. Variant `small` is to stay below 0.3 s; the
last row is 60 rulers on more than a thousand great fields, all of them known.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

from bot.render import render_scene
from bot.render.land import land
from engine.kalevala.coordinates import Province
from engine.kalevala.document import load
from engine.kalevala.system import KALEVALA
from engine.pictures.realm import own_realm
from engine.pictures.tiles import TileScene
from tests.bot.render.guide_kalevala import ANNA, ENTRIES, SCOUTS, SHORE, after, shown
from tests.bot.render.test_great_fields import world

GOAL_S = 0.3


def main() -> None:
    """Print the table."""
    scenes = dict(_scenes())
    render_scene(scenes["small, start"])
    print(f"{'picture':<34}{'first':>8}{'again':>8}{'kB':>8}")
    for name, scene in scenes.items():
        land.cache_clear()
        first, _ = _timed(scene)
        again, size = _timed(scene)
        late = "  above the goal" if first >= GOAL_S and name.startswith("small") else ""
        print(f"{name:<34}{first:>8.2f}{again:>8.2f}{size / 1000:>8.0f}{late}")


def _timed(scene: TileScene) -> tuple[float, int]:
    start = time.process_time()
    png = render_scene(scene)
    return time.process_time() - start, len(png)


def _scenes() -> Iterator[tuple[str, TileScene]]:
    start = KALEVALA.play.start(variant="small", players=6, options={}, seed="vainamoinen")
    scouted = after(start, SCOUTS)
    everything = scouted.replace(known={ANNA: frozenset(map(_province, scouted.land))})
    positions = {"start": (start, SCOUTS), "scouted": (scouted, ENTRIES), "all known": (everything, ENTRIES)}
    for name, (state, orders) in positions.items():
        scene = own_realm(shown(state, orders), ANNA)
        assert isinstance(scene, TileScene)
        yield f"small, {name}", scene
    whole = shown(everything)
    yield "small, the whole world", whole
    yield "small, a great field", replace(whole, opened=next(at for at, tile in whole.tiles.items() if tile.cells))
    shore = shown(load(dict(SHORE)))
    yield "a field of all heights", replace(shore, opened=next(at for at, t in shore.tiles.items() if t.tag == "2D+4"))
    yield "60 rulers, 1,141 great fields", world(19)


def _province(gf: str) -> Province:
    return Province(gf)


if __name__ == "__main__":
    main()
