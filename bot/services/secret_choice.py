"""What a game master who does not play chooses in secret, in games whose rules leave something to one.

Nothing here knows what is chosen; the words are the game's own (`engine.core.acts.SecretChoice`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from bot.model import ActKind, Game, GameId, GameStatus, Seat, UserId
from bot.ports import UnitOfWork
from bot.services.acts import carry_out
from bot.services.context import Context
from bot.services.errors import Refused, did_you_mean
from bot.services.setup import start_state
from bot.services.table import (
    Table,
    find_seat,
    get_game,
    get_rules,
    read_table,
    require_master,
    require_unfinished,
    without_secrets,
)
from engine.core.acts import SecretChoice
from engine.core.doors import Doubt
from engine.core.facts import DoorInfo
from engine.core.orders import Choice
from engine.core.phrases import Phrase, phrase
from engine.registry import AnySystem, State


@dataclass(frozen=True, slots=True)
class ChoiceView:
    """What a game master who does not play may know of the choices that are left.

    Args:
        made: the choice just made; `None` if none was.
        left: what is left to choose, and from what.
    """

    game: Game
    made: Phrase | None
    left: tuple[Phrase, ...]


def choose(
    context: Context,
    game_id: GameId,
    user_id: UserId,
    *,
    is_manager: bool,
    command: DoorInfo,
    given: Mapping[str, str],
) -> ChoiceView:
    """Choose something, or see what is left to choose. Nothing is announced.

    Anybody who has looked counts as a game master from then on, and game masters can't take a seat in such a game any
    more.

    Args:
        command: by which it was asked for; in games without it there is nothing to choose.
        given: its options as written, without those that were left out.

    Raises:
        Refused: the person is no game master, or plays in the game; the game leaves no such choice, or no longer; or
            the options make none.
    """
    with context.unit_of_work() as unit:
        table, choice = _open_to(unit, context, game_id, user_id, command, is_manager=is_manager)
        game = replace(table.game, game_masters=table.game.game_masters | {user_id})
        if game != table.game:
            # Kept even if what is asked for is refused: the reason says what there is to see.
            unit.games.update(game)
            unit.commit()
    with context.unit_of_work() as unit:
        table, choice = _open_to(unit, context, game_id, user_id, command, is_manager=is_manager)
        text = choice.choose(table.state, given)
        if isinstance(text, Doubt):
            raise Refused(text.what, did_you_mean(text.written, text.known))
        if text is None:
            return ChoiceView(without_secrets(table.game), None, choice.left(table.state))
        state = carry_out(context, unit, table, user_id, ActKind.CHOICE, text)
        unit.commit()
    return ChoiceView(without_secrets(table.game), choice.confirmed(text), choice.left(state))


def _open_to(
    unit: UnitOfWork, context: Context, game_id: GameId, user_id: UserId, command: DoorInfo, *, is_manager: bool
) -> tuple[Table, SecretChoice[State]]:
    """The table, if something is left there to be chosen by this person."""
    game = get_game(unit, game_id)
    require_master(game, user_id, is_manager=is_manager)
    seats = unit.games.seats(game_id)
    require_unfinished(game)
    table = read_table(context, game, seats)
    choice = table.rules.secret_choice
    if choice is None or table.rules.info.secret_choice != command:
        raise Refused(phrase(f"door.{command.id}.none", game=game.name))
    if find_seat(seats, user_id) is not None:
        raise Refused(phrase(f"door.{command.id}.plays", game=game.name))
    if not choice.is_open(table.state):
        raise Refused(phrase(f"door.{command.id}.none", game=game.name))
    return table, choice


def begins_open(rules: AnySystem, game: Game) -> bool:
    """Whether something was left to choose when the game began, or will be; whatever was chosen since."""
    choice = rules.secret_choice
    return choice is not None and choice.is_open(start_state(rules, game, seed=""))


def is_given_up(context: Context, game: Game, seat: Seat) -> bool:
    """Whether somebody who takes a seat in a lobby could otherwise have chosen as game master."""
    is_masters = game.status is GameStatus.LOBBY and seat.user_id in game.game_masters
    return is_masters and context.workers.run(begins_open, get_rules(context, game), game)


def complete(context: Context, game_id: GameId, user_id: UserId, option: str, typed: str) -> tuple[Choice, ...]:
    """The values of an option that contain the typed text, for a game master who does not play; for others none.

    They say something of what was chosen before, so a manager of the server has to look with `choose` first.
    """
    with context.reading() as unit:
        game, seats = get_game(unit, game_id), unit.games.seats(game_id)
    if game.document is None or user_id not in game.game_masters or find_seat(seats, user_id) is not None:
        return ()
    table = read_table(context, game, seats)
    choice = table.rules.secret_choice
    if choice is None or not choice.is_open(table.state):
        return ()
    wanted = typed.strip().casefold()
    return tuple(each for each in choice.completions[option](table.state) if wanted in each.label.casefold())
