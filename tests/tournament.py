"""Games among players of the computer: `python -m tests.tournament SYSTEM --of strong --against fair --games 20`.

In each game the powers of `--of` are drawn anew, seats rotated; prints how often their side won, ties split, what it
owned in the end, and the processor time of a phase.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from engine import systems
from engine.computer.levels import CARE, Level, think
from engine.core.ids import PowerId, SystemId
from engine.core.reading import read_orders
from engine.core.viewer import EVERYBODY, Playing
from engine.registry import AnySystem, State
from tests.play_random import year_of


@dataclass(frozen=True, slots=True)
class Ended:
    """A game that is over: the share of the victory of each power, and processor seconds a phase by level."""

    shares: Mapping[PowerId, float]
    figures: Mapping[PowerId, float]
    seconds: Mapping[Level, list[float]]
    years: int


def play(
    rules: AnySystem, levels: Mapping[int, Level], default: Level, *, seed: str, years: int, players: int | None = None
) -> Ended:
    """One game; `levels` says by number of seat who plays otherwise than the default."""
    assert rules.judgement is not None
    state = rules.play.start(
        variant=rules.info.variants[0], players=players or max(rules.info.seats), options={}, seed=seed
    )
    powers = list(rules.play.variant(state).powers)
    first = year_of(rules, state)
    seconds: dict[Level, list[float]] = defaultdict(list)
    while rules.play.status(state).winners is None and year_of(rules, state) < first + years:
        status, sheets = rules.play.status(state), {}
        for power in status.to_act:
            level = levels.get(powers.index(power), default)
            view = rules.sight.view(state, Playing(power))
            chance = random.Random(f"{seed}/{status.code}/{power}")
            started = time.process_time()
            lines = think(rules, rules.judgement, view, power, CARE[level], chance)
            seconds[level].append(time.process_time() - started)
            sheets[power] = tuple(read.order for read in read_orders(rules, view, "\n".join(lines)).orders)
        state = rules.play.adjudicate(state, sheets, rules.play.dice(state)).state
    return Ended(*_standing(rules, state), seconds, year_of(rules, state) - first)


def _standing(rules: AnySystem, state: State) -> tuple[Mapping[PowerId, float], Mapping[PowerId, float]]:
    """Who won, in shares; of a game that isn't over, who leads by the first figure of the legend."""
    legend = rules.telling.scene(rules.sight.view(state, EVERYBODY)).legend
    figures = {row.power: float(row.figures[0][1]) if row.figures else 0.0 for row in legend}
    winners = rules.play.status(state).winners
    if winners is None:
        most = max(figures.values())
        winners = tuple(power for power, figure in figures.items() if figure == most)
    return {power: 1 / len(winners) for power in winners}, figures


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("system", choices=sorted(name for name, rules in systems.items() if rules.judgement))
    add("--of", type=Level, default=Level.STRONG, choices=list(Level))
    add("--against", type=Level, default=Level.FAIR, choices=list(Level))
    add("--seats", type=int, default=1, help="how many seats --of has")
    add("--players", type=int)
    add("--games", type=int, default=10)
    add("--years", type=int, default=10)
    add("--first", type=int, default=1)
    given = parser.parse_args()
    rules = systems[SystemId(given.system)]
    players = given.players or max(rules.info.seats)
    share, owned, total = 0.0, 0.0, 0.0
    by_power: Counter[PowerId] = Counter()
    seconds: dict[Level, list[float]] = defaultdict(list)
    for number in range(given.first, given.first + given.games):
        seats = [(number + extra * players // given.seats) % players for extra in range(given.seats)]
        ended = play(
            rules,
            dict.fromkeys(seats, given.of),
            given.against,
            seed=f"tournament/{number}",
            years=given.years,
            players=players,
        )
        powers = list(ended.figures)
        mine = [powers[seat] for seat in seats if seat < len(powers)]
        share += sum(ended.shares.get(power, 0.0) for power in mine)
        owned += sum(ended.figures[power] for power in mine)
        total += sum(ended.figures.values())
        by_power.update({power: ended.shares[power] for power in ended.shares})
        for level, times in ended.seconds.items():
            seconds[level] += times
        won = sum(ended.shares.get(power, 0.0) for power in mine)
        print(f"{number}: {', '.join(mine)} won {won:.2f} in {ended.years} years", flush=True)
    print(f"{given.of} in {given.seats} of {players} seats against {given.against}, {given.games} games:")
    print(f"won {share / given.games:.2f} (an equal share is {given.seats / players:.2f}), owned {owned / total:.2f}")
    for level, times in seconds.items():
        print(f"{level}: {sum(times) / len(times):.3f} s of processor time a phase, at most {max(times):.2f}")
    print("wins by power:", ", ".join(f"{power} {count:.1f}" for power, count in by_power.most_common()))


if __name__ == "__main__":
    main()
