"""Draws the pictures of the guide to King of Kings anew, by its own rules: look at them, then commit.

python -m tests.bot.render.guide_kings
"""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

from bot.render import render_scene
from engine.core.ids import PowerId
from engine.core.reading import read_orders
from engine.core.viewer import EVERYBODY, Playing
from engine.king_of_kings.model import State
from engine.pictures.tiles import TileScene
from tests.engine.king_of_kings.test_guide import PLAYERS, SEED, blocks
from tests.random_king_of_kings import RULES, wild_sheet

IMAGES = Path(__file__).resolve().parents[3] / "docs" / "images"
EGYPT = PowerId("egyptians")
ORDERS_PX, TURN_PX = 800, 1400
TURNS = 6


def main() -> None:
    """Write the pictures: the guide's first sheet, a turn of a game that has gone on for a while, and a ring."""
    state = RULES.play.start(variant="classic", players=PLAYERS, options={}, seed=SEED)
    view = RULES.sight.view(state, Playing(EGYPT))
    orders = RULES.telling.scene(view, orders=read_orders(RULES, view, blocks("orders")[0]).values)
    assert isinstance(orders, TileScene)
    shown = replace(orders, legend=(), focus=tuple((x, y) for x in range(5) for y in range(7)))
    (IMAGES / "king-of-kings-orders.png").write_bytes(render_scene(shown, width_px=ORDERS_PX))
    (IMAGES / "king-of-kings-turn.png").write_bytes(_turn(state))
    ring = RULES.play.start(variant="classic", players=8, options={"map": "ring"}, seed="ring")
    opened = RULES.telling.scene(RULES.sight.view(ring, EVERYBODY))
    (IMAGES / "king-of-kings-ring.png").write_bytes(render_scene(opened, width_px=ORDERS_PX))


def _turn(state: State) -> bytes:
    chance = random.Random("guide")
    while True:
        sheets = {}
        for nation in RULES.play.status(state).to_act:
            text = wild_sheet(state, nation, chance)
            if text is not None:
                sheets[nation] = read_orders(RULES, RULES.sight.view(state, Playing(nation)), text).values
        resolution = RULES.play.adjudicate(state, sheets, RULES.play.dice(state))
        if state.turn == TURNS:
            view = RULES.sight.view(state, EVERYBODY)
            scene = RULES.telling.scene(view, results=resolution.results, events=resolution.events)
            return render_scene(scene, width_px=TURN_PX)
        state = resolution.state


if __name__ == "__main__":
    main()
