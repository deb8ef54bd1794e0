"""Facts about the game, and the options for creating one."""

from __future__ import annotations

from engine.core.facts import SheetFile, SystemInfo
from engine.core.ids import SystemId
from engine.core.variant import variant_ids
from engine.king_of_kings.commands import COMMANDS
from engine.king_of_kings.options import OPTIONS
from engine.king_of_kings.tables import SYSTEM

KIND = "turn"
"""The only kind of phase."""
SHEET_FILE = SheetFile(r"SP[0-9]+\.R0*(?P<turn>[0-9]{1,9})", line="GAME {turn}")
"""`SP3.R4`: the number of the player, and the turn. Source: docs/king_of_kings.md"""

INFO = SystemInfo(
    id=SystemId(SYSTEM),
    name="King of Kings",
    seats=tuple(range(2, 15)),
    kinds=(KIND,),
    variants=variant_ids(SYSTEM),
    options=OPTIONS,
    has_secrets=False,
    has_dice=True,
    counts_by="turn",
    has_sheets=True,
    doors=COMMANDS,
    takes_scenarios=True,
    sheet_file=SHEET_FILE,
)
