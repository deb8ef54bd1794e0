"""Plans of battle by menus: which battle, who, where they stand, what they do. What comes of it is a whole block.

Source: rules 16.1, 32
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.core.orders import Choice, Menu
from engine.core.phrases import phrase
from engine.kalevala import war_room
from engine.kalevala.battle.course import Spotted
from engine.kalevala.battle.sites import BattleSite
from engine.kalevala.board import others
from engine.kalevala.coordinates import gf_of
from engine.kalevala.figures import Figures, format_figures, kind_of, minus, plus, price_of
from engine.kalevala.land import land_of
from engine.kalevala.model import View
from engine.kalevala.orders import Line
from engine.kalevala.parse_plans import read_detail
from engine.kalevala.plans import (
    ALL,
    AVOID,
    DEFEND,
    GUARD,
    HOLD,
    KILL,
    RESERVE,
    SHOOT,
    TAKE,
    Aim,
    Band,
    Block,
    BlockOpening,
    Cast,
    Challenge,
    Detail,
    Flee,
    Placing,
    Planned,
    Plunder,
    Raze,
    Spot,
)
from engine.kalevala.spells import SPELLS, Meant, known_of, zeh_of
from engine.kalevala.steps.planning import space_of
from engine.kalevala.tables import FULL_ROOM, TERRAIN
from engine.kalevala.told import pictures
from engine.kalevala.told.account import Stand
from engine.kalevala.war_room import Camp
from engine.kalevala.wizard_doors import does
from engine.lattice.great_fields import distance
from engine.pictures.site import SiteScene

PLAN = "PLAN"
"""The first choice of the guided flow that leads here."""
SENSIBLE, USUAL, NONE, WIZARD = "SENSIBLE", "USUAL", "NONE", "WIZARD"
_MIDDLE = 19
_WAIT = 3
"""Up to which round a reserve holds that the menus offer."""
_WISHES: Mapping[str, Detail] = {"FLEE": Flee(), "PLUNDER": Plunder("RE"), "RAZE": Raze()}
_OF_ATTACKS = ("PLUNDER", "RAZE")
Say = Callable[..., str]


def is_offered(view: View, orders: Sequence[Line]) -> bool:
    """Whether there is anybody to plan for."""
    return bool(war_room.camps(view, orders))


def step(view: View, orders: Sequence[Line], path: Sequence[str], say: Say) -> Menu | None:
    """The step after some choices; `None` if there is none such."""
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
    """What the plan for a camp says: by the sheet, else by a standing defence of before."""
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
    """The plan for one camp, with what stands of it."""

    view: View
    orders: tuple[Line, ...]
    camp: Camp
    say: Say

    def step(self, path: tuple[str, ...]) -> Menu | None:
        """The step after some choices; `None` if there is none such."""
        details = standing_details(self.view, self.orders, self.camp)
        groups = self.groups(details)
        match path:
            case ():
                return Menu(phrase("menu.plan_who"), tuple(self._parts(details, groups)), picture=self.picture(details))
            case (part,) if part == SENSIBLE:
                return _done(war_room.sensible_block(self.view, self.camp))
            case (part,) if part == NONE and self._can_drop():
                return _done((f"{DEFEND} {self.camp.at} {NONE}",))
            case (part,) if part in self._wishes(details):
                return self._written((*details, _WISHES[part]))
            case (part, *rest) if part == WIZARD and self._wizard():
                return self._conjured(details, tuple(rest))
            case (part, *rest) if part == ALL:
                return self._aimed(ALL, self.camp.figures, details, tuple(rest))
            case (part,) if part in groups:
                choices = (Choice(USUAL, self.say("plan_usual")), *self._cells(part, details))
                return Menu(phrase("menu.plan_where"), choices, picture=self.picture(details))
            case (part, where, *rest) if part in groups:
                known = {choice.value for choice in self._cells(part, details)}
                if where != USUAL and where not in known:
                    return None
                start = None if where == USUAL else int(where)
                placed = self._placed(part, groups[part], start, _without(details, part))
                return self._aimed(part, groups[part], placed, tuple(rest))
        return None

    def _aimed(self, name: str, figures: Figures, details: Sequence[Detail], rest: tuple[str, ...]) -> Menu | None:
        aims = {str(aim): aim for aim in self._aims(name, figures)}
        if not rest:
            return Menu(phrase("menu.plan_aim"), tuple(Choice(text, self._told(aim)) for text, aim in aims.items()))
        if len(rest) > 1 or rest[0] not in aims:
            return None
        others = (each for each in details if not (isinstance(each, Aim) and each.name == name))
        return self._written((*others, aims[rest[0]]))

    def _conjured(self, details: Sequence[Detail], rest: tuple[str, ...]) -> Menu | None:
        """What the wizard does, in place of what he did by the plan so far."""
        known = SPELLS[: known_of(self._wizard())]
        lines: dict[str, tuple[Detail, str]] = {}
        for spell in known:
            if spell.meant in (Meant.FOE, Meant.OWN):
                cast = Cast(spell.name, spell.meant is Meant.OWN, is_each=True)
                lines[str(cast)] = cast, self.say("plan_spell", spell=spell.name, what=does(spell))
        for rival in others(self.view.state, self.view.viewer):
            dare = Challenge(rival)
            lines[str(dare)] = dare, self.say("plan_challenge", ruler=rival)
        if not rest:
            return Menu(phrase("menu.plan_magic"), tuple(Choice(text, label) for text, (_, label) in lines.items()))
        if len(rest) > 1 or rest[0] not in lines:
            return None
        kept = (each for each in details if not isinstance(each, Cast | Challenge))
        return self._written((*kept, lines[rest[0]][0]))

    def _wizard(self) -> str:
        """The wizard who goes along; empty: none does."""
        return next((item for item in self.camp.figures if kind_of(item).code == "Z"), "")

    def _written(self, details: Iterable[Detail]) -> Menu:
        return _done((str(self.camp.block), *(f"  {detail}" for detail in details), "END"))

    # What may be chosen

    def _parts(self, details: Sequence[Detail], groups: Mapping[str, Figures]) -> Iterator[Choice]:
        yield _sensible(self.say)
        for name, figures in groups.items():
            yield Choice(name, self.say("plan_group", name=name, figures=format_figures(figures)))
        yield Choice(ALL, self.say("plan_all"))
        if self._wizard():
            yield Choice(WIZARD, self.say("plan_wizard", zeh=zeh_of(self._wizard())))
        for wish in self._wishes(details):
            yield Choice(wish, self.say(f"plan_{wish}"))
        if self._can_drop():
            yield Choice(NONE, self.say("plan_NONE"))

    def _wishes(self, details: Sequence[Detail]) -> list[str]:
        kinds = {type(detail) for detail in details}
        open_ = (wish for wish, detail in _WISHES.items() if type(detail) not in kinds)
        return [wish for wish in open_ if self.camp.against or wish not in _OF_ATTACKS]

    def _can_drop(self) -> bool:
        """Whether a standing defence is there to be taken back."""
        viewer = self.view.viewer
        return not self.camp.against and viewer is not None and self.camp.at in self.view.state.rulers[viewer].defend

    def groups(self, details: Sequence[Detail]) -> dict[str, Figures]:
        """The groups of the plan, then those who are in none: riders, bows, and all others."""
        found: dict[str, Figures] = {}
        for each in details:
            name = each.group if isinstance(each, Placing) else each.name if isinstance(each, Band) else ""
            if name and isinstance(each, Placing | Band):
                found[name] = plus(found.get(name, {}), dict(each.figures))
        left: Figures = {item: count for item, count in self.camp.figures.items() if _fights(item)}
        for figures in [*found.values(), *_ungrouped(details)]:
            left = minus(left, {item: min(count, left.get(item, 0)) for item, count in figures.items()})
        mounted = _mounted(left)
        bows, men = war_room.parted(minus(left, mounted))
        for name, figures in (("riders", mounted), ("bows", bows), ("line", men)):
            if figures and name not in found:
                found[name] = figures
        return found

    def _aims(self, name: str, figures: Figures) -> Iterator[Aim]:
        """What makes sense for them: archers who hold or storm don't shoot."""
        bows, men = war_room.parted(figures)
        if bows and not men:
            yield from (Aim(name, SHOOT), Aim(name, AVOID))
            return
        if self.camp.against:
            yield from (Aim(name, TAKE), Aim(name, KILL), Aim(name, HOLD), Aim(name, RESERVE, wait=_WAIT))
        else:
            yield from (Aim(name, GUARD), Aim(name, HOLD), Aim(name, KILL), Aim(name, RESERVE, wait=_WAIT))

    def _told(self, aim: Aim) -> str:
        return self.say(f"plan_aim_{aim.what}", round=aim.wait)

    # Where they stand

    def _site(self) -> BattleSite | None:
        place = self.camp.against[0] if self.camp.against else self.camp.at
        return war_room.site_at(self.view, self.orders, place, None)

    def _rooms(self, details: Iterable[Detail]) -> dict[int, int]:
        """The room that is left in each small field of the province."""
        land = land_of(self.view.state)
        field = land.field(self.camp.at)
        rooms = {}
        for cell in land.cells(self.camp.at):
            terrain = TERRAIN[field.cells[cell - 1]]
            is_centre = field.centre is not None and field.centre.cell == cell
            if terrain.is_land:
                rooms[cell] = FULL_ROOM if is_centre else terrain.room
        for each in details:
            if isinstance(each, Placing) and each.at.cell in rooms and not each.at.level:
                rooms[each.at.cell] -= space_of(dict(each.figures))
        return {cell: room for cell, room in rooms.items() if room > 0}

    def _cells(self, name: str, details: Sequence[Detail]) -> list[Choice]:
        """The fields with room, nearest to where it will be fought first."""
        rooms, site = self._rooms(_without(details, name)), self._site()
        centre = land_of(self.view.state).centre(self.camp.at)
        middle = centre.cell if centre is not None and centre.cell is not None else _MIDDLE
        far = {cell: distance(cell, middle) for cell in rooms}
        if self.camp.against and site is not None and self.camp.against[0] in site.provinces:
            ground, gf = site.ground, gf_of(self.camp.at)
            goals = ground.cells(self.camp.against[0])
            far = {
                cell: min(ground.distance(ground.index[gf, cell], goal) for goal in goals)
                for cell in rooms
                if (gf, cell) in ground.index
            }
        return [
            Choice(str(cell), self.say("plan_cell", cell=cell, room=rooms[cell]))
            for cell in sorted(far, key=lambda cell: (far[cell], cell))
        ]

    def _placed(self, name: str, figures: Figures, start: int | None, others: Sequence[Detail]) -> tuple[Detail, ...]:
        """The plan with a group that begins in a field and those around it; for whom there is no room, anywhere."""
        lines: list[Detail] = []
        left = Counter(figures)
        if start is not None:
            rooms = self._rooms(others)
            there: dict[int, Counter[str]] = {}
            for unit in _units(figures):
                near = sorted(rooms, key=lambda cell: (distance(cell, start), cell))
                cell = next((cell for cell in near if rooms[cell] >= space_of(unit)), None)
                if cell is None:
                    break
                rooms[cell] -= space_of(unit)
                there.setdefault(cell, Counter()).update(unit)
                left.subtract(unit)
            lines += [Placing(Spot(cell), tuple(stack.items()), name) for cell, stack in there.items()]
        rest = {item: count for item, count in left.items() if count > 0}
        if rest:
            lines.insert(0, Band(name, tuple(rest.items())))
        return (*lines, *others)

    def picture(self, details: Sequence[Detail]) -> SiteScene | None:
        """The site, or at least the own field, with every small field by its number."""
        viewer = self.view.viewer
        if viewer is None:
            return None
        title, site = phrase("battle.plan", time=self.view.state.time), self._site()
        if site is not None:
            stands = tuple(war_room.stands_of(site))
            return pictures.plan(self.view, war_room.fields_of(site), site.armies[0].ruler, stands, title, ())
        gf = gf_of(self.camp.at)
        placed = (each for each in details if isinstance(each, Placing))
        own = [Stand(viewer, Spotted(gf, each.at.cell), format_figures(dict(each.figures))) for each in placed]
        return pictures.plan(self.view, (gf,), viewer, own, title, ())


def _fights(item: str) -> bool:
    return kind_of(item).is_warrior or bool(kind_of(item).seats)


def _ungrouped(details: Iterable[Detail]) -> list[Figures]:
    """Figures that the plan places without a group."""
    return [dict(each.figures) for each in details if isinstance(each, Placing) and not each.group]


def _without(details: Iterable[Detail], name: str) -> tuple[Detail, ...]:
    """A plan without where a group stands, and who is in it."""
    return tuple(
        each
        for each in details
        if not (isinstance(each, Placing) and each.group == name) and not (isinstance(each, Band) and each.name == name)
    )


def _units(figures: Figures) -> Iterator[Figures]:
    """Figures one by one, riders with what they ride on, the dearest first."""
    people = Counter({item: count for item, count in figures.items() if not kind_of(item).seats})
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
    """The mounts among figures, with whoever rides them."""
    found: Counter[str] = Counter()
    for unit in _units(figures):
        if any(kind_of(item).seats for item in unit) and any(kind_of(item).is_warrior for item in unit):
            found.update(unit)
    return dict(found)
