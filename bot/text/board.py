"""Reports, positions and maps as parts of messages: sections as text, as a file, and as a picture with its alt text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from bot.model import Game
from bot.text.catalogue import Words
from bot.text.discord_limits import ALT, shorten
from bot.text.markdown import Markup, code_block
from bot.text.message import ScenePicture, TextFile
from engine.core.depiction import Depiction
from engine.core.phrases import Phrase, phrase
from engine.core.report import Report, Section, SectionKind
from engine.pictures.realm import is_lit, own_acts
from engine.pictures.scene import Scene
from engine.pictures.tiles import TileScene

BOARD_FILE = "board.txt"
REPORT_FILE = "report.txt"
LEDGER_FILE = "ledger.txt"
_SHORT_LINE = 24
"""Lines with at most this many characters may share a row; seventeen orders below each other fill a phone's screen."""
_ROW = 72
_GAP = "\n\n"


def about_own_map(words: Words, scene: Depiction) -> list[Markup]:
    """What is on the picture of a player's own realm."""
    if not is_lit(scene):
        return []
    return about_part(words, scene) or [words.say("message.own_map", part=_part_of(scene))]


def about_part(words: Words, scene: Depiction) -> list[Markup]:
    """That some of a player's own is out of sight, if it is."""
    if not isinstance(scene, Scene) or not scene.is_part:
        return []
    return [words.say("message.part_with_orders" if own_acts(scene) else "message.part_with_units")]


def _part_of(scene: Depiction) -> str:
    """A part of a board of tiles as `/map` takes it, columns and rows: the one that the scene is about."""
    if not isinstance(scene, TileScene) or not scene.focus:
        return ""
    columns, rows = zip(*scene.focus, strict=True)
    return f"{min(columns)}-{max(columns)} {min(rows)}-{max(rows)}"


def report_text(words: Words, report: Report, *, below: str = "") -> Markup:
    """The report for reading in a chat: headings in bold, short lines side by side, tables in a monospaced font.

    Args:
        below: the heading of what the report stands in; a first section of that title is not headed again.
    """
    return Markup(_GAP.join(_in_chat(words, _told(report), below)))


def brief_text(words: Words, report: Report, most: int, *, below: str = "") -> Markup:
    """As much of the report as `most` characters hold: tables whole, of stories the first lines and how many there
    are besides, which the file has; `below` as for `report_text`.
    """
    sections = _told(report)
    texts = _in_chat(words, sections, below)
    stories = [place for place, section in enumerate(sections) if section.kind is SectionKind.STORY]
    room = most - len(_GAP) * len(texts)
    room -= sum(len(text) for place, text in enumerate(texts) if place not in stories)
    for left, place in enumerate(sorted(stories, key=lambda place: len(texts[place])), start=-len(stories)):
        texts[place] = _first_lines(words, texts[place], room // -left)
        room -= len(texts[place])
    return Markup(_GAP.join(texts))


def _first_lines(words: Words, text: str, room: int) -> str:
    """As many lines as fit, the first in any case, and how many more there are."""
    if len(text) <= room:
        return text
    first, *lines = text.split("\n")
    room -= len(first) + len(words.say("message.more_lines", count=len(lines))) + 2
    kept = []
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        kept.append(line)
    return "\n".join([first, *kept, words.say("message.more_lines", count=len(lines) - len(kept))])


def _told(report: Report) -> list[Section]:
    """What a chat shows; details are for files."""
    return [section for section in report.sections if section.kind is not SectionKind.DETAIL]


def _in_chat(words: Words, sections: Sequence[Section], below: str) -> list[str]:
    texts = []
    for place, section in enumerate(sections):
        is_headed = place > 0 or words.plain(section.title) != below
        heading = [f"**{words.render(section.title)}**"] if is_headed else []
        if section.kind is SectionKind.TABLE:
            lines: Iterable[str] = [code_block("\n".join(map(words.plain, section.lines)))]
        else:
            lines = _side_by_side(map(words.render, section.lines))
        texts.append("\n".join([*heading, *lines]))
    return texts


def _side_by_side(lines: Iterable[str]) -> Iterator[str]:
    """Orders share a row; sentences, figures after a colon and what is long have one of their own."""
    row: list[str] = []
    for line in lines:
        is_short = len(line) <= _SHORT_LINE and not line.endswith(".") and ": " not in line
        if row and not (is_short and len(" · ".join([*row, line])) <= _ROW):
            yield " · ".join(row)
            row = []
        if is_short:
            row.append(line)
        else:
            yield line
    if row:
        yield " · ".join(row)


def report_plain(words: Words, report: Report) -> str:
    """The report without any markdown, for files, screen readers and terminals."""
    sections = (
        "\n".join([words.plain(section.title), *(f"  {words.plain(line)}" for line in section.lines)])
        for section in report.sections
    )
    return "\n\n".join(sections) + "\n"


def board_file(words: Words, game: Game, title: Phrase, board: Report) -> TextFile:
    """The whole position in words, as a file."""
    return _file_of(BOARD_FILE, words, game, title, board)


def report_file(words: Words, game: Game, title: Phrase, report: Report, *, head: Iterable[str] = ()) -> TextFile:
    """A closed phase in words, as a file; `head`: lines below the heading."""
    return _file_of(REPORT_FILE, words, game, title, report, head)


def ledger_file(words: Words, game: Game, title: Phrase, ledger: Report) -> TextFile:
    """A power's accounts, in full."""
    return _file_of(LEDGER_FILE, words, game, title, ledger)


def _file_of(name: str, words: Words, game: Game, title: Phrase, report: Report, head: Iterable[str] = ()) -> TextFile:
    heading = words.plainly("message.board_heading", game=game.name, title=title)
    top = "\n".join([heading, *head])
    return TextFile(name, f"{top}\n\n{report_plain(words, report)}")


def board_picture(
    words: Words, game: Game, scene: Depiction, board: Report, *, deadline_at: datetime | None
) -> ScenePicture:
    """The map of a position; the alt text is its board in words, as much of it as Discord takes."""
    shown = _captioned(scene, game, deadline_at)
    described = "; ".join(_unspaced(words.plain(line)) for line in scene.in_words) or in_one_line(words, board)
    alt = words.plainly("message.alt_board", title=scene.title, board=described)
    return ScenePicture(shown, "map.png", shorten(alt, ALT))


def orders_picture(
    words: Words, game: Game, scene: Depiction, orders: tuple[str, ...], *, deadline_at: datetime | None
) -> ScenePicture:
    """The map of a seat's own orders."""
    shown = _captioned(scene, game, deadline_at)
    what = "; ".join(orders) or words.plainly("message.alt_no_orders")
    return ScenePicture(
        shown, "map.png", shorten(words.plainly("message.alt_orders", title=scene.title, orders=what), ALT)
    )


def results_picture(
    words: Words, game: Game, scene: Depiction, report: Report, headline: Sequence[Phrase]
) -> ScenePicture:
    """The map of a closed phase with the outcome of every order, its headline below the title."""
    alt = words.plainly("message.alt_results", title=scene.title, report=in_one_line(words, report))
    if not headline:
        return ScenePicture(_captioned(scene, game, None), "orders.png", shorten(alt, ALT))
    news = _news(map(words.plain, headline), _ON_A_MAP)
    alt = words.plainly("message.alt_headline", news=news, alt=alt)
    shown = replace(scene, caption=phrase("message.headline_on_map", news=news))
    return ScenePicture(shown, "orders.png", shorten(alt, ALT))


def headline_line(words: Words, headline: Sequence[Phrase]) -> Markup:
    """A phase in one line; if there is too much news, the first items."""
    return words.say("message.headline", news=Markup(_news(map(words.render, headline), _IN_A_MESSAGE)))


def _news(parts: Iterable[str], most: int) -> str:
    """The first parts of a headline, as many as have room; one in any case."""
    text, *others = parts
    for news in others:
        if len(text) + len(_BETWEEN) + len(news) > most:
            break
        text += _BETWEEN + news
    return text


_BETWEEN = " · "
_ON_A_MAP, _IN_A_MESSAGE = 64, 240
"""Characters of a headline."""


def in_one_line(words: Words, report: Report) -> str:
    """A report without line breaks, for alt texts."""
    return " ".join(
        f"{words.plain(section.title)}: {'; '.join(_unspaced(words.plain(line)) for line in section.lines)}."
        for section in _told(report)
    )


def _unspaced(line: str) -> str:
    """A line without what only sets it in columns, or ends a sentence."""
    return " ".join(line.split()).rstrip(".")


def _captioned(scene: Depiction, game: Game, deadline_at: datetime | None) -> Depiction:
    if deadline_at is None:
        return replace(scene, caption=phrase("message.caption", game=game.name))
    return replace(scene, caption=phrase("message.caption_until", game=game.name, deadline=plain_time(deadline_at)))


def plain_time(at: datetime) -> str:
    """A moment where Discord does not write it in the reader's own time zone: `Fri 20 Nov 2026, 19:00 UTC`."""
    at = at.astimezone(UTC)
    return f"{at:%a} {at.day} {at:%b %Y, %H:%M} UTC"
