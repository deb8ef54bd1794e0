"""Composes the messages of the outbox: an `Outgoing` says what to send, and here it gets its text and pictures.

Called by the announcer when a message is about to be sent. Everything is read from the stored game, so a message that
had to wait for an outage is still about its own phase.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from bot.model import GameStatus, Outgoing, Seat, Target, UserId
from bot.services import doors, inspect
from bot.services.asking import ASKED
from bot.services.complaints import COMPLAINT, written_to
from bot.services.context import Context
from bot.services.films import standings_chart
from bot.services.positions import position_of
from bot.services.reminders import has_answered
from bot.services.seeds import parts_of, seed_of
from bot.services.sheets import MENUS, find_offer, from_before, is_sent_sheet
from bot.services.table import deciding_seats, is_manned
from bot.text.albums import album_message
from bot.text.board import board_file, board_picture, brief_text, ledger_file, report_file, report_text
from bot.text.buttons import buttons, private_buttons, public_buttons
from bot.text.catalogue import Words
from bot.text.choices import Offered, offered
from bot.text.custom_ids import BELOW, Action
from bot.text.discord_limits import BRIEF, fit, fit_all
from bot.text.doors import briefing_message
from bot.text.films import chart_messages
from bot.text.games import call_for_players
from bot.text.markdown import Markup, channel_mention, code_block, escape, full_time, mention, relative_time
from bot.text.message import Button, Embed, Message, ScenePicture, TextFile
from bot.text.occasion import Occasion, read_occasion
from bot.text.order_receipt import from_before_field
from bot.text.results import story_messages
from engine.core.dice import seal
from engine.core.events import visible_events
from engine.core.ids import PowerId
from engine.core.orders import names_of
from engine.core.outcome import may_know
from engine.core.phrases import Phrase, phrase, phrase_from_json
from engine.core.reading import canonical_lines, restored
from engine.core.report import Report
from engine.core.viewer import EVERYBODY, Playing
from engine.pictures.realm import is_lit, own_realm
from engine.registry import View

ORDERS_FILE = "orders.txt"
_OF_ITS_PHASE = frozenset({
    "phase_opened", "briefing", "still_missing", "reminder", "last_one", "request", "seat_opened", "game_over",
    "result",
})  # fmt: skip
"""Kinds that are about the phase in which they were queued, and nothing else."""
_DUE = "report.to_act"
"""How the codes of lines begin that say, in a public briefing, which `powers` orders are due from."""
_FOR_MASTERS = frozenset({ASKED, "channel_trouble", "stuck", "notes", COMPLAINT})
"""Kinds of direct messages that game masters get, whether they play or not."""
_TEMPLATE_IN_CHAT = 1500
"""A longer order sheet is sent as a file."""


def compose(context: Context, outgoing: Outgoing) -> tuple[Message, ...]:
    """The messages to send, in order; none if it has become pointless (a reminder for a phase that is over).

    A message for a player who has left the seat since is dropped: it may reveal what the next player does.

    Raises:
        KeyError: there is no composer for this kind.
        LookupError: the game is no longer stored.
    """
    composer = _COMPOSERS[outgoing.kind]
    occasion = read_occasion(context, outgoing)
    is_pointless = occasion.is_undone and outgoing.kind in _OF_ITS_PHASE
    if is_pointless or (outgoing.target is Target.USER and not _is_for_them(occasion, outgoing)):
        return ()
    return composer(occasion, outgoing)


def kinds() -> frozenset[str]:
    """The kinds of outgoing messages that can be composed."""
    return frozenset(_COMPOSERS)


def _is_for_them(occasion: Occasion, outgoing: Outgoing) -> bool:
    if outgoing.kind in _FOR_MASTERS:
        return outgoing.target_id in occasion.game.game_masters
    if outgoing.kind == "seat_lost":
        return True
    power = outgoing.payload["power"]
    return any(seat.power == power and seat.user_id == outgoing.target_id for seat in occasion.seats)


def _opening(occasion: Occasion, _: Outgoing) -> tuple[Message, ...]:
    words, game = occasion.words, occasion.game
    heading = words.say("message.opening", game=game.name, system=occasion.system.info.name)
    players = "\n".join(_seat_line(occasion, seat) for seat in occasion.seats if seat.power)
    goal = words.say("message.goal", goal=occasion.goal(None))
    asked = "\n".join(_public_briefing(occasion))
    how = words.say("message.how_to_order")
    if occasion.status.may_negotiate:
        how = Markup(f"{how} {words.say('message.negotiate')}")
    parts = parts_of(_seed(occasion))
    if occasion.system.info.has_dice and (parts is None or parts.message_id is None):
        # Else the two posts before this one have said everything about the seed.
        how = Markup(f"{how}\n\n{words.say('message.sealed', seal=seal(_seed(occasion)))}")
    return fit(
        Message(
            content="\n".join([heading, players, "", goal]),
            embeds=(
                Embed(
                    title=words.plain(occasion.status.title),
                    description="\n".join([*_when(occasion), *_still_waiting_for(occasion), asked, "", how]),
                ),
            ),
            pictures=_public_map(occasion),
            files=_public_board(occasion),
            buttons=public_buttons(words, game, occasion.phase_no),
            mentions=occasion.players,
        )
    )


def _phase_opened(occasion: Occasion, _: Outgoing) -> tuple[Message, ...]:
    words = occasion.words
    heading = words.say("message.phase_opened", game=occasion.game.name, title=occasion.status.title)
    lines = [heading, *_when(occasion), *_still_waiting_for(occasion), *_public_briefing(occasion)]
    buttons = () if occasion.is_past else public_buttons(words, occasion.game, occasion.phase_no)
    return fit(
        Message(
            content="\n".join(lines),
            pictures=_public_map(occasion),
            files=_public_board(occasion),
            buttons=buttons,
        )
    )


def _phase_closed(occasion: Occasion, outgoing: Outgoing) -> tuple[Message, ...]:
    number = int(outgoing.payload["phase_no"])
    view = inspect.phase_view(occasion.context, occasion.game.id, number, EVERYBODY)
    has_board = occasion.system.info.has_public_board
    if not has_board and not view.report.sections and view.closed_because.is_by_itself:
        # A phase that passed by itself, of which there is nothing for everybody.
        return ()
    return story_messages(view, as_text=not has_board, is_all_read=outgoing.payload.get("is_all_read"))


def _briefing(occasion: Occasion, outgoing: Outgoing) -> tuple[Message, ...]:
    """What happened to the power, what is asked of it, and the sheet to fill in.

    Whoever has nothing to decide hears what happened and that there is nothing to order, or nothing at all if nothing
    happened; in their first phase always that there is nothing to do.
    """
    power = PowerId(outgoing.payload["power"])
    texts, files = _told(occasion, power)
    heading = occasion.words.plainly("message.what_happened")
    happened = tuple(Embed(title=heading, description=text) for text in texts)
    if power in occasion.status.out:
        farewell = occasion.words.say("message.farewell", game=occasion.game.name, power=power)
        return fit_all((Message(content=farewell, embeds=happened, files=files), *_albums(occasion, power)))
    if not occasion.is_past and power in occasion.status.to_act:
        return fit_all(_with_sheet(occasion, outgoing, power, happened, files))
    if power in occasion.status.to_act or _is_first(outgoing):
        content, embeds = _beginning(occasion, outgoing, power), (*happened, _about_phase(occasion, outgoing, power))
    elif happened:
        content, embeds = _news(occasion, power), happened
    else:
        return ()
    message = Message(
        content="\n".join(content),
        embeds=embeds,
        pictures=_unshown_map(occasion, power),
        files=files,
        buttons=_report_button(occasion, power),
    )
    return fit_all((message, *_albums(occasion, power)))


def _heading(occasion: Occasion, power: PowerId) -> Markup:
    return occasion.words.say("message.briefing", game=occasion.game.name, title=occasion.status.title, power=power)


def _news(occasion: Occasion, power: PowerId) -> list[Markup]:
    """Above what happened to a power that has nothing to decide now."""
    is_open = occasion.status.winners is None and not occasion.is_past
    return [_heading(occasion, power), *([occasion.words.say("receipt.nothing_to_order")] if is_open else [])]


def _beginning(occasion: Occasion, outgoing: Outgoing, power: PowerId) -> list[Markup]:
    """The beginning of a briefing: which phase it is, in the first one the goal, and until when it lasts."""
    goal = occasion.words.say("message.goal", goal=occasion.goal(power))
    over = [occasion.words.say("message.phase_is_over")] if occasion.is_past else []
    return [_heading(occasion, power), *([goal] if _is_first(outgoing) else []), *_when(occasion), *over]


def _about_phase(occasion: Occasion, outgoing: Outgoing, power: PowerId) -> Embed:
    """What the phase is about, for a power that can't order anything, or no more."""
    words, lines = occasion.words, [_lines(occasion.words, occasion.briefing(power))]
    if _is_first(outgoing) and not occasion.is_past:
        lines.append(words.say("message.meanwhile"))
    return Embed(title=words.plainly("message.what_is_asked"), description="\n".join(lines))


def _with_sheet(
    occasion: Occasion, outgoing: Outgoing, power: PowerId, happened: tuple[Embed, ...], files: tuple[TextFile, ...]
) -> tuple[Message, ...]:
    """The briefing of a power that may order something: with the sheet, the menus, and the game's special ways."""
    words = occasion.words
    view, orders = occasion.system.sight.view(occasion.state, Playing(power)), occasion.standing_orders(power)
    asked = Embed(
        title=words.plainly("message.what_is_asked"),
        description=_lines(words, occasion.briefing(power), occasion.system.orders.otherwise(view, orders)),
    )
    lines, pictures = _beginning(occasion, outgoing, power), _own_map(occasion, power)
    if any(is_lit(picture.scene) for picture in pictures):
        lines.append(words.say("message.own_map"))
    message = Message(
        content="\n".join(lines),
        embeds=(*happened, *_standing(occasion, orders, view), asked, *_first_steps(occasion, outgoing, view)),
        pictures=pictures,
        files=files,
        buttons=(*_order_buttons(occasion, view, has_orders=bool(orders)), *_report_button(occasion, power)),
    )
    template = occasion.system.orders.template(view, orders)
    first, sheet = _with_template(occasion, message, template, _menus(occasion, view, orders))
    return (first, *_albums(occasion, power), sheet, *_doors(occasion, view))


def _order_buttons(occasion: Occasion, view: View, *, has_orders: bool) -> tuple[Button, ...]:
    """The buttons for a player who is not ready yet."""
    return private_buttons(
        occasion.words,
        occasion.game,
        occasion.phase_no,
        is_ready=False,
        has_orders=has_orders,
        has_default=bool(occasion.system.orders.default(view)),
    )


def _report_button(occasion: Occasion, power: PowerId) -> tuple[Button, ...]:
    """Below what other players have written to a power: of the last phase in which they have."""
    numbers = [closed.phase_no for closed in occasion.closed_before if written_to(closed, power)]
    return buttons(occasion.words, occasion.game, numbers[-1], Action.REPORT) if numbers else ()


def _is_first(outgoing: Outgoing) -> bool:
    """Whether it is the first briefing of a player: of the first phase, or of whoever takes a power over."""
    return not outgoing.payload.get("closed_phase_nos")


def _first_steps(occasion: Occasion, outgoing: Outgoing, view: View) -> tuple[Embed, ...]:
    """Orders to begin with, for whoever is new or meets a phase of this kind for the first time."""
    if not (_is_first(outgoing) or occasion.is_first_of_its_kind):
        return ()
    words = occasion.words
    lines = [words.say("message.example", what=what) for what in occasion.system.telling.examples(view)]
    lines.append(words.say("message.example", what=phrase("message.where_rules_are")))
    return (Embed(title=words.plainly("message.first_steps"), description="\n".join(lines)),)


def _standing(occasion: Occasion, orders: Sequence[Any], view: View) -> tuple[Embed, ...]:
    """What stands already: orders of whoever played the power before, or of a phase that is played again; and those of
    earlier phases that stand until they are changed.
    """
    before = from_before_field(occasion.words, from_before(occasion.system, view, orders))
    if not orders and not before:
        return ()
    words = occasion.words
    lines = [
        words.say("receipt.order", number=number, order=order)
        for number, order in enumerate(canonical_lines(occasion.system, orders), start=1)
    ]
    return (Embed(title=words.plainly("message.what_stands"), description="\n".join(lines), fields=before),)


def _told(occasion: Occasion, power: PowerId) -> tuple[list[Markup], tuple[TextFile, ...]]:
    """What happened to the power, phase by phase; where that is long in brief, with the whole in a file."""
    words, stories = occasion.words, _story(occasion, power)
    texts, ledger = [report_text(words, story) for story in stories], _ledger(occasion, power)
    is_short = sum(map(len, texts)) <= BRIEF
    # Where nothing stands in the channel the letter is all there is: it is kept whole in any case.
    if not stories or (is_short and occasion.system.info.has_public_board):
        return texts, ledger
    whole = Report(tuple(section for story in stories for section in story.sections))
    brief = texts if is_short else [brief_text(words, story, BRIEF // len(stories)) for story in stories]
    return brief, (report_file(words, occasion.game, occasion.status.title, whole), *ledger)


def _albums(occasion: Occasion, power: PowerId) -> tuple[Message, ...]:
    """The events since the power's last briefing that have pages and pictures of their own."""
    albums = occasion.system.telling.albums
    return tuple(
        album_message(occasion.words, occasion.game, album)
        for closed in occasion.closed_before
        for album in albums(
            occasion.system.sight.view(position_of(occasion.system, closed.start), Playing(power)),
            visible_events(closed.events, Playing(power)),
        )
    )


def _ledger(occasion: Occasion, power: PowerId) -> tuple[TextFile, ...]:
    """The power's books, in games that keep any."""
    ledger = occasion.system.telling.ledger
    if ledger is None:
        return ()
    report = ledger(occasion.system.sight.view(occasion.state, Playing(power)))
    return (ledger_file(occasion.words, occasion.game, occasion.status.title, report),) if report.sections else ()


def _doors(occasion: Occasion, view: View) -> tuple[Message, ...]:
    """What the game says about its special ways to order."""
    briefings = doors.briefings(occasion.system, view)
    return tuple(briefing_message(occasion.words, occasion.game, occasion.phase_no, each) for each in briefings)


def _own_map(occasion: Occasion, power: PowerId) -> tuple[ScenePicture, ...]:
    """The power's own realm, with what stands already of its orders."""
    view = occasion.system.sight.view(occasion.state, Playing(power))
    scene = own_realm(occasion.system.telling.scene(view, orders=occasion.standing_orders(power)), power)
    words = occasion.words
    return (board_picture(words, occasion.game, scene, occasion.briefing(power), deadline_at=occasion.deadline_at),)


def _unshown_map(occasion: Occasion, power: PowerId) -> tuple[ScenePicture, ...]:
    """The same, where the channel shows no map."""
    return () if occasion.system.info.has_public_board else _own_map(occasion, power)


def _menus(occasion: Occasion, view: View, orders: Sequence[Any]) -> Offered:
    """Whole orders to choose from, so that nothing need be pressed or written first."""
    missing = occasion.system.orders.missing(view, orders)
    offer = find_offer(occasion.system, view, orders, missing)
    return offered(occasion.game, occasion.phase_no, offer, MENUS, token=BELOW)


def _with_template(occasion: Occasion, message: Message, template: str, menus: Offered) -> tuple[Message, Message]:
    words = occasion.words
    if len(template) > _TEMPLATE_IN_CHAT:
        sheet = Message(words.say("message.template_file"), files=(TextFile(ORDERS_FILE, template),))
    else:
        sheet = Message("\n".join([words.say("message.template"), code_block(template)]))
    how = [words.say("message.menus")] if menus.selects else []
    # The buttons belong under the last thing read.
    return (
        Message(message.content, message.embeds, message.pictures, message.files),
        Message(
            "\n".join([*how, sheet.content]),
            files=sheet.files,
            selects=menus.selects,
            shortcuts=menus.shortcuts,
            buttons=message.buttons,
        ),
    )


def _story(occasion: Occasion, power: PowerId) -> list[Report]:
    """What became of the power's own orders in each phase since its last briefing, and what else it may know.

    Others' orders that everybody may know of stand in the channel; those that some may know of, nowhere else.
    """
    stories, viewer = [], Playing(power)
    for closed in occasion.closed_before:
        view = occasion.system.sight.view(position_of(occasion.system, closed.end), viewer)
        known = (
            result
            for result in closed.results
            if (result.power == power or result.audience is not None) and may_know(viewer, result.audience)
        )
        results = restored(occasion.system, view, known)
        stories.append(occasion.system.telling.report(view, results, visible_events(closed.events, viewer)))
    return [story for story in stories if story.sections]


def _still_missing(occasion: Occasion, outgoing: Outgoing) -> tuple[Message, ...]:
    if occasion.is_past:
        return ()
    words = occasion.words
    powers = [PowerId(power) for power in outgoing.payload["powers"]]
    seats = {seat.power: seat for seat in occasion.seats}
    # Everybody gets the reminder as a direct message; only those whom it can't reach are notified here.
    unreachable = tuple(
        player
        for power in powers
        if (seat := seats.get(power)) and seat.dms_closed and (player := occasion.player(seat)) is not None
    )
    named = words.listed([_power_and_player(occasion, power, seats) for power in powers])
    lines = [
        words.say("message.still_missing", game=occasion.game.name, title=occasion.status.title, powers=named),
        *_when(occasion),
    ]
    return fit(
        Message(
            content="\n".join(lines),
            buttons=public_buttons(words, occasion.game, occasion.phase_no),
            mentions=unreachable,
        )
    )


def _power_and_player(occasion: Occasion, power: PowerId, seats: Mapping[PowerId | None, Seat]) -> Markup:
    seat = seats.get(power)
    name, player = occasion.words.name(power), occasion.player(seat) if seat else None
    if seat is not None and seat.computer is not None:
        return Markup(f"{name} ({occasion.words.say('lobby.computer', level=seat.computer)})")
    return Markup(f"{name} ({mention(player)})" if player else name)


def _reminder(occasion: Occasion, outgoing: Outgoing) -> tuple[Message, ...]:
    if occasion.is_past:
        return ()
    words = occasion.words
    power = PowerId(outgoing.payload["power"])
    view = occasion.system.sight.view(occasion.state, Playing(power))
    is_sent = is_sent_sheet(occasion.system, occasion.sheets.get(power))
    missing = () if is_sent else occasion.system.orders.missing(view, occasion.standing_orders(power))
    lines = [
        words.say("message.reminder", game=occasion.game.name, title=occasion.status.title, power=power),
        *_when(occasion),
    ]
    if missing:
        lines.append(words.say("message.missing", units=names_of(missing)))
        lines += map(words.render, occasion.system.orders.otherwise(view, occasion.standing_orders(power)))
    has_orders = bool(occasion.standing_orders(power))
    return fit(Message(content="\n".join(lines), buttons=_order_buttons(occasion, view, has_orders=has_orders)))


def _last_one(occasion: Occasion, outgoing: Outgoing) -> tuple[Message, ...]:
    """For the only player for whom the others are waiting; nothing if they have answered meanwhile."""
    power = PowerId(outgoing.payload["power"])
    seat = next((seat for seat in occasion.seats if seat.power == power), None)
    if occasion.is_past or seat is None or has_answered(seat, occasion.sheets.get(power)):
        return ()
    words = occasion.words
    line = words.say("message.last_one", game=occasion.game.name, title=occasion.status.title, power=power)
    view = occasion.system.sight.view(occasion.state, Playing(power))
    content = "\n".join([line, *_when(occasion)])
    return fit(Message(content=content, buttons=_order_buttons(occasion, view, has_orders=False)))


def _dms_closed(occasion: Occasion, outgoing: Outgoing) -> tuple[Message, ...]:
    words, game = occasion.words, occasion.game
    user_id = UserId(int(outgoing.payload["user_id"]))
    mentions: tuple[UserId, ...] = (user_id,)
    content = words.say("message.dms_closed", player=mention(user_id), game=game.name)
    if occasion.system.info.is_anonymous:
        powers = [seat.power for seat in occasion.seats if seat.user_id == user_id and seat.power is not None]
        if not powers:
            return ()
        mentions, content = (), words.say("message.dms_closed_unnamed", power=powers[0], game=game.name)
    buttons = () if occasion.is_past else public_buttons(words, game, occasion.phase_no)
    return fit(Message(content=content, buttons=buttons, mentions=mentions))


def _game_over(occasion: Occasion, _: Outgoing) -> tuple[Message, ...]:
    words, game = occasion.words, occasion.game
    lines = _ending(occasion)
    if occasion.system.info.has_dice:
        lines.append(words.say("message.unsealed", seed=_seed(occasion)))
    story = [_seat_line(occasion, seat) for seat in occasion.seats if seat.power]
    lines.append(words.say("message.watch_again"))
    end = fit(
        Message(
            content="\n".join(lines),
            embeds=(Embed(title=words.plainly("message.players"), description="\n".join(story)),),
            pictures=_public_map(occasion),
            files=_public_board(occasion),
            mentions=occasion.players,
        )
    )
    return (*end, *chart_messages(game, standings_chart(occasion.context, game.id)))


def _ending(occasion: Occasion) -> list[Markup]:
    """How the game ended, and why."""
    words, status = occasion.words, occasion.status
    seats = {seat.power: seat for seat in occasion.seats}
    winners = [_power_and_player(occasion, power, seats) for power in status.winners or ()]
    several = "message.agreed" if status.why_over and status.why_over.code == "agreed.draw" else "message.shared"
    code = {0: "message.no_winner", 1: "message.winner"}.get(len(winners), several)
    why = [words.render(status.why_over)] if status.why_over else []
    heading = words.say("message.game_over", game=occasion.game.name)
    return [heading, words.say(code, winners=words.listed(winners)), *why]


def _result(occasion: Occasion, _: Outgoing) -> tuple[Message, ...]:
    """How it ended, for whom it had been over before."""
    return fit(Message(content="\n".join(_ending(occasion))))


def _seat_opened(occasion: Occasion, outgoing: Outgoing) -> tuple[Message, ...]:
    """For whom others need not wait any more."""
    power = PowerId(outgoing.payload["power"])
    if not any(seat.power == power and seat.is_open for seat in occasion.seats):
        return ()
    missed, game = int(outgoing.payload["missed"]), occasion.game.name
    code = "message.seat_opened" if occasion.game.computer is None else "message.seat_stood_in"
    return fit(Message(content=occasion.words.say(code, game=game, power=power, missed=missed)))


def _seat_lost(occasion: Occasion, outgoing: Outgoing) -> tuple[Message, ...]:
    """For whom somebody else plays now."""
    code = "message.seat_removed" if outgoing.payload["by_master"] else "message.seat_taken_over"
    power = PowerId(outgoing.payload["power"])
    return fit(Message(content=occasion.words.say(code, game=occasion.game.name, power=power)))


def _call(occasion: Occasion, outgoing: Outgoing) -> tuple[Message, ...]:
    """The call for players, with those who have come; of a game that looks for none any more only a change of it."""
    game, board = occasion.game, inspect.preview_board(occasion.context, occasion.game)
    sealed = None if game.own_seed is None else seal(game.own_seed)
    if occasion.is_past and not outgoing.is_edit:
        return ()
    return call_for_players(game, occasion.system.info, game.creator_id, board, seal=sealed, seats=occasion.seats)


def _seed(occasion: Occasion) -> str:
    """Where all dice of the game come from: secret until it is over."""
    return seed_of(occasion.system.play.dump(occasion.state))


def _notice(occasion: Occasion, outgoing: Outgoing) -> tuple[Message, ...]:
    notice = phrase_from_json({"code": _notice_code(outgoing), "args": outgoing.payload.get("args", {})})
    heading = occasion.words.say("message.notice", game=occasion.game.name)
    # Whom a notice names and calls is decided where it is queued.
    mentioned = tuple(UserId(int(user)) for user in outgoing.payload.get("mentions", ()))
    parts = [*map(mention, mentioned), heading, occasion.words.render(notice), *_by_whom(occasion, outgoing)]
    content = " ".join(parts)
    return fit(Message(content=content, mentions=mentioned))


def _by_whom(occasion: Occasion, outgoing: Outgoing) -> list[Markup]:
    """Which game master did it; that they play too everybody should know."""
    if "master" not in outgoing.payload:
        return []
    user_id = UserId(int(outgoing.payload["master"]))
    seat = next((seat for seat in occasion.seats if occasion.player(seat) == user_id), None)
    if seat is None or seat.power is None:
        return [occasion.words.say("message.by_master", master=mention(user_id))]
    return [occasion.words.say("message.by_player", master=mention(user_id), power=seat.power)]


def _when(occasion: Occasion) -> list[Markup]:
    if occasion.deadline_at is None:
        is_paused = not occasion.is_past and occasion.game.status is GameStatus.PAUSED
        return [occasion.words.say("receipt.paused")] if is_paused else []
    return [
        occasion.words.say(
            "message.locks", deadline=full_time(occasion.deadline_at), left=relative_time(occasion.deadline_at)
        )
    ]


def _still_waiting_for(occasion: Occasion) -> list[Markup]:
    """Who has not answered yet, once somebody has: at first the phase waits for everybody."""
    if occasion.is_past or occasion.deadline_at is None:
        return []
    deciding = deciding_seats(occasion.status, occasion.seats)
    missing = [seat for seat in deciding if seat.power and not has_answered(seat, occasion.sheets.get(seat.power))]
    if len(missing) == len(deciding):
        return []
    if not missing:
        return [occasion.words.say("message.nobody_missing")]
    return [occasion.words.say("message.waiting_for", powers=tuple(seat.power for seat in missing))]


def _seat_line(occasion: Occasion, seat: Seat) -> Markup:
    words, player = occasion.words, occasion.player(seat)
    is_over = occasion.game.status in (GameStatus.OVER, GameStatus.CANCELLED)
    is_gone = is_over or seat.power in occasion.status.out
    if seat.computer is not None:
        who = words.say("lobby.computer", level=seat.computer)
        if player is not None:
            who = words.say("lobby.stand_in", level=seat.computer, player=mention(player))
        return words.say("message.seat" if is_gone else "message.seat_computer", power=seat.power, player=who)
    if seat.user_id is None and seat.power in occasion.status.places and not is_gone:
        return words.say("message.seat_place" if seat.is_open else "message.seat_place_asked", power=seat.power)
    if seat.user_id is None:
        free = "message.seat_open" if seat.is_open else "message.seat_asked"
        return words.say("message.seat_empty" if is_gone else free, power=seat.power)
    if player is None:
        return words.say("message.seat_unnamed", power=seat.power)
    return words.say("message.seat", power=seat.power, player=mention(player))


def _public_map(occasion: Occasion) -> tuple[ScenePicture, ...]:
    """The map that everybody may see, in games that have one."""
    return (_position(occasion),) if occasion.system.info.has_public_board else ()


def _public_board(occasion: Occasion) -> tuple[TextFile, ...]:
    """The same in words, as a file."""
    if not occasion.system.info.has_public_board:
        return ()
    return (board_file(occasion.words, occasion.game, occasion.status.title, occasion.board()),)


def _position(occasion: Occasion) -> ScenePicture:
    scene = occasion.system.telling.scene(occasion.system.sight.view(occasion.state, EVERYBODY))
    return board_picture(occasion.words, occasion.game, scene, occasion.board(), deadline_at=occasion.deadline_at)


def _public_briefing(occasion: Occasion) -> list[Markup]:
    """What the phase is about; only powers that somebody plays are waited for."""
    played = {seat.power for seat in occasion.seats if is_manned(seat)}
    computers = {seat.power for seat in occasion.seats if seat.computer is not None}
    lines = []
    for line in (line for section in occasion.briefing(None).sections for line in section.lines):
        powers = line.args.get("powers")
        if not line.code.startswith(_DUE) or powers is None or played.issuperset(powers):
            lines.append(occasion.words.render(line))
            continue
        waited_for = tuple(power for power in powers if power in played)
        if waited_for:
            lines.append(occasion.words.render(phrase(line.code, **{**line.args, "powers": waited_for})))
        others = tuple(power for power in powers if power not in played | computers)
        if others:
            lines.append(occasion.words.say("message.not_played", powers=others))
        thinking = tuple(power for power in powers if power in computers)
        if thinking:
            lines.append(occasion.words.say("message.computer_plays", powers=thinking))
    return lines


def _lines(words: Words, report: Report, otherwise: Iterable[Phrase] = ()) -> Markup:
    """A briefing under a heading of ours: the first of its own would only repeat it.

    Args:
        otherwise: what happens without orders; it stands below what is asked.
    """
    lines = []
    for place, section in enumerate(section for section in report.sections if section.lines):
        lines += [Markup(f"**{words.render(section.title)}**")] if place else []
        lines += [words.render(line) for line in (*section.lines, *(() if place else otherwise))]
    return Markup("\n".join(lines))


def _notice_code(outgoing: Outgoing) -> str:
    code = str(outgoing.payload["code"])
    return code if code.startswith("notice.") else f"notice.{code}"


def _request(occasion: Occasion, outgoing: Outgoing) -> tuple[Message, ...]:
    """What another power asks of this one, and the order that agrees."""
    if occasion.is_past:
        return ()
    words = occasion.words
    what = phrase_from_json(outgoing.payload["what"])
    lines = [
        words.say("message.request", game=occasion.game.name, title=occasion.status.title, what=what),
        words.say("message.how_to_agree"),
        code_block(outgoing.payload["answer"]),
    ]
    return fit(Message(content="\n".join(lines)))


def _channel_trouble(occasion: Occasion, outgoing: Outgoing) -> tuple[Message, ...]:
    """What keeps posts from the game's channel, unless that has passed."""
    game = occasion.game
    if outgoing.payload["trouble"] != str(game.trouble):
        return ()
    words, code = occasion.words, f"message.channel_trouble.{game.trouble}"
    return fit(Message(content=words.say(code, game=game.name, channel=channel_mention(game.channel_id))))


def _stuck(occasion: Occasion, outgoing: Outgoing) -> tuple[Message, ...]:
    """The message that a phase can't be closed, unless it is by now."""
    game = occasion.game
    if game.phase_no != outgoing.phase_no or not game.failures:
        return ()
    code = "message.stuck_limit" if outgoing.payload["is_limit"] else "message.stuck_failed"
    return fit(Message(content=occasion.words.say(code, game=game.name, title=occasion.status.title)))


def _ruling(occasion: Occasion, outgoing: Outgoing) -> tuple[Message, ...]:
    """What a game master's ruling changed in the previous phase, as far as its reader may know."""
    words = occasion.words
    lines = [words.say("message.ruling", game=occasion.game.name)]
    lines += [words.render(phrase_from_json(row)) for row in outgoing.payload["now"]]
    if outgoing.payload["gone"]:
        lines += [words.say("message.ruling_gone")]
        lines += [words.render(phrase_from_json(row)) for row in outgoing.payload["gone"]]
    return fit(Message("\n".join(lines)))


def _notes(occasion: Occasion, outgoing: Outgoing) -> tuple[Message, ...]:
    """What players have written to the game masters. One who plays is not told what belongs to another power alone."""
    words = occasion.words
    own = next((seat.power for seat in occasion.seats if seat.user_id == outgoing.target_id), None)
    events = [event for closed in occasion.closed_before for event in closed.events if event.is_for_masters]
    told = [event for event in events if own is None or not event.audience or own in event.audience]
    notes = [words.render(event.what) for event in told]
    return fit(Message("\n".join([words.say("message.notes", game=occasion.game.name), *notes]))) if notes else ()


def _complaint(occasion: Occasion, outgoing: Outgoing) -> tuple[Message, ...]:
    """What a player reports, and what other players have written that it is about."""
    words, power = occasion.words, PowerId(outgoing.payload["power"])
    about = [words.render(event.what) for closed in occasion.closed_before for event in written_to(closed, power)]
    titles = [occasion.system.play.status(position_of(occasion.system, each.start)).title
              for each in occasion.closed_before]  # fmt: skip
    if not titles:
        return ()
    heading = words.say("report.heading", game=occasion.game.name, power=power, title=titles[0])
    said = "\n".join(f"> {escape(line)}" for line in outgoing.payload["text"].splitlines())
    written = Embed(title=words.plainly("report.written", power=power), description="\n".join(about))
    return fit(Message(f"{heading}\n{said}", embeds=(written,)))


def _asked(occasion: Occasion, outgoing: Outgoing) -> tuple[Message, ...]:
    """Who wants a place that a game master gives, as long as nobody has it."""
    power, words = PowerId(outgoing.payload["place"]), occasion.words
    if not any(seat.power == power and seat.user_id is None for seat in occasion.seats):
        return ()
    who = mention(UserId(int(outgoing.payload["user"])))
    return fit(Message(words.say("message.asked", game=occasion.game.name, power=power, player=who)))


def _game_cancelled(occasion: Occasion, _: Outgoing) -> tuple[Message, ...]:
    return fit(Message(content=occasion.words.say("message.game_cancelled", game=occasion.game.name)))


_COMPOSERS: Mapping[str, Callable[[Occasion, Outgoing], tuple[Message, ...]]] = {
    "opening": _opening,
    "phase_opened": _phase_opened,
    "phase_closed": _phase_closed,
    "briefing": _briefing,
    "still_missing": _still_missing,
    "reminder": _reminder,
    "last_one": _last_one,
    "request": _request,
    "ruling": _ruling,
    "dms_closed": _dms_closed,
    "game_over": _game_over,
    "result": _result,
    "seat_opened": _seat_opened,
    "seat_lost": _seat_lost,
    "call": _call,
    "notice": _notice,
    "game_cancelled": _game_cancelled,
    "channel_trouble": _channel_trouble,
    "stuck": _stuck,
    "notes": _notes,
    COMPLAINT: _complaint,
    ASKED: _asked,
}
