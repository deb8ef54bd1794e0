"""The choices that the rules of Diplomacy leave open, as one frozen value. Source: DATC 3.0, 4."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any


class ParadoxRule(StrEnum):
    """What happens to a convoy whose success would contradict itself. Source: DATC 4.A.2."""

    SZYKMAN = "szykman"
    """The convoyed armies of the paradox stay and have no effect at all."""
    ALL_HOLD = "all_hold"
    """All moves of the paradox fail."""


class AdjacentConvoy(StrEnum):
    """When an army goes to a neighbouring province by sea. Source: DATC 4.A.3."""

    INTENT = "intent"
    """By convoy if `via convoy` is written or its owner's fleet convoys it; if that fails, it does not go by land."""
    INTENT_OR_LAND = "intent_or_land"
    """The same, but it goes by land if the convoy is disrupted."""
    VIA_ONLY = "via_only"
    """By convoy only if `via convoy` is written."""


class RemovalDistance(StrEnum):
    """How far a unit is from home when civil disorder removes the farthest. Source: DATC 4.D.8."""

    OWNED_CENTRES = "owned_centres"
    """Steps to the nearest owned centre, over land and sea alike."""
    HOME_CENTRES = "home_centres"
    """Steps to the nearest home centre: armies over land and sea alike, fleets by the fleet's own moves."""
    HOME_CENTRES_ANY_WAY = "home_centres_any_way"
    """Steps to the nearest home centre, over land and sea alike."""


@dataclass(frozen=True, slots=True)
class Rulebook:
    """One edition of the rules.

    Args:
        retreat_to_convoyed_origin: a unit may retreat to where its attacker came from, if that came by convoy.
            Source: DATC 4.A.5.
        dislodged_affects_convoyed_origin: a dislodged unit still stands off others in the province that its attacker
            came from, if that came by convoy. Source: DATC 4.A.7.
    """

    name: str = "datc"
    paradox: ParadoxRule = ParadoxRule.SZYKMAN
    adjacent_convoy: AdjacentConvoy = AdjacentConvoy.INTENT
    retreat_to_convoyed_origin: bool = True
    dislodged_affects_convoyed_origin: bool = True
    removal_distance: RemovalDistance = RemovalDistance.OWNED_CENTRES


PRESETS = {
    "datc": Rulebook(),
    "webdiplomacy": Rulebook(
        name="webdiplomacy",
        adjacent_convoy=AdjacentConvoy.VIA_ONLY,
        removal_distance=RemovalDistance.HOME_CENTRES,
    ),
    "droidippy": Rulebook(
        name="droidippy",
        adjacent_convoy=AdjacentConvoy.INTENT_OR_LAND,
        removal_distance=RemovalDistance.HOME_CENTRES_ANY_WAY,
    ),
}

BY_RULEBOOK = "rulebook"
"""Value of an option that leaves a choice to the named rulebook."""

_VALUES: Mapping[str, Mapping[str, Any]] = {
    "paradox": {str(rule): rule for rule in ParadoxRule},
    "adjacent_convoy": {str(rule): rule for rule in AdjacentConvoy},
    "retreat_to_convoyed_origin": {"true": True, "false": False},
    "dislodged_affects_convoyed_origin": {"true": True, "false": False},
    "removal_distance": {str(rule): rule for rule in RemovalDistance},
}
CHOICES: Mapping[str, tuple[str, ...]] = {name: (BY_RULEBOOK, *values) for name, values in _VALUES.items()}
"""The options that choose one rule independently of the rulebook, and their values."""


def rulebook_of(options: Mapping[str, Any]) -> Rulebook:
    """The rulebook that the options of a game name, with the rules that they choose independently of it."""
    chosen = {name: options[name] for name in CHOICES if options.get(name, BY_RULEBOOK) != BY_RULEBOOK}
    return replace(
        PRESETS[options.get("rulebook", "datc")], **{name: _VALUES[name][value] for name, value in chosen.items()}
    )
