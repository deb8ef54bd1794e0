"""Positions for the contract tests: random legal games of every registered system, and of the toy.

Run as a module it prints a digest of them, which must not depend on the hash seed of the process.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import cast

from engine import systems
from engine.core.ids import PowerId, SystemId
from engine.core.phrases import Catalogue
from engine.core.play import Resolution
from engine.core.reading import read_orders
from engine.core.variant import load_phrases
from engine.core.viewer import Playing
from engine.registry import AnySystem, Order, State
from tests import toy_fens
from tests.toy_fens import FEN
from tests.toy_system import CATALOGUE, TOY

TOYS = {
    SystemId("toy"): (cast(AnySystem, TOY), CATALOGUE),
    SystemId("fens"): (cast(AnySystem, FEN), toy_fens.CATALOGUE),
}
ALL: Mapping[SystemId, AnySystem] = {**systems, **{system: toy for system, (toy, _) in TOYS.items()}}
PHASES = 24
MOST_PLAYERS = 9

Sheets = Mapping[PowerId, tuple[Order, ...]]


@dataclass(frozen=True, slots=True)
class Step:
    """A phase of a random game: where it began, what was ordered, what came of it."""

    state: State
    sheets: Sheets
    resolution: Resolution[State]


def catalogue_of(system: SystemId) -> Catalogue:
    """The words of a system."""
    return TOYS[system][1] if system in TOYS else load_phrases(system)


def random_sheets(rules: AnySystem, state: State, chance: random.Random) -> Sheets:
    """A random legal sheet for everyone who has to act; now and then one is left empty."""
    sheets: dict[PowerId, tuple[Order, ...]] = {}
    for power in rules.play.status(state).to_act:
        view = rules.sight.view(state, Playing(power))
        picked = [
            chance.choice(orders) for orders in rules.orders.legal(view).values() if orders and chance.random() < 0.95
        ]
        chance.shuffle(picked)
        text = "\n".join(rules.orders.format(order) for order in picked)
        sheets[power] = read_orders(rules, view, text).values
    return sheets


def players_of(rules: AnySystem) -> int:
    """How many play in the tests: as many as can, but no more than nine."""
    return max(number for number in rules.info.seats if number <= MOST_PLAYERS)


@cache
def random_game(system: SystemId, seed: int = 1) -> tuple[Step, ...]:
    """The first phases of a random game of as many players as can be, up to nine."""
    rules, chance = ALL[system], random.Random(seed)
    state = rules.play.start(
        variant=rules.info.variants[0], players=players_of(rules), options={}, seed=f"contract {seed}"
    )
    steps: list[Step] = []
    while len(steps) < PHASES and rules.play.status(state).winners is None:
        sheets = random_sheets(rules, state, chance)
        resolution = rules.play.adjudicate(state, sheets, rules.play.dice(state))
        steps.append(Step(state, sheets, resolution))
        state = resolution.state
    return tuple(steps)


def digest(system: SystemId) -> str:
    """A fingerprint of a random game: positions, results and events."""
    rules = ALL[system]
    found = hashlib.sha256()
    for step in random_game(system):
        told = [
            rules.play.dump(step.resolution.state),
            [result.to_json() for result in step.resolution.results],
            [event.to_json() for event in step.resolution.events],
        ]
        found.update(json.dumps(told).encode())
    return found.hexdigest()


def main() -> str:
    """The digests of all systems, one a line."""
    return "\n".join(f"{system} {digest(system)}" for system in ALL)
