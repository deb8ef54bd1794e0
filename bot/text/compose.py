"""Makes the messages that the outbox holds: an `Outgoing` says what to tell, here it gets its words and pictures.

Called by the announcer when a message is about to be sent. Everything is read from the stored game, so a message that
had to wait for an outage still tells of its own phase.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bot.model import Outgoing, PhaseRecord, Seat, UserId
from bot.services.context import Context
from bot.text.board import board_file, board_picture, report_file, report_text, results_picture
from bot.text.buttons import private_buttons, public_buttons
from bot.text.catalogue import Words
from bot.text.discord_limits import LONGEST_POST, fit, fit_all
from bot.text.markdown import Markup, code_block, full_time, mention, relative_time
from bot.text.message import Embed, Message, ScenePicture, TextFile
from bot.text.table import Table, read_table
from engine.core.events import visible_events
from engine.core.ids import PowerId
from engine.core.outcome import may_know
from engine.core.phrases import phrase_from_json
from engine.core.report import Report

ORDERS_FILE = "orders.txt"
_TEMPLATE_IN_CHAT = 1500
"""A longer order sheet is sent as a file."""


def compose(context: Context, outgoing: Outgoing) -> tuple[Message, ...]:
    """The messages to send, in order; none if it has become pointless (a reminder for a phase that is over).

    Raises:
        KeyError: a kind that no composer makes.
        LookupError: the game is not stored any more.
    """
    return _COMPOSERS[outgoing.kind](read_table(context, outgoing), outgoing)


def kinds() -> frozenset[str]:
    """The kinds of outgoing messages that can be composed."""
    return frozenset(_COMPOSERS)


def _opening(table: Table, _: Outgoing) -> tuple[Message, ...]:
    words, game = table.words, table.game
    heading = words.say("message.opening", game=game.name, system=table.system.info.name)
    players = "\n".join(_seat_line(table, seat) for seat in table.seats if seat.power)
    how = words.say("message.how_to_order")
    return fit(
        Message(
            content="\n".join([heading, players]),
            embeds=(Embed(title=words.plain(table.status.title), description="\n".join([*_when(table), "", how])),),
            pictures=(_position(table),),
            files=(board_file(words, game, table.status.title, table.board()),),
            buttons=public_buttons(words, game.id, table.phase_no),
            mentions=tuple(seat.user_id for seat in table.seats if seat.user_id),
        )
    )


def _phase_opened(table: Table, _: Outgoing) -> tuple[Message, ...]:
    words = table.words
    heading = words.say("message.phase_opened", game=table.game.name, title=table.status.title)
    lines = [heading, *_when(table), _lines(words, table.briefing(None))]
    buttons = () if table.is_past else public_buttons(words, table.game.id, table.phase_no)
    return fit(Message(content="\n".join(lines), buttons=buttons))


def _phase_closed(table: Table, outgoing: Outgoing) -> tuple[Message, ...]:
    record = table.record
    if record is None:
        raise LookupError(f"phase {outgoing.phase_no} of game {outgoing.game_id} is not closed")
    return _results(table, record)


def _results(table: Table, record: PhaseRecord) -> tuple[Message, ...]:
    """The report under the map of the orders, then the new position with its board in words."""
    words, game, system = table.words, table.game, table.system
    after = system.load(record.end)
    view_after = system.view(after, None)
    results = tuple(result for result in record.results if may_know(None, result.audience))
    report = system.report(view_after, results, visible_events(record.events, None))
    before = system.scene(system.view(table.state, None), results=results)
    title = table.status.title
    heading = [words.say("message.phase_closed", game=game.name, title=title), *_closed_why(table, record)]
    story = fit(
        Message(
            content="\n".join(heading),
            embeds=(Embed(description=report_text(words, report)),),
            pictures=(results_picture(words, game, before, report),),
        )
    )
    if len(story) > LONGEST_POST:
        story = (
            Message("\n".join(heading), pictures=story[0].pictures, files=(report_file(words, game, title, report),)),
        )
    status = system.status(after)
    board = system.text_board(view_after)
    position = Message(
        content=words.say("message.new_position", title=status.title),
        pictures=(board_picture(words, game, system.scene(view_after), board, deadline_at=None),),
        files=(board_file(words, game, status.title, board),),
    )
    return (*story, *fit(position))


def _closed_why(table: Table, record: PhaseRecord) -> list[Markup]:
    words = table.words
    if record.late_s > 0 and record.deadline_at is not None:
        return [
            words.say("message.closed_late", deadline=full_time(record.deadline_at), late=_length(table, record.late_s))
        ]
    return [words.say(f"message.closed_because.{record.closed_because}")]


def _length(table: Table, seconds: int) -> Markup:
    minutes = max(1, round(seconds / 60))
    for unit, size in (("days", 24 * 60), ("hours", 60)):
        if minutes >= 2 * size:
            return table.words.say(f"length.{unit}", count=round(minutes / size))
    return table.words.say("length.minutes", count=minutes)


def _briefing(table: Table, outgoing: Outgoing) -> tuple[Message, ...]:
    """What happened to the power, what is asked of it, and the sheet to fill in."""
    words, game = table.words, table.game
    power = PowerId(outgoing.payload["power"])
    lines = [words.say("message.briefing", game=game.name, title=table.status.title, power=power), *_when(table)]
    if table.is_past:
        lines.append(words.say("message.phase_is_over"))
    embeds = [
        Embed(title=words.plainly("message.what_happened"), description=story)
        for story in _story(table, outgoing, power)
    ]
    asked = _lines(words, table.briefing(power))
    embeds.append(Embed(title=words.plainly("message.what_is_asked"), description=asked))
    if table.is_past or power not in table.status.to_act:
        return fit(Message(content="\n".join(lines), embeds=tuple(embeds)))
    template = table.system.template(table.system.view(table.state, power), ())
    message = Message(
        content="\n".join(lines),
        embeds=tuple(embeds),
        buttons=private_buttons(words, game.id, table.phase_no, is_ready=False, has_orders=False),
    )
    return fit_all(_with_template(table, message, template))


def _with_template(table: Table, message: Message, template: str) -> tuple[Message, ...]:
    words = table.words
    if len(template) > _TEMPLATE_IN_CHAT:
        sheet = Message(words.say("message.template_file"), files=(TextFile(ORDERS_FILE, template),))
    else:
        sheet = Message("\n".join([words.say("message.template"), code_block(template)]))
    # The buttons belong under the last thing read.
    return (
        Message(message.content, message.embeds),
        Message(sheet.content, files=sheet.files, buttons=message.buttons),
    )


def _story(table: Table, outgoing: Outgoing, power: PowerId) -> list[Markup]:
    closed = table.closed_before
    if closed is None or outgoing.payload.get("closed_phase_no") is None:
        return []
    view = table.system.view(table.system.load(closed.end), power)
    results = [result for result in closed.results if result.power == power and may_know(power, result.audience)]
    return [report_text(table.words, table.system.report(view, results, visible_events(closed.events, power)))]


def _still_missing(table: Table, outgoing: Outgoing) -> tuple[Message, ...]:
    if table.is_past:
        return ()
    words = table.words
    powers = [PowerId(power) for power in outgoing.payload["powers"]]
    seats = {seat.power: seat for seat in table.seats}
    # Everybody gets the reminder as a direct message; only those whom it can't reach are notified here.
    unreachable = tuple(
        seat.user_id for power in powers if (seat := seats.get(power)) and seat.user_id and seat.dms_closed
    )
    named = words.listed([_power_and_player(table, power, seats) for power in powers])
    lines = [
        words.say("message.still_missing", game=table.game.name, title=table.status.title, powers=named),
        *_when(table),
    ]
    return fit(
        Message(
            content="\n".join(lines),
            buttons=public_buttons(words, table.game.id, table.phase_no),
            mentions=unreachable,
        )
    )


def _power_and_player(table: Table, power: PowerId, seats: Mapping[PowerId | None, Seat]) -> Markup:
    seat = seats.get(power)
    name = table.words.name(power)
    return Markup(f"{name} ({mention(seat.user_id)})" if seat and seat.user_id else name)


def _reminder(table: Table, outgoing: Outgoing) -> tuple[Message, ...]:
    if table.is_past:
        return ()
    words = table.words
    power = PowerId(outgoing.payload["power"])
    view = table.system.view(table.state, power)
    missing = table.system.missing(view, table.standing_orders(power))
    lines = [words.say("message.reminder", game=table.game.name, title=table.status.title, power=power), *_when(table)]
    if missing:
        lines.append(words.say("message.missing", units=missing))
    has_orders = bool(table.standing_orders(power))
    return fit(
        Message(
            content="\n".join(lines),
            buttons=private_buttons(words, table.game.id, table.phase_no, is_ready=False, has_orders=has_orders),
        )
    )


def _dms_closed(table: Table, outgoing: Outgoing) -> tuple[Message, ...]:
    user_id = UserId(int(outgoing.payload["user_id"]))
    words = table.words
    return fit(
        Message(
            content=words.say("message.dms_closed", player=mention(user_id), game=table.game.name),
            buttons=() if table.is_past else public_buttons(words, table.game.id, table.phase_no),
            mentions=(user_id,),
        )
    )


def _game_over(table: Table, _: Outgoing) -> tuple[Message, ...]:
    words, game, status = table.words, table.game, table.status
    heading = words.say("message.game_over", game=game.name)
    why = [words.render(status.why_over)] if status.why_over else []
    seats = {seat.power: seat for seat in table.seats}
    winners = [_power_and_player(table, power, seats) for power in status.winners or ()]
    code = {0: "message.no_winner", 1: "message.winner"}.get(len(winners), "message.shared")
    lines = [heading, words.say(code, winners=words.listed(winners)), *why]
    story = [_seat_line(table, seat) for seat in table.seats if seat.power]
    return fit(
        Message(
            content="\n".join(lines),
            embeds=(Embed(title=words.plainly("message.players"), description="\n".join(story)),),
            pictures=(_position(table),),
            files=(board_file(words, game, status.title, table.board()),),
            mentions=tuple(seat.user_id for seat in table.seats if seat.user_id),
        )
    )


def _notice(table: Table, outgoing: Outgoing) -> tuple[Message, ...]:
    notice = phrase_from_json({"code": _notice_code(outgoing), "args": outgoing.payload.get("args", {})})
    heading = table.words.say("message.notice", game=table.game.name)
    mentioned = outgoing.payload.get("mentions", ())
    content = f"{heading} {table.words.render(notice)}"
    return fit(Message(content=content, mentions=tuple(UserId(int(user)) for user in mentioned)))


def _when(table: Table) -> list[Markup]:
    if table.deadline_at is None:
        return []
    return [
        table.words.say("message.locks", deadline=full_time(table.deadline_at), left=relative_time(table.deadline_at))
    ]


def _seat_line(table: Table, seat: Seat) -> Markup:
    words = table.words
    if seat.user_id is None:
        return words.say("message.seat_open", power=seat.power)
    return words.say("message.seat", power=seat.power, player=mention(seat.user_id))


def _position(table: Table) -> ScenePicture:
    scene = table.system.scene(table.system.view(table.state, None))
    return board_picture(table.words, table.game, scene, table.board(), deadline_at=table.deadline_at)


def _lines(words: Words, report: Report) -> Markup:
    """A briefing under a heading of ours: its own headings would only repeat it."""
    return Markup("\n".join(words.render(line) for section in report.sections for line in section.lines))


def _notice_code(outgoing: Outgoing) -> str:
    code = str(outgoing.payload["code"])
    return code if code.startswith("notice.") else f"notice.{code}"


def _game_cancelled(table: Table, _: Outgoing) -> tuple[Message, ...]:
    return fit(Message(content=table.words.say("message.game_cancelled", game=table.game.name)))


_COMPOSERS: Mapping[str, Callable[[Table, Outgoing], tuple[Message, ...]]] = {
    "opening": _opening,
    "phase_opened": _phase_opened,
    "phase_closed": _phase_closed,
    "briefing": _briefing,
    "still_missing": _still_missing,
    "reminder": _reminder,
    "dms_closed": _dms_closed,
    "game_over": _game_over,
    "notice": _notice,
    "game_cancelled": _game_cancelled,
}
