"""Goes back to before a phase, which is then played again, and says with which dice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from bot.model import Game, GameId, GameStatus, PhaseRecord, StoredSheet, UserId
from bot.ports import UnitOfWork
from bot.services import post
from bot.services.acts import seated_again, stand_again
from bot.services.context import Context
from bot.services.errors import refused
from bot.services.inspect import find_phase_no
from bot.services.positions import position_of
from bot.services.seeds import SeedSpan, later_seed, next_secret, seed_spans, with_seed
from bot.services.table import Table, get_table, present_phase_no, require_master, require_phase, without_secrets
from bot.services.turns import open_phase, ring
from bot.services.work import transact
from engine.core.dice import seal
from engine.core.ids import PowerId
from engine.core.phrases import Phrase


def roll_back(
    context: Context,
    game_id: GameId,
    user_id: UserId,
    *,
    is_manager: bool,
    phase: str,
    keep_orders: bool,
    new_dice: bool = False,
    message_id: int | None = None,
    phase_no: int | None = None,
) -> Game:
    """Go back to before a phase, which then is played again. History keeps what was undone.

    A game that was over goes on; one that is paused stays paused. Dice fall as they fell before if the same is rolled
    for again: nobody can go back until they like the dice. But a seed that was published at the end is never used
    again; then, or on demand, a new one is drawn and its seal announced.
    Source: docs/decisions.md

    Args:
        phase: its code, or `last` for the last one in which anybody had a choice; with new dice, the present one's too.
        keep_orders: the orders of that phase stand again; else everybody starts with an empty sheet.
        new_dice: draw a new seed also where the present one is still secret.
        message_id: of the public message that announced what a new seed is made of (`prepare`); `None`: it could not
            be posted, or the dice are the old ones.
        phase_no: the phase in which this was asked for; `None`: the present one.

    Raises:
        Refused: the person is no game master, there is no such phase, the game has no dice that could be new, or
            another phase has begun meanwhile.
    """
    asked_in = present_phase_no(context, game_id) if phase_no is None else phase_no

    def go_back(context: Context, unit: UnitOfWork) -> Game:
        table = _rollback_table(context, unit, game_id, user_id, is_manager=is_manager, new_dice=new_dice)
        require_phase(table, asked_in)
        beginning = _find_beginning(unit, table, phase, new_dice=new_dice)
        game = _rewind(
            context, unit, table, beginning, user_id, keep_orders=keep_orders, new_dice=new_dice, message_id=message_id
        )
        if game is None:
            raise refused("phase_over", game=table.game.name, title=table.status.title)
        return game

    game = transact(context, go_back)
    ring(context, game)
    return without_secrets(game)


@dataclass(frozen=True, slots=True)
class NewDice:
    """What is known about a new seed before a rollback, to be posted then: the number of that message is its last part.

    Args:
        title: of the phase that is played again.
        seal: the fingerprint of the secret; `None` where that is the next one of a chain of which everybody knows the
            beginning: it would be the secret before.
    """

    game: Game
    title: Phrase
    seal: str | None


def prepare(
    context: Context,
    game_id: GameId,
    user_id: UserId,
    *,
    is_manager: bool,
    phase: str,
    new_dice: bool = False,
    phase_no: int | None = None,
) -> NewDice | None:
    """The parts of the new seed if the game goes back now; `None` if its dice stay as they are.

    Raises:
        Refused: as by `roll_back`.
    """
    with context.unit_of_work() as unit:
        table = _rollback_table(context, unit, game_id, user_id, is_manager=is_manager, new_dice=new_dice)
        if phase_no is not None:
            require_phase(table, phase_no)
        beginning = _find_beginning(unit, table, phase, new_dice=new_dice)
        spans = _spans(unit, table)
        if not table.rules.info.has_dice or not (new_dice or spans[-1].is_public):
            return None
        following = next_secret(table.game, [span.seed for span in spans], context.seeds)
        if following.last_link != table.game.last_link:
            # Whatever is posted now stays so.
            unit.games.update(replace(table.game, last_link=following.last_link))
            unit.commit()
    fingerprint = None if following.is_fixed else seal(following.secret)
    return NewDice(without_secrets(table.game), _title_of(table, beginning), fingerprint)


def has_dice_seen(context: Context, game_id: GameId) -> bool | None:
    """Whether players have seen dice that may fall again because phases with the present seed were undone.

    Returns: `None` in a game without dice.
    """
    with context.reading() as unit:
        table = get_table(context, unit, game_id)
        if not table.rules.info.has_dice:
            return None
        return any(record.is_undone for record in _spans(unit, table)[-1].records)


def _find_record(unit: UnitOfWork, game_id: GameId, phase: str) -> PhaseRecord:
    codes = unit.phases.codes(game_id)
    number = find_phase_no(codes, phase)
    record = unit.phases.find(game_id, number)
    if phase.strip().casefold() == "last":
        # Going back to a phase without a choice would only play it again at once.
        for earlier, _ in reversed(codes):
            record = unit.phases.find(game_id, earlier)
            if record is not None and not record.closed_because.is_by_itself:
                break
    assert record is not None, "listed phases are stored"
    return record


@dataclass(frozen=True, slots=True)
class _Beginning:
    """A phase to be played again: how it began, and what stood in its sheets."""

    phase_no: int
    document: Mapping[str, Any]
    sheets: Mapping[PowerId, StoredSheet]


def _rollback_table(
    context: Context, unit: UnitOfWork, game_id: GameId, user_id: UserId, *, is_manager: bool, new_dice: bool
) -> Table:
    table = get_table(context, unit, game_id)
    require_master(table.game, user_id, is_manager=is_manager)
    if table.game.status is GameStatus.CANCELLED:
        raise refused("cancelled", game=table.game.name)
    if new_dice and not table.rules.info.has_dice:
        raise refused("no_dice", game=table.game.name)
    return table


def _find_beginning(unit: UnitOfWork, table: Table, phase: str, *, new_dice: bool) -> _Beginning:
    if new_dice and _is_present(table.game, phase):
        return _present_beginning(unit, table)
    return _past_beginning(_find_record(unit, table.game.id, phase))


def _past_beginning(record: PhaseRecord) -> _Beginning:
    return _Beginning(record.phase_no, record.start, record.sheets)


def _is_present(game: Game, phase: str) -> bool:
    return game.status is not GameStatus.OVER and phase.strip().casefold() == game.phase_code.casefold()


def _present_beginning(unit: UnitOfWork, table: Table) -> _Beginning:
    game = table.game
    assert game.document is not None, "a table has a document"
    return _Beginning(game.phase_no, game.document, unit.sheets.of_phase(game.id, game.phase_no))


def _title_of(table: Table, beginning: _Beginning) -> Phrase:
    return table.rules.play.status(position_of(table.rules, beginning.document)).title


def _rewind(
    context: Context,
    unit: UnitOfWork,
    table: Table,
    beginning: _Beginning,
    user_id: UserId,
    *,
    keep_orders: bool,
    new_dice: bool,
    message_id: int | None,
) -> Game | None:
    now = context.clock.now()
    phase_no = table.game.phase_no + 1
    status = GameStatus.PAUSED if table.game.status is GameStatus.PAUSED else GameStatus.RUNNING
    game = replace(table.game, status=status, phase_no=phase_no)
    spans = _spans(unit, table)
    # Not the seed of the phase's record: it may be an older one, which is public by now.
    seed = spans[-1].seed
    if table.rules.info.has_dice and (new_dice or spans[-1].is_public):
        following = next_secret(game, [span.seed for span in spans], context.seeds)
        game = replace(game, last_link=following.last_link)
        seed = later_seed(following.secret, message_id)
    _announce_rollback(context, unit, table, game, _title_of(table, beginning), user_id, seed=seed, before=spans[-1])
    document = with_seed(beginning.document, seed)
    if keep_orders:
        for sheet in beginning.sheets.values():
            unit.sheets.save(_standing_again(sheet, phase_no, now))
    stand_again(unit, game, from_phase_no=beginning.phase_no, phase_no=phase_no)
    document = seated_again(unit, table.rules, game, document, table.seats, now)
    unit.phases.mark_undone(game.id, from_phase_no=beginning.phase_no)
    rested = tuple(replace(seat, is_ready=False, missed=0) for seat in table.seats)
    return open_phase(
        context,
        unit,
        table.rules,
        replace(game, document=document),
        table.seats,
        seats_after=rested,
        expected_phase_no=table.game.phase_no,
    )


def _announce_rollback(
    context: Context,
    unit: UnitOfWork,
    table: Table,
    game: Game,
    title: Phrase,
    user_id: UserId,
    *,
    seed: str,
    before: SeedSpan,
) -> None:
    """Say which phase is played again and with which dice.

    The interventions of older versions have the phase's code in place of its title.
    """
    now = context.clock.now()
    if not table.rules.info.has_dice:
        post.intervention(unit, game, now, "rolled_back_without_dice", master=user_id, code=title)
    elif seed == before.seed:
        post.intervention(unit, game, now, "rolled_back", master=user_id, code=title)
    elif not before.is_public:
        post.intervention(unit, game, now, "rolled_back_new_dice", master=user_id, code=title, seal=seal(seed))
    else:
        post.intervention(unit, game, now, "rolled_back_after_end", master=user_id, code=title, seal=seal(seed))
        if table.rules.info.is_dealt:
            post.notice(unit, game, now, "dealt_by_old_seed")


def _spans(unit: UnitOfWork, table: Table) -> Sequence[SeedSpan]:
    return seed_spans(table.rules, table.game, unit.phases.of_game(table.game.id))


def _standing_again(sheet: StoredSheet, phase_no: int, now: datetime) -> StoredSheet:
    return replace(sheet, phase_no=phase_no, version=1, accepted_at=now)
