"""Draws a charter: two shields, what each side gives, and a seal; large enough to read on a phone."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image, ImageDraw

from bot.render.arrows import star
from bot.render.glyphs import DARK, GOLD, LIGHT
from bot.render.knotwork import BAND_PX, framed
from bot.render.style import Colour, Style, cut, font, load_style, mixed, printable, readable_on
from engine.core.ids import PowerId
from engine.core.phrases import Catalogue
from engine.core.variant import load_phrases
from engine.lattice.tiling import Point
from engine.pictures.charter import Charter, CharterSide

SIZE = (1100, 700)
"""The width in pixels: Discord first shows half of it, a phone a third."""
MOST_ITEMS = 4
_OVERSAMPLING = 2
_TITLE_PX, _CAPTION_PX, _NAME_PX, _HEADING_PX, _ITEM_PX, _FOOT_PX = 70, 42, 56, 40, 50, 40
_SHIELD_PX, _SEAL_PX = 78, 56
_COLUMN = 440
"""The width of a side's column."""
_OUTLINE = ((-1.0, -1.0), (1.0, -1.0), (1.0, 0.1), (0.72, 0.72), (0.0, 1.25), (-0.72, 0.72), (-1.0, 0.1))


def draw_charter(charter: Charter) -> tuple[Image.Image, tuple[Colour, ...]]:
    """The picture of a charter, and the colours that must stay as they are."""
    style, words = load_style(charter.system, charter.variant), load_phrases(charter.system)
    places = {power.id: place for place, power in enumerate(charter.powers)}
    colours: dict[PowerId, Colour] = {power: style.power(power, place)[0] for power, place in places.items()}
    middle, left = SIZE[0] / 2, _COLUMN / 2 + 40
    shields: dict[PowerId, Point] = {charter.left.power: (left, 268), charter.right.power: (SIZE[0] - left, 268)}
    large = Image.new("RGB", (SIZE[0] * _OVERSAMPLING, SIZE[1] * _OVERSAMPLING), style.colours["halo"])
    _shapes(ImageDraw.Draw(large), charter, style, colours, shields)
    picture = large.reduce(_OVERSAMPLING)
    draw = ImageDraw.Draw(picture)
    ink, faint = style.colours["ink"], style.colours["faint_ink"]
    title, text, strong = style.fonts["title"], style.fonts["text"], style.fonts["strong"]
    _write(draw, (middle, 62), words.render(charter.title), title, _TITLE_PX, ink, SIZE[0] - 80)
    if charter.caption is not None:
        _write(draw, (middle, 128), words.render(charter.caption), text, _CAPTION_PX, faint, SIZE[0] - 80)
    for side in (charter.left, charter.right):
        power = charter.powers[places[side.power]]
        x, y = shields[side.power]
        letter = readable_on(colours[side.power], DARK, LIGHT)
        _write(draw, (x, y - 4), power.letter, strong, _SHIELD_PX, letter, _SHIELD_PX * 1.8)
        _write(draw, (x, y + 132), power.name, title, _NAME_PX, ink, _COLUMN)
        _items(draw, x, side, words, style)
    _write(draw, (middle, SIZE[1] - 46), words.render(charter.foot), text, _FOOT_PX, faint, SIZE[0] - 80)
    return framed(picture, style), (LIGHT, DARK, GOLD, *colours.values(), *style.colours.values())


def _items(draw: ImageDraw.ImageDraw, x: float, side: CharterSide, words: Catalogue, style: Style) -> None:
    """What a side gives; the last line counts what doesn't fit."""
    _write(
        draw,
        (x, 444),
        words.render(side.heading),
        style.fonts["text"],
        _HEADING_PX,
        style.colours["faint_ink"],
        _COLUMN,
    )
    lines = [words.render(item) for item in side.items]
    shown = lines if len(lines) <= MOST_ITEMS else [*lines[: MOST_ITEMS - 1], f"+{len(lines) - MOST_ITEMS + 1}"]
    step = min(_ITEM_PX, 150 / max(len(shown), 1))
    for number, line in enumerate(shown):
        y = 496 + number * step
        _write(draw, (x, y), line, style.fonts["strong"], min(_ITEM_PX, step * 1.02), style.colours["ink"], _COLUMN)


def _write(draw: ImageDraw.ImageDraw, at: Point, text: str, file: str, size: float, ink: Colour, room: float) -> None:
    """A line about a point, in smaller letters where it is long."""
    face = font(file, size)
    text = printable(text, file)
    if face.getlength(text) > room:
        size = max(size * 0.7, size * room / face.getlength(text))
        face, text = font(file, size), cut(text, file, size, room)
    draw.text(at, text, font=face, fill=ink, anchor="mm")


def _shapes(
    draw: ImageDraw.ImageDraw,
    charter: Charter,
    style: Style,
    colours: dict[PowerId, Colour],
    shields: dict[PowerId, Point],
) -> None:
    """Shields, arrows from giver to receiver, the seal, a rule below the title."""
    ink, gold = style.colours["frame"], GOLD
    for power, at in shields.items():
        for reach, fill in ((1.12, ink), (1.05, gold), (0.98, ink), (0.92, colours[power])):
            _polygon(
                draw, [(at[0] + x * _SHIELD_PX * reach, at[1] + y * _SHIELD_PX * reach) for x, y in _OUTLINE], fill
            )
    middle = SIZE[0] / 2
    gives = [side for side in (charter.left, charter.right) if side.items]
    for number, side in enumerate(gives):
        y = 262 + (number - (len(gives) - 1) / 2) * 84
        way = 1 if side == charter.left else -1
        _arrow(draw, (middle, y), way, colours[side.power], ink)
    line = [(90, 164), (SIZE[0] - 90, 164)]
    draw.line([_large(point) for point in line], fill=style.colours["knot"], width=4 * _OVERSAMPLING)
    at = (middle, 560)
    _polygon(draw, star(at, _SEAL_PX, 0.88, 18), mixed(style.colours["failed"], DARK, 0.75))
    _polygon(draw, star(at, _SEAL_PX * 0.84, 0.94, 24), style.colours["failed"])
    _polygon(draw, star(at, _SEAL_PX * 0.55, 0.42, 8), mixed(style.colours["failed"], LIGHT, 0.55))


def _arrow(draw: ImageDraw.ImageDraw, at: Point, way: int, fill: Colour, ink: Colour) -> None:
    x, y = at
    points = [(-92, -12), (30, -12), (30, -34), (92, 0), (30, 34), (30, 12), (-92, 12)]
    shape = [(x + way * dx, y + dy) for dx, dy in points]
    _polygon(draw, shape, fill)
    closed = [*map(_large, shape), _large(shape[0]), _large(shape[1])]
    draw.line(closed, fill=ink, width=5 * _OVERSAMPLING, joint="curve")


def _polygon(draw: ImageDraw.ImageDraw, points: Sequence[Point], fill: Colour) -> None:
    draw.polygon([_large(point) for point in points], fill=fill)


def _large(point: Point) -> Point:
    return point[0] * _OVERSAMPLING, point[1] * _OVERSAMPLING


WHOLE = SIZE[0] + 2 * BAND_PX, SIZE[1] + 2 * BAND_PX
"""The size of the picture with its frame."""
