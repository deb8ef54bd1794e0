"""Draws films: boards one after the other, with a chart of the standings under them, as one animated GIF.

GIF, because every client of Discord plays it in place: of an APNG only the first picture is shown, and only newer
clients play animated WebP. All pictures have one palette, so that parts that do not change take no space in the file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO

from PIL import Image

from bot.model import Picture
from bot.render.chart import chart_colours, chart_panel, labels_height, notes_height
from bot.render.encode import draw, scaled
from bot.render.field_sight import sight_of
from bot.render.palette import palette_of, sample_of
from bot.render.style import Colour
from engine.pictures.film import Film, Frame
from engine.pictures.scene import Scene
from engine.pictures.tiles import TileScene

WIDTH_PX = 900
CHART_SHARE = 0.31
"""Least height of the chart, as a share of the width."""
TITLE_SHARE = 0.034
"""Height of the chart's title, as a share of the width."""
LABEL_SHARE, LEAST_LABEL_SHARE = 0.034, 0.027
"""Height of a power's name next to its line, as a share of the width: of few powers, and of many."""
MOST_BYTES = 7_000_000
"""The largest size of a film in bytes: a little less than the 8 MB that Discord has always taken from a bot."""
LEAST_WIDTH_PX = 400
"""A film that is too long for the file is drawn smaller, down to this; then it gets fewer steps."""
COLOURS = 255
"""The most colours: one index is left for what does not change."""
_SAMPLES = 6
"""How many pictures are enough to find the colours."""


def draw_film(film: Film, *, width_px: int | None = None) -> Picture:
    """The film as an animated GIF that plays again and again, at most `MOST_BYTES` long."""
    steps = on_one_sheet(film.steps)
    notes = max((len(step.chart.notes) for step in steps if step.chart is not None), default=0)
    frames = [_drawn(step, width_px or WIDTH_PX, notes) for step in steps]
    pictures = [picture for picture, _ in frames]
    colours = list(dict.fromkeys(colour for _, meaningful in frames for colour in meaningful))
    while len(gif := _packed(pictures, steps, colours)) > MOST_BYTES and (pictures[0].width > 1 or len(pictures) > 1):
        width = pictures[0].width
        if width > LEAST_WIDTH_PX or len(pictures) == 1:
            share = max(0.5, min(0.9, 0.95 * (MOST_BYTES / len(gif)) ** 0.5))
            pictures = [scaled(picture, share) for picture in pictures]
        else:
            kept = thinned(len(pictures), max(1, len(pictures) * 3 // 4))
            pictures, steps = [pictures[number] for number in kept], [steps[number] for number in kept]
    return Picture(gif, pictures[0].width, max(picture.height for picture in pictures))


def on_one_sheet(steps: Sequence[Frame]) -> list[Frame]:
    """The steps, each with as much of the board as any shows: of a realm that grows, or a world that is explored."""
    grown = [step.scene for step in steps if isinstance(step.scene, TileScene) and step.scene.grounds]
    if not grown:
        return _on_one_close_up(steps)
    lefts, tops, rights, bottoms = zip(*(sight_of(scene).box for scene in grown), strict=True)
    box = min(lefts), min(tops), max(rights), max(bottoms)
    return [
        replace(step, scene=replace(step.scene, box=box)) if isinstance(step.scene, TileScene) else step
        for step in steps
    ]


def _on_one_close_up(steps: Sequence[Frame]) -> list[Frame]:
    near = [step.scene for step in steps if isinstance(step.scene, Scene | TileScene)]
    focus = tuple(dict.fromkeys(place for scene in near for place in scene.focus))
    return [
        replace(step, scene=replace(step.scene, focus=focus))  # type: ignore[arg-type]
        if isinstance(step.scene, Scene | TileScene) and step.scene.focus
        else step
        for step in steps
    ]


def thinned(count: int, most: int) -> list[int]:
    """At most this many of `count` things, evenly spaced, including the last one, and the first if there are two."""
    if count <= most:
        return list(range(count))
    if most == 1:
        return [count - 1]
    return [round(number * (count - 1) / (most - 1)) for number in range(most)]


def _drawn(step: Frame, width_px: int, notes: int) -> tuple[Image.Image, Sequence[Colour]]:
    drawing = draw(step.scene)
    board, colours = scaled(drawing.picture, width_px / drawing.picture.width), drawing.colours
    if step.chart is None:
        return board, colours
    share, label = chart_shares(len(step.chart.courses), notes)
    height = round(width_px * share)
    panel = chart_panel(step.chart, (width_px, height), title_px=width_px * TITLE_SHARE, label_px=width_px * label)
    picture = Image.new("RGB", (width_px, board.height + height))
    picture.paste(board, (0, 0))
    picture.paste(panel, (0, board.height))
    return picture, (*colours, *chart_colours(step.chart))


def chart_shares(powers: int, notes: int = 0) -> tuple[float, float]:
    """Height of the chart and of its names, as shares of its width, so that each power's line has its name.

    Args:
        notes: for how many lines below its title there must be room.
    """
    lines = labels_height(powers)
    label = max(LEAST_LABEL_SHARE, min(LABEL_SHARE, CHART_SHARE / lines))
    return max(CHART_SHARE, label * lines) + notes_height(notes, TITLE_SHARE), label


def _packed(pictures: Sequence[Image.Image], steps: Sequence[Frame], colours: Sequence[Colour]) -> bytes:
    palette = _palette(pictures, colours)
    size = pictures[0].width, max(picture.height for picture in pictures)
    frames = [_sized(picture, size).quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures]
    buffer = BytesIO()
    frames[0].save(
        buffer,
        "GIF",
        save_all=True,
        append_images=frames[1:],
        duration=[round(step.seconds * 1000) for step in steps],
        loop=0,
        optimize=True,
    )
    return buffer.getvalue()


def _sized(picture: Image.Image, size: tuple[int, int]) -> Image.Image:
    """The picture on a sheet as high as the highest one: boards of one game may differ, as by a title's height."""
    if picture.size == size:
        return picture
    sheet = Image.new("RGB", size, picture.getpixel((0, 0)))
    sheet.paste(picture, (0, 0))
    return sheet


def _palette(pictures: Sequence[Image.Image], colours: Sequence[Colour]) -> Image.Image:
    """The colours of all pictures: these, and those that are most common in some of them."""
    some = [pictures[number] for number in thinned(len(pictures), _SAMPLES)]
    sheet = Image.new("RGB", (some[0].width, some[0].height * len(some)))
    for number, picture in enumerate(some):
        sheet.paste(picture, (0, number * some[0].height))
    return palette_of(sample_of(sheet), colours[:200], most=COLOURS)
