"""When phases close: texts, time zones, summer time, minimum times, reminders."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

import pytest

from bot.services.calendar import (
    Interval,
    WallTimes,
    next_deadline,
    parse_moment,
    parse_pace,
    preview,
    reminder_leads,
)
from bot.services.errors import Refused

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)  # a Saturday


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("3d", timedelta(days=3)),
        ("12h", timedelta(hours=12)),
        ("1d12h", timedelta(days=1, hours=12)),
        ("90m", timedelta(minutes=90)),
        ("1h30m", timedelta(minutes=90)),
        ("1m", timedelta(minutes=1)),
        ("60d", timedelta(days=60)),
        ("1w", timedelta(days=7)),
        ("2 days 6 hours", timedelta(days=2, hours=6)),
        (" 24H ", timedelta(days=1)),
        ("90 min", timedelta(minutes=90)),
    ],
)
def test_length_is_read_as_people_write_it(text: str, length: timedelta) -> None:
    assert parse_pace(text) == Interval(length)


@pytest.mark.parametrize(
    ("text", "days", "at", "zone"),
    [
        ("mon,thu 19:00 Europe/Berlin", (0, 3), time(19), "Europe/Berlin"),
        ("Thursday and Monday at 19:00 europe/berlin", (0, 3), time(19), "Europe/Berlin"),
        ("daily 20:00 America/New_York", (0, 1, 2, 3, 4, 5, 6), time(20), "America/New_York"),
        ("daily 20:00 america/new york", (0, 1, 2, 3, 4, 5, 6), time(20), "America/New_York"),
        ("weekdays 21:30 UTC", (0, 1, 2, 3, 4), time(21, 30), "UTC"),
        ("weekends, wed 9:05 UTC", (2, 5, 6), time(9, 5), "UTC"),
    ],
)
def test_fixed_times_are_read_as_people_write_them(text: str, days: tuple[int, ...], at: time, zone: str) -> None:
    assert parse_pace(text) == WallTimes(days, at, zone)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "pace_unreadable"),
        ("soon", "pace_unreadable"),
        ("3", "pace_unreadable"),
        ("3d3d", "pace_unreadable"),
        ("3 days or so", "pace_unreadable"),
        ("-3d", "pace_unreadable"),
        ("0m", "pace_out_of_range"),
        ("61d", "pace_out_of_range"),
        ("99999w", "pace_out_of_range"),
        ("19:00 UTC", "days_missing"),
        ("mon 19:00", "zone_missing"),
        ("mun 19:00 UTC", "unknown_day"),
        ("mon 19:00 Europe/Berln", "unknown_zone"),
        ("mon 19:00 ../../etc/passwd", "unknown_zone"),
        ("mon 25:00 UTC", "pace_unreadable"),
        ("mon 19:0 UTC", "pace_unreadable"),
    ],
)
def test_anything_else_is_refused_with_the_reason(text: str, code: str) -> None:
    with pytest.raises(Refused) as refusal:
        parse_pace(text)
    assert refusal.value.what.code == f"refused.{code}"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("mon 19:00 Berln", ("Europe/Berlin",)),
        ("mon 19:00 berlin", ("Europe/Berlin",)),
        ("mon 19:00 America/Newyork", ("America/New_York",)),
        ("thrusday 19:00 UTC", ("thu",)),
    ],
)
def test_near_misses_are_named(text: str, words: tuple[str, ...]) -> None:
    with pytest.raises(Refused) as refusal:
        parse_pace(text)
    assert refusal.value.hint is not None
    assert set(words) <= set(refusal.value.hint.args["words"])


def test_a_time_without_days_is_quoted_as_it_was_written() -> None:
    with pytest.raises(Refused) as refusal:
        parse_pace(" 19:00 UTC")
    assert refusal.value.what.args["text"] == "19:00 UTC"


def test_fixed_time_stays_the_same_on_the_wall_when_summer_time_ends() -> None:
    schedule = parse_pace("daily 19:00 Europe/Berlin")
    dates = preview(schedule, utc("2026-10-23 18:00"), 4)
    assert dates == tuple(
        utc(text) for text in ("2026-10-24 17:00", "2026-10-25 18:00", "2026-10-26 18:00", "2026-10-27 18:00")
    )


def test_time_that_summer_time_skips_comes_an_hour_later_and_one_that_comes_twice_counts_once() -> None:
    schedule = parse_pace("daily 02:30 Europe/Berlin")
    assert preview(schedule, utc("2027-03-26 12:00"), 3) == tuple(
        utc(text) for text in ("2027-03-27 01:30", "2027-03-28 01:30", "2027-03-29 00:30")
    )
    assert preview(schedule, utc("2026-10-23 12:00"), 3) == tuple(
        utc(text) for text in ("2026-10-24 00:30", "2026-10-25 00:30", "2026-10-26 01:30")
    )


def test_days_are_those_of_the_zone() -> None:
    schedule = parse_pace("mon 20:00 America/Los_Angeles")
    assert next_deadline(schedule, NOON) == utc("2026-11-24 04:00")


def test_slot_nearer_than_a_quarter_of_its_distance_is_passed_over() -> None:
    schedule = parse_pace("mon,thu 19:00 UTC")
    # From Thursday to Monday are four days: one day is the least.
    assert next_deadline(schedule, utc("2026-11-22 18:59")) == utc("2026-11-23 19:00")
    assert next_deadline(schedule, utc("2026-11-22 19:00")) == utc("2026-11-23 19:00")
    assert next_deadline(schedule, utc("2026-11-22 19:01")) == utc("2026-11-26 19:00")


def test_phase_that_opens_at_a_slot_runs_to_the_next() -> None:
    schedule = parse_pace("mon,thu 19:00 UTC")
    assert next_deadline(schedule, utc("2026-11-23 19:00")) == utc("2026-11-26 19:00")
    assert next_deadline(schedule, utc("2026-11-23 19:00") + timedelta(seconds=40)) == utc("2026-11-26 19:00")


def test_preview_names_the_next_six() -> None:
    assert preview(parse_pace("12h"), NOON) == tuple(NOON + number * timedelta(hours=12) for number in range(1, 7))


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("12h", "2026-11-22 00:00"),
        ("in 2d", "2026-11-23 12:00"),
        ("2026-11-23 19:00 Europe/Berlin", "2026-11-23 18:00"),
        ("2026-11-23T19:00 UTC", "2026-11-23 19:00"),
        ("19:00 UTC", "2026-11-21 19:00"),
        ("11:00 UTC", "2026-11-22 11:00"),
        ("fri 19:00 UTC", "2026-11-27 19:00"),
    ],
)
def test_moment_is_read(text: str, moment: str) -> None:
    assert parse_moment(text, NOON) == utc(moment)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("2026-11-21 11:00 UTC", "moment_out_of_range"),
        ("2027-11-21 11:00 UTC", "moment_out_of_range"),
        ("2026-02-30 11:00 UTC", "moment_unreadable"),
        ("9999-12-31 23:59 America/New_York", "moment_unreadable"),
        ("0001-01-01 00:00 Asia/Tokyo", "moment_unreadable"),
        ("2026-11-23", "moment_unreadable"),
        ("2026-11-23 19:00", "zone_missing"),
        ("later", "moment_unreadable"),
        ("yesterday", "moment_unreadable"),
    ],
)
def test_moment_that_is_none_or_past_is_refused(text: str, code: str) -> None:
    with pytest.raises(Refused) as refusal:
        parse_moment(text, NOON)
    assert refusal.value.what.code == f"refused.{code}"


@pytest.mark.parametrize(
    ("length", "leads"),
    [
        (timedelta(days=7), (timedelta(hours=24), timedelta(hours=2))),
        (timedelta(days=1), (timedelta(hours=12), timedelta(hours=2))),
        (timedelta(hours=10), (timedelta(hours=5), timedelta(hours=1))),
        (timedelta(minutes=30), (timedelta(minutes=15),)),
        (timedelta(minutes=5), ()),
    ],
)
def test_reminders_come_at_half_time_and_shortly_before(length: timedelta, leads: tuple[timedelta, ...]) -> None:
    assert reminder_leads(length) == leads
