"""All slash commands of Kalevala's own, in the order in which they are offered.

Facts for Discord, read without the rules. What the commands do is in `doors`, and in the `doors` module of each part of
the game.
"""

from __future__ import annotations

from engine.core.facts import DoorInfo, DoorOption
from engine.kalevala.arrivals.orders import WAYS
from engine.kalevala.kings.facts import KINDS_OF_KINGS, OEH, RE
from engine.kalevala.priests.facts import ORACLE_PRICES, RE_FOR_ZEH
from engine.kalevala.trade.fiefs import MOST_ROUNDS as MOST_ROUNDS_OF_A_FIEF
from engine.lattice.great_fields import CELLS

USUAL, EXPRESS = "usual", "express"
"""How a letter is sent. Source: rules 2.3"""
_MOST_ROUNDS = 10
"""For how many great rounds a permit is valid at most. Source: rules 15.2"""
_MOST = 1_000
"""The largest number of RE that can be typed."""

_RULER = DoorOption(name="ruler", is_required=True, is_completed=True)
_PLACE = DoorOption(name="place", is_required=True, is_completed=True)
_PRICE = DoorOption(name="price", least=0, most=_MOST)

# Letters, the courier, permits, trade

LETTER = DoorInfo(
    id="letter",
    family="envoys",
    command="letter",
    options=(
        DoorOption(name="ruler", is_completed=True),
        DoorOption(name="text"),
        DoorOption(name="sending", choices=(USUAL, EXPRESS)),
        DoorOption(name="signed"),
    ),
    form="letters",
)
COURIER = DoorInfo(id="courier", family="envoys", command="courier", options=(DoorOption(name="text"),), form="article")
PERMIT = DoorInfo(
    id="permit",
    family="envoys",
    command="permit",
    options=(_RULER, _PLACE, DoorOption(name="rounds", is_required=True, least=1, most=_MOST_ROUNDS)),
)
HANDOVER = DoorInfo(
    id="handover",
    family="envoys",
    command="handover",
    options=(_RULER, _PLACE, DoorOption(name="give"), DoorOption(name="want")),
)
FIEF_OFFER = DoorInfo(
    id="fiefoffer",
    family="fief",
    command="fief offer",
    options=(_RULER, _PLACE, DoorOption(name="rounds", is_required=True, least=1, most=MOST_ROUNDS_OF_A_FIEF)),
)
FIEF_ACCEPT = DoorInfo(id="fiefaccept", family="fief", command="fief accept", options=(_RULER, _PLACE))

# War

_WAR = "war"
_BATTLE = (DoorOption(name="place", is_completed=True), DoorOption(name="enemy"))
_LINE = DoorOption(name="line", is_completed=True)

WAR_PLAN = DoorInfo(id="warplan", family=_WAR, command="war plan", options=_BATTLE)
WAR_SENSIBLE = DoorInfo(
    id="warsense", family=_WAR, command="war sensible", options=(DoorOption(name="place", is_completed=True),)
)
WAR_GUIDE = DoorInfo(id="warguide", family=_WAR, command="war guide", options=(_LINE,))
WAR_WRITE = DoorInfo(id="warlines", family=_WAR, command="war write", options=(_LINE,), form="warform")
WAR_TRIAL = DoorInfo(id="wartrial", family=_WAR, command="war trial", options=_BATTLE)
WAR_WIZARD = DoorInfo(id="warwizard", family=_WAR, command="war wizard")

# Agents, gods, caravans, artefacts

_AGENTS = "agents"

AGENTS_DOSSIER = DoorInfo(id="dossier", family=_AGENTS, command="agents dossier")
AGENTS_RANSOM = DoorInfo(
    id="ransom",
    family=_AGENTS,
    command="agents ransom",
    options=(
        DoorOption(name="agent", is_required=True, is_completed=True),
        DoorOption(name="amount", is_required=True, least=1, most=_MOST),
    ),
)
AGENTS_RELEASE = DoorInfo(
    id="release",
    family=_AGENTS,
    command="agents release",
    options=(DoorOption(name="prisoner", is_required=True, is_completed=True), _PRICE),
)
GOD = DoorInfo(id="god", family="gods", command="god")
CARAVAN = DoorInfo(id="caravans", family="caravans", command="caravan")
ARTEFACT = DoorInfo(id="artefacts", family="artefacts", command="artefact")

# The king

_KING = "king"

KING_COURT = DoorInfo(id="court", family=_KING, command="king court")
KING_CREATE = DoorInfo(
    id="crown",
    family=_KING,
    command="king create",
    options=(
        DoorOption(name="kind", is_required=True, choices=KINDS_OF_KINGS),
        DoorOption(name="text", is_required=True),
        DoorOption(name="field", is_required=True, least=1, most=CELLS),
    ),
)
KING_PAY = DoorInfo(
    id="kingspay",
    family=_KING,
    command="king pay",
    options=(DoorOption(name="means", is_required=True, choices=(RE, OEH)),),
)
KING_RANSOM = DoorInfo(
    id="kingsransom",
    family=_KING,
    command="king ransom",
    options=(DoorOption(name="amount", is_required=True, least=1, most=_MOST),),
)
KING_RELEASE = DoorInfo(
    id="kingsrelease",
    family=_KING,
    command="king release",
    options=(DoorOption(name="captive", is_required=True, is_completed=True), _PRICE),
)

# Temples and priests

_TEMPLE = "temple"

TEMPLE_PRIESTS = DoorInfo(id="priests", family=_TEMPLE, command="temple priests")
TEMPLE_GIFT = DoorInfo(
    id="gift",
    family=_TEMPLE,
    command="temple gift",
    options=(_PLACE, DoorOption(name="amount", is_required=True, least=1, most=_MOST)),
)
TEMPLE_PRAY = DoorInfo(
    id="pray",
    family=_TEMPLE,
    command="temple pray",
    options=(
        _PLACE,
        DoorOption(name="amount", is_required=True, least=RE_FOR_ZEH, most=_MOST),
        DoorOption(name="priest", is_completed=True),
    ),
)
TEMPLE_ASK = DoorInfo(
    id="oracle",
    family=_TEMPLE,
    command="temple ask",
    options=(
        _PLACE,
        DoorOption(name="subject", is_required=True),
        DoorOption(name="question", choices=tuple(ORACLE_PRICES)),
        DoorOption(name="amount", least=1, most=_MOST),
    ),
)

# A people, and how a ruler begins

CULTURE = DoorInfo(id="culture", family="culture", command="culture", options=(DoorOption(name="text"),), form="people")
BEGIN = DoorInfo(
    id="begin",
    family="arrivals",
    command="begin",
    options=(DoorOption(name="way", choices=tuple(way.lower() for way in WAYS)),),
)

COMMANDS = (
    LETTER, COURIER, PERMIT, HANDOVER, FIEF_OFFER, FIEF_ACCEPT,
    WAR_PLAN, WAR_SENSIBLE, WAR_GUIDE, WAR_WRITE, WAR_TRIAL, WAR_WIZARD,
    AGENTS_DOSSIER, AGENTS_RANSOM, AGENTS_RELEASE, GOD, CARAVAN, ARTEFACT,
    KING_COURT, KING_CREATE, KING_PAY, KING_RANSOM, KING_RELEASE,
    TEMPLE_PRIESTS, TEMPLE_GIFT, TEMPLE_PRAY, TEMPLE_ASK, CULTURE, BEGIN,
)  # fmt: skip
