"""What is told at length: a page with its pictures, each with a text in its place."""

from __future__ import annotations

from bot.text.albums import album_message
from bot.text.catalogue import words_for
from bot.text.discord_limits import ALT, fit
from engine.core.phrases import phrase
from engine.core.telling import Album
from engine.kalevala.info import SYSTEM
from engine.kalevala.telling import pictures, tale
from tests.bot.test_ports import a_game
from tests.engine.kalevala.battles import view_for, won


def test_an_album_is_a_page_with_pictures_that_say_what_they_show() -> None:
    account = won()
    shown = (*pictures.pictures(view_for(), account), pictures.film(view_for(), account))
    album = Album(phrase("battle.title", place=account.id), tuple(tale.story(account)), shown)
    message = album_message(words_for(SYSTEM, "small"), a_game(), album)
    assert "The battle of 2D+5" in message.content
    assert "Anna took the trade centre of 2D+5." in message.embeds[0].description
    assert [picture.filename for picture in message.pictures] == [
        "picture-1.png", "picture-2.png", "picture-3.png", "picture-4.gif",
    ]  # fmt: skip
    assert "Anna attacked with 6 archers and 16 lancers" in message.pictures[0].alt
    assert all(0 < len(picture.alt) <= ALT for picture in message.pictures)
    assert sum(len(part.pictures) for part in fit(message)) == 4
