"""The slash commands `/ally`, `/donate` and `/cede`: dealings with other nations. Source: rules 4.4

Facts for Discord, read without the rules; what the commands do is in `doors`.
"""

from __future__ import annotations

from engine.core.facts import DoorInfo, DoorOption

_TREATIES = "treaties"
_MOST_GOLD = 1_000_000
_CLOSEST = 5
_NATION = DoorOption(name="nation", is_required=True, is_completed=True)

ALLY = DoorInfo(
    id="ally",
    family=_TREATIES,
    command="ally",
    options=(_NATION, DoorOption(name="status", is_required=True, least=0, most=_CLOSEST)),
)
DONATE = DoorInfo(
    id="donate",
    family=_TREATIES,
    command="donate",
    options=(_NATION, DoorOption(name="gold", is_required=True, least=1, most=_MOST_GOLD)),
)
CEDE = DoorInfo(
    id="cede",
    family=_TREATIES,
    command="cede",
    options=(DoorOption(name="place", is_required=True, is_completed=True), _NATION),
)

COMMANDS = (ALLY, DONATE, CEDE)
