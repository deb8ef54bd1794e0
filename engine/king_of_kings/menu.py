"""The guided flow for the common orders: what, where or with whom, and how.

A march asks who goes, where to and, if somebody is there, how they attack; a voyage asks who sails and where to.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import islice, takewhile

from engine.core.identity import ByIdentity
from engine.core.ids import PowerId
from engine.core.orders import Choice, Menu, Shortlist
from engine.core.phrases import Catalogue, Phrase, phrase
from engine.core.shortlists import shortlist
from engine.core.variant import phrases_of
from engine.king_of_kings import model
from engine.king_of_kings.board import variant_of
from engine.king_of_kings.listing import army, fleet, legal, may_march, payable, would_strand
from engine.king_of_kings.model import Line, Order, State, Symbol, Tactic, Units, View
from engine.king_of_kings.reach import Route, routes_by_land, routes_by_sea
from engine.king_of_kings.steps.diplomacy import CESSION_STATUS
from engine.king_of_kings.steps.muster import free_units, without
from engine.king_of_kings.steps.opening import open_turn
from engine.king_of_kings.turn import PAID, REHEARSED, rehearse
from engine.king_of_kings.working import Area, Turn, in_list_order
from engine.lattice.squares import Cell, Direction

_PASS = "PASS"
_LAND, _SEA = "LAND", "SEA"
_AS_STANDS = "-"
"""No tactic in the order: that of the province where the march begins is used."""
_LONGEST = 100
_WEIGHED = 150
"""How many marches the likeliest ones are chosen from."""


def menu(view: View, path: Sequence[str], *, orders: Sequence[Line] = ()) -> Menu:
    """The step after some choices. An unknown or outdated choice starts again."""
    guide = _guide(view, orders)
    return guide.step(tuple(path)) or guide.kinds()


def shortlists(view: View, firsts: Collection[str], orders: Sequence[Line]) -> tuple[Shortlist, ...]:
    """Complete orders of each kind, likeliest first: all units in a place, and the first choice at each step."""
    guide = _guide(view, orders)
    firsts_asked = [first for first in guide.kinds().choices if first.value in firsts]
    return tuple(_shortlist(guide, first) for first in firsts_asked)


def _shortlist(guide: _Guide, first: Choice) -> Shortlist:
    if first.value == _PASS:  # PASS can't be combined with other orders
        return Shortlist(first, (), is_all=False)
    found = guide.whole(first.value)
    if first.value == _LAND:
        # Most marches are for new land: ways that end on own ground come last.
        found = iter(sorted(islice(found, _WEIGHED), key=lambda each: guide.ends_at_home(each[0])))
    short = shortlist(first, found)
    # Which other units could go, and how they attack, is always left to choose.
    return replace(short, is_all=short.is_all and first.value not in (_LAND, _SEA))


def _guide(view: View, orders: Sequence[Line]) -> _Guide:
    """What may be ordered in addition to the present orders; one message asks for it several times."""
    return _guide_to(ByIdentity(view.state), view.viewer, tuple(orders))


@lru_cache(maxsize=2)
def _guide_to(same: ByIdentity[State], nation: PowerId | None, orders: tuple[Line, ...]) -> _Guide:
    """The same, kept while the same position and orders are asked for.

    It leaves out moves of units that have all moved (E16), what can't be paid for any more (E06, E07, E23), and what is
    possible once a turn and has been done (E10, E14).
    """
    view = View(same.value, nation)
    found = legal(view)
    if not found or nation is None:
        turn = Turn.open(view.state, {}, None)
        open_turn(turn)
        return _Guide(view.state, nation, found, turn, turn, None, frozenset())
    moved, paid = (rehearse(view.state, nation, orders, steps) for steps in (REHEARSED, PAID))
    affordable, realm, dealt = payable(paid, nation), paid.realms[nation], _dealt_with(view, orders, moved)
    has_ceded = any(now.owner != nation == was.owner for was, now in zip(view.state.provinces, paid.areas, strict=True))

    def open_of(key: str, lines: tuple[Line, ...]) -> tuple[Line, ...]:
        match lines[0].order:
            case model.Place() | model.Build() | model.Donate():
                return affordable.get(key, ())
            case model.Ally(to):
                was = view.state.nations[nation].status.get(PowerId(to), 0)
                is_open = paid.own_status(nation, PowerId(to)) == was and to not in dealt
            case model.Cede(x, y, to):
                goes = paid.mutual(nation, PowerId(to)) >= CESSION_STATUS
                is_open = goes and not has_ceded and not any(_is_from(line.order, x, y) for line in orders)
            case model.Defend((model.Stance(x, y), *_)):
                area = paid.area(x, y)
                is_open = area is not None and area.owner == nation
            case model.March() | model.Sail() as move:
                is_open = _can_go(moved, nation, move)
            case _:
                is_open = True
        return lines if is_open else ()

    left = {key: open_of(key, lines) for key, lines in found.items()}
    purse = phrase("menu.purse", gold=realm.gold, wood=realm.wood)
    begun = frozenset((line.order.x, line.order.y) for line in orders if isinstance(line.order, model.March))
    return _Guide(view.state, nation, {key: lines for key, lines in left.items() if lines}, paid, moved, purse, begun)


def _dealt_with(view: View, orders: Sequence[Line], moved: Turn) -> frozenset[str]:
    """The nations to which a gift, a cession or an attack is ordered: a new status to them might prevent it (E08)."""
    gifts = {line.order.to for line in orders if isinstance(line.order, model.Donate | model.Cede)}
    return frozenset({*gifts, *(str(view.state.provinces[cell].owner) for cell in moved.ends.values())})


def _is_from(order: Order, x: int, y: int) -> bool:
    """Whether an order needs its place to be the nation's own."""
    match order:
        case model.Place(parts) | model.Defend(parts):
            return any((part.x, part.y) == (x, y) for part in parts)
        case model.March(at_x, at_y) | model.Sail(at_x, at_y) | model.Build(at_x, at_y):
            return (at_x, at_y) == (x, y)
    return False


def _can_go(turn: Turn, nation: PowerId, order: model.March | model.Sail) -> bool:
    """Whether there are units left for a move from this one's start, and whether they may leave the others."""
    area = turn.area(order.x, order.y)
    assert area is not None, "only places on the map are offered"
    free = _free(turn, nation, order, area)
    if isinstance(order, model.March):
        return may_march(turn, nation, area, *army(turn, area, free))
    company = fleet(turn, free)
    return bool(company) and not would_strand(turn, nation, area, company)


def _free(turn: Turn, nation: PowerId, order: model.March | model.Sail, area: Area) -> Units:
    """Units in a place that no present order moves."""
    free = {symbol: free_units(turn, area, nation, symbol, order) for symbol in area.of(nation)}
    return {symbol: amount for symbol, amount in free.items() if amount}


@dataclass(frozen=True)
class _Guide:
    """What one nation may order now, what it has to spend, and the words for it.

    Args:
        paid, moved: the turn with the present orders, before any moves and after all of them.
        begun: where marches of the present orders begin: a fleet that came to one of them would change who goes.
    """

    state: State
    nation: PowerId | None
    orders: Mapping[str, tuple[Line, ...]]
    paid: Turn
    moved: Turn
    purse: Phrase | None
    begun: frozenset[tuple[int, int]]

    @cached_property
    def _found(self) -> dict[tuple[str, Cell, tuple[tuple[Symbol, int], ...]], Mapping[str, Route]]:
        return {}

    @cached_property
    def words(self) -> Catalogue:
        return phrases_of(variant_of(self.state))

    def step(self, path: tuple[str, ...]) -> Menu | None:
        """The step after a path; `None` if there is no such path."""
        if not path:
            return self.kinds()
        if path == (_PASS,):
            return _done(_PASS)
        if path[0] not in self._by_kind:
            return None
        if path[0] in _AT_ONCE:
            return self._at_once(path)
        if len(path) == 1:
            return self._subjects(path[0])
        if path[1] not in self._by_kind[path[0]]:
            return None
        if path[0] in (_LAND, _SEA):
            return self._moves(path)
        return self._plain(path)

    def kinds(self) -> Menu:
        """The first step: what kind of order."""
        found = [Choice(kind, self._say(f"menu.kind_{kind}")) for kind in self._by_kind]
        return Menu(self._with_purse(phrase("menu.kind")), (*found, Choice(_PASS, self._say("menu.kind_PASS"))))

    def whole(self, kind: str) -> Iterator[tuple[str, str]]:
        """Orders of a kind, in words: everybody in a place goes, with the province's tactic; places take turns."""
        begun: list[tuple[tuple[str, ...], tuple[str, ...]]] = [((kind,), ())]
        for path, labels in begun:  # grows while it is read: breadth first
            menu = self.step(path)
            if menu is None:
                continue
            if menu.order is not None:
                yield menu.order, self._shortened(labels)
            is_habit = kind in (_LAND, _SEA) and len(path) in (2, 4)
            choices = menu.choices[:1] if is_habit else menu.choices
            begun += [((*path, each.value), labels if is_habit else (*labels, each.label)) for each in choices]

    def ends_at_home(self, order: str) -> bool:
        """Whether a march ends on own ground."""
        _, x, y, *words = order.split()
        cell: Cell | None = self._at(int(x), int(y)).cell
        for word in takewhile(lambda word: word in set(Direction), reversed(words)):
            cell = None if cell is None else self.paid.grid.step(cell, Direction(word))
        return cell is not None and self.paid.areas[cell].owner == self.nation

    def _shortened(self, labels: Sequence[str]) -> str:
        return ", ".join(labels)[:_LONGEST] or self._say("menu.kind_PASS")

    @cached_property
    def _by_kind(self) -> dict[str, list[str]]:
        """Subjects by keyword, in the order in which players plan a turn."""
        found: dict[str, list[str]] = {}
        for subject in self.orders:
            found.setdefault(subject.split()[0], []).append(subject)
        return {kind: found[kind] for kind in sorted(found, key=_KINDS.index)}

    # Orders for a place or a nation, taken from the list

    def _subjects(self, kind: str) -> Menu:
        choices = [Choice(key, self._subject(self.orders[key][0].order)) for key in self._by_kind[kind]]
        return Menu(self._prompt("what", kind), tuple(choices))

    def _prompt(self, step: str, kind: str) -> Phrase:
        asked = phrase(f"menu.{step}_{kind}")
        return self._with_purse(asked) if kind in _SPENDING else asked

    def _with_purse(self, asked: Phrase) -> Phrase:
        return asked if self.purse is None else phrase("menu.with_purse", asked=asked, purse=self.purse)

    def _plain(self, path: tuple[str, ...]) -> Menu | None:
        return self._choose(self._prompt("how", path[0]), self.orders[path[1]], path[2:])

    def _at_once(self, path: tuple[str, ...]) -> Menu | None:
        """All orders of a kind in which only the place has to be chosen."""
        lines = [line for subject in self._by_kind[path[0]] for line in self.orders[subject]]
        return self._choose(self._prompt("what", path[0]), lines, path[1:])

    def _choose(self, prompt: Phrase, lines: Sequence[Line], chosen: tuple[str, ...]) -> Menu | None:
        if not chosen:
            return Menu(prompt, tuple(Choice(line.canonical, self._order(line.order)) for line in lines))
        return _done(chosen[0]) if chosen[1:] == () and any(chosen[0] == line.canonical for line in lines) else None

    def _subject(self, order: Order) -> str:
        """What an order is about: a place with what is there, or a nation with both statuses."""
        match order:
            case model.Place((model.Placing(x, y), *_)):
                return self._place(x, y)
            case model.Defend((model.Stance(x, y), *_)):
                return self._say("menu.defended", place=self._place(x, y), tactic=self._tactic(self._at(x, y).tactic))
            case model.Ally(to, _) | model.Donate(to, _):
                return self._say("menu.nation", nation=to, **self._statuses(to))
            case model.March(x, y) | model.Sail(x, y):
                return self._place(x, y)
        return ""

    def _order(self, order: Order) -> str:
        """What an order does, if its subject has been chosen or is obvious."""
        match order:
            case model.Place((model.Placing(_, _, symbol),)):
                troop = self.state.rules.troops[symbol]
                price = [
                    self._say(f"rehearsal.{what}", amount=amount)
                    for what, amount in (("gold", troop.gold), ("wood", troop.wood))
                    if amount
                ]
                code = "menu.placed" if price else "menu.placed_free"
                return self._say(code, troop=troop.name, price=", ".join(price))
            case model.Defend((model.Stance(_, _, tactic),)):
                return self._say("menu.tactic", letter=str(tactic), tactic=self._tactic(tactic))
            case model.Build(x, y):
                entry = self.state.rules.build[self._at(x, y).terrain.name]
                assert entry is not None, "a place that can't be built up is not offered"
                before, after = self._at(x, y).terrain, self.state.rules.terrain[entry.to]
                is_gain = after.food > before.food or after.gold > before.gold
                code = "menu.built" if is_gain else "menu.built_in_vain"
                return self._say(code, place=self._place(x, y), to=entry.to, percent=entry.percent)
            case model.Ally(_, status):
                return self._say(f"menu.status_{status}")
            case model.Donate(_, gold):
                return self._say("rehearsal.gold", amount=gold)
            case model.Cede(x, y, to):
                return self._say("menu.ceded", place=self._place(x, y), nation=to)
        return ""

    # Moves

    def _moves(self, path: tuple[str, ...]) -> Menu | None:
        kind, (x, y) = path[0], map(int, path[1].split()[1:])
        area = self._at(x, y)
        move = self.orders[path[1]][0].order
        assert self.nation is not None
        assert isinstance(move, model.March | model.Sail), "the subjects of moves"
        free = _free(self.moved, self.nation, move, self.moved.areas[area.cell])
        groups = dict(self._groups(kind, area, free))
        if len(path) == 2:
            return Menu(phrase(f"menu.who_{kind}"), tuple(Choice(who, label) for who, (label, _) in groups.items()))
        if path[2] not in groups:
            return None
        units = groups[path[2]][1]
        routes = self._ways(kind, area, units)
        if len(path) == 3:
            return Menu(phrase(f"menu.where_{kind}"), tuple(map(self._destination, routes.values())))
        route = routes.get(path[3])
        if route is None:
            return None
        # Units that come from the sea attack frontally. Source: rules 2.3
        tactics = tuple(self._attacks(area, units)) if route.is_attack and kind == _LAND and not area.is_sea else ()
        if len(path) == 4 and tactics:
            return Menu(phrase("menu.tactic_of"), tactics)
        named = path[4:]
        if named and (len(named) > 1 or all(choice.value != named[0] for choice in tactics)):
            return None
        tactic = tuple(name for name in named if name != _AS_STANDS)
        return _done(" ".join((*path[1].split(), *tactic, path[2], path[3])))

    def _groups(self, kind: str, area: Area, units: Units) -> Iterator[tuple[str, tuple[str, Units]]]:
        """Which of these units could go: as an order names them, in words, and how many of each."""
        if kind == _SEA:
            crew = fleet(self.paid, units)
            yield _named(self.paid, crew), (self._say("menu.fleet", units=self._units(crew)), crew)
            return
        going, ships = army(self.paid, area, units)
        names = " ".join(("AT", *([_named(self.paid, ships)] if ships else ())))
        yield names, (self._say("menu.all", units=self._units({**going, **ships})), going)
        if ships or sum(going.values()) < 2:
            return
        stays = next(iter(going))
        rest = without(going, {stays: 1})
        yield _named(self.paid, rest), (self._say("menu.all_but_one", units=self._units(rest)), rest)
        for symbol, amount in going.items():
            for part in dict.fromkeys((amount, 1)):
                few = {symbol: part}
                if few not in (going, rest):
                    yield _named(self.paid, few), (self._units(few), few)

    def _ways(self, kind: str, area: Area, units: Units) -> Mapping[str, Route]:
        """Where these units could go, by their ways; worked out again at every step of the choice."""
        asked = kind, area.cell, tuple(units.items())
        if asked not in self._found:
            self._found[asked] = {" ".join(route.way): route for route in self._routes(kind, area, units)}
        return self._found[asked]

    def _routes(self, kind: str, area: Area, units: Units) -> Iterator[Route]:
        assert self.nation is not None
        if kind == _SEA:
            routes = routes_by_sea(self.paid, self.nation, area, units)
            return (route for route in routes if self.paid.grid.xy(route.end) not in self.begun)
        return routes_by_land(self.paid, self.nation, area, units)

    def _destination(self, route: Route) -> Choice:
        end = self.paid.areas[route.end]
        x, y = self.paid.grid.xy(route.end)
        where = self._place(x, y)
        way = " ".join(route.way)
        if end.is_sea:
            coasts = [self._name(near.cell) for near in self.paid.beside(route.end) if not near.is_sea]
            code = "menu.at_sea" if coasts else "menu.open_sea"
            return Choice(way, self._say(code, place=where, coasts=tuple(coasts), steps=len(route.way)))
        if route.is_attack:
            return Choice(way, self._say("menu.attack", place=where, way=way, nation=self._owner(end)))
        if end.owner == self.nation:
            return Choice(way, self._say("menu.own", place=where, way=way))
        code = "menu.nobodys" if end.owner is None else "menu.empty"
        return Choice(way, self._say(code, place=where, way=way, nation=self._owner(end)))

    def _attacks(self, area: Area, units: Units) -> Iterator[Choice]:
        """How an army may attack; a pincer attack needs horsemen."""
        yield Choice(_AS_STANDS, self._say("menu.as_stands", tactic=self._tactic(area.tactic)))
        can_pinch = any(self.paid.troop(symbol).is_pincer for symbol in units)
        for tactic in Tactic:
            if tactic is not Tactic.PINCER or can_pinch:
                yield Choice(str(tactic), self._say("menu.tactic", letter=str(tactic), tactic=self._tactic(tactic)))

    # Words

    def _say(self, code: str, /, **args: object) -> str:
        return self.words.render(Phrase(code, args))[:_LONGEST]

    def _at(self, x: int, y: int) -> Area:
        area = self.paid.area(x, y)
        assert area is not None, "only places on the map are offered"
        return area

    def _name(self, cell: Cell) -> str:
        x, y = self.paid.grid.xy(cell)
        name = self.paid.areas[cell].name
        return f"{x} {y}" if name is None else f"{x} {y} {name}"

    def _place(self, x: int, y: int) -> str:
        """A place with its terrain and the units there."""
        area = self._at(x, y)
        place, terrain = self._name(area.cell), area.terrain.name
        units = "; ".join(
            self._units(counts)
            if nation == self.nation
            else self._say("menu.of_others", nation=nation, units=self._units(counts))
            for nation, counts in area.units.items()
        )
        return self._say("menu.place" if units else "menu.empty_place", place=place, terrain=terrain, units=units)

    def _units(self, units: Units) -> str:
        return " ".join(f"{amount}{symbol}" for symbol, amount in in_list_order(self.state.rules, units).items())

    def _tactic(self, tactic: Tactic) -> str:
        return self._say(f"tactic.{tactic}")

    def _owner(self, area: Area) -> str:
        return str(area.owner or next(iter(area.units), ""))

    def _statuses(self, other: str) -> dict[str, int]:
        assert self.nation is not None
        there = PowerId(other)
        return {"own": self.paid.own_status(self.nation, there), "theirs": self.paid.own_status(there, self.nation)}


_AT_ONCE = ("BUILD", "CEDE")
_SPENDING = ("PLA", "BUILD", "DONATE")
_KINDS = (_LAND, "PLA", "BUILD", "DEF", _SEA, "ALL", "DONATE", "CEDE")


def _done(order: str) -> Menu:
    return Menu(phrase("menu.done"), (), order=order)


def _named(turn: Turn, units: Units) -> str:
    """Units as orders name them: `FO 2 BO 1`."""
    return " ".join(f"{turn.troop(symbol).keyword} {amount}" for symbol, amount in units.items())
