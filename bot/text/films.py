"""Animations and charts as messages, each with the same in words."""

from __future__ import annotations

from collections.abc import Iterator

from bot.model import Game
from bot.services.films import GameFilm, PhaseFilm
from bot.text.board import in_one_line
from bot.text.catalogue import Words, words_of
from bot.text.discord_limits import ALT, fit, shorten
from bot.text.markdown import code_block
from bot.text.message import Message, ScenePicture, TextFile
from bot.text.results import story_messages
from engine.core.standings import figure_text
from engine.pictures.chart import Chart

FILM_FILE = "replay.gif"
CHART_FILE = "standings.png"
STANDINGS_FILE = "standings.txt"
_TABLE_IN_CHAT = 1500
"""A longer table is sent as a file alone."""


def film_messages(found: PhaseFilm | GameFilm) -> tuple[Message, ...]:
    """A film, and in words what it shows."""
    return _game_film(found) if isinstance(found, GameFilm) else _phase_film(found)


def chart_messages(game: Game, chart: Chart | None, *, as_text: bool = False) -> tuple[Message, ...]:
    """Everybody's standing from year to year, as a picture and as a table; empty if there is no chart."""
    if chart is None:
        return ()
    words = words_of(game)
    # Who has won is told just before.
    decides = [] if chart.decides is None else [words.render(chart.decides)]
    heading = "\n".join([words.say("film.standings", what=chart.title), *decides])
    if as_text and len(table := _table(words, chart)) <= _TABLE_IN_CHAT:
        return fit(Message(f"{heading}\n{code_block(table)}"))
    if as_text:
        return fit(Message(heading, files=(_table_file(words, game, chart),)))
    return fit(Message(heading, pictures=(chart_picture(words, chart),), files=(_table_file(words, game, chart),)))


def chart_picture(words: Words, chart: Chart) -> ScenePicture:
    """A chart with its alt text: each power's figures in a row, whoever leads first."""
    alt = _in_words(words, chart)
    return ScenePicture(chart, CHART_FILE, shorten(alt, ALT))


def _phase_film(found: PhaseFilm) -> tuple[Message, ...]:
    words, view = words_of(found.view.game), found.view
    alt = words.plainly("film.alt_phase", title=view.title, report=in_one_line(words, view.report))
    picture = ScenePicture(found.film, FILM_FILE, shorten(alt, ALT))
    first, *rest = story_messages(view, as_text=True)
    return (Message(first.content, first.embeds, (picture,), first.files), *rest)


def _game_film(found: GameFilm) -> tuple[Message, ...]:
    words, game, chart = words_of(found.game), found.game, found.chart
    code = "film.whole" if found.shown == found.phases else "film.part"
    lines = [
        words.say("film.game", game=game.name),
        words.say(code, first=found.first, last=found.last, phases=found.phases, shown=found.shown),
    ]
    files: tuple[TextFile, ...] = ()
    rows = ""
    if chart is not None:
        rows = _in_words(words, chart)
        files = (_table_file(words, game, chart),)
    alt = words.plainly("film.alt_game", game=game.name, first=found.first, last=found.last, rows=rows)
    return fit(
        Message("\n".join(lines), pictures=(ScenePicture(found.film, FILM_FILE, shorten(alt, ALT)),), files=files)
    )


def _in_words(words: Words, chart: Chart) -> str:
    rows = words.plainly("film.alt_chart", what=chart.title, rows="; ".join(_rows(words, chart)))
    return " ".join([*map(words.plain, chart.notes), rows])


def _rows(words: Words, chart: Chart) -> Iterator[str]:
    """Each power's figures from the start to the end, the greatest end first."""
    names = {power.id: power.name for power in chart.powers}
    for power, figures in sorted(chart.courses.items(), key=lambda course: -course[1][-1]):
        yield words.plainly("film.row", name=names[power], figures=" ".join(map(figure_text, figures)))


def _table_file(words: Words, game: Game, chart: Chart) -> TextFile:
    heading = words.plainly("message.board_heading", game=game.name, title=chart.title)
    return TextFile(STANDINGS_FILE, f"{heading}\n\n{_table(words, chart)}\n")


def _table(words: Words, chart: Chart) -> str:
    """The figures in columns: a row for each year, a column for each power."""
    names = {power.id: power.name for power in chart.powers}
    heads = ["", *(names[power] for power in chart.courses)]
    times = [words.plainly("film.start"), *map(str, chart.times)]
    columns = [times, *([figure_text(figure) for figure in figures] for figures in chart.courses.values())]
    rows = [heads, *map(list, zip(*columns, strict=True))]
    widths = [max(len(row[place]) for row in rows) for place in range(len(heads))]
    return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
