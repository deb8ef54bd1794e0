"""The course of a year, the reasons of results, victory, and that adjudication answers whatever it is given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from engine.core.ids import PlaceId, PowerId, ProvinceId
from engine.core.outcome import Outcome
from engine.core.phrases import phrase
from engine.core.play import Resolution
from engine.core.reading import adjudicate_texts
from engine.core.variant import load_phrases
from engine.provinces.classic.model import Order, State, SupportHold
from engine.provinces.orders import Build, Hold, Move, Waive
from engine.provinces.phases import PhaseKind
from tests.engine.diplomacy.table import RULES, state_of

WORDS = load_phrases("diplomacy")

AUSTRIA, ITALY = PowerId("austria"), PowerId("italy")


def play(state: State, **texts: str) -> Resolution[State, Order]:
    """Adjudicate texts that must all be legal."""
    resolution, errors = adjudicate_texts(RULES, state, {PowerId(power): text for power, text in texts.items()})
    assert not any(errors.values())
    return resolution


def codes(resolution: Resolution[State, Order]) -> list[str]:
    return [event.what.code for event in resolution.events]


def reasons(resolution: Resolution[State, Order]) -> Mapping[str, str]:
    return {result.subject: WORDS.render(result.reason) for result in resolution.results}


def test_a_year_without_orders_passes_from_spring_over_fall_to_spring() -> None:
    state = state_of()
    seen = []
    for _ in range(3):
        seen.append(state.phase.code)
        state = RULES.play.adjudicate(state, {}, RULES.play.dice(state)).state
    assert seen == ["S1901M", "F1901M", "S1902M"]


def test_every_unit_has_a_result_in_map_order_and_holds_without_an_order() -> None:
    state = state_of()
    results = RULES.play.adjudicate(state, {}, RULES.play.dice(state)).results
    assert [result.subject for result in results] == [unit.at[:3] for unit in state.units]
    assert {result.outcome for result in results} == {Outcome.SUCCEEDS}
    assert results[0].text == "F ANK H"


def test_a_dislodged_unit_with_a_way_out_makes_a_retreats_phase_of_the_same_season() -> None:
    state = state_of("austria A TYR, A TRI; italy A VEN", phase="fall 1905 movement")
    after = play(state, austria="A TYR - VEN\nA TRI S A TYR - VEN").state
    assert (after.phase.code, after.dislodged[0].retreats) == ("F1905R", ("APU", "PIE", "ROM", "TUS"))


def test_a_unit_with_nowhere_to_go_is_disbanded_at_once_and_that_is_told() -> None:
    state = state_of("austria A BOH, A TYR, A RUH, A KIE, A SIL, A BUR, A BER; germany A MUN", centres={})
    resolution = play(state, austria="A BOH - MUN\nA TYR S A BOH - MUN")
    assert resolution.state.phase.code == "F1901M"
    assert codes(resolution) == ["event.nowhere_to_go", "event.eliminated"]
    assert resolution.dislodged[0]["retreats"] == []


def test_centres_change_hands_after_fall_and_not_after_spring() -> None:
    units = "austria A SER"
    assert play(state_of(units, phase="spring 1901 movement")).state.centres[ProvinceId("SER")] is None
    resolution = play(state_of(units, phase="fall 1901 movement"))
    assert resolution.state.centres[ProvinceId("SER")] == "austria"
    assert "event.took" in codes(resolution)


def test_winter_comes_only_if_somebody_can_build_or_must_remove() -> None:
    homes = {"BUD": "austria", "TRI": "austria", "VIE": "austria"}
    full = "austria A BUD, A VIE, F TRI"
    assert play(state_of(full, phase="fall 1901 movement", centres=homes)).state.phase.code == "S1902M"
    # A fourth centre, but no vacant home to build in.
    blocked = {**homes, "SER": "austria"}
    assert play(state_of(full, phase="fall 1901 movement", centres=blocked)).state.phase.code == "S1902M"
    vacant = play(state_of("austria A BUD, A VIE", phase="fall 1901 movement", centres=homes)).state
    assert vacant.phase.code == "W1901A"


@pytest.mark.parametrize(
    ("text", "subject", "words"),
    [
        ("A MUN - TYR", "MUN", "A VEN wanted to go to TYR too, 1 against 1"),
        ("A MUN - BER", "MUN", "F BER of the same power stayed there"),
        ("A MUN S A PAR - BUR", "MUN", "A PAR was not ordered to go there"),
        ("A MUN S F BER", "MUN", "A BOH attacked"),
        ("A MUN - BOH", "MUN", "it met A BOH head on, 1 against 1"),
    ],
)
def test_a_player_is_told_why(text: str, subject: str, words: str) -> None:
    state = state_of("germany A MUN, F BER; italy A VEN; austria A BOH; france A PAR")
    resolution = play(state, germany=text, italy="A VEN - TYR", austria="A BOH - MUN")
    assert reasons(resolution)[subject] == words


def test_who_is_dislodged_is_told_by_whom_and_by_how_much() -> None:
    state = state_of("austria A TYR, A TRI; italy A VEN")
    resolution = play(state, austria="A TYR - VEN\nA TRI S A TYR - VEN")
    assert reasons(resolution)["VEN"] == "A TYR took its place, 1 against 2"


def test_a_broken_convoy_names_the_fleet() -> None:
    state = state_of("england A LON, F NTH; germany F SKA, F DEN")
    resolution = play(state, england="A LON - NWY\nF NTH C A LON - NWY", germany="F SKA - NTH\nF DEN S F SKA - NTH")
    assert reasons(resolution)["LON"] == "the convoy was broken by the loss of F NTH"


def centres_of(count: int, power: str, state: State) -> dict[str, str]:
    return dict.fromkeys(list(state.centres)[:count], power)


@pytest.mark.parametrize(("count", "is_won"), [(17, False), (18, True)])
def test_eighteen_centres_after_a_fall_win(count: int, is_won: bool) -> None:
    start = state_of()
    state = state_of("austria A BUD", phase="fall 1908 movement", centres=centres_of(count, "austria", start))
    facts = RULES.play.status(play(state).state)
    assert (facts.winners == (AUSTRIA,)) is is_won
    assert (facts.to_act == ()) is is_won


def test_equal_leaders_beyond_a_low_threshold_play_on() -> None:
    start = state_of()
    names = list(start.centres)
    centres = dict.fromkeys(names[:5], "austria") | dict.fromkeys(names[5:10], "italy")
    state = state_of("", phase="fall 1903 movement", centres=centres)
    lowered = replace(state, options={**state.options, "victory_centres": 4})
    assert RULES.play.adjudicate(lowered, {}, RULES.play.dice(lowered)).state.over is None


def test_the_last_year_ends_the_game_for_those_with_most_centres() -> None:
    centres = {"BUD": "austria", "ROM": "italy", "PAR": "france", "VIE": "austria", "VEN": "italy"}
    state = state_of(
        "austria A BUD, A VIE; italy A ROM, A VEN; france A PAR", phase="fall 1907 movement", centres=centres
    )
    last = replace(state, options={**state.options, "last_year": 1907})
    assert RULES.play.status(RULES.play.adjudicate(last, {}, RULES.play.dice(last)).state).winners == (AUSTRIA, ITALY)
    earlier = replace(state, options={**state.options, "last_year": 1908})
    assert RULES.play.adjudicate(earlier, {}, RULES.play.dice(earlier)).state.over is None


def test_a_game_that_is_over_stays_as_it_is() -> None:
    over = RULES.play.end(state_of(), [ITALY, AUSTRIA], phrase("event.over", why="a draw"))
    assert RULES.play.status(over).winners == (AUSTRIA, ITALY)
    resolution = RULES.play.adjudicate(over, {}, RULES.play.dice(over))
    assert (resolution.state, resolution.results) == (over, ())


def at(name: str) -> PlaceId:
    return PlaceId(name)


def test_what_cannot_be_ordered_is_passed_over_as_if_it_had_not_been_sent() -> None:
    state = state_of("austria A BUD, F TRI; italy A VEN")
    nonsense: list[Order] = [
        Build("A", at("VIE")),
        Waive(),
        Move("A", at("VEN"), at("TRI")),
        Move("A", at("BUD"), at("ADR")),
        Move("A", at("BUD"), at("BUD")),
        SupportHold("F", at("TRI"), "A", at("MOS")),
        Move("A", at("NOWHERE"), at("TRI")),
        Hold("F", at("TRI")),
        Move("A", at("BUD"), at("SER")),
    ]
    resolution = RULES.play.adjudicate(state, {AUSTRIA: nonsense}, RULES.play.dice(state))
    assert [result.text for result in resolution.results] == ["A BUD - SER", "F TRI H", "A VEN H"]


def test_neither_the_order_of_powers_nor_that_of_orders_matters() -> None:
    state = state_of("austria A TYR, A TRI; italy A VEN, F ADR")
    orders: dict[PowerId, list[Order]] = {
        AUSTRIA: [Move("A", at("TYR"), at("VEN")), Hold("A", at("TRI"))],
        ITALY: [Move("A", at("VEN"), at("TYR")), Move("F", at("ADR"), at("TRI"))],
    }
    turned = {power: list(reversed(sheet)) for power, sheet in reversed(orders.items())}
    assert RULES.play.adjudicate(state, orders, RULES.play.dice(state)) == RULES.play.adjudicate(
        state, turned, RULES.play.dice(state)
    )


def test_who_has_no_choice_needs_not_act() -> None:
    retreats = state_of(
        "austria A VEN",
        phase="fall 1901 retreats",
        dislodged=[
            {"power": "italy", "kind": "A", "at": "VEN", "from": "TYR", "retreats": []},
            {"power": "germany", "kind": "A", "at": "MUN", "from": "BOH", "retreats": ["BER"]},
        ],
    )
    assert RULES.play.status(retreats).to_act == ("germany",)
    # Italy must remove all that it has; France one of two; Austria may build, but not where it stands.
    winter = state_of(
        "italy A VEN; france A PAR, A BRE; austria A BUD",
        phase="winter 1901 adjustments",
        centres={"PAR": "france", "BUD": "austria", "SER": "austria"},
    )
    assert winter.phase.kind is PhaseKind.ADJUSTMENTS
    assert RULES.play.status(winter).to_act == ("france",)
