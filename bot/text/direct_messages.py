"""Direct messages to single players, apart from the briefing, and to game masters."""

from __future__ import annotations

from bot.model import Outgoing, UserId
from bot.services.complaints import written_to
from bot.services.positions import position_of
from bot.services.reminders import has_answered
from bot.services.sheets import is_sent_sheet
from bot.text.briefing import order_buttons
from bot.text.discord_limits import fit
from bot.text.markdown import channel_mention, code_block, escape, mention
from bot.text.message import Embed, Message
from bot.text.occasion import Occasion, until_when
from bot.text.posts import ending
from engine.core.ids import PowerId
from engine.core.orders import names_of
from engine.core.phrases import phrase_from_json
from engine.core.viewer import Playing


def reminder(occasion: Occasion, outgoing: Outgoing) -> tuple[Message, ...]:
    """What a power has not ordered yet, shortly before the deadline."""
    if occasion.is_past:
        return ()
    words = occasion.words
    power = PowerId(outgoing.payload["power"])
    view = occasion.system.sight.view(occasion.state, Playing(power))
    is_sent = is_sent_sheet(occasion.system, occasion.sheets.get(power))
    missing = () if is_sent else occasion.system.orders.missing(view, occasion.standing_orders(power))
    lines = [
        words.say("message.reminder", game=occasion.game.name, title=occasion.status.title, power=power),
        *until_when(occasion),
    ]
    if missing:
        lines.append(words.say("message.missing", units=names_of(missing)))
        lines += map(words.render, occasion.system.orders.otherwise(view, occasion.standing_orders(power)))
    has_orders = bool(occasion.standing_orders(power))
    return fit(Message(content="\n".join(lines), buttons=order_buttons(occasion, view, has_orders=has_orders)))


def last_one(occasion: Occasion, outgoing: Outgoing) -> tuple[Message, ...]:
    """For the only player for whom the others are waiting; nothing if they have answered meanwhile."""
    power = PowerId(outgoing.payload["power"])
    seat = next((seat for seat in occasion.seats if seat.power == power), None)
    if occasion.is_past or seat is None or has_answered(seat, occasion.sheets.get(power)):
        return ()
    words = occasion.words
    line = words.say("message.last_one", game=occasion.game.name, title=occasion.status.title, power=power)
    view = occasion.system.sight.view(occasion.state, Playing(power))
    content = "\n".join([line, *until_when(occasion)])
    return fit(Message(content=content, buttons=order_buttons(occasion, view, has_orders=False)))


def result(occasion: Occasion, _: Outgoing) -> tuple[Message, ...]:
    """How it ended, for whom it had been over before."""
    return fit(Message(content="\n".join(ending(occasion))))


def seat_opened(occasion: Occasion, outgoing: Outgoing) -> tuple[Message, ...]:
    """For whom others need not wait any more."""
    power = PowerId(outgoing.payload["power"])
    if not any(seat.power == power and seat.is_open for seat in occasion.seats):
        return ()
    missed, game = int(outgoing.payload["missed"]), occasion.game.name
    code = "message.seat_opened" if occasion.game.computer is None else "message.seat_stood_in"
    return fit(Message(content=occasion.words.say(code, game=game, power=power, missed=missed)))


def seat_lost(occasion: Occasion, outgoing: Outgoing) -> tuple[Message, ...]:
    """For whom somebody else plays now."""
    code = "message.seat_removed" if outgoing.payload["by_master"] else "message.seat_taken_over"
    power = PowerId(outgoing.payload["power"])
    return fit(Message(content=occasion.words.say(code, game=occasion.game.name, power=power)))


def request(occasion: Occasion, outgoing: Outgoing) -> tuple[Message, ...]:
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


def ruling(occasion: Occasion, outgoing: Outgoing) -> tuple[Message, ...]:
    """What a game master's ruling changed in the previous phase, as far as its reader may know."""
    words = occasion.words
    lines = [words.say("message.ruling", game=occasion.game.name)]
    lines += [words.render(phrase_from_json(row)) for row in outgoing.payload["now"]]
    if outgoing.payload["gone"]:
        lines += [words.say("message.ruling_gone")]
        lines += [words.render(phrase_from_json(row)) for row in outgoing.payload["gone"]]
    return fit(Message("\n".join(lines)))


def channel_trouble(occasion: Occasion, outgoing: Outgoing) -> tuple[Message, ...]:
    """What keeps posts from the game's channel, unless that has passed."""
    game = occasion.game
    if outgoing.payload["trouble"] != str(game.trouble):
        return ()
    words, code = occasion.words, f"message.channel_trouble.{game.trouble}"
    return fit(Message(content=words.say(code, game=game.name, channel=channel_mention(game.channel_id))))


def stuck(occasion: Occasion, outgoing: Outgoing) -> tuple[Message, ...]:
    """The message that a phase can't be closed, unless it is by now."""
    game = occasion.game
    if game.phase_no != outgoing.phase_no or not game.failures:
        return ()
    code = "message.stuck_limit" if outgoing.payload["is_limit"] else "message.stuck_failed"
    return fit(Message(content=occasion.words.say(code, game=game.name, title=occasion.status.title)))


def notes(occasion: Occasion, outgoing: Outgoing) -> tuple[Message, ...]:
    """What players have written to the game masters. One who plays is not told what belongs to another power alone."""
    words = occasion.words
    own = next((seat.power for seat in occasion.seats if seat.user_id == outgoing.target_id), None)
    events = [event for closed in occasion.closed_before for event in closed.events if event.is_for_masters]
    told = [event for event in events if own is None or not event.audience or own in event.audience]
    notes = [words.render(event.what) for event in told]
    return fit(Message("\n".join([words.say("message.notes", game=occasion.game.name), *notes]))) if notes else ()


def complaint(occasion: Occasion, outgoing: Outgoing) -> tuple[Message, ...]:
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


def asked(occasion: Occasion, outgoing: Outgoing) -> tuple[Message, ...]:
    """Who wants a place that a game master gives, as long as nobody has it."""
    power, words = PowerId(outgoing.payload["place"]), occasion.words
    if not any(seat.power == power and seat.user_id is None for seat in occasion.seats):
        return ()
    who = mention(UserId(int(outgoing.payload["user"])))
    return fit(Message(words.say("message.asked", game=occasion.game.name, power=power, player=who)))
