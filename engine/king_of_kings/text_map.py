"""The map as text: axes, and for every square its land, owner and units. Source: rules 11"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import chain

from engine.core.ids import PowerId
from engine.king_of_kings.model import Province, State, Units
from engine.lattice.squares import Cell

DISLOYAL, ISOLATED = "*", "!"
"""The marks of provinces that follow another nation, and of those that are cut off. Source: rules 11."""
_MOST_ON_A_SQUARE = 16
"""The most letters of a square; more troops are listed with the places of their nation."""
_GAP = " "


def text_map(state: State, isolated: Set[Cell]) -> Iterator[str]:
    """The rows of the map, with the columns' numbers above and below, the rows' numbers on both sides.

    A square is `Y1!:2F1BCt`: the letter of its land, its owner's number, its marks, its units and their tactic; at sea
    each fleet after the number of its nation: `~:1 3S2F 2 1S`.
    """
    columns, rows = state.width, len(state.provinces) // state.width
    squares = [_square(state, Cell(cell), isolated) for cell in range(len(state.provinces))]
    across = [str(x) for x in range(columns)]
    widths = [max(map(len, (across[x], *squares[x::columns]))) for x in range(columns)]
    margin = len(str(rows - 1))
    axis = _row("", across, widths, margin)
    yield axis
    for y in range(rows):
        yield _row(str(y), squares[y * columns : (y + 1) * columns], widths, margin)
    yield axis


def _row(number: str, texts: Sequence[str], widths: Sequence[int], margin: int) -> str:
    cells = (text.ljust(width) for text, width in zip(texts, widths, strict=True))
    return _GAP.join(chain((number.rjust(margin),), cells, (number,))).rstrip()


def _square(state: State, cell: Cell, isolated: Set[Cell]) -> str:
    province = state.provinces[cell]
    owner = str(state.nations[province.owner].number) if province.owner is not None else ""
    head = f"{state.rules.terrain[province.terrain].letter}{owner}{_marks(state, province)}"
    if cell in isolated:
        head += ISOLATED
    return f"{head}:{shortened(_troops(state, province), _MOST_ON_A_SQUARE)}" if province.units else head


def _marks(state: State, province: Province) -> str:
    is_disloyal = state.options.loyalty and province.owner is not None and province.loyal_to != province.owner
    return DISLOYAL if is_disloyal else ""


def _troops(state: State, province: Province) -> str:
    """The units on a square: on land the owner's with their tactic, at sea those of each nation."""
    if not state.rules.terrain[province.terrain].is_sea:
        (units,) = province.units.values()
        return unit_letters(state, units).replace(" ", "") + str(province.tactic).lower()
    return " ".join(_fleet(state, nation, units) for nation, units in _in_order(state, province.units))


def _in_order(state: State, units: Mapping[PowerId, Units]) -> list[tuple[PowerId, Units]]:
    return sorted(units.items(), key=lambda there: state.nations[there[0]].number)


def _fleet(state: State, nation: PowerId, units: Units) -> str:
    return f"{state.nations[nation].number} {unit_letters(state, units).replace(' ', '')}"


def shortened(text: str, most: int) -> str:
    """A text as it fits into a column of so many characters, with an ellipsis if it goes on."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def unit_letters(state: State, units: Units) -> str:
    """Units as the map has them: `3F 2B C`. Castles and generals are there once at most, by rule. Source: rules 11."""
    troops = state.rules.troops
    return " ".join(
        symbol if amount == 1 and (troops[symbol].is_static or troops[symbol].is_general) else f"{amount}{symbol}"
        for symbol, amount in units.items()
    )
