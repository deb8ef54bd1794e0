"""What changes a position between two closings: carried out and recorded in one transaction, and made again to verify.

An act is something a person does that is not an order: a game master's edit, or a choice that the rules leave to one.
The position at a phase's closing is the end of the previous phase with this phase's acts, in their order. Phases that
are played again begin with the acts that they had.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from bot.model import Act, ActKind, Game, PhaseRecord, Seat, UserId
from bot.ports import UnitOfWork
from bot.services.context import Context
from bot.services.course import adjudicate_lines, lines_of
from bot.services.errors import refused
from bot.services.interventions import EDITED, Intervention, changes_before
from bot.services.seeds import seed_of, with_seed
from bot.services.table import Table
from engine.core.errors import DocumentError
from engine.core.events import Event
from engine.core.ids import PowerId
from engine.registry import AnySystem, State

NOBODY = UserId(0)
"""Who did something that earlier versions announced without storing who did it."""


def carry_out(context: Context, unit: UnitOfWork, table: Table, actor: UserId, kind: ActKind, text: str) -> State:
    """Change the position of a game, and store who did it, in a unit of work that the caller commits.

    Raises:
        DocumentError: the rules don't take it.
        Refused: somebody else closed the phase.
    """
    is_ruling = kind is ActKind.RULING
    state = _ruled_on(context, unit, table, text) if is_ruling else MAKERS[kind](table.rules, table.state, text)
    game = replace(table.game, document=table.rules.play.dump(state))
    if not unit.games.advance(game, expected_phase_no=game.phase_no):
        raise refused("phase_over", game=game.name, title=table.status.title)
    number = 1 + sum(act.phase_no == game.phase_no for act in unit.acts.of_game(game.id))
    unit.acts.add(Act(game.id, game.phase_no, number, actor, kind, text, context.clock.now()))
    return state


def stand_again(unit: UnitOfWork, game: Game, *, from_phase_no: int, phase_no: int) -> None:
    """Store the acts of a phase for the one in which it is played again, which begins with them."""
    for act in unit.acts.of_game(game.id):
        if act.phase_no == from_phase_no:
            unit.acts.add(replace(act, phase_no=phase_no))


def seated_again(
    unit: UnitOfWork, rules: AnySystem, game: Game, document: Any, seats: Iterable[Seat], now: datetime
) -> Any:
    """The position of a phase that is played again, updated with who has left and who plays now.

    Args:
        game: in the phase in which it is played again; its acts are already stored again.
    """
    if rules.seating is None or not game.has_acts:
        return document
    state = rules.play.load(document)
    number = sum(act.phase_no == game.phase_no for act in unit.acts.of_game(game.id))
    for seat in seats:
        if seat.power is None or seat.power in rules.play.status(state).out:
            continue
        is_played = seat.user_id is not None or seat.computer is not None
        text = seating_text(TAKEN if is_played else LEFT, seat.power)
        found = _seat(rules, state, text)
        if found != state:
            state, number = found, number + 1
            unit.acts.add(Act(game.id, game.phase_no, number, NOBODY, ActKind.SEAT, text, now))
    return rules.play.dump(state)


@dataclass(frozen=True, slots=True)
class ClosedAgain:
    """How a closed phase ended with rulings: the game's document at its end, and what happened."""

    end: Any
    events: tuple[Event, ...]


CloseAgain = Callable[[AnySystem, PhaseRecord | None, tuple[str, ...]], ClosedAgain]


def made_again(
    rules: AnySystem,
    state: State,
    acts: Iterable[Act],
    *,
    before: PhaseRecord | None = None,
    close_again: CloseAgain | None = None,
) -> State:
    """The position with acts. Rulings come first: the others are made in the position that they lead to.

    Args:
        before: the phase that ended with this position; `None`: there was none.
        close_again: carries that phase out by rulings, which may take seconds; `None`: it is done here.

    Raises:
        DocumentError: today's rules don't take one of them.
    """
    made = tuple(acts)
    if rulings := rulings_of(made):
        seed = seed_of(rules.play.dump(state))
        again = (close_again or closed_again)(rules, before, rulings)
        state = rules.play.load(with_seed(again.end, seed))
    for act in made:
        if act.kind is not ActKind.RULING:
            state = MAKERS[act.kind](rules, state, act.text)
    return state


def rulings_of(acts: Iterable[Act]) -> tuple[str, ...]:
    """The rulings among acts."""
    return tuple(act.text for act in acts if act.kind is ActKind.RULING)


def closed_again(rules: AnySystem, before: PhaseRecord | None, rulings: tuple[str, ...]) -> ClosedAgain:
    """A closed phase as it ends with rulings. It may take seconds.

    Raises:
        DocumentError: there was none, or nothing in it that could be ruled on like this.
    """
    if rules.rulings is None or before is None or before.closed_because.is_end:
        raise DocumentError("act", "no phase was closed that could be ruled on")
    begun = rules.rulings.begin(rules.play.load(before.start), rulings, before.events)
    found = adjudicate_lines(rules, begun, lines_of(before.sheets), is_excused=before.is_excused)
    return ClosedAgain(rules.play.dump(found.state), tuple(found.events))


def phase_before(unit: UnitOfWork, game: Game) -> PhaseRecord | None:
    """The phase that ended with the position with which the present one began."""
    numbers = [number for number, _ in unit.phases.codes(game.id)]
    return unit.phases.find(game.id, numbers[-1]) if numbers else None


def _ruled_on(context: Context, unit: UnitOfWork, table: Table, text: str) -> State:
    """The position with one more ruling, and with everything that was done in this phase."""
    game, before = table.game, phase_before(unit, table.game)
    if before is None:
        raise DocumentError("act", "no phase was closed that could be ruled on")
    made = [act for act in unit.acts.of_game(game.id) if act.phase_no == game.phase_no]
    new = Act(game.id, game.phase_no, len(made) + 1, NOBODY, ActKind.RULING, text, before.closed_at)
    end = with_seed(before.end, seed_of(table.rules.play.dump(table.state)))

    def close_again(rules: AnySystem, record: PhaseRecord | None, rulings: tuple[str, ...]) -> ClosedAgain:
        return context.workers.run(closed_again, rules, record, rulings)

    return made_again(table.rules, table.rules.play.load(end), [*made, new], before=before, close_again=close_again)


@dataclass(frozen=True, slots=True)
class History:
    """What was done to a game between its closings.

    Args:
        acts: all of them.
        interventions: what was announced, which is all that is kept of games from before there were acts.
    """

    acts: Sequence[Act]
    interventions: Sequence[Intervention]

    def of_phase(self, game: Game, phase_no: int) -> tuple[Act, ...]:
        """The acts in a phase that followed none, or none that is kept."""
        if game.has_acts:
            return tuple(act for act in self.acts if act.phase_no == phase_no)
        return _announced(
            game, tuple(each for each in self.interventions if each.code == EDITED and each.phase_no == phase_no)
        )

    def between(
        self, game: Game, records: Sequence[PhaseRecord], before: PhaseRecord, after: PhaseRecord
    ) -> tuple[Act, ...]:
        """The acts with which a phase began that followed another one."""
        if game.has_acts:
            return self.of_phase(game, after.phase_no)
        return _announced(game, changes_before(self.interventions, records, before, after))


def history_of(unit: UnitOfWork, game: Game, interventions: Sequence[Intervention]) -> History:
    """What was done to a game, with the interventions that were announced."""
    return History(tuple(unit.acts.of_game(game.id)), interventions)


def _announced(game: Game, interventions: Sequence[Intervention]) -> tuple[Act, ...]:
    return tuple(
        Act(game.id, each.phase_no, number, NOBODY, ActKind.EDIT, str(each.args["text"]), each.at)
        for number, each in enumerate(interventions, start=1)
    )


def _edit(rules: AnySystem, state: State, text: str) -> State:
    if rules.edits is None:
        raise DocumentError("act", "the rules know no changes")
    return rules.edits.edit(state, text)


def _choose(rules: AnySystem, state: State, text: str) -> State:
    if rules.secret_choice is None:
        raise DocumentError("act", "the rules leave no choice to a game master")
    return rules.secret_choice.make(state, text)


LEFT, TAKEN = "left", "taken"


def seating_text(what: str, power: PowerId) -> str:
    """That a power's player has left (`LEFT`), or that somebody plays it again (`TAKEN`), as it is stored."""
    return f"{what} {power}"


def _seat(rules: AnySystem, state: State, text: str) -> State:
    what, _, power = text.partition(" ")
    if rules.seating is None or what not in (LEFT, TAKEN) or power not in rules.play.variant(state).powers:
        raise DocumentError("act", "it tells of no power whose player has gone or come")
    change = rules.seating.left if what == LEFT else rules.seating.taken
    return change(state, PowerId(power))


MAKERS: Mapping[ActKind, Callable[[AnySystem, State, str], State]] = {
    ActKind.EDIT: _edit,
    ActKind.CHOICE: _choose,
    ActKind.SEAT: _seat,
}
"""How acts are made in a position, each as it is kept; a ruling is none of them, for it needs the phase before.

All raise `DocumentError` if the rules don't allow it.
"""
