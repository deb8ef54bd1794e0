"""`/ally`, `/donate`, `/cede`: dealings with other nations, where they are orders; secret until carried out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from discord import app_commands
from discord.ext import commands

from bot.client import SealedOrdersClient
from bot.model import GameId, UserId
from bot.services import orders
from bot.services.context import Context
from cogs import _sheets
from cogs._reply import Interaction, answered, defer
from cogs._transformers import complete_game, completed, described, find_game, named_game, option_texts
from engine.core.orders import Choice
from engine.core.specialities import Treaty

_complete_game = complete_game("seat")


async def complete_partner(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """The nations that the player may deal with."""
    return await completed(interaction, lambda: _choices(interaction, typed, orders.treaty_partners))


async def complete_own_place(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """The player's own places, by coordinates and name."""
    return await completed(interaction, lambda: _choices(interaction, typed, orders.places_to_cede))


def _choices(
    interaction: Interaction, typed: str, offered: Callable[[Context, GameId, UserId], Sequence[Choice]]
) -> Sequence[tuple[str, str]]:
    game = named_game(interaction, "seat")
    choices = offered(interaction.client.context, game.id, UserId(interaction.user.id))
    begun = typed.strip().casefold()
    return [(choice.label, choice.value) for choice in choices if begun in f"{choice.label}\n{choice.value}".casefold()]


class Treaties(commands.Cog):
    """Orders about other nations: every answer is for the player alone."""

    @app_commands.command(description=described("ally"))
    @option_texts("nation", "status", "game")
    @app_commands.autocomplete(game=_complete_game, nation=complete_partner)
    @app_commands.guild_install()
    @answered
    async def ally(
        self, interaction: Interaction, nation: str, status: app_commands.Range[int, 0, 5], game: str | None = None
    ) -> None:
        """Change one's own status to another nation."""
        await _make(interaction, Treaty.ALLY, nation, str(status), game)

    @app_commands.command(description=described("donate"))
    @option_texts("nation", "gold", "game")
    @app_commands.autocomplete(game=_complete_game, nation=complete_partner)
    @app_commands.guild_install()
    @answered
    async def donate(
        self,
        interaction: Interaction,
        nation: str,
        gold: app_commands.Range[int, 1, 1_000_000],
        game: str | None = None,
    ) -> None:
        """Give gold."""
        await _make(interaction, Treaty.DONATE, nation, str(gold), game)

    @app_commands.command(description=described("cede"))
    @option_texts("place", "nation", "game")
    @app_commands.autocomplete(game=_complete_game, place=complete_own_place, nation=complete_partner)
    @app_commands.guild_install()
    @answered
    async def cede(self, interaction: Interaction, place: str, nation: str, game: str | None = None) -> None:
        """Give a province."""
        await _make(interaction, Treaty.CEDE, nation, place, game)


async def _make(interaction: Interaction, treaty: Treaty, other: str, what: str, game: str | None) -> None:
    await defer(interaction)
    client = interaction.client
    found = await find_game(interaction, game, "seat")
    user_id = UserId(interaction.user.id)
    receipt = await client.call(orders.make_treaty, client.context, found.id, user_id, treaty, other=other, what=what)
    await _sheets.show_receipt(interaction, receipt)


async def setup(client: SealedOrdersClient) -> None:
    """Add the cog."""
    await client.add_cog(Treaties())
