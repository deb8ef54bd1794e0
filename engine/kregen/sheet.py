"""The order sheet of a power: what new orders replace, what is still missing, and a template to fill in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from engine.core.ids import PlaceId, PowerId, province_of
from engine.core.orders import Missing, ReadOrder, Request
from engine.core.phrases import Phrase, phrase
from engine.core.variant import load_phrases
from engine.kregen.check import check
from engine.kregen.land import land_of
from engine.kregen.legality import heroes_of_duel
from engine.kregen.listing import Ways, asked_heroes, builds, capitals, duel_name, excess, removals, ways_out
from engine.kregen.model import (
    COSTS,
    HERO,
    PIRATE_FLEETS,
    PIRATES,
    SHARE,
    SPARE,
    START_POINTS,
    BuildHero,
    Capital,
    Duel,
    Grant,
    Manoeuvre,
    Order,
    State,
    Stay,
    Unit,
    View,
    format_order,
)
from engine.kregen.prophecy import Prophecy, format_points, format_prophecy
from engine.kregen.setup import adjudicate_setup
from engine.kregen.supply import balance, price
from engine.provinces.orders import BLANK, Build, Disband, Kind, Remove, Retreat, Waive
from engine.provinces.phases import PhaseKind

_LAST = 10**6


def amend(view: View, standing: Sequence[Order], new: Sequence[Order]) -> tuple[Order, ...]:
    """A sheet with new orders put in: what can stand together with them is kept, the youngest first.

    Units come in map order, then set-up and builds, duels, grants, and prophecies in the order of their lines.
    """
    kept: list[Order] = []
    for order in reversed(standing):
        # The later of two that exclude each other is refused: here that is always the standing one.
        if not any(check(view, _as_lines([*new, *kept, order]))):
            kept.append(order)
    return tuple(sorted((*reversed(kept), *new), key=lambda order: _place_in(view.state, order)))


def _as_lines(orders: Iterable[Order]) -> tuple[ReadOrder[Order], ...]:
    return tuple(ReadOrder(order, line, 1, 1, "") for line, order in enumerate(orders, 1))


def _place_in(state: State, order: Order) -> tuple[int, int, str]:
    sectors = land_of(state.variant).order
    match order:
        case Capital():
            return 0, 0, ""
        case Manoeuvre(kind, at) | Disband(kind, at) | Retreat(kind, at, _):
            return 1, sectors[province_of(PlaceId(at))], kind
        case Remove(kind, at):
            return 2, sectors[province_of(PlaceId(at))], kind
        case Build(kind, at):
            return 3, sectors[province_of(at)], kind
        case BuildHero(at):
            return 3, sectors[province_of(at)], HERO
        case Duel(at, _, _, of):
            return 4, sectors[at], of or ""
        case Grant(deed, power):
            return 5, list(state.variant.powers).index(power), deed
        case _:
            return 6, _LAST, ""


# What is missing


def missing(view: View, orders: Sequence[Order]) -> tuple[Missing, ...]:
    """What the viewer could still give an order for: `A ZIM`, `duel H ZY`, `capital`, `builds for 1.5 points`."""
    state, viewer = view.state, view.viewer
    if viewer is None or state.over is not None:
        return ()
    match state.phase.kind:
        case PhaseKind.SETUP:
            return tuple(_missing_at_setup(state, viewer, orders))
        case PhaseKind.ADJUSTMENTS:
            return tuple(_missing_points(state, viewer, orders))
        case PhaseKind.MOVEMENT:
            heroes = (f"duel {duel_name(state, hero)}" for hero in _without_number(state, viewer, orders))
            return tuple(Missing(name, (name,)) for name in (*map(_name, _idle(state, viewer, orders)), *heroes))
        case _:
            return tuple(Missing(_name(unit), (_name(unit),)) for unit in _idle(state, viewer, orders))


def _name(unit: Unit) -> str:
    return f"{unit.kind} {unit.sector}"


def _idle(state: State, viewer: PowerId, orders: Sequence[Order]) -> Iterator[Unit]:
    """The viewer's units, in retreats those that were driven out, that have no order yet."""
    units = [unit for unit in state.units if unit.power == viewer and not unit.rests]
    driven = [row.unit for row in state.dislodged if row.unit.power == viewer]
    return _without_order(driven if state.phase.kind is PhaseKind.RETREATS else units, orders)


def _without_number(state: State, viewer: PowerId, orders: Sequence[Order]) -> list[Unit]:
    """The heroes that are asked for a duel's number and have none yet."""
    numbers = [order for order in orders if isinstance(order, Duel)]
    numbered = {hero for duel in numbers for hero in heroes_of_duel(state, viewer, duel)}
    return [hero for hero in asked_heroes(state, viewer) if hero not in numbered]


def otherwise(view: View, orders: Sequence[Order]) -> tuple[Phrase, ...]:
    """The default set-up, holding, what a sector can't hold, numbers of 0, and what prophecies do or leave undone."""
    state, viewer = view.state, view.viewer
    if viewer is None or not missing(view, orders):
        return ()
    foretold = (phrase("otherwise.foretold"),) if viewer in state.prophecies else ()
    match state.phase.kind:
        case PhaseKind.SETUP:
            return tuple(_at_setup_otherwise(state, viewer, orders))
        case PhaseKind.ADJUSTMENTS if points_left(state, viewer, orders) < 0:
            return (*foretold, phrase("otherwise.removals"))
        case PhaseKind.ADJUSTMENTS:
            # Ruling K5: whoever sends any builds builds by these alone.
            return (*(() if orders else foretold), phrase("otherwise.builds"))
        case PhaseKind.MOVEMENT:
            idle = [phrase("otherwise.movement")] if any(True for _ in _idle(state, viewer, orders)) else []
            # With orders there is advice about it, which knows what leaves.
            full = () if orders else crowded(state, viewer)
            return (*idle, *full, *([phrase("otherwise.duel")] if _without_number(state, viewer, orders) else []))
        case _:
            return (*foretold, phrase("otherwise.retreats"))


def crowded(state: State, viewer: PowerId) -> Iterator[Phrase]:
    """What is disbanded after the season unless it is made room for, and how that could be done."""
    for sector, units in groupby(excess(state, viewer), lambda unit: unit.sector):
        yield phrase("report.crowded", place=sector, units=tuple(unit.name for unit in units))
    ways = ways_out(state, viewer)
    if ways:
        yield phrase(
            "report.way_out",
            orders="; ".join(format_order(act) for _, act in sorted(ways.items(), key=lambda way: way[0])),
        )


def _at_setup_otherwise(state: State, viewer: PowerId, orders: Sequence[Order]) -> Iterator[Phrase]:
    if viewer == PIRATES:
        yield phrase("otherwise.setup_pirates")
        return
    if any(True for _ in capitals(state, viewer)) and not any(isinstance(order, Capital) for order in orders):
        yield phrase("otherwise.capital", place=state.capitals[viewer])
    if not any(isinstance(order, Build | BuildHero) for order in orders):
        yield phrase("otherwise.setup")
    elif setup_left(viewer, orders) > 0:
        yield phrase("otherwise.unspent")


def _without_order(units: Iterable[Unit], orders: Sequence[Order]) -> Iterator[Unit]:
    ordered = Counter[tuple[Kind, str]]()
    for order in orders:
        if isinstance(order, Manoeuvre | Disband | Retreat):
            is_pair = isinstance(order, Manoeuvre) and order.is_pair
            ordered[order.kind, province_of(PlaceId(order.at))] += 2 if is_pair else 1
    for unit in units:
        ordered[unit.kind, unit.sector] -= 1
        if ordered[unit.kind, unit.sector] < 0:
            yield unit


def _missing_at_setup(state: State, viewer: PowerId, orders: Sequence[Order]) -> Iterator[Missing]:
    if any(True for _ in capitals(state, viewer)) and not any(isinstance(order, Capital) for order in orders):
        yield Missing(phrase("missing.capital"), ("capital",))
    left = setup_left(viewer, orders)
    if left > 0:
        is_pirate = viewer == PIRATES
        yield Missing(
            phrase("missing.fleets", count=left) if is_pirate else phrase("missing.builds", points=format_points(left))
        )


def setup_left(viewer: PowerId, orders: Sequence[Order]) -> int:
    """What a power may still build in the set-up: half points, or fleets of the pirates."""
    kinds = [
        order.kind if isinstance(order, Build) else HERO for order in orders if isinstance(order, Build | BuildHero)
    ]
    if viewer == PIRATES:
        return PIRATE_FLEETS - sum(2 if kind == HERO else 1 for kind in kinds)
    return START_POINTS - sum(price(kind) for kind in kinds)


def _missing_points(state: State, viewer: PowerId, orders: Sequence[Order]) -> Iterator[Missing]:
    left = points_left(state, viewer, orders)
    if left < 0:
        yield Missing(phrase("missing.removals", points=format_points(-left)))
    elif left > 0 and Waive() not in orders and any(True for _ in builds(state, viewer)):
        yield Missing(phrase("missing.builds", points=format_points(left)))


def points_left(state: State, viewer: PowerId, orders: Sequence[Order]) -> int:
    """Half points that are free after the orders of a build season; below zero what must still be removed."""
    built = sum(price(order.kind) for order in orders if isinstance(order, Build))
    removed = sum(COSTS[order.kind] for order in orders if isinstance(order, Remove))
    return balance(state, viewer) - built + removed


# The template, and what the rules would do


def template(view: View, orders: Sequence[Order]) -> str:
    """A sheet to fill in, which may be sent back as it is: a line is an order, or ends in `…` and is ignored."""
    state, viewer = view.state, view.viewer
    if viewer is None or state.over is not None:
        return ""
    lines = [format_order(order) for order in orders]
    match state.phase.kind:
        case PhaseKind.SETUP:
            blanks = _setup_blanks(state, viewer, orders)
        case PhaseKind.MOVEMENT:
            blanks = _move_blanks(view, orders)
        case PhaseKind.RETREATS:
            blanks = _retreat_blanks(view, orders)
        case _:
            blanks = _build_blanks(state, viewer, orders)
    return "\n".join([*lines, *blanks])


def _move_blanks(view: View, orders: Sequence[Order]) -> Iterator[str]:
    assert view.viewer is not None
    ways = Ways(view.state, view.viewer)
    for unit in _idle(view.state, view.viewer, orders):
        near = ways.land.walks[unit.sector] if unit.kind == HERO else ways.land.reach(unit.kind, unit.at)
        yield f"{_name(unit)} {BLANK}  # {' '.join(sorted(near))}"
    hint = load_phrases("kregen").template("missing.duel")
    for hero in _without_number(view.state, view.viewer, orders):
        yield f"duel {duel_name(view.state, hero)} {BLANK}  # {hint}"


def _retreat_blanks(view: View, orders: Sequence[Order]) -> Iterator[str]:
    assert view.viewer is not None
    rows = {_name(row.unit): row for row in view.state.dislodged if row.unit.power == view.viewer}
    for unit in _idle(view.state, view.viewer, orders):
        ways = [f"R {place}" for place in rows[_name(unit)].retreats]
        yield f"{_name(unit)} {BLANK}  # {', '.join(ways if unit.kind == HERO else [*ways, 'D'])}"


def _setup_blanks(state: State, viewer: PowerId, orders: Sequence[Order]) -> Iterator[str]:
    cities = [city.at for city in capitals(state, viewer)]
    if cities and not any(isinstance(order, Capital) for order in orders):
        yield f"capital {BLANK}  # {' '.join(cities)}"
    if setup_left(viewer, orders) > 0:
        yield _build_blank(state, viewer)


def _build_blanks(state: State, viewer: PowerId, orders: Sequence[Order]) -> Iterator[str]:
    left = points_left(state, viewer, orders)
    if left < 0:
        yield f"REMOVE {BLANK}  # {', '.join(f'{order.kind} {order.at}' for order in removals(state, viewer))}"
    elif left > 0 and Waive() not in orders and any(True for _ in builds(state, viewer)):
        yield _build_blank(state, viewer)


def _build_blank(state: State, viewer: PowerId) -> str:
    kinds: dict[str, list[str]] = {}
    for order in builds(state, viewer):
        kinds.setdefault(order.kind, []).append(order.at)
    where = "; ".join(f"{kind}: {' '.join(places)}" for kind, places in kinds.items())
    return f"BUILD {BLANK}  # {where}"


def default(view: View) -> str:
    """A whole sheet for who wants to decide nothing, a line each: the set-up, or how a full capital is left.

    The set-up is that of a power that sends nothing. In the first season whoever sends nothing holds, and loses what
    its capital holds too much of; this sheet has it march out. Nothing in other phases. Ruling K26.
    """
    state, viewer = view.state, view.viewer
    if viewer is None or state.over:
        return ""
    if state.phase.kind is PhaseKind.SETUP:
        units = adjudicate_setup(state, {}).state.units
        return "\n".join(format_order(Build(unit.kind, unit.at)) for unit in units if unit.power == viewer)
    out = ways_out(state, viewer) if state.phase.kind is PhaseKind.MOVEMENT else {}
    orders = [
        out.get(number) or Manoeuvre(unit.kind, unit.sector, (Stay(),))
        for number, unit in enumerate(state.units)
        if unit.power == viewer and not unit.rests
    ]
    return "\n".join(map(format_order, orders)) if out else ""


def requests(view: View, orders: Sequence[Order]) -> tuple[Request, ...]:
    """Whom the orders ask to share with or to spare heroes: neither is anything unless the other orders it too."""
    viewer = view.viewer
    if viewer is None:
        return ()
    return tuple(
        Request(
            power=order.power,
            what=phrase("request.share" if order.deed == SHARE else "request.spare", power=viewer),
            answer=format_order(Grant(order.deed, viewer)),
        )
        for order in orders
        if isinstance(order, Grant) and order.deed in (SHARE, SPARE)
    )


def is_prophecy(order: Order) -> bool:
    """Whether an order is for what follows the season."""
    return isinstance(order, Prophecy)


def filed(view: View) -> tuple[str, ...]:
    """What the viewer foretold with the moves of the season and is not past yet."""
    viewer = view.viewer
    return tuple(map(format_prophecy, view.state.prophecies.get(viewer, ()))) if viewer is not None else ()
