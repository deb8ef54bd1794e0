"""One message on its way."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, field, replace

from bot.model import Delivery, Outgoing
from bot.services import post
from bot.text.message import Message
from bot.text.plain import NOTHING, Lost, can_be_lost


@dataclass(slots=True)
class SendAttempt:
    """One attempt to send a message.

    Args:
        message: as it was stored before this attempt was counted.
        parts: what to send, and `earlier`: what a change is about; `error`: why it can't be made.
        is_new: its text has just been made, and is not stored yet.
        sent: the message with the parts of it that have arrived.
        is_begun: something was done that may have reached Discord, or its fate is recorded.
        may_pass: those behind it need not wait for it.
    """

    message: Outgoing
    parts: Sequence[Message] = ()
    earlier: Outgoing | None = None
    error: Exception | None = None
    is_new: bool = False
    is_begun: bool = False
    may_pass: bool = True
    sent: Outgoing = field(init=False)

    def __post_init__(self) -> None:
        self.sent = as_sent(self.message)


@dataclass(frozen=True, slots=True)
class Posted:
    """What a channel accepted.

    Args:
        had: the things in it that can be left out; `lost`: those that were left out.
    """

    has_posts: bool = False
    had: Set[Lost] = NOTHING
    lost: Set[Lost] = NOTHING

    def plus(self, part: Message, lost: Set[Lost]) -> Posted:
        """The same after one more part, which was sent without some things."""
        return Posted(True, self.had | can_be_lost(part), self.lost | lost)


def as_sent(message: Outgoing) -> Outgoing:
    """The message, delivered with the try that is under way."""
    return replace(
        message,
        delivery=Delivery.SENT, attempts=message.attempts + 1, faults=0, tried_at=None, composed=None, error="",
    )  # fmt: skip


def parts_sent(message: Outgoing) -> int:
    """How many parts of a message had arrived when it was last tried."""
    return int(message.payload.get(post.PARTS_SENT, 0))


def with_part(sent: Outgoing, number: int, message_id: int, lost: Set[Lost] = NOTHING) -> Outgoing:
    """Keeps the id of the first part, where reading begins, and what it was sent without."""
    payload = {**sent.payload, post.PARTS_SENT: number + 1}
    if lost and not number:
        payload[post.SENT_WITHOUT] = sorted(lost)
    return replace(sent, payload=payload, message_id=sent.message_id or message_id)
