"""Posts follow the audience of what happened: everybody, some, one. A phase's public part may be empty."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from bot.model import GameId
from engine.core.dice import Dice
from engine.core.events import Event
from engine.core.ids import PowerId, SystemId
from engine.core.phrases import phrase
from engine.core.play import Resolution
from engine.registry import Order, State, systems
from tests.bot.services.world import CHANNEL, World
from tests.bot.text.test_compose import AUSTRIA, GERMANY, ITALY, PLAYERS, close, composed, text

DIPLOMACY = systems[SystemId("diplomacy")]
BUDAPEST, VIENNA, UNUSED = "BUD - SER", "VIE - GAL", "3 builds unused"


def _in_secret(state: State, sheets: Mapping[PowerId, Sequence[Order]], dice: Dice) -> Resolution[State, Order]:
    """Each order is known to its own power alone, but one to another as well; an event to a single power."""
    done = DIPLOMACY.play.adjudicate(state, sheets, dice)
    results = tuple(
        result._replace(
            audience=frozenset({result.power, PowerId("germany")} if BUDAPEST in result.text else {result.power})
        )
        for result in done.results
    )
    met = Event(phrase("event.builds_left", power=PowerId("turkey"), count=3), frozenset({PowerId("italy")}))
    return Resolution(done.state, results, (met,))


@pytest.fixture
def world() -> World:
    rules = replace(DIPLOMACY, play=replace(DIPLOMACY.play, adjudicate=_in_secret))
    return World({SystemId("diplomacy"): rules})


@pytest.fixture
def game_id(world: World) -> GameId:
    game_id = world.start(wishes=PLAYERS, system="diplomacy", players=7)
    world.submit(game_id, AUSTRIA, "A BUD - SER\nA VIE - GAL")
    close(world, game_id)
    return game_id


def test_a_phase_without_anything_public_is_posted_and_tells_nothing(world: World, game_id: GameId) -> None:
    messages = composed(world, game_id, "phase_closed", to=CHANNEL)
    assert messages
    assert not any(secret in text(messages) for secret in (BUDAPEST, VIENNA, UNUSED))


def test_everybody_who_may_know_is_told_and_nobody_else(world: World, game_id: GameId) -> None:
    told = {user_id: text(composed(world, game_id, "briefing", to=user_id)) for user_id in PLAYERS}
    assert {user_id for user_id in told if BUDAPEST in told[user_id]} == {AUSTRIA, GERMANY}
    assert {user_id for user_id in told if VIENNA in told[user_id]} == {AUSTRIA}
    assert {user_id for user_id in told if UNUSED in told[user_id]} == {ITALY}
