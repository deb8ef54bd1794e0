"""Dealings with other nations by commands of their own: with whom, about what, and the order that it comes to."""

from __future__ import annotations

from engine.core.orders import Choice
from engine.core.specialities import Treaty
from engine.king_of_kings.board import variant_of
from engine.king_of_kings.grid import Cell
from engine.king_of_kings.listing import ceded
from engine.king_of_kings.model import View
from engine.king_of_kings.narrative import place
from engine.king_of_kings.steps.opening import open_turn
from engine.king_of_kings.working import Turn


def order_text(view: View, treaty: Treaty, other: str, what: str) -> str:
    """`ALL blue 2`, `DONATE blue 35`, `CEDE 7 18 blue`; a place may be written `7/18`, `7,18` or by its name too."""
    match treaty:
        case Treaty.ALLY:
            return f"ALL {other} {what}"
        case Treaty.DONATE:
            return f"DONATE {other} {what}"
        case Treaty.CEDE:
            return f"CEDE {_coordinates(view, what)} {other}"


def partners(view: View) -> tuple[Choice, ...]:
    """The other nations that somebody plays, in the order of their numbers."""
    powers = variant_of(view.state).powers
    others = (nation for nation in view.state.nations if nation != view.viewer and view.state.is_played(nation))
    return tuple(Choice(nation, powers[nation].name) for nation in others)


def places_to_cede(view: View) -> tuple[Choice, ...]:
    """The viewer's provinces that are not isolated, in map order. Source: rules 4.4, CEDE"""
    if view.viewer is None:
        return ()
    turn = Turn.open(view.state, {}, None)
    open_turn(turn)
    return tuple(Choice(_written(turn, cell), place(turn, cell)) for cell in ceded(turn, view.viewer))


def _coordinates(view: View, what: str) -> str:
    """As an order names a place; what is no name of a place stays as it is, for the order to be refused by it."""
    turn = Turn.open(view.state, {}, None)
    named = (area.cell for area in turn.areas if area.name and area.name.casefold() == what.casefold())
    return next((_written(turn, cell) for cell in named), what.replace("/", " ").replace(",", " "))


def _written(turn: Turn, cell: Cell) -> str:
    x, y = turn.grid.xy(cell)
    return f"{x} {y}"
