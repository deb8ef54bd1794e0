"""What all pictures have in common: a game says what one shows, as plain data, and a renderer draws it."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

from engine.core.ids import PowerId, SystemId
from engine.core.phrases import Phrase


@dataclass(frozen=True, slots=True)
class Depiction:
    """What a picture shows; what there is to show is in its subclasses, in `engine.pictures`.

    Args:
        system, variant: which assets to draw with.
        title: what it is a picture of (the phase); `caption` a second, smaller line (the game, the deadline).
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
        """Whether it shows a part of the map alone."""
        return False

    @property
    def in_words(self) -> tuple[Phrase, ...]:
        """What it shows, where the words of the whole position would not do."""
        return ()
