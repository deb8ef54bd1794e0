"""The square board as a `Variant`, for whoever asks for provinces and powers. Made from the position."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from itertools import chain, count

from engine.core.ids import PlaceId, PowerId, ProvinceId
from engine.core.variant import Power, Variant
from engine.core.words import in_capitals
from engine.king_of_kings import tables
from engine.king_of_kings.model import State
from engine.lattice.squares import Cell, grid_of
from engine.provinces.board import Board, Province, Terrain


def variant_of(state: State) -> Variant:
    """The board and the nations of a game. A cell's id is its coordinates: `7,18`.

    A nation's number is another name of it, unless one is named so (ruling K-75).
    """
    seas = frozenset(kind.name for kind in state.rules.terrain.values() if kind.is_sea)
    cells = tuple((province.terrain in seas, province.name) for province in state.provinces)
    return _variant(tuple((n.id, n.name, n.number) for n in state.nations.values()), state.width, cells)


@lru_cache(maxsize=16)
def _variant(
    nations: tuple[tuple[PowerId, str, int], ...], width: int, cells: tuple[tuple[bool, str | None], ...]
) -> Variant:
    base = tables.classic()
    proper = {row["id"]: row for row in base.tables["nations"]}
    letters = {identifier: proper[identifier]["letter"] for identifier, _, _ in nations if identifier in proper}
    names = {identifier for identifier, _, _ in nations}
    powers = []
    for identifier, name, number in nations:
        if identifier not in proper:
            letters[identifier] = _letter(name, taken=letters.values())
        full = proper[identifier]["name"] if identifier in proper else in_capitals(name[0]) + name[1:]
        aliases = () if str(number) in names else (str(number),)
        powers.append(Power(identifier, full, letters[identifier], aliases))
    return Variant(
        system=base.system,
        id=base.id,
        name=base.name,
        powers={power.id: power for power in powers},
        board=_board(width, cells),
        settings=base.settings,
        tables=base.tables,
    )


def _letter(name: str, *, taken: Collection[str]) -> str:
    """What stands for a nation on the map: its initial, with a letter or a number after it where others have that."""
    initial = in_capitals(name[0])
    tails = chain([""], (letter.lower() for letter in name[1:] if letter.isalnum()), map(str, count(2)))
    return next(initial + tail for tail in tails if initial + tail not in taken)


def _board(width: int, cells: tuple[tuple[bool, str | None], ...]) -> Board:
    grid = grid_of(width, len(cells) // width)
    ids = [ProvinceId(grid.name(cell)) for cell in grid.cells]

    def near(cell: Cell, *, is_sea: bool) -> tuple[ProvinceId, ...]:
        return tuple(sorted(ids[other] for other in grid.neighbours[cell] if cells[other][0] is is_sea))

    provinces = {}
    for cell, (is_sea, name) in zip(grid.cells, cells, strict=True):
        x, y = grid.xy(cell)
        land = Terrain.COAST if near(cell, is_sea=True) else Terrain.LAND
        provinces[ids[cell]] = Province(ids[cell], name or f"{x}/{y}", Terrain.SEA if is_sea else land)
    return Board(
        provinces=provinces,
        army_moves={ids[cell]: near(cell, is_sea=False) for cell in grid.cells},
        fleet_moves={PlaceId(ids[cell]): tuple(map(PlaceId, near(cell, is_sea=True))) for cell in grid.cells},
    )
