"""What it costs to tell of a phase, in what does not depend on the clock: how often positions are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bot.services.positions import position_of
from bot.text.compose import compose
from engine.core.ids import SystemId
from engine.registry import State, systems
from tests.bot.services.world import World
from tests.cogs.conftest import PLAYERS

DIPLOMACY = systems[SystemId("diplomacy")]


def test_all_that_is_told_of_a_phase_reads_two_positions() -> None:
    """The one before and the one after, unless closing has read it just now; it was fifty before they were kept."""
    read: list[str] = []

    def load(document: Mapping[str, Any]) -> State:
        read.append(str(document["phase"]))
        return DIPLOMACY.play.load(document)

    rules = replace(DIPLOMACY, play=replace(DIPLOMACY.play, load=load))
    world = World({DIPLOMACY.info.id: rules})
    game_id = world.start(wishes=PLAYERS, system="diplomacy", name="War", players=7)
    world.forget_mail()
    world.pass_deadline(game_id)
    queued = world.outbox(game_id)
    read.clear()
    messages = [message for outgoing in queued for message in compose(world.context, outgoing)]
    assert len(queued) > 7
    assert messages
    assert 1 <= len(read) == len(set(read)) <= 2


def test_a_position_is_known_by_its_text() -> None:
    """What Python takes for equal, like `1` and `True`, is not taken for the same position."""
    state = DIPLOMACY.play.start(variant="standard", players=7, options={}, seed="s")
    read: list[object] = []

    def load(document: Mapping[str, Any]) -> State:
        read.append(document["number"])
        return state

    rules = replace(DIPLOMACY, play=replace(DIPLOMACY.play, load=load))
    for number in (1, True, 1, 1.0, True):
        assert position_of(rules, {"number": number}) is state
    assert [repr(number) for number in read] == ["1", "True", "1.0"]
