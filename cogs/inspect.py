"""`/map`, `/history`, `/replay` and `/chronicle`: the position, one's own orders, and every phase that was played."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from discord import app_commands
from discord.ext import commands

from bot.client import SealedOrdersClient
from bot.model import Game, UserId
from bot.services import films, inspect, orders
from bot.services.chronicle import chronicle
from bot.services.context import Context
from bot.services.errors import refused
from bot.services.region import focus
from bot.text.catalogue import common_words
from bot.text.chronicle import chronicle_messages
from bot.text.films import chart_messages, film_messages
from bot.text.looking import board_messages
from bot.text.results import results_messages
from cogs import _sheets
from cogs._commands import command
from cogs._reply import Interaction, answer, defer, user_of
from cogs._shares import share_answer
from cogs._transformers import (
    call_as_player,
    complete_game,
    complete_phase,
    complete_region,
    find_game,
    phase_meant,
)
from engine.core.depiction import Depiction

_VIEWS = [
    app_commands.Choice(name=common_words().plainly(f"choice.{view}"), value=view)
    for view in ("position", "orders", "results")
]


@app_commands.guild_install()
class Inspect(commands.Cog):
    """Commands to look at games. The channel is shown only what everybody may know."""

    def __init__(self) -> None:
        # A film takes long to draw: one at a time, or a few who ask would leave no worker for what is posted.
        self._filming = asyncio.Lock()

    @app_commands.choices(view=_VIEWS)
    @command(
        "map",
        texts={"text": "as_text"},
        complete={"game": complete_game("any"), "phase": complete_phase, "region": complete_region},
    )
    async def map(
        self,
        interaction: Interaction,
        view: str = "position",
        phase: str | None = None,
        region: str | None = None,
        text: bool = False,
        share: bool = False,
        game: str | None = None,
    ) -> None:
        """Show a map, or its words."""
        if view == "orders":
            await self._show_orders(interaction, game, region)
        elif view == "results" or phase is not None:
            await self._show_phase(interaction, game, phase, region, as_text=text, share=share)
        else:
            await self._show_board(interaction, game, region, as_text=text, share=share)

    @command("history", texts={"text": "as_text"}, complete={"game": complete_game("any"), "phase": complete_phase})
    async def history(
        self,
        interaction: Interaction,
        phase: str | None = None,
        share: bool = False,
        text: bool = False,
        game: str | None = None,
    ) -> None:
        """Show a phase that was played, and how everybody stood until then."""
        await self._show_phase(interaction, game, phase, as_text=text, share=share, with_chart=True)

    @command(
        "replay", texts={"phase": "replayed_phase"}, complete={"game": complete_game("any"), "phase": complete_phase}
    )
    async def replay(
        self, interaction: Interaction, phase: str | None = None, share: bool = False, game: str | None = None
    ) -> None:
        """Make a moving picture of what was played; it shows what everybody may know, shared or not."""
        found, _ = await self._prepare(interaction, game, share=share)
        client = interaction.client
        async with self._filming:
            named = None if phase is None else await phase_meant(interaction, found, phase)
            film = await client.call(films.replay_film, client.context, found.id, named)
            send = share_answer if share else answer
            await send(interaction, await client.call(film_messages, film))

    @command("chronicle", complete={"game": complete_game("seat")})
    async def chronicle(self, interaction: Interaction, game: str | None = None) -> None:
        """Show a player what their own power has lived through; never shared."""
        await defer(interaction)
        client = interaction.client
        found = await find_game(interaction, game, "any")
        async with self._filming:
            told = await client.call(chronicle, client.context, found.id, user_of(interaction))
            await answer(interaction, await client.call(chronicle_messages, told))

    async def _show_orders(self, interaction: Interaction, game: str | None, region: str | None) -> None:
        """One's own orders: never shared, whatever the options say."""
        receipt = await call_as_player(interaction, game, orders.show)
        client, viewer = interaction.client, user_of(interaction)
        scene = await client.call(_focused, client.context, receipt.game, viewer, receipt.scene, region)
        await _sheets.show_receipt(interaction, replace(receipt, scene=scene))

    async def _show_board(
        self, interaction: Interaction, game: str | None, region: str | None, *, as_text: bool, share: bool
    ) -> None:
        found, viewer = await self._prepare(interaction, game, share=share)
        client = interaction.client
        view = await client.call(inspect.board, client.context, found.id, viewer)
        if region is None:
            view = inspect.at_hand(view)
        view = replace(view, scene=await client.call(_focused, client.context, found, viewer, view.scene, region))
        send = share_answer if share else answer
        messages = await client.call(board_messages, view, as_text=as_text)
        await send(interaction, messages)

    async def _show_phase(
        self,
        interaction: Interaction,
        game: str | None,
        phase: str | None,
        region: str | None = None,
        *,
        as_text: bool,
        share: bool,
        with_chart: bool = False,
    ) -> None:
        found, viewer = await self._prepare(interaction, game, share=share)
        client = interaction.client
        named = None if phase is None else await phase_meant(interaction, found, phase)
        view = await client.call(inspect.history, client.context, found.id, viewer, named)
        view = await client.call(_closer, client.context, viewer, view, region)
        send = share_answer if share else answer
        messages = await client.call(results_messages, view, as_text=as_text)
        if with_chart:
            chart = await client.call(films.standings_chart, client.context, found.id, until=view.phase_no)
            messages += await client.call(chart_messages, view.game, chart, as_text=as_text)
        await send(interaction, messages)

    async def _prepare(self, interaction: Interaction, game: str | None, *, share: bool) -> tuple[Game, UserId | None]:
        """Gain time, find the game, and decide as whom to look: only what everybody may know is shared."""
        await defer(interaction)
        found = await find_game(interaction, game, "any")
        if share and interaction.guild_id not in (None, found.guild_id):
            raise refused("no_such_game")
        return found, None if share else user_of(interaction)


def _closer(context: Context, viewer: UserId | None, view: inspect.PhaseView, region: str | None) -> inspect.PhaseView:
    """Both maps of a phase, close up."""
    return replace(
        view,
        scene_of_results=_focused(context, view.game, viewer, view.scene_of_results, region),
        scene_after=_focused(context, view.game, viewer, view.scene_after, region),
    )


def _focused(context: Context, game: Game, viewer: UserId | None, scene: Depiction, region: str | None) -> Depiction:
    return scene if region is None else focus(context, game.id, viewer, scene, region)


async def setup(client: SealedOrdersClient) -> None:
    """Add the cog."""
    await client.add_cog(Inspect())
