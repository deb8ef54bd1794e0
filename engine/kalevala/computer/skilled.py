"""How the strong level writes a sheet: with more entries, several attacks out of one province, archers, the wizard,
and a memory of trade centres.

Source: docs/kalevala.md, "Rulers that the computer plays"; docs/balance.md has what came of it
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.kalevala.computer.sheet import ComputerSheet, worth_of
from engine.kalevala.coordinates import Province, gf_of
from engine.kalevala.figures import Figures, kind_of
from engine.kalevala.model import TradeCentre
from engine.kalevala.wizards.spells import zeh_of

_BOWS = 0.65
"""The part of new core troops who are archers."""
_FINDS = 0.6
"""How much of the unknown land can be entered; the rest is water."""
_ENOUGH = 3
"""How many times as much as the defenders an attack is worth at most, if others can be made from the same province."""
_WORTH_A_SPELL = 8
"""What defenders have to be worth, in RE, for a wizard to go along."""


class SkilledSheet(ComputerSheet):
    """A sheet of the strong level."""

    def _centre(self, place: Province) -> TradeCentre | None:
        """The same, or one that scouts saw in an earlier round. Ruling KA272"""
        return super()._centre(place) or self.state.centres.get(self.me, {}).get(gf_of(place))

    def _scouts_on(self, scouted: Sequence[Province], units: int) -> bool:
        """Scout until there is likely to be an entry for each unit that is left."""
        known = self.state.known.get(self.me, ())
        finds = sum(1.0 if place in known else _FINDS for place in scouted)
        return finds < units - len(scouted)

    def _troops(self, count: int) -> dict[str, int]:
        """Core troops, two thirds of them archers."""
        rank = self.state.rulers[self.me].rank
        bows = round(count * _BOWS)
        archers = {"B" + (rank if rank != "A" else ""): bows}
        return {item: number for item, number in (*super()._troops(count - bows).items(), *archers.items()) if number}

    def _host(self, stack: Figures, target: Province, spare: int, *, is_only: bool) -> Figures | None:
        """No more than enough men, if others could attack from the same province; with the wizard against defenders."""
        host = super()._host(stack, target, spare, is_only=is_only)
        if host is None:
            return None
        defenders = self._defenders_of(target)
        if not is_only:
            host = next(
                (
                    few
                    for count in range(2, spare + 1)
                    if worth_of(few := self._fighters(stack, count)) > _ENOUGH * defenders
                ),
                host,
            )
        return {**host, **self._company(stack)} if defenders >= _WORTH_A_SPELL else host

    def _company(self, stack: Figures) -> Figures:
        """The wizard, if he has points for spells."""
        wizards = (item for item, count in stack.items() if count and kind_of(item).code == "Z" and zeh_of(item))
        return dict.fromkeys(wizards, 1)
