"""Games among players of the computer: `python -m tests.tournament SYSTEM --of strong --against fair --games 20`.

The seats of `--of` are spread over the table and go one further in each game. Prints how often its side won (ties
split; of a game that isn't over whoever leads), what it owned in the end, how often each power won, what each owned on
average, and the processor time of a phase. `dumb` is a baseline (tests/dumb_bot.py). What was measured stands in
docs/balance.md.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean

from engine import systems
from engine.computer.levels import CARE, Level, think
from engine.core.ids import PowerId, SystemId
from engine.core.reading import read_orders
from engine.core.viewer import EVERYBODY, Playing
from engine.registry import AnySystem, State
from tests import dumb_bot
from tests.play_random import year_of

DUMB = "dumb"
PLAYERS = (*map(str, Level), DUMB)


@dataclass(frozen=True, slots=True)
class Ended:
    """A game that is over, or was left: the share of the victory of each power, what it counts, and how long it took.

    Args:
        seconds: of processor time for each phase, by who thought.
        is_won: by the rules; else whoever leads shares it.
    """

    shares: Mapping[PowerId, float]
    figures: Mapping[PowerId, float]
    seconds: Mapping[str, list[float]]
    years: int
    is_won: bool


@dataclass(frozen=True, slots=True)
class GameSetup:
    """What is played: with which options, by how many, for how long."""

    rules: AnySystem
    players: int
    years: int
    options: Mapping[str, str]


def play(table: GameSetup, players: Mapping[int, str], default: str, *, seed: str) -> Ended:
    """One game; `players` says by number of seat who plays otherwise than the default."""
    rules = table.rules
    options = {name: _value(text) for name, text in table.options.items()}
    state = rules.play.start(variant=rules.info.variants[0], players=table.players, options=options, seed=seed)
    out = rules.play.status(state).out
    powers = [power for power in rules.play.variant(state).powers if power not in out]
    first = year_of(rules, state)
    seconds: dict[str, list[float]] = defaultdict(list)
    while rules.play.status(state).winners is None and year_of(rules, state) < first + table.years:
        status, sheets = rules.play.status(state), {}
        for power in status.to_act:
            player = players.get(powers.index(power), default)
            chance = random.Random(f"{seed}/{status.code}/{power}")
            started = time.process_time()
            sheets[power] = _orders(rules, state, power, player, chance)
            seconds[player].append(time.process_time() - started)
        state = rules.play.adjudicate(state, sheets, rules.play.dice(state)).state
    shares, figures = _standing(rules, state, powers)
    is_won = rules.play.status(state).winners is not None
    return Ended(shares, figures, seconds, year_of(rules, state) - first, is_won)


def _value(text: str) -> bool | int | str:
    return {"true": True, "false": False}.get(text, int(text) if text.isdecimal() else text)


def _orders(rules: AnySystem, state: State, power: PowerId, player: str, chance: random.Random) -> tuple[object, ...]:
    view = rules.sight.view(state, Playing(power))
    if player == DUMB:
        lines = [rules.orders.format(order) for order in dumb_bot.orders(rules, state, power, chance)]
    else:
        assert rules.judgement is not None
        lines = list(think(rules, rules.judgement, view, power, CARE[Level(player)], chance))
    return tuple(read.order for read in read_orders(rules, view, "\n".join(lines)).orders)


def _standing(
    rules: AnySystem, state: State, powers: Sequence[PowerId]
) -> tuple[Mapping[PowerId, float], Mapping[PowerId, float]]:
    """Who won, in shares; of a game that isn't over, who leads by what the game counts."""
    count = rules.telling.standings
    assert count is not None, "a game that is measured counts something"
    counted = count(rules.sight.view(state, EVERYBODY)).figures
    figures = {power: float(counted.get(power, 0)) for power in powers}
    winners = rules.play.status(state).winners
    if not winners:
        most = max(figures.values())
        winners = tuple(power for power, figure in figures.items() if figure == most)
    return {power: 1 / len(winners) for power in winners}, figures


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("system", choices=sorted(name for name, rules in systems.items() if rules.judgement))
    add("--of", default=str(Level.STRONG), choices=PLAYERS)
    add("--against", default=str(Level.FAIR), choices=PLAYERS)
    add("--seats", type=int, help="how many seats --of has (default: half of them)")
    add("--players", type=int)
    add("--games", type=int, default=10)
    add("--years", type=int, default=10)
    add("--first", type=int, default=1)
    add("--option", action="append", default=[], metavar="NAME=VALUE", help="a choice of the rules; may be repeated")
    given = parser.parse_args()
    rules = systems[SystemId(given.system)]
    players = given.players or max(rules.info.seats)
    options = dict(text.split("=", 1) for text in given.option)
    table = GameSetup(rules, players, given.years, options)
    number_of_seats = players // 2 if given.seats is None else given.seats
    shares: list[float] = []
    owned, total, won_by_rules = 0.0, 0.0, 0
    by_power: Counter[PowerId] = Counter()
    figures: dict[PowerId, list[float]] = defaultdict(list)
    seconds: dict[str, list[float]] = defaultdict(list)
    for number in range(given.first, given.first + given.games):
        seats = {(number + extra * players // number_of_seats) % players for extra in range(number_of_seats)}
        ended = play(table, dict.fromkeys(seats, given.of), given.against, seed=f"tournament/{number}")
        mine = [power for place, power in enumerate(ended.figures) if place in seats]
        shares.append(sum(ended.shares.get(power, 0.0) for power in mine))
        owned += sum(ended.figures[power] for power in mine)
        total += sum(ended.figures.values())
        won_by_rules += ended.is_won
        by_power.update(ended.shares)
        for power, figure in ended.figures.items():
            figures[power].append(figure)
        for player, times in ended.seconds.items():
            seconds[player] += times
        print(f"{number}: {', '.join(mine)} won {shares[-1]:.2f} in {ended.years} years", flush=True)
    count = given.games
    even = number_of_seats / players
    print(f"{given.system} {given.option or ''}: {given.of} in {number_of_seats} of {players} seats, {count} games of "
          f"at most {given.years} years against {given.against}:")  # fmt: skip
    print(f"won {mean(shares):.2f} (an equal share is {even:.2f}), owned {owned / total:.2f};"
          f" {won_by_rules} games were won by the rules")  # fmt: skip
    for player, times in seconds.items():
        print(f"{player}: {mean(times):.3f} s of processor time a phase and power, at most {max(times):.2f}")
    for power, found in figures.items():
        print(f"  {power}: won {by_power[power]:.2f} ({by_power[power] * players / count:.2f} times its share),"
              f" owned {mean(found):.1f}")  # fmt: skip


if __name__ == "__main__":
    main()
