"""The slash commands `/duel` and `/prophecy`. Source: rules 8 and 9

Facts for Discord, read without the rules; what the commands do is in `doors`.
"""

from __future__ import annotations

from engine.core.facts import DoorInfo, DoorOption

KILL, CAPTURE = "kill", "capture"
"""What becomes of the loser of a duel."""

DUEL = DoorInfo(
    id="duel",
    family="duel",
    command="duel",
    options=(
        DoorOption(name="number", least=0, most=100),
        DoorOption(name="loser", choices=(KILL, CAPTURE)),
        DoorOption(name="hero", is_completed=True),
    ),
    form="numbers",
)
PROPHECY_SHOW = DoorInfo(id="prophecies", family="prophecy", command="prophecy show")
PROPHECY_SET = DoorInfo(
    id="foretell",
    family="prophecy",
    command="prophecy set",
    options=(DoorOption(name="text", is_completed=True),),
    form="foretold",
)
PROPHECY_CLEAR = DoorInfo(id="untell", family="prophecy", command="prophecy clear")

COMMANDS = (DUEL, PROPHECY_SHOW, PROPHECY_SET, PROPHECY_CLEAR)
