"""The ten spell cards: what they are, how they are dealt, and where they go."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from engine.core.dice import Dice
from engine.core.ids import PowerId, ProvinceId
from engine.core.phrases import Phrase, phrase
from engine.provinces.variants import BoardVariant
from engine.young_kingdoms.model import State, View


class Effect(StrEnum):
    """What a card does."""

    SUPPORT = "support"
    ATTACK = "attack"
    CREATION = "creation"
    HORDES = "hordes"
    DESTRUCTION = "destruction"
    IMPASSABILITY = "impassability"


class CardSpaces(StrEnum):
    """Which spaces a support or an attack may be about."""

    ANY = "any"
    SEA = "sea"
    LAND = "land"


@dataclass(frozen=True, slots=True)
class Card:
    """One of the ten cards, with its name and what it does in words."""

    number: int
    effect: Effect
    over: CardSpaces = CardSpaces.ANY

    @property
    def name(self) -> Phrase:
        """What it is called."""
        return phrase(f"card.name.{self.number}")

    @property
    def words(self) -> Phrase:
        """What its spell does, in a sentence."""
        return phrase(f"card.effect.{self.number}")


CARDS: Mapping[int, Card] = {
    card.number: card
    for card in (
        Card(1, Effect.SUPPORT),
        Card(2, Effect.SUPPORT, CardSpaces.SEA),
        Card(3, Effect.SUPPORT, CardSpaces.LAND),
        Card(4, Effect.ATTACK),
        Card(5, Effect.ATTACK, CardSpaces.SEA),
        Card(6, Effect.ATTACK, CardSpaces.LAND),
        Card(7, Effect.CREATION),
        Card(8, Effect.HORDES),
        Card(9, Effect.DESTRUCTION),
        Card(10, Effect.IMPASSABILITY),
    )
}
DEALT = 4
"""Cards that each sorcerer begins with; what is left over is hidden."""


@dataclass(frozen=True, slots=True)
class Deal:
    """Where the cards are at the start."""

    hands: Mapping[PowerId, tuple[int, ...]]
    hidden: Mapping[ProvinceId, tuple[int, ...]]


def deal(variant: BoardVariant, powers: Sequence[PowerId], homes: Collection[ProvinceId], dice: Dice) -> Deal:
    """Four cards to each of the powers, in seat order, and the last ones into neutral centres, one each.

    Source: rules 4.

    Args:
        homes: home centres besides those of the map.
    """
    cards = dice.shuffled("cards", tuple(CARDS))
    provinces = variant.board.provinces
    places = _hiding_places(variant, homes, dice)
    hands = {power: tuple(sorted(cards[index * DEALT : (index + 1) * DEALT])) for index, power in enumerate(powers)}
    left = cards[len(powers) * DEALT :]
    hidden = {place: (card,) for card, place in zip(left, places, strict=False)}
    return Deal(hands, {place: hidden[place] for place in provinces if place in hidden})


def hand(view: View) -> tuple[Card, ...]:
    """The cards that the viewer's sorcerer holds, ascending."""
    return tuple(CARDS[number] for number in view.state.hand(view.viewer))


def hide(state: State, places: Mapping[ProvinceId, int]) -> State:
    """The game master's choice where the cards lie that were set aside; any other card is passed over."""
    chosen = {place: card for place, card in places.items() if card in state.aside}
    hidden = dict(state.hidden)
    for place, card in chosen.items():
        hidden[place] = with_cards(hidden.get(place, ()), (card,))
    aside = tuple(card for card in state.aside if card not in chosen.values())
    ordered = {place: hidden[place] for place in state.variant.board.provinces if place in hidden}
    return replace(state, hidden=ordered, aside=aside)


def hide_as(state: State, other: State) -> State:
    """The same as far as these cards are hidden in another position, and where they are there."""
    free = open_hiding_places(state)
    return hide(state, {place: card for place in free for card in other.hidden.get(place, ()) if card in state.aside})


def hide_by_lot(state: State) -> State:
    """The same with whatever is still set aside in neutral centres that hide nothing yet, one each.

    Source: ruling Y31.
    """
    if not state.aside:
        return state
    places = _hiding_places(state.variant, _homes(state), Dice(state.seed).for_phase("deal"))
    free = [place for place in places if place in open_hiding_places(state)]
    return hide(state, dict(zip(free, state.aside, strict=False)))


def open_hiding_places(state: State) -> tuple[ProvinceId, ...]:
    """The neutral centres that hide nothing yet, in map order."""
    return tuple(centre for centre in _neutral(state.variant, _homes(state)) if centre not in state.hidden)


def _hiding_places(variant: BoardVariant, homes: Collection[ProvinceId], dice: Dice) -> tuple[ProvinceId, ...]:
    return dice.shuffled("hiding places", _neutral(variant, homes))


def _homes(state: State) -> frozenset[ProvinceId]:
    return frozenset(home for homes in state.new_homes.values() for home in homes)


def _neutral(variant: BoardVariant, homes: Collection[ProvinceId]) -> list[ProvinceId]:
    """The centres that are nobody's home, in map order. Ruling Y33."""
    provinces = variant.board.provinces
    return [centre for centre in variant.board.centres if provinces[centre].home is None and centre not in homes]


def with_cards(cards: Iterable[int], more: Iterable[int]) -> tuple[int, ...]:
    """Cards and further ones, ascending."""
    return tuple(sorted((*cards, *more)))
