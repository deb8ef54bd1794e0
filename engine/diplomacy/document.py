"""game.json of standard Diplomacy: a new game, a document read, and one written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.documents import check_players
from engine.diplomacy.info import INFO
from engine.provinces.classic import document as classic
from engine.provinces.classic.model import State


def start(*, variant: str, players: int, options: Mapping[str, Any], seed: str) -> State:
    """A new game at its first phase.

    Raises:
        DocumentError: an unknown variant, option or value, or a number of players that can't be seated.
    """
    check_players(INFO, players)
    state = load({"variant": variant, "options": options, "seed": seed})
    classic.check_last_year(int(state.options["last_year"]), state.phase)
    return state


def load(document: Mapping[str, Any]) -> State:
    """The game of a document; what it leaves out has its default.

    Raises:
        DocumentError: where and what is wrong with it.
    """
    return classic.load(document, INFO)


def dump(state: State) -> dict[str, Any]:
    """The document of a game; `load` reads it back to an equal state."""
    return classic.dump(state, INFO)
