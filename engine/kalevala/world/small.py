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


def start_of_small(*, same_troops: bool = False) -> dict[str, Any]:
    """The `state` of a document at the start. Source: rules R-095, R-125

    Args:
        same_troops: all realms have the kind of troops that the first one has. Ruling KA273
    """
    variant = load_variant(SYSTEM, SMALL)
    stacks: dict[str, dict[str, str]] = {}
    for row in variant.tables["stacks"]:
        stacks.setdefault(row["ruler"], {})[row["gf"]] = row["figures"]
    rulers: dict[str, dict[str, Any]] = {power: dict(variant.settings["rulers"][power]) for power in variant.powers}
    if same_troops:
        _arm_alike(rulers, stacks)
    return {
        "rulers": rulers,
        "gf": dict(map_of_small()),
        "owners": {row["gf"]: row["owner"] for row in variant.tables["fields"] if row["owner"]},
        "stacks": stacks,
        "archeron": {"seats": {power: row["god"]["seat"] for power, row in rulers.items() if "god" in row}},
    }


def _arm_alike(rulers: Mapping[str, dict[str, Any]], stacks: dict[str, dict[str, str]]) -> None:
    """Give all realms the core troops and the stacks of the first one, by the kinds of their trade centres."""
    kinds = {gf: row["hz"]["type"] for gf, row in map_of_small().items() if "hz" in row}
    realms = [power for power, row in rulers.items() if "capital" in row]
    first = {kinds[gf]: figures for gf, figures in stacks[realms[0]].items()}
    for power in realms:
        rulers[power]["core"] = rulers[realms[0]]["core"]
        stacks[power] = {gf: first[kinds[gf]] for gf in stacks[power]}


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
