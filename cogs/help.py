"""`/help`, `/rules` and `/notices`."""

from __future__ import annotations

from collections.abc import Sequence

from discord import app_commands
from discord.ext import commands

from bot.client import SealedOrdersClient
from bot.model import Game
from bot.services import notices
from bot.services.errors import Refused
from bot.services.guidance import guidance
from bot.text.discord_limits import CHOICES
from bot.text.help import help_message
from bot.text.notices import notices_message
from bot.text.rules import rules_message, rules_topics
from cogs._commands import command
from cogs._reply import Interaction, answer, channel_of, defer, user_of
from cogs._shares import share_answer
from cogs._transformers import completed, find_game, named_game
from engine.core.ids import SystemId
from engine.registry import systems

_SYSTEMS = [app_commands.Choice(name=info.name, value=str(id_)) for id_, info in systems.infos.items()][:CHOICES]


@app_commands.guild_install()
class Help(commands.Cog):
    """Help, rules and notices."""

    @command("help")
    async def help(self, interaction: Interaction) -> None:
        """Say what this person can do next."""
        await defer(interaction)
        client = interaction.client
        person = await client.call(
            guidance,
            client.context,
            user_of(interaction),
            guild_id=interaction.guild_id,
            channel_id=channel_of(interaction),
        )
        await answer(interaction, help_message(person, client.command_mention))

    @command("notices", texts={"reminders": "notice_reminders", "last": "notice_last", "phases": "notice_phases"})
    async def notices(
        self,
        interaction: Interaction,
        reminders: bool | None = None,
        last: bool | None = None,
        phases: bool | None = None,
    ) -> None:
        """Choose which direct messages to get; without options, show what is chosen."""
        await defer(interaction)
        client = interaction.client
        named = {"reminders": reminders, "last": last, "phases": phases}
        wanted = {kind: is_on for kind, is_on in named.items() if is_on is not None}
        chosen = await client.call(notices.choose, client.context, user_of(interaction), wanted)
        await answer(interaction, (notices_message(chosen),))

    @app_commands.choices(system=_SYSTEMS)
    @command("rules")
    async def rules(
        self, interaction: Interaction, topic: str | None = None, system: str | None = None, share: bool = False
    ) -> None:
        """Show a topic of the rules."""
        await defer(interaction)
        game = None if system else await _game_here(interaction)
        which = SystemId(system) if system else game.system if game else next(iter(systems))
        messages = await interaction.client.call(rules_message, which, topic, game)
        send = share_answer if share else answer
        await send(interaction, messages)

    @rules.autocomplete("topic")
    async def _complete_topic(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await completed(interaction, lambda: _topics(interaction, typed))


async def _game_here(interaction: Interaction) -> Game | None:
    """The game whose rules are meant, if it is clear which."""
    try:
        return await find_game(interaction, None, "any")
    except Refused:
        return None


def _topics(interaction: Interaction, typed: str) -> Sequence[tuple[str, str]]:
    system = getattr(interaction.namespace, "system", None)
    if system is None:
        try:
            system = named_game(interaction, "any").system
        except Refused:
            system = next(iter(systems))
    topics = rules_topics(SystemId(system))
    return [(topic, topic) for topic in topics if typed.strip().casefold() in topic.casefold()]


async def setup(client: SealedOrdersClient) -> None:
    """Add the cog."""
    await client.add_cog(Help())
