"""What a scene of Kregen says: sites and their owners, both impulses, steps that join, company, duels."""

from __future__ import annotations

import pytest

from engine.core.ids import PlaceId, PowerId
from engine.core.viewer import EVERYBODY
from engine.kregen.scene import scene
from engine.pictures.legend import ArrowStatus
from engine.pictures.scene import Arrow, Mark, Scene, UnitMark
from tests.bot.render.kregen import RULES, document, pending, read, results


def told(shown: Scene) -> list[str]:
    """Arrows as short texts: `move F ZY SWD first`, with what else is said of them."""
    return [_text(arrow) for arrow in shown.arrows]


def _text(arrow: Arrow) -> str:
    words = [arrow.kind, arrow.unit_kind, arrow.start, arrow.end, *arrow.via, arrow.manner]
    words += ["onward"] if arrow.is_onward else []
    words += [f"x{arrow.count}"] if arrow.count > 1 else []
    words += ["failed"] if arrow.status is ArrowStatus.FAILED else []
    return " ".join(filter(None, words))


@pytest.mark.parametrize(
    ("order", "arrows"),
    [
        ("A ZIM - SHP", ["move A ZIM SHP first"]),
        ("A ZIM - SHP (2)", ["move A ZIM SHP second"]),
        ("A ZIM H", ["hold A ZIM ZIM"]),
        ("A ZIM S A SEC", ["support_hold A ZIM SEC SEC"]),
        ("F SWD - ZY - SZR", ["move F SWD ZY first", "move F ZY SZR second onward"]),
        ("F SWD H, - ZY", ["move F SWD ZY second"]),
        ("F SWD - KRO, S F ZY - SZR", ["move F SWD KRO first", "support_move F KRO SZR ZY second onward"]),
        ("F SWD S F ZY - SZR, - KRO", ["support_move F SWD SZR ZY first", "move F SWD KRO second"]),
        ("H ZY - ZIM, aid", ["move H ZY ZIM first", "hold H ZIM ZIM aid onward"]),
        ("H ZY aid", ["hold H ZY ZY aid"]),
        ("H GAN betray to renders", ["hold H GAN GAN betray"]),
    ],
)
def test_an_order_is_drawn_in_the_impulses_in_which_it_is_carried_out(order: str, arrows: list[str]) -> None:
    state = document(("zair A ZIM", "zair A SEC", "zair F SWD", "zair F ZY", "zair H ZY", "zair H GAN"))
    assert told(pending("zair", (order,), state)) == arrows


def test_two_fleets_under_one_order_have_one_broad_arrow() -> None:
    state = document(("magdag F OVL", "magdag F OVL"))
    shown = pending("magdag", ("FF OVL - RNS",), state)
    assert told(shown) == ["move F OVL RNS first x2"]
    assert shown.units == (UnitMark(PowerId("magdag"), "F", PlaceId("OVL"), count=2),)


def test_results_of_two_fleets_that_went_together_have_one_arrow_too() -> None:
    state = document(("magdag F OVL", "magdag F OVL"))
    assert "move F OVL RNS first x2" in told(results(state, {"magdag": ("FF OVL - RNS",)}))


def test_a_convoyed_army_goes_by_its_route_and_its_hero_with_it() -> None:
    state = document(("zair A ZIM", "zair H ZIM", "zair F SWD"))
    shown = pending("zair", ("A ZIM - SWD - JKA", "H ZIM with A ZIM", "F SWD C"), state)
    assert told(shown) == [
        "move A ZIM JKA SWD second",
        "move H ZIM JKA SWD second",
        "convoy F SWD JKA ZIM second",
    ]


def test_a_fleet_sails_out_and_convoys_where_it_comes_to() -> None:
    state = document(("zair A ZIM", "zair F ZY"))
    shown = pending("zair", ("A ZIM - SWD - JKA", "F ZY - SWD, C A ZIM - JKA"), state)
    assert told(shown)[1:] == ["move F ZY SWD first", "convoy F SWD JKA ZIM second onward"]


def test_a_second_step_after_a_failed_first_is_not_drawn() -> None:
    state = document(("zair F ZY", "renders F SWD"), garrisons=())
    shown = results(state, {"zair": ("F ZY - SWD, - JKA",)})
    assert told(shown)[:1] == ["move F ZY SWD first failed"]
    assert [arrow for arrow in shown.arrows if arrow.manner == "second"] == []


def test_only_the_step_that_failed_is_crossed_out() -> None:
    state = document(("zair F ZY", "renders F SZR"), garrisons=())
    shown = results(state, {"zair": ("F ZY - KRO, - SZR",)})
    assert told(shown)[:2] == ["move F ZY KRO first", "move F KRO SZR second onward failed"]


def test_sites_tell_shape_owner_capital_garrison_and_plunder() -> None:
    shown = scene(RULES.sight.view(document(), EVERYBODY))
    at = {mark.place: mark for mark in shown.marks if mark.kind in ("square", "circle", "diamond", "x")}
    assert (at[PlaceId("MAG")].kind, at[PlaceId("MAG")].power) == ("square", "magdag")
    assert (at[PlaceId("ZY")].kind, at[PlaceId("PRC")].kind, at[PlaceId("WAB")].kind) == ("circle", "diamond", "x")
    assert at[PlaceId("VSK")].power is None
    assert Mark("garrison", PlaceId("VSK"), label="1") in shown.marks
    assert Mark("plundered", PlaceId("IST")) in shown.marks
    assert Mark("capital", PlaceId("ZY"), PowerId("zair")) in shown.marks


def test_a_duel_is_marked_where_it_was_fought() -> None:
    state = document(("zair H ZIM", "renders H SHP"), garrisons=())
    shown = results(state, {"zair": ("H ZIM - SHP", "duel H ZIM 40 kill")})
    assert [mark.place for mark in shown.marks if mark.kind == "swords"] == ["SHP"]


def test_no_number_of_a_duel_is_in_a_scene() -> None:
    state = document(("zair H ZIM", "renders H SHP"), garrisons=())
    one, other = (pending("zair", (f"duel H ZIM {number}",), state) for number in ("40 kill", "77 capture"))
    assert one == other


def test_heroes_stand_beside_units_and_never_before_them() -> None:
    shown = scene(RULES.sight.view(document(("zair H ZIM", "zair A ZIM")), EVERYBODY))
    assert [unit.kind for unit in shown.units] == ["A", "H"]


def test_the_legend_counts_what_wins_and_the_points() -> None:
    shown = scene(RULES.sight.view(document(), EVERYBODY))
    rows = {row.power: dict(row.figures) for row in shown.legend}
    assert rows[PowerId("magdag")] == {"square": 4, "circle": 0, "half_points": 10}
    assert rows[PowerId("proconia")]["diamond"] == 1
    assert rows[PowerId("renders")] == {"x": 10, "cities": 1, "half_points": 11, "fleets": 9}


def test_a_public_scene_shows_no_orders() -> None:
    state = document(("zair A ZIM",))
    shown = scene(RULES.sight.view(state, EVERYBODY), orders=read(state, "zair", ("A ZIM - SHP",)))
    assert shown.arrows == ()
