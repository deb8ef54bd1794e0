"""When phases close. Reads what people write (`3d`, `mon,thu 19:00 Europe/Berlin`) and reckons dates, pure: no clock.

Local times are kept as zone and time of day, so summer time moves the instant and never the time of day. A time
that the change to summer time skips is taken an hour later; if one occurs twice, the first counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from difflib import get_close_matches
from functools import cache
from itertools import count
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from bot.model import Pace
from bot.services.errors import Refused, did_you_mean, refused, refused_with
from engine.core.phrases import Phrase, phrase

SHORTEST = timedelta(minutes=1)
LONGEST = timedelta(days=60)
DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_DAY_SETS = {"daily": DAYS, "weekdays": DAYS[:5], "weekends": DAYS[5:]}
_LONG_DAYS = dict(
    zip(("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"), DAYS, strict=True)
)
_OTHER_DAYS = {"tues": "tue", "weds": "wed", "thur": "thu", "thurs": "thu", "everyday": "daily", "weekend": "weekends"}
_UNITS = {"w": "weeks", "d": "days", "h": "hours", "m": "minutes"}
_DURATION_PART = re.compile(r"(\d{1,5})\s*(w|d|h|m)(?:[a-z]*)")
_TIME = re.compile(r"(?<!\d)([01]?\d|2[0-3])[:.]([0-5]\d)(?!\d)")
_DATE = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")


@dataclass(frozen=True, slots=True)
class Interval:
    """Each phase lasts this long."""

    length: timedelta


@dataclass(frozen=True, slots=True)
class WallTimes:
    """Phases close at a time of day on some days of the week.

    A slot nearer than a quarter of the interval between slots is skipped, so that a phase that opens late
    still leaves time to negotiate.

    Args:
        days: numbers of weekdays, Monday 0, ascending.
    """

    days: tuple[int, ...]
    at: time
    zone: str


Schedule = Interval | WallTimes


def parse_pace(text: str) -> Schedule:
    """The schedule in a text: `3d`, `1d12h`, `90m`, `daily 20:00 America/New_York`, `mon,thu 19:00 UTC`.

    Raises:
        Refused: it is not one, or is shorter than a minute or longer than sixty days.
    """
    cleaned = text.strip()
    if _TIME.search(cleaned):
        return _parse_wall_times(cleaned)
    return Interval(parse_duration(cleaned, hint=phrase("refused.hint.pace")))


def schedule_of(pace: Pace, kind: str) -> Schedule:
    """When the phases of a kind (`Status.kind`) close in a game of this pace."""
    return parse_pace(pace.by_kind.get(kind, pace.default))


_LENGTHS = phrase("refused.hint.length")


def parse_duration(text: str, *, hint: Phrase = _LENGTHS) -> timedelta:
    """A length of time such as `3d`, `12h`, `1d12h`, `90m`, `2 days 6 hours`.

    Args:
        hint: what an unreadable text is answered with: examples of lengths, or of paces.

    Raises:
        Refused: it is none, or shorter than a minute or longer than sixty days.
    """
    cleaned = text.strip().casefold().replace(" and ", " ")
    parts = _DURATION_PART.findall(cleaned)
    left = _DURATION_PART.sub("", cleaned).replace(",", "").strip()
    if not parts or left or len({unit for _, unit in parts}) < len(parts):
        raise refused_with(hint, "pace_unreadable", text=text.strip()[:80])
    length = sum((timedelta(**{_UNITS[unit]: int(number)}) for number, unit in parts), timedelta())
    if not SHORTEST <= length <= LONGEST:
        raise refused("pace_out_of_range", text=text.strip()[:80])
    return length


def next_deadline(schedule: Schedule, opened_at: datetime) -> datetime:
    """When a phase that opens now closes; later than it opens, in UTC, whole seconds.

    Args:
        opened_at: aware.
    """
    match schedule:
        case Interval(length):
            return _whole_second(opened_at.astimezone(UTC) + length)
        case WallTimes():
            return _first_slot(schedule, opened_at)


def next_slot(schedule: WallTimes, not_before: datetime) -> datetime:
    """The first of the fixed times that is not before a moment, however near."""
    return next(slot for slot in _slots(schedule, not_before) if slot >= not_before)


def preview(schedule: Schedule, opened_at: datetime, number: int = 6) -> tuple[datetime, ...]:
    """The next closings if every phase runs its full time."""
    dates: list[datetime] = []
    for _ in range(number):
        dates.append(next_deadline(schedule, dates[-1] if dates else opened_at))
    return tuple(dates)


def parse_moment(text: str, now: datetime) -> datetime:
    """A moment in the future: `12h` or `in 12h`, `2026-11-23 19:00 Europe/Berlin`, `19:00 UTC`, `fri 19:00 UTC`.

    Raises:
        Refused: it is not one, is past, or more than sixty days away.
    """
    cleaned = text.strip()
    found = _DATE.search(cleaned)
    if found is not None:
        moment = _parse_date(cleaned, found)
    elif _TIME.search(cleaned):
        starts_with_time = _TIME.match(cleaned) is not None
        times = _parse_wall_times(f"daily {cleaned}" if starts_with_time else cleaned)
        moment = next_slot(times, now + SHORTEST)
    else:
        moment = now + _parse_time_left(cleaned)
    if not now < moment <= now + LONGEST:
        raise refused("moment_out_of_range", text=cleaned[:80])
    return _whole_second(moment.astimezone(UTC))


def _parse_time_left(text: str) -> timedelta:
    try:
        return parse_duration(text.casefold().removeprefix("in "))
    except Refused as error:
        if error.what.code != "refused.pace_unreadable":
            raise
        # "yesterday" was not meant as a length.
        raise refused_with(phrase("refused.hint.moment"), "moment_unreadable", text=text[:80]) from None


def reminder_leads(length: timedelta) -> tuple[timedelta, ...]:
    """How long before the end of a phase missing players are reminded, longest first; the last is the last call.

    Half of the phase, but at most a day; a tenth of it, but at most two hours. Less than five minutes helps nobody.
    """
    leads = (min(length / 2, timedelta(hours=24)), min(length / 10, timedelta(hours=2)))
    return tuple(lead for lead in leads if lead >= timedelta(minutes=5))


def _parse_wall_times(text: str) -> WallTimes:
    found = _TIME.search(text)
    assert found is not None, "the caller looked for it"
    zone_text = text[found.end() :].strip()
    return WallTimes(
        days=_parse_days(text[: found.start()], text),
        at=time(int(found[1]), int(found[2])),
        zone=_parse_zone(zone_text),
    )


def _parse_days(text: str, whole: str) -> tuple[int, ...]:
    """The days of a week, in front of a time of day.

    Args:
        whole: with the time, for who wrote no days.
    """
    words = [word for word in re.split(r"[\s,;&+]+|\band\b", text.casefold()) if word and word != "at"]
    days: set[str] = set()
    for word in words:
        day = _OTHER_DAYS.get(word, _LONG_DAYS.get(word, word))
        if day not in DAYS and day not in _DAY_SETS:
            raise refused_with(did_you_mean(word, [*DAYS, *_DAY_SETS]), "unknown_day", word=word[:40])
        days |= set(_DAY_SETS.get(day, (day,)))
    if not days:
        raise refused_with(phrase("refused.hint.pace"), "days_missing", text=whole.strip()[:80])
    return tuple(number for number, day in enumerate(DAYS) if day in days)


def _parse_zone(text: str) -> str:
    if not text:
        raise refused_with(phrase("refused.hint.zone"), "zone_missing")
    zones = _zones()
    known = zones.get(text.casefold().replace(" ", "_"))
    if known is None:
        raise refused_with(_near_zones(text) or phrase("refused.hint.zone"), "unknown_zone", zone=text[:60])
    try:
        ZoneInfo(known)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise refused_with(phrase("refused.hint.zone"), "unknown_zone", zone=text[:60]) from error
    return known


def _near_zones(text: str) -> Phrase | None:
    """Zones of the city that was written, or of cities written nearly so."""
    city = text.casefold().replace(" ", "_").rpartition("/")[2]
    by_city: dict[str, list[str]] = {}
    for zone in sorted(available_timezones()):
        by_city.setdefault(zone.casefold().rpartition("/")[2], []).append(zone)
    matches = [zone for name in get_close_matches(city, by_city, n=3, cutoff=0.7) for zone in by_city[name]]
    return Phrase("refused.hint.did_you_mean", {"words": tuple(matches[:3])}) if matches else None


@cache
def _zones() -> Mapping[str, str]:
    return {zone.casefold(): zone for zone in available_timezones()}


def _parse_date(text: str, found: re.Match[str]) -> datetime:
    rest = text[found.end() :].strip(" ,T")
    clock = _TIME.match(rest)
    if clock is None or text[: found.start()].strip():
        raise refused_with(phrase("refused.hint.moment"), "moment_unreadable", text=text[:80])
    zone = _parse_zone(rest[clock.end() :].strip())
    try:
        wall = datetime(
            int(found[1]), int(found[2]), int(found[3]), int(clock[1]), int(clock[2]), tzinfo=ZoneInfo(zone)
        )
        return wall.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise refused_with(phrase("refused.hint.moment"), "moment_unreadable", text=text[:80]) from error


def _first_slot(schedule: WallTimes, opened_at: datetime) -> datetime:
    slots = _slots(schedule, opened_at)
    before = next(slots)
    for slot in slots:
        if slot > opened_at and slot - opened_at >= (slot - before) / 4:
            return slot
        before = slot
    raise AssertionError("fixed times never end")


def _slots(schedule: WallTimes, around: datetime) -> Iterator[datetime]:
    """The fixed times in UTC, from the last one that is not after a moment on."""
    zone = ZoneInfo(schedule.zone)
    first_day = around.astimezone(zone).date() - timedelta(days=8)
    days = (first_day + timedelta(days=number) for number in count())
    slots = (
        datetime.combine(day, schedule.at, tzinfo=zone).astimezone(UTC)
        for day in days
        if day.weekday() in schedule.days
    )
    before = next(slots)
    for slot in slots:
        if slot > around:
            yield before
            yield slot
            break
        before = slot
    yield from slots


def _whole_second(moment: datetime) -> datetime:
    return moment.replace(microsecond=0)
