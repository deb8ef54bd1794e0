"""Other planes: the guide's example, who knows of portals, what the menus offer, documents. Source: rules 14"""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from engine.core.errors import DocumentError
from engine.core.events import visible_events
from engine.core.ids import PowerId
from engine.core.reading import read_orders
from engine.core.variant import load_phrases
from engine.core.viewer import Playing
from engine.kalevala import check
from engine.kalevala.coordinates import Province
from engine.kalevala.describe import known_fields
from engine.kalevala.document import load
from engine.kalevala.figures import kind_of
from engine.kalevala.guide import guide_of, shortlists
from engine.kalevala.info import SYSTEM, WORLD
from engine.kalevala.land import land_of
from engine.kalevala.model import State
from engine.kalevala.planes.facts import portals_in
from engine.kalevala.system import KALEVALA as RULES
from engine.kalevala.writing import dump
from tests.engine.kalevala.hidden import variants
from tests.engine.kalevala.test_secrets import all_that_is_shown
from tests.pictured import as_board
from tests.random_kalevala import audit_sheets, sheet

ANNA, BERT = PowerId("anna"), PowerId("bert")
GUIDE = (Path(__file__).parents[3] / "docs/kalevala.md").read_text(encoding="utf-8")


def planes(**changes: object) -> State:
    """Anna's site of a portal; Bert is far off."""
    state = {
        "rulers": {"anna": {"capital": "2D+4"}, "bert": {}},
        "gf": {
            "2D+4": {"hz": {"type": "Hstd", "kf": 19}, "portal": "1D+4"},
            "1D+4": {"hz": {"type": "Mkt", "kf": 19}, "portal": "2D+4"},
        },
        "owners": {"2D+4": "anna", "2K+4": "bert"},
        "stacks": {"anna": {"2D+4": "9L Z/90 40RE"}, "bert": {"2K+4": "3L"}},
    }
    options = {"planes": True}
    phase = {"gr": 3, "part": 1}
    return load({"system": "kalevala", "phase": phase, "options": options, "state": {**state, **changes}})


def closed(state: State, text: str) -> State:
    """The position after a window in which Bert does nothing."""
    sheets = {
        ruler: sheet(state, ruler, text if ruler == ANNA else "PASS") for ruler in RULES.play.status(state).to_act
    }
    assert audit_sheets(state, sheets) == []
    done = RULES.play.adjudicate(state, sheets, RULES.play.dice(state))
    assert not any(result.outcome.is_failure for result in done.results), done.results
    return done.state


def test_the_guides_example_is_true() -> None:
    section = GUIDE.partition("## Other planes")[2].partition("\n## ")[0]
    blocks = [
        "\n".join(line.strip() for line in block.splitlines() if line.startswith("    "))
        for block in section.split("\n\n")
    ]
    orders, deeds = (block for block in blocks if block)
    after = closed(closed(planes(), orders), deeds)
    assert after.owners[Province("1D+4")] == ANNA
    home = closed(after, "RIFT 2D+4 > 1D+4 My\nPORTAL 1D+4")
    (portal,) = portals_in(home.modules)
    assert portal.is_whole
    assert home.stack(ANNA, Province("1D+4"))["My/20"] == 1


def test_strangers_know_of_no_portal() -> None:
    state = planes(portals=[{"ruler": "anna", "at": "2D+4", "to": "1D+4"}])
    assert list(portals_in(RULES.sight.view(state, Playing(ANNA)).state.modules))
    assert not list(portals_in(RULES.sight.view(state, Playing(BERT)).state.modules))


@pytest.mark.parametrize("part", [1, 3])
def test_nothing_that_strangers_are_shown_tells_of_a_portal(part: int) -> None:
    state = planes(rulers={"anna": {"capital": "2D+4"}, "bert": {}, "carl": {}}).replace(part=part)
    worlds = list(variants(state, Playing(BERT)))
    assert any(list(portals_in(other.modules)) for other in worlds), "a world in which Anna has one is among them"
    shown = all_that_is_shown(state, BERT, "EXPLORE 1 2K+4 > 2K+5\nRIFT 2K+4 > 1K+4 1L")
    for other in worlds:
        assert all_that_is_shown(other, BERT, "EXPLORE 1 2K+4 > 2K+5\nRIFT 2K+4 > 1K+4 1L") == shown


@pytest.mark.parametrize("whole", [False, True])
def test_the_owner_of_the_other_side_knows_it_once_it_is_made(*, whole: bool) -> None:
    state = planes(
        owners={"2D+4": "anna", "1D+4": "bert"},
        portals=[{"ruler": "anna", "at": "2D+4", "to": "1D+4", "whole": whole}],
    )
    assert bool(list(portals_in(RULES.sight.view(state, Playing(BERT)).state.modules))) is whole


def test_each_realm_of_a_world_has_a_shard_behind_a_portal_and_can_take_it() -> None:
    state = RULES.play.start(variant=WORLD, players=3, options={"planes": True}, seed="shards")
    land = land_of(state)
    sites = {gf: field.portal for gf, field in state.land.items() if field.portal is not None}
    assert len(sites) == 6
    worth = []
    for near, far in ((near, far) for near, far in sites.items() if Province(near) in state.owners):
        assert sites[far] == near
        assert Province(far) not in state.owners
        beside = land.links(Province(far))
        assert all(set(beside) & set(land.links(each)) for each in beside), "they hold together"
        worth.append(sorted(centre.centre.arming for each in beside if (centre := land.centre(each)) is not None))
        ruler = state.owners[Province(near)]
        capital = state.rulers[ruler].capital
        assert capital is not None
        warrior = next(item for item in state.stack(ruler, capital) if kind_of(item).is_warrior)
        first = f"""MOVE 4{warrior} Z/30 20RE {capital} > {near}
        CONVERT {near} 1My\nTRANSFER 30 ZEH Z > My\nPORTAL {near}\nEXPLORE 1 {near} > {far}"""
        stacks = {**state.stacks, ruler: {**state.stacks[ruler], Province(near): {"RE": 30, f"{warrior}": 1}}}
        rich = state.replace(stacks=stacks)
        between = RULES.play.adjudicate(rich, {ruler: sheet(rich, ruler, first)}, RULES.play.dice(rich))
        entry = {ruler: sheet(between.state, ruler, f"ENTER 2 {near} B {far} 3{warrior}")}
        after = RULES.play.adjudicate(between.state, entry, RULES.play.dice(between.state)).state
        assert after.owners[Province(far)] == ruler, (ruler, [result.codes for result in between.results])
    assert worth == [[2, 4]] * 3


def test_worlds_without_planes_have_no_shards() -> None:
    state = RULES.play.start(variant=WORLD, players=3, options={"planes": False}, seed="shards")
    assert all(field.portal is None for field in state.land.values())


def test_portals_are_kept_in_documents_and_one_is_enough() -> None:
    row = {"ruler": "anna", "at": "2D+4", "to": "1D+4", "whole": True}
    state = planes(portals=[row])
    assert dump(state)["state"]["portals"] == [row]
    with pytest.raises(DocumentError, match="two portals"):
        planes(portals=[row, row])


def test_the_menu_offers_what_the_mystic_can_do() -> None:
    state = planes(stacks={"anna": {"2D+4": "9L Z/90 My/30 40RE"}})
    found = [str(order) for order, _ in guide_of(RULES.sight.view(state, Playing(ANNA)), ()).whole("PLANE")]
    assert "PORTAL 2D+4" in found
    assert "TRANSFER 30 ZEH Z > My" in found
    standing = sheet(state, ANNA, "PORTAL 2D+4")
    then = [str(order) for order, _ in guide_of(RULES.sight.view(state, Playing(ANNA)), standing).whole("PLANE")]
    assert "RIFT 2D+4 > 1D+4 My/10" in then


def test_a_portal_stands_on_the_map_of_whoever_knows_of_it() -> None:
    state = planes(portals=[{"ruler": "anna", "at": "2D+4", "to": "1D+4"}])

    def signs(ruler: PowerId) -> dict[str, tuple[str, ...]]:
        scene = as_board(RULES.telling.scene(RULES.sight.view(state, Playing(ruler))))
        return {tile.tag: tile.signs for tile in scene.tiles.values() if "portal" in tile.signs}

    assert list(signs(ANNA)) == ["2D+4"]
    assert not signs(BERT)


def test_what_is_known_of_another_plane_is_drawn_to_the_right() -> None:
    state = planes(owners={"2D+4": "anna", "1D+4": "anna", "2K+4": "bert"})

    def columns(ruler: PowerId) -> dict[str, int]:
        tiles = as_board(RULES.telling.scene(RULES.sight.view(state, Playing(ruler)))).tiles
        return {tile.tag: column for (column, _), tile in tiles.items()}

    found = columns(ANNA)
    assert min(found[tag] for tag in found if tag[0] == "1") > max(found[tag] for tag in found if tag[0] == "2")
    assert all(tag[0] == "2" for tag in columns(BERT))


def invaded(garrison: str, force: str, seed: str) -> State:
    """Bert holds what lies beyond anna's portal, and her scouts have been there."""
    gf = {
        "2D+4": {"hz": {"type": "Hstd", "kf": 19}, "portal": "1D+4"},
        "1D+4": {"hz": {"type": "Mkt", "kf": 19}, "portal": "2D+4"},
    }
    state = {
        "rulers": {"anna": {"capital": "2D+4"}, "bert": {}, "carl": {}},
        "gf": gf,
        "owners": {"2D+4": "anna", "1D+4": "bert", "1D+5": "bert", "2K+4": "carl"},
        "stacks": {
            "anna": {"2D+4": f"{force} 5L My/60 60RE"},
            "bert": {"1D+4": garrison, "1D+5": "1L"},
            "carl": {"2K+4": "3L"},
        },
        "explored": {"anna": [{"ee": 1, "from": "2D+4", "to": "1D+4"}]},
        "portals": [{"ruler": "anna", "at": "2D+4", "to": "1D+4"}],
    }
    phase = {"gr": 3, "part": 3}
    return load({"system": "kalevala", "seed": seed, "phase": phase, "options": {"planes": True}, "state": state})


def test_attacks_through_portals_keep_books_and_secrets_however_they_end() -> None:
    """Won, lost and undecided: nothing is lost or found, it can be read back, and only the two are told."""
    garrisons = ("2L", "6L 3B", "4LC 2El", "12LC", "5LC Z/40")
    ends = set()
    forces = ("10L", "5L 5B Z/50", "4LC 4IP")
    for number, (garrison, force) in enumerate(product(garrisons, forces)):
        state = invaded(garrison, force, f"{number}")
        aim = "HOLD" if number % 5 == 2 else "KILL"
        text = f"ENTER 2 2D+4 K 1D+4 {force} 10RE\nBATTLE 2D+4\nPLACE 4 1L\nAIM ALL {aim}"
        defence = f"DEFEND 1D+4\nAIM ALL {aim}"
        sheets = {ANNA: sheet(state, ANNA, text), BERT: sheet(state, BERT, defence)}
        assert audit_sheets(state, sheets) == []
        done = RULES.play.adjudicate(state, sheets, RULES.play.dice(state))
        (battle,) = {event.facts.args["end"] for event in done.events if event.facts and event.facts.code == "battle"}
        ends.add(battle if battle == "twelve" else done.state.owners.get(Province("1D+4")))
        assert load(dump(done.state)) == done.state
        assert done.state.owners[Province("2D+4")] == ANNA, "where they came from is no part of the battle"
        assert done.state.stack(ANNA, Province("2D+4"))["L"] >= 5
        told = visible_events(done.events, Playing(PowerId("carl")))
        assert not [event for event in told if event.facts and event.facts.code in ("battle", "conquered")]
    assert ends == {"twelve", ANNA, BERT}


def test_the_guide_offers_an_attack_through_a_portal() -> None:
    view = RULES.sight.view(invaded("2L", "10L", "menu"), Playing(ANNA))
    offered = [order for short in shortlists(view, {"ENTER"}, ()) for order in short.orders]
    assert any(" K 1D+4 " in order.value for order in offered)


def test_the_position_in_words_says_where_a_portal_can_stand_and_where_one_stands() -> None:
    words = load_phrases(SYSTEM)

    def told(state: State) -> str:
        lines = map(words.render, known_fields(RULES.sight.view(state, Playing(ANNA)).state, ANNA))
        return next(line for line in lines if line.startswith("2D+4"))

    assert "; Anna's, with 9L Z/90 40RE and a place for a portal to 1D+4" in told(planes())
    made = planes(portals=[{"ruler": "anna", "at": "2D+4", "to": "1D+4"}])
    assert told(made).endswith(" and a portal to 1D+4")


@pytest.mark.parametrize(
    ("text", "changes", "why"),
    [
        ("PORTAL 2D+4", {}, "only a mystic makes portals, and you have none: `CONVERT` makes one (My) for 10 RE"),
        ("PORTAL 2D+4", {"2D+5": "2L My/90"}, "your mystic is in 2D+5, and makes portals only where he is"),
        ("PORTAL 2D+5", {"2D+5": "2L My/90"}, "no portal can be made in 2D+5: `/map` with `text: True` says where"),
        ("EXPLORE 1 2D+4 > 1D+4", {}, "1D+4 is on another plane: scouts see it through a portal"),
    ],
)
def test_what_is_missing_for_a_portal_is_named(text: str, changes: dict[str, str], why: str) -> None:
    state = planes(
        owners={"2D+4": "anna", "2D+5": "anna", "2K+4": "bert"},
        stacks={"anna": {"2D+4": "9L Z/90 40RE", "2D+5": "2L", **changes}, "bert": {"2K+4": "3L"}},
    )
    view = RULES.sight.view(state, Playing(ANNA))
    (line,) = check.rehearse(view, read_orders(RULES, view, text).orders).lines
    assert load_phrases(SYSTEM).render(line.what).startswith(why)


def test_the_receipt_of_an_entry_through_a_portal_says_what_the_way_costs() -> None:
    state = planes(
        portals=[{"ruler": "anna", "at": "2D+4", "to": "1D+4"}],
        stacks={"anna": {"2D+4": "9L My/30 40RE"}, "bert": {"2K+4": "3L"}},
        explored={"anna": [{"from": "2D+4", "to": "1D+4"}]},
    ).replace(part=3)
    view = RULES.sight.view(state, Playing(ANNA))
    (line,) = check.rehearse(view, read_orders(RULES, view, "ENTER 2 2D+4 B 1D+4 4L 8RE").orders).lines
    assert (
        load_phrases(SYSTEM).render(line.notes[0]) == "the way through the portal costs 10 RE, and your mystic 10 ZEH"
    )
