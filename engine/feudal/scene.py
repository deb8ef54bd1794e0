"""The position as a picture's data, with pending orders or a phase's results drawn in as arrows.

Marks: `centre` (power: the owner, `barbarians` too), `castle` (power: the owner), `home` (a centre in which barbarians
come up each year, or which one of them has made its home), `die` (a space to which nomads come; label: their number),
`choice` (an entry of a list of centres; label: its rank; without a power: several named it, or it was given already).
Units of the kinds A, N, K and W; those of `nomads` and `barbarians` are armies of these powers, and what they did is
drawn from the events: a nomad's move starts and ends where it came to. A wizard's distant support has the label `S2`;
immobilizing is a strike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from engine.core.events import Event
from engine.core.ids import PlaceId, PowerId, ProvinceId, SystemId
from engine.core.outcome import OrderResult, Outcome
from engine.core.phrases import Phrase
from engine.feudal.board import land_of
from engine.feudal.choosing import is_castle_round
from engine.feudal.model import (
    ARMY,
    BARBARIANS,
    NOMAD_SPACES,
    NOMADS,
    Castle,
    Choose,
    Immobilize,
    Order,
    State,
    Support,
    View,
)
from engine.feudal.status import title
from engine.pictures.legend import ArrowStatus, LegendRow
from engine.pictures.scene import Arrow, ArrowKind, Mark, Scene
from engine.provinces.drawing import status_of, unit_marks
from engine.provinces.orders import Build, Disband, Hold, Move, Retreat, Waive, is_on
from engine.provinces.phases import PhaseKind

_Drawn = tuple[PowerId, Order, ArrowStatus]


def scene(
    view: View,
    *,
    orders: Iterable[Order] = (),
    results: Sequence[OrderResult[Order]] = (),
    events: Sequence[Event] = (),
) -> Scene:
    """The position; with the viewer's pending orders, or with the results of the phase that began with it."""
    state = _as_it_moved(view.state) if results or events else view.state
    drawn = [*_pending(view, orders), *_adjudicated(state, results)]
    arrows = (
        *(_arrow(power, order, outcome) for power, order, outcome in drawn),
        *(_roaming(event.what) for event in events),
    )
    return Scene(
        system=SystemId(state.variant.system),
        variant=state.variant.id,
        title=title(state),
        fills=_fills(state),
        units=unit_marks(state.units, state.dislodged),
        marks=(*_marks(state), *_choices(drawn)),
        arrows=tuple(arrow for arrow in arrows if arrow is not None),
        legend=_legend(state),
        viewer=view.viewer,
        # A new centre has to be far from those that a player has.
        at_large=state.phase.kind is PhaseKind.SETUP and not is_castle_round(state),
    )


def _as_it_moved(state: State) -> State:
    """The position as the moves met it: last season's nomads had left. Source: rule 11."""
    if state.phase.kind is not PhaseKind.MOVEMENT:
        return state
    return replace(state, units=tuple(unit for unit in state.units if unit.power != NOMADS))


def _pending(view: View, orders: Iterable[Order]) -> list[_Drawn]:
    return [(view.viewer, order, ArrowStatus.PENDING) for order in orders if view.viewer is not None]


def _adjudicated(state: State, results: Sequence[OrderResult[Order]]) -> list[_Drawn]:
    return [
        (result.power, order, status_of(order, result.outcome))
        for result in results
        # Entries of a list that were not needed any more are not worth showing.
        if result.outcome is not Outcome.VOID or state.phase.kind is not PhaseKind.SETUP
        if (order := result.order) is not None and is_on(state.variant.board.provinces, order)
    ]


def _fills(state: State) -> Mapping[ProvinceId, PowerId]:
    fills = {ProvinceId(unit.at): unit.power for unit in state.units if unit.at not in state.centres}
    return fills | {ProvinceId(centre): owner for centre, owner in state.centres.items() if owner is not None}


def _marks(state: State) -> tuple[Mark, ...]:
    homes = dict.fromkeys(land_of(state.variant.board).barbarian_homes)
    homes |= dict.fromkeys(unit.home for unit in state.units if unit.home is not None)
    return (
        *(Mark("centre", centre, owner) for centre, owner in state.centres.items()),
        *(Mark("castle", centre, owner) for centre, owner in state.castles.items()),
        *(Mark("home", home, BARBARIANS) for home in homes),
        *(Mark("die", space, label=str(number)) for number, space in enumerate(NOMAD_SPACES, start=1)),
    )


def _choices(drawn: Sequence[_Drawn]) -> tuple[Mark, ...]:
    """Lists while they are written; once opened, who got what, and what nobody got."""
    found: dict[PlaceId, Mark] = {}
    for power, order, outcome in drawn:
        if not isinstance(order, Choose):
            continue
        if outcome is not ArrowStatus.FAILED:
            found[order.centre] = Mark("choice", order.centre, power, str(order.rank))
        elif order.centre not in found:
            found[order.centre] = Mark("choice", order.centre, label="×")
    return tuple(found.values())


def _legend(state: State) -> tuple[LegendRow, ...]:
    def figures(power: PowerId) -> tuple[tuple[str, int], ...]:
        units = sum(unit.power == power for unit in state.units)
        castles = sum(owner == power for owner in state.castles.values())
        return ("centres", len(state.owned(power))), ("units", units), ("castles", castles)

    return tuple(LegendRow(power, figures(power), is_out=power in state.out) for power in state.powers)


_ROAMERS: Mapping[str, tuple[PowerId, ArrowStatus]] = {
    "event.nomads_came": (NOMADS, ArrowStatus.SUCCEEDED),
    "event.nomads_kept_out": (NOMADS, ArrowStatus.FAILED),
    "event.barbarian_moved": (BARBARIANS, ArrowStatus.SUCCEEDED),
    "event.barbarian_bounced": (BARBARIANS, ArrowStatus.FAILED),
    "event.barbarian_held": (BARBARIANS, ArrowStatus.SUCCEEDED),
    "event.barbarian_immobilized": (BARBARIANS, ArrowStatus.FAILED),
    "event.barbarian_dislodged": (BARBARIANS, ArrowStatus.FAILED),
}
"""Who an event is about, and whether it went well for them."""


def _roaming(what: Phrase) -> Arrow | None:
    """What a nomad or a barbarian did."""
    if what.code not in _ROAMERS:
        return None
    power, outcome = _ROAMERS[what.code]
    place: PlaceId = what.args["place"]
    to: PlaceId = what.args.get("to", place)
    stayed = power == BARBARIANS and to == place
    return Arrow(ArrowKind.HOLD if stayed else ArrowKind.MOVE, power, place, to, status=outcome, unit_kind=ARMY)


def _arrow(power: PowerId, order: Order, outcome: ArrowStatus) -> Arrow | None:
    match order:
        case Hold(kind, at):
            return Arrow(ArrowKind.HOLD, power, at, at, status=outcome, unit_kind=kind)
        case Move(kind, at, to):
            return Arrow(ArrowKind.MOVE, power, at, to, status=outcome, unit_kind=kind)
        case Support(kind, at, _, of, to, is_distant):
            label = "S2" if is_distant else ""
            sort = ArrowKind.SUPPORT_MOVE if to is not None and of is not None else ArrowKind.SUPPORT_HOLD
            via: tuple[PlaceId, ...] = (of,) if of is not None else (order.target,)
            return Arrow(sort, power, at, order.target, via=via, status=outcome, unit_kind=kind, label=label)
        case Immobilize(kind, at, _, of):
            return Arrow(ArrowKind.STRIKE, power, at, of, status=outcome, unit_kind=kind)
        case Retreat(kind, at, to):
            return Arrow(ArrowKind.RETREAT, power, at, to, status=outcome, unit_kind=kind)
        case Disband(kind, at):
            return Arrow(ArrowKind.DISBAND, power, at, at, status=outcome, unit_kind=kind)
        case Build(kind, at):
            return Arrow(ArrowKind.BUILD, power, at, at, status=outcome, unit_kind=kind)
        case Castle(centre):
            return Arrow(ArrowKind.BUILD, power, centre, centre, status=outcome, unit_kind="K")
        case Choose() | Waive():
            return None
