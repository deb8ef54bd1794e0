"""Films and charts as pictures: every step is there, files stay in bounds, lines are told apart without colours."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageDraw

from bot.render import MapRenderer, film
from bot.render.chart import MARKERS, SIZE, _looks, _spread, chart_panel, draw_chart
from bot.render.style import load_style
from bot.render.tiles import _sight
from bot.workers import WorkerRenderer
from engine.core.ids import PowerId, ProvinceId, SystemId
from engine.core.phrases import Phrase, phrase
from engine.core.variant import Power, load_variant
from engine.core.viewer import EVERYBODY
from engine.pictures.chart import Chart
from engine.pictures.film import Film, Frame
from engine.pictures.tiles import TileScene
from engine.registry import systems
from tests.bot.render.scenes import crowded, start
from tests.bot.render.tile_scenes import realm

POWERS = tuple(load_variant("diplomacy", "standard").powers.values())


def chart(count: int = 7, years: int = 5) -> Chart:
    courses = {
        power.id: tuple(float(3 + (place + year) % 4) for year in range(years + 1))
        for place, power in enumerate(POWERS[:count])
    }
    title = phrase("standings.centres")
    return Chart(
        SystemId("diplomacy"), "standard", title, times=tuple(range(1901, 1901 + years)), powers=POWERS, courses=courses
    )


def a_film(steps: int = 3, *, with_chart: bool = True) -> Film:
    shown = chart() if with_chart else None
    scenes = [start() if number % 2 else crowded() for number in range(steps)]
    return Film(
        SystemId("diplomacy"), "standard", phrase("phase.movement"), tuple(Frame(scene, 1.5, shown) for scene in scenes)
    )


@pytest.mark.parametrize("count", [7, 9, 14])
def test_the_chart_of_a_film_names_every_power(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    powers = tuple(Power(PowerId(f"p{number}"), f"Power {number}", "P") for number in range(count))
    courses = {power.id: (3.0, float(number % 3)) for number, power in enumerate(powers)}
    shown = replace(chart(), courses=courses, powers=powers, times=(1901,))
    written: list[str] = []
    write = ImageDraw.ImageDraw.text

    def noted(pen: ImageDraw.ImageDraw, at: tuple[float, float], text: str, **rest: Any) -> None:
        written.append(text)
        write(pen, at, text, **rest)

    monkeypatch.setattr(ImageDraw.ImageDraw, "text", noted)
    share, label = film.chart_shares(count)
    chart_panel(shown, (900, round(900 * share)), title_px=30, label_px=900 * label)
    assert [power.name for power in powers if not any(text.startswith(f"{power.name} ") for text in written)] == []


@pytest.mark.parametrize("count", [14, 30])
def test_a_chart_by_itself_names_every_power(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    powers = tuple(Power(PowerId(f"p{number}"), f"Power {number}", "P") for number in range(count))
    courses = {power.id: (3.0, float(number % 3)) for number, power in enumerate(powers)}
    written: list[str] = []
    monkeypatch.setattr(ImageDraw.ImageDraw, "text", lambda pen, at, text, **rest: written.append(text))
    draw_chart(replace(chart(), courses=courses, powers=powers, times=(1901,)))
    assert [power.name for power in powers if not any(text.startswith(f"{power.name} ") for text in written)] == []


def frames_of(file: bytes) -> list[Image.Image]:
    with Image.open(io.BytesIO(file)) as gif:
        assert gif.format == "GIF"
        assert gif.info["loop"] == 0
        frames = []
        for number in range(gif.n_frames):  # type: ignore[attr-defined]
            gif.seek(number)
            frames.append(gif.convert("RGB"))
        return frames


def test_every_step_is_a_picture_of_the_film_and_looks_as_it_would_alone() -> None:
    shown = MapRenderer().draw(a_film(3, with_chart=False))
    frames = frames_of(shown.file)
    assert len(frames) == 3
    assert {frame.size for frame in frames} == {(shown.width_px, shown.height_px)}
    assert shown.width_px == film.WIDTH_PX
    for frame, scene in zip(frames, (crowded(), start(), crowded()), strict=True):
        with Image.open(io.BytesIO(MapRenderer().draw(scene, width_px=film.WIDTH_PX).file)) as alone:
            difference = ImageChops.difference(frame, alone.convert("RGB")).convert("L")
        # A palette of its own each: what differs is shades, not arrows or units.
        assert sum(difference.histogram()[60:]) < 400


def test_a_chart_stands_under_the_board_in_every_picture() -> None:
    without, with_it = MapRenderer().draw(a_film(2, with_chart=False)), MapRenderer().draw(a_film(2))
    assert with_it.width_px == without.width_px
    assert with_it.height_px == without.height_px + round(film.WIDTH_PX * film.CHART_SHARE)


def test_steps_are_shown_as_long_as_they_say() -> None:
    shown = a_film(2, with_chart=False)
    shown = replace(shown, steps=(replace(shown.steps[0], seconds=0.8), replace(shown.steps[1], seconds=5.0)))
    with Image.open(io.BytesIO(MapRenderer().draw(shown).file)) as gif:
        durations = []
        for number in range(2):
            gif.seek(number)
            durations.append(gif.info["duration"])
    assert durations == [800, 5000]


def test_what_does_not_change_takes_no_room() -> None:
    one, three = (len(MapRenderer().draw(a_film(count)).file) for count in (1, 3))
    assert three < 2 * one


@pytest.mark.parametrize("share", [0.6, 0.05])
def test_a_film_that_is_too_long_gets_smaller_and_then_shorter(monkeypatch: pytest.MonkeyPatch, share: float) -> None:
    whole = MapRenderer().draw(a_film(4))
    bound = round(len(whole.file) * share)
    monkeypatch.setattr(film, "MOST_BYTES", bound)
    smaller = MapRenderer().draw(a_film(4))
    assert len(smaller.file) <= bound
    assert smaller.width_px < whole.width_px
    assert len(frames_of(smaller.file)) <= 4


def test_boards_of_squares_make_films_too() -> None:
    shown = Film(
        SystemId("king_of_kings"), "classic", phrase("phase.turn", turn=1), (Frame(realm(), 1.0), Frame(realm(), 1.0))
    )
    assert len(frames_of(MapRenderer().draw(shown).file)) == 1, "two pictures that are alike are one"


@pytest.mark.parametrize(("count", "most"), [(5, 9), (9, 9), (100, 9), (100, 1), (3, 2)])
def test_thinning_keeps_the_last(count: int, most: int) -> None:
    kept = film.thinned(count, most)
    assert len(kept) == min(count, most)
    assert kept[-1] == count - 1
    assert kept == sorted(set(kept))


def test_a_chart_is_a_picture_by_itself() -> None:
    picture = MapRenderer().draw(chart())
    assert (picture.width_px, picture.height_px) == SIZE
    assert len(picture.file) < 200_000


def test_charts_of_every_size_can_be_drawn() -> None:
    for shown in (
        chart(1, 1),
        chart(7, 60),
        replace(chart(), courses={}),
        replace(chart(2, 1), courses={POWERS[0].id: (0.0, 0.0)}),
    ):
        assert draw_chart(shown)[0].size == SIZE


def test_lines_are_told_apart_without_their_colours() -> None:
    """Each of eight has a marker of its own, which looks different in grey."""
    assert len(set(MARKERS)) >= 8
    alone = [chart_panel(_only(number), (400, 300), title_px=20, label_px=40).convert("L") for number in range(7)]
    for place, one in enumerate(alone):
        for other in alone[:place]:
            assert sum(ImageChops.difference(one, other).histogram()[50:]) > 200


def _only(number: int) -> Chart:
    """A chart in which one power alone has figures above zero."""
    shown = chart(7, 2)
    return replace(
        shown,
        courses={
            power: ((4.0, 4.0, 4.0) if place == number else (0.0, 0.0, 0.0))
            for place, power in enumerate(shown.courses)
        },
    )


def test_labels_do_not_cover_each_other() -> None:
    spots = _spread([100.0, 100.0, 101.0, 180.0, 199.0, 200.0], 20, 10, 200)
    assert all(after - before >= 20 for before, after in pairwise(spots))
    assert spots[0] >= 10
    assert spots[-1] <= 200


def test_a_power_of_a_chart_has_its_colour_of_the_map() -> None:
    style = load_style("diplomacy", "standard")
    looks = _looks(chart())
    assert {power: colour for power, (colour, _) in looks.items()} == {
        power.id: style.power(power.id, place)[0] for place, power in enumerate(POWERS)
    }


def test_every_game_counts_something_of_every_power_from_its_start() -> None:
    for system, rules in systems.items():
        if rules.telling.standings is None:
            continue
        state = rules.play.start(variant=rules.info.variants[0], players=rules.info.seats[-1], options={}, seed="s")
        view = rules.sight.view(state, EVERYBODY)
        found = rules.telling.standings(view)
        assert set(found.figures) <= set(rules.sight.atlas(view).powers), system
        if not found.figures:
            assert not rules.info.has_public_board, "everybody sees how the others stand"
            continue
        assert len(found.figures) >= rules.info.seats[-1], system
        assert len(found.figures) >= rules.info.seats[-1], system
        assert draw_chart(_of(system, found.what, tuple(found.figures), rules.sight.atlas(view).powers))[0].size == SIZE


def _of(system: SystemId, what: Phrase, powers: Sequence[PowerId], known: Mapping[PowerId, Power]) -> Chart:
    variant = systems[system].info.variants[0]
    courses = dict.fromkeys(powers, (0.0, 1.0))
    return Chart(system, variant, what, times=(1,), powers=tuple(known.values()), courses=courses)


def test_films_are_drawn_where_they_hold_up_nobody() -> None:
    asked: list[str] = []

    def run_first(work: object, *args: object, **kwargs: object) -> str:
        asked.append("first")
        return "picture"

    def run(work: object, *args: object, **kwargs: object) -> str:
        asked.append("long")
        return "picture"

    renderer = WorkerRenderer(run_first, run)  # type: ignore[arg-type]
    renderer.draw(start())
    renderer.draw(a_film(1))
    assert asked == ["first", "long"]


def test_a_realm_that_grows_is_shown_from_one_place_and_whole() -> None:
    """The first picture, of a small realm, had cut off the foot of later ones, and the map jumped from turn to turn."""
    small, grown = ((2, 2),), tuple((2, y) for y in range(1, 6))
    steps = [Frame(replace(realm(), focus=focus, lit=realm().powers[0].id), 1.0) for focus in (small, grown)]
    one, other = (step.scene for step in film.on_one_sheet(steps))
    assert isinstance(one, TileScene)
    assert isinstance(other, TileScene)
    assert set(one.focus) == set(other.focus) == set(grown)
    assert _sight(one) == _sight(other)


def test_a_film_is_as_high_as_the_highest_of_its_pictures() -> None:
    near, whole = replace(start(), focus=(ProvinceId("PAR"),)), start()
    shown = Film(SystemId("diplomacy"), "standard", whole.title, (Frame(near, 1.0), Frame(whole, 1.0)))
    drawn = MapRenderer().draw(shown)
    with Image.open(io.BytesIO(MapRenderer().draw(whole, width_px=film.WIDTH_PX).file)) as alone:
        assert (drawn.width_px, drawn.height_px) == alone.size
    assert {frame.size for frame in frames_of(drawn.file)} == {(drawn.width_px, drawn.height_px)}
