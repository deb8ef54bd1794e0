"""How a computer player thinks about King of Kings: land to gain, troops that it can feed, battles worth fighting.

Its sheets are drafted as a whole, since their lines depend on each other: a unit that is placed may march at once, and
no two units go for the same land. Its diplomacy follows a rule that players know: it offers peace (status 1) in every
fourth turn to every neighbour that owns more than it does, takes none back, and gives nothing away. Source:
docs/king_of_kings.md, "Nations that the computer plays"
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from engine.core.ids import PowerId
from engine.core.judgement import Chance, Judgement, Worth, in_characters
from engine.king_of_kings.computer.attacks import SkilledSheet
from engine.king_of_kings.computer.sheet import Approach, ComputerSheet, any_approach, worth_of_land
from engine.king_of_kings.model import Line, Pass, State, View
from engine.king_of_kings.orders import line_of
from engine.king_of_kings.ranking import CATEGORIES, standings, twice_rank
from engine.king_of_kings.steps.opening import open_turn
from engine.king_of_kings.working import Turn

_UNIT, _FAME = 1.8, 0.3
"""What a unit is worth for every two gold of its price, and what a point of fame is.

In 36 games of `fair` nations a unit in turn 5 or 7 predicted the result as well as land that yields four to eight.
"""
_RANK, _VICTORY = 5.0, 500.0
"""What half a rank in fame, gold or troops costs by the last turn, and what a victory is worth."""
_COST = 40
_USUAL = 0.35
"""The wildness up to which drafts use the usual plan; wilder ones use any plan."""


def measure(state: State) -> Callable[[State], Worth]:
    """A function that values each nation's position: the yield of its land, its troops, its fame."""
    return _worth


def _worth(state: State) -> Worth:
    worth = {
        nation.id: _FAME * nation.fame + 0.1 * nation.gold
        for nation in state.nations.values()
        if not nation.is_monsters
    }
    for province in state.provinces:
        terrain = state.rules.terrain[province.terrain]
        if province.owner in worth and not terrain.is_sea:
            worth[province.owner] += worth_of_land(terrain)
        for nation, units in province.units.items():
            if nation in worth:
                worth[nation] += sum(_UNIT * state.rules.troops[symbol].value * n for symbol, n in units.items()) / 2
    living = [one for one in standings(state) if one.eliminated is None]
    late = min(1.0, state.turn / state.options.end_turn)
    for one in living:
        worth[one.nation] -= _RANK * late * sum(twice_rank(living, one, what) for what in CATEGORIES)
    winners = () if state.over is None else state.over.winners
    for winner in winners:
        worth[winner] += _VICTORY / len(winners)
    return worth


def draft(state: State, power: PowerId, chance: Chance, wildness: float, *, caution: float = 1.0) -> tuple[Line, ...]:
    """A whole sheet: its dealings with others, its purchases, and where its troops go."""
    return _draft(ComputerSheet, state, power, chance, wildness, caution)


def draft_skilled(
    state: State, power: PowerId, chance: Chance, wildness: float, *, caution: float = 1.0
) -> tuple[Line, ...]:
    """The same with attacks that are thought through, by all who can get there."""
    return _draft(SkilledSheet, state, power, chance, wildness, caution)


def _draft(
    sheet: type[ComputerSheet], state: State, power: PowerId, chance: Chance, wildness: float, caution: float
) -> tuple[Line, ...]:
    turn = Turn.open(state, {}, None)
    open_turn(turn)
    if power not in turn.realms or not turn.realms[power].is_alive:
        return ()
    approach = (any_approach(chance) if wildness > _USUAL else Approach()).in_character(caution)
    orders = list(sheet(turn, power, chance, wildness, approach).orders())[: state.options.max_orders]
    return tuple(line_of(state.rules, order) for order in orders or [Pass()])


JUDGEMENT: Judgement[State, View, Line] = in_characters(
    lambda caution: Judgement(
        imagine=lambda view: view.state,
        measure=measure,
        intent=lambda _: None,
        appeal=lambda state, power: lambda _: 0.0,
        draft=partial(draft, caution=caution),
        draft_skilled=partial(draft_skilled, caution=caution),
        cost=_COST,
    )
)
