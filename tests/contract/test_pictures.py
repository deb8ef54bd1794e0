"""Every game's pictures can be drawn, and every sign on them has its meaning: regions, colours, legend and key.

One scene for each kind of phase is drawn; of all others the words are looked up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from shutil import copytree

import pytest

from bot.render import basemap, render_scene
from bot.render.basemap import MapError, load_basemap
from bot.render.key import signs_of
from bot.render.panels import SIGNS_OF_FIGURES
from bot.render.style import ASSETS, load_style
from engine.core.depiction import Depiction
from engine.core.ids import PowerId, SystemId
from engine.core.outcome import may_know
from engine.core.phrases import Catalogue, MissingPhrase, phrase
from engine.core.variant import load_phrases
from engine.core.viewer import EVERYBODY, viewer_of
from engine.pictures.legend import LegendRow
from engine.pictures.scene import Scene
from engine.pictures.tiles import AnyScene, TileScene
from engine.registry import systems
from tests.contract.games import ALL, Step, catalogue_of, random_game

each_system = pytest.mark.parametrize("system", systems)


def _scenes(system: SystemId, step: Step) -> Iterator[AnyScene]:
    """The position, with the orders of one who has to act, and with what came of it."""
    rules = ALL[system]
    scene = rules.telling.scene
    for viewer in (None, *rules.play.status(step.state).to_act[:1]):
        view = rules.sight.view(step.state, viewer_of(viewer))
        yield _scene(scene(view, orders=step.sheets.get(viewer, ()) if viewer is not None else ()))
        results = [result for result in step.resolution.results if may_know(viewer_of(viewer), result.audience)]
        yield _scene(scene(view, results=results, events=step.resolution.events))


def _scene(shown: Depiction) -> AnyScene:
    assert isinstance(shown, Scene | TileScene)
    return shown


def _steps_by_kind(system: SystemId) -> dict[str, Step]:
    """A phase of each kind that a random game comes to."""
    return {systems[system].play.status(step.state).kind: step for step in random_game(system)}


@each_system
def test_every_kind_of_phase_can_be_drawn(system: SystemId) -> None:
    for step in _steps_by_kind(system).values():
        *_, told = _scenes(system, step)
        for with_key in (False, True):
            assert render_scene(told, width_px=120, with_key=with_key)[:4] == b"\x89PNG"


@pytest.mark.parametrize("system", ALL)  # the toys too: new games begin as copies
def test_every_figure_of_the_legend_has_a_sign_or_words(system: SystemId) -> None:
    words = catalogue_of(system)
    for step in random_game(system):
        for scene in _scenes(system, step):
            for name, count in {figure for row in scene.legend for figure in row.figures}:
                assert name in SIGNS_OF_FIGURES or words.render(phrase(f"legend.{name}", count=count)), name


@each_system
def test_every_sign_is_explained_in_the_key(system: SystemId) -> None:
    words = load_phrases(system)
    for step in random_game(system):
        for scene in _scenes(system, step):
            if isinstance(scene, TileScene):
                assert all(words.render(row.what) for row in scene.key)
                signs = {sign for square in scene.tiles.values() for sign in square.signs}
                assert signs - {row.sign for row in scene.key} == set(), "`key` wants a row for each sign of a tile"
            else:
                unexplained = [names for names in signs_of(scene) if not _explained(words, names)]
                assert unexplained == [], f"{words.source} wants key.<name> for one of each"


def _explained(words: Catalogue, names: tuple[str, ...]) -> bool:
    return any(f"key.{name}" in words.codes for name in names)


@each_system
def test_every_colour_and_place_of_a_scene_is_known(system: SystemId) -> None:
    for step in _steps_by_kind(system).values():
        for scene in _scenes(system, step):
            look = load_style(scene.system, scene.variant)
            assert all(look.power(row.power, place)[1] for place, row in enumerate(scene.legend))
            if isinstance(scene, Scene):
                anchors = load_basemap(scene.system, scene.variant).anchors
                places = [unit.place for unit in scene.units] + [mark.place for mark in scene.marks]
                assert {str(place).partition("/")[0] for place in places} <= set(anchors)


@each_system
def test_a_map_shows_the_places_that_its_viewer_knows(system: SystemId) -> None:
    rules = systems[system]
    for step in _steps_by_kind(system).values():
        for viewer in (None, *rules.play.status(step.state).to_act[:1]):
            view = rules.sight.view(step.state, viewer_of(viewer))
            scene = rules.telling.scene(view)
            if isinstance(scene, Scene):
                everywhere = frozenset(rules.play.variant(step.state).spaces)
                assert (everywhere if scene.known is None else scene.known) == frozenset(rules.sight.atlas(view).spaces)


# What a new game is told that lacks something


def test_a_legend_without_words_says_which_file_lacks_which_phrase() -> None:
    view = systems[SystemId("diplomacy")].sight.view(random_game(SystemId("diplomacy"))[0].state, EVERYBODY)
    scene = systems[SystemId("diplomacy")].telling.scene(view)
    assert isinstance(scene, Scene)
    tokens = replace(scene, legend=(LegendRow(PowerId("austria"), (("tokens", 3),)),))
    with pytest.raises(MissingPhrase) as caught:
        render_scene(tokens, width_px=120, with_key=True)
    assert str(caught.value) == "assets/diplomacy/phrases/en.toml has no phrase `legend.tokens`"


def test_a_map_without_a_region_or_an_anchor_says_which_file_lacks_which_province(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "assets" / "war" / "standard"
    copytree(ASSETS / "diplomacy" / "standard", folder)
    monkeypatch.setattr(basemap, "ASSETS", tmp_path / "assets")
    rows = (folder / "anchors.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / "anchors.csv").write_text("".join(row for row in rows if not row.startswith("BUD,")), encoding="utf-8")
    with pytest.raises(MapError, match=r"assets/war/standard/anchors\.csv has no row for BUD"):
        load_basemap("war", "standard")
    (folder / "anchors.csv").write_text("".join(rows), encoding="utf-8")
    with (folder / "provinces.csv").open("a", encoding="utf-8") as file:
        file.write("ZZZ,Nowhere,land,no,,\n")
    with pytest.raises(MapError, match=r"assets/war/standard/regions\.png has no pixel of ZZZ: colour \d+"):
        load_basemap("war", "standard")
