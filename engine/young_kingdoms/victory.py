"""When the game is won: by supply centres, or after the last year by how far a power is above its par.

Rulings Y2, Y34, Y35.
"""

from __future__ import annotations

from engine.core.ids import PowerId
from engine.core.phrases import Phrase, phrase
from engine.core.play import Over
from engine.provinces.classic import examples as classic
from engine.provinces.classic.victory import find_end as find_end_by_centres
from engine.provinces.classic.victory import find_victory, is_last_year
from engine.provinces.pars import above_or_below, format_halves, most_above, read_par
from engine.young_kingdoms.model import State, View
from engine.young_kingdoms.status import eliminated

BALANCED = "balanced"
EVENED = "evened"
"""Names of the option, and of the settings that go with it."""


def has_par(state: State) -> bool:
    """Whether after the last year powers are compared by how far they are above a number of their own. Ruling Y34."""
    return bool(state.options[BALANCED] and state.options["last_year"])


def par(state: State, power: PowerId) -> int:
    """What counts as an average game for a power, in halves of a centre. Ruling Y34."""
    return read_par(state.variant.settings[EVENED], power)


def above_par(state: State, power: PowerId) -> int:
    """How far a power is above its par, in halves of a centre; less than nothing if it is below."""
    return 2 * sum(owner == power for owner in state.centres.values()) - par(state, power)


def find_end(state: State) -> Over | None:
    """A victory, or the end of the last year.

    Source: rules 1.2; rulings Y2, Y34, Y35.
    """
    if not has_par(state):
        return find_end_by_centres(state)
    victory = find_victory(state)
    if victory or not is_last_year(state):
        return victory
    alive = [power for power in state.variant.powers if power not in eliminated(state)]
    leaders = most_above({power: above_par(state, power) for power in alive})
    above = above_or_below(above_par(state, leaders[0]), par(state, leaders[0]), "report.par")
    return Over(leaders, phrase("event.furthest", powers=leaders, above=above, year=state.phase.year))


def goal(view: View) -> Phrase:
    """Diplomacy's; with pars the viewer's own, or for the public all of them."""
    state, viewer = view.state, view.viewer
    if not has_par(state):
        return classic.goal(view)
    options = state.options
    needed = {"count": options["victory_centres"], "all": len(state.centres), "year": options["last_year"]}
    if viewer is not None:
        return phrase("about.goal_par", **needed, par=format_halves(par(state, viewer)))
    each = tuple(
        phrase("about.par_of", power=power, par=format_halves(par(state, power))) for power in state.variant.powers
    )
    return phrase("about.goal_pars", **needed, each=each)
