"""How fast a movement phase is read and resolved, against two other packages on the same phases: `make bench`.

Each contender reads or resolves each phase once, in a process of its own that has seen none of them before. What it has
loaded by then is what any process has after its first phases: code, board, words (a few other phases went before). What
it remembers of lines of orders is emptied before each phase, for a phase that somebody plays is new. Both sides start
from a position that is set up, and end with the next one and every order's outcome; where the positions differ, that is
counted.

Phases: those of recorded games (real boards), dense ones, in which nearly everything meets (`tests.positions`), and
scattered ones, units anywhere with legal orders drawn evenly. Texts: as programs write them, as people do (full names),
and with lines that have to be refused. Figures are processor time: of each phase the least of several processes, so
that whatever else the machine does in between spoils one reading at most.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import json
import random
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from engine import systems
from engine.core.ids import PowerId, SystemId, province_of
from engine.core.reading import adjudicate_texts, read_orders
from engine.core.viewer import Playing
from engine.provinces.classic.model import Convoy, Order, State, SupportHold, SupportMove
from engine.provinces.classic.parse import sentences
from engine.provinces.orders import Hold, Move
from tests.oracle.board import province
from tests.oracle.movement import BOARD
from tests.positions import POWERS, dense_phase

RULES = systems[SystemId("diplomacy")]
GAMES = Path(__file__).resolve().parents[1] / "games"
PROCESSES = 3
WARM_UP = 5
"""Phases that go before those that are measured: none of them is measured."""
ROWS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "resolve orders that were read": ("ours", ("diplomacy", "pydip")),
    "read, check and resolve texts": ("ours_texts", ("diplomacy_texts",)),
}
"""What is compared: our contender, and theirs that do the same work."""
TEXTS = ("canonical", "loose", "refused")


@dataclass(frozen=True)
class Phase:
    """A position with everybody's orders, as values and as texts; `units` are (power, kind, place)."""

    document: Mapping[str, Any]
    units: tuple[tuple[str, str, str], ...]
    texts: Mapping[PowerId, str]
    orders: Mapping[PowerId, tuple[Order, ...]]


def main() -> None:
    """Print a table for each kind of phase, or, as a child, measure one contender."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--phases", type=int, default=200)
    parser.add_argument("--measure", nargs=3, metavar=("CONTENDER", "KIND", "TEXTS"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        contender, kind, texts = options.measure
        print(json.dumps(measure(contender, kind, texts, options.phases)))
        return
    for kind in KINDS:
        for row, (ours, theirs) in ROWS.items():
            for texts in TEXTS if ours == "ours_texts" else TEXTS[:1]:
                report(kind, row, texts, ours, theirs, options.phases)


def report(kind: str, row: str, texts: str, ours: str, theirs: Sequence[str], count: int) -> None:
    """Measure ourselves and others on the same phases, and print it."""
    found = {name: in_processes(name, kind, texts, count) for name in (ours, *theirs)}
    seconds, results = found[ours]
    words = row if ours != "ours_texts" else f"{row} ({texts})"
    print(f"\n{kind}: {words}, {len(seconds)} phases")
    print(f"  {'ours':<12}{_mean(seconds) * 1e6:>8.0f} µs a phase")
    for name in theirs:
        other, reached = found[name]
        both = [index for index, one in enumerate(other) if one is not None]
        if not both:
            print(f"  {name:<12}not installed here; `make bench` installs it")
            continue
        mean, own = _mean([other[index] for index in both]), _mean([seconds[index] for index in both])
        differing = [index for index in both if reached[index] != results[index]]
        unread = "" if len(both) == len(other) else f", refuses {len(other) - len(both)} phases"
        print(f"  {name:<12}{mean * 1e6:>8.0f} µs a phase: we are {mean / own:.1f} times as fast", end="")
        print(f"; {len(differing)} of {len(both)} positions end differently{unread}", end="")
        for third in theirs if differing else ():
            if third != name and any(found[third][1]):
                agrees = sum(found[third][1][index] == results[index] for index in differing)
                print(f"; in {agrees} of these {third} agrees with us", end="")
        print()


def _mean(seconds: Sequence[float | None]) -> float:
    return sum(filter(None, seconds)) / len(seconds)


Measured = tuple[list[float | None], list[Any]]
"""Of each phase the seconds it took (`None`: the contender can't read it) and the units that stand where afterwards."""


def in_processes(contender: str, kind: str, texts: str, count: int) -> Measured:
    """The least of what several processes took for each phase, and what came of it."""
    arguments = ["-m", "tests.bench.bench_resolver", f"--phases={count}", "--measure", contender, kind, texts]
    runs: list[Measured] = []
    for _ in range(PROCESSES):
        child = subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.PIPE, text=True)
        runs.append(json.loads(child.stdout.splitlines()[-1]))
    least = [None if None in each else min(each) for each in zip(*(seconds for seconds, _ in runs), strict=True)]
    return least, runs[0][1]


def measure(contender: str, kind: str, texts: str, count: int) -> Measured:
    """Go once through the phases of a kind, in this process."""
    found = find_contender(contender)
    phases = [_written(phase, texts, number) for number, phase in enumerate(KINDS[kind](count + WARM_UP))]
    if found is None:
        return [None] * (len(phases) - WARM_UP), [None] * (len(phases) - WARM_UP)
    prepare, work, reached = found
    for phase in phases[:WARM_UP]:
        if contender == "ours_texts":
            _check_reading(phase)
        ready = prepare(phase)
        if ready is not None:
            work(ready)
    seconds: list[float | None] = []
    results: list[Any] = []
    # Once: before each phase it would empty the processor's caches, too, which costs more than the phase does.
    gc.collect()
    gc.freeze()
    for phase in phases[WARM_UP:]:
        ready = prepare(phase)
        if ready is None:
            seconds.append(None)
            results.append(None)
            continue
        forget()
        start = time.process_time()
        done = work(ready)
        seconds.append(time.process_time() - start)
        results.append(reached(done))
    return seconds, results


def _check_reading(phase: Phase) -> None:
    """Where a library is missing, each line with a slip is a fault of the reader's, and its time says nothing."""
    state = RULES.play.load(phase.document)
    for power, text in phase.texts.items():
        for fault in read_orders(RULES, RULES.sight.view(state, Playing(power)), text).faults:
            raise fault


def forget() -> None:
    """Empty what is remembered of orders and of sentences: their texts, what they say, and whether they are legal.

    What is left is what the map says of itself, by its borders and without any phase: which orders there can be.
    """
    sentences.clear()


@cache
def _variant() -> Any:
    return RULES.play.variant(RULES.play.load({"format": 1, "system": "diplomacy", "seed": "bench"}))


Contender = tuple[Callable[[Phase], Any], Callable[[Any], Any], Callable[[Any], Any]]
"""What comes before the clock is started, for each phase (`None`: it can't be read), what is timed, and who then stands
where."""


def find_contender(name: str) -> Contender | None:
    """Ourselves, or another package if it is installed."""
    if name == "ours":
        return (
            _with_orders,
            lambda ready: RULES.play.adjudicate(ready[0], ready[1], RULES.play.dice(ready[0])),
            lambda resolution: _reached(resolution.state),
        )
    if name == "ours_texts":
        return (
            lambda phase: (RULES.play.load(phase.document), phase.texts),
            lambda ready: adjudicate_texts(RULES, ready[0], ready[1])[0],
            lambda resolution: _reached(resolution.state),
        )
    package = find_package(name.partition("_")[0])
    if package is None:
        return None
    if name == "diplomacy":
        return lambda phase: set_orders(new_game(package, phase), phase), _processed, _their_units
    if name == "diplomacy_texts":
        return (
            lambda phase: (new_game(package, phase), phase),
            lambda ready: _processed(set_orders(*ready)),
            _their_units,
        )
    table = Pydip()
    return lambda phase: table.commands(phase) or None, table.resolve, table.reached


def _with_orders(phase: Phase) -> tuple[Any, Mapping[PowerId, tuple[Any, ...]]]:
    """The position with everybody's orders, read and checked in it just before they are resolved, as a closing phase
    does it, and as the other packages are given theirs."""
    state = RULES.play.load(phase.document)
    return state, _orders_in(state, phase.texts)


def _orders_in(state: Any, texts: Mapping[PowerId, str]) -> Mapping[PowerId, tuple[Any, ...]]:
    return {
        power: read_orders(RULES, RULES.sight.view(state, Playing(power)), text).values for power, text in texts.items()
    }


def _reached(state: Any) -> list[str]:
    assert isinstance(state, State)
    return sorted(f"{unit.power} {unit.kind} {province_of(unit.at)}" for unit in state.units)


def _processed(game: Any) -> Any:
    game.process()
    return game


def _their_units(game: Any) -> list[str]:
    units = ((power.lower(), unit) for power, own in game.get_units().items() for unit in own)
    return sorted(f"{power} {unit.partition('/')[0]}" for power, unit in units if not unit.startswith("*"))


def find_package(name: str) -> ModuleType | None:
    """A package to be measured against."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


# Phases


def played(count: int) -> list[Phase]:
    """The movement phases of the recorded games, and of games that are played on from there by legal orders."""
    phases = [phase for name in ("victory", "last-year") for phase in _recorded(GAMES / f"diplomacy-{name}.json")]
    number = 0
    while len(phases) < count:
        phases += _played_on(number)
        number += 1
    return phases[:count]


def _recorded(path: Path) -> list[Phase]:
    game = json.loads(path.read_text(encoding="utf-8"))
    state, phases = RULES.play.load(game["start"]), []
    for phase in game["phases"]:
        texts = {PowerId(power): "\n".join(lines) for power, lines in phase["orders"].items()}
        if RULES.play.status(state).kind == "movement":
            phases.append(_phase_of(state, texts))
        state = adjudicate_texts(RULES, state, texts)[0].state
    return phases


def _played_on(number: int) -> list[Phase]:
    """A game of ten years in which half of the moves that can be supported are."""
    chance = random.Random(f"played {number}")
    state = RULES.play.load({"format": 1, "system": "diplomacy", "seed": f"played {number}"})
    phases: list[Phase] = []
    while len(phases) < 20 and RULES.play.status(state).winners is None:
        texts = {power: _sensible(state, power, chance) for power in RULES.play.status(state).to_act}
        if RULES.play.status(state).kind == "movement":
            phases.append(_phase_of(state, texts))
        state = adjudicate_texts(RULES, state, texts)[0].state
    return phases


def _sensible(state: Any, power: PowerId, chance: random.Random) -> str:
    """Orders for all units; a support, if it is one, for a move or a unit of the same power."""
    view = RULES.sight.view(state, Playing(power))
    lines: list[str] = []
    for texts in map(_plain, RULES.orders.legal(view).values()):
        helps = [text for text in texts if any(text.endswith(f" S {line}") for line in lines)]
        moves = [text for text in texts if " S " not in text and " C " not in text]
        lines.append(chance.choice(helps if helps and chance.random() < 0.5 else moves or texts))
    return "\n".join(lines)


def _plain(orders: Sequence[Any]) -> list[str]:
    """The orders as texts, but for `VIA CONVOY`: the packages differ over such an order that no fleet helps."""
    texts = [RULES.orders.format(order) for order in orders]
    return [text for text in texts if not text.endswith(" VIA CONVOY")] or texts


def dense(count: int) -> list[Phase]:
    """Most units in each other's way, orders that meddle with each other."""
    return [_dense(seed) for seed in range(count)]


def _dense(seed: int) -> Phase:
    phase = dense_phase(seed)
    units = tuple((unit.power, unit.kind, unit.at) for unit in phase.units)
    return _phase(units, {PowerId(power): "\n".join(lines) for power, lines in phase.sheets.items()})


def scattered(count: int) -> list[Phase]:
    """Units anywhere, each with one of its legal orders."""
    return [_scattered(seed) for seed in range(count)]


def _scattered(seed: int) -> Phase:
    chance = random.Random(f"scattered {seed}")
    places = chance.sample(sorted(BOARD.terrain), 34)
    units = tuple((POWERS[index % 7], *_unit(chance, at)) for index, at in enumerate(places))
    state = RULES.play.load(_document(units))
    texts = {}
    for power in map(PowerId, POWERS):
        legal = RULES.orders.legal(RULES.sight.view(state, Playing(power)))
        texts[power] = "\n".join(chance.choice(_plain(orders)) for orders in legal.values())
    return _phase(units, texts)


def _unit(chance: random.Random, at: str) -> tuple[str, str]:
    kind = {"sea": "F", "land": "A"}.get(BOARD.terrain[at]) or chance.choice("AF")
    coasts = sorted(place for place in BOARD.fleets if place.startswith(f"{at}/"))
    return kind, chance.choice(coasts) if kind == "F" and coasts else at


def _phase(units: tuple[tuple[str, str, str], ...], texts: Mapping[PowerId, str]) -> Phase:
    return _phase_of(RULES.play.load(_document(units)), texts)


def _phase_of(state: Any, texts: Mapping[PowerId, str]) -> Phase:
    """The units alone, in spring: who owns what does not matter to the moves."""
    units = tuple((unit.power, unit.kind, unit.at) for unit in state.units)
    return Phase(_document(units), units, texts, _orders_in(state, texts))


def _document(units: tuple[tuple[str, str, str], ...]) -> dict[str, Any]:
    rows = [{"power": power, "kind": kind, "at": at} for power, kind, at in units]
    return {"format": 1, "system": "diplomacy", "seed": "bench", "state": {"units": rows}}


KINDS: Mapping[str, Callable[[int], list[Phase]]] = {"played": played, "dense": dense, "scattered": scattered}
"""Phases of each kind; the same number gives the same ones."""


# Texts


def _written(phase: Phase, how: str, number: int) -> Phase:
    """The phase with its texts written otherwise; what can be understood means the same."""
    chance = random.Random(f"written {number}")
    match how:
        case "loose":
            return replace(phase, texts={power: _loosely(text) for power, text in phase.texts.items()})
        case "refused":
            return replace(phase, texts={power: _with_slips(text, chance) for power, text in phase.texts.items()})
    return phase


def _loosely(text: str) -> str:
    """With full names, as people write: `a Budapest - Serbia`."""
    return "\n".join(" ".join(map(_loose_word, line.split(" "))) for line in text.split("\n"))


def _loose_word(word: str) -> str:
    at, slash, coast = word.partition("/")
    if at not in BOARD.names or at in _MISUNDERSTOOD:
        return word.lower() if len(word) == 1 and word in "AF" else word
    return f"{BOARD.names[at]}{slash}{coast}"


_MISUNDERSTOOD = frozenset({"NTH", "NWG", "NWY", "NAO", "NAT", "TYS", "TYN", "MAO", "MID", "LYO", "GOL", "BOT", "GOB"})
"""Whose full names one side or the other reads as something else."""


def _with_slips(text: str, chance: random.Random) -> str:
    """With a line in four that can't be carried out: no such place, nobody there, too far; each for a unit that has an
    order all the same."""
    lines: list[str] = []
    for line in text.split("\n"):
        if chance.random() < 0.25:
            unit = " ".join(line.split(" ")[:2])
            lines.append(chance.choice((f"{unit} - XYZ", "A SWI H", f"{unit} - {_far(unit)}")))
        lines.append(line)
    return "\n".join(lines)


def _far(unit: str) -> str:
    """A place that the unit can't reach, not even by sea."""
    return "MOS" if unit[:1] == "F" else "BAR"


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
        ordered = {province(order.at) for orders in phase.orders.values() for order in orders}  # type: ignore[union-attr]
        # It knows nothing of units without a command.
        holds = [
            self.words.HoldCommand(players[power], placed[province(at)])
            for power, _, at in phase.units
            if province(at) not in ordered
        ]
        try:
            return holds + [
                self.command(players[power], placed, order)
                for power, orders in phase.orders.items()
                for order in orders
            ]
        except AssertionError:
            return []

    def resolve(self, commands: Sequence[Any]) -> Any:
        """What is timed."""
        return self.resolve_turn(self.map, commands)

    def reached(self, results: Any) -> list[str]:
        """Who stands where; who was dislodged is left out."""
        codes = self.provinces()
        found = []
        for power, units in results.items():
            for unit, retreats in units.items():
                if retreats is None:
                    kind = "F" if unit.unit_type is self.units.UnitTypes.FLEET else "A"
                    found.append(f"{power} {kind} {codes[unit.position]}")
        return sorted(found)

    def provinces(self) -> dict[str, str]:
        """Our provinces, by its names of places."""
        ashore = {self.name("A", at): at for at in BOARD.terrain}
        return ashore | {self.name("F", place): province(place) for place in BOARD.fleets}

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
