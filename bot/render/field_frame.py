"""What is printed around great fields: the title above, and the rulers in sight below."""

from __future__ import annotations

from dataclasses import replace

from PIL import Image, ImageDraw

from bot.render.field_words import stack_plate
from bot.render.style import PART, font, last_parts, least_length, printable, shrunk
from bot.render.tile_canvas import TileCanvas
from engine.core.phrases import phrase
from engine.core.variant import load_phrases
from engine.pictures.tiles import TileScene

_STRIP = 1.2
"""How high the strip of the title is, in sizes of its letters."""
_TITLE_BESIDE_CAPTION = 0.72
"""The share of the strip that it may take next to a caption."""
_WHOLE_CAPTION = 1.35
"""How much smaller than usual a caption may not become to keep its first part: the deadline alone is larger."""


def with_strips(picture: Image.Image, canvas: TileCanvas) -> Image.Image:
    """Add the title above, and the rulers in sight below."""
    style, scene = canvas.style, canvas.scene
    head = round(style.sizes["title"] * _STRIP)
    names = _names(canvas, picture.width - 24)
    foot = names.height + 8 if names is not None else 0
    result = Image.new("RGB", (picture.width, picture.height + head + foot), style.colours["band"])
    result.paste(picture, (0, head))
    draw = ImageDraw.Draw(result)
    words = load_phrases(scene.system)
    title, caption = words.render(scene.title), "" if scene.caption is None else words.render(scene.caption)
    opened = scene.tiles.get(scene.opened) if scene.opened is not None else None
    left: float = 14.0
    if opened is not None:
        title, caption = opened.name, caption or title
        face = font(style.fonts["label"], style.sizes["title"])
        draw.text((left, head * 0.5), opened.tag, font=face, fill=style.colours["ink"], anchor="lm")
        left += face.getlength(f"{opened.tag} ")
    file, size = style.fonts["title"], style.sizes["title"]
    room = picture.width - 28.0
    title = printable(title, file)
    needed = least_length(caption.split(PART)[-1], style.fonts["text"], style.sizes["caption"])
    most = min(room * _TITLE_BESIDE_CAPTION, room - needed - left - size * 0.6)
    if not caption or most < least_length(title, file, size):
        # Where the strip is too short for both, the caption, which stands above the picture too, gives way.
        caption, most = "", room - left + 14.0
    text, size = shrunk(title, file, size, most)
    draw.text((left, head * 0.50), text, font=font(file, size), fill=style.colours["ink"], anchor="lm")
    room -= left + font(file, size).getlength(text) + size * 0.6
    if caption and room > style.sizes["caption"] * 4:
        file = style.fonts["text"]
        caption = last_parts(printable(caption, file), file, style.sizes["caption"] * _WHOLE_CAPTION, room)
        caption, small = shrunk(caption, file, style.sizes["caption"], room)
        at = picture.width - 14, head * 0.54
        draw.text(at, caption, font=font(file, small), fill=style.colours["ink"], anchor="rm")
    rule = style.colours["frame"]
    draw.line(((0, head - 1), (picture.width, head - 1)), fill=rule, width=3)
    if names is not None:
        draw.line(((0, head + picture.height), (picture.width, head + picture.height)), fill=rule, width=3)
        result.paste(names, (12, head + picture.height + 6), names)
    return result


def _names(canvas: TileCanvas, room: int) -> Image.Image | None:
    """Each ruler in sight, by letter and name, in a line; those without room are counted."""
    style = canvas.style
    size = style.sizes["legend"]
    face = font(style.fonts["strong"], size)
    seen, words = present(canvas), load_phrases(canvas.scene.system)
    shown = [canvas.powers[power.id] for power in canvas.scene.powers if power.id in seen]
    if not shown:
        return None
    strip = Image.new("RGBA", (room, round(size * 1.3)), (*style.colours["band"], 0))
    draw = ImageDraw.Draw(strip)
    x = 0.0
    for number, power in enumerate(shown):
        plate = stack_plate("", power.letter, power.colour, round(size * 6.6), 1, style.fonts["strong"])
        rest = words.render(phrase("legend.others", count=len(shown) - number))
        needed = plate.width + size * 0.3 + face.getlength(power.name)
        if x + needed + (0 if number == len(shown) - 1 else face.getlength(rest) + size) > room:
            draw.text((x, strip.height / 2), rest, font=face, fill=style.colours["ink"], anchor="lm")
            break
        strip.paste(plate, (round(x), round((strip.height - plate.height) / 2)), plate)
        x += plate.width + size * 0.3
        draw.text((x, strip.height / 2), power.name, font=face, fill=style.colours["ink"], anchor="lm")
        x += face.getlength(power.name) + size * 0.9
    return strip


def present(canvas: TileCanvas) -> set[str]:
    """The powers in sight."""
    seen: set[str] = {march.power for march in canvas.marches()}
    tiles = (
        canvas.tiles()
        if canvas.scene.opened is None
        else [(canvas.scene.opened, canvas.scene.tiles[canvas.scene.opened])]
    )
    for _, tile in tiles:
        seen |= {troops.power for troops in tile.troops}
        seen |= {part.owner for part in (tile.cells.parts if tile.cells else ()) if part.owner is not None}
    return seen


def of_those_in_sight(canvas: TileCanvas) -> TileScene:
    """The scene with only the rulers in its legend whom the picture shows, and the viewer."""
    seen = {canvas.scene.viewer, *present(canvas)}
    return replace(canvas.scene, legend=tuple(row for row in canvas.scene.legend if row.power in seen))
