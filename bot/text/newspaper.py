"""A game's newspaper as a page: what players have written, and the news."""

from __future__ import annotations

import re

from bot.model import Game
from bot.text.catalogue import Words
from bot.text.message import TextFile
from bot.text.pages import page
from engine.core.telling import Newspaper

NEWSPAPER_FILE = "newspaper.html"
_BETWEEN_PARAGRAPHS = re.compile(r"\n[ \t]*\n\s*")


def newspaper_file(words: Words, game: Game, issue: Newspaper) -> TextFile:
    """The issue as a file."""
    text = page(
        NEWSPAPER_FILE,
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
    return TextFile(NEWSPAPER_FILE, text)
