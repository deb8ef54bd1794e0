"""Lists every legal order of a power, by subject. Suggestions and the guided menu choose from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.provinces.classic import listing as classic
from engine.provinces.classic.model import Convoy, SupportMove, Unit
from engine.provinces.orders import Hold, Move, Retreat
from engine.provinces.phases import PhaseKind
from engine.young_kingdoms.battlefield import Battlefield
from engine.young_kingdoms.cards import CARDS, Effect
from engine.young_kingdoms.legality import find_flaw, placed_units, places_for
from engine.young_kingdoms.model import (
    SORCERER,
    CardOrder,
    CastAttack,
    CastHere,
    CastOnPlace,
    CastOnUnit,
    CastSelf,
    CastSupport,
    Give,
    Order,
    Place,
    Ride,
    ShareOrder,
    Unshare,
)
from engine.young_kingdoms.notation import subject


def list_orders(field: Battlefield, viewer: PowerId | None) -> Mapping[str, tuple[Order, ...]]:
    """All orders that a power may give, by subject: units in map order, then the sorcerer, spells, cards, shares."""
    state = field.game
    if viewer is None or state.over is not None:
        return {}
    found: dict[str, list[Order]] = {}
    for order in _candidates(field, viewer):
        if find_flaw(field, viewer, order) is None:
            found.setdefault(subject(order), []).append(order)
    return {key: tuple(dict.fromkeys(orders)) for key, orders in found.items()}


def _candidates(field: Battlefield, viewer: PowerId) -> Iterator[Order]:
    """Everything that may be legal."""
    match field.game.phase.kind:
        case PhaseKind.SETUP:
            for unit in placed_units(field, viewer):
                yield from (Place(unit.kind, at) for at in places_for(field, viewer))
            return
        case PhaseKind.RETREATS:
            yield from _diplomacys(field, viewer)
            row = field.driven_of.get(viewer)
            if row is not None:
                yield from (Retreat(SORCERER, row.unit.at, to) for to in row.retreats)
            return
        case PhaseKind.ADJUSTMENTS:
            yield from _diplomacys(field, viewer)
            return
    yield from _diplomacys(field, viewer)
    yield from _helpers(field, viewer)
    sorcerer = field.sorcerer_of.get(viewer)
    if sorcerer is not None:
        yield from _ways(field, sorcerer)
        for card in field.game.hand(viewer):
            yield from _casts(field, sorcerer, card)
    yield from _card_orders(field, viewer)
    yield from _shares(field, viewer)


def _diplomacys(field: Battlefield, viewer: PowerId) -> Iterable[Order]:
    for orders in classic.list_orders(field, viewer).values():
        yield from orders


def _helpers(field: Battlefield, viewer: PowerId) -> Iterator[Order]:
    """Supports of magical attacks, and convoys of sorcerers."""
    for unit in field.units_of(viewer):
        for here, sorcerers in field.sorcerers_at.items():
            of = sorcerers[0].at
            yield from (SupportMove(unit.kind, unit.at, SORCERER, of, PlaceId(to)) for to in field.near(of))
            if unit.kind == "F" and field.reach.is_sea(province_of(unit.at)):
                routes = field.routes(here)
                yield from (Convoy(unit.kind, unit.at, SORCERER, of, PlaceId(to)) for to in routes)


def _ways(field: Battlefield, sorcerer: Unit) -> Iterator[Order]:
    at, here = sorcerer.at, province_of(sorcerer.at)
    yield Hold(SORCERER, at)
    yield from (Move(SORCERER, at, PlaceId(to)) for to in field.walks[here])
    yield Ride(at)
    if not field.reach.is_sea(here):
        for to in field.routes(here):
            yield Move(SORCERER, at, PlaceId(to), via_convoy=True)


def _casts(field: Battlefield, sorcerer: Unit, card: int) -> Iterator[Order]:
    near = field.near(sorcerer.at)
    match CARDS[card].effect:
        case Effect.SUPPORT:
            yield CastSelf(card)
            yield from (CastSelf(card, PlaceId(to)) for to in near)
            for place in (province_of(sorcerer.at), *near):
                for unit in field.units_in(place):
                    if unit != sorcerer:
                        yield CastSupport(card, unit.kind, unit.at)
                        yield from (CastSupport(card, unit.kind, unit.at, to) for to in _goals(field, unit))
        case Effect.ATTACK:
            yield from (CastAttack(card, sorcerer.at, PlaceId(to)) for to in near)
        case Effect.CREATION | Effect.HORDES:
            yield CastHere(card)
        case Effect.DESTRUCTION:
            for place in near:
                yield from (CastOnUnit(card, unit.kind, unit.at) for unit in field.units_in(place))
        case Effect.IMPASSABILITY:
            yield from (CastOnPlace(card, PlaceId(to)) for to in near)


def _goals(field: Battlefield, unit: Unit) -> Iterable[PlaceId]:
    """Where a unit may be supported to."""
    if unit.kind == SORCERER:
        return map(PlaceId, field.near(unit.at))
    by_land = [PlaceId(place) for place in sorted(field.reach.places(unit.kind, unit.at))]
    by_sea = [] if unit.kind == "F" else [PlaceId(place) for place in field.routes(province_of(unit.at))]
    return dict.fromkeys([*by_land, *by_sea])


def _card_orders(field: Battlefield, viewer: PowerId) -> Iterator[Order]:
    for at in dict.fromkeys(one.at for one in field.game.carried):
        unit = field.unit_at.get(at)
        if unit is None or unit.power != viewer:
            continue
        yield from (CardOrder(verb, unit.kind, unit.at) for verb in ("carry", "dump", "destroy"))
        for place in (at, *field.near(unit.at)):
            for other in field.units_in(place):
                power = None if other.power == viewer else other.power
                yield Give(unit.kind, unit.at, power, other.kind, other.at)


def _shares(field: Battlefield, viewer: PowerId) -> Iterator[Order]:
    """Where the viewer and another power could come together this turn, one of them with its sorcerer."""
    mine = _within_reach(field, viewer)
    for power, sorcerer in field.sorcerer_of.items():
        its = {province_of(sorcerer.at), *field.near(sorcerer.at)}
        others = field.game.variant.powers if power == viewer else (power,)
        for other in others:
            if other != viewer:
                reach = _within_reach(field, other) if power == viewer else mine
                places = its & reach
                yield from (ShareOrder(at, other) for at in field.reach.board.provinces if at in places)
    yield from (Unshare(bond.at) for bond in field.game.bonds if viewer in bond.powers)


def _within_reach(field: Battlefield, power: PowerId) -> set[ProvinceId]:
    """Spaces where a power has a unit or can move one to over a border."""
    found: set[ProvinceId] = set()
    for unit in (*field.game.units, *field.game.sorcerers):
        if unit.power == power:
            near = field.near(unit.at) if unit.kind == SORCERER else field.reach.provinces(unit.kind, unit.at)
            found |= {province_of(unit.at), *near}
    return found
