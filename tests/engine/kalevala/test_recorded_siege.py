"""The recorded siege: three great rounds before a capital. Source: rules R-010, B23, R-081"""

from __future__ import annotations

import json
from typing import Any

from tests.games.record import FOLDER

PHASES = {row["code"]: row for row in json.loads((FOLDER / "kalevala-siege.json").read_text("utf-8"))["phases"]}


def told(code: str, what: str) -> list[dict[str, Any]]:
    return [row["facts"]["args"] for row in PHASES[code]["events"] if (row.get("facts") or {}).get("code") == what]


def test_a_plundered_trade_centre_arms_nothing_at_the_next_date() -> None:
    assert [row["loot"] for row in told("3.3", "plundered")] == ["2RE"]
    state = PHASES["4.1"]["end"]["state"]
    assert state["owners"]["2G+5"] == "anna"
    assert state["stacks"]["anna"]["2G+5"].endswith(" 2RE"), "the loot alone"


def test_a_capital_falls_in_the_third_round_of_its_siege_and_the_best_trade_centre_becomes_the_new_one() -> None:
    battles = [(code, row["end"], row["winner"]) for code in PHASES for row in told(code, "battle")]
    assert [row for row in battles if row[0] > "4"] == [
        ("4.3", "twelve", None),
        ("5.3", "twelve", None),
        ("6.3", "conquest", "anna"),
    ]
    assert told("7.1", "capital") == [{"gf": "2H+4", "old": "2H+5"}]
    owners = PHASES["6.3"]["end"]["state"]["owners"]
    assert (owners["2H+5"], owners["2H+4"]) == ("anna", "bert")


def test_hits_stay_from_battle_to_battle_until_they_are_mended() -> None:
    def hits(code: str) -> list[int]:
        return [work.get("hits", 0) for work in PHASES[code]["end"]["state"]["gf"]["2H+5"].get("works", ())]

    assert hits("4.3")[0] > 0
    assert hits("5.1") == [0]
