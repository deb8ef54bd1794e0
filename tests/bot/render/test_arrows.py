"""The geometry of orders as lines."""

from __future__ import annotations

import math

import pytest
from PIL import Image, ImageChops

from bot.render.arrows import Pen, bent, dashes, head, path, ring, through, wavy


def test_a_path_is_as_long_as_its_pieces() -> None:
    line = path([(0, 0), (3, 4), (3, 14)])
    assert line.length == pytest.approx(15)
    assert line.at(10) == pytest.approx((3, 9))


def test_a_trimmed_path_ends_where_it_was_cut() -> None:
    line = path([(0, 0), (100, 0)]).trimmed(10, 30)
    assert (line.points[0], line.points[-1]) == ((10, 0), (70, 0))


def test_a_short_path_keeps_its_middle_third_when_trimmed() -> None:
    assert path([(0, 0), (30, 0)]).trimmed(40, 40).length == pytest.approx(10)


def test_opposite_moves_swerve_to_different_sides() -> None:
    there, back = bent((0, 0), (100, 0), 0.1), bent((100, 0), (0, 0), 0.1)
    assert math.dist(there.share(0.5), back.share(0.5)) == pytest.approx(20, abs=0.5)


def test_a_convoyed_path_passes_through_its_fleets() -> None:
    line = through([(0, 0), (50, 40), (120, 40), (150, 0)])
    for fleet in ((50, 40), (120, 40)):
        assert min(math.dist(fleet, point) for point in line.points) < 0.01


def test_a_wave_stays_near_its_line() -> None:
    wave = wavy(path([(0, 0), (200, 0)]), 6, 40)
    assert max(y for _, y in wave.points) == pytest.approx(6, abs=0.3)
    assert min(y for _, y in wave.points) == pytest.approx(-6, abs=0.3)


def test_dashes_cover_their_share_of_the_line() -> None:
    parts = dashes(path([(0, 0), (100, 0)]), 6, 4)
    assert len(parts) == 10
    assert sum(part.length for part in parts) == pytest.approx(60)


def test_an_arrow_head_points_along_the_line() -> None:
    tip, left, right = head(path([(0, 0), (50, 0)]), 12, 10)
    assert tip == (50, 0)
    assert sorted([left, right]) == [pytest.approx((38, -5)), pytest.approx((38, 5))]


def test_a_line_that_leaves_the_picture_is_cut_at_its_edge() -> None:
    picture = Image.new("RGB", (40, 40), (255, 255, 255))
    Pen(picture).lines([path([(-30, 20), (70, 20)])], [(6, (10, 20, 30))])
    assert picture.getpixel((0, 20)) == picture.getpixel((39, 20)) == (10, 20, 30)
    assert picture.getpixel((20, 30)) == (255, 255, 255)


@pytest.mark.parametrize("centre", [(60.0, 50.0), (60.4, 49.9), (3.2, 50.0)])
def test_a_ring_of_arcs_is_where_its_arcs_are(centre: tuple[float, float]) -> None:
    picture, other = Image.new("RGB", (120, 100), (255, 255, 255)), Image.new("RGB", (120, 100), (255, 255, 255))
    layers = [(7.0, (0, 0, 0)), (4.0, (200, 0, 0))]
    Pen(picture).ring_of_arcs(centre, 30.0, layers)
    Pen(other).lines([ring(centre, 30.0, start, start + 64) for start in (13, 103, 193, 283)], layers)
    off = ImageChops.difference(picture, other).convert("L").histogram()
    # A ring that is a whole pixel aside is off by some 64,000.
    assert sum(value * pixels for value, pixels in enumerate(off)) < 25_000
