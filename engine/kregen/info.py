"""Facts about the game, and the options for creating one."""

from __future__ import annotations

from engine.core.facts import OptionInfo, SystemInfo
from engine.core.ids import SystemId
from engine.core.phrases import phrase
from engine.core.variant import variant_ids
from engine.kregen.commands import COMMANDS
from engine.kregen.model import BALANCED, CLASSIC, HANDICAP
from engine.provinces.phases import PhaseKind

OPTIONS = (
    OptionInfo("holy_war", True, phrase("option.holy_war")),
    OptionInfo("prophetic", True, phrase("option.prophetic")),
    OptionInfo("victory", CLASSIC, phrase("option.victory"), choices=(CLASSIC, BALANCED, HANDICAP), even=HANDICAP),
    OptionInfo("last_year", 0, phrase("option.last_year"), least=0, most=99),
)

INFO = SystemInfo(
    id=SystemId("kregen"),
    name="Kregen",
    seats=(2, 3, 4, 5, 6, 7, 8),
    kinds=tuple(map(str, PhaseKind)),
    variants=variant_ids("kregen"),
    options=OPTIONS,
    has_secrets=True,
    has_dice=True,
    doors=COMMANDS,
)
