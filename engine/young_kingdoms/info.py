"""Facts about the game, and the options for creating one."""

from __future__ import annotations

from engine.core.facts import OptionInfo, SystemInfo
from engine.core.ids import SystemId
from engine.core.phrases import phrase
from engine.core.variant import variant_ids
from engine.provinces.phases import PhaseKind
from engine.young_kingdoms.commands import COMMANDS, HIDE_CARD

OPTIONS = (
    OptionInfo("victory_centres", 14, phrase("option.victory_centres"), least=3, most=27),
    OptionInfo("balanced", False, phrase("option.balanced"), even=True),
    OptionInfo("last_year", 1410, phrase("option.last_year"), least=0, most=2100),
    OptionInfo("umpire_places_spells", False, phrase("option.umpire_places_spells")),
)

INFO = SystemInfo(
    id=SystemId("young_kingdoms"),
    name="The Age of the Young Kingdoms",
    seats=(6,),
    kinds=tuple(map(str, PhaseKind)),
    variants=variant_ids("young_kingdoms"),
    options=OPTIONS,
    has_secrets=True,
    has_dice=True,
    is_dealt=True,
    doors=COMMANDS,
    secret_choice=HIDE_CARD,
)
