"""What a player of Kregen is led to, offered, warned of and told: menus, completion, sheets, advice, reports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from engine.core.events import Event
from engine.core.ids import PowerId
from engine.core.orders import Menu, words_for
from engine.core.outcome import OrderResult, Outcome
from engine.core.phrases import phrase
from engine.core.reading import adjudicate_texts, read_orders
from engine.core.variant import load_phrases
from engine.core.viewer import EVERYBODY, Playing
from engine.kregen.model import Order, State, View
from engine.kregen.sheet import filed
from engine.kregen.system import KREGEN

RULES = KREGEN
UNITS = (
    "magdag F MAG", "magdag F MAG", "magdag A CHU", "magdag H CHU", "zair A ZIM", "zair F ZY", "zair H ZY",
    "renders F OVL", "renders H SWD",
)  # fmt: skip


def _missing(view: View, orders: Sequence[Order]) -> tuple[str, ...]:
    return words_for(RULES.orders.missing(view, orders), load_phrases("kregen"))


def position(*units: str, **document: Any) -> State:
    rows = [dict(zip(("power", "kind", "at"), unit.split(), strict=True)) for unit in units or UNITS]
    state = {"units": rows, **document.pop("state", {})}
    return RULES.play.load({"system": "kregen", "state": state, **document})


def seen_by(power: str, state: State | None = None) -> View:
    return RULES.sight.view(state or position(), Playing(PowerId(power)))


def led(view: View, *path: str) -> Menu:
    return RULES.orders.menu(view, path)


def values(menu: Menu) -> list[str]:
    return [choice.value for choice in menu.choices]


def told(power: str, *lines: str, state: State | None = None) -> list[str]:
    view = seen_by(power, state)
    return [advice.what.code for advice in RULES.orders.advise(view, read_orders(RULES, view, "\n".join(lines)).orders)]


def orders_of(power: str, text: str, state: State | None = None) -> list[str]:
    reading = read_orders(RULES, seen_by(power, state), text)
    assert not reading.errors
    return [RULES.orders.format(order) for order in reading.values]


def test_results_tell_a_unit_without_an_order_from_one_that_was_ordered_to_hold() -> None:
    state = position("zair A ZIM", "zair F ZY", "magdag F MAG")
    closed, errors = adjudicate_texts(RULES, state, {PowerId("zair"): "A ZIM H"})
    assert not any(errors.values())
    report = RULES.telling.report(RULES.sight.view(state, EVERYBODY), closed.results, closed.events)
    lines = [load_phrases("kregen").render(line) for section in report.sections for line in section.lines]
    assert {"✓ A ZIM H", "– F ZY H (no order)", "– F MAG H (no order)"} <= set(lines)


# What is read


def test_what_went_or_was_disbanded_without_an_order_is_told_so() -> None:
    rows = [("zair", "A", "ZIM", "SHP"), ("magdag", "H", "RZK", "SHP"), ("gashil", "A", "OCH", "ZHT")]
    driven = [{"power": power, "kind": kind, "at": at, "retreats": [to]} for power, kind, at, to in rows]
    state = position("zair A ZY", phase={"kind": "retreats"}, state={"dislodged": driven})
    done, _ = adjudicate_texts(RULES, state, {PowerId("gashil"): "A OCH D"})
    report = RULES.telling.report(RULES.sight.view(done.state, EVERYBODY), done.results, ())
    lines = [load_phrases("kregen").render(line) for section in report.sections for line in section.lines]
    assert {
        "– A ZIM D: no order to retreat, so it was disbanded",
        "– H RZK R SHP: no order to retreat, so it took the first way open",
        "✓ A OCH D",
    } <= set(lines)


@pytest.mark.parametrize(
    ("units", "said"),
    [
        (("zair A ZY", "zair A ZIM"), "Remove some of A ZIM (Zimurz) and A ZY (Zy)."),
        (("zair A ZY",), "Remove A ZY (Zy)."),
    ],
)
def test_nobody_is_asked_to_choose_from_a_single_unit(units: tuple[str, ...], said: str) -> None:
    phase = {"kind": "adjustments", "season": "summer"}
    view = seen_by("zair", position(*units, phase=phase, state={"owners": {"ZY": "magdag", "ZIM": "magdag"}}))
    (section,) = RULES.telling.briefing(view).sections
    assert load_phrases("kregen").render(section.lines[0]).endswith(said)


def test_words_between_a_unit_and_its_place_are_passed_over() -> None:
    assert orders_of("magdag", "army in Chuktar - HIK; hero at the CHU H") == ["A CHU - HIK", "H CHU H"]
    start = RULES.play.start(variant="standard", players=8, options={}, seed="s")
    assert orders_of("zair", "build army in zulfiria, fleet in zy", start) == ["BUILD A ZUL", "BUILD F ZY"]


def test_whoever_writes_no_order_is_told_what_the_phase_takes() -> None:
    start = RULES.play.start(variant="standard", players=8, options={}, seed="s")
    (error,) = read_orders(RULES, seen_by("zair", start), "what can I build?").errors
    told = load_phrases("kregen").render(error.reason)
    assert told.startswith("There is no order in this. Orders in this phase are the first units (BUILD)")


@pytest.mark.parametrize("typed", ["all hold", "Hold all", "everything holds"])
def test_all_hold_orders_every_unit_and_hero(typed: str) -> None:
    assert orders_of("magdag", typed) == ["F MAG H", "F MAG H", "A CHU H", "H CHU H"]


def test_all_hold_leaves_alone_what_the_text_orders_otherwise_and_who_rests() -> None:
    assert orders_of("magdag", "F MAG - OVL; all hold; A CHU D") == ["F MAG - OVL", "A CHU D", "F MAG H", "H CHU H"]
    assert orders_of("magdag", "all hold\nFF MAG - OVL") == ["FF MAG - OVL", "A CHU H", "H CHU H"]
    wounded = position(*UNITS, state={"resting": [{"power": "magdag", "seasons": 2}]})
    assert "H CHU H" not in orders_of("magdag", "all hold", wounded)


# The guided flow


@pytest.mark.parametrize(
    ("path", "order"),
    [
        ("F MAG/move/OVL/move/CRA", "F MAG - OVL, - CRA"),
        ("F MAG/move/OVL/enough", "F MAG - OVL"),
        ("F MAG/move/MEG/support/A CHU/HIK", None),
        ("F MAG/move/OVL/support/A CHU/HIK", "F MAG - OVL, S A CHU - HIK"),
        ("FF MAG/move/OVL/enough", "FF MAG - OVL"),
        ("F MAG/hold/move/OVL", "F MAG H, - OVL"),
        ("A CHU/move_late/HIK", "A CHU - HIK (2)"),
        ("H CHU/with/A/stay/enough", "H CHU with A CHU"),
        ("duel H CHU/capture/40/47", "duel H CHU 47 capture"),
        ("duel H CHU/kill/100", "duel H CHU 100 kill"),
    ],
)
def test_the_guide_leads_through_both_steps(path: str, order: str | None) -> None:
    assert led(seen_by("magdag"), *path.split("/")).order == order


def test_the_guide_offers_no_help_across_the_holy_war() -> None:
    state = position("magdag A CHU", "zair A HIK", "gashil A ZOR")
    offered = values(led(seen_by("magdag", state), "A CHU", "support"))
    assert "A ZOR" in offered
    assert "A HIK" not in offered


@pytest.mark.parametrize("power", ["akhram", "renders"])
def test_no_choice_of_the_set_up_is_so_long_that_a_button_cuts_it(power: str) -> None:
    """Where there is little room a button names three choices."""
    start = RULES.play.start(variant="standard", players=8, options={}, seed="s")
    choices = led(seen_by(power, start)).choices
    assert "default" in [choice.value for choice in choices]
    assert max(len(choice.label) for choice in choices) < 28


def test_the_set_up_is_led() -> None:
    start = RULES.play.start(variant="standard", players=8, options={}, seed="s")
    akhram, zair = seen_by("akhram", start), seen_by("zair", start)
    assert values(led(akhram)) == ["capital", "AKH", "BKI", "WAN", "default"]
    assert led(akhram, "capital", "WAN").order == "capital WAN"
    assert led(akhram, "BKI", "F BKI").order == "BUILD F BKI"
    assert "capital" not in values(led(zair)), "Zy is fixed"


# Completion and lists


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("f mag - ovl, s a chu", "F MAG - OVL, S A CHU - HIK"),
        ("f mag - ovl - cra", "F MAG - OVL, - CRA"),
        ("ff mag ov", "FF MAG - OVL"),
        ("f magdag overlord", "F MAG - OVL"),
        ("duel chu 40 ca", "duel H CHU 40 capture"),
        ("spare ren", "spare renders"),
        ("a chu d", "A CHU D"),
    ],
)
def test_what_is_typed_is_completed(typed: str, found: str) -> None:
    assert found in RULES.orders.suggest(seen_by("magdag"), typed)


def test_a_second_step_may_support_what_is_still_to_come() -> None:
    view = seen_by("zair", position("zair F SWD", "zair F ZY"))
    assert "F ZY - KRO, S F SZR - SWD" not in map(RULES.orders.format, RULES.orders.legal(view)["ZY"])
    assert "F ZY - KRO, S F SZR - SWD" in RULES.orders.suggest(view, "F ZY - KRO, s f szr")


# Sheets


def test_two_fleets_keep_a_line_each_and_a_pair_takes_both() -> None:
    view = seen_by("magdag")

    def put_in(standing: str, new: str) -> list[str]:
        sheets = (read_orders(RULES, view, text).values for text in (standing, new))
        return [RULES.orders.format(order) for order in RULES.orders.amend(view, *sheets)]

    assert put_in("F MAG - OVL", "F MAG - MEG") == ["F MAG - OVL", "F MAG - MEG"]
    assert put_in("F MAG - OVL\nF MAG - MEG", "F MAG H") == ["F MAG - MEG", "F MAG H"]
    assert put_in("F MAG - OVL\nF MAG - MEG", "FF MAG H") == ["FF MAG H"]
    assert put_in("duel H CHU 4 kill\nspare renders", "duel H CHU 5 kill") == ["duel H CHU 5 kill", "spare renders"]


def test_both_fleets_of_a_sector_are_missed() -> None:
    view = seen_by("magdag")
    one = read_orders(RULES, view, "F MAG - OVL").values
    assert _missing(view, one)[:3] == ("F MAG", "A CHU", "H CHU")
    assert _missing(view, read_orders(RULES, view, "FF MAG - OVL").values)[:1] == ("A CHU",)


def test_who_shares_asks_the_other() -> None:
    view = seen_by("magdag")
    (request,) = RULES.orders.requests(view, read_orders(RULES, view, "share with renders\nlet pass zair").values)
    assert (request.power, request.answer) == ("renders", "share with magdag")


# Advice


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (("F MAG S A CHU - ZNX", "A CHU - ZOR"), "advice.helps_otherwise"),
        (("F MAG - OVL, S A CHU - HIK", "A CHU - HIK"), "advice.helps_otherwise"),
        (("F MAG - OVL, S A CHU - HIK", "A CHU - HIK (2)"), None),
        (("F MAG S A CHU - ZNX", "A CHU - ZNX"), None),
        (("F MAG - OVL, C A CHU - CRA", "A CHU H"), "advice.army_not_coming"),
        (("F MAG - OVL, C",), "advice.carries_nobody"),
        (("F MAG S A CHU - ZNX", "A CHU - ZNX (2)"), None),
        (("F MAG S A CHU - ZNX, H", "A CHU - ZNX (2)"), "advice.helps_otherwise"),
    ],
)
def test_what_is_hardly_meant_is_said(lines: tuple[str, ...], code: str | None) -> None:
    assert told("magdag", *lines) == ([code] if code else [])


@pytest.mark.parametrize(
    ("lines", "codes"),
    [
        (("A CHU - HIK",), ["advice.garrison"]),
        (("A CHU - HIK (2)",), ["advice.garrison"]),
        (("A CHU - ZOR",), []),
        (("F MAG - OVL, S A CHU - HIK", "A CHU - HIK (2)"), []),
        (("A CHU - HIK", "H CHU with A CHU"), []),
        (("A CHU - HIK", "H CHU - HIK"), ["advice.garrison"]),
    ],
)
def test_whoever_goes_into_a_garrison_alone_is_warned(lines: tuple[str, ...], codes: list[str]) -> None:
    """Newcomers march into the nearest city, and bounce."""
    state = position("magdag A CHU", "magdag F MAG", "magdag H CHU")
    found = told("magdag", *lines, "duel H CHU 40 kill", state=state)
    assert [code for code in found if code != "advice.could_duel"] == codes


FELLOWS = ("magdag H CHU", "akhram H NEE", "zair H ZY", "renders H OVL")


@pytest.mark.parametrize(
    ("power", "line", "codes"),
    [
        ("magdag", "H CHU - VSK", ["advice.could_duel"]),
        ("akhram", "H NEE - DEL", ["advice.could_duel"]),
        ("magdag", "H CHU - HIK - CRA", []),
        ("magdag", "H CHU - VSK\nspare akhram", []),
        ("magdag", "H CHU - VSK\nshare with akhram", []),
        ("magdag", "H CHU - VSK\nduel H CHU 40 kill", []),
        ("zair", "H ZY H", []),
        ("renders", "H OVL H", []),
    ],
)
def test_heroes_of_one_faith_are_warned_of_a_duel_that_neither_wants(power: str, line: str, codes: list[str]) -> None:
    assert told(power, *line.split("\n"), state=position(*FELLOWS)) == codes


def test_the_warning_names_the_order_that_spares() -> None:
    view = seen_by("akhram", position(*FELLOWS))
    (advice,) = RULES.orders.advise(view, read_orders(RULES, view, "H NEE - DEL").orders)
    assert (advice.what.args["power"], advice.what.args["order"]) == ("magdag", "spare magdag")


# Two heroes in one place


TWO = {
    "state": {
        "units": [
            {"power": "zair", "kind": "H", "at": "ZY"},
            {"power": "zair", "kind": "H", "at": "ZY", "of": "magdag"},
            {"power": "renders", "kind": "H", "at": "SWD"},
        ]
    }
}


def two_heroes() -> View:
    return RULES.sight.view(RULES.play.load(TWO), Playing(PowerId("zair")))


def test_two_heroes_in_one_place_are_asked_for_a_number_each() -> None:
    sent = read_orders(RULES, two_heroes(), "duel H ZY of Magdag 70 capture").values
    form = next(door.form for door in RULES.doors if door.id == "duel")
    assert form is not None
    assert form.text(two_heroes(), sent).splitlines() == ["duel H ZY of zair …", "duel H ZY of magdag 70 capture"]
    assert [name for name in _missing(two_heroes(), sent) if "duel" in name] == ["duel H ZY of zair"]
    assert "duel H ZY of magdag …  # 0 to 100, kill or capture" in RULES.orders.template(two_heroes(), ())


def test_a_new_number_for_one_of_two_heroes_leaves_the_other_alone() -> None:
    view = two_heroes()
    standing = read_orders(RULES, view, "duel H ZY of zair 40\nduel H ZY of magdag 70").values
    amended = RULES.orders.amend(view, standing, read_orders(RULES, view, "duel H ZY of magdag 10").values)
    assert list(map(RULES.orders.format, amended)) == ["duel H ZY of magdag 10 kill", "duel H ZY of zair 40 kill"]


def test_the_guide_and_completion_tell_two_heroes_apart() -> None:
    view = two_heroes()
    assert led(view, "duel H ZY of magdag", "kill", "70", "73").order == "duel H ZY of magdag 73 kill"
    assert led(view, "duel H ZY of zair", "kill", "70", "73").order == "duel H ZY of zair 73 kill"
    assert "duel H ZY of magdag 7 kill" in RULES.orders.suggest(view, "duel zy of magdag 7")


# A capital that is too full


FULL = ("magdag A MAG", "magdag A MAG", "magdag A CHU", "magdag H MAG")


def started(power: str, *lines: str) -> State:
    state = RULES.play.start(variant="standard", players=8, options={}, seed="full")
    orders = read_orders(RULES, RULES.sight.view(state, Playing(PowerId(power))), "\n".join(lines)).values
    return RULES.play.adjudicate(state, {PowerId(power): orders}, RULES.play.dice(state)).state


def codes_of_briefing(view: View) -> list[str]:
    return [line.code for section in RULES.telling.briefing(view).sections for line in section.lines]


@pytest.mark.parametrize("power", ["akhram", "magdag", "gashil", "zair", "zandikar", "sanurkazz", "proconia"])
def test_default_sheets_of_set_up_and_first_season_lose_no_army(power: str) -> None:
    start = RULES.play.start(variant="standard", players=8, options={}, seed="full")
    state = started(power, *RULES.orders.default(RULES.sight.view(start, Playing(PowerId(power)))).splitlines())
    view = RULES.sight.view(state, Playing(PowerId(power)))
    reading = read_orders(RULES, view, RULES.orders.default(view))
    assert not reading.errors
    assert _missing(view, reading.values) == ()
    assert RULES.orders.advise(view, reading.orders) == ()
    assert "report.crowded" in codes_of_briefing(view)
    after = RULES.play.adjudicate(state, {PowerId(power): reading.values}, RULES.play.dice(state))
    assert sum(unit.power == power for unit in after.state.units) == 4
    assert [row.outcome for row in after.results if row.power == power] == [Outcome.SUCCEEDS] * 4


def test_fleets_leave_a_full_capital_by_default_too() -> None:
    state = started("magdag", *["BUILD F MAG"] * 4, *["BUILD F CHU"] * 2, *["BUILD F ZNX"] * 2)
    view = seen_by("magdag", state)
    lines = RULES.orders.default(view).splitlines()
    assert len(lines) == 8
    assert sum(" - " in line for line in lines) == 2
    assert RULES.orders.advise(view, read_orders(RULES, view, "\n".join(lines)).orders) == ()


def test_no_default_is_offered_where_nothing_is_too_full() -> None:
    assert RULES.orders.default(seen_by("magdag")) == ""
    assert "report.crowded" not in codes_of_briefing(seen_by("magdag"))


def test_an_empty_sheet_says_what_a_full_capital_loses() -> None:
    full = seen_by("magdag", position("magdag A MAG", "magdag A MAG", "magdag A CHU"))

    def left_to_itself(view: View, *lines: str) -> list[str]:
        return [what.code for what in RULES.orders.otherwise(view, read_orders(RULES, view, "\n".join(lines)).values)]

    assert left_to_itself(full) == ["otherwise.movement", "report.crowded", "report.way_out"]
    assert left_to_itself(full, "A CHU H") == ["otherwise.movement"]
    assert left_to_itself(seen_by("magdag")) == ["otherwise.movement", "otherwise.duel"]


@pytest.mark.parametrize(
    ("lines", "codes"),
    [
        (("BUILD A MAG", "BUILD A MAG"), ["advice.full_at_start"]),
        (("BUILD F MAG", "BUILD F MAG", "BUILD F MAG"), ["advice.full_at_start"]),
        (("capital MAG",), ["advice.full_at_start"]),
        (("BUILD A MAG", "BUILD H MAG", "BUILD A CHU"), []),
    ],
)
def test_the_set_up_warns_of_a_capital_that_will_be_too_full(lines: tuple[str, ...], codes: list[str]) -> None:
    start = RULES.play.start(variant="standard", players=8, options={}, seed="full")
    assert told("magdag", *lines, state=start) == codes
    assert "report.capital_empties" in codes_of_briefing(RULES.sight.view(start, Playing(PowerId("magdag"))))


@pytest.mark.parametrize(
    ("lines", "codes"),
    [
        (("A MAG H",), ["advice.stays_too_much"]),
        (("A CHU H",), ["advice.stays_too_much"]),
        (("A MAG - OI",), []),
        (("A MAG - OI (2)", "A MAG H"), []),
        (("A MAG D",), []),
    ],
)
def test_sheets_that_leave_a_capital_too_full_are_warned_of(lines: tuple[str, ...], codes: list[str]) -> None:
    assert told("magdag", *lines, state=position(*FULL)) == codes


@pytest.mark.parametrize(
    ("line", "codes"),
    [
        ("H CHU with A CHU", []),
        ("H CHU with F CHU", ["advice.no_fleet_to_join"]),
        ("H CHU - ZNX, with A ZNX", []),
        ("H CHU - MAG, with F MAG - OVL", []),
    ],
)
def test_a_hero_who_is_to_go_with_a_unit_that_nobody_has_there_is_warned_of(line: str, codes: list[str]) -> None:
    assert told("magdag", line) == codes


# What is told


def test_the_briefing_says_how_heroes_that_could_meet_spare_each_other() -> None:
    spared = {
        power: [
            line.args["order"]
            for section in RULES.telling.briefing(seen_by(power, position(*FELLOWS))).sections
            for line in section.lines
            if line.code == "report.may_spare"
        ]
        for power in ("magdag", "akhram", "zair")
    }
    assert spared["magdag"] == ["spare akhram", "spare renders"]
    assert sorted(spared["akhram"]) == ["spare magdag", "spare renders"]
    assert spared["zair"] == ["spare renders"]


def test_a_report_tells_duels_first_and_the_impulse_of_a_failure() -> None:
    failed = OrderResult(
        PowerId("magdag"),
        None,
        "F MAG - OVL, - CRA",
        "MAG",
        Outcome.BOUNCES,
        phrase("reason.bounced", place="CRA", impulse=2),
    )
    duel = Event(
        phrase("event.duel_tie", place="ZY", one="zair", other="magdag", number_one=1, number_other=2, drawn=3)
    )
    report = RULES.telling.report(
        seen_by("magdag"), [failed], [Event(phrase("event.took", power="zair", place="ZY")), duel]
    )
    assert report.sections[0].lines == (duel.what,)
    (line,) = report.sections[1].lines
    assert line.args["impulse"] == phrase("report.impulse.2")


def test_the_briefing_asks_for_numbers_only_where_heroes_could_meet() -> None:
    near = position("zair H ZY", "renders H SWD", "akhram H HUN")
    asked = {
        power: [
            line.code for section in RULES.telling.briefing(seen_by(power, near)).sections for line in section.lines
        ]
        for power in ("zair", "akhram")
    }
    assert "report.duel_asked" in asked["zair"]
    assert "report.duel_asked" not in asked["akhram"]


def test_prophecies_in_force_are_told_to_their_owner_alone() -> None:
    line = "build: A ZY"
    state = position(
        "zair A ZIM", phase={"season": "summer", "kind": "adjustments"}, state={"prophecies": {"zair": [line]}}
    )
    assert filed(seen_by("zair", state)) == (line,)
    assert filed(seen_by("magdag", state)) == ()


@pytest.mark.parametrize("power", ["magdag", "zair", "renders"])
def test_the_briefing_shows_prophecies_that_this_power_could_file(power: str) -> None:
    view = seen_by(power, position(options={"prophetic": True}))
    lines = [line for section in RULES.telling.briefing(view).sections for line in section.lines]
    told = next(text for text in map(load_phrases("kregen").render, lines) if "file prophecies" in text)
    shown = told.split("`")[1::2]
    assert len(shown) == 2
    assert not read_orders(RULES, view, "\n".join(shown)).errors


def test_a_set_up_that_names_some_capitals_has_the_usual_ones_of_the_other_nations() -> None:
    usual = KREGEN.play.start(variant="standard", players=8, options={}, seed="")
    document = KREGEN.play.dump(usual)
    capitals = {"akhram": usual.capitals[PowerId("akhram")]}
    state = KREGEN.play.load({**document, "state": {**document["state"], "capitals": capitals}})
    assert state.capitals == usual.capitals
    KREGEN.play.adjudicate(state, {}, KREGEN.play.dice(state))


@pytest.mark.parametrize(
    ("typed", "orders"),
    [
        ("A CHU - HIK, F MAG - OVL, duel H CHU 40 kill", ["A CHU - HIK", "F MAG - OVL", "duel H CHU 40 kill"]),
        ("F MAG - OVL, - RNS, A CHU H", ["F MAG - OVL, - RNS", "A CHU H"]),
        ("F MAG H, - OVL , H CHU - HIK", ["F MAG H, - OVL", "H CHU - HIK"]),
    ],
)
def test_commas_separate_orders_where_they_make_no_sense_as_one(typed: str, orders: list[str]) -> None:
    reading = read_orders(RULES, seen_by("magdag"), typed)
    assert [RULES.orders.format(order) for order in reading.values] == orders


def test_a_line_that_makes_no_sense_is_refused_order_by_order() -> None:
    reading = read_orders(RULES, seen_by("magdag"), "A CHU - HIK, F MAG - XYZ")
    assert [RULES.orders.format(order) for order in reading.values] == ["A CHU - HIK"]
    (error,) = reading.errors
    assert error.text[error.column - 1 : error.end - 1] == "XYZ"


def test_first_units_may_be_written_without_the_word_build() -> None:
    state = RULES.play.start(variant="standard", players=8, options={}, seed="1")
    built = ["BUILD A ZUL", "BUILD F ZIM", "BUILD H ZY"]
    for typed in (
        "A ZUL, F ZIM, H ZY",
        "A ZUL; F ZIM; H ZY",
        "build A ZUL, build F ZIM, H ZY",
        "BUILD A ZUL, F ZIM, H ZY",
    ):
        assert orders_of("zair", typed, state) == built


def test_standings_tell_cities_that_are_neither_square_nor_round() -> None:
    state = RULES.play.start(variant="standard", players=8, options={}, seed="1")
    sections = RULES.telling.report(RULES.sight.view(state, EVERYBODY), (), ()).sections
    lines = [load_phrases("kregen").render(line) for line in sections[-1].lines]
    assert "Proconia: 3 cities (1 square, 1 round, 1 neither), 4 points" in lines
    assert "Akhram: 3 cities (3 square, 0 round), 4 points" in lines
