"""A window while it is carried out: the one value that every step works on.

It begins as a copy of a State, collects the result of each line (`refuse`, `warn`, …), what happens (`tell`) and what
is gained and lost (`book`), and ends as the next State (`close`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, TypeVar

from engine.core.dice import Streams
from engine.core.events import Event, Facts
from engine.core.ids import PowerId
from engine.core.outcome import Audience, Outcome
from engine.core.phrases import Phrase, phrase
from engine.core.play import Over
from engine.kalevala.agents.facts import Agent, agent_row, agents_in
from engine.kalevala.artefacts.facts import Artefact, artefact_row, artefacts_in
from engine.kalevala.at_work import (
    AgentsAtWork,
    Bargains,
    BattlesAtWork,
    CaravansAtWork,
    GodsAtWork,
    KingsAtWork,
    MysticsAtWork,
    Numbered,
    TemplesAtWork,
)
from engine.kalevala.caravans.facts import Caravan, caravan_row, caravans_in, strange_ones
from engine.kalevala.coordinates import GfId, Province, gf_of, order_of
from engine.kalevala.figures import MONEY, NONE, Figures, load_of, warriors
from engine.kalevala.land import Land, land_of
from engine.kalevala.model import (
    DEEDS_PART,
    ORDERS_PART,
    Explored,
    GreatField,
    Letter,
    ModuleData,
    Permit,
    Piece,
    Ruler,
    State,
    TradeCentre,
)
from engine.kalevala.orders import Enter, Explore, Line, named
from engine.kalevala.planes.facts import Portal, mystic_in, portal_row, portals_in
from engine.kalevala.sea.craft import is_craft, laden, lightened
from engine.kalevala.tables import MOST_GOODS, WAYS
from engine.kalevala.trade.fiefs import Fief, fief_row, fiefs_in
from engine.kalevala.view import view_of

T = TypeVar("T")
U = TypeVar("U")
P = TypeVar("P", GfId, Province)


@dataclass(slots=True)
class Verdict:
    """The result of a line. Source: rules 33

    Args:
        codes: its V and W codes, in the order found.
        word: why a line without a code failed.
        args: the arguments of its phrase.
    """

    outcome: Outcome = Outcome.SUCCEEDS
    codes: list[str] = field(default_factory=list)
    word: str | None = None
    args: dict[str, Any] = field(default_factory=dict)

    @property
    def why(self) -> str | None:
        """The first code, else the word."""
        return self.codes[0] if self.codes else self.word


@dataclass(frozen=True, slots=True)
class Booking:
    """How many more (or fewer) of an item a ruler has, and the reason as one word."""

    ruler: PowerId
    item: str
    amount: int
    why: str


@dataclass(frozen=True, slots=True)
class Scout:
    """An exploration that is queued for P2.

    Args:
        depth: its place in the chain, counted from the last own province, from 1.
        after: the exploration in whose target it starts; `None`: it starts in an own province.
        by_craft: the ruler's craft are where it starts, or have come along. Source: rules R-084, ruling KA27
        is_sure: the ruler knows enough to be sure that the scouts arrive.
    """

    ruler: PowerId
    line: Line
    order: Explore
    source: Province
    depth: int
    after: int | None
    by_craft: bool = False
    is_sure: bool = False


@dataclass(frozen=True, slots=True)
class Entering:
    """An entry that waits for P4: where it starts, and its target."""

    ruler: PowerId
    line: Line
    order: Enter
    source: Province
    target: Province


class Window:
    """Everything that a window works on. What it holds of a State is a copy that may change."""

    def __init__(self, state: State, sheets: Mapping[PowerId, Sequence[Line]], dice: Streams | None) -> None:
        """`dice`: `None` in a rehearsal, which needs none."""
        self.state = state
        self.sheets = {ruler: _numbered(sheets[ruler]) for ruler in state.rulers if ruler in sheets}
        self.dice = dice
        self.gr = state.gr
        self.rulers: dict[PowerId, Ruler] = dict(state.rulers)
        self.fields: dict[GfId, GreatField] = dict(state.land)
        self.owners: dict[Province, PowerId] = dict(state.owners)
        self.stacks: dict[PowerId, dict[Province, dict[str, int]]] = {
            ruler: {province: dict(figures) for province, figures in state.stacks.get(ruler, {}).items()}
            for ruler in state.rulers
        }
        self.seen = {ruler: dict(rows) for ruler, rows in state.seen.items()}
        self.centres = {ruler: dict(rows) for ruler, rows in state.centres.items()}
        self.newly = {ruler: dict(rows) for ruler, rows in state.newly.items()}
        self.permits: list[Permit] = list(state.permits)
        self.contested = dict(state.contested)
        self.watch = {ruler: dict(rows) for ruler, rows in state.watch.items()}
        self.known = {ruler: set(provinces) for ruler, provinces in state.known.items()}
        self.explored: dict[PowerId, list[Explored]] = {ruler: list(rows) for ruler, rows in state.explored.items()}
        self.used = {ruler: set(units) for ruler, units in state.used.items()}
        self.letters: list[Letter] = list(state.letters)
        self.courier: list[Piece] = list(state.courier)
        self.modules: ModuleData = state.modules
        self.agents: dict[Numbered, Agent] = {(each.ruler, each.number): each for each in agents_in(state.modules)}
        self.caravans: dict[Numbered, Caravan] = {
            (each.ruler, each.number): each for each in caravans_in(state.modules)
        }
        self.portals: dict[PowerId, Portal] = {portal.ruler: portal for portal in portals_in(state.modules)}
        self.artefacts: dict[int, Artefact] = {each.number: each for each in artefacts_in(state.modules)}
        self.fiefs: list[Fief] = fiefs_in(state.modules)
        self.over: Over | None = state.over
        # Only during the window.
        # Money and figures
        self.marks: dict[tuple[PowerId, Province], Counter[str]] = {}  # figures that have moved, so must stay
        self.armed: Counter[tuple[PowerId, Province]] = Counter()  # RE from arming that are still there
        self.made_by_slaves: Counter[tuple[PowerId, Province]] = Counter()  # RE in this round
        self.paid_for: Counter[tuple[PowerId, Province, str]] = Counter()  # RE turned into people, or into goods
        self.raised: set[tuple[GfId, object]] = set()  # buildings that have grown: once a round
        self.works_changed: dict[tuple[GfId, object], PowerId] = {}  # and who changed them first
        self.accounts: dict[PowerId, dict[str, Any]] = {ruler: {} for ruler in state.rulers}  # for the books
        self.spent: Counter[PowerId] = Counter()  # RE
        self.costs: dict[Numbered, int] = {}  # those of each line, by its number
        # Entries and battles
        self.scouts: list[Scout] = []
        self.entering: list[Entering] = []
        self.entered: set[Numbered] = set()  # rulers' EE that have gone in
        self.walked: list[Entering] = []  # guests who were let in, in this P4
        self.settling: dict[Province, dict[PowerId, tuple[Line, PowerId]]] = {}  # whom contestants name
        self.voyages: list[tuple[PowerId, Province, Province]] = []  # of craft, with whoever may be hidden aboard
        self.battles_at_work = BattlesAtWork()
        # Specialities
        self.agents_at_work = AgentsAtWork()
        self.caravans_at_work = CaravansAtWork()
        self.gods_at_work = GodsAtWork()
        self.kings_at_work = KingsAtWork()
        self.mystics_at_work = MysticsAtWork()
        self.temples_at_work = TemplesAtWork()
        self.bargains = Bargains()
        self.beginning: dict[PowerId, Line] = {}  # rulers who enter the game, and the line that says how
        # What came of it
        self.verdicts: dict[Numbered, Verdict] = {}
        self.events: list[Event] = []
        self.bookings: list[Booking] = []
        # Caches
        self._land: Land | None = None
        self._entries: dict[PowerId, dict[tuple[int, GfId], list[Line]]] = {}
        self._built: dict[PowerId, dict[GfId, GreatField]] = {}
        self._sights: dict[PowerId, tuple[State, Land]] = {}

    def forked(self) -> Window:
        """A copy that can be changed separately; the results of lines so far are shared."""
        return _forked_record(self)

    # The land

    @property
    def land(self) -> Land:
        """The land as it is now."""
        if self._land is None:
            self._land = land_of(replace(self.state, land=self.fields))
        return self._land

    def set_field(self, at: GfId | Province, **changes: Any) -> None:
        """Change something of a great field."""
        gf = gf_of(at)
        before = self.land.field(gf)
        self.fields[gf] = replace(before, **changes)
        if any(work.type in ("BR", *WAYS) for work in (*before.works, *self.fields[gf].works)):
            self._land = None  # links may have changed
            owner = self.owners.get(Province(at))
            if owner is not None:
                self._built.setdefault(owner, {})[gf] = self.fields[gf]
                self._sights.pop(owner, None)

    def forget_land(self) -> None:
        """A field was divided anew: its provinces have changed."""
        self._land = None
        self._sights.clear()

    def centre(self, province: Province) -> TradeCentre | None:
        """The founded trade centre of a province."""
        centre = self.land.centre(province)
        return centre if centre is not None and centre.is_founded else None

    def set_centre(self, province: Province, **changes: Any) -> None:
        """Change something of a province's trade centre, or its site."""
        centre = self.land.centre(province)
        if centre is not None:
            self.set_field(province, centre=replace(centre, **changes))

    def sight(self, ruler: PowerId) -> tuple[State, Land]:
        """What a ruler knew when the window opened, and has built since: only this may be a reason to refuse a line."""
        if ruler not in self._sights:
            if self.state.is_fogged:
                self._sights[ruler] = self.state, self.land
            else:
                state = replace(self.state, land={**self.state.land, **self._built.get(ruler, {})})
                seen = view_of(state, ruler, land_of(state))
                self._sights[ruler] = seen, land_of(seen)
        return self._sights[ruler]

    # Realms

    def owned(self, ruler: PowerId) -> list[Province]:
        """The provinces of a ruler, in their order."""
        return sorted((province for province, owner in self.owners.items() if owner == ruler), key=order_of)

    def own_place(self, ruler: PowerId, named: Province) -> Province | None:
        """The province that a ruler means by a name: one of the parts that they own, if there is one.

        Source: rules R-082
        """
        own = {*self.stacks[ruler], *(place for place, owner in self.owners.items() if owner == ruler)}
        # In a rehearsal figures may be in a part that is not on the ruler's map yet.
        return named if named in own else self.land.meant(named, own=own)

    def find_own(self, ruler: PowerId, named: Province) -> Province | None:
        """The province with this name, if the ruler owns it."""
        found = self.own_place(ruler, named)
        return found if found is not None and self.owners.get(found) == ruler else None

    def capital_of(self, ruler: PowerId) -> Province | None:
        """The capital that a ruler holds."""
        capital = self.rulers[ruler].capital
        return capital if capital is not None and self.owners.get(capital) == ruler else None

    def find_mystic(self, ruler: PowerId) -> tuple[Province, str] | None:
        """Where a ruler's mystic is, and how he is written there; `None`: there is none."""
        stacks = self.stacks[ruler]
        found = ((place, mystic_in(stacks[place])) for place in sorted(stacks, key=order_of))
        return next(((place, item) for place, item in found if item is not None), None)

    def join(self, ruler: PowerId, own: Ruler) -> None:
        """Add a new ruler, who has nothing yet."""
        self.rulers[ruler] = own
        self.stacks[ruler] = {}
        self.accounts[ruler] = {}

    # Stacks

    def stack(self, ruler: PowerId, province: Province) -> Figures:
        """What a ruler has in a province."""
        return self.stacks[ruler].get(province, NONE)

    def unmarked(self, ruler: PowerId, province: Province) -> Figures:
        """The figures of a stack that may still move. Source: rules R-107"""
        marks = self.marks.get((ruler, province), NONE)
        return {item: count - marks.get(item, 0) for item, count in self.stack(ruler, province).items()}

    def money(self, ruler: PowerId, province: Province) -> int:
        """The RE that a ruler has in a province."""
        return self.stack(ruler, province).get(MONEY, 0)

    def most_goods(self, ruler: PowerId, province: Province) -> int:
        """The RE that can still become animals, gear and works there in this round. Source: rules 11.4, 23.3"""
        return MOST_GOODS + self.made_by_slaves[ruler, province]

    def free_money(self, ruler: PowerId, province: Province) -> int:
        """The RE there that no entry will take along, no deed of trade gives away and no rift or vortex may cost."""
        going = [each.order.figures for each in self.entering if (each.ruler, each.source) == (ruler, province)]
        offers = (each for each in self.bargains.offers if each.caravan is None)
        given = [each.order.figures for each in offers if (each.ruler, each.place) == (ruler, province)]
        named = sum(dict(figures).get(MONEY, 0) for figures in (*going, *given))
        return self.money(ruler, province) - named - self.mystics_at_work.money_due[ruler, province]

    def renumber(self, ruler: PowerId, before: str, after: str) -> None:
        """Entries still to come that name a figure by its number (`Z/60`) go on with it under its new one. R-119"""
        left = sum(stack.get(before, 0) for stack in self.stacks[ruler].values())
        for place, entry in enumerate(self.entering):
            figures = Counter(dict(entry.order.figures))
            if entry.ruler == ruler and (ruler, entry.order.ee) not in self.entered and figures[before] > left:
                figures.update({before: -1, after: 1})
                self.entering[place] = replace(entry, order=replace(entry.order, figures=named(+figures)))

    def change_number(self, ruler: PowerId, province: Province, before: str, after: str, why: str) -> None:
        """A figure, ashore or aboard, has gained or spent ZEH (`Z/60`); if it has moved, it stays marked as moved."""
        if before == after:
            return
        old, new = before, after
        if before not in self.stack(ruler, province):
            old = next(each for each in self.stack(ruler, province) if load_of(each).get(before))
            new = laden(lightened(old, {before: 1}), {after: 1})
        is_marked = old in +self.marks.get((ruler, province), Counter())
        self.put(ruler, province, old, -1)
        self.put(ruler, province, new, 1, is_marked=is_marked)
        self.bookings += [Booking(ruler, before, -1, why), Booking(ruler, after, 1, why)]
        self.renumber(ruler, old, new)

    def has_warrior(self, ruler: PowerId, province: Province) -> bool:
        """Whether a warrior of the ruler's stands there."""
        return warriors(self.stack(ruler, province)) > 0

    def breaks_watch(self, ruler: PowerId, province: Province, figures: Figures) -> bool:
        """Whether these figures can't go because too few warriors would stay for those on watch. Ruling KA21"""
        going, on_watch = warriors(figures), self.watch.get(ruler, {}).get(province, 0)
        return going > 0 and warriors(self.stack(ruler, province)) - going < on_watch

    def book(
        self, ruler: PowerId, province: Province, item: str, amount: int, why: str, *, is_marked: bool = False
    ) -> None:
        """Give a ruler this many of an item in a province (or take them), and note why."""
        if amount:
            self.put(ruler, province, item, amount, is_marked=is_marked)
            self.bookings.append(Booking(ruler, item, amount, why))

    def put(self, ruler: PowerId, province: Province, item: str, amount: int, *, is_marked: bool = False) -> None:
        """Put this many of an item into a province, or take them away: unmarked ones first."""
        own = self.stacks[ruler].setdefault(province, {})
        marks = self.marks.setdefault((ruler, province), Counter())
        own[item] = own.get(item, 0) + amount
        assert own[item] >= 0, "more is taken than there is"
        if amount > 0 and is_marked:
            marks[item] += amount
        marks[item] = min(marks[item], own[item])
        if not own[item]:
            del own[item]
        if item == MONEY:
            key = ruler, province
            self.armed[key] = min(self.armed[key], own.get(MONEY, 0) - marks[MONEY])
        if not own:
            del self.stacks[ruler][province]

    def shift(
        self, ruler: PowerId, figures: Figures, source: Province, target: Province, *, is_marked: bool = True
    ) -> None:
        """Move figures of a ruler from province to province."""
        if any(map(is_craft, figures)):
            self.voyages.append((ruler, source, target))
        for item, count in figures.items():
            self.put(ruler, source, item, -count)
            self.put(ruler, target, item, count, is_marked=is_marked)

    # Results of lines

    def lines(self, ruler: PowerId) -> Sequence[Line]:
        """A ruler's lines, in written order."""
        return self.sheets.get(ruler, ())

    def next_entry(self, ruler: PowerId, ee: int, target: GfId, after: int) -> Enter | None:
        """The first entry below a line of the ruler's sheet with this EE number and into this great field."""
        if ruler not in self._entries:
            rows = self._entries[ruler] = {}
            for line in self.lines(ruler):
                if isinstance(line.order, Enter):
                    rows.setdefault((line.order.ee, gf_of(line.order.target)), []).append(line)
        lines = self._entries[ruler].get((ee, target), [])
        at = bisect_right(lines, after, key=lambda line: line.number)
        order = lines[at].order if at < len(lines) else None
        return order if isinstance(order, Enter) else None

    def verdict(self, ruler: PowerId, line: Line) -> Verdict:
        """The result of a line so far."""
        return self.verdicts.setdefault((ruler, line.number), Verdict())

    def refuse(self, ruler: PowerId, line: Line, code: str, **args: Any) -> None:
        """The line fails a test, and has no effect at all. Source: rules R-103"""
        self._judge(ruler, line, Outcome.INVALID, code, args)

    def refuse_land(self, ruler: PowerId, line: Line, *named: str) -> None:
        """The land that a line names is not the ruler's own; contested land is told apart. Source: rules R-112"""
        own = (place for place, names in self.contested.items() if ruler in names)
        contested = next((place for place in own if {place, gf_of(place)} & {*named}), None)
        which = "" if contested is None else "contested_land"
        self.refuse(ruler, line, "V02", place=contested or named[0], which=which)

    def void(self, ruler: PowerId, line: Line, code: str, **args: Any) -> None:
        """The line was legal, but the situation had changed when its turn came."""
        self._judge(ruler, line, Outcome.VOID, code, args)

    def warn(self, ruler: PowerId, line: Line, code: str, **args: Any) -> None:
        """The line is accepted, with a warning."""
        verdict = self.verdict(ruler, line)
        if code not in verdict.codes:
            verdict.codes.append(code)
            verdict.args |= args
        if code == "W1":
            verdict.outcome = Outcome.ALTERED

    def fail(self, ruler: PowerId, line: Line, word: str, **args: Any) -> None:
        """The line fails by chance, or for a reason that nobody could know."""
        verdict = self.verdict(ruler, line)
        verdict.outcome, verdict.word = Outcome.FAILED, word
        verdict.codes.clear()
        verdict.args |= args

    def succeed(self, ruler: PowerId, line: Line) -> None:
        """One of the attempts of a line has worked, whatever came of the others. Source: ruling KA128"""
        self.verdicts.pop((ruler, line.number), None)

    def _judge(self, ruler: PowerId, line: Line, outcome: Outcome, code: str, args: Mapping[str, Any]) -> None:
        verdict = self.verdict(ruler, line)
        verdict.outcome = outcome
        verdict.codes = [code]
        verdict.args |= args

    def is_refused(self, ruler: PowerId, line: Line) -> bool:
        """Whether the line has failed a test."""
        found = self.verdicts.get((ruler, line.number))
        return found is not None and found.outcome is Outcome.INVALID

    # What happens

    def tell(
        self,
        code: str,
        to: Iterable[PowerId] | None,
        args: Mapping[str, Any],
        *,
        words: str = "",
        is_for_masters: bool = False,
        is_written: bool = False,
        **more: Any,
    ) -> None:
        """Report to some rulers, or everybody (`None`), that something happened.

        Source: rules 34.1.

        Args:
            args: the data, as JSON.
            words: the phrase for it, if it isn't the code's own.
            is_for_masters, is_written: as in `Event`.
            more: further arguments of the phrase, besides the plain ones of `args`.
        """
        plain = {key: value for key, value in args.items() if not isinstance(value, list | dict)}
        listed = {key: tuple(value) if isinstance(value, list) else value for key, value in more.items()}
        what = Phrase(f"event.{words or code}", {**plain, **listed})
        audience: Audience = None if to is None else frozenset(to)
        self.events.append(Event(what, audience, Facts(code, dict(args)), is_for_masters, is_written))

    def _modules(self) -> ModuleData:
        """Data of modules, with the agents and fiefs as they are now."""
        modules = {**self.modules, "fiefs": [fief_row(fief) for fief in self.fiefs]}
        modules["caravans"] = [
            *(caravan_row(self.caravans[key]) for key in sorted(self.caravans)),
            *strange_ones(self.modules),
        ]
        if self.portals:
            modules["portals"] = [portal_row(self.portals[ruler]) for ruler in sorted(self.portals)]
        if self.artefacts:
            modules["things"] = [artefact_row(self.artefacts[number]) for number in sorted(self.artefacts)]
        if not self.agents and not self.modules.get("agents"):
            return modules
        seats = list(self.rulers)
        agents = sorted(self.agents.values(), key=lambda agent: (seats.index(agent.ruler), agent.number))
        return {**modules, "agents": [agent_row(agent) for agent in agents]}

    # The end

    def close(self) -> State:
        """The State after the window: the next part, or the first of the next great round."""
        is_next = self.state.part == DEEDS_PART
        rulers = self.rulers
        return replace(
            self.state,
            gr=self.gr + 1 if is_next else self.gr,
            part=ORDERS_PART if is_next else DEEDS_PART,
            rulers=rulers,
            land=dict(self.fields),
            owners={province: self.owners[province] for province in sorted(self.owners, key=order_of)},
            stacks={
                ruler: {province: dict(own[province]) for province in sorted(own, key=order_of)}
                for ruler, own in self.stacks.items()
                if own
            },
            explored=_kept(rulers, self.explored, tuple) if not is_next else {},
            used=_kept(rulers, self.used, lambda units: tuple(sorted(units))) if not is_next else {},
            known=_kept(rulers, self.known, frozenset),
            seen=_kept(rulers, self.seen, _sorted),
            centres=_kept(rulers, self.centres, _sorted),
            newly=_kept(rulers, self.newly, _sorted),
            permits=tuple(self.permits),
            contested={province: self.contested[province] for province in sorted(self.contested, key=order_of)},
            watch=_kept(rulers, self.watch, _sorted) if not is_next else {},
            letters=tuple(self.letters),
            courier=tuple(self.courier),
            over=self.over,
            modules={key: rows for key, rows in self._modules().items() if rows},
            dice={},
            rulings={},
            absences={},
            answers={},
            decrees=(),
            is_excused=False,
        )


Step: TypeAlias = Callable[[Window], None]


def _forked(value: Any) -> Any:
    """A container, or a record of them, with copies of its inner containers; all else in it stays the same."""
    fork = _FORKS.get(type(value))
    return value if fork is None else fork(value)


def _forked_dict(value: dict[Any, Any]) -> dict[Any, Any]:
    # It holds either only containers, or none.
    for first in value.values():
        is_deep = type(first) in _FORKS
        return {key: _forked(each) for key, each in value.items()} if is_deep else value.copy()
    return {}


def _forked_record(value: T) -> T:
    found = copy(value)
    vars(found).update((name, _forked(each)) for name, each in vars(value).items())
    return found


def _forked_counter(value: Counter[Any]) -> Counter[Any]:
    counted: Counter[Any] = Counter.__new__(Counter)
    dict.update(counted, value)  # its own copy() counts again, which takes four times as long
    return counted


_RECORDS: tuple[type, ...] = (
    AgentsAtWork, CaravansAtWork, GodsAtWork, KingsAtWork, MysticsAtWork, TemplesAtWork, BattlesAtWork, Bargains,
)  # fmt: skip
_FORKS: Mapping[type, Callable[[Any], Any]] = {
    list: list.copy, set: set.copy, dict: _forked_dict, Counter: _forked_counter,
    **dict.fromkeys(_RECORDS, _forked_record),
}  # fmt: skip


def _kept(rulers: Iterable[PowerId], rows: Mapping[PowerId, T], freeze: Callable[[T], U]) -> dict[PowerId, U]:
    """What is kept for each ruler, in seat order, without empty values."""
    return {ruler: freeze(rows[ruler]) for ruler in rulers if rows.get(ruler)}


def _sorted(rows: Mapping[P, T]) -> dict[P, T]:
    return {place: rows[place] for place in sorted(rows, key=order_of)}


def _numbered(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Lines with numbers: those without one get that of their place. Returned by number, whatever their order."""
    found = [line if line.number else replace(line, number=place) for place, line in enumerate(lines, 1)]
    return tuple(sorted(found, key=lambda line: line.number))


def purpose(code: str, **args: Any) -> Phrase:
    """The purpose of a roll."""
    return phrase(f"roll.{code}", **args)


def in_seat_order(window: Window, names: Iterable[PowerId]) -> Iterator[PowerId]:
    """Rulers in the order of their seats."""
    wanted = set(names)
    return (ruler for ruler in window.rulers if ruler in wanted)
