"""Which messages of the outbox may be tried together, and which have to wait for others."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from itertools import pairwise

from bot.announcing.attempt import parts_sent
from bot.model import Outgoing, Target, has_come

AT_ONCE = 4
"""How many messages, and games' messages, are under way at the same time."""
TOGETHER = 24
"""About how many messages of a game are composed and recorded together."""


def batches(pending: Sequence[Outgoing]) -> Sequence[Sequence[Outgoing]]:
    """The messages to try together: the heads of all queues of a game; one that was tried before is tried alone.

    Messages that could not be made before come last, so that they delay no others.
    """
    found: dict[object, list[Outgoing]] = {}
    for message in sorted(pending, key=is_suspect):
        found.setdefault(message.game_id if is_fresh(message) else (message.id,), []).append(message)
    return tuple(found.values())


def may_begin(heads: Sequence[Outgoing], under_way: Collection[Sequence[Outgoing]]) -> bool:
    """Whether messages may be tried at the same time as those under way.

    One that could not be made before is tried alone: if the bot dies of it, no other is suspected. One that joins a
    queue that is being worked through waits until that is done.
    """
    others = [message for batch in under_way for message in batch]
    if len(under_way) >= AT_ONCE or any(map(is_suspect, others)):
        return False
    if {queue_of(head) for head in heads} & {queue_of(other) for other in others}:
        return False
    return not (is_suspect(heads[0]) and others)


def to_try(waiting: Sequence[Outgoing], heads: Sequence[Outgoing], now: datetime) -> Sequence[Outgoing]:
    """The head of each queue and the messages that may follow at once, up to a limit."""
    queues: dict[tuple[int, Target, int], list[Outgoing]] = {}
    for message in waiting:
        queues.setdefault(queue_of(message), []).append(message)
    chosen: list[Outgoing] = []
    for head in heads:
        queue = queues.get(queue_of(head), [])
        if not queue or queue[0].id != head.id:
            continue
        chosen.append(queue[0])
        for before, message in pairwise(queue):
            is_over_it = message.is_edit and any(
                (other.kind, other.phase_no) == (message.kind, message.phase_no) for other in queue
                if other.id < message.id and not other.is_edit
            )  # fmt: skip
            is_ready = is_fresh(message) and has_come(message.not_before, now) and not is_over_it
            if not (is_ready and is_fresh(before) and len(chosen) < TOGETHER):
                break
            chosen.append(message)
    return chosen


def queue_of(message: Outgoing) -> tuple[int, Target, int]:
    """What a message waits in: messages of a game to one channel or person, in order."""
    return message.game_id, message.target, message.target_id


def is_fresh(message: Outgoing) -> bool:
    """Whether it was never tried, or is known not to have arrived."""
    return not is_suspect(message) and message.tried_at is None and not parts_sent(message)


def is_suspect(message: Outgoing) -> bool:
    """Whether a try of it made no message, by a fault of ours or because the bot died."""
    return message.faults > 0
