"""Composes messages: better without a map than not at all."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace

from bot.announcing.attempt import SendAttempt, as_sent
from bot.model import Outgoing
from bot.ports import StorageUnavailable, UnitOfWork
from bot.services.context import Context
from bot.services.snapshot import snapshot
from bot.text.message import Message
from bot.text.message_json import messages_from_json

TRIES_WITH_PICTURES = 2
"""After this many tries in which a message could not be made it is tried without its pictures."""

logger = logging.getLogger(__name__)

Compose = Callable[[Context, Outgoing], Sequence[Message]]
"""Makes the messages of an outbox entry, usually one; none if it has become pointless. Blocks."""


class Composer:
    """Makes what is to be sent from attempts. It blocks."""

    def __init__(self, context: Context, compose: Compose) -> None:
        self._context = context
        self._compose = compose

    def compose(self, tries: Sequence[SendAttempt]) -> None:
        """Compose messages of one game, all of them from the game as it is now."""
        with snapshot(self._context) as context:
            for each in tries:
                each.sent = as_sent(each.message)
                try:
                    self._compose_one(context, each)
                except StorageUnavailable:
                    raise
                except Exception as error:
                    each.error = error

    def _compose_one(self, context: Context, tried: SendAttempt) -> None:
        message = tried.message
        if message.is_edit:
            with context.reading() as unit:
                tried.earlier = _to_change(unit, message)
            if tried.earlier is not None:
                tried.parts = self._compose(context, message)
            return
        kept = message.composed
        try:
            parts = self._compose(context, message)
        except Exception as error:
            if kept is None:
                raise
            logger.error(
                "message %d of game %d lost its pictures: %s", message.id, message.game_id, type(error).__name__
            )
            tried.parts = messages_from_json(kept, ())
            return
        if parts and kept is not None:
            parts = messages_from_json(kept, parts)
        tried.is_new = bool(parts) and kept is None
        has_pictures = message.faults < TRIES_WITH_PICTURES
        tried.parts = parts if has_pictures else [replace(part, pictures=()) for part in parts]


def _to_change(unit: UnitOfWork, message: Outgoing) -> Outgoing | None:
    """The message that a change is about; `None`: another change is waiting that makes this one unnecessary."""
    if unit.outbox.has_later_edit(message):
        return None
    earlier = unit.outbox.last_of_phase(message.game_id, message.phase_no, {message.kind})
    return earlier or replace(message, message_id=None)
