"""When the game is won: how many centres a power needs, and what the last year comes to. Rulings Y2, Y34."""

from __future__ import annotations

from engine.core.ids import PowerId
from engine.core.phrases import Phrase, phrase
from engine.core.play import Over
from engine.provinces.classic import examples as classic
from engine.young_kingdoms.model import State, View


def needed(state: State, power: PowerId) -> int:
    """The centres with which a power wins: as many for all, but that `balanced` asks more or fewer of some.

    Source: rules 1.2.
    """
    number = int(state.options["victory_centres"])
    return (
        max(1, number + int(state.variant.settings["evened"]["needs"].get(power, 0))) if _is_balanced(state) else number
    )


def find_end(state: State) -> Over | None:
    """A victory, or the end of the last year: whoever has most beyond what it needs wins; if equal, play goes on.

    Source: rules 1.2; rulings Y2, Y34, Y35.
    """
    count = {power: sum(owner == power for owner in state.centres.values()) for power in state.variant.powers}
    lead = {power: number - needed(state, power) for power, number in count.items()}
    most, last_year = max(lead.values()), int(state.options["last_year"])
    leaders = tuple(power for power, number in lead.items() if number == most)
    if most >= 0 and len(leaders) == 1:
        return Over(leaders, phrase("event.victory", power=leaders[0], count=count[leaders[0]]))
    if last_year and state.phase.year >= last_year:
        if _is_balanced(state) and most >= 0:
            return Over(leaders, phrase("event.level", powers=leaders, year=state.phase.year))
        if _is_balanced(state):
            return Over(leaders, phrase("event.nearest", powers=leaders, count=-most, year=state.phase.year))
        return Over(leaders, phrase("event.last_year", powers=leaders, count=count[leaders[0]], year=state.phase.year))
    return None


def goal(view: View) -> Phrase:
    """Diplomacy's; where powers need different numbers, the viewer's own."""
    state, viewer = view.state, view.viewer
    if viewer is None or not _is_balanced(state):
        return classic.goal(view)
    numbers = [needed(state, power) for power in state.variant.powers]
    return phrase(
        "about.goal_balanced_until" if state.options["last_year"] else "about.goal_balanced",
        count=needed(state, viewer),
        all=len(state.centres),
        least=min(numbers),
        most=max(numbers),
        year=state.options["last_year"],
    )


def _is_balanced(state: State) -> bool:
    return bool(state.options["balanced"])
