"""Orders from a player's text to the stored sheet, and what may be ordered.

Whatever is asked here is answered from the view of the asker's own power, so no answer can reveal another's orders.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from time import perf_counter

from bot.model import ClosedBecause, Game, GameId, MessageKind, Seat, StoredSheet, UserId
from bot.ports import UnitOfWork
from bot.services import post
from bot.services.arrivals import NOW, Arrival
from bot.services.context import Context
from bot.services.errors import Refused, refused, refused_with
from bot.services.inbox import note_taken
from bot.services.receipts import Receipt, can_undo, compute, receipt_of
from bot.services.reminders import has_answered, tell_answer
from bot.services.seated import SeatedPlayer
from bot.services.seats import come_back
from bot.services.sheets import Draft, Hint, SubmitMode, hints_of_sheet, hints_of_text, write_draft
from bot.services.table import get_game, without_secrets
from bot.services.turns import close_if_settled, is_stuck, log_closing, ring
from bot.services.work import transact
from engine.core.ids import PowerId
from engine.core.orders import Menu, Request
from engine.core.phrases import Phrase, phrase, phrase_to_json
from engine.core.reading import canonical_lines, example_of, read_orders
from engine.core.words import well_formed, without_turns
from engine.registry import Order

logger = logging.getLogger(__name__)

LONGEST_TEXT = 100 * 1024
"""Characters of one submission. A modal holds 4,000, a direct message no more; a file might hold anything."""


@dataclass(frozen=True, slots=True)
class OrderForm:
    """A sheet to fill in, and the phase it is for. `example`: an order of the position, or what a door's
    placeholder names; empty where there is none.
    """

    game: Game
    phase_no: int
    title: Phrase
    text: str
    power: PowerId
    example: str = ""


def submit(
    context: Context,
    game_id: GameId,
    user_id: UserId,
    text: str,
    *,
    mode: SubmitMode,
    arrival: Arrival = NOW,
    instead_of: Callable[[Order], bool] | None = None,
) -> Receipt:
    """Accept orders. Each refused line affects only itself; if all are refused the sheet stays as it was.

    Args:
        arrival: when it was sent, and for which phase.
        instead_of: which orders in the sheet the new ones replace, even if there are none; a function of a module.

    Raises:
        Refused: the person may not order here and now, or the text holds no orders at all.
        AlreadyTaken: so was the message.
    """
    if len(text) > LONGEST_TEXT:
        raise refused("text_too_long", most=LONGEST_TEXT)
    text = without_turns(well_formed(text))
    at = arrival.moment(context.clock.now())

    def take(context: Context, unit: UnitOfWork) -> _Taken:
        before = SeatedPlayer.of(context, unit, game_id, user_id, phase_no=arrival.phase_no)
        # What came in time counts, however long it takes to read it, as long as the phase is open.
        _require_open(before, at)
        _require_in_time(before, arrival, context.clock.now())
        draft = compute(context, before, text, write_draft, text, mode, instead_of)
        if draft.is_empty:
            raise refused_with(phrase("refused.hint.clear"), "no_orders")
        player, is_unready = _store(context, unit, before, draft, typed=text or None, at=at)
        note_taken(unit, user_id, arrival.message.id if arrival.message else None)
        _ask_others(context, unit, player, draft.requests)
        _tell_answer(context, unit, before, player)
        return _Taken(before, player, draft, is_unready)

    taken = transact(context, take)
    game = taken.player.table.game
    for fault in taken.draft.faults:
        logger.error("game %d phase %d: a line could not be read: %s", game.id, game.phase_no, fault)
    context.alarm.mail()
    return _receipt_of_new(context, taken, mode)


@dataclass(frozen=True, slots=True)
class _Taken:
    """A text that was taken: whose it is, before and after that, and what it says.

    Args:
        is_unready: the player was ready before, and is no longer.
    """

    before: SeatedPlayer
    player: SeatedPlayer
    draft: Draft
    is_unready: bool


def _receipt_of_new(context: Context, taken: _Taken, mode: SubmitMode) -> Receipt:
    """The receipt of the sheet, with what there is to say of the text that has just changed it."""
    player, draft = taken.player, taken.draft
    receipt = receipt_of(context, player)
    number = player.sheet.sent if player.sheet else 0
    return replace(
        receipt,
        errors=draft.errors,
        hints=(*(replace(hint, token=f"t{number}-{hint.token}") for hint in draft.hints), *receipt.hints),
        changed=draft.differs,
        is_taken=draft.is_taken,
        is_unready=taken.is_unready,
        dropped=_dropped(player, draft, taken.before.lines) if mode is SubmitMode.AS_SENT else (),
    )


def only_game_for(
    context: Context, games: Sequence[Game], user_id: UserId, text: str, *, mode: SubmitMode, arrival: Arrival
) -> Game | None:
    """The only one of a person's games in which any of a text can be read as orders.

    `None`: there are several, or none, or one of the games was in another phase when it was sent: what was an order
    there need not be one any more.
    """
    at = arrival.moment(context.clock.now())
    if any(game.opened_at is None or at < game.opened_at for game in games):
        return None
    text = without_turns(well_formed(text))
    fitting = [game for game in games if can_be_read(context, game.id, user_id, text, mode)]
    return fitting[0] if len(fitting) == 1 else None


def can_be_read(context: Context, game_id: GameId, user_id: UserId, text: str, mode: SubmitMode) -> bool:
    """Whether any of a text can be read as orders of a person in a game.

    Raises:
        Refused: the person does not play, or the game has not begun or is over.
    """
    with context.reading() as unit:
        player = SeatedPlayer.of(context, unit, game_id, user_id)
    return compute(context, player, text, write_draft, text, mode).is_taken


def submit_default(context: Context, game_id: GameId, user_id: UserId, *, arrival: Arrival = NOW) -> Receipt:
    """Accept the orders that the system would give for the player. They are the whole sheet, and can be changed.

    Args:
        arrival: see `submit`.

    Raises:
        Refused: the person may not order here and now, or there are no such orders in this phase.
    """
    with context.reading() as unit:
        player = SeatedPlayer.of(context, unit, game_id, user_id, phase_no=arrival.phase_no)
    at = arrival.moment(context.clock.now())
    _require_open(player, at)
    text = player.rules.orders.default(player.view)
    if not text:
        game, title = player.table.game.name, player.table.status.title
        raise refused_with(phrase("refused.hint.no_default"), "no_default", title=title, game=game)
    arrival = replace(arrival, at=at, phase_no=player.table.game.phase_no)
    return submit(context, game_id, user_id, text, mode=SubmitMode.REPLACE, arrival=arrival)


def show(context: Context, game_id: GameId, user_id: UserId, *, asked: Sequence[int] = ()) -> Receipt:
    """The orders in the sheet.

    Args:
        asked: the places of first choices whose whole orders are asked for.

    Raises:
        Refused: the person does not play, or the game has not begun or is over.
    """
    with context.reading() as unit:
        player = SeatedPlayer.of(context, unit, game_id, user_id)
    return receipt_of(context, player, asked=asked)


def clear(
    context: Context,
    game_id: GameId,
    user_id: UserId,
    *,
    arrival: Arrival = NOW,
) -> Receipt:
    """Take back all orders. The player is no longer ready then, and counts as missing until new ones come.

    Args:
        arrival: see `submit`.

    Raises:
        Refused: the person may not order here and now.
    """
    at = arrival.moment(context.clock.now())

    def take_back(context: Context, unit: UnitOfWork) -> tuple[SeatedPlayer, bool, bool]:
        player = SeatedPlayer.of(context, unit, game_id, user_id, phase_no=arrival.phase_no)
        _require_open(player, at)
        if not player.lines:
            return player, False, False
        before = player
        player, is_unready = _store(context, unit, player, Draft((), differs=True), typed=None, at=at)
        _tell_answer(context, unit, before, player)
        return player, True, is_unready

    player, changed, is_unready = transact(context, take_back)
    context.alarm.mail()
    return replace(receipt_of(context, player), changed=changed, is_unready=is_unready)


def undo_clear(
    context: Context,
    game_id: GameId,
    user_id: UserId,
    version: str,
    *,
    arrival: Arrival = NOW,
) -> Receipt:
    """Put back the orders that were in the sheet before it was emptied.

    Args:
        version: of the empty sheet.
        arrival: see `submit`.

    Raises:
        Refused: the person may not order here and now, or the sheet has changed since.
    """
    at = arrival.moment(context.clock.now())

    def put_back(context: Context, unit: UnitOfWork) -> SeatedPlayer:
        player = SeatedPlayer.of(context, unit, game_id, user_id, phase_no=arrival.phase_no)
        _require_open(player, at)
        if player.sheet is None or str(player.sheet.version) != version or not can_undo(player):
            raise refused("nothing_to_undo")
        before = player
        player, _ = _store(context, unit, player, Draft(player.sheet.earlier[-1], differs=True), typed=None, at=at)
        _tell_answer(context, unit, before, player)
        return player

    player = transact(context, put_back)
    context.alarm.mail()
    return replace(receipt_of(context, player), changed=True)


def take_hint(
    context: Context,
    game_id: GameId,
    user_id: UserId,
    token: str,
    *,
    arrival: Arrival = NOW,
) -> Receipt:
    """Give the order that was offered instead of a line that was sent or is in the sheet, if it is still offered.

    Args:
        arrival: see `submit`.

    Raises:
        Refused: the person may not order here and now, or what was offered no longer stands.
    """
    with context.reading() as unit:
        player = SeatedPlayer.of(context, unit, game_id, user_id, phase_no=arrival.phase_no)
    at = arrival.moment(context.clock.now())
    _require_open(player, at)
    sheet, where = player.sheet, _HINT.fullmatch(token)
    text = sheet.text(int(where["number"])) if sheet and where and where["of"] == "t" else None
    lines = player.lines
    hints: tuple[Hint, ...] = ()
    if text is not None:
        hints = compute(context, player, text, hints_of_text, text)
    elif sheet is not None and where is not None and where["of"] == "v" and int(where["number"]) == sheet.version:
        hints = compute(context, player, "", hints_of_sheet)
    found = next((hint.order for hint in hints if where and hint.token == where["hint"]), None)
    if found is None:
        raise refused("hint_over")
    mode = SubmitMode.MERGE
    if where is not None and where["of"] == "v":
        place = int(where["hint"].partition("-")[0]) - 1
        found, mode = "\n".join((*lines[:place], found, *lines[place + 1 :])), SubmitMode.REPLACE
    arrival = replace(arrival, at=at, phase_no=player.table.game.phase_no)
    return submit(context, game_id, user_id, found, mode=mode, arrival=arrival)


_HINT = re.compile(r"(?P<of>[tv])(?P<number>\d{1,9})-(?P<hint>\d{1,6}-\d{1,6}-\d{1,2})", re.ASCII)
"""Of a text or a version of the sheet: its number, and line, column and number of the hint."""


def players(context: Context, game_id: GameId) -> Set[UserId]:
    """Who plays a game."""
    with context.reading() as unit:
        return {seat.user_id for seat in unit.games.seats(game_id) if seat.user_id is not None}


def set_ready(
    context: Context,
    game_id: GameId,
    user_id: UserId,
    is_ready: bool,
    *,
    arrival: Arrival = NOW,
) -> Receipt:
    """Say that the orders are final, or not yet. When the last player is ready the phase closes, if the game does that.

    In a game of sheets a player who is ready without any order thereby sends an empty sheet.

    Args:
        arrival: see `submit`.

    Raises:
        Refused: the person may not order here and now.
    """
    began = perf_counter()
    at = arrival.moment(context.clock.now())

    def say(context: Context, unit: UnitOfWork) -> tuple[SeatedPlayer, Game | None, bool]:
        player = SeatedPlayer.of(context, unit, game_id, user_id, phase_no=arrival.phase_no)
        _require_open(player, at)
        before = player
        if is_ready and player.rules.info.has_sheets and not player.lines:
            empty = canonical_lines(player.rules, _empty_sheet(player))
            player, _ = _store(context, unit, player, Draft(empty, differs=bool(empty)), typed=None, at=at)
        player = _with_seat(unit, player, replace(_back(context, unit, player), is_ready=is_ready))
        closed = close_if_settled(context, unit, player.table) if is_ready else None
        if closed is None:
            _tell_answer(context, unit, before, player)
        return player, closed, is_ready and closed is None and is_stuck(player.table, get_game(unit, game_id))

    player, closed, has_failed = transact(context, say)
    if closed is not None:
        log_closing(player.table, ClosedBecause.READY, began)
        ring(context, closed)
    context.alarm.mail()
    return replace(receipt_of(context, player), closed=closed is not None, is_stuck=has_failed)


def suggest(context: Context, game_id: GameId, user_id: UserId, typed: str, limit: int = 25) -> tuple[str, ...]:
    """Legal orders that a beginning could become. Somebody who can't give orders gets none: a list can't say why."""
    try:
        with context.reading() as unit:
            player = SeatedPlayer.of(context, unit, game_id, user_id)
    except Refused:
        return ()
    return player.rules.orders.suggest(player.view, typed, limit=limit)


def menu(context: Context, game_id: GameId, user_id: UserId, path: Sequence[str]) -> Menu:
    """The guided flow's step after some choices.

    Raises:
        Refused: the person may not order here and now.
    """
    with context.reading() as unit:
        player = SeatedPlayer.of(context, unit, game_id, user_id)
    _require_open(player, context.clock.now())
    return player.rules.orders.menu(player.view, path, orders=player.standing().values)


def template(context: Context, game_id: GameId, user_id: UserId) -> OrderForm:
    """The sheet to fill in, with the orders already given in it.

    Raises:
        Refused: the person may not order here and now.
    """
    with context.reading() as unit:
        player = SeatedPlayer.of(context, unit, game_id, user_id)
    _require_open(player, context.clock.now())
    table = player.table
    return OrderForm(
        game=without_secrets(table.game),
        phase_no=table.game.phase_no,
        title=table.status.title,
        text=player.rules.orders.template(player.view, player.standing().values),
        power=player.power,
        example=example_of(player.rules, player.view),
    )


def example(context: Context, game_id: GameId, user_id: UserId) -> str:
    """An order that the person could give now, to show how orders are written; empty where there is none."""
    try:
        with context.reading() as unit:
            player = SeatedPlayer.of(context, unit, game_id, user_id)
    except Refused:
        return ""
    return example_of(player.rules, player.view)


# Who orders, and whether they may


def _require_open(player: SeatedPlayer, now: datetime) -> None:
    game, status = player.table.game, player.table.status
    if game.deadline_at is not None and now >= game.deadline_at:
        deadline = int(game.deadline_at.timestamp())
        raise refused("deadline_passed", game=game.name, title=status.title, deadline=deadline)
    if player.power in status.out:
        raise refused("power_is_out", power=player.power, game=game.name)
    if not player.may_order:
        raise refused("nothing_to_decide", title=status.title, game=game.name)


def _require_in_time(player: SeatedPlayer, arrival: Arrival, now: datetime) -> None:
    """Refuse a message that was written in an earlier phase or changed after the deadline, or that was missed at first
    and is older than the orders that stand.
    """
    game, message, at = player.table.game, arrival.message, arrival.moment(now)
    if message is None:
        return
    if message.edited_at is not None and game.deadline_at is not None and message.edited_at >= game.deadline_at:
        raise refused("edited_late", game=game.name, title=player.table.status.title)
    opened_at = game.opened_at or at
    # A phase that seems to open only later was opened by a clock that ran ahead: what comes now comes in it.
    if at < opened_at and (message.was_missed or opened_at <= now):
        raise refused("phase_over", game=game.name, title=player.table.status.title)
    if message.was_missed and player.sheet is not None and player.sheet.accepted_at > at:
        raise refused("newer_orders", game=game.name)


# The sheet


def _empty_sheet(player: SeatedPlayer) -> Sequence[Order]:
    """The orders in the template of an empty sheet."""
    return read_orders(player.rules, player.view, player.rules.orders.template(player.view, ())).values


# The store


def _store(
    context: Context, unit: UnitOfWork, player: SeatedPlayer, draft: Draft, *, typed: str | None, at: datetime
) -> tuple[SeatedPlayer, bool]:
    """Keep what was typed and what stands; whoever changes orders is no longer ready. Also says whether they were.

    Args:
        at: when the orders came.
    """
    game = player.table.game
    old = player.sheet or StoredSheet(game.id, game.phase_no, player.power, (), (), 0, context.clock.now())
    sheet = replace(old, typed=(*old.typed, typed), sent=old.sent + 1) if typed is not None else old
    if draft.is_taken:
        # The same orders sent again are no new version, but they count from when they came.
        is_new = draft.differs or not old.version
        if is_new and old.version:
            sheet = replace(sheet, earlier=(*old.earlier, old.orders))
        sheet = replace(sheet, orders=draft.orders, version=old.version + is_new, accepted_at=at)
    unit.sheets.save(sheet)
    is_unready = player.seat.is_ready and draft.differs
    seat = _back(context, unit, player)
    player = _with_seat(unit, replace(player, sheet=sheet), replace(seat, is_ready=seat.is_ready and not is_unready))
    return player, is_unready


def _dropped(player: SeatedPlayer, draft: Draft, before: Sequence[str]) -> tuple[str, ...]:
    """What a new sheet took the place of; whoever sends an empty one knows that."""
    nothing = canonical_lines(player.rules, _empty_sheet(player)) if player.rules.info.has_sheets else ()
    if not player.rules.info.has_sheets or not draft.is_taken or draft.orders == nothing:
        return ()
    return tuple(line for line in before if line not in (*draft.orders, *nothing))


def _ask_others(context: Context, unit: UnitOfWork, player: SeatedPlayer, requests: Sequence[Request]) -> None:
    """Tell the others what new orders ask of them, unless they have agreed already."""
    game = player.table.game
    seats = {seat.power: seat for seat in player.table.seats}
    for request in requests:
        sheet = unit.sheets.find(game.id, game.phase_no, request.power)
        if request.power in seats and (sheet is None or request.answer not in sheet.orders):
            payload = {"what": phrase_to_json(request.what), "answer": request.answer}
            post.to_player(unit, game, seats[request.power], context.clock.now(), MessageKind.REQUEST, payload)


def _back(context: Context, unit: UnitOfWork, player: SeatedPlayer) -> Seat:
    """The seat of a player who is here."""
    return come_back(context, unit, player.table.game, player.seat)


def _with_seat(unit: UnitOfWork, player: SeatedPlayer, seat: Seat) -> SeatedPlayer:
    if seat == player.seat:
        return player
    unit.games.save_seat(seat)
    seats = tuple(seat if other.number == seat.number else other for other in player.table.seats)
    return replace(player, seat=seat, table=replace(player.table, seats=seats))


def _tell_answer(context: Context, unit: UnitOfWork, before: SeatedPlayer, after: SeatedPlayer) -> None:
    """Announce that a player has answered, or no longer has; never what they sent."""
    if has_answered(before.seat, before.sheet) != has_answered(after.seat, after.sheet):
        tell_answer(unit, after.table, context.clock.now())
