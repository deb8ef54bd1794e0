"""What the players' guide shows can be sent as it stands."""

from __future__ import annotations

import random
import re
from dataclasses import fields
from pathlib import Path

import pytest

from engine.core.ids import PowerId
from engine.core.json_text import read_json
from engine.core.reading import read_orders
from engine.core.variant import load_phrases
from engine.core.viewer import Playing
from engine.king_of_kings import form
from engine.king_of_kings.model import Options
from engine.king_of_kings.steps.isolation import isolated_in
from tests.random_king_of_kings import RULES, wild_sheet

GUIDE = (Path(__file__).parents[3] / "docs" / "king_of_kings.md").read_text(encoding="utf-8")
PLAYERS, SEED = 5, "guide"
"""The game of the guide's first turn."""


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)


def test_first_sheet_can_be_carried_out() -> None:
    state = RULES.play.start(variant="classic", players=PLAYERS, options={}, seed=SEED)
    view = RULES.sight.view(state, Playing(PowerId("egyptians")))
    rehearsal = RULES.orders.rehearse(view, read_orders(RULES, view, blocks("orders")[0]).orders)
    assert [forecast.code for forecast in rehearsal.lines if forecast.code not in ("ok", "W07")] == []


@pytest.mark.parametrize("text", blocks("orders"), ids=("first turn", "all orders"))
def test_sheets_are_read(text: str) -> None:
    state = RULES.play.start(variant="classic", players=PLAYERS, options={}, seed=SEED)
    reading = read_orders(RULES, RULES.sight.view(state, Playing(next(iter(state.nations)))), text)
    assert reading.errors == ()
    assert reading.orders


@pytest.mark.parametrize("text", blocks("scenario"), ids=("by lot", "own map"))
def test_scenarios_are_started(text: str) -> None:
    state = RULES.scenarios.start(read_json(text), players=None, options={}, seed="guide")
    assert [nation.name for nation in state.nations.values()][:2] == ["Athens", "Sparta"]
    assert state.options.storage_gold is None


def test_scenario_of_the_guide_is_played_to_its_end() -> None:
    state = RULES.scenarios.start(read_json(blocks("scenario")[1]), players=None, options={}, seed="guide")
    assert state.at(3, 1).terrain == "ford"
    chance = random.Random("guide")
    while state.over is None:
        texts = {nation: wild_sheet(state, nation, chance) or "" for nation in RULES.play.status(state).to_act}
        sheets = {
            nation: read_orders(RULES, RULES.sight.view(state, Playing(nation)), text).values
            for nation, text in texts.items()
        }
        state = RULES.play.adjudicate(state, sheets, RULES.play.dice(state)).state
    assert state.turn == 6


def test_in_the_scenario_of_the_guide_all_can_march_and_the_monsters_hold_the_ford() -> None:
    state = RULES.scenarios.start(read_json(blocks("scenario")[1]), players=None, options={}, seed="guide")
    ford = state.grid.find(3, 1)
    assert ford is not None
    assert isolated_in(state) <= {ford}, "whoever is isolated can neither march nor place anything"
    after = RULES.play.adjudicate(state, dict.fromkeys(state.nations, ()), RULES.play.dice(state)).state
    assert after.provinces[ford].units == state.provinces[ford].units, "they have enough to eat"


def test_every_key_of_a_scenario_is_told() -> None:
    told = set(
        re.findall(r"[`\"](\w+)(?:: true)?[`\"]", GUIDE.partition("## Your own scenario")[2].partition("\n## Dice")[0])
    )
    assert {key for keys in form.KEYS for key in keys} <= told


def test_every_option_is_told() -> None:
    told = GUIDE.partition("## For game masters: options")[2].partition("\n## ")[0]
    assert [each.name for each in fields(Options) if f"`{each.name}`" not in told] == []


def test_every_code_is_told() -> None:
    told = set(re.findall(r"[EW]\d\d", GUIDE.partition("## Errors and warnings")[2].partition("\n## ")[0]))
    assert told == {f"E{number:02}" for number in range(1, 24)} | {f"W{number:02}" for number in range(1, 10)}


def test_tables_of_land_and_tactics_are_those_of_the_rules() -> None:
    rules = RULES.play.load({"state": {"map": ["P"]}}).rules
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in GUIDE.splitlines() if line.startswith("|")
    ]
    told = {row[0]: row[1:] for row in rows}
    for kind in rules.terrain.values():
        if kind.is_sea:
            continue
        food, gold, wood, move, cap, build = told[f"{kind.name} `{kind.letter}`"]
        assert [int(each or 0) for each in (food, gold, wood, move)] == [kind.food, kind.gold, kind.wood, kind.move]
        assert (int(cap) if cap else None) == kind.cap
        entry = rules.build[kind.name]
        assert entry is not None
        assert build.startswith(f"{entry.to}, {entry.percent}%")
    for (attack, defence), modifiers in rules.tactics.items():
        row = next(cells for head, cells in told.items() if head.startswith(f"**{attack}**"))
        numbers = row["FPTUC".index(defence)].replace("−", "-").split("/")
        assert [int(number) for number in numbers] == list(modifiers)


def test_messages_name_no_square_that_a_map_may_lack() -> None:
    """What players read of orders and parts of the map comes from their position."""
    words = load_phrases("king_of_kings")
    assert not re.search(r"\d", words.template("message.own_map"))
    assert not re.search(r"`[A-Z]+ \d", words.template("help.orders"))


def test_each_of_two_ways_to_a_sooner_end_is_enough() -> None:
    options = {"fame_limit": "10", "last_man_standing": True}
    state = RULES.play.start(variant="classic", players=PLAYERS, options=options, seed=SEED)
    goal = RULES.telling.goal(RULES.sight.view(state, Playing(PowerId("egyptians"))))
    told = load_phrases("king_of_kings").render(goal)
    assert "or sooner when a nation has 10 fame or when only one player's nation is left, the nations" in told
