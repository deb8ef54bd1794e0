"""The guided flow of King of Kings: what it asks, and that it offers nothing that would fail."""

from __future__ import annotations

import random

import pytest

from engine.core.ids import PowerId
from engine.core.orders import Menu
from engine.core.reading import read_orders
from engine.core.variant import load_phrases
from engine.core.viewer import Playing
from engine.king_of_kings.model import State, View
from engine.king_of_kings.system import KING_OF_KINGS

RULES = KING_OF_KINGS
RED = PowerId("red")
STATE = RULES.play.load({
    "system": "king_of_kings", "seed": "s",
    "state": {
        "map": ["PPP~~", "PFM~~", "PPP~P"],
        "nations": [{"name": "red", "gold": 12, "wood": 10}, {"name": "blue"},
                    {"name": "monsters", "controller": "monsters"}],
        "provinces": [
            {"x": 0, "y": 0, "units": {"red": {"F": 2, "H": 1}}}, {"x": 1, "y": 0, "owner": "red"},
            {"x": 2, "y": 0, "units": {"red": {"F": 1, "S": 1}}},
            {"x": 0, "y": 2, "units": {"blue": {"B": 1}}}, {"x": 1, "y": 2, "owner": "blue"},
        ],
    },
})  # fmt: skip
VIEW = View(STATE, RED)


def step(*path: str) -> Menu:
    return RULES.orders.menu(VIEW, path)


def values(*path: str) -> list[str]:
    return [choice.value for choice in step(*path).choices]


def test_the_first_step_offers_the_kinds_that_can_be_ordered() -> None:
    assert values() == ["LAND", "PLA", "BUILD", "DEF", "SEA", "ALL", "PASS"]
    assert step("PASS").order == "PASS"


def after(sheet: str, *path: str) -> list[str]:
    lines = read_orders(RULES, VIEW, sheet).values
    return [choice.value for choice in RULES.orders.menu(VIEW, path, orders=lines).choices]


def test_whoever_has_orders_for_all_its_units_is_not_offered_again() -> None:
    assert after("LAND 0 0 AT S", "LAND") == ["LAND 2 0"]
    assert after("LAND 0 0 AT S\nLAND 2 0 AT W") == ["PLA", "BUILD", "DEF", "ALL", "PASS"]
    assert after("SEA 2 0 FO 1 SH 1 E") == ["LAND", "PLA", "BUILD", "DEF", "ALL", "PASS"]


def test_who_is_left_of_an_army_and_whoever_could_not_go_is_offered() -> None:
    assert after("LAND 0 0 FO 2 S", "LAND") == ["LAND 0 0", "LAND 2 0"]
    assert after("LAND 0 0 AT N", "LAND") == ["LAND 0 0", "LAND 2 0"]
    assert after("LAND 0 0 AT S\nPLA 0 0 FO", "LAND") == ["LAND 2 0"]


def test_what_is_spent_is_offered_no_more() -> None:
    """Twelve gold and ten wood: one improvement, or two foot soldiers, and a ship. Source: K-13, E06, E07, E14"""
    assert after("BUILD 0 0") == ["LAND", "PLA", "DEF", "SEA", "ALL", "PASS"]
    assert after("BUILD 0 0", "PLA", "PLA 2 0") == ["PLA 2 0 SH"]
    assert after("PLA 2 0 SH", "PLA", "PLA 2 0") == ["PLA 2 0 FO", "PLA 2 0 BO", "PLA 2 0 HO", "PLA 2 0 CA"]
    assert after("PLA 0 0 FO", "PLA") == ["PLA 1 0", "PLA 2 0"]
    assert after("PLA 0 0 FO", "PLA", "PLA 1 0") == ["PLA 1 0 FO", "PLA 1 0 BO"]
    assert after("PLA 0 0 FO 2 0 SH 1 0 BO") == ["LAND", "DEF", "SEA", "ALL", "PASS"]


def test_what_is_left_to_spend_is_told() -> None:
    words = load_phrases("king_of_kings")

    def asked(sheet: str, *path: str) -> str:
        return words.render(RULES.orders.menu(VIEW, path, orders=read_orders(RULES, VIEW, sheet).values).prompt)

    assert asked("").endswith("To spend: 12 gold and 10 wood.")
    assert asked("PLA 0 0 FO", "PLA", "PLA 1 0").endswith("To spend: 6 gold and 10 wood.")
    assert asked("PLA 2 0 SH", "BUILD").endswith("To spend: 12 gold and 0 wood.")
    assert "To spend" not in asked("", "LAND")


def test_what_goes_once_a_turn_is_offered_once() -> None:
    """Source: K-19, rules 4.3"""
    document = RULES.play.dump(STATE)
    red, blue, _ = document["state"]["nations"]
    red["status"], blue["status"] = {"blue": 5}, {"red": 5}
    view = View(RULES.play.load(document), RED)

    def left(sheet: str, *path: str) -> list[str]:
        lines = read_orders(RULES, view, sheet).values
        return [choice.value for choice in RULES.orders.menu(view, path, orders=lines).choices]

    assert {"ALL", "DONATE", "CEDE"} <= set(left(""))
    assert "CEDE" not in left("CEDE 1 0 blue")
    assert "ALL" not in left("ALL blue 4")
    assert left("DONATE blue 4", "DONATE", "DONATE blue") == [f"DONATE blue {gold}" for gold in (1, 4, 8)]
    assert "DONATE" not in left("DONATE blue 12")


def test_a_march_asks_who_goes_and_where_to() -> None:
    assert values("LAND") == ["LAND 0 0", "LAND 2 0"]
    assert values("LAND", "LAND 0 0") == ["AT", "FO 1 HO 1", "FO 2", "FO 1", "HO 1"]
    assert set(values("LAND", "LAND 0 0", "AT")) == {"S", "E", "S S", "S E", "E E"}
    assert "E E S" in values("LAND", "LAND 0 0", "HO 1")
    assert step("LAND", "LAND 0 0", "AT", "E E").order == "LAND 0 0 AT E E"


def test_an_attack_asks_for_the_tactic_and_a_pincer_takes_horsemen() -> None:
    assert values("LAND", "LAND 0 0", "AT", "S S") == ["-", "F", "P", "T", "U", "C"]
    assert values("LAND", "LAND 0 0", "FO 2", "S S") == ["-", "F", "T", "U", "C"]
    assert step("LAND", "LAND 0 0", "AT", "S S", "P").order == "LAND 0 0 P AT S S"
    assert step("LAND", "LAND 0 0", "AT", "S S", "-").order == "LAND 0 0 AT S S"


def test_a_voyage_names_ships_and_crew_and_goes_round_the_land() -> None:
    assert values("SEA", "SEA 2 0") == ["FO 1 SH 1"]
    ways = values("SEA", "SEA 2 0", "FO 1 SH 1")
    assert ways[0] == "E"
    assert {"E E", "E S", "E S S"} <= set(ways)
    assert step("SEA", "SEA 2 0", "FO 1 SH 1", "E S S").order == "SEA 2 0 FO 1 SH 1 E S S"


@pytest.mark.parametrize(("ships", "kinds"), [(2, {"SEA", "LAND"}), (3, {"LAND"})])
def test_a_fleet_that_would_leave_ships_at_sea_without_crew_is_not_offered(ships: int, kinds: set[str]) -> None:
    """After hunger at sea: one hand sails two ships, and the third may not stay alone (E19; rules 5.2)."""
    state = RULES.play.load({
        "system": "king_of_kings", "seed": "s",
        "state": {
            "map": ["P~~~"], "nations": [{"name": "red"}, {"name": "blue"}],
            "provinces": [{"x": 0, "y": 0, "owner": "red"}, {"x": 1, "y": 0, "units": {"red": {"F": 1, "S": ships}}}],
        },
    })  # fmt: skip
    view = View(state, RED)
    assert {choice.value for choice in RULES.orders.menu(view, ()).choices} & {"SEA", "LAND"} == kinds
    assert any(subject.startswith("SEA") for subject in RULES.orders.legal(view)) is ("SEA" in kinds)


def test_nothing_is_offered_towards_the_monsters() -> None:
    assert values("ALL") == ["ALL blue"]


def test_outdated_choices_begin_again() -> None:
    first = step()
    for path in (("no",), ("LAND", "LAND 4 2"), ("LAND", "LAND 0 0", "AT", "N"), ("BUILD", "BUILD 9 9"), ("PASS", "x")):
        assert step(*path) == first


def test_everything_that_is_offered_would_be_carried_out() -> None:
    orders = 0
    paths: list[tuple[str, ...]] = [()]
    for path in paths:
        menu = step(*path)
        paths.extend((*path, choice.value) for choice in menu.choices)
        if menu.order is not None:
            reading = read_orders(RULES, VIEW, menu.order)
            rehearsal = RULES.orders.rehearse(VIEW, reading.orders)
            assert reading.errors == ()
            assert [(menu.order, line.code) for line in rehearsal.lines if line.level == "error"] == []
            orders += 1
    assert orders > 80


def put_together(state: State, nation: PowerId, chance: random.Random, steps: int) -> list[str]:
    """A sheet that somebody makes by choosing anything in the guide, one order after the other."""
    view, sheet = View(state, nation), list[str]()
    for _ in range(steps):
        path: tuple[str, ...] = ()
        orders = read_orders(RULES, view, "\n".join(sheet)).values
        menu = RULES.orders.menu(view, path, orders=orders)
        while menu.order is None:
            choices = [choice.value for choice in menu.choices if choice.value != "PASS"]
            if not choices:
                return sheet
            path = (*path, chance.choice(choices))
            menu = RULES.orders.menu(view, path, orders=orders)
        sheet.append(menu.order)
    return sheet


@pytest.mark.parametrize("seed", range(5))
def test_whole_sheets_that_are_put_together_by_the_guide_would_be_carried_out(seed: int) -> None:
    chance = random.Random(seed)
    state = RULES.play.start(variant="classic", players=3, options={"loyalty": seed % 2 == 0}, seed=str(seed))
    for _ in range(6):
        sheets = {
            nation: put_together(state, nation, chance, 12) for nation in state.nations if state.is_played(nation)
        }
        for nation, sheet in sheets.items():
            view = View(state, nation)
            rehearsed = RULES.orders.rehearse(view, read_orders(RULES, view, "\n".join(sheet)).orders)
            failed = [(sheet[row.line - 1], row.code) for row in rehearsed.lines if row.level == "error"]
            assert failed == [], "\n".join(sheet)
        lines = {
            nation: read_orders(RULES, View(state, nation), "\n".join(sheet)).values for nation, sheet in sheets.items()
        }
        state = RULES.play.adjudicate(state, lines, RULES.play.dice(state)).state


def test_a_landing_of_two_kinds_of_transport_is_offered_with_one() -> None:
    """The other kind stays at sea if somebody is left to sail it. Source: rules 2.1; ruling K-95"""
    troops = [
        {"name": "infantry", "symbol": "I", "land_move": 2, "casualty_land": 1, "flags": ["crew"]},
        {"name": "transport", "symbol": "T", "sea_move": 5, "casualty_sea": 2, "flags": ["transport"]},
        {"name": "barge", "symbol": "B", "sea_move": 5, "casualty_sea": 4, "flags": ["transport"]},
    ]
    for crew, wanted in ((False, ("LAND 0 0 AT TR 1 E",)), (True, ())):
        state = RULES.play.load(
            {
                "options": {"crew": crew},
                "state": {
                    "map": ["~P"],
                    "troops": troops,
                    "nations": [{"name": "red"}, {"name": "blue"}],
                    "provinces": [{"x": 0, "y": 0, "units": {"red": {"I": 1, "T": 1, "B": 1}}}],
                },
            }
        )
        view = RULES.sight.view(state, Playing(PowerId("red")))
        offered = [line.canonical for lines in RULES.orders.legal(view).values() for line in lines]
        assert tuple(order for order in offered if order.startswith("LAND")) == wanted


def test_marches_to_new_land_are_listed_before_those_at_home() -> None:
    (marches,) = RULES.orders.shortlists(VIEW, {"LAND"}, ())
    ends_at_home = [choice.label.endswith(", yours") for choice in marches.orders]
    assert True in ends_at_home
    assert False in ends_at_home
    assert ends_at_home == sorted(ends_at_home)
