"""The plans that docs/kalevala.md shows line by line could be sent as they are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.core.ids import PowerId
from engine.core.reading import read_orders
from engine.core.viewer import Playing
from engine.kalevala.rounds import rehearse
from engine.kalevala.system import KALEVALA
from tests.engine.kalevala.battles import ANNA, BERT, DOCUMENT

GUIDE = Path(__file__).parents[3] / "docs/kalevala.md"


@pytest.mark.parametrize(
    ("number", "who", "stack"),
    [(0, ANNA, "16LB 6BB"), (1, ANNA, "24LB 2On 2Le"), (2, BERT, "16LB")],
    ids=["open field", "siege", "defence"],
)
def test_the_plans_of_the_guide_stand_as_they_are_printed(number: int, who: PowerId, stack: str) -> None:
    blocks = [each for each in re.findall(r"```\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.S) if "\nEND" in each]
    assert len(blocks) == 3
    stacks = {"anna": {"2D+4": stack}, "bert": {"2D+5": "14L 8B 2IP"}}
    document = {**DOCUMENT, "state": {**DOCUMENT["state"], "stacks": stacks}}
    view = KALEVALA.sight.view(KALEVALA.play.load(document), Playing(who))
    read = read_orders(KALEVALA, view, blocks[number])
    assert read.errors == ()
    done = rehearse(view.state, who, read.values)
    assert [line.canonical for line in read.values if done.is_refused(who, line)] == []
