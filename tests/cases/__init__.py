"""Cases as data: positions, orders, and what must come of them.

A case is a position and one or more turns. A turn gives orders as players write them, each with the word that
must become of it, and all units that are on the board afterwards. Where units are dislodged, it names each
with the province of its attacker (`-` if that bars no retreat) and every place that it may retreat to (`-`
for none). Optional: `next`, the phase that follows; `centres`, owners of centres afterwards; `winners` of a
game that is over.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent

Case = dict[str, Any]


def load_cases(pattern: str, rows: str = "case") -> list[Case]:
    """The cases, or other rows, of the files that fit a pattern, in the order of the files."""
    files = sorted(FOLDER.glob(pattern))
    return [row for file in files for row in tomllib.loads(file.read_text(encoding="utf-8"))[rows]]


def document_of(case: Case) -> dict[str, Any]:
    """The game.json of a case's position."""
    season, year, kind = case["phase"].split()
    units = [dict(zip(("power", "kind", "at"), unit.split(), strict=True)) for unit in case["units"]]
    state: dict[str, Any] = {"units": units}
    if "centres" in case:
        state["centres"] = case["centres"]
    return {
        "format": 1,
        "system": "diplomacy",
        "variant": "standard",
        "options": case.get("options", {}),
        "seed": "case",
        "phase": {"year": int(year), "season": season, "kind": kind},
        "state": state,
    }
