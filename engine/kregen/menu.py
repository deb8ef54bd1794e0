"""The guided flow: unit, what it does first, where; what it does then, where. Each step offers only what is legal.

A path is the values chosen so far. What follows a choice is found out only when it is made: all ways together would be
endless. The texts of choices are the phrases `menu.*`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby
from typing import TypeVar

from engine.core.ids import PlaceId, PowerId, ProvinceId, province_of
from engine.core.orders import Choice, Menu, Shortlist
from engine.core.phrases import Catalogue, Phrase, phrase
from engine.core.shortlists import joined, shortlist, walked
from engine.core.variant import load_phrases
from engine.kregen.legality import find_objection
from engine.kregen.listing import Ways, builds, capitals, duel_name, duel_of, grants, heroes_of, prophecies, removals
from engine.kregen.model import (
    ARMY,
    HERO,
    ActStep,
    Aid,
    Betray,
    Convoy,
    Go,
    Manoeuvre,
    Order,
    Sail,
    Stay,
    Support,
    Unit,
    View,
    With,
    format_order,
    format_step,
)
from engine.kregen.sheet import default
from engine.provinces.matching import LONGEST
from engine.provinces.orders import Build, Disband, Kind, Retreat, Waive
from engine.provinces.phases import PhaseKind

_T = TypeVar("_T")

DUEL, GRANT, PROPHECY, CAPITAL, DEFAULT = "duel", "grant", "prophecy", "capital", "default"
"""First choices besides units and places."""
ENOUGH = "enough"
"""The choice of no second step."""
_FAR = 9
"""From here on a step comes after the orders of two steps."""


@dataclass(frozen=True, slots=True)
class _Option:
    """A possible answer; `then`: the next question, or the canonical text of the order that the answers make."""

    value: str
    label: Phrase
    then: str | Callable[[], _Question]


@dataclass(frozen=True, slots=True)
class _Question:
    """A question with its possible answers."""

    prompt: Phrase
    options: tuple[_Option, ...]


def menu(view: View, path: Sequence[str], *, orders: Sequence[Order] = ()) -> Menu:
    """The step after the choices in `path`; the first one if there is no such path (any more).

    Nothing is left out because of orders already given: any of them can be replaced.
    """
    root = _root(view)
    if root is None:
        return Menu(phrase("menu.nothing"), ())
    return _menu(load_phrases(view.state.variant.system), _follow(root, path) or root)


def _root(view: View) -> _Question | None:
    """The first question of the phase, if there is anything to choose."""
    if view.viewer is None or view.state.over:
        return None
    root = _Guide(view, view.viewer).root()
    return root if root.options else None


def _menu(words: Catalogue, found: _Question | str) -> Menu:
    if isinstance(found, str):
        return Menu(phrase("menu.done"), (), found)
    return Menu(found.prompt, tuple(_choice(words, option) for option in found.options))


def _choice(words: Catalogue, option: _Option) -> Choice:
    return Choice(option.value, words.render(option.label)[:100])


def _follow(question: _Question, path: Sequence[str]) -> _Question | str | None:
    """What a path leads to; `None` if it leads nowhere."""
    found: _Question | str = question
    for value in path:
        if isinstance(found, str):
            return None
        option = next((option for option in found.options if option.value == value), None)
        if option is None:
            return None
        found = option.then if isinstance(option.then, str) else option.then()
    return found


def shortlists(view: View, firsts: Collection[str], orders: Sequence[Order]) -> tuple[Shortlist, ...]:
    """Whole orders of each unit, likeliest first: one step, then two moves; of what else there is, all if they are few.

    Numbers of duels are left to the guide, which asks for them digit by digit.
    """
    root = _root(view)
    if root is None or view.viewer is None:
        return ()
    words, standing = load_phrases(view.state.variant.system), tuple(map(format_order, orders))
    guide = _Guide(view, view.viewer)
    units = dict(guide.begun())
    found = []
    for option in root.options:
        first = _choice(words, option)
        if option.value not in firsts:
            continue
        if option.value in units:
            begun = units[option.value]
            short = ((format_order(act.act()), guide.say(words, act)) for act in guide.acts(begun, orders))
            own = [order for order in orders if isinstance(order, Manoeuvre | Disband) and begun.is_for(order)]
            # Of two steps there is always more than is listed.
            found.append(replace(shortlist(first, short, [format_order(order) for order in own]), is_all=False))
        elif option.value.startswith(f"{DUEL} "):
            found.append(Shortlist(first, (), is_all=False))
        else:
            found += _walked(words, _Question(root.prompt, (option,)), standing)
    return tuple(found)


def _walked(words: Catalogue, question: _Question, standing: Collection[str]) -> tuple[Shortlist, ...]:
    firsts = [option.value for option in question.options]
    return walked(lambda path: _menu(words, _follow(question, path) or question), firsts, standing)


class _Guide:
    """The questions of one player's flow."""

    def __init__(self, view: View, viewer: PowerId) -> None:
        self.view, self.state, self.viewer = view, view.state, viewer
        self.ways = Ways(view.state, viewer)

    def root(self) -> _Question:
        """What the first question of the phase is."""
        match self.state.phase.kind:
            case PhaseKind.SETUP:
                return _Question(phrase("menu.which_site"), (*self._capital(), *self._sites(), *self._default()))
            case PhaseKind.MOVEMENT:
                options = (*self._units(), *self._duels(), *self._grants(), *self._prophecies())
                return _Question(phrase("menu.which_unit"), options)
            case PhaseKind.RETREATS:
                return _Question(phrase("menu.which_retreat"), tuple(self._retreats()))
            case _:
                return _Question(phrase("menu.which_adjustment"), (*self._sites(), *self._removals(), *self._waiving()))

    # Set-up, builds and removals

    def _default(self) -> Iterator[_Option]:
        lines = default(self.view).splitlines()
        if lines:
            yield _Option(DEFAULT, phrase("menu.default"), "; ".join(lines))

    def _capital(self) -> Iterator[_Option]:
        cities = tuple(_Option(order.at, self._place(PlaceId(order.at)), format_order(order))
                       for order in capitals(self.state, self.viewer))  # fmt: skip
        if cities:
            yield _Option(CAPITAL, phrase("menu.capital"), lambda: _Question(phrase("menu.which_capital"), cities))

    def _sites(self) -> Iterator[_Option]:
        for site, orders in _grouped(builds(self.state, self.viewer), lambda order: province_of(order.at)):
            place = self._place(PlaceId(site))
            kinds = tuple(self._built(order) for order in orders)
            prompt = phrase("menu.build_what", place=place)
            yield _Option(site, phrase("menu.build_in", place=place), _to(prompt, kinds))

    def _built(self, order: Build) -> _Option:
        label = phrase("menu.build", kind=_kind(order.kind), place=self._place(order.at))
        return _Option(f"{order.kind} {order.at}", label, format_order(order))

    def _removals(self) -> Iterator[_Option]:
        orders = tuple(
            _Option(f"{order.kind} {order.at}", self._unit(order.kind, order.at), format_order(order))
            for order in removals(self.state, self.viewer)
        )
        if orders:
            yield _Option("remove", phrase("menu.remove"), _to(phrase("menu.which_removal"), orders))

    def _waiving(self) -> Iterator[_Option]:
        if any(True for _ in builds(self.state, self.viewer)):
            yield _Option("waive", phrase("menu.waive"), format_order(Waive()))

    def _retreats(self) -> Iterator[_Option]:
        rows = {(row.unit.kind, row.unit.sector): row for row in self.state.dislodged if row.unit.power == self.viewer}
        for (kind, sector), row in rows.items():
            name = self._unit(kind, PlaceId(sector))
            options = [
                _Option(to, phrase("menu.retreat", place=self._place(to)), format_order(Retreat(kind, row.unit.at, to)))
                for to in row.retreats
            ]
            if kind != HERO:
                options.append(_Option("disband", phrase("menu.disband"), format_order(Disband(kind, row.unit.at))))
            yield _Option(f"{kind} {sector}", name, _to(phrase("menu.retreat_where", unit=name), options))

    # Duels, grants, prophecies

    def _duels(self) -> Iterator[_Option]:
        for hero in heroes_of(self.state, self.viewer):
            name = self._unit(HERO, hero.at)
            if hero.of:
                name = phrase("menu.captive", unit=name, power=self._power(hero.of))
            deeds = (self._deed(hero, "kill"), self._deed(hero, "capture"))
            prompt = phrase("menu.duel_deed", unit=name)
            yield _Option(f"{DUEL} {duel_name(self.state, hero)}", phrase("menu.duel", unit=name), _to(prompt, deeds))

    def _deed(self, hero: Unit, deed: str) -> _Option:
        return _Option(deed, phrase(f"menu.{deed}"), lambda: self._tens(hero, deed == "capture"))

    def _tens(self, hero: Unit, is_capture: bool) -> _Question:
        options = [self._ten(hero, is_capture, ten) for ten in range(0, 100, 10)]
        hundred = _Option(
            "100", phrase("menu.number", number=100), format_order(duel_of(self.state, hero, 100, is_capture))
        )
        return _Question(phrase("menu.duel_tens"), (*options, hundred))

    def _ten(self, hero: Unit, is_capture: bool, ten: int) -> _Option:
        label = phrase("menu.tens", least=ten, most=ten + 9)
        return _Option(str(ten), label, lambda: self._ones(hero, is_capture, ten))

    def _ones(self, hero: Unit, is_capture: bool, ten: int) -> _Question:
        options = tuple(
            _Option(
                str(number),
                phrase("menu.number", number=number),
                format_order(duel_of(self.state, hero, number, is_capture)),
            )
            for number in range(ten, ten + 10)
        )
        return _Question(phrase("menu.duel_number"), options)

    def _grants(self) -> Iterator[_Option]:
        orders = sorted(grants(self.state, self.viewer), key=lambda order: order.deed)
        for deed, same in groupby(orders, lambda order: order.deed):
            powers = tuple(_Option(order.power, self._power(order.power), format_order(order)) for order in same)
            word = deed.split()[0]
            yield _Option(
                f"{GRANT} {word}", phrase(f"menu.grant.{word}"), _to(phrase(f"menu.grant_whom.{word}"), powers)
            )

    def _prophecies(self) -> Iterator[_Option]:
        texts = [text for text in prophecies(self.view) if len(text) <= LONGEST]
        options = tuple(_Option(text, phrase("menu.line", text=text), text) for text in texts)
        if options:
            yield _Option(PROPHECY, phrase("menu.prophecy"), _to(phrase("menu.which_prophecy"), options))

    # Units

    def _units(self) -> Iterator[_Option]:
        return (self._begin(value, begun) for value, begun in self.begun())

    def begun(self) -> Iterator[tuple[str, _Order]]:
        """The units that can be ordered in a move season, by their first choices; nobody in another phase."""
        if self.state.phase.kind is not PhaseKind.MOVEMENT:
            return
        for unit in self.ways.units:
            yield f"{unit.kind} {unit.sector}", _Order(unit)
            if self.ways.is_pair(unit):
                yield f"FF {unit.sector}", _Order(unit, is_pair=True)

    def _begin(self, value: str, begun: _Order) -> _Option:
        return _Option(value, self._name(begun), lambda: self._first(begun))

    def acts(self, begun: _Order, orders: Sequence[Order]) -> Iterator[_Order]:
        """What is likely of a unit, likeliest first."""
        moves = {(order.at, province_of(order.steps[0].to)) for order in orders
                 if isinstance(order, Manoeuvre) and isinstance(order.steps[0], Go)}  # fmt: skip
        movers, own = {start for start, _ in moves}, {unit.sector for unit in self.ways.units}

        def likely(step: ActStep) -> int:
            match step:
                case Go():
                    return 0
                case Stay():
                    return 1
                case Support(_, of, to) if of in own:
                    return 2 if (of, to) in moves else _FAR if of in movers else 4
                case Convoy() | Sail():
                    return 5
                case With():
                    return 3
            return _FAR

        steps = sorted(self.ways.steps(begun.unit), key=likely)
        near = [begun.with_step(step) for step in steps if likely(step) < _FAR]
        far = [begun.with_step(step) for step in steps if likely(step) >= _FAR]
        for act in chain(near, self._runs(begun), self._late(begun, steps), far):
            if self._stands(act):
                yield act

    def _runs(self, begun: _Order) -> Iterator[_Order]:
        """Two moves of a fleet or hero that end elsewhere than they began."""
        if begun.unit.kind == ARMY:
            return
        for first in self.ways.steps(begun.unit):
            for second in self.ways.steps(begun.unit, first) if isinstance(first, Go) else ():
                if isinstance(second, Go) and province_of(second.to) != begun.unit.sector:
                    yield begun.with_step(first).with_step(second)

    def _late(self, begun: _Order, steps: Sequence[ActStep]) -> Iterator[_Order]:
        """An army's moves in the second impulse alone."""
        if begun.unit.kind == ARMY:
            yield from (replace(begun.with_step(step), is_late=True) for step in steps if isinstance(step, Go))

    def say(self, words: Catalogue, order: _Order) -> str:
        """What a whole order does, step by step."""
        steps = [joined([words.render(label) for label in labels]) for labels in self._labels(order)]
        return steps[0] if len(steps) == 1 else words.render(phrase("menu.both_steps", first=steps[0], second=steps[1]))

    def _labels(self, act: _Order) -> Iterator[list[Phrase]]:
        for step in act.steps:
            labels = [phrase(f"menu.{_verb_of(step)}{'_late' if act.is_late else ''}")]
            if not isinstance(step, Stay | Aid):
                labels.append(self._target_label(act, step))
            if isinstance(step, Support | With | Sail) or (isinstance(step, Convoy) and step.loads):
                labels.append(self._goal_label(step))
            yield labels

    def _first(self, begun: _Order) -> _Question:
        options = [*self._verbs(begun, is_late=False)]
        if begun.unit.kind == ARMY:
            options += self._verbs(begun, is_late=True)
        if begun.unit.kind != HERO:
            lines = "\n".join([format_order(Disband(begun.unit.kind, begun.unit.at))] * (2 if begun.is_pair else 1))
            options.append(_Option("disband", phrase("menu.disband"), lines))
        return _Question(phrase("menu.what", unit=self._name(begun)), tuple(options))

    def _second(self, begun: _Order) -> _Question:
        """What a fleet or hero does after its first step."""
        label = "menu.enough_support" if isinstance(begun.steps[0], Support) else "menu.enough"
        enough = [_Option(ENOUGH, phrase(label), format_order(begun.act()))] if self._stands(begun) else []
        done = phrase("menu.then", unit=self._name(begun), step=format_step(begun.steps[0]))
        return _Question(done, (*enough, *self._verbs(begun, is_late=False)))

    def _stands(self, begun: _Order) -> bool:
        return find_objection(self.state, self.viewer, begun.act()) is None

    def _verbs(self, begun: _Order, *, is_late: bool) -> Iterator[_Option]:
        """What can be done in the next step: one option for each verb; its targets come next."""
        before = begun.steps[0] if begun.steps else None
        steps = self.ways.steps(begun.unit, before, is_whole=True)
        begun = replace(begun, is_late=is_late)
        possible = [step for step in steps if not is_late or isinstance(step, Go | Support)]
        for verb, same in _grouped(possible, _verb_of):
            code = f"{verb}_late" if is_late else verb
            if len(same) == 1 and isinstance(same[0], Stay | Aid):
                label = f"{code}_then" if before is not None and isinstance(same[0], Stay) else code
                yield _Option(code, phrase(f"menu.{label}"), self._after(begun.with_step(same[0])))
            else:
                yield _Option(code, phrase(f"menu.{code}"), self._asking(begun, verb, same))

    def _asking(self, begun: _Order, verb: str, steps: Sequence[ActStep]) -> Callable[[], _Question]:
        return lambda: self._targets(begun, verb, steps)

    def _targets(self, begun: _Order, verb: str, steps: Sequence[ActStep]) -> _Question:
        """To whom or where: supports, convoys and companions ask twice."""
        options = []
        for value, same in _grouped(steps, _target_of):
            first = same[0]
            label = self._target_label(begun, first)
            if len(same) == 1 and not isinstance(first, Support):
                options.append(_Option(value, label, self._after(begun.with_step(first))))
            else:
                prompt = phrase("menu.helped_where", unit=label)
                goals = tuple(
                    _Option(_goal_of(step), self._goal_label(step), self._after(begun.with_step(step))) for step in same
                )
                options.append(_Option(value, label, _to(prompt, goals)))
        return _Question(phrase(f"menu.{verb}_whom", unit=self._name(begun)), tuple(options))

    def _after(self, begun: _Order) -> str | Callable[[], _Question]:
        """The whole order, or the question for the second step where one can follow."""
        is_single = begun.unit.kind == ARMY or len(begun.steps) > 1
        if is_single or isinstance(begun.steps[0], Convoy | Sail | Betray):
            return format_order(begun.act())
        return lambda: self._second(begun)

    # Words

    def _name(self, begun: _Order) -> Phrase:
        if begun.is_pair:
            return phrase("menu.both_fleets", place=self._place(PlaceId(begun.unit.sector)))
        return self._unit(begun.unit.kind, PlaceId(begun.unit.sector))

    def _target_label(self, begun: _Order, step: ActStep) -> Phrase:
        match step:
            case Go(to):
                return self._place(to)
            case Sail(_, to):
                return self._place(PlaceId(to))
            case Support(kind, of, _):
                return self._helped(kind, of)
            case Convoy(loads):
                if not loads:
                    return phrase("menu.all_armies")
                return self._helped(ARMY, loads[0][0])
            case With(kind, at):
                return self._unit(kind, PlaceId(at or begun.unit.sector))
            case Betray(to):
                return self._power(to)
            case _:
                return phrase("menu.line", text=format_step(step))

    def _goal_label(self, step: ActStep) -> Phrase:
        match step:
            case Support(_, _, to):
                return phrase("menu.to", place=self._place(PlaceId(to))) if to else phrase("menu.stay")
            case Convoy(loads):
                return phrase("menu.to", place=self._place(PlaceId(loads[0][1])))
            case Sail(route, _):
                return phrase("menu.over", places=tuple(self._place(PlaceId(at)) for at in route))
            case With(_, _, to):
                return phrase("menu.to", place=self._place(to)) if to else phrase("menu.wherever")
            case _:
                return phrase("menu.line", text=format_step(step))

    def _helped(self, kind: Kind, at: ProvinceId) -> Phrase:
        """A unit with its owner; or one that is not there yet."""
        place = self._place(PlaceId(at))
        if at in self.state.garrisons:
            return phrase("menu.garrison", place=place)
        owners = [unit.power for unit in self.state.units if unit.sector == at and unit.kind == kind]
        if not owners:
            return phrase("menu.comer", kind=_kind(kind), place=place)
        return phrase("menu.helped", kind=_kind(kind), place=place, power=self._power(owners[0]))

    def _unit(self, kind: Kind, at: PlaceId) -> Phrase:
        return phrase("menu.unit", kind=_kind(kind), place=self._place(at))

    def _power(self, power: PowerId) -> Phrase:
        return phrase("menu.place", place=self.state.variant.powers[power].name)

    def _place(self, place: PlaceId) -> Phrase:
        province = self.state.variant.board.provinces[province_of(place)]
        coast = place.partition("/")[2]
        return (
            phrase(f"menu.coast.{coast}", place=province.name) if coast else phrase("menu.place", place=province.name)
        )


@dataclass(frozen=True, slots=True)
class _Order:
    """An order in the making."""

    unit: Unit
    steps: tuple[ActStep, ...] = ()
    is_late: bool = False
    is_pair: bool = False

    def with_step(self, step: ActStep) -> _Order:
        """The same with one step more."""
        return replace(self, steps=(*self.steps, step))

    def is_for(self, order: Manoeuvre | Disband) -> bool:
        """Whether an order is one of this unit."""
        is_pair = isinstance(order, Manoeuvre) and order.is_pair
        return (order.kind, province_of(PlaceId(order.at)), is_pair) == (self.unit.kind, self.unit.sector, self.is_pair)

    def act(self) -> Manoeuvre:
        """The order as it stands."""
        return Manoeuvre(self.unit.kind, self.unit.sector, self.steps, self.is_late, self.is_pair)


_VERBS: tuple[tuple[type, str], ...] = (
    (Stay, "hold"), (Go, "move"), (Sail, "sail"), (Support, "support"), (Convoy, "convoy"), (With, "with"),
    (Aid, "aid"), (Betray, "betray"),
)  # fmt: skip


def _verb_of(step: ActStep) -> str:
    return next(verb for kind, verb in _VERBS if isinstance(step, kind))


def _target_of(step: ActStep) -> str:
    """The value of a step's first target."""
    match step:
        case Go(to) | Betray(to):
            return to
        case Sail(_, to):
            return to
        case Support(kind, of, _):
            return f"{kind} {of}"
        case Convoy(loads):
            return f"{ARMY} {loads[0][0]}" if loads else "all"
        case With(kind, _, _):
            return kind
        case _:
            return "it"


def _goal_of(step: ActStep) -> str:
    """The value of its second target."""
    match step:
        case Support(_, _, to) | With(_, _, to):
            return to or "stay"
        case Convoy(loads):
            return loads[0][1]
        case Sail(route, _):
            return " ".join(route)
        case _:
            return "it"


def _to(prompt: Phrase, options: Iterable[_Option]) -> Callable[[], _Question]:
    question = _Question(prompt, tuple(options))
    return lambda: question


def _grouped(items: Iterable[_T], key: Callable[[_T], str]) -> Iterator[tuple[str, list[_T]]]:
    """Items by a key, in the order in which the keys come up."""
    found: dict[str, list[_T]] = {}
    for item in items:
        found.setdefault(key(item), []).append(item)
    return iter(found.items())


def _kind(kind: Kind) -> Phrase:
    return phrase(f"menu.kind.{kind}")
