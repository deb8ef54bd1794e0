"""What a picture of a map of provinces is drawn on: the map, which part of it is shown, and how each power looks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bot.render.basemap import Anchor, Basemap
from bot.render.camera import Camera
from bot.render.style import Colour, PowerStyle, mixed, rgb
from engine.core.variant import load_variant
from engine.lattice.tiling import Point
from engine.pictures.scene import Scene


@dataclass(frozen=True, slots=True)
class MapCanvas:
    """Everything that drawing a scene needs apart from the scene."""

    basemap: Basemap
    camera: Camera
    powers: Mapping[str, PowerStyle]

    def size(self, name: str) -> float:
        """A size of the style on the picture."""
        return self.camera.length(self.basemap.style.sizes[name])

    def colour(self, name: str) -> Colour:
        """A colour of the style."""
        return self.basemap.style.colours[name]

    def anchor(self, place: str) -> Anchor:
        """The anchor of a place; a coast without its own uses its province's."""
        anchors = self.basemap.anchors
        return anchors[place] if place in anchors else anchors[place.partition("/")[0]]

    def unit_at(self, place: str, *, is_dislodged: bool = False) -> Point:
        """Where a unit at a place is on the picture."""
        anchor = self.anchor(place)
        return self.camera.at(anchor.dislodged if is_dislodged else anchor.unit)


def power_styles(scene: Scene, basemap: Basemap) -> dict[str, PowerStyle]:
    """The style of every power that the variant or the scene names."""
    known = load_variant(scene.system, scene.variant).powers
    named = [row.power for row in scene.legend] + [unit.power for unit in scene.units] + list(scene.fills.values())
    named += [arrow.power for arrow in scene.arrows] + [mark.power for mark in scene.marks if mark.power]
    result: dict[str, PowerStyle] = {}
    for place, power in enumerate(dict.fromkeys([*known, *named])):
        colour, hatch = basemap.style.power(power, place)
        looks = basemap.style.powers.get(power, {})
        own = known.get(power)
        name = own.name if own else looks.get("name", power.replace("_", " ").title())
        letter = own.letter if own else looks.get("letter", name[:1])
        ink = rgb(looks["ink"]) if "ink" in looks else mixed(colour, basemap.style.colours["paper"], 0.62)
        result[power] = PowerStyle(colour, hatch, letter, name, ink, looks.get("shape", ""), looks.get("sign", ""))
    return result
