"""Invaders: how they begin, what their menus, list and map show, random ones balance, and their place stays secret.

Source: rules 4.3, 4.4, R-096
"""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

from engine.computer.levels import CARE, Level, think
from engine.core.errors import DocumentError
from engine.core.ids import PowerId
from engine.core.variant import load_phrases
from engine.core.viewer import EVERYBODY, Playing
from engine.kalevala import books
from engine.kalevala.coordinates import GfId, Province, coordinate_of, gf_of, neighbours_of
from engine.kalevala.describe import known_fields
from engine.kalevala.document import load
from engine.kalevala.figures import count_of, kind_of, with_loads
from engine.kalevala.guide import shortlists
from engine.kalevala.info import SYSTEM, WORLD
from engine.kalevala.invaders import ARMY, FARTHEST, FLEET, HORSES, STORE, host
from engine.kalevala.land import land_of
from engine.kalevala.masters import decrees
from engine.kalevala.model import INVADER, MARAUDER, ORDERS_PART, REALM, VACANT, State
from engine.kalevala.orders import Line
from engine.kalevala.sea.craft import craft_among, voyage_flaw
from engine.kalevala.system import KALEVALA as RULES
from engine.kalevala.tables import ADDITIONAL_ARMING, CENTRES
from engine.kalevala.window import Window
from engine.kalevala.writing import dump
from engine.lattice.hexes import distance
from tests.contract.games import random_sheets
from tests.pictured import as_board
from tests.random_kalevala import audit_sheets, sheet, wild_sheet

ANNA, DORA, EMIL = PowerId("anna"), PowerId("dora"), PowerId("emil")
WORDS = load_phrases(SYSTEM)


def started(landless: int, variant: str = "small", seed: str = "a", players: int = 6) -> State:
    return RULES.play.start(variant=variant, players=players, options={"landless": landless}, seed=seed)


def invaders_of(state: State) -> list[PowerId]:
    return [ruler for ruler, own in state.rulers.items() if own.kind == INVADER]


def place_of(state: State, ruler: PowerId) -> Province:
    (place,) = state.stacks[ruler]
    return place


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


def test_land_with_guests_is_natives_land_first_and_the_sea_is_nobodys() -> None:
    words = load_phrases("kalevala")
    known = {
        ruler: [words.render(line) for line in known_fields(RULES.sight.view(coast(), Playing(ruler)).state, ruler)]
        for ruler in (ANNA, DORA)
    }
    assert known[ANNA] == ["2D+4: water; Anna with LS[4L 5RE]"]
    assert known[DORA] == ["2G+4: lowland; natives' land and Dora with 12L 40RE"]


def test_no_example_asks_an_invader_to_begin_elsewhere_which_would_void_all_else() -> None:
    state = started(3, WORLD, players=4)
    ruler = invaders_of(state)[0]
    view = RULES.sight.view(state, Playing(ruler))
    assert "BEGIN HORDE" in {str(line.order) for lines in RULES.orders.legal(view).values() for line in lines}
    assert not any("BEGIN" in str(step.args.get("order")) for step in RULES.telling.examples(view))


def test_first_steps_say_how_an_invaders_figures_are_written_and_ask_for_no_trade_centre() -> None:
    words = load_phrases("kalevala")
    told = [words.render(line) for line in RULES.telling.examples(RULES.sight.view(coast(), Playing(ANNA)))]
    assert told[0].endswith("in 2D+4 you have 1 longship (aboard: 4 lancers and 5 RE).")
    (convert,) = [line for line in told if line.startswith("`CONVERT")]
    assert "trade centre" not in convert


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
        assert "Armed without centres       80" in told
        assert f"You can arm in {place}." in told
        assert "briefing.invader" in repr(RULES.telling.briefing(view))
        tile = next(tile for tile in as_board(RULES.telling.scene(view)).tiles.values() if tile.tag == place)
        assert tile.owner == ruler
    view = RULES.sight.view(state, Playing(EMIL))
    assert "landless" not in repr(RULES.telling.ledger(view))
    assert "invader" not in repr(RULES.telling.briefing(view))
    assert "2D+4" not in repr(as_board(RULES.telling.scene(view)).tiles)


def test_an_invader_with_more_than_64_re_of_trade_centres_is_told_before_and_after_that_they_are_a_realm() -> None:
    land = {at: {"hz": {"type": "Hstd", "kf": 19}} for at in ("2D+4", "2D+5", "2D+6", "2E+4")}
    land["2E+5"] = {"hz": {"type": "Mkt", "kf": 19}}
    state = load(
        {
            "system": "kalevala",
            "phase": {"gr": 4, "part": 1},
            "state": {
                "rulers": {"anna": {"kind": "invader"}},
                "gf": land,
                "owners": dict.fromkeys(land, "anna"),
                "stacks": {"anna": {"2D+4": "5L 10RE", "2F+4": "6L 8RE"}},
            },
        }
    )
    view = RULES.sight.view(state, Playing(ANNA))
    assert "invader_settles" in repr(RULES.telling.briefing(view))
    assert "landless" not in repr(RULES.telling.ledger(view))
    done = RULES.play.adjudicate(state, {ANNA: sheet(state, ANNA, "CAPITAL 2E+4")}, RULES.play.dice(state))
    told = {event.facts.code: event.facts.args for event in done.events if event.facts is not None}
    assert told["settled_down"] == {"re": 64}
    assert told["capital"] == {"gf": "2E+4", "old": None}
    books_say = told["ledger"]
    assert (books_say["re_before"], books_say["re_after"]) == (10, 10 + 66 + 16)


def test_a_briefing_of_deeds_offers_the_land_where_an_invader_stands_unless_protection_bars_it() -> None:
    state = closed(coast(), dora="EXPLORE 1 2G+4 > 2G+5")
    own = state.rulers[DORA]
    for until in (0, state.gr):
        rulers = {**state.rulers, DORA: replace(own, protected=until)}
        view = RULES.sight.view(state.replace(rulers=rulers), Playing(DORA))
        lines = [WORDS.render(line) for section in RULES.telling.briefing(view).sections for line in section.lines]
        here = [line for line in lines if line.startswith("Natives' land where your people already stand")]
        assert bool(here) is not bool(until)
        assert ("you can enter no land, not even natives'" in "".join(lines)) is bool(until)
        for line in here:
            assert line.split("`")[1] in orders_in(state, DORA, "ENTER")


def test_a_landing_gives_land_and_takes_from_what_is_armed_besides() -> None:
    state = closed(coast(), anna="EXPLORE 1 2D+4 > 2D+5")
    state = closed(state, anna="ENTER 2 2D+4 B 2D+5 LS[4L 5RE]")
    assert state.owned(ANNA) == ("2D+5",)
    assert count_of(state.stack(ANNA, Province("2D+5")), "L") == 4
    assert books.additional_arming(Window(state, {}, None), ANNA) == ADDITIONAL_ARMING - CENTRES["Mkt"].arming


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


@pytest.mark.parametrize(
    ("hosts", "at_sea"), [("turns", [True, False]), ("fleets", [True] * 2), ("hordes", [False] * 2)]
)
def test_whoever_makes_the_game_says_with_what_invaders_begin(hosts: str, at_sea: list[bool]) -> None:
    options = {"landless": 2, "hosts": hosts}
    state = RULES.play.start(variant=WORLD, players=6, options=options, seed="hosts")
    places = [next(iter(state.stacks[each])) for each, own in state.rulers.items() if own.kind == INVADER]
    assert list(map(land_of(state).is_sea, places)) == at_sea


def without_a_realm() -> State:
    """Nobody plays emil's realm any more; he has an agent and a caravan abroad, and a captive."""
    state = started(0)
    home = next(iter(state.owned(ANNA)))
    modules = {
        "agents": [
            {"ruler": "emil", "n": 1, "at": home, "re": 9},
            {"ruler": "anna", "n": 1, "at": next(iter(state.owned(EMIL))), "re": 9, "captive": "emil", "exposed": True},
        ],
        "caravans": [{"ruler": "emil", "n": 1, "at": home, "load": "1K 2L"}],
    }
    rulers = {**state.rulers, EMIL: replace(state.rulers[EMIL], kind=VACANT, protected=9)}
    return load(dump(state.replace(rulers=rulers, modules={**state.modules, **modules})))


def test_a_role_begins_with_figures_in_somebody_elses_land() -> None:
    state = without_a_realm()
    home = next(iter(state.owned(ANNA)))
    for text in (f"role anna {home} 5L", "role emil 2A+9 5L", f"role emil {home} 5RE", f"role emil {home} 1FS"):
        decreed = state.replace(decrees=(decrees.read(text, state),))
        with pytest.raises(DocumentError):
            RULES.play.adjudicate(decreed, {}, RULES.play.dice(decreed))
    decreed = state.replace(decrees=(decrees.read(f"role emil {home} 5L 1K 20RE", state),))
    done = RULES.play.adjudicate(decreed, {}, RULES.play.dice(decreed))
    after = done.state
    assert after.rulers[EMIL].is_played
    assert after.stacks[EMIL] == {home: {"L": 5, "K": 1, "RE": 20}}
    assert not after.owned(EMIL)
    assert [row for row in after.modules.get("agents", ()) if row["ruler"] == EMIL] == []
    assert after.modules.get("caravans", []) == []
    assert after.permits_entry(ANNA, EMIL, home, after.gr + 9)
    told = {event.what.code: event.audience for event in done.events if event.facts and event.facts.code == "decree"}
    assert told == {"event.decree_role": {EMIL}, "event.decree_role_host": {ANNA}}
    assert load(dump(after)) == after
    again = after.replace(decrees=(decrees.read(f"role emil {home} 1LC", after),))
    later = RULES.play.adjudicate(again, {}, RULES.play.dice(again)).state
    assert later.stacks[EMIL][home] == {"L": 5, "K": 1, "RE": 20, "LC": 1}


def test_who_has_a_role_explores_and_takes_land_of_natives() -> None:
    state = without_a_realm()
    home = max(state.owned(ANNA))
    state = state.replace(decrees=(decrees.read(f"role emil {home} 28L 20RE", state),))
    state = RULES.play.adjudicate(state, {}, RULES.play.dice(state)).state.replace(decrees=())
    if state.part != ORDERS_PART:
        state = RULES.play.adjudicate(state, {}, RULES.play.dice(state)).state
    free = [each for each in land_of(state).links(home) if each not in state.owners]
    assert free, "natives live next door"
    for goal in free:
        one = {EMIL: sheet(state, EMIL, f"EXPLORE 1 {home} > {goal}")}
        scouted = RULES.play.adjudicate(state, one, RULES.play.dice(state)).state
        two = {EMIL: sheet(scouted, EMIL, f"ENTER 2 {home} B {goal} 20L 5RE")}
        after = RULES.play.adjudicate(scouted, two, RULES.play.dice(scouted)).state
        if goal in after.owned(EMIL):
            return
    pytest.fail("nothing could be taken")


def test_whoever_has_a_role_plays_on_whatever_he_orders() -> None:
    """Sheets at random, the guide and the computer, with books that balance."""
    chance = random.Random("role")
    state = without_a_realm()
    home = max(state.owned(ANNA))
    state = state.replace(decrees=(decrees.read(f"role emil {home} 12L 2K 1Pr 2IP 60RE", state),))
    state = RULES.play.adjudicate(state, {}, RULES.play.dice(state)).state.replace(decrees=())
    for _ in range(9):
        view = RULES.sight.view(state, Playing(EMIL))
        assert RULES.orders.menu(view, ()).choices
        texts = {ruler: wild_sheet(state, ruler, chance) for ruler in RULES.play.status(state).to_act}
        sheets = {ruler: sheet(state, ruler, text) for ruler, text in texts.items() if text is not None}
        if state.owned(EMIL) or state.stacks.get(EMIL):
            sheets[EMIL] = thought(state, EMIL) if chance.random() < 0.5 else sheets.get(EMIL, ())
        assert audit_sheets(state, sheets) == []
        state = RULES.play.adjudicate(state, sheets, RULES.play.dice(state)).state
        assert load(dump(state)) == state
    assert state.rulers[EMIL].is_played


def test_an_invaders_books_add_up_in_words() -> None:
    state = started(1)
    (who,) = invaders_of(state)
    while (state.gr, state.part) != (2, ORDERS_PART):
        state = closed(state)
    sheets = {ruler: sheet(state, ruler, "PASS") for ruler in RULES.play.status(state).to_act}
    done = RULES.play.adjudicate(state, sheets, RULES.play.dice(state))
    said = next(
        WORDS.render(event.what)
        for event in done.events
        if event.facts is not None and event.facts.code == "ledger" and event.audience == frozenset({who})
    )
    numbers = [int(found) for found in re.findall(r"\d+", said)]
    before, arming, people, more, spent, paid, _, after = numbers
    assert more == ADDITIONAL_ARMING
    assert before + arming + people + more - spent - paid == after
