"""Draws standings over time: a line for each power, with a colour, a marker and its name at the end."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean as mean

from PIL import Image, ImageDraw

from bot.render.style import Colour, Style, contrast, font, load_style, mixed, printable, shrunk
from engine.core.ids import PowerId
from engine.core.standings import figure_text
from engine.core.variant import Power, load_phrases, load_variant
from engine.lattice.tiling import Point
from engine.pictures.chart import Chart

SIZE = (1100, 700)
"""The size of a chart by itself: Discord's desktop client shows it at half that, letters included."""
LABEL_PX = range(20, 30)
"""The height of names: smaller if they are so many that some would have no room."""
OVERSAMPLING = 2
MOST_TICKS = 9
"""Along the bottom."""
MARKERS = ("circle", "square", "triangle", "diamond", "down", "cross", "plus", "ring")
"""The markers, used in turn, so that lines can be distinguished without colours."""
_LEAST_CONTRAST = 1.9
"""The least contrast of a line with the paper; lighter colours get a rim of ink."""

_LINE, _ROUND_NAMES = 1.02, 2.05
"""From one name at the end of a line to the next; and above and below all of them: in heights of a name."""


def labels_height(count: int) -> float:
    """How high a chart has to be for this many names at the ends of their lines, in heights of a name."""
    return _LINE * (count - 1) + _ROUND_NAMES


def notes_height(count: int, title: float) -> float:
    """How high this many lines below a title are, in the measure of its height."""
    return title * _NOTE_LINE * count


def draw_chart(chart: Chart) -> tuple[Image.Image, tuple[Colour, ...]]:
    """The picture of a chart, and the colours that mean something in it."""
    label_px = min(max(SIZE[1] / labels_height(len(chart.courses)), LABEL_PX.start), LABEL_PX.stop)
    return chart_panel(chart, SIZE, title_px=40, label_px=label_px), tuple(chart_colours(chart))


def chart_colours(chart: Chart) -> list[Colour]:
    """The colours of its lines."""
    return [colour for colour, _ in _looks(chart).values()]


def chart_panel(chart: Chart, size: tuple[int, int], *, title_px: float, label_px: float) -> Image.Image:
    """A chart at a size, its letters of given heights, as part of a picture or as a whole one."""
    style = load_style(chart.system, chart.variant)
    big = (size[0] * OVERSAMPLING, size[1] * OVERSAMPLING)
    panel = _Panel(chart, style, _looks(chart), big, title_px * OVERSAMPLING, label_px * OVERSAMPLING)
    return panel.draw().resize(size, Image.Resampling.LANCZOS)


def _looks(chart: Chart) -> dict[PowerId, tuple[Colour, str]]:
    """The colour and the marker of each power that has a line; colours as on the map."""
    style = load_style(chart.system, chart.variant)
    known = load_variant(chart.system, chart.variant).powers
    places = {power: place for place, power in enumerate(dict.fromkeys([*known, *(one.id for one in chart.powers)]))}
    return {
        power: (style.power(power, places[power])[0], MARKERS[turn % len(MARKERS)])
        for turn, power in enumerate(chart.courses)
    }


@dataclass
class _Panel:
    """Everything that drawing one chart needs; lengths are in pixels of the large picture."""

    chart: Chart
    style: Style
    looks: Mapping[PowerId, tuple[Colour, str]]
    size: tuple[int, int]
    title_px: float
    label_px: float

    def draw(self) -> Image.Image:
        picture = Image.new("RGB", self.size, self.style.colours["band"])
        self.pen = ImageDraw.Draw(picture)
        self.width = max(2, round(self.label_px * 0.13))
        self.face, self.strong = self.style.fonts["label"], self.style.fonts["strong"]
        self.most = self._ceiling()
        pad = self.label_px * 0.6
        names = [self._label(power, figures[-1]) for power, figures in self.chart.courses.items()]
        room = max((font(self.strong, self.label_px).getlength(name) for name in names), default=0.0)
        axis = font(self.face, self.label_px * 0.8).getlength(figure_text(self.most))
        self.top = pad + self.title_px * 1.25 + notes_height(len(self.chart.notes), self.title_px) + self.label_px * 0.5
        self.bottom = self.size[1] - pad - self.label_px * 1.0
        self.left = self.right = pad * 2.0 + axis
        ends = [(power, figures[-1]) for power, figures in self.chart.courses.items()]
        labels = self._places_of_labels(sorted(ends, key=lambda end: -end[1]))
        self.ties = _LONG_TIES if len(labels) >= _MANY else _TIES
        self.right = self.size[0] - pad - room - self.label_px * (self.ties + 0.2)
        self._write_title(pad)
        self._write_notes(pad)
        self._draw_grid()
        # The leader is drawn last, over the others.
        for power, _ in sorted(ends, key=lambda end: end[1]):
            self._draw_line(power, self.chart.courses[power])
        self._write_labels(labels)
        return picture

    def _ceiling(self) -> float:
        most = self.chart.most
        step = _step(most)
        return max(step, math.ceil(most / step) * step)

    def _at(self, number: int, figure: float) -> Point:
        columns = max(1, len(self.chart.times))
        x = self.left + (self.right - self.left) * number / columns
        return x, self.bottom - (self.bottom - self.top) * figure / self.most

    def _on_line(self, power: PowerId, number: int, figure: float) -> Point:
        """A point of a power's line: beside where it belongs, so that equal ones don't hide each other."""
        x, y = self._at(number, figure)
        count = len(self.chart.courses)
        apart = min(self.width * 0.8, self.label_px * 0.7 / count)
        return x, y + apart * (list(self.chart.courses).index(power) - (count - 1) / 2)

    def _label(self, power: PowerId, figure: float) -> str:
        names: dict[PowerId, Power] = {one.id: one for one in self.chart.powers}
        name = names[power].name if power in names else power
        return printable(f"{name} {figure_text(figure)}", self.strong)

    def _write_title(self, pad: float) -> None:
        words = load_phrases(self.chart.system)
        text = printable(words.render(self.chart.title), self.style.fonts["title"])
        face = font(self.style.fonts["title"], self.title_px)
        self.pen.text((pad * 1.6, pad * 0.7), text, font=face, fill=self.style.colours["ink"], anchor="la")
        if self.chart.caption is not None:
            right = pad * 1.6 + face.getlength(text) + self.title_px
            small = font(self.style.fonts["text"], self.title_px * 0.66)
            caption = printable(words.render(self.chart.caption), self.style.fonts["text"])
            if right + small.getlength(caption) < self.right:
                spot = (self.right, pad * 0.7 + self.title_px)
                self.pen.text(spot, caption, font=small, fill=self.style.colours["faint_ink"], anchor="rs")

    def _write_notes(self, pad: float) -> None:
        """Below the title: who has won, and by what, if not by what is counted."""
        words, file = load_phrases(self.chart.system), self.style.fonts["text"]
        for number, note in enumerate(self.chart.notes):
            room = self.right - pad * 1.6  # names may stand beside it
            text, size = shrunk(printable(words.render(note), file), file, self.title_px * _NOTE, room)
            spot = pad * 1.6, pad * 0.7 + self.title_px * (1.36 + _NOTE_LINE * number)
            self.pen.text(spot, text, font=font(file, size), fill=self.style.colours["ink"], anchor="la")

    def _draw_grid(self) -> None:
        ink, faint = (
            self.style.colours["faint_ink"],
            mixed(self.style.colours["faint_ink"], self.style.colours["band"], 0.3),
        )
        small = font(self.face, self.label_px * 0.8)
        step, figure = _step(self.most), 0.0
        while figure <= self.most:
            y = self._at(0, figure)[1]
            self.pen.line(((self.left, y), (self.right, y)), fill=faint, width=max(1, self.width // 3))
            self.pen.text((self.left - self.label_px * 0.55, y), figure_text(figure), font=small, fill=ink, anchor="rm")
            figure += step
        for number in _ticks(len(self.chart.times)):
            x, y = self._at(number, 0)
            self.pen.line(((x, y), (x, y + self.label_px * 0.2)), fill=ink, width=max(1, self.width // 3))
            text = str(self.chart.times[number - 1])
            self.pen.text((x, y + self.label_px * 0.3), text, font=small, fill=ink, anchor="ma")

    def _draw_line(self, power: PowerId, figures: Sequence[float]) -> None:
        colour, marker = self.looks[power]
        points = [self._on_line(power, number, figure) for number, figure in enumerate(figures)]
        rim = self._rim(colour)
        for fill, width in ((rim, self.width + max(2, self.width // 2)), (colour, self.width)):
            if len(points) > 1:
                self.pen.line(points, fill=fill, width=width, joint="curve")
        every = max(1, math.ceil(len(points) / 14))
        for number, point in enumerate(points):
            if number % every == 0 or number == len(points) - 1:
                self._mark(marker, point, colour, rim)

    def _rim(self, colour: Colour) -> Colour:
        paper, ink = self.style.colours["band"], self.style.colours["ink"]
        return ink if contrast(colour, paper) < _LEAST_CONTRAST else mixed(colour, ink, 0.45)

    def _mark(self, marker: str, at: Point, colour: Colour, rim: Colour) -> None:
        x, y = at
        radius = self.label_px * 0.27
        outline = max(2, self.width // 2)
        if marker in ("circle", "ring"):
            fill = colour if marker == "circle" else self.style.colours["halo"]
            box = (x - radius, y - radius, x + radius, y + radius)
            self.pen.ellipse(box, fill=fill, outline=rim if marker == "circle" else colour, width=outline)
        elif marker in ("cross", "plus"):
            turn = math.pi / 4 if marker == "cross" else 0.0
            for angle in (turn, turn + math.pi / 2):
                dx, dy = math.cos(angle) * radius * 1.25, math.sin(angle) * radius * 1.25
                self.pen.line(((x - dx, y - dy), (x + dx, y + dy)), fill=rim, width=self.width + outline)
                self.pen.line(((x - dx, y - dy), (x + dx, y + dy)), fill=colour, width=self.width)
        else:
            corners, start = {"square": (4, 45), "diamond": (4, 0), "triangle": (3, -90), "down": (3, 90)}[marker]
            turned = (math.radians(start + 360 * number / corners) for number in range(corners))
            shape = [(x + radius * 1.3 * math.cos(angle), y + radius * 1.3 * math.sin(angle)) for angle in turned]
            self.pen.polygon(shape, fill=colour, outline=rim, width=outline)

    def _places_of_labels(self, ends: Sequence[tuple[PowerId, float]]) -> list[_Label]:
        """Each name at the end of its line, moved as little as possible so that none covers another.

        The last ones are left out if there is no room for all.
        """
        height = self.label_px * _LINE
        top, bottom = self.label_px * 0.9, self.bottom + self.label_px * 0.5
        kept = list(ends[: max(1, int((bottom - top) / height) + 1)])
        wanted = [self._on_line(power, 0, figure)[1] for power, figure in kept]
        spots = _spread(wanted, height, top, bottom)
        return [
            _Label(power, figure, y, self._is_to_the_end(power) and _is_alone(end, y, wanted, height * _AT_END))
            for (power, figure), end, y in zip(kept, wanted, spots, strict=True)
        ]

    def _is_to_the_end(self, power: PowerId) -> bool:
        return len(self.chart.courses[power]) > len(self.chart.times)

    def _write_labels(self, labels: Iterable[_Label]) -> None:
        """The names, tied to the ends of their lines; where several end, each has its line's marker again."""
        face = font(self.strong, self.label_px)
        x = self.right + self.label_px * self.ties
        for label in labels:
            colour, marker = self.looks[label.power]
            if self._is_to_the_end(label.power):
                end = self._on_line(label.power, len(self.chart.times), label.figure)
                tie = (end, (x - self.label_px * (0.1 if label.is_alone else 0.5), label.y))
                self.pen.line(tie, fill=self._rim(colour), width=max(1, self.width // 2))
            if not label.is_alone:
                self._mark(marker, (x - self.label_px * 0.3, label.y), colour, self._rim(colour))
            spot = (x + self.label_px * 0.12, label.y)
            text = self._label(label.power, label.figure)
            self.pen.text(spot, text, font=face, fill=self.style.colours["ink"], anchor="lm")


@dataclass(frozen=True, slots=True)
class _Label:
    """Where the name and the last figure of a power are written, and whether its line alone ends beside it."""

    power: PowerId
    figure: float
    y: float
    is_alone: bool


_NOTE, _NOTE_LINE = 0.7, 0.85
"""Size of the lines below the title, and from one to the next, in heights of the title."""
_TIES, _LONG_TIES, _MANY = 0.9, 2.2, 6
"""From the ends of the lines to their names, in heights of a name: more for many names, which are moved farther."""
_AT_END = 0.7
"""How near ends of lines may be before their names need markers, in heights of a line of names."""


def _is_alone(end: float, name: float, ends: Sequence[float], near: float) -> bool:
    """Whether a line ends beside its name, and no other near it."""
    return abs(name - end) < near and sum(abs(other - end) < near for other in ends) == 1


def _step(most: float) -> float:
    """The distance between grid lines that gives four to eight of them."""
    for step in (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500):
        if most / step <= 7:
            return float(step)
    return 10.0 ** math.ceil(math.log10(most / 7))


def _ticks(count: int) -> range:
    """The times that are written, including the first one; at most `MOST_TICKS`."""
    return range(1, count + 1, max(1, math.ceil(count / MOST_TICKS)))


def _spread(wanted: Sequence[float], height: float, top: float, bottom: float) -> list[float]:
    """Places for labels, from top to bottom, as near to where each is wanted as the others allow.

    Labels that would cover each other give way in both directions.
    """
    heaps: list[list[float]] = []
    for number, y in enumerate(wanted):
        heaps.append([y - number * height])
        while len(heaps) > 1 and mean(heaps[-2]) > mean(heaps[-1]):
            last = heaps.pop()
            heaps[-1] += last
    firsts = [mean(heap) for heap in heaps for _ in heap]
    lowest = max(bottom - height * (len(firsts) - 1), top)
    return [min(max(first, top), lowest) + number * height for number, first in enumerate(firsts)]
