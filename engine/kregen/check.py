"""Which lines of a sheet a power may not give, why, and what could have been meant.

Each is looked at by itself (`legality`, `omens`), and with the lines before it: two for one unit, too much for a
sector, for the points, for a set-up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from engine.core.errors import OrderError
from engine.core.gazetteer import gazetteer_of
from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.core.orders import ReadOrder
from engine.core.words import tokens_of
from engine.kregen.adjustments import Books
from engine.kregen.hints import hints_for
from engine.kregen.land import land_of
from engine.kregen.legality import find_objection, heroes_of_duel
from engine.kregen.model import (
    HERO,
    PIRATES,
    ROOM,
    STRENGTHS,
    BuildHero,
    Capital,
    Duel,
    Go,
    Grant,
    Manoeuvre,
    Order,
    State,
    View,
    format_order,
    subject,
)
from engine.kregen.objection import Objection
from engine.kregen.prophecy import Prophecy, head_of
from engine.kregen.setup import NationStart, PirateStart
from engine.provinces.orders import Build, Disband, Kind, Remove, Retreat, Waive
from engine.provinces.phases import PhaseKind

_MOST_HINTED = 10


def check(view: View, orders: Sequence[ReadOrder[Order]]) -> tuple[OrderError | None, ...]:
    """A verdict on each line; of two that exclude each other the later is refused, and stands in no later one's way."""
    verdicts: list[OrderError | None] = []
    refused = 0
    sheet = _Sheet(view, [read.order for read in orders])
    for read in orders:
        objection = sheet.barred or sheet.take(read.order)
        is_hinted = sheet.barred is None and refused < _MOST_HINTED
        verdicts.append(_error(view, read, objection, is_hinted=is_hinted) if objection else None)
        refused += objection is not None
    return tuple(verdicts)


class _Sheet:
    """The lines of a sheet that may be given, one after the other."""

    def __init__(self, view: View, orders: Sequence[Order]) -> None:
        self.state, viewer = view.state, view.viewer
        self.power = viewer or PowerId("")
        self.barred = _bar(self.state, viewer)
        self._left = Counter(_units(self.state, self.power))
        self._given: dict[object, Order] = {}
        self._going: Counter[tuple[ProvinceId, ProvinceId, int]] = Counter()
        self._books = Books(self.state, self.power)
        capitals = [order.at for order in orders if isinstance(order, Capital) and self._is_fine(order)]
        default = self.state.capitals.get(self.power, ProvinceId(""))
        self._nation = NationStart(self.state, self.power, capitals[0] if capitals else default)
        self._pirates = PirateStart(land_of(self.state.variant), orders)

    def _is_fine(self, order: Order) -> bool:
        return self.barred is None and find_objection(self.state, self.power, order) is None

    def take(self, order: Order) -> Objection | None:
        """Count a line, or return why it is refused."""
        objection = find_objection(self.state, self.power, order)
        if objection:
            return objection
        match order:
            case Manoeuvre() | Disband() | Retreat():
                return self._take_unit(order)
            case Build() | BuildHero() | Remove() | Waive():
                return self._take_build(order)
            case Duel():
                return self._take_once(heroes_of_duel(self.state, self.power, order), order)
            case Capital():
                return self._take_once(subject(order), order)
            case Grant():
                return None
            case Prophecy():
                return self._take_once(head_of(order), order)

    def _take_once(self, key: object, order: Order) -> Objection | None:
        earlier = self._given.setdefault(key, order)
        return None if earlier is order else Objection("duplicate", {"order": format_order(earlier)})

    def _take_unit(self, order: Manoeuvre | Disband | Retreat) -> Objection | None:
        """One line for each unit, and no more than a sector's troops from one sector to one target in an impulse.

        Source: rules 12.
        """
        sector = province_of(PlaceId(order.at))
        key = order.kind, sector
        many = 2 if isinstance(order, Manoeuvre) and order.is_pair else 1
        if self._left[key] < many:
            return Objection("duplicate", {"order": format_order(self._given[key])}, sector)
        if isinstance(order, Manoeuvre) and order.kind != HERO:
            ways = list(_ways(order))
            for way in ways:
                if self._going[way] + many * STRENGTHS[order.kind] > ROOM:
                    return Objection("too_many_together", {"place": way[0], "goal": way[1]}, way[1])
            self._going.update(dict.fromkeys(ways, many * STRENGTHS[order.kind]))
        self._left[key] -= many
        self._given.setdefault(key, order)
        return None

    def _take_build(self, order: Build | BuildHero | Remove | Waive) -> Objection | None:
        """Points and room for all builds together; removals need such a unit each."""
        if isinstance(order, Waive):
            return self._take_once("WAIVE", order)
        sector = province_of(order.at)
        if self.state.phase.kind is PhaseKind.SETUP:
            assert isinstance(order, Build | BuildHero), "there are no removals in the set-up"
            code = self._pirates.take(order) if self.power == PIRATES else self._nation.take(_plain(order))
            return Objection(code, {"place": sector}, sector) if code else None
        if isinstance(order, Remove):
            if self._books.remove(order):
                self._given.setdefault((order.kind, sector), order)
                return None
            return Objection("duplicate", {"order": format_order(self._given[order.kind, sector])}, sector)
        code = self._books.build(_plain(order))
        return Objection(code, {"place": sector, "points": _halves(self._books.free)}, sector) if code else None


def _plain(order: Build | BuildHero) -> Build:
    return order if isinstance(order, Build) else Build(HERO, order.at)


def _halves(points: int) -> str:
    return f"{max(points, 0) / 2:g}"


def _bar(state: State, viewer: PowerId | None) -> Objection | None:
    """Why this viewer may give no orders at all."""
    if state.over is not None:
        return Objection("game_over")
    if viewer is None or viewer not in state.variant.powers:
        return Objection("no_power")
    return None


def _units(state: State, power: PowerId) -> Iterator[tuple[Kind, ProvinceId]]:
    """What a power may give a line each: those driven out in a retreats phase, else all that stand."""
    rows = [row.unit for row in state.dislodged]
    units = rows if state.phase.kind is PhaseKind.RETREATS else state.units
    return ((unit.kind, unit.sector) for unit in units if unit.power == power)


def _ways(act: Manoeuvre) -> Iterator[tuple[ProvinceId, ProvinceId, int]]:
    """From where to where a unit goes in which impulse, as far as the order says."""
    at = act.at
    for impulse in (0, 1):
        step = act.in_impulse(impulse)
        if isinstance(step, Go):
            yield at, province_of(step.to), impulse
            at = province_of(step.to)


def _error(view: View, read: ReadOrder[Order], objection: Objection, *, is_hinted: bool) -> OrderError:
    start, end = _span(view.state, read, objection.at)
    power = view.viewer or PowerId("")
    return OrderError(
        line=read.line,
        column=start,
        end=end,
        text=read.text,
        code=objection.code,
        args=dict(objection.args),
        hints=hints_for(view.state, power, read.order, objection) if is_hinted else (),
        subject=_subject(view.state, power, read.order),
        order=format_order(read.order),
    )


def _span(state: State, read: ReadOrder[Order], name: str | None) -> tuple[int, int]:
    """Where the last mention of a sector, power or word stands in a line; the whole order if it is not found."""
    found = read.column, max(read.end, read.column + 1)
    if name is None:
        return found
    piece = read.text[read.column - 1 : read.end - 1]
    gazetteer, tokens = gazetteer_of(state.variant), tokens_of(piece)
    words = [token.word for token in tokens]
    for index, token in enumerate(tokens):
        end, places = gazetteer.match(words, index)
        if name in places and not (end == index + 1 and token.word in ("a", "f", "h", "s", "c")):
            found = read.column + token.start, read.column + tokens[end - 1].end
        elif token.word == name:
            found = read.column + token.start, read.column + token.end
    return found


def _subject(state: State, power: PowerId, order: Order) -> str | None:
    """What the line is for, where that is the viewer's own."""
    if isinstance(order, Manoeuvre | Disband | Retreat):
        is_own = (order.kind, province_of(PlaceId(order.at))) in set(_units(state, power))
        return subject(order) if is_own else None
    return None if isinstance(order, Prophecy) else subject(order)
