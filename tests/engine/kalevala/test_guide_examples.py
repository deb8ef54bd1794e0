"""Every order that the guide and `/rules` show is read: as a line of its own or of a plan."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.core.reading import read_orders
from engine.core.viewer import Playing
from engine.kalevala.system import KALEVALA
from tests.engine.kalevala.battles import ANNA, BERT, DOCUMENT

ROOT = Path(__file__).parents[3]
FRAGMENTS = {
    "FROM 4", "GARRISON 2E+5", "GOD CALL", "GOD CREATE", 'MOUNTAINS "Kolit"', "NEAR 2E+5", "PASS 26 12",
    'RIVER "Vuoksi"', "RULER bert",
}  # fmt: skip
"""Parts of orders."""


@pytest.mark.parametrize("page", ["docs/kalevala.md", "assets/kalevala/rules.md"])
def test_every_order_of_the_guide_is_read(page: str) -> None:
    state = KALEVALA.play.load(DOCUMENT)
    views = [KALEVALA.sight.view(state, Playing(power)) for power in (ANNA, BERT)]

    def is_read(text: str) -> bool:
        forms = (text, f"BATTLE 2D+5\n{text}\nEND", f"DEFEND 2D+4\n{text}\nEND")
        answers = (read_orders(KALEVALA, view, form) for view in views for form in forms)
        return any(answer.values and not answer.errors for answer in answers)

    shown = re.findall(r"`([A-Z]{3,} [^`\n]*)`", (ROOT / page).read_text(encoding="utf-8"))
    orders = {text for text in shown if not re.search(r"…|\.\.", text)} - FRAGMENTS
    assert len(orders) > 50
    assert sorted(text for text in orders if not is_read(text)) == []
