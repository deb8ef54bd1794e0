"""Somebody's own part of a picture, on maps of provinces and of squares, and lines that fail drawn as failed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.core.ids import PowerId, SystemId
from engine.core.viewer import EVERYBODY, Playing
from engine.pictures.legend import ArrowStatus
from engine.pictures.realm import is_large, own_part, own_realm, whole_board, with_failing
from engine.pictures.scene import Scene
from engine.pictures.tiles import TileScene
from engine.registry import systems
from tests.bot.render.kregen import ORDERS, document, pending

KINGS = systems[SystemId("king_of_kings")]
RED = PowerId("red")


def opening(system: str, orders: str = "", power: str = "") -> Scene:
    rules = systems[SystemId(system)]
    state = rules.play.start(variant="standard", players=max(rules.info.seats), options={}, seed="realm")
    view = rules.sight.view(state, Playing(PowerId(power)) if power else EVERYBODY)
    read = [one.order for one in rules.orders.parse(orders, view).orders]
    shown = rules.telling.scene(view, orders=read)
    assert isinstance(shown, Scene)
    return shown


def squares(columns: int, **red: Any) -> TileScene:
    state = KINGS.play.load({
        "system": "king_of_kings", "seed": "s",
        "state": {
            "map": ["P" * columns],
            "nations": [{"name": "red"}, {"name": "blue"}],
            "provinces": [
                {"x": 2, "y": 0, "units": {"red": {"H": 1}}},
                {"x": columns - 3, "y": 0, "units": {"blue": {"F": 1}}},
            ],
        },
    })  # fmt: skip
    view = KINGS.sight.view(state, Playing(RED))
    orders = [read.order for read in KINGS.orders.parse("LAND 2 0 AT E E E", view).orders]
    shown = KINGS.telling.scene(view, orders=orders)
    assert isinstance(shown, TileScene)
    return shown


def test_a_realm_is_what_a_power_owns_holds_and_where_its_orders_lead() -> None:
    shown = own_realm(opening("diplomacy", "A MAR - SPA", "france"), PowerId("france"))
    assert isinstance(shown, Scene)
    assert set(shown.focus) == {"BRE", "PAR", "MAR", "SPA"}
    assert shown.lit == "france"
    kregen = own_realm(pending("zair", ("A ZIM - SHP",), document(("zair A ZIM", "magdag A MAG"))), PowerId("zair"))
    assert isinstance(kregen, Scene)
    assert {"ZIM", "SHP"} <= set(kregen.focus)
    assert "MAG" not in kregen.focus


def test_of_orders_all_over_a_large_board_the_part_with_most_is_shown() -> None:
    """The pirates' receipts once showed nearly the whole board, too small to read."""
    renders, fleets = PowerId("renders"), document(("renders F SO3", "renders F BMA", "renders F MIN", "renders F WAB"))
    spread = ("F SO3 - SRZ, - GRO", "F BMA - MRS, - LOL", "F MIN - NOO", "F WAB H")
    shown = own_part(pending("renders", spread, fleets), renders)
    assert isinstance(shown, Scene)
    assert shown.is_part
    assert {"SO3", "SRZ", "BMA", "MRS", "LOL"} <= set(shown.focus)
    assert not {"MIN", "NOO", "WAB"} & set(shown.focus)
    board = whole_board(shown)
    assert isinstance(board, Scene)
    assert (board.focus, board.is_part) == ((), False)


def test_without_orders_it_is_the_part_with_most_units() -> None:
    """The first message of a phase showed the pirates the whole board, and called it their part of the map."""
    renders, places = PowerId("renders"), ("SO3", "SO1", "BMA", "MIN", "WAB")
    fleets = document(tuple(f"renders F {place}" for place in places))
    for orders in ((), ("F MIN H",)):
        scene = replace(pending("renders", ("F MIN H",), fleets), fills={})
        shown = own_part(scene if orders else replace(scene, arrows=()), renders)
        assert isinstance(shown, Scene)
        assert (shown.is_part, set(shown.focus)) == (True, {"SO3", "SO1", "BMA"})


def test_lands_far_from_each_other_without_a_unit_are_shown_in_part_too() -> None:
    scene = pending("renders", (), document(("zair F SWD",), owners=dict.fromkeys(("MIN", "SO3", "SO1"), "renders")))
    shown = own_part(scene, PowerId("renders"))
    assert isinstance(shown, Scene)
    assert (shown.is_part, set(shown.focus)) == (True, {"SO3", "SO1"})


def test_a_realm_that_can_be_read_is_shown_whole() -> None:
    for power in ("zair", "magdag", "sanurkazz"):
        scene = pending(power, ORDERS[power])
        assert own_part(scene, PowerId(power)) == own_realm(scene, PowerId(power)), power


def test_a_realm_of_squares_takes_in_the_ways() -> None:
    shown = own_realm(squares(20), RED)
    assert isinstance(shown, TileScene)
    assert set(shown.focus) == {(2, 0), (3, 0), (4, 0), (5, 0)}


def test_the_whole_board_keeps_the_own_units_lit() -> None:
    shown = whole_board(own_realm(opening("diplomacy"), PowerId("france")))
    assert isinstance(shown, Scene)
    assert (shown.focus, shown.lit) == ((), "france")


def test_large_boards_are_those_that_no_chat_shows_legibly() -> None:
    assert is_large(opening("kregen"))
    assert is_large(squares(20))
    assert not is_large(squares(14))
    assert not any(is_large(opening(system)) for system in ("diplomacy", "feudal", "young_kingdoms"))


def test_orders_that_will_fail_are_drawn_as_failed_and_others_are_not() -> None:
    both = opening("diplomacy", "A MAR - BUR; A PAR - BUR; F BRE - MAO".replace(";", "\n"), "france")
    lost = opening("diplomacy", "A MAR - BUR; A PAR - BUR".replace(";", "\n"), "france")
    shown = with_failing(both, lost)
    assert isinstance(shown, Scene)
    assert {arrow.start: arrow.status for arrow in shown.arrows} == {
        "MAR": ArrowStatus.FAILED,
        "PAR": ArrowStatus.FAILED,
        "BRE": ArrowStatus.PENDING,
    }
