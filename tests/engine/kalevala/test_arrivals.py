"""Rulers who come to a game that runs: places, ways in, land that is allotted, and what nobody else learns of it.

Source: rules 4.3, R-095, R-096, rulings KA224 to KA227
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from engine.computer.levels import CARE, Level, think
from engine.core.errors import DocumentError
from engine.core.events import visible_events
from engine.core.ids import PowerId
from engine.core.phrases import Phrase
from engine.core.play import Resolution
from engine.core.reading import read_orders
from engine.core.variant import load_phrases
from engine.core.viewer import EVERYBODY, MASTER, Playing, Viewer
from engine.kalevala import books
from engine.kalevala.coordinates import Province, coordinate_of, gf_of
from engine.kalevala.document import load
from engine.kalevala.figures import kind_of
from engine.kalevala.invaders import FARTHEST, host
from engine.kalevala.land import land_of
from engine.kalevala.masters import decrees
from engine.kalevala.model import EXPECTED, INVADER, REALM, State
from engine.kalevala.system import KALEVALA as RULES
from engine.kalevala.window import Window
from engine.kalevala.writing import dump
from engine.lattice.hexes import distance

WORDS = load_phrases("kalevala")
ANNA, GERD, HANS = PowerId("anna"), PowerId("gerd"), PowerId("hans")
WORLDS = ((2, 2, "one"), (4, 2, "two"), (6, 4, "three"))


def small(**options: Any) -> State:
    return RULES.play.start(variant="small", players=6, options={"places": 2, **options}, seed="come")


def world(players: int, places: int, seed: str) -> State:
    return RULES.play.start(variant="world", players=players, options={"places": places}, seed=seed)


def expected(state: State) -> tuple[PowerId, ...]:
    return tuple(name for name, own in state.rulers.items() if own.kind == EXPECTED)


def closed(state: State, **sheets: str) -> Resolution[State, Any]:
    found = {}
    for name, text in sheets.items():
        reading = read_orders(RULES, RULES.sight.view(state, Playing(PowerId(name))), text)
        assert reading.errors == ()
        found[PowerId(name)] = reading.values
    return RULES.play.adjudicate(state, found, RULES.play.dice(state))


def told(resolution: Resolution[State, Any], ruler: PowerId) -> list[str]:
    return [WORDS.render(event.what) for event in resolution.events if ruler in (event.audience or ())]


# Places


def test_whoever_comes_later_is_shown_the_ways_in_and_what_they_do() -> None:
    state = world(*WORLDS[0])
    steps = RULES.telling.examples(RULES.sight.view(state, Playing(expected(state)[0])))
    assert [WORDS.render(step) for step in steps] == [
        "`BEGIN LAND` brings you into the game: when this window closes you learn where."
    ]


@pytest.mark.parametrize(("players", "places", "seed"), WORLDS)
def test_a_world_is_drawn_for_those_too_who_come_later(players: int, places: int, seed: str) -> None:
    state = world(players, places, seed)
    whole = RULES.play.start(variant="world", players=players + places, options={}, seed=seed)
    assert len(expected(state)) == places
    assert {gf for gf in state.land if gf[0] == "2"} == {gf for gf in whole.land if gf[0] == "2"}
    for name in state.rulers:
        if name in expected(state):
            assert not state.owned(name)
            assert name not in state.stacks
            homes = {gf_of(place) for place in whole.owned(name)}
            centres = [field.centre for gf in homes if (field := state.land[gf]).centre is not None]
            assert not any(centre.is_founded for centre in centres)
        else:
            assert (state.owned(name), state.stacks[name]) == (whole.owned(name), whole.stacks[name])
    assert load(dump(state)) == state


def test_a_world_has_room_for_a_hundred_all_told() -> None:
    with pytest.raises(DocumentError):
        RULES.play.start(variant="world", players=90, options={"places": 11}, seed="full")


def test_a_sketch_knows_who_is_expected() -> None:
    assert RULES.play.sketch is not None
    sketch = RULES.play.sketch(variant="world", players=4, options={"places": 2}, seed="")
    state = world(4, 2, "two")
    assert RULES.play.status(sketch) == RULES.play.status(state)
    assert {name: own.kind for name, own in sketch.rulers.items()} == {n: own.kind for n, own in state.rulers.items()}


def test_nobody_is_asked_for_a_place_and_it_stays_for_years() -> None:
    state = small(score=True)
    for _ in range(8):
        done = closed(state, **dict.fromkeys(("anna", "bert", "carl", "dora", "emil", "fina"), "PASS"))
        assert not [e for e in done.events if e.facts and e.facts.args.get("ruler") in (GERD, HANS)]
        state = done.state
    assert expected(state) == (GERD, HANS)
    assert state.rulers[GERD].scores == ()


# Ways in


@pytest.mark.parametrize(("players", "places", "seed"), WORLDS)
def test_land_is_allotted_as_large_as_a_home_and_away_from_others(players: int, places: int, seed: str) -> None:
    state = world(players, places, seed)
    comers = expected(state)
    done = closed(state, **dict.fromkeys(comers, "BEGIN LAND"))
    after = done.state
    for name in comers:
        own, home = after.rulers[name], after.owned(name)
        assert own.kind == REALM
        assert own.protected == 2
        assert own.god is not None
        assert len(home) == 7
        assert set(home) - {own.capital} <= set(land_of(after).links(home[home.index(own.capital)]))
        centres = [after.land[gf_of(place)].centre for place in home]
        assert sorted(centre.type for centre in centres if centre) == ["F", "Hstd", "Mkt", "Mkt", "Std"]
        assert books.owned_money(Window(after, {}, None), name) >= 20
        assert f"with {own.capital} as your capital" in " ".join(told(done, name))
    seats = [own.god["seat"] for own in after.rulers.values() if own.god is not None]
    assert len(set(seats)) == len(seats)
    assert load(dump(after)) == after


def test_who_comes_alone_is_as_far_from_others_as_their_realm_allows() -> None:
    state = world(6, 4, "three")
    (comer, *_) = expected(state)
    home = closed(state, **{comer: "BEGIN LAND"}).state.owned(comer)

    def gap(places: tuple[str, ...]) -> int:
        at = [coordinate_of(place) for place in places]
        held = [coordinate_of(place) for place in state.owners]
        gaps = (distance((a.u, a.v), (b.u, b.v)) for a in at for b in held)
        return min(FARTHEST, *gaps)

    spare = RULES.play.start(variant="world", players=10, options={}, seed="three")
    assert gap(home) >= max(gap(spare.owned(name)) for name in expected(state))


def test_on_the_small_map_a_realm_is_what_is_free_and_a_second_one_finds_no_room() -> None:
    done = closed(small(), gerd="BEGIN LAND", hans="BEGIN LAND")
    after = done.state
    assert 5 <= len(after.owned(GERD)) <= 7
    assert after.rulers[HANS].kind == EXPECTED
    (result,) = (row for row in done.results if row.power == HANS)
    assert (result.outcome.value, result.codes) == ("failed", ("no_land",))
    assert "ways" not in RULES.sight.view(after, Playing(HANS)).state.modules


def test_a_horde_begins_on_the_rim_and_no_fleet_where_no_shore_is_reached() -> None:
    state = small(invaders=True)
    view = RULES.sight.view(state, Playing(GERD))
    assert view.state.modules["ways"] == ["LAND", "HORDE"]
    (refused,) = RULES.orders.rehearse(view, read_orders(RULES, view, "BEGIN FLEET").orders).lines
    assert (refused.code, refused.level) == ("V20", "error")
    assert "Guide me" in WORDS.render(refused.what)
    after = closed(state, gerd="BEGIN HORDE").state
    assert after.rulers[GERD].kind == INVADER
    assert list(after.stacks[GERD].values()) == [host(after.rulers[GERD].core, is_fleet=False)]
    assert closed(state, gerd="BEGIN FLEET").state.rulers[GERD].kind == EXPECTED


def test_a_fleet_begins_on_a_sea_that_leads_ashore() -> None:
    state = world(4, 2, "two")
    (comer, _) = expected(state)
    after = closed(state, **{comer: "BEGIN FLEET"}).state
    (place,) = after.stacks[comer]
    assert land_of(after).is_sea(place)
    assert after.modules["seas"][comer] == [place]


def test_whoever_comes_among_deeds_begins_with_the_next_great_round() -> None:
    state = closed(small()).state
    after = closed(state, gerd="BEGIN LAND").state
    assert (after.gr, after.part) == (2, 1)
    assert after.rulers[GERD].protected == 3


def test_the_shield_of_new_rulers_lasts_as_long_as_the_option_says() -> None:
    assert closed(small(shield=5), gerd="BEGIN LAND").state.rulers[GERD].protected == 5


def test_who_has_a_realm_begins_nothing() -> None:
    state = small(invaders=True)
    (result,) = closed(state, anna="BEGIN HORDE").results
    assert result.codes == ("V28",)


def test_who_has_lost_everything_comes_again_without_a_game_master() -> None:
    state = small(invaders=True)
    bare = state.replace(
        owners={place: owner for place, owner in state.owners.items() if owner != ANNA},
        stacks={name: own for name, own in state.stacks.items() if name != ANNA},
    )
    after = closed(bare, anna="BEGIN HORDE").state
    assert after.rulers[ANNA].kind == INVADER
    assert after.stacks[ANNA]
    without = bare.replace(options={**bare.options, "invaders": False})
    assert closed(without, anna="BEGIN HORDE").results[0].codes == ("V28",)


@pytest.mark.parametrize("may_come_again", [True, False])
def test_who_has_lost_everything_reads_so_and_is_asked_for_nothing_else(may_come_again: bool) -> None:
    state = small(invaders=may_come_again)
    bare = state.replace(
        owners={place: owner for place, owner in state.owners.items() if owner != ANNA},
        stacks={name: own for name, own in state.stacks.items() if name != ANNA},
    )
    view = RULES.sight.view(bare, Playing(ANNA))
    lines = [WORDS.render(line) for section in RULES.telling.briefing(view).sections for line in section.lines]
    assert lines[0] == "Your realm has fallen: you have no land and no people left."
    assert ["BEGIN HORDE" in line for line in lines] == [False, may_come_again]
    steps = " ".join(map(WORDS.render, RULES.telling.examples(view)))
    assert ("BEGIN HORDE" in steps) is may_come_again
    offered = {choice.value for choice in RULES.orders.menu(view, ()).choices} - {"GOD"}
    assert offered == ({"BEGIN", "PASS"} if may_come_again else {"PASS"})
    assert "Your provinces" not in RULES.orders.template(view, ())
    (otherwise,) = RULES.orders.otherwise(view, ())
    assert WORDS.render(otherwise).startswith("Without a sheet nothing changes for you.")


def test_an_invader_of_the_first_hour_may_choose_the_other_host() -> None:
    state = RULES.play.start(variant="world", players=4, options={"landless": 1, "hosts": "fleets"}, seed="hosts")
    (invader,) = (name for name, own in state.rulers.items() if own.kind == INVADER)
    after = closed(state, **{invader: "BEGIN HORDE"}).state
    (place,) = after.stacks[invader]
    assert not land_of(after).is_sea(place)
    assert after.stacks[invader][place] == host(after.rulers[invader].core, is_fleet=False)
    later = closed(closed(state, **{invader: "PASS"}).state, **{invader: "BEGIN HORDE"})
    assert [row.codes for row in later.results] == [("V28",)]


def test_a_game_master_can_give_a_place_a_role_or_a_host() -> None:
    state = small(invaders=True)
    home = min(state.owned(ANNA))
    for text in (f"role gerd {home} 5L 1K", "invader gerd 2A+9"):
        decreed = state.replace(decrees=(decrees.read(text, state),))
        after = RULES.play.adjudicate(decreed, {}, RULES.play.dice(decreed)).state
        assert after.rulers[GERD].is_played
        assert after.rulers[GERD].god is not None
        assert after.stacks[GERD]


def test_a_game_master_allots_land_where_he_likes() -> None:
    state = world(4, 2, "two")
    (comer, other) = expected(state)
    by_lot = closed(state, **{comer: "BEGIN LAND"}).state.rulers[comer].capital
    wilds = [Province(gf) for gf in state.land if gf[0] == "2"]
    free = [gf for gf in wilds if gf != by_lot and gf not in state.owners]
    for gf in free:
        decreed = state.replace(decrees=(decrees.read(f"realm {comer} {gf}", state),))
        try:
            done = RULES.play.adjudicate(decreed, {}, RULES.play.dice(decreed))
        except DocumentError:
            continue
        assert done.state.rulers[comer].capital == gf
        assert done.state.rulers[other].kind == EXPECTED
        assert f"with {gf} as your capital" in " ".join(told(done, comer))
        assert load(dump(done.state)) == done.state
        break
    else:
        pytest.fail("no land could be allotted")
    for text in (f"realm {comer} {min(state.owners)}", f"realm aino {free[0]}"):
        decreed = state.replace(decrees=(decrees.read(text, state),))
        with pytest.raises(DocumentError):
            RULES.play.adjudicate(decreed, {}, RULES.play.dice(decreed))


def test_the_computer_comes_by_itself_and_plays() -> None:
    state = world(4, 2, "two")
    (comer, _) = expected(state)
    for _ in range(6):
        view = RULES.sight.view(state, Playing(comer))
        assert RULES.judgement is not None
        lines = think(RULES, RULES.judgement, view, comer, CARE[Level.FAIR], random.Random(state.time))
        state = closed(state, **{comer: "\n".join(lines)}).state
    assert len(state.owned(comer)) >= 7


# What is told


def test_who_has_not_come_is_told_what_to_do_and_nothing_else() -> None:
    view = RULES.sight.view(small(), Playing(GERD))
    lines = [WORDS.render(line) for section in RULES.telling.briefing(view).sections for line in section.lines]
    assert ["BEGIN LAND" in line for line in lines] == [True]
    assert [choice.value for choice in RULES.orders.menu(view, ()).choices] == ["BEGIN", "PASS"]
    assert RULES.orders.template(view, ()).splitlines()[-2:] == ["# BEGIN LAND", "PASS"]
    (missing,) = RULES.orders.missing(view, ())
    assert isinstance(missing.name, Phrase)
    assert WORDS.render(missing.name) == "how you begin: a line such as `BEGIN LAND`"


def test_nobody_else_sees_whether_or_how_somebody_came() -> None:
    """Who is not concerned sees equal views and reads equal events, whatever Gerd does."""
    state = small(invaders=True)
    sheets = dict.fromkeys(("anna", "bert", "carl", "dora", "emil", "fina"), "PASS")
    results = [closed(state, **sheets, **more) for more in ({}, {"gerd": "BEGIN LAND"}, {"gerd": "BEGIN HORDE"})]
    viewers: list[Viewer] = [EVERYBODY, *(Playing(name) for name in state.rulers if name != GERD)]
    for viewer in viewers:
        seen = {repr(RULES.sight.view(done.state, viewer)) for done in results}
        assert len(seen) == (1 if viewer != Playing(HANS) else 2), "who may begin learns whether land is left"
        read = {repr(visible_events(done.events, viewer)) for done in results}
        assert len(read) == 1
    assert "ways" not in repr(RULES.sight.view(state, MASTER).state.modules)


def test_a_letter_to_a_place_is_a_letter_like_any_other() -> None:
    done = closed(small(), anna='LETTER gerd "Are you there?"')
    assert done.results[0].outcome.value == "succeeds"


def test_newcomers_play_on_whatever_they_order() -> None:
    """Two years with a realm allotted late: it arms, scouts and keeps its books, and the game replays equal."""
    state = closed(small(score=True, rounds=24)).state
    state = closed(state, gerd="BEGIN LAND").state
    for _ in range(12):
        view = RULES.sight.view(state, Playing(GERD))
        text = "\n".join(str(order) for order in RULES.orders.template(view, ()).splitlines() if order[:2] != "# ")
        done = closed(state, gerd=text)
        assert closed(load(dump(state)), gerd=text) == done
        state = done.state
    assert len(state.rulers[GERD].scores) == 7
    assert replace(state.rulers[GERD], nmr=0).kind == REALM


def test_a_game_goes_on_past_an_eternity_with_a_table_for_each_epoch() -> None:
    """144 great rounds, and two more; somebody comes in the third epoch."""
    state = small(score=True)
    tables: list[tuple[int, set[str]]] = []
    while state.gr <= 146:
        sheets = dict.fromkeys(("anna", "bert", "carl", "dora", "emil", "fina"), "PASS")
        sheets |= {"gerd": "BEGIN LAND"} if state.gr == 26 else {"gerd": "PASS"} if state.gr > 26 else {}
        done = closed(state, **sheets)
        facts = [event.facts for event in done.events if event.facts and event.facts.code == "score"]
        tables += [(state.gr, {row["ruler"] for row in each.args["table"]}) for each in facts]
        state = done.state
    assert [gr for gr, _ in tables] == list(range(12, 145, 12))
    assert ["gerd" in rulers for _, rulers in tables] == [False] * 2 + [True] * 10
    assert RULES.telling.era is not None
    assert WORDS.render(RULES.telling.era(RULES.sight.view(state, EVERYBODY))) == "Epoch 13"
    assert RULES.play.status(state).winners is None
    assert load(dump(state)) == state


@pytest.mark.parametrize(("players", "places", "seed"), WORLDS)
def test_in_a_world_with_other_planes_who_is_allotted_land_has_a_site_for_a_portal(
    players: int, places: int, seed: str
) -> None:
    state = world(players, places, seed)
    done = closed(state, **{str(name): "BEGIN LAND" for name in expected(state)}).state
    shards = [gf for gf, field in done.land.items() if coordinate_of(gf).plane == 1 and field.portal is not None]
    sites = {field.portal: gf for gf, field in done.land.items() if field.portal and coordinate_of(gf).plane == 2}
    assert sites.keys() == set(shards)
    for name in done.rulers:
        if done.rulers[name].kind == REALM:
            assert len([gf for gf in sites.values() if done.owners.get(Province(gf)) == name]) == 1
    assert load(dump(done)) == done


def test_without_other_planes_nobody_has_a_site_for_a_portal() -> None:
    state = RULES.play.start(variant="world", players=2, options={"places": 2, "planes": False}, seed="one")
    done = closed(state, **{str(name): "BEGIN LAND" for name in expected(state)}).state
    assert not any(field.portal for field in done.land.values())


@pytest.mark.parametrize("variant", ["small", "world"])
def test_every_realm_that_begins_with_a_wizard_is_followed_by_an_apprentice_if_he_dies(variant: str) -> None:
    """Only rulers whose documents list a wizard have apprentices. Source: rules 19.5, R-102"""
    state = load({"system": "kalevala", "variant": variant, "seed": "x"})
    for ruler, stacks in state.stacks.items():
        has_wizard = any(kind_of(item).code == "Z" for stack in stacks.values() for item in stack)
        assert (state.rulers[ruler].wizard is not None) is has_wizard
