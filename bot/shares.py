"""What people have shown to whole channels lately."""

from __future__ import annotations

from datetime import timedelta

from discord.ext import commands

from bot.model import UserId

MOST_SHARED = 5
WITHIN = timedelta(minutes=10)
"""Each person may share so many answers in that time, with all commands together; the time begins with the first."""


class Shares:
    """Forgotten when the bot stops."""

    def __init__(self) -> None:
        within_s = WITHIN.total_seconds()
        self._of_people: commands.CooldownMapping[UserId] = commands.CooldownMapping(
            commands.Cooldown(MOST_SHARED, within_s), lambda user_id: user_id
        )

    def take(self, user_id: UserId, now_s: float) -> float:
        """Count what somebody is about to share; 0, or after how many seconds they may share again."""
        return self._of_people.update_rate_limit(user_id, now_s) or 0.0
