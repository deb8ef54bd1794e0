"""Dealings with other nations as commands: with whom, about what, and the resulting order. Source: rules 4.4"""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.doors import Door
from engine.core.orders import Choice
from engine.king_of_kings import commands
from engine.king_of_kings.board import variant_of
from engine.king_of_kings.listing import ceded
from engine.king_of_kings.model import Line, View
from engine.king_of_kings.narrative import place
from engine.king_of_kings.steps.opening import open_turn
from engine.king_of_kings.working import Turn
from engine.lattice.squares import Cell


def partners(view: View, orders: Sequence[Line] = ()) -> tuple[Choice, ...]:
    """The other nations that somebody plays, in the order of their numbers."""
    powers = variant_of(view.state).powers
    others = (nation for nation in view.state.nations if nation != view.viewer and view.state.is_played(nation))
    return tuple(Choice(nation, powers[nation].name) for nation in others)


def places_to_cede(view: View, orders: Sequence[Line] = ()) -> tuple[Choice, ...]:
    """The viewer's provinces that are not isolated, in map order. Source: rules 4.4, CEDE"""
    if view.viewer is None:
        return ()
    turn = Turn.open(view.state, {}, None)
    open_turn(turn)
    return tuple(Choice(_written(turn, cell), place(turn, cell)) for cell in ceded(turn, view.viewer))


def _coordinates(view: View, what: str) -> str:
    """A place as orders name it; other text is left as it is, so that the order is refused for it."""
    turn = Turn.open(view.state, {}, None)
    named = (area.cell for area in turn.areas if area.name and area.name.casefold() == what.casefold())
    return next((_written(turn, cell) for cell in named), what.replace("/", " ").replace(",", " "))


def _written(turn: Turn, cell: Cell) -> str:
    x, y = turn.grid.xy(cell)
    return f"{x} {y}"


DOORS: tuple[Door[View, Line], ...] = (
    Door(
        info=commands.ALLY,
        completions={"nation": partners},
        order=lambda view, orders, given: f"ALL {given['nation']} {given['status']}",
    ),
    Door(
        info=commands.DONATE,
        completions={"nation": partners},
        order=lambda view, orders, given: f"DONATE {given['nation']} {given['gold']}",
    ),
    Door(
        info=commands.CEDE,
        completions={"place": places_to_cede, "nation": partners},
        # A place may be written `7/18`, `7,18` or by its name too.
        order=lambda view, orders, given: f"CEDE {_coordinates(view, given['place'])} {given['nation']}",
    ),
)
"""`/ally`, `/donate` and `/cede`."""
