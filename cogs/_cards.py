"""A player's cards on Discord: commands and buttons both end up here. Everything is answered to the player alone."""

from __future__ import annotations

from bot.model import GameId, UserId
from bot.services import cards
from bot.text.cards import hand_message
from cogs import _sheets
from cogs._reply import Interaction, answer
from engine.core.specialities import CardDeed


async def show_hand(interaction: Interaction, game_id: GameId) -> None:
    """Answer with the hand. The interaction has been deferred."""
    client = interaction.client
    view = await client.call(cards.show, client.context, game_id, UserId(interaction.user.id))
    await answer(interaction, await client.call(hand_message, view))


async def begin(interaction: Interaction, game_id: GameId, deed: CardDeed, *, phase_no: int | None = None) -> None:
    """Open the guided flow where the cards are. The interaction has been deferred."""
    client = interaction.client
    path = await client.call(cards.path, client.context, game_id, UserId(interaction.user.id), deed)
    await _sheets.begin_guide(interaction, game_id, phase_no=phase_no, path=path)
