"""game.json as people type it: defaults, any case, and clear errors."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.errors import DocumentError
from engine.core.ids import ProvinceId, SystemId
from engine.core.phrases import phrase
from engine.core.play import Over
from engine.registry import systems
from tests.engine.diplomacy.table import RULES, state_of


def test_an_empty_document_is_the_start_of_the_game() -> None:
    state = RULES.play.load({})
    assert state.phase.code == "S1901M"
    assert len(state.units) == 22
    assert state.centres[ProvinceId("BUD")] == "austria"
    assert state.centres[ProvinceId("BEL")] is None


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"phase": {"year": 1903, "season": "fall", "kind": "movement"}, "state": {"units": []}},
        {"options": {"victory_centres": 20, "rulebook": "droidippy"}, "seed": "s", "dice": {"a": 1}},
        {
            "phase": {"year": 1903, "season": "fall", "kind": "retreats"},
            "state": {
                "units": [{"power": "italy", "kind": "A", "at": "TYR"}],
                "dislodged": [{"power": "austria", "kind": "A", "at": "TYR", "from": "VEN", "retreats": ["BOH"]}],
                "centres": {"VIE": "austria"},
            },
        },
    ],
)
def test_what_is_written_is_read_back_to_an_equal_state(document: dict[str, Any]) -> None:
    state = RULES.play.load(document)
    assert RULES.play.load(RULES.play.dump(state)) == state


def test_the_end_of_a_game_is_written_in_words_and_read_back() -> None:
    over = RULES.play.end(state_of(), [], phrase("event.over", why="Everybody went home."))
    document = RULES.play.dump(over)
    assert document["over"]["why"] == "Everybody went home."
    assert RULES.play.load(document) == over
    typed = RULES.play.load({"over": {"winners": ["ITALY"], "why": "Typed by hand."}})
    assert typed.over == Over(("italy",), phrase("event.over", why="Typed by hand."))  # type: ignore[arg-type]


def test_names_are_matched_in_any_case() -> None:
    state = RULES.play.load(
        {"state": {"units": [{"power": "RUSSIA", "kind": "f", "at": "stp/sc"}], "centres": {"bel": "France"}}}
    )
    assert (state.units[0].power, state.units[0].at, state.centres[ProvinceId("BEL")]) == ("russia", "STP/SC", "france")


def test_centres_that_are_left_out_are_unowned_and_without_any_they_are_as_at_the_start() -> None:
    unit = {"power": "austria", "kind": "A", "at": "BUD"}
    assert RULES.play.load({"state": {"units": [unit]}}).centres[ProvinceId("PAR")] == "france"
    listed = RULES.play.load({"state": {"units": [unit], "centres": {"BUD": "austria"}}})
    assert listed.centres[ProvinceId("PAR")] is None


def test_retreats_that_are_left_out_are_worked_out() -> None:
    state = state_of(
        "italy A VEN, A ROM",
        phase="fall 1901 retreats",
        dislodged=[{"power": "austria", "kind": "A", "at": "VEN", "from": "TYR"}],
    )
    assert state.dislodged[0].retreats == ("APU", "PIE", "TRI", "TUS")


def unit(power: str, kind: str, at: str) -> dict[str, str]:
    return {"power": power, "kind": kind, "at": at}


@pytest.mark.parametrize(
    ("document", "where"),
    [
        ({"format": 2}, "format"),
        ({"system": "chess"}, "system"),
        ({"variant": "colonial"}, "variant"),
        ({"options": {"speed": 3}}, "options.speed"),
        ({"options": {"victory_centres": "many"}}, "options.victory_centres"),
        ({"options": {"victory_centres": 99}}, "options.victory_centres"),
        ({"options": {"rulebook": "mine"}}, "options.rulebook"),
        ({"phase": {"year": "soon"}}, "phase.year"),
        ({"phase": {"season": "monsoon"}}, "phase.season"),
        ({"phase": {"season": "winter", "kind": "movement"}}, "phase.season"),
        ({"phase": {"kind": "setup"}}, "phase.kind"),
        ({"phase": 7}, "phase"),
        ({"state": []}, "state"),
        ({"state": {"units": {}}}, "state.units"),
        ({"state": {"units": [7]}}, "state.units[0]"),
        ({"state": {"units": [{"power": "italy", "kind": "A"}]}}, "state.units[0]"),
        ({"state": {"units": [unit("spain", "A", "SPA")]}}, "state.units[0].power"),
        ({"state": {"units": [unit("italy", "X", "SPA")]}}, "state.units[0].kind"),
        ({"state": {"units": [unit("italy", "A", "ATL")]}}, "state.units[0].at"),
        ({"state": {"units": [unit("italy", "A", "ION")]}}, "state.units[0].at"),
        ({"state": {"units": [unit("italy", "A", "SPA/NC")]}}, "state.units[0].at"),
        ({"state": {"units": [unit("italy", "F", "SPA")]}}, "state.units[0].at"),
        ({"state": {"units": [unit("italy", "F", "MUN")]}}, "state.units[0].at"),
        ({"state": {"units": [unit("italy", "A", "SWI")]}}, "state.units[0].at"),
        ({"state": {"units": [unit("italy", "F", "SPA/NC"), unit("france", "A", "SPA")]}}, "state.units[1].at"),
        ({"state": {"units": [], "dislodged": [unit("italy", "A", "ROM")]}}, "state.dislodged"),
        ({"state": {"units": [], "centres": {"BOH": "italy"}}}, "state.centres.BOH"),
        ({"state": {"units": [], "centres": {"ROM": "rome"}}}, "state.centres.ROM"),
        ({"over": {"winners": "italy"}}, "over.winners"),
        ({"over": {"phrase": {}}}, "over.phrase"),
        ({"dice": {"a": "six"}}, "dice.a"),
    ],
)
def test_what_cannot_be_right_is_refused_with_its_place(document: dict[str, Any], where: str) -> None:
    with pytest.raises(DocumentError) as caught:
        RULES.play.load(document)
    assert caught.value.where == where


@pytest.mark.parametrize(
    ("row", "where"),
    [
        (unit("italy", "A", "VEN"), "state.dislodged[0].at"),
        ({**unit("austria", "A", "VEN"), "retreats": ["MOS"]}, "state.dislodged[0].retreats[0]"),
        ({**unit("austria", "A", "VEN"), "retreats": "ROM"}, "state.dislodged[0].retreats"),
        ({**unit("austria", "A", "VEN"), "from": "ATL"}, "state.dislodged[0].from"),
    ],
)
def test_a_dislodged_unit_that_cannot_be_is_refused(row: dict[str, Any], where: str) -> None:
    with pytest.raises(DocumentError) as caught:
        state_of("italy A VEN", phase="fall 1901 retreats", dislodged=[row])
    assert caught.value.where == where


def test_a_game_for_too_many_or_too_few_players_is_refused() -> None:
    for players in (1, 8):
        with pytest.raises(DocumentError) as caught:
            RULES.play.start(variant="standard", players=players, options={}, seed="s")
        assert caught.value.where == "players"
    assert (
        RULES.play.start(variant="standard", players=7, options={"last_year": "1910"}, seed="s").options["last_year"]
        == 1910
    )


@pytest.mark.parametrize(("system", "first"), [("diplomacy", 1901), ("young_kingdoms", 1400)])
def test_a_last_year_before_the_first_is_refused(system: str, first: int) -> None:
    """Else a game of ten years, so written, would be over after one."""
    play = systems[SystemId(system)].play
    for year in (10, first - 1):
        with pytest.raises(DocumentError) as caught:
            play.start(variant="standard", players=6, options={"last_year": year}, seed="s")
        assert caught.value.where == "options.last_year"
    for year in (0, first):
        play.start(variant="standard", players=6, options={"last_year": year}, seed="s")
