"""A moment of a battle: cells with their numbers, stacks as tokens, blows as arrows, and who has fallen.

The shape of their tokens distinguishes the sides: attackers are round, defenders square, guests and third
parties six-cornered.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial

from PIL import Image, ImageDraw

from bot.render import arrows, glyphs
from bot.render.field_ground import ground_of
from bot.render.field_sight import canvas_of, relief_of
from bot.render.fog import lay
from bot.render.glyphs import put
from bot.render.knotwork import framed
from bot.render.land import Relief, ground_colour
from bot.render.opened_field import draw_edges, draw_sign
from bot.render.style import Colour, Style, cut, font, load_style, mixed, printable, readable_on, wrapped
from bot.render.tile_canvas import TileCanvas, write, written
from engine.core.phrases import phrase
from engine.core.variant import load_phrases
from engine.lattice.great_fields import CELLS, Side, cell_over
from engine.lattice.tiling import Point
from engine.pictures.cells import UNSEEN
from engine.pictures.site import Blow, Figurine, SiteCell, SiteScene, SiteSide, SiteSign

_TOKEN, _LIFT = 0.37, 0.13
"""Half a token's width, and how far it is above the number of its cell, in cells."""
_SMALL, _ASIDE = 0.29, 0.19
"""The same where there is a building or another token, and how far it is moved aside there."""
_STOREY, _STOREYS = 0.25, {"P": -0.26, "I": 0.24}
"""The same on a storey, and how far a platform is above the middle of its cell, and the inside below."""
_TOKEN_RIM = 0.42
"""How far from the middle of a token the arrow of a shot at it ends."""
_FALLEN, _FALLEN_ASIDE = 0.20, 0.10
"""Half the width of the number of the fallen, and how far from the middle of its cell it may be aside: the numbers of
the cells above are at both sides."""
_FOOT = 0.38
Plate = tuple[float, float, float, float]
"""The box of a text: left, top, right, bottom."""
_NUMBERED_PX = 20
"""Smaller cells have no numbers."""
_STRIP = 1.2
_NARROW, _BROADEST = 0.9, 1.25
"""The width over height above which a site's signs are below it, and that of a picture with signs beside it."""
_ENLARGED, _LINE = 1.5, 8.0
"""How much larger words beside a site are than below it, and their longest line in heights of their letters."""
_BESIDE_WORDS = 0.3
"""The share of a line that the samples of a side may take if its words are to fit next to them."""


def draw_battle(scene: SiteScene, *, with_key: bool = False) -> tuple[Image.Image, tuple[Colour, ...]]:
    """The picture, and the colours that must stay as they are."""
    style = load_style(scene.system, scene.variant)
    canvas = canvas_of(scene, style)
    picture, _ = ground_of(canvas)
    relief = relief_of(canvas)
    _mesh(picture, canvas, relief)
    taken = {token.at for token in scene.tokens}
    for at, tile in canvas.tiles():
        if tile.cells is not None:
            draw_edges(picture, canvas, relief, at, tile.cells)
            for sign in tile.cells.signs:
                x, y = relief.middle(at, sign.cell)
                cell_px, is_free = relief.cell_px, (at, sign.cell) not in taken
                middle = (x, y) if is_free else (x - cell_px * 0.25, y - cell_px * 0.06)
                draw_sign(picture, canvas, middle, sign.kind, cell_px * (1.0 if is_free else 0.7), is_site=sign.is_site)
    places = places_of(canvas, relief, scene)
    names = places_of_names(picture, canvas, relief, [*places.values()])
    _blows(picture, canvas, relief, [blow for blow in scene.blows if blow.is_shot])
    for token, (middle, radius) in places.items():
        put(picture, _glyph(token, scene, canvas, radius), middle)
    for glyph, spot in names:
        put(picture, glyph, spot)
    _numbers(picture, canvas, relief, [_plate_of(*each) for each in names])
    _damages(picture, canvas, relief, scene)
    _flights(picture, canvas, relief, scene)
    _blows(picture, canvas, relief, [blow for blow in scene.blows if not blow.is_shot])
    _fallen(picture, canvas, relief, scene, places)
    result = framed(_with_strips(picture, canvas, scene), style)
    meaningful = [glyphs.LIGHT, glyphs.DARK, *style.colours.values()]
    meaningful += [canvas.powers[power].colour for side in scene.sides for power in side.powers]
    meaningful += [ground_colour(ground, style) for ground in scene.grounds.values()]
    return result, tuple(dict.fromkeys(meaningful))[:200]


def _mesh(picture: Image.Image, canvas: TileCanvas, relief: Relief) -> None:
    """Thin lines between cells, strong ones between and around tiles."""
    size = picture.width * 2, picture.height * 2
    thin, strong = Image.new("L", size), Image.new("L", size)
    draw_thin, draw_strong = ImageDraw.Draw(thin), ImageDraw.Draw(strong)
    inner, outer = max(2, round(relief.cell_px * 0.03)), max(3, round(relief.cell_px * 0.10))
    for at, tile in canvas.tiles():
        if tile.cells is None:
            continue
        for cell in range(1, CELLS + 1):
            corners = [(x * 2, y * 2) for x, y in relief.corners(at, cell)]
            for side in Side:
                line = corners[side], corners[(side + 1) % 6]
                step, other = cell_over(cell, side)
                if step != (0, 0):
                    draw_strong.line(line, fill=255, width=outer)
                elif other > cell:
                    draw_thin.line(line, fill=110, width=inner)
    lay(picture, thin.reduce(2), canvas.style.colours["coast"])
    lay(picture, strong.reduce(2), canvas.style.colours["ink"])


def _numbers(picture: Image.Image, canvas: TileCanvas, relief: Relief, names: Sequence[Plate]) -> None:
    """The number of each cell, at its foot, unless the name of a tile is there."""
    if relief.cell_px < _NUMBERED_PX:
        return
    for at, tile in canvas.tiles():
        if tile.cells is None:
            continue
        for cell in range(1, CELLS + 1):
            x, y = relief.middle(at, cell)
            half = relief.cell_px * 0.2
            is_in_sight = 0 < x < picture.width and 0 < y < picture.height
            # Whole, also in a cell that the edge of the picture cuts.
            x = min(max(x, half), picture.width - half)
            foot = min(y + relief.cell_px * _FOOT, picture.height - half * 0.7)
            if any(x0 - half < x < x1 + half and y0 - half < foot < y1 + half for x0, y0, x1, y1 in names):
                continue
            if is_in_sight:
                ink = "fog_ink" if tile.cells.grounds[cell - 1] == UNSEEN else "ink"
                write(
                    picture,
                    canvas.style,
                    (x, foot),
                    f"{cell}",
                    relief.cell_px * 0.30,
                    face="label",
                    ink=ink,
                )


_CORNERS = ((-0.43, -0.40), (0.43, -0.40), (0.43, 0.40), (-0.43, 0.40))


def places_of_names(
    picture: Image.Image, canvas: TileCanvas, relief: Relief, figures: Sequence[tuple[Point, float]]
) -> list[tuple[Image.Image, Point]]:
    """The coordinates of each tile: in a free corner next to it, else on cells of its own without tokens or signs."""
    found = []
    middles = [canvas.middle(at) for at, _ in canvas.tiles()]
    size = canvas.side * 0.075
    for at, tile in canvas.tiles():
        x, y = canvas.middle(at)
        glyph = written(canvas.style, tile.tag, size, face="label")
        across, down = glyph.width * 0.55, glyph.height * 0.55
        # Nearer to the tile where the picture ends.
        corners = [
            (min(max(left, across), picture.width - across), min(max(top, down), picture.height - down))
            for left, top in ((x + dx * canvas.side, y + dy * canvas.side) for dx, dy in _CORNERS)
        ]
        free = [spot for spot in corners if all(math.dist(spot, middle) > canvas.side * 0.54 for middle in middles)]
        cells = [relief.middle(at, cell) for cell in range(1, CELLS + 1)]
        own = [
            spot
            for spot in cells
            if across <= spot[0] <= picture.width - across
            and down <= spot[1] <= picture.height - down
            and all(min(middles, key=partial(math.dist, edge)) == (x, y) for edge in _edges(glyph, spot))
        ]
        own.sort(key=lambda spot: -math.dist(spot, (picture.width / 2, picture.height / 2)))
        signs = [] if tile.cells is None else [(relief.middle(at, each.cell), 0.0) for each in tile.cells.signs]
        clear = partial(_clearance, [*figures, *signs], (glyph.width / 2, glyph.height / 2))
        spots = [*free, *own] or corners
        found.append((glyph, next((spot for spot in spots if clear(spot) >= 0), max(spots, key=clear))))
    return found


def _edges(glyph: Image.Image, spot: Point) -> list[Point]:
    """The left and right end of a text at a spot."""
    return [(spot[0] + aside * glyph.width / 2, spot[1]) for aside in (-1, 1)]


def _plate_of(glyph: Image.Image, spot: Point) -> Plate:
    across, down = glyph.width * 0.55, glyph.height * 0.55
    return spot[0] - across, spot[1] - down, spot[0] + across, spot[1] + down


def _clearance(obstacles: Sequence[tuple[Point, float]], half: Point, spot: Point) -> float:
    """How far a text of this half width and height at a spot is from the nearest token; below 0: it covers part."""

    def away(place: Point, radius: float) -> float:
        (x, y), (across, down) = place, half
        return max(abs(spot[0] - x) - across, abs(spot[1] - y) - down) - radius

    return min((away(*each) for each in obstacles), default=math.inf)


# --- Who stands where ---------------------------------------------------------------------------------------


def places_of(canvas: TileCanvas, relief: Relief, scene: SiteScene) -> dict[Figurine, tuple[Point, float]]:
    """The middle of each token and half its width; tokens of one cell are side by side."""
    built = {(at, sign.cell) for at, tile in canvas.tiles() if tile.cells for sign in tile.cells.signs}
    crowd = Counter((token.at, token.storey) for token in scene.tokens)
    seen: Counter[tuple[SiteCell, str]] = Counter()
    found = {}
    for token in scene.tokens:
        x, y = relief.middle(*token.at)
        where = token.at, token.storey
        cell_px, many = relief.cell_px, crowd[where]
        radius = cell_px * (_TOKEN if many == 1 and token.at not in built else _SMALL)
        if token.storey:
            radius = cell_px * _STOREY
            y += cell_px * _STOREYS[token.storey]
        if many > 1:
            x += (seen[where] - (many - 1) / 2) * cell_px * 2 * _ASIDE
        elif token.storey:
            x += cell_px * _ASIDE / 2
        elif token.at in built:
            x += cell_px * _ASIDE
        seen[where] += 1
        found[token] = (x, y - cell_px * _LIFT), radius
    return found


def _glyph(token: Figurine, scene: SiteScene, canvas: TileCanvas, radius: float) -> Image.Image:
    power = canvas.powers[token.power]
    side = next((side for side in scene.sides if token.power in side.powers), None)
    letter = power.letter if side is not None and len(side.powers) > 1 else token.storey
    style = canvas.style
    return token_glyph(
        scene.role_of(token.power), power.colour, token.text, token.more, letter, round(radius), style.fonts["strong"],
        token.is_phalanx,
    )  # fmt: skip


@lru_cache(maxsize=1024)
def token_glyph(
    role: str,
    colour: Colour,
    text: str,
    more: str,
    letter: str,
    radius_px: int,
    file: str,
    is_phalanx: bool = False,
    is_fleeing: bool = False,
) -> Image.Image:
    """A stack: its main figures in large letters, others below."""
    scale = 4
    radius = radius_px * scale
    half = round(radius * 1.35)
    picture, draw = glyphs.blank_sign(half)
    body = mixed(colour, glyphs.LIGHT, 0.35) if is_fleeing else colour
    for shift in ((-0.14, -0.14), (0.0, 0.0)) if text[:1].isdigit() and text[:1] != "1" else ((0.0, 0.0),):
        x, y = half + shift[0] * radius, half + shift[1] * radius
        for reach, fill in ((1.13, glyphs.LIGHT), (1.06, glyphs.DARK), (0.94, body)):
            draw.polygon(_outline(role, (x, y), radius * reach), fill=(*fill, 255))
        if is_phalanx:
            draw.line([*_outline(role, (x, y), radius * 0.86)], fill=(*glyphs.LIGHT, 255), width=round(radius * 0.07))
    ink = readable_on(body, glyphs.DARK, glyphs.LIGHT)
    room = radius * (1.62 if role != "others" else 1.5)
    lines = [(text, 1.02 if more else 1.16, -0.26 if more else 0.0)]
    lines += [(more, 0.66, 0.48)] if more else []
    for words, size, shift_y in lines:
        size = min(size * radius, size * radius * room / font(file, size * radius).getlength(words))
        draw.text((half, half + shift_y * radius), words, font=font(file, size), fill=(*ink, 255), anchor="mm")
    if letter:
        corner = half, half - radius * 0.96
        box = [
            corner[0] - radius * 0.34,
            corner[1] - radius * 0.34,
            corner[0] + radius * 0.34,
            corner[1] + radius * 0.34,
        ]
        draw.ellipse(box, fill=(*glyphs.LIGHT, 255), outline=(*glyphs.DARK, 255), width=round(radius * 0.05))
        draw.text(corner, letter, font=font(file, radius * 0.5), fill=(*glyphs.DARK, 255), anchor="mm")
    return picture.convert("RGBa").reduce(scale).convert("RGBA")


def _outline(role: str, middle: Point, radius: float) -> list[Point]:
    x, y = middle
    if role == "attackers":
        angles = [math.pi * step / 24 for step in range(48)]
    elif role == "defenders":
        reach = radius * 0.92
        return [(x - reach, y - reach), (x + reach, y - reach), (x + reach, y + reach), (x - reach, y + reach)]
    else:
        angles = [math.pi * step / 3 for step in range(6)]
        radius *= 1.08
    return [(x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles]


def _damages(picture: Image.Image, canvas: TileCanvas, relief: Relief, scene: SiteScene) -> None:
    """The hits of a building at its left, and a cross on each edge where a wall or a gate is broken."""
    draw, style = ImageDraw.Draw(picture), canvas.style
    for damage in scene.damages:
        x, y = relief.middle(*damage.at)
        reach = relief.cell_px * 0.14
        if damage.side is None:
            glyph = _loss("others", damage.text, round(relief.cell_px * 0.17), style)
            put(picture, glyph, (x - relief.cell_px * 0.40, y + relief.cell_px * 0.30))
            continue
        corners = relief.corners(*damage.at)
        (left, top), (right, bottom) = corners[damage.side], corners[(damage.side + 1) % 6]
        x, y = (left + right) / 2, (top + bottom) / 2
        for width, ink in ((reach * 0.95, glyphs.LIGHT), (reach * 0.5, style.colours["failed"])):
            for dx in (-1, 1):
                line = (x - reach * dx, y - reach, x + reach * dx, y + reach)
                draw.line(line, fill=ink, width=max(2, round(width)))


# --- What happens -------------------------------------------------------------------------------------------


def _flights(picture: Image.Image, canvas: TileCanvas, relief: Relief, scene: SiteScene) -> None:
    """Those who got away: pale, with dots in the direction in which they went."""
    pen, cell_px, style = arrows.Pen(picture), relief.cell_px, canvas.style
    for flight in scene.flights:
        x, y = relief.middle(*flight.at)
        to_x, to_y = canvas.sight.pixel(canvas.sight.board.middle(flight.to), canvas.side)
        line = arrows.path([(x, y), (to_x, to_y)]).part(cell_px * 0.3, cell_px * 1.9)
        colour = canvas.powers[flight.power].colour
        layers = [(cell_px * 0.17, glyphs.LIGHT), (cell_px * 0.13, glyphs.DARK), (cell_px * 0.08, colour)]
        parts = arrows.dashes(line.part(0, line.length - cell_px * 0.3), cell_px * 0.04, cell_px * 0.24)
        pen.arrow(line, layers, head_px=cell_px * 0.36, parts=parts)
        role, file = scene.role_of(flight.power), style.fonts["strong"]
        put(
            picture,
            token_glyph(role, colour, flight.text, "", "", round(cell_px * _SMALL), file, is_fleeing=True),
            (x, y),
        )


def _blows(picture: Image.Image, canvas: TileCanvas, relief: Relief, all_blows: Iterable[Blow]) -> None:
    """One arrow for all blows from a cell to another: full if one has killed, else hollow.

    Shots go under the tokens that they pass, and end before the one that they are for.
    """
    pen, cell_px, style = arrows.Pen(picture), relief.cell_px, canvas.style
    found: dict[tuple[SiteCell, SiteCell, bool], list[Blow]] = {}
    for blow in all_blows:
        found.setdefault((blow.start, blow.end, blow.is_shot), []).append(blow)
    for (start, end, is_shot), blows in found.items():
        has_killed = any(blow.has_killed for blow in blows)
        (x, y), (to_x, to_y) = _raised(relief, start), _raised(relief, end)
        far = math.dist((x, y), (to_x, to_y)) or 1.0
        # Blows in return are drawn next to the first ones.
        aside = cell_px * 0.10 / far
        x, y, to_x, to_y = (
            x - (to_y - y) * aside,
            y + (to_x - x) * aside,
            to_x - (to_y - y) * aside,
            to_y + (to_x - x) * aside,
        )
        line = arrows.path([(x, y), (to_x, to_y)]).part(
            cell_px * 0.34, far - cell_px * (_TOKEN_RIM if is_shot else 0.31)
        )
        width = cell_px * (0.055 if is_shot else 0.105)
        core = style.colours["failed"] if has_killed else glyphs.LIGHT
        layers = [(width * 2.1, glyphs.LIGHT), (width * 1.6, glyphs.DARK), (width * 0.8, core)]
        parts = (
            arrows.dashes(line.part(0, line.length - cell_px * 0.2), cell_px * 0.16, cell_px * 0.10)
            if is_shot
            else None
        )
        pen.arrow(line, layers, head_px=cell_px * 0.25, parts=parts)


def _raised(relief: Relief, cell: SiteCell) -> Point:
    x, y = relief.middle(*cell)
    return x, y - relief.cell_px * _LIFT


def _fallen(
    picture: Image.Image,
    canvas: TileCanvas,
    relief: Relief,
    scene: SiteScene,
    places: Mapping[Figurine, tuple[Point, float]],
) -> None:
    """How many fell on a cell, above their token, of storeys at its right; the rim has the shape of their side."""
    cell_px, taken = relief.cell_px, set[Point]()
    for fallen in scene.fallen:
        x, y = relief.middle(*fallen.at)
        token = next((token for token in scene.tokens if (token.at, token.power) == (fallen.at, fallen.power)), None)
        (token_x, token_y), radius = (
            places[token] if token is not None else ((x, y - cell_px * _LIFT), cell_px * _TOKEN)
        )
        if token is not None and token.storey:
            spot = token_x + radius + cell_px * 0.12, token_y
        else:
            aside = min(max(token_x - x, -cell_px * _FALLEN_ASIDE), cell_px * _FALLEN_ASIDE)
            spot = x + aside, token_y - radius - cell_px * 0.08
        while any(math.dist(spot, other) < 2 * cell_px * _FALLEN for other in taken):
            spot = spot[0] + cell_px * _FALLEN, spot[1]
        taken.add(spot)
        glyph = _loss(scene.role_of(fallen.power), f"-{fallen.count}", round(cell_px * _FALLEN), canvas.style)
        put(picture, glyph, spot)


@lru_cache(maxsize=64)
def _loss(role: str, text: str, radius_px: int, style: Style) -> Image.Image:
    scale = 4
    radius = radius_px * scale
    half = round(radius * 1.3)
    picture, draw = glyphs.blank_sign(half)
    for reach, fill in ((1.2, glyphs.LIGHT), (1.06, style.colours["failed"])):
        draw.polygon(_outline(role, (half, half), radius * reach), fill=(*fill, 255))
    size = radius * 1.35
    file = style.fonts["strong"]
    size *= min(1.0, radius * 1.75 / font(file, size).getlength(text))
    draw.text((half, half), text, font=font(file, size), fill=(*glyphs.LIGHT, 255), anchor="mm")
    return picture.convert("RGBa").reduce(scale).convert("RGBA")


# --- What is printed around ---------------------------------------------------------------------------------


def _with_strips(picture: Image.Image, canvas: TileCanvas, scene: SiteScene) -> Image.Image:
    """Add the title above, and the sides with the shapes of their tokens below.

    They are beside a high and narrow site, since each line below would make it smaller still.
    """
    style = canvas.style
    head = round(style.sizes["title"] * _STRIP)
    size, is_narrow = style.sizes["legend"], picture.width <= picture.height * _NARROW
    size *= _ENLARGED if is_narrow else 1
    sides, signs = (
        _sides(scene.sides, canvas, size),
        [*_signs(scene.signs, canvas, size), *_beyond(scene, canvas, size)],
    )
    if not is_narrow:
        room = picture.width - 24
        rows = _legend(sides, style, size, room) + _legend(signs, style, size, room)
        width, height = picture.width, picture.height + (sum(row.height for row in rows) + 8 if rows else 0)
        corner = (12, head + picture.height + 6)
        border = ((0, head + picture.height), (picture.width, head + picture.height))
    else:
        room = round(min(picture.height * _BROADEST - picture.width, _LINE * size))
        rows = _legend([*sides, *signs], style, size, room, is_list=True)
        width, height = picture.width + room + 24, picture.height
        corner = (picture.width + 14, head + 12)
        border = ((picture.width, head), (picture.width, head + height))
    result = Image.new("RGB", (width, head + height), style.colours["band"])
    result.paste(picture, (0, head))
    _title(result, canvas, scene, head)
    draw = ImageDraw.Draw(result)
    draw.line(((0, head - 1), (width, head - 1)), fill=style.colours["frame"], width=3)
    if rows:
        draw.line(border, fill=style.colours["frame"], width=3)
    x, y = corner
    for row in rows:
        result.paste(row, (x, y), row)
        y += row.height
    return result


def _title(result: Image.Image, canvas: TileCanvas, scene: SiteScene, head: int) -> None:
    style, words = canvas.style, load_phrases(scene.system)
    size, width = style.sizes["title"], result.width
    draw = ImageDraw.Draw(result)
    file = style.fonts["title"]
    title = cut(printable(words.render(scene.title), file), file, size, width * 0.75)
    label = font(style.fonts["label"], size)
    draw.text((14, head * 0.5), scene.tag, font=label, fill=style.colours["ink"], anchor="lm")
    left = 14 + label.getlength(f"{scene.tag} ")
    draw.text((left, head * 0.5), title, font=font(file, size), fill=style.colours["ink"], anchor="lm")
    left += font(file, size).getlength(title) + size * 0.6
    if scene.caption is not None and width - 14 - left > style.sizes["caption"] * 4:
        small = style.fonts["text"], style.sizes["caption"]
        caption = cut(printable(words.render(scene.caption), small[0]), *small, width - 14 - left)
        draw.text((width - 14, head * 0.54), caption, font=font(*small), fill=style.colours["faint_ink"], anchor="rm")


Explained = tuple[Sequence[Image.Image], str]
"""Samples, and what they are."""


def _sides(sides: Sequence[SiteSide], canvas: TileCanvas, size: float) -> Iterator[Explained]:
    """The sides, each with a sample of its tokens and its words."""
    words, radius = load_phrases(canvas.scene.system), round(size * 0.48)
    for side in sides:
        yield [_sample(side, power, canvas, radius) for power in side.powers], words.render(side.what)


def _signs(signs: Sequence[SiteSign], canvas: TileCanvas, size: float) -> Iterator[Explained]:
    """The other signs of a battle: storeys, hits, what is broken, who fell."""
    words, radius = load_phrases(canvas.scene.system), round(size * 0.42)
    for sign in signs:
        yield [_sample_of(sign.kind, canvas.style, radius)], words.render(sign.what)


def _beyond(scene: SiteScene, canvas: TileCanvas, size: float) -> Iterator[Explained]:
    """Tokens outside the picture, and where they are."""
    words, radius = load_phrases(scene.system), round(size * 0.48)
    for token in scene.beyond:
        tile, cell = token.at
        sample = _glyph(replace(token, storey=""), scene, canvas, radius)
        yield [sample], words.render(phrase("battle.beyond", place=f"{scene.tiles[tile].tag}:{cell}"))


def _sample_of(kind: str, style: Style, radius: int) -> Image.Image:
    if kind == "hits":
        return _loss("others", "3", radius, style)
    if kind == "fallen":
        return _loss("attackers", "-2", radius, style)
    scale, half = 4, round(radius * 1.3) * 4
    picture = Image.new("RGBA", (2 * half, 2 * half), (*glyphs.LIGHT, 0))
    draw, reach = ImageDraw.Draw(picture), radius * scale
    if kind == "broken":
        for width, ink in ((0.62, glyphs.LIGHT), (0.36, style.colours["failed"])):
            for dx in (-0.7, 0.7):
                line = half - reach * dx, half - reach * 0.7, half + reach * dx, half + reach * 0.7
                draw.line(line, fill=(*ink, 255), width=round(reach * width))
    else:
        box = (half - reach, half - reach, half + reach, half + reach)
        draw.ellipse(box, fill=(*glyphs.LIGHT, 255), outline=(*glyphs.DARK, 255), width=round(reach * 0.12))
        face = font(style.fonts["strong"], reach * 1.4)
        draw.text((half, half), kind[0].upper(), font=face, fill=(*glyphs.DARK, 255), anchor="mm")
    return picture.convert("RGBa").reduce(scale).convert("RGBA")


def _legend(
    entries: Iterable[Explained], style: Style, size: float, room: int, *, is_list: bool = False
) -> list[Image.Image]:
    """Samples with their words, in as many lines as they need; as a list, each begins a line, many samples above it."""
    file = style.fonts["strong"]
    face, height = font(file, size), round(size * 1.35)
    rows: list[Image.Image] = []
    x = float(room)
    for samples, words in entries:
        wide = sum(sample.width for sample in samples)
        text = printable(words, file)
        is_above = is_list and len(samples) > 1 and wide > room * _BESIDE_WORDS
        if is_list:
            lines = wrapped(text, file, size, room - (0 if is_above else wide) - size * 0.4)
        else:
            lines = [cut(text, file, size, room - wide - size)]
        if is_above:
            lines = ["", *lines]
        needed = wide + size * 0.3 + max(map(face.getlength, lines))
        if is_list or x + needed > room:
            rows.append(Image.new("RGBA", (room, height * len(lines)), (*style.colours["band"], 0)))
            x = 0.0
        for sample in samples:
            rows[-1].paste(sample, (round(x), (height - sample.height) // 2), sample)
            x += sample.width
        x = 0.0 if is_above else x
        draw = ImageDraw.Draw(rows[-1])
        for number, line in enumerate(lines):
            draw.text(
                (x + size * 0.2, height * (number + 0.5)), line, font=face, fill=style.colours["ink"], anchor="lm"
            )
        x += size * 1.2 + max(map(face.getlength, lines))
    return rows


def _sample(side: SiteSide, power: str, canvas: TileCanvas, radius: int) -> Image.Image:
    shown = canvas.powers[power]
    return token_glyph(side.role, shown.colour, shown.letter, "", "", radius, canvas.style.fonts["strong"])
