"""The news of a season in a line: what becomes of heroes belongs to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.core.ids import PowerId
from engine.core.reading import adjudicate_texts
from engine.core.variant import load_phrases
from engine.core.viewer import EVERYBODY
from engine.kregen.system import KREGEN

UNITS = ("magdag H MAI", "zair H ZUL", "zair F BLD")


def news(
    lines: Mapping[str, str], units: Sequence[str] = UNITS, dice: Mapping[str, int] | None = None
) -> tuple[str, ...]:
    rows = [dict(zip(("power", "kind", "at"), unit.split(), strict=True)) for unit in units]
    state = KREGEN.play.load({
        "system": "kregen", "seed": "s", "phase": {"year": 2, "season": "fall", "kind": "movement"},
        "state": {"units": rows, "owners": {}, "garrisons": {}}, "dice": dict(dice or {}),
    })  # fmt: skip
    closed, _ = adjudicate_texts(KREGEN, state, {PowerId(power): text for power, text in lines.items()})
    told = KREGEN.telling.headline(*(KREGEN.sight.view(each, EVERYBODY) for each in (state, closed.state)))
    return tuple(map(load_phrases("kregen").render, told))


def test_a_captured_hero_is_news() -> None:
    lines = {"magdag": "H MAI - ZUL, aid\nduel H MAI 50 capture", "zair": "H ZUL aid"}
    assert news(lines, dice={"duel/ZUL": 50}) == ("Magdag took Zulfiria", "Magdag captured a hero of Zair")


def test_so_is_a_dead_one_after_what_was_taken() -> None:
    lines = {"magdag": "H MAI - ZUL\nduel H MAI 50 kill", "zair": "H ZUL aid"}
    assert news(lines, dice={"duel/ZUL": 50}) == ("Magdag took Zulfiria", "Zair lost a hero")


def test_a_hero_that_must_retreat_is_not_lost_yet() -> None:
    assert news({"magdag": "F KRO - SWD"}, ("magdag F KRO", "zair H SWD")) == ()


def test_nothing_is_news_where_nothing_happened() -> None:
    assert news({"magdag": "H MAI aid", "zair": "H ZUL aid"}) == ("Nothing changed hands in Fall 2",)
