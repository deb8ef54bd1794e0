"""The slash command `/spells`: the hand of cards, casting them, handing them on.

Facts for Discord, read without the rules; what the commands do is in `doors`.
"""

from __future__ import annotations

from engine.core.facts import DoorInfo, DoorOption

_SPELLS = "spells"

SPELLS_SHOW = DoorInfo(id="cards", family=_SPELLS, command="spells show")
SPELLS_CAST = DoorInfo(
    id="cast", family=_SPELLS, command="spells cast", options=(DoorOption(name="spell", is_completed=True),)
)
SPELLS_GIVE = DoorInfo(
    id="give", family=_SPELLS, command="spells give", options=(DoorOption(name="spell", is_completed=True),)
)

COMMANDS = (SPELLS_SHOW, SPELLS_CAST, SPELLS_GIVE)
