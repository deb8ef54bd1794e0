"""`/spells`: one's cards, and orders for them by menu or text. What there is to do, the game's rules say."""

from __future__ import annotations

from collections.abc import Sequence

from discord import app_commands
from discord.ext import commands

from bot.client import SealedOrdersClient
from bot.model import UserId
from bot.services import cards
from bot.services.orders import SubmitMode
from cogs import _cards, _sheets
from cogs._reply import Interaction, answered, defer
from cogs._transformers import complete_game, completed, described, find_game, named_game, option_texts
from engine.core.specialities import CardDeed

_complete_game = complete_game("seat")


@app_commands.guild_install()
class Spells(commands.GroupCog, group_name="spells", group_description=described("spells")):
    """A player's own cards: every answer is for the player alone."""

    @app_commands.command(description=described("spells_show"))
    @option_texts("game")
    @app_commands.autocomplete(game=_complete_game)
    @answered
    async def show(self, interaction: Interaction, game: str | None = None) -> None:
        """The hand, as a picture and in words."""
        await defer(interaction)
        found = await find_game(interaction, game, "seat")
        await _cards.show_hand(interaction, found.id)

    @app_commands.command(description=described("spells_cast"))
    @option_texts("spell", "game")
    @app_commands.autocomplete(game=_complete_game)
    @answered
    async def cast(self, interaction: Interaction, spell: str | None = None, game: str | None = None) -> None:
        """Cast by text, or be led: card, target, direction."""
        await _do(interaction, CardDeed.CAST, spell, game)

    @cast.autocomplete("spell")
    async def _complete_cast(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await completed(interaction, lambda: _suggestions(interaction, CardDeed.CAST, typed))

    @app_commands.command(description=described("spells_give"))
    @option_texts("spell=spell_given", "game")
    @app_commands.autocomplete(game=_complete_game)
    @answered
    async def give(self, interaction: Interaction, spell: str | None = None, game: str | None = None) -> None:
        """Hand on, drop or destroy carried cards by text, or be led."""
        await _do(interaction, CardDeed.GIVE, spell, game)

    @give.autocomplete("spell")
    async def _complete_give(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await completed(interaction, lambda: _suggestions(interaction, CardDeed.GIVE, typed))


async def _do(interaction: Interaction, deed: CardDeed, text: str | None, game: str | None) -> None:
    await defer(interaction)
    found = await find_game(interaction, game, "seat")
    if text is None or not text.strip():
        await _cards.begin(interaction, found.id, deed)
        return
    # Refuses kindly where there are no cards at all.
    await interaction.client.call(cards.path, interaction.client.context, found.id, _user(interaction), deed)
    await _sheets.submit(interaction, found.id, _as_order(deed, text.strip()), SubmitMode.MERGE)


def _as_order(deed: CardDeed, text: str) -> str:
    """`4 from Mel - DRA` is enough for a cast."""
    is_short = deed is CardDeed.CAST and not text.casefold().startswith(deed)
    return f"{deed} {text}" if is_short else text


def _suggestions(interaction: Interaction, deed: CardDeed, typed: str) -> Sequence[tuple[str, str]]:
    game = named_game(interaction, "seat")
    found = cards.suggest(interaction.client.context, game.id, _user(interaction), deed, typed)
    return [(order, order) for order in found]


def _user(interaction: Interaction) -> UserId:
    return UserId(interaction.user.id)


async def setup(client: SealedOrdersClient) -> None:
    """Add the cog."""
    await client.add_cog(Spells())
