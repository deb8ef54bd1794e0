"""A game with fog makes each View from a document of what its viewer may know, and from nothing else."""

from __future__ import annotations

import json

import pytest

from engine.core.ids import SystemId
from engine.core.viewer import EVERYBODY, MASTER, Playing, Viewer
from tests.contract.games import ALL, random_game

FOGGY = [system for system, rules in ALL.items() if rules.sight.read is not None]


def test_some_game_has_fog() -> None:
    assert "fens" in FOGGY


@pytest.mark.parametrize("system", FOGGY)
def test_view_holds_nothing_that_does_not_stand_in_its_document(system: SystemId) -> None:
    rules = ALL[system]
    for step in random_game(system):
        viewers: list[Viewer] = [EVERYBODY, MASTER, *map(Playing, rules.play.variant(step.state).powers)]
        for viewer in viewers:
            view = rules.sight.view(step.state, viewer)
            document = json.loads(json.dumps(rules.sight.document(view)))
            assert rules.sight.read is not None
            assert rules.sight.read(document, viewer) == view
