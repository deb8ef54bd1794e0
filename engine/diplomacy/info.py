"""Facts about the game, and the options for creating one."""

from __future__ import annotations

from engine.core.facts import OptionInfo, SystemInfo
from engine.core.ids import SystemId
from engine.core.phrases import phrase
from engine.core.variant import variant_ids
from engine.provinces.classic.rulebook import BY_RULEBOOK, CHOICES
from engine.provinces.phases import PhaseKind

OPTIONS = (
    OptionInfo("rulebook", "datc", phrase("option.rulebook"), choices=("datc", "webdiplomacy", "droidippy")),
    OptionInfo("victory_centres", 18, phrase("option.victory_centres"), least=3, most=34),
    OptionInfo("last_year", 0, phrase("option.last_year"), least=0, most=2100),
    *(OptionInfo(name, BY_RULEBOOK, phrase(f"option.{name}"), choices=values) for name, values in CHOICES.items()),
)

INFO = SystemInfo(
    id=SystemId("diplomacy"),
    name="Diplomacy",
    seats=(2, 3, 4, 5, 6, 7),
    kinds=tuple(str(kind) for kind in PhaseKind if kind is not PhaseKind.SETUP),
    variants=variant_ids("diplomacy"),
    options=OPTIONS,
    has_secrets=False,
    has_dice=False,
)
