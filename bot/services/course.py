"""What comes of a phase, and of those that follow it without waiting for a player: computed, not stored.

It depends on nothing but the position, the sheets, and who plays. Workers compute it, and a replay the same again.

The computer thinks for its seats when a phase closes, and keeps nobody waiting: what it orders is stored with the phase
like what people sent, so that the record can be carried out again without it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from bot.faults import describe_fault
from bot.model import Game, Seat, StoredSheet
from bot.ports import Json, WorkersStopped
from bot.services.computer import computer_sheets
from bot.services.context import Context
from bot.services.table import is_manned
from engine.computer.levels import Level
from engine.core.events import Event
from engine.core.ids import PowerId
from engine.core.outcome import OrderResult
from engine.core.play import Resolution, Status
from engine.core.reading import read_accepted
from engine.core.viewer import Playing
from engine.registry import AnySystem, Order, State

RULES_VERSION = "0.3.0"
"""Version of the engine, stored with every closed phase. Raised when rules change what an old phase would give."""
LONGEST_CHAIN = 24
"""How many phases may pass at once without players doing anything, before the game is stopped to wait for people."""
LONGEST_THOUGHT = 6
"""Phases that only the computer decides and that pass at once. The next such one runs its full time, so that the game
does not run away from players who may still join."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PlayedPhase:
    """A phase carried out.

    Args:
        code: of the phase; `end`: the position after it.
        thought: what the computer ordered for its powers.
        is_excused: by the rules it counts as missed for nobody.
    """

    code: str
    end: Json
    results: tuple[OrderResult[Order], ...]
    events: tuple[Event, ...]
    thought: Mapping[PowerId, tuple[str, ...]] = field(default_factory=dict)
    is_excused: bool = False


@dataclass(frozen=True, slots=True)
class Course:
    """From a phase to the next one that waits for somebody, or to the end.

    Args:
        steps: the phases that pass, in order.
        status: where the game comes to rest.
        has_stopped: it stops only because nobody plays it, or so many phases passed that people should look at it.
        is_thinking: it stops only because the computer has to think first, since nobody else has anything to decide.
    """

    steps: tuple[PlayedPhase, ...]
    status: Status
    has_stopped: bool
    is_thinking: bool = False


def find_course(
    context: Context,
    rules: AnySystem,
    game: Game,
    sheets: Mapping[PowerId, StoredSheet],
    seats: tuple[Sequence[Seat], Sequence[Seat]],
    *,
    begins: bool,
    is_excused: bool = False,
) -> Course:
    """From the present phase to where the game comes to rest.

    Args:
        seats: in the present phase, and in those after it.
        is_excused: by the rules the present phase counts as missed for nobody.
    """
    assert game.document is not None, "a game that has begun has a position"
    played = frozenset(seat.power for seat in seats[1] if is_manned(seat) and seat.power is not None)
    computers = _computers(seats[1])
    steps: tuple[PlayedPhase, ...] = ()
    document, orders, levels = game.document, lines_of(sheets), _computers(seats[0])
    for _ in range(1 + LONGEST_THOUGHT):
        thought = {} if begins else _thought(context, rules, game, document, _without(levels, orders))
        course = context.workers.run(
            carry_on, rules, document, {**orders, **thought}, played,
            begins=begins, computers=frozenset(computers), is_excused=is_excused and not steps,
        )  # fmt: skip
        # What was thought is of the first phase that it carried out; in those that follow nobody orders.
        steps += tuple(step if number else replace(step, thought=thought) for number, step in enumerate(course.steps))
        if not course.is_thinking:
            break
        if course.steps:
            document, orders = steps[-1].end, {}
        levels, begins = computers, False
    return replace(course, steps=steps)


def carry_on(
    rules: AnySystem,
    document: Json,
    orders: Mapping[PowerId, Sequence[str]],
    played: Set[PowerId],
    *,
    begins: bool,
    computers: Set[PowerId] = frozenset(),
    is_excused: bool = False,
) -> Course:
    """Carry out phases until one waits for a player, or for the computer to think. A job for the workers: it depends on
    nothing else.

    Args:
        document: the position.
        orders: the lines of the sheets of the phase in which the game stands; in those that follow nobody orders.
        played: the powers that have a player.
        begins: the phase in which it stands has only begun, and may have to wait for orders; else it closes.
        computers: the powers that the computer plays.
        is_excused: by the rules the phase that closes counts as missed for nobody.
    """
    state = rules.play.load(document)
    steps: list[PlayedPhase] = []
    passed = 0
    while True:
        status = rules.play.status(state)
        if begins:
            if status.winners is not None or not played.isdisjoint(status.to_act):
                return Course(tuple(steps), status, has_stopped=False)
            if passed == LONGEST_CHAIN or played <= set(status.out):
                return Course(tuple(steps), status, has_stopped=True)
            if not computers.isdisjoint(status.to_act):
                return Course(tuple(steps), status, has_stopped=False, is_thinking=True)
            passed += 1
        resolution = adjudicate_lines(rules, state, orders, is_excused=is_excused)
        state = resolution.state
        steps.append(
            PlayedPhase(
                status.code, rules.play.dump(state), resolution.results, resolution.events, is_excused=is_excused
            )
        )
        orders, begins, is_excused = {}, True, False


def adjudicate_lines(
    rules: AnySystem, state: State, orders: Mapping[PowerId, Sequence[str]], *, is_excused: bool
) -> Resolution[State, Order]:
    """Carry out stored orders. They are read again from their texts, as a replay of the record does.

    Args:
        is_excused: by the rules the phase counts as missed for nobody.

    Raises:
        Exception: the rules fail over one of them. It was accepted, so it is not skipped.
    """
    read = {
        power: read_accepted(rules, rules.sight.view(state, Playing(power)), lines).values
        for power, lines in orders.items()
    }
    begun = rules.play.excused(state) if is_excused else state
    return rules.play.adjudicate(begun, read, rules.play.dice(state))


def lines_of(sheets: Mapping[PowerId, StoredSheet]) -> dict[PowerId, tuple[str, ...]]:
    """The orders in sheets, by power."""
    return {power: sheet.orders for power, sheet in sheets.items()}


def _computers(seats: Iterable[Seat]) -> dict[PowerId, Level]:
    """How well the computer plays which powers."""
    return {seat.power: seat.computer for seat in seats if seat.power is not None and seat.computer is not None}


def _without(levels: Mapping[PowerId, Level], orders: Mapping[PowerId, Sequence[str]]) -> dict[PowerId, Level]:
    """Those of the computer's powers without orders: if somebody has given orders for one, they apply."""
    return {power: level for power, level in levels.items() if not orders.get(power)}


def _thought(
    context: Context, rules: AnySystem, game: Game, document: Json, levels: Mapping[PowerId, Level]
) -> Mapping[PowerId, tuple[str, ...]]:
    """The computer's orders. Its powers are worked out together; if that does not finish, each by itself; if one does
    not finish even then, at lower and lower levels. If none of them finishes it gets no orders: no game waits for it.
    """
    found = _try_to_think(context, rules, game, document, levels)
    if found is not None:
        return found
    thought: dict[PowerId, tuple[str, ...]] = {}
    for power, level in levels.items():
        tried: Level | None = level
        while tried is not None:
            found = _try_to_think(context, rules, game, document, {power: tried}) if {power: tried} != levels else None
            if found is not None:
                thought.update(found)
                break
            tried = tried.easier
    return thought


def _try_to_think(
    context: Context, rules: AnySystem, game: Game, document: Json, levels: Mapping[PowerId, Level]
) -> Mapping[PowerId, tuple[str, ...]] | None:
    """The computer's orders for some of its powers; `None` if it did not finish."""
    try:
        return context.workers.run(computer_sheets, rules, document, levels) if levels else {}
    except WorkersStopped:
        raise
    except Exception as error:
        _log.error("game %d: the computer could not think: %s", game.id, describe_fault(error))
        return None
