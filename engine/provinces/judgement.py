"""How a position of armies and fleets is judged: who owns what, who threatens it, and how near units are to more.

What games differ in is an `Outline` of their position; from there all is the same. Distances are found once a board.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from engine.core.ids import PowerId, ProvinceId, province_of
from engine.core.judgement import Worth
from engine.core.sight import S
from engine.provinces.board import Board
from engine.provinces.orders import Kind

_CENTRE = 10.0
_OCCUPIED = 5.0
"""A unit in a centre that is not yet its power's."""
_UNIT = 3.0
_DANGER = 2.0
"""For each attacker of a centre beyond its defenders, up to two."""
_NEARNESS = 1.2
_VICTORY = 1000.0
_FADE = 0.45
"""The weight of a centre that is one step farther away."""
_FAR = 6


@dataclass(frozen=True, slots=True)
class Piece:
    """A unit as it is judged: its strength is that of an army if 1."""

    power: PowerId
    kind: Kind
    at: ProvinceId
    strength: float = 1.0


@dataclass(frozen=True, slots=True)
class Outline:
    """What of a position counts.

    Args:
        powers: who is judged.
        pieces: also those of nobody who is judged (barbarians).
        owners: of every place worth owning; `None` for nobody.
        winners: of a game that is over.
        value: what a place is worth to a power, in ordinary centres.
    """

    powers: Sequence[PowerId]
    pieces: Sequence[Piece]
    owners: Mapping[ProvinceId, PowerId | None]
    winners: Sequence[PowerId] = ()
    value: Callable[[PowerId, ProvinceId], float] = lambda power, place: 1.0


class AppealMap:
    """A board, and how appealing each of its provinces is for each power's units in a position.

    Args:
        goals: the places worth owning; `None`: the board's centres.
        caution: how much dangers count, as a multiple of what they usually do.
    """

    def __init__(
        self,
        board: Board,
        before: Outline,
        *,
        sails: frozenset[Kind],
        goals: frozenset[ProvinceId] | None = None,
        caution: float = 1.0,
    ) -> None:
        places = frozenset(board.centres) if goals is None else goals
        self._around = {by_sea: _around(board, places, by_sea=by_sea) for by_sea in (False, True)}
        self._sails = sails
        self._near = _near(board)
        self._before = before
        self._caution = caution
        self._weights: dict[PowerId, Mapping[ProvinceId, float]] = {}
        self._pull: dict[tuple[PowerId, bool, ProvinceId], float] = {}

    def pull(self, power: PowerId, kind: Kind, at: ProvinceId) -> float:
        """How good it is for a power to have a unit there, from 0 upwards; about 1 in a centre to be had."""
        key = power, kind in self._sails, at
        found = self._pull.get(key)
        if found is None:
            weights = self._weights.get(power)
            if weights is None:
                weights = self._weights[power] = self._find_weights(power)
            around = self._around[key[1]].get(at, ())
            found = self._pull[key] = sum(weights.get(place, 0.0) * nearness for place, nearness in around)
        return found

    def measure(self, outline: Callable[[S], Outline]) -> Callable[[S], Worth]:
        """A function that values how each power stands in a position after the phase."""
        return lambda after: self.worth(outline(after))

    def worth(self, after: Outline) -> Worth:
        """How well each power stands."""
        worth = dict.fromkeys(after.powers, 0.0)
        standing: dict[ProvinceId, PowerId] = {}
        reach: dict[ProvinceId, dict[PowerId, float]] = {}
        for piece in after.pieces:
            standing[piece.at] = piece.power
            for there in self._near.get((piece.at, piece.kind in self._sails), ()):
                powers = reach.setdefault(there, {})
                powers[piece.power] = powers.get(piece.power, 0.0) + piece.strength
            if piece.power in worth:
                worth[piece.power] += _UNIT * piece.strength + _NEARNESS * self.pull(piece.power, piece.kind, piece.at)
        for place, owner in after.owners.items():
            here = standing.get(place)
            if here is not None and here != owner and here in worth:
                worth[here] += _OCCUPIED
            if owner not in worth or owner is None:
                continue
            worth[owner] += _CENTRE * after.value(owner, place)
            if here is not None and here != owner:
                worth[owner] -= _OCCUPIED
            else:
                powers = reach.get(place, {})
                attack = max((force for power, force in powers.items() if power != owner), default=0.0)
                defence = powers.get(owner, 0.0) + (here == owner)
                worth[owner] -= self._caution * _DANGER * max(0.0, min(2.0, attack - defence))
        for winner in after.winners:
            if winner in worth:
                worth[winner] += _VICTORY / len(after.winners)
        return worth

    def _find_weights(self, power: PowerId) -> Mapping[ProvinceId, float]:
        """How good it is for a power to have a unit in each place worth owning."""
        before = self._before
        menace: dict[ProvinceId, float] = {}
        for piece in before.pieces:
            if piece.power != power:
                for there in self._near.get((piece.at, piece.kind in self._sails), ()):
                    menace[there] = menace.get(there, 0.0) + piece.strength
        weights: dict[ProvinceId, float] = {}
        for place, owner in before.owners.items():
            mine = 0.15 + 0.3 * self._caution * min(2.0, menace.get(place, 0.0))
            weight = mine if owner == power else 1.2 if owner is None else 1.0
            weights[place] = weight * before.value(power, place)
        return weights


@cache
def _near(board: Board) -> Mapping[tuple[ProvinceId, bool], tuple[ProvinceId, ...]]:
    """Where a unit can go from a province, for units on land and for those that sail (from any coast)."""
    found: dict[tuple[ProvinceId, bool], frozenset[ProvinceId]] = {}
    for province in board.provinces:
        found[province, False] = frozenset(board.army_moves.get(province, ()))
    for place, ways in board.fleet_moves.items():
        key = (province_of(place), True)
        found[key] = found.get(key, frozenset()) | frozenset(map(province_of, ways))
    return {key: tuple(sorted(ways)) for key, ways in found.items()}


@cache
def _around(
    board: Board, goals: frozenset[ProvinceId], *, by_sea: bool
) -> Mapping[ProvinceId, Sequence[tuple[ProvinceId, float]]]:
    """The goals at most `_FAR` moves away from every province, and what of each counts there."""
    near = _near(board)
    found: dict[ProvinceId, list[tuple[ProvinceId, float]]] = {}
    for centre in sorted(goals):
        steps = {centre: 0}
        queue = [centre]
        for at in queue:  # grows as it is read: breadth first
            found.setdefault(at, []).append((centre, _FADE ** steps[at]))
            if steps[at] < _FAR:
                for there in near.get((at, by_sea), ()):
                    if there not in steps:
                        steps[there] = steps[at] + 1
                        queue.append(there)
    return found
