"""Random phases through the engine, each compared with the oracle: `python -m tests.fuzz --phases 100000`.

A phase is a movement phase; where units are dislodged its retreats phase is played too, and after a Fall the
centres are compared and the adjustments played. The engine is asked through its public protocol, from the
document to the next document.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from engine import systems
from engine.core.ids import PowerId, SystemId
from engine.core.viewer import Playing
from tests.oracle import aftermath as after
from tests.oracle.board import province
from tests.oracle.legality import legal_orders
from tests.oracle.movement import (
    BOARD,
    DEFAULT,
    Choices,
    Order,
    Position,
    Unit,
    is_consistent,
    judge,
    read_order,
    solutions,
)
from tests.positions import RandomPhase, dense_phase, order_text, small_phase

RULES = systems[SystemId("diplomacy")]


class Mismatch(AssertionError):
    """The engine and the oracle disagree."""


def check_dense(seed: int, choices: Choices = DEFAULT) -> Counter[str]:
    """Play a dense phase under some rule choices, compare everything; counts of what was in it.

    Raises:
        Mismatch: where they disagree, with the position.
    """
    return check_phase(dense_phase(seed), choices)


def check_small(seed: int, choices: Choices = DEFAULT) -> Counter[str]:
    """The same for a small one, where besides every consistent result is listed."""
    phase = small_phase(seed)
    counts = check_phase(phase, choices)
    position = _position(phase, choices)
    results = solutions(position)
    ruling = judge(position)
    _same(phase, "a single consistent result is the ruling", len(results) != 1 or results[0] == ruling.moved, True)
    _same(
        phase,
        "a ruling without a backup rule has one consistent result",
        bool(ruling.fallbacks) or len(results) == 1,
        True,
    )
    counts[f"{len(results)} consistent results"] += 1
    return counts


def check_legality(phase: RandomPhase) -> int:
    """Compare the orders that the engine offers to every unit with those that the oracle allows; how many."""
    state, count = RULES.play.load(phase.document()), 0
    for power in sorted({unit.power for unit in phase.units}):
        for subject, offered in RULES.orders.legal(RULES.sight.view(state, Playing(PowerId(power)))).items():
            found = {_plain(read_order(RULES.orders.format(order))[1]) for order in offered}
            expected = {_plain(order) for order in legal_orders(phase.units, subject)}
            _same(phase, f"legal orders of {subject}", found, expected)
            count += len(expected)
    return count


def check_nonsense(seed: int) -> int:
    """Hand impossible orders straight to the adjudication, unchecked: it must pass over them; how many there were."""
    phase = small_phase(seed)
    chance = random.Random(f"nonsense {seed}")
    texts, impossible = dict(phase.texts), 0
    for unit in phase.units:
        if chance.random() < 0.5:
            order = _anything(chance, phase, unit)
            texts[unit.province] = order_text(phase.units, unit.province, order)
            impossible += _plain(order) not in legal_orders(phase.units, unit.province)
    phase = replace(phase, texts=texts)
    orders = dict(map(read_order, texts.values()))
    legal = {at: order for at, order in orders.items() if _plain(order) in legal_orders(phase.units, at)}
    state = RULES.play.load(phase.document())
    # Everybody sends all orders, so most of them are for units of others.
    everything = "\n".join(texts.values())
    sheets = {}
    for power in {unit.power for unit in phase.units}:
        read = RULES.orders.parse(everything, RULES.sight.view(state, Playing(PowerId(power)))).orders
        sheets[PowerId(power)] = [one.order for one in read]
    resolution = RULES.play.adjudicate(state, sheets, RULES.play.dice(state))
    position = Position(phase.units, legal)
    expected = after.aftermath(position, judge(position))
    _same(phase, "units", _units(resolution.state), expected.units)
    _same(phase, "dislodged", {_retreating(row) for row in resolution.dislodged}, set(expected.dislodged))
    return impossible


def _anything(chance: random.Random, phase: RandomPhase, unit: Unit) -> Order:
    """An order that could be for the unit, on some other day."""
    verb = chance.choice(("move", "support", "support", "convoy"))
    other = chance.choice([one for one in phase.units if one != unit] or [unit])
    goals = sorted(BOARD.fleets if unit.kind == "F" and verb == "move" else BOARD.terrain)
    near = sorted({place for one in phase.units for place in BOARD.reach(unit.kind, one.at)}.intersection(goals))
    to = chance.choice(near if near and chance.random() < 0.8 else goals)
    if verb == "support" and chance.random() < 0.3:
        to = ""
    return Order(verb, of="" if verb == "move" else other.province, to=to)


def _plain(order: Order) -> Order:
    """An order without the way it goes, a support without coasts."""
    to = order.to if order.verb == "move" else province(order.to)
    return Order(order.verb, of=order.of, to=to)


def check_phase(phase: RandomPhase, choices: Choices = DEFAULT) -> Counter[str]:
    """Play a phase and compare it with the oracle."""
    season = "fall" if phase.seed % 2 else "spring"
    document = phase.document(season=season) | {"options": asdict(choices)}
    owners: dict[str, str | None] = _some_owners(phase) if season == "fall" else {}
    document["state"]["centres"] = owners
    state = RULES.play.load(document)
    resolution = _adjudicate(phase, state, phase.sheets)

    position = _position(phase, choices)
    ruling = judge(position)
    expected = after.aftermath(position, ruling)
    outcomes = {result.subject: str(result.outcome) for result in resolution.results}
    _check_equations(phase, position, outcomes)
    _same(phase, "outcomes", outcomes, dict(expected.outcomes))
    _same(phase, "units", _units(resolution.state), expected.units)
    dislodged = {_retreating(row) for row in resolution.dislodged}
    _same(phase, "dislodged", dislodged, set(expected.dislodged))

    counts = Counter(phases=1, orders=len(phase.units), dislodged=len(dislodged), **Counter(ruling.fallbacks))
    state, units = resolution.state, expected.units
    if any(unit.open_to for unit in dislodged):
        _same(phase, "next phase", _phase_of(state), f"{season} 1901 retreats")
        state, units = _check_retreats(phase, state, dislodged, units)
        counts["retreats phases"] += 1
    if season == "fall":
        owners = after.owners_after_fall(owners, units)
        _same(phase, "centres", _owned(_centres(state)), _owned(owners))
    if RULES.play.dump(state).get("over"):
        return counts
    following = after.next_phase(season, 1901, (), owners, units)
    _same(phase, "next phase", _phase_of(state), following)
    if following.endswith("adjustments"):
        _check_adjustments(phase, state, owners, units)
        counts["adjustments phases"] += 1
    return counts


def _check_equations(phase: RandomPhase, position: Position, outcomes: Mapping[str, str]) -> None:
    """Feed the engine's own result into the equations: they must give it again, whatever led to it."""
    moved = {at: outcomes[at] == "succeeds" for at in position.moves}
    held = frozenset(
        at for at, order in position.orders.items() if order.verb == "convoy" and outcomes[at] == "disrupted"
    )
    _same(phase, "the result fulfils the equations", is_consistent(position, moved, held), True)


def _check_retreats(
    phase: RandomPhase, state: Any, dislodged: set[after.Retreating], units: frozenset[Unit]
) -> tuple[Any, frozenset[Unit]]:
    """Send the dislodged units somewhere, often to the same place, and compare what becomes of them."""
    chance = random.Random(phase.seed)
    wishes: dict[after.Retreating, str | None] = {}
    sheets: dict[str, list[str]] = {}
    for unit in sorted(dislodged, key=lambda one: one.unit.at):
        others = {province(place) for other in dislodged - {unit} for place in other.open_to}
        shared = [place for place in unit.open_to if province(place) in others]
        ways = shared if shared and chance.random() < 0.6 else list(unit.open_to)
        wishes[unit] = chance.choice(ways) if ways and chance.random() < 0.9 else None
        if unit.open_to:
            goal = f"R {wishes[unit]}" if wishes[unit] else "D"
            sheets.setdefault(unit.unit.power, []).append(f"{unit.unit} {goal}")
    resolution = _adjudicate(phase, state, sheets)
    results = after.retreat_results(wishes)
    found = {result.subject: str(result.outcome) for result in resolution.results}
    expected = {unit.unit.province: outcome for unit, outcome in results.items()}
    _same(phase, "retreats", {at: found.get(at, "disbands") for at in expected}, expected)
    saved = {
        Unit(unit.unit.power, unit.unit.kind, wishes[unit] or "")
        for unit, outcome in results.items()
        if outcome == "retreats"
    }
    _same(phase, "units after retreats", _units(resolution.state), units | saved)
    return resolution.state, units | saved


def _check_adjustments(
    phase: RandomPhase, state: Any, owners: Mapping[str, str | None], units: frozenset[Unit]
) -> None:
    """Order some of what is due and leave the rest to civil disorder."""
    chance = random.Random(phase.seed)
    sheets: dict[str, list[str]] = {}
    board = set(units)
    for power, balance in after.balances(owners, units).items():
        own = sorted((unit for unit in units if unit.power == power), key=lambda unit: unit.at)
        homes = after.free_homes(power, owners, units)
        ordered = chance.randint(0, abs(balance)) if chance.random() < 0.7 else 0
        if balance > 0:
            built = [Unit(power, "A", at) for at in chance.sample(homes, min(ordered, len(homes)))]
            board.update(built)
            sheets[power] = [f"BUILD {unit}" for unit in built]
        elif balance < 0:
            given_up = chance.sample(own, ordered)
            rest = [unit for unit in own if unit not in given_up]
            owned = [centre for centre, owner in owners.items() if owner == power]
            board.difference_update(given_up, after.removed_in_disorder(rest, owned, -balance - ordered))
            sheets[power] = [f"REMOVE {unit}" for unit in given_up]
    resolution = _adjudicate(phase, state, {power: lines for power, lines in sheets.items() if lines})
    _same(phase, "units after adjustments", _units(resolution.state), board)
    _same(phase, "phase after adjustments", _phase_of(resolution.state), "spring 1902 movement")


def _adjudicate(phase: RandomPhase, state: Any, texts: Mapping[str, list[str]]) -> Any:
    sheets = {}
    for power, lines in texts.items():
        view = RULES.sight.view(state, Playing(PowerId(power)))
        parsed = RULES.orders.parse("\n".join(lines), view)
        refused = [*parsed.errors, *filter(None, RULES.orders.check(view, parsed.orders))]
        _same(phase, "refused", [f"{error.text}: {error.code}" for error in refused], [])
        sheets[PowerId(power)] = [read.order for read in parsed.orders]
    return RULES.play.adjudicate(state, sheets, RULES.play.dice(state))


def _position(phase: RandomPhase, choices: Choices) -> Position:
    return Position(phase.units, dict(map(read_order, phase.texts.values())), choices)


def _some_owners(phase: RandomPhase) -> dict[str, str | None]:
    """Half of the centres owned by anybody."""
    chance = random.Random(f"owners {phase.seed}")
    powers = sorted({unit.power for unit in phase.units})
    return {centre: chance.choice(powers) if chance.random() < 0.5 else None for centre in BOARD.homes}


def _units(state: Any) -> frozenset[Unit]:
    return frozenset(Unit(row["power"], row["kind"], row["at"]) for row in RULES.play.dump(state)["state"]["units"])


def _owned(owners: Mapping[str, str | None]) -> dict[str, str]:
    return {centre: owner for centre, owner in owners.items() if owner}


def _centres(state: Any) -> dict[str, str | None]:
    return dict(RULES.play.dump(state)["state"]["centres"])


def _phase_of(state: Any) -> str:
    phase = RULES.play.dump(state)["phase"]
    return f"{phase['season']} {phase['year']} {phase['kind']}"


def _retreating(row: Mapping[str, Any]) -> after.Retreating:
    return after.Retreating(
        Unit(row["power"], row["kind"], row["at"]),
        province(row["from"]) if row["from"] else None,
        tuple(sorted(row["retreats"])),
    )


def _same(phase: RandomPhase, what: str, found: object, expected: object) -> None:
    if found == expected:
        return
    if isinstance(found, dict) and isinstance(expected, dict):
        keys = sorted(key for key in found.keys() | expected.keys() if found.get(key) != expected.get(key))
        found, expected = {key: found.get(key) for key in keys}, {key: expected.get(key) for key in keys}
    elif isinstance(found, (set, frozenset)) and isinstance(expected, (set, frozenset)):
        found, expected = found - expected, expected - found
    sheet = "\n".join(f"{unit.power} {phase.texts[unit.province]}" for unit in phase.units)
    raise Mismatch(f"seed {phase.seed}, {what}: engine {found}, oracle {expected}\n{sheet}")


def main(arguments: list[str] | None = None) -> int:
    """Run any number of phases; 1 if any disagrees."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--phases", type=int, default=10_000, help="how many (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="the first seed (default: %(default)s)")
    parser.add_argument("--small", action="store_true", help="small positions, of which every result is listed")
    parser.add_argument("--stop-after", type=int, default=20, help="give up after so many mismatches")
    parser.add_argument("--adjacent-convoy", default="intent", help="the rule choice (default: %(default)s)")
    parser.add_argument("--no-retreat-to-convoyed-origin", action="store_true", help="a rule choice")
    parser.add_argument("--dislodged-affect-nothing", action="store_true", help="a rule choice")
    options = parser.parse_args(arguments)
    choices = Choices(
        adjacent_convoy=options.adjacent_convoy,
        retreat_to_convoyed_origin=not options.no_retreat_to_convoyed_origin,
        dislodged_affects_convoyed_origin=not options.dislodged_affect_nothing,
    )
    check = check_small if options.small else check_dense
    counts: Counter[str] = Counter()
    started = time.monotonic()
    for seed in range(options.first, options.first + options.phases):
        try:
            counts += check(seed, choices)
        except Mismatch as mismatch:
            counts["mismatches"] += 1
            sys.stdout.write(f"{mismatch}\n\n")
            if counts["mismatches"] >= options.stop_after:
                break
        if (seed - options.first) % 5000 == 4999:
            sys.stderr.write(f"{seed - options.first + 1} phases, {counts['mismatches']} mismatches\n")
    took = time.monotonic() - started
    rest = ", ".join(
        f"{number} {what}" for what, number in sorted(counts.items()) if what not in ("phases", "mismatches")
    )
    sys.stdout.write(
        f"{counts['phases']} phases in {took:.0f} s, {counts['mismatches']} mismatches with the oracle ({rest})\n"
    )
    return 1 if counts["mismatches"] else 0


if __name__ == "__main__":
    sys.exit(main())
