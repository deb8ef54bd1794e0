"""Battle plans with menus: which battle, who, where they stand, what they do. The result is a whole block.

Source: rules 16.1, 32
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.core.orders import Choice, Menu
from engine.core.phrases import phrase
from engine.kalevala.battle.course import Spotted
from engine.kalevala.battle.kinds import CREWS, LADDER, ONAGER, RAM, ROPE, SIEGE_TOWER, TURTLE
from engine.kalevala.battle.sites import BattleSite
from engine.kalevala.coordinates import gf_of
from engine.kalevala.figures import Figures, common, format_figures, kind_of, minus, plus, price_of
from engine.kalevala.land import land_of
from engine.kalevala.model import View
from engine.kalevala.modules import has_module
from engine.kalevala.orders import Line
from engine.kalevala.priests.facts import PRIEST
from engine.kalevala.steps.planning import space_of
from engine.kalevala.tables import BUILDINGS, FULL_ROOM, TERRAIN, WORKS, Group
from engine.kalevala.telling import pictures
from engine.kalevala.telling.account import Stand
from engine.kalevala.war import room as war_room
from engine.kalevala.war.lines.aims import aims
from engine.kalevala.war.lines.draft import Found, PlanDraft, Question, Say, walk
from engine.kalevala.war.lines.kinds import consistent, offered
from engine.kalevala.war.lines.magic import magic, wizard
from engine.kalevala.war.lines.prayers import prayers, priests
from engine.kalevala.war.parse import read_detail
from engine.kalevala.war.plans import (
    ALL,
    DEFEND,
    INSIDE,
    PLATFORM,
    Band,
    Block,
    BlockOpening,
    Detail,
    Placing,
    Planned,
    Spot,
)
from engine.kalevala.war.room import Camp
from engine.kalevala.wizards.spells import zeh_of
from engine.lattice.great_fields import distance
from engine.pictures.site import SiteScene

PLAN = "PLAN"
"""The first choice of the guided flow that leads here."""
SENSIBLE, USUAL, NONE, WIZARD = "SENSIBLE", "USUAL", "NONE", "WIZARD"
_MIDDLE = 19
GEAR: Mapping[str, str] = {
    ONAGER: "onagers",
    RAM: "rams",
    TURTLE: "turtles",
    SIEGE_TOWER: "towers",
    LADDER: "ladders",
    ROPE: "ropes",
}
"""What groups of gear with its crew are called, in the order in which crews are found."""
_WHERE: Mapping[str, str] = {"": "plan_cell", PLATFORM: "plan_platform", INSIDE: "plan_inside"}


def is_offered(view: View, orders: Sequence[Line]) -> bool:
    """Whether there is anybody to plan for."""
    return bool(war_room.camps(view, orders))


def step(view: View, orders: Sequence[Line], path: Sequence[str], say: Say) -> Menu | None:
    """The step after some choices; `None` if one of them was not offered."""
    camps = {camp.name: camp for camp in war_room.camps(view, orders)}
    if not path:
        choices = (_sensible(say), *(_camp_choice(camp, say) for camp in camps.values()))
        return Menu(phrase("menu.plan_which"), choices) if camps else None
    if tuple(path) == (SENSIBLE,):
        lines = tuple(war_room.sensible(view, orders)) or tuple(
            line for camp in camps.values() for line in war_room.sensible_block(view, camp)
        )
        return _done(lines) if camps else None
    camp = camps.get(path[0])
    return _Planning(view, tuple(orders), camp, say).step(tuple(path[1:])) if camp is not None else None


def _sensible(say: Say) -> Choice:
    return Choice(SENSIBLE, say("plan_sensible"))


def _camp_choice(camp: Camp, say: Say) -> Choice:
    figures = format_figures(camp.figures)
    if camp.against:
        return Choice(camp.name, say("plan_attack", places=camp.against, source=camp.at, figures=figures))
    return Choice(camp.name, say("plan_defence", place=camp.at, figures=figures))


def _done(lines: Iterable[str]) -> Menu:
    return Menu(phrase("menu.done"), (), "\n".join(lines))


def standing_details(view: View, orders: Sequence[Line], camp: Camp) -> tuple[Detail, ...]:
    """The lines of the plan for a camp: those in the sheet, else those of an earlier standing defence."""
    about = [line.order for line in orders if isinstance(line.order, BlockOpening | Planned)]
    mine = [order for order in about if _is_for(order.block, camp)]
    if mine or camp.against or view.viewer is None:
        return tuple(order.what for order in mine if isinstance(order, Planned))
    text = view.state.rulers[view.viewer].defend.get(camp.at, "")
    read = (read_detail(line, view) for line in text.splitlines() if line.strip())
    return tuple(detail for detail in read if detail is not None)


def _is_for(block: Block, camp: Camp) -> bool:
    return block.kind == camp.block.kind and block.at in (camp.at, gf_of(camp.at))


@dataclass(frozen=True, slots=True)
class _Planning:
    """The plan for one camp, with its present lines."""

    view: View
    orders: tuple[Line, ...]
    camp: Camp
    say: Say

    def step(self, path: tuple[str, ...]) -> Menu | None:
        """The step after some choices; `None` if one of them was not offered."""
        details = standing_details(self.view, self.orders, self.camp)
        plan = PlanDraft(self.view, self.camp, details, self.say)
        groups = self.groups(details)
        match path:
            case ():
                choices = tuple(self._parts(plan, groups))
                return Menu(phrase("menu.plan_who"), choices, picture=self.picture(details))
            case (part,) if part == SENSIBLE:
                return _done(war_room.sensible_block(self.view, self.camp))
            case (part,) if part == NONE and self._can_drop():
                return _done((f"{DEFEND} {self.camp.at} {NONE}",))
            case (part, *rest) if part == WIZARD and wizard(plan):
                return self._walked(magic(plan), rest)
            case (part, *rest) if part == PRIEST and priests(plan):
                return self._walked(prayers(plan), rest)
            case (part, *rest) if part == ALL:
                return self._walked(aims(plan, ALL, self.camp.figures), rest)
            case (part,) if part in groups:
                choices = (Choice(USUAL, self.say("plan_usual")), *self._cells(part, groups[part], details))
                return Menu(phrase("menu.plan_where"), choices, picture=self.picture(details))
            case (part, where, *rest) if part in groups:
                known = {choice.value for choice in self._cells(part, groups[part], details)}
                if where != USUAL and where not in known:
                    return None
                start = None if where == USUAL else _spot_of(where)
                placed = self._placed(part, groups[part], start, _without(details, part))
                moved = PlanDraft(self.view, self.camp, placed, self.say)
                return self._walked(aims(moved, part, groups[part]), rest)
            case _:
                return self._shown(walk(offered(plan), path))

    def _walked(self, question: Question, rest: Sequence[str]) -> Menu | None:
        return self._shown(walk(question.options, rest) if rest else question)

    def _shown(self, found: Found) -> Menu | None:
        if found is None:
            return None
        if isinstance(found, Question):
            return found.menu
        return _done((str(self.camp.block), *(f"  {detail}" for detail in consistent(found)), "END"))

    # What may be chosen

    def _parts(self, plan: PlanDraft, groups: Mapping[str, Figures]) -> Iterator[Choice]:
        yield _sensible(self.say)
        for name, figures in groups.items():
            yield Choice(name, self.say("plan_group", name=name, figures=format_figures(figures)))
        yield Choice(ALL, self.say("plan_all"))
        if wizard(plan):
            yield Choice(WIZARD, self.say("plan_wizard", zeh=zeh_of(wizard(plan))))
        if priests(plan) and has_module(self.view.state, "priests"):
            yield Choice(PRIEST, self.say("plan_priest", zeh=zeh_of(priests(plan)[0])))
        yield from (Choice(option.value, option.label) for option in offered(plan))
        if self._can_drop():
            yield Choice(NONE, self.say("plan_NONE"))

    def _can_drop(self) -> bool:
        """Whether there is a standing defence to withdraw."""
        viewer = self.view.viewer
        return not self.camp.against and viewer is not None and self.camp.at in self.view.state.rulers[viewer].defend

    def groups(self, details: Sequence[Detail]) -> dict[str, Figures]:
        """The groups of the plan, then figures in none: gear with its crew, riders, archers, and all others."""
        found: dict[str, Figures] = {}
        for each in details:
            name = each.group if isinstance(each, Placing) else each.name if isinstance(each, Band) else ""
            if name and isinstance(each, Placing | Band):
                found[name] = plus(found.get(name, {}), dict(each.figures))
        left: Figures = {item: count for item, count in self.camp.figures.items() if _fights(item)}
        for figures in [*found.values(), *_ungrouped(details)]:
            left = minus(left, common(figures, left))
        mounted = _mounted(left)
        served = self._served(minus(left, mounted))
        for figures in served.values():
            left = minus(left, figures)
        bows, men = war_room.parted(minus(left, mounted))
        for name, figures in (*served.items(), ("riders", mounted), ("bows", bows), ("line", men)):
            if figures:
                found[_free_name(name, found)] = dict(figures)
        return found

    def _served(self, figures: Figures) -> dict[str, Figures]:
        """Gear by kind, each piece with its crew; without one it stays out. At home only onagers."""
        men = sorted(war_room.parted(figures)[1].items(), key=lambda pair: (price_of(pair[0]), pair[0]))
        spare = [item for item, count in men for _ in range(count)]
        found: dict[str, Figures] = {}
        for code, name in GEAR.items():
            if code != ONAGER and not self.camp.against:
                continue
            for _ in range(figures.get(code, 0)):
                if len(spare) >= CREWS[code]:
                    crew = Counter(spare.pop(0) for _ in range(CREWS[code]))
                    found[name] = plus(found.get(name, {}), {code: 1, **crew})
        return found

    # Where they stand

    def _site(self) -> BattleSite | None:
        place = self.camp.against[0] if self.camp.against else self.camp.at
        return war_room.site_at(self.view, self.orders, place, None)

    def _rooms(self, details: Iterable[Detail]) -> dict[Spot, int]:
        """The room left in each small field of the province, and on the storeys of buildings."""
        land = land_of(self.view.state)
        field = land.field(self.camp.at)
        built = {work.cell: work for work in land.works(self.camp.at) if work.type in BUILDINGS}
        rooms: dict[Spot, int] = {}
        for cell in land.cells(self.camp.at):
            terrain = TERRAIN[field.cells[cell - 1]]
            is_centre = field.centre is not None and field.centre.cell == cell
            if not terrain.is_land:
                continue
            if (work := built.get(cell)) is None:
                rooms[Spot(cell)] = FULL_ROOM if is_centre else terrain.room
                continue
            if work.type != "Tt" or work.paid is not None:
                rooms[Spot(cell, level=PLATFORM)] = FULL_ROOM
            rooms[Spot(cell, level=INSIDE)] = FULL_ROOM * WORKS[work.type].storeys
        for each in details:
            if isinstance(each, Placing):
                at = each.at if each.at.level or each.at.cell not in built else replace(each.at, level=INSIDE)
                if at in rooms:
                    rooms[at] -= space_of(dict(each.figures))
        return {at: room for at, room in rooms.items() if room > 0}

    def _cells(self, name: str, figures: Figures, details: Sequence[Detail]) -> list[Choice]:
        """The storeys, then the fields with room, nearest to the expected fighting first."""
        rooms, site = self._rooms(_without(details, name)), self._site()
        unit = next(_units(figures), figures)
        centre = land_of(self.view.state).centre(self.camp.at)
        middle = centre.cell if centre is not None and centre.cell is not None else _MIDDLE
        far = {at: distance(at.cell, middle) for at in rooms if _fits(unit, at, rooms)}
        if self.camp.against and site is not None and self.camp.against[0] in site.provinces:
            ground, gf = site.ground, gf_of(self.camp.at)
            goals = ground.cells(self.camp.against[0])
            far = {
                at: min(ground.distance(ground.index[gf, at.cell], goal) for goal in goals)
                for at in far
                if (gf, at.cell) in ground.index
            }
        order = sorted(far, key=lambda at: (self.camp.against != () or not at.level, far[at], at.cell, at.level))
        return [Choice(str(at), self.say(_WHERE[at.level], cell=at.cell, room=rooms[at])) for at in order]

    def _placed(self, name: str, figures: Figures, start: Spot | None, others: Sequence[Detail]) -> tuple[Detail, ...]:
        """The plan with a group that begins in a field and those around it; figures without room there, anywhere."""
        lines: list[Detail] = []
        left = Counter(figures)
        if start is not None:
            rooms = self._rooms(others)
            there: dict[Spot, Counter[str]] = {}
            for unit in _units(figures):
                open_ones = (at for at in rooms if not at.level)
                near = sorted(open_ones, key=lambda at: (distance(at.cell, start.cell), at.cell))
                if start.level:
                    near = [at for at in rooms if at == start]
                found = next((at for at in near if _fits(unit, at, rooms)), None)
                if found is None:
                    break
                rooms[found] -= space_of(unit)
                there.setdefault(found, Counter()).update(unit)
                left.subtract(unit)
            lines += [Placing(at, tuple(stack.items()), name) for at, stack in there.items()]
        rest = {item: count for item, count in left.items() if count > 0}
        if rest:
            lines.insert(0, Band(name, tuple(rest.items())))
        return (*lines, *others)

    def picture(self, details: Sequence[Detail]) -> SiteScene | None:
        """The site, or at least the ruler's own field, with every small field numbered."""
        viewer = self.view.viewer
        if viewer is None:
            return None
        title, site = phrase("battle.plan", time=self.view.state.time), self._site()
        if site is not None:
            stands = tuple(war_room.stands_of(site))
            return pictures.plan(self.view, war_room.fields_of(site), site.armies[0].ruler, stands, title, ())
        gf = gf_of(self.camp.at)
        placed = (each for each in details if isinstance(each, Placing))
        own = [
            Stand(
                viewer,
                Spotted(gf, each.at.cell),
                format_figures(dict(each.figures)),
                storey={PLATFORM: "P", INSIDE: "I"}.get(each.at.level, ""),
            )
            for each in placed
        ]
        return pictures.plan(self.view, (gf,), viewer, own, title, ())


def _fights(item: str) -> bool:
    return kind_of(item).is_warrior or bool(kind_of(item).seats) or kind_of(item).code in CREWS


def _spot_of(text: str) -> Spot:
    """A field, or a storey in it, as a choice names it: `19`, `19+1`."""
    cell, plus_sign, floor = text.partition("+")
    return Spot(int(cell), level=plus_sign + floor)


def _fits(unit: Figures, at: Spot, rooms: Mapping[Spot, int]) -> bool:
    """Whether there is room: gear stays outside buildings, animals off platforms. Source: rules B15"""
    if at.level and any(kind_of(item).code in CREWS for item in unit):
        return False
    if at.level == PLATFORM and any(kind_of(item).group is Group.ANIMAL for item in unit):
        return False
    return rooms[at] >= space_of(unit)


def _free_name(name: str, taken: Container[str]) -> str:
    """The name of a group, with a number where the plan has it already."""
    names = (name, *(f"{name}{number}" for number in range(2, 100)))
    return next(each for each in names if each not in taken)


def _ungrouped(details: Iterable[Detail]) -> list[Figures]:
    """Figures that the plan places without a group."""
    return [dict(each.figures) for each in details if isinstance(each, Placing) and not each.group]


def _without(details: Iterable[Detail], name: str) -> tuple[Detail, ...]:
    """A plan without the places and members of a group."""
    return tuple(
        each
        for each in details
        if not (isinstance(each, Placing) and each.group == name) and not (isinstance(each, Band) and each.name == name)
    )


def _units(figures: Figures) -> Iterator[Figures]:
    """Figures one by one: gear with its crew, riders with their mounts, the most valuable first."""
    people = Counter({item: count for item, count in figures.items() if not kind_of(item).seats})
    for gear in [item for item, count in figures.items() if kind_of(item).code in CREWS for _ in range(count)]:
        crew = Counter({gear: 1})
        people[gear] -= 1
        for _ in range(CREWS[gear]):
            man = next(reversed(list(_dearest(people))), None)
            if man is not None:
                people[man] -= 1
                crew[man] += 1
        yield crew
    for mount in (item for item, count in figures.items() if kind_of(item).seats for _ in range(count)):
        unit = Counter({mount: 1})
        for _ in range(kind_of(mount).seats):
            rider = next(_dearest(people), None)
            if rider is not None:
                people[rider] -= 1
                unit[rider] += 1
        yield unit
    yield from ({item: 1} for item, count in people.items() for _ in range(count))


def _dearest(people: Counter[str]) -> Iterator[str]:
    fighting = (item for item, count in people.items() if count and kind_of(item).is_warrior)
    yield from sorted(fighting, key=lambda item: (kind_of(item).weapon == "B", -price_of(item), item))


def _mounted(figures: Figures) -> Figures:
    """The mounts among figures, with their riders."""
    found: Counter[str] = Counter()
    for unit in _units(figures):
        if any(kind_of(item).seats for item in unit) and any(kind_of(item).is_warrior for item in unit):
            found.update(unit)
    return dict(found)
