"""What wins, by the text and with the options `victory` and `last_year`. Rulings K27, K28."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.ids import PowerId
from engine.core.viewer import EVERYBODY, Playing
from engine.kregen.land import land_of
from engine.kregen.prophecy import format_points
from engine.kregen.supply import points
from engine.kregen.system import KREGEN
from engine.kregen.victory import numbers_of, par


def _start(**options: Any) -> Any:
    return KREGEN.play.start(variant="standard", players=8, options=options, seed="")


def _after(options: dict[str, Any], **position: Any) -> Any:
    phase = {"year": 5, "season": "winter", "kind": "adjustments"}
    state = KREGEN.play.load({"options": options, "phase": phase, "state": {"units": [], **position}})
    return KREGEN.play.adjudicate(state, {}, KREGEN.play.dice(state)).state.over


def _owned_by_zair(cities: int) -> dict[str, str]:
    """So many cities, of each shape in turn."""
    city = land_of(_start().variant).city
    squares, circles = ([at for at, shape in city.items() if shape == wanted] for wanted in ("square", "circle"))
    mixed = [at for pair in zip(squares, circles, strict=False) for at in pair]
    return dict.fromkeys(mixed[:cities], "zair")


@pytest.mark.parametrize("victory", ["classic", "balanced"])
def test_a_nation_wins_with_the_cities_of_the_option_and_not_with_one_fewer(victory: str) -> None:
    needed = numbers_of(_start(victory=victory)).cities
    options = {"victory": victory}
    assert _after(options, owners=_owned_by_zair(needed)).winners == (PowerId("zair"),)
    assert _after(options, owners=_owned_by_zair(needed - 1)) is None


@pytest.mark.parametrize("victory", ["classic", "balanced"])
def test_the_pirates_win_with_the_fleets_of_the_option_and_not_with_one_fewer(victory: str) -> None:
    needed, centres = numbers_of(_start(victory=victory)).fleets, land_of(_start().variant).pirate_centres
    assert needed > len(centres) // 2

    def over(fleets: int) -> Any:
        units = [{"power": "renders", "kind": "F", "at": centres[n % len(centres)]} for n in range(fleets)]
        owners = dict.fromkeys(land_of(_start().variant).city, "renders") | dict.fromkeys(centres, "renders")
        return _after({"victory": victory}, units=units, owners=owners)

    assert over(needed).winners == (PowerId("renders"),)
    assert over(needed - 1) is None or over(needed - 1).winners != (PowerId("renders"),)


def test_the_text_is_the_default_and_the_goal_tells_the_numbers() -> None:
    assert _start().options["victory"] == "classic"
    assert (numbers_of(_start()).fleets, numbers_of(_start()).cities, numbers_of(_start()).each) == (20, 15, 5)
    goal = KREGEN.telling.goal(KREGEN.sight.view(_start(victory="balanced"), EVERYBODY))
    assert goal.args["cities"] == numbers_of(_start(victory="balanced")).cities < 15


def test_an_x_feeds_a_nation_where_the_game_is_balanced() -> None:
    found = {}
    for victory in ("classic", "balanced"):
        state = KREGEN.play.load({"options": {"victory": victory}, "state": {"units": [], "owners": {"YOB": "zair"}}})
        found[victory] = points(state, PowerId("zair"))
    assert found == {"classic": 0, "balanced": 1}


def _cities(owned: dict[str, int]) -> dict[str, str]:
    """So many cities for each nation, in map order."""
    free = iter(land_of(_start().variant).city)
    return {next(free): power for power, count in owned.items() for _ in range(count)}


def _in_winter(year: int, options: dict[str, Any], owners: dict[str, str], fleets: int = 0) -> Any:
    """The state after the Winter of a year in which nobody builds."""
    centres = land_of(_start().variant).pirate_centres[:fleets]
    units = [{"power": "renders", "kind": "F", "at": at} for at in centres]
    state = KREGEN.play.load({
        "options": options,
        "phase": {"year": year, "season": "winter", "kind": "adjustments"},
        "state": {"units": units, "owners": owners | dict.fromkeys(centres, "renders")},
    })  # fmt: skip
    return KREGEN.play.adjudicate(state, {}, KREGEN.play.dice(state)).state


def test_with_a_handicap_the_power_furthest_above_its_par_wins_after_year_five() -> None:
    # Akhram has most cities, and is half a city below its par; Sanurkazz is half a city above its own.
    options, owned = {"victory": "handicap"}, {"akhram": 6, "sanurkazz": 3, "zair": 4}
    assert [par(_start(), PowerId(power)) for power in owned] == [13, 5, 9]
    over = _in_winter(5, options, _cities(owned)).over
    assert over.winners == (PowerId("sanurkazz"),)
    assert over.why.args["above"].args["count"] == "0.5"
    assert _in_winter(4, options, _cities(owned)).over is None


def test_the_pirates_count_fleets_against_their_par_and_equal_powers_share_the_victory() -> None:
    nation, pirates, options = PowerId("zair"), PowerId("renders"), {"victory": "handicap"}
    assert (par(_start(), nation), par(_start(), pirates)) == (9, 19)
    owners = _cities({nation: 6})
    assert _in_winter(5, options, owners, 10).over.winners == (nation,)
    assert _in_winter(5, options, owners, 11).over.winners == (nation, pirates)
    assert _in_winter(5, options, owners, 12).over.winners == (pirates,)


def test_a_last_year_gives_the_victory_to_whoever_holds_most() -> None:
    owners = _cities({"zair": 4, "magdag": 3})
    assert _in_winter(3, {"last_year": 3}, owners).over.winners == (PowerId("zair"),)
    assert _in_winter(2, {"last_year": 3}, owners).over is None
    assert _in_winter(50, {}, owners).over is None
    assert _in_winter(2, {"last_year": 2, "victory": "handicap"}, owners).over is not None


def test_powers_that_are_out_win_nothing_by_a_handicap() -> None:
    """An empty par is not far below nothing: with cities of Akhram alone only Akhram is left."""
    over = _in_winter(5, {"victory": "handicap"}, _cities({"akhram": 1})).over
    assert over.winners == (PowerId("akhram"),)


@pytest.mark.parametrize(
    "options", [{"victory": "handicap"}, {"last_year": 4}, {"victory": "handicap", "last_year": 4}]
)
def test_the_goal_names_the_last_year_and_one_s_own_par(options: dict[str, Any]) -> None:
    state = _start(**options)
    for power in state.variant.powers:
        goal = KREGEN.telling.goal(KREGEN.sight.view(state, Playing(power)))
        assert goal.args["year"] == options.get("last_year", 5)
        assert ("par" in goal.args) is ("victory" in options)
        assert goal.args.get("par", format_points(par(state, power))) == format_points(par(state, power))


def test_the_end_by_consent_follows_the_handicap_too() -> None:
    owners, options = _cities({"akhram": 6, "sanurkazz": 3}), {"victory": "handicap", "last_year": 9}
    assert KREGEN.play.leaders(_in_winter(5, options, owners)) == (PowerId("sanurkazz"),)
    assert KREGEN.play.leaders(_in_winter(5, {}, owners)) == (PowerId("akhram"),)


def test_the_report_ranks_powers_by_their_distance_from_par() -> None:
    state = _in_winter(4, {"victory": "handicap"}, _cities({"akhram": 6, "sanurkazz": 3, "zandikar": 4}))
    lines = KREGEN.telling.report(KREGEN.sight.view(state, EVERYBODY), (), ()).sections[-1].lines
    first = [(line.args["line"].args["power"], line.args["above"].code, line.args["above"].args) for line in lines[:3]]
    assert first == [
        ("sanurkazz", "report.own_par.above", {"count": "0.5", "par": "2.5"}),
        ("zandikar", "report.own_par.at", {"count": "0", "par": "4"}),
        ("akhram", "report.own_par.below", {"count": "0.5", "par": "6.5"}),
    ]


@pytest.mark.parametrize(
    ("options", "code"),
    [({}, "cities"), ({"last_year": 5}, "centres"), ({"victory": "handicap"}, "par")],
)
def test_a_chart_of_supply_points_says_what_wins_instead(options: dict[str, Any], code: str) -> None:
    assert KREGEN.telling.standings is not None
    decides = KREGEN.telling.standings(KREGEN.sight.view(_start(**options), EVERYBODY)).decides
    assert decides is not None
    assert decides.code == f"standings.{code}"
