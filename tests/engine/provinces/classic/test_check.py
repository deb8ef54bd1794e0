"""Tests of `classic.check` and `legality`: what may not be ordered, why, and what is offered instead."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.ids import PowerId
from engine.core.play import Over
from engine.core.reading import read_orders
from engine.core.variant import load_phrases
from engine.core.viewer import Playing
from tests.engine.diplomacy.table import RULES, accepted, refused, state_of, view_of, words
from tests.examples import few
from tests.positions import dense_phase

SEA = (
    "england F NTH, A LON, F ENG, A YOR; france F MAO, A BRE, F GAS, A PIE, A MAR; "
    "germany F DEN, A KIE; russia F STP/SC"
)


@pytest.mark.parametrize(
    ("power", "text", "code", "spot", "hints"),
    [
        ("england", "A PAR - BUR", "no_unit_there", "A PAR", ()),
        ("england", "A PAR - WAL", "no_unit_there", "A PAR", ("F ENG - WAL", "A LON - WAL", "A LON - WAL VIA CONVOY")),
        (
            "england",
            "A BRE - PIC",
            "not_your_unit",
            "A BRE",
            ("F ENG - PIC", "A LON - PIC VIA CONVOY", "A YOR - PIC VIA CONVOY"),
        ),
        ("england", "A LON - LON", "move_to_itself", "LON", ()),
        ("england", "A LON - NTH", "army_to_sea", "NTH", ()),
        ("france", "F GAS - PAR", "fleet_inland", "PAR", ()),
        ("france", "A PIE - BUR", "not_adjacent", "BUR", ()),
        ("france", "F GAS - POR", "not_adjacent", "POR", ("A BRE - POR VIA CONVOY", "F MAO - POR")),
        ("germany", "F DEN - BER", "not_adjacent", "BER", ()),
        ("france", "F MAO - SPA", "coast_needed", "SPA", ("F MAO - SPA/NC", "F MAO - SPA/SC")),
        ("france", "F GAS - SPA/SC", "coast_unreachable", "SPA/SC", ("F GAS - SPA/NC",)),
        ("russia", "F STP - NWY", "not_along_coast", "NWY", ()),
        ("germany", "A KIE - NWY", "no_convoy_route", "NWY", ()),
        ("germany", "A KIE - BER VIA CONVOY", "no_convoy_route", "BER", ("A KIE - BER",)),
        ("france", "A MAR - PIE VIA CONVOY", "no_convoy_route", "PIE", ("A MAR - PIE",)),
        ("germany", "A KIE - RUH VIA CONVOY", "no_way_by_sea", "RUH", ("A KIE - RUH",)),
        ("england", "F NTH - NWY VIA CONVOY", "convoy_of_fleet", "-", ("F NTH - NWY",)),
        ("france", "A MAR S A MAR", "supports_itself", "A MAR", ()),
        ("france", "A MAR S A BUR", "no_unit_to_help", "A BUR", ()),
        ("france", "A MAR S A BRE", "no_support_there", "A BRE", ("A MAR S A BRE - GAS", "A MAR S A BRE - SPA")),
        ("england", "A LON S A YOR - LON", "support_at_home", "LON", ()),
        ("france", "A MAR S F GAS - BUR", "impossible_to_support", "BUR", ("A MAR S F GAS - SPA/NC",)),
        ("england", "F ENG S A LON - LON", "impossible_to_support", "LON", ()),
        ("germany", "A KIE C A LON - BEL", "convoy_by_army", "C", ()),
        ("france", "F GAS C A BRE - POR", "convoy_at_coast", "C", ("F MAO C A BRE - POR",)),
        ("england", "F NTH C F DEN - YOR", "convoy_of_fleet", "F DEN", ("F NTH C A LON - YOR", "F NTH C A BRE - YOR")),
        ("england", "F NTH C A LON - LON", "move_to_itself", "LON", ()),
        ("england", "F NTH C A LON - ENG", "army_to_sea", "ENG", ()),
        ("england", "F NTH C A KIE - LON", "no_convoy_route", "LON", ()),
        ("england", "F NTH C A BRE - POR", "convoy_not_needed", "C", ()),
        ("france", "A BRE R PIC", "wrong_phase", "R", ("A BRE - PIC",)),
        ("france", "BUILD A PAR", "wrong_phase", "BUILD", ()),
        ("france", "A BRE D", "wrong_phase", "D", ()),
        ("france", "WAIVE", "wrong_phase", "WAIVE", ()),
        ("austria", "A VIE H", "power_out", "H", ()),
    ],
)
def test_what_may_not_be_ordered_is_refused_with_its_reason(
    power: str, text: str, code: str, spot: str, hints: tuple[str, ...]
) -> None:
    view = view_of(power, SEA, centres={"KIE": "germany"})
    [error] = refused(view, text)
    assert error.code == code
    assert error.text[error.column - 1 : error.end - 1] == spot
    if hints:
        assert error.hints == hints
    for hint in error.hints:
        assert accepted(view, hint) == [hint]


def test_the_words_name_the_alternatives() -> None:
    [error] = refused(view_of("austria"), "A Bud - Rome")
    assert (
        words().render(error.reason)
        == "A BUD does not border Rome. It borders Galicia, Rumania, Serbia, Trieste and Vienna."
    )


def test_a_refused_order_names_the_units_subject_and_its_canonical_text() -> None:
    [error] = refused(view_of("austria"), "bud-rome")
    assert (error.subject, error.order) == ("BUD", "A BUD - ROM")
    [error] = refused(view_of("austria"), "con-bul")
    assert (error.subject, error.order) == (None, "A CON - BUL")


def test_the_only_fleet_that_can_convoy_cannot_support_too() -> None:
    view = view_of("turkey", "austria A RUM; turkey F BLA")
    [error] = refused(view, "F BLA S A RUM - ARM")
    assert error.code == "support_or_convoy"
    assert accepted(view_of("turkey", "austria A LON; turkey F NTH, F ENG"), "F ENG S A LON - BEL")


def test_of_two_orders_for_a_unit_the_later_is_refused() -> None:
    view = view_of("austria")
    [error] = refused(view, "A BUD - SER\nA BUD - RUM\nF TRI H")
    assert (error.line, error.code, error.args["order"]) == (2, "duplicate", "A BUD - SER")
    assert [read.line for read in read_orders(RULES, view, "A BUD - SER\nA BUD - RUM\nF TRI H").orders] == [1, 3]


def test_an_illegal_order_does_not_stand_in_the_way_of_a_later_one() -> None:
    errors = refused(view_of("austria"), "A BUD - ROM\nA BUD - RUM")
    assert [(error.line, error.code) for error in errors] == [(1, "not_adjacent")]


GONE = {"power": "austria", "kind": "A", "at": "VIE", "from": "BOH", "retreats": ["GAL", "TYR"]}
HOME = "austria A BUD; germany A VIE, A TRI"


@pytest.mark.parametrize(
    ("text", "code", "hints"),
    [
        ("A VIE R BUD", "retreat_occupied", ()),
        ("A VIE - BOH", "retreat_to_attacker", ()),
        ("A VIE R SER", "not_adjacent", ()),
        # Its retreats before its end.
        ("A VIE H", "wrong_phase", ("A VIE R GAL", "A VIE R TYR", "A VIE D")),
        ("A VIE S A BUD", "wrong_phase", ()),
        ("A BUD R SER", "not_dislodged", ()),
        ("A GAL R WAR", "no_unit_there", ()),
        ("A VIE R GAL\nA VIE D", "duplicate", ()),
    ],
)
def test_a_retreat_that_is_barred_is_refused(text: str, code: str, hints: tuple[str, ...]) -> None:
    view = view_of("austria", HOME, phase="spring 1901 retreats", dislodged=[GONE])
    [error] = refused(view, text)
    assert (error.code, error.hints) == (code, hints)


def test_a_retreat_to_where_others_stood_off_is_refused() -> None:
    gone = {**GONE, "retreats": ["GAL"]}
    view = view_of("austria", HOME, phase="spring 1901 retreats", dislodged=[gone])
    [error] = refused(view, "A VIE R TYR")
    assert (error.code, error.args["retreats"]) == ("retreat_to_standoff", ("GAL",))


def test_who_lost_no_unit_has_no_retreat_to_order() -> None:
    view = view_of("germany", HOME, phase="spring 1901 retreats", dislodged=[GONE])
    [error] = refused(view, "A TRI H")
    assert error.code == "nothing_dislodged"


@pytest.mark.parametrize(
    ("text", "code", "hints"),
    [
        ("BUILD A BRE", "no_build_there", ()),
        ("BUILD A SEV", "no_build_there", ()),
        ("BUILD A WAR", "no_build_there", ()),
        ("BUILD F MOS", "fleet_inland", ()),
        ("BUILD F STP", "coast_needed", ("BUILD F STP/NC", "BUILD F STP/SC")),
        ("BUILD STP", "kind_needed", ("BUILD A STP",)),
        ("BUILD A MOS\nBUILD A MOS\nBUILD A STP\nWAIVE", "too_many_builds", ()),
        ("BUILD A STP\nBUILD F STP/NC", "duplicate", ()),
        ("REMOVE A SEV", "no_removal_due", ()),
        ("A SEV - RUM", "wrong_phase", ()),
    ],
)
def test_a_build_that_is_not_possible_is_refused(text: str, code: str, hints: tuple[str, ...]) -> None:
    centres = {"STP": "russia", "MOS": "russia", "SEV": "russia", "RUM": "russia", "WAR": "germany"}
    view = view_of("russia", "russia A SEV, A RUM", phase="winter 1901 adjustments", centres=centres)
    [error] = refused(view, text)
    assert (error.code, error.hints) == (code, hints)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("REMOVE A BER\nREMOVE A MUN", "too_many_removals"),
        ("BUILD A KIE", "no_build_due"),
        ("WAIVE", "no_build_due"),
        ("REMOVE A KIE", "no_unit_there"),
        ("REMOVE A VIE", "not_your_unit"),
    ],
)
def test_a_removal_that_is_not_possible_is_refused(text: str, code: str) -> None:
    centres = {"MUN": "germany", "VIE": "austria"}
    units = "germany A BER, A MUN; austria A VIE"
    [error] = refused(view_of("germany", units, phase="winter 1901 adjustments", centres=centres), text)
    assert error.code == code


def test_who_has_as_many_units_as_centres_has_nothing_to_order_in_winter() -> None:
    view = view_of("austria", "austria A VIE", phase="winter 1901 adjustments", centres={"VIE": "austria"})
    [error] = refused(view, "BUILD A BUD")
    assert error.code == "nothing_to_order"


def test_nothing_is_taken_when_the_game_is_over() -> None:
    state = replace(state_of(), over=Over((PowerId("austria"),), RULES.play.status(state_of()).title))
    [error] = refused(RULES.sight.view(state, Playing(PowerId("austria"))), "A BUD - SER")
    assert error.code == "game_over"


def test_hints_are_found_for_the_first_errors_only() -> None:
    errors = refused(view_of("austria"), "\n".join(f"A Budapset - Serbia # {number}" for number in range(50)))
    assert [bool(error.hints) for error in errors] == [True] * 20 + [False] * 30


# Warnings


def advice(power: str, units: str, text: str, **more: Any) -> list[tuple[int, str]]:
    view = view_of(power, units, **more)
    parsed = RULES.orders.parse(text, view)
    assert not any(RULES.orders.check(view, parsed.orders))
    found = RULES.orders.advise(view, parsed.orders)
    assert all(words().render(each.what) for each in found)
    return [(each.line, each.what.code) for each in found]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A BUD S A VIE\nA VIE - GAL", [(1, "advice.held_but_moves")]),
        ("A BUD S A VIE - GAL\nA VIE - TYR", [(1, "advice.helps_otherwise")]),
        ("A BUD S A VIE - GAL", [(1, "advice.helps_unordered")]),
        ("A BUD S A VIE - GAL\nA VIE - GAL", []),
        ("A BUD - GAL\nA VIE - GAL", [(2, "advice.same_goal")]),
        ("A BUD - SER\nA VIE - TYR\nF TRI - ALB", []),
        ("A BUD S A VEN - TRI\nF TRI H", [(1, "advice.against_own")]),
        ("A BUD S A VEN - TRI\nF TRI - ALB", []),
    ],
)
def test_orders_that_do_not_fit_each_other_are_pointed_out(text: str, found: list[tuple[int, str]]) -> None:
    assert advice("austria", "austria A BUD, A VIE, F TRI; italy A VEN", text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A LON - BEL\nF NTH C A LON - BEL", []),
        ("A LON - BEL\nF NTH H", [(1, "advice.not_carried")]),
        ("A LON - BEL", []),
        ("F NTH C A LON - BEL", [(1, "advice.helps_unordered")]),
        ("F NTH C A LON - BEL\nA LON - WAL", [(1, "advice.helps_otherwise")]),
    ],
)
def test_convoys_that_do_not_fit_are_pointed_out(text: str, found: list[tuple[int, str]]) -> None:
    assert advice("england", "england A LON, F NTH", text) == found


def test_two_units_that_retreat_to_one_place_are_pointed_out() -> None:
    gone = [
        {**GONE, "retreats": ["GAL"]},
        {"power": "austria", "kind": "A", "at": "BUD", "from": "SER", "retreats": ["GAL"]},
    ]
    text = "A VIE R GAL\nA BUD R GAL"
    found = advice("austria", "germany A VIE; turkey A BUD", text, phase="spring 1901 retreats", dislodged=gone)
    assert found == [(2, "advice.same_retreat")]


# What holds everywhere


@settings(max_examples=few(12), deadline=None)
@given(seed=st.integers(0, 200), data=st.data())
def test_whatever_is_offered_instead_reads_and_checks_clean(seed: int, data: st.DataObject) -> None:
    state = RULES.play.load(dense_phase(seed).document())
    everything = list(dense_phase(seed).texts.values())
    power = data.draw(st.sampled_from(sorted({unit.power for unit in state.units})))
    view = RULES.sight.view(state, Playing(power))
    for error in refused(view, "\n".join(data.draw(st.permutations(everything))[:12])):
        assert words().render(error.reason)
        for hint in error.hints:
            assert accepted(view, hint) == [hint]


def test_every_reason_has_words_and_every_word_its_argument() -> None:
    codes = {code for code in load_phrases("diplomacy").codes if code.startswith("error.") and code.count(".") == 1}
    texts = [
        *(
            "A PAR - BUR",
            "A LON - LON",
            "F ENG - PAR",
            "A LON - NTH",
            "A LON - PRU",
            "A LON S A LON",
            "F ENG C A LON - BEL",
        ),
        *(
            "F NTH C A BRE - POR",
            "BUILD A LON",
            "xx",
            "A LON",
            "A LON xx BEL",
            "A LON - BEL - VIE",
            "x" * 300,
            "A LON - BEL A",
            "🎉",
        ),
    ]
    seen = set()
    for text in texts:
        for error in refused(view_of("england", SEA), text):
            assert error.reason.code in load_phrases("diplomacy").codes
            assert words().render(error.reason)
            seen.add(error.reason.code)
    assert len(seen) >= 12
    assert seen <= codes


def test_a_move_to_where_nobody_can_go_is_not_told_that_it_is_far() -> None:
    view = view_of("germany", "germany A MUN")
    assert [error.code for error in read_orders(RULES, view, "A MUN - SWI").errors] == ["impassable"]


@pytest.mark.parametrize("seed", range(3))
def test_an_error_points_at_the_same_words_in_a_canonical_line_as_in_any_other(seed: int) -> None:
    """A full stop makes no difference to what a line says, but then its parts are found by reading the words."""
    phase = dense_phase(seed)
    state = RULES.play.load(phase.document())
    places, chance = state.variant.board.places, random.Random(seed)
    compared = 0
    for power, lines in phase.sheets.items():
        view = RULES.sight.view(state, Playing(PowerId(power)))
        for line in lines:
            words = line.split(" ")
            at = chance.choice([index for index, word in enumerate(words) if word.partition("/")[0] in places])
            text = " ".join((*words[:at], chance.choice(places), *words[at + 1 :]))
            errors = [read_orders(RULES, view, each).errors for each in (text, f"{text}.")]
            spots = [[(each.code, each.column, each.end) for each in some if each.order == text] for some in errors]
            if errors[0] and errors[0][0].end <= len(text):
                compared += 1
                assert spots[0] == spots[1], text
    assert compared > 5


@pytest.mark.parametrize("seed", range(3))
def test_hints_that_are_called_sure_are_orders_that_are_accepted(seed: int) -> None:
    """So they need not be read again to find out."""
    phase = dense_phase(seed)
    state = RULES.play.load(phase.document())
    chance, sure = random.Random(seed), 0
    for power, lines in phase.sheets.items():
        view = RULES.sight.view(state, Playing(PowerId(power)))
        for line in lines * 2:
            at = chance.randrange(2, len(line))
            text = line[:at] + chance.choice("aeiou ") + line[at + chance.randrange(2) :]
            for error in RULES.orders.parse(text, view).errors:
                sure += error.are_hints_sure and bool(error.hints)
                for hint in error.hints if error.are_hints_sure else ():
                    assert accepted(view, hint) == [hint]
    assert sure > 3


def test_no_hint_is_called_sure_when_the_game_is_over() -> None:
    state = replace(state_of("austria A BUD"), over=Over((PowerId("austria"),), RULES.play.status(state_of()).title))
    view = RULES.sight.view(state, Playing(PowerId("austria")))
    [error] = RULES.orders.parse("A BUDD - SER", view).errors
    assert not error.are_hints_sure
