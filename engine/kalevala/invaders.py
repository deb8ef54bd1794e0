"""Invaders: rulers who begin without land, with a fleet on the sea or a horde at the edge of the map.

Source: rules 4.3, 4.4, R-096, ruling KA208
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from engine.core.dice import Dice
from engine.core.ids import PowerId
from engine.kalevala.coordinates import Coordinate, Province, coordinate_of, gf_of, neighbours_of, order_of
from engine.kalevala.figures import MONEY, Figures, format_figures
from engine.kalevala.info import BY_TURNS, FLEETS
from engine.kalevala.land import Land, land_of
from engine.kalevala.model import INVADER, GreatField, Ruler, State, Wizard
from engine.kalevala.modules import has_module
from engine.kalevala.sea import waters
from engine.kalevala.tables import CLASS_PRICE
from engine.lattice.hexes import distance

FLEET, HORSES, STORE, SHIELDED = 8, 40, 40, 2
"""Longships of pirates, light horses of nomads, their RE, and their great rounds of protection. Source: rules R-096"""
FARTHEST = 3
"""How many great fields they are from the realms, if there is room. Source: rules R-096"""
ARMY = 80
"""What their core troops are worth. Source: rules R-096"""
LEAST_LAND = 12
"""How many small fields of land a horde needs. Source: rules R-094"""
_WIZARD = "Z/30"


def with_invaders(start: State, count: int, hosts: str = BY_TURNS) -> State:
    """A starting position in which the last rulers are invaders, with what `hosts` says, as far as there is room.

    At least one ruler keeps a realm. What would have been an invader's realm is natives' land. Ruling KA208
    """
    realms = [ruler for ruler, own in start.rulers.items() if own.is_played]
    chosen = realms[max(1, len(realms) - count) :]
    owners = {place: owner for place, owner in start.owners.items() if owner not in chosen}
    left = {gf_of(place) for place, owner in start.owners.items() if owner in chosen}
    land = {gf: of_natives(field) if gf in left else field for gf, field in start.land.items()}
    state = start.replace(
        owners=owners,
        land=land,
        stacks={ruler: own for ruler, own in start.stacks.items() if ruler not in chosen},
    )
    dice = Dice(start.seed).for_phase("invaders")
    for number, ruler in enumerate(chosen):
        is_fleet = hosts == FLEETS or (hosts == BY_TURNS and number % 2 == 0)
        place = _rim_place(state, dice, ruler, at_sea=is_fleet and has_module(start, "sea"))
        if place is not None:
            state = _begun(state, ruler, place)
    return state


def of_natives(field: GreatField) -> GreatField:
    """A great field without a ruler: its trade centre becomes a site, and its works are removed."""
    centre = field.centre
    return replace(field, centre=None if centre is None else replace(centre, is_founded=False), works=())


def _begun(state: State, ruler: PowerId, place: Province) -> State:
    """The position with an invader added in a place."""
    own = newcomer(state.rulers[ruler], state.gr)
    is_sea = land_of(state).is_sea(place)
    seas = {**state.modules.get("seas", {}), ruler: [place]} if is_sea else state.modules.get("seas", {})
    return state.replace(
        known={**state.known, ruler: frozenset({*state.known.get(ruler, ()), place})},
        rulers={**state.rulers, ruler: own},
        stacks={**state.stacks, ruler: {place: host(own.core, is_fleet=is_sea)}},
        modules={**state.modules, "seas": seas} if seas else state.modules,
    )


def newcomer(own: Ruler, gr: int) -> Ruler:
    """A ruler who begins as an invader in a great round."""
    wizard = own.wizard or Wizard()
    return replace(own, kind=INVADER, capital=None, king=None, protected=gr + SHIELDED - 1, nmr=0, wizard=wizard)


def host(core: str, *, is_fleet: bool) -> Figures:
    """A fleet or a horde: core troops for 80 RE, a third of them bows, a wizard, and what they carry. Rules R-096"""
    rank = core[1:] or "A"
    count = ARMY // CLASS_PRICE[rank]
    store = STORE + ARMY - count * CLASS_PRICE[rank]
    bows = count // 3
    crew = [core] * (count - bows) + [f"B{core[1:]}"] * bows
    if not is_fleet:
        return {core: count - bows, f"B{core[1:]}": bows, "IP": HORSES, MONEY: store, _WIZARD: 1}
    everything = [*crew, *[MONEY] * store]
    ships = (f"LS[{format_figures(Counter(everything[number::FLEET]))}]" for number in range(FLEET))
    return dict(Counter([*ships, _WIZARD]))


def find_place(state: State, dice: Dice, stream: str, *, at_sea: bool) -> Province | None:
    """Where a fleet or a horde begins: at the edge of the map, drawn from the places farthest from others' land.

    Three great fields are far enough. Source: rules R-096, ruling KA208
    """
    return _drawn(state, dice, stream, [place for place in rim_places(state) if land_of(state).is_sea(place) == at_sea])


def rim_places(state: State) -> list[Province]:
    """Open sea that leads to some shore, and empty land without a trade centre, at the edge of the map."""
    land = land_of(state)
    held = _held(state)
    rim = [gf for gf in state.land if any(not land.exists(other) for other in neighbours_of(gf))]
    places = [place for gf in sorted(rim, key=order_of) for place in land.provinces(gf) if place not in held]
    empty = [place for place in places if is_empty(land, place)]
    return [place for place in empty if not land.is_sea(place) or _leads_ashore(land, place)]


def _rim_place(state: State, dice: Dice, ruler: PowerId, *, at_sea: bool) -> Province | None:
    """The same; if there is no such sea, or no such land, at the edge, the other is used. Ruling KA208"""
    fit, land = rim_places(state), land_of(state)
    wanted = [place for place in fit if land.is_sea(place) == at_sea] or fit
    return _drawn(state, dice, f"place/{ruler}", wanted)


def _drawn(state: State, dice: Dice, stream: str, places: Sequence[Province]) -> Province | None:
    away = {place: min(FARTHEST, _distance(place, _held(state))) for place in places}
    best = [place for place in places if away[place] == max(away.values())]
    return dice.pick(stream, best) if best else None


def _held(state: State) -> set[Province]:
    return {*state.owners, *(place for own in state.stacks.values() for place in own)}


def is_empty(land: Land, place: Province) -> bool:
    """Whether a fleet or a horde can begin in a place: open sea, or land without a trade centre."""
    return land.is_sea(place) or (len(land.cells(place)) >= LEAST_LAND and land.centre(place) is None)


def _leads_ashore(land: Land, sea: Province) -> bool:
    """Whether a fleet can reach any shore from a sea."""
    found, frontier = {sea}, [sea]
    while frontier:
        here = frontier.pop()
        for gf in neighbours_of(gf_of(here)):
            for place in land.provinces(gf) if land.exists(gf) else ():
                if place not in found and waters.is_sailed(land, here, place):
                    if not land.is_sea(place):
                        return True
                    found.add(place)
                    frontier.append(place)
    return False


def _distance(place: Province, held: Collection[Province]) -> int:
    """How many great fields a place is from the nearest place of another ruler."""

    def steps(one: Coordinate, other: Coordinate) -> int:
        return distance((one.u, one.v), (other.u, other.v))

    here = coordinate_of(place)
    others: Iterable[Coordinate] = (coordinate_of(each) for each in held)
    return min((steps(here, other) for other in others if other.plane == here.plane), default=FARTHEST)
