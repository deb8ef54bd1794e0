"""The thirty positions in which most names would be hidden if each stood where its map has it, and how many are now.

python -m tests.bot.render.dense            prints the table of docs/maps.md
python -m tests.bot.render.dense find       looks for the positions anew, in random games, and stores them
python -m tests.bot.render.dense draw       draws the worst of them before and after, for docs/maps.md
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import mean
from typing import Any
from unittest.mock import patch

from PIL import Image

from bot.render import labels, raster
from bot.render.basemap import Basemap
from bot.render.camera import Camera
from bot.render.labels import Label, Near, Obstacle
from engine.core.ids import PowerId, SystemId
from engine.core.reading import read_orders
from engine.core.viewer import EVERYBODY, Playing
from engine.pictures.scene import Scene
from engine.registry import State, systems
from tests.play_random import random_texts
from tests.positions import dense_phase

STORE = Path(__file__).with_name("dense.json")
IMAGES = Path(__file__).resolve().parents[3] / "docs" / "images"
MANY = {"diplomacy": 10, "young_kingdoms": 6, "feudal": 6, "kregen": 8}
"""Positions of each map: thirty."""
_GAMES, _PHASES = 1, 26
"""How many random games are looked at, and phases of each."""


@dataclass(frozen=True, slots=True)
class Hidden:
    """How much of a province's name is hidden, as a share: where the map has it, where it stands, and where there is
    most room for it in its province."""

    at_anchor: float
    now: float
    at_best: float


def scene_of(row: Mapping[str, Any]) -> Scene:
    """What came of the phase of a stored position."""
    rules = systems[SystemId(row["system"])]
    state = rules.play.load(row["document"])
    return _scene(row["system"], state, row["orders"])


def _scene(system: str, state: State, texts: Mapping[str, str]) -> Scene:
    rules = systems[SystemId(system)]
    sheets = {
        PowerId(power): read_orders(rules, rules.sight.view(state, Playing(PowerId(power))), text).values
        for power, text in texts.items()
    }
    done = rules.play.adjudicate(state, sheets, rules.play.dice(state))
    view = rules.sight.view(state, EVERYBODY)
    shown = rules.telling.scene(view, results=done.results, events=done.events)
    assert isinstance(shown, Scene)
    return shown


@cache
def stored() -> tuple[Mapping[str, Any], ...]:
    """The thirty positions."""
    return tuple(json.loads(STORE.read_text(encoding="utf-8")))


def hidden_names(scene: Scene) -> dict[str, Hidden]:
    """How much of each name is hidden by tokens, signs, centres and lines."""
    given: list[tuple[Basemap, Camera, list[Obstacle]]] = []

    def note(picture: Image.Image, basemap: Basemap, camera: Camera, obstacles: list[Obstacle]) -> None:
        given.append((basemap, camera, obstacles))

    with patch.object(raster, "write_labels", note):
        raster.draw_scene(scene)
    ((basemap, camera, obstacles),) = given
    return {
        label.region.id: _hidden(basemap, camera, label, obstacles)
        for label in labels.placed(basemap, camera, obstacles)
    }


def _hidden(basemap: Basemap, camera: Camera, label: Label, obstacles: list[Obstacle]) -> Hidden:
    half = labels.half_size(basemap, camera, label.region)
    near = Near(obstacles, camera)
    spots = [camera.at(spot) for spot in labels.spots_of(basemap, label.region)]
    at_anchor = near.share_hidden(camera.at(basemap.anchors[label.region.id].label), half)
    now = near.share_hidden(label.at, half)
    # The freest spots by the quick measure are looked at closely.
    best = sorted(spots, key=lambda spot: near.covered(spot, half))[:30] if now else ()
    return Hidden(at_anchor, now, min([now, *(near.share_hidden(spot, half) for spot in best)]))


# --- Finding them ---------------------------------------------------------------------------------------------


def _candidates(system: str) -> Iterator[tuple[State, dict[str, str]]]:
    """Phases in which units move: of crowded boards of Diplomacy, of random games of the others."""
    rules = systems[SystemId(system)]
    if system == "diplomacy":
        for seed in range(24):
            phase = dense_phase(seed)
            yield rules.play.load(phase.document()), {power: "\n".join(sheet) for power, sheet in phase.sheets.items()}
        return
    for number in range(_GAMES):
        chance = random.Random(f"dense {number}")
        state = rules.play.start(variant="standard", players=max(rules.info.seats), options={}, seed=f"dense {number}")
        for _ in range(_PHASES):
            if rules.play.status(state).winners is not None:
                break
            texts = random_texts(rules, state, chance)
            if rules.play.status(state).kind == "movement":
                yield state, {str(power): text for power, text in texts.items()}
            sheets = {
                power: read_orders(rules, rules.sight.view(state, Playing(power)), text).values
                for power, text in texts.items()
            }
            state = rules.play.adjudicate(state, sheets, rules.play.dice(state)).state


def find() -> None:
    """Store those of each map in which most would be hidden."""
    rows: list[dict[str, Any]] = []
    for system, many in MANY.items():
        found = []
        for state, texts in _candidates(system):
            score = sum(each.at_anchor for each in hidden_names(_scene(system, state, texts)).values())
            document = dict(systems[SystemId(system)].play.dump(state))
            found.append((score, {"system": system, "document": document, "orders": texts}))
        found.sort(key=lambda item: -item[0])
        rows += [row for _, row in found[:many]]
    lines = (json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows)
    STORE.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


# --- Showing them ---------------------------------------------------------------------------------------------


def table() -> None:
    """Print how many names are hidden, at their places on the map and where they stand now."""
    out = sys.stdout.write
    out(
        "| map | positions | names per position of which a fifth is hidden, at their anchors | as placed "
        "| at the best place | worst as placed |\n"
    )
    out("| --- | --- | --- | --- | --- | --- |\n")
    for system in MANY:
        found = [hidden_names(scene_of(row)) for row in stored() if row["system"] == system]
        worst = max(each.now for names in found for each in names.values())
        counts = [
            mean(sum(share >= 1 / 5 for share in shares) for shares in column)
            for column in (
                [[each.at_anchor for each in names.values()] for names in found],
                [[each.now for each in names.values()] for names in found],
                [[each.at_best for each in names.values()] for names in found],
            )
        ]
        before, now, best = (f"{count:.1f}" for count in counts)
        out(f"| {system} | {len(found)} | {before} | {now} | {best} | {worst:.2f} |\n")


def draw() -> None:
    """The densest position of Diplomacy's board, names where the map has them, and as they are placed."""
    from bot.render import render_scene

    scene = scene_of(stored()[0])
    (IMAGES / "dense-after.png").write_bytes(render_scene(scene, width_px=1100))
    with patch.object(labels, "_WORTH", 99.0):
        (IMAGES / "dense-before.png").write_bytes(render_scene(scene, width_px=1100))


if __name__ == "__main__":
    {"find": find, "draw": draw}.get("".join(sys.argv[1:]), table)()
