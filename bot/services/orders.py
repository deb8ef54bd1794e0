"""Orders from a player's text to the stored sheet, and the receipt that says what now stands.

Whatever is asked here is answered from the view of the asker's own power, so nothing of it can tell another's orders.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from time import perf_counter

from bot.model import Game, GameId, Seat, StoredSheet, UserId
from bot.ports import UnitOfWork
from bot.services import post
from bot.services.context import Context
from bot.services.errors import Refused, refused, refused_with
from bot.services.inbox import note_taken
from bot.services.table import Table, get_game, get_seat, read_table, require_unfinished, without_secrets
from bot.services.turns import close_if_settled, log_closing, ring
from engine.core.errors import OrderError
from engine.core.ids import PowerId
from engine.core.orders import Advice, Forecast, Menu, Rehearsal
from engine.core.phrases import Phrase, phrase, phrase_to_json
from engine.core.reading import Reading, canonical_lines, read_orders
from engine.pictures.grid_scene import AnyScene
from engine.registry import AnySystem, Order, View

LONGEST_TEXT = 100 * 1024
"""Characters of one submission. A modal holds 4,000, a direct message no more; a file might hold anything."""


class SubmitMode(StrEnum):
    """What becomes of the orders that stand already."""

    MERGE = "merge"
    """New orders are put in, but for impossible ones, and the rest stands."""
    REPLACE = "replace"
    """The text is the whole sheet."""
    AS_SENT = "as_sent"
    """What a text sent by itself means in the game: the whole sheet in games with sheets, else to be put in."""


@dataclass(frozen=True, slots=True)
class Sent:
    """The direct message that a text came in.

    Args:
        id: Discord's; the orders of one message are taken once.
        at: when it was sent, by Discord's time stamp; not later than now.
        was_missed: it was read only after the bot had been away.
    """

    id: int
    at: datetime
    was_missed: bool = False


@dataclass(frozen=True, slots=True)
class Receipt:
    """What stands after a submission, for the player of the power alone.

    Args:
        orders: canonical lines of what stands.
        errors: the refused lines of the text just sent.
        advice: warnings; their lines count in `orders`, from 1.
        missing: what could still be ordered.
        otherwise: what becomes of that if it isn't.
        version: of the sheet; 0 while nothing was accepted.
        scene: the position with these orders drawn in.
        changed: whether other orders stand now than before.
        is_taken: whether any line of the text just sent was taken, be it what stood before.
        closed: whether the phase closed by this, everybody being ready.
        is_unready: was ready before, and is no longer since the orders changed.
        has_default: whether the system offers orders that can be taken as they are.
        is_sent: whether there is a sheet in a game of sheets, be it an empty one: nobody plays for its sender then.
        rehearsal: what would become of each order if the phase closed now, in games that can tell; its lines count in
            `orders`, from 1, and it stands for the advice.
    """

    game: Game
    phase_no: int
    title: Phrase
    power: PowerId
    orders: tuple[str, ...]
    errors: tuple[OrderError, ...]
    advice: tuple[Advice, ...]
    missing: tuple[str, ...]
    version: int
    is_ready: bool
    deadline_at: datetime | None
    scene: AnyScene
    changed: bool
    is_taken: bool = False
    closed: bool = False
    is_unready: bool = False
    has_default: bool = False
    is_sent: bool = False
    rehearsal: Rehearsal | None = None
    otherwise: tuple[Phrase, ...] = ()


@dataclass(frozen=True, slots=True)
class OrderForm:
    """A sheet to fill in, and the phase it is for."""

    game: Game
    phase_no: int
    title: Phrase
    text: str
    power: PowerId


@dataclass(frozen=True, slots=True)
class _Desk:
    """A player's place in a game that goes on: everything from here on is of this power alone."""

    table: Table
    seat: Seat
    power: PowerId
    view: View
    sheet: StoredSheet | None

    @property
    def rules(self) -> AnySystem:
        return self.table.rules


def submit(
    context: Context,
    game_id: GameId,
    user_id: UserId,
    text: str,
    *,
    mode: SubmitMode,
    phase_no: int | None,
    sent: Sent | None = None,
    instead_of: Callable[[Order], bool] | None = None,
) -> Receipt:
    """Take orders. Each refused line costs only itself; if all are refused what stood stays as it was.

    Args:
        phase_no: the phase that the form was made for; `None`: the present one.
        sent: the message that it came in. It counts from when it was sent, however long it was under way: for no phase
            that opened later, but for one whose deadline has passed since, if that is not closed yet.
        instead_of: standing orders that give way to the new ones, of which there may be none.

    Raises:
        Refused: the person may not order here and now, or the text holds no orders at all.
    """
    if len(text) > LONGEST_TEXT:
        raise refused("text_too_long", most=LONGEST_TEXT)
    with context.unit_of_work() as unit:
        desk = _sit_down(context, unit, game_id, user_id, phase_no)
        _require_open(context, desk, sent.at if sent else None)
        _require_in_time(desk, sent)
        reading = read_orders(desk.rules, desk.view, text)
        if mode is SubmitMode.MERGE:
            reading = _without_impossible(desk, reading)
        is_empty = not reading.orders and not reading.errors
        if is_empty and instead_of is None:
            raise refused_with(phrase("refused.hint.clear"), "no_orders")
        before = _standing(desk).values
        kept = [order for order in before if instead_of is None or not instead_of(order)]
        put_in = _put_in(desk, kept, reading, mode) if reading.orders or is_empty else None
        after = before if put_in is None else put_in.values
        is_accepted = put_in is not None
        now = sent.at if sent else None
        desk, is_unready = _store(
            context, unit, desk, before, after, typed=text or None, is_accepted=is_accepted, now=now
        )
        note_taken(unit, user_id, sent.id if sent else None)
        _ask_others(context, unit, desk, [order for order in after if order not in before])
        unit.commit()
    context.alarm.mail()
    return replace(
        _receipt(desk),
        errors=reading.errors if put_in is None else (*reading.errors, *put_in.errors),
        changed=_differ(desk, before, after),
        is_taken=is_accepted,
        is_unready=is_unready,
    )


def submit_default(context: Context, game_id: GameId, user_id: UserId, *, phase_no: int | None) -> Receipt:
    """Take the orders that the system would give for the player. They are the whole sheet, and can be changed.

    Raises:
        Refused: the person may not order here and now, or there are no such orders in this phase.
    """
    with context.unit_of_work() as unit:
        desk = _sit_down(context, unit, game_id, user_id, phase_no)
    _require_open(context, desk)
    text = desk.rules.orders.default(desk.view)
    if not text:
        raise refused_with(phrase("refused.hint.no_default"), "no_default", title=desk.table.status.title)
    return submit(context, game_id, user_id, text, mode=SubmitMode.REPLACE, phase_no=desk.table.game.phase_no)


def show(context: Context, game_id: GameId, user_id: UserId) -> Receipt:
    """The orders that stand.

    Raises:
        Refused: the person does not play, or the game has not begun or is over.
    """
    with context.unit_of_work() as unit:
        desk = _sit_down(context, unit, game_id, user_id, None)
    return _receipt(desk)


def clear(context: Context, game_id: GameId, user_id: UserId, *, phase_no: int | None = None) -> Receipt:
    """Take back all orders. The player is no longer ready then, and counts as missing until new ones come.

    Raises:
        Refused: the person may not order here and now.
    """
    with context.unit_of_work() as unit:
        desk = _sit_down(context, unit, game_id, user_id, phase_no)
        _require_open(context, desk)
        before = _standing(desk).values
        is_unready = False
        if before:
            desk, is_unready = _store(context, unit, desk, before, (), typed=None, is_accepted=True)
        unit.commit()
    return replace(_receipt(desk), changed=bool(before), is_unready=is_unready)


def set_ready(
    context: Context, game_id: GameId, user_id: UserId, is_ready: bool, *, phase_no: int | None = None
) -> Receipt:
    """Say that the orders stand, or that they don't yet. With the last one ready the phase closes, if the game does so.

    In a game of sheets whoever is ready without any order sends an empty sheet by it.

    Raises:
        Refused: the person may not order here and now.
    """
    began = perf_counter()
    with context.unit_of_work() as unit:
        desk = _sit_down(context, unit, game_id, user_id, phase_no)
        _require_open(context, desk)
        if is_ready and desk.rules.info.has_sheets and not _standing(desk).values:
            desk, _ = _store(context, unit, desk, (), _empty_sheet(desk), typed=None, is_accepted=True)
        desk = _with_seat(unit, desk, replace(_back(context, unit, desk), is_ready=is_ready))
        receipt = _receipt(desk)
        closed = close_if_settled(context, unit, desk.table) if is_ready else None
        unit.commit()
    if closed is not None:
        log_closing(desk.table, "ready", began)
        ring(context, closed)
    context.alarm.mail()
    return replace(receipt, closed=closed is not None)


def suggest(context: Context, game_id: GameId, user_id: UserId, typed: str, limit: int = 25) -> tuple[str, ...]:
    """Legal orders that a beginning could become. Whoever can't order gets none: a list can't say why."""
    try:
        with context.unit_of_work() as unit:
            desk = _sit_down(context, unit, game_id, user_id, None)
    except Refused:
        return ()
    return desk.rules.orders.suggest(desk.view, typed, limit=limit)


def menu(context: Context, game_id: GameId, user_id: UserId, path: Sequence[str]) -> Menu:
    """The guided flow's step after some choices.

    Raises:
        Refused: the person may not order here and now.
    """
    with context.unit_of_work() as unit:
        desk = _sit_down(context, unit, game_id, user_id, None)
    _require_open(context, desk)
    return desk.rules.orders.menu(desk.view, path, orders=_standing(desk).values)


def template(context: Context, game_id: GameId, user_id: UserId) -> OrderForm:
    """The sheet to fill in, with the standing orders in it.

    Raises:
        Refused: the person may not order here and now.
    """
    with context.unit_of_work() as unit:
        desk = _sit_down(context, unit, game_id, user_id, None)
    _require_open(context, desk)
    table = desk.table
    return OrderForm(
        game=without_secrets(table.game),
        phase_no=table.game.phase_no,
        title=table.status.title,
        text=desk.rules.orders.template(desk.view, _standing(desk).values),
        power=desk.power,
    )


# Who orders, and whether they may


def _sit_down(context: Context, unit: UnitOfWork, game_id: GameId, user_id: UserId, phase_no: int | None) -> _Desk:
    game = get_game(unit, game_id)
    seats = unit.games.seats(game_id)
    seat = get_seat(game, seats, user_id)
    require_unfinished(game)
    table = read_table(context, game, seats)
    if phase_no is not None and phase_no != game.phase_no:
        raise refused("phase_over", game=game.name, title=table.status.title)
    assert seat.power is not None, "powers are drawn at the start"
    return _Desk(
        table=table,
        seat=seat,
        power=seat.power,
        view=table.rules.sight.view(table.state, seat.power),
        sheet=unit.sheets.find(game_id, game.phase_no, seat.power),
    )


def _require_open(context: Context, desk: _Desk, sent_at: datetime | None = None) -> None:
    game, status = desk.table.game, desk.table.status
    if game.deadline_at is not None and (sent_at or context.clock.now()) >= game.deadline_at:
        raise refused("deadline_passed", title=status.title, deadline=int(game.deadline_at.timestamp()))
    if desk.power in status.out:
        raise refused("power_is_out", power=desk.power)
    if desk.power not in status.to_act:
        raise refused("nothing_to_decide", title=status.title)


def _require_in_time(desk: _Desk, sent: Sent | None) -> None:
    """Let pass what was not written for an earlier phase, nor before orders that stand: it may have come late."""
    game = desk.table.game
    if sent is not None and game.opened_at is not None and sent.at < game.opened_at:
        raise refused("phase_over", game=game.name, title=desk.table.status.title)
    if sent is not None and sent.was_missed and desk.sheet is not None and desk.sheet.accepted_at > sent.at:
        raise refused("newer_orders", game=game.name)


# The sheet


def is_sent_sheet(rules: AnySystem, sheet: StoredSheet | None) -> bool:
    """Whether a sheet counts as sent in a game of sheets: also one that was emptied, or of which no line was taken."""
    return rules.info.has_sheets and sheet is not None


def _standing(desk: _Desk) -> Reading[Order]:
    return read_orders(desk.rules, desk.view, "\n".join(desk.sheet.orders if desk.sheet else ()))


def _empty_sheet(desk: _Desk) -> Sequence[Order]:
    """What the sheet to fill in says as long as nothing is filled in."""
    return read_orders(desk.rules, desk.view, desk.rules.orders.template(desk.view, ())).values


def _put_in(desk: _Desk, kept: Sequence[Order], reading: Reading[Order], mode: SubmitMode) -> Reading[Order]:
    """The sheet with the new orders in it, and those of its lines that are too many for it."""
    is_whole = mode is SubmitMode.REPLACE or (mode is SubmitMode.AS_SENT and desk.rules.info.has_sheets)
    standing = () if is_whole else kept
    amended = desk.rules.orders.amend(desk.view, standing, reading.values)
    # What is stored is what would be read back at the closing, no line more.
    return read_orders(desk.rules, desk.view, "\n".join(canonical_lines(desk.rules, amended)))


def _without_impossible(desk: _Desk, reading: Reading[Order]) -> Reading[Order]:
    """Single orders that name what there is not are refused at once, in games that would keep them in a sheet.

    What would fail as things stand now may come right, and stays.
    """
    rehearse = desk.rules.orders.rehearse
    if rehearse is None:
        return reading
    failing: defaultdict[int, list[Forecast]] = defaultdict(list)
    for forecast in rehearse(desk.view, reading.orders).lines:
        if forecast.is_impossible:
            failing[forecast.line].append(forecast)
    # Of an order of several parts the others may be possible.
    impossible = {line: parts[0] for line, parts in failing.items() if len(parts) == parts[0].parts}
    refused_now = [impossible[read.line].as_error(read) for read in reading.orders if read.line in impossible]
    return Reading(
        tuple(read for read in reading.orders if read.line not in impossible),
        tuple(sorted((*reading.errors, *refused_now), key=lambda error: (error.line, error.column))),
    )


def _differ(desk: _Desk, before: Sequence[Order], after: Sequence[Order]) -> bool:
    """Whether other orders stand; in a sheet the order of the lines counts too."""
    return tuple(before) != tuple(after) if desk.rules.info.has_sheets else set(before) != set(after)


def _store(
    context: Context,
    unit: UnitOfWork,
    desk: _Desk,
    before: Sequence[Order],
    after: Sequence[Order],
    *,
    typed: str | None,
    is_accepted: bool,
    now: datetime | None = None,
) -> tuple[_Desk, bool]:
    """Keep what was typed and what stands; changed orders are no longer ready ones. Also tells whether they were.

    Args:
        now: when the orders came, if not just now.
    """
    game = desk.table.game
    old = desk.sheet or StoredSheet(game.id, game.phase_no, desk.power, (), (), 0, context.clock.now())
    sheet = replace(old, typed=(*old.typed, typed) if typed is not None else old.typed)
    if is_accepted:
        sheet = replace(
            sheet,
            orders=canonical_lines(desk.rules, after),
            version=old.version + 1,
            accepted_at=now or context.clock.now(),
        )
    unit.sheets.save(sheet)
    is_unready = desk.seat.is_ready and _differ(desk, before, after)
    seat = _back(context, unit, desk)
    desk = _with_seat(unit, replace(desk, sheet=sheet), replace(seat, is_ready=seat.is_ready and not is_unready))
    return desk, is_unready


def _ask_others(context: Context, unit: UnitOfWork, desk: _Desk, new: Sequence[Order]) -> None:
    """Tell the others what new orders ask of them, unless they have agreed already."""
    rules, game = desk.rules, desk.table.game
    if not new:
        return
    seats = {seat.power: seat for seat in desk.table.seats}
    for request in rules.orders.requests(desk.view, new):
        sheet = unit.sheets.find(game.id, game.phase_no, request.power)
        if request.power in seats and (sheet is None or request.answer not in sheet.orders):
            payload = {"what": phrase_to_json(request.what), "answer": request.answer}
            post.to_player(unit, game, seats[request.power], context.clock.now(), "request", payload)


def _back(context: Context, unit: UnitOfWork, desk: _Desk) -> Seat:
    """The seat, no longer open if it was so for missed phases: its player is here."""
    if not desk.seat.is_open:
        return desk.seat
    post.notice(unit, desk.table.game, context.clock.now(), "seat_kept", power=desk.power)
    return replace(desk.seat, is_open=False, missed=0)


def _with_seat(unit: UnitOfWork, desk: _Desk, seat: Seat) -> _Desk:
    if seat == desk.seat:
        return desk
    unit.games.save_seat(seat)
    seats = tuple(seat if other.number == seat.number else other for other in desk.table.seats)
    return replace(desk, seat=seat, table=replace(desk.table, seats=seats))


def _receipt(desk: _Desk) -> Receipt:
    standing = _standing(desk)
    table = desk.table
    rehearse = desk.rules.orders.rehearse
    rehearsal = rehearse(desk.view, standing.orders) if rehearse else None
    is_asked = desk.power in table.status.to_act
    is_sent = is_asked and is_sent_sheet(desk.rules, desk.sheet)
    is_wanting = is_asked and not is_sent
    return Receipt(
        game=without_secrets(table.game),
        phase_no=table.game.phase_no,
        title=table.status.title,
        power=desk.power,
        orders=canonical_lines(desk.rules, standing.values),
        errors=(),
        advice=desk.rules.orders.advise(desk.view, standing.orders) if rehearsal is None else (),
        missing=desk.rules.orders.missing(desk.view, standing.values) if is_wanting else (),
        otherwise=desk.rules.orders.otherwise(desk.view, standing.values) if is_wanting else (),
        version=desk.sheet.version if desk.sheet else 0,
        is_ready=desk.seat.is_ready,
        deadline_at=table.game.deadline_at,
        scene=desk.rules.telling.scene(desk.view, orders=standing.values),
        changed=False,
        has_default=is_asked and bool(desk.rules.orders.default(desk.view)),
        is_sent=is_sent,
        rehearsal=rehearsal,
    )
