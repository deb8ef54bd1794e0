"""The doors of games as text: what one shows as a message, and the buttons that open them."""

from __future__ import annotations

from collections.abc import Sequence

from bot.model import Game
from bot.services.doors import AnyDoor, DoorBriefing, PageView
from bot.text.buttons import buttons
from bot.text.catalogue import Words, words_of
from bot.text.custom_ids import Action, CustomId
from bot.text.discord_limits import ALT, fit, shorten
from bot.text.markdown import code_block
from bot.text.message import Button, ButtonStyle, Embed, Message, ScenePicture
from engine.core.doors import Page


def page_message(view: PageView) -> tuple[Message, ...]:
    """What a door shows, for one player alone."""
    words, page, code = words_of(view.game), view.page, f"door.{view.door.id}"
    texts = [(title, "\n".join(lines)) for title, lines in page.listed if lines]
    in_words = (Embed(description="\n".join(map(words.render, page.lines))),) if page.lines else ()
    listed = tuple(Embed(title=words.plain(title), description=code_block(text)) for title, text in texts)
    return fit(
        Message(
            content=words.say(f"{code}.heading", game=view.game.name, title=view.title, power=view.power),
            embeds=(*in_words, *listed) or (Embed(description=words.say(f"{code}.none")),),
            pictures=_pictures(words, view.door, page),
            buttons=_page_buttons(words, view.game, view.phase_no, view.doors),
        )
    )


def briefing_message(words: Words, game: Game, phase_no: int, briefing: DoorBriefing) -> Message:
    """What is said of a door in a player's briefing."""
    what = words.render(briefing.what)
    if briefing.page is None:
        return Message(what, buttons=_door_buttons(words, game, phase_no, briefing.doors))
    pictures = _pictures(words, briefing.door, briefing.page)
    return Message(what, pictures=pictures, buttons=_page_buttons(words, game, phase_no, briefing.doors))


def _pictures(words: Words, door: AnyDoor, page: Page) -> tuple[ScenePicture, ...]:
    if page.picture is None:
        return ()
    alt = words.plainly(f"door.{door.id}.alt", lines="; ".join(map(words.plain, page.alt)))
    return (ScenePicture(page.picture, f"{door.id}.png", shorten(alt, ALT)),)


def _page_buttons(words: Words, game: Game, phase_no: int, doors: Sequence[AnyDoor]) -> tuple[Button, ...]:
    """A button for each door, and the ones that every private message has."""
    own = _door_buttons(words, game, phase_no, doors)
    return (*own, *buttons(words, game, phase_no, Action.ORDERS, Action.MAP))


def _door_buttons(words: Words, game: Game, phase_no: int, doors: Sequence[AnyDoor]) -> tuple[Button, ...]:
    """A button for each door, the first in the strongest colour."""
    styles = (ButtonStyle.PRIMARY, *(ButtonStyle.SECONDARY for _ in doors))
    return tuple(
        Button(str(CustomId(door.id, game.token, phase_no)), words.plainly(f"door.{door.id}.button"), style)
        for door, style in zip(doors, styles, strict=False)
    )
