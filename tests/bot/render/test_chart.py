"""Charts of standings: names stand at the ends of their lines, and lines that end together can be told apart."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from PIL import ImageDraw

from bot.render.chart import MARKERS, _Panel, _spread, draw_chart
from engine.core.ids import PowerId, SystemId
from engine.core.phrases import phrase
from engine.core.variant import load_variant
from engine.pictures.chart import Chart

POWERS = load_variant("diplomacy", "standard").powers


def markers_of(*courses: tuple[float, ...], monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each line's marker is drawn."""
    drawn: Counter[str] = Counter()
    mark = _Panel._mark

    def counted(self: _Panel, marker: str, *rest: Any) -> None:
        drawn[marker] += 1
        mark(self, marker, *rest)

    monkeypatch.setattr(_Panel, "_mark", counted)
    times = tuple(range(1901, 1900 + len(courses[0])))
    powers: list[PowerId] = list(POWERS)
    lines = dict(zip(powers, courses, strict=False))
    title = phrase("standings.centres")
    draw_chart(
        Chart(SystemId("diplomacy"), "standard", title, times=times, powers=tuple(POWERS.values()), courses=lines)
    )
    return drawn


def test_a_name_at_the_end_of_its_line_needs_no_marker_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = markers_of((3, 4, 8), (3, 3, 5), (4, 4, 2), monkeypatch=monkeypatch)
    assert drawn == dict.fromkeys(MARKERS[:3], 3)


def test_names_of_lines_that_end_together_have_their_markers(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = markers_of((3, 4, 5), (3, 3, 5), (4, 4, 2), monkeypatch=monkeypatch)
    assert drawn == {MARKERS[0]: 4, MARKERS[1]: 4, MARKERS[2]: 3}


def test_names_give_way_in_both_directions_and_stay_in_the_picture() -> None:
    assert _spread([100, 100, 100, 300], 20, 0, 400) == [80, 100, 120, 300]
    assert _spread([10, 10, 300], 20, 5, 400) == [5, 25, 300]
    assert _spread([395, 395], 20, 5, 400) == [380, 400]


def test_who_has_won_and_by_what_stands_below_the_title(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is counted isn't always what decides, so that the first name need not be the winner's."""
    written: list[tuple[float, str]] = []
    write = ImageDraw.ImageDraw.text

    def noted(pen: ImageDraw.ImageDraw, at: tuple[float, float], text: str, **rest: Any) -> None:
        written.append((at[1], text))
        write(pen, at, text, **rest)

    monkeypatch.setattr(ImageDraw.ImageDraw, "text", noted)
    shown = Chart(
        SystemId("king_of_kings"),
        "classic",
        phrase("standings.provinces"),
        times=(1,),
        powers=(),
        courses={},
        decides=phrase("standings.decides"),
        outcome=phrase("film.won", powers=("Rome",)),
    )
    draw_chart(shown)
    titles = [text for _, text in sorted(written)][:3]
    assert titles == [
        "Provinces by turn",
        "Rome won.",
        "What decides is the ranking by fame, gold and troops, not provinces.",
    ]
    assert shown.until(0).notes == (phrase("standings.decides"),)
