"""Facts about the game, and the options for creating one."""

from __future__ import annotations

from engine.core.facts import OptionInfo, SystemInfo
from engine.core.ids import SystemId
from engine.core.phrases import phrase
from engine.core.variant import variant_ids
from engine.feudal.model import SEATS
from engine.provinces.phases import PhaseKind

OPTIONS = (
    OptionInfo("magic", False, phrase("option.magic")),
    OptionInfo("start_row", 1, phrase("option.start_row"), least=1, most=2),
    OptionInfo("close_starts", False, phrase("option.close_starts")),
    OptionInfo("quick_choosing", False, phrase("option.quick_choosing")),
    OptionInfo("victory_centres", 17, phrase("option.victory_centres"), least=1, most=34),
)

INFO = SystemInfo(
    id=SystemId("feudal"),
    name="Feudal Europe",
    seats=SEATS,
    kinds=tuple(map(str, PhaseKind)),
    variants=variant_ids("feudal"),
    options=OPTIONS,
    has_secrets=False,
    has_dice=True,
)
