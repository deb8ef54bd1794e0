"""What may be ordered with the units where they stand and the cards in hand, and why not.

Diplomacy's flaws (`engine.provinces.classic.legality`), and of this game:

    Flaw
    ├── of the set-up:    not_placed_by_you no_place_there
    ├── of the sorcerer:  no_sorcerer sorcerer_elsewhere sorcerer_supports_by_spell sorcerer_not_supported
    │                     sorcerer_stays_alive no_fleet_to_board no_fleet_to_ride not_by_convoy
    ├── of a spell:       no_such_card card_not_held card_form spell_over_sea spell_over_land out_of_reach spell_at_home
    │                     not_at_sea not_at_the_edge sorcerer_in_company
    ├── of a share:       share_with_oneself nobody_to_share no_share
    ├── of a card order:  carries_none dump_at_sea give_to_power give_to_itself
    └── of a horde:       horde_stays horde_supports_hordes horde_masterless
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.core.phrases import phrase
from engine.provinces.board import Terrain
from engine.provinces.classic import legality as classic
from engine.provinces.classic.legality import move_flaw
from engine.provinces.classic.model import Convoy, SupportHold, SupportMove, Unit
from engine.provinces.flaws import Flaw, OrderPart
from engine.provinces.orders import Build, Disband, Hold, Move, Remove, Retreat, Waive
from engine.provinces.phases import PhaseKind
from engine.young_kingdoms.battlefield import Battlefield
from engine.young_kingdoms.cards import CARDS, CardSpaces, Effect
from engine.young_kingdoms.model import (
    CASTS,
    SORCERER,
    CardOrder,
    Cast,
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

_ORDERS_OF: Mapping[PhaseKind, frozenset[type]] = {
    PhaseKind.SETUP: frozenset({Place}),
    PhaseKind.MOVEMENT: frozenset(
        {Hold, Move, SupportHold, SupportMove, Convoy, Ride, *CASTS, ShareOrder, Unshare, CardOrder, Give}
    ),
    PhaseKind.RETREATS: frozenset({Retreat, Disband}),
    PhaseKind.ADJUSTMENTS: frozenset({Build, Remove, Waive}),
}


def find_flaw(field: Battlefield, viewer: PowerId, order: Order) -> Flaw | None:
    """Why a power may not give an order now, other orders aside; `None` if it may."""
    kind = field.game.phase.kind
    if type(order) not in _ORDERS_OF[kind]:
        return Flaw("wrong_phase", OrderPart.VERB, {"wants": phrase(f"error.wants.{kind}")})
    if isinstance(order, CASTS):
        return _cast_flaw(field, viewer, order)
    match order:
        case Place():
            return _place_flaw(field, viewer, order)
        case ShareOrder() | Unshare():
            return _share_flaw(field, viewer, order)
        case CardOrder() | Give():
            return _card_flaw(field, viewer, order)
        case Ride():
            return _sorcerer_flaw(field, viewer, order.at) or _ride_flaw(field, order)
        case Build() | Remove() if order.kind == SORCERER:
            return Flaw("sorcerer_not_built", OrderPart.UNIT, {})
        case Retreat() | Disband() if order.kind == SORCERER:
            return _retreat_flaw(field, viewer, order)
        case Hold() | Move() | SupportHold() | SupportMove() | Convoy() if order.kind == SORCERER:
            return _sorcerer_flaw(field, viewer, order.at) or _way_flaw(field, order)
        case SupportHold() | SupportMove() | Convoy() if order.of_kind == SORCERER:
            return _own_flaw(field, viewer, order) or _horde_flaw(field, viewer, order) or _help_flaw(field, order)
        case _:
            assert not isinstance(order, Ride | Place | ShareOrder | Unshare | CardOrder | Give)
            return (
                classic.find_flaw(field, viewer, order)
                or _horde_flaw(field, viewer, order)
                or _build_flaw(field, viewer, order)
            )


# The set-up


def places_for(field: Battlefield, power: PowerId) -> tuple[PlaceId, ...]:
    """Where a power may begin: its home, or the seas that the variant names; nothing for those who don't choose.

    Source: ruling Y1.
    """
    seas = field.game.variant.settings["placing"].get(power, ())
    return tuple(map(PlaceId, (*field.reach.board.homes(power)[:1], *seas))) if seas else ()


def placed_units(field: Battlefield, power: PowerId) -> tuple[Unit, ...]:
    """The units that a power places: those at its home; what it has elsewhere begins there."""
    home = places_for(field, power)[:1]
    units = (*field.game.units, *field.game.sorcerers)
    return tuple(unit for unit in units if unit.power == power and unit.at in home)


def _place_flaw(field: Battlefield, viewer: PowerId, order: Place) -> Flaw | None:
    if order.kind not in {unit.kind for unit in placed_units(field, viewer)}:
        return Flaw("not_placed_by_you", OrderPart.UNIT, {})
    places = places_for(field, viewer)
    if order.at not in places:
        return Flaw("no_place_there", OrderPart.TO, {"place": order.at, "places": places})
    return None


# The sorcerer's ways


def _sorcerer_flaw(field: Battlefield, viewer: PowerId, at: PlaceId) -> Flaw | None:
    own = field.sorcerer_of.get(viewer)
    if own is None:
        other = field.find_unit(SORCERER, at)
        if other is not None:
            return Flaw("not_your_unit", OrderPart.UNIT, {"unit": f"{SORCERER} {at}", "power": other.power})
        return Flaw("no_sorcerer", OrderPart.UNIT, {})
    if province_of(own.at) != province_of(at):
        return Flaw("sorcerer_elsewhere", OrderPart.UNIT, {"place": province_of(at), "at": own.at})
    return None


def _way_flaw(field: Battlefield, order: Hold | Move | SupportHold | SupportMove | Convoy) -> Flaw | None:
    """Why a sorcerer can't go that way; it never supports or convoys but by spells.

    Source: rules 3.1, 3.6, 3.8; ruling Y10.
    """
    if isinstance(order, Hold):
        return None
    if isinstance(order, SupportHold | SupportMove | Convoy):
        return Flaw("sorcerer_supports_by_spell", OrderPart.VERB, {"unit": f"{SORCERER} {order.at}"})
    unit, here, there = f"{SORCERER} {order.at}", province_of(order.at), province_of(order.to)
    if here == there:
        return Flaw("move_to_itself", OrderPart.TO, {"unit": unit})
    if not order.via_convoy and there in field.walks[here]:
        if field.reach.is_sea(there) and not _has_fleet(field, there):
            return Flaw("no_fleet_to_board", OrderPart.TO, {"unit": unit, "place": there})
        return None
    if not field.reach.is_sea(there) and not field.reach.is_sea(here):
        if there in field.routes(here):
            return None
        if there in field.reach.routes(-1, here):
            return Flaw("no_convoy_route", OrderPart.TO, {"unit": unit, "place": there})
    if there in field.walks[here]:
        return Flaw("not_by_convoy", OrderPart.TO, {"unit": unit, "place": there})
    return Flaw("not_adjacent", OrderPart.TO, {"unit": unit, "place": there, "near": field.walks[here]})


def _has_fleet(field: Battlefield, place: ProvinceId) -> bool:
    return place in field.unit_at and field.unit_at[place].kind == "F"


def _ride_flaw(field: Battlefield, order: Ride) -> Flaw | None:
    if not _has_fleet(field, province_of(order.at)):
        return Flaw("no_fleet_to_ride", OrderPart.OF, {"unit": f"{SORCERER} {order.at}", "place": order.at})
    return None


def _retreat_flaw(field: Battlefield, viewer: PowerId, order: Retreat | Disband) -> Flaw | None:
    """Why a sorcerer can't retreat that way; it does not disband. Source: rules 3.10; ruling Y13."""
    row = field.driven_of.get(viewer)
    if row is None or province_of(row.unit.at) != province_of(order.at):
        own = tuple(f"{unit.kind} {unit.at}" for unit in field.units_of(viewer))
        return Flaw("no_unit_there", OrderPart.UNIT, {"place": province_of(order.at), "units": own})
    unit = f"{SORCERER} {order.at}"
    if isinstance(order, Disband):
        return Flaw("sorcerer_stays_alive", OrderPart.VERB, {"unit": unit, "retreats": row.retreats})
    if order.to not in row.retreats:
        return Flaw("no_retreat_there", OrderPart.TO, {"unit": unit, "place": order.to, "retreats": row.retreats})
    return None


# Ordinary units that help a sorcerer


def _own_flaw(field: Battlefield, viewer: PowerId, order: SupportHold | SupportMove | Convoy) -> Flaw | None:
    unit = field.unit_at.get(province_of(order.at))
    if unit is None:
        own = tuple(f"{unit.kind} {unit.at}" for unit in field.units_of(viewer))
        return Flaw("no_unit_there", OrderPart.UNIT, {"place": province_of(order.at), "units": own})
    if unit.power != viewer:
        return Flaw("not_your_unit", OrderPart.UNIT, {"unit": f"{unit.kind} {unit.at}", "power": unit.power})
    return None


def _help_flaw(field: Battlefield, order: SupportHold | SupportMove | Convoy) -> Flaw | None:
    """Why an ordinary unit can't help a sorcerer: with support only in a move, which must be an attack by magic.

    Source: rules 3.1, 4.3.
    """
    unit, here, of = f"{order.kind} {order.at}", province_of(order.at), province_of(order.of)
    if isinstance(order, SupportHold):
        return Flaw("sorcerer_not_supported", OrderPart.OF, {"unit": f"{SORCERER} {of}"})
    if of not in field.sorcerers_at:
        return Flaw("no_sorcerer_there", OrderPart.OF, {"place": of})
    there = province_of(order.to)
    if isinstance(order, SupportMove):
        if there == here:
            return Flaw("support_at_home", OrderPart.TO, {"unit": unit})
        near = field.reach.provinces_sorted(order.kind, order.at)
        if there not in near:
            return classic.no_support_there(unit, there, near, OrderPart.TO)
        if there not in field.near(order.of):
            args = {"unit": f"{SORCERER} {of}", "place": there, "near": field.near(order.of)}
            return Flaw("not_adjacent", OrderPart.TO, args)
        return None
    if order.kind != "F":
        return Flaw("convoy_by_army", OrderPart.VERB, {"unit": unit})
    if not field.reach.is_sea(here):
        return Flaw("convoy_at_coast", OrderPart.VERB, {"unit": unit})
    routes = field.routes(of).get(there)
    if routes is None:
        return Flaw("no_convoy_route", OrderPart.TO, {"unit": f"{SORCERER} {of}", "place": there})
    if not field.reach.is_among(here, routes.some):
        return Flaw("convoy_not_needed", OrderPart.VERB, {"unit": unit, "army": f"{SORCERER} {of}", "place": there})
    return None


def _horde_flaw(field: Battlefield, viewer: PowerId, order: Order) -> Flaw | None:
    """Why a horde can't be ordered so. Source: rules 4.5; ruling Y19."""
    if not isinstance(order, Hold | Move | SupportHold | SupportMove | Convoy):
        return None
    here = province_of(order.at)
    if here not in field.game.hordes:
        return None
    unit = f"{order.kind} {order.at}"
    if not field.game.has_sorcerer(viewer) and not isinstance(order, Hold):
        return Flaw("horde_masterless", OrderPart.VERB, {"unit": unit})
    if isinstance(order, Move) and field.reach.board.provinces[here].is_centre:
        return Flaw("horde_stays", OrderPart.VERB, {"unit": unit, "place": here})
    if isinstance(order, SupportHold | SupportMove):
        of = province_of(order.of)
        helped = field.unit_at.get(of)
        if order.of_kind == SORCERER or helped is None or of not in field.game.hordes or helped.power != viewer:
            return Flaw("horde_supports_hordes", OrderPart.OF, {"unit": unit})
    return None


def _build_flaw(field: Battlefield, viewer: PowerId, order: Order) -> Flaw | None:
    """A foreign sorcerer in a home centre bars a build there. Source: ruling Y15."""
    if not isinstance(order, Build) or province_of(order.at) in field.building_sites(viewer):
        return None
    sites = field.building_sites(viewer)
    reason = phrase("error.site.sorcerer", place=province_of(order.at))
    code = "no_build_there" if sites else "no_room_to_build"
    return Flaw(code, OrderPart.UNIT, {"place": province_of(order.at), "why": reason, "sites": sites})


# Spells


def _cast_flaw(field: Battlefield, viewer: PowerId, order: Cast) -> Flaw | None:
    sorcerer = field.sorcerer_of.get(viewer)
    if sorcerer is None:
        return Flaw("no_sorcerer", OrderPart.VERB, {})
    if order.card not in CARDS:
        return Flaw("no_such_card", OrderPart.VERB, {"card": order.card})
    hand = field.game.hand(viewer)
    if order.card not in hand:
        args = {"card": order.card, "cards": tuple(map(str, hand)), "count": len(hand)}
        return Flaw("card_not_held" if hand else "no_cards", OrderPart.VERB, args)
    effect = CARDS[order.card].effect
    if not isinstance(order, _FORMS[effect]):
        form = phrase(f"card.form.{effect}", card=order.card)
        return Flaw("card_form", OrderPart.VERB, {"card": order.card, "form": form})
    match order:
        case CastAttack(_, at, to):
            if province_of(at) != province_of(sorcerer.at):
                return Flaw("sorcerer_elsewhere", OrderPart.UNIT, {"place": at, "at": sorcerer.at})
            return _reach_flaw(field, sorcerer, to) or _over_flaw(field, order.card, to)
        case CastSelf(_, to):
            flaw = _reach_flaw(field, sorcerer, to) if to is not None else None
            return flaw or _over_flaw(field, order.card, to or sorcerer.at)
        case CastSupport():
            return _cast_support_flaw(field, viewer, sorcerer, order)
        case CastOnUnit():
            return _destruction_flaw(field, sorcerer, order)
        case CastOnPlace(_, to):
            return _reach_flaw(field, sorcerer, to)
        case CastHere():
            return _here_flaw(field, sorcerer, effect)


_FORMS: Mapping[Effect, type | tuple[type, ...]] = {
    Effect.SUPPORT: (CastSupport, CastSelf),
    Effect.ATTACK: CastAttack,
    Effect.CREATION: CastHere,
    Effect.HORDES: CastHere,
    Effect.DESTRUCTION: CastOnUnit,
    Effect.IMPASSABILITY: CastOnPlace,
}


def _reach_flaw(field: Battlefield, sorcerer: Unit, to: PlaceId) -> Flaw | None:
    near = field.near(sorcerer.at)
    if province_of(to) in near:
        return None
    if province_of(to) == province_of(sorcerer.at):
        return Flaw("spell_at_home", OrderPart.TO, {"place": to, "near": near})
    return Flaw("out_of_reach", OrderPart.TO, {"place": to, "at": sorcerer.at, "near": near})


def _over_flaw(field: Battlefield, card: int, target: PlaceId) -> Flaw | None:
    """Why a card can't be about this space: it is for the other kind. Source: rules 4.8; ruling Y23."""
    over, is_sea = CARDS[card].over, field.reach.is_sea(province_of(target))
    if over is CardSpaces.SEA and not is_sea:
        return Flaw("spell_over_sea", OrderPart.TO, {"card": card, "place": target})
    if over is CardSpaces.LAND and is_sea:
        return Flaw("spell_over_land", OrderPart.TO, {"card": card, "place": target})
    return None


def _cast_support_flaw(field: Battlefield, viewer: PowerId, sorcerer: Unit, order: CastSupport) -> Flaw | None:
    """Why a spell can't support this: the unit is too far from the caster, or can't go there itself.

    Source: rules 4.2; ruling Y16.
    """
    of = province_of(order.of)
    helped = field.find_unit(order.of_kind, order.of)
    if order.of_kind == SORCERER:
        helped = next((unit for unit in field.sorcerers_at.get(of, ()) if unit.power != viewer), None)
    if helped is None:
        return Flaw("no_such_unit", OrderPart.OF, {"unit": f"{order.of_kind} {of}"})
    if of != province_of(sorcerer.at) and of not in field.near(sorcerer.at):
        return Flaw("out_of_reach", OrderPart.OF, {"place": of, "at": sorcerer.at, "near": field.near(sorcerer.at)})
    if order.to is None:
        return _over_flaw(field, order.card, order.of)
    unit = f"{order.of_kind} {of}"
    if order.of_kind == SORCERER:
        if province_of(order.to) not in field.near(order.of):
            return Flaw("not_adjacent", OrderPart.TO, {"unit": unit, "place": order.to, "near": field.near(order.of)})
    else:
        flaw = move_flaw(field, Move(helped.kind, helped.at, order.to))
        if flaw is not None:
            args = {"unit": unit, "place": order.to, "why": phrase(f"error.{flaw.code}", **flaw.args)}
            return Flaw("impossible_to_support", OrderPart.TO, args)
    return _over_flaw(field, order.card, order.to)


def _destruction_flaw(field: Battlefield, sorcerer: Unit, order: CastOnUnit) -> Flaw | None:
    """Why a spell can't destroy this: it is too far away, or a sorcerer in company. Source: rules 4.6."""
    of = province_of(order.of)
    flaw = _reach_flaw(field, sorcerer, order.of)
    if flaw is not None:
        return Flaw(flaw.code, OrderPart.OF, flaw.args)
    if field.find_unit(order.of_kind, order.of) is None:
        return Flaw("no_such_unit", OrderPart.OF, {"unit": f"{order.of_kind} {of}"})
    if order.of_kind == SORCERER and len(field.units_in(of)) > 1:
        return Flaw("sorcerer_in_company", OrderPart.OF, {"unit": f"{SORCERER} {of}"})
    return None


def _here_flaw(field: Battlefield, sorcerer: Unit, effect: Effect) -> Flaw | None:
    """Why a spell that works where the caster stands can't be cast there. Source: rules 4.4, 4.5."""
    here = province_of(sorcerer.at)
    if effect is Effect.CREATION and field.reach.is_sea(here):
        return Flaw("not_at_sea", OrderPart.VERB, {"place": here})
    edge: tuple[str, ...] = tuple(field.game.variant.settings["world_edge"])
    if effect is Effect.HORDES and here not in edge:
        return Flaw("not_at_the_edge", OrderPart.VERB, {"place": here, "places": edge})
    return None


# Sharing, and cards that units carry


def _share_flaw(field: Battlefield, viewer: PowerId, order: ShareOrder | Unshare) -> Flaw | None:
    """Why a space can't be shared so, or a share ended. Source: rules 3.5."""
    if isinstance(order, Unshare):
        bonds = [bond for bond in field.game.bonds if bond.at == order.at and viewer in bond.powers]
        return None if bonds else Flaw("no_share", OrderPart.TO, {"place": order.at})
    if order.power == viewer:
        return Flaw("share_with_oneself", OrderPart.TO, {})
    if viewer not in field.sorcerer_of and order.power not in field.sorcerer_of:
        return Flaw("nobody_to_share", OrderPart.TO, {"power": order.power})
    return None


def _card_flaw(field: Battlefield, viewer: PowerId, order: CardOrder | Give) -> Flaw | None:
    here = province_of(order.at)
    unit = field.unit_at.get(here)
    own = tuple(f"{one.kind} {one.at}" for one in field.units_of(viewer))
    if unit is None or unit.power != viewer:
        return Flaw("no_unit_there", OrderPart.UNIT, {"place": here, "units": own})
    if unit.kind != order.kind:
        return Flaw("no_such_unit", OrderPart.UNIT, {"unit": f"{order.kind} {here}"})
    if not any(one.at == here for one in field.game.carried):
        return Flaw("carries_none", OrderPart.UNIT, {"unit": f"{unit.kind} {unit.at}"})
    if isinstance(order, CardOrder):
        if order.verb == "dump" and field.reach.board.provinces[here].terrain is Terrain.SEA:
            return Flaw("dump_at_sea", OrderPart.VERB, {"unit": f"{unit.kind} {unit.at}"})
        return None
    of = province_of(order.of)
    receiver = field.find_unit(order.of_kind, order.of, order.power or viewer)
    if receiver is None:
        other = field.find_unit(order.of_kind, order.of)
        if other is not None:
            return Flaw("give_to_power", OrderPart.OF, {"unit": f"{order.of_kind} {of}", "power": other.power})
        return Flaw("no_such_unit", OrderPart.OF, {"unit": f"{order.of_kind} {of}"})
    if receiver == unit:
        return Flaw("give_to_itself", OrderPart.OF, {"unit": f"{unit.kind} {unit.at}"})
    if of != here and of not in field.near(order.at):
        return Flaw("out_of_reach", OrderPart.OF, {"place": of, "at": here, "near": field.near(order.at)})
    return None
