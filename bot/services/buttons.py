"""Which game a button is about. Ids of buttons are public and can be forged: who may do what is checked elsewhere."""

from __future__ import annotations

import re

from bot.model import GameId
from bot.services.context import Context
from bot.services.errors import refused_with
from engine.core.phrases import phrase

_NUMBER = re.compile(r"\d{1,18}", re.ASCII)


def game_of_button(context: Context, key: str, guild_id: int | None) -> GameId:
    """The game that a custom id names: by its token, or by its number as in version 0.1.0.

    Games get a new number when they are imported, so numbers count only for games that were here when numbers
    were still given, and in their own server.

    Args:
        guild_id: the server in which the button was pressed; `None` in direct messages.

    Raises:
        Refused: it names no game that is kept here.
    """
    with context.reading() as unit:
        if _NUMBER.fullmatch(key) is None:
            game_id = unit.games.find_by_token(key)
        else:
            game = unit.games.find(GameId(int(key)))
            is_its = game is not None and game.has_numbered_buttons and guild_id in (None, game.guild_id)
            game_id = game.id if game is not None and is_its else None
    if game_id is None:
        raise refused_with(phrase("refused.hint.lost_button"), "lost_button")
    return game_id
