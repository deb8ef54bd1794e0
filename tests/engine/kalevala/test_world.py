"""The variant `world`: maps by lot. Source: rules R-094, R-095, rulings KA50, KA51"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import pytest

from engine.core.errors import DocumentError
from engine.core.ids import PowerId
from engine.core.viewer import EVERYBODY
from engine.kalevala.board import variant_of
from engine.kalevala.coordinates import coordinate_of, gf_of, neighbours_of, parse_edge
from engine.kalevala.document import load
from engine.kalevala.figures import kind_of
from engine.kalevala.info import INFO
from engine.kalevala.land import land_of
from engine.kalevala.model import MARAUDER, State
from engine.kalevala.status import status
from engine.kalevala.system import sketch, start
from engine.kalevala.tables import CENTRES, TERRAIN
from engine.kalevala.view import view
from engine.kalevala.world.centres import SITES
from engine.kalevala.world.promise import promise_of
from engine.kalevala.world.start import start_of_world
from engine.kalevala.writing import dump
from engine.lattice.great_fields import FieldCell, Side, over

SIZES = (2, 3, 6)
"""A world of six takes most of a second."""


@cache
def world(rulers: int, seed: str = "fair") -> State:
    """A world of one plane."""
    return start(variant="world", players=rulers, options={"planes": False}, seed=seed)


def _warriors(state: State, ruler: PowerId) -> Counter[str]:
    found: Counter[str] = Counter()
    for stack in state.stacks[ruler].values():
        found.update({item: count for item, count in stack.items() if kind_of(item).is_warrior})
    return found


def played(state: State) -> list[Any]:
    return [name for name, own in state.rulers.items() if own.is_played]


@pytest.mark.parametrize("rulers", SIZES)
def test_a_world_passes_the_reader_as_it_was_made(rulers: int) -> None:
    state = world(rulers)
    assert load(dump(state)) == state
    assert len(state.land) == 19 * rulers
    assert state.has_rim
    assert all(len(field.cells) == 48 for field in state.land.values())


def test_a_seed_makes_its_world_again_and_another_one_another() -> None:
    assert start_of_world(2, "one") == start_of_world(2, "one")
    assert start_of_world(2, "one") != start_of_world(2, "other")


@pytest.mark.parametrize("variant", ["small", "world"])
def test_all_rulers_can_begin_with_the_same_troops(variant: str) -> None:
    def troops(*, same: bool) -> list[tuple[str, Counter[str]]]:
        state = start(variant=variant, players=6, options={"same_troops": same}, seed="alike")
        assert load(dump(state)) == state
        return [(own.core, _warriors(state, name)) for name, own in state.rulers.items() if own.kind != MARAUDER]

    assert all(row == troops(same=True)[0] for row in troops(same=True))
    state = start(variant=variant, players=6, options={"same_troops": True, "places": 5}, seed="alike")
    assert len({own.core for own in state.rulers.values() if own.kind != MARAUDER}) == 1, "who comes later too"
    assert len({core for core, _ in troops(same=False)}) > 1


def test_a_world_that_was_made_is_made_again_by_every_later_version() -> None:
    """What a seed gave once, games that run count on: another generator gets another number."""
    state = start_of_world(2, "kept for good")
    letters = Counter("".join(row["kf"].replace(" ", "") for row in state["gf"].values()))
    homes = {name: row["capital"] for name, row in state["rulers"].items() if "capital" in row}
    assert (homes, letters["W"], letters["T"], letters["t"]) == KEPT


KEPT = ({"aino": "2C+6", "ahti": "2G+4"}, 524, 452, 248)


@pytest.mark.parametrize("players", [0, 1, 101])
def test_so_many_cannot_play_a_world(players: int) -> None:
    with pytest.raises(DocumentError, match="2 to 100"):
        start(variant="world", players=players, options={}, seed="")


def test_the_numbers_of_players_are_those_of_the_variant() -> None:
    assert INFO.seats_in("small") == (6,)
    assert INFO.seats_in("World") == tuple(range(2, 101))
    with pytest.raises(DocumentError, match="6 can"):
        start(variant="small", players=7, options={}, seed="")


@pytest.mark.parametrize("rulers", SIZES)
def test_land_is_enough_or_none(rulers: int) -> None:
    state = world(rulers)
    for gf, field in state.land.items():
        land = sum(TERRAIN[letter].is_land for letter in field.cells)
        assert land >= 12 or set(field.cells) == {"W"}, gf


@pytest.mark.parametrize("rulers", SIZES)
def test_realms_begin_alike(rulers: int) -> None:
    state = world(rulers)
    land = land_of(state)
    assert len(played(state)) == rulers
    for ruler in played(state):
        own, capital = state.owned(ruler), state.rulers[ruler].capital
        assert capital is not None
        assert {*own} == {capital, *neighbours_of(gf_of(capital))}
        assert all(land.is_linked(capital, province) for province in own if province != capital)
        centres = Counter(centre.type for province in own if (centre := land.centre(province)))
        assert centres == {"Hstd": 1, "Std": 1, "Mkt": 2, "F": 1}
        assert [work.type for work in state.land[gf_of(capital)].works] == ["Tu"]
        warriors: Counter[str] = Counter()
        for figures in state.stacks[ruler].values():
            warriors.update(
                {code: count for code, count in figures.items() if code[0] in "ALSB" and code[1:] in ("", "B", "C")}
            )
        price = {"": 2, "B": 4, "C": 7}
        money = state.stack(ruler, capital)["RE"]
        assert sum(price[code[1:]] * count for code, count in warriors.items()) + money == 100
        assert state.stack(ruler, capital)["Z/30"] == 1


@pytest.mark.parametrize("rulers", SIZES)
def test_what_natives_have_is_as_the_table_says(rulers: int) -> None:
    state = world(rulers)
    sites = [
        field.centre.type if field.centre is not None else ""
        for gf, field in state.land.items()
        if set(field.cells) != {"W"} and not any(gf_of(province) == gf for province in state.owners)
    ]
    for code, share in SITES.items():
        assert abs(sites.count(code) - len(sites) * share / 100) <= 1
    assert all(field.centre is None or field.centre.type in CENTRES for field in state.land.values())


@pytest.mark.parametrize("rulers", SIZES)
def test_trade_centres_stand_on_land_of_the_largest_part(rulers: int) -> None:
    state = world(rulers)
    land = land_of(state)
    for gf, field in state.land.items():
        if field.centre is not None:
            assert field.centre.cell is not None
            at = land.at(gf, field.centre.cell)
            assert at is not None
            assert len(land.cells(at)) == max(len(land.cells(province)) for province in land.provinces(gf))


@pytest.mark.parametrize("rulers", SIZES)
def test_marauders_hold_two_areas_for_every_four_rulers(rulers: int) -> None:
    state = world(rulers)
    wild = [name for name, own in state.rulers.items() if own.kind == MARAUDER]
    assert len(wild) == rulers // 2
    for name in wild:
        (province,) = state.owned(name)
        centre = land_of(state).centre(province)
        assert centre is not None
        assert centre.type == "Std"
        assert centre.is_founded
        assert state.stack(name, province) == {"A": 10}


@pytest.mark.parametrize("rulers", SIZES)
def test_rivers_and_stroms_run_on_over_borders(rulers: int) -> None:
    """An edge on a border stands in both great fields, and no river ends on land: it goes on, or meets water."""
    state = world(rulers)
    names = {coordinate_of(gf).field: gf for gf in state.land}
    edges = [(gf, edge) for gf, field in state.land.items() for edge in field.rivers]
    assert edges
    for gf, edge in edges:
        beyond = over(FieldCell(coordinate_of(gf).field, edge.cell), edge.side)
        other = names.get(beyond.field)
        if other is not None and other != gf:
            assert parse_edge(f"{beyond.cell}/{edge.side.opposite.name}") in state.land[other].rivers
    for gf, field in state.land.items():
        for cell, side in field.flow.items():
            assert field.cells[cell - 1] == "W"
            beyond = over(FieldCell(coordinate_of(gf).field, cell), Side[side])
            assert state.land[names[beyond.field]].cells[beyond.cell - 1] == "W"


@pytest.mark.parametrize("rulers", SIZES)
def test_levels_rise_by_steps(rulers: int) -> None:
    """Hardly anywhere does mountain land stand right above lowland: of a hundred edges on land two at most."""
    state = world(rulers)
    names = {coordinate_of(gf).field: gf for gf in state.land}
    steps: Counter[bool] = Counter()
    for gf, field in state.land.items():
        for cell, letter in enumerate(field.cells, start=1):
            for side in (Side.E, Side.SE, Side.SW):
                beyond = over(FieldCell(coordinate_of(gf).field, cell), side)
                if beyond.field in names and TERRAIN[letter].is_land:
                    other = TERRAIN[state.land[names[beyond.field]].cells[beyond.cell - 1]]
                    steps[abs(other.level - TERRAIN[letter].level) > 1] += other.is_land
    assert steps[True] * 50 <= steps[False]


@pytest.mark.parametrize(("rulers", "seed"), [(2, "fair"), (3, "fair"), (4, "even"), (6, "fair")])
def test_a_world_keeps_what_it_promises(rulers: int, seed: str) -> None:
    promise = promise_of(world(rulers, seed))
    assert promise.cut_off == 0
    assert all(steps is not None and 4 <= steps <= 7 for steps in promise.neighbour)
    assert max(promise.unevenness) <= 1.4


@pytest.mark.parametrize(("variant", "rulers"), [("small", 6), ("world", 2), ("world", 7)])
def test_a_sketch_has_the_powers_and_the_status_of_the_game_itself(variant: str, rulers: int) -> None:
    given: dict[str, Any] = {"variant": variant, "players": rulers, "options": {"rounds": 4}, "seed": "fair"}
    sketched, begun = sketch(**given), start(**given)
    assert status(sketched) == status(begun)
    assert variant_of(view(sketched, EVERYBODY).state) == variant_of(view(begun, EVERYBODY).state)


def test_a_sketch_is_refused_as_the_game_itself_would_be() -> None:
    with pytest.raises(DocumentError, match="2 to 100"):
        sketch(variant="world", players=101, options={}, seed="")
    with pytest.raises(DocumentError, match="rounds"):
        sketch(variant="world", players=100, options={"rounds": -1}, seed="")
