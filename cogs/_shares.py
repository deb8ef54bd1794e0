"""How often somebody may show something to a whole channel: maps, results and rules can be asked for as often as one
likes, but others have to scroll past what is shared."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from discord.ext import commands

from bot.services.errors import Refused
from bot.text.message import Message
from cogs._reply import Interaction, show_all, user_of
from engine.core.phrases import phrase

MOST_SHARED = 5
WITHIN = timedelta(minutes=10)
"""Each person may share so many answers in that time; the time begins with the first of them."""


class Shares:
    """What was shared lately, by person. Forgotten when the bot stops."""

    def __init__(self) -> None:
        self._of_people: commands.CooldownMapping[Interaction] = commands.CooldownMapping(
            commands.Cooldown(MOST_SHARED, WITHIN.total_seconds()), lambda interaction: user_of(interaction)
        )

    async def show(self, interaction: Interaction, messages: Sequence[Message]) -> None:
        """Show the whole channel what was asked for. Never for anything that only one seat may know.

        Raises:
            Refused: the person has shared too much of late.
        """
        now_s = interaction.client.context.clock.now().timestamp()
        wait_s = self._of_people.update_rate_limit(interaction, now_s)
        if wait_s:
            again = int(now_s + wait_s)
            often = phrase("failure.shared_often", most=MOST_SHARED, again=again)
            raise Refused(often, phrase("failure.shared_hint"))
        await show_all(interaction, messages)
