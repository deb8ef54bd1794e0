"""Events that a game describes in detail: a page, and pictures below it."""

from __future__ import annotations

from bot.model import Game
from bot.text.catalogue import Words
from bot.text.discord_limits import ALT, shorten
from bot.text.message import Embed, Message, ScenePicture
from engine.core.depiction import Depiction
from engine.core.telling import Album
from engine.pictures.film import Film


def album_message(words: Words, game: Game, album: Album) -> Message:
    """The page as a box, its pictures below."""
    heading = words.say("message.album", game=game.name, title=album.title)
    page = Embed(description="\n".join(words.render(line) for line in album.lines))
    pictures = tuple(_picture(words, number, shown) for number, shown in enumerate(album.pictures, start=1))
    return Message(heading, embeds=(page,), pictures=pictures)


def _picture(words: Words, number: int, shown: Depiction) -> ScenePicture:
    described = " ".join(words.plain(line) for line in shown.in_words)
    alt = words.plainly("message.alt_album", title=shown.title, described=described)
    kind = "gif" if isinstance(shown, Film) else "png"
    return ScenePicture(shown, f"picture-{number}.{kind}", shorten(alt, ALT))
