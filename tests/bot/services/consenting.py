"""The toy with rules for an end by consent: two players are enough, and the richest have won."""

from __future__ import annotations

from engine.core.ids import PowerId
from tests.toy_system import Toy, ToyState


class ConsentingToy(Toy):
    """The toy, ended by two."""

    def consent_needed(self, state: ToyState) -> int:
        return 2

    def leaders(self, state: ToyState) -> tuple[PowerId, ...]:
        most = max(state.gold.values())
        return tuple(power for power, gold in state.gold.items() if gold == most)
