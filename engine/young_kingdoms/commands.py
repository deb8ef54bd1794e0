"""The slash commands: `/spells` for the hand of cards, casting them, handing them on; `/gm hide-card` for game masters.

Facts for Discord, read without the rules; what the commands do is in `doors` and `hiding`.
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

HIDE_CARD = DoorInfo(
    id="hide",
    family="hide",
    command="gm hide-card",
    options=(DoorOption(name="place", is_completed=True), DoorOption(name="card", least=1, most=10)),
)

COMMANDS = (SPELLS_SHOW, SPELLS_CAST, SPELLS_GIVE)
