"""The order sheet of a power: what new orders replace, what is still missing, and a template to fill in."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from engine.core.ids import PowerId
from engine.core.orders import Missing
from engine.core.phrases import Phrase, phrase
from engine.feudal import choosing
from engine.feudal.adjustments import build_flaw, default_builds, empty_centres, quota_of, with_king
from engine.feudal.board import land_of
from engine.feudal.legality import wanted_orders
from engine.feudal.listing import legal
from engine.feudal.model import WAIVE, Castle, Choose, Order, State, View, format_order, subject
from engine.provinces.orders import BLANK, Build, Retreat, Waive
from engine.provinces.phases import PhaseKind


def amend(view: View, standing: Sequence[Order], new: Sequence[Order]) -> tuple[Order, ...]:
    """A sheet with new orders put in: lists by rank, builds and units in map order.

    A new order replaces the one for its subject. A list gives up an entry that is named anew, and its last ones where
    it grows too long, and its ranks close up where one is beyond its length; builds give up whatever the new ones leave
    no room for.
    """
    fresh = {subject(order): order for order in new}
    sheet = {subject(order): order for order in standing if subject(order) not in fresh}
    named = {order.centre for order in fresh.values() if isinstance(order, Choose)}
    sheet = {key: order for key, order in sheet.items() if not (isinstance(order, Choose) and order.centre in named)}
    merged = [*sheet.values(), *fresh.values()]
    if view.viewer is not None and view.state.phase.kind is PhaseKind.SETUP:
        most = choosing.list_length(view.state, view.viewer)
        leaving = sorted(sheet, key=lambda key: _place_in(view.state, sheet[key]))[max(0, most - len(fresh)) :]
        if Choose in wanted_orders(view.state):
            merged = [order for order in merged if order in fresh.values() or subject(order) not in leaving]
            merged = _moved_up(merged, most)
    if view.viewer is not None and view.state.phase.kind is PhaseKind.ADJUSTMENTS:
        merged = _with_room(view.state, view.viewer, list(fresh.values()), list(sheet.values()))
    return tuple(sorted(merged, key=lambda order: _place_in(view.state, order)))


def _moved_up(orders: Sequence[Order], most: int) -> list[Order]:
    """A list of centres in which others were refused before those that stand. Source: rule 3, "move up"."""
    entries = sorted((order for order in orders if isinstance(order, Choose)), key=lambda entry: entry.rank)
    if not entries or entries[-1].rank <= most:
        return list(orders)
    return [replace(entry, rank=rank) for rank, entry in enumerate(entries, start=1)]


def _with_room(state: State, power: PowerId, fresh: Sequence[Order], standing: Sequence[Order]) -> list[Order]:
    """The new builds, and what stood before as far as there is room, the King first; what is waived last."""
    kept: list[Build] = [order for order in fresh if isinstance(order, Build)]
    builds = [order for order in standing if isinstance(order, Build)]
    for build in sorted(builds, key=lambda build: (build.kind != "K", build.at)):
        if build_flaw(state, power, build, kept) is None:
            kept.append(build)
    return [*kept, *(order for order in (*fresh, *standing) if isinstance(order, Waive))]


def _place_in(state: State, order: Order) -> tuple[int, int]:
    match order:
        case Choose(rank, _):
            return 0, rank
        case Castle():
            return 0, 0
        case Build(kind, at):
            # The King first, so that nothing is taken for his place.
            return int(kind != "K"), land_of(state.variant.board).space_of[at]
        case Waive():
            return 2, 0
        case _:
            return 0, land_of(state.variant.board).space_of[order.at]


def missing(view: View, orders: Sequence[Order]) -> tuple[Missing, ...]:
    """What the viewer could still give an order for: `A PAR`, `choice 2`, `castle`, `build PAR`; in map order."""
    state, viewer = view.state, view.viewer
    if viewer is None or state.over is not None or viewer in state.out:
        return ()
    given = {subject(order) for order in orders}
    if state.phase.kind is PhaseKind.SETUP:
        return _missing_choices(state, viewer, given)
    if state.phase.kind is PhaseKind.ADJUSTMENTS:
        left = () if WAIVE in given else state.owned(viewer)
        return tuple(
            Missing(phrase("missing.build", place=centre), (centre,)) for centre in left if centre not in given
        )
    rows = [row.unit for row in state.dislodged]
    units = rows if state.phase.kind is PhaseKind.RETREATS else state.units
    idle = (unit for unit in units if unit.power == viewer and unit.at not in given)
    return tuple(Missing(unit.name, (unit.at,)) for unit in idle)


def _missing_choices(state: State, viewer: PowerId, given: Collection[str]) -> tuple[Missing, ...]:
    if choosing.is_castle_round(state):
        return () if given else (Missing(phrase("missing.castle")),)
    if not choosing.must_choose(state, viewer) and not given:
        return ()
    asked = choosing.wanted if choosing.is_quick(state) else choosing.list_length
    ranks = range(1, asked(state, viewer) + 1)
    left = [
        Missing(phrase("missing.choice", rank=rank), (f"{rank}",)) for rank in ranks if f"CHOICE {rank}" not in given
    ]
    return tuple(left[: max(0, len(ranks) - len(given))])


def otherwise(view: View, orders: Sequence[Order]) -> tuple[Phrase, ...]:
    """Lots fill up a list, the first centre has the castle, units hold, knights retreat; and what the winter brings."""
    state, viewer = view.state, view.viewer
    if viewer is None:
        return ()
    if not orders and viewer in state.setup.got and not choosing.must_choose(state, viewer):
        return (phrase("otherwise.kept", place=state.setup.got[viewer]),)
    if not missing(view, orders):
        return ()
    match state.phase.kind:
        case PhaseKind.SETUP if choosing.is_castle_round(state):
            return (phrase("otherwise.castle", place=state.owned(viewer)[0]),)
        case PhaseKind.SETUP:
            if choosing.is_quick(state):
                code = "otherwise.short_list" if orders else "otherwise.no_list"
                return (phrase(code, count=choosing.wanted(state, viewer)),)
            return (phrase("otherwise.setup"),)
        case PhaseKind.RETREATS:
            given = {subject(order) for order in orders}
            own = [row for row in state.dislodged if row.unit.power == viewer and row.unit.at not in given]
            rows = [row for row in own if row.retreats]
            moves = tuple(format_order(Retreat(row.unit.kind, row.unit.at, row.retreats[0])) for row in rows)
            return (phrase("otherwise.retreats", moves=moves),)
        case PhaseKind.ADJUSTMENTS:
            return _units_of_the_year(state, viewer, [order for order in orders if isinstance(order, Build)])
    return (phrase("otherwise.movement"),)


def _units_of_the_year(state: State, viewer: PowerId, builds: Sequence[Build]) -> tuple[Phrase, ...]:
    """What will stand if nothing else is built, and what stays empty."""
    standing = with_king(state, viewer, builds) if builds else default_builds(state, viewer)
    units = tuple(f"{build.kind} {build.at}" for build in sorted(standing, key=lambda build: _place_in(state, build)))
    if not builds:
        return (phrase("otherwise.usual_builds", units=units),)
    empty = empty_centres(state, viewer, builds)
    named = phrase("otherwise.builds", units=units)
    return (named, phrase("otherwise.empty", places=empty)) if empty else (named,)


def default(view: View) -> str:
    """The builds of a player who sends nothing, a line each; nothing in other phases."""
    state, viewer = view.state, view.viewer
    if viewer is None or state.over or state.phase.kind is not PhaseKind.ADJUSTMENTS or viewer in state.out:
        return ""
    return "\n".join(map(format_order, default_builds(state, viewer)))


def template(view: View, orders: Sequence[Order]) -> str:
    """A sheet to fill in, which may be sent back as it is: a line is an order, or has a `…` and is ignored."""
    state, viewer = view.state, view.viewer
    if viewer is None or viewer in state.out or state.over is not None:
        return ""
    given = {subject(order): order for order in orders}
    if state.phase.kind is PhaseKind.ADJUSTMENTS:
        return "\n".join(_build_lines(state, viewer, orders))
    listed = legal(view)
    if state.phase.kind is PhaseKind.SETUP and choosing.is_quick(state) and not choosing.is_castle_round(state):
        # A long list may stay shorter than it could be: what is enough is asked for.
        enough = choosing.enough_entries(state, viewer)
        listed = {key: orders for index, (key, orders) in enumerate(listed.items()) if key in given or index < enough}
    lines = [format_order(given[key]) if key in given else _blank(view, key, listed[key]) for key in listed]
    return "\n".join(lines)


def _blank(view: View, key: str, orders: Sequence[Order]) -> str:
    match orders[0]:
        case Choose(rank, _):
            places = " ".join(order.centre for order in orders if isinstance(order, Choose))
            return f"CHOOSE {rank} {BLANK}  # {places}" if rank == 1 else f"CHOOSE {rank} {BLANK}"
        case Castle():
            return f"CASTLE {BLANK}  # {' '.join(order.centre for order in orders if isinstance(order, Castle))}"
        case Retreat(kind, at, _):
            choices = [f"R {order.to}" if isinstance(order, Retreat) else "D" for order in orders]
            return f"{kind} {at} {BLANK}  # {', '.join(choices)}"
    unit = orders[0]
    assert not isinstance(unit, Waive), "builds have lines of their own"
    near = land_of(view.state.variant.board).near[unit.at]
    return f"{unit.kind} {key} {BLANK}  # {' '.join(near)}"


def _build_lines(state: State, viewer: PowerId, orders: Sequence[Order]) -> list[str]:
    quota = quota_of(state, viewer)
    lines = [format_order(order) for order in orders]
    used = {subject(order) for order in orders}
    kinds = ["K", *(["N"] if quota.knights else []), "A", *(["W"] if quota.wizards else [])]
    for centre in state.owned(viewer):
        if centre not in used:
            lines.append(f"BUILD {BLANK} {centre}  # {' '.join(kinds)}")
    return lines
