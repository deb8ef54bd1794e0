"""How a land battle is likely to go: the rounds of `engine.king_of_kings.combat`, with what the dice give on average.

It adds chances up as if units could be lost in parts. So it is too hopeful where few shots hit, as in mountains, and it
kills some defenders who would have retreated. Source: rules 2.3, 2.4, 6.2
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.king_of_kings.combat import DESPERATE, Chances, courage, fights_on, land_chances
from engine.king_of_kings.model import Rulebook, Symbol, Units

_ROUNDS = 5
"""Longer battles are rare, and then both sides are worn down."""
_NOBODY = 0.4
"""What is left of a side, in units, when it is most likely all dead."""
_PRESENT = 0.1
"""What is left of a type, in units, while it is most likely still there."""

_Numbers = dict[Symbol, float]


@dataclass(frozen=True, slots=True)
class Expectation:
    """The likely result of a battle.

    Args:
        is_won: whether the attackers get the province.
        attackers_lost: what the attackers are likely to lose, in victory points.
        defenders_lost: the same for the defenders; units that retreat are not lost.
    """

    is_won: bool
    attackers_lost: float
    defenders_lost: float


def forecast(
    rules: Rulebook, attackers: Units, defenders: Units, *, modifiers: tuple[int, int], cap: int | None, luck: float
) -> Expectation:
    """The forecast of an attack.

    Args:
        modifiers: of the attackers' and the defenders' tactics against each other.
        cap: the highest To Hit that the terrain lets an attacker have.
        luck: how often the attackers hit, as a multiple of the average; the defenders hit less often in proportion.
    """
    order = [troop.symbol for troop in rules.land_order()]
    ours = {symbol: float(attackers[symbol]) for symbol in order if attackers.get(symbol)}
    theirs = {symbol: float(defenders[symbol]) for symbol in order if defenders.get(symbol)}
    before = _value(rules, ours), _value(rules, theirs)
    is_won = _fight(rules, ours, theirs, modifiers, cap, luck)
    return Expectation(is_won, before[0] - _value(rules, ours), before[1] - _value(rules, theirs))


def _fight(
    rules: Rulebook, ours: _Numbers, theirs: _Numbers, modifiers: tuple[int, int], cap: int | None, luck: float
) -> bool:
    """Whether the attackers get the province; the losses are taken from both."""
    for round_no in range(1, _ROUNDS + 1):
        here, there = _present(ours), _present(theirs)
        attack = land_chances(rules, here, there, round_no=round_no, modifier=modifiers[0], cap=cap)
        defence = land_chances(rules, there, here, round_no=round_no, modifier=modifiers[1], cap=None)
        hits = _hits(ours, theirs, attack, luck), _hits(theirs, ours, defence, 2 - luck)
        for side, lost in ((theirs, hits[0]), (ours, hits[1])):
            for symbol, number in lost.items():
                side[symbol] -= number
        left, others = sum(ours.values()), sum(theirs.values())
        if left < _NOBODY:
            return False
        nerve = courage(rules, _present(ours), modifiers[0])
        if others < _NOBODY:
            return nerve > DESPERATE
        if not fights_on(nerve, round(100 * left), round(100 * others)):
            return False
        if not fights_on(courage(rules, _present(theirs), modifiers[1]), round(100 * others), round(100 * left)):
            return True
    return False


def _hits(shooters: _Numbers, targets: _Numbers, chances: Chances, luck: float) -> _Numbers:
    """How many of each type are hit: each shooter fires at the first enemy that was not hit before."""
    found: _Numbers = {}
    left = [(symbol, number) for symbol, number in targets.items() if number > 0]
    for shooter, number in shooters.items():
        while number > 0 and left:
            target, standing = left.pop(0)
            chance = chances.get((shooter, target), 0) / 100 * luck
            hit = min(number * chance, standing)
            found[target] = found.get(target, 0.0) + hit
            if hit < standing:
                left.insert(0, (target, standing - hit))
                break
            number -= hit / chance
    return found


def _present(side: Mapping[Symbol, float]) -> Units:
    """The types that are still there, with whole numbers that only say so."""
    return {symbol: 1 for symbol, number in side.items() if number > _PRESENT}


def _value(rules: Rulebook, side: Mapping[Symbol, float]) -> float:
    return sum(max(0.0, number) * rules.troops[symbol].value for symbol, number in side.items())
