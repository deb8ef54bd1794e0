"""The variant `small`: a fixed map and six realms, from the tables in `assets/kalevala/small`. Source: rules R-098"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from engine.core.variant import load_variant
from engine.kalevala.info import SMALL, SYSTEM


@cache
def map_of_small() -> Mapping[str, Mapping[str, Any]]:
    """The fields of the map, in the form of a document."""
    return {row["gf"]: _field(row) for row in load_variant(SYSTEM, SMALL).tables["fields"]}


def start_of_small() -> dict[str, Any]:
    """The `state` of a document at the start. Source: rules R-095, R-125"""
    variant = load_variant(SYSTEM, SMALL)
    stacks: dict[str, dict[str, str]] = {}
    for row in variant.tables["stacks"]:
        stacks.setdefault(row["ruler"], {})[row["gf"]] = row["figures"]
    rulers = variant.settings["rulers"]
    return {
        "rulers": {power: dict(rulers[power]) for power in variant.powers},
        "gf": dict(map_of_small()),
        "owners": {row["gf"]: row["owner"] for row in variant.tables["fields"] if row["owner"]},
        "stacks": stacks,
        "archeron": {"seats": {power: row["god"]["seat"] for power, row in rulers.items() if "god" in row}},
    }


def _field(row: Mapping[str, str]) -> dict[str, Any]:
    field: dict[str, Any] = {"kf": row["kf"]}
    for key in ("river", "ascent"):
        if row[key]:
            field[key] = row[key].split()
    if row["flow"]:
        field["flow"] = dict(each.split("/") for each in row["flow"].split())
    if row["hz"]:
        field["hz"] = {"type": row["hz"], "kf": 19}
    if row["tower"]:
        field["works"] = [{"type": "Tu", "kf": 19, "gates": [row["tower"]]}]
    return field
