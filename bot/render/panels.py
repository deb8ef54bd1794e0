"""What is printed around the map: a slim frame and a title, or a whole sheet with a legend and a key besides.

Discord first shows a picture in about 550 x 350 pixels, a phone in 350 across. There every line above or below the
map makes the land smaller, so what is posted is the board alone (`board`): its title is in open water, or in a strip
above. The sheet (`sheet`) also has a legend and a key.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from PIL import Image, ImageDraw

from bot.render import glyphs
from bot.render.lettering import write, write_haloed
from bot.render.signs import faith_sign
from bot.render.sites import SITES, Site, site_mark
from bot.render.style import Colour, PowerStyle, Style, cut, font, last_parts, length, mixed, printable, shrunk
from engine.core.phrases import Catalogue, phrase
from engine.core.variant import load_phrases
from engine.pictures.legend import LegendRow
from engine.pictures.tiles import AnyScene

FRAME_PX = 16
SLIM_PX = 10
"""The width of a board's frame."""
COLUMNS = 7
_KEY_SIZE, _KEY_SHARE = 0.76, 0.025
"""Size of the key's words, as a share of the legend's; and their least size, as a share of a sheet's width."""
_LEGEND_SHARES = ((8, 1.0), (42, 0.8), (math.inf, 0.5))
"""Up to how many powers the legend's words are how large, as a share of the key's least size: more need more rows."""
TitleRoom = tuple[float, float, float, float]
"""The box of a free part of a map (left, top, right, bottom), in pixels of its picture."""
KeyEntry = tuple[Image.Image, str]
"""A sign, and what it means in words."""
_HALF = "half_"
"""How the names of figures that are counted in halves begin."""


def board(map_picture: Image.Image, scene: AnyScene, style: Style, room: TitleRoom | None) -> Image.Image:
    """The map in a slim frame, its title written on it.

    Args:
        room: where on the map there is room for the title; `None`: it goes into a strip above the map.
    """
    strip = 0 if room is not None else round(style.sizes["title"] * 1.15)
    size = map_picture.width + 2 * SLIM_PX, map_picture.height + 2 * SLIM_PX + strip
    picture = Image.new("RGB", size, style.colours["band"])
    picture.paste(map_picture, (SLIM_PX, strip + SLIM_PX))
    draw = ImageDraw.Draw(picture)
    corner, end = (0, strip), (size[0] - 1, size[1] - 1)
    draw.rectangle((*corner, *end), outline=style.colours["frame"], width=4)
    draw.rectangle((4, strip + 4, end[0] - 4, end[1] - 4), outline=style.colours["halo"], width=4)
    draw.rectangle((8, strip + 8, end[0] - 8, end[1] - 8), outline=style.colours["frame"], width=2)
    if room is None:
        _strip_title(picture, scene, style, strip)
    else:
        left, top, right, bottom = (value + SLIM_PX for value in room)
        _title_on_map(picture, scene, style, (left, top, right, bottom))
    return picture


def sheet(
    map_picture: Image.Image,
    scene: AnyScene,
    style: Style,
    powers: Mapping[str, PowerStyle],
    key: Sequence[KeyEntry] = (),
) -> Image.Image:
    """The map in its frame between title and legend, with the key below."""
    margin = round(style.sizes["margin"])
    width = map_picture.width + 2 * (margin + FRAME_PX)
    title_height = round(style.sizes["title"] * 1.2 + style.sizes["caption"] * (1.5 if scene.caption else 0.2)) + margin
    columns = _columns(scene, style, width - 2 * margin)
    rows = math.ceil(len(scene.legend) / columns)
    row_height = round(style.sizes["legend"] * 3.0)
    lines = _key_lines(key, style, width - 2 * margin)
    legend_height = rows * row_height + margin + round(key_size(style) * 1.7 * len(lines))
    height = title_height + map_picture.height + 2 * FRAME_PX + legend_height
    picture = Image.new("RGB", (width, height), style.colours["band"])
    _title(picture, scene, style, title_height)
    corner = (margin, title_height)
    _frame(picture, (*corner, width - margin, title_height + map_picture.height + 2 * FRAME_PX), style)
    picture.paste(map_picture, (corner[0] + FRAME_PX, corner[1] + FRAME_PX))
    top = title_height + map_picture.height + 2 * FRAME_PX + margin // 2
    _legend(picture, scene, style, powers, (top, row_height, columns))
    if lines:
        _key(picture, lines, style, top + rows * row_height)
    return picture


def key_size(style: Style) -> float:
    """How large the words of the key are, in pixels."""
    return style.sizes.get("key", style.sizes["legend"] * _KEY_SIZE)


def with_key_for(style: Style, width_px: int, powers: int) -> Style:
    """The style with a legend of so many powers and a key that can be read where a chat shows the sheet small."""
    least = width_px * _KEY_SHARE
    share = next(share for most, share in _LEGEND_SHARES if powers <= most)
    sizes = {"key": max(key_size(style), least), "legend": max(style.sizes["legend"], least) * share}
    return replace(style, sizes={**style.sizes, **sizes})


def _key_lines(key: Sequence[KeyEntry], style: Style, room: float) -> list[list[KeyEntry]]:
    """Signs with what they mean, in as few lines as have room for them, about equally long."""
    face = font(style.fonts["text"], key_size(style))
    widths = [icon.width + face.getlength(text) + face.size for icon, text in key]
    lines = math.ceil(sum(widths) / room * (1.0 if sum(widths) <= room else 1.06))
    rows: list[list[KeyEntry]] = [[] for _ in range(lines)]
    reached = 0.0
    for entry, width in zip(key, widths, strict=True):
        rows[min(int((reached + width / 2) / sum(widths) * lines), lines - 1)].append(entry)
        reached += width
    return rows


def _key(picture: Image.Image, rows: Sequence[Sequence[KeyEntry]], style: Style, top: float) -> None:
    """What signs mean, under a line, spread over the width of the picture."""
    size = key_size(style)
    draw = ImageDraw.Draw(picture)
    margin = style.sizes["margin"]
    face = font(style.fonts["text"], size)
    draw.line([(margin, top - size * 0.45), (picture.width - margin, top - size * 0.45)], style.colours["faint_ink"], 2)
    for number, row in enumerate(rows):
        taken = sum(icon.width + size * 0.3 + face.getlength(text) for icon, text in row)
        gap = (picture.width - 2 * margin - taken) / max(len(row) - 1, 1)
        x, y = margin, top + size * (0.6 + 1.7 * number)
        for icon, text in row:
            picture.paste(icon, (round(x), round(y - icon.height / 2)), icon)
            x += icon.width + size * 0.3
            draw.text((x, y), text, font=face, fill=style.colours["ink"], anchor="lm")
            x += face.getlength(text) + gap


def trimmed(sign: Image.Image) -> Image.Image:
    """A sign without the clear margin at its sides."""
    box = sign.getbbox()
    return sign if box is None else sign.crop((box[0], 0, box[2], sign.height))


def _columns(scene: AnyScene, style: Style, room: float) -> int:
    """How many powers, with all their figures, fit next to each other."""
    words, legend = load_phrases(scene.system), scene.legend
    widest = max((_figures_width(words, row.figures, style) for row in legend), default=0.0)
    most = max(1, min(COLUMNS, len(legend), int(room / (widest + style.sizes["legend"] * 2.4))))
    # No row much shorter than the others.
    return math.ceil(len(legend) / math.ceil(len(legend) / most)) if legend else most


def _title(picture: Image.Image, scene: AnyScene, style: Style, height: int) -> None:
    words = load_phrases(scene.system)
    draw = ImageDraw.Draw(picture)
    middle = picture.width / 2
    room = picture.width - 2 * style.sizes["margin"]
    file = style.fonts["title"]
    title = " ".join(printable(words.render(scene.title), file).split())
    title, size = shrunk(title, file, style.sizes["title"], room)
    line = style.sizes["margin"] * 0.62 + style.sizes["title"] * 0.55
    draw.text(
        (middle, line),
        title,
        font=font(style.fonts["title"], size),
        fill=style.colours["ink"],
        anchor="mm",
    )
    half = font(style.fonts["title"], size).getlength(title) / 2 + 40
    if "initial" in style.colours:
        # A rubricated first letter, over the same letter in ink.
        at = (middle - half + 40, line)
        initial = style.colours["initial"]
        draw.text(at, title[:1], font=font(style.fonts["title"], size), fill=initial, anchor="lm")
    _flourish(draw, middle - half, line + size * 0.05, -1, style.colours["faint_ink"])
    _flourish(draw, middle + half, line + size * 0.05, 1, style.colours["faint_ink"])
    if scene.caption is not None:
        caption = _fitted(words.render(scene.caption), style.fonts["text"], style.sizes["caption"], room)
        face = font(style.fonts["text"], style.sizes["caption"])
        draw.text(
            (middle, height - style.sizes["caption"] * 0.95), caption, font=face, fill=style.colours["ink"], anchor="mm"
        )


def _title_on_map(picture: Image.Image, scene: AnyScene, style: Style, room: TitleRoom) -> None:
    """The title and, where there is room, the caption below it, with a halo; each in two lines if it is long."""
    words = load_phrases(scene.system)
    left, top, right, bottom = room
    across = right - left
    lines = _lines_of(words.render(scene.title), style.fonts["title"], style.sizes["title"], across)
    total, least = sum(size for _, size in lines), style.sizes["caption"] * _LEAST_CAPTION
    share = min(1.0, (bottom - top) / (1.1 * total))
    above_caption = (bottom - top - 1.2 * least) / (1.2 * total)
    if scene.caption is not None and above_caption >= _HARDLY_SMALLER:
        # A little smaller, the title leaves a line for the caption.
        share = min(share, above_caption)
    shown = [(text, style.fonts["title"], size * share) for text, size in lines]
    if scene.caption is not None:
        headline, wanted = words.render(scene.caption), style.sizes["caption"] * _ON_MAP
        below = bottom - top - sum(size * 1.2 for *_, size in shown) + 1
        caption = _in_room(headline, style, wanted, (across, below))
        if min(size for _, size in caption) >= least:
            shown += [(text, style.fonts["text"], size) for text, size in caption]
    draw = ImageDraw.Draw(picture)
    for number, (text, file, size) in enumerate(shown):
        _haloed(picture, (left, top + size * 0.55), _fitted(text, file, size, across), file, size, style)
        if number == 0 and "initial" in style.colours:
            draw.text(
                (left, top + size * 0.55), text[:1], font=font(file, size), fill=style.colours["initial"], anchor="lm"
            )
        top += size * 1.2


def _in_room(text: str, style: Style, wanted: float, room: tuple[float, float]) -> list[tuple[str, float]]:
    """A headline in one line or two, as large as a width and a height allow."""
    file = style.fonts["text"]
    lines = _lines_of(text, file, wanted, room[0])
    across = min(room[0] / length(line, file, size) for line, size in lines)
    share = max(0.0, min(1.0, across, room[1] / (1.15 * sum(size for _, size in lines))))
    return [(line, size * share) for line, size in lines]


def _haloed(picture: Image.Image, at: tuple[float, float], text: str, file: str, size: float, style: Style) -> None:
    """Words on the map, legible on whatever lies under them."""
    write_haloed(
        picture,
        at,
        text,
        file,
        size,
        ink=style.colours.get("title_ink", style.colours["ink"]),
        halo=style.colours["halo"],
        halo_px=max(2, round(size * 0.09)),
    )


def _lines_of(text: str, file: str, size: float, room: float) -> list[tuple[str, float]]:
    """A text in one line, or in two if it would be much too small, with their size."""
    text = " ".join(printable(text, file).split())
    whole = _size_for(text, file, size, room)
    if whole >= size * _ONE_LINE and length(text, file, whole) <= room:
        return [(text, whole)]
    words = text.split(" ")
    halves = [(" ".join(words[:cut]), " ".join(words[cut:])) for cut in range(1, len(words))]
    if not halves:
        return [(text, whole)]
    # Preferably after a comma or a full stop.
    best = min(halves, key=lambda pair: max(map(len, pair)) - 6 * pair[0].endswith((",", "·")))
    halved = min(_size_for(half, file, size, room) for half in best)
    return [(half, halved) for half in best]


_HARDLY_SMALLER, _ONE_LINE = 0.7, 0.65
"""How much smaller a title may be so that there is room for a caption, and so that it needs only one line."""
_ON_MAP = 1.35
"""The size of a caption on a board, where it is a headline, compared with that on a sheet."""
_LEAST_CAPTION = 0.7
"""A caption's least size, as a share of that on a sheet: a smaller one would be illegible on a board."""


def _strip_title(picture: Image.Image, scene: AnyScene, style: Style, height: int) -> None:
    """The title at the left of a strip above the map, the caption at its right."""
    words = load_phrases(scene.system)
    edge, room, size = SLIM_PX * 2, picture.width - SLIM_PX * 4, style.sizes["title"] * 0.9
    text, file = words.render(scene.title), style.fonts["title"]
    size = _size_for(text, file, size, room)
    title = _fitted(text, file, size, room)
    write(picture, (edge, height * 0.52), title, file, size, ink=style.colours["ink"])
    if "initial" in style.colours:
        write(picture, (edge, height * 0.52), title[:1], file, size, ink=style.colours["initial"])
    left = room - length(title, file, size) - size
    if scene.caption is not None and left > style.sizes["caption"] * 4:
        file, size = style.fonts["text"], style.sizes["caption"] * _ON_MAP
        caption = last_parts(printable(words.render(scene.caption), file), file, size, left)
        size = _size_for(caption, file, size, left)
        caption = _fitted(caption, file, size, left)
        at = picture.width - edge - length(caption, file, size), height * 0.55
        write(picture, at, caption, file, size, ink=style.colours["ink"])


def _size_for(text: str, file: str, size: float, room: float) -> float:
    """The size at which a text fits in a line, at least three fifths of the usual size."""
    least, text = size * 0.6, " ".join(printable(text, file).split())
    # Letters are set on whole pixels: a line does not shrink evenly.
    while size > least and (wide := length(text, file, size)) > room:
        size = max(min(size * room / wide, size - 0.5), least)
    return size


def _fitted(text: str, file: str, size: float, room: float) -> str:
    """The text in one line and characters that the font has, cut to the room with an ellipsis."""
    text = " ".join(printable(text, file).split())
    return cut(text, file, size, room)


def _flourish(draw: ImageDraw.ImageDraw, x: float, y: float, direction: int, colour: Colour) -> None:
    """A thin ornament next to the title: a line with a lozenge."""
    draw.line([(x, y), (x + direction * 150, y)], fill=colour, width=2)
    centre = x + direction * 18
    draw.polygon([(centre - 9, y), (centre, y - 6), (centre + 9, y), (centre, y + 6)], fill=colour)


def _frame(picture: Image.Image, box: tuple[int, int, int, int], style: Style) -> None:
    """A neat line: a band of dark and light lengths between two rules, as in atlases.

    Styles may give the dark lengths two more colours, in turn.
    """
    draw = ImageDraw.Draw(picture)
    left, top, right, bottom = box
    dark, light = style.colours["frame"], style.colours["halo"]
    lengths = [style.colours[name] for name in ("frame_in_turn", "frame_in_turn_too") if name in style.colours] or [
        dark
    ]
    draw.rectangle((left, top, right - 1, bottom - 1), fill=dark)
    draw.rectangle((left + 3, top + 3, right - 4, bottom - 4), fill=light)
    for along, across in ((right - left, "x"), (bottom - top, "y")):
        pieces = 2 * round(along / 150) + 1
        for piece in range(0, pieces, 2):
            start, end = round(along * piece / pieces), round(along * (piece + 1) / pieces)
            colour = lengths[piece // 2 % len(lengths)]
            for near, far in ((5, FRAME_PX - 5), (-FRAME_PX + 4, -6)):
                if across == "x":
                    y0, y1 = (top + near, top + far) if near > 0 else (bottom + near, bottom + far)
                    draw.rectangle((left + start, y0, left + end - 1, y1), fill=colour)
                else:
                    x0, x1 = (left + near, left + far) if near > 0 else (right + near, right + far)
                    draw.rectangle((x0, top + start, x1, top + end - 1), fill=colour)
    draw.rectangle((left + FRAME_PX - 2, top + FRAME_PX - 2, right - FRAME_PX + 1, bottom - FRAME_PX + 1), fill=dark)


def _legend(
    picture: Image.Image, scene: AnyScene, style: Style, powers: Mapping[str, PowerStyle], rows: tuple[int, int, int]
) -> None:
    top, row_height, columns = rows
    margin = style.sizes["margin"]
    width = (picture.width - 2 * margin) / columns
    words = load_phrases(scene.system)
    for place, row in enumerate(scene.legend):
        corner = (margin + place % columns * width, top + place // columns * row_height)
        is_viewer = row.power == scene.viewer
        text_x = _legend_cell(picture, row, style, powers[row.power], corner, width, is_viewer=is_viewer)
        _figures(picture, words, row.figures, style, (text_x, corner[1] + style.sizes["legend"] * 1.52))


def _legend_cell(
    picture: Image.Image,
    row: LegendRow,
    style: Style,
    power: PowerStyle,
    corner: tuple[float, float],
    width: float,
    *,
    is_viewer: bool,
) -> float:
    """Draw a power's land, shield and name; returns where the name begins."""
    draw = ImageDraw.Draw(picture)
    size = style.sizes["legend"]
    x, y = corner
    swatch = _swatch(power, style, round(size * 1.9))
    picture.paste(swatch, (round(x), round(y)))
    token = glyphs.unit_token("shield", power.colour, power.letter, size * 0.68, style.fonts["strong"])
    picture.paste(token, (round(x + size * 0.95 - token.width / 2), round(y + size * 0.95 - token.height / 2)), token)
    text_x = x + size * 2.2
    ink = style.colours["faint_ink"] if row.is_out else style.colours["ink"]
    name = _fitted(power.name, style.fonts["strong"], size, width - size * 2.4)
    face = font(style.fonts["strong"], size)
    draw.text((text_x, y + size * 0.5), name, font=face, fill=ink, anchor="lm")
    if row.is_out:
        draw.line(
            [(text_x - 3, y + size * 0.52), (text_x + face.getlength(name) + 3, y + size * 0.52)], fill=ink, width=3
        )
    if power.sign:
        sign = faith_sign(power.sign, size * 0.42)
        picture.paste(sign, (round(text_x + face.getlength(name) + size * 0.3), round(y + size * 0.06)), sign)
    if is_viewer:
        end = text_x + face.getlength(name)
        draw.line([(text_x, y + size * 1.02), (end, y + size * 1.02)], fill=style.colours["failed"], width=4)
    return text_x


def _figures(
    picture: Image.Image,
    words: Catalogue,
    figures: Sequence[tuple[str, int]],
    style: Style,
    at: tuple[float, float],
) -> None:
    """Counts in a row: a star for centres, a shield for units, in words for anything else."""
    size = style.sizes["legend"] * 0.92
    draw = ImageDraw.Draw(picture)
    x, y = at
    for name, count in figures:
        icon = _icon(name, size, style.fonts["strong"])
        if icon is not None:
            picture.paste(icon, (round(x), round(y - icon.height / 2)), icon)
            x += icon.width + size * 0.12
        text = _counted(words, name, count, has_icon=icon is not None)
        face = font(style.fonts["label"], size)
        draw.text((x, y), text, font=face, fill=style.colours["ink"], anchor="lm")
        x += face.getlength(text) + size * 0.55


def _counted(words: Catalogue, name: str, count: int, *, has_icon: bool) -> str:
    if not has_icon:
        return words.render(phrase(f"legend.{name}", count=count))
    if name.startswith(_HALF):
        whole = f"{count // 2}" if count > 1 or count == 0 else ""
        return f"{whole}{'½' if count % 2 else ''}"
    return f"{count}"


def _figures_width(words: Catalogue, figures: Sequence[tuple[str, int]], style: Style) -> float:
    size = style.sizes["legend"] * 0.92
    face = font(style.fonts["label"], size)
    width = 0.0
    for name, count in figures:
        icon = _icon(name, size, style.fonts["strong"])
        text = _counted(words, name, count, has_icon=icon is not None)
        width += face.getlength(text) + size * 0.55 + (0 if icon is None else icon.width + size * 0.12)
    return width


_UNIT: Colour = (150, 138, 118)
_ICONS: Mapping[str, Callable[[float, str], Image.Image]] = {
    "centres": lambda size, file: glyphs.centre_mark(None, "", size * 0.36, file),
    "castles": lambda size, file: glyphs.castle_mark(None, "", size * 0.36, file),
    "knights": lambda size, file: glyphs.unit_token("horse", _UNIT, "", size * 0.34, file),
    "fleets": lambda size, file: glyphs.unit_token("galley", _UNIT, "", size * 0.32, file),
    "units": lambda size, file: glyphs.unit_token("shield", _UNIT, "", size * 0.32, file),
    "half_points": lambda size, file: glyphs.numeral("", glyphs.GOLD, size * 0.32, file),
    "cities": lambda size, file: trimmed(site_mark(Site("square", is_plundered=True), size * 0.34, file)),
    **{
        name: lambda size, file, name=name: trimmed(site_mark(Site(name), size * 0.34, file))  # type: ignore[misc]
        for name in SITES
    },
}
"""The signs of figures, by name."""
SIGNS_OF_FIGURES = frozenset(_ICONS)


@lru_cache(maxsize=16)
def _icon(name: str, size: float, file: str) -> Image.Image | None:
    return _ICONS[name](size, file) if name in _ICONS else None


@lru_cache(maxsize=64)
def _swatch_of(colour: Colour, hatch: str, paper: Colour, edge: Colour, tint: float, side: int) -> Image.Image:
    swatch = Image.new("RGB", (side, side), mixed(colour, paper, tint))
    swatch.paste(mixed(colour, paper, 0.62), (0, 0), glyphs.hatching(hatch, (side, side)))
    ImageDraw.Draw(swatch).rectangle((0, 0, side - 1, side - 1), outline=edge, width=3)
    return swatch


def _swatch(power: PowerStyle, style: Style, side: int) -> Image.Image:
    """A square of the power's land."""
    colours = style.colours
    return _swatch_of(power.colour, power.hatch, colours["paper"], colours["coast"], style.tint["inside"], side)
