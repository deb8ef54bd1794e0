"""Steps (a) and (b) of a turn: orders accepted, shares ended, cards dumped and destroyed, and spells 9, 10, 7, 8.

adjudicate → turn → magic → battle → ways → closing
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.provinces.board import Terrain
from engine.provinces.classic.model import Manoeuvre, Unit
from engine.provinces.orders import Hold, Move
from engine.young_kingdoms.battlefield import Battlefield, field_of
from engine.young_kingdoms.cards import CARDS, Effect
from engine.young_kingdoms.legality import find_flaw
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
    Fortress,
    Order,
    Ride,
    ShareOrder,
    State,
    Unshare,
)
from engine.young_kingdoms.notation import excludes, format_order

Sheets = Mapping[PowerId, Sequence[Order]]
Way = Hold | Move | Ride


@dataclass(slots=True)
class Turn:
    """A turn on its way: what was ordered, and what has changed so far. Each step takes it a bit further.

    Args:
        ordinary: orders of armies and fleets by power.
        ways: of the sorcerers.
        units: the ordinary units on the board, by province; `hordes` are among them.
        sorcerers: those that no spell destroyed.
        bonds: who may be in a space together: by province, pairs of powers.
        ended: spaces whose sharing a power ended.
        lost: units that spell 9 destroyed, the dead sorcerer among them.
        barred: spaces that nobody enters or leaves.
        fresh: provinces where a horde has just appeared.
        without_refuge: powers whose sorcerer was displaced with nowhere to go, and died.
    """

    state: State
    ground: Battlefield
    sheets: dict[PowerId, list[Order]] = field(default_factory=dict)
    ordinary: dict[PowerId, list[Manoeuvre]] = field(default_factory=dict)
    ways: dict[PowerId, Way] = field(default_factory=dict)
    casts: dict[PowerId, Cast] = field(default_factory=dict)
    units: dict[ProvinceId, Unit] = field(default_factory=dict)
    sorcerers: dict[PowerId, Unit] = field(default_factory=dict)
    hordes: set[ProvinceId] = field(default_factory=set)
    bonds: set[tuple[ProvinceId, frozenset[PowerId]]] = field(default_factory=set)
    ended: set[tuple[ProvinceId, PowerId]] = field(default_factory=set)
    hands: dict[PowerId, list[int]] = field(default_factory=dict)
    hidden: dict[ProvinceId, list[int]] = field(default_factory=dict)
    carried: dict[ProvinceId, list[int]] = field(default_factory=dict)
    fortresses: dict[ProvinceId, Fortress] = field(default_factory=dict)
    lost: list[Unit] = field(default_factory=list)
    barred: set[ProvinceId] = field(default_factory=set)
    fresh: set[ProvinceId] = field(default_factory=set)
    without_refuge: set[PowerId] = field(default_factory=set)

    def has_sorcerer(self, power: PowerId) -> bool:
        """Whether a power's sorcerer has lived so far."""
        return power in self.sorcerers and power not in self.without_refuge

    def is_friendly(self, at: ProvinceId, one: PowerId, other: PowerId) -> bool:
        """Whether units of two powers may be in a space together, one of them a sorcerer."""
        return one == other or (at, frozenset((one, other))) in self.bonds

    def lay(self, cards: Iterable[int], at: ProvinceId) -> None:
        """Cards fall where their carrier was; at sea they are lost."""
        if self.state.variant.board.provinces[at].terrain is not Terrain.SEA:
            self.hidden.setdefault(at, []).extend(cards)

    def of_kind(self, power: PowerId, *kinds: type) -> list[Order]:
        """A power's orders of some sorts."""
        return [order for order in self.sheets[power] if isinstance(order, kinds)]


def begin(state: State, sheets: Sheets) -> Turn:
    """The turn with its orders accepted: a power's first ones that are legal and don't exclude an earlier one."""
    turn = Turn(
        state,
        field_of(state),
        units={province_of(unit.at): unit for unit in state.units},
        sorcerers={unit.power: unit for unit in state.sorcerers},
        hordes=set(state.hordes),
        bonds={(bond.at, frozenset(bond.powers)) for bond in state.bonds},
        hands={power: list(cards) for power, cards in state.hands.items()},
        hidden={at: list(cards) for at, cards in state.hidden.items()},
        fortresses=dict(state.fortresses),
    )
    for one in state.carried:
        turn.carried.setdefault(one.at, []).append(one.card)
    for power in state.variant.powers:
        # Their order on the sheet decides what counts, and nothing else.
        accepted = sorted(accept(turn.ground, power, sheets.get(power, ())), key=format_order)
        turn.sheets[power] = accepted
        turn.ordinary[power] = []
        for order in accepted:
            if isinstance(order, CASTS):
                turn.casts[power] = order
            elif isinstance(order, Ride) or (isinstance(order, Hold | Move) and order.kind == SORCERER):
                turn.ways[power] = order
            elif isinstance(order, Manoeuvre):
                turn.ordinary[power].append(order)
    return turn


def accept(field: Battlefield, power: PowerId, orders: Iterable[Order]) -> list[Order]:
    """The orders that count. Source: rules 4.1."""
    accepted: list[Order] = []
    for order in orders:
        if order in accepted or find_flaw(field, power, order) is not None:
            continue
        if not any(excludes(order, earlier) for earlier in accepted):
            accepted.append(order)
    return accepted


def settle_agreements(turn: Turn) -> None:
    """Step (a): shares that are ended and agreed, cards that are dumped and destroyed.

    Source: rules 1.3, 3.5, 4.9; ruling Y25.
    """
    wanted: set[tuple[ProvinceId, PowerId, PowerId]] = set()
    for power in turn.sheets:
        for order in turn.sheets[power]:
            match order:
                case Unshare(at):
                    turn.ended.add((at, power))
                    turn.bonds = {bond for bond in turn.bonds if bond[0] != at or power not in bond[1]}
                case ShareOrder(at, other):
                    wanted.add((at, power, other))
                case CardOrder("dump", _, at):
                    turn.lay(turn.carried.pop(province_of(at), ()), province_of(at))
                case CardOrder("destroy", _, at):
                    turn.carried.pop(province_of(at), None)
    turn.bonds |= {(at, frozenset((one, other))) for at, one, other in wanted if (at, other, one) in wanted}


def cast_spells(turn: Turn) -> None:
    """Step (b): cards are spent, then 9, 10, 7 and 8 take effect, those of both sorcerers together.

    Source: rules 1.3, 4.1, 4.8; ruling Y22.
    """
    for power, cast in turn.casts.items():
        turn.hands[power].remove(cast.card)
    for effect in (Effect.DESTRUCTION, Effect.IMPASSABILITY, Effect.CREATION, Effect.HORDES):
        for power, cast in turn.casts.items():
            if CARDS[cast.card].effect is effect:
                _take_effect(turn, power, cast, effect)


def _take_effect(turn: Turn, power: PowerId, cast: Cast, effect: Effect) -> None:
    match cast:
        case CastOnUnit(_, kind, of):
            _destroy(turn, power, kind, of)
        case CastOnPlace(_, to):
            turn.barred.add(province_of(to))
        case CastHere() if effect is Effect.CREATION:
            _raise_fortress(turn, power)
        case CastHere():
            _raise_hordes(turn, power)


def _destroy(turn: Turn, power: PowerId, kind: str, of: PlaceId) -> None:
    """Spell 9: the unit is gone, and with a sorcerer its cards. Source: rules 3.10, 4.6; ruling Y13."""
    at = province_of(of)
    if kind == SORCERER:
        victim = next(unit for unit in turn.ground.sorcerers_at[at] if unit.power != power)
        del turn.sorcerers[victim.power]
        turn.hands.pop(victim.power, None)
    else:
        victim = turn.units.pop(at)
        turn.hordes.discard(at)
        turn.lay(turn.carried.pop(at, ()), at)
    turn.lost.append(victim)


def _raise_fortress(turn: Turn, power: PowerId) -> None:
    """Spell 7: a standing army is stronger by 1, or comes to be. Source: rules 4.4; ruling Y18."""
    at = province_of(turn.ground.sorcerer_of[power].at)
    old = turn.fortresses.get(at)
    turn.fortresses[at] = (
        Fortress(old.strength + 1, old.owner) if old is not None and old.strength else Fortress(1, power)
    )


def _raise_hordes(turn: Turn, power: PowerId) -> None:
    """Spell 8: an army in each space of World's Edge where nobody foreign stands. Source: rules 4.5; ruling Y19."""
    for name in turn.state.variant.settings["world_edge"]:
        at = ProvinceId(name)
        fortress = turn.fortresses.get(at)
        is_held = fortress is not None and fortress.strength > 0 and fortress.owner != power
        is_guarded = any(unit.power != power and province_of(unit.at) == at for unit in turn.sorcerers.values())
        if at not in turn.units and not is_held and not is_guarded:
            turn.units[at] = Unit(power, "A", PlaceId(at))
            turn.hordes.add(at)
            turn.fresh.add(at)


@dataclass(frozen=True, slots=True)
class Magic:
    """A magical attack that takes place."""

    power: PowerId
    start: ProvinceId
    end: ProvinceId


def magical_attacks(turn: Turn) -> tuple[Magic, ...]:
    """The attacks by spells 4 to 6 of living sorcerers that no barred space stops. Source: rules 4.3; ruling Y28."""
    return tuple(
        Magic(power, province_of(cast.at), province_of(cast.to))
        for power, cast in turn.casts.items()
        if isinstance(cast, CastAttack)
        and power in turn.sorcerers
        and not turn.barred & {province_of(cast.at), province_of(cast.to)}
    )


def is_cut(turn: Turn, power: PowerId, about: ProvinceId | None) -> bool:
    """Whether a magical attack of another power on a caster's space cuts its support, by the usual rule.

    Source: rules 4.2; ruling Y17.
    """
    here = province_of(turn.ground.sorcerer_of[power].at)
    return any(
        attack.power != power and attack.end == here and attack.start != about for attack in magical_attacks(turn)
    )


def strong_sorcerers(turn: Turn) -> dict[PowerId, ProvinceId | None]:
    """The sorcerers that have strength this turn, and where they attack (`None`: they stay).

    Source: rules 3.1, 3.2; rulings Y17, Y28.
    """
    found: dict[PowerId, ProvinceId | None] = {}
    for power, sorcerer in turn.sorcerers.items():
        cast = turn.casts.get(power)
        if not isinstance(cast, CastAttack | CastSelf):
            continue
        to = None if cast.to is None else province_of(cast.to)
        if isinstance(cast, CastSelf) and is_cut(turn, power, to):
            continue
        is_barred = to is not None and turn.barred & {to, province_of(sorcerer.at)}
        found[power] = None if is_barred else to
    return found
