"""A sheet without a trial: every unit goes where it would like to be, units that want the same go one behind the other.

The idea is that of DAIDE's old DumbBot: places are valued, destinations are drawn with weights, and whoever has
nothing better to do supports.
"""

from __future__ import annotations

from engine.computer.thinking import LegalOrders, OrderMap, shuffled
from engine.core.judgement import Chance
from engine.core.orders import O

_HELP = 0.75
"""How often a unit helps another of its own side into the place that it would have liked itself."""


def draft(options: LegalOrders[O], chance: Chance, *, wildness: float) -> OrderMap[O]:
    """Orders for every unit of a power, then builds and other choices, the most appealing first.

    Args:
        wildness: from 0 (always the most appealing goal) upwards; at 1 a goal half as appealing wins once in 16.
    """
    sheet: OrderMap[O] = {}
    goals: dict[str, tuple[str, str]] = {}
    for subject in shuffled(chance, list(options.by_subject)):
        ranked = _ranked(options, subject, chance, wildness)
        for order in ranked:
            intent = options.intents[order]
            if intent.goal not in goals:
                sheet[subject] = order
                goals[intent.goal] = (intent.origin, intent.goal)
                break
            helper = _helper(options, subject, goals[intent.goal])
            if helper is not None and chance.random() < _HELP:
                sheet[subject] = helper
                goals.setdefault(intent.origin, (intent.origin, intent.origin))
                break
    _employ_idle(options, sheet, chance)
    return {**sheet, **_choices(options, chance, wildness)}


def _ranked(options: LegalOrders[O], subject: str, chance: Chance, wildness: float) -> list[O]:
    """The orders of a unit that act for itself, the likeliest first."""
    own = [order for order in options.by_subject[subject] if order in options.intents and order in options.appeal]
    return sorted(own, key=lambda order: -options.appeal[order] * (1 + wildness * (chance.random() - 0.5)))


def _choices(options: LegalOrders[O], chance: Chance, wildness: float) -> OrderMap[O]:
    """The most appealing order of each subject that is no unit; what appeals to nobody (a waived build) is left out."""
    found: dict[str, tuple[float, O]] = {}
    for subject, orders in options.by_subject.items():
        liked = {order: options.appeal[order] for order in orders if order not in options.intents}
        drawn = {order: value * (1 + wildness * (chance.random() - 0.5)) for order, value in liked.items() if value > 0}
        if drawn:
            best = max(drawn, key=lambda order: drawn[order])
            found[subject] = (drawn[best], best)
    return {subject: order for subject, (_, order) in sorted(found.items(), key=lambda row: -row[1][0])}


def _helper(options: LegalOrders[O], subject: str, helped: tuple[str, str]) -> O | None:
    """How a unit can help another one to its goal."""
    return next((order for owner, order in options.helpers.get(helped, ()) if owner == subject), None)


def _employ_idle(options: LegalOrders[O], sheet: OrderMap[O], chance: Chance) -> None:
    """Units that would only stay help a neighbour that moves, if they can."""
    done = {subject: options.intents[order] for subject, order in sheet.items()}
    movers = [intent for intent in done.values() if intent.helps is None and intent.goal != intent.origin]
    for subject, intent in done.items():
        if intent.helps is None and intent.goal == intent.origin:
            helpers = (_helper(options, subject, (mover.origin, mover.goal)) for mover in shuffled(chance, movers))
            order = next((order for order in helpers if order is not None), None)
            if order is not None and chance.random() < _HELP:
                sheet[subject] = order
