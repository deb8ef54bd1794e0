"""Shards of another plane for a world that is played with planes: one for each realm, behind its own portal.

A shard is three great fields in the void: where the portal leads there is no trade centre, next to it there are a city
and a market of natives. All shards are worth the same; their terrain is random. Source: rules 14, R-038, ruling KA218
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import count

from engine.core.dice import Dice
from engine.core.ids import PowerId
from engine.kalevala.coordinates import Coordinate, GfId, format_gf, gf_of, neighbours_of, order_of
from engine.kalevala.model import GreatField, State, TradeCentre
from engine.lattice.great_fields import CELLS

PLANE = 1
"""The splinter plane. Source: rules part A"""
_APART, _IN_A_ROW = 4, 10
"""How many great fields a shard is from the next one, and how many shards are in a row."""
_GROUNDS = ("TTTt", "TTDD", "TTtS")
"""The terrain from which each of the three fields is drawn: all of it lowland, so that they are connected."""
_CENTRES = (None, "Std", "Mkt")
_MIDDLE = 19


def with_shards(start: State) -> State:
    """A starting position in which each realm has a site for a portal, and the shard behind it."""
    land = dict(start.land)
    dice = Dice(start.seed).for_phase("shards")
    for number, ruler in enumerate(_with_sites(start)):
        land |= shard_of(start.replace(land=land), dice, ruler, number)
    return start.replace(land=land)


def shard_of(state: State, dice: Dice, ruler: PowerId, number: int | None = None) -> Mapping[GfId, GreatField]:
    """The fields that give a realm a site for a portal, and the shard behind it; empty if it has no place for one.

    Args:
        number: the shard's; `None`: the first unused one.
    """
    site = _site(state, ruler)
    if site is None:
        return {}
    free = number if number is not None else next(each for each in count() if _names_of(each)[0] not in state.land)
    fields, land = _names_of(free), {}
    for gf, ground, code in zip(fields, _GROUNDS, _CENTRES, strict=True):
        letters = [dice.pick(f"{ruler}/{gf}/{cell}", ground) for cell in range(CELLS)]
        letters[_MIDDLE - 1] = "T"
        centre = None if code is None else TradeCentre(code, _MIDDLE, is_founded=False)
        land[gf] = GreatField(cells="".join(letters), centre=centre)
    land[fields[0]] = replace(land[fields[0]], portal=site)
    land[site] = replace(state.land[site], portal=fields[0])
    return land


def _with_sites(start: State) -> Iterator[PowerId]:
    return (ruler for ruler in start.rulers if _site(start, ruler) is not None)


def _site(state: State, ruler: PowerId) -> GfId | None:
    """The great field of a realm with its smallest trade centre that arms, where a mystic can be made."""
    homes = sorted({gf_of(place) for place in state.owned(ruler)}, key=order_of)
    armed = {gf: found.centre.arming for gf in homes if (found := state.land[gf].centre) is not None}
    able = [gf for gf in homes if armed.get(gf)]
    if state.rulers[ruler].capital is None or not able:
        return None
    return min(able, key=lambda gf: armed[gf])


def _names_of(number: int) -> tuple[GfId, GfId, GfId]:
    """Three great fields that touch each other, far from those of other shards."""
    row, place = divmod(number, _IN_A_ROW)
    first = format_gf(Coordinate(PLANE, _APART * place + 1, _APART * row + 1))
    return (first, *neighbours_of(first)[:2])  # type: ignore[return-value]
