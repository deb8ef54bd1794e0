"""A power's chronicle as a page, and as a moving picture of its map."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from bot.services.chronicle import Chapter, Chronicle
from bot.text.catalogue import Words, words_of
from bot.text.discord_limits import ALT, fit, shorten
from bot.text.message import Message, ScenePicture, TextFile
from bot.text.pages import page
from engine.core.report import SectionKind
from engine.core.standings import figure_text

CHRONICLE_FILE = "chronicle.html"
FILM_FILE = "chronicle.gif"


def chronicle_messages(found: Chronicle) -> tuple[Message, ...]:
    """The chronicle for its player alone."""
    words, chapters = words_of(found.game), found.chapters
    spans = {"first": chapters[0].title, "last": chapters[-1].title, "phases": len(chapters), "shown": found.shown}
    extent = "chronicle.whole" if found.shown == len(chapters) else "chronicle.part"
    if len(chapters) == 1:
        extent = "chronicle.single"
    lines = [
        words.say("chronicle.heading", game=found.game.name, power=found.power),
        words.say(extent, **spans),
    ]
    alt = words.plainly("chronicle.alt", power=found.power, first=spans["first"], last=spans["last"])
    film = ScenePicture(found.film, FILM_FILE, shorten(alt, ALT))
    return fit(Message("\n".join(lines), pictures=(film,), files=(_page(words, found),)))


def _page(words: Words, found: Chronicle) -> TextFile:
    told = [chapter for chapter in found.chapters if chapter.report.sections]
    counted = [chapter for chapter in found.chapters if chapter.measures]
    text = page(
        CHRONICLE_FILE,
        title=words.plainly("chronicle.title", power=found.power),
        game=found.game.name,
        heads=[words.plain(what) for what, _ in counted[-1].measures] if counted else [],
        rows=list(_rows(words, counted)),
        chapters=[{"title": words.plain(chapter.title), "parts": _parts(words, chapter)} for chapter in told],
    )
    return TextFile(CHRONICLE_FILE, text)


def _rows(words: Words, chapters: list[Chapter]) -> Iterator[dict[str, Any]]:
    """The figures after each phase in which any has changed; after each part of the game that is over, by how much."""
    eras = [list(chapters) for _, chapters in groupby(chapters, key=lambda chapter: chapter.era)]
    begun = _figures(chapters[0]) if chapters else []
    for number, era in enumerate(eras, 1):
        for figures, same in groupby(era, key=_figures):
            yield {"title": words.plain(next(same).title), "figures": list(map(figure_text, figures))}
        ended = _figures(era[-1])
        if era[-1].era is not None and number < len(eras):
            changes = [_change(after - before) for before, after in zip(begun, ended, strict=True)]
            yield {"title": words.plainly("chronicle.era", era=era[-1].era), "figures": changes}
        begun = ended


def _figures(chapter: Chapter) -> list[float]:
    return [count for _, count in chapter.measures]


def _change(difference: float) -> str:
    """By how much a figure has grown, or shrunk."""
    if not difference:
        return "±0"
    return f"{'+' if difference > 0 else '−'}{figure_text(abs(difference))}"


def _parts(words: Words, chapter: Chapter) -> list[dict[str, Any]]:
    return [
        {
            "title": words.plain(section.title),
            "is_table": section.kind is SectionKind.TABLE,
            "lines": [words.plain(line) for line in section.lines],
        }
        for section in chapter.report.sections
    ]
