"""Decides a contest: first what follows from the orders, then what is left, one component at a time.

A component is a strongly connected component of what is still open: decisions that all depend on each other. One that
depends on no other component can be decided by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType

from engine.provinces.contest.contest import NOBODY, Contest
from engine.provinces.contest.equations import NOTHING, Equations, FailedAttack, Node, Strength, Truth

MOST_GUESSES = 1000
"""How many guesses are spent on one component before it counts as one without a single solution."""


class Fallback(Enum):
    """What was done about attacks that depend on each other where the equations have no solution, or several.

    Source: Diplomacy, rules 4.4.
    """

    CIRCLE = "circle"
    """All of them succeed."""
    PARADOX = "paradox"
    """The rule for contradictory routes was applied."""
    UNFORESEEN = "unforeseen"
    """No rule covers it: the solution with most successes was taken; if there was none, all fail."""


class Backup(Enum):
    """What to do when routes contradict themselves. Source: Diplomacy, rules 5.4, 6.4; ruling D2; DATC 4.A.2."""

    CARRIERS_HOLD = "carriers_hold"
    """The carriers in the component carry nobody; everything else is as ordered."""
    ATTACKS_FAIL = "attacks_fail"
    """Every attack of the component fails, and a carried one does not arrive."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """The answer to a contest.

    Args:
        equations: with nothing open: it can be asked for every truth and strength, with equal bounds.
        fallbacks: what the backup rules decided, with the attackers of the component, ascending.
    """

    equations: Equations
    fallbacks: tuple[tuple[Fallback, tuple[int, ...]], ...]


def resolve(contest: Contest, backup: Backup = Backup.CARRIERS_HOLD) -> Ruling:
    """Find out who gets where. There is always an answer.

    What follows from the orders is decided first. What is left depends on itself. Of its components one that depends
    on no other is decided first: by its only consistent solution, otherwise by a backup rule. Source: DATC 3.0, 5.
    """
    equations = Equations(contest)
    fallbacks = []
    still_open = equations.decide([unit for unit in equations.attackers if equations.moved[unit] is None])
    circling = find_circling_supports(equations) if contest.frays else set()
    while still_open or circling:
        fallback = _decide(equations, find_component(equations, still_open, circling), backup)
        if fallback:
            fallbacks.append(fallback)
        still_open = equations.decide(still_open)
        circling = find_circling_supports(equations) if circling else circling
    return Ruling(equations, tuple(fallbacks))


def find_circling_supports(equations: Equations) -> set[int]:
    """Fraying supports that are open and depend on themselves through others like them."""
    contest = equations.contest
    supporters = [unit for unit in sorted(contest.frays) if contest.helps[unit] != NOBODY]
    still_open = [Node("support", unit) for unit in supporters if len(set(equations.support(unit))) > 1]
    equations.weighed.update(unit for _, unit in still_open)
    dependencies = {
        node: {other for other in _dependencies(equations, node) if other.kind == "support"} for node in still_open
    }
    equations.weighed.clear()
    components = _components(still_open, dependencies.__getitem__)
    return {
        node.unit for component in components for node in component if len(component) > 1 or node in dependencies[node]
    }


def find_component(equations: Equations, still_open: Sequence[int], circling: Set[int] = frozenset()) -> Sequence[Node]:
    """A component that depends on nothing else that is open, from the attacks and the circling supports that are."""
    equations.pending.update(still_open)
    equations.weighed.update(circling)
    starts = [Node("attack", unit) for unit in still_open] or [Node("support", unit) for unit in sorted(circling)]
    equations.traces_routes = True
    component = next(_components(starts, lambda node: _dependencies(equations, node)))
    equations.traces_routes = False
    equations.weighed.clear()
    return component


def _dependencies(equations: Equations, node: Node) -> set[Node]:
    """What something open depends on directly; meanwhile every open attack answers "open" at once."""
    asked = equations.asked
    asked.clear()
    if node.kind == "carrier":
        equations.dislodged(node.unit)
        return set(asked)
    if node.kind == "support":
        equations.support_from_rest(node.unit)
        return set(asked)
    unit = node.unit
    least, most = equations.attack(unit)
    found = set(asked if least != most else ())
    space = equations.to[unit]
    for equation, other in [(equations.resistance, unit)] + [
        (equations.prevent, rival) for rival in equations.into[space] if rival != unit
    ]:
        asked.clear()
        low, high = equation(other)
        if low != high and least <= high and most > low:
            found.update(asked)
    return found


def _decide(equations: Equations, component: Sequence[Node], backup: Backup) -> tuple[Fallback, tuple[int, ...]] | None:
    """Decide one component. Returns the backup rule that was needed, if the equations alone were not enough."""
    supports = sorted(unit for kind, unit in component if kind == "support")
    moves = tuple(sorted(unit for kind, unit in component if kind == "attack"))
    if supports:
        _decide_supports(equations, supports, moves)
        return None
    carriers = [unit for kind, unit in component if kind == "carrier"]
    if not carriers:
        before = _assume(equations, dict.fromkeys(moves, True))
        if _is_consistent(equations, moves):
            return Fallback.CIRCLE, moves
        _forget(equations, before)
    answers = _find_answers(equations, moves)
    if len(answers) == 1:
        _assume(equations, answers[0].moved)
        return None
    if carriers:
        equations.held.update(carriers)
        if backup is Backup.ATTACKS_FAIL:
            _assume(equations, dict.fromkeys(moves, False))
        return Fallback.PARADOX, moves
    found = [answer.moved for answer in answers]
    _assume(equations, max(found, key=lambda moved: sum(moved.values()), default=dict.fromkeys(moves, False)))
    return Fallback.UNFORESEEN, moves


def _decide_supports(equations: Equations, supports: Sequence[int], moves: Sequence[int]) -> None:
    """Decide a component in which supports fray each other: they count 0, unless there is exactly one solution."""
    answers = _find_answers(equations, moves, supports)
    if len(answers) == 1:
        _assume(equations, answers[0].moved, answers[0].given)
    else:
        _assume(equations, {}, dict.fromkeys(supports, NOTHING))


@dataclass(frozen=True, slots=True)
class _Known:
    """What was known at some point."""

    moved: list[Truth]
    given: dict[int, Strength]
    carried: dict[int, bool]
    stopped: dict[int, FailedAttack]


def _assume(
    equations: Equations, moved: Mapping[int, bool], given: Mapping[int, Strength] = MappingProxyType({})
) -> _Known:
    """Assume that attacks and supports are decided; returns what was known before, to go back to."""
    before = _Known(equations.moved, equations.given, equations.carried, equations.stopped)
    equations.moved, equations.given = list(before.moved), {**before.given, **given}
    equations.carried, equations.stopped = dict(before.carried), dict(before.stopped)
    for unit, truth in moved.items():
        equations.moved[unit] = truth
    return before


def _forget(equations: Equations, before: _Known) -> None:
    """Go back to what was known before an assumption."""
    equations.moved, equations.given = before.moved, before.given
    equations.carried, equations.stopped = before.carried, before.stopped


def _is_consistent(equations: Equations, moves: Iterable[int], supports: Iterable[int] = ()) -> bool:
    """Whether the equations, given what is assumed of these attacks and supports, confirm it."""
    return all(equations.move_from_rest(unit) == equations.moved[unit] for unit in moves) and all(
        equations.support_from_rest(unit) == equations.given[unit] for unit in supports
    )


@dataclass(frozen=True, slots=True)
class _Answer:
    """A consistent solution of a component: which attacks succeed, what the supports count."""

    moved: dict[int, bool]
    given: dict[int, Strength]


def _find_answers(equations: Equations, moves: Sequence[int], supports: Sequence[int] = ()) -> list[_Answer]:
    """Consistent solutions of a component, at most two; none if it takes too many guesses to say how many there are.

    One open thing is guessed, the rest follows or is guessed in its turn. Whatever follows is what every solution with
    these guesses must say, so none is missed; whether a guess itself is consistent with the rest is checked at the end.
    """
    found: list[_Answer] = []
    guesses_left = MOST_GUESSES

    def search() -> None:
        nonlocal guesses_left
        guesses = _next_guesses(equations, moves, supports)
        if not guesses and _is_consistent(equations, moves, supports):
            moved = {unit: bool(equations.moved[unit]) for unit in moves}
            found.append(_Answer(moved, {unit: equations.given[unit] for unit in supports}))
        for guess in guesses:
            guesses_left -= 1
            if len(found) == 2 or guesses_left < 0:
                return
            before = _assume(equations, *guess)
            search()
            _forget(equations, before)

    search()
    return found if len(found) == 2 or guesses_left >= 0 else []


def _next_guesses(
    equations: Equations, moves: Sequence[int], supports: Sequence[int]
) -> list[tuple[dict[int, bool], dict[int, Strength]]]:
    """All values that the first thing still open can have, once everything that follows is decided."""
    still_open = equations.decide(moves)
    for unit in supports:
        least, most = equations.support(unit)
        if least != most:
            return [({}, {unit: (strength, strength)}) for strength in range(least, most + 1)]
    return [({still_open[0]: truth}, {}) for truth in (False, True)] if still_open else []


_KINDS = ("carrier", "attack", "support")


def _rank(node: Node) -> tuple[int, int]:
    """A fixed order, so that the same orders always give the same components, one after the other."""
    return _KINDS.index(node.kind), -node.unit if node.kind == "carrier" else node.unit


def _components(starts: Iterable[Node], dependencies: Callable[[Node], Iterable[Node]]) -> Iterator[Sequence[Node]]:
    """The strongly connected components of what can be reached, each after what it depends on. Source: R. Tarjan."""
    low: dict[Node, int] = {}
    path: list[Node] = []
    done: set[Node] = set()

    def visit(node: Node) -> Iterator[Sequence[Node]]:
        index = low[node] = len(low)
        path.append(node)
        for other in sorted(dependencies(node), key=_rank):
            if other not in low:
                yield from visit(other)
            if other not in done:
                low[node] = min(low[node], low[other])
        if low[node] == index:
            place = path.index(node)
            component = path[place:]
            del path[place:]
            done.update(component)
            yield component

    for start in starts:
        if start not in low:
            yield from visit(start)
