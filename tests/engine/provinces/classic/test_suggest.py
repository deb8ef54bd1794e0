"""Tests of `engine.provinces.classic.suggest` and `listing`: legal orders, and what a beginning could become."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.ids import PlaceId, PowerId, province_of
from engine.core.viewer import Playing
from engine.provinces.classic.listing import list_about, list_orders
from engine.provinces.classic.model import Convoy, SupportHold, SupportMove, View
from engine.provinces.classic.notation import subject
from engine.provinces.classic.reach import position_of
from engine.provinces.orders import Move
from tests.engine.diplomacy.table import RULES, accepted, view_of
from tests.examples import few
from tests.positions import dense_phase

WINTER = {"phase": "winter 1901 adjustments", "centres": {"STP": "russia", "MOS": "russia", "SEV": "russia"}}


def suggest(view: View, typed: str, limit: int = 25) -> list[str]:
    return list(RULES.orders.suggest(view, typed, limit=limit))


def listed(view: View) -> dict[str, list[str]]:
    return {
        subject: [RULES.orders.format(order) for order in orders]
        for subject, orders in RULES.orders.legal(view).items()
    }


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("bud", "A BUD H"),
        ("a bud-", "A BUD - GAL"),
        ("a bud - s", "A BUD - SER"),
        ("bud ser", "A BUD - SER"),
        ("budapest s", "A BUD S F TRI"),
        ("Budapest supports vienna to", "A BUD S A VIE - GAL"),
        ("bud h", "A BUD H"),
        ("f", "F TRI H"),
        ("fleet", "F TRI H"),
        ("A BUD - SER", "A BUD - SER"),
        ("A Budapset - Serbia", "A BUD - SER"),
        ("budpest", "A BUD H"),
        ("A BUD S A VEN", "A BUD S A VEN - TRI"),
    ],
)
def test_a_beginning_is_completed_to_a_legal_order(typed: str, first: str) -> None:
    assert suggest(view_of("austria"), typed)[0] == first


def test_for_nothing_typed_there_is_something_of_each_unit_moves_first() -> None:
    found = suggest(view_of("austria"), "")
    assert found[:4] == ["A BUD - GAL", "F TRI - ADR", "A VIE - BOH", "A BUD - RUM"]
    assert {"A BUD H", "F TRI H", "A VIE H"} <= set(found)


@pytest.mark.parametrize("typed", ["a bre - lon v", "a bre - lon via", "a bre - lon via c"])
def test_the_way_by_convoy_is_completed_from_its_first_letter(typed: str) -> None:
    assert suggest(view_of("france", "france A BRE; england F ENG"), typed) == ["A BRE - LON VIA CONVOY"]


def test_of_several_orders_the_last_is_completed_and_the_others_are_kept() -> None:
    view = view_of("austria")
    assert suggest(view, "bud-ser; vie - t") == ["A BUD - SER; A VIE - TRI", "A BUD - SER; A VIE - TYR"]
    assert suggest(view, "bud-ser\n")[:2] == ["A BUD - SER; F TRI - ADR", "A BUD - SER; A VIE - BOH"]
    assert suggest(view, "bud-ser; bud") == []
    assert suggest(view, "bud-xxx; vie") == []


def test_no_suggestion_is_longer_than_a_completion_may_be() -> None:
    phase = dense_phase(3)
    view = RULES.sight.view(RULES.play.load(phase.document()), Playing(PowerId("austria")))
    sheet = "; ".join(phase.sheets["austria"] * 2)
    for end in range(0, len(sheet), 7):
        assert all(len(text) <= 100 for text in suggest(view, sheet[:end]))


def test_what_means_nothing_is_not_completed() -> None:
    assert suggest(view_of("austria"), "qqqqqq") == []
    assert suggest(view_of("austria"), "a " * 3_000) == []
    assert suggest(view_of(None), "bud") == []


def test_builds_removals_and_retreats_are_completed() -> None:
    russia = view_of("russia", "russia A WAR", **WINTER)
    assert suggest(russia, "build f") == ["BUILD F SEV", "BUILD F STP/NC", "BUILD F STP/SC"]
    assert suggest(russia, "st pet") == ["BUILD A STP", "BUILD F STP/NC", "BUILD F STP/SC"]
    assert suggest(russia, "stp/s") == ["BUILD F STP/SC"]
    assert suggest(russia, "w") == []
    assert suggest(russia, "wai") == ["WAIVE"]
    germany = view_of("germany", "germany A BER, A MUN", phase="winter 1901 adjustments", centres={"MUN": "germany"})
    assert suggest(germany, "rem") == ["REMOVE A BER", "REMOVE A MUN"]
    assert suggest(germany, "mun") == ["REMOVE A MUN"]
    gone = [{"power": "austria", "kind": "A", "at": "VIE", "from": "BOH", "retreats": ["GAL", "TYR"]}]
    austria = view_of("austria", "germany A VIE", phase="spring 1901 retreats", dislodged=gone)
    assert suggest(austria, "vie") == ["A VIE R GAL", "A VIE R TYR", "A VIE D"]
    assert suggest(austria, "vie - t") == ["A VIE R TYR"]


@settings(max_examples=few(15), deadline=None)
@given(seed=st.integers(0, 60), data=st.data())
def test_every_suggestion_reads_and_checks_clean(seed: int, data: st.DataObject) -> None:
    phase = dense_phase(seed)
    state = RULES.play.load(phase.document())
    power = data.draw(st.sampled_from(sorted(phase.sheets)))
    view = RULES.sight.view(state, Playing(PowerId(power)))
    text = data.draw(st.sampled_from(phase.sheets[power])).lower()
    typed = text[: data.draw(st.integers(0, len(text)))].replace(" ", data.draw(st.sampled_from([" ", "  "])))
    found = suggest(view, typed)
    assert found
    for suggestion in found:
        assert "; ".join(accepted(view, suggestion)) == suggestion


def test_all_legal_orders_of_the_first_phase() -> None:
    found = {subject: "; ".join(text[6:] for text in texts) for subject, texts in listed(view_of("italy")).items()}
    assert found == {
        "NAP": "H; - APU; - ION; - ROM; - TYS; S A ROM; S A ROM - APU; S A VEN - APU; S A VEN - ROM",
        "ROM": "H; - APU; - NAP; - TUS; - VEN; S F NAP; S F NAP - APU; S A VEN; S A VEN - APU; S A VEN - TUS; "
        "S F TRI - VEN",
        "VEN": "H; - APU; - PIE; - ROM; - TRI; - TUS; - TYR; S F NAP - APU; S F NAP - ROM; S A ROM; S A ROM - APU; "
        "S A ROM - TUS; S A BUD - TRI; S A MAR - PIE; S A MUN - TYR; S F TRI; S A VIE - TRI; S A VIE - TYR",
    }


def test_convoys_are_listed_with_the_supports_that_they_allow() -> None:
    england = listed(view_of("england", "england F NTH, A LON, F ENG; france A BEL"))
    assert "A LON - BEL VIA CONVOY" in england["LON"]
    assert "F NTH C A LON - BEL" in england["NTH"]
    assert "F ENG S A LON - BEL" in england["ENG"]
    alone = listed(view_of("england", "england F NTH, A LON; france A BEL"))
    assert "F NTH S A LON - BEL" not in alone["NTH"]
    assert "F NTH C A BEL - LON" in alone["NTH"]


def test_a_fleet_that_no_way_needs_has_no_convoy_listed() -> None:
    view = view_of("england", "england A LON, F ENG, F IRI, F NTH")
    assert "F IRI C A LON - BEL" not in listed(view)["IRI"]
    assert "F IRI C A LON - LVP" in listed(view)["IRI"]


@pytest.mark.parametrize("seed", range(8))
def test_all_that_is_listed_is_legal_and_all_that_is_ordered_is_listed(seed: int) -> None:
    phase = dense_phase(seed)
    state = RULES.play.load(phase.document())
    for power, sheet in phase.sheets.items():
        view = RULES.sight.view(state, Playing(PowerId(power)))
        found = {text for texts in listed(view).values() for text in texts}
        for text in found:
            assert accepted(view, text) == [text]
        for text in sheet:
            assert text in found or f"{text} VIA CONVOY" in found


def test_orders_about_a_place_are_those_among_all_orders() -> None:
    """Hints take them from there without listing all: of each sort, with each goal and each unit to help."""
    position = position_of(RULES.play.load(dense_phase(7).document()))
    power = PowerId("france")
    everything = [order for orders in list_orders(position, power).values() for order in orders]
    chance, places = random.Random("about"), tuple(position.reach.board.provinces)
    units = sorted(position.unit_at)
    found = 0
    for sorts in ((Move,), (SupportMove, SupportHold), (SupportHold, SupportMove), (Convoy, SupportMove)):
        for _ in range(60):
            goal, helped = chance.choice([None, *places]), chance.choice([None, *units])
            at = chance.choice([None, *(province_of(unit.at) for unit in position.units_of(power))])
            about = [
                order
                for order in everything
                if type(order) in sorts
                and at in (None, subject(order))
                and (
                    (goal is not None and province_of(getattr(order, "to", PlaceId(""))) == goal)
                    or (helped is not None and province_of(getattr(order, "of", PlaceId(""))) == helped)
                )
            ]
            assert list_about(position, power, sorts, goal, helped, at) == about, (sorts, goal, helped, at)
            found += len(about)
    assert found > 100


def test_newcomers_are_shown_no_support_for_a_way_that_only_a_convoy_opens() -> None:
    """An army in Bulgaria could sail home to Ankara, with the fleet of somebody else: no first step."""
    view = view_of("turkey", "turkey A ARM, A BUL, F CON; russia F BLA", phase="fall 1901 movement")
    (support,) = [one for one in RULES.telling.examples(view) if one.code == "example.support"]
    assert "A BUL - ANK" not in str(support.args["order"])
