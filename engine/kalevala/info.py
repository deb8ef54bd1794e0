"""Facts about Kalevala. Source: rules 30.5, R-098"""

from __future__ import annotations

from engine.core.facts import OptionInfo, SystemInfo
from engine.core.ids import SystemId
from engine.core.phrases import phrase
from engine.kalevala.commands import COMMANDS

SYSTEM = SystemId("kalevala")
ORDERS_KIND, DEEDS_KIND = "orders", "deeds"
"""The kinds of windows: P1 for arming, marches and scouts, P3 for entries."""
MODULES: dict[str, bool] = {
    "king": True,
    "priests": True,
    "merchants": True,
    "agents": True,
    "slaves": True,
    "gods": True,
    "planes": False,
    "invaders": False,
    "sea": True,
}
"""The parts that a game can leave out, and whether they are on by default. Source: rules R-098"""
SMALL, WORLD = "small", "world"
BY_TURNS, FLEETS, HORDES = "turns", "fleets", "hordes"
"""What rulers without land begin with: a fleet, then a horde, and so on; or all with the same. Ruling KA208"""

MOST_ARTEFACTS = 12
"""The most artefacts on natives' land at the start. Ruling KA235"""
MOST_PLACES = 24
"""The most places for rulers who come later. Ruling KA224"""

INFO = SystemInfo(
    id=SYSTEM,
    name="Kalevala",
    seats=(6,),
    kinds=(ORDERS_KIND, DEEDS_KIND),
    variants=(SMALL, WORLD),
    options=(
        *(OptionInfo(name, value, phrase(f"option.{name}")) for name, value in MODULES.items()),
        OptionInfo("strict_placement", False, phrase("option.strict_placement")),
        OptionInfo("same_troops", False, phrase("option.same_troops")),
        OptionInfo("score", False, phrase("option.score")),
        OptionInfo("epochs", 0, phrase("option.epochs"), least=0, most=12),
        OptionInfo("rounds", 0, phrase("option.rounds"), least=0, most=144),
        OptionInfo("shield", 0, phrase("option.shield"), least=0, most=12),
        OptionInfo("landless", 0, phrase("option.landless"), least=0, most=12),
        OptionInfo("hosts", BY_TURNS, phrase("option.hosts"), choices=(BY_TURNS, FLEETS, HORDES)),
        OptionInfo("artefacts", 0, phrase("option.artefacts"), least=0, most=MOST_ARTEFACTS),
        OptionInfo("places", 0, phrase("option.places"), least=0, most=MOST_PLACES),
        OptionInfo("invitation", False, phrase("option.invitation")),
    ),
    has_secrets=True,
    has_dice=True,
    has_sheets=True,
    is_anonymous=True,
    has_public_board=False,
    counts_by="gr",
    seats_of={WORLD: tuple(range(2, 101))},
    doors=COMMANDS,
)
