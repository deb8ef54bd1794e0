"""Orders for powers that the computer plays: a job for the workers; sending them is done elsewhere.

It gets only the position, never anybody's orders, and each computer player gets only the View of its
power, like a person. Its random numbers follow from the game's seed, the phase and the power, so they can be repeated.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

from bot.ports import Json
from engine.computer.levels import CARE, Level, think
from engine.core.ids import PowerId
from engine.core.reading import canonical_lines, read_orders
from engine.core.viewer import Playing
from engine.registry import AnySystem, Order, View


def levels_of(rules: AnySystem) -> tuple[Level, ...]:
    """How well the computer can play a game: if it has no judgement for it, only at random."""
    return tuple(Level) if rules.judgement is not None else (Level.EASY,)


def computer_sheets(
    rules: AnySystem, document: Json, levels: Mapping[PowerId, Level]
) -> Mapping[PowerId, tuple[str, ...]]:
    """What the computer orders for each of its powers that has something to decide, as canonical lines.

    Args:
        document: the position.
        levels: how well it plays, by power.
    """
    state = rules.play.load(document)
    seed = rules.play.dice(state).seed
    sheets: dict[PowerId, tuple[str, ...]] = {}
    for power in rules.play.status(state).to_act:
        if power in levels:
            chance = random.Random(f"{seed}/computer/{power}")
            sheets[power], _, _ = computer_orders(rules, document, power, levels[power], chance)
    return sheets


def computer_orders(
    rules: AnySystem, document: Json, power: PowerId, level: Level | None, chance: random.Random
) -> tuple[tuple[str, ...], bool, random.Random]:
    """Orders that go together, at most one for each subject; made from what the power may know.

    Args:
        document: the position.
        level: how well it plays; `None`, or a game for which the computer has no judgement: at random.

    Returns: the orders, whether there are also default orders that could be taken, and the chance as it is after this.
    """
    view = rules.sight.view(rules.play.load(document), Playing(power))
    if level is None or rules.judgement is None:
        lines = _drawn(rules, view, chance)
    else:
        lines = think(rules, rules.judgement, view, power, CARE[level], chance)
    return lines, bool(rules.orders.default(view)), chance


def _drawn(rules: AnySystem, view: View, chance: random.Random) -> tuple[str, ...]:
    """Random legal orders; units go somewhere rather than stay or help."""
    lines = []
    for orders in filter(None, rules.orders.legal(view).values()):
        drawn = [chance.choice(orders) for _ in range(3)]
        lines.append(rules.orders.format(max(drawn, key=lambda order: _goes_somewhere(rules, order))))
    chance.shuffle(lines)
    return canonical_lines(rules, read_orders(rules, view, "\n".join(lines)).values)


def _goes_somewhere(rules: AnySystem, order: Order) -> bool:
    """Whether an order moves a unit for its own sake, if the computer has a judgement of the game's orders."""
    intent = rules.judgement.intent(order) if rules.judgement is not None else None
    return intent is not None and intent.goal != intent.origin and intent.helps is None
