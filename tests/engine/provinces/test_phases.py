"""What a phase is called, in every game of provinces."""

from __future__ import annotations

import pytest

from engine.core.ids import SystemId
from engine.core.phrases import phrase
from engine.core.variant import load_phrases
from engine.core.viewer import Everybody
from engine.registry import systems

NAMES = {
    "diplomacy": "The end of the game, {year}",
    "feudal": "The end of the game, {year}",
    "kregen": "The end of the game",
    "young_kingdoms": "The end of the game, {year}",
}


@pytest.mark.parametrize("system", NAMES)
def test_no_phase_is_open_in_a_game_that_is_over(system: str) -> None:
    rules, words = systems[SystemId(system)], load_phrases(system)
    start = rules.play.start(variant="standard", players=rules.info.seats[-1], options={}, seed="s")
    year = words.render(rules.play.status(start).title).split(",")[0].split()[-1]
    over = rules.play.end(start, (), phrase("agreed.game_master"))

    for title in (rules.play.status(over).title, rules.telling.scene(rules.sight.view(over, Everybody())).title):
        assert words.render(title) == NAMES[system].format(year=year)
