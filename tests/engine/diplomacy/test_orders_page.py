"""docs/orders.md: its list of reasons why a line is refused has every code of Diplomacy's."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_the_page_lists_every_code_of_a_refused_line() -> None:
    page = (ROOT / "docs" / "orders.md").read_text(encoding="utf-8")
    words = tomllib.loads((ROOT / "assets" / "diplomacy" / "phrases" / "en.toml").read_text(encoding="utf-8"))
    codes = {code for code, text in words["error"].items() if isinstance(text, str)}
    assert "not_adjacent" in codes
    assert {code for code in codes if f"`{code}`" not in page} == set()
