"""What delivers a message to people, and how that can fail.

Errors of a `Sender`
├── Undeliverable   will never arrive: closed direct messages, a channel that is gone
├── NotAllowed      will arrive when somebody gives the bot its permissions back
└── TryLater        Discord is away, slow or overloaded
"""

from __future__ import annotations

from collections.abc import Set
from datetime import datetime, timedelta
from typing import Protocol

from bot.model import Target
from bot.text.message import Message


class Undeliverable(Exception):
    """The message will never arrive; the text says why, in Discord's words."""


class NotAllowed(Exception):
    """The bot lacks a permission in the channel."""


class TryLater(Exception):
    """Discord could not take the message now.

    Args:
        wait: how long it asked for, if it did.
        may_have_arrived: whether the message may be there all the same, and only its confirmation was lost.
    """

    def __init__(self, why: str, wait: timedelta = timedelta(), *, may_have_arrived: bool = False) -> None:
        super().__init__(why)
        self.wait = wait
        self.may_have_arrived = may_have_arrived


class Sender(Protocol):
    """Delivers messages to people."""

    async def send(self, target: Target, target_id: int, message: Message, *, nonce: str) -> int:
        """Draw and send a message; two with the same nonce, sent within minutes, are one.

        Returns: Discord's id of the message.

        Raises:
            Undeliverable, NotAllowed, TryLater: it was not sent. Anything else: it could not be made.
        """

    async def edit(self, target: Target, target_id: int, message_id: int, message: Message) -> bool:
        """Replace the text and buttons of a message that was sent; its pictures and files stay.

        Returns: whether it was still there.

        Raises:
            Undeliverable, NotAllowed, TryLater: it was not changed.
        """

    async def find(
        self, target: Target, target_id: int, message: Message, *, nonce: str, since: datetime, known: Set[int]
    ) -> int | None:
        """Look for a message that may have been sent.

        Args:
            since: when the first try began.
            known: ids of messages that are not the one.

        Returns: Discord's id of it; `None`: it is not there.

        Raises:
            Undeliverable, NotAllowed, TryLater: it can't be found out.
        """
