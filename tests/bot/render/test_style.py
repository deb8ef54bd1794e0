"""Colours that can be told apart by everybody, and labels that can be read."""

from __future__ import annotations

import math
from itertools import combinations

import pytest

from bot.render.glyphs import DARK, LIGHT, faded
from bot.render.style import Colour, contrast, load_style, mixed, printable, readable_on
from engine.core.ids import PowerId
from engine.core.variant import load_variant
from engine.registry import systems

NOBODYS = ("nomads", "barbarians")
"""Powers that nobody plays."""
MAPS = [(system, variant) for system, rules in systems.items() for variant in rules.info.variants]
WITH_POWERS = [(system, variant) for system, variant in MAPS if load_variant(system, variant).powers]
"""Where the map says who plays, so that each has colours of its own; elsewhere they are taken in turn."""
each_map = pytest.mark.parametrize(("system", "variant"), MAPS)
each_map_with_powers = pytest.mark.parametrize(("system", "variant"), WITH_POWERS)
Matrix = tuple[tuple[float, float, float], ...]

# How colours look without one kind of cone, in linear RGB. Source: Machado, Oliveira and Fernandes (2009), severity 1.
SIGHT: dict[str, Matrix] = {
    "full": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def lab(colour: Colour, sight: Matrix) -> tuple[float, float, float]:
    """CIE L*a*b* of a colour as somebody sees it."""
    rgb = [linear(channel / 255) for channel in colour]
    red, green, blue = (max(0.0, min(1.0, sum(a * b for a, b in zip(row, rgb, strict=True)))) for row in sight)
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    fx, fy, fz = (value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116 for value in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def distance(one: Colour, other: Colour, sight: Matrix) -> float:
    return math.dist(lab(one, sight), lab(other, sight))


def power_colours(system: str, variant: str) -> dict[str, tuple[Colour, str]]:
    style = load_style(system, variant)
    powers = dict.fromkeys([*load_variant(system, variant).powers, *map(PowerId, style.powers)])
    return {power: style.power(power, place) for place, power in enumerate(powers)}


@each_map_with_powers
@pytest.mark.parametrize("sight", SIGHT)
def test_powers_are_told_apart_by_colour_whatever_the_eyes(system: str, variant: str, sight: str) -> None:
    powers = power_colours(system, variant)
    too_near = {
        (one, other): round(distance(powers[one][0], powers[other][0], SIGHT[sight]), 1)
        for one, other in combinations(powers, 2)
        if distance(powers[one][0], powers[other][0], SIGHT[sight]) < 18
    }
    assert too_near == {}


@each_map_with_powers
def test_powers_differ_in_hatching_and_letter_too(system: str, variant: str) -> None:
    powers = {power: look for power, look in power_colours(system, variant).items() if power not in NOBODYS}
    letters = {power.letter for power in load_variant(system, variant).powers.values()}
    assert len({hatch for _, hatch in powers.values()}) == len(powers) == len(letters)


@each_map
def test_powers_in_turn_differ_in_hatching_or_plainly_in_colour(system: str, variant: str) -> None:
    """There are fewer hatchings than colours that some maps want."""
    turns = load_style(system, variant).powers_in_turn
    assert len({colour for colour, _ in turns}) == len(turns)
    alike = [(one, other) for (one, hatch), (other, same) in combinations(turns, 2) if hatch == same]
    assert len(alike) <= 2
    assert all(distance(one, other, sight) >= 18 for one, other in alike for sight in SIGHT.values())


def test_a_power_without_a_style_takes_one_in_turn() -> None:
    style = load_style("diplomacy", "standard")
    assert style.power("ruritania", 3) == style.powers_in_turn[3]


def test_forty_powers_without_a_style_all_look_different() -> None:
    style = load_style("diplomacy", "standard")
    assert len({style.power(f"house_{place}", place) for place in range(40)}) == 40


@each_map
def test_labels_read_on_every_ground(system: str, variant: str) -> None:
    style = load_style(system, variant)
    colours = style.colours
    owned = [
        mixed(colour, colours["paper_edge"], style.tint["edge"])
        for colour, _ in power_colours(system, variant).values()
    ]
    # Letters stand in a halo of 215/255, whatever is under it.
    halos = [mixed(colours["halo"], ground, 215 / 255) for ground in (*owned, colours["paper"], colours["sea"])]
    assert min(contrast(colours["ink"], halo) for halo in halos) >= 4.5
    assert min(contrast(colours["sea_ink"], halo) for halo in halos) >= 4.5


@each_map
def test_letters_read_on_every_unit(system: str, variant: str) -> None:
    for colour, _ in power_colours(system, variant).values():
        for ground in (colour, faded(colour)):
            assert contrast(readable_on(ground, DARK, LIGHT), ground) >= 4.5


def test_text_keeps_only_what_the_font_can_write() -> None:
    file = load_style("diplomacy", "standard").fonts["text"]
    assert printable("Zürich Κόσμος Москва \U0001f480!", file) == "Zürich Κόσμος Москва !"
