"""What the signs of a map of provinces mean: those on this picture, each with its word.

The word of a sign is the phrase `key.<name>` of its game or of all games; a sign without one is left out. Names are
kinds of marks, `kind_<kind>` for units, `shape_<shape>` for those of powers that have a shape of their own, `link` for
the dotted lines across the water, manners of orders, and those of `ArrowKind`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PIL import Image

from bot.render import arrows, glyphs
from bot.render.panels import KeyEntry, key_size, trimmed
from bot.render.signs import SIGNS
from bot.render.sites import SITES, Site, site_mark
from bot.render.style import Colour, Style, load_style
from engine.core.ids import province_of
from engine.core.phrases import phrase
from engine.core.variant import load_phrases
from engine.pictures.legend import ArrowStatus
from engine.pictures.scene import Arrow, ArrowKind, Scene

_GREY: Colour = (150, 138, 118)


def key_of(scene: Scene, style: Style) -> list[KeyEntry]:
    """The key of a scene: the signs of units, places and orders that occur in it."""
    words = load_phrases(scene.system)
    names = (name for name in dict.fromkeys(_occurring(scene)) if f"key.{name}" in words.codes)
    return [(_sign(name, style), words.render(phrase(f"key.{name}"))) for name in names]


def _occurring(scene: Scene) -> Iterator[str]:
    """Names of the signs on the picture, in the order of the key; there may be duplicates."""
    return (name for names in signs_of(scene) for name in names)


def signs_of(scene: Scene) -> Iterator[tuple[str, ...]]:
    """The names of each sign on the picture, in the order of the key; one of them at least should have a word."""
    style = load_style(scene.system, scene.variant)
    shapes = {unit: style.powers.get(unit.power, {}).get("shape", "") for unit in scene.units}
    yield from ((f"kind_{kind}",) for kind in sorted({unit.kind for unit in scene.units if not shapes[unit]}))
    yield from ((f"shape_{shape}",) for shape in sorted(set(filter(None, shapes.values()))))
    yield from ((mark.kind,) for mark in scene.marks)
    if style.decorations.get("links"):
        yield ("link",)
    for kind in ArrowKind:
        for arrow in (arrow for arrow in scene.arrows if arrow.kind is kind):
            yield tuple(filter(None, (arrow.manner, _NAMES.get(arrow.kind, arrow.kind.value))))
            if arrow.kind is ArrowKind.MOVE and arrow.via:
                yield ("by_convoy",)
    if any(_is_of_a_move_not_drawn(scene, arrow) for arrow in scene.arrows):
        yield ("ghost",)
    if any(unit.is_dislodged for unit in scene.units):
        yield ("dislodged",)
    if any(arrow.status is ArrowStatus.FAILED for arrow in scene.arrows):
        yield ("failed",)


def _is_of_a_move_not_drawn(scene: Scene, arrow: Arrow) -> bool:
    """Whether an order helps a move that is not on the picture: then a ghost line shows the way."""
    if arrow.kind not in (ArrowKind.SUPPORT_MOVE, ArrowKind.CONVOY) or not arrow.via:
        return False
    way = province_of(arrow.via[0]), province_of(arrow.end)
    moves = ((province_of(other.start), province_of(other.end)) for other in scene.arrows if _moves(other))
    return way[0] != way[1] and way not in set(moves)


def _moves(arrow: Arrow) -> bool:
    return arrow.kind in (ArrowKind.MOVE, ArrowKind.RETREAT)


_NAMES = {ArrowKind.SUPPORT_MOVE: "support", ArrowKind.SUPPORT_HOLD: "support", ArrowKind.DISBAND: "remove"}


def _sign(name: str, style: Style) -> Image.Image:
    """The sign as the key shows it: in grey where on the map it has its power's colour."""
    size, strong = key_size(style) * 0.5, style.fonts["strong"]
    kind = name.removeprefix("kind_")
    if kind != name:
        shape = style.kinds.get(kind, "disc")
        return trimmed(glyphs.unit_token(shape, _GREY, "", size, strong, kind="" if kind in style.kinds else kind))
    shape = name.removeprefix("shape_")
    if shape != name:
        return trimmed(glyphs.unit_token(shape, _GREY, "", size, strong))
    if name == "link":
        return _dots(size, style.colours["link"])
    if name in style.manners or name in style.numerals:
        return _stroke(style.manners.get(name, "plain"), style.numerals.get(name, ""), size, strong)
    if name in _STROKES:
        return _stroke(name, "", size, strong)
    if name in SIGNS:
        return trimmed(SIGNS[name](None, "", size * 1.9, strong))
    if name in _GLYPHS:
        return trimmed(_GLYPHS[name](size, strong))
    sites = {
        "capital": Site("square", is_capital=True),
        "garrison": Site("circle", garrison="1"),
        "plundered": Site("square", is_plundered=True),
    }
    if name in sites or name in SITES:
        return trimmed(site_mark(sites.get(name, Site(name)), size, strong))
    return trimmed(glyphs.badge("cross", _GREY, size * 0.8))


_STROKES = frozenset({"move", "by_convoy", "support", "ghost", "retreat", "failed", "strike", "convoy", "hold"})
_GLYPHS: dict[str, Callable[[float, str], Image.Image]] = {
    "centre": lambda size, file: glyphs.centre_mark(None, "", size, file),
    "castle": lambda size, file: glyphs.castle_mark(None, "", size, file),
    "home": lambda size, _: glyphs.home_mark(_GREY, size),
    "die": lambda size, _: glyphs.die_mark(3, size),
    "choice": lambda size, file: glyphs.pennon("1", _GREY, size * 1.4, file),
    "build": lambda size, _: glyphs.badge("plus", (20, 105, 60), size * 0.8),
    "remove": lambda size, _: glyphs.badge("cross", glyphs.DARK, size * 0.8),
    "dislodged": lambda size, file: glyphs.unit_token("shield", _GREY, "", size, file, is_dislodged=True),
}


def _dots(size: float, colour: Colour) -> Image.Image:
    """A short stretch of a dotted line across the water, with its moorings."""
    sample = Image.new("RGBA", (round(size * 4.4), round(size * 1.2)), (*colour, 0))
    pen, middle = arrows.Pen(sample), sample.height / 2
    for place, width in enumerate((0.55, 0.28, 0.28, 0.28, 0.28, 0.28, 0.55)):
        x = size * (0.4 + 0.6 * place)
        pen.lines([arrows.path([(x, middle), (x + 0.1, middle)])], [(size * width, colour)])
    return trimmed(sample)


def _stroke(stroke: str, numeral: str, size: float, file: str) -> Image.Image:
    """A short stretch of an order's line, drawn as its kind is, with its numeral."""
    sample = Image.new("RGBA", (round(size * 6.4), round(size * 2.6)), (*glyphs.LIGHT, 0))
    middle, tip = sample.height / 2, sample.width - size * 0.3
    line = arrows.path([(size * 0.6, middle), (size * 3.5, middle), (tip, middle)])
    shaft = line.part(0, line.length - size * 1.2)
    layers = [(size * 0.62, glyphs.DARK), (size * 0.30, _GREY)]
    pen = arrows.Pen(sample)
    if stroke in ("convoy", "hold"):
        _ring(pen, stroke, (sample.width / 2, middle), size, layers)
        return trimmed(sample)
    if stroke == "support":
        end = shaft.points[-1]
        pen.lines(arrows.dashes(shaft, size * 0.8, size * 0.7), layers)
        knob = [arrows.path([end, (end[0] + 0.1, end[1])])]
        pen.lines(knob, [(width * 2.1, colour) for width, colour in layers])
    elif stroke in ("zigzag", "strike"):
        pen.lines([arrows.zigzag(line, size * 0.5, size * 1.6)], layers)
    else:
        parts = {
            "dashed": lambda: arrows.dashes(shaft, size * 0.8, size * 0.7),
            "retreat": lambda: arrows.dashes(shaft, size * 0.7, size * 0.6),
            "ghost": lambda: arrows.dashes(line, size * 0.18, size * 0.7),
            "by_convoy": lambda: [arrows.wavy(shaft, size * 0.3, size * 1.8)],
        }.get(stroke, lambda: None)()
        if stroke == "failed":
            layers = [(size * 0.62, (163, 18, 42)), (size * 0.42, glyphs.LIGHT), (size * 0.22, _GREY)]
        if stroke == "ghost":
            pen.lines(parts or [], [(size * 0.3, _GREY)])
            return trimmed(sample)
        pen.arrow(line, layers, head_px=size * 1.3, parts=parts)
        if stroke == "failed":
            cross = glyphs.badge("cross", (163, 18, 42), size * 0.55)
            sample.alpha_composite(cross, (round(size * 2.6 - cross.width / 2), round(middle - cross.height / 2)))
    if numeral:
        disc = glyphs.numeral(numeral, glyphs.LIGHT, size * 0.62, file)
        sample.alpha_composite(disc, (round(size * 2.6 - disc.width / 2), round(middle - disc.height / 2)))
    return sample


def _ring(
    pen: arrows.Pen, stroke: str, at: tuple[float, float], size: float, layers: list[tuple[float, Colour]]
) -> None:
    """The ring around a unit that convoys (a wave) or holds (four arcs)."""
    layers = [(width * 0.7, colour) for width, colour in layers]
    if stroke == "convoy":
        ring = arrows.ring(at, size * 0.85)
        pen.lines([arrows.wavy(ring, size * 0.16, ring.length / 10)], layers)
    else:
        pen.lines([arrows.ring(at, size * 0.95, start, start + 64) for start in (13, 103, 193, 283)], layers)
