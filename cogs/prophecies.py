"""`/prophecy`: orders filed in advance for what follows a phase. What may be foretold, the game's rules say."""

from __future__ import annotations

from collections.abc import Sequence

from discord import app_commands
from discord.ext import commands

from bot.client import SealedOrdersClient
from bot.model import UserId
from bot.services import prophecies
from bot.services.orders import SubmitMode
from bot.text.prophecies import prophecies_message
from cogs import _sheets
from cogs._reply import Interaction, answer, answered, defer
from cogs._transformers import complete_game, completed, described, find_game, named_game, option_texts

_complete_game = complete_game("seat")


@app_commands.guild_install()
class Prophecies(commands.GroupCog, group_name="prophecy", group_description=described("prophecy")):
    """A player's own prophecies: every answer is for the player alone."""

    @app_commands.command(description=described("prophecy_show"))
    @option_texts("game")
    @app_commands.autocomplete(game=_complete_game)
    @answered
    async def show(self, interaction: Interaction, game: str | None = None) -> None:
        """What is filed."""
        await defer(interaction)
        found = await find_game(interaction, game, "seat")
        client = interaction.client
        view = await client.call(prophecies.show, client.context, found.id, _user(interaction))
        await answer(interaction, await client.call(prophecies_message, view))

    @app_commands.command(name="set", description=described("prophecy_set"))
    @option_texts("text=prophecy", "game")
    @app_commands.autocomplete(game=_complete_game)
    @answered
    async def file(self, interaction: Interaction, text: str | None = None, game: str | None = None) -> None:
        """File a line besides the others, or open the form with all of them."""
        if text is None or not text.strip():
            # A form has to be the first answer, so nothing is deferred here.
            found = await find_game(interaction, game, "seat")
            await _sheets.open_form(interaction, found.id, phase_no=found.phase_no, kind=_sheets.PROPHECIES)
            return
        await defer(interaction)
        found = await find_game(interaction, game, "seat")
        client = interaction.client
        # Refuses kindly where nothing can be foretold at all.
        await client.call(prophecies.require, client.context, found.id, _user(interaction))
        await _sheets.submit(interaction, found.id, text, SubmitMode.MERGE)

    @file.autocomplete("text")
    async def _complete_text(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await completed(interaction, lambda: _suggestions(interaction, typed))

    @app_commands.command(description=described("prophecy_clear"))
    @option_texts("game")
    @app_commands.autocomplete(game=_complete_game)
    @answered
    async def clear(self, interaction: Interaction, game: str | None = None) -> None:
        """Take back all that stand in the sheet."""
        await defer(interaction)
        found = await find_game(interaction, game, "seat")
        await _sheets.replace_prophecies(interaction, found.id, "")


def _suggestions(interaction: Interaction, typed: str) -> Sequence[tuple[str, str]]:
    game = named_game(interaction, "seat")
    found = prophecies.suggest(interaction.client.context, game.id, _user(interaction), typed)
    return [(text, text) for text in found]


def _user(interaction: Interaction) -> UserId:
    return UserId(interaction.user.id)


async def setup(client: SealedOrdersClient) -> None:
    """Add the cog."""
    await client.add_cog(Prophecies())
