"""Games of seven random players from the first command to the last post, with restarts of the bot in between.

What comes of longer games is proved without Discord: tests/games plays recorded ones through the services.
"""

from __future__ import annotations

import random
from pathlib import Path

import discord
import pytest

from bot.play.eyes import parts
from bot.ports import Renderer
from bot.render import MapRenderer
from tests.e2e.plain_renderer import PlainRenderer
from tests.e2e.table import LiveGame, leaks, open_table

GAMES = {"amber": 1901, "birch": 1902}
"""Seeds, and the last year of each game. The first one is drawn in earnest."""
DRAWN = "amber"
RESTART_CHANCE = 0.3


@pytest.mark.parametrize("seed", GAMES)
async def test_seven_random_players_play_to_the_end(tmp_path: Path, seed: str) -> None:
    chance = random.Random(seed)
    renderer: Renderer = MapRenderer() if seed == DRAWN else PlainRenderer()
    async with open_table(tmp_path, renderer=renderer, seed=seed, options=f"last_year={GAMES[seed]}") as table:
        restarts, phases = 0, 0
        while not (standing := await table.standing()).is_over:
            phases += 1
            assert phases < 60, "the game does not end"
            restarts += await _play_phase(table, standing.game.phase_no, chance)
        await table.quiet()
        assert restarts > 0
        assert "Sunday Table is over" in table.channel_text()
        assert "Congratulations" in table.channel_text()
        _check_all_was_told(table)
        if seed != DRAWN:
            _check_all_ways_were_used(table)
        assert table.complaints() == []


async def _play_phase(table: LiveGame, phase_no: int, chance: random.Random) -> int:
    """Let each do its part, one by one; look over everybody's shoulder after each. Returns the number of restarts."""
    await table.quiet()
    since = {person.number: table.message_ids(person) for person in table.world.people}
    restart_after = chance.randrange(7) if chance.random() < RESTART_CHANCE or phase_no == 2 else None
    people = list(table.world.people)
    chance.shuffle(people)
    restarts = 0
    for number, person in enumerate(people):
        await table.robots.play_person(person, phase_no)
        standing = await table.standing()
        if standing.game.phase_no != phase_no or standing.is_over:
            return restarts
        assert leaks(table, standing, since) == []
        if number == restart_after:
            await table.world.restart()
            restarts += 1
            assert (await table.standing()).sheets == standing.sheets
    return restarts


def _check_all_was_told(table: LiveGame) -> None:
    """Every phase's results are in the channel, once each; every player got a sheet for the first phase."""
    text = table.channel_text()
    with table.application.context.unit_of_work() as unit:
        game = unit.games.in_channel(table.world.channel.id)[0]
        records = unit.phases.of_game(game.id)
    assert len(records) == game.phase_no - 1
    titles = [line for line in text.splitlines() if line.startswith("## Results: ")]
    assert len(titles) == len(set(titles))
    assert len(titles) >= 2
    for person in table.world.people:
        briefings = [m for m in table.world.sight(person).messages(person.dm_channel_id) if m["author"]["bot"]]
        assert "Spring 1901" in str(briefings[0]["text"])
        assert any(part["kind"] == "button" for message in briefings for part in parts(message))


def _check_all_ways_were_used(table: LiveGame) -> None:
    """Commands, completion, buttons and menus, forms, and direct messages."""
    interactions = table.world.env.backend.interactions.values()
    assert {discord.InteractionType(record.type).name for record in interactions} >= {
        "application_command",
        "autocomplete",
        "component",
        "modal_submit",
    }
    for person in table.world.people:
        messages = table.world.sight(person).messages(person.dm_channel_id)
        assert any(not message["author"]["bot"] for message in messages)
