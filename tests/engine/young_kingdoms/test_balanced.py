"""The option `balanced`: who begins with what, and who wins. Rulings Y33 to Y35."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from engine.core.ids import PowerId
from engine.core.reading import read_orders
from engine.core.viewer import EVERYBODY, Playing
from engine.young_kingdoms.system import YOUNG_KINGDOMS as RULES


def _start(**options: Any) -> dict[str, Any]:
    return RULES.play.dump(RULES.play.start(variant="standard", players=6, options=options, seed="a"))


def _winners(document: dict[str, Any], owned: dict[str, int], year: int) -> tuple[str, ...] | None:
    """Who has won after a Fall in which nobody moves, with so many centres each."""
    centres = list(document["state"]["centres"])
    owners = [power for power, count in owned.items() for _ in range(count)]
    position = {"units": [], "centres": dict(zip(centres, owners, strict=False))}
    phase = {"year": year, "season": "fall", "kind": "movement"}
    state = RULES.play.load({"options": document["options"], "phase": phase, "state": position})
    winners = RULES.play.status(RULES.play.adjudicate(state, {}, RULES.play.dice(state)).state).winners
    return None if winners is None else tuple(map(str, winners))


def test_the_start_of_the_text_is_the_default() -> None:
    state = _start()["state"]
    assert Counter(unit["power"] for unit in state["units"])["melnibone"] == 2
    assert (state["centres"]["DHR"], state["centres"]["IOP"], state["homes"]) == (None, None, {})


def test_the_balanced_start_gives_units_and_homes() -> None:
    document = _start(balanced=True)
    state = document["state"]
    units = {(unit["power"], unit["kind"], unit["at"]) for unit in state["units"]}
    assert {("pan_tang", "A", "DHR"), ("melnibone", "F", "IOP"), ("melnibone", "F", "SIS")} <= units
    assert state["homes"] == {"pan_tang": ["DHR"], "melnibone": ["IOP", "SIS"]}
    assert [state["centres"][at] for at in ("DHR", "IOP", "SIS")] == ["pan_tang", "melnibone", "melnibone"]
    assert Counter(owner for owner in state["centres"].values() if owner)["lormyr"] == 3
    assert document["phase"]["kind"] == "setup", "Melnibone still chooses where it begins"
    assert RULES.play.dump(RULES.play.load(document)) == document


def test_melnibone_places_its_fleet_at_home_and_no_other() -> None:
    state = RULES.play.start(variant="standard", players=6, options={"balanced": True}, seed="a")
    melnibone = PowerId("melnibone")
    view = RULES.sight.view(state, Playing(melnibone))
    assert [line.partition(" …")[0] for line in RULES.orders.template(view, ()).splitlines()] == ["PLACE F", "PLACE S"]
    orders = read_orders(RULES, view, "PLACE F DRA\nPLACE S SOC").values
    placed = RULES.play.adjudicate(state, {melnibone: orders}, RULES.play.dice(state)).state
    assert {unit.at for unit in placed.units if unit.power == melnibone} == {"DRA", "IOP", "SIS"}


def test_no_card_is_hidden_in_a_home_of_the_balanced_start() -> None:
    for number in range(60):
        start = RULES.play.start(variant="standard", players=6, options={"balanced": True}, seed=f"{number}")
        assert start.hidden.keys().isdisjoint({"DHR", "IOP", "SIS"})


@pytest.mark.parametrize(
    ("owned", "classic", "balanced"),
    [
        ({"jharkor": 14, "melnibone": 3}, ("jharkor",), None),
        ({"jharkor": 15, "melnibone": 3}, ("jharkor",), ("jharkor",)),
        ({"jharkor": 13, "melnibone": 11}, None, ("melnibone",)),
        ({"lormyr": 15, "argimiliar": 12}, ("lormyr",), None),
        # Both have enough: the one with more beyond its number.
        ({"melnibone": 12, "pan_tang": 13}, None, ("melnibone",)),
        ({"melnibone": 11, "pan_tang": 13}, None, None),
    ],
)
def test_each_power_has_its_own_number_to_win(
    owned: dict[str, int], classic: tuple[str, ...] | None, balanced: tuple[str, ...] | None
) -> None:
    assert _winners(_start(), owned, 1405) == classic
    assert _winners(_start(balanced=True), owned, 1405) == balanced


def test_after_the_last_year_whoever_lacks_the_fewest_centres_wins() -> None:
    owned = {"jharkor": 7, "ilmiora": 6, "melnibone": 4}
    assert _winners(_start(), owned, 1409) is None
    assert _winners(_start(), owned, 1410) == ("jharkor",)
    assert _winners(_start(balanced=True), owned, 1410) == ("melnibone",)
    assert _winners(_start(balanced=True), {"jharkor": 7, "melnibone": 3}, 1410) == ("jharkor", "melnibone")
    assert _winners(_start(last_year=0), owned, 1410) is None


def test_powers_that_are_level_in_the_last_year_are_not_told_that_they_lacked_something() -> None:
    centres = list(_start()["state"]["centres"])
    owners = dict(zip(centres, ["melnibone"] * 11 + ["pan_tang"] * 13, strict=False))
    phase = {"year": 1410, "season": "fall", "kind": "movement"}
    state = RULES.play.load({"options": {"balanced": True}, "phase": phase, "state": {"units": [], "centres": owners}})
    status = RULES.play.status(RULES.play.adjudicate(state, {}, RULES.play.dice(state)).state)
    assert status.winners == ("pan_tang", "melnibone")
    assert status.why_over is not None
    assert status.why_over.code == "event.level"


def test_everybody_is_told_their_own_number() -> None:
    state = RULES.play.start(variant="standard", players=6, options={"balanced": True}, seed="a")
    goals = {
        power: RULES.telling.goal(RULES.sight.view(state, Playing(power))) for power in RULES.play.variant(state).powers
    }
    assert {power: goal.args["count"] for power, goal in goals.items()} == {
        "argimiliar": 14, "lormyr": 16, "jharkor": 15, "ilmiora": 14, "pan_tang": 13, "melnibone": 11,
    }  # fmt: skip
    assert RULES.telling.goal(RULES.sight.view(state, EVERYBODY)).args["all"] == 27


def test_a_chart_of_centres_says_that_powers_need_different_numbers() -> None:
    assert RULES.telling.standings is not None
    for balanced, code in ((False, None), (True, "standings.balanced")):
        view = RULES.sight.view(RULES.play.load(_start(balanced=balanced)), EVERYBODY)
        decides = RULES.telling.standings(view).decides
        assert (decides and decides.code) == code
