"""For newcomers to Feudal Europe: the goal, and orders to begin with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.core.phrases import Phrase, phrase
from engine.feudal import choosing
from engine.feudal.adjustments import default_builds
from engine.feudal.listing import legal
from engine.feudal.model import KING, Castle, Choose, Immobilize, Order, Support, View, format_order
from engine.provinces.examples import common_examples
from engine.provinces.orders import Disband, Move
from engine.provinces.phases import PhaseKind

_NAMED = 3
"""Centres in the example of a list."""


def goal(view: View) -> Phrase:
    """Enough centres, or the last King."""
    return phrase("about.goal", count=view.state.options["victory_centres"], all=len(view.state.centres))


def examples(view: View) -> tuple[Phrase, ...]:
    """A list of centres, a castle; a move, a support, magic; a way to retreat; a unit to build."""
    state = view.state
    orders = [order for listed in legal(view).values() for order in listed]
    free = {centre for centre, owner in state.centres.items() if owner is None}
    if view.viewer is not None and state.phase.kind is PhaseKind.ADJUSTMENTS and orders:
        # The build that is shown is the King's, where he would be by default: in the castle.
        orders = [*default_builds(state, view.viewer), *orders]
    # Who disbands the King is out of the game.
    orders = [order for order in orders if not (isinstance(order, Disband) and order.kind == KING)]
    # Who loses the King is out: the move that is shown is another unit's, if one can march.
    orders.sort(key=lambda order: isinstance(order, Move) and order.kind == KING)
    marching = {order.to for order in orders if isinstance(order, Move) and order.kind != KING}
    common = common_examples(orders, format_order, free=free & marching if marching else free)
    return (*_choosing(view, orders), *common, *_helping(orders))


def _choosing(view: View, orders: Sequence[Order]) -> Iterator[Phrase]:
    centres = tuple(dict.fromkeys(order.centre for order in orders if isinstance(order, Choose)))
    if centres and view.viewer is not None:
        code = "example.choose"
        if choosing.is_quick(view.state):
            code, named = "example.choose_all", tuple(choosing.spread(view.state, view.viewer))
        else:
            rotated = choosing.rotated(view.state, view.viewer, centres)
            named = tuple(rotated[: min(_NAMED, choosing.list_length(view.state, view.viewer))])
        code = "example.choose_one" if len(named) == 1 else code
        yield phrase(code, order=f"CHOOSE: {', '.join(named)}", places=named)
    for order in [order for order in orders if isinstance(order, Castle)][:1]:
        yield phrase("example.castle", order=format_order(order), place=order.centre)


def _helping(orders: Sequence[Order]) -> Iterator[Phrase]:
    """A support for a move of the power's own, and what a wizard can do.

    None for nomads: those who begin have no use for it.
    """
    moves = {(order.at, order.to) for order in orders if isinstance(order, Move)}
    supports = [order for order in orders if isinstance(order, Support)]
    chosen = {
        "example.support": [one for one in supports if (one.of, one.to) in moves and not one.is_distant],
        "example.distant": [one for one in supports if (one.of, one.to) in moves and one.is_distant],
    }
    for code, found in chosen.items():
        for order in found[:1]:
            yield phrase(code, order=format_order(order), unit=f"{order.of_kind} {order.of}", place=order.target)
    for spell in [order for order in orders if isinstance(order, Immobilize)][:1]:
        yield phrase("example.immobilize", order=format_order(spell), unit=f"{spell.of_kind} {spell.of}")
