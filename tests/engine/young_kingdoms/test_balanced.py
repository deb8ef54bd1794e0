"""The option `balanced`: who begins with what, and who wins. Rulings Y33 to Y35."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from engine.core.ids import PowerId
from engine.core.reading import read_orders
from engine.core.viewer import EVERYBODY, Playing
from engine.provinces.pars import format_halves
from engine.young_kingdoms.system import YOUNG_KINGDOMS as RULES
from engine.young_kingdoms.victory import above_par, par


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


def test_a_balanced_game_has_a_last_year_of_its_own_unless_another_is_chosen() -> None:
    own = _start(balanced=True)["options"]["last_year"]
    assert 1400 < own < _start()["options"]["last_year"] == 1410
    assert _start(balanced="true")["options"]["last_year"] == own
    assert _start(balanced=False)["options"]["last_year"] == 1410
    for chosen in (0, 1406):
        assert _start(balanced=True, last_year=chosen)["options"]["last_year"] == chosen


def _pars() -> dict[str, int]:
    state = RULES.play.load(_start(balanced=True))
    return {str(power): par(state, power) for power in RULES.play.variant(state).powers}


def test_after_the_last_year_whoever_is_furthest_above_its_par_wins() -> None:
    pars, document = _pars(), _start(balanced=True)
    year = document["options"]["last_year"]
    low, high = sorted(pars, key=lambda power: pars[power])[:: len(pars) - 1]
    assert pars[low] < pars[high]
    # Whoever has one centre more isn't further above its par if that is higher by more than one.
    owned = {power: halves // 2 for power, halves in pars.items()} | {low: 6}
    assert _winners(document, owned, year - 1) is None
    assert _winners(document, owned, year) == (low,)
    above = 12 - pars[low]
    owned[high] = (pars[high] + above) // 2 + 1
    assert _winners(document, owned, year) == (high,)


def test_powers_that_are_equally_far_above_their_pars_share_the_victory() -> None:
    pars, document = _pars(), _start(balanced=True)
    one, other = next((a, b) for a in pars for b in pars if a < b and (pars[a] - pars[b]) % 2 == 0)
    owned = {one: pars[one] // 2 + 2, other: pars[other] // 2 + 2}
    assert set(_winners(document, owned, document["options"]["last_year"]) or ()) == {one, other}


def test_enough_centres_win_at_once_as_in_the_text() -> None:
    for options in ({}, {"balanced": True}):
        assert _winners(_start(**options), {"jharkor": 14, "melnibone": 3}, 1402) == ("jharkor",)
        assert _winners(_start(**options), {"jharkor": 13, "melnibone": 13}, 1402) is None


def test_after_the_last_year_of_other_games_those_with_the_most_centres_win() -> None:
    owned = {"jharkor": 7, "ilmiora": 6, "melnibone": 4}
    assert _winners(_start(), owned, 1409) is None
    assert _winners(_start(), owned, 1410) == ("jharkor",)
    assert _winners(_start(last_year=0), owned, 1410) is None
    assert _winners(_start(balanced=True, last_year=0), owned, 1410) is None


def test_powers_that_are_out_win_nothing_by_their_pars() -> None:
    """To have nothing is not far below a low par: with centres of one power only, that one is left."""
    document = _start(balanced=True)
    assert _winners(document, {"lormyr": 1}, document["options"]["last_year"]) == ("lormyr",)


@pytest.mark.parametrize(
    ("options", "year"), [({"balanced": True}, None), ({"balanced": True, "last_year": 1407}, 1407)]
)
def test_everybody_is_told_their_own_par(options: dict[str, Any], year: int | None) -> None:
    state = RULES.play.start(variant="standard", players=6, options=options, seed="a")
    for power in RULES.play.variant(state).powers:
        goal = RULES.telling.goal(RULES.sight.view(state, Playing(power)))
        assert goal.args["par"] == format_halves(par(state, power))
        assert goal.args["year"] == (year or state.options["last_year"])
        assert (goal.args["count"], goal.args["all"]) == (14, 27)
    told = RULES.telling.goal(RULES.sight.view(state, EVERYBODY)).args["each"]
    assert {each.args["power"]: float(each.args["par"]) * 2 for each in told} == _pars()


def test_without_a_last_year_nobody_is_told_of_pars() -> None:
    state = RULES.play.start(variant="standard", players=6, options={"balanced": True, "last_year": 0}, seed="a")
    assert RULES.telling.goal(RULES.sight.view(state, Playing(PowerId("lormyr")))).code == "about.goal"


def test_the_report_ranks_powers_by_their_distance_from_par() -> None:
    state = RULES.play.load(_start(balanced=True))
    (*_, standings) = RULES.telling.report(RULES.sight.view(state, EVERYBODY), (), ()).sections
    above = [above_par(state, PowerId(line.args["line"].args["power"])) for line in standings.lines]
    assert above == sorted(above, reverse=True)
    codes = {-1: "below", 0: "at", 1: "above"}
    for line, halves in zip(standings.lines, above, strict=True):
        sign = (halves > 0) - (halves < 0)
        assert line.args["above"].code == f"report.own_par.{codes[sign]}"
        assert line.args["above"].args["count"] == format_halves(abs(halves))


def test_a_chart_of_centres_says_what_wins_instead() -> None:
    assert RULES.telling.standings is not None
    for options, code in (
        ({}, None),
        ({"balanced": True}, "standings.par"),
        ({"balanced": True, "last_year": 0}, None),
    ):
        view = RULES.sight.view(RULES.play.load(_start(**options)), EVERYBODY)
        decides = RULES.telling.standings(view).decides
        assert (decides and decides.code) == code
