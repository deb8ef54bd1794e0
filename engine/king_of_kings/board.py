"""The nations and squares of a game as a `Variant`, to look up names. Made from the position."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import chain, count

from engine.core.ids import PowerId, ProvinceId
from engine.core.variant import Power, Space, Variant
from engine.core.words import in_capitals
from engine.king_of_kings import tables
from engine.king_of_kings.model import MONSTERS, State
from engine.lattice.squares import grid_of


def variant_of(state: State) -> Variant:
    """The squares and the nations of a game. A cell's id is its coordinates: `7,18`.

    A nation's number is another name of it, unless one is named so (ruling K-75).
    """
    names = tuple(province.name for province in state.provinces)
    nations = tuple((nation.id, nation.name, nation.number, nation.article) for nation in state.nations.values())
    return _variant(nations, state.width, names)


@lru_cache(maxsize=16)
def _variant(
    nations: tuple[tuple[PowerId, str, int, bool | None], ...], width: int, spaces: tuple[str | None, ...]
) -> Variant:
    base = tables.classic()
    proper = {row["id"]: row for row in base.tables["nations"]}
    letters = {identifier: proper[identifier]["letter"] for identifier, *_ in nations if identifier in proper}
    names = {identifier for identifier, *_ in nations}
    powers = []
    for identifier, name, number, article in nations:
        if identifier not in proper:
            letters[identifier] = _letter(name, taken=letters.values())
        full = proper[identifier]["name"] if identifier in proper else in_capitals(name[0]) + name[1:]
        aliases = () if str(number) in names else (str(number),)
        takes_article = identifier in {*proper, MONSTERS} if article is None else article
        powers.append(Power(identifier, full, letters[identifier], aliases, takes_article))
    return Variant(
        system=base.system,
        id=base.id,
        name=base.name,
        powers={power.id: power for power in powers},
        spaces=_spaces(width, spaces),
        settings=base.settings,
        tables=base.tables,
    )


def _letter(name: str, *, taken: Collection[str]) -> str:
    """A nation's sign on the map: its initial, followed by a letter or a number if others have the same one."""
    initial = in_capitals(name[0])
    tails = chain([""], (letter.lower() for letter in name[1:] if letter.isalnum()), map(str, count(2)))
    return next(initial + tail for tail in tails if initial + tail not in taken)


def _spaces(width: int, names: Sequence[str | None]) -> dict[ProvinceId, Space]:
    grid = grid_of(width, len(names) // width)
    spaces = {}
    for cell, name in zip(grid.cells, names, strict=True):
        x, y = grid.xy(cell)
        spaces[ProvinceId(grid.name(cell))] = Space(ProvinceId(grid.name(cell)), name or f"{x}/{y}")
    return spaces
