"""How often somebody may show something to a whole channel: maps, results and rules can be asked for as often as one
likes, but others have to scroll past what is shared."""

from __future__ import annotations

from collections.abc import Sequence

from bot.services.errors import Refused
from bot.shares import MOST_SHARED
from bot.text.message import Message
from cogs._reply import Interaction, show_all, user_of
from engine.core.phrases import phrase


async def share_answer(interaction: Interaction, messages: Sequence[Message]) -> None:
    """Show the whole channel what was asked for. Never for anything that only one seat may know.

    Raises:
        Refused: the person has shared too much of late.
    """
    client = interaction.client
    now_s = client.context.clock.now().timestamp()
    wait_s = client.shares.take(user_of(interaction), now_s)
    if wait_s:
        often = phrase("failure.shared_often", most=MOST_SHARED, again=int(now_s + wait_s))
        raise Refused(often, phrase("failure.shared_hint"))
    await show_all(interaction, messages)
