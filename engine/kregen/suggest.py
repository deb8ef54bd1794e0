"""Completes what a player types to legal orders, second steps too. Whatever is suggested can be read and is legal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from engine.core.gazetteer import gazetteer_of
from engine.core.ids import PlaceId, PowerId, ProvinceId
from engine.core.words import tokens_of
from engine.kregen.check import check
from engine.kregen.legality import find_objection
from engine.kregen.listing import Ways, acts, duels, heroes_of, legal
from engine.kregen.model import (
    ARMY,
    LET_PASS,
    SHARE,
    SPARE,
    ActStep,
    Aid,
    Betray,
    BuildHero,
    Capital,
    Convoy,
    Duel,
    Go,
    Grant,
    Manoeuvre,
    Order,
    Sail,
    State,
    Stay,
    Support,
    View,
    With,
    format_order,
    subject,
)
from engine.kregen.parse import parse
from engine.kregen.prophecy import Prophecy
from engine.provinces.matching import LONGEST, Matcher, PlaceSlot, Slot, WordSlot
from engine.provinces.orders import Build, Disband, Remove, Retreat, Waive
from engine.provinces.phases import PhaseKind

_MOST_WORDS = 30
_KIND_WORDS: Mapping[str, frozenset[str]] = {
    "A": frozenset({"a", "army"}), "F": frozenset({"f", "fleet"}), "H": frozenset({"h", "hero"}),
}  # fmt: skip
_GRANTS = {"share": 2, "spare": 1, "let": 2}
"""Words before the power's name."""
_PAIR_WORDS = frozenset({"ff", "fleets"})


def suggest(view: View, typed: str, *, limit: int = 25) -> tuple[str, ...]:
    """Legal orders that a beginning could become, best first; for nothing typed, the first of each subject.

    Of several orders, separated by `;` or line ends, the last is completed and the others are kept in front.
    """
    text = typed.replace("\n", ";")[-4000:]
    head, _, tail = text.rpartition(";")
    kept = parse(head, view)
    if kept.errors or any(check(view, kept.orders)):
        return ()
    front = "".join(f"{format_order(read.order)}; " for read in kept.orders)
    taken = {subject(read.order) for read in kept.orders}
    texts = (front + found for found in dict.fromkeys(_completions(view, tail, taken)))
    return tuple(found for found in texts if len(found) <= LONGEST)[:limit]


def _completions(view: View, tail: str, taken: set[str]) -> Iterable[str]:
    words = _words(tail[:300])
    listed = legal(view)
    if not words:
        return [format_order(orders[0]) for key, orders in listed.items() if key not in taken]
    if len(words) > _MOST_WORDS:
        return []
    matcher = Matcher(gazetteer_of(view.state.variant), words)
    ranked: list[tuple[int, int, int, str]] = []
    for order in _candidates(view, listed, tail):
        cost = matcher.cost_of(_slots(view.state, order))
        if cost is not None:
            steps = len(order.steps) if isinstance(order, Manoeuvre) else 1
            ranked.append((cost, steps, len(ranked), format_order(order)))
    return [*_as_read(view, tail), *(text for *_, text in sorted(ranked))]


def _words(text: str) -> tuple[str, ...]:
    """The words of a text; where the commas stand does not matter."""
    return tuple(token.word for token in tokens_of(text.replace(",", " ")) if token.word not in ("…", ":"))


def _candidates(view: View, listed: Mapping[str, Sequence[Order]], tail: str) -> Iterator[Order]:
    for orders in listed.values():
        yield from orders
    if view.viewer is None or view.state.phase.kind is not PhaseKind.MOVEMENT:
        return
    if "," in tail:
        yield from _continued(view, tail)
    words = [word for word in _words(tail) if word not in _KIND_WORDS["H"]]
    verb = words[0] if words else ""
    if verb == "duel" and len(words) > 1:
        yield from duels(view.state, heroes_of(view.state, view.viewer))
    if len(words) > _GRANTS.get(verb, len(words)):
        # Whether or not it could matter now: whoever names the power wants it.
        grants = (Grant(deed, power) for deed in (SHARE, SPARE, LET_PASS) for power in view.state.variant.powers)
        yield from (grant for grant in grants if find_objection(view.state, view.viewer, grant) is None)


def _continued(view: View, tail: str) -> Iterator[Manoeuvre]:
    """What could follow a first step that is written already; also supports for units that are still to come."""
    assert view.viewer is not None
    parsed = parse(tail.partition(",")[0], view)
    for read in parsed.orders:
        act = read.order
        if not isinstance(act, Manoeuvre) or len(act.steps) != 1 or act.kind == ARMY:
            continue
        ways = Ways(view.state, view.viewer)
        for unit in ways.units:
            if (unit.kind, unit.sector) == (act.kind, act.at):
                for step in ways.steps(unit, act.steps[0], is_whole=True):
                    yield from acts(unit, act.steps[0], step, is_pair=act.is_pair)


def _as_read(view: View, tail: str) -> list[str]:
    """What the words say already."""
    parsed = parse(tail, view)
    if len(parsed.orders) != 1 or parsed.errors or any(check(view, parsed.orders)):
        return []
    return [format_order(parsed.orders[0].order)]


# What a text of an order consists of


def _one_of(*words: str, is_optional: bool = False) -> WordSlot:
    return WordSlot(frozenset(words), is_optional)


_TO = _one_of("-", "to", is_optional=True)
_LATE = (_one_of("/"), _one_of("2"))


def _kind(kind: str, *, is_pair: bool = False) -> WordSlot:
    return WordSlot(_PAIR_WORDS if is_pair else _KIND_WORDS[kind], is_optional=not is_pair)


def _slots(state: State, order: Order) -> tuple[Slot, ...]:
    match order:
        case Manoeuvre(kind, at, steps, is_late, is_pair):
            late = _LATE if is_late else ()
            return (_kind(kind, is_pair=is_pair), _at(at), *_all(map(_step_slots, steps)), *late)
        case Duel(at, number, is_capture, of):
            whose = (_one_of("of"), *_power(state, of)) if of else ()
            end = (_one_of(str(number)), _one_of("capture" if is_capture else "kill", is_optional=True))
            return (_one_of("duel"), _kind("H"), _at(at), *whose, *end)
        case Grant(deed, power):
            return (*(_one_of(word) for word in deed.split()), *_power(state, power))
        case Capital(at):
            return _one_of("capital"), _at(at)
        case Disband(kind, at):
            return _kind(kind), _at(at), _one_of("d", "disband")
        case Retreat(kind, at, to):
            return _kind(kind), _at(at), _one_of("r", "retreat", "-"), _at(to)
        case Build(kind, at):
            return _one_of("build", "b", is_optional=True), _kind(kind), _at(at)
        case BuildHero(at, besides):
            return _one_of("build", "b", is_optional=True), _kind("H"), _at(at), _at(besides)
        case Remove(kind, at):
            return _one_of("remove"), _kind(kind), _at(at)
        case Waive():
            return (_one_of("waive"),)
        case Prophecy():
            return tuple(_one_of(word) for word in _words(format_order(order)))


def _at(place: ProvinceId | PlaceId) -> PlaceSlot:
    return PlaceSlot(PlaceId(place))


def _all(parts: Iterable[tuple[Slot, ...]]) -> tuple[Slot, ...]:
    return tuple(slot for part in parts for slot in part)


def _step_slots(step: ActStep) -> tuple[Slot, ...]:
    match step:
        case Stay():
            return (_one_of("h", "hold", "holds"),)
        case Go(to):
            return _TO, _at(to)
        case Sail(route, to):
            return _all((_TO, _at(at)) for at in (*route, to))
        case Support(kind, of, to):
            goal = (_TO, _at(to)) if to else ()
            return (_one_of("s", "support", "supports"), _kind(kind), _at(of), *goal)
        case Convoy(loads):
            named = _all((_kind(ARMY), _at(origin), _TO, _at(to)) for origin, to in loads)
            return (_one_of("c", "convoy", "convoys"), *named)
        case With(kind, at, to):
            place = (_at(at),) if at else ()
            goal = (_TO, _at(to)) if to else ()
            return (_one_of("with"), _kind(kind), *place, *goal)
        case Aid():
            return (_one_of("aid"),)
        case Betray(to):
            return _one_of("betray"), _one_of("to", is_optional=True), _one_of(*to.split("_"))


def _power(state: State, power: PowerId) -> tuple[Slot, ...]:
    return (_one_of(power, *_words(state.variant.powers[power].name)),)
