"""The cards that are set aside where the game masters decide in which places they lie. Source: ruling Y31"""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.acts import SecretChoice
from engine.core.doors import Doubt
from engine.core.errors import DocumentError
from engine.core.ids import ProvinceId
from engine.core.orders import Choice
from engine.core.phrases import Phrase, phrase
from engine.young_kingdoms import cards
from engine.young_kingdoms.model import State


def _left(state: State) -> tuple[Phrase, ...]:
    if not state.aside:
        return (phrase("door.hide.all_hidden"),)
    return (phrase("door.hide.left", cards=_numbers(state), places=cards.open_hiding_places(state)),)


def _places(state: State) -> tuple[Choice, ...]:
    """By name, each with the code by which orders call it."""
    named = sorted((name, place) for place, name in _names(state).items())
    return tuple(Choice(name, f"{name} ({place})") for name, place in named)


def _names(state: State) -> Mapping[ProvinceId, str]:
    """Where a card may be hidden now, in map order."""
    spaces = state.variant.spaces
    return {place: spaces[place].name for place in cards.open_hiding_places(state)}


def _numbers(state: State) -> tuple[str, ...]:
    return tuple(map(str, state.aside))


def _choose(state: State, given: Mapping[str, str]) -> str | Doubt | None:
    """Without a number it is the first card that is still to be hidden; without a place none is."""
    written, names = given.get("place"), _names(state)
    if written is None:
        return None
    card = given.get("card", _numbers(state)[0])
    if card not in _numbers(state):
        return Doubt(phrase("door.hide.wrong_card", card=card, cards=_numbers(state)), "", ())
    for place, name in names.items():
        if written.strip().casefold() in (place.casefold(), name.casefold()):
            return f"{card} {place}"
    known = tuple(names.values())
    return Doubt(phrase("door.hide.wrong_place", place=written, places=known), written, known)


def _hide(state: State, text: str) -> State:
    card, place = _read(text)
    if card not in state.aside or place not in cards.open_hiding_places(state):
        raise DocumentError("act", "no such card waits to be hidden there")
    return cards.hide(state, {place: card})


def _read(text: str) -> tuple[int, ProvinceId]:
    """`7 JAD`: the card, and where it was hidden."""
    card, _, place = text.partition(" ")
    if not (card.isascii() and card.isdigit()) or not place:
        raise DocumentError("act", "it tells of no card and place")
    return int(card), ProvinceId(place)


def _in_words(code: str, text: str) -> Phrase:
    card, place = _read(text)
    return phrase(code, card=card, place=place)


HIDING: SecretChoice[State] = SecretChoice(
    is_open=lambda state: bool(state.aside),
    left=_left,
    completions={"place": _places},
    choose=_choose,
    make=_hide,
    confirmed=lambda text: _in_words("door.hide.hidden", text),
    told=lambda text: _in_words("door.hide.told", text),
    as_in=cards.hide_as,
)
