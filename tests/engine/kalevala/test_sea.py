"""Voyages, landings and fights on the sea: what is offered can be done, books balance, nobody else is told."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bot.render import render_scene
from engine.core.dice import Dice, Streams
from engine.core.events import Event, visible_events
from engine.core.ids import PowerId
from engine.core.reading import adjudicate_texts, read_orders
from engine.core.variant import load_phrases
from engine.core.viewer import Playing
from engine.kalevala import check
from engine.kalevala.battle.rounds import fight_out
from engine.kalevala.coordinates import Province
from engine.kalevala.document import load
from engine.kalevala.examples import examples
from engine.kalevala.figures import parse_figures
from engine.kalevala.guide import RulerGuide
from engine.kalevala.model import State, View
from engine.kalevala.orders import Sail
from engine.kalevala.rounds import rehearse
from engine.kalevala.sea.craft import craft_among, manned, voyage_flaw
from engine.kalevala.system import KALEVALA, seen_document
from engine.kalevala.telling import tale
from engine.kalevala.telling.pictures import albums
from engine.kalevala.telling.reading import accounts_of
from engine.kalevala.war import guide as war_guide
from engine.kalevala.war import room as war_room
from tests.engine.kalevala.test_secrets import assert_foreseen, assert_nothing_leaks
from tests.engine.kalevala.wars import a_sea_war, a_war_sheet, faults_of
from tests.random_kalevala import audit_sheets, wild_sheet

SEA = "W" * 48
NORTH = "WWWW WWWWW WWWWWW WTTTTTT TTTTTTTT TTTTTTT TTTTTT TTTTT"
SOUTH = "TTTT TTTTT TTTTTT TTTTTTT TTTTTTTT WWWWWWW WWWWWW WWWWW"
SPIT = "WWWW TTTTT TTTTTT TTTTTTT TTTTTTTT WWWWWWW WWWWWW WWWWW"
ANNA, CARL = PowerId("anna"), PowerId("carl")


def coast(part: int = 1, **more: Any) -> State:
    """Anna's two shores and the sea beyond; bert's shore across it."""
    return load(
        {
            "system": "kalevala",
            "seed": "coast",
            "phase": {"gr": 1, "part": part},
            "state": {
                "rulers": {"anna": {"goods": ["LS", "On"]}, "bert": {}, "carl": {}},
                "gf": {
                    "2D+4": {"kf": NORTH, "hz": {"type": "Std", "kf": 25}},
                    "2D+5": {"kf": SPIT},
                    "2D+6": {"kf": SEA},
                    "2D+7": {"kf": SOUTH, "hz": {"type": "Mkt", "kf": 19}},
                },
                "owners": {"2D+4": "anna", "2D+5": "anna", "2D+7": "bert", "2H+9": "carl"},
                "stacks": {
                    "anna": {"2D+4": "9L 3B 1LS LS[2L 1On] 10RE 2On", "2D+5": "1L 1FS", "2D+6": "LS[5LB]"},
                    "bert": {"2D+6": "LS[2L]", "2D+7": "3L 2B"},
                    "carl": {"2H+9": "2L"},
                },
                "seas": {"anna": ["2D+6"]},
                "known": {"anna": ["2D+6"]},
                **more,
            },
        }
    )


def seen(state: State, ruler: PowerId = ANNA) -> View:
    return KALEVALA.sight.view(state, Playing(ruler))


def test_the_guide_offers_voyages_and_none_that_a_craft_can_not_make() -> None:
    view = seen(coast())
    guide = RulerGuide(view, ())
    offered = [order for kind in ("BOARD", "SAIL", "LAND", "FERRY") for order, _ in guide.whole(kind)]
    assert {type(order).__name__ for order in offered} == {"Embark", "Sail", "Disembark", "Ferry"}
    for order in offered[::4]:
        lines = read_orders(KALEVALA, view, str(order)).values
        assert not rehearse(view.state, ANNA, lines).is_refused(ANNA, lines[0]), order
    for order in offered:
        if isinstance(order, Sail):
            assert voyage_flaw(dict(order.figures)) is None, order


def test_in_a_game_without_a_sea_or_craft_no_voyage_is_offered() -> None:
    state = coast(stacks={"anna": {"2D+4": "9L"}})
    assert not {"BOARD", "SAIL", "LAND", "FERRY"} & set(RulerGuide(seen(state), ()).open_kinds)


def test_entries_by_sea_are_offered_with_the_fleet() -> None:
    state = coast(3, explored={"anna": [{"from": "2D+6", "to": "2D+7"}]})
    assert "ENTER 2 2D+6 K 2D+7 LS[5LB]" in [str(order) for order, _ in RulerGuide(seen(state), ()).whole("ENTER")]


def test_a_fleet_is_offered_aims_of_its_own() -> None:
    state = coast(3, explored={"anna": [{"from": "2D+6", "to": "2D+7"}]})
    view = seen(state)
    standing = read_orders(KALEVALA, view, "ENTER 2 2D+6 K 2D+7 LS[5LB]").values
    menu = war_guide.step(view, standing, ("BATTLE 2D+6", "ALL"), RulerGuide(view, standing).say)
    assert menu is not None
    assert {"AIM ALL RAM", "AIM ALL KILL", "AIM ALL SHOOT"} <= {choice.value for choice in menu.choices}


def test_short_canals_and_passes_are_offered_as_far_as_the_money_goes() -> None:
    isthmus = "WWWW TTTTT TTTTTT WWWWWWW TTTTTTTT TTGTTTT TTTTTT TTTTT"
    land = {"2D+4": {"kf": isthmus.replace("TTGTTTT", "TBGBTTT"), "hz": {"type": "Std", "kf": 25}}}
    rulers: dict[str, Any] = {"anna": {}, "bert": {}, "carl": {}}
    owners = {"2D+4/1": "anna", "2D+4/2": "anna", "2H+9": "bert"}
    state = load(
        {
            "system": "kalevala",
            "state": {
                "rulers": rulers,
                "gf": land,
                "owners": owners,
                "stacks": {"anna": {"2D+4/1": "3L 4RE", "2D+4/2": "3L 30RE"}},
            },
        }
    )
    offered = [str(order) for order, _ in RulerGuide(seen(state), ()).whole("WORK")]
    assert "WORK 2D+4/2 PASS 33 12" in offered
    assert any(text.startswith("WORK 2D+4/1 CANAL") and text.endswith(" 4") for text in offered)


def test_a_landing_is_told_drawn_and_shown_to_those_alone_who_fought() -> None:
    state = coast(3, explored={"anna": [{"from": "2D+6", "to": "2D+7"}]})
    sheets = {ANNA: "ENTER 2 2D+6 K 2D+7 LS[5LB]", PowerId("bert"): "PASS", CARL: "PASS"}
    done = adjudicate_texts(KALEVALA, state, sheets)[0]
    [account] = accounts_of(done.events)
    words = load_phrases("kalevala")
    assert all(words.render(line) for line in (*tale.story(account), *tale.rolls(account)))
    [album] = albums(seen(state), done.events)
    assert render_scene(album.pictures[0], width_px=350)[:4] == b"\x89PNG"
    told = [event.facts.code for event in visible_events(done.events, Playing(CARL)) if event.facts]
    assert "battle" not in told
    assert "sailed" not in told


def test_who_does_not_see_a_fleet_is_shown_the_same_without_it() -> None:
    state = coast()
    other = state.replace(
        stacks={**state.stacks, "anna": {**state.stacks[ANNA], "2D+6": {"SS[4LB]": 3}}},
        modules={"seas": {"anna": ["2D+6", "2D+8"]}},
    )
    assert seen_document(seen(state, CARL)) == seen_document(seen(other, CARL))


def test_the_map_shows_where_craft_lie() -> None:
    tiles = KALEVALA.telling.scene(seen(coast())).tiles.values()  # type: ignore[attr-defined]
    assert {tile.tag for tile in tiles if "ship" in tile.signs} == {"2D+4", "2D+5", "2D+6"}


@pytest.mark.parametrize("number", range(6))
def test_battles_on_the_water_balance_and_come_to_the_same_again(number: int) -> None:
    chance = random.Random(f"sea {number}")
    _, faults = faults_of(a_sea_war(chance), chance)
    assert not faults


def test_books_balance_over_voyages_at_random() -> None:
    chance = random.Random("voyages")
    state, sailed = coast(), 0
    for _ in range(6):
        texts = {ruler: wild_sheet(state, ruler, chance) for ruler in state.rulers}
        sheets = {
            ruler: read_orders(KALEVALA, seen(state, ruler), text).values
            for ruler, text in texts.items()
            if text is not None
        }
        assert not audit_sheets(state, sheets)
        before = state
        state = KALEVALA.play.adjudicate(state, sheets, KALEVALA.play.dice(state)).state
        sailed += _craft_of(before) != _craft_of(state)
    assert sailed


@pytest.mark.parametrize("number", range(3))
def test_receipts_promise_no_voyage_that_the_deadline_refuses_and_tell_nothing_hidden(number: int) -> None:
    chance = random.Random(f"receipts {number}")
    state = a_sea_war(chance) if number % 2 else coast()
    make = a_war_sheet if number % 2 else wild_sheet
    texts = {ruler: make(state, ruler, chance) or "PASS" for ruler in state.rulers}
    ruler = (CARL, ANNA)[number % 2]
    assert_nothing_leaks(state, ruler, texts[ruler])
    assert_foreseen(state, texts)


def _craft_of(state: State) -> list[object]:
    return [(ruler, place, craft_among(stack)) for ruler, own in state.stacks.items() for place, stack in own.items()]


@pytest.mark.parametrize(
    ("named", "there", "going"),
    [
        ("LS[6L]", "LS[4L] LS[1L]", "LS[4L]"),
        ("LS[3L] LS[6L]", "LS[3L] LS[2L]", "LS[3L] LS[2L]"),
        ("2LS[3L]", "LS[1L 1B] LS[2L]", "LS[2L]"),
        ("LS[3L 1On]", "LS[1On] SS[3L]", ""),
        ("LS[3L] Z/30", "LS[1L] Z/50", "LS[1L]"),
    ],
)
def test_craft_sail_on_with_whoever_is_left_of_those_who_were_named(named: str, there: str, going: str) -> None:
    assert manned(parse_figures(named) or {}, parse_figures(there) or {}) == (parse_figures(going) or {})


def test_a_voyage_goes_on_after_a_fight_on_the_high_sea_that_cost_men() -> None:
    """Ruling KA290"""
    state = {
        "rulers": {"anna": {}, "bert": {}},
        "gf": {
            "2D+4": {"kf": "W" * 16 + "T" * 32},
            "2D+5": {"kf": "W" * 48},
            "2D+6": {"kf": "T" * 30 + "W" * 18},
        },
        "owners": {"2D+4": "anna"},
        "stacks": {"anna": {"2D+4": "9L LS[6L]"}, "bert": {"2D+5": "LS[3L]"}},
        "explored": {"anna": [{"from": "2D+4", "to": "2D+5"}, {"from": "2D+5", "to": "2D+6"}]},
    }
    given = load({"system": "kalevala", "seed": "s0", "phase": {"gr": 3, "part": 3}, "state": state})
    sheet = "ENTER 3 2D+4 K 2D+5 LS[6L]\nENTER 4 2D+5 B 2D+6 LS[6L]"
    after = adjudicate_texts(KALEVALA, given, {ANNA: sheet})[0].state
    assert after.owners["2D+6"] == ANNA  # type: ignore[index]
    assert 0 < after.stacks[ANNA]["2D+6"]["L"] < 6  # type: ignore[index]


def test_the_high_sea_is_told_as_what_it_is_and_a_voyage_onto_it_too() -> None:
    fleets = {
        "anna": {"2D+4": "2L", "2D+5": "1L FS[2L]"},
        "bert": {"2D+6": "LS[2L]", "2D+7": "3L"},
        "carl": {"2H+9": "2L"},
    }
    state = coast(seas={}, known={}, stacks=fleets)
    sheets = {ANNA: "EXPLORE 1 2D+5 > 2D+6", PowerId("bert"): "PASS", CARL: "PASS"}
    done = adjudicate_texts(KALEVALA, state, sheets)[0]
    view = seen(done.state)
    words = load_phrases("kalevala")
    [letter] = [words.render(event.what) for event in visible_events(done.events, Playing(ANNA)) if is_of_scouts(event)]
    assert "It is the high sea, which nobody owns. Figures there: " in letter
    assert "Bert LS[2L]" in letter
    assert "natives" not in letter
    guide = RulerGuide(view, ())
    [(order, label), *_] = guide.whole("ENTER")
    assert str(order).startswith("ENTER 2 2D+5 B 2D+6 ")
    assert label.startswith("sail onto 2D+6 with ")
    assert any("sails onto the high sea 2D+6" in words.render(line) for line in examples(view))
    assert notes_of(str(order), view) == "nobody owns the high sea: others may be there, too"


def is_of_scouts(event: Event) -> bool:
    return event.facts is not None and event.facts.code == "explored"


def notes_of(text: str, view: View) -> str:
    """What the receipt of a line says besides that it can be carried out."""
    [forecast] = check.rehearse(view, read_orders(KALEVALA, view, text).orders).lines
    assert forecast.level == "ok"
    return "; ".join(map(load_phrases("kalevala").render, forecast.notes))


def test_a_receipt_tells_what_an_occupation_takes_if_the_order_does_not() -> None:
    field = {"kf": SOUTH, "hz": {"type": "Mkt", "kf": 19, "founded": False}}
    state = coast(
        3,
        gf={
            "2D+4": {"kf": NORTH, "hz": {"type": "Std", "kf": 25}},
            "2D+5": {"kf": SPIT},
            "2D+6": {"kf": SEA},
            "2D+7": field,
        },
        owners={"2D+4": "anna", "2H+9": "bert"},
        stacks={"anna": {"2D+6": "LS[4L 1B 1RE]"}, "bert": {"2H+9": "2L"}},
        explored={"anna": [{"from": "2D+6", "to": "2D+7"}]},
    )
    told = notes_of("ENTER 2 2D+6 B 2D+7 LS[1B 4L 1RE]", seen(state))
    assert told == "the occupation costs 1B 1L 1RE, unless `LOSS` names others; contested if others enter it, too"
    chosen = notes_of("ENTER 2 2D+6 B 2D+7 LS[1B 4L 1RE] LOSS 2L", seen(state))
    assert chosen == "contested if others enter it, too"
    wasted = notes_of("ENTER 2 2D+6 B 2D+7 LS[1B 4L 1RE] LOSS 3L", seen(state))
    assert wasted.startswith("the occupation costs 4 RE, and `LOSS` names 6: all of it would be lost; contested")


def raiders(stack: str) -> View:
    """Anna without land, at sea, with natives' land before her."""
    field = {"kf": SOUTH, "hz": {"type": "Mkt", "kf": 19, "founded": False}}
    return seen(
        coast(
            3,
            rulers={"anna": {"kind": "invader"}, "bert": {}, "carl": {}},
            gf={"2D+6": {"kf": SEA}, "2D+7": field},
            owners={"2H+9": "carl"},
            stacks={"anna": {"2D+6": stack}, "carl": {"2H+9": "2L"}},
            explored={"anna": [{"from": "2D+6", "to": "2D+7"}]},
        )
    )


def test_who_sails_away_from_money_at_sea_is_told_that_it_sinks_and_the_guide_leaves_a_craft_with_it() -> None:
    view = raiders("2LS[1B 4L] LS[3L] 80RE")
    assert "80RE would stay in 2D+6 without a craft of yours, and sink" in notes_of(
        "ENTER 2 2D+6 B 2D+7 2LS[1B 4L] LS[3L]", view
    )
    assert "sink" not in notes_of("ENTER 2 2D+6 B 2D+7 2LS[1B 4L]", view)
    [(order, _), *_] = RulerGuide(view, ()).whole("ENTER")
    assert str(order) == "ENTER 2 2D+6 B 2D+7 2LS[1B 4L]"
    [(order, _), *_] = RulerGuide(raiders("2LS[1B 4L] LS[3L]"), ()).whole("ENTER")
    assert str(order) == "ENTER 2 2D+6 B 2D+7 2LS[1B 4L] LS[3L]"


def test_a_trial_counts_what_a_landing_costs_aboard_and_ashore(monkeypatch: pytest.MonkeyPatch) -> None:
    state = coast(3, explored={"anna": [{"from": "2D+6", "to": "2D+7"}]})
    view = seen(state)
    lines = read_orders(KALEVALA, view, "ENTER 2 2D+6 K 2D+7 LS[5LB]").values
    site = war_room.site_at(view, lines, Province("2D+7"), None)
    assert site is not None
    monkeypatch.setattr(war_room, "MOST_BATTLES", 6)
    monkeypatch.setattr(war_room, "LEAST_BATTLES", 6)
    ends = [fight_out(site, Streams(Dice(f"trial {number}"))) for number in range(6)]
    fallen = sum(end.course.lost[ANNA].get("LB", 0) for end in ends)
    drowned = sum(end.course.lost[ANNA].get("LS", 0) for end in ends)
    assert fallen
    trial = war_room.try_out(site, ANNA)
    assert trial.lost == pytest.approx((4 * fallen + 6 * drowned) / (6 * (5 * 4 + 6)))
    monkeypatch.setattr(war_room, "MOST_BATTLES", 120)
    monkeypatch.setattr(war_room, "FIGHTING", 11 * 30)
    assert war_room.battles_for(site) == 30, "the five aboard count, and their ship"


def test_a_plan_without_lines_is_said_to_change_nothing() -> None:
    """Those aboard need no plan, so a sensible plan for a fleet has no lines."""
    view = seen(coast(3, explored={"anna": [{"from": "2D+6", "to": "2D+7"}]}))
    entry = "ENTER 2 2D+6 K 2D+7 LS[5LB]"
    words = load_phrases("kalevala")
    for plan, told in (
        ("BATTLE 2D+6 VS 2D+7\nEND", ["no line of it yet: all do what they would do without a plan"]),
        ("BATTLE 2D+6 VS 2D+7\nAIM ALL RAM\nEND", []),
        ("DEFEND 2D+4 NONE", []),
    ):
        _, opening, *_ = check.rehearse(view, read_orders(KALEVALA, view, f"{entry}\n{plan}").orders).lines
        assert [words.render(note) for note in opening.notes] == told
