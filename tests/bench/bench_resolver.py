"""How fast a movement phase is resolved, against two other packages in the same run: `make bench`.

Two kinds of phases with 34 units: dense ones, in which nearly everything meets (`tests.positions`), and scattered ones,
units anywhere with legal orders drawn evenly. Figures are processor time: of each phase the best of several rounds in
which the contenders take turns, so that whatever else the machine does in between spoils one round of a phase at most.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from engine import systems
from engine.core.ids import PowerId, SystemId
from engine.core.reading import adjudicate_texts
from engine.provinces.classic.model import Convoy, Order, SupportHold, SupportMove
from engine.provinces.orders import Hold, Move
from tests.oracle.board import province
from tests.oracle.movement import BOARD
from tests.positions import POWERS, dense_phase

RULES = systems[SystemId("diplomacy")]
ROUNDS = 7
GOALS = {
    "diplomacy: process()": ("ours: resolve orders", 8.0),
    "pydip: resolve_turn()": ("ours: resolve orders", 1.0),
    "diplomacy: set_orders() and process()": ("ours: read, check and resolve texts", 12.0),
}
"""What is compared with what, and how many times as fast we want to be."""


@dataclass(frozen=True)
class Phase:
    """A position with everybody's orders, as values and as texts; `units` are (power, kind, place)."""

    document: Mapping[str, Any]
    units: tuple[tuple[str, str, str], ...]
    texts: Mapping[PowerId, str]
    orders: Mapping[PowerId, tuple[Order, ...]]


def main() -> None:
    """Print a table for each kind of phase."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--phases", type=int, default=300)
    count = parser.parse_args().phases
    for name, make in (("dense", dense), ("scattered", scattered)):
        print(f"\n{name}: {count} phases of 34 units")
        report([make(seed) for seed in range(count)])


def report(phases: Sequence[Phase]) -> None:
    """Measure everything that is there on the same phases, and print it."""
    seconds = measure(contenders(phases), phases)
    for name, taken in seconds.items():
        print(f"  {name:<44}{taken * 1e6:>8.0f} µs a phase{1 / taken:>9.0f} a second")
    for theirs, (ours, goal) in GOALS.items():
        if theirs in seconds:
            ratio = seconds[theirs] / seconds[ours]
            print(f"  {ratio:.1f} times as fast as {theirs} (goal: {goal:.0f})")


def measure(contenders: Mapping[str, Contender], phases: Sequence[Phase]) -> dict[str, float]:
    """Seconds a phase, by contender: the mean over the phases, each in the best of the rounds that take turns."""
    best = {name: [float("inf")] * len(phases) for name in contenders}
    for _ in range(ROUNDS):
        for name, (prepare, work) in contenders.items():
            ready = [prepare(phase) for phase in phases]
            # Else everybody pays, in garbage collection, for the large objects that some contenders need.
            gc.collect()
            gc.freeze()
            best[name] = list(map(min, best[name], [_time(work, one) for one in ready]))
            gc.unfreeze()
    return {name: sum(seconds) / len(seconds) for name, seconds in best.items()}


def _time(work: Callable[[Any], object], ready: Any) -> float:
    start = time.process_time()
    work(ready)
    return time.process_time() - start


Contender = tuple[Callable[[Phase], Any], Callable[[Any], object]]
"""What comes before the clock is started, for each phase, and what is timed."""


def contenders(phases: Sequence[Phase]) -> dict[str, Contender]:
    """Ourselves, and the other packages as far as they are installed."""
    found: dict[str, Contender] = {
        "ours: resolve orders": (
            lambda phase: (RULES.play.load(phase.document), phase.orders),
            lambda ready: RULES.play.adjudicate(ready[0], ready[1], RULES.play.dice(ready[0])),
        ),
        "ours: read, check and resolve texts": (
            lambda phase: (RULES.play.load(phase.document), phase.texts),
            lambda ready: adjudicate_texts(RULES, ready[0], ready[1]),
        ),
    }
    package = find_package("diplomacy")
    if package:
        found["diplomacy: process()"] = (
            lambda phase: set_orders(new_game(package, phase), phase),
            lambda game: game.process(),
        )
        found["diplomacy: set_orders() and process()"] = (
            lambda phase: (new_game(package, phase), phase),
            lambda ready: set_orders(*ready).process(),
        )
    if find_package("pydip"):
        table = Pydip()
        usable = [phase for phase in phases if table.can_read(phase)]
        if len(usable) < len(phases):
            print(f"  (pydip refuses {len(phases) - len(usable)} of the phases; there it resolves nothing)")
        found["pydip: resolve_turn()"] = (table.commands, table.resolve)
    return found


def find_package(name: str) -> ModuleType | None:
    """A package to be measured against; says so if it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"  (skipped {name}: not installed here; `make bench` installs it)")
        return None


# Phases


def dense(seed: int) -> Phase:
    """Most units in each other's way, orders that meddle with each other."""
    phase = dense_phase(seed)
    units = tuple((unit.power, unit.kind, unit.at) for unit in phase.units)
    return _phase(units, {PowerId(power): "\n".join(lines) for power, lines in phase.sheets.items()})


def scattered(seed: int) -> Phase:
    """Units anywhere, each with one of its legal orders."""
    chance = random.Random(f"scattered {seed}")
    places = chance.sample(sorted(BOARD.terrain), 34)
    units = tuple((POWERS[index % 7], *_unit(chance, at)) for index, at in enumerate(places))
    state = RULES.play.load(_document(units))
    texts = {}
    for power in map(PowerId, POWERS):
        legal = RULES.orders.legal(RULES.sight.view(state, power))
        texts[power] = "\n".join(RULES.orders.format(chance.choice(orders)) for orders in legal.values())
    return _phase(units, texts)


def _unit(chance: random.Random, at: str) -> tuple[str, str]:
    kind = {"sea": "F", "land": "A"}.get(BOARD.terrain[at]) or chance.choice("AF")
    coasts = sorted(place for place in BOARD.fleets if place.startswith(f"{at}/"))
    return kind, chance.choice(coasts) if kind == "F" and coasts else at


def _phase(units: tuple[tuple[str, str, str], ...], texts: Mapping[PowerId, str]) -> Phase:
    state = RULES.play.load(_document(units))
    orders: dict[PowerId, tuple[Any, ...]] = {
        power: tuple(read.order for read in RULES.orders.parse(text, RULES.sight.view(state, power)).orders)
        for power, text in texts.items()
    }
    return Phase(_document(units), units, texts, orders)


def _document(units: tuple[tuple[str, str, str], ...]) -> dict[str, Any]:
    rows = [{"power": power, "kind": kind, "at": at} for power, kind, at in units]
    return {"format": 1, "system": "diplomacy", "seed": "bench", "state": {"units": rows}}


# The PyPI package `diplomacy`


def new_game(package: ModuleType, phase: Phase) -> Any:
    """Its game at the position."""
    game = package.Game()
    game.clear_units()
    for power in POWERS:
        own = [f"{kind} {at}" for owner, kind, at in phase.units if owner == power]
        game.set_units(power.upper(), own)
    return game


def set_orders(game: Any, phase: Phase) -> Any:
    """The game with everybody's orders, checked by it."""
    for power, text in phase.texts.items():
        game.set_orders(power.upper(), text.replace(" VIA CONVOY", " VIA").split("\n"))
    return game


# The PyPI package `pydip`


class Pydip:
    """Speaks to pydip in its own names: `Spain North Coast`, `Kiel Coast`."""

    def __init__(self) -> None:
        self.map = importlib.import_module("pydip.map.predefined.vanilla_dip").generate_map()
        self.words = importlib.import_module("pydip.player.command.command")
        self.units = importlib.import_module("pydip.player.unit")
        self.player = importlib.import_module("pydip.player.player").Player
        self.resolve_turn = importlib.import_module("pydip.turn.resolve").resolve_turn

    def can_read(self, phase: Phase) -> bool:
        """Whether it accepts all orders of a phase."""
        return bool(self.commands(phase))

    def commands(self, phase: Phase) -> list[Any]:
        """The orders as its commands; none if it refuses one of them."""
        players = {}
        placed: dict[str, Any] = {}
        for power in POWERS:
            own = [(kind, at) for owner, kind, at in phase.units if owner == power]
            start = [{"territory_name": self.name(kind, at), "unit_type": self.kind(kind)} for kind, at in own]
            players[power] = self.player(power, self.map, start)
            placed |= {province(at): unit for (_, at), unit in zip(own, players[power].units, strict=True)}
        try:
            return [
                self.command(players[power], placed, order)
                for power, orders in phase.orders.items()
                for order in orders
            ]
        except AssertionError:
            return []

    def resolve(self, commands: Sequence[Any]) -> object:
        """What is timed."""
        return self.resolve_turn(self.map, commands) if commands else None

    def kind(self, kind: str) -> Any:
        return self.units.UnitTypes.FLEET if kind == "F" else self.units.UnitTypes.TROOP

    def name(self, kind: str, at: str) -> str:
        name = BOARD.names[province(at)]
        name = {"St Petersburg": "St. Petersburg"}.get(name, name)
        if name not in self.map.name_map:
            name = f"{name} Sea"
        if kind == "A" or BOARD.terrain[province(at)] == "sea":
            return name
        coast = {"NC": " North", "EC": " North", "SC": " South"}.get(at.partition("/")[2], "")
        return f"{name}{coast} Coast"

    def command(self, player: Any, placed: Mapping[str, Any], order: Order) -> Any:
        """One order; a unit's command is for the province where it stands."""
        unit = placed[province(order.at)]  # type: ignore[union-attr]
        match order:
            case Move(kind, at, to, via):
                name = self.name(kind, to)
                if kind == "A" and (via or to not in BOARD.reach(kind, at)):
                    return self.words.ConvoyMoveCommand(player, unit, name)
                return self.words.MoveCommand(player, unit, name)
            case SupportHold(_, _, _, of):
                return self.words.SupportCommand(player, unit, placed[province(of)], placed[province(of)].position)
            case SupportMove(_, _, kind, of, to):
                goal = str(to)
                if kind == "F" and "/" not in goal:
                    goal = next(place for place in sorted(BOARD.reach("F", of)) if province(place) == to)
                return self.words.SupportCommand(player, unit, placed[province(of)], self.name(kind, goal))
            case Convoy(_, _, _, of, to):
                return self.words.ConvoyTransportCommand(player, unit, placed[province(of)], self.name("A", to))
            case Hold():
                return self.words.HoldCommand(player, unit)
        raise AssertionError(order)


if __name__ == "__main__":
    main()
