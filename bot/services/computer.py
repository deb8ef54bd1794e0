"""Orders for powers that the computer plays: a job for the workers, apart from whoever sends them."""

from __future__ import annotations

import random

from bot.ports import Json
from engine.computer.levels import CARE, Level, think
from engine.core.ids import PowerId
from engine.core.reading import read_orders
from engine.core.viewer import Playing
from engine.registry import AnySystem, View


def computer_orders(
    rules: AnySystem, document: Json, power: PowerId, level: Level | None, chance: random.Random
) -> tuple[tuple[str, ...], bool, random.Random]:
    """Orders that go together, at most one for each subject; made from what the power may know.

    Args:
        document: the position.
        level: how well it plays; `None`, or a game that the computer has no judgement of: by lot.

    Returns: the orders, whether there are also default orders that could be taken, and the chance as it is after this.
    """
    view = rules.sight.view(rules.play.load(document), Playing(power))
    if level is None or rules.judgement is None:
        lines = _drawn(rules, view, chance)
    else:
        lines = think(rules, rules.judgement, view, power, CARE[level], chance)
    return lines, bool(rules.orders.default(view)), chance


def _drawn(rules: AnySystem, view: View, chance: random.Random) -> tuple[str, ...]:
    """Legal orders by lot; moves rather than supports and holds."""
    lines = []
    for orders in filter(None, rules.orders.legal(view).values()):
        drawn = [rules.orders.format(chance.choice(orders)) for _ in range(3)]
        lines.append(max(drawn, key=_boldness))
    chance.shuffle(lines)
    kept = read_orders(rules, view, "\n".join(lines)).orders
    return tuple(read.text.strip() for read in kept)


def _boldness(order: str) -> bool:
    return " - " in order and " S " not in order and " C " not in order
