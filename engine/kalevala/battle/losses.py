"""What a battle has cost its rulers, and the figures that it has brought them."""

from __future__ import annotations

from collections import Counter, defaultdict

from engine.core.ids import PowerId
from engine.kalevala.battle.fighters import Fighter
from engine.kalevala.battle.sites import Army
from engine.kalevala.coordinates import Province
from engine.kalevala.figures import without_numbers


class Losses:
    """Counts of items, kept while a battle is fought."""

    def __init__(self) -> None:
        self.by_ruler: defaultdict[PowerId, Counter[str]] = defaultdict(Counter)
        """By ruler and item without its numbers, as reports tell it."""
        self.by_stack: Counter[tuple[PowerId, Province, str]] = Counter()
        """By ruler, the province whose stack it came from, and item, as it is taken off the stacks."""
        self.misplaced: defaultdict[PowerId, Counter[str]] = defaultdict(Counter)
        """Those of them that were lost before the battle, by ruler and item without its numbers. Source: R-042"""
        self.won: Counter[tuple[PowerId, Province, str]] = Counter()
        """Figures that have come over to a ruler, by the province whose stack they belong to now, and item."""

    def add(self, ruler: PowerId, province: Province, item: str, count: int = 1) -> None:
        """Count what a ruler has lost, of the stack of a province."""
        self.by_ruler[ruler][without_numbers(item)] += count
        self.by_stack[ruler, province, item] += count

    def add_of(self, fighter: Fighter, item: str) -> None:
        """Count something that was a figure's: itself, as an item, or its mount."""
        self.add(fighter.party.ruler, fighter.army.province, item)

    def add_cargo(self, craft: Fighter) -> None:
        """Count what a sinking craft carried."""
        for item, count in craft.cargo.items():
            self.add(craft.party.ruler, craft.army.province, item, count)

    def misplace(self, army: Army, item: str, count: int) -> None:
        """Count figures that are lost because they can't stand where their plan puts them. Source: R-042"""
        self.misplaced[army.ruler][without_numbers(item)] += count
        self.add(army.ruler, army.province, item, count)
