"""The names that the bot looks for in a game are those that docs/architecture.md lists."""

from __future__ import annotations

import re
from pathlib import Path

from bot.play.command import TURN_OPTION, YEAR_OPTION
from bot.render.panels import SIGNS_OF_FIGURES
from engine.registry import systems
from tests.contract.games import ALL

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


def test_documents_count_time_by_what_the_game_says() -> None:
    for rules in ALL.values():
        state = rules.play.start(variant=rules.info.variants[0], players=rules.info.seats[-1], options={}, seed="s")
        assert isinstance(rules.play.dump(state)["phase"][rules.info.counts_by], int), rules.info.id


def test_every_file_that_the_guide_names_is_there() -> None:
    root, text = GUIDE.parents[1], GUIDE.read_text(encoding="utf-8")
    named = {name for name in re.findall(r"`([a-z_]+/[A-Za-z_/]*[.a-z/]+)[`:]", text) if "nine" not in name}
    assert len(named) > 20
    assert not {name for name in named if not (root / name).exists()}


def test_every_function_that_the_guide_names_is_in_its_file() -> None:
    root, text = GUIDE.parents[1], GUIDE.read_text(encoding="utf-8")
    named = re.findall(r"`([a-z_/]+\.py): ([a-z_]+)`", text)
    named += [(path, name) for name, path in re.findall(r"`(\w+)` \(`([a-z_/]+\.py)`\)", text)]
    assert len(named) > 5
    assert not [
        (path, name)
        for path, name in named
        if not re.search(rf"(?:def|class) {name}\b|^{name} = ", (root / path).read_text(encoding="utf-8"), re.M)
    ]
