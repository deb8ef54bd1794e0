"""Games among players of the computer: `python -m tests.tournament SYSTEM --of strong --against fair --games 20`.

The seats of `--of` are spread over the table and go one further in each game. Prints how often its side won (ties
split; of a game that isn't over whoever leads), what it owned in the end, how often each power won, what each owned on
average, and the processor time of a phase. With `--keep FILE` games are added to a file, and can go on another night;
`python -m tests.tournament --keep FILE` alone prints the tables of all games in it. `dumb` is a baseline
(tests/dumb_bot.py). What was measured stands in docs/balance.md.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from math import sqrt
from pathlib import Path
from typing import Any

from engine import systems
from engine.computer.levels import CARE, Level, think
from engine.core.ids import PowerId, SystemId
from engine.core.reading import read_orders
from engine.core.viewer import EVERYBODY, Playing
from engine.registry import AnySystem, Order, State
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
        status = rules.play.status(state)
        sheets: dict[PowerId, tuple[Order, ...]] = {}
        for power in status.to_act:
            player = players.get(powers.index(power), default)
            chance = random.Random(f"{seed}/{status.code}/{power}")
            started = time.process_time()
            sheets[power] = orders_of(rules, state, power, player, chance)
            seconds[player].append(time.process_time() - started)
        state = rules.play.adjudicate(state, sheets, rules.play.dice(state)).state
    shares, figures = _standing(rules, state, powers)
    is_won = rules.play.status(state).winners is not None
    return Ended(shares, figures, seconds, year_of(rules, state) - first, is_won)


def _value(text: str) -> bool | int | str:
    return {"true": True, "false": False}.get(text, int(text) if text.isdecimal() else text)


def orders_of(rules: AnySystem, state: State, power: PowerId, player: str, chance: random.Random) -> tuple[Order, ...]:
    """What a player of the computer, or the baseline, orders."""
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


@dataclass(frozen=True, slots=True)
class Match:
    """Who plays whom: what is the same in all games of a table."""

    system: str
    of: str
    against: str
    seats: int
    players: int
    years: int
    options: tuple[str, ...] = ()


def one_game(match: Match, number: int) -> dict[str, Any]:
    """A game's row, as it is kept in a file: by power the share of the victory and what is owned, and who sat where."""
    rules = systems[SystemId(match.system)]
    table = GameSetup(rules, match.players, match.years, dict(text.split("=", 1) for text in match.options))
    seats = {(number + extra * match.players // match.seats) % match.players for extra in range(match.seats)}
    ended = play(table, dict.fromkeys(seats, match.of), match.against, seed=f"tournament/{number}")
    return {
        **asdict(match),
        "options": list(match.options),
        "number": number,
        "mine": [power for place, power in enumerate(ended.figures) if place in seats],
        "shares": dict(ended.shares),
        "figures": dict(ended.figures),
        "lasted": ended.years,
        "is_won": ended.is_won,
        "seconds": {who: [len(times), sum(times), max(times)] for who, times in ended.seconds.items()},
    }


def wilson(won: float, games: int) -> tuple[float, float]:
    """Between which shares the true one lies, 19 times in 20, by Wilson's formula; split games count in part."""
    z = 1.96
    share, room = won / games, z * z / games
    half = z * sqrt(share * (1 - share) / games + room / (4 * games))
    return (share + room / 2 - half) / (1 + room), (share + room / 2 + half) / (1 + room)


def table_of(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """What games of one match came to, in lines."""
    first, count = rows[0], len(rows)
    players, seats, against = first["players"], first["seats"], first["against"]
    title = f"{first['system']} {' '.join(first['options'])}".strip()
    by_rules = sum(row["is_won"] for row in rows)
    told = [f"{title}: {first['of']} in {seats} of {players} seats against {against}, {count} games of at most"
            f" {first['years']} years, {by_rules} won by the rules"]  # fmt: skip
    if first["of"] != against:
        won = sum(row["shares"].get(power, 0.0) for row in rows for power in row["mine"])
        owned = sum(row["figures"][power] for row in rows for power in row["mine"])
        total = sum(sum(row["figures"].values()) for row in rows)
        low, high = wilson(won, count)
        told.append(f"  won {won / count:.2f} ({low:.2f} to {high:.2f}; an equal share is {seats / players:.2f}),"
                    f" owned {owned / total:.2f}")  # fmt: skip
    for player in {who: None for row in rows for who in row["seconds"]}:
        times = [row["seconds"][player] for row in rows if player in row["seconds"]]
        mean_of_all = sum(spent for _, spent, _ in times) / sum(number for number, _, _ in times)
        most = max(longest for _, _, longest in times)
        told.append(f"  {player}: {mean_of_all:.3f} s of processor time a phase and power, at most {most:.2f}")
    for power in first["figures"]:
        won = sum(row["shares"].get(power, 0.0) for row in rows)
        low, high = (bound * players for bound in wilson(won, count))
        owned = sum(row["figures"][power] for row in rows) / count
        told.append(f"  {power}: won {won:.2f}, {won * players / count:.2f} times its share ({low:.2f} to {high:.2f}),"
                    f" owned {owned:.1f}")  # fmt: skip
    return told


def _kept(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def _match_of(row: Mapping[str, Any]) -> Match:
    return Match(**{**{field.name: row[field.name] for field in fields(Match)}, "options": tuple(row["options"])})


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("system", nargs="?", choices=sorted(name for name, rules in systems.items() if rules.judgement))
    add("--of", default=str(Level.STRONG), choices=PLAYERS)
    add("--against", default=str(Level.FAIR), choices=PLAYERS)
    add("--seats", type=int, help="how many seats --of has (default: half of them)")
    add("--players", type=int)
    add("--games", type=int, default=10)
    add("--years", type=int, default=10)
    add("--first", type=int, default=1)
    add("--option", action="append", default=[], metavar="NAME=VALUE", help="a choice of the rules; may be repeated")
    add("--keep", type=Path, help="a file to which each game is added; one that is in it is not played again")
    given = parser.parse_args()
    if given.system is None:
        matches: dict[Match, list[dict[str, Any]]] = {}
        for row in _kept(given.keep) if given.keep else ():
            matches.setdefault(_match_of(row), []).append(row)
        print("\n".join(line for rows in matches.values() for line in table_of(rows)))
        return
    players = given.players or max(systems[SystemId(given.system)].info.seats)
    seats = players // 2 if given.seats is None else given.seats
    match = Match(given.system, given.of, given.against, seats, players, given.years, tuple(given.option))
    kept = _kept(given.keep) if given.keep else []
    known = {row["number"]: row for row in kept if _match_of(row) == match}
    rows = []
    for number in range(given.first, given.first + given.games):
        row = known.get(number) or one_game(match, number)
        if given.keep and number not in known:
            with given.keep.open("a") as file:
                file.write(json.dumps(row) + "\n")
        rows.append(row)
        won = sum(row["shares"].get(power, 0.0) for power in row["mine"])
        print(f"{number}: {', '.join(row['mine'])} won {won:.2f} in {row['lasted']} years", flush=True)
    print("\n".join(table_of(rows)))


if __name__ == "__main__":
    main()
