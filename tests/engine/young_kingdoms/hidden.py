"""What a State of the Young Kingdoms holds that others may not know: who has which card, and where the others lie."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from engine.core.ids import PowerId, province_of
from engine.core.viewer import Viewer
from engine.young_kingdoms.cards import open_hiding_places
from engine.young_kingdoms.model import Carried, State


def variants(state: State, viewer: Viewer) -> Iterator[State]:
    """The same with the cards dealt anew that the viewer doesn't hold; their own units carry others too."""
    for number in range(2):
        yield _dealt_anew(state, viewer.power, random.Random(number))


def _dealt_anew(state: State, viewer: PowerId | None, chance: random.Random) -> State:
    foreign = {power: cards for power, cards in state.hands.items() if power != viewer}
    cards = [card for hand in foreign.values() for card in hand]
    cards += [card for hidden in state.hidden.values() for card in hidden] + list(state.aside)
    cards += [one.card for one in state.carried]
    chance.shuffle(cards)
    standing = {(province_of(unit.at), False) for unit in state.units if unit.power == viewer}
    fallen = {(province_of(row.unit.at), True) for row in state.dislodged if row.unit.power == viewer}
    carried = [
        Carried(one.at, cards.pop(), one.is_dislodged)
        for one in state.carried
        if (one.at, one.is_dislodged) in standing | fallen
    ]
    hands = {power: (cards.pop(),) for power in foreign if cards}
    places = open_hiding_places(replace(state, hidden={}))
    chosen = sorted(chance.sample(range(len(places)), min(len(cards), len(places))))
    hidden = {places[index]: (cards.pop(),) for index in chosen}
    # Every card that is left has somebody else's unit to carry it; of these nobody else may know either.
    strangers = sorted({province_of(unit.at) for unit in state.units if unit.power != viewer})
    carried += [Carried(at, cards.pop()) for at in strangers[: len(cards)]]
    kept = {viewer: state.hand(viewer)} if viewer in state.hands else {}
    dealt = {power: hand for power in state.variant.powers for who, hand in {**kept, **hands}.items() if who == power}
    return replace(state, hands=dealt, hidden=hidden, carried=tuple(sorted(carried)), aside=())
