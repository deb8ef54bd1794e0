"""Draws a hand of cards: each with its number, name, emblem and effect, large enough to read on a phone."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from PIL import Image, ImageDraw

from bot.render.arrows import star
from bot.render.glyphs import DARK, GOLD, LIGHT
from bot.render.style import Colour, Style, font, load_style, mixed, printable, wrapped
from engine.core.phrases import Catalogue
from engine.core.variant import load_phrases
from engine.lattice.tiling import Point
from engine.pictures.hand import CardFace, Hand

CARD = (560, 748)
GAP_PX = 36
OVERSAMPLING = 2
MOST_LINES = 4
"""Of what a card does."""
_TITLE_PX, _CAPTION_PX, _NAME_PX, _TEXT_PX, _NUMBER_PX = 62, 36, 50, 40, 54
_EMBLEM_AT, _EMBLEM_PX = (CARD[0] / 2, 336), 156
_SILVER: Colour = (222, 226, 236)
_BLOOD: Colour = (190, 46, 58)


def draw_hand(hand: Hand) -> tuple[Image.Image, tuple[Colour, ...]]:
    """The picture of a hand, and the colours that must stay as they are."""
    style, words = load_style(hand.system, hand.variant), load_phrases(hand.system)
    columns = 2 if len(hand.cards) <= 4 else 3
    rows = max(1, math.ceil(len(hand.cards) / columns))
    top = round(_TITLE_PX * 1.9) + (round(_CAPTION_PX * 1.5) if hand.caption else 0)
    size = (columns * (CARD[0] + GAP_PX) + GAP_PX, top + rows * (CARD[1] + GAP_PX))
    picture = Image.new("RGB", size, style.colours["band"])
    draw = ImageDraw.Draw(picture)
    title = printable(words.render(hand.title), style.fonts["title"])
    face = font(style.fonts["title"], _TITLE_PX)
    draw.text((size[0] / 2, _TITLE_PX), title, font=face, fill=style.colours["ink"], anchor="mm")
    if hand.caption:
        caption = printable(words.render(hand.caption), style.fonts["text"])
        face = font(style.fonts["text"], _CAPTION_PX)
        at = (size[0] / 2, _TITLE_PX * 1.55 + _CAPTION_PX * 0.7)
        draw.text(at, caption, font=face, fill=style.colours["ink"], anchor="mm")
    for place, card in enumerate(hand.cards):
        in_row = min(columns, len(hand.cards) - place // columns * columns)
        indent = (columns - in_row) * (CARD[0] + GAP_PX) // 2
        left = GAP_PX + indent + place % columns * (CARD[0] + GAP_PX)
        drawn = _card(card, style, words)
        picture.paste(drawn, (left, top + place // columns * (CARD[1] + GAP_PX)), drawn)
    return picture, (LIGHT, DARK, GOLD, _SILVER, _BLOOD, *style.colours.values())


def _card(card: CardFace, style: Style, words: Catalogue) -> Image.Image:
    width, height = CARD
    large = Image.new("RGBA", (width * OVERSAMPLING, height * OVERSAMPLING), (0, 0, 0, 0))
    draw = ImageDraw.Draw(large)
    _ground(draw, style)
    _emblem(draw, card.emblem, style)
    picture = large.reduce(OVERSAMPLING)
    draw = ImageDraw.Draw(picture)
    ink = style.colours["ink"]
    number = font(style.fonts["strong"], _NUMBER_PX)
    draw.text((74, 76), str(card.number), font=number, fill=LIGHT, anchor="mm")
    name = wrapped(_capital(words.render(card.name)), style.fonts["title"], _NAME_PX, width - 190)
    for line, text in enumerate(name[:2]):
        y = 76 + (line - (min(len(name), 2) - 1) / 2) * _NAME_PX * 0.98
        draw.text((132, y), text, font=font(style.fonts["title"], _NAME_PX), fill=ink, anchor="lm")
    effect = effect_lines(card, style, words)
    for line, text in enumerate(effect[:MOST_LINES]):
        y = 624 + (line - (min(len(effect), MOST_LINES) - 1) / 2) * _TEXT_PX * 1.1
        draw.text((width / 2, y), text, font=font(style.fonts["text"], _TEXT_PX), fill=ink, anchor="mm")
    return _spent(picture, style) if card.is_used else picture


def effect_lines(card: CardFace, style: Style, words: Catalogue) -> list[str]:
    """What a card does, broken into lines; there is room for `MOST_LINES`."""
    return wrapped(_capital(words.render(card.text)), style.fonts["text"], _TEXT_PX, CARD[0] - 84)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _ground(draw: ImageDraw.ImageDraw, style: Style) -> None:
    """Parchment in a double frame, with a disc for the number."""
    night, paper = style.colours["frame"], style.colours["halo"]
    width, height = CARD[0] * OVERSAMPLING, CARD[1] * OVERSAMPLING
    draw.rounded_rectangle((0, 0, width - 1, height - 1), 60, fill=night)
    draw.rounded_rectangle((14, 14, width - 15, height - 15), 50, fill=GOLD)
    draw.rounded_rectangle((20, 20, width - 21, height - 21), 46, fill=paper)
    draw.rounded_rectangle((36, 36, width - 37, height - 37), 36, outline=mixed(night, paper, 0.4), width=4)
    _disc(draw, (148, 152), 84, GOLD)
    _disc(draw, (148, 152), 78, night)
    for x in (76, width - 76):
        draw.polygon(star((x, height - 76), 26, 0.4, 4), fill=GOLD, outline=night)


def _emblem(draw: ImageDraw.ImageDraw, name: str, style: Style) -> None:
    night = style.colours["frame"]
    x, y = (value * OVERSAMPLING for value in _EMBLEM_AT)
    radius = _EMBLEM_PX * OVERSAMPLING
    draw.polygon(star((x, y), radius * 1.16, 0.86, 24), fill=GOLD)
    _disc(draw, (x, y), radius, mixed(night, DARK, 0.75))
    _disc(draw, (x, y), radius * 0.93, night)
    _EMBLEMS.get(name, _star)(_Frame(draw, (x, y), radius * 0.93))


def _spent(picture: Image.Image, style: Style) -> Image.Image:
    """The card faded and crossed out."""
    pale = Image.blend(picture, Image.new("RGBA", picture.size, (*style.colours["band"], 255)), 0.62)
    pale.putalpha(picture.getchannel("A"))
    draw = ImageDraw.Draw(pale)
    width, height = CARD
    for ends in (((70, 130), (width - 70, height - 70)), ((width - 70, 130), (70, height - 70))):
        draw.line(ends, fill=style.colours["failed"], width=14)
    return pale


class _Frame:
    """Draws in a round field whose middle is (0, 0) and whose radius is 1."""

    def __init__(self, draw: ImageDraw.ImageDraw, middle: Point, radius: float) -> None:
        self._draw, self._middle, self._radius = draw, middle, radius

    def at(self, point: Point) -> Point:
        return self._middle[0] + point[0] * self._radius, self._middle[1] + point[1] * self._radius

    def shape(self, points: Sequence[Point], fill: Colour) -> None:
        self._draw.polygon([self.at(point) for point in points], fill=fill)

    def line(self, points: Sequence[Point], fill: Colour, width: float = 0.06) -> None:
        self._draw.line(
            [self.at(point) for point in points], fill=fill, width=round(width * self._radius), joint="curve"
        )

    def disc(self, middle: Point, radius: float, fill: Colour) -> None:
        _disc(self._draw, self.at(middle), radius * self._radius, fill)

    def star(self, middle: Point, radius: float, fill: Colour, inner: float = 0.42, rays: int = 8) -> None:
        self.shape(star(middle, radius, inner, rays), fill)


def _disc(draw: ImageDraw.ImageDraw, middle: Point, radius: float, fill: Colour) -> None:
    draw.ellipse((middle[0] - radius, middle[1] - radius, middle[0] + radius, middle[1] + radius), fill=fill)


def _star(frame: _Frame) -> None:
    frame.star((0, 0), 0.8, GOLD)


def _sea(frame: _Frame, left: float, right: float) -> None:
    for row, y in enumerate((0.56, 0.70, 0.84)):
        reach = math.sqrt(max(0.0, 0.86 - y * y))
        steps = [-reach + 2 * reach * step / 40 for step in range(41)]
        wave = [(x, y + 0.035 * math.sin(x * 17 + row * 1.6)) for x in steps if left <= x <= right]
        if len(wave) > 1:
            frame.line(wave, (120, 190, 200), 0.05)


def _land(frame: _Frame, middle: float, size: float) -> None:
    for x, height, fill in ((-0.34, 0.30, (126, 148, 92)), (0.34, 0.26, (126, 148, 92)), (0.0, 0.44, (164, 182, 118))):
        peak = (middle + x * size, 0.86 - height * size - 0.1)
        frame.shape([(peak[0] - 0.34 * size, 0.84), peak, (peak[0] + 0.34 * size, 0.84)], fill)
        frame.shape([(peak[0] - 0.09 * size, peak[1] + 0.11), peak, (peak[0] + 0.09 * size, peak[1] + 0.11)], LIGHT)


def _where(frame: _Frame, over: str) -> None:
    if over == "sea":
        _sea(frame, -1, 1)
    elif over == "land":
        _land(frame, 0.0, 1.2)
    else:
        _sea(frame, -1, -0.02)
        _land(frame, 0.34, 0.72)


def _support(over: str) -> Callable[[_Frame], None]:
    """A shield in a glory, over sea or land."""

    def paint(frame: _Frame) -> None:
        for turn in range(12):
            angle = turn * math.pi / 6
            ends = [(r * math.sin(angle), -0.24 - r * math.cos(angle)) for r in (0.46, 0.60 if turn % 2 else 0.66)]
            frame.line(ends, GOLD, 0.05)
        _where(frame, over)
        outline = [(-0.36, -0.56), (0.0, -0.64), (0.36, -0.56), (0.34, -0.16), (0.2, 0.1), (0.0, 0.24)]
        outline += [(-0.2, 0.1), (-0.34, -0.16)]
        frame.shape([(x * 1.16, -0.2 + (y + 0.2) * 1.14) for x, y in outline], DARK)
        frame.shape(outline, _SILVER)
        frame.line([(0, -0.5), (0, 0.08)], _BLOOD, 0.11)
        frame.line([(-0.22, -0.28), (0.22, -0.28)], _BLOOD, 0.11)

    return paint


def _attack(over: str) -> Callable[[_Frame], None]:
    """Lightning out of a cloud, over sea or land."""

    def paint(frame: _Frame) -> None:
        _where(frame, over)
        bolt = [(0.10, -0.52), (-0.30, 0.06), (-0.06, 0.06), (-0.22, 0.62), (0.30, -0.12), (0.04, -0.12), (0.30, -0.52)]
        frame.line([*bolt, bolt[0], bolt[1]], DARK, 0.10)
        frame.shape(bolt, GOLD)
        for x, y, radius in ((-0.42, -0.46, 0.2), (-0.14, -0.60, 0.27), (0.22, -0.58, 0.24), (0.46, -0.45, 0.18)):
            frame.disc((x, y), radius, _SILVER)
        frame.shape([(-0.5, -0.46), (0.5, -0.46), (0.5, -0.28), (-0.5, -0.28)], _SILVER)

    return paint


def _creation(frame: _Frame) -> None:
    """A tower that rises under a star."""
    frame.star((0.0, -0.62), 0.26, GOLD)
    tower = [(-0.46, -0.30), (-0.28, -0.30), (-0.28, -0.14), (-0.10, -0.14), (-0.10, -0.30), (0.10, -0.30)]
    tower += [(0.10, -0.14), (0.28, -0.14), (0.28, -0.30), (0.46, -0.30), (0.46, 0.06), (0.36, 0.14), (0.36, 0.66)]
    tower += [(0.50, 0.80), (-0.50, 0.80), (-0.36, 0.66), (-0.36, 0.14), (-0.46, 0.06)]
    frame.shape(tower, _SILVER)
    for y in (0.14, 0.32, 0.50, 0.68):
        frame.line([(-0.36, y), (0.36, y)], (150, 150, 166), 0.025)
    frame.disc((0.0, 0.50), 0.13, DARK)
    frame.shape([(-0.13, 0.50), (0.13, 0.50), (0.13, 0.80), (-0.13, 0.80)], DARK)
    for side in (-1, 1):
        frame.line([(side * 0.62, 0.1), (side * 0.62, 0.62)], GOLD, 0.04)
        frame.shape([(side * 0.62 - 0.09, 0.14), (side * 0.62, -0.06), (side * 0.62 + 0.09, 0.14)], GOLD)


def _hordes(frame: _Frame) -> None:
    """Three horned heads."""
    for x, y, size in ((-0.46, 0.06, 0.62), (0.46, 0.06, 0.62), (0.0, 0.16, 1.0)):
        for side in (-1, 1):
            horn = [(0.24, -0.22), (0.64, -0.30), (0.52, -0.80), (0.40, -0.40)]
            frame.shape([(x + side * size * a, y + size * b) for a, b in horn], _SILVER)
        face = [(-0.36, -0.30), (0.36, -0.30), (0.30, 0.22), (0.0, 0.66), (-0.30, 0.22)]
        frame.shape([(x + size * a * 1.16, y + size * (b * 1.1)) for a, b in face], DARK)
        frame.shape([(x + size * a, y + size * b) for a, b in face], (196, 140, 96) if size == 1.0 else (150, 104, 76))
        for side in (-1, 1):
            eye = [(0.06, 0.04), (0.26, -0.12), (0.22, 0.10)]
            frame.shape([(x + side * size * a, y + size * b) for a, b in eye], GOLD)


def _destruction(frame: _Frame) -> None:
    """A skull in flames."""
    tongues = [(-0.74, 0.52), (-0.70, -0.10), (-0.50, 0.10), (-0.46, -0.52), (-0.22, -0.24), (0.0, -0.86)]
    tongues += [(0.22, -0.24), (0.46, -0.52), (0.50, 0.10), (0.70, -0.10), (0.74, 0.52), (0.4, 0.82), (-0.4, 0.82)]
    frame.shape(tongues, _BLOOD)
    frame.shape([(x * 0.80, 0.12 + y * 0.78) for x, y in tongues], (232, 132, 40))
    frame.disc((0.0, 0.10), 0.38, LIGHT)
    frame.shape([(-0.22, 0.36), (0.22, 0.36), (0.19, 0.70), (-0.19, 0.70)], LIGHT)
    for side in (-1, 1):
        frame.disc((side * 0.16, 0.12), 0.115, DARK)
    frame.shape([(0.0, 0.24), (0.07, 0.37), (-0.07, 0.37)], DARK)
    for x in (-0.1, 0.0, 0.1):
        frame.line([(x, 0.48), (x, 0.70)], DARK, 0.025)


def _impassability(frame: _Frame) -> None:
    """A wall of thorns before a closed gate."""
    frame.shape(
        [(-0.5, 0.78), (-0.5, -0.16), (-0.34, -0.46), (0.0, -0.64), (0.34, -0.46), (0.5, -0.16), (0.5, 0.78)], _SILVER
    )
    frame.shape(
        [(-0.36, 0.78), (-0.36, -0.1), (-0.24, -0.34), (0.0, -0.48), (0.24, -0.34), (0.36, -0.1), (0.36, 0.78)], DARK
    )
    for x in (-0.18, 0.0, 0.18):
        frame.line([(x, -0.3), (x, 0.78)], (150, 150, 166), 0.045)
    for start, end in (((-0.86, 0.30), (0.84, -0.22)), ((-0.84, -0.20), (0.86, 0.44)), ((-0.72, 0.62), (0.78, 0.16))):
        frame.line([start, end], (70, 150, 92), 0.075)
        for step in range(1, 8):
            share = step / 8
            x, y = start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share
            away = -0.15 if step % 2 else 0.15
            frame.shape([(x - 0.05, y), (x + 0.05, y), (x + 0.02, y + away)], (110, 190, 120))


_EMBLEMS: dict[str, Callable[[_Frame], None]] = {
    "support_any": _support("any"),
    "support_sea": _support("sea"),
    "support_land": _support("land"),
    "attack_any": _attack("any"),
    "attack_sea": _attack("sea"),
    "attack_land": _attack("land"),
    "creation": _creation,
    "hordes": _hordes,
    "destruction": _destruction,
    "impassability": _impassability,
}
EMBLEMS = frozenset(_EMBLEMS)
"""The names of all emblems; a card with another one shows a star."""
