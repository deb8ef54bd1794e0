"""How large a map comes out where people first see it: in Discord's box for a lone picture, and across a phone.

python -m tests.bot.render.sizes

A row a game: of the sheet with title, legend and key, and of the board alone, how many pixels a hundred pixels of the
map's land take, and how high capitals of a province's id are.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable

from PIL import Image

from bot.render import render_scene
from bot.render.style import load_style
from engine.core.ids import SystemId
from engine.core.viewer import EVERYBODY
from engine.pictures.tiles import AnyScene, TileScene
from engine.registry import systems
from tests.bot.render import feudal_scenes, kregen, scenes, young_kingdoms

BOXES = {"desktop, 550 x 350": (550, 350), "phone, 350 wide": (350, 10_000)}
CAPITAL = 0.69
"""Height of a capital as a share of the font's size."""


def _squares() -> AnyScene:
    rules = systems[SystemId("king_of_kings")]
    scene = rules.telling.scene(
        rules.sight.view(rules.play.start(variant="classic", players=5, options={}, seed="guide"), EVERYBODY)
    )
    assert isinstance(scene, TileScene)
    return scene


SCENES: dict[str, Callable[[], AnyScene]] = {
    "diplomacy": scenes.crowded,
    "young_kingdoms": young_kingdoms.magic,
    "feudal": feudal_scenes.realm,
    "kregen": kregen.results,
    "king_of_kings": _squares,
}


def main() -> None:
    """Print the table."""
    out = sys.stdout.write
    out("| game | where | land, sheet | land, board | times | letters, sheet | letters, board |\n")
    out("| --- | --- | --- | --- | --- | --- | --- |\n")
    for name, make in SCENES.items():
        scene = make()
        style = load_style(scene.system, scene.variant)
        letters = CAPITAL * (110 * 0.25 if isinstance(scene, TileScene) else style.sizes["label"])
        sizes = [Image.open(io.BytesIO(render_scene(scene, with_key=is_sheet))).size for is_sheet in (True, False)]
        for where, (width, height) in BOXES.items():
            sheet, board = (min(width / size[0], height / size[1]) for size in sizes)
            out(
                f"| {name} | {where} | {100 * sheet:.1f} | {100 * board:.1f} | {board / sheet:.2f} "
                f"| {letters * sheet:.1f} | {letters * board:.1f} |\n"
            )


if __name__ == "__main__":
    main()
