"""Legal orders at random, for players that the computer plays: a job for the workers, apart from whoever sends them."""

from __future__ import annotations

import random

from bot.ports import Json
from engine.core.ids import PowerId
from engine.core.reading import read_orders
from engine.core.viewer import Playing
from engine.registry import AnySystem


def draw_orders(
    rules: AnySystem, document: Json, power: PowerId, chance: random.Random
) -> tuple[tuple[str, ...], bool, random.Random]:
    """Orders that go together, at most one for each subject; moves rather than supports and holds.

    Args:
        document: the position.

    Returns: the orders, whether there are also default orders that could be taken, and the chance as it is after this.
    """
    view = rules.sight.view(rules.play.load(document), Playing(power))
    lines = []
    for orders in filter(None, rules.orders.legal(view).values()):
        drawn = [rules.orders.format(chance.choice(orders)) for _ in range(3)]
        lines.append(max(drawn, key=_boldness))
    chance.shuffle(lines)
    kept = read_orders(rules, view, "\n".join(lines)).orders
    return tuple(read.text.strip() for read in kept), bool(rules.orders.default(view)), chance


def _boldness(order: str) -> bool:
    return " - " in order and " S " not in order and " C " not in order
