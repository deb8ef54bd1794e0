"""docs/orders.md: orders are understood as it says, and it has every code of Diplomacy's for refused lines."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from engine.core.ids import PowerId, SystemId
from engine.core.reading import read_orders
from engine.core.viewer import Playing
from engine.registry import systems

ROOT = Path(__file__).parents[3]


def test_the_page_lists_every_code_of_a_refused_line() -> None:
    page = (ROOT / "docs" / "orders.md").read_text(encoding="utf-8")
    words = tomllib.loads((ROOT / "assets" / "diplomacy" / "phrases" / "en.toml").read_text(encoding="utf-8"))
    codes = {code for code, text in words["error"].items() if isinstance(text, str)}
    assert "not_adjacent" in codes
    assert {code for code in codes if f"`{code}`" not in page} == set()


def unit(text: str) -> dict[str, str]:
    return dict(zip(("power", "kind", "at"), text.split(), strict=True))


MOVING = {
    "units": [
        unit(each)
        for each in (
            "germany A BUD",
            "germany A LON",
            "germany F NTH",
            "germany A MUN",
            "germany A BER",
            "germany A KIE",
        )
    ]
}
DISLODGED = {
    "dislodged": [{**unit("germany A VIE"), "from": "BOH", "retreats": ["TYR"]}],
    "units": [unit("russia A BOH")],
}
BUILDING = {"units": [], "centres": {"STP": "russia", "MOS": "russia"}}
REMOVING = {"units": [unit("germany A BER")], "centres": {}}


def test_every_way_of_writing_an_order_gives_the_canonical_one() -> None:
    rules, seen = systems[SystemId("diplomacy")], 0
    page = (ROOT / "docs" / "orders.md").read_text(encoding="utf-8")
    tables = page.partition("\n## Places")[0]
    for line in re.findall(r"^\| .*`.*$", tables, re.M):
        _, what, canonical, others, _ = line.split("|")
        power, season, kind, state = {
            "retreat": ("germany", "spring", "retreats", DISLODGED),
            "disband": ("germany", "spring", "retreats", DISLODGED),
            "build": ("russia", "winter", "adjustments", BUILDING),
            "build one unit fewer": ("russia", "winter", "adjustments", BUILDING),
            "remove": ("germany", "winter", "adjustments", REMOVING),
        }.get(what.strip(), ("germany", "spring", "movement", MOVING))
        phase = {"year": 1901, "season": season, "kind": kind}
        document = {
            "format": 1,
            "system": "diplomacy",
            "variant": "standard",
            "phase": phase,
            "state": state,
            "seed": "s",
        }
        view = rules.sight.view(rules.play.load(document), Playing(PowerId(power)))
        for text in re.findall("`([^`]+)`", canonical + others):
            whole = f"A Lon - Bel {text}" if text in ("by convoy", "by sea") else text
            read = read_orders(rules, view, whole)
            assert read.errors == (), text
            told = [rules.orders.format(value) for value in read.values]
            seen += 1
            if f"`{text}`" in canonical:
                assert told == [text]
            elif what.strip() not in ("hold everything", "build one unit fewer"):
                assert told in ([canonical.strip(" `")], ["BUILD A MOS"], ["A LON - BEL"]), text
    assert seen > 40
