"""No name lies under a token or an arrow while there is free room near it: the thirty densest positions."""

from __future__ import annotations

import pytest

from bot.render import labels
from tests.bot.render.dense import MANY, hidden_names, scene_of, stored

BOUND = 0.3
"""How much more of a name may be hidden than would be where its province has most room: other names want it, too."""
MOST_HIDDEN = 1 / 3
"""How much of any name may be hidden; a line below it counts half."""


def test_the_positions_are_of_all_maps() -> None:
    found = [row["system"] for row in stored()]
    assert {system: found.count(system) for system in found} == MANY
    assert len(found) == 30


@pytest.mark.parametrize("number", range(30))
def test_names_keep_clear_where_they_can(number: int) -> None:
    names = hidden_names(scene_of(stored()[number]))
    assert {name: each for name, each in names.items() if each.now > each.at_best + BOUND} == {}
    assert max(each.now for each in names.values()) <= MOST_HIDDEN
    assert sum(each.now for each in names.values()) <= 0.85 * sum(each.at_anchor for each in names.values())


def test_without_the_placement_names_would_lie_under_things(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labels, "_WORTH", 99.0)
    names = hidden_names(scene_of(stored()[0]))
    assert sum(each.now for each in names.values()) == sum(each.at_anchor for each in names.values()) > 3
