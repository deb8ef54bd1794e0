"""Positions for the tests of the order language, typed in a line: `england A LVP, F LON; france F BRE`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.errors import OrderError
from engine.core.ids import PowerId, ProvinceId
from engine.core.phrases import Catalogue
from engine.core.variant import load_phrases
from engine.core.viewer import viewer_of
from engine.diplomacy.system import DIPLOMACY
from engine.provinces.classic.model import State, View

RULES = DIPLOMACY


def state_of(
    units: str | None = None,
    *,
    phase: str = "spring 1901 movement",
    centres: Mapping[ProvinceId, str] | Mapping[str, str] | None = None,
    dislodged: Sequence[Mapping[str, Any]] = (),
) -> State:
    """The game at a phase; no units: those of the start."""
    season, year, kind = phase.split()
    document: dict[str, Any] = {"phase": {"year": int(year), "season": season, "kind": kind}}
    if units is not None:
        document["state"] = {"units": _units(units), "dislodged": list(dislodged)}
        if centres is not None:
            document["state"]["centres"] = centres
    return RULES.play.load(document)


def view_of(power: str | None, units: str | None = None, **more: Any) -> View:
    """What a power sees of such a game."""
    return RULES.sight.view(state_of(units, **more), viewer_of(None if power is None else PowerId(power)))


def read(view: View, text: str) -> list[str]:
    """The orders of a text as canonical texts, whether legal or not."""
    return [RULES.orders.format(read.order) for read in RULES.orders.parse(text, view).orders]


def refused(view: View, text: str) -> list[OrderError]:
    """What is wrong with a text, first what could not be read."""
    parsed = RULES.orders.parse(text, view)
    return [*parsed.errors, *filter(None, RULES.orders.check(view, parsed.orders))]


def accepted(view: View, text: str) -> list[str]:
    """The orders of a text of which nothing is refused."""
    assert [(error.code, error.text) for error in refused(view, text)] == []
    return read(view, text)


def words() -> Catalogue:
    """The words of the game."""
    return load_phrases("diplomacy")


def _units(text: str) -> list[dict[str, str]]:
    rows = []
    for part in filter(None, (part.strip() for part in text.split(";"))):
        power, _, listed = part.partition(" ")
        for unit in listed.split(","):
            kind, at = unit.split()
            rows.append({"power": power, "kind": kind, "at": at})
    return rows
