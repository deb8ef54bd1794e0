"""Signs of things that stand next to units: fortresses, hordes, barriers. A sign is chosen by the kind of a mark."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

from PIL import Image, ImageDraw

from bot.render.glyphs import DARK, LIGHT, OVERSAMPLING, blank_sign, smaller
from bot.render.style import Colour, font, mixed, readable_on

Sign = Callable[[Colour | None, str, float, str], Image.Image]
"""A painter: the owner's colour, the label, the radius of a unit, the font."""

_STONE: Colour = (214, 206, 190)


@lru_cache(maxsize=128)
def tower(colour: Colour | None, label: str, unit_px: float, file: str) -> Image.Image:
    """A battlemented tower in its owner's colour, with a number; grey stone if it is nobody's."""
    radius = unit_px * OVERSAMPLING * 0.62
    half = math.ceil(radius * 1.5)
    picture, draw = blank_sign(half)
    stone = colour or _STONE
    body = [(-1.0, -1.1), (-0.6, -1.1), (-0.6, -0.72), (-0.22, -0.72), (-0.22, -1.1), (0.22, -1.1), (0.22, -0.72)]
    body += [(0.6, -0.72), (0.6, -1.1), (1.0, -1.1), (1.0, -0.38), (0.8, -0.2), (0.8, 0.82), (1.0, 1.08)]
    body += [(-1.0, 1.08), (-0.8, 0.82), (-0.8, -0.2), (-1.0, -0.38)]
    points = [(half + x * radius, half + y * radius) for x, y in body]
    closed = [*points, points[0], points[1]]
    draw.line(closed, fill=(*LIGHT, 235), width=round(radius * 0.56), joint="curve")
    draw.line(closed, fill=(*DARK, 255), width=round(radius * 0.30), joint="curve")
    draw.polygon(points, fill=(*stone, 255))
    draw.line(
        [(half - radius * 0.8, half - radius * 0.3), (half + radius * 0.8, half - radius * 0.3)],
        fill=(*mixed(DARK, stone, 0.55), 255),
        width=round(radius * 0.08),
    )
    ink = readable_on(stone, DARK, LIGHT)
    draw.text((half, half + radius * 0.36), label, font=font(file, radius * 1.4), fill=(*ink, 255), anchor="mm")
    return smaller(picture)


@lru_cache(maxsize=32)
def horns(colour: Colour | None, label: str, unit_px: float, file: str) -> Image.Image:
    """A horned head on a dark disc."""
    radius = unit_px * OVERSAMPLING * 0.52
    half = math.ceil(radius * 1.25)
    picture, draw = blank_sign(half)
    for reach, fill in ((1.2, LIGHT), (1.06, DARK)):
        draw.ellipse(
            (half - radius * reach, half - radius * reach, half + radius * reach, half + radius * reach), fill=fill
        )

    def at(*points: tuple[float, float]) -> list[tuple[float, float]]:
        return [(half + x * radius, half + y * radius) for x, y in points]

    for side in (-1, 1):
        draw.polygon(at((side * 0.28, -0.28), (side * 0.86, -0.30), (side * 0.66, -0.84), (side * 0.5, -0.42)), LIGHT)
    draw.polygon(at((-0.48, -0.36), (0.48, -0.36), (0.40, 0.30), (0.0, 0.84), (-0.40, 0.30)), LIGHT)
    for side in (-1, 1):
        draw.polygon(at((side * 0.10, 0.06), (side * 0.36, -0.14), (side * 0.30, 0.14)), DARK)
    return smaller(picture)


@lru_cache(maxsize=8)
def barrier(colour: Colour | None, label: str, unit_px: float, file: str) -> Image.Image:
    """A striped boom on two posts."""
    radius = unit_px * OVERSAMPLING
    half = math.ceil(radius * 1.5)
    picture = Image.new("RGBA", (2 * half, half), (*LIGHT, 0))
    draw = ImageDraw.Draw(picture)
    middle, reach, depth = half * 0.42, radius * 1.25, radius * 0.24
    for grow, fill in ((radius * 0.13, LIGHT), (radius * 0.06, DARK)):
        for side in (-0.8, 0.8):
            x = half + side * radius
            draw.rectangle((x - radius * 0.1 - grow, middle, x + radius * 0.1 + grow, half * 0.92), fill=fill)
        box = (half - reach - grow, middle - depth - grow, half + reach + grow, middle + depth + grow)
        draw.rectangle(box, fill=fill)
    draw.rectangle((half - reach, middle - depth, half + reach, middle + depth), fill=LIGHT)
    step = radius * 0.5
    for number in range(-1, 5):
        left = half - reach + number * step + step * 0.2
        corners = [(left, middle + depth), (left + step * 0.5, middle + depth)]
        corners += [(left + step * 0.5 + depth, middle - depth), (left + depth, middle - depth)]
        draw.polygon([(min(max(x, half - reach), half + reach), y) for x, y in corners], fill=(163, 18, 42))
    return smaller(picture)


@lru_cache(maxsize=8)
def swords(colour: Colour | None, label: str, unit_px: float, file: str) -> Image.Image:
    """Two crossed swords on a light disc."""
    radius = unit_px * OVERSAMPLING * 0.66
    half = math.ceil(radius * 1.3)
    picture, draw = blank_sign(half)
    for reach, fill in ((1.22, LIGHT), (1.08, DARK), (0.94, LIGHT)):
        draw.ellipse([half - radius * reach] * 2 + [half + radius * reach] * 2, fill=(*fill, 255))
    blade = [(0.0, -0.98), (0.13, -0.72), (0.13, 0.30), (-0.13, 0.30), (-0.13, -0.72)]
    guard = [(-0.36, 0.26), (0.36, 0.26), (0.36, 0.42), (-0.36, 0.42)]
    grip = [(-0.09, 0.42), (0.09, 0.42), (0.13, 0.82), (-0.13, 0.82)]
    for turn in (-math.pi / 4, math.pi / 4):
        for part, fill in ((blade, DARK), (guard, (150, 104, 24)), (grip, (120, 24, 28))):
            points = [
                (
                    half + radius * (x * math.cos(turn) - y * math.sin(turn)),
                    half + radius * (x * math.sin(turn) + y * math.cos(turn)),
                )
                for x, y in part
            ]
            draw.polygon(points, fill=(*fill, 255), outline=(*LIGHT, 255))
    return smaller(picture)


def arrowed_star(radius_px: float, ink: Colour, paper: Colour) -> Image.Image:
    """Eight arrows from one middle, in place of a compass where north means nothing."""
    radius = radius_px * OVERSAMPLING
    half = math.ceil(radius * 1.1)
    picture = Image.new("RGBA", (2 * half, 2 * half), (*ink, 0))
    draw = ImageDraw.Draw(picture)
    for reach, width in ((0.62, 0.014), (0.58, 0.03), (0.26, 0.014)):
        box = [half - radius * reach] * 2 + [half + radius * reach] * 2
        draw.ellipse(box, outline=(*ink, 210), width=round(radius * width))
    for turn in range(8):
        angle = math.radians(turn * 45)
        length = 1.0 if turn % 2 == 0 else 0.86

        def at(along: float, across: float, angle: float = angle) -> tuple[float, float]:
            return (
                half + radius * (along * math.sin(angle) + across * math.cos(angle)),
                half - radius * (along * math.cos(angle) - across * math.sin(angle)),
            )

        neck = length - 0.24
        draw.polygon([at(0.05, -0.035), at(neck, -0.035), at(neck, 0.035), at(0.05, 0.035)], fill=(*ink, 255))
        draw.polygon([at(length, 0), at(neck - 0.05, 0.13), at(neck, 0)], fill=(*ink, 255))
        draw.polygon([at(length, 0), at(neck - 0.05, -0.13), at(neck, 0)], fill=(*paper, 255), outline=(*ink, 255))
    for reach, fill in ((0.10, ink), (0.06, paper)):
        draw.ellipse([half - radius * reach] * 2 + [half + radius * reach] * 2, fill=(*fill, 255))
    return smaller(picture)


@lru_cache(maxsize=8)
def faith_sign(name: str, radius_px: float) -> Image.Image:
    """What stands by a power's name: `zair` a red sun with pointed rays, `grodno` a green one in a ring."""
    radius = radius_px * OVERSAMPLING
    half = math.ceil(radius * 1.1)
    picture, draw = blank_sign(half)
    colour = {"zair": (176, 32, 36), "grodno": (22, 112, 62)}[name]

    def disc(reach: float, fill: Colour) -> None:
        draw.ellipse([half - radius * reach] * 2 + [half + radius * reach] * 2, fill=(*fill, 255))

    if name == "zair":
        angles = [math.pi * turn / 10 for turn in range(20)]
        reaches = [1.0 if turn % 2 == 0 else 0.58 for turn in range(20)]
        points = [
            (half + radius * reach * math.sin(angle), half - radius * reach * math.cos(angle))
            for angle, reach in zip(angles, reaches, strict=True)
        ]
        draw.polygon(points, fill=(*colour, 255))
        disc(0.44, LIGHT)
        disc(0.30, colour)
    else:
        disc(0.96, colour)
        disc(0.74, LIGHT)
        disc(0.48, colour)
    return smaller(picture)


SIGNS: dict[str, Sign] = {"fortress": tower, "horde": horns, "barred": barrier, "swords": swords}
"""The picture of each kind of mark; a kind without one is a word on a plate."""
OVER_UNITS = frozenset({"horde", "barred", "fortress", "swords"})
"""Signs that lie over units; the others lie under them."""
