"""Composes the messages of the outbox: an `Outgoing` says what to send, and here it gets its text and pictures.

Called by the announcer when a message is about to be sent. Everything is read from the stored game, so a message that
had to wait for an outage is still about its own phase.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bot.model import MessageKind, Outgoing, Target
from bot.services.context import Context
from bot.text import briefing, direct_messages, posts
from bot.text.message import Message
from bot.text.occasion import Occasion, read_occasion

_OF_ITS_PHASE = frozenset(
    {
        MessageKind.PHASE_OPENED,
        MessageKind.BRIEFING,
        MessageKind.STILL_MISSING,
        MessageKind.REMINDER,
        MessageKind.LAST_ONE,
        MessageKind.REQUEST,
        MessageKind.SEAT_OPENED,
        MessageKind.GAME_OVER,
        MessageKind.RESULT,
    }
)
"""Kinds that are about the phase in which they were queued, and nothing else."""
_FOR_MASTERS = frozenset(
    {MessageKind.ASKED, MessageKind.CHANNEL_TROUBLE, MessageKind.STUCK, MessageKind.NOTES, MessageKind.COMPLAINT}
)
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
    if outgoing.kind == MessageKind.SEAT_LOST:
        return True
    power = outgoing.payload["power"]
    return any(seat.power == power and seat.user_id == outgoing.target_id for seat in occasion.seats)


_COMPOSERS: Mapping[str, Callable[[Occasion, Outgoing], tuple[Message, ...]]] = {
    MessageKind.OPENING: posts.opening,
    MessageKind.PHASE_OPENED: posts.phase_opened,
    MessageKind.PHASE_CLOSED: posts.phase_closed,
    MessageKind.BRIEFING: briefing.briefing,
    MessageKind.STILL_MISSING: posts.still_missing,
    MessageKind.REMINDER: direct_messages.reminder,
    MessageKind.LAST_ONE: direct_messages.last_one,
    MessageKind.REQUEST: direct_messages.request,
    MessageKind.RULING: direct_messages.ruling,
    MessageKind.DMS_CLOSED: posts.dms_closed,
    MessageKind.GAME_OVER: posts.game_over,
    MessageKind.RESULT: direct_messages.result,
    MessageKind.SEAT_OPENED: direct_messages.seat_opened,
    MessageKind.SEAT_LOST: direct_messages.seat_lost,
    MessageKind.CALL: posts.call,
    MessageKind.NOTICE: posts.notice,
    MessageKind.GAME_CANCELLED: posts.game_cancelled,
    MessageKind.CHANNEL_TROUBLE: direct_messages.channel_trouble,
    MessageKind.STUCK: direct_messages.stuck,
    MessageKind.NOTES: direct_messages.notes,
    MessageKind.COMPLAINT: direct_messages.complaint,
    MessageKind.ASKED: direct_messages.asked,
}
