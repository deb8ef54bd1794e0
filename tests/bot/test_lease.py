"""A right that one process has at a time, whatever dies and whatever the clocks say."""

from __future__ import annotations

import threading

from bot.lease import Lease, Timing
from bot.ports import UnitOfWorkFactory

TIMING = Timing(renew_s=3, hold_s=12, take_s=25)


class Seconds:
    """A process's own clock, which only runs forward."""

    def __init__(self, at: float = 0.0) -> None:
        self.at = at

    def __call__(self) -> float:
        return self.at


def lease(unit_of_work: UnitOfWorkFactory, now_s: Seconds | None = None) -> Lease:
    return Lease(unit_of_work, "announcer", timing=TIMING, now_s=now_s or Seconds())


def test_one_of_two_has_it_until_it_gives_it_back(unit_of_work: UnitOfWorkFactory) -> None:
    first, second = lease(unit_of_work), lease(unit_of_work)
    assert first.take()
    assert not second.take()
    assert first.take()
    first.give_back()
    assert second.take()
    assert not first.take()


def test_the_holder_ceases_to_count_on_it_well_before_anybody_takes_it(unit_of_work: UnitOfWorkFactory) -> None:
    """The second process was started at another time, and its clock shows another one."""
    own, others = Seconds(), Seconds(1e6)
    holder, other = lease(unit_of_work, own), lease(unit_of_work, others)
    holder.take()
    other.take()
    own.at, others.at = own.at + TIMING.hold_s, others.at + TIMING.hold_s
    assert holder.left_s == 0
    assert not other.take()
    others.at += TIMING.take_s - TIMING.hold_s
    assert other.take()
    assert not holder.take()


def test_a_beat_keeps_it_for_as_long_as_it_goes_on(unit_of_work: UnitOfWorkFactory) -> None:
    own, others = Seconds(), Seconds()
    holder, other = lease(unit_of_work, own), lease(unit_of_work, others)
    for _ in range(20):
        assert holder.take()
        assert not other.take()
        own.at += TIMING.renew_s
        others.at += TIMING.renew_s


def test_the_lease_of_a_crashed_process_ends_in_under_a_minute() -> None:
    usual = Timing()
    assert usual.renew_s < usual.hold_s < usual.take_s
    assert usual.take_s + usual.renew_s < 60


def test_of_many_that_take_it_at_once_exactly_one_has_it(unit_of_work: UnitOfWorkFactory) -> None:
    leases = [lease(unit_of_work) for _ in range(6)]
    taken: list[bool] = []
    threads = [threading.Thread(target=lambda one=one: taken.append(one.take())) for one in leases]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(taken) == [False] * 5 + [True]


def test_what_is_held_is_known_within_a_transaction(unit_of_work: UnitOfWorkFactory) -> None:
    first, second = lease(unit_of_work), lease(unit_of_work)
    first.take()
    with unit_of_work() as unit:
        assert first.is_held_within(unit)
        assert not second.is_held_within(unit)
