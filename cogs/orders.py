"""`/orders`: give them by text or form, look at them, take them back, be led through them, declare them final."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import SealedOrdersClient
from bot.services import orders
from bot.services.receipts import Receipt
from bot.services.sheets import SubmitMode
from cogs import _sheets
from cogs._commands import command
from cogs._reply import Interaction, defer, defer_change, user_of
from cogs._transformers import call_as_player, complete_game, completed, described, find_game, named_game

_complete_game = complete_game("seat")


@app_commands.guild_install()
class OrderCommands(commands.GroupCog, group_name="orders", group_description=described("orders")):
    """A player's own orders: every answer is for the player alone."""

    @command("orders_enter", complete={"game": _complete_game})
    async def enter(
        self,
        interaction: Interaction,
        text: str | None = None,
        file: discord.Attachment | None = None,
        game: str | None = None,
    ) -> None:
        """Take orders at once, from text, a file or both, or open the form with the present sheet."""
        if file is not None:
            await defer_change(interaction)
            found = await _sheets.find_sheet(interaction, game)
            await _sheets.submit_file(interaction, found.id, text, file, phase_no=found.phase_no)
            return
        if text is None or not text.strip():
            # A form has to be the first answer, so nothing is deferred here.
            found = await find_game(interaction, game, "seat")
            await _sheets.open_form(interaction, found.token, name=found.name, phase_no=found.phase_no)
            return
        await defer_change(interaction)
        found = await _sheets.find_sheet(interaction, game)
        lines = _sheets.lines_of_command(text)
        await _sheets.submit(interaction, found.id, lines, SubmitMode.MERGE, phase_no=found.phase_no)

    @enter.autocomplete("text")
    async def _complete_text(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await completed(interaction, lambda: _suggestions(interaction, typed))

    @command("orders_show", complete={"game": _complete_game})
    async def show(self, interaction: Interaction, game: str | None = None) -> None:
        """Show the orders in the sheet."""
        await _sheets.show_receipt(interaction, await call_as_player(interaction, game, orders.show))

    @command("orders_clear", complete={"game": _complete_game})
    async def clear(self, interaction: Interaction, game: str | None = None) -> None:
        """Take everything back."""
        await _change(interaction, game, orders.clear)

    @command("orders_ready", complete={"game": _complete_game})
    async def ready(self, interaction: Interaction, sure: bool = False, game: str | None = None) -> None:
        """Declare the orders final for now: those of the phase in which that was said, if it closes meanwhile."""
        await defer_change(interaction)
        found = await _sheets.find_sheet(interaction, game)
        if sure or not await _sheets.ask_whether_ready(interaction, found.id, phase_no=found.phase_no):
            receipt = await _sheets.set_ready(interaction, found.id, True, phase_no=found.phase_no)
            await _sheets.show_receipt(interaction, receipt)

    @command("orders_unready", complete={"game": _complete_game})
    async def unready(self, interaction: Interaction, game: str | None = None) -> None:
        """Take that back."""
        await _change(interaction, game, orders.set_ready, False)

    @command("orders_guide", complete={"game": _complete_game})
    async def guide(self, interaction: Interaction, game: str | None = None) -> None:
        """Lead the player through the orders."""
        await defer(interaction)
        found = await find_game(interaction, game, "seat")
        await _sheets.begin_guide(interaction, found.id)


async def _change(interaction: Interaction, game: str | None, service: Callable[..., Receipt], *args: Any) -> None:
    """Do what changes the sheet in the phase in which that was asked, and show the receipt."""
    await defer_change(interaction)
    found = await _sheets.find_sheet(interaction, game)
    receipt = await _sheets.change(interaction, service, found.id, *args, phase_no=found.phase_no)
    await _sheets.show_receipt(interaction, receipt)


def _suggestions(interaction: Interaction, typed: str) -> Sequence[tuple[str, str]]:
    """Completions of the order being written, after those already written."""
    before, semicolon, writing = typed.rpartition(";")
    start = f"{before.strip()}; " if semicolon else ""
    game = named_game(interaction, "seat")
    user_id = user_of(interaction)
    found = orders.suggest(interaction.client.context, game.id, user_id, writing.strip())
    return [(f"{start}{order}", f"{start}{order}") for order in found]


async def setup(client: SealedOrdersClient) -> None:
    """Add the cog."""
    await client.add_cog(OrderCommands())
