"""How maps look, as data: `assets/style.toml`, then the system's, then the variant's. Read by the whole renderer."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from threading import local
from typing import Any

from PIL import ImageColor, ImageFont

ASSETS = Path(__file__).resolve().parents[2] / "assets"

Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class PowerStyle:
    """How a power looks: its colour, the hatching of its land, and its letter.

    Args:
        ink: colour of the hatching's lines.
        shape: that of all its units, whatever their kind; empty: their kind's.
        sign: the one next to its name, such as that of its faith.
    """

    colour: Colour
    hatch: str
    letter: str
    name: str
    ink: Colour
    shape: str = ""
    sign: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Style:
    """The look of one map.

    Args:
        colours: by role (`paper`, `ink`, …).
        sizes: in pixels of regions.png.
        tint: how much of a power's colour its land takes: `inside`, at the `edge`, and in the `hatch`.
        kinds: shape of each kind of unit.
        manners: the stroke of orders carried out in a special manner: `plain`, `dashed`, `zigzag`.
        numerals: what is written on orders of a manner.
        widths: those of the orders of a kind of unit, and `scales` those of its tokens, as shares of the usual.
        powers_in_turn: colour and hatching for powers that have none of their own, in turn.
        decorations: ornaments of this map, such as the compass.
        soils: colour of land that is nobody's, by terrain, on maps that distinguish terrains.
    """

    colours: Mapping[str, Colour]
    sizes: Mapping[str, float]
    tint: Mapping[str, float]
    kinds: Mapping[str, str]
    manners: Mapping[str, str]
    numerals: Mapping[str, str]
    widths: Mapping[str, float]
    scales: Mapping[str, float]
    fonts: Mapping[str, str]
    powers: Mapping[str, Mapping[str, str]]
    powers_in_turn: tuple[tuple[Colour, str], ...]
    decorations: Mapping[str, Any]
    soils: Mapping[str, Colour]

    def power(self, power: str, place: int) -> tuple[Colour, str]:
        """Colour and hatching of a power; one without its own takes those of its `place` among the powers."""
        own = self.powers.get(power)
        if own is not None:
            return rgb(own["colour"]), own["hatch"]
        count = len(self.powers_in_turn)
        # When the colours are used up, they are repeated with other hatchings.
        return self.powers_in_turn[place % count][0], self.powers_in_turn[(place + place // count) % count][1]

    def scaled(self, share: float) -> Style:
        """The style with all its sizes scaled."""
        if share == 1.0:
            return self
        return replace(self, sizes={name: size * share for name, size in self.sizes.items()})


@cache
def load_style(system: str, variant: str) -> Style:
    """The style of a variant, read once."""
    merged: dict[str, Any] = {}
    for folder in (ASSETS, ASSETS / system, ASSETS / system / variant):
        path = folder / "style.toml"
        if path.exists():
            merged = _merged(merged, tomllib.loads(path.read_text(encoding="utf-8")))
    return Style(
        colours={name: rgb(value) for name, value in merged["colours"].items()},
        sizes=merged["sizes"],
        tint=merged["tint"],
        kinds=merged["kinds"],
        manners=merged.get("manners", {}),
        numerals=merged.get("numerals", {}),
        widths=merged.get("widths", {}),
        scales=merged.get("scales", {}),
        fonts=merged["fonts"],
        powers=merged.get("powers", {}),
        powers_in_turn=tuple((rgb(row["colour"]), row["hatch"]) for row in merged["powers_in_turn"]),
        decorations=merged.get("decorations", {}),
        soils={name: rgb(value) for name, value in merged.get("soils", {}).items()},
    )


def rgb(text: str) -> Colour:
    """A colour written as `#rrggbb`."""
    red, green, blue = ImageColor.getrgb(text)[:3]
    return red, green, blue


@lru_cache(maxsize=1024)
def mixed(one: Colour, other: Colour, share: float) -> Colour:
    """`share` of the one colour, the rest of the other."""
    red, green, blue = (round(a * share + b * (1 - share)) for a, b in zip(one, other, strict=True))
    return red, green, blue


def luminance(colour: Colour) -> float:
    """Relative luminance, 0 to 1. Source: WCAG 2.1."""
    channels = [value / 255 for value in colour]
    linear = [value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: Colour, other: Colour) -> float:
    """Contrast ratio of two colours, 1 to 21. Source: WCAG 2.1."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def readable_on(colour: Colour, dark: Colour, light: Colour) -> Colour:
    """Whichever of a dark and a light ink reads better on the colour."""
    return dark if contrast(dark, colour) >= contrast(light, colour) else light


class _Fonts(local):
    """Fonts of one thread: FreeType faces are not shared between threads."""

    def __init__(self) -> None:
        self.loaded: dict[tuple[str, int], ImageFont.FreeTypeFont] = {}


_fonts = _Fonts()


def font(file: str, size_px: float) -> ImageFont.FreeTypeFont:
    """A bundled font at a size, laid out the same on every machine."""
    key = (file, max(round(size_px), 1))
    if key not in _fonts.loaded:
        _fonts.loaded[key] = ImageFont.truetype(ASSETS / "fonts" / file, key[1], layout_engine=ImageFont.Layout.BASIC)
    return _fonts.loaded[key]


@lru_cache(maxsize=4096)
def length(text: str, file: str, size_px: float) -> float:
    """The width of a text in a font, in pixels; cached, since maps write the same names again and again."""
    return font(file, size_px).getlength(text)


_LEAST = 0.6
"""How much smaller a text may become before it is cut."""


def shrunk(text: str, file: str, size: float, room: float) -> tuple[str, float]:
    """A text with the size at which it fits in a line; cut, if that would be too small."""
    smaller = size * min(1.0, max(_LEAST, room / max(font(file, size).getlength(text), 1.0)))
    while smaller > size * _LEAST and length(text, file, smaller) > room:
        smaller = max(size * _LEAST, smaller - 0.5)  # fonts have whole sizes
    return cut(text, file, smaller, room), smaller


def least_length(text: str, file: str, size: float) -> float:
    """How much of a line a text takes that is as small as it may become."""
    return length(text, file, size * _LEAST)


def last_parts(text: str, file: str, size: float, room: float) -> str:
    """A caption without those of its first parts (`game · orders until …`) for which a line has no room when shrunk."""
    parts = text.split(PART)
    while len(parts) > 1 and least_length(PART.join(parts), file, size) > room:
        del parts[0]
    return PART.join(parts)


PART = " · "
"""What stands between the parts of a caption."""


def cut(text: str, file: str, size: float, room: float) -> str:
    """A text that fits in a line, cut with an ellipsis if it is too long."""
    if length(text, file, size) <= room:
        return text
    face = font(file, size)
    while text and face.getlength(text + "…") > room:
        text = text[:-1]
    return text.rstrip() + "…"


def wrapped(text: str, file: str, size: float, room: float) -> list[str]:
    """A text in as many lines as it needs, at least one; a word that is too long has a line of its own."""
    face = font(file, size)
    lines: list[str] = []
    for word in printable(text, file).split() or [""]:
        if lines and face.getlength(f"{lines[-1]} {word}") <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def printable(text: str, file: str) -> str:
    """The text without the characters that the font lacks."""
    return "".join(char for char in text if _has_glyph(file, char))


@cache
def _has_glyph(file: str, char: str) -> bool:
    face = font(file, 20)
    return char.isspace() or bytes(face.getmask(char)) != bytes(face.getmask("\ufffe"))


def _merged(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    result = dict(base)
    for key, value in over.items():
        old = result.get(key)
        result[key] = _merged(old, value) if isinstance(value, dict) and isinstance(old, dict) else value
    return result
