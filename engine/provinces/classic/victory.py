"""When a game is won by supply centres: enough of them after a Fall, or the most after the last year."""

from __future__ import annotations

from engine.core.ids import PowerId
from engine.core.phrases import phrase
from engine.core.play import Over
from engine.provinces.classic.model import State


def find_end(state: State) -> Over | None:
    """A victory, or the end of the last year. Source: Diplomacy, rules 8.1, 8.2; rulings D10, D11."""
    victory = find_victory(state)
    if victory or not is_last_year(state):
        return victory
    leaders, count = _leaders(state)
    return Over(leaders, phrase("event.last_year", powers=leaders, count=count, year=state.phase.year))


def find_victory(state: State) -> Over | None:
    """The power with enough centres, and more than any other. Source: Diplomacy, rules 8.1; ruling D10."""
    leaders, count = _leaders(state)
    if count < int(state.options["victory_centres"]) or len(leaders) > 1:
        return None
    return Over(leaders, phrase("event.victory", power=leaders[0], count=count))


def is_last_year(state: State) -> bool:
    """Whether the game ends after this year. Source: Diplomacy, rules 8.2; ruling D11."""
    return 0 < int(state.options["last_year"]) <= state.phase.year


def _leaders(state: State) -> tuple[tuple[PowerId, ...], int]:
    """The powers with the most centres, in seat order, and how many those are."""
    count = dict.fromkeys(state.variant.powers, 0)
    for owner in state.centres.values():
        if owner:
            count[owner] += 1
    most = max(count.values())
    return tuple(power for power, number in count.items() if number == most), most
