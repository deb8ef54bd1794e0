"""The toy with rules for an end by consent: two players are enough, and the richest have won."""

from __future__ import annotations

from dataclasses import replace

from engine.core.ids import PowerId
from tests.toy_system import TOY, ToyState


def _leaders(state: ToyState) -> tuple[PowerId, ...]:
    most = max(state.gold.values())
    return tuple(power for power, gold in state.gold.items() if gold == most)


CONSENTING_TOY = replace(TOY, play=replace(TOY.play, consent_needed=lambda state: 2, leaders=_leaders))
"""The toy, ended by two."""
