"""Draws the pictures of Kalevala in the docs anew, by its own rules: look at them, then commit.

python -m tests.bot.render.guide_kalevala
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from bot.render import render_scene
from engine.core.ids import PowerId
from engine.core.reading import read_orders
from engine.core.viewer import Playing
from engine.kalevala.document import load
from engine.kalevala.model import State
from engine.kalevala.orders import Line
from engine.kalevala.system import KALEVALA
from engine.kalevala.telling.pictures import pictures as battle_pictures
from engine.pictures.realm import own_realm
from engine.pictures.tiles import TileScene
from tests.engine.kalevala.battles import view_for, won

IMAGES = Path(__file__).resolve().parents[3] / "docs" / "images"
ANNA = PowerId("anna")
SCOUTS = (
    "EXPLORE 1 2E+7 > 2E+6\nEXPLORE 2 2E+6 > 2E+5\nEXPLORE 3 2F+7 > 2G+6\n"
    "EXPLORE 4 2E+8 > 2D+8\nEXPLORE 5 2E+7 > 2D+7\nEXPLORE 6 2E+7 > 2F+6"
)
ENTRIES = "ENTER 1 2E+7 B 2E+6 4L 4RE\nENTER 3 2F+7 B 2G+6 5L\nENTER 4 2E+8 B 2D+8 6L 4RE"
SHORE: Mapping[str, Any] = {
    "system": "kalevala",
    "phase": {"gr": 4, "part": 3},
    "state": {
        "rulers": {"fina": {}, "anna": {"capital": "2D+4"}, "bert": {}, "wolves": {"kind": "marauder"}},
        "gf": {
            "2D+4": {
                "kf": "WWWTWWTTtWTTtttTTTtthhTTHHhhBBSSHHHBBSSMMBGDDDGG",
                "river": ["16/E", "17/SW", "24/E", "25/SW", "32/E"],
                "ascent": ["26/SW", "19/SE"],
                "hz": {"type": "Hstd", "kf": 19, "name": "Kuusamo"},
                "works": [
                    {"type": "Tu", "kf": 12, "gates": ["12/SE"]},
                    {"type": "Bf", "kf": 27, "gates": ["27/W"]},
                    {"type": "Tt", "kf": 34, "gates": ["34/SE"]},
                    {"type": "Ma", "edge": "11/E"},
                    {"type": "Ma", "edge": "11/NE", "gate": True, "opens": 11},
                    {"type": "Ma", "edge": "18/NE"},
                    {"type": "Br", "edge": "24/E"},
                ],
            },
            "2D+5": {
                "kf": "TWTTTTWTTTTTWTTTTTTWTTTTTTWTTTTTTWTTTTTWTTTTWTTT",
                "flow": {str(cell): "SE" for cell in (2, 7, 13, 20, 27, 34, 40, 45)},
                "hz": {"type": "Phstd", "kf": 25, "name": "Turku"},
            },
            "2E+4": {"kf": "TTTTTtttThhhhhhHHHBBHHHBBBBBHHHBGGGBHBBGGBBTBBBT", "hz": {"type": "F", "kf": 19}},
            "2C+5": {
                "kf": "WWWWWWWWWWWWTTWWWTTTTWWWTtttTWWTTtTWWWWTTWWWWWWW",
                "hz": {"type": "Mkt", "kf": 26, "name": "Ahvenanmaa"},
            },
            "2C+4": {"kf": "W" * 47 + "T"},
            "2D+3": {"kf": "DDDDDDDDDEEDDDDEEEDDDSDDDDDSSSTTTTSSSTTTTMMTTTMM"},
            "2C+6": {"kf": "IIIIIIIIIJJJJJJJJKKKJJIIJKKJIIIIIIIIIIIIIIIIIIII", "hz": {"type": "Std", "kf": 19}},
            "2E+3": {"kf": "TTTTTTttTTTtttTTTttttTTTtttttTTttttTTTttTTTTTTTT"},
        },
        "owners": {"2D+4": "anna", "2D+5/1": "anna", "2C+5": "anna", "2E+4": "bert", "2C+6": "wolves"},
        "stacks": {
            "anna": {"2D+4": "14L 7B Z/30 20RE", "2D+5/1": "7L 3B", "2C+5": "6L 2LS"},
            "bert": {"2E+4": "7LB 3BB"},
            "wolves": {"2C+6": "10A 4B"},
        },
        "explored": {
            "anna": [
                {"ee": 1, "from": "2D+4", "to": "2E+4", "result": "full"},
                {"ee": 2, "from": "2C+5", "to": "2C+6", "result": "full"},
            ]
        },
        "known": {"anna": ["2D+3", "2C+4", "2E+3"]},
    },
}
"""A shore with every height and most of what can be built."""


def main() -> None:
    """Write the pictures."""
    for name, png in pictures():
        (IMAGES / f"{name}.png").write_bytes(png)


def pictures() -> Iterator[tuple[str, bytes]]:
    """Each picture with its name."""
    start = KALEVALA.play.start(variant="small", players=6, options={}, seed="vainamoinen")
    yield "kalevala-scouts", render_scene(own_realm(shown(start, SCOUTS), ANNA))
    yield "kalevala-entries", render_scene(own_realm(shown(after(start, SCOUTS), ENTRIES), ANNA))
    shore = shown(load(dict(SHORE)))
    yield "kalevala-realm", render_scene(own_realm(shore, ANNA))
    opened = replace(shore, opened=next(at for at, tile in shore.tiles.items() if tile.tag == "2D+4"))
    yield "kalevala-field", render_scene(opened)
    yield "kalevala-key", render_scene(opened, with_key=True)
    _, battle, _ = battle_pictures(view_for(), won())
    yield "kalevala-battle", render_scene(battle)


def shown(state: State, orders: str = "") -> TileScene:
    """What Anna sees, with her orders."""
    view = KALEVALA.sight.view(state, Playing(ANNA))
    scene = KALEVALA.telling.scene(view, orders=read_orders(KALEVALA, view, orders).values)
    assert isinstance(scene, TileScene)
    return scene


def after(state: State, orders: str) -> State:
    """The position after a window in which Anna alone does something."""
    view = KALEVALA.sight.view(state, Playing(ANNA))
    sheets: dict[PowerId, Sequence[Line]] = dict.fromkeys(KALEVALA.play.status(state).to_act, ())
    sheets[ANNA] = read_orders(KALEVALA, view, orders).values
    return KALEVALA.play.adjudicate(state, sheets, KALEVALA.play.dice(state)).state


if __name__ == "__main__":
    main()
