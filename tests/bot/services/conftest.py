"""A game of King of Kings of three people; modules about other games make their own."""

from __future__ import annotations

import pytest

from bot.model import GameId
from engine.core.phrases import Catalogue
from engine.core.variant import load_phrases
from engine.registry import systems
from tests import toy_fens, toy_system
from tests.bot.services.world import ANN, BOB, CY, World


@pytest.fixture
def world() -> World:
    return World(systems)


@pytest.fixture
def game_id(world: World) -> GameId:
    return world.start(wishes={ANN: "", BOB: "", CY: ""}, system="king_of_kings", players=3)


@pytest.fixture(autouse=True)
def toy_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is imported is put into words on trial; the games of the tests have no folders of assets."""

    def words_of(system: str) -> Catalogue:
        own = {"toy": toy_system.CATALOGUE, "fens": toy_fens.CATALOGUE}.get(system)
        return load_phrases(system) if own is None else load_phrases().with_catalogue(own)

    monkeypatch.setattr("bot.services.transfer.load_phrases", words_of)
