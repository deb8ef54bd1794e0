"""Discord's markdown as HTML, for the page and the transcripts: what the bot writes looks as it would in a client.

Everything is escaped first; the only attributes made of message text are http(s) links.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from html import escape

NameOf = Callable[[str, int], str | None]
"""Maps `("user" | "channel" | "role", id)` to a name; `None` for an unknown one."""


def to_html(text: str, name_of: NameOf) -> str:
    """A message's text as HTML blocks."""
    return _html(text, _names(text, name_of), is_inline=False)


def inline_html(text: str, name_of: NameOf) -> str:
    """A title or a label, in which only inline marks have a meaning."""
    return _html(text, _names(text, name_of), is_inline=True)


@lru_cache(maxsize=4096)
def _html(text: str, names: frozenset[tuple[tuple[str, int], str | None]], *, is_inline: bool) -> str:
    """Cached, since a page shows the same text whenever it asks for news."""
    known = dict(names)
    name_of: NameOf = lambda kind, number: known.get((kind, number))  # noqa: E731
    return _inline(text, name_of) if is_inline else "".join(_blocks(text, name_of))


def _names(text: str, name_of: NameOf) -> frozenset[tuple[tuple[str, int], str | None]]:
    """Who and what is mentioned in a text, with their present names."""
    mentioned = {_mentions(match) for match in _MENTION.finditer(text)}
    return frozenset((each, name_of(*each)) for each in mentioned)


def plain(text: str, name_of: NameOf) -> str:
    """The text as it was written, but with names for mentions and dates for times."""
    named = _MENTION.sub(lambda match: _mentioned(match, name_of), text)
    return _TIME.sub(lambda match: _moment(match)[1], named)


_MENTION = re.compile(r"<(@[!&]?|#)(\d{1,20})>")
_TIME = re.compile(r"<t:(-?\d{1,12})(?::([tTdDfFRsS]))?>")
_FENCE = re.compile(r"```(?:([a-zA-Z0-9_+-]*)\n)?(.*?)\n?```", re.DOTALL)
_HEADING = re.compile(r"(#{1,3}) +(.+)")
_SMALL = re.compile(r"-# +(.+)")
_ITEM = re.compile(r"( *)(?:([-*])|(\d{1,3})\.) +(.+)")


def _blocks(text: str, name_of: NameOf) -> Iterator[str]:
    position = 0
    for fence in _FENCE.finditer(text):
        yield from _lines(text[position : fence.start()], name_of)
        yield f"<pre><code>{escape(fence[2])}</code></pre>"
        position = fence.end()
    yield from _lines(text[position:], name_of)


def _lines(text: str, name_of: NameOf) -> Iterator[str]:
    lines = text.strip("\n").split("\n") if text.strip("\n") else []
    while lines:
        if lines[0].startswith(">>> "):
            quoted = "\n".join([lines[0][4:], *lines[1:]])
            yield f"<blockquote>{''.join(_lines(quoted, name_of))}</blockquote>"
            return
        taker = next(take for starts, take in _TAKERS if starts(lines[0]))
        count, html = taker(lines, name_of)
        yield html
        lines = lines[count:]


Taken = tuple[int, str]
"""How many lines a block took, and its HTML."""


def _take_quote(lines: list[str], name_of: NameOf) -> Taken:
    quoted = _leading(lines, lambda line: line.startswith("> ") or line == ">")
    inner = "\n".join(line[2:] for line in quoted)
    return len(quoted), f"<blockquote>{''.join(_lines(inner, name_of))}</blockquote>"


def _take_heading(lines: list[str], name_of: NameOf) -> Taken:
    match = _HEADING.fullmatch(lines[0])
    assert match is not None
    level = len(match[1]) + 2
    return 1, f"<h{level}>{_inline(match[2], name_of)}</h{level}>"


def _take_small(lines: list[str], name_of: NameOf) -> Taken:
    match = _SMALL.fullmatch(lines[0])
    assert match is not None
    return 1, f"<p class='small'>{_inline(match[1], name_of)}</p>"


def _take_list(lines: list[str], name_of: NameOf) -> Taken:
    """Items of the same kind as the first: bullets or numbers; two spaces indent by one level."""
    first = _ITEM.fullmatch(lines[0])
    assert first is not None
    matches = [first]
    for line in lines[1:]:
        match = _ITEM.fullmatch(line)
        if match is None or bool(match[3]) != bool(first[3]):
            break
        matches.append(match)
    items = "".join(
        f"<li class='level{min(len(match[1]) // 2, 3)}'{f' value={match[3]}' if match[3] else ''}>"
        f"{_inline(match[4], name_of)}</li>"
        for match in matches
    )
    tag = "ol" if first[3] else "ul"
    return len(matches), f"<{tag}>{items}</{tag}>"


def _take_paragraph(lines: list[str], name_of: NameOf) -> Taken:
    taken = [lines[0], *_leading(lines[1:], _is_plain)]
    # Marks may span lines.
    html = _inline("\n".join(taken), name_of).replace("\n", "<br>")
    return len(taken), f"<p>{html}</p>"


def _leading(lines: list[str], belongs: Callable[[str], bool]) -> list[str]:
    count = next((index for index, line in enumerate(lines) if not belongs(line)), len(lines))
    return lines[:count]


def _is_plain(line: str) -> bool:
    return not line.startswith(">>> ") and not any(starts(line) for starts, _ in _TAKERS[:-1])


_TAKERS: tuple[tuple[Callable[[str], bool], Callable[[list[str], NameOf], Taken]], ...] = (
    (lambda line: line.startswith("> ") or line == ">", _take_quote),
    (lambda line: bool(_HEADING.fullmatch(line)), _take_heading),
    (lambda line: bool(_SMALL.fullmatch(line)), _take_small),
    (lambda line: bool(_ITEM.fullmatch(line)), _take_list),
    (lambda _line: True, _take_paragraph),
)


@dataclass(frozen=True, slots=True)
class _Mark:
    """An inline mark: its pattern, and how a match becomes HTML."""

    pattern: re.Pattern[str]
    render: Callable[[re.Match[str], NameOf], str]


def _wrapped(tag: str) -> Callable[[re.Match[str], NameOf], str]:
    return lambda match, name_of: f"<{tag}>{_inline(match[1], name_of)}</{tag}>"


def _mention(match: re.Match[str], name_of: NameOf) -> str:
    return f"<span class='mention'>{escape(_mentioned(match, name_of))}</span>"


def _mentioned(match: re.Match[str], name_of: NameOf) -> str:
    kind, number = _mentions(match)
    sign = "#" if kind == "channel" else "@"
    return f"{sign}{name_of(kind, number) or 'unknown'}"


def _mentions(match: re.Match[str]) -> tuple[str, int]:
    return {"@": "user", "@!": "user", "@&": "role", "#": "channel"}[match[1]], int(match[2])


def _time(match: re.Match[str], _name_of: NameOf) -> str:
    iso, shown = _moment(match)
    if not iso:
        return escape(shown)
    return f"<time datetime='{iso}' data-style='{match[2] or 'f'}' title='{shown}'>{shown}</time>"


def _moment(match: re.Match[str]) -> tuple[str, str]:
    """In ISO format, and for people; an impossible time stays as it was written."""
    try:
        moment = datetime.fromtimestamp(int(match[1]), UTC)
    except (OverflowError, ValueError, OSError):
        return "", match[0]
    return moment.isoformat(), moment.strftime("%a %d %b %Y %H:%M UTC")


def as_of(html: str, moment: datetime) -> str:
    """The same HTML with each relative time (`in 2 days`) as it was at a moment; a live page keeps counting instead."""

    def told(match: re.Match[str]) -> str:
        return f"{match[1]}{_from_now(datetime.fromisoformat(match[2]) - moment)}</time>"

    return _RELATIVE.sub(told, html)


_RELATIVE = re.compile(r"(<time datetime='([^']+)' data-style='R'[^>]*>)[^<]*</time>")
_UNITS = (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1))


def _from_now(span: timedelta) -> str:
    """`in 2 days`, `1 hour ago`: in the largest unit that fits.

    >>> _from_now(timedelta(hours=47)), _from_now(timedelta(minutes=-1))
    ('in 2 days', '1 minute ago')
    """
    seconds = span.total_seconds()
    unit, size = next((row for row in _UNITS if abs(seconds) >= row[1]), _UNITS[-1])
    count = round(abs(seconds) / size)
    words = f"{count} {unit}" + ("" if count == 1 else "s")
    return f"in {words}" if seconds >= 0 else f"{words} ago"


def _link(url: str, label: str) -> str:
    return f"<a href='{escape(url)}' target='_blank' rel='noreferrer noopener'>{label}</a>"


_MARKS: tuple[_Mark, ...] = (
    _Mark(re.compile(r"\\([^A-Za-z0-9\s])"), lambda match, _: escape(match[1])),
    _Mark(re.compile(r"``(.+?)``|`([^`]+?)`"), lambda match, _: f"<code>{escape(match[1] or match[2])}</code>"),
    _Mark(_MENTION, _mention),
    _Mark(re.compile(r"</([^:>\n]{1,100}):\d+>"), lambda match, _: f"<span class='mention'>/{escape(match[1])}</span>"),
    _Mark(_TIME, _time),
    _Mark(re.compile(r"<a?(:\w{2,32}:)\d{1,20}>"), lambda match, _: escape(match[1])),
    _Mark(
        re.compile(r"\[([^\]\n]+)\]\(<?(https?://[^\s<>)]+)>?\)"),
        lambda match, name_of: _link(match[2], _inline(match[1], name_of)),
    ),
    _Mark(re.compile(r"<?(https?://[^\s<>]+[^\s<>.,:;\"')\]])>?"), lambda match, _: _link(match[1], escape(match[1]))),
    _Mark(
        re.compile(r"\*\*\*(?=\S)(.+?)\*\*\*", re.DOTALL), lambda m, n: f"<strong><em>{_inline(m[1], n)}</em></strong>"
    ),
    _Mark(re.compile(r"\*\*(?=\S)(.+?)\*\*(?!\*)", re.DOTALL), _wrapped("strong")),
    _Mark(re.compile(r"__(?=\S)(.+?)__(?!_)", re.DOTALL), _wrapped("u")),
    _Mark(re.compile(r"~~(?=\S)(.+?)~~", re.DOTALL), _wrapped("s")),
    _Mark(
        re.compile(r"\|\|(.+?)\|\|", re.DOTALL),
        lambda match, name_of: f"<span class='spoiler' tabindex='0'>{_inline(match[1], name_of)}</span>",
    ),
    _Mark(re.compile(r"\*(?=\S)([^*\n]+?)(?<=\S)\*"), _wrapped("em")),
    _Mark(re.compile(r"(?<!\w)_(?=\S)([^_\n]+?)(?<=\S)_(?!\w)"), _wrapped("em")),
)


def _inline(text: str, name_of: NameOf) -> str:
    """Inline marks as HTML: the mark that begins first wins; of several, the one listed first."""
    parts = []
    while text:
        found = [
            (match.start(), rank, match) for rank, mark in enumerate(_MARKS) if (match := mark.pattern.search(text))
        ]
        if not found:
            break
        start, rank, match = min(found, key=lambda entry: entry[:2])
        parts.append(escape(text[:start]))
        parts.append(_MARKS[rank].render(match, name_of))
        text = text[match.end() :]
    parts.append(escape(text))
    return "".join(parts)
