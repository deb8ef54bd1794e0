"""The guided flows that are under way: what was chosen so far. Kept only in memory, since nobody else may see it.

After a restart a flow is gone; a player who presses its menu is told to begin again.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from bot.model import GameId, UserId

MOST = 2000
"""How many flows are remembered at a time; the one unused for longest goes first."""


@dataclass(frozen=True, slots=True)
class Flow:
    """Where a player is in the guided flow.

    Args:
        path: the choices of the order that is being made.
        page: which page of the choices is shown.
        noted: the orders given in this flow.
        is_for_one: it was begun for one order, and shows the receipt after that.
    """

    user_id: UserId
    game_id: GameId
    phase_no: int
    path: tuple[str, ...] = ()
    page: int = 0
    noted: tuple[str, ...] = ()
    is_for_one: bool = False


class Guides:
    """Flows by token, which is part of the custom ids of their menus and reveals nothing."""

    def __init__(self) -> None:
        self._flows: OrderedDict[str, Flow | None] = OrderedDict()
        self._under_way: set[str] = set()

    def begin(self, flow: Flow) -> str:
        """Remember a new flow. Returns: its token."""
        token = secrets.token_urlsafe(9)
        self.put(token, flow)
        return token

    def find(self, token: str) -> Flow | None:
        """The flow, or `None` once it has ended or is forgotten."""
        return self._flows.get(token)

    def has_ended(self, token: str) -> bool:
        """Whether it has ended, and is not forgotten yet."""
        return token in self._flows and self._flows[token] is None

    @contextmanager
    def one_step(self, token: str) -> Iterator[bool]:
        """Take a step in a flow. Yields `False` while another step is under way: a double click counts once."""
        if token in self._under_way:
            yield False
            return
        self._under_way.add(token)
        try:
            yield True
        finally:
            self._under_way.remove(token)

    def put(self, token: str, flow: Flow) -> None:
        """Store a flow after a step."""
        self._keep(token, flow)

    def end(self, token: str) -> None:
        """Forget a flow; `has_ended` knows it a while longer."""
        self._keep(token, None)

    def _keep(self, token: str, flow: Flow | None) -> None:
        self._flows[token] = flow
        self._flows.move_to_end(token)
        while len(self._flows) > MOST:
            self._flows.popitem(last=False)
