"""What wins, by the text and with the option `victory=balanced`. Ruling K27."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.ids import PowerId
from engine.core.viewer import EVERYBODY
from engine.kregen.eye import eye_of
from engine.kregen.supply import points
from engine.kregen.system import KREGEN
from engine.kregen.victory import numbers_of


def _start(**options: Any) -> Any:
    return KREGEN.play.start(variant="standard", players=8, options=options, seed="")


def _after(options: dict[str, Any], **position: Any) -> Any:
    phase = {"year": 5, "season": "winter", "kind": "adjustments"}
    state = KREGEN.play.load({"options": options, "phase": phase, "state": {"units": [], **position}})
    return KREGEN.play.adjudicate(state, {}, KREGEN.play.dice(state)).state.over


def _owned_by_zair(cities: int) -> dict[str, str]:
    """So many cities, of each shape in turn."""
    city = eye_of(_start().variant).city
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
    needed, centres = numbers_of(_start(victory=victory)).fleets, eye_of(_start().variant).pirate_centres
    assert needed > len(centres) // 2

    def over(fleets: int) -> Any:
        units = [{"power": "renders", "kind": "F", "at": centres[n % len(centres)]} for n in range(fleets)]
        owners = dict.fromkeys(eye_of(_start().variant).city, "renders") | dict.fromkeys(centres, "renders")
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
