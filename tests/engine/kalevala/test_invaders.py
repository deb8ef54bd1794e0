"""Invaders: how they begin, what their menus, list and map show, random ones balance, and their place stays secret.

Source: rules 4.3, 4.4, R-096
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engine.computer.levels import CARE, Level, think
from engine.core.errors import DocumentError
from engine.core.ids import PowerId
from engine.core.reading import read_orders
from engine.core.variant import load_phrases
from engine.core.viewer import EVERYBODY, Playing
from engine.kalevala import books, decrees
from engine.kalevala.coordinates import GfId, Province, coordinate_of, gf_of, neighbours_of
from engine.kalevala.craft import craft_among, voyage_flaw
from engine.kalevala.document import load
from engine.kalevala.figures import count_of, kind_of, with_loads
from engine.kalevala.guide import shortlists
from engine.kalevala.info import SYSTEM, WORLD
from engine.kalevala.invaders import ARMY, FARTHEST, FLEET, HORSES, STORE, host
from engine.kalevala.land import land_of
from engine.kalevala.model import INVADER, MARAUDER, REALM, VACANT, State
from engine.kalevala.orders import Line
from engine.kalevala.system import KALEVALA as RULES
from engine.kalevala.tables import ADDITIONAL_ARMING, CENTRES
from engine.kalevala.working import Round
from engine.kalevala.writing import dump
from engine.lattice.hexes import distance
from tests.contract.games import random_sheets
from tests.rulers import audit_sheets

ANNA, DORA, EMIL = PowerId("anna"), PowerId("dora"), PowerId("emil")
WORDS = load_phrases(SYSTEM)


def started(landless: int, variant: str = "small", seed: str = "a", players: int = 6) -> State:
    return RULES.play.start(variant=variant, players=players, options={"landless": landless}, seed=seed)


def invaders_of(state: State) -> list[PowerId]:
    return [ruler for ruler, own in state.rulers.items() if own.kind == INVADER]


def place_of(state: State, ruler: PowerId) -> Province:
    (place,) = state.stacks[ruler]
    return place


def sheet(state: State, ruler: PowerId, text: str) -> tuple[Line, ...]:
    return tuple(read_orders(RULES, RULES.sight.view(state, Playing(ruler)), text).values)


def closed(state: State, **texts: str) -> State:
    sheets = {ruler: sheet(state, ruler, texts.get(ruler, "PASS")) for ruler in RULES.play.status(state).to_act}
    done = RULES.play.adjudicate(state, sheets, RULES.play.dice(state))
    assert not any(result.outcome.is_failure for result in done.results), done.results
    return done.state


def coast(**changes: object) -> State:
    """Anna's fleet on the sea, a shore beside her; Dora's horde on natives' land; Emil has a realm."""
    water = "W" * 48
    shore = "TTTTTTTTTTTTTTTWTTTTTTWWTTTTTTWWTTTTTWWTTTTWWTTT"
    state = {
        "rulers": {"anna": {"kind": "invader"}, "dora": {"kind": "invader"}, "emil": {"capital": "2K+4"}},
        "gf": {
            "2D+4": {"kf": water},
            "2D+5": {"kf": shore, "hz": {"type": "Mkt", "kf": 19}},
            "2K+4": {"hz": {"type": "Hstd", "kf": 19}},
        },
        "owners": {"2K+4": "emil"},
        "seas": {"anna": ["2D+4"]},
        "known": {"anna": ["2D+4"]},
        "stacks": {"anna": {"2D+4": "LS[4L 5RE]"}, "dora": {"2G+4": "12L 40RE"}, "emil": {"2K+4": "5L"}},
    }
    return load({"system": "kalevala", "phase": {"gr": 2, "part": 1}, "state": {**state, **changes}})


# How they begin


@pytest.mark.parametrize("core", ["A", "LB", "SC"])
def test_a_fleet_and_a_horde_are_worth_the_same_and_can_go(core: str) -> None:
    fleet, horde = host(core, is_fleet=True), host(core, is_fleet=False)
    assert sum(craft_among(fleet).values()) == FLEET
    assert voyage_flaw({item: count for item, count in fleet.items() if item != "Z/30"}) is None
    assert horde["IP"] == HORSES
    aboard, ashore = dict(with_loads(fleet)), dict(horde)
    assert aboard.pop("LS") == FLEET
    assert ashore.pop("IP") == HORSES
    assert aboard == ashore
    army = sum((kind_of(item).price or 0) * count for item, count in ashore.items() if kind_of(item).is_warrior)
    assert army + ashore["RE"] == ARMY + STORE


def test_in_a_world_they_begin_far_away_on_its_rim_at_sea_and_on_land_by_turns() -> None:
    state = started(3, WORLD, players=4)
    land, chosen = land_of(state), invaders_of(state)
    places = [place_of(state, ruler) for ruler in chosen]
    assert [land.is_sea(place) for place in places] == [True, False, True]
    assert len(set(places)) == len(places)
    rim = {gf for gf in state.land if any(not land.exists(other) for other in neighbours_of(gf))}
    assert {gf_of(place) for place in places} <= rim
    for ruler, place in zip(chosen, places, strict=True):
        assert state.rulers[ruler].protected == 2
        assert not state.owned(ruler)
        assert state.known[ruler] == {place}
        near = min(steps(place, other) for other in state.owners)
        assert near >= FARTHEST or near == farthest(state, rim, at_sea=land.is_sea(place))


def steps(one: str, other: str) -> int:
    here, there = coordinate_of(Province(one)), coordinate_of(Province(other))
    return distance((here.u, here.v), (there.u, there.v))


def farthest(state: State, rim: set[GfId], *, at_sea: bool) -> int:
    land = land_of(state)
    free = [p for gf in rim for p in land.provinces(gf) if p not in state.owners and land.is_sea(p) == at_sea]
    return max(min(steps(place, other) for other in state.owners) for place in free)


def test_one_ruler_keeps_a_realm_and_the_others_homes_are_natives() -> None:
    state = started(12)
    assert invaders_of(state) == [ruler for ruler, own in state.rulers.items() if own.kind != MARAUDER][1:]
    home = state.land[GfId("2E+2")]
    assert Province("2E+2") not in state.owners
    assert home.centre is not None
    assert not home.centre.is_founded
    assert not home.works
    # From the seas of the small map no shore is reached: there all are hordes.
    assert not any(land_of(state).is_sea(place_of(state, ruler)) for ruler in invaders_of(state))


def test_it_is_drawn_by_the_seed_and_stored() -> None:
    assert started(2) == started(2)
    assert load(dump(started(2))) == started(2)
    assert not invaders_of(started(0))


def test_nobody_learns_who_invades_or_where() -> None:
    one = started(1)
    host_of_emil = one.stacks[EMIL][Province(place_of(one, EMIL))]
    other = one.replace(stacks={**one.stacks, EMIL: {Province("2A+9"): host_of_emil}})
    quiet = one.replace(rulers={**one.rulers, EMIL: replace(one.rulers[EMIL], kind=REALM)}, stacks=other.stacks)
    assert place_of(one, EMIL) != "2A+9"
    for viewer in (Playing(ANNA), Playing(DORA), EVERYBODY):
        seen = [RULES.sight.view(state, viewer).state for state in (one, other, quiet)]
        assert seen[0] == seen[1] == seen[2]


def test_random_rounds_of_invaders_balance_and_replay() -> None:
    state = coast()
    for number in range(6):
        sheets = random_sheets(RULES, state, random.Random(number))
        assert audit_sheets(state, sheets) == []
        first, again = (RULES.play.adjudicate(state, sheets, RULES.play.dice(state)) for _ in range(2))
        assert first == again
        assert load(dump(first.state)) == first.state
        state = first.state


# What they see


def orders_in(state: State, ruler: PowerId, kind: str) -> list[str]:
    """What the guide offers of a kind."""
    view = RULES.sight.view(state, Playing(ruler))
    return [order.value for short in shortlists(view, {kind}, ()) for order in short.orders]


def test_guide_me_offers_what_they_arm_and_convert_where_they_are() -> None:
    state = coast()
    assert "ARM 2D+4 40 FROM 2D+4,PEOPLE" in orders_in(state, ANNA, "ARM")
    assert "ARM 2G+4 40 FROM 2G+4,PEOPLE" in orders_in(state, DORA, "ARM")
    assert "CONVERT 2G+4 14L" in orders_in(state, DORA, "CONVERT")
    assert "ARM 2K+4 32 FROM 2K+4,PEOPLE" in orders_in(state, EMIL, "ARM")


def test_guide_me_offers_to_take_the_land_where_they_are_and_to_pass_through() -> None:
    state = closed(coast(), dora="EXPLORE 1 2G+4 > 2G+5")
    offered = orders_in(state, DORA, "ENTER")
    assert "ENTER 2 2G+4 B 2G+4 12L 120RE" in offered
    assert any(text.endswith("FREE") for text in offered)


def test_list_briefing_and_map_tell_an_invader_alone_what_that_means() -> None:
    state = coast()
    for ruler, place in ((ANNA, "2D+4"), (DORA, "2G+4")):
        view = RULES.sight.view(state, Playing(ruler))
        told = "\n".join(
            WORDS.render(line) for section in RULES.telling.ledger(view).sections for line in section.lines
        )
        assert "Armed besides trade centres  80" in told
        assert f"It may be set up in {place}." in told
        assert "briefing.invader" in repr(RULES.telling.briefing(view))
        tile = next(tile for tile in RULES.telling.scene(view).tiles.values() if tile.tag == place)
        assert tile.owner == ruler
    view = RULES.sight.view(state, Playing(EMIL))
    assert "landless" not in repr(RULES.telling.ledger(view))
    assert "invader" not in repr(RULES.telling.briefing(view))
    assert "2D+4" not in repr(RULES.telling.scene(view).tiles)


def test_a_landing_gives_land_and_takes_from_what_is_armed_besides() -> None:
    state = closed(coast(), anna="EXPLORE 1 2D+4 > 2D+5")
    state = closed(state, anna="ENTER 2 2D+4 B 2D+5 LS[4L 5RE]")
    assert state.owned(ANNA) == ("2D+5",)
    assert count_of(state.stack(ANNA, Province("2D+5")), "L") == 4
    assert books.additional_arming(Round(state, {}, None), ANNA) == ADDITIONAL_ARMING - CENTRES["Mkt"].arming


def test_the_computer_leads_a_fleet_ashore_and_a_horde_into_land() -> None:
    state = coast()
    for _ in range(4):
        sheets = {ruler: thought(state, ruler) for ruler in (ANNA, DORA)}
        state = RULES.play.adjudicate(state, sheets, RULES.play.dice(state)).state
    assert "2D+5" in state.owned(ANNA)
    assert state.owned(DORA)


def thought(state: State, ruler: PowerId) -> tuple[Line, ...]:
    assert RULES.judgement is not None
    view, chance = RULES.sight.view(state, Playing(ruler)), random.Random(f"{state.time} {ruler}")
    return sheet(state, ruler, "\n".join(think(RULES, RULES.judgement, view, ruler, CARE[Level.FAIR], chance)))


# A game master


def test_a_game_master_lets_a_ruler_without_a_realm_come_again() -> None:
    state = started(0).replace(options={**started(0).options, "invaders": True})
    gone = state.rulers[EMIL]
    vacant = state.replace(rulers={**state.rulers, EMIL: replace(gone, kind=VACANT, protected=9)})
    for text, given in (
        ("invader anna 2A+9", state),  # has a realm
        ("invader emil 2E+8", vacant),  # is anna's
        ("invader emil 2D+8", vacant),  # has a trade centre
        ("invader wolves 2A+9", vacant),
        ("invader emil 2A+9", vacant.replace(options=started(0).options)),
    ):
        decreed = given.replace(decrees=(decrees.read(text, given),))
        with pytest.raises(DocumentError):
            RULES.play.adjudicate(decreed, {}, RULES.play.dice(decreed))
    decreed = vacant.replace(decrees=(decrees.read("invader emil 2A+9", vacant),))
    done = RULES.play.adjudicate(decreed, {}, RULES.play.dice(decreed))
    after = done.state
    assert after.rulers[EMIL].kind == INVADER
    assert after.rulers[EMIL].protected == 2
    assert not after.owned(EMIL)
    assert after.stacks[EMIL] == {"2A+9": host(gone.core, is_fleet=False)}
    told = [event for event in done.events if event.facts is not None and event.facts.code == "decree"]
    assert [event.audience for event in told] == [{EMIL}]
    assert load(dump(after)) == after
