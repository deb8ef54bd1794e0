"""The position as a picture's data, with pending orders, or with a phase's results and duels.

Sites are marks by shape: `square` in the north, `circle` in the south, `diamond`, and `x` for pirate centres; to them
belong `capital`, `garrison` and `plundered`. `duel` is where heroes fought, or are ready to. What is done in one
impulse has the manner `first` or `second`, what is done in both has none; a step that goes on from where the one
before it ended is `is_onward`. Resting heroes have a `z` at their corner, captured ones the letter of their first
owner. Heroes that help or betray where they stay hold in the manner `aid` or `betray`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.core.events import Event
from engine.core.ids import PlaceId, PowerId, ProvinceId, SystemId, province_of
from engine.core.outcome import OrderResult
from engine.core.phrases import Phrase
from engine.kregen.canonical import is_on_map
from engine.kregen.land import land_of
from engine.kregen.model import (
    FLEET,
    HERO,
    PIRATES,
    ActStep,
    Aid,
    Betray,
    BuildHero,
    Capital,
    Convoy,
    Duel,
    Go,
    Manoeuvre,
    Order,
    Sail,
    State,
    Stay,
    Support,
    Unit,
    View,
    With,
)
from engine.kregen.status import eliminated, title
from engine.kregen.supply import points
from engine.pictures.legend import ArrowStatus, LegendRow
from engine.pictures.scene import Arrow, ArrowKind, Mark, Scene, UnitMark
from engine.provinces.board import Terrain
from engine.provinces.drawing import status_of
from engine.provinces.orders import Build, Disband, Remove, Retreat

_IMPULSES = ("first", "second")
_DUELS = ("event.duel_tie", "event.duel_capture", "event.duel_kill")


@dataclass(frozen=True, slots=True)
class _Drawn:
    """An order with how it went; `failed_in` is the impulse of the step that failed, where that is known."""

    power: PowerId
    order: Order
    status: ArrowStatus
    failed_in: int | None = None


def scene(
    view: View,
    *,
    orders: Iterable[Order] = (),
    results: Sequence[OrderResult[Order]] = (),
    events: Sequence[Event] = (),
) -> Scene:
    """The position; with the viewer's pending orders, or with what became of the phase that began with it."""
    state = view.state
    drawn = [*_pending(view, orders), *_adjudicated(state, results)]
    return Scene(
        system=SystemId(state.variant.system),
        variant=state.variant.id,
        title=title(state),
        fills=_fills(state),
        units=_units(state),
        marks=(*_sites(state), *_capitals(state, drawn), *_duels(drawn, events)),
        arrows=_counted(_Arrows(state, drawn)),
        legend=_legend(state),
        viewer=view.viewer,
    )


def _pending(view: View, orders: Iterable[Order]) -> list[_Drawn]:
    return [_Drawn(view.viewer, order, ArrowStatus.PENDING) for order in orders if view.viewer is not None]


def _adjudicated(state: State, results: Sequence[OrderResult[Order]]) -> list[_Drawn]:
    return [
        _Drawn(result.power, order, status_of(order, result.outcome), _impulse_of(result.reason))
        for result in results
        if (order := result.order) is not None and is_on_map(state.variant.board.provinces, order)
    ]


def _impulse_of(reason: Phrase) -> int | None:
    impulse = reason.args.get("impulse")
    return int(impulse) - 1 if isinstance(impulse, int) else None


# The position


def _fills(state: State) -> Mapping[ProvinceId, PowerId]:
    provinces = state.variant.board.provinces
    held = {unit.sector: unit.power for unit in state.units if unit.kind != HERO}
    fills = {
        sector: power
        for sector, power in held.items()
        if provinces[sector].terrain is not Terrain.SEA and not provinces[sector].is_centre
    }
    return fills | dict(state.owners)


def _units(state: State) -> tuple[UnitMark, ...]:
    """Units before heroes, and those alike as one."""
    standing = Counter(UnitMark(unit.power, unit.kind, unit.at, label=_corner(state, unit)) for unit in state.units)
    driven = Counter(
        UnitMark(row.unit.power, row.unit.kind, row.unit.at, is_dislodged=True, label=_corner(state, row.unit))
        for row in state.dislodged
    )
    return tuple(
        replace(unit, count=count)
        for units in (standing, driven)
        for unit, count in sorted(units.items(), key=lambda item: item[0].kind == HERO)
    )


def _corner(state: State, unit: Unit) -> str:
    """A resting hero sleeps; a captured one keeps the letter of his first owner."""
    if unit.rests:
        return "z"
    return state.variant.powers[unit.of].letter if unit.of else ""


def _sites(state: State) -> Iterator[Mark]:
    shapes = land_of(state.variant).city
    for centre in state.variant.board.centres:
        place = PlaceId(centre)
        yield Mark(shapes.get(centre, "x"), place, state.owners.get(centre))
        if centre in state.garrisons:
            yield Mark("garrison", place, label=str(state.garrisons[centre]))
        if centre in state.plundered:
            yield Mark("plundered", place)


def _capitals(state: State, drawn: Iterable[_Drawn]) -> Iterator[Mark]:
    """As they are, or as they are being chosen."""
    chosen = {one.power: one.order.at for one in drawn if isinstance(one.order, Capital)}
    return (Mark("capital", PlaceId(at), power) for power, at in (dict(state.capitals) | chosen).items())


def _duels(drawn: Iterable[_Drawn], events: Iterable[Event]) -> Iterator[Mark]:
    ready = [one.order.at for one in drawn if isinstance(one.order, Duel) and one.status is ArrowStatus.PENDING]
    fought = [event.what.args["place"] for event in events if event.what.code in _DUELS]
    return (Mark("swords", PlaceId(str(at))) for at in dict.fromkeys([*ready, *fought]))


def _legend(state: State) -> tuple[LegendRow, ...]:
    out = eliminated(state)
    return tuple(LegendRow(power, _figures(state, power), is_out=power in out) for power in state.variant.powers)


def _figures(state: State, power: PowerId) -> tuple[tuple[str, int], ...]:
    """What the power's victory is counted by, and its supply points."""
    supply = ("half_points", points(state, power))
    shapes = land_of(state.variant).city
    held = Counter(shapes.get(at, "x") for at, owner in state.owners.items() if owner == power)
    if power == PIRATES:
        fleets = sum(unit.power == power and unit.kind == FLEET for unit in state.units)
        cities = sum(count for shape, count in held.items() if shape != "x")
        return ("x", held["x"]), ("cities", cities), supply, ("fleets", fleets)
    figures = ("square", held["square"]), ("circle", held["circle"])
    diamonds = (("diamond", held["diamond"]),) if held["diamond"] else ()
    return (*figures, *diamonds, supply)


# Orders


def _counted(arrows: Iterable[Arrow]) -> tuple[Arrow, ...]:
    """Those alike as one: two fleets that go the same way."""
    counts: Counter[Arrow] = Counter()
    for arrow in arrows:
        counts[replace(arrow, count=1)] += arrow.count
    return tuple(replace(arrow, count=count) for arrow, count in counts.items())


class _Arrows:
    """The arrows of all orders, in their order; those of a unit in the order of its steps."""

    def __init__(self, state: State, drawn: Sequence[_Drawn]) -> None:
        self.state, self.drawn = state, drawn

    def __iter__(self) -> Iterator[Arrow]:
        for one in self.drawn:
            if isinstance(one.order, Manoeuvre):
                yield from self._of_act(one, one.order)
            else:
                yield from self._of_change(one)

    def _of_change(self, one: _Drawn) -> Iterator[Arrow]:
        power, status = one.power, one.status
        match one.order:
            case Retreat(kind, at, to):
                yield Arrow(ArrowKind.RETREAT, power, at, to, status=status, unit_kind=kind)
            case Disband(kind, at):
                yield Arrow(ArrowKind.DISBAND, power, at, at, status=status, unit_kind=kind)
            case Build(kind, at):
                yield Arrow(ArrowKind.BUILD, power, at, at, status=status, unit_kind=kind)
            case BuildHero(at):
                yield Arrow(ArrowKind.BUILD, power, at, at, status=status, unit_kind=HERO)
            case Remove(kind, at):
                yield Arrow(ArrowKind.REMOVE, power, at, at, status=status, unit_kind=kind)

    def _of_act(self, one: _Drawn, act: Manoeuvre) -> Iterator[Arrow]:
        unit = self._unit(one.power, act)
        if unit is None:
            return
        steps = act.in_impulse(0), act.in_impulse(1)
        here, is_onward = unit.at, False
        if steps[0] == steps[1] and not isinstance(steps[0], With):
            yield from self._of_step(replace(_plain(one, act, here), status=one.status), steps[0])
            return
        last = one.failed_in if one.failed_in is not None else (0 if isinstance(steps[1], Stay) else 1)
        for impulse, step in enumerate(steps):
            if one.status is ArrowStatus.FAILED and impulse > last:
                return  # was not tried
            status = ArrowStatus.SUCCEEDED if one.status is ArrowStatus.FAILED and impulse < last else one.status
            arrow = replace(_plain(one, act, here), manner=_IMPULSES[impulse], status=status, is_onward=is_onward)
            for made in self._of_step(arrow, step, impulse):
                yield made
                if made.kind is ArrowKind.MOVE:
                    here, is_onward = made.end, True

    def _unit(self, power: PowerId, act: Manoeuvre) -> Unit | None:
        wanted = (power, act.kind, act.at)
        return next((unit for unit in self.state.units if (unit.power, unit.kind, unit.sector) == wanted), None)

    def _of_step(self, arrow: Arrow, step: ActStep, impulse: int = 0) -> Iterator[Arrow]:
        """What one step is drawn as, from an arrow that says who, from where, when and how it went."""
        match step:
            case Stay():
                if not arrow.manner:
                    yield arrow
            case Go(to):
                yield replace(arrow, kind=ArrowKind.MOVE, end=to)
            case Sail(route, to):
                yield replace(arrow, kind=ArrowKind.MOVE, end=PlaceId(to), via=tuple(map(PlaceId, route)))
            case Support(_, of, None):
                yield replace(arrow, kind=ArrowKind.SUPPORT_HOLD, end=PlaceId(of), via=(PlaceId(of),))
            case Support(_, of, to) if to is not None:
                yield replace(arrow, kind=ArrowKind.SUPPORT_MOVE, end=PlaceId(to), via=(PlaceId(of),))
            case Convoy(loads):
                for of, goal in loads or self._loads(arrow):
                    yield replace(arrow, kind=ArrowKind.CONVOY, end=PlaceId(goal), via=(PlaceId(of),))
            case With():
                yield from self._of_company(arrow, step, impulse)
            case Aid():
                yield replace(arrow, manner="aid")
            case Betray():
                yield replace(arrow, manner="betray")

    def _loads(self, convoy: Arrow) -> Iterator[tuple[ProvinceId, ProvinceId]]:
        """The armies of a fleet's own power whose routes pass; a sector itself if there is none."""
        here = province_of(convoy.start)
        found = [
            (one.order.at, step.to)
            for one in self.drawn
            if one.power == convoy.power and isinstance(one.order, Manoeuvre)
            for step in one.order.steps
            if isinstance(step, Sail) and here in step.route
        ]
        yield from dict.fromkeys(found) or [(here, here)]

    def _of_company(self, arrow: Arrow, company: With, impulse: int) -> Iterator[Arrow]:
        """A hero's way with a unit that stands by it: the unit's own in that impulse."""
        here = province_of(arrow.start)
        for one in self.drawn:
            order = one.order
            if not isinstance(order, Manoeuvre) or order.kind != company.kind or one.status is ArrowStatus.FAILED:
                continue
            before = order.in_impulse(0) if impulse else Stay()
            at = province_of(before.to) if isinstance(before, Go) else order.at
            step = order.in_impulse(impulse)
            if at == here and isinstance(step, Go | Sail) and company.to in (None, step.to):
                yield from self._of_step(arrow, step)
                return


def _plain(one: _Drawn, act: Manoeuvre, here: PlaceId) -> Arrow:
    count = 2 if act.is_pair else 1
    return Arrow(ArrowKind.HOLD, one.power, here, here, status=one.status, unit_kind=act.kind, count=count)
