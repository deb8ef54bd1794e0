"""What cautious and bold players of the computer order: `python -m tests.measure_characters diplomacy --games 11`.

In each game `fair` players play some phases; then what each power would order in three characters is counted: of
orders of units moves, helps (supports, convoys) and stays, of others their kinds. What was measured stands in
docs/balance.md.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Sequence

from engine import systems
from engine.computer.levels import Level
from engine.core.ids import PowerId, SystemId
from engine.registry import AnySystem, Order, State
from tests.tournament import orders_of

LEVELS = (Level.FAIR_CAUTIOUS, Level.FAIR, Level.FAIR_BOLD)
PHASES = (6, 19)
"""After how many phases orders are counted, at least and at most."""


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("system", choices=sorted(systems))
    parser.add_argument("--players", type=int, help="default: as many as there can be")
    parser.add_argument("--games", type=int, default=10)
    given = parser.parse_args()
    rules = systems[SystemId(given.system)]
    counts: dict[Level, Counter[str]] = {level: Counter() for level in LEVELS}
    for number in range(1, given.games + 1):
        for level, found in _count(rules, given.players or rules.info.seats[-1], f"characters/{number}").items():
            counts[level] += found
    for level, found in counts.items():
        print(f"{given.system}, {level}: {', '.join(f'{what} {count}' for what, count in found.most_common())}")


def _count(rules: AnySystem, players: int, seed: str) -> dict[Level, Counter[str]]:
    """What all powers would order in one position of a game."""
    state = rules.play.start(variant=rules.info.variants[0], players=players, options={}, seed=seed)
    for _ in range(random.Random(seed).randint(*PHASES)):
        status = rules.play.status(state)
        if status.winners is not None:
            break
        sheets = {power: _ordered(rules, state, power, Level.FAIR, seed) for power in status.to_act}
        state = rules.play.adjudicate(state, sheets, rules.play.dice(state)).state
    return {
        level: Counter(
            _kind(rules, order)
            for power in rules.play.status(state).to_act
            for order in _ordered(rules, state, power, level, seed)
        )
        for level in LEVELS
    }


def _ordered(rules: AnySystem, state: State, power: PowerId, level: Level, seed: str) -> Sequence[Order]:
    chance = random.Random(f"{seed}/{rules.play.status(state).code}/{power}")
    return orders_of(rules, state, power, str(level), chance)


def _kind(rules: AnySystem, order: Order) -> str:
    assert rules.judgement is not None
    intent = rules.judgement.intent(order)
    if intent is None:
        return type(getattr(order, "order", order)).__name__
    return "helps" if intent.helps is not None else "moves" if intent.goal != intent.origin else "stays"


if __name__ == "__main__":
    main()
