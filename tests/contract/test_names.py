"""The names that the bot looks for in a game are those that docs/architecture.md lists."""

from __future__ import annotations

import re
from pathlib import Path

from bot.play.command import TIMES, TURN_OPTION, YEAR_OPTION
from bot.render.panels import SIGNS_OF_FIGURES
from engine.registry import systems

GUIDE = Path(__file__).parents[2] / "docs/architecture.md"


def _listed(row: str) -> set[str]:
    (cells,) = (
        line.split("|") for line in GUIDE.read_text(encoding="utf-8").splitlines() if line.startswith(f"| {row}")
    )
    return set(re.findall("`([a-z_]+)`", cells[2]))


def test_figures_of_the_legend_with_a_sign_are_listed() -> None:
    assert _listed("figures of the legend") == SIGNS_OF_FIGURES


def test_options_that_end_a_game_in_time_are_listed_and_are_numbers() -> None:
    assert _listed("options that end") == {YEAR_OPTION, TURN_OPTION}
    for rules in systems.values():
        for option in rules.info.options:
            if option.name in (YEAR_OPTION, TURN_OPTION):
                assert isinstance(option.default, int)
            if option.name == YEAR_OPTION:
                players, variant = rules.info.seats[-1], rules.info.variants[0]
                state = rules.play.start(variant=variant, players=players, options={}, seed="s")
                assert isinstance(rules.play.dump(state)["phase"]["year"], int)


def test_what_documents_count_time_by_is_listed_and_there() -> None:
    assert _listed("what a document's") == set(TIMES)
    for rules in systems.values():
        players, variant = rules.info.seats[-1], rules.info.variants[0]
        state = rules.play.start(variant=variant, players=players, options={}, seed="s")
        assert set(TIMES) & set(rules.play.dump(state)["phase"]), rules.info.id
