"""What all pictures have in common: a game describes each as plain data, and a renderer draws it."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

from engine.core.ids import PowerId, SystemId
from engine.core.phrases import Phrase


@dataclass(frozen=True, slots=True)
class Depiction:
    """What every picture has; its contents are in the subclasses, in `engine.pictures`.

    Args:
        system, variant: which assets to draw with.
        title: what the picture is of (the phase); `caption`: a second, smaller line (the game, the deadline).
        viewer: whose picture it is; their power is marked in the legend. `None`: the public's.
    """

    system: SystemId
    variant: str
    title: Phrase
    _: KW_ONLY
    caption: Phrase | None = None
    viewer: PowerId | None = None

    @property
    def is_close_up(self) -> bool:
        """Whether it shows only a part of the map."""
        return False

    @property
    def in_words(self) -> tuple[Phrase, ...]:
        """Its own description, where the description of the whole position would not be right."""
        return ()
