"""Tests of `engine.provinces.classic.sheet`: what new orders replace, what is missing, and the template."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.ids import PowerId
from engine.core.orders import words_for
from engine.core.variant import load_phrases
from engine.core.viewer import Playing
from engine.provinces.classic.model import Order, View
from tests.engine.diplomacy.table import RULES, accepted, view_of
from tests.positions import dense_phase

WINTER = {"phase": "winter 1901 adjustments"}
RUSSIA = {"STP": "russia", "MOS": "russia", "WAR": "russia", "SEV": "russia"}


def _missing(view: View, orders: Sequence[Order]) -> tuple[str, ...]:
    return words_for(RULES.orders.missing(view, orders), load_phrases("diplomacy"))


def orders(view: View, text: str) -> tuple[Order, ...]:
    return tuple(read.order for read in RULES.orders.parse(text, view).orders)


def amended(view: View, standing: str, new: str) -> list[str]:
    sheet = RULES.orders.amend(view, orders(view, standing), orders(view, new))
    return [RULES.orders.format(order) for order in sheet]


def test_a_new_order_replaces_the_one_for_its_unit_and_the_rest_stands() -> None:
    view = view_of("austria")
    assert amended(view, "A VIE - TYR\nA BUD - SER", "A VIE - GAL") == ["A BUD - SER", "A VIE - GAL"]
    assert amended(view, "", "F TRI H\nA BUD - SER") == ["A BUD - SER", "F TRI H"]


def test_new_builds_push_out_waived_ones_first_and_then_the_oldest() -> None:
    view = view_of("russia", "russia A FIN, A NWY", centres=RUSSIA, **WINTER)
    assert amended(view, "BUILD A MOS\nWAIVE", "BUILD A WAR") == ["BUILD A MOS", "BUILD A WAR"]
    assert amended(view, "BUILD A MOS\nBUILD A STP", "BUILD A WAR") == ["BUILD A STP", "BUILD A WAR"]
    assert amended(view, "BUILD A MOS\nBUILD A STP", "BUILD F STP/NC") == ["BUILD A MOS", "BUILD F STP/NC"]
    assert amended(view, "BUILD A MOS", "WAIVE") == ["BUILD A MOS", "WAIVE"]


def test_missing_are_the_units_without_an_order() -> None:
    view = view_of("austria")
    assert _missing(view, ()) == ("A BUD", "F TRI", "A VIE")
    assert _missing(view, orders(view, "A BUD H\nA VIE - TYR")) == ("F TRI",)
    assert _missing(view_of(None), ()) == ()


def told_otherwise(view: View, text: str = "") -> list[str]:
    words = load_phrases("diplomacy")
    return [words.render(what) for what in RULES.orders.otherwise(view, orders(view, text))]


def test_what_becomes_of_things_without_an_order_is_told_phase_by_phase() -> None:
    assert told_otherwise(view_of("austria")) == ["A unit without an order holds."]
    assert told_otherwise(view_of("austria"), "A BUD H\nA VIE H\nF TRI H") == []
    russia = view_of("russia", "russia A FIN, A NWY", centres=RUSSIA, **WINTER)
    assert told_otherwise(russia, "BUILD A MOS") == ["A build without an order lapses for this year."]
    germany = view_of("germany", "germany A BER, A SPA, A PIC", centres={"BER": "germany"}, **WINTER)
    assert told_otherwise(germany) == ["If you name no others, A SPA and A PIC will be removed."]
    assert told_otherwise(germany, "REMOVE A BER") == ["If you name no others, A SPA will be removed."]
    assert told_otherwise(germany, "REMOVE A BER\nREMOVE A PIC") == []


def test_missing_are_the_builds_and_removals_that_are_due() -> None:
    russia = view_of("russia", "russia A FIN, A NWY", centres=RUSSIA, **WINTER)
    assert _missing(russia, ()) == ("2 builds",)
    assert _missing(russia, orders(russia, "BUILD A MOS")) == ("1 build",)
    assert _missing(russia, orders(russia, "WAIVE\nBUILD A MOS")) == ()
    germany = view_of("germany", "germany A BER, A MUN", centres={"MUN": "germany"}, **WINTER)
    assert _missing(germany, ()) == ("1 removal",)
    crowded = view_of("russia", "russia A STP, A MOS, A WAR", centres={**RUSSIA, "SWE": "russia"}, **WINTER)
    assert _missing(crowded, ()) == ("1 build",)


def test_a_template_has_a_line_for_each_unit_and_can_be_sent_back_as_it_is() -> None:
    view = view_of("austria")
    template = RULES.orders.template(view, orders(view, "A BUD - SER"))
    assert template.splitlines() == ["A BUD - SER", "F TRI …  # ADR ALB VEN", "A VIE …  # BOH BUD GAL TRI TYR"]
    assert accepted(view, template) == ["A BUD - SER"]


def test_a_template_is_filled_in_over_its_dots_or_behind_them() -> None:
    view = view_of("austria")
    assert accepted(view, "A VIE - TYR  # BOH BUD GAL TRI TYR") == ["A VIE - TYR"]
    assert accepted(view, "A VIE … - TYR  # BOH BUD GAL TRI TYR") == ["A VIE - TYR"]


def test_templates_of_other_phases_can_be_sent_back_too() -> None:
    gone = [{"power": "austria", "kind": "A", "at": "VIE", "from": "BOH", "retreats": ["GAL", "TYR"]}]
    austria = view_of("austria", "germany A VIE", phase="spring 1901 retreats", dislodged=gone)
    assert RULES.orders.template(austria, ()) == "A VIE …  # R GAL, R TYR, D"
    russia = view_of("russia", "russia A FIN, A NWY", centres=RUSSIA, **WINTER)
    template = RULES.orders.template(russia, orders(russia, "BUILD A MOS"))
    assert template == "BUILD A MOS\nBUILD …  # A or F: SEV STP WAR"
    germany = view_of("germany", "germany A BER, A MUN", centres={"MUN": "germany"}, **WINTER)
    assert RULES.orders.template(germany, ()) == "REMOVE …  # A BER, A MUN"
    for view in (austria, russia, germany):
        assert accepted(view, RULES.orders.template(view, ())) == []
    assert accepted(russia, template) == ["BUILD A MOS"]


def test_a_template_always_fits_a_form() -> None:
    for seed in range(20):
        phase = dense_phase(seed)
        state = RULES.play.load(phase.document())
        for power in phase.sheets:
            view = RULES.sight.view(state, Playing(PowerId(power)))
            assert len(RULES.orders.template(view, ())) <= 4_000
            sheet = orders(view, "\n".join(phase.sheets[power]))
            assert accepted(view, RULES.orders.template(view, sheet)) == [RULES.orders.format(order) for order in sheet]
