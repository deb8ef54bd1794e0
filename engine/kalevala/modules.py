"""Which part of the game an order belongs to, and whether a game has that part. Source: rules R-098

A game may do without some parts. They are options, listed in `info.MODULES`; an order of a part that a game leaves
out, or that doesn't exist yet, is refused with V30.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.kalevala import orders
from engine.kalevala.agents import orders as agent_orders
from engine.kalevala.caravans.orders import OF_CARAVANS
from engine.kalevala.gods import orders as god_orders
from engine.kalevala.info import MODULES
from engine.kalevala.kings import orders as king_orders
from engine.kalevala.model import State
from engine.kalevala.planes.orders import OF_PLANES
from engine.kalevala.priests.orders import OF_TEMPLES
from engine.kalevala.war import plans

_ORDERS: Mapping[str, tuple[type, ...]] = {
    "agents": agent_orders.OF_AGENTS,
    "gods": god_orders.OF_GODS,
    "king": (*king_orders.OF_KINGS, plans.PalaceTaking),
    "merchants": (*OF_CARAVANS, orders.Handover, orders.Enfeoff, orders.AcceptFief),
    "planes": (*OF_PLANES, orders.People),
    "priests": (*OF_TEMPLES, plans.Prayer),
    "sea": (orders.Sail, orders.Embark, orders.Disembark, orders.Ferry),
    "slaves": (plans.Enslave, orders.EnslavePeople),
}
"""What belongs to a module: orders, and lines of plans for battles."""
_MODULE: Mapping[type, str] = {kind: module for module, kinds in _ORDERS.items() for kind in kinds}
_FIGURES: Mapping[str, str] = {"Pr": "priests", "K": "merchants", "Ag": "agents", "My": "planes"}
"""Figures that exist only in games with the module, by their code."""


def has_module(state: State, module: str) -> bool:
    """Whether a game has a part that is an option."""
    return bool(state.options.get(module, MODULES[module]))


def has_figure(state: State, code: str) -> bool:
    """Whether a game has figures of a kind at all."""
    return code not in _FIGURES or has_module(state, _FIGURES[code])


def is_absent(state: State, order: orders.Order) -> bool:
    """Whether a line belongs to a part that doesn't exist yet, or that this game leaves out. Source: rules R-103"""
    meant = order.what if isinstance(order, plans.Planned) else order
    if isinstance(meant, orders.Absent):
        return True
    module = _MODULE.get(type(meant))
    return module is not None and not has_module(state, module)
