"""Lines of people: what one person sends is done in the order in which it came, and keeps nobody else waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable

from bot.model import UserId

LONGEST_WAIT_S = 10.0
"""How long at most a phase that is due, or what somebody presses, waits for sheets that came before."""


class PlaceInLine:
    """A place in a person's line, kept from when it is drawn until it is left."""

    def __init__(self, user_id: UserId, line: list[PlaceInLine]) -> None:
        self.user_id = user_id
        self.left: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._line = line
        self._before = tuple(line)
        line.append(self)

    async def wait(self, within_s: float | None = None, *, of: Collection[UserId] | None = None) -> None:
        """Wait until places that were drawn before are left.

        Args:
            within_s: but no longer than that.
            of: those of these people; `None`: of the same person.
        """
        people = (self.user_id,) if of is None else of
        await _until_left((place for place in self._before if place.user_id in people), within_s)

    def leave(self) -> None:
        """What it was drawn for is done, or will not be done."""
        if not self.left.done():
            self.left.set_result(None)
            self._line.remove(self)
            self._before = ()

    async def __aenter__(self) -> None:
        try:
            await self.wait()
        except BaseException:
            self.leave()
            raise

    async def __aexit__(self, *_: object) -> None:
        self.leave()


class OneByOne:
    """A line for each person. For the event loop alone."""

    def __init__(self) -> None:
        self._line: list[PlaceInLine] = []

    def turn_of(self, user_id: UserId) -> PlaceInLine:
        """Draw the next place in a person's line. Inside its `async with` all that came before is done."""
        return PlaceInLine(user_id, self._line)

    async def wait(self, within_s: float) -> None:
        """Wait until all that has come by now is done, but no longer than that."""
        await _until_left(self._line, within_s)


async def _until_left(places: Iterable[PlaceInLine], within_s: float | None) -> None:
    if pending := [place.left for place in places if not place.left.done()]:
        await asyncio.wait(pending, timeout=within_s)
