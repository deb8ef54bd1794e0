"""A phase in one line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.core.ids import PowerId
from engine.core.phrases import Phrase, phrase
from engine.kregen.model import HERO, State, View
from engine.kregen.status import eliminated
from engine.provinces import headline as provinces
from engine.provinces.headline import Standing


def headline(before: View, after: View) -> tuple[Phrase, ...]:
    """Who took what, who fell, who won, whose hero was captured or is lost, or that nothing changed hands."""
    was, now = before.state, after.state
    return provinces.headline(
        _standing(was), _standing(now), now.variant.powers, besides=tuple(_of_heroes(_heroes(was), _heroes(now)))
    )


def _standing(state: State) -> Standing:
    return Standing(state.phase, state.over, state.owners, eliminated(state))


def _heroes(state: State) -> Mapping[PowerId, PowerId]:
    """Whom each hero serves, by who built it: nobody builds two."""
    everybody = (*state.units, *(row.unit for row in state.dislodged))
    return {unit.of or unit.power: unit.power for unit in everybody if unit.kind == HERO}


def _of_heroes(were: Mapping[PowerId, PowerId], are: Mapping[PowerId, PowerId]) -> Iterator[Phrase]:
    for first, served in were.items():
        if first not in are:
            yield phrase("headline.lost_hero", power=served)
        elif are[first] != served:
            yield phrase("headline.captured_hero", power=are[first], loser=served)
