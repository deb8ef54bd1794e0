"""Composes the messages of the outbox: an `Outgoing` says what to send, and here it gets its text and pictures.

Called by the announcer when a message is about to be sent. Everything is read from the stored game, so a message that
had to wait for an outage is still about its own phase.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bot.model import Outgoing, Target
from bot.services.asking import ASKED
from bot.services.complaints import COMPLAINT
from bot.services.context import Context
from bot.text import briefing, direct_messages, posts
from bot.text.message import Message
from bot.text.occasion import Occasion, read_occasion

_OF_ITS_PHASE = frozenset({
    "phase_opened", "briefing", "still_missing", "reminder", "last_one", "request", "seat_opened", "game_over",
    "result",
})  # fmt: skip
"""Kinds that are about the phase in which they were queued, and nothing else."""
_FOR_MASTERS = frozenset({ASKED, "channel_trouble", "stuck", "notes", COMPLAINT})
"""Kinds of direct messages that game masters get, whether they play or not."""


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


_COMPOSERS: Mapping[str, Callable[[Occasion, Outgoing], tuple[Message, ...]]] = {
    "opening": posts.opening,
    "phase_opened": posts.phase_opened,
    "phase_closed": posts.phase_closed,
    "briefing": briefing.briefing,
    "still_missing": posts.still_missing,
    "reminder": direct_messages.reminder,
    "last_one": direct_messages.last_one,
    "request": direct_messages.request,
    "ruling": direct_messages.ruling,
    "dms_closed": posts.dms_closed,
    "game_over": posts.game_over,
    "result": direct_messages.result,
    "seat_opened": direct_messages.seat_opened,
    "seat_lost": direct_messages.seat_lost,
    "call": posts.call,
    "notice": posts.notice,
    "game_cancelled": posts.game_cancelled,
    "channel_trouble": direct_messages.channel_trouble,
    "stuck": direct_messages.stuck,
    "notes": direct_messages.notes,
    COMPLAINT: direct_messages.complaint,
    ASKED: direct_messages.asked,
}
