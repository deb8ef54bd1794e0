"""The gods of a battle. They change while it is fought."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.core.ids import PowerId
from engine.kalevala.battle.sites import Apparition, Calling
from engine.kalevala.gods.facts import BASE


@dataclass(slots=True)
class GodInBattle:
    """A god in a battle.

    Args:
        done: the abilities that he has used, one in each round that he has spent there.
        called: for how many rounds priests have called him; `called_for`: the ability they called him for in this one.
        lost: OEH that he has lost there, and `won`.
        is_gone: he has gone home.
    """

    coming: Apparition
    done: list[str] = field(default_factory=list)
    called: int = 0
    called_for: str = ""
    lost: int = 0
    won: int = 0
    is_gone: bool = False

    @property
    def used(self) -> int:
        """The number of rounds that he has spent there."""
        return len(self.done)

    @property
    def due(self) -> str:
        """His ability for this round: the one he was called for, else the next one ordered, else the base one."""
        ordered = self.coming.abilities
        return self.called_for or (ordered[self.used] if self.used < len(ordered) else BASE)

    @property
    def is_over(self) -> bool:
        """Whether he has stayed all the rounds for which he came or was called."""
        return self.used >= self.coming.rounds + self.called


class Gods:
    """Who has come, and whose priests may still call one."""

    def __init__(self, coming: Iterable[Apparition], callings: Iterable[Calling]) -> None:
        self.present = [GodInBattle(each) for each in coming]
        """Those who came with their ruler's army, then those who were called; also when they have gone home."""
        self.callings = {each.ruler: each for each in callings}
        """What each ruler's priests are to call for."""
        self.heard: dict[PowerId, bool] = {}
        """Whose priests have called a god, and whether he has come."""
