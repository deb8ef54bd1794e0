"""Parts of a stack that are likely to be sent somewhere, for the guided flow. Source: rules 32"""

from __future__ import annotations

from collections.abc import Iterator

from engine.kalevala.figures import MONEY, Figures, kind_of, warriors
from engine.kalevala.orders import named
from engine.kalevala.tables import MOST_IN_TEAM

_GUARD = 3
"""How many warriors stay alive in the smallest party that is offered for an occupation."""


def parts_of(stack: Figures, *, keeps: int, load: int | None = None) -> Iterator[Figures]:
    """Parts of a stack that could go: about half of its warriors, as many as can, one; with money and without;
    then only one kind, half of each kind, riders with their animals, and everything.

    Args:
        load: RE to take along, if not as many as the warriors carry; then few warriors are likelier than many.
    """
    fighting = {item: count for item, count in stack.items() if kind_of(item).is_warrior}
    money, many = stack.get(MONEY, 0), warriors(fighting)
    counts = (many // 2, many - keeps, many // 4, 1, many)
    if load is not None:
        fewest = -(-max(0, load - money) // 2) + _GUARD
        counts = (min(fewest, max(many - keeps, 1)), many // 2, many - keeps, 1, many)
    some = [some_of(fighting, count) for count in dict.fromkeys(counts) if 0 < count <= many]
    offered: list[Figures] = []
    for going in (*some, *_mixed(stack, fighting, keeps)):
        carried = min(money, 10 * warriors(going), money if load is None else load)
        for taken in dict.fromkeys((carried, 0)):
            found = {**going, MONEY: taken} if taken else going
            if found not in offered:
                offered.append(found)
                yield found


def _mixed(stack: Figures, fighting: Figures, keeps: int) -> Iterator[Figures]:
    """Only one kind of warriors, half of each kind, riders with their animals, and everything that can go."""
    if len(fighting) > 1:
        yield from ({item: count} for item, count in fighting.items())
        if half := {item: count // 2 for item, count in fighting.items() if count > 1}:
            yield half
    mounts = {item: count for item, count in stack.items() if kind_of(item).seats}
    for item, count in mounts.items():
        riders = min(warriors(fighting), count * kind_of(item).seats)
        if riders:
            yield {**some_of(fighting, riders), item: -(-riders // kind_of(item).seats)}
    for item in _teams(stack):
        if drivers := some_of(fighting, min(warriors(fighting), kind_of(item).seats)):
            yield {**drivers, item: 1}
    others = {item: count for item, count in stack.items() if item not in fighting and item != MONEY}
    if others:
        for left in (keeps, 0):
            staying = warriors(fighting) - left
            yield {**(some_of(fighting, staying) if staying > 0 else {}), **others}


def _teams(stack: Figures) -> Iterator[str]:
    """Wagons with the teams that the draught animals of a stack could form. Ruling KA170"""
    if stack.get("QuW"):
        yield from (f"QuW/{min(stack['QIP'], MOST_IN_TEAM)}",) if stack.get("QIP") else ()
        yield from (f"QuW({min(stack['QsP'], MOST_IN_TEAM)})",) if stack.get("QsP") else ()


def some_of(fighting: Figures, count: int) -> Figures:
    """This many warriors of a stack, in the order in which it is written."""
    found: dict[str, int] = {}
    for item, _ in named(fighting):
        taken = min(fighting[item], count - sum(found.values()))
        if taken:
            found[item] = taken
    return found
