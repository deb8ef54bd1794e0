"""The ranking at the end of a game: fame, wealth and might. Source: rules 13; ruling K-54."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from engine.core.ids import PowerId
from engine.core.phrases import Phrase
from engine.core.play import Over
from engine.king_of_kings.model import Ending, Rank, State

AGREED = "vote"
"""The reason for an end on which the players or the game master agreed."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The ranked figures of a nation: `might` is the number of its land units, `eliminated` the turn of its fall."""

    nation: PowerId
    fame: int
    gold: int
    might: int
    eliminated: int | None = None


def rank(reason: str, standings: Iterable[Standing]) -> Ending:
    """The ranking of the players' nations: the lowest mean of the three ranks wins, then fame, gold, might.

    Nations that are equal in everything share the place. The fallen come below all survivors, those who fell later
    first (ruling K-68).

    Args:
        standings: in the order of the nations' numbers, without Monsters.
    """
    everybody = list(standings)
    living = [one for one in everybody if one.eliminated is None]
    # Twice the rank in each of the three, so that means stay whole numbers.
    sums = {one.nation: sum(twice_rank(living, one, what) for what in CATEGORIES) for one in living}

    def key(one: Standing) -> tuple[int, ...]:
        first = (1, -one.eliminated) if one.eliminated is not None else (0, sums[one.nation])
        return (*first, -one.fame, -one.gold, -one.might)

    ranking: list[Rank] = []
    for _, group in groupby(sorted(everybody, key=key), key=key):
        place = len(ranking) + 1
        for one in group:
            average = None if one.eliminated is not None else round(sums[one.nation] / (2 * len(CATEGORIES)), 2)
            ranking.append(Rank(one.nation, place, average, one.fame, one.gold, one.might))
    return Ending(reason, tuple(row.nation for row in ranking if row.place == 1), tuple(ranking))


CATEGORIES: tuple[Callable[[Standing], int], ...] = (
    lambda one: one.fame,
    lambda one: one.gold,
    lambda one: one.might,
)


def twice_rank(living: Sequence[Standing], one: Standing, what: Callable[[Standing], int]) -> int:
    """Twice a nation's rank in a category; equal values share the mean of their ranks. Source: ruling K-54."""
    better = sum(what(other) > what(one) for other in living)
    equal = sum(what(other) == what(one) for other in living)
    return 2 * better + equal + 1


@dataclass(frozen=True, slots=True)
class Tie:
    """Nations of equal averages, by place; `decided_by`: the figures that decided between them (`fame`, `gold`)."""

    nations: tuple[PowerId, ...]
    decided_by: tuple[str, ...]


def ties(ending: Ending) -> Iterator[Tie]:
    """What decided between nations with equal averages; those that share a place are left out. Source: ruling K-54"""
    living = (row for row in ending.ranking if row.average is not None)
    for _, group in groupby(living, key=lambda row: row.average):
        rows = list(group)
        found = {_decided_by(one, other) for one, other in pairwise(rows)}
        decided_by = tuple(what for what in _TIE_BREAKERS if what in found)
        if decided_by:
            yield Tie(tuple(row.nation for row in rows), decided_by)


_TIE_BREAKERS = ("fame", "gold", "might")


def _decided_by(one: Rank, other: Rank) -> str | None:
    return next((what for what in _TIE_BREAKERS if getattr(one, what) != getattr(other, what)), None)


def standings(state: State) -> list[Standing]:
    """The figures of the players' nations between two turns, in the order of their numbers."""
    might = dict.fromkeys(state.nations, 0)
    for province in state.provinces:
        for nation, units in province.units.items():
            might[nation] += sum(amount for symbol, amount in units.items() if not state.rules.troops[symbol].is_ship)
    return [
        Standing(nation.id, nation.fame, nation.gold, might[nation.id], nation.eliminated)
        for nation in state.nations.values()
        if not nation.is_monsters
    ]


def players(state: State) -> tuple[PowerId, ...]:
    """The players' nations that still live, in seat order."""
    return tuple(one.nation for one in standings(state) if one.eliminated is None)


def consent_needed(state: State) -> int:
    """The nations whose consent is needed: all that are played. Source: rules 13 (unanimous vote)."""
    return len(players(state))


def leaders(state: State) -> tuple[PowerId, ...]:
    """Who would win if the game ended now, in seat order. Source: rules 13 (unanimous vote); ruling K-69."""
    winners = rank(AGREED, standings(state)).winners
    return tuple(nation for nation in state.nations if nation in winners)


def end(state: State, winners: Sequence[PowerId], why: Phrase) -> State:
    """The game ends by agreement: the same position, marked as over. The ranking shows the position of all."""
    over = Over.of(state.nations, winners, why)
    ending = replace(rank(AGREED, standings(state)), winners=over.winners)
    return replace(state, ending=ending, over=over)
