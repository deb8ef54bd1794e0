"""Free land for rulers who enter a running game: where there is room for a realm, and what it is given there.

Source: rules 4.3, R-095, ruling KA226
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.core.dice import Dice
from engine.core.variant import load_variant
from engine.kalevala.coordinates import USUAL_PLANE, GfId, Province, coordinate_of, gf_of, neighbours_of, order_of
from engine.kalevala.figures import Figures, parse_figures
from engine.kalevala.info import SYSTEM, WORLD
from engine.kalevala.invaders import ARMY, FARTHEST, LEAST_LAND
from engine.kalevala.land import land_of
from engine.kalevala.model import ORDERS_PART, GreatField, Ruler, State, TradeCentre
from engine.kalevala.tables import CLASS_PRICE
from engine.kalevala.world.centres import site_of
from engine.kalevala.world.start import HOME_CENTRES, stationed, with_tower

LEAST, MOST = 5, 7
"""The size of an allotted realm in great fields: at least one for each of its trade centres. Source: rules R-095"""


def has_room(state: State) -> bool:
    """Whether there is land for a realm."""
    room = _Room(state)
    return any(len(room.home(gf)) >= LEAST for gf in room.free)


def find_home(state: State, dice: Dice, stream: str) -> tuple[Province, ...]:
    """The provinces of a realm on natives' land, the capital first; empty where there is no room.

    There are as many as possible, up to seven, all next to the capital over land. Of the places with most land, one as
    far from others as possible is taken, where three great fields are far enough; lots decide between equals.
    Ruling KA226
    """
    room = _Room(state)
    homes = [home for gf in room.free if len(home := room.home(gf)) >= LEAST]
    if not homes:
        return ()
    gaps = room.gaps()

    def worth(home: Sequence[Province]) -> tuple[int, int]:
        return len(home), min(gaps.get(gf_of(place), FARTHEST) for place in home)

    best = max(map(worth, homes))
    return dice.pick(stream, [home for home in homes if worth(home) == best])


def home_around(state: State, capital: Province) -> tuple[Province, ...]:
    """The provinces of a realm with a capital there; empty if none is possible."""
    room = _Room(state)
    gf = gf_of(capital)
    return room.home(gf) if capital == Province(gf) and gf in room.free else ()


class _Room:
    """The land that may be allotted: whole great fields of natives where nobody is, nor was a moment ago.

    Args:
        free: in the order of the coordinates.
    """

    def __init__(self, state: State) -> None:
        self._state = state
        self._land = land_of(state)
        taken = {
            *state.owners,
            *state.contested,
            *(place for own in state.stacks.values() for place in own),
        }
        if state.part == ORDERS_PART:  # a ruler who scouted land in this window probably means to enter it in the next
            taken |= {row.target for rows in state.explored.values() for row in rows}
        self._held = taken
        self.free = [gf for gf in sorted(state.land, key=order_of) if self._is_free(gf, taken)]
        self._free = set(map(Province, self.free))

    def _is_free(self, gf: GfId, taken: Collection[Province]) -> bool:
        place, land = Province(gf), self._land
        if coordinate_of(gf).plane != USUAL_PLANE or land.provinces(gf) != (place,) or place in taken:
            return False
        return not land.is_sea(place) and len(land.cells(place)) >= LEAST_LAND and land.field(gf).portal is None

    def home(self, gf: GfId) -> tuple[Province, ...]:
        """A capital there, with what is free next to it over land."""
        capital = Province(gf)
        ring = sorted((place for place in self._land.links(capital) if place in self._free), key=order_of)
        return (capital, *ring[: MOST - 1])

    def gaps(self) -> Mapping[GfId, int]:
        """The distance of each field from land or figures of others, in great fields, up to what counts."""
        found = {gf_of(place): 0 for place in self._held}
        frontier = list(found)
        for gap in range(1, FARTHEST):
            beside = {gf for here in frontier for gf in neighbours_of(here) if gf not in found}
            found |= dict.fromkeys(beside, gap)
            frontier = list(beside)
        return found


@dataclass(frozen=True, slots=True)
class Allotted:
    """An allotted realm: its great fields as they are from then on, and who and what is where."""

    fields: Mapping[GfId, GreatField]
    stacks: Mapping[Province, Figures]


def allotted(state: State, dice: Dice, stream: str, own: Ruler, home: Sequence[Province]) -> Allotted:
    """Make a realm like those at the start of a game on this land; what natives had there is removed. Source: R-095"""
    land = land_of(state)
    fields = {gf_of(place): replace(land.field(gf_of(place)), centre=None) for place in home}
    ring = dice.shuffled(f"{stream}/ring", home[1:])
    codes = dict(zip((home[0], *ring), ("Hstd", *HOME_CENTRES), strict=False))
    for place, code in codes.items():
        gf, cell = gf_of(place), site_of(land, gf_of(place))[1]
        field = replace(fields[gf], centre=TradeCentre(code, cell))
        fields[gf] = with_tower(field, cell) if code == "Hstd" else field
    texts = stationed(_army(own), _stock(own), home[0], ring)
    return Allotted(fields, {place: parse_figures(text) or {} for place, text in texts.items()})


def _army(own: Ruler) -> Mapping[str, object]:
    """Core troops for 80 RE, a third of them archers, as at the start of a world."""
    count = ARMY // CLASS_PRICE[own.rank]
    bows = count // 3
    figures = Counter({own.core: count - bows, f"B{own.core[1:]}": bows})
    return {"figures": figures, "rest": ARMY - count * CLASS_PRICE[own.rank]}


def _stock(own: Ruler) -> str:
    """Culture goods for 8 RE, if realms of this world have some."""
    kinds: Iterator[str] = (
        row["stock"] for row in load_variant(SYSTEM, WORLD).settings["goods"] if row["kinds"] == list(own.goods)
    )
    return next(kinds, "")
