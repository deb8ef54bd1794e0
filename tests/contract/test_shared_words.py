"""The words that all games share speak of no game: examples come from the game that is played."""

from __future__ import annotations

import re

from engine.core.ids import SystemId
from engine.core.variant import load_phrases, load_variant
from engine.registry import systems

ORDER = re.compile(r"\b[A-Z]{1,3} [A-Z]{3}\b|\b[A-Z]{3,} \d+ \d+\b")
"""`A BUD`, `LAND 7 5`."""


def test_no_shared_text_quotes_an_order_of_one_game() -> None:
    shared = load_phrases()
    assert [code for code in sorted(shared.codes) if ORDER.search(shared.template(code))] == []


def test_no_shared_text_names_a_power_of_one_game() -> None:
    shared = load_phrases()
    powers = {
        power
        for system in systems.values()
        for variant in system.info.variants
        for power in load_variant(SystemId(system.info.id), variant).powers
    }
    found = {
        (code, word)
        for code in shared.codes
        for word in re.findall(r"[a-z_]+", shared.template(code).casefold())
        if word in powers
    }
    assert found == set()
