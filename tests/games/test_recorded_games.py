"""Recorded games replay to the same positions, results and events, phase by phase."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine import systems
from tests.games.record import FOLDER, RECIPES, play_phase

GAMES = sorted(FOLDER.glob("*.json"))


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_recorded_game_replays_to_the_same_positions(path: Path) -> None:
    game = json.loads(path.read_text(encoding="utf-8"))
    rules = systems[game["system"]]
    state = rules.load(game["start"])
    for phase in game["phases"]:
        state, played = play_phase(rules, state, phase["orders"])
        assert played == phase, phase["code"]


def test_every_recipe_is_recorded() -> None:
    assert {path.stem for path in GAMES} == set(RECIPES)
