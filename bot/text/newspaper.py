"""A game's newspaper as a page to be opened in a browser: what players have written, and the news."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from bot.model import Game
from bot.text.catalogue import Words
from bot.text.message import TextFile
from engine.core.telling import Newspaper

if TYPE_CHECKING:
    from jinja2 import Template

NEWSPAPER_FILE = "newspaper.html"
_TEMPLATES = Path(__file__).parent / "templates"
_BETWEEN_PARAGRAPHS = re.compile(r"\n[ \t]*\n\s*")


def newspaper_file(words: Words, game: Game, issue: Newspaper) -> TextFile:
    """The issue as a file. Whatever players have written is text in it, and never markup."""
    page = _template().render(
        title=words.plain(issue.title),
        game=game.name,
        news_heading=words.plainly("message.newspaper_news"),
        news=[words.plain(line) for line in issue.news],
        contributions=[
            {
                "author": words.plain(contribution.author),
                "paragraphs": _BETWEEN_PARAGRAPHS.split(contribution.text.strip()),
            }
            for contribution in issue.contributions
        ],
    )
    return TextFile(NEWSPAPER_FILE, page)


@cache
def _template() -> Template:
    """Read when an issue is first wanted: most games have no newspaper."""
    from jinja2 import Environment, FileSystemLoader

    loaded = Environment(loader=FileSystemLoader(_TEMPLATES), autoescape=True, trim_blocks=True, lstrip_blocks=True)
    return loaded.get_template("newspaper.html")
