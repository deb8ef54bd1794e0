"""Positions for the contract tests: random legal games of every registered system, and of the toy.

Run as a module it prints a digest of them, which must not depend on the hash seed of the process.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import cast

from engine import systems
from engine.core.ids import PowerId, SystemId
from engine.core.orders import O
from engine.core.phrases import Catalogue
from engine.core.play import Resolution
from engine.core.reading import read_orders
from engine.core.sight import S, V
from engine.core.system import GameSystem
from engine.core.variant import load_phrases
from engine.core.viewer import Playing
from engine.registry import AnySystem, Order, State, View
from tests import toy_fens
from tests.examples import is_search
from tests.toy_fens import FEN
from tests.toy_system import CATALOGUE, TOY

TOYS = {
    SystemId("toy"): (cast(AnySystem, TOY), CATALOGUE),
    SystemId("fens"): (cast(AnySystem, FEN), toy_fens.CATALOGUE),
}
ALL: Mapping[SystemId, AnySystem] = {**systems, **{system: toy for system, (toy, _) in TOYS.items()}}
PHASES = 24
PHASES_DIGESTED = 12
PHASES_AGAIN = 8
"""Of every game but the first one of a system; `--hypothesis-profile=search` plays them to the same end."""
FEWER: Mapping[str, int] = {"kalevala": 4}
"""Two great rounds, for a sheet of Kalevala is as long as a phase of another game."""
PHASES_OF_A_KIND = 6
"""So many phases of each kind are enough for tests that take long; in a search they go through all."""
MOST_PLAYERS = 9

Sheets = Mapping[PowerId, tuple[Order, ...]]


@dataclass(frozen=True, slots=True)
class Step:
    """A phase of a random game: where it began, what was ordered, what came of it."""

    state: State
    sheets: Sheets
    resolution: Resolution[State, Order]


@dataclass(frozen=True)
class Turn:
    """A power that has to act in a phase of a random game, what it sees, and what it may order."""

    rules: AnySystem
    step: Step
    power: PowerId
    view: View

    @cached_property
    def legal(self) -> tuple[tuple[str, Order], ...]:
        """All legal orders, each with its subject."""
        legal = self.rules.orders.legal(self.view)
        return tuple((subject, order) for subject, orders in legal.items() for order in orders)

    def random_sheet(self, chance: random.Random) -> tuple[Order, ...]:
        """What the power might as well have sent."""
        subjects: dict[str, list[Order]] = {}
        for subject, order in self.legal:
            subjects.setdefault(subject, []).append(order)
        return _random_sheet(self.rules, self.view, subjects.values(), chance)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The same as they are written."""
        return tuple(self.rules.orders.format(order) for _, order in self.legal)


def catalogue_of(system: SystemId) -> Catalogue:
    """The words of a system."""
    return TOYS[system][1] if system in TOYS else load_phrases(system)


def random_sheets(rules: GameSystem[S, V, O], state: S, chance: random.Random) -> Mapping[PowerId, tuple[O, ...]]:
    """A random legal sheet for everyone who has to act; now and then one is left empty."""
    sheets: dict[PowerId, tuple[O, ...]] = {}
    for power in rules.play.status(state).to_act:
        view = rules.sight.view(state, Playing(power))
        sheets[power] = _random_sheet(rules, view, rules.orders.legal(view).values(), chance)
    return sheets


def _random_sheet(
    rules: GameSystem[S, V, O], view: V, legal: Iterable[Sequence[O]], chance: random.Random
) -> tuple[O, ...]:
    """Of the legal orders of each subject nearly always one, as far as they go together."""
    picked = [chance.choice(orders) for orders in legal if orders and chance.random() < 0.95]
    chance.shuffle(picked)
    return read_orders(rules, view, "\n".join(map(rules.orders.format, picked))).values


def players_of(rules: AnySystem) -> int:
    """How many play in the tests: as many as can, but no more than nine."""
    return max(number for number in rules.info.seats if number <= MOST_PLAYERS)


@cache
def random_game(system: SystemId, seed: int = 1, phases: int = PHASES) -> tuple[Step, ...]:
    """The first phases of a random game of as many players as can be, up to nine. Nothing in them can be changed."""
    rules, chance = ALL[system], random.Random(seed)
    state = rules.play.start(
        variant=rules.info.variants[0], players=players_of(rules), options={}, seed=f"contract {seed}"
    )
    steps: list[Step] = []
    is_short = seed != 1 and not is_search()
    most = min(PHASES_AGAIN if is_short else phases, FEWER.get(system, phases))
    while len(steps) < most and rules.play.status(state).winners is None:
        sheets = random_sheets(rules, state, chance)
        resolution = rules.play.adjudicate(state, sheets, rules.play.dice(state))
        steps.append(Step(state, sheets, resolution))
        state = resolution.state
    return tuple(steps)


@cache
def turns_of(system: SystemId, seed: int = 1) -> tuple[Turn, ...]:
    """Who has to act in each phase of a random game."""
    rules = ALL[system]
    return tuple(
        Turn(rules, step, power, rules.sight.view(step.state, Playing(power)))
        for step in random_game(system, seed)
        for power in rules.play.status(step.state).to_act
    )


@cache
def some_steps(system: SystemId, seed: int = 1) -> tuple[Step, ...]:
    """Of the phases of each kind in a random game some, from the first to the last; in a search all."""
    alike: dict[str, list[Step]] = {}
    for step in random_game(system, seed):
        alike.setdefault(ALL[system].play.status(step.state).kind, []).append(step)
    most = max(map(len, alike.values())) if is_search() else PHASES_OF_A_KIND
    chosen = {id(steps[place]) for steps in alike.values() for place in _spread(len(steps), most)}
    return tuple(step for step in random_game(system, seed) if id(step) in chosen)


def _spread(number: int, most: int) -> Iterable[int]:
    return {place * (number - 1) // (most - 1) for place in range(most)} if number > most else range(number)


def some_turns(system: SystemId, seed: int = 1) -> tuple[Turn, ...]:
    """Who has to act in these phases."""
    chosen = set(map(id, some_steps(system, seed)))
    return tuple(turn for turn in turns_of(system, seed) if id(turn.step) in chosen)


def digest(system: SystemId, steps: Sequence[Step]) -> str:
    """A fingerprint of the beginning of a random game: positions, results and events."""
    rules = ALL[system]
    found = hashlib.sha256()
    for step in steps[:PHASES_DIGESTED]:
        told = [
            rules.play.dump(step.resolution.state),
            [result.to_json() for result in step.resolution.results],
            [event.to_json() for event in step.resolution.events],
        ]
        found.update(json.dumps(told).encode())
    return found.hexdigest()


def digests(play: Callable[[SystemId], Sequence[Step]] = random_game) -> str:
    """The digests of all systems, one a line."""
    return "\n".join(f"{system} {digest(system, play(system))}" for system in ALL)


def main() -> str:
    """The same for a process of its own, which plays no farther than that."""
    return digests(partial(random_game, phases=PHASES_DIGESTED))
