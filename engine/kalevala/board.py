"""The rulers and places of a position as a `Variant`, for code that needs names."""

from __future__ import annotations

from functools import lru_cache

from engine.core.ids import PowerId, ProvinceId
from engine.core.variant import Power, Space, Variant, load_variant
from engine.core.words import in_capitals
from engine.kalevala.coordinates import GfId, gf_of, order_of
from engine.kalevala.info import SYSTEM
from engine.kalevala.model import MARAUDER, State


def variant_of(state: State) -> Variant:
    """The rulers of a game in seat order, and the great fields that the position knows of."""
    places = {
        *state.land,
        *(gf_of(province) for province in state.owners),
        *(gf_of(province) for own in state.stacks.values() for province in own),
    }
    return _variant(state.variant, tuple(state.rulers), tuple(sorted(places, key=order_of)))


@lru_cache(maxsize=64)
def _variant(name: str, rulers: tuple[PowerId, ...], places: tuple[GfId, ...]) -> Variant:
    base = load_variant(SYSTEM, name)
    taken: set[str] = set()
    powers = {}
    for ruler in rulers:
        known = base.powers.get(ruler)
        letter = known.letter if known is not None and known.letter not in taken else _letter(ruler, taken)
        taken.add(letter)
        powers[ruler] = Power(ruler, in_capitals(ruler[0]) + ruler[1:].replace("_", " "), letter)
    return Variant(
        system=base.system,
        id=base.id,
        name=base.name,
        powers=powers,
        spaces={ProvinceId(place): Space(ProvinceId(place), place) for place in places},
        settings=base.settings,
        tables=base.tables,
    )


def others(state: State, ruler: PowerId | None) -> tuple[PowerId, ...]:
    """The other rulers with whom one can have dealings: everybody but the variant's own marauders. Source: rules 2.1"""
    wild = marauders_of(state.variant)
    return tuple(name for name in state.rulers if name != ruler and name not in wild)


def marauders_of(variant: str) -> tuple[PowerId, ...]:
    """The groups of marauders that a variant has; everybody may know their names. A game has the first of them."""
    settings = load_variant(SYSTEM, variant).settings
    named = (name for name, row in settings.get("rulers", {}).items() if row.get("kind") == MARAUDER)
    return tuple(map(PowerId, (*named, *settings.get("marauders", ()))))


def _letter(name: str, taken: set[str]) -> str:
    """A ruler's mark on a map: the initial, with another letter or a number where others have the same."""
    initial = in_capitals(name[0])
    tails = ("", *(letter for letter in name[1:] if letter.isalnum()), *map(str, range(2, len(taken) + 3)))
    return next(initial + tail for tail in tails if initial + tail not in taken)
