"""`/duel`: the secret number for a duel, by options or in a form. What it means, the game's rules say."""

from __future__ import annotations

from collections.abc import Sequence

from discord import app_commands
from discord.ext import commands

from bot.client import SealedOrdersClient
from bot.model import UserId
from bot.services import duels
from bot.services.orders import SubmitMode
from bot.text.catalogue import common_words
from cogs import _sheets
from cogs._reply import Interaction, answered, defer
from cogs._transformers import complete_game, completed, described, find_game, named_game, option_texts

_complete_game = complete_game("seat")
_DEEDS = {"kill": "choice.kill", "capture": "choice.capture"}
"""What becomes of a loser, in the words of orders, with the phrases to choose from."""


class Duels(commands.Cog):
    """A player's own duels: every answer is for the player alone."""

    @app_commands.command(name="duel", description=described("duel"))
    @app_commands.guild_install()
    @option_texts("number", "loser", "hero", "game")
    @app_commands.choices(
        loser=[app_commands.Choice(name=common_words().plainly(code), value=deed) for deed, code in _DEEDS.items()]
    )
    @app_commands.autocomplete(game=_complete_game)
    @answered
    async def duel(
        self,
        interaction: Interaction,
        number: app_commands.Range[int, 0, 100] | None = None,
        loser: str = "kill",
        hero: str | None = None,
        game: str | None = None,
    ) -> None:
        """Send a number at once, or open the form with those sent so far."""
        if number is None:
            # A form has to be the first answer, so nothing is deferred here.
            found = await find_game(interaction, game, "seat")
            await _sheets.open_form(interaction, found.id, phase_no=found.phase_no, kind=_sheets.DUELS)
            return
        await defer(interaction)
        found = await find_game(interaction, game, "seat")
        client = interaction.client
        text = await client.call(duels.order, client.context, found.id, _user(interaction), number, loser, hero)
        await _sheets.submit(interaction, found.id, text, SubmitMode.MERGE)

    @duel.autocomplete("hero")
    async def _complete_hero(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await completed(interaction, lambda: _heroes(interaction, typed))


def _heroes(interaction: Interaction, typed: str) -> Sequence[tuple[str, str]]:
    game = named_game(interaction, "seat")
    names = duels.names(interaction.client.context, game.id, _user(interaction))
    return [(name, name) for name in names if typed.strip().casefold() in name.casefold()]


def _user(interaction: Interaction) -> UserId:
    return UserId(interaction.user.id)


async def setup(client: SealedOrdersClient) -> None:
    """Add the cog."""
    await client.add_cog(Duels())
