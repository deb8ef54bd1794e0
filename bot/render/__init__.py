"""Maps as pictures: scenes in, PNG out, or GIF for films. The only part that uses Pillow.

`render_scene` is a pure function; `MapRenderer` is the same as the port `Renderer`. Both may be called from any thread.

    from scene to file  encode, png, palette, film
    provinces           raster: basemap (kept), camera, map_canvas, map_ground, order_lines (arrows), labels,
                        marks (signs, sites), tokens (places), key
    squares and hexes   tiles: tile_canvas, ground, terrain, marches, realms, fog
    hexes in hexes      great_fields: field_sight, field_ground (land), field_ways, field_words, field_frame, field_key;
                        opened_field, battle_site
    other pictures      cards, charter, chart
    for all of them     style, panels, glyphs (shapes), woodcuts, lettering, ornaments, knotwork, lull
"""

from __future__ import annotations

from bot.model import Picture
from engine.core.depiction import Depiction
from engine.pictures.film import Film

__all__ = ["MapRenderer", "render_scene"]


class MapRenderer:
    """Fulfils the port `Renderer`. Pillow and the maps are loaded when the first picture is drawn."""

    def draw(self, shown: Depiction, /, *, width_px: int | None = None, with_key: bool = False) -> Picture:
        """The picture of a scene (see `render_scene`), a hand of cards or a chart; for a film, an animated one."""
        if isinstance(shown, Film):
            from bot.render.film import draw_film

            return draw_film(shown, width_px=width_px)
        from bot.render.encode import encoded

        return encoded(shown, width_px=width_px, with_key=with_key)


def render_scene(shown: Depiction, *, width_px: int | None = None, with_key: bool = False) -> bytes:
    """The PNG of a scene or a hand of cards.

    Args:
        width_px: make the picture this wide; by default as wide as its map needs.
        with_key: for a scene, a sheet with legend and key, not the board alone.

    Raises:
        FileNotFoundError: the variant has no map.
    """
    return MapRenderer().draw(shown, width_px=width_px, with_key=with_key).file
