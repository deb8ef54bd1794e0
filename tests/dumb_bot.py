"""A baseline for games of provinces, after the idea of DAIDE's DumbBot: places are valued by what is worth taking or
holding near them, destinations are drawn with weights, and whoever finds its place taken supports.

Nothing of it is used by the computer's own players (`engine.computer`), which it is there to be compared with.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.core.ids import PowerId, ProvinceId, SystemId
from engine.core.judgement import Chance
from engine.core.viewer import Playing
from engine.feudal import judgement as feudal
from engine.kregen import judgement as kregen
from engine.provinces.classic import judgement as classic
from engine.provinces.judgement import Outline
from engine.registry import AnySystem, State
from engine.young_kingdoms import judgement as young_kingdoms

OUTLINES: Mapping[str, Callable[[Any], Outline]] = {
    "diplomacy": classic.outline,
    "feudal": feudal.outline,
    "kregen": kregen.outline,
    "young_kingdoms": young_kingdoms.outline,
}
"""What of a position counts, by system."""
_DEPTH = 6
_SPREAD = 5
"""A province gets so small a part of its and its neighbours' value one step before."""
_NEAR = (100, 1000, 30, 10, 6, 5)
"""How much the value at each distance counts."""
_FRIENDS, _RIVALS = 1000, 1000
_SECOND_BEST = 0.5
"""How often the next best destination is considered, if it is nearly as good."""
_SUPPORTS = 0.75


def orders(rules: AnySystem, state: State, power: PowerId, chance: Chance) -> Sequence[Any]:
    """One power's orders, of those that it may give."""
    legal = rules.orders.legal(rules.sight.view(state, Playing(power)))
    assert rules.judgement is not None, "it knows games by their judgement"
    intent = rules.judgement.intent
    value = _values(rules, state, power)
    chosen: dict[str, Any] = {}
    taken: dict[str, str] = {}
    for subject in sorted(legal, key=lambda _: chance.random()):
        own = [(order, intent(order)) for order in legal[subject]]
        goals: dict[str, Any] = {}
        for order, done in own:
            if done is not None and done.helps is None:
                goals.setdefault(done.goal, order)
        ranked = sorted(goals, key=lambda goal: -value.get(ProvinceId(goal), 0.0))
        for goal in _drawn(ranked, value, chance):
            if goal not in taken:
                chosen[subject] = goals[goal]
                origin = next(done.origin for order, done in own if order == goals[goal] and done is not None)
                taken[goal] = origin
                break
            helping = [order for order, done in own if done is not None and done.helps == (taken[goal], goal)]
            if helping and chance.random() < _SUPPORTS:
                chosen[subject] = helping[0]
                break
        if not goals:
            whatever = [order for order, done in own if done is None]
            if whatever:
                chosen[subject] = whatever[int(chance.random() * len(whatever))]
    return tuple(chosen.values())


def _drawn(ranked: Sequence[str], value: Mapping[ProvinceId, float], chance: Chance) -> Sequence[str]:
    """Destinations in the order in which they are tried: mostly by value, sometimes the next one first."""
    left = list(ranked)
    for place in range(len(left) - 1):
        best, following = (max(1.0, value.get(ProvinceId(left[n]), 0.0)) for n in (place, place + 1))
        if chance.random() < _SECOND_BEST * following / best:
            left[place], left[place + 1] = left[place + 1], left[place]
    return left


def _values(rules: AnySystem, state: State, power: PowerId) -> Mapping[ProvinceId, float]:
    """How good it is to go to each province, on foot or by ship alike."""
    board = rules.play.variant(state).board  # type: ignore[attr-defined]
    outline = OUTLINES[SystemId(rules.info.id)](state)
    near: dict[ProvinceId, set[ProvinceId]] = {at: set(board.army_moves.get(at, ())) for at in board.provinces}
    for place, ways in board.fleet_moves.items():
        near[ProvinceId(place.partition("/")[0])] |= {ProvinceId(way.partition("/")[0]) for way in ways}
    size = {name: sum(owner == name for owner in outline.owners.values()) for name in outline.powers}
    force = {
        at: {
            name: sum(piece.strength for piece in outline.pieces if piece.power == name and piece.at in near[at] | {at})
            for name in outline.powers
        }
        for at in board.provinces
    }
    layer: dict[ProvinceId, float] = dict.fromkeys(board.provinces, 0.0)
    for at, owner in outline.owners.items():
        if owner == power:
            layer[at] = max((size[n] for n in outline.powers if n != power and force[at][n]), default=0)
        else:
            layer[at] = 4.0 if owner is None else size.get(owner, 0) + 3.0
    total = dict.fromkeys(board.provinces, 0.0)
    for weight in _NEAR[:_DEPTH]:
        for at in total:
            total[at] += weight * layer[at]
        layer = {at: (layer[at] + sum(layer[other] for other in near[at])) / _SPREAD for at in layer}
    for at in total:
        rivals = max((force[at][name] for name in outline.powers if name != power), default=0.0)
        total[at] += _FRIENDS * force[at].get(power, 0.0) / 10 - _RIVALS * rivals / 10
    return total
