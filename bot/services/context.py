"""What every service gets: the ports, the systems, and where seeds come from. Wired in `bot.app`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from bot.ports import Alarm, Clock, UnitOfWork, UnitOfWorkFactory, Workers
from bot.services.inline_workers import InlineWorkers
from engine.registry import Systems


@dataclass(frozen=True, slots=True)
class Context:
    """The world as the services see it.

    Args:
        systems: the games that can be played here, by id; the rules of each are loaded when they are first asked for.
        seeds: a new secret seed at every call.
        workers: do what takes long.
        games_per_person: how many unfinished games a person may have set up on a server without managing it; 0: any
            number.
    """

    unit_of_work: UnitOfWorkFactory
    clock: Clock
    alarm: Alarm
    systems: Systems
    seeds: Callable[[], str]
    workers: Workers = field(default_factory=InlineWorkers)
    games_per_person: int = 0

    def reading(self) -> UnitOfWork:
        """A unit of work that changes nothing, waits for nobody and blocks nobody."""
        return self.unit_of_work(reading=True)
