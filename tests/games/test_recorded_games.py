"""Recorded games replay to the same positions, results and events, phase by phase."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine import systems
from tests.games import record as recording
from tests.games.record import FOLDER, RECIPES, main, play_phase, recipe_of, record

GAMES = sorted(FOLDER.glob("*.json"))


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_recorded_game_replays_to_the_same_positions(path: Path) -> None:
    game = json.loads(path.read_text(encoding="utf-8"))
    rules = systems[game["system"]]
    state = rules.play.load(game["start"])
    for phase in game["phases"]:
        state, played = play_phase(rules, state, phase["orders"])
        assert played == phase, phase["code"]


TALES = {
    "kalevala-agent": ["explored anna", "misdeed bert", "agent_found anna bert", "agent_freed anna bert"],
    "kalevala-king": ["explored anna", "battle anna bert", "king bert", "marauders bert"],
    "kalevala-slaves": ["explored anna", "battle anna bert"],
    "kalevala-landing": ["explored anna", "entered carl", "occupied anna", "occupied anna", "occupied carl"],
    "kalevala-caravan": ["caravan_stopped anna", "caravan_seen bert", "handover anna cora", "caravan_fight anna bert"],
}
"""What a recorded game is there for: its events in turn, with those who are told."""


@pytest.mark.parametrize("name", TALES)
def test_a_recorded_game_tells_what_it_is_there_for_and_those_concerned_alone(name: str) -> None:
    game = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    told = [
        " ".join((event["facts"]["code"], *sorted(event["audience"] or ["everybody"])))
        for phase in game["phases"]
        for event in phase["events"]
        if event.get("facts")
    ]
    left = iter(told)
    assert all(wanted in left for wanted in TALES[name]), told


def test_every_recipe_is_recorded() -> None:
    assert {path.stem for path in GAMES} >= set(RECIPES)


def test_recording_a_game_again_gives_its_orders_anew_and_leaves_the_others_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "FOLDER", tmp_path)
    for path in GAMES:
        (tmp_path / path.name).write_bytes(path.read_bytes())
    for path in GAMES[:2]:
        main([path.stem])
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {p.name: p.read_bytes() for p in GAMES}


def test_only_orders_that_can_not_be_given_any_more_are_drawn_again() -> None:
    path = FOLDER / "diplomacy-last-year.json"
    game = json.loads(path.read_text(encoding="utf-8"))
    before = dict(game["phases"][0]["orders"])
    game["phases"][0]["orders"]["france"] = ["A PAR - MOS"]
    again = record(recipe_of(path.stem), game)["phases"][0]["orders"]
    assert {power: again[power] for power in again if power != "france"} == {
        power: before[power] for power in before if power != "france"
    }
    assert again["france"] != ["A PAR - MOS"]


def test_drawing_a_game_anew_gives_the_same_each_time() -> None:
    recipe = RECIPES["diplomacy-last-year"]
    assert record(recipe) == record(recipe)
