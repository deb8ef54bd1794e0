"""The Young Kingdoms' secret choice, as tests make it: where the cards lie that were set aside."""

from __future__ import annotations

from typing import NamedTuple

from bot.model import GameId, UserId
from bot.services import secret_choice
from engine.young_kingdoms.commands import HIDE_CARD
from tests.bot.services.world import CREATOR, World

OPTION = {"umpire_places_spells": "true"}


class Cards(NamedTuple):
    """What a game master is told: the card just hidden and where, the numbers of those that are left, and where they
    may lie.
    """

    hidden: tuple[int, str] | None
    left: tuple[int, ...]
    places: tuple[str, ...]


def hide(
    world: World, game_id: GameId, user_id: UserId = CREATOR, *, is_manager: bool = False, **given: object
) -> Cards:
    """Hide a card; without a place none."""
    written = {name: str(value) for name, value in given.items()}
    seen = secret_choice.choose(
        world.context, game_id, user_id, is_manager=is_manager, command=HIDE_CARD, given=written
    )
    (left,) = (phrase.args for phrase in seen.left)
    hidden = None if seen.made is None else (seen.made.args["card"], seen.made.args["place"])
    return Cards(hidden, tuple(map(int, left.get("cards", ()))), tuple(left.get("places", ())))


def suggested(world: World, game_id: GameId, user_id: UserId) -> list[str]:
    """The places that are offered to somebody."""
    return [choice.value for choice in secret_choice.complete(world.context, game_id, user_id, "place", "")]
