"""What part of a map to look at, as players write it: places and powers by name, parted by commas."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.model import Game
from bot.services.errors import did_you_mean, refused_with
from engine.core.gazetteer import gazetteer_of
from engine.core.ids import PlaceId, ProvinceId, province_of
from engine.core.scene import Scene
from engine.core.variant import Variant, load_variant
from engine.core.words import plain_words


def find_region(game: Game, scene: Scene, text: str) -> tuple[ProvinceId, ...]:
    """The provinces that are meant. A power means its home centres, what it owns, and where its units stand.

    Raises:
        Refused: a name is unknown; near misses are named.
    """
    variant = load_variant(game.system, game.variant)
    found: dict[ProvinceId, None] = {}
    for name in filter(None, map(str.strip, text.split(","))):
        provinces = _of_power(variant, scene, name) or _of_place(variant, name)
        if not provinces:
            known = [power.name for power in variant.powers.values()]
            known += [province.name for province in variant.board.provinces.values()]
            raise refused_with(did_you_mean(name, known), "unknown_region", name=name)
        found.update(dict.fromkeys(provinces))
    return tuple(found)


def suggest_regions(game: Game, typed: str) -> Sequence[str]:
    """Texts that what was typed could become, its last name completed: powers first, then places."""
    variant = load_variant(game.system, game.variant)
    head, comma, tail = typed.rpartition(",")
    front = f"{head.strip()}, " if comma else ""
    begun = tail.strip().casefold()
    names = [power.name for power in variant.powers.values()]
    names += sorted(province.name for province in variant.board.provinces.values())
    ids = {province.name: province.id.casefold() for province in variant.board.provinces.values()}
    fitting = [name for name in names if begun in name.casefold() or ids.get(name) == begun]
    fitting.sort(key=lambda name: not (name.casefold().startswith(begun) or ids.get(name) == begun))
    return [front + name for name in fitting]


def _of_power(variant: Variant, scene: Scene, name: str) -> Iterable[ProvinceId]:
    wanted = name.casefold()
    power = next((own for own in variant.powers.values() if wanted in (own.id.casefold(), own.name.casefold())), None)
    if power is None:
        return ()
    homes = [province.id for province in variant.board.provinces.values() if province.home == power.id]
    owned = [province for province, owner in scene.fills.items() if owner == power.id]
    return dict.fromkeys((*homes, *owned, *(province_of(unit.place) for unit in scene.units if unit.power == power.id)))


def _of_place(variant: Variant, name: str) -> Iterable[ProvinceId]:
    gazetteer = gazetteer_of(variant.board)
    words = plain_words(name)
    end, exact = gazetteer.match(words, 0)
    if words and end == len(words):
        return exact
    place = province_of(PlaceId(name.upper()))
    return (place,) if place in variant.board.provinces else gazetteer.beginning(words) if words else ()
