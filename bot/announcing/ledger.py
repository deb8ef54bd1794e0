"""The records kept about messages. Everything here blocks on the database."""

from __future__ import annotations

import logging
from collections.abc import Sequence, Set
from dataclasses import replace
from datetime import datetime

from bot.announcing.attempt import Posted, SendAttempt
from bot.announcing.queues import to_try
from bot.announcing.trouble import game_of, note_open_dms, note_posted, note_trouble, tell_closed_dms
from bot.lease import Lease
from bot.model import Delivery, Outgoing, Target, Trouble
from bot.ports import DamagedGame, UnitOfWork
from bot.services import post
from bot.services.context import Context
from bot.text.message_json import words_to_json

TRIES_TO_MAKE = 5
"""After this many tries in which a message could not be made it is given up: it must not hold up later ones."""

logger = logging.getLogger(__name__)


class LeaseLost(Exception):
    """Another process does the announcing now."""


class Ledger:
    """The outbox as the announcer changes it, each time in one transaction.

    Args:
        lease: the right to send; without it no try is counted.
    """

    def __init__(self, context: Context, lease: Lease) -> None:
        self._context = context
        self._lease = lease

    def now(self) -> datetime:
        """The clock by which messages wait."""
        return self._context.clock.now()

    def pending(self) -> Sequence[Outgoing]:
        """The messages that may be tried now, in order."""
        with self._context.reading() as unit:
            return unit.outbox.pending(self.now())

    def begin(self, heads: Sequence[Outgoing]) -> Sequence[Outgoing]:
        """Count a try of messages before it is made, so that one in which the bot dies counts too.

        Args:
            heads: messages of one game, each the first of its queue.

        Returns: what is to be tried, as it was stored before; without what another process has dealt with meanwhile.

        Raises:
            LeaseLost: another process does the announcing now.
        """
        now = self.now()
        with self._context.unit_of_work() as unit:
            if not self._lease.is_held_within(unit):
                raise LeaseLost
            begun = []
            for stored in to_try(_waiting(unit, heads), heads, now):
                if stored.faults >= TRIES_TO_MAKE:
                    self._give_up_within(unit, stored, "the bot stopped whenever it was tried", None)
                else:
                    begun.append(stored)
            unit.outbox.update_all(
                [
                    replace(
                        stored, attempts=stored.attempts + 1, faults=stored.faults + 1, tried_at=stored.tried_at or now
                    )
                    for stored in begun
                ]
            )
            unit.commit()
        return begun

    def keep_words(self, tries: Sequence[SendAttempt]) -> None:
        """Store the texts of messages of one game: if they are sent again later, it will be with these texts."""
        made = {each.message.id: each for each in tries}
        with self._context.unit_of_work() as unit:
            unit.outbox.update_all(
                [
                    replace(stored, composed=[words_to_json(part) for part in each.parts])
                    for stored in _waiting(unit, [each.message for each in tries])
                    if (each := made.get(stored.id)) is not None and stored.target_id == each.message.target_id
                ]
            )
            unit.commit()

    def leave_untried(self, messages: Sequence[Outgoing]) -> None:
        """Store messages as they were before their try was counted: one before them has to wait, and they with it."""
        as_before = {message.id: message for message in messages}
        with self._context.unit_of_work() as unit:
            unit.outbox.update_all([
                replace(
                    stored,
                    attempts=before.attempts, faults=before.faults, tried_at=before.tried_at, composed=before.composed,
                )
                for stored in _waiting(unit, messages)
                if (before := as_before.get(stored.id)) is not None
            ])  # fmt: skip
            unit.commit()

    def post_anew(self, message: Outgoing) -> None:
        """Turn a change into an ordinary message, to be sent next."""
        with self._context.unit_of_work() as unit:
            stored = _still_under_way(unit, message)
            if stored is not None:
                unit.outbox.update(replace(stored, is_edit=False, faults=0, tried_at=None, composed=None))
                unit.commit()

    def known(self, message: Outgoing) -> Set[int]:
        """Ids of other messages of the game."""
        with self._context.reading() as unit:
            sent = unit.outbox.of_game(message.game_id, delivery=Delivery.SENT)
        return {other.message_id for other in sent if other.message_id is not None}

    def mark_sent(self, marks: Sequence[tuple[Outgoing, Posted]]) -> None:
        """Store that messages of one game have arrived, and what that has shown about their channel and players."""
        with self._context.unit_of_work() as unit:
            unit.outbox.update_all([sent for sent, _ in marks])
            if (game := game_of(unit, marks[0][0])) is not None:
                if reached := {sent.target_id for sent, _ in marks if sent.target is Target.USER}:
                    note_open_dms(unit, game, reached)
                for sent, posted in marks:
                    if sent.target is Target.CHANNEL and posted.has_posts:
                        game = note_posted(unit, game, sent, posted, self.now())
            unit.commit()

    def put_off(self, later: Outgoing, why: str, in_doubt: bool, trouble: Trouble | None) -> None:
        """Store that a message has to wait.

        Args:
            in_doubt: it may have arrived, so the time of the try stays with it.
            trouble: of the channel, if that is why.
        """
        logger.info("message %d of game %d has to wait: %s", later.id, later.game_id, why)
        with self._context.unit_of_work() as unit:
            stored = _still_under_way(unit, later)
            if stored is not None:
                tried_at = stored.tried_at if in_doubt else later.tried_at
                waiting = replace(
                    stored,
                    faults=later.faults,
                    error=why,
                    not_before=later.not_before,
                    tried_at=tried_at,
                    payload=later.payload,
                    message_id=later.message_id,
                )
                unit.outbox.update(waiting)
                if trouble is not None:
                    note_trouble(unit, stored, trouble, self.now())
                unit.commit()

    def give_up(self, message: Outgoing, why: str, trouble: Trouble | None = None) -> None:
        """Store that a message will not be sent, and tell whoever can do something about it."""
        with self._context.unit_of_work() as unit:
            stored = _still_under_way(unit, message)
            if stored is not None:
                self._give_up_within(unit, stored, why, trouble)
                unit.commit()

    def _give_up_within(self, unit: UnitOfWork, message: Outgoing, why: str, trouble: Trouble | None) -> None:
        logger.warning(
            "message %d (%s) of game %d was not delivered: %s", message.id, message.kind, message.game_id, why
        )
        unit.outbox.update(replace(message, delivery=Delivery.FAILED, composed=None, tried_at=None, error=why))
        if message.target is Target.CHANNEL and trouble is not None:
            note_trouble(unit, message, trouble, self.now())
        elif message.target is Target.USER and message.kind not in post.UNTOLD:
            tell_closed_dms(unit, message, why, self.now())


def _waiting(unit: UnitOfWork, of: Sequence[Outgoing]) -> Sequence[Outgoing]:
    """The messages waiting in the outbox of the game to which some messages belong, as stored; at least those."""
    try:
        return unit.outbox.of_game(of[0].game_id, delivery=Delivery.PENDING)
    except DamagedGame:
        # Another one can't be read.
        return [stored for message in of if (stored := _still_pending(unit, message)) is not None]


def _still_pending(unit: UnitOfWork, message: Outgoing) -> Outgoing | None:
    """The message as stored, unless another process of the bot has sent it or given it up meanwhile."""
    stored = unit.outbox.find(message.id)
    return stored if stored is not None and stored.delivery is Delivery.PENDING else None


def _still_under_way(unit: UnitOfWork, message: Outgoing) -> Outgoing | None:
    """The same, unless its game has moved to another channel since: what happened in the old one no longer counts."""
    stored = _still_pending(unit, message)
    return stored if stored is not None and stored.target_id == message.target_id else None
