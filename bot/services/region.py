"""What part of a map to look at, as players write it: places and powers by name, separated by commas.

On boards of squares a place is also a column and a row (`12 7`) or a span of both (`10-20 5-9`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product

from bot.model import GameId, UserId
from bot.services.context import Context
from bot.services.errors import did_you_mean, refused, refused_with
from bot.services.scenarios import has_own_map
from bot.services.setup import opening_of
from bot.services.table import get_game, get_rules, power_of, read_table
from engine.core.depiction import Depiction
from engine.core.gazetteer import gazetteer_of
from engine.core.ids import PlaceId, ProvinceId, province_of
from engine.core.phrases import Phrase, phrase
from engine.core.variant import Power, Variant
from engine.core.viewer import viewer_of
from engine.core.words import plain_words
from engine.lattice.tiling import TileId
from engine.pictures.realm import whole_board
from engine.pictures.scene import Scene
from engine.pictures.tiles import TileScene

WHOLE = "all"
"""The whole map, where a game shows less of its own accord."""


def focus(context: Context, game_id: GameId, user_id: UserId | None, scene: Depiction, text: str) -> Depiction:
    """A scene of a game, about nothing but the region that a person, or (`None`) everybody, means by a text.

    Raises:
        Refused: there is no such game, or they know no such name; near misses are named.
    """
    return close_up(_atlas(context, game_id, user_id), scene, text)


def close_up(atlas: Variant | None, scene: Depiction, text: str) -> Depiction:
    """The scene, about nothing but the region that a text names; `all`: the whole map.

    Args:
        atlas: the names that may be known; a board of tiles has its own.

    Raises:
        Refused: a name is unknown; near misses are named.
    """
    is_whole = text.strip().casefold() == WHOLE
    if isinstance(scene, TileScene):
        tiles = () if is_whole else _find_tiles(scene, text)
        # A single tile that is made of cells is shown by them.
        return replace(scene, focus=tiles, opened=tiles[0] if scene.grounds and len(tiles) == 1 else None)
    if isinstance(scene, Scene) and atlas is not None:
        if is_whole:
            return whole_board(scene)
        return replace(scene, focus=_find_provinces(atlas, scene, text), lit=None, is_part=False)
    return scene


def _find_provinces(variant: Variant, scene: Scene, text: str) -> tuple[ProvinceId, ...]:
    """The provinces that are meant. A power means its home centres, what it owns, and where its units stand."""
    found: dict[ProvinceId, None] = {}
    for name in filter(None, map(str.strip, text.split(","))):
        provinces = _of_power(variant, scene, name) or _of_place(variant, name)
        if not provinces:
            _refuse_absent(variant.powers.values(), name)
            known = [power.name for power in variant.powers.values()]
            known += [space.name for space in variant.spaces.values()]
            raise refused_with(did_you_mean(name, known), "unknown_region", name=name)
        found.update(dict.fromkeys(provinces))
    return tuple(found)


def suggest_regions_of(context: Context, game_id: GameId, user_id: UserId | None, typed: str) -> Sequence[str]:
    """What `suggest_regions` suggests of what a person, or (`None`) everybody, knows of a game's map.

    Nothing before the game begins, unless there is a map to look at.
    """
    atlas = _atlas(context, game_id, user_id)
    return () if atlas is None else suggest_regions(atlas, typed)


def _atlas(context: Context, game_id: GameId, user_id: UserId | None) -> Variant | None:
    with context.reading() as unit:
        game = get_game(unit, game_id)
        seats = unit.games.seats(game_id)
    rules = get_rules(context, game)
    if game.document is not None:
        return read_table(context, game, seats).atlas(viewer_of(power_of(seats, user_id)))
    return opening_of(rules, game)[0] if has_own_map(rules, game.scenario) else None


def suggest_regions(variant: Variant, typed: str) -> Sequence[str]:
    """Texts that what was typed could become, its last name completed: the whole map and powers first, then places."""
    head, comma, tail = typed.rpartition(",")
    front = f"{head.strip()}, " if comma else ""
    begun = tail.strip().casefold()
    powers = [power.name for power in variant.powers.values()]
    places = sorted(space.name for space in variant.spaces.values())
    names = list(dict.fromkeys([*(() if comma else (WHOLE,)), *powers, *places]))
    ids = {space.name: space.id.casefold() for space in variant.spaces.values()}
    fitting = [name for name in names if begun in name.casefold() or ids.get(name) == begun]
    fitting.sort(key=lambda name: not (name.casefold().startswith(begun) or ids.get(name) == begun))
    return [front + name for name in fitting]


def _refuse_absent(powers: Iterable[Power], name: str) -> None:
    """Refuses the name of a power: one that had anything on the map would have been found."""
    for power in powers:
        if _is_called(power, name):
            raise refused("nothing_on_map", name=power.name)


def _is_called(power: Power, name: str) -> bool:
    return name.casefold() in (power.id.casefold(), power.name.casefold())


def _of_power(variant: Variant, scene: Scene, name: str) -> Iterable[ProvinceId]:
    power = next((own for own in variant.powers.values() if _is_called(own, name)), None)
    if power is None:
        return ()
    homes = [space.id for space in variant.spaces.values() if space.home == power.id]
    owned = [province for province, owner in scene.fills.items() if owner == power.id]
    return dict.fromkeys((*homes, *owned, *(province_of(unit.place) for unit in scene.units if unit.power == power.id)))


def _of_place(variant: Variant, name: str) -> Iterable[ProvinceId]:
    gazetteer = gazetteer_of(variant)
    words = plain_words(name)
    end, exact = gazetteer.match(words, 0)
    if words and end == len(words):
        return exact
    place = province_of(PlaceId(name.upper()))
    return (place,) if place in variant.spaces else gazetteer.beginning(words) if words else ()


_SPAN = re.compile(r"(\d{1,4})(?:\s*-\s*(\d{1,4}))?")
_SQUARES = re.compile(rf"{_SPAN.pattern}(?:\s+|\s*/\s*){_SPAN.pattern}")


def _find_tiles(scene: TileScene, text: str) -> tuple[TileId, ...]:
    """The tiles that are meant. A power means what it owns, and where its troops stand."""
    found: dict[TileId, None] = {}
    for name in filter(None, map(str.strip, text.split(","))):
        tiles = _tiles_of_power(scene, name) or _of_name(scene, name) or _in_span(scene, name)
        if not tiles:
            _refuse_absent(scene.powers, name)
            raise refused_with(_near_tile(scene, name), "unknown_region", name=name)
        found.update(dict.fromkeys(tiles))
    return tuple(found)


def _near_tile(scene: TileScene, name: str) -> Phrase | None:
    """Names near to what was written, or how squares are written on this board."""
    known = [power.name for power in scene.powers]
    known += [text for tile in scene.tiles.values() for text in (tile.name, tile.tag)]
    hint = None if _SQUARES.fullmatch(name) else did_you_mean(name, list(filter(None, known)))
    columns, rows = len(scene.board.columns), len(scene.board.rows)
    return hint or (phrase("refused.hint.squares", column=columns - 1, row=rows - 1) if columns else None)


def _tiles_of_power(scene: TileScene, name: str) -> Sequence[TileId]:
    power = next((own.id for own in scene.powers if _is_called(own, name)), None)
    if power is None:
        return ()
    return [
        at
        for at, tile in scene.tiles.items()
        if power in (tile.owner, tile.home_of) or any(troops.power == power for troops in tile.troops)
    ]


def _of_name(scene: TileScene, name: str) -> Sequence[TileId]:
    wanted = name.casefold()
    named = [at for at, tile in scene.tiles.items() if wanted in (tile.name.casefold(), tile.tag.casefold())]
    short = wanted.replace("+", "")
    return named or [at for at, tile in scene.tiles.items() if short and short == tile.tag.casefold().replace("+", "")]


def _in_span(scene: TileScene, text: str) -> Sequence[TileId]:
    match = _SQUARES.fullmatch(text)
    if match is None:
        return ()
    left, right, top, bottom = (int(part) if part else None for part in match.groups())
    assert left is not None
    assert top is not None
    columns = range(left, min(right if right is not None else left, len(scene.board.columns) - 1) + 1)
    rows = range(top, min(bottom if bottom is not None else top, len(scene.board.rows) - 1) + 1)
    return list(product(columns, rows))
