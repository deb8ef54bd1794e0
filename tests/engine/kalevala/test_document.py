"""Documents: what is left out, what can't be right, and that a game reads back equal. Source: rules 30"""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.answers import answer_line
from engine.core.errors import DocumentError
from engine.core.ids import PowerId
from engine.core.viewer import EVERYBODY, Playing
from engine.kalevala.coordinates import GfId, Province, coordinate_of, format_gf, neighbours_of, parse_edge, parse_gf
from engine.kalevala.document import load
from engine.kalevala.figures import format_figures, parse_figures
from engine.kalevala.land import land_of
from engine.kalevala.system import KALEVALA
from engine.kalevala.view import view
from engine.kalevala.writing import dump


def position(**state: Any) -> dict[str, Any]:
    return {"system": "kalevala", "state": state}


def test_the_start_of_small_reads_back_equal() -> None:
    state = load({"system": "kalevala", "seed": "x"})
    assert len(state.land) == 61
    assert list(state.rulers) == ["fina", "anna", "bert", "carl", "dora", "emil", "wolves"]
    assert load(json.loads(json.dumps(dump(state)))) == state


def test_scouts_who_came_to_the_edge_of_the_world_are_remembered() -> None:
    document = dump(load({"system": "kalevala", "seed": "x"}))
    document["state"]["rulers"]["anna"]["barred"] = [["2E+8", "2A+10", 1]]
    state = load(json.loads(json.dumps(document)))
    assert "2A+10" not in state.land
    assert state.rulers[PowerId("anna")].remembers_bar(Province("2E+8"), Province("2A+10"), 2) == 1
    assert load(json.loads(json.dumps(dump(state)))) == state


def test_each_realm_of_small_yields_38_and_has_80_of_troops() -> None:
    from engine.kalevala.figures import of_group, worth
    from engine.kalevala.tables import Group

    state = load({"system": "kalevala"})
    for ruler in ("fina", "anna", "bert", "carl", "dora", "emil"):
        centres = [state.land[GfId(province)].centre for province in state.owned(ruler)]  # type: ignore[arg-type]
        assert sum(centre.centre.arming for centre in centres if centre) == 22
        troops = sum(worth(of_group(stack, Group.HUMAN)) for stack in state.stacks[PowerId(ruler)].values())
        assert troops == {"carl": 77}.get(ruler, 80)


def test_strom_and_sea_divide_what_nature_divides() -> None:
    land = land_of(load({"system": "kalevala"}))
    assert land.provinces(GfId("2D+7")) == ("2D+7/1", "2D+7/2")
    assert land.provinces(GfId("2G+4")) == ("2G+4",)
    assert "2C+7" in land.links(Province("2D+7/1"))
    assert "2C+7" not in land.links(Province("2D+7/2"))


def test_a_typed_position_needs_no_map() -> None:
    state = load(position(stacks={"Anna": {"d4": "3l, 2LA+RE"}}))
    assert dump(state)["state"]["stacks"] == {"anna": {"2D+4": "5L 1RE"}}
    assert land_of(state).links(Province("2D+4")) == tuple(sorted(map(Province, neighbours_of(GfId("2D+4")))))


@pytest.mark.parametrize(
    ("document", "where"),
    [
        (position(gf={"2D+4": {"kf": "T" * 47}}), "state.gf.2D+4.kf"),
        (position(gf={"2D+4": {"kf": "X" * 48}}), "state.gf.2D+4.kf"),
        (position(gf={"2J+4": {}}), "state.gf.2J+4"),
        (position(gf={"2D+4": {"hz": {"type": "Dorf"}}}), "state.gf.2D+4.hz.type"),
        (position(gf={"2D+4": {"hz": {"type": "Std", "kf": 49}}}), "state.gf.2D+4.hz.kf"),
        (position(gf={"2D+4": {"river": ["49/E"]}}), "state.gf.2D+4.river[0]"),
        (position(gf={"2D+4": {"works": [{"type": "Tu"}]}}), "state.gf.2D+4.works[0].kf"),
        (position(owners={"2D+4": 5}), "state.owners.2D+4"),
        (position(rulers={"anna": {"barred": [["2D+4", "2D+5"]]}}), "state.rulers.anna.barred[0]"),
        (position(rulers={"anna": {"barred": [["2D+4", "there", 1]]}}), "state.rulers.anna.barred[0]"),
        (position(rulers={"anna": {"barred": [["2D+4", "2D+5", "1st"]]}}), "state.rulers.anna.barred[0]"),
        (position(rulers={"anna": {"god": {"seat": "Pohjola"}}}), "state.rulers.anna.god.seat"),
        (position(rulers={"anna": {"god": {"explored": [1, "?"]}}}), "state.rulers.anna.god.explored[1]"),
        (position(rulers={"anna": {"god": {"weak": ["2D+4"]}}}), "state.rulers.anna.god.weak"),
        (position(archeron=[[]]), "state.archeron"),
        (position(archeron={"gf": ["anna"]}), "state.archeron.gf"),
        (position(archeron={"gf": {"first": "anna"}}), "state.archeron.gf.first"),
        (position(owners={"2D+4/2": "anna"}), "state.owners.2D+4/2"),
        (position(stacks={"anna": {"2D+4": "5XX"}}), "state.stacks.anna.2D+4"),
        (position(owners={"2D+4": "anna"}, explored={"zoe": []}), "state.explored.zoe"),
        (position(owners={"2D+4": "anna"}, explored={"anna": [{"from": "2D+4"}]}), "state.explored.anna[0].to"),
        (position(owners={"2D+4": "anna"}, used={"anna": [7]}), "state.used.anna[0]"),
        (position(owners={"2D+4": "anna"}, rulers={"anna": {"core": "B"}}), "state.rulers.anna.core"),
        (position(rulers={"anna": {"god": {"seat": "first"}}}), "state.rulers.anna.god.seat"),
        (position(rulers={"anna": {"god": {"explored": [{}]}}}), "state.rulers.anna.god.explored[0]"),
        (position(rulers={"anna": {"god": {"weak": {"gf": "2D+4", "kf": 49}}}}), "state.rulers.anna.god.weak.kf"),
        (position(wars=[["anna"]]), "state.wars[0]"),
        (position(allies=["anna"]), "state.allies[0]"),
        (position(seas={"anna": 5}), "state.seas.anna"),
        (position(stacks={"anna": {"2D+4": "3L Z/30", "2D+5": "1LS[2L Z/9]"}}), "state.stacks.anna"),
        (position(stacks={"anna": {"2D+4": "3L 2Z/30"}}), "state.stacks.anna"),
        (position(stacks={"anna": {"2D+4": "3L KrKö/4/0", "2D+5": "1L AgKö/4/0"}}), "state.stacks.anna"),
        (position(stacks={"anna": {"2D+4": "3L My/0", "2D+5": "FS[1L My/3]"}}), "state.stacks.anna"),
        (position(sites=[{"winner": "anna", "gf": "2D+4"}]), "state.sites[0].gf"),
        (position(archeron={"seats": {"anna": "first"}}), "state.archeron.seats.anna"),
        ({"system": "kalevala", "phase": {"part": 2}}, "phase.part"),
        ({"system": "kalevala", "dice": {"explore/anna/1": [101]}}, "dice.explore/anna/1[0]"),
        ({"system": "kalevala", "variant": "large"}, "variant"),
    ],
)
def test_what_can_not_be_right_is_named_with_its_place(document: dict[str, Any], where: str) -> None:
    with pytest.raises(DocumentError) as raised:
        load(document)
    assert raised.value.where == where


def test_null_in_the_rows_of_gods_and_of_archeron_counts_as_left_out() -> None:
    rulers = {"anna": {"god": {"oeh": None, "weak": None, "explored": None}}}
    given = position(rulers=rulers, archeron={"gf": None, "seats": None}, owners={"2D+4": "anna"})
    answer = answer_line(json.dumps({"game": given, "orders": {"anna": ["PASS"]}}).encode())
    assert "error" not in answer


def test_a_divided_field_has_to_be_named_with_its_part() -> None:
    strom = "".join("W" if cell in (2, 7, 13, 20, 27, 34, 40, 45) else "T" for cell in range(1, 49))
    with pytest.raises(DocumentError, match="2D\\+4/1, 2D\\+4/2"):
        load(position(gf={"2D+4": {"kf": strom}}, owners={"2D+4": "anna"}))


@pytest.mark.parametrize(
    ("text", "read"),
    [("2X-17", "2X-17"), ("x-17", "2X-17"), ("D4", "2D+4"), ("2a'+12", "2A'+12"), ("W+0", "2W+0"), ("1J-6", "1J-6")],
)
def test_coordinates_are_read(text: str, read: str) -> None:
    gf = parse_gf(text)
    assert gf == read
    assert gf is not None
    assert format_gf(coordinate_of(gf)) == read


@pytest.mark.parametrize("text", ["J+4", "2D", "D+4444", "Ä+4", "3", "2D+4+4", ""])
def test_what_is_no_coordinate_is_none(text: str) -> None:
    assert parse_gf(text) is None


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("3AC 5L 4On 6Le Z/55", "3AC 5L Z/55 6Le 4On"),
        ("LA la,2L+L", "5L"),
        ("AB 2sp QuW/3 2QuW(4)", "1AB 2sP 2QuW(4) QuW/3"),
        ("Pr/23 2Pr/0", "2Pr/0 Pr/23"),
        ("KrKoe/4/0 KrKö/4/0", "2KrKö/4/0"),
        ("LS[2LB On] 3RE Lt SI", "1Sl 1Le LS[2LB 1On] 3RE"),
    ],
)
def test_figures_are_read_and_written(text: str, written: str) -> None:
    figures = parse_figures(text)
    assert figures is not None
    assert format_figures(figures) == written
    assert parse_figures(written) == figures


@pytest.mark.parametrize("text", ["5XX", "LD", "5 L/3", "RE[1L]", "-3L", "LS[", "1e3L", "L(4)"])
def test_what_are_no_figures_is_none(text: str) -> None:
    assert parse_figures(text) is None


def test_edges_are_read() -> None:
    assert str(parse_edge("12/ne")) == "12/NE"
    assert parse_edge("49/E") is None
    assert parse_edge("12/N") is None


def test_views_hide_what_is_not_known() -> None:
    state = load({"system": "kalevala", "seed": "x"})
    seen = view(state, Playing("anna"))  # type: ignore[arg-type]
    assert list(seen.state.land) == ["2E+7", "2E+8", "2F+7"]
    assert set(seen.state.owners.values()) == {"anna"}
    assert list(seen.state.stacks) == ["anna"]
    assert KALEVALA.sight.document(seen)["state"]["rulers"]["fina"] == {}
    nobody = view(state, EVERYBODY).state
    assert not nobody.land
    assert not nobody.stacks


def test_what_play_has_come_to_is_never_refused_for_a_second_wizard() -> None:
    later = position(stacks={"anna": {"2D+4": "3L Z/30", "2D+5": "3L Z/9"}}) | {"phase": {"gr": 2, "part": 1}}
    assert load(later).gr == 2
