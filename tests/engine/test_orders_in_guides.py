"""Every order that a players' guide or a game's `/rules` gives as an example is accepted in some position.

King of Kings and Kalevala, whose examples belong to one game or piece of land, have such tests in their own folders.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from engine.core.ids import PowerId, SystemId
from engine.core.reading import read_orders
from engine.core.viewer import Playing
from engine.registry import systems

ROOT = Path(__file__).parents[2]
PAGES = {
    "diplomacy": ("docs/players-guide.md", "assets/diplomacy/rules.md"),
    "feudal": ("docs/feudal.md", "assets/feudal/rules.md"),
    "kregen": ("docs/kregen.md", "assets/kregen/rules.md"),
    "young_kingdoms": ("docs/young_kingdoms.md", "assets/young_kingdoms/rules.md"),
}
ORDER = re.compile(
    r"(?:[AFNKWHS]|FF) [A-Z][A-Za-z]{1,2}\b,? .|(?:CAST|SHARE|UNSHARE|PLACE|CARRY|DUMP|DESTROY|GIVE|BUILD|REMOVE"
    r"|CHOOSE|capital|duel|share|spare|let|disband|retreat|if|castle) \S|all hold$|hold all$|WAIVE$"
    r"|(?:build|remove|choose):? \w"
)
FRAGMENTS = {"share with"}
"""What looks like an order but is only the beginning of one."""

Position = tuple[str, dict[str, Any]]
"""A power, and a document of a game that it plays in."""


def examples(page: str) -> list[str]:
    """The orders that a page shows, in backticks or at the beginning of a line of a block."""
    text = (ROOT / page).read_text(encoding="utf-8")
    shown = re.findall(r"`([^`\n]+)`", text)
    shown += re.findall(r"^    ([A-Za-z].*?)(?:  .*)?$", text, re.M)
    return [each for each in dict.fromkeys(shown) if ORDER.match(each) and each not in FRAGMENTS and "…" not in each]


def at_start(system: str, **more: Any) -> dict[str, Any]:
    """A game that begins."""
    return {"format": 1, "system": system, "variant": "standard", "seed": "guide", **more}


def position(system: str, phase: str, units: str, *more: dict[str, Any], **state: Any) -> dict[str, Any]:
    """A position in a phase such as `spring movement`; units are written as `austria A BUD`, with commas between."""
    season, kind = phase.split()
    rows = [dict(zip(("power", "kind", "at"), each.split(), strict=True)) for each in units.split(",") if each]
    year = {"diplomacy": 1901, "feudal": 815, "kregen": 2, "young_kingdoms": 1401}[system]
    return at_start(
        system,
        options={"magic": True} if system == "feudal" else {},
        phase={"year": year, "season": season, "kind": kind},
        state={"units": [*rows, *more], **state},
    )


def retreat(system: str, unit: str, origin: str, to: str, **state: Any) -> dict[str, Any]:
    """A unit was dislodged from `origin` and has one way out."""
    row = dict(zip(("power", "kind", "at"), unit.split(), strict=True))
    king = "lion K BRE" if system == "feudal" else ""
    return position(
        system, "spring retreats", king, dislodged=[{**row, "from": origin, "retreats": [to]}], **state
    )  # fmt: skip


def kingdoms(units: str, *, hand: Sequence[int] = (), carried: Sequence[str] = ()) -> dict[str, Any]:
    """Moves in the Young Kingdoms: Melnibone holds a hand, and units in some places carry cards."""
    hands = {"melnibone": list(hand), "pan_tang": []}
    cards = [{"at": at, "card": number} for number, at in enumerate(carried, 1)]
    return position("young_kingdoms", "spring movement", units, hands=hands, carried=cards)


def moves(system: str, units: str, *more: dict[str, Any]) -> dict[str, Any]:
    return position(system, "spring movement", units, *more)


CARDS = range(1, 11)
BARBARIAN = {"power": "barbarians", "kind": "A", "at": "SWE", "home": "SWE"}
CAPTURED = {"power": "zair", "kind": "H", "at": "ZY", "of": "magdag"}
LORDS = ["lion", "eagle", "boar"]
CENTRES = ("PAR", "MUN", "ROM", "VIE", "LON", "WAR", "BUD", "SEV", "SMY", "SPA", "NAP", "MOS", "CON", "BEL", "KIE")
CHOSEN = dict(zip(CENTRES, LORDS * 5, strict=True))

DIPLOMACY: list[Position] = [
    ("austria", moves("diplomacy", "austria A BUD,austria A VIE,austria A TRI,austria A ALB,austria A SER")),
    ("turkey", moves("diplomacy", "turkey F GRE")),
    ("italy", moves("diplomacy", "italy F ION,italy A APU,italy A VEN")),
    ("germany", moves("diplomacy", "germany F KIE,germany A BER,germany A MUN")),
    ("germany", moves("diplomacy", "germany A KIE,germany F BAL")),
    ("france", moves("diplomacy", "france F MAO")),
    ("england", moves("diplomacy", "england A LON,england F NTH,england F ENG,england F MAO,england F WES")),
    ("austria", retreat("diplomacy", "austria A VIE", "BOH", "TYR")),
    ("austria", position("diplomacy", "winter adjustments", "", centres={"VIE": "austria"})),
    ("russia", position("diplomacy", "winter adjustments", "", centres={"STP": "russia"})),
    ("germany", position("diplomacy", "winter adjustments", "germany A BER", centres={})),
]
FEUDAL: list[Position] = [
    ("lion", at_start("feudal")),
    ("lion", at_start("feudal", options={"quick_choosing": True}, state={"powers": [*LORDS, "stag", "griffin"]})),
    ("lion", at_start("feudal", phase={"kind": "setup"}, state={"powers": LORDS, "centres": CHOSEN})),
    ("lion", moves("feudal", "lion A SIL,lion A DEN,lion K PAR", BARBARIAN)),
    ("lion", moves("feudal", "lion W PAR,lion A RUH,lion A MUN,lion K BRE")),
    ("lion", moves("feudal", "lion W BUL,lion W KIE,lion K BRE,eagle A RUM,eagle W SER", BARBARIAN)),
    ("lion", moves("feudal", "lion W BUL,lion K BRE,eagle A SER")),
    ("eagle", moves("feudal", "lion W BUL,eagle A SER,eagle K MUN")),
    ("eagle", moves("feudal", "boar A RUM,eagle W SER,eagle K MUN")),
    ("boar", moves("feudal", "boar A RUM,boar K PAR")),
    ("lion", retreat("feudal", "lion N PAR", "BUR", "GAS")),
    (
        "lion",
        position("feudal", "winter adjustments", "", centres=dict.fromkeys(("MAR", "BRE", *CENTRES[:4]), "lion")),
    ),
]
KREGEN: list[Position] = [
    *((power, at_start("kregen")) for power in ("akhram", "gashil", "magdag", "renders", "zair")),
    ("zair", moves("kregen", "zair A ZIM,zair A SHP,zair A RZK,zair F ZY,zair F SWD", CAPTURED)),
    ("zair", moves("kregen", "zair A ZIM,zair A ZY,zair H ZY")),
    ("zair", moves("kregen", "zair A ZIM,zair F SWD,zair H ZUL")),
    ("sanurkazz", moves("kregen", "sanurkazz F SZR,sanurkazz A SHP")),
    ("magdag", moves("kregen", "magdag F MAG,magdag F MEG,magdag A CHU,magdag H GAN,magdag F OVL")),
    ("renders", moves("kregen", "renders F SZR,renders F SZR")),
    ("zair", position("kregen", "summer adjustments", "", owners={"ZIM": "zair", "ZY": "zair"})),
    ("zair", position("kregen", "summer adjustments", "zair F SWD", owners={})),
    ("zair", retreat("kregen", "zair F SWD", "JKA", "KRO")),
]
YOUNG_KINGDOMS: list[Position] = [
    ("melnibone", at_start("young_kingdoms")),
    ("pan_tang", kingdoms("pan_tang S KAR,pan_tang A GRO,pan_tang F SOC")),
    ("ilmiora", kingdoms("ilmiora A KAR,ilmiora A ILM,ilmiora F BAK", carried=["KAR", "BAK"])),
    ("ilmiora", kingdoms("ilmiora F BAK,jharkor A ILM", carried=["BAK"])),
    ("jharkor", kingdoms("jharkor A SEQ")),
    ("melnibone", kingdoms("melnibone S MEL,melnibone F DRA,melnibone F SOC")),
    ("melnibone", kingdoms("melnibone S DRA,melnibone F DRA,melnibone F PUR")),
    ("melnibone", kingdoms("melnibone S PUR,melnibone F PUR")),
    ("melnibone", kingdoms("melnibone S MEL,argimiliar F DRA,pan_tang F SOC")),
    ("argimiliar", kingdoms("melnibone S MEL,argimiliar F DRA")),
    ("pan_tang", kingdoms("melnibone S MEL,pan_tang F SOC")),
    ("melnibone", kingdoms("melnibone S MEL,argimiliar F MEL")),
    ("melnibone", kingdoms("melnibone S SOC,pan_tang F SOC")),
    ("melnibone", kingdoms("melnibone S MEL,melnibone F MEL", hand=CARDS)),
    ("melnibone", kingdoms("melnibone S KAR,melnibone A KAR", hand=CARDS)),
    ("melnibone", kingdoms("melnibone S BAK", hand=CARDS)),
    ("melnibone", kingdoms("melnibone S EED", hand=CARDS)),
    ("melnibone", kingdoms("melnibone S DHR,ilmiora A GRO", hand=CARDS)),
    ("melnibone", kingdoms("melnibone S ILM,pan_tang S KAR", hand=CARDS)),
    ("melnibone", retreat("young_kingdoms", "melnibone S DRA", "MEL", "IOP", hands={})),
]
POSITIONS = {"diplomacy": DIPLOMACY, "feudal": FEUDAL, "kregen": KREGEN, "young_kingdoms": YOUNG_KINGDOMS}


@pytest.mark.parametrize("system", PAGES)
def test_every_order_in_a_guide_is_accepted_somewhere(system: str) -> None:
    rules = systems[SystemId(system)]
    views = [
        rules.sight.view(rules.play.load(document), Playing(PowerId(power))) for power, document in POSITIONS[system]
    ]

    def is_accepted(text: str) -> bool:
        return any(read.values and not read.errors for read in (read_orders(rules, view, text) for view in views))

    shown = [(page, example) for page in PAGES[system] for example in examples(page)]
    assert len(shown) > 20
    assert [(page, example) for page, example in shown if not is_accepted(example)] == []
