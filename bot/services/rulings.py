"""A game master's rulings on what came out of the phase before: carried out as acts, told to those concerned alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.model import ActKind, Game, GameId, GameStatus, MessageKind, UserId
from bot.ports import UnitOfWork
from bot.services import post
from bot.services.acts import carry_out, closed_again, phase_before, rulings_of
from bot.services.context import Context
from bot.services.errors import LONGEST_PROBLEM, refused, refused_with, shortened
from bot.services.table import (
    Table,
    find_seat,
    get_table,
    present_phase_no,
    require_master,
    require_phase,
    require_unfinished,
    without_secrets,
)
from bot.services.work import transact
from engine.core.errors import DocumentError
from engine.core.events import Event, visible_events
from engine.core.ids import PowerId
from engine.core.phrases import phrase, phrase_to_json
from engine.core.viewer import Playing

_ITSELF = frozenset({"act", ActKind.RULING})
"""Where an error is that is about the ruling itself, and not about something in the game's document."""


def rule(context: Context, game_id: GameId, user_id: UserId, *, is_manager: bool, text: str) -> Game:
    """Have something come out otherwise in the phase that closed last.

    Whoever has tried, even in vain, counts as a game master from then on, and can't take a seat in the game any more.

    Raises:
        Refused: the person is no game master, or plays in the game; the game takes no rulings; nothing can
            be ruled on like this, nothing would change, or it would decide who plays on; another phase has closed
            meanwhile.
    """
    phase_no = present_phase_no(context, game_id)
    _become_master(context, game_id, user_id, is_manager=is_manager)

    def make(context: Context, unit: UnitOfWork) -> Game:
        table = get_table(context, unit, game_id)
        require_phase(table, phase_no)
        return _make(context, unit, table, user_id, text)

    game = transact(context, make)
    context.alarm.mail()
    return without_secrets(game)


def _make(context: Context, unit: UnitOfWork, table: Table, user_id: UserId, text: str) -> Game:
    rules, rulings = table.rules, table.rules.rulings
    assert rulings is not None, "asked of games that take rulings"
    before = phase_before(unit, table.game)
    earlier = rulings_of(act for act in unit.acts.of_game(table.game.id) if act.phase_no == table.game.phase_no)
    try:
        state = carry_out(context, unit, table, user_id, ActKind.RULING, rulings.text(text))
        assert before is not None, "ruled on"
        old = context.workers.run(closed_again, rules, before, earlier).events if earlier else before.events
        new = context.workers.run(closed_again, rules, before, (*earlier, rulings.text(text))).events
    except DocumentError as error:
        forms = rulings.forms(table.state, before.events) if before is not None else ()
        problem = shortened(error.problem if error.where in _ITSELF else str(error), LONGEST_PROBLEM)
        if not forms:
            raise refused("edit_impossible", problem=problem) from None
        hint = phrase("refused.hint.edit_forms", forms=forms)
        raise refused_with(hint, "edit_impossible", problem=problem) from None
    is_told = [event.to_json() for event in old] != [event.to_json() for event in new]
    if not is_told and rules.play.dump(state) == rules.play.dump(table.state):
        raise refused("ruling_changes_nothing")
    status, was = rules.play.status(state), table.status
    if (status.winners, status.out, status.to_act) != (was.winners, was.out, was.to_act):
        raise refused_with(phrase("refused.hint.go_back"), "ruling_decides", game=table.game.name)
    _tell(context, unit, table, old, new)
    return table.game


def _become_master(context: Context, game_id: GameId, user_id: UserId, *, is_manager: bool) -> None:
    with context.unit_of_work() as unit:
        table = get_table(context, unit, game_id)
        require_master(table.game, user_id, is_manager=is_manager)
        require_unfinished(table.game)
        if find_seat(table.seats, user_id) is not None:
            raise refused("ruler_plays", game=table.game.name)
        if user_id not in table.game.game_masters:
            unit.games.update(replace(table.game, game_masters=table.game.game_masters | {user_id}))
            unit.commit()


def forms(context: Context, game_id: GameId, user_id: UserId) -> tuple[str, ...]:
    """How rulings are written in a game now, for a game master who does not play; to all others it tells nothing."""
    with context.reading() as unit:
        table = get_table(context, unit, game_id)
        is_master = user_id in table.game.game_masters and find_seat(table.seats, user_id) is None
        before = phase_before(unit, table.game)
    if table.rules.rulings is None or not is_master or before is None or table.game.status is GameStatus.OVER:
        return ()
    return table.rules.rulings.forms(table.state, before.events)


def _tell(context: Context, unit: UnitOfWork, table: Table, old: Sequence[Event], new: Sequence[Event]) -> None:
    """To each player what they may know that came out otherwise."""
    for seat in table.seats:
        if seat.power is None:
            continue
        now, gone = _otherwise(new, old, seat.power), _otherwise(old, new, seat.power)
        if now or gone:
            payload = {
                "now": [phrase_to_json(event.what) for event in now],
                "gone": [phrase_to_json(event.what) for event in gone],
            }
            post.to_player(unit, table.game, seat, context.clock.now(), MessageKind.RULING, payload)


def _otherwise(these: Sequence[Event], those: Sequence[Event], power: PowerId) -> list[Event]:
    """What a power may know of these events that is not among those."""
    known = [event.to_json() for event in visible_events(those, Playing(power))]
    return [event for event in visible_events(these, Playing(power)) if event.to_json() not in known]
